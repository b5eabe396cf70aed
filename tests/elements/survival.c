/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Which plain elements keep the lineage of what passes them: each row is a
 * chain between orchexpand and orchreduce.  The documentation quotes this
 * table.  E17 is the row mp4. */

#include "run.h"
#include "patience.h"

#include <gst/video/video.h>
#include <string.h>

#define N_FRAMES 6
#define SIZE 64

typedef enum
{
  KEPT,                         /* every frame, in its own place */
  DOUBLED,                      /* the same, and the doubles do no harm */
  DROPPED,                      /* each one that is gone is listed */
  ENDED,                        /* it wants no more after the first */
  NO_LINEAGE,                   /* an error that says so */
} Fate;

typedef struct
{
  const gchar *name;
  const gchar *chain;
  Fate fate;
} Row;

static const Row rows[] = {
  {"identity", "identity", KEPT},
  {"queue", "queue", KEPT},
  {"tee", "tee", KEPT},
  {"valve", "valve", KEPT},
  {"funnel", "funnel", KEPT},
  {"concat", "concat", KEPT},
  {"input-selector", "input-selector", KEPT},
  {"multiqueue", "multiqueue", KEPT},
  {"decodebin", "jpegenc ! decodebin", KEPT},
  {"videoconvert", "videoconvert ! video/x-raw,format=BGRx", KEPT},
  {"videoscale", "videoscale ! video/x-raw,width=32,height=48", KEPT},
  {"videocrop", "videocrop left=8 top=8", KEPT},
  {"videoflip", "videoflip method=clockwise", KEPT},
  {"videobalance", "videobalance saturation=0.5", KEPT},
  {"deinterlace", "deinterlace", KEPT},
  {"jpeg", "jpegenc ! jpegdec", KEPT},
  {"png", "videoconvert ! pngenc ! pngdec", KEPT},
  {"h264", "x264enc ! h264parse ! avdec_h264", KEPT},
  {"h264-b-frames", "x264enc bframes=2 b-adapt=false key-int-max=6 ! "
        "h264parse ! avdec_h264", KEPT},
  {"h265", "x265enc log-level=none speed-preset=ultrafast ! h265parse ! "
        "avdec_h265", KEPT},
  {"vp8", "vp8enc deadline=1 ! vp8dec", KEPT},
  {"vp9", "vp9enc deadline=1 cpu-used=8 ! vp9dec", KEPT},
  {"av1", "av1enc cpu-used=8 usage-profile=realtime ! av1dec", KEPT},
  {"mpeg2", "mpeg2enc ! mpegvideoparse ! mpeg2dec", KEPT},
  {"theora", "theoraenc ! theoradec", KEPT},
  {"openjpeg", "openjpegenc ! openjpegdec", KEPT},
  {"webp", "webpenc ! webpdec", KEPT},
  {"matroska", "jpegenc ! matroskamux ! matroskademux ! jpegdec", KEPT},
  {"rtp-raw", "rtpvrawpay ! rtpvrawdepay", KEPT},
  {"rtp-jpeg", "jpegenc ! rtpjpegpay mtu=200 ! rtpjpegdepay ! jpegdec", KEPT},
  /* The demuxer cuts frames out of what it has joined, and names them all after
   * the first. */
  {"mp4", "x264enc ! h264parse ! mp4mux ! qtdemux ! avdec_h264", DROPPED},
  {"videorate-doubles", "videorate ! video/x-raw,framerate=50/1", DOUBLED},
  {"videorate-drops", "videorate ! video/x-raw,framerate=25/2", DROPPED},
  {"imagefreeze", "imagefreeze num-buffers=4", ENDED},
  {"valve-drops", "valve drop=true drop-mode=forward-sticky-events",
      DROPPED},
  {"compositor", "compositor", NO_LINEAGE},
  {"videomixer", "videomixer", NO_LINEAGE},
  {"interlace", "interlace field-pattern=2:3", NO_LINEAGE},
  {"deinterlace-active", "capssetter caps=video/x-raw,"
        "interlace-mode=interleaved ! deinterlace mode=interlaced", NO_LINEAGE},
  {"rawvideoparse", "rawvideoparse width=64 height=64 format=i420",
      NO_LINEAGE},
  {"y4m", "y4menc ! y4mdec", NO_LINEAGE},
  {"mpegts", "x264enc ! h264parse ! mpegtsmux ! tsdemux ! h264parse ! "
        "avdec_h264", NO_LINEAGE},
  {"gdp", "gdppay ! gdpdepay", NO_LINEAGE},
};

/* Frame `i` has this luma all over. */
static guint8
luma_of (guint i)
{
  return 40 + i * 30;
}

static void
push_frame (Run * self, guint i)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, SIZE * SIZE * 3 / 2,
      NULL);
  GstCaps *caps = gst_caps_from_string ("video/x-raw, format=I420, width=64, "
      "height=64, framerate=25/1, interlace-mode=progressive, "
      "pixel-aspect-ratio=1/1");
  GstSample *sample;
  GstFlowReturn ret;

  gst_buffer_memset (buffer, 0, luma_of (i), SIZE * SIZE);
  gst_buffer_memset (buffer, SIZE * SIZE, 128, SIZE * SIZE / 2);
  GST_BUFFER_PTS (buffer) = i * GST_SECOND / 25;
  GST_BUFFER_DURATION (buffer) = GST_SECOND / 25;
  sample = gst_sample_new (buffer, caps, NULL, NULL);
  g_signal_emit_by_name (self->in, "push-sample", sample, &ret);
  gst_sample_unref (sample);
  gst_buffer_unref (buffer);
  gst_caps_unref (caps);
}

/* From the middle: Y of YUV and gray, any component of gray in RGB. */
static gint
get_luma (const GstOrchListElement * element)
{
  GstVideoInfo info;
  GstVideoFrame frame;
  const guint8 *pixel;
  gboolean is_rgb;
  gint luma;

  g_assert_true (gst_video_info_from_caps (&info, element->caps));
  g_assert_true (gst_video_frame_map (&frame, &info, element->buffer,
          GST_MAP_READ));
  pixel = (guint8 *) GST_VIDEO_FRAME_COMP_DATA (&frame, 0) +
      GST_VIDEO_FRAME_COMP_STRIDE (&frame, 0) * (info.height / 2) +
      GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, 0) * (info.width / 2);
  is_rgb = GST_VIDEO_INFO_IS_RGB (&info);
  luma = is_rgb ? 16 + *pixel * 219 / 255 : *pixel;
  gst_video_frame_unmap (&frame);
  return luma;
}

/* The lineage is on the right frame, not only on some. */
static void
check_frames (GstOrchList * list)
{
  guint i;

  for (i = 0; i < gst_orch_list_get_size (list); i++) {
    const GstOrchListElement *element = gst_orch_list_get (list, i);
    gint difference = get_luma (element) - luma_of (element->ordinal);

    g_assert_cmpint (ABS (difference), <=, 10);
  }
}

static void
check_list (Run * self, Fate fate)
{
  GstBuffer *buffer = collector_get_buffer (self->out, "0");
  const GstOrchListCounts *counts;
  GstOrchList *list;

  g_assert_nonnull (buffer);
  list = gst_orch_buffer_get_list (buffer);
  counts = gst_orch_list_get_counts (list);
  check_frames (list);
  g_assert_cmpuint (counts->present, ==, gst_orch_list_get_size (list));
  /* a stream that is cut off here is listed too */
  if (fate != ENDED)
    g_assert_cmpuint (counts->lost, ==, gst_orch_list_get_n_failures (list));
  g_assert_cmpuint (counts->present + counts->lost + counts->dropped, ==,
      counts->total);
  if (fate == ENDED) {
    g_assert_cmpuint (counts->present, ==, 1);
  } else {
    g_assert_cmpuint (counts->total, ==, N_FRAMES);
    g_assert_cmpuint (counts->dropped, ==, 0);
    g_assert_true ((counts->lost > 0) == (fate == DROPPED));
    g_assert_true ((self->warnings->len > 0) == (fate == DROPPED));
  }
  if (fate == DOUBLED)
    g_assert_cmpuint (run_get_stat (self, "r", "duplicates"), >, 0);
  gst_buffer_unref (buffer);
}

/* S8: the plan knows who does it, and nobody else. */
static gboolean
was_warned_of (Run * self)
{
  guint i;

  for (i = 0; i < self->warnings->len; i++)
    if (strstr (g_ptr_array_index (self->warnings, i),
            "makes new buffers, and r will not know"))
      return TRUE;
  return FALSE;
}

static void
check_row (Run * self, const Row * row)
{
  if (row->fate == NO_LINEAGE) {
    g_assert_false (run_wait (self));
    g_assert_true (was_warned_of (self));
    g_assert_nonnull (strstr (self->error, "without lineage arrived at r"));
    g_assert_nonnull (strstr (self->error_debug, "e:src"));
    return;
  }
  run_finish (self);
  g_assert_cmpuint (collector_get_n_results (self->out), ==, 1);
  check_list (self, row->fate);
  g_assert_false (was_warned_of (self));
}

static void
test_row (gconstpointer data)
{
  const Row *row = data;
  g_autofree gchar *description = g_strdup_printf (RUN_IN
      "! orchexpand name=e ! %s ! orchreduce name=r on-failed=skip ! "
      RUN_OUT, row->chain);
  g_autoptr (GError) error = NULL;
  Run *self = run_try_new (description, &error);
  guint i;

  if (!self) {
    g_assert_error (error, GST_PARSE_ERROR, GST_PARSE_ERROR_NO_SUCH_ELEMENT);
    g_test_skip (error->message);
    return;
  }
  run_start (self);
  for (i = 0; i < N_FRAMES; i++)
    push_frame (self, i);
  run_end (self);
  check_row (self, row);
  run_free (self);
}

int
main (int argc, char **argv)
{
  guint i;

  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  /* y4mdec warns in any pipeline. */
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL);
  for (i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree gchar *path = g_strconcat ("/survival/", rows[i].name, NULL);

    g_test_add_data_func (path, &rows[i], test_row);
  }
  return g_test_run ();
}

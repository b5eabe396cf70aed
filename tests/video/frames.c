/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Every frame of every clip is the right one. */

#include "fixture.h"
#include "videoframes.h"
#include "videoimage.h"

#include <string.h>

typedef struct
{
  const gchar *name;
  guint n_frames;
  gdouble fps;
  gdouble start;                /* of the first frame, in seconds */
  gdouble tolerance;            /* of times, in seconds */
  guint first;                  /* the number of the first frame */
} Video;

/* Frame n of a video of variable rate is at n^2 / 90 seconds. */
#define VARIABLE 0

static const Video videos[] = {
  {"closed.mp4", 90, 30, 0, 0},
  {"closed.mov", 90, 30, 0, 0},
  {"closed.avi", 90, 30, 0, 0},
  {"fragmented.mp4", 90, 30, 0, 0},
  {"open.mp4", 90, 30, 0, 0},
  {"open.mkv", 90, 30, 0, 0.001},
  {"open.ts", 90, 30, 0, 0.0001},
  {"hevc.mp4", 90, 30, 0, 0},
  {"hevc.mkv", 90, 30, 0, 0.001},
  {"hevc.ts", 90, 30, 0, 0.0001},
  {"vp8.webm", 90, 30, 0, 0.001},
  {"vp9.webm", 90, 30, 0, 0.001},
  {"av1.mp4", 90, 30, 0, 0},
  {"av1.mkv", 90, 30, 0, 0.001},
  {"mpeg2.ts", 90, 30, 0, 0.0001},
  {"mpeg2.mpg", 90, 30, 0, 0.0001},
  {"mpeg4.avi", 90, 30, 0, 0},
  {"mjpeg.avi", 90, 30, 0, 0},
  {"mjpeg.mov", 90, 30, 0, 0},
  {"raw.h264", 90, 30, 0, 1e-7},
  {"flv.flv", 90, 30, 0, 0.001},
  {"ten-bit.mp4", 90, 30, 0, 0},
  {"interlaced.ts", 90, 30, 0, 0.0001},
  {"interlaced.mp4", 90, 30, 0, 0},
  {"odd.mkv", 90, 30, 0, 0.001},
  {"8k.mp4", 2, 30, 0, 0},
  {"intra-refresh.mp4", 90, 30, 0, 0},
  {"thirty-one.mp4", 31, 30, 0, 0},
  {"one-frame.mp4", 1, 30, 0, 0},
  {"one-frame.mkv", 1, 30, 0, 0.001},
  {"variable.mkv", 90, VARIABLE, 0, 0.001},
  {"variable.mp4", 90, VARIABLE, 0, 0.001},
  {"film-rate.mp4", 90, 24000 / 1001.0, 0, 1e-6},
  {"audio-longer.mkv", 90, 30, 0.003, 0.001},
  {"audio-longer.mp4", 90, 30, 0, 0},
  {"late.mkv", 90, 30, 2.003, 0.001},
  {"negative.mp4", 75, 30, 0, 0, 15},
  {"edit-list.mp4", 32, 30, 0, 0, 15},
  {"no-duration.webm", 90, 30, 0, 0.001},
  {"cover.mp4", 90, 30, 0, 0},
  {"two-videos.mkv", 90, 30, 0, 0.001},
  {"wrong.avi", 90, 30, 0, 0},
};

/* ---- reading ---- */

typedef struct
{
  VideoFile *file;              /* the reader's */
  VideoReader *reader;
  VideoImager *imager;
  VideoExtent extent;
} Opened;

typedef struct
{
  gint64 time;
  gint number;                  /* -1: lost, -2: it cannot be told */
} Seen;

typedef struct
{
  Opened *opened;
  GArray *seen;                 /* of Seen */
} Collection;

static void
opened_init (Opened * opened, GstBuffer * buffer)
{
  VideoDecoderSettings settings = { NULL, 0 };
  g_autoptr (GError) error = NULL;

  opened->file = video_file_open (buffer, &error);
  g_assert_no_error (error);
  g_assert_true (video_extent_find (opened->file, &opened->extent, &error));
  g_assert_no_error (error);
  opened->reader = video_reader_new (opened->file, &settings);
  opened->imager = video_imager_new ();
}

static void
opened_clear (Opened * opened)
{
  video_reader_free (opened->reader);
  video_imager_free (opened->imager);
}

static gint
read_number (Opened * opened, AVFrame * frame)
{
  VideoImageSettings settings = { GST_VIDEO_FORMAT_GRAY8, };
  g_autoptr (GError) error = NULL;
  GstVideoInfo info;
  AVFrame *image = video_imager_convert (opened->imager, frame,
      video_file_get_matrix (opened->file), &settings, &info, &error);
  gint number;

  g_assert_no_error (error);
  number = video_test_read_number (image->data[0], image->linesize[0], 1,
      image->width, image->height);
  av_frame_free (&image);
  return number < 0 ? -2 : number;
}

static gboolean
collect (const VideoPicture * picture, gpointer data, GError ** error)
{
  Collection *collection = data;
  Seen seen = { picture->time, -1 };

  if (picture->frame)
    seen.number = read_number (collection->opened, picture->frame);
  g_array_append_val (collection->seen, seen);
  return TRUE;
}

static GArray *
read_clip (Opened * opened, const VideoClip * clip,
    const VideoFramesSettings * settings, GError ** error)
{
  Collection collection = { opened, g_array_new (FALSE, FALSE, sizeof (Seen)) };

  video_frames_read (opened->reader, clip, settings, collect, &collection,
      error);
  return collection.seen;
}

static GArray *
cut (const VideoExtent * extent, gdouble duration)
{
  VideoCutSettings settings = { 0, };
  g_autoptr (GArray) boundaries = video_clips_divide (extent,
      duration * GST_SECOND, 0);

  return video_clips_cut (extent, boundaries, &settings, NULL);
}

/* ---- every frame ---- */

static void
check_frame (const Video * video, const Seen * seen, const VideoClip * clip)
{
  gint index = seen->number - video->first;
  gdouble expected = video->fps == VARIABLE ? index * index / 90.0
      : video->start + index / video->fps;

  g_assert_cmpint (seen->number, >=, 0);
  g_assert_cmpint (seen->time, >=, clip->start);
  g_assert_cmpint (seen->time, <, clip->end);
  g_assert_cmpfloat_with_epsilon (seen->time / 1e9, expected,
      video->tolerance + 2e-9);
}

/* The frames of a clip are those that follow each other, and each of the video's
 * is in one clip. */
static void
check_clip (const Video * video, Opened * opened, const VideoClip * clip,
    guint * counts)
{
  VideoFramesSettings settings = { VIDEO_SAMPLE_ALL, };
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) seen = read_clip (opened, clip, &settings, &error);
  guint i;

  g_assert_no_error (error);
  for (i = 0; i < seen->len; i++) {
    const Seen *frame = &g_array_index (seen, Seen, i);

    check_frame (video, frame, clip);
    g_assert_cmpint (frame->number, >=, video->first);
    g_assert_cmpint (frame->number, <, video->first + video->n_frames);
    if (i > 0)
      g_assert_cmpint (frame->number, ==, frame[-1].number + 1);
    counts[frame->number - video->first]++;
  }
}

static void
shuffle (GArray * clips)
{
  guint i;

  for (i = clips->len; i > 1; i--) {
    guint k = g_test_rand_int_range (0, i);
    VideoClip clip = g_array_index (clips, VideoClip, k);

    g_array_index (clips, VideoClip, k) =
        g_array_index (clips, VideoClip, i - 1);
    g_array_index (clips, VideoClip, i - 1) = clip;
  }
}

static void
check_clips (const Video * video, Opened * opened, gdouble duration,
    gboolean in_order)
{
  g_autoptr (GArray) clips = cut (&opened->extent, duration);
  g_autofree guint *counts = g_new0 (guint, video->n_frames);
  guint i;

  if (!in_order)
    shuffle (clips);
  for (i = 0; i < clips->len; i++)
    check_clip (video, opened, &g_array_index (clips, VideoClip, i), counts);
  for (i = 0; i < video->n_frames; i++)
    if (counts[i] != 1)
      g_error ("frame %u is in %u clips of %g s", video->first + i, counts[i],
          duration);
}

static void
test_every_frame (gconstpointer data)
{
  const Video *video = data;
  g_autoptr (GstBuffer) buffer = video_test_open (video->name);
  gdouble parts[] = { 1, 3, 29, 0 };
  guint i, n = video->n_frames > 2 ? G_N_ELEMENTS (parts) : 2;
  Opened opened;
  gdouble length;

  parts[3] = g_test_rand_double_range (1, 40);
  opened_init (&opened, buffer);
  length = (opened.extent.end - opened.extent.start) / 1e9;
  for (i = 0; i < n; i++) {
    check_clips (video, &opened, length / parts[i], TRUE);
    check_clips (video, &opened, length / parts[i], FALSE);
  }
  opened_clear (&opened);
}

int
main (int argc, char **argv)
{
  guint i;

  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  for (i = 0; i < G_N_ELEMENTS (videos); i++) {
    g_autofree gchar *path = g_strconcat ("/video/every-frame/",
        videos[i].name, NULL);

    g_test_add_data_func (path, &videos[i], test_every_frame);
  }
  return g_test_run ();
}

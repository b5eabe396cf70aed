/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* E10 - E17 with real frames and sound: what elements/join.c and elements/streams.c
 * test with made-up ones. */

#include "fixture.h"
#include "numbers.h"
#include "complaints.h"

#include <gst/check/gstcheck.h>
#include <string.h>

#define CLIPS "orchvideoclips clip-duration=1000000000 ! orchexpand ! "
#define FRAMES(sampling) CLIPS "orchvideodecode " sampling \
    " format=I420 ! orchexpand name=e ! "
#define REDUCE "orchreduce name=r on-failed=placeholder ! orchreduce"

/* ---- E10: frames and sound of one video meet at the video ---- */

#define RATE 44100
#define SEGMENT (RATE / 2)

/* Behind the last whole segment may be what the encoder adds. */
static void
check_sound (Collector * sound, guint n_segments)
{
  GstBuffer *buffer = collector_get_buffer (sound, "0");
  GstOrchList *list;
  guint i;

  fail_unless (buffer != NULL);
  list = gst_orch_buffer_get_list (buffer);
  fail_unless (gst_orch_list_get_size (list) >= n_segments
      && gst_orch_list_get_size (list) <= n_segments + 1);
  for (i = 0; i < n_segments; i++)
    fail_unless_equals_uint64 (gst_buffer_get_size (gst_orch_list_get (list,
                i)->buffer), SEGMENT * sizeof (gint16));
  gst_buffer_unref (buffer);
}

GST_START_TEST (test_e10)
{
  Run *run = run_new ("orchjoin name=j ! "
      "tee name=parts ! queue ! orchpart number=0 ! "
      RUN_OUT "parts. ! queue ! orchpart name=sound number=1 ! "
      "fakesink sync=false async=false "
      RUN_IN "! orchidentity ! tee name=t ! queue ! "
      CLIPS "orchvideodecode fps=2/1 ! orchreduce ! j.sink_0 "
      "t. ! queue ! orchgst bin=\"decodebin ! audio/x-raw ! audioconvert ! "
      "audio/x-raw,format=S16LE,channels=1 ! audiobuffersplit "
      "output-buffer-duration=1/2\" ! orchexpand ! orchreduce ! j.sink_1");
  GstPad *pad = gst_element_get_static_pad (run_get (run, "sound"), "src");
  Collector *sound = collector_new (pad);

  run_start (run);
  video_test_push (run, "audio-longer.mkv");
  run_end (run);
  run_finish (run);
  video_test_assert_numbers (run, "[[0,15],[30,45],[60,75]]");
  check_sound (sound, 12);
  collector_free (sound);
  gst_object_unref (pad);
  run_free (run);
}

GST_END_TEST;

/* ---- times between expand and reduce ---- */

/* Backwards, all the same, or none: they say nothing about whose a frame is. */
static GstPadProbeReturn
change_time (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstBuffer *buffer = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER
      (info));
  guint *n = data;

  GST_BUFFER_PTS (buffer) = *n % 3 == 0 ? GST_CLOCK_TIME_NONE
      : *n % 3 == 1 ? (1000 - *n) * GST_SECOND : GST_SECOND;
  GST_BUFFER_DTS (buffer) = GST_CLOCK_TIME_NONE;
  GST_BUFFER_DURATION (buffer) = GST_CLOCK_TIME_NONE;
  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  ++*n;
  return GST_PAD_PROBE_OK;
}

GST_START_TEST (test_times)
{
  Run *run = run_new (RUN_IN "! " FRAMES ("fps=3/1") "queue ! "
      "orchidentity batch-size=4 replicas=2 ! jpegenc ! jpegdec ! "
      REDUCE " ! " RUN_OUT);
  GstPad *pad = gst_element_get_static_pad (run_get (run, "e"), "src");
  guint n = 0;

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, change_time, &n, NULL);
  gst_object_unref (pad);
  run_start (run);
  video_test_push (run, "closed.mp4");
  run_end (run);
  run_finish (run);
  fail_unless_equals_int (n, 9);
  video_test_assert_numbers (run, "[[0,10,20],[30,40,50],[60,70,80]]");
  run_free (run);
}

GST_END_TEST;

/* ---- elements that drop, double and keep frames ---- */

/* The frames that are there are the right ones in the right place, and all others
 * are listed as lost: `numbers` are those of each clip if nothing is. */
static void
check_clip (GstOrchList * frames, const guint * numbers, guint n_frames,
    guint * n_lost)
{
  const GstOrchListCounts *counts = gst_orch_list_get_counts (frames);
  guint i, k = 0;

  fail_unless_equals_uint64 (counts->total, n_frames);
  fail_unless_equals_uint64 (counts->present + counts->lost, n_frames);
  fail_unless_equals_uint64 (counts->present, gst_orch_list_get_size (frames));
  for (i = 0; i < gst_orch_list_get_size (frames); i++, k++) {
    const GstOrchListElement *element = gst_orch_list_get (frames, i);
    gint number = video_test_read_frame (element->buffer, element->caps);

    while (k < n_frames && numbers[k] != (guint) number)
      k++;
    fail_unless (k < n_frames, "frame %d is not of its clip", number);
  }
  *n_lost += counts->lost;
}

/* How many of the frames 0, 10, .. 80 were lost. */
static guint
check_clips (Run * run)
{
  static const guint numbers[3][3] = { {0, 10, 20}, {30, 40, 50}, {60, 70, 80} };
  GstBuffer *buffer = collector_get_buffer (run->out, "0");
  GstOrchList *clips;
  guint i, n_lost = 0;

  fail_unless (buffer != NULL);
  clips = gst_orch_buffer_get_list (buffer);
  fail_unless_equals_int (gst_orch_list_get_size (clips), 3);
  for (i = 0; i < 3; i++)
    check_clip (gst_orch_buffer_get_list (gst_orch_list_get (clips, i)->buffer),
        numbers[i], 3, &n_lost);
  fail_unless_equals_uint64 (run_get_stat (run, "r", "lost"), n_lost);
  gst_buffer_unref (buffer);
  return n_lost;
}

/* E13, E15 - E17.  Frames are a thirtieth of a second apart there. */
static const struct
{
  const gchar *chain;
  guint fewest, most;           /* frames lost */
} chains[] = {
  {"jpegenc ! jpegdec", 0, 0},
  {"videorate ! video/x-raw,framerate=15/1", 4, 5},
  {"videorate ! video/x-raw,framerate=60/1", 0, 0},
  {"queue leaky=upstream max-size-buffers=1 ! identity sleep-time=20000", 1, 8},
  {"queue leaky=downstream max-size-buffers=1 ! identity sleep-time=20000", 1,
      8},
  {"x264enc bframes=2 ! h264parse ! avdec_h264", 0, 0},
  {"x264enc ! h264parse ! mp4mux ! qtdemux ! avdec_h264", 0, 9},
  {"x264enc ! h264parse ! mp4mux fragment-duration=1000 ! qtdemux ! "
      "avdec_h264", 0, 9},
};

GST_START_TEST (test_chains)
{
  Run *run = run_new (RUN_IN "! " FRAMES ("fps=3/1") "%s ! " REDUCE " ! "
      RUN_OUT, chains[__i__].chain);
  guint n_lost;

  run_start (run);
  video_test_push (run, "closed.mp4");
  run_end (run);
  run_finish (run);
  n_lost = check_clips (run);
  fail_unless (n_lost >= chains[__i__].fewest && n_lost <= chains[__i__].most,
      "%s: %u lost", chains[__i__].chain, n_lost);
  run_free (run);
}

GST_END_TEST;

/* A frame that fails goes round the codec, and keeps its place. */
GST_START_TEST (test_e15_failed)
{
  Run *run = run_new (RUN_IN "! " FRAMES ("fps=3/1") "orchtestwork "
      "record=0/0/1,0/1/*,0/2/2 ! jpegenc ! jpegdec ! " REDUCE " ! " RUN_OUT);

  run_start (run);
  video_test_push (run, "closed.mp4");
  run_end (run);
  run_finish (run);
  video_test_assert_numbers (run, "[[0,-,20],[-,-,-],[60,70,-]]");
  run_free (run);
}

GST_END_TEST;

/* E14: a branch that loses everything, beside one that does not. */
GST_START_TEST (test_e14)
{
  Run *run = run_new (RUN_IN "! " FRAMES ("fps=3/1") "tee name=t ! queue ! "
      "valve drop=true drop-mode=forward-sticky-events ! orchreduce name=r ! "
      "orchreduce ! fakesink sync=false async=false "
      "t. ! queue ! orchreduce ! orchreduce ! " RUN_OUT);

  run_start (run);
  video_test_push (run, "closed.mp4");
  run_end (run);
  run_finish (run);
  video_test_assert_numbers (run, "[[0,10,20],[30,40,50],[60,70,80]]");
  fail_unless_equals_uint64 (run_get_stat (run, "r", "lost"), 9);
  run_free (run);
}

GST_END_TEST;

/* ---- E12: streams of files that are decoded by ordinary elements ---- */

/* Ninety frames, thirty of which are a group. */
static void
check_stream (Run * run, const gchar * path)
{
  GstBuffer *buffer = collector_get_buffer (run->out, path);
  GstOrchList *groups;
  guint i;

  fail_unless (buffer != NULL);
  groups = gst_orch_buffer_get_list (buffer);
  fail_unless_equals_int (gst_orch_list_get_size (groups), 3);
  for (i = 0; i < 90; i++) {
    GstOrchList *frames = gst_orch_buffer_get_list (gst_orch_list_get (groups,
            i / 30)->buffer);
    const GstOrchListElement *frame = gst_orch_list_get (frames, i % 30);

    fail_unless_equals_int (gst_orch_list_get_size (frames), 30);
    fail_unless_equals_int (video_test_read_frame (frame->buffer, frame->caps),
        i);
  }
  gst_buffer_unref (buffer);
}

GST_START_TEST (test_e12)
{
  g_autofree gchar *closed = video_test_path ("closed.mp4");
  g_autofree gchar *open = video_test_path ("open.mkv");
  Run *run = run_new ("orchexpand name=e group-by=count group-count=30 ! "
      "orchidentity name=work batch-size=4 ! orchreduce ! orchreduce ! " RUN_OUT
      "filesrc location=\"%s\" ! qtdemux ! h264parse ! avdec_h264 ! queue ! "
      "e.sink_0 filesrc location=\"%s\" ! matroskademux ! h264parse ! "
      "avdec_h264 ! queue ! e.sink_1", closed, open);

  run_start (run);
  run_finish (run);
  fail_unless_equals_int (collector_get_n_results (run->out), 2);
  check_stream (run, "0");
  check_stream (run, "1");
  run_free (run);
}

GST_END_TEST;

static Suite *
conformance_suite (void)
{
  Suite *s = suite_create ("conformance");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_e10);
  tcase_add_test (tc, test_e12);
  tcase_add_test (tc, test_times);
  tcase_add_loop_test (tc, test_chains, 0, G_N_ELEMENTS (chains));
  tcase_add_test (tc, test_e14);
  tcase_add_test (tc, test_e15_failed);
  return s;
}

/* What is not installed cannot be tested. */
static gboolean
has_elements (void)
{
  static const gchar *const needed[] = { "decodebin", "audiobuffersplit",
    "jpegdec", "videorate", "x264enc", "h264parse", "avdec_h264", "mp4mux",
    "qtdemux", "matroskademux",
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (needed); i++) {
    g_autoptr (GstElementFactory) factory =
        gst_element_factory_find (needed[i]);

    if (factory)
      continue;
    g_print ("skipped: there is no %s\n", needed[i]);
    return FALSE;
  }
  return TRUE;
}

int
main (int argc, char **argv)
{
  gst_check_init (&argc, &argv);
  if (!has_elements ())
    return 77;
  return gst_check_run_suite (conformance_suite (), "conformance", __FILE__);
}

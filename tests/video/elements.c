/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* orchvideoclips and orchvideodecode in pipelines. */

#include "fixture.h"
#include "numbers.h"

#include <gst/check/gstcheck.h>
#include <gst/video/video.h>
#include <string.h>

#define REDUCE "orchreduce on-failed=placeholder"

GST_START_TEST (test_clips)
{
  Run *run = video_test_run ("closed.mp4", "orchvideoclips clip-duration=1000000000 "
      "! orchexpand ! orchvideodecode fps=2/1 ! " REDUCE);

  video_test_assert_numbers (run, "[[0,15],[30,45],[60,75]]");
  run_free (run);
}

GST_END_TEST;

/* Frames as units of their own, two levels down. */
GST_START_TEST (test_nested)
{
  static const gchar *const workers[] = { "thread", "process" };
  g_autofree gchar *chain = g_strdup_printf ("orchvideoclips workers=%s "
      "clip-duration=1000000000 ! orchexpand ! orchvideodecode workers=%s "
      "frames=3 format=GRAY8 ! orchexpand ! " REDUCE " ! " REDUCE,
      workers[__i__], workers[__i__]);
  Run *run = video_test_run ("open.mkv", chain);

  video_test_assert_numbers (run, "[[5,15,25],[35,45,55],[65,75,85]]");
  run_free (run);
}

GST_END_TEST;

/* ---- which frames ---- */

typedef struct
{
  const gchar *name;
  const gchar *settings;
  const gchar *numbers;         /* of clips of a second */
} Sampling;

static const Sampling samplings[] = {
  {"closed.mp4", "frames=1", "[[15],[45],[75]]"},
  {"open.ts", "frames=4", "[[3,11,18,26],[33,41,48,56],[63,71,78,86]]"},
  {"thirty-one.mp4", "frames=3", "[[5,15,25],[30]]"},
  {"closed.mp4", "keyframes=true", "[[0],[30],[60]]"},
  {"open.mkv", "keyframes=true", "[[0],[30],[60]]"},
  {"mpeg2.ts", "keyframes=true", "[[0,15],[30,45],[60,75,89]]"},
  {"hevc.mp4", "keyframes=true", "[[0],[30],[60]]"},
  {"closed.mp4", "fps=3/1", "[[0,10,20],[30,40,50],[60,70,80]]"},
  {"open.mkv", "fps=3/1", "[[0,10,20],[30,40,50],[60,70,80]]"},
  {"hevc.ts", "", "[[0],[30],[60]]"},
};

GST_START_TEST (test_sampling)
{
  const Sampling *sampling = &samplings[__i__];
  g_autofree gchar *chain = g_strdup_printf ("orchvideoclips "
      "clip-duration=1000000000 ! orchexpand ! orchvideodecode %s ! " REDUCE,
      sampling->settings);
  Run *run = video_test_run (sampling->name, chain);

  video_test_assert_numbers (run, sampling->numbers);
  run_free (run);
}

GST_END_TEST;

/* Clips from one key frame to the next. */
GST_START_TEST (test_keyframe_boundaries)
{
  Run *run = video_test_run ("open.mkv", "orchvideoclips boundaries=keyframes ! "
      "orchexpand ! orchvideodecode frames=1 ! " REDUCE);

  video_test_assert_numbers (run, "[[15],[45],[75]]");
  run_free (run);
}

GST_END_TEST;

/* ---- what they look like ---- */

/* (transfer none): a frame of the first clip */
static const GstOrchListElement *
get_frame (Run * run, guint index)
{
  GstBuffer *buffer = collector_get_buffer (run->out, "0");
  const GstOrchListElement *clip, *frame;

  fail_unless (buffer != NULL);
  clip = gst_orch_list_get (gst_orch_buffer_get_list (buffer), 0);
  fail_unless (clip->buffer != NULL);
  frame = gst_orch_list_get (gst_orch_buffer_get_list (clip->buffer), index);
  gst_buffer_unref (buffer);
  return frame;
}

typedef struct
{
  const gchar *name;
  const gchar *settings;
  gint width, height, par_n;
} Look;

static const Look looks[] = {
  {"closed.mp4", "format=RGB", 320, 180, 1},
  {"closed.mp4", "format=BGRx", 320, 180, 1},
  {"closed.mp4", "format=GRAY8", 320, 180, 1},
  {"closed.mp4", "format=I420", 320, 180, 1},
  {"closed.mp4", "format=NV12", 320, 180, 1},
  {"closed.mp4", "width=160", 160, 90, 1},
  {"closed.mp4", "height=120", 213, 120, 1},
  {"odd.mkv", "format=I420", 321, 181, 1},
  {"odd.mkv", "format=RGB", 321, 181, 1},
  {"ten-bit.mp4", "", 320, 180, 1},
  {"anamorphic.mp4", "", 320, 180, 2},
  {"anamorphic.mp4", "height=180", 640, 180, 1},
  {"anamorphic.mp4", "width=640 height=180", 640, 180, 1},
};

GST_START_TEST (test_looks)
{
  const Look *look = &looks[__i__];
  g_autofree gchar *chain = g_strdup_printf ("orchvideoclips ! orchexpand ! "
      "orchvideodecode frames=2 %s ! " REDUCE, look->settings);
  Run *run = video_test_run (look->name, chain);
  guint i;

  for (i = 0; i < 2; i++) {
    const GstOrchListElement *frame = get_frame (run, i);
    GstVideoInfo info;

    fail_unless (gst_video_info_from_caps (&info, frame->caps));
    fail_unless_equals_int (info.width, look->width);
    fail_unless_equals_int (info.height, look->height);
    fail_unless_equals_int (info.par_n, look->par_n);
    fail_unless_equals_int (gst_buffer_get_size (frame->buffer), info.size);
    fail_unless (video_test_read_frame (frame->buffer, frame->caps) >= 0);
  }
  run_free (run);
}

GST_END_TEST;

/* A stack is the tensor that orchreduce makes of the same frames. */
GST_START_TEST (test_stack)
{
  static const gchar *const settings[] = { "frames=4 format=RGB",
    "fps=5/1 format=GRAY8", "frames=20 format=BGRx width=31 height=17"
  };
  Run *runs[2];
  GstBuffer *stacks[2];
  const GstOrchListElement *clips[2];
  GstMapInfo map;
  guint i;

  for (i = 0; i < 2; i++) {
    g_autofree gchar *chain = g_strdup_printf ("orchvideoclips ! orchexpand ! "
        "orchvideodecode %s %s ! " REDUCE, settings[__i__],
        i == 0 ? "output=stack" : "! orchexpand ! orchreduce output=stack");

    runs[i] = video_test_run ("closed.mp4", chain);
    stacks[i] = collector_get_buffer (runs[i]->out, "0");
    clips[i] = gst_orch_list_get (gst_orch_buffer_get_list (stacks[i]), 0);
    fail_unless (clips[i]->buffer != NULL);
  }
  fail_unless (gst_caps_is_equal (clips[0]->caps, clips[1]->caps));
  fail_unless (gst_structure_has_field (clips[0]->info, "times"));
  gst_buffer_map (clips[0]->buffer, &map, GST_MAP_READ);
  gst_check_buffer_data (clips[1]->buffer, map.data, map.size);
  gst_buffer_unmap (clips[0]->buffer, &map);
  for (i = 0; i < 2; i++) {
    gst_buffer_unref (stacks[i]);
    run_free (runs[i]);
  }
}

GST_END_TEST;

/* ---- limits ---- */

static const Sampling limits[] = {
  {"closed.mp4", "max-pixels=1000", "video:image-too-large"},
  {"closed.mp4", "width=30000 height=30000", "video:image-too-large"},
  {"closed.mp4", "fps=0/1 max-clip-bytes=1000000", "video:too-many-bytes"},
  {"damaged.mp4", "fps=0/1 output=stack", "video:damaged-frame"},
};

GST_START_TEST (test_limits)
{
  g_autofree gchar *chain = g_strdup_printf ("orchvideoclips ! orchexpand ! "
      "orchvideodecode %s ! " REDUCE, limits[__i__].settings);
  g_autofree gchar *expected = g_strdup_printf ("0 [-] 0/0 F %s@0/0",
      limits[__i__].numbers);
  Run *run = video_test_run (limits[__i__].name, chain);

  run_assert_results (run, expected);
  run_free (run);
}

GST_END_TEST;

GST_START_TEST (test_max_clips)
{
  Run *run = video_test_run ("closed.mp4", "orchvideoclips max-clips=5 "
      "clip-duration=500000000 ! orchexpand ! orchvideodecode ! " REDUCE);

  run_assert_results (run, "0 S video:too-many-clips@0");
  run_free (run);
}

GST_END_TEST;

static const Sampling mistakes[] = {
  {NULL, "frames=2 keyframes=true", "two choices"},
  {NULL, "output=stack format=NV12", "one plane"},
};

GST_START_TEST (test_mistakes)
{
  Run *run = run_new (RUN_IN "! orchvideoclips ! orchexpand ! "
      "orchvideodecode name=decode %s ! " RUN_OUT, mistakes[__i__].settings);

  run_start (run);
  video_test_push (run, "closed.mp4");
  run_end (run);
  fail_if (run_wait (run));
  fail_unless (strstr (run->error, mistakes[__i__].numbers)
      || strstr (run->error_debug, mistakes[__i__].numbers), "%s (%s)",
      run->error, run->error_debug);
  run_free (run);
}

GST_END_TEST;

/* It works, or says what is missing. */
GST_START_TEST (test_nvdec)
{
  Run *run = run_new (RUN_IN "! orchvideoclips clip-duration=1000000000 ! "
      "orchexpand ! orchvideodecode decoder=nvdec frames=3 ! " REDUCE " ! "
      RUN_OUT);

  run_start (run);
  video_test_push (run, "closed.mp4");
  run_end (run);
  if (run_wait (run))
    video_test_assert_numbers (run, "[[5,15,25],[35,45,55],[65,75,85]]");
  else
    fail_unless (strstr (run->error, "NVIDIA")
        || strstr (run->error_debug, "NVIDIA"), "%s (%s)", run->error,
        run->error_debug);
  run_free (run);
}

GST_END_TEST;

GST_START_TEST (test_not_a_clip)
{
  Run *run = run_new (RUN_IN "caps=\"application/x-orch-ref, "
      "media-type=video\" ! orchvideodecode ! " RUN_OUT);
  GstBuffer *buffer = gst_buffer_new ();
  GstFlowReturn ret;

  run_start (run);
  g_signal_emit_by_name (run->in, "push-buffer", buffer, &ret);
  gst_buffer_unref (buffer);
  run_end (run);
  run_finish (run);
  run_assert_results (run, "0 F video:not-a-clip@0");
  run_free (run);
}

GST_END_TEST;

/* ---- many at once ---- */

/* Replicas share documents, and open fewer than there are. */
GST_START_TEST (test_replicas)
{
  static const gchar *const names[] = { "closed.mp4", "open.ts", "hevc.mkv",
    "text.mp4", "vp9.webm", "mpeg4.avi"
  };
  static const gint max_documents[] = { 1, 2, 16 };
  Run *run = run_new (RUN_IN "! orchvideoclips replicas=2 "
      "clip-duration=1000000000 ! orchexpand interleave=fair window=6 ! "
      "orchvideodecode replicas=3 frames=2 max-documents=%d ! orchexpand ! "
      REDUCE " ! " REDUCE " ! " RUN_OUT, max_documents[__i__]);
  guint i, n = 3 * G_N_ELEMENTS (names);

  run_start (run);
  for (i = 0; i < n; i++)
    video_test_push (run, names[i % G_N_ELEMENTS (names)]);
  run_end (run);
  run_finish (run);
  fail_unless_equals_int (collector_get_n_results (run->out), n);
  for (i = 0; i < n; i++) {
    g_autofree gchar *path = g_strdup_printf ("%u", i);
    gboolean is_video = !g_str_equal (names[i % G_N_ELEMENTS (names)],
        "text.mp4");
    GstBuffer *buffer = collector_get_buffer (run->out, path);

    fail_unless ((buffer != NULL) == is_video);
    gst_clear_buffer (&buffer);
  }
  video_test_assert_numbers (run, "[[7,22],[37,52],[67,82]]");
  run_free (run);
}

GST_END_TEST;

/* ---- what gst-inspect-1.0 shows ---- */

GST_START_TEST (test_inspection)
{
  static const gchar *const names[] = { "orchvideoclips", "orchvideodecode" };
  guint i, k, n;

  for (i = 0; i < G_N_ELEMENTS (names); i++) {
    GstElement *element = gst_element_factory_make (names[i], NULL);
    GParamSpec **pspecs;

    fail_unless (element != NULL);
    pspecs = g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n);
    for (k = 0; k < n; k++) {
      fail_unless (strlen (g_param_spec_get_nick (pspecs[k])) > 0);
      fail_unless (strlen (g_param_spec_get_blurb (pspecs[k])) > 3);
    }
    g_free (pspecs);
    gst_object_unref (element);
  }
}

GST_END_TEST;

static Suite *
video_suite (void)
{
  Suite *s = suite_create ("video");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_clips);
  tcase_add_loop_test (tc, test_nested, 0, 2);
  tcase_add_loop_test (tc, test_sampling, 0, G_N_ELEMENTS (samplings));
  tcase_add_test (tc, test_keyframe_boundaries);
  tcase_add_loop_test (tc, test_looks, 0, G_N_ELEMENTS (looks));
  tcase_add_loop_test (tc, test_stack, 0, 3);
  tcase_add_loop_test (tc, test_limits, 0, G_N_ELEMENTS (limits));
  tcase_add_test (tc, test_max_clips);
  tcase_add_loop_test (tc, test_mistakes, 0, G_N_ELEMENTS (mistakes));
  tcase_add_test (tc, test_nvdec);
  tcase_add_test (tc, test_not_a_clip);
  tcase_add_loop_test (tc, test_replicas, 0, 3);
  tcase_add_test (tc, test_inspection);
  return s;
}

GST_CHECK_MAIN (video);

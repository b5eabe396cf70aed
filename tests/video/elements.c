/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* orchvideoclips and orchvideodecode in pipelines. */

#include "numbers.h"

#include <gst/check/gstcheck.h>

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

static Suite *
video_suite (void)
{
  Suite *s = suite_create ("video");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_clips);
  tcase_add_loop_test (tc, test_nested, 0, 2);
  return s;
}

GST_CHECK_MAIN (video);

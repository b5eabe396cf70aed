/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* orchclipcopy: what is copied is a video, and its frames are those of the clip. */

#include "numbers.h"

#include <gst/check/gstcheck.h>

#define KEEP "orchreduce on-failed=placeholder"
#define READ "orchvideoclips clip-duration=60000000000 ! orchexpand ! " \
    "orchvideodecode fps=0/1 ! " KEEP

/* Clips are copied, the copies read again. */
static Run *
copy (const gchar * name, const gchar * clips, const gchar * settings)
{
  g_autofree gchar *chain = g_strdup_printf ("orchvideoclips %s ! orchexpand ! "
      "orchclipcopy name=copy %s ! " READ " ! " KEEP, clips, settings);

  return video_test_run (name, chain);
}

/* (transfer full): "[[[0,1,...,n]],...]" */
static gchar *
count_up (const guint * ranges)
{
  GString *text = g_string_new ("[");
  guint i, number;

  for (i = 0; ranges[i + 1] > ranges[i]; i++) {
    g_string_append (text, i > 0 ? ",[[" : "[[");
    for (number = ranges[i]; number < ranges[i + 1]; number++)
      g_string_append_printf (text, number > ranges[i] ? ",%u" : "%u", number);
    g_string_append (text, "]]");
  }
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

#define SECOND "clip-duration=1000000000"

/* Cut where key frames are, a copy is the clip, frame by frame. */
GST_START_TEST (test_at_key_frames)
{
  static const gchar *const settings[] = { "", "workers=process",
    "container=matroska"
  };
  static const guint ranges[] = { 0, 30, 60, 90, 0 };
  g_autofree gchar *expected = count_up (ranges);
  Run *run = copy ("closed.mp4", __i__ == 1
      ? "boundaries=keyframes workers=process" : "boundaries=keyframes",
      settings[__i__]);

  video_test_assert_numbers (run, expected);
  run_free (run);
}

GST_END_TEST;

/* (transfer none): the frames of the nth copy */
static GstOrchList *
get_frames (GstBuffer * clips, guint n)
{
  const GstOrchListElement *clip =
      gst_orch_list_get (gst_orch_buffer_get_list (clips), n);
  GstOrchList *parts = gst_orch_buffer_get_list (clip->buffer);

  fail_unless_equals_int (gst_orch_list_get_size (parts), 1);
  return gst_orch_buffer_get_list (gst_orch_list_get (parts, 0)->buffer);
}

static void
check_frames (GstOrchList * frames, guint begin, guint n)
{
  guint i;

  for (i = 0; i < gst_orch_list_get_size (frames); i++) {
    const GstOrchListElement *frame = gst_orch_list_get (frames, i);
    gint number;

    fail_unless (frame->buffer != NULL);
    number = video_test_read_frame (frame->buffer, frame->caps);
    fail_unless (i < n ? number == (gint) (begin + i)
        : number >= (gint) (begin + n), "frame %u is %d", i, number);
  }
  fail_unless (i >= n, "%u frames of %u", i, n);
  /* what others need: as many as there are B-frames, and the one they need */
  fail_unless (i <= n + 4, "%u frames instead of %u", i, n);
}

/* Cut elsewhere, the first frame that is shown is the first of the clip; what is needed
 * ahead of it is hidden. */
GST_START_TEST (test_between_key_frames)
{
  static const gchar *const names[] = { "closed.mp4", "open.mp4", "open.mkv",
    "open.ts"
  };
  static const guint firsts[] = { 0, 21, 42, 63, 84, 90 };
  Run *run = copy (names[__i__], "clip-duration=700000000", "container=mp4");
  GstBuffer *clips = collector_get_buffer (run->out, "0");
  guint i;

  fail_unless_equals_int (gst_orch_list_get_size (gst_orch_buffer_get_list
          (clips)), 5);
  for (i = 0; i < 5; i++)
    check_frames (get_frames (clips, i), firsts[i], firsts[i + 1] - firsts[i]);
  gst_buffer_unref (clips);
  run_free (run);
}

GST_END_TEST;

/* More bytes than are allowed fail the clip, and that one only. */
GST_START_TEST (test_max_size)
{
  Run *run = copy ("closed.mp4", SECOND, "max-size=1000");

  fail_unless_equals_uint64 (run_get_stat (run, "copy", "failed"), 3);
  video_test_assert_numbers (run, "[-,-,-]");
  run_free (run);
}

GST_END_TEST;

/* The same clip is always the same bytes. */
GST_START_TEST (test_same_bytes)
{
  GstBuffer *lists[2];
  guint i, n;

  for (i = 0; i < 2; i++) {
    Run *run = video_test_run ("open.mkv", "orchvideoclips " SECOND " ! "
        "orchexpand ! orchclipcopy ! " KEEP);

    lists[i] = collector_get_buffer (run->out, "0");
    run_free (run);
  }
  n = gst_orch_list_get_size (gst_orch_buffer_get_list (lists[0]));
  fail_unless_equals_int (n, 3);
  for (i = 0; i < n; i++) {
    GstBuffer *one = gst_orch_list_get (gst_orch_buffer_get_list (lists[0]),
        i)->buffer;
    GstMapInfo map;

    gst_buffer_map (one, &map, GST_MAP_READ);
    fail_unless (map.size > 1000);
    gst_check_buffer_data (gst_orch_list_get (gst_orch_buffer_get_list (lists
                [1]), i)->buffer, map.data, map.size);
    gst_buffer_unmap (one, &map);
  }
  gst_buffer_unref (lists[0]);
  gst_buffer_unref (lists[1]);
}

GST_END_TEST;

static Suite *
copy_suite (void)
{
  Suite *s = suite_create ("copy");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_at_key_frames, 0, 3);
  tcase_add_loop_test (tc, test_between_key_frames, 0, 4);
  tcase_add_test (tc, test_max_size);
  tcase_add_test (tc, test_same_bytes);
  return s;
}

GST_CHECK_MAIN (copy);

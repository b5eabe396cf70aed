/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Good, odd and damaged files through orchvideoclips and orchvideodecode: what
 * becomes of them and of each of their clips. */

#include "fixture.h"
#include "numbers.h"

#include <gst/check/gstcheck.h>
#include <string.h>

#define REDUCE "orchreduce on-failed=placeholder"
#define ALL "orchvideodecode name=decode fps=0/1 format=GRAY8 ! "

/* ---- results ---- */

/* "0-29", "12-15,-,17": the numbers that a clip's frames show. */
static void
append_frames (GString * text, GstOrchList * frames)
{
  gint last = -2, first = -2;
  guint i, n = gst_orch_list_get_size (frames);

  for (i = 0; i <= n; i++) {
    const GstOrchListElement *frame = i < n ? gst_orch_list_get (frames, i)
        : NULL;
    gint number = frame && frame->buffer ? video_test_read_frame (frame->buffer,
        frame->caps) : -3;

    if (number == last + 1) {
      last = number;
      continue;
    }
    if (last > first)
      g_string_append_printf (text, "-%d", last);
    if (frame)
      g_string_append (text, i > 0 ? "," : "");
    if (frame && number >= 0)
      g_string_append_printf (text, "%d", number);
    else if (frame)
      g_string_append (text, frame->cause ? "x" : "?");
    first = last = number;
  }
}

/* "0-29; damaged-frame" */
static gchar *
describe (Run * run)
{
  GstBuffer *buffer = collector_get_buffer (run->out, "0");
  GString *text = g_string_new (NULL);
  GstOrchList *clips;
  guint i;

  if (!buffer)
    return g_string_free (text, FALSE);
  clips = gst_orch_buffer_get_list (buffer);
  for (i = 0; i < gst_orch_list_get_size (clips); i++) {
    const GstOrchListElement *clip = gst_orch_list_get (clips, i);

    g_string_append (text, i > 0 ? "; " : "");
    if (clip->buffer)
      append_frames (text, gst_orch_buffer_get_list (clip->buffer));
    else
      g_string_append (text, gst_orch_cause_get_code (clip->cause));
  }
  gst_buffer_unref (buffer);
  return g_string_free (text, FALSE);
}

static void
assert_frames (Run * run, const gchar * expected)
{
  g_autofree gchar *frames = describe (run);

  fail_unless_equals_string (frames, expected);
}

/* ---- whole files ---- */

typedef struct
{
  const gchar *name;
  const gchar *frames;          /* of clips of a second; NULL: the file fails */
  const gchar *code;
} Document;

static const Document documents[] = {
  {"closed.mp4", "0-29; 30-59; 60-89"},
  {"wrong.avi", "0-29; 30-59; 60-89"},
  {"cover.mp4", "0-29; 30-59; 60-89"},
  {"two-videos.mkv", "0-29; 30-59; 60-89"},
  {"no-duration.webm", "0-29; 30-59; 60-89"},
  {"audio-longer.mp4", "0-29; 30-59; 60-89"},
  {"thirty-one.mp4", "0-29; 30"},
  {"one-frame.mp4", "0"},
  {"edit-list.mp4", "15-44; 45-46"},
  {"negative.mp4", "15-44; 45-74; 75-89"},
  {"zeroed.mp4", "0-29; 30-59; damaged-frame"},
  {"truncated.mp4", "0-29; missing-frames; missing-frames"},
  {"truncated.mkv", "0-29; missing-frames; missing-frames"},
  {"no-moov.mp4", NULL, "damaged"},
  {"zero-frames.mp4", NULL, "no-frames"},
  {"text.mp4", NULL, "not-a-video"},
  {"playlist.mp4", NULL, "not-a-video"},
  {"empty.mp4", NULL, "empty-file"},
  {"cover.mp3", NULL, "no-video"},
};

static void
check_document (const Document * document, Run * run)
{
  if (document->frames) {
    assert_frames (run, document->frames);
  } else {
    g_autofree gchar *expected = g_strdup_printf ("0 S video:%s@0",
        document->code);

    run_assert_results (run, expected);
  }
}

GST_START_TEST (test_documents)
{
  const Document *document = &documents[__i__];
  Run *run = video_test_run (document->name, "orchvideoclips "
      "clip-duration=1000000000 ! orchexpand ! " ALL REDUCE);

  GST_INFO ("%s", document->name);
  check_document (document, run);
  run_free (run);
}

GST_END_TEST;

GST_START_TEST (test_documents_in_workers)
{
  Run *run = run_new (RUN_IN "! orchvideoclips workers=process "
      "clip-duration=1000000000 ! orchexpand ! orchvideodecode workers=process "
      "fps=0/1 format=GRAY8 ! " REDUCE " ! " RUN_OUT);
  guint i;

  run_start (run);
  for (i = 0; i < G_N_ELEMENTS (documents); i++)
    video_test_push (run, documents[i].name);
  run_end (run);
  run_finish (run);
  fail_unless_equals_int (collector_get_n_results (run->out),
      G_N_ELEMENTS (documents));
  assert_frames (run, documents[0].frames);
  run_free (run);
}

GST_END_TEST;

/* The damage is in the middle of the second clip; the third is whole again. */
GST_START_TEST (test_damaged_middle)
{
  static const gchar *const names[] = { "damaged.mp4", "damaged.mkv",
    "damaged.ts", "damaged.avi"
  };
  Run *run = video_test_run (names[__i__], "orchvideoclips "
      "clip-duration=1000000000 ! orchexpand ! " ALL REDUCE);
  g_autofree gchar *frames = describe (run);

  fail_unless (g_str_has_prefix (frames, "0-29; 30-"), "%s", frames);
  fail_unless (g_str_has_suffix (frames, "; 60-89"), "%s", frames);
  fail_unless (strstr (frames, ",x"), "%s", frames);
  fail_if (strchr (frames, '?'), "%s", frames);
  run_free (run);
}

GST_END_TEST;

/* ---- what is said of files ---- */

static const GstStructure *
get_info (GstBuffer * buffer)
{
  fail_unless (buffer != NULL);
  return gst_orch_buffer_get_info (buffer);
}

GST_START_TEST (test_info)
{
  Run *run = video_test_run ("rotated.mp4", "orchvideoclips ! orchexpand ! "
      ALL REDUCE);
  GstBuffer *buffer = collector_get_buffer (run->out, "0");
  const GstStructure *info = get_info (buffer);
  gint width, height, rotation, audio, clips, n, d;
  guint64 duration;

  fail_unless (gst_structure_get (info, "width", G_TYPE_INT, &width, "height",
          G_TYPE_INT, &height, "rotation", G_TYPE_INT, &rotation,
          "audio-tracks", G_TYPE_INT, &audio, "clips", G_TYPE_INT, &clips,
          "duration", G_TYPE_UINT64, &duration, NULL));
  fail_unless (gst_structure_get_fraction (info, "framerate", &n, &d));
  fail_unless_equals_int (width, 180);
  fail_unless_equals_int (height, 320);
  fail_unless_equals_int (rotation, 90);
  fail_unless_equals_int (audio, 0);
  fail_unless_equals_int (clips, 1);
  fail_unless_equals_uint64 (duration, 3 * GST_SECOND);
  fail_unless (n == 30 && d == 1);
  fail_unless_equals_string (gst_structure_get_string (info, "codec"), "h264");
  gst_buffer_unref (buffer);
  run_free (run);
}

GST_END_TEST;

GST_START_TEST (test_no_duration_warns)
{
  Run *run = video_test_run ("no-duration.webm", "orchvideoclips ! "
      "orchexpand ! " ALL REDUCE);
  GstBuffer *buffer = collector_get_buffer (run->out, "0");

  fail_unless (gst_structure_has_field (get_info (buffer), "warnings"));
  gst_buffer_unref (buffer);
  run_free (run);
  run = video_test_run ("vp8.webm", "orchvideoclips ! orchexpand ! " ALL
      REDUCE);
  buffer = collector_get_buffer (run->out, "0");
  fail_if (gst_structure_has_field (get_info (buffer), "warnings"));
  gst_buffer_unref (buffer);
  run_free (run);
}

GST_END_TEST;

static const GstOrchListElement *
get_clip (GstBuffer * buffer, guint index)
{
  return gst_orch_list_get (gst_orch_buffer_get_list (buffer), index);
}

/* Turned clockwise, what was above is on the right. */
GST_START_TEST (test_upright)
{
  Run *run = video_test_run ("rotated.mp4", "orchvideoclips ! orchexpand ! "
      ALL REDUCE);
  GstBuffer *buffer = collector_get_buffer (run->out, "0");
  GstOrchList *frames = gst_orch_buffer_get_list (get_clip (buffer, 0)->buffer);
  guint8 *turned = g_malloc (320 * 180);
  guint i, x, y;

  fail_unless_equals_int (gst_orch_list_get_size (frames), 90);
  for (i = 0; i < 90; i++) {
    GstMapInfo map;

    gst_buffer_map (gst_orch_list_get (frames, i)->buffer, &map, GST_MAP_READ);
    fail_unless_equals_int (map.size, 180 * 320);
    for (y = 0; y < 180; y++)
      for (x = 0; x < 320; x++)
        turned[y * 320 + x] = map.data[x * 180 + 179 - y];
    gst_buffer_unmap (gst_orch_list_get (frames, i)->buffer, &map);
    fail_unless_equals_int (video_test_read_number (turned, 320, 1, 320, 180),
        i);
  }
  g_free (turned);
  gst_buffer_unref (buffer);
  run_free (run);
}

GST_END_TEST;

/* ---- shots ---- */

typedef struct
{
  const gchar *name;
  const gchar *settings;
  gdouble starts[6];            /* of the clips, in seconds; -1: there are no more */
} Shots;

static const Shots shots[] = {
  {"one-colour.mp4", "", {0, -1}},
  {"shots.mp4", "", {0, 2 / 30.0, 40 / 30.0, 89 / 30.0, -1}},
  {"shots.mp4", "min-duration=100000000", {0, 40 / 30.0, -1}},
  {"shots.mp4", "shot-threshold=100", {0, -1}},
  {"shots.mp4", "min-duration=100000000 max-duration=1000000000", {0, 2 / 3.0,
          4 / 3.0, 4 / 3.0 + 5 / 6.0, -1}},
  {"flash.mp4", "min-duration=500000000", {0, 1, 2, -1}},
  {"shots-variable.mkv", "", {0, 20 * 20 / 90.0, 60 * 60 / 90.0, -1}},
};

GST_START_TEST (test_shots)
{
  const Shots *expected = &shots[__i__];
  g_autofree gchar *chain = g_strdup_printf ("orchvideoclips boundaries=shots "
      "%s ! orchexpand ! orchvideodecode frames=1 ! " REDUCE,
      expected->settings);
  Run *run = video_test_run (expected->name, chain);
  GstBuffer *buffer = collector_get_buffer (run->out, "0");
  guint i, n = gst_orch_list_get_size (gst_orch_buffer_get_list (buffer));

  for (i = 0; i < n; i++) {
    gint64 start = -1;

    fail_unless (gst_structure_get_int64 (get_clip (buffer, i)->info, "start",
            &start));
    fail_unless (ABS (start / 1e9 - expected->starts[i]) < 0.001,
        "clip %u at %f instead of %f", i, start / 1e9, expected->starts[i]);
  }
  fail_unless (expected->starts[n] < 0, "%u clips", n);
  gst_buffer_unref (buffer);
  run_free (run);
}

GST_END_TEST;

static Suite *
documents_suite (void)
{
  Suite *s = suite_create ("documents");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_documents, 0, G_N_ELEMENTS (documents));
  tcase_add_test (tc, test_documents_in_workers);
  tcase_add_loop_test (tc, test_damaged_middle, 0, 4);
  tcase_add_test (tc, test_info);
  tcase_add_test (tc, test_no_duration_warns);
  tcase_add_test (tc, test_upright);
  tcase_add_loop_test (tc, test_shots, 0, G_N_ELEMENTS (shots));
  return s;
}

GST_CHECK_MAIN (documents);

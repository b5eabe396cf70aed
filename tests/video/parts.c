/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* How a video is cut, which frames are taken, and which can be trusted. */

#include "videogate.h"
#include "videosample.h"
#include "videoshots.h"

#include <string.h>

/* ---- cutting ---- */

typedef struct
{
  gint64 start, end;
  guint64 min, max;
  gint64 boundaries[6];         /* 0: there are no more */
  const gchar *clips;
} Cut;

static const Cut cuts[] = {
  {0, 100, 0, 0, {0}, "0-100"},
  {0, 100, 0, 0, {40, 60}, "0-40 40-60 60-100"},
  {-10, 100, 0, 0, {40}, "-10-40 40-100"},
  /* not between the ends, twice, or backwards */
  {0, 100, 0, 0, {-5, 40, 40, 30, 100, 120}, "0-40 40-100"},
  /* too short at the beginning, in between, at the end */
  {0, 100, 10, 0, {5, 40, 45, 60, 95}, "0-40 40-60 60-100"},
  {0, 100, 200, 0, {40, 60}, "0-100"},
  /* too long */
  {0, 100, 0, 30, {40}, "0-20 20-40 40-70 70-100"},
  {0, 10, 0, 4, {0}, "0-3 3-6 6-10"},
};

static gchar *
describe_clips (GArray * clips)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < clips->len; i++) {
    const VideoClip *clip = &g_array_index (clips, VideoClip, i);

    g_assert_cmpuint (clip->index, ==, i);
    g_assert_cmpint (clip->is_last, ==, i + 1 == clips->len);
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT,
        i > 0 ? " " : "", clip->start, clip->end);
  }
  return g_string_free (text, FALSE);
}

static void
test_cut (void)
{
  guint i, k;

  for (i = 0; i < G_N_ELEMENTS (cuts); i++) {
    const Cut *cut = &cuts[i];
    VideoExtent extent = { cut->start, cut->end, FALSE };
    VideoCutSettings settings = { cut->min, cut->max, 0 };
    g_autoptr (GArray) boundaries = g_array_new (FALSE, FALSE, sizeof (gint64));
    g_autoptr (GArray) clips = NULL;
    g_autofree gchar *text = NULL;

    for (k = 0; k < G_N_ELEMENTS (cut->boundaries) && cut->boundaries[k]; k++)
      g_array_append_val (boundaries, cut->boundaries[k]);
    clips = video_clips_cut (&extent, boundaries, &settings, NULL);
    text = describe_clips (clips);
    g_assert_cmpstr (text, ==, cut->clips);
  }
}

/* However many there would be, no more than one too many are made. */
static void
test_too_many_clips (void)
{
  VideoExtent extent = { 0, G_MAXINT64 / 8, FALSE };
  VideoCutSettings settings = { 0, 1, 1000 };
  g_autoptr (GArray) boundaries = video_clips_divide (&extent, 1, 1000);
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (boundaries->len, ==, 1001);
  g_assert_null (video_clips_cut (&extent, boundaries, &settings, &error));
  g_assert_error (error, VIDEO_ERROR, VIDEO_ERROR_TOO_MANY_CLIPS);
  g_clear_error (&error);
  g_assert_null (video_clips_cut (&extent, none, &settings, &error));
  g_assert_error (error, VIDEO_ERROR, VIDEO_ERROR_TOO_MANY_CLIPS);
}

static void
test_fragment (void)
{
  static const struct
  {
    gint64 start, end;
    const gchar *text;
  } fragments[] = {
    {0, GST_SECOND, "t=0,1"},
    {12500000000, 20 * GST_SECOND, "t=12.5,20"},
    {-33333333, 1, "t=-0.033333333,0.000000001"},
    {100 * GST_SECOND, G_MAXINT64, "t=100"},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (fragments); i++) {
    g_autofree gchar *text = video_clip_make_fragment (fragments[i].start,
        fragments[i].end);

    g_assert_cmpstr (text, ==, fragments[i].text);
  }
}

static void
test_locator (void)
{
  VideoClip clip = { -5, 12345678901234, 7, TRUE }, other;
  GstStructure *locator = video_clip_to_locator (&clip);

  g_assert_true (video_clip_from_locator (&other, locator));
  g_assert_cmpint (other.start, ==, clip.start);
  g_assert_cmpint (other.end, ==, clip.end);
  g_assert_cmpuint (other.index, ==, 7);
  g_assert_true (other.is_last);
  gst_structure_set (locator, "end", G_TYPE_INT64, (gint64) - 5, NULL);
  g_assert_false (video_clip_from_locator (&other, locator));
  gst_structure_remove_field (locator, "end");
  g_assert_false (video_clip_from_locator (&other, locator));
  gst_structure_free (locator);
}

/* ---- sampling ---- */

/* The frames at @interval, rounded to ticks, that are taken, by their numbers. */
static gchar *
take (VideoSample * sample, gdouble interval, gint64 tick, guint n)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < n; i++) {
    gint64 time = (gint64) (i * interval / tick + 0.5) * tick;

    if (time < sample->target)
      continue;
    g_string_append_printf (text, text->len > 0 ? " %u" : "%u", i);
    video_sample_advance (sample, time);
  }
  return g_string_free (text, FALSE);
}

static void
test_rate (void)
{
  static const struct
  {
    guint n, d;
    gdouble interval;
    gint64 tick;
    const gchar *taken;
  } rates[] = {
    {1, 1, 100000000, 1, "0 10 20"},
    {5, 1, 100000000, 1, "0 2 4 6 8 10 12 14 16 18 20 22 24"},
    /* 10 frames are 0.333 s, a little less than a third */
    {3, 1, 1e9 / 30, 1000000, "0 10 20"},
    {10, 1, 1000000000, 1, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 "
          "20 21 22 23 24"},
    {1, 2, 1000000000, 1, "0 2 4 6 8 10 12 14 16 18 20 22 24"},
    {2, 3, 1000000000, 1, "0 2 3 5 6 8 9 11 12 14 15 17 18 20 21 23 24"},
  };
  VideoClip clip = { 0, G_MAXINT64, };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (rates); i++) {
    g_autofree gchar *taken = NULL;
    VideoSample sample;

    video_sample_init (&sample, VIDEO_SAMPLE_RATE, &clip, rates[i].n,
        rates[i].d, rates[i].tick);
    taken = take (&sample, rates[i].interval, rates[i].tick, 25);
    g_assert_cmpstr (taken, ==, rates[i].taken);
  }
}

static void
test_count (void)
{
  static const gchar *const expected[] = { "5", "2 7", "1 5 8", "1 3 6 8",
    "1 3 5 7 9", "0 2 4 5 7 9", "0 2 3 5 6 7 9", "0 1 3 4 5 6 8 9",
    "0 1 2 3 5 6 7 8 9", "0 1 2 3 4 5 6 7 8 9", "0 1 2 3 4 5 6 7 8 9"
  };
  VideoClip clip = { 0, G_MAXINT64, };
  gint64 k;
  guint n;

  for (n = 1; n <= G_N_ELEMENTS (expected); n++) {
    GArray *times = g_array_new (FALSE, FALSE, sizeof (gint64));
    g_autofree gchar *taken = NULL;
    VideoSample sample;

    for (k = 0; k < 10; k++)
      g_array_append_val (times, k);
    video_sample_init (&sample, VIDEO_SAMPLE_COUNT, &clip, 0, 1, 1);
    video_sample_choose (&sample, times, n);
    taken = take (&sample, 1, 1, 10);
    g_assert_cmpstr (taken, ==, expected[n - 1]);
    video_sample_clear (&sample);
  }
}

/* ---- trust ---- */

/* @packets: in the order of decoding, their times, K behind a key frame's, ! behind
 * one that cannot be decoded.
 * @expected: in the order of time, x behind those that are lost */
static void
check_gate (VideoVerdict verdict, const gchar * packets,
    const gchar * expected)
{
  g_auto (GStrv) words = g_strsplit (packets, " ", -1);
  GString *text = g_string_new (NULL);
  VideoPacket packet;
  VideoGate gate;
  gint64 time;
  guint i;

  video_gate_init (&gate);
  video_gate_reset (&gate, verdict);
  for (i = 0; words[i]; i++) {
    packet = (VideoPacket) {.time = g_ascii_strtoll (words[i], NULL, 10)};
    packet.is_key = strchr (words[i], 'K') != NULL;
    video_gate_enter (&gate, &packet);
    if (strchr (words[i], '!'))
      video_gate_fail_last (&gate);
  }
  for (time = 0; time < 20; time++) {
    while (video_gate_take_lost (&gate, time, &packet))
      g_string_append_printf (text, "%" G_GINT64_FORMAT "x ", packet.time);
    if (gate.packets.head
        && ((VideoPacket *) gate.packets.head->data)->time == time
        && ((VideoPacket *) gate.packets.head->data)->verdict ==
        VIDEO_VERDICT_GOOD) {
      packet = video_gate_take (&gate, time, FALSE);
      g_string_append_printf (text, "%" G_GINT64_FORMAT " ", packet.time);
    }
  }
  g_assert_cmpstr (g_strchomp (text->str), ==, expected);
  g_string_free (text, TRUE);
  video_gate_clear (&gate);
}

static void
test_gate (void)
{
  /* in order; B-frames */
  check_gate (VIDEO_VERDICT_GOOD, "0K 1 2 3", "0 1 2 3");
  check_gate (VIDEO_VERDICT_GOOD, "0K 3 1 2 6 4 5", "0 1 2 3 4 5 6");
  /* begun in the middle: not before a key frame, nor what is shown before it */
  check_gate (VIDEO_VERDICT_UNKNOWN, "1 2 3", "");
  check_gate (VIDEO_VERDICT_UNKNOWN, "1 2 3K 4 5", "3 4 5");
  check_gate (VIDEO_VERDICT_UNKNOWN, "3 1 2 6K 4 5 9 7 8", "6 7 8 9");
  /* damage: as far as the next key frame, and what is shown before that */
  check_gate (VIDEO_VERDICT_GOOD, "0K 1 2! 3 4K 5", "0 1 2x 3x 4 5");
  check_gate (VIDEO_VERDICT_GOOD, "0K 1! 2 3", "0 1x 2x 3x");
  check_gate (VIDEO_VERDICT_GOOD, "0K 3 1 2! 6K 4 5 9 7 8",
      "0 1 2x 3 4x 5x 6 7 8 9");
  check_gate (VIDEO_VERDICT_GOOD, "0K! 1 2 3K 4", "0x 1x 2x 3 4");
  /* an error of what does not count is none */
  check_gate (VIDEO_VERDICT_UNKNOWN, "6K 4! 5! 9 7 8", "6 7 8 9");
}

/* Damage that shows only in the frame, when others have been decoded. */
static void
test_late_damage (void)
{
  VideoPacket packets[] = { {0, 1, TRUE}, {1, 1}, {2, 1}, {3, 1, TRUE}, {4, 1} };
  VideoPacket packet;
  VideoGate gate;
  guint i;

  video_gate_init (&gate);
  for (i = 0; i < G_N_ELEMENTS (packets); i++)
    video_gate_enter (&gate, &packets[i]);
  g_assert_cmpint (video_gate_take (&gate, 0, FALSE).verdict, ==,
      VIDEO_VERDICT_GOOD);
  g_assert_cmpint (video_gate_take (&gate, 1, TRUE).verdict, ==,
      VIDEO_VERDICT_LOST);
  g_assert_true (video_gate_take_lost (&gate, 3, &packet));
  g_assert_cmpint (packet.time, ==, 2);
  g_assert_false (video_gate_take_lost (&gate, 3, &packet));
  g_assert_cmpint (video_gate_take (&gate, 3, FALSE).verdict, ==,
      VIDEO_VERDICT_GOOD);
  g_assert_cmpint (video_gate_take (&gate, 4, FALSE).verdict, ==,
      VIDEO_VERDICT_GOOD);
  video_gate_clear (&gate);
}

/* Frames of a hole have places, but not those that were only late; and it has an
 * end, whatever a file says. */
static void
test_hole (void)
{
  VideoPacket late = { 30, 10 }, packet;
  VideoGate gate;
  guint n = 0;

  video_gate_init (&gate);
  video_gate_add_hole (&gate, 10, 50, 10);
  video_gate_enter (&gate, &late);
  while (video_gate_take_lost (&gate, 100, &packet))
    g_assert_cmpint (packet.time, ==, 10 * ++n);
  g_assert_cmpuint (n, ==, 4);
  video_gate_add_hole (&gate, 0, G_MAXINT64 / 2, 1);
  while (video_gate_take_lost (&gate, G_MAXINT64, &packet))
    n++;
  g_assert_cmpuint (n, <, 20000);
  video_gate_clear (&gate);
}

/* ---- colours ---- */

static void
test_hsv (void)
{
  static const guint8 rgb[][3] = { {0, 0, 0}, {255, 255, 255}, {255, 0, 0},
  {0, 255, 0}, {0, 0, 255}, {255, 0, 1}, {100, 50, 25}, {10, 200, 190}
  };
  static const guint8 expected[][3] = { {0, 0, 0}, {0, 0, 255}, {0, 255, 255},
  {60, 255, 255}, {120, 255, 255}, {0, 255, 255}, {10, 191, 100},
  {88, 242, 200}
  };
  guint8 hsv[sizeof (rgb)];

  video_shots_convert (rgb[0], hsv, G_N_ELEMENTS (rgb));
  g_assert_cmpmem (hsv, sizeof (hsv), expected, sizeof (expected));
  g_assert_cmpfloat_with_epsilon (video_shots_compare (hsv, hsv + 3, 1),
      255 / 3.0, 1e-9);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/video/clips/cut", test_cut);
  g_test_add_func ("/video/clips/too-many", test_too_many_clips);
  g_test_add_func ("/video/clips/fragment", test_fragment);
  g_test_add_func ("/video/clips/locator", test_locator);
  g_test_add_func ("/video/sample/rate", test_rate);
  g_test_add_func ("/video/sample/count", test_count);
  g_test_add_func ("/video/gate/verdicts", test_gate);
  g_test_add_func ("/video/gate/late-damage", test_late_damage);
  g_test_add_func ("/video/gate/hole", test_hole);
  g_test_add_func ("/video/shots/hsv", test_hsv);
  return g_test_run ();
}

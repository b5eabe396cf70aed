/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* What a bin says of a buffer, and what the runner makes of it. */

#include "fixture.h"
#include "gstorchgstrunner.h"
#include "talker.h"

#include <string.h>

#define JPEGS "videotestsrc num-buffers=4 pattern=ball ! " \
    "video/x-raw,format=I420,width=64,height=48,framerate=10/1 ! jpegenc"

static gint wanted;             /* atomic */

static gboolean
is_wanted (gpointer work)
{
  return g_atomic_int_get (&wanted);
}

static GstOrchGstRunner *
make_runner (const gchar * bin, guint64 max_size)
{
  GError *error = NULL;
  GstOrchGstRunner *runner = gst_orch_gst_runner_new (bin,
      GST_ORCH_GST_REUSE_AUTO, max_size, is_wanted, &error);

  g_assert_no_error (error);
  return runner;
}

static GstOrchGstResult
run (GstOrchGstRunner * runner, GstSample * sample)
{
  GError *error = NULL;
  GstOrchGstResult result = gst_orch_gst_runner_run (runner, runner,
      gst_buffer_ref (gst_sample_get_buffer (sample)),
      gst_sample_get_caps (sample), &error);

  g_assert_no_error (error);
  return result;
}

static const GstOrchGstAnswer *
ask (GstOrchGstRunner * runner, GstSample * sample)
{
  g_assert_cmpint (run (runner, sample), ==, GST_ORCH_GST_ANSWERED);
  return gst_orch_gst_runner_get_answer (runner);
}

static GstBuffer *
get_buffer (const GstOrchGstAnswer * answer, guint i)
{
  return gst_sample_get_buffer (g_ptr_array_index (answer->samples, i));
}

/* (transfer full): "abc" of a kind of its own, at 5 s */
static GstSample *
make_text (void)
{
  GstBuffer *buffer = gst_buffer_new_memdup ("abc", 3);
  GstCaps *caps = gst_caps_new_empty_simple ("text/x-test");
  GstSample *sample;

  GST_BUFFER_PTS (buffer) = 5 * GST_SECOND;
  GST_BUFFER_DURATION (buffer) = GST_SECOND;
  sample = gst_sample_new (buffer, caps, NULL, NULL);
  gst_buffer_unref (buffer);
  gst_caps_unref (caps);
  return sample;
}

/* What becomes of a text; `code` (nullable), `message`: a part of what explains it. */
static void
assert_answer (const gchar * bin, guint64 max_size, guint n_samples,
    guint n_warnings, const gchar * code, const gchar * message)
{
  GstOrchGstRunner *runner = make_runner (bin, max_size);
  GstSample *text = make_text ();
  guint round;

  for (round = 0; round < 3; round++) {
    const GstOrchGstAnswer *answer = ask (runner, text);
    g_autofree gchar *reason = gst_orch_gst_answer_explain (answer);

    g_assert_cmpstr (answer->code, ==, code);
    if (!code)
      g_assert_cmpuint (answer->samples->len, ==, n_samples);
    g_assert_cmpuint (answer->warnings->len, ==, n_warnings);
    if (!strstr (reason, message))
      g_error ("\"%s\" does not say \"%s\"", reason, message);
  }
  gst_sample_unref (text);
  gst_orch_gst_runner_free (runner);
}

static void
test_answers (void)
{
  const guint64 any = G_MAXUINT64;

  assert_answer ("identity", any, 1, 0, NULL, "");
  assert_answer ("queue ! identity ! queue", any, 1, 0, NULL, "");
  assert_answer ("testtalker deed=double", any, 2, 0, NULL, "");
  assert_answer ("queue min-threshold-buffers=5", any, 1, 0, NULL, "");
  assert_answer ("valve drop=true drop-mode=forward-sticky-events", any, 0, 0,
      NULL, "");
  assert_answer ("identity eos-after=1", any, 0, 0, NULL, "");
  assert_answer ("testtalker deed=warn", any, 1, 1, NULL,
      "talker: Mind the gap. (It is 7 wide)");
  assert_answer ("testtalker name=t deed=warn-drop", any, 0, 1, NULL,
      "t: Mind the gap. (It is 7 wide)");
  assert_answer ("testtalker deed=warn ! identity error-after=1", any, 0, 1,
      "element-error", "identity: ");
  assert_answer ("testtalker deed=warn ! identity error-after=1", any, 0, 1,
      "element-error", "; before that: talker: Mind the gap.");
  assert_answer ("identity ! queue ! identity error-after=1", any, 0, 0,
      "element-error", "identity: ");
  assert_answer ("testtalker deed=no-word", any, 0, 0, "element-error",
      "without saying why");
}

/* Too much, in one piece or many; the caps of text are not those of pictures. */
static void
test_limits (void)
{
  assert_answer ("identity", 10, 0, 0, "too-large", "more than 10 bytes");
  assert_answer ("testtalker deed=double ! testtalker deed=double", 1600, 0, 0,
      "too-large", "more than 1600 bytes");
}

/* A picture that is too large is not made. */
static void
test_large_frame (void)
{
  GstOrchGstRunner *runner;
  const GstOrchGstAnswer *answer;
  GPtrArray *frames;

  if (!fixture_needs ("videoscale"))
    return;
  frames = fixture_make ("videotestsrc num-buffers=1 ! "
      "video/x-raw,format=GRAY8,width=8,height=8");
  runner = make_runner ("videoscale ! video/x-raw,width=30000,height=30000",
      100 * 1024 * 1024);
  answer = ask (runner, g_ptr_array_index (frames, 0));
  g_assert_cmpstr (answer->code, ==, "too-large");
  g_assert_nonnull (strstr (answer->message, "30000x30000"));
  gst_orch_gst_runner_free (runner);
  g_ptr_array_unref (frames);
}

static void
test_kinds_of_input (void)
{
  GstSample *text, *bytes;
  GstCaps *caps;

  if (!fixture_needs ("jpegdec ! videoconvert"))
    return;
  assert_answer ("jpegdec", G_MAXUINT64, 0, 0, "not-negotiated",
      "does not take text/x-test; it takes image/jpeg");
  text = make_text ();
  caps = gst_caps_new_empty_simple ("application/octet-stream");
  bytes = gst_sample_new (gst_sample_get_buffer (text), caps, NULL, NULL);
  {
    GstOrchGstRunner *runner = make_runner ("videoconvert", G_MAXUINT64);
    const GstOrchGstAnswer *answer = ask (runner, bytes);

    g_assert_cmpstr (answer->code, ==, "not-negotiated");
    g_assert_nonnull (strstr (answer->message, "begin with typefind"));
    gst_orch_gst_runner_free (runner);
  }
  gst_caps_unref (caps);
  gst_sample_unref (bytes);
  gst_sample_unref (text);
}

/* A bin that fails is made anew, and what it remembers does not count. */
static void
test_new_bins (void)
{
  GstOrchGstRunner *runner = make_runner ("identity error-after=3", G_MAXUINT64);
  GstSample *text = make_text ();
  guint i;

  for (i = 0; i < 9; i++)
    g_assert_cmpuint (ask (runner, text)->samples->len, ==, 1);
  /* Two through the first, then one of its own for each third. */
  g_assert_cmpuint (gst_orch_gst_runner_get_n_bins (runner), >, 3);
  gst_sample_unref (text);
  gst_orch_gst_runner_free (runner);
}

static void
test_times (void)
{
  GstOrchGstRunner *runner = make_runner ("identity", G_MAXUINT64);
  GstSample *text = make_text ();
  guint i;

  for (i = 0; i < 2; i++) {
    GstBuffer *buffer = get_buffer (ask (runner, text), 0);

    g_assert_cmpuint (GST_BUFFER_PTS (buffer), ==, 5 * GST_SECOND);
    g_assert_cmpuint (GST_BUFFER_DURATION (buffer), ==, GST_SECOND);
  }
  gst_sample_unref (text);
  gst_orch_gst_runner_free (runner);
}

static void
test_does_not_start (void)
{
  GError *error = NULL;

  g_assert_null (gst_orch_gst_runner_new ("testtalker deed=no-start",
          GST_ORCH_GST_REUSE_AUTO, 1, is_wanted, &error));
  g_assert_nonnull (strstr (error->message, "talker: There is no door."));
  g_error_free (error);
}

/* ---- what ends what nobody wants ---- */

static gpointer
unwant (gpointer data)
{
  while (talker_count_hanging () == 0)
    g_usleep (200);
  g_atomic_int_set (&wanted, FALSE);
  return NULL;
}

/* In its streaming thread, and in one of its own. */
static void
test_interrupted (void)
{
  static const gchar *const bins[] = {
    "testtalker deed=hang", "queue ! testtalker deed=hang",
  };
  guint i, round;

  for (i = 0; i < G_N_ELEMENTS (bins); i++) {
    GstOrchGstRunner *runner = make_runner (bins[i], G_MAXUINT64);
    GstSample *text = make_text ();

    for (round = 0; round < 2; round++) {
      GThread *thread = g_thread_new (NULL, unwant, NULL);

      g_assert_cmpint (run (runner, text), ==, GST_ORCH_GST_INTERRUPTED);
      g_thread_join (thread);
      g_atomic_int_set (&wanted, TRUE);
    }
    gst_sample_unref (text);
    gst_orch_gst_runner_free (runner);
  }
}

/* It swallows the end: nobody can know that nothing comes. */
static void
test_no_answer (void)
{
  GstOrchGstRunner *runner = make_runner ("valve drop=true", G_MAXUINT64);
  GstSample *text = make_text ();

  g_atomic_int_set (&wanted, FALSE);
  g_assert_cmpint (run (runner, text), ==, GST_ORCH_GST_INTERRUPTED);
  g_atomic_int_set (&wanted, TRUE);
  gst_sample_unref (text);
  gst_orch_gst_runner_free (runner);
}

/* Nothing of an interruption is left for the next. */
static void
test_after_interruption (void)
{
  GstOrchGstRunner *runner = make_runner ("identity sleep-time=100000",
      G_MAXUINT64);
  GstSample *text = make_text ();

  g_atomic_int_set (&wanted, FALSE);
  g_assert_cmpint (run (runner, text), ==, GST_ORCH_GST_INTERRUPTED);
  g_atomic_int_set (&wanted, TRUE);
  g_assert_cmpuint (ask (runner, text)->samples->len, ==, 1);
  gst_sample_unref (text);
  gst_orch_gst_runner_free (runner);
}

/* ---- codecs ---- */

static void
test_broken_pictures (void)
{
  static const gchar garbage[] = "no picture at all";
  GstOrchGstRunner *runner;
  GPtrArray *jpegs;
  guint i;

  if (!fixture_needs ("jpegenc ! jpegdec"))
    return;
  jpegs = fixture_make (JPEGS);
  runner = make_runner ("jpegdec", G_MAXUINT64);
  for (i = 0; i < 3 * jpegs->len; i++) {
    GstSample *good = g_ptr_array_index (jpegs, i % jpegs->len);
    GstSample *bad = fixture_replace (good, garbage, sizeof garbage);
    const GstOrchGstAnswer *answer = ask (runner, i % 3 ? good : bad);

    if (i % 3) {
      g_assert_cmpuint (answer->samples->len, ==, 1);
    } else {
      g_assert_cmpstr (answer->code, ==, "element-error");
      g_assert_nonnull (strstr (answer->message, "jpegdec: "));
      g_assert_nonnull (strstr (answer->message, "Not a JPEG file"));
    }
    gst_sample_unref (bad);
  }
  gst_orch_gst_runner_free (runner);
  g_ptr_array_unref (jpegs);
}

static void
test_several_pictures (void)
{
  GPtrArray *jpegs, *pictures;
  GstOrchGstRunner *runner;
  const GstOrchGstAnswer *answer;
  GstSample *joined;
  guint i, round;

  if (!fixture_needs ("jpegenc ! jpegparse ! jpegdec"))
    return;
  jpegs = fixture_make (JPEGS);
  pictures = fixture_convert ("jpegdec", jpegs);
  joined = fixture_join (jpegs);
  runner = make_runner ("jpegparse ! jpegdec", G_MAXUINT64);
  for (round = 0; round < 3; round++) {
    answer = ask (runner, joined);
    g_assert_cmpuint (answer->samples->len, ==, jpegs->len);
    for (i = 0; i < jpegs->len; i++)
      fixture_assert_same (get_buffer (answer, i), gst_sample_get_buffer
          (g_ptr_array_index (pictures, i)));
  }
  gst_orch_gst_runner_free (runner);
  gst_sample_unref (joined);
  g_ptr_array_unref (pictures);
  g_ptr_array_unref (jpegs);
}

/* It hands out nothing before the end, and counts from 1000 hours. */
static void
test_delayed_frames (void)
{
  GPtrArray *jpegs;
  GstOrchGstRunner *runner;
  const GstOrchGstAnswer *answer;
  GstSample *joined;
  guint round;

  if (!fixture_needs ("jpegenc ! jpegparse ! jpegdec ! x264enc"))
    return;
  jpegs = fixture_make (JPEGS);
  joined = fixture_join (jpegs);
  runner = make_runner ("jpegparse ! jpegdec ! videoconvert ! x264enc threads=1",
      G_MAXUINT64);
  for (round = 0; round < 2; round++) {
    answer = ask (runner, joined);
    g_assert_cmpuint (answer->samples->len, ==, jpegs->len);
    g_assert_cmpuint (GST_BUFFER_PTS (get_buffer (answer, 0)), ==, 0);
  }
  gst_orch_gst_runner_free (runner);
  gst_sample_unref (joined);
  g_ptr_array_unref (jpegs);
}

/* A file with an index: it finds out what it is, and makes its pads. */
static void
test_files (void)
{
  GPtrArray *parts;
  GstOrchGstRunner *runner;
  GstSample *file;
  GstCaps *caps;
  guint round;

  if (!fixture_needs ("jpegenc ! matroskamux ! decodebin"))
    return;
  parts = fixture_make (JPEGS " ! matroskamux streamable=true");
  file = fixture_join (parts);
  caps = gst_caps_new_empty_simple ("application/octet-stream");
  file = gst_sample_make_writable (file);
  gst_sample_set_caps (file, caps);
  runner = make_runner ("decodebin ! videoconvert ! video/x-raw,format=GRAY8",
      G_MAXUINT64);
  for (round = 0; round < 2; round++) {
    const GstOrchGstAnswer *answer = ask (runner, file);

    g_assert_cmpuint (answer->samples->len, ==, 4);
    g_assert_cmpuint (GST_BUFFER_PTS (get_buffer (answer, 3)), ==,
        3 * GST_SECOND / 10);
    g_assert_cmpuint (gst_buffer_get_size (get_buffer (answer, 3)), ==,
        64 * 48);
  }
  gst_orch_gst_runner_free (runner);
  gst_caps_unref (caps);
  gst_sample_unref (file);
  g_ptr_array_unref (parts);
}

static const struct
{
  const gchar *name;
  void (*run) (void);
} cases[] = {
  {"answers", test_answers},
  {"limits", test_limits},
  {"large-frame", test_large_frame},
  {"kinds-of-input", test_kinds_of_input},
  {"new-bins", test_new_bins},
  {"times", test_times},
  {"does-not-start", test_does_not_start},
  {"interrupted", test_interrupted},
  {"no-answer", test_no_answer},
  {"after-interruption", test_after_interruption},
  {"broken-pictures", test_broken_pictures},
  {"several-pictures", test_several_pictures},
  {"delayed-frames", test_delayed_frames},
  {"files", test_files},
};

int
main (int argc, char **argv)
{
  guint i;

  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  talker_register ();
  wanted = TRUE;
  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gchar *path = g_strconcat ("/gst/runner/", cases[i].name, NULL);

    g_test_add_func (path, cases[i].run);
  }
  return g_test_run ();
}

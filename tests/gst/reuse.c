/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Elements that are used again for the next buffer make of it what new ones make. */

#include "fixture.h"
#include "gstorchgstrunner.h"

#include <string.h>

#define N 3

/* Sizes are multiples of 8, so that no bytes are padding. */
#define VIDEO "videotestsrc num-buffers=3 pattern=snow ! " \
    "video/x-raw,format=%s,width=64,height=48,framerate=30/1"
#define SOUND "audiotestsrc num-buffers=3 wave=ticks samplesperbuffer=4096 ! " \
    "audio/x-raw,format=S16LE,rate=48000,channels=2"

/* `format` (nullable): of the video that `source` is made from; sound without. */
static const struct
{
  const gchar *bin;
  const gchar *format;
  const gchar *encoder;
} rows[] = {
  {"alphacolor", "AYUV", "identity"},
  {"audioconvert ! audio/x-raw,format=F32LE,channels=1", NULL, "identity"},
  {"bayer2rgb", "RGB", "videoconvert ! rgb2bayer"},
  {"capsfilter caps=video/x-raw", "RGB", "identity"},
  {"gamma gamma=2", "I420", "identity"},
  {"identity", "I420", "identity"},
  {"jpegdec", "I420", "jpegenc"},
  {"jpegdec", "GRAY8", "jpegenc"},
  {"jpegdec ! videoconvert ! video/x-raw,format=RGB", "I420", "jpegenc"},
  {"jpegenc", "I420", "identity"},
  {"jpegparse", "I420", "jpegenc"},
  {"jpegparse ! jpegdec", "I420", "jpegenc"},
  {"pngdec", "RGB", "pngenc"},
  {"pngenc", "RGB", "identity"},
  {"pngparse", "RGB", "pngenc"},
  {"pnmdec", "RGB", "pnmenc"},
  {"pnmenc", "RGB", "identity"},
  {"queue ! jpegdec ! queue", "I420", "jpegenc"},
  {"rgb2bayer", "ARGB", "identity"},
  {"videobalance saturation=0.3", "I420", "identity"},
  {"videobox left=-8 top=8", "I420", "identity"},
  {"videoconvert ! video/x-raw,format=RGB", "I420", "identity"},
  {"videoconvertscale ! video/x-raw,format=GRAY8,width=32", "I420", "identity"},
  {"videocrop left=8", "I420", "identity"},
  {"videoflip method=clockwise", "I420", "identity"},
  {"videoscale ! video/x-raw,width=32,height=32", "I420", "identity"},
  {"webpdec", "RGB", "webpenc lossless=true"},
  {"webpenc", "RGB", "identity"},
};

static gboolean
is_wanted (gpointer work)
{
  return TRUE;
}

static GstOrchGstRunner *
make_runner (const gchar * bin, GstOrchGstReuse reuse)
{
  GError *error = NULL;
  GstOrchGstRunner *runner =
      gst_orch_gst_runner_new (bin, reuse, G_MAXUINT64, is_wanted, &error);

  g_assert_no_error (error);
  return runner;
}

static const GstOrchGstAnswer *
ask (GstOrchGstRunner * runner, GstSample * sample)
{
  const GstOrchGstAnswer *answer;
  GError *error = NULL;

  g_assert_cmpint (gst_orch_gst_runner_run (runner, runner,
          gst_buffer_ref (gst_sample_get_buffer (sample)),
          gst_sample_get_caps (sample), &error), ==, GST_ORCH_GST_ANSWERED);
  answer = gst_orch_gst_runner_get_answer (runner);
  if (answer->code)
    g_error ("%s", answer->message);
  return answer;
}

static void
assert_same (const GstOrchGstAnswer * a, const GstOrchGstAnswer * b)
{
  guint i;

  g_assert_cmpuint (a->samples->len, >, 0);
  g_assert_cmpuint (a->samples->len, ==, b->samples->len);
  for (i = 0; i < a->samples->len; i++) {
    GstSample *x = g_ptr_array_index (a->samples, i);
    GstSample *y = g_ptr_array_index (b->samples, i);
    GstBuffer *p = gst_sample_get_buffer (x), *q = gst_sample_get_buffer (y);

    fixture_assert_same (p, q);
    g_assert_cmpuint (GST_BUFFER_PTS (p), ==, GST_BUFFER_PTS (q));
    g_assert_cmpuint (GST_BUFFER_DURATION (p), ==, GST_BUFFER_DURATION (q));
    g_assert_true (gst_caps_is_equal (gst_sample_get_caps (x),
            gst_sample_get_caps (y)));
  }
}

/* (transfer full) */
static gchar *
describe_source (gsize row)
{
  g_autofree gchar *video = rows[row].format ?
      g_strdup_printf (VIDEO, rows[row].format) : g_strdup (SOUND);

  return g_strdup_printf ("%s ! %s", video, rows[row].encoder);
}

static void
test_row (gconstpointer data)
{
  gsize row = GPOINTER_TO_SIZE (data);
  g_autofree gchar *source = describe_source (row);
  GstOrchGstRunner *again, *fresh;
  GPtrArray *samples;
  guint i, round;

  if (!fixture_needs (rows[row].bin) || !fixture_needs (rows[row].encoder))
    return;
  samples = fixture_make (source);
  g_assert_cmpuint (samples->len, ==, N);
  again = make_runner (rows[row].bin, GST_ORCH_GST_REUSE_AUTO);
  fresh = make_runner (rows[row].bin, GST_ORCH_GST_REUSE_NEVER);
  for (round = 0; round < 2; round++)
    for (i = 0; i < N; i++) {
      GstSample *sample = g_ptr_array_index (samples, (i * 2) % N);

      assert_same (ask (again, sample), ask (fresh, sample));
    }
  g_assert_cmpuint (gst_orch_gst_runner_get_n_bins (again), ==, 1);
  g_assert_cmpuint (gst_orch_gst_runner_get_n_bins (fresh), ==, 2 * N);
  gst_orch_gst_runner_free (again);
  gst_orch_gst_runner_free (fresh);
  g_ptr_array_unref (samples);
}

/* The sizes and the kind of images may change from one to the next. */
static void
test_other_caps (void)
{
  static const gchar *const sources[] = {
    "videotestsrc num-buffers=1 ! video/x-raw,format=I420,width=64,height=48 ! jpegenc",
    "videotestsrc num-buffers=1 ! video/x-raw,format=GRAY8,width=32,height=96 ! jpegenc",
    "videotestsrc num-buffers=1 ! video/x-raw,format=I420,width=160,height=8 ! jpegenc",
  };
  const gchar *bin = "jpegdec ! videoconvert ! video/x-raw,format=RGB";
  GstOrchGstRunner *again, *fresh;
  guint i;

  if (!fixture_needs (bin) || !fixture_needs ("jpegenc"))
    return;
  again = make_runner (bin, GST_ORCH_GST_REUSE_AUTO);
  fresh = make_runner (bin, GST_ORCH_GST_REUSE_NEVER);
  for (i = 0; i < 2 * G_N_ELEMENTS (sources); i++) {
    GPtrArray *samples = fixture_make (sources[i % G_N_ELEMENTS (sources)]);

    assert_same (ask (again, g_ptr_array_index (samples, 0)), ask (fresh,
            g_ptr_array_index (samples, 0)));
    g_ptr_array_unref (samples);
  }
  g_assert_cmpuint (gst_orch_gst_runner_get_n_bins (again), ==, 1);
  gst_orch_gst_runner_free (again);
  gst_orch_gst_runner_free (fresh);
}

/* Whether any of it is done twice by an encoder that goes on where it was: the reason
 * why most elements are made anew. */
static void
test_encoder_remembers (void)
{
  const gchar *bin = "vorbisenc";
  GstOrchGstRunner *always, *fresh;
  GPtrArray *samples;
  guint n;

  if (!fixture_needs (bin))
    return;
  samples = fixture_make ("audiotestsrc num-buffers=2 samplesperbuffer=8192 ! "
      "audio/x-raw,format=F32LE,rate=48000,channels=1");
  always = make_runner (bin, GST_ORCH_GST_REUSE_ALWAYS);
  fresh = make_runner (bin, GST_ORCH_GST_REUSE_AUTO);
  ask (always, g_ptr_array_index (samples, 0));
  ask (fresh, g_ptr_array_index (samples, 0));
  n = ask (fresh, g_ptr_array_index (samples, 1))->samples->len;
  g_assert_cmpuint (ask (always, g_ptr_array_index (samples, 1))->samples->len, <, n);
  g_assert_cmpuint (gst_orch_gst_runner_get_n_bins (always), ==, 1);
  g_assert_cmpuint (gst_orch_gst_runner_get_n_bins (fresh), ==, 2);
  gst_orch_gst_runner_free (always);
  gst_orch_gst_runner_free (fresh);
  g_ptr_array_unref (samples);
}

int
main (int argc, char **argv)
{
  gsize i;

  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  for (i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree gchar *name = g_strdelimit (g_strdup (rows[i].bin), " /!", '-');
    g_autofree gchar *path = g_strdup_printf ("/gst/reuse/%s-%s", name,
        rows[i].format ? rows[i].format : "sound");

    g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_row);
  }
  g_test_add_func ("/gst/reuse/other-caps", test_other_caps);
  g_test_add_func ("/gst/reuse/encoder-remembers", test_encoder_remembers);
  return g_test_run ();
}

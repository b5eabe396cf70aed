/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* orchonnx: images in, numbers out, the same however they are put into batches. */

#include "pictures.h"

#include <gst/check/gstharness.h>
#include <gst/orch/orch.h>
#include <json-glib/json-glib.h>
#include <string.h>

#define N_IMAGES 11

static const gchar *models;     /* the folder */

/* ---- images ---- */

static void
paint_plain (gint x, gint y, guint8 rgb[3], gpointer data)
{
  guint32 colour = GPOINTER_TO_UINT (data);

  rgb[0] = colour >> 16;
  rgb[1] = colour >> 8;
  rgb[2] = colour;
}

/* Noise that is the same each time. */
static void
paint_noise (gint x, gint y, guint8 rgb[3], gpointer data)
{
  guint32 seed = (GPOINTER_TO_UINT (data) * 7919 + y * 131 + x) * 2654435761u;

  paint_plain (x, y, rgb, GUINT_TO_POINTER (seed >> 8));
}

static void
push_picture (GstHarness * harness, const gchar * format, gint width,
    gint height, PicturePainter paint, guint data)
{
  GstCaps *caps;
  GstBuffer *buffer = picture_new (format, width, height, paint,
      GUINT_TO_POINTER (data), &caps);

  gst_harness_set_src_caps (harness, caps);
  g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_OK);
}

/* Of any size and format. */
static void
push_mixed (GstHarness * harness, guint index)
{
  static const gchar *const formats[] = { "RGB", "GRAY8", "I420", "BGRx", "NV12" };

  push_picture (harness, formats[index % G_N_ELEMENTS (formats)],
      7 + 13 * index, 5 + 50 / (index + 1), paint_noise, index);
}

/* ---- harness ---- */

static GstHarness *
make_harness (const gchar * model, const gchar * properties)
{
  g_autofree gchar *line = g_strdup_printf ("orchonnx order=input "
      "model=%s/%s.onnx %s", models, model, properties);

  return gst_harness_new_parse (line);
}

static GBytes *
pull (GstHarness * harness)
{
  GstBuffer *buffer = gst_harness_pull (harness);
  gpointer data;
  gsize size;

  g_assert_nonnull (buffer);
  gst_buffer_extract_dup (buffer, 0, -1, &data, &size);
  gst_buffer_unref (buffer);
  return g_bytes_new_take (data, size);
}

static gchar *
pull_text (GstHarness * harness)
{
  g_autoptr (GBytes) bytes = pull (harness);

  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

/* The end, and how many Grains failed. */
static guint64
finish (GstHarness * harness)
{
  GstStructure *stats = NULL;
  GstBuffer *buffer;
  guint64 failed;

  gst_harness_push_event (harness, gst_event_new_eos ());
  while (gst_harness_pull_until_eos (harness, &buffer) == FALSE);
  g_assert_null (buffer);
  gst_harness_get (harness, "orchonnx", "stats", &stats, NULL);
  g_assert_true (gst_structure_get_uint64 (stats, "failed", &failed));
  gst_structure_free (stats);
  gst_harness_teardown (harness);
  return failed;
}

/* ---- the same in every batch ---- */

static GPtrArray *
run_mixed (const gchar * model, const gchar * properties)
{
  GstHarness *harness = make_harness (model, properties);
  GPtrArray *results = g_ptr_array_new_with_free_func ((GDestroyNotify)
      g_bytes_unref);
  guint i;

  for (i = 0; i < N_IMAGES; i++)
    push_mixed (harness, i);
  gst_harness_push_event (harness, gst_event_new_eos ());
  for (i = 0; i < N_IMAGES; i++)
    g_ptr_array_add (results, pull (harness));
  g_assert_cmpuint (finish (harness), ==, 0);
  return results;
}

static void
check_same (GPtrArray * expected, const gchar * model, const gchar * properties)
{
  g_autoptr (GPtrArray) results = run_mixed (model, properties);
  guint i;

  for (i = 0; i < N_IMAGES; i++) {
    if (g_bytes_equal (results->pdata[i], expected->pdata[i]))
      continue;
    g_error ("image %u is not the same with %s %s", i, model, properties);
  }
}

static void
check_batches (gconstpointer model)
{
  static const guint sizes[] = { 1, 2, 3, 4, 7, 16 };
  g_autoptr (GPtrArray) alone = run_mixed ("features-1", "batch-size=1");
  guint i, replicas;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (replicas = 1; replicas <= 3; replicas += 2) {
      g_autofree gchar *properties = g_strdup_printf ("batch-size=%u "
          "replicas=%u max-wait=20000000", sizes[i], replicas);

      check_same (alone, model, properties);
    }
  check_same (alone, model, "batch-size=5 replicas=2 workers=process");
  check_same (alone, model, "batch-size=5 threads=2");
}

/* Images that are not the same have other numbers, so that the above says something. */
static void
test_images_differ (void)
{
  g_autoptr (GPtrArray) results = run_mixed ("features", "batch-size=4");
  guint i, k;

  for (i = 0; i < N_IMAGES; i++)
    for (k = 0; k < i; k++)
      g_assert_false (g_bytes_equal (results->pdata[i], results->pdata[k]));
}

/* ---- what the numbers are ---- */

static void
check_means (const gchar * model, const gchar * properties,
    const gfloat * expected, guint n)
{
  GstHarness *harness = make_harness (model, properties);
  g_autoptr (GBytes) bytes = NULL;
  const gfloat *got;
  gsize size;
  guint i;

  push_picture (harness, "RGB", 20, 10, paint_plain, 0xff6633);
  bytes = pull (harness);
  got = g_bytes_get_data (bytes, &size);
  g_assert_cmpuint (size, ==, n * sizeof (gfloat));
  for (i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (got[i], expected[i],
        1e-5 + ABS (expected[i]) * 1e-3);
  g_assert_cmpuint (finish (harness), ==, 0);
}

static void
test_types_and_layouts (void)
{
  static const gfloat shares[] = { 1, 0.4, 0.2 };
  static const gfloat bytes[] = { 255, 102, 51 };
  static const gfloat grey[] = { 0.5566 };

  check_means ("means", "", shares, 3);
  check_means ("means-float16", "", shares, 3);
  check_means ("means-nhwc", "", shares, 3);
  check_means ("means-uint8", "", bytes, 3);
  check_means ("means-grey", "", grey, 1);
  check_means ("means-open", "width=9 height=31", shares, 3);
  check_means ("means", "resize=crop", shares, 3);
}

static void
test_scaling (void)
{
  static const gfloat bgr[] = { 0.2, 0.4, 1 };
  static const gfloat bytes[] = { 255, 102, 51 };
  static const gfloat normal[] = { 1, 0.5, 0 };
  /* 12 rows of 16, of which the image, twice as wide as high, fills 8. */
  static const gfloat letterbox[] = { 1, 0.4 * 8 / 12 + 4 / 12.0,
    0.2 * 8 / 12 + 4 / 12.0
  };

  check_means ("means", "colours=bgr", bgr, 3);
  check_means ("means", "scale=1", bytes, 3);
  check_means ("means", "mean=0.5,0.3,0.2 std=0.5,0.2,0.1", normal, 3);
  check_means ("means", "resize=letterbox border=255", letterbox, 3);
}

static void
test_two_outputs (void)
{
  GstHarness *harness = make_harness ("two-outputs", "");
  GstStructure *structure;
  GstBuffer *buffer;
  GstCaps *caps;

  push_picture (harness, "RGB", 20, 10, paint_plain, 0xffffff);
  buffer = gst_harness_pull (harness);
  g_assert_cmpuint (gst_buffer_n_memory (buffer), ==, 2);
  g_assert_cmpuint (gst_buffer_get_size (buffer), ==, 12 + 2 * 3 * 12 * 16);
  gst_buffer_unref (buffer);
  caps = gst_pad_get_current_caps (harness->sinkpad);
  structure = gst_caps_get_structure (caps, 0);
  g_assert_cmpstr (gst_structure_get_string (structure, "dimensions"), ==,
      "3:1:1:1,16:12:3:1");
  g_assert_cmpstr (gst_structure_get_string (structure, "types"), ==,
      "float32,float16");
  gst_caps_unref (caps);
  g_assert_cmpuint (finish (harness), ==, 0);
}

static void
check_json (const gchar * model, const gchar * properties,
    const gchar * expected)
{
  GstHarness *harness = make_harness (model, properties);
  g_autofree gchar *text = NULL;
  g_autoptr (JsonNode) node = NULL;

  push_picture (harness, "RGB", 20, 10, paint_plain, 0x00ff00);
  text = pull_text (harness);
  node = json_from_string (text, NULL);
  g_assert_nonnull (node);
  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpuint (finish (harness), ==, 0);
}

static void
test_json (void)
{
  g_autofree gchar *labels = g_strdup_printf ("output=topk top=2 scale=1 "
      "labels=%s/labels.txt", models);

  /* of equal numbers the first */
  check_json ("means", labels, "{\"top\":[{\"index\":1,\"label\":"
      "\"\\\"green\\\"\",\"score\":255},{\"index\":0,\"label\":\"red\","
      "\"score\":0}]}");
  check_json ("means", "output=embedding normalize=true scale=3",
      "{\"embedding\":[0,1,0]}");
  check_json ("two-outputs", "output=embedding scale=1 output-name=mean",
      "{\"embedding\":[0,255,0]}");
}

/* Numbers whose exponentials are 1, 2 and 1. */
static void
test_softmax (void)
{
  static const gdouble scores[] = { 0.5, 0.25, 0.25 };
  static const gint64 indices[] = { 1, 0, 2 };
  GstHarness *harness = make_harness ("means", "output=topk softmax=true "
      "mean=0,0.306852819,0");
  g_autofree gchar *text = NULL;
  g_autoptr (JsonNode) node = NULL;
  JsonArray *top;
  guint i;

  push_picture (harness, "RGB", 20, 10, paint_plain, 0x00ff00);
  text = pull_text (harness);
  node = json_from_string (text, NULL);
  top = json_object_get_array_member (json_node_get_object (node), "top");
  for (i = 0; i < 3; i++) {
    JsonObject *entry = json_array_get_object_element (top, i);

    g_assert_cmpint (json_object_get_int_member (entry, "index"), ==,
        indices[i]);
    g_assert_cmpfloat_with_epsilon (json_object_get_double_member (entry,
            "score"), scores[i], 1e-6);
  }
  g_assert_cmpuint (finish (harness), ==, 0);
}

/* ---- what fails alone ---- */

static void
test_not_finite (void)
{
  GstHarness *harness = make_harness ("logarithm", "batch-size=3 "
      "output=embedding scale=1 max-wait=1000000000");
  guint i;

  push_picture (harness, "RGB", 20, 10, paint_plain, 0x010101);
  push_picture (harness, "RGB", 20, 10, paint_plain, 0x000000);
  push_picture (harness, "RGB", 20, 10, paint_plain, 0x010101);
  for (i = 0; i < 2; i++) {
    g_autofree gchar *text = pull_text (harness);

    g_assert_cmpstr (text, ==, "{\"embedding\":[0,0,0]}");
  }
  g_assert_cmpuint (finish (harness), ==, 1);
}

/* What makes the model fail takes its batch with it, until it is found. */
static void
check_bad_mate (const gchar * model, const gchar * properties, guint32 good,
    guint32 bad)
{
  GstHarness *harness = make_harness (model, properties);
  guint i;

  for (i = 0; i < 8; i++)
    push_picture (harness, "RGB", 20, 10, paint_plain, i == 5 ? bad : good);
  for (i = 0; i < 7; i++)
    g_bytes_unref (pull (harness));
  g_assert_cmpuint (finish (harness), ==, 1);
}

static void
test_bad_mate (void)
{
  check_bad_mate ("look-up", "batch-size=8 scale=0.01", 0x0f0f0f, 0xffffff);
  check_bad_mate ("varying", "batch-size=1", 0x0f0f0f, 0xffffff);
}

static void
test_lying_meta (void)
{
  GstHarness *harness = make_harness ("means", "batch-size=2");
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 100 * 100, NULL);
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0, };
  gint stride[GST_VIDEO_MAX_PLANES] = { 1 << 20, };

  gst_buffer_memset (buffer, 0, 0x80, -1);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_GRAY8, 100, 100, 1, offset, stride);
  gst_harness_set_src_caps_str (harness,
      "video/x-raw,format=GRAY8,width=100,height=100,framerate=0/1");
  g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_OK);
  push_mixed (harness, 1);
  g_bytes_unref (pull (harness));
  g_assert_cmpuint (finish (harness), ==, 1);
}

/* ---- what ends the pipeline ---- */

static const struct
{
  const gchar *model;
  const gchar *properties;
  const gchar *said[2];
} errors[] = {
  {"nothere", "", {"nothere.onnx' cannot be opened"}},
  {"corrupt", "", {"corrupt.onnx' is no model"}},
  {"text", "", {"text.onnx' is no model"}},
  {"empty", "", {"empty.onnx' is no model"}},
  {"means-rank", "", {"expected an input with 4 dimensions",
          "input 'x', float32 [?, 3, 12]"}},
  {"means-int32", "", {"expected an input of float32, float16 or uint8",
          "input 'x', int32 [?, 3, 12, 16]"}},
  {"means-channels", "", {"expected 1 or 3 channels", "[?, 4, 12, 16]"}},
  {"means", "layout=nhwc", {"in the last dimension", "[?, 3, 12, 16]"}},
  {"means", "width=17", {"expected width=17", "[?, 3, 12, 16]"}},
  {"means-open", "width=17", {"expected a height", "height=..."}},
  {"two-inputs", "", {"expected one input", "input 'b'"}},
  {"no-batch", "", {"output 'y', float32 [3]", "expected 2 in the first"}},
  {"nothing", "", {"output 'y', float32 [?, 0]", "at least one number"}},
  {"two-outputs", "output-name=z", {"no output 'z'", "'half', float16"}},
  {"means", "provider=cuda", {"has no CUDAExecutionProvider",
          "CPUExecutionProvider"}},
  {"means", "mean=1,2", {"mean=\"1,2\" is neither one number nor three"}},
  {"means", "std=0", {"divides by 0"}},
  {"means", "labels=/nothere", {"/nothere"}},
  {"features", "output=topk labels=LABELS", {"3 labels, but 10 numbers"}},
};

static void
check_error (const gchar * model, const gchar * properties,
    const gchar * const said[2])
{
  g_autoptr (GString) line = g_string_new (NULL);
  g_autofree gchar *labels = g_strdup_printf ("%s/labels.txt", models);
  g_autoptr (GError) error = NULL;
  GstElement *pipeline;
  GstMessage *message;
  GstBus *bus;
  guint i;

  g_string_printf (line, "videotestsrc num-buffers=1 ! orchonnx "
      "model=%s/%s.onnx %s ! fakesink", models, model, properties);
  g_string_replace (line, "LABELS", labels, 0);
  pipeline = gst_parse_launch (line->str, NULL);
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 60 * GST_SECOND,
      GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
  g_assert_nonnull (message);
  g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_ERROR);
  gst_message_parse_error (message, &error, NULL);
  g_test_message ("%s", error->message);
  for (i = 0; i < 2 && said[i]; i++)
    g_assert_nonnull (strstr (error->message, said[i]));
  g_assert_null (strstr (error->message, "\n"));
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
}

/* With a library that was built for CUDA it is another error, or none. */
static void
test_errors (void)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (errors); i++)
    check_error (errors[i].model, errors[i].properties, errors[i].said);
}

/* ---- life ---- */

/* What arrives last, as text. */
static gchar *
run_to_the_end (GstElement * pipeline)
{
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GstBus *bus = gst_element_get_bus (pipeline);
  GstSample *sample = NULL;
  GstMessage *message;
  GstBuffer *buffer;
  gchar *text;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 60 * GST_SECOND,
      GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
  g_assert_nonnull (message);
  g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_EOS);
  g_object_get (sink, "last-sample", &sample, NULL);
  buffer = gst_sample_get_buffer (sample);
  text = g_malloc0 (gst_buffer_get_size (buffer) + 1);
  gst_buffer_extract (buffer, 0, text, -1);
  gst_sample_unref (sample);
  gst_message_unref (message);
  gst_object_unref (bus);
  gst_object_unref (sink);
  return text;
}

/* Down and up again, with other properties. */
static void
test_again (void)
{
  static const GstState rests[] = { GST_STATE_READY, GST_STATE_NULL };
  g_autofree gchar *line = g_strdup_printf ("videotestsrc num-buffers=5 "
      "pattern=solid-color foreground-color=0xff00ff00 ! "
      "video/x-raw,format=RGB ! orchonnx name=onnx model=%s/means.onnx "
      "output=embedding ! fakesink name=sink", models);
  GstElement *pipeline = gst_parse_launch (line, NULL);
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), "onnx");
  gint i;

  for (i = 0; i < 3; i++) {
    g_autofree gchar *expected =
        g_strdup_printf ("{\"embedding\":[0,%d,0]}", 255 * (i + 1));
    g_autofree gchar *text = NULL;

    g_object_set (element, "scale", 1.0 + i, NULL);
    text = run_to_the_end (pipeline);
    g_assert_cmpstr (text, ==, expected);
    gst_element_set_state (pipeline, rests[i % 2]);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (element);
  gst_object_unref (pipeline);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  models = g_getenv ("ORCH_TEST_MODELS");
  g_assert_nonnull (models);
  g_test_add_data_func ("/onnx/batches/any", "features", check_batches);
  g_test_add_data_func ("/onnx/batches/of-4", "features-4", check_batches);
  g_test_add_data_func ("/onnx/batches/of-1", "features-1", check_batches);
  g_test_add_func ("/onnx/images-differ", test_images_differ);
  g_test_add_func ("/onnx/types-and-layouts", test_types_and_layouts);
  g_test_add_func ("/onnx/scaling", test_scaling);
  g_test_add_func ("/onnx/two-outputs", test_two_outputs);
  g_test_add_func ("/onnx/json", test_json);
  g_test_add_func ("/onnx/softmax", test_softmax);
  g_test_add_func ("/onnx/not-finite", test_not_finite);
  g_test_add_func ("/onnx/bad-mate", test_bad_mate);
  g_test_add_func ("/onnx/lying-meta", test_lying_meta);
  g_test_add_func ("/onnx/errors", test_errors);
  g_test_add_func ("/onnx/again", test_again);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* orchframestats and orchthumbnail: frames and clips in, JSON and pictures out. */

#include "pictures.h"

#include <gst/check/gstharness.h>
#include <gst/orch/orch.h>
#include <json-glib/json-glib.h>
#include <string.h>

#define STATS "orchframestats"
#define WORKER "orchframestats workers=process"

static void
paint_grey (gint x, gint y, guint8 rgb[3], gpointer data)
{
  memset (rgb, GPOINTER_TO_INT (data), 3);
}

/* Red on the left, blue on the right, white in the corner. */
static void
paint_flag (gint x, gint y, guint8 rgb[3], gpointer data)
{
  gint width = GPOINTER_TO_INT (data);
  gboolean is_corner = x < width / 4 && y < width / 4;

  rgb[0] = is_corner || x < width / 2 ? 250 : 5;
  rgb[1] = is_corner ? 250 : 5;
  rgb[2] = is_corner || x >= width / 2 ? 250 : 5;
}

static GstBuffer *
pull (GstHarness * harness)
{
  GstBuffer *buffer = gst_harness_pull (harness);

  g_assert_nonnull (buffer);
  return buffer;
}

static JsonNode *
pull_json (GstHarness * harness)
{
  GstBuffer *buffer = pull (harness);
  g_autofree gchar *text = g_malloc0 (gst_buffer_get_size (buffer) + 1);
  g_autoptr (GError) error = NULL;
  JsonNode *node;

  gst_buffer_extract (buffer, 0, text, gst_buffer_get_size (buffer));
  gst_buffer_unref (buffer);
  node = json_from_string (text, &error);
  g_assert_no_error (error);
  return node;
}

/* The end, and how many Grains failed. */
static guint64
finish (GstHarness * harness, const gchar * element)
{
  GstStructure *stats = NULL;
  GstBuffer *buffer;
  guint64 failed;

  gst_harness_push_event (harness, gst_event_new_eos ());
  while (!gst_harness_pull_until_eos (harness, &buffer));
  g_assert_null (buffer);
  gst_harness_get (harness, element, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_uint64 (stats, "failed", &failed));
  gst_structure_free (stats);
  gst_harness_teardown (harness);
  return failed;
}

/* ---- single frames ---- */

static void
test_frame (gconstpointer line)
{
  GstHarness *harness = gst_harness_new_parse (line);
  GstCaps *caps;
  GstBuffer *frame = picture_new ("NV12", 31, 17, paint_grey,
      GINT_TO_POINTER (100), &caps);
  g_autoptr (JsonNode) node = NULL;
  JsonObject *object;

  gst_harness_set_src_caps (harness, caps);
  g_assert_cmpint (gst_harness_push (harness, frame), ==, GST_FLOW_OK);
  node = pull_json (harness);
  object = json_node_get_object (node);
  g_assert_cmpint (json_object_get_int_member (object, "width"), ==, 31);
  g_assert_cmpint (json_object_get_int_member (object, "height"), ==, 17);
  g_assert_cmpfloat (json_object_get_double_member (object, "luma"), ==, 100);
  g_assert_cmpfloat (json_object_get_double_member (object, "contrast"), ==, 0);
  g_assert_false (json_object_get_boolean_member (object, "black"));
  g_assert_true (json_object_get_null_member (object, "motion"));
  g_assert_true (json_object_get_null_member (object, "frozen"));
  g_assert_cmpuint (strlen (json_object_get_string_member (object, "hash")),
      ==, 16);
  g_assert_cmpuint (finish (harness, STATS), ==, 0);
}

/* The one before is of another clip, maybe: it is not looked at. */
static void
test_frames_are_apart (void)
{
  GstHarness *harness = gst_harness_new_parse (STATS " batch-size=2");
  guint i;

  for (i = 0; i < 2; i++) {
    GstCaps *caps;
    GstBuffer *frame = picture_new ("GRAY8", 8, 8, paint_grey,
        GINT_TO_POINTER (50), &caps);

    gst_harness_set_src_caps (harness, caps);
    gst_harness_push (harness, frame);
  }
  for (i = 0; i < 2; i++) {
    g_autoptr (JsonNode) node = pull_json (harness);

    g_assert_true (json_object_get_null_member (json_node_get_object (node),
            "motion"));
  }
  g_assert_cmpuint (finish (harness, STATS), ==, 0);
}

/* ---- clips ---- */

static void
append_grey (GstOrchList * list, gint value)
{
  GstCaps *caps;
  GstBuffer *frame = picture_new ("I420", 16, 16, paint_grey,
      GINT_TO_POINTER (value), &caps);

  gst_orch_list_append (list, frame, caps, NULL);
  gst_caps_unref (caps);
}

static GstHarness *
push_list (const gchar * line, GstOrchList * list)
{
  GstHarness *harness = gst_harness_new_parse (line);
  GstBuffer *buffer = gst_orch_list_buffer_new (list);

  gst_harness_set_src_caps_str (harness, GST_ORCH_LIST_CAPS);
  g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_OK);
  return harness;
}

static JsonObject *
get_frame (JsonObject * clip, guint index)
{
  return json_array_get_object_element (json_object_get_array_member (clip,
          "frames"), index);
}

static void
test_clip (gconstpointer line)
{
  GstOrchList *list = gst_orch_list_new ();
  g_autoptr (JsonNode) node = NULL;
  GstHarness *harness;
  JsonObject *clip;
  JsonArray *frames;

  append_grey (list, 0);
  append_grey (list, 100);
  gst_orch_list_append_failed (list, gst_orch_cause_new_literal ("test", "lost",
          "It is lost."), NULL);
  append_grey (list, 100);
  append_grey (list, 140);
  harness = push_list (line, list);
  node = pull_json (harness);
  clip = json_node_get_object (node);
  frames = json_object_get_array_member (clip, "frames");
  g_assert_cmpuint (json_array_get_length (frames), ==, 5);
  g_assert_true (json_array_get_null_element (frames, 2));
  g_assert_true (json_object_get_null_member (get_frame (clip, 0), "motion"));
  g_assert_cmpfloat (json_object_get_double_member (get_frame (clip, 1),
          "motion"), ==, 100);
  g_assert_true (json_object_get_boolean_member (get_frame (clip, 3),
          "frozen"));
  g_assert_cmpfloat (json_object_get_double_member (clip, "luma"), ==, 85);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (clip,
          "motion"), 140 / 3.0, 0.0001);
  g_assert_cmpfloat (json_object_get_double_member (clip, "black"), ==, 0.25);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (clip,
          "frozen"), 1 / 3.0, 0.0001);
  g_assert_cmpuint (finish (harness, STATS), ==, 0);
}

static void
test_empty_clip (void)
{
  GstHarness *harness = push_list (STATS, gst_orch_list_new ());
  g_autoptr (JsonNode) node = pull_json (harness);
  JsonObject *clip = json_node_get_object (node);

  g_assert_true (json_object_get_null_member (clip, "luma"));
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (clip,
              "frames")), ==, 0);
  g_assert_cmpuint (finish (harness, STATS), ==, 0);
}

/* A list of something else is a failure, and says of what element. */
static void
test_no_frames (void)
{
  GstOrchList *list = gst_orch_list_new ();
  g_autoptr (GstCaps) caps = gst_caps_from_string ("text/x-raw,format=utf8");
  GstHarness *harness;

  append_grey (list, 0);
  gst_orch_list_append (list, gst_buffer_new_wrapped (g_strdup ("x"), 1), caps,
      NULL);
  harness = push_list (STATS, list);
  g_assert_cmpuint (finish (harness, STATS), ==, 1);
}

/* Claims that its rows are longer than what it holds. */
static GstBuffer *
lying_frame (void)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 100 * 100 * 3 / 2, NULL);
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0, 10000, 12500, };
  gint stride[GST_VIDEO_MAX_PLANES] = { 100, 1 << 20, 50, };

  gst_buffer_memset (buffer, 0, 0x80, -1);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_I420, 100, 100, 3, offset, stride);
  return buffer;
}

static void
test_lying_meta (gconstpointer element)
{
  GstHarness *harness;

  if (!gst_element_factory_find (element)) {
    g_test_skip ("is not built");
    return;
  }
  harness = gst_harness_new (element);
  gst_harness_set_src_caps_str (harness,
      "video/x-raw,format=I420,width=100,height=100,framerate=0/1");
  g_assert_cmpint (gst_harness_push (harness, lying_frame ()), ==,
      GST_FLOW_OK);
  g_assert_cmpuint (finish (harness, element), ==, 1);
}

/* ---- thumbnails ---- */

static GstHarness *
new_thumbnails (const gchar * line)
{
  if (gst_element_factory_find ("orchthumbnail"))
    return gst_harness_new_parse (line);
  g_test_skip ("orchthumbnail is not built: libjpeg-turbo was not found");
  return NULL;
}

static void
check_size (const gchar * line, const gchar * caps_text, gint width,
    gint height)
{
  GstHarness *harness = new_thumbnails (line);
  g_autoptr (GstCaps) caps = gst_caps_from_string (caps_text);
  GstStructure *structure;
  GstVideoInfo info;
  GstBuffer *frame;
  GstCaps *result;
  gint got_width, got_height;
  guint8 magic[2];

  if (!harness)
    return;
  gst_video_info_from_caps (&info, caps);
  frame = gst_buffer_new_allocate (NULL, info.size, NULL);
  gst_buffer_memset (frame, 0, 0x80, -1);
  gst_harness_set_src_caps (harness, gst_caps_ref (caps));
  g_assert_cmpint (gst_harness_push (harness, frame), ==, GST_FLOW_OK);
  frame = pull (harness);
  gst_buffer_extract (frame, 0, magic, 2);
  g_assert_cmpint (magic[0], ==, 0xff);
  g_assert_cmpint (magic[1], ==, 0xd8);
  gst_buffer_unref (frame);
  result = gst_pad_get_current_caps (harness->sinkpad);
  structure = gst_caps_get_structure (result, 0);
  g_assert_true (gst_structure_get (structure, "width", G_TYPE_INT, &got_width,
          "height", G_TYPE_INT, &got_height, NULL));
  g_assert_cmpint (got_width, ==, width);
  g_assert_cmpint (got_height, ==, height);
  gst_caps_unref (result);
  g_assert_cmpuint (finish (harness, "orchthumbnail"), ==, 0);
}

static void
test_thumbnail_sizes (void)
{
  check_size ("orchthumbnail width=160 height=160",
      "video/x-raw,format=I420,width=640,height=360,framerate=0/1", 160, 90);
  check_size ("orchthumbnail width=160 height=60",
      "video/x-raw,format=RGB,width=640,height=360,framerate=0/1", 107, 60);
  check_size ("orchthumbnail",
      "video/x-raw,format=GRAY8,width=33,height=1,framerate=0/1", 33, 1);
  check_size ("orchthumbnail",
      "video/x-raw,format=NV12,width=4096,height=2,framerate=0/1", 256, 1);
  check_size ("orchthumbnail width=800 height=800",
      "video/x-raw,format=I420,width=720,height=576,framerate=0/1,"
      "pixel-aspect-ratio=64/45", 720, 405);
  check_size ("orchthumbnail width=800 height=800",
      "video/x-raw,format=BGRx,width=720,height=480,framerate=0/1,"
      "pixel-aspect-ratio=8/9", 640, 480);
}

/* What a decoder, another one, makes of it has the frame's colours. */
static void
test_thumbnail_picture (gconstpointer format)
{
  GstHarness *harness = new_thumbnails ("orchthumbnail width=40 height=40 "
      "quality=95 ! jpegdec ! videoconvert ! capsfilter caps=video/x-raw,format=RGB");
  const gint places[3][2] = { {5, 5}, {15, 15}, {30, 15} };
  GstVideoFrame frame;
  GstVideoInfo info;
  GstBuffer *buffer;
  GstCaps *caps;
  guint i, c;

  if (!harness)
    return;
  buffer = picture_new (format, 80, 40, paint_flag, GINT_TO_POINTER (80),
      &caps);
  gst_harness_set_src_caps (harness, caps);
  gst_harness_push (harness, buffer);
  gst_harness_push_event (harness, gst_event_new_eos ());
  buffer = pull (harness);
  caps = gst_pad_get_current_caps (harness->sinkpad);
  g_assert_true (gst_video_info_from_caps (&info, caps));
  g_assert_cmpint (info.width, ==, 40);
  g_assert_true (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  for (i = 0; i < 3; i++) {
    const guint8 *got = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0)
        + places[i][1] * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0)
        + 3 * places[i][0];
    guint8 expected[3];

    paint_flag (2 * places[i][0], 2 * places[i][1], expected,
        GINT_TO_POINTER (80));
    for (c = 0; c < 3; c++)
      g_assert_cmpint (ABS (got[c] - expected[c]), <=, 12);
  }
  gst_video_frame_unmap (&frame);
  gst_caps_unref (caps);
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/frame-stats/frame", STATS, test_frame);
  g_test_add_data_func ("/frame-stats/frame-in-worker", WORKER, test_frame);
  g_test_add_func ("/frame-stats/frames-are-apart", test_frames_are_apart);
  g_test_add_data_func ("/frame-stats/clip", STATS, test_clip);
  g_test_add_data_func ("/frame-stats/clip-in-worker", WORKER, test_clip);
  g_test_add_func ("/frame-stats/empty-clip", test_empty_clip);
  g_test_add_func ("/frame-stats/no-frames", test_no_frames);
  g_test_add_data_func ("/frame-stats/lying-meta", STATS, test_lying_meta);
  g_test_add_data_func ("/thumbnail/lying-meta", "orchthumbnail",
      test_lying_meta);
  g_test_add_func ("/thumbnail/sizes", test_thumbnail_sizes);
  g_test_add_data_func ("/thumbnail/picture-rgb", "RGB",
      test_thumbnail_picture);
  g_test_add_data_func ("/thumbnail/picture-nv12", "NV12",
      test_thumbnail_picture);
  return g_test_run ();
}

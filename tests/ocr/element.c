/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* The element orchtesseract: pages in, text out. */

#include "fixture.h"

#include <gst/check/gstharness.h>
#include <sys/resource.h>

static GstHarness *
make_harness (const gchar * properties)
{
  g_autofree gchar *line = g_strdup_printf ("orchtesseract dpi=%d %s",
      FIXTURE_DPI, properties);

  return gst_harness_new_parse (line);
}

static void
push_page (GstHarness * harness, guint page, GstVideoFormat format)
{
  g_autofree gchar *png =
      fixture_png (page, format != GST_VIDEO_FORMAT_GRAY8);
  GstVideoInfo info;
  GstBuffer *buffer = fixture_pixels (png, format, 5, &info);

  gst_harness_set_src_caps (harness, gst_video_info_to_caps (&info));
  g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_OK);
}

static gchar *
pull_text (GstHarness * harness)
{
  GstBuffer *buffer = gst_harness_pull (harness);
  gsize size;
  gchar *text;

  g_assert_nonnull (buffer);
  size = gst_buffer_get_size (buffer);
  text = g_malloc0 (size + 1);
  gst_buffer_extract (buffer, 0, text, size);
  gst_buffer_unref (buffer);
  return text;
}

static gchar *
expected_text (guint page, gboolean color)
{
  g_autofree gchar *png = fixture_png (page, color);
  gchar *text = fixture_tesseract (png, "3", NULL);

  text[strcspn (text, "\f")] = '\0';
  return text;
}

static void
test_order_and_text (void)
{
  GstHarness *harness = make_harness ("replicas=2 batch-size=2 order=input");
  guint i, n = 2 * FIXTURE_N_PAGES;

  for (i = 0; i < n; i++)
    push_page (harness, i % FIXTURE_N_PAGES,
        i < FIXTURE_N_PAGES ? GST_VIDEO_FORMAT_GRAY8 : GST_VIDEO_FORMAT_BGRx);
  gst_harness_push_event (harness, gst_event_new_eos ());
  for (i = 0; i < n; i++) {
    g_autofree gchar *text = pull_text (harness);
    g_autofree gchar *expected =
        expected_text (i % FIXTURE_N_PAGES, i >= FIXTURE_N_PAGES);

    g_assert_cmpstr (text, ==, expected);
  }
  gst_harness_teardown (harness);
}

static void
check_caps (const gchar * output, const gchar * media_type, const gchar * start)
{
  g_autofree gchar *properties = g_strdup_printf ("output=%s", output);
  GstHarness *harness = make_harness (properties);
  g_autofree gchar *text = NULL;
  GstCaps *caps;

  push_page (harness, 0, GST_VIDEO_FORMAT_GRAY8);
  text = pull_text (harness);
  g_assert_true (g_str_has_prefix (text, start));
  caps = gst_pad_get_current_caps (harness->sinkpad);
  g_assert_cmpstr (gst_structure_get_name (gst_caps_get_structure (caps, 0)),
      ==, media_type);
  gst_caps_unref (caps);
  gst_harness_teardown (harness);
}

static void
test_outputs (void)
{
  check_caps ("text", "text/x-raw", "The quick");
  check_caps ("json", "application/json", "{\"width\":");
  check_caps ("hocr", "text/html", "<?xml");
}

/* An element error, not a hang and not empty text. */
static void
test_missing_language (void)
{
  GstElement *pipeline = gst_parse_launch ("videotestsrc num-buffers=1 ! "
      "video/x-raw,format=GRAY8 ! orchtesseract name=ocr language=xx ! "
      "fakesink", NULL);
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;
  g_autoptr (GError) error = NULL;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 10 * GST_SECOND,
      GST_MESSAGE_ERROR);
  g_assert_nonnull (message);
  gst_message_parse_error (message, &error, NULL);
  g_assert_nonnull (strstr (error->message, "tesseract-ocr-xx"));
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
}

static gdouble
cpu_seconds (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
      + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* One thread a replica: what else runs here is next to nothing. */
static void
check_cpu (guint replicas)
{
  g_autofree gchar *properties = g_strdup_printf ("replicas=%u", replicas);
  g_autofree gchar *png = fixture_png (0, FALSE);
  GstHarness *harness = make_harness (properties);
  GstVideoInfo info;
  GstBuffer *page = fixture_pixels (png, GST_VIDEO_FORMAT_GRAY8, 0, &info);
  gdouble cpu = cpu_seconds ();
  gint64 wall = g_get_monotonic_time ();
  guint i;

  gst_harness_set_src_caps (harness, gst_video_info_to_caps (&info));
  for (i = 0; i < 8; i++)
    gst_harness_push (harness, gst_buffer_copy (page));
  gst_buffer_unref (page);
  for (i = 0; i < 8; i++)
    g_free (pull_text (harness));
  cpu = cpu_seconds () - cpu;
  wall = g_get_monotonic_time () - wall;
  g_test_message ("%u replicas: CPU %.2f s, wall %.2f s", replicas, cpu,
      wall / 1e6);
  g_assert_cmpfloat (cpu, <=, replicas * wall / 1e6 * 1.05);
  gst_harness_teardown (harness);
}

static gboolean
skip_measurement (void)
{
  if (!g_getenv ("ORCH_TEST_SLOW"))
    return FALSE;
  g_test_skip ("measures time, which means nothing here");
  return TRUE;
}

static void
test_cpu (void)
{
  if (skip_measurement ())
    return;
  check_cpu (1);
  check_cpu (2);
}

/* The page, `times` times below each other. */
static GstBuffer *
make_long_page (guint times, GstVideoInfo * info)
{
  g_autofree gchar *png = fixture_png (0, FALSE);
  GstVideoInfo small;
  GstBuffer *page = fixture_pixels (png, GST_VIDEO_FORMAT_GRAY8, 0, &small);
  GstBuffer *buffer;
  GstMapInfo map;
  gint stride = small.width, size = small.width * small.height;
  guint8 *data;
  guint i;

  /* The default stride, so that no GstVideoMeta is needed. */
  gst_video_info_set_format (info, GST_VIDEO_FORMAT_GRAY8, small.width,
      small.height * times);
  g_assert_cmpint (info->stride[0], ==, stride);
  data = g_malloc (size * times);
  gst_buffer_map (page, &map, GST_MAP_READ);
  for (i = 0; i < times; i++)
    memcpy (data + i * size, map.data, size);
  gst_buffer_unmap (page, &map);
  gst_buffer_unref (page);
  buffer = gst_buffer_new_wrapped (data, size * times);
  return buffer;
}

/* Dense text takes Tesseract long, here about ten seconds: going down must not
 * wait for it. */
static void
test_stops_at_once (void)
{
  GstHarness *harness;
  GstVideoInfo info;
  GstBuffer *page;
  gint64 begin;

  if (skip_measurement ())
    return;
  harness = make_harness ("psm=single-block");
  page = make_long_page (110, &info);
  gst_harness_set_src_caps (harness, gst_video_info_to_caps (&info));
  g_assert_cmpint (gst_harness_push (harness, page), ==, GST_FLOW_OK);
  g_usleep (G_USEC_PER_SEC);

  begin = g_get_monotonic_time ();
  g_assert_null (gst_harness_try_pull (harness));
  gst_harness_teardown (harness);
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 4 * G_USEC_PER_SEC);
}

/* Claims that its rows are longer than what it holds. */
static void
test_lying_meta (void)
{
  GstHarness *harness = make_harness ("");
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0, };
  gint stride[GST_VIDEO_MAX_PLANES] = { 1 << 20, };
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 100 * 100, NULL);
  GstStructure *stats = NULL;
  guint64 failed;

  gst_buffer_memset (buffer, 0, 0xff, 100 * 100);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_GRAY8, 100, 100, 1, offset, stride);
  gst_harness_set_src_caps_str (harness,
      "video/x-raw,format=GRAY8,width=100,height=100,framerate=0/1");
  g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_OK);
  gst_harness_push_event (harness, gst_event_new_eos ());
  while (!gst_harness_pull_until_eos (harness, &buffer));
  g_assert_null (buffer);

  gst_harness_get (harness, "orchtesseract", "stats", &stats, NULL);
  g_assert_true (gst_structure_get_uint64 (stats, "failed", &failed));
  g_assert_cmpuint (failed, ==, 1);
  gst_structure_free (stats);
  gst_harness_teardown (harness);
}

int
main (int argc, char **argv)
{
  gint result;

  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  if (!fixture_set_up ())
    return 77;
  g_test_add_func ("/ocr/element/order-and-text", test_order_and_text);
  g_test_add_func ("/ocr/element/outputs", test_outputs);
  g_test_add_func ("/ocr/element/missing-language", test_missing_language);
  g_test_add_func ("/ocr/element/cpu", test_cpu);
  g_test_add_func ("/ocr/element/stops-at-once", test_stops_at_once);
  g_test_add_func ("/ocr/element/lying-meta", test_lying_meta);
  result = g_test_run ();
  fixture_tear_down ();
  return result;
}

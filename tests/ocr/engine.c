/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* The OCR engine alone: the same text as the tesseract program. */

#include "fixture.h"

#include "gstorchocrengine.h"
#include "gstorchocroutput.h"

#include <json-glib/json-glib.h>
#include <sys/resource.h>
#include <unistd.h>

static GstOrchOcrEngine *
make_engine (TessPageSegMode psm)
{
  GstOrchOcrConfig config = { (gchar *) "eng", NULL, psm, OEM_DEFAULT };
  g_autoptr (GError) error = NULL;
  GstOrchOcrEngine *engine = gst_orch_ocr_engine_new (&config, &error);

  g_assert_no_error (error);
  return engine;
}

static gboolean
never (gpointer user_data)
{
  return FALSE;
}

static gchar *
recognize (GstOrchOcrEngine * engine, const gchar * png, GstVideoFormat format,
    guint padding, GstOrchOcrOutput output)
{
  GstVideoInfo info;
  GstVideoFrame frame;
  g_autoptr (GstBuffer) buffer = fixture_pixels (png, format, padding, &info);
  GstOrchOcrImage image = { info.width, info.height, FIXTURE_DPI, 1 };

  g_assert_true (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  g_assert_cmpint (gst_orch_ocr_engine_recognize (engine, &frame, FIXTURE_DPI,
          never, NULL), ==, GST_ORCH_OCR_DONE);
  gst_video_frame_unmap (&frame);
  return gst_orch_ocr_output_make (output,
      gst_orch_ocr_engine_get_api (engine), &image);
}

static void
test_text_as_program (gconstpointer data)
{
  TessPageSegMode psm = GPOINTER_TO_INT (data);
  g_autofree gchar *psm_name = g_strdup_printf ("%d", psm);
  GstOrchOcrEngine *engine = make_engine (psm);
  guint i;

  /* The first page once more at the end: the engine must have forgotten. */
  for (i = 0; i <= FIXTURE_N_PAGES; i++) {
    g_autofree gchar *png = fixture_png (i % FIXTURE_N_PAGES, FALSE);
    g_autofree gchar *expected = fixture_tesseract (png, psm_name, NULL);
    g_autofree gchar *text = recognize (engine, png, GST_VIDEO_FORMAT_GRAY8, 0,
        GST_ORCH_OCR_OUTPUT_TEXT);

    /* The program ends each page with a form feed. */
    if (g_str_has_suffix (expected, "\f"))
      expected[strlen (expected) - 1] = '\0';
    g_assert_cmpstr (text, ==, expected);
    if (i % FIXTURE_N_PAGES == 0)
      g_assert_nonnull (strstr (text, "quick brown fox"));
  }
  gst_orch_ocr_engine_free (engine);
}

static void
test_formats_and_strides (void)
{
  static const GstVideoFormat formats[] =
      { GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_BGRx };
  GstOrchOcrEngine *engine = make_engine (PSM_AUTO);
  g_autofree gchar *gray = fixture_png (0, FALSE);
  g_autofree gchar *color = fixture_png (0, TRUE);
  g_autofree gchar *gray_text = recognize (engine, gray,
      GST_VIDEO_FORMAT_GRAY8, 0, GST_ORCH_OCR_OUTPUT_TEXT);
  g_autofree gchar *padded_text = recognize (engine, gray,
      GST_VIDEO_FORMAT_GRAY8, 13, GST_ORCH_OCR_OUTPUT_TEXT);
  g_autofree gchar *expected = fixture_tesseract (color, "3", NULL);
  guint i, padding;

  g_assert_cmpstr (gray_text, ==, padded_text);
  expected[strcspn (expected, "\f")] = '\0';
  for (i = 0; i < G_N_ELEMENTS (formats); i++) {
    for (padding = 0; padding < 16; padding += 8) {
      g_autofree gchar *text = recognize (engine, color, formats[i], padding,
          GST_ORCH_OCR_OUTPUT_TEXT);

      g_assert_cmpstr (text, ==, expected);
    }
  }
  gst_orch_ocr_engine_free (engine);
}

static void
check_box (JsonObject * object, gint width, gint height)
{
  JsonArray *box = json_object_get_array_member (object, "box");

  g_assert_cmpint (json_array_get_length (box), ==, 4);
  g_assert_cmpint (0, <=, json_array_get_int_element (box, 0));
  g_assert_cmpint (json_array_get_int_element (box, 0), <,
      json_array_get_int_element (box, 2));
  g_assert_cmpint (json_array_get_int_element (box, 2), <=, width);
  g_assert_cmpint (0, <=, json_array_get_int_element (box, 1));
  g_assert_cmpint (json_array_get_int_element (box, 1), <,
      json_array_get_int_element (box, 3));
  g_assert_cmpint (json_array_get_int_element (box, 3), <=, height);
}

/* Returns the words of all lines, joined as the text output joins them. */
static gchar *
check_lines (JsonObject * page)
{
  JsonArray *lines = json_object_get_array_member (page, "lines");
  gint width = json_object_get_int_member (page, "width");
  gint height = json_object_get_int_member (page, "height");
  GString *all = g_string_new (NULL);
  guint i, j;

  for (i = 0; i < json_array_get_length (lines); i++) {
    JsonObject *line = json_array_get_object_element (lines, i);
    JsonArray *words = json_object_get_array_member (line, "words");
    g_autoptr (GString) text = g_string_new (NULL);

    check_box (line, width, height);
    for (j = 0; j < json_array_get_length (words); j++) {
      JsonObject *word = json_array_get_object_element (words, j);
      gdouble confidence = json_object_get_double_member (word, "confidence");

      check_box (word, width, height);
      g_assert_cmpfloat (confidence, >, 0);
      g_assert_cmpfloat (confidence, <=, 100);
      g_string_append_printf (text, "%s%s", j ? " " : "",
          json_object_get_string_member (word, "text"));
    }
    g_assert_cmpstr (text->str, ==, json_object_get_string_member (line,
            "text"));
    g_string_append_printf (all, "%s\n", text->str);
  }
  return g_string_free (all, FALSE);
}

static void
test_json (void)
{
  GstOrchOcrEngine *engine = make_engine (PSM_AUTO);
  guint i;

  for (i = 0; i < FIXTURE_N_PAGES; i++) {
    g_autofree gchar *png = fixture_png (i, FALSE);
    g_autofree gchar *json = recognize (engine, png, GST_VIDEO_FORMAT_GRAY8, 0,
        GST_ORCH_OCR_OUTPUT_JSON);
    g_autofree gchar *text = recognize (engine, png, GST_VIDEO_FORMAT_GRAY8, 0,
        GST_ORCH_OCR_OUTPUT_TEXT);
    g_autoptr (GRegex) blank = g_regex_new ("\n\\s*\n", 0, 0, NULL);
    g_autofree gchar *expected =
        g_regex_replace_literal (blank, text, -1, 0, "\n", 0, NULL);
    g_autoptr (JsonParser) parser = json_parser_new ();
    g_autofree gchar *words = NULL;
    JsonObject *page;

    g_assert_true (json_parser_load_from_data (parser, json, -1, NULL));
    page = json_node_get_object (json_parser_get_root (parser));
    words = check_lines (page);
    g_assert_cmpstr (words, ==, g_strchug (expected));
    g_assert_cmpint (json_object_get_int_member (page, "dpi"), ==,
        FIXTURE_DPI);
    /* An empty page is an empty list, not an error. */
    g_assert_cmpint (*words != '\0', ==, i < 2);
  }
  gst_orch_ocr_engine_free (engine);
}

static gchar *
body_of (const gchar * hocr)
{
  const gchar *begin = strstr (hocr, "<div class='ocr_carea'");
  const gchar *end = strstr (hocr, "</body>");

  g_assert_nonnull (begin);
  g_assert_nonnull (end);
  return g_strndup (begin, end - begin);
}

static void
test_hocr (void)
{
  GstOrchOcrEngine *engine = make_engine (PSM_AUTO);
  g_autofree gchar *png = fixture_png (0, FALSE);
  g_autofree gchar *hocr = recognize (engine, png, GST_VIDEO_FORMAT_GRAY8, 0,
      GST_ORCH_OCR_OUTPUT_HOCR);
  g_autofree gchar *expected = fixture_tesseract (png, "3", "hocr");
  g_autofree gchar *body = body_of (hocr);
  g_autofree gchar *expected_body = body_of (expected);
  GMarkupParser ignore_all = { NULL, };
  GMarkupParseContext *context =
      g_markup_parse_context_new (&ignore_all, 0, NULL, NULL);

  g_assert_cmpstr (g_strchomp (body), ==, g_strchomp (expected_body));
  g_assert_true (g_markup_parse_context_parse (context,
          strstr (hocr, "<html"), -1, NULL));
  g_assert_true (g_markup_parse_context_end_parse (context, NULL));
  g_markup_parse_context_free (context);
  gst_orch_ocr_engine_free (engine);
}

static void
expect_error (const GstOrchOcrConfig * config, const gchar * pattern)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (gst_orch_ocr_engine_new (config, &error));
  g_assert_nonnull (error);
  if (!g_pattern_match_simple (pattern, error->message))
    g_error ("\"%s\" is not like \"%s\"", error->message, pattern);
}

static void
test_missing_data (void)
{
  GstOrchOcrConfig config = { (gchar *) "xx_yy", NULL, PSM_AUTO, OEM_DEFAULT };

  expect_error (&config, "*'xx_yy'*tesseract-ocr-xx-yy*eng*");
  /* One of several. */
  config.language = (gchar *) "eng+xx_yy";
  expect_error (&config, "*'xx_yy'*tesseract-ocr-xx-yy*");
  config.language = (gchar *) "eng";
  config.datapath = (gchar *) "/nonexistent";
  expect_error (&config, "*'eng'*/nonexistent*tesseract-ocr-eng*none*");
}

/* A datapath with eng only: orientation is asked for, its data is not there. */
static void
test_missing_orientation_data (void)
{
  GstOrchOcrEngine *engine = make_engine (PSM_AUTO);
  const gchar *installed =
      TessBaseAPIGetDatapath (gst_orch_ocr_engine_get_api (engine));
  g_autofree gchar *datapath = g_dir_make_tmp ("orch-tessdata-XXXXXX", NULL);
  g_autofree gchar *from = g_build_filename (installed, "eng.traineddata",
      NULL);
  g_autofree gchar *to = g_build_filename (datapath, "eng.traineddata", NULL);
  GstOrchOcrConfig config =
      { (gchar *) "eng", datapath, PSM_AUTO_OSD, OEM_DEFAULT };

  g_assert_cmpint (symlink (from, to), ==, 0);
  expect_error (&config, "*'osd'*tesseract-ocr-osd*");
  gst_orch_ocr_engine_free (engine);
  unlink (to);
  rmdir (datapath);
}

static gboolean
stop_at_once (gpointer user_data)
{
  (*(guint *) user_data)++;
  return TRUE;
}

static void
test_stop (void)
{
  GstOrchOcrEngine *engine = make_engine (PSM_AUTO);
  g_autofree gchar *png = fixture_png (0, FALSE);
  g_autofree gchar *text = NULL;
  g_autoptr (GstBuffer) buffer = NULL;
  GstVideoInfo info;
  GstVideoFrame frame;
  guint asked = 0;

  buffer = fixture_pixels (png, GST_VIDEO_FORMAT_GRAY8, 0, &info);
  g_assert_true (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  g_assert_cmpint (gst_orch_ocr_engine_recognize (engine, &frame, FIXTURE_DPI,
          stop_at_once, &asked), ==, GST_ORCH_OCR_STOPPED);
  g_assert_cmpuint (asked, ==, 1);
  gst_video_frame_unmap (&frame);

  /* It is as good as new afterwards. */
  text = recognize (engine, png, GST_VIDEO_FORMAT_GRAY8, 0,
      GST_ORCH_OCR_OUTPUT_TEXT);
  g_assert_nonnull (strstr (text, "quick brown fox"));
  gst_orch_ocr_engine_free (engine);
}

static gdouble
cpu_seconds (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
      + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* Tesseract's OpenMP threads spin: with them the CPU time of one engine is
 * about twice the wall time on two processors. */
static void
test_one_thread (void)
{
  GstOrchOcrEngine *engine;
  g_autofree gchar *png = fixture_png (0, FALSE);
  gdouble cpu = cpu_seconds ();
  gint64 wall = g_get_monotonic_time ();
  guint i;

  engine = make_engine (PSM_AUTO);
  for (i = 0; i < 4; i++)
    g_free (recognize (engine, png, GST_VIDEO_FORMAT_GRAY8, 0,
            GST_ORCH_OCR_OUTPUT_TEXT));
  cpu = cpu_seconds () - cpu;
  wall = g_get_monotonic_time () - wall;
  g_test_message ("CPU %.2f s, wall %.2f s", cpu, wall / 1e6);
  g_assert_cmpfloat (cpu, <=, 1.05 * wall / 1e6);
  gst_orch_ocr_engine_free (engine);
}

int
main (int argc, char **argv)
{
  static const TessPageSegMode modes[] = { PSM_AUTO, PSM_SINGLE_COLUMN,
    PSM_SINGLE_BLOCK, PSM_SPARSE_TEXT
  };
  guint i;
  gint result;

  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  if (!fixture_set_up ())
    return 77;
  for (i = 0; i < G_N_ELEMENTS (modes); i++) {
    g_autofree gchar *name =
        g_strdup_printf ("/ocr/engine/text-as-program/psm-%d", modes[i]);

    g_test_add_data_func (name, GINT_TO_POINTER (modes[i]),
        test_text_as_program);
  }
  g_test_add_func ("/ocr/engine/formats-and-strides",
      test_formats_and_strides);
  g_test_add_func ("/ocr/engine/json", test_json);
  g_test_add_func ("/ocr/engine/hocr", test_hocr);
  g_test_add_func ("/ocr/engine/missing-data", test_missing_data);
  g_test_add_func ("/ocr/engine/missing-orientation-data",
      test_missing_orientation_data);
  g_test_add_func ("/ocr/engine/stop", test_stop);
  g_test_add_func ("/ocr/engine/one-thread", test_one_thread);
  result = g_test_run ();
  fixture_tear_down ();
  return result;
}

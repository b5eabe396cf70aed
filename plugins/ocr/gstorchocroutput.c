/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchocroutput.h"

#include <json-glib/json-glib.h>

GType
gst_orch_ocr_output_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_ORCH_OCR_OUTPUT_TEXT, "Plain text", "text"},
    {GST_ORCH_OCR_OUTPUT_JSON, "JSON: lines and words with boxes and "
          "confidences", "json"},
    {GST_ORCH_OCR_OUTPUT_HOCR, "hOCR document", "hocr"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchOcrOutput", values));
  return type;
}

GstCaps *
gst_orch_ocr_output_get_caps (GstOrchOcrOutput output)
{
  switch (output) {
    case GST_ORCH_OCR_OUTPUT_JSON:
      return gst_caps_new_empty_simple ("application/json");
    case GST_ORCH_OCR_OUTPUT_HOCR:
      return gst_caps_new_empty_simple ("text/html");
    default:
      return gst_caps_new_simple ("text/x-raw", "format", G_TYPE_STRING,
          "utf8", NULL);
  }
}

static gchar *
take_text (char *text)
{
  gchar *copy = g_strdup (text ? text : "");

  TessDeleteText (text);
  return copy;
}

/* ---- JSON ---- */

static void
add_box (JsonBuilder * builder, TessResultIterator * results,
    TessPageIteratorLevel level)
{
  const TessPageIterator *page =
      TessResultIteratorGetPageIteratorConst (results);
  gint box[4] = { 0, };
  guint i;

  TessPageIteratorBoundingBox (page, level, &box[0], &box[1], &box[2],
      &box[3]);
  json_builder_set_member_name (builder, "box");
  json_builder_begin_array (builder);
  for (i = 0; i < G_N_ELEMENTS (box); i++)
    json_builder_add_int_value (builder, box[i]);
  json_builder_end_array (builder);
}

/* Confidences come as floats: what is written must not show binary noise. */
static void
add_confidence (JsonBuilder * builder, gdouble confidence)
{
  json_builder_set_member_name (builder, "confidence");
  json_builder_add_double_value (builder,
      (gint) (CLAMP (confidence, 0, 100) * 100 + 0.5) / 100.0);
}

static void
begin_element (JsonBuilder * builder, TessResultIterator * results,
    TessPageIteratorLevel level, gchar * text)
{
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "text");
  json_builder_add_string_value (builder, g_strstrip (text));
  add_box (builder, results, level);
  add_confidence (builder, TessResultIteratorConfidence (results, level));
}

static void
begin_line (JsonBuilder * builder, TessResultIterator * results)
{
  g_autofree gchar *text =
      take_text (TessResultIteratorGetUTF8Text (results, RIL_TEXTLINE));

  begin_element (builder, results, RIL_TEXTLINE, text);
  json_builder_set_member_name (builder, "words");
  json_builder_begin_array (builder);
}

static void
end_line (JsonBuilder * builder)
{
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
add_words (JsonBuilder * builder, TessResultIterator * results)
{
  const TessPageIterator *place =
      TessResultIteratorGetPageIteratorConst (results);
  gboolean in_line = FALSE;

  do {
    g_autofree gchar *text =
        take_text (TessResultIteratorGetUTF8Text (results, RIL_WORD));

    /* Pictures and rules are blocks with one blank word. */
    if (*g_strstrip (text) == '\0')
      continue;
    if (in_line && TessPageIteratorIsAtBeginningOf (place, RIL_TEXTLINE)) {
      end_line (builder);
      in_line = FALSE;
    }
    if (!in_line)
      begin_line (builder, results);
    in_line = TRUE;
    begin_element (builder, results, RIL_WORD, text);
    json_builder_end_object (builder);
  } while (TessResultIteratorNext (results, RIL_WORD));
  if (in_line)
    end_line (builder);
}

static void
add_lines (JsonBuilder * builder, TessBaseAPI * api)
{
  /* NULL when there is nothing on the page. */
  TessResultIterator *results = TessBaseAPIGetIterator (api);

  json_builder_set_member_name (builder, "lines");
  json_builder_begin_array (builder);
  if (results) {
    add_words (builder, results);
    TessResultIteratorDelete (results);
  }
  json_builder_end_array (builder);
}

static gchar *
make_json (TessBaseAPI * api, const GstOrchOcrImage * image)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "width");
  json_builder_add_int_value (builder, image->width);
  json_builder_set_member_name (builder, "height");
  json_builder_add_int_value (builder, image->height);
  json_builder_set_member_name (builder, "dpi");
  json_builder_add_int_value (builder, image->dpi);
  add_confidence (builder, TessBaseAPIMeanTextConf (api));
  add_lines (builder, api);
  json_builder_end_object (builder);

  root = json_builder_get_root (builder);
  json_generator_set_root (generator, root);
  return json_generator_to_data (generator, NULL);
}

/* ---- hOCR ---- */

static const gchar hocr_head[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\"\n"
    "    \"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\">\n"
    "<html xmlns=\"http://www.w3.org/1999/xhtml\" xml:lang=\"en\" lang=\"en\">\n"
    "<head>\n"
    "<title></title>\n"
    "<meta http-equiv=\"Content-Type\" content=\"text/html;charset=utf-8\"/>\n"
    "<meta name=\"ocr-system\" content=\"tesseract %s\"/>\n"
    "<meta name=\"ocr-capabilities\" content=\"ocr_page ocr_carea ocr_par"
    " ocr_line ocrx_word ocrp_wconf\"/>\n"
    "</head>\n<body>\n";
static const gchar hocr_tail[] = "</body>\n</html>\n";

/* Tesseract's own function gives the inside of <body> only. */
static gchar *
make_hocr (TessBaseAPI * api, const GstOrchOcrImage * image)
{
  g_autofree gchar *head = g_strdup_printf (hocr_head, TessVersion ());
  g_autofree gchar *body =
      take_text (TessBaseAPIGetHOCRText (api, image->page - 1));

  return g_strconcat (head, body, hocr_tail, NULL);
}

gchar *
gst_orch_ocr_output_make (GstOrchOcrOutput output, TessBaseAPI * api,
    const GstOrchOcrImage * image)
{
  switch (output) {
    case GST_ORCH_OCR_OUTPUT_JSON:
      return make_json (api, image);
    case GST_ORCH_OCR_OUTPUT_HOCR:
      return make_hocr (api, image);
    default:
      return take_text (TessBaseAPIGetUTF8Text (api));
  }
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "pdftext.h"

#include <math.h>
#include <string.h>

gchar *
pdf_text_extract (PopplerPage * poppler_page)
{
  g_autofree gchar *text = poppler_page_get_text (poppler_page);

  return g_utf8_make_valid (text ? text : "", -1);
}

gboolean
pdf_text_is_blank (const gchar * text)
{
  for (; *text; text = g_utf8_next_char (text)) {
    if (!g_unichar_isspace (g_utf8_get_char (text)))
      return FALSE;
  }
  return TRUE;
}

static gboolean
stands_for_nothing (gunichar c)
{
  switch (g_unichar_type (c)) {
    case G_UNICODE_CONTROL:
    case G_UNICODE_PRIVATE_USE:
    case G_UNICODE_UNASSIGNED:
    case G_UNICODE_SURROGATE:
      return TRUE;
    default:
      return c == 0xfffd;
  }
}

gdouble
pdf_text_get_unmapped_share (const gchar * text)
{
  gsize total = 0, unmapped = 0;

  for (; *text; text = g_utf8_next_char (text)) {
    gunichar c = g_utf8_get_char (text);

    if (g_unichar_isspace (c))
      continue;
    total++;
    if (stands_for_nothing (c))
      unmapped++;
  }
  return total ? (gdouble) unmapped / total : 0;
}

/* ---- JSON ---- */

typedef struct
{
  GString *json;
  const PopplerRectangle *boxes;        /* of the characters */
  guint n_boxes;
  gdouble unit;
} Writer;

static void
write_string (GString * json, const gchar * text, gsize size)
{
  gsize i;

  g_string_append_c (json, '"');
  for (i = 0; i < size; i++) {
    guchar c = text[i];

    if (c == '"' || c == '\\')
      g_string_append_printf (json, "\\%c", c);
    else if (c < 0x20 || c == 0x7f)
      g_string_append_printf (json, "\\u%04x", c);
    else
      g_string_append_c (json, c);
  }
  g_string_append_c (json, '"');
}

static void
write_number (GString * json, gdouble number)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (number) || fabs (number) > 1e12)
    number = 0;
  g_ascii_formatd (text, sizeof (text), "%.2f", number);
  g_string_append (json, text);
}

static void
write_box (Writer * writer, guint first, guint n)
{
  PopplerRectangle all = { 0, };
  gdouble corners[4];
  guint i;

  for (i = first; i < first + n && i < writer->n_boxes; i++) {
    const PopplerRectangle *box = &writer->boxes[i];

    all.x1 = i == first ? box->x1 : MIN (all.x1, box->x1);
    all.y1 = i == first ? box->y1 : MIN (all.y1, box->y1);
    all.x2 = i == first ? box->x2 : MAX (all.x2, box->x2);
    all.y2 = i == first ? box->y2 : MAX (all.y2, box->y2);
  }
  memcpy (corners, (gdouble[4]) { all.x1, all.y1, all.x2, all.y2 },
      sizeof (corners));
  g_string_append (writer->json, ",\"box\":[");
  for (i = 0; i < G_N_ELEMENTS (corners); i++) {
    if (i > 0)
      g_string_append_c (writer->json, ',');
    write_number (writer->json, corners[i] * writer->unit);
  }
  g_string_append_c (writer->json, ']');
}

/* @first: the index of the text's first character on the page */
static void
write_element (Writer * writer, const gchar * text, gsize size, guint first)
{
  g_string_append (writer->json, "{\"text\":");
  write_string (writer->json, text, size);
  write_box (writer, first, g_utf8_strlen (text, size));
}

static void
write_words (Writer * writer, const gchar * line, gsize size, guint first)
{
  const gchar *end = line + size;
  const gchar *at = line;
  gboolean any = FALSE;

  while (at < end) {
    const gchar *start = at;
    guint index = first;

    while (at < end && !g_unichar_isspace (g_utf8_get_char (at))) {
      at = g_utf8_next_char (at);
      first++;
    }
    if (at > start) {
      if (any)
        g_string_append_c (writer->json, ',');
      write_element (writer, start, at - start, index);
      g_string_append_c (writer->json, '}');
      any = TRUE;
    }
    if (at < end) {
      at = g_utf8_next_char (at);
      first++;
    }
  }
}

static void
write_lines (Writer * writer, const gchar * text)
{
  gboolean any = FALSE;
  guint first = 0;

  while (*text) {
    gsize size = strcspn (text, "\n");

    if (size > 0) {
      if (any)
        g_string_append_c (writer->json, ',');
      write_element (writer, text, size, first);
      g_string_append (writer->json, ",\"words\":[");
      write_words (writer, text, size, first);
      g_string_append (writer->json, "]}");
      any = TRUE;
    }
    first += g_utf8_strlen (text, size);
    text += size;
    if (*text == '\n') {
      text++;
      first++;
    }
  }
}

gchar *
pdf_text_to_json (PopplerPage * poppler_page, const PdfPage * page,
    const gchar * text)
{
  g_autofree PopplerRectangle *boxes = NULL;
  Writer writer = { g_string_new ("{\"width\":"), NULL, 0, page->user_unit };
  gdouble width, height;

  if (poppler_page_get_text_layout (poppler_page, &boxes, &writer.n_boxes))
    writer.boxes = boxes;
  else
    writer.n_boxes = 0;
  poppler_page_get_size (poppler_page, &width, &height);
  write_number (writer.json, width * writer.unit);
  g_string_append (writer.json, ",\"height\":");
  write_number (writer.json, height * writer.unit);
  /* As in the results of OCR: what a unit is. */
  g_string_append (writer.json, ",\"dpi\":72,\"lines\":[");
  write_lines (&writer, text);
  g_string_append (writer.json, "]}");
  return g_string_free (writer.json, FALSE);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "pdfmessages.h"

#include <gst/gst.h>

#include <string.h>

GST_DEBUG_CATEGORY_STATIC (orchpdf_debug);
#define GST_CAT_DEFAULT orchpdf_debug

static GPrivate current = G_PRIVATE_INIT (NULL);

/* "Missing language pack for 'Adobe-GB1' mapping" */
static gchar *
find_language (const gchar * text)
{
  const gchar *mark = strstr (text, "Missing language pack for");
  const gchar *open, *close;

  if (mark == NULL)
    return NULL;
  open = strchr (mark, '\'');
  close = open ? strchr (open + 1, '\'') : NULL;
  if (close == NULL)
    return g_strdup ("CJK");
  return g_strndup (open + 1, close - open - 1);
}

static gboolean
is_about_lost_font (const gchar * text)
{
  static const gchar *const marks[] = {
    "Couldn't find a font for", "could not create type1 face",
    "could not create truetype face", "could not create cid",
    "failed to load truetype font",
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (marks); i++) {
    if (strstr (text, marks[i]))
      return TRUE;
  }
  return FALSE;
}

/* One line, not too long.  Poppler spells line ends in hexadecimal. */
static gchar *
tidy (const gchar * text)
{
  gchar *tidied = g_utf8_make_valid (text, MIN (strlen (text), 200));

  g_strdelimit (tidied, "\n\r\t", ' ');
  if (g_str_has_suffix (tidied, "<0a>"))
    tidied[strlen (tidied) - 4] = '\0';
  return tidied;
}

static void
handle_message (const gchar * domain, GLogLevelFlags level, const gchar * text,
    gpointer user_data)
{
  PdfMessages *messages = g_private_get (&current);

  if (messages == NULL) {
    g_log_default_handler (domain, level, text, user_data);
    return;
  }

  GST_DEBUG ("Poppler: %s", text);
  if (messages->language == NULL)
    messages->language = find_language (text);
  /* Warnings are about things Poppler could make sense of. */
  if (g_str_has_prefix (text, "Syntax warning"))
    return;
  if (messages->n_errors++ == 0)
    messages->first = tidy (text);
  if (messages->font == NULL && is_about_lost_font (text))
    messages->font = tidy (text);
}

static void
install_handler (void)
{
  static gsize installed = 0;

  if (g_once_init_enter (&installed)) {
    GST_DEBUG_CATEGORY_INIT (orchpdf_debug, "orchpdf", 0, "PDF Functions");
    g_log_set_handler ("Poppler", G_LOG_LEVEL_MASK, handle_message, NULL);
    g_once_init_leave (&installed, 1);
  }
}

void
pdf_messages_begin (PdfMessages * messages)
{
  install_handler ();
  memset (messages, 0, sizeof (*messages));
  g_private_set (&current, messages);
}

void
pdf_messages_end (PdfMessages * messages)
{
  g_return_if_fail (g_private_get (&current) == messages);

  g_private_set (&current, NULL);
}

void
pdf_messages_clear (PdfMessages * messages)
{
  g_clear_pointer (&messages->first, g_free);
  g_clear_pointer (&messages->language, g_free);
  g_clear_pointer (&messages->font, g_free);
  messages->n_errors = 0;
}

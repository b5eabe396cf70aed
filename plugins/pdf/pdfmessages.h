/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * PdfMessages: what Poppler complained about in one thread while it worked on
 * one thing.
 *
 * Poppler returns success for a page it could not read and tells the reason
 * only to GLib's log; this listens there.  Nothing is printed.
 */
typedef struct
{
  guint n_errors;
  gchar *first;                 /* (nullable): the first error's text */
  gchar *language;              /* (nullable): a character collection without data */
  gchar *font;                  /* (nullable): why text is not drawn */
} PdfMessages;

/* Errors of this thread go into @messages until pdf_messages_end(). */
void pdf_messages_begin (PdfMessages * messages);
void pdf_messages_end (PdfMessages * messages);
void pdf_messages_clear (PdfMessages * messages);

G_END_DECLS

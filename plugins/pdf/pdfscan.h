/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * PdfScan: what a content stream shows, found without drawing it.
 */
typedef struct
{
  gboolean codes[256];          /* bytes in the strings that are shown */
  GHashTable *objects;          /* names ("/Im0") of what is drawn with Do */
} PdfScan;

void pdf_scan_init (PdfScan * scan);
void pdf_scan_clear (PdfScan * scan);
/* Adds what @data, decoded, shows.  Takes any bytes. */
void pdf_scan_content (PdfScan * scan, const guint8 * data, gsize size);
/* Whether strings are shown that can hardly be spaces only. */
gboolean pdf_scan_shows_text (const PdfScan * scan);

G_END_DECLS

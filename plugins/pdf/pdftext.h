/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "pdfpage.h"

#include <poppler.h>

G_BEGIN_DECLS

/* (transfer full): the text layer of a page in reading order, valid UTF-8. */
gchar *pdf_text_extract (PopplerPage * poppler_page);

gboolean pdf_text_is_blank (const gchar * text);

/* The share, 0 to 1, of characters that stand for nothing: those that a font
 * does not map (replacement characters, private use) and control characters;
 * of all that are not space. */
gdouble pdf_text_get_unmapped_share (const gchar * text);

/* (transfer full): @text, which is the page's, as JSON: lines and words, with
 * boxes in points from the top left corner. */
gchar *pdf_text_to_json (PopplerPage * poppler_page, const PdfPage * page,
    const gchar * text);

G_END_DECLS

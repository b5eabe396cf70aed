/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "pdfcheck.h"
#include "pdfcontent.h"

/* What Poppler's messages alone prove. */
static gboolean
check_messages (const PdfMessages * messages, PdfResult result, GError ** error)
{
  if (messages->language) {
    g_set_error (error, PDF_ERROR, PDF_ERROR_MISSING_LANGUAGE_DATA,
        "The page has %s text that cannot be read without the package "
        "poppler-data: install it.", messages->language);
    return FALSE;
  }
  if (messages->font && result == PDF_RESULT_DRAWING) {
    g_set_error (error, PDF_ERROR, PDF_ERROR_MISSING_FONT,
        "Text of the page is not drawn, for want of a font: Poppler says "
        "\"%s\".", messages->font);
    return FALSE;
  }
  return TRUE;
}

gboolean
pdf_check_page (PdfDocument * document, const PdfPage * page,
    const PdfMessages * messages, PdfResult result, gboolean is_empty,
    GError ** error)
{
  gboolean shows_text;

  if (!check_messages (messages, result, error))
    return FALSE;
  if (!is_empty && messages->n_errors == 0)
    return TRUE;
  if (!pdf_content_check (document, page, result == PDF_RESULT_DRAWING,
          &shows_text, error))
    return FALSE;
  if (!is_empty)
    return TRUE;

  if (result == PDF_RESULT_TEXT && shows_text) {
    g_set_error_literal (error, PDF_ERROR, PDF_ERROR_UNMAPPED_TEXT,
        "The page shows text, but its fonts do not tell which characters it "
        "is made of: use OCR.");
    return FALSE;
  }
  if (result == PDF_RESULT_DRAWING && messages->n_errors > 0) {
    g_set_error (error, PDF_ERROR, PDF_ERROR_EMPTY_RESULT,
        "The page came out blank, and Poppler says \"%s\".", messages->first);
    return FALSE;
  }
  return TRUE;
}

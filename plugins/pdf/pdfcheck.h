/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "pdfdocument.h"
#include "pdfmessages.h"
#include "pdfpage.h"

G_BEGIN_DECLS

/**
 * PdfCheck:
 * @PDF_CHECK_OFF: believe Poppler
 * @PDF_CHECK_WARN: present what there is, with a warning
 * @PDF_CHECK_FAIL: fail what is damaged
 *
 * What becomes of a document or page whose damage Poppler passes over.
 */
typedef enum
{
  PDF_CHECK_OFF,
  PDF_CHECK_WARN,
  PDF_CHECK_FAIL,
} PdfCheck;

typedef enum
{
  PDF_RESULT_DRAWING,
  PDF_RESULT_TEXT,
} PdfResult;

/* Whether a page is what its result shows.  Costs nothing when the result is
 * not empty and Poppler had nothing to say.
 * Returns FALSE with @error set when it is damaged. */
gboolean pdf_check_page (PdfDocument * document, const PdfPage * page,
    const PdfMessages * messages, PdfResult result, gboolean is_empty,
    GError ** error);

G_END_DECLS

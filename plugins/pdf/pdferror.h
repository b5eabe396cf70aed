/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * PdfError: what may be wrong with a document or a page.  Each has a short
 * stable word, the code of the cause that users see.
 */
typedef enum
{
  PDF_ERROR_EMPTY_FILE,
  PDF_ERROR_NOT_A_PDF,
  PDF_ERROR_ENCRYPTED,
  PDF_ERROR_WRONG_PASSWORD,
  PDF_ERROR_DAMAGED,
  PDF_ERROR_NO_PAGES,
  PDF_ERROR_TOO_MANY_PAGES,
  PDF_ERROR_PAGE_COUNT,
  PDF_ERROR_MISSING_PAGE,
  PDF_ERROR_PAGE_LOOP,
  PDF_ERROR_DAMAGED_PAGE,
  PDF_ERROR_MISSING_CONTENT,
  PDF_ERROR_DAMAGED_CONTENT,
  PDF_ERROR_EMPTY_RESULT,
  PDF_ERROR_UNMAPPED_TEXT,
  PDF_ERROR_MISSING_LANGUAGE_DATA,
  PDF_ERROR_MISSING_FONT,
  PDF_ERROR_IMAGE_TOO_LARGE,
  PDF_ERROR_PAGE_SIZE,
  PDF_ERROR_NOT_A_PAGE,
  PDF_ERROR_IO,
  PDF_ERROR_NO_MEMORY,
} PdfError;

#define PDF_ERROR (pdf_error_quark ())

GQuark pdf_error_quark (void);
const gchar *pdf_error_get_code (const GError * error);

G_END_DECLS

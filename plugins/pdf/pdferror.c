/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "pdferror.h"

G_DEFINE_QUARK (pdf, pdf_error)

static const gchar *const codes[] = {
  [PDF_ERROR_EMPTY_FILE] = "empty-file",
  [PDF_ERROR_NOT_A_PDF] = "not-a-pdf",
  [PDF_ERROR_ENCRYPTED] = "encrypted",
  [PDF_ERROR_WRONG_PASSWORD] = "wrong-password",
  [PDF_ERROR_DAMAGED] = "damaged",
  [PDF_ERROR_NO_PAGES] = "no-pages",
  [PDF_ERROR_TOO_MANY_PAGES] = "too-many-pages",
  [PDF_ERROR_PAGE_COUNT] = "page-count",
  [PDF_ERROR_MISSING_PAGE] = "missing-page",
  [PDF_ERROR_PAGE_LOOP] = "page-loop",
  [PDF_ERROR_DAMAGED_PAGE] = "damaged-page",
  [PDF_ERROR_MISSING_CONTENT] = "missing-content",
  [PDF_ERROR_DAMAGED_CONTENT] = "damaged-content",
  [PDF_ERROR_EMPTY_RESULT] = "empty-result",
  [PDF_ERROR_UNMAPPED_TEXT] = "unmapped-text",
  [PDF_ERROR_MISSING_LANGUAGE_DATA] = "missing-language-data",
  [PDF_ERROR_MISSING_FONT] = "missing-font",
  [PDF_ERROR_IMAGE_TOO_LARGE] = "image-too-large",
  [PDF_ERROR_PAGE_SIZE] = "page-size",
  [PDF_ERROR_NOT_A_PAGE] = "not-a-page",
  [PDF_ERROR_IO] = "io",
  [PDF_ERROR_NO_MEMORY] = "no-memory",
};

/* Errors of other domains reach here only from reading the file. */
const gchar *
pdf_error_get_code (const GError * error)
{
  g_return_val_if_fail (error != NULL, NULL);

  if (error->domain != PDF_ERROR || (guint) error->code >= G_N_ELEMENTS (codes))
    return codes[PDF_ERROR_IO];
  return codes[error->code];
}

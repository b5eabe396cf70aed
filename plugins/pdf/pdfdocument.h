/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "pdfsource.h"

#include <poppler.h>
#include <qpdf/qpdf-c.h>

G_BEGIN_DECLS

/**
 * PdfDocument: one document, opened by Poppler to draw it and by qpdf to see
 * what its objects are.  Each is opened when it is first needed.
 *
 * Belongs to one thread at a time.  Several documents may be worked on in
 * several threads, and so may one source opened several times.
 */
typedef struct _PdfDocument PdfDocument;

PdfDocument *pdf_document_new (PdfSource * source, const gchar * password);
void pdf_document_free (PdfDocument * document);

PdfSource *pdf_document_get_source (PdfDocument * document);
/* (transfer none) (nullable): NULL with @error set */
PopplerDocument *pdf_document_get_poppler (PdfDocument * document,
    GError ** error);
/* (transfer none): NULL with @error set.  qpdf keeps every object it has seen:
 * call it again now and then and do not keep handles across calls, so that a
 * document of many objects does not fill the memory. */
qpdf_data pdf_document_get_qpdf (PdfDocument * document, GError ** error);
/* Lets go of what qpdf holds. */
void pdf_document_close_qpdf (PdfDocument * document);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdfDocument, pdf_document_free)
G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "pdfdocument.h"

#include <gst/orch/orch.h>

G_BEGIN_DECLS

/**
 * PdfCache: the documents that one replica has open.
 */
typedef GstOrchCache PdfCache;

/* (transfer full) */
PdfCache *pdf_cache_new (void);

/* (transfer none) (nullable): the document in @buffer, opened by Poppler; NULL
 * with @error set.  Good until the next call.
 * @max_open: how many may stay open, at least 1 */
PdfDocument *pdf_cache_get (PdfCache * cache, GstBuffer * buffer,
    const gchar * password, guint max_open, GError ** error);

/* (transfer full) (nullable): the bytes of a document buffer; NULL with @error
 * set.  Holds the buffer's memory, not the buffer. */
PdfSource *pdf_source_from_buffer (GstBuffer * buffer, GError ** error);
/* (transfer full): a buffer of them */
GstBuffer *pdf_source_to_buffer (PdfSource * source, GError ** error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "pdferror.h"

G_BEGIN_DECLS

/**
 * PdfSource: where the bytes of a document are, a file or memory.  Immutable
 * and refcounted; may be used from any thread.
 *
 * A file is only ever read with pread(), never mapped: one that is truncated
 * while it is open would raise SIGBUS.
 */
typedef struct _PdfSource PdfSource;

/* @owner: (transfer full): what keeps @fd open, until @free_owner */
PdfSource *pdf_source_new_for_fd (gint fd, guint64 size, gpointer owner,
    GDestroyNotify free_owner);
/* @fd: becomes the source's */
PdfSource *pdf_source_new_take_fd (gint fd, guint64 size);
PdfSource *pdf_source_new_for_bytes (GBytes * bytes);
PdfSource *pdf_source_ref (PdfSource * source);
void pdf_source_unref (PdfSource * source);

guint64 pdf_source_get_size (PdfSource * source);
/* -1: memory */
gint pdf_source_get_fd (PdfSource * source);
/* (transfer none) (nullable): NULL for a file */
GBytes *pdf_source_get_bytes (PdfSource * source);
/* bytes read, fewer at the end of the file; -1 with @error set */
gssize pdf_source_read (PdfSource * source, guint64 offset, gpointer data,
    gsize size, GError ** error);

/* (transfer full) (nullable): @source without what is before its PDF header
 * and behind its last %%EOF, or @source itself when the libraries cope with
 * what there is; NULL with @error set when it is no PDF. */
PdfSource *pdf_source_trim (PdfSource * source, GError ** error);

/* An unlinked temporary file, -1 with @error set. */
gint pdf_source_open_temporary (GError ** error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdfSource, pdf_source_unref)
G_END_DECLS

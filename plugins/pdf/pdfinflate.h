/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  PDF_INFLATE_DONE,
  PDF_INFLATE_ENOUGH,           /* sound up to the limit, where it was left */
  PDF_INFLATE_BROKEN,
} PdfInflate;

/* Unpacks a FlateDecode stream into at most @max bytes of @out. */
PdfInflate pdf_inflate (const guint8 * data, gsize size, gsize max,
    GByteArray * out);

G_END_DECLS

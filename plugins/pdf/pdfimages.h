/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib.h>
#include <qpdf/qpdf-c.h>

G_BEGIN_DECLS

/**
 * PdfImages: whether Poppler can draw the images of a page.
 * @PDF_IMAGES_NORMAL: yes
 * @PDF_IMAGES_LARGE: only scaled down while they are read: as a whole they
 *   would need hundreds of megabytes, or are beyond what cairo draws
 * @PDF_IMAGES_TOO_LARGE: not in any bounded memory
 */
typedef enum
{
  PDF_IMAGES_NORMAL,
  PDF_IMAGES_LARGE,
  PDF_IMAGES_TOO_LARGE,
} PdfImages;

/* The largest of the images that a /Resources dictionary reaches: in forms and
 * patterns too.  @seen: what is known of objects, by their number; shared by
 * all pages of a document. */
PdfImages pdf_images_find (qpdf_data qpdf, qpdf_oh resources,
    GHashTable * seen);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "pdfpage.h"

#include <math.h>

GstStructure *
pdf_page_to_locator (const PdfPage * page)
{
  GstStructure *locator = gst_structure_new ("page",
      "page", G_TYPE_INT, page->index, NULL);

  if (page->object != 0)
    gst_structure_set (locator, "object", G_TYPE_INT, page->object,
        "generation", G_TYPE_INT, page->generation, NULL);
  if (page->user_unit != 1)
    gst_structure_set (locator, "user-unit", G_TYPE_DOUBLE, page->user_unit,
        NULL);
  if (page->images != PDF_IMAGES_NORMAL)
    gst_structure_set (locator, "images", G_TYPE_INT, (gint) page->images,
        NULL);
  return locator;
}

gboolean
pdf_page_from_locator (PdfPage * page, const GstStructure * locator)
{
  gint images = PDF_IMAGES_NORMAL;

  if (!gst_structure_get_int (locator, "page", &page->index)
      || page->index < 0)
    return FALSE;

  page->object = page->generation = 0;
  gst_structure_get_int (locator, "object", &page->object);
  gst_structure_get_int (locator, "generation", &page->generation);
  page->user_unit = 1;
  gst_structure_get_double (locator, "user-unit", &page->user_unit);
  if (!isfinite (page->user_unit) || page->user_unit <= 0)
    page->user_unit = 1;
  gst_structure_get_int (locator, "images", &images);
  page->images = CLAMP (images, PDF_IMAGES_NORMAL, PDF_IMAGES_TOO_LARGE);
  return TRUE;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "pdfimages.h"

#include <gst/gst.h>

G_BEGIN_DECLS

/**
 * PdfPage: which page, and what Poppler does not tell of it: what a page
 * reference's locator holds.
 */
typedef struct
{
  gint index;                   /* 0-based */
  gint object, generation;      /* 0: not known */
  gdouble user_unit;            /* in 1/72 inch */
  PdfImages images;
} PdfPage;

GstStructure *pdf_page_to_locator (const PdfPage * page);
/* FALSE when @locator names no page. */
gboolean pdf_page_from_locator (PdfPage * page, const GstStructure * locator);

G_END_DECLS

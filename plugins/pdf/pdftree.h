/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "pdfdocument.h"
#include "pdfimages.h"

G_BEGIN_DECLS

/**
 * PdfTreePage: one kid of a document's page tree that is, or should be, a page.
 */
typedef struct
{
  gint object;                  /* 0: no object of its own */
  gint generation;
  gint rotation;                /* 0, 90, 180 or 270 degrees */
  gdouble user_unit;
  PdfImages images;
  gint fault;                   /* 0, or 1 + the PdfError that it is */
} PdfTreePage;

/**
 * PdfTree: the pages of a document as its objects tell them, in order.
 */
typedef struct
{
  GArray *pages;                /* of PdfTreePage */
  gint64 declared;              /* the root's /Count; -1 when there is none */
  gboolean irregular;           /* something Poppler would trip over */
} PdfTree;

typedef enum
{
  PDF_KID_PAGE,
  PDF_KID_NODE,
  PDF_KID_MISSING,
  PDF_KID_LOOP,
  PDF_KID_DAMAGED,
} PdfKid;

/* What a kid is.  @nodes: the object numbers of the nodes met so far; a node is
 * added to it. */
PdfKid pdf_tree_classify_kid (qpdf_data qpdf, qpdf_oh kid, GHashTable * nodes);
/* The root of the tree; 0 with @error set. */
qpdf_oh pdf_tree_get_root (qpdf_data qpdf, GError ** error);

/* (transfer full) (nullable): NULL with @error set.
 * @max_pages: 0 for any number */
PdfTree *pdf_tree_read (PdfDocument * document, guint max_pages,
    GError ** error);
void pdf_tree_free (PdfTree * tree);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdfTree, pdf_tree_free)
G_END_DECLS

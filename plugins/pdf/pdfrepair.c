/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "pdfrepair.h"
#include "pdftree.h"

#include <unistd.h>

/* The same limit as when the tree is read. */
#define MAX_DEPTH 256

typedef struct
{
  qpdf_data qpdf;
  GHashTable *nodes;
} Repair;

static void
replace_kid (Repair * repair, qpdf_oh kids, gint index, qpdf_oh kid)
{
  qpdf_oh object = qpdf_make_indirect_object (repair->qpdf, kid);

  qpdf_oh_set_array_item (repair->qpdf, kids, index, object);
  qpdf_oh_release (repair->qpdf, object);
}

static void
replace_with_blank (Repair * repair, qpdf_oh kids, gint index)
{
  qpdf_oh blank = qpdf_oh_parse (repair->qpdf,
      "<< /Type /Page /MediaBox [0 0 612 792] /Resources << >> >>");

  replace_kid (repair, kids, index, blank);
  qpdf_oh_release (repair->qpdf, blank);
}

static guint repair_node (Repair * repair, qpdf_oh node, guint depth);

static guint
repair_kid (Repair * repair, qpdf_oh kids, gint index, guint depth)
{
  qpdf_oh kid = qpdf_oh_get_array_item (repair->qpdf, kids, index);
  guint n = 1;

  switch (pdf_tree_classify_kid (repair->qpdf, kid, repair->nodes)) {
    case PDF_KID_PAGE:
      if (!qpdf_oh_is_indirect (repair->qpdf, kid))
        replace_kid (repair, kids, index, kid);
      break;
    case PDF_KID_NODE:
      if (depth < MAX_DEPTH)
        n = repair_node (repair, kid, depth + 1);
      else
        replace_with_blank (repair, kids, index);
      break;
    case PDF_KID_MISSING:
    case PDF_KID_LOOP:
    case PDF_KID_DAMAGED:
      replace_with_blank (repair, kids, index);
      break;
  }
  qpdf_oh_release (repair->qpdf, kid);
  return n;
}

/* Returns the number of pages below. */
static guint
repair_node (Repair * repair, qpdf_oh node, guint depth)
{
  qpdf_oh kids = qpdf_oh_get_key (repair->qpdf, node, "/Kids");
  gint n_kids = qpdf_oh_get_array_n_items (repair->qpdf, kids);
  qpdf_oh count;
  guint n = 0;
  gint i;

  for (i = 0; i < n_kids; i++)
    n += repair_kid (repair, kids, i, depth);
  count = qpdf_oh_new_integer (repair->qpdf, n);
  qpdf_oh_replace_key (repair->qpdf, node, "/Count", count);
  qpdf_oh_release (repair->qpdf, count);
  qpdf_oh_release (repair->qpdf, kids);
  return n;
}

static gboolean
repair_tree (qpdf_data qpdf, GError ** error)
{
  Repair repair = { qpdf, };
  qpdf_oh root = pdf_tree_get_root (qpdf, error);

  if (!root)
    return FALSE;
  repair.nodes = g_hash_table_new (NULL, NULL);
  if (pdf_tree_classify_kid (qpdf, root, repair.nodes) == PDF_KID_NODE)
    repair_node (&repair, root, 1);
  g_hash_table_unref (repair.nodes);
  qpdf_oh_release_all (qpdf);
  return TRUE;
}

static void
set_write_error (qpdf_data qpdf, GError ** error)
{
  qpdf_error reason = qpdf_get_error (qpdf);

  g_set_error (error, PDF_ERROR, PDF_ERROR_DAMAGED,
      "The document is damaged and cannot be repaired: %s.",
      reason ? qpdf_get_error_message_detail (qpdf, reason) : "unknown reason");
}

static gboolean
write_document (qpdf_data qpdf, GError ** error)
{
  qpdf_set_preserve_encryption (qpdf, QPDF_FALSE);
  /* Bytes are copied, not understood: damage within streams stays where it is,
   * and nothing is unpacked. */
  qpdf_set_stream_data_mode (qpdf, qpdf_s_preserve);
  if (qpdf_write (qpdf) & QPDF_ERRORS) {
    set_write_error (qpdf, error);
    return FALSE;
  }
  return TRUE;
}

static PdfSource *
write_to_memory (qpdf_data qpdf, GError ** error)
{
  g_autoptr (GBytes) bytes = NULL;

  if (qpdf_init_write_memory (qpdf) & QPDF_ERRORS) {
    set_write_error (qpdf, error);
    return NULL;
  }
  if (!write_document (qpdf, error))
    return NULL;
  bytes = g_bytes_new (qpdf_get_buffer (qpdf), qpdf_get_buffer_length (qpdf));
  return pdf_source_new_for_bytes (bytes);
}

static PdfSource *
write_to_file (qpdf_data qpdf, GError ** error)
{
  gint fd = pdf_source_open_temporary (error);
  gchar name[32];
  gint64 size;

  if (fd < 0)
    return NULL;
  g_snprintf (name, sizeof (name), "/proc/self/fd/%d", fd);
  if (qpdf_init_write (qpdf, name) & QPDF_ERRORS) {
    set_write_error (qpdf, error);
    close (fd);
    return NULL;
  }
  if (!write_document (qpdf, error)) {
    close (fd);
    return NULL;
  }
  size = lseek (fd, 0, SEEK_END);
  return pdf_source_new_take_fd (fd, size);
}

PdfSource *
pdf_repair (PdfDocument * document, GError ** error)
{
  qpdf_data qpdf;
  PdfSource *result = NULL;

  pdf_document_close_qpdf (document);
  qpdf = pdf_document_get_qpdf (document, error);
  if (!qpdf)
    return NULL;
  if (repair_tree (qpdf, error)) {
    if (pdf_source_get_bytes (pdf_document_get_source (document)))
      result = write_to_memory (qpdf, error);
    else
      result = write_to_file (qpdf, error);
  }
  /* What qpdf holds is no longer what the file says. */
  pdf_document_close_qpdf (document);
  return result;
}

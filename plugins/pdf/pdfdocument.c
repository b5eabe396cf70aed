/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "pdfdocument.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* After so many uses qpdf starts afresh. */
#define QPDF_USES 256

struct _PdfDocument
{
  PdfSource *source;
  gchar *password;
  PopplerDocument *poppler;
  qpdf_data qpdf;
  GBytes *qpdf_bytes;           /* (nullable): the file, where it cannot be named */
  guint qpdf_uses;
};

PdfDocument *
pdf_document_new (PdfSource * source, const gchar * password)
{
  PdfDocument *document = g_new0 (PdfDocument, 1);

  document->source = pdf_source_ref (source);
  document->password = g_strdup (password);
  return document;
}

/* qpdf prints errors that nobody has asked for. */
static void
cleanup_qpdf (qpdf_data qpdf)
{
  if (qpdf_has_error (qpdf))
    qpdf_get_error (qpdf);
  qpdf_cleanup (&qpdf);
}

void
pdf_document_close_qpdf (PdfDocument * document)
{
  g_clear_pointer (&document->qpdf, cleanup_qpdf);
  g_clear_pointer (&document->qpdf_bytes, g_bytes_unref);
  document->qpdf_uses = 0;
}

void
pdf_document_free (PdfDocument * document)
{
  g_clear_object (&document->poppler);
  pdf_document_close_qpdf (document);
  pdf_source_unref (document->source);
  g_free (document->password);
  g_free (document);
}

PdfSource *
pdf_document_get_source (PdfDocument * document)
{
  return document->source;
}

static void
set_password_error (PdfDocument * document, GError ** error)
{
  if (document->password && *document->password) {
    g_set_error_literal (error, PDF_ERROR, PDF_ERROR_WRONG_PASSWORD,
        "The document is encrypted and the password does not open it.");
  } else {
    g_set_error_literal (error, PDF_ERROR, PDF_ERROR_ENCRYPTED,
        "The document is encrypted and needs a password: set the property "
        "password.");
  }
}

/* ---- Poppler ---- */

static PopplerDocument *
open_poppler (PdfDocument * document, GError ** error)
{
  GBytes *bytes = pdf_source_get_bytes (document->source);
  gint fd;

  if (bytes)
    return poppler_document_new_from_bytes (bytes, document->password, error);

  /* Poppler closes what it is given. */
  fd = fcntl (pdf_source_get_fd (document->source), F_DUPFD_CLOEXEC, 3);
  if (fd < 0) {
    g_set_error (error, PDF_ERROR, PDF_ERROR_IO,
        "The file cannot be opened again: %s.", g_strerror (errno));
    return NULL;
  }
  return poppler_document_new_from_fd (fd, document->password, error);
}

PopplerDocument *
pdf_document_get_poppler (PdfDocument * document, GError ** error)
{
  g_autoptr (GError) reason = NULL;

  if (document->poppler)
    return document->poppler;

  document->poppler = open_poppler (document, &reason);
  if (document->poppler)
    return document->poppler;

  if (g_error_matches (reason, POPPLER_ERROR, POPPLER_ERROR_ENCRYPTED)) {
    set_password_error (document, error);
  } else if (reason->domain == POPPLER_ERROR) {
    g_set_error (error, PDF_ERROR, PDF_ERROR_DAMAGED,
        "The document is damaged: Poppler says \"%s\".", reason->message);
  } else {
    g_propagate_error (error, g_steal_pointer (&reason));
  }
  return NULL;
}

/* ---- qpdf ---- */

/* What libraries throw of a number that no variable holds, qpdf takes for an error of
 * the system: without a file, as it has none of its own about that. */
static gboolean
is_about_number (qpdf_data qpdf, qpdf_error reason)
{
  const gchar *name = qpdf_get_error_filename (qpdf, reason);
  const gchar *detail = qpdf_get_error_message_detail (qpdf, reason);

  return (!name || !*name) && !g_str_has_prefix (detail, "open ");
}

static void
set_qpdf_error (PdfDocument * document, qpdf_data qpdf, GError ** error)
{
  qpdf_error reason = qpdf_get_error (qpdf);
  const gchar *detail = qpdf_get_error_message_detail (qpdf, reason);
  QPDF_ERROR_CODE code = qpdf_get_error_code (qpdf, reason);

  if (code == qpdf_e_system && is_about_number (qpdf, reason))
    code = qpdf_e_damaged_pdf;
  switch (code) {
    case qpdf_e_password:
      set_password_error (document, error);
      break;
    case qpdf_e_unsupported:
      g_set_error (error, PDF_ERROR, PDF_ERROR_ENCRYPTED,
          "The document is encrypted in a way that is not supported (%s).",
          detail);
      break;
    case qpdf_e_system:
      g_set_error (error, PDF_ERROR, PDF_ERROR_IO,
          "The file cannot be read: %s.", detail);
      break;
    default:
      g_set_error (error, PDF_ERROR, PDF_ERROR_DAMAGED,
          "The document is damaged: %s.", detail);
      break;
  }
}

static QPDF_ERROR_CODE
read_bytes (PdfDocument * document, qpdf_data qpdf, GBytes * bytes)
{
  gsize size;
  const gchar *data = g_bytes_get_data (bytes, &size);

  return qpdf_read_memory (qpdf, "document", data, size, document->password);
}

static GBytes *
read_whole (PdfSource * source)
{
  gsize size = pdf_source_get_size (source);
  guint8 *data = g_try_malloc (size);
  gssize n = data ? pdf_source_read (source, 0, data, size, NULL) : -1;

  if (n >= 0)
    return g_bytes_new_take (data, n);
  g_free (data);
  return NULL;
}

static gboolean
can_open (const gchar * name)
{
  gint fd = open (name, O_RDONLY | O_CLOEXEC);

  if (fd >= 0)
    close (fd);
  return fd >= 0;
}

static QPDF_ERROR_CODE
read_qpdf (PdfDocument * document, qpdf_data qpdf)
{
  GBytes *bytes = pdf_source_get_bytes (document->source);
  gchar name[32];

  if (bytes)
    return read_bytes (document, qpdf, bytes);
  /* qpdf knows only names; this one is the open file, whatever became of its
   * own name. */
  g_snprintf (name, sizeof (name), "/proc/self/fd/%d",
      pdf_source_get_fd (document->source));
  /* A confined process opens no files, not even those it has. */
  if (!can_open (name))
    document->qpdf_bytes = read_whole (document->source);
  if (document->qpdf_bytes)
    return read_bytes (document, qpdf, document->qpdf_bytes);
  return qpdf_read (qpdf, name, document->password);
}

qpdf_data
pdf_document_get_qpdf (PdfDocument * document, GError ** error)
{
  qpdf_data qpdf;

  if (document->qpdf_uses >= QPDF_USES)
    pdf_document_close_qpdf (document);
  document->qpdf_uses++;
  if (document->qpdf)
    return document->qpdf;

  qpdf = qpdf_init ();
  qpdf_silence_errors (qpdf);
  qpdf_set_suppress_warnings (qpdf, QPDF_TRUE);
  if (read_qpdf (document, qpdf) & QPDF_ERRORS) {
    set_qpdf_error (document, qpdf, error);
    cleanup_qpdf (qpdf);
    g_clear_pointer (&document->qpdf_bytes, g_bytes_unref);
    return NULL;
  }
  document->qpdf = qpdf;
  return qpdf;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "pdfsource.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* How far Poppler and qpdf look for the header and for startxref. */
#define HEAD_WINDOW 1024
#define TAIL_WINDOW 1024
/* How far we do. */
#define HEAD_SEARCH (64 * 1024)
#define TAIL_SEARCH (16 * 1024 * 1024)
#define BLOCK (64 * 1024)

static const gchar header[] = "%PDF-";
static const gchar trailer[] = "%%EOF";
static const gchar object[] = " 0 obj";

struct _PdfSource
{
  gatomicrefcount refs;
  gint fd;
  gpointer owner;
  GDestroyNotify free_owner;
  GBytes *bytes;
  guint64 size;
};

PdfSource *
pdf_source_new_for_fd (gint fd, guint64 size, gpointer owner,
    GDestroyNotify free_owner)
{
  PdfSource *source = g_new0 (PdfSource, 1);

  g_atomic_ref_count_init (&source->refs);
  source->fd = fd;
  source->size = size;
  source->owner = owner;
  source->free_owner = free_owner;
  return source;
}

static void
close_fd (gpointer owner)
{
  close (GPOINTER_TO_INT (owner));
}

PdfSource *
pdf_source_new_take_fd (gint fd, guint64 size)
{
  return pdf_source_new_for_fd (fd, size, GINT_TO_POINTER (fd), close_fd);
}

PdfSource *
pdf_source_new_for_bytes (GBytes * bytes)
{
  PdfSource *source = pdf_source_new_for_fd (-1, g_bytes_get_size (bytes),
      NULL, NULL);

  source->bytes = g_bytes_ref (bytes);
  return source;
}

PdfSource *
pdf_source_ref (PdfSource * source)
{
  g_atomic_ref_count_inc (&source->refs);
  return source;
}

void
pdf_source_unref (PdfSource * source)
{
  if (!g_atomic_ref_count_dec (&source->refs))
    return;
  if (source->free_owner)
    source->free_owner (source->owner);
  if (source->bytes)
    g_bytes_unref (source->bytes);
  g_free (source);
}

guint64
pdf_source_get_size (PdfSource * source)
{
  return source->size;
}

gint
pdf_source_get_fd (PdfSource * source)
{
  return source->fd;
}

GBytes *
pdf_source_get_bytes (PdfSource * source)
{
  return source->bytes;
}

static gssize
read_memory (PdfSource * source, guint64 offset, gpointer data, gsize size)
{
  const guint8 *bytes = g_bytes_get_data (source->bytes, NULL);

  if (offset >= source->size)
    return 0;
  size = MIN (size, source->size - offset);
  memcpy (data, bytes + offset, size);
  return size;
}

gssize
pdf_source_read (PdfSource * source, guint64 offset, gpointer data, gsize size,
    GError ** error)
{
  gsize done = 0;

  if (source->bytes)
    return read_memory (source, offset, data, size);

  while (done < size) {
    gssize n = pread (source->fd, (guint8 *) data + done, size - done,
        offset + done);

    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      g_set_error (error, PDF_ERROR, PDF_ERROR_IO,
          "The file cannot be read: %s.", g_strerror (errno));
      return -1;
    }
    if (n == 0)
      break;
    done += n;
  }
  return done;
}

/* ---- trimming ---- */

static gboolean
find_start (PdfSource * source, guint64 * start, GError ** error)
{
  g_autofree gchar *data = g_malloc (HEAD_SEARCH);
  gssize n = pdf_source_read (source, 0, data, HEAD_SEARCH, error);
  const gchar *found;

  if (n < 0)
    return FALSE;
  if (n == 0) {
    g_set_error_literal (error, PDF_ERROR, PDF_ERROR_EMPTY_FILE,
        "The file is empty (0 bytes).");
    return FALSE;
  }
  found = memmem (data, n, header, strlen (header));
  if (!found) {
    g_set_error_literal (error, PDF_ERROR, PDF_ERROR_NOT_A_PDF,
        "The file is not a PDF: it has no %PDF- header.");
    return FALSE;
  }
  *start = found - data;
  if (*start + strlen (header) <= HEAD_WINDOW)
    *start = 0;
  return TRUE;
}

static const gchar *
find_last (const gchar * data, gsize size, const gchar * what)
{
  gsize length = strlen (what);
  gsize at;

  for (at = size; at >= length; at--) {
    if (memcmp (data + at - length, what, length) == 0)
      return data + at - length;
  }
  return NULL;
}

/* Objects behind the last %%EOF mean that the file was cut in the middle: they
 * are no junk.  Blocks overlap by a little, so that none cuts a mark in two. */
static gboolean
find_end (PdfSource * source, guint64 * end, GError ** error)
{
  g_autofree gchar *data = g_malloc (BLOCK);
  guint64 at = source->size;
  guint64 stop = at > TAIL_SEARCH ? at - TAIL_SEARCH : 0;

  *end = source->size;
  while (at > stop) {
    guint64 from = at > BLOCK ? at - BLOCK : 0;
    gssize n = pdf_source_read (source, from, data, at - from, error);
    const gchar *mark, *last_object;

    if (n < 0)
      return FALSE;
    mark = find_last (data, n, trailer);
    last_object = find_last (data, n, object);
    if (last_object && last_object > mark)
      return TRUE;
    if (mark) {
      *end = from + (mark - data) + strlen (trailer);
      break;
    }
    at = from > 0 ? from + strlen (object) : 0;
  }
  if (source->size - *end < TAIL_WINDOW)
    *end = source->size;
  return TRUE;
}

gint
pdf_source_open_temporary (GError ** error)
{
  g_autofree gchar *name = NULL;
  gint fd = g_file_open_tmp ("gst-orch-pdf-XXXXXX", &name, error);

  if (fd >= 0) {
    g_unlink (name);
    return fd;
  }
  /* A confined process makes files in memory only. */
  fd = memfd_create ("gst-orch-pdf", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd >= 0)
    g_clear_error (error);
  return fd;
}

static gboolean
write_all (gint fd, const guint8 * data, gsize size, GError ** error)
{
  while (size > 0) {
    gssize n = write (fd, data, size);

    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      g_set_error (error, PDF_ERROR, PDF_ERROR_IO,
          "A temporary copy of the file cannot be written: %s.",
          g_strerror (errno));
      return FALSE;
    }
    data += n;
    size -= n;
  }
  return TRUE;
}

static gboolean
copy_range (PdfSource * source, guint64 start, guint64 end, gint fd,
    GError ** error)
{
  g_autofree guint8 *data = g_malloc (BLOCK);

  while (start < end) {
    gssize n = pdf_source_read (source, start, data, MIN (BLOCK, end - start),
        error);

    if (n < 0 || !write_all (fd, data, n, error))
      return FALSE;
    if (n == 0)
      break;
    start += n;
  }
  return TRUE;
}

PdfSource *
pdf_source_trim (PdfSource * source, GError ** error)
{
  guint64 start, end;
  gint fd;

  if (!find_start (source, &start, error) || !find_end (source, &end, error))
    return NULL;
  if (start == 0 && end == source->size)
    return pdf_source_ref (source);

  if (source->bytes) {
    g_autoptr (GBytes) part =
        g_bytes_new_from_bytes (source->bytes, start, end - start);

    return pdf_source_new_for_bytes (part);
  }
  fd = pdf_source_open_temporary (error);
  if (fd < 0)
    return NULL;
  if (!copy_range (source, start, end, fd, error)) {
    close (fd);
    return NULL;
  }
  return pdf_source_new_take_fd (fd, end - start);
}

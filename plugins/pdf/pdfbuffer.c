/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "pdfcache.h"

#include <gst/orch/orch.h>
#include <gst/allocators/gstfdmemory.h>

#include <errno.h>
#include <fcntl.h>

PdfSource *
pdf_source_from_buffer (GstBuffer * buffer, GError ** error)
{
  g_autoptr (GBytes) bytes = NULL;
  guint64 size;
  gint fd;

  if (gst_orch_buffer_get_fd (buffer, &fd, &size))
    return pdf_source_new_for_fd (fd, size,
        gst_memory_ref (gst_buffer_peek_memory (buffer, 0)),
        (GDestroyNotify) gst_memory_unref);

  bytes = gst_orch_buffer_get_bytes (buffer, error);
  return bytes ? pdf_source_new_for_bytes (bytes) : NULL;
}

GstBuffer *
pdf_source_to_buffer (PdfSource * source, GError ** error)
{
  GBytes *bytes = pdf_source_get_bytes (source);
  GstAllocator *allocator;
  GstBuffer *buffer;
  gint fd;

  if (bytes)
    return gst_buffer_new_wrapped_bytes (bytes);

  fd = fcntl (pdf_source_get_fd (source), F_DUPFD_CLOEXEC, 3);
  if (fd < 0) {
    g_set_error (error, PDF_ERROR, PDF_ERROR_IO,
        "The file cannot be opened again: %s.", g_strerror (errno));
    return NULL;
  }
  allocator = gst_fd_allocator_new ();
  buffer = gst_buffer_new ();
  gst_buffer_append_memory (buffer, gst_fd_allocator_alloc (allocator, fd,
          pdf_source_get_size (source), GST_FD_MEMORY_FLAG_NONE));
  gst_object_unref (allocator);
  return buffer;
}

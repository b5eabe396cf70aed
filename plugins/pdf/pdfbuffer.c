/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "pdfcache.h"

#include <gst/orch/orch.h>
#include <gst/allocators/gstfdmemory.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>

typedef struct
{
  GstMemory *memory;
  GstMapInfo map;
} Mapping;

static void
mapping_free (gpointer data)
{
  Mapping *mapping = data;

  gst_memory_unmap (mapping->memory, &mapping->map);
  gst_memory_unref (mapping->memory);
  g_free (mapping);
}

static gboolean
has_file_memory (GstBuffer * buffer)
{
  guint i;

  for (i = 0; i < gst_buffer_n_memory (buffer); i++) {
    if (gst_is_fd_memory (gst_buffer_peek_memory (buffer, i)))
      return TRUE;
  }
  return FALSE;
}

static GBytes *
map_memory (GstBuffer * buffer, GError ** error)
{
  Mapping *mapping = g_new0 (Mapping, 1);

  mapping->memory = gst_buffer_get_all_memory (buffer);
  if (!gst_memory_map (mapping->memory, &mapping->map, GST_MAP_READ)) {
    gst_memory_unref (mapping->memory);
    g_free (mapping);
    g_set_error_literal (error, PDF_ERROR, PDF_ERROR_IO,
        "The document's memory cannot be read.");
    return NULL;
  }
  return g_bytes_new_with_free_func (mapping->map.data, mapping->map.size,
      mapping_free, mapping);
}

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

  if (gst_buffer_get_size (buffer) == 0)
    bytes = g_bytes_new_static (NULL, 0);
  else if (has_file_memory (buffer))
    /* A part of a file, or several: not to be mapped. */
    bytes = gst_orch_buffer_read_all (buffer, G_MAXUINT64, error);
  else
    bytes = map_memory (buffer, error);
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

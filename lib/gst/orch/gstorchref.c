/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchref-private.h"

#include <gio/gio.h>
#include <gst/allocators/gstfdmemory.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

GType
gst_orch_ref_meta_api_get_type (void)
{
  static GType type = 0;
  static const gchar *tags[] = { NULL };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        gst_meta_api_type_register ("GstOrchRefMetaAPI", tags));
  return type;
}

static gboolean
gst_orch_ref_meta_init (GstMeta * meta, gpointer params, GstBuffer * buffer)
{
  GstOrchRefMeta *self = (GstOrchRefMeta *) meta;

  self->source = NULL;
  self->locator = NULL;
  return TRUE;
}

static void
gst_orch_ref_meta_free (GstMeta * meta, GstBuffer * buffer)
{
  GstOrchRefMeta *self = (GstOrchRefMeta *) meta;

  gst_clear_buffer (&self->source);
  gst_clear_structure (&self->locator);
}

void
gst_orch_ref_meta_add (GstBuffer * buffer, GstBuffer * source,
    GstStructure * locator)
{
  GstOrchRefMeta *self = (GstOrchRefMeta *) gst_buffer_add_meta (buffer,
      GST_ORCH_REF_META_INFO, NULL);

  self->source = source;
  self->locator = locator;
}

static gboolean
gst_orch_ref_meta_transform (GstBuffer * transbuf, GstMeta * meta,
    GstBuffer * buffer, GQuark type, gpointer data)
{
  GstOrchRefMeta *self = (GstOrchRefMeta *) meta;

  if (GST_META_TRANSFORM_IS_COPY (type) && self->source)
    gst_orch_ref_meta_add (transbuf, gst_buffer_ref (self->source),
        gst_structure_copy (self->locator));
  return TRUE;
}

const GstMetaInfo *
gst_orch_ref_meta_get_info (void)
{
  static const GstMetaInfo *info = NULL;

  if (g_once_init_enter ((GstMetaInfo **) & info)) {
    const GstMetaInfo *registered =
        gst_meta_register (GST_ORCH_REF_META_API_TYPE, "GstOrchRefMeta",
        sizeof (GstOrchRefMeta), gst_orch_ref_meta_init,
        gst_orch_ref_meta_free, gst_orch_ref_meta_transform);

    g_once_init_leave ((GstMetaInfo **) & info, (GstMetaInfo *) registered);
  }
  return info;
}

/**
 * gst_buffer_get_orch_ref_meta:
 * @buffer: a #GstBuffer
 *
 * Returns: (transfer none) (nullable): what @buffer refers to
 *
 * Since: 0.1
 */
GstOrchRefMeta *
gst_buffer_get_orch_ref_meta (GstBuffer * buffer)
{
  return (GstOrchRefMeta *) gst_buffer_get_meta (buffer,
      GST_ORCH_REF_META_API_TYPE);
}

/**
 * gst_orch_ref_buffer_new:
 * @source: (transfer none): the buffer that holds the whole
 * @locator: (transfer full): which part of it
 *
 * Returns: (transfer full): a buffer without memory that refers to the part
 *
 * Since: 0.1
 */
GstBuffer *
gst_orch_ref_buffer_new (GstBuffer * source, GstStructure * locator)
{
  GstBuffer *buffer = gst_buffer_new ();

  gst_orch_ref_meta_add (buffer, gst_buffer_ref (source), locator);
  return buffer;
}

/**
 * gst_orch_buffer_get_fd:
 * @buffer: a #GstBuffer
 * @fd: (out): the file descriptor, which stays the buffer's
 * @size: (out) (optional): bytes the file had when it was opened
 *
 * Gives the file behind a document.  Read it with pread(), or dup() the
 * descriptor for a library that closes what it is given.  Never map it: a file
 * that is truncated meanwhile would raise SIGBUS.
 *
 * Returns: %FALSE when @buffer is not one whole file but ordinary memory
 *
 * Since: 0.1
 */
gboolean
gst_orch_buffer_get_fd (GstBuffer * buffer, gint * fd, guint64 * size)
{
  GstMemory *memory;

  if (gst_buffer_n_memory (buffer) != 1)
    return FALSE;
  memory = gst_buffer_peek_memory (buffer, 0);
  if (!gst_is_fd_memory (memory) || memory->offset != 0)
    return FALSE;
  *fd = gst_fd_memory_get_fd (memory);
  if (size)
    *size = memory->size;
  return TRUE;
}

static GBytes *
read_whole_file (gint fd, gsize size, GError ** error)
{
  guint8 *data = g_try_malloc (size ? size : 1);
  gsize done = 0;

  if (!data) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED,
        "No memory for a file of %" G_GSIZE_FORMAT " bytes", size);
    return NULL;
  }
  while (done < size) {
    gssize n = pread (fd, data + done, size - done, done);

    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno),
          "Could not read the file: %s", g_strerror (errno));
      g_free (data);
      return NULL;
    }
    if (n == 0)                 /* truncated since it was opened */
      break;
    done += n;
  }
  return g_bytes_new_take (data, done);
}

/**
 * gst_orch_buffer_read_all:
 * @buffer: a #GstBuffer
 * @max_size: the most bytes to read
 * @error: return location for an error
 *
 * Reads a document into memory of its own, whether @buffer is a file or
 * ordinary memory.  A file that has become shorter gives what is left.
 *
 * Returns: (transfer full) (nullable): the bytes, %NULL with @error set when it
 *   is larger than @max_size or cannot be read
 *
 * Since: 0.1
 */
GBytes *
gst_orch_buffer_read_all (GstBuffer * buffer, guint64 max_size, GError ** error)
{
  guint64 size = gst_buffer_get_size (buffer);
  gpointer data;
  gint fd;

  if (size > max_size) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE,
        "%" G_GUINT64_FORMAT " bytes are more than the limit of %"
        G_GUINT64_FORMAT, size, max_size);
    return NULL;
  }
  if (gst_orch_buffer_get_fd (buffer, &fd, NULL))
    return read_whole_file (fd, size, error);
  data = g_malloc (size ? size : 1);
  return g_bytes_new_take (data, gst_buffer_extract (buffer, 0, data, size));
}

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
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED,
        "The document's memory cannot be read.");
    return NULL;
  }
  return g_bytes_new_with_free_func (mapping->map.data, mapping->map.size,
      mapping_free, mapping);
}

/**
 * gst_orch_buffer_get_bytes:
 * @buffer: a #GstBuffer for which gst_orch_buffer_get_fd() has no file
 * @error: return location for an error
 *
 * Gives a document in memory without copying it.  What is part of a file is
 * copied, so that no mapping of the file stays.
 *
 * Returns: (transfer full) (nullable): the bytes, which hold the memory of
 *   @buffer and not @buffer itself; %NULL with @error set when they cannot be
 *   read
 *
 * Since: 0.1
 */
GBytes *
gst_orch_buffer_get_bytes (GstBuffer * buffer, GError ** error)
{
  if (gst_buffer_get_size (buffer) == 0)
    return g_bytes_new_static (NULL, 0);
  if (has_file_memory (buffer))
    return gst_orch_buffer_read_all (buffer, G_MAXUINT64, error);
  return map_memory (buffer, error);
}

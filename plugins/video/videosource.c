/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "videosource.h"

#include <gst/orch/orch.h>
#include <libavutil/mem.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define BLOCK (64 * 1024)

struct _VideoSource
{
  GstMemory *memory;            /* (nullable): of the file, which keeps it open */
  gint fd;
  GBytes *bytes;                /* (nullable): when there is no file */
  guint64 size;
  guint64 position;
  gint reading_error;           /* errno, 0: none */
  AVIOContext *io;
};

static gssize
read_file (VideoSource * source, guint8 * data, gsize size)
{
  gssize n;

  do
    n = pread (source->fd, data, size, source->position);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    source->reading_error = errno;
  return n;
}

static gssize
read_memory (VideoSource * source, guint8 * data, gsize size)
{
  const guint8 *bytes = g_bytes_get_data (source->bytes, NULL);

  memcpy (data, bytes + source->position, size);
  return size;
}

static gint
read_block (gpointer opaque, guint8 * data, gint size)
{
  VideoSource *source = opaque;
  gssize n;

  if (source->position >= source->size)
    return AVERROR_EOF;
  size = MIN ((guint64) size, source->size - source->position);
  n = source->bytes ? read_memory (source, data, size)
      : read_file (source, data, size);
  if (n < 0)
    return AVERROR (source->reading_error);
  if (n == 0)                   /* truncated since it was opened */
    return AVERROR_EOF;
  source->position += n;
  return n;
}

static gint64
seek (gpointer opaque, gint64 offset, gint whence)
{
  VideoSource *source = opaque;

  switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE:
      return source->size;
    case SEEK_SET:
      break;
    case SEEK_CUR:
      offset += source->position;
      break;
    case SEEK_END:
      offset += source->size;
      break;
    default:
      return AVERROR (EINVAL);
  }
  if (offset < 0)
    return AVERROR (EINVAL);
  source->position = offset;
  return offset;
}

VideoSource *
video_source_new (GstBuffer * buffer, GError ** error)
{
  g_autoptr (VideoSource) source = g_new0 (VideoSource, 1);

  if (gst_orch_buffer_get_fd (buffer, &source->fd, &source->size)) {
    source->memory = gst_memory_ref (gst_buffer_peek_memory (buffer, 0));
  } else {
    source->bytes = gst_orch_buffer_get_bytes (buffer, error);
    if (!source->bytes)
      return NULL;
    source->size = g_bytes_get_size (source->bytes);
  }
  if (source->size == 0) {
    g_set_error_literal (error, VIDEO_ERROR, VIDEO_ERROR_EMPTY_FILE,
        "The file is empty (0 bytes).");
    return NULL;
  }
  source->io = avio_alloc_context (av_malloc (BLOCK), BLOCK, 0, source,
      read_block, NULL, seek);
  return g_steal_pointer (&source);
}

void
video_source_free (VideoSource * source)
{
  if (source->io) {
    av_freep (&source->io->buffer);
    avio_context_free (&source->io);
  }
  if (source->memory)
    gst_memory_unref (source->memory);
  if (source->bytes)
    g_bytes_unref (source->bytes);
  g_free (source);
}

guint64
video_source_get_size (VideoSource * source)
{
  return source->size;
}

AVIOContext *
video_source_rewind (VideoSource * source)
{
  avio_seek (source->io, 0, SEEK_SET);
  source->io->error = 0;
  source->io->eof_reached = 0;
  return source->io;
}

gboolean
video_source_check (VideoSource * source, GError ** error)
{
  if (source->reading_error == 0)
    return TRUE;
  g_set_error (error, VIDEO_ERROR, VIDEO_ERROR_IO,
      "The file cannot be read: %s.", g_strerror (source->reading_error));
  return FALSE;
}

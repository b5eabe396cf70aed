/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "fixture.h"

#include <gst/allocators/gstfdmemory.h>

#include <fcntl.h>
#include <sys/stat.h>

#define BITS 16

gchar *
video_test_path (const gchar * name)
{
  return g_build_filename (g_getenv ("ORCH_VIDEO_FILES"), name, NULL);
}

GstBuffer *
video_test_open_path (const gchar * path)
{
  GstAllocator *allocator = gst_fd_allocator_new ();
  GstBuffer *buffer = gst_buffer_new ();
  gint fd = open (path, O_RDONLY | O_CLOEXEC);
  struct stat status;

  if (fd < 0 || fstat (fd, &status) != 0)
    g_error ("%s cannot be opened", path);
  gst_buffer_append_memory (buffer, gst_fd_allocator_alloc (allocator, fd,
          status.st_size, GST_FD_MEMORY_FLAG_NONE));
  gst_object_unref (allocator);
  return buffer;
}

GstBuffer *
video_test_open (const gchar * name)
{
  g_autofree gchar *path = video_test_path (name);

  return video_test_open_path (path);
}

GstBuffer *
video_test_load (const gchar * name)
{
  g_autofree gchar *path = video_test_path (name);
  gchar *data;
  gsize size;

  if (!g_file_get_contents (path, &data, &size, NULL))
    g_error ("%s cannot be read", path);
  return gst_buffer_new_wrapped (data, size);
}

/* Bars are 48 or 208, less what coding does to them. */
static gint
read_bit (guint8 value)
{
  return value > 170 ? 1 : value < 86 ? 0 : -1;
}

gint
video_test_read_number (const guint8 * luma, gsize stride, guint step,
    guint width, guint height)
{
  gint number = 0;
  guint bit;

  for (bit = 0; bit < BITS; bit++) {
    gsize x = (2 * bit + 1) * width / (2 * BITS) * step;
    gint upper = read_bit (luma[height / 6 * stride + x]);
    gint middle = read_bit (luma[height / 2 * stride + x]);

    if (upper < 0 || middle < 0 || upper == middle)
      return -1;
    number |= upper << bit;
  }
  return number;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorcharena-private.h"
#include "gstorchlink-private.h"

#include <gio/gio.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* It grows by so much at least, and is kept up to so much, in bytes. */
#define GROWTH (1024 * 1024)
#define MAX_KEPT (128 * 1024 * 1024)

void
gst_orch_arena_clear (GstOrchArena * arena)
{
  if (!arena->data)
    return;
  munmap (arena->data, arena->size);
  close (arena->fd);
  *arena = (GstOrchArena) { 0, };
}

void
gst_orch_arena_trim (GstOrchArena * arena)
{
  if (arena->size > MAX_KEPT)
    gst_orch_arena_clear (arena);
}

static gpointer
map (GstOrchArena * arena, gint fd, gsize size)
{
  if (ftruncate (fd, size) < 0)
    return MAP_FAILED;
  if (arena->data)
    return mremap (arena->data, arena->size, size, MREMAP_MAYMOVE);
  return mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

static gboolean
grow (GstOrchArena * arena, gsize size, GError ** error)
{
  gint fd = arena->data ? arena->fd : gst_orch_memfd_new (error);
  gpointer data;

  if (fd < 0)
    return FALSE;
  data = map (arena, fd, size);
  if (data == MAP_FAILED) {
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno),
        "Memory shared with a worker cannot grow: %s", g_strerror (errno));
    if (!arena->data)
      close (fd);
    return FALSE;
  }
  *arena = (GstOrchArena) { fd, data, size };
  return TRUE;
}

gboolean
gst_orch_arena_write (GstOrchArena * arena, guint64 at, gconstpointer data,
    gsize size, GError ** error)
{
  gsize end = at + size;

  if (end > arena->size
      && !grow (arena, MAX (end + end / 2, arena->size + GROWTH), error))
    return FALSE;
  memcpy (arena->data + at, data, size);
  return TRUE;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchpayload-private.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* A file in memory that came from the other process.  Nobody can change or cut
 * it, so it may be mapped, unlike a user's file. */
struct _GstOrchMapping
{
  gint refs;
  gint fd;                      /* -1: not kept */
  guint8 *data;
  gsize size;
};

/* Descriptors kept by mappings of this process; atomic. */
static gint n_kept;

/* So many that enough are left for documents. */
static gint
get_max_kept (void)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) < 0)
    return 64;
  return MIN (limit.rlim_cur, 1 << 20) / 4;
}

static gint
keep (gint fd)
{
  gint copy = -1;

  if (g_atomic_int_add (&n_kept, 1) < get_max_kept ())
    copy = fcntl (fd, F_DUPFD_CLOEXEC, 3);
  if (copy < 0)
    g_atomic_int_add (&n_kept, -1);
  return copy;
}

GstOrchMapping *
gst_orch_mapping_new (gint fd, gboolean keeps_fd)
{
  GstOrchMapping *mapping;
  gpointer data;
  gsize size;

  if (fd < 0 || !gst_orch_memfd_is_sealed (fd, &size) || size == 0)
    return NULL;
  data = mmap (NULL, size, PROT_READ, MAP_SHARED, fd, 0);
  if (data == MAP_FAILED)
    return NULL;
  mapping = g_slice_new (GstOrchMapping);
  mapping->refs = 1;
  mapping->fd = keeps_fd ? keep (fd) : -1;
  mapping->data = data;
  mapping->size = size;
  return mapping;
}

void
gst_orch_mapping_unref (GstOrchMapping * mapping)
{
  if (!g_atomic_int_dec_and_test (&mapping->refs))
    return;
  munmap (mapping->data, mapping->size);
  if (mapping->fd >= 0) {
    close (mapping->fd);
    g_atomic_int_add (&n_kept, -1);
  }
  g_slice_free (GstOrchMapping, mapping);
}

static GQuark
mapping_quark (void)
{
  static GQuark quark;

  if (!quark)
    quark = g_quark_from_static_string ("gst-orch-mapping");
  return quark;
}

GstMemory *
gst_orch_mapping_get (GstOrchMapping * mapping, guint64 offset, guint64 size)
{
  GstMemory *memory;

  if (offset > mapping->size || size > mapping->size - offset)
    return NULL;
  g_atomic_int_inc (&mapping->refs);
  memory = gst_memory_new_wrapped (GST_MEMORY_FLAG_READONLY,
      mapping->data + offset, size, 0, size, mapping,
      (GDestroyNotify) gst_orch_mapping_unref);
  if (mapping->fd >= 0)
    gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (memory),
        mapping_quark (), mapping, NULL);
  return memory;
}

gboolean
gst_orch_memory_is_shared (GstMemory * memory, gint * fd, guint64 * offset)
{
  GstOrchMapping *mapping =
      gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST (memory),
      mapping_quark ());
  GstMapInfo map;

  if (!mapping || !gst_memory_map (memory, &map, GST_MAP_READ))
    return FALSE;
  *fd = mapping->fd;
  *offset = map.data - mapping->data;
  gst_memory_unmap (memory, &map);
  return TRUE;
}

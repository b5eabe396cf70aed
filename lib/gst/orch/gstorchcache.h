/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchprelude.h>

G_BEGIN_DECLS

/**
 * GstOrchCache:
 *
 * What one replica has opened of the documents it works on: values by the
 * document's buffer, the least recently used one closed first.  A value is
 * closed, too, when its buffer is gone: nobody can ask for it any more.  So it
 * must not hold that buffer, only its memory.
 *
 * Belongs to one thread.
 *
 * Since: 0.1
 */
typedef struct _GstOrchCache GstOrchCache;

GST_ORCH_API GType gst_orch_cache_get_type (void);
#define GST_TYPE_ORCH_CACHE (gst_orch_cache_get_type ())

GST_ORCH_API GstOrchCache *gst_orch_cache_new (GDestroyNotify free_value);
GST_ORCH_API GstOrchCache *gst_orch_cache_ref (GstOrchCache * cache);
GST_ORCH_API void gst_orch_cache_unref (GstOrchCache * cache);

GST_ORCH_API gpointer gst_orch_cache_lookup (GstOrchCache * cache,
    GstBuffer * buffer);
GST_ORCH_API void gst_orch_cache_insert (GstOrchCache * cache,
    GstBuffer * buffer, gpointer value);
GST_ORCH_API void gst_orch_cache_shrink (GstOrchCache * cache, guint n);
GST_ORCH_API guint gst_orch_cache_get_size (GstOrchCache * cache);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstOrchCache, gst_orch_cache_unref)
G_END_DECLS

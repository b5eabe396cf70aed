/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorcharena-private.h>
#include <gst/orch/gstorchlink-private.h>
#include <gst/orch/gstorchwire-private.h>

G_BEGIN_DECLS

/* Buffers, with what they carry, as bytes and file descriptors.
 *
 * A file goes as its descriptor; what came from the other side and has not been
 * changed goes as a word about it; other memory that is large is copied once, into
 * a file in memory which the other side maps.  Of metas, lists, references, video
 * layouts and custom metas go along. */

/* Where a buffer is known from: an input of the batch, or the source of
 * references. */
typedef enum
{
  GST_ORCH_KNOWN_INPUT,
  GST_ORCH_KNOWN_SOURCE,
} GstOrchKnown;

/* Caps are parsed and printed once, as long as they come again. */
typedef struct
{
  GHashTable *texts;            /* GstCaps -> text */
  GHashTable *caps;             /* text -> GstCaps */
} GstOrchCapsCache;

GST_ORCH_API void gst_orch_caps_cache_init (GstOrchCapsCache * cache);
GST_ORCH_API void gst_orch_caps_cache_clear (GstOrchCapsCache * cache);

/* One message that is being written. */
typedef struct _GstOrchPacker GstOrchPacker;
struct _GstOrchPacker
{
  GByteArray *body;
  GArray *fds;                  /* of gint, borrowed, to be sent with it */
  GError *error;                /* (nullable): the first one; then it is worthless */

  /* TRUE when `buffer` is known to the other side by `known` and `id`.
   * `again` (out): FALSE: from now on; it is to be described this once. */
  gboolean (*find) (gpointer data, GstBuffer * buffer, gboolean is_source,
      GstOrchKnown * known, guint64 * id, gboolean * again);
  gpointer data;
  GstOrchCapsCache *caps;
  /* (nullable): holds what has to be copied, in place of a new file */
  GstOrchArena *reused;

  /*< private >*/
  gint arena;                   /* holds what had to be copied */
  guint32 arena_index;          /* among the descriptors */
  guint64 arena_size;
  GHashTable *seen;             /* GstBuffer -> number in this message, + 1 */
  guint depth;
};

GST_ORCH_API void gst_orch_packer_init (GstOrchPacker * packer,
    GstOrchCapsCache * caps);
/* Before it is sent: what was copied cannot be changed any more. */
GST_ORCH_API gboolean gst_orch_packer_seal (GstOrchPacker * packer,
    GError ** error);
/* (transfer full): the descriptor of what was copied, -1: nothing was */
GST_ORCH_API gint gst_orch_packer_steal_arena (GstOrchPacker * packer);
/* After it was sent. */
GST_ORCH_API void gst_orch_packer_clear (GstOrchPacker * packer);
/* (nullable) */
GST_ORCH_API void gst_orch_packer_put_buffer (GstOrchPacker * packer,
    GstBuffer * buffer);
GST_ORCH_API void gst_orch_packer_put_caps (GstOrchPacker * packer,
    GstCaps * caps);

/* One message that is being read. */
typedef struct _GstOrchUnpacker GstOrchUnpacker;
struct _GstOrchUnpacker
{
  GstOrchReader reader;
  GArray *fds;                  /* of the message */

  /* (transfer full) (nullable): what is known by that name */
  GstBuffer *(*get) (gpointer data, GstOrchKnown known, guint64 id);
  /* (nullable): `buffer` is what is known by that name from now on */
  void (*learn) (gpointer data, GstOrchKnown known, guint64 id,
      GstBuffer * buffer);
  gpointer data;
  GstOrchCapsCache *caps;
  /* Memory is passed on as it is, while there are descriptors enough to keep. */
  gboolean keeps_fds;
  /* The other side has no files of its own to give but in memory. */
  gboolean seals_files;
  /* Bytes of all files in memory of the message; 0: any. */
  guint64 max_shared;

  /*< private >*/
  guint64 shared;
  GPtrArray *mappings;          /* by descriptor */
  GPtrArray *seen;              /* of GstBuffer */
  guint depth;
};

GST_ORCH_API void gst_orch_unpacker_init (GstOrchUnpacker * unpacker,
    GstOrchMessage * message, GstOrchCapsCache * caps);
GST_ORCH_API void gst_orch_unpacker_clear (GstOrchUnpacker * unpacker);
/* (transfer full) (nullable): NULL if there was none, or it is bad */
GST_ORCH_API GstBuffer *gst_orch_unpacker_get_buffer (GstOrchUnpacker *
    unpacker);
GST_ORCH_API GstCaps *gst_orch_unpacker_get_caps (GstOrchUnpacker *
    unpacker);

/* ---- memory that is shared: gstorchshared.c ---- */

typedef struct _GstOrchMapping GstOrchMapping;

/* (transfer full) (nullable): `fd`, read-only; NULL when it is not sealed.  `fd`
 * stays the caller's. */
GST_ORCH_API GstOrchMapping *gst_orch_mapping_new (gint fd,
    gboolean keeps_fd);
GST_ORCH_API void gst_orch_mapping_unref (GstOrchMapping * mapping);
/* (transfer full) (nullable): read-only memory of that part; NULL when there is no
 * such part */
GST_ORCH_API GstMemory *gst_orch_mapping_get (GstOrchMapping * mapping,
    guint64 offset, guint64 size);
/* Whether `memory` lies in a file in memory that may be sent as it is. */
GST_ORCH_API gboolean gst_orch_memory_is_shared (GstMemory * memory,
    gint * fd, guint64 * offset);

G_END_DECLS

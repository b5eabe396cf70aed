/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchlist.h>
#include <gst/orch/gstorchpayload-private.h>
#include <string.h>

G_BEGIN_DECLS

/* The words that gstorchpack.c writes and gstorchunpack.c reads. */

/* Lists in lists. */
#define GST_ORCH_MAX_DEPTH 16
/* Domains below each other. */
#define GST_ORCH_MAX_DOMAINS 256

/* Flags that say something of what is in the buffer. */
#define GST_ORCH_BUFFER_FLAGS \
  (~(guint32) (GST_MINI_OBJECT_FLAG_LAST - 1) & ~(guint32) GST_BUFFER_FLAG_TAG_MEMORY)

typedef enum
{
  GST_ORCH_BUFFER_NONE,
  GST_ORCH_BUFFER_NEW,          /* what it holds */
  GST_ORCH_BUFFER_SEEN,         /* which of the new ones of this message */
  GST_ORCH_BUFFER_KNOWN,        /* GstOrchKnown, its id, whether it is described */
} GstOrchBufferKind;

typedef enum
{
  GST_ORCH_MEMORY_INLINE,       /* size, bytes */
  GST_ORCH_MEMORY_SHARED,       /* descriptor, offset, size: to be mapped */
  GST_ORCH_MEMORY_FILE,         /* the same of a file: never to be mapped */
} GstOrchMemoryKind;

typedef enum
{
  GST_ORCH_META_END,
  GST_ORCH_META_LIST,
  GST_ORCH_META_REF,
  GST_ORCH_META_VIDEO,
  GST_ORCH_META_CUSTOM,
  GST_ORCH_META_GATHERED,
} GstOrchMetaKind;

/* gstorchpackgathered.c: what the list says of its making */
G_GNUC_INTERNAL void gst_orch_put_gathered (GByteArray * body,
    GstOrchList * list);
G_GNUC_INTERNAL void gst_orch_reader_get_gathered (GstOrchReader * reader,
    GstOrchList * list);

G_END_DECLS

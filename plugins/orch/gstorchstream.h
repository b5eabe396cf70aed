/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/gst.h>

#include "lineage/orch-lineage.h"

G_BEGIN_DECLS

/**
 * GstOrchStream: what a stream was before orchexpand mixed it with others, for
 * orchdemux, which takes them apart again.  It hangs on the Expansion whose parent
 * is the stream.  Written by the one, read by the other, in any threads.
 */
typedef struct _GstOrchStream GstOrchStream;

/* Of what comes to `pad`, which is the one with the number `id` and was flushed
 * `n_flushes` times before, with the sticky events that are on it now, behind the stream
 * with the serial number `before`.  The Expansion owns it. */
GstOrchStream *gst_orch_stream_new (OrchExpansion * expansion, GstPad * pad,
    gsize id, guint n_flushes, gsize before);
/* Another number for each pad: no other has its, even when it is gone. */
gsize gst_orch_stream_new_id (void);
/* (transfer none) (nullable) */
GstOrchStream *gst_orch_stream_of (OrchExpansion * expansion);

/* The next buffer is in the child number `child` of the stream, which is a group with
 * `within` buffers already, or itself that child. */
void gst_orch_stream_advance (GstOrchStream * stream, guint64 child,
    guint64 within);
/* A SEGMENT or TAG event (transfer none) ahead of the next buffer. */
void gst_orch_stream_add (GstOrchStream * stream, GstEvent * event);

/* Its pad was flushed once more, and it with it, even if it had come to its end. */
void gst_orch_stream_flush (GstOrchStream * stream);
/* How often its pad was flushed before it began. */
guint gst_orch_stream_get_n_flushes_before (GstOrchStream * stream);
/* The same up to now, as far as it has seen. */
guint gst_orch_stream_get_n_flushes (GstOrchStream * stream);
/* It is one of those that were. */
gboolean gst_orch_stream_is_flushed (GstOrchStream * stream);

/* (transfer none) (nullable): the STREAM_START */
GstEvent *gst_orch_stream_get_start (GstOrchStream * stream);
/* (transfer full) (nullable): the event number `position` if it is ahead of what is in
 * that place */
GstEvent *gst_orch_stream_get_event (GstOrchStream * stream, guint position,
    guint64 child, guint64 within);
/* (transfer full) (nullable): the pad of orchexpand that it comes to, while that
 * is there */
GstPad *gst_orch_stream_ref_pad (GstOrchStream * stream);
/* Streams that came to one pad have one. */
gsize gst_orch_stream_get_id (GstOrchStream * stream);
/* They rise, over all streams of the process; from 1. */
gsize gst_orch_stream_get_serial (GstOrchStream * stream);
/* The serial number of the last one so far. */
gsize gst_orch_stream_get_last_serial (void);
/* That of the stream before it on its pad, 0 for none. */
gsize gst_orch_stream_get_before (GstOrchStream * stream);

G_END_DECLS

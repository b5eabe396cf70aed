/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchitem-private.h"

static GstOrchItemChunk *
chunk_new (GstOrchPort * port)
{
  GstOrchItemChunk *chunk = g_slice_new (GstOrchItemChunk);

  chunk->refs = GST_ORCH_ITEM_CHUNK;
  chunk->n_used = 0;
  chunk->port = gst_orch_port_ref (port);
  return chunk;
}

static void
chunk_unref_n (GstOrchItemChunk * chunk, gint n)
{
  if (g_atomic_int_add (&chunk->refs, -n) != n)
    return;
  gst_orch_port_unref (chunk->port);
  g_slice_free (GstOrchItemChunk, chunk);
}

void
gst_orch_item_chunk_close (GstOrchItemChunk * chunk)
{
  chunk_unref_n (chunk, GST_ORCH_ITEM_CHUNK - chunk->n_used);
}

GstOrchItem *
gst_orch_item_new (GstOrchPort * port, OrchEntity * entity, GstOrchInfo * info)
{
  GstOrchItemChunk **current = gst_orch_port_get_chunk (port);
  GstOrchItemChunk *chunk = *current;
  GstOrchItem *item;

  if (!chunk)
    chunk = *current = chunk_new (port);
  item = &chunk->items[chunk->n_used++];
  item->n_metas = 1;
  item->n_takes = 0;
  item->epoch = gst_orch_port_get_stamp_epoch (port);
  item->chunk = chunk;
  item->entity = entity;
  item->info = gst_orch_info_ref (info);
  if (chunk->n_used == GST_ORCH_ITEM_CHUNK)
    *current = NULL;
  return item;
}

void
gst_orch_item_carry (GstOrchItem * item)
{
  g_atomic_int_inc (&item->n_metas);
}

void
gst_orch_item_uncarry (GstOrchItem * item)
{
  GstOrchPort *port = gst_orch_item_get_port (item);

  if (!g_atomic_int_dec_and_test (&item->n_metas))
    return;
  if (item->epoch == gst_orch_port_get_epoch (port)
      && g_atomic_int_get (&item->n_takes) <
      gst_orch_port_get_n_subscribers (port))
    gst_orch_port_post_gone (port, item->entity, item->info);
  gst_orch_info_unref (item->info);
  chunk_unref_n (item->chunk, 1);
}

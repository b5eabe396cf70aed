/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchport-private.h>

G_BEGIN_DECLS

typedef struct _GstOrchItemChunk GstOrchItemChunk;

/**
 * GstOrchItem: the value of one Port for one Entity while buffers carry it.
 *
 * It counts the metas that refer to it and the subscribers that took it, so
 * that the death of the last meta tells whether somebody still waits for it
 * (S5.6).
 */
struct _GstOrchItem
{
  gint n_metas;                 /* it lives as long as one carries it */
  gint n_takes;
  gint epoch;                   /* of the Port: a flush is not a loss */
  GstOrchItemChunk *chunk;
  OrchEntity *entity;           /* the metas hold it */
  GstOrchInfo *info;
};

/* Items that one Port made one after the other.  They share their memory and
 * one reference to the Port, whose count every thread of the pipeline would
 * write to otherwise. */
#define GST_ORCH_ITEM_CHUNK 32

struct _GstOrchItemChunk
{
  gint refs;                    /* one for each Item, those to come included */
  guint n_used;
  GstOrchPort *port;
  GstOrchItem items[GST_ORCH_ITEM_CHUNK];
};

/* Made by the Port's own task, carried by one meta. */
G_GNUC_INTERNAL GstOrchItem *gst_orch_item_new (GstOrchPort * port,
    OrchEntity * entity, GstOrchInfo * info);
static inline GstOrchPort *
gst_orch_item_get_port (GstOrchItem * item)
{
  return item->chunk->port;
}

/* A further meta carries it; a meta ends to. */
G_GNUC_INTERNAL void gst_orch_item_carry (GstOrchItem * item);
G_GNUC_INTERNAL void gst_orch_item_uncarry (GstOrchItem * item);
/* Takes over `chunk`, which is not full: no more Items come. */
G_GNUC_INTERNAL void gst_orch_item_chunk_close (GstOrchItemChunk * chunk);

/* (transfer none): where the Port keeps the chunk that it fills. */
G_GNUC_INTERNAL GstOrchItemChunk **gst_orch_port_get_chunk (GstOrchPort * port);
/* The last carrier is gone and fewer subscribers took it than the Port has. */
G_GNUC_INTERNAL void gst_orch_port_post_gone (GstOrchPort * port,
    OrchEntity * entity, GstOrchInfo * info);
G_GNUC_INTERNAL gint gst_orch_port_get_stamp_epoch (GstOrchPort * port);
G_GNUC_INTERNAL gint gst_orch_port_get_epoch (GstOrchPort * port);
G_GNUC_INTERNAL gint gst_orch_port_get_n_subscribers (GstOrchPort * port);

G_END_DECLS

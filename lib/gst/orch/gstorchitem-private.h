/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchport-private.h>

G_BEGIN_DECLS

/**
 * GstOrchItem: the value of one Port for one Entity while buffers carry it.
 *
 * It counts the metas that refer to it and the subscribers that took it, so
 * that the death of the last meta tells whether somebody still waits for it
 * (S5.6).
 */
struct _GstOrchItem
{
  gint refs;
  gint n_metas;
  gint n_takes;
  gint epoch;                   /* of the Port: a flush is not a loss */
  GstOrchPort *port;
  OrchEntity *entity;
  GstOrchInfo *info;
};

G_GNUC_INTERNAL GstOrchItem *gst_orch_item_new (GstOrchPort * port,
    OrchEntity * entity, GstOrchInfo * info);
G_GNUC_INTERNAL GstOrchItem *gst_orch_item_ref (GstOrchItem * item);
G_GNUC_INTERNAL void gst_orch_item_unref (GstOrchItem * item);
/* A meta begins and ends to carry it. */
G_GNUC_INTERNAL void gst_orch_item_carry (GstOrchItem * item);
G_GNUC_INTERNAL void gst_orch_item_uncarry (GstOrchItem * item);

/* The last carrier is gone and fewer subscribers took it than the Port has. */
G_GNUC_INTERNAL void gst_orch_port_post_gone (GstOrchPort * port,
    OrchEntity * entity, GstOrchInfo * info);
G_GNUC_INTERNAL gint gst_orch_port_get_epoch (GstOrchPort * port);
G_GNUC_INTERNAL gint gst_orch_port_get_n_subscribers (GstOrchPort * port);

G_END_DECLS

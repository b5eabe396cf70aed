/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchitem-private.h"

GstOrchItem *
gst_orch_item_new (GstOrchPort * port, OrchEntity * entity, GstOrchInfo * info)
{
  GstOrchItem *item = g_slice_new (GstOrchItem);

  item->refs = 1;
  item->n_metas = 0;
  item->n_takes = 0;
  item->epoch = gst_orch_port_get_epoch (port);
  item->port = gst_orch_port_ref (port);
  item->entity = orch_entity_ref (entity);
  item->info = gst_orch_info_ref (info);
  return item;
}

GstOrchItem *
gst_orch_item_ref (GstOrchItem * item)
{
  g_atomic_int_inc (&item->refs);
  return item;
}

void
gst_orch_item_unref (GstOrchItem * item)
{
  if (!g_atomic_int_dec_and_test (&item->refs))
    return;
  gst_orch_port_unref (item->port);
  orch_entity_unref (item->entity);
  gst_orch_info_unref (item->info);
  g_slice_free (GstOrchItem, item);
}

void
gst_orch_item_carry (GstOrchItem * item)
{
  gst_orch_item_ref (item);
  g_atomic_int_inc (&item->n_metas);
}

void
gst_orch_item_uncarry (GstOrchItem * item)
{
  if (g_atomic_int_dec_and_test (&item->n_metas)
      && item->epoch == gst_orch_port_get_epoch (item->port)
      && g_atomic_int_get (&item->n_takes) <
      gst_orch_port_get_n_subscribers (item->port))
    gst_orch_port_post_gone (item->port, item->entity, item->info);
  gst_orch_item_unref (item);
}

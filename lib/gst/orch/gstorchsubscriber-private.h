/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchport-private.h>

G_BEGIN_DECLS

/* What Port and subscriber know of each other. */

/* News in a mailbox above which its Ports' owners wait, and below which they go
 * on. */
#define GST_ORCH_MAX_NEWS 512
#define GST_ORCH_FEW_NEWS 256

/* (transfer container) */
G_GNUC_INTERNAL GPtrArray *gst_orch_port_find_upstream (GstPad * sinkpad);
/* (transfer none) (nullable): the Port that announces itself by `query` */
G_GNUC_INTERNAL GstOrchPort *gst_orch_port_from_query (GstQuery * query);
G_GNUC_INTERNAL void gst_orch_port_subscribe (GstOrchPort * port,
    GstOrchSubscriber * subscriber);
G_GNUC_INTERNAL void gst_orch_port_unsubscribe (GstOrchPort * port,
    GstOrchSubscriber * subscriber);
/* News that it has not heard yet. */
G_GNUC_INTERNAL guint gst_orch_subscriber_get_n_news (GstOrchSubscriber *
    subscriber);
/* Whether a sink pad stands behind both: they are of one element. */
G_GNUC_INTERNAL gboolean gst_orch_port_shares_input (GstOrchPort * port,
    GstOrchPort * other);
/* The owner of the Port may have waited for room. */
G_GNUC_INTERNAL void gst_orch_port_wake_owner (GstOrchPort * port);
/* Takes over what `news` holds.  Under the subscriber's leaf lock only. */
G_GNUC_INTERNAL void gst_orch_subscriber_post (GstOrchSubscriber * subscriber,
    const GstOrchNews * news);

/* ---- what nobody wants (S5.5) ---- */

/* (transfer full): references */
G_GNUC_INTERNAL GPtrArray *gst_orch_port_copy_subscribers (GstOrchPort * port);
G_GNUC_INTERNAL GPtrArray *gst_orch_subscriber_copy_ports (GstOrchSubscriber *
    subscriber);
/* (transfer full) (nullable): NULL once it is gone.  Any thread. */
G_GNUC_INTERNAL GstPad *gst_orch_port_ref_pad (GstOrchPort * port);
/* A subscriber has said it: the owner looks whether all have. */
G_GNUC_INTERNAL void gst_orch_port_unwant (GstOrchPort * port,
    OrchExpansion * expansion, OrchCause * cause);
/* What it does not want is attached under this. */
G_GNUC_INTERNAL gpointer
gst_orch_subscriber_get_unwanted_key (GstOrchSubscriber * subscriber);
G_GNUC_INTERNAL gboolean gst_orch_subscriber_is_at (GstOrchSubscriber *
    subscriber, GstPad * pad);

G_END_DECLS

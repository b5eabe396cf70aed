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
/* The owner of the Port may have waited for room. */
G_GNUC_INTERNAL void gst_orch_port_wake_owner (GstOrchPort * port);
/* Takes over what `news` holds.  Under the subscriber's leaf lock only. */
G_GNUC_INTERNAL void gst_orch_subscriber_post (GstOrchSubscriber * subscriber,
    const GstOrchNews * news);

G_END_DECLS

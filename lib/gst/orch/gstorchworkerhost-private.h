/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchfunction-private.h"
#include "gstorchpayload-private.h"
#include "gstorchspawn-private.h"
#include "lineage/orch-lineage.h"

G_BEGIN_DECLS

/* Domains below each other. */
#define GST_ORCH_HOST_MAX_DEPTH 256

/* In a worker process: what its Function works for, in place of a Call. */
typedef struct
{
  GstOrchLink link;
  const GstOrchControl *control;
  GstOrchCapsCache caps;
  GAsyncQueue *messages;        /* GstOrchMessage */
  GstOrchFunction *function;
  gpointer data;                /* what setup() gave */
  gboolean confine;

  GHashTable *sources;          /* id -> GstBuffer: documents */
  /* Where the last Grain was, from the root down: siblings share it. */
  OrchDomain *domain;
  guint depth;
  OrchExpansion *expansions[GST_ORCH_HOST_MAX_DEPTH];
  guint64 ordinals[GST_ORCH_HOST_MAX_DEPTH];

  guint serial;                 /* of the batch that is run */
  guint place;                  /* in it, of the Grain whose outcome is written */
} GstOrchHost;

G_GNUC_INTERNAL void gst_orch_host_init (GstOrchHost * host, gint socket,
    const GstOrchControl * control);
G_GNUC_INTERNAL void gst_orch_host_run (GstOrchHost * host,
    GstOrchMessage * message);
/* `text` (nullable) */
G_GNUC_INTERNAL void gst_orch_host_say_text (GstOrchHost * host,
    GstOrchSay type, const gchar * text);

/* gstorchworkerentity.c: (transfer full) (nullable): the Entity that is read */
G_GNUC_INTERNAL OrchEntity *gst_orch_host_get_entity (GstOrchHost * host,
    GstOrchReader * reader);

G_END_DECLS

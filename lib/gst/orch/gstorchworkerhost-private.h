/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchfunction-private.h"
#include "gstorchpack-private.h"
#include "gstorchspawn-private.h"
#include "lineage/orch-lineage.h"

G_BEGIN_DECLS

/* In a worker process: what its Function works for, in place of a Call. */
typedef struct
{
  GstOrchLink link;             /* where it speaks */
  GstOrchLink inbox;            /* where it listens */
  const GstOrchControl *control;        /* the areas */
  GstOrchCapsCache caps;
  GstOrchFunction *function;
  gpointer data;                /* what setup() gave */
  gboolean confine;

  GHashTable *sources;          /* id -> GstBuffer: documents */
  /* Where the last Grain was, from the root down: siblings share it. */
  OrchDomain *domain;
  guint depth;
  OrchExpansion *expansions[GST_ORCH_MAX_DOMAINS];
  guint64 ordinals[GST_ORCH_MAX_DOMAINS];

  /* The batch that is run. */
  guint serial;
  const GstOrchControl *area;   /* of the control */
  guint *places;                /* in its message, of its Grains */
  guint place;                  /* of the Grain whose outcome is written */
} GstOrchHost;

G_GNUC_INTERNAL void gst_orch_host_init (GstOrchHost * host, gint socket,
    gint inbox, const GstOrchControl * control);
/* Frees all but the Function. */
G_GNUC_INTERNAL void gst_orch_host_clear (GstOrchHost * host);
G_GNUC_INTERNAL void gst_orch_host_set_properties (GstOrchHost * host,
    GstOrchReader * reader);
/* FALSE: what came is no batch. */
G_GNUC_INTERNAL gboolean gst_orch_host_run (GstOrchHost * host,
    GstOrchMessage * message);
/* `text` (nullable) */
G_GNUC_INTERNAL void gst_orch_host_say_text (GstOrchHost * host,
    GstOrchSay type, const gchar * text);

/* gstorchworkerentity.c */
G_GNUC_INTERNAL void gst_orch_host_forget_place (GstOrchHost * host);
/* (transfer full) (nullable): the Entity that is read */
G_GNUC_INTERNAL OrchEntity *gst_orch_host_get_entity (GstOrchHost * host,
    GstOrchReader * reader);

G_END_DECLS

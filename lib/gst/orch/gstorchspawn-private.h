/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchusage-private.h"

G_BEGIN_DECLS

/* Descriptors that a worker begins with, beside the standard ones. */
#define GST_ORCH_WORKER_SOCKET 3        /* where it speaks */
#define GST_ORCH_WORKER_CONTROL 4
#define GST_ORCH_WORKER_INBOX 5 /* where it listens */

/* What a Call tells its worker of a batch while that works, or before it begins:
 * memory that both have mapped, for the batch that is run and the next one. */
#define GST_ORCH_CONTROL_AREAS 2
#define GST_ORCH_CONTROL_SLOTS (64 * 1024 - 64)
typedef struct
{
  gint cancelled;               /* atomic */
  gchar padding[60];
  guint8 unwanted[GST_ORCH_CONTROL_SLOTS];      /* by place in the batch */
} GstOrchControl;
#define GST_ORCH_CONTROL_SIZE (GST_ORCH_CONTROL_AREAS * sizeof (GstOrchControl))

/* A process that was started, until it is reaped. */
typedef struct
{
  pid_t pid;                    /* 0: none */
  gint socket;                  /* what it says; to be taken over */
  gint inbox;                   /* what it is told; to be taken over */
  gint inbox_end;               /* its end of that; to be taken over */
  GstOrchControl *control;      /* the areas */
  gint errors;                  /* what it writes to its standard error */
  GString *tail;                /* the end of that */
  GstOrchUsage usage;
  gboolean overdue;             /* it did not end when it should have */
} GstOrchProcess;

/* `command` (nullable): the program and its arguments; gst-orch-worker if NULL.
 * `name`: shown by ps, behind them.  From a thread that outlives the process. */
G_GNUC_INTERNAL gboolean gst_orch_process_start (GstOrchProcess * process,
    gchar ** command, const gchar * name, GError ** error);
G_GNUC_INTERNAL void gst_orch_process_kill (GstOrchProcess * process);
/* TRUE: it only has to be reaped. */
G_GNUC_INTERNAL gboolean gst_orch_process_has_ended (GstOrchProcess * process);
/* Waits for its end, kills it when that takes longer than `patience` ms, and frees
 * what belongs to it but the tail.  Returns its status as waitpid() has it, -1 when
 * somebody else has taken that. */
G_GNUC_INTERNAL gint gst_orch_process_reap (GstOrchProcess * process,
    gint patience);
G_GNUC_INTERNAL void gst_orch_process_clear (GstOrchProcess * process);
/* Reads what it has written, as far as that is there. */
G_GNUC_INTERNAL void gst_orch_process_read_errors (GstOrchProcess * process);
/* (transfer full) (nullable): the last lines that it wrote */
G_GNUC_INTERNAL gchar *gst_orch_process_get_last_lines (GstOrchProcess *
    process);

G_END_DECLS

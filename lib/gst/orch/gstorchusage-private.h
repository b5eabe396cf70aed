/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchprelude.h>
#include <sys/types.h>

G_BEGIN_DECLS

/* What another process takes of the machine. */
typedef struct
{
  pid_t pid;
  gint statm;                   /* -1: not open */
  guint n_looks;
  guint64 files;                /* bytes, when it was last looked */
  /* Files in memory that it was given: number -> of which look.  They are not its
   * doing. */
  GHashTable *given;
} GstOrchUsage;

G_GNUC_INTERNAL void gst_orch_usage_init (GstOrchUsage * usage, pid_t pid);
G_GNUC_INTERNAL void gst_orch_usage_clear (GstOrchUsage * usage);
/* Before it gets the descriptors `fds`. */
G_GNUC_INTERNAL void gst_orch_usage_note_given (GstOrchUsage * usage,
    const GArray * fds);
/* Bytes of memory that it uses, be they mapped or in files in memory that it has made
 * and keeps open; 0 if unknown. */
G_GNUC_INTERNAL guint64 gst_orch_usage_get_memory (GstOrchUsage * usage);
G_GNUC_INTERNAL guint gst_orch_usage_count_threads (GstOrchUsage * usage);

G_END_DECLS

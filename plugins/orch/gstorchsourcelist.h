/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/gst.h>

#include "lineage/orch-cause.h"

G_BEGIN_DECLS

/* One document of a source list, in the order of which the ordinals are. */
typedef struct
{
  gchar *uri;
  GstStructure *fields;         /* (nullable): further fields of a list file */
  OrchCause *cause;             /* (nullable): why there is nothing to open */
} GstOrchSourceEntry;

void gst_orch_source_entry_clear (GstOrchSourceEntry * entry);

typedef struct
{
  gchar **locations;            /* (nullable) */
  gchar *list;                  /* (nullable): a list file, "-" for stdin */
  gchar *pattern;               /* (nullable): which files of a folder */
  gboolean recursive;
} GstOrchSourceConfig;

void gst_orch_source_config_copy (GstOrchSourceConfig * copy,
    const GstOrchSourceConfig * config);
void gst_orch_source_config_clear (GstOrchSourceConfig * config);

/**
 * GstOrchSourceList: the documents that locations and a list file name, one
 * after the other.  What is held is the names of one glob, or those of the open
 * folders, never the whole list.  Used by one thread.
 */
typedef struct _GstOrchSourceList GstOrchSourceList;

/* Paths are relative to the working directory of this moment. */
GstOrchSourceList *gst_orch_source_list_new (const GstOrchSourceConfig *
    config);
void gst_orch_source_list_free (GstOrchSourceList * list);
/* What it was made of, to make another; `config` is cleared by the caller. */
void gst_orch_source_list_get_config (GstOrchSourceList * list,
    GstOrchSourceConfig * config);
/* FALSE at the end, or with `error` set (G_IO_ERROR) when a location names
 * nothing or a list cannot be read.  `entry` is cleared by the caller. */
gboolean gst_orch_source_list_next (GstOrchSourceList * list,
    GstOrchSourceEntry * entry, GError ** error);
/* FALSE when reading the list once uses it up (a pipe). */
gboolean gst_orch_source_config_can_repeat (const GstOrchSourceConfig * config);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchbytesource.h"
#include "gstorchrecordindex.h"
#include "gstorchroots.h"
#include "gstorchsourcelist.h"
#include "gstorchsrc.h"

#include <gst/orch/gstorchport-private.h>

G_BEGIN_DECLS

typedef struct
{
  guint64 found;                /* documents listed so far */
  guint64 failed;               /* that could not be opened */
} GstOrchSrcCounts;

struct _GstOrchSrc
{
  GstPushSrc push_src;

  GstOrchPort *output;
  OrchDomain *domain;
  GCancellable *cancellable;    /* wakes what reads slowly */

  /* Properties; object lock. */
  GPtrArray *locations;
  GstOrchSourceConfig config;   /* its locations: NULL, see above */
  guint64 max_file_size;
  guint max_open;
  gboolean checksum;
  gchar *resume_from;
  gboolean retry_failed;

  /* From start() to stop(). */
  GstOrchRoots *roots;          /* object lock: queries read it */
  GstOrchSrcCounts counts;      /* object lock */
  guint64 total;                /* object lock; G_MAXUINT64: not known */

  /* The streaming thread's. */
  GstOrchSourceList *list;
  GstOrchRecordIndex *index;    /* (nullable): what was done in an earlier run */
  gboolean has_begun;
  gboolean has_entry;           /* read from the list, its ordinal not given yet */
  gboolean entry_is_due;        /* it is known to have no record yet */
  GstOrchSourceEntry entry;
  guint auto_max_open;          /* 0: the Calls below were not asked yet */
  guint64 activity;             /* when it was last measured */
  gboolean has_warned;
  gint64 last_progress;
};

/* Asks the sinks, reads what an earlier run has done, counts the documents.
 * FALSE when it was interrupted or an error was posted. */
G_GNUC_INTERNAL gboolean gst_orch_src_begin (GstOrchSrc * self);
/* One step: a document for `buffer`, or one that needs none. */
G_GNUC_INTERNAL GstFlowReturn gst_orch_src_next_document (GstOrchSrc * self,
    GstBuffer ** buffer);
/* `now`: not only when the last one is old. */
G_GNUC_INTERNAL void gst_orch_src_post_progress (GstOrchSrc * self,
    gboolean now);

G_END_DECLS

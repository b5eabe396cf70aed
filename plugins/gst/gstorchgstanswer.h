/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* What a bin says of one buffer, from whatever threads its elements have. */
typedef struct
{
  guint64 max_size;             /* of all that comes, in bytes */

  GMutex lock;
  GCond changed;                /* ended, failed or interrupted */
  /* Protected by it while the bin runs. */
  GPtrArray *samples;           /* GstSample: buffer and caps */
  guint64 size;                 /* of them */
  GPtrArray *warnings;          /* texts */
  gchar *code;                  /* (nullable): of the first error */
  gchar *message;               /* of it */
  gboolean ended;               /* EOS has come */
  gboolean interrupted;
  gboolean closed;              /* it stays as it is */

  /* What is in force on the pad that it comes from. */
  GstCaps *caps;                /* (nullable) */
  GstSegment segment;
  gboolean flushed;             /* FLUSH_STOP has come */
} GstOrchGstAnswer;

void gst_orch_gst_answer_init (GstOrchGstAnswer * self, guint64 max_size);
void gst_orch_gst_answer_clear (GstOrchGstAnswer * self);
/* Forgets what was said, for the next buffer; but that it was interrupted. */
void gst_orch_gst_answer_begin (GstOrchGstAnswer * self);
/* Hears no more, so that it can be read. */
void gst_orch_gst_answer_close (GstOrchGstAnswer * self);

/* (transfer full): a sink pad that hears what comes from a bin. */
GstPad *gst_orch_gst_answer_make_pad (GstOrchGstAnswer * self);
/* (transfer full): a bus for the bin; what is posted there goes no further. */
GstBus *gst_orch_gst_answer_make_bus (GstOrchGstAnswer * self);

/* The first failure stays. */
void gst_orch_gst_answer_fail (GstOrchGstAnswer * self, const gchar * code,
    const gchar * format, ...) G_GNUC_PRINTF (3, 4);
void gst_orch_gst_answer_interrupt (GstOrchGstAnswer * self);
gboolean gst_orch_gst_answer_is_interrupted (GstOrchGstAnswer * self);
/* Nothing more is to be expected. */
gboolean gst_orch_gst_answer_is_over (GstOrchGstAnswer * self);
void gst_orch_gst_answer_wait (GstOrchGstAnswer * self);

/* (transfer full): why there is no value, with the warnings before it. */
gchar *gst_orch_gst_answer_explain (const GstOrchGstAnswer * self);

G_END_DECLS

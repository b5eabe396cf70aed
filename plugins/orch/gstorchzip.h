/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchegress-private.h>

G_BEGIN_DECLS

/**
 * GstOrchZip: base of the elements that put together what several sink pads say
 * of one Entity, in whatever order that comes: a row for each Entity, which
 * leaves once the subclass can decide it.  A pad whose Domain is an ancestor of
 * the others' is broadcast (S3.5).  No pad ever waits for a partner.
 *
 * Rows belong to the src task; sink pads only queue what arrives.
 */
#define GST_TYPE_ORCH_ZIP (gst_orch_zip_get_type ())
G_DECLARE_DERIVABLE_TYPE (GstOrchZip, gst_orch_zip, GST, ORCH_ZIP, GstElement)

/* What one pad says of an Entity. */
typedef struct
{
  OrchOutcome outcome;
  OrchCause *cause;
  GstOrchInfo *info;
  GstBuffer *buffer;
  GstCaps *caps;
  GstEvent *segment;
} GstOrchZipValue;

typedef struct
{
  OrchEntity *entity;
  guint n;                      /* inputs, in order of rank */
  GstOrchZipValue *values;
  /*< private >*/
  gint refs;
  guint n_open;                 /* inputs that are not known */
  gboolean left;                /* what comes now comes too late */
} GstOrchZipRow;

struct _GstOrchZipClass
{
  GstElementClass parent_class;

  /* All inputs may be in ancestors' Domains, but for one; else in one Domain. */
  gboolean broadcasts;
  /* Data is about to flow.  FALSE, with an error posted, to refuse. */
  gboolean (*begin) (GstOrchZip * self);
  /* Src task: what the row comes to, with parts that `result` owns; UNRESOLVED
   * waits for more.  May be asked again for the same row. */
  void (*decide) (GstOrchZip * self, GstOrchZipRow * row,
      GstOrchZipValue * result);
};

/* Adds a sink pad; `rank` is its place in a row. */
void gst_orch_zip_add_input (GstOrchZip * self, GstPad * pad, guint rank);
void gst_orch_zip_remove_input (GstOrchZip * self, GstPad * pad);
/* The same for a pad (floating) that was asked for.  NULL, with a warning, once
 * data flows: what has been decided cannot take another input. */
GstPad *gst_orch_zip_request_input (GstOrchZip * self, GstPad * pad,
    guint rank);

/* Src task: the inputs of a row. */
guint gst_orch_zip_get_n_inputs (GstOrchZip * self);
GstPad *gst_orch_zip_get_pad (GstOrchZip * self, guint index);
/* FALSE for one that is broadcast. */
gboolean gst_orch_zip_is_own_domain (GstOrchZip * self, guint index);

void gst_orch_zip_value_clear (GstOrchZipValue * value);
/* `copy` gets references of its own. */
void gst_orch_zip_value_copy (GstOrchZipValue * copy,
    const GstOrchZipValue * value);

G_END_DECLS

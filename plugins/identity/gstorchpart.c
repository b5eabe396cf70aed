/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/**
 * SECTION:element-orchpart
 * @title: orchpart
 *
 * Function `part`: presents one part of a joined Item, which is what `orchjoin`
 * makes of several branches, or an application of several columns.  A part that
 * is missing (its pad is optional) is dropped, one that failed fails.
 *
 * |[
 * gst-launch-1.0 orchsrc location=docs ! tee name=t ! queue ! orchpdfpages ! orchexpand ! \
 *     orchjoin name=j ! orchpart number=0 ! orchpdftext ! orchreduce ! \
 *     orchsink location=out.jsonl  t. ! queue ! j.sink_1
 * ]|
 */

#include "gstorchpart.h"

#define DEFAULT_NUMBER 0

enum
{
  PROP_0,
  PROP_NUMBER,
};

struct _GstOrchPartFunction
{
  GstOrchFunction parent;

  guint number;                 /* object lock */
};

G_DEFINE_FINAL_TYPE (GstOrchPartFunction, gst_orch_part_function,
    GST_TYPE_ORCH_FUNCTION);

static void
present_part (GstOrchBatch * batch, guint i, guint number)
{
  const GstOrchListElement *part =
      gst_orch_batch_get_input (batch, i, number);

  if (!part) {
    gst_orch_batch_fail_record (batch, i,
        gst_orch_cause_new ("orch", "no-part", "There is no part %u: the "
            "input is a joined Item of %u parts.", number,
            gst_orch_batch_get_n_inputs (batch, i)));
    return;
  }
  if (part->info)
    gst_orch_batch_set_info (batch, i, gst_structure_copy (part->info));
  if (part->buffer)
    gst_orch_batch_present (batch, i, gst_buffer_ref (part->buffer),
        part->caps);
  else if (part->cause)
    gst_orch_batch_fail_record (batch, i, gst_orch_cause_ref (part->cause));
  else
    gst_orch_batch_drop (batch, i);
}

static gboolean
gst_orch_part_function_run (GstOrchFunction * function, gpointer replica_data,
    GstOrchBatch * batch, GError ** error)
{
  GstOrchPartFunction *self = GST_ORCH_PART_FUNCTION (function);
  guint i, n = gst_orch_batch_get_size (batch);
  guint number;

  GST_OBJECT_LOCK (self);
  number = self->number;
  GST_OBJECT_UNLOCK (self);
  for (i = 0; i < n; i++)
    present_part (batch, i, number);
  return TRUE;
}

static void
gst_orch_part_function_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstOrchPartFunction *self = GST_ORCH_PART_FUNCTION (object);

  GST_OBJECT_LOCK (self);
  if (id == PROP_NUMBER)
    self->number = g_value_get_uint (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  GST_OBJECT_UNLOCK (self);
}

static void
gst_orch_part_function_get_property (GObject * object, guint id,
    GValue * value, GParamSpec * pspec)
{
  GstOrchPartFunction *self = GST_ORCH_PART_FUNCTION (object);

  GST_OBJECT_LOCK (self);
  if (id == PROP_NUMBER)
    g_value_set_uint (value, self->number);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  GST_OBJECT_UNLOCK (self);
}

static void
gst_orch_part_function_class_init (GstOrchPartFunctionClass * klass)
{
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = gst_orch_part_function_set_property;
  object_class->get_property = gst_orch_part_function_get_property;
  g_object_class_install_property (object_class, PROP_NUMBER,
      g_param_spec_uint ("number", "Number",
          "Which part of the joined Item, from 0, in the order of the pads of "
          "orchjoin", 0, G_MAXUINT, DEFAULT_NUMBER,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
          | GST_PARAM_MUTABLE_PLAYING));

  function_class->run = gst_orch_part_function_run;
  gst_orch_function_class_set_metadata (function_class, "Part",
      "Presents one part of a joined Item", "the gst-orch authors");
  gst_orch_function_class_set_caps (function_class,
      gst_caps_from_string (GST_ORCH_ITEMS_CAPS), gst_caps_new_any ());
}

static void
gst_orch_part_function_init (GstOrchPartFunction * self)
{
  self->number = DEFAULT_NUMBER;
}

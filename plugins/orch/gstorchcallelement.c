/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/**
 * SECTION:element-orchcall
 * @title: orchcall
 *
 * Runs a Function over batches of units, whatever their parents.  The Function
 * is a child object, so that its properties are set as `function::name`.  What a
 * Function makes beside its main output leaves at pads that are requested:
 * output 1 at `src_1`, and so on; outputs that nobody requests are dropped.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 orchsrc location=docs ! orchcall function=pdf-pages ! orchexpand ! orchcall function=pdf-text ! orchreduce ! orchsink location=out.jsonl
 * ]| writes the text layer of each document as one JSON line.
 */

#include "gstorchcallelement.h"

#include <gst/orch/gstorchcall-private.h>
#include <string.h>

typedef struct
{
  GstOrchCall call;
  gchar *function_name;         /* object lock */
} GstOrchCallElement;

typedef struct
{
  GstOrchCallClass parent_class;
} GstOrchCallElementClass;

enum
{
  PROP_0,
  PROP_FUNCTION,
};

static GstStaticPadTemplate sink_template =
GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate src_template =
GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate further_template =
GST_STATIC_PAD_TEMPLATE ("src_%u", GST_PAD_SRC, GST_PAD_REQUEST,
    GST_STATIC_CAPS_ANY);

G_DEFINE_TYPE (GstOrchCallElement, gst_orch_call_element, GST_TYPE_ORCH_CALL);
GST_ELEMENT_REGISTER_DEFINE (orchcall, "orchcall", GST_RANK_NONE,
    GST_TYPE_ORCH_CALL_ELEMENT);

static void
set_function (GstOrchCallElement * self, const gchar * name)
{
  GST_OBJECT_LOCK (self);
  g_free (self->function_name);
  self->function_name = g_strdup (name);
  GST_OBJECT_UNLOCK (self);
  gst_orch_call_set_function (GST_ORCH_CALL (self),
      name ? gst_orch_function_make (name) : NULL);
}

static void
gst_orch_call_element_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstOrchCallElement *self = (GstOrchCallElement *) object;

  switch (id) {
    case PROP_FUNCTION:
      set_function (self, g_value_get_string (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
gst_orch_call_element_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstOrchCallElement *self = (GstOrchCallElement *) object;

  switch (id) {
    case PROP_FUNCTION:
      GST_OBJECT_LOCK (self);
      g_value_set_string (value, self->function_name);
      GST_OBJECT_UNLOCK (self);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
post_unknown_function (GstOrchCallElement * self)
{
  g_autofree gchar *reason =
      gst_orch_call_explain_missing (GST_ORCH_CALL (self),
      self->function_name);

  GST_ELEMENT_ERROR (self, RESOURCE, NOT_FOUND, ("%s", reason), (NULL));
}

static GstStateChangeReturn
gst_orch_call_element_change_state (GstElement * element,
    GstStateChange transition)
{
  GstOrchCallElement *self = (GstOrchCallElement *) element;

  if (transition == GST_STATE_CHANGE_NULL_TO_READY && self->function_name
      && gst_child_proxy_get_children_count (GST_CHILD_PROXY (self)) == 0) {
    post_unknown_function (self);
    return GST_STATE_CHANGE_FAILURE;
  }
  return GST_ELEMENT_CLASS (gst_orch_call_element_parent_class)->change_state
      (element, transition);
}

/* Its type cannot have the name of the base class, but people read the element's
 * name in every message and cause. */
static void
gst_orch_call_element_constructed (GObject * object)
{
  const gchar *prefix = "orchcallelement";
  const gchar *name = GST_OBJECT_NAME (object);

  G_OBJECT_CLASS (gst_orch_call_element_parent_class)->constructed (object);
  if (name && g_str_has_prefix (name, prefix)) {
    g_autofree gchar *nice =
        g_strconcat ("orchcall", name + strlen (prefix), NULL);

    gst_object_set_name (GST_OBJECT (object), nice);
  }
}

static void
gst_orch_call_element_finalize (GObject * object)
{
  g_free (((GstOrchCallElement *) object)->function_name);
  G_OBJECT_CLASS (gst_orch_call_element_parent_class)->finalize (object);
}

static void
gst_orch_call_element_class_init (GstOrchCallElementClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = gst_orch_call_element_set_property;
  object_class->get_property = gst_orch_call_element_get_property;
  object_class->constructed = gst_orch_call_element_constructed;
  object_class->finalize = gst_orch_call_element_finalize;
  g_object_class_install_property (object_class, PROP_FUNCTION,
      g_param_spec_string ("function", "Function",
          "Name of the Function to run; its own properties are set as "
          "function::NAME", NULL,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
          GST_PARAM_MUTABLE_READY));
  element_class->change_state = gst_orch_call_element_change_state;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_add_static_pad_template (element_class, &further_template);
  gst_element_class_set_static_metadata (element_class, "Function Call",
      "Generic/Orch",
      "Runs a Function over batches of units of any parents",
      "The gst-orch authors");
}

static void
gst_orch_call_element_init (GstOrchCallElement * self)
{
}

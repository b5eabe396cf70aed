/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchjoinpad.h"

struct _GstOrchJoinPad
{
  GstPad pad;

  /* Object lock. */
  gboolean optional;
  const gchar *label;           /* (nullable): interned */
};

enum
{
  PROP_0,
  PROP_OPTIONAL,
  PROP_LABEL,
};

G_DEFINE_FINAL_TYPE (GstOrchJoinPad, gst_orch_join_pad, GST_TYPE_PAD);

gboolean
gst_orch_join_pad_is_optional (GstOrchJoinPad * self)
{
  gboolean optional;

  GST_OBJECT_LOCK (self);
  optional = self->optional;
  GST_OBJECT_UNLOCK (self);
  return optional;
}

const gchar *
gst_orch_join_pad_get_label (GstOrchJoinPad * self)
{
  const gchar *label;

  GST_OBJECT_LOCK (self);
  label = self->label ? self->label
      : g_intern_string (GST_OBJECT_NAME (self));
  GST_OBJECT_UNLOCK (self);
  return label;
}

static void
gst_orch_join_pad_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstOrchJoinPad *self = GST_ORCH_JOIN_PAD (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_OPTIONAL:
      self->optional = g_value_get_boolean (value);
      break;
    case PROP_LABEL:
      self->label = g_intern_string (g_value_get_string (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_orch_join_pad_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstOrchJoinPad *self = GST_ORCH_JOIN_PAD (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_OPTIONAL:
      g_value_set_boolean (value, self->optional);
      break;
    case PROP_LABEL:
      g_value_set_string (value, self->label);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_orch_join_pad_class_init (GstOrchJoinPadClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
      | GST_PARAM_MUTABLE_READY;

  object_class->set_property = gst_orch_join_pad_set_property;
  object_class->get_property = gst_orch_join_pad_get_property;
  g_object_class_install_property (object_class, PROP_OPTIONAL,
      g_param_spec_boolean ("optional", "Optional",
          "A unit that is dropped here is missing from what is joined, and does "
          "not drop it", FALSE, flags));
  g_object_class_install_property (object_class, PROP_LABEL,
      g_param_spec_string ("label", "Label",
          "What Functions and records call this input (unset = the pad's name)",
          NULL, flags));
}

static void
gst_orch_join_pad_init (GstOrchJoinPad * self)
{
}

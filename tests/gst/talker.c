/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "talker.h"

#include <string.h>

typedef struct
{
  GstElement parent;

  GstPad *sink;
  GstPad *src;
  gchar *deed;
  gboolean flushing;
  GMutex lock;
  GCond flushed;
} Talker;

typedef GstElementClass TalkerClass;

static gint n_hanging;          /* atomic */

static GType talker_get_type (void);
G_DEFINE_TYPE (Talker, talker, GST_TYPE_ELEMENT);

guint
talker_count_hanging (void)
{
  return g_atomic_int_get (&n_hanging);
}

static gboolean
does (Talker * self, const gchar * deed)
{
  return g_strcmp0 (self->deed, deed) == 0;
}

/* "hang-at-h": only with a buffer that begins so. */
static gboolean
does_at (Talker * self, const gchar * deed, GstBuffer * buffer)
{
  gchar first = '\0';

  gst_buffer_extract (buffer, 0, &first, 1);
  return self->deed && g_str_has_prefix (self->deed, deed)
      && self->deed[strlen (deed)] == first;
}

static void
hang (Talker * self)
{
  g_mutex_lock (&self->lock);
  g_atomic_int_inc (&n_hanging);
  while (!self->flushing)
    g_cond_wait (&self->flushed, &self->lock);
  g_atomic_int_add (&n_hanging, -1);
  g_mutex_unlock (&self->lock);
}

static GstFlowReturn
talker_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  Talker *self = (Talker *) parent;

  if (does (self, "warn") || does (self, "warn-drop"))
    GST_ELEMENT_WARNING (self, STREAM, DECODE, ("Mind the gap."),
        ("It is %d wide", 7));
  if (does (self, "hang") || does_at (self, "hang-at-", buffer))
    hang (self);
  if (does_at (self, "fail-at-", buffer))
    GST_ELEMENT_ERROR (self, STREAM, DECODE, ("It cannot be."), (NULL));
  if (does (self, "double"))
    gst_pad_push (self->src, gst_buffer_ref (buffer));
  if (!does (self, "warn-drop") && !does (self, "no-word"))
    return gst_pad_push (self->src, buffer);
  gst_buffer_unref (buffer);
  return does (self, "no-word") ? GST_FLOW_ERROR : GST_FLOW_OK;
}

static gboolean
talker_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  Talker *self = (Talker *) parent;

  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_START) {
    g_mutex_lock (&self->lock);
    self->flushing = TRUE;
    g_cond_broadcast (&self->flushed);
    g_mutex_unlock (&self->lock);
  }
  return gst_pad_event_default (pad, parent, event);
}

static GstStateChangeReturn
talker_change_state (GstElement * element, GstStateChange transition)
{
  if (transition == GST_STATE_CHANGE_NULL_TO_READY
      && does ((Talker *) element, "no-start")) {
    GST_ELEMENT_ERROR (element, RESOURCE, OPEN_READ, ("There is no door."),
        (NULL));
    return GST_STATE_CHANGE_FAILURE;
  }
  return GST_ELEMENT_CLASS (talker_parent_class)->change_state (element,
      transition);
}

static void
talker_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  Talker *self = (Talker *) object;

  g_free (self->deed);
  self->deed = g_value_dup_string (value);
}

static void
talker_finalize (GObject * object)
{
  Talker *self = (Talker *) object;

  g_free (self->deed);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->flushed);
  G_OBJECT_CLASS (talker_parent_class)->finalize (object);
}

static void
talker_class_init (TalkerClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = talker_set_property;
  object_class->finalize = talker_finalize;
  klass->change_state = talker_change_state;
  g_object_class_install_property (object_class, 1,
      g_param_spec_string ("deed", "Deed", "What it does", NULL,
          G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
  gst_element_class_set_metadata (klass, "Talker", "Test", "For tests",
      "the gst-orch authors");
}

static void
talker_init (Talker * self)
{
  g_mutex_init (&self->lock);
  g_cond_init (&self->flushed);
  self->sink = gst_pad_new ("sink", GST_PAD_SINK);
  self->src = gst_pad_new ("src", GST_PAD_SRC);
  GST_PAD_SET_PROXY_CAPS (self->sink);
  gst_pad_set_chain_function (self->sink, talker_chain);
  gst_pad_set_event_function (self->sink, talker_event);
  gst_element_add_pad (GST_ELEMENT (self), self->sink);
  gst_element_add_pad (GST_ELEMENT (self), self->src);
}

void
talker_register (void)
{
  g_assert_true (gst_element_register (NULL, "testtalker", GST_RANK_NONE,
          talker_get_type ()));
}

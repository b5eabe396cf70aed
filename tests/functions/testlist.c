/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "testfunctions.h"

#include <string.h>

typedef struct
{
  GstOrchFunction parent;
  guint n;
  guint spread;
  gboolean text;
  gchar *fail;
} TestListFunction;

typedef struct
{
  GstOrchFunctionClass parent_class;
} TestListFunctionClass;

enum
{
  PROP_0,
  PROP_N,
  PROP_SPREAD,
  PROP_TEXT,
  PROP_FAIL,
};

G_DEFINE_TYPE (TestListFunction, test_list_function, GST_TYPE_ORCH_FUNCTION);

/* Children of the k-th parent: n + k mod spread. */
static guint
get_n_children (TestListFunction * self, GstOrchEntity * parent)
{
  guint n = self->n;

  if (self->spread)
    n += gst_orch_entity_get_ordinal (parent) % self->spread;
  return n;
}

static GstBuffer *
make_child (TestListFunction * self, GstOrchEntity * parent, guint i)
{
  g_autofree gchar *path = NULL;
  g_autofree gchar *text = NULL;
  gsize length;

  if (!self->text)
    return gst_buffer_new ();
  path = gst_orch_entity_get_path (parent);
  text = g_strdup_printf ("%s/%u", path, i);
  length = strlen (text);
  return gst_buffer_new_wrapped (g_steal_pointer (&text), length);
}

static gboolean
test_list_function_run (GstOrchFunction * function, gpointer replica_data,
    GstOrchBatch * batch, GError ** error)
{
  TestListFunction *self = (TestListFunction *) function;
  g_autoptr (GstCaps) caps = gst_caps_from_string ("text/x-raw, format=utf8");
  guint i, c;

  for (i = 0; i < gst_orch_batch_get_size (batch); i++) {
    GstOrchEntity *parent = gst_orch_batch_get_entity (batch, i);
    guint n = get_n_children (self, parent);
    GstOrchList *list;

    if (self->fail && g_ascii_strtoull (self->fail, NULL, 10) ==
        gst_orch_entity_get_ordinal (parent)) {
      gst_orch_batch_fail_record (batch, i, gst_orch_cause_new ("test",
              "no-list", "told to fail"));
      continue;
    }
    list = gst_orch_list_new_sized (n);
    for (c = 0; c < n; c++)
      gst_orch_list_append (list, make_child (self, parent, c), caps, NULL);
    gst_orch_batch_present_list (batch, i, list);
  }
  return TRUE;
}

static void
test_list_function_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  TestListFunction *self = (TestListFunction *) object;

  switch (id) {
    case PROP_N:
      self->n = g_value_get_uint (value);
      break;
    case PROP_SPREAD:
      self->spread = g_value_get_uint (value);
      break;
    case PROP_TEXT:
      self->text = g_value_get_boolean (value);
      break;
    case PROP_FAIL:
      g_free (self->fail);
      self->fail = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
test_list_function_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  TestListFunction *self = (TestListFunction *) object;

  switch (id) {
    case PROP_N:
      g_value_set_uint (value, self->n);
      break;
    case PROP_SPREAD:
      g_value_set_uint (value, self->spread);
      break;
    case PROP_TEXT:
      g_value_set_boolean (value, self->text);
      break;
    case PROP_FAIL:
      g_value_set_string (value, self->fail);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
test_list_function_finalize (GObject * object)
{
  g_free (((TestListFunction *) object)->fail);
  G_OBJECT_CLASS (test_list_function_parent_class)->finalize (object);
}

static void
test_list_function_class_init (TestListFunctionClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  object_class->set_property = test_list_function_set_property;
  object_class->get_property = test_list_function_get_property;
  object_class->finalize = test_list_function_finalize;
  g_object_class_install_property (object_class, PROP_N,
      g_param_spec_uint ("n", "N", "Children of each parent", 0, G_MAXUINT, 3,
          flags));
  g_object_class_install_property (object_class, PROP_SPREAD,
      g_param_spec_uint ("spread", "Spread",
          "The k-th parent has k mod spread more (0 = none)", 0, G_MAXUINT, 0,
          flags));
  g_object_class_install_property (object_class, PROP_TEXT,
      g_param_spec_boolean ("text", "Text",
          "Children hold their path; else they are empty", FALSE, flags));
  g_object_class_install_property (object_class, PROP_FAIL,
      g_param_spec_string ("fail", "Fail", "Ordinal of a parent to fail", NULL,
          flags));
  function_class->run = test_list_function_run;
  gst_orch_function_class_set_metadata (function_class, "Test list",
      "Makes a list for each input", "The gst-orch authors");
  gst_orch_function_class_set_caps (function_class, gst_caps_new_any (),
      gst_caps_from_string (GST_ORCH_LIST_CAPS));
}

static void
test_list_function_init (TestListFunction * self)
{
  self->n = 3;
}

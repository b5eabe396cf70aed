/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "testfunctions.h"

#include <string.h>

/* Three outputs.  The input is a text of pieces, "ab|cde|f", one for each output;
 * an output without a piece gets the first one, with its number behind it.  A
 * piece may be an outcome: "^code" fails the record, "^^code" the group, "~" leaves
 * the output without a value; a whole input of "-" is dropped. */

#define N_OUTPUTS 3

typedef struct
{
  GstOrchFunction parent;
  gboolean lists;
  gboolean hold;
  GMutex lock;
  GCond released;
} TestOutputsFunction;

typedef struct
{
  GstOrchFunctionClass parent_class;
} TestOutputsFunctionClass;

enum
{
  PROP_0,
  PROP_LISTS,
  PROP_HOLD,
};

G_DEFINE_TYPE (TestOutputsFunction, test_outputs_function,
    GST_TYPE_ORCH_FUNCTION);

static GstBuffer *
make_text (const gchar * text, gsize length, guint number)
{
  gchar *value = number ? g_strdup_printf ("%.*s%u", (gint) length, text,
      number) : g_strndup (text, length);
  gsize size = strlen (value);

  return gst_buffer_new_wrapped (value, size);
}

/* Each character is an element. */
static GstOrchList *
make_list (const gchar * text, guint number, GstCaps * caps)
{
  GstOrchList *list = gst_orch_list_new ();

  for (; *text; text++)
    gst_orch_list_append (list, make_text (text, 1, number), caps, NULL);
  return list;
}

static void
give (TestOutputsFunction * self, GstOrchBatch * batch, guint i,
    guint output, const gchar * piece, guint number)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string ("text/x-raw, format=utf8");

  if (g_str_has_prefix (piece, "^^"))
    gst_orch_batch_fail_group_output (batch, i, output,
        gst_orch_cause_new ("test", piece + 2, "told to fail the group"));
  else if (piece[0] == '^')
    gst_orch_batch_fail_record_output (batch, i, output,
        gst_orch_cause_new ("test", piece + 1, "told to fail"));
  else if (piece[0] == '~')
    return;
  else if (self->lists)
    gst_orch_batch_present_list_output (batch, i, output,
        make_list (piece, number, caps));
  else
    gst_orch_batch_present_output (batch, i, output,
        make_text (piece, strlen (piece), number), caps);
}

static void
work_on (TestOutputsFunction * self, GstOrchBatch * batch, guint i)
{
  GstBuffer *buffer = gst_orch_batch_get_buffer (batch, i);
  g_autofree gchar *text = g_malloc0 (gst_buffer_get_size (buffer) + 1);
  g_auto (GStrv) pieces = NULL;
  guint output, n;

  gst_buffer_extract (buffer, 0, text, gst_buffer_get_size (buffer));
  if (g_str_equal (text, "-")) {
    gst_orch_batch_drop (batch, i);
    return;
  }
  pieces = g_strsplit (text, "|", -1);
  n = g_strv_length (pieces);
  for (output = 0; output < N_OUTPUTS; output++) {
    if (output < n)
      give (self, batch, i, output, pieces[output], 0);
    else
      give (self, batch, i, output, n ? pieces[0] : "", output);
  }
}

static gboolean
test_outputs_function_setup (GstOrchFunction * function,
    gpointer * replica_data, GError ** error)
{
  TestOutputsFunction *self = (TestOutputsFunction *) function;

  g_mutex_lock (&self->lock);
  while (self->hold)
    g_cond_wait (&self->released, &self->lock);
  g_mutex_unlock (&self->lock);
  return TRUE;
}

static gboolean
test_outputs_function_run (GstOrchFunction * function, gpointer replica_data,
    GstOrchBatch * batch, GError ** error)
{
  guint i;

  for (i = 0; i < gst_orch_batch_get_size (batch); i++)
    work_on ((TestOutputsFunction *) function, batch, i);
  return TRUE;
}

static void
test_outputs_function_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  TestOutputsFunction *self = (TestOutputsFunction *) object;

  switch (id) {
    case PROP_LISTS:
      self->lists = g_value_get_boolean (value);
      break;
    case PROP_HOLD:
      g_mutex_lock (&self->lock);
      self->hold = g_value_get_boolean (value);
      g_cond_broadcast (&self->released);
      g_mutex_unlock (&self->lock);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
test_outputs_function_finalize (GObject * object)
{
  TestOutputsFunction *self = (TestOutputsFunction *) object;

  g_mutex_clear (&self->lock);
  g_cond_clear (&self->released);
  G_OBJECT_CLASS (test_outputs_function_parent_class)->finalize (object);
}

static void
test_outputs_function_class_init (TestOutputsFunctionClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);
  const GParamFlags flags = G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS;

  object_class->set_property = test_outputs_function_set_property;
  object_class->finalize = test_outputs_function_finalize;
  g_object_class_install_property (object_class, PROP_LISTS,
      g_param_spec_boolean ("lists", "Lists",
          "Each output is a list of its characters", FALSE, flags));
  g_object_class_install_property (object_class, PROP_HOLD,
      g_param_spec_boolean ("hold", "Hold",
          "Replicas wait until it is reset before their first batch", FALSE,
          flags));
  function_class->setup = test_outputs_function_setup;
  function_class->run = test_outputs_function_run;
  gst_orch_function_class_set_can_group_fail (function_class, TRUE);
  gst_orch_function_class_add_output (function_class, "second",
      gst_caps_new_any ());
  gst_orch_function_class_add_output (function_class, "third",
      gst_caps_from_string ("text/x-raw; " GST_ORCH_LIST_CAPS));
  gst_orch_function_class_set_metadata (function_class, "Test outputs",
      "Gives several values for each input", "The gst-orch authors");
}

static void
test_outputs_function_init (TestOutputsFunction * self)
{
  g_mutex_init (&self->lock);
  g_cond_init (&self->released);
}

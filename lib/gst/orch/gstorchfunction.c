/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchfunction-private.h"

/**
 * SECTION:gstorchfunction
 * @title: GstOrchFunction
 * @short_description: reusable batch code
 *
 * A plugin makes a Function by subclassing #GstOrchFunction and registering it
 * with gst_orch_function_register(), which also makes an element of it.
 */

G_DEFINE_ABSTRACT_TYPE (GstOrchFunction, gst_orch_function, GST_TYPE_OBJECT);

static void
gst_orch_function_class_init (GstOrchFunctionClass * klass)
{
}

static void
gst_orch_function_init (GstOrchFunction * self)
{
}

/* Types are never unloaded, so neither is what describes them. */
static GstCaps *
keep_caps (GstCaps * caps)
{
  GST_MINI_OBJECT_FLAG_SET (caps, GST_MINI_OBJECT_FLAG_MAY_BE_LEAKED);
  return caps;
}

static void
add_output (GstOrchFunctionTraits * traits, const gchar * name, GstCaps * caps)
{
  GstOrchFunctionOutput *output = g_new (GstOrchFunctionOutput, 1);

  output->name = g_strdup (name);
  output->caps = keep_caps (caps);
  g_ptr_array_add (traits->outputs, output);
}

static void
inherit (GstOrchFunctionTraits * traits, const GstOrchFunctionTraits * from)
{
  guint i;

  traits->long_name = g_strdup (from->long_name);
  traits->description = g_strdup (from->description);
  traits->author = g_strdup (from->author);
  traits->can_group_fail = from->can_group_fail;
  traits->trusted = from->trusted;
  if (from->element_caps)
    traits->element_caps = gst_caps_ref (from->element_caps);
  for (i = 0; i < from->outputs->len; i++) {
    GstOrchFunctionOutput *output = g_ptr_array_index (from->outputs, i);

    add_output (traits, output->name, gst_caps_ref (output->caps));
  }
}

/* A subclass starts with a copy of its parent's class structure, pointer
 * included: whoever writes first makes its own. */
static GstOrchFunctionTraits *
own_traits (GstOrchFunctionClass * klass)
{
  GstOrchFunctionClass *parent = g_type_class_peek_parent (klass);
  GstOrchFunctionTraits *traits = klass->priv;
  const GstOrchFunctionTraits *inherited = NULL;

  if (GST_IS_ORCH_FUNCTION_CLASS (parent))
    inherited = parent->priv;
  if (traits && traits != inherited)
    return traits;
  traits = g_new0 (GstOrchFunctionTraits, 1);
  traits->outputs = g_ptr_array_new ();
  if (inherited)
    inherit (traits, inherited);
  traits->sink_caps = keep_caps (inherited && inherited->sink_caps
      ? gst_caps_ref (inherited->sink_caps) : gst_caps_new_any ());
  traits->src_caps = keep_caps (inherited && inherited->src_caps
      ? gst_caps_ref (inherited->src_caps) : gst_caps_new_any ());
  klass->priv = traits;
  return traits;
}

const GstOrchFunctionTraits *
gst_orch_function_class_get_traits (GstOrchFunctionClass * klass)
{
  return own_traits (klass);
}

void
gst_orch_function_class_set_name (GstOrchFunctionClass * klass,
    const gchar * name)
{
  GstOrchFunctionTraits *traits = own_traits (klass);

  if (g_strcmp0 (traits->name, name) != 0) {
    g_free (traits->name);
    traits->name = g_strdup (name);
  }
}

guint
gst_orch_function_get_n_further (GstOrchFunction * function)
{
  GstOrchFunctionClass *klass = GST_ORCH_FUNCTION_GET_CLASS (function);
  guint declared = own_traits (klass)->outputs->len;

  if (!klass->get_n_outputs)
    return declared;
  return CLAMP (klass->get_n_outputs (function), 1, declared + 1) - 1;
}

const GstOrchFunctionOutput *
gst_orch_function_get_further (GstOrchFunction * function, guint output)
{
  return g_ptr_array_index (own_traits (GST_ORCH_FUNCTION_GET_CLASS
          (function))->outputs, output - 1);
}

/**
 * gst_orch_function_class_set_metadata:
 * @klass: class of the Function
 * @long_name: a name for people: "PDF page renderer"
 * @description: one sentence
 * @author: name and mail address of the author
 *
 * What `gst-inspect-1.0` shows of the generated element.  Call it in
 * class_init.
 *
 * Since: 0.1
 */
void
gst_orch_function_class_set_metadata (GstOrchFunctionClass * klass,
    const gchar * long_name, const gchar * description, const gchar * author)
{
  GstOrchFunctionTraits *traits = own_traits (klass);

  g_free (traits->long_name);
  g_free (traits->description);
  g_free (traits->author);
  traits->long_name = g_strdup (long_name);
  traits->description = g_strdup (description);
  traits->author = g_strdup (author);
}

/**
 * gst_orch_function_class_set_caps:
 * @klass: class of the Function
 * @sink_caps: (transfer full): what it accepts
 * @src_caps: (transfer full): what it may make
 *
 * The templates of the Call's pads.  Call it in class_init.  Without it both
 * are ANY.
 *
 * Since: 0.1
 */
void
gst_orch_function_class_set_caps (GstOrchFunctionClass * klass,
    GstCaps * sink_caps, GstCaps * src_caps)
{
  GstOrchFunctionTraits *traits = own_traits (klass);

  gst_caps_unref (traits->sink_caps);
  gst_caps_unref (traits->src_caps);
  traits->sink_caps = keep_caps (sink_caps);
  traits->src_caps = keep_caps (src_caps);
}

/**
 * gst_orch_function_class_add_output:
 * @klass: class of the Function
 * @name: what it is, for messages: "boxes"
 * @caps: (transfer full): what it may be
 *
 * Declares one further output, beside the one that gst_orch_batch_present()
 * fills.  The first that is added is output 1 of
 * gst_orch_batch_present_output() and leaves at the pad `src_1` of the Call, if
 * somebody requests it; there are at most 31.  Each Grain gets a value for every
 * output (semantics S4.4).  Call it in class_init.
 *
 * Since: 0.1
 */
void
gst_orch_function_class_add_output (GstOrchFunctionClass * klass,
    const gchar * name, GstCaps * caps)
{
  GstOrchFunctionTraits *traits = own_traits (klass);

  g_return_if_fail (name != NULL);
  g_return_if_fail (traits->outputs->len + 1 < GST_ORCH_MAX_OUTPUTS);

  add_output (traits, name, caps);
}

/**
 * gst_orch_function_class_set_element_caps:
 * @klass: class of the Function
 * @element_caps: (transfer full): what the elements of its lists may be
 *
 * For a Function that presents lists: what can be worked on behind the
 * `orchexpand` is known before data flows.  Call it in class_init.
 *
 * Since: 0.1
 */
void
gst_orch_function_class_set_element_caps (GstOrchFunctionClass * klass,
    GstCaps * element_caps)
{
  GstOrchFunctionTraits *traits = own_traits (klass);

  gst_clear_caps (&traits->element_caps);
  traits->element_caps = keep_caps (element_caps);
}

/**
 * gst_orch_function_class_set_can_group_fail:
 * @klass: class of the Function
 * @can_group_fail: whether gst_orch_batch_fail_group() may be called
 *
 * A group failure ends the siblings of the Grain as well (semantics S5.2).
 * Call it in class_init.
 *
 * Since: 0.1
 */
void
gst_orch_function_class_set_can_group_fail (GstOrchFunctionClass * klass,
    gboolean can_group_fail)
{
  own_traits (klass)->can_group_fail = can_group_fail;
}

/**
 * gst_orch_function_class_set_trusted:
 * @klass: class of the Function
 * @trusted: whether its code is the user's own
 *
 * Workers of a trusted Function may reach files, programs and the network, unless
 * the Call's `confine` is set.  Call it in class_init.
 *
 * Since: 0.1
 */
void
gst_orch_function_class_set_trusted (GstOrchFunctionClass * klass,
    gboolean trusted)
{
  own_traits (klass)->trusted = trusted;
}

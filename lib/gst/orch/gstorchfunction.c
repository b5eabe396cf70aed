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
  if (inherited) {
    traits->long_name = g_strdup (inherited->long_name);
    traits->description = g_strdup (inherited->description);
    traits->author = g_strdup (inherited->author);
    traits->can_group_fail = inherited->can_group_fail;
  }
  traits->sink_caps = inherited && inherited->sink_caps
      ? gst_caps_ref (inherited->sink_caps) : gst_caps_new_any ();
  traits->src_caps = inherited && inherited->src_caps
      ? gst_caps_ref (inherited->src_caps) : gst_caps_new_any ();
  /* Types are never unloaded, so neither is what describes them. */
  GST_MINI_OBJECT_FLAG_SET (traits->sink_caps,
      GST_MINI_OBJECT_FLAG_MAY_BE_LEAKED);
  GST_MINI_OBJECT_FLAG_SET (traits->src_caps,
      GST_MINI_OBJECT_FLAG_MAY_BE_LEAKED);
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
  GST_MINI_OBJECT_FLAG_SET (sink_caps, GST_MINI_OBJECT_FLAG_MAY_BE_LEAKED);
  GST_MINI_OBJECT_FLAG_SET (src_caps, GST_MINI_OBJECT_FLAG_MAY_BE_LEAKED);
  traits->sink_caps = sink_caps;
  traits->src_caps = src_caps;
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

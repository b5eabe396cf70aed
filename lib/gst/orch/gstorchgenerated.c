/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchcall-private.h"
#include "gstorchfunction-private.h"

/* The element of a Function: a Call whose Function is fixed and whose
 * properties include the Function's. */

typedef struct
{
  GType function;
  gchar *name;
} Blueprint;

static GQuark
blueprint_quark (void)
{
  return g_quark_from_static_string ("gst-orch-blueprint");
}

static const Blueprint *
get_blueprint (GType type)
{
  const Blueprint *blueprint = NULL;

  for (; type && !blueprint; type = g_type_parent (type))
    blueprint = g_type_get_qdata (type, blueprint_quark ());
  return blueprint;
}

GstOrchFunction *
gst_orch_call_type_make_function (GType type)
{
  const Blueprint *blueprint = get_blueprint (type);
  GstOrchFunction *function;

  if (!blueprint)
    return NULL;
  function = g_object_new (blueprint->function, NULL);
  gst_orch_function_class_set_name (GST_ORCH_FUNCTION_GET_CLASS (function),
      blueprint->name);
  return gst_object_ref_sink (function);
}

#define CLONE(TYPE, type) \
  G_STMT_START { \
    GParamSpec##TYPE *s = (GParamSpec##TYPE *) pspec; \
    return g_param_spec_##type (name, nick, blurb, s->minimum, s->maximum, \
        s->default_value, flags); \
  } G_STMT_END

/* A pspec belongs to the class that installs it, so another class needs its
 * own. */
static GParamSpec *
clone_pspec (GParamSpec * pspec)
{
  const gchar *name = g_param_spec_get_name (pspec);
  const gchar *nick = g_param_spec_get_nick (pspec);
  const gchar *blurb = g_param_spec_get_blurb (pspec);
  GParamFlags flags = pspec->flags & ~(G_PARAM_STATIC_STRINGS |
      G_PARAM_CONSTRUCT | G_PARAM_CONSTRUCT_ONLY);
  const GValue *fallback = g_param_spec_get_default_value (pspec);

  if (G_IS_PARAM_SPEC_INT (pspec))
    CLONE (Int, int);
  if (G_IS_PARAM_SPEC_UINT (pspec))
    CLONE (UInt, uint);
  if (G_IS_PARAM_SPEC_INT64 (pspec))
    CLONE (Int64, int64);
  if (G_IS_PARAM_SPEC_UINT64 (pspec))
    CLONE (UInt64, uint64);
  if (G_IS_PARAM_SPEC_DOUBLE (pspec))
    CLONE (Double, double);
  if (G_IS_PARAM_SPEC_FLOAT (pspec))
    CLONE (Float, float);
  if (G_IS_PARAM_SPEC_BOOLEAN (pspec))
    return g_param_spec_boolean (name, nick, blurb,
        g_value_get_boolean (fallback), flags);
  if (G_IS_PARAM_SPEC_STRING (pspec))
    return g_param_spec_string (name, nick, blurb,
        g_value_get_string (fallback), flags);
  if (G_IS_PARAM_SPEC_ENUM (pspec))
    return g_param_spec_enum (name, nick, blurb, pspec->value_type,
        g_value_get_enum (fallback), flags);
  if (G_IS_PARAM_SPEC_FLAGS (pspec))
    return g_param_spec_flags (name, nick, blurb, pspec->value_type,
        g_value_get_flags (fallback), flags);
  if (G_IS_PARAM_SPEC_BOXED (pspec))
    return g_param_spec_boxed (name, nick, blurb, pspec->value_type, flags);
  if (GST_IS_PARAM_SPEC_FRACTION (pspec)) {
    GstParamSpecFraction *s = GST_PARAM_SPEC_FRACTION (pspec);

    return gst_param_spec_fraction (name, nick, blurb, s->min_num, s->min_den,
        s->max_num, s->max_den, s->def_num, s->def_den, flags);
  }
  if (G_IS_PARAM_SPEC_OBJECT (pspec))
    return g_param_spec_object (name, nick, blurb, pspec->value_type, flags);
  g_warning ("Property '%s' of a Function has the type %s, which its element "
      "cannot show; use function::%s", name, G_PARAM_SPEC_TYPE_NAME (pspec),
      name);
  return NULL;
}

static void
generated_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  g_object_set_property (G_OBJECT (gst_orch_call_peek_function (GST_ORCH_CALL
              (object))), pspec->name, value);
}

static void
generated_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  g_object_get_property (G_OBJECT (gst_orch_call_peek_function (GST_ORCH_CALL
              (object))), pspec->name, value);
}

static void
install_properties (GObjectClass * klass, GObjectClass * function_class)
{
  guint n, i, id = 0;
  GParamSpec **pspecs = g_object_class_list_properties (function_class, &n);

  for (i = 0; i < n; i++) {
    GParamSpec *clone;

    /* "name" and "parent" are every GstObject's. */
    if (pspecs[i]->owner_type == GST_TYPE_OBJECT
        || g_object_class_find_property (klass, pspecs[i]->name))
      continue;
    clone = clone_pspec (pspecs[i]);
    if (clone)
      g_object_class_install_property (klass, ++id, clone);
  }
  g_free (pspecs);
}

/* A pad for each further output, so that `gst-inspect-1.0` shows what is there; or
 * for as many as an instance will have. */
static void
add_output_templates (GstElementClass * klass,
    const GstOrchFunctionTraits * traits, gboolean varies)
{
  guint i;

  if (varies) {
    gst_element_class_add_pad_template (klass, gst_pad_template_new ("src_%u",
            GST_PAD_SRC, GST_PAD_REQUEST, GST_CAPS_ANY));
    return;
  }
  for (i = 0; i < traits->outputs->len; i++) {
    GstOrchFunctionOutput *output = g_ptr_array_index (traits->outputs, i);
    g_autofree gchar *name = g_strdup_printf ("src_%u", i + 1);

    gst_element_class_add_pad_template (klass,
        gst_pad_template_new (name, GST_PAD_SRC, GST_PAD_REQUEST,
            output->caps));
  }
}

static void
generated_class_init (gpointer g_class, gpointer class_data)
{
  const Blueprint *blueprint = class_data;
  GObjectClass *object_class = G_OBJECT_CLASS (g_class);
  GstElementClass *element_class = GST_ELEMENT_CLASS (g_class);
  GstOrchFunctionClass *function_class =
      g_type_class_ref (blueprint->function);
  const GstOrchFunctionTraits *traits =
      gst_orch_function_class_get_traits (function_class);

  object_class->set_property = generated_set_property;
  object_class->get_property = generated_get_property;
  install_properties (object_class, G_OBJECT_CLASS (function_class));

  gst_element_class_set_metadata (element_class,
      traits->long_name ? traits->long_name : blueprint->name,
      "Generic/Orch",
      traits->description ? traits->description : "Runs a Function",
      traits->author ? traits->author : "unknown");
  gst_element_class_add_metadata (element_class, GST_ORCH_METADATA_FUNCTION,
      blueprint->name);
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS,
          traits->sink_caps));
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS,
          traits->src_caps));
  add_output_templates (element_class, traits,
      function_class->get_n_outputs != NULL);
  g_type_class_unref (function_class);
}

/* "pdf-render" -> "GstOrchPdfRender" */
static gchar *
type_name (const gchar * name)
{
  GString *result = g_string_new ("GstOrch");
  gboolean upper = TRUE;

  for (; *name; name++) {
    if (*name != '-')
      g_string_append_c (result, upper ? g_ascii_toupper (*name) : *name);
    upper = *name == '-';
  }
  return g_string_free (result, FALSE);
}

GType
gst_orch_generated_get_type (GType function, const gchar * name)
{
  g_autofree gchar *type = type_name (name);
  GTypeInfo info = { 0, };
  Blueprint *blueprint;
  GTypeQuery query;
  GType result = g_type_from_name (type);

  if (result)
    return result;
  blueprint = g_new (Blueprint, 1);
  blueprint->function = function;
  blueprint->name = g_strdup (name);
  g_type_query (GST_TYPE_ORCH_CALL, &query);
  info.class_size = query.class_size;
  info.instance_size = query.instance_size;
  info.class_init = generated_class_init;
  info.class_data = blueprint;
  result = g_type_register_static (GST_TYPE_ORCH_CALL, type, &info, 0);
  g_type_set_qdata (result, blueprint_quark (), blueprint);
  return result;
}

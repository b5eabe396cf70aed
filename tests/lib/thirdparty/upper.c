/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* A third party's plugin with one Function: public headers only. */

#include <gst/orch/orch.h>

#include <string.h>

typedef struct
{
  GstOrchFunction parent;
  gchar *suffix;
  gint times;
  gint64 large;
  gdouble share;
  gboolean loud;
  GstFormat format;
} UpperFunction;

typedef struct
{
  GstOrchFunctionClass parent_class;
} UpperFunctionClass;

enum
{
  PROP_0,
  PROP_SUFFIX,
  PROP_TIMES,
  PROP_LARGE,
  PROP_SHARE,
  PROP_LOUD,
  PROP_FORMAT,
};

static GType upper_function_get_type (void);

G_DEFINE_TYPE (UpperFunction, upper_function, GST_TYPE_ORCH_FUNCTION);

static GstBuffer *
make_upper (UpperFunction * self, GstBuffer * input)
{
  GString *text = g_string_new (NULL);
  GstMapInfo map;
  gsize i, length;

  gst_buffer_map (input, &map, GST_MAP_READ);
  for (i = 0; i < map.size; i++)
    g_string_append_c (text, self->loud ? g_ascii_toupper (map.data[i])
        : map.data[i]);
  gst_buffer_unmap (input, &map);
  g_string_append (text, self->suffix ? self->suffix : "");
  length = text->len;
  return gst_buffer_new_wrapped (g_string_free (text, FALSE), length);
}

static gboolean
upper_function_run (GstOrchFunction * function, gpointer replica_data,
    GstOrchBatch * batch, GError ** error)
{
  guint i;

  for (i = 0; i < gst_orch_batch_get_size (batch); i++)
    gst_orch_batch_present (batch, i, make_upper ((UpperFunction *) function,
            gst_orch_batch_get_buffer (batch, i)), NULL);
  return TRUE;
}

static void
upper_function_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  UpperFunction *self = (UpperFunction *) object;

  switch (id) {
    case PROP_SUFFIX:
      g_free (self->suffix);
      self->suffix = g_value_dup_string (value);
      break;
    case PROP_TIMES:
      self->times = g_value_get_int (value);
      break;
    case PROP_LARGE:
      self->large = g_value_get_int64 (value);
      break;
    case PROP_SHARE:
      self->share = g_value_get_double (value);
      break;
    case PROP_LOUD:
      self->loud = g_value_get_boolean (value);
      break;
    case PROP_FORMAT:
      self->format = g_value_get_enum (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
upper_function_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  UpperFunction *self = (UpperFunction *) object;

  switch (id) {
    case PROP_SUFFIX:
      g_value_set_string (value, self->suffix);
      break;
    case PROP_TIMES:
      g_value_set_int (value, self->times);
      break;
    case PROP_LARGE:
      g_value_set_int64 (value, self->large);
      break;
    case PROP_SHARE:
      g_value_set_double (value, self->share);
      break;
    case PROP_LOUD:
      g_value_set_boolean (value, self->loud);
      break;
    case PROP_FORMAT:
      g_value_set_enum (value, self->format);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
upper_function_finalize (GObject * object)
{
  g_free (((UpperFunction *) object)->suffix);
  G_OBJECT_CLASS (upper_function_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass * klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  g_object_class_install_property (klass, PROP_SUFFIX,
      g_param_spec_string ("suffix", "Suffix", "Put behind each text", NULL,
          flags));
  g_object_class_install_property (klass, PROP_TIMES,
      g_param_spec_int ("times", "Times", "A small number", -3, 7, 2, flags));
  g_object_class_install_property (klass, PROP_LARGE,
      g_param_spec_int64 ("large", "Large", "A large number", 0, G_MAXINT64,
          G_MAXINT64 / 2, flags));
  g_object_class_install_property (klass, PROP_SHARE,
      g_param_spec_double ("share", "Share", "A share", 0, 1, 0.25, flags));
  g_object_class_install_property (klass, PROP_LOUD,
      g_param_spec_boolean ("loud", "Loud", "Upper case", TRUE, flags));
  g_object_class_install_property (klass, PROP_FORMAT,
      g_param_spec_enum ("format", "Format", "Some enum", GST_TYPE_FORMAT,
          GST_FORMAT_BYTES, flags));
}

static void
upper_function_class_init (UpperFunctionClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);

  object_class->set_property = upper_function_set_property;
  object_class->get_property = upper_function_get_property;
  object_class->finalize = upper_function_finalize;
  install_properties (object_class);
  function_class->run = upper_function_run;
  gst_orch_function_class_set_metadata (function_class, "Upper case",
      "Writes text in upper case", "A third party");
  gst_orch_function_class_set_caps (function_class,
      gst_caps_from_string ("text/x-raw, format=utf8"),
      gst_caps_from_string ("text/x-raw, format=utf8"));
}

static void
upper_function_init (UpperFunction * self)
{
  self->times = 2;
  self->large = G_MAXINT64 / 2;
  self->share = 0.25;
  self->loud = TRUE;
  self->format = GST_FORMAT_BYTES;
}

static gboolean
plugin_init (GstPlugin * plugin)
{
  return gst_orch_function_register (plugin, "upper",
      upper_function_get_type ());
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, orchthirdparty,
    "A Function of a third party", plugin_init, "1.0", "LGPL", "thirdparty",
    "https://example.org")

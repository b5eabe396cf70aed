/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchpipeline.h"

#include <gst/orch/gstorchcall.h>
#include <gst/orch/gstorchport-private.h>
#include <string.h>

/* ---- walking up ---- */

/* (transfer full) (nullable): the element that feeds `sinkpad`, in whatever bin
 * it is. */
static GstElement *
get_feeder (GstPad * sinkpad)
{
  GstPad *pad = gst_orch_pad_get_feeder (sinkpad);
  GstElement *element = pad ? gst_pad_get_parent_element (pad) : NULL;

  g_clear_pointer (&pad, gst_object_unref);
  return element;
}

static GList *
copy_sink_pads (GstElement * element)
{
  GList *pads;

  GST_OBJECT_LOCK (element);
  pads = g_list_copy (element->sinkpads);
  g_list_foreach (pads, (GFunc) (void (*)(void)) gst_object_ref, NULL);
  GST_OBJECT_UNLOCK (element);
  return pads;
}

static void
visit (GstElement * element, GPtrArray * order, GHashTable * seen)
{
  GList *pads, *l;

  if (!g_hash_table_add (seen, element))
    return;
  pads = copy_sink_pads (element);
  for (l = pads; l; l = l->next) {
    GstElement *feeder = get_feeder (l->data);

    if (feeder) {
      visit (feeder, order, seen);
      gst_object_unref (feeder);
    }
  }
  g_list_free_full (pads, gst_object_unref);
  g_ptr_array_add (order, gst_object_ref (element));
}

GPtrArray *
gst_orch_pipeline_list (GstElement * sink)
{
  GPtrArray *order = g_ptr_array_new_with_free_func (gst_object_unref);
  GHashTable *seen = g_hash_table_new (NULL, NULL);

  visit (sink, order, seen);
  g_hash_table_unref (seen);
  return order;
}

/* ---- properties ---- */

static const gchar *
get_factory_name (GstElement * element)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  return factory ? GST_OBJECT_NAME (factory) : G_OBJECT_TYPE_NAME (element);
}

/* A line may be kept where others can read it. */
static gboolean
is_secret (GParamSpec * pspec)
{
  return strstr (pspec->name, "password") || strstr (pspec->name, "secret")
      || strstr (pspec->name, "token");
}

static gchar *
quote (const gchar * text)
{
  GString *quoted = g_string_new ("\"");

  if (text[0] && !strpbrk (text, " \t\n\"\\'!*?[]{}()$&;|<>~#`")) {
    g_string_free (quoted, TRUE);
    return g_strdup (text);
  }
  for (; *text; text++) {
    if (strchr ("\"\\$`", *text))
      g_string_append_c (quoted, '\\');
    g_string_append_c (quoted, *text);
  }
  g_string_append_c (quoted, '"');
  return g_string_free (quoted, FALSE);
}

static gchar *
print_value (GParamSpec * pspec, const GValue * value)
{
  if (is_secret (pspec))
    return g_strdup ("***");
  if (G_VALUE_HOLDS_STRING (value))
    return g_strdup (g_value_get_string (value));
  if (GST_VALUE_HOLDS_CAPS (value))
    return gst_caps_to_string (gst_value_get_caps (value));
  return gst_value_serialize (value);
}

typedef void (*PropertyFunc) (const gchar * name, const gchar * value,
    gpointer user_data);

/* Those that are set to something else than their default, by name. */
static void
foreach_property (GObject * object, PropertyFunc func, gpointer user_data)
{
  guint i, n;
  GParamSpec **pspecs =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n);

  for (i = 0; i < n; i++) {
    GValue value = G_VALUE_INIT;
    g_autofree gchar *text = NULL;

    if ((pspecs[i]->flags & G_PARAM_READWRITE) != G_PARAM_READWRITE
        || pspecs[i]->owner_type == GST_TYPE_OBJECT
        || pspecs[i]->owner_type == GST_TYPE_PAD)
      continue;
    g_value_init (&value, pspecs[i]->value_type);
    g_object_get_property (object, pspecs[i]->name, &value);
    if (!g_param_value_defaults (pspecs[i], &value))
      text = print_value (pspecs[i], &value);
    if (text)
      func (pspecs[i]->name, text, user_data);
    g_value_unset (&value);
  }
  g_free (pspecs);
}

/* Those of its sink pads, where they are reached as "sink_0::label". */
static void
foreach_pad (GstElement * element, void (*func) (GstPad * pad,
        const gchar * prefix, gpointer user_data), gpointer user_data)
{
  GList *pads, *l;

  if (!GST_IS_CHILD_PROXY (element))
    return;
  pads = copy_sink_pads (element);
  for (l = pads; l; l = l->next) {
    g_autofree gchar *prefix =
        g_strdup_printf ("%s::", GST_OBJECT_NAME (l->data));

    func (l->data, prefix, user_data);
  }
  g_list_free_full (pads, gst_object_unref);
}

/* ---- as a launch line ---- */

typedef struct
{
  GString *line;
  GObjectClass *without;        /* (nullable): what this class has is left out */
  const gchar *prefix;
} Description;

static void
append_property (const gchar * name, const gchar * value, gpointer user_data)
{
  Description *self = user_data;
  g_autofree gchar *quoted = NULL;

  if (self->without && g_object_class_find_property (self->without, name))
    return;
  quoted = quote (value);
  g_string_append_printf (self->line, " %s%s=%s", self->prefix, name, quoted);
}

static void
append_pad (GstPad * pad, const gchar * prefix, gpointer line)
{
  Description description = { line, NULL, prefix };

  foreach_property (G_OBJECT (pad), append_property, &description);
}

/* orchsrc's locations add up, so each is written on its own. */
static void
append_locations (GString * line, GObject * element)
{
  GParamSpec *pspec =
      g_object_class_find_property (G_OBJECT_GET_CLASS (element), "locations");
  g_auto (GStrv) locations = NULL;
  guint i;

  if (!pspec || pspec->value_type != G_TYPE_STRV)
    return;
  g_object_get (element, "locations", &locations, NULL);
  for (i = 0; locations && locations[i]; i++) {
    g_autofree gchar *quoted = quote (locations[i]);

    g_string_append_printf (line, " location=%s", quoted);
  }
}

static void
append_element (GString * line, GstElement * element, gboolean with_name)
{
  const gchar *factory = get_factory_name (element);
  Description description = { line, NULL, "" };
  GstOrchFunction *function = GST_IS_ORCH_CALL (element)
      ? gst_orch_call_get_function (GST_ORCH_CALL (element)) : NULL;

  g_string_append (line, factory);
  if (with_name || !g_str_has_prefix (GST_OBJECT_NAME (element), factory))
    g_string_append_printf (line, " name=%s", GST_OBJECT_NAME (element));
  append_locations (line, G_OBJECT (element));
  foreach_property (G_OBJECT (element), append_property, &description);
  foreach_pad (element, append_pad, line);
  if (function) {
    description.without = G_OBJECT_GET_CLASS (element);
    description.prefix = "function::";
    foreach_property (G_OBJECT (function), append_property, &description);
    gst_object_unref (function);
  }
}

/* One link. */
typedef struct
{
  GstElement *element;          /* that feeds */
  gchar *src;                   /* (nullable): which of its pads does, */
  gchar *sink;                  /* (nullable): and which is fed, where it matters */
} Feeder;

static void
feeder_free (gpointer data)
{
  Feeder *feeder = data;

  gst_object_unref (feeder->element);
  g_free (feeder->src);
  g_free (feeder->sink);
  g_free (feeder);
}

/* (transfer full) (nullable): the pads of elements of ours are not all the same. */
static gchar *
name_pad (GstElement * element, GstPad * pad)
{
  gboolean matters;

  GST_OBJECT_LOCK (element);
  matters = (GST_PAD_IS_SINK (pad) ? element->numsinkpads
      : element->numsrcpads) > 1;
  GST_OBJECT_UNLOCK (element);
  return matters && g_str_has_prefix (get_factory_name (element), "orch")
      ? gst_object_get_name (GST_OBJECT (pad)) : NULL;
}

static Feeder *
feeder_new (GstElement * element, GstPad * sinkpad)
{
  GstPad *pad = gst_orch_pad_get_feeder (sinkpad);
  GstElement *from = pad ? gst_pad_get_parent_element (pad) : NULL;
  Feeder *feeder = NULL;

  if (from) {
    feeder = g_new (Feeder, 1);
    feeder->element = from;
    feeder->src = name_pad (from, pad);
    feeder->sink = name_pad (element, sinkpad);
  }
  g_clear_pointer (&pad, gst_object_unref);
  return feeder;
}

static GPtrArray *
get_feeders (GstElement * element)
{
  GPtrArray *feeders = g_ptr_array_new_with_free_func (feeder_free);
  GList *pads = copy_sink_pads (element), *l;

  for (l = pads; l; l = l->next) {
    Feeder *feeder = feeder_new (element, l->data);

    if (feeder)
      g_ptr_array_add (feeders, feeder);
  }
  g_list_free_full (pads, gst_object_unref);
  return feeders;
}

/* What feeds `element` without standing right ahead of it in the line has to be
 * called by name, and so has the element itself then; and so have pads. */
static GPtrArray *
get_distant_feeders (GPtrArray * elements, guint i, gboolean * follows)
{
  GPtrArray *feeders = get_feeders (g_ptr_array_index (elements, i));
  guint f;

  *follows = FALSE;
  for (f = 0; f < feeders->len && i > 0 && !*follows; f++) {
    Feeder *feeder = g_ptr_array_index (feeders, f);

    *follows = feeder->element == g_ptr_array_index (elements, i - 1)
        && !feeder->src && !feeder->sink;
    if (*follows)
      g_ptr_array_remove_index (feeders, f);
  }
  return feeders;
}

static GHashTable *
find_called (GPtrArray * elements)
{
  GHashTable *called = g_hash_table_new (NULL, NULL);
  guint i, f;

  for (i = 0; i < elements->len; i++) {
    gboolean follows;
    GPtrArray *feeders = get_distant_feeders (elements, i, &follows);

    for (f = 0; f < feeders->len; f++)
      g_hash_table_add (called,
          ((Feeder *) g_ptr_array_index (feeders, f))->element);
    if (feeders->len)
      g_hash_table_add (called, g_ptr_array_index (elements, i));
    g_ptr_array_unref (feeders);
  }
  return called;
}

/* `at_end`: what `i` may follow is the end of the line as it stands. */
static void
append_linked (GString * line, GPtrArray * elements, guint i,
    GHashTable * called, gboolean * at_end)
{
  GstElement *element = g_ptr_array_index (elements, i);
  gboolean follows;
  GPtrArray *feeders = get_distant_feeders (elements, i, &follows);
  guint f;

  if (line->len)
    g_string_append_c (line, ' ');
  if (follows && !*at_end)
    g_string_append_printf (line, "%s. ",
        GST_OBJECT_NAME (g_ptr_array_index (elements, i - 1)));
  if (follows)
    g_string_append (line, "! ");
  append_element (line, element, g_hash_table_contains (called, element));
  for (f = 0; f < feeders->len; f++) {
    Feeder *feeder = g_ptr_array_index (feeders, f);

    g_string_append_printf (line, " %s.%s ! %s.%s",
        GST_OBJECT_NAME (feeder->element), feeder->src ? feeder->src : "",
        GST_OBJECT_NAME (element), feeder->sink ? feeder->sink : "");
  }
  *at_end = feeders->len == 0;
  g_ptr_array_unref (feeders);
}

gchar *
gst_orch_pipeline_describe (GPtrArray * elements)
{
  GHashTable *called = find_called (elements);
  GString *line = g_string_new (NULL);
  gboolean at_end = TRUE;
  guint i;

  for (i = 0; i < elements->len; i++)
    append_linked (line, elements, i, called, &at_end);
  g_hash_table_unref (called);
  return g_string_free (line, FALSE);
}

/* ---- what the results depend on ---- */

static const gchar *const without_effect[] = {
  "queue", "queue2", "multiqueue", "tee", "funnel", NULL
};

/* Of our own elements: where from and where to, how fast and in which order. */
static const gchar *const no_result_depends_on[] = {
  "attempt-timeout", "batch-size", "batching", "blocksize", "do-timestamp",
  "durability", "existing", "files", "function", "interleave", "list", "location",
  "locations", "max-buffers", "max-bytes", "max-open", "max-retries",
  "max-wait", "num-buffers", "order", "pattern", "recovery", "recursive",
  "replicas", "resume-from", "retry-failed", "shard-bytes", "shard-records",
  "shards", "stop-after", "typefind", "window", "workers", NULL
};

typedef struct
{
  GPtrArray *settings;
  gboolean is_ours;
  GObjectClass *without;
  const gchar *prefix;
} Fingerprint;

static void
add_setting (const gchar * name, const gchar * value, gpointer user_data)
{
  Fingerprint *self = user_data;

  if (self->is_ours && g_strv_contains (no_result_depends_on, name))
    return;
  if (self->without && g_object_class_find_property (self->without, name))
    return;
  g_ptr_array_add (self->settings, g_strdup_printf ("%s%s=%s", self->prefix,
          name, value));
}

static void
add_pad_settings (GstPad * pad, const gchar * prefix, gpointer user_data)
{
  Fingerprint fingerprint = *(Fingerprint *) user_data;

  fingerprint.prefix = prefix;
  foreach_property (G_OBJECT (pad), add_setting, &fingerprint);
}

static gint
compare_strings (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const gchar * const *) a, *(const gchar * const *) b);
}

static gchar *
join_settings (const gchar * name, GPtrArray * settings)
{
  GString *text = g_string_new (name);
  guint i;

  g_ptr_array_sort (settings, compare_strings);
  for (i = 0; i < settings->len; i++)
    g_string_append_printf (text, " %s",
        (const gchar *) g_ptr_array_index (settings, i));
  return g_string_free (text, FALSE);
}

/* Both spellings of a Call, `orchcall function=...` and the element of the
 * Function, are the same work. */
gchar *
gst_orch_element_fingerprint (GstElement * element)
{
  const gchar *name = get_factory_name (element);
  GstOrchFunction *function = GST_IS_ORCH_CALL (element)
      ? gst_orch_call_get_function (GST_ORCH_CALL (element)) : NULL;
  Fingerprint fingerprint = { g_ptr_array_new_with_free_func (g_free),
    function || g_str_has_prefix (name, "orch"), NULL, ""
  };
  gchar *text;

  if (function) {
    name = G_OBJECT_TYPE_NAME (function);
    fingerprint.is_ours = FALSE;
    foreach_property (G_OBJECT (function), add_setting, &fingerprint);
    fingerprint.is_ours = TRUE;
    fingerprint.without = G_OBJECT_GET_CLASS (function);
  }
  foreach_property (G_OBJECT (element), add_setting, &fingerprint);
  foreach_pad (element, add_pad_settings, &fingerprint);
  text = g_strv_contains (without_effect, name) ? NULL
      : join_settings (name, fingerprint.settings);
  g_ptr_array_unref (fingerprint.settings);
  g_clear_pointer (&function, gst_object_unref);
  return text;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "collector.h"
#include "notation.h"
#include "patience.h"

typedef struct
{
  gchar *path;
  gchar *text;
  GstBuffer *buffer;            /* (nullable) */
} Result;

struct _Collector
{
  GMutex lock;
  GCond cond;
  GstPad *pad;
  gulong probe;
  GstCaps *caps;
  GPtrArray *results;           /* Result */
  GString *sequence;
  gboolean eos;
};

static void
result_free (gpointer data)
{
  Result *result = data;

  g_free (result->path);
  g_free (result->text);
  gst_clear_buffer (&result->buffer);
  g_free (result);
}

static void
add_result (Collector * self, gchar * path, gchar * text, GstBuffer * buffer)
{
  Result *result = g_new (Result, 1);

  result->path = path;
  result->text = text;
  result->buffer = buffer ? gst_buffer_ref (buffer) : NULL;
  g_mutex_lock (&self->lock);
  g_ptr_array_add (self->results, result);
  g_string_append_printf (self->sequence, "%s ", path);
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
}

static void
check_counts (GstOrchList * list)
{
  const GstOrchListCounts *counts = gst_orch_list_get_counts (list);

  if (counts)
    g_assert_cmpuint (counts->total, ==, counts->present + counts->dropped +
        counts->lost + counts->failed + counts->suppressed);
}

static void
take_buffer (Collector * self, GstBuffer * buffer)
{
  GstOrchEntity *entity = gst_orch_buffer_get_entity (buffer);
  GstOrchList *list = gst_orch_buffer_get_gathered (buffer);
  gchar *path = entity ? gst_orch_entity_get_path (entity) : g_strdup ("?");
  GString *text = g_string_new (NULL);

  g_string_printf (text, "%s ", path);
  notation_append_value (text, buffer, self->caps);
  if (list) {
    check_counts (list);
    notation_append_failures (text, list);
  }
  add_result (self, path, g_string_free (text, FALSE), buffer);
}

static void
take_outcome (Collector * self, const GstStructure * event)
{
  const gchar *path = gst_structure_get_string (event, "path");
  const gchar *outcome = gst_structure_get_string (event, "outcome");
  GString *text = g_string_new (NULL);

  g_string_printf (text, "%s %c", path, g_ascii_toupper (outcome[0]));
  if (gst_structure_has_field (event, "cause-code"))
    notation_append_cause (text,
        gst_structure_get_string (event, "cause-domain"),
        gst_structure_get_string (event, "cause-code"),
        gst_structure_get_string (event, "cause-path"));
  add_result (self, g_strdup (path), g_string_free (text, FALSE), NULL);
}

static void
note_caps (Collector * self, GstEvent * event)
{
  GstCaps *caps;
  g_autofree gchar *text = NULL;

  gst_event_parse_caps (event, &caps);
  gst_caps_replace (&self->caps, caps);
  text = gst_caps_to_string (caps);
  g_string_append_printf (self->sequence, "caps(%s) ", text);
}

static void
take_event (Collector * self, GstEvent * event)
{
  const GstStructure *structure = gst_event_get_structure (event);

  if (structure && gst_structure_has_name (structure, "orch-outcome")) {
    take_outcome (self, structure);
    return;
  }
  if (structure && gst_structure_has_name (structure, "orch-expansion"))
    return;
  g_mutex_lock (&self->lock);
  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS)
    note_caps (self, event);
  else if (GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_DOWNSTREAM)
    g_string_append_printf (self->sequence, "event(%s) ",
        gst_structure_get_name (structure));
  else
    g_string_append_printf (self->sequence, "%s ",
        GST_EVENT_TYPE_NAME (event));
  self->eos |= GST_EVENT_TYPE (event) == GST_EVENT_EOS;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
}

static GstPadProbeReturn
on_data (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    take_buffer (data, GST_PAD_PROBE_INFO_BUFFER (info));
  else
    take_event (data, GST_PAD_PROBE_INFO_EVENT (info));
  return GST_PAD_PROBE_OK;
}

Collector *
collector_new (GstPad * pad)
{
  Collector *self = g_new0 (Collector, 1);

  g_mutex_init (&self->lock);
  g_cond_init (&self->cond);
  self->results = g_ptr_array_new_with_free_func (result_free);
  self->sequence = g_string_new (NULL);
  self->pad = gst_object_ref (pad);
  self->probe = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER |
      GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_EVENT_FLUSH,
      on_data, self, NULL);
  return self;
}

void
collector_free (Collector * self)
{
  gst_pad_remove_probe (self->pad, self->probe);
  gst_object_unref (self->pad);
  gst_clear_caps (&self->caps);
  g_ptr_array_unref (self->results);
  g_string_free (self->sequence, TRUE);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->cond);
  g_free (self);
}

static gint
compare_paths (const gchar * a, const gchar * b)
{
  while (*a && *b) {
    gchar *end_a, *end_b;
    guint64 x = g_ascii_strtoull (a, &end_a, 10);
    guint64 y = g_ascii_strtoull (b, &end_b, 10);

    if (x != y || end_a == a || end_b == b)
      return x < y ? -1 : x > y;
    a = *end_a == '/' ? end_a + 1 : end_a;
    b = *end_b == '/' ? end_b + 1 : end_b;
  }
  return *a ? 1 : *b ? -1 : 0;
}

static gint
compare_results (gconstpointer a, gconstpointer b)
{
  const Result *x = *(Result * const *) a, *y = *(Result * const *) b;

  return compare_paths (x->path, y->path);
}

gchar *
collector_get_results (Collector * self)
{
  GString *text = g_string_new (NULL);
  guint i;

  g_mutex_lock (&self->lock);
  g_ptr_array_sort (self->results, compare_results);
  for (i = 0; i < self->results->len; i++) {
    Result *result = g_ptr_array_index (self->results, i);

    g_string_append_printf (text, "%s%s", i ? "; " : "", result->text);
  }
  g_mutex_unlock (&self->lock);
  return g_string_free (text, FALSE);
}

gchar *
collector_get_sequence (Collector * self)
{
  gchar *text;

  g_mutex_lock (&self->lock);
  text = g_strchomp (g_strdup (self->sequence->str));
  g_mutex_unlock (&self->lock);
  return text;
}

guint
collector_get_n_results (Collector * self)
{
  guint n;

  g_mutex_lock (&self->lock);
  n = self->results->len;
  g_mutex_unlock (&self->lock);
  return n;
}

GstBuffer *
collector_get_buffer (Collector * self, const gchar * path)
{
  GstBuffer *buffer = NULL;
  guint i;

  g_mutex_lock (&self->lock);
  for (i = 0; i < self->results->len && !buffer; i++) {
    Result *result = g_ptr_array_index (self->results, i);

    if (result->buffer && g_str_equal (result->path, path))
      buffer = gst_buffer_ref (result->buffer);
  }
  g_mutex_unlock (&self->lock);
  return buffer;
}

void
collector_clear (Collector * self)
{
  g_mutex_lock (&self->lock);
  g_ptr_array_set_size (self->results, 0);
  g_string_truncate (self->sequence, 0);
  self->eos = FALSE;
  g_mutex_unlock (&self->lock);
}

void
collector_wait (Collector * self, guint n)
{
  gint64 deadline = patience_deadline ();

  g_mutex_lock (&self->lock);
  while (self->results->len < n)
    if (!g_cond_wait_until (&self->cond, &self->lock, deadline))
      g_error ("waited for %u results: %s", n, self->sequence->str);
  g_mutex_unlock (&self->lock);
}

void
collector_wait_eos (Collector * self)
{
  gint64 deadline = patience_deadline ();

  g_mutex_lock (&self->lock);
  while (!self->eos)
    if (!g_cond_wait_until (&self->cond, &self->lock, deadline))
      g_error ("waited for EOS: %s", self->sequence->str);
  g_mutex_unlock (&self->lock);
}

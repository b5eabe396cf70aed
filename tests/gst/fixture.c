/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "fixture.h"

#include <string.h>

gboolean
fixture_needs (const gchar * description)
{
  g_autofree gchar *text = g_strdup_printf ("identity ! %s ! identity",
      description);
  GstParseContext *context = gst_parse_context_new ();
  GstElement *bin = gst_parse_bin_from_description_full (text, FALSE, context,
      GST_PARSE_FLAG_FATAL_ERRORS, NULL);
  g_auto (GStrv) missing = gst_parse_context_get_missing_elements (context);
  g_autofree gchar *names = missing ? g_strjoinv (", ", missing) : NULL;

  gst_parse_context_free (context);
  if (bin)
    gst_object_unref (bin);
  if (names)
    g_test_skip (names);
  return !names;
}

static GPtrArray *
new_samples (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) gst_sample_unref);
}

static GstElement *
launch (const gchar * description)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (description, &error);

  g_assert_no_error (error);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  return pipeline;
}

/* All that comes to the appsink "to"; the pipeline is done then. */
static GPtrArray *
collect (GstElement * pipeline)
{
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "to");
  GPtrArray *samples = new_samples ();
  GstSample *sample;

  while (TRUE) {
    g_signal_emit_by_name (sink, "pull-sample", &sample);
    if (!sample)
      break;
    g_ptr_array_add (samples, sample);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  g_assert_cmpuint (samples->len, >, 0);
  return samples;
}

GPtrArray *
fixture_make (const gchar * description)
{
  g_autofree gchar *text =
      g_strdup_printf ("%s ! appsink name=to sync=false", description);

  return collect (launch (text));
}

GPtrArray *
fixture_convert (const gchar * description, GPtrArray * samples)
{
  g_autofree gchar *text = g_strdup_printf ("appsrc name=from format=time "
      "max-bytes=0 ! %s ! appsink name=to sync=false", description);
  GstElement *pipeline = launch (text);
  GstElement *from = gst_bin_get_by_name (GST_BIN (pipeline), "from");
  GstFlowReturn flow;
  guint i;

  for (i = 0; i < samples->len; i++)
    g_signal_emit_by_name (from, "push-sample", g_ptr_array_index (samples, i),
        &flow);
  g_signal_emit_by_name (from, "end-of-stream", &flow);
  gst_object_unref (from);
  return collect (pipeline);
}

GstSample *
fixture_replace (GstSample * sample, gconstpointer data, gsize size)
{
  GstBuffer *buffer = gst_buffer_new_memdup (data, size);
  GstSample *result;

  gst_buffer_copy_into (buffer, gst_sample_get_buffer (sample),
      GST_BUFFER_COPY_TIMESTAMPS, 0, -1);
  result = gst_sample_new (buffer, gst_sample_get_caps (sample), NULL, NULL);
  gst_buffer_unref (buffer);
  return result;
}

GstSample *
fixture_join (GPtrArray * samples)
{
  GstSample *first = g_ptr_array_index (samples, 0), *result;
  GstBuffer *buffer = gst_buffer_copy (gst_sample_get_buffer (first));
  guint i;

  for (i = 1; i < samples->len; i++)
    buffer = gst_buffer_append (buffer,
        gst_buffer_ref (gst_sample_get_buffer (g_ptr_array_index (samples,
                    i))));
  result = gst_sample_new (buffer, gst_sample_get_caps (first), NULL, NULL);
  gst_buffer_unref (buffer);
  return result;
}

gchar *
fixture_sum (GstBuffer * buffer)
{
  GstMapInfo map;
  gchar *sum;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READ));
  sum = g_compute_checksum_for_data (G_CHECKSUM_SHA1, map.data, map.size);
  gst_buffer_unmap (buffer, &map);
  return sum;
}

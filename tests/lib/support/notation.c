/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "notation.h"

#include <string.h>

static GstBuffer *parse_value (const gchar ** at, GstCaps ** caps);

static void
parse_element (const gchar ** at, GstOrchList * list)
{
  gsize n;

  if (**at == '~') {
    (*at)++;
    gst_orch_list_append_dropped (list, NULL);
  } else if (**at == '!') {
    g_autofree gchar *code = NULL;

    n = strcspn (++*at, ",]");
    code = g_strndup (*at, n);
    *at += n;
    gst_orch_list_append_failed (list, gst_orch_cause_new ("test", code,
            "the list says so"), NULL);
  } else {
    GstCaps *caps;
    GstBuffer *buffer = parse_value (at, &caps);

    gst_orch_list_append (list, buffer, caps, NULL);
    gst_caps_unref (caps);
  }
}

static GstBuffer *
parse_value (const gchar ** at, GstCaps ** caps)
{
  GstOrchList *list;
  gsize n;

  if (**at != '[') {
    n = strcspn (*at, ",]");
    *caps = gst_caps_new_simple ("text/x-raw", "format", G_TYPE_STRING, "utf8",
        NULL);
    *at += n;
    return n ? gst_buffer_new_memdup (*at - n, n) : gst_buffer_new ();
  }
  list = gst_orch_list_new ();
  for ((*at)++; **at != ']'; *at += **at == ',') {
    g_assert_cmpint (**at, !=, '\0');
    parse_element (at, list);
  }
  (*at)++;
  *caps = gst_caps_new_empty_simple (GST_ORCH_LIST_CAPS);
  return gst_orch_list_buffer_new (list);
}

GstBuffer *
notation_parse (const gchar * text, GstCaps ** caps)
{
  GstBuffer *buffer = parse_value (&text, caps);

  g_assert_cmpint (*text, ==, '\0');
  return buffer;
}

gchar *
notation_make_list (guint n, const gchar * element)
{
  GString *list = g_string_new ("[");

  while (n--)
    g_string_append_printf (list, n ? "%s," : "%s", element);
  return g_string_free (g_string_append_c (list, ']'), FALSE);
}

static void
append_list (GString * out, GstOrchList * list, gboolean joined)
{
  guint i, n = gst_orch_list_get_size (list);

  g_string_append_c (out, joined ? '{' : '[');
  for (i = 0; i < n; i++) {
    const GstOrchListElement *element = gst_orch_list_get (list, i);

    if (i)
      g_string_append_c (out, ',');
    if (joined)
      g_string_append_printf (out, "%s:", element->name);
    if (element->outcome == GST_ORCH_OUTCOME_PRESENT)
      notation_append_value (out, element->buffer, element->caps);
    else
      g_string_append_c (out, '-');
  }
  g_string_append_c (out, joined ? '}' : ']');
}

static gboolean
is_of (GstCaps * caps, const gchar * media_type)
{
  return caps && gst_caps_get_size (caps) > 0
      && gst_structure_has_name (gst_caps_get_structure (caps, 0), media_type);
}

void
notation_append_value (GString * out, GstBuffer * buffer, GstCaps * caps)
{
  GstOrchList *list = gst_orch_buffer_get_list (buffer);
  GstMapInfo map;

  if (list) {
    append_list (out, list, is_of (caps, GST_ORCH_ITEMS_CAPS));
  } else if (!is_of (caps, "text/x-raw")) {
    g_string_append_c (out, '*');
  } else {
    g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READ));
    g_string_append_len (out, (gchar *) map.data, map.size);
    gst_buffer_unmap (buffer, &map);
  }
}

void
notation_append_cause (GString * out, const gchar * domain,
    const gchar * code, const gchar * path)
{
  g_string_append_printf (out, " %s:%s@%s", domain, code, path ? path : "");
}

static gchar
outcome_letter (const GstOrchListFailure * failure)
{
  switch (failure->outcome) {
    case GST_ORCH_OUTCOME_DROPPED:
      return 'L';
    case GST_ORCH_OUTCOME_FAILED:
      return 'F';
    case GST_ORCH_OUTCOME_SUPPRESSED:
      return 'S';
    default:
      return '?';
  }
}

void
notation_append_failures (GString * out, GstOrchList * list)
{
  guint i;

  for (i = 0; i < gst_orch_list_get_n_failures (list); i++) {
    const GstOrchListFailure *failure = gst_orch_list_get_failure (list, i);
    g_autofree gchar *path = gst_orch_entity_get_path (failure->entity);
    GstOrchCause *cause = failure->cause;

    g_string_append_printf (out, " %s %c", path, outcome_letter (failure));
    notation_append_cause (out, gst_orch_cause_get_domain (cause),
        gst_orch_cause_get_code (cause), gst_orch_cause_get_path (cause));
  }
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "random-value.h"

Value *
value_new (guint64 hash)
{
  Value *value = g_slice_new0 (Value);

  value->refs = 1;
  value->hash = hash;
  return value;
}

Value *
value_new_list (guint64 hash)
{
  Value *list = value_new (hash);

  list->elements = g_array_new (FALSE, FALSE, sizeof (Element));
  return list;
}

Value *
value_ref (Value * value)
{
  value->refs++;
  return value;
}

void
value_unref (gpointer data)
{
  Value *value = data;
  guint i;

  if (!value || --value->refs > 0)
    return;
  for (i = 0; i < value_get_n (value); i++)
    value_unref (value_get (value, i)->value);
  if (value->elements)
    g_array_unref (value->elements);
  if (value->failures)
    g_ptr_array_unref (value->failures);
  g_slice_free (Value, value);
}

void
value_add (Value * list, OrchOutcome outcome, Value * value)
{
  Element element = { outcome, value };

  g_array_append_val (list->elements, element);
  list->hash = mix (mix (list->hash, outcome), value ? value->hash : 0);
}

void
value_add_failure (Value * list, const gchar * path)
{
  if (!list->failures)
    list->failures = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (list->failures, g_strdup (path));
  list->hash = mix (list->hash, g_str_hash (path));
}

void
value_take_failures (Value * list, const Value * value)
{
  guint i;

  for (i = 0; value->failures && i < value->failures->len; i++)
    value_add_failure (list, g_ptr_array_index (value->failures, i));
}

guint
value_get_n (const Value * list)
{
  return list->elements ? list->elements->len : 0;
}

const Element *
value_get (const Value * list, guint i)
{
  return &g_array_index (list->elements, Element, i);
}

static void
append (GString * text, const Value * value)
{
  guint i;

  if (!value->elements) {
    g_string_append_printf (text, "%04x", (guint) (value->hash & 0xffff));
    return;
  }
  g_string_append_c (text, '[');
  for (i = 0; i < value_get_n (value); i++) {
    if (i)
      g_string_append_c (text, ' ');
    if (value_get (value, i)->value)
      append (text, value_get (value, i)->value);
    else
      g_string_append_c (text,
          value_get (value, i)->outcome == ORCH_OUTCOME_DROPPED ? 'D' : 'F');
  }
  g_string_append_c (text, ']');
  for (i = 0; value->failures && i < value->failures->len; i++)
    g_string_append_printf (text, "%s%s", i ? " " : "!",
        (const gchar *) g_ptr_array_index (value->failures, i));
}

gchar *
value_to_string (const Value * value)
{
  GString *text = g_string_new (NULL);

  append (text, value);
  return g_string_free (text, FALSE);
}

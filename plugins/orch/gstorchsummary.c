/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchsummary.h"

#include <string.h>

typedef struct
{
  const gchar *domain;          /* interned, like `code` */
  const gchar *code;
  gchar *message;
  guint64 count;
  guint n_examples;
  gchar *examples[GST_ORCH_SUMMARY_MAX_EXAMPLES];
} Group;

struct _GstOrchSummary
{
  guint64 n_records;
  guint64 n_complete;
  guint64 n_failed;
  GPtrArray *groups;
};

static void
group_free (gpointer data)
{
  Group *group = data;
  guint i;

  for (i = 0; i < group->n_examples; i++)
    g_free (group->examples[i]);
  g_free (group->message);
  g_free (group);
}

GstOrchSummary *
gst_orch_summary_new (void)
{
  GstOrchSummary *summary = g_new0 (GstOrchSummary, 1);

  summary->groups = g_ptr_array_new_with_free_func (group_free);
  return summary;
}

void
gst_orch_summary_free (GstOrchSummary * summary)
{
  if (!summary)
    return;
  g_ptr_array_unref (summary->groups);
  g_free (summary);
}

static Group *
add_group (GstOrchSummary * summary, const gchar * domain, const gchar * code,
    const gchar * message)
{
  Group *group = g_new0 (Group, 1);

  group->domain = domain;
  group->code = code;
  group->message = g_strdup (message);
  g_ptr_array_add (summary->groups, group);
  return group;
}

static Group *
find_group (GstOrchSummary * summary, OrchCause * cause)
{
  const gchar *domain = cause ? cause->domain : ORCH_CAUSE_DOMAIN;
  const gchar *code = cause ? cause->code : "unknown";
  guint i;

  for (i = 0; i < summary->groups->len; i++) {
    Group *group = g_ptr_array_index (summary->groups, i);

    if (strcmp (group->code, code) == 0 && strcmp (group->domain, domain) == 0)
      return group;
  }
  if (summary->groups->len < GST_ORCH_SUMMARY_MAX_GROUPS - 1)
    return add_group (summary, domain, code,
        cause ? cause->message : "No cause is known.");
  if (summary->groups->len < GST_ORCH_SUMMARY_MAX_GROUPS)
    return add_group (summary, ORCH_CAUSE_DOMAIN, "others", "Other causes.");
  return g_ptr_array_index (summary->groups, summary->groups->len - 1);
}

static void
count_failure (GstOrchSummary * summary, OrchCause * cause, const gchar * id)
{
  Group *group = find_group (summary, cause);

  group->count++;
  if (group->n_examples < GST_ORCH_SUMMARY_MAX_EXAMPLES)
    group->examples[group->n_examples++] = g_strdup (id);
}

void
gst_orch_summary_add (GstOrchSummary * summary, const GstOrchResult * result,
    const GstOrchRecord * record)
{
  GstOrchMembers members;
  guint i;

  summary->n_records++;
  if (record->complete) {
    summary->n_complete++;
    return;
  }
  if (result->outcome != ORCH_OUTCOME_PRESENT)
    count_failure (summary, result->cause, record->id);
  gst_orch_members_init (&members, result);
  for (i = 0; i < members.failures->len; i++) {
    const GstOrchFailure *failure =
        &g_array_index (members.failures, GstOrchFailure, i);

    count_failure (summary, failure->cause, failure->id);
  }
  if (result->outcome != ORCH_OUTCOME_PRESENT || members.counts.present == 0)
    summary->n_failed++;
  gst_orch_members_clear (&members);
}

guint64
gst_orch_summary_get_n_records (GstOrchSummary * summary)
{
  return summary->n_records;
}

guint64
gst_orch_summary_get_n_complete (GstOrchSummary * summary)
{
  return summary->n_complete;
}

guint64
gst_orch_summary_get_n_failed (GstOrchSummary * summary)
{
  return summary->n_failed;
}

gchar *
gst_orch_summary_describe_commonest (GstOrchSummary * summary)
{
  const Group *commonest = NULL;
  guint i;

  for (i = 0; i < summary->groups->len; i++) {
    const Group *group = g_ptr_array_index (summary->groups, i);

    if (!commonest || group->count > commonest->count)
      commonest = group;
  }
  if (!commonest)
    return g_strdup ("unknown");
  return g_strdup_printf ("%s/%s (%" G_GUINT64_FORMAT " times, first in %s): %s",
      commonest->domain, commonest->code, commonest->count,
      commonest->examples[0], commonest->message);
}

static void
append_string (GValue * list, const gchar * text)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_STRING);
  g_value_set_string (&value, text);
  gst_value_list_append_and_take_value (list, &value);
}

static GstStructure *
group_to_structure (const Group * group)
{
  GstStructure *structure = gst_structure_new ("failure",
      "domain", G_TYPE_STRING, group->domain,
      "code", G_TYPE_STRING, group->code,
      "message", G_TYPE_STRING, group->message,
      "count", G_TYPE_UINT64, group->count, NULL);
  GValue examples = G_VALUE_INIT;
  guint i;

  g_value_init (&examples, GST_TYPE_LIST);
  for (i = 0; i < group->n_examples; i++)
    append_string (&examples, group->examples[i]);
  gst_structure_take_value (structure, "examples", &examples);
  return structure;
}

GstStructure *
gst_orch_summary_to_structure (GstOrchSummary * summary, const gchar * name)
{
  GstStructure *structure = gst_structure_new (name,
      "documents", G_TYPE_UINT64, summary->n_records,
      "complete", G_TYPE_UINT64, summary->n_complete,
      "incomplete", G_TYPE_UINT64, summary->n_records - summary->n_complete,
      NULL);
  GValue failures = G_VALUE_INIT;
  guint i;

  g_value_init (&failures, GST_TYPE_LIST);
  for (i = 0; i < summary->groups->len; i++) {
    GValue value = G_VALUE_INIT;

    g_value_init (&value, GST_TYPE_STRUCTURE);
    g_value_take_boxed (&value,
        group_to_structure (g_ptr_array_index (summary->groups, i)));
    gst_value_list_append_and_take_value (&failures, &value);
  }
  gst_structure_take_value (structure, "failures", &failures);
  return structure;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchplan-private.h"

/* A plan for programs.  Members are added, never renamed. */

typedef struct
{
  GString *text;
  gboolean follows;             /* a comma goes before the next value */
} Writer;

static void
append_string (GString * text, const gchar * string)
{
  g_string_append_c (text, '"');
  for (; *string; string++) {
    if (*string == '"' || *string == '\\')
      g_string_append_printf (text, "\\%c", *string);
    else if ((guchar) * string < 0x20)
      g_string_append_printf (text, "\\u%04x", *string);
    else
      g_string_append_c (text, *string);
  }
  g_string_append_c (text, '"');
}

/* `key` is NULL in an array. */
static void
begin_value (Writer * self, const gchar * key)
{
  if (self->follows)
    g_string_append_c (self->text, ',');
  self->follows = TRUE;
  if (!key)
    return;
  append_string (self->text, key);
  g_string_append_c (self->text, ':');
}

static void
add_string (Writer * self, const gchar * key, const gchar * string)
{
  begin_value (self, key);
  if (string)
    append_string (self->text, string);
  else
    g_string_append (self->text, "null");
}

static void
add_boolean (Writer * self, const gchar * key, gboolean value)
{
  begin_value (self, key);
  g_string_append (self->text, value ? "true" : "false");
}

static void
begin (Writer * self, const gchar * key, gchar bracket)
{
  begin_value (self, key);
  g_string_append_c (self->text, bracket);
  self->follows = FALSE;
}

static void
end (Writer * self, gchar bracket)
{
  g_string_append_c (self->text, bracket);
  self->follows = TRUE;
}

/* ---- the parts ---- */

static void
add_domain_name (Writer * self, const gchar * key, GstOrchPlanDomain * domain)
{
  add_string (self, key, domain ? domain->name : NULL);
}

static void
add_domain (Writer * self, GstOrchPlan * plan, GstOrchPlanDomain * domain)
{
  begin (self, NULL, '{');
  add_string (self, "name", domain->name);
  add_domain_name (self, "parent", domain->parent);
  add_boolean (self, "root", domain->is_root);
  add_string (self, "opened-by", domain->opener ? domain->opener->name : NULL);
  end (self, '}');
}

static void
add_input (Writer * self, GstOrchPlanInput * input)
{
  guint i;

  begin (self, NULL, '{');
  add_string (self, "pad", input->name);
  add_domain_name (self, "domain", input->domain);
  begin (self, "from", '[');
  for (i = 0; i < input->from->len; i++) {
    GstOrchPlanOutput *output = g_ptr_array_index (input->from, i);
    g_autofree gchar *name =
        g_strdup_printf ("%s:%s", output->node->name, output->name);

    add_string (self, NULL, name);
  }
  end (self, ']');
  begin (self, "through", '[');
  for (i = 0; i < input->between->len; i++)
    add_string (self, NULL, g_ptr_array_index (input->between, i));
  end (self, ']');
  add_boolean (self, "complete", input->is_complete);
  end (self, '}');
}

static void
add_output (Writer * self, GstOrchPlanOutput * output)
{
  begin (self, NULL, '{');
  add_string (self, "pad", output->name);
  add_domain_name (self, "domain", output->domain);
  add_boolean (self, "linked", output->is_consumed);
  end (self, '}');
}

static void
add_node (Writer * self, GstOrchPlanNode * node)
{
  guint i;

  begin (self, NULL, '{');
  add_string (self, "name", node->name);
  add_string (self, "kind", gst_orch_plan_kind_get_nick (node->kind));
  add_string (self, "function", node->function);
  add_domain_name (self, "domain", node->domain);
  begin (self, "inputs", '[');
  for (i = 0; i < node->inputs->len; i++)
    add_input (self, g_ptr_array_index (node->inputs, i));
  end (self, ']');
  begin (self, "outputs", '[');
  for (i = 0; i < node->outputs->len; i++)
    add_output (self, g_ptr_array_index (node->outputs, i));
  end (self, ']');
  end (self, '}');
}

static void
add_pair (Writer * self, GstOrchPlanNode * expand, GstOrchPlanNode * reduce)
{
  begin (self, NULL, '{');
  add_string (self, "expand", expand->name);
  add_string (self, "reduce", reduce->name);
  end (self, '}');
}

static void
add_pairs (Writer * self, GstOrchPlan * plan)
{
  guint i;

  begin (self, "pairs", '[');
  for (i = 0; i < plan->nodes->len; i++) {
    GstOrchPlanNode *node = g_ptr_array_index (plan->nodes, i);

    if (node->kind == GST_ORCH_PLAN_REDUCE && node->domain
        && node->domain->opener
        && node->domain->opener->kind == GST_ORCH_PLAN_EXPAND)
      add_pair (self, node->domain->opener, node);
  }
  end (self, ']');
}

static void
add_findings (Writer * self, GstOrchPlan * plan, const gchar * key,
    gboolean errors)
{
  guint i;

  begin (self, key, '[');
  for (i = 0; i < plan->findings->len; i++) {
    GstOrchPlanFinding *finding = g_ptr_array_index (plan->findings, i);

    if (finding->is_error != errors)
      continue;
    begin (self, NULL, '{');
    add_string (self, "element", finding->name);
    add_string (self, "message", finding->message);
    add_string (self, "advice", finding->advice);
    end (self, '}');
  }
  end (self, ']');
}

/**
 * gst_orch_plan_to_json:
 * @plan: a plan
 *
 * Returns: (transfer full): a JSON object: `pipeline`, `complete`, `domains`,
 *   `elements`, `pairs` of an expansion and its gather, `errors` and `warnings`
 *
 * Since: 0.1
 */
gchar *
gst_orch_plan_to_json (GstOrchPlan * plan)
{
  Writer self = { g_string_new (NULL), };
  guint i;

  begin (&self, NULL, '{');
  add_string (&self, "pipeline", plan->name);
  add_boolean (&self, "complete", plan->is_complete);
  begin (&self, "domains", '[');
  for (i = 0; i < plan->domains->len; i++)
    add_domain (&self, plan, g_ptr_array_index (plan->domains, i));
  end (&self, ']');
  begin (&self, "elements", '[');
  for (i = 0; i < plan->nodes->len; i++)
    add_node (&self, g_ptr_array_index (plan->nodes, i));
  end (&self, ']');
  add_pairs (&self, plan);
  add_findings (&self, plan, "errors", TRUE);
  add_findings (&self, plan, "warnings", FALSE);
  end (&self, '}');
  return g_string_free (self.text, FALSE);
}

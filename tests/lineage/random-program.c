/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "random-program.h"

#include <stdarg.h>

#define BIT(i) (1u << (i))

void
program_init (Program * program, guint n_roots)
{
  *program = (Program) {
    .n_roots = n_roots,
    .max_fanout = MAX_FANOUT,
    .fixed_fanout = -1,
    .n_domains = 1,
  };
  program_add (program, NODE_SOURCE, ROOT_DOMAIN, 0);
}

guint
program_add (Program * program, NodeKind kind, guint domain, guint n_inputs,
    ...)
{
  guint i, index = program->n_nodes++;
  Node *node = &program->nodes[index];
  va_list inputs;

  g_assert (index < MAX_NODES);
  *node = (Node) {
    .kind = kind,
    .uid = index,
    .domain = domain,
    .n_inputs = n_inputs,
    .max_failed = -1,
    .max_share = 1.0,
  };
  va_start (inputs, n_inputs);
  for (i = 0; i < n_inputs; i++)
    node->inputs[i] = va_arg (inputs, guint);
  va_end (inputs);
  return index;
}

guint
program_add_expand (Program * program, guint list)
{
  guint domain = program->n_domains++;

  program->domains[domain].parent = program->nodes[list].domain;
  program->domains[domain].driver = program->n_nodes;
  return program_add (program, NODE_EXPAND, domain, 1, list);
}

static guint
get_level (const Program * program, const Node * node)
{
  guint below = node->n_inputs ? program->nodes[node->inputs[0]].level : 0;

  switch (node->kind) {
    case NODE_CALL:
      return node->makes_list;
    case NODE_FILTER:
    case NODE_BROADCAST:
      return below;
    case NODE_EXPAND:
      return below - 1;
    case NODE_REDUCE:
      return below + 1;
    default:
      return 0;
  }
}

/* S5.2a: what `like` names gives a broadcast its Domain and nothing else. */
static guint32
get_depends (const Program * program, guint index)
{
  const Node *node = &program->nodes[index];
  guint32 depends = BIT (index);
  guint i, n = node->kind == NODE_BROADCAST ? 1 : node->n_inputs;

  for (i = 0; i < n; i++)
    depends |= program->nodes[node->inputs[i]].depends;
  if (node->domain != ROOT_DOMAIN && node->kind != NODE_EXPAND)
    depends |= program->nodes[program->domains[node->domain].driver].depends;
  return depends;
}

void
program_finish (Program * program)
{
  guint i, j;

  for (i = 0; i < program->n_domains; i++)
    program->domains[i].n_slots = 0;
  for (i = 0; i < program->n_nodes; i++) {
    Node *node = &program->nodes[i];

    node->level = get_level (program, node);
    node->slot = program->domains[node->domain].n_slots++;
    node->depends = get_depends (program, i);
    node->consumers = 0;
    for (j = 0; j < node->n_inputs; j++)
      program->nodes[node->inputs[j]].consumers |= BIT (i);
  }
}

gboolean
program_is_list (const Program * program, guint node)
{
  return program->nodes[node].level > 0;
}

gboolean
program_is_above (const Program * program, guint ancestor, guint domain)
{
  while (domain != ancestor && domain != ROOT_DOMAIN)
    domain = program->domains[domain].parent;
  return domain == ancestor;
}

guint32
program_get_guards (const Program * program, guint reduce)
{
  const Node *node = &program->nodes[reduce];
  guint below = program->nodes[node->inputs[0]].domain;
  guint32 guards = 0;
  guint i;

  for (i = 0; i < program->n_nodes; i++)
    if (node->depends & BIT (i) && program->nodes[i].kind == NODE_CALL
        && program->nodes[i].can_group_fail
        && program->nodes[i].domain == below)
      guards |= BIT (i);
  return guards;
}

void
program_remove (Program * program, guint index)
{
  guint i, j;

  for (i = index + 1; i < program->n_nodes; i++) {
    program->nodes[i - 1] = program->nodes[i];
    for (j = 0; j < program->nodes[i - 1].n_inputs; j++)
      if (program->nodes[i - 1].inputs[j] > index)
        program->nodes[i - 1].inputs[j]--;
  }
  program->n_nodes--;
  for (i = 1; i < program->n_domains; i++)
    if (program->domains[i].driver > index)
      program->domains[i].driver--;
  program_finish (program);
}

/* ---- for people ---- */

static void
print_reduce (const Node * node)
{
  static const gchar *const modes[] = {
    "suppress-parent", "skip", "placeholder"
  };

  g_printerr (" %s", modes[node->mode]);
  if (node->max_failed >= 0)
    g_printerr (" max-failed %d", node->max_failed);
  if (node->max_share < 1.0)
    g_printerr (" max-failed %.2f", node->max_share);
}

static void
print_node (const Program * program, guint index)
{
  static const gchar *const kinds[] = {
    "source", "call", "filter", "broadcast", "join", "expand", "reduce"
  };
  const Node *node = &program->nodes[index];
  guint i;

  g_printerr ("  n%u = %s (", index, kinds[node->kind]);
  for (i = 0; i < node->n_inputs; i++)
    g_printerr ("%sn%u%s", i ? ", " : "", node->inputs[i],
        node->optional[i] ? "?" : "");
  g_printerr (") in Domain %u", node->domain);
  if (node->makes_list)
    g_printerr (" makes lists");
  if (node->can_group_fail)
    g_printerr (" can group-fail");
  if (node->is_stream)
    g_printerr (" from streams");
  if (node->kind == NODE_REDUCE)
    print_reduce (node);
  g_printerr (" [uid %u]\n", node->uid);
}

const gchar *
fate_get_name (Fate fate)
{
  static const gchar *const names[] = {
    "present", "drop", "record", "group", "untyped", "untyped-once", "left-out"
  };

  return names[fate];
}

void
program_print (const Program * program)
{
  gchar *story = oracle_tell (program);
  guint i;

  g_printerr ("%u documents, lists of at most %u, of 1,000 Grains:",
      program->n_roots, program->max_fanout);
  for (i = FATE_DROP; i < N_FATES; i++)
    if (program->permille[i])
      g_printerr (" %s %u", fate_get_name (i), program->permille[i]);
  g_printerr ("; elements %u, masks %u\n", program->permille_elements,
      program->permille_masks);
  for (i = 0; i < program->n_nodes; i++)
    print_node (program, i);
  g_printerr ("  Grains:%s\n", story);
  g_free (story);
}

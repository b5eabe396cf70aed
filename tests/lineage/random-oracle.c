/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "random-program.h"

/* What a program must give, straight from the rules, one node after the other: no
 * batches, no attempts, no order.  Shares no rule with the core. */

typedef struct
{
  guint parent;
  guint64 hash;
  gchar *path;
} Entity;

/* The children of one parent in one Domain. */
typedef struct
{
  OrchExpansionState state;
  guint first;
  guint n;
} Children;

typedef struct
{
  const Program *program;
  GArray *entities[MAX_DOMAINS];        /* Entity */
  Children *children[MAX_DOMAINS];      /* by parent */
  Item *items[MAX_NODES];       /* by Entity */
  gboolean *barred[MAX_NODES];  /* CALL: by parent */
  GString *story;               /* (nullable): what its Grains meet, for people */
} Oracle;

static Entity *
get_entity (const Oracle * oracle, guint domain, guint i)
{
  return &g_array_index (oracle->entities[domain], Entity, i);
}

static Item
copy_of (const Item * item)
{
  return (Item) {
  item->outcome, item->value ? value_ref (item->value) : NULL};
}

static gboolean
is_bad (OrchOutcome outcome)
{
  return outcome == ORCH_OUTCOME_FAILED || outcome == ORCH_OUTCOME_SUPPRESSED;
}

/* S2 of inputs that are all known: PRESENT when the node is to run. */
static OrchOutcome
look_at_inputs (const Oracle * oracle, guint index, guint entity,
    Value ** values)
{
  const Node *node = &oracle->program->nodes[index];
  gboolean any_dropped = FALSE;
  guint i;

  for (i = 0; i < node->n_inputs; i++) {
    const Item *input = &oracle->items[node->inputs[i]][entity];

    if (is_bad (input->outcome))
      return ORCH_OUTCOME_SUPPRESSED;
    if (input->outcome == ORCH_OUTCOME_DROPPED && !node->optional[i])
      any_dropped = TRUE;
    values[i] = input->value;
  }
  return any_dropped ? ORCH_OUTCOME_DROPPED : ORCH_OUTCOME_PRESENT;
}

static Item
run_call (Oracle * oracle, guint index, guint entity)
{
  Entity *self = get_entity (oracle, oracle->program->nodes[index].domain,
      entity);
  Value *values[MAX_INPUTS] = { NULL, };
  Item item = { look_at_inputs (oracle, index, entity, values), NULL };
  Fate fate = program_get_fate (oracle->program, index, self->hash);

  if (item.outcome != ORCH_OUTCOME_PRESENT)
    return item;
  if (oracle->story && fate != FATE_PRESENT)
    g_string_append_printf (oracle->story, " n%u %s %s,", index, self->path,
        fate_get_name (fate));
  switch (fate) {
    case FATE_PRESENT:
    case FATE_UNTYPED_ONCE:
      item.value = program_make_value (oracle->program, index, self->hash,
          values);
      break;
    case FATE_DROP:
      item.outcome = ORCH_OUTCOME_DROPPED;
      break;
    case FATE_GROUP:
      if (oracle->program->nodes[index].domain != ROOT_DOMAIN)
        oracle->barred[index][self->parent] = TRUE;
      /* fall through */
    default:
      item.outcome = ORCH_OUTCOME_FAILED;
      break;
  }
  return item;
}

static Item
run_source (Oracle * oracle, guint index, guint entity)
{
  Value *none = NULL;
  guint64 hash = get_entity (oracle, ROOT_DOMAIN, entity)->hash;

  return (Item) {
  ORCH_OUTCOME_PRESENT, program_make_value (oracle->program, index, hash,
        &none)};
}

static Item
run_join (Oracle * oracle, guint index, guint entity)
{
  Value *values[MAX_INPUTS] = { NULL, };
  Item item = { look_at_inputs (oracle, index, entity, values), NULL };

  if (item.outcome == ORCH_OUTCOME_PRESENT)
    item.value = program_join (oracle->program, index, values);
  return item;
}

/* S3.4 */
static Item
run_filter (Oracle * oracle, guint index, guint entity)
{
  const Node *node = &oracle->program->nodes[index];
  const Item *source = &oracle->items[node->inputs[0]][entity];
  const Item *mask = &oracle->items[node->inputs[1]][entity];
  guint64 hash = get_entity (oracle, node->domain, entity)->hash;

  if (source->outcome != ORCH_OUTCOME_PRESENT)
    return copy_of (source);
  if (mask->outcome != ORCH_OUTCOME_PRESENT)
    return copy_of (mask);
  switch (program_get_mask (oracle->program, index, hash, mask->value)) {
    case ORCH_MASK_TRUE:
      return copy_of (source);
    case ORCH_MASK_FALSE:
      return (Item) {
      ORCH_OUTCOME_DROPPED, NULL};
    default:
      return (Item) {
      ORCH_OUTCOME_FAILED, NULL};
  }
}

/* S3.5 */
static Item
run_broadcast (Oracle * oracle, guint index, guint entity)
{
  const Node *node = &oracle->program->nodes[index];
  guint domain = node->domain;
  guint above = oracle->program->nodes[node->inputs[0]].domain;

  for (; domain != above; domain = oracle->program->domains[domain].parent)
    entity = get_entity (oracle, domain, entity)->parent;
  return copy_of (&oracle->items[node->inputs[0]][entity]);
}

/* ---- children ---- */

static void
add_child (Oracle * oracle, guint domain, guint parent, guint ordinal)
{
  const Entity *above = get_entity (oracle,
      oracle->program->domains[domain].parent, parent);
  Entity child = { parent, path_hash (above->hash, ordinal),
    g_strdup_printf ("%s/%u", above->path, ordinal)
  };

  g_array_append_val (oracle->entities[domain], child);
}

/* S2.5, S3.1 */
static Children
open_parent (Oracle * oracle, guint index, guint parent)
{
  const Node *node = &oracle->program->nodes[index];
  const Item *list = &oracle->items[node->inputs[0]][parent];
  guint above = oracle->program->nodes[node->inputs[0]].domain;
  guint i, breaks = program_get_break (oracle->program, index,
      get_entity (oracle, above, parent)->hash);
  Children children = { ORCH_EXPANSION_FAILED,
    oracle->entities[node->domain]->len, 0
  };

  if (list->outcome == ORCH_OUTCOME_DROPPED)
    children.state = ORCH_EXPANSION_DROPPED;
  if (list->outcome != ORCH_OUTCOME_PRESENT)
    return children;
  if (breaks == G_MAXUINT)
    children.state = ORCH_EXPANSION_SUCCEEDED;
  children.n = MIN (value_get_n (list->value), breaks);
  for (i = 0; i < children.n; i++)
    add_child (oracle, node->domain, parent, i);
  return children;
}

static void
run_expand (Oracle * oracle, guint index)
{
  const Node *node = &oracle->program->nodes[index];
  guint above = oracle->program->nodes[node->inputs[0]].domain;
  guint i, j, n = oracle->entities[above]->len;

  oracle->entities[node->domain] = g_array_new (FALSE, FALSE, sizeof (Entity));
  oracle->children[node->domain] = g_new (Children, n);
  for (i = 0; i < n; i++)
    oracle->children[node->domain][i] = open_parent (oracle, index, i);
  oracle->items[index] = g_new (Item, oracle->entities[node->domain]->len);
  for (i = 0; i < n; i++) {
    const Children *children = &oracle->children[node->domain][i];

    for (j = 0; j < children->n; j++) {
      const Element *element =
          value_get (oracle->items[node->inputs[0]][i].value, j);
      Item item = { element->outcome, element->value };

      oracle->items[index][children->first + j] = copy_of (&item);
    }
  }
}

/* ---- gathering (S3.6) ---- */

static gboolean
has_barrier (const Oracle * oracle, guint reduce, guint parent)
{
  guint32 guards = program_get_guards (oracle->program, reduce);
  guint i;

  for (i = 0; i < oracle->program->n_nodes; i++)
    if (guards & (1u << i) && oracle->barred[i][parent])
      return TRUE;
  return FALSE;
}

/* A failed or suppressed member, or a present one that has no value. */
static gboolean
is_failed_member (const Item * member, const Item * value)
{
  return is_bad (member->outcome) || (member->outcome == ORCH_OUTCOME_PRESENT
      && value->outcome != ORCH_OUTCOME_PRESENT);
}

static gboolean
has_too_many (const Node * node, guint n_failed, guint n)
{
  if (node->mode == ORCH_ON_FAILED_SUPPRESS_PARENT)
    return n_failed > 0;
  return (node->max_failed >= 0 && n_failed > (guint) node->max_failed)
      || (node->max_share < 1.0 && n_failed > node->max_share * n);
}

static Item
gather (Oracle * oracle, guint index, guint parent)
{
  const Node *node = &oracle->program->nodes[index];
  guint below = oracle->program->nodes[node->inputs[0]].domain;
  const Children *children = &oracle->children[below][parent];
  Item item = { ORCH_OUTCOME_PRESENT, value_new_list (node->uid) };
  guint i, n_failed = 0;

  if (children->state == ORCH_EXPANSION_FAILED)
    value_add_failure (item.value, get_entity (oracle, node->domain,
            parent)->path);
  for (i = children->first; i < children->first + children->n; i++) {
    const Item *value = &oracle->items[node->inputs[0]][i];
    const Item *member = &oracle->items[node->inputs[node->n_inputs - 1]][i];

    if (is_failed_member (member, value)) {
      n_failed++;
      value_add_failure (item.value, get_entity (oracle, below, i)->path);
      if (node->mode == ORCH_ON_FAILED_PLACEHOLDER)
        value_add (item.value, ORCH_OUTCOME_FAILED, NULL);
    } else if (member->outcome == ORCH_OUTCOME_PRESENT) {
      value_take_failures (item.value, value->value);
      value_add (item.value, ORCH_OUTCOME_PRESENT, value_ref (value->value));
    }
  }
  if (has_too_many (node, n_failed, children->n)) {
    value_unref (item.value);
    item = (Item) {
    ORCH_OUTCOME_SUPPRESSED, NULL};
  }
  return item;
}

static Item
run_reduce (Oracle * oracle, guint index, guint parent)
{
  const Node *node = &oracle->program->nodes[index];
  guint below = oracle->program->nodes[node->inputs[0]].domain;
  const Children *children = &oracle->children[below][parent];
  gboolean failed = children->state == ORCH_EXPANSION_FAILED;

  if (children->state == ORCH_EXPANSION_DROPPED)
    return (Item) {
    ORCH_OUTCOME_DROPPED, NULL};
  if ((failed && (children->n == 0
              || node->mode == ORCH_ON_FAILED_SUPPRESS_PARENT))
      || has_barrier (oracle, index, parent))
    return (Item) {
    ORCH_OUTCOME_SUPPRESSED, NULL};
  return gather (oracle, index, parent);
}

/* ---- everything ---- */

static void
run_node (Oracle * oracle, guint index)
{
  typedef Item (*Run) (Oracle * oracle, guint index, guint entity);
  static const Run runs[] = {
    [NODE_SOURCE] = run_source,
    [NODE_CALL] = run_call,
    [NODE_FILTER] = run_filter,
    [NODE_BROADCAST] = run_broadcast,
    [NODE_JOIN] = run_join,
    [NODE_REDUCE] = run_reduce,
  };
  const Node *node = &oracle->program->nodes[index];
  guint i, n;

  if (node->kind == NODE_EXPAND) {
    run_expand (oracle, index);
    return;
  }
  n = oracle->entities[node->domain]->len;
  oracle->items[index] = g_new (Item, n);
  if (node->kind == NODE_CALL && node->domain != ROOT_DOMAIN)
    oracle->barred[index] = g_new0 (gboolean,
        oracle->entities[oracle->program->domains[node->domain].parent]->len);
  for (i = 0; i < n; i++)
    oracle->items[index][i] = runs[node->kind] (oracle, index, i);
}

static void
add_roots (Oracle * oracle)
{
  guint i;

  oracle->entities[ROOT_DOMAIN] = g_array_new (FALSE, FALSE, sizeof (Entity));
  for (i = 0; i < oracle->program->n_roots; i++) {
    Entity root = { 0, path_hash (0, i), g_strdup_printf ("%u", i) };

    g_array_append_val (oracle->entities[ROOT_DOMAIN], root);
  }
}

static void
clear_items (Item * items, guint n)
{
  guint i;

  for (i = 0; i < n; i++)
    value_unref (items[i].value);
  g_free (items);
}

static void
clear (Oracle * oracle)
{
  guint i, j;

  for (i = 0; i < oracle->program->n_nodes; i++) {
    guint domain = oracle->program->nodes[i].domain;

    g_free (oracle->barred[i]);
    if (domain != ROOT_DOMAIN)
      clear_items (oracle->items[i], oracle->entities[domain]->len);
  }
  for (i = 0; i < MAX_DOMAINS; i++) {
    for (j = 0; oracle->entities[i] && j < oracle->entities[i]->len; j++)
      g_free (get_entity (oracle, i, j)->path);
    g_clear_pointer (&oracle->entities[i], g_array_unref);
    g_free (oracle->children[i]);
  }
}

static Results *
run (const Program * program, GString * story)
{
  Oracle oracle = { program, };
  Results *results = g_new0 (Results, 1);
  guint i;

  oracle.story = story;
  add_roots (&oracle);
  for (i = 0; i < program->n_nodes; i++)
    run_node (&oracle, i);
  for (i = 0; i < program->n_nodes; i++)
    if (program->nodes[i].domain == ROOT_DOMAIN)
      results->items[i] = oracle.items[i];
  for (i = 0; i < MAX_DOMAINS; i++)
    if (oracle.entities[i])
      results->n_entities += oracle.entities[i]->len;
  clear (&oracle);
  return results;
}

Results *
oracle_run (const Program * program)
{
  return run (program, NULL);
}

gchar *
oracle_tell (const Program * program)
{
  GString *story = g_string_new (NULL);

  results_free (program, run (program, story));
  return g_string_free (story, FALSE);
}

void
results_free (const Program * program, Results * results)
{
  guint i;

  for (i = 0; i < program->n_nodes; i++)
    if (results->items[i])
      clear_items (results->items[i], program->n_roots);
  g_free (results);
}

gchar *
item_to_string (OrchOutcome outcome, const Value * value)
{
  gchar *text, *list;

  if (!value)
    return g_strdup (orch_outcome_get_name (outcome));
  list = value_to_string (value);
  text = g_strdup_printf ("%s %s #%016" G_GINT64_MODIFIER "x",
      orch_outcome_get_name (outcome), list, value->hash);
  g_free (list);
  return text;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "random-program.h"

/* What Functions do: fixed by the program, the node and the Entity, never by the
 * schedule. */

enum
{
  CHOOSE_FATE,
  CHOOSE_VALUE,
  CHOOSE_FANOUT,
  CHOOSE_MASK,
  CHOOSE_BREAK,
  CHOOSE_ELEMENT
};

guint64
path_hash (guint64 parent, guint64 ordinal)
{
  return mix (parent, ordinal + 1);
}

static guint64
choose (const Program * program, guint what, guint node, guint64 path)
{
  return mix (mix (mix (program->seed, what), program->nodes[node].uid), path);
}

static guint64
hash_text (const gchar * path)
{
  gchar **ordinals = g_strsplit (path, "/", -1);
  guint64 hash = 0;
  guint i;

  for (i = 0; ordinals[i]; i++)
    hash = path_hash (hash, g_ascii_strtoull (ordinals[i], NULL, 10));
  g_strfreev (ordinals);
  return hash;
}

static const Exception *
find_exception (const Program * program, guint node, guint64 path)
{
  guint i;

  for (i = 0; i < program->n_exceptions; i++)
    if (program->exceptions[i].uid == program->nodes[node].uid
        && hash_text (program->exceptions[i].path) == path)
      return &program->exceptions[i];
  return NULL;
}

static Fate
draw_fate (const Program * program, guint node, guint64 path)
{
  guint drawn = choose (program, CHOOSE_FATE, node, path) % 1000;
  Fate fate;

  for (fate = FATE_DROP; fate < N_FATES; fate++) {
    if (drawn < program->permille[fate])
      return fate;
    drawn -= program->permille[fate];
  }
  return FATE_PRESENT;
}

Fate
program_get_fate (const Program * program, guint node, guint64 path)
{
  const Exception *exception = find_exception (program, node, path);
  Fate fate = exception ? exception->fate : draw_fate (program, node, path);

  if (fate == FATE_GROUP && !program->nodes[node].can_group_fail)
    return FATE_RECORD;
  return fate;
}

/* Few children mostly, and now and then many. */
static guint
get_fanout (const Program * program, guint node, guint64 path)
{
  guint64 drawn = choose (program, CHOOSE_FANOUT, node, path);
  guint most = drawn % 10 < 8 ? 4 : MAX_FANOUT;

  if (program->fixed_fanout >= 0)
    return program->fixed_fanout;
  return (drawn >> 8) % (MIN (most, program->max_fanout) + 1);
}

static void
add_element (const Program * program, Value * list, guint64 hash)
{
  OrchOutcome outcome = ORCH_OUTCOME_PRESENT;
  Value *value = NULL;

  if (mix (hash, CHOOSE_ELEMENT) % 1000 < program->permille_elements)
    outcome = hash % 2 ? ORCH_OUTCOME_DROPPED : ORCH_OUTCOME_FAILED;
  if (outcome == ORCH_OUTCOME_PRESENT)
    value = value_new (hash);
  value_add (list, outcome, value);
}

static guint64
hash_inputs (const Program * program, guint node, Value ** inputs)
{
  guint64 hash = program->nodes[node].uid;
  guint i;

  for (i = 0; i < program->nodes[node].n_inputs; i++)
    hash = mix (hash, inputs[i] ? inputs[i]->hash : 0);
  return hash;
}

Value *
program_make_value (const Program * program, guint node, guint64 path,
    Value ** inputs)
{
  guint64 hash = mix (choose (program, CHOOSE_VALUE, node, path),
      hash_inputs (program, node, inputs));
  Value *list;
  guint i, n;

  if (!program->nodes[node].makes_list)
    return value_new (hash);
  list = value_new_list (hash);
  n = get_fanout (program, node, path);
  for (i = 0; i < n; i++)
    add_element (program, list, mix (hash, i));
  return list;
}

Value *
program_join (const Program * program, guint node, Value ** inputs)
{
  return value_new (hash_inputs (program, node, inputs));
}

OrchMask
program_get_mask (const Program * program, guint node, guint64 path,
    const Value * mask)
{
  const Exception *exception = find_exception (program, node, path);
  guint64 drawn = mix (choose (program, CHOOSE_MASK, node, 0), mask->hash);

  if (exception)
    return exception->fate == FATE_DROP ? ORCH_MASK_FALSE : ORCH_MASK_TRUE;
  if (drawn % 1000 >= program->permille_masks)
    return ORCH_MASK_TRUE;
  return (drawn >> 12) % 10 ? ORCH_MASK_FALSE : ORCH_MASK_NOT_A_BOOLEAN;
}

guint
program_get_break (const Program * program, guint expand, guint64 path)
{
  guint64 drawn = choose (program, CHOOSE_BREAK, expand, path);

  if (!program->nodes[expand].is_stream || drawn % 4)
    return G_MAXUINT;
  return (drawn >> 8) % 4;
}

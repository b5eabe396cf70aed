/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "orch-ordinal-set.h"

#include <string.h>

#define ALL G_MAXUINT64
#define BIT(i) (G_GUINT64_CONSTANT (1) << (i))

void
orch_ordinal_set_init (OrchOrdinalSet * set)
{
  memset (set, 0, sizeof (OrchOrdinalSet));
}

void
orch_ordinal_set_clear (OrchOrdinalSet * set)
{
  g_free (set->words);
  orch_ordinal_set_init (set);
}

/* Each word is moved once for every time it is at least doubled, or for every
 * word that has left in front of it. */
static void
grow (OrchOrdinalSet * set, guint n_words)
{
  if (set->head + n_words > set->n_allocated) {
    if (n_words > set->n_allocated / 2) {
      set->n_allocated = MAX (4, 2 * n_words);
      set->words = g_renew (guint64, set->words, set->n_allocated);
    }
    memmove (set->words, set->words + set->head,
        set->n_words * sizeof (guint64));
    set->head = 0;
  }
  memset (set->words + set->head + set->n_words, 0,
      (n_words - set->n_words) * sizeof (guint64));
  set->n_words = n_words;
}

static void
advance (OrchOrdinalSet * set)
{
  while (set->first == ALL) {
    set->base += 64;
    set->first = 0;
    if (set->n_words > 0) {
      set->first = set->words[set->head++];
      if (--set->n_words == 0)
        set->head = 0;
    }
  }
}

gboolean
orch_ordinal_set_add (OrchOrdinalSet * set, guint64 ordinal)
{
  guint64 *word = &set->first;
  guint64 index;

  if (ordinal < set->base)
    return FALSE;

  index = (ordinal - set->base) / 64;
  if (index > 0) {
    if (index > set->n_words)
      grow (set, index);
    word = &set->words[set->head + index - 1];
  }
  if (*word & BIT (ordinal % 64))
    return FALSE;

  *word |= BIT (ordinal % 64);
  if (set->first == ALL)
    advance (set);
  return TRUE;
}

/* What the set holds of the 64 ordinals from base + 64 * index on. */
static guint64
get_word (const OrchOrdinalSet * set, guint64 index)
{
  if (index == 0)
    return set->first;
  if (index <= set->n_words)
    return set->words[set->head + index - 1];
  return 0;
}

gboolean
orch_ordinal_set_contains (const OrchOrdinalSet * set, guint64 ordinal)
{
  if (ordinal < set->base)
    return TRUE;
  return (get_word (set, (ordinal - set->base) / 64) & BIT (ordinal % 64)) != 0;
}

guint64
orch_ordinal_set_next_missing (const OrchOrdinalSet * set, guint64 from)
{
  guint64 index, missing;

  if (from < set->base)
    from = set->base;
  index = (from - set->base) / 64;
  missing = ~get_word (set, index) & (ALL << (from % 64));
  while (missing == 0)
    missing = ~get_word (set, ++index);
  return set->base + index * 64 + __builtin_ctzll (missing);
}

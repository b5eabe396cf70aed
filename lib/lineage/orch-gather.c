/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "orch-gather.h"

#include <string.h>

typedef struct
{
  gpointer value;               /* owned, until it is stolen */
  OrchCause *cause;             /* owned; of the member, or of its value where that decides */
  guint8 member;                /* OrchOutcome */
  guint8 value_outcome;         /* OrchOutcome */
} Child;

struct _OrchGather
{
  OrchOnFailed mode;
  gboolean separate_members;
  gboolean held;
  gboolean complete;            /* it would be present if it were not held */
  GDestroyNotify free_value;
  guint64 max_failed;
  gdouble max_failed_share;

  OrchExpansionState expansion;
  OrchCause *expansion_cause;
  OrchOutcome outcome;
  OrchCause *cause;

  Child *children;              /* ordinals 0 .. n_known - 1 */
  guint64 n_known;
  guint64 n_allocated;
  guint64 n_children;           /* once the Expansion is closed */
  guint64 n_members;            /* that are terminal */
  guint64 n_failed;             /* members, and values of present members */
  guint64 cursor;               /* below it no survivor's value is open */
  guint64 n_reads;
};

OrchGather *
orch_gather_new (OrchOnFailed mode, gboolean separate_members,
    GDestroyNotify free_value)
{
  OrchGather *gather = g_slice_new0 (OrchGather);

  gather->mode = mode;
  gather->separate_members = separate_members;
  gather->free_value = free_value;
  gather->max_failed = G_MAXUINT64;
  gather->max_failed_share = 1.0;
  return gather;
}

static void
drop_value (OrchGather * gather, gpointer value)
{
  if (value && gather->free_value)
    gather->free_value (value);
}

static void
drop_values (OrchGather * gather)
{
  guint64 i;

  for (i = 0; i < gather->n_known; i++) {
    gpointer value = gather->children[i].value;

    gather->children[i].value = NULL;
    drop_value (gather, value);
  }
}

void
orch_gather_free (OrchGather * gather)
{
  guint64 i;

  if (!gather)
    return;
  drop_values (gather);
  for (i = 0; i < gather->n_known; i++)
    orch_cause_unref (gather->children[i].cause);
  g_free (gather->children);
  orch_cause_unref (gather->expansion_cause);
  orch_cause_unref (gather->cause);
  g_slice_free (OrchGather, gather);
}

void
orch_gather_set_max_failed (OrchGather * gather, guint64 count, gdouble share)
{
  gather->max_failed = count;
  gather->max_failed_share = share;
}

/* ---- deciding (S3.6) ---- */

static void
end (OrchGather * gather, OrchOutcome outcome, OrchCause * cause)
{
  gather->outcome = outcome;
  gather->cause = cause ? orch_cause_ref (cause) : NULL;
  if (outcome != ORCH_OUTCOME_PRESENT)
    drop_values (gather);
}

static gboolean
is_closed (const OrchGather * gather)
{
  return gather->expansion != ORCH_EXPANSION_OPEN;
}

/* A value that is missing where the member is present. */
static gboolean
lacks_value (const Child * child)
{
  return child->member == ORCH_OUTCOME_PRESENT
      && child->value_outcome > ORCH_OUTCOME_PRESENT;
}

static gboolean
has_too_many_failed (const OrchGather * gather)
{
  if (gather->n_failed > gather->max_failed)
    return TRUE;
  return is_closed (gather) && gather->max_failed_share < 1.0
      && gather->n_failed > gather->max_failed_share * gather->n_children;
}

/* (nullable): of the failed member of the lowest ordinal, as far as is known. */
static OrchCause *
find_failure (const OrchGather * gather)
{
  guint64 i;

  for (i = 0; i < gather->n_known; i++)
    if (orch_outcome_is_failing (gather->children[i].member)
        || lacks_value (&gather->children[i]))
      return gather->children[i].cause;
  return NULL;
}

/* (transfer full) */
static gchar *
describe_too_many_failed (const OrchGather * gather)
{
  GString *text = g_string_new (NULL);
  OrchCause *first = find_failure (gather);

  g_string_printf (text, "%" G_GUINT64_FORMAT, gather->n_failed);
  if (is_closed (gather))
    g_string_append_printf (text, " of %" G_GUINT64_FORMAT,
        gather->n_children);
  g_string_append (text, (is_closed (gather) ? gather->n_children
          : gather->n_failed) == 1 ? " member" : " members");
  g_string_append (text, " failed, more than max-failed=");
  if (gather->max_failed < G_MAXUINT64)
    g_string_append_printf (text, "%" G_GUINT64_FORMAT, gather->max_failed);
  else
    g_string_append_printf (text, "%g", gather->max_failed_share);
  g_string_append (text, " allows");
  if (first)
    g_string_append_printf (text, "; the first%s%s: %s",
        first->path ? ", " : "", first->path ? first->path : "",
        first->message);
  return g_string_free (text, FALSE);
}

static void
end_with_too_many_failed (OrchGather * gather)
{
  gchar *message = describe_too_many_failed (gather);
  OrchCause *cause = orch_cause_new (ORCH_CAUSE_DOMAIN, ORCH_CODE_MAX_FAILED,
      message, NULL, NULL);

  end (gather, ORCH_OUTCOME_SUPPRESSED, cause);
  orch_cause_unref (cause);
  g_free (message);
}

static void
complete (OrchGather * gather)
{
  gather->complete = TRUE;
  if (!gather->held)
    end (gather, ORCH_OUTCOME_PRESENT, NULL);
}

/* All members are known; in ordinal order, so that an open value hides what
 * comes behind it whatever the order of arrival. */
static void
look_at_values (OrchGather * gather)
{
  for (; gather->cursor < gather->n_children; gather->cursor++) {
    const Child *child = &gather->children[gather->cursor];

    gather->n_reads++;
    if (child->member != ORCH_OUTCOME_PRESENT)
      continue;
    if (child->value_outcome == ORCH_OUTCOME_UNRESOLVED)
      return;
    if (gather->mode == ORCH_ON_FAILED_SUPPRESS_PARENT && lacks_value (child)) {
      end (gather, ORCH_OUTCOME_SUPPRESSED, child->cause);
      return;
    }
  }
  complete (gather);
}

static void
decide (OrchGather * gather)
{
  if (has_too_many_failed (gather))
    end_with_too_many_failed (gather);
  else if (!is_closed (gather) || gather->n_members < gather->n_children)
    return;
  else if (gather->separate_members)
    look_at_values (gather);
  else
    complete (gather);
}

/* ---- facts ---- */

/* (nullable): the child that a fact is about */
static Child *
get_child (OrchGather * gather, guint64 ordinal)
{
  if (gather->outcome != ORCH_OUTCOME_UNRESOLVED
      || (is_closed (gather) && ordinal >= gather->n_children))
    return NULL;

  if (ordinal >= gather->n_known) {
    guint64 n = ordinal + 1;

    if (n > gather->n_allocated) {
      guint64 enough = MAX (n, MAX (16, 2 * gather->n_allocated));

      if (is_closed (gather))
        enough = MIN (MAX (enough, 256), gather->n_children);
      gather->n_allocated = enough;
      gather->children = g_renew (Child, gather->children, enough);
    }
    memset (gather->children + gather->n_known, 0,
        (n - gather->n_known) * sizeof (Child));
    gather->n_known = n;
  }
  return &gather->children[ordinal];
}

static void
set_cause (Child * child, OrchCause * cause)
{
  OrchCause *old = child->cause;

  child->cause = cause ? orch_cause_ref (cause) : NULL;
  orch_cause_unref (old);
}

/* The cause that stands for a dropped value of a present member. */
static void
set_cause_value_dropped (Child * child)
{
  OrchCause *why = child->cause;
  gchar *message = g_strconcat ("the value of a present member was dropped",
      why ? ": " : NULL, why ? why->message : NULL, NULL);
  OrchCause *cause = orch_cause_new (ORCH_CAUSE_DOMAIN, ORCH_CODE_VALUE_DROPPED,
      message, why ? why->path : NULL, why ? why->call : NULL);

  set_cause (child, cause);
  orch_cause_unref (cause);
  g_free (message);
}

/* Called with the second of the two facts. */
static void
count_if_value_lacks (OrchGather * gather, Child * child)
{
  if (!lacks_value (child))
    return;
  gather->n_failed++;
  if (child->value_outcome == ORCH_OUTCOME_DROPPED)
    set_cause_value_dropped (child);
}

/* Facts about ordinals that the Expansion turned out not to have. */
static void
forget_beyond (OrchGather * gather, guint64 n_children)
{
  while (gather->n_known > n_children) {
    Child *child = &gather->children[--gather->n_known];

    if (child->member != ORCH_OUTCOME_UNRESOLVED)
      gather->n_members--;
    if (orch_outcome_is_failing (child->member) || lacks_value (child))
      gather->n_failed--;
    drop_value (gather, child->value);
    orch_cause_unref (child->cause);
  }
}

gboolean
orch_gather_expansion (OrchGather * gather, OrchExpansionState state,
    guint64 n_children, OrchCause * cause)
{
  if (gather->outcome != ORCH_OUTCOME_UNRESOLVED || is_closed (gather)
      || state == ORCH_EXPANSION_OPEN)
    return FALSE;

  if (state == ORCH_EXPANSION_DROPPED)
    n_children = 0;
  forget_beyond (gather, n_children);
  gather->expansion = state;
  gather->n_children = n_children;
  gather->expansion_cause = cause ? orch_cause_ref (cause) : NULL;

  if (state == ORCH_EXPANSION_DROPPED)
    end (gather, ORCH_OUTCOME_DROPPED, cause);
  else if (state == ORCH_EXPANSION_FAILED && (n_children == 0
          || gather->mode == ORCH_ON_FAILED_SUPPRESS_PARENT))
    end (gather, ORCH_OUTCOME_SUPPRESSED, cause);
  else
    decide (gather);
  return TRUE;
}

/* A member's fact.  The value of one that does not survive is not kept, but for
 * what comes along with a failure: it names the child. */
static void
add_member (OrchGather * gather, Child * child, OrchOutcome outcome,
    OrchCause * cause)
{
  child->member = outcome;
  gather->n_members++;
  gather->n_reads++;
  if (outcome == ORCH_OUTCOME_PRESENT) {
    count_if_value_lacks (gather, child);
    return;
  }

  set_cause (child, cause);
  if (gather->separate_members || outcome == ORCH_OUTCOME_DROPPED) {
    drop_value (gather, child->value);
    child->value = NULL;
  }
  if (orch_outcome_is_failing (outcome)) {
    gather->n_failed++;
    if (gather->mode == ORCH_ON_FAILED_SUPPRESS_PARENT)
      end (gather, ORCH_OUTCOME_SUPPRESSED, cause);
  }
}

gboolean
orch_gather_member (OrchGather * gather, guint64 ordinal, OrchOutcome outcome,
    OrchCause * cause)
{
  Child *child;

  g_return_val_if_fail (gather->separate_members, FALSE);

  if (outcome == ORCH_OUTCOME_UNRESOLVED)
    return FALSE;
  child = get_child (gather, ordinal);
  if (!child || child->member != ORCH_OUTCOME_UNRESOLVED)
    return FALSE;

  add_member (gather, child, outcome, cause);
  if (gather->outcome == ORCH_OUTCOME_UNRESOLVED)
    decide (gather);
  return TRUE;
}

static gboolean
is_value_wanted (const Child * child)
{
  return child->value_outcome != ORCH_OUTCOME_DROPPED
      && child->member <= ORCH_OUTCOME_PRESENT;
}

gboolean
orch_gather_value (OrchGather * gather, guint64 ordinal, OrchOutcome outcome,
    OrchCause * cause, gpointer value)
{
  Child *child = NULL;

  if (outcome != ORCH_OUTCOME_UNRESOLVED)
    child = get_child (gather, ordinal);
  if (!child || child->value_outcome != ORCH_OUTCOME_UNRESOLVED) {
    drop_value (gather, value);
    return FALSE;
  }

  child->value_outcome = outcome;
  if (!is_value_wanted (child)) {
    drop_value (gather, value);
    value = NULL;
  }
  child->value = value;

  if (!gather->separate_members) {
    add_member (gather, child, outcome, cause);
  } else {
    gather->n_reads++;
    if (child->member <= ORCH_OUTCOME_PRESENT)
      set_cause (child, cause);
    count_if_value_lacks (gather, child);
  }
  if (gather->outcome == ORCH_OUTCOME_UNRESOLVED)
    decide (gather);
  return TRUE;
}

void
orch_gather_hold (OrchGather * gather)
{
  gather->held = TRUE;
}

void
orch_gather_release (OrchGather * gather)
{
  gather->held = FALSE;
  if (gather->outcome == ORCH_OUTCOME_UNRESOLVED && gather->complete)
    complete (gather);
}

gboolean
orch_gather_is_complete (const OrchGather * gather)
{
  return gather->complete;
}

gboolean
orch_gather_barrier (OrchGather * gather, OrchCause * cause)
{
  if (gather->outcome != ORCH_OUTCOME_UNRESOLVED)
    return FALSE;
  end (gather, ORCH_OUTCOME_SUPPRESSED, cause);
  return TRUE;
}

/* ---- reading ---- */

gboolean
orch_gather_has_value (const OrchGather * gather, guint64 ordinal)
{
  return ordinal < gather->n_known
      && gather->children[ordinal].value_outcome != ORCH_OUTCOME_UNRESOLVED;
}

OrchOutcome
orch_gather_get_outcome (const OrchGather * gather)
{
  return gather->outcome;
}

OrchCause *
orch_gather_get_cause (const OrchGather * gather)
{
  return gather->cause;
}

OrchExpansionState
orch_gather_get_expansion (const OrchGather * gather, guint64 * n_children,
    OrchCause ** cause)
{
  if (n_children)
    *n_children = gather->n_children;
  if (cause)
    *cause = gather->expansion_cause;
  return gather->expansion;
}

gboolean
orch_gather_lacks_members (const OrchGather * gather)
{
  return !is_closed (gather) || gather->n_members < gather->n_children;
}

guint64
orch_gather_get_n_reads (const OrchGather * gather)
{
  return gather->n_reads;
}

guint64
orch_gather_get_n_children (const OrchGather * gather)
{
  return is_closed (gather) ? gather->n_children : gather->n_known;
}

void
orch_gather_get_child (const OrchGather * gather, guint64 ordinal,
    OrchGatherChild * child)
{
  const Child *known;

  memset (child, 0, sizeof (OrchGatherChild));
  child->ordinal = ordinal;
  if (ordinal >= gather->n_known)
    return;

  known = &gather->children[ordinal];
  child->outcome = known->member;
  if (known->member == ORCH_OUTCOME_PRESENT) {
    child->outcome = known->value_outcome;
    if (known->value_outcome == ORCH_OUTCOME_DROPPED
        && gather->separate_members)
      child->outcome = ORCH_OUTCOME_FAILED;
  }
  if (child->outcome != ORCH_OUTCOME_UNRESOLVED)
    child->cause = known->cause;
  child->value = known->value;
}

gpointer
orch_gather_steal_value (OrchGather * gather, guint64 ordinal)
{
  gpointer value;

  if (ordinal >= gather->n_known)
    return NULL;
  value = gather->children[ordinal].value;
  gather->children[ordinal].value = NULL;
  return value;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "lineage/orch-lineage.h"

/* Thousands of random histories of a Call, beside a model of it that keeps its
 * queue in one array and finds everything by looking through it.  Each Grain is
 * freed the moment it is handed back. */

/* Whose children run: 0 .. 2 documents with pages, 3 the run with its documents,
 * 4 and 5 pages of documents 0 and 1 with their lines. */
#define N_PARENTS 6
#define ROOTS 3
#define LINES 4
#define MAX_SET 16

typedef struct
{
  OrchGrain grain;
  guint id;
} Record;

/* A Grain as the model knows it. */
typedef struct
{
  Record *record;               /* NULL once it was handed back */
  guint parent;
  guint generation;
  guint n_lost;
} Unit;

/* A fresh Grain in the queue, or a recovery batch there, or one in flight. */
typedef struct
{
  GArray *ids;                  /* guint; of a batch in flight NO_ID once sealed */
  gboolean recovery;
  gboolean split;
  guint attempts;
  guint64 epoch;
  OrchBatch *batch;
} Entry;

#define NO_ID G_MAXUINT

typedef struct
{
  GRand *rand;
  OrchDomain *documents;
  OrchDomain *pages;
  OrchDomain *lines;
  OrchExpansion *roots;
  OrchExpansion *lists[N_PARENTS];
  OrchCall *call;
  OrchGrainList sealed;

  GArray *units;                /* Unit, by id */
  GPtrArray *queue;             /* Entry */
  GPtrArray *batches;           /* Entry */
  gboolean barriers[N_PARENTS];
  gboolean old_barriers[N_PARENTS];     /* of the last epoch, and nothing came since */
  gboolean unwanted[N_PARENTS];
  OrchBatching batching;
  OrchRecovery recovery;
  guint max_retries;
  guint64 epoch;
  guint64 n_refused;
  GString *expected;            /* what must have been handed back */
} Model;

static Unit *
get_unit (Model * model, guint id)
{
  return &g_array_index (model->units, Unit, id);
}

static guint
get_id (const Entry * entry, guint i)
{
  return g_array_index (entry->ids, guint, i);
}

static Entry *
get_entry (GPtrArray * entries, guint i)
{
  return g_ptr_array_index (entries, i);
}

static Entry *
entry_new (void)
{
  Entry *entry = g_new0 (Entry, 1);

  entry->ids = g_array_new (FALSE, FALSE, sizeof (guint));
  return entry;
}

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_array_unref (entry->ids);
  g_free (entry);
}

static gint
draw (Model * model, gint n)
{
  return g_rand_int_range (model->rand, 0, n);
}

/* ---- what is not to run ---- */

static gboolean
is_unwanted (Model * model, guint parent)
{
  return model->unwanted[parent] || model->unwanted[ROOTS]
      || (parent >= LINES && model->unwanted[parent - LINES]);
}

static gboolean
is_covered (Model * model, guint id)
{
  guint parent = get_unit (model, id)->parent;

  return model->barriers[parent] || is_unwanted (model, parent);
}

static void
unwant (Model * model)
{
  guint parent = draw (model, N_PARENTS);
  OrchCause *cause;

  if (parent == ROOTS && draw (model, 4))
    return;
  cause = orch_cause_new ("test", "unwanted", "m", NULL, NULL);
  model->unwanted[parent] = TRUE;
  orch_call_unwant (model->call, model->lists[parent], cause);
  orch_cause_unref (cause);
}

/* ---- what is handed back ---- */

static void
expect (Model * model, guint id, OrchOutcome outcome)
{
  g_string_append_printf (model->expected, "%u%c ", id,
      orch_outcome_get_name (outcome)[0]);
}

static void
compare_sealed (Model * model)
{
  GString *text = g_string_new (NULL);
  OrchGrain *grain;

  while ((grain = orch_grain_list_pop (&model->sealed))) {
    Record *record = (Record *) grain;
    Unit *unit = get_unit (model, record->id);

    g_string_append_printf (text, "%u%c ", record->id,
        orch_outcome_get_name (grain->outcome)[0]);
    g_assert_true (unit->record == record);
    g_assert_cmpint (grain->phase == ORCH_GRAIN_SEALED, ==,
        grain->outcome != ORCH_OUTCOME_UNRESOLVED);
    g_assert_cmpint (grain->cause != NULL, ==,
        grain->outcome >= ORCH_OUTCOME_FAILED);
    if (grain->outcome != ORCH_OUTCOME_UNRESOLVED)
      g_assert_cmpuint (grain->generation, ==, unit->generation);
    unit->record = NULL;
    orch_grain_clear (grain);
    g_free (record);
  }
  g_assert_cmpstr (text->str, ==, model->expected->str);
  g_string_free (text, TRUE);
  g_string_truncate (model->expected, 0);
}

static void
compare_counts (Model * model)
{
  guint i, j, n_ready = 0, n_in_flight = 0;
  gboolean any_recovery = FALSE;

  for (i = 0; i < model->queue->len; i++) {
    n_ready += get_entry (model->queue, i)->ids->len;
    any_recovery |= get_entry (model->queue, i)->recovery;
  }
  for (i = 0; i < model->batches->len; i++) {
    Entry *batch = get_entry (model->batches, i);

    for (j = 0; j < batch->ids->len; j++) {
      if (get_id (batch, j) == NO_ID)
        continue;
      n_in_flight++;
      if (batch->epoch == model->epoch)
        g_assert_cmpint (orch_call_get_cover (orch_call_get_key (model->call),
                batch->batch->grains[j]) != NULL, ==, is_covered (model,
                get_id (batch, j)));
    }
  }
  g_assert_cmpuint (orch_call_get_n_ready (model->call), ==, n_ready);
  g_assert_cmpuint (orch_call_get_n_in_flight (model->call), ==, n_in_flight);
  g_assert_cmpint (orch_call_has_recovery (model->call), ==, any_recovery);
  g_assert_cmpuint (orch_call_get_n_refused (model->call), ==,
      model->n_refused);
  for (i = 0; i < N_PARENTS; i++)
    if (!model->old_barriers[i])
      g_assert_cmpint (orch_call_get_barrier (orch_call_get_key (model->call),
              model->lists[i]) != NULL, ==, model->barriers[i]);
}

/* ---- entering ---- */

static void
enter (Model * model)
{
  static const OrchOutcome inputs[] = {
    ORCH_OUTCOME_DROPPED, ORCH_OUTCOME_FAILED, ORCH_OUTCOME_SUPPRESSED
  };
  Record *record = g_new (Record, 1);
  Unit unit = { record, draw (model, N_PARENTS), };
  OrchOutcome input = ORCH_OUTCOME_PRESENT;
  OrchCause *cause = orch_cause_new ("test", "input", "m", NULL, NULL);
  OrchEntity *entity;

  entity = orch_expansion_next_child (model->lists[unit.parent]);
  model->old_barriers[unit.parent] = FALSE;
  record->id = model->units->len;
  g_array_append_val (model->units, unit);
  if (draw (model, 10) == 0)
    input = inputs[draw (model, 3)];

  if (is_covered (model, record->id)) {
    expect (model, record->id, ORCH_OUTCOME_SUPPRESSED);
  } else if (input == ORCH_OUTCOME_PRESENT) {
    Entry *entry = entry_new ();

    g_array_append_val (entry->ids, record->id);
    g_ptr_array_add (model->queue, entry);
  } else {
    expect (model, record->id, input == ORCH_OUTCOME_DROPPED ? input :
        ORCH_OUTCOME_SUPPRESSED);
  }

  orch_grain_init (&record->grain, entity);
  orch_grain_set_entered (&record->grain, record->id);
  orch_call_enter (model->call, &record->grain, input,
      input >= ORCH_OUTCOME_FAILED ? cause : NULL, &model->sealed);
  orch_cause_unref (cause);
}

/* ---- dispatching ---- */

static void
take (Model * model, Entry * batch, guint id)
{
  if (is_covered (model, id))
    expect (model, id, ORCH_OUTCOME_SUPPRESSED);
  else
    g_array_append_val (batch->ids, id);
}

/* One pass over the front of the queue; the batch may come out empty. */
static Entry *
reserve_once (Model * model, guint max)
{
  Entry *batch = entry_new (), *first = get_entry (model->queue, 0);
  guint i, parent = get_unit (model, get_id (first, 0))->parent;

  if (first->recovery) {
    batch->split = first->split;
    batch->attempts = first->attempts;
    for (i = 0; i < first->ids->len; i++)
      take (model, batch, get_id (first, i));
    g_ptr_array_remove_index (model->queue, 0);
    return batch;
  }
  for (i = 0; i < model->queue->len && batch->ids->len < max;) {
    Entry *entry = get_entry (model->queue, i);

    if (entry->recovery)
      break;
    if (model->batching == ORCH_BATCHING_SIBLINGS
        && get_unit (model, get_id (entry, 0))->parent != parent) {
      i++;
      continue;
    }
    take (model, batch, get_id (entry, 0));
    g_ptr_array_remove_index (model->queue, i);
  }
  return batch;
}

static void
reserve (Model * model)
{
  guint i, max = 1 + draw (model, 6);
  Entry *batch = NULL;

  while (model->queue->len > 0 && !batch) {
    batch = reserve_once (model, max);
    if (batch->ids->len == 0)
      g_clear_pointer (&batch, entry_free);
  }
  if (!batch) {
    g_assert_null (orch_call_reserve (model->call, max, &model->sealed));
    return;
  }

  batch->epoch = model->epoch;
  batch->batch = orch_call_reserve (model->call, max, &model->sealed);
  g_assert_cmpuint (batch->batch->n, ==, batch->ids->len);
  for (i = 0; i < batch->ids->len; i++) {
    Unit *unit = get_unit (model, get_id (batch, i));

    g_assert_true (batch->batch->grains[i] == &unit->record->grain);
    g_assert_cmpuint (unit->record->grain.generation, ==, unit->generation);
    g_assert_cmpint (unit->record->grain.phase, ==, ORCH_GRAIN_IN_FLIGHT);
  }
  g_ptr_array_add (model->batches, batch);
}

/* ---- waiting for a batch to fill ---- */

/* Ends what is covered in front of the first `n` others, which are counted: of
 * the first one's parent only if batches hold siblings. */
static guint
drop_covered (Model * model, guint n)
{
  gboolean siblings = model->batching == ORCH_BATCHING_SIBLINGS;
  guint i = 0, n_counted = 0;

  while (i < model->queue->len && n_counted < n) {
    guint id = get_id (get_entry (model->queue, i), 0);
    guint first = get_id (get_entry (model->queue, 0), 0);

    if (is_covered (model, id) && (i == 0 || !siblings)) {
      expect (model, id, ORCH_OUTCOME_SUPPRESSED);
      g_ptr_array_remove_index (model->queue, i);
      continue;
    }
    if (!siblings
        || get_unit (model, id)->parent == get_unit (model, first)->parent)
      n_counted++;
    i++;
  }
  return n_counted;
}

static void
wait_for_batch (Model * model)
{
  guint i, n, max = 1 + draw (model, 6);
  gint64 max_wait = draw (model, 3) * 100, deadline = ORCH_TIME_NEVER;
  gboolean closed = draw (model, 8) == 0, at_once = closed || !max_wait;

  for (i = 0; i < model->queue->len; i++)
    at_once |= get_entry (model->queue, i)->recovery;
  if (model->queue->len > 0 && at_once) {
    deadline = ORCH_TIME_NOW;
  } else if (model->queue->len > 0) {
    n = drop_covered (model, max);
    if (n > 0)
      deadline = n == max ? ORCH_TIME_NOW :
          get_id (get_entry (model->queue, 0), 0) + max_wait;
  }
  g_assert_cmpint (orch_call_get_deadline (model->call, max_wait, max, closed,
          &model->sealed), ==, deadline);
}

/* ---- committing ---- */

static OrchOutcome
draw_outcome (Model * model, gboolean * group)
{
  gint choice = draw (model, 20);

  *group = choice == 0;
  return choice == 0 ? ORCH_OUTCOME_FAILED : choice < 3 ? ORCH_OUTCOME_FAILED :
      choice < 5 ? ORCH_OUTCOME_DROPPED : ORCH_OUTCOME_PRESENT;
}

static guint
draw_set (Model * model, Entry * batch, OrchReport * reports, OrchCause * cause)
{
  guint i, j, n = 0;

  for (i = 0; i < batch->ids->len && n < MAX_SET; i++) {
    guint id = get_id (batch, i);
    OrchReport report = { NULL, };

    if (id == NO_ID || draw (model, 2))
      continue;
    report.grain = &get_unit (model, id)->record->grain;
    report.generation = get_unit (model, id)->generation;
    report.epoch = batch->epoch;
    report.outcome = draw_outcome (model, &report.group);
    report.cause = report.outcome == ORCH_OUTCOME_FAILED ? cause : NULL;
    j = draw (model, ++n);
    reports[n - 1] = reports[j];
    reports[j] = report;
  }
  return n;
}

/* Makes a set that must be refused; TRUE if it did. */
static gboolean
spoil (Model * model, OrchReport * reports, guint * n)
{
  OrchReport *report = &reports[draw (model, *n)];

  switch (draw (model, 20)) {
    case 0:
      report->generation += draw (model, 2) ? 1 : -1;
      return TRUE;
    case 1:
      report->epoch += draw (model, 2) ? 1 : -1;
      return TRUE;
    case 2:
      reports[(*n)++] = *report;
      return TRUE;
    case 3:
      report->outcome = ORCH_OUTCOME_SUPPRESSED;
      report->group = FALSE;
      return TRUE;
    default:
      return FALSE;
  }
}

static void
apply (Model * model, Entry * batch, const OrchReport * reports, guint n)
{
  guint i, j;

  for (i = 0; i < n; i++) {
    guint parent = get_unit (model,
        ((Record *) reports[i].grain)->id)->parent;

    if (reports[i].group && parent != ROOTS)
      model->barriers[parent] = TRUE;
  }
  for (i = 0; i < n; i++) {
    guint id = ((Record *) reports[i].grain)->id;

    expect (model, id, reports[i].outcome == ORCH_OUTCOME_FAILED
        || !is_covered (model, id) ? reports[i].outcome :
        ORCH_OUTCOME_SUPPRESSED);
    for (j = 0; j < batch->ids->len; j++)
      if (get_id (batch, j) == id)
        g_array_index (batch->ids, guint, j) = NO_ID;
  }
}

static void
report (Model * model, Entry * batch)
{
  OrchCause *cause = orch_cause_new ("test", "report", "m", NULL, NULL);
  OrchReport reports[MAX_SET + 1];
  guint i, n = draw_set (model, batch, reports, cause);
  gboolean refused = n > 0 && batch->epoch != model->epoch;

  if (n > 0)
    refused |= spoil (model, reports, &n);
  if (refused)
    model->n_refused += n;
  else
    apply (model, batch, reports, n);
  g_assert_cmpint (orch_call_report (model->call, reports, n,
          &model->sealed), ==, !refused);
  for (i = 0; i < batch->ids->len; i++)
    g_assert_cmpint (batch->batch->grains[i] == NULL, ==,
        get_id (batch, i) == NO_ID);
  orch_cause_unref (cause);
}

static void
expect_rest (Model * model, Entry * batch, OrchOutcome outcome)
{
  guint i;

  for (i = 0; i < batch->ids->len; i++)
    if (get_id (batch, i) != NO_ID)
      expect (model, get_id (batch, i), outcome);
}

static void
finish (Model * model, Entry * batch)
{
  guint i;

  for (i = 0; i < batch->ids->len; i++) {
    guint id = get_id (batch, i);

    if (id != NO_ID)
      expect (model, id, batch->epoch != model->epoch ?
          ORCH_OUTCOME_UNRESOLVED : is_covered (model, id) ?
          ORCH_OUTCOME_SUPPRESSED : ORCH_OUTCOME_FAILED);
  }
  orch_batch_finish (model->call, batch->batch, &model->sealed);
  g_ptr_array_remove (model->batches, batch);
}

/* ---- recovery ---- */

static void
queue_again (Model * model, GArray * ids, guint from, guint to, guint attempts,
    gboolean split, gboolean in_front)
{
  Entry *entry = entry_new ();
  guint i;

  entry->recovery = TRUE;
  entry->split = split;
  entry->attempts = attempts;
  for (i = from; i < to; i++) {
    Unit *unit = get_unit (model, g_array_index (ids, guint, i));

    unit->generation++;
    g_array_append_val (entry->ids, g_array_index (ids, guint, i));
  }
  g_ptr_array_insert (model->queue, in_front ? 0 : -1, entry);
}

static GArray *
give_up_covered (Model * model, Entry * batch)
{
  GArray *wanted = g_array_new (FALSE, FALSE, sizeof (guint));
  guint i;

  for (i = 0; i < batch->ids->len; i++) {
    guint id = get_id (batch, i);

    if (id == NO_ID)
      continue;
    if (is_covered (model, id))
      expect (model, id, ORCH_OUTCOME_SUPPRESSED);
    else
      g_array_append_val (wanted, id);
  }
  return wanted;
}

static gboolean
recover (Model * model, Entry * batch, GArray * wanted)
{
  guint i, n = wanted->len, attempts = batch->attempts + 1;
  gboolean retries = model->recovery == ORCH_RECOVERY_RETRY_BATCH
      || model->recovery == ORCH_RECOVERY_RETRY_TAIL;

  if (n == 0)
    return TRUE;
  if (model->recovery == ORCH_RECOVERY_ABORT
      || (batch->ids->len == 1 && (batch->split || (attempts >= 2
                  && !(retries && attempts <= model->max_retries))))) {
    for (i = 0; i < n; i++)
      expect (model, g_array_index (wanted, guint, i), ORCH_OUTCOME_FAILED);
    return model->recovery != ORCH_RECOVERY_ABORT;
  }
  if (!batch->split && retries && attempts <= model->max_retries) {
    queue_again (model, wanted, 0, n, attempts, FALSE,
        model->recovery == ORCH_RECOVERY_RETRY_BATCH);
  } else if (!batch->split && attempts < 2) {
    queue_again (model, wanted, 0, n, attempts, FALSE, FALSE);
  } else {
    queue_again (model, wanted, 0, (n + 1) / 2, 0, TRUE, FALSE);
    if (n > 1)
      queue_again (model, wanted, (n + 1) / 2, n, 0, TRUE, FALSE);
  }
  return TRUE;
}

/* May each of them be replayed once more? */
static gboolean
count_lost (Model * model, GArray * wanted)
{
  guint i;

  for (i = 0; i < wanted->len; i++)
    if (get_unit (model, g_array_index (wanted, guint, i))->n_lost == 3)
      return FALSE;
  for (i = 0; i < wanted->len; i++)
    get_unit (model, g_array_index (wanted, guint, i))->n_lost++;
  return TRUE;
}

static void
fail (Model * model, Entry * batch, gboolean lost)
{
  OrchCause *cause = orch_cause_new ("test", "error", "m", NULL, NULL);
  gboolean goes_on = TRUE;

  if (batch->epoch == model->epoch) {
    GArray *wanted = give_up_covered (model, batch);

    if (lost && count_lost (model, wanted)) {
      if (wanted->len > 0)
        queue_again (model, wanted, 0, wanted->len, batch->attempts,
            batch->split, TRUE);
    } else {
      goes_on = recover (model, batch, wanted);
    }
    g_array_unref (wanted);
  } else {
    expect_rest (model, batch, ORCH_OUTCOME_UNRESOLVED);
  }
  g_assert_cmpint ((lost ? orch_batch_lost : orch_batch_fail) (model->call,
          batch->batch, cause, &model->sealed), ==, goes_on);
  orch_cause_unref (cause);
  g_ptr_array_remove (model->batches, batch);
}

/* Nobody has begun with it. */
static void
give_back (Model * model, Entry * batch)
{
  if (batch->epoch == model->epoch) {
    GArray *wanted = give_up_covered (model, batch);
    guint i;

    for (i = 0; i < wanted->len; i++)
      get_unit (model, g_array_index (wanted, guint, i))->generation--;
    if (wanted->len > 0)
      queue_again (model, wanted, 0, wanted->len, batch->attempts,
          batch->split, TRUE);
    g_array_unref (wanted);
  } else {
    expect_rest (model, batch, ORCH_OUTCOME_UNRESOLVED);
  }
  orch_batch_return (model->call, batch->batch, &model->sealed);
  g_ptr_array_remove (model->batches, batch);
}

/* ---- the rest ---- */

static void
flush (Model * model)
{
  guint i;

  for (i = 0; i < model->queue->len; i++)
    expect_rest (model, get_entry (model->queue, i), ORCH_OUTCOME_UNRESOLVED);
  g_ptr_array_set_size (model->queue, 0);
  for (i = 0; i < N_PARENTS; i++) {
    model->old_barriers[i] |= model->barriers[i];
    model->barriers[i] = FALSE;
    model->unwanted[i] = FALSE;
  }
  model->epoch++;
  orch_call_new_epoch (model->call, &model->sealed);
  g_assert_cmpuint (orch_call_get_epoch (model->call), ==, model->epoch);
}

static void
reconfigure (Model * model)
{
  model->batching = draw (model, 2);
  model->recovery = draw (model, ORCH_RECOVERY_ABORT + 1);
  model->max_retries = draw (model, 3);
  orch_call_set_batching (model->call, model->batching);
  orch_call_set_recovery (model->call, model->recovery, model->max_retries);
}

static void
end_batch (Model * model, Entry * batch)
{
  gint choice = draw (model, 11);

  if (choice == 10)
    give_back (model, batch);
  else if (choice < 5)
    fail (model, batch, choice == 0);
  else if (choice < 9 || batch->epoch == model->epoch)
    finish (model, batch);
  else {
    expect_rest (model, batch, ORCH_OUTCOME_UNRESOLVED);
    orch_batch_abandon (model->call, batch->batch, &model->sealed);
    g_ptr_array_remove (model->batches, batch);
  }
}

static void
step (Model * model)
{
  gint choice = draw (model, 1000);
  Entry *batch = NULL;

  if (model->batches->len > 0)
    batch = get_entry (model->batches, draw (model, model->batches->len));
  if (choice < 400)
    enter (model);
  else if (choice < 550)
    reserve (model);
  else if (choice < 600)
    wait_for_batch (model);
  else if (choice < 800 && batch)
    report (model, batch);
  else if (choice < 990 && batch)
    end_batch (model, batch);
  else if (choice < 992)
    flush (model);
  else if (choice < 994)
    unwant (model);
  else if (choice < 997)
    reconfigure (model);
  compare_sealed (model);
  compare_counts (model);
}

static void
drain (Model * model)
{
  guint i;

  while (model->queue->len > 0 || model->batches->len > 0) {
    if (model->batches->len > 0)
      end_batch (model, get_entry (model->batches, 0));
    else
      reserve (model);
    compare_sealed (model);
    compare_counts (model);
  }
  g_assert_cmpuint (orch_call_get_n_ready (model->call), ==, 0);
  g_assert_cmpuint (orch_call_get_n_in_flight (model->call), ==, 0);
  for (i = 0; i < model->units->len; i++)
    g_assert_null (get_unit (model, i)->record);
}

static OrchExpansion *
expand_next (OrchExpansion * expansion, OrchDomain * domain)
{
  OrchEntity *parent = orch_expansion_next_child (expansion);
  OrchExpansion *children = orch_expansion_new (domain, parent);

  orch_entity_unref (parent);
  return children;
}

static void
model_init (Model * model, GRand * rand)
{
  guint i;

  *model = (Model) {
  rand};
  model->documents = orch_domain_new ("documents", NULL);
  model->pages = orch_domain_new ("pages", model->documents);
  model->lines = orch_domain_new ("lines", model->pages);
  model->roots = orch_expansion_new (model->documents, NULL);
  for (i = 0; i < ROOTS; i++)
    model->lists[i] = expand_next (model->roots, model->pages);
  model->lists[ROOTS] = orch_expansion_ref (model->roots);
  for (i = LINES; i < N_PARENTS; i++)
    model->lists[i] = expand_next (model->lists[i - LINES], model->lines);
  model->call = orch_call_new ("call");
  model->units = g_array_new (FALSE, FALSE, sizeof (Unit));
  model->queue = g_ptr_array_new_with_free_func (entry_free);
  model->batches = g_ptr_array_new_with_free_func (entry_free);
  model->expected = g_string_new (NULL);
  reconfigure (model);
}

/* Expansions and the Call go in either order. */
static void
model_clear (Model * model)
{
  gboolean call_first = draw (model, 2);
  guint i;

  if (call_first)
    orch_call_free (model->call);
  for (i = 0; i < N_PARENTS; i++)
    orch_expansion_unref (model->lists[i]);
  orch_expansion_unref (model->roots);
  if (!call_first)
    orch_call_free (model->call);
  g_array_unref (model->units);
  g_ptr_array_unref (model->queue);
  g_ptr_array_unref (model->batches);
  g_string_free (model->expected, TRUE);
  orch_domain_unref (model->documents);
  orch_domain_unref (model->pages);
  orch_domain_unref (model->lines);
}

static void
test_random (void)
{
  GRand *rand = g_rand_new_with_seed (g_test_rand_int ());
  Model model;
  guint round, i;

  for (round = 0; round < 1000; round++) {
    model_init (&model, rand);
    for (i = 0; i < 300; i++)
      step (&model);
    drain (&model);
    model_clear (&model);
  }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lineage/call/random", test_random);
  return g_test_run ();
}

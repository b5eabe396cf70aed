/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchsink-private.h"

#include <string.h>

/* ---- runs ---- */

GstOrchSinkRun *
gst_orch_sink_get_run (GstOrchSink * self, GstOrchRoots * roots,
    OrchExpansion * expansion)
{
  GstOrchSinkRun *run;
  guint i;

  for (i = 0; i < self->runs->len; i++) {
    run = g_ptr_array_index (self->runs, i);
    if (gst_orch_sink_run_is_of (run, roots, expansion))
      return run;
  }
  run = gst_orch_sink_run_new (roots, expansion);
  g_ptr_array_add (self->runs, run);
  return run;
}

static gboolean
is_root (OrchEntity * entity)
{
  return orch_entity_get_parent (entity) == NULL;
}

/* What cannot be kept is said before the first record is written. */
static gboolean
check_result (GstOrchSink * self, OrchEntity * entity)
{
  GstOrchRoots *roots = gst_orch_roots_of (entity);
  const gchar *file = gst_orch_output_get_record_file (self->output);
  const gchar *problem = NULL;

  if (self->run_order == GST_ORCH_ORDER_INPUT && !is_root (entity))
    problem = "order=input needs one record a document: put an orchreduce in "
        "between, or write in order=completion.";
  else if (!self->resuming || !gst_orch_output_has_earlier (self->output))
    problem = NULL;
  else if (!is_root (entity))
    problem = "existing=resume needs one record a document: put an orchreduce "
        "in between.";
  else if (!roots || !gst_orch_roots_has_resumed (roots, file))
    problem = "existing=resume needs an orchsrc upstream that skips what is "
        "done, and nothing in between that stops its question.";
  if (problem)
    GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS, ("%s", problem), (NULL));
  return !problem;
}

/* ---- messages ---- */

static void
post_failure (GstOrchSink * self, const GstOrchResult * result,
    const GstOrchRendered * rendered)
{
  GstStructure *message = gst_structure_new ("orch-failure",
      "id", G_TYPE_STRING, rendered->record.id,
      "uri", G_TYPE_STRING, rendered->uri,
      "path", G_TYPE_STRING, rendered->path,
      "outcome", G_TYPE_STRING, orch_outcome_get_name (result->outcome),
      "summary", G_TYPE_STRING, rendered->record.summary, NULL);

  if (result->cause)
    gst_structure_set (message,
        "domain", G_TYPE_STRING, result->cause->domain,
        "code", G_TYPE_STRING, result->cause->code,
        "message", G_TYPE_STRING, result->cause->message,
        "call", G_TYPE_STRING, result->cause->call, NULL);
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self), message));
}

static void
sum_accounts (GstOrchSink * self, GstOrchSinkAccount * sum)
{
  guint i;

  memset (sum, 0, sizeof *sum);
  for (i = 0; i < self->runs->len; i++) {
    GstOrchSinkAccount account;

    gst_orch_sink_run_get_account (g_ptr_array_index (self->runs, i),
        &account);
    sum->opened += account.opened;
    sum->recorded += account.recorded;
    sum->skipped += account.skipped;
    sum->forgotten += account.forgotten;
    sum->missing += account.missing;
  }
}

/* Records of parts of documents are only counted: how many parts there are is known
 * to who opened them. */
static gboolean
is_of_parts (GstOrchSink * self)
{
  OrchDomain *domain = gst_orch_subscriber_get_domain (self->input);
  gboolean result = domain && orch_domain_get_depth (domain) > 0;

  orch_domain_unref (domain);
  return result;
}

static void
post_ledger (GstOrchSink * self, const GstOrchSinkAccount * account,
    gboolean finished)
{
  GstOrchLedger ledger;
  GstStructure *message;

  g_mutex_lock (&self->lock);
  ledger = self->ledger;
  g_mutex_unlock (&self->lock);
  if (!is_of_parts (self)) {
    ledger.entered = account->opened;
    ledger.forgotten = account->forgotten;
  }
  message = gst_orch_ledger_to_structure (&ledger, finished);
  gst_structure_set (message, "skipped", G_TYPE_UINT64, account->skipped, NULL);
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self), message));
}

void
gst_orch_sink_post_summary (GstOrchSink * self, gboolean finished)
{
  GstOrchSinkAccount account;
  GstStructure *summary;

  g_mutex_lock (&self->lock);
  sum_accounts (self, &account);
  summary = gst_orch_summary_to_structure (self->summary, "orch-summary");
  g_mutex_unlock (&self->lock);
  gst_structure_set (summary,
      "finished", G_TYPE_BOOLEAN, finished,
      "opened", G_TYPE_UINT64, account.opened,
      "skipped", G_TYPE_UINT64, account.skipped,
      "forgotten", G_TYPE_UINT64, account.forgotten,
      "missing", G_TYPE_UINT64, account.missing, NULL);
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self), summary));
  post_ledger (self, &account, finished);
}

void
gst_orch_sink_post_eos (GstOrchSink * self)
{
  gboolean due;
  guint32 seqnum;

  g_mutex_lock (&self->lock);
  due = self->done && self->playing && !self->eos_posted;
  self->eos_posted |= due;
  seqnum = self->eos_seqnum;
  g_mutex_unlock (&self->lock);
  if (due) {
    GstMessage *message = gst_message_new_eos (GST_OBJECT (self));

    gst_message_set_seqnum (message, seqnum);
    gst_element_post_message (GST_ELEMENT (self), message);
  }
}

/* ---- writing ---- */

/* An error was posted, and one is enough: who feeds us stops without another. */
void
gst_orch_sink_end (GstOrchSink * self)
{
  g_mutex_lock (&self->lock);
  self->flow = GST_FLOW_FLUSHING;
  g_cond_broadcast (&self->space);
  g_mutex_unlock (&self->lock);
}

static gboolean
write_rendered (GstOrchSink * self, GstOrchRendered * rendered)
{
  g_autoptr (GError) error = NULL;

  if (gst_orch_output_write (self->output, rendered, &error))
    return TRUE;
  gst_orch_sink_post_error (self, error);
  return FALSE;
}

/* Those that are due; with `all` those that wait for what never came too. */
static gboolean
write_held (GstOrchSink * self, GstOrchSinkRun * run, gboolean all)
{
  GstOrchRendered rendered;
  OrchEntity *entity;
  gboolean done = TRUE, more = TRUE;

  while (done && more) {
    g_mutex_lock (&self->lock);
    more = gst_orch_sink_run_pop (run, all, &entity, &rendered);
    g_mutex_unlock (&self->lock);
    if (more) {
      done = write_rendered (self, &rendered);
      gst_orch_rendered_clear (&rendered);
      orch_entity_unref (entity);
    }
  }
  return done;
}

/* Takes over `rendered`. */
static gboolean
write_or_hold (GstOrchSink * self, const GstOrchResult * result,
    GstOrchRendered * rendered)
{
  OrchEntity *root = orch_entity_get_root (result->entity);
  GstOrchSinkRun *run;
  gboolean done;

  g_mutex_lock (&self->lock);
  gst_orch_summary_add (self->summary, result, &rendered->record);
  self->ledger.entered++;
  self->ledger.outcomes[result->outcome]++;
  run = gst_orch_sink_get_run (self, gst_orch_roots_of (root),
      root->expansion);
  if (is_root (result->entity))
    gst_orch_sink_run_count (run);
  if (self->run_order == GST_ORCH_ORDER_INPUT)
    gst_orch_sink_run_push (run, orch_entity_ref (result->entity), rendered);
  g_mutex_unlock (&self->lock);
  if (self->run_order == GST_ORCH_ORDER_INPUT)
    return write_held (self, run, FALSE);
  done = write_rendered (self, rendered);
  gst_orch_rendered_clear (rendered);
  return done;
}

/* Fewer documents than these say nothing about a share. */
#define MIN_FOR_SHARE 20

static gboolean
is_above (gdouble limit, guint64 n_failed, guint64 n_records)
{
  if (limit < 0)
    return FALSE;
  if (limit > 0 && limit < 1)
    return n_records >= MIN_FOR_SHARE && n_failed > limit * n_records;
  return n_failed > limit;
}

/* A failure of so many documents is none of the documents. */
static gboolean
check_failures (GstOrchSink * self)
{
  g_autofree gchar *cause = NULL;
  guint64 n_failed, n_records;
  gdouble limit;

  GST_OBJECT_LOCK (self);
  limit = self->stop_after;
  GST_OBJECT_UNLOCK (self);
  g_mutex_lock (&self->lock);
  n_failed = gst_orch_summary_get_n_failed (self->summary);
  n_records = gst_orch_summary_get_n_records (self->summary);
  if (is_above (limit, n_failed, n_records))
    cause = gst_orch_summary_describe_commonest (self->summary);
  g_mutex_unlock (&self->lock);
  if (!cause)
    return TRUE;
  GST_ELEMENT_ERROR (self, STREAM, FAILED,
      ("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " documents failed, more than "
          "stop-after=%g allows. The commonest cause is %s", n_failed,
          n_records, limit, cause),
      ("The records that were written are whole. Run it again with "
          "existing=resume, and with retry-failed=true once the cause is mended, "
          "or let more fail with a higher stop-after on %s (-1: any number).",
          GST_OBJECT_NAME (self)));
  return FALSE;
}

static gboolean
write_result (GstOrchSink * self, const GstOrchResult * result)
{
  g_autoptr (GError) error = NULL;
  GstOrchRendered rendered;

  if (!check_result (self, result->entity))
    return FALSE;
  if (!gst_orch_output_render (self->output, result, &rendered, &error)) {
    gst_orch_sink_post_error (self, error);
    return FALSE;
  }
  if (!rendered.record.complete)
    post_failure (self, result, &rendered);
  return write_or_hold (self, result, &rendered) && check_failures (self);
}

/* ---- what there is to do ---- */

static gboolean
pop_queue (GstOrchSink * self, GstOrchResult * result)
{
  GstOrchResult *head;

  g_mutex_lock (&self->lock);
  head = g_queue_pop_head (&self->queue);
  if (head)
    g_cond_signal (&self->space);
  g_mutex_unlock (&self->lock);
  if (!head)
    return FALSE;
  *result = *head;
  g_slice_free (GstOrchResult, head);
  return TRUE;
}

/* A parent that has no children to write of: nothing else would tell of it. */
static gboolean
read_expansion (OrchExpansion * expansion, GstOrchResult * result)
{
  OrchExpansionState state = orch_expansion_get_state (expansion);
  OrchEntity *parent = orch_expansion_get_parent (expansion);
  OrchCause *cause = orch_expansion_get_cause (expansion);

  if (!parent || state == ORCH_EXPANSION_SUCCEEDED)
    return FALSE;
  result->entity = orch_entity_ref (parent);
  result->outcome = state == ORCH_EXPANSION_DROPPED
      ? ORCH_OUTCOME_DROPPED : ORCH_OUTCOME_FAILED;
  result->cause = cause ? orch_cause_ref (cause) : NULL;
  result->info = gst_orch_info_ref (orch_expansion_get_data (expansion));
  return TRUE;
}

static gboolean
pop_news (GstOrchSink * self, GstOrchResult * result)
{
  GstOrchNews news;

  memset (result, 0, sizeof *result);
  while (!result->entity && gst_orch_subscriber_pop (self->input, &news)) {
    if (news.type == GST_ORCH_NEWS_EXPANSION) {
      read_expansion (news.expansion, result);
    } else {
      result->entity = g_steal_pointer (&news.entity);
      result->outcome = news.outcome;
      result->cause = g_steal_pointer (&news.cause);
      result->info = g_steal_pointer (&news.info);
    }
    gst_orch_news_clear (&news);
  }
  return result->entity != NULL;
}

/* ---- the end ---- */

/* Documents in are records out, or the run has lost some (semantics S7). */
static gboolean
check_account (GstOrchSink * self)
{
  GstOrchSinkAccount account;

  g_mutex_lock (&self->lock);
  sum_accounts (self, &account);
  g_mutex_unlock (&self->lock);
  if (account.missing == 0 || is_of_parts (self))
    return TRUE;
  GST_ELEMENT_ERROR (self, STREAM, FAILED,
      ("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " documents came to no end: "
          "they have no record.", account.missing, account.opened),
      ("recorded %" G_GUINT64_FORMAT ", skipped %" G_GUINT64_FORMAT
          ", forgotten by a flush %" G_GUINT64_FORMAT, account.recorded,
          account.skipped, account.forgotten));
  return FALSE;
}

static gboolean
write_rest (GstOrchSink * self)
{
  g_autoptr (GError) error = NULL;
  guint i;

  for (i = 0; i < self->runs->len; i++)
    if (!write_held (self, g_ptr_array_index (self->runs, i), TRUE))
      return FALSE;
  if (gst_orch_output_finish (self->output, &error))
    return TRUE;
  gst_orch_sink_post_error (self, error);
  return FALSE;
}

static gboolean
finish (GstOrchSink * self)
{
  gboolean done = write_rest (self) && check_account (self);

  gst_orch_sink_post_summary (self, done);
  if (!done)
    return FALSE;
  g_mutex_lock (&self->lock);
  self->done = self->eos;       /* unless it was flushed meanwhile */
  g_mutex_unlock (&self->lock);
  gst_orch_sink_post_eos (self);
  return TRUE;
}

/* The run does not come to its end.  What is missing for that reason would look
 * as if it were lost, and `existing=resume` would take the document for done: no
 * record is written any more, and the summary comes when the pipeline is taken
 * down. */
static gboolean
is_cut_short (GstOrchSink * self, gboolean eos)
{
  return g_atomic_int_get (&self->failed)
      || (eos && gst_orch_subscriber_is_broken (self->input));
}

void
gst_orch_sink_loop (gpointer user_data)
{
  GstOrchSink *self = user_data;
  GstOrchResult result;
  gboolean eos, idle, good = TRUE;

  /* seen before the last look, so that nothing can come after it */
  g_mutex_lock (&self->lock);
  eos = self->eos && !self->done;
  idle = self->stopping || self->flow != GST_FLOW_OK;
  g_mutex_unlock (&self->lock);

  if (!idle && is_cut_short (self, eos)) {
    good = FALSE;
  } else if (!idle && (pop_queue (self, &result) || pop_news (self, &result))) {
    good = write_result (self, &result);
    gst_orch_result_clear (&result);
  } else if (!idle && eos) {
    good = finish (self);
  } else {
    gst_orch_subscriber_wait (self->input);
  }
  if (!good)
    gst_orch_sink_end (self);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "real-run.h"
#include "sim-options.h"
#include "sleeper.h"

#include <gst/orch/orch.h>

typedef struct
{
  const SimConfig *config;
  const SimWorkload *workload;
  GstElement *bin;
  GstBus *bus;
  GstPad *src, *end;
  gint64 start;
  GMutex lock;                  /* of the rest */
  GCond done;                   /* a parent is, or everything */
  SimTimes *times;
  guint n_pushed;               /* parents, as all of the next */
  guint n_done;
  guint n_begun;                /* a child began, no outcome yet */
  guint peak_begun;
  gboolean eos;
} RealRun;

/* ---- what comes out ---- */

static RealRun *
get_run (GstPad * pad)
{
  return gst_pad_get_element_private (pad);
}

static void
note_outcome (RealRun * run, guint64 index, gboolean is_present)
{
  SimTimes *times = &run->times[index];
  gboolean should_fail = run->workload->parents[index].is_poisoned
      && run->config->failure != SIM_FAILURE_NONE;

  if (is_present == should_fail)
    g_error ("a parent has an outcome that it should not have");
  g_mutex_lock (&run->lock);
  if (times->done >= 0)
    g_error ("a parent has two outcomes");
  times->done = sleeper_get_time () - run->start;
  if (times->opened < 0)
    times->opened = times->done;
  else
    run->n_begun--;
  run->n_done++;
  g_cond_signal (&run->done);
  g_mutex_unlock (&run->lock);
}

static void
check_list (const SimParent * parent, GstOrchList * list)
{
  guint i;

  if (!list || gst_orch_list_get_size (list) != parent->n_children)
    g_error ("a list is not whole");
  for (i = 0; i < parent->n_children; i++) {
    const GstOrchListElement *element = gst_orch_list_get (list, i);

    if (element->outcome != GST_ORCH_OUTCOME_PRESENT
        || GST_BUFFER_OFFSET (element->buffer) != i)
      g_error ("a list is not what its parent was");
  }
}

static GstFlowReturn
take_buffer (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  RealRun *run = get_run (pad);
  GstOrchEntity *entity = gst_orch_buffer_get_entity (buffer);
  guint64 index = gst_orch_entity_get_ordinal (entity);

  check_list (&run->workload->parents[index],
      gst_orch_buffer_get_list (buffer));
  note_outcome (run, index, TRUE);
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

static gboolean
take_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  RealRun *run = get_run (pad);
  const GstStructure *structure = gst_event_get_structure (event);

  if (gst_event_has_name (event, "orch-outcome"))
    note_outcome (run, g_ascii_strtoull (gst_structure_get_string (structure,
                "path"), NULL, 10), FALSE);
  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS) {
    g_mutex_lock (&run->lock);
    run->eos = TRUE;
    g_cond_signal (&run->done);
    g_mutex_unlock (&run->lock);
  }
  gst_event_unref (event);
  return TRUE;
}

/* ---- what has begun ---- */

static void
note_begun (guint64 index, gpointer data)
{
  RealRun *run = data;
  SimTimes *times = &run->times[index];

  g_mutex_lock (&run->lock);
  if (times->opened < 0) {
    times->opened = sleeper_get_time () - run->start;
    run->n_begun++;
    run->peak_begun = MAX (run->peak_begun, run->n_begun);
  }
  g_mutex_unlock (&run->lock);
}

/* ---- what goes in ---- */

static GstBuffer *
make_list (const SimParent * parent, GstCaps * caps)
{
  GstOrchList *list = gst_orch_list_new_sized (parent->n_children);
  guint i;

  for (i = 0; i < parent->n_children; i++) {
    GstBuffer *child = gst_buffer_new ();

    GST_BUFFER_OFFSET (child) = i;
    gst_orch_list_append (list, child, caps, NULL);
  }
  return gst_orch_list_buffer_new (list);
}

static void
start_stream (GstPad * pad)
{
  GstCaps *caps = gst_caps_new_empty_simple (GST_ORCH_LIST_CAPS);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (pad, gst_event_new_stream_start ("sim"));
  gst_pad_push_event (pad, gst_event_new_caps (caps));
  gst_pad_push_event (pad, gst_event_new_segment (&segment));
  gst_caps_unref (caps);
}

static void
wait_for_turn (RealRun * run)
{
  g_mutex_lock (&run->lock);
  while (run->config->max_open > 0
      && run->n_pushed - run->n_done >= run->config->max_open)
    g_cond_wait (&run->done, &run->lock);
  run->n_pushed++;
  g_mutex_unlock (&run->lock);
}

static void
push_all (RealRun * run)
{
  GstCaps *caps = gst_caps_new_empty_simple ("application/x-sim");
  guint i;

  start_stream (run->src);
  for (i = 0; i < run->workload->n; i++) {
    wait_for_turn (run);
    if (gst_pad_push (run->src, make_list (&run->workload->parents[i],
                caps)) != GST_FLOW_OK)
      g_error ("the pipeline takes no more");
  }
  gst_pad_push_event (run->src, gst_event_new_eos ());
  gst_caps_unref (caps);
}

/* ---- the pipeline ---- */

static gchar *
describe (const SimConfig * config)
{
  GString *text = g_string_new (NULL);
  guint i;

  g_string_printf (text, "orchexpand interleave=%s window=%u",
      sim_interleave_get_name (config->interleave), config->window);
  for (i = 0; i < config->n_calls; i++) {
    const SimCallConfig *call = &config->calls[i];

    g_string_append_printf (text, " ! orchsleeper name=call%u call=%u "
        "replicas=%u batch-size=%u batching=%s max-buffers=%u max-wait=%"
        G_GINT64_FORMAT, i, i, call->replicas, call->batch_size,
        sim_batching_get_name (call->batching), call->max_buffers, call->max_wait);
  }
  /* Work is not pruned past a branch that wants what it gets. */
  g_string_append (text, config->prune ? " ! orchreduce"
      : " ! tee name=t t. ! queue leaky=downstream ! fakesink sync=false "
      "async=false t. ! queue ! orchreduce");
  return g_string_free (text, FALSE);
}

static GstBusSyncReply
on_message (GstBus * bus, GstMessage * message, gpointer data)
{
  GError *error = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    g_error ("%s", error->message);
  }
  gst_message_unref (message);
  return GST_BUS_DROP;
}

static void
link_pad (RealRun * run, GstPad * pad, const gchar * name)
{
  GstPad *other = gst_element_get_static_pad (run->bin, name);
  gboolean is_src = GST_PAD_IS_SRC (pad);

  if (gst_pad_link (is_src ? pad : other, is_src ? other : pad)
      != GST_PAD_LINK_OK)
    g_error ("a pad cannot be linked");
  gst_object_unref (other);
}

static void
make_pipeline (RealRun * run)
{
  g_autofree gchar *description = describe (run->config);
  GError *error = NULL;

  run->bin = gst_parse_bin_from_description (description, TRUE, &error);
  if (!run->bin)
    g_error ("%s", error->message);
  gst_object_ref_sink (run->bin);
  run->bus = gst_bus_new ();
  gst_bus_set_sync_handler (run->bus, on_message, NULL, NULL);
  gst_element_set_bus (run->bin, run->bus);

  run->src = gst_pad_new ("src", GST_PAD_SRC);
  run->end = gst_pad_new ("sink", GST_PAD_SINK);
  gst_pad_set_element_private (run->end, run);
  gst_pad_set_chain_function (run->end, take_buffer);
  gst_pad_set_event_function (run->end, take_event);
  link_pad (run, run->src, "sink");
  link_pad (run, run->end, "src");
}

static void
free_pipeline (RealRun * run)
{
  gst_pad_set_active (run->src, FALSE);
  gst_pad_set_active (run->end, FALSE);
  gst_element_set_bus (run->bin, NULL);
  gst_object_unref (run->bin);
  gst_object_unref (run->bus);
  gst_object_unref (run->src);
  gst_object_unref (run->end);
}

/* ---- accounts ---- */

static guint64
get_count (const GstStructure * stats, const gchar * field)
{
  guint64 count = 0;

  if (!gst_structure_get_uint64 (stats, field, &count))
    g_error ("no %s is counted", field);
  return count;
}

static void
read_stats (RealRun * run, guint call, SimCallStats * result)
{
  static const gchar *const outcomes[] = {
    NULL, "present", "dropped", "failed", "suppressed"
  };
  g_autofree gchar *name = g_strdup_printf ("call%u", call);
  GstElement *element = gst_bin_get_by_name (GST_BIN (run->bin), name);
  GstStructure *stats;
  guint64 ended = 0;
  guint i;

  g_object_get (element, "stats", &stats, NULL);
  result->n_entered = get_count (stats, "entered");
  for (i = 1; i < G_N_ELEMENTS (outcomes); i++) {
    result->n_outcomes[i] = get_count (stats, outcomes[i]);
    ended += result->n_outcomes[i];
  }
  if (ended != result->n_entered
      || get_count (stats, "batches") != result->n_batches)
    g_error ("the accounts of Call %u do not close", call);
  gst_structure_free (stats);
  gst_object_unref (element);
}

/* ---- a run ---- */

gboolean
real_run_can (const SimConfig * config, GError ** error)
{
  guint i;

  for (i = 0; i < config->n_calls; i++) {
    if (config->calls[i].max_ready == 0)
      continue;
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
        "elements have no bound for the ready queue alone (max-ready)");
    return FALSE;
  }
  return TRUE;
}

static void
run_init (RealRun * run, const SimConfig * config, const SimWorkload * workload)
{
  guint i;

  *run = (RealRun) {
  config, workload};
  g_mutex_init (&run->lock);
  g_cond_init (&run->done);
  run->times = g_new (SimTimes, workload->n);
  for (i = 0; i < workload->n; i++)
    run->times[i].opened = run->times[i].done = -1;
  make_pipeline (run);
}

static void
run_clear (RealRun * run)
{
  free_pipeline (run);
  g_free (run->times);
  g_mutex_clear (&run->lock);
  g_cond_clear (&run->done);
}

void
real_run (const SimConfig * config, const SimWorkload * workload,
    SimResult * result)
{
  RealRun run;
  guint i;

  *result = (SimResult) {
  0};
  run_init (&run, config, workload);
  sleeper_begin (config, workload, note_begun, &run);
  gst_pad_set_active (run.end, TRUE);
  gst_element_set_state (run.bin, GST_STATE_PLAYING);
  gst_pad_set_active (run.src, TRUE);
  run.start = sleeper_get_time ();
  push_all (&run);
  g_mutex_lock (&run.lock);
  while (!run.eos)
    g_cond_wait (&run.done, &run.lock);
  g_mutex_unlock (&run.lock);
  if (run.n_done != workload->n)
    g_error ("%u parents have no outcome", workload->n - run.n_done);

  /* what the replicas have counted is whole once they are gone */
  gst_element_set_state (run.bin, GST_STATE_NULL);
  sleeper_end (result->calls, run.start);
  for (i = 0; i < config->n_calls; i++)
    read_stats (&run, i, &result->calls[i]);
  sim_result_collect (result, config, workload, run.times, run.peak_begun);
  run_clear (&run);
}

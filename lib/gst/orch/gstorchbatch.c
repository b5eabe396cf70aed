/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchbatch-private.h"
#include "gstorchfunction-private.h"
#include "gstorchlist-private.h"

#include <string.h>

GST_DEBUG_CATEGORY_EXTERN (gst_orch_call_debug);
#define GST_CAT_DEFAULT gst_orch_call_debug

/* Outputs, one bit each. */
#define OUTPUT(n) (1u << (n))
#define ALL_OUTPUTS G_MAXUINT32

struct _GstOrchBatch
{
  GstOrchCall *call;            /* (nullable): in a worker there is its host instead */
  const GstOrchBatchHost *host;
  gpointer host_data;
  GstOrchFunction *function;
  OrchBatch *core;              /* the Call's lock; NULL once it ended or was abandoned */
  const GstOrchFunctionTraits *traits;
  guint n_further;              /* outputs beside the first */
  guint32 all_outputs;          /* of the Function, one bit each */
  guint64 epoch;
  guint n;
  guint n_refused;              /* outcomes that were not the first */
  GstOrchGrain **grains;        /* NULL once committed: they are not ours any more */
  /* (nullable): what `grains` stand in for, when the attempt is timed.  Those may
   * be taken away at any time, so they are looked at with the Call's lock held,
   * while there is a `core`. */
  GstOrchGrain **real;
  OrchReport *reports;

  GstCaps *in_caps;             /* negotiated last, and to what */
  GstCaps *out_caps;
};

static void
use_stand_ins (GstOrchBatch * batch)
{
  guint i;

  batch->real = batch->grains;
  batch->grains = g_new (GstOrchGrain *, batch->n);
  for (i = 0; i < batch->n; i++)
    batch->grains[i] = gst_orch_grain_new_stand_in (batch->real[i]);
}

static void
free_stand_ins (GstOrchBatch * batch)
{
  guint i;

  for (i = 0; i < batch->n; i++)
    if (batch->grains[i])
      gst_orch_grain_free (batch->grains[i]);
  g_free (batch->real);
}

static GstOrchBatch *
batch_new (GstOrchFunction * function, guint n)
{
  GstOrchBatch *batch = g_slice_new0 (GstOrchBatch);

  batch->function = function;
  batch->traits = gst_orch_function_class_get_traits
      (GST_ORCH_FUNCTION_GET_CLASS (function));
  batch->n_further = gst_orch_function_get_n_further (function);
  batch->all_outputs = ALL_OUTPUTS >> (31 - batch->n_further);
  batch->n = n;
  batch->grains = g_new (GstOrchGrain *, n);
  return batch;
}

/* With no lock held. */
GstOrchBatch *
gst_orch_batch_new (GstOrchCall * call, GstOrchFunction * function,
    OrchBatch * core, gboolean timed)
{
  GstOrchBatch *batch = batch_new (function, core->n);
  guint i;

  batch->call = call;
  batch->core = core;
  batch->reports = g_new (OrchReport, core->n);
  for (i = 0; i < core->n; i++)
    batch->grains[i] = (GstOrchGrain *) core->grains[i];
  batch->epoch = core->n ? batch->grains[0]->core.epoch : 0;
  if (timed)
    use_stand_ins (batch);
  return batch;
}

GstOrchBatch *
gst_orch_batch_new_hosted (const GstOrchBatchHost * host, gpointer data,
    GstOrchFunction * function, GstOrchGrain ** grains, guint n)
{
  GstOrchBatch *batch = batch_new (function, n);

  batch->host = host;
  batch->host_data = data;
  memcpy (batch->grains, grains, n * sizeof *grains);
  return batch;
}

void
gst_orch_batch_free (GstOrchBatch * batch)
{
  gst_clear_caps (&batch->in_caps);
  gst_clear_caps (&batch->out_caps);
  if (batch->real || batch->host)
    free_stand_ins (batch);
  g_free (batch->grains);
  g_free (batch->reports);
  g_slice_free (GstOrchBatch, batch);
}

static GstOrchGrain *
get_grain (GstOrchBatch * batch, guint index)
{
  g_return_val_if_fail (index < batch->n, NULL);
  return batch->grains[index];
}

/* ---- what to work on ---- */

/**
 * gst_orch_batch_get_size:
 * @batch: a #GstOrchBatch
 *
 * Returns: the number of Grains, at least 1
 *
 * Since: 0.1
 */
guint
gst_orch_batch_get_size (GstOrchBatch * batch)
{
  return batch->n;
}

/**
 * gst_orch_batch_get_buffer:
 * @batch: a #GstOrchBatch
 * @index: 0 .. size - 1
 *
 * Returns: (transfer none) (nullable): the input of the Grain; %NULL once it
 *   is committed, or passed on by gst_orch_batch_present()
 *
 * Since: 0.1
 */
GstBuffer *
gst_orch_batch_get_buffer (GstOrchBatch * batch, guint index)
{
  GstOrchGrain *grain = get_grain (batch, index);

  return grain ? grain->input : NULL;
}

/**
 * gst_orch_batch_get_caps:
 * @batch: a #GstOrchBatch
 * @index: 0 .. size - 1
 *
 * Grains of one batch may differ in their caps.
 *
 * Returns: (transfer none) (nullable): the caps of the input
 *
 * Since: 0.1
 */
GstCaps *
gst_orch_batch_get_caps (GstOrchBatch * batch, guint index)
{
  GstOrchGrain *grain = get_grain (batch, index);

  return grain && grain->context ? grain->context->caps : NULL;
}

/**
 * gst_orch_batch_get_info:
 * @batch: a #GstOrchBatch
 * @index: 0 .. size - 1
 *
 * Returns: (transfer none) (nullable): what Functions before this one said of
 *   the input
 *
 * Since: 0.1
 */
const GstStructure *
gst_orch_batch_get_info (GstOrchBatch * batch, guint index)
{
  GstOrchGrain *grain = get_grain (batch, index);

  return grain ? gst_orch_info_get (grain->info) : NULL;
}

/**
 * gst_orch_batch_get_entity:
 * @batch: a #GstOrchBatch
 * @index: 0 .. size - 1
 *
 * Returns: (transfer none) (nullable): what the input is a value of
 *
 * Since: 0.1
 */
GstOrchEntity *
gst_orch_batch_get_entity (GstOrchBatch * batch, guint index)
{
  GstOrchGrain *grain = get_grain (batch, index);

  return grain ? grain->core.entity : NULL;
}

static gboolean
is_joined (GstCaps * caps)
{
  return caps && gst_caps_get_size (caps) > 0
      && gst_structure_has_name (gst_caps_get_structure (caps, 0),
      GST_ORCH_ITEMS_CAPS);
}

/* (transfer none) (nullable): the inputs of a joined Item */
static GstOrchList *
get_items (GstOrchBatch * batch, guint index)
{
  GstBuffer *buffer = gst_orch_batch_get_buffer (batch, index);

  if (!buffer || !is_joined (gst_orch_batch_get_caps (batch, index)))
    return NULL;
  return gst_orch_buffer_get_list (buffer);
}

/**
 * gst_orch_batch_get_n_inputs:
 * @batch: a #GstOrchBatch
 * @index: 0 .. size - 1
 *
 * Returns: how many inputs `orchjoin` has put together for the Grain, missing
 *   ones included; 0 when its input is no joined Item, or when it is committed
 *
 * Since: 0.1
 */
guint
gst_orch_batch_get_n_inputs (GstOrchBatch * batch, guint index)
{
  GstOrchList *items = get_items (batch, index);

  return items ? gst_orch_list_get_size (items) : 0;
}

/**
 * gst_orch_batch_get_input:
 * @batch: a #GstOrchBatch
 * @index: 0 .. size - 1
 * @n: which input, in the order of the pads of `orchjoin`
 *
 * An optional input that is missing has no buffer.
 *
 * Returns: (transfer none) (nullable): the input, with its caps and info; %NULL
 *   when there is no such input
 *
 * Since: 0.1
 */
const GstOrchListElement *
gst_orch_batch_get_input (GstOrchBatch * batch, guint index, guint n)
{
  GstOrchList *items = get_items (batch, index);

  return items && n < gst_orch_list_get_size (items)
      ? gst_orch_list_get (items, n) : NULL;
}

/**
 * gst_orch_batch_get_input_by_name:
 * @batch: a #GstOrchBatch
 * @index: 0 .. size - 1
 * @name: the label of a pad of `orchjoin`, or its name if it has none
 *
 * Returns: (transfer none) (nullable): the input, see
 *   gst_orch_batch_get_input()
 *
 * Since: 0.1
 */
const GstOrchListElement *
gst_orch_batch_get_input_by_name (GstOrchBatch * batch, guint index,
    const gchar * name)
{
  GstOrchList *items = get_items (batch, index);
  guint i, n = items ? gst_orch_list_get_size (items) : 0;

  for (i = 0; i < n; i++) {
    const GstOrchListElement *input = gst_orch_list_get (items, i);

    if (g_strcmp0 (input->name, name) == 0)
      return input;
  }
  return NULL;
}

/**
 * gst_orch_batch_get_generation:
 * @batch: a #GstOrchBatch
 * @index: 0 .. size - 1
 *
 * Returns: how often the Grain was tried before (semantics S4.1)
 *
 * Since: 0.1
 */
guint
gst_orch_batch_get_generation (GstOrchBatch * batch, guint index)
{
  GstOrchGrain *grain = get_grain (batch, index);

  return grain ? grain->core.generation : 0;
}

/**
 * gst_orch_batch_is_cancelled:
 * @batch: a #GstOrchBatch
 *
 * For long runs: return as soon as this says %TRUE, with whatever outcomes;
 * nobody will see them.
 *
 * Returns: whether the pipeline stops or was flushed, or the attempt has taken
 *   longer than the element's attempt-timeout
 *
 * Since: 0.1
 */
gboolean
gst_orch_batch_is_cancelled (GstOrchBatch * batch)
{
  GstOrchCall *call = batch->call;
  gboolean stale;

  if (batch->host)
    return batch->host->is_cancelled (batch->host_data);
  if (g_atomic_int_get (&call->cancelled))
    return TRUE;
  gst_orch_lock (&call->lock);
  stale = !batch->core || orch_call_get_epoch (call->core) != batch->epoch;
  g_mutex_unlock (&call->lock);
  return stale;
}

/**
 * gst_orch_batch_is_wanted:
 * @batch: a #GstOrchBatch
 * @index: 0 .. size - 1
 *
 * For long batches: a Grain that is not wanted any more may be skipped, without
 * an outcome.
 *
 * Returns: whether anybody still waits for the Grain
 *
 * Since: 0.1
 */
gboolean
gst_orch_batch_is_wanted (GstOrchBatch * batch, guint index)
{
  GstOrchGrain *grain = get_grain (batch, index);

  if (batch->host)
    return grain && batch->host->is_wanted (batch->host_data, index);
  return grain
      && !orch_call_get_cover (orch_call_get_key (batch->call->core),
      &grain->core)
      && !gst_orch_batch_is_cancelled (batch);
}

/* ---- what became of it ---- */

/* NULL when one of these outputs of the Grain has an outcome already: refused and
 * counted (S4.3). */
static GstOrchGrain *
begin_outcome (GstOrchBatch * batch, guint index, guint32 outputs)
{
  GstOrchGrain *grain = index < batch->n ? batch->grains[index] : NULL;

  if (grain && !(grain->said & outputs)) {
    grain->said |= outputs;
    return grain;
  }
  batch->n_refused++;
  GST_WARNING_OBJECT (batch->call,
      "a second outcome for Grain %u of %u was refused", index, batch->n);
  return NULL;
}

static gboolean
has_output (GstOrchBatch * batch, guint output)
{
  if (output <= batch->n_further)
    return TRUE;
  batch->n_refused++;
  g_critical ("%s has no output %u: it declares %u further ones",
      G_OBJECT_TYPE_NAME (batch->function), output,
      batch->n_further);
  return FALSE;
}

/* S4.3: the Function is done with it, or it has failed, which no further value
 * changes. */
static inline gboolean
is_complete (GstOrchBatch * batch, GstOrchGrain * grain)
{
  if (grain->staged == ORCH_OUTCOME_PRESENT)
    return !(batch->all_outputs & ~grain->said);
  return grain->staged != ORCH_OUTCOME_UNRESOLVED;
}

/* S4.4: among several outputs that failed, a group failure gives the cause before
 * a record failure does, and an earlier output before a later one. */
static gboolean
outweighs (GstOrchGrain * grain, guint output, gboolean group)
{
  if (grain->staged != ORCH_OUTCOME_FAILED)
    return TRUE;
  if (grain->staged_group != group)
    return group;
  return output < grain->failed_output;
}

static void
stage_failure (GstOrchBatch * batch, GstOrchGrain * grain, guint output,
    gboolean group, GstOrchCause * cause)
{
  g_autofree gchar *path = NULL;

  if (outweighs (grain, output, group)) {
    path = orch_entity_get_path (grain->core.entity);
    orch_cause_unref (grain->staged_cause);
    grain->staged = ORCH_OUTCOME_FAILED;
    grain->staged_group = group;
    grain->failed_output = output;
    grain->staged_cause = orch_cause_locate (cause, path,
        batch->call ? GST_OBJECT_NAME (batch->call) : NULL);
  }
  orch_cause_unref (cause);
}

static gboolean
negotiate (GstOrchBatch * batch, GstCaps * caps, GError ** error)
{
  GstOrchFunctionClass *klass = GST_ORCH_FUNCTION_GET_CLASS (batch->function);
  GstCaps *result;

  if (batch->out_caps && batch->in_caps == caps)
    return TRUE;
  if (!caps) {
    g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION,
        "the input has no caps");
    return FALSE;
  }
  result = klass->negotiate ? klass->negotiate (batch->function, caps, error)
      : gst_caps_ref (caps);
  if (!result)
    return FALSE;
  gst_caps_replace (&batch->in_caps, caps);
  gst_caps_take (&batch->out_caps, result);
  return TRUE;
}

static void
copy_times (GstBuffer * output, GstBuffer * input)
{
  GST_BUFFER_PTS (output) = GST_BUFFER_PTS (input);
  GST_BUFFER_DTS (output) = GST_BUFFER_DTS (input);
  GST_BUFFER_DURATION (output) = GST_BUFFER_DURATION (input);
}

/* (transfer full): `output` (transfer full) with what `input` (nullable) says that is
 * true of it as well.  A worker's output comes by here in the Call's process. */
static GstBuffer *
take_after (GstOrchBatch * batch, GstBuffer * output, GstBuffer * input)
{
  if (!input || output == input)
    return output;
  if (!GST_BUFFER_PTS_IS_VALID (output)) {
    output = gst_buffer_make_writable (output);
    copy_times (output, input);
  }
  return batch->host ? output : gst_orch_buffer_inherit_gathered (output, input);
}

/**
 * gst_orch_batch_present:
 * @batch: a #GstOrchBatch
 * @index: 0 .. size - 1
 * @buffer: (transfer full): the value; may be the input itself, with a
 *   reference of its own
 * @caps: (transfer none) (nullable): its caps; %NULL for what negotiate() says
 *
 * The Grain has a value.  Times are taken from the input if @buffer has none.
 *
 * Returns: %FALSE when the Grain had an outcome already
 *
 * Since: 0.1
 */
gboolean
gst_orch_batch_present (GstOrchBatch * batch, guint index, GstBuffer * buffer,
    GstCaps * caps)
{
  GstOrchGrain *grain = begin_outcome (batch, index, OUTPUT (0));
  GError *error = NULL;

  if (!grain) {
    gst_buffer_unref (buffer);
    return FALSE;
  }
  if (grain->staged == ORCH_OUTCOME_FAILED) {
    /* Another output did: no value is wanted. */
    gst_buffer_unref (buffer);
    return TRUE;
  }
  if (!caps && !negotiate (batch, grain->context->caps, &error)) {
    gst_buffer_unref (buffer);
    stage_failure (batch, grain, 0, FALSE,
        gst_orch_cause_new (ORCH_CAUSE_DOMAIN, ORCH_CODE_NOT_NEGOTIATED,
            "%s", error ? error->message : "its caps are not accepted"));
    g_clear_error (&error);
    return TRUE;
  }
  if (buffer == grain->input) {
    /* One reference, not two: the Item can be replaced in place. */
    gst_buffer_unref (buffer);
    grain->input = NULL;
  } else {
    buffer = take_after (batch, buffer, grain->input);
  }
  grain->staged = ORCH_OUTCOME_PRESENT;
  grain->output = buffer;
  if (!caps)
    caps = batch->out_caps;
  if (caps != grain->context->caps)
    grain->output_caps = gst_caps_ref (caps);
  return TRUE;
}

static void
present_further (GstOrchBatch * batch, GstOrchGrain * grain, guint output,
    GstBuffer * buffer, GstCaps * caps)
{
  const GstOrchFunctionOutput *declared =
      gst_orch_function_get_further (batch->function, output);
  GstOrchValue *value;

  if (grain->staged == ORCH_OUTCOME_FAILED) {
    gst_buffer_unref (buffer);
    return;
  }
  if (!caps && gst_caps_is_fixed (declared->caps))
    caps = declared->caps;
  if (!caps) {
    gst_buffer_unref (buffer);
    stage_failure (batch, grain, output, FALSE,
        gst_orch_cause_new (ORCH_CAUSE_DOMAIN, ORCH_CODE_NOT_NEGOTIATED,
            "its output %s has no caps", declared->name));
    return;
  }
  /* Once the main output has passed it on, it is there. */
  buffer = take_after (batch, buffer,
      grain->input ? grain->input : grain->output);
  value = gst_orch_grain_get_further (grain, output,
      batch->n_further);
  value->buffer = buffer;
  value->caps = gst_caps_ref (caps);
}

/**
 * gst_orch_batch_present_output:
 * @batch: a #GstOrchBatch
 * @index: 0 .. size - 1
 * @output: 0 for the main output, 1 and up for those that
 *   gst_orch_function_class_add_output() has declared
 * @buffer: (transfer full): the value
 * @caps: (transfer none) (nullable): its caps; may be %NULL for the main output,
 *   as with gst_orch_batch_present(), and where the declared caps are fixed
 *
 * One output of the Grain has a value.  All of them need one: a Grain of which
 * some have none fails, and so does one of which a single output fails.
 *
 * Returns: %FALSE when that output had an outcome already
 *
 * Since: 0.1
 */
gboolean
gst_orch_batch_present_output (GstOrchBatch * batch, guint index,
    guint output, GstBuffer * buffer, GstCaps * caps)
{
  GstOrchGrain *grain;

  if (output == 0)
    return gst_orch_batch_present (batch, index, buffer, caps);
  grain = has_output (batch, output)
      ? begin_outcome (batch, index, OUTPUT (output)) : NULL;
  if (grain)
    present_further (batch, grain, output, buffer, caps);
  else
    gst_buffer_unref (buffer);
  return grain != NULL;
}

/**
 * gst_orch_batch_present_list:
 * @batch: a #GstOrchBatch
 * @index: 0 .. size - 1
 * @list: (transfer full): the value
 *
 * The Grain has a list for a value, which `orchexpand` opens.
 *
 * Returns: %FALSE when the Grain had an outcome already
 *
 * Since: 0.1
 */
gboolean
gst_orch_batch_present_list (GstOrchBatch * batch, guint index,
    GstOrchList * list)
{
  return gst_orch_batch_present_list_output (batch, index, 0, list);
}

/**
 * gst_orch_batch_present_list_output:
 * @batch: a #GstOrchBatch
 * @index: 0 .. size - 1
 * @output: as with gst_orch_batch_present_output()
 * @list: (transfer full): the value
 *
 * One output of the Grain has a list for a value.  Lists of several outputs that
 * have the same length can be opened together by an `orchexpand` with `aligned_%u`
 * pads.
 *
 * Returns: %FALSE when that output had an outcome already
 *
 * Since: 0.1
 */
gboolean
gst_orch_batch_present_list_output (GstOrchBatch * batch, guint index,
    guint output, GstOrchList * list)
{
  static GstStaticCaps list_caps = GST_STATIC_CAPS (GST_ORCH_LIST_CAPS);
  GstCaps *caps = gst_static_caps_get (&list_caps);
  gboolean ok = gst_orch_batch_present_output (batch, index, output,
      gst_orch_list_buffer_new (list), caps);

  gst_caps_unref (caps);
  return ok;
}

/**
 * gst_orch_batch_drop:
 * @batch: a #GstOrchBatch
 * @index: 0 .. size - 1
 *
 * The Grain has no value, at any output, and that is no failure.
 *
 * Returns: %FALSE when the Grain had an outcome already
 *
 * Since: 0.1
 */
gboolean
gst_orch_batch_drop (GstOrchBatch * batch, guint index)
{
  GstOrchGrain *grain = begin_outcome (batch, index, ALL_OUTPUTS);

  if (!grain)
    return FALSE;
  grain->staged = ORCH_OUTCOME_DROPPED;
  return TRUE;
}

static gboolean
fail_output (GstOrchBatch * batch, guint index, guint output, gboolean group,
    GstOrchCause * cause)
{
  GstOrchGrain *grain = has_output (batch, output)
      ? begin_outcome (batch, index, OUTPUT (output)) : NULL;

  if (grain)
    stage_failure (batch, grain, output, group, cause);
  else
    orch_cause_unref (cause);
  return grain != NULL;
}

/**
 * gst_orch_batch_fail_record:
 * @batch: a #GstOrchBatch
 * @index: 0 .. size - 1
 * @cause: (transfer full): why
 *
 * The Grain failed and will not be tried again (semantics S5.1).
 *
 * Returns: %FALSE when the Grain had an outcome already
 *
 * Since: 0.1
 */
gboolean
gst_orch_batch_fail_record (GstOrchBatch * batch, guint index,
    GstOrchCause * cause)
{
  return gst_orch_batch_fail_record_output (batch, index, 0, cause);
}

/**
 * gst_orch_batch_fail_record_output:
 * @batch: a #GstOrchBatch
 * @index: 0 .. size - 1
 * @output: as with gst_orch_batch_present_output()
 * @cause: (transfer full): why
 *
 * One output of the Grain failed, and so the whole Grain (semantics S4.4).  If
 * several do, a group failure gives the cause before a record failure does, and an
 * earlier output before a later one.
 *
 * Returns: %FALSE when that output had an outcome already
 *
 * Since: 0.1
 */
gboolean
gst_orch_batch_fail_record_output (GstOrchBatch * batch, guint index,
    guint output, GstOrchCause * cause)
{
  return fail_output (batch, index, output, FALSE, cause);
}

/**
 * gst_orch_batch_fail_group:
 * @batch: a #GstOrchBatch
 * @index: 0 .. size - 1
 * @cause: (transfer full): why
 *
 * The Grain failed, and its siblings are not to be worked on either (semantics
 * S5.2).  Only for Functions that declare it with
 * gst_orch_function_class_set_can_group_fail(); of others it is read as
 * gst_orch_batch_fail_record().
 *
 * Returns: %FALSE when the Grain had an outcome already
 *
 * Since: 0.1
 */
gboolean
gst_orch_batch_fail_group (GstOrchBatch * batch, guint index,
    GstOrchCause * cause)
{
  return gst_orch_batch_fail_group_output (batch, index, 0, cause);
}

/**
 * gst_orch_batch_fail_group_output:
 * @batch: a #GstOrchBatch
 * @index: 0 .. size - 1
 * @output: as with gst_orch_batch_present_output()
 * @cause: (transfer full): why
 *
 * One output of the Grain failed as gst_orch_batch_fail_group() says, and so the
 * whole Grain (semantics S4.4).
 *
 * Returns: %FALSE when that output had an outcome already
 *
 * Since: 0.1
 */
gboolean
gst_orch_batch_fail_group_output (GstOrchBatch * batch, guint index,
    guint output, GstOrchCause * cause)
{
  gboolean may = batch->traits->can_group_fail;

  if (!may)
    g_critical ("%s fails a group without declaring that it can",
        G_OBJECT_TYPE_NAME (batch->function));
  return fail_output (batch, index, output, may, cause);
}

/**
 * gst_orch_batch_set_info:
 * @batch: a #GstOrchBatch
 * @index: 0 .. size - 1
 * @info: (transfer full): fields to set
 *
 * Says something of the Grain's Item: the fields are set on top of what is
 * known of the input, whatever the outcome.  Later calls add to earlier ones.
 *
 * Since: 0.1
 */
void
gst_orch_batch_set_info (GstOrchBatch * batch, guint index,
    GstStructure * info)
{
  GstOrchGrain *grain = get_grain (batch, index);
  gint i, n = gst_structure_n_fields (info);

  if (!grain) {
    gst_structure_free (info);
    return;
  }
  if (!grain->staged_info) {
    grain->staged_info = info;
    return;
  }
  for (i = 0; i < n; i++) {
    const gchar *field = gst_structure_nth_field_name (info, i);

    gst_structure_set_value (grain->staged_info, field,
        gst_structure_get_value (info, field));
  }
  gst_structure_free (info);
}

static void
add_warning (GstOrchBatch * batch, guint index, const gchar * text)
{
  GstOrchGrain *grain = get_grain (batch, index);
  GstStructure *info = gst_structure_new_empty ("info");
  GValue list = G_VALUE_INIT, value = G_VALUE_INIT;
  const GValue *before = NULL;

  g_value_init (&list, GST_TYPE_LIST);
  if (grain->staged_info)
    before = gst_structure_get_value (grain->staged_info, "warnings");
  if (!before && grain->info)
    before = gst_structure_get_value (gst_orch_info_get (grain->info),
        "warnings");
  if (before && GST_VALUE_HOLDS_LIST (before))
    g_value_copy (before, &list);
  g_value_init (&value, G_TYPE_STRING);
  g_value_set_string (&value, text);
  gst_value_list_append_and_take_value (&list, &value);
  gst_structure_take_value (info, "warnings", &list);
  gst_orch_batch_set_info (batch, index, info);
}

/**
 * gst_orch_batch_warn:
 * @batch: a #GstOrchBatch
 * @index: 0 .. size - 1
 * @format: a sentence for a person, in printf() style
 * @...: its arguments
 *
 * The Grain has a value, but not quite the one that was asked for.  Adds to the
 * info's list of strings `warnings` and posts the element message
 * `orch-warning` with `path` and `message`.
 *
 * Since: 0.1
 */
void
gst_orch_batch_warn (GstOrchBatch * batch, guint index, const gchar * format,
    ...)
{
  GstOrchGrain *grain = get_grain (batch, index);
  GstObject *call = GST_OBJECT (batch->call);
  g_autofree gchar *text = NULL;
  g_autofree gchar *path = NULL;
  va_list args;

  if (!grain || gst_orch_batch_is_cancelled (batch))
    return;
  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  if (batch->host) {
    batch->host->warn (batch->host_data, index, text);
    return;
  }
  path = orch_entity_get_path (grain->core.entity);
  add_warning (batch, index, text);
  gst_element_post_message (GST_ELEMENT (call),
      gst_message_new_element (call, gst_structure_new ("orch-warning",
              "path", G_TYPE_STRING, path,
              "message", G_TYPE_STRING, text, NULL)));
}

/* ---- committing ---- */

/* What the Call knows the Grain as. */
static OrchGrain *
get_core (GstOrchBatch * batch, guint index)
{
  return batch->real ? &batch->real[index]->core :
      &batch->grains[index]->core;
}

static guint
collect_reports (GstOrchBatch * batch)
{
  guint i, n = 0;

  for (i = 0; i < batch->n; i++) {
    GstOrchGrain *grain = batch->grains[i];
    OrchReport *report = &batch->reports[n];

    if (!grain || !is_complete (batch, grain))
      continue;
    report->grain = get_core (batch, i);
    report->generation = grain->core.generation;
    report->epoch = batch->epoch;
    report->outcome = grain->staged;
    report->group = grain->staged_group;
    report->cause = grain->staged_cause;
    n++;
  }
  return n;
}

/* Inputs go as soon as there is an outcome: they may be large. */
static void
free_inputs (GstOrchBatch * batch)
{
  guint i;

  for (i = 0; i < batch->n; i++) {
    GstOrchGrain *grain = batch->grains[i];

    if (grain && is_complete (batch, grain))
      gst_clear_buffer (&grain->input);
  }
}

/* With the lock held. */
static void
disown_reported (GstOrchBatch * batch, guint n, OrchGrainList * stand_ins)
{
  guint i, r = 0;

  for (i = 0; i < batch->n && r < n; i++)
    if (batch->grains[i] && get_core (batch, i) == batch->reports[r].grain) {
      if (batch->real)
        orch_grain_list_append (stand_ins, &batch->grains[i]->core);
      batch->grains[i] = NULL;
      r++;
    }
}

/* With the lock held: what was said of the stand-ins is true of the Grains. */
static void
hand_over_staged (GstOrchBatch * batch)
{
  guint i;

  for (i = 0; i < batch->n; i++)
    if (batch->grains[i] && is_complete (batch, batch->grains[i]))
      gst_orch_grain_take_staged (batch->real[i], batch->grains[i]);
}

/* With the lock held.  FALSE when the reports were refused. */
static gboolean
report (GstOrchBatch * batch, guint n, OrchGrainList * sealed)
{
  if (!batch->core) {
    batch->n_refused += n;
    return FALSE;
  }
  if (batch->real)
    hand_over_staged (batch);
  return orch_call_report (batch->call->core, batch->reports, n, sealed);
}

/* With the lock held, before what they came with is published. */
static void
count_refused (GstOrchBatch * batch)
{
  batch->call->stats.refused += batch->n_refused;
  batch->n_refused = 0;
}

/* In a worker: everything that is complete goes to the Call's process. */
static void
commit_to_host (GstOrchBatch * batch)
{
  g_autofree guint *places = g_new (guint, batch->n);
  g_autofree GstOrchGrain **grains = g_new (GstOrchGrain *, batch->n);
  guint i, n = 0;

  for (i = 0; i < batch->n; i++) {
    GstOrchGrain *grain = batch->grains[i];

    if (!grain || !is_complete (batch, grain))
      continue;
    places[n] = i;
    grains[n++] = grain;
    batch->grains[i] = NULL;
  }
  if (n > 0)
    batch->host->commit (batch->host_data, grains, places, n);
  for (i = 0; i < n; i++)
    gst_orch_grain_free (grains[i]);
}

/**
 * gst_orch_batch_commit:
 * @batch: a #GstOrchBatch
 *
 * Publishes now the outcomes collected so far, ahead of the return of run():
 * for batches whose Grains end one after the other.
 *
 * Since: 0.1
 */
void
gst_orch_batch_commit (GstOrchBatch * batch)
{
  GstOrchCall *call = batch->call;
  OrchGrainList sealed = { NULL, }, stand_ins = { NULL, };
  guint n;

  if (batch->host) {
    commit_to_host (batch);
    return;
  }
  n = collect_reports (batch);
  if (n == 0)
    return;
  free_inputs (batch);
  gst_orch_lock (&call->lock);
  count_refused (batch);
  if (report (batch, n, &sealed)) {
    disown_reported (batch, n, &stand_ins);
    gst_orch_call_settle (call, &sealed);
  }
  g_mutex_unlock (&call->lock);
  gst_orch_grain_list_free (&stand_ins);
  gst_orch_subscriber_wake (call->input);
}

/* With the lock held: after a flush nobody waits for the rest. */
static gboolean
forget_if_stale (GstOrchBatch * batch, OrchGrainList * forgotten)
{
  GstOrchCall *call = batch->call;

  if (orch_call_get_epoch (call->core) == batch->epoch)
    return FALSE;
  orch_batch_abandon (call->core, g_steal_pointer (&batch->core), forgotten);
  return TRUE;
}

/* The first output that was left out. */
static void
fail_incomplete (GstOrchBatch * batch, GstOrchGrain * grain)
{
  guint output = __builtin_ctz (~grain->said);
  const GstOrchFunctionOutput *declared = output ?
      gst_orch_function_get_further (batch->function, output) : NULL;

  stage_failure (batch, grain, output, FALSE,
      gst_orch_cause_new (ORCH_CAUSE_DOMAIN, ORCH_CODE_CONTRACT,
          "the Function gave no value for its output %u (%s)", output,
          declared ? declared->name : "the main one"));
}

/* S4.3 for Grains of which some outputs have a value; those that nobody wants any
 * more may be left so. */
static void
fail_all_incomplete (GstOrchBatch * batch)
{
  guint i;

  for (i = 0; i < batch->n; i++) {
    GstOrchGrain *grain = batch->grains[i];

    if (grain && grain->said && !is_complete (batch, grain)
        && gst_orch_batch_is_wanted (batch, i))
      fail_incomplete (batch, grain);
  }
}

static void
commit_last (GstOrchBatch * batch)
{
  if (batch->n_further)
    fail_all_incomplete (batch);
  gst_orch_batch_commit (batch);
}

guint
gst_orch_batch_finish_hosted (GstOrchBatch * batch, gboolean failed)
{
  if (!failed)
    commit_last (batch);
  return batch->n_refused;
}

void
gst_orch_batch_add_refused (GstOrchBatch * batch, guint n)
{
  batch->n_refused += n;
}

void
gst_orch_batch_finish (GstOrchBatch * batch)
{
  GstOrchCall *call = batch->call;
  OrchGrainList sealed = { NULL, }, forgotten = { NULL, };

  commit_last (batch);
  gst_orch_lock (&call->lock);
  count_refused (batch);
  if (!forget_if_stale (batch, &forgotten)) {
    orch_batch_finish (call->core, g_steal_pointer (&batch->core), &sealed);
    gst_orch_call_settle (call, &sealed);
  }
  g_mutex_unlock (&call->lock);
  gst_orch_grain_list_free (&forgotten);
  gst_orch_subscriber_wake (call->input);
}

/* With the lock held. */
static gboolean
end_core (GstOrchBatch * batch, OrchCause * cause, gboolean is_lost,
    OrchGrainList * forgotten)
{
  GstOrchCall *call = batch->call;
  OrchGrainList sealed = { NULL, };
  OrchBatch *core;
  gboolean go_on;

  if (forget_if_stale (batch, forgotten))
    return TRUE;
  core = g_steal_pointer (&batch->core);
  go_on = is_lost ? orch_batch_lost (call->core, core, cause, &sealed)
      : orch_batch_fail (call->core, core, cause, &sealed);
  if (!go_on)
    call->n_giving_up++;
  gst_orch_call_settle (call, &sealed);
  gst_orch_call_wake_replicas (call, G_MAXUINT);
  return go_on;
}

void
gst_orch_batch_return (GstOrchBatch * batch)
{
  GstOrchCall *call = batch->call;
  OrchGrainList sealed = { NULL, }, forgotten = { NULL, };

  gst_orch_lock (&call->lock);
  if (!forget_if_stale (batch, &forgotten)) {
    orch_batch_return (call->core, g_steal_pointer (&batch->core), &sealed);
    gst_orch_call_settle (call, &sealed);
    gst_orch_call_wake_replicas (call, 1);
  }
  g_mutex_unlock (&call->lock);
  gst_orch_grain_list_free (&forgotten);
  gst_orch_subscriber_wake (call->input);
}

OrchBatch *
gst_orch_batch_get_core (GstOrchBatch * batch)
{
  return batch->core;
}

gboolean
gst_orch_batch_is_running (GstOrchBatch * batch)
{
  return batch->core != NULL;
}

gboolean
gst_orch_batch_abandon (GstOrchBatch * batch, OrchCause * cause,
    OrchGrainList * forgotten)
{
  return end_core (batch, cause, FALSE, forgotten);
}

gchar *
gst_orch_batch_describe (GstOrchBatch * batch, guint * n)
{
  gchar *path = NULL;
  guint i;

  *n = 0;
  for (i = 0; batch->core && i < batch->core->n; i++) {
    OrchGrain *grain = batch->core->grains[i];

    if (!grain)
      continue;
    if (!path)
      path = orch_entity_get_path (grain->entity);
    *n += 1;
  }
  return path ? path : g_strdup ("the end of a batch");
}

gboolean
gst_orch_batch_end_attempt (GstOrchBatch * batch, OrchCause * cause,
    gboolean is_lost)
{
  GstOrchCall *call = batch->call;
  OrchGrainList forgotten = { NULL, };
  OrchCause *located = orch_cause_locate (cause, NULL, GST_OBJECT_NAME (call));
  gboolean go_on;
  guint i;

  GST_WARNING_OBJECT (call, "an attempt at %u Grains failed: %s", batch->n,
      cause->message);
  for (i = 0; i < batch->n; i++)
    if (batch->grains[i])
      gst_orch_grain_unstage (batch->grains[i]);
  gst_orch_lock (&call->lock);
  count_refused (batch);
  go_on = end_core (batch, located, is_lost, &forgotten);
  g_mutex_unlock (&call->lock);
  gst_orch_grain_list_free (&forgotten);
  orch_cause_unref (located);
  gst_orch_subscriber_wake (call->input);
  return go_on;
}

gboolean
gst_orch_batch_fail (GstOrchBatch * batch, const GError * error)
{
  OrchCause *cause = error ? gst_orch_cause_new_from_error (error)
      : orch_cause_new (ORCH_CAUSE_DOMAIN, "unknown",
      "the Function failed without saying why", NULL, NULL);
  gboolean go_on = gst_orch_batch_end_attempt (batch, cause, FALSE);

  orch_cause_unref (cause);
  return go_on;
}

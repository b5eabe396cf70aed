/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchzip-private.h"

#include <gst/orch/gstorchplan-private.h>

#include <string.h>

enum
{
  PROP_0,
  PROP_ON_LOST,
  PROP_STATS,
};

static GstStaticPadTemplate src_template =
GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS_ANY);

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (GstOrchZip, gst_orch_zip,
    GST_TYPE_ELEMENT);

GstOrchZipPrivate *
gst_orch_zip_get_private (GstOrchZip * self)
{
  return gst_orch_zip_get_instance_private (self);
}

/* ---- properties ---- */

static void
gst_orch_zip_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (GST_ORCH_ZIP (object));
  guint i;

  if (id != PROP_ON_LOST) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  gst_orch_lock (&priv->lock);
  priv->on_lost = g_value_get_enum (value);
  for (i = 0; i < priv->inputs->len; i++)
    gst_orch_subscriber_set_on_lost (((GstOrchZipInput *)
            g_ptr_array_index (priv->inputs, i))->subscriber, priv->on_lost);
  g_mutex_unlock (&priv->lock);
}

/* With the lock held. */
static GstStructure *
make_stats (GstOrchZipPrivate * priv)
{
  guint64 lost = 0, duplicates = 0;
  guint i;

  for (i = 0; i < priv->inputs->len; i++) {
    GstOrchZipInput *input = g_ptr_array_index (priv->inputs, i);

    lost += gst_orch_subscriber_get_n_lost (input->subscriber);
    duplicates += gst_orch_subscriber_get_n_duplicates (input->subscriber);
  }
  return gst_orch_ledger_make_stats (&priv->ledger, "orch-zip-stats", lost,
      duplicates);
}

static void
gst_orch_zip_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (GST_ORCH_ZIP (object));

  gst_orch_lock (&priv->lock);
  switch (id) {
    case PROP_ON_LOST:
      g_value_set_enum (value, priv->on_lost);
      break;
    case PROP_STATS:
      g_value_take_boxed (value, make_stats (priv));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
  g_mutex_unlock (&priv->lock);
}

/* ---- inputs ---- */

static void
input_free (gpointer data)
{
  GstOrchZipInput *input = data;

  gst_orch_zip_ancestors_clear (input);
  orch_domain_unref (input->domain);
  gst_orch_subscriber_unref (input->subscriber);
  gst_clear_caps (&input->caps);
  gst_clear_event (&input->segment);
  gst_object_unref (input->pad);
  g_free (input);
}

/* No lock held: nobody uses it any more. */
static void
drop_input (GstOrchZipPrivate * priv, GstOrchZipInput * input)
{
  gst_orch_port_remove_input (priv->output.port, input->subscriber);
  input_free (input);
}

/* With the lock held. */
static void
steal_input (GstOrchZipPrivate * priv, GstOrchZipInput * input)
{
  guint index;

  if (g_ptr_array_find (priv->inputs, input, &index))
    g_ptr_array_steal_index (priv->inputs, index);
}

static gint
compare_ranks (gconstpointer a, gconstpointer b)
{
  const GstOrchZipInput *x = *(GstOrchZipInput * const *) a;
  const GstOrchZipInput *y = *(GstOrchZipInput * const *) b;

  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

void
gst_orch_zip_add_input (GstOrchZip * self, GstPad * pad, guint rank)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);
  GstOrchZipInput *input = g_new0 (GstOrchZipInput, 1);

  input->owner = self;
  input->pad = gst_object_ref (pad);
  input->rank = rank;
  gst_orch_zip_input_init (input);
  gst_orch_port_add_input (priv->output.port, input->subscriber);
  gst_orch_lock (&priv->lock);
  gst_orch_subscriber_set_on_lost (input->subscriber, priv->on_lost);
  g_ptr_array_add (priv->inputs, input);
  g_ptr_array_sort (priv->inputs, compare_ranks);
  g_mutex_unlock (&priv->lock);
  gst_pad_set_active (pad, GST_STATE (self) >= GST_STATE_PAUSED
      || GST_STATE_PENDING (self) >= GST_STATE_PAUSED);
  gst_element_add_pad (GST_ELEMENT (self), pad);
}

GstPad *
gst_orch_zip_request_input (GstOrchZip * self, GstPad * pad, guint rank)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);
  gboolean begun;

  gst_orch_lock (&priv->lock);
  begun = priv->begun;
  g_mutex_unlock (&priv->lock);
  if (!begun) {
    gst_orch_zip_add_input (self, pad, rank);
    return pad;
  }
  GST_ELEMENT_WARNING (self, CORE, PAD,
      ("%s takes no further pad while data flows.", GST_OBJECT_NAME (self)),
      ("Request %s before the pipeline is started.", GST_OBJECT_NAME (pad)));
  gst_object_unref (gst_object_ref_sink (pad));
  return NULL;
}

/* Rows that are open have it still: once data flows it stays until the run ends,
 * as a pad that has ended. */
void
gst_orch_zip_remove_input (GstOrchZip * self, GstPad * pad)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);
  GstOrchZipInput *input = gst_pad_get_element_private (pad);
  gboolean begun;
  GQueue gone;

  gst_orch_subscriber_set_released (input->subscriber, GST_ELEMENT (self));
  gst_orch_lock (&priv->lock);
  input->flushing = TRUE;
  g_atomic_int_set (&input->released, TRUE);
  g_cond_broadcast (&priv->room);
  g_mutex_unlock (&priv->lock);
  /* Waits for the chain function. */
  gst_pad_set_active (pad, FALSE);
  gst_orch_subscriber_reset (input->subscriber);
  gst_element_remove_pad (GST_ELEMENT (self), pad);
  gst_orch_lock (&priv->lock);
  begun = priv->begun;
  gone = gst_orch_zip_take_arrived (priv, input);
  if (!begun)
    steal_input (priv, input);
  g_mutex_unlock (&priv->lock);
  g_queue_clear_full (&gone, gst_orch_zip_arrival_free);
  if (!begun)
    drop_input (priv, input);
  gst_orch_subscriber_wake (priv->alarm);
}

guint
gst_orch_zip_get_n_inputs (GstOrchZip * self)
{
  return gst_orch_zip_get_private (self)->row_inputs->len;
}

static GstOrchZipInput *
get_row_input (GstOrchZip * self, guint index)
{
  return g_ptr_array_index (gst_orch_zip_get_private (self)->row_inputs,
      index);
}

GstPad *
gst_orch_zip_get_pad (GstOrchZip * self, guint index)
{
  return get_row_input (self, index)->pad;
}

gboolean
gst_orch_zip_is_own_domain (GstOrchZip * self, guint index)
{
  return get_row_input (self, index)->domain ==
      gst_orch_zip_get_private (self)->domain;
}

/* S5.5: what no one below wants is wanted on none of the pads. */
static void
gst_orch_zip_unwant (GstElement * element, OrchExpansion * expansion,
    OrchCause * cause)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (GST_ORCH_ZIP (element));
  GPtrArray *inputs;
  guint i;

  if (!gst_orch_port_is_unwanted (priv->output.port, expansion))
    return;
  inputs = gst_orch_port_copy_inputs (priv->output.port);
  for (i = 0; i < inputs->len; i++)
    gst_orch_subscriber_unwant (g_ptr_array_index (inputs, i), expansion,
        cause);
  g_ptr_array_unref (inputs);
}

/* ---- states ---- */

void
gst_orch_zip_forget (GstOrchZip * self)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);
  GHashTable *rows = priv->rows;
  guint i;

  for (i = 0; i < priv->inputs->len; i++) {
    GstOrchZipInput *input = g_ptr_array_index (priv->inputs, i);

    gst_orch_zip_ancestors_init (input);
    input->drained = FALSE;
  }
  priv->rows = gst_orch_zip_entity_table_new (gst_orch_zip_row_unref);
  priv->key = orch_expansion_new_key ();
  gst_orch_lock (&priv->lock);
  gst_orch_ledger_forget (&priv->ledger);
  g_mutex_unlock (&priv->lock);
  g_hash_table_unref (rows);
}

static void
prepare (GstOrchZipPrivate * priv)
{
  guint i;

  gst_orch_lock (&priv->lock);
  memset (&priv->ledger, 0, sizeof priv->ledger);
  priv->begun = FALSE;
  priv->flushing = FALSE;
  priv->n_in_flush = 0;
  priv->flow = GST_FLOW_OK;
  for (i = 0; i < priv->inputs->len; i++) {
    GstOrchZipInput *input = g_ptr_array_index (priv->inputs, i);

    input->started = input->eos = input->resolved = input->in_flush = FALSE;
  }
  g_mutex_unlock (&priv->lock);
}

static void
drop_released (GstOrchZipPrivate * priv)
{
  guint i;

  for (i = priv->inputs->len; i-- > 0;) {
    GstOrchZipInput *input = g_ptr_array_index (priv->inputs, i);

    if (!g_atomic_int_get (&input->released))
      continue;
    gst_orch_lock (&priv->lock);
    steal_input (priv, input);
    g_mutex_unlock (&priv->lock);
    drop_input (priv, input);
  }
}

static void
clean_up (GstOrchZip * self)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);
  GQueue arrived;
  guint i;

  gst_orch_ledger_post (&priv->ledger, &priv->lock, GST_ELEMENT (self), FALSE);
  gst_orch_port_stop (priv->output.port);
  gst_orch_lock (&priv->lock);
  arrived = priv->arrived;
  g_queue_init (&priv->arrived);
  g_mutex_unlock (&priv->lock);
  g_queue_clear_full (&arrived, gst_orch_zip_arrival_free);
  gst_orch_zip_forget (self);
  for (i = 0; i < priv->inputs->len; i++) {
    GstOrchZipInput *input = g_ptr_array_index (priv->inputs, i);

    gst_orch_subscriber_reset (input->subscriber);
    gst_clear_caps (&input->caps);
    gst_clear_event (&input->segment);
    g_clear_pointer (&input->domain, orch_domain_unref);
  }
  g_ptr_array_set_size (priv->row_inputs, 0);
  gst_orch_lock (&priv->lock);
  priv->begun = FALSE;
  g_mutex_unlock (&priv->lock);
  drop_released (priv);
}

static GstStateChangeReturn
gst_orch_zip_change_state (GstElement * element, GstStateChange transition)
{
  GstOrchZip *self = GST_ORCH_ZIP (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    if (!gst_orch_plan_check (element))
      return GST_STATE_CHANGE_FAILURE;
    prepare (gst_orch_zip_get_private (self));
  }
  ret = GST_ELEMENT_CLASS (gst_orch_zip_parent_class)->change_state (element,
      transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY
      || (transition == GST_STATE_CHANGE_READY_TO_PAUSED
          && ret == GST_STATE_CHANGE_FAILURE))
    clean_up (self);
  return ret;
}

/* ---- the type ---- */

static void
gst_orch_zip_finalize (GObject * object)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (GST_ORCH_ZIP (object));

  gst_orch_egress_clear (&priv->output);
  g_ptr_array_unref (priv->row_inputs);
  g_ptr_array_unref (priv->inputs);
  g_hash_table_unref (priv->rows);
  gst_orch_subscriber_unref (priv->alarm);
  g_mutex_clear (&priv->lock);
  g_cond_clear (&priv->room);
  G_OBJECT_CLASS (gst_orch_zip_parent_class)->finalize (object);
}

static gboolean
gst_orch_zip_begin (GstOrchZip * self)
{
  return TRUE;
}

static void
gst_orch_zip_class_init (GstOrchZipClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = gst_orch_zip_set_property;
  object_class->get_property = gst_orch_zip_get_property;
  object_class->finalize = gst_orch_zip_finalize;
  g_object_class_install_property (object_class, PROP_ON_LOST,
      g_param_spec_enum ("on-lost", "On lost",
          "What a unit counts as that an element upstream has thrown away",
          GST_TYPE_ORCH_ON_LOST, GST_ORCH_ON_LOST_DROP, G_PARAM_READWRITE |
          G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property (object_class, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Counts of units by outcome, of those that wait for another pad now, "
          "and of those lost or doubled on the way", GST_TYPE_STRUCTURE,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  element_class->change_state = gst_orch_zip_change_state;
  gst_element_class_add_static_pad_template (element_class, &src_template);
  klass->begin = gst_orch_zip_begin;
}

static void
gst_orch_zip_init (GstOrchZip * self)
{
  GstOrchZipPrivate *priv = gst_orch_zip_get_private (self);

  g_mutex_init (&priv->lock);
  g_cond_init (&priv->room);
  g_queue_init (&priv->arrived);
  priv->inputs = g_ptr_array_new_with_free_func (input_free);
  priv->row_inputs = g_ptr_array_new ();
  priv->rows = gst_orch_zip_entity_table_new (gst_orch_zip_row_unref);
  priv->key = orch_expansion_new_key ();

  priv->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  gst_pad_set_query_function (priv->srcpad, gst_orch_zip_src_query);
  gst_pad_set_activatemode_function (priv->srcpad,
      gst_orch_zip_src_activate_mode);
  gst_element_add_pad (GST_ELEMENT (self), priv->srcpad);
  priv->alarm = gst_orch_subscriber_new (NULL);
  gst_orch_egress_init (&priv->output, priv->srcpad, NULL,
      GST_ORCH_DOMAIN_SAME);
  gst_orch_port_set_unwanted_func (priv->output.port, gst_orch_zip_unwant);
}

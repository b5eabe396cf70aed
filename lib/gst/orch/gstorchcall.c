/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchcall-private.h"
#include "gstorchfunction-private.h"
#include "gstorchplan-private.h"

#include <string.h>

GST_DEBUG_CATEGORY (gst_orch_call_debug);
#define GST_CAT_DEFAULT gst_orch_call_debug

/**
 * SECTION:gstorchcall
 * @title: GstOrchCall
 * @short_description: runs a Function over batches of units of any parents
 *
 * The streaming thread only enqueues; replicas take batches; one task pushes
 * what is done.  Three threads share the state that the Call's lock guards,
 * and the lock is never held while user code, a push or a query runs.
 */

#define DEFAULT_BATCH_SIZE 1
#define DEFAULT_REPLICAS 1
#define DEFAULT_MAX_BUFFERS 0
#define DEFAULT_MAX_BYTES (64 * 1024 * 1024)
#define DEFAULT_MAX_RETRIES 1

enum
{
  PROP_0,
  PROP_BATCH_SIZE,
  PROP_REPLICAS,
  PROP_BATCHING,
  PROP_RECOVERY,
  PROP_MAX_RETRIES,
  PROP_ABORT_AFTER_RETRIES,
  PROP_MAX_BUFFERS,
  PROP_MAX_BYTES,
  PROP_MAX_WAIT,
  PROP_ATTEMPT_TIMEOUT,
  PROP_WORKERS,
  PROP_MAX_MEMORY,
  PROP_CONFINE,
  PROP_ORDER,
  PROP_ON_LOST,
  PROP_STATS,
};

static GstElementClass *parent_class;

/* ---- the Function as a child ---- */

GstOrchFunction *
gst_orch_call_peek_function (GstOrchCall * self)
{
  return self->function;
}

/**
 * gst_orch_call_get_function:
 * @call: a #GstOrchCall
 *
 * Returns: (transfer full) (nullable): the Function that it runs
 *
 * Since: 0.1
 */
GstOrchFunction *
gst_orch_call_get_function (GstOrchCall * call)
{
  GstOrchFunction *function;

  GST_OBJECT_LOCK (call);
  function = call->function ? gst_object_ref (call->function) : NULL;
  GST_OBJECT_UNLOCK (call);
  return function;
}

static void
set_call_keys (GstOrchCall * self, gboolean can_group_fail)
{
  gpointer key = can_group_fail ? orch_call_get_key (self->core) : NULL;
  guint i;

  gst_orch_lock (&self->lock);
  self->can_group_fail = can_group_fail;
  orch_call_set_can_group_fail (self->core, can_group_fail);
  for (i = 0; i < self->outputs->len; i++) {
    GstOrchCallOutput *output = g_ptr_array_index (self->outputs, i);

    gst_orch_port_set_call_key (output->egress.port, key);
  }
  g_mutex_unlock (&self->lock);
}

gchar *
gst_orch_call_explain_missing (GstOrchCall * self, const gchar * name)
{
  g_auto (GStrv) names = gst_orch_function_list_names ();
  g_autofree gchar *known = g_strjoinv (", ", names);

  if (name)
    return g_strdup_printf ("%s: there is no Function \"%s\". Known are: %s.",
        GST_OBJECT_NAME (self), name, known);
  return g_strdup_printf ("%s has no Function to run. Set its property function "
      "to one of: %s.", GST_OBJECT_NAME (self), known);
}

/* Worker processes have a Function of their own, which follows this one. */
static void
note_change (GstOrchCall * self)
{
  GstOrchFunction *function = gst_orch_call_get_function (self);

  g_atomic_int_inc (&self->function_serial);
  if (!function)
    return;
  gst_orch_lock (&self->lock);
  self->n_outputs = 1 + gst_orch_function_get_n_further (function);
  g_mutex_unlock (&self->lock);
  gst_object_unref (function);
}

static void
drop_function (GstOrchCall * self, GstOrchFunction * old)
{
  if (!old)
    return;
  g_signal_handlers_disconnect_by_func (old, note_change, self);
  gst_child_proxy_child_removed (GST_CHILD_PROXY (self), G_OBJECT (old),
      "function");
  gst_object_unref (old);
}

void
gst_orch_call_set_function (GstOrchCall * self, GstOrchFunction * function)
{
  GstOrchFunction *old;
  const GstOrchFunctionTraits *traits = function ?
      gst_orch_function_class_get_traits (GST_ORCH_FUNCTION_GET_CLASS
      (function)) : NULL;

  GST_OBJECT_LOCK (self);
  old = self->function;
  self->function = function;
  GST_OBJECT_UNLOCK (self);
  gst_orch_lock (&self->lock);
  self->n_outputs =
      function ? 1 + gst_orch_function_get_n_further (function) : 0;
  if (!self->confine_is_set)
    self->confine = !traits || !traits->trusted;
  g_mutex_unlock (&self->lock);
  drop_function (self, old);
  if (!function)
    return;
  g_signal_connect_swapped (function, "notify", G_CALLBACK (note_change), self);
  set_call_keys (self, traits->can_group_fail);
  gst_child_proxy_child_added (GST_CHILD_PROXY (self), G_OBJECT (function),
      "function");
}

void
gst_orch_call_set_time (GstOrchCall * self, GstOrchTime * time)
{
  self->time = time;
}

static GObject *
get_child_by_name (GstChildProxy * proxy, const gchar * name)
{
  if (!g_str_equal (name, "function"))
    return NULL;
  return (GObject *) gst_orch_call_get_function ((GstOrchCall *) proxy);
}

static GObject *
get_child_by_index (GstChildProxy * proxy, guint index)
{
  return index ? NULL :
      (GObject *) gst_orch_call_get_function ((GstOrchCall *) proxy);
}

static guint
get_children_count (GstChildProxy * proxy)
{
  return ((GstOrchCall *) proxy)->function ? 1 : 0;
}

static void
gst_orch_call_child_proxy_init (gpointer g_iface, gpointer data)
{
  GstChildProxyInterface *iface = g_iface;

  iface->get_child_by_name = get_child_by_name;
  iface->get_child_by_index = get_child_by_index;
  iface->get_children_count = get_children_count;
}

/* ---- properties ---- */

static void
gst_orch_call_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstOrchCall *self = GST_ORCH_CALL (object);
  gboolean latency_changed = FALSE;

  gst_orch_lock (&self->lock);
  switch (id) {
    case PROP_BATCH_SIZE:
      self->batch_size = g_value_get_uint (value);
      break;
    case PROP_REPLICAS:
      self->n_replicas = g_value_get_uint (value);
      break;
    case PROP_BATCHING:
      self->batching = g_value_get_enum (value);
      break;
    case PROP_RECOVERY:
      self->recovery = g_value_get_enum (value);
      break;
    case PROP_MAX_RETRIES:
      self->max_retries = g_value_get_uint (value);
      break;
    case PROP_ABORT_AFTER_RETRIES:
      self->abort_after_retries = g_value_get_boolean (value);
      break;
    case PROP_MAX_BUFFERS:
      self->max_buffers = g_value_get_uint (value);
      break;
    case PROP_MAX_BYTES:
      self->max_bytes = g_value_get_uint64 (value);
      break;
    case PROP_MAX_WAIT:
      latency_changed = self->max_wait != g_value_get_uint64 (value);
      self->max_wait = g_value_get_uint64 (value);
      break;
    case PROP_ATTEMPT_TIMEOUT:
      self->attempt_timeout = g_value_get_uint64 (value);
      break;
    case PROP_WORKERS:
      self->workers = g_value_get_enum (value);
      break;
    case PROP_MAX_MEMORY:
      self->max_memory = g_value_get_uint64 (value);
      break;
    case PROP_CONFINE:
      self->confine = g_value_get_boolean (value);
      self->confine_is_set = TRUE;
      break;
    case PROP_ORDER:
      self->order = g_value_get_enum (value);
      break;
    case PROP_ON_LOST:
      self->on_lost = g_value_get_enum (value);
      gst_orch_subscriber_set_on_lost (self->input, self->on_lost);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
  g_cond_broadcast (&self->space);
  g_cond_broadcast (&self->work);
  g_mutex_unlock (&self->lock);
  if (latency_changed)
    gst_element_post_message (GST_ELEMENT (self),
        gst_message_new_latency (GST_OBJECT (self)));
}

static void
gst_orch_call_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstOrchCall *self = GST_ORCH_CALL (object);

  gst_orch_lock (&self->lock);
  switch (id) {
    case PROP_BATCH_SIZE:
      g_value_set_uint (value, self->batch_size);
      break;
    case PROP_REPLICAS:
      g_value_set_uint (value, self->n_replicas);
      break;
    case PROP_BATCHING:
      g_value_set_enum (value, self->batching);
      break;
    case PROP_RECOVERY:
      g_value_set_enum (value, self->recovery);
      break;
    case PROP_MAX_RETRIES:
      g_value_set_uint (value, self->max_retries);
      break;
    case PROP_ABORT_AFTER_RETRIES:
      g_value_set_boolean (value, self->abort_after_retries);
      break;
    case PROP_MAX_BUFFERS:
      g_value_set_uint (value, self->max_buffers);
      break;
    case PROP_MAX_BYTES:
      g_value_set_uint64 (value, self->max_bytes);
      break;
    case PROP_MAX_WAIT:
      g_value_set_uint64 (value, self->max_wait);
      break;
    case PROP_ATTEMPT_TIMEOUT:
      g_value_set_uint64 (value, self->attempt_timeout);
      break;
    case PROP_WORKERS:
      g_value_set_enum (value, self->workers);
      break;
    case PROP_MAX_MEMORY:
      g_value_set_uint64 (value, self->max_memory);
      break;
    case PROP_CONFINE:
      g_value_set_boolean (value, self->confine);
      break;
    case PROP_ORDER:
      g_value_set_enum (value, self->order);
      break;
    case PROP_ON_LOST:
      g_value_set_enum (value, self->on_lost);
      break;
    case PROP_STATS:
      g_value_take_boxed (value, gst_orch_call_make_stats (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
  g_mutex_unlock (&self->lock);
}

static void
install_properties (GObjectClass * klass)
{
  const GParamFlags ready = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
      | GST_PARAM_MUTABLE_READY;
  const GParamFlags playing = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
      | GST_PARAM_MUTABLE_PLAYING;

  g_object_class_install_property (klass, PROP_BATCH_SIZE,
      g_param_spec_uint ("batch-size", "Batch size",
          "Most units in a batch; fewer are taken when no more are ready",
          1, 1 << 20, DEFAULT_BATCH_SIZE, playing));
  g_object_class_install_property (klass, PROP_REPLICAS,
      g_param_spec_uint ("replicas", "Replicas",
          "Threads, or worker processes, that run batches at once (0 = number "
          "of processors)",
          0, 4096, DEFAULT_REPLICAS, ready));
  g_object_class_install_property (klass, PROP_BATCHING,
      g_param_spec_enum ("batching", "Batching",
          "Which units may share a batch", GST_TYPE_ORCH_BATCHING,
          ORCH_BATCHING_MIXED, ready));
  g_object_class_install_property (klass, PROP_RECOVERY,
      g_param_spec_enum ("recovery", "Recovery",
          "What follows when the Function fails a whole attempt",
          GST_TYPE_ORCH_RECOVERY, ORCH_RECOVERY_BISECT, ready));
  g_object_class_install_property (klass, PROP_MAX_RETRIES,
      g_param_spec_uint ("max-retries", "Max retries",
          "Times the whole batch is tried again with recovery=retry-batch and "
          "retry-tail, before it is split", 0, 1000, DEFAULT_MAX_RETRIES,
          ready));
  g_object_class_install_property (klass, PROP_ABORT_AFTER_RETRIES,
      g_param_spec_boolean ("abort-after-retries", "Abort after retries",
          "End the pipeline with an error when a batch has failed max-retries "
          "times more with recovery=retry-batch and retry-tail, instead of "
          "splitting it", FALSE, ready));
  g_object_class_install_property (klass, PROP_MAX_BUFFERS,
      g_param_spec_uint ("max-buffers", "Max buffers",
          "Most units held: ready, in flight and finished together "
          "(0 = 8 batches for each replica, 32 while a batch takes less than "
          "0.2 ms and pushing no more than 1 ms, at least 16)",
          0, G_MAXUINT, DEFAULT_MAX_BUFFERS, playing));
  g_object_class_install_property (klass, PROP_MAX_BYTES,
      g_param_spec_uint64 ("max-bytes", "Max bytes",
          "Most memory the held units may own, in bytes; one unit always fits",
          1, G_MAXUINT64, DEFAULT_MAX_BYTES, playing));
  g_object_class_install_property (klass, PROP_MAX_WAIT,
      g_param_spec_uint64 ("max-wait", "Max wait",
          "Longest time that a unit waits for its batch to fill, in "
          "nanoseconds (0 = never wait); part of the latency of live pipelines",
          0, G_MAXINT64, 0, playing));
  g_object_class_install_property (klass, PROP_ATTEMPT_TIMEOUT,
      g_param_spec_uint64 ("attempt-timeout", "Attempt timeout",
          "Longest time that the Function may take for one batch, in "
          "nanoseconds (0 = any); then the attempt has failed, and its thread "
          "is left alone, or its worker process killed", 0, G_MAXINT64, 0,
          playing));
  g_object_class_install_property (klass, PROP_WORKERS,
      g_param_spec_enum ("workers", "Workers",
          "What replicas are", GST_TYPE_ORCH_WORKERS, GST_ORCH_WORKERS_THREAD,
          ready));
  g_object_class_install_property (klass, PROP_MAX_MEMORY,
      g_param_spec_uint64 ("max-memory", "Maximum memory",
          "Most memory that a worker process may have in use, in bytes (0 = "
          "any); then it is killed, and the attempt has failed",
          0, G_MAXUINT64, 0, playing));
  g_object_class_install_property (klass, PROP_CONFINE,
      g_param_spec_boolean ("confine", "Confine",
          "Worker processes reach no network and start no programs, and of "
          "files they see only what the system has for all (below /usr) and "
          "what they are given; not by default where the code is the user's "
          "own (Python)", TRUE, ready));
  g_object_class_install_property (klass, PROP_ORDER,
      g_param_spec_enum ("order", "Order", "In which order units leave",
          GST_TYPE_ORCH_ORDER, GST_ORCH_ORDER_COMPLETION, ready));
  g_object_class_install_property (klass, PROP_ON_LOST,
      g_param_spec_enum ("on-lost", "On lost",
          "What a unit counts as that an element upstream has thrown away",
          GST_TYPE_ORCH_ON_LOST, GST_ORCH_ON_LOST_DROP, playing));
  g_object_class_install_property (klass, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Counts of units by outcome and of batches by fill (in eighths of "
          "batch-size) and by why they closed; first-begin and last-end (ns of the "
          "monotonic clock) of batches, and busy, the sum of their times (ns)",
          GST_TYPE_STRUCTURE,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

/* ---- states ---- */

static void
prepare (GstOrchCall * self)
{
  gst_orch_lock (&self->lock);
  orch_call_set_name (self->core, GST_OBJECT_NAME (self));
  orch_call_set_batching (self->core, self->batching);
  orch_call_set_recovery (self->core, self->recovery, self->max_retries);
  orch_call_set_abort_after_retries (self->core, self->abort_after_retries);
  memset (&self->stats, 0, sizeof self->stats);
  g_array_set_size (self->sizes, 0);
  self->flushing = FALSE;
  self->stopping = FALSE;
  self->eos = FALSE;
  self->resolved = FALSE;
  self->drained = FALSE;
  self->flow = GST_FLOW_OK;
  self->runs_quickly = FALSE;
  self->confinement_reported = FALSE;
  g_mutex_unlock (&self->lock);
  g_atomic_int_set (&self->cancelled, FALSE);
}

static void
clean_up (GstOrchCall * self)
{
  GPtrArray *outputs = gst_orch_call_copy_outputs (self);
  OrchGrainList forgotten = { NULL, };
  GList *events;
  guint i;

  gst_orch_ledger_post (&self->stats.ledger, &self->lock, GST_ELEMENT (self),
      FALSE);
  for (i = 0; i < outputs->len; i++)
    gst_orch_port_stop (((GstOrchCallOutput *)
            g_ptr_array_index (outputs, i))->egress.port);
  gst_orch_lock (&self->lock);
  gst_orch_call_forget (self, &forgotten, &events);
  for (i = 0; i < outputs->len; i++)
    gst_clear_event (&((GstOrchCallOutput *)
            g_ptr_array_index (outputs, i))->stream_start);
  g_mutex_unlock (&self->lock);
  gst_orch_grain_list_free (&forgotten);
  g_list_free_full (events, (GDestroyNotify) gst_event_unref);
  gst_orch_subscriber_reset (self->input);
  for (i = 0; i < outputs->len; i++)
    gst_orch_call_forget_sent (g_ptr_array_index (outputs, i));
  g_ptr_array_unref (outputs);
  gst_orch_context_unref (self->context);
  self->context = gst_orch_context_new ();
}

static void
cancel (GstOrchCall * self)
{
  g_atomic_int_set (&self->cancelled, TRUE);
  gst_orch_lock (&self->lock);
  self->stopping = TRUE;
  g_cond_broadcast (&self->work);
  g_mutex_unlock (&self->lock);
}

static GstStateChangeReturn
gst_orch_call_change_state (GstElement * element, GstStateChange transition)
{
  GstOrchCall *self = GST_ORCH_CALL (element);
  GstStateChangeReturn ret;

  switch (transition) {
    case GST_STATE_CHANGE_READY_TO_PAUSED:
      if (!gst_orch_plan_check (element))
        return GST_STATE_CHANGE_FAILURE;
      prepare (self);
      if (!gst_orch_call_check_outputs (self)
          || !gst_orch_call_start_replicas (self))
        return GST_STATE_CHANGE_FAILURE;
      break;
    case GST_STATE_CHANGE_PAUSED_TO_READY:
      cancel (self);
      break;
    default:
      break;
  }
  ret = parent_class->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY
      || (transition == GST_STATE_CHANGE_READY_TO_PAUSED
          && ret == GST_STATE_CHANGE_FAILURE)) {
    gst_orch_call_stop_replicas (self);
    clean_up (self);
  }
  return ret;
}

/* ---- the type ---- */

static void
gst_orch_call_finalize (GObject * object)
{
  GstOrchCall *self = GST_ORCH_CALL (object);

  gst_orch_context_unref (self->context);
  g_ptr_array_unref (self->outputs);
  g_array_unref (self->sizes);
  gst_orch_subscriber_unref (self->input);
  orch_call_free (self->core);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->space);
  g_cond_clear (&self->work);
  g_cond_clear (&self->ended);
  g_cond_clear (&self->watch_work);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_orch_call_dispose (GObject * object)
{
  gst_orch_call_set_function (GST_ORCH_CALL (object), NULL);
  G_OBJECT_CLASS (parent_class)->dispose (object);
}

static void
gst_orch_call_class_init (gpointer g_class, gpointer class_data)
{
  GObjectClass *object_class = G_OBJECT_CLASS (g_class);
  GstElementClass *element_class = GST_ELEMENT_CLASS (g_class);

  GST_DEBUG_CATEGORY_INIT (gst_orch_call_debug, "orchcall", 0,
      "Calls of Functions");
  parent_class = g_type_class_peek_parent (g_class);
  object_class->set_property = gst_orch_call_set_property;
  object_class->get_property = gst_orch_call_get_property;
  object_class->dispose = gst_orch_call_dispose;
  object_class->finalize = gst_orch_call_finalize;
  install_properties (object_class);
  element_class->change_state = gst_orch_call_change_state;
  element_class->request_new_pad = gst_orch_call_request_new_pad;
  element_class->release_pad = gst_orch_call_release_pad;
  gst_type_mark_as_plugin_api (GST_TYPE_ORCH_CALL, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_ORCH_BATCHING, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_ORCH_RECOVERY, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_ORCH_ORDER, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_ORCH_WORKERS, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_ORCH_ON_LOST, 0);
}

static void
add_sink_pad (GstOrchCall * self, GstElementClass * klass)
{
  GstPad *pad =
      gst_pad_new_from_template (gst_element_class_get_pad_template (klass,
          "sink"), "sink");

  gst_pad_set_chain_function (pad, gst_orch_call_chain);
  gst_pad_set_chain_list_function (pad, gst_orch_call_chain_list);
  gst_orch_pad_set_takes_lists (pad);
  gst_pad_set_event_function (pad, gst_orch_call_sink_event);
  gst_pad_set_query_function (pad, gst_orch_call_sink_query);
  gst_pad_set_activatemode_function (pad, gst_orch_call_sink_activate_mode);
  gst_element_add_pad (GST_ELEMENT (self), pad);
  self->sinkpad = pad;
}

static void
add_src_pad (GstOrchCall * self, GstElementClass * klass)
{
  self->output = gst_orch_call_output_new (self,
      gst_element_class_get_pad_template (klass, "src"), 0);
  g_ptr_array_add (self->outputs, self->output);
  gst_element_add_pad (GST_ELEMENT (self), self->output->egress.pad);
}

static void
gst_orch_call_init (GTypeInstance * instance, gpointer g_class)
{
  GstOrchCall *self = (GstOrchCall *) instance;

  g_mutex_init (&self->lock);
  g_cond_init (&self->space);
  g_cond_init (&self->work);
  g_cond_init (&self->ended);
  g_cond_init (&self->watch_work);
  self->time = gst_orch_time_get_system ();
  self->batch_size = DEFAULT_BATCH_SIZE;
  self->n_replicas = DEFAULT_REPLICAS;
  self->max_buffers = DEFAULT_MAX_BUFFERS;
  self->max_bytes = DEFAULT_MAX_BYTES;
  self->sizes = g_array_new (FALSE, TRUE, sizeof (guint64));
  self->max_retries = DEFAULT_MAX_RETRIES;
  self->confine = TRUE;
  self->context = gst_orch_context_new ();
  self->outputs = g_ptr_array_new_with_free_func (gst_orch_call_output_unref);
  self->core = orch_call_new (GST_OBJECT_NAME (self));
  add_sink_pad (self, g_class);
  self->input = gst_orch_subscriber_new (self->sinkpad);
  gst_orch_subscriber_set_refusal (self->input, gst_orch_call_refuse);
  add_src_pad (self, g_class);
  gst_orch_call_set_function (self,
      gst_orch_call_type_make_function (G_TYPE_FROM_CLASS (g_class)));
}

GType
gst_orch_call_get_type (void)
{
  static GType type = 0;

  if (g_once_init_enter (&type)) {
    const GInterfaceInfo child_proxy = { gst_orch_call_child_proxy_init, };
    GTypeInfo info = { 0, };
    GType new_type;

    info.class_size = sizeof (GstOrchCallClass);
    info.class_init = gst_orch_call_class_init;
    info.instance_size = sizeof (GstOrchCall);
    info.instance_init = gst_orch_call_init;
    new_type = g_type_register_static (GST_TYPE_ELEMENT, "GstOrchCall",
        &info, G_TYPE_FLAG_ABSTRACT);
    g_type_add_interface_static (new_type, GST_TYPE_CHILD_PROXY, &child_proxy);
    g_once_init_leave (&type, new_type);
  }
  return type;
}

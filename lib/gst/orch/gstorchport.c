/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchitem-private.h"
#include "gstorchsubscriber-private.h"

#define QUERY_PORTS "orch-ports"
#define QUERY_IN_FLIGHT "orch-in-flight"
#define QUERY_SUBSCRIBE "orch-subscribe"
/* Facts kept for a subscriber that has yet to come.  More means that none will. */
#define MAX_BACKLOG 1000000

struct _GstOrchPort
{
  gint refs;
  gchar *name;
  GstPad *pad;                  /* the owner's; used by the owner's threads only */
  GWeakRef weak_pad;            /* the same, for other threads */
  GstOrchUnwantedFunc unwanted; /* (nullable) */

  GMutex lock;
  GPtrArray *subscribers;       /* refs */
  gint n_subscribers;           /* atomic: read at every carrier's death */
  gboolean announced;           /* who was there before the first post listens */
  GQueue backlog;               /* GstOrchNews, until then or while nobody does */
  gboolean is_last;             /* nobody can: the pipeline ends in other sinks */

  GPtrArray *inputs;            /* refs; `lock` */
  GPtrArray *waiters;           /* refs to who waits for the Call; `lock` */
  gboolean any_waits;           /* since they were woken; `lock` */
  gpointer call_key;
  GstOrchItemChunk *chunk;      /* (nullable): being filled by the owner's task */

  GstOrchDomainRelation relation;
  OrchDomain *domain;           /* NULL: follows from the input's */
  GstOrchPort *twin;            /* ref (nullable): whose Domain it has */
  gint epoch;                   /* atomic */
  gint stamp_epoch;             /* of the Items that the owner's task makes */

  gint broken;                  /* atomic: a push has failed */
  GThread *pusher;              /* atomic (nullable): the owner's task, in a push */
  GQueue gone;                  /* GstOrchNews of what died in it; the pusher's */
};

static void
port_unref (gpointer port)
{
  gst_orch_port_unref (port);
}

static GQuark
port_quark (void)
{
  return g_quark_from_static_string ("gst-orch-port");
}

static GPtrArray *
new_subscribers (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify)
      gst_orch_subscriber_unref);
}

GstOrchPort *
gst_orch_port_new (GstPad * srcpad)
{
  GstOrchPort *port = g_new0 (GstOrchPort, 1);

  port->refs = 1;
  port->pad = srcpad;
  g_weak_ref_init (&port->weak_pad, srcpad);
  g_mutex_init (&port->lock);
  port->subscribers = new_subscribers ();
  port->inputs = new_subscribers ();
  port->waiters = new_subscribers ();
  g_queue_init (&port->backlog);
  g_queue_init (&port->gone);
  g_object_set_qdata_full (G_OBJECT (srcpad), port_quark (),
      gst_orch_port_ref (port), port_unref);
  return port;
}

static gpointer
port_dup (gpointer port, gpointer user_data)
{
  return port ? gst_orch_port_ref (port) : NULL;
}

GstOrchPort *
gst_orch_port_of_pad (GstPad * srcpad)
{
  return g_object_dup_qdata (G_OBJECT (srcpad), port_quark (), port_dup, NULL);
}

GstOrchPort *
gst_orch_port_ref (GstOrchPort * port)
{
  g_atomic_int_inc (&port->refs);
  return port;
}

static void
news_copy (GstOrchNews * copy, const GstOrchNews * news)
{
  *copy = *news;
  if (copy->entity)
    orch_entity_ref (copy->entity);
  if (copy->cause)
    orch_cause_ref (copy->cause);
  if (copy->expansion)
    orch_expansion_ref (copy->expansion);
  gst_orch_info_ref (copy->info);
  gst_orch_port_ref (copy->port);
}

static void
news_free (gpointer news)
{
  gst_orch_news_clear (news);
  g_slice_free (GstOrchNews, news);
}

void
gst_orch_port_unref (GstOrchPort * port)
{
  if (!g_atomic_int_dec_and_test (&port->refs))
    return;
  g_ptr_array_unref (port->subscribers);
  g_queue_clear_full (&port->backlog, news_free);
  g_ptr_array_unref (port->inputs);
  g_ptr_array_unref (port->waiters);
  g_clear_pointer (&port->domain, orch_domain_unref);
  g_weak_ref_clear (&port->weak_pad);
  g_clear_pointer (&port->twin, gst_orch_port_unref);
  g_mutex_clear (&port->lock);
  g_free (port->name);
  g_free (port);
}

void
gst_orch_port_close (GstOrchPort * port)
{
  /* Its chunk holds the Port. */
  g_clear_pointer (&port->chunk, gst_orch_item_chunk_close);
  gst_orch_port_unref (port);
}

gchar *
gst_orch_port_get_name (GstOrchPort * port)
{
  gchar *name;

  gst_orch_lock (&port->lock);
  name = g_strdup (port->name ? port->name : "?");
  g_mutex_unlock (&port->lock);
  return name;
}

gint
gst_orch_port_get_n_subscribers (GstOrchPort * port)
{
  return g_atomic_int_get (&port->n_subscribers);
}

void
gst_orch_port_set_call_key (GstOrchPort * port, gpointer call_key)
{
  port->call_key = call_key;
}

void
gst_orch_port_add_input (GstOrchPort * port, GstOrchSubscriber * input)
{
  gst_orch_lock (&port->lock);
  g_ptr_array_add (port->inputs, gst_orch_subscriber_ref (input));
  g_mutex_unlock (&port->lock);
}

void
gst_orch_port_remove_input (GstOrchPort * port, GstOrchSubscriber * input)
{
  gst_orch_subscriber_ref (input);
  gst_orch_lock (&port->lock);
  g_ptr_array_remove (port->inputs, input);
  g_mutex_unlock (&port->lock);
  gst_orch_subscriber_unref (input);
}

GPtrArray *
gst_orch_port_copy_inputs (GstOrchPort * port)
{
  GPtrArray *inputs = new_subscribers ();
  guint i;

  gst_orch_lock (&port->lock);
  for (i = 0; i < port->inputs->len; i++)
    g_ptr_array_add (inputs,
        gst_orch_subscriber_ref (g_ptr_array_index (port->inputs, i)));
  g_mutex_unlock (&port->lock);
  return inputs;
}

gboolean
gst_orch_port_shares_input (GstOrchPort * port, GstOrchPort * other)
{
  GPtrArray *inputs = gst_orch_port_copy_inputs (port);
  GPtrArray *others = gst_orch_port_copy_inputs (other);
  gboolean result = FALSE;
  guint i;

  for (i = 0; i < inputs->len && !result; i++)
    result = g_ptr_array_find (others, g_ptr_array_index (inputs, i), NULL);
  g_ptr_array_unref (inputs);
  g_ptr_array_unref (others);
  return result;
}

void
gst_orch_port_set_domain (GstOrchPort * port, OrchDomain * domain)
{
  OrchDomain *old;

  gst_orch_lock (&port->lock);
  old = port->domain;
  port->domain = domain ? orch_domain_ref (domain) : NULL;
  g_mutex_unlock (&port->lock);
  orch_domain_unref (old);
}

void
gst_orch_port_set_twin (GstOrchPort * port, GstOrchPort * twin)
{
  port->twin = gst_orch_port_ref (twin);
}

void
gst_orch_port_set_relation (GstOrchPort * port, GstOrchDomainRelation relation)
{
  port->relation = relation;
}

GstOrchDomainRelation
gst_orch_port_get_relation (GstOrchPort * port)
{
  return port->relation;
}

static OrchDomain *
get_known_domain (GstOrchPort * port)
{
  OrchDomain *domain;

  gst_orch_lock (&port->lock);
  domain = port->domain ? orch_domain_ref (port->domain) : NULL;
  g_mutex_unlock (&port->lock);
  return domain;
}

/* The Domain of an expansion exists before its first parent does: what stands
 * below tells by it whose Expansions are whose. */
static OrchDomain *
open_child_domain (GstOrchPort * port, OrchDomain * above)
{
  g_autofree gchar *name = gst_orch_port_get_name (port);
  OrchDomain *domain = orch_domain_new (name, above);

  gst_orch_lock (&port->lock);
  if (port->domain) {
    orch_domain_unref (domain);
    domain = orch_domain_ref (port->domain);
  } else {
    port->domain = orch_domain_ref (domain);
  }
  g_mutex_unlock (&port->lock);
  return domain;
}

/* (transfer full) (nullable): the deepest of the inputs' Domains, which is that of
 * the Entities that come together there (S3.5, S3.9). */
static OrchDomain *
get_input_domain (GstOrchPort * port)
{
  GPtrArray *inputs = gst_orch_port_copy_inputs (port);
  OrchDomain *deepest = NULL;
  guint i;

  for (i = 0; i < inputs->len; i++) {
    OrchDomain *domain =
        gst_orch_subscriber_get_domain (g_ptr_array_index (inputs, i));

    if (domain && (!deepest || orch_domain_get_depth (domain) >
            orch_domain_get_depth (deepest))) {
      orch_domain_unref (deepest);
      deepest = domain;
    } else {
      orch_domain_unref (domain);
    }
  }
  g_ptr_array_unref (inputs);
  return deepest;
}

OrchDomain *
gst_orch_port_get_domain (GstOrchPort * port)
{
  OrchDomain *domain = get_known_domain (port);
  OrchDomain *input, *above;

  if (domain)
    return domain;
  if (port->twin)
    return gst_orch_port_get_domain (port->twin);
  input = get_input_domain (port);
  if (!input || port->relation == GST_ORCH_DOMAIN_SAME)
    return input;
  if (port->relation != GST_ORCH_DOMAIN_PARENT) {
    domain = open_child_domain (port, input);
  } else {
    above = orch_domain_get_parent (input);
    domain = above ? orch_domain_ref (above) : NULL;
  }
  orch_domain_unref (input);
  return domain;
}

void
gst_orch_port_new_epoch (GstOrchPort * port)
{
  GQueue backlog;

  gst_orch_lock (&port->lock);
  g_atomic_int_inc (&port->epoch);
  g_atomic_int_set (&port->broken, FALSE);
  backlog = port->backlog;
  g_queue_init (&port->backlog);
  g_mutex_unlock (&port->lock);
  g_queue_clear_full (&backlog, news_free);
}

void
gst_orch_port_begin (GstOrchPort * port)
{
  port->stamp_epoch = g_atomic_int_get (&port->epoch);
}

void
gst_orch_port_stop (GstOrchPort * port)
{
  GPtrArray *waiters;

  gst_orch_lock (&port->lock);
  port->announced = FALSE;
  waiters = port->waiters;
  port->waiters = new_subscribers ();
  g_mutex_unlock (&port->lock);
  g_ptr_array_unref (waiters);
  gst_orch_port_new_epoch (port);
}

gint
gst_orch_port_get_stamp_epoch (GstOrchPort * port)
{
  return port->stamp_epoch;
}

GstOrchItemChunk **
gst_orch_port_get_chunk (GstOrchPort * port)
{
  return &port->chunk;
}

gint
gst_orch_port_get_epoch (GstOrchPort * port)
{
  return g_atomic_int_get (&port->epoch);
}

/* ---- subscription ---- */

/* The pointer that our custom queries carry, NULL for every other query. */
static gpointer
get_query_pointer (GstQuery * query, const gchar * name)
{
  const GstStructure *structure;
  gpointer pointer = NULL;

  if (GST_QUERY_TYPE (query) != GST_QUERY_CUSTOM)
    return NULL;
  structure = gst_query_get_structure (query);
  if (structure && gst_structure_has_name (structure, name))
    gst_structure_get (structure, "pointer", G_TYPE_POINTER, &pointer, NULL);
  return pointer;
}

static void
run_query (GstPad * pad, const gchar * name, gpointer pointer)
{
  GstQuery *query = gst_query_new_custom (GST_QUERY_CUSTOM,
      gst_structure_new (name, "pointer", G_TYPE_POINTER, pointer, NULL));

  gst_pad_peer_query (pad, query);
  gst_query_unref (query);
}

void
gst_orch_port_take_name (GstOrchPort * port)
{
  GstObject *element = gst_object_get_parent (GST_OBJECT (port->pad));

  if (!element)
    return;
  gst_orch_lock (&port->lock);
  g_free (port->name);
  port->name = g_strdup_printf ("%s:%s", GST_OBJECT_NAME (element),
      GST_OBJECT_NAME (port->pad));
  g_mutex_unlock (&port->lock);
  gst_object_unref (element);
}

gboolean
gst_orch_port_query (GstOrchPort * port, GstQuery * query)
{
  GPtrArray *ports = get_query_pointer (query, QUERY_PORTS);

  if (!ports)
    return FALSE;
  g_ptr_array_add (ports, gst_orch_port_ref (port));
  return TRUE;
}

/* With the lock held. */
static void
hand_out_backlog (GstOrchPort * port)
{
  GstOrchNews *news, copy;
  guint i;

  while ((news = g_queue_pop_head (&port->backlog))) {
    /* For the copies, which hold it. */
    news->port = port;
    for (i = 0; i < port->subscribers->len; i++) {
      news_copy (&copy, news);
      gst_orch_subscriber_post (g_ptr_array_index (port->subscribers, i),
          &copy);
    }
    news->port = NULL;
    news_free (news);
  }
}

void
gst_orch_port_announce (GstOrchPort * port)
{
  gboolean is_last = gst_orch_port_leads_to_sinks (port->pad);
  GQueue ignored = G_QUEUE_INIT;

  gst_orch_port_take_name (port);
  gst_orch_port_begin (port);
  run_query (port->pad, QUERY_SUBSCRIBE, port);
  gst_orch_lock (&port->lock);
  port->announced = TRUE;
  port->is_last = is_last;
  if (port->subscribers->len > 0) {
    hand_out_backlog (port);
  } else if (is_last) {
    ignored = port->backlog;
    g_queue_init (&port->backlog);
  }
  g_mutex_unlock (&port->lock);
  g_queue_clear_full (&ignored, news_free);
}

guint
gst_orch_port_ask_in_flight (GstOrchPort * port)
{
  guint units = 0;

  run_query (port->pad, QUERY_IN_FLIGHT, &units);
  return units;
}

guint *
gst_orch_port_get_in_flight_query (GstQuery * query)
{
  return get_query_pointer (query, QUERY_IN_FLIGHT);
}

GstOrchPort *
gst_orch_port_from_query (GstQuery * query)
{
  return get_query_pointer (query, QUERY_SUBSCRIBE);
}

GPtrArray *
gst_orch_port_find_upstream (GstPad * sinkpad)
{
  GPtrArray *ports = g_ptr_array_new_with_free_func (port_unref);

  run_query (sinkpad, QUERY_PORTS, ports);
  return ports;
}

/* If nobody came when the Port announced itself, the first one to come hears
 * what was said before. */
void
gst_orch_port_subscribe (GstOrchPort * port, GstOrchSubscriber * subscriber)
{
  gst_orch_lock (&port->lock);
  if (!g_ptr_array_find (port->subscribers, subscriber, NULL)) {
    g_ptr_array_add (port->subscribers, gst_orch_subscriber_ref (subscriber));
    g_atomic_int_inc (&port->n_subscribers);
    if (port->announced)
      hand_out_backlog (port);
  }
  g_mutex_unlock (&port->lock);
}

void
gst_orch_port_unsubscribe (GstOrchPort * port, GstOrchSubscriber * subscriber)
{
  gboolean removed;

  gst_orch_subscriber_ref (subscriber);
  gst_orch_lock (&port->lock);
  removed = g_ptr_array_remove (port->subscribers, subscriber);
  if (removed)
    g_atomic_int_add (&port->n_subscribers, -1);
  g_mutex_unlock (&port->lock);
  gst_orch_subscriber_unref (subscriber);
}

static gpointer
ref_subscriber (gconstpointer subscriber, gpointer user_data)
{
  return gst_orch_subscriber_ref ((GstOrchSubscriber *) subscriber);
}

GPtrArray *
gst_orch_port_copy_subscribers (GstOrchPort * port)
{
  GPtrArray *subscribers;

  gst_orch_lock (&port->lock);
  subscribers = g_ptr_array_copy (port->subscribers, ref_subscriber, NULL);
  g_mutex_unlock (&port->lock);
  return subscribers;
}

GstPad *
gst_orch_port_ref_pad (GstOrchPort * port)
{
  return g_weak_ref_get (&port->weak_pad);
}

/* ---- what nobody wants ---- */

void
gst_orch_port_set_unwanted_func (GstOrchPort * port, GstOrchUnwantedFunc func)
{
  port->unwanted = func;
}

void
gst_orch_port_unwant (GstOrchPort * port, OrchExpansion * expansion,
    OrchCause * cause)
{
  GstPad *pad = port->unwanted ? gst_orch_port_ref_pad (port) : NULL;
  GstElement *owner = pad ? gst_pad_get_parent_element (pad) : NULL;

  if (owner)
    port->unwanted (owner, expansion, cause);
  g_clear_pointer (&owner, gst_object_unref);
  g_clear_pointer (&pad, gst_object_unref);
}

/* ---- posting ---- */

static void
port_post (GstOrchPort * port, const GstOrchNews * news)
{
  GstOrchNews *kept = NULL, copy;
  guint i;

  gst_orch_lock (&port->lock);
  for (i = 0; port->announced && i < port->subscribers->len; i++) {
    news_copy (&copy, news);
    gst_orch_subscriber_post (g_ptr_array_index (port->subscribers, i), &copy);
  }
  /* What is kept is open: with many of them orchsrc would open no more. */
  if (!port->announced || (port->subscribers->len == 0 && !port->is_last)) {
    news_copy (&copy, news);
    /* Its own Port is no news: a reference would keep the Port for ever. */
    g_clear_pointer (&copy.port, gst_orch_port_unref);
    g_queue_push_tail (&port->backlog, g_slice_dup (GstOrchNews, &copy));
    if (port->backlog.length > MAX_BACKLOG)
      kept = g_queue_pop_head (&port->backlog);
  }
  g_mutex_unlock (&port->lock);
  if (kept)
    news_free (kept);
}

void
gst_orch_port_post_outcome (GstOrchPort * port, OrchEntity * entity,
    OrchOutcome outcome, OrchCause * cause, GstOrchInfo * info)
{
  GstOrchNews news = { GST_ORCH_NEWS_OUTCOME, entity, outcome, cause, info,
    NULL, port
  };

  port_post (port, &news);
}

void
gst_orch_port_post_expansion (GstOrchPort * port, OrchExpansion * expansion)
{
  GstOrchNews news = { GST_ORCH_NEWS_EXPANSION, NULL,
    ORCH_OUTCOME_UNRESOLVED, NULL, NULL, expansion, port
  };

  port_post (port, &news);
}

/* ---- pushes that fail ---- */

/* An outcome that nobody has decided: each subscriber reads it as a loss. */
void
gst_orch_port_post_gone (GstOrchPort * port, OrchEntity * entity,
    GstOrchInfo * info)
{
  GstOrchNews news = { GST_ORCH_NEWS_OUTCOME, entity,
    ORCH_OUTCOME_UNRESOLVED, NULL, info, NULL, NULL
  };

  if (g_atomic_pointer_get (&port->pusher) != g_thread_self ()) {
    gst_orch_port_post_outcome (port, entity, ORCH_OUTCOME_UNRESOLVED, NULL,
        info);
    return;
  }
  /* Whether it is a loss shows when the push returns. */
  orch_entity_ref (entity);
  gst_orch_info_ref (info);
  g_queue_push_tail (&port->gone, g_slice_dup (GstOrchNews, &news));
}

void
gst_orch_port_begin_push (GstOrchPort * port)
{
  g_atomic_pointer_set (&port->pusher, g_thread_self ());
}

void
gst_orch_port_end_push (GstOrchPort * port, GstFlowReturn ret)
{
  gboolean is_loss = ret >= GST_FLOW_NOT_LINKED || ret == GST_FLOW_EOS;
  GstOrchNews *news;

  g_atomic_pointer_set (&port->pusher, NULL);
  while ((news = g_queue_pop_head (&port->gone))) {
    if (is_loss)
      gst_orch_port_post_outcome (port, news->entity, news->outcome, NULL,
          news->info);
    news_free (news);
  }
}

void
gst_orch_port_break (GstOrchPort * port)
{
  g_atomic_int_set (&port->broken, TRUE);
}

gboolean
gst_orch_port_is_broken (GstOrchPort * port)
{
  gboolean result = g_atomic_int_get (&port->broken);
  GPtrArray *inputs;
  guint i;

  if (result)
    return TRUE;
  inputs = gst_orch_port_copy_inputs (port);
  for (i = 0; i < inputs->len && !result; i++)
    result = gst_orch_subscriber_is_broken (g_ptr_array_index (inputs, i));
  g_ptr_array_unref (inputs);
  return result;
}

/* ---- back-pressure ---- */

gboolean
gst_orch_port_has_room (GstOrchPort * port)
{
  gboolean result;
  guint i;

  gst_orch_lock (&port->lock);
  result = port->announced || port->backlog.length < GST_ORCH_MAX_NEWS;
  for (i = 0; i < port->subscribers->len && result; i++)
    result = gst_orch_subscriber_get_n_news (g_ptr_array_index
        (port->subscribers, i)) < GST_ORCH_MAX_NEWS;
  g_mutex_unlock (&port->lock);
  return result;
}

void
gst_orch_port_wake_owner (GstOrchPort * port)
{
  guint i;

  gst_orch_lock (&port->lock);
  for (i = 0; i < port->inputs->len; i++)
    gst_orch_subscriber_wake (g_ptr_array_index (port->inputs, i));
  g_mutex_unlock (&port->lock);
}

/* ---- what the Port depends on ---- */

static gboolean
has_domain_of (GstOrchPort * port, OrchExpansion * expansion)
{
  OrchDomain *domain = gst_orch_port_get_domain (port);
  gboolean result = domain == orch_expansion_get_domain (expansion);

  orch_domain_unref (domain);
  return result;
}

static gboolean
is_call_sealed (GstOrchPort * port, OrchExpansion * expansion,
    GstOrchSubscriber * waiter)
{
  gboolean result;

  if (!port->call_key || !has_domain_of (port, expansion))
    return TRUE;
  gst_orch_lock (&port->lock);
  /* Under the lock: what is sealed from now on wakes who is on the list. */
  result = orch_call_is_parent_sealed (port->call_key, expansion);
  if (!result && !g_ptr_array_find (port->waiters, waiter, NULL))
    g_ptr_array_add (port->waiters, gst_orch_subscriber_ref (waiter));
  port->any_waits |= !result;
  g_mutex_unlock (&port->lock);
  return result;
}

gboolean
gst_orch_port_is_sealed (GstOrchPort * port, OrchExpansion * expansion,
    GstOrchSubscriber * waiter)
{
  gboolean result = is_call_sealed (port, expansion, waiter);
  GPtrArray *inputs;
  guint i;

  if (!result)
    return FALSE;
  inputs = gst_orch_port_copy_inputs (port);
  for (i = 0; i < inputs->len && result; i++)
    result = gst_orch_subscriber_is_sealed (g_ptr_array_index (inputs, i),
        expansion, waiter);
  g_ptr_array_unref (inputs);
  return result;
}

void
gst_orch_port_wake_waiters (GstOrchPort * port)
{
  guint i;

  gst_orch_lock (&port->lock);
  for (i = 0; i < port->waiters->len && port->any_waits; i++)
    gst_orch_subscriber_wake (g_ptr_array_index (port->waiters, i));
  port->any_waits = FALSE;
  g_mutex_unlock (&port->lock);
}

OrchCause *
gst_orch_port_find_barrier (GstOrchPort * port, OrchExpansion * expansion)
{
  GPtrArray *inputs;
  OrchCause *cause = NULL;
  guint i;

  if (port->call_key)
    cause = orch_call_get_barrier (port->call_key, expansion);
  if (cause)
    return cause;
  inputs = gst_orch_port_copy_inputs (port);
  for (i = 0; i < inputs->len && !cause; i++)
    cause = gst_orch_subscriber_find_barrier (g_ptr_array_index (inputs, i),
        expansion);
  g_ptr_array_unref (inputs);
  return cause;
}

gboolean
gst_orch_port_can_group_fail (GstOrchPort * port)
{
  GPtrArray *inputs;
  gboolean result = port->call_key != NULL;
  guint i;

  if (result)
    return TRUE;
  inputs = gst_orch_port_copy_inputs (port);
  for (i = 0; i < inputs->len && !result; i++)
    result = gst_orch_subscriber_can_group_fail (g_ptr_array_index (inputs,
            i));
  g_ptr_array_unref (inputs);
  return result;
}

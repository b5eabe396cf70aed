/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchitem-private.h"
#include "gstorchsubscriber-private.h"

#define QUERY_NAME "orch-ports"
/* Facts kept for a subscriber that has yet to come.  More means that none will
 * (a pipeline that ends in a sink of another kind). */
#define MAX_BACKLOG 1000000

struct _GstOrchPort
{
  gint refs;
  gchar *name;

  GMutex lock;
  GPtrArray *subscribers;       /* refs */
  gint n_subscribers;           /* atomic: read at every carrier's death */
  GQueue backlog;               /* GstOrchNews, while nobody listens */

  GstOrchSubscriber *input;     /* ref */
  gpointer call_key;
  OrchDomain *domain;           /* NULL: the producer's */
  gint epoch;                   /* atomic */
};

GstOrchPort *
gst_orch_port_new (GstPad * srcpad)
{
  GstOrchPort *port = g_new0 (GstOrchPort, 1);
  GstObject *element = gst_object_get_parent (GST_OBJECT (srcpad));

  port->refs = 1;
  port->name = g_strdup_printf ("%s:%s",
      element ? GST_OBJECT_NAME (element) : "?", GST_OBJECT_NAME (srcpad));
  g_clear_pointer (&element, gst_object_unref);
  g_mutex_init (&port->lock);
  port->subscribers = g_ptr_array_new_with_free_func ((GDestroyNotify)
      gst_orch_subscriber_unref);
  g_queue_init (&port->backlog);
  return port;
}

GstOrchPort *
gst_orch_port_ref (GstOrchPort * port)
{
  g_atomic_int_inc (&port->refs);
  return port;
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
  g_clear_pointer (&port->input, gst_orch_subscriber_unref);
  g_clear_pointer (&port->domain, orch_domain_unref);
  g_mutex_clear (&port->lock);
  g_free (port->name);
  g_free (port);
}

const gchar *
gst_orch_port_get_name (GstOrchPort * port)
{
  return port->name;
}

gint
gst_orch_port_get_n_subscribers (GstOrchPort * port)
{
  return g_atomic_int_get (&port->n_subscribers);
}

void
gst_orch_port_set_producer (GstOrchPort * port, GstOrchSubscriber * input,
    gpointer call_key)
{
  gst_orch_subscriber_ref (input);
  if (port->input)
    gst_orch_subscriber_unref (port->input);
  port->input = input;
  port->call_key = call_key;
}

void
gst_orch_port_set_domain (GstOrchPort * port, OrchDomain * domain)
{
  OrchDomain *old;

  g_mutex_lock (&port->lock);
  old = port->domain;
  port->domain = domain ? orch_domain_ref (domain) : NULL;
  g_mutex_unlock (&port->lock);
  orch_domain_unref (old);
}

OrchDomain *
gst_orch_port_get_domain (GstOrchPort * port)
{
  OrchDomain *domain;

  g_mutex_lock (&port->lock);
  domain = port->domain ? orch_domain_ref (port->domain) : NULL;
  g_mutex_unlock (&port->lock);
  if (!domain && port->input)
    domain = gst_orch_subscriber_get_domain (port->input);
  return domain;
}

void
gst_orch_port_new_epoch (GstOrchPort * port)
{
  g_atomic_int_inc (&port->epoch);
}

gint
gst_orch_port_get_epoch (GstOrchPort * port)
{
  return g_atomic_int_get (&port->epoch);
}

/* ---- subscription ---- */

static void
port_unref (gpointer port)
{
  gst_orch_port_unref (port);
}

gboolean
gst_orch_port_query (GstOrchPort * port, GstQuery * query)
{
  const GstStructure *structure;
  GPtrArray *ports = NULL;

  if (GST_QUERY_TYPE (query) != GST_QUERY_CUSTOM)
    return FALSE;
  structure = gst_query_get_structure (query);
  if (!structure || !gst_structure_has_name (structure, QUERY_NAME))
    return FALSE;
  gst_structure_get (structure, "ports", G_TYPE_POINTER, &ports, NULL);
  g_ptr_array_add (ports, gst_orch_port_ref (port));
  return TRUE;
}

GPtrArray *
gst_orch_port_find_upstream (GstPad * sinkpad)
{
  GPtrArray *ports = g_ptr_array_new_with_free_func (port_unref);
  GstQuery *query = gst_query_new_custom (GST_QUERY_CUSTOM,
      gst_structure_new (QUERY_NAME, "ports", G_TYPE_POINTER, ports, NULL));

  gst_pad_peer_query (sinkpad, query);
  gst_query_unref (query);
  return ports;
}

/* The first subscriber hears what was said before it came. */
void
gst_orch_port_subscribe (GstOrchPort * port, GstOrchSubscriber * subscriber)
{
  GQueue backlog = G_QUEUE_INIT;
  GstOrchNews *news;

  g_mutex_lock (&port->lock);
  if (!g_ptr_array_find (port->subscribers, subscriber, NULL)) {
    g_ptr_array_add (port->subscribers, gst_orch_subscriber_ref (subscriber));
    g_atomic_int_inc (&port->n_subscribers);
    backlog = port->backlog;
    g_queue_init (&port->backlog);
  }
  while ((news = g_queue_pop_head (&backlog))) {
    news->port = gst_orch_port_ref (port);
    gst_orch_subscriber_post (subscriber, news);
    g_slice_free (GstOrchNews, news);
  }
  g_mutex_unlock (&port->lock);
}

void
gst_orch_port_unsubscribe (GstOrchPort * port, GstOrchSubscriber * subscriber)
{
  gboolean removed;

  gst_orch_subscriber_ref (subscriber);
  g_mutex_lock (&port->lock);
  removed = g_ptr_array_remove (port->subscribers, subscriber);
  if (removed)
    g_atomic_int_add (&port->n_subscribers, -1);
  g_mutex_unlock (&port->lock);
  gst_orch_subscriber_unref (subscriber);
}

/* ---- posting ---- */

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
port_post (GstOrchPort * port, const GstOrchNews * news)
{
  GstOrchNews *kept = NULL, copy;
  guint i;

  g_mutex_lock (&port->lock);
  for (i = 0; i < port->subscribers->len; i++) {
    news_copy (&copy, news);
    gst_orch_subscriber_post (g_ptr_array_index (port->subscribers, i), &copy);
  }
  if (port->subscribers->len == 0) {
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

/* An outcome that nobody has decided: each subscriber reads it as a loss. */
void
gst_orch_port_post_gone (GstOrchPort * port, OrchEntity * entity,
    GstOrchInfo * info)
{
  gst_orch_port_post_outcome (port, entity, ORCH_OUTCOME_UNRESOLVED, NULL,
      info);
}

/* ---- what the Port depends on ---- */

OrchCause *
gst_orch_port_find_barrier (GstOrchPort * port, OrchExpansion * expansion)
{
  OrchCause *cause = NULL;

  if (port->call_key)
    cause = orch_call_get_barrier (port->call_key, expansion);
  if (!cause && port->input)
    cause = gst_orch_subscriber_find_barrier (port->input, expansion);
  return cause;
}

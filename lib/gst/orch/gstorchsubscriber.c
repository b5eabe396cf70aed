/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchitem-private.h"
#include "gstorchplan-private.h"
#include "gstorchsubscriber-private.h"
#include "lineage/orch-arrivals.h"

#include <gst/base/gstqueuearray.h>
#include <string.h>

struct _GstOrchSubscriber
{
  gint refs;
  GstPad *pad;                  /* the owner's; used by the owner's threads only */

  /* Leaf lock: a token may die inside any other lock. */
  GMutex lock;
  GCond cond;
  GstQueueArray *mailbox;       /* GstOrchNews */
  gint n_news;                  /* in it; atomic: read without the lock */
  gboolean woken;
  gboolean waiting;
  OrchArrivals *arrivals;
  GPtrArray *ports;             /* refs */
  GPtrArray *lossy;             /* Ports whose first loss was warned of */
  OrchExpansion *roots;         /* of buffers without lineage, if no Port feeds the pad */
  guint64 n_duplicates;
  guint64 n_lost;
  GstOrchOnLost on_lost;
  gpointer unwanted_key;        /* of this epoch */
  GstElement *released_from;    /* atomic (nullable): whose threads use it still, though
                                 * the pad is no more */
  gboolean release_is_known;    /* its first loss since then was warned of */
  GstOrchRefusal refusal;       /* (nullable) */
  gint n_planned;               /* atomic: Ports that the plan knows of */

  GstOrchSubscriber *leader;    /* ref (nullable): shares its task */
  OrchDomain *roots_domain;     /* one for all epochs */

  GstOrchPort *last_port;       /* streaming thread: known to be subscribed to */
};

GType
gst_orch_on_lost_get_type (void)
{
  static GType type = 0;
  static const GEnumValue values[] = {
    {GST_ORCH_ON_LOST_DROP, "A lost Item counts as dropped", "drop"},
    {GST_ORCH_ON_LOST_FAIL, "A lost Item counts as failed", "fail"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchOnLost", values));
  return type;
}

void
gst_orch_news_clear (GstOrchNews * news)
{
  g_clear_pointer (&news->entity, orch_entity_unref);
  g_clear_pointer (&news->cause, orch_cause_unref);
  g_clear_pointer (&news->info, gst_orch_info_unref);
  g_clear_pointer (&news->expansion, orch_expansion_unref);
  g_clear_pointer (&news->port, gst_orch_port_unref);
}

static void
clear_queued_news (gpointer data)
{
  gst_orch_news_clear (data);
}

static GstQueueArray *
mailbox_new (void)
{
  GstQueueArray *mailbox =
      gst_queue_array_new_for_struct (sizeof (GstOrchNews), 32);

  gst_queue_array_set_clear_func (mailbox, clear_queued_news);
  return mailbox;
}

static void
port_unref (gpointer port)
{
  gst_orch_port_unref (port);
}

static GQuark
subscriber_quark (void)
{
  return g_quark_from_static_string ("gst-orch-subscriber");
}

GstOrchSubscriber *
gst_orch_subscriber_new (GstPad * sinkpad)
{
  GstOrchSubscriber *self = g_new0 (GstOrchSubscriber, 1);

  self->refs = 1;
  self->pad = sinkpad;
  g_mutex_init (&self->lock);
  g_cond_init (&self->cond);
  self->mailbox = mailbox_new ();
  self->arrivals = orch_arrivals_new ();
  self->ports = g_ptr_array_new_with_free_func (port_unref);
  self->lossy = g_ptr_array_new ();
  self->unwanted_key = orch_expansion_new_key ();
  self->roots_domain = orch_domain_new ("root", NULL);
  self->n_planned = GST_ORCH_NOT_PLANNED;
  if (sinkpad)
    g_object_set_qdata_full (G_OBJECT (sinkpad), subscriber_quark (),
        gst_orch_subscriber_ref (self),
        (GDestroyNotify) gst_orch_subscriber_unref);
  return self;
}

static gpointer
subscriber_dup (gpointer self, gpointer user_data)
{
  return self ? gst_orch_subscriber_ref (self) : NULL;
}

GstOrchSubscriber *
gst_orch_subscriber_of_pad (GstPad * sinkpad)
{
  return g_object_dup_qdata (G_OBJECT (sinkpad), subscriber_quark (),
      subscriber_dup, NULL);
}

GstOrchSubscriber *
gst_orch_subscriber_ref (GstOrchSubscriber * self)
{
  g_atomic_int_inc (&self->refs);
  return self;
}

void
gst_orch_subscriber_unref (GstOrchSubscriber * self)
{
  if (!g_atomic_int_dec_and_test (&self->refs))
    return;
  gst_queue_array_free (self->mailbox);
  orch_arrivals_free (self->arrivals);
  g_ptr_array_unref (self->ports);
  g_ptr_array_unref (self->lossy);
  g_clear_pointer (&self->roots, orch_expansion_unref);
  g_clear_pointer (&self->leader, gst_orch_subscriber_unref);
  orch_domain_unref (self->roots_domain);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->cond);
  g_free (self);
}

void
gst_orch_subscriber_set_on_lost (GstOrchSubscriber * self,
    GstOrchOnLost on_lost)
{
  gst_orch_lock (&self->lock);
  self->on_lost = on_lost;
  g_mutex_unlock (&self->lock);
}

void
gst_orch_subscriber_set_refusal (GstOrchSubscriber * self,
    GstOrchRefusal refusal)
{
  self->refusal = refusal;
}

gchar *
gst_orch_subscriber_refuse (GstOrchSubscriber * self, GstCaps * caps)
{
  return self->refusal ? self->refusal (self->pad, caps) : NULL;
}

void
gst_orch_subscriber_set_leader (GstOrchSubscriber * self,
    GstOrchSubscriber * leader)
{
  self->leader = gst_orch_subscriber_ref (leader);
}

GPtrArray *
gst_orch_subscriber_copy_ports (GstOrchSubscriber * self)
{
  GPtrArray *ports = g_ptr_array_new_with_free_func (port_unref);
  guint i;

  gst_orch_lock (&self->lock);
  for (i = 0; i < self->ports->len; i++)
    g_ptr_array_add (ports,
        gst_orch_port_ref (g_ptr_array_index (self->ports, i)));
  g_mutex_unlock (&self->lock);
  return ports;
}

static void
wake_owners (GstOrchSubscriber * self)
{
  GPtrArray *ports = gst_orch_subscriber_copy_ports (self);
  guint i;

  for (i = 0; i < ports->len; i++)
    gst_orch_port_wake_owner (g_ptr_array_index (ports, i));
  g_ptr_array_unref (ports);
}

/* ---- subscribing ---- */

/* A query reaches a pad in any state, and a Port and a subscriber that stopped
 * would keep each other: reset() comes after the pad is inactive, so either it
 * finds the Port, or this finds the pad inactive or the Port gone again. */
static void
subscribe (GstOrchSubscriber * self, GstOrchPort * port)
{
  gboolean is_active, is_known;

  gst_orch_lock (&self->lock);
  is_active = GST_PAD_IS_ACTIVE (self->pad);
  if (is_active && !g_ptr_array_find (self->ports, port, NULL))
    g_ptr_array_add (self->ports, gst_orch_port_ref (port));
  g_mutex_unlock (&self->lock);
  if (!is_active)
    return;
  /* Even if the Port is known already: another thread may have got so far and no
   * further, and the Port that announces itself counts on this one. */
  gst_orch_port_subscribe (port, self);
  gst_orch_lock (&self->lock);
  is_known = g_ptr_array_find (self->ports, port, NULL);
  g_mutex_unlock (&self->lock);
  if (!is_known)
    gst_orch_port_unsubscribe (port, self);
}

void
gst_orch_subscriber_set_n_planned (GstOrchSubscriber * self, gint n_ports)
{
  g_atomic_int_set (&self->n_planned, n_ports);
}

gint
gst_orch_subscriber_get_n_planned (GstOrchSubscriber * self)
{
  return g_atomic_int_get (&self->n_planned);
}

/* The plan was made when less was linked. */
static gboolean
is_more_than_planned (GstOrchSubscriber * self)
{
  gint n_planned = gst_orch_subscriber_get_n_planned (self);
  gint n_ports;

  gst_orch_lock (&self->lock);
  n_ports = self->ports->len;
  g_mutex_unlock (&self->lock);
  return n_planned < 0 || n_ports > n_planned;
}

void
gst_orch_subscriber_update (GstOrchSubscriber * self)
{
  GPtrArray *found = gst_orch_port_find_upstream (self->pad);
  guint i;

  for (i = 0; i < found->len; i++)
    subscribe (self, g_ptr_array_index (found, i));
  g_ptr_array_unref (found);
  if (is_more_than_planned (self))
    gst_orch_plan_check_again (self->pad);
}

gboolean
gst_orch_subscriber_query (GstOrchSubscriber * self, GstQuery * query)
{
  GstOrchPort *port = gst_orch_port_from_query (query);

  if (port)
    subscribe (self, port);
  return port != NULL;
}

static void
forget (GstOrchSubscriber * self, gboolean unsubscribe)
{
  GstQueueArray *mailbox;
  OrchArrivals *arrivals;
  OrchExpansion *roots;
  GPtrArray *ports = NULL;
  guint i;

  if (unsubscribe) {
    gst_orch_lock (&self->lock);
    ports = self->ports;
    self->ports = g_ptr_array_new_with_free_func (port_unref);
    g_ptr_array_set_size (self->lossy, 0);
    self->n_lost = 0;
    self->n_duplicates = 0;
    g_mutex_unlock (&self->lock);
    for (i = 0; i < ports->len; i++)
      gst_orch_port_unsubscribe (g_ptr_array_index (ports, i), self);
    self->last_port = NULL;
  }

  gst_orch_lock (&self->lock);
  mailbox = self->mailbox;
  self->mailbox = mailbox_new ();
  g_atomic_int_set (&self->n_news, 0);
  arrivals = self->arrivals;
  self->arrivals = unsubscribe ? orch_arrivals_new ()
      : orch_arrivals_new_epoch (arrivals);
  roots = self->roots;
  self->roots = NULL;
  self->unwanted_key = orch_expansion_new_key ();
  g_mutex_unlock (&self->lock);

  wake_owners (self);
  gst_queue_array_free (mailbox);
  orch_arrivals_free (arrivals);
  if (roots)
    orch_expansion_unref (roots);
  if (ports)
    g_ptr_array_unref (ports);
}

void
gst_orch_subscriber_reset (GstOrchSubscriber * self)
{
  gst_orch_subscriber_set_n_planned (self, GST_ORCH_NOT_PLANNED);
  forget (self, TRUE);
}

void
gst_orch_subscriber_flush (GstOrchSubscriber * self)
{
  forget (self, FALSE);
}

/* ---- arriving buffers ---- */

gboolean
gst_orch_subscriber_has_ports (GstOrchSubscriber * self)
{
  gboolean result;

  gst_orch_lock (&self->lock);
  result = self->ports->len > 0;
  g_mutex_unlock (&self->lock);
  return result;
}

gboolean
gst_orch_subscriber_shares_producer (GstOrchSubscriber * self,
    GstOrchSubscriber * other)
{
  GPtrArray *ports = gst_orch_subscriber_copy_ports (self);
  GPtrArray *others = gst_orch_subscriber_copy_ports (other);
  gboolean result = TRUE;
  guint i, o;

  for (i = 0; i < ports->len; i++)
    for (o = 0; o < others->len && result; o++)
      result = gst_orch_port_shares_input (g_ptr_array_index (ports, i),
          g_ptr_array_index (others, o));
  g_ptr_array_unref (ports);
  g_ptr_array_unref (others);
  return result;
}

/* With the lock held.  TRUE when `entity` had not arrived.  A second buffer
 * counts as a duplicate; news of what has arrived is only late. */
static gboolean
arrive (GstOrchSubscriber * self, OrchEntity * entity, gboolean is_buffer,
    GSList ** complete)
{
  OrchExpansion *expansion = NULL;
  gboolean is_new = orch_arrivals_add (self->arrivals, entity, &expansion);

  if (!is_new && is_buffer)
    self->n_duplicates++;
  if (expansion)
    *complete = g_slist_prepend (*complete, expansion);
  return is_new;
}

static void
release_complete (GSList * complete)
{
  g_slist_free_full (complete, (GDestroyNotify) orch_expansion_unref);
}

/* With the lock held. */
static OrchEntity *
open_root (GstOrchSubscriber * self)
{
  if (!self->roots)
    self->roots = orch_expansion_new (self->roots_domain, NULL);
  return orch_expansion_next_child (self->roots);
}

static void
take_item (GstOrchSubscriber * self, GstOrchItem * item, GstOrchTaken * taken,
    GSList ** complete)
{
  if (!arrive (self, item->entity, TRUE, complete)) {
    taken->arrival = GST_ORCH_ARRIVAL_DUPLICATE;
    return;
  }
  g_atomic_int_inc (&item->n_takes);
  taken->arrival = GST_ORCH_ARRIVAL_NEW;
  taken->entity = orch_entity_ref (item->entity);
  taken->info = gst_orch_info_ref (item->info);
}

static void
take_plain (GstOrchSubscriber * self, GstOrchTaken * taken, GSList ** complete)
{
  if (self->ports->len > 0) {
    taken->arrival = GST_ORCH_ARRIVAL_NO_LINEAGE;
    return;
  }
  taken->arrival = GST_ORCH_ARRIVAL_NEW;
  taken->entity = open_root (self);
  arrive (self, taken->entity, TRUE, complete);
}

static GstOrchItem *
get_item (GstBuffer * buffer)
{
  GstOrchMeta *meta = gst_buffer_get_orch_meta (buffer);

  return meta ? meta->item : NULL;
}

/* The Item of an arriving buffer subscribes too. */
static void
subscribe_to_item (GstOrchSubscriber * self, GstOrchItem * item)
{
  GstOrchPort *port = item ? gst_orch_item_get_port (item) : NULL;

  if (port && port != self->last_port) {
    subscribe (self, port);
    self->last_port = port;
  }
}

void
gst_orch_subscriber_take (GstOrchSubscriber * self, GstBuffer ** buffers,
    guint n, GstOrchTaken * taken)
{
  GstOrchItem *few[64];
  g_autofree GstOrchItem **many =
      n > G_N_ELEMENTS (few) ? g_new (GstOrchItem *, n) : NULL;
  GstOrchItem **items = many ? many : few;
  GSList *complete = NULL;
  guint i;

  memset (taken, 0, n * sizeof (GstOrchTaken));
  for (i = 0; i < n; i++) {
    items[i] = get_item (buffers[i]);
    subscribe_to_item (self, items[i]);
  }
  gst_orch_lock (&self->lock);
  for (i = 0; i < n; i++) {
    if (items[i])
      take_item (self, items[i], &taken[i], &complete);
    else
      take_plain (self, &taken[i], &complete);
  }
  g_mutex_unlock (&self->lock);
  release_complete (complete);
}

gboolean
gst_orch_subscriber_take_one (GstOrchSubscriber * self, GstBuffer * buffer,
    GstOrchTaken * taken, GstFlowReturn * ret)
{
  gst_orch_subscriber_take (self, &buffer, 1, taken);
  if (taken->arrival == GST_ORCH_ARRIVAL_NEW)
    return TRUE;
  gst_buffer_unref (buffer);
  *ret = GST_FLOW_OK;
  if (taken->arrival == GST_ORCH_ARRIVAL_NO_LINEAGE) {
    gst_orch_subscriber_post_no_lineage (self);
    *ret = GST_FLOW_ERROR;
  }
  return FALSE;
}

void
gst_orch_subscriber_post_no_lineage (GstOrchSubscriber * self)
{
  GstElement *element = gst_pad_get_parent_element (self->pad);
  g_autofree gchar *from = NULL;
  GPtrArray *ports;

  if (!element)
    return;
  ports = gst_orch_subscriber_copy_ports (self);
  if (ports->len)
    from = gst_orch_port_get_name (g_ptr_array_index (ports, 0));
  g_ptr_array_unref (ports);
  GST_ELEMENT_ERROR (element, STREAM, FORMAT,
      ("A buffer without lineage arrived at %s.", GST_OBJECT_NAME (element)),
      ("The last orch element upstream is %s: an element between the two makes "
          "new buffers (a mixer, a raw parser, a payloader) and does not keep "
          "their meta. Run it inside a Call, or on the other side.",
          from ? from : "unknown"));
  gst_object_unref (element);
}

/* ---- the mailbox ---- */

static void
wake_locked (GstOrchSubscriber * self)
{
  self->woken = TRUE;
  if (self->waiting)
    g_cond_signal (&self->cond);
  if (self->leader)
    gst_orch_subscriber_wake (self->leader);
}

void
gst_orch_subscriber_post (GstOrchSubscriber * self, const GstOrchNews * news)
{
  gst_orch_lock (&self->lock);
  gst_queue_array_push_tail_struct (self->mailbox, (gpointer) news);
  g_atomic_int_inc (&self->n_news);
  wake_locked (self);
  g_mutex_unlock (&self->lock);
}

void
gst_orch_subscriber_wake (GstOrchSubscriber * self)
{
  gst_orch_lock (&self->lock);
  wake_locked (self);
  g_mutex_unlock (&self->lock);
}

void
gst_orch_subscriber_wait (GstOrchSubscriber * self)
{
  gst_orch_lock (&self->lock);
  self->waiting = TRUE;
  while (!self->woken)
    g_cond_wait (&self->cond, &self->lock);
  self->waiting = FALSE;
  self->woken = FALSE;
  g_mutex_unlock (&self->lock);
}

/* On its way down a pipeline throws away what is still in it, here and there:
 * nobody wants to be warned of that. */
static gboolean
is_stopping (GstElement * element)
{
  GstObject *object = gst_object_ref (element);
  gboolean result = FALSE;

  while (object && !result) {
    GstObject *parent = gst_object_get_parent (object);

    result = GST_STATE_TARGET (object) < GST_STATE_PAUSED;
    gst_object_unref (object);
    object = parent;
  }
  g_clear_pointer (&object, gst_object_unref);
  return result;
}

/* (transfer full) (nullable): whose pad it is, or was */
static GstElement *
get_element (GstOrchSubscriber * self)
{
  GstElement *released_from = g_atomic_pointer_get (&self->released_from);

  return released_from ? gst_object_ref (released_from)
      : gst_pad_get_parent_element (self->pad);
}

static void
warn_of_first_loss (GstOrchSubscriber * self, const GstOrchNews * news)
{
  GstElement *element = get_element (self);
  g_autofree gchar *path = NULL;

  if (!element)
    return;
  if (is_stopping (element)) {
    gst_object_unref (element);
    return;
  }
  path = orch_entity_get_path (news->entity);
  GST_ELEMENT_WARNING (element, STREAM, FAILED,
      ("%s is losing Items: %s.", GST_OBJECT_NAME (element),
          news->cause->message),
      ("The first one is %s. %s; each loss is listed on its parent. This "
          "warning is posted once for each edge.", path,
          g_atomic_pointer_get (&self->released_from)
          ? "What was to come there comes no more"
          : "An element on the way drops buffers (a leaky queue, a valve, "
          "videorate)"));
  gst_object_unref (element);
}

/* (transfer full) */
static gchar *
describe_loss (GstOrchSubscriber * self, GstOrchPort * port, const gchar * name)
{
  g_autofree gchar *from = NULL;

  if (g_atomic_pointer_get (&self->released_from))
    return g_strdup_printf ("lost with the pad %s of %s, which was released",
        GST_OBJECT_NAME (self->pad), name);
  from = port ? gst_orch_port_get_name (port) : g_strdup ("?");
  return g_strdup_printf ("lost between %s and %s", from, name);
}

/* With the lock held: of an edge, which a pad that was released is as a whole. */
static gboolean
is_first_loss (GstOrchSubscriber * self, GstOrchPort * port)
{
  gboolean is_known = self->release_is_known;

  if (g_atomic_pointer_get (&self->released_from)) {
    self->release_is_known = TRUE;
    return !is_known;
  }
  if (g_ptr_array_find (self->lossy, port, NULL))
    return FALSE;
  g_ptr_array_add (self->lossy, port);
  return TRUE;
}

/* Reads an undecided outcome as a loss (S5.6).  TRUE when it is the first on
 * its edge. */
static gboolean
resolve_as_lost (GstOrchSubscriber * self, GstOrchNews * news)
{
  GstElement *element = get_element (self);
  const gchar *name = element ? GST_OBJECT_NAME (element) : "?";
  g_autofree gchar *message = describe_loss (self, news->port, name);
  g_autofree gchar *path = orch_entity_get_path (news->entity);
  gboolean first;

  news->cause = orch_cause_new (ORCH_CAUSE_DOMAIN, ORCH_CODE_LOST, message,
      path, name);
  gst_orch_lock (&self->lock);
  news->outcome = self->on_lost == GST_ORCH_ON_LOST_FAIL
      ? ORCH_OUTCOME_FAILED : ORCH_OUTCOME_DROPPED;
  self->n_lost++;
  first = is_first_loss (self, news->port);
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&element, gst_object_unref);
  return first;
}

void
gst_orch_subscriber_set_released (GstOrchSubscriber * self,
    GstElement * element)
{
  g_atomic_pointer_set (&self->released_from, element);
}

guint
gst_orch_subscriber_get_n_news (GstOrchSubscriber * self)
{
  return g_atomic_int_get (&self->n_news);
}

static gboolean
pop_any (GstOrchSubscriber * self, GstOrchNews * news)
{
  gboolean has_room_again = FALSE;
  GstOrchNews *head;

  gst_orch_lock (&self->lock);
  head = gst_queue_array_pop_head_struct (self->mailbox);
  if (head) {
    *news = *head;
    has_room_again =
        g_atomic_int_add (&self->n_news, -1) == GST_ORCH_FEW_NEWS;
  }
  g_mutex_unlock (&self->lock);
  if (has_room_again)
    wake_owners (self);
  return head != NULL;
}

/* Its children will come here, unless it is of a Domain further up and only
 * passes by. */
static void
expect_children (GstOrchSubscriber * self, OrchExpansion * expansion)
{
  OrchDomain *domain = gst_orch_subscriber_get_domain (self);

  if (domain == orch_expansion_get_domain (expansion)) {
    gst_orch_lock (&self->lock);
    orch_arrivals_announce (self->arrivals, expansion);
    g_mutex_unlock (&self->lock);
  }
  orch_domain_unref (domain);
}

/* TRUE when it is news. */
static gboolean
hear_of (GstOrchSubscriber * self, OrchEntity * entity)
{
  GSList *complete = NULL;
  gboolean is_new;

  gst_orch_lock (&self->lock);
  is_new = arrive (self, entity, FALSE, &complete);
  g_mutex_unlock (&self->lock);
  release_complete (complete);
  return is_new;
}

/* FALSE: it never came to an outcome, as the run did not come to its end. */
static gboolean
resolve (GstOrchSubscriber * self, GstOrchNews * news)
{
  if (news->outcome != ORCH_OUTCOME_UNRESOLVED)
    return TRUE;
  if (gst_orch_subscriber_is_broken (self))
    return FALSE;
  if (resolve_as_lost (self, news))
    warn_of_first_loss (self, news);
  return TRUE;
}

gboolean
gst_orch_subscriber_pop (GstOrchSubscriber * self, GstOrchNews * news)
{
  while (pop_any (self, news)) {
    if (news->type == GST_ORCH_NEWS_EXPANSION) {
      expect_children (self, news->expansion);
      return TRUE;
    }
    if (hear_of (self, news->entity) && resolve (self, news))
      return TRUE;
    gst_orch_news_clear (news);
  }
  return FALSE;
}

static void
post_missing (OrchEntity * entity, gpointer user_data)
{
  GstOrchSubscriber *self = user_data;
  GstOrchNews news = { GST_ORCH_NEWS_OUTCOME, orch_entity_ref (entity),
    ORCH_OUTCOME_UNRESOLVED, NULL, NULL, NULL, NULL
  };

  if (self->ports->len)
    news.port = gst_orch_port_ref (g_ptr_array_index (self->ports, 0));
  gst_queue_array_push_tail_struct (self->mailbox, &news);
  g_atomic_int_inc (&self->n_news);
}

gboolean
gst_orch_subscriber_is_broken (GstOrchSubscriber * self)
{
  GPtrArray *ports = gst_orch_subscriber_copy_ports (self);
  gboolean result = FALSE;
  guint i;

  for (i = 0; i < ports->len && !result; i++)
    result = gst_orch_port_is_broken (g_ptr_array_index (ports, i));
  g_ptr_array_unref (ports);
  return result;
}

void
gst_orch_subscriber_resolve_missing (GstOrchSubscriber * self)
{
  gboolean is_broken = gst_orch_subscriber_is_broken (self);

  gst_orch_lock (&self->lock);
  if (!is_broken)
    orch_arrivals_foreach_missing (self->arrivals, post_missing, self);
  wake_locked (self);
  g_mutex_unlock (&self->lock);
}

void
gst_orch_subscriber_miss (GstOrchSubscriber * self, OrchEntity * entity)
{
  gst_orch_lock (&self->lock);
  post_missing (entity, self);
  wake_locked (self);
  g_mutex_unlock (&self->lock);
}

guint64
gst_orch_subscriber_get_n_duplicates (GstOrchSubscriber * self)
{
  guint64 n;

  gst_orch_lock (&self->lock);
  n = self->n_duplicates;
  g_mutex_unlock (&self->lock);
  return n;
}

guint64
gst_orch_subscriber_get_n_lost (GstOrchSubscriber * self)
{
  guint64 n;

  gst_orch_lock (&self->lock);
  n = self->n_lost;
  g_mutex_unlock (&self->lock);
  return n;
}

/* ---- what is upstream ---- */

OrchCause *
gst_orch_subscriber_find_barrier (GstOrchSubscriber * self,
    OrchExpansion * expansion)
{
  GPtrArray *ports = gst_orch_subscriber_copy_ports (self);
  OrchCause *cause = NULL;
  guint i;

  for (i = 0; i < ports->len && !cause; i++)
    cause = gst_orch_port_find_barrier (g_ptr_array_index (ports, i),
        expansion);
  g_ptr_array_unref (ports);
  return cause;
}

gboolean
gst_orch_subscriber_can_group_fail (GstOrchSubscriber * self)
{
  GPtrArray *ports = gst_orch_subscriber_copy_ports (self);
  gboolean result = FALSE;
  guint i;

  for (i = 0; i < ports->len && !result; i++)
    result = gst_orch_port_can_group_fail (g_ptr_array_index (ports, i));
  g_ptr_array_unref (ports);
  return result;
}

gboolean
gst_orch_subscriber_is_sealed (GstOrchSubscriber * self,
    OrchExpansion * expansion, GstOrchSubscriber * waiter)
{
  GPtrArray *ports = gst_orch_subscriber_copy_ports (self);
  gboolean result = TRUE;
  guint i;

  for (i = 0; i < ports->len && result; i++)
    result = gst_orch_port_is_sealed (g_ptr_array_index (ports, i), expansion,
        waiter);
  g_ptr_array_unref (ports);
  return result;
}

OrchDomain *
gst_orch_subscriber_get_domain (GstOrchSubscriber * self)
{
  GPtrArray *ports = gst_orch_subscriber_copy_ports (self);
  OrchDomain *domain = NULL;
  guint i;

  for (i = 0; i < ports->len && !domain; i++)
    domain = gst_orch_port_get_domain (g_ptr_array_index (ports, i));
  if (ports->len == 0)
    domain = orch_domain_ref (self->roots_domain);
  g_ptr_array_unref (ports);
  return domain;
}

gpointer
gst_orch_subscriber_get_unwanted_key (GstOrchSubscriber * self)
{
  gpointer key;

  gst_orch_lock (&self->lock);
  key = self->unwanted_key;
  g_mutex_unlock (&self->lock);
  return key;
}

gboolean
gst_orch_subscriber_is_at (GstOrchSubscriber * self, GstPad * pad)
{
  return self->pad == pad;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchmeta.h>
#include <gst/orch/gstorchinfo-private.h>
#include <gst/orch/gstorchlock-private.h>
#include "lineage/orch-lineage.h"

G_BEGIN_DECLS

typedef struct _GstOrchSubscriber GstOrchSubscriber;

/**
 * GstOrchPort: a logical edge: what one src pad of an orch element produces.
 * Sink pads further down subscribe to it; it posts to them what no buffer
 * carries.  Refcounted: Items hold their Port.
 */
typedef struct _GstOrchPort GstOrchPort;

/* Also answers the subscription query on `srcpad`: its query function must
 * call gst_orch_port_query() first. */
GST_ORCH_API GstOrchPort *gst_orch_port_new (GstPad * srcpad);
/* (transfer full) (nullable): the Port of a src pad of ours */
GST_ORCH_API GstOrchPort *gst_orch_port_of_pad (GstPad * srcpad);
GST_ORCH_API GstOrchPort *gst_orch_port_ref (GstOrchPort * port);
GST_ORCH_API void gst_orch_port_unref (GstOrchPort * port);
/* The owner is done with it (transfer full), and stamps no more. */
GST_ORCH_API void gst_orch_port_close (GstOrchPort * port);
/* An element has no name yet when its pads are made: before anything is heard of
 * the Port, and again when it is announced. */
GST_ORCH_API void gst_orch_port_take_name (GstOrchPort * port);
/* (transfer full): "orchcall0:src" */
GST_ORCH_API gchar *gst_orch_port_get_name (GstOrchPort * port);
/* TRUE: it was the subscription query; the pad's query function returns FALSE
 * so that the query also reaches the other inputs of a funnel. */
GST_ORCH_API gboolean gst_orch_port_query (GstOrchPort * port,
    GstQuery * query);
/* Asks downstream who wants to hear: every orch sink pad reached subscribes.
 * What is posted before is kept until then, so that no branch of a tee misses
 * it.  After stream-start; no lock held. */
GST_ORCH_API void gst_orch_port_announce (GstOrchPort * port);
/* The most units that one Call below has in flight (0 when there is none), and
 * where a Call finds that query's counter (NULL for every other query). */
GST_ORCH_API guint gst_orch_port_ask_in_flight (GstOrchPort * port);
GST_ORCH_API guint *gst_orch_port_get_in_flight_query (GstQuery * query);
/* What stands behind the Port: each sink pad that feeds its element, and the core
 * key of the Call when the element is one whose Function can group-fail. */
GST_ORCH_API void gst_orch_port_add_input (GstOrchPort * port,
    GstOrchSubscriber * input);
GST_ORCH_API void gst_orch_port_remove_input (GstOrchPort * port,
    GstOrchSubscriber * input);
/* (transfer full): GstOrchSubscriber; any thread */
GST_ORCH_API GPtrArray *gst_orch_port_copy_inputs (GstOrchPort * port);
GST_ORCH_API void gst_orch_port_set_call_key (GstOrchPort * port,
    gpointer call_key);

/* Event function of src pads: QoS never goes upstream past units of work that
 * are none the less wanted. */
GST_ORCH_API gboolean gst_orch_pad_src_event (GstPad * pad, GstObject * parent,
    GstEvent * event);

/* (transfer full) (nullable): the src pad that feeds `sinkpad`, in whatever bin
 * it is; NULL while there is none. */
GST_ORCH_API GstPad *gst_orch_pad_get_feeder (GstPad * sinkpad);

/* Answers a caps query with `caps` (transfer full), as far as its filter goes. */
GST_ORCH_API void gst_orch_pad_answer_caps (GstQuery * query, GstCaps * caps);

/* Whether the sink pad that `srcpad` is linked to takes buffer lists for what
 * they are: several Items at once.  Elements in between and probes get single
 * buffers, which is what they expect. */
GST_ORCH_API gboolean gst_orch_pad_peer_takes_lists (GstPad * srcpad);
/* Marks a sink pad as one that does. */
GST_ORCH_API void gst_orch_pad_set_takes_lists (GstPad * sinkpad);
/* The buffers of `list` (transfer full), each with the reference that the list
 * had. */
GST_ORCH_API guint gst_orch_buffer_list_take (GstBufferList * list,
    GstBuffer ** buffers);

/* How the Domain of its Items follows from that of its producer's input. */
typedef enum
{
  GST_ORCH_DOMAIN_SAME,         /* a Call */
  GST_ORCH_DOMAIN_CHILD,        /* an expansion */
  GST_ORCH_DOMAIN_GRANDCHILD,   /* of a stream into groups; of lists a child all the same */
  GST_ORCH_DOMAIN_PARENT,       /* a reduce */
} GstOrchDomainRelation;

GST_ORCH_API void gst_orch_port_set_relation (GstOrchPort * port,
    GstOrchDomainRelation relation);
GST_ORCH_API GstOrchDomainRelation gst_orch_port_get_relation (GstOrchPort *
    port);
/* Its Items are of the Entities of `twin`, another Port of the element: one
 * Domain, whatever the inputs say. */
GST_ORCH_API void gst_orch_port_set_twin (GstOrchPort * port,
    GstOrchPort * twin);
/* Says what the Domain is, where it does not follow from the input (a source,
 * streams), before the first post.  NULL forgets it. */
GST_ORCH_API void gst_orch_port_set_domain (GstOrchPort * port,
    OrchDomain * domain);
/* (transfer full) (nullable): known as soon as the producer has subscribed */
GST_ORCH_API OrchDomain *gst_orch_port_get_domain (GstOrchPort * port);
/* Flush: Items made so far die without being called lost, and what nobody has
 * heard yet is forgotten.  Under the lock under which the owner also tells its
 * task to stop pushing. */
GST_ORCH_API void gst_orch_port_new_epoch (GstOrchPort * port);
/* The owner's task: Items are stamped with the epoch of this moment from now
 * on.  Under the same lock, when it takes out what it will push. */
GST_ORCH_API void gst_orch_port_begin (GstOrchPort * port);
/* Stop: a new epoch, and the next run announces the Port anew. */
GST_ORCH_API void gst_orch_port_stop (GstOrchPort * port);

/* Makes the Item of `entity` (transfer full) and puts it on `buffer` (transfer
 * full), in place of any lineage the buffer had.  `info` (transfer none)
 * (nullable).  Returns the buffer, a copy if it was shared. */
GST_ORCH_API GstBuffer *gst_orch_port_stamp (GstOrchPort * port,
    GstBuffer * buffer, OrchEntity * entity, GstOrchInfo * info);

/* Leaves the Entity on a buffer (transfer full) that is kept, but takes the
 * Item off, so that its death is seen by who still waits for it. */
GST_ORCH_API GstBuffer *gst_orch_buffer_keep_entity (GstBuffer * buffer);

/* These post to every subscriber, from any thread, under leaf locks only.
 * Nothing is pushed.  All arguments (transfer none). */
GST_ORCH_API void gst_orch_port_post_outcome (GstOrchPort * port,
    OrchEntity * entity, OrchOutcome outcome, OrchCause * cause,
    GstOrchInfo * info);
/* The Expansion has published its terminal fact. */
GST_ORCH_API void gst_orch_port_post_expansion (GstOrchPort * port,
    OrchExpansion * expansion);

/* Around a push of the owner's task: what dies in it, in that thread, is lost
 * unless the push fails. */
GST_ORCH_API void gst_orch_port_begin_push (GstOrchPort * port);
GST_ORCH_API void gst_orch_port_end_push (GstOrchPort * port,
    GstFlowReturn ret);
/* A push has failed, and the stream that ends now is not whole: until the next
 * epoch nothing that is missing below, however far, is lost (S5.6).  Before
 * EOS. */
GST_ORCH_API void gst_orch_port_break (GstOrchPort * port);
/* Whether this one is, or one upstream.  Under leaf locks only. */
GST_ORCH_API gboolean gst_orch_port_is_broken (GstOrchPort * port);

/* FALSE while a subscriber has not heard much of what was posted: the owner's
 * task, which holds no lock, goes on when its own subscriber is woken.  Posting
 * itself never waits. */
GST_ORCH_API gboolean gst_orch_port_has_room (GstOrchPort * port);

/* First barrier on the parent of `expansion`'s children among the Calls that
 * `port` depends on, up to where the Domain was opened (S5.2a).  (transfer
 * none) (nullable) */
GST_ORCH_API OrchCause *gst_orch_port_find_barrier (GstOrchPort * port,
    OrchExpansion * expansion);
/* Whether there is any such Call that may set one. */
GST_ORCH_API gboolean gst_orch_port_can_group_fail (GstOrchPort * port);
/* Whether each such Call has sealed all Grains for the children in `expansion`, so
 * that no barrier can come any more.  If not, `waiter` is woken when that may have
 * changed. */
GST_ORCH_API gboolean gst_orch_port_is_sealed (GstOrchPort * port,
    OrchExpansion * expansion, GstOrchSubscriber * waiter);
/* The Call of the Port has sealed some; under its lock. */
GST_ORCH_API void gst_orch_port_wake_waiters (GstOrchPort * port);

/* S5.5.  A subscriber does not want the Items of the children in some Expansion,
 * nor of anything below them, any more.  The producer, in whatever thread that
 * is, with no lock held: looks whether all its Ports agree, gives up the work,
 * and tells its own inputs. */
typedef void (*GstOrchUnwantedFunc) (GstElement * owner,
    OrchExpansion * expansion, OrchCause * cause);

/* Before the Port is used. */
GST_ORCH_API void gst_orch_port_set_unwanted_func (GstOrchPort * port,
    GstOrchUnwantedFunc func);
/* Whether every subscriber has said so of `expansion` or of one further up, and
 * no path from the pad ends in something else, which wants what it gets.  Any
 * thread, no lock held. */
GST_ORCH_API gboolean gst_orch_port_is_unwanted (GstOrchPort * port,
    OrchExpansion * expansion);

/* Whether every path from `srcpad` ends in a sink, now, so that nobody can come who
 * would hear what is posted.  No lock held. */
G_GNUC_INTERNAL gboolean gst_orch_port_leads_to_sinks (GstPad * srcpad);

/* ---- consumers ---- */

typedef enum
{
  GST_ORCH_ON_LOST_DROP,
  GST_ORCH_ON_LOST_FAIL,
} GstOrchOnLost;

GST_ORCH_API GType gst_orch_on_lost_get_type (void);
#define GST_TYPE_ORCH_ON_LOST (gst_orch_on_lost_get_type ())

typedef enum
{
  GST_ORCH_NEWS_OUTCOME,        /* an Item that no buffer will bring */
  GST_ORCH_NEWS_EXPANSION,      /* an Expansion is terminal */
} GstOrchNewsType;

typedef struct
{
  GstOrchNewsType type;
  OrchEntity *entity;           /* OUTCOME */
  OrchOutcome outcome;
  OrchCause *cause;
  GstOrchInfo *info;
  OrchExpansion *expansion;     /* EXPANSION */
  GstOrchPort *port;
} GstOrchNews;

GST_ORCH_API void gst_orch_news_clear (GstOrchNews * news);

/**
 * GstOrchSubscriber: what one sink pad of an orch element hears: the mailbox,
 * and which Entities have arrived.  Refcounted.
 *
 * The element's one task drains it: pop until there is nothing, do the work,
 * wait.  Everything that gives the task something to do calls
 * gst_orch_subscriber_wake().
 */
/* `sinkpad` (nullable): without one it hears nothing, and is only waited on. */
GST_ORCH_API GstOrchSubscriber *gst_orch_subscriber_new (GstPad * sinkpad);
/* (transfer full) (nullable): the subscriber of a sink pad of ours */
GST_ORCH_API GstOrchSubscriber *gst_orch_subscriber_of_pad (GstPad * sinkpad);
GST_ORCH_API GstOrchSubscriber *gst_orch_subscriber_ref (GstOrchSubscriber *
    subscriber);
GST_ORCH_API void gst_orch_subscriber_unref (GstOrchSubscriber * subscriber);
GST_ORCH_API void gst_orch_subscriber_set_on_lost (GstOrchSubscriber *
    subscriber, GstOrchOnLost on_lost);

/* (transfer full) (nullable): a sentence that says why the pad takes no values of
 * `caps`, which are not ANY, and what to do; NULL when it may take some. */
typedef gchar *(*GstOrchRefusal) (GstPad * sinkpad, GstCaps * caps);
/* Asked before data flows; without one the pad takes anything. */
GST_ORCH_API void gst_orch_subscriber_set_refusal (GstOrchSubscriber *
    subscriber, GstOrchRefusal refusal);
GST_ORCH_API gchar *gst_orch_subscriber_refuse (GstOrchSubscriber *
    subscriber, GstCaps * caps);

/* One task serves several pads: `subscriber` wakes the leader's waits as well. */
GST_ORCH_API void gst_orch_subscriber_set_leader (GstOrchSubscriber *
    subscriber, GstOrchSubscriber * leader);

/* Finds the Ports upstream and subscribes to the new ones.  Call it at
 * stream-start, at the first event or buffer, and before EOS is handled; no
 * lock held. */
GST_ORCH_API void gst_orch_subscriber_update (GstOrchSubscriber * subscriber);
/* A sink pad's query function calls this first.  TRUE: it was a Port that
 * announces itself; the query function returns FALSE, so that it also reaches
 * the other branches of a tee. */
GST_ORCH_API gboolean gst_orch_subscriber_query (GstOrchSubscriber *
    subscriber, GstQuery * query);
/* Unsubscribes, forgets the mailbox and what has arrived: PAUSED->READY. */
GST_ORCH_API void gst_orch_subscriber_reset (GstOrchSubscriber * subscriber);
/* Its pad is going to be released from `element`, whose task goes on: what it still
 * expects is lost with the pad. */
GST_ORCH_API void gst_orch_subscriber_set_released (GstOrchSubscriber *
    subscriber, GstElement * element);
/* Flush: forgets the mailbox and what has arrived, stays subscribed. */
GST_ORCH_API void gst_orch_subscriber_flush (GstOrchSubscriber * subscriber);

typedef enum
{
  GST_ORCH_ARRIVAL_NEW,
  GST_ORCH_ARRIVAL_DUPLICATE,   /* counted; the caller frees the buffer and goes on */
  GST_ORCH_ARRIVAL_NO_LINEAGE,  /* Ports feed this pad, but not this buffer: an element error */
} GstOrchArrival;

/* What arrived with one buffer. */
typedef struct
{
  GstOrchArrival arrival;
  OrchEntity *entity;           /* NEW: (transfer full) */
  GstOrchInfo *info;            /* NEW: (transfer full) (nullable) */
} GstOrchTaken;

/* Takes the Items of n arriving buffers.  When no Port feeds the pad each buffer
 * opens a root Entity of its own.  The buffers are left as they are. */
GST_ORCH_API void gst_orch_subscriber_take (GstOrchSubscriber * subscriber,
    GstBuffer ** buffers, guint n, GstOrchTaken * taken);
/* For pads that get single buffers: NEW and the two fields of it, or the buffer
 * (transfer full) is freed, an error posted if need be, and `ret` set to what
 * the chain function returns. */
GST_ORCH_API gboolean gst_orch_subscriber_take_one (GstOrchSubscriber *
    subscriber, GstBuffer * buffer, GstOrchTaken * taken, GstFlowReturn * ret);
/* Whether all that feeds the two pads is made by one element. */
GST_ORCH_API gboolean gst_orch_subscriber_shares_producer (GstOrchSubscriber *
    subscriber, GstOrchSubscriber * other);
/* Whether a Port feeds the pad. */
GST_ORCH_API gboolean gst_orch_subscriber_has_ports (GstOrchSubscriber *
    subscriber);
/* Posts the element error for NO_LINEAGE, naming the last orch element
 * upstream. */
GST_ORCH_API void gst_orch_subscriber_post_no_lineage (GstOrchSubscriber *
    subscriber);

/* The next news that is news: outcomes of Entities that have arrived already
 * are skipped; one that is returned counts as arrived.  The first loss on each
 * edge posts a WARNING message.  `news` is cleared by the caller. */
GST_ORCH_API gboolean gst_orch_subscriber_pop (GstOrchSubscriber * subscriber,
    GstOrchNews * news);
/* EOS of the pad: every Item of its Ports that has not arrived is put into the
 * mailbox as lost (S5.6), unless a push has failed upstream. */
GST_ORCH_API void gst_orch_subscriber_resolve_missing (GstOrchSubscriber *
    subscriber);
/* The same of one Entity, which only another pad has heard of. */
GST_ORCH_API void gst_orch_subscriber_miss (GstOrchSubscriber * subscriber,
    OrchEntity * entity);

/* Whether a push has failed upstream, so that what is missing is not lost. */
GST_ORCH_API gboolean gst_orch_subscriber_is_broken (GstOrchSubscriber *
    subscriber);

GST_ORCH_API void gst_orch_subscriber_wake (GstOrchSubscriber * subscriber);
/* Until there is news or a wake since the last wait. */
GST_ORCH_API void gst_orch_subscriber_wait (GstOrchSubscriber * subscriber);

GST_ORCH_API guint64 gst_orch_subscriber_get_n_duplicates (GstOrchSubscriber *
    subscriber);
GST_ORCH_API guint64 gst_orch_subscriber_get_n_lost (GstOrchSubscriber *
    subscriber);
/* (transfer none) (nullable): the barrier the gather of this pad must respect */
GST_ORCH_API OrchCause *gst_orch_subscriber_find_barrier (GstOrchSubscriber *
    subscriber, OrchExpansion * expansion);
/* Whether a Call that it depends on may set one, later than now if an Item of it is
 * still open. */
GST_ORCH_API gboolean gst_orch_subscriber_can_group_fail (GstOrchSubscriber *
    subscriber);
/* The same as gst_orch_port_is_sealed(), of all Ports that feed the pad. */
GST_ORCH_API gboolean gst_orch_subscriber_is_sealed (GstOrchSubscriber *
    subscriber, OrchExpansion * expansion, GstOrchSubscriber * waiter);

/* Says so to every Port that feeds the pad, until the epoch ends (S5.5).  The
 * owner's word: none of its results depends on those Items any more.  No lock
 * held. */
GST_ORCH_API void gst_orch_subscriber_unwant (GstOrchSubscriber * subscriber,
    OrchExpansion * expansion, OrchCause * cause);

/* (transfer full) (nullable): the Domain of the Items of this pad, NULL while no
 * Port is known */
GST_ORCH_API OrchDomain *gst_orch_subscriber_get_domain (GstOrchSubscriber *
    subscriber);

/* In-band copies of the facts, for applications (probes, appsink): custom
 * serialized downstream events "orch-outcome" and "orch-expansion". */
GST_ORCH_API GstEvent *gst_orch_event_new_outcome (OrchEntity * entity,
    OrchOutcome outcome, OrchCause * cause);
GST_ORCH_API gboolean gst_orch_event_is_ours (GstEvent * event);
GST_ORCH_API GstEvent *gst_orch_event_new_expansion (OrchExpansion * expansion);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchexpand.h"

#include <gst/orch/gstorchlist-private.h>
#include <gst/orch/gstorchegress-private.h>
#include <gst/orch/gstorchledger-private.h>

G_BEGIN_DECLS

typedef struct _GstOrchExpandInput GstOrchExpandInput;

/* What comes in. */
typedef enum
{
  GST_ORCH_EXPAND_UNKNOWN,
  GST_ORCH_EXPAND_VALUES,       /* lists */
  GST_ORCH_EXPAND_STREAMS,
} GstOrchExpandKind;

/* One child that may be pushed, with what its Item will say. */
typedef struct
{
  OrchEntity *entity;
  OrchOutcome outcome;
  GstBuffer *buffer;
  GstCaps *caps;                /* a list's: its parent's; a stream's: owned */
  gboolean owns_caps;
  OrchCause *cause;
  GstOrchInfo *info;
} GstOrchExpandChild;

/* An open parent: a list whose elements are given one by one, or the stream of
 * one sink pad.  User data of its lane. */
typedef struct
{
  GList link;                   /* in the element's `parents`, or `unwanted` */
  OrchExpansion *expansion;
  OrchLane *lane;               /* NULL once it has left the window */
  GstOrchList *list;            /* of a list parent */
  guint next;                   /* its next element */
  GstCaps *given_caps;          /* (nullable): of the list's last element */
  GstCaps *shared_caps;         /* and what stands for them on the pad */
  GQueue buffers;               /* GstOrchExpandChild, of a stream */
  GstOrchExpandInput *input;    /* of a stream that goes on: who waits for room */
} GstOrchExpandParent;

/* A sink pad. */
struct _GstOrchExpandInput
{
  GstOrchExpand *owner;
  GstPad *pad;
  GstOrchSubscriber *subscriber;
  gboolean is_request;
  /* With the element's lock. */
  GCond room;
  GstCaps *caps;
  GstSegment segment;
  gchar *stream_id;
  OrchEntity *reserved;         /* (nullable): what its next stream will be */
  GstOrchExpandParent *stream;  /* (nullable): the open stream */
  gboolean started;             /* it has seen a stream-start, or data */
  gboolean eos;
  gboolean resolved;
  gboolean flushing;
};

struct _GstOrchExpand
{
  GstElement element;

  GstPad *srcpad;
  GstOrchExpandInput *main;     /* the always pad */
  GstOrchEgress output;

  /* Guards everything down to the task's own; never held while pushing,
   * querying, or freeing a buffer. */
  GMutex lock;
  GList *inputs;                /* GstOrchExpandInput, the main one included */
  OrchInterleave *lanes;
  GQueue parents;               /* GstOrchExpandParent that have a lane */
  GQueue unwanted;              /* lists that left the window before their end */
  gpointer unwanted_key;        /* that the causes of those are attached under */
  guint n_unwanted;             /* Expansions that it is attached to, ever */
  GstCaps *shared_caps;         /* last used: equal caps become one object */
  OrchInterleaveMode interleave;
  guint window;
  guint open_lists;             /* the window in force */
  guint max_buffers;
  GstClockTime frame_duration;
  OrchDomain *domain;           /* of the children */
  OrchDomain *stream_domain;    /* of the streams that are parents themselves */
  OrchExpansion *streams;       /* root Expansion of those */
  GstOrchExpandKind kind;
  gboolean flushing;
  gboolean waits_for_listeners; /* a streaming thread does */
  GstFlowReturn flow;
  guint next_pad;               /* number of the next sink_%u */
  GstOrchLedger ledger;         /* of children */
  guint64 n_parents;
  guint64 n_children;
  guint64 n_listed;             /* children of the lists opened so far, given or not */
  guint64 n_pruned;             /* children given without their value, as unwanted */

  /* Src task only. */
  GstClockTime next_time;
  gboolean knows_window;
  guint n_turns;                /* most children taken at once, for now */
  guint n_heeded;               /* of n_unwanted, when it took its turn */
};

/* gstorchexpandsink.c */
G_GNUC_INTERNAL GstOrchExpandInput *gst_orch_expand_input_new (GstOrchExpand *
    self, GstPad * pad, gboolean is_request);
G_GNUC_INTERNAL void gst_orch_expand_input_free (GstOrchExpandInput * input);
/* With the lock held. */
G_GNUC_INTERNAL void gst_orch_expand_wake_inputs (GstOrchExpand * self);
/* The pad goes: its chain wakes, its stream ends as failed. */
G_GNUC_INTERNAL void gst_orch_expand_input_release (GstOrchExpand * self,
    GstOrchExpandInput * input);

/* gstorchexpandparent.c: opening and ending parents; with the lock held unless
 * said otherwise */
G_GNUC_INTERNAL OrchExpansion *gst_orch_expand_open (GstOrchExpand * self,
    OrchEntity * parent, GstOrchInfo * info);
G_GNUC_INTERNAL void gst_orch_expand_add_list (GstOrchExpand * self,
    OrchExpansion * expansion, GstOrchList * list);
/* The first stream of a pad is the Entity that it is when the pad is asked for:
 * who is what does not depend on whose buffer comes first (S1.5). */
G_GNUC_INTERNAL void gst_orch_expand_reserve_stream (GstOrchExpand * self,
    GstOrchExpandInput * input);
G_GNUC_INTERNAL void gst_orch_expand_open_stream (GstOrchExpand * self,
    GstOrchExpandInput * input);
/* Returns the parent, to be freed without lock, unless it still has children
 * to give. */
G_GNUC_INTERNAL GstOrchExpandParent *gst_orch_expand_end_stream (GstOrchExpand * self,
    GstOrchExpandInput * input, OrchExpansionState state, const gchar * code,
    const gchar * message);
/* Forgets every open parent, without record (S9.2); the lists are returned to
 * be freed without lock. */
G_GNUC_INTERNAL GList *gst_orch_expand_forget (GstOrchExpand * self);
G_GNUC_INTERNAL void gst_orch_expand_parent_free (gpointer parent);
G_GNUC_INTERNAL void gst_orch_expand_child_free (gpointer child);
G_GNUC_INTERNAL void gst_orch_expand_child_clear (GstOrchExpandChild * child);
/* FALSE when no parent has a child to give.  `done` (out): the parent has
 * given its last and is to be freed without lock. */
G_GNUC_INTERNAL gboolean gst_orch_expand_next_child (GstOrchExpand * self,
    GstOrchExpandChild * child, GstOrchExpandParent ** done);
/* The same of the lists that nobody wants. */
G_GNUC_INTERNAL gboolean gst_orch_expand_next_unwanted (GstOrchExpand * self,
    GstOrchExpandChild * child, GstOrchExpandParent ** done);
/* A part of the window is free: who waits to open a list may be woken. */
G_GNUC_INTERNAL gboolean gst_orch_expand_has_ample_room (GstOrchExpand * self);
/* References, to be used without lock; takes the lock itself. */
G_GNUC_INTERNAL GPtrArray *gst_orch_expand_copy_subscribers (GstOrchExpand *
    self);

/* gstorchexpandunwanted.c: what nobody wants (S5.5); with the lock held unless
 * said otherwise */
/* (transfer none) (nullable): why the children of `expansion` are not wanted */
G_GNUC_INTERNAL OrchCause *gst_orch_expand_find_unwanted (GstOrchExpand * self,
    OrchExpansion * expansion);
/* Takes the value from a child that has one; its buffer is left to be freed. */
G_GNUC_INTERNAL void gst_orch_expand_prune (GstOrchExpand * self,
    GstOrchExpandChild * child, OrchCause * cause);
/* What its Port tells it; no lock held. */
G_GNUC_INTERNAL void gst_orch_expand_unwant (GstElement * element,
    OrchExpansion * expansion, OrchCause * cause);

/* gstorchexpandsrc.c */
G_GNUC_INTERNAL gboolean gst_orch_expand_src_activate_mode (GstPad * pad,
    GstObject * parent, GstPadMode mode, gboolean active);
G_GNUC_INTERNAL gboolean gst_orch_expand_src_query (GstPad * pad,
    GstObject * parent, GstQuery * query);
G_GNUC_INTERNAL void gst_orch_expand_start_task (GstOrchExpand * self);

G_END_DECLS

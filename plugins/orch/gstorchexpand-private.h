/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchexpand.h"
#include "gstorchstream.h"

#include <gst/orch/gstorchlist-private.h>
#include <gst/orch/gstorchegress-private.h>
#include <gst/orch/gstorchledger-private.h>

G_BEGIN_DECLS

typedef struct _GstOrchExpandInput GstOrchExpandInput;
typedef struct _GstOrchExpandParent GstOrchExpandParent;

/* What comes in. */
typedef enum
{
  GST_ORCH_EXPAND_UNKNOWN,
  GST_ORCH_EXPAND_VALUES,       /* lists */
  GST_ORCH_EXPAND_STREAMS,
} GstOrchExpandKind;

/* Where a stream is cut into groups. */
typedef enum
{
  GST_ORCH_GROUP_BY_NONE,
  GST_ORCH_GROUP_BY_DURATION,
  GST_ORCH_GROUP_BY_COUNT,
  GST_ORCH_GROUP_BY_DISCONTINUITY,
  GST_ORCH_GROUP_BY_EVENT,
} GstOrchGroupBy;

/* One child that may be pushed, with what its Item will say. */
typedef struct
{
  OrchEntity *entity;
  OrchExpansion *begins;        /* (nullable): the group of a stream that it is first in */
  gboolean ends;                /* it is the last in its group */
  OrchOutcome outcome;
  GstBuffer *buffer;
  GstCaps *caps;                /* a list's: its parent's; a stream's: owned */
  gboolean owns_caps;
  OrchCause *cause;
  GstOrchInfo *info;
} GstOrchExpandChild;

/* An open parent: a list whose elements are given one by one, or the stream of
 * one sink pad.  User data of its lane. */
struct _GstOrchExpandParent
{
  GList link;                   /* in the element's `parents`, or `unwanted` */
  OrchExpansion *expansion;     /* NULL before the first group of a stream */
  OrchExpansion *groups;        /* (nullable): of a stream that is cut into groups */
  GstOrchStream *origin;        /* of a stream: its Expansion's */
  OrchLane *lane;               /* NULL once it has left the window */
  GstOrchList *list;            /* of a list parent */
  GstOrchList **aligned;        /* (nullable): by column; the first is `list` */
  guint n_aligned;
  guint next;                   /* its next element */
  GstCaps *given_caps;          /* (nullable): of the list's last element */
  GSList *shared_caps;          /* what stands for them on the pad, newest first: children
                                 * that are on their way have it from here */
  GQueue buffers;               /* GstOrchExpandChild, of a stream */
  GstOrchExpandInput *input;    /* of a stream that goes on: who waits for room */
  GstOrchExpandParent *next_done;       /* in a list of those to be freed */
};

/* A src pad, and what its task needs. */
typedef struct
{
  GstOrchExpand *owner;
  GstOrchExpandInput *input;    /* whose subscriber wakes the task */
  GstOrchEgress egress;
  /* With the element's lock. */
  GQueue children;              /* GstOrchExpandChild, of aligned lists: taken by
                                 * whichever task came first */
  gboolean flushing;            /* the pad goes down */
  /* Its task only. */
  GstClockTime next_time;
  guint n_turns;                /* most children taken at once, for now */
  guint n_heeded;               /* of n_unwanted, when it took its turn */
} GstOrchExpandOutput;

/* What the columns of aligned lists say of one parent, until all have (S3.2). */
typedef struct
{
  OrchEntity *entity;
  GstOrchInfo *info;
  guint n;                      /* columns */
  OrchInput *inputs;
  GstOrchList **lists;          /* (nullable) each */
  gboolean ended;               /* its Expansion is: the rest is ignored */
} GstOrchExpandRow;

/* A sink pad. */
struct _GstOrchExpandInput
{
  GstOrchExpand *owner;
  GstPad *pad;
  GstOrchSubscriber *subscriber;
  gboolean is_request;          /* a stream's */
  GstOrchExpandOutput *output;  /* (nullable): of lists, where their elements go */
  guint column;                 /* of lists: 0 for the always pad */
  /* With the element's lock. */
  GCond room;
  GstCaps *caps;
  GstSegment segment;
  gchar *stream_id;
  OrchEntity *reserved;         /* (nullable): what its next stream will be */
  GstOrchExpandParent *stream;  /* (nullable): the open stream */
  gboolean in_group;            /* a group of it is open */
  GstClockTime group_start;
  guint64 n_in_group;
  guint64 place;                /* among the children of the stream: of the open group, or
                                 * the next buffer */
  guint n_flushes;              /* of this pad alone */
  gsize id;                     /* of its streams */
  gsize last_serial;            /* of its last stream, 0 for none */
  gboolean flushes_all;         /* since FLUSH_START, all is flushed with it */
  OrchExpansion *last;          /* (nullable): of the last stream that came to its end */
  GstStructure *mark;           /* (nullable): what an event says of the next group */
  gboolean started;             /* it has seen a stream-start, or data */
  gboolean eos;
  gboolean resolved;
  gboolean quiet;               /* and heard to the end */
  gboolean is_of_one_call;      /* with the other columns, as far as they are known */
  gboolean flushing;
};

struct _GstOrchExpand
{
  GstElement element;

  GstOrchExpandInput *main;     /* the always pad */
  GstOrchExpandOutput *output;  /* its src pad */

  /* Guards everything down to the task's own; never held while pushing,
   * querying, or freeing a buffer. */
  GMutex lock;
  GList *inputs;                /* GstOrchExpandInput, the main one included */
  GPtrArray *columns;           /* those of lists, NULL for a pad that was released */
  guint n_columns;              /* that are not */
  GHashTable *rows;             /* OrchEntity -> GstOrchExpandRow, of several columns */
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
  GstOrchGroupBy group_by;
  GstClockTime group_duration;
  guint64 group_count;
  gchar *group_event;
  OrchDomain *domain;           /* of the children */
  OrchDomain *stream_domain;    /* of the streams that are parents themselves */
  OrchDomain *group_domain;     /* of their groups */
  OrchExpansion *streams;       /* root Expansion of those */
  GstOrchExpandKind kind;
  gboolean flushing;
  gboolean ended;               /* its EOS is out: only a flush of all leads on */
  gboolean waits_for_listeners; /* a streaming thread does */
  GstFlowReturn flow;
  guint next_pad;               /* number of the next sink_%u */
  GstOrchLedger ledger;         /* of children */
  guint64 n_parents;
  guint64 n_children;
  guint64 n_listed;             /* children of the lists opened so far, given or not */
  guint64 n_pruned;             /* children given without their value, as unwanted */

  /* Task of the always pad only. */
  gboolean knows_window;
};

/* gstorchexpandsink.c */
G_GNUC_INTERNAL GstOrchExpandInput *gst_orch_expand_input_new (GstOrchExpand *
    self, GstPad * pad, gboolean is_request);
G_GNUC_INTERNAL void gst_orch_expand_input_free (GstOrchExpandInput * input);
/* With the lock held. */
G_GNUC_INTERNAL void gst_orch_expand_wake_inputs (GstOrchExpand * self);
G_GNUC_INTERNAL void gst_orch_expand_wake_outputs (GstOrchExpand * self);
/* With the lock held: opens the lists of n columns, after `input` (nullable) has
 * waited for the window. */
G_GNUC_INTERNAL GstFlowReturn gst_orch_expand_open_lists (GstOrchExpand *
    self, GstOrchExpandInput * input, OrchEntity * entity, GstOrchInfo * info,
    GstOrchList ** lists, guint n);
/* The pad goes: its chain wakes, its stream ends as failed. */
G_GNUC_INTERNAL void gst_orch_expand_input_release (GstOrchExpand * self,
    GstOrchExpandInput * input);

/* gstorchexpandparent.c: opening and ending parents; with the lock held unless
 * said otherwise */
G_GNUC_INTERNAL OrchExpansion *gst_orch_expand_open (GstOrchExpand * self,
    OrchEntity * parent, GstOrchInfo * info);
G_GNUC_INTERNAL void gst_orch_expand_add_lists (GstOrchExpand * self,
    OrchExpansion * expansion, GstOrchList ** lists, guint n);
/* Publishes the terminal fact, unless that was done. */
G_GNUC_INTERNAL void gst_orch_expand_publish (GstOrchExpand * self,
    OrchExpansion * expansion, OrchExpansionState state, OrchCause * cause);
/* The children's Domain is one below `above` from here on. */
G_GNUC_INTERNAL void gst_orch_expand_need_domain (GstOrchExpand * self,
    OrchDomain * above);
/* (transfer full): opens one and closes it at once: its n children exist. */
G_GNUC_INTERNAL OrchExpansion *gst_orch_expand_open_with (GstOrchExpand * self,
    OrchEntity * entity, GstOrchInfo * info, guint64 n_children);
/* (transfer full): that of a parent without a value, which ends without children. */
G_GNUC_INTERNAL OrchExpansion *gst_orch_expand_end_absent (GstOrchExpand *
    self, OrchEntity * entity, GstOrchInfo * info, OrchExpansionState state,
    OrchCause * cause);
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
/* Before its stream is ended: the pad is flushed, and no other. */
G_GNUC_INTERNAL void gst_orch_expand_flush_stream (GstOrchExpand * self,
    GstOrchExpandInput * input);
/* Forgets every open parent, without record (S9.2): they are added to `parents`,
 * and the children that wait at src pads to `children`, to be freed without lock.
 * Returns the rows (transfer full). */
G_GNUC_INTERNAL GHashTable *gst_orch_expand_forget (GstOrchExpand * self,
    GList ** parents, GQueue * children);
G_GNUC_INTERNAL void gst_orch_expand_parent_free (gpointer parent);
G_GNUC_INTERNAL void gst_orch_expand_child_free (gpointer child);
G_GNUC_INTERNAL void gst_orch_expand_child_clear (GstOrchExpandChild * child);
/* A part of the window is free: who waits to open a list may be woken. */
G_GNUC_INTERNAL gboolean gst_orch_expand_has_ample_room (GstOrchExpand * self);
/* References to those that `output` (nullable: all) hears, to be used without lock;
 * takes the lock itself. */
G_GNUC_INTERNAL GPtrArray *gst_orch_expand_copy_subscribers (GstOrchExpand *
    self, GstOrchExpandOutput * output);

/* gstorchexpandgroup.c: streams that are cut into groups; with the lock held */
G_GNUC_INTERNAL GType gst_orch_group_by_get_type (void);
/* (transfer full): of what the groups of `stream` are children */
G_GNUC_INTERNAL OrchExpansion *gst_orch_expand_open_groups (GstOrchExpand *
    self, OrchEntity * stream, GstOrchInfo * info);
/* `child` is the next of the open stream, at `time` if that is known. */
G_GNUC_INTERNAL void gst_orch_expand_enter_group (GstOrchExpand * self,
    GstOrchExpandInput * input, GstOrchExpandChild * child, GstClockTime time);
G_GNUC_INTERNAL void gst_orch_expand_close_group (GstOrchExpand * self,
    GstOrchExpandInput * input);
/* An event that ends the group, if it is one. */
G_GNUC_INTERNAL void gst_orch_expand_see_mark (GstOrchExpand * self,
    GstOrchExpandInput * input, GstEvent * event);
/* The stream and what is open of its groups. */
G_GNUC_INTERNAL void gst_orch_expand_publish_stream (GstOrchExpand * self,
    GstOrchExpandParent * stream, OrchExpansionState state, OrchCause * cause);

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
/* Takes children that may be pushed at `output`, at most `n_wanted` of lists that
 * are wanted and `max` in all.  Parents that have given their last are added to
 * `done`, to be freed without lock once the children are. */
G_GNUC_INTERNAL guint gst_orch_expand_take (GstOrchExpandOutput * output,
    GstOrchExpandChild * children, guint n_wanted, guint max,
    GstOrchExpandParent ** done);

/* gstorchexpandaligned.c: lists that several pads bring */
G_GNUC_INTERNAL GstPad *gst_orch_expand_request_aligned (GstOrchExpand * self,
    GstPadTemplate * templ, const gchar * name);
G_GNUC_INTERNAL void gst_orch_expand_release_aligned (GstOrchExpand * self,
    GstOrchExpandInput * input);
G_GNUC_INTERNAL GHashTable *gst_orch_expand_rows_new (void);
/* What one column says of a parent; `list` (transfer none) (nullable) with PRESENT.
 * No lock held. */
G_GNUC_INTERNAL GstFlowReturn gst_orch_expand_enter (GstOrchExpand * self,
    GstOrchExpandInput * input, OrchEntity * entity, GstOrchInfo * info,
    GstOrchList * list, OrchOutcome outcome, OrchCause * cause);
/* With the lock held, at the end of all pads: what a column has never said is
 * lost.  (transfer full) (nullable): to be freed without lock */
G_GNUC_INTERNAL GHashTable *gst_orch_expand_end_rows (GstOrchExpand * self);
G_GNUC_INTERNAL void gst_orch_expand_renumber_columns (GstOrchExpand * self);
/* FALSE, with an error posted, when the columns are not outputs of one Call. */
G_GNUC_INTERNAL gboolean gst_orch_expand_check_column (GstOrchExpand * self,
    GstOrchExpandInput * input);

/* gstorchexpandsrc.c */
G_GNUC_INTERNAL GstOrchExpandOutput *gst_orch_expand_output_new (GstOrchExpand
    * self, GstPad * pad, GstOrchExpandInput * input);
G_GNUC_INTERNAL void gst_orch_expand_output_free (GstOrchExpandOutput * output);
/* With the lock held: what is queued there, to be freed without it. */
G_GNUC_INTERNAL void gst_orch_expand_output_steal (GstOrchExpandOutput *
    output, GQueue * children);
G_GNUC_INTERNAL void gst_orch_expand_start_task (GstOrchExpandOutput * output);

G_END_DECLS

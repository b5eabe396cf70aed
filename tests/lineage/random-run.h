/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "random-program.h"

G_BEGIN_DECLS

/* A program on the real core, in some legal order of events. */

typedef struct
{
  guint32 seed;
  guint max_batch;
  guint max_replicas;
  gint fixed_batch;             /* 0: random */
  gint fixed_replicas;
  gboolean early;               /* reports before the run returns */
  gboolean siblings;            /* batching, in some Calls */
  gboolean retries;             /* policies other than bisect */
  gboolean prune;               /* S5.5 */
  gboolean duplicates;          /* news comes twice */
  gboolean losses;              /* of workers */
  gboolean stale;               /* reports that must be refused */
  gboolean flush;
  gboolean windows;             /* interleaving other than in order of arrival */
} Schedule;

typedef struct _Unit Unit;
typedef struct _Family Family;

/* A node as one Unit sees it. */
typedef struct
{
  OrchOutcome outcome;          /* of its Item, once published */
  Value *value;                 /* owned */
  OrchCause *cause;             /* owned */
  OrchInput inputs[MAX_INPUTS]; /* what has arrived; no reference on the cause */
  gboolean entered;             /* CALL */
  OrchGather *gather;           /* REDUCE, while it is open */
} Station;

/* An Entity in one epoch. */
struct _Unit
{
  OrchEntity *entity;
  Family *family;
  guint64 hash;
  guint64 arrived;              /* bits of inputs of nodes, as they should know */
  guint32 seen_by;              /* bits of BROADCASTs that have its Item */
  Family *families[MAX_DOMAINS];        /* its children */
  Station stations[];           /* by slot */
};

/* An Expansion in one epoch. */
struct _Family
{
  OrchExpansion *expansion;
  guint domain;
  Unit *parent;                 /* NULL: the roots */
  GPtrArray *units;             /* those that have been given */
  Value *list;
  guint n;                      /* children that will come */
  guint n_fed;                  /* of a stream */
  gboolean breaks;              /* the stream, after them */
  gboolean is_closed;           /* the stream: no more is fed */
  OrchLane *lane;
  guint32 unwanted;             /* bits of nodes that want nothing of this or below */
};

typedef struct
{
  OrchGrain grain;
  guint node;
  Unit *unit;
  guint n_failed;               /* attempts */
  guint n_lost;
  gboolean is_forgotten;        /* by a flush */
} Work;

typedef struct
{
  guint node;
  OrchBatch *batch;
  guint64 epoch;
  guint n;
  Work **works;
  guint *generations;
  gboolean is_slow;             /* others overtake it */
  gboolean has_begun;           /* something was heard of it */
} Attempt;

/* A Grain as a worker remembers it that should have been forgotten. */
typedef struct
{
  Work *work;
  guint generation;
  guint64 epoch;
} Ghost;

typedef enum
{
  NEWS_ITEM,                    /* an Item has come to an input */
  NEWS_EXPANSION,               /* a Family is closed */
  NEWS_GUARD,                   /* a gather may look again (S5.2a) */
  NEWS_STREAM,                  /* a stream goes on */
} NewsKind;

typedef struct
{
  NewsKind kind;
  guint node;                   /* whom it is for */
  guint input;
  Unit *unit;
  Family *family;
} News;

typedef struct
{
  OrchCall *call;
  guint batch_size;
  guint n_replicas;
  guint n_running;
  guint64 n_entered;
  guint64 n_sealed[ORCH_OUTCOME_SUPPRESSED + 1];        /* UNRESOLVED: forgotten */
  guint64 n_refused;            /* that had to be */
  guint32 guards;               /* REDUCE: bits of Calls */
  OrchArrivals *arrivals[MAX_INPUTS];
  OrchInterleave *interleave;   /* EXPAND */
  GPtrArray *waiting;           /* BROADCAST: Units without their Item */
} NodeState;

typedef struct
{
  const Program *program;
  const Schedule *schedule;
  GRand *rand;
  guint order;                  /* in which news is delivered */
  guint weights[4];             /* of the kinds of steps */
  OrchDomain *domains[MAX_DOMAINS];
  NodeState nodes[MAX_NODES];
  GArray *news;
  GPtrArray *attempts;
  GArray *ghosts;
  GPtrArray *works;             /* owned, like the next two, till the end */
  GPtrArray *units;
  GPtrArray *families;
  OrchExpansion *root_expansion;
  OrchEntity **root_entities;
  Unit **roots;                 /* in this epoch */
  guint n_flushes;              /* to come */
  guint64 epoch;
  guint64 n_events;             /* news, turns and attempts so far */
  OrchCause *error;
  OrchGrainList sealed;
  gchar *problem;               /* the first one */
} Run;

static inline gint
draw (Run * run, gint n)
{
  return g_rand_int_range (run->rand, 0, n);
}

static inline Station *
get_station (Run * run, Unit * unit, guint node)
{
  return &unit->stations[run->program->nodes[node].slot];
}

/* Draws the options of a schedule. */
void schedule_draw (Schedule * schedule, guint32 seed);
void schedule_print (const Schedule * schedule);
/* (transfer full) (nullable): what was wrong */
gchar *run_program (const Program * program, const Schedule * schedule,
    const Results * expected);

/* ---- between its parts ---- */

void run_complain (Run * run, const gchar * format, ...) G_GNUC_PRINTF (2, 3);
Unit *unit_new (Run * run, Family * family, OrchEntity * entity);
Family *family_new (Run * run, guint domain, Unit * parent);
void run_post (Run * run, News news);
/* `value` (transfer full) (nullable) */
void run_publish (Run * run, guint node, Unit * unit, OrchOutcome outcome,
    Value * value, OrchCause * cause);
void run_publish_input (Run * run, guint node, Unit * unit, guint input);
/* Publishes what a Call has sealed. */
void run_collect (Run * run, guint node);
void run_deliver (Run * run, News * news);
gboolean run_can_take_turn (Run * run, guint node);
void run_take_turn (Run * run, guint node);
void run_expand (Run * run, guint node, Unit * unit);
void run_stream (Run * run, guint node, Family * family);
void run_gather (Run * run, guint node, Unit * unit, guint input);
void run_close_gather (Run * run, guint node, Family * family);
void run_look_at_gather (Run * run, guint node, Family * family);
gboolean run_can_reserve (Run * run, guint node);
void run_reserve (Run * run, guint node);
void run_go_on (Run * run, Attempt * attempt);
void attempt_free (gpointer attempt);
/* S5.5: REDUCE `node` wants nothing of `family` any more. */
void run_unwant (Run * run, guint node, Family * family);
gboolean run_is_unwanted (Run * run, guint node, Family * family);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "random-value.h"

G_BEGIN_DECLS

/* A program: a graph of nodes over a tree of Domains, and what each Function does
 * with each Entity.  Its result must not depend on the schedule (S6). */

#define MAX_NODES 32
#define MAX_DOMAINS 8
#define MAX_DEPTH 3
#define MAX_INPUTS 2
#define MAX_FANOUT 50
#define ROOT_DOMAIN 0

typedef enum
{
  NODE_SOURCE,
  NODE_CALL,
  NODE_FILTER,                  /* source, mask */
  NODE_BROADCAST,               /* source, like */
  NODE_JOIN,
  NODE_EXPAND,
  NODE_REDUCE,                  /* values, members if they are others */
} NodeKind;

/* What a Function does with one Grain alone. */
typedef enum
{
  FATE_PRESENT,
  FATE_DROP,
  FATE_RECORD,
  FATE_GROUP,
  FATE_UNTYPED,                 /* whenever it is tried */
  FATE_UNTYPED_ONCE,            /* the first time */
  FATE_LEAVE_OUT,               /* returns without an outcome for it */
  N_FATES
} Fate;

const gchar *fate_get_name (Fate fate);

typedef struct
{
  NodeKind kind;
  guint uid;                    /* its random choices hang on it, not on its place */
  guint domain;                 /* of its Items */
  guint n_inputs;
  guint inputs[MAX_INPUTS];
  gboolean optional[MAX_INPUTS];
  gboolean makes_list;          /* CALL */
  gboolean can_group_fail;      /* CALL */
  gboolean is_stream;           /* EXPAND */
  OrchOnFailed mode;            /* REDUCE, and the next two */
  gint max_failed;              /* -1: no limit */
  gdouble max_share;            /* 1: no limit */
  /* by program_finish() */
  guint level;                  /* of nesting of its lists; 0: no list */
  guint slot;                   /* among the nodes of its Domain */
  guint32 depends;              /* bits of the nodes it depends on (S5.2a) */
  guint32 consumers;            /* bits of the nodes that read it */
} Node;

typedef struct
{
  guint uid;
  const gchar *path;
  Fate fate;                    /* of a FILTER: DROP for a mask that is false */
} Exception;

typedef struct
{
  guint32 seed;
  guint n_roots;
  guint max_fanout;
  gint fixed_fanout;            /* -1: random */
  guint permille[N_FATES];      /* how many Grains in 1,000 meet it */
  guint permille_elements;      /* of a list's elements that are no value */
  guint permille_masks;         /* false */
  const Exception *exceptions;
  guint n_exceptions;
  guint n_nodes;
  Node nodes[MAX_NODES];
  guint n_domains;
  struct
  {
    guint parent;
    guint driver;               /* the EXPAND */
    guint n_slots;
  } domains[MAX_DOMAINS];
} Program;

/* ---- making one ---- */

void program_init (Program * program, guint n_roots);
/* Its index; the caller fills in what is particular to its kind. */
guint program_add (Program * program, NodeKind kind, guint domain,
    guint n_inputs, ...);
/* Opens a Domain below that of `list`. */
guint program_add_expand (Program * program, guint list);
/* Once all nodes are there. */
void program_finish (Program * program);
gboolean program_is_list (const Program * program, guint node);
/* Domain `ancestor` is above `domain`, or the same. */
gboolean program_is_above (const Program * program, guint ancestor,
    guint domain);
/* The Calls that may end a gather of this REDUCE with a barrier (S5.2a). */
guint32 program_get_guards (const Program * program, guint reduce);
void program_generate (Program * program, guint32 seed);
/* Without node `index`, which nobody reads. */
void program_remove (Program * program, guint index);
void program_print (const Program * program);

/* ---- what its Functions do ---- */

guint64 path_hash (guint64 parent, guint64 ordinal);
Fate program_get_fate (const Program * program, guint node, guint64 path);
/* (transfer full): from the values of its inputs, NULL where one is missing */
Value *program_make_value (const Program * program, guint node, guint64 path,
    Value ** inputs);
/* (transfer full): of a JOIN */
Value *program_join (const Program * program, guint node, Value ** inputs);
OrchMask program_get_mask (const Program * program, guint node, guint64 path,
    const Value * mask);
/* The children of a stream that come before it breaks; G_MAXUINT: it does not. */
guint program_get_break (const Program * program, guint expand, guint64 path);

/* ---- what must come out ---- */

typedef struct
{
  OrchOutcome outcome;
  Value *value;                 /* owned */
} Item;

/* By node of the root Domain, then by root. */
typedef struct
{
  Item *items[MAX_NODES];
  guint n_entities;             /* of all Domains */
} Results;

Results *oracle_run (const Program * program);
/* (transfer full): which Grains meet what, but for those that are present */
gchar *oracle_tell (const Program * program);
void results_free (const Program * program, Results * results);
/* (transfer full) */
gchar *item_to_string (OrchOutcome outcome, const Value * value);

G_END_DECLS

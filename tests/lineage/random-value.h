/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "lineage/orch-lineage.h"

G_BEGIN_DECLS

typedef struct _Value Value;

/* One place of a list: PRESENT with a value, DROPPED, or FAILED. */
typedef struct
{
  OrchOutcome outcome;
  Value *value;                 /* owned */
} Element;

/* What an Item holds.  Equal hashes mean equal values, their lists' order and
 * failures included.  Refcounted, one thread. */
struct _Value
{
  gint refs;
  guint64 hash;
  GArray *elements;             /* of a list, else NULL */
  GPtrArray *failures;          /* of a list that was gathered: paths; or NULL */
};

static inline guint64
mix (guint64 hash, guint64 more)
{
  hash ^= more + G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) + (hash << 6);
  hash = (hash ^ (hash >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  hash = (hash ^ (hash >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return hash ^ (hash >> 31);
}

Value *value_new (guint64 hash);
/* An empty list. */
Value *value_new_list (guint64 hash);
Value *value_ref (Value * value);
void value_unref (gpointer value);
/* `value` (transfer full) (nullable) */
void value_add (Value * list, OrchOutcome outcome, Value * value);
void value_add_failure (Value * list, const gchar * path);
/* What `value`, which is gathered into `list`, says of failures below it. */
void value_take_failures (Value * list, const Value * value);
guint value_get_n (const Value * list);
const Element *value_get (const Value * list, guint i);
/* (transfer full): for people */
gchar *value_to_string (const Value * value);

G_END_DECLS

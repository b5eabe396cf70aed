/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/orch.h>

G_BEGIN_DECLS

/* The Function `script`: what it does is written in the test itself.  Its
 * property `id` (0 .. 7) tells several of them apart. */
typedef struct
{
  /* (nullable): before anything is run; `replica` counts from 0 */
  gboolean (*setup) (guint replica, gpointer data, GError ** error);
  gboolean (*run) (GstOrchBatch * batch, guint replica, gpointer data,
      GError ** error);
  /* (nullable): in the replica's thread, when it is to end */
  void (*teardown) (guint replica, gpointer data);
  /* (nullable) */
  GstCaps *(*negotiate) (GstCaps * caps, gpointer data, GError ** error);
  gpointer data;
} Script;

/* Registers the Functions `script`, `script-group` (which may fail groups) and
 * `script-outputs` (with two further outputs); once, after gst_init(). */
void script_init (void);
/* What the Function with this id does from now on. */
void script_set (guint id, Script script);

/* (transfer full): "0/0:0 0/1:0", paths and generations of a batch */
gchar *script_describe (GstOrchBatch * batch);
void script_present (GstOrchBatch * batch, guint index);
void script_present_all (GstOrchBatch * batch);
/* FALSE, for run() to return */
gboolean script_fail (GError ** error);

/* A gate that is shut until it is opened. */
typedef struct
{
  GMutex lock;
  GCond cond;
  gboolean open;
  guint waiting;
} Gate;

void gate_init (Gate * gate);
void gate_clear (Gate * gate);
void gate_open (Gate * gate);
void gate_shut (Gate * gate);
/* Ends the test if it is not opened. */
void gate_pass (Gate * gate);
/* Until somebody waits there. */
void gate_await_waiting (Gate * gate, guint n);

G_END_DECLS

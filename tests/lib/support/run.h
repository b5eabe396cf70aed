/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "collector.h"

G_BEGIN_DECLS

/* A pipeline under test: values go in at the appsrc "in", if there is one; what
 * arrives at the element "out" is collected. */
typedef struct
{
  GstElement *pipeline;
  GstElement *in;               /* (nullable) */
  Collector *out;
  gchar *error;                 /* (nullable): the message that ended it */
  gchar *error_debug;
  GPtrArray *warnings;          /* texts of WARNING messages */
  GPtrArray *news;              /* GstStructure of ELEMENT messages but ledgers */
  GPtrArray *ledgers;           /* those, with the name of the element as "of" */
} Run;

#define RUN_IN "appsrc name=in format=time max-buffers=0 max-bytes=0 "
#define RUN_OUT "fakesink name=out sync=false async=false enable-last-sample=false qos=false "

/* `description` is in printf() style, for gst_parse_launch().  It sets properties
 * of a Function as those of its generated element: for each `function::name` the
 * parser of GStreamer 1.22 leaks a reference, which valgrind reports. */
Run *run_new (const gchar * description, ...) G_GNUC_PRINTF (1, 2);
/* NULL with `error` set when an element is missing. */
Run *run_try_new (const gchar * description, GError ** error);
void run_free (Run * self);

void run_start (Run * self);
/* A value in the notation, into "in", or the element of that name. */
void run_push (Run * self, const gchar * value);
void run_push_to (Run * self, const gchar * source, const gchar * value);
/* The same at a time in milliseconds, unless that is negative, and with flags. */
void run_push_at (Run * self, const gchar * source, const gchar * value,
    gint ms, GstBufferFlags flags);
void run_end (Run * self);
void run_end_of (Run * self, const gchar * source);
/* Until EOS (TRUE) or an error (FALSE); a hang ends the test. */
gboolean run_wait (Run * self);
/* Reads what is on the bus now. */
void run_read_bus (Run * self);
/* To EOS, and every account is closed (semantics S7). */
void run_finish (Run * self);
void run_check_ledger (Run * self);

/* The last one that `element` posted. */
guint64 run_get_ledger (Run * self, const gchar * element,
    const gchar * field);
guint run_count_ledgers (Run * self, const gchar * element);

GstElement *run_get (Run * self, const gchar * element);        /* (transfer none) */
guint64 run_get_stat (Run * self, const gchar * element, const gchar * field);
/* (transfer full): a string property, or one of a child ("function::log") */
gchar *run_get_text (Run * self, const gchar * element, const gchar * property);

/* Runs "in ! `chain` ! out" over `values` ("[a,b]; [c]"), and compares the
 * results. */
void assert_results (const gchar * chain, const gchar * values,
    const gchar * results);
/* The same for a run that already is at EOS. */
#define run_assert_results(self, expected) \
  G_STMT_START { \
    g_autofree gchar *run_results = collector_get_results ((self)->out); \
    g_assert_cmpstr (run_results, ==, expected); \
  } G_STMT_END

G_END_DECLS

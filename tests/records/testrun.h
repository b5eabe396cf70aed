/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "testfolder.h"

#include <gst/gst.h>
#include <json-glib/json-glib.h>

/* What a pipeline said until it ended. */
typedef struct
{
  gboolean eos;
  GError *error;                /* (nullable): the first */
  guint n_warnings;
  gchar *warning;               /* (nullable): the first */
  guint n_failures;             /* orch-failure messages */
  GstStructure *summary;        /* (nullable): the last orch-summary */
  GstStructure *progress;       /* (nullable): the last orch-progress */
  GstStructure *ledger;         /* (nullable): the last orch-ledger of a sink */
} TestRun;

GstElement *test_run_parse (const gchar * format, ...) G_GNUC_PRINTF (1, 2);
/* Until EOS, an error, or `timeout` (which is a failure of the test). */
void test_run_wait (TestRun * run, GstElement * pipeline,
    GstClockTime timeout);
/* Plays `pipeline` (transfer full) to its end. */
void test_run (TestRun * run, GstElement * pipeline);
void test_run_clear (TestRun * run);
void test_run_check_good (TestRun * run);
/* S7, of the sink that ended last. */
void test_run_check_ledger (TestRun * run, gboolean finished);
/* That it ended with an error that has `word` in it. */
void test_run_check_error (TestRun * run, const gchar * word);
guint64 test_run_get (const GstStructure * structure, const gchar * field);

/* (transfer full): JsonNode of each line, in the order of the file */
GPtrArray *test_records_read (TestFolder * folder, const gchar * name);
JsonObject *test_records_get (GPtrArray * records, guint i);
/* (transfer none) (nullable): the one whose id ends so */
JsonObject *test_records_find (GPtrArray * records, const gchar * end);
void test_record_check (JsonObject * record, const gchar * outcome,
    const gchar * cause_code);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Each worker is told of a document once, keeps so many, and is told again of what it
 * had to let go of: in whatever order they come, and whatever is taken back, its units
 * find the document that they are of. */

#include "run.h"
#include "chance.h"
#include "complaints.h"
#include "workers.h"

#include <gst/check/gstcheck.h>
#include <string.h>

/* What a worker keeps, and more documents than that. */
#define MAX_KEPT 256
#define N_DOCUMENTS 300

typedef struct
{
  Run *run;
  GstBuffer *documents[N_DOCUMENTS];
  guint n;                      /* lists pushed */
  GString *expected;
} Library;

static void
library_open (Library * self, const gchar * properties)
{
  guint i;

  self->run = run_new ("appsrc name=in format=time max-buffers=0 max-bytes=0 "
      "caps=application/x-orch-list ! orchexpand interleave=none ! orchtesthostile name=work "
      "workers=process %s ! " RUN_OUT, properties);
  for (i = 0; i < N_DOCUMENTS; i++) {
    gchar *text = g_strdup_printf ("%u", i);

    self->documents[i] = gst_buffer_new_wrapped (text, strlen (text));
  }
  self->n = 0;
  self->expected = g_string_new (NULL);
  run_start (self->run);
}

/* A list of `n` units, of documents `first`, `first` + `step` ... */
static void
library_push (Library * self, guint n, guint first, guint step)
{
  GstOrchList *list = gst_orch_list_new_sized (n);
  GstCaps *caps = gst_caps_from_string ("application/x-orch-ref, "
      "media-type=text/plain");
  GstBuffer *buffer;
  GstFlowReturn ret;
  guint i;

  for (i = 0; i < n; i++) {
    guint number = (first + i * step) % N_DOCUMENTS;

    gst_orch_list_append (list, gst_orch_ref_buffer_new
        (self->documents[number], gst_structure_new_empty ("all")), caps, NULL);
    g_string_append_printf (self->expected, "%s%u/%u %u",
        self->expected->len ? "; " : "", self->n, i, number);
  }
  self->n++;
  buffer = gst_orch_list_buffer_new (list);
  g_signal_emit_by_name (self->run->in, "push-buffer", buffer, &ret);
  fail_unless_equals_int (ret, GST_FLOW_OK);
  gst_buffer_unref (buffer);
  gst_caps_unref (caps);
}

/* Each unit has told of its own document. */
static void
library_close (Library * self)
{
  guint i;

  run_end (self->run);
  run_finish (self->run);
  run_assert_results (self->run, self->expected->str);
  fail_unless_equals_int (run_get_stat (self->run, "work", "workers-died"), 0);
  run_free (self->run);
  fail_unless_equals_int (workers_count (), 0);
  for (i = 0; i < N_DOCUMENTS; i++)
    gst_buffer_unref (self->documents[i]);
  g_string_free (self->expected, TRUE);
}

/* The oldest goes to make room for a new one, and is needed in the same batch. */
GST_START_TEST (test_again_in_one_batch)
{
  Library library;

  library_open (&library, "rules=*:source batch-size=2 max-wait=60000000000");
  library_push (&library, MAX_KEPT, 0, 1);
  library_push (&library, 2, MAX_KEPT, N_DOCUMENTS - MAX_KEPT);
  library_push (&library, 2, 0, MAX_KEPT);
  library_close (&library);
}

GST_END_TEST;

/* More of them at once than it keeps. */
GST_START_TEST (test_many_in_one_batch)
{
  Library library;
  guint i;

  library_open (&library, "rules=*:source batch-size=300 max-wait=60000000000");
  for (i = 0; i < 3; i++)
    library_push (&library, N_DOCUMENTS, i * 100, 1);
  library_close (&library);
}

GST_END_TEST;

/* A worker was to be told of some of them and was not, as another one was free; then
 * both work on all of them. */
GST_START_TEST (test_taken_back)
{
  Library library;
  guint i;

  library_open (&library, "rules=0/0:next-sleep,*:source replicas=2");
  library_push (&library, 20, 0, 1);
  collector_wait (library.run->out, 20);
  for (i = 0; i < 50; i++)
    library_push (&library, 20, 0, 1);
  /* The first one presents its reference. */
  g_string_overwrite (library.expected, strlen ("0/0 "), "*");
  library_close (&library);
}

GST_END_TEST;

GST_START_TEST (test_random)
{
  GRand *chance = chance_new ();
  Library library;
  guint i;

  library_open (&library, "rules=*:source batch-size=3 replicas=2");
  for (i = 0; i < 60; i++)
    library_push (&library, g_rand_int_range (chance, 0, 60),
        g_rand_int_range (chance, 0, N_DOCUMENTS),
        g_rand_int_range (chance, 0, 5));
  library_close (&library);
  g_rand_free (chance);
}

GST_END_TEST;

static Suite *
workers_sources_suite (void)
{
  Suite *suite = suite_create ("workers-sources");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  suite_add_tcase (suite, tc);
  tcase_set_timeout (tc, 60);
  tcase_add_test (tc, test_again_in_one_batch);
  tcase_add_test (tc, test_many_in_one_batch);
  tcase_add_test (tc, test_taken_back);
  tcase_add_test (tc, test_random);
  return suite;
}

GST_CHECK_MAIN (workers_sources);

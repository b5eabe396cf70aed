/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* A worker has its next batch before it asks for it, and nothing else changes: what
 * it has not begun with is as if it had not been sent (S5.3). */

#include "run.h"
#include "complaints.h"
#include "patience.h"
#include "workers.h"

#include <gst/allocators/gstfdmemory.h>
#include <gst/check/gstcheck.h>
#include <sys/mman.h>
#include <unistd.h>

#define HOSTILE "orchtesthostile name=work workers=process "
#define OPEN "! orchexpand interleave=none ! " HOSTILE
/* However the units come, the same ones are together. */
#define PAIRS "batch-size=2 max-wait=60000000000 "

static Run *
start (const gchar * chain)
{
  Run *self = run_new (RUN_IN "%s ! " RUN_OUT, chain);

  run_start (self);
  return self;
}

static Run *
start_with (const gchar * chain, const gchar * value)
{
  Run *self = start (chain);

  run_push (self, value);
  return self;
}

static void
finish (Run * self)
{
  run_end (self);
  run_finish (self);
}

static void
end (Run * self)
{
  run_free (self);
  fail_unless_equals_int (workers_count (), 0);
}

/* ---- it is sent ahead ---- */

/* The Function of each page but the last returns only when the next page is there. */
GST_START_TEST (test_next_is_there)
{
  Run *self = start_with (OPEN "rules=0/3:generation,*:next-generation "
      "! orchreduce", "[a,b,c,d]");

  finish (self);
  run_assert_results (self, "0 [0,0,0,0]");
  fail_unless_equals_int (run_get_stat (self, "work", "batches"), 4);
  fail_unless_equals_int (run_get_stat (self, "work", "batches-ahead"), 3);
  end (self);
}

GST_END_TEST;

/* What is not a full batch may get fuller. */
GST_START_TEST (test_not_full)
{
  Run *self = start_with (OPEN PAIRS "! orchreduce", "[a,b,c]");

  finish (self);
  run_assert_results (self, "0 [a,b,c]");
  fail_unless_equals_int (run_get_stat (self, "work", "batches-ahead"), 0);
  end (self);
}

GST_END_TEST;

/* `n` documents, each with a descriptor of its own. */
static void
push_files (Run * self, gint fd, guint n)
{
  GstAllocator *allocator = gst_fd_allocator_new ();
  GstFlowReturn ret;
  guint i;

  for (i = 0; i < n; i++) {
    GstBuffer *buffer = gst_buffer_new ();

    gst_buffer_append_memory (buffer, gst_fd_allocator_alloc (allocator, fd, 1,
            GST_FD_MEMORY_FLAG_DONT_CLOSE));
    g_signal_emit_by_name (self->in, "push-buffer", buffer, &ret);
    gst_buffer_unref (buffer);
    fail_unless_equals_int (ret, GST_FLOW_OK);
  }
  gst_object_unref (allocator);
}

/* More descriptors than one packet holds: it goes when it is its turn. */
GST_START_TEST (test_many_descriptors)
{
  gint fd = memfd_create ("test", MFD_CLOEXEC);
  Run *self = start ("! " HOSTILE "batch-size=300 max-wait=60000000000 "
      "rules=0:sleep");

  fail_unless (write (fd, "x", 1) == 1);
  push_files (self, fd, 600);
  finish (self);
  fail_unless_equals_int (collector_get_n_results (self->out), 600);
  fail_unless_equals_int (run_get_stat (self, "work", "batches"), 2);
  fail_unless_equals_int (run_get_stat (self, "work", "batches-ahead"), 0);
  end (self);
  close (fd);
}

GST_END_TEST;

/* ---- a death costs it nothing ---- */

static const struct
{
  const gchar *deed;
  const gchar *stat;
} deaths[] = {
  {"segv", "workers-died"},
  {"exit", "workers-died"},
  {"close", "workers-died"},
  {"nonsense", "workers-died"},
  {"kill", "workers-lost"},
  {"hang", "timeouts"},
};

GST_START_TEST (test_death_before_it)
{
  g_autofree gchar *chain = g_strdup_printf (OPEN "attempt-timeout=1000000000 "
      "rules=0/0:once-next-%s,*:generation confine=false ! orchreduce",
      deaths[__i__].deed);
  Run *self = start_with (chain, "[a,b,c]");

  finish (self);
  run_assert_results (self, "0 [1,0,0]");
  fail_unless_equals_int (run_get_stat (self, "work", deaths[__i__].stat), 1);
  end (self);
}

GST_END_TEST;

/* Its attempt begins when the one before it has ended. */
GST_START_TEST (test_time_begins_with_it)
{
  Run *self = start_with (OPEN "attempt-timeout=1700000000 "
      "rules=0/0:next-sleep,0/1:sleep ! orchreduce", "[a,b]");

  finish (self);
  run_assert_results (self, "0 [a,b]");
  fail_unless_equals_int (run_get_stat (self, "work", "batches-ahead"), 1);
  fail_unless_equals_int (run_get_stat (self, "work", "timeouts"), 0);
  end (self);
}

GST_END_TEST;

/* It can itself be what kills the worker, and is found. */
GST_START_TEST (test_it_is_the_poison)
{
  Run *self = start_with (OPEN PAIRS "rules=0/0:once-next-generation,"
      "0/3:abort,*:generation ! orchreduce on-failed=skip", "[a,b,c,d]");

  finish (self);
  run_assert_results (self, "0 [0,0,2] 0/3 F orch:crashed@0/3");
  fail_unless_equals_int (run_get_stat (self, "work", "batches-ahead"), 1);
  end (self);
}

GST_END_TEST;

/* ---- it is taken back ---- */

/* One page holds its worker; whatever waits behind it goes to the other one. */
GST_START_TEST (test_idle_peer)
{
  Run *self = start_with (OPEN "replicas=2 rules=0/0:next-wait",
      "[a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p]");

  collector_wait (self->out, 15);
  end (self);
}

GST_END_TEST;

/* S5.5: what is not wanted any more never reaches the Function. */
GST_START_TEST (test_unwanted)
{
  Run *self = start_with (OPEN PAIRS "early=true "
      "rules=0/0:next-fail,0/1:wait,*:abort ! orchreduce", "[a,b,c,d]");

  finish (self);
  run_assert_results (self, "0 S test:record@0/0");
  fail_unless_equals_int (run_get_stat (self, "work", "workers-died"), 0);
  end (self);
}

GST_END_TEST;

/* The rest of the batch is worked on, and each outcome is of its own unit. */
GST_START_TEST (test_partly_unwanted)
{
  Run *self = start_with (OPEN PAIRS "early=true rules=0/0:next-fail,"
      "0/1:wait,0/2:abort ! orchreduce", "[a,b,c]");

  run_push (self, "[x,y,z]");
  finish (self);
  run_assert_results (self, "0 S test:record@0/0; 1 [x,y,z]");
  fail_unless_equals_int (run_get_stat (self, "work", "workers-died"), 0);
  end (self);
}

GST_END_TEST;

GST_START_TEST (test_flush)
{
  Run *self = start_with ("! " HOSTILE "rules=0:next-wait,1:abort,2:abort", "a");

  run_push (self, "b");
  run_push (self, "c");
  patience_until (run_get_stat (self, "work", "entered") == 3);
  gst_element_send_event (self->in, gst_event_new_flush_start ());
  gst_element_send_event (self->in, gst_event_new_flush_stop (TRUE));
  gst_child_proxy_set (GST_CHILD_PROXY (run_get (self, "work")),
      "function::rules", NULL, NULL);
  run_push (self, "d");
  finish (self);
  run_assert_results (self, "0 d");
  fail_unless_equals_int (run_get_stat (self, "work", "workers-died"), 0);
  end (self);
}

GST_END_TEST;

GST_START_TEST (test_stop)
{
  Run *self = start_with ("! " HOSTILE "rules=0:next-wait,1:abort", "a");

  run_push (self, "b");
  patience_until (run_get_stat (self, "work", "entered") == 2);
  gst_element_set_state (self->pipeline, GST_STATE_READY);
  fail_unless_equals_int (workers_count (), 0);
  fail_unless_equals_int (run_get_stat (self, "work", "workers-died"), 0);
  end (self);
}

GST_END_TEST;

/* It is not begun with what a property was when it was sent. */
GST_START_TEST (test_properties)
{
  Run *self = start ("! " HOSTILE PAIRS "early=true mark=x "
      "rules=0:next-mark,1:sleep,*:mark");
  const gchar *value;

  for (value = "a\0b\0c\0d\0"; *value; value += 2)
    run_push (self, value);
  collector_wait (self->out, 1);
  gst_child_proxy_set (GST_CHILD_PROXY (run_get (self, "work")),
      "function::mark", "y", NULL);
  finish (self);
  run_assert_results (self, "0 x; 1 b; 2 y; 3 y");
  end (self);
}

GST_END_TEST;

static Suite *
workers_ahead_suite (void)
{
  Suite *suite = suite_create ("workers-ahead");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  suite_add_tcase (suite, tc);
  tcase_set_timeout (tc, 60);
  tcase_add_test (tc, test_next_is_there);
  tcase_add_test (tc, test_not_full);
  tcase_add_test (tc, test_many_descriptors);
  tcase_add_loop_test (tc, test_death_before_it, 0, G_N_ELEMENTS (deaths));
  tcase_add_test (tc, test_time_begins_with_it);
  tcase_add_test (tc, test_it_is_the_poison);
  tcase_add_test (tc, test_idle_peer);
  tcase_add_test (tc, test_unwanted);
  tcase_add_test (tc, test_partly_unwanted);
  tcase_add_test (tc, test_flush);
  tcase_add_test (tc, test_stop);
  tcase_add_test (tc, test_properties);
  return suite;
}

GST_CHECK_MAIN (workers_ahead);

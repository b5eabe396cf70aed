/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* The element path against one plain queue, in the same run: N_LISTS lists of
 * N_CHILDREN empty buffers through orchexpand, a Call of identity in batches of
 * 64 and orchreduce; as many buffers through one queue with its default limits.
 * One thread makes and pushes the buffers in both.  Rounds alternate, since the
 * machine's speed drifts; the ratio is that of the medians.
 * Usage: bench-elements [ROUNDS] */

#include <gst/orch/orch.h>
#include <stdlib.h>
#include <sys/resource.h>

#define N_LISTS 20000
#define N_CHILDREN 100
#define TARGET 1.0

typedef struct
{
  GMutex lock;
  GCond cond;
  gboolean eos;
  guint64 n_buffers;
} Sink;

static Sink sink;

static GstFlowReturn
sink_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  sink.n_buffers++;
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

static gboolean
sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS) {
    g_mutex_lock (&sink.lock);
    sink.eos = TRUE;
    g_cond_signal (&sink.cond);
    g_mutex_unlock (&sink.lock);
  }
  gst_event_unref (event);
  return TRUE;
}

static void
start_stream (GstPad * pad, const gchar * caps_string)
{
  GstCaps *caps = gst_caps_from_string (caps_string);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (pad, gst_event_new_stream_start ("bench"));
  gst_pad_push_event (pad, gst_event_new_caps (caps));
  gst_pad_push_event (pad, gst_event_new_segment (&segment));
  gst_caps_unref (caps);
}

static void
push_lists (GstPad * pad)
{
  GstCaps *caps = gst_caps_new_empty_simple ("application/x-bench");
  guint i, c;

  start_stream (pad, GST_ORCH_LIST_CAPS);
  for (i = 0; i < N_LISTS; i++) {
    GstOrchList *list = gst_orch_list_new_sized (N_CHILDREN);

    for (c = 0; c < N_CHILDREN; c++)
      gst_orch_list_append (list, gst_buffer_new (), caps, NULL);
    gst_pad_push (pad, gst_orch_list_buffer_new (list));
  }
  gst_pad_push_event (pad, gst_event_new_eos ());
  gst_caps_unref (caps);
}

static void
push_buffers (GstPad * pad)
{
  guint i;

  start_stream (pad, "application/x-bench");
  for (i = 0; i < N_LISTS * N_CHILDREN; i++)
    gst_pad_push (pad, gst_buffer_new ());
  gst_pad_push_event (pad, gst_event_new_eos ());
}

typedef struct
{
  gdouble wall;
  gdouble cpu;
} Time;

static gdouble
cpu_seconds (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
      + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* From the first buffer to EOS at the end. */
static Time
measure (const gchar * description, void (*push) (GstPad *), guint64 expected)
{
  GError *error = NULL;
  GstElement *bin = gst_parse_bin_from_description (description, TRUE, &error);
  GstPad *src = gst_pad_new ("src", GST_PAD_SRC);
  GstPad *end = gst_pad_new ("sink", GST_PAD_SINK);
  GstPad *bin_sink, *bin_src;
  gint64 begin;
  Time time;

  if (!bin)
    g_error ("%s", error->message);
  gst_object_ref_sink (bin);
  sink.eos = FALSE;
  sink.n_buffers = 0;
  gst_pad_set_chain_function (end, sink_chain);
  gst_pad_set_event_function (end, sink_event);
  bin_sink = gst_element_get_static_pad (bin, "sink");
  bin_src = gst_element_get_static_pad (bin, "src");
  gst_pad_link (src, bin_sink);
  gst_pad_link (bin_src, end);
  gst_pad_set_active (end, TRUE);
  gst_element_set_state (bin, GST_STATE_PLAYING);
  gst_pad_set_active (src, TRUE);

  time.cpu = cpu_seconds ();
  begin = g_get_monotonic_time ();
  push (src);
  g_mutex_lock (&sink.lock);
  while (!sink.eos)
    g_cond_wait (&sink.cond, &sink.lock);
  g_mutex_unlock (&sink.lock);
  time.wall = (g_get_monotonic_time () - begin) / 1e6;
  time.cpu = cpu_seconds () - time.cpu;

  if (sink.n_buffers != expected)
    g_error ("%" G_GUINT64_FORMAT " buffers came out, not %" G_GUINT64_FORMAT,
        sink.n_buffers, expected);
  gst_element_set_state (bin, GST_STATE_NULL);
  gst_pad_set_active (src, FALSE);
  gst_pad_set_active (end, FALSE);
  gst_object_unref (bin_sink);
  gst_object_unref (bin_src);
  gst_object_unref (bin);
  gst_object_unref (src);
  gst_object_unref (end);
  return time;
}

static gint
compare_doubles (gconstpointer a, gconstpointer b)
{
  gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return (x > y) - (x < y);
}

static gdouble
median (const Time * times, guint n, gsize offset)
{
  g_autofree gdouble *values = g_new (gdouble, n);
  guint i;

  for (i = 0; i < n; i++)
    values[i] = G_STRUCT_MEMBER (gdouble, &times[i], offset);
  qsort (values, n, sizeof (gdouble), compare_doubles);
  return values[n / 2];
}

static void
print_result (const Time * orch, const Time * queue, guint rounds)
{
  const gsize wall = G_STRUCT_OFFSET (Time, wall);
  const gsize cpu = G_STRUCT_OFFSET (Time, cpu);
  gdouble ratio = median (orch, rounds, wall) / median (queue, rounds, wall);

  g_print ("element path: %u children in %u lists, medians of %u rounds: "
      "elements %.2f s wall (%.2f s CPU), one queue %.2f s (%.2f s CPU); "
      "ratio of wall %.2f, of CPU %.2f; target %.1f: %s\n",
      N_LISTS * N_CHILDREN, N_LISTS, rounds, median (orch, rounds, wall),
      median (orch, rounds, cpu), median (queue, rounds, wall),
      median (queue, rounds, cpu), ratio,
      median (orch, rounds, cpu) / median (queue, rounds, cpu), TARGET,
      ratio <= TARGET ? "met" : "missed");
}

int
main (int argc, char **argv)
{
  guint i, rounds;
  Time *orch, *queue;

  gst_init (&argc, &argv);
  rounds = argc > 1 ? atoi (argv[1]) : 5;
  if (rounds == 0 || argc > 2) {
    g_printerr ("usage: %s [ROUNDS > 0]\n", argv[0]);
    return EXIT_FAILURE;
  }
  orch = g_new (Time, rounds);
  queue = g_new (Time, rounds);
  for (i = 0; i < rounds; i++) {
    orch[i] = measure ("orchexpand ! orchcall function=identity batch-size=64 "
        "! orchreduce", push_lists, N_LISTS);
    queue[i] = measure ("queue", push_buffers, N_LISTS * N_CHILDREN);
  }
  print_result (orch, queue, rounds);
  g_free (orch);
  g_free (queue);
  return EXIT_SUCCESS;
}

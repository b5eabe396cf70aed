/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* A Call hears whatever a worker may say, while a batch runs there. */

#include "fixture.h"
#include "fuzz.h"
#include "packets.h"

#include <unistd.h>

static gboolean
is_cancelled (gpointer data)
{
  return FALSE;
}

static gboolean
is_wanted (gpointer data, guint index)
{
  return TRUE;
}

static void
ignore_warning (gpointer data, guint index, const gchar * text)
{
}

static void
look_at_grains (gpointer data, GstOrchGrain ** grains, const guint * places,
    guint n)
{
  guint i, j;

  for (i = 0; i < n; i++) {
    GstOrchGrain *grain = grains[i];

    if (grain->staged_info)
      g_free (gst_structure_to_string (grain->staged_info));
    if (grain->output)
      fixture_look_at (grain->output, grain->output_caps);
    for (j = 0; j < grain->n_further; j++)
      if (grain->further[j].buffer)
        fixture_look_at (grain->further[j].buffer, grain->further[j].caps);
  }
}

/* As follow() in gstorchworker.c, which waits in between. */
static void
hear_all (FixtureCall * side)
{
  GstOrchWorkerState state = GST_ORCH_WORKER_RUNS;
  GstOrchMessage message;
  GError *error = NULL;

  while (state == GST_ORCH_WORKER_RUNS
      && gst_orch_link_receive (&side->worker.link, FALSE, &message, NULL)
      == GST_ORCH_LINK_MESSAGE) {
    state = gst_orch_worker_hear (&side->worker, side->sent, &message, &error);
    gst_orch_message_clear (&message);
  }
  g_clear_error (&error);
}

static void
fuzz (const guint8 * data, gsize size)
{
  static const GstOrchBatchHost callbacks = {
    is_cancelled, is_wanted, ignore_warning, look_at_grains
  };
  GstOrchBatch *batch = fixture_batch_new (&callbacks, NULL,
      FIXTURE_N_KINDS);
  FixtureCall side;
  gint next = fixture_get_next_descriptor ();
  gint sockets[2], inbox[2];

  fixture_socket_pair (sockets);
  fixture_socket_pair (inbox);
  fixture_call_open (&side, sockets[0], inbox[0]);
  /* So that it knows the sources of the batch. */
  g_assert_true (fixture_call_send (&side, batch));
  while (packets_send (sockets[1], &data, &size))
    hear_all (&side);
  hear_all (&side);
  fixture_call_close (&side);
  gst_orch_batch_free (batch);
  close (sockets[1]);
  close (inbox[1]);
  g_assert_cmpint (fixture_get_next_descriptor (), ==, next);
}

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  fixture_init ();
  return 0;
}

int
LLVMFuzzerTestOneInput (const guint8 * data, gsize size)
{
  fuzz (data, size);
  return 0;
}

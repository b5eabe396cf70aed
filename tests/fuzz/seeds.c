/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* seeds CALL WORKER: writes into two folders what a Call and a worker do say to each
 * other, for the fuzzers of either to start from. */

#include "fixture.h"
#include "packets.h"

#include <unistd.h>

static gboolean
is_never (gpointer data)
{
  return FALSE;
}

static gboolean
is_wanted (gpointer data, guint index)
{
  return TRUE;
}

static void
write_input (const gchar * folder, guint number, GByteArray * input)
{
  g_autofree gchar *name = g_strdup_printf ("batch-%u", number);
  g_autofree gchar *path = g_build_filename (folder, name, NULL);
  GError *error = NULL;

  if (!g_file_set_contents (path, (gchar *) input->data, input->len, &error))
    g_error ("%s", error->message);
}

/* What `host` hears next. */
static void
run_batch (GstOrchHost * host)
{
  GstOrchMessage message;

  g_assert_cmpint (gst_orch_link_receive (&host->inbox, FALSE, &message, NULL),
      ==, GST_ORCH_LINK_MESSAGE);
  g_assert_true (gst_orch_host_run (host, &message));
  gst_orch_message_clear (&message);
}

/* What is said of one batch, and what is answered. */
static void
converse (guint kind, GByteArray * said, GByteArray * answered)
{
  static const GstOrchBatchHost callbacks = { is_never, is_wanted, };
  GstOrchBatch *batch = fixture_batch_new (&callbacks, NULL, kind);
  FixtureCall call;
  GstOrchHost host;
  /* Recorded in between, so each side has a pair for each way. */
  gint ends[4][2];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ends); i++)
    fixture_socket_pair (ends[i]);
  fixture_call_open (&call, ends[0][0], ends[1][0]);
  fixture_host_open (&host, ends[2][0], ends[3][0]);
  g_assert_true (fixture_call_send (&call, batch));
  while (packets_record (ends[1][1], said, ends[3][1]));
  run_batch (&host);
  while (packets_record (ends[2][1], answered, -1));
  gst_orch_host_clear (&host);
  fixture_call_close (&call);
  gst_orch_batch_free (batch);
  for (i = 0; i < G_N_ELEMENTS (ends); i++)
    close (ends[i][1]);
}

int
main (int argc, char **argv)
{
  guint kind;

  g_assert_cmpint (argc, ==, 3);
  fixture_init ();
  for (kind = 0; kind <= FIXTURE_N_KINDS; kind++) {
    GByteArray *said = g_byte_array_new ();
    GByteArray *answered = g_byte_array_new ();

    converse (kind, said, answered);
    write_input (argv[1], kind, answered);
    write_input (argv[2], kind, said);
    g_byte_array_unref (said);
    g_byte_array_unref (answered);
  }
  return 0;
}

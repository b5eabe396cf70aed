/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* A worker hears whatever might come from its socket. */

#include "fixture.h"
#include "fuzz.h"
#include "packets.h"

#include <unistd.h>

static gboolean
hear (GstOrchHost * side)
{
  GstOrchMessage message;
  GstOrchReader reader;
  gboolean goes_on = TRUE;

  if (gst_orch_link_receive (&side->inbox, FALSE, &message, NULL)
      != GST_ORCH_LINK_MESSAGE)
    return FALSE;
  reader = (GstOrchReader) { message.data, message.size, };
  if (message.type == GST_ORCH_SAY_PROPERTIES)
    gst_orch_host_set_properties (side, &reader);
  else if (message.type == GST_ORCH_SAY_BATCH)
    goes_on = gst_orch_host_run (side, &message);
  gst_orch_message_clear (&message);
  return goes_on;
}

static void
fuzz (const guint8 * data, gsize size)
{
  GstOrchHost side;
  gint next = fixture_get_next_descriptor ();
  gint sockets[2], inbox[2];
  gboolean goes_on = TRUE;

  fixture_socket_pair (sockets);
  fixture_socket_pair (inbox);
  fixture_host_open (&side, sockets[0], inbox[0]);
  while (goes_on && packets_send (inbox[1], &data, &size)) {
    goes_on = hear (&side);
    packets_drain (sockets[1]);
  }
  gst_orch_host_clear (&side);
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

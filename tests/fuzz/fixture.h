/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchbatch-private.h"
#include "gstorchworker-private.h"
#include "gstorchworkerhost-private.h"

G_BEGIN_DECLS

/* What the two fuzzers and the program that writes their seeds have in common: a
 * Call and a worker without processes, a Function, and a batch. */

/* Once, before anything else. */
void fixture_init (void);
/* A Function that passes on, presents, drops, fails and warns, by the bytes of what it
 * gets. */
GstOrchFunction *fixture_get_function (void);
/* A batch of one kind of input, 0 .. FIXTURE_N_KINDS - 1, or of one of each.
 * `callbacks` with `data` is what stands behind it. */
#define FIXTURE_N_KINDS 6
GstOrchBatch *fixture_batch_new (const GstOrchBatchHost * callbacks,
    gpointer data, guint kind);

/* A Call's side of the socket. */
typedef struct
{
  GstOrchCall call;             /* nothing of it is looked at but `confine` */
  GstOrchReplica replica;
  GstOrchWorker worker;
  GstOrchSent *sent;            /* the batch that it has sent */
} FixtureCall;

/* `socket`: where it hears; `inbox`: where it speaks */
void fixture_call_open (FixtureCall * self, gint socket, gint inbox);
gboolean fixture_call_send (FixtureCall * self, GstOrchBatch * batch);
void fixture_call_close (FixtureCall * self);

/* A worker's side.  `socket`: where it speaks; `inbox`: where it hears */
void fixture_host_open (GstOrchHost * self, gint socket, gint inbox);

void fixture_socket_pair (gint * sockets);
/* Looks at everything that `buffer` carries, as those downstream would. */
void fixture_look_at (GstBuffer * buffer, GstCaps * caps);
/* The descriptor that is opened next: the same again, when none is left open. */
gint fixture_get_next_descriptor (void);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchlink-private.h>

G_BEGIN_DECLS

/* An input of a fuzzer is what one side of the socket between a Call and its worker
 * sends, packet by packet, descriptors and what they hold included:
 *
 *   type u32, in_file u32, tag u32, n u8 and n descriptors, size u32 and bytes
 *
 * and of a descriptor its kind u8, size u32 and, for files in memory, bytes.  What
 * does not fit is cut short: every input means something. */
typedef enum
{
  PACKETS_FD_SEALED,            /* in memory, as honest senders make it */
  PACKETS_FD_OPEN,              /* in memory, still to be changed */
  PACKETS_FD_HUGE,              /* in memory, sealed, `size` MB of nothing */
  PACKETS_FD_NULL,              /* no file in memory at all */
  PACKETS_N_KINDS,
} PacketsFdKind;

/* Sends the packet at the start of `data` (moved on) into `socket`.  FALSE: there was
 * none left, or nobody listens. */
gboolean packets_send (gint socket, const guint8 ** data, gsize * size);
/* The opposite: appends what waits in `socket` to `input`, and passes it on to
 * `forward` (-1: to nobody).  FALSE: there was nothing. */
gboolean packets_record (gint socket, GByteArray * input, gint forward);
/* Throws away what waits in `socket`. */
void packets_drain (gint socket);

G_END_DECLS

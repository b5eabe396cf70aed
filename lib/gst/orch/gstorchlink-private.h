/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchprelude.h>

G_BEGIN_DECLS

/* Raised with every change of what is sent. */
#define GST_ORCH_LINK_VERSION 3

/* What a Call and one of its workers say to each other: see
 * docs/worker-protocol.md. */
typedef enum
{
  GST_ORCH_SAY_FDS,             /* descriptors of the message behind it */
  /* To the worker. */
  GST_ORCH_SAY_SETUP,           /* what to be */
  GST_ORCH_SAY_PROPERTIES,      /* of the Function */
  GST_ORCH_SAY_BATCH,           /* to be run */
  GST_ORCH_SAY_QUIT,
  /* From the worker. */
  GST_ORCH_SAY_READY,           /* what could not be confined: string, or none */
  GST_ORCH_SAY_NOT_READY,       /* message of the error */
  GST_ORCH_SAY_OUTCOMES,        /* of some Grains */
  GST_ORCH_SAY_WARNING,         /* slot, text */
  GST_ORCH_SAY_DONE,            /* run() returned TRUE: outcomes refused */
  GST_ORCH_SAY_FAILED,          /* run() returned FALSE: outcomes refused, error */
} GstOrchSay;

/* A message: some bytes, and descriptors. */
typedef struct
{
  guint32 type;
  guint32 tag;                  /* of a batch: its area of the control */
  const guint8 *data;
  gsize size;
  GArray *fds;                  /* of gint; -1 once somebody has taken it */
  /*< private >*/
  gpointer memory;
  gboolean is_mapped;
} GstOrchMessage;

/* One end of a pair of sockets. */
typedef struct
{
  gint fd;
  guint8 *buffer;
  GArray *fds;                  /* that came ahead of their message */
} GstOrchLink;

GST_ORCH_API void gst_orch_link_init (GstOrchLink * link, gint fd);
/* Closes the socket. */
GST_ORCH_API void gst_orch_link_clear (GstOrchLink * link);
/* Blocks until there is room, but gives up when there is none for `patience`
 * milliseconds (-1: never).  `fds` (nullable): stay the caller's. */
GST_ORCH_API gboolean gst_orch_link_send (GstOrchLink * link,
    GstOrchSay type, guint32 tag, const GByteArray * body, const GArray * fds,
    gint patience, GError ** error);
/* Does a message with these descriptors go as one packet? */
GST_ORCH_API gboolean gst_orch_link_is_one_packet (const GArray * fds);
typedef enum
{
  GST_ORCH_LINK_MESSAGE,
  GST_ORCH_LINK_NOTHING,        /* now; only with `block` FALSE */
  GST_ORCH_LINK_CLOSED,         /* by the other side */
  GST_ORCH_LINK_BAD,            /* what came is no message, `error` is set */
} GstOrchLinkResult;
GST_ORCH_API GstOrchLinkResult gst_orch_link_receive (GstOrchLink * link,
    gboolean block, GstOrchMessage * message, GError ** error);
/* What the packet that comes next is, without taking it; FALSE: there is none now. */
GST_ORCH_API gboolean gst_orch_link_peek (GstOrchLink * link,
    GstOrchSay * type, guint32 * tag);
GST_ORCH_API void gst_orch_message_clear (GstOrchMessage * message);

/* A file in memory, which nobody can change once it is sealed. */
GST_ORCH_API gint gst_orch_memfd_new (GError ** error);
GST_ORCH_API gboolean gst_orch_memfd_write (gint fd, guint64 at,
    gconstpointer data, gsize size, GError ** error);
GST_ORCH_API gboolean gst_orch_memfd_seal (gint fd, GError ** error);
/* Is it one that neither shrinks nor changes any more?  Only those may be
 * mapped. */
GST_ORCH_API gboolean gst_orch_memfd_is_sealed (gint fd, gsize * size);

G_END_DECLS

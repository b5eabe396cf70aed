/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * VideoGate: which packets become frames that can be trusted.
 *
 * A decoder that begins in the middle, or that meets damage, goes on with what
 * it has: it paints over what is missing and says nothing.  A frame is right
 * only if everything it is predicted from is, so after a seek and after an error
 * no frame counts until the next key frame, and then none that is shown before
 * it.
 */
typedef enum
{
  VIDEO_VERDICT_GOOD,
  VIDEO_VERDICT_UNKNOWN,        /* it was begun behind what the frame needs */
  VIDEO_VERDICT_LOST,           /* damaged, or predicted from what is */
} VideoVerdict;

typedef struct
{
  gint64 time;
  gint64 duration;              /* 0: not known */
  gboolean is_key;
  gboolean is_hidden;           /* others need it, nobody is to see it */
  gboolean is_guess;            /* that there was a packet */
  guint64 number;               /* in the order of decoding */
  VideoVerdict verdict;
} VideoPacket;

typedef enum
{
  VIDEO_GATE_OPEN,
  VIDEO_GATE_CLOSED,            /* until a key frame */
  VIDEO_GATE_LEADING,           /* behind it come frames that are shown before */
} VideoGateState;

typedef struct
{
  VideoGateState state;
  VideoVerdict verdict;         /* of what does not pass */
  gint64 key_time;
  guint64 n_packets;
  guint64 damaged;              /* the last packet that is; 0: a key frame came since */
  GQueue packets;               /* of VideoPacket: what has not come out, by time */
} VideoGate;

void video_gate_init (VideoGate * gate);
void video_gate_clear (VideoGate * gate);

/* Forgets all packets.  @verdict: of those before the next key frame; GOOD
 * opens the gate. */
void video_gate_reset (VideoGate * gate, VideoVerdict verdict);
/* A packet is about to be decoded; its number and verdict are found here.
 * FALSE: it cannot be. */
gboolean video_gate_enter (VideoGate * gate, const VideoPacket * packet);
/* Whether it is closed because of damage. */
gboolean video_gate_is_broken (VideoGate * gate);
/* Packets are missing, and frames at @from, every @step after it, before @to. */
void video_gate_add_hole (VideoGate * gate, gint64 from, gint64 to,
    gint64 step);
/* The packet that entered last could not be decoded. */
void video_gate_fail_last (VideoGate * gate);
/* FALSE: nothing that counts is waiting for its frame.
 * @time: of the first packet that is */
gboolean video_gate_get_first (VideoGate * gate, gint64 * time);
/* A frame came out: takes the packet it is of, by its time.  @is_damaged: it is
 * lost, and so are those that may be predicted from it. */
VideoPacket video_gate_take (VideoGate * gate, gint64 time,
    gboolean is_damaged);
/* Takes the first lost packet, of a time before @before, and forgets those ahead
 * of it that never became frames: amid damage they are lost, too, otherwise they
 * were none.  FALSE: there is none. */
gboolean video_gate_take_lost (VideoGate * gate, gint64 before,
    VideoPacket * packet);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "videogate.h"

/* Frames that a hole is at most. */
#define MAX_HOLE 10000

void
video_gate_init (VideoGate * gate)
{
  g_queue_init (&gate->packets);
  gate->n_packets = 0;
  gate->damaged = 0;
  video_gate_reset (gate, VIDEO_VERDICT_GOOD);
}

void
video_gate_clear (VideoGate * gate)
{
  g_queue_clear_full (&gate->packets, g_free);
}

static void
close_gate (VideoGate * gate, VideoVerdict verdict)
{
  gate->state = VIDEO_GATE_CLOSED;
  gate->verdict = verdict;
  if (verdict == VIDEO_VERDICT_LOST)
    gate->damaged = gate->n_packets;
}

void
video_gate_reset (VideoGate * gate, VideoVerdict verdict)
{
  g_queue_clear_full (&gate->packets, g_free);
  gate->damaged = 0;
  if (verdict == VIDEO_VERDICT_GOOD)
    gate->state = VIDEO_GATE_OPEN;
  else
    close_gate (gate, verdict);
}

static VideoVerdict
judge (VideoGate * gate, gint64 time, gboolean is_key)
{
  if (gate->state == VIDEO_GATE_CLOSED && is_key) {
    gate->state = VIDEO_GATE_LEADING;
    gate->key_time = time;
    return VIDEO_VERDICT_GOOD;
  }
  if (gate->state == VIDEO_GATE_LEADING && time > gate->key_time)
    gate->state = VIDEO_GATE_OPEN;
  return gate->state == VIDEO_GATE_OPEN ? VIDEO_VERDICT_GOOD : gate->verdict;
}

/* (nullable): the first packet that is not before @time by more than
 * @distance, if it is not after it by more */
static GList *
find_near (VideoGate * gate, gint64 time, gint64 distance)
{
  GList *link = gate->packets.head;

  while (link && ((VideoPacket *) link->data)->time < time - distance)
    link = link->next;
  return link && ((VideoPacket *) link->data)->time <= time + distance ? link
      : NULL;
}

/* What was thought to be missing was only late. */
static void
drop_guess (VideoGate * gate, const VideoPacket * packet)
{
  GList *link = find_near (gate, packet->time, packet->duration / 2);

  if (link && ((VideoPacket *) link->data)->is_guess) {
    g_free (link->data);
    g_queue_delete_link (&gate->packets, link);
  }
}

gboolean
video_gate_enter (VideoGate * gate, const VideoPacket * packet)
{
  VideoVerdict verdict = judge (gate, packet->time, packet->is_key);
  VideoPacket *kept;
  GList *before;

  if (gate->state == VIDEO_GATE_CLOSED && verdict == VIDEO_VERDICT_UNKNOWN)
    return FALSE;
  if (!packet->is_guess)
    drop_guess (gate, packet);
  before = gate->packets.tail;
  while (before && ((VideoPacket *) before->data)->time > packet->time)
    before = before->prev;
  kept = g_memdup2 (packet, sizeof (VideoPacket));
  kept->verdict = verdict;
  kept->number = ++gate->n_packets;
  g_queue_insert_after (&gate->packets, before, kept);
  return gate->state != VIDEO_GATE_CLOSED;
}

gboolean
video_gate_is_broken (VideoGate * gate)
{
  return gate->state == VIDEO_GATE_CLOSED
      && gate->verdict == VIDEO_VERDICT_LOST;
}

void
video_gate_add_hole (VideoGate * gate, gint64 from, gint64 to, gint64 step)
{
  VideoPacket packet = { from, step, .is_guess = TRUE };

  /* A file may lie about times; its holes are not to fill the memory. */
  step = MAX (step, (to - from) / MAX_HOLE);
  close_gate (gate, VIDEO_VERDICT_LOST);
  for (; packet.time < to - step / 2; packet.time += step) {
    if (!find_near (gate, packet.time, step / 2))
      video_gate_enter (gate, &packet);
  }
}

/* What does not count anyway need not be whole, either. */
void
video_gate_fail_last (VideoGate * gate)
{
  GList *link;

  for (link = gate->packets.tail; link; link = link->prev) {
    VideoPacket *packet = link->data;

    if (packet->number != gate->n_packets)
      continue;
    if (packet->verdict == VIDEO_VERDICT_GOOD) {
      packet->verdict = VIDEO_VERDICT_LOST;
      close_gate (gate, VIDEO_VERDICT_LOST);
    }
    return;
  }
}

/* The first key frame that was decoded after @number: (nullable). */
static const VideoPacket *
find_key_after (VideoGate * gate, guint64 number)
{
  const VideoPacket *key = NULL;
  GList *link;

  for (link = gate->packets.head; link; link = link->next) {
    const VideoPacket *packet = link->data;

    if (packet->is_key && packet->number > number
        && (!key || packet->number < key->number))
      key = packet;
  }
  return key;
}

static void
spread_damage (VideoGate * gate, guint64 number)
{
  const VideoPacket *key = find_key_after (gate, number);
  GList *link;

  gate->damaged = number;
  for (link = gate->packets.head; link; link = link->next) {
    VideoPacket *packet = link->data;

    if (packet->number > number && packet->verdict == VIDEO_VERDICT_GOOD
        && (!key || packet->number < key->number || packet->time < key->time))
      packet->verdict = VIDEO_VERDICT_LOST;
  }
  if (!key) {
    close_gate (gate, VIDEO_VERDICT_LOST);
  } else if (gate->state == VIDEO_GATE_OPEN) {
    gate->state = VIDEO_GATE_LEADING;
    gate->verdict = VIDEO_VERDICT_LOST;
    gate->key_time = key->time;
  }
}

gboolean
video_gate_get_first (VideoGate * gate, gint64 * time)
{
  GList *link;

  for (link = gate->packets.head; link; link = link->next) {
    const VideoPacket *packet = link->data;

    if (packet->verdict == VIDEO_VERDICT_GOOD && !packet->is_hidden) {
      *time = packet->time;
      return TRUE;
    }
  }
  return FALSE;
}

/* Where packets have no times, frames may come at others. */
VideoPacket
video_gate_take (VideoGate * gate, gint64 time, gboolean is_damaged)
{
  VideoPacket taken = { .time = time, .number = gate->n_packets };
  GList *link = find_near (gate, time, 0);

  taken.verdict = gate->state == VIDEO_GATE_OPEN ? VIDEO_VERDICT_GOOD
      : gate->verdict;
  if (link) {
    taken = *(VideoPacket *) link->data;
    g_free (link->data);
    g_queue_delete_link (&gate->packets, link);
  }
  if (taken.is_key && taken.number > gate->damaged)
    gate->damaged = 0;
  if (is_damaged && taken.verdict == VIDEO_VERDICT_GOOD) {
    taken.verdict = VIDEO_VERDICT_LOST;
    spread_damage (gate, taken.number);
  }
  return taken;
}

gboolean
video_gate_take_lost (VideoGate * gate, gint64 before, VideoPacket * packet)
{
  VideoPacket *first;

  while ((first = g_queue_peek_head (&gate->packets)) && first->time < before) {
    *packet = *first;
    g_free (g_queue_pop_head (&gate->packets));
    if (!packet->is_hidden && (packet->verdict == VIDEO_VERDICT_LOST
            || (packet->verdict == VIDEO_VERDICT_GOOD && gate->damaged)))
      return TRUE;
  }
  return FALSE;
}

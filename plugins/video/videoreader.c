/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "videoreader-private.h"

/* A bit of the first byte of a frame. */
#define VP8_SHOW_FRAME 0x10

/* ---- pictures ---- */

static void
picture_free (VideoPicture * picture)
{
  av_frame_free (&picture->frame);
  g_free (picture);
}

/* @frame: (nullable): moved from */
static void
add_picture (VideoReader * reader, const VideoPacket * packet, AVFrame * frame)
{
  VideoPicture *picture;

  /* What comes again, or late, is a sign of damage. */
  if (packet->time <= reader->placed) {
    if (frame)
      av_frame_unref (frame);
    return;
  }
  reader->placed = packet->time;
  picture = g_new0 (VideoPicture, 1);
  picture->time = packet->time;
  picture->duration = packet->duration;
  picture->is_key = packet->is_key;
  if (frame) {
    picture->frame = av_frame_alloc ();
    av_frame_move_ref (picture->frame, frame);
  }
  reader->reached = MAX (reader->reached, picture->time + picture->duration);
  g_queue_push_tail (&reader->pictures, picture);
}

static void
add_lost (VideoReader * reader, gint64 before)
{
  VideoPacket packet;

  while (video_gate_take_lost (&reader->gate, before, &packet))
    add_picture (reader, &packet, NULL);
}

static gboolean
is_damaged (const AVFrame * frame)
{
  return frame->decode_error_flags != 0
      || (frame->flags & AV_FRAME_FLAG_CORRUPT);
}

static gint64
get_frame_time (VideoReader * reader, const AVFrame * frame)
{
  gint64 time = MAX (reader->reached, 0);

  if (video_file_is_by_order (reader->file))
    video_gate_get_first (&reader->gate, &time);
  else if (frame->best_effort_timestamp != AV_NOPTS_VALUE)
    time = video_file_get_time (reader->file,
        video_file_get_stream (reader->file), frame->best_effort_timestamp);
  return time;
}

static void
handle_frame (VideoReader * reader)
{
  AVFrame *frame = reader->frame;
  gint64 time = get_frame_time (reader, frame);
  VideoPacket packet;

  add_lost (reader, time);
  packet = video_gate_take (&reader->gate, time, is_damaged (frame));
  packet.time = time;
  if (packet.verdict == VIDEO_VERDICT_GOOD && video_decoder_fetch (frame) < 0)
    packet.verdict = VIDEO_VERDICT_LOST;
  if (packet.verdict == VIDEO_VERDICT_GOOD)
    add_picture (reader, &packet, frame);
  else if (packet.verdict == VIDEO_VERDICT_LOST)
    add_picture (reader, &packet, NULL);
  av_frame_unref (frame);
}

/* ---- decoding ---- */

static void
receive_frames (VideoReader * reader)
{
  gint result;

  while ((result = avcodec_receive_frame (reader->decoder,
              reader->frame)) >= 0)
    handle_frame (reader);
  if (result != AVERROR (EAGAIN) && result != AVERROR_EOF)
    video_gate_fail_last (&reader->gate);
}

/* After damage the decoder knows of frames that the next key frame is not to be
 * mixed with. */
static void
restart_decoder (VideoReader * reader)
{
  avcodec_send_packet (reader->decoder, NULL);
  while (avcodec_receive_frame (reader->decoder, reader->frame) >= 0)
    handle_frame (reader);
  avcodec_flush_buffers (reader->decoder);
}

static void
drain (VideoReader * reader)
{
  avcodec_send_packet (reader->decoder, NULL);
  receive_frames (reader);
  add_lost (reader, G_MAXINT64);
}

/* A key frame needs nothing else, and the decoder need not wait for more. */
static void
decode_alone (VideoReader * reader)
{
  drain (reader);
  avcodec_flush_buffers (reader->decoder);
  video_gate_reset (&reader->gate, VIDEO_VERDICT_GOOD);
}

/* Frames are missing where the file has bytes that are no packet, or where time
 * passes amid damage. */
static void
note_hole (VideoReader * reader, const VideoPacket * next)
{
  gint64 frame = video_file_get_frame_duration (reader->file);
  gint64 from = reader->placed == G_MININT64 ? reader->read_until
      : reader->placed + frame;

  if (reader->read_until != G_MININT64 && frame > 0
      && next->time - reader->read_until > frame / 2)
    video_gate_add_hole (&reader->gate, from, next->time, frame);
}

/* Frames that others need and nobody is to see. */
static gboolean
is_hidden (VideoReader * reader, const AVPacket * packet)
{
  if (packet->flags & AV_PKT_FLAG_DISCARD)
    return TRUE;
  return reader->decoder->codec_id == AV_CODEC_ID_VP8 && packet->size > 0
      && !(packet->data[0] & VP8_SHOW_FRAME);
}

/* Frames that are passed over, if no other needs them. */
static gboolean
can_be_skipped (VideoReader * reader, const AVPacket * packet,
    const VideoPacket * entry)
{
  return packet->pts != AV_NOPTS_VALUE && entry->time < reader->wanted_from
      && !video_file_is_by_order (reader->file);
}

static gint
send_packet (VideoReader * reader, const VideoPacket * entry)
{
  gboolean skips = can_be_skipped (reader, reader->packet, entry);
  gint result;

  reader->decoder->skip_frame = skips ? AVDISCARD_NONREF : AVDISCARD_DEFAULT;
  result = avcodec_send_packet (reader->decoder, reader->packet);
  if (skips && result >= 0)
    reader->reached = MAX (reader->reached, entry->time + entry->duration);
  return result;
}

static void
decode_packet (VideoReader * reader)
{
  AVPacket *packet = reader->packet;
  VideoPacket entry = {
    .time = video_file_get_packet_time (reader->file, packet,
        MAX (reader->read_until, 0)),
    .duration = video_file_get_packet_duration (reader->file, packet),
    .is_key = (packet->flags & AV_PKT_FLAG_KEY) != 0,
    .is_hidden = is_hidden (reader, packet),
  };
  gint result;

  if (packet->dts != AV_NOPTS_VALUE)
    reader->read_timestamp = packet->dts;
  if (reader->keys_only && !entry.is_key)
    return;
  if (video_file_has_skipped (reader->file)
      || video_gate_is_broken (&reader->gate))
    note_hole (reader, &entry);
  if (entry.is_key && reader->gate.state == VIDEO_GATE_CLOSED)
    restart_decoder (reader);
  if (!video_gate_enter (&reader->gate, &entry))
    return;
  reader->read_until = MAX (reader->read_until, entry.time + entry.duration);
  result = send_packet (reader, &entry);
  if (result < 0 || (packet->flags & AV_PKT_FLAG_CORRUPT))
    video_gate_fail_last (&reader->gate);
  if (reader->keys_only)
    decode_alone (reader);
  else
    receive_frames (reader);
}

static gboolean
prepare (VideoReader * reader, GError ** error)
{
  if (!reader->decoder)
    reader->decoder = video_decoder_new (reader->file, &reader->settings,
        error);
  return reader->decoder != NULL;
}

/* Some videos have no key frame at all; then anything is better than nothing. */
static gboolean
try_without_key (VideoReader * reader, GError ** error)
{
  if (!reader->is_begun || reader->takes_any || reader->keys_only
      || reader->gate.state != VIDEO_GATE_CLOSED
      || reader->gate.verdict != VIDEO_VERDICT_UNKNOWN)
    return FALSE;
  reader->takes_any = TRUE;
  return video_reader_rewind (reader, error);
}

/* FALSE at the end, and with @error set. */
static gboolean
read_more (VideoReader * reader, GError ** error)
{
  g_autoptr (GError) reason = NULL;

  if (reader->is_drained || !prepare (reader, error))
    return FALSE;
  reader->is_fresh = FALSE;
  if (video_file_read (reader->file, reader->packet, &reason)) {
    decode_packet (reader);
    av_packet_unref (reader->packet);
    return TRUE;
  }
  if (!reason && try_without_key (reader, &reason))
    return TRUE;
  if (reason) {
    g_propagate_error (error, g_steal_pointer (&reason));
    return FALSE;
  }
  reader->is_drained = TRUE;
  drain (reader);
  return TRUE;
}

const VideoPicture *
video_reader_peek (VideoReader * reader, GError ** error)
{
  while (g_queue_is_empty (&reader->pictures) && read_more (reader, error));
  return g_queue_peek_head (&reader->pictures);
}

void
video_reader_skip (VideoReader * reader)
{
  VideoPicture *picture = g_queue_pop_head (&reader->pictures);

  if (!picture)
    return;
  reader->passed = picture->time;
  picture_free (picture);
}

gint64
video_reader_get_reached (VideoReader * reader)
{
  return reader->reached;
}

/* ---- state ---- */

void
video_reader_reset (VideoReader * reader)
{
  g_queue_clear_full (&reader->pictures, (GDestroyNotify) picture_free);
  if (reader->decoder)
    avcodec_flush_buffers (reader->decoder);
  video_gate_reset (&reader->gate, reader->takes_any || reader->keys_only
      ? VIDEO_VERDICT_GOOD : VIDEO_VERDICT_UNKNOWN);
  reader->is_fresh = FALSE;
  reader->is_begun = FALSE;
  reader->is_drained = FALSE;
  reader->read_timestamp = G_MININT64;
  reader->read_until = G_MININT64;
  reader->passed = G_MININT64;
  reader->reached = G_MININT64;
  reader->placed = G_MININT64;
}

gboolean
video_reader_rewind (VideoReader * reader, GError ** error)
{
  video_reader_close_decoder (reader);
  if (!video_file_rewind (reader->file, error))
    return FALSE;
  reader->is_fresh = TRUE;
  reader->is_begun = TRUE;
  return TRUE;
}

void
video_reader_close_decoder (VideoReader * reader)
{
  gboolean was_fresh = reader->is_fresh;

  avcodec_free_context (&reader->decoder);
  video_reader_reset (reader);
  reader->is_fresh = reader->is_begun = was_fresh;
}

void
video_reader_set_keys_only (VideoReader * reader, gboolean keys_only)
{
  if (reader->keys_only == keys_only)
    return;
  reader->keys_only = keys_only;
  video_reader_close_decoder (reader);
}

VideoFile *
video_reader_get_file (VideoReader * reader)
{
  return reader->file;
}

VideoReader *
video_reader_new (VideoFile * file, const VideoDecoderSettings * settings)
{
  VideoReader *reader = g_new0 (VideoReader, 1);

  reader->file = file;
  reader->settings = *settings;
  reader->packet = av_packet_alloc ();
  reader->frame = av_frame_alloc ();
  g_queue_init (&reader->pictures);
  reader->wanted_from = G_MININT64;
  video_gate_init (&reader->gate);
  video_reader_reset (reader);
  reader->is_fresh = TRUE;
  reader->is_begun = TRUE;
  return reader;
}

void
video_reader_free (VideoReader * reader)
{
  video_reader_reset (reader);
  video_gate_clear (&reader->gate);
  avcodec_free_context (&reader->decoder);
  av_frame_free (&reader->frame);
  av_packet_free (&reader->packet);
  video_file_free (reader->file);
  g_free (reader);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* What a reader decodes to find a frame, and that what it leaves out is found
 * when it is wanted after all. */

#include "fixture.h"
#include "videoreader-private.h"

#define FRAME (GST_SECOND / 30)

static VideoReader *
open_reader (const gchar * name)
{
  VideoDecoderSettings settings = { NULL, 0 };
  g_autoptr (GstBuffer) buffer = video_test_open (name);
  g_autoptr (GError) error = NULL;
  VideoFile *file = video_file_open (buffer, &error);

  g_assert_no_error (error);
  return video_reader_new (file, &settings);
}

static void
seek (VideoReader * reader, gint64 time)
{
  GError *error = NULL;

  g_assert_true (video_reader_seek (reader, time, &error));
  g_assert_no_error (error);
}

static gint
read_number (VideoReader * reader)
{
  const VideoPicture *picture = video_reader_peek (reader, NULL);

  g_assert_nonnull (picture);
  g_assert_nonnull (picture->frame);
  return video_test_read_number (picture->frame->data[0],
      picture->frame->linesize[0], 1, picture->frame->width,
      picture->frame->height);
}

static void
assert_found (VideoReader * reader, guint number)
{
  seek (reader, number * GST_SECOND / 30 - FRAME / 4);
  g_assert_cmpint (read_number (reader), ==, number);
}

/* A key frame at a time that no clock of the file can tell from the one that was
 * asked for: nothing before it is decoded. */
static void
test_key_between_ticks (void)
{
  VideoReader *reader = open_reader ("closed.mp4");
  gint64 tick = video_file_get_tick (reader->file);

  seek (reader, 2 * GST_SECOND - tick / 2);
  g_assert_cmpint (read_number (reader), ==, 60);
  g_assert_cmpint (reader->decoder->frame_number, ==, 1);
  video_reader_free (reader);
}

/* Between a key frame and the frame that is wanted are frames that no other
 * needs. */
static void
test_frames_that_none_needs (void)
{
  static const gchar *names[] = { "closed.mp4", "open.mkv", "hevc.mp4" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++) {
    VideoReader *reader = open_reader (names[i]);

    assert_found (reader, 28);
    g_assert_cmpint (reader->decoder->frame_number, <, 24);
    video_reader_free (reader);
  }
}

/* Those are there for who wants them later, one by one, forwards and
 * backwards. */
static void
test_wanted_after_all (void)
{
  VideoReader *reader = open_reader ("open.mkv");
  guint i, k;

  for (i = 60; i > 0; i -= 7) {
    assert_found (reader, i);
    for (k = i - 4; k < i + 4; k++)
      assert_found (reader, k);
    for (k = i; k > i - 4; k--)
      assert_found (reader, k);
    if (i < 11)
      break;
  }
  video_reader_free (reader);
}

/* What is skipped at the end of a file is there all the same. */
static void
test_end (void)
{
  VideoReader *reader = open_reader ("closed.mp4");

  seek (reader, 4 * GST_SECOND);
  g_assert_null (video_reader_peek (reader, NULL));
  g_assert_cmpint (ABS (video_reader_get_reached (reader)
          - (gint64) (3 * GST_SECOND)), <=, 1);
  video_reader_free (reader);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/video/seek/key-between-ticks", test_key_between_ticks);
  g_test_add_func ("/video/seek/frames-that-none-needs",
      test_frames_that_none_needs);
  g_test_add_func ("/video/seek/wanted-after-all", test_wanted_after_all);
  g_test_add_func ("/video/seek/end", test_end);
  return g_test_run ();
}

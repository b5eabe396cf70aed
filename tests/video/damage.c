/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Files that are overwritten at random.  Where an index says where frames are and
 * when they are shown, none comes in place of another, and those that are lost have
 * their places.  Other containers lose more: damage may hide a frame, or say a wrong
 * time. */

#include "fixture.h"
#include "videoframes.h"
#include "videoimage.h"

#include <string.h>

#define ROUNDS 8

typedef struct
{
  const gchar *name;
  gdouble from;                 /* what is before, a share, is left as it is: it says
                                 * where everything else is */
  gboolean has_index;
} Video;

static const Video videos[] = {
  {"closed.mp4", 0.15, TRUE},
  {"open.mp4", 0.15, TRUE},
  {"open.mkv", 0.05},
  {"open.ts", 0.05},
  {"hevc.mp4", 0.15, TRUE},
  {"hevc.mkv", 0.05},
  {"hevc.ts", 0.05},
  {"mpeg2.ts", 0.05},
  {"vp9.webm", 0.1},
  {"av1.mkv", 0.1},
  {"mjpeg.avi", 0.02},
};

typedef struct
{
  gint64 time;
  gchar *digest;                /* (nullable): of the picture, NULL: lost */
  gint number;                  /* that it shows; -1: it cannot be told */
} Seen;

static void
seen_clear (gpointer data)
{
  g_free (((Seen *) data)->digest);
}

/* ---- reading ---- */

static void
look_at (Seen * seen, VideoImager * imager, AVFrame * frame)
{
  VideoImageSettings settings = { GST_VIDEO_FORMAT_GRAY8, };
  g_autofree guint8 *data = NULL;
  GstVideoInfo info;
  AVFrame *image = video_imager_convert (imager, frame, NULL, &settings, &info,
      NULL);
  gsize size = video_image_get_packed_size (&info);

  g_assert_nonnull (image);
  data = g_malloc (size);
  video_image_copy (image, &info, TRUE, data);
  av_frame_free (&image);
  seen->digest = g_compute_checksum_for_data (G_CHECKSUM_MD5, data, size);
  seen->number = video_test_read_number (data, info.width, 1, info.width,
      info.height);
}

/* All pictures; an error is an end. */
static GArray *
read_pictures (GstBuffer * buffer)
{
  VideoDecoderSettings settings = { NULL, 0 };
  VideoFile *file = video_file_open (buffer, NULL);
  GArray *pictures = g_array_new (FALSE, FALSE, sizeof (Seen));
  g_autoptr (VideoImager) imager = video_imager_new ();
  g_autoptr (VideoReader) reader = NULL;
  const VideoPicture *picture;

  g_array_set_clear_func (pictures, seen_clear);
  if (!file)
    return pictures;
  reader = video_reader_new (file, &settings);
  while ((picture = video_reader_peek (reader, NULL))) {
    Seen seen = { picture->time, NULL, -1 };

    if (picture->frame)
      look_at (&seen, imager, picture->frame);
    g_array_append_val (pictures, seen);
    video_reader_skip (reader);
  }
  return pictures;
}

/* ---- damage ---- */

/* The same damage in each run: no codec finds all of it, and a test of the suite must
 * not fail by chance.  ORCH_TEST_SEED tries another. */
static GRand *
get_rand (void)
{
  static GRand *chance = NULL;
  const gchar *seed = g_getenv ("ORCH_TEST_SEED");

  if (!chance) {
    chance = g_rand_new_with_seed (seed ? g_ascii_strtoull (seed, NULL, 10) : 1);
    g_test_message ("seed %s", seed ? seed : "1");
  }
  return chance;
}

static GstBuffer *
damage (const gchar * name, gdouble from, gint max_length)
{
  GstBuffer *buffer = video_test_load (name);
  gint i, first, length;
  GstMapInfo map;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  if (max_length == 0)
    max_length = map.size / 20;
  length = g_rand_int_range (get_rand (), 1, max_length);
  first = g_rand_int_range (get_rand (), map.size * from, map.size - length);
  for (i = 0; i < length; i++)
    map.data[first + i] = g_rand_int_range (get_rand (), 0, 256);
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

static const Seen *
find (GArray * pictures, gint64 time, gint64 tolerance)
{
  guint i;

  for (i = 0; i < pictures->len; i++) {
    const Seen *seen = &g_array_index (pictures, Seen, i);

    if (ABS (seen->time - time) <= tolerance)
      return seen;
  }
  return NULL;
}

static void
check_order (GArray * pictures)
{
  guint i;

  for (i = 1; i < pictures->len; i++)
    g_assert_cmpint (g_array_index (pictures, Seen, i - 1).time, <,
        g_array_index (pictures, Seen, i).time);
}

typedef struct
{
  guint n_right;
  guint n_damaged;              /* pixels are wrong: no codec finds all damage */
  guint n_wrong;                /* another frame */
  guint n_placeless;            /* missing without a word */
} Counts;

static void
count_pictures (GArray * pictures, GArray * expected, Counts * counts)
{
  guint i;

  for (i = 0; i < pictures->len; i++) {
    const Seen *seen = &g_array_index (pictures, Seen, i);
    const Seen *right = find (expected, seen->time, 0);

    if (!seen->digest)
      continue;
    if (right && g_str_equal (seen->digest, right->digest))
      counts->n_right++;
    else if (!right || (seen->number >= 0 && seen->number != right->number))
      counts->n_wrong++;
    else
      counts->n_damaged++;
  }
}

static void
count_placeless (GArray * pictures, GArray * expected, Counts * counts)
{
  guint i;

  for (i = 0; i < expected->len; i++) {
    if (!find (pictures, g_array_index (expected, Seen, i).time, 0))
      counts->n_placeless++;
  }
}

static void
test_damage (gconstpointer data)
{
  const Video *video = data;
  g_autoptr (GstBuffer) whole = video_test_load (video->name);
  g_autoptr (GArray) expected = read_pictures (whole);
  Counts counts = { 0, };
  guint i;

  for (i = 0; i < ROUNDS; i++) {
    g_autoptr (GstBuffer) buffer = damage (video->name, video->from, 0);
    g_autoptr (GArray) pictures = read_pictures (buffer);

    check_order (pictures);
    count_pictures (pictures, expected, &counts);
    count_placeless (pictures, expected, &counts);
  }
  g_test_message ("of %u: right %u, damaged %u, wrong %u, without place %u",
      ROUNDS * expected->len, counts.n_right, counts.n_damaged, counts.n_wrong,
      counts.n_placeless);
  /* Most frames are not concerned. */
  g_assert_cmpuint (counts.n_right, >, ROUNDS * expected->len / 4);
  if (video->has_index) {
    /* Garbage may say that nothing has changed, once in a while. */
    g_assert_cmpuint (counts.n_wrong, <=, ROUNDS);
    g_assert_cmpuint (counts.n_placeless, ==, 0);
  }
}

/* ---- damage anywhere ---- */

static void
cut_up (VideoFile * file, GError ** error)
{
  VideoCutSettings settings = { 0, 0, 1000 };
  g_autoptr (GArray) boundaries = NULL;
  g_autoptr (GArray) clips = NULL;
  VideoExtent extent;

  if (!video_extent_find (file, &extent, error))
    return;
  g_assert_cmpint (extent.start, <, extent.end);
  boundaries = video_clips_divide (&extent, GST_SECOND, settings.max_clips);
  clips = video_clips_cut (&extent, boundaries, &settings, error);
}

/* In headers and tables, too: there is an end, and a reason. */
static void
test_anywhere (gconstpointer data)
{
  const Video *video = data;
  guint i;

  for (i = 0; i < 4 * ROUNDS; i++) {
    g_autoptr (GstBuffer) buffer = damage (video->name, 0, 16);
    g_autoptr (GError) error = NULL;
    g_autoptr (VideoFile) file = video_file_open (buffer, &error);
    g_autoptr (GArray) pictures = NULL;

    g_assert_true (file != NULL || error != NULL);
    if (file)
      cut_up (file, &error);
    if (i % 4 == 0)
      pictures = read_pictures (buffer);
    if (pictures)
      check_order (pictures);
  }
}

int
main (int argc, char **argv)
{
  guint i;

  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  for (i = 0; i < G_N_ELEMENTS (videos); i++) {
    g_autofree gchar *path = g_strconcat ("/video/damage/", videos[i].name,
        NULL);
    g_autofree gchar *anywhere = g_strconcat ("/video/anywhere/",
        videos[i].name, NULL);

    g_test_add_data_func (path, &videos[i], test_damage);
    g_test_add_data_func (anywhere, &videos[i], test_anywhere);
  }
  return g_test_run ();
}

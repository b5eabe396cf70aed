/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Frames of 1920x1080 into a tensor of 3 x 640 x 640 floats, against what one would do
 * without: GStreamer's converter, bilinear, to RGB of that size, and a loop that makes
 * floats of it; it rounds to bytes between its steps.  One thread in both, in processor
 * time.  Rounds alternate, since the machine's speed drifts; the ratio is that of the
 * medians.
 * Usage: bench-tensor [ROUNDS] */

#include "tensorfill.h"

#include <stdlib.h>
#include <time.h>

#define SIDE 640
#define N_FRAMES 10
#define TARGET 3.0

static const gchar *const formats[] = { "GRAY8", "RGB", "BGRx", "I420", "NV12" };

typedef struct
{
  GstVideoInfo info, rgb_info;
  GstBuffer *buffer;
  GstCaps *caps;
  TensorFiller *filler;
  GstVideoConverter *converter;
  GstBuffer *rgb;
  gfloat *tensor;
} Bench;

/* ---- ours ---- */

static void
fill (Bench * bench)
{
  FrameImage image;

  if (!frame_image_map (&image, bench->buffer, bench->caps))
    abort ();
  tensor_filler_fill (bench->filler, &image, bench->tensor);
  frame_image_unmap (&image);
}

/* ---- theirs ---- */

static void
make_floats (const GstVideoFrame * frame, gfloat * tensor)
{
  guint c;
  gint x, y;

  for (c = 0; c < 3; c++)
    for (y = 0; y < SIDE; y++) {
      const guint8 *row = (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, 0)
          + y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0) + c;

      for (x = 0; x < SIDE; x++)
        *tensor++ = row[3 * x] * (1 / 255.0f);
    }
}

static void
convert (Bench * bench)
{
  GstVideoFrame in, out;

  gst_video_frame_map (&in, &bench->info, bench->buffer, GST_MAP_READ);
  gst_video_frame_map (&out, &bench->rgb_info, bench->rgb, GST_MAP_READWRITE);
  gst_video_converter_frame (bench->converter, &in, &out);
  make_floats (&out, bench->tensor);
  gst_video_frame_unmap (&out);
  gst_video_frame_unmap (&in);
}

/* ---- measuring ---- */

/* Of the processor, so that other work is not counted. */
static gdouble
thread_milliseconds (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static gdouble
measure (void (*work) (Bench *), Bench * bench)
{
  gdouble begin = thread_milliseconds ();
  guint i;

  for (i = 0; i < N_FRAMES; i++)
    work (bench);
  return (thread_milliseconds () - begin) / N_FRAMES;
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  gdouble first = *(const gdouble *) a, second = *(const gdouble *) b;

  return (first > second) - (first < second);
}

static gdouble
median (gdouble * values, guint n)
{
  qsort (values, n, sizeof *values, compare);
  return values[n / 2];
}

static void
bench_init (Bench * bench, const gchar * format)
{
  TensorFormat target = { SIDE, SIDE, TENSOR_RESIZE_STRETCH,
    TENSOR_CHANNELS_RGB, FALSE, TENSOR_TYPE_FLOAT32, 1 / 255.0, {0,}, {1, 1, 1},
  };

  gst_video_info_set_format (&bench->info,
      gst_video_format_from_string (format), 1920, 1080);
  gst_video_info_set_format (&bench->rgb_info, GST_VIDEO_FORMAT_RGB, SIDE,
      SIDE);
  bench->caps = gst_video_info_to_caps (&bench->info);
  bench->buffer = gst_buffer_new_allocate (NULL, bench->info.size, NULL);
  gst_buffer_memset (bench->buffer, 0, 90, -1);
  bench->rgb = gst_buffer_new_allocate (NULL, bench->rgb_info.size, NULL);
  bench->converter = gst_video_converter_new (&bench->info, &bench->rgb_info,
      gst_structure_new ("config", GST_VIDEO_CONVERTER_OPT_RESAMPLER_METHOD,
          GST_TYPE_VIDEO_RESAMPLER_METHOD, GST_VIDEO_RESAMPLER_METHOD_LINEAR,
          GST_VIDEO_RESAMPLER_OPT_MAX_TAPS, G_TYPE_INT, 2, NULL));
  bench->filler = tensor_filler_new (&target);
  bench->tensor = g_malloc0 (tensor_format_get_size (&target));
}

static void
bench_clear (Bench * bench)
{
  g_free (bench->tensor);
  tensor_filler_free (bench->filler);
  gst_video_converter_free (bench->converter);
  gst_buffer_unref (bench->rgb);
  gst_buffer_unref (bench->buffer);
  gst_caps_unref (bench->caps);
}

static gdouble
run_format (const gchar * format, guint rounds)
{
  g_autofree gdouble *ours = g_new (gdouble, rounds);
  g_autofree gdouble *theirs = g_new (gdouble, rounds);
  Bench bench;
  gdouble ratio;
  guint i;

  bench_init (&bench, format);
  for (i = 0; i < rounds; i++) {
    ours[i] = measure (fill, &bench);
    theirs[i] = measure (convert, &bench);
  }
  bench_clear (&bench);
  ratio = median (ours, rounds) / median (theirs, rounds);
  g_print ("%s: %.2f ms a frame, converter %.2f ms, ratio %.2f\n", format,
      median (ours, rounds), median (theirs, rounds), ratio);
  return ratio;
}

int
main (int argc, char **argv)
{
  guint rounds = argc > 1 ? MAX (1, atoi (argv[1])) : 15, i;
  gdouble worst = 0;

  gst_init (&argc, &argv);
  for (i = 0; i < G_N_ELEMENTS (formats); i++) {
    gdouble ratio = run_format (formats[i], rounds);

    worst = MAX (worst, ratio);
  }
  g_print ("bench-tensor: worst ratio %.2f, at most %.2f: %s\n", worst, TARGET,
      worst <= TARGET ? "reached" : "missed");
  return worst <= TARGET ? 0 : 1;
}

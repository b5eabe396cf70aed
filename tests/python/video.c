/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Raw video as arrays: every format, width and layout of rows. */

#include "run.h"
#include "complaints.h"
#include "python.h"

#include <gst/check/gstcheck.h>
#include <gst/video/video.h>
#include <string.h>

static const gchar *formats[] = {
  "RGB", "BGR", "RGBA", "BGRx", "ARGB", "GRAY8", "GRAY16_LE", "GRAY16_BE"
};

/* Small ones go within the message, large ones as files in memory. */
static const guint sizes[][2] = { {1, 1}, {2, 3}, {5, 4}, {7, 7}, {131, 77},
{133, 65}, {320, 240}
};

/* A frame whose bytes all differ from their neighbours. */
static GstBuffer *
make_frame (GstVideoInfo * info, guint padding)
{
  gint stride[GST_VIDEO_MAX_PLANES] =
      { GST_VIDEO_INFO_PLANE_STRIDE (info, 0) + padding, };
  gsize offset[GST_VIDEO_MAX_PLANES] = { padding, };
  gsize i, size = padding + (gsize) stride[0] * GST_VIDEO_INFO_HEIGHT (info);
  guint8 *data = g_malloc (size);
  GstBuffer *buffer;

  for (i = 0; i < size; i++)
    data[i] = i * 7 + i / 251;
  buffer = gst_buffer_new_wrapped (data, size);
  if (padding)
    gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
        GST_VIDEO_INFO_FORMAT (info), GST_VIDEO_INFO_WIDTH (info),
        GST_VIDEO_INFO_HEIGHT (info), 1, offset, stride);
  return buffer;
}

static void
push_frame (Run * self, GstVideoInfo * info, GstBuffer * buffer)
{
  GstCaps *caps = gst_video_info_to_caps (info);
  GstSample *sample = gst_sample_new (buffer, caps, NULL, NULL);
  GstFlowReturn ret;

  g_signal_emit_by_name (self->in, "push-sample", sample, &ret);
  gst_sample_unref (sample);
  gst_caps_unref (caps);
}

static void
assert_mirrored (GstVideoInfo * info, GstBuffer * in, GstBuffer * out)
{
  gint pixel = GST_VIDEO_INFO_COMP_PSTRIDE (info, 0);
  gint width = GST_VIDEO_INFO_WIDTH (info);
  GstVideoFrame frames[2];
  gint x, y;

  fail_unless (gst_video_frame_map (&frames[0], info, in, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&frames[1], info, out, GST_MAP_READ));
  for (y = 0; y < GST_VIDEO_INFO_HEIGHT (info); y++) {
    guint8 *from = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frames[0], 0)
        + y * GST_VIDEO_FRAME_PLANE_STRIDE (&frames[0], 0);
    guint8 *to = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frames[1], 0)
        + y * GST_VIDEO_FRAME_PLANE_STRIDE (&frames[1], 0);

    for (x = 0; x < width; x++)
      fail_unless (memcmp (from + x * pixel, to + (width - 1 - x) * pixel,
              pixel) == 0, "%s of %dx%d differs at %d, %d",
          GST_VIDEO_INFO_NAME (info), width, GST_VIDEO_INFO_HEIGHT (info), x,
          y);
  }
  gst_video_frame_unmap (&frames[0]);
  gst_video_frame_unmap (&frames[1]);
}

/* Formats, sizes, rows as their caps say and rows that are longer and begin
 * elsewhere: all in one process, which meets new caps with each unit. */
GST_START_TEST (test_mirror)
{
  Run *self = run_new (RUN_IN "! " PYTHON ("Mirror") " batch-size=16 ! " RUN_OUT);
  GPtrArray *frames = g_ptr_array_new ();
  const guint n = G_N_ELEMENTS (formats) * G_N_ELEMENTS (sizes) * 2;
  GstVideoInfo infos[G_N_ELEMENTS (formats) * G_N_ELEMENTS (sizes) * 2];
  guint i;

  run_start (self);
  for (i = 0; i < n; i++) {
    const guint *size = sizes[i / 2 % G_N_ELEMENTS (sizes)];
    const gchar *format = formats[i / 2 / G_N_ELEMENTS (sizes)];

    gst_video_info_set_format (&infos[i],
        gst_video_format_from_string (format), size[0], size[1]);
    g_ptr_array_add (frames, make_frame (&infos[i], i % 2 ? 12 : 0));
    push_frame (self, &infos[i], g_ptr_array_index (frames, i));
  }
  run_end (self);
  run_finish (self);
  for (i = 0; i < n; i++) {
    g_autofree gchar *path = g_strdup_printf ("%u", i);
    GstBuffer *out = collector_get_buffer (self->out, path);

    fail_unless (out != NULL, "nothing came of frame %u", i);
    assert_mirrored (&infos[i], g_ptr_array_index (frames, i), out);
    gst_buffer_unref (out);
    gst_buffer_unref (g_ptr_array_index (frames, i));
  }
  g_ptr_array_unref (frames);
  run_free (self);
}

GST_END_TEST;

/* What a Function keeps stays as it is, though memory is filled again. */
GST_START_TEST (test_kept)
{
  Run *self = run_new (RUN_IN "! " PYTHON ("Keep") " ! " RUN_OUT);
  GstVideoInfo info;
  guint i;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, 200, 200);
  run_start (self);
  for (i = 1; i <= 5; i++) {
    GstBuffer *buffer = gst_buffer_new_allocate (NULL, 40000, NULL);

    gst_buffer_memset (buffer, 0, i, 40000);
    push_frame (self, &info, buffer);
    gst_buffer_unref (buffer);
    collector_wait (self->out, i);
  }
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 40000; 1 40000 80000; 2 40000 80000 120000; "
      "3 40000 80000 120000 160000; 4 40000 80000 120000 160000 200000");
  run_free (self);
}

GST_END_TEST;

/* The same memory, batch after batch, with two batches under way. */
GST_START_TEST (test_filled_again)
{
  Run *self = run_new (RUN_IN "! " PYTHON ("Sum") " batch-size=3 ! " RUN_OUT);
  GString *expected = g_string_new (NULL);
  GstVideoInfo info;
  guint i;

  run_start (self);
  for (i = 0; i < 100; i++) {
    guint width = 4 * (32 + i % 7 * 16);
    GstBuffer *buffer = gst_buffer_new_allocate (NULL, width * 200, NULL);

    gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, width, 200);
    gst_buffer_memset (buffer, 0, i, width * 200);
    push_frame (self, &info, buffer);
    gst_buffer_unref (buffer);
    g_string_append_printf (expected, "%s%u %u", i ? "; " : "", i,
        i * width * 200);
  }
  run_end (self);
  run_finish (self);
  {
    g_autofree gchar *results = collector_get_results (self->out);
    guint n = 0;
    g_auto (GStrv) parts = g_strsplit (results, "; ", -1);
    g_auto (GStrv) wanted = g_strsplit (expected->str, "; ", -1);

    for (i = 0; parts[i]; i++)
      n += g_strv_contains ((const gchar * const *) wanted, parts[i]);
    fail_unless_equals_int (n, 100);
  }
  g_string_free (expected, TRUE);
  run_free (self);
}

GST_END_TEST;

/* A frame that is shorter than its caps say fails alone. */
GST_START_TEST (test_short_frame)
{
  Run *self = run_new (RUN_IN "! " PYTHON ("Shape") " batch-size=4 ! " RUN_OUT);
  GstVideoInfo info;
  guint i;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGB, 8, 4);
  run_start (self);
  for (i = 0; i < 3; i++) {
    GstBuffer *buffer = make_frame (&info, 0);

    if (i == 1)
      gst_buffer_set_size (buffer, 95);
    push_frame (self, &info, buffer);
    gst_buffer_unref (buffer);
  }
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 |u1 4x8x3 fixed; 1 F python:misfit@1; "
      "2 |u1 4x8x3 fixed");
  run_free (self);
}

GST_END_TEST;

static void
assert_text (const gchar * chain, const gchar * expected)
{
  Run *self = run_new ("%s ! " RUN_OUT, chain);

  run_start (self);
  run_finish (self);
  run_assert_results (self, expected);
  run_free (self);
}

/* Widths at which videotestsrc leaves no byte of a row unwritten. */
GST_START_TEST (test_shapes)
{
  assert_text ("videotestsrc num-buffers=1 ! video/x-raw,format=RGB,width=8,height=3 ! "
      PYTHON ("Shape"), "0 |u1 3x8x3 fixed");
  assert_text ("videotestsrc num-buffers=1 ! video/x-raw,format=GRAY8,width=8,height=3 ! "
      PYTHON ("Shape"), "0 |u1 3x8 fixed");
  assert_text ("videotestsrc num-buffers=1 ! video/x-raw,format=GRAY16_LE,width=200,"
      "height=300 ! " PYTHON ("Shape"), "0 <u2 300x200 fixed");
  assert_text ("audiotestsrc num-buffers=1 samplesperbuffer=10 ! audio/x-raw,"
      "format=F32LE,channels=2 ! " PYTHON ("Shape"), "0 <f4 10x2 fixed");
}

GST_END_TEST;

/* What has the form of the frame that came in is a frame again. */
GST_START_TEST (test_crop)
{
  assert_text ("videotestsrc num-buffers=1 ! video/x-raw,format=RGB,width=8,height=4 ! "
      PYTHON ("Crop") " ! video/x-raw,format=RGB,width=7,height=3 ! "
      PYTHON ("Where"), "0 0 video/x-raw, format=(string)RGB, width=(int)7, "
      "height=(int)3, framerate=(fraction)30/1, multiview-mode=(string)mono, "
      "pixel-aspect-ratio=(fraction)1/1, interlace-mode=(string)progressive ");
}

GST_END_TEST;

/* Arrays that no frame came in for are tensors, which come back as arrays and can
 * be stacked. */
GST_START_TEST (test_tensors)
{
  static const gchar *names = "matrix; big; transposed; swapped; empty; bool";

  assert_results (PYTHON ("Arrays") " ! " PYTHON ("Shape"), names,
      "0 <f4 8x3 fixed; 1 <i4 100x300 fixed; 2 <i4 100x300 fixed; "
      "3 <u2 100x300 fixed; 4 <f8 0x3 fixed; 5 |u1 3 fixed");
  assert_results (PYTHON ("Arrays") " ! " PYTHON ("Sum"), names, "0 276.0; "
      "1 449985000; 2 449985000; 3 449985000; 4 0.0; 5 2");
  assert_results ("orchexpand ! " PYTHON ("Arrays") " ! orchreduce output=stack ! "
      PYTHON ("Shape"), "[matrix,matrix]", "0 <f4 2x8x3 fixed");
}

GST_END_TEST;

GST_START_TEST (test_others)
{
  assert_results (PYTHON ("Arrays") " ! " PYTHON ("Describe"),
      "scalar; float; none; json; jpeg; bytes", "0 int 5; 1 float 0.5; "
      "2 NoneType None; 3 dict {'a': [1, 2.5, None, True, 'ü'], "
      "'b': [0, 1, 2], 'c': -1}; 4 memoryview b'\\xff\\xd8'; "
      "5 memoryview b'bytes'");
  assert_results (PYTHON ("Arrays") " ! video/x-raw,format=RGB,width=5,height=3,"
      "framerate=0/1 ! " PYTHON ("Sum"), "frame", "0 990");
}

GST_END_TEST;

static Suite *
python_video_suite (void)
{
  Suite *suite = suite_create ("python-video");
  TCase *tc = tcase_create ("python-video");

  complaints_init ();
  suite_add_tcase (suite, tc);
  tcase_add_test (tc, test_mirror);
  tcase_add_test (tc, test_kept);
  tcase_add_test (tc, test_filled_again);
  tcase_add_test (tc, test_short_frame);
  tcase_add_test (tc, test_shapes);
  tcase_add_test (tc, test_crop);
  tcase_add_test (tc, test_tensors);
  tcase_add_test (tc, test_others);
  return suite;
}

GST_CHECK_MAIN (python_video);

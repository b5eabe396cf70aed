/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "numbers.h"
#include "fixture.h"

#include <gst/check/gstcheck.h>
#include <gst/video/video.h>

void
video_test_push (Run * run, const gchar * name)
{
  GstBuffer *buffer = video_test_open (name);
  GstCaps *caps = gst_caps_new_empty_simple ("application/octet-stream");
  GstSample *sample = gst_sample_new (buffer, caps, NULL, NULL);
  GstFlowReturn ret;

  g_signal_emit_by_name (run->in, "push-sample", sample, &ret);
  g_assert_cmpint (ret, ==, GST_FLOW_OK);
  gst_sample_unref (sample);
  gst_caps_unref (caps);
  gst_buffer_unref (buffer);
}

Run *
video_test_run (const gchar * name, const gchar * chain)
{
  Run *run = run_new (RUN_IN "! %s ! " RUN_OUT, chain);

  run_start (run);
  video_test_push (run, name);
  run_end (run);
  run_finish (run);
  return run;
}

gint
video_test_read_frame (GstBuffer * buffer, GstCaps * caps)
{
  GstVideoFrame frame;
  GstVideoInfo info;
  gint number;

  fail_unless (gst_video_info_from_caps (&info, caps));
  fail_unless (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  number = video_test_read_number (GST_VIDEO_FRAME_PLANE_DATA (&frame, 0),
      GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0),
      GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, 0), info.width, info.height);
  gst_video_frame_unmap (&frame);
  return number;
}

static void
append_list (GString * text, GstOrchList * list)
{
  guint i;

  g_string_append_c (text, '[');
  for (i = 0; i < gst_orch_list_get_size (list); i++) {
    const GstOrchListElement *element = gst_orch_list_get (list, i);

    if (i > 0)
      g_string_append_c (text, ',');
    if (!element->buffer)
      g_string_append_c (text, '-');
    else if (gst_orch_buffer_get_list (element->buffer))
      append_list (text, gst_orch_buffer_get_list (element->buffer));
    else
      g_string_append_printf (text, "%d", video_test_read_frame
          (element->buffer, element->caps));
  }
  g_string_append_c (text, ']');
}

/* The numbers of a video's frames, clip by clip: "[[0,1],[2,-]]". */
static gchar *
get_numbers (Run * run)
{
  GstBuffer *buffer = collector_get_buffer (run->out, "0");
  GString *text = g_string_new (NULL);

  fail_unless (buffer != NULL);
  append_list (text, gst_orch_buffer_get_list (buffer));
  gst_buffer_unref (buffer);
  return g_string_free (text, FALSE);
}

void
video_test_assert_numbers (Run * run, const gchar * expected)
{
  g_autofree gchar *numbers = get_numbers (run);

  fail_unless_equals_string (numbers, expected);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "videooutput.h"

#include "gstorchvideofunction.h"
#include "videoclip.h"

#include <string.h>

struct _VideoOutput
{
  VideoOutputKind kind;
  VideoImager *imager;
  VideoFile *file;
  VideoImageSettings settings;
  guint64 max_bytes;

  guint64 n_bytes;
  guint n_frames;
  guint n_lost;
  GstOrchList *list;            /* (nullable) */
  GstVideoInfo info;            /* of the first frame */
  guint8 *stack;                /* (nullable) */
  gsize allocated;              /* bytes of it */
  GArray *times;                /* of gint64 */
};

gboolean
video_output_can_stack (GstVideoFormat format)
{
  return format == GST_VIDEO_FORMAT_RGB || format == GST_VIDEO_FORMAT_BGRx
      || format == GST_VIDEO_FORMAT_GRAY8;
}

VideoOutput *
video_output_new (VideoOutputKind kind, VideoImager * imager, VideoFile * file,
    const VideoImageSettings * settings, guint64 max_bytes)
{
  VideoOutput *output = g_new0 (VideoOutput, 1);

  output->kind = kind;
  output->imager = imager;
  output->file = file;
  output->settings = *settings;
  output->max_bytes = max_bytes;
  output->times = g_array_new (FALSE, FALSE, sizeof (gint64));
  if (kind == VIDEO_OUTPUT_LIST)
    output->list = gst_orch_list_new ();
  return output;
}

void
video_output_free (VideoOutput * output)
{
  g_clear_pointer (&output->list, gst_orch_list_unref);
  g_free (output->stack);
  g_array_unref (output->times);
  g_free (output);
}

/* ---- frames ---- */

static gboolean
count_bytes (VideoOutput * output, gsize size, GError ** error)
{
  output->n_bytes += size;
  if (output->max_bytes == 0 || output->n_bytes <= output->max_bytes)
    return TRUE;
  g_set_error (error, VIDEO_ERROR, VIDEO_ERROR_TOO_MANY_BYTES,
      "The frames of the clip take more than %" G_GUINT64_FORMAT " bytes: take "
      "fewer or smaller ones, or shorter clips, or set max-clip-bytes.",
      output->max_bytes);
  return FALSE;
}

static gboolean
has_padding (const GstVideoInfo * info)
{
  guint i;

  for (i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    if (GST_VIDEO_INFO_PLANE_STRIDE (info, i) !=
        GST_VIDEO_INFO_COMP_PSTRIDE (info, i) * GST_VIDEO_INFO_COMP_WIDTH (info,
            i))
      return TRUE;
  }
  return GST_VIDEO_INFO_HEIGHT (info) % 2;
}

static GstBuffer *
make_buffer (const AVFrame * image, const GstVideoInfo * info)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (info),
      NULL);
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  if (has_padding (info))
    memset (map.data, 0, map.size);
  video_image_copy (image, info, FALSE, map.data);
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

static GstStructure *
describe_picture (const VideoPicture * picture)
{
  g_autofree gchar *fragment = video_clip_make_fragment (picture->time,
      G_MAXINT64);

  return gst_structure_new ("info", "fragment", G_TYPE_STRING, fragment,
      "time", G_TYPE_INT64, picture->time,
      "keyframe", G_TYPE_BOOLEAN, picture->is_key, NULL);
}

static gboolean
append_to_list (VideoOutput * output, const VideoPicture * picture,
    const AVFrame * image, const GstVideoInfo * info, GError ** error)
{
  GstBuffer *buffer;
  GstCaps *caps;

  if (!count_bytes (output, GST_VIDEO_INFO_SIZE (info), error))
    return FALSE;
  buffer = make_buffer (image, info);
  caps = gst_video_info_to_caps (info);

  if (picture->time >= 0)
    GST_BUFFER_PTS (buffer) = picture->time;
  if (picture->duration > 0)
    GST_BUFFER_DURATION (buffer) = picture->duration;
  gst_orch_list_append (output->list, buffer, caps,
      describe_picture (picture));
  gst_caps_unref (caps);
  return TRUE;
}

static gboolean
check_shape (VideoOutput * output, const VideoPicture * picture,
    const GstVideoInfo * info, GError ** error)
{
  if (output->n_frames == 0)
    output->info = *info;
  if (GST_VIDEO_INFO_WIDTH (info) == GST_VIDEO_INFO_WIDTH (&output->info)
      && GST_VIDEO_INFO_HEIGHT (info) == GST_VIDEO_INFO_HEIGHT (&output->info))
    return TRUE;
  g_set_error (error, VIDEO_ERROR, VIDEO_ERROR_DAMAGED_FRAME,
      "The frame at %.3f s has %d x %d pixels, those before it have %d x %d: "
      "set width and height to stack them.", picture->time / 1e9,
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info),
      GST_VIDEO_INFO_WIDTH (&output->info),
      GST_VIDEO_INFO_HEIGHT (&output->info));
  return FALSE;
}

static gboolean
make_room (VideoOutput * output, gsize size, GError ** error)
{
  gsize wanted = MAX (size, output->allocated + output->allocated / 2);
  guint8 *stack;

  if (size <= output->allocated)
    return TRUE;
  stack = g_try_realloc (output->stack, wanted);
  if (!stack) {
    g_set_error (error, VIDEO_ERROR, VIDEO_ERROR_NO_MEMORY,
        "There is no memory for %" G_GSIZE_FORMAT " bytes of frames.", wanted);
    return FALSE;
  }
  output->stack = stack;
  output->allocated = wanted;
  return TRUE;
}

static gboolean
append_to_stack (VideoOutput * output, const VideoPicture * picture,
    const AVFrame * image, const GstVideoInfo * info, GError ** error)
{
  gsize size = video_image_get_packed_size (info);
  gsize offset = size * output->n_frames;

  if (!check_shape (output, picture, info, error)
      || !count_bytes (output, size, error)
      || !make_room (output, offset + size, error))
    return FALSE;
  video_image_copy (image, info, TRUE, output->stack + offset);
  g_array_append_val (output->times, picture->time);
  return TRUE;
}

static gboolean
add_lost (VideoOutput * output, const VideoPicture * picture, GError ** error)
{
  g_autoptr (GError) reason = g_error_new (VIDEO_ERROR,
      VIDEO_ERROR_DAMAGED_FRAME, "The frame at %.3f s is damaged, or one that "
      "it is predicted from.", picture->time / 1e9);

  output->n_lost++;
  if (output->kind == VIDEO_OUTPUT_STACK) {
    g_propagate_error (error, g_steal_pointer (&reason));
    return FALSE;
  }
  gst_orch_list_append_failed (output->list, gst_orch_video_cause_new (reason),
      describe_picture (picture));
  return TRUE;
}

gboolean
video_output_add (VideoOutput * output, const VideoPicture * picture,
    GError ** error)
{
  GstVideoInfo info;
  AVFrame *image;
  gboolean ok;

  if (!picture->frame)
    return add_lost (output, picture, error);
  image = video_imager_convert (output->imager, picture->frame,
      video_file_get_matrix (output->file), &output->settings, &info, error);
  if (!image)
    return FALSE;
  if (output->kind == VIDEO_OUTPUT_STACK)
    ok = append_to_stack (output, picture, image, &info, error);
  else
    ok = append_to_list (output, picture, image, &info, error);
  output->n_frames += ok;
  av_frame_free (&image);
  return ok;
}

gboolean
video_output_check (VideoOutput * output, GError ** error)
{
  if (output->n_frames > 0 || output->n_lost == 0)
    return TRUE;
  g_set_error (error, VIDEO_ERROR, VIDEO_ERROR_DAMAGED_FRAME,
      "All frames of the clip are damaged, or predicted from damaged ones.");
  return FALSE;
}

/* ---- results ---- */

GstOrchList *
video_output_take_list (VideoOutput * output)
{
  return g_steal_pointer (&output->list);
}

static GstStructure *
describe_times (VideoOutput * output)
{
  GstStructure *info = gst_structure_new_empty ("info");
  GValue times = G_VALUE_INIT, time = G_VALUE_INIT;
  guint i;

  g_value_init (&times, GST_TYPE_ARRAY);
  g_value_init (&time, G_TYPE_INT64);
  for (i = 0; i < output->times->len; i++) {
    g_value_set_int64 (&time, g_array_index (output->times, gint64, i));
    gst_value_array_append_value (&times, &time);
  }
  gst_structure_take_value (info, "times", &times);
  g_value_unset (&time);
  return info;
}

static GstCaps *
make_stack_caps (VideoOutput * output)
{
  g_autofree gchar *dimensions = NULL;

  if (output->n_frames == 0)
    return gst_caps_new_simple (VIDEO_OUTPUT_TENSORS,
        "format", G_TYPE_STRING, "static",
        "num_tensors", G_TYPE_INT, 0, NULL);
  dimensions = g_strdup_printf ("%d:%d:%d:%u",
      GST_VIDEO_INFO_COMP_PSTRIDE (&output->info, 0),
      GST_VIDEO_INFO_WIDTH (&output->info),
      GST_VIDEO_INFO_HEIGHT (&output->info), output->n_frames);
  return gst_caps_new_simple (VIDEO_OUTPUT_TENSORS,
      "format", G_TYPE_STRING, "static", "num_tensors", G_TYPE_INT, 1,
      "dimensions", G_TYPE_STRING, dimensions,
      "types", G_TYPE_STRING, "uint8",
      "framerate", GST_TYPE_FRACTION, 0, 1, NULL);
}

GstBuffer *
video_output_take_stack (VideoOutput * output, GstCaps ** caps,
    GstStructure ** info)
{
  gsize size = output->n_bytes;

  *caps = make_stack_caps (output);
  *info = describe_times (output);
  if (size == 0)
    return gst_buffer_new ();
  return gst_buffer_new_wrapped (g_realloc (g_steal_pointer (&output->stack),
          size), size);
}

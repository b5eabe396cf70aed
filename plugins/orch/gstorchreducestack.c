/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchreduce-private.h"

#include <gst/video/video.h>
#include <string.h>

/* output=stack: raw frames, or tensors, of one kind become one tensor with one
 * dimension more, in the caps that NNStreamer's elements take: dimensions from the
 * innermost outwards, so that 7 RGB frames of 640x480 are "3:640:480:7" of uint8. */

#define TENSORS "other/tensors"

#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define NATIVE_GRAY16 GST_VIDEO_FORMAT_GRAY16_LE
#else
#define NATIVE_GRAY16 GST_VIDEO_FORMAT_GRAY16_BE
#endif

/* What one child must be for others to be stacked on it. */
typedef struct
{
  gboolean is_video;
  GstVideoInfo video;
  const gchar *type;            /* of an element: "uint8" */
  gchar *dimensions;
  gsize size;                   /* in bytes, without padding; 0: any, but equal */
} Shape;

static void
shape_clear (Shape * shape)
{
  g_clear_pointer (&shape->dimensions, g_free);
}

static gboolean
read_video (Shape * shape, GstCaps * caps)
{
  const GstVideoFormatInfo *format;
  guint n_components, depth;

  if (!gst_structure_has_name (gst_caps_get_structure (caps, 0),
          "video/x-raw") || !gst_video_info_from_caps (&shape->video, caps))
    return FALSE;
  format = shape->video.finfo;
  depth = GST_VIDEO_FORMAT_INFO_DEPTH (format, 0);
  if (GST_VIDEO_FORMAT_INFO_N_PLANES (format) != 1
      || GST_VIDEO_FORMAT_INFO_IS_YUV (format)
      || GST_VIDEO_FORMAT_INFO_HAS_PALETTE (format)
      || (depth != 8 && GST_VIDEO_FORMAT_INFO_FORMAT (format) != NATIVE_GRAY16))
    return FALSE;
  n_components = GST_VIDEO_FORMAT_INFO_PSTRIDE (format, 0) / (depth / 8);
  shape->is_video = TRUE;
  shape->type = depth == 8 ? "uint8" : "uint16";
  shape->dimensions = g_strdup_printf ("%u:%d:%d", n_components,
      GST_VIDEO_INFO_WIDTH (&shape->video),
      GST_VIDEO_INFO_HEIGHT (&shape->video));
  shape->size = (gsize) GST_VIDEO_FORMAT_INFO_PSTRIDE (format, 0)
      * GST_VIDEO_INFO_WIDTH (&shape->video)
      * GST_VIDEO_INFO_HEIGHT (&shape->video);
  return TRUE;
}

static gboolean
read_tensor (Shape * shape, GstCaps * caps)
{
  GstStructure *structure = gst_caps_get_structure (caps, 0);
  const gchar *dimensions = gst_structure_get_string (structure, "dimensions");
  gint n;

  shape->type = gst_structure_get_string (structure, "types");
  if (!gst_structure_has_name (structure, TENSORS)
      || !gst_structure_get_int (structure, "num_tensors", &n) || n != 1
      || !dimensions || !shape->type)
    return FALSE;
  /* An outermost dimension of 1 is there to be stacked along. */
  shape->dimensions = g_str_has_suffix (dimensions, ":1")
      ? g_strndup (dimensions, strlen (dimensions) - 2)
      : g_strdup (dimensions);
  return TRUE;
}

static gboolean
read_shape (Shape * shape, GstCaps * caps)
{
  memset (shape, 0, sizeof (Shape));
  return caps && (read_video (shape, caps) || read_tensor (shape, caps));
}

static gboolean
is_equal (const Shape * a, const Shape * b)
{
  return a->is_video == b->is_video && g_str_equal (a->type, b->type)
      && g_str_equal (a->dimensions, b->dimensions)
      && (!a->is_video || GST_VIDEO_INFO_FORMAT (&a->video) ==
      GST_VIDEO_INFO_FORMAT (&b->video));
}

static OrchCause *
new_cause (const gchar * format, ...)
{
  g_autofree gchar *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  return orch_cause_new (ORCH_CAUSE_DOMAIN, ORCH_CODE_UNEQUAL, message, NULL,
      NULL);
}

/* (transfer full) (nullable): why a child cannot be stacked on the first */
static OrchCause *
compare (Shape * first, const GstOrchListElement * element)
{
  g_autofree gchar *caps = element->caps ? gst_caps_to_string (element->caps)
      : g_strdup ("nothing known");
  OrchCause *cause = NULL;
  Shape shape;

  if (!read_shape (&shape, element->caps))
    cause = new_cause ("child %" G_GUINT64_FORMAT " cannot be stacked: raw "
        "video in one plane (RGB, GRAY8, ...) and single tensors can, this is %s",
        element->ordinal, caps);
  else if (first->dimensions && !is_equal (first, &shape))
    cause = new_cause ("child %" G_GUINT64_FORMAT " is %s of %s, those before "
        "it are %s of %s: only equal ones are stacked", element->ordinal,
        shape.dimensions, shape.type, first->dimensions, first->type);
  if (!cause && !first->dimensions) {
    *first = shape;
    return NULL;
  }
  shape_clear (&shape);
  return cause;
}

/* Rows without their padding. */
static gboolean
copy_frame (guint8 * to, const Shape * shape, GstBuffer * buffer)
{
  gsize row = shape->size / GST_VIDEO_INFO_HEIGHT (&shape->video);
  GstVideoInfo info = shape->video;
  GstVideoFrame frame;
  gint y;

  if (!gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ))
    return FALSE;
  for (y = 0; y < GST_VIDEO_INFO_HEIGHT (&info); y++)
    memcpy (to + y * row, (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0) +
        (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0), row);
  gst_video_frame_unmap (&frame);
  return TRUE;
}

/* Frames that have no padding between rows can stay where they are. */
static gboolean
is_packed (const Shape * shape, GstBuffer * buffer)
{
  return !shape->is_video || (gst_buffer_get_size (buffer) == shape->size
      && !gst_buffer_get_video_meta (buffer));
}

static GstCaps *
make_caps (const Shape * shape, guint n)
{
  g_autofree gchar *dimensions = NULL;

  if (n == 0)
    return gst_caps_new_simple (TENSORS, "format", G_TYPE_STRING, "static",
        "num_tensors", G_TYPE_INT, 0, NULL);
  dimensions = g_strdup_printf ("%s:%u", shape->dimensions, n);
  return gst_caps_new_simple (TENSORS, "format", G_TYPE_STRING, "static",
      "num_tensors", G_TYPE_INT, 1,
      "dimensions", G_TYPE_STRING, dimensions,
      "types", G_TYPE_STRING, shape->type,
      "framerate", GST_TYPE_FRACTION, 0, 1, NULL);
}

/* Those that have a value: (transfer container), and whether they are all packed
 * and of one size. */
static GPtrArray *
collect (GstOrchList * list, Shape * first, gboolean * packed,
    OrchCause ** cause)
{
  GPtrArray *frames = g_ptr_array_new ();
  guint i, n = gst_orch_list_get_size (list);

  *packed = TRUE;
  for (i = 0; i < n && !*cause; i++) {
    const GstOrchListElement *element = gst_orch_list_get (list, i);

    if (!element->buffer)
      continue;
    *cause = compare (first, element);
    if (*cause)
      break;
    if (!first->size)
      first->size = gst_buffer_get_size (element->buffer);
    if (!first->is_video
        && gst_buffer_get_size (element->buffer) != first->size)
      *cause = new_cause ("child %" G_GUINT64_FORMAT " has %" G_GSIZE_FORMAT
          " bytes, those before it have %" G_GSIZE_FORMAT, element->ordinal,
          gst_buffer_get_size (element->buffer), first->size);
    *packed &= is_packed (first, element->buffer);
    g_ptr_array_add (frames, element->buffer);
  }
  return frames;
}

static GstBuffer *
copy_frames (GPtrArray * frames, const Shape * shape, OrchCause ** cause)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, shape->size * frames->len,
      NULL);
  GstMapInfo map;
  guint i;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  for (i = 0; i < frames->len && !*cause; i++)
    if (!copy_frame (map.data + i * shape->size, shape,
            g_ptr_array_index (frames, i)))
      *cause = new_cause ("value %u is smaller than its caps say", i);
  gst_buffer_unmap (buffer, &map);
  if (*cause)
    gst_clear_buffer (&buffer);
  return buffer;
}

GstBuffer *
gst_orch_reduce_stack (GstOrchList * list, GstCaps ** caps, OrchCause ** cause)
{
  Shape shape = { FALSE, };
  GstBuffer *buffer = NULL;
  GPtrArray *frames;
  gboolean packed;

  frames = collect (list, &shape, &packed, cause);
  if (!*cause && packed)
    buffer = gst_orch_reduce_join (frames);
  else if (!*cause)
    buffer = copy_frames (frames, &shape, cause);
  if (buffer)
    *caps = make_caps (&shape, frames->len);
  shape_clear (&shape);
  g_ptr_array_unref (frames);
  return buffer;
}

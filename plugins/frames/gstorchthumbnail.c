/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/**
 * SECTION:element-orchthumbnail
 * @title: orchthumbnail
 *
 * Function `thumbnail`: a frame, or a page, as a small JPEG picture.
 *
 * The picture keeps the frame's shape and has square pixels; it is never larger than
 * the frame.
 *
 * |[
 * gst-launch-1.0 orchsrc location=docs ! orchpdfpages ! orchexpand ! orchpdfrender dpi=50 ! orchthumbnail width=160 height=160 ! multifilesink location=page-%05d.jpg
 * ]|
 */

#include "gstorchthumbnail.h"

#include "framejpeg.h"

#define CAUSE_DOMAIN "frames"

#define DEFAULT_SIZE 256
#define MAX_SIZE 8192
#define DEFAULT_QUALITY 80

enum
{
  PROP_0,
  PROP_WIDTH,
  PROP_HEIGHT,
  PROP_QUALITY,
};

struct _GstOrchThumbnailFunction
{
  GstOrchFunction parent;

  FrameJpegSettings settings;   /* protected by the object lock */
};

G_DEFINE_FINAL_TYPE (GstOrchThumbnailFunction, gst_orch_thumbnail_function,
    GST_TYPE_ORCH_FUNCTION);

/* ---- replicas ---- */

static gboolean
gst_orch_thumbnail_function_setup (GstOrchFunction * function,
    gpointer * replica_data, GError ** error)
{
  *replica_data = frame_jpeg_new (error);
  return *replica_data != NULL;
}

static void
gst_orch_thumbnail_function_teardown (GstOrchFunction * function,
    gpointer replica_data)
{
  frame_jpeg_free (replica_data);
}

/* ---- frames ---- */

static GstCaps *
make_caps (gint width, gint height)
{
  return gst_caps_new_simple ("image/jpeg", "width", G_TYPE_INT, width,
      "height", G_TYPE_INT, height, "framerate", GST_TYPE_FRACTION, 0, 1, NULL);
}

static void
run_grain (FrameJpeg * jpeg, const FrameJpegSettings * settings,
    GstOrchBatch * batch, guint index)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstCaps) caps = NULL;
  GstBuffer *picture;
  FrameImage image;
  gint width, height;

  if (!frame_image_map (&image, gst_orch_batch_get_buffer (batch, index),
          gst_orch_batch_get_caps (batch, index))) {
    gst_orch_batch_fail_record (batch, index,
        gst_orch_cause_new_literal (CAUSE_DOMAIN, "bad-frame",
            "The buffer does not hold the frame that its caps describe."));
    return;
  }
  picture = frame_jpeg_make (jpeg, &image, settings, &width, &height, &error);
  frame_image_unmap (&image);
  if (!picture) {
    gst_orch_batch_fail_record (batch, index,
        gst_orch_cause_new_literal (CAUSE_DOMAIN, "no-picture",
            error->message));
    return;
  }
  caps = make_caps (width, height);
  gst_orch_batch_present (batch, index, picture, caps);
}

static gboolean
gst_orch_thumbnail_function_run (GstOrchFunction * function,
    gpointer replica_data, GstOrchBatch * batch, GError ** error)
{
  GstOrchThumbnailFunction *self = GST_ORCH_THUMBNAIL_FUNCTION (function);
  guint i, n = gst_orch_batch_get_size (batch);
  FrameJpegSettings settings;

  GST_OBJECT_LOCK (self);
  settings = self->settings;
  GST_OBJECT_UNLOCK (self);
  for (i = 0; i < n && !gst_orch_batch_is_cancelled (batch); i++)
    if (gst_orch_batch_is_wanted (batch, i))
      run_grain (replica_data, &settings, batch, i);
  return TRUE;
}

static GstCaps *
gst_orch_thumbnail_function_negotiate (GstOrchFunction * function,
    GstCaps * caps, GError ** error)
{
  GstOrchThumbnailFunction *self = GST_ORCH_THUMBNAIL_FUNCTION (function);
  FrameJpegSettings settings;
  GstVideoInfo info;
  gint width, height;

  if (!gst_video_info_from_caps (&info, caps)) {
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_WRONG_TYPE,
        "These caps do not describe a frame.");
    return NULL;
  }
  GST_OBJECT_LOCK (self);
  settings = self->settings;
  GST_OBJECT_UNLOCK (self);
  frame_jpeg_get_size (&info, &settings, &width, &height);
  return make_caps (width, height);
}

/* ---- object ---- */

static void
gst_orch_thumbnail_function_set_property (GObject * object, guint prop_id,
    const GValue * value, GParamSpec * pspec)
{
  GstOrchThumbnailFunction *self = GST_ORCH_THUMBNAIL_FUNCTION (object);

  GST_OBJECT_LOCK (self);
  switch (prop_id) {
    case PROP_WIDTH:
      self->settings.max_width = g_value_get_int (value);
      break;
    case PROP_HEIGHT:
      self->settings.max_height = g_value_get_int (value);
      break;
    case PROP_QUALITY:
      self->settings.quality = g_value_get_int (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_orch_thumbnail_function_get_property (GObject * object, guint prop_id,
    GValue * value, GParamSpec * pspec)
{
  GstOrchThumbnailFunction *self = GST_ORCH_THUMBNAIL_FUNCTION (object);

  GST_OBJECT_LOCK (self);
  switch (prop_id) {
    case PROP_WIDTH:
      g_value_set_int (value, self->settings.max_width);
      break;
    case PROP_HEIGHT:
      g_value_set_int (value, self->settings.max_height);
      break;
    case PROP_QUALITY:
      g_value_set_int (value, self->settings.quality);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
install_properties (GObjectClass * object_class)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
      | GST_PARAM_MUTABLE_PLAYING;

  g_object_class_install_property (object_class, PROP_WIDTH,
      g_param_spec_int ("width", "Width",
          "Most pixels from left to right", 1, MAX_SIZE, DEFAULT_SIZE, flags));
  g_object_class_install_property (object_class, PROP_HEIGHT,
      g_param_spec_int ("height", "Height",
          "Most pixels from top to bottom", 1, MAX_SIZE, DEFAULT_SIZE, flags));
  g_object_class_install_property (object_class, PROP_QUALITY,
      g_param_spec_int ("quality", "Quality",
          "Quality of the JPEG, from 1 (small) to 100 (good)", 1, 100,
          DEFAULT_QUALITY, flags));
}

static void
gst_orch_thumbnail_function_class_init (GstOrchThumbnailFunctionClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);

  object_class->set_property = gst_orch_thumbnail_function_set_property;
  object_class->get_property = gst_orch_thumbnail_function_get_property;
  install_properties (object_class);

  function_class->negotiate = gst_orch_thumbnail_function_negotiate;
  function_class->setup = gst_orch_thumbnail_function_setup;
  function_class->run = gst_orch_thumbnail_function_run;
  function_class->teardown = gst_orch_thumbnail_function_teardown;
  gst_orch_function_class_set_metadata (function_class, "Thumbnails",
      "Makes small JPEG pictures of frames", "the gst-orch authors");
  gst_orch_function_class_set_caps (function_class,
      gst_caps_from_string (GST_VIDEO_CAPS_MAKE (FRAME_IMAGE_FORMATS)),
      gst_caps_from_string ("image/jpeg, width=(int)[ 1, max ], "
          "height=(int)[ 1, max ], framerate=(fraction)0/1"));
}

static void
gst_orch_thumbnail_function_init (GstOrchThumbnailFunction * self)
{
  self->settings = (FrameJpegSettings) { DEFAULT_SIZE, DEFAULT_SIZE,
    DEFAULT_QUALITY
  };
}

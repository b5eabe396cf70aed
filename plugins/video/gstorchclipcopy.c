/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/**
 * SECTION:element-orchclipcopy
 * @title: orchclipcopy
 *
 * Function `clip-copy`: the clip that a reference refers to, as a file of its own, for
 * orchsink with `files` to write.
 *
 * Nothing is decoded or encoded again, so it is fast and loses nothing, but a copy can
 * begin at key frames only.  It has what is needed from the key frame at the start of
 * the clip, or the last one before, on.  MP4 says that what is ahead of the start is not
 * to be shown, and players keep to it; Matroska cannot, and begins earlier.  With
 * `boundaries=keyframes` of video-clips nothing is ahead.  A few frames that others in
 * the clip need may follow its end.
 *
 * Sets the info field `copy-start` (int64, nanoseconds, as of the clip's `start`): where
 * that key frame is.
 *
 * A clip of which a part is known to be damaged fails.  Damage that only a decoder finds
 * is copied.  Files that do not say of each frame when it is shown, as AVI and MPEG
 * program streams with B-frames, are not copied.
 *
 * |[
 * gst-launch-1.0 orchsrc location=videos ! orchvideoclips boundaries=keyframes ! orchexpand ! orchclipcopy ! orchreduce ! orchsink location=out.jsonl files=clips
 * ]|
 */

#include "gstorchclipcopy.h"

#include "videomuxer.h"

#define DEFAULT_CONTAINER VIDEO_CONTAINER_AUTO
#define DEFAULT_AUDIO TRUE
#define DEFAULT_MAX_SIZE (G_GUINT64_CONSTANT (1) << 30)

enum
{
  PROP_0,
  PROP_CONTAINER,
  PROP_AUDIO,
  PROP_MAX_SIZE,
};

typedef struct
{
  VideoContainer container;
  gboolean audio;
  guint64 max_size;
} Settings;

struct _GstOrchClipCopyFunction
{
  GstOrchVideoClipFunction parent;

  Settings settings;            /* protected by the object lock */
};

G_DEFINE_FINAL_TYPE (GstOrchClipCopyFunction, gst_orch_clip_copy_function,
    GST_TYPE_ORCH_VIDEO_CLIP_FUNCTION);

#define GST_TYPE_ORCH_VIDEO_CONTAINER (gst_orch_video_container_get_type ())
static GType
gst_orch_video_container_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {VIDEO_CONTAINER_AUTO, "MP4 if it can hold the streams, or Matroska",
        "auto"},
    {VIDEO_CONTAINER_MP4, "MP4", "mp4"},
    {VIDEO_CONTAINER_MATROSKA, "Matroska", "matroska"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchVideoContainer", values));
  return type;
}

/* ---- one clip ---- */

static gboolean
gst_orch_clip_copy_function_process_clip (GstOrchVideoClipFunction *
    function, GstOrchVideoClipJob * job, GError ** error)
{
  GstOrchClipCopyFunction *self = GST_ORCH_CLIP_COPY_FUNCTION (function);
  VideoFile *file = video_reader_get_file (job->reader);
  g_autoptr (GstCaps) caps = NULL;
  VideoPackets packets;
  GstBuffer *buffer = NULL;
  Settings settings;

  GST_OBJECT_LOCK (self);
  settings = self->settings;
  GST_OBJECT_UNLOCK (self);
  if (video_packets_read (&packets, file, &job->clip, settings.audio,
          settings.max_size, error))
    buffer = video_mux (file, &packets, job->clip.start, settings.container,
        &caps, error);
  if (buffer) {
    gst_orch_batch_set_info (job->batch, job->index, gst_structure_new ("info",
            "copy-start", G_TYPE_INT64, packets.key_time, NULL));
    gst_orch_batch_present (job->batch, job->index, buffer, caps);
  }
  video_packets_clear (&packets);
  return buffer != NULL;
}

/* ---- object ---- */

static void
gst_orch_clip_copy_function_set_property (GObject * object, guint prop_id,
    const GValue * value, GParamSpec * pspec)
{
  Settings *settings = &GST_ORCH_CLIP_COPY_FUNCTION (object)->settings;

  GST_OBJECT_LOCK (object);
  switch (prop_id) {
    case PROP_CONTAINER:
      settings->container = g_value_get_enum (value);
      break;
    case PROP_AUDIO:
      settings->audio = g_value_get_boolean (value);
      break;
    case PROP_MAX_SIZE:
      settings->max_size = g_value_get_uint64 (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

static void
gst_orch_clip_copy_function_get_property (GObject * object, guint prop_id,
    GValue * value, GParamSpec * pspec)
{
  const Settings *settings = &GST_ORCH_CLIP_COPY_FUNCTION (object)->settings;

  GST_OBJECT_LOCK (object);
  switch (prop_id) {
    case PROP_CONTAINER:
      g_value_set_enum (value, settings->container);
      break;
    case PROP_AUDIO:
      g_value_set_boolean (value, settings->audio);
      break;
    case PROP_MAX_SIZE:
      g_value_set_uint64 (value, settings->max_size);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

static void
install_properties (GObjectClass * object_class)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
      | GST_PARAM_MUTABLE_PLAYING;

  g_object_class_install_property (object_class, PROP_CONTAINER,
      g_param_spec_enum ("container", "Container", "What a copy is put into",
          GST_TYPE_ORCH_VIDEO_CONTAINER, DEFAULT_CONTAINER, flags));
  g_object_class_install_property (object_class, PROP_AUDIO,
      g_param_spec_boolean ("audio", "Audio",
          "Copy the best audio track as well", DEFAULT_AUDIO, flags));
  g_object_class_install_property (object_class, PROP_MAX_SIZE,
      g_param_spec_uint64 ("max-size", "Maximum size",
          "Clips of more bytes fail", 1, G_MAXINT, DEFAULT_MAX_SIZE, flags));
}

static void
gst_orch_clip_copy_function_class_init (GstOrchClipCopyFunctionClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);

  object_class->set_property = gst_orch_clip_copy_function_set_property;
  object_class->get_property = gst_orch_clip_copy_function_get_property;
  GST_ORCH_VIDEO_CLIP_FUNCTION_CLASS (klass)->process_clip =
      gst_orch_clip_copy_function_process_clip;
  install_properties (object_class);

  gst_orch_function_class_set_metadata (function_class, "Clip copier",
      "Copies clips to files of their own, without encoding them again",
      "the gst-orch authors");
  gst_orch_function_class_set_caps (function_class,
      gst_caps_from_string (GST_ORCH_VIDEO_REF_CAPS),
      gst_caps_from_string ("video/quicktime, variant=(string)iso; "
          "video/x-matroska"));
}

static void
gst_orch_clip_copy_function_init (GstOrchClipCopyFunction * self)
{
  self->settings = (Settings) { DEFAULT_CONTAINER, DEFAULT_AUDIO,
    DEFAULT_MAX_SIZE
  };
}

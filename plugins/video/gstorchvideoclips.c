/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/**
 * SECTION:element-orchvideoclips
 * @title: orchvideoclips
 *
 * Function `video-clips`: the clips of a video, as a list of references.
 *
 * Each element of the list refers to a part of the video and has the info fields
 * `clip` (int, from 1), `start` and `end` (int64, nanoseconds: the frames of
 * times from `start` on, and before `end`).  Time 0 is where the file starts,
 * as it is for ffmpeg.
 *
 * The video gets `container`, `codec` (string), `start` (int64) and `duration`
 * (uint64, nanoseconds), `width` and `height` (int, pixels, of the upright
 * picture), `rotation` (int, degrees clockwise that make it so), `framerate`
 * (fraction, the average), `audio-tracks` and `clips` (int).
 *
 * With `boundaries=shots` all of the video is decoded, and a clip begins where a
 * frame differs from the one before by `shot-threshold`, as with PySceneDetect's
 * detect-content; `min-duration` (600000000 there) makes one cut of those that
 * follow each other faster, as in a flash.
 *
 * With `boundaries=fixed` a file is not read through unless it does not say how
 * long it is, which is a warning on it; so a damaged place is found by who
 * decodes the clip.  Of several video streams the largest is taken, as by
 * ffmpeg; a cover picture is none.
 *
 * |[
 * gst-launch-1.0 orchsrc location=videos ! orchvideoclips ! orchexpand ! \
 *     orchvideodecode frames=4 ! orchexpand ! orchtesseract ! \
 *     orchreduce ! orchreduce ! orchsink location=out.jsonl
 * ]|
 */

#include "gstorchvideoclips.h"
#include "videoabout.h"
#include "videoclip.h"
#include "videoshots.h"

#define DEFAULT_BOUNDARIES BOUNDARIES_FIXED
#define DEFAULT_CLIP_DURATION (10 * GST_SECOND)
#define DEFAULT_MIN_DURATION 0
#define DEFAULT_MAX_DURATION 0
#define DEFAULT_SHOT_THRESHOLD 27
#define DEFAULT_MAX_CLIPS 100000

/* Of frames that are looked at for shots. */
#define MAX_PIXELS (64 * 1024 * 1024)

typedef enum
{
  BOUNDARIES_FIXED,
  BOUNDARIES_KEYFRAMES,
  BOUNDARIES_SHOTS,
} Boundaries;

enum
{
  PROP_0,
  PROP_BOUNDARIES,
  PROP_CLIP_DURATION,
  PROP_MIN_DURATION,
  PROP_MAX_DURATION,
  PROP_SHOT_THRESHOLD,
  PROP_MAX_CLIPS,
};

typedef struct
{
  Boundaries boundaries;
  guint64 clip_duration;
  gdouble shot_threshold;
  VideoCutSettings cut;
} Settings;

struct _GstOrchVideoClipsFunction
{
  GstOrchVideoFunction parent;

  Settings settings;            /* protected by the object lock */
};

G_DEFINE_FINAL_TYPE (GstOrchVideoClipsFunction, gst_orch_video_clips_function,
    GST_TYPE_ORCH_VIDEO_FUNCTION);

#define GST_TYPE_ORCH_VIDEO_BOUNDARIES (gst_orch_video_boundaries_get_type ())
static GType
gst_orch_video_boundaries_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {BOUNDARIES_FIXED, "Clips of equal length", "fixed"},
    {BOUNDARIES_KEYFRAMES, "A clip from each key frame on", "keyframes"},
    {BOUNDARIES_SHOTS, "A clip for each shot", "shots"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchVideoBoundaries", values));
  return type;
}

/* ---- one video ---- */

static GArray *
find_keyframes (VideoFile * file, VideoExtent * extent, GError ** error)
{
  g_autoptr (GArray) keys = g_array_new (FALSE, FALSE, sizeof (gint64));

  if (!video_extent_scan (file, extent, keys, error))
    return NULL;
  extent->was_scanned = FALSE;  /* as was asked for */
  return g_steal_pointer (&keys);
}

static GArray *
find_shots (VideoReader * reader, const Settings * settings, GError ** error)
{
  VideoShotSettings shots = { settings->shot_threshold,
    settings->cut.min_duration
  };

  return video_shots_find (reader, &shots, error);
}

static GArray *
find_boundaries (VideoReader * reader, const Settings * settings,
    VideoExtent * extent, GError ** error)
{
  VideoFile *file = video_reader_get_file (reader);

  if (settings->boundaries == BOUNDARIES_KEYFRAMES)
    return find_keyframes (file, extent, error);
  if (!video_extent_find (file, extent, error))
    return NULL;
  if (settings->boundaries == BOUNDARIES_SHOTS)
    return find_shots (reader, settings, error);
  return video_clips_divide (extent, settings->clip_duration,
      settings->cut.max_clips);
}

static GArray *
find_clips (VideoReader * reader, const Settings * settings,
    VideoExtent * extent, GError ** error)
{
  g_autoptr (GArray) boundaries = find_boundaries (reader, settings, extent,
      error);

  if (!boundaries)
    return NULL;
  return video_clips_cut (extent, boundaries, &settings->cut, error);
}

static void
append_clip (GstOrchList * list, GstBuffer * source, GstCaps * caps,
    const VideoClip * clip)
{
  g_autofree gchar *fragment = video_clip_make_fragment (clip->start,
      clip->end);

  gst_orch_list_append (list, gst_orch_ref_buffer_new (source,
          video_clip_to_locator (clip)), caps, gst_structure_new ("info",
          "fragment", G_TYPE_STRING, fragment,
          "clip", G_TYPE_INT, (gint) clip->index + 1,
          "start", G_TYPE_INT64, clip->start,
          "end", G_TYPE_INT64, clip->end, NULL));
}

static GstOrchList *
list_clips (GArray * clips, GstBuffer * source)
{
  GstOrchList *list = gst_orch_list_new_sized (clips->len);
  GstCaps *caps = gst_caps_from_string (GST_ORCH_VIDEO_REF_CAPS);
  guint i;

  for (i = 0; i < clips->len; i++)
    append_clip (list, source, caps, &g_array_index (clips, VideoClip, i));
  gst_caps_unref (caps);
  return list;
}

static void
describe_video (GstOrchBatch * batch, guint index, VideoFile * file,
    const VideoExtent * extent, guint n_clips)
{
  GstStructure *info = video_about (file, extent);

  gst_structure_set (info, "clips", G_TYPE_INT, (gint) n_clips, NULL);
  gst_orch_batch_set_info (batch, index, info);
  if (extent->was_scanned)
    gst_orch_batch_warn (batch, index, "The file does not say how long the "
        "video is: all of it was read to find out.");
}

static gboolean
gst_orch_video_clips_function_process (GstOrchVideoFunction * function,
    gpointer replica_data, GstOrchBatch * batch, guint index, GError ** error)
{
  GstOrchVideoClipsFunction *self = GST_ORCH_VIDEO_CLIPS_FUNCTION (function);
  GstBuffer *buffer = gst_orch_batch_get_buffer (batch, index);
  VideoDecoderSettings decoding = { NULL, MAX_PIXELS };
  VideoFile *file = video_file_open (buffer, error);
  g_autoptr (VideoReader) reader = NULL;
  GstOrchVideoGrain grain = { batch, index };
  g_autoptr (GArray) clips = NULL;
  VideoExtent extent;
  Settings settings;

  if (!file)
    return FALSE;
  GST_OBJECT_LOCK (self);
  settings = self->settings;
  GST_OBJECT_UNLOCK (self);
  reader = video_reader_new (file, &decoding);
  video_file_set_wanted (file, gst_orch_video_grain_is_wanted, &grain);
  clips = find_clips (reader, &settings, &extent, error);
  if (!clips)
    return FALSE;
  describe_video (batch, index, file, &extent, clips->len);
  gst_orch_batch_present_list (batch, index, list_clips (clips, buffer));
  return TRUE;
}

/* ---- the class ---- */

static void
gst_orch_video_clips_function_set_property (GObject * object, guint prop_id,
    const GValue * value, GParamSpec * pspec)
{
  Settings *settings = &GST_ORCH_VIDEO_CLIPS_FUNCTION (object)->settings;

  GST_OBJECT_LOCK (object);
  switch (prop_id) {
    case PROP_BOUNDARIES:
      settings->boundaries = g_value_get_enum (value);
      break;
    case PROP_CLIP_DURATION:
      settings->clip_duration = g_value_get_uint64 (value);
      break;
    case PROP_MIN_DURATION:
      settings->cut.min_duration = g_value_get_uint64 (value);
      break;
    case PROP_MAX_DURATION:
      settings->cut.max_duration = g_value_get_uint64 (value);
      break;
    case PROP_SHOT_THRESHOLD:
      settings->shot_threshold = g_value_get_double (value);
      break;
    case PROP_MAX_CLIPS:
      settings->cut.max_clips = g_value_get_uint (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

static void
gst_orch_video_clips_function_get_property (GObject * object, guint prop_id,
    GValue * value, GParamSpec * pspec)
{
  const Settings *settings = &GST_ORCH_VIDEO_CLIPS_FUNCTION (object)->settings;

  GST_OBJECT_LOCK (object);
  switch (prop_id) {
    case PROP_BOUNDARIES:
      g_value_set_enum (value, settings->boundaries);
      break;
    case PROP_CLIP_DURATION:
      g_value_set_uint64 (value, settings->clip_duration);
      break;
    case PROP_MIN_DURATION:
      g_value_set_uint64 (value, settings->cut.min_duration);
      break;
    case PROP_MAX_DURATION:
      g_value_set_uint64 (value, settings->cut.max_duration);
      break;
    case PROP_SHOT_THRESHOLD:
      g_value_set_double (value, settings->shot_threshold);
      break;
    case PROP_MAX_CLIPS:
      g_value_set_uint (value, settings->cut.max_clips);
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
  GParamFlags flags = G_PARAM_READWRITE | GST_PARAM_MUTABLE_PLAYING |
      G_PARAM_STATIC_STRINGS;

  g_object_class_install_property (object_class, PROP_BOUNDARIES,
      g_param_spec_enum ("boundaries", "Boundaries", "Where a video is cut",
          GST_TYPE_ORCH_VIDEO_BOUNDARIES, DEFAULT_BOUNDARIES, flags));
  g_object_class_install_property (object_class, PROP_CLIP_DURATION,
      g_param_spec_uint64 ("clip-duration", "Clip duration",
          "Length of the clips with boundaries=fixed, in nanoseconds",
          GST_MSECOND, G_MAXINT64 / 4, DEFAULT_CLIP_DURATION, flags));
  g_object_class_install_property (object_class, PROP_MIN_DURATION,
      g_param_spec_uint64 ("min-duration", "Minimum duration",
          "Shortest clip, in nanoseconds: a shorter one is part of its "
          "neighbour", 0, G_MAXINT64 / 4, DEFAULT_MIN_DURATION, flags));
  g_object_class_install_property (object_class, PROP_MAX_DURATION,
      g_param_spec_uint64 ("max-duration", "Maximum duration",
          "Longest clip, in nanoseconds: a longer one is divided into equal "
          "parts, whatever min-duration says (0 = any)", 0, G_MAXINT64 / 4,
          DEFAULT_MAX_DURATION, flags));
  g_object_class_install_property (object_class, PROP_SHOT_THRESHOLD,
      g_param_spec_double ("shot-threshold", "Shot threshold",
          "How much a frame differs from the one before when a shot begins with "
          "it, as a mean over hue, saturation and brightness", 0, 255,
          DEFAULT_SHOT_THRESHOLD, flags));
  g_object_class_install_property (object_class, PROP_MAX_CLIPS,
      g_param_spec_uint ("max-clips", "Maximum clips",
          "Videos of more clips fail (0 = any number)", 0, G_MAXINT,
          DEFAULT_MAX_CLIPS, flags));
}

static void
gst_orch_video_clips_function_class_init (GstOrchVideoClipsFunctionClass *
    klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);

  object_class->set_property = gst_orch_video_clips_function_set_property;
  object_class->get_property = gst_orch_video_clips_function_get_property;
  GST_ORCH_VIDEO_FUNCTION_CLASS (klass)->process =
      gst_orch_video_clips_function_process;
  install_properties (object_class);

  gst_orch_function_class_set_metadata (function_class, "Video clips",
      "Lists the clips of videos as references", "the gst-orch authors");
  gst_orch_function_class_set_caps (function_class,
      gst_caps_from_string (GST_ORCH_VIDEO_FILE_CAPS),
      gst_caps_from_string (GST_ORCH_LIST_CAPS));
  gst_orch_function_class_set_element_caps (function_class,
      gst_caps_from_string (GST_ORCH_VIDEO_REF_CAPS));
}

static void
gst_orch_video_clips_function_init (GstOrchVideoClipsFunction * self)
{
  self->settings.boundaries = DEFAULT_BOUNDARIES;
  self->settings.clip_duration = DEFAULT_CLIP_DURATION;
  self->settings.shot_threshold = DEFAULT_SHOT_THRESHOLD;
  self->settings.cut.min_duration = DEFAULT_MIN_DURATION;
  self->settings.cut.max_duration = DEFAULT_MAX_DURATION;
  self->settings.cut.max_clips = DEFAULT_MAX_CLIPS;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/**
 * SECTION:element-orchvideodecode
 * @title: orchvideodecode
 *
 * Function `video-decode`: frames of the clip that a reference refers to.
 *
 * Which: `fps` a second; or, when set, `frames` evenly spaced ones, or only
 * `keyframes`.  With `fps` a frame is taken when it is the first at its time or
 * after; none is given twice, so a video of fewer frames gives fewer.
 *
 * With `output=list` the result is a list of frames, for orchexpand, each with
 * the info fields `time` (int64, nanoseconds, as of the clip's `start`) and
 * `keyframe` (boolean).  A frame that is damaged, or predicted from a damaged
 * one, is an element that failed: the others keep their places.  With
 * `output=stack` it is one tensor, as from orchreduce, with the info field
 * `times` (array of int64), and a damaged frame fails the clip.
 *
 * Frames are upright.  Where the pixels are not square, one of `width` and
 * `height` makes them so.
 *
 * |[
 * gst-launch-1.0 orchsrc location=videos ! orchvideoclips ! orchexpand ! \
 *     orchvideodecode fps=1/2 ! orchexpand ! orchtesseract ! \
 *     orchreduce ! orchreduce ! orchsink location=out.jsonl
 * ]|
 */

#include "gstorchvideodecode.h"
#include "videoframes.h"
#include "videooutput.h"

#define DEFAULT_FPS_N 1
#define DEFAULT_FPS_D 1
#define DEFAULT_FRAMES 0
#define DEFAULT_KEYFRAMES FALSE
#define DEFAULT_SIZE 0
#define DEFAULT_FORMAT GST_VIDEO_FORMAT_RGB
#define DEFAULT_OUTPUT VIDEO_OUTPUT_LIST
#define DEFAULT_DECODER VIDEO_DECODER_AUTO
#define DEFAULT_MAX_PIXELS (64 * 1024 * 1024)
#define DEFAULT_MAX_CLIP_BYTES (G_GUINT64_CONSTANT (1) << 30)

enum
{
  PROP_0,
  PROP_FPS,
  PROP_FRAMES,
  PROP_KEYFRAMES,
  PROP_WIDTH,
  PROP_HEIGHT,
  PROP_FORMAT,
  PROP_OUTPUT,
  PROP_DECODER,
  PROP_MAX_PIXELS,
  PROP_MAX_CLIP_BYTES,
};

typedef struct
{
  VideoFramesSettings frames;
  gboolean keyframes;
  VideoImageSettings image;
  VideoOutputKind output;
  VideoDecoder decoder;
  guint64 max_clip_bytes;
} Settings;

struct _GstOrchVideoDecodeFunction
{
  GstOrchVideoClipFunction parent;

  Settings settings;            /* protected by the object lock */
};

G_DEFINE_FINAL_TYPE (GstOrchVideoDecodeFunction,
    gst_orch_video_decode_function, GST_TYPE_ORCH_VIDEO_CLIP_FUNCTION);

#define GST_TYPE_ORCH_VIDEO_OUTPUT (gst_orch_video_output_get_type ())
static GType
gst_orch_video_output_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {VIDEO_OUTPUT_LIST, "A list of frames", "list"},
    {VIDEO_OUTPUT_STACK, "One tensor of all frames", "stack"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchVideoOutput", values));
  return type;
}

#define GST_TYPE_ORCH_VIDEO_FORMAT (gst_orch_video_format_get_type ())
static GType
gst_orch_video_format_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_VIDEO_FORMAT_RGB, "8 bits each of red, green and blue", "RGB"},
    {GST_VIDEO_FORMAT_BGRx, "8 bits each of blue, green, red and padding",
        "BGRx"},
    {GST_VIDEO_FORMAT_GRAY8, "8 bits of grey", "GRAY8"},
    {GST_VIDEO_FORMAT_I420, "Planes of luma and of halved chroma", "I420"},
    {GST_VIDEO_FORMAT_NV12, "Planes of luma and of both halved chroma",
        "NV12"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchVideoDecodeFormat", values));
  return type;
}

static Settings
get_settings (GstOrchVideoDecodeFunction * self)
{
  Settings settings;

  GST_OBJECT_LOCK (self);
  settings = self->settings;
  GST_OBJECT_UNLOCK (self);
  if (settings.keyframes)
    settings.frames.mode = VIDEO_SAMPLE_KEYS;
  else if (settings.frames.n_frames > 0)
    settings.frames.mode = VIDEO_SAMPLE_COUNT;
  else if (settings.frames.fps_n > 0)
    settings.frames.mode = VIDEO_SAMPLE_RATE;
  else
    settings.frames.mode = VIDEO_SAMPLE_ALL;
  return settings;
}

/* ---- set-up ---- */

static gboolean
check_settings (const Settings * settings, GError ** error)
{
  const gchar *problem = NULL;

  if (settings->keyframes && settings->frames.n_frames > 0)
    problem = "keyframes and frames are two choices: set one of them";
  else if (settings->output == VIDEO_OUTPUT_STACK
      && !video_output_can_stack (settings->image.format))
    problem = "output=stack needs a format of one plane: RGB, BGRx or GRAY8";
  if (!problem)
    return TRUE;
  g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS, "%s",
      problem);
  return FALSE;
}

static gboolean
gst_orch_video_decode_function_setup (GstOrchFunction * function,
    gpointer * replica_data, GError ** error)
{
  Settings settings = get_settings (GST_ORCH_VIDEO_DECODE_FUNCTION (function));

  return check_settings (&settings, error)
      && GST_ORCH_FUNCTION_CLASS
      (gst_orch_video_decode_function_parent_class)->setup (function,
      replica_data, error);
}

static void
gst_orch_video_decode_function_get_decoding (GstOrchVideoClipFunction *
    function, VideoDecoder * decoder, guint64 * max_pixels)
{
  Settings settings = get_settings (GST_ORCH_VIDEO_DECODE_FUNCTION (function));

  *decoder = settings.decoder;
  *max_pixels = settings.image.max_pixels;
}

/* ---- one clip ---- */

static gboolean
add_frame (const VideoPicture * picture, gpointer output, GError ** error)
{
  return video_output_add (output, picture, error);
}

static void
present (GstOrchVideoClipJob * job, VideoOutput * output)
{
  GstStructure *info = NULL;
  GstOrchList *list = video_output_take_list (output);
  GstBuffer *buffer;
  GstCaps *caps;

  if (list) {
    gst_orch_batch_present_list (job->batch, job->index, list);
    return;
  }
  buffer = video_output_take_stack (output, &caps, &info);
  gst_orch_batch_set_info (job->batch, job->index, info);
  gst_orch_batch_present (job->batch, job->index, buffer, caps);
  gst_caps_unref (caps);
}

static gboolean
gst_orch_video_decode_function_process_clip (GstOrchVideoClipFunction *
    function, GstOrchVideoClipJob * job, GError ** error)
{
  Settings settings = get_settings (GST_ORCH_VIDEO_DECODE_FUNCTION (function));
  VideoFile *file = video_reader_get_file (job->reader);
  g_autoptr (VideoOutput) output = video_output_new (settings.output,
      job->imager, file, &settings.image, settings.max_clip_bytes);

  if (!video_frames_read (job->reader, &job->clip, &settings.frames, add_frame,
          output, error) || !video_output_check (output, error))
    return FALSE;
  present (job, output);
  return TRUE;
}

/* ---- the class ---- */

static void
gst_orch_video_decode_function_set_property (GObject * object, guint prop_id,
    const GValue * value, GParamSpec * pspec)
{
  Settings *settings = &GST_ORCH_VIDEO_DECODE_FUNCTION (object)->settings;

  GST_OBJECT_LOCK (object);
  switch (prop_id) {
    case PROP_FPS:
      settings->frames.fps_n = gst_value_get_fraction_numerator (value);
      settings->frames.fps_d = gst_value_get_fraction_denominator (value);
      break;
    case PROP_FRAMES:
      settings->frames.n_frames = g_value_get_uint (value);
      break;
    case PROP_KEYFRAMES:
      settings->keyframes = g_value_get_boolean (value);
      break;
    case PROP_WIDTH:
      settings->image.width = g_value_get_int (value);
      break;
    case PROP_HEIGHT:
      settings->image.height = g_value_get_int (value);
      break;
    case PROP_FORMAT:
      settings->image.format = g_value_get_enum (value);
      break;
    case PROP_OUTPUT:
      settings->output = g_value_get_enum (value);
      break;
    case PROP_DECODER:
      settings->decoder = g_value_get_enum (value);
      break;
    case PROP_MAX_PIXELS:
      settings->image.max_pixels = g_value_get_uint64 (value);
      break;
    case PROP_MAX_CLIP_BYTES:
      settings->max_clip_bytes = g_value_get_uint64 (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

static void
gst_orch_video_decode_function_get_property (GObject * object, guint prop_id,
    GValue * value, GParamSpec * pspec)
{
  const Settings *settings = &GST_ORCH_VIDEO_DECODE_FUNCTION (object)->settings;

  GST_OBJECT_LOCK (object);
  switch (prop_id) {
    case PROP_FPS:
      gst_value_set_fraction (value, settings->frames.fps_n,
          settings->frames.fps_d);
      break;
    case PROP_FRAMES:
      g_value_set_uint (value, settings->frames.n_frames);
      break;
    case PROP_KEYFRAMES:
      g_value_set_boolean (value, settings->keyframes);
      break;
    case PROP_WIDTH:
      g_value_set_int (value, settings->image.width);
      break;
    case PROP_HEIGHT:
      g_value_set_int (value, settings->image.height);
      break;
    case PROP_FORMAT:
      g_value_set_enum (value, settings->image.format);
      break;
    case PROP_OUTPUT:
      g_value_set_enum (value, settings->output);
      break;
    case PROP_DECODER:
      g_value_set_enum (value, settings->decoder);
      break;
    case PROP_MAX_PIXELS:
      g_value_set_uint64 (value, settings->image.max_pixels);
      break;
    case PROP_MAX_CLIP_BYTES:
      g_value_set_uint64 (value, settings->max_clip_bytes);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

static void
install_sampling (GObjectClass * object_class, GParamFlags flags)
{
  g_object_class_install_property (object_class, PROP_FPS,
      gst_param_spec_fraction ("fps", "Frames a second",
          "Frames that are taken of each second (0/1 = every frame)", 0, 1,
          G_MAXINT, 1, DEFAULT_FPS_N, DEFAULT_FPS_D, flags));
  g_object_class_install_property (object_class, PROP_FRAMES,
      g_param_spec_uint ("frames", "Frames",
          "Evenly spaced frames that are taken of each clip (0 = as fps says)",
          0, G_MAXINT, DEFAULT_FRAMES, flags));
  g_object_class_install_property (object_class, PROP_KEYFRAMES,
      g_param_spec_boolean ("keyframes", "Key frames",
          "Take the key frames, all of them and no others", DEFAULT_KEYFRAMES,
          flags));
}

static void
install_image (GObjectClass * object_class, GParamFlags flags)
{
  g_object_class_install_property (object_class, PROP_WIDTH,
      g_param_spec_int ("width", "Width",
          "Pixels of a row (0 = as the video has, or as height wants)", 0,
          G_MAXINT16, DEFAULT_SIZE, flags));
  g_object_class_install_property (object_class, PROP_HEIGHT,
      g_param_spec_int ("height", "Height",
          "Rows of pixels (0 = as the video has, or as width wants)", 0,
          G_MAXINT16, DEFAULT_SIZE, flags));
  g_object_class_install_property (object_class, PROP_FORMAT,
      g_param_spec_enum ("format", "Format", "Format of the pixels",
          GST_TYPE_ORCH_VIDEO_FORMAT, DEFAULT_FORMAT, flags));
  g_object_class_install_property (object_class, PROP_OUTPUT,
      g_param_spec_enum ("output", "Output", "What is made of a clip's frames",
          GST_TYPE_ORCH_VIDEO_OUTPUT, DEFAULT_OUTPUT, flags));
}

/* The device is opened, and the output chosen, once for each replica. */
static void
install_limits (GObjectClass * object_class, GParamFlags flags)
{
  g_object_class_install_property (object_class, PROP_DECODER,
      g_param_spec_enum ("decoder", "Decoder", "What decodes",
          GST_TYPE_ORCH_VIDEO_DECODER, DEFAULT_DECODER,
          G_PARAM_READWRITE | GST_PARAM_MUTABLE_READY |
          G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (object_class, PROP_MAX_PIXELS,
      g_param_spec_uint64 ("max-pixels", "Maximum pixels",
          "Clips with frames of more pixels fail", 1, G_MAXINT,
          DEFAULT_MAX_PIXELS, flags));
  g_object_class_install_property (object_class, PROP_MAX_CLIP_BYTES,
      g_param_spec_uint64 ("max-clip-bytes", "Maximum bytes of a clip",
          "Clips whose frames take more bytes fail (0 = any number)", 0,
          G_MAXINT64, DEFAULT_MAX_CLIP_BYTES, flags));
}

static void
gst_orch_video_decode_function_class_init (GstOrchVideoDecodeFunctionClass *
    klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);
  GstOrchVideoClipFunctionClass *clip_class =
      GST_ORCH_VIDEO_CLIP_FUNCTION_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | GST_PARAM_MUTABLE_READY |
      G_PARAM_STATIC_STRINGS;

  object_class->set_property = gst_orch_video_decode_function_set_property;
  object_class->get_property = gst_orch_video_decode_function_get_property;
  function_class->setup = gst_orch_video_decode_function_setup;
  clip_class->get_decoding = gst_orch_video_decode_function_get_decoding;
  clip_class->process_clip = gst_orch_video_decode_function_process_clip;
  install_sampling (object_class, flags);
  install_image (object_class, flags);
  install_limits (object_class, flags);

  gst_orch_function_class_set_metadata (function_class, "Video decoder",
      "Decodes frames of the clips that references refer to",
      "the gst-orch authors");
  gst_orch_function_class_set_caps (function_class,
      gst_caps_from_string (GST_ORCH_VIDEO_REF_CAPS),
      gst_caps_from_string (GST_ORCH_LIST_CAPS "; " VIDEO_OUTPUT_TENSORS));
  gst_orch_function_class_set_element_caps (function_class,
      gst_caps_from_string ("video/x-raw, format=(string){ RGB, BGRx, GRAY8, "
          "I420, NV12 }, width=(int)[ 1, max ], height=(int)[ 1, max ], "
          "framerate=(fraction)0/1"));
}

static void
gst_orch_video_decode_function_init (GstOrchVideoDecodeFunction * self)
{
  self->settings.frames.fps_n = DEFAULT_FPS_N;
  self->settings.frames.fps_d = DEFAULT_FPS_D;
  self->settings.frames.n_frames = DEFAULT_FRAMES;
  self->settings.keyframes = DEFAULT_KEYFRAMES;
  self->settings.image.width = DEFAULT_SIZE;
  self->settings.image.height = DEFAULT_SIZE;
  self->settings.image.format = DEFAULT_FORMAT;
  self->settings.image.max_pixels = DEFAULT_MAX_PIXELS;
  self->settings.output = DEFAULT_OUTPUT;
  self->settings.decoder = DEFAULT_DECODER;
  self->settings.max_clip_bytes = DEFAULT_MAX_CLIP_BYTES;
}

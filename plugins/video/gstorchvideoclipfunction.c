/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchvideoclipfunction.h"

/* A decoder keeps a dozen frames, so only one of them is open; but opening a
 * file again means reading it, too. */
#define DEFAULT_MAX_DOCUMENTS 16

enum
{
  PROP_0,
  PROP_MAX_DOCUMENTS,
};

typedef struct
{
  guint max_documents;          /* protected by the object lock */
} GstOrchVideoClipFunctionPrivate;

typedef struct _Document Document;

typedef struct
{
  GstOrchCache *cache;          /* of Document */
  AVBufferRef *device;          /* (nullable) */
  VideoImager *imager;
  Document *decoding;           /* (nullable): the one whose decoder is open */
} Replica;

struct _Document
{
  Replica *replica;
  VideoReader *reader;
};

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (GstOrchVideoClipFunction,
    gst_orch_video_clip_function, GST_TYPE_ORCH_VIDEO_FUNCTION);

GType
gst_orch_video_decoder_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {VIDEO_DECODER_AUTO, "The GPU if there is one that can, or the processor",
        "auto"},
    {VIDEO_DECODER_SOFTWARE, "The processor", "software"},
    {VIDEO_DECODER_NVDEC, "An NVIDIA GPU; an error if there is none", "nvdec"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchVideoDecoder", values));
  return type;
}

/* ---- replicas ---- */

static void
document_free (Document * document)
{
  if (document->replica->decoding == document)
    document->replica->decoding = NULL;
  video_reader_free (document->reader);
  g_free (document);
}

static gboolean
gst_orch_video_clip_function_setup (GstOrchFunction * function,
    gpointer * replica_data, GError ** error)
{
  GstOrchVideoClipFunction *self = GST_ORCH_VIDEO_CLIP_FUNCTION (function);
  GstOrchVideoClipFunctionClass *klass =
      GST_ORCH_VIDEO_CLIP_FUNCTION_GET_CLASS (self);
  VideoDecoder decoder = VIDEO_DECODER_SOFTWARE;
  AVBufferRef *device;
  guint64 max_pixels;
  Replica *replica;

  if (klass->get_decoding)
    klass->get_decoding (self, &decoder, &max_pixels);
  if (!video_decoder_open_device (decoder, &device, error))
    return FALSE;
  replica = g_new0 (Replica, 1);
  replica->cache = gst_orch_cache_new ((GDestroyNotify) document_free);
  replica->device = device;
  replica->imager = video_imager_new ();
  *replica_data = replica;
  return TRUE;
}

static void
gst_orch_video_clip_function_teardown (GstOrchFunction * function,
    gpointer replica_data)
{
  Replica *replica = replica_data;

  gst_orch_cache_unref (replica->cache);
  av_buffer_unref (&replica->device);
  video_imager_free (replica->imager);
  g_free (replica);
}

/* ---- documents ---- */

static guint
get_max_documents (GstOrchVideoClipFunction * self)
{
  GstOrchVideoClipFunctionPrivate *priv =
      gst_orch_video_clip_function_get_instance_private (self);
  guint max_documents;

  GST_OBJECT_LOCK (self);
  max_documents = priv->max_documents;
  GST_OBJECT_UNLOCK (self);
  return max_documents;
}

static Document *
open_document (GstOrchVideoClipFunction * self, Replica * replica,
    GstBuffer * source, GError ** error)
{
  GstOrchVideoClipFunctionClass *klass =
      GST_ORCH_VIDEO_CLIP_FUNCTION_GET_CLASS (self);
  VideoDecoderSettings settings = { replica->device, 0 };
  VideoDecoder decoder;
  Document *document;
  VideoFile *file;

  gst_orch_cache_shrink (replica->cache, get_max_documents (self) - 1);
  file = video_file_open (source, error);
  if (!file)
    return NULL;
  if (klass->get_decoding)
    klass->get_decoding (self, &decoder, &settings.max_pixels);
  document = g_new (Document, 1);
  document->replica = replica;
  document->reader = video_reader_new (file, &settings);
  gst_orch_cache_insert (replica->cache, source, document);
  return document;
}

static VideoReader *
get_reader (GstOrchVideoClipFunction * self, Replica * replica,
    GstBuffer * source, GError ** error)
{
  Document *document = gst_orch_cache_lookup (replica->cache, source);

  if (!document)
    document = open_document (self, replica, source, error);
  if (!document)
    return NULL;
  if (replica->decoding && replica->decoding != document)
    video_reader_close_decoder (replica->decoding->reader);
  replica->decoding = document;
  return document->reader;
}

static gboolean
gst_orch_video_clip_function_process (GstOrchVideoFunction * function,
    gpointer replica_data, GstOrchBatch * batch, guint index, GError ** error)
{
  GstOrchVideoClipFunction *self = GST_ORCH_VIDEO_CLIP_FUNCTION (function);
  Replica *replica = replica_data;
  GstOrchVideoClipJob job = { batch, index, };
  GstOrchVideoGrain grain = { batch, index };
  GstOrchRefMeta *meta =
      gst_buffer_get_orch_ref_meta (gst_orch_batch_get_buffer (batch, index));
  VideoFile *file;
  gboolean ok;

  if (!meta || !video_clip_from_locator (&job.clip, meta->locator)) {
    g_set_error_literal (error, VIDEO_ERROR, VIDEO_ERROR_NOT_A_CLIP,
        "The input does not refer to a clip: video-clips makes such "
        "references, and orchexpand opens its list.");
    return FALSE;
  }
  job.imager = replica->imager;
  job.reader = get_reader (self, replica, meta->source, error);
  if (!job.reader)
    return FALSE;
  file = video_reader_get_file (job.reader);
  video_file_set_wanted (file, gst_orch_video_grain_is_wanted, &grain);
  ok = GST_ORCH_VIDEO_CLIP_FUNCTION_GET_CLASS (self)->process_clip (self, &job,
      error);
  video_file_set_wanted (file, NULL, NULL);
  return ok;
}

/* ---- the class ---- */

static void
gst_orch_video_clip_function_set_property (GObject * object, guint prop_id,
    const GValue * value, GParamSpec * pspec)
{
  GstOrchVideoClipFunctionPrivate *priv =
      gst_orch_video_clip_function_get_instance_private
      (GST_ORCH_VIDEO_CLIP_FUNCTION (object));

  switch (prop_id) {
    case PROP_MAX_DOCUMENTS:
      GST_OBJECT_LOCK (object);
      priv->max_documents = g_value_get_uint (value);
      GST_OBJECT_UNLOCK (object);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
}

static void
gst_orch_video_clip_function_get_property (GObject * object, guint prop_id,
    GValue * value, GParamSpec * pspec)
{
  switch (prop_id) {
    case PROP_MAX_DOCUMENTS:
      g_value_set_uint (value,
          get_max_documents (GST_ORCH_VIDEO_CLIP_FUNCTION (object)));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
}

static void
gst_orch_video_clip_function_class_init (GstOrchVideoClipFunctionClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);

  object_class->set_property = gst_orch_video_clip_function_set_property;
  object_class->get_property = gst_orch_video_clip_function_get_property;
  function_class->setup = gst_orch_video_clip_function_setup;
  function_class->teardown = gst_orch_video_clip_function_teardown;
  GST_ORCH_VIDEO_FUNCTION_CLASS (klass)->process =
      gst_orch_video_clip_function_process;

  g_object_class_install_property (object_class, PROP_MAX_DOCUMENTS,
      g_param_spec_uint ("max-documents", "Maximum documents",
          "Documents that each replica keeps open", 1, G_MAXINT,
          DEFAULT_MAX_DOCUMENTS, G_PARAM_READWRITE | GST_PARAM_MUTABLE_PLAYING |
          G_PARAM_STATIC_STRINGS));

  gst_orch_function_class_set_caps (function_class,
      gst_caps_from_string (GST_ORCH_VIDEO_REF_CAPS), gst_caps_new_any ());
}

static void
gst_orch_video_clip_function_init (GstOrchVideoClipFunction * self)
{
  GstOrchVideoClipFunctionPrivate *priv =
      gst_orch_video_clip_function_get_instance_private (self);

  priv->max_documents = DEFAULT_MAX_DOCUMENTS;
}

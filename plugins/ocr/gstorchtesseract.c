/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/**
 * SECTION:element-orchtesseract
 * @title: orchtesseract
 *
 * Function `tesseract`: the text of an image, by Tesseract.
 *
 * Each replica has an engine of its own that uses one thread.  The resolution
 * of an image is the `dpi` of its Item's info, which pdf-render sets.  Sets
 * the info field `ocr-confidence` (double, 0 to 100): the mean confidence of
 * the words.
 *
 * |[
 * gst-launch-1.0 orchsrc location=docs ! orchpdfpages ! orchexpand ! \
 *     orchpdfrender ! orchtesseract language=eng output=json replicas=2 ! \
 *     orchreduce ! orchsink location=out.jsonl
 * ]|
 */

#include "gstorchtesseract.h"
#include "gstorchocrengine.h"
#include "gstorchocrenums.h"
#include "gstorchocroutput.h"

GST_DEBUG_CATEGORY_STATIC (orchtesseract_debug);
#define GST_CAT_DEFAULT orchtesseract_debug

#define CAUSE_DOMAIN "ocr"

#define DEFAULT_LANGUAGE "eng"
#define DEFAULT_PSM PSM_AUTO
#define DEFAULT_OEM OEM_DEFAULT
#define DEFAULT_OUTPUT GST_ORCH_OCR_OUTPUT_TEXT
#define DEFAULT_DPI 0

/* Tesseract counts pixels in 16 bits. */
#define MAX_SIDE G_MAXINT16

enum
{
  PROP_0,
  PROP_LANGUAGE,
  PROP_DATAPATH,
  PROP_PSM,
  PROP_OEM,
  PROP_OUTPUT,
  PROP_DPI,
};

struct _GstOrchTesseractFunction
{
  GstOrchFunction parent;

  /* Protected by the object lock. */
  GstOrchOcrConfig config;
  GstOrchOcrOutput output;
  gint dpi;
};

/* One replica: what the properties said when it was set up. */
typedef struct
{
  GstOrchOcrEngine *engine;
  GstOrchOcrOutput output;
  GstCaps *caps;
  gint dpi;
} Replica;

typedef struct
{
  GstOrchBatch *batch;
  guint index;
} Grain;

#define gst_orch_tesseract_function_parent_class parent_class
G_DEFINE_FINAL_TYPE_WITH_CODE (GstOrchTesseractFunction,
    gst_orch_tesseract_function, GST_TYPE_ORCH_FUNCTION,
    GST_DEBUG_CATEGORY_INIT (orchtesseract_debug, "orchtesseract", 0,
        "Tesseract OCR"));

/* ---- replicas ---- */

static gboolean
gst_orch_tesseract_function_setup (GstOrchFunction * function,
    gpointer * replica_data, GError ** error)
{
  GstOrchTesseractFunction *self = GST_ORCH_TESSERACT_FUNCTION (function);
  g_autofree gchar *language = NULL;
  g_autofree gchar *datapath = NULL;
  GstOrchOcrConfig config;
  GstOrchOcrEngine *engine;
  Replica *replica;

  GST_OBJECT_LOCK (self);
  config = self->config;
  config.language = language = g_strdup (config.language);
  config.datapath = datapath = g_strdup (config.datapath);
  GST_OBJECT_UNLOCK (self);

  engine = gst_orch_ocr_engine_new (&config, error);
  if (!engine)
    return FALSE;

  replica = g_new0 (Replica, 1);
  replica->engine = engine;
  GST_OBJECT_LOCK (self);
  replica->output = self->output;
  replica->dpi = self->dpi;
  GST_OBJECT_UNLOCK (self);
  replica->caps = gst_orch_ocr_output_get_caps (replica->output);
  *replica_data = replica;
  return TRUE;
}

static void
gst_orch_tesseract_function_teardown (GstOrchFunction * function,
    gpointer replica_data)
{
  Replica *replica = replica_data;

  gst_orch_ocr_engine_free (replica->engine);
  gst_caps_unref (replica->caps);
  g_free (replica);
}

/* ---- one Grain ---- */

static gboolean
nobody_waits (gpointer user_data)
{
  Grain *grain = user_data;

  return !gst_orch_batch_is_wanted (grain->batch, grain->index);
}

static void
fail_grain (Grain * grain, const gchar * code, const gchar * message)
{
  gst_orch_batch_fail_record (grain->batch, grain->index,
      gst_orch_cause_new_literal (CAUSE_DOMAIN, code, message));
}

/* A GstVideoMeta may claim more than there is. */
static gboolean
holds_its_rows (GstVideoFrame * frame)
{
  gssize stride = GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0);
  gssize row = (gssize) GST_VIDEO_FRAME_WIDTH (frame)
      * GST_VIDEO_FRAME_COMP_PSTRIDE (frame, 0);
  gssize height = GST_VIDEO_FRAME_HEIGHT (frame);
  const guint8 *begin = GST_VIDEO_FRAME_PLANE_DATA (frame, 0);
  gssize left = frame->map[0].data + frame->map[0].size - begin;

  return stride >= row && stride * (height - 1) + row <= left;
}

static gboolean
map_frame (Grain * grain, GstVideoFrame * frame)
{
  GstVideoInfo info;

  if (!gst_video_info_from_caps (&info,
          gst_orch_batch_get_caps (grain->batch, grain->index))
      || !gst_video_frame_map (frame, &info,
          gst_orch_batch_get_buffer (grain->batch, grain->index),
          GST_MAP_READ))
    return FALSE;
  if (holds_its_rows (frame))
    return TRUE;
  gst_video_frame_unmap (frame);
  return FALSE;
}

static gboolean
map_image (Grain * grain, GstVideoFrame * frame)
{
  if (!map_frame (grain, frame)) {
    fail_grain (grain, "bad-image",
        "The buffer does not hold the image that its caps describe.");
    return FALSE;
  }
  if (GST_VIDEO_FRAME_WIDTH (frame) > MAX_SIDE
      || GST_VIDEO_FRAME_HEIGHT (frame) > MAX_SIDE) {
    gst_video_frame_unmap (frame);
    fail_grain (grain, "image-too-large",
        "Tesseract reads images of at most 32767 pixels a side; render with "
        "a smaller dpi.");
    return FALSE;
  }
  return TRUE;
}

static GstOrchOcrImage
describe_image (Replica * replica, Grain * grain, GstVideoFrame * frame)
{
  const GstStructure *info =
      gst_orch_batch_get_info (grain->batch, grain->index);
  GstOrchOcrImage image = {
    GST_VIDEO_FRAME_WIDTH (frame), GST_VIDEO_FRAME_HEIGHT (frame),
    replica->dpi, 1
  };
  gdouble dpi;

  if (info) {
    /* Files hold whole numbers, and so does Tesseract. */
    if (gst_structure_get_double (info, "dpi", &dpi))
      image.dpi = (gint) (dpi + 0.5);
    gst_structure_get_int (info, "page", &image.page);
  }
  return image;
}

static void
present_text (Replica * replica, Grain * grain, const GstOrchOcrImage * image)
{
  TessBaseAPI *api = gst_orch_ocr_engine_get_api (replica->engine);
  gchar *text = gst_orch_ocr_output_make (replica->output, api, image);
  gsize length = strlen (text);
  GstBuffer *buffer;

  gst_orch_batch_set_info (grain->batch, grain->index,
      gst_structure_new ("info", "ocr-confidence", G_TYPE_DOUBLE,
          (gdouble) TessBaseAPIMeanTextConf (api), NULL));
  if (length > 0) {
    buffer = gst_buffer_new_wrapped (text, length);
  } else {
    buffer = gst_buffer_new ();
    g_free (text);
  }
  gst_orch_batch_present (grain->batch, grain->index, buffer, replica->caps);
}

static void
run_grain (Replica * replica, Grain * grain)
{
  GstVideoFrame frame;
  GstOrchOcrImage image;
  GstOrchOcrResult result;

  if (!map_image (grain, &frame))
    return;
  image = describe_image (replica, grain, &frame);
  result = gst_orch_ocr_engine_recognize (replica->engine, &frame, image.dpi,
      nobody_waits, grain);
  gst_video_frame_unmap (&frame);

  switch (result) {
    case GST_ORCH_OCR_DONE:
      present_text (replica, grain, &image);
      break;
    case GST_ORCH_OCR_STOPPED:
      /* No outcome: whoever waited for one has gone. */
      break;
    case GST_ORCH_OCR_FAILED:
      fail_grain (grain, "recognition-failed",
          "Tesseract could not recognize this image.");
      break;
  }
}

static gboolean
gst_orch_tesseract_function_run (GstOrchFunction * function,
    gpointer replica_data, GstOrchBatch * batch, GError ** error)
{
  guint n = gst_orch_batch_get_size (batch);
  guint i;

  for (i = 0; i < n && !gst_orch_batch_is_cancelled (batch); i++) {
    Grain grain = { batch, i };

    if (gst_orch_batch_is_wanted (batch, i))
      run_grain (replica_data, &grain);
    /* A page takes about a second: do not make it wait for its batch mates. */
    gst_orch_batch_commit (batch);
  }
  return TRUE;
}

static GstCaps *
gst_orch_tesseract_function_negotiate (GstOrchFunction * function,
    GstCaps * caps, GError ** error)
{
  GstOrchTesseractFunction *self = GST_ORCH_TESSERACT_FUNCTION (function);
  GstOrchOcrOutput output;

  GST_OBJECT_LOCK (self);
  output = self->output;
  GST_OBJECT_UNLOCK (self);
  return gst_orch_ocr_output_get_caps (output);
}

/* ---- object ---- */

static void
gst_orch_tesseract_function_set_property (GObject * object, guint prop_id,
    const GValue * value, GParamSpec * pspec)
{
  GstOrchTesseractFunction *self = GST_ORCH_TESSERACT_FUNCTION (object);

  GST_OBJECT_LOCK (self);
  switch (prop_id) {
    case PROP_LANGUAGE:
      g_free (self->config.language);
      self->config.language = g_value_dup_string (value);
      if (!self->config.language)
        self->config.language = g_strdup (DEFAULT_LANGUAGE);
      break;
    case PROP_DATAPATH:
      g_free (self->config.datapath);
      self->config.datapath = g_value_dup_string (value);
      break;
    case PROP_PSM:
      self->config.psm = g_value_get_enum (value);
      break;
    case PROP_OEM:
      self->config.oem = g_value_get_enum (value);
      break;
    case PROP_OUTPUT:
      self->output = g_value_get_enum (value);
      break;
    case PROP_DPI:
      self->dpi = g_value_get_int (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_orch_tesseract_function_get_property (GObject * object, guint prop_id,
    GValue * value, GParamSpec * pspec)
{
  GstOrchTesseractFunction *self = GST_ORCH_TESSERACT_FUNCTION (object);

  GST_OBJECT_LOCK (self);
  switch (prop_id) {
    case PROP_LANGUAGE:
      g_value_set_string (value, self->config.language);
      break;
    case PROP_DATAPATH:
      g_value_set_string (value, self->config.datapath);
      break;
    case PROP_PSM:
      g_value_set_enum (value, self->config.psm);
      break;
    case PROP_OEM:
      g_value_set_enum (value, self->config.oem);
      break;
    case PROP_OUTPUT:
      g_value_set_enum (value, self->output);
      break;
    case PROP_DPI:
      g_value_set_int (value, self->dpi);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_orch_tesseract_function_finalize (GObject * object)
{
  GstOrchTesseractFunction *self = GST_ORCH_TESSERACT_FUNCTION (object);

  g_free (self->config.language);
  g_free (self->config.datapath);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
install_properties (GObjectClass * object_class)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
      | GST_PARAM_MUTABLE_READY;

  g_object_class_install_property (object_class, PROP_LANGUAGE,
      g_param_spec_string ("language", "Language",
          "Languages of the text, as Tesseract names them, joined by '+': "
          "\"eng+deu\" (each needs its package tesseract-ocr-...)",
          DEFAULT_LANGUAGE, flags));
  g_object_class_install_property (object_class, PROP_DATAPATH,
      g_param_spec_string ("datapath", "Data path",
          "Folder of the *.traineddata files (NULL: Tesseract's own)", NULL,
          flags));
  g_object_class_install_property (object_class, PROP_PSM,
      g_param_spec_enum ("psm", "Page segmentation mode",
          "What Tesseract takes the image for", GST_TYPE_ORCH_OCR_PSM,
          DEFAULT_PSM, flags));
  g_object_class_install_property (object_class, PROP_OEM,
      g_param_spec_enum ("oem", "OCR engine mode",
          "Which of Tesseract's engines to use", GST_TYPE_ORCH_OCR_OEM,
          DEFAULT_OEM, flags));
  g_object_class_install_property (object_class, PROP_OUTPUT,
      g_param_spec_enum ("output", "Output", "What to make of the page",
          GST_TYPE_ORCH_OCR_OUTPUT, DEFAULT_OUTPUT, flags));
  g_object_class_install_property (object_class, PROP_DPI,
      g_param_spec_int ("dpi", "DPI",
          "Resolution of images whose Item names none, in dots per inch "
          "(0: let Tesseract assume 70 and estimate)", 0, 9600, DEFAULT_DPI,
          flags));
}

static void
gst_orch_tesseract_function_class_init (GstOrchTesseractFunctionClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);

  object_class->set_property = gst_orch_tesseract_function_set_property;
  object_class->get_property = gst_orch_tesseract_function_get_property;
  object_class->finalize = gst_orch_tesseract_function_finalize;
  install_properties (object_class);

  function_class->negotiate = gst_orch_tesseract_function_negotiate;
  function_class->setup = gst_orch_tesseract_function_setup;
  function_class->run = gst_orch_tesseract_function_run;
  function_class->teardown = gst_orch_tesseract_function_teardown;
  gst_orch_function_class_set_metadata (function_class, "Tesseract OCR",
      "Reads the text of images with Tesseract", "the gst-orch authors");
  gst_orch_function_class_set_caps (function_class,
      gst_caps_from_string (GST_VIDEO_CAPS_MAKE ("{ GRAY8, RGB, BGRx }")),
      gst_caps_from_string ("text/x-raw, format=utf8; application/json; "
          "text/html"));
}

static void
gst_orch_tesseract_function_init (GstOrchTesseractFunction * self)
{
  self->config.language = g_strdup (DEFAULT_LANGUAGE);
  self->config.psm = DEFAULT_PSM;
  self->config.oem = DEFAULT_OEM;
  self->output = DEFAULT_OUTPUT;
  self->dpi = DEFAULT_DPI;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/**
 * SECTION:element-orchonnx
 * @title: orchonnx
 *
 * Function `onnx`: what a model in an ONNX file makes of images, a batch at a time.
 *
 * The model has one input with 4 dimensions, of float32, float16 or uint8: images, 1 or 3
 * channels before or within the pixels. The first dimension is the batch. If the model
 * leaves it open a batch is what batch-size says, or less; else images are given in
 * batches of the model's own size, and empty places are filled with 0. Batches mix images
 * of any documents, sizes and formats; each is resized (bilinear) and becomes
 * (value x scale - mean) / std.
 *
 * What comes out is one of
 *
 * * `output=tensors`: the numbers as they are, as `other/tensors` of NNStreamer
 * * `output=topk`: `{"top":[{"index":3,"label":"cat","score":0.97},...]}`
 * * `output=embedding`: `{"embedding":[0.25,...]}`
 *
 * A model is loaded once for all replicas, and for all elements that name it with the same
 * provider and threads. A file that is no model, or wants something else than images, is an
 * error before data flow that says what was expected and found.
 *
 * |[
 * gst-launch-1.0 orchsrc location=docs ! orchpdfpages ! orchexpand ! \
 *     orchpdfrender dpi=50 ! orchonnx model=classifier.onnx output=embedding ! \
 *     orchreduce ! orchsink location=out.jsonl
 * ]|
 */

#include "gstorchonnx.h"

#include "onnxoutput.h"
#include "onnxtensors.h"

#define CAUSE_DOMAIN "onnx"

#define DEFAULT_PROVIDER ONNX_PROVIDER_AUTO
#define DEFAULT_THREADS 1
#define DEFAULT_RESIZE TENSOR_RESIZE_STRETCH
#define DEFAULT_LAYOUT ONNX_LAYOUT_AUTO
#define DEFAULT_COLOURS TENSOR_CHANNELS_RGB
#define DEFAULT_MEAN "0"
#define DEFAULT_STD "1"
#define DEFAULT_OUTPUT ONNX_OUTPUT_TENSORS
#define DEFAULT_TOP 5

enum
{
  PROP_0,
  PROP_MODEL,
  PROP_PROVIDER,
  PROP_THREADS,
  PROP_WIDTH,
  PROP_HEIGHT,
  PROP_RESIZE,
  PROP_BORDER,
  PROP_LAYOUT,
  PROP_COLOURS,
  PROP_SCALE,
  PROP_MEAN,
  PROP_STD,
  PROP_OUTPUT,
  PROP_OUTPUT_NAME,
  PROP_TOP,
  PROP_SOFTMAX,
  PROP_LABELS,
  PROP_NORMALIZE,
};

struct _GstOrchOnnxFunction
{
  GstOrchFunction parent;

  /* Protected by the object lock.  Not yet made of their texts: mean, std and labels. */
  gchar *model, *mean, *std, *output_name, *labels;
  OnnxProvider provider;
  gint n_threads;
  OnnxInputSettings input;
  OnnxOutputSettings output;
  GstCaps *caps;                /* what comes out, once the model was asked; or NULL */
};

/* What the properties say, made sense of. */
typedef struct
{
  gchar *model, *output_name;
  OnnxProvider provider;
  gint n_threads;
  OnnxInputSettings input;
  OnnxOutputSettings output;
} Settings;

typedef struct
{
  Settings settings;
  OnnxRunner *runner;
  GstCaps *caps;
  GArray *added;                /* of guint: the Grains whose images wait for a run */
} Replica;

#define gst_orch_onnx_function_parent_class parent_class
G_DEFINE_FINAL_TYPE (GstOrchOnnxFunction, gst_orch_onnx_function,
    GST_TYPE_ORCH_FUNCTION);

/* ---- settings ---- */

static void
settings_clear (Settings * settings)
{
  g_free (settings->model);
  g_free (settings->output_name);
  g_strfreev (settings->output.labels);
}

static gboolean
parse_scaling (Settings * settings, const gchar * mean, const gchar * std,
    GError ** error)
{
  OnnxInputSettings *input = &settings->input;
  guint i;

  if (!onnx_input_parse_numbers (mean, "mean", input->mean, error)
      || !onnx_input_parse_numbers (std, "std", input->std, error))
    return FALSE;
  for (i = 0; i < TENSOR_MAX_CHANNELS; i++)
    if (input->std[i] == 0) {
      g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
          "std=\"%s\" divides by 0.", std);
      return FALSE;
    }
  return TRUE;
}

/* `settings` is to be cleared in any case. */
static gboolean
read_settings (GstOrchOnnxFunction * self, Settings * settings, GError ** error)
{
  g_autofree gchar *mean = NULL, *std = NULL, *labels = NULL;

  GST_OBJECT_LOCK (self);
  settings->model = g_strdup (self->model);
  settings->output_name = g_strdup (self->output_name);
  settings->provider = self->provider;
  settings->n_threads = self->n_threads;
  settings->input = self->input;
  settings->output = self->output;
  mean = g_strdup (self->mean);
  std = g_strdup (self->std);
  labels = g_strdup (self->labels);
  GST_OBJECT_UNLOCK (self);

  if (!onnx_model_find (settings->model, error)
      || !parse_scaling (settings, mean, std, error))
    return FALSE;
  if (labels)
    settings->output.labels = onnx_output_read_labels (labels, error);
  return !labels || settings->output.labels;
}

static OnnxRunner *
make_runner (const Settings * settings, GError ** error)
{
  OnnxModelOptions options = { settings->model, settings->provider,
    settings->n_threads
  };
  OnnxModel *model = onnx_model_open (&options, error);

  if (!model)
    return NULL;
  return onnx_runner_new (model, &settings->input, settings->output_name,
      settings->output.kind != ONNX_OUTPUT_TENSORS, error);
}

static gboolean
gst_orch_onnx_function_check (GstOrchFunction * function, GError ** error)
{
  Settings settings = { NULL, };
  gboolean done =
      read_settings (GST_ORCH_ONNX_FUNCTION (function), &settings, error);

  settings_clear (&settings);
  return done;
}

/* (transfer full) */
static GstCaps *
get_caps (GstOrchOnnxFunction * self)
{
  GstCaps *caps = NULL;

  GST_OBJECT_LOCK (self);
  gst_caps_replace (&caps, self->caps);
  GST_OBJECT_UNLOCK (self);
  return caps;
}

static void
set_caps (GstOrchOnnxFunction * self, GstCaps * caps)
{
  GST_OBJECT_LOCK (self);
  gst_caps_replace (&self->caps, caps);
  GST_OBJECT_UNLOCK (self);
}

/* Whatever the size of the input, so the model is asked once. */
static GstCaps *
gst_orch_onnx_function_negotiate (GstOrchFunction * function, GstCaps * caps,
    GError ** error)
{
  GstOrchOnnxFunction *self = GST_ORCH_ONNX_FUNCTION (function);
  GstCaps *result = get_caps (self);
  Settings settings = { NULL, };
  g_autoptr (OnnxRunner) runner = NULL;

  if (result)
    return result;
  if (read_settings (self, &settings, error))
    runner = make_runner (&settings, error);
  if (runner)
    result = onnx_output_get_caps (&settings.output, runner, error);
  settings_clear (&settings);
  set_caps (self, result);
  return result;
}

/* ---- replicas ---- */

static void
replica_free (Replica * replica)
{
  g_clear_pointer (&replica->runner, onnx_runner_free);
  gst_clear_caps (&replica->caps);
  g_array_unref (replica->added);
  settings_clear (&replica->settings);
  g_free (replica);
}

static gboolean
gst_orch_onnx_function_setup (GstOrchFunction * function,
    gpointer * replica_data, GError ** error)
{
  GstOrchOnnxFunction *self = GST_ORCH_ONNX_FUNCTION (function);
  Replica *replica = g_new0 (Replica, 1);

  replica->added = g_array_new (FALSE, FALSE, sizeof (guint));
  if (read_settings (self, &replica->settings, error))
    replica->runner = make_runner (&replica->settings, error);
  if (replica->runner)
    replica->caps = onnx_output_get_caps (&replica->settings.output,
        replica->runner, error);
  if (!replica->caps) {
    replica_free (replica);
    return FALSE;
  }
  set_caps (self, replica->caps);
  *replica_data = replica;
  return TRUE;
}

static void
gst_orch_onnx_function_teardown (GstOrchFunction * function,
    gpointer replica_data)
{
  replica_free (replica_data);
}

/* ---- a batch ---- */

static void
present (Replica * replica, GstOrchBatch * batch, guint image, guint index)
{
  GstBuffer *buffer =
      onnx_output_make (&replica->settings.output, replica->runner, image);

  if (buffer)
    gst_orch_batch_present (batch, index, buffer, replica->caps);
  else
    gst_orch_batch_fail_record (batch, index,
        gst_orch_cause_new_literal (CAUSE_DOMAIN, "not-finite",
            "The model gives numbers that are infinite or none: its type may be "
            "too small for this input, or scale, mean and std are not those it "
            "was trained with."));
}

/* All that was added. */
static gboolean
run_images (Replica * replica, GstOrchBatch * batch, GError ** error)
{
  guint i, n = replica->added->len;

  if (n == 0)
    return TRUE;
  if (!onnx_runner_run (replica->runner, error))
    return FALSE;
  for (i = 0; i < n; i++)
    present (replica, batch, i, g_array_index (replica->added, guint, i));
  g_array_set_size (replica->added, 0);
  gst_orch_batch_commit (batch);
  return TRUE;
}

static gboolean
add_image (Replica * replica, GstOrchBatch * batch, guint index,
    GError ** error)
{
  FrameImage image;
  gboolean done;

  if (!frame_image_map (&image, gst_orch_batch_get_buffer (batch, index),
          gst_orch_batch_get_caps (batch, index))) {
    gst_orch_batch_fail_record (batch, index,
        gst_orch_cause_new_literal (CAUSE_DOMAIN, "bad-image",
            "The buffer does not hold the image that its caps describe."));
    return TRUE;
  }
  done = onnx_runner_add (replica->runner, &image, error);
  frame_image_unmap (&image);
  if (done)
    g_array_append_val (replica->added, index);
  return done;
}

static gboolean
gst_orch_onnx_function_run (GstOrchFunction * function, gpointer replica_data,
    GstOrchBatch * batch, GError ** error)
{
  Replica *replica = replica_data;
  guint n = gst_orch_batch_get_size (batch), i;

  onnx_runner_clear (replica->runner);
  g_array_set_size (replica->added, 0);
  for (i = 0; i < n && !gst_orch_batch_is_cancelled (batch); i++) {
    if (!gst_orch_batch_is_wanted (batch, i))
      continue;
    if (!add_image (replica, batch, i, error))
      return FALSE;
    if (onnx_runner_is_full (replica->runner)
        && !run_images (replica, batch, error))
      return FALSE;
  }
  return gst_orch_batch_is_cancelled (batch)
      || run_images (replica, batch, error);
}

/* ---- object ---- */

static void
set_text (gchar ** text, const GValue * value, const gchar * otherwise)
{
  g_free (*text);
  *text = g_value_dup_string (value);
  if (!*text)
    *text = g_strdup (otherwise);
}

static void
gst_orch_onnx_function_set_property (GObject * object, guint prop_id,
    const GValue * value, GParamSpec * pspec)
{
  GstOrchOnnxFunction *self = GST_ORCH_ONNX_FUNCTION (object);

  GST_OBJECT_LOCK (self);
  gst_clear_caps (&self->caps);
  switch (prop_id) {
    case PROP_MODEL:
      set_text (&self->model, value, NULL);
      break;
    case PROP_PROVIDER:
      self->provider = g_value_get_enum (value);
      break;
    case PROP_THREADS:
      self->n_threads = g_value_get_int (value);
      break;
    case PROP_WIDTH:
      self->input.width = g_value_get_int (value);
      break;
    case PROP_HEIGHT:
      self->input.height = g_value_get_int (value);
      break;
    case PROP_RESIZE:
      self->input.resize = g_value_get_enum (value);
      break;
    case PROP_BORDER:
      self->input.border = g_value_get_int (value);
      break;
    case PROP_LAYOUT:
      self->input.layout = g_value_get_enum (value);
      break;
    case PROP_COLOURS:
      self->input.colours = g_value_get_enum (value);
      break;
    case PROP_SCALE:
      self->input.scale = g_value_get_double (value);
      break;
    case PROP_MEAN:
      set_text (&self->mean, value, DEFAULT_MEAN);
      break;
    case PROP_STD:
      set_text (&self->std, value, DEFAULT_STD);
      break;
    case PROP_OUTPUT:
      self->output.kind = g_value_get_enum (value);
      break;
    case PROP_OUTPUT_NAME:
      set_text (&self->output_name, value, NULL);
      break;
    case PROP_TOP:
      self->output.top = g_value_get_uint (value);
      break;
    case PROP_SOFTMAX:
      self->output.softmax = g_value_get_boolean (value);
      break;
    case PROP_LABELS:
      set_text (&self->labels, value, NULL);
      break;
    case PROP_NORMALIZE:
      self->output.normalize = g_value_get_boolean (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_orch_onnx_function_get_property (GObject * object, guint prop_id,
    GValue * value, GParamSpec * pspec)
{
  GstOrchOnnxFunction *self = GST_ORCH_ONNX_FUNCTION (object);

  GST_OBJECT_LOCK (self);
  switch (prop_id) {
    case PROP_MODEL:
      g_value_set_string (value, self->model);
      break;
    case PROP_PROVIDER:
      g_value_set_enum (value, self->provider);
      break;
    case PROP_THREADS:
      g_value_set_int (value, self->n_threads);
      break;
    case PROP_WIDTH:
      g_value_set_int (value, self->input.width);
      break;
    case PROP_HEIGHT:
      g_value_set_int (value, self->input.height);
      break;
    case PROP_RESIZE:
      g_value_set_enum (value, self->input.resize);
      break;
    case PROP_BORDER:
      g_value_set_int (value, self->input.border);
      break;
    case PROP_LAYOUT:
      g_value_set_enum (value, self->input.layout);
      break;
    case PROP_COLOURS:
      g_value_set_enum (value, self->input.colours);
      break;
    case PROP_SCALE:
      g_value_set_double (value, self->input.scale);
      break;
    case PROP_MEAN:
      g_value_set_string (value, self->mean);
      break;
    case PROP_STD:
      g_value_set_string (value, self->std);
      break;
    case PROP_OUTPUT:
      g_value_set_enum (value, self->output.kind);
      break;
    case PROP_OUTPUT_NAME:
      g_value_set_string (value, self->output_name);
      break;
    case PROP_TOP:
      g_value_set_uint (value, self->output.top);
      break;
    case PROP_SOFTMAX:
      g_value_set_boolean (value, self->output.softmax);
      break;
    case PROP_LABELS:
      g_value_set_string (value, self->labels);
      break;
    case PROP_NORMALIZE:
      g_value_set_boolean (value, self->output.normalize);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_orch_onnx_function_finalize (GObject * object)
{
  GstOrchOnnxFunction *self = GST_ORCH_ONNX_FUNCTION (object);

  g_free (self->model);
  g_free (self->mean);
  g_free (self->std);
  g_free (self->output_name);
  g_free (self->labels);
  gst_clear_caps (&self->caps);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

#define FLAGS (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY)

static void
install_model_properties (GObjectClass * object_class)
{
  g_object_class_install_property (object_class, PROP_MODEL,
      g_param_spec_string ("model", "Model", "The ONNX file", NULL, FLAGS));
  g_object_class_install_property (object_class, PROP_PROVIDER,
      g_param_spec_enum ("provider", "Provider", "What the model runs on",
          ONNX_TYPE_PROVIDER, DEFAULT_PROVIDER, FLAGS));
  g_object_class_install_property (object_class, PROP_THREADS,
      g_param_spec_int ("threads", "Threads",
          "Threads that work on one batch on the processor (0: one for each "
          "core); more replicas are another way to use them", 0, 1024,
          DEFAULT_THREADS, FLAGS));
}

static void
install_size_properties (GObjectClass * object_class)
{
  g_object_class_install_property (object_class, PROP_WIDTH,
      g_param_spec_int ("width", "Width", "Width of the model's images, in "
          "pixels (0: what the model says)", 0, 16384, 0, FLAGS));
  g_object_class_install_property (object_class, PROP_HEIGHT,
      g_param_spec_int ("height", "Height", "Height of the model's images, in "
          "pixels (0: what the model says)", 0, 16384, 0, FLAGS));
  g_object_class_install_property (object_class, PROP_RESIZE,
      g_param_spec_enum ("resize", "Resize",
          "How an image of another shape is made to fit", ONNX_TYPE_RESIZE,
          DEFAULT_RESIZE, FLAGS));
  g_object_class_install_property (object_class, PROP_BORDER,
      g_param_spec_int ("border", "Border",
          "Grey of the border of resize=letterbox (0 black to 255 white)", 0,
          255, 0, FLAGS));
}

static void
install_number_properties (GObjectClass * object_class)
{
  g_object_class_install_property (object_class, PROP_LAYOUT,
      g_param_spec_enum ("layout", "Layout",
          "Where the model's channels are", ONNX_TYPE_LAYOUT, DEFAULT_LAYOUT,
          FLAGS));
  g_object_class_install_property (object_class, PROP_COLOURS,
      g_param_spec_enum ("colours", "Colours",
          "Order of the channels of a model that has three",
          ONNX_TYPE_COLOURS, DEFAULT_COLOURS, FLAGS));
  g_object_class_install_property (object_class, PROP_SCALE,
      g_param_spec_double ("scale", "Scale",
          "What values, 0 to 255, are multiplied by (0: 1/255, or 1 for models "
          "that take uint8)", 0, G_MAXFLOAT, 0, FLAGS));
  g_object_class_install_property (object_class, PROP_MEAN,
      g_param_spec_string ("mean", "Mean",
          "What is subtracted then: one number, or one for each channel in the "
          "model's order, as in \"0.485,0.456,0.406\"", DEFAULT_MEAN, FLAGS));
  g_object_class_install_property (object_class, PROP_STD,
      g_param_spec_string ("std", "Standard deviation",
          "What it is divided by then: one number, or one for each channel in "
          "the model's order, as in \"0.229,0.224,0.225\"", DEFAULT_STD,
          FLAGS));
}

static void
install_output_properties (GObjectClass * object_class)
{
  g_object_class_install_property (object_class, PROP_OUTPUT,
      g_param_spec_enum ("output", "Output",
          "What to make of what the model says", ONNX_TYPE_OUTPUT_KIND,
          DEFAULT_OUTPUT, FLAGS));
  g_object_class_install_property (object_class, PROP_OUTPUT_NAME,
      g_param_spec_string ("output-name", "Output name",
          "The only output of the model that counts (NULL: all for tensors, else "
          "the first)", NULL, FLAGS));
  g_object_class_install_property (object_class, PROP_TOP,
      g_param_spec_uint ("top", "Top", "How many of the largest numbers topk "
          "names", 1, 1000, DEFAULT_TOP, FLAGS));
  g_object_class_install_property (object_class, PROP_SOFTMAX,
      g_param_spec_boolean ("softmax", "Softmax",
          "Whether topk makes shares, which sum up to 1, of the numbers", FALSE,
          FLAGS));
  g_object_class_install_property (object_class, PROP_LABELS,
      g_param_spec_string ("labels", "Labels",
          "File with a name for each number of topk, one a line", NULL, FLAGS));
  g_object_class_install_property (object_class, PROP_NORMALIZE,
      g_param_spec_boolean ("normalize", "Normalize",
          "Whether an embedding is made 1 long", FALSE, FLAGS));
}

static void
gst_orch_onnx_function_class_init (GstOrchOnnxFunctionClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);

  object_class->set_property = gst_orch_onnx_function_set_property;
  object_class->get_property = gst_orch_onnx_function_get_property;
  object_class->finalize = gst_orch_onnx_function_finalize;
  install_model_properties (object_class);
  install_size_properties (object_class);
  install_number_properties (object_class);
  install_output_properties (object_class);

  function_class->check = gst_orch_onnx_function_check;
  function_class->negotiate = gst_orch_onnx_function_negotiate;
  function_class->setup = gst_orch_onnx_function_setup;
  function_class->run = gst_orch_onnx_function_run;
  function_class->teardown = gst_orch_onnx_function_teardown;
  gst_orch_function_class_set_metadata (function_class, "ONNX model",
      "Runs an ONNX model on images", "the gst-orch authors");
  gst_orch_function_class_set_caps (function_class,
      gst_caps_from_string (GST_VIDEO_CAPS_MAKE (FRAME_IMAGE_FORMATS)),
      gst_caps_from_string (ONNX_TENSORS_CAPS "; application/json"));
}

static void
gst_orch_onnx_function_init (GstOrchOnnxFunction * self)
{
  self->provider = DEFAULT_PROVIDER;
  self->n_threads = DEFAULT_THREADS;
  self->input.resize = DEFAULT_RESIZE;
  self->input.layout = DEFAULT_LAYOUT;
  self->input.colours = DEFAULT_COLOURS;
  self->mean = g_strdup (DEFAULT_MEAN);
  self->std = g_strdup (DEFAULT_STD);
  self->output.kind = DEFAULT_OUTPUT;
  self->output.top = DEFAULT_TOP;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/**
 * SECTION:element-orchframestats
 * @title: orchframestats
 *
 * Function `frame-stats`: what a frame looks like, or the frames of a clip, as JSON.
 *
 * Of a frame it says (luma from 0, black, to 255, white, whatever the range of the
 * format):
 *
 * * `width`, `height`: in pixels
 * * `luma`, `contrast`: mean and standard deviation of luma
 * * `sharpness`: variance of the Laplacian of luma, small for what is blurred
 * * `colourfulness`: by Hasler and Suesstrunk: 0 for grey, above 80 for vivid
 * * `dark`: share of black pixels (0 to 1), and `black`: whether it is at least
 *   `black-share`
 * * `border`: `left`, `top`, `right`, `bottom`: black rows and columns at the edges,
 *   in pixels, as of letterboxed film; none of a black frame
 * * `hash`: 64 bits in hexadecimal digits, which differ in few bits for pictures
 *   that look alike
 * * `motion`: mean difference of luma from the frame before, and `frozen`: whether it
 *   is at most `frozen-level`; null if there is no such frame
 *
 * A frame that comes alone has none before it, since frames of many videos take turns.
 * So motion is known when a clip comes as one list, as video-decode makes it: then
 * `frames` has the above for each frame, and its `time` (nanoseconds) if it is known,
 * null for one that is missing, and beside it stand the means `luma`, `contrast`,
 * `sharpness`, `colourfulness` and `motion`, the shares of `black` and `frozen` frames
 * (0 to 1), and the `border` that all frames but black ones have.
 *
 * |[
 * gst-launch-1.0 orchsrc location=docs ! orchpdfpages ! orchexpand ! orchpdfrender dpi=50 ! orchframestats ! orchreduce ! orchsink location=out.jsonl
 * ]|
 */

#include "gstorchframestats.h"

#include "framejson.h"

#include <string.h>

#define CAUSE_DOMAIN "frames"

#define DEFAULT_BLACK_LEVEL 26
#define DEFAULT_BLACK_SHARE 0.98
#define DEFAULT_FROZEN_LEVEL 0.25

enum
{
  PROP_0,
  PROP_BLACK_LEVEL,
  PROP_BLACK_SHARE,
  PROP_FROZEN_LEVEL,
};

struct _GstOrchFrameStatsFunction
{
  GstOrchFunction parent;

  FrameLimits limits;           /* protected by the object lock */
};

G_DEFINE_FINAL_TYPE (GstOrchFrameStatsFunction, gst_orch_frame_stats_function,
    GST_TYPE_ORCH_FUNCTION);

/* ---- replicas ---- */

static gboolean
gst_orch_frame_stats_function_setup (GstOrchFunction * function,
    gpointer * replica_data, GError ** error)
{
  *replica_data = frame_meter_new ();
  return TRUE;
}

static void
gst_orch_frame_stats_function_teardown (GstOrchFunction * function,
    gpointer replica_data)
{
  frame_meter_free (replica_data);
}

/* ---- frames ---- */

typedef struct
{
  GstOrchBatch *batch;
  guint index;
  FrameMeter *meter;
  FrameLimits limits;
} Job;

static void
fail (Job * job, guint64 ordinal, gboolean is_list)
{
  GstOrchCause *cause = is_list
      ? gst_orch_cause_new (CAUSE_DOMAIN, "bad-frame", "Element %"
      G_GUINT64_FORMAT " of the list does not hold a frame of the formats "
      FRAME_IMAGE_FORMATS ".", ordinal)
      : gst_orch_cause_new_literal (CAUSE_DOMAIN, "bad-frame",
      "The buffer does not hold the frame that its caps describe.");

  gst_orch_batch_fail_record (job->batch, job->index, cause);
}

static gboolean
measure (Job * job, GstBuffer * buffer, GstCaps * caps, FrameMeasure * measure)
{
  FrameImage image;

  if (!frame_image_map (&image, buffer, caps))
    return FALSE;
  frame_meter_measure (job->meter, &image, &job->limits, measure);
  frame_image_unmap (&image);
  return TRUE;
}

static void
present (Job * job, GString * json)
{
  g_autoptr (GstCaps) caps = gst_caps_new_empty_simple ("application/json");
  gsize size = json->len;

  gst_orch_batch_present (job->batch, job->index,
      gst_buffer_new_wrapped (g_string_free (json, FALSE), size), caps);
}

static void
run_frame (Job * job, GstBuffer * buffer, GstCaps * caps)
{
  FrameMeasure result;
  GString *json;

  if (!measure (job, buffer, caps, &result)) {
    fail (job, 0, FALSE);
    return;
  }
  json = g_string_new (NULL);
  frame_json_append (json, &result, NULL);
  present (job, json);
}

/* As video-decode notes it. */
static gboolean
get_time (const GstOrchListElement * element, gint64 * time)
{
  return element->info && gst_structure_get_int64 (element->info, "time", time);
}

/* The frames of a clip that are there, in their order.  FALSE: one is none, or nobody
 * waits any more. */
static gboolean
measure_list (Job * job, GstOrchList * list, FrameTotals * totals,
    GString * json)
{
  guint i, n = gst_orch_list_get_size (list);

  for (i = 0; i < n; i++) {
    const GstOrchListElement *element = gst_orch_list_get (list, i);
    FrameMeasure result;
    gint64 time;

    if (!gst_orch_batch_is_wanted (job->batch, job->index))
      return FALSE;
    if (i > 0)
      g_string_append_c (json, ',');
    if (!element->buffer) {
      g_string_append (json, "null");
      continue;
    }
    if (!measure (job, element->buffer, element->caps, &result)) {
      fail (job, element->ordinal, TRUE);
      return FALSE;
    }
    frame_totals_add (totals, &result);
    frame_json_append (json, &result, get_time (element, &time) ? &time : NULL);
  }
  return TRUE;
}

static void
run_list (Job * job, GstOrchList * list)
{
  GString *frames = g_string_new (NULL), *json;
  FrameTotals totals = { 0, };

  if (measure_list (job, list, &totals, frames)) {
    json = g_string_new ("{");
    frame_json_append_totals (json, &totals);
    g_string_append_printf (json, ",\"frames\":[%s]}", frames->str);
    present (job, json);
  }
  g_string_free (frames, TRUE);
}

static void
run_grain (Job * job)
{
  GstBuffer *buffer = gst_orch_batch_get_buffer (job->batch, job->index);
  GstOrchList *list = gst_orch_buffer_get_list (buffer);

  frame_meter_begin (job->meter);
  if (list)
    run_list (job, list);
  else
    run_frame (job, buffer, gst_orch_batch_get_caps (job->batch, job->index));
}

static gboolean
gst_orch_frame_stats_function_run (GstOrchFunction * function,
    gpointer replica_data, GstOrchBatch * batch, GError ** error)
{
  GstOrchFrameStatsFunction *self = GST_ORCH_FRAME_STATS_FUNCTION (function);
  guint i, n = gst_orch_batch_get_size (batch);
  FrameLimits limits;

  GST_OBJECT_LOCK (self);
  limits = self->limits;
  GST_OBJECT_UNLOCK (self);
  for (i = 0; i < n && !gst_orch_batch_is_cancelled (batch); i++) {
    Job job = { batch, i, replica_data, limits };

    if (gst_orch_batch_is_wanted (batch, i))
      run_grain (&job);
  }
  return TRUE;
}

static GstCaps *
gst_orch_frame_stats_function_negotiate (GstOrchFunction * function,
    GstCaps * caps, GError ** error)
{
  return gst_caps_new_empty_simple ("application/json");
}

/* ---- object ---- */

static void
gst_orch_frame_stats_function_set_property (GObject * object, guint prop_id,
    const GValue * value, GParamSpec * pspec)
{
  GstOrchFrameStatsFunction *self = GST_ORCH_FRAME_STATS_FUNCTION (object);

  GST_OBJECT_LOCK (self);
  switch (prop_id) {
    case PROP_BLACK_LEVEL:
      self->limits.black_level = g_value_get_uint (value);
      break;
    case PROP_BLACK_SHARE:
      self->limits.black_share = g_value_get_double (value);
      break;
    case PROP_FROZEN_LEVEL:
      self->limits.frozen_level = g_value_get_double (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_orch_frame_stats_function_get_property (GObject * object, guint prop_id,
    GValue * value, GParamSpec * pspec)
{
  GstOrchFrameStatsFunction *self = GST_ORCH_FRAME_STATS_FUNCTION (object);

  GST_OBJECT_LOCK (self);
  switch (prop_id) {
    case PROP_BLACK_LEVEL:
      g_value_set_uint (value, self->limits.black_level);
      break;
    case PROP_BLACK_SHARE:
      g_value_set_double (value, self->limits.black_share);
      break;
    case PROP_FROZEN_LEVEL:
      g_value_set_double (value, self->limits.frozen_level);
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

  g_object_class_install_property (object_class, PROP_BLACK_LEVEL,
      g_param_spec_uint ("black-level", "Black level",
          "Luma up to which a pixel is black (0 to 255)", 0, 255,
          DEFAULT_BLACK_LEVEL, flags));
  g_object_class_install_property (object_class, PROP_BLACK_SHARE,
      g_param_spec_double ("black-share", "Black share",
          "Share of black pixels that makes a frame black, and a row or column at "
          "its edge part of the border (0 to 1)", 0, 1, DEFAULT_BLACK_SHARE, flags));
  g_object_class_install_property (object_class, PROP_FROZEN_LEVEL,
      g_param_spec_double ("frozen-level", "Frozen level",
          "Mean difference of luma from the frame before up to which a frame is "
          "frozen (0 to 255)", 0, 255, DEFAULT_FROZEN_LEVEL, flags));
}

static void
gst_orch_frame_stats_function_class_init (GstOrchFrameStatsFunctionClass *
    klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);

  object_class->set_property = gst_orch_frame_stats_function_set_property;
  object_class->get_property = gst_orch_frame_stats_function_get_property;
  install_properties (object_class);

  function_class->negotiate = gst_orch_frame_stats_function_negotiate;
  function_class->setup = gst_orch_frame_stats_function_setup;
  function_class->run = gst_orch_frame_stats_function_run;
  function_class->teardown = gst_orch_frame_stats_function_teardown;
  gst_orch_function_class_set_metadata (function_class, "Frame statistics",
      "Says how bright, sharp, colourful, black or frozen frames are",
      "the gst-orch authors");
  gst_orch_function_class_set_caps (function_class,
      gst_caps_from_string (GST_VIDEO_CAPS_MAKE (FRAME_IMAGE_FORMATS) "; "
          GST_ORCH_LIST_CAPS),
      gst_caps_new_empty_simple ("application/json"));
}

static void
gst_orch_frame_stats_function_init (GstOrchFrameStatsFunction * self)
{
  self->limits = (FrameLimits) { DEFAULT_BLACK_LEVEL, DEFAULT_BLACK_SHARE,
    DEFAULT_FROZEN_LEVEL
  };
}

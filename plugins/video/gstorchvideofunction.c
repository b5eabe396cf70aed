/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchvideofunction.h"

#include <libavutil/log.h>

#define CAUSE_DOMAIN "video"

GST_DEBUG_CATEGORY_STATIC (orchvideo_debug);
#define GST_CAT_DEFAULT orchvideo_debug

G_DEFINE_ABSTRACT_TYPE (GstOrchVideoFunction, gst_orch_video_function,
    GST_TYPE_ORCH_FUNCTION);

/* ---- what FFmpeg says ---- */

static GstDebugLevel
get_debug_level (gint level)
{
  if (level <= AV_LOG_ERROR)
    return GST_LEVEL_DEBUG;
  return level <= AV_LOG_INFO ? GST_LEVEL_LOG : GST_LEVEL_TRACE;
}

static void
log_message (gpointer context, gint level, const gchar * format, va_list args)
{
  gst_debug_log_valist (GST_CAT_DEFAULT, get_debug_level (level), "ffmpeg",
      "", 0, NULL, format, args);
}

/* FFmpeg prints, unless somebody takes what it says; so does the plugin of
 * FFmpeg's decoders, and either will do. */
static void
take_messages (void)
{
  static gsize taken = 0;

  if (g_once_init_enter (&taken)) {
    GST_DEBUG_CATEGORY_INIT (orchvideo_debug, "orchvideo", 0,
        "video Functions");
    av_log_set_callback (log_message);
    g_once_init_leave (&taken, 1);
  }
}

/* ---- grains ---- */

gboolean
gst_orch_video_grain_is_wanted (gpointer grain)
{
  GstOrchVideoGrain *self = grain;

  return gst_orch_batch_is_wanted (self->batch, self->index)
      && !gst_orch_batch_is_cancelled (self->batch);
}

GstOrchCause *
gst_orch_video_cause_new (const GError * error)
{
  return gst_orch_cause_new_literal (CAUSE_DOMAIN, video_error_get_code (error),
      error->message);
}

static void
run_grain (GstOrchVideoFunction * self, gpointer replica_data,
    GstOrchBatch * batch, guint index)
{
  GstOrchVideoFunctionClass *klass = GST_ORCH_VIDEO_FUNCTION_GET_CLASS (self);
  g_autoptr (GError) error = NULL;

  /* What nobody wants any more has no outcome. */
  if (!klass->process (self, replica_data, batch, index, &error)
      && !g_error_matches (error, VIDEO_ERROR, VIDEO_ERROR_CANCELLED))
    gst_orch_batch_fail_record (batch, index,
        gst_orch_video_cause_new (error));
}

static gboolean
gst_orch_video_function_run (GstOrchFunction * function, gpointer replica_data,
    GstOrchBatch * batch, GError ** error)
{
  guint n = gst_orch_batch_get_size (batch);
  guint i;

  for (i = 0; i < n && !gst_orch_batch_is_cancelled (batch); i++) {
    if (gst_orch_batch_is_wanted (batch, i))
      run_grain (GST_ORCH_VIDEO_FUNCTION (function), replica_data, batch, i);
    gst_orch_batch_commit (batch);
  }
  return TRUE;
}

static void
gst_orch_video_function_class_init (GstOrchVideoFunctionClass * klass)
{
  GST_ORCH_FUNCTION_CLASS (klass)->run = gst_orch_video_function_run;
  take_messages ();
}

static void
gst_orch_video_function_init (GstOrchVideoFunction * self)
{
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchgstanswer.h"

#include <gst/video/video.h>
#include <string.h>

/* A broken stream may be worth a warning for each of its frames. */
#define MAX_WARNINGS 8
/* What an empty buffer counts as: without end, they would fill the memory, too. */
#define BUFFER_SIZE 512

void
gst_orch_gst_answer_init (GstOrchGstAnswer * self, guint64 max_size)
{
  memset (self, 0, sizeof *self);
  self->max_size = max_size;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->samples =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gst_sample_unref);
  self->warnings = g_ptr_array_new_with_free_func (g_free);
  gst_segment_init (&self->segment, GST_FORMAT_UNDEFINED);
}

void
gst_orch_gst_answer_clear (GstOrchGstAnswer * self)
{
  gst_orch_gst_answer_begin (self);
  g_ptr_array_unref (self->samples);
  g_ptr_array_unref (self->warnings);
  gst_clear_caps (&self->caps);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
}

void
gst_orch_gst_answer_begin (GstOrchGstAnswer * self)
{
  g_mutex_lock (&self->lock);
  g_ptr_array_set_size (self->samples, 0);
  g_ptr_array_set_size (self->warnings, 0);
  g_clear_pointer (&self->code, g_free);
  g_clear_pointer (&self->message, g_free);
  self->size = 0;
  self->ended = FALSE;
  self->flushed = FALSE;
  self->closed = FALSE;
  g_mutex_unlock (&self->lock);
}

void
gst_orch_gst_answer_close (GstOrchGstAnswer * self)
{
  g_mutex_lock (&self->lock);
  self->closed = TRUE;
  g_mutex_unlock (&self->lock);
}

/* ---- how it ends ---- */

static void
fail (GstOrchGstAnswer * self, const gchar * code, gchar * message)
{
  g_mutex_lock (&self->lock);
  if (!self->code && !self->closed) {
    self->code = g_strdup (code);
    self->message = g_steal_pointer (&message);
    g_cond_broadcast (&self->changed);
  }
  g_mutex_unlock (&self->lock);
  g_free (message);
}

void
gst_orch_gst_answer_fail (GstOrchGstAnswer * self, const gchar * code,
    const gchar * format, ...)
{
  va_list args;

  va_start (args, format);
  fail (self, code, g_strdup_vprintf (format, args));
  va_end (args);
}

void
gst_orch_gst_answer_interrupt (GstOrchGstAnswer * self)
{
  g_mutex_lock (&self->lock);
  self->interrupted = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

static inline gboolean
is_over (GstOrchGstAnswer * self)
{
  return self->ended || self->code || self->interrupted;
}

gboolean
gst_orch_gst_answer_is_over (GstOrchGstAnswer * self)
{
  gboolean over;

  g_mutex_lock (&self->lock);
  over = is_over (self);
  g_mutex_unlock (&self->lock);
  return over;
}

gboolean
gst_orch_gst_answer_is_interrupted (GstOrchGstAnswer * self)
{
  gboolean interrupted;

  g_mutex_lock (&self->lock);
  interrupted = self->interrupted;
  g_mutex_unlock (&self->lock);
  return interrupted;
}

void
gst_orch_gst_answer_wait (GstOrchGstAnswer * self)
{
  g_mutex_lock (&self->lock);
  while (!is_over (self))
    g_cond_wait (&self->changed, &self->lock);
  g_mutex_unlock (&self->lock);
}

gchar *
gst_orch_gst_answer_explain (const GstOrchGstAnswer * self)
{
  GString *text = g_string_new (self->message);
  guint i;

  for (i = 0; i < self->warnings->len; i++) {
    const gchar *warning = g_ptr_array_index (self->warnings, i);

    if (text->len && strstr (text->str, warning))
      continue;
    g_string_append_printf (text, "%s%s", text->len ? "; before that: " : "",
        warning);
  }
  return g_string_free (text, FALSE);
}

/* ---- what comes out ---- */

/* The time that an element has made of that of the input, in its own segment: x264enc,
 * for one, begins at 1000 hours. */
static GstClockTime
to_input_time (const GstSegment * segment, GstClockTime time)
{
  guint64 running_time;

  /* avenc_mpeg4, for another, has no idea at times, and says -2^63. */
  if (time > G_MAXINT64
      || gst_segment_to_running_time_full (segment, GST_FORMAT_TIME, time,
          &running_time) < 0)
    return GST_CLOCK_TIME_NONE;
  return running_time;
}

static GstBuffer *
set_times (const GstSegment * segment, GstBuffer * buffer)
{
  GstClockTime pts, dts;

  if (segment->format != GST_FORMAT_TIME)
    return buffer;
  pts = to_input_time (segment, GST_BUFFER_PTS (buffer));
  dts = to_input_time (segment, GST_BUFFER_DTS (buffer));
  if (pts == GST_BUFFER_PTS (buffer) && dts == GST_BUFFER_DTS (buffer))
    return buffer;
  buffer = gst_buffer_make_writable (buffer);
  GST_BUFFER_PTS (buffer) = pts;
  GST_BUFFER_DTS (buffer) = dts;
  return buffer;
}

static GstFlowReturn
take (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstOrchGstAnswer *self = gst_pad_get_element_private (pad);
  gboolean fits, closed;

  buffer = set_times (&self->segment, buffer);
  g_mutex_lock (&self->lock);
  self->size += gst_buffer_get_size (buffer) + BUFFER_SIZE;
  fits = self->size <= self->max_size;
  closed = self->closed;
  if (fits && !closed)
    g_ptr_array_add (self->samples, gst_sample_new (buffer, self->caps, NULL,
            NULL));
  g_mutex_unlock (&self->lock);
  gst_buffer_unref (buffer);
  if (fits || closed)
    return closed ? GST_FLOW_FLUSHING : GST_FLOW_OK;
  gst_orch_gst_answer_fail (self, "too-large", "what the bin makes of it is "
      "more than %" G_GUINT64_FORMAT " bytes (max-size)", self->max_size);
  return GST_FLOW_ERROR;
}

/* Before the frame itself is allocated. */
static gboolean
set_caps (GstOrchGstAnswer * self, GstEvent * event)
{
  GstVideoInfo info;
  GstCaps *caps;

  gst_event_parse_caps (event, &caps);
  if (gst_structure_has_name (gst_caps_get_structure (caps, 0), "video/x-raw")
      && gst_video_info_from_caps (&info, caps)
      && GST_VIDEO_INFO_SIZE (&info) > self->max_size) {
    gst_orch_gst_answer_fail (self, "too-large", "a frame of %dx%d is more than "
        "%" G_GUINT64_FORMAT " bytes (max-size)", GST_VIDEO_INFO_WIDTH (&info),
        GST_VIDEO_INFO_HEIGHT (&info), self->max_size);
    return FALSE;
  }
  gst_caps_replace (&self->caps, caps);
  return TRUE;
}

static void
note (GstOrchGstAnswer * self, gboolean * what)
{
  g_mutex_lock (&self->lock);
  *what = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

static gboolean
take_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstOrchGstAnswer *self = gst_pad_get_element_private (pad);
  gboolean ok = TRUE;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      ok = set_caps (self, event);
      break;
    case GST_EVENT_SEGMENT:
      gst_event_copy_segment (event, &self->segment);
      break;
    case GST_EVENT_EOS:
      note (self, &self->ended);
      break;
    case GST_EVENT_FLUSH_STOP:
      note (self, &self->flushed);
      break;
    default:
      break;
  }
  gst_event_unref (event);
  return ok;
}

/* Without a template it would want what it had before. */
static GstStaticPadTemplate take_template =
GST_STATIC_PAD_TEMPLATE ("take", GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS_ANY);

GstPad *
gst_orch_gst_answer_make_pad (GstOrchGstAnswer * self)
{
  GstPad *pad = gst_object_ref_sink (gst_pad_new_from_static_template
      (&take_template, "take"));

  gst_clear_caps (&self->caps);
  gst_segment_init (&self->segment, GST_FORMAT_UNDEFINED);
  gst_pad_set_element_private (pad, self);
  gst_pad_set_chain_function (pad, take);
  gst_pad_set_event_function (pad, take_event);
  return pad;
}

/* ---- what is posted ---- */

/* (transfer full): its name; of the numbered one that it has by itself, which differs
 * from bin to bin, what is ahead of the number. */
static gchar *
get_name (GstObject * element)
{
  const gchar *name = GST_OBJECT_NAME (element);
  const gchar *type = G_OBJECT_TYPE_NAME (element);
  gsize length = strlen (name);

  while (length > 0 && g_ascii_isdigit (name[length - 1]))
    length--;
  if (g_str_has_prefix (type, "Gst"))
    type += strlen ("Gst");
  if (strlen (type) != length || g_ascii_strncasecmp (type, name, length) != 0)
    length = strlen (name);
  return g_strndup (name, length);
}

/* (transfer full): "jpegdec: Failed to decode (unsupported marker)".  Before the
 * first line break `debug` says where in the source it was. */
static gchar *
describe (GstMessage * message, const GError * error, const gchar * debug)
{
  const gchar *detail = debug ? strchr (debug, '\n') : NULL;
  g_autofree gchar *line = detail ? g_strdup (detail + 1) : NULL;
  g_autofree gchar *name = get_name (GST_MESSAGE_SRC (message));

  if (line)
    g_strchomp (g_strdelimit (line, "\n", ' '));
  if (line && *line && !strstr (error->message, line))
    return g_strdup_printf ("%s: %s (%s)", name, error->message, line);
  return g_strdup_printf ("%s: %s", name, error->message);
}

static void
take_error (GstOrchGstAnswer * self, GstMessage * message)
{
  GError *error;
  gchar *debug;

  gst_message_parse_error (message, &error, &debug);
  fail (self, "element-error", describe (message, error, debug));
  g_error_free (error);
  g_free (debug);
}

static void
take_warning (GstOrchGstAnswer * self, GstMessage * message)
{
  GError *error;
  gchar *debug;

  gst_message_parse_warning (message, &error, &debug);
  g_mutex_lock (&self->lock);
  if (self->warnings->len < MAX_WARNINGS && !self->closed)
    g_ptr_array_add (self->warnings, describe (message, error, debug));
  g_mutex_unlock (&self->lock);
  g_error_free (error);
  g_free (debug);
}

static GstBusSyncReply
take_message (GstBus * bus, GstMessage * message, gpointer data)
{
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    take_error (data, message);
  else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING)
    take_warning (data, message);
  gst_message_unref (message);
  return GST_BUS_DROP;
}

GstBus *
gst_orch_gst_answer_make_bus (GstOrchGstAnswer * self)
{
  GstBus *bus = gst_bus_new ();

  gst_bus_set_sync_handler (bus, take_message, self, NULL);
  return bus;
}

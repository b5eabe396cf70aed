/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchgstrunner.h"
#include "gstorchgstbin.h"

struct _GstOrchGstRunner
{
  gchar *description;
  GstOrchGstReuse reuse;
  GstOrchGstAnswer answer;
  guint n_bins;

  GstElement *bin;              /* (nullable) */
  gboolean forgets;             /* a flush makes it new */
  gboolean reads_files;
  GstPad *take;
  GstCaps *caps;                /* (nullable): sent last */

  GstOrchGstWatch *watch;
  GMutex lock;                  /* for who interrupts */
  GstPad *feed;                 /* (nullable): on it */
};

/* ---- the bin ---- */

static void
set_feed (GstOrchGstRunner * self, GstPad * feed)
{
  GstPad *old;

  g_mutex_lock (&self->lock);
  old = self->feed;
  self->feed = feed;
  g_mutex_unlock (&self->lock);
  gst_clear_object (&old);
}

static void
discard (GstOrchGstRunner * self)
{
  if (!self->bin)
    return;
  gst_element_set_state (self->bin, GST_STATE_NULL);
  gst_pad_set_active (self->feed, FALSE);
  gst_pad_set_active (self->take, FALSE);
  gst_element_set_bus (self->bin, NULL);
  set_feed (self, NULL);
  gst_clear_object (&self->take);
  gst_clear_object (&self->bin);
  gst_clear_caps (&self->caps);
}

/* What elements ask of what is upstream (to seek, less quality, other caps) is not to
 * be had. */
static gboolean
ignore_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  gboolean ok = GST_EVENT_TYPE (event) != GST_EVENT_SEEK;

  gst_event_unref (event);
  return ok;
}

static void
link_ends (GstOrchGstRunner * self)
{
  GstPad *feed = gst_object_ref_sink (gst_pad_new ("feed", GST_PAD_SRC));
  GstPad *sink = gst_element_get_static_pad (self->bin, "sink");
  GstPad *src = gst_element_get_static_pad (self->bin, "src");

  self->take = gst_orch_gst_answer_make_pad (&self->answer);
  gst_pad_set_event_function (feed, ignore_event);
  gst_pad_link_full (feed, sink, GST_PAD_LINK_CHECK_NOTHING);
  gst_pad_link_full (src, self->take, GST_PAD_LINK_CHECK_NOTHING);
  gst_pad_set_active (feed, TRUE);
  gst_pad_set_active (self->take, TRUE);
  set_feed (self, feed);
  gst_object_unref (sink);
  gst_object_unref (src);
}

static gboolean
start (GstOrchGstRunner * self, GError ** error)
{
  g_autofree gchar *reason = NULL;

  /* Playing, since some wait until then.  There is no clock to go by. */
  if (gst_element_set_state (self->bin, GST_STATE_PLAYING)
      != GST_STATE_CHANGE_FAILURE)
    return gst_pad_push_event (self->feed, gst_event_new_stream_start ("orch"));
  reason = gst_orch_gst_answer_explain (&self->answer);
  g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_STATE_CHANGE,
      "bin=\"%s\" does not start: %s", self->description,
      *reason ? reason : "its elements say no reason");
  discard (self);
  return FALSE;
}

static gboolean
ensure_bin (GstOrchGstRunner * self, gboolean strict, GError ** error)
{
  GstBus *bus;

  if (self->bin)
    return TRUE;
  self->bin = gst_orch_gst_bin_new (self->description, error);
  if (!self->bin)
    return FALSE;
  if (strict)
    gst_orch_gst_bin_make_strict (self->bin);
  self->n_bins++;
  self->forgets = self->reuse == GST_ORCH_GST_REUSE_ALWAYS
      || (self->reuse == GST_ORCH_GST_REUSE_AUTO
      && gst_orch_gst_bin_forgets (self->bin));
  self->reads_files = gst_orch_gst_bin_reads_files (self->bin);
  bus = gst_orch_gst_answer_make_bus (&self->answer);
  gst_element_set_bus (self->bin, bus);
  gst_object_unref (bus);
  link_ends (self);
  return start (self, error);
}

/* ---- one buffer ---- */

static gboolean
has_name (GstCaps * caps, const gchar * suffix)
{
  return caps && g_str_has_suffix (gst_structure_get_name
      (gst_caps_get_structure (caps, 0)), suffix);
}

static void
say_refused (GstOrchGstRunner * self, GstCaps * caps)
{
  g_autofree gchar *given = gst_caps_to_string (caps);
  GstCaps *wanted = gst_pad_peer_query_caps (self->feed, NULL);
  g_autofree gchar *text = gst_caps_to_string (wanted);

  gst_orch_gst_answer_fail (&self->answer, "not-negotiated",
      "the bin does not take %s; it takes %s", given, text);
  gst_caps_unref (wanted);
}

/* If an element has said why, that stays. */
static void
say_not_taken (GstOrchGstRunner * self, GstFlowReturn flow)
{
  if (flow != GST_FLOW_NOT_NEGOTIATED)
    gst_orch_gst_answer_fail (&self->answer, "element-error",
        "its elements gave up (%s) without saying why",
        gst_flow_get_name (flow));
  else if (self->caps)
    gst_orch_gst_answer_fail (&self->answer, "not-negotiated",
        "its elements could not agree on a format");
  else
    gst_orch_gst_answer_fail (&self->answer, "not-negotiated",
        "its elements have to be told of what kind the bytes are: begin with "
        "typefind, decodebin, or capssetter");
}

/* A file has no time, only its parts have. */
static void
push_segment (GstOrchGstRunner * self)
{
  GstSegment segment;

  gst_segment_init (&segment, self->reads_files
      && !has_name (self->caps, "/x-raw") ? GST_FORMAT_BYTES : GST_FORMAT_TIME);
  gst_pad_push_event (self->feed, gst_event_new_segment (&segment));
}

/* Bytes of whatever kind have no caps: typefind would believe them. */
static gboolean
set_caps (GstOrchGstRunner * self, GstCaps * caps)
{
  if (!caps || has_name (caps, "/octet-stream")
      || (self->caps && gst_caps_is_equal (caps, self->caps)))
    return TRUE;
  if (!gst_pad_peer_query_accept_caps (self->feed, caps)) {
    say_refused (self, caps);
    return FALSE;
  }
  gst_caps_replace (&self->caps, caps);
  gst_pad_push_event (self->feed, gst_event_new_caps (caps));
  return TRUE;
}

static void
end_stream (GstOrchGstRunner * self)
{
  if (!gst_pad_push_event (self->feed, gst_event_new_eos ())
      && !gst_orch_gst_answer_is_over (&self->answer))
    gst_orch_gst_answer_fail (&self->answer, "element-error",
        "its elements did not take the end of the stream");
  gst_orch_gst_answer_wait (&self->answer);
}

static void
feed (GstOrchGstRunner * self, GstBuffer * buffer, GstCaps * caps)
{
  GstFlowReturn flow;

  if (!set_caps (self, caps))
    return;
  push_segment (self);
  flow = gst_pad_push (self->feed, gst_buffer_ref (buffer));
  if (flow != GST_FLOW_OK && flow != GST_FLOW_EOS)
    say_not_taken (self, flow);
  else if (!gst_orch_gst_answer_is_over (&self->answer))
    end_stream (self);
}

/* ---- after it ---- */

static gboolean
flush (GstOrchGstRunner * self)
{
  return gst_pad_push_event (self->feed, gst_event_new_flush_start ())
      && gst_pad_push_event (self->feed, gst_event_new_flush_stop (TRUE))
      && self->answer.flushed;
}

static gboolean
has_value (GstOrchGstRunner * self)
{
  return !self->answer.code && self->answer.samples->len > 0;
}

/* Ready for the next buffer, or gone. */
static void
reset (GstOrchGstRunner * self)
{
  if (!self->forgets || !flush (self))
    discard (self);
}

/* FALSE with `error` set: there is no bin. */
static gboolean
attempt (GstOrchGstRunner * self, gboolean strict, GstBuffer * buffer,
    GstCaps * caps, GError ** error)
{
  gboolean ok;

  gst_orch_gst_answer_begin (&self->answer);
  ok = ensure_bin (self, strict, error);
  /* An interrupt that came while there was no bin has found nothing to flush. */
  if (ok && !gst_orch_gst_answer_is_interrupted (&self->answer))
    feed (self, buffer, caps);
  gst_orch_gst_answer_close (&self->answer);
  return ok;
}

/* What elements keep over a flush must not decide that there is no value, and decoders
 * pass over errors: so a new bin that does not has the last word. */
static gboolean
ask_again (GstOrchGstRunner * self, GstBuffer * buffer, GstCaps * caps,
    GError ** error)
{
  gboolean ok;

  discard (self);
  ok = attempt (self, TRUE, buffer, caps, error);
  discard (self);
  return ok;
}

static GstOrchGstResult
run (GstOrchGstRunner * self, GstBuffer * buffer, GstCaps * caps,
    GError ** error)
{
  gboolean ok = attempt (self, FALSE, buffer, caps, error);

  if (ok && has_value (self))
    reset (self);
  else if (ok && !gst_orch_gst_answer_is_interrupted (&self->answer))
    ok = ask_again (self, buffer, caps, error);
  if (gst_orch_gst_answer_is_interrupted (&self->answer))
    return GST_ORCH_GST_INTERRUPTED;
  return ok ? GST_ORCH_GST_ANSWERED : GST_ORCH_GST_BROKEN;
}

GstOrchGstResult
gst_orch_gst_runner_run (GstOrchGstRunner * self, gpointer work,
    GstBuffer * buffer, GstCaps * caps, GError ** error)
{
  GstOrchGstResult result;

  gst_orch_gst_watch_begin (self->watch, work);
  result = run (self, buffer, caps, error);
  gst_orch_gst_watch_end (self->watch);
  /* It may have come after the last look. */
  if (self->answer.interrupted)
    discard (self);
  self->answer.interrupted = FALSE;
  gst_buffer_unref (buffer);
  return result;
}

/* From the thread that watches: what runs now ends. */
static void
interrupt (gpointer data)
{
  GstOrchGstRunner *self = data;
  GstPad *feed;

  gst_orch_gst_answer_interrupt (&self->answer);
  g_mutex_lock (&self->lock);
  feed = self->feed ? gst_object_ref (self->feed) : NULL;
  g_mutex_unlock (&self->lock);
  if (!feed)
    return;
  /* Whatever waits in there is told to give up. */
  gst_pad_push_event (feed, gst_event_new_flush_start ());
  gst_object_unref (feed);
}

/* ---- object ---- */

GstOrchGstRunner *
gst_orch_gst_runner_new (const gchar * description, GstOrchGstReuse reuse,
    guint64 max_size, GstOrchGstWatchIsWanted is_wanted, GError ** error)
{
  GstOrchGstRunner *self = g_new0 (GstOrchGstRunner, 1);

  self->description = g_strdup (description);
  self->reuse = reuse;
  g_mutex_init (&self->lock);
  gst_orch_gst_answer_init (&self->answer, max_size);
  self->watch = gst_orch_gst_watch_new (is_wanted, interrupt, self);
  if (ensure_bin (self, FALSE, error))
    return self;
  gst_orch_gst_runner_free (self);
  return NULL;
}

void
gst_orch_gst_runner_free (GstOrchGstRunner * self)
{
  gst_orch_gst_watch_free (self->watch);
  discard (self);
  gst_orch_gst_answer_clear (&self->answer);
  g_mutex_clear (&self->lock);
  g_free (self->description);
  g_free (self);
}

const GstOrchGstAnswer *
gst_orch_gst_runner_get_answer (GstOrchGstRunner * self)
{
  return &self->answer;
}

void
gst_orch_gst_runner_forget (GstOrchGstRunner * self)
{
  gst_orch_gst_answer_begin (&self->answer);
  gst_orch_gst_answer_close (&self->answer);
}

guint
gst_orch_gst_runner_get_n_bins (GstOrchGstRunner * self)
{
  return self->n_bins;
}

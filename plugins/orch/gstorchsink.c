/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/**
 * SECTION:element-orchsink
 * @title: orchsink
 *
 * Writes one record for each unit of the Domain it is given, normally for each
 * document: a line of JSON that docs/record.schema.json describes.  Failures are
 * records too, so that there are as many records as documents.
 *
 * With a location that has placeholders each unit's content goes to a file of
 * its own, and the records, without content, to `orch-records.jsonl` in the
 * folder ahead of the first placeholder: {stem} (the document's name without
 * extension), {dir} (its folder, relative to the working directory if it lies
 * below), {id} (the record's id), {page}.  A name that another unit has already
 * gets a suffix.
 *
 * With `files`, values that are pictures, sound or film (image/jpeg, video/quicktime ...)
 * go to files below that folder, a folder for each document.  The record names them, in
 * the info of each value (`file`), relative to its own folder if they lie below that.
 * They are written ahead of the record; what a killed run has left without one is
 * written again under the same name.
 *
 * With `shards` they go to tar archives instead, `000000.tar` and so on, as WebDataset
 * reads them: the media of a record under its key (`film-3f2a91c0be12.0002-0007.jpg`),
 * then the record (`film-3f2a91c0be12.json`).  A shard ends after `shard-records` or
 * `shard-bytes`; it has its name, and its documents their records, when it is whole.
 * The info of each record names it (`shard`).
 *
 * Beside the record file, `<file>.run.json` tells what made it.  With
 * existing=resume the documents that have a record are skipped, if the pipeline
 * is the same in all that results depend on.
 *
 * With stop-after the run ends with an error, which names the commonest cause, when
 * so many documents fail that it cannot be them.
 *
 * Element messages: `orch-failure` for each incomplete record (id, uri, path,
 * outcome, summary, and the cause's domain, code, message and call), and at the
 * end `orch-summary` (documents, complete, incomplete, skipped, forgotten,
 * finished, and failures by cause with counts and examples) and `orch-ledger`.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 orchsrc location=docs ! orchpdfpages ! orchexpand ! orchpdftext ! orchreduce ! orchsink location=out.jsonl
 * ]|
 * |[
 * gst-launch-1.0 orchsrc location=docs ! orchpdfpages ! orchexpand ! orchpdftext ! orchreduce ! orchsink format=text location="texts/{dir}/{stem}.txt"
 * ]|
 * |[
 * gst-launch-1.0 orchsrc location=docs ! orchpdfpages ! orchexpand ! orchpdfrender ! pngenc ! orchreduce ! orchsink location=out.jsonl files=pictures
 * ]|
 */

#include "gstorchsink-private.h"

#include <gst/orch/gstorchplan-private.h>

GST_DEBUG_CATEGORY_STATIC (gst_orch_sink_debug);
#define GST_CAT_DEFAULT gst_orch_sink_debug

/* Any caps, so that what does not fit gets an error that says what to do. */
static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

G_DEFINE_TYPE (GstOrchSink, gst_orch_sink, GST_TYPE_ELEMENT);
GST_ELEMENT_REGISTER_DEFINE (orchsink, "orchsink", GST_RANK_NONE,
    GST_TYPE_ORCH_SINK);

/* ---- a run ---- */

void
gst_orch_sink_post_error (GstOrchSink * self, const GError * error)
{
  if (error->domain == GST_ORCH_RECORD_ERROR)
    GST_ELEMENT_ERROR (self, STREAM, WRONG_TYPE, ("%s", error->message),
        (NULL));
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE))
    GST_ELEMENT_ERROR (self, RESOURCE, NO_SPACE_LEFT,
        ("%s. What was written before is whole; existing=resume goes on from "
            "there.", error->message), (NULL));
  else
    GST_ELEMENT_ERROR (self, RESOURCE, WRITE, ("%s", error->message), (NULL));
}

static gboolean
open_output (GstOrchSink * self)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *location = NULL, *files = NULL, *shards = NULL;
  GstOrchOutputConfig config = { NULL, };

  GST_OBJECT_LOCK (self);
  location = g_strdup (self->location);
  config.files = files = g_strdup (self->files);
  config.shards.folder = shards = g_strdup (self->shards);
  config.shards.max_records = self->shard_records;
  config.shards.max_bytes = self->shard_bytes;
  config.format = self->format;
  config.content_format = self->content_format;
  config.existing = self->existing;
  config.retry_failed = self->retry_failed;
  config.durability = self->durability;
  self->run_order = self->order;
  self->resuming = self->existing == GST_ORCH_EXISTING_RESUME
      || self->existing == GST_ORCH_EXISTING_RESUME_ANY;
  GST_OBJECT_UNLOCK (self);
  if (!location) {
    GST_ELEMENT_ERROR (self, RESOURCE, NOT_FOUND,
        ("%s has no location to write to.", GST_OBJECT_NAME (self)), (NULL));
    return FALSE;
  }
  config.location = location;
  config.header = gst_orch_run_header_new (GST_ELEMENT (self));
  self->output = gst_orch_output_open (&config, &error);
  gst_orch_run_header_free (config.header);
  if (!self->output)
    GST_ELEMENT_ERROR (self, RESOURCE, OPEN_WRITE, ("%s", error->message),
        (NULL));
  return self->output != NULL;
}

static void
report_cut (GstOrchSink * self)
{
  guint64 n =
      gst_orch_record_writer_get_n_cut (gst_orch_output_get_writer
      (self->output));

  if (n)
    GST_ELEMENT_INFO (self, RESOURCE, WRITE,
        ("Cut off %" G_GUINT64_FORMAT " bytes of an unfinished record.", n),
        (NULL));
}

/* From whichever thread posts it. */
static void
note_error (GstBus * bus, GstMessage * message, GstOrchSink * self)
{
  g_atomic_int_set (&self->failed, TRUE);
  gst_orch_subscriber_wake (self->input);
}

/* (transfer full): the pipeline, as a rule */
static GstObject *
get_top (GstOrchSink * self)
{
  GstObject *top = gst_object_ref (GST_OBJECT (self)), *parent;

  while ((parent = gst_object_get_parent (top))) {
    gst_object_unref (top);
    top = parent;
  }
  return top;
}

/* What an element loses in an error has no time to be told of by its pads: the
 * error is posted before. */
static void
watch_errors (GstOrchSink * self)
{
  GstObject *top = get_top (self);

  g_atomic_int_set (&self->failed, FALSE);
  self->watched = gst_element_get_bus (GST_ELEMENT (top));
  gst_object_unref (top);
  if (!self->watched)
    return;
  gst_bus_enable_sync_message_emission (self->watched);
  self->watch = g_signal_connect_object (self->watched, "sync-message::error",
      G_CALLBACK (note_error), self, 0);
}

static void
unwatch_errors (GstOrchSink * self)
{
  if (!self->watched)
    return;
  g_signal_handler_disconnect (self->watched, self->watch);
  gst_bus_disable_sync_message_emission (self->watched);
  gst_clear_object (&self->watched);
}

static gboolean
start (GstOrchSink * self)
{
  if (!open_output (self))
    return FALSE;
  report_cut (self);
  g_mutex_lock (&self->lock);
  self->flow = GST_FLOW_OK;
  self->eos = self->done = self->eos_posted = self->stopping = FALSE;
  self->summary = gst_orch_summary_new ();
  self->ledger = (GstOrchLedger) { 0, };
  g_mutex_unlock (&self->lock);
  watch_errors (self);
  gst_task_start (self->task);
  return TRUE;
}

/* A shard that is stopped midway holds whole documents. */
static void
keep_what_is_written (GstOrchSink * self)
{
  g_autoptr (GError) error = NULL;

  if (!gst_orch_output_finish (self->output, &error))
    GST_ELEMENT_WARNING (self, RESOURCE, WRITE, ("%s", error->message), (NULL));
}

static void
stop (GstOrchSink * self)
{
  g_mutex_lock (&self->lock);
  self->stopping = TRUE;
  g_mutex_unlock (&self->lock);
  gst_task_stop (self->task);
  gst_orch_subscriber_wake (self->input);
  gst_task_join (self->task);
  unwatch_errors (self);

  if (!self->done && self->flow == GST_FLOW_OK)
    keep_what_is_written (self);
  if (!self->done)
    gst_orch_sink_post_summary (self, FALSE);
  gst_orch_subscriber_reset (self->input);
  gst_orch_sink_clear_queue (self);
  g_ptr_array_set_size (self->runs, 0);
  gst_clear_caps (&self->caps);
  g_clear_pointer (&self->summary, gst_orch_summary_free);
  g_clear_pointer (&self->output, gst_orch_output_free);
}

static void
set_playing (GstOrchSink * self, gboolean playing)
{
  g_mutex_lock (&self->lock);
  self->playing = playing;
  /* a bin forgets the EOS of before when it plays again */
  self->eos_posted = FALSE;
  g_mutex_unlock (&self->lock);
  if (playing)
    gst_orch_sink_post_eos (self);
}

static GstStateChangeReturn
gst_orch_sink_change_state (GstElement * element, GstStateChange transition)
{
  GstOrchSink *self = GST_ORCH_SINK (element);
  GstStateChangeReturn result;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED
      && (!gst_orch_plan_check (element) || !start (self)))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_PLAYING_TO_PAUSED)
    set_playing (self, FALSE);

  result = GST_ELEMENT_CLASS (gst_orch_sink_parent_class)->change_state
      (element, transition);
  if (result == GST_STATE_CHANGE_FAILURE) {
    if (transition == GST_STATE_CHANGE_READY_TO_PAUSED)
      stop (self);
    return result;
  }
  if (transition == GST_STATE_CHANGE_PAUSED_TO_PLAYING)
    set_playing (self, TRUE);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    stop (self);
  return result;
}

/* ---- the type ---- */

gboolean
gst_orch_sink_takes_media (GstOrchSink * self)
{
  gboolean result;

  GST_OBJECT_LOCK (self);
  result = self->files || self->shards;
  GST_OBJECT_UNLOCK (self);
  return result;
}

static gchar *
refuse (GstPad * sinkpad, GstCaps * caps)
{
  GstOrchSink *self = GST_ORCH_SINK (GST_PAD_PARENT (sinkpad));

  return gst_orch_value_is_possible (caps, gst_orch_sink_takes_media (self))
      ? NULL : gst_orch_value_explain (caps);
}

static void
run_free (gpointer run)
{
  gst_orch_sink_run_free (run);
}

static void
gst_orch_sink_finalize (GObject * object)
{
  GstOrchSink *self = GST_ORCH_SINK (object);

  gst_object_unref (self->task);
  g_rec_mutex_clear (&self->task_lock);
  gst_orch_subscriber_unref (self->input);
  g_ptr_array_unref (self->runs);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->space);
  g_free (self->location);
  g_free (self->files);
  g_free (self->shards);
  G_OBJECT_CLASS (gst_orch_sink_parent_class)->finalize (object);
}

static void
gst_orch_sink_class_init (GstOrchSinkClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (gst_orch_sink_debug, "orchsink", 0,
      "Records of results");
  object_class->set_property = gst_orch_sink_set_property;
  object_class->get_property = gst_orch_sink_get_property;
  object_class->finalize = gst_orch_sink_finalize;
  gst_orch_sink_install_properties (object_class);

  element_class->change_state = gst_orch_sink_change_state;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_set_static_metadata (element_class, "Record sink",
      "Sink/File",
      "Writes one record for each document, failures included",
      "The gst-orch authors");
  gst_element_class_add_static_metadata (element_class,
      GST_ORCH_METADATA_KIND, "sink");
}

static void
gst_orch_sink_init (GstOrchSink * self)
{
  self->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sinkpad, gst_orch_sink_chain);
  gst_pad_set_event_function (self->sinkpad, gst_orch_sink_event);
  gst_pad_set_query_function (self->sinkpad, gst_orch_sink_query);
  gst_pad_set_activatemode_function (self->sinkpad,
      gst_orch_sink_activate_mode);
  gst_element_add_pad (GST_ELEMENT (self), self->sinkpad);

  self->input = gst_orch_subscriber_new (self->sinkpad);
  gst_orch_subscriber_set_refusal (self->input, refuse);
  g_rec_mutex_init (&self->task_lock);
  self->task = gst_task_new (gst_orch_sink_loop, self, NULL);
  gst_task_set_lock (self->task, &self->task_lock);
  gst_orch_sink_init_properties (self);
  g_mutex_init (&self->lock);
  g_cond_init (&self->space);
  g_queue_init (&self->queue);
  self->runs = g_ptr_array_new_with_free_func (run_free);
  GST_OBJECT_FLAG_SET (self, GST_ELEMENT_FLAG_SINK);
}

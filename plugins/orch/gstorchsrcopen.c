/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchsrc-private.h"

#include <gst/orch/gstorchactivity-private.h>
#include <string.h>

/* How long nothing moves before one more document is let in, and before what waits
 * for more of them is told that none will come. */
#define STALL_TIME G_USEC_PER_SEC
#define QUIET_TIME (G_USEC_PER_SEC / 50)
/* With max-open=0. */
#define MIN_AUTO_OPEN 64
#define MAX_AUTO_OPEN 256
/* Between two tries to open a file when there are no descriptors. */
#define RETRY_TIME (G_USEC_PER_SEC / 10)
/* With no document of ours open, waiting helps only if others close theirs. */
#define DESCRIPTOR_PATIENCE (10 * G_USEC_PER_SEC)

/* ---- before the first document ---- */

/* What cannot be read twice is not counted. */
static gboolean
count_documents (GstOrchSrc * self)
{
  GstOrchSourceConfig config = { 0, };
  GstOrchSourceList *list;
  GstOrchSourceEntry entry;
  g_autoptr (GError) error = NULL;
  guint64 total = 0;

  gst_orch_source_list_get_config (self->list, &config);
  if (!gst_orch_source_config_can_repeat (&config)) {
    gst_orch_source_config_clear (&config);
    return TRUE;
  }
  list = gst_orch_source_list_new (&config);
  gst_orch_source_config_clear (&config);
  while (!g_cancellable_is_cancelled (self->cancellable)
      && gst_orch_source_list_next (list, &entry, &error)) {
    gst_orch_source_entry_clear (&entry);
    total++;
  }
  gst_orch_source_list_free (list);
  if (error) {
    GST_ELEMENT_ERROR (self, RESOURCE, NOT_FOUND, ("%s", error->message),
        (NULL));
    return FALSE;
  }
  GST_OBJECT_LOCK (self);
  self->total = total;
  GST_OBJECT_UNLOCK (self);
  return !g_cancellable_is_cancelled (self->cancellable);
}

static gboolean
load_index (GstOrchSrc * self, const gchar * file, gboolean retry_failed)
{
  g_autoptr (GError) error = NULL;

  self->index = gst_orch_record_index_load (file, retry_failed, &error);
  if (!self->index)
    GST_ELEMENT_ERROR (self, RESOURCE, READ,
        ("Cannot resume from %s: %s", file, error->message), (NULL));
  return self->index != NULL;
}

/* What sinks below ask for comes before what the property says. */
static gboolean
read_earlier_records (GstOrchSrc * self)
{
  GstQuery *query = gst_orch_roots_query_new (self->roots);
  GPtrArray *resumes = gst_orch_roots_query_get_resumes (query);
  g_autofree gchar *file = NULL;
  gboolean retry_failed, done = TRUE;

  GST_OBJECT_LOCK (self);
  file = g_strdup (self->resume_from);
  retry_failed = self->retry_failed;
  GST_OBJECT_UNLOCK (self);

  gst_pad_peer_query (GST_BASE_SRC_PAD (self), query);
  if (resumes->len > 1) {
    GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS,
        ("Only one orchsink below %s can resume.", GST_OBJECT_NAME (self)),
        (NULL));
    done = FALSE;
  } else if (resumes->len == 1) {
    GstOrchResume *resume = g_ptr_array_index (resumes, 0);

    gst_orch_roots_set_resumed (self->roots, resume->file);
    done = load_index (self, resume->file, resume->retry_failed);
  } else if (file) {
    done = load_index (self, file, retry_failed);
  }
  gst_query_unref (query);
  return done;
}

gboolean
gst_orch_src_begin (GstOrchSrc * self)
{
  g_clear_pointer (&self->index, gst_orch_record_index_free);
  self->auto_max_open = 0;
  return read_earlier_records (self) && count_documents (self);
}

/* ---- the gate ---- */

/* Each is a file that is open.  On the other hand, documents can only take turns
 * while there are some that have pages left to give. */
static guint
get_max_open (GstOrchSrc * self)
{
  guint max_open;

  GST_OBJECT_LOCK (self);
  max_open = self->max_open;
  GST_OBJECT_UNLOCK (self);
  if (max_open > 0)
    return max_open;
  if (self->auto_max_open == 0)
    self->auto_max_open = CLAMP (gst_orch_port_ask_in_flight (self->output),
        MIN_AUTO_OPEN, MAX_AUTO_OPEN);
  return self->auto_max_open;
}

/* While paused nothing need move, and what a Function works on will. */
static gboolean
is_quiet (GstOrchSrc * self)
{
  GstOrchActivity activity =
      gst_orch_activity_ask (GST_BASE_SRC_PAD (self));
  GstOrchRootsCounts counts;
  gboolean is_playing, has_moved;

  gst_orch_roots_get_counts (self->roots, &counts);
  has_moved = activity.done + counts.closed != self->activity;
  self->activity = activity.done + counts.closed;
  GST_OBJECT_LOCK (self);
  is_playing = GST_STATE (self) == GST_STATE_PLAYING;
  GST_OBJECT_UNLOCK (self);
  return is_playing && !has_moved && !activity.busy;
}

static void
warn_of_stall (GstOrchSrc * self, guint max_open)
{
  if (self->has_warned)
    return;
  self->has_warned = TRUE;
  GST_ELEMENT_WARNING (self, RESOURCE, BUSY,
      ("%u documents are open and nothing has moved for a second, so %s lets in "
          "one more. Set max-open higher.", max_open, GST_OBJECT_NAME (self)),
      ("Something below waits for more documents than max-open allows: a batch "
          "of whole documents that is to be full, or the first document of "
          "order=input. This warning is posted once."));
}

/* FALSE when it was interrupted. */
static gboolean
wait_for_room (GstOrchSrc * self)
{
  guint n_quiet = 0;

  for (;;) {
    guint max_open = get_max_open (self);

    switch (gst_orch_roots_wait (self->roots, max_open,
            g_get_monotonic_time () + QUIET_TIME)) {
      case GST_ORCH_GATE_OPEN:
        return TRUE;
      case GST_ORCH_GATE_INTERRUPTED:
        return FALSE;
      case GST_ORCH_GATE_TIMEOUT:
        break;
    }
    gst_orch_src_post_progress (self, FALSE);
    if (!is_quiet (self)) {
      n_quiet = 0;
      continue;
    }
    gst_orch_activity_hurry (GST_BASE_SRC_PAD (self));
    if (++n_quiet * QUIET_TIME >= STALL_TIME) {
      warn_of_stall (self, max_open);
      return TRUE;
    }
  }
}

/* ---- one document ---- */

typedef struct
{
  GstMemory *memory;            /* (nullable) */
  GstOrchByteInfo bytes;
  gchar *sha256;                /* (nullable) */
  OrchCause *cause;             /* (nullable): why it could not be opened */
} Document;

static void
document_clear (Document * document)
{
  if (document->memory)
    gst_memory_unref (document->memory);
  g_free (document->sha256);
  orch_cause_unref (document->cause);
}

static guint64
count_open (GstOrchSrc * self)
{
  GstOrchRootsCounts counts;

  gst_orch_roots_get_counts (self->roots, &counts);
  return counts.opened - counts.closed;
}

static OrchCause *
new_descriptor_cause (GstOrchSrc * self)
{
  g_autofree gchar *name = gst_orch_bytes_display_name (self->entry.uri);
  g_autofree gchar *message = g_strdup_printf ("There was no file descriptor "
      "left to open %s; allow more (ulimit -n).", name);

  return orch_cause_new (GST_ORCH_SOURCE_DOMAIN, "no-descriptor", message, NULL,
      NULL);
}

/* FALSE when it was interrupted. */
static gboolean
open_patiently (GstOrchSrc * self, Document * document)
{
  GstOrchByteOptions options = { self->max_file_size, FALSE,
    self->cancellable
  };
  gint64 give_up = 0;

  for (;;) {
    gint64 now = g_get_monotonic_time ();

    options.use_reserve = count_open (self) == 0;
    if (gst_orch_bytes_open (self->entry.uri, &options, &document->memory,
            &document->bytes, &document->cause)
        != GST_ORCH_BYTES_NO_DESCRIPTOR)
      return !g_cancellable_is_cancelled (self->cancellable);
    if (!options.use_reserve || !give_up)
      give_up = now + DESCRIPTOR_PATIENCE;
    if (now >= give_up) {
      document->cause = new_descriptor_cause (self);
      return TRUE;
    }
    /* until one of ours is closed, or for a while */
    if (gst_orch_roots_wait (self->roots, count_open (self),
            now + RETRY_TIME) == GST_ORCH_GATE_INTERRUPTED)
      return FALSE;
    gst_orch_src_post_progress (self, FALSE);
  }
}

/* FALSE when it was interrupted. */
static gboolean
open_document (GstOrchSrc * self, Document * document)
{
  memset (document, 0, sizeof *document);
  if (self->entry.cause) {
    document->cause = orch_cause_ref (self->entry.cause);
    return TRUE;
  }
  if (!open_patiently (self, document))
    return FALSE;
  if (document->cause || !self->checksum)
    return TRUE;
  document->sha256 = gst_orch_bytes_checksum (self->entry.uri,
      document->memory, self->cancellable, &document->cause);
  return !g_cancellable_is_cancelled (self->cancellable);
}

/* (transfer full): the last part of a URI as text */
static gchar *
get_name (const gchar * uri)
{
  g_autofree gchar *shown = gst_orch_bytes_display_name (uri);
  const gchar *slash = strrchr (shown, '/');

  return g_strdup (slash && slash[1] ? slash + 1 : shown);
}

/* (transfer full): "pdf"; "" for a name without one, as ".profile" */
static gchar *
get_extension (const gchar * name)
{
  const gchar *dot = strrchr (name, '.');

  return dot && dot != name ? g_ascii_strdown (dot + 1, -1) : g_strdup ("");
}

static GstOrchInfo *
make_info (GstOrchSrc * self, const Document * document)
{
  g_autofree gchar *name = get_name (self->entry.uri);
  g_autofree gchar *extension = get_extension (name);
  GstStructure *info = gst_structure_new ("info",
      "uri", G_TYPE_STRING, self->entry.uri,
      "name", G_TYPE_STRING, name,
      "extension", G_TYPE_STRING, extension, NULL);

  if (document->bytes.known) {
    g_autofree gchar *mtime =
        gst_orch_bytes_format_mtime (document->bytes.mtime);

    gst_structure_set (info,
        "size", G_TYPE_UINT64, document->bytes.size,
        "mtime", G_TYPE_STRING, mtime, NULL);
  }
  if (document->sha256)
    gst_structure_set (info, "sha256", G_TYPE_STRING, document->sha256, NULL);
  if (self->entry.fields)
    gst_structure_set (info, "fields", GST_TYPE_STRUCTURE, self->entry.fields,
        NULL);
  return gst_orch_info_new (info);
}

static void
post_failure (GstOrchSrc * self, OrchEntity * entity, OrchCause * cause,
    GstOrchInfo * info)
{
  g_autofree gchar *path = orch_entity_get_path (entity);
  OrchCause *located = orch_cause_locate (cause, path, GST_OBJECT_NAME (self));

  GST_OBJECT_LOCK (self);
  self->counts.failed++;
  GST_OBJECT_UNLOCK (self);
  gst_orch_port_post_outcome (self->output, entity, ORCH_OUTCOME_FAILED,
      located, info);
  orch_cause_unref (located);
}

static GstBuffer *
make_buffer (GstOrchSrc * self, OrchEntity * entity, Document * document,
    GstOrchInfo * info)
{
  GstBuffer *buffer = gst_buffer_new ();

  if (document->memory)
    gst_buffer_append_memory (buffer, g_steal_pointer (&document->memory));
  GST_BUFFER_OFFSET (buffer) = entity->ordinal;
  return gst_orch_port_stamp (self->output, buffer, orch_entity_ref (entity),
      info);
}

/* Gives the document its Entity. */
static GstBuffer *
publish (GstOrchSrc * self, Document * document)
{
  OrchEntity *entity = gst_orch_roots_open (self->roots);
  GstOrchInfo *info = make_info (self, document);
  GstBuffer *buffer = NULL;

  if (document->cause)
    post_failure (self, entity, document->cause, info);
  else
    buffer = make_buffer (self, entity, document, info);
  gst_orch_info_unref (info);
  orch_entity_unref (entity);
  return buffer;
}

static gboolean
was_done_before (GstOrchSrc * self)
{
  g_autofree gchar *mtime = NULL;
  GstOrchByteInfo bytes = { FALSE, 0, 0 };

  if (!self->index || self->entry_is_due)
    return FALSE;
  if (!self->entry.cause)
    gst_orch_bytes_stat (self->entry.uri, self->cancellable, &bytes);
  if (bytes.known)
    mtime = gst_orch_bytes_format_mtime (bytes.mtime);
  return gst_orch_record_index_take (self->index, self->entry.uri, bytes.size,
      mtime);
}

static GstFlowReturn
read_entry (GstOrchSrc * self)
{
  g_autoptr (GError) error = NULL;

  if (gst_orch_source_list_next (self->list, &self->entry, &error)) {
    self->has_entry = TRUE;
    GST_OBJECT_LOCK (self);
    self->counts.found++;
    GST_OBJECT_UNLOCK (self);
    return GST_FLOW_OK;
  }
  if (error) {
    GST_ELEMENT_ERROR (self, RESOURCE, NOT_FOUND, ("%s", error->message),
        (NULL));
    return GST_FLOW_ERROR;
  }
  GST_OBJECT_LOCK (self);
  self->total = self->counts.found;
  GST_OBJECT_UNLOCK (self);
  return GST_FLOW_EOS;
}

static void
drop_entry (GstOrchSrc * self)
{
  gst_orch_source_entry_clear (&self->entry);
  self->has_entry = FALSE;
  self->entry_is_due = FALSE;
}

GstFlowReturn
gst_orch_src_next_document (GstOrchSrc * self, GstBuffer ** buffer)
{
  Document document;

  if (g_cancellable_is_cancelled (self->cancellable))
    return GST_FLOW_FLUSHING;
  if (!self->has_entry) {
    GstFlowReturn flow = read_entry (self);

    if (flow != GST_FLOW_OK)
      return flow;
  }
  if (was_done_before (self)) {
    gst_orch_roots_skip (self->roots);
    drop_entry (self);
    gst_orch_src_post_progress (self, FALSE);
    return GST_FLOW_OK;
  }
  /* the entry waits for the next try if this one is interrupted */
  if (g_cancellable_is_cancelled (self->cancellable))
    return GST_FLOW_FLUSHING;
  self->entry_is_due = TRUE;
  if (!wait_for_room (self))
    return GST_FLOW_FLUSHING;
  if (!open_document (self, &document)) {
    document_clear (&document);
    return GST_FLOW_FLUSHING;
  }
  *buffer = publish (self, &document);
  document_clear (&document);
  drop_entry (self);
  gst_orch_src_post_progress (self, FALSE);
  return GST_FLOW_OK;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchbatch-private.h"
#include "gstorchfunction-private.h"
#include "gstorchworker-private.h"

#include <gio/gio.h>
#include <string.h>

#define PATIENCE 10000
/* What one message may take to be read, in us. */
#define READING_PATIENCE (30 * G_TIME_SPAN_SECOND)
/* For each Grain of a batch. */
#define MAX_WARNINGS 64
#define MAX_WARNED (64 * 1024)
/* GLib keeps every name that it has met, of fields and structures, for ever.  Some
 * thousands are enough for any pipeline. */
#define MAX_NAMES (1 << 20)
/* After so many KB it is looked how many there are, which costs a name. */
#define COUNT_NAMES_AFTER (16 * 1024)

/* ---- to the worker ---- */

typedef struct
{
  GstOrchSources *sources;
  GstOrchMention *mention;
} Telling;

static gboolean
find_source (gpointer data, GstBuffer * buffer, gboolean is_source,
    GstOrchKnown * known, guint64 * id, gboolean * again)
{
  Telling *telling = data;

  if (!is_source)
    return FALSE;
  *known = GST_ORCH_KNOWN_SOURCE;
  *again = gst_orch_sources_add (telling->sources, telling->mention, buffer,
      id);
  return TRUE;
}

/* Grains of one batch nearly always share their Domain. */
static void
put_entity (GByteArray * body, OrchEntity * entity, OrchDomain * before)
{
  OrchDomain *domain = orch_entity_get_domain (entity);

  gst_orch_put_u32 (body, orch_domain_get_depth (domain) + 1);
  gst_orch_put_u8 (body, domain != before);
  if (domain != before)
    for (; domain; domain = orch_domain_get_parent (domain))
      gst_orch_put_string (body, orch_domain_get_name (domain));
  for (; entity; entity = orch_entity_get_parent (entity))
    gst_orch_put_u64 (body, entity->ordinal);
}

static void
put_grain (GstOrchPacker * packer, GstOrchBatch * batch, guint i)
{
  GByteArray *body = packer->body;
  OrchDomain *before = i ? orch_entity_get_domain
      (gst_orch_batch_get_entity (batch, i - 1)) : NULL;

  put_entity (body, gst_orch_batch_get_entity (batch, i), before);
  gst_orch_put_u32 (body, gst_orch_batch_get_generation (batch, i));
  gst_orch_put_structure (body, gst_orch_batch_get_info (batch, i));
  gst_orch_packer_put_caps (packer, gst_orch_batch_get_caps (batch, i));
  gst_orch_packer_put_buffer (packer, gst_orch_batch_get_buffer (batch, i));
}

static void
put_batch (GstOrchWorker * worker, GstOrchPacker * packer, GstOrchSent * sent)
{
  guint i, n = gst_orch_batch_get_size (sent->batch);
  GArray *forget;

  gst_orch_put_u32 (packer->body, n);
  for (i = 0; i < n; i++)
    put_grain (packer, sent->batch, i);
  gst_orch_sources_end (&worker->sources, &sent->mention);
  forget = sent->mention.forget;
  gst_orch_put_u32 (packer->body, forget->len);
  for (i = 0; i < forget->len; i++)
    gst_orch_put_u64 (packer->body, g_array_index (forget, guint64, i));
}

gboolean
gst_orch_worker_send_batch (GstOrchWorker * worker, GstOrchSent * sent,
    GError ** error)
{
  Telling telling = { &worker->sources, &sent->mention };
  GstOrchPacker packer;
  gboolean ok;

  gst_orch_packer_init (&packer, &worker->caps);
  packer.find = find_source;
  packer.data = &telling;
  if (worker->reuses_arenas)
    packer.reused = &worker->arenas[sent - worker->sent];
  put_batch (worker, &packer, sent);
  if (worker->replica->max_memory)
    gst_orch_usage_note_given (&worker->process.usage, packer.fds);
  ok = gst_orch_packer_seal (&packer, error)
      /* What is ahead is to be taken back whole, and does not wait for room. */
      && (!sent->is_ahead || gst_orch_link_is_one_packet (packer.fds))
      && gst_orch_link_send (&worker->inbox, GST_ORCH_SAY_BATCH,
      sent - worker->sent, packer.body, packer.fds,
      sent->is_ahead ? 0 : PATIENCE, error);
  sent->arena = gst_orch_packer_steal_arena (&packer);
  gst_orch_packer_clear (&packer);
  if (!ok)
    gst_orch_sources_take_back (&worker->sources, &sent->mention);
  return ok;
}

/* ---- from the worker ---- */

typedef struct
{
  GstOrchWorker *worker;
  GstOrchSent *sent;
  GstOrchBatch *batch;          /* of it */
  guint n_further;              /* outputs beside the first */
} Hearing;

/* What a worker has may come back from it. */
static GstBuffer *
get_known (gpointer data, GstOrchKnown known, guint64 id)
{
  Hearing *hearing = data;
  GstBuffer *buffer;

  if (known == GST_ORCH_KNOWN_SOURCE)
    return gst_orch_mention_get (&hearing->sent->mention, id);
  if (id >= gst_orch_batch_get_size (hearing->batch))
    return NULL;
  buffer = gst_orch_batch_get_buffer (hearing->batch, id);
  return buffer ? gst_buffer_ref (buffer) : NULL;
}

static void
hear_value (Hearing * hearing, GstOrchUnpacker * unpacker, guint slot,
    guint output)
{
  GstCaps *caps = gst_orch_unpacker_get_caps (unpacker);
  GstBuffer *buffer = gst_orch_unpacker_get_buffer (unpacker);
  GstCaps *own = gst_orch_batch_get_caps (hearing->batch, slot);

  if (!buffer || output > hearing->n_further
      || (!caps && (output > 0 || !own))) {
    unpacker->reader.bad = TRUE;
    gst_clear_buffer (&buffer);
  } else {
    gst_orch_batch_present_output (hearing->batch, slot, output, buffer,
        caps ? caps : own);
  }
  gst_clear_caps (&caps);
}

static void
hear_values (Hearing * hearing, GstOrchUnpacker * unpacker, guint slot)
{
  guint i, n = gst_orch_reader_get_count (&unpacker->reader);

  for (i = 0; i < n && !unpacker->reader.bad; i++)
    hear_value (hearing, unpacker, slot,
        gst_orch_reader_get_u32 (&unpacker->reader));
}

static void
hear_failure (Hearing * hearing, GstOrchReader * reader, guint slot)
{
  GstOrchFunction *function = hearing->worker->replica->function;
  gboolean group = gst_orch_reader_get_u8 (reader);
  guint output = gst_orch_reader_get_u32 (reader);
  GstOrchCause *cause = gst_orch_reader_get_cause (reader);

  if (!cause || output > hearing->n_further
      || (group && !gst_orch_function_class_get_traits
          (GST_ORCH_FUNCTION_GET_CLASS (function))->can_group_fail)) {
    reader->bad = TRUE;
    orch_cause_unref (cause);
    return;
  }
  hearing->worker->heard_failure = TRUE;
  if (group)
    gst_orch_batch_fail_group_output (hearing->batch, slot, output, cause);
  else
    gst_orch_batch_fail_record_output (hearing->batch, slot, output, cause);
}

static void
hear_outcome (Hearing * hearing, GstOrchUnpacker * unpacker)
{
  GstOrchReader *reader = &unpacker->reader;
  guint32 slot = gst_orch_reader_get_u32 (reader);
  OrchOutcome outcome = gst_orch_reader_get_u8 (reader);
  GstStructure *info = gst_orch_reader_get_structure (reader);

  /* Once a Grain is committed there is nothing left to say of it. */
  if (slot >= gst_orch_batch_get_size (hearing->batch)
      || !gst_orch_batch_get_entity (hearing->batch, slot))
    reader->bad = TRUE;
  if (reader->bad) {
    gst_clear_structure (&info);
    return;
  }
  if (info)
    gst_orch_batch_set_info (hearing->batch, slot, info);
  switch (outcome) {
    case ORCH_OUTCOME_PRESENT:
      hear_values (hearing, unpacker, slot);
      break;
    case ORCH_OUTCOME_DROPPED:
      gst_orch_batch_drop (hearing->batch, slot);
      break;
    case ORCH_OUTCOME_FAILED:
      hear_failure (hearing, reader, slot);
      break;
    default:
      reader->bad = TRUE;
      break;
  }
}

static void
hear_outcomes (Hearing * hearing, GstOrchUnpacker * unpacker)
{
  guint32 i, n = gst_orch_reader_get_count (&unpacker->reader);

  for (i = 0; i < n && !unpacker->reader.bad; i++)
    hear_outcome (hearing, unpacker);
  if (!unpacker->reader.bad)
    gst_orch_batch_commit (hearing->batch);
}

/* They are kept, all of them. */
static gboolean
are_too_many_warnings (Hearing * hearing, const gchar * text)
{
  GstOrchSent *sent = hearing->sent;
  guint n = gst_orch_batch_get_size (hearing->batch);

  sent->n_warnings++;
  sent->warned += strlen (text);
  return sent->n_warnings > (guint64) n * MAX_WARNINGS
      || sent->warned > (guint64) n * MAX_WARNED;
}

static void
hear_warning (Hearing * hearing, GstOrchReader * reader)
{
  guint32 slot = gst_orch_reader_get_u32 (reader);
  const gchar *text = gst_orch_reader_get_string (reader);

  if (!text || slot >= gst_orch_batch_get_size (hearing->batch))
    reader->bad = TRUE;
  else if (are_too_many_warnings (hearing, text))
    gst_orch_reader_refuse (reader, "warnings without end");
  else
    gst_orch_batch_warn (hearing->batch, slot, "%s", text);
}

static void
hear_end (Hearing * hearing, GstOrchReader * reader)
{
  gst_orch_batch_add_refused (hearing->batch,
      gst_orch_reader_get_u32 (reader));
  hearing->sent->is_let_go = gst_orch_reader_get_u8 (reader);
}

static void
hear_error (GstOrchReader * reader, GError ** error)
{
  const gchar *domain = gst_orch_reader_get_string (reader);
  gint code = gst_orch_reader_get_u32 (reader);
  const gchar *message = gst_orch_reader_get_string (reader);

  /* A Function may fail without saying why. */
  if (domain && message && !reader->bad)
    g_set_error (error, g_quark_from_string (domain), code, "%s", message);
}

static GstOrchWorkerState
hear (Hearing * hearing, GstOrchUnpacker * unpacker, GstOrchSay type,
    GError ** error)
{
  GstOrchReader *reader = &unpacker->reader;

  switch (type) {
    case GST_ORCH_SAY_OUTCOMES:
      hear_outcomes (hearing, unpacker);
      return GST_ORCH_WORKER_RUNS;
    case GST_ORCH_SAY_WARNING:
      hear_warning (hearing, reader);
      return GST_ORCH_WORKER_RUNS;
    case GST_ORCH_SAY_DONE:
      hear_end (hearing, reader);
      return GST_ORCH_WORKER_DONE;
    case GST_ORCH_SAY_FAILED:
      hear_end (hearing, reader);
      hear_error (reader, error);
      return GST_ORCH_WORKER_FAILED;
    default:
      reader->bad = TRUE;
      return GST_ORCH_WORKER_RUNS;
  }
}

static gboolean
are_too_many_names (gsize heard)
{
  static gint n_heard, n_counts;        /* atomic */
  g_autofree gchar *name = NULL;

  if (g_atomic_int_add (&n_heard, heard / 1024 + 1) < COUNT_NAMES_AFTER)
    return FALSE;
  g_atomic_int_set (&n_heard, 0);
  name = g_strdup_printf ("gst-orch-names-%d",
      g_atomic_int_add (&n_counts, 1));
  return g_quark_from_string (name) > MAX_NAMES;
}

/* `error` (out): what makes no sense */
static void
say_why (const GstOrchReader * reader, GstOrchSay type, GError ** error)
{
  g_clear_error (error);
  if (reader->why)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
        "message %u holds %s", type, reader->why);
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
        "message %u cannot be read", type);
}

GstOrchWorkerState
gst_orch_worker_hear (GstOrchWorker * worker, GstOrchSent * sent,
    GstOrchMessage * message, GError ** error)
{
  Hearing hearing = { worker, sent, sent->batch,
    gst_orch_function_get_n_further (worker->replica->function)
  };
  GstOrchUnpacker unpacker;
  GstOrchWorkerState state;

  gst_orch_unpacker_init (&unpacker, message, &worker->caps);
  unpacker.get = get_known;
  unpacker.data = &hearing;
  unpacker.keeps_fds = TRUE;
  unpacker.seals_files = worker->replica->call->confine;
  unpacker.max_shared = worker->replica->max_memory;
  unpacker.reader.give_up_at = g_get_monotonic_time () + READING_PATIENCE;
  state = hear (&hearing, &unpacker, message->type, error);
  if (are_too_many_names (message->size))
    gst_orch_reader_refuse (&unpacker.reader, "more names than any pipeline has");
  if (unpacker.reader.bad) {
    say_why (&unpacker.reader, message->type, error);
    state = GST_ORCH_WORKER_DIED;
  }
  gst_orch_unpacker_clear (&unpacker);
  return state;
}

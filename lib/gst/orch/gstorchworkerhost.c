/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchbatch-private.h"
#include "gstorchworkerhost-private.h"

#include <stdlib.h>
#include <unistd.h>

void
gst_orch_host_init (GstOrchHost * host, gint socket, gint inbox,
    const GstOrchControl * control)
{
  memset (host, 0, sizeof *host);
  gst_orch_link_init (&host->link, socket);
  gst_orch_link_init (&host->inbox, inbox);
  host->control = control;
  gst_orch_caps_cache_init (&host->caps);
  host->sources = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
      (GDestroyNotify) gst_buffer_unref);
}

void
gst_orch_host_clear (GstOrchHost * host)
{
  gst_orch_link_clear (&host->link);
  gst_orch_link_clear (&host->inbox);
  g_free (host->places);
  gst_orch_caps_cache_clear (&host->caps);
  g_hash_table_unref (host->sources);
  gst_orch_host_forget_place (host);
  orch_domain_unref (host->domain);
}

void
gst_orch_host_set_properties (GstOrchHost * host, GstOrchReader * reader)
{
  const gchar *name;

  while ((name = gst_orch_reader_get_string (reader))) {
    GValue value = G_VALUE_INIT;

    if (!gst_orch_reader_get_value (reader, &value))
      break;
    g_object_set_property (G_OBJECT (host->function), name, &value);
    g_value_unset (&value);
  }
}

/* ---- saying ---- */

static void
say (GstOrchHost * host, GstOrchSay type, GByteArray * body, GArray * fds)
{
  GError *error = NULL;

  if (gst_orch_link_send (&host->link, type, 0, body, fds, -1, &error))
    return;
  g_printerr ("%s\n", error->message);
  _exit (1);
}

void
gst_orch_host_say_text (GstOrchHost * host, GstOrchSay type,
    const gchar * text)
{
  GByteArray *body = g_byte_array_new ();

  gst_orch_put_string (body, text);
  say (host, type, body, NULL);
  g_byte_array_unref (body);
}

/* ---- where a buffer came from ---- */

/* Kept with the buffer, whose address may be another's tomorrow. */
typedef struct
{
  GstOrchKnown known;
  guint64 id;
  guint serial;                 /* of the batch, for an input */
} Origin;

static GQuark
origin_quark (void)
{
  return g_quark_from_static_string ("gst-orch-origin");
}

static void
set_origin (GstBuffer * buffer, GstOrchKnown known, guint64 id, guint serial)
{
  Origin *origin = g_new (Origin, 1);

  origin->known = known;
  origin->id = id;
  origin->serial = serial;
  gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (buffer), origin_quark (),
      origin, g_free);
}

/* The input of another Grain may be gone already on the other side. */
static gboolean
find_origin (gpointer data, GstBuffer * buffer, gboolean is_source,
    GstOrchKnown * known, guint64 * id, gboolean * again)
{
  GstOrchHost *host = data;
  const Origin *origin =
      gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST (buffer),
      origin_quark ());

  if (!origin)
    return FALSE;
  if (origin->known == GST_ORCH_KNOWN_INPUT
      && (origin->serial != host->serial || origin->id != host->place))
    return FALSE;
  *known = origin->known;
  *id = origin->id;
  *again = TRUE;
  return TRUE;
}

static GstBuffer *
get_source (gpointer data, GstOrchKnown known, guint64 id)
{
  GstOrchHost *host = data;
  GstBuffer *buffer = g_hash_table_lookup (host->sources, &id);

  return buffer && known == GST_ORCH_KNOWN_SOURCE ?
      gst_buffer_ref (buffer) : NULL;
}

static void
learn_source (gpointer data, GstOrchKnown known, guint64 id,
    GstBuffer * buffer)
{
  GstOrchHost *host = data;
  guint64 *key = g_new (guint64, 1);

  *key = id;
  set_origin (buffer, known, id, 0);
  g_hash_table_replace (host->sources, key, gst_buffer_ref (buffer));
}

/* ---- what it is told while it works ---- */

static gboolean
is_cancelled (gpointer data)
{
  GstOrchHost *host = data;

  return g_atomic_int_get (&host->area->cancelled);
}

static gboolean
is_place_wanted (GstOrchHost * host, guint place)
{
  const volatile guint8 *unwanted = host->area->unwanted;

  return !is_cancelled (host)
      && !(place < GST_ORCH_CONTROL_SLOTS && unwanted[place]);
}

static gboolean
is_wanted (gpointer data, guint index)
{
  GstOrchHost *host = data;

  return is_place_wanted (host, host->places[index]);
}

static void
warn_of (gpointer data, guint index, const gchar * text)
{
  GstOrchHost *host = data;
  GByteArray *body = g_byte_array_new ();

  gst_orch_put_u32 (body, host->places[index]);
  gst_orch_put_string (body, text);
  say (host, GST_ORCH_SAY_WARNING, body, NULL);
  g_byte_array_unref (body);
}

/* ---- outcomes ---- */

static void
put_value (GstOrchPacker * packer, guint output, GstBuffer * buffer,
    GstCaps * caps)
{
  gst_orch_put_u32 (packer->body, output);
  gst_orch_packer_put_caps (packer, caps);
  gst_orch_packer_put_buffer (packer, buffer);
}

/* The main output last: it may take the input away from where the others find it. */
static void
put_values (GstOrchPacker * packer, GstOrchGrain * grain)
{
  guint i;

  gst_orch_put_u32 (packer->body, grain->n_further + 1);
  for (i = 0; i < grain->n_further; i++)
    put_value (packer, i + 1, grain->further[i].buffer,
        grain->further[i].caps);
  put_value (packer, 0, grain->output, grain->output_caps);
}

static void
put_outcome (GstOrchPacker * packer, GstOrchGrain * grain, guint place)
{
  GByteArray *body = packer->body;

  gst_orch_put_u32 (body, place);
  gst_orch_put_u8 (body, grain->staged);
  gst_orch_put_structure (body, grain->staged_info);
  if (grain->staged == ORCH_OUTCOME_PRESENT) {
    put_values (packer, grain);
  } else if (grain->staged == ORCH_OUTCOME_FAILED) {
    gst_orch_put_u8 (body, grain->staged_group);
    gst_orch_put_u32 (body, grain->failed_output);
    gst_orch_put_cause (body, grain->staged_cause);
  }
}

static void
commit (gpointer data, GstOrchGrain ** grains, const guint * places, guint n)
{
  GstOrchHost *host = data;
  GstOrchPacker packer;
  GError *error = NULL;
  guint i;

  gst_orch_packer_init (&packer, &host->caps);
  packer.find = find_origin;
  packer.data = host;
  gst_orch_put_u32 (packer.body, n);
  for (i = 0; i < n; i++) {
    host->place = host->places[places[i]];
    put_outcome (&packer, grains[i], host->place);
  }
  if (!gst_orch_packer_seal (&packer, &error)) {
    g_printerr ("%s\n", error->message);
    _exit (1);
  }
  say (host, GST_ORCH_SAY_OUTCOMES, packer.body, packer.fds);
  gst_orch_packer_clear (&packer);
}

/* ---- a batch ---- */

static GstOrchContext *
make_context (GstCaps * caps)
{
  GstOrchContext *context = gst_orch_context_new ();

  context->caps = caps;
  return context;
}

/* NULL: it cannot be read. */
static GstOrchGrain *
get_grain (GstOrchHost * host, GstOrchUnpacker * unpacker, guint place)
{
  GstOrchReader *reader = &unpacker->reader;
  OrchEntity *entity = gst_orch_host_get_entity (host, reader);
  guint32 generation = gst_orch_reader_get_u32 (reader);
  GstStructure *info = gst_orch_reader_get_structure (reader);
  GstCaps *caps = gst_orch_unpacker_get_caps (unpacker);
  GstBuffer *buffer = gst_orch_unpacker_get_buffer (unpacker);
  GstOrchGrain *grain;

  if (!entity || !buffer || reader->bad) {
    reader->bad = TRUE;
    orch_entity_unref (entity);
    gst_clear_structure (&info);
    gst_clear_caps (&caps);
    gst_clear_buffer (&buffer);
    return NULL;
  }
  if (!gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST (buffer),
          origin_quark ()))
    set_origin (buffer, GST_ORCH_KNOWN_INPUT, place, host->serial);
  grain = gst_orch_grain_new (entity, buffer, make_context (caps),
      gst_orch_info_new (info));
  grain->core.generation = generation;
  return grain;
}

static void
forget_sources (GstOrchHost * host, GstOrchReader * reader)
{
  guint32 i, n = gst_orch_reader_get_count (reader);

  for (i = 0; i < n && !reader->bad; i++) {
    guint64 id = gst_orch_reader_get_u64 (reader);

    g_hash_table_remove (host->sources, &id);
  }
}

/* What has become unwanted while the batch waited is not worked on.  Returns how many
 * Grains are left. */
static guint
choose_wanted (GstOrchHost * host, GstOrchGrain ** grains, guint n)
{
  guint i, n_wanted = 0;

  host->places = g_renew (guint, host->places, n);
  for (i = 0; i < n; i++) {
    if (!is_place_wanted (host, i)) {
      gst_orch_grain_free (grains[i]);
    } else {
      host->places[n_wanted] = i;
      grains[n_wanted++] = grains[i];
    }
  }
  return n_wanted;
}

static void
free_grains (GstOrchGrain ** grains, guint n)
{
  while (n > 0)
    gst_orch_grain_free (grains[--n]);
}

/* FALSE: it cannot be read, as nothing is that this program has not written.
 * `batch` (out) (nullable): nothing of it is wanted */
static gboolean
read_batch (GstOrchHost * host, GstOrchMessage * message,
    GstOrchBatch ** batch)
{
  static const GstOrchBatchHost callbacks = {
    is_cancelled, is_wanted, warn_of, commit
  };
  GstOrchUnpacker unpacker;
  g_autofree GstOrchGrain **grains = NULL;
  guint32 n, n_read = 0;

  gst_orch_unpacker_init (&unpacker, message, &host->caps);
  unpacker.get = get_source;
  unpacker.learn = learn_source;
  unpacker.data = host;
  unpacker.keeps_fds = TRUE;
  n = gst_orch_reader_get_count (&unpacker.reader);
  grains = g_new (GstOrchGrain *, n);
  while (n_read < n
      && (grains[n_read] = get_grain (host, &unpacker, n_read)))
    n_read++;
  forget_sources (host, &unpacker.reader);
  if (n == 0 || unpacker.reader.bad) {
    free_grains (grains, n_read);
    gst_orch_unpacker_clear (&unpacker);
    return FALSE;
  }
  gst_orch_unpacker_clear (&unpacker);
  host->area = &host->control[message->tag % GST_ORCH_CONTROL_AREAS];
  n = choose_wanted (host, grains, n);
  *batch = n == 0 ? NULL : gst_orch_batch_new_hosted (&callbacks, host,
      host->function, grains, n);
  return TRUE;
}

static void
say_end (GstOrchHost * host, gboolean ok, guint n_refused, GError * error)
{
  GByteArray *body = g_byte_array_new ();

  gst_orch_put_u32 (body, n_refused);
  /* It is not given any that it could let go of. */
  gst_orch_put_u8 (body, FALSE);
  if (!ok) {
    gst_orch_put_string (body, error ? g_quark_to_string (error->domain) :
        NULL);
    gst_orch_put_u32 (body, error ? error->code : 0);
    gst_orch_put_string (body, error ? error->message : NULL);
  }
  say (host, ok ? GST_ORCH_SAY_DONE : GST_ORCH_SAY_FAILED, body, NULL);
  g_byte_array_unref (body);
}

gboolean
gst_orch_host_run (GstOrchHost * host, GstOrchMessage * message)
{
  GstOrchFunctionClass *klass = GST_ORCH_FUNCTION_GET_CLASS (host->function);
  GstOrchBatch *batch;
  GError *error = NULL;
  guint n_refused;
  gboolean ok;

  host->serial++;
  if (!read_batch (host, message, &batch))
    return FALSE;
  if (!batch) {
    say_end (host, TRUE, 0, NULL);
    return TRUE;
  }
  ok = klass->run (host->function, host->data, batch, &error);
  n_refused = gst_orch_batch_finish_hosted (batch, !ok);
  /* What it holds goes first: when the other side hears of the end, it is free. */
  gst_orch_batch_free (batch);
  say_end (host, ok, n_refused, error);
  g_clear_error (&error);
  return TRUE;
}

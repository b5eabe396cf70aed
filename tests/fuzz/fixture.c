/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "fixture.h"
#include "gstorchfunction-private.h"

#include <gst/orch/orch.h>
#include <gst/video/video.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* So large that it is shared. */
#define LARGE (17 * 1000)

/* ---- the Function ---- */

typedef GstOrchFunction FuzzFunction;
typedef GstOrchFunctionClass FuzzFunctionClass;

GType fuzz_function_get_type (void);

G_DEFINE_TYPE (FuzzFunction, fuzz_function, GST_TYPE_ORCH_FUNCTION);

static GstCaps *
make_caps (const gchar * text)
{
  return gst_caps_from_string (text);
}

static GstBuffer *
make_bytes (gsize size, gchar fill)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, size, NULL);

  gst_buffer_memset (buffer, 0, fill, size);
  return buffer;
}

static GstStructure *
make_info (void)
{
  return gst_structure_from_string ("info, dpi=(int)150, quality=(double)0.5, "
      "words=(string){ a, b }, box=(int)< 1, 2 >, ratio=(fraction)1/2, "
      "inner=(structure)[inner, a=(int)1]", NULL);
}

/* References to `source`, a frame, large bytes, and what has no value. */
static GstOrchList *
make_list (GstBuffer * source)
{
  GstOrchList *list = gst_orch_list_new ();
  GstCaps *caps = make_caps ("application/x-orch-ref, media-type=a/b");
  GstBuffer *frame = make_bytes (64 * 8, 'f');

  gst_buffer_add_video_meta (frame, 0, GST_VIDEO_FORMAT_GRAY8, 60, 8);
  gst_orch_list_append (list, gst_orch_ref_buffer_new (source,
          gst_structure_new ("page", "page", G_TYPE_INT, 1, NULL)), caps,
      make_info ());
  gst_orch_list_append (list, frame, NULL, NULL);
  gst_orch_list_append (list, make_bytes (LARGE, 'x'), caps, NULL);
  gst_orch_list_append_failed (list, gst_orch_cause_new ("test", "bad", "so"),
      NULL);
  gst_orch_list_append_dropped (list, NULL);
  gst_caps_unref (caps);
  return list;
}

static void
present_both (GstOrchBatch * batch, guint i, GstBuffer * buffer)
{
  GstCaps *caps = make_caps ("text/x-raw, format=(string)utf8");

  gst_orch_batch_set_info (batch, i, make_info ());
  gst_orch_batch_present_output (batch, i, 1, make_bytes (5, 'o'), caps);
  gst_orch_batch_present (batch, i, buffer, caps);
  gst_caps_unref (caps);
}

/* Outcomes of every kind, in turn. */
static void
work_on (GstOrchBatch * batch, guint i)
{
  GstBuffer *input = gst_orch_batch_get_buffer (batch, i);

  switch (gst_orch_batch_get_entity (batch, i)->ordinal % FIXTURE_N_KINDS) {
    case 0:
      present_both (batch, i, gst_buffer_ref (input));
      break;
    case 1:
      gst_orch_batch_warn (batch, i, "input %u is odd", i);
      present_both (batch, i, make_bytes (LARGE, 'p'));
      break;
    case 2:
      present_both (batch, i, gst_orch_list_buffer_new (make_list (input)));
      break;
    case 3:
      gst_orch_batch_drop (batch, i);
      break;
    case 4:
      gst_orch_batch_fail_group (batch, i, gst_orch_cause_new ("test", "g",
              "all of them"));
      break;
    default:
      gst_orch_batch_fail_record (batch, i, gst_orch_cause_new ("test", "r",
              "this one"));
      break;
  }
}

static gboolean
fuzz_function_run (GstOrchFunction * function, gpointer replica_data,
    GstOrchBatch * batch, GError ** error)
{
  guint i;

  for (i = 0; i < gst_orch_batch_get_size (batch); i++) {
    work_on (batch, i);
    if (i % 2)
      gst_orch_batch_commit (batch);
  }
  return TRUE;
}

static void
fuzz_function_class_init (FuzzFunctionClass * klass)
{
  klass->run = fuzz_function_run;
  gst_orch_function_class_set_can_group_fail (klass, TRUE);
  gst_orch_function_class_add_output (klass, "second", gst_caps_new_any ());
}

static void
fuzz_function_init (FuzzFunction * self)
{
}

GstOrchFunction *
fixture_get_function (void)
{
  static GstOrchFunction *function;

  if (!function)
    function = g_object_new (fuzz_function_get_type (), NULL);
  return function;
}

/* ---- a batch ---- */

static GstBuffer *
make_input (guint kind, GstBuffer * source)
{
  GstBuffer *buffer;

  switch (kind) {
    case 0:
      return gst_buffer_ref (source);
    case 1:
      return make_bytes (LARGE, 'i');
    case 2:
      return gst_orch_list_buffer_new (make_list (source));
    case 3:
    case 4:
      return gst_orch_ref_buffer_new (source,
          gst_structure_new ("page", "page", G_TYPE_INT, 3, NULL));
    default:
      buffer = make_bytes (7, 'm');
      gst_structure_set (gst_custom_meta_get_structure
          (gst_buffer_add_custom_meta (buffer, "fuzz-meta")), "a", G_TYPE_INT,
          5, NULL);
      return buffer;
  }
}

static GstOrchGrain *
make_grain (OrchExpansion * pages, guint kind, GstBuffer * source)
{
  GstOrchContext *context = gst_orch_context_new ();

  context->caps = make_caps ("video/x-raw, width=(int)60");
  return gst_orch_grain_new (orch_entity_new (pages, kind),
      make_input (kind, source), context, gst_orch_info_new (make_info ()));
}

GstOrchBatch *
fixture_batch_new (const GstOrchBatchHost * callbacks, gpointer data,
    guint kind)
{
  OrchDomain *root = orch_domain_new ("documents", NULL);
  OrchDomain *domain = orch_domain_new ("pages", root);
  OrchExpansion *documents = orch_expansion_new (root, NULL);
  OrchEntity *document = orch_entity_new (documents, 0);
  OrchExpansion *pages = orch_expansion_new (domain, document);
  GstBuffer *source = make_bytes (100, 's');
  GstOrchGrain *grains[FIXTURE_N_KINDS];
  guint i, n = 0;

  for (i = 0; i < FIXTURE_N_KINDS; i++)
    if (kind == i || kind == FIXTURE_N_KINDS)
      grains[n++] = make_grain (pages, i, source);
  gst_buffer_unref (source);
  orch_expansion_unref (pages);
  orch_entity_unref (document);
  orch_expansion_unref (documents);
  orch_domain_unref (domain);
  orch_domain_unref (root);
  return gst_orch_batch_new_hosted (callbacks, data, fixture_get_function (),
      grains, n);
}

/* ---- the two sides ---- */

/* What nobody sets: everything is wanted. */
static GstOrchControl control[GST_ORCH_CONTROL_AREAS];

void
fixture_call_open (FixtureCall * self, gint socket, gint inbox)
{
  memset (self, 0, sizeof *self);
  self->call.confine = TRUE;
  self->replica.call = &self->call;
  self->replica.function = fixture_get_function ();
  self->worker.replica = &self->replica;
  self->worker.process.control = control;
  gst_orch_link_init (&self->worker.link, socket);
  gst_orch_link_init (&self->worker.inbox, inbox);
  gst_orch_caps_cache_init (&self->worker.caps);
  gst_orch_sources_init (&self->worker.sources);
}

gboolean
fixture_call_send (FixtureCall * self, GstOrchBatch * batch)
{
  self->sent = gst_orch_worker_add_sent (&self->worker, batch);
  return gst_orch_worker_send_batch (&self->worker, self->sent, NULL);
}

void
fixture_call_close (FixtureCall * self)
{
  gst_orch_worker_end_sent (&self->worker, self->sent);
  gst_orch_link_clear (&self->worker.inbox);
  gst_orch_link_clear (&self->worker.link);
  gst_orch_caps_cache_clear (&self->worker.caps);
  gst_orch_sources_clear (&self->worker.sources);
}

void
fixture_host_open (GstOrchHost * self, gint socket, gint inbox)
{
  gst_orch_host_init (self, socket, inbox, control);
  self->function = fixture_get_function ();
}

void
fixture_socket_pair (gint * sockets)
{
  g_assert_cmpint (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0,
          sockets), ==, 0);
}

/* ---- what is seen of it ---- */

static void
look_at_structure (const GstStructure * structure)
{
  if (structure)
    g_free (gst_structure_to_string (structure));
}

/* The first and the last byte of what may be a gigabyte. */
static void
look_at_memory (GstMemory * memory)
{
  volatile guint8 byte;
  GstMapInfo map;

  if (!gst_memory_map (memory, &map, GST_MAP_READ))
    return;
  if (map.size > 0) {
    byte = map.data[0];
    byte = map.data[map.size - 1];
    (void) byte;
  }
  gst_memory_unmap (memory, &map);
}

static void
look_at_list (GstOrchList * list)
{
  guint i;

  for (i = 0; i < gst_orch_list_get_size (list); i++) {
    const GstOrchListElement *element = gst_orch_list_get (list, i);

    look_at_structure (element->info);
    if (element->cause)
      g_assert_true (g_utf8_validate (gst_orch_cause_get_message
              (element->cause), -1, NULL));
    if (element->buffer)
      fixture_look_at (element->buffer, element->caps);
  }
}

void
fixture_look_at (GstBuffer * buffer, GstCaps * caps)
{
  GstOrchRefMeta *reference = gst_buffer_get_orch_ref_meta (buffer);
  GstOrchList *list = gst_orch_buffer_get_list (buffer);
  GstVideoFrame frame;
  GstVideoInfo info;
  guint i;

  for (i = 0; i < gst_buffer_n_memory (buffer); i++)
    look_at_memory (gst_buffer_peek_memory (buffer, i));
  if (caps)
    g_free (gst_caps_to_string (caps));
  if (caps && gst_caps_is_fixed (caps) && gst_video_info_from_caps (&info, caps)
      && gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ))
    gst_video_frame_unmap (&frame);
  if (list)
    look_at_list (list);
  if (reference) {
    look_at_structure (reference->locator);
    fixture_look_at (reference->source, NULL);
  }
}

gint
fixture_get_next_descriptor (void)
{
  gint fd = open ("/dev/null", O_RDONLY | O_CLOEXEC);

  close (fd);
  return fd;
}

static void
log_message (const gchar * domain, GLogLevelFlags level, const gchar * text,
    gpointer data)
{
  if (!(level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL))
      && g_strcmp0 (domain, G_LOG_DOMAIN) != 0)
    return;
  g_printerr ("%s: %s\n", domain, text);
  abort ();
}

void
fixture_init (void)
{
  static const gchar *no_tags[] = { NULL };

  gst_init (NULL, NULL);
  g_log_set_default_handler (log_message, NULL);
  gst_meta_register_custom ("fuzz-meta", no_tags, NULL, NULL, NULL);
  g_type_class_unref (g_type_class_ref (GST_TYPE_VIDEO_FORMAT));
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* How a Port is found, what its subscribers hear, and how they learn that an
 * Item is gone, with nothing of our own in between. */

#include "complaints.h"
#include "lineage.h"
#include "patience.h"

#include <gst/check/gstcheck.h>
#include <string.h>

/* ---- a producer, driven by the test ---- */

typedef struct
{
  GstElement element;
  GstPad *pad;
  GstOrchPort *port;
} Producer;

typedef GstElementClass ProducerClass;

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

static GType producer_get_type (void);

G_DEFINE_TYPE (Producer, producer, GST_TYPE_ELEMENT);

static gboolean
producer_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  return !gst_orch_port_query (((Producer *) parent)->port, query)
      && gst_pad_query_default (pad, parent, query);
}

static void
producer_finalize (GObject * object)
{
  gst_orch_port_close (((Producer *) object)->port);
  G_OBJECT_CLASS (producer_parent_class)->finalize (object);
}

static void
producer_class_init (ProducerClass * klass)
{
  G_OBJECT_CLASS (klass)->finalize = producer_finalize;
  gst_element_class_add_static_pad_template (klass, &src_template);
  gst_element_class_set_static_metadata (klass, "Producer", "Test", "Test",
      "Test");
}

static void
producer_init (Producer * self)
{
  self->pad = gst_pad_new_from_static_template (&src_template, "src");
  gst_pad_set_query_function (self->pad, producer_query);
  gst_element_add_pad (GST_ELEMENT (self), self->pad);
  self->port = gst_orch_port_new (self->pad);
}

/* ---- a consumer that writes down what it gets and hears ---- */

typedef struct
{
  GstElement element;
  GstPad *pad;
  GstOrchSubscriber *subscriber;
  GMutex lock;
  GString *text;
  gint started;                 /* atomic: has handled a stream-start */
  gint eos;                     /* atomic */
} Hearer;

typedef GstElementClass HearerClass;

static GType hearer_get_type (void);

G_DEFINE_TYPE (Hearer, hearer, GST_TYPE_ELEMENT);

static void
note (Hearer * self, const gchar * format, ...)
{
  va_list args;

  va_start (args, format);
  g_mutex_lock (&self->lock);
  g_string_append_vprintf (self->text, format, args);
  g_mutex_unlock (&self->lock);
  va_end (args);
}

static GstFlowReturn
hearer_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  Hearer *self = (Hearer *) parent;
  g_autofree gchar *path = NULL;
  GstOrchTaken taken;
  GstFlowReturn ret;

  if (!gst_orch_subscriber_take_one (self->subscriber, buffer, &taken, &ret))
    return ret;
  /* First: who reads the note knows that the buffer is gone. */
  gst_buffer_unref (buffer);
  path = gst_orch_entity_get_path (taken.entity);
  note (self, "got %s; ", path);
  orch_entity_unref (taken.entity);
  gst_orch_info_unref (taken.info);
  return GST_FLOW_OK;
}

static gboolean
hearer_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  Hearer *self = (Hearer *) parent;

  if (GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START) {
    gst_orch_subscriber_update (self->subscriber);
    g_atomic_int_set (&self->started, TRUE);
  }
  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS) {
    gst_orch_subscriber_resolve_missing (self->subscriber);
    g_atomic_int_set (&self->eos, TRUE);
  }
  gst_event_unref (event);
  return TRUE;
}

static gboolean
hearer_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  return !gst_orch_subscriber_query (((Hearer *) parent)->subscriber, query)
      && gst_pad_query_default (pad, parent, query);
}

static void
hearer_finalize (GObject * object)
{
  Hearer *self = (Hearer *) object;

  gst_orch_subscriber_unref (self->subscriber);
  g_mutex_clear (&self->lock);
  g_string_free (self->text, TRUE);
  G_OBJECT_CLASS (hearer_parent_class)->finalize (object);
}

static void
hearer_class_init (HearerClass * klass)
{
  G_OBJECT_CLASS (klass)->finalize = hearer_finalize;
  gst_element_class_add_static_pad_template (klass, &sink_template);
  gst_element_class_set_static_metadata (klass, "Hearer", "Test", "Test",
      "Test");
}

static void
hearer_init (Hearer * self)
{
  g_mutex_init (&self->lock);
  self->text = g_string_new (NULL);
  self->pad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->pad, hearer_chain);
  gst_pad_set_event_function (self->pad, hearer_event);
  gst_pad_set_query_function (self->pad, hearer_query);
  gst_element_add_pad (GST_ELEMENT (self), self->pad);
  self->subscriber = gst_orch_subscriber_new (self->pad);
}

static void
note_news (Hearer * self, const GstOrchNews * news)
{
  static const gchar *states[] = { "open", "succeeded", "dropped", "failed" };
  g_autofree gchar *path = NULL;

  if (news->type == GST_ORCH_NEWS_EXPANSION) {
    note (self, "expansion %s %u; ",
        states[orch_expansion_get_state (news->expansion)],
        (guint) orch_expansion_get_n_children (news->expansion));
    return;
  }
  path = orch_entity_get_path (news->entity);
  note (self, "%s %s%s%s; ", path, orch_outcome_get_name (news->outcome),
      news->cause ? " " : "", news->cause ? news->cause->code : "");
}

/* What it has got and heard so far. */
static const gchar *
hearer_listen (Hearer * self)
{
  GstOrchNews news;

  while (gst_orch_subscriber_pop (self->subscriber, &news)) {
    note_news (self, &news);
    gst_orch_news_clear (&news);
  }
  return self->text->str;
}

static gboolean
hearer_knows (Hearer * self, const gchar * text)
{
  gboolean result;

  hearer_listen (self);
  g_mutex_lock (&self->lock);
  result = g_str_equal (self->text->str, text);
  g_mutex_unlock (&self->lock);
  return result;
}

/* ---- a scene of both ---- */

typedef struct
{
  Lineage lineage;
  GstElement *pipeline;
  Producer *producer;
  Hearer *a, *b;                /* (nullable) */
} Scene;

static gpointer
get (Scene * scene, const gchar * name)
{
  GstElement *element =
      gst_bin_get_by_name (GST_BIN (scene->pipeline), name);

  if (element)
    gst_object_unref (element);
  return element;
}

static void
scene_init (Scene * scene, const gchar * description)
{
  lineage_init (&scene->lineage);
  scene->pipeline = gst_parse_launch (description, NULL);
  fail_unless (GST_IS_PIPELINE (scene->pipeline));
  scene->producer = get (scene, "p");
  scene->a = get (scene, "a");
  scene->b = get (scene, "b");
  gst_element_set_state (scene->pipeline, GST_STATE_PLAYING);
}

static void
scene_clear (Scene * scene)
{
  gst_element_set_state (scene->pipeline, GST_STATE_NULL);
  if (scene->a)
    gst_orch_subscriber_reset (scene->a->subscriber);
  if (scene->b)
    gst_orch_subscriber_reset (scene->b->subscriber);
  gst_orch_port_stop (scene->producer->port);
  gst_object_unref (scene->pipeline);
  lineage_clear (&scene->lineage);
}

static void
start (Producer * self)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (self->pad, gst_event_new_stream_start ("test"));
  gst_pad_push_event (self->pad, gst_event_new_segment (&segment));
  gst_orch_port_announce (self->port);
  gst_orch_port_begin (self->port);
}

static void
produce (Producer * self, OrchEntity * entity)
{
  fail_unless_equals_int (gst_pad_push (self->pad, gst_orch_port_stamp
          (self->port, gst_buffer_new (), orch_entity_ref (entity), NULL)),
      GST_FLOW_OK);
}

static void
drop (Producer * self, OrchEntity * entity)
{
  gst_orch_port_post_outcome (self->port, entity, ORCH_OUTCOME_DROPPED, NULL,
      NULL);
}

/* ---- subscription ---- */

static const gchar *middles[] = {
  "identity", "queue", "tee", "tee ! queue", "funnel", "concat",
  "input-selector", "multiqueue", "queue ! tee ! funnel ! queue",
  "valve",
};

/* A Port is found, and its Items arrive, through whatever is in between. */
GST_START_TEST (test_found_through)
{
  g_autofree gchar *description = g_strdup_printf ("testproducer name=p ! %s ! "
      "testhearer name=a", middles[__i__]);
  OrchDomain *domain;
  Scene scene;

  scene_init (&scene, description);
  gst_orch_port_set_domain (scene.producer->port, scene.lineage.pages);
  start (scene.producer);
  drop (scene.producer, scene.lineage.first);
  fail_unless_equals_string (hearer_listen (scene.a), "0/0 dropped; ");
  fail_unless (gst_orch_subscriber_has_ports (scene.a->subscriber));
  domain = gst_orch_subscriber_get_domain (scene.a->subscriber);
  fail_unless (domain == scene.lineage.pages);
  orch_domain_unref (domain);
  produce (scene.producer, scene.lineage.second);
  patience_until (hearer_knows (scene.a, "0/0 dropped; got 0/1; "));
  fail_unless_equals_uint64 (gst_orch_subscriber_get_n_lost
      (scene.a->subscriber), 0);
  scene_clear (&scene);
}

GST_END_TEST;

/* Each branch of a tee hears for itself, what was said before it was there
 * included. */
GST_START_TEST (test_branches)
{
  Scene scene;

  scene_init (&scene, "testproducer name=p ! tee name=t "
      "t. ! queue ! testhearer name=a t. ! queue ! testhearer name=b");
  drop (scene.producer, scene.lineage.first);
  start (scene.producer);
  drop (scene.producer, scene.lineage.second);
  fail_unless_equals_string (hearer_listen (scene.a),
      "0/0 dropped; 0/1 dropped; ");
  fail_unless_equals_string (hearer_listen (scene.b),
      "0/0 dropped; 0/1 dropped; ");
  scene_clear (&scene);
}

GST_END_TEST;

/* A funnel leads to every producer. */
GST_START_TEST (test_two_producers)
{
  Producer *other;
  Scene scene;

  scene_init (&scene, "funnel name=f ! testhearer name=a "
      "testproducer name=p ! queue ! f. testproducer name=q ! queue ! f.");
  other = get (&scene, "q");
  start (scene.producer);
  start (other);
  drop (scene.producer, scene.lineage.first);
  drop (other, scene.lineage.second);
  fail_unless_equals_string (hearer_listen (scene.a),
      "0/0 dropped; 0/1 dropped; ");
  scene_clear (&scene);
}

GST_END_TEST;

/* Everything that was said before anybody listened, in order. */
GST_START_TEST (test_backlog)
{
  Scene scene;

  scene_init (&scene, "testproducer name=p ! queue ! testhearer name=a");
  drop (scene.producer, scene.lineage.second);
  orch_expansion_publish (scene.lineage.children, ORCH_EXPANSION_SUCCEEDED,
      NULL);
  gst_orch_port_post_expansion (scene.producer->port, scene.lineage.children);
  drop (scene.producer, scene.lineage.first);
  fail_unless_equals_string (hearer_listen (scene.a), "");
  start (scene.producer);
  fail_unless_equals_string (hearer_listen (scene.a),
      "0/1 dropped; expansion succeeded 2; 0/0 dropped; ");
  scene_clear (&scene);
}

GST_END_TEST;

/* What a run has left unsaid is not for the next. */
GST_START_TEST (test_backlog_ends_with_the_run)
{
  Scene scene;

  scene_init (&scene, "testproducer name=p ! queue ! testhearer name=a");
  start (scene.producer);
  patience_until (g_atomic_int_get (&scene.a->started));
  gst_orch_subscriber_reset (scene.a->subscriber);
  drop (scene.producer, scene.lineage.first);
  gst_orch_port_stop (scene.producer->port);
  start (scene.producer);
  drop (scene.producer, scene.lineage.second);
  fail_unless_equals_string (hearer_listen (scene.a), "0/1 dropped; ");
  scene_clear (&scene);
}

GST_END_TEST;

/* One that is linked while the pipeline runs: from its first buffer on. */
GST_START_TEST (test_late_branch)
{
  GstElement *late, *queue;
  Scene scene;

  scene_init (&scene, "testproducer name=p ! tee name=t t. ! queue ! "
      "testhearer name=a");
  start (scene.producer);
  produce (scene.producer, scene.lineage.first);
  patience_until (hearer_knows (scene.a, "got 0/0; "));
  late = g_object_new (hearer_get_type (), "name", "late", NULL);
  queue = gst_element_factory_make ("queue", NULL);
  gst_bin_add_many (GST_BIN (scene.pipeline), queue, late, NULL);
  fail_unless (gst_element_link_many (get (&scene, "t"), queue, late, NULL));
  gst_element_sync_state_with_parent (late);
  gst_element_sync_state_with_parent (queue);
  produce (scene.producer, scene.lineage.second);
  patience_until (hearer_knows ((Hearer *) late, "got 0/1; "));
  fail_unless (gst_orch_subscriber_has_ports (((Hearer *) late)->subscriber));
  patience_until (hearer_knows (scene.a, "got 0/0; got 0/1; "));
  gst_element_set_state (late, GST_STATE_NULL);
  gst_orch_subscriber_reset (((Hearer *) late)->subscriber);
  scene_clear (&scene);
}

GST_END_TEST;

/* Without a Port upstream each buffer is a root. */
GST_START_TEST (test_no_port)
{
  GstElement *pipeline = gst_parse_launch ("fakesrc num-buffers=3 ! "
      "testhearer name=a", NULL);
  Hearer *hearer = (Hearer *) gst_bin_get_by_name (GST_BIN (pipeline), "a");

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  patience_until (g_atomic_int_get (&hearer->eos));
  fail_unless_equals_string (hearer_listen (hearer),
      "got 0; got 1; got 2; ");
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_orch_subscriber_reset (hearer->subscriber);
  gst_object_unref (hearer);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* ---- gone (S5.6) ---- */

GST_START_TEST (test_valve)
{
  Scene scene;

  scene_init (&scene, "testproducer name=p ! valve drop=true ! "
      "testhearer name=a");
  start (scene.producer);
  produce (scene.producer, scene.lineage.first);
  fail_unless_equals_string (hearer_listen (scene.a), "0/0 dropped lost; ");
  fail_unless_equals_uint64 (gst_orch_subscriber_get_n_lost
      (scene.a->subscriber), 1);
  scene_clear (&scene);
}

GST_END_TEST;

GST_START_TEST (test_on_lost_fail)
{
  Scene scene;

  scene_init (&scene, "testproducer name=p ! valve drop=true ! "
      "testhearer name=a");
  gst_orch_subscriber_set_on_lost (scene.a->subscriber, GST_ORCH_ON_LOST_FAIL);
  start (scene.producer);
  produce (scene.producer, scene.lineage.first);
  fail_unless_equals_string (hearer_listen (scene.a), "0/0 failed lost; ");
  scene_clear (&scene);
}

GST_END_TEST;

/* The other branch has it, so the buffer lives on for a while. */
GST_START_TEST (test_dropping_branch)
{
  Scene scene;

  scene_init (&scene, "testproducer name=p ! tee name=t "
      "t. ! queue ! testhearer name=a t. ! queue ! valve drop=true ! "
      "testhearer name=b");
  start (scene.producer);
  produce (scene.producer, scene.lineage.first);
  produce (scene.producer, scene.lineage.second);
  patience_until (hearer_knows (scene.b, "0/0 dropped lost; "
          "0/1 dropped lost; "));
  patience_until (hearer_knows (scene.a, "got 0/0; got 0/1; "));
  fail_unless_equals_uint64 (gst_orch_subscriber_get_n_lost
      (scene.a->subscriber), 0);
  scene_clear (&scene);
}

GST_END_TEST;

static GstPadProbeReturn
block (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  return GST_PAD_PROBE_OK;
}

/* The newest stays, what was before it goes. */
GST_START_TEST (test_leaky_queue)
{
  GstPad *pad;
  Scene scene;
  gulong id;

  scene_init (&scene, "testproducer name=p ! "
      "queue name=q leaky=downstream max-size-buffers=1 ! testhearer name=a");
  pad = gst_element_get_static_pad (get (&scene, "q"), "src");
  start (scene.producer);
  id = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK |
      GST_PAD_PROBE_TYPE_BUFFER, block, NULL, NULL);
  produce (scene.producer, scene.lineage.document);
  patience_until (gst_pad_is_blocking (pad));
  produce (scene.producer, scene.lineage.first);
  produce (scene.producer, scene.lineage.second);
  fail_unless_equals_string (hearer_listen (scene.a), "0/0 dropped lost; ");
  gst_pad_remove_probe (pad, id);
  gst_object_unref (pad);
  patience_until (hearer_knows (scene.a,
          "0/0 dropped lost; got 0; got 0/1; "));
  scene_clear (&scene);
}

GST_END_TEST;

/* A copy is as good as the original, and only the death of the last counts. */
GST_START_TEST (test_copies)
{
  GstBuffer *buffer, *copy;
  Scene scene;

  scene_init (&scene, "testproducer name=p ! testhearer name=a");
  start (scene.producer);
  buffer = gst_orch_port_stamp (scene.producer->port, gst_buffer_new (),
      orch_entity_ref (scene.lineage.first), NULL);
  copy = gst_buffer_copy (buffer);
  gst_buffer_unref (buffer);
  fail_unless_equals_string (hearer_listen (scene.a), "");
  gst_buffer_unref (copy);
  fail_unless_equals_string (hearer_listen (scene.a), "0/0 dropped lost; ");
  scene_clear (&scene);
}

GST_END_TEST;

/* Who keeps a buffer without its Item lets others see that it is gone. */
GST_START_TEST (test_kept_without_item)
{
  GstBuffer *buffer;
  Scene scene;

  scene_init (&scene, "testproducer name=p ! testhearer name=a");
  start (scene.producer);
  buffer = gst_orch_port_stamp (scene.producer->port, gst_buffer_new (),
      orch_entity_ref (scene.lineage.first), NULL);
  buffer = gst_orch_buffer_keep_entity (buffer);
  fail_unless_equals_string (hearer_listen (scene.a), "0/0 dropped lost; ");
  fail_unless (gst_orch_buffer_get_entity (buffer) == scene.lineage.first);
  gst_buffer_unref (buffer);
  scene_clear (&scene);
}

GST_END_TEST;

/* A second buffer of an Entity counts, and that is all. */
GST_START_TEST (test_duplicates)
{
  Scene scene;

  scene_init (&scene, "testproducer name=p ! testhearer name=a");
  start (scene.producer);
  produce (scene.producer, scene.lineage.first);
  produce (scene.producer, scene.lineage.first);
  /* Late news of what has arrived is no news. */
  drop (scene.producer, scene.lineage.first);
  fail_unless_equals_string (hearer_listen (scene.a), "got 0/0; ");
  fail_unless_equals_uint64 (gst_orch_subscriber_get_n_duplicates
      (scene.a->subscriber), 1);
  fail_unless_equals_uint64 (gst_orch_subscriber_get_n_lost
      (scene.a->subscriber), 0);
  scene_clear (&scene);
}

GST_END_TEST;

/* The first outcome stands (S1.3): a buffer that comes after all is late. */
GST_START_TEST (test_arrives_after_its_outcome)
{
  Scene scene;

  scene_init (&scene, "testproducer name=p ! testhearer name=a");
  start (scene.producer);
  drop (scene.producer, scene.lineage.first);
  fail_unless_equals_string (hearer_listen (scene.a), "0/0 dropped; ");
  produce (scene.producer, scene.lineage.first);
  fail_unless_equals_string (hearer_listen (scene.a), "0/0 dropped; ");
  scene_clear (&scene);
}

GST_END_TEST;

/* At the latest at EOS: what should have come and has not is lost. */
GST_START_TEST (test_missing_at_eos)
{
  Scene scene;

  scene_init (&scene, "testproducer name=p ! testhearer name=a");
  start (scene.producer);
  orch_expansion_publish (scene.lineage.children, ORCH_EXPANSION_SUCCEEDED,
      NULL);
  gst_orch_port_post_expansion (scene.producer->port, scene.lineage.children);
  produce (scene.producer, scene.lineage.second);
  fail_unless_equals_string (hearer_listen (scene.a),
      "got 0/1; expansion succeeded 2; ");
  gst_pad_push_event (scene.producer->pad, gst_event_new_eos ());
  fail_unless_equals_string (hearer_listen (scene.a),
      "got 0/1; expansion succeeded 2; 0/0 dropped lost; ");
  scene_clear (&scene);
}

GST_END_TEST;

/* ---- what is no loss ---- */

/* What waits in a queue when the flush comes is forgotten. */
GST_START_TEST (test_flush)
{
  GstPad *pad;
  Scene scene;
  gulong id;

  scene_init (&scene, "testproducer name=p ! queue name=q ! "
      "testhearer name=a");
  pad = gst_element_get_static_pad (get (&scene, "q"), "src");
  start (scene.producer);
  id = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK |
      GST_PAD_PROBE_TYPE_BUFFER, block, NULL, NULL);
  produce (scene.producer, scene.lineage.first);
  produce (scene.producer, scene.lineage.second);
  patience_until (gst_pad_is_blocking (pad));
  gst_orch_port_new_epoch (scene.producer->port);
  gst_pad_push_event (scene.producer->pad, gst_event_new_flush_start ());
  gst_pad_remove_probe (pad, id);
  gst_pad_push_event (scene.producer->pad, gst_event_new_flush_stop (TRUE));
  gst_object_unref (pad);
  fail_unless_equals_string (hearer_listen (scene.a), "");
  fail_unless_equals_uint64 (gst_orch_subscriber_get_n_lost
      (scene.a->subscriber), 0);
  /* The same Entity may come again. */
  gst_orch_subscriber_flush (scene.a->subscriber);
  start (scene.producer);
  produce (scene.producer, scene.lineage.first);
  patience_until (hearer_knows (scene.a, "got 0/0; "));
  scene_clear (&scene);
}

GST_END_TEST;

/* Nor is what dies when the pipeline stops. */
GST_START_TEST (test_stop)
{
  GstBuffer *buffer;
  Scene scene;

  scene_init (&scene, "testproducer name=p ! testhearer name=a");
  start (scene.producer);
  buffer = gst_orch_port_stamp (scene.producer->port, gst_buffer_new (),
      orch_entity_ref (scene.lineage.first), NULL);
  gst_orch_port_stop (scene.producer->port);
  gst_buffer_unref (buffer);
  fail_unless_equals_string (hearer_listen (scene.a), "");
  scene_clear (&scene);
}

GST_END_TEST;

static guint
count_warnings (GstElement * pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING))) {
    GError *error;

    gst_message_parse_warning (message, &error, NULL);
    fail_unless (strstr (error->message, "lost between p:src and a"));
    g_error_free (error);
    gst_message_unref (message);
    n++;
  }
  gst_object_unref (bus);
  return n;
}

GST_START_TEST (test_one_warning)
{
  Scene scene;

  scene_init (&scene, "testproducer name=p ! valve drop=true ! "
      "testhearer name=a");
  start (scene.producer);
  produce (scene.producer, scene.lineage.first);
  produce (scene.producer, scene.lineage.second);
  hearer_listen (scene.a);
  fail_unless_equals_int (count_warnings (scene.pipeline), 1);
  scene_clear (&scene);
}

GST_END_TEST;

static void
add_losses (TCase * tc)
{
  tcase_add_test (tc, test_valve);
  tcase_add_test (tc, test_on_lost_fail);
  tcase_add_test (tc, test_dropping_branch);
  tcase_add_test (tc, test_leaky_queue);
  tcase_add_test (tc, test_copies);
  tcase_add_test (tc, test_kept_without_item);
  tcase_add_test (tc, test_duplicates);
  tcase_add_test (tc, test_arrives_after_its_outcome);
  tcase_add_test (tc, test_missing_at_eos);
  tcase_add_test (tc, test_flush);
  tcase_add_test (tc, test_stop);
  tcase_add_test (tc, test_one_warning);
}

static Suite *
ports_suite (void)
{
  Suite *s = suite_create ("ports");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  gst_element_register (NULL, "testproducer", GST_RANK_NONE,
      producer_get_type ());
  gst_element_register (NULL, "testhearer", GST_RANK_NONE,
      hearer_get_type ());
  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_found_through, 0, G_N_ELEMENTS (middles));
  tcase_add_test (tc, test_branches);
  tcase_add_test (tc, test_two_producers);
  tcase_add_test (tc, test_backlog);
  tcase_add_test (tc, test_backlog_ends_with_the_run);
  tcase_add_test (tc, test_late_branch);
  tcase_add_test (tc, test_no_port);
  add_losses (tc);
  return s;
}

GST_CHECK_MAIN (ports);

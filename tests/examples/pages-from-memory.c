/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* An application that embeds the elements: it has its documents in memory, gives
 * them to an appsrc, and takes each back whole from an appsink, as soon as it is
 * done.  Documents are told apart by their place, which the path begins with.
 *
 * Usage: pages-from-memory FILE.pdf...
 *
 * To build it outside of this tree:
 *   cc pages-from-memory.c $(pkg-config --cflags --libs gst-orch-1.0 gstreamer-app-1.0) */

#include <gst/app/app.h>
#include <gst/gst.h>
#include <gst/orch/orch.h>
#include <stdlib.h>

#define PIPELINE \
  "appsrc name=in caps=application/pdf max-buffers=4 block=true ! " \
  "orchpdfpages ! orchexpand ! orchpdftext replicas=2 ! " \
  "orchreduce on-failed=placeholder ! " \
  "appsink name=out sync=false max-buffers=4"

/* ---- documents go in, in a thread of their own, since appsrc blocks ---- */

typedef struct
{
  GstElement *appsrc;
  gchar **files;
} Feed;

static gpointer
feed_documents (gpointer data)
{
  Feed *feed = data;
  guint i;

  for (i = 0; feed->files[i]; i++) {
    g_autoptr (GError) error = NULL;
    gchar *bytes = NULL;
    gsize size = 0;

    /* One that cannot be read keeps its place, as an empty document. */
    if (!g_file_get_contents (feed->files[i], &bytes, &size, &error))
      g_printerr ("%s\n", error->message);
    if (gst_app_src_push_buffer (GST_APP_SRC (feed->appsrc),
            bytes ? gst_buffer_new_wrapped (bytes, size)
            : gst_buffer_new ()) != GST_FLOW_OK)
      break;
  }
  gst_app_src_end_of_stream (GST_APP_SRC (feed->appsrc));
  return NULL;
}

/* ---- results come out ---- */

static const gchar *
name_of (gchar ** files, const gchar * path)
{
  return files[g_ascii_strtoull (path, NULL, 10)];
}

static guint
count_characters (GstBuffer * buffer)
{
  GstMapInfo map;
  guint n;

  if (!gst_buffer_map (buffer, &map, GST_MAP_READ))
    return 0;
  n = g_utf8_strlen ((const gchar *) map.data, map.size);
  gst_buffer_unmap (buffer, &map);
  return n;
}

/* One document: a list of its pages. */
static void
print_document (gchar ** files, GstBuffer * buffer)
{
  GstOrchEntity *entity = gst_orch_buffer_get_entity (buffer);
  GstOrchList *pages = gst_orch_buffer_get_list (buffer);
  g_autofree gchar *path = gst_orch_entity_get_path (entity);
  guint i;

  g_print ("%s: %u pages\n", name_of (files, path),
      gst_orch_list_get_size (pages));
  for (i = 0; i < gst_orch_list_get_size (pages); i++) {
    const GstOrchListElement *page = gst_orch_list_get (pages, i);

    if (page->buffer)
      g_print ("  page %u: %u characters\n", i + 1,
          count_characters (page->buffer));
    else
      g_print ("  page %u: %s\n", i + 1, gst_orch_cause_get_message (page->cause));
  }
}

/* What has no value is told of by an event. */
static void
print_event (gchar ** files, GstEvent * event)
{
  const GstStructure *outcome = gst_event_get_structure (event);

  if (!outcome || !gst_structure_has_name (outcome, "orch-outcome"))
    return;
  g_print ("%s: %s\n", name_of (files, gst_structure_get_string (outcome,
              "path")), gst_structure_get_string (outcome, "cause-message"));
}

static void
take_results (GstAppSink * appsink, gchar ** files)
{
  GstMiniObject *object;

  while ((object = gst_app_sink_pull_object (appsink))) {
    if (GST_IS_SAMPLE (object))
      print_document (files, gst_sample_get_buffer (GST_SAMPLE (object)));
    else if (GST_IS_EVENT (object))
      print_event (files, GST_EVENT (object));
    gst_mini_object_unref (object);
  }
}

/* ---- the rest ---- */

/* An error ends the pipeline; appsink then returns NULL, as at the end. */
static gboolean
print_error (GstElement * pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  g_autoptr (GError) error = NULL;

  gst_object_unref (bus);
  if (!message)
    return FALSE;
  gst_message_parse_error (message, &error, NULL);
  g_printerr ("%s: %s\n", GST_MESSAGE_SRC_NAME (message), error->message);
  gst_message_unref (message);
  return TRUE;
}

static gboolean
run (GstElement * pipeline, gchar ** files)
{
  GstElement *appsink = gst_bin_get_by_name (GST_BIN (pipeline), "out");
  Feed feed = { gst_bin_get_by_name (GST_BIN (pipeline), "in"), files };
  gboolean has_failed = gst_element_set_state (pipeline, GST_STATE_PLAYING)
      == GST_STATE_CHANGE_FAILURE;
  GThread *feeder;

  if (!has_failed) {
    feeder = g_thread_new ("feed", feed_documents, &feed);
    take_results (GST_APP_SINK (appsink), files);
    has_failed = print_error (pipeline);
    /* Lets appsrc go, if it still waits. */
    gst_element_set_state (pipeline, GST_STATE_NULL);
    g_thread_join (feeder);
  } else {
    print_error (pipeline);
    gst_element_set_state (pipeline, GST_STATE_NULL);
  }
  gst_object_unref (feed.appsrc);
  gst_object_unref (appsink);
  return !has_failed;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  GstElement *pipeline;
  gboolean good;

  gst_init (&argc, &argv);
  if (argc < 2) {
    g_printerr ("Usage: %s FILE.pdf...\n", argv[0]);
    return EXIT_FAILURE;
  }
  pipeline = gst_parse_launch (PIPELINE, &error);
  if (error) {
    g_printerr ("%s\n", error->message);
    return EXIT_FAILURE;
  }
  good = run (pipeline, argv + 1);
  gst_object_unref (pipeline);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

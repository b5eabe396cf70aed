/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* The element orchgst in pipelines: what becomes of units, of a pipeline that stops,
 * and of one that cannot start. */

#include "fixture.h"
#include "complaints.h"
#include "patience.h"
#include "run.h"
#include "talker.h"
#include "threads.h"
#include "workers.h"

#include <glib/gstdio.h>
#include <string.h>

#define DECODE "jpegdec ! videoconvert ! video/x-raw,format=GRAY8"
/* Larger than what is copied into a message between processes. */
#define JPEGS "videotestsrc num-buffers=9 pattern=ball ! " \
    "video/x-raw,format=I420,width=320,height=240,framerate=10/1 ! jpegenc"

static void
push (Run * self, GstSample * sample)
{
  GstFlowReturn flow;

  g_signal_emit_by_name (self->in, "push-sample", sample, &flow);
  g_assert_cmpint (flow, ==, GST_FLOW_OK);
}

/* ---- pictures ---- */

static GstPadProbeReturn
note_cause (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  const GstStructure *event =
      gst_event_get_structure (GST_PAD_PROBE_INFO_EVENT (info));

  if (event && gst_structure_has_field (event, "cause-message"))
    g_string_append_printf (data, "%s\n", gst_structure_get_string (event,
            "cause-message"));
  return GST_PAD_PROBE_OK;
}

/* (transfer full): filled with the messages of causes, one a line */
static GString *
collect_causes (Run * self)
{
  GString *causes = g_string_new (NULL);
  GstPad *pad = gst_element_get_static_pad (run_get (self, "out"), "sink");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, note_cause, causes,
      NULL);
  gst_object_unref (pad);
  return causes;
}

/* Every third is broken. */
static void
push_pictures (Run * self, GPtrArray * jpegs)
{
  guint i;

  for (i = 0; i < jpegs->len; i++) {
    GstSample *good = g_ptr_array_index (jpegs, i);
    GstSample *bad = fixture_replace (good, "no picture", 10);

    push (self, i % 3 == 1 ? bad : good);
    gst_sample_unref (bad);
  }
}

static void
check_pictures (Run * self, GPtrArray * jpegs)
{
  GPtrArray *pictures = fixture_convert (DECODE, jpegs);
  guint i;

  run_assert_results (self, "0 *; 1 F gst:element-error@1; 2 *; 3 *; "
      "4 F gst:element-error@4; 5 *; 6 *; 7 F gst:element-error@7; 8 *");
  for (i = 0; i < jpegs->len; i++) {
    g_autofree gchar *path = g_strdup_printf ("%u", i);
    GstBuffer *expected =
        gst_sample_get_buffer (g_ptr_array_index (pictures, i));
    GstBuffer *buffer = i % 3 == 1 ? NULL : collector_get_buffer (self->out,
        path);

    if (!buffer)
      continue;
    fixture_assert_same (buffer, expected);
    g_assert_cmpuint (GST_BUFFER_PTS (buffer), ==, GST_BUFFER_PTS (expected));
    g_assert_cmpuint (GST_BUFFER_DURATION (buffer), ==,
        GST_BUFFER_DURATION (expected));
    gst_buffer_unref (buffer);
  }
  g_ptr_array_unref (pictures);
}

static void
test_pictures (gconstpointer properties)
{
  g_autoptr (GString) causes = NULL;
  GPtrArray *jpegs;
  Run *self;

  if (!fixture_needs ("jpegenc ! " DECODE))
    return;
  jpegs = fixture_make (JPEGS);
  self = run_new (RUN_IN "! orchgst bin=\"" DECODE "\" %s ! " RUN_OUT,
      (const gchar *) properties);
  causes = collect_causes (self);
  run_start (self);
  push_pictures (self, jpegs);
  run_end (self);
  run_finish (self);
  check_pictures (self, jpegs);
  g_assert_nonnull (strstr (causes->str, "jpegdec: "));
  g_assert_nonnull (strstr (causes->str, "Not a JPEG file"));
  run_free (self);
  g_ptr_array_unref (jpegs);
  g_assert_cmpuint (workers_count (), ==, 0);
}

/* Several pictures in one buffer are a list; each gets an element of its own again. */
static void
test_list (gconstpointer workers)
{
  GPtrArray *jpegs;
  GstSample *joined;
  Run *self;

  if (!fixture_needs ("jpegenc ! jpegparse ! jpegdec ! videoscale"))
    return;
  jpegs = fixture_make (JPEGS);
  joined = fixture_join (jpegs);
  self = run_new (RUN_IN "! orchgst bin=\"jpegparse ! jpegdec\" workers=%s ! "
      "orchexpand ! orchgst bin=\"videoscale ! video/x-raw,width=8,height=8\" "
      "workers=%s replicas=2 ! orchreduce ! " RUN_OUT,
      (const gchar *) workers, (const gchar *) workers);
  run_start (self);
  push (self, joined);
  push (self, joined);
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [*,*,*,*,*,*,*,*,*]; 1 [*,*,*,*,*,*,*,*,*]");
  run_free (self);
  gst_sample_unref (joined);
  g_ptr_array_unref (jpegs);
}

/* What comes out late comes out, in its order and at its time. */
static void
test_delayed (void)
{
  GPtrArray *jpegs;
  GstSample *joined;
  GstBuffer *buffer;
  GstOrchList *list;
  Run *self;
  guint i;

  if (!fixture_needs ("jpegenc ! jpegparse ! jpegdec ! x264enc"))
    return;
  jpegs = fixture_make (JPEGS);
  joined = fixture_join (jpegs);
  self = run_new (RUN_IN "! orchgst bin=\"jpegparse ! jpegdec ! videoconvert ! "
      "x264enc bframes=0 threads=1\" ! " RUN_OUT);
  run_start (self);
  push (self, joined);
  run_end (self);
  run_finish (self);
  buffer = collector_get_buffer (self->out, "0");
  list = gst_orch_buffer_get_list (buffer);
  g_assert_cmpuint (gst_orch_list_get_size (list), ==, jpegs->len);
  for (i = 0; i < jpegs->len; i++) {
    const GstOrchListElement *element = gst_orch_list_get (list, i);

    g_assert_true (gst_structure_has_name (gst_caps_get_structure
            (element->caps, 0), "video/x-h264"));
    g_assert_cmpuint (GST_BUFFER_PTS (element->buffer), ==,
        i * GST_SECOND / 10);
  }
  gst_buffer_unref (buffer);
  run_free (self);
  gst_sample_unref (joined);
  g_ptr_array_unref (jpegs);
}

/* (transfer full): caps of the one thing that comes of what `source` makes */
static GstCaps *
get_caps (const gchar * source, const gchar * bin)
{
  Run *self = run_new ("%s ! orchgst bin=\"%s\" ! " RUN_OUT, source, bin);
  GstPad *pad = gst_element_get_static_pad (run_get (self, "out"), "sink");
  GstCaps *caps;

  run_start (self);
  run_finish (self);
  caps = gst_pad_get_current_caps (pad);
  gst_object_unref (pad);
  run_free (self);
  return caps;
}

static void
assert_caps (const gchar * source, const gchar * bin, const gchar * expected)
{
  GstCaps *caps = get_caps (source, bin);
  GstCaps *wanted = gst_caps_from_string (expected);

  g_assert_true (gst_caps_is_subset (caps, wanted));
  gst_caps_unref (wanted);
  gst_caps_unref (caps);
}

static void
test_caps (void)
{
  if (!fixture_needs ("videoconvert ! audioresample"))
    return;
  assert_caps ("videotestsrc num-buffers=1 ! video/x-raw,format=I420",
      "videoconvert ! video/x-raw,format=RGB", "video/x-raw,format=RGB");
  assert_caps ("audiotestsrc num-buffers=1 ! audio/x-raw,rate=48000",
      "audioconvert ! audio/x-raw,format=F32LE,rate=48000",
      "audio/x-raw,format=F32LE,rate=48000");
  /* What is left in a resampler comes out behind the rest. */
  assert_caps ("audiotestsrc num-buffers=1 ! audio/x-raw,rate=48000",
      "audioresample ! audio/x-raw,rate=8000", GST_ORCH_LIST_CAPS);
}

static void
write_file (const gchar * path, GstSample * sample)
{
  GstMapInfo map;
  GError *error = NULL;

  g_assert_true (gst_buffer_map (gst_sample_get_buffer (sample), &map,
          GST_MAP_READ));
  g_file_set_contents (path, (gchar *) map.data, map.size, &error);
  g_assert_no_error (error);
  gst_buffer_unmap (gst_sample_get_buffer (sample), &map);
}

static void
assert_file (const gchar * path, const gchar * properties,
    const gchar * results)
{
  Run *self = run_new ("orchsrc location=%s ! orchgst bin=\"" DECODE "\" %s ! "
      RUN_OUT, path, properties);

  run_start (self);
  run_finish (self);
  run_assert_results (self, results);
  run_free (self);
}

/* A file is read, and not more than is allowed. */
static void
test_files (void)
{
  g_autofree gchar *folder = NULL;
  g_autofree gchar *path = NULL;
  GPtrArray *jpegs;

  if (!fixture_needs ("jpegenc ! " DECODE))
    return;
  folder = g_dir_make_tmp ("orchgst-XXXXXX", NULL);
  path = g_build_filename (folder, "a.jpg", NULL);
  jpegs = fixture_make (JPEGS);
  write_file (path, g_ptr_array_index (jpegs, 0));
  assert_file (path, "", "0 *");
  assert_file (path, "max-size=100", "0 F gst:not-read@0");
  assert_file (path, "workers=process", "0 *");
  g_unlink (path);
  g_rmdir (folder);
  g_ptr_array_unref (jpegs);
}

/* decodebin finds its decoders behind the walls. */
static void
test_decodebin (gconstpointer workers)
{
  GPtrArray *jpegs;
  Run *self;

  if (!fixture_needs ("jpegenc ! decodebin ! videoconvert"))
    return;
  jpegs = fixture_make (JPEGS);
  self = run_new (RUN_IN "! orchgst workers=%s "
      "bin=\"decodebin ! videoconvert ! video/x-raw,format=GRAY8\" ! " RUN_OUT,
      (const gchar *) workers);
  run_start (self);
  push_pictures (self, jpegs);
  run_end (self);
  run_finish (self);
  check_pictures (self, jpegs);
  run_free (self);
  g_ptr_array_unref (jpegs);
}

/* ---- outcomes ---- */

static void
test_outcomes (void)
{
  assert_results ("orchexpand ! orchgst bin=identity ! orchreduce", "[a,b,c]",
      "0 [a,b,c]");
  assert_results ("orchexpand ! orchgst bin=\"testtalker deed=double\" ! "
      "orchreduce", "[a,b]", "0 [[a,a],[b,b]]");
  assert_results ("orchexpand ! orchgst bin=\"valve drop=true "
      "drop-mode=forward-sticky-events\" ! orchreduce", "[a,b]", "0 []");
  assert_results ("orchexpand ! orchgst bin=\"testtalker deed=warn-drop\" ! "
      "orchreduce on-failed=skip", "[a]",
      "0 [] 0/0 F gst:element-warning@0/0");
  assert_results ("orchexpand ! orchgst bin=\"identity error-after=1\" ! "
      "orchreduce on-failed=skip", "[a,b]",
      "0 [] 0/0 F gst:element-error@0/0 0/1 F gst:element-error@0/1");
}

/* They are children to be, and not the unit that they were made of. */
static void
test_elements_of_lists (void)
{
  Run *self = run_new (RUN_IN "! orchidentity ! "
      "orchgst bin=\"testtalker deed=double\" ! " RUN_OUT);
  GstOrchList *list;
  GstBuffer *buffer;
  guint i;

  run_start (self);
  run_push (self, "a");
  run_end (self);
  run_finish (self);
  buffer = collector_get_buffer (self->out, "0");
  list = gst_orch_buffer_get_list (buffer);
  g_assert_cmpuint (gst_orch_list_get_size (list), ==, 2);
  for (i = 0; i < 2; i++)
    g_assert_null (gst_buffer_get_orch_meta (gst_orch_list_get (list,
                i)->buffer));
  gst_buffer_unref (buffer);
  run_free (self);
}

/* What is opened behind it does not depend on how many there are. */
static void
test_always_list (void)
{
  assert_results ("orchexpand ! orchgst bin=identity always-list=true ! "
      "orchexpand ! orchreduce ! orchreduce", "[a,b]", "0 [[a],[b]]");
  assert_results ("orchexpand ! orchgst bin=\"testtalker deed=double\" "
      "always-list=true ! orchexpand ! orchreduce ! orchreduce", "[a]",
      "0 [[a,a]]");
  assert_results ("orchexpand ! orchgst bin=\"valve drop=true "
      "drop-mode=forward-sticky-events\" always-list=true ! orchexpand ! "
      "orchreduce ! orchreduce", "[a,b]", "0 [[],[]]");
}

/* Batches, replicas and processes change nothing (S6), not even for elements that
 * count. */
static void
test_schedules (void)
{
  static const gchar *const properties[] = {
    "batch-size=4", "replicas=3", "batch-size=3 replicas=2 reuse=always",
    "reuse=never", "workers=process batch-size=3 replicas=2",
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (properties); i++) {
    g_autofree gchar *chain = g_strdup_printf ("orchexpand ! orchgst "
        "bin=\"identity error-after=3\" %s ! orchreduce", properties[i]);

    assert_results (chain, "[a,b,c,d,e,f,g]; [h]; []",
        "0 [a,b,c,d,e,f,g]; 1 [h]; 2 []");
  }
}

/* Nothing that is posted in a bin reaches the pipeline; a warning beside a value is
 * told as that of a Function. */
static void
test_messages (void)
{
  Run *self = run_new (RUN_IN "! orchgst bin=\"testtalker deed=warn\" ! " RUN_OUT);
  const GstStructure *news;
  const GValue *warnings;
  GstBuffer *buffer;

  run_start (self);
  run_push (self, "a");
  run_end (self);
  run_finish (self);
  g_assert_cmpuint (self->warnings->len, ==, 0);
  g_assert_cmpuint (self->news->len, ==, 1);
  news = g_ptr_array_index (self->news, 0);
  g_assert_true (gst_structure_has_name (news, "orch-warning"));
  g_assert_cmpstr (gst_structure_get_string (news, "message"), ==,
      "talker: Mind the gap. (It is 7 wide)");
  buffer = collector_get_buffer (self->out, "0");
  warnings = gst_structure_get_value (gst_orch_buffer_get_info (buffer),
      "warnings");
  g_assert_cmpuint (gst_value_list_get_size (warnings), ==, 1);
  gst_buffer_unref (buffer);
  run_free (self);
}

/* ---- what does not start ---- */

static const struct
{
  const gchar *bin;
  const gchar *reason;
} wrong[] = {
  {NULL, "the property bin is not set"},
  {"identity ! nosuchelement", "no element \"nosuchelement\""},
  {"identity name=a identity name=b", "(a.sink, b.sink)"},
  {"identity ! fakesink", "no src pad is left"},
  {"testtalker deed=no-start", "There is no door."},
};

static void
test_wrong_bins (void)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (wrong); i++) {
    Run *self = run_new (RUN_IN "! orchgst name=mine ! " RUN_OUT);

    g_object_set (run_get (self, "mine"), "bin", wrong[i].bin, NULL);
    gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
    g_assert_false (run_wait (self));
    if (!strstr (self->error, wrong[i].reason))
      g_error ("\"%s\" does not say \"%s\"", self->error, wrong[i].reason);
    g_assert_nonnull (strstr (self->error, "mine"));
    run_free (self);
  }
}

/* What the bin does not take is not offered, or refused before it comes. */
static void
test_wrong_input (void)
{
  Run *self;

  if (!fixture_needs ("jpegenc ! jpegdec"))
    return;
  assert_caps ("videotestsrc num-buffers=1", "jpegenc", "image/jpeg");
  self = run_new (RUN_IN "caps=audio/x-raw ! orchgst name=g bin=jpegdec ! " RUN_OUT);
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  g_assert_false (run_wait (self));
  g_assert_nonnull (strstr (self->error, "g cannot work on what it is given"));
  g_assert_nonnull (strstr (self->error_debug, "its Function takes image/jpeg"));
  run_free (self);
}

/* Before data flows, and before a worker is started. */
static void
test_refused_in_ready (void)
{
  Run *self = run_new (RUN_IN "! orchgst bin=nosuchelement workers=process ! "
      RUN_OUT);

  g_assert_cmpint (gst_element_set_state (self->pipeline, GST_STATE_PAUSED), ==,
      GST_STATE_CHANGE_FAILURE);
  g_assert_cmpuint (workers_count (), ==, 0);
  run_free (self);
}

/* ---- what ends ---- */

static void
test_timeout (gconstpointer workers)
{
  Run *self = run_new (RUN_IN "! orchexpand ! orchgst name=g workers=%s "
      "bin=\"valve drop=true\" attempt-timeout=100000000 ! "
      "orchreduce on-failed=skip ! " RUN_OUT, (const gchar *) workers);

  run_start (self);
  run_push (self, "[a]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 [] 0/0 F orch:timeout@0/0");
  /* Threads that were left alone end by themselves. */
  patience_until (run_get_stat (self, "g", "hung") == 0);
  run_free (self);
  patience_until (!threads_have ("gst:watch"));
}

/* A bin that runs does not keep a pipeline from going down, and up again. */
static void
test_states (void)
{
  Run *self = run_new (RUN_IN "! orchgst name=g replicas=2 ! " RUN_OUT);
  static const GstState states[] = { GST_STATE_READY, GST_STATE_NULL };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (states); i++) {
    g_object_set (run_get (self, "g"), "bin", "testtalker deed=hang", NULL);
    run_start (self);
    run_push (self, "a");
    run_push (self, "b");
    patience_until (talker_count_hanging () == 2);
    gst_element_set_state (self->pipeline, states[i]);
    g_assert_cmpuint (talker_count_hanging (), ==, 0);
    collector_clear (self->out);

    g_object_set (run_get (self, "g"), "bin", "identity", NULL);
    run_start (self);
    run_push (self, "c");
    run_end (self);
    run_finish (self);
    run_assert_results (self, "0 c");
    gst_element_set_state (self->pipeline, GST_STATE_READY);
    collector_clear (self->out);
  }
  run_free (self);
}

static void
test_flush (void)
{
  Run *self = run_new (RUN_IN "! orchgst bin=\"testtalker deed=hang-at-h\" ! "
      RUN_OUT);

  run_start (self);
  run_push (self, "a");
  collector_wait (self->out, 1);
  run_push (self, "h");
  patience_until (talker_count_hanging () == 1);
  gst_element_send_event (self->in, gst_event_new_flush_start ());
  gst_element_send_event (self->in, gst_event_new_flush_stop (TRUE));
  patience_until (talker_count_hanging () == 0);
  run_push (self, "b");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 a; 0 b");
  run_free (self);
}

/* S5.5: of a parent that has failed nothing runs on. */
static void
test_unwanted (void)
{
  Run *self = run_new (RUN_IN "! orchexpand ! orchgst replicas=2 "
      "bin=\"testtalker deed=hang-at-h ! testtalker deed=fail-at-f\" ! "
      "orchreduce ! " RUN_OUT);

  run_start (self);
  run_push (self, "[h,f]");
  run_push (self, "[a]");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 S gst:element-error@0/1; 1 [a]");
  run_free (self);
}

static const struct
{
  const gchar *name;
  void (*run) (void);
} cases[] = {
  {"delayed", test_delayed},
  {"caps", test_caps},
  {"files", test_files},
  {"outcomes", test_outcomes},
  {"elements-of-lists", test_elements_of_lists},
  {"always-list", test_always_list},
  {"schedules", test_schedules},
  {"messages", test_messages},
  {"wrong-bins", test_wrong_bins},
  {"wrong-input", test_wrong_input},
  {"refused-in-ready", test_refused_in_ready},
  {"states", test_states},
  {"flush", test_flush},
  {"unwanted", test_unwanted},
};

int
main (int argc, char **argv)
{
  guint i;

  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  complaints_init ();
  talker_register ();
  g_test_add_data_func ("/gst/pictures", "order=input", test_pictures);
  g_test_add_data_func ("/gst/pictures/batches", "batch-size=4 replicas=2",
      test_pictures);
  g_test_add_data_func ("/gst/pictures/never", "reuse=never", test_pictures);
  g_test_add_data_func ("/gst/pictures/workers",
      "workers=process replicas=2 batch-size=2", test_pictures);
  g_test_add_data_func ("/gst/list", "thread", test_list);
  g_test_add_data_func ("/gst/list/workers", "process", test_list);
  g_test_add_data_func ("/gst/decodebin", "thread", test_decodebin);
  g_test_add_data_func ("/gst/decodebin/workers", "process", test_decodebin);
  g_test_add_data_func ("/gst/timeout", "thread", test_timeout);
  g_test_add_data_func ("/gst/timeout/workers", "process", test_timeout);
  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gchar *path = g_strconcat ("/gst/", cases[i].name, NULL);

    g_test_add_func (path, cases[i].run);
  }
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* orchreduce output=stack and output=concat: one buffer for all children. */

#include "run.h"
#include "complaints.h"

#include <gst/check/gstcheck.h>
#include <string.h>

#define STACK "orchexpand ! orchreduce name=r output=stack ! "

/* A frame of `size` bytes, each of them `value`. */
static void
append (GstOrchList * list, const gchar * caps_text, gsize size, guint8 value)
{
  GstCaps *caps = gst_caps_from_string (caps_text);
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, size, NULL);

  gst_buffer_memset (buffer, 0, value, size);
  gst_orch_list_append (list, buffer, caps, NULL);
  gst_caps_unref (caps);
}

static void
push_list (Run * run, GstOrchList * list)
{
  GstBuffer *buffer = gst_orch_list_buffer_new (list);
  GstFlowReturn ret;

  g_signal_emit_by_name (run->in, "push-buffer", buffer, &ret);
  gst_buffer_unref (buffer);
}

/* Everything that comes to the sink: "CAPS:size:first byte of each nth". */
static gchar *
describe (Run * run, const gchar * path, gsize step)
{
  GstBuffer *buffer = collector_get_buffer (run->out, path);
  GstPad *pad = gst_element_get_static_pad (run_get (run, "out"), "sink");
  GstCaps *caps = gst_pad_get_current_caps (pad);
  GString *text = g_string_new (NULL);
  GstMapInfo map;
  gsize i;

  if (gst_structure_has_field (gst_caps_get_structure (caps, 0),
          "dimensions"))
    g_string_append (text, gst_structure_get_string (gst_caps_get_structure
            (caps, 0), "dimensions"));
  gst_buffer_map (buffer, &map, GST_MAP_READ);
  g_string_append_printf (text, " %" G_GSIZE_FORMAT, map.size);
  for (i = 0; step && i < map.size; i += step)
    g_string_append_printf (text, " %u", map.data[i]);
  gst_buffer_unmap (buffer, &map);
  gst_caps_unref (caps);
  gst_object_unref (pad);
  gst_buffer_unref (buffer);
  return g_string_free (text, FALSE);
}

#define assert_value(run, path, step, expected) \
  G_STMT_START { \
    g_autofree gchar *value = describe (run, path, step); \
    g_assert_cmpstr (value, ==, expected); \
  } G_STMT_END

static Run *
start (void)
{
  Run *self = run_new (RUN_IN "! " STACK RUN_OUT);

  run_start (self);
  return self;
}

static void
finish (Run * self)
{
  run_end (self);
  run_finish (self);
}

#define RGB(w, h) "video/x-raw, format=RGB, framerate=0/1, width=" #w ", height=" #h
#define GRAY(w, h) "video/x-raw, format=GRAY8, framerate=0/1, width=" #w ", height=" #h
#define TENSOR(dimensions, types) "other/tensors, format=static, num_tensors=1, " \
    "dimensions=(string)" dimensions ", types=(string)" types

GST_START_TEST (test_frames)
{
  GstOrchList *list = gst_orch_list_new ();
  Run *self = start ();
  guint i;

  for (i = 0; i < 3; i++)
    append (list, RGB (4, 2), 24, 10 + i);
  push_list (self, list);
  finish (self);
  assert_value (self, "0", 24, "3:4:2:3 72 10 11 12");
  run_free (self);
}

GST_END_TEST;

/* Few frames stay where they are. */
GST_START_TEST (test_without_a_copy)
{
  GstOrchList *list = gst_orch_list_new ();
  Run *self = start ();
  GstMemory *memory;
  GstBuffer *buffer;

  append (list, GRAY (4, 2), 8, 1);
  append (list, GRAY (4, 2), 8, 2);
  memory = gst_buffer_peek_memory (gst_orch_list_get (list, 1)->buffer, 0);
  push_list (self, list);
  finish (self);
  buffer = collector_get_buffer (self->out, "0");
  fail_unless_equals_int (gst_buffer_n_memory (buffer), 2);
  fail_unless (gst_buffer_peek_memory (buffer, 1) == memory);
  gst_buffer_unref (buffer);
  run_free (self);
}

GST_END_TEST;

/* More than a buffer has memories: copied once. */
GST_START_TEST (test_many_frames)
{
  GstOrchList *list = gst_orch_list_new ();
  Run *self = start ();
  GstBuffer *buffer;
  guint i;

  for (i = 0; i < 100; i++)
    append (list, GRAY (4, 2), 8, i);
  push_list (self, list);
  finish (self);
  buffer = collector_get_buffer (self->out, "0");
  fail_unless_equals_int (gst_buffer_n_memory (buffer), 1);
  gst_buffer_unref (buffer);
  assert_value (self, "0", 400, "1:4:2:100 800 0 50");
  run_free (self);
}

GST_END_TEST;

/* GStreamer's rows end at multiples of four bytes, a tensor's do not. */
GST_START_TEST (test_padded_rows)
{
  GstOrchList *list = gst_orch_list_new ();
  Run *self = start ();

  append (list, RGB (5, 2), 32, 1);
  append (list, RGB (5, 2), 32, 2);
  push_list (self, list);
  finish (self);
  assert_value (self, "0", 15, "3:5:2:2 60 1 1 2 2");
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_tensors)
{
  GstOrchList *list = gst_orch_list_new ();
  Run *self = start ();

  append (list, TENSOR ("8:3", "float32"), 96, 1);
  append (list, TENSOR ("8:3", "float32"), 96, 2);
  push_list (self, list);
  list = gst_orch_list_new ();
  append (list, TENSOR ("8:3:1", "float32"), 96, 1);
  append (list, TENSOR ("8:3:1", "float32"), 96, 2);
  push_list (self, list);
  finish (self);
  assert_value (self, "1", 96, "8:3:2 192 1 2");
  run_free (self);
}

GST_END_TEST;

/* What does not fit together fails that parent, and no other. */
GST_START_TEST (test_unequal)
{
  static const gchar *const pairs[][2] = {
    {RGB (4, 2), RGB (4, 3)},
    {RGB (4, 2), "video/x-raw, format=BGR, width=4, height=2, framerate=0/1"},
    {RGB (4, 2), TENSOR ("3:4:2", "uint8")},
    {TENSOR ("8", "uint8"), TENSOR ("8", "int8")},
    {RGB (4, 2), "text/x-raw, format=utf8"},
    {"video/x-raw, format=I420, width=4, height=2, framerate=0/1", RGB (4, 2)},
  };
  GstOrchList *list;
  Run *self = start ();
  guint i;

  for (i = 0; i < G_N_ELEMENTS (pairs); i++) {
    list = gst_orch_list_new ();
    append (list, pairs[i][0], 24, 1);
    append (list, pairs[i][1], 24, 2);
    push_list (self, list);
  }
  list = gst_orch_list_new ();
  append (list, RGB (4, 2), 24, 1);
  push_list (self, list);
  finish (self);
  run_assert_results (self, "0 F orch:unequal@0; 1 F orch:unequal@1; "
      "2 F orch:unequal@2; 3 F orch:unequal@3; 4 F orch:unequal@4; "
      "5 F orch:unequal@5; 6 *");
  fail_unless_equals_uint64 (run_get_stat (self, "r", "failed"), 6);
  fail_unless_equals_uint64 (run_get_stat (self, "r", "present"), 1);
  run_free (self);
}

GST_END_TEST;

/* A frame that is shorter than it says. */
GST_START_TEST (test_short_frame)
{
  GstOrchList *list = gst_orch_list_new ();
  Run *self = start ();

  append (list, RGB (4, 2), 24, 1);
  append (list, RGB (4, 2), 10, 2);
  push_list (self, list);
  finish (self);
  run_assert_results (self, "0 F orch:unequal@0");
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_empty)
{
  Run *self = start ();

  push_list (self, gst_orch_list_new ());
  finish (self);
  assert_value (self, "0", 0, " 0");
  run_free (self);
}

GST_END_TEST;

/* Children without a value have no place in a tensor. */
GST_START_TEST (test_with_failed_children)
{
  GstOrchList *list = gst_orch_list_new ();
  Run *self = run_new (RUN_IN "! orchexpand ! "
      "orchreduce name=r output=stack on-failed=placeholder ! " RUN_OUT);

  run_start (self);
  append (list, GRAY (4, 2), 8, 1);
  gst_orch_list_append_failed (list, gst_orch_cause_new ("test", "x", "y"),
      NULL);
  append (list, GRAY (4, 2), 8, 3);
  push_list (self, list);
  finish (self);
  assert_value (self, "0", 8, "1:4:2:2 16 1 3");
  run_assert_results (self, "0 * 0/1 F test:x@0/1");
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_concat_of_many)
{
  GstOrchList *list = gst_orch_list_new ();
  Run *self = run_new (RUN_IN "! orchexpand ! orchreduce output=concat ! "
      RUN_OUT);
  guint i;

  run_start (self);
  for (i = 0; i < 100; i++)
    append (list, "a/b", i, i);
  push_list (self, list);
  finish (self);
  assert_value (self, "0", 2000, " 4950 1 63 89");
  run_free (self);
}

GST_END_TEST;

static Suite *
stack_suite (void)
{
  Suite *s = suite_create ("stack");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_frames);
  tcase_add_test (tc, test_without_a_copy);
  tcase_add_test (tc, test_many_frames);
  tcase_add_test (tc, test_padded_rows);
  tcase_add_test (tc, test_tensors);
  tcase_add_test (tc, test_unequal);
  tcase_add_test (tc, test_short_frame);
  tcase_add_test (tc, test_empty);
  tcase_add_test (tc, test_with_failed_children);
  tcase_add_test (tc, test_concat_of_many);
  return s;
}

GST_CHECK_MAIN (stack);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Lists, causes, and documents behind buffers. */

#include "complaints.h"

#include <gst/allocators/gstfdmemory.h>
#include <gst/check/gstcheck.h>
#include <gst/orch/gstorchcall-private.h>
#include <gst/orch/orch.h>

#include <gio/gio.h>
#include <string.h>
#include <unistd.h>

static GstCaps *
text_caps (void)
{
  return gst_caps_new_empty_simple ("text/x-raw");
}

/* ---- lists ---- */

GST_START_TEST (test_elements)
{
  GstOrchList *list = gst_orch_list_new_sized (4);
  GstCaps *caps = text_caps ();
  GstBuffer *buffer = gst_buffer_new ();
  const GstOrchListElement *element;

  fail_unless_equals_int (gst_orch_list_get_size (list), 0);
  gst_orch_list_append (list, buffer, caps, gst_structure_new ("info", "n",
          G_TYPE_INT, 1, NULL));
  gst_orch_list_append_failed (list, gst_orch_cause_new ("pdf", "damaged",
          "page %d is damaged", 2), NULL);
  gst_orch_list_append_dropped (list, NULL);
  fail_unless_equals_int (gst_orch_list_get_size (list), 3);

  element = gst_orch_list_get (list, 0);
  fail_unless_equals_int (element->outcome, GST_ORCH_OUTCOME_PRESENT);
  fail_unless_equals_uint64 (element->ordinal, 0);
  fail_unless (element->buffer == buffer && element->caps == caps);
  fail_unless (gst_structure_has_field (element->info, "n"));
  fail_unless (element->cause == NULL);

  element = gst_orch_list_get (list, 1);
  fail_unless_equals_int (element->outcome, GST_ORCH_OUTCOME_FAILED);
  fail_unless_equals_uint64 (element->ordinal, 1);
  fail_unless (element->buffer == NULL);
  fail_unless_equals_string (gst_orch_cause_get_message (element->cause),
      "page 2 is damaged");

  element = gst_orch_list_get (list, 2);
  fail_unless_equals_int (element->outcome, GST_ORCH_OUTCOME_DROPPED);
  fail_unless (gst_orch_list_get_counts (list) == NULL);
  fail_unless_equals_int (gst_orch_list_get_n_failures (list), 0);
  gst_caps_unref (caps);
  gst_orch_list_unref (list);
}

GST_END_TEST;

/* An element of one list in another. */
GST_START_TEST (test_append_element)
{
  GstOrchList *from = gst_orch_list_new (), *to = gst_orch_list_new ();
  const GstOrchListElement *element;
  GstCaps *caps = text_caps ();

  gst_orch_list_append (from, gst_buffer_new (), caps, gst_structure_new
      ("info", "n", G_TYPE_INT, 1, NULL));
  gst_orch_list_append_failed (from, gst_orch_cause_new ("a", "b", "c"), NULL);
  gst_orch_list_append_element (to, gst_orch_list_get (from, 1));
  gst_orch_list_append_element (to, gst_orch_list_get (from, 0));
  gst_orch_list_unref (from);
  /* It keeps the ordinal it had. */
  element = gst_orch_list_get (to, 0);
  fail_unless_equals_uint64 (element->ordinal, 1);
  fail_unless_equals_string (gst_orch_cause_get_code (element->cause), "b");
  element = gst_orch_list_get (to, 1);
  fail_unless (gst_caps_is_equal (element->caps, caps));
  fail_unless (gst_structure_has_field (element->info, "n"));
  gst_caps_unref (caps);
  gst_orch_list_unref (to);
}

GST_END_TEST;

GST_START_TEST (test_counts)
{
  const GstOrchListCounts counts = { 15, 1, 2, 3, 4, 5 };
  GstOrchList *list = gst_orch_list_new ();

  gst_orch_list_set_counts (list, &counts);
  fail_unless_equals_int (memcmp (gst_orch_list_get_counts (list), &counts,
          sizeof counts), 0);
  gst_orch_list_unref (list);
}

GST_END_TEST;

GST_START_TEST (test_index_out_of_range)
{
  GstOrchList *list = gst_orch_list_new ();

  assert_complaint (gst_orch_list_get (list, 0));
  assert_complaint (gst_orch_list_get_failure (list, 0));
  gst_orch_list_unref (list);
}

GST_END_TEST;

GST_START_TEST (test_list_buffer)
{
  GstOrchList *list = gst_orch_list_new ();
  GstBuffer *buffer = gst_orch_list_buffer_new (gst_orch_list_ref (list));
  GstBuffer *other = gst_buffer_new ();

  fail_unless (gst_orch_buffer_get_list (buffer) == list);
  fail_unless_equals_int (gst_buffer_n_memory (buffer), 0);
  fail_unless (gst_orch_buffer_get_list (other) == NULL);
  gst_buffer_unref (buffer);
  gst_buffer_unref (other);
  fail_unless_equals_int (gst_orch_list_get_size (list), 0);
  gst_orch_list_unref (list);
}

GST_END_TEST;

/* ---- causes ---- */

GST_START_TEST (test_causes)
{
  GError *error = g_error_new (G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "100%% gone");
  GstOrchCause *cause = gst_orch_cause_new_from_error (error);
  GstOrchCause *literal = gst_orch_cause_new_literal ("pdf", "x", "100% odd");

  fail_unless_equals_string (gst_orch_cause_get_domain (cause),
      "g-io-error-quark");
  fail_unless_equals_string (gst_orch_cause_get_code (cause), "1");
  fail_unless_equals_string (gst_orch_cause_get_message (cause), "100% gone");
  fail_unless (gst_orch_cause_get_path (cause) == NULL);
  fail_unless (gst_orch_cause_get_call (cause) == NULL);
  fail_unless_equals_string (gst_orch_cause_get_message (literal), "100% odd");
  fail_unless (gst_orch_cause_ref (cause) == cause);
  gst_orch_cause_unref (cause);
  gst_orch_cause_unref (cause);
  gst_orch_cause_unref (literal);
  g_error_free (error);
}

GST_END_TEST;

/* ---- documents ---- */

static GstBuffer *
file_buffer (const gchar * text, gint * fd)
{
  GstAllocator *allocator = gst_fd_allocator_new ();
  g_autofree gchar *name = NULL;
  GstBuffer *buffer = gst_buffer_new ();

  *fd = g_file_open_tmp (NULL, &name, NULL);
  fail_unless (*fd >= 0);
  fail_unless_equals_int (unlink (name), 0);
  fail_unless_equals_int (write (*fd, text, strlen (text)), strlen (text));
  gst_buffer_append_memory (buffer, gst_fd_allocator_alloc (allocator, *fd,
          strlen (text), GST_FD_MEMORY_FLAG_NONE));
  gst_object_unref (allocator);
  return buffer;
}

static void
assert_bytes (GBytes * bytes, const gchar * text)
{
  gsize size;
  const gchar *data;

  fail_unless (bytes != NULL);
  data = g_bytes_get_data (bytes, &size);
  fail_unless_equals_int (size, strlen (text));
  fail_unless (strncmp (data ? data : "", text, size) == 0);
  g_bytes_unref (bytes);
}

GST_START_TEST (test_document_is_a_file)
{
  gint fd, found;
  guint64 size;
  GstBuffer *buffer = file_buffer ("0123456789", &fd);

  fail_unless (gst_orch_buffer_get_fd (buffer, &found, &size));
  fail_unless_equals_int (found, fd);
  fail_unless_equals_uint64 (size, 10);
  fail_unless (gst_orch_buffer_get_fd (buffer, &found, NULL));
  assert_bytes (gst_orch_buffer_read_all (buffer, 10, NULL), "0123456789");
  /* A file weighs nothing in a budget. */
  fail_unless_equals_int (gst_orch_buffer_get_owned_size (buffer), 0);
  gst_buffer_unref (buffer);
}

GST_END_TEST;

/* It has become shorter since: what is left, and no SIGBUS. */
GST_START_TEST (test_truncated_file)
{
  gint fd;
  GstBuffer *buffer = file_buffer ("0123456789", &fd);

  fail_unless_equals_int (ftruncate (fd, 4), 0);
  assert_bytes (gst_orch_buffer_read_all (buffer, 10, NULL), "0123");
  fail_unless_equals_int (ftruncate (fd, 0), 0);
  assert_bytes (gst_orch_buffer_read_all (buffer, 10, NULL), "");
  gst_buffer_unref (buffer);
}

GST_END_TEST;

GST_START_TEST (test_document_in_memory)
{
  GstBuffer *buffer = gst_buffer_new_memdup ("abc", 3);
  gint fd;

  fail_if (gst_orch_buffer_get_fd (buffer, &fd, NULL));
  assert_bytes (gst_orch_buffer_read_all (buffer, 3, NULL), "abc");
  fail_unless_equals_int (gst_orch_buffer_get_owned_size (buffer), 3);
  gst_buffer_unref (buffer);
  buffer = gst_buffer_new ();
  fail_if (gst_orch_buffer_get_fd (buffer, &fd, NULL));
  assert_bytes (gst_orch_buffer_read_all (buffer, 0, NULL), "");
  gst_buffer_unref (buffer);
}

GST_END_TEST;

/* A part of a file is not the file. */
GST_START_TEST (test_part_of_a_file)
{
  gint fd, found;
  GstBuffer *buffer = file_buffer ("0123456789", &fd), *part;

  part = gst_buffer_copy_region (buffer, GST_BUFFER_COPY_MEMORY, 2, 3);
  fail_if (gst_orch_buffer_get_fd (part, &found, NULL));
  assert_bytes (gst_orch_buffer_read_all (part, 10, NULL), "234");
  gst_buffer_unref (part);
  gst_buffer_unref (buffer);
}

GST_END_TEST;

GST_START_TEST (test_document_too_large)
{
  gint fd;
  GstBuffer *file = file_buffer ("0123456789", &fd);
  GstBuffer *memory = gst_buffer_new_memdup ("abc", 3);
  GError *error = NULL;

  fail_unless (gst_orch_buffer_read_all (file, 9, &error) == NULL);
  fail_unless (g_error_matches (error, G_IO_ERROR,
          G_IO_ERROR_MESSAGE_TOO_LARGE));
  g_clear_error (&error);
  fail_unless (gst_orch_buffer_read_all (memory, 2, &error) == NULL);
  fail_unless (error != NULL);
  g_clear_error (&error);
  gst_buffer_unref (file);
  gst_buffer_unref (memory);
}

GST_END_TEST;

static Suite *
list_suite (void)
{
  Suite *s = suite_create ("list");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_elements);
  tcase_add_test (tc, test_append_element);
  tcase_add_test (tc, test_counts);
  tcase_add_test (tc, test_index_out_of_range);
  tcase_add_test (tc, test_list_buffer);
  tcase_add_test (tc, test_causes);
  tcase_add_test (tc, test_document_is_a_file);
  tcase_add_test (tc, test_truncated_file);
  tcase_add_test (tc, test_document_in_memory);
  tcase_add_test (tc, test_part_of_a_file);
  tcase_add_test (tc, test_document_too_large);
  return s;
}

GST_CHECK_MAIN (list);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* What a replica has opened, and the bytes of documents in memory. */

#include <gst/orch/orch.h>
#include <gst/allocators/gstfdmemory.h>
#include <gst/check/gstcheck.h>

#include <string.h>
#include <unistd.h>

static GString *closed;

static void
note_closed (gpointer value)
{
  g_string_append (closed, value);
}

static GstOrchCache *
start (void)
{
  closed = g_string_new (NULL);
  return gst_orch_cache_new (note_closed);
}

static void
assert_closed (const gchar * expected)
{
  fail_unless_equals_string (closed->str, expected);
}

GST_START_TEST (test_least_recently_used)
{
  GstOrchCache *cache = start ();
  GstBuffer *a = gst_buffer_new (), *b = gst_buffer_new ();
  GstBuffer *c = gst_buffer_new ();

  gst_orch_cache_insert (cache, a, "a");
  gst_orch_cache_insert (cache, b, "b");
  gst_orch_cache_insert (cache, c, "c");
  fail_unless_equals_string (gst_orch_cache_lookup (cache, a), "a");
  gst_orch_cache_shrink (cache, 2);
  assert_closed ("b");
  fail_unless (gst_orch_cache_lookup (cache, b) == NULL);
  fail_unless_equals_int (gst_orch_cache_get_size (cache), 2);
  gst_orch_cache_shrink (cache, 1);
  assert_closed ("bc");
  gst_orch_cache_unref (cache);
  assert_closed ("bca");
  gst_buffer_unref (a);
  gst_buffer_unref (b);
  gst_buffer_unref (c);
  g_string_free (closed, TRUE);
}

GST_END_TEST;

/* Another buffer may have the address of one that is gone. */
GST_START_TEST (test_gone_buffers)
{
  GstOrchCache *cache = start ();
  GstBuffer *other = gst_buffer_new ();
  guint i;

  for (i = 0; i < 100; i++) {
    GstBuffer *buffer = gst_buffer_new ();

    fail_unless (gst_orch_cache_lookup (cache, buffer) == NULL);
    gst_orch_cache_insert (cache, buffer, ".");
    gst_buffer_unref (buffer);
  }
  fail_unless (gst_orch_cache_lookup (cache, other) == NULL);
  fail_unless_equals_int (gst_orch_cache_get_size (cache), 0);
  fail_unless_equals_int (closed->len, 100);
  gst_buffer_unref (other);
  gst_orch_cache_unref (cache);
  g_string_free (closed, TRUE);
}

GST_END_TEST;

/* Several replicas open the same document. */
GST_START_TEST (test_several_caches)
{
  GstOrchCache *one = start ();
  GstOrchCache *two = gst_orch_cache_new (note_closed);
  GstBuffer *buffer = gst_buffer_new ();

  gst_orch_cache_insert (one, buffer, "1");
  gst_orch_cache_insert (two, buffer, "2");
  gst_orch_cache_unref (one);
  assert_closed ("1");
  fail_unless_equals_string (gst_orch_cache_lookup (two, buffer), "2");
  gst_buffer_unref (buffer);
  gst_orch_cache_unref (two);
  assert_closed ("12");
  g_string_free (closed, TRUE);
}

GST_END_TEST;

static void
assert_bytes (GstBuffer * buffer, const gchar * expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = gst_orch_buffer_get_bytes (buffer, &error);
  gsize size;
  gconstpointer data;

  fail_unless (bytes != NULL, "%s", error ? error->message : "");
  data = g_bytes_get_data (bytes, &size);
  fail_unless_equals_int (size, strlen (expected));
  fail_unless (size == 0 || memcmp (data, expected, size) == 0);
}

/* The bytes are there after their buffer. */
GST_START_TEST (test_bytes_of_memory)
{
  GstBuffer *buffer = gst_buffer_new ();
  g_autoptr (GBytes) bytes = NULL;

  assert_bytes (buffer, "");
  gst_buffer_append (buffer, gst_buffer_new_memdup ("abc", 3));
  gst_buffer_append (buffer, gst_buffer_new_memdup ("de", 2));
  assert_bytes (buffer, "abcde");
  bytes = gst_orch_buffer_get_bytes (buffer, NULL);
  gst_buffer_unref (buffer);
  fail_unless (memcmp (g_bytes_get_data (bytes, NULL), "abcde", 5) == 0);
}

GST_END_TEST;

/* A file among other memory; the bytes are a copy. */
GST_START_TEST (test_bytes_of_part_of_file)
{
  GstAllocator *allocator = gst_fd_allocator_new ();
  GstBuffer *buffer = gst_buffer_new ();
  g_autofree gchar *name = NULL;
  gint fd = g_file_open_tmp (NULL, &name, NULL);

  fail_unless (fd >= 0 && write (fd, "0123456789", 10) == 10);
  unlink (name);
  gst_buffer_append_memory (buffer, gst_fd_allocator_alloc (allocator, fd, 10,
          GST_FD_MEMORY_FLAG_DONT_CLOSE));
  gst_buffer_append (buffer, gst_buffer_new_memdup ("ab", 2));
  assert_bytes (buffer, "0123456789ab");
  gst_buffer_unref (buffer);
  gst_object_unref (allocator);
  close (fd);
}

GST_END_TEST;

static Suite *
cache_suite (void)
{
  Suite *s = suite_create ("cache");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_least_recently_used);
  tcase_add_test (tc, test_gone_buffers);
  tcase_add_test (tc, test_several_caches);
  tcase_add_test (tc, test_bytes_of_memory);
  tcase_add_test (tc, test_bytes_of_part_of_file);
  return s;
}

GST_CHECK_MAIN (cache);

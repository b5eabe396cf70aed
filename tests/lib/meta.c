/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* The lineage of a buffer: it stays on it, whatever is done to it. */

#include "complaints.h"
#include "lineage.h"

#include <gst/check/gstcheck.h>
#include <gst/orch/orch.h>

static guint
count_metas (GstBuffer * buffer)
{
  gpointer state = NULL;
  guint n = 0;

  while (gst_buffer_iterate_meta_filtered (buffer, &state,
          GST_ORCH_META_API_TYPE))
    n++;
  return n;
}

static void
assert_is (GstBuffer * buffer, OrchEntity * entity)
{
  fail_unless (gst_orch_buffer_get_entity (buffer) == entity);
  fail_unless_equals_int (count_metas (buffer), 1);
}

GST_START_TEST (test_entity)
{
  g_autofree gchar *path = NULL, *root = NULL;
  Lineage lineage;

  lineage_init (&lineage);
  path = gst_orch_entity_get_path (lineage.second);
  root = gst_orch_entity_get_path (lineage.document);
  fail_unless_equals_string (path, "0/1");
  fail_unless_equals_string (root, "0");
  fail_unless_equals_uint64 (gst_orch_entity_get_ordinal (lineage.second), 1);
  fail_unless (gst_orch_entity_get_parent (lineage.second) ==
      lineage.document);
  fail_unless (gst_orch_entity_get_parent (lineage.document) == NULL);
  fail_unless (gst_orch_entity_get_domain (lineage.second) == lineage.pages);
  fail_unless (gst_orch_entity_equal (lineage.first, lineage.first));
  fail_if (gst_orch_entity_equal (lineage.first, lineage.second));
  fail_unless (gst_orch_entity_compare (lineage.first, lineage.second) < 0);
  fail_unless (gst_orch_entity_compare (lineage.second, lineage.document) > 0);
  fail_unless_equals_string (gst_orch_domain_get_name (lineage.pages), "page");
  fail_unless (gst_orch_domain_get_parent (lineage.pages) ==
      lineage.documents);
  fail_unless_equals_int (gst_orch_domain_get_depth (lineage.pages), 1);
  fail_unless_equals_int (gst_orch_domain_get_depth (lineage.documents), 0);
  lineage_clear (&lineage);
}

GST_END_TEST;

/* An Entity of a buffer outlives what made it. */
GST_START_TEST (test_meta_keeps_its_entity)
{
  g_autofree gchar *path = NULL;
  GstBuffer *buffer = gst_buffer_new ();
  Lineage lineage;

  lineage_init (&lineage);
  gst_buffer_add_orch_meta (buffer, lineage.second);
  lineage_clear (&lineage);
  path = gst_orch_entity_get_path (gst_orch_buffer_get_entity (buffer));
  fail_unless_equals_string (path, "0/1");
  gst_buffer_unref (buffer);
}

GST_END_TEST;

GST_START_TEST (test_no_meta)
{
  GstBuffer *buffer = gst_buffer_new ();

  fail_unless (gst_buffer_get_orch_meta (buffer) == NULL);
  fail_unless (gst_orch_buffer_get_entity (buffer) == NULL);
  fail_unless (gst_orch_buffer_get_info (buffer) == NULL);
  gst_buffer_unref (buffer);
}

GST_END_TEST;

GST_START_TEST (test_copies)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 16, NULL), *copy;
  Lineage lineage;

  lineage_init (&lineage);
  gst_buffer_add_orch_meta (buffer, lineage.first);

  copy = gst_buffer_copy (buffer);
  assert_is (copy, lineage.first);
  gst_buffer_unref (copy);
  copy = gst_buffer_copy_deep (buffer);
  assert_is (copy, lineage.first);
  gst_buffer_unref (copy);
  copy = gst_buffer_copy_region (buffer, GST_BUFFER_COPY_ALL, 4, 4);
  assert_is (copy, lineage.first);
  gst_buffer_unref (copy);
  copy = gst_buffer_make_writable (gst_buffer_ref (buffer));
  fail_unless (copy != buffer);
  assert_is (copy, lineage.first);
  gst_buffer_unref (copy);

  gst_buffer_unref (buffer);
  lineage_clear (&lineage);
}

GST_END_TEST;

/* Scalers, encoders and others transform instead of copying. */
GST_START_TEST (test_transforms)
{
  const GstMetaInfo *info = GST_ORCH_META_INFO;
  const gchar **tags = (const gchar **) gst_meta_api_type_get_tags
      (GST_ORCH_META_API_TYPE);
  GstBuffer *from = gst_buffer_new (), *to = gst_buffer_new ();
  Lineage lineage;

  lineage_init (&lineage);
  gst_buffer_add_orch_meta (from, lineage.first);
  fail_unless (tags == NULL || tags[0] == NULL);
  fail_unless (info->transform_func (to,
          &gst_buffer_get_orch_meta (from)->meta, from,
          g_quark_from_static_string ("any-transform"), NULL));
  assert_is (to, lineage.first);
  gst_buffer_unref (from);
  gst_buffer_unref (to);
  lineage_clear (&lineage);
}

GST_END_TEST;

/* Muxers copy the metas of each fragment onto the whole. */
GST_START_TEST (test_equal_ones_merge)
{
  GstBuffer *first = gst_buffer_new (), *again = gst_buffer_new (),
      *second = gst_buffer_new (), *whole = gst_buffer_new ();
  Lineage lineage;

  lineage_init (&lineage);
  gst_buffer_add_orch_meta (first, lineage.first);
  gst_buffer_add_orch_meta (again, lineage.first);
  gst_buffer_add_orch_meta (second, lineage.second);
  gst_buffer_copy_into (whole, first, GST_BUFFER_COPY_META, 0, -1);
  gst_buffer_copy_into (whole, again, GST_BUFFER_COPY_META, 0, -1);
  assert_is (whole, lineage.first);
  gst_buffer_copy_into (whole, second, GST_BUFFER_COPY_META, 0, -1);
  gst_buffer_copy_into (whole, first, GST_BUFFER_COPY_META, 0, -1);
  fail_unless_equals_int (count_metas (whole), 2);
  fail_unless (gst_orch_buffer_get_entity (whole) == lineage.first);
  gst_buffer_unref (first);
  gst_buffer_unref (again);
  gst_buffer_unref (second);
  gst_buffer_unref (whole);
  lineage_clear (&lineage);
}

GST_END_TEST;

GST_START_TEST (test_list_meta_is_copied)
{
  GstOrchList *list = gst_orch_list_new ();
  GstBuffer *buffer = gst_orch_list_buffer_new (list), *copy, *part;
  const GstMetaInfo *info = GST_ORCH_LIST_META_INFO;

  copy = gst_buffer_copy (buffer);
  fail_unless (gst_orch_buffer_get_list (copy) == list);
  /* What is made of a list is no list. */
  part = gst_buffer_new ();
  info->transform_func (part, &gst_buffer_get_orch_list_meta (buffer)->meta,
      buffer, g_quark_from_static_string ("any-transform"), NULL);
  fail_unless (gst_orch_buffer_get_list (part) == NULL);
  gst_buffer_unref (buffer);
  gst_buffer_unref (copy);
  gst_buffer_unref (part);
}

GST_END_TEST;

GST_START_TEST (test_ref_meta_is_copied)
{
  GstBuffer *source = gst_buffer_new_allocate (NULL, 8, NULL);
  GstBuffer *buffer = gst_orch_ref_buffer_new (source,
      gst_structure_new ("page", "page", G_TYPE_INT, 3, NULL));
  GstBuffer *copy = gst_buffer_copy (buffer);
  GstOrchRefMeta *meta;
  gint page;

  gst_buffer_unref (source);
  gst_buffer_unref (buffer);
  meta = gst_buffer_get_orch_ref_meta (copy);
  fail_unless (meta != NULL);
  fail_unless_equals_int (gst_buffer_get_size (meta->source), 8);
  fail_unless (gst_structure_get_int (meta->locator, "page", &page));
  fail_unless_equals_int (page, 3);
  /* A reference weighs nothing. */
  fail_unless_equals_int (gst_buffer_get_size (copy), 0);
  gst_buffer_unref (copy);
}

GST_END_TEST;

static Suite *
meta_suite (void)
{
  Suite *s = suite_create ("meta");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_entity);
  tcase_add_test (tc, test_meta_keeps_its_entity);
  tcase_add_test (tc, test_no_meta);
  tcase_add_test (tc, test_copies);
  tcase_add_test (tc, test_transforms);
  tcase_add_test (tc, test_equal_ones_merge);
  tcase_add_test (tc, test_list_meta_is_copied);
  tcase_add_test (tc, test_ref_meta_is_copied);
  return s;
}

GST_CHECK_MAIN (meta);

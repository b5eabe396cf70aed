/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "lineage/orch-lineage.h"

#include <stdlib.h>
#include <string.h>

/* The one child of `parent` in a new Expansion; takes over `parent`. */
static OrchEntity *
grow (OrchDomain * domain, OrchEntity * parent, guint64 ordinal)
{
  OrchExpansion *expansion = orch_expansion_new (domain, parent);
  OrchEntity *entity = orch_entity_new (expansion, ordinal);

  orch_entity_unref (parent);
  orch_expansion_unref (expansion);
  return entity;
}

static void
test_domains (void)
{
  OrchDomain *documents = orch_domain_new ("documents", NULL);
  OrchDomain *pages = orch_domain_new ("pages", documents);
  OrchDomain *lines = orch_domain_new ("lines", pages);
  OrchDomain *images = orch_domain_new ("images", documents);

  g_assert_cmpstr (orch_domain_get_name (lines), ==, "lines");
  g_assert_true (orch_domain_get_parent (lines) == pages);
  g_assert_null (orch_domain_get_parent (documents));
  g_assert_cmpuint (orch_domain_get_depth (documents), ==, 0);
  g_assert_cmpuint (orch_domain_get_depth (lines), ==, 2);
  g_assert_true (orch_domain_is_ancestor (documents, lines));
  g_assert_true (orch_domain_is_ancestor (pages, lines));
  g_assert_false (orch_domain_is_ancestor (lines, pages));
  g_assert_false (orch_domain_is_ancestor (images, lines));
  g_assert_false (orch_domain_is_ancestor (pages, pages));

  orch_domain_unref (documents);
  orch_domain_unref (pages);
  orch_domain_unref (images);
  g_assert_cmpstr (orch_domain_get_name (orch_domain_get_parent (lines)), ==,
      "pages");
  orch_domain_unref (lines);
  orch_domain_unref (NULL);
}

static void
test_identity (void)
{
  OrchDomain *documents = orch_domain_new ("documents", NULL);
  OrchDomain *pages = orch_domain_new ("pages", documents);
  OrchDomain *images = orch_domain_new ("images", documents);
  OrchExpansion *roots = orch_expansion_new (documents, NULL);
  OrchEntity *root = orch_entity_new (roots, 4), *again, *other;
  OrchEntity *page = grow (pages, orch_entity_ref (root), 0);
  OrchEntity *same, *image;
  gchar *path;

  again = orch_entity_new (roots, 4);
  other = orch_entity_new (roots, 5);
  g_assert_true (orch_entity_equal (root, again));
  g_assert_false (orch_entity_equal (root, other));
  g_assert_false (orch_entity_equal (root, page));

  /* other records of the same page, and of an image with the same path */
  same = grow (pages, again, 0);
  image = grow (images, orch_entity_ref (root), 0);
  g_assert_true (orch_entity_equal (page, same));
  g_assert_false (orch_entity_equal (page, image));
  g_assert_true (orch_entity_get_parent (page) == root);
  g_assert_null (orch_entity_get_parent (root));
  g_assert_true (orch_entity_get_root (page) == root);
  g_assert_true (orch_entity_get_root (root) == root);
  g_assert_true (orch_entity_get_domain (page) == pages);

  path = orch_entity_get_path (page);
  g_assert_cmpstr (path, ==, "4/0");
  g_free (path);
  path = orch_entity_get_path (other);
  g_assert_cmpstr (path, ==, "5");
  g_free (path);

  orch_entity_unref (root);
  orch_entity_unref (other);
  orch_entity_unref (page);
  orch_entity_unref (same);
  orch_entity_unref (image);
  orch_entity_unref (NULL);
  orch_expansion_unref (roots);
  orch_expansion_unref (NULL);
  orch_domain_unref (documents);
  orch_domain_unref (pages);
  orch_domain_unref (images);
}

static gint
sign (gint i)
{
  return (i > 0) - (i < 0);
}

/* "1" "1/0" "1/0/7" "1/2" "3" "3/0", every pair; each record of its own */
static void
test_compare (void)
{
  static const gint64 paths[6][3] = {
    {1, -1, -1}, {1, 0, -1}, {1, 0, 7}, {1, 2, -1}, {3, -1, -1}, {3, 0, -1}
  };
  OrchDomain *domains[3];
  OrchEntity *entities[6] = { NULL, };
  guint i, j;

  domains[0] = orch_domain_new ("0", NULL);
  domains[1] = orch_domain_new ("1", domains[0]);
  domains[2] = orch_domain_new ("2", domains[1]);
  for (i = 0; i < 6; i++)
    for (j = 0; j < 3 && paths[i][j] >= 0; j++)
      entities[i] = grow (domains[j], entities[i], paths[i][j]);

  for (i = 0; i < 6; i++)
    for (j = 0; j < 6; j++)
      g_assert_cmpint (orch_entity_compare (entities[i], entities[j]), ==,
          sign ((gint) i - (gint) j));

  for (i = 0; i < 6; i++)
    orch_entity_unref (entities[i]);
  for (i = 0; i < 3; i++)
    orch_domain_unref (domains[i]);
}

static void
test_next_child (void)
{
  OrchDomain *documents = orch_domain_new ("documents", NULL);
  OrchExpansion *list = orch_expansion_new (documents, NULL);
  OrchExpansion *stream = orch_expansion_new (documents, NULL);
  OrchEntity *child;
  guint64 i;

  orch_expansion_succeed_with (list, 3);
  for (i = 0; i < 3; i++) {
    child = orch_expansion_next_child (list);
    g_assert_cmpuint (child->ordinal, ==, i);
    g_assert_cmpuint (orch_expansion_get_n_children (list), ==, 3);
    orch_entity_unref (child);
  }
  g_assert_null (orch_expansion_next_child (list));

  for (i = 0; i < 3; i++) {
    child = orch_expansion_next_child (stream);
    g_assert_cmpuint (child->ordinal, ==, i);
    g_assert_cmpuint (orch_expansion_get_n_children (stream), ==, i + 1);
    orch_entity_unref (child);
  }
  orch_expansion_publish (stream, ORCH_EXPANSION_SUCCEEDED, NULL);
  g_assert_null (orch_expansion_next_child (stream));
  g_assert_cmpuint (orch_expansion_get_n_children (stream), ==, 3);

  orch_expansion_unref (list);
  orch_expansion_unref (stream);
  orch_domain_unref (documents);
}

static void
test_skip_child (void)
{
  OrchDomain *documents = orch_domain_new ("documents", NULL);
  OrchExpansion *roots = orch_expansion_new (documents, NULL);
  OrchEntity *child;
  guint64 i;

  g_assert_false (orch_expansion_is_skipped (roots, 0));
  for (i = 0; i < 6; i++) {
    if (i % 3 == 0) {
      orch_expansion_skip_child (roots);
    } else {
      child = orch_expansion_next_child (roots);
      g_assert_cmpuint (child->ordinal, ==, i);
      orch_entity_unref (child);
    }
    g_assert_cmpuint (orch_expansion_get_n_children (roots), ==, i + 1);
  }
  for (i = 0; i < 6; i++)
    g_assert_cmpint (orch_expansion_is_skipped (roots, i), ==, i % 3 == 0);
  orch_expansion_unref (roots);
  orch_domain_unref (documents);
}

static void
count_freed (guint64 ordinal, gpointer user_data)
{
  *(guint *) user_data += 1 << ordinal;
}

static void
set_flag (gpointer data)
{
  g_assert_false (*(gboolean *) data);
  *(gboolean *) data = TRUE;
}

static void
test_freed (void)
{
  OrchDomain *documents = orch_domain_new ("documents", NULL);
  OrchExpansion *roots = orch_expansion_new (documents, NULL);
  gboolean data_freed = FALSE, attached_freed = FALSE;
  OrchEntity *a, *b;
  guint freed = 0;

  orch_expansion_set_entity_freed (roots, count_freed, &freed, NULL);
  orch_expansion_set_data (roots, &data_freed, set_flag);
  orch_expansion_attach (roots, documents, &attached_freed, set_flag);
  g_assert_true (orch_expansion_get_data (roots) == &data_freed);
  a = orch_expansion_next_child (roots);
  b = orch_entity_ref (orch_expansion_next_child (roots));

  orch_expansion_unref (roots);
  orch_entity_unref (a);
  g_assert_cmpuint (freed, ==, 1);
  orch_entity_unref (b);
  g_assert_cmpuint (freed, ==, 1);
  g_assert_false (data_freed || attached_freed);
  orch_entity_unref (b);
  g_assert_cmpuint (freed, ==, 3);
  g_assert_true (data_freed && attached_freed);
  orch_domain_unref (documents);
}

static void
test_attach (void)
{
  OrchDomain *documents = orch_domain_new ("documents", NULL);
  OrchExpansion *roots = orch_expansion_new (documents, NULL);
  gboolean freed[3] = { FALSE, };
  gint keys[2];

  g_assert_true (orch_expansion_new_key () != orch_expansion_new_key ());
  g_assert_null (orch_expansion_get_attached (roots, &keys[0]));
  orch_expansion_attach (roots, &keys[0], &freed[0], set_flag);
  orch_expansion_attach (roots, &keys[1], &freed[1], set_flag);
  g_assert_true (orch_expansion_get_attached (roots, &keys[0]) == &freed[0]);
  g_assert_true (orch_expansion_get_attached (roots, &keys[1]) == &freed[1]);
  orch_expansion_attach (roots, &keys[0], &freed[2], set_flag);
  g_assert_true (orch_expansion_get_attached (roots, &keys[0]) == &freed[2]);
  g_assert_false (freed[0]);
  orch_expansion_unref (roots);
  g_assert_true (freed[0] && freed[1] && freed[2]);
  orch_domain_unref (documents);
}

#define N_THREADS 4
#define N_EACH 5000

static gpointer
attach_and_release (gpointer data)
{
  OrchEntity *entity = data;
  gint *numbers = g_new (gint, N_EACH);
  guint i;

  for (i = 0; i < N_EACH; i++) {
    if (i % 50 == 0)
      orch_expansion_attach (entity->expansion, &numbers[i], &numbers[i], NULL);
    orch_entity_unref (orch_entity_ref (entity));
    g_assert_true (orch_expansion_get_attached (entity->expansion,
            &numbers[i - i % 50]) == &numbers[i - i % 50]);
  }
  orch_entity_unref (entity);
  g_free (numbers);
  return NULL;
}

/* Entities are shared, dropped and attached to by many threads at once. */
static void
test_threads (void)
{
  OrchDomain *documents = orch_domain_new ("documents", NULL);
  OrchExpansion *roots = orch_expansion_new (documents, NULL);
  OrchEntity *entity = orch_expansion_next_child (roots);
  GThread *threads[N_THREADS];
  gboolean freed = FALSE;
  guint i;

  orch_expansion_set_data (roots, &freed, set_flag);
  orch_expansion_unref (roots);
  for (i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("attach", attach_and_release,
        orch_entity_ref (entity));
  orch_entity_unref (entity);
  for (i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  g_assert_true (freed);
  orch_domain_unref (documents);
}

/* Names every level, so that neither the making, the freeing, the comparing nor
 * the path may recurse.  Run with a stack that recursion would exhaust. */
static gpointer
go_deep (gpointer data)
{
  guint i, depth = GPOINTER_TO_UINT (data);
  OrchDomain *domain = NULL;
  OrchEntity *entity = NULL, *above = NULL;
  gchar *path;

  for (i = 0; i < depth; i++) {
    OrchDomain *child = orch_domain_new ("level", domain);

    orch_domain_unref (domain);
    domain = child;
    if (entity) {
      orch_entity_unref (above);
      above = orch_entity_ref (entity);
    }
    entity = grow (domain, entity, i % 10);
  }
  path = orch_entity_get_path (entity);
  g_assert_cmpuint (strlen (path), ==, 2 * depth - 1);
  g_assert_true (g_str_has_prefix (path, "0/1/2/3/4/5/6/7/8/9/0/1"));
  g_assert_cmpint (orch_entity_compare (above, entity), ==, -1);
  g_assert_true (orch_entity_equal (entity, entity));
  g_assert_cmpuint (orch_domain_get_depth (domain), ==, depth - 1);
  g_assert_cmpuint (orch_entity_get_root (entity)->ordinal, ==, 0);
  g_free (path);
  orch_entity_unref (above);
  orch_entity_unref (entity);
  orch_domain_unref (domain);
  return NULL;
}

static void
test_g2_deep (gconstpointer depth)
{
  g_thread_join (g_thread_new ("deep", go_deep, (gpointer) depth));
}

static void
test_causes (void)
{
  OrchCause *cause = orch_cause_new ("pdf", "encrypted", "no password", NULL,
      NULL);
  OrchCause *located = orch_cause_locate (cause, "4/0", "render");
  OrchCause *again = orch_cause_locate (located, "5", "ocr");

  g_assert_null (cause->path);
  g_assert_null (cause->call);
  g_assert_cmpstr (located->domain, ==, "pdf");
  g_assert_cmpstr (located->code, ==, "encrypted");
  g_assert_cmpstr (located->message, ==, "no password");
  g_assert_cmpstr (located->path, ==, "4/0");
  g_assert_cmpstr (located->call, ==, "render");
  g_assert_true (located->call == g_intern_string ("render"));
  g_assert_true (again == located);
  g_assert_true (orch_cause_equal (located, again));
  g_assert_false (orch_cause_equal (located, cause));
  g_assert_false (orch_cause_equal (located, NULL));
  orch_cause_unref (again);
  again = orch_cause_new ("pdf", "encrypted", "no password", "4/0", "render");
  g_assert_true (orch_cause_equal (located, again));
  orch_cause_unref (cause);
  orch_cause_unref (located);
  orch_cause_unref (again);
  orch_cause_unref (NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lineage/domains", test_domains);
  g_test_add_func ("/lineage/S1.5/identity", test_identity);
  g_test_add_func ("/lineage/S1.5/compare", test_compare);
  g_test_add_func ("/lineage/S3.1/next-child", test_next_child);
  g_test_add_func ("/lineage/S1.5/skip-child", test_skip_child);
  g_test_add_func ("/lineage/S1.4/causes", test_causes);
  g_test_add_func ("/lineage/entity/freed", test_freed);
  g_test_add_func ("/lineage/entity/attach", test_attach);
  g_test_add_func ("/lineage/entity/threads", test_threads);
  g_test_add_data_func ("/lineage/G2/1200", GUINT_TO_POINTER (1200),
      test_g2_deep);
  g_test_add_data_func ("/lineage/G2/100000", GUINT_TO_POINTER (100000),
      test_g2_deep);
  return g_test_run ();
}

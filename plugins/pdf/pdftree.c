/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "pdftree.h"

#include <math.h>

#define MAX_DEPTH 256

/* A node on the way to the current kid. */
typedef struct
{
  gint object, generation;
  gint next_kid;
  gint rotation;
  gint resources_of;            /* the node whose /Resources kids inherit; 0: none */
} Level;

typedef struct
{
  PdfDocument *document;
  PdfTree *tree;
  guint max_pages;
  GArray *levels;               /* of Level */
  GHashTable *nodes;
  GHashTable *images;
} Walk;

void
pdf_tree_free (PdfTree * tree)
{
  g_array_unref (tree->pages);
  g_free (tree);
}

static gboolean
has_key (qpdf_data qpdf, qpdf_oh dict, const gchar * key)
{
  return qpdf_oh_has_key (qpdf, dict, key);
}

static gboolean
is_of_type (qpdf_data qpdf, qpdf_oh dict, const gchar * type)
{
  qpdf_oh value = qpdf_oh_get_key (qpdf, dict, "/Type");
  gboolean result = qpdf_oh_is_name_and_equals (qpdf, value, type);

  qpdf_oh_release (qpdf, value);
  return result;
}

static gboolean
has_kids (qpdf_data qpdf, qpdf_oh dict)
{
  qpdf_oh kids = qpdf_oh_get_key (qpdf, dict, "/Kids");
  gboolean result = qpdf_oh_is_array (qpdf, kids);

  qpdf_oh_release (qpdf, kids);
  return result;
}

/* Poppler takes any dictionary without /Kids for a page: a font would be a
 * blank one. */
static gboolean
is_page (qpdf_data qpdf, qpdf_oh dict)
{
  if (has_key (qpdf, dict, "/Type"))
    return is_of_type (qpdf, dict, "/Page");
  return has_key (qpdf, dict, "/Contents") || has_key (qpdf, dict, "/MediaBox")
      || has_key (qpdf, dict, "/Parent");
}

PdfKid
pdf_tree_classify_kid (qpdf_data qpdf, qpdf_oh kid, GHashTable * nodes)
{
  gint id = qpdf_oh_get_object_id (qpdf, kid);

  if (qpdf_oh_is_null (qpdf, kid))
    return PDF_KID_MISSING;
  if (!qpdf_oh_is_dictionary (qpdf, kid))
    return PDF_KID_DAMAGED;
  if (is_of_type (qpdf, kid, "/Page"))
    return PDF_KID_PAGE;
  if (has_kids (qpdf, kid)) {
    if (id == 0)
      return PDF_KID_DAMAGED;
    if (!g_hash_table_add (nodes, GINT_TO_POINTER (id)))
      return PDF_KID_LOOP;
    return PDF_KID_NODE;
  }
  return is_page (qpdf, kid) ? PDF_KID_PAGE : PDF_KID_DAMAGED;
}

qpdf_oh
pdf_tree_get_root (qpdf_data qpdf, GError ** error)
{
  qpdf_oh catalog = qpdf_get_root (qpdf);
  qpdf_oh pages = qpdf_oh_get_key_if_dict (qpdf, catalog, "/Pages");

  if (!qpdf_oh_is_dictionary (qpdf, pages)
      || qpdf_oh_get_object_id (qpdf, pages) == 0) {
    g_set_error_literal (error, PDF_ERROR, PDF_ERROR_DAMAGED,
        "The document is damaged: its catalog leads to no pages.");
    return 0;
  }
  return pages;
}

/* ---- what pages inherit ---- */

static gint
get_rotation (qpdf_data qpdf, qpdf_oh dict, gint inherited)
{
  qpdf_oh value = qpdf_oh_get_key (qpdf, dict, "/Rotate");
  gdouble angle;

  /* Multiples of 90 and nothing else; Poppler reads reals too. */
  if (qpdf_oh_get_value_as_number (qpdf, value, &angle)
      && isfinite (angle) && fabs (angle) < 1e6)
    inherited = (((gint) angle % 360) + 360) % 360;
  qpdf_oh_release (qpdf, value);
  return inherited;
}

static gdouble
get_user_unit (qpdf_data qpdf, qpdf_oh page)
{
  qpdf_oh value = qpdf_oh_get_key (qpdf, page, "/UserUnit");
  gdouble unit;

  if (!qpdf_oh_get_value_as_number (qpdf, value, &unit)
      || !isfinite (unit) || unit <= 0)
    unit = 1;
  qpdf_oh_release (qpdf, value);
  return unit;
}

static PdfImages
find_images (Walk * walk, qpdf_data qpdf, qpdf_oh page, gint resources_of)
{
  qpdf_oh owner = page;
  qpdf_oh resources;
  PdfImages images;

  if (!has_key (qpdf, page, "/Resources") && resources_of != 0)
    owner = qpdf_get_object_by_id (qpdf, resources_of, 0);
  resources = qpdf_oh_get_key_if_dict (qpdf, owner, "/Resources");
  images = pdf_images_find (qpdf, resources, walk->images);
  qpdf_oh_release (qpdf, resources);
  return images;
}

/* ---- the walk ---- */

static void
push_level (Walk * walk, qpdf_data qpdf, qpdf_oh node, const Level * above)
{
  Level level = { 0, };

  level.object = qpdf_oh_get_object_id (qpdf, node);
  level.generation = qpdf_oh_get_generation (qpdf, node);
  level.rotation = get_rotation (qpdf, node, above ? above->rotation : 0);
  level.resources_of = above ? above->resources_of : 0;
  /* Objects of other generations are too rare to carry along. */
  if (has_key (qpdf, node, "/Resources") && level.generation == 0)
    level.resources_of = level.object;
  g_array_append_val (walk->levels, level);
}

static void
add_page (Walk * walk, qpdf_data qpdf, qpdf_oh page, const Level * level)
{
  PdfTreePage entry = { 0, };

  entry.object = qpdf_oh_get_object_id (qpdf, page);
  entry.generation = qpdf_oh_get_generation (qpdf, page);
  entry.rotation = get_rotation (qpdf, page, level ? level->rotation : 0);
  entry.user_unit = get_user_unit (qpdf, page);
  entry.images = find_images (walk, qpdf, page,
      level ? level->resources_of : 0);
  /* Poppler reads only kids that are objects of their own. */
  if (entry.object == 0)
    walk->tree->irregular = TRUE;
  g_array_append_val (walk->tree->pages, entry);
}

static void
add_fault (Walk * walk, PdfError fault)
{
  PdfTreePage entry = { 0, };

  entry.user_unit = 1;
  entry.fault = 1 + fault;
  walk->tree->irregular = TRUE;
  g_array_append_val (walk->tree->pages, entry);
}

static void
visit_kid (Walk * walk, qpdf_data qpdf, qpdf_oh kid, const Level * level)
{
  switch (pdf_tree_classify_kid (qpdf, kid, walk->nodes)) {
    case PDF_KID_PAGE:
      add_page (walk, qpdf, kid, level);
      break;
    case PDF_KID_NODE:
      if (walk->levels->len < MAX_DEPTH)
        push_level (walk, qpdf, kid, level);
      else
        add_fault (walk, PDF_ERROR_DAMAGED_PAGE);
      break;
    case PDF_KID_MISSING:
      add_fault (walk, PDF_ERROR_MISSING_PAGE);
      break;
    case PDF_KID_LOOP:
      add_fault (walk, PDF_ERROR_PAGE_LOOP);
      break;
    case PDF_KID_DAMAGED:
      add_fault (walk, PDF_ERROR_DAMAGED_PAGE);
      break;
  }
}

/* One step: the next kid of the innermost node, or the end of that node.  No
 * handle outlives it, so that qpdf may be reopened in between. */
static gboolean
step (Walk * walk, GError ** error)
{
  qpdf_data qpdf = pdf_document_get_qpdf (walk->document, error);
  Level *level = &g_array_index (walk->levels, Level, walk->levels->len - 1);
  /* Visiting a node moves the array. */
  Level here = *level;
  qpdf_oh node, kids;

  if (!qpdf)
    return FALSE;
  node = qpdf_get_object_by_id (qpdf, here.object, here.generation);
  kids = qpdf_oh_get_key_if_dict (qpdf, node, "/Kids");
  if (here.next_kid < qpdf_oh_get_array_n_items (qpdf, kids)) {
    level->next_kid++;
    visit_kid (walk, qpdf, qpdf_oh_get_array_item (qpdf, kids, here.next_kid),
        &here);
  } else {
    g_array_set_size (walk->levels, walk->levels->len - 1);
  }
  qpdf_oh_release_all (qpdf);
  return TRUE;
}

static gboolean
start (Walk * walk, GError ** error)
{
  qpdf_data qpdf = pdf_document_get_qpdf (walk->document, error);
  qpdf_oh root, count;
  long long value;

  if (!qpdf)
    return FALSE;
  root = pdf_tree_get_root (qpdf, error);
  if (!root)
    return FALSE;

  count = qpdf_oh_get_key (qpdf, root, "/Count");
  walk->tree->declared = -1;
  if (qpdf_oh_get_value_as_longlong (qpdf, count, &value))
    walk->tree->declared = value;
  /* A document of one page may have it where the tree should be. */
  if (is_of_type (qpdf, root, "/Page"))
    walk->tree->declared = 1;
  visit_kid (walk, qpdf, root, NULL);
  qpdf_oh_release_all (qpdf);
  if (walk->tree->irregular) {
    g_set_error_literal (error, PDF_ERROR, PDF_ERROR_DAMAGED,
        "The document is damaged: the root of its page tree has no kids.");
    return FALSE;
  }
  return TRUE;
}

static gboolean
run (Walk * walk, GError ** error)
{
  if (!start (walk, error))
    return FALSE;
  while (walk->levels->len > 0) {
    if (!step (walk, error))
      return FALSE;
    if (walk->max_pages > 0 && walk->tree->pages->len > walk->max_pages) {
      g_set_error (error, PDF_ERROR, PDF_ERROR_TOO_MANY_PAGES,
          "The document has more than %u pages, the limit set by max-pages.",
          walk->max_pages);
      return FALSE;
    }
  }
  return TRUE;
}

PdfTree *
pdf_tree_read (PdfDocument * document, guint max_pages, GError ** error)
{
  g_autoptr (PdfTree) tree = g_new0 (PdfTree, 1);
  Walk walk = { document, tree, max_pages, };
  gboolean ok;

  tree->pages = g_array_new (FALSE, FALSE, sizeof (PdfTreePage));
  walk.levels = g_array_new (FALSE, FALSE, sizeof (Level));
  walk.nodes = g_hash_table_new (NULL, NULL);
  walk.images = g_hash_table_new (NULL, NULL);
  ok = run (&walk, error);
  g_array_unref (walk.levels);
  g_hash_table_unref (walk.nodes);
  g_hash_table_unref (walk.images);
  return ok ? g_steal_pointer (&tree) : NULL;
}

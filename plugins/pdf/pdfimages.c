/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "pdfimages.h"

/* Side of the largest image that cairo can hold. */
#define MAX_SIDE 32767
/* Poppler holds 4 bytes a pixel: 256 MiB, which is also what it scales down to
 * when it is told to draw for printing. */
#define MAX_PIXELS (8192.0 * 8192)
/* Held as bits. */
#define MAX_MASK_PIXELS (MAX_PIXELS * 16)
/* Reading more would take longer than anybody waits: 16 x 40 M. */
#define MAX_SCALED_PIXELS 640e6
#define MAX_DEPTH 12

static PdfImages find_in_resources (qpdf_data qpdf, qpdf_oh resources,
    GHashTable * seen, guint depth);

static gdouble
get_number (qpdf_data qpdf, qpdf_oh dict, const gchar * key)
{
  qpdf_oh value = qpdf_oh_get_key (qpdf, dict, key);
  gdouble number = 0;

  if (!qpdf_oh_get_value_as_number (qpdf, value, &number))
    number = 0;
  qpdf_oh_release (qpdf, value);
  return MAX (number, 0);
}

static gboolean
has_stream (qpdf_data qpdf, qpdf_oh dict, const gchar * key)
{
  qpdf_oh value = qpdf_oh_get_key (qpdf, dict, key);
  gboolean result = qpdf_oh_is_stream (qpdf, value);

  qpdf_oh_release (qpdf, value);
  return result;
}

static gboolean
is_true (qpdf_data qpdf, qpdf_oh dict, const gchar * key)
{
  qpdf_oh value = qpdf_oh_get_key (qpdf, dict, key);
  QPDF_BOOL result = QPDF_FALSE;

  qpdf_oh_get_value_as_bool (qpdf, value, &result);
  qpdf_oh_release (qpdf, value);
  return result;
}

static PdfImages
judge_mask (gdouble width, gdouble height, gdouble max_pixels)
{
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > max_pixels)
    return PDF_IMAGES_TOO_LARGE;
  return PDF_IMAGES_NORMAL;
}

/* Poppler scales nothing down that has a mask, and no mask. */
static PdfImages
judge_image (qpdf_data qpdf, qpdf_oh dict)
{
  gdouble width = get_number (qpdf, dict, "/Width");
  gdouble height = get_number (qpdf, dict, "/Height");

  if (is_true (qpdf, dict, "/ImageMask"))
    return judge_mask (width, height, MAX_MASK_PIXELS);
  if (has_stream (qpdf, dict, "/SMask") || has_stream (qpdf, dict, "/Mask"))
    return judge_mask (width, height, MAX_PIXELS);
  if (width <= MAX_SIDE && height <= MAX_SIDE && width * height <= MAX_PIXELS)
    return PDF_IMAGES_NORMAL;
  if (width * height <= MAX_SCALED_PIXELS)
    return PDF_IMAGES_LARGE;
  return PDF_IMAGES_TOO_LARGE;
}

static PdfImages
judge_mask_of (qpdf_data qpdf, qpdf_oh dict, const gchar * key)
{
  qpdf_oh mask = qpdf_oh_get_key (qpdf, dict, key);
  PdfImages result = PDF_IMAGES_NORMAL;

  if (qpdf_oh_is_stream (qpdf, mask)) {
    qpdf_oh mask_dict = qpdf_oh_get_dict (qpdf, mask);

    result = judge_mask (get_number (qpdf, mask_dict, "/Width"),
        get_number (qpdf, mask_dict, "/Height"), MAX_PIXELS);
    qpdf_oh_release (qpdf, mask_dict);
  }
  qpdf_oh_release (qpdf, mask);
  return result;
}

static PdfImages
find_in_stream (qpdf_data qpdf, qpdf_oh stream, GHashTable * seen, guint depth)
{
  qpdf_oh dict = qpdf_oh_get_dict (qpdf, stream);
  qpdf_oh subtype = qpdf_oh_get_key (qpdf, dict, "/Subtype");
  PdfImages result;

  if (qpdf_oh_is_name_and_equals (qpdf, subtype, "/Image")) {
    result = judge_image (qpdf, dict);
    result = MAX (result, judge_mask_of (qpdf, dict, "/SMask"));
    result = MAX (result, judge_mask_of (qpdf, dict, "/Mask"));
  } else {
    qpdf_oh resources = qpdf_oh_get_key (qpdf, dict, "/Resources");

    result = find_in_resources (qpdf, resources, seen, depth + 1);
    qpdf_oh_release (qpdf, resources);
  }
  qpdf_oh_release (qpdf, subtype);
  qpdf_oh_release (qpdf, dict);
  return result;
}

/* An object is marked as seen before it is looked into: one that reaches itself
 * adds nothing. */
static PdfImages
find_in_object (qpdf_data qpdf, qpdf_oh object, GHashTable * seen, guint depth)
{
  gint id = qpdf_oh_get_object_id (qpdf, object);
  PdfImages result = PDF_IMAGES_NORMAL;
  gpointer known;

  if (id != 0 && g_hash_table_lookup_extended (seen, GINT_TO_POINTER (id),
          NULL, &known))
    return GPOINTER_TO_INT (known);
  if (id != 0)
    g_hash_table_insert (seen, GINT_TO_POINTER (id), GINT_TO_POINTER (result));
  if (qpdf_oh_is_stream (qpdf, object))
    result = find_in_stream (qpdf, object, seen, depth);
  if (id != 0 && result != PDF_IMAGES_NORMAL)
    g_hash_table_insert (seen, GINT_TO_POINTER (id), GINT_TO_POINTER (result));
  return result;
}

static PdfImages
find_in_members (qpdf_data qpdf, qpdf_oh resources, const gchar * key,
    GHashTable * seen, guint depth)
{
  qpdf_oh members = qpdf_oh_get_key (qpdf, resources, key);
  PdfImages result = PDF_IMAGES_NORMAL;
  g_autoptr (GPtrArray) names = NULL;
  guint i;

  if (qpdf_oh_is_dictionary (qpdf, members)) {
    /* The iterator is qpdf's only one, and members have members. */
    names = g_ptr_array_new_with_free_func (g_free);
    qpdf_oh_begin_dict_key_iter (qpdf, members);
    while (qpdf_oh_dict_more_keys (qpdf))
      g_ptr_array_add (names, g_strdup (qpdf_oh_dict_next_key (qpdf)));
  }
  for (i = 0; names && i < names->len; i++) {
    qpdf_oh member = qpdf_oh_get_key (qpdf, members, names->pdata[i]);
    PdfImages found = find_in_object (qpdf, member, seen, depth);

    result = MAX (result, found);
    qpdf_oh_release (qpdf, member);
  }
  qpdf_oh_release (qpdf, members);
  return result;
}

static PdfImages
find_in_resources (qpdf_data qpdf, qpdf_oh resources, GHashTable * seen,
    guint depth)
{
  gint id = qpdf_oh_get_object_id (qpdf, resources);
  PdfImages images, patterns;
  gpointer known;

  if (depth > MAX_DEPTH || !qpdf_oh_is_dictionary (qpdf, resources))
    return PDF_IMAGES_NORMAL;
  /* Pages often share one. */
  if (id != 0 && g_hash_table_lookup_extended (seen, GINT_TO_POINTER (id),
          NULL, &known))
    return GPOINTER_TO_INT (known);

  if (id != 0)
    g_hash_table_insert (seen, GINT_TO_POINTER (id),
        GINT_TO_POINTER (PDF_IMAGES_NORMAL));
  images = find_in_members (qpdf, resources, "/XObject", seen, depth);
  patterns = find_in_members (qpdf, resources, "/Pattern", seen, depth);
  images = MAX (images, patterns);
  if (id != 0)
    g_hash_table_insert (seen, GINT_TO_POINTER (id), GINT_TO_POINTER (images));
  return images;
}

PdfImages
pdf_images_find (qpdf_data qpdf, qpdf_oh resources, GHashTable * seen)
{
  return find_in_resources (qpdf, resources, seen, 0);
}

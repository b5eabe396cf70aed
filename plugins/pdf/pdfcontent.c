/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "pdfcontent.h"
#include "pdfinflate.h"
#include "pdfscan.h"

#include <stdlib.h>

#define MAX_DEPTH 12
/* Of a stream: what is sound so far is taken to be sound. */
#define MAX_UNPACKED (32 * 1024 * 1024)
/* qpdf unpacks at once what it is given, however much that becomes: for
 * filters other than Flate it gets only little. */
#define MAX_PACKED_FOR_QPDF (64 * 1024)
#define MAX_PACKED (64 * 1024 * 1024)
#define MAX_STREAMS 4096

typedef struct
{
  qpdf_data qpdf;
  gboolean with_images;
  GHashTable *seen;             /* object numbers of streams */
  PdfScan total;                /* codes only */
} Check;

static gboolean check_objects (Check * check, PdfScan * scan,
    qpdf_oh resources, guint depth, GError ** error);

/* ---- one stream ---- */

typedef struct
{
  guint8 *data;                 /* with malloc() */
  gsize size;
} Packed;

static gint
count_flate (qpdf_data qpdf, qpdf_oh filter)
{
  if (qpdf_oh_is_name_and_equals (qpdf, filter, "/FlateDecode")
      || qpdf_oh_is_name_and_equals (qpdf, filter, "/Fl"))
    return 1;
  return -1;
}

/* How many times a stream is packed by Flate, without predictors; -1 when it is
 * packed in another way. */
static gint
count_filters (qpdf_data qpdf, qpdf_oh dict)
{
  qpdf_oh filter = qpdf_oh_get_key (qpdf, dict, "/Filter");
  gint i, n = 0;

  if (qpdf_oh_is_null (qpdf, filter))
    return 0;
  if (qpdf_oh_has_key (qpdf, dict, "/DecodeParms"))
    return -1;
  if (!qpdf_oh_is_array (qpdf, filter))
    return count_flate (qpdf, filter);
  for (i = 0; i < qpdf_oh_get_array_n_items (qpdf, filter); i++) {
    if (count_flate (qpdf, qpdf_oh_get_array_item (qpdf, filter, i)) < 0)
      return -1;
    n++;
  }
  return n;
}

static PdfInflate
inflate_times (const Packed * packed, gint times, GByteArray * out)
{
  PdfInflate result = PDF_INFLATE_DONE;
  gint i;

  g_byte_array_append (out, packed->data, packed->size);
  for (i = 0; i < times; i++) {
    g_autoptr (GByteArray) in = g_byte_array_new ();
    PdfInflate step;

    g_byte_array_append (in, out->data, out->len);
    g_byte_array_set_size (out, 0);
    step = pdf_inflate (in->data, in->len, MAX_UNPACKED, out);
    /* The next one would end early only because this one did. */
    if (step == PDF_INFLATE_BROKEN)
      return result == PDF_INFLATE_ENOUGH ? result : step;
    result = MAX (result, step);
  }
  return result;
}

static void
forget_warnings (qpdf_data qpdf)
{
  while (qpdf_more_warnings (qpdf))
    qpdf_next_warning (qpdf);
}

static PdfInflate
unpack_by_qpdf (qpdf_data qpdf, qpdf_oh stream, GByteArray * out)
{
  QPDF_BOOL filtered = QPDF_FALSE;
  guint8 *data = NULL;
  gsize size = 0;
  QPDF_ERROR_CODE code;

  forget_warnings (qpdf);
  code = qpdf_oh_get_stream_data (qpdf, stream, qpdf_dl_specialized, &filtered,
      &data, &size);
  if (filtered)
    g_byte_array_append (out, data, size);
  free (data);
  if ((code & QPDF_ERRORS) || qpdf_more_warnings (qpdf)) {
    forget_warnings (qpdf);
    return PDF_INFLATE_BROKEN;
  }
  return filtered ? PDF_INFLATE_DONE : PDF_INFLATE_ENOUGH;
}

static gboolean
is_small (qpdf_data qpdf, qpdf_oh dict)
{
  qpdf_oh length = qpdf_oh_get_key (qpdf, dict, "/Length");
  long long value;

  return !qpdf_oh_get_value_as_longlong (qpdf, length, &value)
      || value <= MAX_PACKED;
}

/* @out gets nothing when the stream is packed in a way that is not looked
 * into. */
static PdfInflate
unpack (qpdf_data qpdf, qpdf_oh stream, GByteArray * out)
{
  qpdf_oh dict = qpdf_oh_get_dict (qpdf, stream);
  gint times = count_filters (qpdf, dict);
  PdfInflate result = PDF_INFLATE_ENOUGH;
  Packed packed = { NULL, };

  if (!is_small (qpdf, dict))
    return PDF_INFLATE_ENOUGH;
  if (qpdf_oh_get_stream_data (qpdf, stream, qpdf_dl_none, NULL, &packed.data,
          &packed.size) & QPDF_ERRORS)
    return PDF_INFLATE_BROKEN;
  if (times >= 0)
    result = inflate_times (&packed, times, out);
  else if (packed.size <= MAX_PACKED_FOR_QPDF)
    result = unpack_by_qpdf (qpdf, stream, out);
  free (packed.data);
  return result;
}

static gboolean
report_missing (Check * check, qpdf_oh object, const gchar * what,
    GError ** error)
{
  g_set_error (error, PDF_ERROR, PDF_ERROR_MISSING_CONTENT,
      "Content of the page is missing: %s, object %d, does not exist.", what,
      qpdf_oh_get_object_id (check->qpdf, object));
  return FALSE;
}

/* @scan: (nullable): NULL for what is not content */
static gboolean
check_stream (Check * check, qpdf_oh stream, const gchar * what,
    PdfScan * scan, GError ** error)
{
  g_autoptr (GByteArray) data = g_byte_array_new ();

  if (unpack (check->qpdf, stream, data) == PDF_INFLATE_BROKEN) {
    g_set_error (error, PDF_ERROR, PDF_ERROR_DAMAGED_CONTENT,
        "Content of the page is damaged: %s, object %d, cannot be unpacked.",
        what, qpdf_oh_get_object_id (check->qpdf, stream));
    return FALSE;
  }
  if (scan)
    pdf_scan_content (scan, data->data, data->len);
  return TRUE;
}

/* ---- what content draws ---- */

static void
add_codes (Check * check, const PdfScan * scan)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (scan->codes); i++)
    check->total.codes[i] |= scan->codes[i];
}

static gboolean
check_form (Check * check, qpdf_oh stream, qpdf_oh dict, qpdf_oh outer,
    guint depth, GError ** error)
{
  qpdf_oh resources = qpdf_oh_get_key (check->qpdf, dict, "/Resources");
  PdfScan scan;
  gboolean ok;

  if (!qpdf_oh_is_dictionary (check->qpdf, resources))
    resources = outer;
  pdf_scan_init (&scan);
  ok = check_stream (check, stream, "a form", &scan, error)
      && check_objects (check, &scan, resources, depth + 1, error);
  add_codes (check, &scan);
  pdf_scan_clear (&scan);
  return ok;
}

static gboolean
check_object (Check * check, qpdf_oh object, qpdf_oh resources, guint depth,
    GError ** error)
{
  gint id = qpdf_oh_get_object_id (check->qpdf, object);
  qpdf_oh dict, subtype;

  if (id != 0 && qpdf_oh_is_null (check->qpdf, object))
    return report_missing (check, object, "something it draws", error);
  if (!qpdf_oh_is_stream (check->qpdf, object)
      || g_hash_table_size (check->seen) >= MAX_STREAMS
      || !g_hash_table_add (check->seen, GINT_TO_POINTER (id)))
    return TRUE;
  dict = qpdf_oh_get_dict (check->qpdf, object);
  subtype = qpdf_oh_get_key (check->qpdf, dict, "/Subtype");
  if (qpdf_oh_is_name_and_equals (check->qpdf, subtype, "/Form"))
    return check_form (check, object, dict, resources, depth, error);
  if (check->with_images)
    return check_stream (check, object, "an image", NULL, error);
  return TRUE;
}

static gboolean
check_objects (Check * check, PdfScan * scan, qpdf_oh resources, guint depth,
    GError ** error)
{
  qpdf_oh objects = qpdf_oh_get_key_if_dict (check->qpdf, resources,
      "/XObject");
  GHashTableIter iter;
  gpointer name;

  if (depth > MAX_DEPTH || !qpdf_oh_is_dictionary (check->qpdf, objects))
    return TRUE;
  g_hash_table_iter_init (&iter, scan->objects);
  while (g_hash_table_iter_next (&iter, &name, NULL)) {
    if (!check_object (check, qpdf_oh_get_key (check->qpdf, objects, name),
            resources, depth, error))
      return FALSE;
  }
  return TRUE;
}

/* ---- the page ---- */

static gboolean
check_contents (Check * check, qpdf_oh contents, PdfScan * scan,
    GError ** error)
{
  qpdf_data qpdf = check->qpdf;
  gint i;

  if (qpdf_oh_is_stream (qpdf, contents))
    return check_stream (check, contents, "a content stream", scan, error);
  if (qpdf_oh_is_null (qpdf, contents))
    return !qpdf_oh_is_indirect (qpdf, contents)
        || report_missing (check, contents, "a content stream", error);
  for (i = 0; i < qpdf_oh_get_array_n_items (qpdf, contents); i++) {
    qpdf_oh item = qpdf_oh_get_array_item (qpdf, contents, i);

    if (i < MAX_STREAMS && !qpdf_oh_is_array (qpdf, item)
        && !check_contents (check, item, scan, error))
      return FALSE;
  }
  return TRUE;
}

static qpdf_oh
find_resources (qpdf_data qpdf, qpdf_oh page)
{
  qpdf_oh node = page;
  guint i;

  for (i = 0; i < 256 && qpdf_oh_is_dictionary (qpdf, node); i++) {
    qpdf_oh resources = qpdf_oh_get_key (qpdf, node, "/Resources");

    if (qpdf_oh_is_dictionary (qpdf, resources))
      return resources;
    node = qpdf_oh_get_key (qpdf, node, "/Parent");
  }
  return qpdf_oh_new_null (qpdf);
}

static gboolean
check_page (Check * check, qpdf_oh page, GError ** error)
{
  PdfScan scan;
  gboolean ok;

  if (!qpdf_oh_is_dictionary (check->qpdf, page)) {
    g_set_error_literal (error, PDF_ERROR, PDF_ERROR_MISSING_PAGE,
        "The page is missing: its object does not exist any more.");
    return FALSE;
  }
  pdf_scan_init (&scan);
  ok = check_contents (check, qpdf_oh_get_key (check->qpdf, page, "/Contents"),
      &scan, error)
      && check_objects (check, &scan, find_resources (check->qpdf, page), 0,
      error);
  add_codes (check, &scan);
  pdf_scan_clear (&scan);
  return ok;
}

gboolean
pdf_content_check (PdfDocument * document, const PdfPage * page,
    gboolean with_images, gboolean * shows_text, GError ** error)
{
  Check check = { pdf_document_get_qpdf (document, error), with_images, };
  qpdf_oh object;
  gboolean ok;

  if (!check.qpdf)
    return FALSE;
  check.seen = g_hash_table_new (NULL, NULL);
  pdf_scan_init (&check.total);
  if (page->object != 0)
    object = qpdf_get_object_by_id (check.qpdf, page->object,
        page->generation);
  else
    object = qpdf_get_page_n (check.qpdf, page->index);
  ok = check_page (&check, object, error);
  *shows_text = pdf_scan_shows_text (&check.total);
  pdf_scan_clear (&check.total);
  g_hash_table_unref (check.seen);
  qpdf_oh_release_all (check.qpdf);
  return ok;
}

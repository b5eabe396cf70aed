/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Replicas: threads that draw and read the same documents and others at once
 * get what one thread alone gets.  Worth running under helgrind and for longer:
 * pdf-threads ROUNDS. */

#include "fixture.h"

#include <stdlib.h>
#include <string.h>

#define N_THREADS 4

static const gchar *const names[] = {
  "three-pages", "gbk-font", "colours", "image-only", "broken-flate",
  "missing-page", "encrypted-open", "control-text", "object-streams",
  "mutual-forms", "count-zero", "damaged-xref",
};

static const PdfDrawSettings settings = { 72, 40000000, PDF_FORMAT_GRAY8 };

static guint rounds = 3;

static void
add_page (GChecksum * sum, PdfListing * listing, guint index)
{
  g_autofree gchar *text = NULL;
  PdfTestPage page;
  PdfDrawing drawing;

  if (!pdf_test_page_init (&page, listing, index, NULL)) {
    g_checksum_update (sum, (const guchar *) "missing", -1);
    return;
  }
  if (pdf_test_draw (listing, &page, &settings, &drawing, NULL)) {
    g_checksum_update (sum, drawing.data, drawing.size);
    g_free (drawing.data);
  }
  text = pdf_test_get_text (listing, &page, NULL);
  if (text)
    g_checksum_update (sum, (const guchar *) text, -1);
  pdf_test_page_clear (&page);
}

static gchar *
sum_document (PdfSource * source)
{
  GChecksum *sum = g_checksum_new (G_CHECKSUM_SHA256);
  PdfMessages messages;
  PdfListing *listing;
  gchar *result;
  guint i;

  pdf_messages_begin (&messages);
  listing = pdf_listing_new (source, NULL, 0, PDF_CHECK_WARN, NULL);
  pdf_messages_end (&messages);
  pdf_messages_clear (&messages);
  for (i = 0; listing && i < listing->pages->len; i++)
    add_page (sum, listing, i);
  g_clear_pointer (&listing, pdf_listing_free);
  result = g_strdup (g_checksum_get_string (sum));
  g_checksum_free (sum);
  return result;
}

typedef struct
{
  PdfSource *sources[G_N_ELEMENTS (names)];
  gchar *expected[G_N_ELEMENTS (names)];
  gint next_start;              /* atomic */
} Work;

/* Half of the threads go through the documents in step, the others from other
 * ends. */
static gpointer
run_thread (gpointer data)
{
  Work *work = data;
  guint start = g_atomic_int_add (&work->next_start, 1) / 2 * 5;
  guint round, i;

  for (round = 0; round < rounds; round++) {
    for (i = 0; i < G_N_ELEMENTS (names); i++) {
      guint k = (start + i) % G_N_ELEMENTS (names);
      g_autofree gchar *sum = sum_document (work->sources[k]);

      g_assert_cmpstr (sum, ==, work->expected[k]);
    }
  }
  return NULL;
}

static void
test_same_results (void)
{
  Work work = { {NULL}, };
  GThread *threads[N_THREADS];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++) {
    work.sources[i] = pdf_test_open (names[i]);
    work.expected[i] = sum_document (work.sources[i]);
  }
  for (i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("replica", run_thread, &work);
  for (i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  for (i = 0; i < G_N_ELEMENTS (names); i++) {
    pdf_source_unref (work.sources[i]);
    g_free (work.expected[i]);
  }
}

gint
main (gint argc, gchar ** argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (NULL, NULL);
  if (argc > 1)
    rounds = atoi (argv[1]);
  g_test_add_func ("/pdf/threads/same-results", test_same_results);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* No step waits for a whole corpus: pages are recognized before later documents are
 * opened, and a document is written when its own last page is done. */

#include "linkedfiles.h"
#include "soak.h"

#include "patience.h"

#include <gst/orch/orch.h>
#include <string.h>

#define DOCUMENTS 24
#define MAX_OPEN 8

/* How long nothing is opened when all are open that will be. */
#define SETTLED (G_USEC_PER_SEC / 4)

static gboolean
is_at (GstBuffer * buffer, const gchar * path)
{
  GstOrchEntity *entity = gst_orch_buffer_get_entity (buffer);
  g_autofree gchar *actual = gst_orch_entity_get_path (entity);

  return g_str_equal (actual, path);
}

/* ---- opened late ---- */

typedef struct
{
  Soak *soak;
  gboolean seen;
  guint64 n_opened;
} Opened;

static guint64
get_n_opened (Soak * soak)
{
  GstElement *source = gst_bin_get_by_name (GST_BIN (soak->pipeline), "source");
  GstStructure *stats;
  guint64 n;

  g_object_get (source, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_uint64 (stats, "opened", &n));
  gst_structure_free (stats);
  gst_object_unref (source);
  return n;
}

/* The text of the first page has just been made. */
static void
count_when_settled (GstBuffer * buffer, gpointer user_data)
{
  Opened *opened = user_data;
  guint64 before;

  if (opened->seen)
    return;
  opened->seen = TRUE;
  g_assert_true (is_at (buffer, "0/0"));
  do {
    before = opened->n_opened;
    g_usleep (SETTLED);
    opened->n_opened = get_n_opened (opened->soak);
  } while (opened->n_opened != before);
}

/* The source admits one more for each second in which nothing ends, so a few above
 * MAX_OPEN are right on a slow machine; all of them never are. */
static void
test_opened_late (TestFolder * folder, gconstpointer data)
{
  Opened opened = { NULL, FALSE, 0 };
  Soak *soak;

  linked_files_make (folder, DOCUMENTS);
  soak = soak_new (DOCUMENTS, "orchsrc name=source location=%s/docs "
      "max-open=%u ! orchpdfpages ! orchexpand ! orchpdfrender dpi=72 ! "
      "orchtesseract name=ocr ! orchreduce ! orchsink name=out "
      "location=%s/out.jsonl", folder->path, MAX_OPEN, folder->path);
  opened.soak = soak;
  soak_watch (soak, "ocr", "src", count_when_settled, &opened);
  soak_run (soak);
  g_assert_true (opened.seen);
  g_assert_cmpuint (opened.n_opened, >, 1);
  g_assert_cmpuint (opened.n_opened, <, DOCUMENTS);
  soak_free (soak);
}

/* ---- written early ---- */

typedef struct
{
  TestFolder *folder;
  gboolean written;
} Written;

static gboolean
is_written (TestFolder * folder)
{
  g_autofree gchar *text = test_folder_read (folder, "out.jsonl");

  return text && strchr (text, '\n');
}

/* The last page waits here for the record of the first document, whose page one
 * replica has rendered before. */
static void
wait_for_record (GstBuffer * buffer, gpointer user_data)
{
  Written *written = user_data;

  if (is_at (buffer, "1/2")) {
    patience_until (is_written (written->folder));
    written->written = TRUE;
  }
}

static void
test_written_early (TestFolder * folder, gconstpointer data)
{
  const gchar *files = g_getenv ("ORCH_PDF_FILES");
  Written written = { folder, FALSE };
  Soak *soak;

  soak = soak_new (2, "orchsrc location=%s/one-page.pdf "
      "location=%s/three-pages.pdf ! orchpdfpages ! orchexpand ! "
      "orchpdfrender dpi=72 ! orchtesseract name=ocr replicas=2 ! "
      "orchreduce ! orchsink name=out location=%s/out.jsonl", files, files,
      folder->path);
  soak_watch (soak, "ocr", "sink", wait_for_record, &written);
  soak_run (soak);
  g_assert_true (written.written);
  soak_free (soak);
}

int
main (int argc, char **argv)
{
  soak_init (&argc, &argv);
  soak_skip_without ("orchpdfrender");
  soak_skip_without ("orchtesseract");
  TEST_ADD ("/soak/overlap/opened-late", test_opened_late);
  TEST_ADD ("/soak/overlap/written-early", test_written_early);
  return g_test_run ();
}

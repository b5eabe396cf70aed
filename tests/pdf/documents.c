/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Good, odd, damaged and hostile documents: what becomes of them and of each of
 * their pages. */

#include "fixture.h"
#include "pdfrepair.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- whole documents ---- */

typedef struct
{
  const gchar *name;
  guint n_pages;                /* 0: the document fails */
  const gchar *code;            /* with check=fail */
  guint n_warned;               /* pages with check=warn, when it fails */
} Document;

static const Document documents[] = {
  {"one-page", 1, NULL, 0},
  {"three-pages", 3, NULL, 0},
  {"five-hundred-pages", 500, NULL, 0},
  {"mixed-sizes", 4, NULL, 0},
  {"rotated", 4, NULL, 0},
  {"nested-tree", 5, NULL, 0},
  {"junk-around", 1, NULL, 0},
  {"object-streams", 3, NULL, 0},
  {"object-streams-and-zeros", 3, NULL, 0},
  {"encrypted-open", 1, NULL, 0},
  {"damaged-xref", 3, NULL, 0},
  {"no-startxref", 3, NULL, 0},
  {"kids-cycle", 2, NULL, 0},
  {"shared-node", 2, NULL, 0},
  {"direct-kid", 3, NULL, 0},
  {"missing-page", 3, NULL, 0},
  {"wrong-kid", 3, NULL, 0},
  {"zero-byte", 0, "empty-file", 0},
  {"not-a-pdf", 0, "not-a-pdf", 0},
  {"plain-text", 0, "not-a-pdf", 0},
  {"truncated", 0, "damaged", 0},
  {"huge-number", 0, "damaged", 3},
  {"truncated-early", 0, "damaged", 0},
  {"zero-pages", 0, "no-pages", 0},
  {"encrypted", 0, "encrypted", 0},
  {"count-million", 0, "page-count", 3},
  {"count-zero", 0, "page-count", 3},
  {"count-short", 0, "page-count", 3},
};

static PdfListing *
list (PdfSource * source, const gchar * password, PdfCheck check,
    GError ** error)
{
  PdfMessages messages;
  PdfListing *listing;

  pdf_messages_begin (&messages);
  listing = pdf_listing_new (source, password, 100000, check, error);
  pdf_messages_end (&messages);
  pdf_messages_clear (&messages);
  return listing;
}

static void
check_document (const Document * document, PdfSource * source)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdfListing) listing = list (source, NULL, PDF_CHECK_FAIL, &error);

  g_test_message ("%s: %s", document->name, error ? error->message : "");
  if (document->n_pages > 0) {
    g_assert_no_error (error);
    g_assert_cmpuint (listing->pages->len, ==, document->n_pages);
    g_assert_null (listing->warning);
  } else {
    g_assert_null (listing);
    pdf_test_assert_code (error, document->code);
    g_assert_cmpuint (strlen (error->message), >, 15);
  }
}

static void
test_files (void)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (documents); i++) {
    g_autoptr (PdfSource) source = pdf_test_open (documents[i].name);

    check_document (&documents[i], source);
  }
}

static void
test_memory (void)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (documents); i++) {
    g_autoptr (PdfSource) source = pdf_test_load (documents[i].name);

    check_document (&documents[i], source);
  }
}

static void
test_warn (void)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (documents); i++) {
    const Document *document = &documents[i];
    g_autoptr (PdfSource) source = pdf_test_open (document->name);
    g_autoptr (GError) error = NULL;
    g_autoptr (PdfListing) listing =
        list (source, NULL, PDF_CHECK_WARN, &error);
    guint expected = document->n_pages + document->n_warned;

    g_test_message ("%s", document->name);
    g_assert_cmpuint (listing ? listing->pages->len : 0, ==, expected);
    if (listing)
      g_assert_cmpint (listing->warning != NULL, ==, document->n_warned > 0);
    else
      g_assert_nonnull (error);
  }
}

/* Nothing that has no pages is present and empty. */
static void
test_off (void)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (documents); i++) {
    g_autoptr (PdfSource) source = pdf_test_open (documents[i].name);
    g_autoptr (GError) error = NULL;
    g_autoptr (PdfListing) listing = list (source, NULL, PDF_CHECK_OFF, &error);

    g_test_message ("%s", documents[i].name);
    if (listing)
      g_assert_cmpuint (listing->pages->len, >, 0);
    else
      g_assert_nonnull (error);
  }
}

static void
test_max_pages (void)
{
  static const PdfCheck checks[] = { PDF_CHECK_OFF, PDF_CHECK_FAIL };
  g_autoptr (PdfSource) source = pdf_test_open ("three-pages");
  guint i;

  for (i = 0; i < G_N_ELEMENTS (checks); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PdfListing) two = pdf_listing_new (source, NULL, 2, checks[i],
        &error);
    g_autoptr (PdfListing) three = pdf_listing_new (source, NULL, 3, checks[i],
        NULL);

    g_assert_null (two);
    pdf_test_assert_code (error, "too-many-pages");
    g_assert_nonnull (three);
  }
}

static void
test_password (void)
{
  static const gchar *const good[] = { "secret", "owner" };
  g_autoptr (PdfSource) source = pdf_test_open ("encrypted");
  g_autoptr (GError) error = NULL;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (good); i++) {
    g_autoptr (PdfListing) listing = list (source, good[i], PDF_CHECK_FAIL,
        NULL);
    g_autofree gchar *text = NULL;
    PdfTestPage page;

    g_assert_nonnull (listing);
    g_assert_true (listing->is_encrypted);
    g_assert_true (pdf_test_page_init (&page, listing, 0, NULL));
    text = pdf_test_get_text (listing, &page, NULL);
    g_assert_cmpstr (text, ==, "Hello secret");
    pdf_test_page_clear (&page);
  }
  g_assert_null (list (source, "wrong", PDF_CHECK_FAIL, &error));
  pdf_test_assert_code (error, "wrong-password");
}

/* ---- pages ---- */

typedef struct
{
  const gchar *name;
  const gchar *drawing[6];      /* "" or the code of its failure; then NULL */
  const gchar *text[6];         /* the text, or the code of its failure */
} Pages;

static const Pages pages[] = {
  {"one-page", {""}, {"Hello orch"}},
  {"three-pages", {"", "", ""},
      {"This is page 1", "This is page 2", "This is page 3"}},
  {"nested-tree", {"", "", "", "", ""}, {"This is page 1", "This is page 2",
          "This is page 3", "This is page 4", "This is page 5"}},
  {"blank-page", {"", ""}, {"", ""}},
  {"image-only", {""}, {""}},
  {"junk-around", {""}, {"Hello orch"}},
  {"object-streams-and-zeros", {"", "", ""},
      {"This is page 1", "This is page 2", "This is page 3"}},
  {"encrypted-open", {""}, {"Hello open"}},
  {"damaged-xref", {"", "", ""},
      {"This is page 1", "This is page 2", "This is page 3"}},
  {"mutual-forms", {""}, {"Mirrors"}},
  {"mutual-forms-only", {""}, {""}},
  {"kids-cycle", {"", "page-loop"}, {"This is page 1", "page-loop"}},
  {"shared-node", {"", "page-loop"}, {"This is page 1", "page-loop"}},
  {"direct-kid", {"", "", ""},
      {"This is page 1", "This is page 2", "This is page 3"}},
  {"missing-page", {"", "missing-page", ""},
      {"This is page 1", "missing-page", "This is page 3"}},
  {"wrong-kid", {"", "damaged-page", ""},
      {"This is page 1", "damaged-page", "This is page 3"}},
  {"broken-flate", {"", "damaged-content", ""},
      {"This is page 1", "damaged-content", "This is page 3"}},
  {"half-broken", {"damaged-content"}, {"damaged-content"}},
  {"broken-form", {"damaged-content"}, {"damaged-content"}},
  {"broken-image", {"damaged-content"}, {""}},
  {"broken-font", {"missing-font"}, {"Good font\nBad font"}},
  {"missing-contents", {"missing-content"}, {"missing-content"}},
  {"control-text", {""}, {"\001\002\001\002"}},
  {"unmapped-text", {""}, {"unmapped-text"}},
  {"wide-image", {""}, {""}},
  {"masked-wide-image", {"image-too-large"}, {""}},
  {"huge-image", {"image-too-large"}, {""}},
  {"gbk-font", {""}, {"中文文本"}},
};

static const PdfDrawSettings settings = { 150, 40000000, PDF_FORMAT_GRAY8 };

static void
check_drawing (PdfListing * listing, PdfTestPage * page, const gchar * expected)
{
  g_autoptr (GError) error = NULL;
  PdfDrawing drawing;

  if (pdf_test_draw (listing, page, &settings, &drawing, &error)) {
    g_free (drawing.data);
    g_assert_cmpstr ("", ==, expected);
  } else {
    pdf_test_assert_code (error, expected);
  }
}

static void
check_text (PdfListing * listing, PdfTestPage * page, const gchar * expected)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = pdf_test_get_text (listing, page, &error);

  if (text)
    g_assert_cmpstr (text, ==, expected);
  else
    pdf_test_assert_code (error, expected);
}

static void
check_pages (const Pages * expected, PdfListing * listing)
{
  guint i;

  for (i = 0; i < listing->pages->len; i++) {
    g_autoptr (GError) error = NULL;
    PdfTestPage page;

    if (!pdf_test_page_init (&page, listing, i, &error)) {
      pdf_test_assert_code (error, expected->drawing[i]);
      pdf_test_assert_code (error, expected->text[i]);
      continue;
    }
    check_drawing (listing, &page, expected->drawing[i]);
    /* Poppler's page object keeps the text it came across, but not what there
     * was to complain about. */
    pdf_test_page_clear (&page);
    g_assert_true (pdf_test_page_init (&page, listing, i, NULL));
    check_text (listing, &page, expected->text[i]);
    pdf_test_page_clear (&page);
  }
}

static void
test_pages (void)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (pages); i++) {
    g_autoptr (PdfSource) source = pdf_test_open (pages[i].name);
    g_autoptr (PdfListing) listing = list (source, NULL, PDF_CHECK_FAIL, NULL);
    gint64 start = g_get_monotonic_time ();

    g_test_message ("%s", pages[i].name);
    g_assert_nonnull (listing);
    g_assert_cmpuint (listing->pages->len, ==,
        g_strv_length ((gchar **) pages[i].drawing));
    check_pages (&pages[i], listing);
    g_assert_cmpint (g_get_monotonic_time () - start, <, 10 * G_USEC_PER_SEC);
  }
}

/* ---- sizes ---- */

typedef struct
{
  const gchar *name;
  guint index;
  gdouble width, height;        /* points */
  gint rotation;
  gint columns, rows;           /* at 150 dpi */
} PageSize;

static const PageSize sizes[] = {
  {"one-page", 0, 612, 792, 0, 1275, 1650},
  {"mixed-sizes", 0, 200, 100, 0, 417, 209},
  {"mixed-sizes", 2, 1191, 842, 0, 2482, 1755},
  {"mixed-sizes", 3, 595.276, 841.89, 0, 1241, 1754},
  {"rotated", 0, 300, 200, 0, 625, 417},
  {"rotated", 1, 200, 300, 90, 417, 625},
  {"rotated", 2, 300, 200, 180, 625, 417},
  {"rotated", 3, 200, 300, 270, 417, 625},
  {"cropped", 0, 200, 300, 0, 417, 625},
  {"user-unit", 0, 612, 792, 0, 1275, 1650},
};

static void
test_sizes (void)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const PageSize *size = &sizes[i];
    g_autoptr (PdfSource) source = pdf_test_open (size->name);
    g_autoptr (PdfListing) listing = list (source, NULL, PDF_CHECK_FAIL, NULL);
    PdfTestPage page;
    PdfDrawing drawing;

    g_test_message ("%s, page %u", size->name, size->index + 1);
    g_assert_true (pdf_test_page_init (&page, listing, size->index, NULL));
    g_assert_cmpfloat_with_epsilon (page.info.width, size->width, 0.001);
    g_assert_cmpfloat_with_epsilon (page.info.height, size->height, 0.001);
    g_assert_cmpint (page.info.rotation, ==, size->rotation);
    g_assert_true (pdf_test_draw (listing, &page, &settings, &drawing, NULL));
    g_assert_cmpint (drawing.width, ==, size->columns);
    g_assert_cmpint (drawing.height, ==, size->rows);
    g_assert_cmpfloat (drawing.dpi, ==, 150);
    g_assert_false (drawing.is_scaled);
    g_free (drawing.data);
    pdf_test_page_clear (&page);
  }
}

static guint8
get_grey (const PdfDrawing * drawing, gdouble x, gdouble y)
{
  gsize stride = pdf_format_get_stride (PDF_FORMAT_GRAY8, drawing->width);

  return drawing->data[(gsize) (y * drawing->height) * stride
      + (gsize) (x * drawing->width)];
}

/* A square in the lower left corner goes round with the page. */
static void
test_rotation (void)
{
  static const gdouble at[4][2] = {
    {0.1, 0.9}, {0.1, 0.1}, {0.9, 0.1}, {0.9, 0.9}
  };
  g_autoptr (PdfSource) source = pdf_test_open ("rotated");
  g_autoptr (PdfListing) listing = list (source, NULL, PDF_CHECK_FAIL, NULL);
  guint i, k;

  for (i = 0; i < 4; i++) {
    PdfTestPage page;
    PdfDrawing drawing;

    g_assert_true (pdf_test_page_init (&page, listing, i, NULL));
    g_assert_true (pdf_test_draw (listing, &page, &settings, &drawing, NULL));
    for (k = 0; k < 4; k++)
      g_assert_cmpint (get_grey (&drawing, at[k][0], at[k][1]), ==,
          k == i ? 0 : 255);
    g_free (drawing.data);
    pdf_test_page_clear (&page);
  }
}

/* Too large for max-pixels, or for cairo: the same picture, smaller. */
static void
check_scaled (const gchar * name, gint max_side)
{
  g_autoptr (PdfSource) source = pdf_test_open (name);
  g_autoptr (PdfListing) listing = list (source, NULL, PDF_CHECK_FAIL, NULL);
  PdfTestPage page;
  PdfDrawing drawing;

  g_assert_true (pdf_test_page_init (&page, listing, 0, NULL));
  g_assert_true (pdf_test_draw (listing, &page, &settings, &drawing, NULL));
  g_assert_true (drawing.is_scaled);
  g_assert_cmpfloat (drawing.dpi, <, 150);
  g_assert_cmpfloat (drawing.dpi, >, 3);
  g_assert_cmpint (MAX (drawing.width, drawing.height), <=, max_side);
  g_assert_cmpint (MAX (drawing.width, drawing.height), >=, max_side * 0.99);
  g_assert_cmpint (drawing.width * drawing.height, <=, 40000000);
  g_assert_cmpint (get_grey (&drawing, 0.25, 0.75), ==, 0);
  g_assert_cmpint (get_grey (&drawing, 0.75, 0.25), ==, 255);
  g_free (drawing.data);
  pdf_test_page_clear (&page);
}

static void
test_scaled (void)
{
  check_scaled ("huge-page", 6324);
  check_scaled ("long-page", 32767);
}

/* Poppler draws nothing when cairo cannot hold an image, and says nothing. */
static void
test_wide_image (void)
{
  g_autoptr (PdfSource) source = pdf_test_open ("wide-image");
  g_autoptr (PdfListing) listing = list (source, NULL, PDF_CHECK_FAIL, NULL);
  PdfTestPage page;
  PdfDrawing drawing;

  g_assert_true (pdf_test_page_init (&page, listing, 0, NULL));
  g_assert_cmpint (page.page.images, ==, PDF_IMAGES_LARGE);
  g_assert_true (pdf_test_draw (listing, &page, &settings, &drawing, NULL));
  g_assert_cmpint (get_grey (&drawing, 0.25, 0.5), ==, 0);
  g_assert_cmpint (get_grey (&drawing, 0.75, 0.5), ==, 255);
  g_free (drawing.data);
  pdf_test_page_clear (&page);
}

static void
test_tiny_budget (void)
{
  static const PdfDrawSettings one = { 150, 1, PDF_FORMAT_RGB };
  g_autoptr (PdfSource) source = pdf_test_open ("mixed-sizes");
  g_autoptr (PdfListing) listing = list (source, NULL, PDF_CHECK_FAIL, NULL);
  PdfTestPage page;
  PdfDrawing drawing;

  g_assert_true (pdf_test_page_init (&page, listing, 0, NULL));
  g_assert_true (pdf_test_draw (listing, &page, &one, &drawing, NULL));
  g_assert_cmpint (drawing.width * drawing.height, ==, 1);
  g_free (drawing.data);
  pdf_test_page_clear (&page);
}

/* Run by without-language-data.py, where Poppler finds no data of its own. */
static void
test_language_data (void)
{
  static const Pages expected = { "gbk-font", {"missing-language-data"},
    {"missing-language-data"}
  };
  g_autoptr (PdfSource) source = pdf_test_open (expected.name);
  g_autoptr (PdfListing) listing = list (source, NULL, PDF_CHECK_FAIL, NULL);
  g_autoptr (GError) error = NULL;
  PdfTestPage page;

  if (!g_getenv ("ORCH_NO_LANGUAGE_DATA")) {
    g_test_skip ("poppler-data is where Poppler looks for it");
    return;
  }
  check_pages (&expected, listing);
  g_assert_true (pdf_test_page_init (&page, listing, 0, NULL));
  g_assert_null (pdf_test_get_text (listing, &page, &error));
  g_assert_nonnull (strstr (error->message, "poppler-data"));
  pdf_test_page_clear (&page);
}

/* ---- labels, text with boxes, quality ---- */

static void
test_labels (void)
{
  static const gchar *const expected[] = { "i", "ii", "1", "A-2" };
  g_autoptr (PdfSource) source = pdf_test_open ("labelled");
  g_autoptr (PdfListing) listing = list (source, NULL, PDF_CHECK_FAIL, NULL);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (expected); i++) {
    PdfTestPage page;

    g_assert_true (pdf_test_page_init (&page, listing, i, NULL));
    g_assert_cmpstr (page.info.label, ==, expected[i]);
    pdf_test_page_clear (&page);
  }
}

/* In inches or in points: the same words at the same places. */
static void
check_boxes (const gchar * name, const gchar * word, gdouble left, gdouble top,
    gdouble bottom)
{
  g_autoptr (PdfSource) source = pdf_test_open (name);
  g_autoptr (PdfListing) listing = list (source, NULL, PDF_CHECK_FAIL, NULL);
  g_autofree gchar *text = NULL;
  g_autofree gchar *json = NULL;
  g_autofree gchar *mark = g_strdup_printf ("{\"text\":\"%s\",\"box\":[", word);
  const gchar *found;
  PdfTestPage page;
  gdouble box[4];
  guint i;

  g_assert_true (pdf_test_page_init (&page, listing, 0, NULL));
  text = pdf_test_get_text (listing, &page, NULL);
  json = pdf_text_to_json (page.poppler_page, &page.page, text);
  g_test_message ("%s", json);
  g_assert_true (g_str_has_prefix (json,
          "{\"width\":612.00,\"height\":792.00,\"dpi\":72,\"lines\":["));
  found = strstr (json, "\"words\":[");
  g_assert_nonnull (found);
  found = strstr (found, mark);
  g_assert_nonnull (found);
  found += strlen (mark);
  for (i = 0; i < G_N_ELEMENTS (box); i++)
    box[i] = g_ascii_strtod (found, (gchar **) & found), found++;
  g_assert_cmpfloat_with_epsilon (box[0], left, 0.1);
  g_assert_cmpfloat (box[1], >, top);
  g_assert_cmpfloat (box[2], >, box[0] + 20);
  g_assert_cmpfloat (box[3], <, bottom);
  pdf_test_page_clear (&page);
}

static void
test_boxes (void)
{
  /* 24 points on a base line at 720 of 792; 36 points on one at 648. */
  check_boxes ("one-page", "Hello", 72, 40, 90);
  check_boxes ("user-unit", "Inches", 72, 100, 170);
}

static void
test_quality (void)
{
  g_assert_cmpfloat (pdf_text_get_unmapped_share (""), ==, 0);
  g_assert_cmpfloat (pdf_text_get_unmapped_share (" \n\t"), ==, 0);
  g_assert_cmpfloat (pdf_text_get_unmapped_share ("plain text"), ==, 0);
  g_assert_cmpfloat (pdf_text_get_unmapped_share ("Grüße 中文"), ==, 0);
  g_assert_cmpfloat (pdf_text_get_unmapped_share ("\001\002"), ==, 1);
  g_assert_cmpfloat (pdf_text_get_unmapped_share ("ab \001\n"
          "\357\277\275"), ==, 0.5);
  /* U+E000 is private use. */
  g_assert_cmpfloat (pdf_text_get_unmapped_share ("a\356\200\200bc"), ==, 0.25);
}

/* ---- memory, time, files that change ---- */

/* 900 MB in 2 kB, or 40 GB of pixels: nothing of the kind is ever held. */
static void
test_bounded (void)
{
  static const gchar *const names[] = { "huge-image", "huge-page" };
  struct rusage usage;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (PdfSource) source = pdf_test_open (names[i]);
    g_autoptr (PdfListing) listing = list (source, NULL, PDF_CHECK_FAIL, NULL);
    PdfTestPage page;
    PdfDrawing drawing = { NULL, };

    g_assert_true (pdf_test_page_init (&page, listing, 0, NULL));
    pdf_test_draw (listing, &page, &settings, &drawing, NULL);
    g_free (drawing.data);
    pdf_test_page_clear (&page);
  }
  /* A sanitizer's own memory counts as ours. */
  getrusage (RUSAGE_SELF, &usage);
  if (!g_getenv ("ORCH_TEST_SLOW"))
    g_assert_cmpint (usage.ru_maxrss, <, 800 * 1024);
}

static void
test_mutual_forms_time (void)
{
  g_autoptr (PdfSource) source = pdf_test_open ("mutual-forms");
  gint64 start = g_get_monotonic_time ();
  g_autoptr (PdfListing) listing = list (source, NULL, PDF_CHECK_FAIL, NULL);
  PdfTestPage page;
  PdfDrawing drawing;

  g_assert_true (pdf_test_page_init (&page, listing, 0, NULL));
  g_assert_true (pdf_test_draw (listing, &page, &settings, &drawing, NULL));
  g_assert_false (drawing.is_blank);
  g_assert_cmpint (g_get_monotonic_time () - start, <, G_USEC_PER_SEC);
  g_free (drawing.data);
  pdf_test_page_clear (&page);
}

static gint
copy_to_temporary (const gchar * name, gsize * size)
{
  g_autofree gchar *path = pdf_test_path (name);
  g_autofree gchar *data = NULL;
  gint fd = pdf_source_open_temporary (NULL);

  g_assert_cmpint (fd, >=, 0);
  g_assert_true (g_file_get_contents (path, &data, size, NULL));
  g_assert_cmpint (write (fd, data, *size), ==, *size);
  return fd;
}

/* No SIGBUS, and no page that is there and empty. */
static void
test_truncated_while_open (void)
{
  gsize size;
  gint fd = copy_to_temporary ("five-hundred-pages", &size);
  g_autoptr (PdfSource) source = pdf_source_new_take_fd (fd, size);
  g_autoptr (PdfListing) listing = list (source, NULL, PDF_CHECK_FAIL, NULL);
  guint i, n_failed = 0;

  g_assert_nonnull (listing);
  g_assert_cmpint (ftruncate (fd, 1000), ==, 0);
  for (i = 0; i < listing->pages->len; i += 50) {
    g_autofree gchar *text = NULL;
    PdfTestPage page;

    if (pdf_test_page_init (&page, listing, i, NULL))
      text = pdf_test_get_text (listing, &page, NULL);
    if (text)
      g_assert_cmpstr (text, !=, "");
    else
      n_failed++;
    pdf_test_page_clear (&page);
  }
  g_assert_cmpuint (n_failed, >=, 9);
}

static void
test_truncated_before_listing (void)
{
  gsize size;
  gint fd = copy_to_temporary ("three-pages", &size);
  g_autoptr (PdfSource) source = pdf_source_new_take_fd (fd, size);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (ftruncate (fd, 0), ==, 0);
  g_assert_null (list (source, NULL, PDF_CHECK_FAIL, &error));
  pdf_test_assert_code (error, "empty-file");
}

/* Cut anywhere: an error or pages, never a crash. */
static void
test_cut_anywhere (void)
{
  g_autoptr (PdfSource) whole = pdf_test_load ("nested-tree");
  GBytes *bytes = pdf_source_get_bytes (whole);
  gsize size = g_bytes_get_size (bytes);
  gsize at;

  for (at = 0; at < size; at += 13) {
    g_autoptr (GBytes) part = g_bytes_new_from_bytes (bytes, 0, at);
    g_autoptr (PdfSource) source = pdf_source_new_for_bytes (part);
    g_autoptr (GError) error = NULL;
    g_autoptr (PdfListing) listing = list (source, NULL, PDF_CHECK_FAIL,
        &error);

    if (listing)
      g_assert_cmpuint (listing->pages->len, ==, 5);
    else
      g_assert_nonnull (error);
  }
}

/* ---- trimming ---- */

static PdfSource *
source_from_parts (const gchar * head, gsize head_size, const gchar * name,
    gsize zeros)
{
  g_autoptr (PdfSource) whole = pdf_test_load (name);
  GBytes *bytes = pdf_source_get_bytes (whole);
  g_autoptr (GByteArray) all = g_byte_array_new ();
  g_autoptr (GBytes) result = NULL;
  guint end;

  g_byte_array_append (all, (const guint8 *) head, head_size);
  g_byte_array_append (all, g_bytes_get_data (bytes, NULL),
      g_bytes_get_size (bytes));
  end = all->len;
  g_byte_array_set_size (all, end + zeros);
  memset (all->data + end, 0, zeros);
  result = g_byte_array_free_to_bytes (g_steal_pointer (&all));
  return pdf_source_new_for_bytes (result);
}

static void
test_trim (void)
{
  g_autofree gchar *junk = g_strnfill (60000, 'x');
  static const gsize heads[] = { 0, 100, 5000, 60000 };
  static const gsize tails[] = { 0, 500, 5000, 70000, 1000000 };
  guint i, k;

  for (i = 0; i < G_N_ELEMENTS (heads); i++) {
    for (k = 0; k < G_N_ELEMENTS (tails); k++) {
      g_autoptr (PdfSource) source = source_from_parts (junk, heads[i],
          "object-streams", tails[k]);
      g_autoptr (PdfListing) listing = list (source, NULL, PDF_CHECK_FAIL,
          NULL);

      g_test_message ("%" G_GSIZE_FORMAT " before, %" G_GSIZE_FORMAT
          " behind", heads[i], tails[k]);
      g_assert_nonnull (listing);
      g_assert_cmpuint (listing->pages->len, ==, 3);
    }
  }
}

/* A file that goes on after an %%EOF is no file with junk behind it. */
static void
test_trim_keeps_objects (void)
{
  g_autoptr (PdfSource) first = pdf_test_load ("one-page");
  g_autoptr (PdfSource) both = NULL;
  g_autoptr (PdfSource) trimmed = NULL;
  g_autofree gchar *junk = g_strnfill (3000, ' ');
  gsize size;
  const gchar *data = g_bytes_get_data (pdf_source_get_bytes (first), &size);
  g_autofree gchar *text = g_malloc (size + 4000);
  g_autoptr (GBytes) bytes = NULL;

  memcpy (text, data, size);
  memcpy (text + size, "\n9 0 obj\n", 9);
  memcpy (text + size + 9, junk, 3000);
  bytes = g_bytes_new (text, size + 3009);
  both = pdf_source_new_for_bytes (bytes);
  trimmed = pdf_source_trim (both, NULL);
  g_assert_true (trimmed == both);
}

gint
main (gint argc, gchar ** argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (NULL, NULL);
  g_test_add_func ("/pdf/documents/files", test_files);
  g_test_add_func ("/pdf/documents/memory", test_memory);
  g_test_add_func ("/pdf/documents/warn", test_warn);
  g_test_add_func ("/pdf/documents/off", test_off);
  g_test_add_func ("/pdf/documents/max-pages", test_max_pages);
  g_test_add_func ("/pdf/documents/password", test_password);
  g_test_add_func ("/pdf/documents/cut-anywhere", test_cut_anywhere);
  g_test_add_func ("/pdf/documents/truncated-while-open",
      test_truncated_while_open);
  g_test_add_func ("/pdf/documents/truncated-before-listing",
      test_truncated_before_listing);
  g_test_add_func ("/pdf/pages/outcomes", test_pages);
  g_test_add_func ("/pdf/pages/sizes", test_sizes);
  g_test_add_func ("/pdf/pages/rotation", test_rotation);
  g_test_add_func ("/pdf/pages/scaled", test_scaled);
  g_test_add_func ("/pdf/pages/wide-image", test_wide_image);
  g_test_add_func ("/pdf/pages/tiny-budget", test_tiny_budget);
  g_test_add_func ("/pdf/pages/labels", test_labels);
  g_test_add_func ("/pdf/pages/boxes", test_boxes);
  g_test_add_func ("/pdf/pages/quality", test_quality);
  g_test_add_func ("/pdf/pages/mutual-forms-time", test_mutual_forms_time);
  g_test_add_func ("/pdf/pages/bounded", test_bounded);
  g_test_add_func ("/pdf/pages/language-data", test_language_data);
  g_test_add_func ("/pdf/trim/around", test_trim);
  g_test_add_func ("/pdf/trim/keeps-objects", test_trim_keeps_objects);
  return g_test_run ();
}

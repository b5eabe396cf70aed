/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* orchpdfpages, orchpdfrender and orchpdftext in pipelines. */

#include "run.h"

#include <gst/allocators/gstfdmemory.h>
#include <gst/check/gstcheck.h>

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define REDUCE "orchreduce on-failed=placeholder"
#define TEXT "orchpdfpages name=pages ! orchexpand ! orchpdftext name=text ! " REDUCE
#define RENDER "orchpdfpages ! orchexpand ! orchpdfrender name=render ! " REDUCE

/* ---- documents ---- */

static gchar *
get_path (const gchar * name)
{
  g_autofree gchar *base = g_strconcat (name, ".pdf", NULL);

  return g_build_filename (g_getenv ("ORCH_PDF_FILES"), base, NULL);
}

static GstBuffer *
open_file (const gchar * path)
{
  GstAllocator *allocator = gst_fd_allocator_new ();
  GstBuffer *buffer = gst_buffer_new ();
  gint fd = open (path, O_RDONLY | O_CLOEXEC);
  struct stat status;

  fail_unless (fd >= 0 && fstat (fd, &status) == 0);
  gst_buffer_append_memory (buffer, gst_fd_allocator_alloc (allocator, fd,
          status.st_size, GST_FD_MEMORY_FLAG_NONE));
  gst_object_unref (allocator);
  return buffer;
}

static GstBuffer *
load_file (const gchar * path)
{
  gchar *data;
  gsize size;

  fail_unless (g_file_get_contents (path, &data, &size, NULL));
  if (size > 0)
    return gst_buffer_new_wrapped (data, size);
  g_free (data);
  return gst_buffer_new ();
}

static void
push_buffer (Run * run, GstBuffer * buffer)
{
  GstCaps *caps = gst_caps_new_empty_simple ("application/octet-stream");
  GstSample *sample = gst_sample_new (buffer, caps, NULL, NULL);
  GstFlowReturn ret;

  g_signal_emit_by_name (run->in, "push-sample", sample, &ret);
  fail_unless_equals_int (ret, GST_FLOW_OK);
  gst_sample_unref (sample);
  gst_caps_unref (caps);
  gst_buffer_unref (buffer);
}

static void
push_document (Run * run, const gchar * name)
{
  g_autofree gchar *path = get_path (name);

  push_buffer (run, open_file (path));
}

/* One document through a chain, to EOS. */
static Run *
run_document (const gchar * name, const gchar * chain)
{
  Run *run = run_new (RUN_IN "! %s ! " RUN_OUT, chain);

  GST_INFO ("%s", name);
  run_start (run);
  push_document (run, name);
  run_end (run);
  run_finish (run);
  return run;
}

static const GstOrchListElement *
get_page (Run * run, guint index)
{
  GstBuffer *buffer = collector_get_buffer (run->out, "0");
  const GstOrchListElement *element;

  fail_unless (buffer != NULL);
  element = gst_orch_list_get (gst_orch_buffer_get_list (buffer), index);
  gst_buffer_unref (buffer);
  return element;
}

/* ---- outcomes ---- */

typedef struct
{
  const gchar *name;
  const gchar *text;            /* what comes of pdf-text */
  const gchar *render;          /* and of pdf-render */
} Outcome;

static const Outcome outcomes[] = {
  {"one-page",
      "0 [Hello orch]",
      "0 [*]"},
  {"three-pages",
      "0 [This is page 1,This is page 2,This is page 3]",
      "0 [*,*,*]"},
  {"blank-page",
      "0 [,]",
      "0 [*,*]"},
  {"image-only",
      "0 []",
      "0 [*]"},
  {"junk-around",
      "0 [Hello orch]",
      "0 [*]"},
  {"object-streams-and-zeros",
      "0 [This is page 1,This is page 2,This is page 3]",
      "0 [*,*,*]"},
  {"gbk-font",
      "0 [中文文本]",
      "0 [*]"},
  {"encrypted-open",
      "0 [Hello open]",
      "0 [*]"},
  {"encrypted",
      "0 S pdf:encrypted@0",
      "0 S pdf:encrypted@0"},
  {"zero-byte",
      "0 S pdf:empty-file@0",
      "0 S pdf:empty-file@0"},
  {"not-a-pdf",
      "0 S pdf:not-a-pdf@0",
      "0 S pdf:not-a-pdf@0"},
  {"plain-text",
      "0 S pdf:not-a-pdf@0",
      "0 S pdf:not-a-pdf@0"},
  {"truncated",
      "0 S pdf:damaged@0",
      "0 S pdf:damaged@0"},
  {"truncated-early",
      "0 S pdf:damaged@0",
      "0 S pdf:damaged@0"},
  {"zero-pages",
      "0 S pdf:no-pages@0",
      "0 S pdf:no-pages@0"},
  {"damaged-xref",
      "0 [This is page 1,This is page 2,This is page 3]",
      "0 [*,*,*]"},
  {"mutual-forms",
      "0 [Mirrors]",
      "0 [*]"},
  {"mutual-forms-only",
      "0 []",
      "0 [*]"},
  {"kids-cycle",
      "0 [This is page 1,-] 0/1 S pdf:page-loop@0/1",
      "0 [*,-] 0/1 S pdf:page-loop@0/1"},
  {"shared-node",
      "0 [This is page 1,-] 0/1 S pdf:page-loop@0/1",
      "0 [*,-] 0/1 S pdf:page-loop@0/1"},
  {"count-million",
      "0 S pdf:page-count@0",
      "0 S pdf:page-count@0"},
  {"count-zero",
      "0 S pdf:page-count@0",
      "0 S pdf:page-count@0"},
  {"count-short",
      "0 S pdf:page-count@0",
      "0 S pdf:page-count@0"},
  {"direct-kid",
      "0 [This is page 1,This is page 2,This is page 3]",
      "0 [*,*,*]"},
  {"missing-page",
      "0 [This is page 1,-,This is page 3] 0/1 S pdf:missing-page@0/1",
      "0 [*,-,*] 0/1 S pdf:missing-page@0/1"},
  {"wrong-kid",
      "0 [This is page 1,-,This is page 3] 0/1 S pdf:damaged-page@0/1",
      "0 [*,-,*] 0/1 S pdf:damaged-page@0/1"},
  {"broken-flate",
      "0 [This is page 1,-,This is page 3] 0/1 F pdf:damaged-content@0/1",
      "0 [*,-,*] 0/1 F pdf:damaged-content@0/1"},
  {"half-broken",
      "0 [-] 0/0 F pdf:damaged-content@0/0",
      "0 [-] 0/0 F pdf:damaged-content@0/0"},
  {"broken-form",
      "0 [-] 0/0 F pdf:damaged-content@0/0",
      "0 [-] 0/0 F pdf:damaged-content@0/0"},
  {"broken-image",
      "0 []",
      "0 [-] 0/0 F pdf:damaged-content@0/0"},
  {"broken-font",
      "0 [Good font\nBad font]",
      "0 [-] 0/0 F pdf:missing-font@0/0"},
  {"missing-contents",
      "0 [-] 0/0 F pdf:missing-content@0/0",
      "0 [-] 0/0 F pdf:missing-content@0/0"},
  {"control-text",
      "0 [\001\002\001\002]",
      "0 [*]"},
  {"unmapped-text",
      "0 [-] 0/0 F pdf:unmapped-text@0/0",
      "0 [*]"},
  {"huge-page",
      "0 []",
      "0 [*]"},
  {"huge-image",
      "0 []",
      "0 [-] 0/0 F pdf:image-too-large@0/0"},
  {"user-unit",
      "0 [Inches]",
      "0 [*]"},
};

GST_START_TEST (test_text)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (outcomes); i++) {
    Run *run = run_document (outcomes[i].name, TEXT);

    run_assert_results (run, outcomes[i].text);
    run_free (run);
  }
}

GST_END_TEST;

GST_START_TEST (test_render)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (outcomes); i++) {
    Run *run = run_document (outcomes[i].name, RENDER);

    run_assert_results (run, outcomes[i].render);
    run_free (run);
  }
}

GST_END_TEST;

/* Ordinary memory, as an application may push it. */
GST_START_TEST (test_memory)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (outcomes); i++) {
    Run *run = run_new (RUN_IN "! " TEXT " ! " RUN_OUT);
    g_autofree gchar *path = get_path (outcomes[i].name);

    run_start (run);
    push_buffer (run, load_file (path));
    run_end (run);
    run_finish (run);
    run_assert_results (run, outcomes[i].text);
    run_free (run);
  }
}

GST_END_TEST;

/* ---- what is said of documents and pages ---- */

GST_START_TEST (test_document_info)
{
  Run *run = run_document ("labelled", TEXT);
  GstBuffer *buffer = collector_get_buffer (run->out, "0");
  const GstStructure *info = gst_orch_buffer_get_info (buffer);
  gboolean encrypted = TRUE;
  gint pages = 0;

  fail_unless (gst_structure_get (info, "pages", G_TYPE_INT, &pages,
          "encrypted", G_TYPE_BOOLEAN, &encrypted, NULL));
  fail_unless_equals_int (pages, 4);
  fail_if (encrypted);
  fail_unless_equals_string (gst_structure_get_string (info, "title"),
      "Labels");
  gst_buffer_unref (buffer);
  run_free (run);
}

GST_END_TEST;

GST_START_TEST (test_page_info)
{
  static const gchar *const labels[] = { "i", "ii", "1", "A-2" };
  Run *run = run_document ("labelled", RENDER);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (labels); i++) {
    const GstStructure *info = get_page (run, i)->info;
    gdouble width, height, dpi;
    gint page, rotation;

    fail_unless (gst_structure_get (info, "page", G_TYPE_INT, &page,
            "width", G_TYPE_DOUBLE, &width, "height", G_TYPE_DOUBLE, &height,
            "rotation", G_TYPE_INT, &rotation, "dpi", G_TYPE_DOUBLE, &dpi,
            NULL));
    fail_unless_equals_int (page, i + 1);
    fail_unless_equals_float (width, 612);
    fail_unless_equals_float (height, 792);
    fail_unless_equals_int (rotation, 0);
    fail_unless_equals_float (dpi, 150);
    fail_unless_equals_string (gst_structure_get_string (info, "label"),
        labels[i]);
  }
  run_free (run);
}

GST_END_TEST;

typedef struct
{
  const gchar *format;
  gint bytes;                   /* a pixel */
} Format;

static const Format formats[] = { {"GRAY8", 1}, {"RGB", 3}, {"BGRx", 4} };

/* 200 x 100 points at 75 dpi: 209 x 105 pixels, rows of whole words. */
GST_START_TEST (test_formats)
{
  const Format *format = &formats[__i__];
  g_autofree gchar *chain = g_strdup_printf ("orchpdfpages ! orchexpand ! "
      "orchpdfrender dpi=75 format=%s ! " REDUCE, format->format);
  g_autofree gchar *expected = g_strdup_printf ("video/x-raw, format=%s, "
      "width=209, height=105, framerate=(fraction)0/1", format->format);
  GstCaps *caps = gst_caps_from_string (expected);
  Run *run = run_document ("mixed-sizes", chain);
  const GstOrchListElement *page = get_page (run, 0);

  fail_unless (gst_caps_is_equal (page->caps, caps));
  fail_unless_equals_int (gst_buffer_get_size (page->buffer),
      GST_ROUND_UP_4 (209 * format->bytes) * 105);
  gst_caps_unref (caps);
  run_free (run);
}

GST_END_TEST;

static const gchar *
get_warning (const GstStructure * info)
{
  const GValue *warnings = gst_structure_get_value (info, "warnings");

  if (!warnings || gst_value_list_get_size (warnings) == 0)
    return NULL;
  return g_value_get_string (gst_value_list_get_value (warnings, 0));
}

GST_START_TEST (test_check_warn)
{
  Run *run = run_document ("broken-flate", "orchpdfpages ! orchexpand ! "
      "orchpdftext check=warn ! " REDUCE);

  run_assert_results (run, "0 [This is page 1,,This is page 3]");
  fail_unless (get_warning (get_page (run, 0)->info) == NULL);
  fail_unless (strstr (get_warning (get_page (run, 1)->info), "damaged"));
  fail_unless_equals_int (run->news->len, 1);
  run_free (run);
}

GST_END_TEST;

GST_START_TEST (test_check_off)
{
  Run *run = run_document ("broken-flate", "orchpdfpages ! orchexpand ! "
      "orchpdfrender check=off ! " REDUCE);

  run_assert_results (run, "0 [*,*,*]");
  fail_unless (get_warning (get_page (run, 1)->info) == NULL);
  run_free (run);
}

GST_END_TEST;

GST_START_TEST (test_count_warn)
{
  Run *run = run_document ("count-zero", "orchpdfpages check=warn ! "
      "orchexpand ! orchpdftext ! " REDUCE);
  GstBuffer *buffer = collector_get_buffer (run->out, "0");

  run_assert_results (run, "0 [This is page 1,This is page 2,This is page 3]");
  fail_unless (strstr (get_warning (gst_orch_buffer_get_info (buffer)),
          "has 3"));
  gst_buffer_unref (buffer);
  run_free (run);
}

GST_END_TEST;

GST_START_TEST (test_scaled)
{
  Run *run = run_document ("one-page", "orchpdfpages ! orchexpand ! "
      "orchpdfrender max-pixels=10000 ! " REDUCE);
  const GstOrchListElement *page = get_page (run, 0);
  gdouble dpi = 0;

  fail_unless (strstr (get_warning (page->info), "dpi"));
  fail_unless (gst_structure_get_double (page->info, "dpi", &dpi));
  fail_unless (dpi > 9 && dpi < 11);
  fail_unless (gst_buffer_get_size (page->buffer) <= 10000 + 4 * 120);
  run_free (run);
}

GST_END_TEST;

GST_START_TEST (test_large_image)
{
  Run *run = run_document ("wide-image", RENDER);

  run_assert_results (run, "0 [*]");
  fail_unless (strstr (get_warning (get_page (run, 0)->info), "image"));
  run_free (run);
}

GST_END_TEST;

GST_START_TEST (test_password)
{
  Run *run = run_document ("encrypted", "orchpdfpages password=secret ! "
      "orchexpand ! orchpdftext password=secret ! " REDUCE);

  run_assert_results (run, "0 [Hello secret]");
  run_free (run);
  run = run_document ("encrypted", "orchpdfpages password=other ! "
      "orchexpand ! orchpdftext ! " REDUCE);
  run_assert_results (run, "0 S pdf:wrong-password@0");
  run_free (run);
}

GST_END_TEST;

GST_START_TEST (test_max_pages)
{
  Run *run = run_document ("three-pages", "orchpdfpages max-pages=2 ! "
      "orchexpand ! orchpdftext ! " REDUCE);

  run_assert_results (run, "0 S pdf:too-many-pages@0");
  run_free (run);
}

GST_END_TEST;

GST_START_TEST (test_boxes)
{
  Run *run = run_document ("one-page", "orchpdfpages ! orchexpand ! "
      "orchpdftext boxes=true ! " REDUCE);
  const GstOrchListElement *page = get_page (run, 0);
  gchar start[32] = "";
  gdouble quality = 1;

  fail_unless_equals_string (gst_structure_get_name (gst_caps_get_structure
          (page->caps, 0)), "application/json");
  gst_buffer_extract (page->buffer, 0, start, sizeof (start) - 1);
  fail_unless (g_str_has_prefix (start, "{\"width\":612.00,\"height\""));
  fail_unless (gst_structure_get_double (page->info, "quality", &quality));
  fail_unless_equals_float (quality, 0);
  run_free (run);
}

GST_END_TEST;

GST_START_TEST (test_not_a_page)
{
  Run *run = run_new (RUN_IN "caps=\"application/x-orch-ref, "
      "media-type=application/pdf\" ! orchpdftext ! " RUN_OUT);
  GstBuffer *buffer = gst_buffer_new ();
  GstFlowReturn ret;

  run_start (run);
  g_signal_emit_by_name (run->in, "push-buffer", buffer, &ret);
  gst_buffer_unref (buffer);
  run_end (run);
  run_finish (run);
  run_assert_results (run, "0 F pdf:not-a-page@0");
  run_free (run);
}

GST_END_TEST;

/* ---- many at once ---- */

static const gchar *const mixed[] = {
  "three-pages", "nested-tree", "missing-page", "broken-flate", "zero-byte",
  "gbk-font", "kids-cycle", "one-page",
};

static gchar *
expect_mixed (guint n)
{
  GString *expected = g_string_new (NULL);
  guint i, k;

  for (i = 0; i < n; i++) {
    const gchar *name = mixed[i % G_N_ELEMENTS (mixed)];
    g_autofree gchar *path = g_strdup_printf ("@%u", i);
    g_autofree gchar *place = g_strdup_printf ("%u/", i);
    g_autoptr (GString) text = NULL;

    for (k = 0; k < G_N_ELEMENTS (outcomes); k++) {
      if (g_str_equal (outcomes[k].name, name))
        text = g_string_new (outcomes[k].text + 2);
    }
    if (!text)
      text = g_string_new ("[This is page 1,This is page 2,This is page 3,"
          "This is page 4,This is page 5]");
    g_string_replace (text, "0/", place, 0);
    if (i > 0)
      g_string_replace (text, "@0", path, 0);
    g_string_append_printf (expected, "%s%u %s", i ? "; " : "", i, text->str);
  }
  return g_string_free (expected, FALSE);
}

/* Replicas share documents, and their caches are smaller than what is open. */
GST_START_TEST (test_replicas)
{
  static const gint max_documents[] = { 1, 3, 64 };
  Run *run = run_new (RUN_IN "! orchpdfpages replicas=2 ! "
      "orchexpand interleave=fair window=8 ! orchpdftext replicas=4 "
      "batch-size=3 max-documents=%d ! " REDUCE " ! " RUN_OUT,
      max_documents[__i__]);
  const guint n = 64;
  g_autofree gchar *expected = expect_mixed (n);
  guint i;

  run_start (run);
  for (i = 0; i < n; i++)
    push_document (run, mixed[i % G_N_ELEMENTS (mixed)]);
  run_end (run);
  run_finish (run);
  run_assert_results (run, expected);
  run_free (run);
}

GST_END_TEST;

GST_START_TEST (test_one_document_many_replicas)
{
  Run *run = run_document ("five-hundred-pages", "orchpdfpages ! "
      "orchexpand ! orchpdftext replicas=4 ! " REDUCE);
  guint i;

  for (i = 0; i < 500; i++) {
    g_autofree gchar *start = g_strdup_printf ("page %u ", i + 1);
    gchar text[16] = "";

    gst_buffer_extract (get_page (run, i)->buffer, 0, text, sizeof (text) - 1);
    fail_unless (g_str_has_prefix (text, start));
  }
  run_free (run);
}

GST_END_TEST;

static guint
count_descriptors (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  fail_unless (dir != NULL);
  while (g_dir_read_name (dir))
    n++;
  return n;
}

/* Documents that nobody holds any more are closed, although the cache has room
 * for them. */
GST_START_TEST (test_descriptors)
{
  guint before = count_descriptors ();
  Run *run = run_new (RUN_IN "! orchpdfpages ! orchexpand ! "
      "orchpdftext max-documents=1000 ! fakesink name=out sync=false "
      "async=false enable-last-sample=false");
  guint i;

  run_start (run);
  for (i = 0; i < 100; i++) {
    push_document (run, "one-page");
    collector_wait (run->out, 1);
    collector_clear (run->out);
    fail_unless (count_descriptors () < before + 30);
  }
  run_end (run);
  run_finish (run);
  run_free (run);
  fail_unless (count_descriptors () <= before + 2);
}

GST_END_TEST;

/* ---- what gst-inspect-1.0 shows ---- */

GST_START_TEST (test_inspection)
{
  static const gchar *const names[] = {
    "orchpdfpages", "orchpdfrender", "orchpdftext"
  };
  guint i, k, n;

  for (i = 0; i < G_N_ELEMENTS (names); i++) {
    GstElement *element = gst_element_factory_make (names[i], NULL);
    GstPlugin *plugin;
    GParamSpec **pspecs;

    fail_unless (element != NULL);
    plugin = gst_plugin_feature_get_plugin (GST_PLUGIN_FEATURE
        (gst_element_get_factory (element)));
    fail_unless_equals_string (gst_plugin_get_license (plugin), "GPL");
    pspecs = g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n);
    for (k = 0; k < n; k++) {
      fail_unless (strlen (g_param_spec_get_nick (pspecs[k])) > 0);
      fail_unless (strlen (g_param_spec_get_blurb (pspecs[k])) > 3);
    }
    g_free (pspecs);
    gst_object_unref (plugin);
    gst_object_unref (element);
  }
}

GST_END_TEST;

static Suite *
pdf_suite (void)
{
  Suite *s = suite_create ("pdf");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_text);
  tcase_add_test (tc, test_render);
  tcase_add_test (tc, test_memory);
  tcase_add_test (tc, test_document_info);
  tcase_add_test (tc, test_page_info);
  tcase_add_loop_test (tc, test_formats, 0, G_N_ELEMENTS (formats));
  tcase_add_test (tc, test_check_warn);
  tcase_add_test (tc, test_check_off);
  tcase_add_test (tc, test_count_warn);
  tcase_add_test (tc, test_scaled);
  tcase_add_test (tc, test_large_image);
  tcase_add_test (tc, test_password);
  tcase_add_test (tc, test_max_pages);
  tcase_add_test (tc, test_boxes);
  tcase_add_test (tc, test_not_a_page);
  tcase_add_loop_test (tc, test_replicas, 0, 3);
  tcase_add_test (tc, test_one_document_many_replicas);
  tcase_add_test (tc, test_descriptors);
  tcase_add_test (tc, test_inspection);
  return s;
}

GST_CHECK_MAIN (pdf);

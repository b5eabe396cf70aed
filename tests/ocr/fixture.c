/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "fixture.h"

#include <glib/gstdio.h>
#include <leptonica/allheaders.h>

static gchar *folder;

/* Odd sizes, so that rows are no multiple of four bytes. */
static const gchar *pages[FIXTURE_N_PAGES] = {
  "BT /F1 14 Tf 20 110 Td 18 TL (The quick brown fox jumps) Tj T* "
      "(over the lazy dog, 1234.) Tj T* (Invoice No. 98765-B) Tj ET",
  "BT /F1 11 Tf 12 110 Td 14 TL (Left column) Tj T* (holds apples) Tj T* "
      "(and pears.) Tj ET "
      "BT /F1 11 Tf 150 110 Td 14 TL (Right column) Tj T* (holds iron) Tj T* "
      "(and copper.) Tj ET",
  "",
};

static void
append_object (GString * pdf, GArray * offsets, const gchar * body)
{
  gsize offset = pdf->len;

  g_array_append_val (offsets, offset);
  g_string_append_printf (pdf, "%u 0 obj\n%s\nendobj\n", offsets->len, body);
}

static void
append_page (GString * pdf, GArray * offsets, const gchar * content)
{
  g_autofree gchar *page = g_strdup_printf ("<</Type/Page/Parent 2 0 R"
      "/MediaBox[0 0 257 131]/Resources<</Font<</F1 3 0 R>>>>"
      "/Contents %u 0 R>>", offsets->len + 2);
  g_autofree gchar *stream = g_strdup_printf ("<</Length %zu>>\nstream\n"
      "%s\nendstream", strlen (content), content);

  append_object (pdf, offsets, page);
  append_object (pdf, offsets, stream);
}

static GString *
make_pdf (void)
{
  GString *pdf = g_string_new ("%PDF-1.4\n");
  g_autoptr (GArray) offsets = g_array_new (FALSE, FALSE, sizeof (gsize));
  gsize xref;
  guint i;

  append_object (pdf, offsets, "<</Type/Catalog/Pages 2 0 R>>");
  append_object (pdf, offsets,
      "<</Type/Pages/Count 3/Kids[4 0 R 6 0 R 8 0 R]>>");
  append_object (pdf, offsets,
      "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>");
  for (i = 0; i < FIXTURE_N_PAGES; i++)
    append_page (pdf, offsets, pages[i]);

  xref = pdf->len;
  g_string_append_printf (pdf, "xref\n0 %u\n0000000000 65535 f \n",
      offsets->len + 1);
  for (i = 0; i < offsets->len; i++)
    g_string_append_printf (pdf, "%010zu 00000 n \n",
        g_array_index (offsets, gsize, i));
  g_string_append_printf (pdf, "trailer\n<</Size %u/Root 1 0 R>>\nstartxref\n"
      "%zu\n%%%%EOF\n", offsets->len + 1, xref);
  return pdf;
}

static gchar *
run (const gchar * const *argv)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) environment = g_get_environ ();
  gchar *output = NULL;
  gint status;

  /* The program must not take more than its share of the machine either. */
  environment =
      g_environ_setenv (environment, "OMP_THREAD_LIMIT", "1", TRUE);
  if (!g_spawn_sync (NULL, (gchar **) argv, environment,
          G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
          &output, NULL, &status, &error)
      || !g_spawn_check_wait_status (status, &error))
    g_error ("%s: %s", argv[0], error->message);
  return output;
}

static void
convert (const gchar * pdf, gboolean color)
{
  g_autofree gchar *root =
      g_build_filename (folder, color ? "color" : "gray", NULL);
  const gchar *argv[] = { "pdftocairo", "-png", "-r", G_STRINGIFY (FIXTURE_DPI),
    pdf, root, color ? NULL : "-gray", NULL
  };

  g_free (run (argv));
}

gboolean
fixture_set_up (void)
{
  g_autofree gchar *pdftocairo = g_find_program_in_path ("pdftocairo");
  g_autofree gchar *tesseract = g_find_program_in_path ("tesseract");
  g_autofree gchar *path = NULL;
  GString *pdf;

  if (!pdftocairo || !tesseract) {
    g_print ("1..0 # SKIP needs pdftocairo and tesseract\n");
    return FALSE;
  }
  folder = g_dir_make_tmp ("orch-ocr-XXXXXX", NULL);
  path = g_build_filename (folder, "pages.pdf", NULL);
  pdf = make_pdf ();
  g_assert_true (g_file_set_contents (path, pdf->str, pdf->len, NULL));
  g_string_free (pdf, TRUE);
  convert (path, FALSE);
  convert (path, TRUE);
  return TRUE;
}

void
fixture_tear_down (void)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const gchar *name;

  while ((name = g_dir_read_name (dir))) {
    g_autofree gchar *path = g_build_filename (folder, name, NULL);

    g_unlink (path);
  }
  g_dir_close (dir);
  g_rmdir (folder);
  g_free (folder);
}

gchar *
fixture_png (guint page, gboolean color)
{
  return g_strdup_printf ("%s/%s-%u.png", folder, color ? "color" : "gray",
      page + 1);
}

gchar *
fixture_tesseract (const gchar * png, const gchar * psm, const gchar * config)
{
  const gchar *argv[] = { "tesseract", png, "-", "--psm", psm, config, NULL };

  return run (argv);
}

GstBuffer *
fixture_pixels (const gchar * png, GstVideoFormat format, guint padding,
    GstVideoInfo * info)
{
  PIX *pix = pixRead (png);
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0, };
  gint strides[GST_VIDEO_MAX_PLANES] = { 0, };
  gint width = pixGetWidth (pix), height = pixGetHeight (pix), x, y;
  gint pixel = format == GST_VIDEO_FORMAT_GRAY8 ? 1 :
      format == GST_VIDEO_FORMAT_RGB ? 3 : 4;
  gint stride = width * pixel + padding;
  guint8 *data = g_malloc (stride * height);
  GstBuffer *buffer;

  /* What lies between the rows must never be read as pixels. */
  memset (data, 0x55, stride * height);
  for (y = 0; y < height; y++) {
    for (x = 0; x < width; x++) {
      guint8 *p = data + y * stride + x * pixel;
      l_int32 red, green, blue;

      if (pixel == 1) {
        l_uint32 gray;

        pixGetPixel (pix, x, y, &gray);
        *p = gray;
        continue;
      }
      pixGetRGBPixel (pix, x, y, &red, &green, &blue);
      p[pixel == 3 ? 0 : 2] = red;
      p[1] = green;
      p[pixel == 3 ? 2 : 0] = blue;
    }
  }
  pixDestroy (&pix);

  gst_video_info_set_format (info, format, width, height);
  buffer = gst_buffer_new_wrapped (data, stride * height);
  strides[0] = stride;
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE, format,
      width, height, 1, offset, strides);
  return buffer;
}

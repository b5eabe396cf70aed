/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Content streams: what they show, and whether they can be unpacked. */

#include "pdfinflate.h"
#include "pdfscan.h"

#include <string.h>
#include <zlib.h>

/* ---- scanning ---- */

typedef struct
{
  const gchar *content;
  gboolean shows_text;
  const gchar *draws;           /* (nullable) */
} Case;

static const Case cases[] = {
  {"", FALSE, NULL},
  {"BT ET q Q", FALSE, NULL},
  {"(Hello) Tj", TRUE, NULL},
  {"[(H) -20 (i)] TJ", TRUE, NULL},
  {"(Hi) '", TRUE, NULL},
  {"1 2 (Hi) \"", TRUE, NULL},
  {"<4869> Tj", TRUE, NULL},
  {"<48 6 9> Tj", TRUE, NULL},
  {"(   ) Tj", FALSE, NULL},
  {"<000300030003> Tj", FALSE, NULL},
  {"(\\110\\151) Tj", TRUE, NULL},
  {"(\\40\\040) Tj", FALSE, NULL},
  {"(a\\)b) Tj", TRUE, NULL},
  {"(a(b)) Tj", TRUE, NULL},
  {"(Hello) pop", FALSE, NULL},
  {"(Hello) Td () Tj", FALSE, NULL},
  {"% (Hello) Tj\n q", FALSE, NULL},
  {"<</A (Hello)>> BDC EMC", FALSE, NULL},
  {"/Im0 Do", FALSE, "/Im0"},
  {"/A#42 Do", FALSE, "/AB"},
  {"/F1 12 Tf /Fm Do", FALSE, "/Fm"},
  {"BI /W 2 ID (Hello) Tj /X Do EI /Im Do", FALSE, "/Im"},
  {"(unfinished", FALSE, NULL},
  {"(Hello) Tj <12", TRUE, NULL},
};

static void
test_shows (void)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    const Case *c = &cases[i];
    PdfScan scan;

    g_test_message ("%s", c->content);
    pdf_scan_init (&scan);
    pdf_scan_content (&scan, (const guint8 *) c->content, strlen (c->content));
    g_assert_cmpint (pdf_scan_shows_text (&scan), ==, c->shows_text);
    g_assert_cmpuint (g_hash_table_size (scan.objects), ==, c->draws ? 1 : 0);
    if (c->draws)
      g_assert_true (g_hash_table_contains (scan.objects, c->draws));
    pdf_scan_clear (&scan);
  }
}

/* Under valgrind or a sanitizer this finds reads beyond the end. */
static void
test_noise (void)
{
  static const gchar alphabet[] = "()<>[]/%\\TjDoBIDE 0189#af\n";
  guint round, i;

  for (round = 0; round < 2000; round++) {
    guint size = g_test_rand_int_range (0, 80);
    g_autofree guint8 *data = g_malloc (size);
    PdfScan scan;

    for (i = 0; i < size; i++)
      data[i] = alphabet[g_test_rand_int_range (0, sizeof (alphabet))];
    pdf_scan_init (&scan);
    pdf_scan_content (&scan, data, size);
    pdf_scan_clear (&scan);
  }
}

/* ---- unpacking ---- */

#define PLAIN_SIZE 200000

static GByteArray *
pack (gint flush)
{
  g_autofree guint8 *plain = g_malloc (PLAIN_SIZE);
  GByteArray *packed = g_byte_array_new ();
  z_stream stream = { 0, };
  guint i;

  for (i = 0; i < PLAIN_SIZE; i++)
    plain[i] = i * 2654435761u >> 24;
  g_byte_array_set_size (packed, 2 * PLAIN_SIZE);
  g_assert_cmpint (deflateInit (&stream, 6), ==, Z_OK);
  stream.next_in = plain;
  stream.avail_in = PLAIN_SIZE;
  stream.next_out = packed->data;
  stream.avail_out = packed->len;
  deflate (&stream, flush);
  g_byte_array_set_size (packed, packed->len - stream.avail_out);
  deflateEnd (&stream);
  return packed;
}

static PdfInflate
unpack (GByteArray * packed, gsize size, gsize max, gsize * unpacked)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  PdfInflate result = pdf_inflate (packed->data, size, max, out);

  *unpacked = out->len;
  return result;
}

static void
test_sound (void)
{
  g_autoptr (GByteArray) packed = pack (Z_FINISH);
  gsize n;

  g_assert_cmpint (unpack (packed, packed->len, G_MAXUINT32, &n), ==,
      PDF_INFLATE_DONE);
  g_assert_cmpuint (n, ==, PLAIN_SIZE);
  /* Without the last byte of the check sum, or with a wrong one. */
  g_assert_cmpint (unpack (packed, packed->len - 1, G_MAXUINT32, &n), ==,
      PDF_INFLATE_DONE);
  packed->data[packed->len - 1] ^= 1;
  g_assert_cmpint (unpack (packed, packed->len, G_MAXUINT32, &n), ==,
      PDF_INFLATE_DONE);
  g_assert_cmpuint (n, ==, PLAIN_SIZE);
}

static void
test_unfinished (void)
{
  g_autoptr (GByteArray) packed = pack (Z_SYNC_FLUSH);
  gsize n;

  g_assert_cmpint (unpack (packed, packed->len, G_MAXUINT32, &n), ==,
      PDF_INFLATE_DONE);
  g_assert_cmpuint (n, ==, PLAIN_SIZE);
}

static void
test_broken (void)
{
  g_autoptr (GByteArray) packed = pack (Z_FINISH);
  gsize n;

  g_assert_cmpint (unpack (packed, packed->len / 2, G_MAXUINT32, &n), ==,
      PDF_INFLATE_BROKEN);
  packed->data[0] = 0;
  g_assert_cmpint (unpack (packed, packed->len, G_MAXUINT32, &n), ==,
      PDF_INFLATE_BROKEN);
}

static void
test_bounded (void)
{
  g_autoptr (GByteArray) packed = pack (Z_FINISH);
  gsize n;

  g_assert_cmpint (unpack (packed, packed->len, 100000, &n), ==,
      PDF_INFLATE_ENOUGH);
  g_assert_cmpuint (n, <, 100000 + 65536);
}

gint
main (gint argc, gchar ** argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pdf/content/shows", test_shows);
  g_test_add_func ("/pdf/content/noise", test_noise);
  g_test_add_func ("/pdf/inflate/sound", test_sound);
  g_test_add_func ("/pdf/inflate/unfinished", test_unfinished);
  g_test_add_func ("/pdf/inflate/broken", test_broken);
  g_test_add_func ("/pdf/inflate/bounded", test_bounded);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "pdfinflate.h"

#include <zlib.h>

#define BLOCK (64 * 1024)
/* Of the zlib format: method, flags. */
#define HEADER 2
/* In data_type: between two blocks. */
#define BETWEEN_BLOCKS 128

static gboolean
has_header (const guint8 * data, gsize size)
{
  return size > HEADER && (data[0] & 0x0f) == Z_DEFLATED
      && (data[0] * 256 + data[1]) % 31 == 0 && !(data[1] & 0x20);
}

static PdfInflate
inflate_blocks (z_stream * stream, gsize max, GByteArray * out)
{
  g_autofree guint8 *block = g_malloc (BLOCK);
  gboolean is_whole = FALSE;

  while (out->len < max) {
    gint result;

    stream->next_out = block;
    stream->avail_out = BLOCK;
    result = inflate (stream, Z_NO_FLUSH);
    g_byte_array_append (out, block, BLOCK - stream->avail_out);
    if (result == Z_STREAM_END)
      return PDF_INFLATE_DONE;
    /* Some writers never finish a stream; what they flushed is whole. */
    if (result == Z_BUF_ERROR && is_whole)
      return PDF_INFLATE_DONE;
    if (result != Z_OK)
      return PDF_INFLATE_BROKEN;
    is_whole = (stream->data_type & BETWEEN_BLOCKS) != 0;
  }
  return PDF_INFLATE_ENOUGH;
}

/* Without the check sum at the end: viewers do not look at it either, and data
 * that is merely followed by a wrong one is all there. */
PdfInflate
pdf_inflate (const guint8 * data, gsize size, gsize max, GByteArray * out)
{
  z_stream stream = { 0, };
  PdfInflate result;

  if (size == 0)
    return PDF_INFLATE_DONE;
  if (!has_header (data, size) || size > G_MAXUINT)
    return PDF_INFLATE_BROKEN;
  if (inflateInit2 (&stream, -MAX_WBITS) != Z_OK)
    return PDF_INFLATE_BROKEN;
  stream.next_in = (guint8 *) data + HEADER;
  stream.avail_in = size - HEADER;
  result = inflate_blocks (&stream, max, out);
  inflateEnd (&stream);
  return result;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "pdfscan.h"

#include <string.h>

/* Strings of one operator, an array of them included. */
typedef struct
{
  const guint8 *data;
  gsize size, at;
  PdfScan *scan;
  gboolean codes[256];          /* of the strings since the last operator */
  gchar name[128];              /* the last name since then, or "" */
} Reader;

void
pdf_scan_init (PdfScan * scan)
{
  memset (scan->codes, 0, sizeof (scan->codes));
  scan->objects = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

void
pdf_scan_clear (PdfScan * scan)
{
  g_clear_pointer (&scan->objects, g_hash_table_unref);
}

/* A font of two bytes a code has its space anywhere (0003 is common): one value
 * beside 0 and 32 proves nothing. */
gboolean
pdf_scan_shows_text (const PdfScan * scan)
{
  guint i, n = 0;

  for (i = 1; i < G_N_ELEMENTS (scan->codes); i++) {
    if (i != ' ' && scan->codes[i])
      n++;
  }
  return n >= 2;
}

/* ---- tokens ---- */

static gboolean
is_space (guint8 c)
{
  return c == 0 || c == '\t' || c == '\n' || c == '\f' || c == '\r' || c == ' ';
}

static gboolean
is_delimiter (guint8 c)
{
  return c != 0 && strchr ("()<>[]{}/%", c) != NULL;
}

static gboolean
is_regular (guint8 c)
{
  return !is_space (c) && !is_delimiter (c);
}

static guint8
octal (Reader * reader, guint8 first)
{
  guint value = first - '0';
  guint i;

  for (i = 0; i < 2 && reader->at < reader->size; i++) {
    guint8 c = reader->data[reader->at];

    if (c < '0' || c > '7')
      break;
    value = value * 8 + (c - '0');
    reader->at++;
  }
  return value & 0xff;
}

static void
read_escape (Reader * reader)
{
  static const gchar letters[] = "nrtbf";
  static const gchar values[] = "\n\r\t\b\f";
  guint8 c = reader->data[reader->at++];
  const gchar *letter = c ? strchr (letters, c) : NULL;

  if (c == '\n' || c == '\r')
    return;
  if (letter)
    c = values[letter - letters];
  else if (c >= '0' && c <= '7')
    c = octal (reader, c);
  reader->codes[c] = TRUE;
}

/* Behind the opening parenthesis. */
static void
read_literal (Reader * reader)
{
  guint depth = 1;

  while (reader->at < reader->size) {
    guint8 c = reader->data[reader->at++];

    if (c == '\\' && reader->at < reader->size) {
      read_escape (reader);
      continue;
    }
    if (c == '(')
      depth++;
    if (c == ')' && --depth == 0)
      return;
    reader->codes[c] = TRUE;
  }
}

/* Behind the opening bracket. */
static void
read_hexadecimal (Reader * reader)
{
  gint half = -1;

  while (reader->at < reader->size) {
    guint8 c = reader->data[reader->at++];
    gint digit = g_ascii_xdigit_value (c);

    if (c == '>')
      break;
    if (digit < 0)
      continue;
    if (half < 0) {
      half = digit;
      continue;
    }
    reader->codes[half * 16 + digit] = TRUE;
    half = -1;
  }
  if (half >= 0)
    reader->codes[half * 16] = TRUE;
}

static gsize
copy_regular (Reader * reader, gchar * word, gsize size)
{
  gsize n = 0;

  while (reader->at < reader->size && is_regular (reader->data[reader->at])) {
    if (n + 1 < size)
      word[n++] = reader->data[reader->at];
    reader->at++;
  }
  word[n] = '\0';
  return n;
}

/* qpdf spells names without escapes. */
static void
unescape_name (gchar * name)
{
  gchar *from, *to;

  for (from = to = name; *from; from++, to++) {
    if (from[0] == '#' && g_ascii_isxdigit (from[1])
        && g_ascii_isxdigit (from[2])) {
      *to = g_ascii_xdigit_value (from[1]) * 16
          + g_ascii_xdigit_value (from[2]);
      from += 2;
    } else {
      *to = *from;
    }
  }
  *to = '\0';
}

/* An inline image ends at an EI of its own; a false one inside the data ends
 * this scan of it early, and what follows is read as noise. */
static void
skip_inline_image (Reader * reader)
{
  while (reader->at + 3 < reader->size) {
    const guint8 *c = reader->data + reader->at;

    reader->at++;
    if (is_space (c[0]) && c[1] == 'E' && c[2] == 'I' && !is_regular (c[3])) {
      reader->at += 2;
      return;
    }
  }
  reader->at = reader->size;
}

/* ---- operators ---- */

static void
end_operator (Reader * reader, const gchar * word)
{
  static const gchar *const shows[] = { "Tj", "TJ", "'", "\"", NULL };
  guint i;

  if (g_strv_contains (shows, word)) {
    for (i = 0; i < G_N_ELEMENTS (reader->codes); i++)
      reader->scan->codes[i] |= reader->codes[i];
  } else if (strcmp (word, "Do") == 0 && *reader->name) {
    g_hash_table_add (reader->scan->objects,
        g_strconcat ("/", reader->name, NULL));
  } else if (strcmp (word, "ID") == 0) {
    skip_inline_image (reader);
  }
  memset (reader->codes, 0, sizeof (reader->codes));
  reader->name[0] = '\0';
}

static void
read_word (Reader * reader)
{
  gchar word[32];

  copy_regular (reader, word, sizeof (word));
  /* Numbers are operands; true, false and null too, but of no operator that
   * matters here. */
  if (!g_ascii_isdigit (word[0]) && !strchr ("+-.", word[0]))
    end_operator (reader, word);
}

static void
read_token (Reader * reader)
{
  guint8 c = reader->data[reader->at];

  if (is_regular (c)) {
    read_word (reader);
    return;
  }
  reader->at++;
  switch (c) {
    case '(':
      read_literal (reader);
      break;
    case '<':
      if (reader->at < reader->size && reader->data[reader->at] == '<')
        reader->at++;
      else
        read_hexadecimal (reader);
      break;
    case '/':
      copy_regular (reader, reader->name, sizeof (reader->name));
      unescape_name (reader->name);
      break;
    case '%':
      while (reader->at < reader->size && reader->data[reader->at] != '\n'
          && reader->data[reader->at] != '\r')
        reader->at++;
      break;
    default:
      break;
  }
}

void
pdf_scan_content (PdfScan * scan, const guint8 * data, gsize size)
{
  Reader reader = { data, size, 0, scan, };

  while (reader.at < reader.size)
    read_token (&reader);
}

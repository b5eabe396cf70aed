/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "framehash.h"

#include <math.h>

#define CELLS 32                /* a side */
#define LOW 8                   /* frequencies a side */
#define CELL_SCALE 16
#define COSINE_SCALE 4096

typedef gint64 Cosines[LOW][CELLS];

static void
fill_cosines (Cosines cosines)
{
  gint u, x;

  for (u = 0; u < LOW; u++)
    for (x = 0; x < CELLS; x++)
      cosines[u][x] = lrint (COSINE_SCALE
          * cos ((2 * x + 1) * u * G_PI / (2 * CELLS)));
}

/* The pixels of a cell along one side: one at least, so that small pictures have
 * as many cells. */
static void
get_span (gint cell, gint side, gint * begin, gint * end)
{
  *begin = (gint64) cell *side / CELLS;
  *end = MAX (*begin + 1, (gint64) (cell + 1) * side / CELLS);
}

static gint64
average_cell (const guint8 * luma, gint width, gint height, gint row,
    gint column)
{
  gint left, right, top, bottom, x, y;
  gint64 sum = 0, n;

  get_span (column, width, &left, &right);
  get_span (row, height, &top, &bottom);
  for (y = top; y < bottom; y++)
    for (x = left; x < right; x++)
      sum += luma[(gsize) y * width + x];
  n = (gint64) (right - left) * (bottom - top);
  return (CELL_SCALE * sum + n / 2) / n;
}

/* Rows first: [frequency along a row][row]. */
static void
transform_rows (const guint8 * luma, gint width, gint height, Cosines cosines,
    gint64 half[LOW][CELLS])
{
  gint u, x, y;

  for (y = 0; y < CELLS; y++) {
    gint64 cells[CELLS];

    for (x = 0; x < CELLS; x++)
      cells[x] = average_cell (luma, width, height, y, x);
    for (u = 0; u < LOW; u++) {
      half[u][y] = 0;
      for (x = 0; x < CELLS; x++)
        half[u][y] += cells[x] * cosines[u][x];
    }
  }
}

static gint
compare (gconstpointer a, gconstpointer b, gpointer user_data)
{
  gint64 first = *(const gint64 *) a, second = *(const gint64 *) b;

  return (first > second) - (first < second);
}

guint64
frame_hash (const guint8 * luma, gint width, gint height)
{
  gint64 half[LOW][CELLS], coefficients[LOW * LOW], sorted[LOW * LOW];
  gint64 middle;
  Cosines cosines;
  guint64 hash = 0;
  gint i, y;

  fill_cosines (cosines);
  transform_rows (luma, width, height, cosines, half);
  for (i = 0; i < LOW * LOW; i++) {
    coefficients[i] = 0;
    for (y = 0; y < CELLS; y++)
      coefficients[i] += half[i % LOW][y] * cosines[i / LOW][y];
    sorted[i] = coefficients[i];
  }
  g_qsort_with_data (sorted, LOW * LOW, sizeof sorted[0], compare, NULL);
  /* twice the median, which lies between the two in the middle */
  middle = sorted[LOW * LOW / 2 - 1] + sorted[LOW * LOW / 2];
  for (i = 0; i < LOW * LOW; i++)
    hash = hash << 1 | (2 * coefficients[i] > middle);
  return hash;
}

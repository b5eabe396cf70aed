/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "framejson.h"

/* ---- numbers ---- */

static void
append_number (GString * json, const gchar * name, gdouble value)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (text, sizeof text, "%.4f", value);
  g_string_append_printf (json, "\"%s\":%s,", name, text);
}

static void
append_optional_number (GString * json, const gchar * name, gboolean is_there,
    gdouble value)
{
  if (is_there)
    append_number (json, name, value);
  else
    g_string_append_printf (json, "\"%s\":null,", name);
}

static const gchar *
name_boolean (gboolean value)
{
  return value ? "true" : "false";
}

static void
append_border (GString * json, const FrameBorder * border)
{
  g_string_append_printf (json,
      "\"border\":{\"left\":%u,\"top\":%u,\"right\":%u,\"bottom\":%u},",
      border->left, border->top, border->right, border->bottom);
}

/* ---- a frame ---- */

void
frame_json_append (GString * json, const FrameMeasure * measure,
    const gint64 * time)
{
  g_string_append_c (json, '{');
  if (time)
    g_string_append_printf (json, "\"time\":%" G_GINT64_FORMAT ",", *time);
  g_string_append_printf (json, "\"width\":%d,\"height\":%d,",
      measure->width, measure->height);
  append_number (json, "luma", measure->luma);
  append_number (json, "contrast", measure->contrast);
  append_number (json, "sharpness", measure->sharpness);
  append_number (json, "colourfulness", measure->colourfulness);
  append_number (json, "dark", measure->dark);
  g_string_append_printf (json, "\"black\":%s,",
      name_boolean (measure->is_black));
  append_border (json, &measure->border);
  append_optional_number (json, "motion", measure->has_motion,
      measure->motion);
  g_string_append_printf (json, "\"frozen\":%s,\"hash\":\"%016"
      G_GINT64_MODIFIER "x\"}", measure->has_motion
      ? name_boolean (measure->is_frozen) : "null", measure->hash);
}

/* ---- a clip ---- */

static void
add_border (FrameTotals * totals, const FrameBorder * border)
{
  FrameBorder *all = &totals->border;

  if (totals->n_bordered++ == 0) {
    *all = *border;
    return;
  }
  all->left = MIN (all->left, border->left);
  all->top = MIN (all->top, border->top);
  all->right = MIN (all->right, border->right);
  all->bottom = MIN (all->bottom, border->bottom);
}

void
frame_totals_add (FrameTotals * totals, const FrameMeasure * measure)
{
  totals->n_frames++;
  totals->n_black += measure->is_black;
  totals->luma += measure->luma;
  totals->contrast += measure->contrast;
  totals->sharpness += measure->sharpness;
  totals->colourfulness += measure->colourfulness;
  if (!measure->is_black)
    add_border (totals, &measure->border);
  if (!measure->has_motion)
    return;
  totals->n_moves++;
  totals->n_frozen += measure->is_frozen;
  totals->motion += measure->motion;
}

void
frame_json_append_totals (GString * json, const FrameTotals * totals)
{
  gboolean any = totals->n_frames > 0, moves = totals->n_moves > 0;
  gdouble n = MAX (1, totals->n_frames), n_moves = MAX (1, totals->n_moves);

  append_optional_number (json, "luma", any, totals->luma / n);
  append_optional_number (json, "contrast", any, totals->contrast / n);
  append_optional_number (json, "sharpness", any, totals->sharpness / n);
  append_optional_number (json, "colourfulness", any,
      totals->colourfulness / n);
  append_optional_number (json, "motion", moves, totals->motion / n_moves);
  append_optional_number (json, "black", any, totals->n_black / n);
  append_optional_number (json, "frozen", moves, totals->n_frozen / n_moves);
  append_border (json, &totals->border);
  g_string_truncate (json, json->len - 1);
}

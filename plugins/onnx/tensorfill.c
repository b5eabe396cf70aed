/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "tensorfill.h"

#include "tensorplace.h"
#include "tensorpixel.h"

#include <string.h>

/* Without clones the code is as on any processor.  None of them may fuse multiplication
 * and addition: numbers would depend on the machine. */
#ifdef HAVE_TARGET_CLONES
#define VECTORIZE __attribute__ ((target_clones ("avx2", "default")))
#else
#define VECTORIZE
#endif

/* A row of the target: red, green, blue, each `width` values from 0 to 255. */
typedef struct
{
  gint y;                       /* of the image; -1: holds none */
  gfloat *rgb[3];
} Row;

struct _TensorFiller
{
  TensorFormat format;
  gfloat factor[TENSOR_MAX_CHANNELS], offset[TENSOR_MAX_CHANNELS];

  /* of one row */
  TensorTap *taps;
  gfloat *share;
  gfloat *first[3], *second[3]; /* before they are mixed */
  gfloat *mixed[3];
  gfloat *numbers;
  Row rows[2];
  gfloat *storage;
};

/* ---- making one ---- */

static void
prepare_numbers (TensorFiller * filler)
{
  const TensorFormat *format = &filler->format;
  guint i;

  for (i = 0; i < TENSOR_MAX_CHANNELS; i++) {
    filler->factor[i] = format->scale / format->std[i];
    filler->offset[i] = -format->mean[i] / format->std[i];
  }
}

TensorFiller *
tensor_filler_new (const TensorFormat * format)
{
  TensorFiller *filler = g_new0 (TensorFiller, 1);
  gsize width = format->width;
  gfloat *next;
  guint i;

  filler->format = *format;
  prepare_numbers (filler);
  filler->taps = g_new (TensorTap, width);
  next = filler->storage = g_new0 (gfloat, 17 * width);
  for (i = 0; i < 3; i++) {
    gfloat **parts[] = { &filler->first[i], &filler->second[i],
      &filler->mixed[i], &filler->rows[0].rgb[i], &filler->rows[1].rgb[i]
    };
    guint p;

    for (p = 0; p < G_N_ELEMENTS (parts); p++, next += width)
      *parts[p] = next;
  }
  filler->share = next;
  filler->numbers = next + width;
  return filler;
}

void
tensor_filler_free (TensorFiller * filler)
{
  g_free (filler->storage);
  g_free (filler->taps);
  g_free (filler);
}

/* ---- a row of the image ---- */

VECTORIZE static void
convert_yuv (const TensorColour * colour, gfloat * const yuv[3], gint n)
{
  gfloat *first = yuv[0], *second = yuv[1], *third = yuv[2];
  gint i;

  for (i = 0; i < n; i++) {
    gfloat y = first[i], u = second[i], v = third[i];

    first[i] = tensor_red (colour, y, v);
    second[i] = tensor_green (colour, y, u, v);
    third[i] = tensor_blue (colour, y, u);
  }
}

VECTORIZE static void
mix (const gfloat * first, const gfloat * second, const gfloat * share,
    gfloat * mixed, gint n)
{
  gint i;

  for (i = 0; i < n; i++)
    mixed[i] = tensor_mix (first[i], second[i], share[i]);
}

VECTORIZE static void
mix_rows (const gfloat * first, const gfloat * second, gfloat share,
    gfloat * mixed, gint n)
{
  gint i;

  for (i = 0; i < n; i++)
    mixed[i] = tensor_mix (first[i], second[i], share);
}

static void
read_component (TensorFiller * filler, const FrameImage * image, guint component,
    gint y, gint n)
{
  const GstVideoFrame *frame = &image->frame;
  const GstVideoFormatInfo *info = frame->info.finfo;
  gint shift = GST_VIDEO_FORMAT_INFO_W_SUB (info, component);
  gint step = GST_VIDEO_FRAME_COMP_PSTRIDE (frame, component);
  const guint8 *row =
      (const guint8 *) GST_VIDEO_FRAME_COMP_DATA (frame, component)
      + (gssize) (y >> GST_VIDEO_FORMAT_INFO_H_SUB (info, component))
      * GST_VIDEO_FRAME_COMP_STRIDE (frame, component);
  gfloat *first = filler->first[component];
  gfloat *second = filler->second[component];
  const TensorTap *taps = filler->taps;
  gint i;

  for (i = 0; i < n; i++) {
    first[i] = row[(gssize) (taps[i].first >> shift) * step];
    second[i] = row[(gssize) (taps[i].second >> shift) * step];
  }
}

static TensorColour
get_colour (const FrameImage * image)
{
  TensorColour colour = { image->luma_zero, image->luma_factor, };

  if (!frame_image_is_grey (image)) {
    colour.chroma_zero = image->chroma_zero;
    colour.red_v = image->red_v;
    colour.green_u = image->green_u;
    colour.green_v = image->green_v;
    colour.blue_u = image->blue_u;
  }
  return colour;
}

static void
convert (TensorFiller * filler, const FrameImage * image, gint n)
{
  TensorColour colour = get_colour (image);

  if (!GST_VIDEO_INFO_IS_RGB (&image->frame.info)) {
    /* Of grey only the first comes out right, and counts. */
    convert_yuv (&colour, filler->first, n);
    convert_yuv (&colour, filler->second, n);
  }
}

/* The row `y` of the image, as wide as in the target. */
static void
read_row (TensorFiller * filler, const FrameImage * image, Row * row, gint y,
    gint n)
{
  guint n_components = frame_image_is_grey (image) ? 1 : 3, c;

  if (row->y == y)
    return;
  for (c = 0; c < n_components; c++)
    read_component (filler, image, c, y, n);
  convert (filler, image, n);
  for (c = 0; c < n_components; c++)
    mix (filler->first[c], filler->second[c], filler->share, row->rgb[c], n);
  for (; c < 3; c++)
    memcpy (row->rgb[c], row->rgb[0], n * sizeof (gfloat));
  row->y = y;
}

/* ---- a row of the tensor ---- */

VECTORIZE static void
normalize (const gfloat * values, gfloat * numbers, gfloat factor, gfloat offset,
    gint n)
{
  gint i;

  for (i = 0; i < n; i++)
    numbers[i] = tensor_normalize (values[i], factor, offset);
}

VECTORIZE static void
mix_grey (gfloat * const rgb[3], gfloat * grey, gint n)
{
  gint i;

  for (i = 0; i < n; i++)
    grey[i] = tensor_grey (rgb[0][i], rgb[1][i], rgb[2][i]);
}

static void
store (const TensorFormat * format, const gfloat * numbers, gpointer tensor,
    gsize index, gsize step, gint n)
{
  gint i;

  switch (format->type) {
    case TENSOR_TYPE_FLOAT32:
      for (i = 0; i < n; i++)
        ((gfloat *) tensor)[index + i * step] = numbers[i];
      break;
    case TENSOR_TYPE_FLOAT16:
      for (i = 0; i < n; i++)
        ((guint16 *) tensor)[index + i * step] = tensor_to_half (numbers[i]);
      break;
    case TENSOR_TYPE_UINT8:
      for (i = 0; i < n; i++)
        ((guint8 *) tensor)[index + i * step] = tensor_to_uint8 (numbers[i]);
      break;
  }
}

/* `n` values of each colour, from (x, y) on. */
static void
store_row (TensorFiller * filler, gfloat * const rgb[3], gpointer tensor, gint x,
    gint y, gint n)
{
  const TensorFormat *format = &filler->format;
  guint n_channels = tensor_format_get_n_channels (format), c;
  gsize plane = (gsize) format->width * format->height;
  gsize pixel = (gsize) y * format->width + x;

  for (c = 0; c < n_channels; c++) {
    const gfloat *values =
        rgb[format->channels == TENSOR_CHANNELS_BGR ? 2 - c : c];

    normalize (values, filler->numbers, filler->factor[c], filler->offset[c],
        n);
    if (format->is_nhwc)
      store (format, filler->numbers, tensor, pixel * n_channels + c,
          n_channels, n);
    else
      store (format, filler->numbers, tensor, c * plane + pixel, 1, n);
  }
}

/* ---- an image ---- */

static void
fill_border (TensorFiller * filler, const TensorPlace * place, gpointer tensor)
{
  const TensorFormat *format = &filler->format;
  gint right = place->x + place->width, y, i;

  for (i = 0; i < format->width; i++)
    filler->mixed[0][i] = filler->mixed[1][i] = filler->mixed[2][i] =
        format->border;
  for (y = 0; y < format->height; y++) {
    if (y < place->y || y >= place->y + place->height) {
      store_row (filler, filler->mixed, tensor, 0, y, format->width);
      continue;
    }
    store_row (filler, filler->mixed, tensor, 0, y, place->x);
    store_row (filler, filler->mixed, tensor, right, y, format->width - right);
  }
}

static void
prepare_taps (TensorFiller * filler, const TensorPlace * place,
    const FrameImage * image)
{
  gint i;

  for (i = 0; i < place->width; i++) {
    filler->taps[i] = tensor_tap (i, place->begin_x, place->step_x,
        image->width);
    filler->share[i] = filler->taps[i].share;
  }
  filler->rows[0].y = filler->rows[1].y = -1;
}

/* What was the second of two rows is often the first of the next two. */
static void
swap_rows (TensorFiller * filler)
{
  Row row = filler->rows[0];

  filler->rows[0] = filler->rows[1];
  filler->rows[1] = row;
}

static void
fill_row (TensorFiller * filler, const FrameImage * image,
    const TensorPlace * place, gint y, gpointer tensor)
{
  TensorTap tap = tensor_tap (y, place->begin_y, place->step_y, image->height);
  gint n = place->width;
  guint c;

  if (filler->rows[1].y == tap.first)
    swap_rows (filler);
  read_row (filler, image, &filler->rows[0], tap.first, n);
  read_row (filler, image, &filler->rows[1], tap.second, n);
  for (c = 0; c < 3; c++)
    mix_rows (filler->rows[0].rgb[c], filler->rows[1].rgb[c], tap.share,
        filler->mixed[c], n);
  if (filler->format.channels == TENSOR_CHANNELS_GREY)
    mix_grey (filler->mixed, filler->mixed[0], n);
  store_row (filler, filler->mixed, tensor, place->x, place->y + y, n);
}

void
tensor_filler_fill (TensorFiller * filler, const FrameImage * image,
    gpointer tensor)
{
  TensorPlace place;
  gint y;

  tensor_place_find (&place, &filler->format, &image->frame.info);
  fill_border (filler, &place, tensor);
  prepare_taps (filler, &place, image);
  for (y = 0; y < place.height; y++)
    fill_row (filler, image, &place, y, tensor);
}

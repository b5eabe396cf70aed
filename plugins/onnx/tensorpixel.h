/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

/* The arithmetic from pixels to a tensor: the one definition of it, in C that a compiler
 * for CUDA takes as well, so nothing but plain types and no includes of GLib. */

#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define TENSOR_PIXEL static inline __host__ __device__
#else
#define TENSOR_PIXEL static inline
#endif

/* ---- where a value comes from ---- */

/* Along one side: the pixels of the image on both sides of the middle of one of the
 * target's, and the share of the second. */
typedef struct
{
  int32_t first;
  int32_t second;
  float share;
} TensorTap;

/* The middle of the target's pixel 0 is at `begin` in the image, whose pixels have their
 * middles at 0.5, 1.5...; the next is `step` further.  What is beyond the edge is as the
 * pixel at the edge. */
TENSOR_PIXEL TensorTap
tensor_tap (int32_t index, double begin, double step, int32_t length)
{
  double place = begin + index * step - 0.5;
  TensorTap tap = { 0, 0, 0 };

  if (place <= 0)
    return tap;
  if (place >= length - 1) {
    tap.first = tap.second = length - 1;
    return tap;
  }
  tap.first = (int32_t) place;
  tap.second = tap.first + 1;
  tap.share = (float) (place - tap.first);
  return tap;
}

TENSOR_PIXEL float
tensor_mix (float first, float second, float share)
{
  return first + (second - first) * share;
}

/* ---- colour ---- */

typedef struct
{
  float luma_zero, luma_factor;
  float chroma_zero;
  float red_v, green_u, green_v, blue_u;
} TensorColour;

TENSOR_PIXEL float
tensor_clamp (float value)
{
  value = value < 0 ? 0 : value;
  return value > 255 ? 255 : value;
}

TENSOR_PIXEL float
tensor_luma (const TensorColour * colour, float y)
{
  return (y - colour->luma_zero) * colour->luma_factor;
}

TENSOR_PIXEL float
tensor_red (const TensorColour * colour, float y, float v)
{
  return tensor_clamp (tensor_luma (colour, y)
      + colour->red_v * (v - colour->chroma_zero));
}

TENSOR_PIXEL float
tensor_green (const TensorColour * colour, float y, float u, float v)
{
  return tensor_clamp (tensor_luma (colour, y)
      + colour->green_u * (u - colour->chroma_zero)
      + colour->green_v * (v - colour->chroma_zero));
}

TENSOR_PIXEL float
tensor_blue (const TensorColour * colour, float y, float u)
{
  return tensor_clamp (tensor_luma (colour, y)
      + colour->blue_u * (u - colour->chroma_zero));
}

TENSOR_PIXEL float
tensor_grey (float red, float green, float blue)
{
  return 0.299f * red + 0.587f * green + 0.114f * blue;
}

/* ---- numbers of the tensor ---- */

TENSOR_PIXEL float
tensor_normalize (float value, float factor, float offset)
{
  return value * factor + offset;
}

TENSOR_PIXEL uint8_t
tensor_to_uint8 (float value)
{
  return (uint8_t) (tensor_clamp (value) + 0.5f);
}

/* IEEE 754 half precision, to the nearest, of two as near to the even one. */
TENSOR_PIXEL uint16_t
tensor_to_half (float value)
{
  const uint32_t infinity = 0x7f800000, too_large = 0x477ff000, normal = 0x38800000;
  uint32_t bits, sign;
  float shifted;

  memcpy (&bits, &value, sizeof bits);
  sign = bits >> 16 & 0x8000;
  bits &= 0x7fffffff;
  if (bits > infinity)
    return (uint16_t) (sign | 0x7e00);
  if (bits >= too_large)
    return (uint16_t) (sign | 0x7c00);
  if (bits >= normal) {
    bits += 0xfff + (bits >> 13 & 1);
    return (uint16_t) (sign | (bits - 0x38000000) >> 13);
  }
  /* Of a small one the addition shifts and rounds: 0.5 has its last bit where halves
   * have theirs. */
  memcpy (&shifted, &bits, sizeof shifted);
  shifted += 0.5f;
  memcpy (&bits, &shifted, sizeof bits);
  return (uint16_t) (sign | (bits - 0x3f000000));
}

TENSOR_PIXEL float
tensor_from_half (uint16_t half)
{
  uint32_t sign = (uint32_t) (half & 0x8000) << 16, rest = half & 0x7fff, bits;
  float value;

  if (rest >= 0x7c00) {
    bits = sign | 0x7f800000 | (rest & 0x3ff) << 13;
  } else if (rest >= 0x400) {
    bits = sign | ((rest << 13) + 0x38000000);
  } else {
    value = rest / 16777216.0f;
    memcpy (&bits, &value, sizeof bits);
    bits |= sign;
  }
  memcpy (&value, &bits, sizeof value);
  return value;
}

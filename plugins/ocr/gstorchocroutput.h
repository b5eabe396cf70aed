/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/gst.h>
#include <tesseract/capi.h>

G_BEGIN_DECLS

typedef enum
{
  GST_ORCH_OCR_OUTPUT_TEXT,
  GST_ORCH_OCR_OUTPUT_JSON,
  GST_ORCH_OCR_OUTPUT_HOCR,
} GstOrchOcrOutput;

#define GST_TYPE_ORCH_OCR_OUTPUT (gst_orch_ocr_output_get_type ())
GType gst_orch_ocr_output_get_type (void);

/* The image whose recognition `api` holds. */
typedef struct
{
  gint width;
  gint height;
  gint dpi;                     /* 0: unknown */
  gint page;                    /* 1-based */
} GstOrchOcrImage;

/* (transfer full) */
GstCaps *gst_orch_ocr_output_get_caps (GstOrchOcrOutput output);
/* (transfer full): UTF-8, "" where nothing was found. */
gchar *gst_orch_ocr_output_make (GstOrchOcrOutput output, TessBaseAPI * api,
    const GstOrchOcrImage * image);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/video/video.h>
#include <tesseract/capi.h>

G_BEGIN_DECLS

/* One Tesseract engine: the model and all the state of one replica.  Used by
 * one thread at a time. */
typedef struct _GstOrchOcrEngine GstOrchOcrEngine;

/* What an engine is made for; the enums have Tesseract's own values. */
typedef struct
{
  gchar *language;
  gchar *datapath;              /* (nullable) */
  TessPageSegMode psm;
  TessOcrEngineMode oem;
} GstOrchOcrConfig;

/* Polled between words, from within gst_orch_ocr_engine_recognize(). */
typedef gboolean (*GstOrchOcrStopFunc) (gpointer user_data);

typedef enum
{
  GST_ORCH_OCR_DONE,
  GST_ORCH_OCR_STOPPED,
  GST_ORCH_OCR_FAILED,
} GstOrchOcrResult;

/* Loads the model.  NULL with `error` set names what is missing and, where
 * one exists, the package that brings it. */
GstOrchOcrEngine *gst_orch_ocr_engine_new (const GstOrchOcrConfig * config,
    GError ** error);
void gst_orch_ocr_engine_free (GstOrchOcrEngine * engine);

/* Recognizes one image of GRAY8, RGB or BGRx.  `dpi` is its resolution, 0 if
 * unknown.  The result is what `tesseract` prints for a PNG of the same pixels
 * and resolution, whatever the engine has read before. */
GstOrchOcrResult gst_orch_ocr_engine_recognize (GstOrchOcrEngine * engine,
    GstVideoFrame * frame, gint dpi, GstOrchOcrStopFunc stop,
    gpointer user_data);

/* Of the last image: for gst_orch_ocr_output_*(). */
TessBaseAPI *gst_orch_ocr_engine_get_api (GstOrchOcrEngine * engine);

G_END_DECLS

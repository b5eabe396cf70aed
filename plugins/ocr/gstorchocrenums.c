/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchocrenums.h"

#include <tesseract/capi.h>

/* Modes 0 and 2 read no text, so they are no modes of this Function. */
GType
gst_orch_ocr_psm_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {PSM_AUTO_OSD, "Automatic, with orientation and script", "auto-osd"},
    {PSM_AUTO, "Automatic", "auto"},
    {PSM_SINGLE_COLUMN, "One column of text of various sizes",
        "single-column"},
    {PSM_SINGLE_BLOCK_VERT_TEXT, "One block of vertical text",
        "single-block-vertical"},
    {PSM_SINGLE_BLOCK, "One block of text", "single-block"},
    {PSM_SINGLE_LINE, "One line", "single-line"},
    {PSM_SINGLE_WORD, "One word", "single-word"},
    {PSM_CIRCLE_WORD, "One word in a circle", "circle-word"},
    {PSM_SINGLE_CHAR, "One character", "single-char"},
    {PSM_SPARSE_TEXT, "As much text as can be found, in no order",
        "sparse-text"},
    {PSM_SPARSE_TEXT_OSD, "Sparse text, with orientation and script",
        "sparse-text-osd"},
    {PSM_RAW_LINE, "One line, without layout analysis", "raw-line"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchOcrPsm", values));
  return type;
}

GType
gst_orch_ocr_oem_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {OEM_TESSERACT_ONLY, "Legacy engine", "legacy"},
    {OEM_LSTM_ONLY, "LSTM engine", "lstm"},
    {OEM_TESSERACT_LSTM_COMBINED, "Both engines", "legacy-lstm"},
    {OEM_DEFAULT, "What the data is made for", "default"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchOcrOem", values));
  return type;
}

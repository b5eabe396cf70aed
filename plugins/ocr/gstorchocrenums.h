/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* Numbers are those of tesseract's --psm and --oem: `psm=6` and
 * `psm=single-block` are the same. */
#define GST_TYPE_ORCH_OCR_PSM (gst_orch_ocr_psm_get_type ())
GType gst_orch_ocr_psm_get_type (void);

#define GST_TYPE_ORCH_OCR_OEM (gst_orch_ocr_oem_get_type ())
GType gst_orch_ocr_oem_get_type (void);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchoutput.h"

/* What a document named `uri` came to: `buffer` (transfer full), or a failure where
 * there is none. */
void test_result_init (GstOrchResult * result, guint64 ordinal,
    const gchar * uri, GstBuffer * buffer, const gchar * caps);
/* Gives it a record, and clears it. */
void test_result_write (GstOrchResult * result, GstOrchOutput * output);

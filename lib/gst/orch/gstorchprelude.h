/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/gst.h>

#ifdef BUILDING_GST_ORCH
#define GST_ORCH_API __attribute__ ((visibility ("default"))) extern
#else
#define GST_ORCH_API extern
#endif

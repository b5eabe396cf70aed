/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib.h>

/* The core is linked into libgstorch-1.0, which exports it to the elements. */
#define ORCH_API __attribute__ ((visibility ("default")))

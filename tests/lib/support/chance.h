/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* (transfer full): prints its seed; ORCH_TEST_SEED gives the same again. */
GRand *chance_new (void);

G_END_DECLS

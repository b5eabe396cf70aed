/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/orch.h>

G_BEGIN_DECLS

/* `test-hostile`: crashes, hangs and reaches out by rule. */
GType test_hostile_function_get_type (void);

/* `test-list`: makes a list of `n` children for each input. */
GType test_list_function_get_type (void);

/* `test-outputs`: gives three outputs, as its input says. */
GType test_outputs_function_get_type (void);

/* `test-work`: sleeps, drops and fails by rule, and keeps a log of its
 * batches. */
GType test_work_function_get_type (void);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "random-run.h"

G_BEGIN_DECLS

/* Makes a program and a schedule that go wrong as small as it can; they still go
 * wrong. */
void shrink (Program * program, Schedule * schedule);
/* (transfer full) (nullable): what goes wrong with them */
gchar *try_program (const Program * program, const Schedule * schedule);

G_END_DECLS

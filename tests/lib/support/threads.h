/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether a thread of this process has a name that begins so.  One that is gone has
 * freed what it held. */
gboolean threads_have (const gchar * prefix);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* When to give up on something that should happen at once, in monotonic
 * microseconds: below the time-out of Check, so that a hang says where. */
gint64 patience_deadline (void);

/* Waits until EXPRESSION is true. */
#define patience_until(EXPRESSION) \
  G_STMT_START { \
    gint64 patience_end = patience_deadline (); \
    while (!(EXPRESSION)) { \
      if (g_get_monotonic_time () > patience_end) \
        g_error ("%s:%d: never came true: %s", __FILE__, __LINE__, \
            #EXPRESSION); \
      g_usleep (200); \
    } \
  } G_STMT_END

G_END_DECLS

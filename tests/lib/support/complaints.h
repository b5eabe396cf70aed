/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* From now on a warning or critical message of our own code ends the test, in
 * whatever thread: gst-check watches GStreamer's and GLib's only. */
void complaints_init (void);

void complaints_expect (void);
/* How many came, and no more are expected. */
guint complaints_take (void);

#define assert_complaint(CODE) \
  G_STMT_START { \
    complaints_expect (); \
    CODE; \
    g_assert_cmpuint (complaints_take (), >, 0); \
  } G_STMT_END

G_END_DECLS

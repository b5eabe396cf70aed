/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Instrumented programs keep freed memory and are slow. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SOAK_IS_INSTRUMENTED 1
#else
#define SOAK_IS_INSTRUMENTED 0
#endif

/* A long run, and how much memory the process holds in its course.  Parents are
 * counted as they arrive at the sink pad of the element "out".  In the first
 * hundredth that pad holds up everything for a moment: what is above it and has a
 * bound has been full then, and what has none shows. */
typedef struct
{
  GstElement *pipeline;
  guint64 n_expected;
  guint64 n_arrived;
  gsize resident_before;        /* bytes */
  GArray *resident;             /* gsize, bytes: after each SOAK_SAMPLES-th of the run */
} Soak;

#define SOAK_SAMPLES 500

/* g_test_init() and gst_init(), and the option --leak. */
void soak_init (int *argc, char ***argv);
/* Ends the program as skipped when there is no such element. */
void soak_skip_without (const gchar * element);

/* `description` is in printf() style, for gst_parse_launch() */
Soak *soak_new (guint64 n_expected, const gchar * description, ...)
    G_GNUC_PRINTF (2, 3);
void soak_free (Soak * self);

/* `func` is called for each buffer that passes the pad `name` of an element, alone
 * or in a list. */
typedef void (*SoakFunc) (GstBuffer * buffer, gpointer user_data);
void soak_watch (Soak * self, const gchar * element, const gchar * name,
    SoakFunc func, gpointer user_data);

/* To EOS: all parents arrived and every account is closed (semantics S7).  An
 * error, or no parent for a minute, ends the test. */
void soak_run (Soak * self);

/* The first hundredth of the run takes at most `first` bytes, and the rest never
 * more than `rest` bytes beyond that.  Prints the figures.  Always TRUE when
 * instrumented. */
gboolean soak_is_flat (Soak * self, gsize first, gsize rest);

G_END_DECLS

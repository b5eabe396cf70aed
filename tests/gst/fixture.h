/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* FALSE, and the test is skipped, when one of the elements that `description` names is
 * not installed. */
gboolean fixture_needs (const gchar * description);

/* (transfer full): GstSample, all that this makes: "videotestsrc ! jpegenc" */
GPtrArray *fixture_make (const gchar * description);
/* (transfer full): what "appsrc ! `description`" makes of these, as one stream */
GPtrArray *fixture_convert (const gchar * description, GPtrArray * samples);
/* (transfer full): such bytes, of the same kind as `sample` */
GstSample *fixture_replace (GstSample * sample, gconstpointer data, gsize size);
/* (transfer full): the buffers one after the other in one */
GstSample *fixture_join (GPtrArray * samples);

/* (transfer full): a checksum of what it holds */
gchar *fixture_sum (GstBuffer * buffer);
#define fixture_assert_same(A, B) \
  G_STMT_START { \
    g_autofree gchar *fixture_a = fixture_sum (A); \
    g_autofree gchar *fixture_b = fixture_sum (B); \
    g_assert_cmpstr (fixture_a, ==, fixture_b); \
  } G_STMT_END

G_END_DECLS

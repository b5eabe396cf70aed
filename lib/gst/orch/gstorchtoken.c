/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchtoken-private.h"

void
gst_orch_token_unref (GstOrchToken * token)
{
  if (g_atomic_ref_count_dec (&token->refs))
    g_free (token);
}

/* May be called with any lock held, from wherever the buffer dies. */
static void
token_of_gone_buffer (gpointer data)
{
  GstOrchToken *token = data;

  g_atomic_int_set (&token->is_gone, TRUE);
  gst_orch_token_unref (token);
}

GstOrchToken *
gst_orch_token_ref_for (GstBuffer * buffer)
{
  static GMutex lock;
  static guint64 last_id;
  GQuark quark = g_quark_from_static_string ("gst-orch-token");
  GstOrchToken *token;

  g_mutex_lock (&lock);
  token = gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST (buffer), quark);
  if (!token) {
    token = g_new0 (GstOrchToken, 1);
    token->id = ++last_id;
    g_atomic_ref_count_init (&token->refs);
    gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (buffer), quark, token,
        token_of_gone_buffer);
  }
  g_atomic_ref_count_inc (&token->refs);
  g_mutex_unlock (&lock);
  return token;
}

gboolean
gst_orch_token_is_gone (GstOrchToken * token)
{
  return g_atomic_int_get (&token->is_gone);
}

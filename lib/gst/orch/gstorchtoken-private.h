/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchprelude.h>

G_BEGIN_DECLS

/* What stands for a document.  A buffer's address says nothing: another one may be
 * there tomorrow.  So each document buffer gets a token, which all who ask for it share
 * and which outlives the buffer. */
typedef struct
{
  gatomicrefcount refs;
  gint is_gone;                 /* atomic */
  guint64 id;                   /* never used twice in this process */
} GstOrchToken;

/* (transfer full): from any thread */
G_GNUC_INTERNAL GstOrchToken *gst_orch_token_ref_for (GstBuffer * buffer);
G_GNUC_INTERNAL void gst_orch_token_unref (GstOrchToken * token);
/* Whether nobody has the buffer any more. */
G_GNUC_INTERNAL gboolean gst_orch_token_is_gone (GstOrchToken * token);

G_END_DECLS

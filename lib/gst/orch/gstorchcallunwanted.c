/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchcall-private.h"

static gboolean
is_unwanted (GstOrchCall * self, OrchExpansion * expansion)
{
  GPtrArray *outputs = gst_orch_call_copy_outputs (self);
  gboolean result = TRUE;
  guint i;

  for (i = 0; i < outputs->len && result; i++)
    result = gst_orch_port_is_unwanted (((GstOrchCallOutput *)
            g_ptr_array_index (outputs, i))->egress.port, expansion);
  g_ptr_array_unref (outputs);
  return result;
}

/* S5.5: what is ready is given up when it is its turn, what is in flight can ask
 * whether it is wanted, and what has yet to come need not be made. */
void
gst_orch_call_unwant (GstElement * element, OrchExpansion * expansion,
    OrchCause * cause)
{
  GstOrchCall *self = GST_ORCH_CALL (element);

  if (!is_unwanted (self, expansion))
    return;
  gst_orch_lock (&self->lock);
  orch_call_unwant (self->core, expansion, cause);
  if (orch_call_get_n_ready (self->core) > 0)
    gst_orch_call_wake_replicas (self, G_MAXUINT);
  g_mutex_unlock (&self->lock);
  gst_orch_subscriber_unwant (self->input, expansion, cause);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchport-private.h"

/* Strings only, so that any language binding reads them and nothing holds an
 * Entity alive. */

#define EVENT_OUTCOME "orch-outcome"
#define EVENT_EXPANSION "orch-expansion"

gboolean
gst_orch_event_is_ours (GstEvent * event)
{
  return gst_event_has_name (event, EVENT_OUTCOME)
      || gst_event_has_name (event, EVENT_EXPANSION);
}

GstEvent *
gst_orch_event_new_outcome (OrchEntity * entity, OrchOutcome outcome,
    OrchCause * cause)
{
  g_autofree gchar *path = orch_entity_get_path (entity);
  GstStructure *structure = gst_structure_new (EVENT_OUTCOME,
      "path", G_TYPE_STRING, path,
      "outcome", G_TYPE_STRING, orch_outcome_get_name (outcome), NULL);

  if (cause)
    gst_structure_set (structure,
        "cause-domain", G_TYPE_STRING, cause->domain,
        "cause-code", G_TYPE_STRING, cause->code,
        "cause-message", G_TYPE_STRING, cause->message,
        "cause-path", G_TYPE_STRING, cause->path,
        "cause-call", G_TYPE_STRING, cause->call, NULL);
  return gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM, structure);
}

GstEvent *
gst_orch_event_new_expansion (OrchExpansion * expansion)
{
  static const gchar *states[] = { "open", "succeeded", "dropped", "failed" };
  OrchEntity *parent = orch_expansion_get_parent (expansion);
  OrchDomain *domain = orch_expansion_get_domain (expansion);
  g_autofree gchar *path = parent ? orch_entity_get_path (parent) : NULL;

  return gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
      gst_structure_new (EVENT_EXPANSION,
          "path", G_TYPE_STRING, path,
          "domain", G_TYPE_STRING, orch_domain_get_name (domain),
          "state", G_TYPE_STRING,
          states[orch_expansion_get_state (expansion)],
          "children", G_TYPE_UINT64,
          orch_expansion_get_n_children (expansion), NULL));
}

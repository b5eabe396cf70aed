/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "testresult.h"

#include <string.h>

void
test_result_init (GstOrchResult * result, guint64 ordinal, const gchar * uri,
    GstBuffer * buffer, const gchar * caps)
{
  OrchDomain *domain = orch_domain_new ("document", NULL);
  OrchExpansion *roots = orch_expansion_new (domain, NULL);

  memset (result, 0, sizeof *result);
  result->entity = orch_entity_new (roots, ordinal);
  result->outcome = buffer ? ORCH_OUTCOME_PRESENT : ORCH_OUTCOME_FAILED;
  result->info = gst_orch_info_new (gst_structure_new ("info",
          "uri", G_TYPE_STRING, uri, "size", G_TYPE_UINT64, (guint64) 5, NULL));
  result->buffer = buffer;
  result->caps = buffer ? gst_caps_from_string (caps) : NULL;
  orch_expansion_unref (roots);
  orch_domain_unref (domain);
}

void
test_result_write (GstOrchResult * result, GstOrchOutput * output)
{
  g_autoptr (GError) error = NULL;
  GstOrchRendered rendered;

  gst_orch_output_render (output, result, &rendered, &error);
  g_assert_no_error (error);
  gst_orch_output_write (output, &rendered, &error);
  g_assert_no_error (error);
  gst_orch_rendered_clear (&rendered);
  gst_orch_result_clear (result);
}

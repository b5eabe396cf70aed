/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* A pipeline, read from a sink upwards. */

/* (transfer full): the elements above `sink` and itself, each once, sources
 * first. */
GPtrArray *gst_orch_pipeline_list (GstElement * sink);
/* (transfer full): a gst-launch line of them. */
gchar *gst_orch_pipeline_describe (GPtrArray * elements);

/* (transfer full): what the results depend on in `element`, as "name key=value
 * ..."; NULL for an element that changes nothing (a queue). */
gchar *gst_orch_element_fingerprint (GstElement * element);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/orch.h>

G_BEGIN_DECLS

/* Values as text.  "a" is a text buffer, "[a,[b],[]]" a list of values.  In
 * what is parsed, "!code" is a failed element and "~" a dropped one; in what is
 * printed, "-" is an element without a value, "*" a buffer that is no text and
 * "{a:x,b:-}" a joined Item. */

/* (transfer full); `caps` (out) (transfer full) */
GstBuffer *notation_parse (const gchar * text, GstCaps ** caps);
/* (transfer full): "[x,x,x]", n times `element` */
gchar *notation_make_list (guint n, const gchar * element);
void notation_append_value (GString * out, GstBuffer * buffer, GstCaps * caps);
/* " 0/1 F test:record@0/1": what a list names as not delivered, L for lost */
void notation_append_failures (GString * out, GstOrchList * list);
/* "test:record@0/1" */
void notation_append_cause (GString * out, const gchar * domain,
    const gchar * code, const gchar * path);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchinfo-private.h>

#include "lineage/orch-rules.h"

G_BEGIN_DECLS

/* A condition over one Item:
 *
 *   not info.quality < 0.9 and (value.lang == en or caps.width >= 64)
 *
 *   condition   = all { "or" all }          all  = one { "and" one }
 *   one         = "not" one | "(" condition ")" | "has" field | test
 *   test        = operand [ ("==" | "!=" | "<" | "<=" | ">" | ">=") operand ]
 *   operand     = field | number | word | 'text' | "text"
 *   field       = "info." name | "caps" | "caps." name | "value" { "." name }
 *
 * `info.name` is a field of the Item's info, `caps` its media type and `caps.name`
 * a field of it.  `value` is the text of the Item, without white space around it,
 * or its JSON, and `value.name` a member of that.  One operand of a test is a
 * field.  A test without an operator, and the words true and false, are booleans;
 * the texts "true" and "false" may stand for one.  Numbers compare with numbers,
 * text with text (by bytes), booleans with == and !=. */
typedef struct _GstOrchPredicate GstOrchPredicate;

#define GST_ORCH_PREDICATE_ERROR (gst_orch_predicate_error_quark ())
GQuark gst_orch_predicate_error_quark (void);

/* (transfer full) (nullable): NULL with `error` set, which says where. */
GstOrchPredicate *gst_orch_predicate_parse (const gchar * text,
    GError ** error);
void gst_orch_predicate_free (GstOrchPredicate * predicate);
/* NOT_A_BOOLEAN when it cannot be evaluated: a field that is not there, or of
 * another type; `reason` (transfer full), which is set only then, says which.
 * What "and" or "or" need not look at does not count.  All of it (nullable).  Any
 * thread. */
OrchMask gst_orch_predicate_evaluate (const GstOrchPredicate * predicate,
    const GstStructure * info, GstCaps * caps, GstBuffer * buffer,
    gchar ** reason);

G_END_DECLS

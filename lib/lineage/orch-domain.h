/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "orch-macros.h"

G_BEGIN_DECLS

/**
 * OrchDomain: a level of the hierarchy.  Domains form a tree with one root.
 * Immutable and refcounted.
 */
typedef struct _OrchDomain OrchDomain;

ORCH_API OrchDomain *orch_domain_new (const gchar * name, OrchDomain * parent);
ORCH_API OrchDomain *orch_domain_ref (OrchDomain * domain);
ORCH_API void orch_domain_unref (OrchDomain * domain);
ORCH_API const gchar *orch_domain_get_name (const OrchDomain * domain);
/* (transfer none) (nullable): NULL for the root */
ORCH_API OrchDomain *orch_domain_get_parent (const OrchDomain * domain);
/* 0 for the root */
ORCH_API guint orch_domain_get_depth (const OrchDomain * domain);
/* Strict: no Domain is its own ancestor. */
ORCH_API gboolean orch_domain_is_ancestor (const OrchDomain * ancestor,
    const OrchDomain * domain);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchport-private.h>

G_BEGIN_DECLS

/* A document with pages, without any element. */
typedef struct
{
  OrchDomain *documents, *pages;
  OrchExpansion *roots, *children;
  OrchEntity *document, *first, *second;
} Lineage;

void lineage_init (Lineage * lineage);
void lineage_clear (Lineage * lineage);

G_END_DECLS

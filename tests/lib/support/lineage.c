/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "lineage.h"

void
lineage_init (Lineage * lineage)
{
  lineage->documents = orch_domain_new ("document", NULL);
  lineage->pages = orch_domain_new ("page", lineage->documents);
  lineage->roots = orch_expansion_new (lineage->documents, NULL);
  lineage->document = orch_expansion_next_child (lineage->roots);
  lineage->children = orch_expansion_new (lineage->pages, lineage->document);
  lineage->first = orch_expansion_next_child (lineage->children);
  lineage->second = orch_expansion_next_child (lineage->children);
}

void
lineage_clear (Lineage * lineage)
{
  orch_entity_unref (lineage->second);
  orch_entity_unref (lineage->first);
  orch_expansion_unref (lineage->children);
  orch_entity_unref (lineage->document);
  orch_expansion_unref (lineage->roots);
  orch_domain_unref (lineage->pages);
  orch_domain_unref (lineage->documents);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "orch-domain.h"
#include "orch-refs.h"

struct _OrchDomain
{
  gint refs;
  guint depth;
  gchar *name;
  OrchDomain *parent;
};

OrchDomain *
orch_domain_new (const gchar * name, OrchDomain * parent)
{
  OrchDomain *domain = g_slice_new (OrchDomain);

  domain->refs = 1;
  domain->depth = parent ? parent->depth + 1 : 0;
  domain->name = g_strdup (name);
  domain->parent = parent ? orch_domain_ref (parent) : NULL;
  return domain;
}

OrchDomain *
orch_domain_ref (OrchDomain * domain)
{
  orch_refs_take (&domain->refs);
  return domain;
}

void
orch_domain_unref (OrchDomain * domain)
{
  while (domain && orch_refs_drop (&domain->refs)) {
    OrchDomain *parent = domain->parent;

    g_free (domain->name);
    g_slice_free (OrchDomain, domain);
    domain = parent;
  }
}

const gchar *
orch_domain_get_name (const OrchDomain * domain)
{
  return domain->name;
}

OrchDomain *
orch_domain_get_parent (const OrchDomain * domain)
{
  return domain->parent;
}

guint
orch_domain_get_depth (const OrchDomain * domain)
{
  return domain->depth;
}

gboolean
orch_domain_is_ancestor (const OrchDomain * ancestor, const OrchDomain * domain)
{
  while (domain && domain->depth > ancestor->depth) {
    domain = domain->parent;
    if (domain == ancestor)
      return TRUE;
  }
  return FALSE;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchworkerhost-private.h"

/* A worker has no records of the pipeline.  It makes its own, so that paths, parents
 * and comparisons are what they would be in a thread. */

void
gst_orch_host_forget_place (GstOrchHost * host)
{
  guint i;

  for (i = 0; i < host->depth; i++)
    orch_expansion_unref (g_steal_pointer (&host->expansions[i]));
  host->depth = 0;
}

static gboolean
is_domain (OrchDomain * domain, const gchar ** names, guint depth)
{
  guint i;

  for (i = 0; i < depth && domain; i++) {
    if (g_strcmp0 (orch_domain_get_name (domain), names[i]) != 0)
      return FALSE;
    domain = orch_domain_get_parent (domain);
  }
  return i == depth && !domain;
}

/* Names come from the Domain itself up to the root. */
static gboolean
read_domain (GstOrchHost * host, GstOrchReader * reader, guint depth)
{
  const gchar *names[GST_ORCH_MAX_DOMAINS];
  OrchDomain *domain = NULL;
  guint i;

  for (i = 0; i < depth; i++)
    names[i] = gst_orch_reader_get_string (reader);
  if (reader->bad)
    return FALSE;
  if (is_domain (host->domain, names, depth))
    return TRUE;
  for (i = depth; i > 0; i--) {
    OrchDomain *below = orch_domain_new (names[i - 1] ? names[i - 1] : "",
        domain);

    orch_domain_unref (domain);
    domain = below;
  }
  orch_domain_unref (host->domain);
  host->domain = domain;
  gst_orch_host_forget_place (host);
  return TRUE;
}

static OrchDomain *
get_domain_at (GstOrchHost * host, guint level)
{
  OrchDomain *domain = host->domain;

  while (orch_domain_get_depth (domain) > level)
    domain = orch_domain_get_parent (domain);
  return domain;
}

static OrchEntity *
make_entity (GstOrchHost * host, const guint64 * ordinals, guint depth)
{
  gboolean same = host->depth == depth;
  OrchEntity *entity = NULL;
  guint i;

  if (!same)
    gst_orch_host_forget_place (host);
  for (i = 0; i < depth; i++) {
    OrchEntity *parent = entity;

    if (!same) {
      orch_expansion_unref (host->expansions[i]);
      host->expansions[i] =
          orch_expansion_new (get_domain_at (host, i), parent);
    }
    entity = orch_entity_new (host->expansions[i], ordinals[i]);
    orch_entity_unref (parent);
    same = same && host->ordinals[i] == ordinals[i];
    host->ordinals[i] = ordinals[i];
  }
  host->depth = depth;
  return entity;
}

OrchEntity *
gst_orch_host_get_entity (GstOrchHost * host, GstOrchReader * reader)
{
  guint64 ordinals[GST_ORCH_MAX_DOMAINS];
  guint32 i, depth = gst_orch_reader_get_u32 (reader);

  if (depth == 0 || depth > GST_ORCH_MAX_DOMAINS)
    reader->bad = TRUE;
  if (gst_orch_reader_get_u8 (reader) && !reader->bad
      && !read_domain (host, reader, depth))
    return NULL;
  for (i = depth; i > 0 && !reader->bad; i--)
    ordinals[i - 1] = gst_orch_reader_get_u64 (reader);
  return reader->bad || !host->domain ? NULL :
      make_entity (host, ordinals, depth);
}

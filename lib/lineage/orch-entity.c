/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "orch-expansion-private.h"

OrchEntity *
orch_entity_new (OrchExpansion * expansion, guint64 ordinal)
{
  OrchEntity *entity = g_slice_new (OrchEntity);

  orch_entity_init (entity, expansion, ordinal, FALSE);
  return entity;
}

OrchEntity *
orch_entity_ref (OrchEntity * entity)
{
  orch_refs_take (&entity->refs);
  return entity;
}

void
orch_entity_unref (OrchEntity * entity)
{
  while (entity && orch_refs_drop (&entity->refs)) {
    OrchExpansion *expansion = entity->expansion;

    if (expansion->entity_freed)
      expansion->entity_freed (entity->ordinal, expansion->entity_freed_data);
    if (!entity->in_chunk)
      g_slice_free (OrchEntity, entity);
    if (!orch_refs_drop (&expansion->refs))
      return;
    entity = orch_expansion_finalize (expansion);
  }
}

gboolean
orch_entity_equal (const OrchEntity * a, const OrchEntity * b)
{
  while (a && b) {
    if (a == b)
      return TRUE;
    if (a->ordinal != b->ordinal)
      return FALSE;
    if (a->expansion == b->expansion)
      return TRUE;
    if (a->expansion->domain != b->expansion->domain)
      return FALSE;
    a = a->expansion->parent;
    b = b->expansion->parent;
  }
  return a == b;
}

static guint
count_ancestors (const OrchEntity * entity)
{
  guint n = 0;

  while ((entity = entity->expansion->parent))
    n++;
  return n;
}

gint
orch_entity_compare (const OrchEntity * a, const OrchEntity * b)
{
  guint depth_a = count_ancestors (a), depth_b = count_ancestors (b);
  gint result = (depth_a > depth_b) - (depth_a < depth_b);

  for (; depth_a > depth_b; depth_a--)
    a = a->expansion->parent;
  for (; depth_b > depth_a; depth_b--)
    b = b->expansion->parent;

  /* the topmost difference decides, so a later one overrides */
  while (a && a != b) {
    if (a->ordinal != b->ordinal)
      result = a->ordinal > b->ordinal ? 1 : -1;
    if (a->expansion == b->expansion)
      break;
    a = a->expansion->parent;
    b = b->expansion->parent;
  }
  return result;
}

OrchEntity *
orch_entity_get_parent (const OrchEntity * entity)
{
  return entity->expansion->parent;
}

OrchEntity *
orch_entity_get_root (OrchEntity * entity)
{
  while (entity->expansion->parent)
    entity = entity->expansion->parent;
  return entity;
}

OrchDomain *
orch_entity_get_domain (const OrchEntity * entity)
{
  return entity->expansion->domain;
}

gchar *
orch_entity_get_path (const OrchEntity * entity)
{
  guint i, n = count_ancestors (entity) + 1;
  guint64 *ordinals = g_new (guint64, n);
  GString *path = g_string_sized_new (16);

  for (i = n; i > 0; i--) {
    ordinals[i - 1] = entity->ordinal;
    entity = entity->expansion->parent;
  }
  for (i = 0; i < n; i++)
    g_string_append_printf (path, "%s%" G_GUINT64_FORMAT, i ? "/" : "",
        ordinals[i]);
  g_free (ordinals);
  return g_string_free (path, FALSE);
}

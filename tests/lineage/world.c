/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "world.h"

World *
world_new (guint n_parents)
{
  World *world = g_new0 (World, 1);
  guint i;

  world->documents = orch_domain_new ("documents", NULL);
  world->pages = orch_domain_new ("pages", world->documents);
  world->roots = orch_expansion_new (world->documents, NULL);
  world->n_parents = n_parents;
  world->parents = g_new (OrchEntity *, n_parents);
  world->lists = g_new (OrchExpansion *, n_parents);
  for (i = 0; i < n_parents; i++) {
    world->parents[i] = orch_expansion_next_child (world->roots);
    world->lists[i] = orch_expansion_new (world->pages, world->parents[i]);
  }
  world->call = orch_call_new ("call0");
  world->grains = g_ptr_array_new_with_free_func (g_free);
  return world;
}

void
world_free (World * world)
{
  guint i;

  g_assert_cmpuint (orch_call_get_n_in_flight (world->call), ==, 0);
  orch_call_new_epoch (world->call, &world->sealed);
  g_assert_cmpuint (orch_call_get_n_ready (world->call), ==, 0);
  for (i = 0; i < world->grains->len; i++)
    orch_grain_clear (&world_get (world, i)->grain);
  g_ptr_array_unref (world->grains);
  orch_call_free (world->call);
  for (i = 0; i < world->n_parents; i++) {
    orch_expansion_unref (world->lists[i]);
    orch_entity_unref (world->parents[i]);
  }
  g_free (world->lists);
  g_free (world->parents);
  orch_expansion_unref (world->roots);
  orch_domain_unref (world->pages);
  orch_domain_unref (world->documents);
  g_free (world);
}

TestGrain *
world_enter_entity (World * world, OrchEntity * entity, OrchOutcome input,
    OrchCause * cause)
{
  TestGrain *grain = g_new (TestGrain, 1);

  grain->id = world->grains->len;
  g_ptr_array_add (world->grains, grain);
  orch_grain_init (&grain->grain, orch_entity_ref (entity));
  orch_grain_set_entered (&grain->grain, world->now);
  orch_call_enter (world->call, &grain->grain, input, cause, &world->sealed);
  return grain;
}

TestGrain *
world_enter (World * world, guint parent)
{
  OrchEntity *page = orch_expansion_next_child (world->lists[parent]);
  TestGrain *grain;

  grain = world_enter_entity (world, page, ORCH_OUTCOME_PRESENT, NULL);
  orch_entity_unref (page);
  return grain;
}

void
world_enter_pages (World * world, const gchar * parents)
{
  for (; *parents; parents++)
    world_enter (world, *parents - '0');
}

TestGrain *
world_get (World * world, guint id)
{
  return g_ptr_array_index (world->grains, id);
}

OrchBatch *
world_reserve (World * world, guint max)
{
  return orch_call_reserve (world->call, max, &world->sealed);
}

OrchReport
world_report (World * world, guint id, OrchOutcome outcome, OrchCause * cause)
{
  OrchGrain *grain = &world_get (world, id)->grain;
  OrchReport report = { grain, grain->generation, grain->epoch, outcome, FALSE,
    cause
  };

  return report;
}

gboolean
world_commit (World * world, guint id, OrchOutcome outcome, gboolean group)
{
  OrchCause *cause = NULL;
  OrchReport report;
  gboolean accepted;

  if (outcome == ORCH_OUTCOME_FAILED)
    cause = world_cause (group ? "group" : "record");
  report = world_report (world, id, outcome, cause);
  report.group = group;
  accepted = orch_call_report (world->call, &report, 1, &world->sealed);
  orch_cause_unref (cause);
  return accepted;
}

void
world_assert_batch (OrchBatch * batch, const gchar * ids)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; batch && i < batch->n; i++) {
    if (batch->grains[i])
      g_string_append_printf (text, "%u", ((TestGrain *) batch->grains[i])->id);
    else
      g_string_append_c (text, '-');
  }
  g_assert_cmpstr (text->str, ==, ids);
  g_string_free (text, TRUE);
}

void
world_assert_sealed (World * world, const gchar * expected)
{
  GString *text = g_string_new (NULL);
  OrchGrain *grain;

  while ((grain = orch_grain_list_pop (&world->sealed)))
    g_string_append_printf (text, "%s%u%c", text->len ? " " : "",
        ((TestGrain *) grain)->id,
        g_ascii_toupper (orch_outcome_get_name (grain->outcome)[0]));
  g_assert_cmpstr (text->str, ==, expected);
  g_string_free (text, TRUE);
}

OrchCause *
world_cause (const gchar * code)
{
  return orch_cause_new ("test", code, "made by the test", NULL, NULL);
}

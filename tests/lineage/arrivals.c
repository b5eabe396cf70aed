/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "lineage/orch-arrivals.h"

#define N_LISTS 6
#define N_CHILDREN 100

/* Lists whose children arrive or not, beside what is known of them. */
typedef struct
{
  OrchDomain *domain;
  OrchArrivals *arrivals;
  OrchExpansion *lists[N_LISTS];
  guint n[N_LISTS];
  gboolean begun[N_LISTS];
  gboolean held[N_LISTS];       /* neither freed nor handed back as complete */
  gboolean skipped[N_LISTS][N_CHILDREN];
  gboolean arrived[N_LISTS][N_CHILDREN];
  guint n_missing;
} Model;

static void
clear_flag (gpointer data)
{
  *(gboolean *) data = FALSE;
}

static void
model_init (Model * model)
{
  guint i;

  *model = (Model) {
  orch_domain_new ("pages", NULL)};
  model->arrivals = orch_arrivals_new ();
  for (i = 0; i < N_LISTS; i++) {
    model->lists[i] = orch_expansion_new (model->domain, NULL);
    orch_expansion_set_data (model->lists[i], &model->held[i], clear_flag);
    model->held[i] = TRUE;
  }
}

static void
model_clear (Model * model)
{
  guint i;

  orch_arrivals_free (model->arrivals);
  for (i = 0; i < N_LISTS; i++) {
    orch_expansion_unref (model->lists[i]);
    g_assert_false (model->held[i]);
  }
  orch_domain_unref (model->domain);
}

static void
publish (Model * model, guint list, gboolean skip)
{
  if (model->n[list] == N_CHILDREN)
    return;
  if (skip)
    orch_expansion_skip_child (model->lists[list]);
  else
    orch_entity_unref (orch_expansion_next_child (model->lists[list]));
  model->skipped[list][model->n[list]++] = skip;
}

static void
arrive (Model * model, guint list, guint ordinal)
{
  OrchEntity *entity = orch_entity_new (model->lists[list], ordinal);
  OrchExpansion *complete;
  guint i;

  g_assert_cmpint (orch_arrivals_add (model->arrivals, entity, &complete), ==,
      !model->arrived[list][ordinal]);
  model->arrived[list][ordinal] = TRUE;
  model->begun[list] = TRUE;
  for (i = 0; complete && i < N_LISTS; i++) {
    guint j, n_arrived = 0;

    if (model->lists[i] != complete)
      continue;
    for (j = 0; j < model->n[i]; j++)
      n_arrived += model->arrived[i][j];
    g_assert_cmpuint (n_arrived, ==, model->n[i]);
    g_assert_cmpint (orch_expansion_get_state (complete), !=,
        ORCH_EXPANSION_OPEN);
  }
  orch_expansion_unref (complete);
  orch_entity_unref (entity);
}

static void
check_missing (OrchEntity * entity, gpointer user_data)
{
  Model *model = user_data;
  guint i;

  for (i = 0; entity->expansion != model->lists[i]; i++)
    g_assert_cmpuint (i, <, N_LISTS);
  g_assert_true (model->begun[i]);
  g_assert_cmpuint (entity->ordinal, <, model->n[i]);
  g_assert_false (model->arrived[i][entity->ordinal]);
  g_assert_false (model->skipped[i][entity->ordinal]);
  model->n_missing++;
}

static void
assert_missing (Model * model)
{
  guint i, j, n = 0;

  for (i = 0; i < N_LISTS; i++)
    for (j = 0; j < model->n[i] && model->begun[i]; j++)
      n += !model->arrived[i][j] && !model->skipped[i][j];
  model->n_missing = 0;
  orch_arrivals_foreach_missing (model->arrivals, check_missing, model);
  g_assert_cmpuint (model->n_missing, ==, n);
}

static void
test_random (void)
{
  GRand *rand = g_rand_new_with_seed (g_test_rand_int ());
  guint round, i;

  for (round = 0; round < 200; round++) {
    Model model;

    model_init (&model);
    for (i = 0; i < 500; i++) {
      guint list = g_rand_int_range (rand, 0, N_LISTS);
      guint choice = g_rand_int_range (rand, 0, 100);
      OrchExpansion *expansion = model.lists[list];

      if (orch_expansion_get_state (expansion) == ORCH_EXPANSION_OPEN
          && choice < 50)
        publish (&model, list, choice < 3);
      else if (choice < 51)
        orch_expansion_publish (expansion, ORCH_EXPANSION_SUCCEEDED, NULL);
      else if (choice < 53) {
        orch_arrivals_announce (model.arrivals, expansion);
        model.begun[list] |= model.n[list] > 0;
      } else if (model.n[list] > 0) {
        guint ordinal = g_rand_int_range (rand, 0, model.n[list]);

        if (!model.skipped[list][ordinal])
          arrive (&model, list, ordinal);
      }
      if (i % 10 == 0)
        assert_missing (&model);
    }
    model_clear (&model);
  }
  g_rand_free (rand);
}

/* What has arrived in full is not held on to. */
static void
test_complete (void)
{
  Model model;
  guint i, j;

  model_init (&model);
  for (i = 0; i < N_LISTS; i++) {
    for (j = 0; j < 3; j++)
      publish (&model, i, FALSE);
    orch_expansion_publish (model.lists[i], ORCH_EXPANSION_SUCCEEDED, NULL);
  }
  for (i = 0; i + 1 < N_LISTS; i++) {
    OrchExpansion *list = model.lists[i];

    for (j = 0; j < 3; j++)
      arrive (&model, i, j);
    assert_missing (&model);
    g_assert_true (model.held[i]);
    model.lists[i] = NULL;
    orch_expansion_unref (list);
    g_assert_false (model.held[i]);
  }
  model_clear (&model);
  orch_arrivals_free (NULL);
}

/* More Expansions than are remembered, which come and go at the same addresses,
 * beside one that stays. */
static void
test_come_and_go (void)
{
  OrchArrivals *arrivals = orch_arrivals_new ();
  OrchDomain *domain = orch_domain_new ("pages", NULL);
  OrchExpansion *stays = orch_expansion_new (domain, NULL);
  guint i, j, n_complete = 0;

  for (i = 0; i < 1000; i++) {
    OrchExpansion *list = orch_expansion_new (domain, NULL);
    OrchEntity *entities[2] = {
      orch_expansion_next_child (list), orch_expansion_next_child (stays)
    };

    orch_expansion_publish (list, ORCH_EXPANSION_SUCCEEDED, NULL);
    for (j = 0; j < 4; j++) {
      OrchExpansion *complete;

      g_assert_cmpint (orch_arrivals_add (arrivals, entities[j % 2],
              &complete), ==, j < 2);
      n_complete += complete != NULL;
      g_assert_true (complete != stays);
      orch_expansion_unref (complete);
    }
    for (j = 0; j < 2; j++)
      orch_entity_unref (entities[j]);
    orch_expansion_unref (list);
  }
  g_assert_cmpuint (n_complete, >=, 1000 - 1);
  orch_arrivals_free (arrivals);
  orch_expansion_unref (stays);
  orch_domain_unref (domain);
}

static void
count_missing (OrchEntity * entity, gpointer user_data)
{
  guint *n = user_data;

  /* each one that is missing came to be after the flush */
  g_assert_cmpuint (entity->ordinal, >=, 4);
  (*n)++;
}

/* After a flush nothing of before is missing, though it may come again. */
static void
test_flush (void)
{
  OrchArrivals *arrivals = orch_arrivals_new (), *next;
  OrchDomain *domain = orch_domain_new ("pages", NULL);
  OrchExpansion *open = orch_expansion_new (domain, NULL), *complete;
  OrchExpansion *closed = orch_expansion_new (domain, NULL);
  OrchEntity *entities[6], *member;
  guint i, n = 0;

  orch_expansion_succeed_with (closed, 3);
  member = orch_expansion_next_child (closed);
  orch_arrivals_add (arrivals, member, &complete);
  for (i = 0; i < 4; i++)
    entities[i] = orch_expansion_next_child (open);
  orch_arrivals_add (arrivals, entities[1], &complete);

  next = orch_arrivals_new_epoch (arrivals);
  orch_arrivals_free (arrivals);
  orch_arrivals_foreach_missing (next, count_missing, &n);
  g_assert_cmpuint (n, ==, 0);
  g_assert_true (orch_arrivals_add (next, entities[1], &complete));
  g_assert_false (orch_arrivals_add (next, entities[1], &complete));
  for (i = 4; i < 6; i++)
    entities[i] = orch_expansion_next_child (open);
  orch_arrivals_add (next, entities[5], &complete);
  orch_arrivals_foreach_missing (next, count_missing, &n);
  g_assert_cmpuint (n, ==, 1);

  for (i = 0; i < 6; i++)
    orch_entity_unref (entities[i]);
  orch_entity_unref (member);
  orch_arrivals_free (next);
  orch_expansion_unref (open);
  orch_expansion_unref (closed);
  orch_domain_unref (domain);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lineage/arrivals/random", test_random);
  g_test_add_func ("/lineage/arrivals/complete", test_complete);
  g_test_add_func ("/lineage/arrivals/come-and-go", test_come_and_go);
  g_test_add_func ("/lineage/arrivals/flush", test_flush);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "random-program.h"

/* Random programs, with a bias to what hurts: group failures, Grains that always
 * fail, members that the gather does not see. */

#define MAX_ENTITIES 1500
#define ENOUGH_NODES (MAX_NODES - 8)

static gint
draw (GRand * rand, gint n)
{
  return g_rand_int_range (rand, 0, n);
}

/* An Item of this Domain, more often one that was made late. */
static guint
pick (const Program * program, GRand * rand, guint domain)
{
  guint nodes[MAX_NODES], i, n = 0;

  for (i = 0; i < program->n_nodes; i++)
    if (program->nodes[i].domain == domain)
      nodes[n++] = i;
  return draw (rand, 3) ? nodes[n - 1 - draw (rand, MIN (n, 2))]
      : nodes[draw (rand, n)];
}

static guint
add_call (Program * program, GRand * rand, guint domain)
{
  guint first = pick (program, rand, domain);
  guint second = pick (program, rand, domain);
  guint call = program_add (program, NODE_CALL, domain,
      first != second && draw (rand, 3) == 0 ? 2 : 1, first, second);
  Node *node = &program->nodes[call];

  node->can_group_fail = draw (rand, 2);
  node->optional[0] = draw (rand, 4) == 0;
  node->optional[1] = draw (rand, 2);
  return call;
}

static void
add_join (Program * program, GRand * rand, guint domain)
{
  guint first = pick (program, rand, domain);
  guint second = pick (program, rand, domain);
  guint join = program_add (program, NODE_JOIN, domain, 2, first, second);

  program->nodes[join].optional[0] = draw (rand, 3) == 0;
  program->nodes[join].optional[1] = draw (rand, 2);
}

static void
add_filter (Program * program, GRand * rand, guint domain)
{
  guint source = pick (program, rand, domain);

  program_add (program, NODE_FILTER, domain, 2, source,
      pick (program, rand, domain));
}

static void
add_broadcast (Program * program, GRand * rand, guint domain)
{
  guint above = domain;

  do
    above = program->domains[above].parent;
  while (above != ROOT_DOMAIN && draw (rand, 2));
  program_add (program, NODE_BROADCAST, domain, 2,
      pick (program, rand, above), pick (program, rand, domain));
}

static void
add_reduce (Program * program, GRand * rand, guint below)
{
  guint values = pick (program, rand, below);
  guint members = pick (program, rand, below);
  guint reduce = program_add (program, NODE_REDUCE,
      program->domains[below].parent,
      members != values && draw (rand, 2) ? 2 : 1, values, members);
  Node *node = &program->nodes[reduce];

  node->mode = draw (rand, 3);
  if (draw (rand, 5) == 0)
    node->max_failed = draw (rand, 3);
  if (draw (rand, 5) == 0)
    node->max_share = draw (rand, 4) / 4.0;
}

static void add_nodes (Program * program, GRand * rand, guint domain,
    guint depth);

static void
add_children (Program * program, GRand * rand, guint domain, guint depth)
{
  guint list = pick (program, rand, domain), expand, below;
  gint i, n = 1 + (draw (rand, 3) == 0);

  program_finish (program);
  if (!program_is_list (program, list) || draw (rand, 3)) {
    list = add_call (program, rand, domain);
    program->nodes[list].makes_list = TRUE;
    program_finish (program);
  }
  expand = program_add_expand (program, list);
  program->nodes[expand].is_stream = draw (rand, 4) == 0;
  below = program->nodes[expand].domain;
  add_nodes (program, rand, below, depth + 1);
  for (i = 0; i < n; i++)
    add_reduce (program, rand, below);
}

static void
add_node (Program * program, GRand * rand, guint domain)
{
  switch (draw (rand, domain == ROOT_DOMAIN ? 7 : 8)) {
    case 0:
      add_filter (program, rand, domain);
      break;
    case 1:
      add_join (program, rand, domain);
      break;
    case 7:
      add_broadcast (program, rand, domain);
      break;
    default:
      add_call (program, rand, domain);
      break;
  }
}

/* The root Domain has children for sure, the others mostly until it is deep. */
static void
add_nodes (Program * program, GRand * rand, guint domain, guint depth)
{
  gint i, n = draw (rand, 4);
  gint n_expands = domain == ROOT_DOMAIN ? 1 + (draw (rand, 3) == 0) :
      depth < MAX_DEPTH ? draw (rand, 2) : 0;

  for (i = 0; i < n && program->n_nodes < ENOUGH_NODES; i++)
    add_node (program, rand, domain);
  for (; n_expands > 0 && program->n_nodes < ENOUGH_NODES - 4 * depth
      && program->n_domains < MAX_DOMAINS; n_expands--) {
    add_children (program, rand, domain, depth);
    if (draw (rand, 2))
      add_node (program, rand, domain);
  }
}

static void
draw_fates (Program * program, GRand * rand)
{
  static const guint usual[N_FATES] = { 0, 40, 40, 40, 40, 60, 15 };
  static const guint scales[] = { 0, 2, 5, 10, 20 };
  guint tenths = scales[draw (rand, G_N_ELEMENTS (scales))];
  guint i, much = draw (rand, N_FATES);

  for (i = FATE_DROP; i < N_FATES; i++)
    program->permille[i] = usual[i] * (i == much ? 20 : tenths) / 10;
  program->permille_elements = draw (rand, 3) ? 0 : 5 * tenths;
  program->permille_masks = draw (rand, 2) ? 200 : 600;
}

/* Many small documents, in which barriers meet attempts that are going to fail. */
static void
make_hard (Program * program, GRand * rand)
{
  guint i;

  program->n_roots = 6 + draw (rand, 6);
  program->max_fanout = 1 + draw (rand, 4);
  for (i = FATE_DROP; i < N_FATES; i++)
    program->permille[i] = 0;
  program->permille[FATE_GROUP] = 40 + draw (rand, 100);
  program->permille[FATE_UNTYPED] = 40 + draw (rand, 100);
}

void
program_generate (Program * program, guint32 seed)
{
  GRand *rand = g_rand_new_with_seed (seed);
  Results *results;
  gboolean too_many;

  program_init (program, 1 + draw (rand, 5));
  program->seed = seed;
  draw_fates (program, rand);
  if (draw (rand, 3) == 0)
    make_hard (program, rand);
  add_nodes (program, rand, ROOT_DOMAIN, 0);
  program_finish (program);
  g_rand_free (rand);
  do {
    results = oracle_run (program);
    too_many = results->n_entities > MAX_ENTITIES;
    results_free (program, results);
    if (too_many)
      program->max_fanout /= 2;
  } while (too_many);
}

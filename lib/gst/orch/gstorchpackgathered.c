/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchlist-private.h"
#include "gstorchpack-private.h"
#include "lineage/orch-lineage.h"

/* What a gather has counted and listed (S3.6).  The other side has none of the
 * records that a failure names, so it makes its own: path, order and Domains are
 * the same. */

/* ---- writing ---- */

static void
put_counts (GByteArray * body, const GstOrchListCounts * counts)
{
  gst_orch_put_u8 (body, counts != NULL);
  if (!counts)
    return;
  gst_orch_put_u64 (body, counts->total);
  gst_orch_put_u64 (body, counts->present);
  gst_orch_put_u64 (body, counts->dropped);
  gst_orch_put_u64 (body, counts->lost);
  gst_orch_put_u64 (body, counts->failed);
  gst_orch_put_u64 (body, counts->suppressed);
}

static void
put_entity (GByteArray * body, OrchEntity * entity)
{
  gst_orch_put_u32 (body,
      orch_domain_get_depth (orch_entity_get_domain (entity)) + 1);
  for (; entity; entity = orch_entity_get_parent (entity)) {
    gst_orch_put_string (body,
        orch_domain_get_name (orch_entity_get_domain (entity)));
    gst_orch_put_u64 (body, entity->ordinal);
  }
}

/* Unlike that of an outcome, it may have arisen anywhere. */
static void
put_located_cause (GByteArray * body, OrchCause * cause)
{
  gst_orch_put_cause (body, cause);
  if (!cause)
    return;
  gst_orch_put_string (body, cause->path);
  gst_orch_put_string (body, cause->call);
}

static void
put_failure (GByteArray * body, const GstOrchListFailure * failure)
{
  put_entity (body, failure->entity);
  gst_orch_put_u8 (body, failure->outcome);
  put_located_cause (body, failure->cause);
  gst_orch_put_string (body, failure->fragment);
}

void
gst_orch_put_gathered (GByteArray * body, GstOrchList * list)
{
  guint i, n = gst_orch_list_get_n_failures (list);

  put_counts (body, gst_orch_list_get_counts (list));
  gst_orch_put_u32 (body, n);
  for (i = 0; i < n; i++)
    put_failure (body, gst_orch_list_get_failure (list, i));
}

/* ---- reading ---- */

static void
get_counts (GstOrchReader * reader, GstOrchList * list)
{
  GstOrchListCounts counts;

  if (!gst_orch_reader_get_u8 (reader))
    return;
  counts.total = gst_orch_reader_get_u64 (reader);
  counts.present = gst_orch_reader_get_u64 (reader);
  counts.dropped = gst_orch_reader_get_u64 (reader);
  counts.lost = gst_orch_reader_get_u64 (reader);
  counts.failed = gst_orch_reader_get_u64 (reader);
  counts.suppressed = gst_orch_reader_get_u64 (reader);
  if (!reader->bad)
    gst_orch_list_set_counts (list, &counts);
}

/* (transfer full): from the root down */
static OrchEntity *
make_entity (const gchar ** names, const guint64 * ordinals, guint depth)
{
  OrchDomain *domain = NULL;
  OrchEntity *entity = NULL;

  while (depth-- > 0) {
    OrchDomain *below = orch_domain_new (names[depth] ? names[depth] : "",
        domain);
    OrchExpansion *expansion = orch_expansion_new (below, entity);

    orch_domain_unref (domain);
    orch_entity_unref (entity);
    domain = below;
    entity = orch_entity_new (expansion, ordinals[depth]);
    orch_expansion_unref (expansion);
  }
  orch_domain_unref (domain);
  return entity;
}

/* (transfer full) (nullable) */
static OrchEntity *
get_entity (GstOrchReader * reader)
{
  const gchar *names[GST_ORCH_MAX_DOMAINS];
  guint64 ordinals[GST_ORCH_MAX_DOMAINS];
  guint32 i, depth = gst_orch_reader_get_u32 (reader);

  if (depth == 0 || depth > GST_ORCH_MAX_DOMAINS)
    reader->bad = TRUE;
  for (i = 0; i < depth && !reader->bad; i++) {
    names[i] = gst_orch_reader_get_string (reader);
    ordinals[i] = gst_orch_reader_get_u64 (reader);
  }
  return reader->bad ? NULL : make_entity (names, ordinals, depth);
}

/* (transfer full) (nullable) */
static OrchCause *
get_located_cause (GstOrchReader * reader)
{
  OrchCause *cause = gst_orch_reader_get_cause (reader), *located;
  const gchar *path, *call;

  if (!cause)
    return NULL;
  path = gst_orch_reader_get_string (reader);
  call = gst_orch_reader_get_string (reader);
  located = orch_cause_locate (cause, path, call);
  orch_cause_unref (cause);
  return located;
}

static void
get_failure (GstOrchReader * reader, GstOrchList * list)
{
  OrchEntity *entity = get_entity (reader);
  OrchOutcome outcome = gst_orch_reader_get_u8 (reader);
  OrchCause *cause = get_located_cause (reader);
  const gchar *fragment = gst_orch_reader_get_string (reader);

  if (outcome < ORCH_OUTCOME_DROPPED || outcome > ORCH_OUTCOME_SUPPRESSED)
    reader->bad = TRUE;
  if (!reader->bad)
    gst_orch_list_add_failure (list, entity, (GstOrchOutcome) outcome, cause,
        fragment);
  orch_entity_unref (entity);
  orch_cause_unref (cause);
}

void
gst_orch_reader_get_gathered (GstOrchReader * reader, GstOrchList * list)
{
  guint32 i, n;

  get_counts (reader, list);
  n = gst_orch_reader_get_count (reader);
  for (i = 0; i < n && !reader->bad; i++)
    get_failure (reader, list);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchprelude.h>

G_BEGIN_DECLS

/**
 * GstOrchOutcome:
 * @GST_ORCH_OUTCOME_UNRESOLVED: nothing known yet
 * @GST_ORCH_OUTCOME_PRESENT: there is a value
 * @GST_ORCH_OUTCOME_DROPPED: filtered out, dropped by a Function, or lost
 * @GST_ORCH_OUTCOME_FAILED: its direct producer failed
 * @GST_ORCH_OUTCOME_SUPPRESSED: not produced because of another failure
 *
 * What became of an Item.
 *
 * Since: 0.1
 */
typedef enum
{
  GST_ORCH_OUTCOME_UNRESOLVED,
  GST_ORCH_OUTCOME_PRESENT,
  GST_ORCH_OUTCOME_DROPPED,
  GST_ORCH_OUTCOME_FAILED,
  GST_ORCH_OUTCOME_SUPPRESSED,
} GstOrchOutcome;

GST_ORCH_API GType gst_orch_outcome_get_type (void);
#define GST_TYPE_ORCH_OUTCOME (gst_orch_outcome_get_type ())

/**
 * GstOrchDomain:
 *
 * A level of the hierarchy: documents, pages, lines.  Immutable.
 *
 * Since: 0.1
 */
typedef struct _OrchDomain GstOrchDomain;

GST_ORCH_API GType gst_orch_domain_get_type (void);
#define GST_TYPE_ORCH_DOMAIN (gst_orch_domain_get_type ())

GST_ORCH_API const gchar *gst_orch_domain_get_name (GstOrchDomain * domain);
GST_ORCH_API GstOrchDomain *gst_orch_domain_get_parent (GstOrchDomain * domain);
GST_ORCH_API guint gst_orch_domain_get_depth (GstOrchDomain * domain);

/**
 * GstOrchEntity:
 *
 * One unit of a #GstOrchDomain: (Domain, parent Entity, 0-based ordinal).
 * Immutable; may be used from any thread.
 *
 * Since: 0.1
 */
typedef struct _OrchEntity GstOrchEntity;

GST_ORCH_API GType gst_orch_entity_get_type (void);
#define GST_TYPE_ORCH_ENTITY (gst_orch_entity_get_type ())

GST_ORCH_API GstOrchEntity *gst_orch_entity_ref (GstOrchEntity * entity);
GST_ORCH_API void gst_orch_entity_unref (GstOrchEntity * entity);
GST_ORCH_API GstOrchDomain *gst_orch_entity_get_domain (GstOrchEntity * entity);
GST_ORCH_API GstOrchEntity *gst_orch_entity_get_parent (GstOrchEntity * entity);
GST_ORCH_API guint64 gst_orch_entity_get_ordinal (GstOrchEntity * entity);
GST_ORCH_API gchar *gst_orch_entity_get_path (GstOrchEntity * entity);
GST_ORCH_API gboolean gst_orch_entity_equal (GstOrchEntity * a,
    GstOrchEntity * b);
GST_ORCH_API gint gst_orch_entity_compare (GstOrchEntity * a,
    GstOrchEntity * b);

/**
 * GstOrchCause:
 *
 * Why something is not present: a domain and a code for programs, a message
 * for people, and where it arose.  Immutable; may be used from any thread.
 *
 * Since: 0.1
 */
typedef struct _OrchCause GstOrchCause;

GST_ORCH_API GType gst_orch_cause_get_type (void);
#define GST_TYPE_ORCH_CAUSE (gst_orch_cause_get_type ())

GST_ORCH_API GstOrchCause *gst_orch_cause_new (const gchar * domain,
    const gchar * code, const gchar * format, ...) G_GNUC_PRINTF (3, 4);
GST_ORCH_API GstOrchCause *gst_orch_cause_new_literal (const gchar * domain,
    const gchar * code, const gchar * message);
GST_ORCH_API GstOrchCause *gst_orch_cause_new_from_error (const GError * error);
GST_ORCH_API GstOrchCause *gst_orch_cause_ref (GstOrchCause * cause);
GST_ORCH_API void gst_orch_cause_unref (GstOrchCause * cause);
GST_ORCH_API const gchar *gst_orch_cause_get_domain (GstOrchCause * cause);
GST_ORCH_API const gchar *gst_orch_cause_get_code (GstOrchCause * cause);
GST_ORCH_API const gchar *gst_orch_cause_get_message (GstOrchCause * cause);
GST_ORCH_API const gchar *gst_orch_cause_get_path (GstOrchCause * cause);
GST_ORCH_API const gchar *gst_orch_cause_get_call (GstOrchCause * cause);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstOrchEntity, gst_orch_entity_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstOrchCause, gst_orch_cause_unref)
G_END_DECLS

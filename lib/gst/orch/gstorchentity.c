/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchentity.h"
#include "lineage/orch-lineage.h"

/* The public types are the core's own records under GStreamer's names, so that
 * nothing is wrapped and applications need not know the core. */

G_STATIC_ASSERT ((int) GST_ORCH_OUTCOME_PRESENT == (int) ORCH_OUTCOME_PRESENT);
G_STATIC_ASSERT ((int) GST_ORCH_OUTCOME_DROPPED == (int) ORCH_OUTCOME_DROPPED);
G_STATIC_ASSERT ((int) GST_ORCH_OUTCOME_FAILED == (int) ORCH_OUTCOME_FAILED);
G_STATIC_ASSERT ((int) GST_ORCH_OUTCOME_SUPPRESSED ==
    (int) ORCH_OUTCOME_SUPPRESSED);

GType
gst_orch_outcome_get_type (void)
{
  static GType type = 0;
  static const GEnumValue values[] = {
    {GST_ORCH_OUTCOME_UNRESOLVED, "Nothing known yet", "unresolved"},
    {GST_ORCH_OUTCOME_PRESENT, "There is a value", "present"},
    {GST_ORCH_OUTCOME_DROPPED, "Filtered out, dropped or lost", "dropped"},
    {GST_ORCH_OUTCOME_FAILED, "Its producer failed", "failed"},
    {GST_ORCH_OUTCOME_SUPPRESSED, "Not produced because of another failure",
        "suppressed"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchOutcome", values));
  return type;
}

G_DEFINE_BOXED_TYPE (GstOrchDomain, gst_orch_domain, orch_domain_ref,
    orch_domain_unref);
G_DEFINE_BOXED_TYPE (GstOrchEntity, gst_orch_entity, orch_entity_ref,
    orch_entity_unref);
G_DEFINE_BOXED_TYPE (GstOrchCause, gst_orch_cause, orch_cause_ref,
    orch_cause_unref);

/**
 * gst_orch_domain_get_name:
 * @domain: a #GstOrchDomain
 *
 * Returns: the name of the Domain: "document", "page"
 *
 * Since: 0.1
 */
const gchar *
gst_orch_domain_get_name (GstOrchDomain * domain)
{
  return orch_domain_get_name (domain);
}

/**
 * gst_orch_domain_get_parent:
 * @domain: a #GstOrchDomain
 *
 * Returns: (transfer none) (nullable): the Domain above, %NULL for the root
 *
 * Since: 0.1
 */
GstOrchDomain *
gst_orch_domain_get_parent (GstOrchDomain * domain)
{
  return orch_domain_get_parent (domain);
}

/**
 * gst_orch_domain_get_depth:
 * @domain: a #GstOrchDomain
 *
 * Returns: the number of Domains above, 0 for the root
 *
 * Since: 0.1
 */
guint
gst_orch_domain_get_depth (GstOrchDomain * domain)
{
  return orch_domain_get_depth (domain);
}

/**
 * gst_orch_entity_ref:
 * @entity: a #GstOrchEntity
 *
 * Returns: (transfer full): @entity
 *
 * Since: 0.1
 */
GstOrchEntity *
gst_orch_entity_ref (GstOrchEntity * entity)
{
  return orch_entity_ref (entity);
}

/**
 * gst_orch_entity_unref:
 * @entity: (transfer full): a #GstOrchEntity
 *
 * Since: 0.1
 */
void
gst_orch_entity_unref (GstOrchEntity * entity)
{
  orch_entity_unref (entity);
}

/**
 * gst_orch_entity_get_domain:
 * @entity: a #GstOrchEntity
 *
 * Returns: (transfer none): the Domain it is a unit of
 *
 * Since: 0.1
 */
GstOrchDomain *
gst_orch_entity_get_domain (GstOrchEntity * entity)
{
  return orch_entity_get_domain (entity);
}

/**
 * gst_orch_entity_get_parent:
 * @entity: a #GstOrchEntity
 *
 * Returns: (transfer none) (nullable): the Entity it is a child of, %NULL for
 *   a root Entity
 *
 * Since: 0.1
 */
GstOrchEntity *
gst_orch_entity_get_parent (GstOrchEntity * entity)
{
  return orch_entity_get_parent (entity);
}

/**
 * gst_orch_entity_get_ordinal:
 * @entity: a #GstOrchEntity
 *
 * Returns: its 0-based place among the children of its parent; for a root
 *   Entity its position in the source list
 *
 * Since: 0.1
 */
guint64
gst_orch_entity_get_ordinal (GstOrchEntity * entity)
{
  return entity->ordinal;
}

/**
 * gst_orch_entity_get_path:
 * @entity: a #GstOrchEntity
 *
 * Returns: (transfer full): the ordinals from the root down: "4/0/17"
 *
 * Since: 0.1
 */
gchar *
gst_orch_entity_get_path (GstOrchEntity * entity)
{
  return orch_entity_get_path (entity);
}

/**
 * gst_orch_entity_equal:
 * @a: a #GstOrchEntity
 * @b: a #GstOrchEntity
 *
 * Returns: whether both stand for the same Entity
 *
 * Since: 0.1
 */
gboolean
gst_orch_entity_equal (GstOrchEntity * a, GstOrchEntity * b)
{
  return orch_entity_equal (a, b);
}

/**
 * gst_orch_entity_compare:
 * @a: a #GstOrchEntity
 * @b: a #GstOrchEntity
 *
 * Orders by path: a parent before its children, siblings by ordinal.
 *
 * Returns: less than, equal to or greater than 0, like strcmp()
 *
 * Since: 0.1
 */
gint
gst_orch_entity_compare (GstOrchEntity * a, GstOrchEntity * b)
{
  return orch_entity_compare (a, b);
}

/**
 * gst_orch_cause_new:
 * @domain: whose code it is: "pdf"
 * @code: a short stable word: "encrypted"
 * @format: a sentence for a person, in printf() style
 * @...: its arguments
 *
 * Where the cause arose (path and Call) is filled in when it is committed.
 *
 * Returns: (transfer full): a new cause
 *
 * Since: 0.1
 */
GstOrchCause *
gst_orch_cause_new (const gchar * domain, const gchar * code,
    const gchar * format, ...)
{
  g_autofree gchar *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  return gst_orch_cause_new_literal (domain, code, message);
}

/**
 * gst_orch_cause_new_literal: (rename-to gst_orch_cause_new)
 * @domain: whose code it is
 * @code: a short stable word
 * @message: a sentence for a person
 *
 * Returns: (transfer full): a new cause
 *
 * Since: 0.1
 */
GstOrchCause *
gst_orch_cause_new_literal (const gchar * domain, const gchar * code,
    const gchar * message)
{
  return orch_cause_new (domain, code, message, NULL, NULL);
}

/**
 * gst_orch_cause_new_from_error:
 * @error: a #GError
 *
 * Returns: (transfer full): a cause with the error's domain, its code as a
 *   number, and its message
 *
 * Since: 0.1
 */
GstOrchCause *
gst_orch_cause_new_from_error (const GError * error)
{
  gchar code[16];

  g_snprintf (code, sizeof code, "%d", error->code);
  return orch_cause_new (g_quark_to_string (error->domain), code,
      error->message, NULL, NULL);
}

/**
 * gst_orch_cause_ref:
 * @cause: a #GstOrchCause
 *
 * Returns: (transfer full): @cause
 *
 * Since: 0.1
 */
GstOrchCause *
gst_orch_cause_ref (GstOrchCause * cause)
{
  return orch_cause_ref (cause);
}

/**
 * gst_orch_cause_unref:
 * @cause: (transfer full): a #GstOrchCause
 *
 * Since: 0.1
 */
void
gst_orch_cause_unref (GstOrchCause * cause)
{
  orch_cause_unref (cause);
}

/**
 * gst_orch_cause_get_domain:
 * @cause: a #GstOrchCause
 *
 * Returns: whose code it is
 *
 * Since: 0.1
 */
const gchar *
gst_orch_cause_get_domain (GstOrchCause * cause)
{
  return cause->domain;
}

/**
 * gst_orch_cause_get_code:
 * @cause: a #GstOrchCause
 *
 * Returns: the code, a short stable word
 *
 * Since: 0.1
 */
const gchar *
gst_orch_cause_get_code (GstOrchCause * cause)
{
  return cause->code;
}

/**
 * gst_orch_cause_get_message:
 * @cause: a #GstOrchCause
 *
 * Returns: a sentence for a person
 *
 * Since: 0.1
 */
const gchar *
gst_orch_cause_get_message (GstOrchCause * cause)
{
  return cause->message;
}

/**
 * gst_orch_cause_get_path:
 * @cause: a #GstOrchCause
 *
 * Returns: (nullable): path of the Entity where it arose
 *
 * Since: 0.1
 */
const gchar *
gst_orch_cause_get_path (GstOrchCause * cause)
{
  return cause->path;
}

/**
 * gst_orch_cause_get_call:
 * @cause: a #GstOrchCause
 *
 * Returns: (nullable): name of the element where it arose
 *
 * Since: 0.1
 */
const gchar *
gst_orch_cause_get_call (GstOrchCause * cause)
{
  return cause->call;
}

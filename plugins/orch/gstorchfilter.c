/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/**
 * SECTION:element-orchfilter
 * @title: orchfilter
 *
 * Lets pass the units for which a condition holds, and drops the others.  What
 * failed upstream stays failed, what was dropped stays dropped.
 *
 * The condition is the property `predicate`.  It is evaluated on the unit
 * itself or, when the pad `mask` is linked, on what arrives there for the same
 * unit, in either order.  Without a predicate that must be a boolean: the text
 * or JSON `true` or `false`, or the info field `mask`.  A condition that cannot be
 * evaluated fails the unit, with the cause `not-a-boolean`.
 *
 * A predicate compares fields with each other, with numbers and with texts, by
 * `==`, `!=`, `<`, `<=`, `>` and `>=`, joined by `and`, `or`, `not` and
 * parentheses; a boolean field may stand alone, and `has` asks whether a field is
 * there:
 *
 * * `info.quality`: a field of what Functions said of the unit;
 * * `caps.width`: a field of its caps; `caps` is the media type;
 * * `value`: its text, without white space around it; `value.lang`: a member of
 *   its JSON.
 *
 * Texts are put between quotation marks, unless they are one plain word.  One side
 * of a comparison is a field: `info.lang == en`, not `lang == en`.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 orchsrc location=docs ! orchpdfpages ! orchexpand ! orchpdftext ! orchfilter predicate="value != '' and info.quality < 0.05" ! orchreduce ! orchsink location=out.jsonl
 * ]| keeps the pages whose text layer can be trusted.
 */

#include "gstorchfilter.h"
#include "gstorchpredicate.h"
#include "gstorchpredicatefield.h"

#include <gst/orch/gstorchplan-private.h>

#include "lineage/orch-rules.h"

GST_DEBUG_CATEGORY_STATIC (gst_orch_filter_debug);
#define GST_CAT_DEFAULT gst_orch_filter_debug

enum
{
  PROP_0,
  PROP_PREDICATE,
};

struct _GstOrchFilter
{
  GstOrchZip zip;

  gchar *text;                  /* object lock */
  GstOrchPredicate *predicate;  /* (nullable): of this run; src task */
};

static GstStaticPadTemplate sink_template =
GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate mask_template =
GST_STATIC_PAD_TEMPLATE ("mask", GST_PAD_SINK, GST_PAD_REQUEST,
    GST_STATIC_CAPS_ANY);

G_DEFINE_FINAL_TYPE (GstOrchFilter, gst_orch_filter, GST_TYPE_ORCH_ZIP);
GST_ELEMENT_REGISTER_DEFINE (orchfilter, "orchfilter", GST_RANK_NONE,
    GST_TYPE_ORCH_FILTER);

/* ---- the condition ---- */

static OrchMask
read_boolean (const GstOrchZipValue * value, const gchar * const *names)
{
  GstOrchFieldSource source = { gst_orch_info_get (value->info), value->caps,
    value->buffer,
  };
  OrchMask result = ORCH_MASK_NOT_A_BOOLEAN;
  GstOrchFieldValue field;

  gst_orch_field_read (&source, names, &field);
  if (gst_orch_field_value_make_boolean (&field))
    result = field.boolean ? ORCH_MASK_TRUE : ORCH_MASK_FALSE;
  gst_orch_field_value_clear (&field);
  gst_orch_field_source_clear (&source);
  return result;
}

static OrchMask
read_mask (GstOrchFilter * self, const GstOrchZipValue * value,
    gchar ** reason)
{
  static const gchar *const of_value[] = { "value", NULL };
  static const gchar *const of_info[] = { "info", "mask", NULL };
  OrchMask mask;

  if (self->predicate)
    return gst_orch_predicate_evaluate (self->predicate,
        gst_orch_info_get (value->info), value->caps, value->buffer,
        reason);
  mask = read_boolean (value, of_value);
  if (mask == ORCH_MASK_NOT_A_BOOLEAN)
    mask = read_boolean (value, of_info);
  return mask;
}

/* (transfer full) */
static OrchCause *
new_cause (GstOrchFilter * self, OrchEntity * entity, const gchar * reason)
{
  g_autofree gchar *path = orch_entity_get_path (entity);
  g_autofree gchar *message = reason ? g_strdup_printf ("the predicate cannot "
      "be evaluated on this unit: %s", reason) : NULL;

  return orch_cause_new (ORCH_CAUSE_DOMAIN, ORCH_CODE_NOT_A_BOOLEAN, message
      ? message : "the mask is neither true nor false", path,
      GST_OBJECT_NAME (self));
}

static OrchCause *
ref_cause (OrchCause * cause)
{
  return cause ? orch_cause_ref (cause) : NULL;
}

static void
gst_orch_filter_decide (GstOrchZip * zip, GstOrchZipRow * row,
    GstOrchZipValue * result)
{
  GstOrchFilter *self = GST_ORCH_FILTER (zip);
  const GstOrchZipValue *source = &row->values[0];
  const GstOrchZipValue *mask = &row->values[row->n - 1];
  OrchMask value = ORCH_MASK_TRUE;
  g_autofree gchar *reason = NULL;
  gboolean from_mask;

  if (source->outcome == ORCH_OUTCOME_PRESENT
      && mask->outcome == ORCH_OUTCOME_PRESENT)
    value = read_mask (self, mask, &reason);
  result->outcome =
      orch_rule_filter (source->outcome, mask->outcome, value, &from_mask);
  if (result->outcome == ORCH_OUTCOME_UNRESOLVED)
    return;
  if (result->outcome == ORCH_OUTCOME_PRESENT) {
    gst_orch_zip_value_copy (result, source);
    return;
  }
  result->info = gst_orch_info_ref (source->info);
  if (value == ORCH_MASK_NOT_A_BOOLEAN)
    result->cause = new_cause (self, row->entity, reason);
  else
    result->cause = ref_cause (from_mask ? mask->cause : source->cause);
}

/* ---- what is wrong ---- */

/* (transfer full) (nullable): of this run, if there is one that is one */
static GstOrchPredicate *
parse_predicate (GstOrchFilter * self, gboolean * is_set, GError ** error)
{
  g_autofree gchar *text = NULL;

  GST_OBJECT_LOCK (self);
  text = g_strdup (self->text);
  GST_OBJECT_UNLOCK (self);
  *is_set = text != NULL;
  return text ? gst_orch_predicate_parse (text, error) : NULL;
}

/* (transfer full) (nullable): why it does not know what to let pass */
static gchar *
explain_condition (GstOrchFilter * self, gboolean has_mask,
    const gchar ** advice)
{
  g_autoptr (GError) error = NULL;
  gboolean is_set;
  GstOrchPredicate *predicate = parse_predicate (self, &is_set, &error);

  gst_orch_predicate_free (predicate);
  if (error) {
    *advice = "One that is: info.quality < 0.9 and (value != '' or has info.lang).";
    return g_strdup_printf ("The predicate of %s is not one: %s.",
        GST_OBJECT_NAME (self), error->message);
  }
  if (is_set || has_mask)
    return NULL;
  *advice = "Set the property \"predicate\", or link its pad \"mask\".";
  return g_strdup_printf ("%s does not know what to let pass.",
      GST_OBJECT_NAME (self));
}

static gboolean
has_mask_pad (GstElement * element)
{
  GstPad *pad = gst_element_get_static_pad (element, "mask");
  gboolean result = pad != NULL;

  gst_clear_object (&pad);
  return result;
}

static gchar *
explain_settings (GstElement * element, const gchar ** advice)
{
  return explain_condition (GST_ORCH_FILTER (element), has_mask_pad (element),
      advice);
}

/* A plan has seen it, unless links were missing. */
static gboolean
gst_orch_filter_begin (GstOrchZip * zip)
{
  GstOrchFilter *self = GST_ORCH_FILTER (zip);
  const gchar *advice = NULL;
  g_autofree gchar *message = NULL;

  if (g_str_equal (GST_OBJECT_NAME (gst_orch_zip_get_pad (zip, 0)), "sink")) {
    message = explain_condition (self, gst_orch_zip_get_n_inputs (zip) > 1,
        &advice);
  } else {
    message = g_strdup_printf ("Nothing comes to the pad sink of %s.",
        GST_OBJECT_NAME (self));
    advice = "Link it before data flow.";
  }
  if (message)
    GST_ELEMENT_ERROR (self, LIBRARY, SETTINGS, ("%s", message), ("%s",
            advice));
  return message == NULL;
}

/* ---- states ---- */

static GstStateChangeReturn
gst_orch_filter_change_state (GstElement * element, GstStateChange transition)
{
  GstOrchFilter *self = GST_ORCH_FILTER (element);
  gboolean is_set;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    gst_orch_predicate_free (self->predicate);
    self->predicate = parse_predicate (self, &is_set, NULL);
  }
  return GST_ELEMENT_CLASS (gst_orch_filter_parent_class)->change_state
      (element, transition);
}

/* ---- properties and pads ---- */

static void
gst_orch_filter_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstOrchFilter *self = GST_ORCH_FILTER (object);

  if (id != PROP_PREDICATE) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  GST_OBJECT_LOCK (self);
  g_free (self->text);
  self->text = g_value_dup_string (value);
  GST_OBJECT_UNLOCK (self);
}

static void
gst_orch_filter_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstOrchFilter *self = GST_ORCH_FILTER (object);

  if (id != PROP_PREDICATE) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  GST_OBJECT_LOCK (self);
  g_value_set_string (value, self->text);
  GST_OBJECT_UNLOCK (self);
}

static GstPad *
gst_orch_filter_request_new_pad (GstElement * element, GstPadTemplate * templ,
    const gchar * name, const GstCaps * caps)
{
  if (has_mask_pad (element))
    return NULL;
  return gst_orch_zip_request_input (GST_ORCH_ZIP (element),
      gst_pad_new_from_template (templ, "mask"), 1);
}

static void
gst_orch_filter_release_pad (GstElement * element, GstPad * pad)
{
  gst_orch_zip_remove_input (GST_ORCH_ZIP (element), pad);
}

static void
gst_orch_filter_finalize (GObject * object)
{
  GstOrchFilter *self = GST_ORCH_FILTER (object);

  g_free (self->text);
  gst_orch_predicate_free (self->predicate);
  G_OBJECT_CLASS (gst_orch_filter_parent_class)->finalize (object);
}

static void
gst_orch_filter_class_init (GstOrchFilterClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstOrchZipClass *zip_class = GST_ORCH_ZIP_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (gst_orch_filter_debug, "orchfilter", 0,
      "Drops units by a condition");
  object_class->set_property = gst_orch_filter_set_property;
  object_class->get_property = gst_orch_filter_get_property;
  object_class->finalize = gst_orch_filter_finalize;
  g_object_class_install_property (object_class, PROP_PREDICATE,
      g_param_spec_string ("predicate", "Predicate",
          "What must hold of a unit, or of what its mask says, for it to pass: "
          "\"info.quality < 0.9 and (value.lang == en or caps.width >= 64)\" "
          "(unset = the mask is a boolean)", NULL, G_PARAM_READWRITE |
          G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY));
  element_class->change_state = gst_orch_filter_change_state;
  element_class->request_new_pad = gst_orch_filter_request_new_pad;
  element_class->release_pad = gst_orch_filter_release_pad;
  gst_orch_plan_set_settings_func (G_TYPE_FROM_CLASS (klass),
      explain_settings);
  zip_class->begin = gst_orch_filter_begin;
  zip_class->decide = gst_orch_filter_decide;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &mask_template);
  gst_element_class_set_static_metadata (element_class, "Filter",
      "Generic/Orch",
      "Lets pass the units for which a condition holds", "The gst-orch authors");
  gst_element_class_add_static_metadata (element_class,
      GST_ORCH_METADATA_KIND, "filter");
}

static void
gst_orch_filter_init (GstOrchFilter * self)
{
  gst_orch_zip_add_input (GST_ORCH_ZIP (self),
      gst_pad_new_from_static_template (&sink_template, "sink"), 0);
}

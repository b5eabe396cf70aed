/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchplan.h>
#include <gst/orch/gstorchport-private.h>

G_BEGIN_DECLS

/* Key of an element class's metadata that says what the element is in a plan,
 * by the nick of its kind.  A GstOrchCall needs none. */
#define GST_ORCH_METADATA_KIND "orch-kind"

typedef enum
{
  GST_ORCH_PLAN_SOURCE,
  GST_ORCH_PLAN_CALL,
  GST_ORCH_PLAN_EXPAND,
  GST_ORCH_PLAN_REDUCE,
  GST_ORCH_PLAN_FILTER,
  GST_ORCH_PLAN_JOIN,
  GST_ORCH_PLAN_SINK,
} GstOrchPlanKind;

typedef struct _GstOrchPlanNode GstOrchPlanNode;
typedef struct _GstOrchPlanDomain GstOrchPlanDomain;
typedef struct _GstOrchPlanValue GstOrchPlanValue;

/* A level.  Who stands above the topmost one that is known may not be known
 * yet. */
struct _GstOrchPlanDomain
{
  gchar *name;
  GstOrchPlanDomain *parent;
  gboolean is_root;
  gboolean is_merged;           /* root units of several sources */
  gboolean mixes;               /* children of several parents take turns */
  GstOrchPlanNode *opener;      /* the expansion, or the source */
};

/* What is known of values: their caps, and those of their elements if they are
 * lists. */
struct _GstOrchPlanValue
{
  GstCaps *caps;
  GstOrchPlanValue *element;    /* (nullable): unknown, or no list */
};

/* A Port. */
typedef struct
{
  GstOrchPlanNode *node;
  GstPad *pad;                  /* while the plan is made */
  gchar *name;
  GstOrchDomainRelation relation;
  GstOrchPlanDomain *domain;    /* (nullable): unknown */
  GstOrchPlanValue *value;      /* (nullable): unknown */
  gboolean is_consumed;
} GstOrchPlanOutput;

/* A sink pad of ours, or one where data leave us, and what feeds it. */
typedef struct
{
  GstOrchPlanNode *node;        /* (nullable): not ours */
  GstPad *pad;                  /* while the plan is made */
  gchar *name;
  GPtrArray *from;              /* GstOrchPlanOutput */
  GPtrArray *between;           /* names of the other elements on the way */
  GPtrArray *elements;          /* and themselves, while the plan is made */
  gboolean is_complete;         /* every way up is linked */
  gboolean has_plain;           /* a way up comes to a source of another kind */
  gboolean domains_differ;
  GstOrchPlanDomain *domain;    /* (nullable): unknown */
  GstOrchPlanValue *value;      /* (nullable): unknown */
} GstOrchPlanInput;

/* An element of ours. */
struct _GstOrchPlanNode
{
  GstElement *element;          /* while the plan is made */
  GstOrchPlanKind kind;
  gchar *name;
  gchar *function;              /* (nullable): of a Call */
  GPtrArray *inputs;            /* GstOrchPlanInput: those that are linked */
  GPtrArray *outputs;           /* GstOrchPlanOutput */
  GstOrchPlanDomain *domain;    /* (nullable): of what it works on */
  guint progress;               /* of resolving it */
};

typedef struct
{
  gboolean is_error;
  GstElement *element;          /* while the plan is made and reported */
  gchar *name;
  gchar *message;               /* names the element */
  gchar *advice;                /* (nullable): the message gives one */
} GstOrchPlanFinding;

struct _GstOrchPlan
{
  gint refs;
  gchar *name;
  gboolean is_complete;
  gboolean makes_links;         /* an element of another kind gets src pads while
                                 * it runs */
  GPtrArray *nodes;             /* sources first */
  GPtrArray *ends;              /* GstOrchPlanInput of sinks that are not ours */
  GPtrArray *domains;           /* parents first */
  GPtrArray *values;
  GPtrArray *findings;          /* errors first */
};

G_GNUC_INTERNAL const gchar *gst_orch_plan_kind_get_nick (GstOrchPlanKind
    kind);

/* gstorchplanwalk.c: the nodes, and which Port feeds which pad */
G_GNUC_INTERNAL void gst_orch_plan_walk (GstOrchPlan * plan, GstBin * bin);
G_GNUC_INTERNAL void gst_orch_plan_node_free (gpointer node);
G_GNUC_INTERNAL void gst_orch_plan_input_free (gpointer input);

/* gstorchplandomain.c: Domains and values */
G_GNUC_INTERNAL void gst_orch_plan_resolve (GstOrchPlan * plan);
G_GNUC_INTERNAL void gst_orch_plan_domain_free (gpointer domain);
/* `above` is `domain`, or above it; FALSE when that is not known, too. */
G_GNUC_INTERNAL gboolean gst_orch_plan_domain_reaches (GstOrchPlanDomain *
    domain, GstOrchPlanDomain * above);
/* It is certain that it is neither. */
G_GNUC_INTERNAL gboolean gst_orch_plan_domain_misses (GstOrchPlanDomain *
    domain, GstOrchPlanDomain * above);

/* gstorchplanvalue.c: what is known of values */
G_GNUC_INTERNAL GstOrchPlanValue *gst_orch_plan_output_get_value (GstOrchPlan *
    plan, GstOrchPlanOutput * output);
G_GNUC_INTERNAL GstOrchPlanValue *gst_orch_plan_input_get_value (GstOrchPlan *
    plan, GstOrchPlanInput * input);
G_GNUC_INTERNAL void gst_orch_plan_value_free (gpointer value);
G_GNUC_INTERNAL gboolean gst_orch_plan_value_is_list (GstOrchPlanValue *
    value);

/* gstorchplancheck.c: what is wrong */
G_GNUC_INTERNAL void gst_orch_plan_check_nodes (GstOrchPlan * plan);
G_GNUC_INTERNAL void gst_orch_plan_finding_free (gpointer finding);
/* `message` (transfer full); the same one again is left out; `advice` (nullable). */
G_GNUC_INTERNAL void gst_orch_plan_add_finding (GstOrchPlan * plan,
    gboolean is_error, GstElement * element, gchar * message,
    const gchar * advice);

/* (transfer full) (nullable): what is wrong with the settings of an element of this
 * type, by itself and in any state; `advice` is to be set, too. */
typedef gchar *(*GstOrchPlanSettingsFunc) (GstElement * element,
    const gchar ** advice);
GST_ORCH_API void gst_orch_plan_set_settings_func (GType type,
    GstOrchPlanSettingsFunc func);

/* gstorchplanbetween.c: what other elements do to lineage */
G_GNUC_INTERNAL void gst_orch_plan_check_between (GstOrchPlan * plan,
    GstOrchPlanInput * input);

/* gstorchplanreport.c: at READY->PAUSED.  FALSE, with an element error posted,
 * when the pipeline cannot work.  The first element of ours that gets there
 * checks for all. */
GST_ORCH_API gboolean gst_orch_plan_check (GstElement * element);
/* A stream has started on the pad of a subscriber that no plan knows, or that
 * Ports feed which were not there. */
G_GNUC_INTERNAL void gst_orch_plan_check_again (GstPad * sinkpad);

/* The plan while its elements are still known; gst_orch_plan_settle() forgets
 * them. */
G_GNUC_INTERNAL GstOrchPlan *gst_orch_plan_make (GstElement * pipeline);
G_GNUC_INTERNAL void gst_orch_plan_settle (GstOrchPlan * plan);

/* Of how many Ports the plan knows that they feed the pad, or: */
#define GST_ORCH_NOT_PLANNED (-1)
/* Links were missing in the pipeline. */
#define GST_ORCH_PLANNED_IN_PART (-2)

G_GNUC_INTERNAL void gst_orch_subscriber_set_n_planned (GstOrchSubscriber *
    subscriber, gint n_ports);
G_GNUC_INTERNAL gint gst_orch_subscriber_get_n_planned (GstOrchSubscriber *
    subscriber);

G_END_DECLS

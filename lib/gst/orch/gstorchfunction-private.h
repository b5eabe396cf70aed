/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchfunction.h>

G_BEGIN_DECLS

/* Outputs of a Function, the first included. */
#define GST_ORCH_MAX_OUTPUTS 32

/* A further output of a Function. */
typedef struct
{
  gchar *name;
  GstCaps *caps;
} GstOrchFunctionOutput;

typedef struct
{
  gchar *name;                  /* "pdf-render", set when it is registered */
  gchar *long_name;
  gchar *description;
  gchar *author;
  GstCaps *sink_caps;
  GstCaps *src_caps;
  GPtrArray *outputs;           /* GstOrchFunctionOutput, of output 1 and up */
  GstCaps *element_caps;        /* (nullable): of the elements of its lists */
  gboolean can_group_fail;
  gboolean trusted;
} GstOrchFunctionTraits;

/* (transfer none): what the class declares; never NULL */
G_GNUC_INTERNAL const GstOrchFunctionTraits *gst_orch_function_class_get_traits
    (GstOrchFunctionClass * klass);
G_GNUC_INTERNAL void gst_orch_function_class_set_name (GstOrchFunctionClass *
    klass, const gchar * name);

/* How many outputs it has beside the first: 0 .. GST_ORCH_MAX_OUTPUTS - 1. */
G_GNUC_INTERNAL guint gst_orch_function_get_n_further (GstOrchFunction *
    function);
/* (transfer none): what is declared of output 1 and up */
G_GNUC_INTERNAL const GstOrchFunctionOutput *gst_orch_function_get_further
    (GstOrchFunction * function, guint output);

/* (transfer full) (nullable): the factory of the element that runs the Function */
G_GNUC_INTERNAL GstPluginFeature *gst_orch_function_find (const gchar * name);

/* The element generated for a Function, a subclass of GstOrchCall. */
G_GNUC_INTERNAL GType gst_orch_generated_get_type (GType function,
    const gchar * name);

/* Key of an element factory's metadata that names the Function it runs. */
#define GST_ORCH_METADATA_FUNCTION "orch-function"

G_END_DECLS

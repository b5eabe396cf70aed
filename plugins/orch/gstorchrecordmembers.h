/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "gstorchrecord.h"

G_BEGIN_DECLS

/* What became of the members of one Entity's value. */
typedef struct
{
  GstOrchListCounts counts;
  GArray *failures;             /* GstOrchFailure, sorted by path */
} GstOrchMembers;

/* A member that is not there, or not as it should be. */
typedef struct
{
  OrchEntity *entity;           /* (nullable) owned; NULL: a list that no reduce made */
  gchar *id;
  gchar *path;
  OrchOutcome outcome;
  OrchCause *cause;             /* (nullable) owned */
} GstOrchFailure;

void gst_orch_members_init (GstOrchMembers * members,
    const GstOrchResult * result);
void gst_orch_members_clear (GstOrchMembers * members);
/* (transfer full): one sentence; NULL when nothing is missing */
gchar *gst_orch_members_summarize (const GstOrchMembers * members,
    const GstOrchResult * result);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GstOrchNameTemplate: file names with placeholders, "out/{dir}/{stem}.txt".
 *
 *   {stem}  the document's file name without its extension
 *   {dir}   its folder, relative to the working directory if it lies below that,
 *           else from the root folder down
 *   {id}    the record's id
 *   {page}  the number of the page, 1-based
 *
 * What a document contributes is made safe: it can neither leave the folder
 * ahead of the first placeholder nor hide in it.
 */
typedef struct _GstOrchNameTemplate GstOrchNameTemplate;

/* TRUE when `location` has placeholders or something that looks like one. */
gboolean gst_orch_name_template_is_one (const gchar * location);
/* NULL with `error` set when a placeholder is unknown. */
GstOrchNameTemplate *gst_orch_name_template_new (const gchar * location,
    GError ** error);
void gst_orch_name_template_free (GstOrchNameTemplate * names);
/* (transfer none): the folder ahead of the first placeholder, "." for none */
const gchar *gst_orch_name_template_get_base (GstOrchNameTemplate * names);

typedef struct
{
  const gchar *uri;
  const gchar *id;
  guint64 page;
} GstOrchNameValues;

/* (transfer full): a path below the base.  `suffix` (nullable) goes ahead of
 * the extension. */
gchar *gst_orch_name_template_expand (GstOrchNameTemplate * names,
    const GstOrchNameValues * values, const gchar * suffix);

G_END_DECLS

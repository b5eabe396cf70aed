/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* A value that a record only names: a picture, sound or film. */
typedef struct
{
  gchar *name;                  /* of its file */
  GstBuffer *buffer;
} GstOrchMedium;

/**
 * GstOrchRecordMedia: the media of one record, and how they are named: after the
 * record, and by where in the record they stand:
 *
 *   film-3b2f.../0002-0007-thumbnail.jpg    separator "/"
 *   film-3b2f... .0002-0007-thumbnail.jpg   separator "."
 *
 * Names are the same in every run.
 */
typedef struct
{
  gchar *key;                   /* what all names begin with: one path component */
  gchar separator;
  gchar *base;                  /* URI ahead of the names in the record, or "" */
  GString *place;               /* of the value that is looked at */
  GPtrArray *media;             /* GstOrchMedium */
} GstOrchRecordMedia;

/* `place`: ordinals below the document, "" or "2/7". */
GstOrchRecordMedia *gst_orch_record_media_new (const gchar * key,
    gchar separator, const gchar * base, const gchar * place);
void gst_orch_record_media_free (GstOrchRecordMedia * self);

/* Into a part of the value, and back; the length to go back to. */
gsize gst_orch_record_media_enter_ordinal (GstOrchRecordMedia * self,
    guint64 ordinal);
gsize gst_orch_record_media_enter_name (GstOrchRecordMedia * self,
    const gchar * name);
void gst_orch_record_media_leave (GstOrchRecordMedia * self, gsize length);

/* (transfer full): the URI of the file that `buffer` goes to. */
gchar *gst_orch_record_media_add (GstOrchRecordMedia * self,
    GstBuffer * buffer, GstCaps * caps);

/* (transfer full): a key for a document of that URI and place that no other one
 * has.  `identity`: whatever tells it from others of that URI. */
gchar *gst_orch_record_media_make_key (const gchar * uri,
    const gchar * identity);

/* TRUE for encoded pictures, sound and film: what stands for itself in a file. */
gboolean gst_orch_caps_are_media (GstCaps * caps);
/* (transfer full): caps of all of them */
GstCaps *gst_orch_media_caps_new (void);

G_END_DECLS

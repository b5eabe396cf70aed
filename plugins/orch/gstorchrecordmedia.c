/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchrecordmedia.h"

#include "gstorchnametemplate.h"

#include <string.h>

/* Of a SHA-256: no two documents share so many by chance. */
#define KEY_DIGITS 12

static const struct
{
  const gchar *type;
  const gchar *extension;
} media_types[] = {
  {"image/jpeg", "jpg"},
  {"image/png", "png"},
  {"image/webp", "webp"},
  {"image/gif", "gif"},
  {"image/tiff", "tiff"},
  {"image/bmp", "bmp"},
  {"image/svg+xml", "svg"},
  {"video/quicktime", "mp4"},
  {"video/x-matroska", "mkv"},
  {"video/webm", "webm"},
  {"video/mpegts", "ts"},
  {"video/x-msvideo", "avi"},
  {"audio/mpeg", "mp3"},
  {"audio/x-wav", "wav"},
  {"audio/x-flac", "flac"},
  {"audio/ogg", "ogg"},
  {"audio/x-m4a", "m4a"},
};

/* ---- kinds ---- */

static const gchar *
find_extension (const gchar * type)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (media_types); i++)
    if (strcmp (media_types[i].type, type) == 0)
      return media_types[i].extension;
  return NULL;
}

gboolean
gst_orch_caps_are_media (GstCaps * caps)
{
  return caps && gst_caps_get_size (caps) == 1
      && find_extension (gst_structure_get_name (gst_caps_get_structure (caps,
              0))) != NULL;
}

GstCaps *
gst_orch_media_caps_new (void)
{
  GstCaps *caps = gst_caps_new_empty ();
  guint i;

  for (i = 0; i < G_N_ELEMENTS (media_types); i++)
    gst_caps_append_structure (caps,
        gst_structure_new_empty (media_types[i].type));
  return caps;
}

/* ---- names ---- */

static void
medium_free (gpointer data)
{
  GstOrchMedium *medium = data;

  g_free (medium->name);
  gst_buffer_unref (medium->buffer);
  g_free (medium);
}

GstOrchRecordMedia *
gst_orch_record_media_new (const gchar * key, gchar separator,
    const gchar * base, const gchar * place)
{
  GstOrchRecordMedia *self = g_new0 (GstOrchRecordMedia, 1);
  g_auto (GStrv) ordinals = g_strsplit (place, "/", -1);
  guint i;

  self->key = g_strdup (key);
  self->separator = separator;
  self->base = g_strdup (base);
  self->place = g_string_new (NULL);
  self->media = g_ptr_array_new_with_free_func (medium_free);
  for (i = 0; ordinals[i]; i++)
    if (*ordinals[i])
      gst_orch_record_media_enter_ordinal (self,
          g_ascii_strtoull (ordinals[i], NULL, 10));
  return self;
}

void
gst_orch_record_media_free (GstOrchRecordMedia * self)
{
  if (!self)
    return;
  g_free (self->key);
  g_free (self->base);
  g_string_free (self->place, TRUE);
  g_ptr_array_unref (self->media);
  g_free (self);
}

static gsize
enter (GstOrchRecordMedia * self, const gchar * part)
{
  gsize length = self->place->len;

  if (length)
    g_string_append_c (self->place, '-');
  g_string_append (self->place, part);
  return length;
}

/* Padded, so that files are listed in their order. */
gsize
gst_orch_record_media_enter_ordinal (GstOrchRecordMedia * self,
    guint64 ordinal)
{
  gchar part[24];

  g_snprintf (part, sizeof part, "%04" G_GUINT64_FORMAT, ordinal);
  return enter (self, part);
}

gsize
gst_orch_record_media_enter_name (GstOrchRecordMedia * self,
    const gchar * name)
{
  g_autofree gchar *part = g_strdup (name ? name : "");

  if (!*part)
    return self->place->len;
  g_strcanon (part, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_", '_');
  return enter (self, part);
}

void
gst_orch_record_media_leave (GstOrchRecordMedia * self, gsize length)
{
  g_string_truncate (self->place, length);
}

gchar *
gst_orch_record_media_add (GstOrchRecordMedia * self, GstBuffer * buffer,
    GstCaps * caps)
{
  GstOrchMedium *medium = g_new (GstOrchMedium, 1);
  g_autofree gchar *escaped = NULL;

  medium->name = g_strdup_printf ("%s%c%s.%s", self->key, self->separator,
      self->place->str,
      find_extension (gst_structure_get_name (gst_caps_get_structure (caps,
                  0))));
  medium->buffer = gst_buffer_ref (buffer);
  g_ptr_array_add (self->media, medium);
  escaped = g_uri_escape_string (medium->name, "/", FALSE);
  return g_strconcat (self->base, escaped, NULL);
}

/* A dot would end the key of a sample in a shard. */
gchar *
gst_orch_record_media_make_key (const gchar * uri, const gchar * identity)
{
  GstOrchNameTemplate *names = gst_orch_name_template_new ("{stem}", NULL);
  GstOrchNameValues values = { uri, "", 0 };
  g_autofree gchar *stem = gst_orch_name_template_expand (names, &values, NULL);
  g_autofree gchar *all = g_strconcat (uri, "\n", identity, NULL);
  g_autofree gchar *hash =
      g_compute_checksum_for_string (G_CHECKSUM_SHA256, all, -1);

  gst_orch_name_template_free (names);
  g_strdelimit (stem, ".", '_');
  return g_strdup_printf ("%s-%.*s", stem, KEY_DIGITS, hash);
}

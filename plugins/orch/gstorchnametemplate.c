/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchnametemplate.h"

#include <string.h>

/* A file system allows 255; a suffix must fit in too. */
#define MAX_COMPONENT 200
#define MAX_EXTENSION 16

struct _GstOrchNameTemplate
{
  gchar *base;
  gchar *cwd;
  gchar **components;
};

gboolean
gst_orch_name_template_is_one (const gchar * location)
{
  const gchar *open = strchr (location, '{');

  return open && strchr (open, '}');
}

/* ---- what a document contributes ---- */

/* (transfer full): the path of a local document, else its URI without scheme */
static gchar *
uri_to_path (const gchar * uri)
{
  gchar *path = g_filename_from_uri (uri, NULL, NULL);
  const gchar *rest = strstr (uri, "://");
  g_autofree gchar *bare = NULL;

  if (path)
    return path;
  bare = g_strdup (rest ? rest + 3 : uri);
  bare[strcspn (bare, "?#")] = '\0';
  path = g_uri_unescape_string (bare, NULL);
  return path ? path : g_steal_pointer (&bare);
}

static gchar *
get_stem (const gchar * path)
{
  const gchar *slash = strrchr (path, '/');
  gchar *stem = g_strdup (slash ? slash + 1 : path);
  gchar *dot = strrchr (stem, '.');

  if (dot && dot != stem)
    *dot = '\0';
  if (stem[0])
    return stem;
  g_free (stem);
  return g_strdup ("_");
}

static gchar *
get_folder (const gchar * path, const gchar * cwd)
{
  const gchar *slash = strrchr (path, '/');
  g_autofree gchar *folder = g_strndup (path, slash ? slash - path : 0);
  gsize n = strlen (cwd);

  if (g_str_has_prefix (folder, cwd) && (folder[n] == '/' || !folder[n]))
    return g_strdup (folder[n] ? folder + n + 1 : "");
  return g_strdup (folder[0] == '/' ? folder + 1 : folder);
}

/* ---- making it safe ---- */

/* Cuts without splitting a character, and keeps two long names apart. */
static void
shorten (GString * name)
{
  g_autofree gchar *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256,
      name->str, name->len);
  const gchar *dot = strrchr (name->str, '.');
  g_autofree gchar *extension =
      g_strdup (dot && strlen (dot) <= MAX_EXTENSION ? dot : "");
  gsize n = MAX_COMPONENT - MAX_EXTENSION - 9;

  while (n > 0 && ((guchar) name->str[n] & 0xc0) == 0x80)
    n--;
  g_string_truncate (name, n);
  g_string_append_printf (name, "~%.8s%s", hash, extension);
}

static void
make_safe (GString * name)
{
  gsize i;

  for (i = 0; i < name->len; i++)
    if ((guchar) name->str[i] < 0x20 || name->str[i] == 0x7f
        || name->str[i] == '/')
      name->str[i] = '_';
  if (name->len == 0 || strcmp (name->str, ".") == 0
      || strcmp (name->str, "..") == 0)
    g_string_assign (name, "_");
  if (name->len > MAX_COMPONENT)
    shorten (name);
}

static void
append_component (GString * path, const GString * name)
{
  if (path->len)
    g_string_append_c (path, '/');
  g_string_append_len (path, name->str, name->len);
}

static void
append_folder (GString * path, const gchar * folder)
{
  g_auto (GStrv) parts = g_strsplit (folder, "/", -1);
  guint i;

  for (i = 0; parts[i]; i++) {
    GString *name = g_string_new (parts[i]);

    if (name->len) {
      make_safe (name);
      append_component (path, name);
    }
    g_string_free (name, TRUE);
  }
}

/* ---- the template ---- */

static gboolean
check_placeholders (const gchar * location, GError ** error)
{
  static const gchar *const known[] = { "stem", "dir", "id", "page", NULL };
  const gchar *open = location, *close;

  while ((open = strchr (open, '{')) && (close = strchr (open, '}'))) {
    g_autofree gchar *word = g_strndup (open + 1, close - open - 1);

    if (!g_strv_contains (known, word)) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME,
          "The location \"%s\" has the unknown placeholder {%s}; there are "
          "{stem}, {dir}, {id} and {page}.", location, word);
      return FALSE;
    }
    open = close;
  }
  return TRUE;
}

GstOrchNameTemplate *
gst_orch_name_template_new (const gchar * location, GError ** error)
{
  GstOrchNameTemplate *names;
  const gchar *open, *slash;

  if (!check_placeholders (location, error))
    return NULL;
  open = strchr (location, '{');
  slash = g_strrstr_len (location, open - location, "/");
  names = g_new0 (GstOrchNameTemplate, 1);
  names->cwd = g_get_current_dir ();
  if (!slash)
    names->base = g_strdup (".");
  else
    names->base = slash == location ? g_strdup ("/")
        : g_strndup (location, slash - location);
  names->components = g_strsplit (slash ? slash + 1 : location, "/", -1);
  return names;
}

void
gst_orch_name_template_free (GstOrchNameTemplate * names)
{
  if (!names)
    return;
  g_free (names->base);
  g_free (names->cwd);
  g_strfreev (names->components);
  g_free (names);
}

const gchar *
gst_orch_name_template_get_base (GstOrchNameTemplate * names)
{
  return names->base;
}

/* Replaces in one go: what a document contributes is not looked at again. */
static GString *
expand_component (const gchar * component, const gchar * stem,
    const gchar * folder, const GstOrchNameValues * values)
{
  GString *name = g_string_new (NULL);

  while (*component) {
    if (g_str_has_prefix (component, "{stem}"))
      g_string_append (name, stem);
    else if (g_str_has_prefix (component, "{dir}"))
      g_string_append (name, folder);
    else if (g_str_has_prefix (component, "{id}"))
      g_string_append (name, values->id);
    else if (g_str_has_prefix (component, "{page}"))
      g_string_append_printf (name, "%" G_GUINT64_FORMAT, values->page);
    else
      g_string_append_c (name, *component);
    component = *component == '{' && strchr (component, '}')
        ? strchr (component, '}') + 1 : component + 1;
  }
  return name;
}

static void
insert_suffix (GString * name, const gchar * suffix)
{
  const gchar *dot = strrchr (name->str, '.');

  g_string_insert (name, dot && dot != name->str ? dot - name->str : -1,
      suffix);
}

gchar *
gst_orch_name_template_expand (GstOrchNameTemplate * names,
    const GstOrchNameValues * values, const gchar * suffix)
{
  g_autofree gchar *source = uri_to_path (values->uri);
  g_autofree gchar *stem = get_stem (source);
  g_autofree gchar *folder = get_folder (source, names->cwd);
  GString *path = g_string_new (NULL);
  guint i;

  for (i = 0; names->components[i]; i++) {
    GString *name;

    if (strcmp (names->components[i], "{dir}") == 0
        && names->components[i + 1]) {
      append_folder (path, folder);
      continue;
    }
    name = expand_component (names->components[i], stem, folder, values);
    make_safe (name);
    if (suffix && !names->components[i + 1])
      insert_suffix (name, suffix);
    append_component (path, name);
    g_string_free (name, TRUE);
  }
  return g_string_free (path, FALSE);
}

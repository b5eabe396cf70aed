/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchsourcelist.h"

#include "gstorchbytesource.h"
#include "gstorchfolder.h"
#include "gstorchlistfile.h"

#include <errno.h>
#include <glob.h>
#include <string.h>
#include <sys/stat.h>

/* Where one location is being read: at most one of these is open. */
struct _GstOrchSourceList
{
  GstOrchSourceConfig config;
  gchar *cwd;
  guint next_location;
  gboolean list_is_read;

  gchar *location;              /* the one that is open, NULL for the list */
  gchar **names;                /* of a glob, sorted */
  guint next_name;
  GstOrchFolder *folder;
  GstOrchListFile *file;
  guint64 n_found;              /* in this location */
};

void
gst_orch_source_entry_clear (GstOrchSourceEntry * entry)
{
  g_clear_pointer (&entry->uri, g_free);
  gst_clear_structure (&entry->fields);
  g_clear_pointer (&entry->cause, orch_cause_unref);
}

void
gst_orch_source_config_copy (GstOrchSourceConfig * copy,
    const GstOrchSourceConfig * config)
{
  copy->locations = g_strdupv (config->locations);
  copy->list = g_strdup (config->list);
  copy->pattern = g_strdup (config->pattern);
  copy->recursive = config->recursive;
}

void
gst_orch_source_config_clear (GstOrchSourceConfig * config)
{
  g_clear_pointer (&config->locations, g_strfreev);
  g_clear_pointer (&config->list, g_free);
  g_clear_pointer (&config->pattern, g_free);
}

static gboolean
is_regular_file (const gchar * path)
{
  struct stat st;

  return stat (path, &st) == 0 && S_ISREG (st.st_mode);
}

gboolean
gst_orch_source_config_can_repeat (const GstOrchSourceConfig * config)
{
  gchar **location;

  for (location = config->locations; location && *location; location++)
    if (strcmp (*location, "-") == 0)
      return FALSE;
  return !config->list || is_regular_file (config->list);
}

GstOrchSourceList *
gst_orch_source_list_new (const GstOrchSourceConfig * config)
{
  GstOrchSourceList *list = g_new0 (GstOrchSourceList, 1);

  gst_orch_source_config_copy (&list->config, config);
  list->cwd = g_get_current_dir ();
  return list;
}

static void
close_location (GstOrchSourceList * list)
{
  g_clear_pointer (&list->location, g_free);
  g_clear_pointer (&list->names, g_strfreev);
  g_clear_pointer (&list->folder, gst_orch_folder_free);
  g_clear_pointer (&list->file, gst_orch_list_file_free);
  list->next_name = 0;
  list->n_found = 0;
}

void
gst_orch_source_list_free (GstOrchSourceList * list)
{
  if (!list)
    return;
  close_location (list);
  gst_orch_source_config_clear (&list->config);
  g_free (list->cwd);
  g_free (list);
}

void
gst_orch_source_list_get_config (GstOrchSourceList * list,
    GstOrchSourceConfig * config)
{
  gst_orch_source_config_copy (config, &list->config);
}

/* ---- opening a location ---- */

static gint
compare_strings (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const gchar * const *) a, *(const gchar * const *) b);
}

/* Sorted by bytes: the order must not depend on the locale. */
static gchar **
expand_pattern (const gchar * pattern, gboolean keep_folders)
{
  GPtrArray *names = g_ptr_array_new ();
  glob_t found;
  gsize i;

  if (glob (pattern, GLOB_NOSORT | GLOB_MARK, NULL, &found) == 0) {
    for (i = 0; i < found.gl_pathc; i++)
      if (keep_folders || !g_str_has_suffix (found.gl_pathv[i], "/"))
        g_ptr_array_add (names, g_strdup (found.gl_pathv[i]));
    globfree (&found);
  }
  g_ptr_array_sort (names, compare_strings);
  g_ptr_array_add (names, NULL);
  return (gchar **) g_ptr_array_free (names, FALSE);
}

/* The path when a location is local, written as a path or as a URI. */
static gchar *
local_location (const gchar * location)
{
  if (g_str_has_prefix (location, "file://"))
    return g_filename_from_uri (location, NULL, NULL);
  return strstr (location, "://") ? NULL : g_strdup (location);
}

static gboolean
open_location (GstOrchSourceList * list, const gchar * location,
    GError ** error)
{
  g_autofree gchar *path = local_location (location);

  list->location = g_strdup (location);
  if (strcmp (location, "-") == 0) {
    list->file = gst_orch_list_file_new (location, list->cwd, error);
    return list->file != NULL;
  }
  if (path && g_file_test (path, G_FILE_TEST_IS_DIR)) {
    list->folder = gst_orch_folder_new (path, list->config.pattern,
        list->config.recursive, error);
    return list->folder != NULL;
  }
  /* a name that exists is meant, whatever characters it has */
  if (path && path[strcspn (path, "*?[")]
      && !g_file_test (path, G_FILE_TEST_EXISTS)) {
    list->names = expand_pattern (path, list->config.recursive);
  } else {
    list->names = g_new0 (gchar *, 2);
    list->names[0] = g_strdup (location);
  }
  return TRUE;
}

static gboolean
open_next (GstOrchSourceList * list, GError ** error)
{
  gchar **locations = list->config.locations;

  if (locations && locations[list->next_location])
    return open_location (list, locations[list->next_location++], error);
  if (list->config.list && !list->list_is_read) {
    list->list_is_read = TRUE;
    list->file = gst_orch_list_file_new (list->config.list, list->cwd, error);
    return list->file != NULL;
  }
  return FALSE;
}

/* ---- reading it ---- */

static void
take_path (GstOrchSourceList * list, const gchar * path, GError * problem,
    GstOrchSourceEntry * entry)
{
  memset (entry, 0, sizeof *entry);
  entry->uri = gst_orch_list_file_to_uri (path, list->cwd);
  if (problem)
    entry->cause = orch_cause_new (GST_ORCH_SOURCE_DOMAIN, "not-readable",
        problem->message, NULL, NULL);
}

static gboolean
next_of_folder (GstOrchSourceList * list, GstOrchSourceEntry * entry)
{
  g_autoptr (GError) problem = NULL;
  g_autofree gchar *path = gst_orch_folder_next (list->folder, &problem);

  if (!path)
    return FALSE;
  take_path (list, path, problem, entry);
  return TRUE;
}

/* A pattern's folder, with `recursive` only. */
static gboolean
next_of_names (GstOrchSourceList * list, GstOrchSourceEntry * entry)
{
  const gchar *name;

  while ((name = list->names[list->next_name])) {
    g_autoptr (GError) problem = NULL;

    list->next_name++;
    if (g_str_has_suffix (name, "/") && list->config.recursive)
      list->folder = gst_orch_folder_new (name, list->config.pattern, TRUE,
          &problem);
    if (!list->folder) {
      take_path (list, name, problem, entry);
      return TRUE;
    }
    if (next_of_folder (list, entry))
      return TRUE;
    g_clear_pointer (&list->folder, gst_orch_folder_free);
  }
  return FALSE;
}

static gboolean
next_of_location (GstOrchSourceList * list, GstOrchSourceEntry * entry,
    GError ** error)
{
  if (list->file)
    return gst_orch_list_file_next (list->file, entry, error);
  if (list->folder) {
    if (next_of_folder (list, entry))
      return TRUE;
    g_clear_pointer (&list->folder, gst_orch_folder_free);
  }
  return list->names && next_of_names (list, entry);
}

static void
set_nothing_found (GstOrchSourceList * list, GError ** error)
{
  g_autofree gchar *shown = g_filename_display_name (list->location);

  if (list->names)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
        "Nothing matches the pattern \"%s\".", shown);
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
        "The folder \"%s\" holds no file that matches \"%s\"%s.", shown,
        list->config.pattern ? list->config.pattern : "*",
        list->config.recursive ? "" :
        " (recursive=true would look into its subfolders)");
}

gboolean
gst_orch_source_list_next (GstOrchSourceList * list, GstOrchSourceEntry * entry,
    GError ** error)
{
  g_autoptr (GError) problem = NULL;
  gboolean is_open = list->names || list->folder || list->file;

  while (is_open || open_next (list, &problem)) {
    if (next_of_location (list, entry, &problem)) {
      list->n_found++;
      return TRUE;
    }
    if (!problem && list->n_found == 0 && !list->file)
      set_nothing_found (list, &problem);
    close_location (list);
    is_open = FALSE;
    if (problem)
      break;
  }
  if (problem)
    g_propagate_error (error, g_steal_pointer (&problem));
  return FALSE;
}

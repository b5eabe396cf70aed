/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchbytesource.h"

#include <errno.h>
#include <fcntl.h>
#include <gst/allocators/gstfdmemory.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CHECKSUM_CHUNK (256 * 1024)
/* Descriptors left to everything else in the process: libraries that open
 * fonts and models take it badly when there are none. */
#define RESERVED_DESCRIPTORS 32

typedef struct
{
  const gchar *scheme;          /* NULL: any */
  void (*stat) (const gchar * uri, GCancellable * cancellable,
      GstOrchByteInfo * info);
    GstOrchBytesResult (*open) (const gchar * uri,
      const GstOrchByteOptions * options, GstMemory ** memory,
      GstOrchByteInfo * info, OrchCause ** cause);
} GstOrchByteSource;

/* ---- causes ---- */

static OrchCause *
new_cause (const gchar * code, const gchar * format, ...) G_GNUC_PRINTF (2, 3);

static OrchCause *
new_cause (const gchar * code, const gchar * format, ...)
{
  g_autofree gchar *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  return orch_cause_new (GST_ORCH_SOURCE_DOMAIN, code, message, NULL, NULL);
}

static OrchCause *
new_cause_from_errno (const gchar * uri, gint error)
{
  g_autofree gchar *name = gst_orch_bytes_display_name (uri);

  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return new_cause ("not-found", "There is no file %s.", name);
    case EACCES:
    case EPERM:
      return new_cause ("not-readable", "There is no permission to read %s.",
          name);
    default:
      return new_cause ("io-error", "Could not read %s: %s.", name,
          g_strerror (error));
  }
}

static OrchCause *
new_cause_for_mode (const gchar * uri, mode_t mode)
{
  g_autofree gchar *name = gst_orch_bytes_display_name (uri);

  if (S_ISDIR (mode))
    return new_cause ("is-a-folder",
        "%s is a folder, not a file; give it as a location.", name);
  return new_cause ("not-a-file", "%s is a %s, not a file.", name,
      S_ISFIFO (mode) ? "pipe" : S_ISSOCK (mode) ? "socket" : "device");
}

static OrchCause *
new_cause_too_large (const gchar * uri, guint64 size, guint64 max_size)
{
  g_autofree gchar *name = gst_orch_bytes_display_name (uri);

  return new_cause ("too-large", "%s has %" G_GUINT64_FORMAT
      " bytes, more than max-file-size (%" G_GUINT64_FORMAT ") allows.", name,
      size, max_size);
}

/* ---- local files ---- */

static gchar *
local_path (const gchar * uri, OrchCause ** cause)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *host = NULL;
  gchar *path = g_filename_from_uri (uri, &host, &error);

  if (path && (!host || g_ascii_strcasecmp (host, "localhost") == 0))
    return path;
  g_free (path);
  if (cause)
    *cause = new_cause ("bad-uri", "%s is not the URI of a local file%s%s.",
        uri, error ? ": " : "", error ? error->message : "");
  return NULL;
}

static void
fill_info (GstOrchByteInfo * info, const struct stat *st)
{
  info->known = S_ISREG (st->st_mode);
  info->size = st->st_size;
  info->mtime = (gint64) st->st_mtim.tv_sec * G_USEC_PER_SEC
      + st->st_mtim.tv_nsec / 1000;
}

static void
local_stat (const gchar * uri, GCancellable * cancellable,
    GstOrchByteInfo * info)
{
  g_autofree gchar *path = local_path (uri, NULL);
  struct stat st;

  if (path && stat (path, &st) == 0)
    fill_info (info, &st);
}

static gboolean
is_acceptable (const gchar * uri, const struct stat *st, guint64 max_size,
    OrchCause ** cause)
{
  if (!S_ISREG (st->st_mode))
    *cause = new_cause_for_mode (uri, st->st_mode);
  else if (max_size && (guint64) st->st_size > max_size)
    *cause = new_cause_too_large (uri, st->st_size, max_size);
  return *cause == NULL;
}

static gboolean
leaves_reserve (gint fd)
{
  struct rlimit limit;
  rlim_t reserve;

  if (getrlimit (RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY)
    return TRUE;
  /* the lowest free number is given out, so a high one means that few are left */
  reserve = MIN (RESERVED_DESCRIPTORS, limit.rlim_cur / 4);
  return (rlim_t) fd + reserve < limit.rlim_cur;
}

static GstMemory *
wrap_descriptor (gint fd, gsize size)
{
  static gsize allocator;
  GstMemory *memory;

  if (g_once_init_enter (&allocator)) {
    GstAllocator *made = gst_fd_allocator_new ();

    GST_OBJECT_FLAG_SET (made, GST_OBJECT_FLAG_MAY_BE_LEAKED);
    g_once_init_leave (&allocator, (gsize) made);
  }
  memory = gst_fd_allocator_alloc ((GstAllocator *) allocator, fd, size,
      GST_FD_MEMORY_FLAG_NONE);
  GST_MINI_OBJECT_FLAG_SET (memory, GST_MEMORY_FLAG_READONLY);
  return memory;
}

static GstOrchBytesResult
open_descriptor (const gchar * uri, const gchar * path,
    const GstOrchByteOptions * options, gint * fd, OrchCause ** cause)
{
  /* not to wait for the other end should it have become a pipe since */
  *fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (*fd < 0 && (errno == EMFILE || errno == ENFILE))
    return GST_ORCH_BYTES_NO_DESCRIPTOR;
  if (*fd < 0) {
    *cause = new_cause_from_errno (uri, errno);
    return GST_ORCH_BYTES_FAILED;
  }
  if (!options->use_reserve && !leaves_reserve (*fd)) {
    close (*fd);
    return GST_ORCH_BYTES_NO_DESCRIPTOR;
  }
  return GST_ORCH_BYTES_OK;
}

static GstOrchBytesResult
local_open (const gchar * uri, const GstOrchByteOptions * options,
    GstMemory ** memory, GstOrchByteInfo * info, OrchCause ** cause)
{
  g_autofree gchar *path = local_path (uri, cause);
  GstOrchBytesResult result;
  struct stat st;
  gint fd;

  if (!path)
    return GST_ORCH_BYTES_FAILED;
  /* before it is opened: opening a device can do something */
  if (stat (path, &st) < 0) {
    *cause = new_cause_from_errno (uri, errno);
    return GST_ORCH_BYTES_FAILED;
  }
  fill_info (info, &st);
  if (!is_acceptable (uri, &st, options->max_size, cause))
    return GST_ORCH_BYTES_FAILED;
  result = open_descriptor (uri, path, options, &fd, cause);
  if (result != GST_ORCH_BYTES_OK)
    return result;

  /* what was opened counts, should it have been replaced meanwhile */
  if (fstat (fd, &st) < 0)
    *cause = new_cause_from_errno (uri, errno);
  else
    fill_info (info, &st);
  if (*cause || !is_acceptable (uri, &st, options->max_size, cause)) {
    close (fd);
    return GST_ORCH_BYTES_FAILED;
  }
  if (st.st_size > 0)
    *memory = wrap_descriptor (fd, st.st_size);
  else
    close (fd);
  return GST_ORCH_BYTES_OK;
}

/* ---- GIO ---- */

static GFileInfo *
gio_query (GFile * file, GCancellable * cancellable, GstOrchByteInfo * info,
    GError ** error)
{
  GFileInfo *found = g_file_query_info (file,
      G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE ","
      G_FILE_ATTRIBUTE_TIME_MODIFIED "," G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC,
      G_FILE_QUERY_INFO_NONE, cancellable, error);

  if (!found)
    return NULL;
  info->known = TRUE;
  info->size = g_file_info_get_attribute_uint64 (found,
      G_FILE_ATTRIBUTE_STANDARD_SIZE);
  info->mtime = (gint64) g_file_info_get_attribute_uint64 (found,
      G_FILE_ATTRIBUTE_TIME_MODIFIED) * G_USEC_PER_SEC
      + g_file_info_get_attribute_uint32 (found,
      G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC);
  return found;
}

static void
gio_stat (const gchar * uri, GCancellable * cancellable, GstOrchByteInfo * info)
{
  g_autoptr (GFile) file = g_file_new_for_uri (uri);
  g_autoptr (GFileInfo) found = gio_query (file, cancellable, info, NULL);
}

static OrchCause *
new_cause_from_gio (const gchar * uri, const GError * error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    return new_cause ("not-found", "There is no file %s.", uri);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED))
    return new_cause ("not-readable", "There is no permission to read %s.",
        uri);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED))
    return new_cause ("unsupported-uri", "Nothing here can open %s: %s.", uri,
        error->message);
  return new_cause ("io-error", "Could not read %s: %s.", uri, error->message);
}

static GstOrchBytesResult
gio_open (const gchar * uri, const GstOrchByteOptions * options,
    GstMemory ** memory, GstOrchByteInfo * info, OrchCause ** cause)
{
  g_autoptr (GFile) file = g_file_new_for_uri (uri);
  g_autoptr (GFileInfo) found = NULL;
  g_autoptr (GError) error = NULL;
  GBytes *bytes = NULL;
  gsize size;

  found = gio_query (file, options->cancellable, info, &error);
  if (found && g_file_info_get_file_type (found) == G_FILE_TYPE_DIRECTORY)
    *cause = new_cause_for_mode (uri, S_IFDIR);
  else if (found && options->max_size && info->size > options->max_size)
    *cause = new_cause_too_large (uri, info->size, options->max_size);
  else if (found)
    bytes = g_file_load_bytes (file, options->cancellable, NULL, &error);
  if (error && g_error_matches (error, G_IO_ERROR,
          G_IO_ERROR_TOO_MANY_OPEN_FILES))
    return GST_ORCH_BYTES_NO_DESCRIPTOR;
  if (error)
    *cause = new_cause_from_gio (uri, error);
  if (!bytes)
    return GST_ORCH_BYTES_FAILED;

  info->size = size = g_bytes_get_size (bytes);
  if (size)
    *memory = gst_memory_new_wrapped (GST_MEMORY_FLAG_READONLY,
        (gpointer) g_bytes_get_data (bytes, NULL), size, 0, size, bytes,
        (GDestroyNotify) g_bytes_unref);
  else
    g_bytes_unref (bytes);
  return GST_ORCH_BYTES_OK;
}

/* ---- which of them ---- */

static const GstOrchByteSource sources[] = {
  {"file", local_stat, local_open},
  {NULL, gio_stat, gio_open},
};

static const GstOrchByteSource *
find_source (const gchar * uri)
{
  g_autofree gchar *scheme = g_uri_parse_scheme (uri);
  const GstOrchByteSource *source = sources;

  while (source->scheme && g_strcmp0 (source->scheme, scheme) != 0)
    source++;
  return source;
}

void
gst_orch_bytes_stat (const gchar * uri, GCancellable * cancellable,
    GstOrchByteInfo * info)
{
  memset (info, 0, sizeof *info);
  find_source (uri)->stat (uri, cancellable, info);
}

GstOrchBytesResult
gst_orch_bytes_open (const gchar * uri, const GstOrchByteOptions * options,
    GstMemory ** memory, GstOrchByteInfo * info, OrchCause ** cause)
{
  *memory = NULL;
  *cause = NULL;
  return find_source (uri)->open (uri, options, memory, info, cause);
}

/* ---- checksum ---- */

static gboolean
checksum_descriptor (GChecksum * checksum, gint fd, GCancellable * cancellable,
    gint * error)
{
  g_autofree guint8 *chunk = g_malloc (CHECKSUM_CHUNK);
  off_t offset = 0;
  gssize n;

  while (!g_cancellable_is_cancelled (cancellable)) {
    n = pread (fd, chunk, CHECKSUM_CHUNK, offset);
    if (n < 0 && errno == EINTR)
      continue;
    *error = n < 0 ? errno : 0;
    if (n <= 0)
      return n == 0;
    g_checksum_update (checksum, chunk, n);
    offset += n;
  }
  return FALSE;
}

gchar *
gst_orch_bytes_checksum (const gchar * uri, GstMemory * memory,
    GCancellable * cancellable, OrchCause ** cause)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gboolean done = TRUE;
  gint error = 0;
  GstMapInfo map;

  *cause = NULL;
  if (memory && gst_is_fd_memory (memory)) {
    done = checksum_descriptor (checksum, gst_fd_memory_get_fd (memory),
        cancellable, &error);
  } else if (memory && gst_memory_map (memory, &map, GST_MAP_READ)) {
    g_checksum_update (checksum, map.data, map.size);
    gst_memory_unmap (memory, &map);
  }
  if (error)
    *cause = new_cause_from_errno (uri, error);
  return done ? g_strdup (g_checksum_get_string (checksum)) : NULL;
}

/* ---- names ---- */

gchar *
gst_orch_bytes_format_mtime (gint64 mtime)
{
  gint64 usec = ((mtime % G_USEC_PER_SEC) + G_USEC_PER_SEC) % G_USEC_PER_SEC;
  time_t seconds = (mtime - usec) / G_USEC_PER_SEC;
  struct tm tm;
  gchar text[32];

  if (!gmtime_r (&seconds, &tm))
    return g_strdup_printf ("%" G_GINT64_FORMAT, mtime);
  strftime (text, sizeof text, "%Y-%m-%dT%H:%M:%S", &tm);
  return g_strdup_printf ("%s.%06dZ", text, (gint) usec);
}

gchar *
gst_orch_bytes_display_name (const gchar * uri)
{
  g_autofree gchar *path = local_path (uri, NULL);

  return path ? g_filename_display_name (path) : g_strdup (uri);
}

/* Without "." and empty components, so that a/x and ./a//x are one document.
 * ".." stays: behind a symbolic link it is not the folder's own parent. */
static gchar *
tidy_path (const gchar * path, const gchar * cwd)
{
  GString *tidy = g_string_new (NULL);
  g_auto (GStrv) parts = NULL;
  g_autofree gchar *absolute = NULL;
  guint i;

  absolute = g_path_is_absolute (path) ? g_strdup (path)
      : g_strconcat (cwd, "/", path, NULL);
  parts = g_strsplit (absolute, "/", -1);
  for (i = 0; parts[i]; i++)
    if (parts[i][0] && strcmp (parts[i], ".") != 0)
      g_string_append_printf (tidy, "/%s", parts[i]);
  if (tidy->len == 0)
    g_string_append_c (tidy, '/');
  return g_string_free (tidy, FALSE);
}

gchar *
gst_orch_bytes_uri_from_path (const gchar * path, const gchar * cwd)
{
  g_autofree gchar *tidy = tidy_path (path, cwd);

  return g_filename_to_uri (tidy, NULL, NULL);
}

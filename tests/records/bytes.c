/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchbytesource.h"
#include "gstorchroots.h"
#include "testfolder.h"

#include <errno.h>
#include <fcntl.h>
#include <gst/allocators/gstfdmemory.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHA256_OF_HELLO \
  "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
#define SHA256_OF_NOTHING \
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

typedef struct
{
  GstOrchBytesResult result;
  GstMemory *memory;
  GstOrchByteInfo info;
  OrchCause *cause;
} Opened;

static void
open_uri (Opened * opened, const gchar * uri, guint64 max_size,
    gboolean use_reserve)
{
  GstOrchByteOptions options = { max_size, use_reserve, NULL };

  memset (opened, 0, sizeof *opened);
  opened->result = gst_orch_bytes_open (uri, &options, &opened->memory,
      &opened->info, &opened->cause);
}

static void
open_name (Opened * opened, TestFolder * folder, const gchar * name,
    guint64 max_size)
{
  g_autofree gchar *uri = gst_orch_bytes_uri_from_path (name, folder->path);

  open_uri (opened, uri, max_size, TRUE);
}

static void
clear (Opened * opened)
{
  if (opened->memory)
    gst_memory_unref (opened->memory);
  orch_cause_unref (opened->cause);
}

static void
check_failed (Opened * opened, const gchar * code, const gchar * word)
{
  g_assert_cmpint (opened->result, ==, GST_ORCH_BYTES_FAILED);
  g_assert_null (opened->memory);
  g_assert_cmpstr (opened->cause->domain, ==, GST_ORCH_SOURCE_DOMAIN);
  g_assert_cmpstr (opened->cause->code, ==, code);
  g_assert_nonnull (strstr (opened->cause->message, word));
  clear (opened);
}

static void
check_checksum (const gchar * uri, GstMemory * memory, const gchar * expected)
{
  OrchCause *cause;
  g_autofree gchar *sum =
      gst_orch_bytes_checksum (uri, memory, NULL, &cause);

  g_assert_null (cause);
  g_assert_cmpstr (sum, ==, expected);
}

/* ---- files ---- */

static void
test_file (TestFolder * folder, gconstpointer data)
{
  Opened opened;
  gint fd;

  test_folder_write (folder, "a", "hello");
  open_name (&opened, folder, "a", 5);
  g_assert_cmpint (opened.result, ==, GST_ORCH_BYTES_OK);
  g_assert_true (gst_is_fd_memory (opened.memory));
  fd = gst_fd_memory_get_fd (opened.memory);
  g_assert_cmpint (fcntl (fd, F_GETFD) & FD_CLOEXEC, ==, FD_CLOEXEC);
  g_assert_cmpint (fcntl (fd, F_GETFL) & O_ACCMODE, ==, O_RDONLY);
  g_assert_true (opened.info.known);
  g_assert_cmpuint (opened.info.size, ==, 5);
  check_checksum ("file:///a", opened.memory, SHA256_OF_HELLO);
  clear (&opened);
  g_assert_cmpint (fcntl (fd, F_GETFD), ==, -1);
}

static void
test_empty (TestFolder * folder, gconstpointer data)
{
  Opened opened;

  test_folder_write (folder, "empty", "");
  open_name (&opened, folder, "empty", 0);
  g_assert_cmpint (opened.result, ==, GST_ORCH_BYTES_OK);
  g_assert_null (opened.memory);
  g_assert_true (opened.info.known);
  check_checksum ("file:///a", NULL, SHA256_OF_NOTHING);
  clear (&opened);
}

static void
test_too_large (TestFolder * folder, gconstpointer data)
{
  Opened opened;

  test_folder_write (folder, "a", "hello");
  open_name (&opened, folder, "a", 4);
  g_assert_true (opened.info.known);
  g_assert_cmpuint (opened.info.size, ==, 5);
  check_failed (&opened, "too-large", "max-file-size");
}

static void
test_not_a_file (TestFolder * folder, gconstpointer data)
{
  g_autofree gchar *pipe_path = test_folder_get (folder, "pipe");
  Opened opened;

  g_assert_cmpint (mkfifo (pipe_path, 0600), ==, 0);
  open_name (&opened, folder, "pipe", 0);
  check_failed (&opened, "not-a-file", "pipe");
  open_name (&opened, folder, "", 0);
  check_failed (&opened, "is-a-folder", folder->path);
  open_uri (&opened, "file:///dev/zero", 0, TRUE);
  check_failed (&opened, "not-a-file", "device");
}

static void
test_not_there (TestFolder * folder, gconstpointer data)
{
  g_autofree gchar *link = test_folder_get (folder, "link");
  Opened opened;

  test_folder_write (folder, "a", "hello");
  g_assert_cmpint (symlink ("nowhere", link), ==, 0);
  open_name (&opened, folder, "none", 0);
  g_assert_false (opened.info.known);
  check_failed (&opened, "not-found", "none");
  open_name (&opened, folder, "link", 0);
  check_failed (&opened, "not-found", "link");
  open_name (&opened, folder, "a/b", 0);
  check_failed (&opened, "not-found", "a/b");
  open_uri (&opened, "file://elsewhere/a", 0, TRUE);
  check_failed (&opened, "bad-uri", "elsewhere");
  open_uri (&opened, "file:relative", 0, TRUE);
  check_failed (&opened, "bad-uri", "relative");
}

static void
test_not_readable (TestFolder * folder, gconstpointer data)
{
  g_autofree gchar *path = test_folder_get (folder, "a");
  Opened opened;
  uid_t user = geteuid ();

  test_folder_write (folder, "a", "hello");
  g_assert_cmpint (chmod (path, 0), ==, 0);
  g_assert_cmpint (chmod (folder->path, 0755), ==, 0);
  /* the permissions of a file do not count for root */
  if (user == 0)
    g_assert_cmpint (seteuid (65534), ==, 0);
  open_name (&opened, folder, "a", 0);
  if (user == 0)
    g_assert_cmpint (seteuid (0), ==, 0);
  g_assert_true (opened.info.known);
  check_failed (&opened, "not-readable", path);
}

/* The file becomes shorter: what is left counts, and nothing is mapped. */
static void
test_truncated (TestFolder * folder, gconstpointer data)
{
  g_autofree gchar *path = test_folder_get (folder, "a");
  g_autofree gchar *many = g_strnfill (100000, 'x');
  Opened opened;

  test_folder_write (folder, "a", many);
  open_name (&opened, folder, "a", 0);
  g_assert_cmpint (truncate (path, 0), ==, 0);
  check_checksum ("file:///a", opened.memory, SHA256_OF_NOTHING);
  clear (&opened);
}

/* ---- descriptors ---- */

static void
set_limit (rlim_t limit, rlim_t * old)
{
  struct rlimit set;

  getrlimit (RLIMIT_NOFILE, &set);
  if (old)
    *old = set.rlim_cur;
  set.rlim_cur = limit;
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &set), ==, 0);
}

static guint
open_until_none_left (const gchar * uri, gboolean use_reserve, Opened * opened,
    guint max)
{
  guint n = 0;

  while (n < max) {
    open_uri (&opened[n], uri, 0, use_reserve);
    if (opened[n].result != GST_ORCH_BYTES_OK)
      break;
    n++;
  }
  g_assert_cmpuint (n, <, max);
  g_assert_cmpint (opened[n].result, ==, GST_ORCH_BYTES_NO_DESCRIPTOR);
  g_assert_null (opened[n].cause);
  return n;
}

/* Some are left to others, but not when this is all there is to go on with. */
static void
test_descriptors (TestFolder * folder, gconstpointer data)
{
  g_autofree gchar *uri = gst_orch_bytes_uri_from_path ("a", folder->path);
  g_autofree Opened *opened = g_new (Opened, 128);
  rlim_t old;
  guint n, m;

  test_folder_write (folder, "a", "hello");
  set_limit (64, &old);
  n = open_until_none_left (uri, FALSE, opened, 64);
  m = open_until_none_left (uri, TRUE, opened + n, 64);
  g_assert_cmpuint (m, ==, 16);
  set_limit (old, NULL);
  for (n += m; n > 0; n--)
    clear (&opened[n - 1]);
}

/* ---- GIO ---- */

static void
test_gio (void)
{
  Opened opened;
  GstMapInfo map;

  open_uri (&opened, "resource:///orch/hello", 0, TRUE);
  g_assert_cmpint (opened.result, ==, GST_ORCH_BYTES_OK);
  g_assert_cmpuint (opened.info.size, ==, 5);
  g_assert_true (gst_memory_map (opened.memory, &map, GST_MAP_READ));
  g_assert_cmpmem (map.data, map.size, "hello", 5);
  gst_memory_unmap (opened.memory, &map);
  check_checksum ("resource:///orch/hello", opened.memory, SHA256_OF_HELLO);
  clear (&opened);
}

static void
test_gio_failures (void)
{
  Opened opened;

  open_uri (&opened, "resource:///orch/none", 0, TRUE);
  check_failed (&opened, "not-found", "resource:///orch/none");
  open_uri (&opened, "resource:///orch/hello", 4, TRUE);
  check_failed (&opened, "too-large", "max-file-size");
  open_uri (&opened, "nosuchscheme://x/y", 0, TRUE);
  check_failed (&opened, "unsupported-uri", "nosuchscheme");
}

/* A resource holds one file, so that there is something that is not local. */
static void
register_resource (void)
{
  g_autoptr (GError) error = NULL;
  GResource *resource = g_resource_load (g_getenv ("ORCH_TEST_RESOURCE"),
      &error);

  g_assert_no_error (error);
  g_resources_register (resource);
  g_resource_unref (resource);
}

/* ---- names ---- */

static void
check_mtime (gint64 mtime, const gchar * expected)
{
  g_autofree gchar *text = gst_orch_bytes_format_mtime (mtime);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_mtime (void)
{
  check_mtime (0, "1970-01-01T00:00:00.000000Z");
  check_mtime (G_GINT64_CONSTANT (1796005217123456),
      "2026-11-30T02:20:17.123456Z");
  check_mtime (-1, "1969-12-31T23:59:59.999999Z");
}

static void
check_uri (const gchar * path, const gchar * expected)
{
  g_autofree gchar *uri = gst_orch_bytes_uri_from_path (path, "/srv/here");

  g_assert_cmpstr (uri, ==, expected);
}

static void
test_uris (void)
{
  check_uri ("a.pdf", "file:///srv/here/a.pdf");
  check_uri ("./x//./a.pdf", "file:///srv/here/x/a.pdf");
  check_uri ("../a.pdf", "file:///srv/here/../a.pdf");
  check_uri ("/a b\n\xff%#?.pdf", "file:///a%20b%0A%FF%25%23%3F.pdf");
  check_uri ("/", "file:///");
}

/* ---- the ledger and its gate ---- */

static GstOrchRoots *
new_roots (void)
{
  OrchDomain *domain = orch_domain_new ("document", NULL);
  GstOrchRoots *roots = gst_orch_roots_new (domain);

  orch_domain_unref (domain);
  return roots;
}

static void
test_ledger (void)
{
  GstOrchRoots *roots = new_roots ();
  OrchEntity *first = gst_orch_roots_open (roots), *third;
  GstOrchRootsCounts counts;

  gst_orch_roots_skip (roots);
  third = gst_orch_roots_open (roots);
  g_assert_cmpuint (third->ordinal, ==, 2);
  g_assert_true (gst_orch_roots_of (third) == roots);
  g_assert_false (gst_orch_roots_is_gone (roots, 0));
  g_assert_true (gst_orch_roots_is_gone (roots, 1));
  g_assert_false (gst_orch_roots_is_gone (roots, 2));
  g_assert_false (gst_orch_roots_is_gone (roots, 3));
  orch_entity_unref (first);
  gst_orch_roots_finish (roots);
  gst_orch_roots_get_counts (roots, &counts);
  g_assert_cmpuint (counts.opened, ==, 2);
  g_assert_cmpuint (counts.skipped, ==, 1);
  g_assert_cmpuint (counts.closed, ==, 1);
  g_assert_true (gst_orch_roots_is_gone (roots, 0));
  gst_orch_roots_unref (roots);
  /* the Expansion keeps it as long as there are Entities */
  g_assert_true (gst_orch_roots_of (third) == roots);
  orch_entity_unref (third);
}

static gpointer
unref_later (gpointer entity)
{
  g_usleep (20000);
  orch_entity_unref (entity);
  return NULL;
}

static void
test_gate (void)
{
  GstOrchRoots *roots = new_roots ();
  OrchEntity *entity;
  GThread *thread;
  gint64 far = g_get_monotonic_time () + G_TIME_SPAN_HOUR;

  g_assert_cmpint (gst_orch_roots_wait (roots, 1, far), ==,
      GST_ORCH_GATE_OPEN);
  entity = gst_orch_roots_open (roots);
  g_assert_cmpint (gst_orch_roots_wait (roots, 2, far), ==,
      GST_ORCH_GATE_OPEN);
  g_assert_cmpint (gst_orch_roots_wait (roots, 1, 0), ==,
      GST_ORCH_GATE_TIMEOUT);
  thread = g_thread_new ("unref", unref_later, entity);
  g_assert_cmpint (gst_orch_roots_wait (roots, 1, far), ==,
      GST_ORCH_GATE_OPEN);
  g_thread_join (thread);
  gst_orch_roots_set_interrupted (roots, TRUE);
  g_assert_cmpint (gst_orch_roots_wait (roots, 1, far), ==,
      GST_ORCH_GATE_INTERRUPTED);
  gst_orch_roots_set_interrupted (roots, FALSE);
  g_assert_cmpint (gst_orch_roots_wait (roots, 1, far), ==,
      GST_ORCH_GATE_OPEN);
  gst_orch_roots_finish (roots);
  gst_orch_roots_unref (roots);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (NULL, NULL);
  register_resource ();
  TEST_ADD ("/bytes/file", test_file);
  TEST_ADD ("/bytes/empty", test_empty);
  TEST_ADD ("/bytes/too-large", test_too_large);
  TEST_ADD ("/bytes/not-a-file", test_not_a_file);
  TEST_ADD ("/bytes/not-there", test_not_there);
  TEST_ADD ("/bytes/not-readable", test_not_readable);
  TEST_ADD ("/bytes/truncated", test_truncated);
  TEST_ADD ("/bytes/descriptors", test_descriptors);
  g_test_add_func ("/bytes/gio", test_gio);
  g_test_add_func ("/bytes/gio-failures", test_gio_failures);
  g_test_add_func ("/bytes/mtime", test_mtime);
  g_test_add_func ("/bytes/uris", test_uris);
  g_test_add_func ("/roots/ledger", test_ledger);
  g_test_add_func ("/roots/gate", test_gate);
  return g_test_run ();
}

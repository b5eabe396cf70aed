/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchconfine-private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Landlock, in our own words: what the headers of the machine that builds this know
 * of it says nothing about the kernel that runs it. */
#define CREATE_RULESET 444
#define ADD_RULE 445
#define RESTRICT_SELF 446
#define GET_VERSION 1
#define RULE_PATH_BENEATH 1

#define ACCESS_WRITE_FILE (1 << 1)
#define ACCESS_READ_FILE (1 << 2)
#define ACCESS_READ_DIR (1 << 3)

typedef struct
{
  guint64 files;
  guint64 network;              /* from version 4 */
  guint64 scoped;               /* from version 6 */
} Ruleset;

typedef struct
{
  guint64 access;
  gint32 fd;
} __attribute__ ((packed)) PathRule;

/* All that each version can forbid. */
static gsize
fill_ruleset (Ruleset * ruleset, glong version)
{
  static const guint64 files[] = { 0, 0x1fff, 0x3fff, 0x7fff, 0x7fff, 0xffff };

  ruleset->files = files[MIN (version, 5)];
  ruleset->network = 0x3;       /* bind and connect */
  ruleset->scoped = 0x3;        /* abstract sockets and signals */
  return version < 4 ? 8 : version < 6 ? 16 : 24;
}

static void
allow (gint ruleset, const gchar * path, gboolean to_write)
{
  PathRule rule = { ACCESS_READ_FILE, open (path, O_PATH | O_CLOEXEC) };
  struct stat about;

  if (rule.fd < 0)
    return;
  if (fstat (rule.fd, &about) == 0 && S_ISDIR (about.st_mode))
    rule.access |= ACCESS_READ_DIR;
  if (to_write)
    rule.access |= ACCESS_WRITE_FILE;
  syscall (ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0);
  close (rule.fd);
}

/* Programs, libraries and fonts: the same for everybody, and no secret.  Renderers
 * open fonts when a page needs them. */
static void
allow_system (gint ruleset)
{
  static const gchar *const paths[] = { "/usr", "/lib", "/lib64", "/etc/fonts",
    "/etc/ld.so.cache", "/etc/localtime", "/var/cache/fontconfig",
    "/dev/zero", "/dev/urandom", "/dev/random", "/sys/devices/system/cpu",
    "/proc/cpuinfo", "/proc/meminfo"
  };
  g_autofree gchar *fonts = g_build_filename (g_get_home_dir (), ".fonts", NULL);
  g_autofree gchar *more =
      g_build_filename (g_get_user_data_dir (), "fonts", NULL);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (paths); i++)
    allow (ruleset, paths[i], FALSE);
  allow (ruleset, fonts, FALSE);
  allow (ruleset, more, FALSE);
  allow (ruleset, "/dev/null", TRUE);
}

/* ---- all threads ---- */

/* It holds for one thread and those that this one starts, so the threads that a
 * library has started before are made to do it themselves. */
static gint ruleset_of_all = -1;
static gint n_restricted;       /* atomic */

static void
restrict_this_thread (gint signal_number)
{
  gint saved = errno;

  /* This, too, is each thread's own. */
  prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (syscall (RESTRICT_SELF, ruleset_of_all, 0) == 0)
    __atomic_add_fetch (&n_restricted, 1, __ATOMIC_SEQ_CST);
  errno = saved;
}

/* Returns how many there are, -1 when that cannot be told. */
static gint
signal_other_threads (gint signal_number)
{
  GDir *dir = g_dir_open ("/proc/self/task", 0, NULL);
  const gchar *name;
  gint n = 0;

  if (!dir)
    return -1;
  while ((name = g_dir_read_name (dir))) {
    gint thread = atoi (name);

    if (thread != gettid ()
        && syscall (SYS_tgkill, getpid (), thread, signal_number) == 0)
      n++;
  }
  g_dir_close (dir);
  return n;
}

/* While this one still can look for them. */
static gboolean
restrict_other_threads (void)
{
  gint signal_number = SIGRTMAX - 1;
  struct sigaction action = { .sa_handler = restrict_this_thread,
    .sa_flags = SA_RESTART
  };
  struct sigaction before;
  gint64 end = g_get_monotonic_time () + G_TIME_SPAN_SECOND;
  gint n;

  sigaction (signal_number, &action, &before);
  n = signal_other_threads (signal_number);
  while (__atomic_load_n (&n_restricted, __ATOMIC_SEQ_CST) < n
      && g_get_monotonic_time () < end)
    g_usleep (200);
  sigaction (signal_number, &before, NULL);
  return n >= 0 && __atomic_load_n (&n_restricted, __ATOMIC_SEQ_CST) >= n;
}

gboolean
gst_orch_confine_files (gchar ** why)
{
  glong version = syscall (CREATE_RULESET, NULL, 0, GET_VERSION);
  Ruleset ruleset = { 0, };
  gboolean ok;

  if (version < 1) {
    *why = g_strdup ("this kernel cannot keep files from it (Landlock is "
        "missing)");
    return FALSE;
  }
  ruleset_of_all = syscall (CREATE_RULESET, &ruleset,
      fill_ruleset (&ruleset, version), 0);
  if (ruleset_of_all >= 0)
    allow_system (ruleset_of_all);
  ok = ruleset_of_all >= 0 && restrict_other_threads ();
  if (!ok)
    *why = g_strdup ("files cannot be kept from threads that its Function has "
        "started");
  if (ruleset_of_all < 0 || syscall (RESTRICT_SELF, ruleset_of_all, 0) != 0) {
    g_free (*why);
    *why = g_strdup_printf ("files cannot be kept from it (%s)",
        g_strerror (errno));
    ok = FALSE;
  }
  if (ruleset_of_all >= 0)
    close (ruleset_of_all);
  return ok;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchlink-private.h"
#include "gstorchspawn-private.h"

#include <gio/gio.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

GST_DEBUG_CATEGORY_EXTERN (gst_orch_call_debug);
#define GST_CAT_DEFAULT gst_orch_call_debug

#define PROGRAM "gst-orch-worker"
/* Of what a worker writes, so much is kept, and so much said. */
#define MAX_TAIL 4096
#define MAX_LINES 3
#define MAX_SAID 400
/* Reads at one time: the pipe holds 64 KB. */
#define MAX_READS 32
/* Low descriptors are where the child's are put. */
#define FIRST_FD 16

extern gchar **environ;

/* ---- the program ---- */

/* (transfer full) (nullable): of its many names (/lib is /usr/lib) the real one */
static gchar *
get_library_folder (void)
{
  g_autofree gchar *folder = NULL;
  Dl_info info;
  gchar *real, *result;

  if (!dladdr (get_library_folder, &info) || !info.dli_fname)
    return NULL;
  folder = g_path_get_dirname (info.dli_fname);
  real = realpath (folder, NULL);
  result = g_strdup (real);
  free (real);
  return result;
}

/* Installed anywhere, or in the tree where it was built. */
static gchar *
find_near_library (void)
{
  g_autofree gchar *folder = get_library_folder ();
  g_autofree gchar *program = NULL;

  if (folder && g_str_has_suffix (folder, "/" GST_ORCH_LIBDIR)) {
    g_autofree gchar *prefix = g_strndup (folder,
        strlen (folder) - strlen (GST_ORCH_LIBDIR));

    program = g_build_filename (prefix, GST_ORCH_LIBEXECDIR, PROGRAM, NULL);
  } else if (folder) {
    program = g_build_filename (folder, "../../../libexec", PROGRAM, NULL);
  }
  if (program && g_file_test (program, G_FILE_TEST_IS_EXECUTABLE))
    return g_steal_pointer (&program);
  return NULL;
}

static gchar *
find_program (GError ** error)
{
  const gchar *named = g_getenv ("GST_ORCH_WORKER");
  gchar *program;

  if (named && !g_file_test (named, G_FILE_TEST_IS_EXECUTABLE)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
        "%s, which the environment variable GST_ORCH_WORKER names, is no program",
        named);
    return NULL;
  }
  program = named ? g_strdup (named) : find_near_library ();
  if (!program)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
        "the program " PROGRAM " is not where gst-orch installs it; install it, "
        "or name it in the environment variable GST_ORCH_WORKER");
  return program;
}

/* A worker has plugins named to it, so it does not look for any, and writes no
 * logs of its own. */
static gchar **
make_environment (void)
{
  gchar **env = g_strdupv (environ);

  env = g_environ_setenv (env, "GST_REGISTRY_UPDATE", "no", TRUE);
  env = g_environ_unsetenv (env, "GST_DEBUG_FILE");
  return g_environ_unsetenv (env, "GST_TRACERS");
}

/* ---- starting ---- */

/* The ends, of which the child gets the second ones and the control. */
typedef struct
{
  gint socket[2];
  gint inbox[2];
  gint errors[2];
  gint control;
} Ends;

static gboolean
set_errno (GError ** error, const gchar * what)
{
  gint code = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", what,
      g_strerror (code));
  return FALSE;
}

static void
close_end (gint * fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

static void
ends_close (Ends * ends)
{
  close_end (&ends->socket[0]);
  close_end (&ends->socket[1]);
  close_end (&ends->inbox[0]);
  close_end (&ends->inbox[1]);
  close_end (&ends->errors[0]);
  close_end (&ends->errors[1]);
  close_end (&ends->control);
}

/* To where a dup2() in the child does not meet them. */
static gboolean
move_up (gint * fd)
{
  gint moved = fcntl (*fd, F_DUPFD_CLOEXEC, FIRST_FD);

  if (moved < 0)
    return FALSE;
  close (*fd);
  *fd = moved;
  return TRUE;
}

static gboolean
make_control (Ends * ends, GstOrchControl ** control, GError ** error)
{
  gpointer data = MAP_FAILED;

  ends->control = gst_orch_memfd_new (error);
  if (ends->control < 0)
    return FALSE;
  /* Whatever the worker does to it, it stays there. */
  if (ftruncate (ends->control, GST_ORCH_CONTROL_SIZE) == 0
      && fcntl (ends->control, F_ADD_SEALS,
          F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
    data = mmap (NULL, GST_ORCH_CONTROL_SIZE, PROT_READ | PROT_WRITE,
        MAP_SHARED, ends->control, 0);
  if (data == MAP_FAILED)
    return set_errno (error, "no memory could be shared with a worker");
  *control = data;
  return TRUE;
}

static gboolean
ends_open (Ends * ends, GstOrchControl ** control, GError ** error)
{
  if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends->socket) < 0
      || socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends->inbox) < 0
      || pipe2 (ends->errors, O_CLOEXEC) < 0
      || fcntl (ends->errors[0], F_SETFL, O_NONBLOCK) < 0)
    return set_errno (error, "no descriptors are left for a worker");
  if (!make_control (ends, control, error))
    return FALSE;
  if (!move_up (&ends->socket[1]) || !move_up (&ends->inbox[1])
      || !move_up (&ends->errors[1]) || !move_up (&ends->control))
    return set_errno (error, "no descriptors are left for a worker");
  return TRUE;
}

/* A group of its own: what a terminal sends to this process is not for it, and
 * what it starts ends with it. */
static gint
spawn (pid_t * pid, gchar ** argv, const Ends * ends)
{
  g_auto (GStrv) env = make_environment ();
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  gint result;

  sigemptyset (&none);
  sigfillset (&all);
  posix_spawnattr_init (&attributes);
  posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETPGROUP
      | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup (&attributes, 0);
  posix_spawnattr_setsigmask (&attributes, &none);
  posix_spawnattr_setsigdefault (&attributes, &all);
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_addopen (&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2 (&actions, ends->errors[1], 1);
  posix_spawn_file_actions_adddup2 (&actions, ends->errors[1], 2);
  posix_spawn_file_actions_adddup2 (&actions, ends->socket[1],
      GST_ORCH_WORKER_SOCKET);
  posix_spawn_file_actions_adddup2 (&actions, ends->control,
      GST_ORCH_WORKER_CONTROL);
  posix_spawn_file_actions_adddup2 (&actions, ends->inbox[1],
      GST_ORCH_WORKER_INBOX);
  result = posix_spawn (pid, argv[0], &actions, &attributes, argv, env);
  posix_spawn_file_actions_destroy (&actions);
  posix_spawnattr_destroy (&attributes);
  return result;
}

/* (transfer full) (nullable): `command`, and the name */
static gchar **
make_arguments (gchar ** command, const gchar * name, GError ** error)
{
  GPtrArray *argv = g_ptr_array_new ();

  if (command) {
    for (; *command; command++)
      g_ptr_array_add (argv, g_strdup (*command));
  } else {
    gchar *program = find_program (error);

    if (!program) {
      g_ptr_array_unref (argv);
      return NULL;
    }
    g_ptr_array_add (argv, program);
  }
  g_ptr_array_add (argv, g_strdup (name));
  g_ptr_array_add (argv, NULL);
  return (gchar **) g_ptr_array_free (argv, FALSE);
}

gboolean
gst_orch_process_start (GstOrchProcess * process, gchar ** command,
    const gchar * name, GError ** error)
{
  Ends ends = { {-1, -1}, {-1, -1}, {-1, -1}, -1 };
  g_auto (GStrv) argv = make_arguments (command, name, error);
  gint result;

  if (!argv)
    return FALSE;
  if (!ends_open (&ends, &process->control, error)) {
    ends_close (&ends);
    return FALSE;
  }
  result = spawn (&process->pid, argv, &ends);
  if (result != 0) {
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (result),
        "%s cannot be run: %s", argv[0], g_strerror (result));
    munmap (process->control, GST_ORCH_CONTROL_SIZE);
    process->control = NULL;
    process->pid = 0;
    ends_close (&ends);
    return FALSE;
  }
  process->socket = ends.socket[0];
  process->inbox = ends.inbox[0];
  process->inbox_end = ends.inbox[1];
  process->errors = ends.errors[0];
  ends.socket[0] = ends.inbox[0] = ends.inbox[1] = ends.errors[0] = -1;
  ends_close (&ends);
  gst_orch_usage_init (&process->usage, process->pid);
  process->overdue = FALSE;
  if (!process->tail)
    process->tail = g_string_new (NULL);
  g_string_truncate (process->tail, 0);
  return TRUE;
}

/* ---- ending ---- */

void
gst_orch_process_kill (GstOrchProcess * process)
{
  if (process->pid > 0)
    kill (-process->pid, SIGKILL);
}

gboolean
gst_orch_process_has_ended (GstOrchProcess * process)
{
  siginfo_t about = { 0, };

  if (waitid (P_PID, process->pid, &about, WEXITED | WNOHANG | WNOWAIT) < 0)
    return errno != EINTR;
  return about.si_pid != 0;
}

/* TRUE: it has ended, and what it has started ends too.  Its number is its own until
 * it is waited for. */
static gboolean
try_wait (GstOrchProcess * process, gint * status)
{
  if (!gst_orch_process_has_ended (process))
    return FALSE;
  kill (-process->pid, SIGKILL);
  return waitpid (process->pid, status, 0) != 0;
}

gint
gst_orch_process_reap (GstOrchProcess * process, gint patience)
{
  gint64 end = g_get_monotonic_time () + patience * G_TIME_SPAN_MILLISECOND;
  gint status = -1;

  while (!try_wait (process, &status)) {
    if (g_get_monotonic_time () >= end) {
      process->overdue = TRUE;
      gst_orch_process_kill (process);
    }
    gst_orch_process_read_errors (process);
    g_usleep (500);
  }
  gst_orch_process_read_errors (process);
  process->pid = 0;
  close_end (&process->errors);
  gst_orch_usage_clear (&process->usage);
  munmap (process->control, GST_ORCH_CONTROL_SIZE);
  process->control = NULL;
  return status;
}

void
gst_orch_process_clear (GstOrchProcess * process)
{
  if (process->tail)
    g_string_free (process->tail, TRUE);
  process->tail = NULL;
}

/* ---- watching ---- */

void
gst_orch_process_read_errors (GstOrchProcess * process)
{
  gchar text[MAX_TAIL];
  gssize n;
  guint i;

  /* One that writes without end does not hold us. */
  for (i = 0; i < MAX_READS && process->errors >= 0; i++) {
    n = read (process->errors, text, sizeof text);
    if (n == 0)
      close_end (&process->errors);
    if (n <= 0)
      break;
    g_string_append_len (process->tail, text, n);
    if (process->tail->len > MAX_TAIL)
      g_string_erase (process->tail, 0, process->tail->len - MAX_TAIL);
  }
}

gchar *
gst_orch_process_get_last_lines (GstOrchProcess * process)
{
  g_autofree gchar *text = g_utf8_make_valid (process->tail->str, -1);
  gchar *begin;
  guint n = 0;

  g_strchomp (text);
  for (begin = text + strlen (text); begin > text && n < MAX_LINES; begin--) {
    if (begin[-1] == '\n' && ++n == MAX_LINES)
      break;
    if (strlen (begin) >= MAX_SAID && ((guchar) * begin & 0xc0) != 0x80)
      break;
  }
  return *begin ? g_strdup (begin) : NULL;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "testdeeds.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEGABYTE (1024 * 1024)
/* Where a worker listens. */
#define INBOX 5

/* ---- deeds that end badly ---- */

/* A sanitizer would make an exit status of it. */
static void
raise_bare (gint number)
{
  signal (number, SIG_DFL);
  raise (number);
}

static void
do_segv (void)
{
  raise_bare (SIGSEGV);
}

static void
do_exit (void)
{
  exit (7);
}

static void
do_hang (void)
{
  while (TRUE)
    g_usleep (1000);
}

static void
do_spin (void)
{
  volatile guint n = 0;

  while (TRUE)
    n++;
}

static void
do_bomb (void)
{
  while (TRUE) {
    gchar *block = mmap (NULL, 16 * MEGABYTE, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (block != MAP_FAILED)
      memset (block, 1, 16 * MEGABYTE);
    /* Not so fast that the system itself has none left before. */
    g_usleep (2000);
  }
}

/* None of it is ever mapped. */
static void
fill_files (void)
{
  g_autofree gchar *block = g_malloc0 (16 * MEGABYTE);

  while (TRUE) {
    gint fd = memfd_create ("bomb", MFD_CLOEXEC);

    if (fd < 0 || write (fd, block, 16 * MEGABYTE) < 0)
      g_usleep (1000);
    g_usleep (5000);
  }
}

static gpointer
wait_for_ever (gpointer data)
{
  while (TRUE)
    pause ();
  return NULL;
}

static void
start_threads (void)
{
  while (TRUE) {
    GThread *thread = g_thread_try_new ("many", wait_for_ever, NULL, NULL);

    if (thread)
      g_thread_unref (thread);
    else
      g_usleep (1000);
  }
}

static void
write_much (void)
{
  guint i;

  for (i = 0; i < 100000; i++)
    fprintf (stderr, "line %u of very many that nobody reads\n", i);
  fprintf (stderr, "the last words\n");
}

static void
do_flood_and_abort (void)
{
  write_much ();
  abort ();
}

static void
do_abort (void)
{
  fprintf (stderr, "assertion failed: it is so\n");
  abort ();
}

static void
raise_kill (void)
{
  kill (getpid (), SIGKILL);
}

static void
raise_term (void)
{
  raise (SIGTERM);
}

static void
raise_fpe (void)
{
  raise_bare (SIGFPE);
}

static void
close_all (void)
{
  gint fd;

  for (fd = 3; fd < 64; fd++)
    close (fd);
}

/* What only the other side may say. */
static void
speak_nonsense (void)
{
  gint fd;

  for (fd = 3; fd < 8; fd++)
    send (fd, "nonsense", 8, MSG_NOSIGNAL);
  do_hang ();
}

static void
sleep_long (void)
{
  g_usleep (G_USEC_PER_SEC);
}

void
test_await_next (void)
{
  struct pollfd inbox = { INBOX, POLLIN, 0 };

  if (poll (&inbox, 1, 20000) < 1) {
    fprintf (stderr, "no further batch comes\n");
    abort ();
  }
}

/* ---- deeds that a wall is to stop: TRUE when it does not ---- */

static gboolean
can_open (const gchar * path, gint flags)
{
  gint fd = open (path, flags | O_CLOEXEC, 0600);

  if (fd >= 0)
    close (fd);
  return fd >= 0;
}

static gboolean
read_secret (void)
{
  return can_open ("/etc/passwd", O_RDONLY) || can_open ("/root", O_RDONLY)
      || can_open (g_get_home_dir (), O_RDONLY)
      || can_open (g_get_current_dir (), O_RDONLY);
}

static gboolean
write_file (void)
{
  g_autofree gchar *path = g_build_filename (g_get_tmp_dir (),
      "gst-orch-test-wall", NULL);
  gboolean could = can_open (path, O_WRONLY | O_CREAT);

  if (could)
    unlink (path);
  return could || mkdir ("/tmp/gst-orch-test-wall", 0700) == 0;
}

/* Files that are open may be named through /proc. */
static gboolean
reopen_memory_of_parent (void)
{
  g_autofree gchar *path = g_strdup_printf ("/proc/%d/mem", getppid ());

  return can_open (path, O_RDWR);
}

static gboolean
use_network (void)
{
  struct sockaddr_in address = { AF_INET, htons (9), {htonl (INADDR_LOOPBACK)}
  };
  gint fd = socket (AF_INET, SOCK_STREAM, 0);

  if (fd < 0)
    return socket (AF_UNIX, SOCK_STREAM, 0) >= 0
        || socket (AF_NETLINK, SOCK_RAW, 0) >= 0;
  return connect (fd, (struct sockaddr *) &address, sizeof address) == 0
      || errno == ECONNREFUSED;
}

static gboolean
start_program (void)
{
  gint status = -1;
  pid_t pid = fork ();

  if (pid == 0) {
    execl ("/bin/true", "true", NULL);
    _exit (1);
  }
  if (pid > 0)
    waitpid (pid, &status, 0);
  return pid > 0;
}

static gboolean
become_program (void)
{
  execl ("/bin/true", "true", NULL);
  return FALSE;
}

static gboolean
reach_parent (void)
{
  return kill (getppid (), 0) == 0 || kill (-1, 0) == 0
      || ptrace (PTRACE_ATTACH, getppid (), NULL, NULL) == 0
      || setpriority (PRIO_PROCESS, getppid (), 19) == 0;
}

static gboolean
gain_privileges (void)
{
  return prctl (PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;
}

static gboolean
dump_core (void)
{
  struct rlimit limit;

  return getrlimit (RLIMIT_CORE, &limit) < 0 || limit.rlim_max != 0;
}

static gboolean
fill_memory_file (void)
{
  gint fd = memfd_create ("wall", MFD_CLOEXEC);
  gboolean could;

  signal (SIGXFSZ, SIG_IGN);
  could = fd >= 0 && ftruncate (fd, 1ll << 40) == 0;
  if (fd >= 0)
    close (fd);
  return could;
}

static gboolean
outlive_parent (void)
{
  return prctl (PR_SET_PDEATHSIG, 0) == 0 || setsid () >= 0;
}

/* To what it is already. */
static gboolean
change_mode (void)
{
  struct stat about;

  return stat (g_get_home_dir (), &about) == 0
      && chmod (g_get_home_dir (), about.st_mode & 07777) == 0;
}

/* Of a file that is open only to be read, as documents are. */
static gboolean
change_open_file (void)
{
  gint fd = open ("/usr", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  gint memory = memfd_create ("wall", MFD_CLOEXEC);
  gboolean could = fchmod (memory, 0600) == 0
      || futimens (fd, (struct timespec[2]) { {0, UTIME_OMIT},
      {0, UTIME_OMIT}
      }) == 0 || fchown (memory, -1, -1) == 0;

  close (fd);
  close (memory);
  return could;
}

static gboolean
change_flags (void)
{
  gint fd = memfd_create ("wall", MFD_CLOEXEC), flags = 0;
  gboolean could = ioctl (fd, FS_IOC_GETFLAGS, &flags) == 0
      && ioctl (fd, FS_IOC_SETFLAGS, &flags) == 0;

  close (fd);
  return could;
}

static gboolean
leave_memory_behind (void)
{
  gint segment = shmget (IPC_PRIVATE, 4096, IPC_CREAT | 0600);
  gint queue = msgget (IPC_PRIVATE, IPC_CREAT | 0600);

  if (segment >= 0)
    shmctl (segment, IPC_RMID, NULL);
  if (queue >= 0)
    msgctl (queue, IPC_RMID, NULL);
  return segment >= 0 || queue >= 0;
}

static gboolean
bind_parent (void)
{
  cpu_set_t processors;

  return sched_getaffinity (getppid (), sizeof processors, &processors) == 0
      && sched_setaffinity (getppid (), sizeof processors, &processors) == 0;
}

static gboolean
hide (void)
{
  gboolean could = prctl (PR_SET_DUMPABLE, 0) == 0;

  prctl (PR_SET_DUMPABLE, 1);
  return could;
}

/* ---- by name ---- */

static const struct
{
  const gchar *name;
  void (*act) (void);
} acts[] = {
  {"segv", do_segv}, {"abort", do_abort}, {"exit", do_exit},
  {"hang", do_hang}, {"spin", do_spin}, {"bomb", do_bomb},
  {"flood", write_much}, {"flood-abort", do_flood_and_abort},
  {"kill", raise_kill}, {"term", raise_term}, {"fpe", raise_fpe},
  {"file-bomb", fill_files}, {"thread-bomb", start_threads},
  {"close", close_all}, {"nonsense", speak_nonsense}, {"sleep", sleep_long},
};

static const struct
{
  const gchar *name;
  gboolean (*reach) (void);
} walls[] = {
  {"read-secret", read_secret}, {"write-file", write_file},
  {"parent-memory", reopen_memory_of_parent}, {"network", use_network},
  {"fork", start_program}, {"exec", become_program},
  {"parent", reach_parent}, {"privileges", gain_privileges},
  {"core", dump_core}, {"huge-file", fill_memory_file},
  {"outlive", outlive_parent}, {"change-mode", change_mode},
  {"change-open-file", change_open_file}, {"change-flags", change_flags},
  {"leave-memory", leave_memory_behind}, {"bind-parent", bind_parent},
  {"hide", hide},
};

/* Threads that were there before the walls were. */
static gboolean (*reach_from_thread) (void);
static gint thread_answer;      /* atomic: 0, 1: refused, 2: reached */

static gpointer
early_thread (gpointer data)
{
  while (!g_atomic_pointer_get (&reach_from_thread))
    g_usleep (200);
  g_atomic_int_set (&thread_answer, reach_from_thread ()? 2 : 1);
  return NULL;
}

static gchar *
ask_early_thread (void)
{
  g_atomic_pointer_set (&reach_from_thread, read_secret);
  while (!g_atomic_int_get (&thread_answer))
    g_usleep (200);
  return g_strdup (thread_answer == 2 ? "reached" : "refused");
}

gchar *
test_deed (const gchar * deed)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (acts); i++)
    if (g_str_equal (acts[i].name, deed)) {
      acts[i].act ();
      return NULL;
    }
  for (i = 0; i < G_N_ELEMENTS (walls); i++)
    if (g_str_equal (walls[i].name, deed))
      return g_strdup (walls[i].reach ()? "reached" : "refused");
  if (g_str_equal (deed, "thread"))
    g_thread_unref (g_thread_new ("early", early_thread, NULL));
  if (g_str_equal (deed, "ask-thread"))
    return ask_early_thread ();
  if (g_str_equal (deed, "pid"))
    return g_strdup_printf ("%d", getpid ());
  return NULL;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchconfine-private.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined (__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined (__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* System calls that a worker has no use for: they reach the network, other
 * processes, or parts of the kernel with a history. */
static const gint forbidden[] = {
  SYS_socket, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4,
  SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv,
  SYS_process_vm_writev, SYS_tkill, SYS_rt_sigqueueinfo,
  SYS_rt_tgsigqueueinfo, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot,
  SYS_unshare, SYS_setns, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd,
  SYS_keyctl, SYS_add_key, SYS_request_key, SYS_init_module,
  SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot,
  SYS_swapon, SYS_swapoff, SYS_acct, SYS_quotactl, SYS_sethostname,
  SYS_setdomainname, SYS_settimeofday, SYS_clock_settime,
  SYS_open_by_handle_at, SYS_personality, SYS_setpgid, SYS_setsid,
  SYS_setpriority, SYS_ioprio_set, SYS_sched_setscheduler,
  SYS_sched_setparam, SYS_sched_setattr, SYS_move_pages, SYS_migrate_pages,
  SYS_kcmp,
  /* Memory that outlives the process. */
  SYS_shmget, SYS_semget, SYS_msgget, SYS_mq_open,
  /* What Landlock leaves open: a file that can be read may be its owner's. */
  SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat,
  SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr,
  SYS_lremovexattr, SYS_fremovexattr,
#ifdef SYS_fchmodat2
  SYS_fchmodat2,
#endif
#ifdef SYS_chmod
  SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
#ifdef SYS_iopl
  SYS_iopl, SYS_ioperm,
#endif
#ifdef SYS_fork
  SYS_fork, SYS_vfork,
#endif
#ifdef SYS_pidfd_send_signal
  SYS_pidfd_send_signal,
#endif
#ifdef SYS_pidfd_getfd
  SYS_pidfd_getfd,
#endif
#ifdef SYS_io_uring_setup
  SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
#endif
#ifdef SYS_process_madvise
  SYS_process_madvise,
#endif
};

#define MAX_FILTER 512

typedef struct
{
  struct sock_filter code[MAX_FILTER];
  gushort n;
} Filter;

static void
add (Filter * filter, guint16 code, guint32 value, guint8 if_true,
    guint8 if_false)
{
  filter->code[filter->n++] =
      (struct sock_filter) BPF_JUMP (code, value, if_true, if_false);
}

static void
load (Filter * filter, gsize offset)
{
  add (filter, BPF_LD | BPF_W | BPF_ABS, offset, 0, 0);
}

static void
refuse (Filter * filter, gint code)
{
  add (filter, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (code & SECCOMP_RET_DATA),
      0, 0);
}

static void
accept_call (Filter * filter)
{
  add (filter, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

static void
refuse_call (Filter * filter, gint number, gint code)
{
  add (filter, BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
  refuse (filter, code);
}

/* The low half of an argument: what is compared here is an int. */
static gsize
argument (guint n)
{
  return offsetof (struct seccomp_data, args) + n * sizeof (guint64)
      + (G_BYTE_ORDER == G_BIG_ENDIAN ? sizeof (guint32) : 0);
}

/* Only with one of two values of an argument; `comparison`: BPF_JEQ or BPF_JSET. */
static void
accept_with (Filter * filter, gint number, guint n, guint16 comparison,
    guint32 value, guint32 other)
{
  add (filter, BPF_JMP | BPF_JEQ | BPF_K, number, 0, 5);
  load (filter, argument (n));
  add (filter, BPF_JMP | comparison | BPF_K, value, 1, 0);
  add (filter, BPF_JMP | comparison | BPF_K, other, 0, 1);
  accept_call (filter);
  refuse (filter, EPERM);
}

/* Not with one of these values of an argument. */
static void
refuse_with (Filter * filter, gint number, guint n, const guint32 * values,
    guint n_values)
{
  guint i;

  add (filter, BPF_JMP | BPF_JEQ | BPF_K, number, 0, 2 * n_values + 2);
  load (filter, argument (n));
  for (i = 0; i < n_values; i++) {
    add (filter, BPF_JMP | BPF_JEQ | BPF_K, values[i], 0, 1);
    refuse (filter, EPERM);
  }
  accept_call (filter);
}

#ifdef ARCHITECTURE
/* The death of its parent is its own, and it does not hide from who watches it. */
static const guint32 options[] = { PR_SET_PDEATHSIG, PR_SET_DUMPABLE };

/* What types into a terminal, and what changes a file that can only be read. */
static const guint32 requests[] = { TIOCSTI, FS_IOC_SETFLAGS,
  FS_IOC_FSSETXATTR
};

static void
fill (Filter * filter)
{
  guint i;

  load (filter, offsetof (struct seccomp_data, arch));
  add (filter, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
  add (filter, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
  load (filter, offsetof (struct seccomp_data, nr));
#ifdef __x86_64__
  /* The same calls under other numbers. */
  add (filter, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
  add (filter, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
#endif
  for (i = 0; i < G_N_ELEMENTS (forbidden); i++)
    refuse_call (filter, forbidden[i], EPERM);
#ifdef SYS_clone3
  /* Its arguments cannot be looked at; the C library then uses clone(). */
  refuse_call (filter, SYS_clone3, ENOSYS);
#endif
  accept_with (filter, SYS_clone, 0, BPF_JSET, CLONE_THREAD, CLONE_THREAD);
  accept_with (filter, SYS_kill, 0, BPF_JEQ, getpid (), getpid ());
  accept_with (filter, SYS_tgkill, 0, BPF_JEQ, getpid (), getpid ());
  accept_with (filter, SYS_prlimit64, 0, BPF_JEQ, 0, getpid ());
  accept_with (filter, SYS_sched_setaffinity, 0, BPF_JEQ, 0, getpid ());
  refuse_with (filter, SYS_prctl, 0, options, G_N_ELEMENTS (options));
  refuse_with (filter, SYS_ioctl, 1, requests, G_N_ELEMENTS (requests));
  accept_call (filter);
}
#endif

gboolean
gst_orch_confine_calls (gchar ** why)
{
#ifdef ARCHITECTURE
  Filter filter = { {{0,}}, 0 };
  struct sock_fprog program = { 0, filter.code };

  fill (&filter);
  program.len = filter.n;
  /* For all threads at once. */
  if (syscall (SYS_seccomp, SECCOMP_SET_MODE_FILTER,
          SECCOMP_FILTER_FLAG_TSYNC, &program) == 0)
    return TRUE;
  *why = g_strdup_printf ("the network and other processes cannot be kept from "
      "it (seccomp: %s)", g_strerror (errno));
#else
  *why = g_strdup ("the network and other processes cannot be kept from it on "
      "this kind of processor");
#endif
  return FALSE;
}

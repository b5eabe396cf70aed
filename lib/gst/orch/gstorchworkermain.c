/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchconfine-private.h"
#include "gstorchspawn-private.h"
#include "gstorchworkerhost-private.h"
#include "gstorchworkermain-private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- before anything ---- */

/* Of what the Call's process has open, a worker gets what it is given. */
static void
close_all_above (guint fd)
{
#ifdef SYS_close_range
  syscall (SYS_close_range, fd + 1, G_MAXUINT, 0);
#endif
}

/* Documents come as descriptors, and Functions keep some of them open. */
static void
raise_fd_limit (void)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) < 0)
    return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit (RLIMIT_NOFILE, &limit);
}

static gboolean
begin (GstOrchHost * host)
{
  struct rlimit no_core = { 0, 0 };
  gpointer control;

  /* When the thread that speaks for this worker ends, so does this worker; and see
   * watch_main(). */
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  close_all_above (GST_ORCH_WORKER_INBOX);
  fcntl (GST_ORCH_WORKER_SOCKET, F_SETFD, FD_CLOEXEC);
  fcntl (GST_ORCH_WORKER_INBOX, F_SETFD, FD_CLOEXEC);
  setrlimit (RLIMIT_CORE, &no_core);
  raise_fd_limit ();
  control = mmap (NULL, GST_ORCH_CONTROL_SIZE, PROT_READ, MAP_SHARED,
      GST_ORCH_WORKER_CONTROL, 0);
  if (control == MAP_FAILED)
    return FALSE;
  close (GST_ORCH_WORKER_CONTROL);
  gst_orch_host_init (host, GST_ORCH_WORKER_SOCKET, GST_ORCH_WORKER_INBOX,
      control);
  return TRUE;
}

/* ---- becoming what it is to be ---- */

static gboolean
make_function (GstOrchHost * host, GstOrchReader * reader, GError ** error)
{
  const gchar *filename = gst_orch_reader_get_string (reader);
  const gchar *name = gst_orch_reader_get_string (reader);
  GstPlugin *plugin;

  if (!filename || !name) {
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "nothing was said of what to run");
    return FALSE;
  }
  plugin = gst_plugin_load_file (filename, error);
  if (!plugin)
    return FALSE;
  gst_object_unref (plugin);
  host->function = gst_orch_function_make (name);
  if (!host->function)
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "%s has no Function %s", filename, name);
  return host->function != NULL;
}

static gboolean
set_up (GstOrchHost * host, GstOrchReader * reader, GError ** error)
{
  GstOrchFunctionClass *klass;

  if (!make_function (host, reader, error))
    return FALSE;
  host->confine = gst_orch_reader_get_u8 (reader);
  gst_orch_host_set_properties (host, reader);
  klass = GST_ORCH_FUNCTION_GET_CLASS (host->function);
  if (!klass->setup || klass->setup (host->function, &host->data, error))
    return TRUE;
  if (!*error)
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "no reason was given");
  return FALSE;
}

/* The Function may read what it needs (a model) while it is set up.  Documents, which
 * may be hostile, come after the walls are up. */
static gboolean
become (GstOrchHost * host)
{
  GstOrchMessage message;
  GstOrchReader reader;
  GError *error = NULL;
  g_autofree gchar *text = NULL;
  gboolean ok;

  if (gst_orch_link_receive (&host->inbox, TRUE, &message, NULL)
      != GST_ORCH_LINK_MESSAGE || message.type != GST_ORCH_SAY_SETUP)
    return FALSE;
  reader = (GstOrchReader) { message.data, message.size, };
  /* It may have ended before the first call of all. */
  if (gst_orch_reader_get_u32 (&reader) != (guint32) getppid ())
    return FALSE;
  gst_init (NULL, NULL);
  ok = set_up (host, &reader, &error);
  gst_orch_message_clear (&message);
  if (ok && host->confine)
    text = gst_orch_confine ();
  gst_orch_host_say_text (host,
      ok ? GST_ORCH_SAY_READY : GST_ORCH_SAY_NOT_READY,
      ok ? text : error->message);
  g_clear_error (&error);
  return ok;
}

/* ---- working ---- */

/* Whatever the Function does, and be it for ever: without the Call's process there is
 * nothing to do. */
static gpointer
watch_main (gpointer data)
{
  GstOrchHost *host = data;
  gchar byte;

  while (recv (host->link.fd, &byte, sizeof byte, 0) > 0 || errno == EINTR);
  _exit (1);
}

static gboolean
handle (GstOrchHost * host, GstOrchMessage * message)
{
  GstOrchReader reader = { message->data, message->size, };

  switch (message->type) {
    case GST_ORCH_SAY_PROPERTIES:
      gst_orch_host_set_properties (host, &reader);
      return TRUE;
    case GST_ORCH_SAY_BATCH:
      if (gst_orch_host_run (host, message))
        return TRUE;
      g_printerr ("a batch cannot be read\n");
      _exit (1);
    default:
      return FALSE;
  }
}

static void
work (GstOrchHost * host)
{
  GstOrchFunctionClass *klass = GST_ORCH_FUNCTION_GET_CLASS (host->function);
  gboolean goes_on = TRUE;

  g_thread_unref (g_thread_new ("watch", watch_main, host));
  while (goes_on) {
    GstOrchMessage message;

    if (gst_orch_link_receive (&host->inbox, TRUE, &message, NULL)
        != GST_ORCH_LINK_MESSAGE)
      _exit (1);
    goes_on = handle (host, &message);
    gst_orch_message_clear (&message);
  }
  if (klass->teardown)
    klass->teardown (host->function, host->data);
}

gint
gst_orch_worker_main (void)
{
  GstOrchHost host;

  if (!begin (&host) || !become (&host))
    return 1;
  work (&host);
  fflush (NULL);
  /* That thread goes with the process, and what libraries do at exit() is of no use to
   * anybody. */
  _exit (0);
}

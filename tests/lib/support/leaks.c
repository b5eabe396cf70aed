/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "leaks.h"
#include "complaints.h"

#include <gst/gst.h>

/* Not the line that describes the format. */
#define LEAK "*object-alive, *address=(gpointer)0x*"

typedef struct
{
  void (*run) (void);
  gboolean is_leaking;
} Scene;

gboolean
leaks_init (gint * argc, gchar *** argv)
{
  g_setenv ("GST_TRACERS", "leaks", TRUE);
  g_setenv ("GST_DEBUG", "GST_TRACER:7", TRUE);
  g_setenv ("GST_DEBUG_NO_COLOR", "1", TRUE);
  g_test_init (argc, argv, NULL);
  if (g_test_subprocess ())
    gst_init (argc, argv);
  /* The tracer warns of what it finds; its list says more. */
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL);
  complaints_init ();
  return g_test_subprocess ();
}

static void
test_scene (gconstpointer data)
{
  const Scene *scene = data;

  if (g_test_subprocess ()) {
    scene->run ();
    gst_deinit ();
    return;
  }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
  if (scene->is_leaking)
    g_test_trap_assert_stderr (LEAK);
  else
    g_test_trap_assert_stderr_unmatched (LEAK);
}

static void
add (const gchar * name, void (*run) (void), gboolean is_leaking)
{
  g_autofree gchar *path = g_strconcat ("/leaks/", name, NULL);
  Scene *scene = g_new (Scene, 1);

  scene->run = run;
  scene->is_leaking = is_leaking;
  g_test_add_data_func_full (path, scene, test_scene, g_free);
}

void
leaks_add (const gchar * name, void (*run) (void))
{
  add (name, run, FALSE);
}

void
leaks_add_leaking (const gchar * name, void (*run) (void))
{
  add (name, run, TRUE);
}

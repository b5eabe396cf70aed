/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Videos, clips, frames, their statistics, pictures and copies: nothing is left of
 * them, whichever way a pipeline ends. */

#include "leaks.h"
#include "numbers.h"

#define CLIPS "orchvideoclips clip-duration=500000000 ! orchexpand ! "
#define LOOKS "tee name=t ! queue ! orchframestats ! j.sink_0 t. ! queue ! orchexpand ! " \
    "orchthumbnail ! orchreduce ! j.sink_1 orchjoin name=j ! orchreduce"

static gboolean
is_there (const gchar * element)
{
  GstElementFactory *factory = gst_element_factory_find (element);

  if (factory)
    gst_object_unref (factory);
  return factory != NULL;
}

static void
run_frames (void)
{
  if (is_there ("orchthumbnail"))
    run_free (video_test_run ("closed.mp4",
            CLIPS "orchvideodecode frames=2 ! " LOOKS));
}

static void
run_copies (void)
{
  run_free (video_test_run ("open.mkv",
          CLIPS "orchclipcopy ! orchreduce on-failed=placeholder"));
}

static void
run_failures (void)
{
  run_free (video_test_run ("open.mkv", CLIPS "orchclipcopy max-size=1000 ! "
          "orchreduce on-failed=placeholder"));
}

static void
run_stopped (void)
{
  static const gchar *const chains[] = {
    CLIPS "orchclipcopy ! orchreduce",
    CLIPS "orchvideodecode frames=5 ! orchframestats ! orchreduce",
  };
  guint i;

  for (i = 0; i < 10; i++) {
    Run *run = run_new (RUN_IN "! %s ! " RUN_OUT, chains[i % 2]);

    run_start (run);
    video_test_push (run, "closed.mp4");
    g_usleep (i * 2000);
    gst_element_set_state (run->pipeline, i % 3 ? GST_STATE_READY :
        GST_STATE_NULL);
    run_free (run);
  }
}

int
main (int argc, char **argv)
{
  leaks_init (&argc, &argv);
  leaks_add ("frames", run_frames);
  leaks_add ("copies", run_copies);
  leaks_add ("failures", run_failures);
  leaks_add ("stopped", run_stopped);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchocrengine.h"

#include <leptonica/allheaders.h>
#ifdef HAVE_OPENMP
#include <omp.h>
#endif

struct _GstOrchOcrEngine
{
  TessBaseAPI *api;
};

/* Loading fills tables that all engines of the process share. */
static GMutex load_lock;

/* Tesseract reports to stderr unless told otherwise, by a variable of the
 * whole process: set it once, before any engine can be reading it. */
static void
silence_tesseract (void)
{
  static gsize done = 0;

  if (g_once_init_enter (&done)) {
    TessBaseAPI *api = TessBaseAPICreate ();

    TessBaseAPISetVariable (api, "debug_file", "/dev/null");
    TessBaseAPIDelete (api);
    g_once_init_leave (&done, 1);
  }
}

/* Tesseract asks OpenMP for a fixed number of threads a layer, which overrides
 * omp_set_num_threads(); only "no parallel region at all" is obeyed.  The
 * setting belongs to the calling thread. */
static void
use_one_thread (void)
{
#ifdef HAVE_OPENMP
  omp_set_max_active_levels (0);
#endif
}

static gchar *
package_of_language (const gchar * language)
{
  g_autofree gchar *name = g_ascii_strdown (language, -1);

  return g_strdelimit (g_strconcat ("tesseract-ocr-", name, NULL), "_/", '-');
}

static GError *
missing_language_error (TessBaseAPI * api, const gchar * language,
    gchar ** available)
{
  g_autofree gchar *package = package_of_language (language);
  g_autofree gchar *known = g_strjoinv (", ", available);
  const gchar *datapath = TessBaseAPIGetDatapath (api);

  return g_error_new (GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
      "Tesseract has no data for language '%s' in '%s'; install the package "
      "%s. Installed languages: %s.", language, datapath ? datapath : "",
      package, *known ? known : "none");
}

static gboolean
needs_orientation (TessPageSegMode psm)
{
  return psm == PSM_AUTO_OSD || psm == PSM_SPARSE_TEXT_OSD;
}

/* Tesseract goes on with the other languages when one of several is missing,
 * and without orientation when only that is: neither may pass unseen. */
static gboolean
check_languages (TessBaseAPI * api, const GstOrchOcrConfig * config,
    GError ** error)
{
  gchar **available = TessBaseAPIGetAvailableLanguagesAsVector (api);
  g_auto (GStrv) wanted = g_strsplit (config->language, "+", -1);
  static gchar *nothing[] = { NULL };
  gchar **installed = available ? available : nothing;
  GError *problem = NULL;
  guint i;

  for (i = 0; wanted[i] && !problem; i++) {
    const gchar *name = wanted[i];

    /* "~deu" in a list is a language not to load. */
    if (*name != '\0' && *name != '~'
        && !g_strv_contains ((const gchar * const *) installed, name))
      problem = missing_language_error (api, name, installed);
  }
  if (!problem && needs_orientation (config->psm)
      && !g_strv_contains ((const gchar * const *) installed, "osd"))
    problem = missing_language_error (api, "osd", installed);

  if (available)
    TessDeleteTextArray (available);
  if (!problem)
    return TRUE;
  g_propagate_error (error, problem);
  return FALSE;
}

GstOrchOcrEngine *
gst_orch_ocr_engine_new (const GstOrchOcrConfig * config, GError ** error)
{
  TessBaseAPI *api;
  gint failed;

  silence_tesseract ();
  use_one_thread ();

  api = TessBaseAPICreate ();
  g_mutex_lock (&load_lock);
  failed = TessBaseAPIInit2 (api, config->datapath, config->language,
      config->oem);
  g_mutex_unlock (&load_lock);

  if (!check_languages (api, config, error))
    goto failed;
  if (failed) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "Tesseract cannot use the data for '%s'%s.", config->language,
        config->oem == OEM_LSTM_ONLY || config->oem == OEM_DEFAULT ? "" :
        ": it holds no model for this oem; use oem=lstm");
    goto failed;
  }
  TessBaseAPISetPageSegMode (api, config->psm);
  {
    GstOrchOcrEngine *engine = g_new0 (GstOrchOcrEngine, 1);

    engine->api = api;
    return engine;
  }

failed:
  TessBaseAPIDelete (api);
  return NULL;
}

void
gst_orch_ocr_engine_free (GstOrchOcrEngine * engine)
{
  TessBaseAPIEnd (engine->api);
  TessBaseAPIDelete (engine->api);
  g_free (engine);
}

TessBaseAPI *
gst_orch_ocr_engine_get_api (GstOrchOcrEngine * engine)
{
  return engine->api;
}

/* Tesseract's raw interface knows no 32-bit order but RGBA. */
static gboolean
set_image_bgrx (TessBaseAPI * api, GstVideoFrame * frame)
{
  gint width = GST_VIDEO_FRAME_WIDTH (frame);
  gint height = GST_VIDEO_FRAME_HEIGHT (frame);
  const guint8 *row = GST_VIDEO_FRAME_PLANE_DATA (frame, 0);
  PIX *pix = pixCreateNoInit (width, height, 32);
  guint32 *out, pixel;
  gint x, y;

  if (!pix)
    return FALSE;
  out = pixGetData (pix);
  for (y = 0; y < height; y++) {
    /* A pixel of Leptonica is the number 0xRRGGBBxx.  Ours may lie anywhere. */
    for (x = 0; x < width; x++) {
      memcpy (&pixel, row + 4 * x, sizeof pixel);
      out[x] = GUINT32_FROM_LE (pixel) << 8;
    }
    out += pixGetWpl (pix);
    row += GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0);
  }
  TessBaseAPISetImage2 (api, pix);
  pixDestroy (&pix);
  return TRUE;
}

static gboolean
set_image (TessBaseAPI * api, GstVideoFrame * frame)
{
  if (GST_VIDEO_FRAME_FORMAT (frame) == GST_VIDEO_FORMAT_BGRx)
    return set_image_bgrx (api, frame);

  TessBaseAPISetImage (api, GST_VIDEO_FRAME_PLANE_DATA (frame, 0),
      GST_VIDEO_FRAME_WIDTH (frame), GST_VIDEO_FRAME_HEIGHT (frame),
      GST_VIDEO_FRAME_COMP_PSTRIDE (frame, 0),
      GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0));
  return TRUE;
}

typedef struct
{
  GstOrchOcrStopFunc stop;
  gpointer user_data;
  gboolean stopped;
} StopContext;

static bool
on_word (void *data, int n_words)
{
  StopContext *context = data;

  context->stopped = context->stop (context->user_data);
  return context->stopped;
}

GstOrchOcrResult
gst_orch_ocr_engine_recognize (GstOrchOcrEngine * engine,
    GstVideoFrame * frame, gint dpi, GstOrchOcrStopFunc stop,
    gpointer user_data)
{
  StopContext context = { stop, user_data, FALSE };
  ETEXT_DESC *monitor;
  gint failed;

  /* What was learnt from the last image must not colour this one. */
  TessBaseAPIClear (engine->api);
  TessBaseAPIClearAdaptiveClassifier (engine->api);

  if (!set_image (engine->api, frame))
    return GST_ORCH_OCR_FAILED;
  if (dpi > 0)
    TessBaseAPISetSourceResolution (engine->api, dpi);

  monitor = TessMonitorCreate ();
  TessMonitorSetCancelFunc (monitor, on_word);
  TessMonitorSetCancelThis (monitor, &context);
  failed = TessBaseAPIRecognize (engine->api, monitor);
  TessMonitorDelete (monitor);

  if (context.stopped)
    return GST_ORCH_OCR_STOPPED;
  return failed ? GST_ORCH_OCR_FAILED : GST_ORCH_OCR_DONE;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/**
 * SECTION:element-orchpdfrender
 * @title: orchpdfrender
 *
 * Function `pdf-render`: draws the page that a reference refers to.
 *
 * The page's crop box is drawn on white, rotated as the page says, at
 * ceil (points x dpi / 72) pixels; pixels are those of
 * `pdftocairo -cropbox`.  Sets the info field `dpi` (double), which is less
 * than the property when `max-pixels` would be exceeded; then the page has a
 * warning as well.
 *
 * Poppler reports success for a page that it cannot read.  A page that comes
 * out blank, or about which Poppler complains, is looked at by other means; if
 * what it is drawn from is damaged or missing, it fails (`check=fail`).
 *
 * |[
 * gst-launch-1.0 orchsrc location=docs ! orchpdfpages ! orchexpand ! \
 *     orchpdfrender dpi=300 format=RGB replicas=2 ! pngenc ! \
 *     multifilesink location=page-%05d.png
 * ]|
 */

#include "gstorchpdfrender.h"

#define DEFAULT_DPI 150.0
#define DEFAULT_FORMAT PDF_FORMAT_GRAY8
#define DEFAULT_MAX_PIXELS 40000000

enum
{
  PROP_0,
  PROP_DPI,
  PROP_FORMAT,
  PROP_MAX_PIXELS,
};

struct _GstOrchPdfRenderFunction
{
  GstOrchPdfPageFunction parent;

  PdfDrawSettings settings;     /* protected by the object lock */
};

G_DEFINE_FINAL_TYPE (GstOrchPdfRenderFunction, gst_orch_pdf_render_function,
    GST_TYPE_ORCH_PDF_PAGE_FUNCTION);

static const gchar *const format_names[] = {
  [PDF_FORMAT_GRAY8] = "GRAY8",
  [PDF_FORMAT_RGB] = "RGB",
  [PDF_FORMAT_BGRX] = "BGRx",
};

#define GST_TYPE_ORCH_PDF_FORMAT (gst_orch_pdf_format_get_type ())
static GType
gst_orch_pdf_format_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {PDF_FORMAT_GRAY8, "8 bits of grey", "GRAY8"},
    {PDF_FORMAT_RGB, "8 bits each of red, green and blue", "RGB"},
    {PDF_FORMAT_BGRX, "8 bits each of blue, green, red and padding", "BGRx"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchPdfFormat", values));
  return type;
}

static void
warn_of_scaling (GstOrchPdfPageJob * job, const PdfDrawSettings * settings,
    const PdfDrawing * drawing)
{
  if (drawing->is_scaled)
    gst_orch_batch_warn (job->batch, job->index, "The page is drawn at %.2f "
        "dpi instead of %.2f: more than %" G_GUINT64_FORMAT " pixels, or 32767 "
        "a side, are not drawn.", drawing->dpi, settings->dpi,
        settings->max_pixels);
  if (job->page.images == PDF_IMAGES_LARGE)
    gst_orch_batch_warn (job->batch, job->index, "The page has an image of "
        "more than 64 million pixels, or 32767 a side: it is scaled down "
        "before it is drawn.");
}

static GstCaps *
make_caps (const PdfDrawSettings * settings, const PdfDrawing * drawing)
{
  return gst_caps_new_simple ("video/x-raw",
      "format", G_TYPE_STRING, format_names[settings->format],
      "width", G_TYPE_INT, drawing->width,
      "height", G_TYPE_INT, drawing->height,
      "framerate", GST_TYPE_FRACTION, 0, 1, NULL);
}

static gboolean
gst_orch_pdf_render_function_process_page (GstOrchPdfPageFunction * function,
    GstOrchPdfPageJob * job, GError ** error)
{
  GstOrchPdfRenderFunction *self = GST_ORCH_PDF_RENDER_FUNCTION (function);
  PdfDrawSettings settings;
  PdfDrawing drawing;
  GstCaps *caps;

  GST_OBJECT_LOCK (self);
  settings = self->settings;
  GST_OBJECT_UNLOCK (self);

  if (!pdf_draw_page (job->canvas, job->poppler_page, &job->page, &settings,
          &drawing, error))
    return FALSE;
  if (!gst_orch_pdf_page_job_check (job, PDF_RESULT_DRAWING, drawing.is_blank,
          error)) {
    g_free (drawing.data);
    return FALSE;
  }
  warn_of_scaling (job, &settings, &drawing);
  gst_orch_batch_set_info (job->batch, job->index, gst_structure_new ("info",
          "dpi", G_TYPE_DOUBLE, drawing.dpi, NULL));
  caps = make_caps (&settings, &drawing);
  gst_orch_batch_present (job->batch, job->index,
      gst_buffer_new_wrapped (drawing.data, drawing.size), caps);
  gst_caps_unref (caps);
  return TRUE;
}

static void
gst_orch_pdf_render_function_set_property (GObject * object, guint prop_id,
    const GValue * value, GParamSpec * pspec)
{
  GstOrchPdfRenderFunction *self = GST_ORCH_PDF_RENDER_FUNCTION (object);

  GST_OBJECT_LOCK (self);
  switch (prop_id) {
    case PROP_DPI:
      self->settings.dpi = g_value_get_double (value);
      break;
    case PROP_FORMAT:
      self->settings.format = g_value_get_enum (value);
      break;
    case PROP_MAX_PIXELS:
      self->settings.max_pixels = g_value_get_uint (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_orch_pdf_render_function_get_property (GObject * object, guint prop_id,
    GValue * value, GParamSpec * pspec)
{
  GstOrchPdfRenderFunction *self = GST_ORCH_PDF_RENDER_FUNCTION (object);

  GST_OBJECT_LOCK (self);
  switch (prop_id) {
    case PROP_DPI:
      g_value_set_double (value, self->settings.dpi);
      break;
    case PROP_FORMAT:
      g_value_set_enum (value, self->settings.format);
      break;
    case PROP_MAX_PIXELS:
      g_value_set_uint (value, self->settings.max_pixels);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_orch_pdf_render_function_class_init (GstOrchPdfRenderFunctionClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | GST_PARAM_MUTABLE_PLAYING |
      G_PARAM_STATIC_STRINGS;

  object_class->set_property = gst_orch_pdf_render_function_set_property;
  object_class->get_property = gst_orch_pdf_render_function_get_property;
  GST_ORCH_PDF_PAGE_FUNCTION_CLASS (klass)->process_page =
      gst_orch_pdf_render_function_process_page;

  g_object_class_install_property (object_class, PROP_DPI,
      g_param_spec_double ("dpi", "Resolution", "Dots per inch", 1, 4800,
          DEFAULT_DPI, flags));
  g_object_class_install_property (object_class, PROP_FORMAT,
      g_param_spec_enum ("format", "Format", "Format of the pixels",
          GST_TYPE_ORCH_PDF_FORMAT, DEFAULT_FORMAT, flags));
  g_object_class_install_property (object_class, PROP_MAX_PIXELS,
      g_param_spec_uint ("max-pixels", "Maximum pixels",
          "Pixels of a page; a larger page is drawn at fewer dots per inch",
          1, G_MAXINT, DEFAULT_MAX_PIXELS, flags));

  gst_orch_function_class_set_metadata (function_class, "PDF page renderer",
      "Draws the pages that references refer to", "the gst-orch authors");
  gst_orch_function_class_set_caps (function_class,
      gst_caps_from_string (GST_ORCH_REF_CAPS_NAME
          ", media-type=(string)application/pdf"),
      gst_caps_from_string ("video/x-raw, format=(string){ GRAY8, RGB, BGRx }, "
          "width=(int)[ 1, max ], height=(int)[ 1, max ], "
          "framerate=(fraction)0/1"));
}

static void
gst_orch_pdf_render_function_init (GstOrchPdfRenderFunction * self)
{
  self->settings.dpi = DEFAULT_DPI;
  self->settings.format = DEFAULT_FORMAT;
  self->settings.max_pixels = DEFAULT_MAX_PIXELS;
}

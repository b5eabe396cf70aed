/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchpdffunction.h"

#define CAUSE_DOMAIN "pdf"

#define DEFAULT_CHECK PDF_CHECK_FAIL

enum
{
  PROP_0,
  PROP_PASSWORD,
  PROP_CHECK,
};

typedef struct
{
  /* Protected by the object lock. */
  gchar *password;
  PdfCheck check;
} GstOrchPdfFunctionPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (GstOrchPdfFunction, gst_orch_pdf_function,
    GST_TYPE_ORCH_FUNCTION);

GType
gst_orch_pdf_check_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {PDF_CHECK_OFF, "Believe Poppler, which passes over damage", "off"},
    {PDF_CHECK_WARN, "Present what is left, with a warning", "warn"},
    {PDF_CHECK_FAIL, "Fail the page or document that is damaged", "fail"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchPdfCheck", values));
  return type;
}

GstOrchCause *
gst_orch_pdf_cause_new (const GError * error)
{
  return gst_orch_cause_new_literal (CAUSE_DOMAIN, pdf_error_get_code (error),
      error->message);
}

gchar *
gst_orch_pdf_function_dup_password (GstOrchPdfFunction * self)
{
  GstOrchPdfFunctionPrivate *priv =
      gst_orch_pdf_function_get_instance_private (self);
  gchar *password;

  GST_OBJECT_LOCK (self);
  password = g_strdup (priv->password);
  GST_OBJECT_UNLOCK (self);
  return password;
}

PdfCheck
gst_orch_pdf_function_get_check (GstOrchPdfFunction * self)
{
  GstOrchPdfFunctionPrivate *priv =
      gst_orch_pdf_function_get_instance_private (self);
  PdfCheck check;

  GST_OBJECT_LOCK (self);
  check = priv->check;
  GST_OBJECT_UNLOCK (self);
  return check;
}

static void
run_grain (GstOrchPdfFunction * self, gpointer replica_data,
    GstOrchBatch * batch, guint index)
{
  GstOrchPdfFunctionClass *klass = GST_ORCH_PDF_FUNCTION_GET_CLASS (self);
  g_autoptr (GError) error = NULL;
  PdfMessages messages;

  pdf_messages_begin (&messages);
  if (!klass->process (self, replica_data, batch, index, &messages, &error))
    gst_orch_batch_fail_record (batch, index, gst_orch_pdf_cause_new (error));
  pdf_messages_end (&messages);
  pdf_messages_clear (&messages);
}

static gboolean
gst_orch_pdf_function_run (GstOrchFunction * function, gpointer replica_data,
    GstOrchBatch * batch, GError ** error)
{
  guint n = gst_orch_batch_get_size (batch);
  guint i;

  for (i = 0; i < n && !gst_orch_batch_is_cancelled (batch); i++) {
    if (gst_orch_batch_is_wanted (batch, i))
      run_grain (GST_ORCH_PDF_FUNCTION (function), replica_data, batch, i);
    /* What is done need not wait for its batch mates. */
    gst_orch_batch_commit (batch);
  }
  return TRUE;
}

static void
gst_orch_pdf_function_set_property (GObject * object, guint prop_id,
    const GValue * value, GParamSpec * pspec)
{
  GstOrchPdfFunction *self = GST_ORCH_PDF_FUNCTION (object);
  GstOrchPdfFunctionPrivate *priv =
      gst_orch_pdf_function_get_instance_private (self);

  GST_OBJECT_LOCK (self);
  switch (prop_id) {
    case PROP_PASSWORD:
      g_free (priv->password);
      priv->password = g_value_dup_string (value);
      break;
    case PROP_CHECK:
      priv->check = g_value_get_enum (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_orch_pdf_function_get_property (GObject * object, guint prop_id,
    GValue * value, GParamSpec * pspec)
{
  GstOrchPdfFunction *self = GST_ORCH_PDF_FUNCTION (object);
  GstOrchPdfFunctionPrivate *priv =
      gst_orch_pdf_function_get_instance_private (self);

  GST_OBJECT_LOCK (self);
  switch (prop_id) {
    case PROP_PASSWORD:
      g_value_set_string (value, priv->password);
      break;
    case PROP_CHECK:
      g_value_set_enum (value, priv->check);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_orch_pdf_function_finalize (GObject * object)
{
  GstOrchPdfFunctionPrivate *priv =
      gst_orch_pdf_function_get_instance_private (GST_ORCH_PDF_FUNCTION
      (object));

  g_free (priv->password);
  G_OBJECT_CLASS (gst_orch_pdf_function_parent_class)->finalize (object);
}

static void
gst_orch_pdf_function_class_init (GstOrchPdfFunctionClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstOrchFunctionClass *function_class = GST_ORCH_FUNCTION_CLASS (klass);

  object_class->set_property = gst_orch_pdf_function_set_property;
  object_class->get_property = gst_orch_pdf_function_get_property;
  object_class->finalize = gst_orch_pdf_function_finalize;
  function_class->run = gst_orch_pdf_function_run;

  g_object_class_install_property (object_class, PROP_PASSWORD,
      g_param_spec_string ("password", "Password",
          "User or owner password of encrypted documents", NULL,
          G_PARAM_READWRITE | GST_PARAM_MUTABLE_PLAYING |
          G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (object_class, PROP_CHECK,
      g_param_spec_enum ("check", "Check",
          "What becomes of damage that Poppler passes over",
          GST_TYPE_ORCH_PDF_CHECK, DEFAULT_CHECK,
          G_PARAM_READWRITE | GST_PARAM_MUTABLE_PLAYING |
          G_PARAM_STATIC_STRINGS));
}

static void
gst_orch_pdf_function_init (GstOrchPdfFunction * self)
{
  GstOrchPdfFunctionPrivate *priv =
      gst_orch_pdf_function_get_instance_private (self);

  priv->check = DEFAULT_CHECK;
}

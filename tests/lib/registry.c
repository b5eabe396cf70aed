/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Functions are found by name; each is an element too. */

#include "run.h"
#include "complaints.h"
#include "script.h"

#include <gst/check/gstcheck.h>
#include <string.h>

static gboolean
is_loaded (const gchar * name)
{
  GstPlugin *plugin = gst_registry_find_plugin (gst_registry_get (), name);
  gboolean loaded;

  fail_unless (plugin != NULL);
  loaded = gst_plugin_is_loaded (plugin);
  gst_object_unref (plugin);
  return loaded;
}

GST_START_TEST (test_names)
{
  g_auto (GStrv) names = gst_orch_function_list_names ();
  guint i;

  for (i = 1; names[i]; i++)
    fail_unless (strcmp (names[i - 1], names[i]) < 0);
  fail_unless (g_strv_contains ((const gchar * const *) names, "identity"));
  fail_unless (g_strv_contains ((const gchar * const *) names, "test-list"));
  fail_unless (g_strv_contains ((const gchar * const *) names, "test-work"));
  fail_unless (g_strv_contains ((const gchar * const *) names, "upper"));
  fail_unless (g_strv_contains ((const gchar * const *) names, "script"));
}

GST_END_TEST;

GST_START_TEST (test_make)
{
  GstOrchFunction *function = gst_orch_function_make ("upper");
  gint times;

  fail_unless (GST_IS_ORCH_FUNCTION (function));
  fail_if (g_object_is_floating (function));
  g_object_get (function, "times", &times, NULL);
  fail_unless_equals_int (times, 2);
  gst_object_unref (function);
}

GST_END_TEST;

GST_START_TEST (test_unknown)
{
  fail_unless (gst_orch_function_make ("uppper") == NULL);
  fail_unless (gst_orch_function_make ("") == NULL);
  /* An element that is no Function. */
  fail_unless (gst_orch_function_make ("orchexpand") == NULL);
}

GST_END_TEST;

/* A plugin in a folder of its own is known by being on the path; only what is
 * used is loaded. */
GST_START_TEST (test_nothing_else_is_loaded)
{
  g_auto (GStrv) names = gst_orch_function_list_names ();
  GstOrchFunction *function;

  /* Then the scan is made in this process, and loads everything. */
  if (g_strcmp0 (g_getenv ("GST_REGISTRY_FORK"), "no") == 0)
    return;
  fail_if (is_loaded ("orchthirdparty"));
  fail_if (is_loaded ("orchtest"));
  function = gst_orch_function_make ("upper");
  fail_unless (is_loaded ("orchthirdparty"));
  fail_if (is_loaded ("orchtest"));
  fail_if (is_loaded ("orchidentity"));
  gst_object_unref (function);
}

GST_END_TEST;

/* ---- the generated element ---- */

GST_START_TEST (test_metadata)
{
  GstElementFactory *factory = gst_element_factory_find ("orchupper");
  const GList *l;

  fail_unless (factory != NULL);
  fail_unless_equals_string (gst_element_factory_get_metadata (factory,
          GST_ELEMENT_METADATA_LONGNAME), "Upper case");
  fail_unless_equals_string (gst_element_factory_get_metadata (factory,
          GST_ELEMENT_METADATA_DESCRIPTION), "Writes text in upper case");
  fail_unless_equals_string (gst_element_factory_get_metadata (factory,
          GST_ELEMENT_METADATA_AUTHOR), "A third party");
  fail_unless_equals_int (gst_plugin_feature_get_rank (GST_PLUGIN_FEATURE
          (factory)), GST_RANK_NONE);
  l = gst_element_factory_get_static_pad_templates (factory);
  fail_unless_equals_int (g_list_length ((GList *) l), 2);
  for (; l; l = l->next) {
    GstCaps *caps = gst_static_pad_template_get_caps (l->data);
    g_autofree gchar *text = gst_caps_to_string (caps);

    fail_unless_equals_string (text, "text/x-raw, format=(string)utf8");
    gst_caps_unref (caps);
  }
  gst_object_unref (factory);
}

GST_END_TEST;

/* Every property of the Function, with its range, default and description. */
GST_START_TEST (test_properties_are_shown)
{
  GstElement *element = gst_element_factory_make ("orchupper", NULL);
  GstOrchFunction *function = gst_orch_function_make ("upper");
  guint i, n, n_own = 0;
  GParamSpec **pspecs =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (function), &n);

  for (i = 0; i < n; i++) {
    GParamSpec *own = pspecs[i], *shown;

    if (own->owner_type == GST_TYPE_OBJECT)
      continue;
    n_own++;
    shown = g_object_class_find_property (G_OBJECT_GET_CLASS (element),
        own->name);
    fail_unless (shown != NULL);
    fail_unless_equals_string (g_param_spec_get_blurb (shown),
        g_param_spec_get_blurb (own));
    fail_unless (shown->value_type == own->value_type);
    fail_unless_equals_int (g_param_values_cmp (own,
            g_param_spec_get_default_value (own),
            g_param_spec_get_default_value (shown)), 0);
  }
  fail_unless_equals_int (n_own, 6);
  fail_unless_equals_int (G_PARAM_SPEC_INT (g_object_class_find_property
          (G_OBJECT_GET_CLASS (element), "times"))->maximum, 7);
  g_free (pspecs);
  gst_object_unref (function);
  gst_object_unref (element);
}

GST_END_TEST;

GST_START_TEST (test_properties_are_forwarded)
{
  GstElement *element = gst_parse_launch ("orchupper suffix=x times=5 large=9 "
      "share=0.5 loud=false format=time", NULL);
  GstOrchFunction *function =
      gst_orch_call_get_function (GST_ORCH_CALL (element));
  g_autofree gchar *suffix = NULL, *through_proxy = NULL, *shown = NULL;
  GstFormat format;
  gdouble share;
  gint64 large;
  gint times;
  gboolean loud;

  g_object_get (function, "suffix", &suffix, "times", &times, "large", &large,
      "share", &share, "loud", &loud, "format", &format, NULL);
  fail_unless_equals_string (suffix, "x");
  fail_unless_equals_int (times, 5);
  fail_unless_equals_int64 (large, 9);
  fail_unless_equals_float (share, 0.5);
  fail_if (loud);
  fail_unless_equals_int (format, GST_FORMAT_TIME);
  gst_child_proxy_set (GST_CHILD_PROXY (element), "function::suffix", "y",
      NULL);
  g_object_get (element, "suffix", &shown, NULL);
  fail_unless_equals_string (shown, "y");
  gst_child_proxy_get (GST_CHILD_PROXY (element), "function::suffix",
      &through_proxy, NULL);
  fail_unless_equals_string (through_proxy, "y");
  gst_object_unref (function);
  gst_object_unref (element);
}

GST_END_TEST;

/* Two elements have two Functions. */
GST_START_TEST (test_instances_are_apart)
{
  Run *self = run_new (RUN_IN "! orchupper suffix=1 ! "
      "orchupper suffix=2 loud=false ! " RUN_OUT);

  run_start (self);
  run_push (self, "abc");
  run_end (self);
  run_finish (self);
  run_assert_results (self, "0 ABC12");
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_wrong_caps)
{
  Run *self = run_new (RUN_IN "! orchupper name=mine ! " RUN_OUT);

  run_start (self);
  run_push (self, "[a]");
  run_end (self);
  fail_if (run_wait (self));
  fail_unless (strstr (self->error, "mine") || strstr (self->error_debug,
          "mine"));
  run_free (self);
}

GST_END_TEST;

GST_START_TEST (test_invalid_names)
{
  GstOrchFunction *function = gst_orch_function_make ("upper");

  assert_complaint (gst_orch_function_register (NULL, "Upper",
          G_OBJECT_TYPE (function)));
  assert_complaint (gst_orch_function_register (NULL, "upper case",
          G_OBJECT_TYPE (function)));
  assert_complaint (gst_orch_function_register (NULL, "",
          G_OBJECT_TYPE (function)));
  assert_complaint (gst_orch_function_register (NULL, "object",
          G_TYPE_OBJECT));
  gst_object_unref (function);
}

GST_END_TEST;

static Suite *
registry_suite (void)
{
  Suite *s = suite_create ("registry");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  script_init ();
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_names);
  tcase_add_test (tc, test_make);
  tcase_add_test (tc, test_unknown);
  tcase_add_test (tc, test_nothing_else_is_loaded);
  tcase_add_test (tc, test_metadata);
  tcase_add_test (tc, test_properties_are_shown);
  tcase_add_test (tc, test_properties_are_forwarded);
  tcase_add_test (tc, test_instances_are_apart);
  tcase_add_test (tc, test_wrong_caps);
  tcase_add_test (tc, test_invalid_names);
  return s;
}

GST_CHECK_MAIN (registry);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchpipeline.h"
#include "gstorchrecordwriter.h"
#include "testfolder.h"

#include <string.h>

static GstElement *
parse (const gchar * launch)
{
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch (launch, &error);

  g_assert_no_error (error);
  return pipeline;
}

/* Not by the launch line: gst_parse_launch() of GStreamer 1.22 leaks what
 * function:: names. */
static void
set_n (GstElement * pipeline, guint n)
{
  GstElement *call = gst_bin_get_by_name (GST_BIN (pipeline), "orchcall0");

  gst_child_proxy_set (GST_CHILD_PROXY (call), "function::n", n, NULL);
  gst_object_unref (call);
}

/* The header of the element called "end".  `n`: what the Function of the element
 * "orchcall0" makes, 0 for its default. */
static GstOrchRunHeader *
make_header_with (const gchar * launch, guint n)
{
  GstElement *pipeline = parse (launch);
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "end");
  GstOrchRunHeader *header;

  if (n)
    set_n (pipeline, n);
  header = gst_orch_run_header_new (sink);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  return header;
}

static GstOrchRunHeader *
make_header (const gchar * launch)
{
  return make_header_with (launch, 0);
}

static void
check_launch (const gchar * launch, guint n, const gchar * expected)
{
  GstOrchRunHeader *header = make_header_with (launch, n);

  g_assert_cmpstr (gst_orch_run_header_get_launch (header), ==, expected);
  gst_orch_run_header_free (header);
}

static void
check_same (const gchar * one, guint n, const gchar * other, gboolean same)
{
  GstOrchRunHeader *first = make_header_with (one, n);
  GstOrchRunHeader *second = make_header (other);

  g_assert_cmpint (g_str_equal (gst_orch_run_header_get_fingerprint (first),
          gst_orch_run_header_get_fingerprint (second)), ==, same);
  gst_orch_run_header_free (first);
  gst_orch_run_header_free (second);
}

#define END " ! orchsink name=end location=x"

static void
test_launch (void)
{
  check_launch ("orchsrc location=a location=\"b c\" max-open=3 ! queue ! "
      "orchcall name=orchcall0 function=test-list replicas=2" END, 4,
      "orchsrc location=a location=\"b c\" max-open=3 ! queue ! "
      "orchcall replicas=2 function=test-list function::n=4 ! "
      "orchsink name=end location=x");
  check_launch ("orchsrc location=\"a\\\"b\" name=first ! "
      "capsfilter caps=\"application/octet-stream,width=1\"" END, 0,
      "orchsrc name=first location=\"a\\\"b\" ! "
      "capsfilter caps=\"application/octet-stream, width=(int)1\" ! "
      "orchsink name=end location=x");
}

static void
check_launch_again (const gchar * line, const gchar * pad)
{
  GstOrchRunHeader *header = make_header (line), *again;

  g_test_message ("%s", gst_orch_run_header_get_launch (header));
  again = make_header (gst_orch_run_header_get_launch (header));
  g_assert_cmpstr (gst_orch_run_header_get_fingerprint (header), ==,
      gst_orch_run_header_get_fingerprint (again));
  if (pad)
    g_assert_nonnull (strstr (gst_orch_run_header_get_launch (again), pad));
  gst_orch_run_header_free (header);
  gst_orch_run_header_free (again);
}

/* What it says can be typed again, branches and pads included. */
static void
test_launch_again (void)
{
  check_launch_again ("funnel name=f" END
      " orchsrc name=one location=a ! tee name=t ! queue ! f. "
      "t. ! queue name=other ! f. orchsrc name=two location=b ! f.", NULL);
  check_launch_again ("orchjoin name=j output=first sink_0::label=a "
      "sink_2::optional=true ! orchreduce" END
      " orchsrc location=a ! orchcall function=test-list name=l ! orchexpand ! "
      "tee name=t ! queue name=one ! orchfilter name=f predicate=value ! "
      "j.sink_2 t. ! queue name=two ! j.sink_0 t. ! queue name=three ! f.mask",
      "three. ! f.mask");
}

/* Which pad has what is part of what the results depend on. */
static void
test_pads (void)
{
#define PADS(PROPERTIES) "orchjoin name=j " PROPERTIES END \
      " orchsrc location=a ! tee name=t ! queue ! j.sink_0 t. ! queue ! j.sink_1"
  GstOrchRunHeader *plain = make_header (PADS ("")),
      *optional = make_header (PADS ("sink_1::optional=true"));

  g_assert_nonnull (strstr (gst_orch_run_header_get_launch (optional),
          "orchjoin name=j sink_1::optional=true"));
  g_assert_nonnull (strstr (gst_orch_run_header_get_launch (optional),
          " ! j.sink_1"));
  g_assert_cmpstr (gst_orch_run_header_get_fingerprint (plain), !=,
      gst_orch_run_header_get_fingerprint (optional));
  gst_orch_run_header_free (plain);
  gst_orch_run_header_free (optional);
}

/* An element in a bin is found through the bin's ghost pads, in and out. */
static void
test_bins (void)
{
  GstElement *pipeline = gst_pipeline_new (NULL);
  GstElement *bin = gst_parse_bin_from_description
      ("identity silent=false", TRUE, NULL);
  GstElement *source = gst_element_factory_make ("orchsrc", NULL);
  GstElement *sink = gst_element_factory_make ("orchsink", NULL);
  GPtrArray *elements;

  gst_bin_add_many (GST_BIN (pipeline), source, bin, sink, NULL);
  g_assert_true (gst_element_link_many (source, bin, sink, NULL));
  elements = gst_orch_pipeline_list (sink);
  g_assert_cmpuint (elements->len, ==, 3);
  g_assert_true (g_ptr_array_index (elements, 0) == source);
  g_assert_true (g_ptr_array_index (elements, 2) == sink);
  g_ptr_array_unref (elements);
  gst_object_unref (pipeline);
}

/* ---- an element that knows a secret ---- */

typedef struct
{
  GstBin bin;
  gchar *password;
} TestVault;

typedef struct
{
  GstBinClass parent_class;
} TestVaultClass;

GType test_vault_get_type (void);
G_DEFINE_TYPE (TestVault, test_vault, GST_TYPE_BIN);

static void
test_vault_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  g_free (((TestVault *) object)->password);
  ((TestVault *) object)->password = g_value_dup_string (value);
}

static void
test_vault_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  g_value_set_string (value, ((TestVault *) object)->password);
}

static void
test_vault_finalize (GObject * object)
{
  g_free (((TestVault *) object)->password);
  G_OBJECT_CLASS (test_vault_parent_class)->finalize (object);
}

static void
test_vault_class_init (TestVaultClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = test_vault_set_property;
  object_class->get_property = test_vault_get_property;
  object_class->finalize = test_vault_finalize;
  g_object_class_install_property (object_class, 1,
      g_param_spec_string ("password", "Password", "Secret", NULL,
          G_PARAM_READWRITE));
}

static void
test_vault_init (TestVault * self)
{
}

static void
test_secrets (void)
{
  GstElement *vault = g_object_new (test_vault_get_type (), "password",
      "geheim", NULL);
  GPtrArray *elements = gst_orch_pipeline_list (vault);
  g_autofree gchar *launch = gst_orch_pipeline_describe (elements);
  g_autofree gchar *fingerprint = gst_orch_element_fingerprint (vault);

  g_assert_nonnull (strstr (launch, "password="));
  g_assert_null (strstr (launch, "geheim"));
  g_assert_nonnull (strstr (fingerprint, "password="));
  g_assert_null (strstr (fingerprint, "geheim"));
  g_ptr_array_unref (elements);
  gst_object_unref (gst_object_ref_sink (vault));
}

/* How fast, from where and in which order does not matter; how does. */
static void
test_fingerprint (void)
{
#define LIST "orchsrc location=a ! orchcall name=orchcall0 function=test-list"
  check_same (LIST END, 0, "orchsrc location=b max-open=2 num-buffers=5 ! queue ! orchcall "
      "function=test-list replicas=4 batch-size=9 ! queue max-size-buffers=1 ! "
      "orchsink name=end location=y order=input durability=close", TRUE);
  check_same (LIST END, 0, "orchsrc location=a ! orchtestlist" END, TRUE);
  check_same (LIST END, 4, "orchsrc location=a ! orchtestlist n=4" END, TRUE);
  check_same (LIST END, 4, LIST END, FALSE);
  check_same (LIST END, 0, LIST " ! orchcall function=test-list" END, FALSE);
  check_same (LIST END, 0, "orchsrc location=a max-file-size=9 ! orchcall "
      "function=test-list" END, FALSE);
  check_same (LIST END, 0, LIST " ! orchsink name=end location=x "
      "content-format=plain", FALSE);
  check_same (LIST END, 0, LIST " ! identity" END, FALSE);
}

/* ---- on disk ---- */

static void
test_check (TestFolder * folder, gconstpointer data)
{
  g_autofree gchar *file = test_folder_get (folder, "out.jsonl");
  GstOrchRunHeader *three = make_header (LIST END);
  GstOrchRunHeader *four = make_header_with (LIST END, 4);
  g_autoptr (GError) error = NULL;

  g_assert_false (gst_orch_run_header_check (three, file, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_true (gst_orch_run_header_save (three, file, &error));
  g_assert_true (gst_orch_run_header_check (three, file, &error));
  g_assert_false (gst_orch_run_header_check (four, file, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS);
  g_assert_nonnull (strstr (error->message, "n=4"));
  g_clear_error (&error);
  test_folder_write (folder, "out.jsonl.run.json", "[7");
  g_assert_false (gst_orch_run_header_check (three, file, &error));
  g_clear_error (&error);
  test_folder_write (folder, "out.jsonl.run.json", "{\"work\":[7,{}]}");
  g_assert_false (gst_orch_run_header_check (three, file, &error));
  gst_orch_run_header_free (three);
  gst_orch_run_header_free (four);
}

/* Another pipeline's records stay as they are. */
static void
test_resume (TestFolder * folder, gconstpointer data)
{
  g_autofree gchar *file = test_folder_get (folder, "out.jsonl");
  GstOrchRunHeader *three = make_header (LIST END);
  GstOrchRunHeader *four = make_header_with (LIST END, 4);
  GstOrchRecordWriterConfig config = { file, GST_ORCH_EXISTING_RESUME, TRUE,
    GST_ORCH_DURABILITY_NONE, four, NULL
  };
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = NULL;
  GstOrchRecordWriter *writer;

  test_folder_write (folder, "out.jsonl",
      "{\"uri\":\"a\",\"path\":\"0\",\"complete\":false}\nhalf");
  g_assert_true (gst_orch_run_header_save (three, file, NULL));
  g_assert_null (gst_orch_record_writer_open (&config, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS);
  g_assert_nonnull (strstr (error->message, "existing=overwrite"));
  text = test_folder_read (folder, "out.jsonl");
  g_assert_true (g_str_has_suffix (text, "half"));

  config.existing = GST_ORCH_EXISTING_RESUME_ANY;
  writer = gst_orch_record_writer_open (&config, NULL);
  g_assert_nonnull (writer);
  gst_orch_record_writer_free (writer);
  g_assert_true (gst_orch_run_header_check (four, file, NULL));
  gst_orch_run_header_free (three);
  gst_orch_run_header_free (four);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (NULL, NULL);
  g_test_add_func ("/header/launch", test_launch);
  g_test_add_func ("/header/launch-again", test_launch_again);
  g_test_add_func ("/header/pads", test_pads);
  g_test_add_func ("/header/bins", test_bins);
  g_test_add_func ("/header/secrets", test_secrets);
  g_test_add_func ("/header/fingerprint", test_fingerprint);
  TEST_ADD ("/header/check", test_check);
  TEST_ADD ("/header/resume", test_resume);
  return g_test_run ();
}

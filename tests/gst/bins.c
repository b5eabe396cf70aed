/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* What a description may be, and what is said of one that may not. */

#include "fixture.h"
#include "gstorchgstbin.h"

#include <string.h>

static void
assert_refused (const gchar * description, const gchar * reason)
{
  GError *error = NULL;

  g_assert_null (gst_orch_gst_bin_new (description, &error));
  g_assert_nonnull (error);
  if (!strstr (error->message, reason))
    g_error ("\"%s\": %s", description, error->message);
  g_error_free (error);
}

static void
test_refused (void)
{
  assert_refused (NULL, "the property bin is not set");
  assert_refused ("", "the property bin is not set");
  assert_refused ("identity ! nosuchelement", "no element \"nosuchelement\"");
  assert_refused ("identity no-such-property=1", "no-such-property");
  assert_refused ("identity ! fakesink", "no src pad is left");
  assert_refused ("fakesrc ! identity", "no sink pad is left");
  assert_refused ("identity name=a identity name=b",
      "2 sink pads are not linked (a.sink, b.sink)");
  assert_refused ("input-selector name=s ! identity name=i queue name=q ! s. "
      "queue name=r ! s.", "(q.sink, r.sink)");
  assert_refused ("tee name=t ! queue name=q t. ! queue name=r",
      "2 src pads are not linked (q.src, r.src)");
  assert_refused ("decodebin", "no src pad is left");
}

/* The ghost pads lead to these. */
static void
assert_ends (const gchar * description, const gchar * sink, const gchar * src)
{
  static const gchar *const names[] = { "sink", "src" };
  const gchar *const expected[] = { sink, src };
  GError *error = NULL;
  GstElement *bin = gst_orch_gst_bin_new (description, &error);
  guint i;

  g_assert_no_error (error);
  for (i = 0; i < G_N_ELEMENTS (names); i++) {
    GstPad *pad = gst_element_get_static_pad (bin, names[i]);
    GstPad *target = gst_ghost_pad_get_target (GST_GHOST_PAD (pad));
    g_autofree gchar *element = gst_object_get_name (GST_OBJECT_PARENT (target));

    g_assert_true (g_str_has_prefix (element, expected[i]));
    gst_object_unref (target);
    gst_object_unref (pad);
  }
  gst_object_unref (bin);
}

static void
test_ends (void)
{
  assert_ends ("identity name=a", "a", "a");
  assert_ends ("identity name=a ! queue ! identity name=b", "a", "b");
  assert_ends ("tee name=t ! queue ! funnel name=f t. ! queue ! f.", "t", "f");
}

/* What is linked when the stream is known is no end. */
static void
test_delayed_links (void)
{
  if (!fixture_needs ("decodebin ! qtdemux ! videoconvert"))
    return;
  assert_ends ("decodebin name=a ! videoconvert name=b", "a", "b");
  assert_ends ("identity name=a ! decodebin ! videoconvert ! queue name=b", "a",
      "b");
  assert_ends ("videoconvert name=b identity name=a ! decodebin ! b.", "a", "b");
  assert_ends ("qtdemux name=a ! decodebin ! videoconvert name=b", "a", "b");
}

/* Caps at the end need nothing behind them. */
static void
test_caps_at_the_end (void)
{
  assert_ends ("identity name=a ! capsfilter name=b caps=text/x-raw", "a", "b");
  assert_ends ("identity name=a ! video/x-raw,format=GRAY8,width=[1,8]", "a",
      "identity");
  assert_ends ("identity name=a ! video/x-raw(memory:SystemMemory)", "a",
      "identity");
}

static void
assert_kind (const gchar * description, gboolean forgets, gboolean reads_files)
{
  GError *error = NULL;
  GstElement *bin = gst_orch_gst_bin_new (description, &error);

  g_assert_no_error (error);
  g_assert_cmpint (gst_orch_gst_bin_forgets (bin), ==, forgets);
  g_assert_cmpint (gst_orch_gst_bin_reads_files (bin), ==, reads_files);
  gst_object_unref (bin);
}

static void
test_kinds (void)
{
  if (!fixture_needs ("jpegdec ! videoconvert ! decodebin ! valve"))
    return;
  assert_kind ("jpegdec ! videoconvert", TRUE, FALSE);
  assert_kind ("jpegdec ! valve", FALSE, FALSE);
  assert_kind ("decodebin ! videoconvert", FALSE, TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  g_test_add_func ("/gst/bins/refused", test_refused);
  g_test_add_func ("/gst/bins/ends", test_ends);
  g_test_add_func ("/gst/bins/delayed-links", test_delayed_links);
  g_test_add_func ("/gst/bins/caps-at-the-end", test_caps_at_the_end);
  g_test_add_func ("/gst/bins/kinds", test_kinds);
  return g_test_run ();
}

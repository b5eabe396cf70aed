/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchjson.h"

#include <math.h>
#include <string.h>

static gchar *
print_structure (const GstStructure * structure)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);

  json_node_take_object (node, gst_orch_json_from_structure (structure, NULL));
  return gst_orch_json_print (node, NULL);
}

static GstStructure *
parse_structure (const gchar * text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node =
      gst_orch_json_parse (text, strlen (text), &error);

  g_assert_no_error (error);
  return gst_orch_json_to_structure (json_node_get_object (node), "fields",
      "uri");
}

static void
test_round_trip (void)
{
  static const gchar text[] = "{\"zeta\":1,\"a\":-9223372036854775808,"
      "\"half\":0.5,\"yes\":true,\"no\":false,\"none\":null,"
      "\"text\":\"tab\\tquote\\\" \xc3\xbc\",\"empty\":\"\","
      "\"list\":[1,\"two\",[],{}],\"object\":{\"deep\":{\"er\":[null]}}}";
  g_autoptr (GstStructure) structure = parse_structure (text);
  g_autofree gchar *again = print_structure (structure);

  g_assert_cmpstr (again, ==, text);
}

static void
test_left_out (void)
{
  static const gchar *const leave_out[] = { "b", NULL };
  g_autoptr (GstStructure) structure =
      parse_structure ("{\"uri\":\"x\",\"a\":1,\"b\":2}");
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  g_autofree gchar *text = NULL;

  g_assert_false (gst_structure_has_field (structure, "uri"));
  json_node_take_object (node,
      gst_orch_json_from_structure (structure, leave_out));
  text = gst_orch_json_print (node, NULL);
  g_assert_cmpstr (text, ==, "{\"a\":1}");
}

static void
test_types (void)
{
  g_autoptr (GstStructure) structure = gst_structure_new ("info",
      "int", G_TYPE_INT, -4, "uint", G_TYPE_UINT, 4000000000u,
      "size", G_TYPE_UINT64, G_GUINT64_CONSTANT (5000000000),
      "nan", G_TYPE_DOUBLE, NAN, "infinite", G_TYPE_FLOAT, INFINITY,
      "rate", GST_TYPE_FRACTION, 30, 1, "nothing", G_TYPE_STRING, NULL, NULL);
  g_autofree gchar *text = print_structure (structure);

  g_assert_cmpstr (text, ==, "{\"int\":-4,\"uint\":4000000000,"
      "\"size\":5000000000,\"nan\":null,\"infinite\":null,\"rate\":\"30/1\","
      "\"nothing\":null}");
}

static void
test_no_structure (void)
{
  g_autofree gchar *text = print_structure (NULL);

  g_assert_cmpstr (text, ==, "{}");
}

static void
check_clean (const gchar * text, gsize size, const gchar * expected)
{
  g_autofree gchar *clean = gst_orch_json_clean_text (text, size);

  g_assert_cmpstr (clean, ==, expected);
}

static void
test_clean_text (void)
{
  check_clean (NULL, 0, "");
  check_clean ("plain \xc3\xbc", 8, "plain \xc3\xbc");
  check_clean ("a\0b", 3, "a\357\277\275b");
  check_clean ("\0", 1, "\357\277\275");
  check_clean ("a\xff" "b", 3, "a\357\277\275b");
  check_clean ("\0\xff", 2, "\357\277\275\357\277\275");
  check_clean ("abc", 2, "ab");
  check_clean ("\xc3", 1, "\357\277\275");
}

/* Whatever bytes come, what is printed can be read back and is the same. */
static void
test_any_bytes (void)
{
  guint round, i;

  for (round = 0; round < 2000; round++) {
    gchar bytes[64];
    gsize size = g_test_rand_int_range (0, sizeof bytes);
    g_autofree gchar *clean = NULL, *printed = NULL;
    g_autoptr (JsonNode) node = NULL, again = NULL;
    gsize length;

    for (i = 0; i < size; i++)
      bytes[i] = g_test_rand_int_range (0, 4) ? g_test_rand_int_range (0, 128)
          : g_test_rand_int_range (0, 256);
    clean = gst_orch_json_clean_text (bytes, size);
    g_assert_true (g_utf8_validate (clean, -1, NULL));
    node = json_node_init_string (json_node_alloc (), clean);
    printed = gst_orch_json_print (node, &length);
    g_assert_null (memchr (printed, '\n', length));
    again = gst_orch_json_parse (printed, length, NULL);
    g_assert_nonnull (again);
    g_assert_cmpstr (json_node_get_string (again), ==, clean);
  }
}

static void
check_refused (const gchar * text, gsize size)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (gst_orch_json_parse (text, size, &error));
  g_assert_true (error && error->domain == JSON_PARSER_ERROR);
}

static void
test_refused (void)
{
  g_autofree gchar *deep = g_strnfill (100000, '[');

  check_refused (deep, 100000);
  check_refused ("", 0);
  check_refused ("{\"a\":", 5);
  check_refused ("\"\xff\"", 3);
}

static void
test_deep_in_string (void)
{
  g_autofree gchar *many = g_strnfill (1000, '[');
  g_autofree gchar *text = g_strdup_printf ("\"\\\"%s\"", many);
  g_autoptr (JsonNode) node = gst_orch_json_parse (text, strlen (text), NULL);

  g_assert_nonnull (node);
}

static void
test_lone_surrogate (void)
{
  g_autoptr (GstStructure) structure =
      parse_structure ("{\"text\":\"a\\ud800b\"}");

  g_assert_true (g_utf8_validate (gst_structure_get_string (structure, "text"),
          -1, NULL));
}

/* Every control character, in a string, comes out escaped. */
static void
test_control_characters (void)
{
  gchar c;

  for (c = 1; c < 0x20; c++) {
    const gchar value[] = { 'a', c, 'b', '\0' };
    g_autoptr (JsonNode) node = json_node_init_string (json_node_alloc (), value);
    gsize size = 0, i;
    g_autofree gchar *printed = gst_orch_json_print (node, &size);
    g_autoptr (JsonNode) parsed = json_from_string (printed, NULL);

    g_assert_cmpuint (size, ==, strlen (printed));
    for (i = 0; i < size; i++)
      g_assert_cmpint (printed[i], >=, 0x20);
    g_assert_nonnull (parsed);
    g_assert_cmpstr (json_node_get_string (parsed), ==, value);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (NULL, NULL);
  g_test_add_func ("/json/round-trip", test_round_trip);
  g_test_add_func ("/json/control-characters", test_control_characters);
  g_test_add_func ("/json/left-out", test_left_out);
  g_test_add_func ("/json/types", test_types);
  g_test_add_func ("/json/no-structure", test_no_structure);
  g_test_add_func ("/json/clean-text", test_clean_text);
  g_test_add_func ("/json/any-bytes", test_any_bytes);
  g_test_add_func ("/json/refused", test_refused);
  g_test_add_func ("/json/deep-in-string", test_deep_in_string);
  g_test_add_func ("/json/lone-surrogate", test_lone_surrogate);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* What a predicate says of an Item. */

#include "gstorchpredicate.h"

#include <string.h>

typedef struct
{
  const gchar *predicate;
  OrchMask expected;
} Case;

#define T ORCH_MASK_TRUE
#define F ORCH_MASK_FALSE
#define N ORCH_MASK_NOT_A_BOOLEAN

static OrchMask
evaluate (const gchar * text, const gchar * info, const gchar * caps,
    const gchar * value)
{
  GstStructure *structure = info ? gst_structure_from_string (info, NULL)
      : NULL;
  GstCaps *parsed = caps ? gst_caps_from_string (caps) : NULL;
  GstBuffer *buffer = value ? gst_buffer_new_memdup (value, strlen (value))
      : NULL;
  GError *error = NULL;
  GstOrchPredicate *predicate = gst_orch_predicate_parse (text, &error);
  OrchMask result;

  g_assert_no_error (error);
  result = gst_orch_predicate_evaluate (predicate, structure, parsed, buffer);
  gst_orch_predicate_free (predicate);
  g_clear_pointer (&structure, gst_structure_free);
  gst_clear_caps (&parsed);
  gst_clear_buffer (&buffer);
  return result;
}

static void
assert_cases (const Case * cases, guint n, const gchar * info,
    const gchar * caps, const gchar * value)
{
  guint i;

  for (i = 0; i < n; i++) {
    OrchMask result = evaluate (cases[i].predicate, info, caps, value);

    if (result != cases[i].expected)
      g_error ("%s: %d", cases[i].predicate, result);
  }
}

#define assert_all(CASES, INFO, CAPS, VALUE) \
    assert_cases (CASES, G_N_ELEMENTS (CASES), INFO, CAPS, VALUE)

static void
test_info (void)
{
  static const Case cases[] = {
    {"info.quality < 0.9", T}, {"info.quality<0.5", F},
    {"info.quality == 0.5", T}, {"info.quality != 0.5", F},
    {"info.quality >= .5", T}, {"info.quality > 5e-1", F},
    {"0.9 > info.quality", T}, {"info.quality <= -1", F},
    {"info.pages == 7", T}, {"info.big > 4000000000", T},
    {"info.scanned", T}, {"not info.scanned", F}, {"info.scanned == true", T},
    {"info.scanned != false", T}, {"info.scanned < true", N},
    {"info.lang == en", T}, {"info.lang == 'en'", T}, {"info.lang < \"fr\"", T},
    {"info.lang == 7", N}, {"info.lang", N}, {"info.flag", T},
    {"info.flag == true", T}, {"info.lang == true", N},
    {"info.missing", N}, {"info.missing == 1", N}, {"not info.missing", N},
    {"has info.missing", F}, {"has info.quality", T},
    {"info.rate == 12.5", T}, {"info.inner.depth == 3", T},
    {"info.inner.missing == 3", N}, {"info.inner == 3", N},
    {"info.quality == info.quality", T}, {"info.pages > info.quality", T},
  };

  assert_all (cases, "info, quality=(double)0.5, pages=7, "
      "big=(guint64)5000000000, scanned=true, lang=en, flag=(string)true, "
      "rate=25/2, inner=(structure)[inner, depth=(int)3;]", NULL, NULL);
}

static void
test_caps (void)
{
  static const Case cases[] = {
    {"caps == image/png", T}, {"caps != 'image/png'", F},
    {"caps.width >= 64", T}, {"caps.width < 64", F}, {"caps.height > 1", N},
    {"value == ''", N}, {"has value", F}, {"info.x", N},
  };

  assert_all (cases, NULL, "image/png, width=64", "PNG");
  g_assert_cmpint (evaluate ("has caps", NULL, NULL, NULL), ==, F);
}

static void
test_text (void)
{
  static const Case cases[] = {
    {"value == 'two words'", T}, {"value == ''", F}, {"value != en", T},
    {"value.lang == en", N}, {"has value.lang", F}, {"has value", T},
  };
  static const Case blank[] = {
    {"value == ''", T}, {"has value", T}, {"not value == ''", F},
  };

  assert_all (cases, NULL, "text/x-raw, format=utf8", "  two words\n");
  assert_all (blank, NULL, "text/x-raw, format=utf8", " \n\f");
  g_assert_cmpint (evaluate ("value", NULL, "text/x-raw, format=utf8",
          "true\n"), ==, T);
}

static void
test_json (void)
{
  static const Case cases[] = {
    {"value.lang == en", T}, {"value.page.width > 600", T},
    {"value.good", T}, {"value.empty == ''", T}, {"value.nothing == 1", N},
    {"value.list == 1", N}, {"value.lang.more == 1", N}, {"value == 1", N},
    {"has value.nothing", T}, {"has value.more", F},
  };

  assert_all (cases, NULL, "application/json", "{\"lang\": \"en\", "
      "\"page\": {\"width\": 612.5}, \"good\": true, \"empty\": \"\", "
      "\"nothing\": null, \"list\": [1]}");
  g_assert_cmpint (evaluate ("value", NULL, "application/json", "false"), ==,
      F);
  g_assert_cmpint (evaluate ("value > 1", NULL, "application/json", "1.5"), ==,
      T);
  g_assert_cmpint (evaluate ("value.x == 1", NULL, "application/json",
          "{broken"), ==, N);
}

/* What is not needed is not looked at. */
static void
test_logic (void)
{
  static const Case cases[] = {
    {"1 < 2 and 2 < 3", T}, {"1 < 2 and 3 < 2", F}, {"3 < 2 or 1 < 2", T},
    {"1 < 2 or info.x", T}, {"2 < 1 and info.x", F}, {"1 < 2 and info.x", N},
    {"2 < 1 or info.x", N}, {"info.x or 1 < 2", N}, {"info.x and 2 < 1", N},
    {"2 < 1 and 2 < 1 or 1 < 2", T}, {"2 < 1 and (2 < 1 or 1 < 2)", F},
    {"not 1 < 2 or 1 < 2", T}, {"not (1 < 2 or 1 < 2)", F},
    {"not not 1 < 2", T}, {"true", T}, {"false or true", T},
    {"not has info.x or info.x < 1", T}, {"notable == notable", T},
    {"a == 'a' and b != \"a b\"", T}, {" ( true ) ", T},
  };

  assert_all (cases, NULL, NULL, NULL);
}

static void
test_refused (void)
{
  static const gchar *const cases[] = {
    "", "   ", "and", "1 <", "1 < 2 2", "(1 < 2", "1 < 2)", "'open", "not",
    "has", "has 7", "has word", "info. == 1", "value..x == 1", "1 = 2", "a && b",
    "1 < 2 and", "or true", "info.x == ", "1 < 2 < 3", "!true",
  };
  GString *deep = g_string_new (NULL);
  guint i;

  for (i = 0; i < 100000; i++)
    g_string_append_c (deep, '(');
  for (i = 0; i <= G_N_ELEMENTS (cases); i++) {
    const gchar *text = i < G_N_ELEMENTS (cases) ? cases[i] : deep->str;
    GError *error = NULL;

    if (gst_orch_predicate_parse (text, &error))
      g_error ("taken for a predicate: %s", text);
    g_assert_error (error, GST_ORCH_PREDICATE_ERROR, 0);
    g_clear_error (&error);
  }
  g_string_free (deep, TRUE);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/predicate/info", test_info);
  g_test_add_func ("/predicate/caps", test_caps);
  g_test_add_func ("/predicate/text", test_text);
  g_test_add_func ("/predicate/json", test_json);
  g_test_add_func ("/predicate/logic", test_logic);
  g_test_add_func ("/predicate/refused", test_refused);
  return g_test_run ();
}

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
  result = gst_orch_predicate_evaluate (predicate, structure, parsed, buffer, NULL);
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

/* Doubles, which are fewer, would make some of them equal. */
static void
test_integers (void)
{
  static const Case cases[] = {
    {"info.odd == 9007199254740993", T}, {"info.odd == 9007199254740992", F},
    {"info.odd > 9007199254740992", T}, {"info.odd < 9007199254740994", T},
    {"info.odd > 9007199254740992.0", T}, {"info.odd < 9007199254740994.0", T},
    {"info.low == -9223372036854775807", T},
    {"info.low > -9223372036854775808", T},
    {"info.low < -9223372036854775806", T},
    {"info.top == 18446744073709551615", T},
    {"info.top > 18446744073709551614", T},
    {"info.top < 18446744073709551616", T}, {"info.top > 1.8446744e19", T},
    {"info.top > info.odd", T}, {"info.low < info.odd", T},
    {"info.odd > info.low", T}, {"info.odd != info.even", T},
    {"info.small == -3", T}, {"info.small > -3.5", T}, {"info.small < -2", T},
  };
  static const Case json[] = {
    {"value.id == 9007199254740993", T}, {"value.id > 9007199254740992", T},
  };

  assert_all (cases, "info, odd=(gint64)9007199254740993, "
      "even=(guint64)9007199254740992, low=(gint64)-9223372036854775807, "
      "top=(guint64)18446744073709551615, small=(int)-3", NULL, NULL);
  assert_all (json, NULL, "application/json", "{\"id\": 9007199254740993}");
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
    {"info.t and 2 > info.one", T}, {"info.t and info.f", F},
    {"info.f or info.t", T}, {"info.t or info.x", T}, {"info.f and info.x", F},
    {"info.t and info.x", N}, {"info.f or info.x", N}, {"info.x or info.t", N},
    {"info.x and info.f", N}, {"info.f and info.f or info.t", T},
    {"info.f and (info.f or info.t)", F}, {"info.t and info.t and info.f", F},
    {"info.f or info.f or info.t", T}, {"info.t and info.t and info.t", T},
    {"info.f or info.f or info.f", F}, {"info.f or info.t and info.f", F},
    {"not info.t or info.t", T}, {"not (info.t or info.t)", F},
    {"not not info.t", T}, {"not has info.x or info.x < 1", T},
    {"info.word == notable", T}, {"info.word != \"a b\"", T},
    {"info.word != AND", T}, {" ( info.t ) ", T},
  };

  assert_all (cases, "info, t=true, f=false, one=1, word=notable", NULL, NULL);
}

static void
test_refused (void)
{
  static const gchar *const cases[] = {
    "", "   ", "and", "value <", "value < 2 2", "(value < 2", "value < 2)",
    "'open", "not", "has", "has 7", "has word", "info. == 1", "value..x == 1",
    "value = 2", "value && value", "value < 2 and", "or value", "info.x == ",
    "1 < value < 3", "!value",
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

/* What is the same for every unit, and what is written a little wrong. */
static void
test_advice (void)
{
  static const struct
  {
    const gchar *predicate, *expected;
  } cases[] = {
    {"lang == en", "neither side is a field at \"lang == en\"; write info.lang"},
    {"value != '' and 'x' < 3", "neither side is a field at \"'x' < 3\""},
    {"infos.x < 3", "neither side is a field"},
    {"1", "neither side is a field"}, {"not true", "neither side is a field"},
    {"has value or word", "neither side is a field"},
    {"NOT value", "in lower case at \"NOT value\""},
    {"value AND info.x", "in lower case at \"AND info.x\""},
    {"value == 1 Or info.x", "in lower case at \"Or info.x\""},
    {"(Has value)", "in lower case at \"Has value)\""},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    GError *error = NULL;

    g_assert_null (gst_orch_predicate_parse (cases[i].predicate, &error));
    g_assert_error (error, GST_ORCH_PREDICATE_ERROR, 0);
    if (!strstr (error->message, cases[i].expected))
      g_error ("%s: %s", cases[i].predicate, error->message);
    g_clear_error (&error);
  }
}

/* Which field it is that cannot be evaluated. */
static void
test_reason (void)
{
  static const struct
  {
    const gchar *predicate, *expected;
  } cases[] = {
    {"info.t and info.quality < 1", "info.quality is not there"},
    {"7 == value.lang", "value.lang is not there"},
    {"info.lang == info.b.c", "info.b.c is not there"},
    {"not info.lang", "info.lang is a text, not a boolean"},
    {"info.f or 7 > info.lang",
        "at info.lang, a number and a text do not compare like this"},
    {"info.t < true",
        "at info.t, a boolean and a boolean do not compare like this"},
    {"info.lang == en", NULL},
  };
  g_autoptr (GstStructure) info =
      gst_structure_from_string ("info, t=true, f=false, lang=en", NULL);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstOrchPredicate *predicate =
        gst_orch_predicate_parse (cases[i].predicate, NULL);
    g_autofree gchar *reason = NULL;

    gst_orch_predicate_evaluate (predicate, info, NULL, NULL, &reason);
    g_assert_cmpstr (reason, ==, cases[i].expected);
    gst_orch_predicate_free (predicate);
  }
}

/* However many parts there are, nothing nests. */
static void
test_long_chain (void)
{
  GString *text = g_string_new ("info.f");
  guint i;

  for (i = 0; i < 300000; i++)
    g_string_append (text, i % 2 ? " or info.f" : " and info.t");
  g_string_append (text, " or info.t");
  g_assert_cmpint (evaluate (text->str, "info, t=true, f=false", NULL, NULL),
      ==, T);
  g_string_free (text, TRUE);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/predicate/info", test_info);
  g_test_add_func ("/predicate/integers", test_integers);
  g_test_add_func ("/predicate/caps", test_caps);
  g_test_add_func ("/predicate/text", test_text);
  g_test_add_func ("/predicate/json", test_json);
  g_test_add_func ("/predicate/logic", test_logic);
  g_test_add_func ("/predicate/refused", test_refused);
  g_test_add_func ("/predicate/advice", test_advice);
  g_test_add_func ("/predicate/reason", test_reason);
  g_test_add_func ("/predicate/long-chain", test_long_chain);
  return g_test_run ();
}

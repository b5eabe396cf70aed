/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchjson.h"
#include "gstorchrecord.h"
#include "gstorchsummary.h"

#include <gst/orch/gstorchref.h>
#include <string.h>

#define TEXT "text/x-raw, format=utf8"

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstOrchInfo, gst_orch_info_unref)

/* ---- what a sink might be given ---- */

static OrchExpansion *
new_roots (void)
{
  OrchDomain *domain = orch_domain_new ("document", NULL);
  OrchExpansion *roots = orch_expansion_new (domain, NULL);

  orch_domain_unref (domain);
  return roots;
}

static OrchEntity *
new_root (guint64 ordinal)
{
  OrchExpansion *roots = new_roots ();
  OrchEntity *root = orch_entity_new (roots, ordinal);

  orch_expansion_unref (roots);
  return root;
}

static GstOrchInfo *
new_info (const gchar * uri)
{
  return gst_orch_info_new (gst_structure_new ("info",
          "uri", G_TYPE_STRING, uri, "name", G_TYPE_STRING, "a.pdf", NULL));
}

/* (transfer full): a child in a Domain of its own */
static OrchEntity *
new_child (OrchEntity * parent, guint64 ordinal, GstOrchInfo * parent_info)
{
  OrchDomain *domain = orch_domain_new ("page",
      orch_entity_get_domain (parent));
  OrchExpansion *expansion = orch_expansion_new (domain, parent);
  OrchEntity *child;

  if (parent_info)
    orch_expansion_set_data (expansion, gst_orch_info_ref (parent_info),
        (GDestroyNotify) gst_orch_info_unref);
  child = orch_entity_new (expansion, ordinal);
  orch_expansion_unref (expansion);
  orch_domain_unref (domain);
  return child;
}

static GstBuffer *
new_text (const gchar * text)
{
  return text[0] ? gst_buffer_new_memdup (text, strlen (text))
      : gst_buffer_new ();
}

static void
append (GstOrchList * list, const gchar * text, const gchar * caps_text)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (caps_text);

  gst_orch_list_append (list, new_text (text), caps, NULL);
}

static void
init_present (GstOrchResult * result, guint64 ordinal, GstBuffer * buffer,
    const gchar * caps)
{
  memset (result, 0, sizeof *result);
  result->entity = new_root (ordinal);
  result->outcome = ORCH_OUTCOME_PRESENT;
  result->info = new_info ("file:///a.pdf");
  result->buffer = buffer;
  result->caps = gst_caps_from_string (caps);
}

static void
init_absent (GstOrchResult * result, OrchOutcome outcome, const gchar * code,
    const gchar * path)
{
  memset (result, 0, sizeof *result);
  result->entity = new_root (4);
  result->outcome = outcome;
  result->info = new_info ("file:///a.pdf");
  if (code)
    result->cause = orch_cause_new (strcmp (code, ORCH_CODE_LOST) == 0
        ? ORCH_CAUSE_DOMAIN : "test", code, "It broke.", path, "call");
}

static JsonObject *
build (const GstOrchResult * result, GstOrchContentFormat format,
    GstOrchRecord * record)
{
  g_autoptr (GError) error = NULL;

  gst_orch_record_build (record, result, format, NULL, &error);
  g_assert_no_error (error);
  return json_node_get_object (record->root);
}

static gchar *
print_member (JsonObject * object, const gchar * name)
{
  return gst_orch_json_print (json_object_get_member (object, name), NULL);
}

static void
check_member (JsonObject * object, const gchar * name, const gchar * expected)
{
  g_autofree gchar *text = print_member (object, name);

  g_assert_cmpstr (text, ==, expected);
}

static void
check_build (const GstOrchResult * result, GstOrchContentFormat format,
    const gchar * content, const gchar * members)
{
  GstOrchRecord record;
  JsonObject *object = build (result, format, &record);

  check_member (object, "content", content);
  if (members)
    check_member (object, "members", members);
  gst_orch_record_clear (&record);
}

/* ---- the whole ---- */

static void
test_list (void)
{
  GstOrchList *list = gst_orch_list_new ();
  GstOrchResult result;
  GstOrchRecord record;
  JsonObject *object;
  g_autofree gchar *text = NULL;

  append (list, "one", TEXT);
  append (list, "<p>two</p>", "text/html");
  init_present (&result, 4, gst_orch_list_buffer_new (list),
      GST_ORCH_LIST_CAPS);
  object = build (&result, GST_ORCH_CONTENT_FULL, &record);
  text = gst_orch_json_print (record.root, NULL);
  g_assert_cmpstr (text, ==,
      "{\"schema\":1,\"id\":\"file:///a.pdf\",\"path\":\"4\","
      "\"uri\":\"file:///a.pdf\",\"outcome\":\"present\",\"complete\":true,"
      "\"summary\":\"\",\"cause\":null,\"info\":{\"name\":\"a.pdf\"},"
      "\"members\":{\"total\":2,\"present\":2,\"dropped\":0,\"lost\":0,"
      "\"failed\":0,\"suppressed\":0},\"failures\":[],\"content\":["
      "{\"ordinal\":0,\"outcome\":\"present\",\"text\":\"one\",\"value\":null,"
      "\"content\":null,\"cause\":null,\"info\":{}},"
      "{\"ordinal\":1,\"outcome\":\"present\",\"text\":\"<p>two</p>\","
      "\"value\":null,\"content\":null,\"cause\":null,\"info\":{}}]}");
  g_assert_cmpint (json_object_get_size (object), ==, 12);
  gst_orch_record_clear (&record);
  gst_orch_result_clear (&result);
}

static void
test_plain (void)
{
  GstOrchList *list = gst_orch_list_new ();
  GstOrchResult result;

  append (list, "one", TEXT);
  append (list, "{\"a\":[1]}", "application/json");
  gst_orch_list_append_failed (list, gst_orch_cause_new ("t", "c", "m"), NULL);
  init_present (&result, 0, gst_orch_list_buffer_new (list),
      GST_ORCH_LIST_CAPS);
  check_build (&result, GST_ORCH_CONTENT_PLAIN, "[\"one\",{\"a\":[1]},null]",
      "{\"total\":3,\"present\":2,\"dropped\":0,\"lost\":0,\"failed\":1,"
      "\"suppressed\":0}");
  gst_orch_result_clear (&result);
}

static void
test_no_list (void)
{
  GstOrchResult result;

  init_present (&result, 0, new_text ("alone"), TEXT);
  check_build (&result, GST_ORCH_CONTENT_PLAIN, "[\"alone\"]",
      "{\"total\":1,\"present\":1,\"dropped\":0,\"lost\":0,\"failed\":0,"
      "\"suppressed\":0}");
  check_build (&result, GST_ORCH_CONTENT_NONE, "[]", NULL);
  gst_orch_result_clear (&result);
}

static void
test_empty (void)
{
  GstOrchResult result;

  init_present (&result, 0, gst_buffer_new (), TEXT);
  check_build (&result, GST_ORCH_CONTENT_PLAIN, "[\"\"]", NULL);
  gst_orch_result_clear (&result);
  init_present (&result, 0, gst_orch_list_buffer_new (gst_orch_list_new ()),
      GST_ORCH_LIST_CAPS);
  check_build (&result, GST_ORCH_CONTENT_FULL, "[]",
      "{\"total\":0,\"present\":0,\"dropped\":0,\"lost\":0,\"failed\":0,"
      "\"suppressed\":0}");
  gst_orch_result_clear (&result);
}

static void
append_list (GstOrchList * outer, GstOrchList * inner)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (GST_ORCH_LIST_CAPS);

  gst_orch_list_append (outer, gst_orch_list_buffer_new (inner), caps, NULL);
}

/* What was joined is an object by the names of the inputs, and one value. */
static void
test_items (void)
{
  const gchar *one = "{\"total\":1,\"present\":1,\"dropped\":0,\"lost\":0,"
      "\"failed\":0,\"suppressed\":0}";
  GstOrchList *items = gst_orch_list_new ();
  g_autoptr (GstCaps) caps = gst_caps_from_string (TEXT);
  GstOrchListElement left = { 0, GST_ORCH_OUTCOME_PRESENT, new_text ("a"),
    caps, NULL, NULL, "left"
  };
  GstOrchListElement right = { 1, GST_ORCH_OUTCOME_DROPPED, NULL, NULL, NULL,
    NULL, "right"
  };
  g_autofree gchar *text = NULL;
  GstOrchResult result;

  gst_orch_list_append_element (items, &left);
  gst_orch_list_append_element (items, &right);
  gst_buffer_unref (left.buffer);
  init_present (&result, 0, gst_orch_list_buffer_new (items),
      GST_ORCH_ITEMS_CAPS);
  check_build (&result, GST_ORCH_CONTENT_PLAIN,
      "[{\"left\":\"a\",\"right\":null}]", one);
  check_build (&result, GST_ORCH_CONTENT_FULL,
      "[{\"ordinal\":0,\"outcome\":\"present\",\"text\":null,\"value\":{"
      "\"left\":{\"ordinal\":0,\"outcome\":\"present\",\"text\":\"a\","
      "\"value\":null,\"content\":null,\"cause\":null,\"info\":{}},"
      "\"right\":{\"ordinal\":1,\"outcome\":\"dropped\",\"text\":null,"
      "\"value\":null,\"content\":null,\"cause\":null,\"info\":{}}},"
      "\"content\":null,\"cause\":null,\"info\":{}}]", one);
  text = gst_orch_record_get_text (&result, NULL);
  g_assert_cmpstr (text, ==, "a\f\f");
  gst_orch_result_clear (&result);
}

static void
test_nested (void)
{
  GstOrchList *outer = gst_orch_list_new (), *inner = gst_orch_list_new ();
  GstOrchResult result;
  g_autofree gchar *text = NULL;

  append_list (outer, gst_orch_list_new ());
  append (inner, "10", TEXT);
  append (inner, "11", TEXT);
  append_list (outer, inner);
  init_present (&result, 0, gst_orch_list_buffer_new (outer),
      GST_ORCH_LIST_CAPS);
  check_build (&result, GST_ORCH_CONTENT_PLAIN, "[[],[\"10\",\"11\"]]", NULL);
  check_build (&result, GST_ORCH_CONTENT_FULL,
      "[{\"ordinal\":0,\"outcome\":\"present\",\"text\":null,\"value\":null,"
      "\"content\":[],\"cause\":null,\"info\":{}},"
      "{\"ordinal\":1,\"outcome\":\"present\",\"text\":null,\"value\":null,"
      "\"content\":["
      "{\"ordinal\":0,\"outcome\":\"present\",\"text\":\"10\",\"value\":null,"
      "\"content\":null,\"cause\":null,\"info\":{}},"
      "{\"ordinal\":1,\"outcome\":\"present\",\"text\":\"11\",\"value\":null,"
      "\"content\":null,\"cause\":null,\"info\":{}}],"
      "\"cause\":null,\"info\":{}}]", NULL);
  text = gst_orch_record_get_text (&result, NULL);
  g_assert_cmpstr (text, ==, "\f10\n11\n\f");
  gst_orch_result_clear (&result);
}

static void
test_bad_bytes (void)
{
  GstOrchResult result;

  init_present (&result, 0, gst_buffer_new_memdup ("a\0\xff\"\n", 5), TEXT);
  check_build (&result, GST_ORCH_CONTENT_PLAIN,
      "[\"a\357\277\275\357\277\275\\\"\\n\"]", NULL);
  gst_orch_result_clear (&result);
  init_present (&result, 0, new_text ("{no json"), "application/json");
  check_build (&result, GST_ORCH_CONTENT_PLAIN, "[\"{no json\"]", NULL);
  gst_orch_result_clear (&result);
}

/* ---- what is not there ---- */

static void
check_absent (OrchOutcome outcome, const gchar * code, const gchar * path,
    gboolean complete, const gchar * summary)
{
  GstOrchResult result;
  GstOrchRecord record;
  JsonObject *object;

  init_absent (&result, outcome, code, path);
  object = build (&result, GST_ORCH_CONTENT_FULL, &record);
  g_assert_cmpint (record.complete, ==, complete);
  g_assert_cmpint (json_object_get_boolean_member (object, "complete"), ==,
      complete);
  g_assert_cmpstr (json_object_get_string_member (object, "outcome"), ==,
      orch_outcome_get_name (outcome));
  g_assert_cmpstr (json_object_get_string_member (object, "summary"), ==,
      summary);
  check_member (object, "content", "[]");
  check_member (object, "failures", "[]");
  gst_orch_record_clear (&record);
  gst_orch_result_clear (&result);
}

static void
test_absent (void)
{
  check_absent (ORCH_OUTCOME_FAILED, "bad", "4", FALSE, "It broke.");
  check_absent (ORCH_OUTCOME_FAILED, "bad", NULL, FALSE, "It broke.");
  check_absent (ORCH_OUTCOME_SUPPRESSED, "bad", "4/2", FALSE,
      "Not made, because of 4/2: It broke.");
  check_absent (ORCH_OUTCOME_SUPPRESSED, NULL, NULL, FALSE, "Not made.");
  check_absent (ORCH_OUTCOME_DROPPED, NULL, NULL, TRUE, "");
  check_absent (ORCH_OUTCOME_DROPPED, "filtered", "4", TRUE, "");
  check_absent (ORCH_OUTCOME_DROPPED, ORCH_CODE_LOST, "4", FALSE,
      "It broke.");
}

static void
test_cause (void)
{
  GstOrchResult result;
  GstOrchRecord record;

  init_absent (&result, ORCH_OUTCOME_FAILED, "bad", "4/2");
  check_member (build (&result, GST_ORCH_CONTENT_FULL, &record), "cause",
      "{\"domain\":\"test\",\"code\":\"bad\",\"message\":\"It broke.\","
      "\"path\":\"4/2\",\"call\":\"call\"}");
  gst_orch_record_clear (&record);
  gst_orch_result_clear (&result);
}

/* A list that a reduce made: its failures, deeper ones among them, by path. */
static void
test_failures (void)
{
  GstOrchListCounts counts = { 4, 1, 0, 1, 2, 0 };
  GstOrchList *list = gst_orch_list_new ();
  g_autoptr (GstOrchInfo) info = new_info ("file:///a.pdf");
  GstOrchCause *cause = gst_orch_cause_new ("test", "bad", "It broke.");
  GstOrchListElement placeholder = { 2, GST_ORCH_OUTCOME_FAILED, NULL, NULL,
    cause, NULL
  };
  GstOrchResult result;
  OrchEntity *page0, *page2, *line;
  GstOrchRecord record;
  JsonObject *object;

  append (list, "zero", TEXT);
  gst_orch_list_append_element (list, &placeholder);
  gst_orch_list_set_counts (list, &counts);
  init_present (&result, 4, gst_orch_list_buffer_new (list),
      GST_ORCH_LIST_CAPS);
  page2 = new_child (result.entity, 2, info);
  page0 = new_child (result.entity, 0, info);
  line = new_child (page0, 5, NULL);
  gst_orch_list_add_failure (list, page2, GST_ORCH_OUTCOME_FAILED, cause,
      "page=III");
  gst_orch_list_add_failure (list, line, GST_ORCH_OUTCOME_SUPPRESSED, NULL,
      NULL);
  gst_orch_list_add_failure (list, result.entity, GST_ORCH_OUTCOME_FAILED,
      NULL, NULL);

  object = build (&result, GST_ORCH_CONTENT_PLAIN, &record);
  check_member (object, "members", "{\"total\":4,\"present\":1,\"dropped\":0,"
      "\"lost\":1,\"failed\":2,\"suppressed\":0}");
  check_member (object, "failures",
      "[{\"id\":\"file:///a.pdf\",\"path\":\"4\","
      "\"outcome\":\"failed\",\"cause\":null},"
      "{\"id\":\"file:///a.pdf#item=1&item=6\",\"path\":\"4/0/5\","
      "\"outcome\":\"suppressed\",\"cause\":null},"
      "{\"id\":\"file:///a.pdf#page=III\",\"path\":\"4/2\","
      "\"outcome\":\"failed\",\"cause\":{\"domain\":\"test\",\"code\":\"bad\","
      "\"message\":\"It broke.\",\"path\":null,\"call\":null}}]");
  g_assert_cmpstr (record.summary, ==,
      "3 parts are missing, the first at 4.");
  g_assert_false (record.complete);
  gst_orch_record_clear (&record);

  orch_entity_unref (page0);
  orch_entity_unref (page2);
  orch_entity_unref (line);
  gst_orch_cause_unref (cause);
  gst_orch_result_clear (&result);
}

/* A list that no reduce made tells by its elements. */
static void
test_derived_failures (void)
{
  GstOrchList *list = gst_orch_list_new ();
  GstOrchResult result;
  GstOrchRecord record;
  JsonObject *object;

  append (list, "zero", TEXT);
  gst_orch_list_append_dropped (list, NULL);
  gst_orch_list_append_dropped (list,
      orch_cause_new (ORCH_CAUSE_DOMAIN, ORCH_CODE_LOST, "gone", NULL, NULL));
  gst_orch_list_append_failed (list, gst_orch_cause_new ("t", "c", "m"), NULL);
  init_present (&result, 4, gst_orch_list_buffer_new (list),
      GST_ORCH_LIST_CAPS);
  object = build (&result, GST_ORCH_CONTENT_PLAIN, &record);
  check_member (object, "members", "{\"total\":4,\"present\":1,\"dropped\":1,"
      "\"lost\":1,\"failed\":1,\"suppressed\":0}");
  check_member (object, "failures",
      "[{\"id\":\"file:///a.pdf#item=3\",\"path\":\"4/2\","
      "\"outcome\":\"dropped\",\"cause\":{\"domain\":\"orch\","
      "\"code\":\"lost\",\"message\":\"gone\",\"path\":null,\"call\":null}},"
      "{\"id\":\"file:///a.pdf#item=4\",\"path\":\"4/3\","
      "\"outcome\":\"failed\",\"cause\":{\"domain\":\"t\",\"code\":\"c\","
      "\"message\":\"m\",\"path\":null,\"call\":null}}]");
  gst_orch_record_clear (&record);
  gst_orch_result_clear (&result);
}

/* ---- names ---- */

static void
check_id (OrchEntity * entity, const gchar * fragment, const gchar * expected)
{
  g_autoptr (GstStructure) info = fragment ? gst_structure_new ("info",
      "fragment", G_TYPE_STRING, fragment, NULL) : NULL;
  g_autofree gchar *id = gst_orch_record_get_id (entity, info);

  g_assert_cmpstr (id, ==, expected);
}

static void
test_ids (void)
{
  g_autoptr (GstOrchInfo) info = new_info ("file:///a.pdf");
  g_autoptr (GstOrchInfo) page_info =
      gst_orch_info_new (gst_structure_new ("info", "fragment", G_TYPE_STRING,
          "page=4", NULL));
  OrchEntity *root = new_root (9);
  OrchEntity *page = new_child (root, 3, info);
  OrchEntity *line = new_child (page, 0, page_info);
  OrchEntity *orphan = new_child (root, 1, NULL);

  check_id (root, NULL, "#item=10");
  check_id (page, "page=4", "file:///a.pdf#page=4");
  check_id (page, NULL, "file:///a.pdf#item=4");
  check_id (line, NULL, "file:///a.pdf#page=4&item=1");
  check_id (orphan, "page=2", "#item=10&page=2");
  orch_entity_unref (orphan);
  orch_entity_unref (line);
  orch_entity_unref (page);
  orch_entity_unref (root);
}

static void
test_page_record (void)
{
  g_autoptr (GstOrchInfo) info = new_info ("file:///a.pdf");
  OrchEntity *root = new_root (9);
  GstOrchResult result = { new_child (root, 3, info), ORCH_OUTCOME_PRESENT,
    NULL, gst_orch_info_new (gst_structure_new ("info",
            "fragment", G_TYPE_STRING, "page=4", "page", G_TYPE_INT, 4, NULL)),
    new_text ("four"), gst_caps_from_string (TEXT)
  };
  GstOrchRecord record;
  JsonObject *object = build (&result, GST_ORCH_CONTENT_PLAIN, &record);

  g_assert_cmpstr (record.id, ==, "file:///a.pdf#page=4");
  check_member (object, "path", "\"9/3\"");
  check_member (object, "uri", "\"file:///a.pdf\"");
  check_member (object, "info", "{\"page\":4}");
  gst_orch_record_clear (&record);
  gst_orch_result_clear (&result);
  orch_entity_unref (root);
}

/* ---- what no record holds ---- */

static void
check_refused (GstBuffer * buffer, const gchar * caps, const gchar * word)
{
  g_autoptr (GError) error = NULL, text_error = NULL;
  GstOrchResult result;
  GstOrchRecord record;

  init_present (&result, 0, buffer, caps);
  g_assert_false (gst_orch_record_build (&record, &result,
          GST_ORCH_CONTENT_FULL, NULL, &error));
  g_assert_error (error, GST_ORCH_RECORD_ERROR, GST_ORCH_RECORD_ERROR_CAPS);
  g_assert_nonnull (strstr (error->message, word));
  g_assert_null (gst_orch_record_get_text (&result, &text_error));
  g_assert_error (text_error, GST_ORCH_RECORD_ERROR,
      GST_ORCH_RECORD_ERROR_CAPS);
  gst_orch_result_clear (&result);
}

static void
test_refused (void)
{
  GstOrchList *list = gst_orch_list_new ();

  check_refused (gst_buffer_new (), "video/x-raw, format=GRAY8",
      "orchtesseract");
  check_refused (gst_buffer_new (), "application/octet-stream",
      "orchpdfpages");
  check_refused (gst_buffer_new (), "text/x-raw, format=pango-markup",
      "text/x-raw");
  append (list, "fine", TEXT);
  append (list, "", "application/x-orch-ref, media-type=application/pdf");
  check_refused (gst_orch_list_buffer_new (list), GST_ORCH_LIST_CAPS,
      "orchpdftext");
}

/* ---- the summary ---- */

static void
add_failed (GstOrchSummary * summary, const gchar * code)
{
  GstOrchResult result;
  GstOrchRecord record;

  init_absent (&result, ORCH_OUTCOME_FAILED, code, "4");
  build (&result, GST_ORCH_CONTENT_FULL, &record);
  gst_orch_summary_add (summary, &result, &record);
  gst_orch_record_clear (&record);
  gst_orch_result_clear (&result);
}

static const GstStructure *
get_group (const GstStructure * structure, guint i)
{
  const GValue *groups = gst_structure_get_value (structure, "failures");

  return gst_value_get_structure (gst_value_list_get_value (groups, i));
}

static void
test_summary_is_bounded (void)
{
  GstOrchSummary *summary = gst_orch_summary_new ();
  g_autoptr (GstStructure) structure = NULL;
  const GstStructure *group;
  guint64 count;
  guint i;

  for (i = 0; i < 1000; i++) {
    g_autofree gchar *code = g_strdup_printf ("code-%u", i % 100);

    add_failed (summary, code);
  }
  structure = gst_orch_summary_to_structure (summary, "orch-summary");
  g_assert_true (gst_structure_get_uint64 (structure, "documents", &count));
  g_assert_cmpuint (count, ==, 1000);
  g_assert_true (gst_structure_get_uint64 (structure, "incomplete", &count));
  g_assert_cmpuint (count, ==, 1000);
  g_assert_cmpuint (gst_value_list_get_size (gst_structure_get_value
          (structure, "failures")), ==, GST_ORCH_SUMMARY_MAX_GROUPS);
  group = get_group (structure, 0);
  g_assert_cmpstr (gst_structure_get_string (group, "code"), ==, "code-0");
  g_assert_true (gst_structure_get_uint64 (group, "count", &count));
  g_assert_cmpuint (count, ==, 10);
  g_assert_cmpuint (gst_value_list_get_size (gst_structure_get_value (group,
              "examples")), ==, GST_ORCH_SUMMARY_MAX_EXAMPLES);
  group = get_group (structure, GST_ORCH_SUMMARY_MAX_GROUPS - 1);
  g_assert_cmpstr (gst_structure_get_string (group, "code"), ==, "others");
  g_assert_true (gst_structure_get_uint64 (group, "count", &count));
  g_assert_cmpuint (count, ==, 690);
  gst_orch_summary_free (summary);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (NULL, NULL);
  g_test_add_func ("/record/list", test_list);
  g_test_add_func ("/record/plain", test_plain);
  g_test_add_func ("/record/no-list", test_no_list);
  g_test_add_func ("/record/empty", test_empty);
  g_test_add_func ("/record/items", test_items);
  g_test_add_func ("/record/nested", test_nested);
  g_test_add_func ("/record/bad-bytes", test_bad_bytes);
  g_test_add_func ("/record/absent", test_absent);
  g_test_add_func ("/record/cause", test_cause);
  g_test_add_func ("/record/failures", test_failures);
  g_test_add_func ("/record/derived-failures", test_derived_failures);
  g_test_add_func ("/record/ids", test_ids);
  g_test_add_func ("/record/page", test_page_record);
  g_test_add_func ("/record/refused", test_refused);
  g_test_add_func ("/record/summary-is-bounded", test_summary_is_bounded);
  return g_test_run ();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchrecord.h"

#include "gstorchjson.h"
#include "gstorchrecordmembers.h"
#include "gstorchrecordvalue.h"

#include <string.h>

G_DEFINE_QUARK (gst-orch-record-error-quark, gst_orch_record_error)

void
gst_orch_result_clear (GstOrchResult * result)
{
  g_clear_pointer (&result->entity, orch_entity_unref);
  g_clear_pointer (&result->cause, orch_cause_unref);
  g_clear_pointer (&result->info, gst_orch_info_unref);
  gst_clear_buffer (&result->buffer);
  gst_clear_caps (&result->caps);
}

/* ---- ids ---- */

static void
append_fragment (GString * id, OrchEntity * entity, const GstStructure * info)
{
  const gchar *fragment = info
      ? gst_structure_get_string (info, "fragment") : NULL;

  g_string_append_c (id, strchr (id->str, '#') ? '&' : '#');
  if (fragment)
    g_string_append (id, fragment);
  else
    g_string_append_printf (id, "item=%" G_GUINT64_FORMAT,
        entity->ordinal + 1);
}

static const GstStructure *
get_parent_info (OrchEntity * entity)
{
  return gst_orch_info_get (orch_expansion_get_data (entity->expansion));
}

static void
append_id (GString * id, OrchEntity * entity, const GstStructure * info)
{
  OrchEntity *parent = orch_entity_get_parent (entity);
  const gchar *uri = info ? gst_structure_get_string (info, "uri") : NULL;

  if (!parent && uri) {
    g_string_append (id, uri);
    return;
  }
  if (parent)
    append_id (id, parent, get_parent_info (entity));
  append_fragment (id, entity, info);
}

gchar *
gst_orch_record_get_id (OrchEntity * entity, const GstStructure * info)
{
  GString *id = g_string_new (NULL);

  append_id (id, entity, info);
  return g_string_free (id, FALSE);
}

const GstStructure *
gst_orch_record_get_root_info (OrchEntity * entity, const GstStructure * info)
{
  while (orch_entity_get_parent (entity)) {
    info = get_parent_info (entity);
    entity = orch_entity_get_parent (entity);
  }
  return info;
}

static const gchar *
get_root_uri (OrchEntity * entity, const GstStructure * info)
{
  const gchar *uri;

  info = gst_orch_record_get_root_info (entity, info);
  uri = info ? gst_structure_get_string (info, "uri") : NULL;
  return uri ? uri : "";
}

/* ---- the record ---- */

static JsonObject *
counts_object (const GstOrchListCounts * counts)
{
  JsonObject *object = json_object_new ();

  json_object_set_int_member (object, "total", counts->total);
  json_object_set_int_member (object, "present", counts->present);
  json_object_set_int_member (object, "dropped", counts->dropped);
  json_object_set_int_member (object, "lost", counts->lost);
  json_object_set_int_member (object, "failed", counts->failed);
  json_object_set_int_member (object, "suppressed", counts->suppressed);
  return object;
}

static JsonArray *
failures_array (const GstOrchMembers * members)
{
  JsonArray *array = json_array_sized_new (members->failures->len);
  guint i;

  for (i = 0; i < members->failures->len; i++) {
    const GstOrchFailure *failure =
        &g_array_index (members->failures, GstOrchFailure, i);
    JsonObject *object = json_object_new ();

    json_object_set_string_member (object, "id", failure->id);
    json_object_set_string_member (object, "path", failure->path);
    json_object_set_string_member (object, "outcome",
        orch_outcome_get_name (failure->outcome));
    json_object_set_member (object, "cause", gst_orch_record_cause_node (failure->cause));
    json_array_add_object_element (array, object);
  }
  return array;
}

/* Ahead of what is long, so that a reader who wants only this can stop. */
static JsonObject *
new_head (GstOrchRecord * record, const GstOrchResult * result)
{
  const GstStructure *info = gst_orch_info_get (result->info);
  g_autofree gchar *path = orch_entity_get_path (result->entity);
  JsonObject *object = json_object_new ();

  json_object_set_int_member (object, "schema", GST_ORCH_RECORD_SCHEMA);
  json_object_set_string_member (object, "id", record->id);
  json_object_set_string_member (object, "path", path);
  json_object_set_string_member (object, "uri",
      get_root_uri (result->entity, info));
  json_object_set_string_member (object, "outcome",
      orch_outcome_get_name (result->outcome));
  json_object_set_boolean_member (object, "complete", record->complete);
  json_object_set_string_member (object, "summary", record->summary);
  json_object_set_member (object, "cause", gst_orch_record_cause_node (result->cause));
  json_object_set_object_member (object, "info",
      gst_orch_json_from_structure (info, gst_orch_record_own_fields));
  return object;
}

gboolean
gst_orch_record_build (GstOrchRecord * record, const GstOrchResult * result,
    GstOrchContentFormat format, GstOrchRecordMedia * media, GError ** error)
{
  JsonArray *content = gst_orch_record_make_content (result, format, media,
      error);
  GstOrchMembers members;
  JsonObject *object;

  memset (record, 0, sizeof *record);
  if (!content)
    return FALSE;
  gst_orch_members_init (&members, result);
  record->summary = gst_orch_members_summarize (&members, result);
  record->complete = record->summary == NULL;
  if (!record->summary)
    record->summary = g_strdup ("");
  record->id = gst_orch_record_get_id (result->entity,
      gst_orch_info_get (result->info));

  object = new_head (record, result);
  json_object_set_object_member (object, "members",
      counts_object (&members.counts));
  json_object_set_array_member (object, "failures", failures_array (&members));
  json_object_set_array_member (object, "content", content);
  record->root = json_node_new (JSON_NODE_OBJECT);
  json_node_take_object (record->root, object);
  gst_orch_members_clear (&members);
  return TRUE;
}

void
gst_orch_record_clear (GstOrchRecord * record)
{
  g_clear_pointer (&record->root, json_node_unref);
  g_clear_pointer (&record->id, g_free);
  g_clear_pointer (&record->summary, g_free);
}

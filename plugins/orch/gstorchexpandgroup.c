/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchexpand-private.h"

/* A stream that is cut into groups: it is the parent of the groups, and each of
 * those of its buffers, so that a stream which never ends has parents that do. */

GType
gst_orch_group_by_get_type (void)
{
  static GType type = 0;
  static const GEnumValue values[] = {
    {GST_ORCH_GROUP_BY_NONE, "A stream is one parent", "none"},
    {GST_ORCH_GROUP_BY_DURATION, "A group lasts for group-duration", "duration"},
    {GST_ORCH_GROUP_BY_COUNT, "A group has group-count buffers", "count"},
    {GST_ORCH_GROUP_BY_DISCONTINUITY,
        "A buffer with the flag DISCONT begins a group", "discontinuity"},
    {GST_ORCH_GROUP_BY_EVENT,
        "A custom downstream event called group-event ends a group", "event"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchGroupBy", values));
  return type;
}

OrchExpansion *
gst_orch_expand_open_groups (GstOrchExpand * self, OrchEntity * stream,
    GstOrchInfo * info)
{
  OrchExpansion *groups;

  if (!self->group_domain) {
    g_autofree gchar *name =
        g_strconcat (GST_OBJECT_NAME (self), "-group", NULL);

    self->group_domain = orch_domain_new (name, self->stream_domain);
  }
  gst_orch_expand_need_domain (self, self->group_domain);
  groups = orch_expansion_new (self->group_domain, stream);
  orch_expansion_set_data (groups, gst_orch_info_ref (info),
      (GDestroyNotify) gst_orch_info_unref);
  return groups;
}

/* ---- where a group begins ---- */

/* Time that goes back by less belongs to frames that are not in the order in which
 * they are shown. */
static gboolean
went_back (GstOrchExpand * self, GstOrchExpandInput * input, GstClockTime time)
{
  return time < input->group_start
      && input->group_start - time >= self->group_duration;
}

static gboolean
is_over (GstOrchExpand * self, GstOrchExpandInput * input, GstClockTime time)
{
  if (!GST_CLOCK_TIME_IS_VALID (time)
      || !GST_CLOCK_TIME_IS_VALID (input->group_start))
    return FALSE;
  return went_back (self, input, time) || (time >= input->group_start
      && time - input->group_start >= self->group_duration);
}

static gboolean
is_cut (GstOrchExpand * self, GstOrchExpandInput * input,
    GstBuffer * buffer, GstClockTime time)
{
  switch (self->group_by) {
    case GST_ORCH_GROUP_BY_DURATION:
      return is_over (self, input, time);
    case GST_ORCH_GROUP_BY_DISCONTINUITY:
      return GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DISCONT);
    default:
      return FALSE;
  }
}

/* Groups of one duration keep to its multiples, whatever gaps there are between
 * buffers. */
static GstClockTime
find_start (GstOrchExpand * self, GstOrchExpandInput * input,
    GstClockTime time)
{
  if (self->group_by != GST_ORCH_GROUP_BY_DURATION
      || !GST_CLOCK_TIME_IS_VALID (time)
      || !GST_CLOCK_TIME_IS_VALID (input->group_start)
      || time < input->group_start)
    return time;
  return time - (time - input->group_start) % self->group_duration;
}

static GstOrchInfo *
make_info (GstOrchExpandInput * input, guint64 index)
{
  GstStructure *info = input->mark ? g_steal_pointer (&input->mark)
      : gst_structure_new_empty ("info");

  gst_structure_set (info, "index", G_TYPE_UINT64, index, NULL);
  if (GST_CLOCK_TIME_IS_VALID (input->group_start))
    gst_structure_set (info, "time", G_TYPE_UINT64, input->group_start, NULL);
  return gst_orch_info_new (info);
}

static OrchExpansion *
open_group (GstOrchExpand * self, GstOrchExpandInput * input,
    GstClockTime time)
{
  OrchEntity *entity = orch_expansion_next_child (input->stream->groups);
  OrchExpansion *group;
  GstOrchInfo *info;

  input->group_start = find_start (self, input, time);
  input->n_in_group = 0;
  input->place = entity->ordinal;
  input->in_group = TRUE;
  info = make_info (input, entity->ordinal);
  group = gst_orch_expand_open (self, entity, info);
  gst_orch_info_unref (info);
  orch_entity_unref (entity);
  return group;
}

void
gst_orch_expand_enter_group (GstOrchExpand * self, GstOrchExpandInput * input,
    GstOrchExpandChild * child, GstClockTime time)
{
  if (input->in_group && is_cut (self, input, child->buffer, time))
    gst_orch_expand_close_group (self, input);
  if (!input->in_group)
    child->begins = open_group (self, input, time);
  else if (!GST_CLOCK_TIME_IS_VALID (input->group_start))
    input->group_start = time;
  input->n_in_group++;
  if (self->group_by == GST_ORCH_GROUP_BY_COUNT
      && input->n_in_group >= self->group_count) {
    child->ends = TRUE;
    input->in_group = FALSE;
  }
}

/* ---- where it ends ---- */

/* As soon as its last child is taken, so that nobody waits for the next group. */
void
gst_orch_expand_close_group (GstOrchExpand * self, GstOrchExpandInput * input)
{
  GstOrchExpandChild *last;

  if (!input->in_group)
    return;
  input->in_group = FALSE;
  last = g_queue_peek_tail (&input->stream->buffers);
  if (last)
    last->ends = TRUE;
  else
    gst_orch_expand_publish (self, input->stream->expansion,
        ORCH_EXPANSION_SUCCEEDED, NULL);
}

void
gst_orch_expand_see_mark (GstOrchExpand * self, GstOrchExpandInput * input,
    GstEvent * event)
{
  const GstStructure *structure = gst_event_get_structure (event);

  if (self->group_by != GST_ORCH_GROUP_BY_EVENT || !structure
      || !gst_structure_has_name (structure, self->group_event))
    return;
  if (input->stream)
    gst_orch_expand_close_group (self, input);
  gst_clear_structure (&input->mark);
  input->mark = gst_structure_copy (structure);
  gst_structure_set_name (input->mark, "info");
}

/* Groups that have not begun end with the stream if that fails: their place among
 * its children is taken. */
static void
publish_waiting (gpointer data, gpointer user_data)
{
  GstOrchExpandChild *child = data;
  gpointer *end = user_data;

  if (child->begins)
    gst_orch_expand_publish (end[0], child->begins, ORCH_EXPANSION_FAILED,
        end[1]);
}

void
gst_orch_expand_publish_stream (GstOrchExpand * self,
    GstOrchExpandParent * stream, OrchExpansionState state, OrchCause * cause)
{
  gpointer end[] = { self, cause };

  if (stream->expansion)
    gst_orch_expand_publish (self, stream->expansion, state, cause);
  g_queue_foreach (&stream->buffers, publish_waiting, end);
  if (stream->groups)
    gst_orch_expand_publish (self, stream->groups, state, cause);
}

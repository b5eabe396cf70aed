/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchcall-private.h"

#include <gst/allocators/gstfdmemory.h>
#include <string.h>

GstOrchContext *
gst_orch_context_new (void)
{
  GstOrchContext *context = g_new0 (GstOrchContext, 1);

  context->refs = 1;
  return context;
}

void
gst_orch_context_ref_n (GstOrchContext * context, guint n)
{
  g_atomic_int_add (&context->refs, n);
}

void
gst_orch_context_unref (GstOrchContext * context)
{
  gst_orch_context_unref_n (context, 1);
}

void
gst_orch_context_unref_n (GstOrchContext * context, guint n)
{
  if (!context || g_atomic_int_add (&context->refs, -(gint) n) != (gint) n)
    return;
  gst_clear_caps (&context->caps);
  gst_clear_event (&context->segment);
  g_clear_pointer (&context->tags, g_ptr_array_unref);
  g_free (context);
}

static GPtrArray *
add_tag_event (GPtrArray * tags, GstEvent * event)
{
  GPtrArray *result =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gst_event_unref);
  guint i;

  for (i = 0; tags && i < tags->len; i++)
    g_ptr_array_add (result, gst_event_ref (g_ptr_array_index (tags, i)));
  g_ptr_array_add (result, gst_event_ref (event));
  return result;
}

GstOrchContext *
gst_orch_context_with (GstOrchContext * context, GstEvent * event)
{
  GstOrchContext *changed = gst_orch_context_new ();
  GstCaps *caps;

  changed->caps = context->caps ? gst_caps_ref (context->caps) : NULL;
  changed->segment = context->segment ? gst_event_ref (context->segment) : NULL;
  changed->tags = context->tags ? g_ptr_array_ref (context->tags) : NULL;
  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      gst_caps_replace (&changed->caps, caps);
      break;
    case GST_EVENT_SEGMENT:
      gst_event_replace (&changed->segment, event);
      break;
    case GST_EVENT_TAG:
      g_clear_pointer (&changed->tags, g_ptr_array_unref);
      changed->tags = add_tag_event (context->tags, event);
      break;
    case GST_EVENT_STREAM_START:
      g_clear_pointer (&changed->tags, g_ptr_array_unref);
      break;
    default:
      break;
  }
  gst_orch_context_unref (context);
  return changed;
}

gsize
gst_orch_buffer_get_owned_size (GstBuffer * buffer)
{
  gsize size = 0;
  guint i, n = gst_buffer_n_memory (buffer);

  for (i = 0; i < n; i++) {
    GstMemory *memory = gst_buffer_peek_memory (buffer, i);

    if (!gst_is_fd_memory (memory))
      size += memory->size;
  }
  return size;
}

GstOrchGrain *
gst_orch_grain_new (OrchEntity * entity, GstBuffer * input,
    GstOrchContext * context, GstOrchInfo * info)
{
  GstOrchGrain *grain = g_slice_new0 (GstOrchGrain);

  orch_grain_init (&grain->core, entity);
  orch_entity_unref (entity);
  grain->input = input;
  grain->context = context;
  grain->info = info;
  grain->bytes = input ? gst_orch_buffer_get_owned_size (input) : 0;
  return grain;
}

void
gst_orch_grain_unstage (GstOrchGrain * grain)
{
  grain->staged = ORCH_OUTCOME_UNRESOLVED;
  grain->staged_group = FALSE;
  g_clear_pointer (&grain->staged_cause, orch_cause_unref);
  gst_clear_structure (&grain->staged_info);
  /* It was passed on as it is: the next attempt needs it. */
  if (!grain->input)
    grain->input = g_steal_pointer (&grain->output);
  gst_clear_buffer (&grain->output);
  gst_clear_caps (&grain->output_caps);
}

/* All but the reference to its context. */
static void
grain_free (GstOrchGrain * grain)
{
  GstEvent **event;

  gst_orch_grain_unstage (grain);
  gst_clear_buffer (&grain->input);
  gst_orch_info_unref (grain->info);
  for (event = grain->events; event && *event; event++)
    gst_event_unref (*event);
  g_free (grain->events);
  orch_grain_clear (&grain->core);
  g_slice_free (GstOrchGrain, grain);
}

void
gst_orch_grain_free (GstOrchGrain * grain)
{
  GstOrchContext *context = grain->context;

  grain_free (grain);
  gst_orch_context_unref (context);
}

void
gst_orch_grain_list_free (OrchGrainList * list)
{
  GstOrchContext *context = NULL;
  OrchGrain *core;
  guint n = 0;

  while ((core = orch_grain_list_pop (list))) {
    GstOrchGrain *grain = (GstOrchGrain *) core;

    if (grain->context != context) {
      gst_orch_context_unref_n (context, n);
      context = grain->context;
      n = 0;
    }
    n++;
    grain_free (grain);
  }
  gst_orch_context_unref_n (context, n);
}

void
gst_orch_grain_attach_event (GstOrchGrain * grain, GstEvent * event)
{
  guint n = 0;

  while (grain->events && grain->events[n])
    n++;
  grain->events = g_renew (GstEvent *, grain->events, n + 2);
  grain->events[n] = event;
  grain->events[n + 1] = NULL;
}

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
  grain->input = input;
  grain->context = context;
  grain->info = info;
  grain->bytes = input ? gst_orch_buffer_get_owned_size (input) : 0;
  return grain;
}

GstOrchGrain *
gst_orch_grain_new_stand_in (GstOrchGrain * grain)
{
  GstOrchGrain *stand_in;

  if (grain->context)
    gst_orch_context_ref_n (grain->context, 1);
  stand_in = gst_orch_grain_new (orch_entity_ref (grain->core.entity),
      gst_buffer_ref (grain->input), grain->context,
      gst_orch_info_ref (grain->info));
  stand_in->core.generation = grain->core.generation;
  stand_in->core.epoch = grain->core.epoch;
  return stand_in;
}

void
gst_orch_grain_take_staged (GstOrchGrain * grain, GstOrchGrain * stand_in)
{
  grain->said = stand_in->said;
  grain->staged = stand_in->staged;
  grain->staged_group = stand_in->staged_group;
  grain->staged_cause = g_steal_pointer (&stand_in->staged_cause);
  grain->staged_info = g_steal_pointer (&stand_in->staged_info);
  grain->output = g_steal_pointer (&stand_in->output);
  grain->output_caps = g_steal_pointer (&stand_in->output_caps);
  grain->further = g_steal_pointer (&stand_in->further);
  grain->n_further = stand_in->n_further;
  stand_in->input = g_steal_pointer (&grain->input);
}

static GstEvent **
ref_events (GstEvent ** events)
{
  guint i, n = events ? g_strv_length ((gchar **) events) : 0;
  GstEvent **result = n ? g_new0 (GstEvent *, n + 1) : NULL;

  for (i = 0; i < n; i++)
    result[i] = gst_event_ref (events[i]);
  return result;
}

/* The first one that is made turns what the Grain holds into a shared credit. */
static GstOrchCredit *
share_credit (GstOrchGrain * grain)
{
  if (!grain->credit) {
    grain->credit = g_slice_new (GstOrchCredit);
    grain->credit->refs = 1;
    grain->credit->bytes = grain->bytes;
  }
  g_atomic_int_inc (&grain->credit->refs);
  return grain->credit;
}

gboolean
gst_orch_credit_drop (GstOrchCredit * credit, gsize * bytes)
{
  if (!g_atomic_int_dec_and_test (&credit->refs))
    return FALSE;
  *bytes = credit->bytes;
  g_slice_free (GstOrchCredit, credit);
  return TRUE;
}

GstOrchGrain *
gst_orch_grain_new_part (GstOrchGrain * grain, guint output)
{
  GstOrchGrain *part = g_slice_new0 (GstOrchGrain);

  orch_grain_init (&part->core, orch_entity_ref (grain->core.entity));
  part->core.phase = ORCH_GRAIN_SEALED;
  part->core.outcome = grain->core.outcome;
  if (grain->core.cause)
    part->core.cause = orch_cause_ref (grain->core.cause);
  part->context = grain->context;
  if (part->context)
    gst_orch_context_ref_n (part->context, 1);
  part->info = gst_orch_info_ref (grain->info);
  if (output <= grain->n_further) {
    part->output = g_steal_pointer (&grain->further[output - 1].buffer);
    part->output_caps = g_steal_pointer (&grain->further[output - 1].caps);
  }
  part->credit = share_credit (grain);
  part->events = ref_events (grain->events);
  return part;
}

GstOrchValue *
gst_orch_grain_get_further (GstOrchGrain * grain, guint output, guint n)
{
  if (!grain->further) {
    grain->further = g_new0 (GstOrchValue, n);
    grain->n_further = n;
  }
  return &grain->further[output - 1];
}

static void
free_further (GstOrchGrain * grain)
{
  guint i;

  for (i = 0; i < grain->n_further; i++) {
    gst_clear_buffer (&grain->further[i].buffer);
    gst_clear_caps (&grain->further[i].caps);
  }
  grain->n_further = 0;
  g_clear_pointer (&grain->further, g_free);
}

static inline void
free_staged (GstOrchGrain * grain)
{
  g_clear_pointer (&grain->staged_cause, orch_cause_unref);
  gst_clear_structure (&grain->staged_info);
  gst_clear_buffer (&grain->output);
  gst_clear_caps (&grain->output_caps);
  if (grain->further)
    free_further (grain);
}

void
gst_orch_grain_unstage (GstOrchGrain * grain)
{
  grain->said = 0;
  grain->staged = ORCH_OUTCOME_UNRESOLVED;
  grain->staged_group = FALSE;
  /* It was passed on as it is: the next attempt needs it. */
  if (!grain->input)
    grain->input = g_steal_pointer (&grain->output);
  free_staged (grain);
}

/* All but the reference to its context. */
static inline void
grain_free (GstOrchGrain * grain)
{
  GstEvent **event;
  gsize bytes;

  free_staged (grain);
  if (grain->credit)
    gst_orch_credit_drop (grain->credit, &bytes);
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

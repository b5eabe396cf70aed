/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchcall-private.h"
#include "gstorchfunction-private.h"

#include <stdio.h>
#include <string.h>

GST_DEBUG_CATEGORY_EXTERN (gst_orch_call_debug);
#define GST_CAT_DEFAULT gst_orch_call_debug

/* The src pads of a Call: "src" for the first output of its Function, which is
 * always there, and one for each further output that was requested.  A Grain is
 * atomic over them (S4.4): sealed, it goes to all, and its credit comes back when
 * the last of them has pushed it. */

static void
set_call_key (GstOrchCall * self, GstOrchCallOutput * output)
{
  GstOrchFunction *function = gst_orch_call_get_function (self);

  if (function && gst_orch_function_class_get_traits
      (GST_ORCH_FUNCTION_GET_CLASS (function))->can_group_fail)
    gst_orch_port_set_call_key (output->egress.port,
        orch_call_get_key (self->core));
  g_clear_pointer (&function, gst_object_unref);
}

GstOrchCallOutput *
gst_orch_call_output_new (GstOrchCall * self, GstPadTemplate * templ,
    guint index)
{
  g_autofree gchar *name = index ? g_strdup_printf ("src_%u", index)
      : g_strdup ("src");
  GstOrchCallOutput *output = g_new0 (GstOrchCallOutput, 1);
  GstPad *pad = gst_pad_new_from_template (templ, name);

  output->refs = 1;
  output->call = self;
  output->index = index;
  g_cond_init (&output->pushable);
  gst_pad_set_element_private (pad, output);
  gst_pad_set_query_function (pad, gst_orch_call_src_query);
  gst_pad_set_activatemode_function (pad, gst_orch_call_src_activate_mode);
  gst_orch_egress_init (&output->egress, pad, self->input,
      GST_ORCH_DOMAIN_SAME);
  gst_orch_port_set_unwanted_func (output->egress.port, gst_orch_call_unwant);
  set_call_key (self, output);
  return output;
}

void
gst_orch_call_output_unref (gpointer data)
{
  GstOrchCallOutput *output = data;

  if (!g_atomic_int_dec_and_test (&output->refs))
    return;
  gst_orch_call_forget_sent (output);
  gst_orch_egress_clear (&output->egress);
  gst_event_replace (&output->stream_start, NULL);
  g_list_free_full (output->loose_events, (GDestroyNotify) gst_event_unref);
  g_cond_clear (&output->pushable);
  g_free (output);
}

static gpointer
output_ref (gconstpointer data, gpointer user_data)
{
  g_atomic_int_inc (&((GstOrchCallOutput *) data)->refs);
  return (gpointer) data;
}

GPtrArray *
gst_orch_call_copy_outputs (GstOrchCall * self)
{
  GPtrArray *outputs;

  gst_orch_lock (&self->lock);
  outputs = g_ptr_array_copy (self->outputs, output_ref, NULL);
  g_mutex_unlock (&self->lock);
  g_ptr_array_set_free_func (outputs, gst_orch_call_output_unref);
  return outputs;
}

/* ---- requesting ---- */

/* With the lock held. */
static gboolean
is_taken (GstOrchCall * self, guint index)
{
  guint i;

  for (i = 0; i < self->outputs->len; i++)
    if (((GstOrchCallOutput *) g_ptr_array_index (self->outputs, i))->index ==
        index)
      return TRUE;
  return FALSE;
}

/* 0 when there is no such output, or its pad is there already.  A Call that has no
 * Function yet may get any: they are looked at when it starts. */
static guint
find_output (GstOrchCall * self, const gchar * name)
{
  guint index = 0, n;

  gst_orch_lock (&self->lock);
  n = self->n_outputs ? self->n_outputs : GST_ORCH_MAX_OUTPUTS;
  if (!name || sscanf (name, "src_%u", &index) != 1)
    for (index = 1; index < n && is_taken (self, index);)
      index++;
  if (index >= n || is_taken (self, index))
    index = 0;
  g_mutex_unlock (&self->lock);
  return index;
}

GstPad *
gst_orch_call_request_new_pad (GstElement * element, GstPadTemplate * templ,
    const gchar * name, const GstCaps * caps)
{
  GstOrchCall *self = GST_ORCH_CALL (element);
  const gchar *pattern = GST_PAD_TEMPLATE_NAME_TEMPLATE (templ);
  guint index = find_output (self, name ? name : pattern);
  GstOrchCallOutput *output;

  if (index == 0) {
    GST_WARNING_OBJECT (self, "no output for a pad %s: the Function has %u",
        name ? name : pattern, self->n_outputs);
    return NULL;
  }
  output = gst_orch_call_output_new (self, templ, index);
  gst_orch_lock (&self->lock);
  g_ptr_array_add (self->outputs, output);
  g_mutex_unlock (&self->lock);
  gst_pad_set_active (output->egress.pad, GST_STATE (self) >= GST_STATE_PAUSED
      || GST_STATE_PENDING (self) >= GST_STATE_PAUSED);
  gst_element_add_pad (element, output->egress.pad);
  if (GST_PAD_IS_ACTIVE (output->egress.pad))
    gst_orch_call_start_src_task (output);
  return output->egress.pad;
}

void
gst_orch_call_release_pad (GstElement * element, GstPad * pad)
{
  GstOrchCall *self = GST_ORCH_CALL (element);
  GstOrchCallOutput *output = gst_pad_get_element_private (pad);
  OrchGrainList waiting;
  guint i;

  gst_orch_lock (&self->lock);
  if (g_ptr_array_find (self->outputs, output, &i))
    g_ptr_array_steal_index (self->outputs, i);
  output->flushing = TRUE;
  g_mutex_unlock (&self->lock);
  /* Waits for the task. */
  gst_pad_set_active (pad, FALSE);
  gst_orch_lock (&self->lock);
  waiting = output->sealed;
  memset (&output->sealed, 0, sizeof output->sealed);
  g_mutex_unlock (&self->lock);
  gst_orch_call_release (self, &waiting);
  gst_orch_port_stop (output->egress.port);
  gst_element_remove_pad (element, pad);
  gst_orch_call_output_unref (output);
}

gboolean
gst_orch_call_check_outputs (GstOrchCall * self)
{
  GstOrchCallOutput *output;
  guint i, n, wrong = 0;

  gst_orch_lock (&self->lock);
  n = self->n_outputs;
  for (i = 0; i < self->outputs->len; i++) {
    output = g_ptr_array_index (self->outputs, i);
    if (output->index >= n)
      wrong = output->index;
  }
  g_mutex_unlock (&self->lock);
  if (wrong)
    GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS,
        ("%s has a pad src_%u, but its Function makes %u outputs.",
            GST_OBJECT_NAME (self), wrong, n),
        ("Output 0 leaves at the pad src, output 1 at src_1, and so on: "
            "release the pad or use another Function."));
  return wrong == 0;
}

/* ---- what goes out ---- */

void
gst_orch_call_distribute (GstOrchCall * self, GstOrchGrain * grain)
{
  guint i;

  if (grain == self->last_entered)
    self->last_entered = NULL;
  for (i = 1; i < self->outputs->len; i++) {
    GstOrchCallOutput *output = g_ptr_array_index (self->outputs, i);
    GstOrchGrain *part = gst_orch_grain_new_part (grain, output->index);

    orch_grain_list_append (&output->sealed, &part->core);
    g_cond_signal (&output->pushable);
  }
  orch_grain_list_append (&self->output->sealed, &grain->core);
}

void
gst_orch_call_distribute_event (GstOrchCall * self, GstEvent * event)
{
  guint i;

  for (i = 0; i < self->outputs->len; i++) {
    GstOrchCallOutput *output = g_ptr_array_index (self->outputs, i);
    GstOrchGrain *last = (GstOrchGrain *) output->sealed.tail;

    if (last)
      gst_orch_grain_attach_event (last, gst_event_ref (event));
    else
      output->loose_events =
          g_list_append (output->loose_events, gst_event_ref (event));
    g_cond_signal (&output->pushable);
  }
  gst_event_unref (event);
}

void
gst_orch_call_wake_outputs (GstOrchCall * self)
{
  guint i;

  for (i = 1; i < self->outputs->len; i++)
    g_cond_signal (&((GstOrchCallOutput *) g_ptr_array_index (self->outputs,
                i))->pushable);
}

gboolean
gst_orch_call_has_listeners_room (GstOrchCall * self)
{
  guint i;

  for (i = 0; i < self->outputs->len; i++)
    if (!gst_orch_port_has_room (((GstOrchCallOutput *)
                g_ptr_array_index (self->outputs, i))->egress.port))
      return FALSE;
  return TRUE;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchbatch.h>

G_BEGIN_DECLS

#define GST_TYPE_ORCH_FUNCTION (gst_orch_function_get_type ())
GST_ORCH_API
G_DECLARE_DERIVABLE_TYPE (GstOrchFunction, gst_orch_function, GST, ORCH_FUNCTION,
    GstObject)

/**
 * GstOrchFunctionClass:
 * @parent_class: parent
 * @negotiate: (nullable): the caps of the output for input of the given caps,
 *   fixed, or %NULL with @error set.  Without it the output has the caps that
 *   gst_orch_batch_present() is given, or those of the input.  May be called
 *   from several threads at once.
 * @check: (nullable): whether its properties make sense, %FALSE with @error set if
 *   not, which is an error of the element before data flow (semantics S8).  Called
 *   in READY, and by whoever makes a plan; should be quick, and leave no trace.
 * @setup: (nullable): makes what one replica needs (loads the model, makes the
 *   engine) and leaves it in @replica_data.  Called once per replica, from the
 *   replica's own thread, outside any state change.  %FALSE with @error set is
 *   an error of the element.
 * @run: works on a batch.  Called from the replica's thread, with the
 *   @replica_data of its setup; different replicas run at once.  %FALSE with
 *   @error set is an untyped failure of the whole attempt (semantics S5.3), to
 *   be retried; a failure of one Grain is gst_orch_batch_fail_record().
 * @teardown: (nullable): frees @replica_data, in the replica's thread.
 * @get_worker: (nullable): the command line, its program with its path, of what
 *   runs the Function in worker processes, %NULL with @error set.  It speaks the
 *   protocol of docs/worker-protocol.md and gets the properties of @function.  A
 *   Function that has this runs nowhere else, so @setup, @run and @teardown are
 *   not called.  From the replica's thread.
 * @get_n_outputs: (nullable): how many of the outputs that the class declares
 *   @function has, the first included.  From any thread; it may change below
 *   READY only, with a notification of any property.
 * @get_sink_caps: (nullable): (transfer full): what @function accepts as its
 *   properties are now, where that is less than what the class declares.  From any
 *   thread, and often.
 *
 * Reusable batch code.  Properties of the subclass configure it; they may be
 * read by several replicas at once, so use the object lock or make them
 * immutable above READY.
 *
 * Since: 0.1
 */
struct _GstOrchFunctionClass
{
  GstObjectClass parent_class;

  GstCaps *(*negotiate) (GstOrchFunction * function, GstCaps * caps,
      GError ** error);
  gboolean (*check) (GstOrchFunction * function, GError ** error);
  gboolean (*setup) (GstOrchFunction * function, gpointer * replica_data,
      GError ** error);
  gboolean (*run) (GstOrchFunction * function, gpointer replica_data,
      GstOrchBatch * batch, GError ** error);
  void (*teardown) (GstOrchFunction * function, gpointer replica_data);
  gchar **(*get_worker) (GstOrchFunction * function, GError ** error);
  guint (*get_n_outputs) (GstOrchFunction * function);
  GstCaps *(*get_sink_caps) (GstOrchFunction * function);

  /*< private >*/
  gpointer priv;
  gpointer _gst_reserved[GST_PADDING_LARGE];
};

GST_ORCH_API void gst_orch_function_class_set_metadata (GstOrchFunctionClass *
    klass, const gchar * long_name, const gchar * description,
    const gchar * author);
GST_ORCH_API void gst_orch_function_class_set_caps (GstOrchFunctionClass *
    klass, GstCaps * sink_caps, GstCaps * src_caps);
GST_ORCH_API void gst_orch_function_class_add_output (GstOrchFunctionClass *
    klass, const gchar * name, GstCaps * caps);
GST_ORCH_API void gst_orch_function_class_set_element_caps
    (GstOrchFunctionClass * klass, GstCaps * element_caps);
GST_ORCH_API void gst_orch_function_class_set_can_group_fail
    (GstOrchFunctionClass * klass, gboolean can_group_fail);
GST_ORCH_API void gst_orch_function_class_set_trusted (GstOrchFunctionClass *
    klass, gboolean trusted);

GST_ORCH_API gboolean gst_orch_function_register (GstPlugin * plugin,
    const gchar * name, GType type);
GST_ORCH_API GstOrchFunction *gst_orch_function_make (const gchar * name);
GST_ORCH_API gchar **gst_orch_function_list_names (void);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchcall-private.h"

GType
gst_orch_order_get_type (void)
{
  static GType type = 0;
  static const GEnumValue values[] = {
    {GST_ORCH_ORDER_COMPLETION, "As soon as each is done", "completion"},
    {GST_ORCH_ORDER_INPUT, "In the order of the input", "input"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstOrchOrder", values));
  return type;
}

GType
gst_orch_workers_get_type (void)
{
  static GType type = 0;
  static const GEnumValue values[] = {
    {GST_ORCH_WORKERS_THREAD, "Threads of this process", "thread"},
    {GST_ORCH_WORKERS_PROCESS,
        "Processes: a crash costs only what was in work there", "process"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchWorkers", values));
  return type;
}

GType
gst_orch_batching_get_type (void)
{
  static GType type = 0;
  static const GEnumValue values[] = {
    {ORCH_BATCHING_MIXED, "Units of any parents, oldest first", "mixed"},
    {ORCH_BATCHING_SIBLINGS, "Units of one parent a batch", "siblings"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchBatching", values));
  return type;
}

GType
gst_orch_recovery_get_type (void)
{
  static GType type = 0;
  static const GEnumValue values[] = {
    {ORCH_RECOVERY_BISECT,
        "Once more, then in halves down to the unit at fault", "bisect"},
    {ORCH_RECOVERY_RETRY_BATCH, "The same batch again, before fresh work",
        "retry-batch"},
    {ORCH_RECOVERY_RETRY_TAIL, "The same batch again, behind what is ready",
        "retry-tail"},
    {ORCH_RECOVERY_ABORT, "End the pipeline with an error", "abort"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstOrchRecovery", values));
  return type;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchcallelement.h"
#include "gstorchdemux.h"
#include "gstorchexpand.h"
#include "gstorchfilter.h"
#include "gstorchjoin.h"
#include "gstorchreduce.h"
#include "gstorchsink.h"
#include "gstorchsrc.h"

static gboolean
plugin_init (GstPlugin * plugin)
{
  gboolean ok = FALSE;

  ok |= GST_ELEMENT_REGISTER (orchcall, plugin);
  ok |= GST_ELEMENT_REGISTER (orchdemux, plugin);
  ok |= GST_ELEMENT_REGISTER (orchexpand, plugin);
  ok |= GST_ELEMENT_REGISTER (orchfilter, plugin);
  ok |= GST_ELEMENT_REGISTER (orchjoin, plugin);
  ok |= GST_ELEMENT_REGISTER (orchreduce, plugin);
  ok |= GST_ELEMENT_REGISTER (orchsrc, plugin);
  ok |= GST_ELEMENT_REGISTER (orchsink, plugin);
  return ok;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, orch,
    "Lineage-controlled multi-grain dataflows", plugin_init, PACKAGE_VERSION,
    GST_LICENSE, GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN);

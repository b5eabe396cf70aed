/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gst/orch/gstorchentity.h>
#include <gst/orch/gstorchmeta.h>
#include <gst/orch/gstorchref.h>
#include <gst/orch/gstorchcache.h>
#include <gst/orch/gstorchlist.h>
#include <gst/orch/gstorchbatch.h>
#include <gst/orch/gstorchfunction.h>
#include <gst/orch/gstorchcall.h>
#include <gst/orch/gstorchplan.h>

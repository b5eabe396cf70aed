/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

/* The lineage core. */
#include "orch-arrivals.h"
#include "orch-call.h"
#include "orch-cause.h"
#include "orch-domain.h"
#include "orch-entity.h"
#include "orch-gather.h"
#include "orch-grain.h"
#include "orch-interleave.h"
#include "orch-ordinal-set.h"
#include "orch-outcome.h"
#include "orch-rules.h"

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

/* A pipeline with everything at once: two levels, outcomes of each kind,
 * retries, several replicas.  Generated elements, because gst_parse_launch() of
 * GStreamer 1.22 leaks a reference for each "child::property". */
#define LOADED LOADED_WITH ("thread")
#define LOADED_IN_WORKERS LOADED_WITH ("process")
#define LOADED_WITH(WORKERS) \
    "orchexpand name=e1 ! orchtestwork name=c1 batch-size=3 " \
    "record=*/7 workers=" WORKERS " ! orchexpand name=e2 ! " \
    "orchtestwork name=c2 batch-size=4 replicas=2 workers=" WORKERS " " \
    "drop=*/1/0 record=*/2/0 error-once=*/3/0 ! " \
    "orchreduce name=r2 on-failed=skip ! " \
    "orchreduce name=r1 on-failed=placeholder"

/* A document for it, in the notation; 7 of its lines reach c2. */
#define LOADED_VALUE "[[a],[b,c],[d,e],[f],[],[!x],~,[g]]"
#define LOADED_LINES 7

/* What document %1$u comes to. */
#define LOADED_RESULT "%1$u [[a],[c],[e],[f],[],[],-] " \
    "%1$u/2/0 F test:record@%1$u/2/0 %1$u/5/0 S test:x@%1$u/5/0 " \
    "%1$u/7 S test:record@%1$u/7"

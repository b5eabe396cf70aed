/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "run.h"

G_BEGIN_DECLS

/* Pipelines over videos whose frames show their numbers. */

/* One video through a chain, to EOS. */
Run *video_test_run (const gchar * name, const gchar * chain);
/* Into a run that has been started. */
void video_test_push (Run * run, const gchar * name);
/* The number that a frame shows; -1 when it cannot be told. */
gint video_test_read_frame (GstBuffer * buffer, GstCaps * caps);
/* Of all frames of the video, list by list: "[[0,1],[2,-]]". */
void video_test_assert_numbers (Run * run, const gchar * expected);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "testfolder.h"

/* docs/00000.pdf and so on: each has one page that says "Hello orch".  They are
 * links to one file. */
void linked_files_make (TestFolder * folder, guint n);
/* (transfer full): the path of number `i` */
gchar *linked_files_get (TestFolder * folder, guint i);

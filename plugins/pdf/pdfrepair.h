/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "pdfdocument.h"

G_BEGIN_DECLS

/* (transfer full) (nullable): a copy of @document, not encrypted, whose page
 * tree is sound: every /Count is right, every kid is an object, and where a
 * page is missing there is a blank one, so that the others keep their numbers.
 * In memory if the document is, else in a temporary file.  NULL with @error
 * set. */
PdfSource *pdf_repair (PdfDocument * document, GError ** error);

G_END_DECLS

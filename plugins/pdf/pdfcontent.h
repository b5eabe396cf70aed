/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "pdfdocument.h"
#include "pdfpage.h"

G_BEGIN_DECLS

/* Looks at the streams that a page is drawn from: whether they exist and can be
 * unpacked.  Costs about as much as drawing the page does, so it is for pages
 * that look wrong.
 * @shows_text: (out): whether there is text to be found
 * Returns FALSE with @error set when something is broken or missing. */
gboolean pdf_content_check (PdfDocument * document, const PdfPage * page,
    gboolean with_images, gboolean * shows_text, GError ** error);

G_END_DECLS

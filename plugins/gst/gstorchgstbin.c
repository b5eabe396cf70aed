/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchgstbin.h"

#include <gst/audio/audio.h>
#include <gst/video/video.h>

/* ---- delayed links ---- */

/* `decodebin ! videoconvert` is linked once decodebin has a pad: until then its
 * signal has a handler. */
static gboolean
awaits_pad (GstElement * element)
{
  return g_signal_has_handler_pending (element,
      g_signal_lookup ("pad-added", GST_TYPE_ELEMENT), 0, TRUE);
}

static gboolean
leads_to_delayed_link (GstElement * element)
{
  gboolean found = awaits_pad (element);
  GList *walk;

  for (walk = element->srcpads; walk && !found; walk = walk->next) {
    GstPad *peer = gst_pad_get_peer (walk->data);
    GstElement *next = peer ? gst_pad_get_parent_element (peer) : NULL;

    found = next && leads_to_delayed_link (next);
    g_clear_object (&next);
    g_clear_object (&peer);
  }
  return found;
}

/* ---- its ends ---- */

typedef struct
{
  GPtrArray *sinks;             /* GstPad, in the order of the description */
  GPtrArray *srcs;
  guint n_delayed;              /* links */
} Ends;

static void
add_unlinked (GPtrArray * found, GList * pads)
{
  for (; pads; pads = pads->next)
    if (!gst_pad_is_linked (pads->data))
      g_ptr_array_add (found, pads->data);
}

static void
ends_find (Ends * ends, GstElement * bin)
{
  /* The last one added is the first. */
  GList *walk = g_list_last (GST_BIN_CHILDREN (bin));

  ends->sinks = g_ptr_array_new ();
  ends->srcs = g_ptr_array_new ();
  ends->n_delayed = 0;
  for (; walk; walk = walk->prev) {
    GstElement *element = walk->data;

    add_unlinked (ends->sinks, element->sinkpads);
    add_unlinked (ends->srcs, element->srcpads);
    ends->n_delayed += awaits_pad (element);
  }
}

static void
ends_clear (Ends * ends)
{
  g_ptr_array_unref (ends->sinks);
  g_ptr_array_unref (ends->srcs);
}

/* What is to be linked later is no end: of the pads that lead to where it will be, the
 * first. */
static void
ends_leave_out_delayed (Ends * ends)
{
  guint i;

  for (i = ends->sinks->len; ends->n_delayed > 0 && i > 0; i--) {
    GstPad *pad = g_ptr_array_index (ends->sinks, i - 1);

    if (!leads_to_delayed_link (GST_PAD_PARENT (pad)))
      g_ptr_array_remove_index (ends->sinks, i - 1);
  }
  if (ends->n_delayed > 1 && ends->sinks->len == ends->n_delayed)
    g_ptr_array_set_size (ends->sinks, 1);
}

/* (transfer full): "jpegdec0.sink, queue0.sink" */
static gchar *
list_names (GPtrArray * pads)
{
  GString *names = g_string_new (NULL);
  guint i;

  for (i = 0; i < pads->len; i++) {
    GstPad *pad = g_ptr_array_index (pads, i);

    g_string_append_printf (names, "%s%s.%s", i ? ", " : "",
        GST_OBJECT_NAME (GST_PAD_PARENT (pad)), GST_OBJECT_NAME (pad));
  }
  return g_string_free (names, FALSE);
}

static gboolean
check_one (GPtrArray * pads, const gchar * kind, const gchar * advice,
    GError ** error)
{
  g_autofree gchar *names = list_names (pads);

  if (pads->len == 0)
    g_set_error (error, GST_PARSE_ERROR, GST_PARSE_ERROR_LINK,
        "no %s pad is left to be linked: %s", kind, advice);
  else if (pads->len > 1)
    g_set_error (error, GST_PARSE_ERROR, GST_PARSE_ERROR_LINK,
        "%u %s pads are not linked (%s), and there has to be one: link the "
        "others, or leave them out", pads->len, kind, names);
  return pads->len == 1;
}

static gboolean
ends_check (Ends * ends, GError ** error)
{
  return check_one (ends->sinks, "sink", "it has to begin with an element that "
      "takes what it is given, not with a source", error)
      && check_one (ends->srcs, "src", "it has to end with an element that hands "
      "on what it makes, not with a sink; behind one that gets its pads later, "
      "as decodebin does, put another, such as videoconvert", error);
}

static void
add_ghost (GstElement * bin, const gchar * name, GPtrArray * pads)
{
  gst_element_add_pad (bin, gst_ghost_pad_new (name,
          g_ptr_array_index (pads, 0)));
}

/* ---- reading ---- */

static gboolean
add_ghosts (GstElement * bin, GError ** error)
{
  Ends ends;
  gboolean ok;

  ends_find (&ends, bin);
  ends_leave_out_delayed (&ends);
  ok = ends_check (&ends, error);
  if (ok) {
    add_ghost (bin, "sink", ends.sinks);
    add_ghost (bin, "src", ends.srcs);
  }
  ends_clear (&ends);
  return ok;
}

/* (transfer full): caps are what is between two elements, so at the end they need one
 * behind them. */
static gchar *
close_caps (const gchar * description)
{
  gboolean ends_in_caps =
      g_regex_match_simple ("!\\s*[a-z]+/[^!]*$", description, 0, 0);

  return g_strconcat (description, ends_in_caps ? " ! identity" : NULL, NULL);
}

static GstElement *
parse (const gchar * description, GError ** error)
{
  g_autofree gchar *text = close_caps (description);

  return gst_parse_bin_from_description_full (text, FALSE, NULL,
      GST_PARSE_FLAG_FATAL_ERRORS, error);
}

GstElement *
gst_orch_gst_bin_new (const gchar * description, GError ** error)
{
  GstElement *bin;

  if (!description || !*description) {
    g_set_error (error, GST_PARSE_ERROR, GST_PARSE_ERROR_EMPTY,
        "the property bin is not set: name the elements to run, such as "
        "bin=\"jpegdec ! videoconvert\"");
    return NULL;
  }
  bin = parse (description, error);
  if (!bin) {
    g_prefix_error (error, "bin=\"%s\" cannot be made: ", description);
    return NULL;
  }
  gst_object_ref_sink (bin);
  if (add_ghosts (bin, error))
    return bin;
  g_prefix_error (error, "bin=\"%s\" cannot be used: ", description);
  gst_object_unref (bin);
  return NULL;
}

/* ---- what it is like ---- */

static gboolean
has_raw (GstCaps * caps)
{
  guint i;

  for (i = 0; i < gst_caps_get_size (caps); i++)
    if (g_str_has_suffix (gst_structure_get_name (gst_caps_get_structure (caps,
                    i)), "/x-raw"))
      return TRUE;
  return FALSE;
}

GstCaps *
gst_orch_gst_bin_get_sink_caps (GstElement * bin)
{
  GstPad *sink = gst_element_get_static_pad (bin, "sink");
  GstCaps *caps = gst_pad_query_caps (sink, NULL);

  gst_object_unref (sink);
  if (gst_caps_is_any (caps) || has_raw (caps))
    return caps;
  return gst_caps_merge (caps,
      gst_caps_new_empty_simple ("application/octet-stream"));
}

/* Those that are as new after a flush: each image or piece of sound is for itself.
 * tests/gst/reuse.c measures it.  It does not hold for codecs of video and sound, nor
 * for what resamples: they keep rates, headers, phases, or what to overlap. */
static const gchar *const forgetful[] = {
  "alphacolor", "audioconvert", "bayer2rgb", "capsfilter", "gamma",
  "identity", "jpegdec", "jpegenc", "jpegparse", "pngdec", "pngenc",
  "pngparse", "pnmdec", "pnmenc", "queue", "rgb2bayer", "videobalance",
  "videobox", "videoconvert", "videoconvertscale", "videocrop", "videoflip",
  "videoscale", "webpdec", "webpenc", NULL
};

gboolean
gst_orch_gst_bin_forgets (GstElement * bin)
{
  GList *walk;

  for (walk = GST_BIN_CHILDREN (bin); walk; walk = walk->next) {
    GstElementFactory *factory = gst_element_get_factory (walk->data);

    if (!factory || !g_strv_contains (forgetful, GST_OBJECT_NAME (factory)))
      return FALSE;
  }
  return TRUE;
}

static gboolean
gets_pads_later (GstElement * element)
{
  GList *walk = gst_element_get_pad_template_list (element);

  for (; walk; walk = walk->next)
    if (GST_PAD_TEMPLATE_PRESENCE (walk->data) == GST_PAD_SOMETIMES)
      return TRUE;
  return FALSE;
}

gboolean
gst_orch_gst_bin_reads_files (GstElement * bin)
{
  GList *walk;

  for (walk = GST_BIN_CHILDREN (bin); walk; walk = walk->next)
    if (gets_pads_later (walk->data))
      return TRUE;
  return FALSE;
}

/* ---- errors that decoders pass over ---- */

static void
make_strict (GstElement * element)
{
  if (GST_IS_VIDEO_DECODER (element))
    gst_video_decoder_set_max_errors (GST_VIDEO_DECODER (element), 0);
  else if (GST_IS_AUDIO_DECODER (element))
    gst_audio_decoder_set_max_errors (GST_AUDIO_DECODER (element), 0);
}

static void
make_value_strict (const GValue * value, gpointer user_data)
{
  make_strict (g_value_get_object (value));
}

static void
make_new_strict (GstBin * bin, GstBin * parent, GstElement * element)
{
  make_strict (element);
}

void
gst_orch_gst_bin_make_strict (GstElement * bin)
{
  GstIterator *elements = gst_bin_iterate_recurse (GST_BIN (bin));

  gst_iterator_foreach (elements, make_value_strict, NULL);
  gst_iterator_free (elements);
  g_signal_connect (bin, "deep-element-added", G_CALLBACK (make_new_strict),
      NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "soak.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE (60 * GST_SECOND)
#define HOLD_UP (G_USEC_PER_SEC / 2)

static gint soak_leak;

void
soak_init (int *argc, char ***argv)
{
  const GOptionEntry options[] = {
    {"leak", 0, 0, G_OPTION_ARG_INT, &soak_leak, "Lose so many bytes with each "
        "parent, to see that the tests of memory can fail", "BYTES"},
    {NULL}
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  GError *error = NULL;

  g_test_init (argc, argv, NULL);
  g_option_context_add_main_entries (context, options, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, argc, argv, &error))
    g_error ("%s", error->message);
}

void
soak_skip_without (const gchar * element)
{
  GstElementFactory *factory = gst_element_factory_find (element);

  if (!factory) {
    g_print ("1..0 # SKIP %s is not built\n", element);
    exit (EXIT_SUCCESS);
  }
  gst_object_unref (factory);
}

static gsize
get_resident (void)
{
  FILE *file = fopen ("/proc/self/statm", "re");
  gulong total, resident;

  g_assert_nonnull (file);
  g_assert_cmpint (fscanf (file, "%lu %lu", &total, &resident), ==, 2);
  fclose (file);
  return resident * sysconf (_SC_PAGESIZE);
}

static void
take_sample (Soak * self)
{
  gsize resident = get_resident ();

  g_array_append_val (self->resident, resident);
  if (self->resident->len == 1)
    g_usleep (HOLD_UP);
}

/* One thread pushes into the end of the pipeline. */
static void
count_parent (GstBuffer * buffer, gpointer user_data)
{
  Soak *self = user_data;
  guint64 n_arrived = self->n_arrived + 1;

  if (soak_leak)
    memset (g_malloc (soak_leak), 1, soak_leak);
  if (n_arrived * SOAK_SAMPLES / self->n_expected > self->resident->len)
    take_sample (self);
  __atomic_store_n (&self->n_arrived, n_arrived, __ATOMIC_RELAXED);
}

typedef struct
{
  SoakFunc func;
  gpointer user_data;
} Watch;

static gboolean
show_buffer (GstBuffer ** buffer, guint index, gpointer user_data)
{
  Watch *watch = user_data;

  watch->func (*buffer, watch->user_data);
  return TRUE;
}

static GstPadProbeReturn
show (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstBuffer *buffer;

  if (info->type & GST_PAD_PROBE_TYPE_BUFFER_LIST) {
    gst_buffer_list_foreach (GST_PAD_PROBE_INFO_BUFFER_LIST (info),
        show_buffer, user_data);
  } else {
    buffer = GST_PAD_PROBE_INFO_BUFFER (info);
    show_buffer (&buffer, 0, user_data);
  }
  return GST_PAD_PROBE_OK;
}

void
soak_watch (Soak * self, const gchar * element, const gchar * name,
    SoakFunc func, gpointer user_data)
{
  GstElement *found = gst_bin_get_by_name (GST_BIN (self->pipeline), element);
  GstPad *pad = gst_element_get_static_pad (found, name);
  Watch *watch = g_new (Watch, 1);

  watch->func = func;
  watch->user_data = user_data;
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER |
      GST_PAD_PROBE_TYPE_BUFFER_LIST, show, watch, g_free);
  gst_object_unref (pad);
  gst_object_unref (found);
}

Soak *
soak_new (guint64 n_expected, const gchar * description, ...)
{
  g_autofree gchar *text = NULL;
  GError *error = NULL;
  Soak *self = g_new0 (Soak, 1);
  va_list args;

  va_start (args, description);
  text = g_strdup_vprintf (description, args);
  va_end (args);
  self->pipeline = gst_parse_launch (text, &error);
  g_assert_no_error (error);
  self->n_expected = n_expected;
  self->resident = g_array_new (FALSE, FALSE, sizeof (gsize));
  soak_watch (self, "out", "sink", count_parent, self);
  return self;
}

void
soak_free (Soak * self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_object_unref (self->pipeline);
  g_array_unref (self->resident);
  g_free (self);
}

/* ---- the run ---- */

static guint64
get_count (const GstStructure * stats, const gchar * field)
{
  guint64 value;
  guint small;

  if (gst_structure_get_uint64 (stats, field, &value))
    return value;
  g_assert_true (gst_structure_get_uint (stats, field, &small));
  return small;
}

static void
check_account (const GValue * item, gpointer user_data)
{
  GObject *element = g_value_get_object (item);
  GstStructure *stats = NULL;

  if (!g_object_class_find_property (G_OBJECT_GET_CLASS (element), "stats"))
    return;
  g_object_get (element, "stats", &stats, NULL);
  if (gst_structure_has_name (stats, "orch-call-stats"))
    g_assert_cmpuint (get_count (stats, "entered"), ==,
        get_count (stats, "present") + get_count (stats, "dropped") +
        get_count (stats, "failed") + get_count (stats, "suppressed"));
  if (gst_structure_has_name (stats, "orch-reduce-stats"))
    g_assert_cmpuint (get_count (stats, "open"), ==, 0);
  gst_structure_free (stats);
}

static void
check_accounts (Soak * self)
{
  GstIterator *elements = gst_bin_iterate_elements (GST_BIN (self->pipeline));

  gst_iterator_foreach (elements, check_account, NULL);
  gst_iterator_free (elements);
}

/* FALSE: nothing was said for a while */
static gboolean
wait_for_end (GstBus * bus)
{
  GstMessage *message = gst_bus_timed_pop_filtered (bus, PATIENCE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  GError *error = NULL;

  if (!message)
    return FALSE;
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, &error, NULL);
  g_assert_no_error (error);
  gst_message_unref (message);
  return TRUE;
}

void
soak_run (Soak * self)
{
  GstBus *bus = gst_element_get_bus (self->pipeline);
  guint64 before, now = 0;

  self->resident_before = get_resident ();
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  while (!wait_for_end (bus)) {
    before = now;
    now = __atomic_load_n (&self->n_arrived, __ATOMIC_RELAXED);
    if (now == before)
      g_error ("nothing moves after %" G_GUINT64_FORMAT " parents", now);
  }
  gst_object_unref (bus);
  g_assert_cmpuint (self->n_arrived, ==, self->n_expected);
  check_accounts (self);
}

/* ---- memory ---- */

gboolean
soak_is_flat (Soak * self, gsize first, gsize rest)
{
  gsize *resident = (gsize *) self->resident->data;
  guint start = SOAK_SAMPLES / 100 - 1, highest = start, i;

  g_assert_cmpuint (self->resident->len, >=, SOAK_SAMPLES / 2);
  for (i = start; i < self->resident->len; i++)
    if (resident[i] > resident[highest])
      highest = i;
  g_test_message ("%" G_GUINT64_FORMAT " parents: %.1f MB resident before, "
      "%.1f MB after 1 %%, at most %.1f MB (after %.1f %%), %.1f MB at the end; "
      "bounds: %.1f MB more and %.1f MB more", self->n_expected,
      self->resident_before / 1e6, resident[start] / 1e6,
      resident[highest] / 1e6, 100.0 * (highest + 1) / self->resident->len,
      resident[self->resident->len - 1] / 1e6, first / 1e6, rest / 1e6);
  return SOAK_IS_INSTRUMENTED ||
      (resident[start] <= self->resident_before + first
      && resident[highest] <= resident[start] + rest);
}

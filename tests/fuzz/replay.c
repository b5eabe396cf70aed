/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* replay N FOLDERS...: gives a fuzzer every file of some folders, and N changes of
 * each, without libFuzzer.  A crash names the input that did it. */

#include "chance.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

/* Numbers that are at an edge of something. */
static const guint32 edges[] = { 0, 1, 2, 7, 8, 15, 16, 32, 255, 256, 4096,
  G_MAXINT32, G_MAXUINT32 - 1, G_MAXUINT32
};

static void
double_some (GByteArray * input, guint at)
{
  guint8 some[64];
  guint n = MIN (sizeof some, input->len - at);

  memcpy (some, input->data + at, n);
  g_byte_array_append (input, some, n);
}

static void
change_once (GByteArray * input, GRand * chance)
{
  guint at = g_rand_int_range (chance, 0, input->len);
  guint left = input->len - at;
  guint32 edge = edges[g_rand_int_range (chance, 0, G_N_ELEMENTS (edges))];

  switch (g_rand_int_range (chance, 0, 4)) {
    case 0:
      input->data[at] = g_rand_int (chance);
      break;
    case 1:
      memcpy (input->data + at, &edge, MIN (sizeof edge, left));
      break;
    case 2:
      g_byte_array_remove_range (input, at,
          g_rand_int_range (chance, 1, MIN (left, 16) + 1));
      break;
    default:
      double_some (input, at);
      break;
  }
}

static void
run_changed (const gchar * data, gsize size, GRand * chance)
{
  GByteArray *input = g_byte_array_new ();
  guint i, n = g_rand_int_range (chance, 1, 5);

  g_byte_array_append (input, (const guint8 *) data, size);
  for (i = 0; i < n && input->len > 0; i++)
    change_once (input, chance);
  LLVMFuzzerTestOneInput (input->data, input->len);
  g_byte_array_unref (input);
}

static void
run_file (const gchar * path, guint n, GRand * chance)
{
  g_autofree gchar *data = NULL;
  GError *error = NULL;
  gsize size;
  guint i;

  if (!g_file_get_contents (path, &data, &size, &error))
    g_error ("%s", error->message);
  g_print ("%s\n", path);
  LLVMFuzzerTestOneInput ((const guint8 *) data, size);
  for (i = 0; i < n; i++)
    run_changed (data, size, chance);
}

static guint
run_folder (const gchar * folder, guint n, GRand * chance)
{
  GError *error = NULL;
  GDir *dir = g_dir_open (folder, 0, &error);
  const gchar *name;
  guint n_files = 0;

  if (!dir)
    g_error ("%s", error->message);
  while ((name = g_dir_read_name (dir))) {
    g_autofree gchar *path = g_build_filename (folder, name, NULL);

    run_file (path, n, chance);
    n_files++;
  }
  g_dir_close (dir);
  return n_files;
}

int
main (int argc, char **argv)
{
  GRand *chance = chance_new ();
  guint n_files = 0;
  gint i;

  g_assert_cmpint (argc, >=, 3);
  LLVMFuzzerInitialize (&argc, &argv);
  for (i = 2; i < argc; i++)
    n_files += run_folder (argv[i], atoi (argv[1]), chance);
  g_rand_free (chance);
  g_assert_cmpuint (n_files, >, 0);
  return 0;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include <gio/gio.h>

/* A folder of its own for each test. */
typedef struct
{
  gchar *path;
} TestFolder;

void test_folder_init (TestFolder * folder);
/* With all that is in it. */
void test_folder_clear (TestFolder * folder);
/* (transfer full) */
gchar *test_folder_get (TestFolder * folder, const gchar * name);
/* Makes the folders on the way. */
void test_folder_write (TestFolder * folder, const gchar * name,
    const gchar * text);
/* (transfer full): NULL when there is no such file */
gchar *test_folder_read (TestFolder * folder, const gchar * name);
guint test_folder_count (TestFolder * folder, const gchar * name);

/* Registers a test that gets a TestFolder. */
#define TEST_ADD(path, func) \
  g_test_add (path, TestFolder, NULL, test_folder_setup, func, \
      test_folder_teardown)
void test_folder_setup (TestFolder * folder, gconstpointer data);
void test_folder_teardown (TestFolder * folder, gconstpointer data);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* What a worker could say without end, a Call stops to hear: each limit once from
 * within and once from beyond. */

#include "fixture.h"
#include "gstorchpack-private.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct
{
  FixtureCall side;
  GstOrchLink link;             /* the worker's end */
  gint inbox;                   /* and that where it would hear */
  GstOrchBatch *batch;
  guint n_warnings;             /* that came through */
} Talk;

static gboolean
is_cancelled (gpointer data)
{
  return FALSE;
}

static void
count_warning (gpointer data, guint index, const gchar * text)
{
  Talk *talk = data;

  talk->n_warnings++;
}

static void
ignore_grains (gpointer data, GstOrchGrain ** grains, const guint * places,
    guint n)
{
}

static void
talk_open (Talk * talk)
{
  static const GstOrchBatchHost callbacks = {
    is_cancelled, NULL, count_warning, ignore_grains
  };
  gint sockets[2], inbox[2];

  memset (talk, 0, sizeof *talk);
  fixture_socket_pair (sockets);
  fixture_socket_pair (inbox);
  fixture_call_open (&talk->side, sockets[0], inbox[0]);
  gst_orch_link_init (&talk->link, sockets[1]);
  talk->inbox = inbox[1];
  talk->batch = fixture_batch_new (&callbacks, talk, FIXTURE_N_KINDS);
  g_assert_true (fixture_call_send (&talk->side, talk->batch));
}

static void
talk_close (Talk * talk)
{
  fixture_call_close (&talk->side);
  gst_orch_batch_free (talk->batch);
  gst_orch_link_clear (&talk->link);
  close (talk->inbox);
}

/* (transfer full) (nullable): why it makes no sense */
static gchar *
say (Talk * talk, GstOrchSay type, GByteArray * body, GArray * fds)
{
  GstOrchMessage message;
  GstOrchWorkerState state;
  g_autoptr (GError) error = NULL;

  g_assert_true (gst_orch_link_send (&talk->link, type, 0, body, fds, 1000,
          NULL));
  g_assert_cmpint (gst_orch_link_receive (&talk->side.worker.link, FALSE,
          &message, NULL), ==, GST_ORCH_LINK_MESSAGE);
  state = gst_orch_worker_hear (&talk->side.worker, talk->side.sent,
      &message, &error);
  gst_orch_message_clear (&message);
  g_byte_array_unref (body);
  if (state == GST_ORCH_WORKER_RUNS)
    return NULL;
  g_assert_cmpint (state, ==, GST_ORCH_WORKER_DIED);
  return g_strdup (error->message);
}

#define assert_refused(WHY, PART) \
  G_STMT_START { \
    g_autofree gchar *refused_why = WHY; \
    g_assert_nonnull (refused_why); \
    g_assert_nonnull (strstr (refused_why, PART)); \
  } G_STMT_END

/* The outcome of Grain 0, as far as its values. */
static GByteArray *
begin_outcome (const GstStructure * info)
{
  GByteArray *body = g_byte_array_new ();

  gst_orch_put_u32 (body, 1);
  gst_orch_put_u32 (body, 0);
  gst_orch_put_u8 (body, ORCH_OUTCOME_PRESENT);
  gst_orch_put_structure (body, info);
  return body;
}

/* Its main value has these caps; no buffer follows. */
static gchar *
say_caps (Talk * talk, const gchar * caps)
{
  GByteArray *body = begin_outcome (NULL);

  gst_orch_put_u32 (body, 1);
  gst_orch_put_u32 (body, 0);
  gst_orch_put_string (body, caps);
  gst_orch_put_u8 (body, GST_ORCH_BUFFER_NONE);
  return say (talk, GST_ORCH_SAY_OUTCOMES, body, NULL);
}

/* ---- text that GStreamer reads ---- */

static gchar *
make_nested (const gchar * opener, guint n)
{
  GString *text = g_string_new ("a/b, x=");

  while (n--)
    g_string_append (text, opener);
  return g_string_free (text, FALSE);
}

/* Brackets within brackets take the stack, or for ever. */
static void
test_nesting (void)
{
  static const gchar *openers[] = { "<", "{", "[", "[a,b=", "<[a,b=",
    "(structure)[a,b=", "{(GstCaps)[a,b="
  };
  guint i, n;

  for (i = 0; i < G_N_ELEMENTS (openers); i++)
    for (n = 10; n <= 1000 * 1000; n *= 10) {
      g_autofree gchar *text = make_nested (openers[i], n);
      Talk talk;

      talk_open (&talk);
      assert_refused (say_caps (&talk, text), "levels of brackets");
      talk_close (&talk);
    }
}

/* The same as a value. */
static void
test_nested_value (void)
{
  g_autofree gchar *text = make_nested ("<", 1000 * 1000);
  GByteArray *body = g_byte_array_new ();
  Talk talk;

  talk_open (&talk);
  gst_orch_put_u32 (body, 1);
  gst_orch_put_u32 (body, 0);
  gst_orch_put_u8 (body, ORCH_OUTCOME_PRESENT);
  gst_orch_put_string (body, "info");
  gst_orch_put_u32 (body, 1);
  gst_orch_put_string (body, "field");
  gst_orch_put_u8 (body, 11);   /* KIND_TEXT */
  gst_orch_put_string (body, "GstCaps");
  gst_orch_put_string (body, text);
  assert_refused (say (&talk, GST_ORCH_SAY_OUTCOMES, body, NULL),
      "levels of brackets");
  talk_close (&talk);
}

/* Caps that somebody may well have. */
static void
test_honest_caps (void)
{
  static const gchar *texts[] = { "ANY", "EMPTY",
    "video/x-raw(memory:SystemMemory), format=(string){ RGB, GRAY8 }",
    "a/b, x=(int)< < 1, 2 >, < 3, 4 > >, s=(structure)[s, list=(int){ 1, 2 }]",
    "a/b, note=(string)\"a < b and c [d]\""
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autofree gchar *why = NULL;
    Talk talk;

    talk_open (&talk);
    /* What is missed is the buffer. */
    why = say_caps (&talk, texts[i]);
    g_assert_cmpstr (why, ==, "message 7 cannot be read");
    g_assert_cmpuint (g_hash_table_size (talk.side.worker.caps.caps), ==, 1);
    talk_close (&talk);
  }
}

/* ---- counts ---- */

/* The process may use so much more than it has now; 0: any again. */
static void
limit_memory (guint64 more)
{
  struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };
  unsigned long long pages = 0;
  g_autofree gchar *text = NULL;

  if (more > 0) {
    g_assert_true (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
    g_assert_cmpint (sscanf (text, "%llu", &pages), ==, 1);
    limit.rlim_cur = pages * sysconf (_SC_PAGESIZE) + more;
  }
  g_assert_cmpint (setrlimit (RLIMIT_AS, &limit), ==, 0);
}

/* A list of many elements in few bytes costs no more than those. */
static void
test_large_count (void)
{
  static const guint n = 50 * 1000 * 1000;
  GByteArray *body = begin_outcome (NULL);
  Talk talk;
  guint i;

  talk_open (&talk);
  gst_orch_put_u32 (body, 1);
  gst_orch_put_u32 (body, 0);
  gst_orch_put_string (body, GST_ORCH_LIST_CAPS);
  gst_orch_put_u8 (body, GST_ORCH_BUFFER_NEW);
  gst_orch_put_u32 (body, 0);
  for (i = 0; i < 5; i++)
    gst_orch_put_u64 (body, 0);
  gst_orch_put_u32 (body, 0);
  gst_orch_put_u8 (body, GST_ORCH_META_LIST);
  gst_orch_put_u32 (body, n);
  i = body->len;
  g_byte_array_set_size (body, i + n);
  memset (body->data + i, 0xff, n);
  limit_memory (1000 * 1000 * 1000);
  assert_refused (say (&talk, GST_ORCH_SAY_OUTCOMES, body, NULL),
      "cannot be read");
  limit_memory (0);
  talk_close (&talk);
}

static void
test_many_fields (void)
{
  guint n;

  for (n = 4096; n <= 4097; n++) {
    GstStructure *info = gst_structure_new_empty ("info");
    g_autofree gchar *why = NULL;
    GByteArray *body;
    Talk talk;
    guint i;

    talk_open (&talk);
    for (i = 0; i < n; i++) {
      g_autofree gchar *name = g_strdup_printf ("f%u", i);

      gst_structure_set (info, name, G_TYPE_INT, i, NULL);
    }
    body = begin_outcome (info);
    gst_orch_put_u32 (body, 0);
    why = say (&talk, GST_ORCH_SAY_OUTCOMES, body, NULL);
    g_assert_cmpint (why != NULL, ==, n > 4096);
    gst_structure_free (info);
    talk_close (&talk);
  }
}

/* ---- what is kept ---- */

static void
test_warnings (void)
{
  gchar *why = NULL;
  guint n;
  Talk talk;

  talk_open (&talk);
  for (n = 0; !why && n < 100 * 1000; n++) {
    GByteArray *body = g_byte_array_new ();

    gst_orch_put_u32 (body, 1);
    gst_orch_put_string (body, "and again");
    why = say (&talk, GST_ORCH_SAY_WARNING, body, NULL);
  }
  g_assert_cmpuint (talk.n_warnings, ==, 64 * FIXTURE_N_KINDS);
  assert_refused (why, "without end");
  talk_close (&talk);
}

static GByteArray *
make_names (guint first, guint n)
{
  GByteArray *body = g_byte_array_new ();
  guint i;

  gst_orch_put_u32 (body, 1);
  gst_orch_put_u32 (body, 0);
  gst_orch_put_u8 (body, ORCH_OUTCOME_PRESENT);
  gst_orch_put_string (body, "info");
  gst_orch_put_u32 (body, n);
  for (i = 0; i < n; i++) {
    g_autofree gchar *name = g_strdup_printf ("a-name-%u-that-nobody-has-used-"
        "before-and-that-is-kept-for-ever-once-it-is-read", first + i);

    gst_orch_put_string (body, name);
    gst_orch_put_u8 (body, 1);
    gst_orch_put_u64 (body, 5);
  }
  gst_orch_put_u32 (body, 0);
  return body;
}

/* A name for each field, and none twice.  Last of all tests: there is no way back. */
static void
test_names (void)
{
  gchar *why = NULL;
  guint n;
  Talk talk;

  for (n = 0; !why && n < 3 * 1000 * 1000; n += 500) {
    talk_open (&talk);
    why = say (&talk, GST_ORCH_SAY_OUTCOMES, make_names (n, 500), NULL);
    talk_close (&talk);
  }
  assert_refused (why, "names");
  g_assert_cmpuint (n, >, 1000 * 1000);
}

/* An empty file in memory, of which each page that is looked at is filled. */
static GByteArray *
make_shared (GArray * fds, guint64 size)
{
  GByteArray *body = begin_outcome (NULL);
  gint fd = gst_orch_memfd_new (NULL);
  guint i;

  g_assert_true (fd >= 0 && ftruncate (fd, size) == 0
      && gst_orch_memfd_seal (fd, NULL));
  g_array_append_val (fds, fd);
  gst_orch_put_u32 (body, 1);
  gst_orch_put_u32 (body, 1);
  gst_orch_put_string (body, "a/b");
  gst_orch_put_u8 (body, GST_ORCH_BUFFER_NEW);
  gst_orch_put_u32 (body, 0);
  for (i = 0; i < 5; i++)
    gst_orch_put_u64 (body, 0);
  gst_orch_put_u32 (body, 1);
  gst_orch_put_u8 (body, GST_ORCH_MEMORY_SHARED);
  gst_orch_put_u32 (body, 0);
  gst_orch_put_u64 (body, 0);
  gst_orch_put_u64 (body, 1);
  gst_orch_put_u8 (body, GST_ORCH_META_END);
  return body;
}

static void
test_shared (void)
{
  static const guint64 max = 1000 * 1000;
  guint i;

  for (i = 0; i < 2; i++) {
    GArray *fds = g_array_new (FALSE, FALSE, sizeof (gint));
    g_autofree gchar *why = NULL;
    GByteArray *body = make_shared (fds, max + i);
    Talk talk;

    talk_open (&talk);
    talk.side.replica.max_memory = max;
    why = say (&talk, GST_ORCH_SAY_OUTCOMES, body, fds);
    g_assert_cmpint (why != NULL, ==, i == 1);
    if (why)
      g_assert_nonnull (strstr (why, "max-memory"));
    close (g_array_index (fds, gint, 0));
    g_array_unref (fds);
    talk_close (&talk);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  fixture_init ();
  g_test_add_func ("/limits/nesting", test_nesting);
  g_test_add_func ("/limits/nested-value", test_nested_value);
  g_test_add_func ("/limits/honest-caps", test_honest_caps);
#ifndef __SANITIZE_ADDRESS__
  g_test_add_func ("/limits/large-count", test_large_count);
#endif
  g_test_add_func ("/limits/many-fields", test_many_fields);
  g_test_add_func ("/limits/warnings", test_warnings);
  g_test_add_func ("/limits/shared", test_shared);
  g_test_add_func ("/limits/names", test_names);
  return g_test_run ();
}

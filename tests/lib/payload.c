/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* What goes between a Call and its workers arrives as it was, and whatever a worker
 * makes of it does no harm. */

#include "chance.h"
#include "complaints.h"
#include "lineage/orch-lineage.h"

#include <gst/orch/gstorchlist-private.h>
#include <gst/orch/gstorchpayload-private.h>
#include <gst/orch/orch.h>
#include <gst/allocators/gstfdmemory.h>
#include <gst/check/gstcheck.h>
#include <gst/video/video.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define LARGE (100 * 1000)

static gboolean
find_nothing (gpointer data, GstBuffer * buffer, gboolean is_source,
    GstOrchKnown * known, guint64 * id, gboolean * again)
{
  return FALSE;
}

static GstBuffer *
get_nothing (gpointer data, GstOrchKnown known, guint64 id)
{
  return NULL;
}

/* (transfer full): a message with what `buffer` holds */
static GstOrchMessage
pack (GstBuffer * buffer, GstOrchCapsCache * caps)
{
  GstOrchPacker packer;
  GstOrchMessage message = { 0, };
  guint i;

  gst_orch_packer_init (&packer, caps);
  packer.find = find_nothing;
  gst_orch_packer_put_buffer (&packer, buffer);
  fail_unless (gst_orch_packer_seal (&packer, NULL));
  message.size = packer.body->len;
  message.memory = g_malloc (message.size);
  memcpy (message.memory, packer.body->data, message.size);
  message.data = message.memory;
  message.fds = g_array_new (FALSE, FALSE, sizeof (gint));
  for (i = 0; i < packer.fds->len; i++) {
    gint fd = dup (g_array_index (packer.fds, gint, i));

    g_array_append_val (message.fds, fd);
  }
  gst_orch_packer_clear (&packer);
  return message;
}

static GstBuffer *
unpack (GstOrchMessage * message, GstOrchCapsCache * caps)
{
  GstOrchUnpacker unpacker;
  GstBuffer *buffer;

  gst_orch_unpacker_init (&unpacker, message, caps);
  unpacker.get = get_nothing;
  unpacker.keeps_fds = TRUE;
  buffer = gst_orch_unpacker_get_buffer (&unpacker);
  if (unpacker.reader.bad)
    gst_clear_buffer (&buffer);
  gst_orch_unpacker_clear (&unpacker);
  return buffer;
}

static GstBuffer *
carry (GstBuffer * buffer)
{
  GstOrchCapsCache caps;
  GstOrchMessage message;
  GstBuffer *result;

  gst_orch_caps_cache_init (&caps);
  message = pack (buffer, &caps);
  result = unpack (&message, &caps);
  gst_orch_message_clear (&message);
  gst_orch_caps_cache_clear (&caps);
  gst_buffer_unref (buffer);
  fail_unless (result != NULL);
  return result;
}

/* ---- values ---- */

GST_START_TEST (test_structure)
{
  GstStructure *inner = gst_structure_new ("inner", "s", G_TYPE_STRING, "\"=,;",
      "none", G_TYPE_STRING, NULL, NULL);
  GstStructure *structure = gst_structure_new ("all", "i", G_TYPE_INT, -3,
      "u", G_TYPE_UINT, 3u, "l", G_TYPE_INT64, G_MININT64,
      "ul", G_TYPE_UINT64, G_MAXUINT64, "d", G_TYPE_DOUBLE, 0.1,
      "b", G_TYPE_BOOLEAN, TRUE, "f", GST_TYPE_FRACTION, 30000, 1001,
      "inner", GST_TYPE_STRUCTURE, inner,
      "caps", GST_TYPE_CAPS, NULL, NULL);
  GstStructure *listed =
      gst_structure_from_string ("l, a=(int)<1,2>, b=(string){x,y}", NULL);
  GByteArray *body = g_byte_array_new ();
  GstOrchReader reader;
  GstStructure *result;

  gst_structure_remove_field (structure, "caps");
  gst_orch_put_structure (body, structure);
  gst_orch_put_structure (body, listed);
  gst_orch_put_structure (body, NULL);
  reader = (GstOrchReader) { body->data, body->len, };
  result = gst_orch_reader_get_structure (&reader);
  fail_unless (gst_structure_is_equal (result, structure));
  gst_structure_free (result);
  result = gst_orch_reader_get_structure (&reader);
  fail_unless (gst_structure_is_equal (result, listed));
  gst_structure_free (result);
  fail_unless (gst_orch_reader_get_structure (&reader) == NULL);
  fail_if (reader.bad);
  fail_unless_equals_uint64 (reader.at, body->len);
  g_byte_array_unref (body);
  gst_structure_free (inner);
  gst_structure_free (structure);
  gst_structure_free (listed);
}

GST_END_TEST;

/* ---- buffers ---- */

static GstBuffer *
make_bytes (gsize size, gchar fill)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, size, NULL);

  gst_buffer_memset (buffer, 0, fill, size);
  return buffer;
}

GST_START_TEST (test_memory)
{
  static const gsize sizes[] = { 0, 1, 1000, LARGE };
  GstBuffer *buffer = make_bytes (sizes[__i__], 'a');
  GstMapInfo map;

  GST_BUFFER_PTS (buffer) = 5;
  GST_BUFFER_OFFSET (buffer) = 7;
  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT);
  buffer = carry (buffer);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (buffer), 5);
  fail_unless_equals_uint64 (GST_BUFFER_OFFSET (buffer), 7);
  fail_unless (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT));
  fail_unless_equals_uint64 (gst_buffer_get_size (buffer), sizes[__i__]);
  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READ));
  fail_unless (map.size == 0 || (map.data[0] == 'a'
          && map.data[map.size - 1] == 'a'));
  gst_buffer_unmap (buffer, &map);
  /* Nobody writes into what is shared: a copy is made. */
  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  if (map.size)
    map.data[0] = 'b';
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
}

GST_END_TEST;

/* What came as a file in memory goes on as it is: the next process sees the same
 * memory, not a copy. */
GST_START_TEST (test_shared_goes_on)
{
  GstBuffer *buffer = carry (make_bytes (LARGE, 'a'));
  GstOrchCapsCache caps;
  GstOrchMessage message;
  gint fd;
  guint64 offset;

  fail_unless (gst_orch_memory_is_shared (gst_buffer_peek_memory (buffer, 0),
          &fd, &offset));
  gst_orch_caps_cache_init (&caps);
  message = pack (buffer, &caps);
  g_assert_cmpuint (message.size, <, 200);
  fail_unless_equals_int (message.fds->len, 1);
  gst_orch_message_clear (&message);
  gst_orch_caps_cache_clear (&caps);
  gst_buffer_unref (buffer);
}

GST_END_TEST;

/* A user's file stays a file, which is never mapped. */
static GstBuffer *
make_file (void)
{
  GstAllocator *allocator = gst_fd_allocator_new ();
  GstBuffer *buffer = gst_buffer_new ();
  gint fd = g_file_open_tmp (NULL, NULL, NULL);

  fail_unless (write (fd, "abcdef", 6) == 6);
  gst_buffer_append_memory (buffer, gst_fd_allocator_alloc (allocator, fd, 6,
          GST_FD_MEMORY_FLAG_NONE));
  gst_object_unref (allocator);
  return buffer;
}

GST_START_TEST (test_file)
{
  GstBuffer *buffer = carry (make_file ());
  guint64 size;
  gchar text[6];
  gint fd;

  fail_unless (gst_orch_buffer_get_fd (buffer, &fd, &size));
  fail_unless_equals_uint64 (size, 6);
  fail_unless (pread (fd, text, 6, 0) == 6);
  fail_unless (memcmp (text, "abcdef", 6) == 0);
  gst_buffer_unref (buffer);
}

GST_END_TEST;

static GstBuffer *
make_frame (void)
{
  GstBuffer *buffer = make_bytes (64 * 8, 'f');
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0, };
  gint stride[GST_VIDEO_MAX_PLANES] = { 64, };

  gst_buffer_add_video_meta_full (buffer, 0, GST_VIDEO_FORMAT_GRAY8, 60, 8, 1,
      offset, stride);
  return buffer;
}

GST_START_TEST (test_video)
{
  GstBuffer *buffer = carry (make_frame ());
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

  fail_unless (meta != NULL);
  fail_unless_equals_int (meta->stride[0], 64);
  fail_unless_equals_int (meta->width, 60);
  gst_buffer_unref (buffer);

  /* More rows than there are bytes. */
  buffer = make_frame ();
  gst_buffer_get_video_meta (buffer)->height = 10;
  buffer = carry (buffer);
  fail_unless (gst_buffer_get_video_meta (buffer) == NULL);
  gst_buffer_unref (buffer);
}

GST_END_TEST;

/* What a gather has counted and listed, of a unit two Domains down. */
static void
add_gathered (GstOrchList * list)
{
  GstOrchListCounts counts = { 6, 1, 2, 1, 1, 1 };
  OrchDomain *documents = orch_domain_new ("document", NULL);
  OrchDomain *pages = orch_domain_new ("page", documents);
  OrchExpansion *roots = orch_expansion_new (documents, NULL);
  OrchEntity *document = orch_entity_new (roots, 4);
  OrchExpansion *expansion = orch_expansion_new (pages, document);
  OrchEntity *page = orch_entity_new (expansion, G_MAXUINT64);
  OrchCause *cause = orch_cause_new ("test", "bad", "so", "4/9/1", "ocr");

  gst_orch_list_set_counts (list, &counts);
  gst_orch_list_add_failure (list, document, GST_ORCH_OUTCOME_SUPPRESSED, NULL,
      NULL);
  gst_orch_list_add_failure (list, page, GST_ORCH_OUTCOME_FAILED, cause,
      "page=9");
  orch_cause_unref (cause);
  orch_entity_unref (page);
  orch_entity_unref (document);
  orch_expansion_unref (expansion);
  orch_expansion_unref (roots);
  orch_domain_unref (pages);
  orch_domain_unref (documents);
}

/* A list with one of each: references to one file, text, a failure, a list. */
static GstBuffer *
make_everything (guint depth)
{
  GstOrchList *list = gst_orch_list_new ();
  GstCaps *caps = gst_caps_from_string ("application/x-orch-ref, a=(int)1");
  GstBuffer *source = make_file ();
  gint i;

  for (i = 0; i < 3; i++)
    gst_orch_list_append (list, gst_orch_ref_buffer_new (source,
            gst_structure_new ("page", "page", G_TYPE_INT, i, NULL)), caps,
        gst_structure_new ("info", "fragment", G_TYPE_STRING, "page=1", NULL));
  gst_buffer_unref (source);
  gst_orch_list_append (list, make_bytes (LARGE, 'x'), caps, NULL);
  gst_orch_list_append (list, make_frame (), NULL, NULL);
  gst_orch_list_append_failed (list, gst_orch_cause_new ("test", "bad", "so"),
      NULL);
  gst_orch_list_append_dropped (list, NULL);
  if (depth)
    gst_orch_list_append (list, make_everything (depth - 1), caps, NULL);
  gst_caps_unref (caps);
  add_gathered (list);
  return gst_orch_list_buffer_new (list);
}

GST_START_TEST (test_list)
{
  GstBuffer *buffer = carry (make_everything (1));
  GstOrchList *list = gst_orch_buffer_get_list (buffer);
  const GstOrchListElement *first, *third, *element;

  fail_unless_equals_int (gst_orch_list_get_size (list), 8);
  first = gst_orch_list_get (list, 0);
  third = gst_orch_list_get (list, 2);
  fail_unless (first->caps == third->caps);
  fail_unless (gst_buffer_get_orch_ref_meta (first->buffer)->source ==
      gst_buffer_get_orch_ref_meta (third->buffer)->source);
  element = gst_orch_list_get (list, 5);
  fail_unless_equals_int (element->outcome, GST_ORCH_OUTCOME_FAILED);
  fail_unless_equals_string (gst_orch_cause_get_code (element->cause), "bad");
  element = gst_orch_list_get (list, 7);
  fail_unless_equals_int (gst_orch_list_get_size (gst_orch_buffer_get_list
          (element->buffer)), 7);
  gst_buffer_unref (buffer);
}

GST_END_TEST;

static void
assert_gathered (GstOrchList * list)
{
  GstOrchListCounts counts = { 6, 1, 2, 1, 1, 1 };
  const GstOrchListFailure *failure;
  g_autofree gchar *path = NULL;

  fail_unless (memcmp (gst_orch_list_get_counts (list), &counts,
          sizeof counts) == 0);
  fail_unless_equals_int (gst_orch_list_get_n_failures (list), 2);
  failure = gst_orch_list_get_failure (list, 0);
  fail_unless_equals_int (failure->outcome, GST_ORCH_OUTCOME_SUPPRESSED);
  fail_unless (failure->cause == NULL && failure->fragment == NULL);
  failure = gst_orch_list_get_failure (list, 1);
  path = gst_orch_entity_get_path (failure->entity);
  fail_unless_equals_string (path, "4/18446744073709551615");
  fail_unless_equals_string (orch_domain_get_name (orch_entity_get_domain
          (failure->entity)), "page");
  fail_unless_equals_string (failure->fragment, "page=9");
  fail_unless_equals_string (failure->cause->path, "4/9/1");
  fail_unless_equals_string (failure->cause->call, "ocr");
}

GST_START_TEST (test_gathered)
{
  GstOrchList *list = gst_orch_list_new ();
  GstBuffer *buffer;

  add_gathered (list);
  gst_orch_list_append (list, make_bytes (3, 'x'), NULL, NULL);
  buffer = carry (gst_orch_list_buffer_new (list));
  assert_gathered (gst_orch_buffer_get_list (buffer));
  fail_unless_equals_int (gst_orch_list_get_size (gst_orch_buffer_get_list
          (buffer)), 1);
  gst_buffer_unref (buffer);

  /* On a value that was made of a list. */
  list = gst_orch_list_new ();
  add_gathered (list);
  buffer = make_bytes (3, 'x');
  gst_orch_buffer_set_gathered (buffer, list);
  buffer = carry (buffer);
  assert_gathered (gst_orch_buffer_get_gathered (buffer));
  fail_unless (gst_orch_buffer_get_list (buffer) == NULL);
  gst_buffer_unref (buffer);
}

GST_END_TEST;

/* ---- what no honest worker sends ---- */

static void
mutate (GstOrchMessage * message, const guint8 * original, gsize size,
    GRand * chance)
{
  guint i, n = g_rand_int_range (chance, 1, 5);
  guint8 *data = message->memory;

  memcpy (data, original, size);
  message->size = g_rand_boolean (chance) ? size :
      (gsize) g_rand_int_range (chance, 0, size);
  for (i = 0; i < n && message->size > 0; i++)
    data[g_rand_int_range (chance, 0, message->size)] =
        g_rand_boolean (chance) ? (gint) g_rand_int (chance) :
        g_rand_int_range (chance, 0, 4) - 1;
}

GST_START_TEST (test_hostile_bytes)
{
  GRand *chance = chance_new ();
  GstOrchCapsCache caps;
  GstBuffer *buffer = make_everything (2);
  guint i, n_good = 0;

  /* GStreamer complains of some caps, and does no harm. */
  _gst_check_expecting_log = TRUE;
  gst_orch_caps_cache_init (&caps);
  for (i = 0; i < 3000; i++) {
    GstOrchMessage message = pack (buffer, &caps);
    g_autofree guint8 *original = g_malloc (message.size);
    gsize size = message.size;
    GstBuffer *result;

    memcpy (original, message.data, size);
    mutate (&message, original, size, chance);
    result = unpack (&message, &caps);
    n_good += result != NULL;
    gst_clear_buffer (&result);
    gst_orch_message_clear (&message);
  }
  /* Most changes are noticed, some change a number or a text. */
  g_assert_cmpuint (n_good, <, 3000);
  gst_orch_caps_cache_clear (&caps);
  gst_buffer_unref (buffer);
  g_rand_free (chance);
  _gst_check_expecting_log = FALSE;
}

GST_END_TEST;

/* A file that its sender could still cut or change is not mapped. */
GST_START_TEST (test_unsealed)
{
  gint fd = memfd_create ("test", MFD_ALLOW_SEALING);
  gsize size;

  fail_unless (ftruncate (fd, LARGE) == 0);
  fail_if (gst_orch_memfd_is_sealed (fd, &size));
  fail_unless (gst_orch_mapping_new (fd, FALSE) == NULL);
  fail_unless (fcntl (fd, F_ADD_SEALS, F_SEAL_SHRINK) == 0);
  fail_unless (gst_orch_mapping_new (fd, FALSE) == NULL);
  fail_unless (gst_orch_memfd_seal (fd, NULL));
  fail_unless (gst_orch_memfd_is_sealed (fd, &size));
  fail_unless_equals_uint64 (size, LARGE);
  close (fd);
}

GST_END_TEST;

/* ---- messages ---- */

typedef struct
{
  GstOrchLink a, b;
} Pair;

static void
pair_open (Pair * pair)
{
  gint fds[2];

  fail_unless (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) ==
      0);
  gst_orch_link_init (&pair->a, fds[0]);
  gst_orch_link_init (&pair->b, fds[1]);
}

/* Few bytes and many, few descriptors and more than one packet can hold. */
GST_START_TEST (test_messages)
{
  static const struct
  {
    guint size;
    guint n_fds;
  } cases[] = { {0, 0}, {10, 3}, {64 * 1024, 1}, {64 * 1024 + 1, 0},
  {3 * 1000 * 1000, 249}, {10, 250}, {100 * 1000, 600}
  };
  GByteArray *body = g_byte_array_new ();
  GArray *fds = g_array_new (FALSE, FALSE, sizeof (gint));
  GstOrchMessage message;
  gint null = open ("/dev/null", O_RDONLY);
  Pair pair;
  guint i;

  g_byte_array_set_size (body, cases[__i__].size);
  if (body->len > 0)
    memset (body->data, 'm', body->len);
  for (i = 0; i < cases[__i__].n_fds; i++)
    g_array_append_val (fds, null);
  pair_open (&pair);
  fail_unless (gst_orch_link_receive (&pair.b, FALSE, &message, NULL) ==
      GST_ORCH_LINK_NOTHING);
  fail_unless (gst_orch_link_send (&pair.a, GST_ORCH_SAY_BATCH, 7, body, fds,
          1000, NULL));
  fail_unless (gst_orch_link_receive (&pair.b, TRUE, &message, NULL) ==
      GST_ORCH_LINK_MESSAGE);
  fail_unless_equals_int (message.type, GST_ORCH_SAY_BATCH);
  fail_unless_equals_int (message.tag, 7);
  fail_unless_equals_uint64 (message.size, body->len);
  fail_unless (body->len == 0
      || memcmp (message.data, body->data, body->len) == 0);
  fail_unless_equals_int (message.fds->len, fds->len);
  gst_orch_message_clear (&message);
  gst_orch_link_clear (&pair.a);
  fail_unless (gst_orch_link_receive (&pair.b, TRUE, &message, NULL) ==
      GST_ORCH_LINK_CLOSED);
  gst_orch_link_clear (&pair.b);
  g_byte_array_unref (body);
  g_array_unref (fds);
  close (null);
}

GST_END_TEST;

GST_START_TEST (test_bad_messages)
{
  static const guint32 headers[][5] = {
    {0, GST_ORCH_SAY_BATCH, 0, 0, 0},      /* another version */
    {GST_ORCH_LINK_VERSION, GST_ORCH_SAY_BATCH, 5, 0, 0},  /* too short */
    {GST_ORCH_LINK_VERSION, GST_ORCH_SAY_BATCH, 0, 1, 0},  /* no file */
  };
  GstOrchMessage message;
  GError *error = NULL;
  Pair pair;

  pair_open (&pair);
  fail_unless (write (pair.a.fd, headers[__i__], sizeof headers[0]) ==
      sizeof headers[0]);
  fail_unless (gst_orch_link_receive (&pair.b, TRUE, &message, &error) ==
      GST_ORCH_LINK_BAD);
  fail_unless (error != NULL);
  g_error_free (error);
  gst_orch_link_clear (&pair.a);
  gst_orch_link_clear (&pair.b);
}

GST_END_TEST;

static Suite *
payload_suite (void)
{
  Suite *s = suite_create ("payload");
  TCase *tc = tcase_create ("general");

  complaints_init ();
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_structure);
  tcase_add_loop_test (tc, test_memory, 0, 4);
  tcase_add_test (tc, test_shared_goes_on);
  tcase_add_test (tc, test_file);
  tcase_add_test (tc, test_video);
  tcase_add_test (tc, test_list);
  tcase_add_test (tc, test_gathered);
  tcase_add_test (tc, test_hostile_bytes);
  tcase_add_test (tc, test_unsealed);
  tcase_add_loop_test (tc, test_messages, 0, 7);
  tcase_add_loop_test (tc, test_bad_messages, 0, 3);
  return s;
}

GST_CHECK_MAIN (payload);

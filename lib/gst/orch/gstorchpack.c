/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchpack-private.h"
#include "gstorchlist-private.h"
#include "gstorchref.h"

#include <gio/gio.h>
#include <gst/allocators/gstfdmemory.h>
#include <gst/video/gstvideometa.h>
#include <unistd.h>

/* Memory of at most so many bytes goes within the message. */
#define MAX_INLINE (16 * 1024)
#define ALIGNMENT 64
#define MAX_CACHED_CAPS 256

/* ---- caps ---- */

void
gst_orch_caps_cache_init (GstOrchCapsCache * cache)
{
  cache->texts = g_hash_table_new_full (NULL, NULL,
      (GDestroyNotify) gst_caps_unref, g_free);
  cache->caps = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
      (GDestroyNotify) gst_caps_unref);
}

void
gst_orch_caps_cache_clear (GstOrchCapsCache * cache)
{
  g_clear_pointer (&cache->texts, g_hash_table_unref);
  g_clear_pointer (&cache->caps, g_hash_table_unref);
}

void
gst_orch_packer_put_caps (GstOrchPacker * packer, GstCaps * caps)
{
  GHashTable *texts = packer->caps->texts;
  gchar *text = caps ? g_hash_table_lookup (texts, caps) : NULL;

  if (caps && !text) {
    if (g_hash_table_size (texts) >= MAX_CACHED_CAPS)
      g_hash_table_remove_all (texts);
    text = gst_caps_to_string (caps);
    if (!gst_orch_wire_is_simple (text) && !packer->error)
      g_set_error (&packer->error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
          "Caps of more than " GST_ORCH_WIRE_LIMITS " cannot be given to "
          "another process; use workers=thread");
    g_hash_table_insert (texts, gst_caps_ref (caps), text);
  }
  gst_orch_put_string (packer->body, text);
}

/* ---- the message ---- */

void
gst_orch_packer_init (GstOrchPacker * packer, GstOrchCapsCache * caps)
{
  memset (packer, 0, sizeof *packer);
  packer->body = g_byte_array_new ();
  packer->fds = g_array_new (FALSE, FALSE, sizeof (gint));
  packer->caps = caps;
  packer->arena = -1;
  packer->seen = g_hash_table_new (NULL, NULL);
}

gboolean
gst_orch_packer_seal (GstOrchPacker * packer, GError ** error)
{
  if (packer->error) {
    g_propagate_error (error, g_steal_pointer (&packer->error));
    return FALSE;
  }
  return packer->arena < 0 || gst_orch_memfd_seal (packer->arena, error);
}

gint
gst_orch_packer_steal_arena (GstOrchPacker * packer)
{
  gint arena = packer->arena;

  packer->arena = -1;
  return arena;
}

void
gst_orch_packer_clear (GstOrchPacker * packer)
{
  if (packer->arena >= 0)
    close (packer->arena);
  g_byte_array_unref (packer->body);
  g_array_unref (packer->fds);
  g_hash_table_unref (packer->seen);
  g_clear_error (&packer->error);
}

static guint32
add_fd (GstOrchPacker * packer, gint fd)
{
  g_array_append_val (packer->fds, fd);
  return packer->fds->len - 1;
}

/* Parts of one file are often side by side. */
static guint32
add_shared_fd (GstOrchPacker * packer, gint fd)
{
  guint i;

  for (i = packer->fds->len; i > 0; i--)
    if (g_array_index (packer->fds, gint, i - 1) == fd)
      return i - 1;
  return add_fd (packer, fd);
}

/* ---- memory ---- */

static void
put_place (GstOrchPacker * packer, GstOrchMemoryKind kind, guint32 fd,
    guint64 offset, guint64 size)
{
  gst_orch_put_u8 (packer->body, kind);
  gst_orch_put_u32 (packer->body, fd);
  gst_orch_put_u64 (packer->body, offset);
  gst_orch_put_u64 (packer->body, size);
}

/* The file that it is in now, -1: an error. */
static gint
write_to_arena (GstOrchPacker * packer, const GstMapInfo * map)
{
  gboolean ok;

  if (packer->reused) {
    ok = gst_orch_arena_write (packer->reused, packer->arena_size, map->data,
        map->size, &packer->error);
    return ok ? packer->reused->fd : -1;
  }
  if (packer->arena < 0)
    packer->arena = gst_orch_memfd_new (&packer->error);
  ok = packer->arena >= 0 && gst_orch_memfd_write (packer->arena,
      packer->arena_size, map->data, map->size, &packer->error);
  return ok ? packer->arena : -1;
}

static void
copy_to_arena (GstOrchPacker * packer, const GstMapInfo * map)
{
  gint fd = write_to_arena (packer, map);

  if (fd < 0)
    return;
  if (packer->arena_size == 0)
    packer->arena_index = add_fd (packer, fd);
  put_place (packer, GST_ORCH_MEMORY_SHARED, packer->arena_index,
      packer->arena_size, map->size);
  packer->arena_size += map->size;
  packer->arena_size = (packer->arena_size + ALIGNMENT - 1)
      / ALIGNMENT * ALIGNMENT;
}

static void
copy_memory (GstOrchPacker * packer, GstMemory * memory)
{
  GstMapInfo map;

  if (!gst_memory_map (memory, &map, GST_MAP_READ)) {
    g_set_error (&packer->error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
        "Memory of the kind %s cannot be read, so it cannot be given to "
        "another process", memory->allocator->mem_type);
    return;
  }
  if (map.size > MAX_INLINE) {
    copy_to_arena (packer, &map);
  } else {
    gst_orch_put_u8 (packer->body, GST_ORCH_MEMORY_INLINE);
    gst_orch_put_u32 (packer->body, map.size);
    g_byte_array_append (packer->body, map.data, map.size);
  }
  gst_memory_unmap (memory, &map);
}

static void
put_memory (GstOrchPacker * packer, GstMemory * memory)
{
  guint64 offset;
  gint fd;

  if (packer->error)
    return;
  if (gst_is_fd_memory (memory))
    put_place (packer, GST_ORCH_MEMORY_FILE,
        add_fd (packer, gst_fd_memory_get_fd (memory)), memory->offset,
        memory->size);
  else if (memory->size > MAX_INLINE
      && gst_orch_memory_is_shared (memory, &fd, &offset))
    put_place (packer, GST_ORCH_MEMORY_SHARED, add_shared_fd (packer, fd),
        offset, memory->size);
  else
    copy_memory (packer, memory);
}

/* ---- metas ---- */

static void
put_element (GstOrchPacker * packer, const GstOrchListElement * element)
{
  GByteArray *body = packer->body;

  gst_orch_put_u64 (body, element->ordinal);
  gst_orch_put_string (body, element->name);
  gst_orch_put_u8 (body, element->outcome);
  gst_orch_put_structure (body, element->info);
  if (element->outcome == GST_ORCH_OUTCOME_PRESENT) {
    gst_orch_packer_put_caps (packer, element->caps);
    gst_orch_packer_put_buffer (packer, element->buffer);
  } else {
    gst_orch_put_cause (body, element->cause);
  }
}

static void
put_list (GstOrchPacker * packer, GstOrchList * list)
{
  guint i, n = gst_orch_list_get_size (list);

  gst_orch_put_u8 (packer->body, GST_ORCH_META_LIST);
  gst_orch_put_u32 (packer->body, n);
  for (i = 0; i < n; i++)
    put_element (packer, gst_orch_list_get (list, i));
  gst_orch_put_gathered (packer->body, list);
}

static void
put_buffer (GstOrchPacker * packer, GstBuffer * buffer, gboolean is_source);

static void
put_reference (GstOrchPacker * packer, GstOrchRefMeta * meta)
{
  gst_orch_put_u8 (packer->body, GST_ORCH_META_REF);
  gst_orch_put_structure (packer->body, meta->locator);
  put_buffer (packer, meta->source, TRUE);
}

static void
put_video_meta (GByteArray * body, GstVideoMeta * meta)
{
  guint i;

  gst_orch_put_u8 (body, GST_ORCH_META_VIDEO);
  gst_orch_put_u32 (body, meta->flags);
  gst_orch_put_u32 (body, meta->format);
  gst_orch_put_u32 (body, meta->width);
  gst_orch_put_u32 (body, meta->height);
  gst_orch_put_u32 (body, meta->n_planes);
  for (i = 0; i < meta->n_planes; i++) {
    gst_orch_put_u64 (body, meta->offset[i]);
    gst_orch_put_u32 (body, meta->stride[i]);
  }
}

static void
put_gathered (GByteArray * body, GstOrchList * list)
{
  gst_orch_put_u8 (body, GST_ORCH_META_GATHERED);
  gst_orch_put_gathered (body, list);
}

static gboolean
put_meta (GstBuffer * buffer, GstMeta ** meta, gpointer data)
{
  GstOrchPacker *packer = data;
  const GstMetaInfo *info = (*meta)->info;
  GstOrchList *gathered = gst_orch_meta_get_gathered (*meta);

  if (info->api == GST_ORCH_LIST_META_API_TYPE)
    put_list (packer, ((GstOrchListMeta *) *meta)->list);
  else if (info->api == GST_ORCH_REF_META_API_TYPE)
    put_reference (packer, (GstOrchRefMeta *) * meta);
  else if (gathered)
    put_gathered (packer->body, gathered);
  else if (info->api == GST_VIDEO_META_API_TYPE)
    put_video_meta (packer->body, (GstVideoMeta *) * meta);
  else if (gst_meta_info_is_custom (info)) {
    gst_orch_put_u8 (packer->body, GST_ORCH_META_CUSTOM);
    gst_orch_put_structure (packer->body,
        gst_custom_meta_get_structure ((GstCustomMeta *) * meta));
  }
  return TRUE;
}

/* ---- buffers ---- */

static void
put_content (GstOrchPacker * packer, GstBuffer * buffer)
{
  GByteArray *body = packer->body;
  guint i, n = gst_buffer_n_memory (buffer);

  gst_orch_put_u32 (body, GST_BUFFER_FLAGS (buffer)
      & GST_ORCH_BUFFER_FLAGS);
  gst_orch_put_u64 (body, GST_BUFFER_PTS (buffer));
  gst_orch_put_u64 (body, GST_BUFFER_DTS (buffer));
  gst_orch_put_u64 (body, GST_BUFFER_DURATION (buffer));
  gst_orch_put_u64 (body, GST_BUFFER_OFFSET (buffer));
  gst_orch_put_u64 (body, GST_BUFFER_OFFSET_END (buffer));
  gst_orch_put_u32 (body, n);
  for (i = 0; i < n; i++)
    put_memory (packer, gst_buffer_peek_memory (buffer, i));
  gst_buffer_foreach_meta (buffer, put_meta, packer);
  gst_orch_put_u8 (body, GST_ORCH_META_END);
}

static void
describe (GstOrchPacker * packer, GstBuffer * buffer)
{
  if (packer->depth++ < GST_ORCH_MAX_DEPTH)
    put_content (packer, buffer);
  else if (!packer->error)
    g_set_error (&packer->error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
        "Lists in more than %u lists cannot be given to another process",
        GST_ORCH_MAX_DEPTH);
  packer->depth--;
}

static void
put_known (GstOrchPacker * packer, GstBuffer * buffer, GstOrchKnown known,
    guint64 id, gboolean again)
{
  gst_orch_put_u8 (packer->body, GST_ORCH_BUFFER_KNOWN);
  gst_orch_put_u8 (packer->body, known);
  gst_orch_put_u64 (packer->body, id);
  gst_orch_put_u8 (packer->body, !again);
  if (!again)
    describe (packer, buffer);
}

static void
put_buffer (GstOrchPacker * packer, GstBuffer * buffer, gboolean is_source)
{
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (packer->seen,
          buffer));
  GstOrchKnown known;
  gboolean again;
  guint64 id;

  if (packer->error)
    return;
  if (packer->find (packer->data, buffer, is_source, &known, &id, &again)) {
    put_known (packer, buffer, known, id, again);
  } else if (number) {
    gst_orch_put_u8 (packer->body, GST_ORCH_BUFFER_SEEN);
    gst_orch_put_u32 (packer->body, number - 1);
  } else {
    g_hash_table_insert (packer->seen, buffer,
        GUINT_TO_POINTER (g_hash_table_size (packer->seen) + 1));
    gst_orch_put_u8 (packer->body, GST_ORCH_BUFFER_NEW);
    describe (packer, buffer);
  }
}

void
gst_orch_packer_put_buffer (GstOrchPacker * packer, GstBuffer * buffer)
{
  if (buffer)
    put_buffer (packer, buffer, FALSE);
  else
    gst_orch_put_u8 (packer->body, GST_ORCH_BUFFER_NONE);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchlist-private.h"
#include "gstorchpack-private.h"
#include "gstorchref-private.h"

#include <gst/allocators/gstfdmemory.h>
#include <gst/video/gstvideometa.h>
#include <fcntl.h>

#define MAX_CACHED_CAPS 256
/* GStreamer's own limit is not told. */
#define MAX_MEMORIES 16
/* Elements that a list has room for before they are read. */
#define MAX_ROOM 4096

static void
mapping_clear (gpointer mapping)
{
  if (mapping)
    gst_orch_mapping_unref (mapping);
}

static void
buffer_clear (gpointer buffer)
{
  if (buffer)
    gst_buffer_unref (buffer);
}

void
gst_orch_unpacker_init (GstOrchUnpacker * unpacker, GstOrchMessage * message,
    GstOrchCapsCache * caps)
{
  memset (unpacker, 0, sizeof *unpacker);
  unpacker->reader.data = message->data;
  unpacker->reader.size = message->size;
  unpacker->fds = message->fds;
  unpacker->caps = caps;
  unpacker->mappings = g_ptr_array_new_with_free_func (mapping_clear);
  g_ptr_array_set_size (unpacker->mappings, message->fds->len);
  unpacker->seen = g_ptr_array_new_with_free_func (buffer_clear);
}

void
gst_orch_unpacker_clear (GstOrchUnpacker * unpacker)
{
  g_ptr_array_unref (unpacker->mappings);
  g_ptr_array_unref (unpacker->seen);
}

GstCaps *
gst_orch_unpacker_get_caps (GstOrchUnpacker * unpacker)
{
  const gchar *text = gst_orch_reader_get_string (&unpacker->reader);
  GHashTable *known = unpacker->caps->caps;
  GstCaps *caps = text ? g_hash_table_lookup (known, text) : NULL;

  if (!text)
    return NULL;
  if (!caps) {
    caps = gst_orch_reader_may_parse (&unpacker->reader, text)
        && gst_orch_wire_is_caps (text) ? gst_caps_from_string (text) : NULL;
    if (!caps) {
      unpacker->reader.bad = TRUE;
      return NULL;
    }
    if (g_hash_table_size (known) >= MAX_CACHED_CAPS)
      g_hash_table_remove_all (known);
    g_hash_table_insert (known, g_strdup (text), caps);
  }
  return gst_caps_ref (caps);
}

/* ---- memory ---- */

static GstMemory *
get_inline (GstOrchReader * reader)
{
  guint32 size = gst_orch_reader_get_count (reader);
  const guint8 *data = gst_orch_reader_take (reader, size);
  GstMemory *memory;
  GstMapInfo map;

  if (!data)
    return NULL;
  memory = gst_allocator_alloc (NULL, size, NULL);
  gst_memory_map (memory, &map, GST_MAP_WRITE);
  memcpy (map.data, data, size);
  gst_memory_unmap (memory, &map);
  return memory;
}

/* Whoever reads a file in memory that its sender has left empty fills it. */
static gboolean
can_afford (GstOrchUnpacker * unpacker, gsize size)
{
  if (unpacker->max_shared
      && size > unpacker->max_shared - unpacker->shared) {
    gst_orch_reader_refuse (&unpacker->reader, "more memory than max-memory lets it have");
    return FALSE;
  }
  unpacker->shared += size;
  return TRUE;
}

static GstOrchMapping *
map_shared (GstOrchUnpacker * unpacker, gint fd)
{
  gsize size;

  if (fd < 0 || !gst_orch_memfd_is_sealed (fd, &size)
      || !can_afford (unpacker, size))
    return NULL;
  return gst_orch_mapping_new (fd, unpacker->keeps_fds);
}

static GstMemory *
get_shared (GstOrchUnpacker * unpacker, guint32 index, guint64 offset,
    guint64 size)
{
  GstOrchMapping *mapping = g_ptr_array_index (unpacker->mappings, index);

  if (!mapping) {
    mapping = map_shared (unpacker, g_array_index (unpacker->fds, gint,
            index));
    g_ptr_array_index (unpacker->mappings, index) = mapping;
  }
  return mapping ? gst_orch_mapping_get (mapping, offset, size) : NULL;
}

/* Elements in between may map what is a file to us.  One that a confined worker has
 * made is in memory, and is not to shrink under them. */
static gboolean
keeps_its_size (gint fd)
{
  return fcntl (fd, F_ADD_SEALS, F_SEAL_SHRINK) == 0
      || (fcntl (fd, F_GET_SEALS) > 0
      && fcntl (fd, F_GET_SEALS) & F_SEAL_SHRINK);
}

static GstMemory *
get_file (GstOrchUnpacker * unpacker, guint32 index, guint64 offset,
    guint64 size)
{
  gint *fd = &g_array_index (unpacker->fds, gint, index);
  GstAllocator *allocator;
  GstMemory *memory;

  if (*fd < 0 || offset > G_MAXSSIZE || size > G_MAXSSIZE - offset
      || (unpacker->seals_files && !keeps_its_size (*fd)))
    return NULL;
  allocator = gst_fd_allocator_new ();
  memory = gst_fd_allocator_alloc (allocator, *fd, offset + size,
      GST_FD_MEMORY_FLAG_NONE);
  gst_object_unref (allocator);
  *fd = -1;
  gst_memory_resize (memory, offset, size);
  return memory;
}

static GstMemory *
get_memory (GstOrchUnpacker * unpacker)
{
  GstOrchReader *reader = &unpacker->reader;
  GstOrchMemoryKind kind = gst_orch_reader_get_u8 (reader);
  guint64 offset, size;
  guint32 index;

  if (kind == GST_ORCH_MEMORY_INLINE)
    return get_inline (reader);
  index = gst_orch_reader_get_u32 (reader);
  offset = gst_orch_reader_get_u64 (reader);
  size = gst_orch_reader_get_u64 (reader);
  if (reader->bad || index >= unpacker->fds->len)
    return NULL;
  if (kind == GST_ORCH_MEMORY_SHARED)
    return get_shared (unpacker, index, offset, size);
  if (kind == GST_ORCH_MEMORY_FILE)
    return get_file (unpacker, index, offset, size);
  return NULL;
}

/* ---- metas ---- */

static void
get_element (GstOrchUnpacker * unpacker, GstOrchList * list)
{
  GstOrchReader *reader = &unpacker->reader;
  GstOrchListElement element = { gst_orch_reader_get_u64 (reader), };

  element.name = g_intern_string (gst_orch_reader_get_string (reader));
  element.outcome = gst_orch_reader_get_u8 (reader);
  if (element.outcome < GST_ORCH_OUTCOME_PRESENT
      || element.outcome > GST_ORCH_OUTCOME_SUPPRESSED)
    reader->bad = TRUE;
  element.info = gst_orch_reader_get_structure (reader);
  if (element.outcome == GST_ORCH_OUTCOME_PRESENT) {
    element.caps = gst_orch_unpacker_get_caps (unpacker);
    element.buffer = gst_orch_unpacker_get_buffer (unpacker);
    if (!element.buffer)
      reader->bad = TRUE;
  } else {
    element.cause = gst_orch_reader_get_cause (reader);
  }
  /* Good or bad, the list frees what there is. */
  gst_orch_list_append_take (list, &element);
  if (element.caps)
    gst_caps_unref (element.caps);
}

static void
get_list (GstOrchUnpacker * unpacker, GstBuffer * buffer)
{
  guint32 i, n = gst_orch_reader_get_count (&unpacker->reader);
  GstOrchList *list = gst_orch_list_new_sized (MIN (n, MAX_ROOM));

  for (i = 0; i < n && !unpacker->reader.bad; i++)
    get_element (unpacker, list);
  gst_orch_reader_get_gathered (&unpacker->reader, list);
  gst_orch_list_meta_add (buffer, list);
}

static void
get_gathered (GstOrchReader * reader, GstBuffer * buffer)
{
  GstOrchList *list = gst_orch_list_new ();

  gst_orch_reader_get_gathered (reader, list);
  gst_orch_buffer_set_gathered (buffer, list);
}

static void
get_reference (GstOrchUnpacker * unpacker, GstBuffer * buffer)
{
  GstStructure *locator = gst_orch_reader_get_structure (&unpacker->reader);
  GstBuffer *source = gst_orch_unpacker_get_buffer (unpacker);

  if (locator && source) {
    gst_orch_ref_meta_add (buffer, source, locator);
    return;
  }
  unpacker->reader.bad = TRUE;
  gst_clear_structure (&locator);
  gst_clear_buffer (&source);
}

/* A layout that claims more than there is would make others read what is not
 * there. */
static gboolean
fits (GstBuffer * buffer, const GstVideoFormatInfo * info, GstVideoMeta * meta)
{
  gsize size = gst_buffer_get_size (buffer);
  guint i;

  for (i = 0; i < meta->n_planes; i++) {
    guint height = MAX (1, GST_VIDEO_FORMAT_INFO_SCALE_HEIGHT (info, i,
            meta->height));

    if (meta->stride[i] <= 0 || meta->offset[i] >= size
        || (guint64) meta->stride[i] * (height - 1) >= size - meta->offset[i])
      return FALSE;
  }
  return TRUE;
}

static const GstVideoFormatInfo *
find_format (guint32 format)
{
  GEnumClass *klass = g_type_class_ref (GST_TYPE_VIDEO_FORMAT);
  gboolean is_known = g_enum_get_value (klass, format) != NULL;

  g_type_class_unref (klass);
  return is_known ? gst_video_format_get_info (format) : NULL;
}

static void
get_video_meta (GstOrchReader * reader, GstBuffer * buffer)
{
  GstVideoMeta meta = { {0,}, NULL, gst_orch_reader_get_u32 (reader), };
  const GstVideoFormatInfo *info;
  guint i;

  meta.format = gst_orch_reader_get_u32 (reader);
  meta.width = gst_orch_reader_get_u32 (reader);
  meta.height = gst_orch_reader_get_u32 (reader);
  meta.n_planes = gst_orch_reader_get_u32 (reader);
  info = find_format (meta.format);
  if (!info || meta.n_planes != info->n_planes
      || meta.width > G_MAXINT16 || meta.height > G_MAXINT16)
    reader->bad = TRUE;
  for (i = 0; !reader->bad && i < meta.n_planes; i++) {
    meta.offset[i] = gst_orch_reader_get_u64 (reader);
    meta.stride[i] = (gint) gst_orch_reader_get_u32 (reader);
  }
  if (!reader->bad && fits (buffer, info, &meta))
    gst_buffer_add_video_meta_full (buffer, meta.flags, meta.format,
        meta.width, meta.height, meta.n_planes, meta.offset, meta.stride);
}

static void
get_custom_meta (GstOrchReader * reader, GstBuffer * buffer)
{
  GstStructure *structure = gst_orch_reader_get_structure (reader);
  const gchar *name = structure ? gst_structure_get_name (structure) : NULL;
  const GstMetaInfo *info = name ? gst_meta_get_info (name) : NULL;

  if (info && gst_meta_info_is_custom (info)) {
    GstCustomMeta *meta = gst_buffer_add_custom_meta (buffer, name);
    GstStructure *own = gst_custom_meta_get_structure (meta);
    gint i;

    for (i = 0; i < gst_structure_n_fields (structure); i++) {
      const gchar *field = gst_structure_nth_field_name (structure, i);

      gst_structure_set_value (own, field, gst_structure_get_value (structure,
              field));
    }
  }
  gst_clear_structure (&structure);
}

static void
get_metas (GstOrchUnpacker * unpacker, GstBuffer * buffer)
{
  GstOrchReader *reader = &unpacker->reader;

  while (!reader->bad) {
    switch ((GstOrchMetaKind) gst_orch_reader_get_u8 (reader)) {
      case GST_ORCH_META_END:
        return;
      case GST_ORCH_META_LIST:
        get_list (unpacker, buffer);
        break;
      case GST_ORCH_META_REF:
        get_reference (unpacker, buffer);
        break;
      case GST_ORCH_META_VIDEO:
        get_video_meta (reader, buffer);
        break;
      case GST_ORCH_META_CUSTOM:
        get_custom_meta (reader, buffer);
        break;
      case GST_ORCH_META_GATHERED:
        get_gathered (reader, buffer);
        break;
      default:
        reader->bad = TRUE;
        break;
    }
  }
}

/* ---- buffers ---- */

static void
get_memories (GstOrchUnpacker * unpacker, GstBuffer * buffer)
{
  guint32 i, n = gst_orch_reader_get_u32 (&unpacker->reader);

  if (n > MAX_MEMORIES)
    unpacker->reader.bad = TRUE;
  for (i = 0; i < n && !unpacker->reader.bad; i++) {
    GstMemory *memory = get_memory (unpacker);

    if (memory)
      gst_buffer_append_memory (buffer, memory);
    else
      unpacker->reader.bad = TRUE;
  }
}

static GstBuffer *
get_content (GstOrchUnpacker * unpacker)
{
  GstOrchReader *reader = &unpacker->reader;
  GstBuffer *buffer = gst_buffer_new ();

  if (unpacker->depth++ >= GST_ORCH_MAX_DEPTH)
    reader->bad = TRUE;
  GST_BUFFER_FLAG_SET (buffer,
      gst_orch_reader_get_u32 (reader) & GST_ORCH_BUFFER_FLAGS);
  GST_BUFFER_PTS (buffer) = gst_orch_reader_get_u64 (reader);
  GST_BUFFER_DTS (buffer) = gst_orch_reader_get_u64 (reader);
  GST_BUFFER_DURATION (buffer) = gst_orch_reader_get_u64 (reader);
  GST_BUFFER_OFFSET (buffer) = gst_orch_reader_get_u64 (reader);
  GST_BUFFER_OFFSET_END (buffer) = gst_orch_reader_get_u64 (reader);
  get_memories (unpacker, buffer);
  get_metas (unpacker, buffer);
  unpacker->depth--;
  if (!reader->bad)
    return buffer;
  gst_buffer_unref (buffer);
  return NULL;
}

/* In the order in which they were numbered: from the outside in. */
static GstBuffer *
get_new (GstOrchUnpacker * unpacker)
{
  guint number = unpacker->seen->len;
  GstBuffer *buffer;

  g_ptr_array_set_size (unpacker->seen, number + 1);
  buffer = get_content (unpacker);
  if (buffer)
    g_ptr_array_index (unpacker->seen, number) = gst_buffer_ref (buffer);
  return buffer;
}

static GstBuffer *
get_known (GstOrchUnpacker * unpacker)
{
  GstOrchReader *reader = &unpacker->reader;
  GstOrchKnown known = gst_orch_reader_get_u8 (reader);
  guint64 id = gst_orch_reader_get_u64 (reader);
  GstBuffer *buffer;

  if (!gst_orch_reader_get_u8 (reader))
    return reader->bad ? NULL : unpacker->get (unpacker->data, known, id);
  if (!unpacker->learn)
    return NULL;
  buffer = get_content (unpacker);
  if (buffer)
    unpacker->learn (unpacker->data, known, id, buffer);
  return buffer;
}

static GstBuffer *
get_seen (GstOrchUnpacker * unpacker)
{
  guint32 number = gst_orch_reader_get_u32 (&unpacker->reader);
  GstBuffer *buffer = number < unpacker->seen->len ?
      g_ptr_array_index (unpacker->seen, number) : NULL;

  return buffer ? gst_buffer_ref (buffer) : NULL;
}

GstBuffer *
gst_orch_unpacker_get_buffer (GstOrchUnpacker * unpacker)
{
  GstOrchReader *reader = &unpacker->reader;
  GstBuffer *buffer = NULL;

  switch ((GstOrchBufferKind) gst_orch_reader_get_u8 (reader)) {
    case GST_ORCH_BUFFER_NONE:
      return NULL;
    case GST_ORCH_BUFFER_NEW:
      buffer = get_new (unpacker);
      break;
    case GST_ORCH_BUFFER_SEEN:
      buffer = get_seen (unpacker);
      break;
    case GST_ORCH_BUFFER_KNOWN:
      buffer = get_known (unpacker);
      break;
    default:
      break;
  }
  if (!buffer)
    reader->bad = TRUE;
  return buffer;
}

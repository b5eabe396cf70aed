/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "packets.h"

#include <gst/orch/gstorchwire-private.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FDS 8
#define MAX_BYTES (64 * 1024)
#define MAX_HUGE 1024
#define MEGABYTE (1024 * 1024)

/* As in gstorchlink.c. */
typedef struct
{
  guint32 version;
  guint32 type;
  guint32 size;
  guint32 in_file;
  guint32 tag;
} Header;

typedef union
{
  struct cmsghdr header;
  gchar space[CMSG_SPACE (sizeof (gint) * MAX_FDS)];
} Control;

/* As many of n bytes as there are. */
static const guint8 *
take (GstOrchReader * reader, gsize * n)
{
  *n = MIN (*n, reader->size - reader->at);
  return gst_orch_reader_take (reader, *n);
}

static gint
make_file (const guint8 * data, gsize size, gboolean sealed)
{
  gint fd = gst_orch_memfd_new (NULL);

  g_assert_true (fd >= 0 && gst_orch_memfd_write (fd, 0, data, size, NULL));
  if (sealed)
    g_assert_true (gst_orch_memfd_seal (fd, NULL));
  return fd;
}

static gint
make_huge (guint32 megabytes)
{
  gint fd = gst_orch_memfd_new (NULL);

  g_assert_true (fd >= 0
      && ftruncate (fd, (goffset) (megabytes % MAX_HUGE) * MEGABYTE) == 0
      && gst_orch_memfd_seal (fd, NULL));
  return fd;
}

static gint
make_fd (GstOrchReader * reader)
{
  PacketsFdKind kind = gst_orch_reader_get_u8 (reader) % PACKETS_N_KINDS;
  guint32 given = gst_orch_reader_get_u32 (reader);
  gsize size = given;
  const guint8 *data;

  if (kind == PACKETS_FD_HUGE)
    return make_huge (given);
  if (kind == PACKETS_FD_NULL || reader->bad)
    return open ("/dev/null", O_RDONLY | O_CLOEXEC);
  data = take (reader, &size);
  return make_file (data, size, kind == PACKETS_FD_SEALED);
}

static gboolean
send_packet (gint socket, Header * header, const guint8 * data,
    const gint * fds, guint n_fds)
{
  Control control;
  struct iovec parts[2] = { {header, sizeof *header},
  {(gpointer) data, header->size}
  };
  struct msghdr packet = { NULL, 0, parts, 2, };

  if (n_fds > 0) {
    packet.msg_control = &control;
    packet.msg_controllen = CMSG_SPACE (sizeof (gint) * n_fds);
    memset (&control, 0, sizeof control);
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN (sizeof (gint) * n_fds);
    memcpy (CMSG_DATA (&control.header), fds, sizeof (gint) * n_fds);
  }
  return sendmsg (socket, &packet, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
}

gboolean
packets_send (gint socket, const guint8 ** data, gsize * size)
{
  GstOrchReader reader = { *data, *size, };
  Header header = { GST_ORCH_LINK_VERSION, };
  gint fds[MAX_FDS];
  guint i, n_fds;
  gsize n_bytes;
  const guint8 *bytes;
  gboolean ok;

  if (*size == 0)
    return FALSE;
  header.type = gst_orch_reader_get_u32 (&reader);
  header.in_file = gst_orch_reader_get_u32 (&reader);
  header.tag = gst_orch_reader_get_u32 (&reader);
  n_fds = gst_orch_reader_get_u8 (&reader) % (MAX_FDS + 1);
  for (i = 0; i < n_fds; i++)
    fds[i] = make_fd (&reader);
  n_bytes = MIN (gst_orch_reader_get_u32 (&reader), MAX_BYTES);
  if (reader.bad)
    reader = (GstOrchReader) { *data, *size, *size, };
  bytes = take (&reader, &n_bytes);
  header.size = n_bytes;
  ok = send_packet (socket, &header, bytes, fds, n_fds);
  for (i = 0; i < n_fds; i++)
    close (fds[i]);
  *data += reader.at;
  *size -= reader.at;
  return ok;
}

/* ---- recording ---- */

/* A file of the disk becomes one in memory. */
static void
put_fd (GByteArray * input, gint fd)
{
  struct stat about;
  gsize ignored;

  if (fstat (fd, &about) < 0 || !S_ISREG (about.st_mode)) {
    gst_orch_put_u8 (input, PACKETS_FD_NULL);
    gst_orch_put_u32 (input, 0);
    return;
  }
  gst_orch_put_u8 (input, gst_orch_memfd_is_sealed (fd, &ignored) ?
      PACKETS_FD_SEALED : PACKETS_FD_OPEN);
  gst_orch_put_u32 (input, about.st_size);
  g_byte_array_set_size (input, input->len + about.st_size);
  g_assert_cmpint (pread (fd, input->data + input->len - about.st_size,
          about.st_size, 0), ==, about.st_size);
}

static guint
get_fds (struct msghdr *packet, gint * fds)
{
  struct cmsghdr *control = CMSG_FIRSTHDR (packet);
  guint n;

  g_assert_false (packet->msg_flags & (MSG_CTRUNC | MSG_TRUNC));
  if (!control)
    return 0;
  n = (control->cmsg_len - CMSG_LEN (0)) / sizeof (gint);
  memcpy (fds, CMSG_DATA (control), n * sizeof (gint));
  return n;
}

gboolean
packets_record (gint socket, GByteArray * input, gint forward)
{
  g_autofree guint8 *bytes = g_malloc (MAX_BYTES);
  Header header;
  Control control;
  struct iovec parts[2] = { {&header, sizeof header}, {bytes, MAX_BYTES} };
  struct msghdr packet = { NULL, 0, parts, 2, &control, sizeof control, };
  gint fds[MAX_FDS];
  guint i, n_fds;

  if (recvmsg (socket, &packet, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) <= 0)
    return FALSE;
  n_fds = get_fds (&packet, fds);
  gst_orch_put_u32 (input, header.type);
  gst_orch_put_u32 (input, header.in_file);
  gst_orch_put_u32 (input, header.tag);
  gst_orch_put_u8 (input, n_fds);
  for (i = 0; i < n_fds; i++)
    put_fd (input, fds[i]);
  gst_orch_put_u32 (input, header.size);
  g_byte_array_append (input, bytes, header.size);
  if (forward >= 0)
    g_assert_true (send_packet (forward, &header, bytes, fds, n_fds));
  for (i = 0; i < n_fds; i++)
    close (fds[i]);
  return TRUE;
}

void
packets_drain (gint socket)
{
  gchar byte;

  while (recv (socket, &byte, sizeof byte, MSG_DONTWAIT) > 0);
}

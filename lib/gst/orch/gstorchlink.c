/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#include "gstorchlink-private.h"

#include <gio/gio.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* A message that is larger goes as a file in memory: sockets have room for about
 * 200 KB. */
#define MAX_INLINE (64 * 1024)
/* The kernel's limit is 253. */
#define MAX_FDS 250
/* Of one message: no worker makes us open more. */
#define MAX_ALL_FDS 16384
/* The same of its bytes: what is made of them takes several times as much. */
#define MAX_BYTES (256u * 1024 * 1024)

typedef struct
{
  guint32 version;
  guint32 type;
  guint32 size;                 /* of the bytes behind it */
  guint32 in_file;              /* the last descriptor holds the bytes instead */
  guint32 tag;
} Header;

static void
close_fds (GArray * fds)
{
  guint i;

  for (i = 0; i < fds->len; i++)
    if (g_array_index (fds, gint, i) >= 0)
      close (g_array_index (fds, gint, i));
  g_array_set_size (fds, 0);
}

void
gst_orch_link_init (GstOrchLink * link, gint fd)
{
  link->fd = fd;
  link->buffer = g_malloc (sizeof (Header) + MAX_INLINE);
  link->fds = g_array_new (FALSE, FALSE, sizeof (gint));
}

void
gst_orch_link_clear (GstOrchLink * link)
{
  if (!link->buffer)
    return;
  close (link->fd);
  close_fds (link->fds);
  g_array_unref (link->fds);
  g_free (link->buffer);
  memset (link, 0, sizeof *link);
}

/* ---- files in memory ---- */

static gboolean
set_errno (GError ** error, const gchar * what)
{
  gint code = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", what,
      g_strerror (code));
  return FALSE;
}

gint
gst_orch_memfd_new (GError ** error)
{
  gint fd = memfd_create ("gst-orch", MFD_CLOEXEC | MFD_ALLOW_SEALING);

  if (fd < 0)
    set_errno (error, "No memory could be shared with a worker");
  return fd;
}

gboolean
gst_orch_memfd_write (gint fd, guint64 at, gconstpointer data, gsize size,
    GError ** error)
{
  while (size > 0) {
    gssize n = pwrite (fd, data, size, at);

    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return set_errno (error, "Memory shared with a worker cannot be written");
    data = (const guint8 *) data + n;
    at += n;
    size -= n;
  }
  return TRUE;
}

gboolean
gst_orch_memfd_seal (gint fd, GError ** error)
{
  if (fcntl (fd, F_ADD_SEALS,
          F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) == 0)
    return TRUE;
  return set_errno (error, "Memory shared with a worker cannot be sealed");
}

gboolean
gst_orch_memfd_is_sealed (gint fd, gsize * size)
{
  gint seals = fcntl (fd, F_GET_SEALS);
  struct stat about;

  if (seals < 0 || !(seals & F_SEAL_SHRINK) || !(seals & F_SEAL_WRITE)
      || fstat (fd, &about) < 0)
    return FALSE;
  *size = about.st_size;
  return TRUE;
}

/* ---- sending ---- */

static gboolean
wait_for_room (GstOrchLink * link, gint patience)
{
  struct pollfd poll_fd = { link->fd, POLLOUT, 0 };
  gint n;

  do {
    n = poll (&poll_fd, 1, patience);
  } while (n < 0 && errno == EINTR);
  if (n == 0)
    errno = ETIMEDOUT;
  return n > 0;
}

static gboolean
send_packet (GstOrchLink * link, Header * header, const guint8 * data,
    const gint * fds, guint n_fds, gint patience, GError ** error)
{
  union
  {
    struct cmsghdr header;
    gchar space[CMSG_SPACE (sizeof (gint) * MAX_FDS)];
  } control;
  struct iovec parts[2] = { {header, sizeof *header},
  {(gpointer) data, header->size}
  };
  struct msghdr packet = { NULL, 0, parts, 2, };
  gssize n;

  if (n_fds > 0) {
    packet.msg_control = &control;
    packet.msg_controllen = CMSG_SPACE (sizeof (gint) * n_fds);
    memset (&control, 0, packet.msg_controllen);
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN (sizeof (gint) * n_fds);
    memcpy (CMSG_DATA (&control.header), fds, sizeof (gint) * n_fds);
  }
  do {
    n = sendmsg (link->fd, &packet, MSG_NOSIGNAL | MSG_DONTWAIT);
  } while (n < 0 && (errno == EINTR
          || (errno == EAGAIN && wait_for_room (link, patience))));
  return n >= 0 || set_errno (error, "A worker cannot be reached");
}

static gboolean
send_in_file (GstOrchLink * link, Header * header, const GByteArray * body,
    GArray * fds, gint patience, GError ** error)
{
  gboolean ok;
  gint fd;

  if (body->len > MAX_BYTES) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE,
        "A message of more than %u MB cannot be given to another process: lower "
        "batch-size, or use workers=thread", MAX_BYTES / 1024 / 1024);
    return FALSE;
  }
  fd = gst_orch_memfd_new (error);
  if (fd < 0)
    return FALSE;
  g_array_append_val (fds, fd);
  header->in_file = TRUE;
  ok = gst_orch_memfd_write (fd, 0, body->data, body->len, error)
      && gst_orch_memfd_seal (fd, error)
      && send_packet (link, header, NULL, (gint *) fds->data, fds->len,
      patience, error);
  close (fd);
  return ok;
}

/* One place is for the bytes. */
gboolean
gst_orch_link_is_one_packet (const GArray * fds)
{
  return fds->len <= MAX_FDS - 1;
}

gboolean
gst_orch_link_send (GstOrchLink * link, GstOrchSay type, guint32 tag,
    const GByteArray * body, const GArray * fds, gint patience, GError ** error)
{
  Header ahead = { GST_ORCH_LINK_VERSION, GST_ORCH_SAY_FDS, };
  Header header = { GST_ORCH_LINK_VERSION, type, 0, FALSE, tag };
  GArray *rest = g_array_new (FALSE, FALSE, sizeof (gint));
  guint at = 0, n = fds ? fds->len : 0;
  gboolean ok = TRUE;

  for (; ok && n - at > MAX_FDS - 1; at += MAX_FDS)
    ok = send_packet (link, &ahead, NULL, (const gint *) fds->data + at,
        MIN (MAX_FDS, n - at), patience, error);
  if (ok && at < n)
    g_array_append_vals (rest, (const gint *) fds->data + at, n - at);
  if (!ok) {
    /* It says why. */
  } else if (body && body->len > MAX_INLINE) {
    ok = send_in_file (link, &header, body, rest, patience, error);
  } else {
    header.size = body ? body->len : 0;
    ok = send_packet (link, &header, body ? body->data : NULL,
        (gint *) rest->data, rest->len, patience, error);
  }
  g_array_unref (rest);
  return ok;
}

/* ---- receiving ---- */

static void
take_fds (GstOrchLink * link, struct msghdr *packet)
{
  struct cmsghdr *control;

  for (control = CMSG_FIRSTHDR (packet); control;
      control = CMSG_NXTHDR (packet, control))
    if (control->cmsg_level == SOL_SOCKET && control->cmsg_type == SCM_RIGHTS)
      g_array_append_vals (link->fds, CMSG_DATA (control),
          (control->cmsg_len - CMSG_LEN (0)) / sizeof (gint));
}

/* The bytes of the packet, -1 with errno. */
static gssize
receive_packet (GstOrchLink * link, gboolean block, gint * flags)
{
  union
  {
    struct cmsghdr header;
    gchar space[CMSG_SPACE (sizeof (gint) * 253)];
  } control;
  struct iovec part = { link->buffer, sizeof (Header) + MAX_INLINE };
  struct msghdr packet = { NULL, 0, &part, 1, &control, sizeof control, };
  gssize n;

  do {
    n = recvmsg (link->fd, &packet,
        MSG_CMSG_CLOEXEC | (block ? 0 : MSG_DONTWAIT));
  } while (n < 0 && errno == EINTR);
  if (n >= 0)
    take_fds (link, &packet);
  *flags = packet.msg_flags;
  return n;
}

static gboolean
is_good (const Header * header, gssize n, gint flags, GError ** error)
{
  if (flags & MSG_CTRUNC)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_TOO_MANY_OPEN_FILES,
        "No file descriptors are left for what a worker sends: raise the limit "
        "(ulimit -n), or lower batch-size");
  else if (n >= (gssize) sizeof *header
      && header->version != GST_ORCH_LINK_VERSION)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
        "The worker is of another version of gst-orch");
  else if (n < (gssize) sizeof *header || (flags & MSG_TRUNC)
      || header->size != n - sizeof *header)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
        "What came is no message");
  else
    return TRUE;
  return FALSE;
}

static gboolean
map_bytes (GstOrchLink * link, GstOrchMessage * message, GError ** error)
{
  gint fd = link->fds->len ?
      g_array_index (link->fds, gint, link->fds->len - 1) : -1;
  gpointer memory = MAP_FAILED;

  if (fd >= 0 && gst_orch_memfd_is_sealed (fd, &message->size)
      && message->size > 0 && message->size <= MAX_BYTES)
    memory = mmap (NULL, message->size, PROT_READ, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
        "The bytes of a message cannot be read");
    return FALSE;
  }
  g_array_set_size (link->fds, link->fds->len - 1);
  close (fd);
  message->memory = memory;
  message->data = memory;
  message->is_mapped = TRUE;
  return TRUE;
}

static gboolean
take_bytes (GstOrchLink * link, GstOrchMessage * message, GError ** error)
{
  const Header *header = (const Header *) link->buffer;

  if (header->in_file)
    return map_bytes (link, message, error);
  message->size = header->size;
  message->memory = g_memdup2 (link->buffer + sizeof *header, header->size);
  message->data = message->memory;
  return TRUE;
}

GstOrchLinkResult
gst_orch_link_receive (GstOrchLink * link, gboolean block,
    GstOrchMessage * message, GError ** error)
{
  const Header *header = (const Header *) link->buffer;
  gint flags;
  gssize n;

  memset (message, 0, sizeof *message);
  do {
    n = receive_packet (link, block, &flags);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
      return GST_ORCH_LINK_NOTHING;
    if (n <= 0)
      return GST_ORCH_LINK_CLOSED;
    if (!is_good (header, n, flags, error))
      return GST_ORCH_LINK_BAD;
    if (link->fds->len > MAX_ALL_FDS) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
          "A message has too many descriptors");
      return GST_ORCH_LINK_BAD;
    }
  } while (header->type == GST_ORCH_SAY_FDS);
  message->type = header->type;
  message->tag = header->tag;
  if (!take_bytes (link, message, error))
    return GST_ORCH_LINK_BAD;
  message->fds = link->fds;
  link->fds = g_array_new (FALSE, FALSE, sizeof (gint));
  return GST_ORCH_LINK_MESSAGE;
}

gboolean
gst_orch_link_peek (GstOrchLink * link, GstOrchSay * type, guint32 * tag)
{
  Header header = { 0, };
  gssize n;

  do {
    n = recv (link->fd, &header, sizeof header, MSG_PEEK | MSG_DONTWAIT);
  } while (n < 0 && errno == EINTR);
  *type = header.type;
  *tag = header.tag;
  return n == sizeof header;
}

void
gst_orch_message_clear (GstOrchMessage * message)
{
  if (message->is_mapped)
    munmap (message->memory, message->size);
  else
    g_free (message->memory);
  if (message->fds) {
    close_fds (message->fds);
    g_array_unref (message->fds);
  }
  memset (message, 0, sizeof *message);
}

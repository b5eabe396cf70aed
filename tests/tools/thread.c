/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

/* Tells ThreadSanitizer what it cannot see: the locks and the reference counts
 * of GLib and GStreamer, which are not instrumented.  Preloaded ahead of them
 * by `tools/check --sanitize=thread`.
 *
 * A reference count is told as acquire and release at every step, which hides
 * races between two uses of one object that only its count keeps apart; that
 * is the price of not seeing into the libraries. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <gst/gst.h>
#include <sanitizer/tsan_interface.h>

#define REAL(name) \
  ({ \
    static __typeof__ (&name) real; \
    if (!real) \
      real = (__typeof__ (&name)) dlsym (RTLD_NEXT, #name); \
    real; \
  })

/* ---- locks: GRecMutex and GRWLock are pthread locks, which it knows ---- */

#define FLAGS __tsan_mutex_linker_init

void
g_mutex_lock (GMutex * mutex)
{
  __tsan_mutex_pre_lock (mutex, FLAGS);
  REAL (g_mutex_lock) (mutex);
  __tsan_mutex_post_lock (mutex, FLAGS, 0);
}

gboolean
g_mutex_trylock (GMutex * mutex)
{
  const unsigned flags = FLAGS | __tsan_mutex_try_lock;
  gboolean ok;

  __tsan_mutex_pre_lock (mutex, flags);
  ok = REAL (g_mutex_trylock) (mutex);
  __tsan_mutex_post_lock (mutex,
      flags | (ok ? 0 : __tsan_mutex_try_lock_failed), 0);
  return ok;
}

void
g_mutex_unlock (GMutex * mutex)
{
  __tsan_mutex_pre_unlock (mutex, FLAGS);
  REAL (g_mutex_unlock) (mutex);
  __tsan_mutex_post_unlock (mutex, FLAGS);
}

/* Within the library a wait unlocks and locks the mutex. */
static void
before_wait (GMutex * mutex)
{
  __tsan_mutex_pre_unlock (mutex, FLAGS);
  __tsan_mutex_post_unlock (mutex, FLAGS);
}

static void
after_wait (GMutex * mutex)
{
  __tsan_mutex_pre_lock (mutex, FLAGS);
  __tsan_mutex_post_lock (mutex, FLAGS, 0);
}

void
g_cond_wait (GCond * cond, GMutex * mutex)
{
  before_wait (mutex);
  REAL (g_cond_wait) (cond, mutex);
  after_wait (mutex);
}

gboolean
g_cond_wait_until (GCond * cond, GMutex * mutex, gint64 end_time)
{
  gboolean signalled;

  before_wait (mutex);
  signalled = REAL (g_cond_wait_until) (cond, mutex, end_time);
  after_wait (mutex);
  return signalled;
}

/* ---- queues, one-time initialization ---- */

void
g_async_queue_push (GAsyncQueue * queue, gpointer data)
{
  __tsan_release (queue);
  REAL (g_async_queue_push) (queue, data);
}

gpointer
g_async_queue_pop (GAsyncQueue * queue)
{
  gpointer data = REAL (g_async_queue_pop) (queue);

  __tsan_acquire (queue);
  return data;
}

gpointer
g_async_queue_try_pop (GAsyncQueue * queue)
{
  gpointer data = REAL (g_async_queue_try_pop) (queue);

  __tsan_acquire (queue);
  return data;
}

gpointer
g_async_queue_timeout_pop (GAsyncQueue * queue, guint64 timeout)
{
  gpointer data = REAL (g_async_queue_timeout_pop) (queue, timeout);

  __tsan_acquire (queue);
  return data;
}

#undef g_once_init_leave
void
g_once_init_leave (volatile void *location, gsize result)
{
  __tsan_release ((void *) location);
  REAL (g_once_init_leave) (location, result);
}

/* ---- reference counts ---- */

#define COUNTED(Result, name, Type) \
  Result name (Type object) \
  { \
    __tsan_acquire ((void *) object); \
    __tsan_release ((void *) object); \
    return REAL (name) (object); \
  }

#undef g_object_ref
COUNTED (gpointer, g_object_ref, gpointer)
COUNTED (void, g_object_unref, gpointer)
COUNTED (gpointer, gst_object_ref, gpointer)
COUNTED (void, gst_object_unref, gpointer)
COUNTED (GstMiniObject *, gst_mini_object_ref, GstMiniObject *)
COUNTED (void, gst_mini_object_unref, GstMiniObject *)

gboolean
gst_mini_object_is_writable (const GstMiniObject * object)
{
  gboolean writable = REAL (gst_mini_object_is_writable) (object);

  __tsan_acquire ((void *) object);
  return writable;
}

/* These let go of an object within the library, after they have used it.  The first
 * copies it before: somebody else may let go of it meanwhile. */
GstMiniObject *
gst_mini_object_make_writable (GstMiniObject * object)
{
  GstMiniObject *result;

  if (gst_mini_object_is_writable (object))
    return object;
  result = gst_mini_object_copy (object);
  gst_mini_object_unref (object);
  return result;
}

gboolean
gst_mini_object_replace (GstMiniObject ** place, GstMiniObject * object)
{
  GstMiniObject *old = *place;

  if (old) {
    __tsan_acquire (old);
    __tsan_release (old);
  }
  return REAL (gst_mini_object_replace) (place, object);
}

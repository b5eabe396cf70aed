/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copyright (C) 2026 the gst-orch authors */

#pragma once

#include "orch-macros.h"

G_BEGIN_DECLS

/* The domain of causes that arise in the engine itself. */
#define ORCH_CAUSE_DOMAIN "orch"

/* Codes in that domain. */
#define ORCH_CODE_LOST "lost"                 /* S5.6 */
#define ORCH_CODE_ENDED "downstream-ended"    /* S5.7 */
#define ORCH_CODE_CONTRACT "contract"         /* S4.3 */
#define ORCH_CODE_CARDINALITY "cardinality"   /* S3.2 */
#define ORCH_CODE_NOT_A_BOOLEAN "not-a-boolean"       /* S3.4 */
#define ORCH_CODE_NOT_A_LIST "not-a-list"     /* S3.1 */
#define ORCH_CODE_VALUE_DROPPED "value-dropped"       /* S3.6 */
#define ORCH_CODE_MAX_FAILED "max-failed"     /* S3.6 */
#define ORCH_CODE_FLUSHED "flushed"           /* S3.1 */
#define ORCH_CODE_STREAM "stream-error"       /* S3.1 */
#define ORCH_CODE_NOT_NEGOTIATED "not-negotiated"
#define ORCH_CODE_TIMEOUT "timeout"           /* S5.3 */
#define ORCH_CODE_UNEQUAL "unequal"   /* S3.6 */
#define ORCH_CODE_NO_BYTES "no-bytes" /* S3.6 */
#define ORCH_CODE_CRASHED "crashed"            /* S5.4: a worker process */
#define ORCH_CODE_WORKER_LOST "worker-lost"
#define ORCH_CODE_MEMORY "max-memory"
#define ORCH_CODE_UNWANTED "unwanted"         /* S5.5 */

/**
 * OrchCause:
 * @domain: (interned) whose code it is: "orch", "pdf", "gst-stream-error-quark"
 * @code: (interned) a short stable word: "lost", "encrypted"
 * @message: a sentence for a person
 * @path: path of the Entity where it arose, "4/0"
 * @call: (interned) (nullable): name of the Call where it arose
 *
 * Why something is not present (semantics S1.4).  Immutable and refcounted;
 * kept through every propagation.
 */
typedef struct _OrchCause
{
  /*< private >*/
  gint refs;
  /*< public >*/
  const gchar *domain;
  const gchar *code;
  gchar *message;
  gchar *path;
  const gchar *call;
} OrchCause;

ORCH_API OrchCause *orch_cause_new (const gchar * domain, const gchar * code,
    const gchar * message, const gchar * path, const gchar * call);
ORCH_API OrchCause *orch_cause_ref (OrchCause * cause);
/* NULL-safe, like every unref and free of the core. */
ORCH_API void orch_cause_unref (OrchCause * cause);
/* Is it that of a loss in transit (S5.6), or of what found that everything below
 * had ended (S5.7)?  Neither was filtered on purpose.  NULL is not. */
ORCH_API gboolean orch_cause_is_lost (const OrchCause * cause);
/* Do both say the same of the same?  NULL equals NULL. */
ORCH_API gboolean orch_cause_equal (const OrchCause * a, const OrchCause * b);
/* Where it arose is not always known to whoever made it: a copy of `cause`
 * with `path` and `call` filled in where they are missing, or a new
 * reference to `cause` itself when nothing is. */
ORCH_API OrchCause *orch_cause_locate (OrchCause * cause, const gchar * path,
    const gchar * call);

G_END_DECLS

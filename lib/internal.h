/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the library share, and nobody else sees. */
#ifndef SRV6_INTERNAL_H
#define SRV6_INTERNAL_H

#include <libsrv6/libsrv6.h>

#define EXPORT        __attribute__((visibility("default")))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof(*(a)))

/* ---- error.c: the error record; err may be NULL everywhere */

/* Fills err: code (negative), the attribute at fault or SRV6_ATTR_NONE, a sentence. Returns code. */
int err_set(struct srv6_error *err, int code, uint32_t attr, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void err_remedy(struct srv6_error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void err_clear(struct srv6_error *err);

/*
 * Copies a struct that starts with sz from a caller of another version: what it lacks is zero, what it has beyond ours
 * must be zero. Returns 0 or -E2BIG; -EINVAL where sz is impossible.
 */
int sized_in(void *ours, size_t ours_sz, const void *theirs);
#endif

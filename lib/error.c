/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

void err_clear(struct srv6_error *err)
{
	/* Not all of it: this is done for every message that is built, and strings end where they are empty. */
	if (err) {
		memset(err, 0, offsetof(struct srv6_error, text));
		err->text[0] = err->remedy[0] = err->kernel[0] = 0;
		err->attr = SRV6_ATTR_NONE;
	}
}

int err_set(struct srv6_error *err, int code, uint32_t attr, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return code;
	err_clear(err);
	err->code = code;
	err->attr = attr;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	return code;
}

void err_remedy(struct srv6_error *err, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return;
	va_start(ap, fmt);
	vsnprintf(err->remedy, sizeof(err->remedy), fmt, ap);
	va_end(ap);
}

int sized_in(void *ours, size_t ours_sz, const void *theirs)
{
	size_t sz;
	const uint8_t *p = theirs;

	memcpy(&sz, theirs, sizeof(sz));
	if (sz < sizeof(sz))
		return -EINVAL;
	for (size_t i = ours_sz; i < sz; i++)
		if (p[i])
			return -E2BIG;
	memset(ours, 0, ours_sz);
	memcpy(ours, theirs, sz < ours_sz ? sz : ours_sz);
	memcpy(ours, &ours_sz, sizeof(ours_sz));
	return 0;
}

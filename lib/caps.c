/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stdlib.h>

#include "transact.h"

void caps_free(struct caps *c)
{
	free(c);
}
int caps_can(struct srv6 *s, uint32_t behavior, uint32_t attr, uint32_t flavor)
{
	(void)s; (void)behavior; (void)attr; (void)flavor;
	return 0;
}
int caps_mobile(struct srv6 *s, uint32_t *ret, struct srv6_error *err)
{
	(void)s; (void)ret; (void)err;
	return 0;
}
const char *forgotten_since(uint32_t behavior, uint32_t attr)
{
	(void)behavior;
	return attr == SRV6_ATTR_OIF ? "6.17" : "6.6";
}

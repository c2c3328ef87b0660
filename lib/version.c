/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "internal.h"

EXPORT const char *srv6_version(void)
{
	return SRV6_VERSION;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include "handle.h"
void follow_free(struct follow *f)
{
	free(f);
}

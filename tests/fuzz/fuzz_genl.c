/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Answers of the generic netlink family: the tunnel source and the HMAC keys. */
#include <errno.h>

#include "codec.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint32_t kinds[] = { SRV6_TUNSRC, SRV6_HMAC };
	struct nlmsghdr *nlh;

	if (size < sizeof(*nlh) + 1)
		return 0;
	nlh = exact(data + 1, size - 1);
	nlh->nlmsg_len = (uint32_t)(size - 1);
	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
		size_t cap = data[0] & 1 ? 1024 : data[0];
		struct srv6_op op, before, *copy;
		void *mem = exact(NULL, cap);

		memset(&op, 0x5a, sizeof(op));
		before = op;
		if (sr_read(nlh, kinds[k], mem, cap, &op)) {
			MUST(!memcmp(&op, &before, sizeof(op)));
		} else {
			MUST(op.kind == kinds[k] && srv6_copy(&op, &copy) == 0);
			MUST(same_op(&op, copy, SRV6_DIFF_EQUAL));
			free(copy);
		}
		free(mem);
	}
	free(nlh);
	return 0;
}

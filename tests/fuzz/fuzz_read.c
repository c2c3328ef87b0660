/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The message decoder, on arbitrary bytes. Whatever it takes can be copied, and, where it can be built at all, is read
 * back as what it was.
 */
#include <errno.h>
#include <linux/nexthop.h>
#include <linux/rtnetlink.h>

#include "fuzz.h"

static void too_little_memory(const struct nlmsghdr *nlh, size_t cap)
{
	struct srv6_op op, before;
	void *mem = exact(NULL, cap);

	memset(&op, 0x5a, sizeof(op));
	before = op;
	if (srv6_read(nlh, mem, cap, &op))
		MUST(!memcmp(&op, &before, sizeof(op)));
	free(mem);
}

static void copies(const struct srv6_op *op)
{
	struct srv6_op *copy;

	MUST(srv6_copy(op, &copy) == 0);
	MUST(same_op(op, copy, SRV6_DIFF_EQUAL));
	MUST(same_op(copy, op, SRV6_DIFF_EQUAL));
	free(copy);
}

/* What the kernel tells and is never asked for (why a route went, how a resilient group fares) is not sent back whole. */
static bool told_only(const struct srv6_op *op)
{
	const struct srv6_bytes *run = op->kind == SRV6_ROUTE ? &op->u.route->unknown : &op->u.nexthop->unknown;
	uint16_t told = op->kind == SRV6_ROUTE ? 32 /* RTA_DEL_REASON */ : NHA_RES_GROUP;

	for (size_t at = 0; at + sizeof(struct nlattr) <= run->len;) {
		const struct nlattr *a = (const void *)((const uint8_t *)run->data + at);

		if ((a->nla_type & NLA_TYPE_MASK) == told)
			return true;
		at += (a->nla_len + 3u) & ~3u;
	}
	return false;
}

static void round_trip(const struct srv6_op *op)
{
	struct srv6_build_opts opts = { sizeof(opts), .seq = 1 };
	struct srv6_op want = *op, have;
	struct srv6_error err;
	static _Alignas(8) char buf[1 << 18];
	void *mem;

	if (want.verb == SRV6_IS)
		want.verb = SRV6_ADD;
	if (!srv6_build(buf, sizeof(buf), &want, &opts, &err)) {
		MUST(srv6_check(&want, &opts, NULL) == 0);
		MUST(read_exact((void *)buf, &mem, &have) == 0);
		if (want.verb == SRV6_ADD && !told_only(&want))
			MUST(same_op(&want, &have, 0));
		free(mem);
	} else {
		MUST(err.code && err.text[0]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nlmsghdr *nlh;
	struct srv6_op op = { 0 };
	void *mem;
	int ret;

	if (size < sizeof(*nlh))
		return 0;
	nlh = exact(data, size);
	nlh->nlmsg_len = (uint32_t)size;
	too_little_memory(nlh, size % 512);
	ret = read_exact(nlh, &mem, &op);
	MUST(ret != -ENOBUFS);
	if (!ret) {
		copies(&op);
		round_trip(&op);
	}
	free(mem);
	free(nlh);
	return 0;
}

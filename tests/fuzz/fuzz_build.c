/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bytes make an op; what srv6_check lets pass is built, and read back as what was asked. */
#include <errno.h>

#include "fuzz.h"

#define ROOM (1 << 18)

static void parses(const struct srv6_op *op, const struct nlmsghdr *nlh, bool odd)
{
	struct srv6_op have;
	void *mem;
	int ret;

	if (op->kind != SRV6_ROUTE && op->kind != SRV6_NEXTHOP)
		return;
	ret = read_exact(nlh, &mem, &have);
	if (ret && !(odd && ret == -EBADMSG))
		show(nlh);
	MUST(ret == 0 || (odd && ret == -EBADMSG));
	if (odd)
		;
	else if (op->verb != SRV6_DEL && op->verb != SRV6_GET)
		MUST(same_op(op, &have, 0));
	else
		MUST(same_op(op, &have, SRV6_DIFF_IDENTITY));
	free(mem);
}

/* Every smaller buffer is refused, and not written beyond. */
static void too_small(const struct srv6_op *op, const struct srv6_build_opts *opts, size_t len)
{
	size_t cap = len - 1 - len / 3;
	void *buf = exact(NULL, cap);

	MUST(srv6_build(buf, cap, op, opts, NULL) == -EMSGSIZE);
	free(buf);
	buf = exact(NULL, len);
	MUST(srv6_build(buf, len, op, opts, NULL) == 0);
	free(buf);
}

static void copies(const struct srv6_op *op)
{
	struct srv6_op *copy;

	if (srv6_copy(op, &copy))
		return;
	MUST(same_op(op, copy, SRV6_DIFF_EQUAL));
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct fill f;
	struct srv6_build_opts opts = { sizeof(opts), .seq = 7, .genl_id = 29 };
	struct srv6_error err;
	struct srv6_op op;
	static _Alignas(8) char room[ROOM];
	struct nlmsghdr *buf = (void *)room;
	int checked, built;

	fill_start(&f, data, size);
	opts.mobile = in_u8(&f.in) % 3;
	fill_op(&f, &op);
	checked = srv6_check(&op, &opts, &err);
	MUST(checked <= 0 && (!checked == !err.code) && (!checked || err.text[0]));
	built = srv6_build(buf, ROOM, &op, &opts, &err);
	MUST(built == checked || (!checked && built == -EMSGSIZE));
	if (!built) {
		MUST(buf->nlmsg_seq == 7 && buf->nlmsg_len <= ROOM);
		parses(&op, buf, f.odd);
		too_small(&op, &opts, buf->nlmsg_len);
		copies(&op);
	}
	fill_free(&f);
	return 0;
}

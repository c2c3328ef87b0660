/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The encapsulation alone, of every type: the first two bytes are the type, the third how much memory there is. */
#include <errno.h>
#include <sys/socket.h>
#include <linux/lwtunnel.h>

#include "fuzz.h"

#define ROOM 70000

/* Put it into a message of its own, and compare what comes out. */
static void round_trip(const struct srv6_encap *e, uint8_t family)
{
	static _Alignas(16) char buf[ROOM], mem[ROOM * 2];
	struct srv6_encap again = SRV6_INIT(struct srv6_encap);
	struct srv6_build_opts opts = { .sz = sizeof(opts) };
	struct nlmsghdr *nlh = (void *)buf;
	const struct nlattr *nest;

	if (e->encap_type == LWTUNNEL_ENCAP_SEG6_LOCAL) /* the numbering that it was read in */
		opts.mobile = SRV6_MOBILE_V2;
	memset(nlh, 0, sizeof(*nlh));
	nlh->nlmsg_len = sizeof(*nlh);
	if (!srv6_put_encap(nlh, ROOM, SRV6_ROUTE, e, family, &opts, NULL)) {
		nest = (void *)(buf + sizeof(*nlh));
		MUST(nlh->nlmsg_len <= ROOM && nest->nla_len + sizeof(*nlh) <= nlh->nlmsg_len);
		MUST(!srv6_get_encap((uint16_t)e->encap_type, nest + 1, nest->nla_len - sizeof(*nest), mem, ROOM * 2,
				     &again));
		MUST(same_encap(e, &again, SRV6_DIFF_EQUAL));
	} else {
		MUST(nlh->nlmsg_len == sizeof(*nlh));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	uint16_t type = in_u8(&in);
	size_t cap = (size_t)in_u8(&in) * 64;
	struct srv6_encap e = SRV6_INIT(struct srv6_encap), before = e;
	void *copy, *mem;

	if (type & 0x80)
		type = in_u16(&in);
	copy = exact(in.p, in.n);
	mem = exact(NULL, cap);
	if (srv6_get_encap(type, copy, in.n, mem, cap, &e)) {
		MUST(!memcmp(&e, &before, sizeof(e)));
	} else {
		MUST(same_encap(&e, &e, SRV6_DIFF_EQUAL));
		round_trip(&e, AF_INET6);
		round_trip(&e, AF_INET);
	}
	free(mem);
	free(copy);
	return 0;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading a message of rtnetlink, whichever it is. */
#include <errno.h>
#include <linux/rtnetlink.h>

#include "codec.h"

EXPORT int srv6_read(const struct nlmsghdr *nlh, void *mem, size_t cap, struct srv6_op *ret)
{
	struct srv6_op op = { .verb = SRV6_IS, .kind = SRV6_ROUTE, .nlh = nlh };
	struct arena arena = { mem, cap, 0 };
	int r;

	if (nlh->nlmsg_len < NLMSG_HDRLEN)
		return -EBADMSG;
	switch (nlh->nlmsg_type) {
	case RTM_DELROUTE:
		op.verb = SRV6_DEL;
		/* fallthrough */
	case RTM_NEWROUTE:
		r = route_read(nlh, &arena, &op);
		break;
	case RTM_DELNEXTHOP:
		op.verb = SRV6_DEL;
		/* fallthrough */
	case RTM_NEWNEXTHOP:
		op.kind = SRV6_NEXTHOP;
		r = nexthop_read(nlh, &arena, &op);
		break;
	default:
		return -ENOMSG;
	}
	if (r < 0)
		return r;
	if (op.verb == SRV6_IS && (nlh->nlmsg_flags & NLM_F_REPLACE))
		op.flags = SRV6_OP_REPLACED;
	*ret = op;
	return 0;
}

/*
 * Enough for any message of this length: each byte of it is copied once at most (segments, unknown attributes, strings and
 * the NUL behind them), beside the structs themselves.
 */
EXPORT size_t srv6_read_size(const struct nlmsghdr *nlh)
{
	size_t hops = 1;

	if (nlh->nlmsg_type == RTM_NEWROUTE || nlh->nlmsg_type == RTM_DELROUTE)
		hops = route_hops_bound(nlh);
	return sizeof(struct srv6_route) + sizeof(struct srv6_nexthop) +
	       hops * (sizeof(struct srv6_hop) + sizeof(struct srv6_encap) + 64) + 2 * (size_t)nlh->nlmsg_len + 64;
}

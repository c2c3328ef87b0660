/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An echo that says, attribute by attribute, the bytes of the request needs no reading: what they mean is the same. Nearly
 * every echo does. All others are read and compared field by field, so that no here means only: look closer.
 */
#include <linux/rtnetlink.h>

#include "apply.h"
#include "codec.h"

#define N_TYPES 32
#define BIT(n)  (1u << (n))

/* What a deletion's request says of a route. It names more than that where it has more: then the fields are compared. */
#define DEL_SAYS                                                                                                       \
	(SRV6_HAS(TYPE) | SRV6_HAS(DST) | SRV6_HAS(FROM) | SRV6_HAS(TOS) | SRV6_HAS(ROUTE_TABLE) | SRV6_HAS(METRIC) |  \
	 SRV6_HAS(PROTOCOL) | SRV6_HAS(SCOPE) | SRV6_HAS(PREFSRC) | SRV6_HAS(NHID))
/* What the route that goes may have beside that. */
#define DEL_MAY_HAVE                                                                                                   \
	(BIT(RTA_ENCAP) | BIT(RTA_ENCAP_TYPE) | BIT(RTA_PRIORITY) | BIT(RTA_METRICS) | BIT(RTA_PREFSRC) | BIT(RTA_PREF))

static bool says_all(const struct srv6_op *op)
{
	const struct srv6_route *r = op->u.route;

	if (op->kind != SRV6_ROUTE || r->sz != sizeof(*r) || r->n_hops > 1 || r->derived)
		return false;
	if (op->verb != SRV6_DEL)
		return true;
	return !(r->has & ~DEL_SAYS) && r->n_hops == 1 && !r->hops->encap &&
	       !(r->hops->has & ~(SRV6_HAS(VIA) | SRV6_HAS(DEV)));
}

/* In a deletion's header some values stand for any. */
static bool same_head(const struct rtmsg *req, const struct rtmsg *echo, bool del, bool has_table)
{
	if (req->rtm_family != echo->rtm_family || req->rtm_dst_len != echo->rtm_dst_len ||
	    req->rtm_src_len != echo->rtm_src_len || req->rtm_tos != echo->rtm_tos || req->rtm_flags & ~echo->rtm_flags)
		return false;
	if (!has_table && req->rtm_table != echo->rtm_table)
		return false;
	return (req->rtm_type == echo->rtm_type ||
		(del && req->rtm_type == RTN_UNSPEC && echo->rtm_type == RTN_UNICAST)) &&
	       (req->rtm_protocol == echo->rtm_protocol || (del && req->rtm_protocol == RTPROT_UNSPEC)) &&
	       (req->rtm_scope == echo->rtm_scope || (del && req->rtm_scope == RT_SCOPE_NOWHERE));
}

/* What the kernel says of every route, asked or not; where nothing was asked for, only what it fills in then. */
static bool is_filled_in(const struct attr *a, const struct rtmsg *req, bool del)
{
	switch (a->type) {
	case RTA_CACHEINFO:
		return true;
	case RTA_TABLE:
		return a->len == 4 && attr_u32(a) == req->rtm_table;
	case RTA_PRIORITY:
		return del || (a->len == 4 && req->rtm_family == AF_INET6 && attr_u32(a) == IP6_METRIC_DEFAULT);
	case RTA_PREF:
		return del || (a->len == 1 && !a->data[0]);
	}
	return del && a->type < N_TYPES && DEL_MAY_HAVE & BIT(a->type);
}

/* A deletion's gateway of zeros: of a route that has none, which the kernel then does not tell of. */
static bool is_no_gateway(const struct attr *a)
{
	static const uint8_t none[sizeof(struct in6_addr)];

	return a->type == RTA_GATEWAY && a->len == sizeof(none) && !memcmp(a->data, none, sizeof(none));
}

/* The request's attributes: where each is, by type, in units of 4 bytes from the header; 0: it is not there. */
static bool find_all(const struct nlmsghdr *req, bool del, uint8_t at[N_TYPES], uint32_t *open)
{
	const uint8_t *start = (const uint8_t *)req;
	struct attrs run = { start + MSG_LEN(sizeof(struct rtmsg)), req->nlmsg_len - MSG_LEN(sizeof(struct rtmsg)) };
	struct attr a;

	*open = 0;
	while (attr_next(&run, &a)) {
		size_t place = (size_t)(a.data - start) / 4;

		if (a.type >= N_TYPES || *open & BIT(a.type) || place > UINT8_MAX)
			return false;
		if (del && is_no_gateway(&a))
			continue;
		at[a.type] = (uint8_t)place;
		*open |= BIT(a.type);
	}
	return true;
}

bool echo_is_request(const struct srv6_op *op, const struct nlmsghdr *req, const struct nlmsghdr *echo)
{
	const struct rtmsg *head = (const void *)((const uint8_t *)req + MSG_HEAD);
	const uint8_t *start = (const uint8_t *)echo;
	bool del = op->verb == SRV6_DEL;
	uint8_t at[N_TYPES] = { 0 };
	struct attrs run;
	struct attr a;
	uint32_t open;

	if (!says_all(op) || echo->nlmsg_len < MSG_LEN(sizeof(*head)) || !find_all(req, del, at, &open) ||
	    !same_head(head, (const void *)(start + MSG_HEAD), del, open & BIT(RTA_TABLE)))
		return false;
	run = (struct attrs){ start + MSG_LEN(sizeof(*head)), echo->nlmsg_len - MSG_LEN(sizeof(*head)) };
	while (attr_next(&run, &a)) {
		const uint8_t *asked = (const uint8_t *)req + (a.type < N_TYPES ? at[a.type] * 4u : 0);

		if (asked == (const uint8_t *)req) {
			if (!is_filled_in(&a, head, del))
				return false;
			continue;
		}
		/* the length stands before the data; twice is once too often */
		if (!(open & BIT(a.type)) ||
		    ((const struct nlattr *)(const void *)asked)[-1].nla_len != ATTR_HDR + a.len ||
		    memcmp(asked, a.data, a.len))
			return false;
		open &= ~BIT(a.type);
	}
	return !open && !run.len;
}

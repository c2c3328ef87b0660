/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages of the kernel as requests to it: what was there is put back from the bytes that it was listed as, so that
 * nothing is lost that this library does not know. A listing cannot be sent back as it is:
 *
 *   - ages and reasons are for reading; what is left of a route's life moves from RTA_CACHEINFO to RTA_EXPIRES
 *   - with a nexthop id the kernel also lists the hop it leads to, and takes only one of the two
 *   - flags that tell of a state (dead, linkdown, offload) are refused
 *   - encapsulations are listed without NLA_F_NESTED, and some must have it when sent
 *   - of a nexthop object the header must be bare
 *   - an End.BPF program is listed by id and wanted by descriptor: that one goes through the codec
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/nexthop.h>

#include "transact.h"

#define RTA_DEL_REASON_ 32 /* newer than the headers that we build with */
#define BIT(n)          (1ull << (n))

struct out {
	uint8_t *buf;
	size_t cap, len;
	int error;
};

static void *out_attr(struct out *o, uint16_t type, const void *data, size_t len)
{
	size_t room = ATTR_HEAD + ATTR_ALIGN(len);
	struct nlattr *a = (void *)(o->buf + o->len);

	if (o->error || o->cap - o->len < room) {
		o->error = o->error ? o->error : -EMSGSIZE;
		return NULL;
	}
	memset(a, 0, room);
	a->nla_type = type;
	a->nla_len = (uint16_t)(ATTR_HEAD + len);
	memcpy((char *)a + ATTR_HEAD, data, len);
	o->len += room;
	return (char *)a + ATTR_HEAD;
}

static void *out_start(struct out *o, void *buf, size_t cap, uint16_t type, uint16_t flags, const void *head,
		       size_t size)
{
	struct nlmsghdr *nlh = buf;

	o->buf = buf;
	o->cap = cap;
	o->error = 0;
	o->len = MSG_LEN(NLMSG_ALIGN(size));
	if (cap < o->len) {
		o->error = -EMSGSIZE;
		o->len = 0;
		return NULL;
	}
	memset(buf, 0, o->len);
	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = flags | NLM_F_REQUEST;
	memcpy((char *)buf + MSG_HEAD, head, size);
	return (char *)buf + MSG_HEAD;
}

static int out_end(struct out *o)
{
	if (!o->error)
		((struct nlmsghdr *)(void *)o->buf)->nlmsg_len = (uint32_t)o->len;
	return o->error;
}

/* for each attribute after a header of size bytes */
static const struct nlattr *first_attr(const struct nlmsghdr *nlh, size_t size, size_t *left)
{
	size_t head = MSG_LEN(NLMSG_ALIGN(size));

	*left = nlh->nlmsg_len > head ? nlh->nlmsg_len - head : 0;
	return (const void *)((const char *)nlh + head);
}

static bool attr_ok(const struct nlattr *a, size_t left)
{
	return left >= sizeof(*a) && a->nla_len >= sizeof(*a) && a->nla_len <= left;
}

static const struct nlattr *next_attr(const struct nlattr *a, size_t *left)
{
	size_t step = ATTR_ALIGN(a->nla_len);

	*left = step < *left ? *left - step : 0;
	return (const void *)((const char *)a + step);
}

#define HOP_FLAGS (RTNH_F_ONLINK | RTNH_F_PERVASIVE) /* what one may ask for */

static void fix_hops(void *data, size_t len)
{
	struct rtnexthop *h = data;

	while (len >= sizeof(*h) && h->rtnh_len >= sizeof(*h) && h->rtnh_len <= len) {
		size_t step = RTNH_ALIGN(h->rtnh_len), left = h->rtnh_len - sizeof(*h);
		struct nlattr *a = (void *)(h + 1);

		h->rtnh_flags &= HOP_FLAGS;
		while (attr_ok(a, left)) {
			if (knl_type(a) == RTA_ENCAP)
				a->nla_type |= NLA_F_NESTED;
			a = (struct nlattr *)(uintptr_t)next_attr(a, &left);
		}
		if (step >= len)
			break;
		len -= step;
		h = (void *)((char *)h + step);
	}
}

static void put_expires(struct out *o, const struct nlattr *cacheinfo)
{
	struct rta_cacheinfo ci;
	uint32_t seconds;

	if (knl_len(cacheinfo) < sizeof(ci))
		return;
	memcpy(&ci, knl_data(cacheinfo), sizeof(ci));
	if (ci.rta_expires <= 0)
		return;
	seconds = ((uint32_t)ci.rta_expires + 99) / 100; /* USER_HZ is 100 everywhere */
	out_attr(o, RTA_EXPIRES, &seconds, sizeof(seconds));
}

#define ROUTE_READ_ONLY (BIT(RTA_CACHEINFO) | BIT(RTA_IIF) | BIT(RTA_DEL_REASON_) | BIT(RTA_EXPIRES))
#define ROUTE_DERIVED                                                                                                  \
	(BIT(RTA_OIF) | BIT(RTA_GATEWAY) | BIT(RTA_VIA) | BIT(RTA_MULTIPATH) | BIT(RTA_ENCAP) | BIT(RTA_ENCAP_TYPE) |  \
	 BIT(RTA_FLOW))
/* On deletion the kernel compares metrics too, and the rest is not what names a route. */
#define ROUTE_NAMES                                                                                                    \
	(BIT(RTA_DST) | BIT(RTA_SRC) | BIT(RTA_TABLE) | BIT(RTA_PRIORITY) | BIT(RTA_OIF) | BIT(RTA_GATEWAY) |          \
	 BIT(RTA_VIA) | BIT(RTA_MULTIPATH) | BIT(RTA_NH_ID) | BIT(RTA_PREFSRC) | BIT(RTA_ENCAP) | BIT(RTA_ENCAP_TYPE))

static int raw_route(const struct nlmsghdr *nlh, uint16_t type, uint16_t flags, uint64_t drop, void *buf, size_t cap)
{
	const struct rtmsg *rtm = (const void *)((const char *)nlh + MSG_HEAD);
	bool nhid = knl_find(nlh, sizeof(*rtm), RTA_NH_ID);
	const struct nlattr *a;
	struct rtmsg *head;
	struct out o;
	size_t left;

	if (nlh->nlmsg_len < MSG_LEN(sizeof(*rtm)))
		return -EBADMSG;
	head = out_start(&o, buf, cap, type, flags, rtm, sizeof(*rtm));
	if (!head)
		return o.error;
	head->rtm_flags &= HOP_FLAGS;
	if (nhid)
		drop |= ROUTE_DERIVED;
	for (a = first_attr(nlh, sizeof(*rtm), &left); attr_ok(a, left); a = next_attr(a, &left)) {
		uint16_t t = knl_type(a);
		void *data;

		if (t == RTA_CACHEINFO && type == RTM_NEWROUTE)
			put_expires(&o, a);
		if (t < 64 ? drop & BIT(t) : type == RTM_DELROUTE)
			continue;
		data = out_attr(&o, t == RTA_ENCAP ? RTA_ENCAP | NLA_F_NESTED : t, knl_data(a), knl_len(a));
		if (data && t == RTA_MULTIPATH)
			fix_hops(data, knl_len(a));
	}
	return out_end(&o);
}

#define NEXTHOP_WRITABLE                                                                                               \
	(BIT(NHA_ID) | BIT(NHA_GROUP) | BIT(NHA_GROUP_TYPE) | BIT(NHA_BLACKHOLE) | BIT(NHA_OIF) | BIT(NHA_GATEWAY) |   \
	 BIT(NHA_ENCAP_TYPE) | BIT(NHA_ENCAP) | BIT(NHA_FDB) | BIT(NHA_RES_GROUP))

/* NHA_RES_GROUP without the time it has been unbalanced, which is for reading. */
static void put_res_group(struct out *o, const struct nlattr *group)
{
	size_t at = o->len, left = knl_len(group);
	const struct nlattr *a = knl_data(group);
	struct nlattr *nest;

	if (!out_attr(o, NHA_RES_GROUP | NLA_F_NESTED, "", 0))
		return;
	for (; attr_ok(a, left); a = next_attr(a, &left))
		if (knl_type(a) >= NHA_RES_GROUP_BUCKETS && knl_type(a) <= NHA_RES_GROUP_UNBALANCED_TIMER)
			out_attr(o, knl_type(a), knl_data(a), knl_len(a));
	nest = (void *)(o->buf + at);
	nest->nla_len = (uint16_t)(o->len - at);
}

static int raw_nexthop(const struct nlmsghdr *nlh, uint16_t type, uint16_t flags, uint64_t keep, void *buf, size_t cap)
{
	const struct nhmsg *nhm = (const void *)((const char *)nlh + MSG_HEAD);
	const struct nlattr *a;
	struct nhmsg *head;
	struct out o;
	size_t left;

	if (nlh->nlmsg_len < MSG_LEN(sizeof(*nhm)))
		return -EBADMSG;
	head = out_start(&o, buf, cap, type, flags, nhm, sizeof(*nhm));
	if (!head)
		return o.error;
	head->nh_scope = 0;
	head->nh_flags &= RTNH_F_ONLINK;
	if (type == RTM_DELNEXTHOP)
		memset(head, 0, sizeof(*head));
	for (a = first_attr(nlh, sizeof(*nhm), &left); attr_ok(a, left); a = next_attr(a, &left)) {
		uint16_t t = knl_type(a);

		if (t >= 64 || !(keep & BIT(t)))
			continue;
		if (t == NHA_RES_GROUP)
			put_res_group(&o, a);
		else
			out_attr(&o, t == NHA_ENCAP ? NHA_ENCAP | NLA_F_NESTED : t, knl_data(a), knl_len(a));
	}
	return out_end(&o);
}

static bool is_route(const struct nlmsghdr *nlh)
{
	return nlh->nlmsg_type == RTM_NEWROUTE || nlh->nlmsg_type == RTM_DELROUTE;
}

int raw_add(const struct nlmsghdr *nlh, uint16_t flags, void *buf, size_t cap)
{
	if (is_route(nlh))
		return raw_route(nlh, RTM_NEWROUTE, flags, ROUTE_READ_ONLY, buf, cap);
	return raw_nexthop(nlh, RTM_NEWNEXTHOP, flags, NEXTHOP_WRITABLE, buf, cap);
}

static bool has_bpf(const struct nlmsghdr *nlh)
{
	struct reader r = { .mem = NULL };
	uint32_t n, found = 0;
	const struct srv6_hop *h;

	if (!reader_read(&r, nlh)) {
		h = op_hops(&r.op, &n);
		for (uint32_t i = 0; i < n; i++)
			found |= h[i].encap && h[i].encap->has & SRV6_HAS(BPF);
	}
	reader_free(&r);
	return found;
}

int raw_delete(const struct nlmsghdr *nlh, void *buf, size_t cap)
{
	uint64_t keep = ROUTE_NAMES;

	if (!is_route(nlh))
		return raw_nexthop(nlh, RTM_DELNEXTHOP, 0, BIT(NHA_ID), buf, cap);
	/* IPv4 compares the encapsulation, which tells two hops apart; a BPF program's id would be taken for a descriptor. */
	if (has_bpf(nlh))
		keep &= ~(BIT(RTA_ENCAP) | BIT(RTA_ENCAP_TYPE) | BIT(RTA_MULTIPATH));
	return raw_route(nlh, RTM_DELROUTE, 0, ~keep, buf, cap);
}

/* The codec's way: with a descriptor for each program. */
static int send_filled(struct srv6 *s, const struct nlmsghdr *nlh, uint16_t flags, struct ack *ack)
{
	struct srv6_build_opts bo = SRV6_INIT(struct srv6_build_opts);
	struct reader r = { .mem = NULL };
	struct srv6_op *filled = NULL;
	size_t cap = nlh->nlmsg_len + 1024u;
	void *buf = malloc(cap);
	int e = buf ? reader_read(&r, nlh) : -ENOMEM;

	r.op.verb = SRV6_APPEND;
	bo.mobile = s->mobile;
	if (!e)
		e = op_fill(&r.op, &filled, NULL);
	if (!e)
		e = srv6_build(buf, cap, filled ? filled : &r.op, &bo, NULL);
	if (!e) {
		((struct nlmsghdr *)buf)->nlmsg_flags = flags;
		e = knl_talk(s, &s->route, buf, NULL, NULL, ack);
	}
	op_unfill(filled);
	reader_free(&r);
	free(buf);
	return e;
}

static int send_raw(struct srv6 *s, const struct nlmsghdr *nlh, uint16_t flags, bool add, struct ack *ack)
{
	void *buf = malloc(RAW_SIZE(nlh));
	int r;

	memset(ack, 0, sizeof(*ack));
	if (!buf)
		return -ENOMEM;
	r = add ? raw_add(nlh, flags, buf, RAW_SIZE(nlh)) : raw_delete(nlh, buf, RAW_SIZE(nlh));
	for (int tries = 0; !r && tries < TRANSIENT_TRIES; tries++) {
		r = knl_talk(s, &s->route, buf, NULL, NULL, ack);
		if (r != -ENOMEM)
			break;
		transient_wait(tries);
		r = tries + 1 < TRANSIENT_TRIES ? 0 : r;
	}
	free(buf);
	return r;
}

int raw_send_add(struct srv6 *s, const struct nlmsghdr *nlh, uint16_t flags, struct ack *ack)
{
	memset(ack, 0, sizeof(*ack));
	return has_bpf(nlh) ? send_filled(s, nlh, flags, ack) : send_raw(s, nlh, flags, true, ack);
}

int raw_send_delete(struct srv6 *s, const struct nlmsghdr *nlh, struct ack *ack)
{
	return send_raw(s, nlh, 0, false, ack);
}

uint32_t raw_metric(const struct nlmsghdr *nlh)
{
	return is_route(nlh) ? knl_u32(knl_find(nlh, sizeof(struct rtmsg), RTA_PRIORITY), 0) : 0;
}

bool raw_is_group(const struct nlmsghdr *nlh)
{
	return nlh->nlmsg_type == RTM_NEWNEXTHOP && knl_find(nlh, sizeof(struct nhmsg), NHA_GROUP);
}

int reader_read(struct reader *r, const struct nlmsghdr *nlh)
{
	size_t need = srv6_read_size(nlh);

	if (need > r->cap) {
		void *mem = realloc(r->mem, need);

		if (!mem)
			return -ENOMEM;
		r->mem = mem;
		r->cap = need;
	}
	return srv6_read(nlh, r->mem, r->cap, &r->op);
}

void reader_free(struct reader *r)
{
	free(r->mem);
	r->mem = NULL;
	r->cap = 0;
}

uint32_t raw_nhid(const struct nlmsghdr *nlh)
{
	return is_route(nlh) ? knl_u32(knl_find(nlh, sizeof(struct rtmsg), RTA_NH_ID), 0) : 0;
}

/* Where the request has one at all: the kernel's own routes have no metric. */
static bool same_rank(const struct nlmsghdr *h, const struct nlmsghdr *x)
{
	const struct rtmsg *a = (const void *)((const char *)h + MSG_HEAD),
			   *b = (const void *)((const char *)x + MSG_HEAD);

	return (!raw_metric(h) || raw_metric(h) == raw_metric(x)) &&
	       (!a->rtm_protocol || a->rtm_protocol == b->rtm_protocol);
}

struct place {
	uint32_t oif;
	const struct nlattr *gateway, *via, *encap;
};

/* Hop i of a route; false: it has no such hop. */
static bool place_at(const struct nlmsghdr *nlh, unsigned int i, struct place *ret)
{
	const struct nlattr *mp = knl_find(nlh, sizeof(struct rtmsg), RTA_MULTIPATH);
	size_t len = mp ? knl_len(mp) : nlh->nlmsg_len - MSG_LEN(sizeof(struct rtmsg));
	const char *p = mp ? knl_data(mp) : (const char *)nlh + MSG_LEN(sizeof(struct rtmsg));
	struct rtnexthop rtnh = { .rtnh_len = 0 };

	for (unsigned int n = 0; mp; n++) {
		size_t step = ATTR_ALIGN(rtnh.rtnh_len);

		if (step > len || len - step < sizeof(rtnh))
			return false;
		p += step;
		len -= step;
		memcpy(&rtnh, p, sizeof(rtnh));
		if (rtnh.rtnh_len < sizeof(rtnh) || rtnh.rtnh_len > len)
			return false;
		if (n < i)
			continue;
		p += sizeof(rtnh);
		len = rtnh.rtnh_len - sizeof(rtnh);
		break;
	}
	ret->oif = mp ? (uint32_t)rtnh.rtnh_ifindex : knl_u32(knl_find_in(p, len, RTA_OIF), 0);
	ret->gateway = knl_find_in(p, len, RTA_GATEWAY);
	ret->via = knl_find_in(p, len, RTA_VIA);
	ret->encap = knl_find_in(p, len, RTA_ENCAP);
	return mp || !i;
}

/* Whether a is given, and b is not the same. */
static bool other_attr(const struct nlattr *a, const struct nlattr *b)
{
	return a && (!b || knl_len(a) != knl_len(b) || memcmp(knl_data(a), knl_data(b), knl_len(a)));
}

static bool other_place(const struct place *h, const struct place *x)
{
	return (h->oif && h->oif != x->oif) || other_attr(h->gateway, x->gateway) || other_attr(h->via, x->via);
}

/* Of one hop that is named the first of x is compared, of several each with x's: those that x has. */
static bool places_hit(const struct nlmsghdr *h, const struct nlmsghdr *x)
{
	bool several = knl_find(h, sizeof(struct rtmsg), RTA_MULTIPATH);
	struct place named, there;

	if (!several)
		return place_at(h, 0, &named) && place_at(x, 0, &there) && !other_place(&named, &there) &&
		       !other_attr(named.encap, there.encap);
	for (unsigned int i = 0; place_at(x, i, &there); i++)
		if (!place_at(h, i, &named) || other_place(&named, &there))
			return false;
	return true;
}

/* IPv4 compares more than IPv6, but all of it only where it is named: a plain route's deletion takes what has more. */
static bool hits_in_ipv4(const struct nlmsghdr *h, const struct nlmsghdr *x)
{
	const struct rtmsg *a = (const void *)((const char *)h + MSG_HEAD),
			   *b = (const void *)((const char *)x + MSG_HEAD);

	return a->rtm_type == b->rtm_type && a->rtm_scope == b->rtm_scope && a->rtm_tos == b->rtm_tos && !raw_nhid(h) &&
	       !raw_nhid(x) &&
	       !other_attr(knl_find(h, sizeof(*a), RTA_PREFSRC), knl_find(x, sizeof(*a), RTA_PREFSRC)) &&
	       places_hit(h, x);
}

static bool same_source(const struct nlmsghdr *h, const struct nlmsghdr *x)
{
	const struct rtmsg *a = (const void *)((const char *)h + MSG_HEAD),
			   *b = (const void *)((const char *)x + MSG_HEAD);

	return a->rtm_src_len == b->rtm_src_len &&
	       (!a->rtm_src_len || !other_attr(knl_find(h, sizeof(*a), RTA_SRC), knl_find(x, sizeof(*a), RTA_SRC)));
}

/*
 * Whether a request to delete h could take x: IPv6 goes by source prefix, metric and protocol; then, where x uses a nexthop object, by its id
 * where h has one, else by nothing; where x does not, by device and gateway. The first that fits.
 */
bool raw_hits(const struct nlmsghdr *h, const struct nlmsghdr *x)
{
	const struct rtmsg *a = (const void *)((const char *)h + MSG_HEAD);
	const struct nlattr *via, *other;

	if (!is_route(h) || !is_route(x) || !same_rank(h, x))
		return false;
	if (a->rtm_family != AF_INET6)
		return hits_in_ipv4(h, x);
	if (!same_source(h, x))
		return false;
	if (raw_nhid(x))
		return !raw_nhid(h) || raw_nhid(h) == raw_nhid(x);
	if (knl_find(h, sizeof(*a), RTA_MULTIPATH) || raw_nhid(h))
		return false;
	via = knl_find(h, sizeof(*a), RTA_GATEWAY);
	other = knl_find(x, sizeof(*a), RTA_GATEWAY);
	if (knl_find(x, sizeof(*a), RTA_MULTIPATH))
		return !via;
	if (knl_u32(knl_find(h, sizeof(*a), RTA_OIF), 0) != knl_u32(knl_find(x, sizeof(*a), RTA_OIF), 0))
		return false;
	return !via ||
	       (other && knl_len(via) == knl_len(other) && !memcmp(knl_data(via), knl_data(other), knl_len(via)));
}

#define LIFE_SLACK 60 /* seconds that an undo may take */

/* What is left of a route's life goes by while we look: less of it, by slack at most, is the same. */
static void same_life(const struct srv6_op *was, struct srv6_op *now, uint32_t slack)
{
	const struct srv6_route *w = was->u.route;
	struct srv6_route *n = (void *)(uintptr_t)now->u.route; /* the reader's own */

	if (was->kind != SRV6_ROUTE || now->kind != SRV6_ROUTE || !(w->has & n->has & SRV6_HAS(EXPIRES)))
		return;
	if (n->expires <= (uint64_t)w->expires + 1 && w->expires <= (uint64_t)n->expires + slack)
		n->expires = w->expires;
}

static int same_but_life(const struct nlmsghdr *a, const struct nlmsghdr *b, uint32_t slack)
{
	struct reader x = { .mem = NULL }, y = { .mem = NULL };
	int r = reader_read(&x, a);

	if (!r)
		r = reader_read(&y, b);
	if (!r) {
		x.op.verb = y.op.verb = SRV6_IS;
		same_life(&x.op, &y.op, slack);
		r = !srv6_diff(&x.op, &y.op, SRV6_DIFF_EQUAL, NULL);
	} else if (r == -EBADMSG) {
		/* Not to be read: the bytes must do. */
		r = a->nlmsg_len == b->nlmsg_len &&
		    !memcmp((const char *)a + MSG_HEAD, (const char *)b + MSG_HEAD, a->nlmsg_len - MSG_HEAD);
	}
	reader_free(&x);
	reader_free(&y);
	return r;
}

int raw_same(const struct nlmsghdr *a, const struct nlmsghdr *b)
{
	return same_but_life(a, b, LIFE_SLACK);
}

int raw_aged(const struct nlmsghdr *was, const struct nlmsghdr *is)
{
	return same_but_life(was, is, UINT32_MAX);
}

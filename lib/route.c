/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Routes: RTM_NEWROUTE and RTM_DELROUTE to and from struct srv6_route. */
#include <errno.h>
#include <linux/rtnetlink.h>

#include "codec.h"

#define RTA_MAX_KNOWN 32
/* Linux 7.3: why the kernel took an IPv6 route away. Only it sends that; in a request it is refused. */
#define RTA_DEL_REASON_ 32
#define BIT(n)          ((uint64_t)1 << (n))
#define HOP_TYPES                                                                                                      \
	(BIT(RTA_OIF) | BIT(RTA_GATEWAY) | BIT(RTA_VIA) | BIT(RTA_FLOW) | BIT(RTA_ENCAP) | BIT(RTA_ENCAP_TYPE))
#define ROUTE_TYPES                                                                                                    \
	(HOP_TYPES | BIT(RTA_DST) | BIT(RTA_SRC) | BIT(RTA_PRIORITY) | BIT(RTA_PREFSRC) | BIT(RTA_METRICS) |           \
	 BIT(RTA_MULTIPATH) | BIT(RTA_CACHEINFO) | BIT(RTA_TABLE) | BIT(RTA_PREF) | BIT(RTA_EXPIRES) |                 \
	 BIT(RTA_TTL_PROPAGATE) | BIT(RTA_NH_ID))

#define HOP_FLAGS 0xffu /* RTNH_F_*, in rtm_flags of a route with one hop; above are RTM_F_* */
#define USER_HZ   100   /* of rta_expires */

static bool route_has(const struct srv6_route *r, uint32_t attr)
{
	return r->has & SRV6_BIT(attr);
}

static uint32_t route_table(const struct srv6_route *r)
{
	return route_has(r, SRV6_ATTR_ROUTE_TABLE) ? r->table : RT_TABLE_MAIN;
}

static uint8_t route_type(const struct srv6_route *r)
{
	return route_has(r, SRV6_ATTR_TYPE) ? r->type : RTN_UNICAST;
}

/* Hops that are the route's own, and so are sent. */
static uint32_t own_hops(const struct srv6_route *r)
{
	return r->derived ? 0 : r->n_hops;
}

uint8_t route_scope(const struct srv6_route *r, uint32_t verb)
{
	if (route_has(r, SRV6_ATTR_SCOPE))
		return r->scope;
	if (r->dst.family != AF_INET)
		return RT_SCOPE_UNIVERSE;
	switch (route_type(r)) {
	case RTN_LOCAL:
	case RTN_NAT:
		return RT_SCOPE_HOST;
	case RTN_BROADCAST:
	case RTN_MULTICAST:
	case RTN_ANYCAST:
		return RT_SCOPE_LINK;
	case RTN_UNICAST:
		if (verb == SRV6_DEL)
			return RT_SCOPE_NOWHERE; /* matches any */
		if (route_has(r, SRV6_ATTR_NHID))
			return RT_SCOPE_UNIVERSE; /* the object may have a gateway */
		return own_hops(r) > 1 || (own_hops(r) && (r->hops[0].has & SRV6_HAS(VIA))) ? RT_SCOPE_UNIVERSE
											    : RT_SCOPE_LINK;
	}
	return RT_SCOPE_UNIVERSE;
}

/* ---- checking */

/* Types that drop: they lead nowhere, and the kernel forgets the encapsulation of one. */
static bool drops(uint8_t type)
{
	return type == RTN_BLACKHOLE || type == RTN_UNREACHABLE || type == RTN_PROHIBIT || type == RTN_THROW;
}

static int not_for_family(const struct srv6_route *r, struct srv6_error *err)
{
	static const uint64_t in6 = SRV6_HAS(FROM) | SRV6_HAS(PREF) | SRV6_HAS(EXPIRES), in4 = SRV6_HAS(TOS);
	uint64_t wrong = r->has & (r->dst.family == AF_INET ? in6 : in4);
	uint32_t attr;

	if (!wrong)
		return 0;
	attr = (uint32_t)SRV6_OWNER_ROUTE << 6 | (uint32_t)__builtin_ctzll(wrong);
	if (attr == SRV6_ATTR_TOS && !r->tos)
		return 0;
	return err_set(err, -EINVAL, attr, "%s is for IPv%c routes", attr_word(attr),
		       r->dst.family == AF_INET ? '6' : '4');
}

static int check_addresses(const struct srv6_route *r, struct srv6_error *err)
{
	int e = prefix_check(&r->dst, SRV6_ATTR_DST, err);

	if (e >= 0)
		e = not_for_family(r, err);
	if (e >= 0 && route_has(r, SRV6_ATTR_FROM))
		e = r->from.family != r->dst.family
			    ? err_set(err, -EINVAL, SRV6_ATTR_FROM,
				      "%s is of another address family than the destination", attr_word(SRV6_ATTR_FROM))
			    : prefix_check(&r->from, SRV6_ATTR_FROM, err);
	if (e >= 0 && route_has(r, SRV6_ATTR_PREFSRC) && r->prefsrc.family != r->dst.family)
		e = err_set(err, -EINVAL, SRV6_ATTR_PREFSRC, "%s is of another address family than the destination",
			    attr_word(SRV6_ATTR_PREFSRC));
	return e;
}

static int check_values(const struct srv6_route *r, struct srv6_error *err)
{
	const struct srv6_attr_info *info;
	uint32_t value;

	for (uint64_t has = r->has; has; has &= has - 1) {
		info = srv6_attr_info((uint32_t)SRV6_OWNER_ROUTE << 6 | (uint32_t)__builtin_ctzll(has));
		if (!info || (!info->min && !info->max) || !shape_number(info->shape, field_of(r, info), &value))
			continue;
		if (value < info->min || value > info->max)
			return err_set(err, -EINVAL, info->attr, "%s must be between %u and %u, not %u", info->word,
				       info->min, info->max, value);
	}
	if (route_has(r, SRV6_ATTR_ROUTE_TABLE) && !r->table)
		return err_set(err, -EINVAL, SRV6_ATTR_ROUTE_TABLE, "there is no table 0");
	if (route_has(r, SRV6_ATTR_RTT) && r->metrics[RTAX_RTT] > UINT32_MAX / 8)
		return err_set(err, -EINVAL, SRV6_ATTR_RTT, "%s is too long", attr_word(SRV6_ATTR_RTT));
	if (route_has(r, SRV6_ATTR_RTTVAR) && r->metrics[RTAX_RTTVAR] > UINT32_MAX / 4)
		return err_set(err, -EINVAL, SRV6_ATTR_RTTVAR, "%s is too long", attr_word(SRV6_ATTR_RTTVAR));
	if (route_has(r, SRV6_ATTR_CONGCTL) && (!r->congctl || !*r->congctl || strlen(r->congctl) > 15))
		return err_set(err, -EINVAL, SRV6_ATTR_CONGCTL, "%s is a name of 1 to 15 characters",
			       attr_word(SRV6_ATTR_CONGCTL));
	return 0;
}

/* What the hops are together; each of them is checked by hop_check. */
static int check_hops(const struct srv6_route *r, struct srv6_error *err)
{
	uint32_t n = own_hops(r);
	uint8_t type = route_type(r);
	int e;

	if (n && !r->hops)
		return err_set(err, -EINVAL, SRV6_ATTR_NONE, "the route has %u hops, but no array of them", n);
	if (route_has(r, SRV6_ATTR_NHID)) {
		if (!n)
			return 0;
		e = err_set(err, -EINVAL, SRV6_ATTR_NHID, "%s excludes hops: the nexthop object says where to go",
			    attr_word(SRV6_ATTR_NHID));
		err_remedy(err, "give either %s, or %s, %s and the encapsulation", attr_word(SRV6_ATTR_NHID),
			   attr_word(SRV6_ATTR_VIA), attr_word(SRV6_ATTR_DEV));
		return e;
	}
	if (n || type != RTN_UNICAST)
		return 0;
	e = err_set(err, -EINVAL, SRV6_ATTR_DEV, "the route leads nowhere: it has neither %s nor %s",
		    attr_word(SRV6_ATTR_DEV), attr_word(SRV6_ATTR_VIA));
	err_remedy(err, "add %s DEV, %s ADDR or %s ID", attr_word(SRV6_ATTR_DEV), attr_word(SRV6_ATTR_VIA),
		   attr_word(SRV6_ATTR_NHID));
	return e;
}

static int check_hop(const struct srv6_route *r, uint32_t i, uint32_t mobile, struct srv6_error *err)
{
	const struct srv6_hop *hop = &r->hops[i];
	int e;

	if (drops(route_type(r)) && (hop->encap || r->dst.family == AF_INET))
		return err_set(err, -EINVAL, hop->encap ? SRV6_ATTR_TYPE : SRV6_ATTR_DEV,
			       hop->encap ? "a route that drops packets can't encapsulate them"
					  : "a route that drops packets has no hops");
	if (!(hop->has & (SRV6_HAS(VIA) | SRV6_HAS(DEV)))) {
		e = err_set(err, -EINVAL, SRV6_ATTR_DEV, "the hop has neither %s nor %s", attr_word(SRV6_ATTR_DEV),
			    attr_word(SRV6_ATTR_VIA));
		err_remedy(err, "add %s DEV", attr_word(SRV6_ATTR_DEV));
		return e;
	}
	if (r->dst.family == AF_INET6 && r->n_hops > 1 && !(hop->has & SRV6_HAS(VIA))) {
		e = err_set(err, -EINVAL, SRV6_ATTR_VIA, "each hop of an IPv6 route with several needs %s",
			    attr_word(SRV6_ATTR_VIA));
		err_remedy(err, "add %s ADDR, or append the hops one after the other", attr_word(SRV6_ATTR_VIA));
		return e;
	}
	if (r->dst.family == AF_INET6 && (hop->has & SRV6_HAS(REALMS)))
		return err_set(err, -EINVAL, SRV6_ATTR_REALMS, "%s is for IPv4 routes", attr_word(SRV6_ATTR_REALMS));
	return hop_check(hop, r->dst.family, r->dst.len, mobile, err);
}

/*
 * One hop goes into the route itself, unless it has a weight, or attributes that nobody knows: there they would be the
 * route's own. For a delete that does not matter.
 */
static const struct srv6_hop *single(const struct srv6_route *r, uint32_t verb)
{
	if (own_hops(r) != 1)
		return NULL;
	if (verb != SRV6_DEL && (r->hops[0].has & SRV6_HAS(WEIGHT)) && r->hops[0].weight != 1)
		return NULL;
	if (verb != SRV6_DEL && (r->hops[0].has & SRV6_HAS(HOP_UNKNOWN)))
		return NULL;
	return &r->hops[0];
}

/* A hop that names nothing would match any, or none. */
static int check_deleted(const struct srv6_route *r, struct srv6_error *err)
{
	if (route_has(r, SRV6_ATTR_NHID) && own_hops(r))
		return err_set(err, -EINVAL, SRV6_ATTR_NHID,
			       "a route with nhid cannot have a device, a gateway or an encapsulation of its own");
	for (uint32_t i = 0; r->hops && i < own_hops(r); i++)
		if (!r->hops[i].has && !r->hops[i].encap)
			return err_set(err, -EINVAL, SRV6_ATTR_DEV,
				       "a hop names nothing: give it %s, %s or an encapsulation, "
				       "or leave it out to delete whatever is there",
				       attr_word(SRV6_ATTR_VIA), attr_word(SRV6_ATTR_DEV));
	return 0;
}

int route_check(const struct srv6_route *r, const struct build *b)
{
	int e = check_addresses(r, b->err);

	if (e >= 0)
		e = check_values(r, b->err);
	if (e >= 0 && b->op->verb == SRV6_DEL)
		e = check_deleted(r, b->err);
	/* A delete names its one hop by gateway and device: a bad one must not make it wider than was meant. */
	if (e >= 0 && b->op->verb == SRV6_DEL && single(r, SRV6_DEL))
		return hop_check_where(single(r, SRV6_DEL), r->dst.family, b->err);
	if (e < 0 || b->op->verb == SRV6_DEL)
		return e;
	e = check_hops(r, b->err);
	for (uint32_t i = 0; e >= 0 && i < own_hops(r); i++) {
		e = check_hop(r, i, b->opts->mobile, b->err);
		if (e < 0 && b->err)
			b->err->hop = i;
	}
	return e;
}

/* ---- building */

static void put_via(struct msg *m, const struct srv6_prefix *via, uint8_t family)
{
	size_t size = addr_size(via->family);
	uint16_t is = via->family;
	uint8_t *p;

	if (via->family == family) {
		msg_put(m, RTA_GATEWAY, &via->addr, size);
		return;
	}
	p = msg_attr(m, RTA_VIA, sizeof(is) + size);
	if (!p)
		return;
	memcpy(p, &is, sizeof(is));
	memcpy(p + sizeof(is), &via->addr, size);
}

static void put_encap(struct msg *m, const struct srv6_hop *hop, const struct build *b)
{
	const struct srv6_encap *e;
	struct srv6_encap room;

	if (hop->encap && encap_in(hop->encap, &room, &e) >= 0)
		encap_put(m, RTA_ENCAP, RTA_ENCAP_TYPE, e, b->opts->mobile);
}

static void put_hop_rest(struct msg *m, const struct srv6_hop *hop, uint8_t family)
{
	if (hop->has & SRV6_HAS(VIA))
		put_via(m, &hop->via, family);
	if (hop->has & SRV6_HAS(REALMS))
		msg_u32(m, RTA_FLOW, hop->realms);
	if (hop->has & SRV6_HAS(HOP_UNKNOWN))
		msg_raw(m, &hop->unknown);
}

static void put_multipath(struct msg *m, const struct srv6_route *r, const struct build *b)
{
	size_t nest = msg_nest(m, RTA_MULTIPATH), at;
	struct rtnexthop *rtnh;

	for (uint32_t i = 0; i < r->n_hops; i++) {
		const struct srv6_hop *hop = &r->hops[i];

		at = m->len;
		rtnh = msg_room(m, sizeof(*rtnh));
		put_encap(m, hop, b);
		put_hop_rest(m, hop, r->dst.family);
		if (m->error)
			return;
		if (m->len - at > UINT16_MAX) {
			m->error = -EOVERFLOW;
			return;
		}
		rtnh->rtnh_len = (uint16_t)(m->len - at);
		rtnh->rtnh_flags = hop->has & SRV6_HAS(ONLINK) ? RTNH_F_ONLINK : 0;
		rtnh->rtnh_hops = (uint8_t)(hop->has & SRV6_HAS(WEIGHT) ? hop->weight - 1 : 0);
		rtnh->rtnh_ifindex = (int)(hop->has & SRV6_HAS(DEV) ? hop->ifindex : 0);
	}
	msg_nest_end(m, nest);
	/* The flag means nothing here, and is not what anybody else sends. */
	if (!m->error)
		((struct nlattr *)(void *)(m->buf + nest))->nla_type = RTA_MULTIPATH;
}

static uint32_t metric_out(uint32_t n, uint32_t ms)
{
	return n == RTAX_RTT ? ms * 8 : n == RTAX_RTTVAR ? ms * 4 : ms;
}

static uint32_t metric_in(uint32_t n, uint32_t wire)
{
	return n == RTAX_RTT ? wire / 8 : n == RTAX_RTTVAR ? wire / 4 : wire;
}

#define METRIC_BIT(n) SRV6_BIT(SRV6_ATTR_METRIC_BASE + (n))
#define METRICS_ALL   (((METRIC_BIT(SRV6_N_METRICS - 1) << 1) - METRIC_BIT(RTAX_MTU)) & ~METRIC_BIT(RTAX_CC_ALGO))

static void put_metrics(struct msg *m, const struct srv6_route *r)
{
	size_t nest;

	if (!(r->has & (METRICS_ALL | SRV6_HAS(LOCK) | SRV6_HAS(CONGCTL))))
		return;
	nest = msg_nest(m, RTA_METRICS);
	if (r->has & SRV6_HAS(LOCK))
		msg_u32(m, RTAX_LOCK, r->lock);
	for (uint32_t n = RTAX_MTU; n < SRV6_N_METRICS; n++)
		if (r->has & METRICS_ALL & METRIC_BIT(n))
			msg_u32(m, (uint16_t)n, metric_out(n, r->metrics[n]));
	if (r->has & SRV6_HAS(CONGCTL))
		msg_put(m, RTAX_CC_ALGO, r->congctl, strlen(r->congctl) + 1);
	msg_nest_end(m, nest);
	if (!m->error)
		((struct nlattr *)(void *)(m->buf + nest))->nla_type = RTA_METRICS;
}

static void put_header(struct msg *m, const struct srv6_route *r, uint32_t verb, const struct srv6_hop *hop)
{
	struct rtmsg *rtm = msg_room(m, sizeof(*rtm));
	uint32_t table = route_table(r);
	bool del = verb == SRV6_DEL;

	if (!rtm)
		return;
	rtm->rtm_family = r->dst.family;
	rtm->rtm_dst_len = r->dst.len;
	rtm->rtm_src_len = route_has(r, SRV6_ATTR_FROM) ? r->from.len : 0;
	rtm->rtm_tos = route_has(r, SRV6_ATTR_TOS) ? r->tos : 0;
	rtm->rtm_table = table < 256 ? (uint8_t)table : RT_TABLE_UNSPEC;
	rtm->rtm_scope = route_scope(r, verb);
	rtm->rtm_protocol = route_has(r, SRV6_ATTR_PROTOCOL) ? r->protocol : del ? RTPROT_UNSPEC : RTPROT_BOOT;
	rtm->rtm_type = route_has(r, SRV6_ATTR_TYPE) ? r->type : del ? RTN_UNSPEC : RTN_UNICAST;
	if (hop && (hop->has & SRV6_HAS(ONLINK)))
		rtm->rtm_flags = RTNH_F_ONLINK;
}

static void put_addresses(struct msg *m, const struct srv6_route *r)
{
	size_t size = addr_size(r->dst.family);

	if (r->dst.len)
		msg_put(m, RTA_DST, &r->dst.addr, size);
	if (route_has(r, SRV6_ATTR_FROM) && r->from.len)
		msg_put(m, RTA_SRC, &r->from.addr, size);
	if (route_has(r, SRV6_ATTR_PREFSRC))
		msg_put(m, RTA_PREFSRC, &r->prefsrc.addr, size);
}

static void put_identity(struct msg *m, const struct srv6_route *r)
{
	uint32_t table = route_table(r);

	if (table >= 256)
		msg_u32(m, RTA_TABLE, table);
	if (route_has(r, SRV6_ATTR_METRIC))
		msg_u32(m, RTA_PRIORITY, r->metric);
	if (route_has(r, SRV6_ATTR_NHID))
		msg_u32(m, RTA_NH_ID, r->nhid);
}

static void put_rest(struct msg *m, const struct srv6_route *r)
{
	if (route_has(r, SRV6_ATTR_PREF))
		msg_u8(m, RTA_PREF, r->pref);
	if (route_has(r, SRV6_ATTR_EXPIRES))
		msg_u32(m, RTA_EXPIRES, r->expires);
	if (route_has(r, SRV6_ATTR_TTL_PROPAGATE))
		msg_u8(m, RTA_TTL_PROPAGATE, r->ttl_propagate);
}

static void put_unknown(struct msg *m, const struct srv6_bytes *run)
{
	struct attrs a = { run->data, run->len };
	struct attr one;
	uint8_t *p;

	while (attr_next(&a, &one)) {
		if (one.type == RTA_DEL_REASON_)
			continue;
		p = msg_room(m, attr_space(&one));
		if (p)
			attr_copy(p, &one);
	}
}

int route_build(const struct srv6_route *r, const struct build *b, void *buf, size_t cap)
{
	bool del = b->op->verb == SRV6_DEL;
	const struct srv6_hop *hop = single(r, b->op->verb);
	struct msg m;

	msg_start(&m, buf, cap, del ? RTM_DELROUTE : RTM_NEWROUTE, verb_flags(b->op), b->opts);
	put_header(&m, r, b->op->verb, del ? NULL : hop);
	put_addresses(&m, r);
	if (hop && !del)
		put_encap(&m, hop, b);
	put_identity(&m, r);
	if (!del)
		put_rest(&m, r);
	if (hop && del && (hop->has & SRV6_HAS(VIA)))
		put_via(&m, &hop->via, r->dst.family);
	if (hop && !del)
		put_hop_rest(&m, hop, r->dst.family);
	if (hop && (hop->has & SRV6_HAS(DEV)))
		msg_u32(&m, RTA_OIF, hop->ifindex);
	if (!del) {
		put_metrics(&m, r);
		if (!hop && own_hops(r))
			put_multipath(&m, r, b);
		if (route_has(r, SRV6_ATTR_ROUTE_UNKNOWN))
			put_unknown(&m, &r->unknown);
	}
	return msg_end(&m, b->err);
}

/* ---- reading: tb holds the attributes by type */

#define LEAST(addr)                                                                                                    \
	{                                                                                                              \
		[RTA_DST] = addr, [RTA_SRC] = addr, [RTA_PREFSRC] = addr, [RTA_GATEWAY] = addr, [RTA_OIF] = 4,         \
		[RTA_PRIORITY] = 4, [RTA_TABLE] = 4, [RTA_FLOW] = 4, [RTA_NH_ID] = 4, [RTA_EXPIRES] = 4,               \
		[RTA_PREF] = 1, [RTA_TTL_PROPAGATE] = 1, [RTA_ENCAP_TYPE] = 2, [RTA_VIA] = 2, [RTA_MAX_KNOWN - 1] = 0  \
	}

/* Bytes that an attribute has at least. */
static const uint8_t *least_of(uint8_t family)
{
	static const uint8_t in4[RTA_MAX_KNOWN] = LEAST(4), in6[RTA_MAX_KNOWN] = LEAST(16);

	return family == AF_INET ? in4 : in6;
}

static void get_addr(struct srv6_prefix *to, const struct attr *a, uint8_t family, uint8_t len)
{
	to->family = family;
	to->len = len;
	memcpy(&to->addr, a->data, addr_size(family));
}

static int get_via(const struct attr *tb, uint8_t family, struct srv6_hop *hop)
{
	uint16_t is;

	if (tb[RTA_GATEWAY].data) {
		get_addr(&hop->via, &tb[RTA_GATEWAY], family, (uint8_t)(8 * addr_size(family)));
		hop->has |= SRV6_HAS(VIA);
	} else if (tb[RTA_VIA].data) {
		struct attr a = tb[RTA_VIA];

		memcpy(&is, a.data, sizeof(is));
		a.data += sizeof(is);
		if ((is != AF_INET && is != AF_INET6) || a.len < sizeof(is) + addr_size((uint8_t)is))
			return -EBADMSG;
		get_addr(&hop->via, &a, (uint8_t)is, (uint8_t)(8 * addr_size((uint8_t)is)));
		hop->has |= SRV6_HAS(VIA);
	}
	return 0;
}

/* What both a route with one hop and an entry of RTA_MULTIPATH have. */
static int get_hop(const struct attr *tb, uint8_t family, uint32_t flags, struct arena *mem, struct srv6_hop *hop)
{
	uint16_t type;
	int r = get_via(tb, family, hop);

	if (r < 0)
		return r;
	hop->flags = flags & ~(uint32_t)RTNH_F_ONLINK;
	if (flags & RTNH_F_ONLINK)
		hop->has |= SRV6_HAS(ONLINK);
	if (tb[RTA_OIF].data) {
		hop->ifindex = attr_u32(&tb[RTA_OIF]);
		hop->has |= SRV6_HAS(DEV);
	}
	if (tb[RTA_FLOW].data) {
		hop->realms = attr_u32(&tb[RTA_FLOW]);
		hop->has |= SRV6_HAS(REALMS);
	}
	if (!tb[RTA_ENCAP_TYPE].data || !tb[RTA_ENCAP].data)
		return 0;
	memcpy(&type, tb[RTA_ENCAP_TYPE].data, sizeof(type));
	return encap_get_any(type, &tb[RTA_ENCAP], mem, &hop->encap);
}

static uint32_t count_hops(const struct attr *a)
{
	struct rtnexthop rtnh;
	size_t at = 0, step;
	uint32_t n = 0;

	while (a->len - at >= sizeof(rtnh)) {
		memcpy(&rtnh, a->data + at, sizeof(rtnh));
		step = attr_align(rtnh.rtnh_len);
		if (rtnh.rtnh_len < sizeof(rtnh) || rtnh.rtnh_len > a->len - at)
			break;
		n++;
		at = step < a->len - at ? at + step : a->len;
	}
	return n;
}

static int get_rtnh(const uint8_t *p, const struct rtnexthop *rtnh, uint8_t family, struct arena *mem,
		    struct srv6_hop *hop)
{
	struct attrs run = { p + sizeof(*rtnh), rtnh->rtnh_len - sizeof(*rtnh) };
	struct attr tb[RTA_MAX_KNOWN];
	size_t unknown;
	int r = attrs_sort(run, tb, RTA_MAX_KNOWN, HOP_TYPES, least_of(family), &unknown);

	if (r < 0)
		return r;
	hop->has = SRV6_HAS(WEIGHT);
	hop->weight = (uint16_t)(rtnh->rtnh_hops + 1);
	if (rtnh->rtnh_ifindex) {
		hop->ifindex = (uint32_t)rtnh->rtnh_ifindex;
		hop->has |= SRV6_HAS(DEV);
	}
	r = get_hop(tb, family, rtnh->rtnh_flags, mem, hop);
	if (r < 0 || !unknown)
		return r;
	hop->has |= SRV6_HAS(HOP_UNKNOWN);
	return attrs_keep(run, RTA_MAX_KNOWN, HOP_TYPES, unknown, mem, &hop->unknown);
}

static struct srv6_hop *new_hops(struct srv6_route *r, uint32_t n, struct arena *mem)
{
	struct srv6_hop *hops = arena_get(mem, n * sizeof(*hops), _Alignof(struct srv6_hop));

	if (hops)
		memset(hops, 0, n * sizeof(*hops));
	r->hops = hops;
	r->n_hops = n;
	return hops;
}

static int get_multipath(const struct attr *a, struct arena *mem, struct srv6_route *r)
{
	uint32_t n = count_hops(a);
	struct srv6_hop *hops;
	struct rtnexthop rtnh;
	size_t at = 0;
	int e;

	if (!n)
		return a->len ? -EBADMSG : 0;
	hops = new_hops(r, n, mem);
	if (!hops)
		return -ENOBUFS;
	for (uint32_t i = 0; i < n; i++) {
		memcpy(&rtnh, a->data + at, sizeof(rtnh));
		e = get_rtnh(a->data + at, &rtnh, r->dst.family, mem, &hops[i]);
		if (e < 0)
			return e;
		at += attr_align(rtnh.rtnh_len);
	}
	return at < a->len ? -EBADMSG : 0;
}

static int get_one_hop(const struct attr *tb, const struct rtmsg *rtm, struct arena *mem, struct srv6_route *r)
{
	struct srv6_hop *hop;

	if (!tb[RTA_OIF].data && !tb[RTA_GATEWAY].data && !tb[RTA_VIA].data && !tb[RTA_ENCAP].data)
		return 0;
	hop = new_hops(r, 1, mem);
	return hop ? get_hop(tb, r->dst.family, rtm->rtm_flags & HOP_FLAGS, mem, hop) : -ENOBUFS;
}

static int get_metrics(const struct attr *a, struct arena *mem, struct srv6_route *r)
{
	struct attrs nest = { a->data, a->len };
	struct attr one;

	while (attr_next(&nest, &one)) {
		if (one.type == RTAX_CC_ALGO) {
			r->congctl = attr_string(&one, mem);
			if (!r->congctl)
				return -ENOBUFS;
			r->has |= SRV6_HAS(CONGCTL);
			continue;
		}
		if (one.type >= SRV6_N_METRICS || one.type == RTAX_UNSPEC)
			continue;
		if (one.len < sizeof(uint32_t))
			return -EBADMSG;
		if (one.type == RTAX_LOCK) {
			r->lock = attr_u32(&one);
			r->has |= SRV6_HAS(LOCK);
			continue;
		}
		r->metrics[one.type] = metric_in(one.type, attr_u32(&one));
		r->has |= METRIC_BIT(one.type);
	}
	return nest.len ? -EBADMSG : 0;
}

/* IPv6 tells what is left of a lifetime in here. */
static void get_cacheinfo(const struct attr *a, struct srv6_route *r)
{
	struct rta_cacheinfo ci;

	if (a->len < sizeof(ci))
		return;
	memcpy(&ci, a->data, sizeof(ci));
	if (!ci.rta_expires)
		return;
	r->expires = ci.rta_expires > 0 ? (uint32_t)ci.rta_expires / USER_HZ : 0;
	r->has |= SRV6_HAS(EXPIRES);
}

static void get_header(const struct rtmsg *rtm, struct srv6_route *r)
{
	r->dst.family = rtm->rtm_family;
	r->dst.len = rtm->rtm_dst_len;
	r->type = rtm->rtm_type;
	r->protocol = rtm->rtm_protocol;
	r->scope = rtm->rtm_scope;
	r->table = rtm->rtm_table;
	r->flags = rtm->rtm_flags & ~HOP_FLAGS;
	r->has = SRV6_HAS(TYPE) | SRV6_HAS(DST) | SRV6_HAS(PROTOCOL) | SRV6_HAS(SCOPE) | SRV6_HAS(ROUTE_TABLE);
	if (rtm->rtm_tos) {
		r->tos = rtm->rtm_tos;
		r->has |= SRV6_HAS(TOS);
	}
}

static void get_addresses(const struct attr *tb, const struct rtmsg *rtm, struct srv6_route *r)
{
	uint8_t family = rtm->rtm_family, full = (uint8_t)(8 * addr_size(family));

	if (tb[RTA_DST].data)
		get_addr(&r->dst, &tb[RTA_DST], family, rtm->rtm_dst_len);
	if (tb[RTA_SRC].data) {
		get_addr(&r->from, &tb[RTA_SRC], family, rtm->rtm_src_len);
		r->has |= SRV6_HAS(FROM);
	}
	if (tb[RTA_PREFSRC].data) {
		get_addr(&r->prefsrc, &tb[RTA_PREFSRC], family, full);
		r->has |= SRV6_HAS(PREFSRC);
	}
}

static void get_u32(const struct attr *a, uint32_t *to, struct srv6_route *r, uint64_t bit)
{
	if (!a->data)
		return;
	*to = attr_u32(a);
	r->has |= bit;
}

static void get_u8(const struct attr *a, uint8_t *to, struct srv6_route *r, uint64_t bit)
{
	if (!a->data)
		return;
	*to = a->data[0];
	r->has |= bit;
}

static int get_route(const struct rtmsg *rtm, const struct attr *tb, struct arena *mem, struct srv6_route *r)
{
	int e = 0;

	get_header(rtm, r);
	get_addresses(tb, rtm, r);
	get_u32(&tb[RTA_TABLE], &r->table, r, SRV6_HAS(ROUTE_TABLE));
	get_u32(&tb[RTA_PRIORITY], &r->metric, r, SRV6_HAS(METRIC));
	get_u32(&tb[RTA_NH_ID], &r->nhid, r, SRV6_HAS(NHID));
	get_u32(&tb[RTA_EXPIRES], &r->expires, r, SRV6_HAS(EXPIRES));
	get_u8(&tb[RTA_PREF], &r->pref, r, SRV6_HAS(PREF));
	get_u8(&tb[RTA_TTL_PROPAGATE], &r->ttl_propagate, r, SRV6_HAS(TTL_PROPAGATE));
	if (tb[RTA_CACHEINFO].data)
		get_cacheinfo(&tb[RTA_CACHEINFO], r);
	if (tb[RTA_METRICS].data)
		e = get_metrics(&tb[RTA_METRICS], mem, r);
	if (e >= 0)
		e = tb[RTA_MULTIPATH].data ? get_multipath(&tb[RTA_MULTIPATH], mem, r) : get_one_hop(tb, rtm, mem, r);
	r->derived = tb[RTA_NH_ID].data && r->n_hops;
	return e;
}

int route_read(const struct nlmsghdr *nlh, struct arena *mem, struct srv6_op *ret)
{
	const struct rtmsg *rtm = (const void *)((const uint8_t *)nlh + NLMSG_HDRLEN);
	struct attr tb[RTA_MAX_KNOWN];
	struct srv6_route *r;
	struct attrs run;
	size_t unknown;
	int e;

	if (nlh->nlmsg_len < NLMSG_HDRLEN + sizeof(*rtm))
		return -EBADMSG;
	run = (struct attrs){ (const uint8_t *)(rtm + 1), nlh->nlmsg_len - NLMSG_HDRLEN - sizeof(*rtm) };
	if (rtm->rtm_family != AF_INET && rtm->rtm_family != AF_INET6)
		return -ENOMSG; /* multicast routing, MPLS */
	if (rtm->rtm_dst_len > 8 * addr_size(rtm->rtm_family))
		return -EBADMSG;
	e = attrs_sort(run, tb, RTA_MAX_KNOWN, ROUTE_TYPES, least_of(rtm->rtm_family), &unknown);
	if (e < 0)
		return e;
	r = arena_get(mem, sizeof(*r), _Alignof(struct srv6_route));
	if (!r)
		return -ENOBUFS;
	memset(r, 0, sizeof(*r));
	r->sz = sizeof(*r);
	e = get_route(rtm, tb, mem, r);
	if (e >= 0 && unknown) {
		r->has |= SRV6_HAS(ROUTE_UNKNOWN);
		e = attrs_keep(run, RTA_MAX_KNOWN, ROUTE_TYPES, unknown, mem, &r->unknown);
	}
	ret->u.route = r;
	return e;
}

size_t route_hops_bound(const struct nlmsghdr *nlh)
{
	size_t len = nlh->nlmsg_len < NLMSG_HDRLEN + sizeof(struct rtmsg)
			     ? 0
			     : nlh->nlmsg_len - NLMSG_HDRLEN - sizeof(struct rtmsg);
	struct attrs run = { (const uint8_t *)nlh + NLMSG_HDRLEN + sizeof(struct rtmsg), len };
	struct attr one;

	while (attr_next(&run, &one))
		if (one.type == RTA_MULTIPATH && count_hops(&one) > 1)
			return count_hops(&one);
	return 1;
}

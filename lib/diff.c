/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Whether what is there is what was asked for. Both sides walk the attribute rows. What the kernel fills in by itself (a
 * metric, the lengths of next-csid, the device of a gateway, a weight of 1) is filled in on both sides first; then "wanted"
 * must be contained in "there", and with SRV6_DIFF_EQUAL also the other way round.
 */
#include <errno.h>
#include <linux/rtnetlink.h>

#include "codec.h"
#include "transact.h"

#define LBLEN_DEFAULT 32
#define NFLEN_DEFAULT 16
#define HOPS_MAX      8192 /* more do not fit into a message */

static int differs(uint32_t *attr, uint32_t which)
{
	if (attr)
		*attr = which;
	return 1;
}

static bool bytes_equal(const struct srv6_bytes *a, const struct srv6_bytes *b)
{
	return a->len == b->len && (!a->len || !memcmp(a->data, b->data, a->len));
}

static bool prefix_equal(const struct srv6_prefix *a, const struct srv6_prefix *b)
{
	if (a->family != b->family || a->len != b->len)
		return false;
	return !a->family || !memcmp(&a->addr, &b->addr, addr_size(a->family));
}

static bool string_equal(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* ---- an encapsulation */

static bool segs_equal(const struct srv6_encap *a, const struct srv6_encap *b)
{
	return a->n_segs == b->n_segs && (!a->n_segs || !memcmp(a->segs, b->segs, a->n_segs * sizeof(*a->segs)));
}

/* The program by its name, and by its id where that is asked for: with a descriptor nobody knows the id. */
static bool bpf_equal(const struct srv6_bpf *want, const struct srv6_bpf *have)
{
	return string_equal(want->name, have->name) && (want->fd > 0 || !want->id || want->id == have->id);
}

static bool encap_field_equal(const struct srv6_attr_info *info, const struct srv6_encap *want,
			      const struct srv6_encap *have)
{
	const void *w = field_of(want, info), *h = field_of(have, info);

	switch (info->shape) {
	case SRV6_SHAPE_FLAG:
	case SRV6_SHAPE_COUNTERS: /* that it counts is configured, how far it came is not */
		return true;
	case SRV6_SHAPE_SEGS:
		return segs_equal(want, have);
	case SRV6_SHAPE_BYTES:
		return bytes_equal(w, h);
	case SRV6_SHAPE_BPF:
		return bpf_equal(&want->bpf, &have->bpf);
	}
	return !memcmp(w, h, info->shape == SRV6_SHAPE_IN6 ? sizeof(struct in6_addr) : shape_size(info->shape));
}

static void encap_fill(struct srv6_encap *e)
{
	bool csid = (e->has & SRV6_HAS(FLAVORS)) && (e->flavors & SRV6_FLAVOR_NEXT_CSID);

	if (csid && !(e->has & SRV6_HAS(LBLEN)))
		e->lblen = LBLEN_DEFAULT;
	if (csid && !(e->has & SRV6_HAS(NFLEN)))
		e->nflen = NFLEN_DEFAULT;
	if (csid)
		e->has |= SRV6_HAS(LBLEN) | SRV6_HAS(NFLEN);
	if (!e->tag) /* in an SRH 0 is the same as nothing */
		e->has &= ~SRV6_HAS(TAG);
	if (!e->srh_flags)
		e->has &= ~SRV6_HAS(SRH_FLAGS);
	if (e->has & SRV6_HAS(RAW_SRH)) /* it counts instead of the fields, which are there for people */
		e->has &= ~(SRH_ATTRS & ~SRV6_HAS(RAW_SRH));
}

static bool fields_make(const struct srv6_encap *fields, const struct srv6_bytes *raw)
{
	uint8_t srh[SRH_MAX] = { 0 };

	if (srh_room(fields) != raw->len || raw->len > sizeof(srh))
		return false;
	srh_put(fields, srh);
	return !memcmp(srh, raw->data, raw->len);
}

/* Of an SRH as bytes and one as fields: where the fields make the bytes, these stand for both. */
static void same_srh(const struct srv6_encap *raw, struct srv6_encap *fields)
{
	if (!(raw->has & SRV6_HAS(RAW_SRH)) || fields->has & SRV6_HAS(RAW_SRH) || !(fields->has & SRV6_HAS(SEGS)))
		return;
	if (!fields_make(fields, &raw->raw_srh))
		return;
	fields->raw_srh = raw->raw_srh;
	fields->has |= SRV6_HAS(RAW_SRH);
}

static int encap_diff(struct srv6_encap *want, struct srv6_encap *have, uint32_t flags, uint32_t *attr)
{
	const struct srv6_attr_info *info;
	uint64_t extra, look;

	if (want->behavior != have->behavior)
		return differs(attr, SRV6_ATTR_NONE);
	if (want->behavior == SRV6_OTHER && want->encap_type != have->encap_type)
		return differs(attr, SRV6_ATTR_RAW);
	same_srh(want, have);
	same_srh(have, want);
	encap_fill(want);
	encap_fill(have);
	for (look = want->has; look; look &= look - 1) {
		info = srv6_attr_info((uint32_t)__builtin_ctzll(look));
		if (info && (!(have->has & SRV6_BIT(info->attr)) || !encap_field_equal(info, want, have)))
			return differs(attr, info->attr);
	}
	extra = flags & SRV6_DIFF_EQUAL ? have->has & ~want->has : 0;
	return extra ? differs(attr, (uint32_t)__builtin_ctzll(extra)) : 0;
}

EXPORT int srv6_diff_encap(const struct srv6_encap *want, const struct srv6_encap *have, uint32_t flags, uint32_t *attr)
{
	struct srv6_encap w, h;

	if (sized_in(&w, sizeof(w), want) < 0 || sized_in(&h, sizeof(h), have) < 0)
		return differs(attr, SRV6_ATTR_NONE);
	return encap_diff(&w, &h, flags, attr);
}

/* ---- hops */

static uint16_t weight_of(const struct srv6_hop *hop)
{
	return hop->has & SRV6_HAS(WEIGHT) ? hop->weight : 1;
}

static int hop_encap_diff(const struct srv6_hop *want, const struct srv6_hop *have, uint32_t flags, uint32_t *attr)
{
	if (!want->encap && !have->encap)
		return 0;
	if (!want->encap || !have->encap)
		return differs(attr, SRV6_ATTR_NONE);
	return srv6_diff_encap(want->encap, have->encap, flags, attr);
}

/* weighed: the kernel tells weights, which it does for several hops only */
static int hop_diff(const struct srv6_hop *want, const struct srv6_hop *have, bool weighed, uint32_t flags,
		    uint32_t *attr)
{
	uint64_t must = want->has & ~SRV6_HAS(WEIGHT), extra = have->has & ~want->has & ~SRV6_HAS(WEIGHT);

	if (want->has & SRV6_HAS(VIA))
		extra &= ~SRV6_HAS(DEV); /* found by the gateway */
	if ((must & SRV6_HAS(VIA)) && (!(have->has & SRV6_HAS(VIA)) || !prefix_equal(&want->via, &have->via)))
		return differs(attr, SRV6_ATTR_VIA);
	if ((must & SRV6_HAS(DEV)) && (!(have->has & SRV6_HAS(DEV)) || want->ifindex != have->ifindex))
		return differs(attr, SRV6_ATTR_DEV);
	if ((must & SRV6_HAS(REALMS)) && (!(have->has & SRV6_HAS(REALMS)) || want->realms != have->realms))
		return differs(attr, SRV6_ATTR_REALMS);
	if ((must & SRV6_HAS(ONLINK)) && !(have->has & SRV6_HAS(ONLINK)))
		return differs(attr, SRV6_ATTR_ONLINK);
	if ((must & SRV6_HAS(HOP_UNKNOWN)) && !bytes_equal(&want->unknown, &have->unknown))
		return differs(attr, SRV6_ATTR_HOP_UNKNOWN);
	if (weighed && weight_of(want) != weight_of(have))
		return differs(attr, SRV6_ATTR_WEIGHT);
	/* A gateway that nobody asked for makes it another hop. */
	if ((flags & SRV6_DIFF_EQUAL) && extra)
		return differs(attr, (uint32_t)SRV6_OWNER_HOP << 6 | (uint32_t)__builtin_ctzll(extra));
	if (extra & SRV6_HAS(VIA))
		return differs(attr, SRV6_ATTR_VIA);
	return hop_encap_diff(want, have, flags, attr);
}

/* Which of have's hops is want's, of those not taken yet; n where none is. */
static uint32_t find_hop(const struct srv6_hop *want, const struct srv6_route *have, const uint64_t *taken,
			 bool weighed, uint32_t flags)
{
	uint32_t i;

	for (i = 0; i < have->n_hops; i++)
		if (!(taken[i / 64] >> (i % 64) & 1) && !hop_diff(want, &have->hops[i], weighed, flags, NULL))
			break;
	return i;
}

/* Says what is wrong with the hop that has no counterpart, by the one in its place. */
static int hop_missing(const struct srv6_hop *want, const struct srv6_route *have, uint32_t i, bool weighed,
		       uint32_t flags, uint32_t *attr)
{
	if (i >= have->n_hops || !hop_diff(want, &have->hops[i], weighed, flags, attr))
		return differs(attr, SRV6_ATTR_NONE);
	return 1;
}

/* In any order: the kernel has its own. */
static int hops_diff(const struct srv6_route *want, const struct srv6_route *have, bool append, uint32_t flags,
		     uint32_t *attr)
{
	uint64_t taken[HOPS_MAX / 64] = { 0 };
	bool weighed = have->n_hops > 1;
	uint32_t at;

	if (want->n_hops > HOPS_MAX || have->n_hops > HOPS_MAX || want->n_hops > have->n_hops ||
	    (!append && want->n_hops != have->n_hops))
		return differs(attr, SRV6_ATTR_NONE);
	for (uint32_t i = 0; i < want->n_hops; i++) {
		at = find_hop(&want->hops[i], have, taken, weighed, flags);
		if (at == have->n_hops)
			return hop_missing(&want->hops[i], have, i, weighed, flags, attr);
		taken[at / 64] |= (uint64_t)1 << (at % 64);
	}
	return 0;
}

/* ---- routes */

/* Attributes that count even where want does not give them: they have a value all the same. */
#define ROUTE_ALWAYS                                                                                                   \
	(SRV6_HAS(TYPE) | SRV6_HAS(DST) | SRV6_HAS(ROUTE_TABLE) | SRV6_HAS(METRIC) | SRV6_HAS(PROTOCOL) |              \
	 SRV6_HAS(TOS) | SRV6_HAS(FROM))
#define ROUTE_IDENTITY (SRV6_HAS(DST) | SRV6_HAS(ROUTE_TABLE) | SRV6_HAS(METRIC) | SRV6_HAS(TOS) | SRV6_HAS(FROM))
/* and those that the kernel fills in with what equals nothing */
#define ROUTE_FILLED (ROUTE_ALWAYS | SRV6_HAS(SCOPE) | SRV6_HAS(PREF))

static void route_fill(struct srv6_route *r, uint32_t verb)
{
	r->scope = route_scope(r, verb == SRV6_DEL ? SRV6_ADD : verb);
	if (!(r->has & SRV6_HAS(TYPE)))
		r->type = RTN_UNICAST;
	if (!(r->has & SRV6_HAS(ROUTE_TABLE)))
		r->table = RT_TABLE_MAIN;
	if (!(r->has & SRV6_HAS(PROTOCOL)))
		r->protocol = RTPROT_BOOT;
	if (!(r->has & SRV6_HAS(METRIC)))
		r->metric = 0;
	if (!r->metric && r->dst.family == AF_INET6)
		r->metric = IP6_METRIC_DEFAULT;
	if (!(r->has & SRV6_HAS(TOS)))
		r->tos = 0;
	if (!(r->has & SRV6_HAS(PREF)))
		r->pref = 0;
	if (!(r->has & SRV6_HAS(FROM)) || !r->from.len)
		memset(&r->from, 0, sizeof(r->from));
	if (!r->dst.len)
		memset(&r->dst.addr, 0, sizeof(r->dst.addr));
	r->has |= ROUTE_FILLED;
}

/*
 * It goes by while we look. What is to be equal was written or saved a moment ago at most: a tenth of it may be gone, a second in
 * any case and a minute at most. Else a route that is about to go would count as one that has just come.
 */
static bool life_equal(uint32_t want, uint32_t have, uint32_t flags)
{
	uint32_t slack = want / 10;

	slack = slack < 1 ? 1 : slack > 60 ? 60 : slack;
	return have <= want && (!(flags & SRV6_DIFF_EQUAL) || want - have <= slack);
}

static bool route_field_equal(const struct srv6_attr_info *info, const struct srv6_route *want,
			      const struct srv6_route *have, uint32_t flags)
{
	const void *w = field_of(want, info), *h = field_of(have, info);

	switch (info->shape) {
	case SRV6_SHAPE_PREFIX:
	case SRV6_SHAPE_ADDR:
		return prefix_equal(w, h);
	case SRV6_SHAPE_BYTES:
		return bytes_equal(w, h);
	case SRV6_SHAPE_STRING:
		return string_equal(want->congctl, have->congctl);
	}
	if (info->attr == SRV6_ATTR_EXPIRES)
		return life_equal(want->expires, have->expires, flags);
	return !memcmp(w, h, shape_size(info->shape));
}

static int fields_diff(const struct srv6_route *want, const struct srv6_route *have, uint64_t look, uint32_t flags,
		       uint32_t *attr)
{
	const struct srv6_attr_info *info;

	for (; look; look &= look - 1) {
		info = srv6_attr_info((uint32_t)SRV6_OWNER_ROUTE << 6 | (uint32_t)__builtin_ctzll(look));
		if (info && (!(have->has & SRV6_BIT(info->attr)) || !route_field_equal(info, want, have, flags)))
			return differs(attr, info->attr);
	}
	return 0;
}

/* IPv6 shows what drops packets as a hop on lo. */
static bool leads_nowhere(const struct srv6_route *r)
{
	return r->type == RTN_BLACKHOLE || r->type == RTN_UNREACHABLE || r->type == RTN_PROHIBIT ||
	       r->type == RTN_THROW;
}

static int route_diff(const struct srv6_op *want, const struct srv6_op *have, uint32_t flags, uint32_t *attr)
{
	struct srv6_route w, h;
	uint64_t given, extra;

	if (sized_in(&w, sizeof(w), want->u.route) < 0 || sized_in(&h, sizeof(h), have->u.route) < 0)
		return differs(attr, SRV6_ATTR_NONE);
	given = w.has;
	route_fill(&w, want->verb);
	route_fill(&h, SRV6_IS);
	if (flags & SRV6_DIFF_IDENTITY)
		return fields_diff(&w, &h, ROUTE_IDENTITY, flags, attr);
	if (fields_diff(&w, &h, flags & SRV6_DIFF_EQUAL ? w.has : given | ROUTE_ALWAYS, flags, attr))
		return 1;
	extra = h.has & ~w.has;
	/* A nexthop object or a source address is never the kernel's own idea. */
	if (!(flags & SRV6_DIFF_EQUAL))
		extra &= SRV6_HAS(NHID);
	if (extra)
		return differs(attr, (uint32_t)SRV6_OWNER_ROUTE << 6 | (uint32_t)__builtin_ctzll(extra));
	if ((w.has & SRV6_HAS(NHID)) || leads_nowhere(&w))
		return 0; /* the hops are the object's, or of no concern */
	return hops_diff(&w, &h, want->verb == SRV6_APPEND, flags, attr);
}

/* ---- nexthop objects */

/* Whether each member of a is as often in b. */
static bool group_equal(const struct srv6_nexthop *a, const struct srv6_nexthop *b)
{
	int more;

	if (a->n_group != b->n_group)
		return false;
	for (uint32_t i = 0; i < a->n_group; i++) {
		more = 0;
		for (uint32_t j = 0; j < a->n_group; j++) {
			more += a->group[j].id == a->group[i].id && a->group[j].weight == a->group[i].weight;
			more -= b->group[j].id == a->group[i].id && b->group[j].weight == a->group[i].weight;
		}
		if (more)
			return false;
	}
	return true;
}

#define NH_ALWAYS (SRV6_HAS(NH_PROTOCOL) | SRV6_HAS(NH_GROUP_TYPE))

static void nexthop_fill(struct srv6_nexthop *nh)
{
	if (!(nh->has & SRV6_HAS(NH_PROTOCOL)))
		nh->protocol = RTPROT_UNSPEC;
	if (!(nh->has & SRV6_HAS(NH_GROUP_TYPE)))
		nh->group_type = 0;
	nh->has |= NH_ALWAYS;
}

static int nexthop_diff(const struct srv6_op *want, const struct srv6_op *have, uint32_t flags, uint32_t *attr)
{
	static const struct srv6_hop none;
	struct srv6_nexthop w, h;
	uint64_t extra;

	if (sized_in(&w, sizeof(w), want->u.nexthop) < 0 || sized_in(&h, sizeof(h), have->u.nexthop) < 0)
		return differs(attr, SRV6_ATTR_NONE);
	/* Without an id the kernel gives one. */
	if (((w.has & SRV6_HAS(NH_ID)) || (flags & SRV6_DIFF_IDENTITY)) && w.id != h.id)
		return differs(attr, SRV6_ATTR_NH_ID);
	if (flags & SRV6_DIFF_IDENTITY)
		return 0;
	nexthop_fill(&w);
	nexthop_fill(&h);
	if (w.protocol != h.protocol)
		return differs(attr, SRV6_ATTR_NH_PROTOCOL);
	if (w.group_type != h.group_type)
		return differs(attr, SRV6_ATTR_NH_GROUP_TYPE);
	extra = (w.has ^ h.has) & (SRV6_HAS(NH_GROUP) | SRV6_HAS(NH_BLACKHOLE) | SRV6_HAS(NH_FDB));
	if (!extra)
		extra = w.has & ~h.has & SRV6_HAS(NH_UNKNOWN);
	if (!extra && (flags & SRV6_DIFF_EQUAL))
		extra = h.has & ~w.has & SRV6_HAS(NH_UNKNOWN);
	if (extra)
		return differs(attr, (uint32_t)SRV6_OWNER_NEXTHOP << 6 | (uint32_t)__builtin_ctzll(extra));
	if ((w.has & SRV6_HAS(NH_UNKNOWN)) && !bytes_equal(&w.unknown, &h.unknown))
		return differs(attr, SRV6_ATTR_NH_UNKNOWN);
	if (w.has & SRV6_HAS(NH_GROUP))
		return group_equal(&w, &h) ? 0 : differs(attr, SRV6_ATTR_NH_GROUP);
	if (w.family != h.family)
		return differs(attr, SRV6_ATTR_NONE);
	if (w.has & SRV6_HAS(NH_BLACKHOLE))
		return 0;
	return hop_diff(w.hop ? w.hop : &none, h.hop ? h.hop : &none, false, flags, attr);
}

/* ---- the rest */

static int tunsrc_diff(const struct srv6_tunsrc *want, const struct srv6_tunsrc *have, uint32_t *attr)
{
	return memcmp(&want->addr, &have->addr, sizeof(want->addr)) ? differs(attr, SRV6_ATTR_TUNSRC) : 0;
}

static int hmac_diff(const struct srv6_hmac *want, const struct srv6_hmac *have, uint32_t flags, uint32_t *attr)
{
	if (want->key_id != have->key_id)
		return differs(attr, SRV6_ATTR_HMAC);
	if (flags & SRV6_DIFF_IDENTITY)
		return 0;
	return want->algo != have->algo || !bytes_equal(&want->secret, &have->secret) ? differs(attr, SRV6_ATTR_HMAC)
										      : 0;
}

/* As the kernel sees it, which has them as messages. */
static int deleted_diff(const struct srv6_op *want, const struct srv6_op *have, uint32_t *attr)
{
	return want->nlh && have->nlh && raw_hits(want->nlh, have->nlh) ? 0 : differs(attr, SRV6_ATTR_NONE);
}

EXPORT int srv6_diff(const struct srv6_op *want, const struct srv6_op *have, uint32_t flags, uint32_t *attr)
{
	if (want->kind != have->kind)
		return differs(attr, SRV6_ATTR_NONE);
	if (flags & SRV6_DIFF_DELETED)
		return deleted_diff(want, have, attr);
	switch (want->kind) {
	case SRV6_ROUTE:
		return route_diff(want, have, flags, attr);
	case SRV6_NEXTHOP:
		return nexthop_diff(want, have, flags, attr);
	case SRV6_TUNSRC:
		return flags & SRV6_DIFF_IDENTITY ? 0 : tunsrc_diff(want->u.tunsrc, have->u.tunsrc, attr);
	case SRV6_HMAC:
		return hmac_diff(want->u.hmac, have->u.hmac, flags, attr);
	case SRV6_LINK:
		return want->u.link->ifindex != have->u.link->ifindex ? differs(attr, SRV6_ATTR_DEV) : 0;
	}
	return differs(attr, SRV6_ATTR_NONE);
}

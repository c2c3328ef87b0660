/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Nexthop objects: RTM_NEWNEXTHOP and RTM_DELNEXTHOP to and from struct srv6_nexthop. */
#include <errno.h>
#include <linux/nexthop.h>
#include <linux/rtnetlink.h>

#include "codec.h"

#define NHA_MAX_KNOWN 32

/* What kernels since 6.9 say of an object in answers alone: NHA_OP_FLAGS, NHA_GROUP_STATS, NHA_HW_STATS_USED. No part of it. */
#define REPORTED (BIT(14) | BIT(15) | BIT(17))
#define BIT(n)   ((uint64_t)1 << (n))
#define NEXTHOP_TYPES                                                                                                  \
	(BIT(NHA_ID) | BIT(NHA_GROUP) | BIT(NHA_GROUP_TYPE) | BIT(NHA_BLACKHOLE) | BIT(NHA_OIF) | BIT(NHA_GATEWAY) |   \
	 BIT(NHA_ENCAP_TYPE) | BIT(NHA_ENCAP) | BIT(NHA_MASTER) | BIT(NHA_FDB) | REPORTED)

static bool has(const struct srv6_nexthop *nh, uint32_t attr)
{
	return nh->has & SRV6_BIT(attr);
}

/* ---- checking */

static int check_group(const struct srv6_nexthop *nh, struct srv6_error *err)
{
	if (!nh->n_group || !nh->group)
		return err_set(err, -EINVAL, SRV6_ATTR_NH_GROUP, "%s has no members", attr_word(SRV6_ATTR_NH_GROUP));
	if (nh->hop || has(nh, SRV6_ATTR_NH_BLACKHOLE))
		return err_set(err, -EINVAL, SRV6_ATTR_NH_GROUP, "%s excludes everything that a single nexthop has",
			       attr_word(SRV6_ATTR_NH_GROUP));
	for (uint32_t i = 0; i < nh->n_group; i++) {
		if (!nh->group[i].id)
			return err_set(err, -EINVAL, SRV6_ATTR_NH_GROUP, "member %u of %s has no id", i + 1,
				       attr_word(SRV6_ATTR_NH_GROUP));
		if (!nh->group[i].weight)
			return err_set(err, -EINVAL, SRV6_ATTR_NH_GROUP, "the weight of member %u must be at least 1",
				       i + 1);
	}
	return 0;
}

static int check_single(const struct srv6_nexthop *nh, const struct build *b)
{
	const struct srv6_hop *hop = nh->hop;
	/* Unknown attributes are the object's own: nobody could tell them apart when it is read. */
	uint64_t alien = hop ? hop->has & (SRV6_HAS(WEIGHT) | SRV6_HAS(REALMS) | SRV6_HAS(HOP_UNKNOWN)) : 0;
	uint32_t attr = (uint32_t)SRV6_OWNER_HOP << 6 | (alien ? (uint32_t)__builtin_ctzll(alien) : 0);
	struct srv6_error *err = b->err;

	if (has(nh, SRV6_ATTR_NH_BLACKHOLE))
		return hop && (hop->encap || hop->has)
			       ? err_set(err, -EINVAL, SRV6_ATTR_NH_BLACKHOLE, "%s excludes %s, %s and encapsulation",
					 attr_word(SRV6_ATTR_NH_BLACKHOLE), attr_word(SRV6_ATTR_VIA),
					 attr_word(SRV6_ATTR_DEV))
			       : 0;
	if (!hop)
		return err_set(err, -EINVAL, SRV6_ATTR_DEV, "the nexthop leads nowhere: it has neither %s nor %s",
			       attr_word(SRV6_ATTR_DEV), attr_word(SRV6_ATTR_VIA));
	if (has(nh, SRV6_ATTR_NH_FDB)) {
		if (hop->encap || (hop->has & SRV6_HAS(DEV)))
			return err_set(err, -EINVAL, SRV6_ATTR_NH_FDB, "%s goes with %s alone",
				       attr_word(SRV6_ATTR_NH_FDB), attr_word(SRV6_ATTR_VIA));
	} else if (!(hop->has & SRV6_HAS(DEV))) {
		return err_set(err, -EINVAL, SRV6_ATTR_DEV, "a nexthop needs %s", attr_word(SRV6_ATTR_DEV));
	}
	if ((hop->has & SRV6_HAS(VIA)) && hop->via.family != nh->family)
		return err_set(err, -EINVAL, SRV6_ATTR_VIA, "%s is of another address family than the nexthop",
			       attr_word(SRV6_ATTR_VIA));
	if (alien)
		return err_set(err, -EINVAL, attr, "a nexthop object has no %s", attr_word(attr));
	return hop_check(hop, nh->family, DST_LEN_UNKNOWN, b->opts->mobile, err);
}

int nexthop_check(const struct srv6_nexthop *nh, const struct build *b)
{
	bool del = b->op->verb == SRV6_DEL, group = has(nh, SRV6_ATTR_NH_GROUP);

	if (b->op->verb == SRV6_APPEND)
		return err_set(b->err, -EINVAL, SRV6_ATTR_NONE, "nothing can be appended to a nexthop object");
	if ((del || has(nh, SRV6_ATTR_NH_ID)) && (!has(nh, SRV6_ATTR_NH_ID) || !nh->id))
		return err_set(b->err, -EINVAL, SRV6_ATTR_NH_ID, "%s must be a number from 1",
			       attr_word(SRV6_ATTR_NH_ID));
	if (del)
		return 0;
	if (b->op->verb != SRV6_ADD && !has(nh, SRV6_ATTR_NH_ID))
		return err_set(b->err, -EINVAL, SRV6_ATTR_NH_ID, "%s must say which object is meant",
			       attr_word(SRV6_ATTR_NH_ID));
	if (has(nh, SRV6_ATTR_NH_MASTER))
		return err_set(b->err, -EINVAL, SRV6_ATTR_NH_MASTER, "%s only selects what is listed",
			       attr_word(SRV6_ATTR_NH_MASTER));
	if (has(nh, SRV6_ATTR_NH_GROUP_TYPE) && !group)
		return err_set(b->err, -EINVAL, SRV6_ATTR_NH_GROUP_TYPE, "%s goes with %s alone",
			       attr_word(SRV6_ATTR_NH_GROUP_TYPE), attr_word(SRV6_ATTR_NH_GROUP));
	if (group)
		return check_group(nh, b->err);
	if (nh->family != AF_INET && nh->family != AF_INET6)
		return err_set(b->err, -EINVAL, SRV6_ATTR_NONE, "a nexthop is either for IPv4 or for IPv6");
	return check_single(nh, b);
}

/* ---- building */

/* The kernel's struct nexthop_grp, whose byte after the weight has another name in the headers since Linux 6.12. */
struct member {
	uint32_t id;
	uint8_t weight;
	uint8_t weight_high; /* before Linux 6.12: reserved */
	uint16_t reserved;
};
_Static_assert(sizeof(struct member) == sizeof(struct nexthop_grp), "as on the wire");

static void put_group(struct msg *m, const struct srv6_nexthop *nh)
{
	uint8_t *p = msg_attr(m, NHA_GROUP, nh->n_group * sizeof(struct member));

	if (has(nh, SRV6_ATTR_NH_GROUP_TYPE))
		msg_u16(m, NHA_GROUP_TYPE, nh->group_type);
	for (uint32_t i = 0; p && i < nh->n_group; i++, p += sizeof(struct member)) {
		uint32_t weight = nh->group[i].weight - 1u;
		struct member grp = {
			.id = nh->group[i].id,
			.weight = (uint8_t)weight,
			.weight_high = (uint8_t)(weight >> 8),
		};

		memcpy(p, &grp, sizeof(grp));
	}
}

static void put_hop(struct msg *m, const struct srv6_hop *hop, const struct build *b)
{
	const struct srv6_encap *e;
	struct srv6_encap room;

	if (hop->encap && encap_in(hop->encap, &room, &e) >= 0)
		encap_put(m, NHA_ENCAP, NHA_ENCAP_TYPE, e, b->opts->mobile);
	if (hop->has & SRV6_HAS(VIA))
		msg_put(m, NHA_GATEWAY, &hop->via.addr, addr_size(hop->via.family));
	if (hop->has & SRV6_HAS(DEV))
		msg_u32(m, NHA_OIF, hop->ifindex);
}

/* Of what the kernel tells about a resilient group it takes buckets and timers only. */
#define RES_SETTABLE (BIT(NHA_RES_GROUP_BUCKETS) | BIT(NHA_RES_GROUP_IDLE_TIMER) | BIT(NHA_RES_GROUP_UNBALANCED_TIMER))

static void put_unknown(struct msg *m, const struct srv6_bytes *run)
{
	struct attrs a = { run->data, run->len }, inner;
	struct attr one, in;
	size_t nest;
	uint8_t *p;

	while (attr_next(&a, &one)) {
		if (one.type != NHA_RES_GROUP) {
			p = msg_room(m, attr_space(&one));
			if (p)
				attr_copy(p, &one);
			continue;
		}
		nest = msg_nest(m, NHA_RES_GROUP);
		inner = (struct attrs){ one.data, one.len };
		while (attr_next(&inner, &in))
			if (in.type < 64 && (RES_SETTABLE >> in.type & 1))
				msg_put(m, in.type, in.data, in.len);
		msg_nest_end(m, nest);
	}
}

int nexthop_build(const struct srv6_nexthop *nh, const struct build *b, void *buf, size_t cap)
{
	bool del = b->op->verb == SRV6_DEL, group = has(nh, SRV6_ATTR_NH_GROUP);
	struct nhmsg *nhm;
	struct msg m;

	msg_start(&m, buf, cap, del ? RTM_DELNEXTHOP : RTM_NEWNEXTHOP, verb_flags(b->op), b->opts);
	nhm = msg_room(&m, sizeof(*nhm));
	if (has(nh, SRV6_ATTR_NH_ID))
		msg_u32(&m, NHA_ID, nh->id);
	if (del || !nhm)
		return msg_end(&m, b->err);
	nhm->nh_family = group ? AF_UNSPEC : nh->family;
	nhm->nh_protocol = has(nh, SRV6_ATTR_NH_PROTOCOL) ? nh->protocol : 0;
	if (nh->hop && (nh->hop->has & SRV6_HAS(ONLINK)))
		nhm->nh_flags = RTNH_F_ONLINK;
	if (group)
		put_group(&m, nh);
	if (has(nh, SRV6_ATTR_NH_BLACKHOLE))
		msg_put(&m, NHA_BLACKHOLE, NULL, 0);
	if (has(nh, SRV6_ATTR_NH_FDB))
		msg_put(&m, NHA_FDB, NULL, 0);
	if (nh->hop && !group && !has(nh, SRV6_ATTR_NH_BLACKHOLE))
		put_hop(&m, nh->hop, b);
	if (has(nh, SRV6_ATTR_NH_UNKNOWN))
		put_unknown(&m, &nh->unknown);
	return msg_end(&m, b->err);
}

/* ---- reading */

#define LEAST(addr)                                                                                                    \
	{                                                                                                              \
		[NHA_ID] = 4, [NHA_OIF] = 4, [NHA_MASTER] = 4, [NHA_GROUP_TYPE] = 2, [NHA_ENCAP_TYPE] = 2,             \
		[NHA_GATEWAY] = addr, [NHA_MAX_KNOWN - 1] = 0                                                          \
	}

/* Bytes that an attribute has at least. */
static const uint8_t *least_of(uint8_t family)
{
	static const uint8_t in4[NHA_MAX_KNOWN] = LEAST(4), in6[NHA_MAX_KNOWN] = LEAST(16);

	return family == AF_INET ? in4 : in6;
}

static int get_group(const struct attr *a, struct arena *mem, struct srv6_nexthop *nh)
{
	struct member grp;
	struct srv6_group *group;
	uint32_t n = a->len / (uint32_t)sizeof(grp);

	if (!n || a->len % sizeof(grp))
		return -EBADMSG;
	group = arena_get(mem, n * sizeof(*group), _Alignof(struct srv6_group));
	if (!group)
		return -ENOBUFS;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t weight;

		memcpy(&grp, a->data + i * sizeof(grp), sizeof(grp));
		weight = (grp.weight | (uint32_t)grp.weight_high << 8) + 1;
		group[i] = (struct srv6_group){ .id = grp.id, .weight = (uint16_t)(weight > 65535 ? 65535 : weight) };
	}
	nh->group = group;
	nh->n_group = n;
	nh->has |= SRV6_HAS(NH_GROUP);
	return 0;
}

static int get_hop(const struct attr *tb, const struct nhmsg *nhm, struct arena *mem, struct srv6_nexthop *nh)
{
	struct srv6_hop *hop;
	uint16_t type;

	if (!tb[NHA_OIF].data && !tb[NHA_GATEWAY].data && !tb[NHA_ENCAP].data)
		return 0;
	hop = arena_get(mem, sizeof(*hop), _Alignof(struct srv6_hop));
	if (!hop)
		return -ENOBUFS;
	memset(hop, 0, sizeof(*hop));
	nh->hop = hop;
	hop->flags = nhm->nh_flags & ~(uint32_t)RTNH_F_ONLINK;
	if (nhm->nh_flags & RTNH_F_ONLINK)
		hop->has |= SRV6_HAS(ONLINK);
	if (tb[NHA_OIF].data) {
		hop->ifindex = attr_u32(&tb[NHA_OIF]);
		hop->has |= SRV6_HAS(DEV);
	}
	if (tb[NHA_GATEWAY].data) {
		hop->via.family = nhm->nh_family;
		hop->via.len = (uint8_t)(8 * addr_size(nhm->nh_family));
		memcpy(&hop->via.addr, tb[NHA_GATEWAY].data, addr_size(nhm->nh_family));
		hop->has |= SRV6_HAS(VIA);
	}
	if (!tb[NHA_ENCAP_TYPE].data || !tb[NHA_ENCAP].data)
		return 0;
	memcpy(&type, tb[NHA_ENCAP_TYPE].data, sizeof(type));
	return encap_get_any(type, &tb[NHA_ENCAP], mem, &hop->encap);
}

static void get_header(const struct nhmsg *nhm, struct srv6_nexthop *nh)
{
	nh->family = nhm->nh_family;
	nh->protocol = nhm->nh_protocol;
	nh->scope = nhm->nh_scope;
	nh->flags = nhm->nh_flags;
	nh->has = SRV6_HAS(NH_PROTOCOL) | SRV6_HAS(NH_SCOPE);
}

static void get_flat(const struct attr *tb, struct srv6_nexthop *nh)
{
	if (tb[NHA_ID].data) {
		nh->id = attr_u32(&tb[NHA_ID]);
		nh->has |= SRV6_HAS(NH_ID);
	}
	if (tb[NHA_GROUP_TYPE].data) {
		memcpy(&nh->group_type, tb[NHA_GROUP_TYPE].data, sizeof(nh->group_type));
		nh->has |= SRV6_HAS(NH_GROUP_TYPE);
	}
	if (tb[NHA_MASTER].data) {
		nh->master = attr_u32(&tb[NHA_MASTER]);
		nh->has |= SRV6_HAS(NH_MASTER);
	}
	if (tb[NHA_BLACKHOLE].data)
		nh->has |= SRV6_HAS(NH_BLACKHOLE);
	if (tb[NHA_FDB].data)
		nh->has |= SRV6_HAS(NH_FDB);
}

int nexthop_read(const struct nlmsghdr *nlh, struct arena *mem, struct srv6_op *ret)
{
	const struct nhmsg *nhm = (const void *)((const uint8_t *)nlh + NLMSG_HDRLEN);
	struct attr tb[NHA_MAX_KNOWN];
	struct srv6_nexthop *nh;
	struct attrs run;
	size_t unknown;
	int r;

	if (nlh->nlmsg_len < NLMSG_HDRLEN + sizeof(*nhm))
		return -EBADMSG;
	run = (struct attrs){ (const uint8_t *)(nhm + 1), nlh->nlmsg_len - NLMSG_HDRLEN - sizeof(*nhm) };
	r = attrs_sort(run, tb, NHA_MAX_KNOWN, NEXTHOP_TYPES, least_of(nhm->nh_family), &unknown);
	if (r < 0)
		return r;
	nh = arena_get(mem, sizeof(*nh), _Alignof(struct srv6_nexthop));
	if (!nh)
		return -ENOBUFS;
	memset(nh, 0, sizeof(*nh));
	nh->sz = sizeof(*nh);
	get_header(nhm, nh);
	get_flat(tb, nh);
	r = tb[NHA_GROUP].data ? get_group(&tb[NHA_GROUP], mem, nh) : get_hop(tb, nhm, mem, nh);
	if (r >= 0 && unknown) {
		nh->has |= SRV6_HAS(NH_UNKNOWN);
		r = attrs_keep(run, NHA_MAX_KNOWN, NEXTHOP_TYPES, unknown, mem, &nh->unknown);
	}
	ret->u.nexthop = nh;
	return r;
}

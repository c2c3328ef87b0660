/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages of the kernel as requests to it: what must go, what must stay as it is, and what may not be reached over. */
#include <arpa/inet.h>
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/nexthop.h>

#include "message.h"
#include "suite.h"
#include "transact.h"

/* ---- messages */

static struct message in, out;
static struct nlmsghdr *const got = (void *)&out;

static const struct in6_addr dst = { { { 0x20, 0x01, 0x0d, 0xb8 } } }, gateway = { { { 0xfe, 0x80, [15] = 1 } } };
static const struct in6_addr other = { { { 0xfe, 0x80, [15] = 2 } } };

static struct nlmsghdr *route(struct message *m, uint32_t flags)
{
	struct rtmsg rtm = { .rtm_family = AF_INET6,
			     .rtm_dst_len = 32,
			     .rtm_table = 254,
			     .rtm_protocol = 4,
			     .rtm_type = RTN_UNICAST,
			     .rtm_flags = flags };
	struct nlmsghdr *nlh = new_msg(m, RTM_NEWROUTE, &rtm, sizeof(rtm));

	put(nlh, RTA_DST, &dst, sizeof(dst));
	put_u32(nlh, RTA_PRIORITY, 1024);
	return nlh;
}

static const struct nlattr *of_route(uint16_t type)
{
	return knl_find(got, sizeof(struct rtmsg), type);
}

static const struct rtmsg *rtm_of(const struct nlmsghdr *nlh)
{
	return (const void *)((const char *)nlh + MSG_HEAD);
}

/* ---- routes */

START_TEST(routes)
{
	static const uint8_t encap[] = { 8, 0, 1, 0, 5, 0, 0, 0 };
	struct nlmsghdr *nlh = route(&in, RTNH_F_ONLINK | RTNH_F_DEAD | RTNH_F_LINKDOWN | RTNH_F_OFFLOAD);
	struct rta_cacheinfo ci = { .rta_expires = 4201, .rta_used = 9 };
	uint16_t type = 7;

	put_u32(nlh, RTA_OIF, 3);
	put_u32(nlh, RTA_IIF, 4);
	put(nlh, RTA_ENCAP, encap, sizeof(encap));
	put(nlh, RTA_ENCAP_TYPE, &type, sizeof(type));
	put(nlh, RTA_CACHEINFO, &ci, sizeof(ci));
	put_u32(nlh, 32, 1);          /* RTA_DEL_REASON */
	put_u32(nlh, 99, 0x12345678); /* not known here */
	ck_assert_int_eq(raw_add(nlh, NLM_F_CREATE, &out, RAW_SIZE(nlh)), 0);
	ck_assert_uint_eq(got->nlmsg_type, RTM_NEWROUTE);
	ck_assert_uint_eq(got->nlmsg_flags, NLM_F_REQUEST | NLM_F_CREATE);
	ck_assert_uint_eq(rtm_of(got)->rtm_flags, RTNH_F_ONLINK);
	ck_assert_uint_eq(of_route(RTA_ENCAP)->nla_type, RTA_ENCAP | NLA_F_NESTED);
	ck_assert_mem_eq(knl_data(of_route(RTA_ENCAP)), encap, sizeof(encap));
	ck_assert_uint_eq(knl_u32(of_route(RTA_EXPIRES), 0), 43); /* never a second less than there was */
	ck_assert_uint_eq(knl_u32(of_route(99), 0), 0x12345678);
	ck_assert_uint_eq(knl_u32(of_route(RTA_PRIORITY), 0), 1024);
	ck_assert_ptr_null(of_route(RTA_CACHEINFO));
	ck_assert_ptr_null(of_route(RTA_IIF));
	ck_assert_ptr_null(of_route(32));

	/* A deletion names it and what tells it from others, and nothing besides. */
	ck_assert_int_eq(raw_delete(nlh, &out, RAW_SIZE(nlh)), 0);
	ck_assert_uint_eq(got->nlmsg_type, RTM_DELROUTE);
	ck_assert_uint_eq(got->nlmsg_flags, NLM_F_REQUEST);
	ck_assert_ptr_null(of_route(99));
	ck_assert_ptr_null(of_route(RTA_EXPIRES));
	ck_assert_ptr_nonnull(of_route(RTA_ENCAP));
	ck_assert_uint_eq(knl_u32(of_route(RTA_OIF), 0), 3);
}
END_TEST

/* Without an end of its life there is none afterwards; and half an attribute tells of none. */
START_TEST(lives)
{
	struct rta_cacheinfo ci = { .rta_expires = 0 };
	struct nlmsghdr *nlh = route(&in, 0);

	put(nlh, RTA_CACHEINFO, &ci, sizeof(ci));
	ck_assert_int_eq(raw_add(nlh, 0, &out, RAW_SIZE(nlh)), 0);
	ck_assert_ptr_null(of_route(RTA_EXPIRES));
	ci.rta_expires = 100;
	nlh = route(&in, 0);
	put(nlh, RTA_CACHEINFO, &ci, sizeof(ci) - 1);
	ck_assert_int_eq(raw_add(nlh, 0, &out, RAW_SIZE(nlh)), 0);
	ck_assert_ptr_null(of_route(RTA_EXPIRES));
}
END_TEST

/* With the object's id the kernel lists the hop it leads to, and takes only one of the two. */
START_TEST(by_object)
{
	struct nlmsghdr *nlh = route(&in, 0);

	put_u32(nlh, RTA_NH_ID, 5);
	put_u32(nlh, RTA_OIF, 3);
	put(nlh, RTA_GATEWAY, &gateway, sizeof(gateway));
	put(nlh, RTA_ENCAP, "", 0);
	ck_assert_int_eq(raw_add(nlh, 0, &out, RAW_SIZE(nlh)), 0);
	ck_assert_uint_eq(knl_u32(of_route(RTA_NH_ID), 0), 5);
	ck_assert_ptr_null(of_route(RTA_OIF));
	ck_assert_ptr_null(of_route(RTA_GATEWAY));
	ck_assert_ptr_null(of_route(RTA_ENCAP));
}
END_TEST

START_TEST(hops)
{
	struct {
		struct rtnexthop h;
		struct nlattr encap;
		uint32_t data;
	} two[2] = {
		{ { .rtnh_len = sizeof(two[0]), .rtnh_flags = RTNH_F_DEAD | RTNH_F_ONLINK, .rtnh_ifindex = 3 },
		  { 8, RTA_ENCAP },
		  1 },
		{ { .rtnh_len = sizeof(two[0]), .rtnh_flags = RTNH_F_LINKDOWN, .rtnh_ifindex = 4 }, { 8, RTA_FLOW }, 2 }
	};
	struct nlmsghdr *nlh = route(&in, 0);

	put(nlh, RTA_MULTIPATH, two, sizeof(two));
	ck_assert_int_eq(raw_add(nlh, 0, &out, RAW_SIZE(nlh)), 0);
	two[0].h.rtnh_flags = RTNH_F_ONLINK;
	two[0].encap.nla_type |= NLA_F_NESTED;
	two[1].h.rtnh_flags = 0;
	ck_assert_mem_eq(knl_data(of_route(RTA_MULTIPATH)), two, sizeof(two));
	/* One that is longer than what there is stays as it came, and nothing behind it is written. */
	two[1].h.rtnh_len = sizeof(two[0]) + 4;
	two[1].h.rtnh_flags = RTNH_F_LINKDOWN;
	two[0].encap.nla_len = 12;
	two[0].encap.nla_type = RTA_ENCAP;
	nlh = route(&in, 0);
	put(nlh, RTA_MULTIPATH, two, sizeof(two));
	ck_assert_int_eq(raw_add(nlh, 0, &out, RAW_SIZE(nlh)), 0);
	ck_assert_mem_eq(knl_data(of_route(RTA_MULTIPATH)), two, sizeof(two));
}
END_TEST

/* ---- nexthop objects */

static const struct nlattr *of_object(uint16_t type)
{
	return knl_find(got, sizeof(struct nhmsg), type);
}

START_TEST(objects)
{
	struct nhmsg nhm = {
		.nh_family = AF_INET6, .nh_scope = 9, .nh_protocol = 4, .nh_flags = RTNH_F_ONLINK | RTNH_F_DEAD
	};
	struct nlmsghdr *nlh = new_msg(&in, RTM_NEWNEXTHOP, &nhm, sizeof(nhm));
	const struct nhmsg *head = (const void *)((const char *)got + MSG_HEAD);
	const struct nlattr *group;
	struct nlattr *nest;
	uint64_t unbalanced = 77;
	uint16_t buckets = 32;

	put_u32(nlh, NHA_ID, 5);
	put_u32(nlh, NHA_OIF, 3);
	put(nlh, NHA_ENCAP, "12345678", 8);
	nest = put(nlh, NHA_RES_GROUP, NULL, 0);
	put(nlh, NHA_RES_GROUP_BUCKETS, &buckets, sizeof(buckets));
	put_u32(nlh, NHA_RES_GROUP_IDLE_TIMER, 100);
	put(nlh, NHA_RES_GROUP_UNBALANCED_TIME, &unbalanced, sizeof(unbalanced));
	end_nest(nlh, nest);
	put_u32(nlh, 40, 1); /* not known here: of the kernel's own, statistics */
	ck_assert(!raw_is_group(nlh));
	ck_assert_int_eq(raw_add(nlh, NLM_F_REPLACE, &out, RAW_SIZE(nlh)), 0);
	ck_assert_uint_eq(head->nh_scope, 0);
	ck_assert_uint_eq(head->nh_flags, RTNH_F_ONLINK);
	ck_assert_uint_eq(head->nh_protocol, 4);
	ck_assert_uint_eq(of_object(NHA_ENCAP)->nla_type, NHA_ENCAP | NLA_F_NESTED);
	ck_assert_ptr_null(of_object(40));
	group = of_object(NHA_RES_GROUP);
	ck_assert_ptr_nonnull(knl_find_in(knl_data(group), knl_len(group), NHA_RES_GROUP_BUCKETS));
	ck_assert_uint_eq(knl_u32(knl_find_in(knl_data(group), knl_len(group), NHA_RES_GROUP_IDLE_TIMER), 0), 100);
	ck_assert_ptr_null(knl_find_in(knl_data(group), knl_len(group), NHA_RES_GROUP_UNBALANCED_TIME));

	ck_assert_int_eq(raw_delete(nlh, &out, RAW_SIZE(nlh)), 0);
	ck_assert_uint_eq(got->nlmsg_type, RTM_DELNEXTHOP);
	ck_assert_uint_eq(got->nlmsg_len, MSG_LEN(sizeof(nhm)) + 8);
	ck_assert_uint_eq(knl_u32(of_object(NHA_ID), 0), 5);
	ck_assert_uint_eq(head->nh_protocol, 0);
	put(nlh, NHA_GROUP, "12345678", 8);
	ck_assert(raw_is_group(nlh));
}
END_TEST

/* ---- no room, no message */

START_TEST(room)
{
	struct nhmsg nhm = { .nh_family = AF_INET6 };
	struct nlmsghdr *nlh = route(&in, 0);
	struct message object;
	struct nlmsghdr *o = new_msg(&object, RTM_NEWNEXTHOP, &nhm, sizeof(nhm));
	uint8_t *small;

	put_u32(o, NHA_ID, 5);
	for (size_t cap = 0; cap < nlh->nlmsg_len; cap++) {
		small = malloc(cap);
		ck_assert_int_eq(raw_add(nlh, 0, small, cap), -EMSGSIZE);
		if (cap < o->nlmsg_len)
			ck_assert_int_eq(raw_add(o, 0, small, cap), -EMSGSIZE);
		free(small);
	}
	ck_assert_int_eq(raw_add(nlh, 0, &out, nlh->nlmsg_len), 0);
	ck_assert_int_eq(raw_add(o, 0, &out, o->nlmsg_len), 0);
	nlh->nlmsg_len = (uint32_t)MSG_LEN(sizeof(struct rtmsg)) - 1;
	ck_assert_int_eq(raw_add(nlh, 0, &out, sizeof(out)), -EBADMSG);
	o->nlmsg_len = (uint32_t)MSG_LEN(sizeof(nhm)) - 1;
	ck_assert_int_eq(raw_add(o, 0, &out, sizeof(out)), -EBADMSG);
	ck_assert_int_eq(raw_delete(o, &out, sizeof(out)), -EBADMSG);
}
END_TEST

/* ---- what a deletion of h would take: IPv6 takes the first that fits */

struct hop {
	uint32_t oif;
	const struct in6_addr *via;
	uint32_t nhid;
	bool multipath;
	uint8_t protocol;
	uint32_t metric;
	uint8_t src_len;
	const struct in6_addr *src;
};

static struct nlmsghdr *with_hop(struct message *m, const struct hop *h)
{
	struct rtmsg rtm = { .rtm_family = AF_INET6, .rtm_protocol = h->protocol, .rtm_src_len = h->src_len };
	struct nlmsghdr *nlh = new_msg(m, RTM_NEWROUTE, &rtm, sizeof(rtm));

	put_u32(nlh, RTA_PRIORITY, h->metric);
	if (h->oif)
		put_u32(nlh, RTA_OIF, h->oif);
	if (h->via)
		put(nlh, RTA_GATEWAY, h->via, sizeof(*h->via));
	if (h->nhid)
		put_u32(nlh, RTA_NH_ID, h->nhid);
	if (h->multipath)
		put(nlh, RTA_MULTIPATH, "", 0);
	if (h->src)
		put(nlh, RTA_SRC, h->src, sizeof(*h->src));
	return nlh;
}

static const struct {
	struct hop h, x;
	bool hits;
} hit[] = {
	{ { .oif = 3 }, { .oif = 3 }, true },
	{ { .oif = 3 }, { .oif = 3, .via = &gateway }, true }, /* none named: any will do */
	{ { .oif = 3, .via = &gateway }, { .oif = 3, .via = &gateway }, true },
	{ { .oif = 3, .via = &gateway }, { .oif = 3, .via = &other }, false },
	{ { .oif = 3, .via = &gateway }, { .oif = 3 }, false },
	{ { .oif = 3 }, { .oif = 4 }, false },
	{ { .oif = 3, .metric = 1 }, { .oif = 3, .metric = 2 }, false },
	{ { .oif = 3, .protocol = 1 }, { .oif = 3, .protocol = 2 }, false },
	{ { .oif = 3, .via = &gateway }, { .nhid = 5 }, true }, /* it looks at no hop there */
	{ { .oif = 3, .metric = 8, .protocol = 9 }, { .nhid = 5, .metric = 8, .protocol = 9 }, true },
	{ { .oif = 3 }, { .nhid = 5, .metric = 8, .protocol = 9 }, true }, /* neither is given */
	{ { .oif = 3, .metric = 7 }, { .nhid = 5, .metric = 8 }, false },
	{ { .oif = 3, .protocol = 8 }, { .nhid = 5, .protocol = 9 }, false },
	{ { .nhid = 5 }, { .oif = 3 }, false },
	{ { .nhid = 5 }, { .nhid = 5 }, true },
	{ { .nhid = 5 }, { .nhid = 6 }, false },
	{ { .multipath = true }, { .oif = 3 }, false },
	{ { .multipath = true }, { .nhid = 5 }, true },
	{ { .oif = 3 }, { .multipath = true }, true },
	{ { .oif = 3, .via = &gateway }, { .multipath = true }, false },
	/* by the source prefix: none given is none */
	{ { .oif = 3 }, { .oif = 3, .src_len = 64, .src = &gateway }, false },
	{ { .oif = 3, .src_len = 64, .src = &gateway }, { .oif = 3 }, false },
	{ { .oif = 3, .src_len = 64, .src = &gateway }, { .oif = 3, .src_len = 64, .src = &other }, false },
	{ { .oif = 3, .src_len = 64, .src = &gateway }, { .oif = 3, .src_len = 48, .src = &gateway }, false },
	{ { .oif = 3, .src_len = 64, .src = &gateway }, { .nhid = 5 }, false },
	{ { .oif = 3, .src_len = 64, .src = &gateway }, { .oif = 3, .src_len = 64, .src = &gateway }, true },
};

START_TEST(hits)
{
	struct message m;
	struct nhmsg nhm = { .nh_family = AF_INET6 };

	ck_assert_int_eq(raw_hits(with_hop(&in, &hit[_i].h), with_hop(&m, &hit[_i].x)), hit[_i].hits);
	ck_assert(!raw_hits((void *)&in, new_msg(&m, RTM_NEWNEXTHOP, &nhm, sizeof(nhm))));
}
END_TEST

/* ---- IPv4 takes the first that fits too; it compares more, but an encapsulation only where one is named */

struct hop4 {
	uint32_t oif, via, src, metric, nhid;
	const struct in6_addr *via6;
	bool encap;
	uint32_t each[6]; /* of several: device and gateway of each */
	uint8_t protocol, type, scope, tos;
};

static void put_hops4(struct nlmsghdr *nlh, const uint32_t each[6])
{
	struct {
		struct rtnexthop rtnh;
		struct nlattr a;
		uint32_t via;
	} hop[3];
	size_t n = 0;

	for (; n < ARRAY_SIZE(hop) && each[2 * n]; n++) {
		hop[n].rtnh = (struct rtnexthop){ .rtnh_len = sizeof(hop[n]), .rtnh_ifindex = (int)each[2 * n] };
		hop[n].a = (struct nlattr){ .nla_len = 8, .nla_type = RTA_GATEWAY };
		hop[n].via = each[2 * n + 1];
	}
	put(nlh, RTA_MULTIPATH, hop, n * sizeof(hop[0]));
}

static struct nlmsghdr *with_hop4(struct message *m, const struct hop4 *h)
{
	struct rtmsg rtm = { .rtm_family = AF_INET,
			     .rtm_protocol = h->protocol,
			     .rtm_type = h->type ? h->type : RTN_UNICAST,
			     .rtm_scope = h->scope,
			     .rtm_tos = h->tos };
	struct nlmsghdr *nlh = new_msg(m, RTM_NEWROUTE, &rtm, sizeof(rtm));
	const struct {
		uint16_t type;
		uint32_t value;
	} attrs[] = { { RTA_OIF, h->oif },
		      { RTA_GATEWAY, h->via },
		      { RTA_PREFSRC, h->src },
		      { RTA_PRIORITY, h->metric },
		      { RTA_NH_ID, h->nhid } };

	for (size_t i = 0; i < ARRAY_SIZE(attrs); i++)
		if (attrs[i].value)
			put_u32(nlh, attrs[i].type, attrs[i].value);
	if (h->via6)
		put(nlh, RTA_VIA, h->via6, sizeof(*h->via6));
	if (h->encap)
		put(nlh, RTA_ENCAP, "", 0);
	if (h->each[0])
		put_hops4(nlh, h->each);
	return nlh;
}

static const struct {
	struct hop4 h, x;
	bool hits;
} hit4[] = {
	{ { .oif = 3 }, { .oif = 3, .encap = true }, true },
	{ { .oif = 3 }, { .oif = 3 }, true }, /* as far as it looks */
	{ { .oif = 3, .encap = true }, { .oif = 3, .encap = true }, true },
	{ { .oif = 3 }, { .oif = 3, .src = 1 }, true },
	{ { .oif = 3 }, { .oif = 3, .via = 1 }, true },
	{ { .oif = 3 }, { .oif = 3, .via6 = &gateway }, true },
	{ { .oif = 3, .encap = true }, { .oif = 3 }, false },
	{ { .oif = 3 }, { .oif = 4, .encap = true }, false },
	{ { .oif = 3, .via = 1 }, { .oif = 3, .via = 1, .encap = true }, true },
	{ { .oif = 3, .via = 1 }, { .oif = 3, .via = 2, .encap = true }, false },
	{ { .oif = 3, .via = 1 }, { .oif = 3, .encap = true }, false },
	{ { .oif = 3, .via6 = &gateway }, { .oif = 3, .via6 = &gateway, .encap = true }, true },
	{ { .oif = 3, .via6 = &gateway }, { .oif = 3, .via6 = &other, .encap = true }, false },
	{ { .oif = 3, .src = 1 }, { .oif = 3, .src = 1, .encap = true }, true },
	{ { .oif = 3, .src = 1 }, { .oif = 3, .src = 2, .encap = true }, false },
	{ { .oif = 3, .src = 1 }, { .oif = 3, .encap = true }, false },
	{ { .oif = 3, .type = RTN_LOCAL }, { .oif = 3, .encap = true }, false },
	{ { .oif = 3, .scope = RT_SCOPE_LINK }, { .oif = 3, .encap = true }, false },
	{ { .oif = 3, .tos = 8 }, { .oif = 3, .encap = true }, false },
	/* Neither is given: any will do. */
	{ { .oif = 3 }, { .oif = 3, .encap = true, .metric = 8, .protocol = 9 }, true },
	{ { .oif = 3, .metric = 7 }, { .oif = 3, .encap = true, .metric = 8 }, false },
	{ { .oif = 3, .protocol = 8 }, { .oif = 3, .encap = true, .protocol = 9 }, false },
	/* Objects are told from hops, and from one another by their ids. */
	{ { .oif = 3 }, { .oif = 3, .encap = true, .nhid = 5 }, false },
	{ { .nhid = 5 }, { .encap = true }, false },
	/* Of one hop that is named the first of several is compared, of several each. */
	{ { .oif = 3 }, { .each = { 3, 1, 4, 1 } }, true },
	{ { .oif = 3, .via = 1 }, { .each = { 3, 1, 4, 1 } }, true },
	{ { .oif = 3, .via = 2 }, { .each = { 3, 1, 4, 1 } }, false },
	{ { .oif = 4 }, { .each = { 3, 1, 4, 1 } }, false },
	{ { .each = { 3, 1, 4, 1 } }, { .each = { 3, 1, 4, 1 } }, true },
	{ { .each = { 3, 1, 4, 1 } }, { .each = { 3, 1, 4, 2 } }, false },
	{ { .each = { 3, 1, 4, 1 } }, { .each = { 3, 1, 5, 1 } }, false },
	{ { .each = { 3, 1, 4, 1 } }, { .each = { 3, 1, 4, 1, 5, 1 } }, false },
	{ { .each = { 3, 1, 4, 1, 5, 1 } }, { .each = { 3, 1, 4, 1 } }, true },
	{ { .each = { 3, 1, 4, 1 } }, { .oif = 3, .via = 1, .encap = true }, true },
	{ { .each = { 3, 1, 4, 1 } }, { .oif = 4, .via = 1 }, false },
};

START_TEST(hits_in_ipv4)
{
	struct message m;

	ck_assert_int_eq(raw_hits(with_hop4(&in, &hit4[_i].h), with_hop4(&m, &hit4[_i].x)), hit4[_i].hits);
}
END_TEST

/* ---- the same one */

START_TEST(same)
{
	struct message m;
	struct rta_cacheinfo ci = { .rta_expires = 6000 };
	struct nlmsghdr *a = route(&in, 0), *b = route(&m, 0);
	struct rtmsg *rtm = (void *)((char *)b + MSG_HEAD);

	put_u32(a, RTA_OIF, 3);
	put_u32(b, RTA_OIF, 3);
	put(a, RTA_CACHEINFO, &ci, sizeof(ci));
	/* Its life goes on while we look; one that has much less, or more, is another. */
	ci.rta_expires = 4000;
	put(b, RTA_CACHEINFO, &ci, sizeof(ci));
	ck_assert_int_eq(raw_same(a, b), 1);
	ck_assert_int_eq(raw_same(b, a), 0);
	ci.rta_expires = 600000;
	put_u32(a = route(&in, 0), RTA_OIF, 3);
	put(a, RTA_CACHEINFO, &ci, sizeof(ci));
	ck_assert_int_eq(raw_same(a, b), 0);
	ck_assert_int_eq(raw_aged(a, b), 1); /* but if it was long ago */
	ck_assert_int_eq(raw_aged(b, a), 0);
	rtm->rtm_protocol = 5;
	ck_assert_int_eq(raw_aged(a, b), 0);
	ck_assert_int_eq(raw_same(a, b), 0);
	ck_assert_uint_eq(raw_metric(a), 1024);

	/* What can't be read is the same where its bytes are, whatever the header of its message says. */
	a = route(&in, 0);
	put(a, RTA_PRIORITY, "", 0);
	memcpy(&m, &in, sizeof(m));
	b = (void *)&m;
	b->nlmsg_seq = 9;
	ck_assert_int_eq(raw_same(a, b), 1);
	((char *)b)[MSG_HEAD + 2] ^= 1;
	ck_assert_int_eq(raw_same(a, b), 0);
	put_u32(b, RTA_OIF, 3);
	ck_assert_int_eq(raw_same(a, b), 0);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("raw");

	tcase_add_test(tc, routes);
	tcase_add_test(tc, lives);
	tcase_add_test(tc, by_object);
	tcase_add_test(tc, hops);
	tcase_add_test(tc, objects);
	tcase_add_test(tc, room);
	tcase_add_loop_test(tc, hits, 0, ARRAY_SIZE(hit));
	tcase_add_loop_test(tc, hits_in_ipv4, 0, ARRAY_SIZE(hit4));
	tcase_add_test(tc, same);
	return suite_run("raw", tc);
}

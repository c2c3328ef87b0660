/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernel names the attribute at fault by its offset in the request: from there back to ours, and to the hop. */
#include <arpa/inet.h>
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/nexthop.h>
#include <linux/seg6_iptunnel.h>
#include <linux/seg6_local.h>

#include "suite.h"
#include "transact.h"

static uint32_t buf[1024];
static struct nlmsghdr *const nlh = (void *)buf;
static struct in6_addr segs[2];
static struct srv6_encap encaps[2];
static struct srv6_hop hops[2];
static struct srv6_route route;
static struct srv6_nexthop object;

static void setup(void)
{
	inet_pton(AF_INET6, "fc00::1", &segs[0]);
	segs[1] = segs[0];
	encaps[0] = (struct srv6_encap){
		.sz = sizeof(encaps[0]), .has = SRV6_HAS(SEGS), .behavior = SRV6_H_ENCAPS, .segs = segs, .n_segs = 2
	};
	encaps[1] = (struct srv6_encap){
		.sz = sizeof(encaps[1]), .has = SRV6_HAS(TABLE), .behavior = SRV6_END_DT6, .table = 254
	};
	for (int i = 0; i < 2; i++) {
		hops[i] = (struct srv6_hop){ .encap = &encaps[i],
					     .has = SRV6_HAS(DEV) | SRV6_HAS(VIA),
					     .ifindex = 1,
					     .via = { .family = AF_INET6, .len = 128 } };
		hops[i].via.addr.in6 = segs[0];
	}
	route = (struct srv6_route){ .sz = sizeof(route),
				     .has = SRV6_HAS(ROUTE_TABLE) | SRV6_HAS(METRIC) | SRV6_HAS(PREF),
				     .table = 1000,
				     .metric = 7,
				     .hops = hops,
				     .n_hops = 2,
				     .dst = { .family = AF_INET6, .len = 64 } };
	inet_pton(AF_INET6, "2001:db8::", &route.dst.addr);
	object = (struct srv6_nexthop){
		.sz = sizeof(object), .has = SRV6_HAS(NH_ID), .id = 5, .family = AF_INET6, .hop = &hops[1]
	};
}

static void build(uint32_t kind, const void *any)
{
	struct srv6_op op = { .verb = SRV6_ADD, .kind = kind, .u.any = any };
	struct srv6_error err;

	err_clear(&err);
	ck_assert_msg(srv6_build(buf, sizeof(buf), &op, NULL, &err) == 0, "%s", err.text);
}

static uint32_t at(const struct nlattr *a)
{
	ck_assert_ptr_nonnull(a);
	return (uint32_t)((const char *)a - (const char *)nlh);
}

static void expect(uint32_t kind, uint32_t offset, uint32_t attr, uint32_t hop)
{
	struct srv6_error err;

	err_clear(&err);
	explain_offset(nlh, kind, offset, &err);
	ck_assert_uint_eq(err.attr, attr);
	ck_assert_uint_eq(err.hop, hop);
}

static const struct nlattr *of_route(uint16_t type)
{
	return knl_find(nlh, sizeof(struct rtmsg), type);
}

START_TEST(plain)
{
	route.n_hops = 1;
	build(SRV6_ROUTE, &route);
	expect(SRV6_ROUTE, at(of_route(RTA_DST)), SRV6_ATTR_DST, 0);
	expect(SRV6_ROUTE, at(of_route(RTA_TABLE)), SRV6_ATTR_ROUTE_TABLE, 0);
	expect(SRV6_ROUTE, at(of_route(RTA_PRIORITY)), SRV6_ATTR_METRIC, 0);
	expect(SRV6_ROUTE, at(of_route(RTA_PREF)), SRV6_ATTR_PREF, 0);
	expect(SRV6_ROUTE, at(of_route(RTA_GATEWAY)), SRV6_ATTR_VIA, 0);
	expect(SRV6_ROUTE, at(of_route(RTA_OIF)), SRV6_ATTR_DEV, 0);
	/* Any byte of it will do, and those before the attributes are nobody's. */
	expect(SRV6_ROUTE, at(of_route(RTA_DST)) + 7, SRV6_ATTR_DST, 0);
	expect(SRV6_ROUTE, 0, SRV6_ATTR_NONE, 0);
	expect(SRV6_ROUTE, MSG_HEAD + 1, SRV6_ATTR_NONE, 0);
	expect(SRV6_ROUTE, nlh->nlmsg_len, SRV6_ATTR_NONE, 0);
	expect(SRV6_ROUTE, 4000000000u, SRV6_ATTR_NONE, 0);
	expect(SRV6_HMAC, at(of_route(RTA_DST)), SRV6_ATTR_NONE, 0);
}
END_TEST

START_TEST(encapsulated)
{
	const struct nlattr *encap;

	route.n_hops = 1;
	build(SRV6_ROUTE, &route);
	encap = of_route(RTA_ENCAP);
	expect(SRV6_ROUTE, at(knl_find_in(knl_data(encap), knl_len(encap), SEG6_IPTUNNEL_SRH)), SRV6_ATTR_SEGS, 0);
	/* The encapsulation itself is no attribute of ours. */
	expect(SRV6_ROUTE, at(encap), SRV6_ATTR_NONE, 0);
	build(SRV6_NEXTHOP, &object);
	encap = knl_find(nlh, sizeof(struct nhmsg), NHA_ENCAP);
	expect(SRV6_NEXTHOP, at(knl_find_in(knl_data(encap), knl_len(encap), SEG6_LOCAL_TABLE)), SRV6_ATTR_TABLE, 0);
	expect(SRV6_NEXTHOP, at(knl_find(nlh, sizeof(struct nhmsg), NHA_ID)), SRV6_ATTR_NH_ID, 0);
	expect(SRV6_NEXTHOP, at(knl_find(nlh, sizeof(struct nhmsg), NHA_GATEWAY)), SRV6_ATTR_VIA, 0);
}
END_TEST

START_TEST(second_hop)
{
	const struct nlattr *multipath, *encap;
	const struct rtnexthop *h;
	const uint8_t *run;
	size_t len;

	build(SRV6_ROUTE, &route);
	multipath = of_route(RTA_MULTIPATH);
	h = knl_data(multipath);
	expect(SRV6_ROUTE, at(knl_find_in(h + 1, h->rtnh_len - sizeof(*h), RTA_GATEWAY)), SRV6_ATTR_VIA, 0);
	h = (const void *)((const uint8_t *)h + ATTR_ALIGN(h->rtnh_len));
	run = (const void *)(h + 1);
	len = h->rtnh_len - sizeof(*h);
	expect(SRV6_ROUTE, at(knl_find_in(run, len, RTA_GATEWAY)), SRV6_ATTR_VIA, 1);
	encap = knl_find_in(run, len, RTA_ENCAP);
	expect(SRV6_ROUTE, at(knl_find_in(knl_data(encap), knl_len(encap), SEG6_LOCAL_TABLE)), SRV6_ATTR_TABLE, 1);
	expect(SRV6_ROUTE, at(multipath), SRV6_ATTR_NONE, 0);
}
END_TEST

/* Whatever a request is made of: no byte outside it is read (under a sanitizer), and a hop is one that it has. */
START_TEST(hurt)
{
	uint8_t *copy;

	srandom(8);
	for (int round = 0; round < 2000; round++) {
		struct srv6_error err;
		uint32_t len;

		build(SRV6_ROUTE, &route);
		len = nlh->nlmsg_len;
		copy = malloc(len);
		memcpy(copy, buf, len);
		for (int i = 0; i < 3; i++)
			copy[MSG_LEN(sizeof(struct rtmsg)) +
			     (unsigned long)random() % (len - MSG_LEN(sizeof(struct rtmsg)))] = (uint8_t)random();
		for (uint32_t offset = 0; offset < len + 8; offset += 4) {
			err_clear(&err);
			explain_offset((const void *)copy, SRV6_ROUTE, offset, &err);
			ck_assert_uint_lt(err.hop, 64);
		}
		free(copy);
	}
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("offset");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, plain);
	tcase_add_test(tc, encapsulated);
	tcase_add_test(tc, second_hop);
	tcase_add_test(tc, hurt);
	tcase_set_timeout(tc, 60);
	return suite_run("offset", tc);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the fuzzers found, said plainly. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <check.h>
#include <linux/lwtunnel.h>
#include <linux/netlink.h>
#include <libsrv6/libsrv6.h>

#include "suite.h"

static const struct in6_addr seg = { { { 0xfc, [15] = 1 } } };

static struct srv6_encap headend(void)
{
	struct srv6_encap e = SRV6_INIT(struct srv6_encap);

	e.behavior = SRV6_H_ENCAPS;
	e.has = SRV6_HAS(SEGS);
	e.segs = &seg;
	e.n_segs = 1;
	return e;
}

/* In an SRH a tag of 0 and no flags are the same as none: what was asked so is there. */
START_TEST(zero_is_nothing)
{
	struct srv6_encap want = headend(), have = headend();
	uint32_t attr;

	want.has |= SRV6_HAS(TAG) | SRV6_HAS(SRH_FLAGS);
	ck_assert_int_eq(srv6_diff_encap(&want, &have, SRV6_DIFF_EQUAL, &attr), 0);
	want.tag = 1;
	ck_assert_int_eq(srv6_diff_encap(&want, &have, 0, &attr), 1);
	ck_assert_uint_eq(attr, SRV6_ATTR_TAG);
}
END_TEST

/* An SRH given as bytes that fields can say is read back as fields. */
START_TEST(bytes_equal_fields)
{
	uint8_t srh[24] = { 0, 2, 4, 0, 0, 0, 0, 0, 0xfc, [23] = 1 };
	struct srv6_encap want = headend(), have = headend();
	uint32_t attr;

	want.has = SRV6_HAS(RAW_SRH);
	want.raw_srh = (struct srv6_bytes){ srh, sizeof(srh) };
	ck_assert_int_eq(srv6_diff_encap(&want, &have, SRV6_DIFF_EQUAL, &attr), 0);
	ck_assert_int_eq(srv6_diff_encap(&have, &want, SRV6_DIFF_EQUAL, &attr), 0);
	srh[23] = 2;
	ck_assert_int_eq(srv6_diff_encap(&want, &have, 0, &attr), 1);
}
END_TEST

/* The contents of what is not known keep their length, were it no multiple of 4. */
START_TEST(raw_keeps_its_length)
{
	static const uint8_t raw[5] = { 1, 2, 3, 4, 5 };
	struct srv6_encap e = SRV6_INIT(struct srv6_encap), again = SRV6_INIT(struct srv6_encap);
	_Alignas(8) uint8_t buf[128] = { 0 }, mem[256];
	struct nlmsghdr *nlh = (void *)buf;
	const struct nlattr *nest = (const void *)(buf + sizeof(*nlh));

	e.behavior = SRV6_OTHER;
	e.encap_type = LWTUNNEL_ENCAP_BPF;
	e.has = SRV6_HAS(RAW);
	e.raw = (struct srv6_bytes){ raw, sizeof(raw) };
	nlh->nlmsg_len = sizeof(*nlh);
	ck_assert_int_eq(srv6_put_encap(nlh, sizeof(buf), SRV6_ROUTE, &e, AF_INET6, NULL, NULL), 0);
	ck_assert_uint_eq(nest->nla_len, sizeof(*nest) + sizeof(raw));
	ck_assert_int_eq(srv6_get_encap(LWTUNNEL_ENCAP_BPF, nest + 1, sizeof(raw), mem, sizeof(mem), &again), 0);
	ck_assert_int_eq(srv6_diff_encap(&e, &again, SRV6_DIFF_EQUAL, NULL), 0);
}
END_TEST

/* A delete with a hop that can't be sent would delete whatever is there. */
START_TEST(delete_checks_its_hop)
{
	struct srv6_hop hop = { .has = SRV6_HAS(VIA), .via = { .family = 5, .len = 128 } };
	struct srv6_route r = { .sz = sizeof(r), .has = SRV6_HAS(DST), .n_hops = 1, .hops = &hop };
	struct srv6_op op = { .verb = SRV6_DEL, .kind = SRV6_ROUTE, .u.route = &r };
	struct srv6_error err;

	r.dst = (struct srv6_prefix){ .family = AF_INET6, .len = 16, .addr.in6 = { { { 0xfc } } } };
	ck_assert_int_eq(srv6_check(&op, NULL, &err), -EINVAL);
	ck_assert_uint_eq(err.attr, SRV6_ATTR_VIA);
	hop.has = SRV6_HAS(DEV);
	ck_assert_int_eq(srv6_check(&op, NULL, &err), -EINVAL);
	ck_assert_uint_eq(err.attr, SRV6_ATTR_DEV);
	hop.has = 0; /* names nothing */
	ck_assert_int_eq(srv6_check(&op, NULL, &err), -EINVAL);
	hop.has = SRV6_HAS(DEV);
	hop.ifindex = 1;
	ck_assert_int_eq(srv6_check(&op, NULL, &err), 0);
}
END_TEST

/* Attributes that nobody knows stay where they were: in the hop, were it the only one, and an object's are its own. */
START_TEST(unknown_stays_in_its_hop)
{
	static const uint8_t run[] = { 8, 0, 2, 0, 1, 2, 3, 4 }; /* of type 2, which is no hop's but a route's */
	struct srv6_hop hop = { .has = SRV6_HAS(DEV) | SRV6_HAS(HOP_UNKNOWN),
				.ifindex = 3,
				.unknown = { run, sizeof(run) } };
	struct srv6_route r = { .sz = sizeof(r), .has = SRV6_HAS(DST), .n_hops = 1, .hops = &hop };
	struct srv6_nexthop nh = { .sz = sizeof(nh), .has = SRV6_HAS(NH_ID), .id = 1, .family = AF_INET6, .hop = &hop };
	struct srv6_op op = { .verb = SRV6_ADD, .kind = SRV6_ROUTE, .u.route = &r }, have;
	_Alignas(8) uint8_t buf[512], mem[1024];
	struct srv6_error err;

	r.dst = (struct srv6_prefix){ .family = AF_INET6, .len = 16, .addr.in6 = { { { 0xfc } } } };
	ck_assert_int_eq(srv6_build(buf, sizeof(buf), &op, NULL, &err), 0);
	ck_assert_int_eq(srv6_read((void *)buf, mem, sizeof(mem), &have), 0);
	ck_assert_int_eq(srv6_diff(&op, &have, SRV6_DIFF_EQUAL, NULL), 0);
	ck_assert(!(have.u.route->has & SRV6_HAS(ROUTE_UNKNOWN)));
	op = (struct srv6_op){ .verb = SRV6_ADD, .kind = SRV6_NEXTHOP, .u.nexthop = &nh };
	ck_assert_int_eq(srv6_check(&op, NULL, &err), -EINVAL);
	ck_assert_uint_eq(err.attr, SRV6_ATTR_HOP_UNKNOWN);
	hop.has = SRV6_HAS(DEV);
	ck_assert_int_eq(srv6_check(&op, NULL, &err), 0);
}
END_TEST

/* A program by its id is for srv6_apply, which gets a descriptor by it: in a message 0 would be somebody's. */
START_TEST(bpf_needs_descriptor)
{
	struct srv6_encap e = SRV6_INIT(struct srv6_encap);
	_Alignas(8) uint8_t buf[256] = { 0 };
	struct nlmsghdr *nlh = (void *)buf;
	struct srv6_error err;

	e.behavior = SRV6_END_BPF;
	e.has = SRV6_HAS(BPF);
	e.bpf = (struct srv6_bpf){ .id = 7, .name = "prog" };
	nlh->nlmsg_len = sizeof(*nlh);
	ck_assert_int_eq(srv6_put_encap(nlh, sizeof(buf), SRV6_ROUTE, &e, AF_INET6, NULL, &err), -EINVAL);
	ck_assert_uint_eq(err.attr, SRV6_ATTR_BPF);
	ck_assert_uint_eq(nlh->nlmsg_len, sizeof(*nlh));
	e.bpf.fd = 5;
	ck_assert_int_eq(srv6_put_encap(nlh, sizeof(buf), SRV6_ROUTE, &e, AF_INET6, NULL, &err), 0);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("finds");

	tcase_add_test(tc, zero_is_nothing);
	tcase_add_test(tc, bytes_equal_fields);
	tcase_add_test(tc, raw_keeps_its_length);
	tcase_add_test(tc, delete_checks_its_hop);
	tcase_add_test(tc, unknown_stays_in_its_hop);
	tcase_add_test(tc, bpf_needs_descriptor);
	return suite_run("finds", tc);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The words for an op and for a key, keys of messages, and the descriptors of BPF programs. */
#include <arpa/inet.h>
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/nexthop.h>

#include "message.h"
#include "suite.h"
#include "transact.h"

static const struct in6_addr segs[] = { { { { 0xfc, [15] = 1 } } },
					{ { { 0xfc, [15] = 2 } } },
					{ { { 0xfc, [15] = 3 } } },
					{ { { 0xfc, [15] = 4 } } },
					{ { { 0xfc, [15] = 5 } } } };
static const uint8_t v4[] = { 192, 0, 2, 1 };

/* ---- words */

static const struct srv6_encap three = { .behavior = SRV6_H_ENCAPS, .has = SRV6_HAS(SEGS), .segs = segs, .n_segs = 3 };
static const struct srv6_encap five = { .behavior = SRV6_H_ENCAPS,
					.has = SRV6_HAS(SEGS) | SRV6_HAS(TUNSRC),
					.segs = segs,
					.n_segs = 5,
					.tunsrc = { { { 0xfd, [15] = 9 } } } };
static const struct srv6_encap dx6 = { .behavior = SRV6_END_DX6,
				       .has = SRV6_HAS(NH6),
				       .nh6 = { { { 0xfd, [15] = 8 } } } };
static const struct srv6_encap dt6 = {
	.behavior = SRV6_END_DT6, .has = SRV6_HAS(TABLE) | SRV6_HAS(VRFTABLE), .table = 7, .vrftable = 8
};
static const struct srv6_encap mpls = { .behavior = SRV6_OTHER };

static const struct {
	struct srv6_hop hops[2];
	uint32_t n;
	uint32_t nhid;
	const char *words;
} described[] = {
	{ { { .encap = NULL } }, 0, 0, "no hop" },
	{ { { .encap = NULL } }, 0, 44, "nhid 44" },
	{ { { .encap = NULL } }, 1, 0, "no encapsulation" },
	{ { { .encap = &three } }, 1, 0, "H.Encaps segs fc00::1,fc00::2,fc00::3" },
	{ { { .encap = &five } }, 1, 0, "H.Encaps segs fc00::1,fc00::2,fc00::3,... (5) tunsrc fd00::9" },
	{ { { .encap = &dx6 } }, 1, 0, "End.DX6 nh6 fd00::8" },
	{ { { .encap = &dt6 } }, 1, 0, "End.DT6 table 7 vrftable 8" },
	{ { { .encap = &mpls } }, 1, 0, "another encapsulation" },
	{ { { .has = SRV6_HAS(VIA) | SRV6_HAS(DEV),
	      .ifindex = 3,
	      .via = { .family = AF_INET6, .addr.in6 = { { { 0xfe, 0x80, [15] = 1 } } } } },
	    { .encap = &dx6, .has = SRV6_HAS(DEV), .ifindex = 4 } },
	  2,
	  44,
	  "no encapsulation via fe80::1 dev #3 + End.DX6 nh6 fd00::8 dev #4 nhid 44" },
	/* No family: no address to be told */
	{ { { .encap = &dx6, .has = SRV6_HAS(VIA), .via = { .family = 0 } } }, 1, 0, "End.DX6 nh6 fd00::8" },
};

START_TEST(describes)
{
	struct srv6_route r = { .has = described[_i].nhid ? SRV6_HAS(NHID) : 0,
				.nhid = described[_i].nhid,
				.n_hops = described[_i].n,
				.hops = described[_i].n ? described[_i].hops : NULL };
	struct srv6_op op = { .kind = SRV6_ROUTE, .u.route = &r };
	size_t len = strlen(described[_i].words);
	char buf[256];

	ck_assert_str_eq(op_describe(&op, buf, sizeof(buf)), described[_i].words);
	/* Cut where there is no room, and never beyond. */
	for (size_t cap = 1; cap <= len; cap++) {
		memset(buf, 'x', sizeof(buf));
		op_describe(&op, buf, cap);
		ck_assert_uint_lt(strlen(buf), cap);
		ck_assert_int_eq(strncmp(buf, described[_i].words, strlen(buf)) && strcmp(buf, "no hop"), 0);
		ck_assert_int_eq(buf[cap], 'x');
	}
}
END_TEST

START_TEST(describes_the_rest)
{
	struct srv6_encap dx4 = { .behavior = SRV6_END_DX4, .has = SRV6_HAS(NH4) };
	struct srv6_hop hop = { .encap = &dx4 };
	struct srv6_nexthop n = { .id = 5, .hop = &hop }, group = { .id = 6 };
	struct srv6_op op = { .kind = SRV6_NEXTHOP, .u.nexthop = &n };
	char buf[128];

	memcpy(&dx4.nh4, v4, sizeof(v4));
	ck_assert_str_eq(op_describe(&op, buf, sizeof(buf)), "End.DX4 nh4 192.0.2.1");
	ck_assert(op_has_encap(&op));
	op.u.nexthop = &group;
	ck_assert_str_eq(op_describe(&op, buf, sizeof(buf)), "no hop");
	ck_assert(!op_has_encap(&op));
	op = (struct srv6_op){ .kind = SRV6_TUNSRC };
	ck_assert_str_eq(op_describe(&op, buf, sizeof(buf)), "no hop");
}
END_TEST

/* ---- keys */

static struct key key_of(uint8_t family, const void *addr, size_t size, uint8_t len, uint32_t table)
{
	struct srv6_route r = { .has = table ? SRV6_HAS(ROUTE_TABLE) : 0,
				.table = table,
				.dst = { .family = family, .len = len } };
	struct srv6_op op = { .kind = SRV6_ROUTE, .u.route = &r };
	struct key k;

	memcpy(&r.dst.addr, addr, size);
	key_of_op(&op, &k);
	return k;
}

START_TEST(keys)
{
	struct srv6_nexthop n = { .id = 5 };
	struct srv6_op op = { .kind = SRV6_NEXTHOP, .u.nexthop = &n };
	struct key k, other;
	char buf[80];

	k = key_of(AF_INET6, &segs[0], 16, 128, 0);
	ck_assert_str_eq(key_describe(&k, buf, sizeof(buf)), "fc00::1/128 in table 254");
	/* Bits beyond the length do not tell two apart, wherever in a byte it ends. */
	for (uint8_t len = 0; len < 128; len++) {
		struct in6_addr ones;

		memset(&ones, 0xff, sizeof(ones));
		k = key_of(AF_INET6, &ones, 16, len, 1000);
		ones.s6_addr[len / 8] ^= (uint8_t)(0x80 >> len % 8);
		other = key_of(AF_INET6, &ones, 16, len, 1000);
		ck_assert_int_eq(memcmp(&k, &other, sizeof(k)), 0);
		if (!len)
			continue;
		ones.s6_addr[(len - 1) / 8] ^= (uint8_t)(0x80 >> (len - 1) % 8);
		other = key_of(AF_INET6, &ones, 16, len, 1000);
		ck_assert_int_ne(memcmp(&k, &other, sizeof(k)), 0);
	}
	k = key_of(AF_INET, v4, 4, 32, 70000);
	ck_assert_str_eq(key_describe(&k, buf, sizeof(buf)), "192.0.2.1/32 in table 70000");
	k.family = 99;
	ck_assert_str_eq(key_describe(&k, buf, sizeof(buf)), "?/32 in table 70000");
	key_of_op(&op, &k);
	ck_assert_str_eq(key_describe(&k, buf, sizeof(buf)), "nexthop object 5");
}
END_TEST

static struct message msg;
static struct nlmsghdr *const nlh = (void *)&msg;

START_TEST(keys_of_messages)
{
	struct rtmsg rtm = { .rtm_family = AF_INET6, .rtm_dst_len = 64, .rtm_table = 200 };
	struct nhmsg nhm = { .nh_family = AF_INET6 };
	uint32_t table = 70000, id = 9;
	struct key k;
	char buf[80];

	new_msg(&msg, RTM_NEWROUTE, &rtm, sizeof(rtm));
	put(nlh, RTA_DST, &segs[0], 16);
	ck_assert(key_of_msg(nlh, &k));
	ck_assert_str_eq(key_describe(&k, buf, sizeof(buf)), "fc00::/64 in table 200");
	put(nlh, RTA_TABLE, &table, sizeof(table));
	ck_assert(key_of_msg(nlh, &k));
	ck_assert_str_eq(key_describe(&k, buf, sizeof(buf)), "fc00::/64 in table 70000");
	/* An address that is longer than one is cut, one that is shorter ends in zeros. */
	new_msg(&msg, RTM_DELROUTE, &rtm, sizeof(rtm));
	put(nlh, RTA_DST, segs, 20);
	ck_assert(key_of_msg(nlh, &k));
	ck_assert_str_eq(key_describe(&k, buf, sizeof(buf)), "fc00::/64 in table 200");
	nlh->nlmsg_len = (uint32_t)MSG_LEN(sizeof(rtm)) - 1;
	ck_assert(!key_of_msg(nlh, &k));
	rtm.rtm_flags = RTM_F_CLONED;
	new_msg(&msg, RTM_NEWROUTE, &rtm, sizeof(rtm));
	ck_assert(!key_of_msg(nlh, &k));

	new_msg(&msg, RTM_NEWNEXTHOP, &nhm, sizeof(nhm));
	ck_assert(!key_of_msg(nlh, &k));
	put(nlh, NHA_ID, &id, sizeof(id));
	ck_assert(key_of_msg(nlh, &k));
	ck_assert_str_eq(key_describe(&k, buf, sizeof(buf)), "nexthop object 9");
	new_msg(&msg, RTM_NEWADDR, &nhm, sizeof(nhm));
	ck_assert(!key_of_msg(nlh, &k));
}
END_TEST

/* ---- BPF programs: descriptors in the copy are duplicates, and no failure keeps one or closes the caller's */

static int lowest(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	close(fd);
	return fd;
}

START_TEST(programs)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC), free_fd = lowest();
	struct srv6_encap e[] = {
		{ .behavior = SRV6_END_BPF, .has = SRV6_HAS(BPF), .bpf = { .fd = fd } },
		{ .behavior = SRV6_END_BPF, .has = SRV6_HAS(BPF), .bpf = { .fd = fd } },
		{ .behavior = SRV6_END_BPF, .has = SRV6_HAS(BPF), .bpf = { .fd = fd } },
	};
	struct srv6_hop hops[] = { { .encap = &e[0] }, { .encap = &e[1] }, { .encap = NULL }, { .encap = &e[2] } };
	struct srv6_route r = { .sz = sizeof(r), .n_hops = 4, .hops = hops, .dst = { .family = AF_INET6 } };
	struct srv6_op op = { .verb = SRV6_ADD, .kind = SRV6_ROUTE, .u.route = &r }, *copy;
	struct srv6_error err;

	for (int i = 0; i < 3; i++)
		e[i].sz = sizeof(e[i]);
	/* What is no program has no id: the kernel says so when it is asked to use it. */
	ck_assert_int_eq(op_fill(&op, &copy, &err), 0);
	ck_assert_int_ne(copy->u.route->hops[0].encap->bpf.fd, fd);
	ck_assert_int_eq(fcntl(copy->u.route->hops[3].encap->bpf.fd, F_GETFD), FD_CLOEXEC);
	op_unfill(copy);
	ck_assert_int_eq(lowest(), free_fd);
	/* No such descriptor, in the middle */
	e[1].bpf.fd = 999;
	err_clear(&err);
	ck_assert_int_eq(op_fill(&op, &copy, &err), -EBADF);
	ck_assert_uint_eq(err.attr, SRV6_ATTR_BPF);
	ck_assert(!copy && *err.remedy);
	ck_assert_int_eq(lowest(), free_fd);
	ck_assert_int_ge(fcntl(fd, F_GETFD), 0);
	/* No such program; or we may not ask */
	e[1].bpf.fd = 0;
	e[1].bpf.id = UINT32_MAX;
	err_clear(&err);
	ck_assert_int_lt(op_fill(&op, &copy, &err), 0);
	ck_assert_str_eq(err.text, "BPF program 4294967295 cannot be opened by its id");
	ck_assert_int_eq(lowest(), free_fd);
	/* A deletion names none. */
	op.verb = SRV6_DEL;
	ck_assert_int_eq(op_fill(&op, &copy, &err), 0);
	ck_assert_ptr_null(copy);
	op_unfill(NULL);
	close(fd);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("op");

	tcase_add_loop_test(tc, describes, 0, ARRAY_SIZE(described));
	tcase_add_test(tc, describes_the_rest);
	tcase_add_test(tc, keys);
	tcase_add_test(tc, keys_of_messages);
	tcase_add_test(tc, programs);
	return suite_run("op", tc);
}

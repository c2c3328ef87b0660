/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program as others write it, for tests/abi/run: built against the header of one version (of a later one with -DLATER), run
 * with the library of the other. It says what it got; that must be the same whichever library runs.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/rtnetlink.h>
#include <libsrv6/libsrv6.h>

#define CHECK(what)                                                                                                    \
	do {                                                                                                           \
		if (!(what)) {                                                                                         \
			printf("error: line %d: %s\n", __LINE__, #what);                                               \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

static struct in6_addr segs[2];
static struct srv6_encap encap = SRV6_INIT(struct srv6_encap);
static struct srv6_hop hop = { .encap = &encap, .has = SRV6_HAS(DEV), .ifindex = 7 };
static struct srv6_route route = SRV6_INIT(struct srv6_route);
static struct srv6_nexthop nexthop = SRV6_INIT(struct srv6_nexthop);
static struct srv6_op op_route = { .verb = SRV6_ADD, .kind = SRV6_ROUTE, .u.route = &route };
static struct srv6_op op_nexthop = { .verb = SRV6_ADD, .kind = SRV6_NEXTHOP, .u.nexthop = &nexthop };
static struct srv6_build_opts opts = SRV6_INIT(struct srv6_build_opts);

static void fill(void)
{
	inet_pton(AF_INET6, "fc00:1::1", &segs[0]);
	inet_pton(AF_INET6, "fc00:2::1", &segs[1]);
	encap.behavior = SRV6_H_ENCAPS;
	encap.has = SRV6_HAS(SEGS);
	encap.segs = segs;
	encap.n_segs = 2;
	route.dst.family = AF_INET6;
	route.dst.len = 32;
	inet_pton(AF_INET6, "2001:db8::", &route.dst.addr);
	route.hops = &hop;
	route.n_hops = 1;
	nexthop.has = SRV6_HAS(NH_ID);
	nexthop.id = 9;
	nexthop.family = AF_INET6;
	nexthop.hop = &hop;
	opts.seq = 1;
}

/* What goes out, and what is read of it. */
static void both_ways(const struct srv6_op *op)
{
	uint32_t buf[256];
	static uint64_t mem[SRV6_READ_MEM / 8];
	struct srv6_error err;
	struct srv6_op back, *copy;
	uint32_t attr;

	CHECK(!srv6_check(op, &opts, &err));
	CHECK(!srv6_build(buf, sizeof(buf), op, &opts, &err));
	for (uint32_t i = 0; i < buf[0]; i++)
		printf("%02x", ((unsigned char *)buf)[i]);
	putchar('\n');
	CHECK(!srv6_read((void *)buf, mem, sizeof(mem), &back));
	CHECK(back.kind == op->kind);
	CHECK(!srv6_diff(op, &back, 0, &attr));
	CHECK(!srv6_copy(op, &copy));
	CHECK(!srv6_diff(copy, op, SRV6_DIFF_EQUAL, &attr));
	free(copy);
}

/* Into a struct of this program's size: what is behind it stays as it is. */
static void encap_alone(void)
{
	struct {
		uint32_t room[2]; /* what put_encap is given stands in front */
		uint32_t buf[126];
	} msg = { { 0 }, { 0 } };
	struct {
		struct srv6_encap encap;
		unsigned char behind[64];
	} got;
	static uint64_t mem[512];
	struct nlmsghdr *nlh = (void *)msg.buf;
	struct rtattr *a;

	memset(&got, 0x5a, sizeof(got));
	memset(&got.encap, 0, sizeof(got.encap));
	got.encap.sz = sizeof(got.encap);
	nlh->nlmsg_len = NLMSG_LENGTH(sizeof(struct rtmsg));
	CHECK(!srv6_put_encap(nlh, sizeof(msg.buf), SRV6_ROUTE, &encap, AF_INET6, &opts, NULL));
	for (a = (void *)((char *)nlh + NLMSG_LENGTH(sizeof(struct rtmsg)));
	     (a->rta_type & NLA_TYPE_MASK) != RTA_ENCAP && a->rta_len;)
		a = (void *)((char *)a + RTA_ALIGN(a->rta_len));
	CHECK((a->rta_type & NLA_TYPE_MASK) == RTA_ENCAP);
	CHECK(!srv6_get_encap(5 /* seg6 */, RTA_DATA(a), RTA_PAYLOAD(a), mem, sizeof(mem), &got.encap));
	CHECK(got.encap.sz == sizeof(got.encap));
	CHECK(got.encap.n_segs == 2 && !memcmp(got.encap.segs, segs, sizeof(segs)));
	for (size_t i = 0; i < sizeof(got.behind); i++)
		CHECK(got.behind[i] == 0x5a);
	puts("encap");
}

#ifdef LATER
static void told(const char *what, int code)
{
	if (code && code != -E2BIG) {
		printf("error: %s: %d\n", what, code);
		exit(1);
	}
	printf("later: %s %s\n", code ? "refused" : "taken", what);
}

/* What this version knows and the other may not: never dropped without a word. */
static void later(void)
{
	struct srv6_tunsrc tunsrc = SRV6_INIT(struct srv6_tunsrc);
	struct srv6_op op = { .verb = SRV6_REPLACE, .kind = SRV6_TUNSRC, .u.tunsrc = &tunsrc };
	struct srv6_opts with = SRV6_INIT(struct srv6_opts);
	struct srv6 *s = NULL;

	encap.later = 1;
	told("encap", srv6_check(&op_route, &opts, NULL));
	encap.later = 0;
	route.later = 1;
	told("route", srv6_check(&op_route, &opts, NULL));
	route.later = 0;
	nexthop.later = 1;
	told("nexthop", srv6_check(&op_nexthop, &opts, NULL));
	nexthop.later = 0;
	opts.later = 1;
	told("build_opts", srv6_check(&op_route, &opts, NULL));
	opts.later = 0;
	tunsrc.later = 1;
	told("tunsrc", srv6_check(&op, &opts, NULL));
	with.later = 1;
	told("opts", srv6_open(&s, &with));
	srv6_close(s);
}
#endif

int main(void)
{
	struct srv6_opts with = SRV6_INIT(struct srv6_opts);
	struct srv6 *s = NULL;

	fill();
	both_ways(&op_route);
	both_ways(&op_nexthop);
	encap_alone();
	CHECK(!srv6_open(&s, &with));
	CHECK(srv6_error(s)->code == 0);
	srv6_close(s);
	puts("open");
#ifdef LATER
	later();
#endif
	return 0;
}

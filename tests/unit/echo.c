/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An echo taken for the request's own, byte by byte, must be one that reading it finds right too: of whole echoes, and of
 * echoes changed in every byte, cut at every attribute, and with attributes more.
 */
#include <stdlib.h>
#include <string.h>
#include <check.h>
#include <linux/lwtunnel.h>

#include "apply.h"
#include "codec.h"
#include "suite.h"

static const struct in6_addr segs[] = { { { { 0xfc, 1 } } }, { { { 0xfc, 2 } } }, { { { 0xfc, 3 } } } };

struct asked {
	struct srv6_encap encap;
	struct srv6_hop hop;
	struct srv6_route route;
	struct srv6_op op;
};

static void ask(struct asked *x, uint32_t verb, uint8_t family, bool encap)
{
	memset(x, 0, sizeof(*x));
	x->encap = (struct srv6_encap){ sizeof(x->encap), .has = SRV6_HAS(SEGS), .behavior = SRV6_H_ENCAPS,
					.segs = segs, .n_segs = 3 };
	x->hop = (struct srv6_hop){ .encap = encap ? &x->encap : NULL, .has = SRV6_HAS(DEV), .ifindex = 3 };
	x->route = (struct srv6_route){ sizeof(x->route), .has = SRV6_HAS(DST), .hops = &x->hop, .n_hops = 1 };
	x->route.dst = (struct srv6_prefix){ .family = family, .len = 24, .addr.in6 = { { { 0xfd, 1, 2 } } } };
	x->op = (struct srv6_op){ .verb = verb, .kind = SRV6_ROUTE, .u.route = &x->route };
}

static _Alignas(8) uint8_t request[4096], echoed[4096], changed[4096];

/* What the kernel shows of a route: what was asked of it by add, and what it adds. */
static struct nlmsghdr *show(const struct asked *x, uint16_t type)
{
	struct srv6_build_opts opts = SRV6_INIT(struct srv6_build_opts);
	struct srv6_op op = x->op;
	struct msg m = { .buf = echoed, .cap = sizeof(echoed) };
	struct rta_cacheinfo ci = { .rta_used = 1 };

	op.verb = SRV6_ADD;
	ck_assert_int_eq(srv6_build(echoed, sizeof(echoed), &op, &opts, NULL), 0);
	m.len = ((struct nlmsghdr *)(void *)echoed)->nlmsg_len;
	if (route_table(&x->route) < 256)
		msg_u32(&m, RTA_TABLE, route_table(&x->route));
	if (x->route.dst.family == AF_INET6 && !(x->route.has & SRV6_HAS(METRIC)))
		msg_u32(&m, RTA_PRIORITY, 1024);
	msg_put(&m, RTA_CACHEINFO, &ci, sizeof(ci));
	if (x->route.dst.family == AF_INET6)
		msg_u8(&m, RTA_PREF, 0);
	ck_assert_int_eq(msg_end(&m, NULL), 0);
	((struct nlmsghdr *)(void *)echoed)->nlmsg_type = type;
	return (void *)echoed;
}

static const struct nlmsghdr *build(const struct asked *x)
{
	struct srv6_build_opts opts = SRV6_INIT(struct srv6_build_opts);

	ck_assert_int_eq(srv6_build(request, sizeof(request), &x->op, &opts, NULL), 0);
	return (void *)request;
}

/* Of what is not to be read, all that was asked is there all the same. */
static bool read_says(const struct asked *x, const struct nlmsghdr *echo)
{
	struct reader r = { .mem = NULL };
	bool is = reader_read(&r, echo) || verify_echo(&x->op, &r.op, NULL);

	reader_free(&r);
	return is;
}

/* Returns whether it was taken for the request's own. */
static bool agree(const struct asked *x, const struct nlmsghdr *echo, const char *what, size_t at)
{
	bool same = echo_is_request(&x->op, build(x), echo);

	ck_assert_msg(!same || read_says(x, echo), "%s %zu: taken for what was asked, and is not", what, at);
	return same;
}

static const struct {
	uint32_t verb;
	uint8_t family;
	bool encap;
	uint64_t has;
} cases[] = {
	{ SRV6_ADD, AF_INET6, true, 0 },
	{ SRV6_REPLACE, AF_INET6, true, SRV6_HAS(METRIC) | SRV6_HAS(PROTOCOL) },
	{ SRV6_CHANGE, AF_INET6, false, SRV6_HAS(ROUTE_TABLE) },
	{ SRV6_APPEND, AF_INET6, true, SRV6_HAS(MTU) },
	{ SRV6_ADD, AF_INET, true, SRV6_HAS(TOS) },
	{ SRV6_DEL, AF_INET6, false, 0 },
	{ SRV6_DEL, AF_INET6, false, SRV6_HAS(METRIC) | SRV6_HAS(ROUTE_TABLE) },
	{ SRV6_DEL, AF_INET, false, SRV6_HAS(PROTOCOL) },
};

static uint16_t type_of(const struct asked *x)
{
	return x->op.verb == SRV6_DEL ? RTM_DELROUTE : RTM_NEWROUTE;
}

static void ask_case(struct asked *x, int i)
{
	ask(x, cases[i].verb, cases[i].family, cases[i].encap);
	x->route.has |= cases[i].has;
	if (i == 0)
		x->hop.has |= SRV6_HAS(ONLINK);
	x->route.metric = 7;
	x->route.protocol = 186;
	x->route.table = 1000;
	x->route.tos = 4;
	x->route.metrics[RTAX_MTU] = 1400;
}

START_TEST(every_byte)
{
	struct asked x;
	const struct nlmsghdr *echo;
	unsigned int same = 0;

	ask_case(&x, _i);
	echo = show(&x, type_of(&x));
	ck_assert(agree(&x, echo, "whole", 0));
	for (size_t at = MSG_HEAD; at < echo->nlmsg_len; at++)
		for (unsigned int bit = 1; bit < 256; bit <<= 1) {
			memcpy(changed, echo, echo->nlmsg_len);
			changed[at] = (uint8_t)(changed[at] ^ bit);
			same += agree(&x, (void *)changed, "byte", at);
		}
	/* Ages, padding, flags, and in a deletion what was not named. */
	ck_assert_uint_lt(same, (echo->nlmsg_len - MSG_HEAD) * 8 * 2 / 3);
}
END_TEST

/* Without each attribute, and with each twice. */
START_TEST(every_attribute)
{
	struct asked x;
	const struct nlmsghdr *echo;
	struct nlmsghdr *other = (void *)changed;
	size_t head = MSG_LEN(sizeof(struct rtmsg));
	struct attrs run;
	struct attr a;

	ask_case(&x, _i);
	echo = show(&x, type_of(&x));
	run = (struct attrs){ echoed + head, echo->nlmsg_len - head };
	while (attr_next(&run, &a)) {
		size_t at = (size_t)(a.data - ATTR_HDR - echoed), space = attr_space(&a);

		memcpy(changed, echoed, at);
		memcpy(changed + at, echoed + at + space, echo->nlmsg_len - at - space);
		other->nlmsg_len = echo->nlmsg_len - (uint32_t)space;
		agree(&x, other, "without attribute", a.type);
		memcpy(changed, echoed, echo->nlmsg_len);
		memcpy(changed + echo->nlmsg_len, echoed + at, space);
		other->nlmsg_len = echo->nlmsg_len + (uint32_t)space;
		agree(&x, other, "twice attribute", a.type);
		/* cut in the middle of it */
		memcpy(changed, echoed, echo->nlmsg_len);
		other->nlmsg_len = (uint32_t)at + 5;
		agree(&x, other, "cut at attribute", a.type);
	}
}
END_TEST

/* With each type of attribute more. */
START_TEST(one_more)
{
	static const uint8_t zeros[24];
	struct asked x;
	const struct nlmsghdr *echo;

	ask_case(&x, _i);
	echo = show(&x, type_of(&x));
	for (uint16_t type = 0; type < 70; type++)
		for (size_t len = 0; len <= sizeof(zeros); len++) {
			struct msg m = { .buf = changed, .cap = sizeof(changed), .len = echo->nlmsg_len };

			memcpy(changed, echo, echo->nlmsg_len);
			msg_put(&m, type, zeros, len);
			ck_assert_int_eq(msg_end(&m, NULL), 0);
			agree(&x, (void *)changed, "one more", type);
		}
}
END_TEST

/* What it must not take for the same, whatever reading says. */
START_TEST(not_the_same)
{
	struct asked x, y;

	ask_case(&x, 0);
	ask_case(&y, 0);
	y.encap.n_segs = 2;
	ck_assert(!echo_is_request(&x.op, build(&x), show(&y, RTM_NEWROUTE)));
	ask_case(&y, 2); /* the encapsulation is forgotten */
	y.route.has = SRV6_HAS(DST);
	ck_assert(!echo_is_request(&x.op, build(&x), show(&y, RTM_NEWROUTE)));
	/* a deletion by device that took a route through a gateway */
	ask_case(&x, 5);
	ask_case(&y, 0);
	ck_assert(echo_is_request(&x.op, build(&x), show(&y, RTM_DELROUTE)));
	y.hop.has |= SRV6_HAS(VIA);
	y.hop.via = (struct srv6_prefix){ .family = AF_INET6, .len = 128, .addr.in6 = segs[0] };
	ck_assert(!echo_is_request(&x.op, build(&x), show(&y, RTM_DELROUTE)));
	/* a deletion that names an encapsulation, of which the request says nothing */
	x.hop.encap = &x.encap;
	ask_case(&y, 0);
	y.encap.n_segs = 2;
	ck_assert(!echo_is_request(&x.op, build(&x), show(&y, RTM_DELROUTE)));
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("echo");

	tcase_add_loop_test(t, every_byte, 0, ARRAY_SIZE(cases));
	tcase_add_loop_test(t, every_attribute, 0, ARRAY_SIZE(cases));
	tcase_add_loop_test(t, one_more, 0, ARRAY_SIZE(cases));
	tcase_add_test(t, not_the_same);
	return suite_run("echo", t);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Changes, lists and events on the running kernel, in a network namespace of the test's own: the process leaves the host's
 * first of all. Skipped (77) where that is refused.
 */
#include <arpa/inet.h>
#include <check.h>
#include <errno.h>
#include <net/if.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/nexthop.h>

#include "message.h"
#include "shadow.h"
#include "suite.h"

#define MANY 5000

static struct srv6 *s;

/* ---- a namespace with a device */

static void set_link(uint32_t ifindex, uint32_t flags)
{
	struct {
		struct nlmsghdr nlh;
		struct ifinfomsg ifi;
	} req = { .nlh = { .nlmsg_len = sizeof(req), .nlmsg_type = RTM_NEWLINK },
		  .ifi = { .ifi_index = (int)ifindex, .ifi_flags = flags, .ifi_change = IFF_UP } };
	struct ack ack;

	ck_assert_int_eq(knl_talk(s, &s->route, &req.nlh, NULL, NULL, &ack), 0);
}

/* A pair, d0 and d1: each has the other's carrier. */
static void add_pair(void)
{
	static const struct ifinfomsg ifi = { 0 };
	struct message m;
	struct nlmsghdr *nlh = new_msg(&m, RTM_NEWLINK, &ifi, sizeof(ifi));
	struct nlattr *info, *data, *peer;
	struct ack ack;

	nlh->nlmsg_flags = NLM_F_CREATE | NLM_F_EXCL;
	put(nlh, IFLA_IFNAME, "d0", 3);
	info = put(nlh, IFLA_LINKINFO, NULL, 0);
	put(nlh, IFLA_INFO_KIND, "veth", 4);
	data = put(nlh, IFLA_INFO_DATA, NULL, 0);
	peer = put(nlh, 1, &ifi, sizeof(ifi));
	put(nlh, IFLA_IFNAME, "d1", 3);
	end_nest(nlh, peer);
	end_nest(nlh, data);
	end_nest(nlh, info);
	ck_assert_int_eq(knl_talk(s, &s->route, nlh, NULL, NULL, &ack), 0);
}

static void add_address(const char *address)
{
	struct {
		struct nlmsghdr nlh;
		struct ifaddrmsg ifa;
		uint32_t room[16];
	} req = {
		.nlh = { .nlmsg_len = MSG_LEN(sizeof(req.ifa)), .nlmsg_type = RTM_NEWADDR, .nlmsg_flags = NLM_F_CREATE }
	};
	struct ack ack;
	uint8_t a[16];

	req.ifa.ifa_family = strchr(address, ':') ? AF_INET6 : AF_INET;
	req.ifa.ifa_prefixlen = req.ifa.ifa_family == AF_INET ? 24 : 64;
	req.ifa.ifa_flags = IFA_F_NODAD;
	req.ifa.ifa_index = if_nametoindex("d0");
	inet_pton(req.ifa.ifa_family, address, a);
	put(&req.nlh, IFA_LOCAL, a, req.ifa.ifa_family == AF_INET ? 4 : 16);
	ck_assert_int_eq(knl_talk(s, &s->route, &req.nlh, NULL, NULL, &ack), 0);
}

static void setup(void)
{
	ck_assert_int_eq(unshare(CLONE_NEWNET), 0);
	ck_assert_int_eq(srv6_open(&s, NULL), 0);
	add_pair();
	set_link(if_nametoindex("lo"), IFF_UP);
	set_link(if_nametoindex("d0"), IFF_UP);
	set_link(if_nametoindex("d1"), IFF_UP);
	add_address("2001:db8:1::1");
	add_address("192.0.2.1");
}

static void teardown(void)
{
	srv6_close(s);
}

/* ---- many routes */

struct batch {
	struct in6_addr segs[3];
	struct srv6_encap encap;
	struct srv6_hop hop;
	struct srv6_route *routes;
	struct srv6_op *ops;
	size_t n;
};

static void batch_make(struct batch *b, uint32_t verb, size_t n, uint8_t family, const char *seg)
{
	memset(b, 0, sizeof(*b));
	for (int i = 0; i < 3; i++) {
		inet_pton(AF_INET6, seg, &b->segs[i]);
		b->segs[i].s6_addr[15] = (uint8_t)(i + 1);
	}
	b->encap = (struct srv6_encap)SRV6_INIT(struct srv6_encap);
	b->encap.behavior = SRV6_H_ENCAPS;
	b->encap.has = SRV6_HAS(SEGS);
	b->encap.segs = b->segs;
	b->encap.n_segs = 3;
	b->hop = (struct srv6_hop){ .encap = &b->encap, .has = SRV6_HAS(DEV), .ifindex = if_nametoindex("d0") };
	b->routes = calloc(n, sizeof(*b->routes));
	b->ops = calloc(n, sizeof(*b->ops));
	b->n = n;
	for (size_t i = 0; i < n; i++) {
		struct srv6_route *r = &b->routes[i];
		uint8_t *a = (void *)&r->dst.addr;

		r->sz = sizeof(*r);
		r->dst.family = family;
		r->dst.len = family == AF_INET ? 24 : 64;
		inet_pton(family, family == AF_INET ? "10.0.0.0" : "2001:db8:ff::", a);
		a += family == AF_INET ? 1 : 6;
		a[0] = (uint8_t)(i >> 8);
		a[1] = (uint8_t)i;
		r->hops = &b->hop;
		r->n_hops = verb == SRV6_DEL ? 0 : 1;
		b->ops[i] = (struct srv6_op){ .verb = verb, .kind = SRV6_ROUTE, .u.route = r };
	}
}

static void batch_drop(struct batch *b)
{
	free(b->routes);
	free(b->ops);
}

static int apply(uint32_t verb, size_t n, uint8_t family, const char *seg, uint32_t flags)
{
	struct srv6_apply_opts o = SRV6_INIT(struct srv6_apply_opts);
	struct batch b;
	int r;

	o.flags = flags;
	batch_make(&b, verb, n, family, seg);
	r = srv6_apply(s, b.ops, b.n, &o);
	batch_drop(&b);
	return r;
}

static int count_cb(const struct srv6_op *op, void *arg)
{
	ck_assert_uint_eq(op->kind, SRV6_ROUTE);
	++*(size_t *)arg;
	return 0;
}

static size_t count(void)
{
	struct srv6_op match = { .kind = SRV6_ROUTE };
	size_t n = 0;

	ck_assert_msg(srv6_dump(s, &match, SRV6_DUMP_ENCAP, count_cb, &n) == 0, "%s", srv6_error(s)->text);
	return n;
}

/* Everything in the routing tables and the nexthop objects, for a comparison by bytes. */
struct image {
	uint8_t *data;
	size_t len;
};

static int image_cb(const struct srv6_op *op, void *arg)
{
	struct image *im = arg;
	size_t n = op->nlh->nlmsg_len - MSG_HEAD, at = im->len;

	/* Those of link-local addresses come when the kernel gets round to it. */
	if (op->kind == SRV6_ROUTE && op->u.route->protocol == RTPROT_KERNEL)
		return 0;
	im->data = realloc(im->data, at + n);
	memcpy(im->data + at, (const char *)op->nlh + MSG_HEAD, n);
	im->len += n;
	return 0;
}

static struct image image(void)
{
	struct srv6_op routes = { .kind = SRV6_ROUTE }, objects = { .kind = SRV6_NEXTHOP };
	struct image im = { NULL, 0 };

	ck_assert_int_eq(srv6_dump(s, &routes, 0, image_cb, &im), 0);
	ck_assert_int_eq(srv6_dump(s, &objects, 0, image_cb, &im), 0);
	return im;
}

static void same_image(struct image *a, struct image *b)
{
	ck_assert_uint_eq(a->len, b->len);
	ck_assert(!a->len || !memcmp(a->data, b->data, a->len));
	free(a->data);
	free(b->data);
}

/* ---- tests */

START_TEST(bulk)
{
	static const uint8_t families[] = { AF_INET6, AF_INET };

	for (size_t f = 0; f < 2; f++) {
		ck_assert_msg(apply(SRV6_ADD, MANY, families[f], "fc00:a::", 0) == 0, "%s", srv6_error(s)->text);
		ck_assert_uint_eq(count(), MANY);
		ck_assert_int_eq(apply(SRV6_ADD, MANY, families[f], "fc00:a::", 0), -EEXIST);
		ck_assert_int_eq(apply(SRV6_REPLACE, MANY, families[f], "fc00:b::", 0), 0);
		ck_assert_int_eq(apply(SRV6_REPLACE, MANY, families[f], "fc00:b::", SRV6_APPLY_KEEP_EQUAL), 0);
		ck_assert_uint_eq(count(), MANY);
		ck_assert_int_eq(apply(SRV6_DEL, MANY, families[f], "fc00:b::", 0), 0);
		ck_assert_uint_eq(count(), 0);
		ck_assert_int_eq(apply(SRV6_DEL, 1, families[f], "fc00:b::", 0), -ESRCH);
	}
}
END_TEST

/* All or nothing, failing at op k of many, over what was there: the tables are as before, to the byte. */
START_TEST(atomic)
{
	static const size_t at[] = { 0, 1, 70, 299 };

	ck_assert_int_eq(apply(SRV6_ADD, 200, AF_INET6, "fc00:c::", 0), 0);
	for (size_t i = 0; i < ARRAY_SIZE(at); i++) {
		struct srv6_apply_opts o = SRV6_INIT(struct srv6_apply_opts);
		struct image before = image(), after;
		struct batch b;

		o.flags = SRV6_APPLY_ATOMIC;
		batch_make(&b, SRV6_REPLACE, 300, AF_INET6, "fc00:d::");
		/* some replaced, some new, some deleted, and one impossible */
		for (size_t j = 0; j < 200; j += 7) {
			b.ops[j].verb = SRV6_DEL;
			b.routes[j].n_hops = 0;
		}
		b.ops[at[i]].verb = SRV6_CHANGE;
		b.routes[at[i]].dst.addr.in6.s6_addr[0] = 0xfd;
		b.routes[at[i]].n_hops = 1;
		ck_assert_int_eq(srv6_apply(s, b.ops, b.n, &o), -ENOENT);
		ck_assert_uint_eq(srv6_error(s)->op, at[i]);
		ck_assert_uint_eq(srv6_error(s)->state, SRV6_STATE_UNCHANGED);
		after = image();
		same_image(&before, &after);
		batch_drop(&b);
	}
}
END_TEST

static struct srv6_nexthop object(uint32_t id, const struct srv6_hop *hop)
{
	struct srv6_nexthop nh = SRV6_INIT(struct srv6_nexthop);

	nh.has = SRV6_HAS(NH_ID);
	nh.id = id;
	nh.family = AF_INET6;
	nh.hop = hop;
	return nh;
}

/* With a nexthop object go its routes, and the groups that it was the only member of: all of it comes back. */
START_TEST(atomic_objects)
{
	struct srv6_apply_opts o = SRV6_INIT(struct srv6_apply_opts);
	struct srv6_group member = { .id = 5, .weight = 1 };
	struct srv6_nexthop nh, group = SRV6_INIT(struct srv6_nexthop), other;
	struct image before, after;
	struct batch b;

	batch_make(&b, SRV6_ADD, 3, AF_INET6, "fc00:a::");
	nh = object(5, &b.hop);
	group.has = SRV6_HAS(NH_ID) | SRV6_HAS(NH_GROUP);
	group.id = 6;
	group.group = &member;
	group.n_group = 1;
	for (int i = 0; i < 3; i++) {
		b.routes[i].has |= SRV6_HAS(NHID);
		b.routes[i].nhid = i == 2 ? 6 : 5;
		b.routes[i].n_hops = 0;
	}
	{
		struct srv6_op make[] = {
			{ .verb = SRV6_ADD, .kind = SRV6_NEXTHOP, .u.nexthop = &nh },
			{ .verb = SRV6_ADD, .kind = SRV6_NEXTHOP, .u.nexthop = &group },
			b.ops[0],
			b.ops[1],
			b.ops[2],
		};

		ck_assert_msg(srv6_apply(s, make, 5, NULL) == 0, "%s (%s)", srv6_error(s)->text, srv6_error(s)->kernel);
	}
	ck_assert_uint_eq(count(), 3);
	before = image();
	other = object(77, NULL);
	{
		struct srv6_op unmake[] = {
			{ .verb = SRV6_DEL, .kind = SRV6_NEXTHOP, .u.nexthop = &nh },
			{ .verb = SRV6_DEL, .kind = SRV6_NEXTHOP, .u.nexthop = &other }, /* there is none */
		};

		o.flags = SRV6_APPLY_ATOMIC;
		ck_assert_int_eq(srv6_apply(s, unmake, 2, &o), -ENOENT);
	}
	ck_assert_msg(srv6_error(s)->state == SRV6_STATE_UNCHANGED, "%s", srv6_error(s)->text);
	after = image();
	same_image(&before, &after);
	batch_drop(&b);
}
END_TEST

/* Per-route tunsrc: held, or refused with nothing left behind and nothing replaced. */
START_TEST(tunsrc)
{
	static const uint32_t verbs[] = { SRV6_ADD, SRV6_REPLACE };
	int can = srv6_can(s, SRV6_OTHER, SRV6_ATTR_TUNSRC, 0);

	ck_assert_int_gt(can, SRV6_CAN_UNKNOWN);
	for (size_t v = 0; v < 2; v++) {
		struct image before, after;
		struct batch b;
		int r;

		if (verbs[v] == SRV6_REPLACE)
			ck_assert_int_eq(apply(SRV6_REPLACE, 3, AF_INET6, "fc00:e::", 0), 0);
		before = image();
		batch_make(&b, verbs[v], 3, AF_INET6, "fc00:a::");
		b.encap.has |= SRV6_HAS(TUNSRC);
		inet_pton(AF_INET6, "2001:db8:1::1", &b.encap.tunsrc);
		r = srv6_apply(s, b.ops, b.n, NULL);
		if (can == SRV6_CAN_YES) {
			ck_assert_int_eq(r, 0);
			free(before.data);
		} else {
			ck_assert_int_eq(r, -EOPNOTSUPP);
			ck_assert_uint_eq(srv6_error(s)->attr, SRV6_ATTR_TUNSRC);
			ck_assert_ptr_nonnull(strstr(srv6_error(s)->text, "7.1"));
			after = image();
			same_image(&before, &after);
		}
		batch_drop(&b);
	}
}
END_TEST

/* Each refusal says what it is about and what mends it. */
START_TEST(refusals)
{
	struct batch b;

	batch_make(&b, SRV6_ADD, 1, AF_INET6, "fc00:a::");
	set_link(b.hop.ifindex, 0);
	ck_assert_int_eq(srv6_apply(s, b.ops, 1, NULL), -ENETDOWN);
	ck_assert_str_eq(srv6_error(s)->text, "device d0 is down");
	ck_assert_str_eq(srv6_error(s)->remedy, "ip link set dev d0 up");
	set_link(b.hop.ifindex, IFF_UP);
	b.hop.ifindex = 4711;
	ck_assert_int_eq(srv6_apply(s, b.ops, 1, NULL), -ENODEV);
	ck_assert_ptr_nonnull(strstr(srv6_error(s)->text, "4711"));
	b.hop.has = SRV6_HAS(VIA);
	b.hop.via.family = AF_INET6;
	b.hop.via.len = 128;
	inet_pton(AF_INET6, "2001:db8:dead::1", &b.hop.via.addr);
	ck_assert_int_eq(srv6_apply(s, b.ops, 1, NULL), -EHOSTUNREACH);
	ck_assert_ptr_nonnull(strstr(srv6_error(s)->text, "2001:db8:dead::1"));
	ck_assert_uint_eq(srv6_error(s)->attr, SRV6_ATTR_VIA);
	batch_drop(&b);
}
END_TEST

/* ---- churn */

struct churn {
	struct srv6 *s;
	int stop;
	unsigned int rounds;
};

static void *churn_main(void *arg)
{
	struct churn *c = arg;
	struct batch add, del;

	batch_make(&add, SRV6_REPLACE, 400, AF_INET6, "fc00:f::");
	batch_make(&del, SRV6_DEL, 400, AF_INET6, "fc00:f::");
	for (size_t i = 0; i < del.n; i++) {
		/* Without one the kernel takes whichever is first. */
		del.routes[i].has |= SRV6_HAS(METRIC);
		del.routes[i].metric = 1024;
	}
	for (; !__atomic_load_n(&c->stop, __ATOMIC_RELAXED); c->rounds++) {
		srv6_apply(c->s, add.ops, add.n, NULL);
		srv6_apply(c->s, del.ops, del.n, NULL);
	}
	batch_drop(&add);
	batch_drop(&del);
	return NULL;
}

struct tally {
	size_t steady;
	uint8_t seen[MANY / 8 + 1];
	size_t twice;
};

/* Those that nobody touches: of metric 77. */
static int tally_cb(const struct srv6_op *op, void *arg)
{
	struct tally *t = arg;
	const uint8_t *a = op->u.route->dst.addr.in6.s6_addr;
	unsigned int i = (unsigned int)a[6] << 8 | a[7];

	if (op->u.route->metric != 77)
		return 0;
	t->twice += t->seen[i / 8] >> (i % 8) & 1;
	t->seen[i / 8] |= (uint8_t)(1 << i % 8);
	t->steady++;
	return 0;
}

/* While another changes the same table, a list that is called whole lacks none of those that stayed, and doubles none. */
START_TEST(list_churn)
{
	struct srv6_op match = { .kind = SRV6_ROUTE };
	struct churn c = { .stop = 0 };
	pthread_t thread;
	struct batch b;

	batch_make(&b, SRV6_ADD, 2000, AF_INET6, "fc00:a::");
	for (size_t i = 0; i < b.n; i++) {
		b.routes[i].has |= SRV6_HAS(METRIC);
		b.routes[i].metric = 77;
	}
	ck_assert_int_eq(srv6_apply(s, b.ops, b.n, NULL), 0);
	ck_assert_int_eq(srv6_open(&c.s, NULL), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, churn_main, &c), 0);
	for (int i = 0; i < 40; i++) {
		struct tally t = { .steady = 0 };
		int r = srv6_dump(s, &match, SRV6_DUMP_ENCAP, tally_cb, &t);

		ck_assert(r == 0 || r == -ESTALE);
		ck_assert_uint_eq(t.twice, 0);
		if (!r)
			ck_assert_uint_eq(t.steady, 2000);
	}
	__atomic_store_n(&c.stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	srv6_close(c.s);
	ck_assert_uint_gt(c.rounds, 0);
	ck_assert_uint_eq(count(), 2000);
	batch_drop(&b);
}
END_TEST

/* ---- events, folded */

struct fold {
	struct shadow shadow;
	unsigned int lost, synced, inferred;
	bool in_sync;
};

static int fold_cb(const struct srv6_op *op, void *arg)
{
	struct fold *f = arg;
	struct entry *e, *old;
	struct key k;

	f->lost += op->verb == SRV6_LOST;
	f->synced += op->verb == SRV6_SYNCED;
	if (op->verb == SRV6_LOST || op->verb == SRV6_SYNCED) {
		ck_assert(op->verb == SRV6_SYNCED || f->in_sync || !f->synced); /* once, until in sync again */
		f->in_sync = op->verb == SRV6_SYNCED;
	}
	if (op->kind != SRV6_ROUTE)
		return 0;
	f->inferred += !!(op->flags & SRV6_OP_INFERRED);
	key_of_op(op, &k);
	old = shadow_first(&f->shadow, &k);
	if (op->verb == SRV6_DEL || op->flags & SRV6_OP_REPLACED) {
		ck_assert_ptr_nonnull(old);
		shadow_take(&f->shadow, old);
		free(old);
	}
	if (op->verb == SRV6_IS)
		ck_assert_int_eq(shadow_add(&f->shadow, &k, op->nlh, &e), 0);
	return 0;
}

struct check_fold {
	struct fold *f;
	size_t n;
};

static int check_fold_cb(const struct srv6_op *op, void *arg)
{
	struct check_fold *c = arg;
	struct entry *e;
	struct key k;

	key_of_op(op, &k);
	e = shadow_first(&c->f->shadow, &k);
	ck_assert_ptr_nonnull(e);
	ck_assert_int_eq(raw_same(&e->nlh, op->nlh), 1);
	c->n++;
	return 0;
}

static void follow_all(struct srv6 *f, struct fold *fold)
{
	struct pollfd p = { .fd = srv6_fd(f), .events = POLLIN };

	while (poll(&p, 1, 100) > 0)
		ck_assert_msg(srv6_process(f, 0, fold_cb, fold) == 0, "%s", srv6_error(f)->text);
}

static void equals_kernel(struct fold *fold)
{
	struct srv6_op match = { .kind = SRV6_ROUTE };
	struct check_fold c = { fold, 0 };

	ck_assert_int_eq(srv6_dump(s, &match, SRV6_DUMP_ENCAP, check_fold_cb, &c), 0);
	ck_assert_uint_eq(c.n, fold->shadow.n);
}

static struct srv6 *follower(uint32_t rcvbuf)
{
	struct srv6_opts o = SRV6_INIT(struct srv6_opts);
	struct srv6 *f;

	o.rcvbuf = rcvbuf;
	ck_assert_int_eq(srv6_open(&f, &o), 0);
	ck_assert_int_eq(srv6_follow(f, SRV6_KIND(ROUTE) | SRV6_KIND(NEXTHOP) | SRV6_KIND(LINK)), 0);
	return f;
}

START_TEST(follow_overrun)
{
	struct srv6 *f = follower(4096);
	struct fold fold = { .lost = 0 };

	ck_assert_int_eq(apply(SRV6_ADD, 100, AF_INET6, "fc00:a::", 0), 0);
	follow_all(f, &fold);
	ck_assert_uint_ge(fold.synced, 1);
	equals_kernel(&fold);
	ck_assert_int_eq(apply(SRV6_REPLACE, 2000, AF_INET6, "fc00:b::", 0), 0);
	ck_assert_int_eq(apply(SRV6_DEL, 30, AF_INET6, "fc00:b::", 0), 0);
	follow_all(f, &fold);
	ck_assert_uint_ge(fold.lost, 1);
	ck_assert(fold.in_sync);
	equals_kernel(&fold);
	shadow_free(&fold.shadow);
	srv6_close(f);
}
END_TEST

/* With a link its IPv4 routes go, and the kernel says nothing. */
START_TEST(follow_down)
{
	struct srv6 *f = follower(0);
	struct fold fold = { .lost = 0 };

	ck_assert_int_eq(apply(SRV6_ADD, 10, AF_INET, "fc00:a::", 0), 0);
	ck_assert_int_eq(apply(SRV6_ADD, 10, AF_INET6, "fc00:a::", 0), 0);
	follow_all(f, &fold);
	ck_assert_uint_eq(fold.shadow.n, 20);
	set_link(if_nametoindex("d0"), 0);
	follow_all(f, &fold);
	ck_assert_uint_eq(fold.shadow.n, 0);
	ck_assert_uint_ge(fold.inferred, 10);
	equals_kernel(&fold);
	shadow_free(&fold.shadow);
	srv6_close(f);
}
END_TEST

/* Hops come and go: what is told is the route that is there then. */
START_TEST(follow_hops)
{
	struct srv6 *f = follower(0);
	struct fold fold = { .lost = 0 };
	struct srv6_hop hops[2];
	struct batch b;

	batch_make(&b, SRV6_ADD, 1, AF_INET6, "fc00:a::");
	for (int i = 0; i < 2; i++) {
		hops[i] = b.hop;
		hops[i].has |= SRV6_HAS(VIA);
		hops[i].via.family = AF_INET6;
		hops[i].via.len = 128;
		inet_pton(AF_INET6, i ? "2001:db8:1::3" : "2001:db8:1::2", &hops[i].via.addr);
	}
	b.routes[0].hops = hops;
	b.routes[0].n_hops = 2;
	ck_assert_int_eq(srv6_apply(s, b.ops, 1, NULL), 0);
	follow_all(f, &fold);
	equals_kernel(&fold);
	b.ops[0].verb = SRV6_DEL;
	b.routes[0].n_hops = 1;
	ck_assert_msg(srv6_apply(s, b.ops, 1, NULL) == 0, "%s", srv6_error(s)->text);
	follow_all(f, &fold);
	ck_assert_uint_eq(fold.shadow.n, 1);
	equals_kernel(&fold);
	b.ops[0].verb = SRV6_APPEND;
	ck_assert_msg(srv6_apply(s, b.ops, 1, NULL) == 0, "%s", srv6_error(s)->text);
	follow_all(f, &fold);
	equals_kernel(&fold);
	b.ops[0].verb = SRV6_DEL;
	b.routes[0].n_hops = 0;
	ck_assert_int_eq(srv6_apply(s, b.ops, 1, NULL), 0);
	follow_all(f, &fold);
	ck_assert_uint_eq(fold.shadow.n, 0);
	shadow_free(&fold.shadow);
	batch_drop(&b);
	srv6_close(f);
}
END_TEST

START_TEST(follow_churn)
{
	struct srv6 *f = follower(65536);
	struct fold fold = { .lost = 0 };
	struct churn c = { .stop = 0 };
	pthread_t thread;

	ck_assert_int_eq(apply(SRV6_ADD, 500, AF_INET, "fc00:a::", 0), 0);
	ck_assert_int_eq(srv6_open(&c.s, NULL), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, churn_main, &c), 0);
	for (int i = 0; i < 60; i++) {
		struct pollfd p = { .fd = srv6_fd(f), .events = POLLIN };

		poll(&p, 1, 10);
		ck_assert_int_eq(srv6_process(f, 0, fold_cb, &fold), 0);
	}
	__atomic_store_n(&c.stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	srv6_close(c.s);
	ck_assert_int_eq(apply(SRV6_ADD, 50, AF_INET6, "fc00:a::", 0), 0);
	follow_all(f, &fold);
	ck_assert_uint_ge(fold.synced, 1);
	equals_kernel(&fold);
	shadow_free(&fold.shadow);
	srv6_close(f);
}
END_TEST

/* ---- generic netlink */

static int key_count_cb(const struct srv6_op *op, void *arg)
{
	ck_assert_uint_eq(op->u.hmac->secret.len, 32);
	++*(unsigned int *)arg;
	return 0;
}

/* A list of keys is whole, or says that it may not be. */
START_TEST(keys)
{
	struct srv6_op match = { .kind = SRV6_HMAC };
	struct srv6_hmac h = SRV6_INIT(struct srv6_hmac);
	struct srv6_op op = { .verb = SRV6_ADD, .kind = SRV6_HMAC, .u.hmac = &h };
	unsigned int n, there;
	int r;

	h.algo = SRV6_HMAC_SHA256;
	h.secret = (struct srv6_bytes){ "0123456789abcdef0123456789abcdef", 32 };
	for (there = 0; there < 500; there += 100) {
		for (h.key_id = there + 1; h.key_id <= there + 100; h.key_id++) {
			r = srv6_apply(s, &op, 1, NULL);
			if (r == -EPERM || (r == -EOPNOTSUPP && !there))
				return; /* not in this user namespace, or not in this kernel */
			/* Adding needs to know that it is not there yet. */
			if (r == -ESTALE) {
				op.verb = SRV6_REPLACE;
				r = srv6_apply(s, &op, 1, NULL);
			}
			ck_assert_msg(r == 0, "key %u: %s", h.key_id, srv6_error(s)->text);
		}
		n = 0;
		r = srv6_dump(s, &match, 0, key_count_cb, &n);
		ck_assert(r == 0 ? n == there + 100 : r == -ESTALE && n && n < there + 100);
	}
	op.verb = SRV6_DEL;
	h.key_id = 7;
	ck_assert_int_eq(srv6_apply(s, &op, 1, NULL), 0);
	ck_assert_int_eq(srv6_apply(s, &op, 1, NULL), -ENOENT);
	ck_assert_ptr_nonnull(strstr(srv6_error(s)->text, "no HMAC key 7"));
}
END_TEST

static int tunsrc_cb(const struct srv6_op *op, void *arg)
{
	*(struct in6_addr *)arg = op->u.tunsrc->addr;
	return 0;
}

START_TEST(namespace_tunsrc)
{
	struct srv6_op match = { .kind = SRV6_TUNSRC };
	struct srv6_tunsrc t = SRV6_INIT(struct srv6_tunsrc);
	struct srv6_op op = { .verb = SRV6_REPLACE, .kind = SRV6_TUNSRC, .u.tunsrc = &t };
	struct srv6_apply_opts o = SRV6_INIT(struct srv6_apply_opts);
	struct in6_addr a, first;
	struct batch b;

	inet_pton(AF_INET6, "2001:db8:1::1", &t.addr);
	if (srv6_apply(s, &op, 1, NULL) == -EPERM)
		return;
	ck_assert_int_eq(srv6_error(s)->code, 0);
	ck_assert_int_eq(srv6_dump(s, &match, 0, tunsrc_cb, &first), 0);
	ck_assert_int_eq(memcmp(&first, &t.addr, sizeof(first)), 0);
	/* undone with the rest of a transaction */
	batch_make(&b, SRV6_CHANGE, 1, AF_INET6, "fc00:a::");
	inet_pton(AF_INET6, "2001:db8:1::2", &t.addr);
	o.flags = SRV6_APPLY_ATOMIC;
	{
		struct srv6_op ops[] = { op, b.ops[0] };

		ck_assert_int_eq(srv6_apply(s, ops, 2, &o), -ENOENT);
	}
	ck_assert_uint_eq(srv6_error(s)->state, SRV6_STATE_UNCHANGED);
	ck_assert_int_eq(srv6_dump(s, &match, 0, tunsrc_cb, &a), 0);
	ck_assert_int_eq(memcmp(&a, &first, sizeof(a)), 0);
	op.verb = SRV6_DEL;
	ck_assert_int_eq(srv6_apply(s, &op, 1, NULL), 0);
	ck_assert_int_eq(srv6_dump(s, &match, 0, tunsrc_cb, &a), 0);
	ck_assert(IN6_IS_ADDR_UNSPECIFIED(&a));
	batch_drop(&b);
}
END_TEST

static int cap_cb(const struct srv6_cap *cap, void *arg)
{
	ck_assert_ptr_nonnull(cap->name);
	ck_assert(cap->can != SRV6_CAN_YES ? *cap->why : !*cap->why);
	if (!strcmp(cap->name, "behavior H.Encaps"))
		*(uint32_t *)arg = cap->can;
	return 0;
}

/* Probing leaves the caller's namespace alone, and can be done without a handle. */
START_TEST(caps)
{
	struct image before = image(), after;
	uint32_t can = 0;

	ck_assert_int_eq(srv6_caps(NULL, cap_cb, &can), 0);
	ck_assert_uint_eq(can, SRV6_CAN_YES);
	ck_assert_int_eq(srv6_caps(s, cap_cb, &can), 0);
	ck_assert_int_eq(srv6_can(s, SRV6_END_BM, SRV6_ATTR_NONE, 0), SRV6_CAN_NO);
	after = image();
	same_image(&before, &after);
}
END_TEST

/* What /proc says would tell that a list was not whole, and it would be asked for again: it must do without. */
static void without_proc(struct srv6 *h)
{
	h->whole.tried = true;
	h->whole.fds[0] = h->whole.fds[1] = -1;
}

static int first_cb(const struct srv6_op *op, void *arg)
{
	unsigned int *n = arg;

	(void)op;
	++*n;
	return 0;
}

/* A large route that comes first in the first list of a handle: the kernel does not know yet how much is read at once. */
/* Of n_hops with 120 segments each, which is 1948 bytes a hop. */
struct large {
	struct in6_addr segs[120];
	struct srv6_encap encap;
	struct srv6_hop hops[20];
	struct srv6_route route;
};

static void make_large(struct large *l, uint32_t n_hops)
{
	*l = (struct large){ .encap = { .sz = sizeof(l->encap),
					.has = SRV6_HAS(SEGS),
					.behavior = SRV6_H_ENCAPS,
					.segs = l->segs,
					.n_segs = 120 },
			     .route = { .sz = sizeof(l->route),
					.has = SRV6_HAS(ROUTE_TABLE),
					.table = 77,
					.hops = l->hops,
					.n_hops = n_hops,
					.dst = { .family = AF_INET6, .len = 64 } } };
	for (size_t i = 0; i < ARRAY_SIZE(l->segs); i++)
		inet_pton(AF_INET6, "fc00::1", &l->segs[i]);
	for (size_t i = 0; i < n_hops; i++) {
		l->hops[i] = (struct srv6_hop){ .encap = &l->encap,
						.has = SRV6_HAS(DEV) | SRV6_HAS(VIA),
						.ifindex = if_nametoindex("d0"),
						.via = { .family = AF_INET6, .len = 128 } };
		inet_pton(AF_INET6, "2001:db8:1::10", &l->hops[i].via.addr);
		l->hops[i].via.addr.in6.s6_addr[14] = (uint8_t)i;
	}
	inet_pton(AF_INET6, "2001:db8:77::", &l->route.dst.addr);
}

START_TEST(first_list)
{
	static struct large l;
	struct srv6_op op = { .verb = SRV6_ADD, .kind = SRV6_ROUTE, .u.route = &l.route },
		       match = { .kind = SRV6_ROUTE, .u.route = &l.route };
	unsigned int n = 0;
	struct srv6 *fresh;

	make_large(&l, 8);
	ck_assert_int_eq(srv6_apply(s, &op, 1, NULL), 0);
	l.route.hops = NULL;
	l.route.n_hops = 0;
	ck_assert_int_eq(srv6_open(&fresh, NULL), 0);
	without_proc(fresh);
	ck_assert_int_eq(srv6_dump(fresh, &match, 0, first_cb, &n), 0);
	ck_assert_uint_eq(n, 1);
	srv6_close(fresh);
}
END_TEST

/* What would end all lists is not sent: also where its echo is not looked at, by which it would be found and taken back. */
START_TEST(too_large)
{
	static struct large l;
	struct srv6_op op = { .verb = SRV6_ADD, .kind = SRV6_ROUTE, .u.route = &l.route },
		       match = { .kind = SRV6_ROUTE, .u.route = &l.route };
	struct srv6_apply_opts ao = { .sz = sizeof(ao), .flags = SRV6_APPLY_NO_VERIFY };
	unsigned int n = 0;

	make_large(&l, 18);
	ck_assert_int_lt(srv6_apply(s, &op, 1, &ao), 0);
	ck_assert_msg(strstr(srv6_error(s)->text, "never list it again") != NULL, "%s", srv6_error(s)->text);
	l.route.n_hops = 16;
	ck_assert_msg(!srv6_apply(s, &op, 1, &ao), "%s", srv6_error(s)->text);
	l.route.hops = NULL;
	l.route.n_hops = 0;
	ck_assert_int_eq(srv6_dump(s, &match, 0, first_cb, &n), 0);
	ck_assert_uint_eq(n, 1);
}
END_TEST

/* Another process's word that the list ends is not the kernel's. */
START_TEST(forged)
{
	struct {
		struct nlmsghdr nlh;
		int code;
	} done = { .nlh = { .nlmsg_len = sizeof(done), .nlmsg_type = NLMSG_DONE, .nlmsg_flags = NLM_F_MULTI } };
	struct sockaddr_nl to = { .nl_family = AF_NETLINK, .nl_pid = s->route.pid };
	struct srv6_op match = { .kind = SRV6_ROUTE };
	unsigned int honest = 0, n = 0;
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

	without_proc(s);
	ck_assert_int_eq(srv6_dump(s, &match, 0, first_cb, &honest), 0);
	ck_assert_uint_gt(honest, 0);
	/* Of the list of IPv6 routes, or the one of IPv4 routes: those that come next, and again where one was not whole. */
	done.nlh.nlmsg_pid = s->route.pid;
	for (uint32_t i = 1; i <= 24; i++) {
		done.nlh.nlmsg_seq = s->route.seq + i;
		ck_assert_int_eq(sendto(fd, &done, sizeof(done), 0, (struct sockaddr *)&to, sizeof(to)), sizeof(done));
	}
	ck_assert_int_eq(srv6_dump(s, &match, 0, first_cb, &n), 0);
	ck_assert_uint_eq(n, honest);
	close(fd);
}
END_TEST

#define TO(f, l, ...) .dst = { .family = (f), .len = (l), .addr = { __VA_ARGS__ } }

/* What is there is looked at before a deletion that names it exactly: after what comes before it, in the same run. */
START_TEST(one_after_another)
{
	struct in6_addr segs[2];
	struct srv6_encap e[2];
	struct srv6_hop hops[2];
	struct srv6_route r[2];
	struct srv6_op ops[] = {
		{ .verb = SRV6_ADD, .kind = SRV6_ROUTE, .u.route = &r[0] },
		{ .verb = SRV6_DEL, .kind = SRV6_ROUTE, .flags = SRV6_OP_EXACT, .u.route = &r[0] },
		{ .verb = SRV6_ADD, .kind = SRV6_ROUTE, .u.route = &r[1] },
		{ .verb = SRV6_REPLACE, .kind = SRV6_ROUTE, .u.route = &r[0] },
		{ .verb = SRV6_DEL,
		  .kind = SRV6_ROUTE,
		  .flags = SRV6_OP_EXACT,
		  .u.route = &r[1] }, /* which is another one now */
	};
	struct srv6_op match = { .kind = SRV6_ROUTE, .u.route = &r[0] };
	unsigned int n = 0;

	for (int i = 0; i < 2; i++) {
		inet_pton(AF_INET6, i ? "fc00::2" : "fc00::1", &segs[i]);
		e[i] = (struct srv6_encap){ .sz = sizeof(e[i]),
					    .has = SRV6_HAS(SEGS),
					    .behavior = SRV6_H_ENCAPS,
					    .segs = &segs[i],
					    .n_segs = 1 };
		hops[i] = (struct srv6_hop){ .encap = &e[i], .has = SRV6_HAS(DEV), .ifindex = if_nametoindex("d0") };
		r[i] = (struct srv6_route){ .sz = sizeof(r[i]),
					    .has = SRV6_HAS(ROUTE_TABLE),
					    .table = 7373,
					    .hops = &hops[i],
					    .n_hops = 1,
					    .dst = { .family = AF_INET6, .len = 64 } };
		inet_pton(AF_INET6, "2001:db8:99::", &r[i].dst.addr);
	}
	ck_assert_msg(!srv6_apply(s, ops, 4, NULL), "%s", srv6_error(s)->text);
	ck_assert_msg(
		!srv6_apply(s, &(struct srv6_op){ .verb = SRV6_DEL, .kind = SRV6_ROUTE, .u.route = &r[0] }, 1, NULL),
		"%s", srv6_error(s)->text);
	ck_assert_int_lt(srv6_apply(s, ops, 5, NULL), 0);
	ck_assert_uint_eq(srv6_error(s)->op, 4);
	ck_assert_int_eq(srv6_dump(s, &match, 0, first_cb, &n), 0);
	ck_assert_uint_eq(n, 1);
}
END_TEST

/* What comes behind a failure, and was not under way yet, is not sent; unless it was to keep going. */
START_TEST(stops)
{
	struct srv6_hop hop = { .has = SRV6_HAS(DEV), .ifindex = if_nametoindex("d0") };
	struct srv6_route r = { .sz = sizeof(r),
				.has = SRV6_HAS(ROUTE_TABLE),
				.table = 7474,
				.hops = &hop,
				.n_hops = 1,
				TO(AF_INET6, 64, .in6 = { { { 0xfd, 7 } } }) };
	struct srv6_nexthop n = {
		.sz = sizeof(n), .has = SRV6_HAS(NH_ID), .id = 7474, .family = AF_INET6, .hop = &hop
	};
	struct srv6_op ops[] = { { .verb = SRV6_ADD, .kind = SRV6_ROUTE, .u.route = &r },
				 { .verb = SRV6_ADD, .kind = SRV6_ROUTE, .u.route = &r },
				 { .verb = SRV6_ADD, .kind = SRV6_NEXTHOP, .u.nexthop = &n } };
	struct srv6_op match = { .kind = SRV6_NEXTHOP };
	struct srv6_apply_opts ao = { .sz = sizeof(ao), .flags = SRV6_APPLY_KEEP_GOING };
	unsigned int there = 0;

	ck_assert_int_eq(srv6_apply(s, ops, 3, NULL), -EEXIST);
	ck_assert_uint_eq(srv6_error(s)->op, 1);
	ck_assert_int_eq(srv6_dump(s, &match, 0, first_cb, &there), 0);
	ck_assert_uint_eq(there, 0);
	ck_assert_int_eq(srv6_apply(s, ops, 3, &ao), -EEXIST);
	ck_assert_int_eq(srv6_dump(s, &match, 0, first_cb, &there), 0);
	ck_assert_uint_eq(there, 1);
}
END_TEST

/* ---- questions that have no answer, and changes that are none: what is said */

static const struct srv6_route nowhere = { .sz = sizeof(nowhere), TO(AF_INET6, 128, .in6 = { { { 0xfd, 9 } } }) };
static const struct srv6_route nowhere4 = { .sz = sizeof(nowhere4), TO(AF_INET, 32, .in4 = { 0x01020304 }) };
static const struct srv6_route in_empty_table = { .sz = sizeof(in_empty_table),
						  .has = SRV6_HAS(ROUTE_TABLE),
						  .table = 7171,
						  TO(AF_INET6, 128, .in6 = { { { 0xfd, 9 } } }) };
static const struct srv6_route a_prefix = { .sz = sizeof(a_prefix), TO(AF_INET6, 64, .in6 = { { { 0xfd, 9 } } }) };
static const struct srv6_route no_address = { .sz = sizeof(no_address) };
static const struct srv6_hop gone = { .has = SRV6_HAS(DEV), .ifindex = 9999 };
static const struct srv6_route by_gone = { .sz = sizeof(by_gone), .n_hops = 1, .hops = &gone };
static const struct {
	struct srv6_route route;
	uint64_t more;
} later = { { .sz = sizeof(later) }, 1 };

static const struct {
	struct srv6_op op;
	int code;
	uint32_t attr;
	const char *text;
} questions[] = {
	{ { .verb = SRV6_GET, .kind = SRV6_ROUTE, .u.route = &nowhere },
	  -ENETUNREACH,
	  SRV6_ATTR_DST,
	  "there is no route to fd09::" },
	{ { .verb = SRV6_GET, .kind = SRV6_ROUTE, .u.route = &nowhere4 },
	  -ENETUNREACH,
	  SRV6_ATTR_DST,
	  "there is no route to " },
	{ { .verb = SRV6_GET, .kind = SRV6_ROUTE, .u.route = &in_empty_table },
	  -ENETUNREACH,
	  SRV6_ATTR_DST,
	  "there is no route to fd09::" },
	{ { .verb = SRV6_GET, .kind = SRV6_ROUTE, .u.route = &a_prefix },
	  -EINVAL,
	  SRV6_ATTR_DST,
	  "the route to an address is asked for, and this is a prefix" },
	{ { .verb = SRV6_GET, .kind = SRV6_ROUTE, .u.route = &no_address }, -EINVAL, SRV6_ATTR_DST, "which address?" },
	{ { .verb = SRV6_GET, .kind = SRV6_ROUTE }, -EINVAL, SRV6_ATTR_DST, "which address?" },
	{ { .kind = SRV6_ROUTE, .u.route = &by_gone }, -ENODEV, SRV6_ATTR_DEV, "there is no device with index 9999" },
	{ { .kind = SRV6_ROUTE, .u.route = &later.route },
	  -E2BIG,
	  SRV6_ATTR_NONE,
	  "a filter of a later version of this library" },
	{ { .kind = SRV6_LINK }, -EINVAL, SRV6_ATTR_NONE, "these are not listed" },
};

START_TEST(asks)
{
	unsigned int n = 0;
	int r = srv6_dump(s, &questions[_i].op, 0, first_cb, &n);

	ck_assert_msg(r == questions[_i].code, "%d, not %d: %s", r, questions[_i].code, srv6_error(s)->text);
	ck_assert_uint_eq(srv6_error(s)->attr, questions[_i].attr);
	ck_assert_msg(!strncmp(srv6_error(s)->text, questions[_i].text, strlen(questions[_i].text)), "%s",
		      srv6_error(s)->text);
	ck_assert_uint_eq(n, 0);
}
END_TEST

struct taken {
	uint32_t n, len, metric;
};

static int note(const struct srv6_op *op, void *arg)
{
	struct taken *t = arg;

	*t = (struct taken){ t->n + 1, op->u.route->dst.len, op->u.route->metric };
	return 0;
}

/* The longest prefix of a table, and of several the one with the least metric: what the kernel would take there. */
START_TEST(asks_a_table)
{
	static const struct {
		uint8_t len;
		uint32_t metric;
	} there[] = { { 0, 5 }, { 16, 9 }, { 48, 30 }, { 48, 20 }, { 48, 25 }, { 60, 1 } };
	struct srv6_hop hop = { .has = SRV6_HAS(DEV), .ifindex = if_nametoindex("d0") };
	struct srv6_route route = { .sz = sizeof(route),
				    .has = SRV6_HAS(ROUTE_TABLE) | SRV6_HAS(METRIC),
				    .table = 7272,
				    .n_hops = 1,
				    .hops = &hop };
	struct srv6_op op = { .verb = SRV6_ADD, .kind = SRV6_ROUTE, .u.route = &route };
	struct taken seen = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(there); i++) {
		route.dst = (struct srv6_prefix){ .family = AF_INET6,
						  .len = there[i].len,
						  .addr.in6 = { { { 0xfd, 9, 1, 1, 1, 1, 0, 16 } } } };
		if (there[i].len < 60) /* that one is another's */
			memset(route.dst.addr.in6.s6_addr + there[i].len / 8, 0, 16u - there[i].len / 8);
		route.metric = there[i].metric;
		ck_assert_msg(!srv6_apply(s, &op, 1, NULL), "%s", srv6_error(s)->text);
	}
	route = (struct srv6_route){ .sz = sizeof(route),
				     .has = SRV6_HAS(ROUTE_TABLE),
				     .table = 7272,
				     TO(AF_INET6, 128, .in6 = { { { 0xfd, 9, 1, 1, 1, 1, 7 } } }) };
	op.verb = SRV6_GET;
	ck_assert_msg(!srv6_dump(s, &op, 0, note, &seen), "%s", srv6_error(s)->text);
	ck_assert_uint_eq(seen.n, 1);
	ck_assert_uint_eq(seen.len, 48);
	ck_assert_uint_eq(seen.metric, 20);
}
END_TEST

static bool refused(void)
{
	return unshare(CLONE_NEWNET) < 0;
}

int main(void)
{
	TCase *tc = tcase_create("running kernel");

	if (refused())
		return suite_skip();
	tcase_set_timeout(tc, 180);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, bulk);
	tcase_add_test(tc, atomic);
	tcase_add_test(tc, atomic_objects);
	tcase_add_test(tc, tunsrc);
	tcase_add_test(tc, refusals);
	tcase_add_test(tc, list_churn);
	tcase_add_test(tc, follow_overrun);
	tcase_add_test(tc, follow_down);
	tcase_add_test(tc, follow_hops);
	tcase_add_test(tc, follow_churn);
	tcase_add_test(tc, keys);
	tcase_add_test(tc, namespace_tunsrc);
	tcase_add_test(tc, caps);
	tcase_add_test(tc, first_list);
	tcase_add_test(tc, too_large);
	tcase_add_test(tc, forged);
	tcase_add_test(tc, one_after_another);
	tcase_add_test(tc, stops);
	tcase_add_loop_test(tc, asks, 0, ARRAY_SIZE(questions));
	tcase_add_test(tc, asks_a_table);
	return suite_run("namespace", tc);
}

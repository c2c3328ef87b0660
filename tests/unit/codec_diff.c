/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Comparing and copying: every attribute of every owner makes a difference, and the kernel's defaults make none. */
#include "codec.h"
#include "suite.h"

static const struct in6_addr two[] = { FC(2), FC(3) };

static int diff(const struct srv6_route *want, const struct srv6_route *have, uint32_t verb, uint32_t flags,
		uint32_t *attr)
{
	struct srv6_op w = { .verb = verb, .kind = SRV6_ROUTE, .u = { .route = want } };
	struct srv6_op h = { .verb = SRV6_IS, .kind = SRV6_ROUTE, .u = { .route = have } };

	*attr = SRV6_ATTR_NONE;
	return srv6_diff(&w, &h, flags, attr);
}

/* Flips a bit of a field, wherever it points to. */
static bool change(void *object, const struct srv6_attr_info *info)
{
	static struct in6_addr others[] = { FC(7), FC(8) };
	uint8_t *field = (uint8_t *)object + info->offset;

	switch (info->shape) {
	case SRV6_SHAPE_FLAG:
	case SRV6_SHAPE_COUNTERS:
		return false; /* there or not there, nothing else */
	case SRV6_SHAPE_SEGS:
		((struct srv6_encap *)object)->segs = others;
		return true;
	case SRV6_SHAPE_BYTES:
		*(struct srv6_bytes *)(void *)field = (struct srv6_bytes){ "changed!", 8 };
		return true;
	case SRV6_SHAPE_BPF:
		((struct srv6_encap *)object)->bpf.name = "another";
		return true;
	case SRV6_SHAPE_STRING:
		*(const char **)(void *)field = "another";
		return true;
	case SRV6_SHAPE_PREFIX:
	case SRV6_SHAPE_ADDR:
		((struct srv6_prefix *)(void *)field)->addr.in6.s6_addr[1] ^= 1;
		return true;
	}
	field[0] ^= 1;
	return true;
}

static struct srv6_encap full_encap(uint64_t has)
{
	struct srv6_encap e = { .sz = sizeof(e), .behavior = SRV6_END, .has = has };

	e.segs = two;
	e.n_segs = 2;
	e.tlvs = e.raw_srh = e.unknown = e.raw = (struct srv6_bytes){ "original", 8 };
	e.bpf.name = "one";
	e.tag = 2; /* 0 is the same as nothing */
	e.srh_flags = 2;
	return e;
}

START_TEST(each_encap_attr)
{
	const struct srv6_attr_info *info = srv6_attr_info((uint32_t)_i);
	struct srv6_encap a, b;
	uint32_t attr = 1;

	if (!info)
		return;
	a = full_encap(SRV6_BIT(info->attr));
	b = a;
	ck_assert_int_eq(srv6_diff_encap(&a, &b, SRV6_DIFF_EQUAL, &attr), 0);
	ck_assert_uint_eq(attr, 1); /* untouched */
	if (change(&b, info)) {
		ck_assert_msg(srv6_diff_encap(&a, &b, 0, &attr) == 1, "%s", info->word);
		ck_assert_uint_eq(attr, info->attr);
	}
	b = full_encap(0);
	ck_assert_msg(srv6_diff_encap(&a, &b, 0, &attr) == 1, "%s", info->word);
	ck_assert_uint_eq(attr, info->attr);
	/* More than asked for: fine, unless it must be equal. */
	ck_assert_int_eq(srv6_diff_encap(&b, &a, 0, NULL), 0);
	ck_assert_int_eq(srv6_diff_encap(&b, &a, SRV6_DIFF_EQUAL, &attr), 1);
	ck_assert_uint_eq(attr, info->attr);
	b = a;
	b.behavior = SRV6_END_X;
	ck_assert_int_eq(srv6_diff_encap(&a, &b, 0, NULL), 1);
}
END_TEST

START_TEST(encap_defaults)
{
	struct srv6_encap bare = {
		.sz = sizeof(bare), .behavior = SRV6_END, .has = SRV6_HAS(FLAVORS), .flavors = SRV6_FLAVOR_NEXT_CSID
	};
	struct srv6_encap filled = bare;
	uint32_t attr;

	filled.has |= SRV6_HAS(LBLEN) | SRV6_HAS(NFLEN);
	filled.lblen = 32;
	filled.nflen = 16;
	ck_assert_int_eq(srv6_diff_encap(&bare, &filled, SRV6_DIFF_EQUAL, NULL), 0);
	ck_assert_int_eq(srv6_diff_encap(&filled, &bare, SRV6_DIFF_EQUAL, NULL), 0);
	filled.nflen = 32;
	ck_assert_int_eq(srv6_diff_encap(&bare, &filled, 0, &attr), 1);
	ck_assert_uint_eq(attr, SRV6_ATTR_NFLEN);
	/* Counters: that they are there, not how far they are. */
	bare.has = filled.has = SRV6_HAS(COUNT);
	filled.counters.packets = 9;
	ck_assert_int_eq(srv6_diff_encap(&bare, &filled, SRV6_DIFF_EQUAL, NULL), 0);
	/* A program: its id where it is known. */
	bare.has = filled.has = SRV6_HAS(BPF);
	bare.bpf = (struct srv6_bpf){ .fd = 7, .name = "p" };
	filled.bpf = (struct srv6_bpf){ .id = 12, .name = "p" };
	ck_assert_int_eq(srv6_diff_encap(&bare, &filled, SRV6_DIFF_EQUAL, NULL), 0);
	bare.bpf = (struct srv6_bpf){ .id = 11, .name = "p" };
	ck_assert_int_eq(srv6_diff_encap(&bare, &filled, 0, NULL), 1);
}
END_TEST

static struct srv6_route full_route(uint64_t has)
{
	struct srv6_route r = { .sz = sizeof(r), .has = has, DST6(32, DOC(0)) };

	r.from = r.prefsrc = (struct srv6_prefix){ .family = AF_INET6, .len = 64, .addr = { .in6 = DOC(1) } };
	r.unknown = (struct srv6_bytes){ "original", 8 };
	r.congctl = "cubic";
	r.type = RTN_UNICAST;
	r.table = 254;
	r.metric = 1024;
	r.protocol = RTPROT_BOOT;
	r.expires = 100;
	return r;
}

START_TEST(each_route_attr)
{
	const struct srv6_attr_info *info = srv6_attr_info((uint32_t)_i);
	struct srv6_route a, b;
	uint32_t attr;

	if (!info)
		return;
	a = full_route(SRV6_BIT(info->attr));
	b = a;
	ck_assert_int_eq(diff(&a, &b, SRV6_ADD, SRV6_DIFF_EQUAL, &attr), 0);
	ck_assert(change(&b, info));
	if (info->attr == SRV6_ATTR_EXPIRES) /* less is left */
		ck_assert_uint_gt(b.expires, a.expires);
	ck_assert_msg(diff(&a, &b, SRV6_ADD, 0, &attr) == 1, "%s", info->word);
	ck_assert_uint_eq(attr, info->attr);
	ck_assert_msg(diff(&a, &b, SRV6_ADD, SRV6_DIFF_EQUAL, &attr) == 1, "%s", info->word);
}
END_TEST

/* A lifetime goes by: to be equal a tenth of it may be gone, a second in any case, a minute at most. */
static const struct {
	uint32_t want, have;
	int as_asked, equal; /* what differs */
} lives[] = {
	{ 3600, 3600, 0, 0 }, { 3600, 3540, 0, 0 }, { 3600, 3539, 0, 1 }, { 3600, 10, 0, 1 }, { 3600, 3601, 1, 1 },
	{ 100, 90, 0, 0 },    { 100, 89, 0, 1 },    { 30, 27, 0, 0 },     { 30, 26, 0, 1 },   { 5, 4, 0, 0 },
	{ 5, 3, 0, 1 },       { 1, 0, 0, 0 },       { 0, 0, 0, 0 },       { 0, 1, 1, 1 },
};

START_TEST(life)
{
	struct srv6_route a = full_route(SRV6_HAS(EXPIRES)), b = a;
	uint32_t attr;

	a.expires = lives[_i].want;
	b.expires = lives[_i].have;
	ck_assert_int_eq(diff(&a, &b, SRV6_ADD, 0, &attr), lives[_i].as_asked);
	ck_assert_int_eq(diff(&a, &b, SRV6_ADD, SRV6_DIFF_EQUAL, &attr), lives[_i].equal);
	if (lives[_i].equal)
		ck_assert_uint_eq(attr, SRV6_ATTR_EXPIRES);
}
END_TEST

/* What makes two routes the same one, and nothing else does. */
START_TEST(identity)
{
	static const uint64_t is =
		SRV6_HAS(DST) | SRV6_HAS(FROM) | SRV6_HAS(TOS) | SRV6_HAS(ROUTE_TABLE) | SRV6_HAS(METRIC);
	const struct srv6_attr_info *info = srv6_attr_info((uint32_t)_i);
	struct srv6_route a, b;
	uint32_t attr;

	if (!info)
		return;
	a = b = full_route(SRV6_BIT(info->attr));
	change(&b, info);
	ck_assert_msg(diff(&a, &b, SRV6_ADD, SRV6_DIFF_IDENTITY, &attr) == !!(is & SRV6_BIT(info->attr)), "%s",
		      info->word);
}
END_TEST

START_TEST(route_defaults)
{
	struct srv6_route want = { .sz = sizeof(want), DST6(64, DOC(1)) }, have = want;
	uint32_t attr;

	have.has = SRV6_HAS(TYPE) | SRV6_HAS(DST) | SRV6_HAS(PROTOCOL) | SRV6_HAS(SCOPE) | SRV6_HAS(ROUTE_TABLE) |
		   SRV6_HAS(METRIC) | SRV6_HAS(PREF);
	have.type = RTN_UNICAST;
	have.protocol = RTPROT_BOOT;
	have.table = 254;
	have.metric = 1024;
	ck_assert_int_eq(diff(&want, &have, SRV6_ADD, SRV6_DIFF_EQUAL, &attr), 0);
	ck_assert_int_eq(diff(&have, &want, SRV6_ADD, SRV6_DIFF_EQUAL, &attr), 0);
	have.metric = 1023;
	ck_assert_int_eq(diff(&want, &have, SRV6_ADD, 0, &attr), 1);
	ck_assert_uint_eq(attr, SRV6_ATTR_METRIC);
	have.metric = 1024;
	have.protocol = RTPROT_STATIC;
	ck_assert_int_eq(diff(&want, &have, SRV6_ADD, 0, &attr), 1);
	ck_assert_uint_eq(attr, SRV6_ATTR_PROTOCOL);
	have.protocol = RTPROT_BOOT;
	have.has |= SRV6_HAS(MTU);
	have.metrics[RTAX_MTU] = 1400;
	ck_assert_int_eq(diff(&want, &have, SRV6_ADD, 0, &attr), 0);
	ck_assert_int_eq(diff(&want, &have, SRV6_ADD, SRV6_DIFF_EQUAL, &attr), 1);
	ck_assert_uint_eq(attr, SRV6_ATTR_MTU);
	/* A nexthop object that nobody asked for is never the same. */
	have.has = SRV6_HAS(NHID);
	have.nhid = 5;
	ck_assert_int_eq(diff(&want, &have, SRV6_ADD, 0, &attr), 1);
	ck_assert_uint_eq(attr, SRV6_ATTR_NHID);
}
END_TEST

START_TEST(hops)
{
	struct srv6_hop a[3] = {
		HOP(ENCAP(H_ENCAPS, SRV6_HAS(SEGS), SEGS(FC(2))), SRV6_HAS(VIA) | SRV6_HAS(DEV), VIA6(GW(2)),
		    .ifindex = 10),
		HOP(ENCAP(H_ENCAPS, SRV6_HAS(SEGS), SEGS(FC(3))), SRV6_HAS(VIA) | SRV6_HAS(DEV), VIA6(GW(2)),
		    .ifindex = 10),
		HOP(NULL, SRV6_HAS(VIA), VIA6(GW(3)), .weight = 1),
	};
	struct srv6_hop b[3] = { a[2], a[0], a[1] };
	struct srv6_route want = { .sz = sizeof(want), DST6(64, DOC(1)), .n_hops = 3, .hops = a }, have = want;
	uint32_t attr;

	have.hops = b;
	b[0].has |= SRV6_HAS(DEV) | SRV6_HAS(WEIGHT); /* the kernel found the device, and tells weights */
	b[0].ifindex = 11;
	ck_assert_int_eq(diff(&want, &have, SRV6_ADD, SRV6_DIFF_EQUAL, &attr), 0);
	b[0].weight = 2;
	ck_assert_int_eq(diff(&want, &have, SRV6_ADD, 0, &attr), 1);
	b[0].weight = 1;
	/* Twice the same is not both. */
	b[1] = b[2];
	ck_assert_int_eq(diff(&want, &have, SRV6_ADD, 0, &attr), 1);
	b[1] = a[0];
	have.n_hops = 2;
	ck_assert_int_eq(diff(&want, &have, SRV6_ADD, 0, &attr), 1);
	/* Appended: those wanted are among those there. */
	want.n_hops = 1;
	ck_assert_int_eq(diff(&want, &have, SRV6_ADD, 0, &attr), 1);
	ck_assert_int_eq(diff(&want, &have, SRV6_APPEND, 0, &attr), 0);
	/* An encapsulation that is lost, or came without being asked for */
	have.n_hops = want.n_hops = 1;
	have.hops = &(struct srv6_hop)HOP(NULL, a[0].has, VIA6(GW(2)), .ifindex = 10);
	ck_assert_int_eq(diff(&want, &have, SRV6_ADD, 0, &attr), 1);
	ck_assert_int_eq(diff(&have, &want, SRV6_ADD, 0, &attr), 1);
	/* What differs in the only hop is told. */
	have.hops = &(struct srv6_hop)HOP(ENCAP(H_ENCAPS, 0, .n_segs = 0), a[0].has, VIA6(GW(2)), .ifindex = 10);
	ck_assert_int_eq(diff(&want, &have, SRV6_ADD, 0, &attr), 1);
	ck_assert_uint_eq(attr, SRV6_ATTR_SEGS);
	have.hops = &(struct srv6_hop)HOP(a[0].encap, a[0].has, VIA6(GW(2)), .ifindex = 11);
	ck_assert_int_eq(diff(&want, &have, SRV6_ADD, 0, &attr), 1);
	ck_assert_uint_eq(attr, SRV6_ATTR_DEV);
	have.hops = &(struct srv6_hop)HOP(a[0].encap, a[0].has, VIA6(GW(4)), .ifindex = 10);
	ck_assert_int_eq(diff(&want, &have, SRV6_ADD, 0, &attr), 1);
	ck_assert_uint_eq(attr, SRV6_ATTR_VIA);
}
END_TEST

/* Each of a hop's: asked for and not there, of another value, there and not asked for. */
START_TEST(hop_attrs)
{
	static const uint8_t some[] = { 5, 0, 99, 0, 1 }, more[] = { 5, 0, 99, 0, 2 };
	static const struct {
		uint64_t bit;
		uint32_t attr;
		bool always; /* one that nobody asked for makes it another hop */
	} of[] = {
		{ SRV6_HAS(VIA), SRV6_ATTR_VIA, true },
		{ SRV6_HAS(DEV), SRV6_ATTR_DEV, false },
		{ SRV6_HAS(REALMS), SRV6_ATTR_REALMS, false },
		{ SRV6_HAS(ONLINK), SRV6_ATTR_ONLINK, false },
		{ SRV6_HAS(HOP_UNKNOWN), SRV6_ATTR_HOP_UNKNOWN, false },
	};
	const struct srv6_encap *e = ENCAP(H_ENCAPS, SRV6_HAS(SEGS), SEGS(FC(2)));
	struct srv6_hop full =
		HOP(e, of[_i].bit, VIA6(GW(2)), .ifindex = 10, .realms = 7, .unknown = { some, sizeof(some) });
	struct srv6_hop other =
		HOP(e, of[_i].bit, VIA6(GW(3)), .ifindex = 11, .realms = 8, .unknown = { more, sizeof(more) });
	struct srv6_hop bare = HOP(e, 0, .ifindex = 0);
	struct srv6_route want = { .sz = sizeof(want), DST6(64, DOC(1)), .n_hops = 1, .hops = &full }, have = want;
	uint32_t attr;

	ck_assert_int_eq(diff(&want, &have, SRV6_ADD, SRV6_DIFF_EQUAL, &attr), 0);
	have.hops = &other;
	if (of[_i].bit != SRV6_HAS(ONLINK)) { /* which has no value */
		ck_assert_int_eq(diff(&want, &have, SRV6_ADD, 0, &attr), 1);
		ck_assert_uint_eq(attr, of[_i].attr);
	}
	have.hops = &bare;
	ck_assert_int_eq(diff(&want, &have, SRV6_ADD, 0, &attr), 1);
	ck_assert_uint_eq(attr, of[_i].attr);
	ck_assert_int_eq(diff(&have, &want, SRV6_ADD, 0, &attr), of[_i].always);
	ck_assert_int_eq(diff(&have, &want, SRV6_ADD, SRV6_DIFF_EQUAL, &attr), 1);
	ck_assert_uint_eq(attr, of[_i].attr);
}
END_TEST

START_TEST(nexthops)
{
	static const struct srv6_group ab[] = { { .id = 1, .weight = 1 }, { .id = 2, .weight = 2 } };
	static const struct srv6_group ba[] = { { .id = 2, .weight = 2 }, { .id = 1, .weight = 1 } };
	static const struct srv6_group aa[] = { { .id = 1, .weight = 1 }, { .id = 1, .weight = 1 } };
	struct srv6_hop hop = DEV10(ENCAP(H_ENCAPS, SRV6_HAS(SEGS), SEGS(FC(2))));
	struct srv6_nexthop w = {
		.sz = sizeof(w), .has = SRV6_HAS(NH_ID) | SRV6_HAS(NH_GROUP), .id = 1, .n_group = 2, .group = ab
	};
	struct srv6_nexthop h = w;
	struct srv6_op want = OP_NH(ADD, &w), have = OP_NH(IS, &h);
	uint32_t attr;

	h.group = ba;
	ck_assert_int_eq(srv6_diff(&want, &have, SRV6_DIFF_EQUAL, NULL), 0);
	h.group = aa;
	ck_assert_int_eq(srv6_diff(&want, &have, 0, &attr), 1);
	ck_assert_uint_eq(attr, SRV6_ATTR_NH_GROUP);
	h.id = 2;
	ck_assert_int_eq(srv6_diff(&want, &have, SRV6_DIFF_IDENTITY, &attr), 1);
	ck_assert_uint_eq(attr, SRV6_ATTR_NH_ID);
	h.id = 1;
	ck_assert_int_eq(srv6_diff(&want, &have, SRV6_DIFF_IDENTITY, &attr), 0);
	w.has = h.has = SRV6_HAS(NH_ID);
	w.family = h.family = AF_INET6;
	w.hop = &hop;
	ck_assert_int_eq(srv6_diff(&want, &have, 0, NULL), 1);
	h.hop = &hop;
	h.has |= SRV6_HAS(NH_SCOPE) | SRV6_HAS(NH_PROTOCOL);
	h.scope = 253;
	ck_assert_int_eq(srv6_diff(&want, &have, SRV6_DIFF_EQUAL, NULL), 0);
	h.family = AF_INET;
	ck_assert_int_eq(srv6_diff(&want, &have, 0, NULL), 1);
	h.family = AF_INET6;
	h.protocol = 4;
	ck_assert_int_eq(srv6_diff(&want, &have, 0, &attr), 1);
	ck_assert_uint_eq(attr, SRV6_ATTR_NH_PROTOCOL);
	have.kind = SRV6_TUNSRC;
	ck_assert_int_eq(srv6_diff(&want, &have, 0, NULL), 1);
}
END_TEST

/* ---- what a deletion takes: of the messages, which copies have too */

static struct srv6_op *as_read(uint32_t oif, uint32_t protocol, bool segment)
{
	struct srv6_hop hop = DEV10(ENCAP(H_ENCAPS, SRV6_HAS(SEGS), SEGS(FC(2))));
	struct srv6_route r = {
		.sz = sizeof(r), .has = SRV6_HAS(PROTOCOL), DST6(64, DOC(1)), .n_hops = 1, .hops = &hop
	};
	struct srv6_op op = OP(ADD, &r), read, *copy;
	uint32_t msg[256], mem[SRV6_READ_MEM / 4];

	hop.ifindex = oif;
	hop.encap = segment ? hop.encap : NULL;
	r.protocol = (uint8_t)protocol;
	ck_assert_int_eq(srv6_build(msg, sizeof(msg), &op, NULL, NULL), 0);
	ck_assert_int_eq(srv6_read((void *)msg, mem, sizeof(mem), &read), 0);
	ck_assert_int_eq(srv6_copy(&read, &copy), 0);
	return copy;
}

START_TEST(deleted)
{
	static const struct {
		uint32_t oif, protocol;
		bool segment;
		int takes; /* of one on device 10, by protocol 4, with a segment */
	} of[] = {
		{ 10, 4, true, 0 },
		{ 10, 4, false, 0 }, /* which does not make it another one, to the kernel */
		{ 11, 4, true, 1 },
		{ 10, 3, true, 1 },
	};
	struct srv6_op *want = as_read(10, 4, true), *have = as_read(of[_i].oif, of[_i].protocol, of[_i].segment);
	uint32_t attr = 1;

	ck_assert_int_eq(srv6_diff(want, have, SRV6_DIFF_DELETED, &attr), of[_i].takes);
	ck_assert_uint_eq(attr, of[_i].takes ? SRV6_ATTR_NONE : 1); /* untouched */
	/* Without a message nobody can tell. */
	have->nlh = NULL;
	ck_assert_int_eq(srv6_diff(want, have, SRV6_DIFF_DELETED, NULL), 1);
	ck_assert_int_eq(srv6_diff(have, want, SRV6_DIFF_DELETED, NULL), 1);
	free(want);
	free(have);
}
END_TEST

/* ---- copies: equal, and none of the original is in them (it is overwritten and freed) */

START_TEST(copies)
{
	static const uint8_t run[] = { 5, 0, 99, 0, 7, 0, 0, 0 };
	struct srv6_encap *e = malloc(sizeof(*e));
	struct srv6_hop *hop = malloc(2 * sizeof(*hop));
	struct srv6_route *r = malloc(sizeof(*r)), ref;
	struct in6_addr *segs = malloc(sizeof(two));
	char *congctl = strdup("cubic"), *name = strdup("prog");
	uint8_t *bytes = malloc(8);
	struct nlmsghdr *nlh = malloc(sizeof(*nlh));
	struct srv6_op op = { .verb = SRV6_IS, .kind = SRV6_ROUTE, .u = { .route = r }, .nlh = nlh }, *copy, *second;
	uint32_t attr;

	memcpy(segs, two, sizeof(two));
	memcpy(bytes, run, 8);
	*nlh = (struct nlmsghdr){ .nlmsg_len = sizeof(*nlh), .nlmsg_type = 24 };
	*e = full_encap(SRV6_HAS(SEGS) | SRV6_HAS(TLVS) | SRV6_HAS(UNKNOWN) | SRV6_HAS(BPF));
	e->segs = segs;
	e->tlvs = e->unknown = (struct srv6_bytes){ bytes, 8 };
	e->bpf.name = name;
	hop[0] = (struct srv6_hop){
		.encap = e, .has = SRV6_HAS(DEV) | SRV6_HAS(HOP_UNKNOWN), .ifindex = 1, .unknown = { bytes, 8 }
	};
	hop[1] = (struct srv6_hop){ .has = SRV6_HAS(DEV), .ifindex = 2 };
	*r = full_route(SRV6_HAS(CONGCTL) | SRV6_HAS(ROUTE_UNKNOWN));
	r->congctl = congctl;
	r->unknown = (struct srv6_bytes){ bytes, 8 };
	r->hops = hop;
	r->n_hops = 2;
	ref = *r;
	ck_assert_int_eq(srv6_copy(&op, &copy), 0);
	ck_assert_int_eq(srv6_diff(&op, copy, SRV6_DIFF_EQUAL, &attr), 0);
	ck_assert_int_eq(srv6_copy(copy, &second), 0);
	memset(segs, 0xee, sizeof(two));
	memset(bytes, 0xee, 8);
	free(e);
	free(hop);
	free(r);
	free(segs);
	free(congctl);
	free(name);
	free(bytes);
	free(nlh);
	ck_assert_int_eq(srv6_diff(second, copy, SRV6_DIFF_EQUAL, &attr), 0);
	ck_assert_uint_eq(copy->u.route->has, ref.has);
	ck_assert_str_eq(copy->u.route->congctl, "cubic");
	ck_assert_mem_eq(copy->u.route->unknown.data, run, 8);
	ck_assert_mem_eq(copy->u.route->hops[0].unknown.data, run, 8);
	ck_assert_mem_eq(copy->u.route->hops[0].encap->segs, two, sizeof(two));
	ck_assert_mem_eq(copy->u.route->hops[0].encap->tlvs.data, run, 8);
	ck_assert_str_eq(copy->u.route->hops[0].encap->bpf.name, "prog");
	ck_assert_uint_eq(copy->u.route->hops[1].ifindex, 2);
	ck_assert_uint_eq(copy->nlh->nlmsg_type, 24);
	free(copy);
	free(second);
}
END_TEST

START_TEST(copies_of_the_rest)
{
	struct srv6_tunsrc tunsrc = { .sz = sizeof(tunsrc), .addr = FC(1) };
	struct srv6_hmac hmac = { .sz = sizeof(hmac), .key_id = 1, .algo = 2, .secret = { "secret", 6 } };
	struct srv6_link link = { .sz = sizeof(link), .ifindex = 4, .name = "eth0" };
	struct srv6_nexthop nh = { .sz = sizeof(nh),
				   .has = SRV6_HAS(NH_ID) | SRV6_HAS(NH_GROUP),
				   .id = 5,
				   .n_group = 1,
				   .group = &(const struct srv6_group){ .id = 3, .weight = 4 } };
	struct srv6_op ops[] = {
		{ .verb = SRV6_ADD, .kind = SRV6_TUNSRC, .u = { .tunsrc = &tunsrc } },
		{ .verb = SRV6_ADD, .kind = SRV6_HMAC, .u = { .hmac = &hmac } },
		{ .verb = SRV6_IS, .kind = SRV6_LINK, .u = { .link = &link } },
		{ .verb = SRV6_ADD, .kind = SRV6_NEXTHOP, .u = { .nexthop = &nh } },
		{ .verb = SRV6_SYNCED, .kind = SRV6_ROUTE, .u = { .any = NULL } },
	};
	struct srv6_op *copy;

	for (size_t i = 0; i < ARRAY_SIZE(ops); i++) {
		ck_assert_int_eq(srv6_copy(&ops[i], &copy), 0);
		ck_assert_uint_eq(copy->verb, ops[i].verb);
		if (ops[i].u.any) {
			ck_assert_ptr_ne(copy->u.any, ops[i].u.any);
			ck_assert_int_eq(srv6_diff(&ops[i], copy, SRV6_DIFF_EQUAL, NULL), 0);
		}
		free(copy);
	}
	ops[0].kind = 99;
	ck_assert_int_eq(srv6_copy(&ops[0], &copy), -EINVAL);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("diff"), *c = tcase_create("copy");

	tcase_add_loop_test(t, each_encap_attr, 0, 64);
	tcase_add_loop_test(t, each_route_attr, 128, 192);
	tcase_add_loop_test(t, life, 0, (int)ARRAY_SIZE(lives));
	tcase_add_loop_test(t, identity, 128, 192);
	tcase_add_test(t, encap_defaults);
	tcase_add_test(t, route_defaults);
	tcase_add_test(t, hops);
	tcase_add_loop_test(t, hop_attrs, 0, 5);
	tcase_add_test(t, nexthops);
	tcase_add_loop_test(t, deleted, 0, 4);
	tcase_add_test(c, copies);
	tcase_add_test(c, copies_of_the_rest);
	return suite_run("codec: comparing and copying", t, c);
}

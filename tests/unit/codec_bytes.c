/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Bytes that nobody expects: cut short, changed at random, from a newer kernel, or holding what the fields can't say. Nothing
 * is read beyond the end (messages lie in blocks of just their length: a sanitizer or valgrind sees), nothing is written
 * beyond the memory given, and nothing that was understood in part is lost.
 */
#include <linux/nexthop.h>

#include "codec_vectors.h"
#include "suite.h"

/* ---- a message from pieces */

struct bytes {
	uint8_t p[4096];
	size_t len;
};

static void add(struct bytes *b, const void *data, size_t len)
{
	if (len)
		memcpy(b->p + b->len, data, len);
	b->len += len;
}

static void add_attr(struct bytes *b, uint16_t type, const void *data, size_t len)
{
	struct nlattr nla = { .nla_type = type, .nla_len = (uint16_t)(sizeof(nla) + len) };

	add(b, &nla, sizeof(nla));
	add(b, data, len);
	while (b->len % 4)
		b->p[b->len++] = 0;
}

static void add_u32(struct bytes *b, uint16_t type, uint32_t value)
{
	add_attr(b, type, &value, sizeof(value));
}

static void begin(struct bytes *b, uint8_t family)
{
	struct rtmsg rtm = { .rtm_family = family, .rtm_table = 254, .rtm_protocol = 3, .rtm_type = 1 };

	b->len = sizeof(struct nlmsghdr);
	add(b, &rtm, sizeof(rtm));
	add_u32(b, RTA_OIF, 10);
}

/* The message in a block of its own. */
static struct nlmsghdr *finish(const struct bytes *b)
{
	struct nlmsghdr *nlh = malloc(b->len);

	memcpy(nlh, b->p, b->len);
	*nlh = (struct nlmsghdr){ .nlmsg_len = (uint32_t)b->len, .nlmsg_type = RTM_NEWROUTE };
	return nlh;
}

static void add_encap(struct bytes *b, uint16_t type, const struct bytes *contents)
{
	add_attr(b, RTA_ENCAP, contents->p, contents->len);
	add_attr(b, RTA_ENCAP_TYPE, &type, sizeof(type));
}

/* ---- reading and building again */

static uint32_t again[BUF / 4];

/* Reads nlh and builds what was read; *op lies in nlh and mem. */
static void read_and_build(const struct nlmsghdr *nlh, void *mem, size_t cap, struct srv6_op *op)
{
	struct srv6_error err;
	int r;

	ck_assert_int_eq(srv6_read(nlh, mem, cap, op), 0);
	op->verb = SRV6_ADD;
	r = srv6_build(again, sizeof(again), op, NULL, &err);
	ck_assert_msg(r == 0, "%d %s", r, err.text);
}

/* The contents of the encapsulation in what was built. */
static struct srv6_bytes built_encap(void)
{
	struct nlmsghdr *nlh = (void *)again;
	struct attrs run = { (uint8_t *)again + 28, nlh->nlmsg_len - 28 };
	struct attr one;

	while (attr_next(&run, &one))
		if (one.type == RTA_ENCAP)
			return (struct srv6_bytes){ one.data, one.len };
	ck_abort_msg("no encapsulation");
	return (struct srv6_bytes){ NULL, 0 };
}

#define MEM char mem[SRV6_READ_MEM] __attribute__((aligned(16)))

/* ---- unknown things survive */

START_TEST(unknown_attributes)
{
	static const uint8_t three[] = { 1, 2, 3 };
	struct bytes encap = { .len = 0 }, b;
	struct nlmsghdr *nlh;
	struct srv6_op op;
	struct srv6_bytes built;
	MEM;

	/* End.X from a newer kernel: attribute 99 amid those that are known, TABLE that End.X does not take, 15 after them */
	add_attr(&encap, 99, three, sizeof(three));
	add_u32(&encap, 1, 2);
	add_u32(&encap, 3, 1234);
	add_attr(&encap, 5, &(struct in6_addr)GW(2), 16);
	add_attr(&encap, 15, NULL, 0);
	begin(&b, AF_INET6);
	add_attr(&b, 55, three, sizeof(three));
	add_encap(&b, 7, &encap);
	add_attr(&b, 0x3fff, three, 1);
	nlh = finish(&b);
	read_and_build(nlh, mem, sizeof(mem), &op);
	ck_assert_uint_eq(op.u.route->hops[0].encap->behavior, SRV6_END_X);
	ck_assert_uint_eq(op.u.route->hops[0].encap->has, SRV6_HAS(NH6) | SRV6_HAS(UNKNOWN));
	ck_assert_uint_eq(op.u.route->hops[0].encap->unknown.len, 8 + 8 + 4);
	ck_assert_uint_eq(op.u.route->unknown.len, 8 + 8);
	built = built_encap();
	ck_assert_uint_eq(built.len, encap.len);
	/* Those that are known come first, the others behind them in the order they had. */
	ck_assert_mem_eq((const uint8_t *)built.data, encap.p + 8, 8);
	ck_assert_mem_eq((const uint8_t *)built.data + 8, encap.p + 24, 20);
	ck_assert_mem_eq((const uint8_t *)built.data + 28, encap.p, 8);
	ck_assert_mem_eq((const uint8_t *)built.data + 36, encap.p + 16, 8);
	ck_assert_mem_eq((const uint8_t *)built.data + 44, encap.p + 44, 4);
	free(nlh);
}
END_TEST

/* A flavors nest with a number that is not known: the fields say what they can, and the nest is kept as it is. */
START_TEST(more_in_a_nest)
{
	struct bytes nest = { .len = 0 }, encap = { .len = 0 }, b;
	const struct srv6_encap *e;
	struct nlmsghdr *nlh;
	struct srv6_op op;
	struct srv6_bytes built;
	MEM;

	add_u32(&nest, 1, SRV6_FLAVOR_NEXT_CSID);
	add_u32(&nest, 4, 77);
	add_u32(&encap, 1, 1);
	add_attr(&encap, 11 | NLA_F_NESTED, nest.p, nest.len);
	begin(&b, AF_INET6);
	add_encap(&b, 7, &encap);
	nlh = finish(&b);
	read_and_build(nlh, mem, sizeof(mem), &op);
	e = op.u.route->hops[0].encap;
	ck_assert_uint_eq(e->flavors, SRV6_FLAVOR_NEXT_CSID);
	ck_assert_uint_eq(e->has, SRV6_HAS(FLAVORS) | SRV6_HAS(UNKNOWN));
	built = built_encap();
	ck_assert_uint_eq(built.len, encap.len);
	ck_assert_mem_eq(built.data, encap.p, encap.len);
	free(nlh);
}
END_TEST

/* Modes, actions and encapsulations that are not known */
START_TEST(unknown_encaps)
{
	static const struct {
		uint16_t encap_type, attr;
		uint32_t value, number;
	} cases[] = { { 5, 1, 5, 5 },
		      { 5, 1, 255, 255 },
		      { 7, 1, 0, 0 },
		      { 7, 1, 23, 23 },
		      { 7, 1, 0xfffffff0, 0xfffffff0 },
		      { 11, 1, 7, 7 },
		      { 7, 2, 1, 0xffffffff },
		      { 6, 1, 1, 0xffffffff },
		      { 10, 1, 1, 0xffffffff },
		      { 1, 1, 0x10013, 0xffffffff },
		      { 999, 1, 1, 0xffffffff } };
	const struct srv6_encap *e;
	struct srv6_op op;
	MEM;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct bytes encap = { .len = 0 }, b;
		struct nlmsghdr *nlh;

		add_u32(&encap, cases[i].attr, cases[i].value);
		begin(&b, AF_INET6);
		add_encap(&b, cases[i].encap_type, &encap);
		nlh = finish(&b);
		read_and_build(nlh, mem, sizeof(mem), &op);
		e = op.u.route->hops[0].encap;
		ck_assert_uint_eq(e->behavior, SRV6_OTHER);
		ck_assert_uint_eq(e->encap_type, cases[i].encap_type);
		ck_assert_uint_eq(e->number, cases[i].number);
		ck_assert_uint_eq(e->has, SRV6_HAS(RAW));
		ck_assert_uint_eq(built_encap().len, encap.len);
		ck_assert_mem_eq(built_encap().data, encap.p, encap.len);
		free(nlh);
	}
}
END_TEST

/* What is malformed in an encapsulation is kept as bytes; alone it is an error. The route is not hidden. */
START_TEST(malformed_encaps)
{
	static const uint8_t zero[64];
	static const struct {
		uint16_t encap_type, action;
		uint16_t type;
		size_t len; /* of a known attribute: too short */
		int twice;
	} cases[] = {
		{ 7, 2, 5, 15, 0 }, { 7, 3, 3, 3, 0 },  { 7, 6, 4, 3, 0 },   { 7, 10, 2, 7, 0 },
		{ 7, 1, 10, 3, 0 }, { 7, 1, 11, 0, 0 }, { 7, 1, 11, 6, 0 },  { 7, 15, 8, 0, 0 },
		{ 7, 2, 5, 16, 1 }, { 7, 3, 3, 4, 1 },  { 11, 1, 2, 12, 0 }, { 11, 2, 4, 0, 0 },
	};
	struct srv6_encap alone = { .sz = sizeof(alone) };
	struct srv6_op op;
	MEM;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct bytes encap = { .len = 0 }, b;
		struct nlmsghdr *nlh;

		add_u32(&encap, 1, cases[i].action);
		for (int j = 0; j <= cases[i].twice; j++)
			add_attr(&encap, cases[i].type, zero, cases[i].len);
		ck_assert_msg(srv6_get_encap(cases[i].encap_type, encap.p, encap.len, mem, sizeof(mem), &alone) ==
				      -EBADMSG,
			      "case %zu", i);
		begin(&b, AF_INET6);
		add_encap(&b, cases[i].encap_type, &encap);
		nlh = finish(&b);
		read_and_build(nlh, mem, sizeof(mem), &op);
		ck_assert_uint_eq(op.u.route->hops[0].encap->behavior, SRV6_OTHER);
		ck_assert_uint_eq(op.u.route->hops[0].encap->number, cases[i].action);
		ck_assert_mem_eq(built_encap().data, encap.p, encap.len);
		free(nlh);
	}
}
END_TEST

/* What is left behind the last attribute and is none: nobody knows what it was, so all of it is kept as bytes. */
START_TEST(trailing_bytes)
{
	static const uint8_t left[] = { 12, 0, 99, 0, 1, 2, 3, 4 }; /* one of 12 bytes that has 8 */

	for (size_t n = 1; n <= sizeof(left); n++) {
		struct bytes encap = { .len = 0 }, b;
		struct srv6_encap alone = { .sz = sizeof(alone) };
		struct nlmsghdr *nlh;
		struct srv6_op op;
		MEM;

		add_u32(&encap, 1, 3);
		add_u32(&encap, 3, 100);
		ck_assert_int_eq(srv6_get_encap(7, encap.p, encap.len, mem, sizeof(mem), &alone), 0);
		add(&encap, left, n);
		alone.behavior = 77;
		ck_assert_int_eq(srv6_get_encap(7, encap.p, encap.len, mem, sizeof(mem), &alone), -EBADMSG);
		ck_assert_uint_eq(alone.behavior, 77);
		begin(&b, AF_INET6);
		add_encap(&b, 7, &encap);
		nlh = finish(&b);
		ck_assert_int_eq(srv6_read(nlh, mem, sizeof(mem), &op), 0);
		ck_assert_uint_eq(op.u.route->hops[0].encap->behavior, SRV6_OTHER);
		ck_assert_uint_eq(op.u.route->hops[0].encap->raw.len, encap.len);
		ck_assert_mem_eq(op.u.route->hops[0].encap->raw.data, encap.p, encap.len);
		free(nlh);
	}
}
END_TEST

/* Attributes that have grown: their known part counts. */
START_TEST(longer_attributes)
{
	static const uint8_t more[20] = { 100, 0, 0, 0, 9, 9, 9, 9 };
	struct bytes encap = { .len = 0 };
	struct srv6_encap e = { .sz = sizeof(e) };
	MEM;

	add_u32(&encap, 1, 3);
	add_attr(&encap, 3, more, 8);
	ck_assert_int_eq(srv6_get_encap(7, encap.p, encap.len, mem, sizeof(mem), &e), 0);
	ck_assert_uint_eq(e.behavior, SRV6_END_T);
	ck_assert_uint_eq(e.has, SRV6_HAS(TABLE));
	ck_assert_uint_eq(e.table, __builtin_bswap32(__builtin_bswap32(100)));
}
END_TEST

/* ---- the SRH: what the fields can't say */

static struct bytes srh_of(uint8_t nexthdr, uint8_t left, uint8_t first, uint8_t flags, int n, int slot)
{
	uint8_t head[8] = { nexthdr, (uint8_t)(2 * (n + slot)), 4, left, first, flags, 0, 0 };
	static const struct in6_addr zero;
	struct bytes b = { .len = 0 };

	add(&b, head, 8);
	if (slot)
		add(&b, &zero, 16);
	for (int i = n; i--;)
		add(&b, &(struct in6_addr)FC(i + 2), 16);
	return b;
}

static struct bytes seg6_of(uint32_t mode, const struct bytes *srh)
{
	struct bytes value = { .len = 0 }, encap = { .len = 0 };

	add(&value, &mode, 4);
	add(&value, srh->p, srh->len);
	add_attr(&encap, 1, value.p, value.len);
	return encap;
}

/* Read, built again: the same bytes. Returns what was read. */
static struct srv6_encap srh_survives(uint32_t mode, const struct bytes *srh, uint64_t has, int line)
{
	static char mem[SRV6_READ_MEM] __attribute__((aligned(16)));
	struct bytes encap = seg6_of(mode, srh), b;
	struct nlmsghdr *nlh;
	struct srv6_op op;
	struct srv6_encap e;

	begin(&b, AF_INET6);
	add_encap(&b, 5, &encap);
	nlh = finish(&b);
	read_and_build(nlh, mem, sizeof(mem), &op);
	e = *op.u.route->hops[0].encap;
	ck_assert_msg(e.has == has, "line %d: has %llx, not %llx", line, (unsigned long long)e.has,
		      (unsigned long long)has);
	ck_assert_msg(built_encap().len == encap.len && !memcmp(built_encap().data, encap.p, encap.len), "line %d",
		      line);
	free(nlh);
	return e;
}
#define SURVIVES(mode, srh, has) srh_survives(mode, srh, has, __LINE__)
#define RAW_AND_SEGS             (SRV6_HAS(RAW_SRH) | SRV6_HAS(SEGS))

START_TEST(raw_srh)
{
	struct bytes b;
	struct srv6_encap e;
	uint8_t hmac[40] = { 5, 38, 0, 0, 0, 0, 0, 9 }, tlv[8] = { 200, 6 };

	b = srh_of(0, 1, 1, 0, 2, 0);
	e = SURVIVES(1, &b, SRV6_HAS(SEGS));
	ck_assert_uint_eq(e.n_segs, 2);
	ck_assert_uint_eq(e.segs[0].s6_addr[3], 2);
	b = srh_of(59, 1, 1, 0, 2, 0); /* next header */
	SURVIVES(1, &b, RAW_AND_SEGS);
	b = srh_of(0, 0, 1, 0, 2, 0); /* segments left is less */
	SURVIVES(1, &b, RAW_AND_SEGS);
	b = srh_of(0, 0, 0, 0, 1, 0);
	b.p[1] = 4; /* 16 bytes of zeros behind one segment: eight empty TLVs */
	add(&b, &(struct in6_addr){ 0 }, 16);
	SURVIVES(1, &b, SRV6_HAS(SEGS) | SRV6_HAS(TLVS));
	b = srh_of(0, 0, 0, 8, 1, 0); /* the HMAC's flag without it */
	SURVIVES(1, &b, RAW_AND_SEGS | SRV6_HAS(SRH_FLAGS));
	b = srh_of(0, 0, 0, 0x28, 1, 0); /* and with it, beside another flag and TLV */
	add(&b, tlv, 8);
	add(&b, hmac, 40);
	b.p[1] += 6;
	e = SURVIVES(1, &b, SRV6_HAS(SEGS) | SRV6_HAS(SRH_FLAGS) | SRV6_HAS(TLVS) | SRV6_HAS(HMAC));
	ck_assert_uint_eq(e.hmac, 9);
	ck_assert_uint_eq(e.srh_flags, 0x20);
	ck_assert_uint_eq(e.tlvs.len, 8);
	b.p[5] = 0x20; /* the HMAC without its flag */
	SURVIVES(1, &b, RAW_AND_SEGS | SRV6_HAS(SRH_FLAGS) | SRV6_HAS(TLVS));
	b.p[5] = 0x28;
	b.p[b.len - 1] = 1; /* a HMAC that is not zero */
	SURVIVES(1, &b, RAW_AND_SEGS | SRV6_HAS(SRH_FLAGS) | SRV6_HAS(TLVS));
	b = srh_of(0, 0, 0, 0, 1, 0);
	b.p[6] = 0x12;
	b.p[7] = 0x34;
	e = SURVIVES(1, &b, SRV6_HAS(SEGS) | SRV6_HAS(TAG));
	ck_assert_uint_eq(e.tag, 0x1234);
}
END_TEST

/* The '::' that H.Insert starts with: taken off once, and its absence is kept. */
START_TEST(slot)
{
	struct bytes b = srh_of(0, 2, 2, 0, 2, 1);
	struct srv6_encap e = SURVIVES(0, &b, SRV6_HAS(SEGS));

	ck_assert_uint_eq(e.n_segs, 2);
	b = srh_of(0, 1, 1, 0, 2, 0);
	e = SURVIVES(0, &b, RAW_AND_SEGS);
	ck_assert_uint_eq(e.n_segs, 2);
	b = srh_of(0, 0, 0, 0, 0, 1);
	SURVIVES(0, &b, SRV6_HAS(RAW_SRH));
	/* Another '::' is a segment that nobody may give, and so is one where there is no slot. */
	b = srh_of(0, 2, 2, 0, 2, 1);
	memset(b.p + 24, 0, 16);
	SURVIVES(0, &b, RAW_AND_SEGS);
	b = srh_of(0, 2, 2, 0, 2, 1);
	e = SURVIVES(1, &b, RAW_AND_SEGS);
	ck_assert_uint_eq(e.n_segs, 3);
}
END_TEST

/* ---- cut short, and changed */

/* As a kernel never sends it: must end, and write nothing beyond. Memory that is too small is an error or it fits. */
static void survive(const struct nlmsghdr *nlh)
{
	static const uint8_t guard[] = { 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5 };
	static uint32_t buf[BUF / 4];
	size_t need = srv6_read_size(nlh), cap = need;
	uint8_t *mem = malloc(need + sizeof(guard));
	struct srv6_op op = { .verb = 77 }, *copy;
	int r;

	memset(mem, 0xa5, need + sizeof(guard));
	r = srv6_read(nlh, mem, cap, &op);
	/* Plain ifs: check writes to a file at each of its own. */
	if (r == -ENOBUFS || memcmp(mem + need, guard, sizeof(guard)) || (r < 0 && op.verb != 77))
		ck_abort_msg("%d, or written beyond, or touched on failure", r);
	if (r < 0) {
		free(mem);
		return;
	}
	if (srv6_copy(&op, &copy) < 0)
		ck_abort_msg("no copy");
	copy->verb = SRV6_ADD;
	srv6_build(buf, sizeof(buf), copy, NULL, NULL);
	srv6_diff(copy, copy, SRV6_DIFF_EQUAL, NULL);
	free(copy);
	free(mem);
}

static const char *hex_at(int i)
{
	if (i < (int)ARRAY_SIZE(requests))
		return requests[i].hex;
	i -= (int)ARRAY_SIZE(requests);
	if (i < (int)ARRAY_SIZE(mobile_requests))
		return mobile_requests[i].hex;
	return answers[i - (int)ARRAY_SIZE(mobile_requests)].hex;
}
#define N_HEX (int)(ARRAY_SIZE(requests) + ARRAY_SIZE(mobile_requests) + ARRAY_SIZE(answers))

START_TEST(truncated)
{
	size_t len;
	struct nlmsghdr *whole = unhex(hex_at(_i), &len), *part;

	for (size_t n = sizeof(*part); n <= len; n++) {
		part = malloc(n);
		memcpy(part, whole, n);
		part->nlmsg_len = (uint32_t)n;
		survive(part);
		free(part);
	}
	free(whole);
}
END_TEST

/* Each byte with some values that hurt, then many at random. */
START_TEST(changed)
{
	static const uint8_t hurt[] = { 0, 1, 3, 4, 5, 0x7f, 0x80, 0xff };
	size_t len;
	uint8_t *p = unhex(hex_at(_i), &len), was;
	unsigned int seed = (unsigned int)_i + 1;

	for (size_t at = 16; at < len; at++)
		for (size_t k = 0; k < sizeof(hurt); k++) {
			was = p[at];
			p[at] = hurt[k];
			survive((void *)p);
			p[at] = was;
		}
	for (int n = 0; n < 500; n++) {
		uint8_t *q = malloc(len);

		memcpy(q, p, len);
		for (int k = rand_r(&seed) % 8; k >= 0; k--)
			q[16 + (size_t)rand_r(&seed) % (len - 16)] = (uint8_t)rand_r(&seed);
		survive((void *)q);
		free(q);
	}
	free(p);
}
END_TEST

/* Memory: with one byte less than it takes there is an error, and nothing is written behind it. */
START_TEST(memory)
{
	size_t len, cap;
	struct nlmsghdr *nlh = unhex(hex_at(_i), &len);
	struct srv6_op op = { .verb = 77 };
	int r = -ENOBUFS;

	for (cap = 0; r == -ENOBUFS; cap++) {
		uint8_t *mem = malloc(cap ? cap : 1);

		r = srv6_read(nlh, mem, cap, &op);
		free(mem);
	}
	ck_assert(r == 0 || r == -ENOMSG);
	ck_assert_uint_le(cap, srv6_read_size(nlh) + 1);
	free(nlh);
}
END_TEST

/* And the buffer that is built into */
START_TEST(buffer)
{
	const struct vector *v = &requests[_i];
	struct srv6_build_opts opts = { .sz = sizeof(opts), .flags = NLM_F_ACK, .genl_id = 29 };
	size_t len = strlen(v->hex) / 2;
	struct srv6_error err;

	for (size_t cap = 0; cap <= len; cap += 4) {
		uint8_t *buf = malloc(cap ? cap : 1);

		ck_assert_int_eq(srv6_build(buf, cap, &v->op, &opts, &err), cap < len ? -EMSGSIZE : 0);
		free(buf);
	}
}
END_TEST

START_TEST(other_messages)
{
	struct nlmsghdr nlh = { .nlmsg_len = sizeof(nlh), .nlmsg_type = RTM_NEWLINK };
	struct srv6_op op;
	MEM;

	ck_assert_int_eq(srv6_read(&nlh, mem, sizeof(mem), &op), -ENOMSG);
	nlh.nlmsg_type = RTM_NEWROUTE;
	ck_assert_int_eq(srv6_read(&nlh, mem, sizeof(mem), &op), -EBADMSG);
	nlh.nlmsg_type = RTM_NEWNEXTHOP;
	ck_assert_int_eq(srv6_read(&nlh, mem, sizeof(mem), &op), -EBADMSG);
	nlh.nlmsg_len = 15;
	ck_assert_int_eq(srv6_read(&nlh, mem, sizeof(mem), &op), -EBADMSG);
}
END_TEST

/* The same twice: one of them would be lost. */
START_TEST(twice)
{
	struct {
		struct nlmsghdr nlh;
		struct rtmsg rtm;
		struct nlattr a;
		uint32_t one;
		struct nlattr b;
		uint32_t two;
	} msg = {
		.nlh = { .nlmsg_len = sizeof(msg), .nlmsg_type = RTM_NEWROUTE },
		.rtm = { .rtm_family = AF_INET6, .rtm_type = RTN_UNICAST },
		.a = { .nla_len = sizeof(struct nlattr) + 4, .nla_type = RTA_PRIORITY },
		.one = 1,
		.b = { .nla_len = sizeof(struct nlattr) + 4, .nla_type = RTA_PRIORITY },
		.two = 2,
	};
	uint64_t mem[SRV6_READ_MEM / 8];
	struct srv6_op op;

	ck_assert_int_eq(srv6_read(&msg.nlh, mem, sizeof(mem), &op), -EBADMSG);
	msg.b.nla_type = RTA_OIF;
	ck_assert_int_eq(srv6_read(&msg.nlh, mem, sizeof(mem), &op), 0);
	ck_assert_uint_eq(op.u.route->metric, 1);
}
END_TEST

/* Too much for the 64 KiB of an attribute: an error, and not a message cut short. */
START_TEST(too_many_hops)
{
	static struct srv6_hop hops[3000];
	struct srv6_route r = { .sz = sizeof(r), DST6(64, DOC(1)), .n_hops = 2000, .hops = hops };
	struct srv6_op op = OP(ADD, &r);
	uint8_t *buf = malloc(1 << 20);
	struct srv6_error err;

	for (size_t i = 0; i < ARRAY_SIZE(hops); i++)
		hops[i] = (struct srv6_hop)HOP(NULL, SRV6_HAS(VIA) | SRV6_HAS(DEV), VIA6(GW(2)), .ifindex = 10);
	ck_assert_int_eq(srv6_build(buf, 1 << 20, &op, NULL, &err), 0);
	r.n_hops = 3000;
	ck_assert_int_eq(srv6_build(buf, 1 << 20, &op, NULL, &err), -EINVAL);
	ck_assert_msg(strstr(err.text, "does not fit into one message") != NULL, "%s", err.text);
	free(buf);
}
END_TEST

/* ---- the encapsulation alone */

START_TEST(encap_alone)
{
	static const struct in6_addr segs[] = { FC(2) };
	struct srv6_encap e = {
		.sz = sizeof(e), .behavior = SRV6_H_ENCAPS, .has = SRV6_HAS(SEGS), .n_segs = 1, .segs = segs
	};
	struct srv6_encap back = { .sz = sizeof(back) };
	uint32_t buf[64] = { 0 };
	struct nlmsghdr *nlh = (void *)buf;
	struct attrs run;
	struct attr one;
	struct srv6_error err;
	char text[512];
	MEM;

	nlh->nlmsg_len = 28;
	ck_assert_int_eq(srv6_put_encap(nlh, 71, SRV6_ROUTE, &e, AF_INET6, NULL, &err), -EMSGSIZE);
	ck_assert_uint_eq(nlh->nlmsg_len, 28);
	ck_assert_int_eq(srv6_put_encap(nlh, 72, SRV6_ROUTE, &e, AF_INET6, NULL, &err), 0);
	ck_assert_str_eq(hex_of(buf + 7, nlh->nlmsg_len - 28, text),
			 "2400168020000100010000000002040000000000fc0000020000000000000000000000010600150005000000");
	run = (struct attrs){ (uint8_t *)(buf + 7), nlh->nlmsg_len - 28 };
	ck_assert(attr_next(&run, &one));
	ck_assert_int_eq(srv6_get_encap(5, one.data, one.len, mem, sizeof(mem), &back), 0);
	ck_assert_int_eq(srv6_diff_encap(&e, &back, SRV6_DIFF_EQUAL, NULL), 0);
	ck_assert_int_eq(srv6_get_encap(5, one.data, one.len, mem, 15, &back), -ENOBUFS);
	/* An older caller's struct is not written beyond. */
	memset(&back, 0x77, sizeof(back));
	back.sz = offsetof(struct srv6_encap, raw);
	ck_assert_int_eq(srv6_get_encap(5, one.data, one.len, mem, sizeof(mem), &back), 0);
	ck_assert_uint_eq(back.n_segs, 1);
	ck_assert_uint_eq(back.sz, offsetof(struct srv6_encap, raw));
	ck_assert_uint_eq(back.lookup, 0x77777777);
	nlh->nlmsg_len = 24;
	ck_assert_int_eq(srv6_put_encap(nlh, sizeof(buf), SRV6_NEXTHOP, &e, AF_INET6, NULL, &err), 0);
	ck_assert_str_eq(hex_of(buf + 6, nlh->nlmsg_len - 24, text),
			 "2400088020000100010000000002040000000000fc0000020000000000000000000000010600070005000000");
	e.behavior = SRV6_H_INSERT;
	ck_assert_int_eq(srv6_put_encap(nlh, sizeof(buf), SRV6_ROUTE, &e, AF_INET, NULL, &err), -EINVAL);
}
END_TEST

/* ---- nexthop groups, metrics and the rest of a route, there and back */

static void there_and_back(const struct srv6_op *op, uint32_t *buf, size_t size, char *mem, struct srv6_op *back)
{
	uint32_t attr = SRV6_ATTR_NONE;
	struct srv6_error err;
	int r = srv6_build(buf, size, op, NULL, &err);

	ck_assert_msg(r == 0, "%s", err.text);
	ck_assert_int_eq(srv6_read((void *)buf, mem, SRV6_READ_MEM, back), 0);
	r = srv6_diff(op, back, SRV6_DIFF_EQUAL, &attr);
	ck_assert_msg(r == 0, "%s came back otherwise", attr_word(attr));
	r = srv6_diff(back, op, SRV6_DIFF_EQUAL, &attr);
	ck_assert_msg(r == 0, "%s came back otherwise, the other way round", attr_word(attr));
}

START_TEST(whole_route)
{
	struct srv6_hop hops[2] = {
		HOP(ENCAP(H_ENCAPS, SRV6_HAS(SEGS), SEGS(FC(2))),
		    SRV6_HAS(VIA) | SRV6_HAS(DEV) | SRV6_HAS(WEIGHT) | SRV6_HAS(ONLINK) | SRV6_HAS(REALMS), VIA6(GW(2)),
		    .ifindex = 10, .weight = 256, .realms = 0x10002),
		HOP(NULL, SRV6_HAS(VIA) | SRV6_HAS(DEV) | SRV6_HAS(WEIGHT),
		    .via = { .family = AF_INET, .len = 32, .addr = { .in4 = A4(192, 0, 2, 9) } }, .ifindex = 11,
		    .weight = 1),
	};
	struct srv6_route r = { .sz = sizeof(r), DST4(24, A4(198, 51, 100, 0)), .n_hops = 2, .hops = hops };
	struct srv6_op op = OP(ADD, &r), back;
	uint32_t buf[512];
	uint32_t rtt = 0;
	struct attrs run;
	struct attr one;
	MEM;

	r.has = SRV6_HAS(TYPE) | SRV6_HAS(TOS) | SRV6_HAS(ROUTE_TABLE) | SRV6_HAS(METRIC) | SRV6_HAS(PROTOCOL) |
		SRV6_HAS(SCOPE) | SRV6_HAS(PREFSRC) | SRV6_HAS(LOCK) | SRV6_HAS(CONGCTL) | SRV6_HAS(MTU) |
		SRV6_HAS(RTT) | SRV6_HAS(RTTVAR) | SRV6_HAS(RTO_MIN) | SRV6_HAS(HOPLIMIT) |
		SRV6_HAS(FASTOPEN_NO_COOKIE);
	r.type = RTN_UNICAST;
	r.tos = 0x10;
	r.table = 100000;
	r.metric = 7;
	r.protocol = 99;
	r.scope = RT_SCOPE_UNIVERSE;
	r.prefsrc = (struct srv6_prefix){ .family = AF_INET, .len = 32, .addr = { .in4 = A4(192, 0, 2, 1) } };
	r.lock = 1 << RTAX_MTU;
	r.congctl = "dctcp";
	for (uint32_t i = RTAX_MTU; i < SRV6_N_METRICS; i++)
		r.metrics[i] = i == RTAX_FASTOPEN_NO_COOKIE ? 1 : 50 + i;
	there_and_back(&op, buf, sizeof(buf), mem, &back);
	ck_assert_uint_eq(back.u.route->has & ~SRV6_HAS(DST), r.has);
	ck_assert_uint_eq(back.u.route->hops[0].weight, 256);
	ck_assert_uint_eq(back.u.route->hops[0].realms, 0x10002);
	ck_assert_uint_eq(back.u.route->hops[0].via.family, AF_INET6);
	ck_assert_uint_eq(back.u.route->hops[1].via.family, AF_INET);
	ck_assert_str_eq(back.u.route->congctl, "dctcp");
	/* The kernel counts round trip times in eighths of a millisecond. */
	run = (struct attrs){ (uint8_t *)(buf + 7), buf[0] - 28 };
	while (attr_next(&run, &one)) {
		struct attrs nest = { one.data, one.len };
		struct attr metric;

		while (one.type == RTA_METRICS && attr_next(&nest, &metric))
			if (metric.type == RTAX_RTT)
				rtt = attr_u32(&metric);
	}
	ck_assert_uint_eq(rtt, 8 * (50 + RTAX_RTT));
}
END_TEST

START_TEST(route_in6)
{
	struct srv6_hop hop = HOP(NULL, SRV6_HAS(VIA) | SRV6_HAS(DEV) | SRV6_HAS(ONLINK), VIA6(GW(2)), .ifindex = 10);
	struct srv6_route r = { .sz = sizeof(r), DST6(0, A6(0, 0, 0, 0, 0, 0, 0, 0)), .n_hops = 1, .hops = &hop };
	struct srv6_op op = OP(ADD, &r), back;
	uint32_t buf[128];
	MEM;

	r.has = SRV6_HAS(FROM) | SRV6_HAS(PREF) | SRV6_HAS(EXPIRES) | SRV6_HAS(TTL_PROPAGATE);
	r.from = (struct srv6_prefix){ .family = AF_INET6, .len = 48, .addr = { .in6 = DOC(9) } };
	r.pref = 3;
	r.expires = 600;
	r.ttl_propagate = 1;
	there_and_back(&op, buf, sizeof(buf), mem, &back);
	ck_assert_uint_eq(back.u.route->dst.len, 0);
	ck_assert_uint_eq(back.u.route->from.len, 48);
	ck_assert_uint_eq(back.u.route->expires, 600);
	ck_assert_uint_eq(back.u.route->hops[0].has, hop.has);
}
END_TEST

/* Lifetimes come in hundredths of a second inside RTA_CACHEINFO. */
START_TEST(cacheinfo)
{
	struct rta_cacheinfo ci = { .rta_expires = 4200 };
	struct bytes b;
	struct nlmsghdr *nlh;
	struct srv6_op op;
	MEM;

	begin(&b, AF_INET6);
	add_attr(&b, RTA_CACHEINFO, &ci, sizeof(ci));
	nlh = finish(&b);
	ck_assert_int_eq(srv6_read(nlh, mem, sizeof(mem), &op), 0);
	ck_assert(op.u.route->has & SRV6_HAS(EXPIRES));
	ck_assert_uint_eq(op.u.route->expires, 42);
	free(nlh);
}
END_TEST

/* What the kernel alone may say is not sent back: why it took a route away. */
START_TEST(del_reason)
{
	struct bytes b;
	struct nlmsghdr *nlh;
	struct srv6_op op;
	struct attrs run;
	struct attr one;
	int seen = 0;
	MEM;

	begin(&b, AF_INET6);
	add_u32(&b, 32, 1);
	add_u32(&b, 33, 5);
	nlh = finish(&b);
	read_and_build(nlh, mem, sizeof(mem), &op);
	ck_assert_uint_eq(op.u.route->unknown.len, 16);
	run = (struct attrs){ (uint8_t *)(again + 7), again[0] - 28 };
	while (attr_next(&run, &one)) {
		ck_assert_uint_ne(one.type, 32);
		seen += one.type == 33;
	}
	ck_assert_int_eq(seen, 1);
	free(nlh);
}
END_TEST

START_TEST(groups)
{
	static const struct srv6_group members[] = { { .id = 1, .weight = 1 }, { .id = 2, .weight = 300 } };
	struct srv6_nexthop nh = { .sz = sizeof(nh), .id = 9, .n_group = 2, .group = members };
	struct srv6_op op = OP_NH(ADD, &nh), back;
	uint32_t buf[64];
	char text[256];
	MEM;

	nh.has = SRV6_HAS(NH_ID) | SRV6_HAS(NH_GROUP) | SRV6_HAS(NH_GROUP_TYPE) | SRV6_HAS(NH_PROTOCOL);
	nh.protocol = 99;
	nh.group_type = NEXTHOP_GRP_TYPE_RES;
	there_and_back(&op, buf, sizeof(buf), mem, &back);
	ck_assert_str_eq(hex_of(buf, buf[0], text), "3c00000068000106"
						    "0000000000000000" /* CREATE, EXCL, REQUEST */
						    "0000630000000000"
						    "0800010009000000"
						    "14000200010000000000000002000000"
						    "2b010000" /* 299 in two bytes */
						    "0600030001000000");
	nh = (struct srv6_nexthop){
		.sz = sizeof(nh), .id = 9, .has = SRV6_HAS(NH_ID) | SRV6_HAS(NH_BLACKHOLE), .family = AF_INET6
	};
	there_and_back(&op, buf, sizeof(buf), mem, &back);
	ck_assert_ptr_null(back.u.nexthop->hop);
	nh = (struct srv6_nexthop){ .sz = sizeof(nh),
				    .id = 9,
				    .has = SRV6_HAS(NH_ID) | SRV6_HAS(NH_FDB),
				    .family = AF_INET6,
				    .hop = &(const struct srv6_hop)HOP(NULL, SRV6_HAS(VIA), VIA6(GW(2))) };
	there_and_back(&op, buf, sizeof(buf), mem, &back);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("kept"), *c = tcase_create("hurt"), *r = tcase_create("whole");

	tcase_add_test(t, unknown_attributes);
	tcase_add_test(t, more_in_a_nest);
	tcase_add_test(t, unknown_encaps);
	tcase_add_test(t, malformed_encaps);
	tcase_add_test(t, trailing_bytes);
	tcase_add_test(t, longer_attributes);
	tcase_add_test(t, raw_srh);
	tcase_add_test(t, slot);
	tcase_set_timeout(c, 60);
	tcase_add_loop_test(c, truncated, 0, N_HEX);
	tcase_add_loop_test(c, changed, 0, N_HEX);
	tcase_add_loop_test(c, memory, 0, N_HEX);
	tcase_add_loop_test(c, buffer, 0, (int)ARRAY_SIZE(requests));
	tcase_add_test(c, other_messages);
	tcase_add_test(c, twice);
	tcase_add_test(c, too_many_hops);
	tcase_add_test(r, encap_alone);
	tcase_add_test(r, whole_route);
	tcase_add_test(r, route_in6);
	tcase_add_test(r, cacheinfo);
	tcase_add_test(r, del_reason);
	tcase_add_test(r, groups);
	return suite_run("codec: bytes", t, c, r);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Real messages, byte for byte: what we build, what we read, and both one after the other. */
#include "codec_vectors.h"
#include "suite.h"

static const struct srv6_build_opts *opts_of(const struct vector *v)
{
	static struct srv6_build_opts opts;

	opts = (struct srv6_build_opts){ .sz = sizeof(opts), .flags = NLM_F_ACK, .mobile = v->mobile, .genl_id = 29 };
	return &opts;
}

static void build_equals(const struct vector *v, const struct srv6_op *op)
{
	static uint32_t buf[BUF / 4];
	static char text[2 * BUF + 1];
	struct srv6_error err;
	const struct nlmsghdr *nlh = (void *)buf;
	int r;

	memset(buf, 0xff, sizeof(buf));
	r = srv6_build(buf, sizeof(buf), op, opts_of(v), &err);
	ck_assert_msg(r == 0, "%s: %d %s", v->name, r, err.text);
	ck_assert_msg(!strcmp(hex_of(buf, nlh->nlmsg_len, text), v->hex), "%s\n is %s\nnot %s", v->name, text, v->hex);
}

static const struct vector *vector_at(int i)
{
	return i < (int)ARRAY_SIZE(requests) ? &requests[i] : &mobile_requests[i - (int)ARRAY_SIZE(requests)];
}
#define N_VECTORS (int)(ARRAY_SIZE(requests) + ARRAY_SIZE(mobile_requests))

START_TEST(builds)
{
	build_equals(vector_at(_i), &vector_at(_i)->op);
}
END_TEST

/* Read, it is what it was built from; and built from that, it is the same bytes. */
START_TEST(reads_back)
{
	const struct vector *v = vector_at(_i);
	struct srv6_op op;
	uint32_t attr = SRV6_ATTR_NONE;
	size_t len, cap;
	struct nlmsghdr *nlh = unhex(v->hex, &len);
	void *mem;
	int r;

	if (v->op.kind != SRV6_ROUTE && v->op.kind != SRV6_NEXTHOP) {
		free(nlh);
		return;
	}
	ck_assert_uint_eq(nlh->nlmsg_len, len);
	cap = srv6_read_size(nlh);
	mem = malloc(cap);
	r = srv6_read(nlh, mem, cap, &op);
	ck_assert_msg(r == 0, "%s: %d", v->name, r);
	ck_assert_uint_eq(op.kind, v->op.kind);
	ck_assert_uint_eq(op.verb, v->op.verb == SRV6_DEL ? SRV6_DEL : SRV6_IS);
	ck_assert_ptr_eq(op.nlh, nlh);
	if (v->op.verb != SRV6_DEL) {
		r = srv6_diff(&v->op, &op, SRV6_DIFF_EQUAL, &attr);
		ck_assert_msg(r == 0, "%s differs in %s", v->name, attr_word(attr));
		r = srv6_diff(&op, &v->op, SRV6_DIFF_EQUAL, &attr);
		ck_assert_msg(r == 0, "%s differs in %s, the other way round", v->name, attr_word(attr));
	}
	op.verb = v->op.verb;
	build_equals(v, &op);
	free(mem);
	free(nlh);
}
END_TEST

/* The numbers of vectors: a table that lost rows must not pass. */
START_TEST(all_there)
{
	ck_assert_int_eq(ARRAY_SIZE(requests), 36);
	ck_assert_int_eq(ARRAY_SIZE(mobile_requests), 7);
	ck_assert_int_eq(ARRAY_SIZE(answers), 10);
}
END_TEST

/* ---- what Linux 6.18 answers */

static struct nlmsghdr *answer;
static void *answer_mem;

static void read_answer(int i, struct srv6_op *op)
{
	size_t len;
	int r;

	free(answer);
	free(answer_mem);
	answer = unhex(answers[i].hex, &len);
	ck_assert_uint_eq(answer->nlmsg_len, len);
	answer_mem = malloc(srv6_read_size(answer));
	r = srv6_read(answer, answer_mem, srv6_read_size(answer), op);
	ck_assert_msg(r == 0, "%s: %d", answers[i].name, r);
}

static const struct srv6_route *answer_route(int i)
{
	static struct srv6_op op;

	read_answer(i, &op);
	ck_assert_uint_eq(op.kind, SRV6_ROUTE);
	ck_assert_uint_eq(op.verb, SRV6_IS);
	return op.u.route;
}

/* What every route of the answers has that is for IPv6. */
#define DUMPED6                                                                                                        \
	(SRV6_HAS(TYPE) | SRV6_HAS(DST) | SRV6_HAS(PROTOCOL) | SRV6_HAS(SCOPE) | SRV6_HAS(ROUTE_TABLE) |               \
	 SRV6_HAS(METRIC) | SRV6_HAS(PREF))

static const struct srv6_encap *only_encap(const struct srv6_route *r)
{
	ck_assert_uint_eq(r->n_hops, 1);
	ck_assert_uint_eq(r->hops[0].has, SRV6_HAS(DEV));
	ck_assert_uint_eq(r->hops[0].ifindex, 10);
	ck_assert_uint_eq(r->hops[0].flags, 0);
	ck_assert_ptr_nonnull(r->hops[0].encap);
	return r->hops[0].encap;
}

static void segment_is(const struct srv6_encap *e, uint32_t i, int fc)
{
	struct in6_addr want = FC(fc);

	ck_assert_uint_lt(i, e->n_segs);
	ck_assert_mem_eq(&e->segs[i], &want, sizeof(want));
}

START_TEST(dump_encap)
{
	static const struct in6_addr dst = DOC(0xa);
	const struct srv6_route *r = answer_route(D_ENCAP);
	const struct srv6_encap *e = only_encap(r);

	ck_assert_uint_eq(r->has, DUMPED6);
	ck_assert_uint_eq(r->dst.family, AF_INET6);
	ck_assert_uint_eq(r->dst.len, 64);
	ck_assert_mem_eq(&r->dst.addr.in6, &dst, sizeof(dst));
	ck_assert_uint_eq(r->table, 254);
	ck_assert_uint_eq(r->metric, 1024);
	ck_assert_uint_eq(r->type, RTN_UNICAST);
	ck_assert_uint_eq(r->protocol, RTPROT_BOOT);
	ck_assert_uint_eq(r->pref, 0);
	ck_assert_uint_eq(r->derived, 0);
	ck_assert_uint_eq(e->behavior, SRV6_H_ENCAPS);
	ck_assert_uint_eq(e->encap_type, 5);
	ck_assert_uint_eq(e->number, 1);
	ck_assert_uint_eq(e->has, SRV6_HAS(SEGS));
	ck_assert_uint_eq(e->n_segs, 1);
	segment_is(e, 0, 2);
}
END_TEST

START_TEST(dump_hmac)
{
	const struct srv6_encap *e = only_encap(answer_route(D_HMAC));

	ck_assert_uint_eq(e->has, SRV6_HAS(SEGS) | SRV6_HAS(HMAC));
	ck_assert_uint_eq(e->hmac, 42);
	segment_is(e, 0, 2);
}
END_TEST

START_TEST(dump_csid)
{
	const struct srv6_encap *e = only_encap(answer_route(D_CSID));

	ck_assert_uint_eq(e->behavior, SRV6_END);
	ck_assert_uint_eq(e->has, SRV6_HAS(FLAVORS) | SRV6_HAS(LBLEN) | SRV6_HAS(NFLEN));
	ck_assert_uint_eq(e->flavors, SRV6_FLAVOR_NEXT_CSID);
	ck_assert_uint_eq(e->lblen, 48);
	ck_assert_uint_eq(e->nflen, 16);
}
END_TEST

START_TEST(dump_end_x)
{
	static const struct in6_addr nh6 = A6(0xfe80, 0, 0, 0, 0, 0, 0, 2);
	const struct srv6_encap *e = only_encap(answer_route(D_END_X));

	ck_assert_uint_eq(e->behavior, SRV6_END_X);
	ck_assert_uint_eq(e->has, SRV6_HAS(NH6) | SRV6_HAS(OIF));
	ck_assert_mem_eq(&e->nh6, &nh6, sizeof(nh6));
	ck_assert_uint_eq(e->oif, 10);
}
END_TEST

START_TEST(dump_dt6)
{
	const struct srv6_encap *e = only_encap(answer_route(D_DT6));

	ck_assert_uint_eq(e->behavior, SRV6_END_DT6);
	ck_assert_uint_eq(e->has, SRV6_HAS(TABLE));
	ck_assert_uint_eq(e->table, 100);
}
END_TEST

START_TEST(dump_count)
{
	const struct srv6_route *r = answer_route(D_COUNT);
	const struct srv6_encap *e = only_encap(r);

	ck_assert_uint_eq(r->protocol, 4);
	ck_assert_uint_eq(e->has,
			  SRV6_HAS(NH6) | SRV6_HAS(COUNT) | SRV6_HAS(FLAVORS) | SRV6_HAS(LBLEN) | SRV6_HAS(NFLEN));
	ck_assert_uint_eq(e->lblen, 32);
	ck_assert_uint_eq(e->nflen, 16);
	ck_assert_uint_eq(e->counters.packets, 0);
}
END_TEST

/* The same with numbers in it: packets 5, bytes 0x0102030405060708, errors 2 */
START_TEST(dump_counters)
{
	static const uint64_t values[] = { 5, 0x0102030405060708, 2 };
	char *hex = strdup(answers[D_COUNT].hex), *at = strstr(hex, "28000a80");
	const struct srv6_encap *e;
	struct srv6_op op;
	size_t len;
	char mem[SRV6_READ_MEM] __attribute__((aligned(16)));
	struct nlmsghdr *nlh;
	uint8_t *p;

	ck_assert_ptr_nonnull(at);
	nlh = unhex(hex, &len);
	p = (uint8_t *)nlh + (at - hex) / 2 + 4;
	for (int i = 0; i < 3; i++)
		memcpy(p + 12 * i + 4, &values[i], 8);
	ck_assert_int_eq(srv6_read(nlh, mem, sizeof(mem), &op), 0);
	e = only_encap(op.u.route);
	ck_assert_uint_eq(e->counters.packets, values[0]);
	ck_assert_uint_eq(e->counters.bytes, values[1]);
	ck_assert_uint_eq(e->counters.errors, values[2]);
	free(nlh);
	free(hex);
}
END_TEST

START_TEST(dump_in4)
{
	const struct srv6_route *r = answer_route(D_IN4);

	ck_assert_uint_eq(r->has, SRV6_HAS(TYPE) | SRV6_HAS(DST) | SRV6_HAS(PROTOCOL) | SRV6_HAS(SCOPE) |
					  SRV6_HAS(ROUTE_TABLE));
	ck_assert_uint_eq(r->dst.family, AF_INET);
	ck_assert_uint_eq(r->dst.len, 24);
	ck_assert_uint_eq(r->scope, RT_SCOPE_LINK);
	segment_is(only_encap(r), 0, 2);
}
END_TEST

START_TEST(dump_multipath)
{
	static const struct in6_addr gw = GW(3);
	const struct srv6_route *r = answer_route(D_MULTIPATH);

	ck_assert_uint_eq(r->n_hops, 2);
	for (uint32_t i = 0; i < 2; i++) {
		ck_assert_uint_eq(r->hops[i].has, SRV6_HAS(VIA) | SRV6_HAS(DEV) | SRV6_HAS(WEIGHT));
		ck_assert_uint_eq(r->hops[i].weight, i + 1);
		ck_assert_uint_eq(r->hops[i].ifindex, 10);
		segment_is(r->hops[i].encap, 0, (int)i + 2);
	}
	ck_assert_uint_eq(r->hops[1].via.family, AF_INET6);
	ck_assert_uint_eq(r->hops[1].via.len, 128);
	ck_assert_mem_eq(&r->hops[1].via.addr.in6, &gw, sizeof(gw));
}
END_TEST

/* The hops are the object's: shown, and not sent again. */
START_TEST(dump_nhid)
{
	const struct srv6_route *r = answer_route(D_NHID);
	static uint32_t buf[256];
	struct srv6_op op = { .verb = SRV6_ADD, .kind = SRV6_ROUTE, .u = { .route = r } };
	struct srv6_op again;
	char mem[SRV6_READ_MEM] __attribute__((aligned(16)));

	ck_assert_uint_eq(r->has, DUMPED6 | SRV6_HAS(NHID));
	ck_assert_uint_eq(r->nhid, 77);
	ck_assert_uint_eq(r->derived, 1);
	segment_is(only_encap(r), 0, 2);
	ck_assert_int_eq(srv6_build(buf, sizeof(buf), &op, NULL, NULL), 0);
	ck_assert_int_eq(srv6_read((void *)buf, mem, sizeof(mem), &again), 0);
	ck_assert_uint_eq(again.u.route->n_hops, 0);
	ck_assert_uint_eq(again.u.route->nhid, 77);
}
END_TEST

START_TEST(dump_nexthop)
{
	struct srv6_op op;

	read_answer(D_NEXTHOP, &op);
	ck_assert_uint_eq(op.kind, SRV6_NEXTHOP);
	ck_assert_uint_eq(op.u.nexthop->has, SRV6_HAS(NH_ID) | SRV6_HAS(NH_PROTOCOL) | SRV6_HAS(NH_SCOPE));
	ck_assert_uint_eq(op.u.nexthop->id, 77);
	ck_assert_uint_eq(op.u.nexthop->family, AF_INET6);
	ck_assert_uint_eq(op.u.nexthop->scope, 253);
	ck_assert_ptr_nonnull(op.u.nexthop->hop);
	ck_assert_uint_eq(op.u.nexthop->hop->ifindex, 10);
	segment_is(op.u.nexthop->hop->encap, 0, 2);
}
END_TEST

/* An answer holds what was asked for: row by row. */
START_TEST(answers_hold_requests)
{
	static const struct {
		int answer, request;
	} pairs[] = { { D_ENCAP, 0 }, { D_HMAC, 7 },       { D_CSID, 13 }, { D_END_X, 15 },  { D_DT6, 20 },
		      { D_IN4, 2 },   { D_MULTIPATH, 26 }, { D_NHID, 28 }, { D_NEXTHOP, 27 } };
	struct srv6_op op;
	uint32_t attr = 0;
	int r;

	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++)
		for (size_t j = 0; j < ARRAY_SIZE(pairs); j++) {
			const struct vector *v = &requests[pairs[j].request];

			read_answer(pairs[i].answer, &op);
			r = srv6_diff(&v->op, &op, SRV6_DIFF_EQUAL, &attr);
			ck_assert_msg((i != j) == r, "%s and %s: %d, %s", v->name, answers[pairs[i].answer].name, r,
				      attr_word(attr));
		}
}
END_TEST

/* ---- generic netlink */

START_TEST(genl_gets)
{
	struct srv6_build_opts opts = { .sz = sizeof(opts), .genl_id = 29 };
	uint32_t buf[16];
	char text[256];

	ck_assert_int_eq(sr_build_get(buf, sizeof(buf), SRV6_HMAC, &opts), 0);
	ck_assert_str_eq(hex_of(buf, ((struct nlmsghdr *)(void *)buf)->nlmsg_len, text), GET_HMAC_HEX);
	ck_assert_int_eq(sr_build_get(buf, sizeof(buf), SRV6_TUNSRC, &opts), 0);
	ck_assert_str_eq(hex_of(buf, ((struct nlmsghdr *)(void *)buf)->nlmsg_len, text), GET_TUNSRC_HEX);
	ck_assert_int_eq(sr_build_get(buf, 16, SRV6_TUNSRC, &opts), -EMSGSIZE);
}
END_TEST

static const char hmac_set[] = "34000000"
			       "1d000500"
			       "00000000"
			       "00000000"
			       "01010000" /* SETHMAC */
			       "08000300"
			       "2a000000"
			       "05000500"
			       "03000000"
			       "05000600"
			       "02000000"
			       "07000400"
			       "61626300";
static const char hmac_del[] = "2c000000"
			       "1d000500"
			       "00000000"
			       "00000000"
			       "01010000"
			       "08000300"
			       "2a000000"
			       "05000500"
			       "00000000"
			       "05000600"
			       "02000000";

START_TEST(genl_hmac)
{
	struct srv6_hmac h = { .sz = sizeof(h), .key_id = 42, .algo = SRV6_HMAC_SHA256, .secret = { "abc", 3 } };
	struct srv6_op op = { .verb = SRV6_ADD, .kind = SRV6_HMAC, .u = { .hmac = &h } }, back;
	struct srv6_build_opts opts = { .sz = sizeof(opts), .genl_id = 29, .flags = NLM_F_ACK };
	uint32_t buf[32], mem[64];
	char text[256];

	ck_assert_int_eq(srv6_build(buf, sizeof(buf), &op, &opts, NULL), 0);
	ck_assert_str_eq(hex_of(buf, ((struct nlmsghdr *)(void *)buf)->nlmsg_len, text), hmac_set);
	/* A reply has the attributes of the request. */
	ck_assert_int_eq(sr_read((void *)buf, SRV6_HMAC, mem, sizeof(mem), &back), 0);
	ck_assert_int_eq(srv6_diff(&op, &back, SRV6_DIFF_EQUAL, NULL), 0);
	ck_assert_int_eq(sr_read((void *)buf, SRV6_TUNSRC, mem, sizeof(mem), &back), -EBADMSG);
	ck_assert_int_eq(sr_read((void *)buf, SRV6_HMAC, mem, 8, &back), -ENOBUFS);
	op.verb = SRV6_DEL;
	ck_assert_int_eq(srv6_build(buf, sizeof(buf), &op, &opts, NULL), 0);
	ck_assert_str_eq(hex_of(buf, ((struct nlmsghdr *)(void *)buf)->nlmsg_len, text), hmac_del);
}
END_TEST

START_TEST(genl_tunsrc)
{
	struct srv6_tunsrc t = { .sz = sizeof(t), .addr = A6(0xfc00, 0, 0, 0, 0, 0, 0, 1) };
	struct srv6_op op = { .verb = SRV6_ADD, .kind = SRV6_TUNSRC, .u = { .tunsrc = &t } }, back;
	struct srv6_build_opts opts = { .sz = sizeof(opts), .genl_id = 29 };
	uint32_t buf[32], mem[64];

	ck_assert_int_eq(srv6_build(buf, sizeof(buf), &op, &opts, NULL), 0);
	ck_assert_int_eq(sr_read((void *)buf, SRV6_TUNSRC, mem, sizeof(mem), &back), 0);
	ck_assert_int_eq(srv6_diff(&op, &back, 0, NULL), 0);
	op.verb = SRV6_DEL;
	ck_assert_int_eq(srv6_build(buf, sizeof(buf), &op, &opts, NULL), 0);
	ck_assert_int_eq(sr_read((void *)buf, SRV6_TUNSRC, mem, sizeof(mem), &back), 0);
	ck_assert(IN6_IS_ADDR_UNSPECIFIED(&back.u.tunsrc->addr));
}
END_TEST

int main(void)
{
	TCase *build = tcase_create("requests"), *read = tcase_create("answers"), *genl = tcase_create("genl");

	tcase_add_test(build, all_there);
	tcase_add_loop_test(build, builds, 0, N_VECTORS);
	tcase_add_loop_test(build, reads_back, 0, N_VECTORS);
	tcase_add_test(read, dump_encap);
	tcase_add_test(read, dump_hmac);
	tcase_add_test(read, dump_csid);
	tcase_add_test(read, dump_end_x);
	tcase_add_test(read, dump_dt6);
	tcase_add_test(read, dump_count);
	tcase_add_test(read, dump_counters);
	tcase_add_test(read, dump_in4);
	tcase_add_test(read, dump_multipath);
	tcase_add_test(read, dump_nhid);
	tcase_add_test(read, dump_nexthop);
	tcase_add_test(read, answers_hold_requests);
	tcase_add_test(genl, genl_gets);
	tcase_add_test(genl, genl_hmac);
	tcase_add_test(genl, genl_tunsrc);
	return suite_run("codec: real messages", build, read, genl);
}

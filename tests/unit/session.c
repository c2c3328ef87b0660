/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Addresses that carry a mobile session: worked values, every bit offset and width against a model that moves one bit
 * at a time, and what must be refused.
 */
#include <arpa/inet.h>
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libsrv6/libsrv6.h>

#include "suite.h"

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(a) (sizeof(a) / sizeof(*(a)))
#endif

static struct in6_addr in6(const char *text)
{
	struct in6_addr addr;

	ck_assert_msg(inet_pton(AF_INET6, text, &addr) == 1, "%s", text);
	return addr;
}

static struct in_addr in4(const char *text)
{
	struct in_addr addr;

	ck_assert_msg(inet_pton(AF_INET, text, &addr) == 1, "%s", text);
	return addr;
}

static struct srv6_prefix prefix6(const char *text, unsigned int len)
{
	return (struct srv6_prefix){ .family = AF_INET6, .len = (uint8_t)len, .addr.in6 = in6(text) };
}

static unsigned int where; /* offset of what is tested */

static void same6(struct in6_addr got, struct in6_addr want, const char *what)
{
	char a[INET6_ADDRSTRLEN], b[INET6_ADDRSTRLEN];

	inet_ntop(AF_INET6, &got, a, sizeof(a));
	inet_ntop(AF_INET6, &want, b, sizeof(b));
	ck_assert_msg(!memcmp(&got, &want, sizeof(got)), "%s at bit %u: %s instead of %s", what, where, a, b);
}

static void same_session(struct srv6_session got, struct srv6_session want)
{
	ck_assert_uint_eq(got.id, want.id);
	ck_assert_uint_eq(got.qfi, want.qfi);
	ck_assert_uint_eq(got.r, want.r);
	ck_assert_uint_eq(got.u, want.u);
	ck_assert_uint_eq(got.reserved, 0);
}

/* ---- the model: an address is 128 characters '0' and '1' */

struct model {
	char bits[129];
};

static struct model unfold(struct in6_addr addr)
{
	struct model m = { { 0 } };

	for (int i = 0; i < 128; i++)
		m.bits[i] = addr.s6_addr[i / 8] & (0x80 >> i % 8) ? '1' : '0';
	return m;
}

static struct in6_addr fold(const struct model *m)
{
	struct in6_addr addr = IN6ADDR_ANY_INIT;

	for (int i = 0; i < 128; i++)
		if (m->bits[i] == '1')
			addr.s6_addr[i / 8] = (uint8_t)(addr.s6_addr[i / 8] + (0x80 >> i % 8));
	return addr;
}

/* The n first of the width bits of value, one at a time; returns where the next field starts. */
static unsigned int model_put(struct model *m, unsigned int at, uint32_t value, unsigned int width, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		m->bits[at + i] = value / (UINT32_C(1) << (width - 1 - i)) % 2 ? '1' : '0';
	return at + n;
}

static void model_put_args(struct model *m, unsigned int at, const struct srv6_session *s)
{
	at = model_put(m, at, s->qfi, 6, 6);
	at = model_put(m, at, s->r, 1, 1);
	at = model_put(m, at, s->u, 1, 1);
	model_put(m, at, s->id, 32, 32);
}

/* ---- random values, the same in every run */

static uint64_t state;

static uint32_t any32(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 16);
}

static struct in6_addr any6(void)
{
	struct in6_addr addr;

	for (int i = 0; i < 4; i++) {
		uint32_t v = any32();

		memcpy(addr.s6_addr + 4 * i, &v, sizeof(v));
	}
	return addr;
}

static struct srv6_session any_session(void)
{
	return (struct srv6_session){ .id = any32(), .qfi = any32() & 63, .r = any32() & 1, .u = any32() & 1 };
}

static struct in_addr any4(unsigned int v4_len)
{
	return (struct in_addr){ .s_addr = htonl(any32() & ~(uint32_t)((UINT64_C(1) << (32 - v4_len)) - 1)) };
}

static void seed(void)
{
	state = UINT64_C(0x9e3779b97f4a7c15);
}

#define ROUNDS 20

/* Loops lie within the tests, which are processes of their own: hundreds of those take long under a sanitizer. */

static void args_at(unsigned int bit)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct in6_addr start = any6(), addr = start;
		struct srv6_session want = any_session(), got;
		struct model m = unfold(start);

		ck_assert_int_eq(srv6_args_put(&addr, bit, &want), 0);
		model_put_args(&m, bit, &want);
		same6(addr, fold(&m), "args");
		ck_assert_int_eq(srv6_args_get(&addr, bit, &got), 0);
		same_session(got, want);
	}
}

START_TEST(args_at_every_bit)
{
	for (where = 0; where <= 88; where++)
		args_at(where);
}
END_TEST

static void gtp4_sid_behind(unsigned int len)
{
	for (unsigned int v4_len = 1; v4_len <= 32 && len + v4_len <= 88; v4_len++) {
		struct srv6_prefix locator = { .family = AF_INET6, .len = (uint8_t)len, .addr.in6 = any6() };
		struct srv6_session want = any_session(), got;
		struct in_addr dst = any4(v4_len), got_dst;
		struct model m = unfold(locator.addr.in6);
		struct in6_addr sid;

		ck_assert_int_eq(srv6_gtp4_sid_put(&sid, &locator, &dst, v4_len, &want), 0);
		model_put_args(&m, model_put(&m, len, ntohl(dst.s_addr), 32, v4_len), &want);
		same6(sid, fold(&m), "SID");
		ck_assert_int_eq(srv6_gtp4_sid_get(&sid, len, v4_len, &got_dst, &got), 0);
		ck_assert_uint_eq(got_dst.s_addr, dst.s_addr);
		same_session(got, want);
	}
}

START_TEST(gtp4_sid_of_every_width)
{
	for (where = 0; where < 88; where++)
		gtp4_sid_behind(where);
}
END_TEST

static void gtp4_src_behind(unsigned int len)
{
	for (unsigned int v4_len = 1; v4_len <= 32 && len + v4_len <= 128; v4_len++) {
		struct srv6_prefix prefix = { .family = AF_INET6, .len = (uint8_t)len, .addr.in6 = any6() };
		struct in_addr src = any4(v4_len), got;
		struct model m = unfold(prefix.addr.in6);
		struct in6_addr addr;

		ck_assert_int_eq(srv6_gtp4_src_put(&addr, &prefix, &src, v4_len), 0);
		model_put(&m, len, ntohl(src.s_addr), 32, v4_len);
		same6(addr, fold(&m), "source");
		ck_assert_int_eq(srv6_gtp4_src_get(&addr, len, v4_len, &got), 0);
		ck_assert_uint_eq(got.s_addr, src.s_addr);
	}
}

START_TEST(gtp4_src_of_every_width)
{
	for (where = 0; where < 128; where++)
		gtp4_src_behind(where);
}
END_TEST

static void gtp6_sid_behind(unsigned int len)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct srv6_prefix locator = { .family = AF_INET6, .len = (uint8_t)len, .addr.in6 = any6() };
		struct srv6_session want = any_session(), got;
		struct model m = unfold(locator.addr.in6);

		ck_assert_int_eq(srv6_gtp6_sid_put(&locator.addr.in6, &locator, &want),
				 0); /* ret may be what is read */
		model_put_args(&m, len, &want);
		same6(locator.addr.in6, fold(&m), "SID");
		ck_assert_int_eq(srv6_gtp6_sid_get(&locator.addr.in6, len, &got), 0);
		same_session(got, want);
	}
}

START_TEST(gtp6_sid_of_every_width)
{
	for (where = 0; where <= 88; where++)
		gtp6_sid_behind(where);
}
END_TEST

/* ---- worked values: layouts of RFC 9433's figures, the addresses computed by hand */

static const struct {
	const char *what, *locator;
	unsigned int len;
	const char *v4; /* NULL: an End.M.GTP6.E SID */
	unsigned int v4_len;
	struct srv6_session session;
	const char *sid;
} sids[] = {
	{ "figure 8, from bit 0", "::", 0, NULL, 0, { 0x12345678, 9, 1, 0, 0 }, "2612:3456:7800::" },
	{ "figure 8, U", "::", 0, NULL, 0, { 0x12345678, 9, 0, 1, 0 }, "2512:3456:7800::" },
	{ "figure 8, the last 40 bits", "::", 88, NULL, 0, { 0xffffffff, 63, 1, 1, 0 }, "::ff:ffff:ffff" },
	{ "figure 9", "2001:db8::", 32, "10.0.0.2", 32, { 0x123, 5, 0, 0, 0 }, "2001:db8:a00:2:1400:1:2300:0" },
	{ "figure 9, all of a TEID",
	  "2001:db8::",
	  32,
	  "192.0.2.1",
	  32,
	  { 0x12345678, 9, 0, 0, 0 },
	  "2001:db8:c000:201:2412:3456:7800:0" },
	{ "figure 9, 24 bits of IPv4, odd offset",
	  "2001:db8:ff00::",
	  37,
	  "10.20.30.0",
	  24,
	  { 0x12345678, 9, 1, 0, 0 },
	  "2001:db8:f850:a0f1:3091:a2b3:c000:0" },
	{ "figure 9, nothing left behind",
	  "2001:db8:1:200::",
	  56,
	  "203.0.113.255",
	  32,
	  { 0xffffffff, 63, 0, 0, 0 },
	  "2001:db8:1:2cb:71:fffc:ffff:ffff" },
	{ "figure 11, a template",
	  "2001:db8:3::e",
	  32,
	  "10.20.0.5",
	  32,
	  { 0x123, 5, 0, 0, 0 },
	  "2001:db8:a14:5:1400:1:2300:e" },
	{ "figure 11", "2001:db8:1::", 48, "198.51.100.7", 32, { 1, 1, 0, 0, 0 }, "2001:db8:1:c633:6407:400:0:100" },
	{ "End.M.GTP6.D, a template", "2001:db8:3::e", 64, NULL, 0, { 0x123, 0, 0, 0, 0 }, "2001:db8:3::1:2300:e" },
	{ "End.M.GTP6.E, nothing left behind",
	  "2001:db8:1:2:3:400::",
	  88,
	  NULL,
	  0,
	  { 0x12345678, 9, 0, 0, 0 },
	  "2001:db8:1:2:3:424:1234:5678" },
	{ "End.M.GTP6.E, odd offset",
	  "2001:db8:1:2:3:400::",
	  13,
	  NULL,
	  0,
	  { 0x12345678, 9, 0, 0, 0 },
	  "2001:2091:a2b3:c002:3:400::" },
};

START_TEST(worked_sids)
{
	struct srv6_prefix locator = prefix6(sids[_i].locator, sids[_i].len);
	struct srv6_session session;
	struct in6_addr sid;
	struct in_addr dst;

	if (!sids[_i].v4) {
		ck_assert_int_eq(srv6_gtp6_sid_put(&sid, &locator, &sids[_i].session), 0);
		same6(sid, in6(sids[_i].sid), sids[_i].what);
		ck_assert_int_eq(srv6_gtp6_sid_get(&sid, sids[_i].len, &session), 0);
		same_session(session, sids[_i].session);
		return;
	}
	dst = in4(sids[_i].v4);
	ck_assert_int_eq(srv6_gtp4_sid_put(&sid, &locator, &dst, sids[_i].v4_len, &sids[_i].session), 0);
	same6(sid, in6(sids[_i].sid), sids[_i].what);
	memset(&dst, 0xff, sizeof(dst));
	ck_assert_int_eq(srv6_gtp4_sid_get(&sid, sids[_i].len, sids[_i].v4_len, &dst, &session), 0);
	ck_assert_uint_eq(dst.s_addr, in4(sids[_i].v4).s_addr);
	same_session(session, sids[_i].session);
}
END_TEST

static const struct {
	const char *what, *prefix;
	unsigned int len;
	const char *v4;
	unsigned int v4_len;
	const char *addr;
} srcs[] = {
	{ "figure 10, a template", "2001:db8:2::1", 64, "10.0.0.2", 32, "2001:db8:2:0:a00:2:0:1" },
	{ "figure 10, nothing left behind", "2001:db8::", 96, "203.0.113.255", 32, "2001:db8::203.0.113.255" },
	{ "figure 10, 20 bits of IPv4, odd offset", "2001:db8:ffff::1", 41, "172.16.240.0", 20,
	  "2001:db8:ffd6:878::1" },
	{ "figure 10, the last bit", "::", 127, "128.0.0.0", 1, "::1" },
};

START_TEST(worked_sources)
{
	struct srv6_prefix prefix = prefix6(srcs[_i].prefix, srcs[_i].len);
	struct in_addr src = in4(srcs[_i].v4);
	struct in6_addr addr;

	ck_assert_int_eq(srv6_gtp4_src_put(&addr, &prefix, &src, srcs[_i].v4_len), 0);
	same6(addr, in6(srcs[_i].addr), srcs[_i].what);
	memset(&src, 0xff, sizeof(src));
	ck_assert_int_eq(srv6_gtp4_src_get(&addr, srcs[_i].len, srcs[_i].v4_len, &src), 0);
	ck_assert_uint_eq(src.s_addr, in4(srcs[_i].v4).s_addr);
}
END_TEST

/* ---- refusals: the code, and that nothing was written */

static const struct {
	const char *what;
	int code;
	uint8_t family;
	unsigned int len, v4_len;
	const char *v4;
	struct srv6_session session;
} refused[] = {
	{ "QFI of 7 bits", -ERANGE, AF_INET6, 32, 32, "10.0.0.1", { 1, 64, 0, 0, 0 } },
	{ "R of 2 bits", -ERANGE, AF_INET6, 32, 32, "10.0.0.1", { 1, 1, 2, 0, 0 } },
	{ "U of 2 bits", -ERANGE, AF_INET6, 32, 32, "10.0.0.1", { 1, 1, 0, 2, 0 } },
	{ "reserved set", -EINVAL, AF_INET6, 32, 32, "10.0.0.1", { 1, 1, 0, 0, 1 } },
	{ "one bit too many", -ERANGE, AF_INET6, 57, 32, "10.0.0.1", { 1, 1, 0, 0, 0 } },
	{ "a bit too many of fewer", -ERANGE, AF_INET6, 80, 9, "10.0.0.0", { 1, 1, 0, 0, 0 } },
	{ "a locator of 255 bits", -ERANGE, AF_INET6, 255, 32, "10.0.0.1", { 1, 1, 0, 0, 0 } },
	{ "no IPv4 bits", -ERANGE, AF_INET6, 32, 0, "0.0.0.0", { 1, 1, 0, 0, 0 } },
	{ "33 IPv4 bits", -ERANGE, AF_INET6, 32, 33, "10.0.0.1", { 1, 1, 0, 0, 0 } },
	{ "IPv4 bits in number that wraps", -ERANGE, AF_INET6, 32, 0xffffffe0, "10.0.0.1", { 1, 1, 0, 0, 0 } },
	{ "IPv4 bits lost", -EINVAL, AF_INET6, 32, 24, "10.0.0.1", { 1, 1, 0, 0, 0 } },
	{ "an IPv4 locator", -EINVAL, AF_INET, 32, 32, "10.0.0.1", { 1, 1, 0, 0, 0 } },
	{ "no locator", -EINVAL, AF_UNSPEC, 0, 32, "10.0.0.1", { 1, 1, 0, 0, 0 } },
};

START_TEST(refused_sids)
{
	const struct in6_addr before = in6("2001:db8:aaaa::5555");
	struct srv6_prefix locator = prefix6("2001:db8::", refused[_i].len);
	struct in_addr dst = in4(refused[_i].v4);
	struct in6_addr sid = before;
	int r;

	locator.family = refused[_i].family;
	r = srv6_gtp4_sid_put(&sid, &locator, &dst, refused[_i].v4_len, &refused[_i].session);
	ck_assert_msg(r == refused[_i].code, "%s: %d instead of %d", refused[_i].what, r, refused[_i].code);
	same6(sid, before, refused[_i].what);
}
END_TEST

START_TEST(refused_rest)
{
	const struct in6_addr before = in6("2001:db8:aaaa::5555");
	const struct srv6_session one = { 1, 1, 0, 0, 0 }, wide = { 1, 64, 0, 0, 0 };
	struct srv6_session got = { 7, 7, 1, 1, 0 };
	struct srv6_prefix prefix = prefix6("2001:db8::", 97), v4 = { .family = AF_INET };
	struct in_addr ten = in4("10.0.0.1"), got4 = ten;
	struct in6_addr addr = before;

	ck_assert_int_eq(srv6_args_put(&addr, 89, &one), -ERANGE);
	ck_assert_int_eq(srv6_args_put(&addr, 0xffffffff, &one), -ERANGE);
	ck_assert_int_eq(srv6_args_put(&addr, 0, &wide), -ERANGE);
	ck_assert_int_eq(srv6_gtp4_src_put(&addr, &prefix, &ten, 32), -ERANGE);
	ck_assert_int_eq(srv6_gtp4_src_put(&addr, &prefix, &ten, 0), -ERANGE);
	ck_assert_int_eq(srv6_gtp4_src_put(&addr, &v4, &ten, 32), -EINVAL);
	prefix.len = 96;
	ck_assert_int_eq(srv6_gtp4_src_put(&addr, &prefix, &ten, 31), -EINVAL);
	ck_assert_int_eq(srv6_gtp6_sid_put(&addr, &prefix, &one), -ERANGE);
	ck_assert_int_eq(srv6_gtp6_sid_put(&addr, &v4, &one), -EINVAL);
	same6(addr, before, "a refusal wrote");

	ck_assert_int_eq(srv6_args_get(&addr, 89, &got), -ERANGE);
	ck_assert_int_eq(srv6_args_get(&addr, 0xffffffff, &got), -ERANGE);
	ck_assert_int_eq(srv6_gtp4_sid_get(&addr, 57, 32, &got4, &got), -ERANGE);
	ck_assert_int_eq(srv6_gtp4_sid_get(&addr, 32, 0, &got4, &got), -ERANGE);
	ck_assert_int_eq(srv6_gtp4_sid_get(&addr, 0xffffffff, 32, &got4, &got), -ERANGE);
	ck_assert_int_eq(srv6_gtp4_src_get(&addr, 97, 32, &got4), -ERANGE);
	ck_assert_int_eq(srv6_gtp4_src_get(&addr, 0, 33, &got4), -ERANGE);
	ck_assert_int_eq(srv6_gtp6_sid_get(&addr, 89, &got), -ERANGE);
	same_session(got, (struct srv6_session){ 7, 7, 1, 1, 0 });
	ck_assert_uint_eq(got4.s_addr, ten.s_addr);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("session");

	tcase_add_checked_fixture(tc, seed, NULL);
	tcase_add_test(tc, args_at_every_bit);
	tcase_add_test(tc, gtp4_sid_of_every_width);
	tcase_add_test(tc, gtp4_src_of_every_width);
	tcase_add_test(tc, gtp6_sid_of_every_width);
	tcase_add_loop_test(tc, worked_sids, 0, ARRAY_SIZE(sids));
	tcase_add_loop_test(tc, worked_sources, 0, ARRAY_SIZE(srcs));
	tcase_add_loop_test(tc, refused_sids, 0, ARRAY_SIZE(refused));
	tcase_add_test(tc, refused_rest);
	return suite_run("session", tc);
}

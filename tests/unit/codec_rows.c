/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Loops over the behaviors' rows: what a row requires suffices, all of it works, one missing or one too many is refused by
 * name. And the rules that no row can say, one refusal each.
 */
#include <arpa/inet.h>

#include "codec.h"
#include "suite.h"

static const struct in6_addr segs[] = { FC(2), FC(3), FC(4) };
static const uint8_t tlv[] = { 200, 6, 1, 2, 3, 4, 5, 6 };
static const uint8_t raw_srh[] = { 59, 2, 4, 0, 0, 0, 0, 0, 0xfc, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 };
static const uint8_t run[] = { 5, 0, 99, 0, 7, 0, 0, 0 };

/* Good values for every attribute; has says which count. */
static struct srv6_encap filled(uint32_t behavior, uint64_t has)
{
	struct srv6_encap e = { .sz = sizeof(e), .behavior = behavior, .has = has };

	e.segs = segs;
	e.n_segs = 3;
	e.tlvs = (struct srv6_bytes){ tlv, sizeof(tlv) };
	e.raw_srh = (struct srv6_bytes){ raw_srh, sizeof(raw_srh) };
	e.unknown = (struct srv6_bytes){ run, sizeof(run) };
	e.tunsrc = (struct in6_addr)DOC(7);
	e.nh6 = (struct in6_addr)GW(2);
	e.mapped_sid = (struct in6_addr)GW(3);
	e.src = (struct in6_addr)GW(4);
	e.nh4 = (struct in_addr)A4(192, 0, 2, 1);
	e.lookup = 500;
	e.hmac = 42;
	e.table = 100;
	e.vrftable = 101;
	e.iif = 3;
	e.oif = 4;
	e.flavors = SRV6_FLAVOR_NEXT_CSID;
	e.tag = 0x1234;
	e.srh_flags = 0x20;
	e.lblen = 48;
	e.nflen = 16;
	e.pdu_type = 0;
	e.v6_src_prefix_len = 64;
	e.sr_prefix_len = 32;
	e.v4_mask_len = 24;
	e.bpf = (struct srv6_bpf){ .fd = 5, .name = "prog" };
	return e;
}

static struct srv6_hop hop;
static struct srv6_route route;

static struct srv6_op op_of(const struct srv6_encap *e, bool in4)
{
	struct srv6_op op = { .verb = SRV6_ADD, .kind = SRV6_ROUTE, .u = { .route = &route } };

	hop = (struct srv6_hop){ .encap = e, .has = SRV6_HAS(DEV), .ifindex = 10 };
	route = (struct srv6_route){ .sz = sizeof(route), .n_hops = 1, .hops = &hop };
	if (in4)
		route.dst =
			(struct srv6_prefix){ .family = AF_INET, .len = 24, .addr = { .in4 = A4(198, 51, 100, 0) } };
	else
		route.dst = (struct srv6_prefix){ .family = AF_INET6, .len = 32, .addr = { .in6 = DOC(0) } };
	return op;
}

static const struct srv6_behavior_info *info_at(int i, uint32_t *mobile)
{
	*mobile = i < SRV6_N_BEHAVIORS ? SRV6_MOBILE_AUTO : SRV6_MOBILE_V2;
	return srv6_behavior_info((uint32_t)i % SRV6_N_BEHAVIORS, *mobile);
}
#define N_ROWS (2 * SRV6_N_BEHAVIORS)

/* Builds e, reads it, and finds the same. */
static void round_trip(const struct srv6_behavior_info *info, const struct srv6_encap *e, bool in4, uint32_t mobile)
{
	struct srv6_build_opts opts = { .sz = sizeof(opts), .mobile = mobile };
	struct srv6_op op = op_of(e, in4), back;
	uint32_t buf[1024], again[1024];
	char mem[SRV6_READ_MEM] __attribute__((aligned(16)));
	struct nlmsghdr *nlh = (void *)buf;
	struct srv6_error err;
	uint32_t attr = SRV6_ATTR_NONE;
	int r = srv6_build(buf, sizeof(buf), &op, &opts, &err);

	ck_assert_msg(r == 0, "%s, has %llx: %d %s", info->name, (unsigned long long)e->has, r, err.text);
	ck_assert_int_eq(err.code, 0);
	ck_assert_int_eq(srv6_check(&op, &opts, &err), 0);
	ck_assert_int_eq(srv6_read(nlh, mem, sizeof(mem), &back), 0);
	ck_assert_uint_eq(back.u.route->n_hops, 1);
	ck_assert_ptr_nonnull(back.u.route->hops[0].encap);
	ck_assert_uint_eq(back.u.route->hops[0].encap->behavior, e->behavior);
	if (e->has & SRV6_HAS(BPF)) /* a descriptor goes in, an id comes out */
		return;
	r = srv6_diff_encap(e, back.u.route->hops[0].encap, SRV6_DIFF_EQUAL, &attr);
	ck_assert_msg(r == 0, "%s, has %llx: %s came back otherwise", info->name, (unsigned long long)e->has,
		      attr_word(attr));
	back.verb = SRV6_ADD;
	ck_assert_int_eq(srv6_build(again, sizeof(again), &back, &opts, &err), 0);
	ck_assert_mem_eq(again, buf, nlh->nlmsg_len);
}

static void both_families(const struct srv6_behavior_info *info, const struct srv6_encap *e, uint32_t mobile)
{
	if (info->families & SRV6_FAMILY_IN4)
		round_trip(info, e, true, mobile);
	if (info->families & SRV6_FAMILY_IN6)
		round_trip(info, e, false, mobile);
}

/* What stands beside the fields: RAW_SRH replaces the other SRH ones. */
static uint64_t together(const struct srv6_behavior_info *info)
{
	return (info->required | info->optional) & ~SRV6_HAS(RAW_SRH);
}

START_TEST(required_and_all)
{
	uint32_t mobile;
	const struct srv6_behavior_info *info = info_at(_i, &mobile);
	uint64_t one;

	if (!info || info->status == SRV6_STATUS_UAPI)
		return;
	ck_assert_uint_eq(info->required & info->optional, 0);
	ck_assert_uint_eq((info->required | info->optional) & info->one_of, 0);
	ck_assert_uint_ne(info->families, 0);
	one = info->one_of;
	do {
		struct srv6_encap e = filled(info->behavior, info->required | (one & -one));

		both_families(info, &e, mobile);
		e.has = together(info) | (one & -one);
		both_families(info, &e, mobile);
		one &= one - 1;
	} while (one);
}
END_TEST

/* Each optional attribute alone, as far as it can be. */
START_TEST(optional_alone)
{
	uint32_t mobile;
	const struct srv6_behavior_info *info = info_at(_i, &mobile);

	if (!info || info->status == SRV6_STATUS_UAPI)
		return;
	for (uint64_t left = info->optional; left; left &= left - 1) {
		uint64_t bit = left & -left;
		struct srv6_encap e;

		if (bit & (SRV6_HAS(LBLEN) | SRV6_HAS(NFLEN)))
			bit |= SRV6_HAS(FLAVORS);
		if (bit & (SRV6_HAS(TAG) | SRV6_HAS(SRH_FLAGS) | SRV6_HAS(TLVS)))
			bit |= SRV6_HAS(SEGS);
		e = filled(info->behavior, info->required | bit | (info->one_of & -info->one_of));
		both_families(info, &e, mobile);
	}
}
END_TEST

/* Any of what is optional, at random */
START_TEST(random_sets)
{
	uint32_t mobile;
	const struct srv6_behavior_info *info = info_at(_i, &mobile);
	unsigned int seed = (unsigned int)_i;

	if (!info || info->status == SRV6_STATUS_UAPI)
		return;
	for (int n = 0; n < 20; n++) {
		uint64_t pick = (uint64_t)(uint32_t)rand_r(&seed) << 16 ^ (uint64_t)(uint32_t)rand_r(&seed);
		struct srv6_encap e = filled(info->behavior, info->required | (info->one_of & -info->one_of));

		e.has |= together(info) & pick;
		if (e.has & (SRV6_HAS(LBLEN) | SRV6_HAS(NFLEN)))
			e.has |= SRV6_HAS(FLAVORS);
		if (e.has & SRH_ATTRS)
			e.has |= SRV6_HAS(SEGS);
		e.n_segs = 1 + (uint32_t)(pick % 3);
		both_families(info, &e, mobile);
	}
}
END_TEST

static void refused(const struct srv6_behavior_info *info, const struct srv6_encap *e, uint32_t mobile, uint32_t attr)
{
	struct srv6_build_opts opts = { .sz = sizeof(opts), .mobile = mobile };
	struct srv6_op op = op_of(e, info->families == SRV6_FAMILY_IN4);
	uint32_t buf[1024];
	struct srv6_error err;
	int r;

	memset(buf, 0x5a, sizeof(buf));
	r = srv6_build(buf, sizeof(buf), &op, &opts, &err);
	ck_assert_msg(r == -EINVAL, "%s without or with %s: %d", info->name, attr_word(attr), r);
	ck_assert_int_eq(err.code, r);
	ck_assert_int_eq(err.kernel_code, 0);
	ck_assert_uint_eq(err.attr, attr);
	ck_assert_msg(strstr(err.text, attr_word(attr)) && strstr(err.text, info->name), "%s: %s", info->name,
		      err.text);
	ck_assert_msg(strlen(err.remedy) > 0, "%s: no remedy", err.text);
	ck_assert_uint_eq(buf[0], 0x5a5a5a5a);
}

START_TEST(one_missing)
{
	uint32_t mobile;
	const struct srv6_behavior_info *info = info_at(_i, &mobile);

	if (!info || info->status == SRV6_STATUS_UAPI)
		return;
	for (uint64_t left = info->required; left; left &= left - 1) {
		uint64_t bit = left & -left;
		struct srv6_encap e = filled(info->behavior, together(info) & ~bit);

		refused(info, &e, mobile, (uint32_t)__builtin_ctzll(bit));
	}
	if (info->one_of) {
		struct srv6_encap none = filled(info->behavior, info->required);
		struct srv6_encap both = filled(info->behavior, info->required | info->one_of);
		uint64_t rest = info->one_of & (info->one_of - 1);

		refused(info, &none, mobile, (uint32_t)__builtin_ctzll(info->one_of));
		refused(info, &both, mobile, (uint32_t)__builtin_ctzll(rest));
	}
}
END_TEST

START_TEST(one_too_many)
{
	uint32_t mobile;
	const struct srv6_behavior_info *info = info_at(_i, &mobile);
	uint64_t takes;

	if (!info || info->status == SRV6_STATUS_UAPI)
		return;
	takes = info->required | info->optional | info->one_of;
	for (uint32_t bit = 0; bit < 64; bit++) {
		struct srv6_encap e = filled(info->behavior, info->required | SRV6_BIT(bit));

		e.has |= info->one_of & -info->one_of;
		if (srv6_attr_info(bit) && !(takes & SRV6_BIT(bit)))
			refused(info, &e, mobile, bit);
	}
}
END_TEST

START_TEST(wrong_family)
{
	uint32_t mobile;
	const struct srv6_behavior_info *info = info_at(_i, &mobile);
	struct srv6_encap e;
	struct srv6_error err;
	struct srv6_op op;

	if (!info || info->status == SRV6_STATUS_UAPI || info->families == (SRV6_FAMILY_IN4 | SRV6_FAMILY_IN6))
		return;
	e = filled(info->behavior, info->required | (info->one_of & -info->one_of));
	op = op_of(&e, !(info->families & SRV6_FAMILY_IN4));
	ck_assert_int_eq(srv6_check(&op,
				    &(struct srv6_build_opts){ .sz = sizeof(struct srv6_build_opts), .mobile = mobile },
				    &err),
			 -EINVAL);
	ck_assert_msg(strstr(err.text, info->families & SRV6_FAMILY_IN4 ? "IPv4" : "IPv6") != NULL, "%s", err.text);
}
END_TEST

START_TEST(no_kernel_has_it)
{
	static const uint32_t ids[] = { SRV6_END_BM, SRV6_END_S, SRV6_END_AS, SRV6_END_AM };
	struct srv6_encap e = filled(ids[_i], 0);
	struct srv6_op op = op_of(&e, false);
	struct srv6_error err;

	ck_assert_int_eq(srv6_check(&op, NULL, &err), -EOPNOTSUPP);
	ck_assert_msg(strstr(err.text, "no Linux kernel implements End.") != NULL, "%s", err.text);
}
END_TEST

/* Every behavior that a kernel has is in a family, once in each numbering, and a number leads back to it. */
START_TEST(families_and_rows_agree)
{
	uint32_t mobile, number;
	const struct srv6_behavior_info *info = info_at(_i, &mobile);
	const struct family *f;
	uint64_t covered = SRV6_HAS(UNKNOWN), all;

	if (!info)
		return;
	f = family_of(info->behavior, mobile, &number);
	ck_assert_msg(f != NULL, "%s is in no family", info->name);
	ck_assert_str_eq(f->word, info->encap);
	ck_assert_ptr_eq(family_find(f->encap_type, number), f);
	ck_assert_uint_eq(f->behaviors[number], info->behavior);
	for (uint32_t i = 0; i < f->n_rows; i++)
		covered |= f->rows[i].wire->covers ? f->rows[i].wire->covers : SRV6_BIT(f->rows[i].attr);
	all = info->required | info->optional | info->one_of;
	ck_assert_msg(!(all & ~covered), "%s takes %s, which has no wire number", info->name,
		      attr_word((uint32_t)__builtin_ctzll(all & ~covered)));
	ck_assert_uint_eq(srv6_behavior_find(info->encap, info->word), info->behavior);
	ck_assert_uint_eq(srv6_behavior_find(NULL, info->name), info->behavior);
}
END_TEST

/* Each wire size is the size of its field. */
START_TEST(wire_sizes)
{
	const struct family *f;
	unsigned int i;

	for (i = 0; (f = family_at(i)); i++)
		for (uint32_t j = 0; j < f->n_rows; j++) {
			const struct srv6_attr_info *info = srv6_attr_info(f->rows[j].attr);

			ck_assert_ptr_nonnull(info);
			if (f->rows[j].wire->put)
				continue;
			ck_assert_uint_eq(f->rows[j].wire->size,
					  info->shape == SRV6_SHAPE_IN6 ? 16 : shape_size(info->shape));
		}
	ck_assert_uint_eq(i, 4);
}
END_TEST

START_TEST(names)
{
	ck_assert_str_eq(srv6_encap_name(5), "seg6");
	ck_assert_str_eq(srv6_encap_name(7), "seg6local");
	ck_assert_str_eq(srv6_encap_name(11), "seg6mobile");
	ck_assert_str_eq(srv6_encap_name(1), "mpls");
	ck_assert_str_eq(srv6_encap_name(10), "xfrm");
	ck_assert_ptr_null(srv6_encap_name(12));
	ck_assert_str_eq(srv6_mobile_name(SRV6_MOBILE_SEG6), "seg6mobile");
	ck_assert_str_eq(srv6_mobile_name(SRV6_MOBILE_V2), "mobile-v2");
	ck_assert_ptr_null(srv6_mobile_name(SRV6_MOBILE_AUTO));
	ck_assert_ptr_null(srv6_mobile_name(3));
	ck_assert_str_eq(srv6_flavor_name(SRV6_FLAVOR_PSP), "psp");
	ck_assert_str_eq(srv6_flavor_name(SRV6_FLAVOR_NEXT_CSID), "next-csid");
	ck_assert_ptr_null(srv6_flavor_name(1));
	ck_assert_ptr_null(srv6_flavor_name(6));
}
END_TEST

/* ---- values that are refused */

static const struct in6_addr bad_segs[][2] = {
	{ FC(2), A6(0, 0, 0, 0, 0, 0, 0, 0) },
	{ FC(2), A6(0, 0, 0, 0, 0, 0, 0, 1) },
	{ FC(2), A6(0xff02, 0, 0, 0, 0, 0, 0, 1) },
	{ FC(2), A6(0, 0, 0, 0, 0, 0xffff, 0xc000, 0x201) },
};

/* clang-format off */
#define SEG (SRV6_HAS(SEGS))
#define S .n_segs = 2, .segs = segs
#define E(b, bits, ...) (&(const struct srv6_encap){ .sz = sizeof(struct srv6_encap), .behavior = SRV6_##b, .has = (bits), __VA_ARGS__ })
#define IS4 1
#define V2 2
static const struct {
	const struct srv6_encap *e;
	int how, code;
	uint32_t attr;
	const char *says;
} values[] = {
	{ E(H_ENCAPS, SEG, .n_segs = 0), 0, -EINVAL, SRV6_ATTR_SEGS, "at least one segment" },
	{ E(H_ENCAPS, SEG, .n_segs = 2, .segs = bad_segs[0]), 0, -EINVAL, SRV6_ATTR_SEGS, "segment 2 is the unspecified address" },
	{ E(H_ENCAPS, SEG, .n_segs = 2, .segs = bad_segs[1]), 0, -EINVAL, SRV6_ATTR_SEGS, "segment 2 is the loopback" },
	{ E(H_ENCAPS, SEG, .n_segs = 2, .segs = bad_segs[2]), 0, -EINVAL, SRV6_ATTR_SEGS, "segment 2 is a multicast" },
	{ E(H_ENCAPS, SEG, .n_segs = 2, .segs = bad_segs[3]), 0, -EINVAL, SRV6_ATTR_SEGS, "IPv4-mapped address: ::ffff:192.0.2.1" },
	{ E(H_ENCAPS, SEG | SRV6_HAS(TUNSRC), S), 0, -EINVAL, SRV6_ATTR_TUNSRC, "unspecified" },
	{ E(H_ENCAPS, SEG | SRV6_HAS(TUNSRC), S, .tunsrc = A6(0xff02, 0, 0, 0, 0, 0, 0, 1)), 0, -EINVAL, SRV6_ATTR_TUNSRC, "multicast" },
	{ E(H_ENCAPS, SEG | SRV6_HAS(TUNSRC), S, .tunsrc = A6(0, 0, 0, 0, 0, 0, 0, 1)), 0, -EINVAL, SRV6_ATTR_TUNSRC, "loopback" },
	{ E(H_ENCAPS, SEG | SRV6_HAS(TUNSRC), S, .tunsrc = A6(0, 0, 0, 0, 0, 0xffff, 1, 1)), 0, -EINVAL, SRV6_ATTR_TUNSRC, "mapped" },
	{ E(H_ENCAPS, SEG | SRV6_HAS(TUNSRC), S, .tunsrc = A6(0xfe80, 0, 0, 0, 0, 0, 0, 1)), 0, -EINVAL, SRV6_ATTR_TUNSRC, "link-local" },
	{ E(H_INSERT, SEG | SRV6_HAS(TUNSRC), S, .tunsrc = DOC(1)), 0, -EINVAL, SRV6_ATTR_TUNSRC, "H.Insert takes no tunsrc" },
	{ E(H_INSERT, SEG, S), IS4, -EINVAL, SRV6_ATTR_DST, "H.Insert applies to IPv6 routes only" },
	{ E(H_ENCAPS, SEG | SRV6_HAS(LOOKUP), S, .lookup = 0), 0, -EINVAL, SRV6_ATTR_LOOKUP, "lookup must be at least 1" },
	{ E(H_ENCAPS, SEG | SRV6_HAS(HMAC), S, .hmac = 0), 0, -EINVAL, SRV6_ATTR_HMAC, "hmac must be at least 1" },
	{ E(H_ENCAPS, SEG | SRV6_HAS(SRH_FLAGS), S, .srh_flags = 8), 0, -EINVAL, SRV6_ATTR_SRH_FLAGS, "HMAC" },
	{ E(H_ENCAPS, SEG | SRV6_HAS(TLVS), S, .tlvs = { tlv, 7 }), 0, -EINVAL, SRV6_ATTR_TLVS, "whole TLVs" },
	{ E(H_ENCAPS, SEG | SRV6_HAS(TLVS), S, .tlvs = { "\5\6\0\0\0\0\0\1", 8 }), 0, -EINVAL, SRV6_ATTR_TLVS, "HMAC TLV" },
	{ E(H_ENCAPS, SEG | SRV6_HAS(TLVS), S, .tlvs = { "\11\7\0\0\0\0\0\1", 8 }), 0, -EINVAL, SRV6_ATTR_TLVS, "whole TLVs" },
	{ E(H_ENCAPS, SRV6_HAS(RAW_SRH), .raw_srh = { raw_srh, 23 }), 0, -EINVAL, SRV6_ATTR_RAW_SRH, "24" },
	{ E(H_ENCAPS, SRV6_HAS(RAW_SRH), .raw_srh = { tlv, 8 }), 0, -EINVAL, SRV6_ATTR_RAW_SRH, "24" },
	{ E(H_ENCAPS, SRV6_HAS(RAW_SRH), .raw_srh = { "\0\2\3\0\0\0\0\0" "0123456789abcdef", 24 }), 0, -EINVAL, SRV6_ATTR_RAW_SRH, "routing type 3" },
	{ E(H_ENCAPS, SRV6_HAS(RAW_SRH), .raw_srh = { "\0\4\4\0\0\0\0\0" "0123456789abcdef", 24 }), 0, -EINVAL, SRV6_ATTR_RAW_SRH, "header says 40" },
	{ E(H_ENCAPS, SRV6_HAS(RAW_SRH), .raw_srh = { "\0\2\4\1\0\0\0\0" "0123456789abcdef", 24 }), 0, -EINVAL, SRV6_ATTR_RAW_SRH, "segments left 1" },
	{ E(H_ENCAPS, SRV6_HAS(RAW_SRH), .raw_srh = { "\0\2\4\1\1\0\0\0" "0123456789abcdef", 24 }), 0, -EINVAL, SRV6_ATTR_RAW_SRH, "last entry 1" },
	{ E(END, SRV6_HAS(FLAVORS), .flavors = SRV6_FLAVOR_USD), 0, -EINVAL, SRV6_ATTR_FLAVORS, "End has no flavor usd" },
	{ E(END, SRV6_HAS(FLAVORS), .flavors = 0x80000000), 0, -EINVAL, SRV6_ATTR_FLAVORS, "no flavor 0x80000000" },
	{ E(END_X, SRV6_HAS(NH6) | SRV6_HAS(FLAVORS), .flavors = SRV6_FLAVOR_PSP), 0, -EINVAL, SRV6_ATTR_FLAVORS, "End.X has no flavor psp" },
	{ E(END_T, SRV6_HAS(TABLE) | SRV6_HAS(FLAVORS), .flavors = SRV6_FLAVOR_PSP), 0, -EINVAL, SRV6_ATTR_FLAVORS, "End.T takes no flavors" },
	{ E(END, SRV6_HAS(FLAVORS) | SRV6_HAS(LBLEN), .flavors = SRV6_FLAVOR_PSP, .lblen = 32), 0, -EINVAL, SRV6_ATTR_LBLEN, "next-csid" },
	{ E(END, SRV6_HAS(NFLEN), .nflen = 16), 0, -EINVAL, SRV6_ATTR_NFLEN, "next-csid" },
	{ E(END, SRV6_HAS(FLAVORS) | SRV6_HAS(LBLEN), .flavors = 16, .lblen = 33), 0, -EINVAL, SRV6_ATTR_LBLEN, "multiple of 8" },
	{ E(END, SRV6_HAS(FLAVORS) | SRV6_HAS(LBLEN), .flavors = 16, .lblen = 0), 0, -EINVAL, SRV6_ATTR_LBLEN, "between 8 and 120" },
	{ E(END, SRV6_HAS(FLAVORS) | SRV6_HAS(LBLEN), .flavors = 16, .lblen = 128), 0, -EINVAL, SRV6_ATTR_LBLEN, "between 8 and 120" },
	{ E(END, SRV6_HAS(FLAVORS) | SRV6_HAS(LBLEN), .flavors = 16, .lblen = 120), 0, -EINVAL, SRV6_ATTR_LBLEN, "128 bits" },
	{ E(END, SRV6_HAS(FLAVORS) | SRV6_HAS(NFLEN), .flavors = 16, .nflen = 104), 0, -EINVAL, SRV6_ATTR_NFLEN, "128 bits" },
	{ E(END_BPF, SRV6_HAS(BPF), .bpf = { .fd = 3 }), 0, -EINVAL, SRV6_ATTR_BPF, "name" },
	{ E(END_BPF, SRV6_HAS(BPF), .bpf = { .name = "x" }), 0, -EINVAL, SRV6_ATTR_BPF, "descriptor or id" },
	{ E(END, SRV6_HAS(UNKNOWN), .unknown = { run, 7 }), 0, -EINVAL, SRV6_ATTR_UNKNOWN, "whole attributes" },
	{ E(END_MAP, SRV6_HAS(UNKNOWN), .encap_type = 7, .unknown = { run, 8 }), 0, -EINVAL, SRV6_ATTR_UNKNOWN, "of seg6local mean something else in seg6mobile" },
	{ E(END_MAP, SRV6_HAS(UNKNOWN), .encap_type = 11, .unknown = { run, 8 }), V2, -EINVAL, SRV6_ATTR_UNKNOWN, "of seg6mobile mean something else in mobile-v2" },
	{ E(OTHER, SRV6_HAS(RAW), .raw = { run, 8 }), 0, -EINVAL, SRV6_ATTR_NONE, "needs its type" },
	{ E(OTHER, SRV6_HAS(RAW) | SRV6_HAS(TABLE), .encap_type = 6, .raw = { run, 8 }), 0, -EINVAL, SRV6_ATTR_TABLE, "nothing else" },
	{ E(END_M_GTP4_E, SRV6_HAS(SR_PREFIX_LEN) | SRV6_HAS(V6_SRC_PREFIX_LEN), .sr_prefix_len = 57, .v6_src_prefix_len = 64), 0, -EINVAL, SRV6_ATTR_SR_PREFIX_LEN, "at most 56" },
	{ E(END_M_GTP4_E, SRV6_HAS(SR_PREFIX_LEN) | SRV6_HAS(V6_SRC_PREFIX_LEN), .sr_prefix_len = 32, .v6_src_prefix_len = 97), 0, -EINVAL, SRV6_ATTR_V6_SRC_PREFIX_LEN, "at most 96" },
	{ E(END_M_GTP4_E, SRV6_HAS(SR_PREFIX_LEN) | SRV6_HAS(V6_SRC_PREFIX_LEN) | SRV6_HAS(PDU_TYPE), .sr_prefix_len = 32, .v6_src_prefix_len = 64, .pdu_type = 1), 0, -EINVAL, SRV6_ATTR_PDU_TYPE, "dl" },
	{ E(END_M_GTP6_E, SRV6_HAS(SRC) | SRV6_HAS(SR_PREFIX_LEN), .sr_prefix_len = 89, .src = DOC(1)), 0, -EINVAL, SRV6_ATTR_SR_PREFIX_LEN, "between 1 and 88" },
	{ E(END_M_GTP6_E, SRV6_HAS(SRC) | SRV6_HAS(SR_PREFIX_LEN) | SRV6_HAS(PDU_TYPE), .sr_prefix_len = 64, .src = DOC(1), .pdu_type = 2), 0, -EINVAL, SRV6_ATTR_PDU_TYPE, "between 0 and 1" },
	{ E(H_M_GTP4_D, SRV6_HAS(SRC) | SRV6_HAS(NH6) | SRV6_HAS(SR_PREFIX_LEN) | SRV6_HAS(V4_MASK_LEN), .sr_prefix_len = 80, .v4_mask_len = 32, .nh6 = DOC(1), .src = DOC(1)), IS4 | V2, -EINVAL, SRV6_ATTR_SR_PREFIX_LEN, "at most 56" },
};
/* clang-format on */

START_TEST(bad_value)
{
	struct srv6_build_opts opts = { .sz = sizeof(opts), .mobile = values[_i].how & V2 ? SRV6_MOBILE_V2 : 0 };
	struct srv6_op op = op_of(values[_i].e, values[_i].how & IS4);
	struct srv6_error err;
	int r = srv6_check(&op, &opts, &err);

	ck_assert_msg(r == values[_i].code && err.attr == values[_i].attr && strstr(err.text, values[_i].says),
		      "value %d: %d, %s: '%s', not '%s'", _i, r, attr_word(err.attr), err.text, values[_i].says);
	ck_assert_int_eq(srv6_check(&op, &opts, NULL), r);
}
END_TEST

/* How many segments fit (hdrlen has 8 bits), and what is built then is what the kernel takes. */
START_TEST(segment_limits)
{
	static const struct {
		uint32_t behavior;
		uint64_t has;
		uint32_t most;
	} limits[] = {
		{ SRV6_H_ENCAPS, 0, 127 },
		{ SRV6_H_ENCAPS, SRV6_HAS(HMAC), 125 },
		{ SRV6_H_ENCAPS_RED, 0, 127 },
		{ SRV6_H_INSERT, 0, 126 },
		{ SRV6_H_INSERT, SRV6_HAS(HMAC), 124 },
		{ SRV6_END_B6, 0, 126 },
		{ SRV6_END_B6, SRV6_HAS(HMAC), 124 },
		{ SRV6_END_B6_ENCAPS, 0, 127 },
		{ SRV6_END_B6_ENCAPS, SRV6_HAS(HMAC), 125 },
		{ SRV6_H_ENCAPS, SRV6_HAS(TLVS), 127 },
	};
	static struct in6_addr many[128];
	struct srv6_error err;
	char number[32];

	for (size_t i = 0; i < ARRAY_SIZE(many); i++)
		many[i] = (struct in6_addr)FC((int)i + 1);
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		struct srv6_encap e = filled(limits[i].behavior, limits[i].has | SRV6_HAS(SEGS));
		struct srv6_op op = op_of(&e, false);

		e.segs = many;
		e.n_segs = limits[i].most;
		round_trip(srv6_behavior_info(e.behavior, 0), &e, false, 0);
		e.n_segs++;
		op = op_of(&e, false);
		ck_assert_int_eq(srv6_check(&op, NULL, &err), -EINVAL);
		ck_assert_uint_eq(err.attr, SRV6_ATTR_SEGS);
		snprintf(number, sizeof(number), "room for %u", limits[i].most);
		ck_assert_msg(strstr(err.text, number) != NULL, "%s: %s", number, err.text);
	}
}
END_TEST

/* ---- routes that are refused */

#define HAS_VIA (SRV6_HAS(VIA) | SRV6_HAS(DEV))
/* clang-format off */
#define ENC ENCAP(H_ENCAPS, SRV6_HAS(SEGS), .n_segs = 3, .segs = segs)
static const struct {
	struct srv6_op op;
	uint32_t attr;
	const char *says, *mends;
} routes[] = {
	{ OP(ADD, ROUTE(0, DST6(64, A6(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1)), HOPS(DEV10(ENC)))), SRV6_ATTR_DST, "2001:db8::1/64 has bits", "2001:db8::/64" },
	{ OP(ADD, ROUTE(0, DST4(24, A4(198, 51, 100, 5)), HOPS(DEV10(ENC)))), SRV6_ATTR_DST, "198.51.100.5/24 has bits", "198.51.100.0/24" },
	{ OP(ADD, ROUTE(0, DST4(33, A4(198, 51, 100, 5)), HOPS(DEV10(ENC)))), SRV6_ATTR_DST, "/33", "" },
	{ OP(ADD, ROUTE(0, DST6(129, FC(1)), HOPS(DEV10(ENC)))), SRV6_ATTR_DST, "/129", "" },
	{ OP(ADD, ROUTE(0, .dst = { .family = 0 }, HOPS(DEV10(ENC)))), SRV6_ATTR_DST, "neither", "" },
	{ OP(ADD, ROUTE(0, DST6(64, DOC(1)), .n_hops = 0)), SRV6_ATTR_DEV, "leads nowhere", "dev" },
	{ OP(ADD, ROUTE(0, DST6(64, DOC(1)), HOPS(HOP(ENC, 0, .weight = 1)))), SRV6_ATTR_DEV, "neither dev nor via", "dev" },
	{ OP(ADD, ROUTE(0, DST6(64, DOC(1)), HOPS(HOP(ENC, SRV6_HAS(DEV), .ifindex = 0)))), SRV6_ATTR_DEV, "no interface", "" },
	{ OP(ADD, ROUTE(SRV6_HAS(NHID), DST6(64, DOC(1)), .nhid = 5, HOPS(DEV10(ENC)))), SRV6_ATTR_NHID, "nhid excludes hops", "either" },
	{ OP(ADD, ROUTE(SRV6_HAS(NHID), DST6(64, DOC(1)), .nhid = 0)), SRV6_ATTR_NHID, "between 1 and", "" },
	{ OP(ADD, ROUTE(0, DST6(64, DOC(1)), HOPS(DEV10(ENC), DEV10(ENC)))), SRV6_ATTR_VIA, "needs via", "append" },
	{ OP(ADD, ROUTE(0, DST6(64, DOC(1)), HOPS(HOP(ENC, HAS_VIA | SRV6_HAS(WEIGHT), VIA6(GW(2)), .ifindex = 1, .weight = 257)))), SRV6_ATTR_WEIGHT, "between 1 and 256", "" },
	{ OP(ADD, ROUTE(0, DST6(64, DOC(1)), HOPS(HOP(ENC, HAS_VIA | SRV6_HAS(WEIGHT), VIA6(GW(2)), .ifindex = 1, .weight = 0)))), SRV6_ATTR_WEIGHT, "between 1 and 256", "" },
	{ OP(ADD, ROUTE(0, DST6(64, DOC(1)), HOPS(HOP(ENC, HAS_VIA, .via = { .family = AF_INET, .len = 32, .addr = { .in4 = A4(192, 0, 2, 1) } }, .ifindex = 1)))), SRV6_ATTR_VIA, "IPv4 gateway", "" },
	{ OP(ADD, ROUTE(0, DST6(64, DOC(1)), HOPS(HOP(ENC, HAS_VIA, VIA6(A6(0, 0, 0, 0, 0, 0, 0, 0)), .ifindex = 1)))), SRV6_ATTR_VIA, "no gateway", "" },
	{ OP(ADD, ROUTE(0, DST6(64, DOC(1)), HOPS(HOP(ENC, SRV6_HAS(VIA) | SRV6_HAS(ONLINK), VIA6(GW(2)))))), SRV6_ATTR_DEV, "onlink needs dev", "" },
	{ OP(ADD, ROUTE(SRV6_HAS(TYPE), DST6(64, DOC(1)), .type = RTN_BLACKHOLE, HOPS(DEV10(ENC)))), SRV6_ATTR_TYPE, "can't encapsulate", "" },
	{ OP(ADD, ROUTE(SRV6_HAS(TYPE), DST4(24, A4(10, 0, 0, 0)), .type = RTN_UNREACHABLE, HOPS(DEV10(NULL)))), SRV6_ATTR_DEV, "has no hops", "" },
	{ OP(ADD, ROUTE(SRV6_HAS(TOS), DST6(64, DOC(1)), .tos = 8, HOPS(DEV10(ENC)))), SRV6_ATTR_TOS, "tos is for IPv4", "" },
	{ OP(ADD, ROUTE(SRV6_HAS(PREF), DST4(24, A4(10, 0, 0, 0)), .pref = 1, HOPS(DEV10(ENC)))), SRV6_ATTR_PREF, "pref is for IPv6", "" },
	{ OP(ADD, ROUTE(SRV6_HAS(EXPIRES), DST4(24, A4(10, 0, 0, 0)), .expires = 1, HOPS(DEV10(ENC)))), SRV6_ATTR_EXPIRES, "expires is for IPv6", "" },
	{ OP(ADD, ROUTE(0, DST6(64, DOC(1)), HOPS(HOP(ENC, SRV6_HAS(DEV) | SRV6_HAS(REALMS), .ifindex = 1, .realms = 1)))), SRV6_ATTR_REALMS, "realms is for IPv4", "" },
	{ OP(ADD, ROUTE(SRV6_HAS(ROUTE_TABLE), DST6(64, DOC(1)), .table = 0, HOPS(DEV10(ENC)))), SRV6_ATTR_ROUTE_TABLE, "no table 0", "" },
	{ OP(ADD, ROUTE(SRV6_HAS(HOPLIMIT), DST6(64, DOC(1)), .metrics = { [RTAX_HOPLIMIT] = 256 }, HOPS(DEV10(ENC)))), SRV6_ATTR_HOPLIMIT, "between 1 and 255", "" },
	{ OP(ADD, ROUTE(SRV6_HAS(PREFSRC), DST6(64, DOC(1)), .prefsrc = { .family = AF_INET, .len = 32 }, HOPS(DEV10(ENC)))), SRV6_ATTR_PREFSRC, "another address family", "" },
	{ OP(IS, ROUTE(0, DST6(64, DOC(1)), HOPS(DEV10(ENC)))), SRV6_ATTR_NONE, "changes nothing", "" },
	{ OP(DEL, ROUTE(0, DST6(64, A6(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1)))), SRV6_ATTR_DST, "has bits", "2001:db8::/64" },
	{ OP_NH(DEL, (&(const struct srv6_nexthop){ .sz = sizeof(struct srv6_nexthop) })), SRV6_ATTR_NH_ID, "id must be", "" },
	{ OP_NH(APPEND, (&(const struct srv6_nexthop){ .sz = sizeof(struct srv6_nexthop), .has = SRV6_HAS(NH_ID), .id = 1 })), SRV6_ATTR_NONE, "appended", "" },
	{ OP_NH(ADD, (&(const struct srv6_nexthop){ .sz = sizeof(struct srv6_nexthop), .has = SRV6_HAS(NH_ID), .id = 1, .family = AF_INET6 })), SRV6_ATTR_DEV, "leads nowhere", "" },
	{ OP_NH(ADD, (&(const struct srv6_nexthop){ .sz = sizeof(struct srv6_nexthop), .has = SRV6_HAS(NH_BLACKHOLE), .family = AF_INET6, .hop = &(const struct srv6_hop)DEV10(ENC) })), SRV6_ATTR_NH_BLACKHOLE, "excludes", "" },
	{ OP_NH(ADD, (&(const struct srv6_nexthop){ .sz = sizeof(struct srv6_nexthop), .has = SRV6_HAS(NH_FDB), .family = AF_INET6, .hop = &(const struct srv6_hop)DEV10(ENC) })), SRV6_ATTR_NH_FDB, "via alone", "" },
	{ OP_NH(ADD, (&(const struct srv6_nexthop){ .sz = sizeof(struct srv6_nexthop), .has = SRV6_HAS(NH_GROUP), .n_group = 1, .group = &(const struct srv6_group){ .id = 1 } })), SRV6_ATTR_NH_GROUP, "weight", "" },
};
/* clang-format on */

START_TEST(bad_route)
{
	struct srv6_error err;
	int r = srv6_check(&routes[_i].op, NULL, &err);

	ck_assert_msg(r == -EINVAL && err.attr == routes[_i].attr && strstr(err.text, routes[_i].says) &&
			      strstr(err.remedy, routes[_i].mends),
		      "route %d: %d, %s: '%s' '%s', not '%s'", _i, r, attr_word(err.attr), err.text, err.remedy,
		      routes[_i].says);
}
END_TEST

/* The hop at fault is told. */
START_TEST(hop_at_fault)
{
	struct srv6_hop hops[] = { HOP(ENC, HAS_VIA, VIA6(GW(2)), .ifindex = 1),
				   HOP(ENC, HAS_VIA, VIA6(GW(3)), .ifindex = 1),
				   HOP(ENCAP(END_X, 0, .n_segs = 0), HAS_VIA, VIA6(GW(3)), .ifindex = 1) };
	struct srv6_route r = { .sz = sizeof(r), DST6(64, DOC(1)), .n_hops = 3, .hops = hops };
	struct srv6_op op = OP(ADD, &r);
	struct srv6_error err;

	ck_assert_int_eq(srv6_check(&op, NULL, &err), -EINVAL);
	ck_assert_uint_eq(err.hop, 2);
	ck_assert_uint_eq(err.attr, SRV6_ATTR_NH6);
	ck_assert_str_eq(err.text, "End.X needs nh6");
	ck_assert_str_eq(err.remedy, "add nh6 ADDR6");
}
END_TEST

START_TEST(genl_refused)
{
	static const struct in6_addr bad[] = { A6(0xff02, 0, 0, 0, 0, 0, 0, 1), A6(0, 0, 0, 0, 0, 0, 0, 1),
					       A6(0, 0, 0, 0, 0, 0xffff, 1, 1), A6(0xfe80, 0, 0, 0, 0, 0, 0, 1) };
	struct srv6_tunsrc t = { .sz = sizeof(t) };
	struct srv6_hmac h = { .sz = sizeof(h), .key_id = 1, .algo = 2, .secret = { "x", 65 } };
	struct srv6_op tunsrc = { .verb = SRV6_ADD, .kind = SRV6_TUNSRC, .u = { .tunsrc = &t } };
	struct srv6_op hmac = { .verb = SRV6_ADD, .kind = SRV6_HMAC, .u = { .hmac = &h } };
	struct srv6_error err;
	uint32_t buf[64];

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		t.addr = bad[i];
		ck_assert_int_eq(srv6_check(&tunsrc, NULL, &err), -EINVAL);
		ck_assert_uint_eq(err.attr, SRV6_ATTR_TUNSRC);
	}
	t.addr = (struct in6_addr)DOC(1);
	ck_assert_int_eq(srv6_check(&tunsrc, NULL, NULL), 0);
	ck_assert_int_eq(srv6_build(buf, sizeof(buf), &tunsrc, NULL, &err), -EINVAL);
	ck_assert_msg(strstr(err.text, "SEG6") != NULL, "%s", err.text);
	ck_assert_int_eq(srv6_check(&hmac, NULL, &err), -EINVAL);
	ck_assert_msg(strstr(err.text, "1 to 64 bytes, not 65") != NULL, "%s", err.text);
	h.secret.len = 0;
	ck_assert_int_eq(srv6_check(&hmac, NULL, NULL), -EINVAL);
	h.secret.len = 1;
	ck_assert_int_eq(srv6_check(&hmac, NULL, NULL), 0);
	h.algo = 3;
	ck_assert_int_eq(srv6_check(&hmac, NULL, NULL), -EINVAL);
	h.algo = 1;
	h.key_id = 0;
	ck_assert_int_eq(srv6_check(&hmac, NULL, NULL), -EINVAL);
}
END_TEST

/* Structs of other versions: longer is fine while what is beyond is zero, shorter too. */
START_TEST(versions)
{
	struct {
		struct srv6_encap e;
		uint64_t tail;
	} newer = { .e = filled(SRV6_END_X, SRV6_HAS(NH6)) };
	struct srv6_encap older = filled(SRV6_H_ENCAPS, SRV6_HAS(SEGS));
	struct srv6_op op = op_of(&newer.e, false);
	uint32_t buf[256];

	newer.e.sz = sizeof(newer);
	ck_assert_int_eq(srv6_build(buf, sizeof(buf), &op, NULL, NULL), 0);
	newer.tail = 1;
	ck_assert_int_eq(srv6_build(buf, sizeof(buf), &op, NULL, NULL), -E2BIG);
	older.sz = offsetof(struct srv6_encap, tlvs);
	op = op_of(&older, false);
	ck_assert_int_eq(srv6_build(buf, sizeof(buf), &op, NULL, NULL), 0);
	older.sz = 4;
	ck_assert_int_eq(srv6_build(buf, sizeof(buf), &op, NULL, NULL), -EINVAL);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("rows"), *v = tcase_create("values");

	tcase_add_loop_test(t, required_and_all, 1, N_ROWS);
	tcase_add_loop_test(t, optional_alone, 1, N_ROWS);
	tcase_add_loop_test(t, random_sets, 1, N_ROWS);
	tcase_add_loop_test(t, one_missing, 1, N_ROWS);
	tcase_add_loop_test(t, one_too_many, 1, N_ROWS);
	tcase_add_loop_test(t, wrong_family, 1, N_ROWS);
	tcase_add_loop_test(t, families_and_rows_agree, 1, N_ROWS);
	tcase_add_loop_test(t, no_kernel_has_it, 0, 4);
	tcase_add_test(t, wire_sizes);
	tcase_add_test(t, names);
	tcase_add_loop_test(v, bad_value, 0, ARRAY_SIZE(values));
	tcase_add_loop_test(v, bad_route, 0, ARRAY_SIZE(routes));
	tcase_add_test(v, segment_limits);
	tcase_add_test(v, hop_at_fault);
	tcase_add_test(v, genl_refused);
	tcase_add_test(v, versions);
	return suite_run("codec: rows and rules", t, v);
}

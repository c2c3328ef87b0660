/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What can be said of an op without a kernel. Most kernel refusals are a bare EINVAL, and what it does not use it drops
 * without a word; so this goes first, and says which attribute, why, and what would be right.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <stdio.h>

#include "family.h"

const char *attr_word(uint32_t attr)
{
	const struct srv6_attr_info *info = srv6_attr_info(attr);

	return info ? info->word : "?";
}

/* The words of a set of attributes: "nh6", "table or vrftable". */
static const char *words(uint64_t set, uint32_t owner, const char *last, char *buf, size_t size)
{
	const struct srv6_attr_info *info;
	size_t at = 0;

	buf[0] = 0;
	for (uint32_t bit = 0; bit < 64 && at < size; bit++) {
		info = set >> bit & 1 ? srv6_attr_info(owner << 6 | bit) : NULL;
		if (!info)
			continue;
		set &= ~((uint64_t)1 << bit);
		at += (size_t)snprintf(buf + at, size - at, "%s%s", at ? set ? ", " : last : "", info->word);
	}
	return buf;
}

static uint32_t first_of(uint64_t set)
{
	return set ? (uint32_t)__builtin_ctzll(set) : SRV6_ATTR_NONE;
}

static void remedy_add(struct srv6_error *err, uint32_t attr)
{
	const struct srv6_attr_info *info = srv6_attr_info(attr);

	err_remedy(err, "add %s%s%s", info->word, info->arg ? " " : "", info->arg ? info->arg : "");
}

/* ---- the sets of the behavior's row */

/* What a person can give: neither bytes as read nor what stands for the SRH as a whole. */
#define NOT_SAID (SRV6_HAS(UNKNOWN) | SRV6_HAS(RAW) | SRV6_HAS(RAW_SRH))

static int too_much(const struct srv6_behavior_info *info, uint64_t extra, struct srv6_error *err)
{
	uint64_t takes = (info->required | info->optional | info->one_of) & ~NOT_SAID;
	uint32_t attr = first_of(extra);
	char buf[200];
	int r = err_set(err, -EINVAL, attr, "%s takes no %s", info->name, attr_word(attr));

	words(takes, SRV6_OWNER_ENCAP, " and ", buf, sizeof(buf));
	if (buf[0])
		err_remedy(err, "leave %s out; %s takes %s", attr_word(attr), info->name, buf);
	else
		err_remedy(err, "leave %s out", attr_word(attr));
	return r;
}

static int check_sets(const struct srv6_behavior_info *info, const struct srv6_encap *e, struct srv6_error *err)
{
	uint64_t one = e->has & info->one_of, missing = info->required & ~e->has;
	uint64_t extra = e->has & ~(info->required | info->optional | info->one_of);
	char buf[160];
	int r;

	if (e->has & SRV6_HAS(RAW_SRH))
		missing &= ~SRV6_HAS(SEGS); /* they are in it */
	if (extra)
		return too_much(info, extra, err);
	if (missing) {
		r = err_set(err, -EINVAL, first_of(missing), "%s needs %s", info->name,
			    words(missing, SRV6_OWNER_ENCAP, " and ", buf, sizeof(buf)));
		remedy_add(err, first_of(missing));
		return r;
	}
	if (info->one_of && (!one || (one & (one - 1)))) {
		words(info->one_of, SRV6_OWNER_ENCAP, one ? " and " : " or ", buf, sizeof(buf));
		r = err_set(err, -EINVAL, first_of(one ? one & (one - 1) : info->one_of), "%s %s %s", info->name,
			    one ? "can't have both" : "needs one of", buf);
		if (one)
			err_remedy(err, "keep one of %s", buf);
		else
			remedy_add(err, first_of(info->one_of));
		return r;
	}
	return 0;
}

/* ---- values */

static int check_ranges(const void *object, uint64_t has, uint32_t owner, struct srv6_error *err)
{
	const struct srv6_attr_info *info;
	uint32_t value;

	for (; has; has &= has - 1) {
		info = srv6_attr_info(owner << 6 | (uint32_t)__builtin_ctzll(has));
		if (!info || (!info->min && !info->max) || !shape_number(info->shape, field_of(object, info), &value))
			continue;
		if (value >= info->min && value <= info->max)
			continue;
		if (info->max == UINT32_MAX)
			return err_set(err, -EINVAL, info->attr, "%s must be at least %u", info->word, info->min);
		return err_set(err, -EINVAL, info->attr, "%s must be between %u and %u, not %u", info->word, info->min,
			       info->max, value);
	}
	return 0;
}

static int check_tunsrc(const struct in6_addr *a, struct srv6_error *err)
{
	char text[INET6_ADDRSTRLEN];
	const char *what = IN6_IS_ADDR_UNSPECIFIED(a) ? "the unspecified address"
			   : IN6_IS_ADDR_MULTICAST(a) ? "a multicast address"
			   : IN6_IS_ADDR_LOOPBACK(a)  ? "the loopback address"
			   : IN6_IS_ADDR_V4MAPPED(a)  ? "an IPv4-mapped address"
			   : IN6_IS_ADDR_LINKLOCAL(a) ? "a link-local address"
						      : NULL;

	if (!what)
		return 0;
	return err_set(err, -EINVAL, SRV6_ATTR_TUNSRC,
		       "%s %s is %s, which can't be the source of packets that are forwarded",
		       attr_word(SRV6_ATTR_TUNSRC), inet_ntop(AF_INET6, a, text, sizeof(text)), what);
}

/* Kernel's defaults, where next-csid is there without lengths. */
#define LBLEN_DEFAULT 32
#define NFLEN_DEFAULT 16

static int check_flavors(const struct srv6_behavior_info *info, const struct srv6_encap *e, struct srv6_error *err)
{
	uint32_t flavors = e->has & SRV6_HAS(FLAVORS) ? e->flavors : 0, extra = flavors & ~info->flavors;
	uint64_t lens = e->has & (SRV6_HAS(LBLEN) | SRV6_HAS(NFLEN));
	uint32_t lblen = e->has & SRV6_HAS(LBLEN) ? e->lblen : LBLEN_DEFAULT;
	uint32_t nflen = e->has & SRV6_HAS(NFLEN) ? e->nflen : NFLEN_DEFAULT;
	const char *name = extra ? srv6_flavor_name(extra & -extra) : NULL;
	int r;

	if (name)
		return err_set(err, -EINVAL, SRV6_ATTR_FLAVORS, "%s has no flavor %s in Linux", info->name, name);
	if (extra)
		return err_set(err, -EINVAL, SRV6_ATTR_FLAVORS, "%s has no flavor 0x%x in Linux", info->name, extra);
	if (!lens)
		return 0;
	if (!(flavors & SRV6_FLAVOR_NEXT_CSID)) {
		r = err_set(err, -EINVAL, first_of(lens), "%s goes with the flavor next-csid alone",
			    attr_word(first_of(lens)));
		err_remedy(err, "add %s next-csid", attr_word(SRV6_ATTR_FLAVORS));
		return r;
	}
	if (lblen % 8 || nflen % 8)
		return err_set(err, -EINVAL, lblen % 8 ? SRV6_ATTR_LBLEN : SRV6_ATTR_NFLEN,
			       "%s must be a multiple of 8, not %u",
			       attr_word(lblen % 8 ? SRV6_ATTR_LBLEN : SRV6_ATTR_NFLEN), lblen % 8 ? lblen : nflen);
	if (lblen + nflen > 128)
		return err_set(err, -EINVAL, first_of(lens),
			       "%s and %s must not exceed 128 bits together, not %u and %u", attr_word(SRV6_ATTR_LBLEN),
			       attr_word(SRV6_ATTR_NFLEN), lblen, nflen);
	return 0;
}

#define BPF_NAME_MAX 256

static int check_bpf(const struct srv6_bpf *bpf, struct srv6_error *err)
{
	if (!bpf->name || !*bpf->name)
		return err_set(err, -EINVAL, SRV6_ATTR_BPF, "the program of %s needs a name", attr_word(SRV6_ATTR_BPF));
	if (strlen(bpf->name) >= BPF_NAME_MAX)
		return err_set(err, -EINVAL, SRV6_ATTR_BPF, "the name of a program has %d bytes at most",
			       BPF_NAME_MAX - 1);
	if (bpf->fd <= 0 && !bpf->id)
		return err_set(err, -EINVAL, SRV6_ATTR_BPF, "%s needs a program, by descriptor or id",
			       attr_word(SRV6_ATTR_BPF));
	return 0;
}

/* A run of whole attributes, kept from a message. */
static int check_run(const struct srv6_bytes *run, uint32_t attr, struct srv6_error *err)
{
	struct attrs a = { run->data, run->len };
	struct attr one;

	while (attr_next(&a, &one))
		;
	if (a.len || run->len % NLA_ALIGNTO || (run->len && !run->data))
		return err_set(err, -EINVAL, attr, "%s is not a run of whole attributes", attr_word(attr));
	return 0;
}

/* ---- mobile: bits of an address must suffice for what goes into it (RFC 9433 6) */

#define ARGS_BITS 40 /* Args.Mob.Session */

static int check_sum(uint32_t attr, const char *name, uint32_t bits, uint32_t rest, const char *of,
		     struct srv6_error *err)
{
	if (bits + rest <= 128)
		return 0;
	return err_set(err, -EINVAL, attr, "%s: %s must be at most %u, to leave room for %s; it is %u", name,
		       attr_word(attr), 128 - rest, of, bits);
}

static int check_dst_bits(const char *name, uint32_t dst_len, uint32_t rest, const char *of, struct srv6_error *err)
{
	if (dst_len == DST_LEN_UNKNOWN || dst_len + rest <= 128)
		return 0;
	return err_set(err, -EINVAL, SRV6_ATTR_DST,
		       "%s: the prefix must be /%u at most, to leave room for %s; it is /%u", name, 128 - rest, of,
		       dst_len);
}

static int check_mobile(const struct srv6_behavior_info *info, const struct srv6_encap *e, uint8_t dst_len, bool v2,
			struct srv6_error *err)
{
	bool gtp4 = e->behavior == SRV6_END_M_GTP4_E || e->behavior == SRV6_H_M_GTP4_D;
	uint32_t v4 = e->has & SRV6_HAS(V4_MASK_LEN) ? e->v4_mask_len : 32;
	const char *session = "an IPv4 address and the 40 bits of the session";
	int r = 0;

	if (gtp4 && (e->has & SRV6_HAS(V6_SRC_PREFIX_LEN)))
		r = check_sum(SRV6_ATTR_V6_SRC_PREFIX_LEN, info->name, e->v6_src_prefix_len, 32, "an IPv4 address",
			      err);
	if (!r && gtp4 && (e->has & SRV6_HAS(SR_PREFIX_LEN)))
		r = check_sum(SRV6_ATTR_SR_PREFIX_LEN, info->name, e->sr_prefix_len, v4 + ARGS_BITS, session, err);
	if (!r && v2 && e->behavior == SRV6_END_M_GTP4_E)
		r = check_dst_bits(info->name, dst_len, v4 + ARGS_BITS, session, err);
	if (!r && v2 && e->behavior == SRV6_END_M_GTP6_E)
		r = check_dst_bits(info->name, dst_len, ARGS_BITS, "the 40 bits of the session", err);
	if (!r && !v2 && e->behavior == SRV6_END_M_GTP4_E && (e->has & SRV6_HAS(PDU_TYPE)) && e->pdu_type)
		r = err_set(err, -EINVAL, SRV6_ATTR_PDU_TYPE, "%s sends downlink only: %s dl", info->name,
			    attr_word(SRV6_ATTR_PDU_TYPE));
	if (!r && e->n_segs > 126 && (e->has & SRV6_HAS(SEGS)) &&
	    (e->behavior == SRV6_END_M_GTP6_D_DI || (v2 && e->behavior == SRV6_END_M_GTP6_D)))
		r = err_set(err, -EINVAL, SRV6_ATTR_SEGS, "%s has room for 126 segments: it adds one of its own",
			    info->name);
	return r;
}

/* ---- one encapsulation */

static int check_other(const struct srv6_encap *e, struct srv6_error *err)
{
	if (!e->encap_type || e->encap_type > UINT16_MAX)
		return err_set(err, -EINVAL, SRV6_ATTR_NONE,
			       "an encapsulation kept as bytes needs its type, from 1 to 65535");
	if (e->has != SRV6_HAS(RAW))
		return err_set(err, -EINVAL,
			       first_of(e->has & ~SRV6_HAS(RAW)) == SRV6_ATTR_NONE ? SRV6_ATTR_RAW
										   : first_of(e->has & ~SRV6_HAS(RAW)),
			       "an encapsulation kept as bytes has %s and nothing else", attr_word(SRV6_ATTR_RAW));
	if (e->raw.len && !e->raw.data)
		return err_set(err, -EINVAL, SRV6_ATTR_RAW, "%s has no bytes", attr_word(SRV6_ATTR_RAW));
	return 0;
}

static int check_family(const struct srv6_behavior_info *info, uint8_t family, struct srv6_error *err)
{
	bool in4 = family == AF_INET;
	int r;

	if (info->families & (in4 ? SRV6_FAMILY_IN4 : SRV6_FAMILY_IN6))
		return 0;
	r = err_set(err, -EINVAL, SRV6_ATTR_DST, "%s applies to IPv%c routes only", info->name, in4 ? '6' : '4');
	if (info->behavior == SRV6_H_INSERT)
		err_remedy(err, "an SRH can't be inserted into IPv4: use mode %s",
			   srv6_behavior_info(SRV6_H_ENCAPS, 0)->word);
	return r;
}

static int check_values(const struct srv6_behavior_info *info, const struct srv6_encap *e, struct srv6_error *err)
{
	int r = check_ranges(e, e->has, SRV6_OWNER_ENCAP, err);

	if (r >= 0 && (e->has & SRH_ATTRS))
		r = srh_check(e, info->name, err);
	if (r >= 0 && (e->has & SRV6_HAS(TUNSRC)))
		r = check_tunsrc(&e->tunsrc, err);
	if (r >= 0 && (e->has & (SRV6_HAS(FLAVORS) | SRV6_HAS(LBLEN) | SRV6_HAS(NFLEN))))
		r = check_flavors(info, e, err);
	if (r >= 0 && (e->has & SRV6_HAS(BPF)))
		r = check_bpf(&e->bpf, err);
	if (r >= 0 && (e->has & SRV6_HAS(UNKNOWN)))
		r = check_run(&e->unknown, SRV6_ATTR_UNKNOWN, err);
	return r;
}

/* Attributes unknown here go back as they came, so into the encapsulation type that they came from. */
static int check_unknown(const struct family *f, const struct srv6_encap *e, struct srv6_error *err)
{
	const char *from;
	int r;

	if (!(e->has & SRV6_HAS(UNKNOWN)) || !e->encap_type || e->encap_type == f->encap_type)
		return 0;
	from = srv6_encap_name(e->encap_type);
	r = err_set(err, -EINVAL, SRV6_ATTR_UNKNOWN, "unknown attributes of %s mean something else in %s",
		    from ? from : "another encapsulation", f->name);
	err_remedy(err, "leave them out, or choose the numbering that they were read in");
	return r;
}

int encap_check(const struct srv6_encap *e, uint8_t family, uint8_t dst_len, uint32_t mobile, struct srv6_error *err)
{
	const struct srv6_behavior_info *info;
	const struct family *f;
	uint32_t number;
	int r;

	if (e->behavior == SRV6_OTHER)
		return check_other(e, err);
	info = srv6_behavior_info(e->behavior, mobile);
	f = family_of(e->behavior, mobile, &number);
	if (!info || !f)
		return err_set(err, -EINVAL, SRV6_ATTR_NONE, "there is no behavior %u in this numbering", e->behavior);
	if (info->status == SRV6_STATUS_UAPI)
		return err_set(err, -EOPNOTSUPP, SRV6_ATTR_NONE, "no Linux kernel implements %s", info->name);
	r = check_family(info, family, err);
	if (r >= 0)
		r = check_unknown(f, e, err);
	if (r >= 0)
		r = check_sets(info, e, err);
	if (r >= 0)
		r = check_values(info, e, err);
	if (r >= 0 && info->status == SRV6_STATUS_PROPOSED)
		r = check_mobile(info, e, dst_len, mobile == SRV6_MOBILE_V2, err);
	return r;
}

/* ---- what routes and nexthop objects share */

/* Whether bits are set behind the first n of 64. */
static bool bits_behind(uint64_t big_endian, unsigned int n)
{
	return n < 64 && be64toh(big_endian) << n;
}

static bool host_bits(const struct srv6_prefix *p)
{
	uint64_t half[2] = { 0 };

	memcpy(half, &p->addr, addr_size(p->family));
	return bits_behind(half[0], p->len) || bits_behind(half[1], p->len < 64 ? 0 : p->len - 64u);
}

int prefix_check(const struct srv6_prefix *p, uint32_t attr, struct srv6_error *err)
{
	struct in6_addr a = { 0 };
	char was[INET6_ADDRSTRLEN], is[INET6_ADDRSTRLEN];
	int r;

	if (p->family != AF_INET && p->family != AF_INET6)
		return err_set(err, -EINVAL, attr, "%s is neither an IPv4 nor an IPv6 prefix", attr_word(attr));
	if (p->len > 8 * addr_size(p->family))
		return err_set(err, -EINVAL, attr, "%s: /%u is longer than an address", attr_word(attr), p->len);
	if (!host_bits(p))
		return 0;
	memcpy(&a, &p->addr, (p->len + 7u) / 8);
	if (p->len % 8)
		a.s6_addr[p->len / 8] &= (uint8_t)(0xff00 >> p->len % 8);
	inet_ntop(p->family, &a, is, sizeof(is));
	r = err_set(err, -EINVAL, attr, "%s/%u has bits set behind its length",
		    inet_ntop(p->family, &p->addr, was, sizeof(was)), p->len);
	err_remedy(err, "write %s/%u", is, p->len);
	return r;
}

static int check_via(const struct srv6_prefix *via, uint8_t family, struct srv6_error *err)
{
	static const struct in6_addr zero;

	if (via->family != AF_INET && via->family != AF_INET6)
		return err_set(err, -EINVAL, SRV6_ATTR_VIA, "%s is neither an IPv4 nor an IPv6 address",
			       attr_word(SRV6_ATTR_VIA));
	if (family == AF_INET6 && via->family == AF_INET)
		return err_set(err, -EINVAL, SRV6_ATTR_VIA, "an IPv6 route can't have an IPv4 gateway");
	if (!memcmp(&via->addr, &zero, addr_size(via->family)))
		return err_set(err, -EINVAL, SRV6_ATTR_VIA, "the unspecified address is no gateway");
	return 0;
}

int hop_check_where(const struct srv6_hop *hop, uint8_t family, struct srv6_error *err)
{
	int r = hop->has & SRV6_HAS(VIA) ? check_via(&hop->via, family, err) : 0;

	if (r >= 0 && (hop->has & SRV6_HAS(DEV)) && !hop->ifindex)
		return err_set(err, -EINVAL, SRV6_ATTR_DEV, "%s is no interface", attr_word(SRV6_ATTR_DEV));
	return r;
}

int hop_check(const struct srv6_hop *hop, uint8_t family, uint8_t dst_len, uint32_t mobile, struct srv6_error *err)
{
	const struct srv6_encap *e;
	struct srv6_encap room;
	int r = check_ranges(hop, hop->has, SRV6_OWNER_HOP, err);

	if (r >= 0)
		r = hop_check_where(hop, family, err);
	if (r < 0)
		return r;
	if ((hop->has & SRV6_HAS(WEIGHT)) && (hop->weight < 1 || hop->weight > 256))
		return err_set(err, -EINVAL, SRV6_ATTR_WEIGHT, "%s must be between 1 and 256, not %u",
			       attr_word(SRV6_ATTR_WEIGHT), hop->weight);
	if ((hop->has & SRV6_HAS(ONLINK)) && !(hop->has & SRV6_HAS(DEV)))
		return err_set(err, -EINVAL, SRV6_ATTR_DEV, "%s needs %s", attr_word(SRV6_ATTR_ONLINK),
			       attr_word(SRV6_ATTR_DEV));
	if (hop->has & SRV6_HAS(HOP_UNKNOWN)) {
		r = check_run(&hop->unknown, SRV6_ATTR_HOP_UNKNOWN, err);
		if (r < 0)
			return r;
	}
	if (!hop->encap)
		return 0;
	r = encap_in(hop->encap, &room, &e);
	if (r < 0)
		return err_set(err, r, SRV6_ATTR_NONE, "the encapsulation is of another version of this library");
	return encap_check(e, family, dst_len, mobile, err);
}

/* ---- ops */

static const uint16_t flags_of_verb[] = {
	[SRV6_ADD] = NLM_F_CREATE | NLM_F_EXCL,
	[SRV6_REPLACE] = NLM_F_CREATE | NLM_F_REPLACE,
	[SRV6_CHANGE] = NLM_F_REPLACE,
	[SRV6_APPEND] = NLM_F_CREATE | NLM_F_APPEND,
	[SRV6_DEL] = 0,
};

uint16_t verb_flags(const struct srv6_op *op)
{
	/* CREATE alone puts an IPv4 route before those that are there. */
	if (op->verb == SRV6_APPEND && (op->flags & SRV6_OP_PREPEND))
		return NLM_F_REQUEST | NLM_F_CREATE;
	return NLM_F_REQUEST | flags_of_verb[op->verb];
}

static int check_op(const struct build *b)
{
	const struct srv6_op *op = b->op;

	if (op->verb < SRV6_ADD || op->verb > SRV6_DEL)
		return err_set(b->err, -EINVAL, SRV6_ATTR_NONE, "verb %u changes nothing", op->verb);
	if (!op->u.any)
		return err_set(b->err, -EINVAL, SRV6_ATTR_NONE, "there is no object to change");
	return 0;
}

/* A route or nexthop of this version: the caller's own, or a copy in room. */
union object {
	struct srv6_route route;
	struct srv6_nexthop nexthop;
};

static int object_in(const struct srv6_op *op, union object *room, const void **ret)
{
	size_t ours = op->kind == SRV6_ROUTE ? sizeof(struct srv6_route) : sizeof(struct srv6_nexthop), theirs;

	memcpy(&theirs, op->u.any, sizeof(theirs));
	*ret = op->u.any;
	if (theirs == ours)
		return 0;
	*ret = room;
	return sized_in(room, ours, op->u.any);
}

static int run(const struct srv6_op *op, const struct srv6_build_opts *opts, struct srv6_error *err, void *buf,
	       size_t cap)
{
	struct srv6_build_opts ours = { .sz = sizeof(struct srv6_build_opts) };
	struct build b = { .op = op, .opts = &ours, .err = err };
	union object room;
	const void *object;
	int r = opts ? sized_in(&ours, sizeof(ours), opts) : 0;

	err_clear(err);
	if (r < 0)
		return err_set(err, r, SRV6_ATTR_NONE, "the options are of another version of this library");
	r = check_op(&b);
	if (r < 0)
		return r;
	if (op->kind == SRV6_TUNSRC || op->kind == SRV6_HMAC) {
		r = sr_check(&b);
		return r < 0 || !buf ? r : sr_build(&b, buf, cap);
	}
	if (op->kind != SRV6_ROUTE && op->kind != SRV6_NEXTHOP)
		return err_set(err, -EINVAL, SRV6_ATTR_NONE, "objects of kind %u can't be changed", op->kind);
	r = object_in(op, &room, &object);
	if (r < 0)
		return err_set(err, r, SRV6_ATTR_NONE, "the object is of another version of this library");
	if (op->kind == SRV6_ROUTE) {
		r = route_check(object, &b);
		return r < 0 || !buf ? r : route_build(object, &b, buf, cap);
	}
	r = nexthop_check(object, &b);
	return r < 0 || !buf ? r : nexthop_build(object, &b, buf, cap);
}

EXPORT int srv6_check(const struct srv6_op *op, const struct srv6_build_opts *opts, struct srv6_error *err)
{
	return run(op, opts, err, NULL, 0);
}

int build_checked(void *buf, size_t cap, const struct srv6_op *op, const struct srv6_build_opts *opts,
		  struct srv6_error *err)
{
	struct build b = { .op = op, .opts = opts, .err = err };
	union object room;
	const void *object;

	if ((op->kind != SRV6_ROUTE && op->kind != SRV6_NEXTHOP) || object_in(op, &room, &object) < 0)
		return srv6_build(buf, cap, op, opts, err);
	return op->kind == SRV6_ROUTE ? route_build(object, &b, buf, cap) : nexthop_build(object, &b, buf, cap);
}

EXPORT int srv6_build(void *buf, size_t cap, const struct srv6_op *op, const struct srv6_build_opts *opts,
		      struct srv6_error *err)
{
	return buf ? run(op, opts, err, buf, cap) : err_set(err, -EINVAL, SRV6_ATTR_NONE, "there is no buffer");
}

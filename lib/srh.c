/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The segment routing header (RFC 8754), as a template in an encapsulation:
 *
 *   0      1      2      3        4     5     6   8
 *   nexthdr hdrlen type=4 segsleft first flags tag  segments[0..n-1]  TLVs
 *
 * segments[0] is the last one visited, so the path is turned round here and nowhere else. H.Insert and End.B6 need a '::'
 * in segments[0], which the kernel overwrites with the packet's own destination: it is added and taken off here.
 */
#include <arpa/inet.h>
#include <errno.h>

#include "codec.h"

#define SRH_TYPE       4
#define SRH_FLAG_HMAC  0x08
#define SRH_FIXED      8
#define TLV_HMAC       5
#define TLV_HMAC_LEN   38  /* behind type and length */
#define TLV_HMAC_SPACE 40  /* type, length, 2 reserved, key id 4, HMAC 32 */
#define HDRLEN_MAX     255 /* in units of 8 bytes, without the first 8 */
#define TLVS_MAX       ((HDRLEN_MAX - 2) * 8)

struct srh {
	uint8_t nexthdr, hdrlen, type, segments_left, first, flags;
	uint16_t tag; /* big endian */
};

bool srh_slot(uint32_t behavior)
{
	return behavior == SRV6_H_INSERT || behavior == SRV6_END_B6;
}

/* What nobody can mean as a segment; the kernel takes it and the packets are lost. */
bool segment_ok(const struct in6_addr *s)
{
	return !IN6_IS_ADDR_UNSPECIFIED(s) && !IN6_IS_ADDR_MULTICAST(s) && !IN6_IS_ADDR_LOOPBACK(s) &&
	       !IN6_IS_ADDR_V4MAPPED(s);
}

static bool has_hmac(const struct srv6_encap *e)
{
	return e->has & SRV6_HAS(HMAC);
}

static size_t tlvs_len(const struct srv6_encap *e)
{
	return e->has & SRV6_HAS(TLVS) ? e->tlvs.len : 0;
}

static uint32_t n_slots(const struct srv6_encap *e)
{
	return e->n_segs + (srh_slot(e->behavior) ? 1 : 0);
}

size_t srh_room(const struct srv6_encap *e)
{
	if (e->has & SRV6_HAS(RAW_SRH))
		return e->raw_srh.len;
	return SRH_FIXED + n_slots(e) * sizeof(struct in6_addr) + tlvs_len(e) + (has_hmac(e) ? TLV_HMAC_SPACE : 0);
}

static void put_hmac(uint8_t *to, uint32_t key)
{
	key = htonl(key);
	to[0] = TLV_HMAC;
	to[1] = TLV_HMAC_LEN;
	memcpy(to + 4, &key, sizeof(key));
}

/* to is zeroed and holds srh_room(e) */
void srh_put(const struct srv6_encap *e, uint8_t *to)
{
	uint32_t n = n_slots(e), slot = n - e->n_segs;
	size_t len = srh_room(e);
	struct srh srh = {
		.hdrlen = (uint8_t)(len / 8 - 1),
		.type = SRH_TYPE,
		.segments_left = (uint8_t)(n - 1),
		.first = (uint8_t)(n - 1),
	};

	if (e->has & SRV6_HAS(RAW_SRH)) {
		memcpy(to, e->raw_srh.data, len);
		return;
	}
	if (e->has & SRV6_HAS(SRH_FLAGS))
		srh.flags = e->srh_flags;
	if (has_hmac(e))
		srh.flags |= SRH_FLAG_HMAC;
	if (e->has & SRV6_HAS(TAG))
		srh.tag = htons(e->tag);
	memcpy(to, &srh, sizeof(srh));
	to += SRH_FIXED + slot * sizeof(struct in6_addr);
	for (uint32_t i = e->n_segs; i--; to += sizeof(struct in6_addr))
		memcpy(to, &e->segs[i], sizeof(struct in6_addr));
	if (tlvs_len(e))
		memcpy(to, e->tlvs.data, e->tlvs.len);
	if (has_hmac(e))
		put_hmac(to + tlvs_len(e), e->hmac);
}

/* The kernel's rule: type, length, value up to the very end, and no one-byte padding. *last: where the last one starts. */
static bool tlvs_ok(const uint8_t *p, size_t len, size_t *last)
{
	*last = 0;
	for (size_t at = 0; at < len; at += 2u + p[at + 1]) {
		if (len - at < 2 || p[at + 1] > len - at - 2)
			return false;
		*last = at;
	}
	return true;
}

static bool all_zero(const uint8_t *p, size_t n)
{
	while (n--)
		if (*p++)
			return false;
	return true;
}

/* An HMAC TLV as we would write it, at the end. */
static bool hmac_at(const uint8_t *p, uint32_t *key)
{
	memcpy(key, p + 4, sizeof(*key));
	*key = ntohl(*key);
	return p[0] == TLV_HMAC && p[1] == TLV_HMAC_LEN && !p[2] && !p[3] && *key && all_zero(p + 8, 32);
}

/* Returns whether the fields say all of it. */
static bool get_tlvs(const uint8_t *p, size_t len, uint8_t flags, struct srv6_encap *ret)
{
	size_t last;
	bool ok = tlvs_ok(p, len, &last);

	if (ok && (flags & SRH_FLAG_HMAC)) {
		ok = len >= TLV_HMAC_SPACE && last == len - TLV_HMAC_SPACE && hmac_at(p + last, &ret->hmac);
		if (ok) {
			ret->has |= SRV6_HAS(HMAC);
			len -= TLV_HMAC_SPACE;
			flags &= (uint8_t)~SRH_FLAG_HMAC;
		}
	} else if (ok && len && p[last] == TLV_HMAC) {
		ok = false; /* a TLV without its flag */
	}
	if (len) {
		ret->tlvs = (struct srv6_bytes){ p, len };
		ret->has |= SRV6_HAS(TLVS);
	}
	if (flags) {
		ret->srh_flags = flags;
		ret->has |= SRV6_HAS(SRH_FLAGS);
	}
	return ok;
}

/* n segments at p, in the order of the wire. Returns whether srv6_check would take them too. */
static int get_segs(const uint8_t *p, uint32_t n, struct arena *mem, struct srv6_encap *ret, bool *ok)
{
	struct in6_addr *segs;

	if (!n) {
		*ok = false;
		return 0;
	}
	segs = arena_get(mem, n * sizeof(*segs), sizeof(uint32_t));
	if (!segs)
		return -ENOBUFS;
	for (uint32_t i = n; i--; p += sizeof(*segs)) {
		memcpy(&segs[i], p, sizeof(*segs));
		if (!segment_ok(&segs[i]))
			*ok = false;
	}
	ret->segs = segs;
	ret->n_segs = n;
	ret->has |= SRV6_HAS(SEGS);
	return 0;
}

int srh_get(const uint8_t *data, size_t len, struct arena *mem, struct srv6_encap *ret)
{
	uint32_t n, slot = 0;
	struct srh srh;
	bool ok;
	int r;

	if (len < sizeof(srh))
		return -EBADMSG;
	memcpy(&srh, data, sizeof(srh));
	n = srh.first + 1u;
	ok = srh.type == SRH_TYPE && srh.hdrlen * 8u + 8 == len && srh.segments_left == srh.first && !srh.nexthdr;
	if (SRH_FIXED + n * sizeof(struct in6_addr) > len) {
		n = (uint32_t)((len - SRH_FIXED) / sizeof(struct in6_addr));
		ok = false;
	}
	if (srh_slot(ret->behavior)) {
		slot = n && all_zero(data + SRH_FIXED, sizeof(struct in6_addr));
		ok = ok && slot;
	}
	r = get_segs(data + SRH_FIXED + slot * sizeof(struct in6_addr), n - slot, mem, ret, &ok);
	if (r < 0)
		return r;
	if (srh.tag) {
		ret->tag = ntohs(srh.tag);
		ret->has |= SRV6_HAS(TAG);
	}
	data += SRH_FIXED + n * sizeof(struct in6_addr);
	ok = get_tlvs(data, len - SRH_FIXED - n * sizeof(struct in6_addr), srh.flags, ret) && ok;
	if (!ok) {
		ret->raw_srh = (struct srv6_bytes){ data - SRH_FIXED - n * sizeof(struct in6_addr), len };
		ret->has |= SRV6_HAS(RAW_SRH);
	}
	return 0;
}

/* ---- what the kernel would refuse without a word */

static int check_raw(const struct srv6_bytes *raw, struct srv6_error *err)
{
	const uint8_t *p = raw->data;
	size_t last, segs;

	if (raw->len < SRH_FIXED + sizeof(struct in6_addr) || raw->len > SRH_MAX || !p)
		return err_set(err, -EINVAL, SRV6_ATTR_RAW_SRH, "%s is a whole SRH of 24 to 2048 bytes, not %zu",
			       attr_word(SRV6_ATTR_RAW_SRH), raw->len);
	if (p[2] != SRH_TYPE)
		return err_set(err, -EINVAL, SRV6_ATTR_RAW_SRH, "%s has routing type %u, an SRH has 4",
			       attr_word(SRV6_ATTR_RAW_SRH), p[2]);
	if (p[1] * 8u + 8 != raw->len)
		return err_set(err, -EINVAL, SRV6_ATTR_RAW_SRH, "%s is %zu bytes long, but its header says %u",
			       attr_word(SRV6_ATTR_RAW_SRH), raw->len, p[1] * 8u + 8);
	segs = (p[4] + 1u) * sizeof(struct in6_addr);
	if (p[3] > p[4] || p[4] + 1u > p[1] / 2u || !tlvs_ok(p + SRH_FIXED + segs, raw->len - SRH_FIXED - segs, &last))
		return err_set(err, -EINVAL, SRV6_ATTR_RAW_SRH,
			       "%s does not hold together: segments left %u, last entry %u, or its TLVs",
			       attr_word(SRV6_ATTR_RAW_SRH), p[3], p[4]);
	return 0;
}

static int check_tlvs(const struct srv6_encap *e, struct srv6_error *err)
{
	const uint8_t *p = e->tlvs.data;
	size_t last;

	if (!p || !e->tlvs.len || e->tlvs.len % 8 || !tlvs_ok(p, e->tlvs.len, &last))
		return err_set(err, -EINVAL, SRV6_ATTR_TLVS,
			       "%s must be whole TLVs (type, length, value) that fill a multiple of 8 bytes",
			       attr_word(SRV6_ATTR_TLVS));
	if (p[last] != TLV_HMAC)
		return 0;
	err_set(err, -EINVAL, SRV6_ATTR_TLVS, "%s must not hold the HMAC TLV", attr_word(SRV6_ATTR_TLVS));
	err_remedy(err, "give the key with %s", attr_word(SRV6_ATTR_HMAC));
	return -EINVAL;
}

static const char *what_is(const struct in6_addr *s)
{
	if (IN6_IS_ADDR_UNSPECIFIED(s))
		return "the unspecified address";
	if (IN6_IS_ADDR_LOOPBACK(s))
		return "the loopback address";
	return IN6_IS_ADDR_MULTICAST(s) ? "a multicast address" : "an IPv4-mapped address";
}

static int check_segs(const struct srv6_encap *e, const char *name, struct srv6_error *err)
{
	size_t room = 2 * (size_t)n_slots(e) + tlvs_len(e) / 8 + (has_hmac(e) ? TLV_HMAC_SPACE / 8 : 0);
	char text[INET6_ADDRSTRLEN];

	if (!e->n_segs || !e->segs)
		return err_set(err, -EINVAL, SRV6_ATTR_SEGS, "%s needs at least one segment", name);
	if (room > HDRLEN_MAX)
		return err_set(err, -EINVAL, SRV6_ATTR_SEGS,
			       "%u segments do not fit into an SRH: %s has room for %zu%s", e->n_segs, name,
			       (HDRLEN_MAX - (room - 2 * (size_t)n_slots(e))) / 2 - (srh_slot(e->behavior) ? 1 : 0),
			       has_hmac(e) ? " with an HMAC" : "");
	for (uint32_t i = 0; i < e->n_segs; i++)
		if (!segment_ok(&e->segs[i]))
			return err_set(err, -EINVAL, SRV6_ATTR_SEGS, "segment %u is %s: %s", i + 1,
				       what_is(&e->segs[i]), inet_ntop(AF_INET6, &e->segs[i], text, sizeof(text)));
	return 0;
}

int srh_check(const struct srv6_encap *e, const char *name, struct srv6_error *err)
{
	int r = 0;

	if (e->has & SRV6_HAS(RAW_SRH))
		return check_raw(&e->raw_srh, err);
	if (e->has & SRV6_HAS(TLVS))
		r = tlvs_len(e) > TLVS_MAX ? err_set(err, -EINVAL, SRV6_ATTR_TLVS, "%s are too long: %zu bytes",
						     attr_word(SRV6_ATTR_TLVS), e->tlvs.len)
					   : check_tlvs(e, err);
	if (r >= 0 && (e->has & SRV6_HAS(SRH_FLAGS)) && (e->srh_flags & SRH_FLAG_HMAC)) {
		r = err_set(err, -EINVAL, SRV6_ATTR_SRH_FLAGS, "flag 0x%02x says that there is an HMAC", SRH_FLAG_HMAC);
		err_remedy(err, "give the key with %s: it sets the flag", attr_word(SRV6_ATTR_HMAC));
	}
	return r < 0 ? r : check_segs(e, name, err);
}

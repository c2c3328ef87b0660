/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The codec's insides: the message under construction, the attributes of one that came, memory to read into. */
#ifndef SRV6_CODEC_H
#define SRV6_CODEC_H

#include <stdbool.h>
#include <string.h>
#include <linux/netlink.h>

#include "internal.h"

/* ---- building: the first error sticks, puts after it do nothing, and one look at the end is enough */

struct msg {
	uint8_t *buf; /* starts with the nlmsghdr */
	size_t cap, len;
	int error; /* -EMSGSIZE: cap is too small; -EOVERFLOW: an attribute would be longer than 65535 */
};

void msg_start(struct msg *m, void *buf, size_t cap, uint16_t type, uint16_t flags, const struct srv6_build_opts *opts);
void *msg_room(struct msg *m, size_t n);                  /* n bytes and padding, zeroed; NULL after an error */
void *msg_attr(struct msg *m, uint16_t type, size_t len); /* an attribute with room for len bytes; likewise */
void msg_put(struct msg *m, uint16_t type, const void *data, size_t len);
void msg_u8(struct msg *m, uint16_t type, uint8_t value);
void msg_u16(struct msg *m, uint16_t type, uint16_t value);
void msg_u32(struct msg *m, uint16_t type, uint32_t value);
void msg_raw(struct msg *m, const struct srv6_bytes *run); /* a run of attributes, as it is */
size_t msg_nest(struct msg *m, uint16_t type);             /* returns what msg_nest_end wants */
void msg_nest_end(struct msg *m, size_t at);
int msg_end(struct msg *m, struct srv6_error *err); /* writes nlmsg_len; 0 or the error, in words */

/* ---- reading */

struct attr {
	uint16_t type; /* without NLA_F_NESTED and NLA_F_NET_BYTEORDER */
	uint16_t len;  /* of data */
	const uint8_t *data;
};

struct attrs {
	const uint8_t *p;
	size_t len; /* after the last: not 0 where the lengths do not fit */
};

/* NLA_ALIGN, NLA_HDRLEN and NLA_TYPE_MASK without their signs */
#define ATTR_HDR       ((size_t)4)
#define ATTR_TYPE_MASK 0x3fffu
static inline size_t attr_align(size_t len)
{
	return (len + 3) & ~(size_t)3;
}

/* Here, since it is what most of reading is. */
static inline bool attr_next(struct attrs *a, struct attr *ret)
{
	struct nlattr nla;
	size_t step;

	if (a->len < ATTR_HDR)
		return false;
	memcpy(&nla, a->p, sizeof(nla));
	if (nla.nla_len < ATTR_HDR || nla.nla_len > a->len)
		return false;
	ret->type = nla.nla_type & ATTR_TYPE_MASK;
	ret->len = (uint16_t)(nla.nla_len - ATTR_HDR);
	ret->data = a->p + ATTR_HDR;
	step = attr_align(nla.nla_len);
	step = step < a->len ? step : a->len; /* the last one's padding may be missing */
	a->p += step;
	a->len -= step;
	return true;
}

/* The caller has checked len. */
static inline uint32_t attr_u32(const struct attr *a)
{
	uint32_t value;

	memcpy(&value, a->data, sizeof(value));
	return value;
}

/*
 * Sorts a run of attributes into tb[0..n-1] by type (data NULL: not there). Those at or above n, and those without a bit in
 * known, are unknown: their bytes, with headers and padding, are counted in *unknown.
 * Returns -EBADMSG where lengths do not fit, or a known attribute comes twice or is shorter than least[type].
 */
int attrs_sort(struct attrs a, struct attr *tb, uint16_t n, uint64_t known, const uint8_t *least, size_t *unknown);

/* Copies the unknown ones to mem as one run. */
struct arena;
int attrs_keep(struct attrs a, uint16_t n, uint64_t known, size_t unknown, struct arena *mem, struct srv6_bytes *ret);

/* The memory that a message is read into. */
struct arena {
	uint8_t *p;
	size_t cap, used;
};

void *arena_get(struct arena *mem, size_t n, size_t align); /* NULL: does not fit */
uint8_t *attr_copy(uint8_t *to, const struct attr *a);      /* with header and padding; returns the byte after */
static inline size_t attr_space(const struct attr *a)
{
	return ATTR_HDR + attr_align(a->len);
}

/* A string attribute in place, or with a NUL of its own in mem. NULL: does not fit there. */
const char *attr_string(const struct attr *a, struct arena *mem);

/* ---- shape.c: fields as enum srv6_shape has them */

size_t shape_size(uint32_t shape); /* of a field without pointers; 0: a flag, or not such a field */
bool shape_number(uint32_t shape, const void *field, uint32_t *ret); /* false: not a number */
static inline const void *field_of(const void *object, const struct srv6_attr_info *info)
{
	return (const uint8_t *)object + info->offset;
}

/* ---- srh.c */

bool segment_ok(const struct in6_addr *segment);
bool srh_slot(uint32_t behavior);            /* whether the SRH starts with a '::' that the kernel overwrites */
size_t srh_room(const struct srv6_encap *e); /* bytes of the SRH; more than SRH_MAX: it can't be */
#define SRH_MAX 2048
void srh_put(const struct srv6_encap *e, uint8_t *to);
int srh_get(const uint8_t *data, size_t len, struct arena *mem, struct srv6_encap *ret);
int srh_check(const struct srv6_encap *e, const char *name, struct srv6_error *err);
#define SRH_ATTRS                                                                                                      \
	(SRV6_HAS(SEGS) | SRV6_HAS(HMAC) | SRV6_HAS(TAG) | SRV6_HAS(SRH_FLAGS) | SRV6_HAS(TLVS) | SRV6_HAS(RAW_SRH))

/* ---- encap.c */

/* encap as this version's struct: theirs, or a copy in room. */
int encap_in(const struct srv6_encap *theirs, struct srv6_encap *room, const struct srv6_encap **ret);
/* Both attributes, the encapsulation and its type; e has been checked. */
void encap_put(struct msg *m, uint16_t encap_attr, uint16_t type_attr, const struct srv6_encap *e, uint32_t mobile);
int encap_get(uint16_t encap_type, const void *data, size_t len, struct arena *mem, struct srv6_encap *ret);
/* The same inside a message: what is malformed there is kept as bytes, since it must not hide the rest. */
int encap_get_any(uint16_t encap_type, const struct attr *a, struct arena *mem, const struct srv6_encap **ret);
int encap_check(const struct srv6_encap *e, uint8_t family, uint8_t dst_len, uint32_t mobile, struct srv6_error *err);
#define DST_LEN_UNKNOWN 255

/* ---- route.c, nexthop.c, sr.c, check.c: whole objects */

struct build {
	const struct srv6_op *op;
	const struct srv6_build_opts *opts; /* never NULL */
	struct srv6_error *err;
};

/* srv6_build() for an op that srv6_check() has found good; opts are of this version. */
int build_checked(void *buf, size_t cap, const struct srv6_op *op, const struct srv6_build_opts *opts,
		  struct srv6_error *err);

int route_check(const struct srv6_route *r, const struct build *b);
int route_build(const struct srv6_route *r, const struct build *b, void *buf, size_t cap);
int route_read(const struct nlmsghdr *nlh, struct arena *mem, struct srv6_op *ret);
uint8_t route_scope(const struct srv6_route *r, uint32_t verb); /* given, or as iproute2 infers it */
size_t route_hops_bound(const struct nlmsghdr *nlh);

int nexthop_check(const struct srv6_nexthop *nh, const struct build *b);
int nexthop_build(const struct srv6_nexthop *nh, const struct build *b, void *buf, size_t cap);
int nexthop_read(const struct nlmsghdr *nlh, struct arena *mem, struct srv6_op *ret);

int hop_check(const struct srv6_hop *hop, uint8_t family, uint8_t dst_len, uint32_t mobile, struct srv6_error *err);
int hop_check_where(const struct srv6_hop *hop, uint8_t family, struct srv6_error *err); /* gateway and device alone */
int prefix_check(const struct srv6_prefix *p, uint32_t attr, struct srv6_error *err);
const char *attr_word(uint32_t attr);
uint16_t verb_flags(const struct srv6_op *op); /* NLM_F_REQUEST and those of the verb */
static inline size_t addr_size(uint8_t family)
{
	return family == AF_INET ? sizeof(struct in_addr) : sizeof(struct in6_addr);
}

/* Generic netlink family "SEG6"; kind SRV6_TUNSRC or SRV6_HMAC. */
int sr_check(const struct build *b);
int sr_build(const struct build *b, void *buf, size_t cap);
/* The request that asks for it: the tunnel source, or a dump of the HMAC keys. opts: genl_id, seq, pid, flags. */
int sr_build_get(void *buf, size_t cap, uint32_t kind, const struct srv6_build_opts *opts);
/* A reply to it, one object. Errors: -EBADMSG, -ENOBUFS. */
int sr_read(const struct nlmsghdr *nlh, uint32_t kind, void *mem, size_t cap, struct srv6_op *ret);
#endif

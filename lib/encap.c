/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One encapsulation: struct srv6_encap to and from the attribute that holds it, by the rows of its family. */
#include <errno.h>
#include <linux/lwtunnel.h>
#include <linux/nexthop.h>
#include <linux/rtnetlink.h>

#include "family.h"

static const struct family *const families[] = {
	&family_seg6,
	&family_seg6local,
	&family_mobile_seg6, /* of the mobile ones the first is the newest: SRV6_MOBILE_AUTO */
	&family_mobile_v2,
};

const struct family *family_at(unsigned int i)
{
	return i < ARRAY_SIZE(families) ? families[i] : NULL;
}

const struct family *family_of(uint32_t behavior, uint32_t mobile, uint32_t *number)
{
	const struct family *f;
	const uint8_t *p;

	if (behavior == SRV6_OTHER || behavior >= SRV6_N_BEHAVIORS)
		return NULL;
	for (unsigned int i = 0; (f = family_at(i)); i++) {
		if (f->mobile && mobile && f->mobile != mobile)
			continue;
		p = memchr(f->behaviors, (int)behavior, f->n_behaviors);
		if (!p)
			continue;
		*number = (uint32_t)(p - f->behaviors);
		return f;
	}
	return NULL;
}

const struct family *family_find(uint16_t encap_type, uint32_t number)
{
	const struct family *f;

	for (unsigned int i = 0; (f = family_at(i)); i++)
		if (f->encap_type == encap_type && number < f->n_behaviors && f->behaviors[number])
			return f;
	return NULL;
}

const struct srv6_behavior_info *family_info(uint32_t behavior, uint32_t mobile)
{
	const struct family *f;

	for (unsigned int i = 0; mobile && (f = family_at(i)); i++)
		for (uint32_t j = 0; f->mobile == mobile && j < f->n_infos; j++)
			if (f->infos[j].behavior == behavior)
				return &f->infos[j];
	return NULL;
}

bool family_has(const char *word, uint32_t behavior)
{
	const struct family *f;

	for (unsigned int i = 0; (f = family_at(i)); i++)
		if (!strcmp(f->word, word) && memchr(f->behaviors, (int)behavior, f->n_behaviors))
			return true;
	return false;
}

/* ---- names */

static const char *const encap_names[] = {
	[LWTUNNEL_ENCAP_NONE] = "none",
	[LWTUNNEL_ENCAP_MPLS] = "mpls",
	[LWTUNNEL_ENCAP_IP] = "ip",
	[LWTUNNEL_ENCAP_ILA] = "ila",
	[LWTUNNEL_ENCAP_IP6] = "ip6",
	[LWTUNNEL_ENCAP_BPF] = "bpf",
	[LWTUNNEL_ENCAP_RPL] = "rpl",
	[9] = "ioam6",
	[10] = "xfrm",
};

EXPORT const char *srv6_encap_name(uint32_t encap_type)
{
	const struct family *f;

	for (unsigned int i = 0; (f = family_at(i)); i++)
		if (f->encap_type == encap_type)
			return f->word;
	return encap_type < ARRAY_SIZE(encap_names) ? encap_names[encap_type] : NULL;
}

EXPORT const char *srv6_mobile_name(uint32_t mobile)
{
	const struct family *f;

	for (unsigned int i = 0; mobile && (f = family_at(i)); i++)
		if (f->mobile == mobile)
			return f->name;
	return NULL;
}

EXPORT const char *srv6_flavor_name(uint32_t bit)
{
	switch (bit) {
	case SRV6_FLAVOR_PSP:
		return "psp";
	case SRV6_FLAVOR_USP:
		return "usp";
	case SRV6_FLAVOR_USD:
		return "usd";
	case SRV6_FLAVOR_NEXT_CSID:
		return "next-csid";
	}
	return NULL;
}

/* ---- building */

int encap_in(const struct srv6_encap *theirs, struct srv6_encap *room, const struct srv6_encap **ret)
{
	int r;

	*ret = theirs;
	if (theirs->sz == sizeof(*theirs))
		return 0;
	r = sized_in(room, sizeof(*room), theirs);
	if (r >= 0)
		*ret = room;
	return r;
}

static uint64_t row_covers(const struct family_row *row)
{
	return row->wire->covers ? row->wire->covers : SRV6_BIT(row->attr);
}

static const uint8_t *row_field(const struct family_row *row, const struct srv6_encap *e)
{
	return field_of(e, srv6_attr_info(row->attr));
}

/* An unknown run may hold the whole of an attribute of which the fields say a part: then it counts. */
static bool in_run(const struct srv6_encap *e, uint16_t type)
{
	struct attrs run = { e->unknown.data, e->unknown.len };
	struct attr one;

	if (!(e->has & SRV6_HAS(UNKNOWN)))
		return false;
	while (attr_next(&run, &one))
		if (one.type == type)
			return true;
	return false;
}

static void put_rows(struct msg *m, const struct family *f, uint32_t number, const struct srv6_encap *e)
{
	const struct family_row *row = f->rows;

	for (uint32_t i = 0; i < f->n_rows; i++, row++) {
		if (!(e->has & row_covers(row)) || in_run(e, row->type))
			continue;
		if (row->wire->put)
			row->wire->put(m, f, row, number, e);
		else
			msg_put(m, row->type, row_field(row, e), row->wire->size);
	}
}

void encap_put(struct msg *m, uint16_t encap_attr, uint16_t type_attr, const struct srv6_encap *e, uint32_t mobile)
{
	uint32_t number;
	const struct family *f = family_of(e->behavior, mobile, &number);
	size_t nest;

	if (!f) { /* its length to the byte, whatever is in it */
		msg_put(m, encap_attr | NLA_F_NESTED, e->raw.data, e->raw.len);
		msg_u16(m, type_attr, (uint16_t)e->encap_type);
		return;
	}
	nest = msg_nest(m, encap_attr);
	if (!f->number_in_srh)
		msg_u32(m, f->number_type, number);
	put_rows(m, f, number, e);
	if (e->has & SRV6_HAS(UNKNOWN))
		msg_raw(m, &e->unknown);
	msg_nest_end(m, nest);
	msg_u16(m, type_attr, f->encap_type);
}

EXPORT int srv6_put_encap(struct nlmsghdr *nlh, size_t cap, uint32_t kind, const struct srv6_encap *encap,
			  uint8_t family, const struct srv6_build_opts *opts, struct srv6_error *err)
{
	struct msg m = { .buf = (uint8_t *)nlh, .cap = cap, .len = NLMSG_ALIGN(nlh->nlmsg_len) };
	struct srv6_build_opts ours = { .sz = sizeof(struct srv6_build_opts) };
	struct srv6_encap room;
	int r = opts ? sized_in(&ours, sizeof(ours), opts) : 0;

	if (r >= 0)
		r = encap_in(encap, &room, &encap);
	if (r < 0)
		return err_set(err, r, SRV6_ATTR_NONE, "a struct of another version of this library is not understood");
	r = encap_check(encap, family, DST_LEN_UNKNOWN, ours.mobile, err);
	if (r < 0)
		return r;
	if (kind == SRV6_NEXTHOP)
		encap_put(&m, NHA_ENCAP, NHA_ENCAP_TYPE, encap, ours.mobile);
	else
		encap_put(&m, RTA_ENCAP, RTA_ENCAP_TYPE, encap, ours.mobile);
	return msg_end(&m, err);
}

/* ---- reading */

/* The action or mode: the first 4 bytes of one attribute. All families of an encapsulation type have it in the same. */
static int get_number(uint16_t encap_type, struct attrs run, uint32_t *ret)
{
	const struct family *f;
	struct attr one;

	for (unsigned int i = 0; (f = family_at(i)); i++)
		if (f->encap_type == encap_type)
			break;
	while (f && attr_next(&run, &one)) {
		if (one.type != f->number_type || one.len < sizeof(*ret))
			continue;
		*ret = attr_u32(&one);
		return 0;
	}
	return -EBADMSG;
}

/* The row of an attribute, of those that the behavior takes: a number may mean one thing here and another there. */
static const struct family_row *find_row(const struct family *f, uint16_t type, uint64_t takes)
{
	const struct family_row *row = f->rows;

	for (uint32_t i = 0; i < f->n_rows; i++, row++)
		if (row->type == type && (takes & row_covers(row)))
			return row;
	return NULL;
}

static int get_field(const struct family_row *row, const struct attr *a, struct srv6_encap *ret)
{
	if (a->len < row->wire->size)
		return -EBADMSG;
	if (row->wire->size)
		memcpy((uint8_t *)ret + srv6_attr_info(row->attr)->offset, a->data, row->wire->size);
	ret->has |= SRV6_BIT(row->attr);
	return 0;
}

/* 0: the fields say it. 1: it is to be kept as it is. */
static int get_one(const struct family *f, uint64_t takes, const struct attr *a, struct arena *mem,
		   struct srv6_encap *ret)
{
	const struct family_row *row = find_row(f, a->type, takes);

	if (!row)
		return f->number_in_srh || a->type != f->number_type;
	if (ret->has & row_covers(row))
		return -EBADMSG; /* twice */
	return row->wire->get ? row->wire->get(f, row, a, mem, ret) : get_field(row, a, ret);
}

static int keep(struct attrs run, uint64_t types, size_t space, struct arena *mem, struct srv6_encap *ret)
{
	uint8_t *p = arena_get(mem, space, NLA_ALIGNTO);
	struct attr one;

	if (!p)
		return -ENOBUFS;
	ret->unknown = (struct srv6_bytes){ p, space };
	ret->has |= SRV6_HAS(UNKNOWN);
	while (attr_next(&run, &one))
		if (one.type >= 64 || (types >> one.type & 1))
			p = attr_copy(p, &one);
	return 0;
}

static int get_rows(const struct family *f, struct attrs run, struct arena *mem, struct srv6_encap *ret)
{
	const struct srv6_behavior_info *info = srv6_behavior_info(ret->behavior, f->mobile);
	uint64_t takes = info->required | info->optional | info->one_of, types = 0;
	struct attrs again = run;
	struct attr one;
	size_t space = 0;
	int r;

	while (attr_next(&run, &one)) {
		r = get_one(f, takes, &one, mem, ret);
		if (r < 0)
			return r;
		if (!r)
			continue;
		space += attr_space(&one);
		if (one.type < 64)
			types |= (uint64_t)1 << one.type;
	}
	if (run.len)
		return -EBADMSG;
	return space ? keep(again, types, space, mem, ret) : 0;
}

/* What is not known: all of it as bytes, and the action or mode where there is one. */
static void get_other(uint16_t encap_type, const void *data, size_t len, uint32_t number, struct srv6_encap *ret)
{
	*ret = (struct srv6_encap){ .sz = sizeof(struct srv6_encap) };
	ret->encap_type = encap_type;
	ret->number = number;
	ret->raw = (struct srv6_bytes){ data, len };
	ret->has = SRV6_HAS(RAW);
}

#define NO_NUMBER 0xffffffff

int encap_get(uint16_t encap_type, const void *data, size_t len, struct arena *mem, struct srv6_encap *ret)
{
	struct attrs run = { data, len };
	const struct family *f;
	uint32_t number;

	if (get_number(encap_type, run, &number) < 0) {
		get_other(encap_type, data, len, NO_NUMBER, ret);
		return 0;
	}
	f = family_find(encap_type, number);
	if (!f) {
		get_other(encap_type, data, len, number, ret);
		return 0;
	}
	*ret = (struct srv6_encap){ .sz = sizeof(struct srv6_encap) };
	ret->encap_type = encap_type;
	ret->behavior = f->behaviors[number];
	ret->number = number;
	return get_rows(f, run, mem, ret);
}

int encap_get_any(uint16_t encap_type, const struct attr *a, struct arena *mem, const struct srv6_encap **ret)
{
	struct srv6_encap *e = arena_get(mem, sizeof(*e), _Alignof(struct srv6_encap));
	size_t used = mem->used;
	int r;

	if (!e)
		return -ENOBUFS;
	r = encap_get(encap_type, a->data, a->len, mem, e);
	if (r == -EBADMSG) {
		mem->used = used;
		get_other(encap_type, a->data, a->len, e->number, e);
		r = 0;
	}
	if (r >= 0)
		*ret = e;
	return r;
}

EXPORT int srv6_get_encap(uint16_t encap_type, const void *data, size_t len, void *mem, size_t cap,
			  struct srv6_encap *ret)
{
	struct arena arena = { mem, cap, 0 };
	struct srv6_encap e;
	size_t sz = ret->sz;
	int r;

	if (sz < sizeof(sz))
		return -EINVAL;
	r = encap_get(encap_type, data, len, &arena, &e);
	if (r < 0)
		return r;
	/* A caller of an older version has a shorter struct, one of a newer version a longer. */
	memset(ret, 0, sz);
	memcpy(ret, &e, sz < sizeof(e) ? sz : sizeof(e));
	ret->sz = sz;
	return 0;
}

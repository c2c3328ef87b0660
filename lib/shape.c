/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shapes: how a field is held in its struct, and how an attribute of an encapsulation looks on the wire. */
#include <errno.h>

#include "family.h"

static const uint8_t sizes[] = {
	[SRV6_SHAPE_U8] = 1,       [SRV6_SHAPE_U16] = 2,      [SRV6_SHAPE_U32] = 4,     [SRV6_SHAPE_HEX8] = 1,
	[SRV6_SHAPE_IN4] = 4,      [SRV6_SHAPE_IN6] = 16,     [SRV6_SHAPE_IFINDEX] = 4, [SRV6_SHAPE_TABLE] = 4,
	[SRV6_SHAPE_PROTOCOL] = 1, [SRV6_SHAPE_SCOPE] = 1,    [SRV6_SHAPE_RTYPE] = 1,   [SRV6_SHAPE_PREF] = 1,
	[SRV6_SHAPE_FLAVORS] = 4,  [SRV6_SHAPE_PDU_TYPE] = 1, [SRV6_SHAPE_MSEC] = 4,    [SRV6_SHAPE_WEIGHT] = 2,
	[SRV6_SHAPE_REALMS] = 4,   [SRV6_SHAPE_LOCK] = 4,
};

size_t shape_size(uint32_t shape)
{
	return shape < ARRAY_SIZE(sizes) ? sizes[shape] : 0;
}

bool shape_number(uint32_t shape, const void *field, uint32_t *ret)
{
	uint8_t u8;
	uint16_t u16;

	switch (shape_size(shape)) {
	case 1:
		memcpy(&u8, field, sizeof(u8));
		*ret = u8;
		return true;
	case 2:
		memcpy(&u16, field, sizeof(u16));
		*ret = u16;
		return true;
	case 4:
		memcpy(ret, field, sizeof(*ret));
		return shape != SRV6_SHAPE_IN4;
	}
	return false;
}

/* Fields that are on the wire as they are in the struct. A longer attribute is a newer kernel's: its known part counts. */
const struct wire wire_u8 = { .size = 1 };
const struct wire wire_u32 = { .size = 4 };
const struct wire wire_in4 = { .size = 4 };
const struct wire wire_in6 = { .size = 16 };
const struct wire wire_flag = { .size = 0 };

/* ---- SRH: in seg6 the mode goes before it */

static void put_srh(struct msg *m, const struct family *f, const struct family_row *row, uint32_t number,
		    const struct srv6_encap *e)
{
	size_t front = f->number_in_srh ? sizeof(number) : 0;
	uint8_t *p = msg_attr(m, row->type, front + srh_room(e));

	if (!p)
		return;
	memcpy(p, &number, front);
	srh_put(e, p + front);
}

static int get_srh(const struct family *f, const struct family_row *row, const struct attr *a, struct arena *mem,
		   struct srv6_encap *ret)
{
	size_t front = f->number_in_srh ? sizeof(uint32_t) : 0;

	(void)row;
	if (a->len < front)
		return -EBADMSG;
	return srh_get(a->data + front, a->len - front, mem, ret);
}

const struct wire wire_srh = { .covers = SRH_ATTRS, .put = put_srh, .get = get_srh };

/* ---- counters: a nest of 64-bit numbers, all three of which must be there; the kernel starts at 0 whatever is sent */

static void put_counters(struct msg *m, const struct family *f, const struct family_row *row, uint32_t number,
			 const struct srv6_encap *e)
{
	static const uint64_t zero;
	size_t nest = msg_nest(m, row->type);

	(void)f, (void)number, (void)e;
	for (int i = COUNTER_PACKETS; i <= COUNTER_ERRORS; i++)
		msg_put(m, row->inner[i], &zero, sizeof(zero));
	msg_nest_end(m, nest);
}

static int get_counters(const struct family *f, const struct family_row *row, const struct attr *a, struct arena *mem,
			struct srv6_encap *ret)
{
	uint64_t *fields[] = { &ret->counters.packets, &ret->counters.bytes, &ret->counters.errors };
	struct attrs nest = { a->data, a->len };
	struct attr one;

	(void)f, (void)mem;
	while (attr_next(&nest, &one))
		for (int i = COUNTER_PACKETS; i <= COUNTER_ERRORS; i++) {
			if (one.type != row->inner[i])
				continue;
			if (one.len < sizeof(uint64_t))
				return -EBADMSG;
			memcpy(fields[i], one.data, sizeof(uint64_t)); /* may not be aligned to 8 */
		}
	ret->has |= SRV6_HAS(COUNT);
	return nest.len ? -EBADMSG : 0;
}

const struct wire wire_counters = { .put = put_counters, .get = get_counters };

/* ---- flavors */

static void put_flavors(struct msg *m, const struct family *f, const struct family_row *row, uint32_t number,
			const struct srv6_encap *e)
{
	size_t nest = msg_nest(m, row->type);

	(void)f, (void)number;
	msg_u32(m, row->inner[FLAVOR_OPERATION], e->flavors);
	if (e->has & SRV6_HAS(LBLEN))
		msg_u8(m, row->inner[FLAVOR_LBLEN], e->lblen);
	if (e->has & SRV6_HAS(NFLEN))
		msg_u8(m, row->inner[FLAVOR_NFLEN], e->nflen);
	msg_nest_end(m, nest);
}

static int get_flavors(const struct family *f, const struct family_row *row, const struct attr *a, struct arena *mem,
		       struct srv6_encap *ret)
{
	struct attrs nest = { a->data, a->len };
	struct attr one;
	int more = 0;

	(void)f, (void)mem;
	while (attr_next(&nest, &one)) {
		if (one.type == row->inner[FLAVOR_OPERATION] && one.len >= sizeof(uint32_t)) {
			ret->flavors = attr_u32(&one);
			ret->has |= SRV6_HAS(FLAVORS);
		} else if (one.type == row->inner[FLAVOR_LBLEN] && one.len) {
			ret->lblen = one.data[0];
			ret->has |= SRV6_HAS(LBLEN);
		} else if (one.type == row->inner[FLAVOR_NFLEN] && one.len) {
			ret->nflen = one.data[0];
			ret->has |= SRV6_HAS(NFLEN);
		} else {
			more = 1;
		}
	}
	return nest.len || !(ret->has & SRV6_HAS(FLAVORS)) ? -EBADMSG : more;
}

const struct wire wire_flavors = {
	.covers = SRV6_HAS(FLAVORS) | SRV6_HAS(LBLEN) | SRV6_HAS(NFLEN),
	.put = put_flavors,
	.get = get_flavors,
};

/* ---- bpf: the number is a file descriptor on the way in and the program's id on the way out */

static void put_bpf(struct msg *m, const struct family *f, const struct family_row *row, uint32_t number,
		    const struct srv6_encap *e)
{
	size_t nest = msg_nest(m, row->type);

	(void)f, (void)number;
	if (!e->bpf.fd) /* known by its id alone: 0 would be whatever is open as that */
		m->error = m->error ? m->error : -EBADF;
	msg_u32(m, row->inner[BPF_PROG], (uint32_t)e->bpf.fd);
	msg_put(m, row->inner[BPF_NAME], e->bpf.name, strlen(e->bpf.name) + 1);
	msg_nest_end(m, nest);
}

static int get_bpf(const struct family *f, const struct family_row *row, const struct attr *a, struct arena *mem,
		   struct srv6_encap *ret)
{
	struct attrs nest = { a->data, a->len };
	struct attr one;
	int more = 0;

	(void)f;
	while (attr_next(&nest, &one)) {
		if (one.type == row->inner[BPF_PROG] && one.len >= sizeof(uint32_t)) {
			ret->bpf.id = attr_u32(&one);
		} else if (one.type == row->inner[BPF_NAME]) {
			ret->bpf.name = attr_string(&one, mem);
			if (!ret->bpf.name)
				return -ENOBUFS;
		} else {
			more = 1;
		}
	}
	ret->has |= SRV6_HAS(BPF);
	return nest.len || !ret->bpf.name ? -EBADMSG : more;
}

const struct wire wire_bpf = { .put = put_bpf, .get = get_bpf };

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * srv6_copy: everything that an op points to, in one block. The same functions go over it twice, first to count, with no
 * block to copy to, and then to copy.
 */
#include <errno.h>
#include <stdlib.h>

#include "codec.h"

struct block {
	uint8_t *p; /* NULL: count only */
	size_t used;
	int error;
};

static void *take(struct block *b, size_t n)
{
	size_t at = b->used;

	b->used += (n + 7) & ~(size_t)7;
	return b->p ? b->p + at : NULL;
}

static void *dup_mem(struct block *b, const void *from, size_t n)
{
	void *to = from && n ? take(b, n) : NULL;

	if (to)
		memcpy(to, from, n);
	return to;
}

/* A struct that may be of another version. NULL while counting. */
static void *dup_sized(struct block *b, const void *from, size_t ours)
{
	union {
		struct srv6_route route;
		struct srv6_nexthop nexthop;
		struct srv6_encap encap;
	} room;
	int r = sized_in(&room, ours, from);

	if (r < 0 && !b->error)
		b->error = r;
	return r < 0 ? NULL : dup_mem(b, &room, ours);
}

static void dup_bytes(struct block *b, struct srv6_bytes *to, const struct srv6_bytes *from)
{
	void *p = dup_mem(b, from->data, from->len);

	if (to)
		to->data = p;
}

static const char *dup_string(struct block *b, const char *s)
{
	return s ? dup_mem(b, s, strlen(s) + 1) : NULL;
}

static struct srv6_encap *dup_encap(struct block *b, const struct srv6_encap *from)
{
	static const uint64_t bytes[] = { SRV6_HAS(TLVS), SRV6_HAS(RAW_SRH), SRV6_HAS(UNKNOWN), SRV6_HAS(RAW) };
	struct srv6_encap e, *to;
	struct srv6_bytes *runs[] = { &e.tlvs, &e.raw_srh, &e.unknown, &e.raw };
	int r = sized_in(&e, sizeof(e), from);

	if (r < 0) {
		b->error = r;
		return NULL;
	}
	to = take(b, sizeof(e));
	if (e.has & SRV6_HAS(SEGS))
		e.segs = dup_mem(b, e.segs, e.n_segs * sizeof(*e.segs));
	for (size_t i = 0; i < ARRAY_SIZE(runs); i++)
		if (e.has & bytes[i])
			runs[i]->data = dup_mem(b, runs[i]->data, runs[i]->len);
	if (e.has & SRV6_HAS(BPF))
		e.bpf.name = dup_string(b, e.bpf.name);
	if (to)
		*to = e;
	return to;
}

static struct srv6_hop *dup_hops(struct block *b, const struct srv6_hop *from, uint32_t n)
{
	struct srv6_hop *to = dup_mem(b, from, n * sizeof(*from));

	for (uint32_t i = 0; i < n; i++) {
		struct srv6_encap *e = from[i].encap ? dup_encap(b, from[i].encap) : NULL;

		if (to)
			to[i].encap = e;
		if (from[i].has & SRV6_HAS(HOP_UNKNOWN))
			dup_bytes(b, to ? &to[i].unknown : NULL, &from[i].unknown);
	}
	return to;
}

static void *dup_route(struct block *b, const struct srv6_route *from)
{
	struct srv6_route *to = dup_sized(b, from, sizeof(*from)), r;
	struct srv6_hop *hops;
	const char *congctl;

	if (b->error || sized_in(&r, sizeof(r), from) < 0)
		return NULL;
	hops = r.n_hops ? dup_hops(b, r.hops, r.n_hops) : NULL;
	congctl = r.has & SRV6_HAS(CONGCTL) ? dup_string(b, r.congctl) : NULL;
	if (r.has & SRV6_HAS(ROUTE_UNKNOWN))
		dup_bytes(b, to ? &to->unknown : NULL, &r.unknown);
	if (to) {
		to->hops = hops;
		to->congctl = congctl;
	}
	return to;
}

static void *dup_nexthop(struct block *b, const struct srv6_nexthop *from)
{
	struct srv6_nexthop *to = dup_sized(b, from, sizeof(*from)), nh;
	struct srv6_group *group;
	struct srv6_hop *hop;

	if (b->error || sized_in(&nh, sizeof(nh), from) < 0)
		return NULL;
	hop = nh.hop ? dup_hops(b, nh.hop, 1) : NULL;
	group = nh.has & SRV6_HAS(NH_GROUP) ? dup_mem(b, nh.group, nh.n_group * sizeof(*nh.group)) : NULL;
	if (nh.has & SRV6_HAS(NH_UNKNOWN))
		dup_bytes(b, to ? &to->unknown : NULL, &nh.unknown);
	if (to) {
		to->hop = hop;
		to->group = group;
	}
	return to;
}

static void *dup_hmac(struct block *b, const struct srv6_hmac *from)
{
	struct srv6_hmac *to = dup_sized(b, from, sizeof(*from));

	if (!b->error)
		dup_bytes(b, to ? &to->secret : NULL, &from->secret);
	return to;
}

static void *dup_link(struct block *b, const struct srv6_link *from)
{
	struct srv6_link *to = dup_sized(b, from, sizeof(*from));
	const char *name = b->error ? NULL : dup_string(b, from->name);

	if (to)
		to->name = name;
	return to;
}

static void *dup_object(struct block *b, const struct srv6_op *op)
{
	if (!op->u.any)
		return NULL;
	switch (op->kind) {
	case SRV6_ROUTE:
		return dup_route(b, op->u.route);
	case SRV6_NEXTHOP:
		return dup_nexthop(b, op->u.nexthop);
	case SRV6_TUNSRC:
		return dup_sized(b, op->u.tunsrc, sizeof(struct srv6_tunsrc));
	case SRV6_HMAC:
		return dup_hmac(b, op->u.hmac);
	case SRV6_LINK:
		return dup_link(b, op->u.link);
	}
	b->error = -EINVAL;
	return NULL;
}

static void dup_op(struct block *b, const struct srv6_op *op)
{
	struct srv6_op *to = dup_mem(b, op, sizeof(*op));
	const void *object = dup_object(b, op);
	const void *nlh = op->nlh ? dup_mem(b, op->nlh, op->nlh->nlmsg_len) : NULL;

	if (!to)
		return;
	to->u.any = object;
	to->nlh = nlh;
}

EXPORT int srv6_copy(const struct srv6_op *op, struct srv6_op **ret)
{
	struct block b = { 0 };

	dup_op(&b, op);
	if (b.error)
		return b.error;
	b.p = calloc(1, b.used);
	if (!b.p)
		return -ENOMEM;
	b.used = 0;
	dup_op(&b, op);
	*ret = (struct srv6_op *)(void *)b.p;
	return 0;
}

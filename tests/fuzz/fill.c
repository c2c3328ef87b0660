/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes ops of arbitrary bytes, by the library's own tables: an attribute that is a row there is filled here. */
#include <malloc.h>
#include <netinet/in.h>
#include <linux/rtnetlink.h>

#include "fuzz.h"

static void *block(struct fill *f, size_t n)
{
	void *p = calloc(1, n ? n : 1);

	MUST(p && f->n_blocks < sizeof(f->blocks) / sizeof(*f->blocks));
	f->blocks[f->n_blocks++] = p;
	return p;
}

/* What it holds of before was given back; to clear all of it costs more than to use it. */
void fill_start(struct fill *f, const uint8_t *data, size_t size)
{
	f->in = (struct input){ data, size };
	f->n_blocks = 0;
	f->plausible = f->odd = false;
}

/* Memory that was given back stays: the next input wants it again. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
	mallopt(M_MMAP_THRESHOLD, 8 << 20);
	return 0;
}

void fill_free(struct fill *f)
{
	while (f->n_blocks)
		free(f->blocks[--f->n_blocks]);
}

static uint32_t number(struct fill *f, const struct srv6_attr_info *row)
{
	uint8_t how = in_u8(&f->in);
	uint32_t v = how & 1 ? in_u32(&f->in) : how >> 1;

	if (f->plausible && row->max && (v < row->min || v > row->max))
		v = row->min + (row->max - row->min == UINT32_MAX ? v : v % (row->max - row->min + 1));
	return v;
}

/* Mostly from a handful, so that what must agree does now and then. */
static void address(struct fill *f, void *to, size_t n)
{
	uint8_t how = in_u8(&f->in);

	memset(to, 0, n);
	if (how & 1) {
		in_bytes(&f->in, to, n);
		return;
	}
	((uint8_t *)to)[0] = n == 4 ? 10 : 0xfc;
	((uint8_t *)to)[n - 1] = how >> 1;
}

static void prefix(struct fill *f, struct srv6_prefix *to, bool full)
{
	uint8_t how = in_u8(&f->in);

	to->family = how & 2 ? AF_INET : how & 1 ? how >> 2 : AF_INET6;
	address(f, &to->addr, to->family == AF_INET ? 4 : 16);
	to->len = full ? (to->family == AF_INET ? 32 : 128) : in_u8(&f->in);
	if (f->plausible)
		to->len = (uint8_t)(to->len % (to->family == AF_INET ? 33 : 129));
}

static void bytes(struct fill *f, struct srv6_bytes *to, size_t most)
{
	size_t n = in_u16(&f->in) % (most + 1);
	uint8_t *p = block(f, n);

	in_bytes(&f->in, p, n);
	to->data = p;
	to->len = n;
}

/* One attribute. */
static void run(struct fill *f, struct srv6_bytes *to)
{
	const size_t head = sizeof(struct nlattr); /* a multiple of 4 */
	size_t n = in_u8(&f->in), total = head + ((n + 3) & ~(size_t)3);
	uint8_t *p = block(f, total);
	struct nlattr a = { (uint16_t)(head + n), (uint16_t)(100 + in_u8(&f->in)) };

	if (!f->plausible) {
		a.nla_type = in_u16(&f->in);
		f->odd = true;
	}

	memcpy(p, &a, sizeof(a));
	in_bytes(&f->in, p + head, n);
	to->data = p;
	to->len = total;
}

static void segs(struct fill *f, struct srv6_encap *e)
{
	uint32_t n = 1 + in_u8(&f->in) % (f->plausible ? 8u : 130u);
	struct in6_addr *list = block(f, n * sizeof(*list));

	for (uint32_t i = 0; i < n; i++)
		address(f, &list[i], sizeof(*list));
	e->segs = list;
	e->n_segs = n;
}

static void group(struct fill *f, struct srv6_nexthop *nh)
{
	uint32_t n = 1 + in_u8(&f->in) % 16;
	struct srv6_group *list = block(f, n * sizeof(*list));

	for (uint32_t i = 0; i < n; i++) {
		list[i].id = in_u16(&f->in);
		list[i].weight = in_u8(&f->in);
	}
	nh->group = list;
	nh->n_group = n;
}

static void text(struct fill *f, const char **to)
{
	size_t n = in_u8(&f->in) % 32;
	char *p = block(f, n + 1);

	in_bytes(&f->in, p, n);
	p[n] = 0;
	*to = p;
}

static void field(struct fill *f, void *object, const struct srv6_attr_info *row)
{
	void *at = (uint8_t *)object + row->offset;
	uint32_t v;

	switch (row->shape) {
	case SRV6_SHAPE_FLAG:
		break;
	case SRV6_SHAPE_U8:
	case SRV6_SHAPE_HEX8:
	case SRV6_SHAPE_PROTOCOL:
	case SRV6_SHAPE_SCOPE:
	case SRV6_SHAPE_RTYPE:
	case SRV6_SHAPE_PREF:
	case SRV6_SHAPE_PDU_TYPE:
		*(uint8_t *)at = (uint8_t)number(f, row);
		break;
	case SRV6_SHAPE_U16:
	case SRV6_SHAPE_WEIGHT:
		*(uint16_t *)at = (uint16_t)number(f, row);
		break;
	case SRV6_SHAPE_FLAVORS:
		v = number(f, row);
		*(uint32_t *)at = f->plausible ? v & 0x1e : v;
		break;
	case SRV6_SHAPE_IN4:
		address(f, at, 4);
		break;
	case SRV6_SHAPE_IN6:
		address(f, at, 16);
		break;
	case SRV6_SHAPE_ADDR:
	case SRV6_SHAPE_PREFIX:
		prefix(f, at, row->shape == SRV6_SHAPE_ADDR);
		break;
	case SRV6_SHAPE_SEGS:
		segs(f, object);
		break;
	case SRV6_SHAPE_BYTES:
		if ((f->plausible || in_u8(&f->in) & 1) && row->attr != SRV6_ATTR_RAW_SRH &&
		    row->attr != SRV6_ATTR_TLVS) {
			run(f, at);
		} else {
			bytes(f, at, in_u8(&f->in) ? 64 : 4096);
			f->odd |= row->attr != SRV6_ATTR_RAW_SRH && row->attr != SRV6_ATTR_TLVS;
		}
		break;
	case SRV6_SHAPE_BPF:
		((struct srv6_bpf *)at)->fd = (int32_t)in_u8(&f->in);
		text(f, &((struct srv6_bpf *)at)->name);
		break;
	case SRV6_SHAPE_COUNTERS:
		in_bytes(&f->in, at, sizeof(struct srv6_counters));
		break;
	case SRV6_SHAPE_STRING:
		text(f, at);
		break;
	case SRV6_SHAPE_GROUP:
		group(f, object);
		break;
	default:
		*(uint32_t *)at = number(f, row);
	}
}

static void fields(struct fill *f, void *object, uint32_t owner, uint64_t has)
{
	for (uint32_t bit = 0; bit < 64; bit++) {
		const struct srv6_attr_info *row = srv6_attr_info(owner << 6 | bit);

		if (row && has & SRV6_BIT(bit))
			field(f, object, row);
	}
}

static uint64_t one_of(uint64_t set, uint8_t choice)
{
	int n = __builtin_popcountll(set);

	for (n = n ? choice % n : 0; n > 0; n--)
		set &= set - 1;
	return set & -set;
}

static uint64_t wanted(struct fill *f, const struct srv6_encap *e)
{
	const struct srv6_behavior_info *b = srv6_behavior_info(e->behavior, SRV6_MOBILE_AUTO);

	if (!b || !f->plausible)
		return in_u64(&f->in);
	return b->required | (b->optional & in_u64(&f->in)) | one_of(b->one_of, in_u8(&f->in));
}

struct srv6_encap *fill_encap(struct fill *f)
{
	struct srv6_encap *e = block(f, sizeof(*e));

	e->sz = sizeof(*e);
	e->behavior = in_u8(&f->in) % (SRV6_N_BEHAVIORS + 1);
	e->has = wanted(f, e);
	if (e->behavior == SRV6_OTHER) {
		f->odd = true; /* its bytes may be those of one that is known */
		e->encap_type = in_u8(&f->in);
		e->number = in_u8(&f->in) & 1 ? 0xffffffff : in_u8(&f->in);
	}
	fields(f, e, SRV6_OWNER_ENCAP, e->has);
	if (f->plausible && !(e->flavors & SRV6_FLAVOR_NEXT_CSID))
		e->has &= ~(SRV6_HAS(LBLEN) | SRV6_HAS(NFLEN));
	return e;
}

static void hop(struct fill *f, struct srv6_hop *to)
{
	to->has = f->plausible ? SRV6_HAS(DEV) : in_u8(&f->in);
	fields(f, to, SRV6_OWNER_HOP, to->has);
	if (in_u8(&f->in) & 3)
		to->encap = fill_encap(f);
}

static void *route(struct fill *f)
{
	struct srv6_route *r = block(f, sizeof(*r));
	struct srv6_hop *hops;

	r->sz = sizeof(*r);
	/* Plausible: a destination, a table, a metric, and now and then something more. */
	r->has = SRV6_HAS(DST) |
		 (f->plausible && in_u8(&f->in) & 3 ? SRV6_HAS(ROUTE_TABLE) | SRV6_HAS(METRIC) : in_u64(&f->in));
	fields(f, r, SRV6_OWNER_ROUTE, r->has);
	r->n_hops = in_u8(&f->in) % 4;
	hops = block(f, r->n_hops * sizeof(*hops));
	for (uint32_t i = 0; i < r->n_hops; i++)
		hop(f, &hops[i]);
	r->hops = hops;
	return r;
}

static void *nexthop(struct fill *f)
{
	struct srv6_nexthop *nh = block(f, sizeof(*nh));
	struct srv6_hop *h = NULL;

	nh->sz = sizeof(*nh);
	nh->family = in_u8(&f->in) & 1 ? AF_INET : AF_INET6;
	nh->has = SRV6_HAS(NH_ID) | (f->plausible ? 0 : in_u64(&f->in));
	if (in_u8(&f->in) & 1) {
		h = block(f, sizeof(*h));
		hop(f, h);
	} else {
		nh->has |= SRV6_HAS(NH_GROUP);
	}
	fields(f, nh, SRV6_OWNER_NEXTHOP, nh->has);
	nh->hop = h;
	return nh;
}

static void *tunsrc(struct fill *f)
{
	struct srv6_tunsrc *t = block(f, sizeof(*t));

	t->sz = sizeof(*t);
	address(f, &t->addr, sizeof(t->addr));
	return t;
}

static void *hmac(struct fill *f)
{
	struct srv6_hmac *h = block(f, sizeof(*h));

	h->sz = sizeof(*h);
	h->key_id = in_u16(&f->in);
	h->algo = in_u8(&f->in) % 4;
	bytes(f, &h->secret, 70);
	return h;
}

void fill_op(struct fill *f, struct srv6_op *ret)
{
	static void *(*const make[])(struct fill *) = { route, route, route, nexthop, tunsrc, hmac };
	static const uint32_t kinds[] = { SRV6_ROUTE, SRV6_ROUTE, SRV6_ROUTE, SRV6_NEXTHOP, SRV6_TUNSRC, SRV6_HMAC };
	uint8_t first = in_u8(&f->in), k = (uint8_t)(first % 6);

	*ret = (struct srv6_op){ .kind = kinds[k] };
	f->plausible = first >= 64;
	ret->verb = in_u8(&f->in) % 9;
	ret->flags = in_u8(&f->in) & (SRV6_OP_EXACT | SRV6_OP_PREPEND);
	if (f->plausible)
		ret->verb = SRV6_ADD + ret->verb % 5, ret->flags = 0;
	ret->u.any = make[k](f);
}

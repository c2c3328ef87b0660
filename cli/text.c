/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An op as one line: what show prints and add reads, in iproute2's words and order. */
#include <string.h>
#include <linux/rtnetlink.h>

#include "cli.h"
#include "model.h"

static void put(FILE *f, const char *s)
{
	fputs_unlocked(s, f);
}

/* Colors of the things one looks for in a long list. */
#define PREFIX   "\033[1m"
#define BEHAVIOR "\033[36m"
#define DEVICE   "\033[35m"

static void paint(const struct ctx *c, FILE *f, const char *how)
{
	if (c->color)
		put(f, how ? how : "\033[0m");
}

static void put_attr(struct ctx *c, FILE *f, const struct srv6_attr_info *row, const void *obj)
{
	putc_unlocked(' ', f);
	put(f, text_word(row));
	if (shape_is_flag(row->shape))
		return;
	putc_unlocked(' ', f);
	if (row->attr == SRV6_ATTR_DEV)
		paint(c, f, DEVICE);
	shape_text(c, f, row, obj);
	if (row->attr == SRV6_ATTR_DEV)
		paint(c, f, NULL);
}

/* ---- encapsulation */

/* These come first, in this order; all others follow as they are numbered. */
static const uint8_t encap_first[] = { SRV6_ATTR_TUNSRC, SRV6_ATTR_SEGS, SRV6_ATTR_HMAC };

static void counters(FILE *f, const struct srv6_counters *n)
{
	fprintf(f, " packets %llu bytes %llu errors %llu", (unsigned long long)n->packets, (unsigned long long)n->bytes,
		(unsigned long long)n->errors);
}

static void encap_attr(struct ctx *c, FILE *f, const struct srv6_encap *e, uint32_t attr, uint32_t flags)
{
	const struct srv6_attr_info *row = srv6_attr_info(attr);

	if (!row || !(e->has & SRV6_BIT(attr)))
		return;
	if (attr == SRV6_ATTR_SEGS && encap_has_srh_word(e))
		put(f, " srh");
	put_attr(c, f, row, e);
	if (attr == SRV6_ATTR_COUNT && flags & TEXT_STATS)
		counters(f, &e->counters);
}

static void unknown_head(FILE *f, const struct srv6_encap *e)
{
	const char *name = srv6_encap_name(e->encap_type);

	if (name)
		put(f, name);
	else
		fprintf(f, "%u", e->encap_type);
	if (e->number != UINT32_MAX)
		fprintf(f, " number %u", e->number);
}

void encap_text(struct ctx *c, FILE *f, const struct srv6_encap *e, uint32_t flags)
{
	const struct srv6_behavior_info *info = info_as_read(c, e);
	uint64_t left = e->has;
	const char *usid = c->usid ? usid_name(e) : NULL;

	if (info) {
		put(f, info->encap);
		put(f, is_headend_mode(info) ? " mode " : " action ");
		paint(c, f, BEHAVIOR);
		put(f, usid ? usid : info->word);
		paint(c, f, NULL);
	} else {
		unknown_head(f, e);
	}
	for (size_t i = 0; i < ARRAY_SIZE(encap_first); i++) {
		encap_attr(c, f, e, encap_first[i], flags);
		left &= ~SRV6_BIT(encap_first[i]);
	}
	if (usid)
		left &= ~SRV6_HAS(FLAVORS);
	for (uint32_t bit = 0; bit < 64 && left >> bit; bit++)
		if (left >> bit & 1)
			encap_attr(c, f, e, bit, flags);
}

/* ---- hops */

static void via(FILE *f, const struct srv6_prefix *gw, int family)
{
	put(f, " via ");
	if (family == AF_INET && gw->family == AF_INET6)
		put(f, "inet6 ");
	print_prefix(f, gw);
}

static void hop_text(struct ctx *c, FILE *f, const struct srv6_hop *h, int family, uint32_t flags)
{
	if (h->encap) {
		put(f, " encap ");
		encap_text(c, f, h->encap, flags);
	}
	for (uint32_t bit = 0; bit < 64 && h->has >> bit; bit++) {
		const struct srv6_attr_info *row = srv6_attr_info(SRV6_ATTR_VIA + bit);

		if (!(h->has >> bit & 1) || !row)
			continue;
		if (row->attr == SRV6_ATTR_VIA)
			via(f, &h->via, family);
		else
			put_attr(c, f, row, h);
	}
	for (const struct flag_name *n = hop_flags; n->name; n++)
		if (h->flags & n->bit) {
			putc_unlocked(' ', f);
			put(f, n->name);
		}
}

/* ---- routes */

static const uint8_t route_first[] = { SRV6_ATTR_FROM, SRV6_ATTR_TOS, SRV6_ATTR_NHID };
static const uint8_t route_next[] = { SRV6_ATTR_ROUTE_TABLE, SRV6_ATTR_PROTOCOL, SRV6_ATTR_SCOPE, SRV6_ATTR_PREFSRC,
				      SRV6_ATTR_METRIC };

static void route_attr(struct ctx *c, FILE *f, const struct srv6_route *r, uint32_t attr, uint32_t flags)
{
	const struct srv6_attr_info *row = srv6_attr_info(attr);
	const char *name = NULL;

	if (!row || !(r->has & SRV6_BIT(attr)) || route_is_default(r, attr))
		return;
	if (flags & TEXT_NAMES)
		name = attr == SRV6_ATTR_ROUTE_TABLE ? table_name(r->table, true)
		       : attr == SRV6_ATTR_PROTOCOL  ? protocol_name(r->protocol, true)
						     : NULL;
	putc_unlocked(' ', f);
	put(f, text_word(row));
	if (attr >= SRV6_ATTR_METRIC_BASE && attr < SRV6_ATTR_METRIC_BASE + SRV6_N_METRICS && r->has & SRV6_HAS(LOCK) &&
	    r->lock >> (attr - SRV6_ATTR_METRIC_BASE) & 1)
		put(f, " lock");
	if (shape_is_flag(row->shape))
		return;
	putc_unlocked(' ', f);
	if (name)
		print_name(f, name);
	else
		shape_text(c, f, row, r);
}

/* Metrics that are locked and given a value are written "mtu lock 1400": only what is left needs the word lock. */
static bool lock_is_said(const struct srv6_route *r)
{
	uint32_t left = r->lock;

	for (uint32_t n = 0; n < SRV6_N_METRICS; n++)
		if (r->has & SRV6_BIT(SRV6_ATTR_METRIC_BASE + n))
			left &= ~(1u << n);
	return !left;
}

static void route_hops(struct ctx *c, FILE *f, const struct srv6_route *r, uint32_t flags)
{
	for (uint32_t i = 0; i < r->n_hops; i++) {
		if (r->n_hops > 1)
			put(f, " nexthop");
		hop_text(c, f, &r->hops[i], r->dst.family, flags);
	}
}

static void route_text(struct ctx *c, FILE *f, const struct srv6_route *r, uint32_t flags)
{
	uint64_t left = r->has & ~SRV6_HAS(DST);
	/* A table behind a bare encapsulation would be the encapsulation's: such a hop comes last. */
	bool bare = r->n_hops == 1 && r->hops->encap && !r->hops->has && !r->hops->flags;

	/* A type that has no name would be taken for the prefix there: it comes with its word. */
	if (r->type == RTN_UNICAST || rtype_name(r->type))
		left &= ~SRV6_HAS(TYPE);
	if (r->has & ~left & SRV6_HAS(TYPE) && r->type != RTN_UNICAST) {
		shape_text(c, f, srv6_attr_info(SRV6_ATTR_TYPE), r);
		putc_unlocked(' ', f);
	}
	paint(c, f, PREFIX);
	print_prefix(f, &r->dst);
	paint(c, f, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(route_first); i++) {
		route_attr(c, f, r, route_first[i], flags);
		left &= ~SRV6_BIT(route_first[i]);
	}
	if (!r->derived && !bare)
		route_hops(c, f, r, flags);
	for (size_t i = 0; i < ARRAY_SIZE(route_next); i++) {
		route_attr(c, f, r, route_next[i], flags);
		left &= ~SRV6_BIT(route_next[i]);
	}
	if (lock_is_said(r))
		left &= ~SRV6_HAS(LOCK);
	for (uint32_t bit = 0; bit < 64 && left >> bit; bit++)
		if (left >> bit & 1)
			route_attr(c, f, r, SRV6_ATTR_TYPE + bit, flags);
	for (const struct flag_name *n = route_flags; n->name; n++)
		if (r->flags & n->bit) {
			putc_unlocked(' ', f);
			put(f, n->name);
		}
	if (!r->derived && bare)
		route_hops(c, f, r, flags);
	if (r->derived && r->n_hops) { /* for the reader: add goes by the id alone */
		put(f, " # by nexthop object:");
		route_hops(c, f, r, flags);
	}
}

/* ---- the others */

static void nexthop_text(struct ctx *c, FILE *f, const struct srv6_nexthop *n, uint32_t flags)
{
	const struct srv6_attr_info *row;
	uint64_t left = n->has & ~SRV6_HAS(NH_ID);

	fprintf(f, "id %u", n->id);
	if (nexthop_needs_family(n))
		put(f, n->family == AF_INET ? " family inet" : " family inet6");
	if (n->hop)
		hop_text(c, f, n->hop, n->family, flags);
	for (uint32_t bit = 0; bit < 64 && left >> bit; bit++) {
		row = srv6_attr_info(SRV6_ATTR_NH_ID + bit);
		if (left >> bit & 1 && row && !nexthop_is_default(n, row->attr))
			put_attr(c, f, row, n);
	}
	for (const struct flag_name *name = hop_flags; name->name; name++)
		if (n->flags & name->bit && !(n->hop && n->hop->flags & name->bit)) {
			putc_unlocked(' ', f);
			put(f, name->name);
		}
}

static void hmac_text(struct ctx *c, FILE *f, const struct srv6_hmac *h, uint32_t verb)
{
	fprintf(f, "%u", h->key_id);
	if (verb == SRV6_DEL)
		return;
	if (hmac_algo_name(h->algo))
		fprintf(f, " %s", hmac_algo_name(h->algo));
	else
		fprintf(f, " %u", h->algo);
	if (!c->secrets || !h->secret.len)
		return;
	put(f, " secret ");
	print_hex(f, h->secret.data, h->secret.len);
}

static void link_text(FILE *f, const struct srv6_link *l)
{
	print_name(f, l->name ? l->name : "");
	fprintf(f, " index %u %s", l->ifindex, l->flags & 1 ? "up" : "down");
}

void op_text(struct ctx *c, FILE *f, const struct srv6_op *op, uint32_t flags)
{
	if (flags & TEXT_VERB)
		fprintf(f, "%s %s%s", kind_name(op->kind), op_verb_word(op),
			op->kind == SRV6_TUNSRC && op->verb == SRV6_DEL ? "" : " ");
	switch (op->kind) {
	case SRV6_ROUTE:
		route_text(c, f, op->u.route, flags);
		break;
	case SRV6_NEXTHOP:
		nexthop_text(c, f, op->u.nexthop, flags);
		break;
	case SRV6_TUNSRC:
		if (op->verb != SRV6_DEL)
			print_addr(f, AF_INET6, &op->u.tunsrc->addr);
		break;
	case SRV6_HMAC:
		hmac_text(c, f, op->u.hmac, op->verb);
		break;
	case SRV6_LINK:
		link_text(f, op->u.link);
		break;
	default:
		break;
	}
}

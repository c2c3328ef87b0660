/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What show, flush and monitor are asked for: conditions that must all hold. */
#include <errno.h>
#include <string.h>
#include <linux/rtnetlink.h>

#include "model.h"

/* ---- words */

static const char *const words[] = { "table", "proto", "protocol", "dev",   "mode",  "action", "behavior", "segs",
				     "nhid",  "type",  "root",     "match", "exact", "to",     "all",      NULL };

static int behavior(struct ctx *c, struct words *w, struct filter *f)
{
	const char *word;
	int err = words_value(c, w, "a behavior", &word);

	if (err)
		return err;
	f->behavior = usid_find(word) ? usid_find(word)->behavior : srv6_behavior_find(NULL, word);
	if (f->behavior == SRV6_OTHER)
		return fail(c, w, w->i - 1, -EINVAL, "%s: no such behavior; srv6 behavior lists them", word);
	return 0;
}

static int segment(struct ctx *c, struct words *w, struct filter *f)
{
	struct srv6_prefix p;
	int err = words_addr(c, w, "a segment", AF_INET6, &p);

	if (err)
		return err;
	f->seg = p.addr.in6;
	f->has_seg = true;
	return 0;
}

static int prefix(struct ctx *c, struct words *w, struct filter *f, enum how how)
{
	const char *word = words_peek(w);

	if (f->how != HOW_ANY)
		return fail(c, w, w->i, -EINVAL, "%s: a prefix was given already", word ? word : "");
	f->how = how;
	if (word && !strcmp(word, "default")) {
		w->i++;
		f->prefix.family = (uint8_t)c->family;
		f->how = HOW_EXACT;
		return 0;
	}
	return words_prefix(c, w, "a prefix", c->family, &f->prefix);
}

/* A condition that is an attribute of the route, or its device. */
static int attribute(struct ctx *c, struct words *w, struct filter *f, uint32_t attr)
{
	const struct srv6_attr_info *row = srv6_attr_info(attr);
	bool dev = attr == SRV6_ATTR_DEV;
	uint64_t *has = dev ? &f->hop.has : &f->route.has;
	struct scan s = { .c = c, .a = &c->arena, .row = row, .obj = dev ? (void *)&f->hop : (void *)&f->route };
	const char *text;
	int err;

	if (*has & SRV6_BIT(attr))
		return fail(c, w, w->i - 1, -EINVAL, "%s: it is there twice", w->word[w->i - 1].text);
	err = words_value(c, w, row->arg, &text);
	if (err)
		return err;
	if (attr == SRV6_ATTR_ROUTE_TABLE && !strcmp(text, "all"))
		return 0;
	if (shape_scan(&s, text))
		return fail(c, w, w->i - 1, -EINVAL, "%s: %s", row->word, s.text);
	*has |= SRV6_BIT(attr);
	return 0;
}

static int one(struct ctx *c, struct words *w, struct filter *f)
{
	static const struct {
		const char *word;
		uint32_t attr;
	} attrs[] = { { "table", SRV6_ATTR_ROUTE_TABLE }, { "proto", SRV6_ATTR_PROTOCOL },
		      { "protocol", SRV6_ATTR_PROTOCOL }, { "dev", SRV6_ATTR_DEV },
		      { "nhid", SRV6_ATTR_NHID },         { "type", SRV6_ATTR_TYPE } };
	const char *word;
	struct srv6_prefix any;

	while (words_take(w, "to"))
		;
	word = words_peek(w);
	if (!word)
		return prefix(c, w, f, HOW_ROOT); /* it says what is missing */
	if (!strcmp(word, "default") || !value_prefix(word, strlen(word), AF_UNSPEC, &any))
		return prefix(c, w, f, HOW_ROOT);
	if (srv6_behavior_find(NULL, word) != SRV6_OTHER || usid_find(word))
		return behavior(c, w, f);
	for (size_t i = 0; i < ARRAY_SIZE(attrs); i++)
		if (words_take(w, attrs[i].word))
			return attribute(c, w, f, attrs[i].attr);
	if (words_take(w, "mode") || words_take(w, "action") || words_take(w, "behavior"))
		return behavior(c, w, f);
	if (words_take(w, "segs") || words_take(w, "seg"))
		return segment(c, w, f);
	if (words_take(w, "root"))
		return prefix(c, w, f, HOW_ROOT);
	if (words_take(w, "match"))
		return prefix(c, w, f, HOW_MATCH);
	if (words_take(w, "exact"))
		return prefix(c, w, f, HOW_EXACT);
	if (words_take(w, "all")) {
		f->all = true;
		return 0;
	}
	return words_unknown(c, w, "condition", words);
}

int filter_parse(struct ctx *c, struct words *w, struct filter *ret)
{
	int err = 0;

	memset(ret, 0, sizeof(*ret));
	ret->route.sz = sizeof(ret->route);
	ret->route.dst.family = (uint8_t)c->family;
	while (!err && words_peek(w)) {
		err = one(c, w, ret);
		ret->given++;
	}
	if (!err && ret->how != HOW_ANY && ret->prefix.family != AF_UNSPEC)
		ret->route.dst.family = ret->prefix.family;
	return err;
}

/* ---- matching */

/* Whether the first bits of a and b are the same. */
static bool same_bits(const struct srv6_prefix *a, const struct srv6_prefix *b, unsigned int bits)
{
	const uint8_t *x = (const uint8_t *)&a->addr, *y = (const uint8_t *)&b->addr;
	unsigned int bytes = bits / 8, rest = bits % 8;

	return !memcmp(x, y, bytes) && (!rest || !((x[bytes] ^ y[bytes]) & (0xff00u >> rest & 0xff)));
}

static bool prefix_matches(const struct filter *f, const struct srv6_prefix *dst)
{
	if (f->how == HOW_ANY)
		return true;
	if (f->prefix.family == AF_UNSPEC)
		return !dst->len;
	if (dst->family != f->prefix.family)
		return false;
	switch (f->how) {
	case HOW_ROOT:
		return dst->len >= f->prefix.len && same_bits(dst, &f->prefix, f->prefix.len);
	case HOW_MATCH:
		return dst->len <= f->prefix.len && same_bits(dst, &f->prefix, dst->len);
	default:
		return dst->len == f->prefix.len && same_bits(dst, &f->prefix, dst->len);
	}
}

static bool has_segment(const struct srv6_encap *e, const struct in6_addr *seg)
{
	for (uint32_t i = 0; e->has & SRV6_HAS(SEGS) && i < e->n_segs; i++)
		if (!memcmp(&e->segs[i], seg, sizeof(*seg)))
			return true;
	return false;
}

static bool hop_matches(const struct filter *f, const struct srv6_hop *h)
{
	if (f->hop.has & SRV6_HAS(DEV) && (!(h->has & SRV6_HAS(DEV)) || h->ifindex != f->hop.ifindex))
		return false;
	if (f->behavior != SRV6_OTHER && (!h->encap || h->encap->behavior != f->behavior))
		return false;
	return !f->has_seg || (h->encap && has_segment(h->encap, &f->seg));
}

static bool route_matches(const struct filter *f, const struct srv6_route *r)
{
	const struct srv6_route *want = &f->route;

	if (want->dst.family != AF_UNSPEC && r->dst.family != want->dst.family)
		return false;
	if (want->has & SRV6_HAS(ROUTE_TABLE) &&
	    (r->has & SRV6_HAS(ROUTE_TABLE) ? r->table : RT_TABLE_MAIN) != want->table)
		return false;
	if (want->has & SRV6_HAS(PROTOCOL) &&
	    (r->has & SRV6_HAS(PROTOCOL) ? r->protocol : RTPROT_BOOT) != want->protocol)
		return false;
	if (want->has & SRV6_HAS(TYPE) && (r->has & SRV6_HAS(TYPE) ? r->type : RTN_UNICAST) != want->type)
		return false;
	if (want->has & SRV6_HAS(NHID) && (!(r->has & SRV6_HAS(NHID)) || r->nhid != want->nhid))
		return false;
	return prefix_matches(f, &r->dst);
}

bool filter_matches(const struct filter *f, const struct srv6_op *op)
{
	const struct srv6_route *r = op->u.route;
	bool any_hop = !(f->hop.has & SRV6_HAS(DEV)) && f->behavior == SRV6_OTHER && !f->has_seg;

	if (f->sids && !op_is_sid(op))
		return false;
	if (op->kind == SRV6_NEXTHOP) {
		if (f->route.has & SRV6_HAS(NHID) && op->u.nexthop->id != f->route.nhid)
			return false;
		return any_hop || (op->u.nexthop->hop && hop_matches(f, op->u.nexthop->hop));
	}
	if (op->kind != SRV6_ROUTE)
		return !f->given;
	if (!route_matches(f, r))
		return false;
	for (uint32_t i = 0; !any_hop && i < r->n_hops; i++)
		any_hop = hop_matches(f, &r->hops[i]);
	return any_hop;
}

/* ---- asking the kernel */

struct asked {
	const struct filter *f;
	struct objects objects;
	srv6_cb cb;
	void *arg;
};

static int matching(const struct srv6_op *op, void *arg)
{
	struct asked *a = arg;
	struct srv6_op whole = *op;
	struct srv6_route room;

	if (op->kind == SRV6_ROUTE && a->objects.n)
		whole.u.route = objects_fill(&a->objects, op->u.route, &room);
	return filter_matches(a->f, &whole) ? a->cb(&whole, a->arg) : 0;
}

int filter_dump(struct ctx *c, struct filter *f, uint32_t kind, uint32_t flags, srv6_cb cb, void *arg)
{
	struct srv6_op match = { .verb = SRV6_IS, .kind = kind };
	struct asked asked = { .f = f, .cb = cb, .arg = arg };
	int err = 0;

	if (!handle(c))
		return c->failure.e.code;
	if (kind == SRV6_ROUTE) {
		f->route.hops = f->hop.has ? &f->hop : NULL;
		f->route.n_hops = f->hop.has ? 1 : 0;
		match.u.route = &f->route;
		if (objects_needed())
			err = objects_read(c->s, &asked.objects);
	}
	if (!err)
		err = srv6_dump(c->s, &match, flags, matching, &asked);
	objects_free(&asked.objects);
	return err ? fail_lib(c, NULL, srv6_error(c->s)) : 0;
}

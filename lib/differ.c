/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tells what is there from what a deletion named: only that, of both sides, in words. */
#include <arpa/inet.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "codec.h"
#include "transact.h"

static void __attribute__((format(printf, 3, 4))) add(char *buf, size_t cap, const char *fmt, ...)
{
	size_t len = strlen(buf);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf + len, cap - len, fmt, ap);
	va_end(ap);
}

/* what: which words of the deletion to leave out, so that it does not matter. */
static void note(struct difference *d, uint32_t attr, const char *what, const char *there, const char *named)
{
	const char *and = d->n ? " " : "";

	add(d->there, sizeof(d->there), "%s%s", and, there);
	add(d->named, sizeof(d->named), "%s%s", and, named);
	if (!d->n++)
		d->attr = attr;
	if (!strstr(d->words, what))
		add(d->words, sizeof(d->words), "%s%s", *d->words ? " and " : "", what);
}

/* ---- values */

static const char *const types[] = {
	[RTN_UNICAST] = "unicast",         [RTN_LOCAL] = "local",         [RTN_BROADCAST] = "broadcast",
	[RTN_ANYCAST] = "anycast",         [RTN_MULTICAST] = "multicast", [RTN_BLACKHOLE] = "blackhole",
	[RTN_UNREACHABLE] = "unreachable", [RTN_PROHIBIT] = "prohibit",   [RTN_THROW] = "throw",
};

static const char *const prefs[] = { "medium", "high", "reserved", "low" };

static void say_prefix(char *buf, size_t cap, const struct srv6_prefix *p)
{
	char a[INET6_ADDRSTRLEN] = "?";

	inet_ntop(p->family, &p->addr, a, sizeof(a));
	add(buf, cap, "%s", a);
	if (p->len != (p->family == AF_INET ? 32 : 128))
		add(buf, cap, "/%u", p->len);
}

/* A field of a route or a hop with its word; false: not one that has words here. */
static bool say_field(char *buf, size_t cap, uint64_t has, const void *obj, const struct srv6_attr_info *info)
{
	const void *field = field_of(obj, info);
	uint32_t n;

	buf[0] = 0;
	if (!(has & SRV6_BIT(info->attr))) {
		add(buf, cap, "no %s", info->word);
		return true;
	}
	add(buf, cap, "%s", info->word);
	if (info->shape == SRV6_SHAPE_FLAG)
		return true;
	add(buf, cap, " ");
	if (info->shape == SRV6_SHAPE_PREFIX || info->shape == SRV6_SHAPE_ADDR) {
		say_prefix(buf, cap, field);
		return true;
	}
	if (!shape_number(info->shape, field, &n))
		return false;
	if (info->shape == SRV6_SHAPE_RTYPE && n < ARRAY_SIZE(types) && types[n])
		add(buf, cap, "%s", types[n]);
	else if (info->shape == SRV6_SHAPE_PREF && n < ARRAY_SIZE(prefs))
		add(buf, cap, "%s", prefs[n]);
	else
		add(buf, cap, info->shape == SRV6_SHAPE_HEX8 ? "0x%x" : "%u", n);
	return true;
}

/* ---- a hop */

/* What finds a route in the first place is not left out: that it has none says something, too. */
static const char *left_out(const struct srv6_attr_info *info)
{
	return info->attr == SRV6_ATTR_FROM || info->attr == SRV6_ATTR_TOS ? "" : info->word;
}

/* Fields of route or hop that are given, or count as none where they are not, and not as they are there. */
static void differ_fields(struct difference *d, uint32_t owner, uint64_t look, uint64_t given, const void *want,
			  uint64_t has, const void *have)
{
	for (; look; look &= look - 1) {
		uint32_t attr = owner << 6 | (uint32_t)__builtin_ctzll(look);
		const struct srv6_attr_info *info = srv6_attr_info(attr);
		char there[64], named[64];

		if (!info || !say_field(there, sizeof(there), has, have, info) ||
		    !say_field(named, sizeof(named), given, want, info))
			continue;
		if (strcmp(there, named))
			note(d, attr, owner == SRV6_OWNER_HOP ? "the hop" : left_out(info), there, named);
	}
}

static void say_encap(char *buf, size_t cap, const struct srv6_encap *e)
{
	struct srv6_hop bare = { .encap = e };
	struct srv6_nexthop nh = { .sz = sizeof(nh), .hop = &bare };

	op_describe(&(struct srv6_op){ .kind = SRV6_NEXTHOP, .u.nexthop = &nh }, buf, cap);
}

static void differ_encap(struct difference *d, const struct srv6_hop *w, const struct srv6_hop *h)
{
	char there[90], named[90];
	uint32_t attr = SRV6_ATTR_NONE;
	const struct srv6_attr_info *info;

	if (!w->encap || (h->encap && !srv6_diff_encap(w->encap, h->encap, 0, &attr)))
		return;
	say_encap(there, sizeof(there), h->encap);
	say_encap(named, sizeof(named), w->encap);
	info = srv6_attr_info(attr);
	if (!strcmp(there, named))
		add(named, sizeof(named), " that differs in %s", info ? info->word : "what is not known here");
	note(d, attr, "the encapsulation", there, named);
}

static void say_via(char *buf, size_t cap, const struct srv6_hop *h)
{
	buf[0] = 0;
	if (!(h->has & SRV6_HAS(VIA))) {
		add(buf, cap, "no gateway");
		return;
	}
	add(buf, cap, "via ");
	say_prefix(buf, cap, &h->via);
}

static void say_dev(struct srv6 *s, char *buf, size_t cap, const struct srv6_hop *h)
{
	struct link_state link;

	if (!(h->has & SRV6_HAS(DEV)))
		snprintf(buf, cap, "no device");
	else if (s && !link_get(s, h->ifindex, &link))
		snprintf(buf, cap, "dev %s", link.name);
	else
		snprintf(buf, cap, "dev #%u", h->ifindex);
}

/* A hop that is named by its device alone is one without a gateway. */
static void differ_bare(struct srv6 *s, struct difference *d, const struct srv6_hop *w, const struct srv6_hop *h)
{
	char via[64], dev[32], there[100], named[48];
	bool same = h->has & SRV6_HAS(DEV) && w->ifindex == h->ifindex;

	say_via(via, sizeof(via), h);
	say_dev(s, dev, sizeof(dev), h);
	snprintf(there, sizeof(there), "%s%s%s", via, same ? "" : " ", same ? "" : dev);
	say_dev(s, dev, sizeof(dev), w);
	snprintf(named, sizeof(named), "%s without via", dev);
	note(d, SRV6_ATTR_DEV, "dev", there, named);
	d->bare = true;
}

static void differ_place(struct srv6 *s, struct difference *d, const struct srv6_hop *w, const struct srv6_hop *h)
{
	char there[64], named[64];

	if (w->has & SRV6_HAS(VIA)) {
		say_via(there, sizeof(there), h);
		say_via(named, sizeof(named), w);
		if (strcmp(there, named))
			note(d, SRV6_ATTR_VIA, "the hop", there, named);
	} else if (w->has & SRV6_HAS(DEV) && h->has & SRV6_HAS(VIA)) {
		differ_bare(s, d, w, h);
		return;
	}
	if (!(w->has & SRV6_HAS(DEV)) || (h->has & SRV6_HAS(DEV) && w->ifindex == h->ifindex))
		return;
	say_dev(s, there, sizeof(there), h);
	say_dev(s, named, sizeof(named), w);
	note(d, SRV6_ATTR_DEV, "the hop", there, named);
}

/* What has words of its own here, or none. A weight says something among several hops only. */
#define HOP_FIELDS (~(SRV6_HAS(VIA) | SRV6_HAS(DEV) | SRV6_HAS(WEIGHT) | SRV6_HAS(HOP_UNKNOWN)))

static void say_hop(struct srv6 *s, char *buf, size_t cap, const struct srv6_hop *h)
{
	char text[90];

	if (h->encap) {
		say_encap(text, sizeof(text), h->encap);
		add(buf, cap, "%s ", text);
	}
	if (h->has & SRV6_HAS(VIA) || !(h->has & SRV6_HAS(DEV))) {
		say_via(text, sizeof(text), h);
		add(buf, cap, "%s%s", text, h->has & SRV6_HAS(DEV) ? " " : "");
	}
	if (h->has & SRV6_HAS(DEV)) {
		say_dev(s, text, sizeof(text), h);
		add(buf, cap, "%s", text);
	}
	if (h->has & SRV6_HAS(WEIGHT))
		add(buf, cap, " weight %u", h->weight);
}

static void say_hops(struct srv6 *s, char *buf, size_t cap, const struct srv6_route *r)
{
	for (uint32_t i = 0; i < r->n_hops && strlen(buf) < cap - 1; i++) {
		add(buf, cap, "%s", i ? " + " : "");
		say_hop(s, buf, cap, &r->hops[i]);
	}
	if (strlen(buf) == cap - 1 || !r->n_hops)
		snprintf(buf, cap, "%u other hops", r->n_hops);
}

/* Of several hops the first that is named and not there, and the one at its place. */
static void differ_several(struct srv6 *s, struct difference *d, const struct srv6_op *want, const struct srv6_op *have)
{
	const struct srv6_route *h = have->u.route;
	struct srv6_route w = *h;
	struct srv6_op x = { .verb = SRV6_DEL, .kind = SRV6_ROUTE, .u.route = &w };
	char there[120] = "", named[120] = "";
	uint32_t i = 0, j;

	w.has &= ~SRV6_HAS(NHID);
	w.hops = want->u.route->hops;
	w.n_hops = want->u.route->n_hops;
	for (; i < w.n_hops; i++) {
		for (j = 0; j < h->n_hops && !verify_hop(&x, i, have, j); j++)
			;
		if (j == h->n_hops)
			break;
	}
	if (i == w.n_hops) {
		snprintf(there, sizeof(there), "%u hops", h->n_hops);
		snprintf(named, sizeof(named), "%u", w.n_hops);
		if (w.n_hops != h->n_hops)
			note(d, SRV6_ATTR_NONE, "the hops", there, named);
		return;
	}
	for (j = 0; j < h->n_hops && memcmp(&h->hops[j].via, &w.hops[i].via, sizeof(w.hops[i].via)); j++)
		;
	if (j < h->n_hops)
		say_hop(s, there, sizeof(there), &h->hops[j]);
	else
		say_hops(s, there, sizeof(there), h);
	say_hop(s, named, sizeof(named), &w.hops[i]);
	note(d, SRV6_ATTR_NONE, w.n_hops > 1 ? "the hops" : "the hop", there, named);
}

static void differ_hops(struct srv6 *s, struct difference *d, const struct srv6_op *want, const struct srv6_op *have)
{
	char there[120], named[120];
	uint32_t nw, nh;
	const struct srv6_hop *w = op_hops(want, &nw), *h = op_hops(have, &nh);

	if (nw == 1 && nh == 1) {
		differ_place(s, d, w, h);
		differ_fields(d, SRV6_OWNER_HOP, w->has & HOP_FIELDS, w->has, w, h->has, h);
		differ_encap(d, w, h);
	} else if (nw && want->kind == SRV6_ROUTE) {
		differ_several(s, d, want, have);
	} else if (nw) {
		note(d, SRV6_ATTR_NONE, "the hop", op_describe(have, there, sizeof(there)),
		     op_describe(want, named, sizeof(named)));
	}
}

/* ---- a route, an object */

static bool drops(uint8_t type)
{
	return type == RTN_BLACKHOLE || type == RTN_UNREACHABLE || type == RTN_PROHIBIT || type == RTN_THROW;
}

const char *route_leads(struct srv6 *s, const struct srv6_route *r, char *buf, size_t cap)
{
	buf[0] = 0;
	if (r->has & SRV6_HAS(NHID))
		add(buf, cap, "nhid %u", r->nhid);
	else if (drops(r->type))
		add(buf, cap, "%s", types[r->type]);
	else
		say_hops(s, buf, cap, r);
	return buf;
}

/* What says where it is. */
#define NOT_COMPARED (SRV6_HAS(DST) | SRV6_HAS(ROUTE_TABLE))

static void differ_route(struct srv6 *s, struct difference *d, const struct srv6_op *want, const struct srv6_op *have)
{
	const struct srv6_route *w = want->u.route, *h = have->u.route;
	bool hops = w->n_hops && !(w->has & SRV6_HAS(NHID));
	uint64_t look = w->has & ~NOT_COMPARED;

	if (look & h->has & SRV6_HAS(EXPIRES) && h->expires <= w->expires) /* it goes by */
		look &= ~SRV6_HAS(EXPIRES);
	look |= h->has & ((h->from.len ? SRV6_HAS(FROM) : 0) | (h->tos ? SRV6_HAS(TOS) : 0));
	if (want->flags & SRV6_OP_SID && !op_is_endpoint(have)) {
		char there[120];

		note(d, SRV6_ATTR_NONE, "", route_leads(s, h, there, sizeof(there)), "a SID");
		return;
	}
	differ_fields(d, SRV6_OWNER_ROUTE, look, w->has, w, h->has, h);
	if (hops && !(w->has & SRV6_HAS(TYPE)) && drops(h->type))
		note(d, SRV6_ATTR_NONE, "the hop", types[h->type], "a route with a hop");
	else if (hops && (!(w->has & SRV6_HAS(TYPE)) || w->type == h->type))
		differ_hops(s, d, want, have);
}

static void say_group(char *buf, size_t cap, const struct srv6_nexthop *nh)
{
	buf[0] = 0;
	for (uint32_t i = 0; i < nh->n_group; i++)
		add(buf, cap, "%s%u,%u", i ? "/" : "group ", nh->group[i].id, nh->group[i].weight);
	if (!nh->n_group)
		add(buf, cap, "no members");
}

static const char *family_word(uint8_t family)
{
	return family == AF_INET ? "family inet" : "family inet6";
}

/* One of a hop, a group, a blackhole; false: both are of the same. */
static bool differ_sort(struct srv6 *s, struct difference *d, const struct srv6_nexthop *w,
			const struct srv6_nexthop *h)
{
	char there[120] = "", named[90];

	say_group(named, sizeof(named), w);
	if (h->n_group || w->n_group)
		say_group(there, sizeof(there), h);
	else if (h->has & SRV6_HAS(NH_BLACKHOLE))
		add(there, sizeof(there), "blackhole");
	else if (h->hop)
		say_hop(s, there, sizeof(there), h->hop);
	if (w->n_group && strcmp(there, named))
		note(d, SRV6_ATTR_NH_GROUP, "the group", there, named);
	else if (w->has & ~h->has & SRV6_HAS(NH_BLACKHOLE))
		note(d, SRV6_ATTR_NH_BLACKHOLE, "blackhole", there, "blackhole");
	else if (w->hop && (h->n_group || h->has & SRV6_HAS(NH_BLACKHOLE)))
		note(d, SRV6_ATTR_NONE, "the hop", there, "a hop");
	else
		return false;
	return true;
}

static void differ_object(struct srv6 *s, struct difference *d, const struct srv6_op *want, const struct srv6_op *have)
{
	const struct srv6_nexthop *w = want->u.nexthop, *h = have->u.nexthop;
	char there[32], named[32];

	if (w->has & SRV6_HAS(NH_PROTOCOL) && w->protocol != h->protocol) {
		snprintf(there, sizeof(there), "proto %u", h->protocol);
		snprintf(named, sizeof(named), "proto %u", w->protocol);
		note(d, SRV6_ATTR_NH_PROTOCOL, "proto", there, named);
	}
	if (differ_sort(s, d, w, h))
		return;
	if (w->family && w->family != h->family && !h->n_group)
		note(d, SRV6_ATTR_NONE, "family", family_word(h->family), family_word(w->family));
	differ_fields(d, SRV6_OWNER_NEXTHOP, w->has & SRV6_HAS(NH_FDB), w->has, w, h->has, h);
	differ_hops(s, d, want, have);
}

void differ(struct srv6 *s, const struct srv6_op *want, const struct srv6_op *have, struct difference *ret)
{
	const struct srv6_attr_info *info;
	uint32_t attr = SRV6_ATTR_NONE;
	char named[64];

	memset(ret, 0, sizeof(*ret));
	ret->attr = SRV6_ATTR_NONE;
	if (want->kind == SRV6_ROUTE)
		differ_route(s, ret, want, have);
	else
		differ_object(s, ret, want, have);
	if (ret->n || !srv6_diff(want, have, 0, &attr))
		return;
	info = srv6_attr_info(attr);
	snprintf(named, sizeof(named), "another %s", info ? info->word : "one");
	note(ret, attr, info ? info->word : "the rest", "other values", named);
}

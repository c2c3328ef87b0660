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

/* A field of a route with its word; false: not one that has words here. */
static bool say_field(char *buf, size_t cap, const struct srv6_route *r, const struct srv6_attr_info *info)
{
	const void *field = field_of(r, info);
	uint32_t n;

	buf[0] = 0;
	if (!(r->has & SRV6_BIT(info->attr))) {
		add(buf, cap, "no %s", info->word);
		return true;
	}
	add(buf, cap, "%s ", info->word);
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

static void differ_encap(struct difference *d, const struct srv6_hop *w, const struct srv6_hop *h)
{
	char there[90], named[90];
	uint32_t attr = SRV6_ATTR_NONE;
	struct srv6_hop bare[2] = { { .encap = h->encap }, { .encap = w->encap } };
	struct srv6_nexthop nh[2] = { { .sz = sizeof(nh[0]), .hop = &bare[0] },
				      { .sz = sizeof(nh[1]), .hop = &bare[1] } };
	const struct srv6_attr_info *info;

	if (!w->encap || (h->encap && !srv6_diff_encap(w->encap, h->encap, 0, &attr)))
		return;
	op_describe(&(struct srv6_op){ .kind = SRV6_NEXTHOP, .u.nexthop = &nh[0] }, there, sizeof(there));
	op_describe(&(struct srv6_op){ .kind = SRV6_NEXTHOP, .u.nexthop = &nh[1] }, named, sizeof(named));
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

static void differ_place(struct srv6 *s, struct difference *d, const struct srv6_hop *w, const struct srv6_hop *h)
{
	char there[64], named[64];

	say_via(there, sizeof(there), h);
	say_via(named, sizeof(named), w);
	if (strcmp(there, named))
		note(d, SRV6_ATTR_VIA, "the hop", there, named);
	if (!(w->has & SRV6_HAS(DEV)) || (h->has & SRV6_HAS(DEV) && w->ifindex == h->ifindex))
		return;
	say_dev(s, there, sizeof(there), h);
	say_dev(s, named, sizeof(named), w);
	note(d, SRV6_ATTR_DEV, "the hop", there, named);
}

static void differ_hops(struct srv6 *s, struct difference *d, const struct srv6_op *want, const struct srv6_op *have)
{
	char there[120], named[120];
	uint32_t nw, nh;
	const struct srv6_hop *w = op_hops(want, &nw), *h = op_hops(have, &nh);

	if (nw == 1 && nh == 1) {
		differ_place(s, d, w, h);
		differ_encap(d, w, h);
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

/* What says where it is, or what goes by by itself. */
#define NOT_COMPARED (SRV6_HAS(DST) | SRV6_HAS(ROUTE_TABLE) | SRV6_HAS(EXPIRES))

static void differ_fields(struct difference *d, const struct srv6_route *w, const struct srv6_route *h)
{
	for (uint64_t look = w->has & ~NOT_COMPARED; look; look &= look - 1) {
		uint32_t attr = (uint32_t)SRV6_OWNER_ROUTE << 6 | (uint32_t)__builtin_ctzll(look);
		const struct srv6_attr_info *info = srv6_attr_info(attr);
		char there[64], named[64];

		if (!info || !say_field(there, sizeof(there), h, info) || !say_field(named, sizeof(named), w, info))
			continue;
		if (strcmp(there, named))
			note(d, attr, info->word, there, named);
	}
}

static void differ_route(struct srv6 *s, struct difference *d, const struct srv6_op *want, const struct srv6_op *have)
{
	const struct srv6_route *w = want->u.route, *h = have->u.route;
	bool hops = w->n_hops && !(w->has & SRV6_HAS(NHID));

	differ_fields(d, w, h);
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

static void differ_object(struct srv6 *s, struct difference *d, const struct srv6_op *want, const struct srv6_op *have)
{
	const struct srv6_nexthop *w = want->u.nexthop, *h = have->u.nexthop;
	char there[90], named[90];

	if (w->has & SRV6_HAS(NH_PROTOCOL) && w->protocol != h->protocol) {
		snprintf(there, sizeof(there), "proto %u", h->protocol);
		snprintf(named, sizeof(named), "proto %u", w->protocol);
		note(d, SRV6_ATTR_NH_PROTOCOL, "proto", there, named);
	}
	say_group(there, sizeof(there), h);
	say_group(named, sizeof(named), w);
	if (w->n_group && strcmp(there, named))
		note(d, SRV6_ATTR_NH_GROUP, "the group", there, named);
	else if (w->hop && h->n_group)
		note(d, SRV6_ATTR_NONE, "the hop", there, "a hop");
	else
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* srv6 doctor: What encapsulations add, against what devices and routes take. */
#include <string.h>

#include <linux/rtnetlink.h>

#include "doctor.h"

/* Bytes that a headend adds to a packet (frame, for L2: its Ethernet header counts). 0: it adds none, or nobody knows.
 */
static uint32_t overhead(const struct srv6_encap *e)
{
	bool raw = encap_has(e, SRV6_ATTR_RAW_SRH), insert = e->behavior == SRV6_H_INSERT;
	/* the packet's own destination becomes the last segment of an inserted SRH */
	uint32_t srh = raw ? (uint32_t)e->raw_srh.len : 8 + 16 * (e->n_segs + insert);
	bool hmac = encap_has(e, SRV6_ATTR_HMAC),
	     red = e->behavior == SRV6_H_ENCAPS_RED || e->behavior == SRV6_H_ENCAPS_L2_RED;
	uint32_t frame = e->behavior == SRV6_H_ENCAPS_L2 || e->behavior == SRV6_H_ENCAPS_L2_RED ? 14 : 0;

	if (!raw)
		srh += (hmac ? 40 : 0) + (encap_has(e, SRV6_ATTR_TLVS) ? (uint32_t)e->tlvs.len : 0);
	if (red)
		srh = e->n_segs == 1 && !hmac ? 0 : srh - 16; /* the first segment is in the destination alone */
	switch (e->behavior) {
	case SRV6_H_INSERT:
		return srh;
	case SRV6_H_ENCAPS:
	case SRV6_H_ENCAPS_RED:
	case SRV6_H_ENCAPS_L2:
	case SRV6_H_ENCAPS_L2_RED:
		return 40 + srh + frame;
	default:
		return 0;
	}
}

static uint32_t route_mtu(const struct srv6_route *r)
{
	return r->has & SRV6_HAS(MTU) ? r->metrics[RTAX_MTU] : 0;
}

/* What the way out takes. */
static uint32_t way_mtu(const struct subject *s)
{
	uint32_t own = s->way ? route_mtu(s->way->u.route) : 0;

	return own && own < s->egress->mtu ? own : s->egress->mtu;
}

/*
 * For packets (not frames) the kernel takes the overhead off the route's MTU, or its device's where it has none,
 * and tells senders. That is right as long as it is not more than the way out takes.
 */
TEST(mtu_route)
{
	uint32_t mtu = route_mtu(s->route), base = mtu ? mtu : s->dev ? s->dev->mtu : 0, way;
	struct finding *f;
	struct edit e;

	(void)u;
	if (s->sid || takes_frames(s) || !s->egress || !overhead(s->encap))
		return;
	way = way_mtu(s);
	if (base <= way)
		return;
	f = found(d, c, s, NULL,
		  "%s (%s, overhead %u bytes): the MTU of %s is %u, the way out by %s takes %u: packets of more than "
		  "%u bytes are lost",
		  s->label, behavior_name(s), overhead(s->encap), mtu ? "the route" : s->dev->name, base,
		  s->egress->name, way, way - overhead(s->encap));
	e = edit(d, s, SRV6_REPLACE);
	if (!e.route)
		return;
	e.route->has |= SRV6_HAS(MTU);
	e.route->metrics[RTAX_MTU] = way;
	remedy_op(d, f, e.op);
}

/* The device with the largest MTU of those whose packets s may get. The last answer is kept: routes side by side ask
 * the same. */
static const struct net_link *widest_port(struct doctor *d, const struct subject *s)
{
	const struct net_link *widest = NULL;

	if (d->widest.asked && d->widest.egress == s->egress && d->widest.vrf == s->vrf)
		return d->widest.link;
	for (uint32_t i = 0; i < d->env.n_links; i++) {
		const struct net_link *l = &d->env.links[i];

		if (!is_port(d, l) || l == s->egress || !strcmp(l->kind, "dummy") || vrf_of(d, l) != s->vrf)
			continue;
		if (!widest || l->mtu > widest->mtu)
			widest = l;
	}
	d->widest.asked = true;
	d->widest.egress = s->egress;
	d->widest.vrf = s->vrf;
	d->widest.link = widest;
	return widest;
}

static bool mtu_is_short(struct doctor *d, const struct subject *s)
{
	const struct net_link *port;

	if (s->sid || !s->egress || !overhead(s->encap))
		return false;
	if (!takes_frames(s) && route_mtu(s->route)) /* thought of already; mtu-route judges it */
		return false;
	port = widest_port(d, s);
	return port && port->mtu + overhead(s->encap) > way_mtu(s);
}

/* One finding a way out, with the encapsulation that needs most. */
TEST(mtu_overhead)
{
	const struct subject **worst = take(d->a, (d->env.n_links + 1) * sizeof(*worst));
	uint32_t *n = take(d->a, (d->env.n_links + 1) * sizeof(*n));

	UNUSED2(s, u);
	for (size_t i = 0; i < d->n_asked; i++) {
		const struct subject *x = &d->subjects[i];
		size_t out = x->egress ? (size_t)(x->egress - d->env.links) : 0;

		if (!mtu_is_short(d, x))
			continue;
		n[out]++;
		if (!worst[out] || overhead(x->encap) > overhead(worst[out]->encap))
			worst[out] = x;
	}
	for (uint32_t i = 0; i < d->env.n_links; i++) {
		const struct subject *x = worst[i];
		const struct net_link *port = x ? widest_port(d, x) : NULL;
		uint32_t more = x ? overhead(x->encap) : 0;

		if (!port)
			continue;
		remedy(d,
		       found(d, c, x, device_object(d, x->egress),
			     "%u hop%s by %s, at most %u bytes of overhead (%s, %s): %s brings packets of up to %u "
			     "bytes, %s takes %u, which leaves %u",
			     n[i], n[i] == 1 ? "" : "s", x->egress->name, more, x->label, behavior_name(x), port->name,
			     port->mtu, x->egress->name, way_mtu(x), way_mtu(x) > more ? way_mtu(x) - more : 0),
		       "ip link set dev %s mtu %u", x->egress->name, port->mtu + more);
	}
}

/* ---- the rows */

const struct check doctor_mtu_checks[] = {
	{ "mtu-route", WARNING, ON_SUBJECT, 0, mtu_route, "routes, links",
	  "the MTU of an encapsulating route is more than its way out takes",
	  "The kernel takes the overhead off the MTU of the route (or its device) and tells senders the rest. If the "
	  "packets then leave by a device that takes less, large ones are lost." },
	{ "mtu-overhead", WARNING, ON_ALL, 0, mtu_overhead, "routes, links",
	  "full-size packets do not fit once they are encapsulated",
	  "An outer IPv6 header is 40 bytes, an SRH 8 and 16 for each segment, an HMAC 40, an Ethernet header inside "
	  "14. Packets that become too large cost a \"packet too big\" message that must find its way back; frames "
	  "(H.Encaps.L2) are just lost. A larger MTU on the way out, on all links of the path, avoids it; where that "
	  "can't be, give the route an mtu." },
	{ 0 },
};

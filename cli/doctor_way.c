/* SPDX-License-Identifier: GPL-2.0-or-later */
/* srv6 doctor: Where packets go: segments, next hops, neighbours, devices. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <net/if_arp.h>

#include "doctor.h"

static const char *target_name(const struct subject *s)
{
	return encap_has(s->encap, SRV6_ATTR_SEGS) ? "first segment" : "next hop";
}

/* The route to the target that s's own hop suggests. */
static void remedy_way(struct doctor *d, struct finding *f, const struct subject *s)
{
	int family = s->target.family == AF_INET ? 4 : 6;
	bool via = s->hop->has & SRV6_HAS(VIA) && s->hop->via.family == s->target.family;
	const char *gateway = via ? text_addr(d, &s->hop->via) : "<NEXTHOP>";
	const char *dev = s->dev && !(s->dev->flags & IFF_LOOPBACK) ? s->dev->name : "<DEVICE>";

	if (s->vrf && !s->sid)
		remedy(d, f, "ip -%d route add %s via %s dev %s table %u", family, text_addr(d, &s->target), gateway,
		       dev, s->table);
	else if (encap_has(s->encap, SRV6_ATTR_LOOKUP))
		remedy(d, f, "ip -%d route add %s via %s dev %s table %u", family, text_addr(d, &s->target), gateway,
		       dev, s->encap->lookup);
	else
		remedy(d, f, "ip -%d route add %s via %s dev %s", family, text_addr(d, &s->target), gateway, dev);
}

TEST(segment_no_route)
{
	(void)u;
	if (s->target.family == AF_UNSPEC || !s->way_error)
		return;
	remedy_way(d,
		   found(d, c, s, NULL, "%s (%s): there is no way to its %s %s: %s", s->label, behavior_name(s),
			 target_name(s), text_addr(d, &s->target), strerror(-s->way_error)),
		   s);
}

static const struct srv6_hop *headend_hop(const struct srv6_op *op)
{
	const struct srv6_route *r = op->u.route;

	for (uint32_t i = 0; i < r->n_hops; i++)
		if (r->hops[i].encap && r->hops[i].encap->behavior >= SRV6_H_INSERT &&
		    r->hops[i].encap->behavior <= SRV6_H_ENCAPS_L2_RED)
			return &r->hops[i];
	return NULL;
}

#define CHAIN_MAX 16

/* Follows encapsulations from one to the next. Returns their number where they come back to s, else 0. */
static unsigned int follow_chain(struct doctor *d, const struct subject *s)
{
	const struct srv6_op *at = s->way;
	struct subject next;
	struct srv6_op *op, *mine = NULL;
	unsigned int n = 0;

	for (unsigned int i = 1; at && i < CHAIN_MAX; i++) {
		if (!headend_hop(at))
			break;
		if (!srv6_diff(s->op, at, SRV6_DIFF_IDENTITY, NULL)) {
			n = i;
			break;
		}
		make_subject(d, at, headend_hop(at), &next);
		op = NULL;
		if (next.target.family == AF_UNSPEC || find_way(d, &next, &op))
			op = NULL;
		free(mine);
		at = mine = op;
	}
	free(mine);
	return n;
}

TEST(segment_loop)
{
	unsigned int n;

	(void)u;
	if (!s->way || s->sid)
		return;
	n = follow_chain(d, s);
	if (!n)
		return;
	remedy_way(d,
		   found(d, c, s, NULL,
			 "%s (%s): the way to its first segment %s leads into the same encapsulation again%s", s->label,
			 behavior_name(s), text_addr(d, &s->target), n > 1 ? ", through others" : ""),
		   s);
}

TEST(neighbour_failed)
{
	const struct srv6_hop *h = s->way && s->way->u.route->n_hops ? &s->way->u.route->hops[0] : NULL;
	const struct srv6_prefix *addr = h && h->has & SRV6_HAS(VIA) ? &h->via : &s->target;
	const struct net_neigh *e = h && s->egress ? net_neigh(&d->env, s->egress->ifindex, addr) : NULL;

	(void)u;
	if (!e || !(e->state & (NUD_FAILED | NUD_INCOMPLETE)))
		return;
	remedy(d,
	       found(d, c, s, NULL, "%s (%s): %s on %s, on the way to its %s, does not answer", s->label,
		     behavior_name(s), text_addr(d, addr), s->egress->name, target_name(s)),
	       "ip -%d neighbour del %s dev %s", addr->family == AF_INET ? 4 : 6, text_addr(d, addr), s->egress->name);
}

TEST(hop_dead)
{
	(void)u;
	if (s->hop->flags & (RTNH_F_DEAD | RTNH_F_LINKDOWN))
		found(d, c, s, NULL, "%s: its hop by %s is %s", s->label,
		      s->dev ? s->dev->name : "a device that is gone",
		      s->hop->flags & RTNH_F_DEAD ? "dead" : "without a link");
}

static int stop_at_first(const struct srv6_op *op, void *arg)
{
	(void)op;
	*(bool *)arg = true;
	return 1;
}

static bool list_is_empty(struct doctor *d, uint32_t table, uint8_t family)
{
	struct srv6_route r = { .sz = sizeof(r), .has = SRV6_HAS(ROUTE_TABLE), .table = table };
	struct srv6_op match = { .kind = SRV6_ROUTE, .u.route = &r };
	bool any = false;

	r.dst.family = family;
	return srv6_dump(d->c->s, &match, 0, stop_at_first, &any) != -EPERM && !any;
}

/* Many SIDs share a table, and it is listed once. */
static bool table_is_empty(struct doctor *d, uint32_t table, uint8_t family)
{
	struct known_table *k;

	for (k = d->tables; k; k = k->next)
		if (k->table == table && k->family == family)
			return k->empty;
	k = take(d->a, sizeof(*k));
	*k = (struct known_table){ table, family, list_is_empty(d, table, family), d->tables };
	d->tables = k;
	return k->empty;
}

TEST(table_empty)
{
	const struct srv6_encap *e = s->encap;
	uint32_t table = encap_has(e, SRV6_ATTR_TABLE)      ? e->table
			 : encap_has(e, SRV6_ATTR_VRFTABLE) ? e->vrftable
			 : encap_has(e, SRV6_ATTR_LOOKUP)   ? e->lookup
							    : 0;
	bool in4 = e->behavior == SRV6_END_DT4 || e->behavior == SRV6_END_DT46, in6 = e->behavior != SRV6_END_DT4;

	(void)u;
	if (!table || table == RT_TABLE_MAIN || table == RT_TABLE_LOCAL)
		return;
	if ((in4 && !table_is_empty(d, table, AF_INET)) || (in6 && !table_is_empty(d, table, AF_INET6)))
		return;
	remedy(d,
	       found(d, c, s, NULL, "%s (%s): table %u, where it looks packets up, has no routes", s->label,
		     behavior_name(s), table),
	       "ip -%d route add <PREFIX> via <NEXTHOP> table %u", in6 ? 6 : 4, table);
}

/* ---- segments */

static const char *no_segment(const struct in6_addr *a)
{
	if (IN6_IS_ADDR_UNSPECIFIED(a))
		return "the unspecified address";
	if (IN6_IS_ADDR_MULTICAST(a))
		return "a multicast address";
	if (IN6_IS_ADDR_LOOPBACK(a))
		return "the loopback address";
	return IN6_IS_ADDR_V4MAPPED(a) ? "an IPv4-mapped address" : NULL;
}

static void remedy_segments(struct doctor *d, struct finding *f, const struct subject *s)
{
	struct in6_addr *segs = take(d->a, (s->encap->n_segs + 1) * sizeof(*segs));
	struct edit e = edit(d, s, SRV6_REPLACE);
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->encap->n_segs; i++)
		if (!no_segment(&s->encap->segs[i]))
			segs[n++] = s->encap->segs[i];
	if (!n || !e.op)
		return;
	e.encap->has &= ~SRV6_HAS(RAW_SRH); /* it is made anew of the segments */
	e.encap->segs = segs;
	e.encap->n_segs = n;
	remedy_op(d, f, e.op);
}

TEST(segment_invalid)
{
	(void)u;
	for (uint32_t i = 0; encap_has(s->encap, SRV6_ATTR_SEGS) && i < s->encap->n_segs; i++) {
		const struct in6_addr *a = &s->encap->segs[i];

		if (!no_segment(a))
			continue;
		remedy_segments(d,
				found(d, c, s, NULL,
				      "%s (%s): segment %u of %u, %s, is %s, which no packet can be sent to", s->label,
				      behavior_name(s), i + 1, s->encap->n_segs, text_in6(d, a), no_segment(a)),
				s);
		return;
	}
}

TEST(segment_link_local)
{
	(void)u;
	for (uint32_t i = 0; encap_has(s->encap, SRV6_ATTR_SEGS) && i < s->encap->n_segs; i++)
		if (IN6_IS_ADDR_LINKLOCAL(&s->encap->segs[i]))
			found(d, c, s, NULL,
			      "%s (%s): segment %u of %u, %s, is link-local, and packets to it are not forwarded",
			      s->label, behavior_name(s), i + 1, s->encap->n_segs, text_in6(d, &s->encap->segs[i]));
}

TEST(nexthop_link_local)
{
	const struct srv6_encap *e = s->encap;
	struct finding *f;
	struct edit x;

	(void)u;
	if (!encap_has(e, SRV6_ATTR_NH6) || !IN6_IS_ADDR_LINKLOCAL(&e->nh6) || encap_has(e, SRV6_ATTR_OIF))
		return;
	f = found(d, c, s, NULL, "%s (%s): next hop %s is link-local, and %s", s->label, behavior_name(s),
		  text_in6(d, &e->nh6),
		  e->behavior != SRV6_END_X           ? "this behavior can't be told the device"
		  : net_kernel_before(&d->env, 6, 17) ? "kernels before 6.17 can't be told the device"
						      : "no oif says on which device");
	x = edit(d, s, SRV6_REPLACE);
	if (e->behavior != SRV6_END_X || net_kernel_before(&d->env, 6, 17) || !x.op || !s->dev)
		return;
	x.encap->has |= SRV6_HAS(OIF);
	x.encap->oif = s->dev->ifindex;
	remedy_op(d, f, x.op);
}

/*
 * The kernel looks nh4 up, but the route it finds has no address of its own: without a gateway it asks the link for the
 * destination of the packet.
 */
TEST(dx4_on_link)
{
	const struct srv6_route *r = s->way ? s->way->u.route : NULL;
	const char *hop;
	struct finding *f;

	(void)u;
	if (s->encap->behavior != SRV6_END_DX4 || !r || r->n_hops != 1 || r->hops[0].has & SRV6_HAS(VIA))
		return;
	if (!s->egress || s->egress->flags & (IFF_NOARP | IFF_LOOPBACK) ||
	    (r->has & SRV6_HAS(TYPE) && r->type != RTN_UNICAST))
		return;
	hop = text_addr(d, &s->target);
	f = found(d, c, s, NULL,
		  "%s (%s): next hop %s is on the link of %s, where the kernel then looks for the packet's own "
		  "destination instead",
		  s->label, behavior_name(s), hop, s->egress->name);
	remedy(d, f, "ip -4 route replace %s/32 via %s dev %s onlink", hop, hop, s->egress->name);
}

/* ---- devices */

TEST(oif_unfit)
{
	const struct net_link *l = net_link(&d->env, s->encap->oif);

	(void)u;
	if (!encap_has(s->encap, SRV6_ATTR_OIF))
		return;
	if (!l)
		found(d, c, s, NULL, "%s (%s): its oif, interface %u, does not exist any more", s->label,
		      behavior_name(s), s->encap->oif);
	else if (s->encap->behavior == SRV6_END_DX2 && l->arptype != ARPHRD_ETHER)
		found(d, c, s, NULL, "%s (%s): its oif %s is no Ethernet device", s->label, behavior_name(s), l->name);
}

TEST(device_down)
{
	(void)s;
	if (!(u->link->flags & IFF_UP))
		remedy(d,
		       found(d, c, u->by, device_object(d, u->link), "%s, %s of %s, is down", u->link->name, u->as,
			     u->by->label),
		       "ip link set dev %s up", u->link->name);
}

TEST(no_carrier)
{
	(void)s;
	if ((u->link->flags & IFF_UP) && !net_link_carrier(u->link))
		found(d, c, u->by, device_object(d, u->link), "%s, %s of %s, has no carrier", u->link->name, u->as,
		      u->by->label);
}

TEST(ipv6_disabled)
{
	char path[96];
	int value = 0;

	(void)s;
	if (!u->needs_ipv6 || !read_conf(d, "ipv6", u->link, "disable_ipv6", &value) || !value)
		return;
	snprintf(path, sizeof(path), "ipv6/conf/%s/disable_ipv6", u->link->name);
	remedy_sysctl(d,
		      found(d, c, u->by, device_object(d, u->link), "IPv6 is disabled on %s, %s of %s", u->link->name,
			    u->as, u->by->label),
		      path, 0);
}

#define MTU_MIN 1280 /* RFC 8200 5; Linux takes IPv6 away from a device below it */

TEST(mtu_small)
{
	(void)s;
	if (u->needs_ipv6 && u->link->mtu < MTU_MIN)
		remedy(d,
		       found(d, c, u->by, device_object(d, u->link),
			     "%s, %s of %s, has an MTU of %u: below %u there is no IPv6", u->link->name, u->as,
			     u->by->label, u->link->mtu, MTU_MIN),
		       "ip link set dev %s mtu %u", u->link->name, MTU_MIN);
}

/* ---- the rows */

const struct check doctor_way_checks[] = {
	{ "segment-invalid", ERROR, ON_SUBJECT, CHECK_BY_NAME, segment_invalid, "routes",
	  "a segment that no packet can be sent to",
	  "The kernel takes any address as a segment. '::' is what some programs leave where they had no SID." },
	{ "segment-link-local", ERROR, ON_SUBJECT, 0, segment_link_local, "routes", "a segment is link-local",
	  "Link-local addresses are never forwarded to, so the packet ends at the node that should send it there." },
	{ "segment-no-route", ERROR, ON_SUBJECT, 0, segment_no_route, "routes, rules",
	  "no route to the first segment or the next hop",
	  "After the encapsulation the kernel looks up the first segment; the route's own gateway does not count. "
	  "Without a route the packet is dropped." },
	{ "segment-loop", ERROR, ON_SUBJECT, 0, segment_loop, "routes, rules",
	  "the first segment is reached through the same encapsulation",
	  "The encapsulated packet matches the route again and is encapsulated until it is too large, and dropped. A "
	  "more specific plain route to the first segment breaks the loop." },
	{ "neighbour-failed", WARNING, ON_SUBJECT, 0, neighbour_failed, "routes, neighbours",
	  "the next hop does not answer",
	  "Neighbour discovery got no answer, so packets wait or are dropped. Deleting the entry makes the kernel ask "
	  "again; if it fails again, the other end, the link or the address is wrong." },
	{ "hop-dead", WARNING, ON_SUBJECT, 0, hop_dead, "routes, nexthops", "a hop of a route is dead",
	  "The kernel does not use it; where it is the only one the route is out of work." },
	{ "nexthop-link-local", ERROR, ON_SUBJECT, 0, nexthop_link_local, "routes, kernel",
	  "a link-local next hop without a device",
	  "A link-local address means nothing without the device: the lookup fails and packets are dropped. End.X "
	  "takes oif from Linux 6.17 on; older kernels drop the attribute and say nothing." },
	{ "dx4-on-link", WARNING, ON_SUBJECT, 0, dx4_on_link, "routes",
	  "the next hop of End.DX4 is not behind a gateway",
	  "With a next hop that is on the link itself Linux sends an ARP request for the destination of the packet "
	  "inside, not for the next hop. Packets for hosts of that link arrive, all others are lost. A route to the "
	  "next hop that has it as its own gateway makes the kernel ask for the right address." },
	{ "table-empty", WARNING, ON_SUBJECT, 0, table_empty, "routes",
	  "a behavior looks packets up in a table without routes",
	  "The kernel takes any table number, and drops packets for which the table has no route." },

	/* devices */
	{ "oif-unfit", ERROR, ON_SUBJECT, 0, oif_unfit, "routes, links", "the oif of a SID is gone or unfit",
	  "The kernel checks oif only when packets come: End.DX2 needs an Ethernet device that is up. A device that "
	  "was made again has another index, and the SID has to be installed again." },
	{ "device-down", ERROR, ON_DEVICE, 0, device_down, "links", "a device that SRv6 depends on is down",
	  "No packet gets through it." },
	{ "no-carrier", WARNING, ON_DEVICE, 0, no_carrier, "links", "a device that SRv6 depends on has no carrier",
	  "It is up here, but its other end is not." },
	{ "ipv6-disabled", ERROR, ON_DEVICE, 0, ipv6_disabled, "ipv6/conf/*/disable_ipv6",
	  "IPv6 is disabled on a device that SRv6 depends on",
	  "SRv6 packets are IPv6 packets; IPv6 routes can't be installed on such a device, and IPv4 routes that "
	  "encapsulate may stand there idle." },
	{ "mtu-small", ERROR, ON_DEVICE, 0, mtu_small, "links", "a device that SRv6 depends on has an MTU below 1280",
	  "IPv6 asks for 1280 bytes on every link. Linux removes IPv6 from a device below that, and some older kernels "
	  "crash on SRv6 packets that come in there (CVE-2026-23442)." },
	{ 0 },
};

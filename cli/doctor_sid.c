/* SPDX-License-Identifier: GPL-2.0-or-later */
/* srv6 doctor: SIDs: the VRFs they need, what stands in front of them, their counters. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/fib_rules.h>
#include <linux/rtnetlink.h>
#include <net/if.h>

#include "doctor.h"

/* ---- what was asked about */

TEST(not_found)
{
	UNUSED2(s, u);
	if (d->wanted.family && !d->n_asked && !is_local_addr(d, &d->wanted))
		found(d, c, NULL, text_prefix(d, &d->wanted),
		      "%s: no route with an SRv6 encapsulation and no SID holds it", text_prefix(d, &d->wanted));
	else if (!d->wanted.family && d->wanted_table && !d->n_asked)
		found(d, c, NULL, NULL, "table %u: there is no route with an SRv6 encapsulation and no SID",
		      d->wanted_table);
}

/* ---- VRFs */

static const struct subject *uses_vrf(const struct doctor *d)
{
	for (size_t i = 0; i < d->n_asked; i++)
		if (encap_has(d->subjects[i].encap, SRV6_ATTR_VRFTABLE))
			return &d->subjects[i];
	return NULL;
}

TEST(vrf_strict_off)
{
	const struct subject *user = uses_vrf(d);
	int value = 1;

	UNUSED2(s, u);
	if (!user)
		return;
	if (!net_sysctl("vrf/strict_mode", &value) && !value)
		remedy_sysctl(
			d,
			found(d, c, user, NULL,
			      "net.vrf.strict_mode is 0: %s works on, but no SID with vrftable can be installed again",
			      user->label),
			"vrf/strict_mode", 1);
}

/* s again, on a device that an earlier command of the remedy makes: it has a name and no index yet. */
static void remedy_on_new(struct doctor *d, struct finding *f, const struct subject *s, const char *name)
{
	struct edit e = edit(d, s, SRV6_REPLACE);
	const char *words = e.op ? op_words(d, e.op) : NULL;
	const char *old = s->dev ? take_printf(d->a, " dev %s", s->dev->name) : NULL;
	const char *at = words && old ? strstr(words, old) : NULL;

	if (at)
		remedy(d, f, "srv6 %.*s dev %s%s", (int)(at - words), words, name, at + strlen(old));
}

TEST(vrf_missing)
{
	uint32_t table = s->encap->vrftable;
	struct finding *f;

	(void)u;
	if (!encap_has(s->encap, SRV6_ATTR_VRFTABLE) || net_vrf(&d->env, table))
		return;
	f = found(d, c, s, NULL, "%s (%s) decapsulates into the VRF of table %u, and no VRF is bound to it", s->label,
		  behavior_name(s), table);
	remedy_sysctl(d, f, "vrf/strict_mode", 1);
	remedy(d, f, "ip link add vrf%u type vrf table %u", table, table);
	remedy(d, f, "ip link set dev vrf%u up", table);
	remedy_on_new(d, f, s, take_printf(d->a, "vrf%u", table));
}

static bool outside_vrf(const struct doctor *d, const struct subject *s)
{
	const struct net_link *vrf = net_vrf(&d->env, s->encap->vrftable);

	return encap_has(s->encap, SRV6_ATTR_VRFTABLE) && vrf && s->dev && vrf_of(d, s->dev) != vrf;
}

/*
 * The kernel keeps the interface index of the VRF that it found when the SID was installed, and does not show it.
 * A SID on the VRF device goes with it; one on another device stays, dropping packets, and only its errors tell.
 */
TEST(vrf_recreated)
{
	const struct net_link *vrf = net_vrf(&d->env, s->encap->vrftable);

	(void)u;
	if (outside_vrf(d, s) && encap_has(s->encap, SRV6_ATTR_COUNT) && s->encap->counters.errors)
		remedy_again(d,
			     found(d, c, s, NULL,
				   "%s (%s) counts %llu errors, and its device %s is not that of VRF %s: the VRF was "
				   "probably deleted and made again after the SID was installed",
				   s->label, behavior_name(s), (unsigned long long)s->encap->counters.errors,
				   s->dev->name, vrf->name),
			     s, vrf->ifindex);
}

TEST(sid_outside_vrf)
{
	const struct net_link *vrf = net_vrf(&d->env, s->encap->vrftable);

	(void)u;
	if (outside_vrf(d, s))
		remedy_again(d,
			     found(d, c, s, NULL, "%s (%s, vrftable %u) is on device %s and not in VRF %s", s->label,
				   behavior_name(s), s->encap->vrftable, s->dev->name, vrf->name),
			     s, vrf->ifindex);
}

/* ---- SIDs */

static bool is_csid(const struct subject *s)
{
	return encap_has(s->encap, SRV6_ATTR_FLAVORS) && s->encap->flavors & SRV6_FLAVOR_NEXT_CSID;
}

/*
 * An address in a node's own next-csid prefix, with nothing where the next C-SID would be, such as fcbb:bbbb:1::1: a
 * node's usual address. The list of C-SIDs has ended there, so nothing is taken from the behavior.
 */
static bool beside_csids(const struct subject *s, const struct net_addr *a)
{
	const uint8_t *bytes = a->prefix.addr.in6.s6_addr;
	unsigned int at = s->route->dst.len / 8;

	return is_csid(s) && s->route->dst.len % 8 == 0 && at + 2 < 16 && !bytes[at] && !bytes[at + 1];
}

/* An address in a VRF is local there alone. */
static bool shadows(const struct doctor *d, const struct subject *s, const struct net_addr *a)
{
	const struct net_link *vrf = vrf_of(d, net_link(&d->env, a->ifindex));

	return net_contains(&s->route->dst, &a->prefix) && (!vrf || vrf == s->vrf) && !beside_csids(s, a);
}

TEST(sid_shadowed)
{
	struct finding *f;

	(void)u;
	for (uint32_t i = 0; i < d->env.n_addrs && s->sid; i++) {
		const struct net_addr *a = &d->env.addrs[i];
		const struct net_link *l = net_link(&d->env, a->ifindex);

		if (!l || !shadows(d, s, a))
			continue;
		if (s->route->dst.len == 128)
			f = found(d, c, s, NULL, "%s is shadowed by the local address on %s: %s never runs", s->label,
				  l->name, behavior_name(s));
		else
			f = found(d, c, s, NULL,
				  "%s covers %s, a local address on %s: packets to that address do not reach %s",
				  s->label, text_addr(d, &a->prefix), l->name, behavior_name(s));
		f->severity = s->route->dst.len == 128 ? ERROR : INFO;
		remedy(d, f, "ip -6 address del %s/%u dev %s", text_addr(d, &a->prefix), a->prefix.len, l->name);
	}
}

static const struct net_link *other_device(const struct doctor *d, const struct subject *s)
{
	const struct net_link *vrf = net_vrf(&d->env, s->encap->vrftable);

	if (vrf)
		return vrf;
	if (s->egress && !(s->egress->flags & IFF_LOOPBACK))
		return s->egress;
	for (uint32_t i = 0; i < d->env.n_links; i++)
		if (is_port(d, &d->env.links[i]) && d->env.links[i].ipv6 && vrf_of(d, &d->env.links[i]) == s->vrf)
			return &d->env.links[i];
	return NULL;
}

static void on_lo(struct doctor *d, const struct check *c, const struct subject *s)
{
	bool unicast = !(s->route->has & SRV6_HAS(TYPE)) || s->route->type == RTN_UNICAST;
	const struct net_link *other;
	struct finding *f;

	if (!s->dev || !(s->dev->flags & IFF_LOOPBACK) || s->route->dst.family != AF_INET6 || !unicast)
		return;
	other = other_device(d, s);
	f = found(d, c, s, NULL, "%s (%s) is on %s, where the kernel answers \"unreachable\" and does not run it",
		  s->label, behavior_name(s), s->dev->name);
	if (other)
		remedy_again(d, f, s, other->ifindex);
	else
		remedy(d, f, "ip link add sr0 type dummy");
}

TEST(sid_on_lo)
{
	(void)u;
	if (s->sid)
		on_lo(d, c, s);
}

TEST(route_on_lo)
{
	(void)u;
	if (!s->sid)
		on_lo(d, c, s);
}

static bool leads_to(const struct net_rule *r, const struct subject *s)
{
	if (r->family != s->route->dst.family || r->action != FR_ACT_TO_TBL)
		return false;
	if (r->l3mdev)
		return s->vrf != NULL;
	if (r->table != s->table)
		return false;
	return !r->dst.family || !r->dst.len || net_contains(&r->dst, &s->route->dst) ||
	       net_contains(&s->route->dst, &r->dst);
}

TEST(table_no_rule)
{
	int family = s->route->dst.family == AF_INET ? 4 : 6;

	(void)u;
	for (uint32_t i = 0; i < d->env.n_rules; i++)
		if (leads_to(&d->env.rules[i], s))
			return;
	remedy(d, found(d, c, s, NULL, "%s: no rule leads to table %u for it", s->label, s->table),
	       "ip -%d rule add to %s lookup %u", family, text_prefix(d, &s->route->dst), s->table);
}

static void prefix_as(struct doctor *d, struct finding *f, const struct subject *s, uint8_t len)
{
	struct edit del = edit(d, s, SRV6_DEL), add = edit(d, s, SRV6_ADD);

	if (!add.route || !del.op)
		return;
	add.route->dst.len = len;
	for (uint32_t bit = len; bit < 128; bit++)
		add.route->dst.addr.in6.s6_addr[bit / 8] &= (uint8_t) ~(0x80u >> (bit % 8));
	remedy_op(d, f, add.op);
	remedy_op(d, f, del.op);
}

/* The kernel shifts by lblen and nflen whatever the prefix is; of the two the lengths are easier to get wrong. */
TEST(prefix_length)
{
	const struct srv6_encap *e = s->encap;
	unsigned int lblen = encap_has(e, SRV6_ATTR_LBLEN) ? e->lblen : 32,
		     nflen = encap_has(e, SRV6_ATTR_NFLEN) ? e->nflen : 16;
	unsigned int len = s->route->dst.len, fits = len > lblen ? len - lblen : 0;
	struct finding *f;
	struct edit x;

	(void)u;
	if (!is_csid(s) || len == lblen + nflen)
		return;
	f = found(d, c, s, NULL, "%s (%s, next-csid): its prefix has %u bits, lblen and nflen come to %u + %u = %u",
		  s->label, behavior_name(s), len, lblen, nflen, lblen + nflen);
	x = edit(d, s, SRV6_REPLACE);
	if (len < 128 && fits >= 8 && fits <= 120 && fits % 8 == 0 && x.op) {
		x.encap->has |= SRV6_HAS(LBLEN) | SRV6_HAS(NFLEN);
		x.encap->lblen = (uint8_t)lblen;
		x.encap->nflen = (uint8_t)fits;
		remedy_op(d, f, x.op);
	} else {
		prefix_as(d, f, s, (uint8_t)(lblen + nflen));
	}
}

static int by_place(const void *a, const void *b)
{
	const struct subject *x = *(const struct subject *const *)a, *y = *(const struct subject *const *)b;
	int cmp = memcmp(&x->route->dst.addr, &y->route->dst.addr, sizeof(x->route->dst.addr.in6));

	if (x->table != y->table)
		return x->table < y->table ? -1 : 1;
	if (cmp)
		return cmp;
	if (x->route->dst.len != y->route->dst.len)
		return x->route->dst.len - y->route->dst.len;
	return (x->route->metric > y->route->metric) - (x->route->metric < y->route->metric);
}

static void overlap(struct doctor *d, const struct check *c, const struct subject *outer, const struct subject *inner)
{
	struct edit e = edit(d, inner, SRV6_DEL), same = edit(d, inner, SRV6_DEL);
	struct finding *f;

	if (outer->route->dst.len == inner->route->dst.len) {
		f = found(d, c, inner, NULL, "%s stands twice: %s with metric %u never runs, %s with metric %u does",
			  inner->label, behavior_name(inner), inner->route->metric, behavior_name(outer),
			  outer->route->metric);
		remedy_op(d, f, same.op);
		return;
	}
	f = found(d, c, inner, NULL, "%s (%s) lies in %s (%s): packets to it never reach the latter", inner->label,
		  behavior_name(inner), outer->label, behavior_name(outer));
	remedy_op(d, f, e.op);
}

static bool asked(const struct doctor *d, const struct subject *s)
{
	return (size_t)(s - d->subjects) < d->n_asked;
}

/* With next-csid functions lie in their node's prefix by design. Sorted, what holds an entry stands before it. */
TEST(sid_overlap)
{
	const struct subject **sids = take(d->a, (d->n_subjects + 1) * sizeof(*sids)), *outer = NULL;
	size_t n = 0;

	UNUSED2(s, u);
	for (size_t i = 0; i < d->n_subjects; i++)
		if (d->subjects[i].sid)
			sids[n++] = &d->subjects[i];
	sort_rows(sids, n, sizeof(*sids), by_place);
	for (size_t i = 0; i < n; i++) {
		if (!outer || outer->table != sids[i]->table ||
		    !net_contains(&outer->route->dst, &sids[i]->route->dst)) {
			outer = sids[i];
			continue;
		}
		if (outer->op == sids[i]->op || (is_csid(outer) && outer->route->dst.len != sids[i]->route->dst.len))
			continue;
		if (asked(d, outer) || asked(d, sids[i]))
			overlap(d, c, outer, sids[i]);
	}
}

/* ---- counters */

#define WATCHED  64
#define WATCH_US 300000 /* how long counters are watched for a rise */

struct watch {
	const struct subject *s;
	uint64_t now;
};

struct watches {
	struct watch w[WATCHED];
	size_t n;
};

static int look_again(const struct srv6_op *op, void *arg)
{
	struct watches *all = arg;
	const struct srv6_route *r = op->u.route;

	for (size_t i = 0; i < all->n; i++) {
		if (srv6_diff(all->w[i].s->op, op, SRV6_DIFF_IDENTITY, NULL))
			continue;
		for (uint32_t j = 0; j < r->n_hops; j++)
			if (r->hops[j].encap && !srv6_diff_encap(all->w[i].s->encap, r->hops[j].encap, 0, NULL))
				all->w[i].now = r->hops[j].encap->counters.errors;
	}
	return 0;
}

/* What makes a behavior count an error instead of a packet. */
static const char *likely(const struct subject *s)
{
	switch (s->encap->behavior) {
	case SRV6_END:
	case SRV6_END_X:
	case SRV6_END_T:
		return is_csid(s) ? "packets whose argument is used up and that have no SRH, or a failed HMAC check"
				  : "packets without an SRH or with no segments left: this is their last segment and "
				    "should be an End.D* SID there, or a failed HMAC check";
	case SRV6_END_B6:
	case SRV6_END_B6_ENCAPS:
		return "packets without an SRH or with no segments left, or a failed HMAC check";
	case SRV6_END_DT4:
	case SRV6_END_DT46:
	case SRV6_END_DX4:
		return "packets with segments left, an inner packet of another family, a VRF that was made again, or a "
		       "failed HMAC check";
	case SRV6_END_DX2:
		return "packets with segments left, no frame inside, or a frame that oif can't send";
	default:
		return "packets with segments left, an inner packet of another family, or a failed HMAC check";
	}
}

static void tell_errors(struct doctor *d, const struct check *c, const struct watch *w)
{
	uint64_t before = w->s->encap->counters.errors, rise = w->now > before ? w->now - before : 0;
	struct finding *f;

	f = found(d, c, w->s, NULL,
		  "%s (%s) counts %llu errors beside %llu packets, %s%llu more within %.1f s; likely: %s", w->s->label,
		  behavior_name(w->s), (unsigned long long)before, (unsigned long long)w->s->encap->counters.packets,
		  rise ? "and rising: " : "", (unsigned long long)rise, WATCH_US / 1e6, likely(w->s));
	if (!rise)
		f->severity = INFO;
	remedy_again(d, f, w->s, 0);
}

TEST(sid_errors)
{
	struct srv6_op match = { .kind = SRV6_ROUTE };
	struct watches *all = take(d->a, sizeof(*all));

	UNUSED2(s, u);
	for (size_t i = 0; i < d->n_asked && all->n < WATCHED; i++)
		if (encap_has(d->subjects[i].encap, SRV6_ATTR_COUNT) && d->subjects[i].encap->counters.errors)
			all->w[all->n++] = (struct watch){ &d->subjects[i], 0 };
	if (!all->n)
		return;
	usleep(WATCH_US);
	srv6_dump(d->c->s, &match, SRV6_DUMP_ENCAP, look_again, all);
	for (size_t i = 0; i < all->n; i++)
		tell_errors(d, c, &all->w[i]);
}

/* ---- the rows */

static const char why_lo[] = "The kernel makes a reject route of an IPv6 route on the loopback device: the "
			     "encapsulation is stored and shown, but packets get \"destination unreachable\" and "
			     "counters stay at 0. Any other device will do for a SID.";

const struct check doctor_sid_checks[] = {
	{ "not-found", ERROR, ON_ALL, 0, not_found, "routes", "what was asked about is not there",
	  "Nothing in this namespace's tables does SRv6 for it. Another namespace (-n), another table, or it was never "
	  "installed." },

	/* VRFs */
	{ "vrf-strict-off", WARNING, ON_ALL, 0, vrf_strict_off, "routes, vrf/strict_mode", "VRF strict mode is off",
	  "The kernel refuses to install a SID with vrftable (\"Strict mode for VRF is disabled\") while "
	  "net.vrf.strict_mode is 0: after a restart of whoever installs it, it is missing." },
	{ "vrf-missing", ERROR, ON_SUBJECT, 0, vrf_missing, "routes, links", "no VRF is bound to the table of a SID",
	  "The SID decapsulates into the VRF that was bound to the table when it was installed; without it packets are "
	  "dropped. The SID has to be installed again once the VRF is there." },
	{ "vrf-recreated", WARNING, ON_SUBJECT, 0, vrf_recreated, "routes, counters, links",
	  "a VRF seems to have been made again after its SID was installed",
	  "The kernel keeps the interface index of the VRF in the SID and does not show it. A SID on another device "
	  "than the VRF outlives the VRF and drops everything, though what is shown did not change. Installing it "
	  "again mends it; on the VRF's own device it would have gone with the VRF." },
	{ "sid-outside-vrf", WARNING, ON_SUBJECT, 0, sid_outside_vrf, "routes, links",
	  "a SID with vrftable is on a device outside the VRF",
	  "When the VRF is deleted such a SID stays and drops packets, even once a VRF of the same table is back." },

	/* SIDs */
	{ "sid-shadowed", ERROR, ON_SUBJECT, CHECK_BY_NAME, sid_shadowed, "routes, addresses",
	  "a local address stands in front of a SID",
	  "Table local comes before all others: packets to the address are delivered to the host, and the behavior "
	  "never runs." },
	{ "sid-on-lo", ERROR, ON_SUBJECT, 0, sid_on_lo, "routes, links", "a SID is on the loopback device", why_lo },
	{ "route-on-lo", ERROR, ON_SUBJECT, 0, route_on_lo, "routes, links",
	  "an encapsulating route is on the loopback device", why_lo },
	{ "table-no-rule", ERROR, ON_SUBJECT, 0, table_no_rule, "routes, rules, VRFs",
	  "a SID or route is in a table that no rule leads to",
	  "Only tables that a policy rule or a VRF leads to are looked at." },
	{ "prefix-length", WARNING, ON_SUBJECT, 0, prefix_length, "routes",
	  "the prefix of a compressed SID does not match lblen + nflen",
	  "The kernel does not compare them. It shifts the rest of the address over nflen bits behind the first lblen: "
	  "with a wrong sum the node's own function stays in the address, or the next one is cut." },
	{ "sid-overlap", WARNING, ON_ALL, CHECK_BY_NAME, sid_overlap, "routes", "SIDs overlap",
	  "The longer prefix, or the smaller metric, wins; the other behavior never sees those packets." },
	{ "sid-errors", WARNING, ON_ALL, 0, sid_errors, "counters", "a SID counts errors",
	  "Each is a packet that the behavior dropped. Once the cause is gone, installing the SID again starts its "
	  "counters at 0." },
	{ 0 },
};

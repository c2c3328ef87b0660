/* SPDX-License-Identifier: GPL-2.0-or-later */
/* srv6 doctor: The tunnel source, and whether FRR sets it. */
#include <errno.h>
#include <string.h>

#include <linux/if_addr.h>
#include <linux/rtnetlink.h>
#include <net/if.h>

#include "doctor.h"

static bool unset(const struct in6_addr *a)
{
	return IN6_IS_ADDR_UNSPECIFIED(a);
}

/* How well an address would do as a tunnel source. Addresses of lo stay, whatever becomes of the links. */
static int rank(const struct doctor *d, const struct net_addr *a)
{
	const struct net_link *l = net_link(&d->env, a->ifindex), *out = NULL;

	if (!l || a->prefix.family != AF_INET6 || a->scope != RT_SCOPE_UNIVERSE ||
	    a->flags & (IFA_F_TENTATIVE | IFA_F_DADFAILED | IFA_F_DEPRECATED | IFA_F_TEMPORARY))
		return -1;
	if (vrf_of(d, l))
		return 0;
	for (size_t i = 0; i < d->n_asked && !out; i++)
		out = encapsulates(&d->subjects[i]) ? d->subjects[i].egress : NULL;
	if (l->flags & IFF_LOOPBACK || !strcmp(l->kind, "dummy"))
		return 3;
	if (l == out)
		return 2;
	return 1;
}

static const char *best_source(struct doctor *d)
{
	const struct net_addr *best = NULL;

	for (uint32_t i = 0; i < d->env.n_addrs; i++)
		if (rank(d, &d->env.addrs[i]) >= 0 && (!best || rank(d, &d->env.addrs[i]) > rank(d, best)))
			best = &d->env.addrs[i];
	return best ? text_addr(d, &best->prefix) : "<ADDRESS>";
}

static bool lacks_source(const struct doctor *d, const struct subject *s)
{
	return encapsulates(s) && !encap_has(s->encap, SRV6_ATTR_TUNSRC) && !d->tunsrc_error && unset(&d->tunsrc);
}

static uint32_t count_in6(const struct doctor *d)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < d->env.n_addrs; i++)
		n += d->env.addrs[i].prefix.family == AF_INET6;
	return n;
}

static size_t count_lacking(const struct doctor *d, const struct subject **first)
{
	size_t n = 0;

	for (size_t i = 0; i < d->n_asked; i++) {
		if (!lacks_source(d, &d->subjects[i]))
			continue;
		if (!n++)
			*first = &d->subjects[i];
	}
	return n;
}

TEST(tunsrc_unset)
{
	const struct subject *first = NULL;
	size_t n = count_lacking(d, &first);
	struct finding *f;

	UNUSED2(s, u);
	if (!n)
		return;
	f = found(d, c, NULL, "tunsrc",
		  "%zu hop%s (first: %s, %s) encapsulate%s with no tunnel source: for every packet the kernel searches "
		  "%u addresses of this namespace for one; \"srv6 perf tunsrc\" measures it here",
		  n, n == 1 ? "" : "s", first->label, behavior_name(first), n == 1 ? "s" : "", count_in6(d));
	remedy(d, f, "srv6 tunsrc set %s", best_source(d));
}

/* What a tunnel source must not be; NULL: it is fine. */
static const char *unusable(const struct in6_addr *a)
{
	if (IN6_IS_ADDR_MULTICAST(a))
		return "a multicast address: receivers drop packets from it";
	if (IN6_IS_ADDR_V4MAPPED(a))
		return "an IPv4-mapped address: receivers drop packets from it";
	if (IN6_IS_ADDR_LOOPBACK(a))
		return "the loopback address: receivers drop packets from it";
	if (IN6_IS_ADDR_LINKLOCAL(a))
		return "a link-local address: it means nothing behind the first link, and no error message comes back "
		       "to it";
	return NULL;
}

/* The command that gives the namespace, or s's encapsulation, another source. */
static void remedy_source(struct doctor *d, struct finding *f, const struct subject *s)
{
	const char *source = best_source(d);
	struct srv6_prefix p;
	struct edit e;

	if (!s) {
		remedy(d, f, "srv6 tunsrc set %s", source);
		return;
	}
	e = edit(d, s, SRV6_REPLACE);
	if (!e.op || value_prefix(source, strlen(source), AF_INET6, &p))
		return;
	e.encap->tunsrc = p.addr.in6;
	remedy_op(d, f, e.op);
}

/* Calls judge for the namespace's source, and for each route's own. */
static void each_source(struct doctor *d, const struct check *c,
			void (*judge)(struct doctor *d, const struct check *c, const struct subject *s,
				      const struct in6_addr *a))
{
	bool uses = !d->wanted.family && !d->wanted_table;

	for (size_t i = 0; i < d->n_asked; i++) {
		const struct subject *s = &d->subjects[i];

		if (encap_has(s->encap, SRV6_ATTR_TUNSRC))
			judge(d, c, s, &s->encap->tunsrc);
		else
			uses |= encapsulates(s);
	}
	if (uses && !d->tunsrc_error && !unset(&d->tunsrc))
		judge(d, c, NULL, &d->tunsrc);
}

static void judge_unusable(struct doctor *d, const struct check *c, const struct subject *s, const struct in6_addr *a)
{
	const char *why = unusable(a);

	if (why)
		remedy_source(d,
			      found(d, c, s, s ? NULL : "tunsrc", "%s: the tunnel source %s is %s",
				    s ? s->label : "namespace", text_in6(d, a), why),
			      s);
}

TEST(tunsrc_unusable)
{
	UNUSED2(s, u);
	each_source(d, c, judge_unusable);
}

/* Who sends with the namespace's source, by a device that is not in vrf: answers come in where it is not local. */
static const struct subject *leaves_elsewhere(const struct doctor *d, const struct net_link *vrf)
{
	for (size_t i = 0; i < d->n_asked; i++) {
		const struct subject *s = &d->subjects[i];

		if (encapsulates(s) && !encap_has(s->encap, SRV6_ATTR_TUNSRC) && s->egress &&
		    vrf_of(d, s->egress) != vrf)
			return s;
	}
	return NULL;
}

static void judge_foreign(struct doctor *d, const struct check *c, const struct subject *s, const struct in6_addr *a)
{
	struct srv6_prefix p = net_in6(a);
	const struct net_addr *addr = net_addr(&d->env, &p);
	const struct net_link *vrf = addr ? vrf_of(d, net_link(&d->env, addr->ifindex)) : NULL;
	const struct subject *sender = s ? s : leaves_elsewhere(d, vrf);
	const char *who = s ? s->label : "namespace", *object = s ? NULL : "tunsrc";
	struct finding *f = NULL;

	if (unusable(a))
		return;
	if (!addr)
		f = found(d, c, s, object, "%s: the tunnel source %s is no address of this namespace", who,
			  text_in6(d, a));
	else if (addr->flags & (IFA_F_TENTATIVE | IFA_F_DADFAILED))
		f = found(d, c, s, object,
			  "%s: the tunnel source %s is not usable here: duplicate address detection %s", who,
			  text_in6(d, a),
			  addr->flags & IFA_F_DADFAILED ? "found it in use elsewhere" : "has not ended");
	else if (vrf && sender && sender->egress && vrf_of(d, sender->egress) != vrf)
		f = found(d, c, s, object, "%s: the tunnel source %s belongs to VRF %s, but packets of %s leave by %s",
			  who, text_in6(d, a), vrf->name, sender->label, sender->egress->name);
	if (f)
		remedy_source(d, f, s);
}

TEST(tunsrc_foreign)
{
	UNUSED2(s, u);
	each_source(d, c, judge_foreign);
}

/* FRR sets the tunnel source only where its configuration names one. */
TEST(frr_no_source)
{
	const struct net_frr *frr = &d->env.frr;
	bool any = false;
	struct finding *f;

	UNUSED2(s, u);
	for (size_t i = 0; i < d->n_asked; i++)
		any |= encapsulates(&d->subjects[i]);
	if (!any || !frr->pid || frr->source == 1)
		return;
	if (frr->source < 0) {
		not_checked(d, "FRR: whether zebra (process %d) has a source-address; %s: %s", (int)frr->pid, frr->conf,
			    strerror(-frr->source));
		return;
	}
	f = found(d, c, NULL, "frr", "zebra (process %d) runs in this namespace, and %s has no source-address",
		  (int)frr->pid, frr->conf);
	if (!d->tunsrc_error && !unset(&d->tunsrc))
		f->severity = INFO;
	remedy(d, f,
	       "vtysh -c 'configure terminal' -c segment-routing -c srv6 -c encapsulation -c 'source-address %s' -c "
	       "end -c 'write memory'",
	       best_source(d));
}

/* ---- the rows */

const struct check doctor_source_checks[] = {
	{ "tunsrc-unset", WARNING, ON_ALL, 0, tunsrc_unset, "routes, nexthops, tunsrc, addresses",
	  "routes encapsulate without a tunnel source",
	  "The outer header needs a source address. One that is set costs nothing; without it each packet pays for a "
	  "search that grows with the number of addresses: 1.7 us a packet with 3 addresses and 77 us with 259, "
	  "against 1.2 us with a source, on one machine. net.ipv6.conf.DEV.use_oif_addrs_only=1 would bound the search "
	  "to one device." },
	{ "tunsrc-unusable", ERROR, ON_ALL, 0, tunsrc_unusable, "routes, tunsrc",
	  "a tunnel source that no receiver accepts",
	  "The kernel takes any address and sends packets with it; other nodes drop them." },
	{ "tunsrc-foreign", WARNING, ON_ALL, 0, tunsrc_foreign, "routes, tunsrc, addresses",
	  "a tunnel source that is no usable address of this namespace",
	  "Packets leave, but what is sent back to their source (ICMPv6 errors, \"packet too big\" above all) does not "
	  "reach this host, and filters against forged sources may drop them." },
	{ "frr-no-source", WARNING, ON_ALL, 0, frr_no_source, "processes, FRR's configuration, tunsrc",
	  "FRR runs without source-address",
	  "zebra sets the namespace's tunnel source from \"segment-routing srv6 encapsulation source-address\" alone, "
	  "at every start; without it every packet pays for source address selection." },
	{ 0 },
};

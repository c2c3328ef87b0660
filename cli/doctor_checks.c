/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The checks of srv6 doctor: small tests, and at the end a row each. A row's code is stable: scripts and srv6-doctor(8)
 * name it. Rows of one code stand together, as findings are printed in their order.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/fib_rules.h>
#include <linux/if_addr.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <net/if_arp.h>

#include "doctor.h"
#include "document.h"

#define TEST(name) \
	static void name(struct doctor *d, const struct check *c, const struct subject *s, const struct used *u)
#define UNUSED2(a, b) ((void)(a), (void)(b))

/* ---- what several of them ask */

static bool has(const struct srv6_encap *e, uint32_t attr)
{
	return e->has & SRV6_BIT(attr);
}

/* Writes an outer IPv6 header, and so needs a source address for it. */
static bool encapsulates(const struct subject *s)
{
	switch (s->encap->behavior) {
	case SRV6_H_ENCAPS:
	case SRV6_H_ENCAPS_RED:
	case SRV6_H_ENCAPS_L2:
	case SRV6_H_ENCAPS_L2_RED:
	case SRV6_END_B6_ENCAPS:
		return true;
	default:
		return false;
	}
}

static bool takes_frames(const struct subject *s)
{
	return s->encap->behavior == SRV6_H_ENCAPS_L2 || s->encap->behavior == SRV6_H_ENCAPS_L2_RED;
}

static bool unset(const struct in6_addr *a)
{
	return IN6_IS_ADDR_UNSPECIFIED(a);
}

/* Where packets may come in: a device that is up, and neither lo nor a VRF. */
static bool is_port(const struct net_link *l)
{
	return (l->flags & IFF_UP) && !(l->flags & IFF_LOOPBACK) && !l->vrf_table;
}

static const char *list_names(struct doctor *d, const struct net_link *const *links, uint32_t n)
{
	const char *text = "";

	for (uint32_t i = 0; i < n && i < 8; i++)
		text = take_printf(d->a, "%s%s%s", text, i ? ", " : "", links[i]->name);
	return n > 8 ? take_printf(d->a, "%s and %u more", text, n - 8) : text;
}

static const char *device(struct doctor *d, const struct net_link *l)
{
	return take_printf(d->a, "device %s", l->name);
}

static const char *behavior(const struct subject *s)
{
	return s->info ? s->info->name : "an unknown behavior";
}

/* ---- the tunnel source */

/* How well an address would do as a tunnel source. Addresses of lo stay, whatever becomes of the links. */
static int rank(const struct doctor *d, const struct net_addr *a)
{
	const struct net_link *l = net_link(&d->env, a->ifindex), *out = NULL;

	if (!l || a->prefix.family != AF_INET6 || a->scope != RT_SCOPE_UNIVERSE ||
	    a->flags & (IFA_F_TENTATIVE | IFA_F_DADFAILED | IFA_F_DEPRECATED | IFA_F_TEMPORARY))
		return -1;
	for (size_t i = 0; i < d->n_asked && !out; i++)
		out = encapsulates(&d->subjects[i]) ? d->subjects[i].egress : NULL;
	if (l->flags & IFF_LOOPBACK || !strcmp(l->kind, "dummy"))
		return 3;
	if (l == out)
		return 2;
	return l->master ? 0 : 1;
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
	return encapsulates(s) && !has(s->encap, SRV6_ATTR_TUNSRC) && !d->tunsrc_error && unset(&d->tunsrc);
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
		  "%zu hop%s (first: %s, %s) encapsulate%s with no tunnel source: for every packet the kernel searches %u "
		  "addresses of this namespace for one; \"srv6 perf tunsrc\" measures it here",
		  n, n == 1 ? "" : "s", first->label, behavior(first), n == 1 ? "s" : "", count_in6(d));
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
		return "a link-local address: it means nothing behind the first link, and no error message comes back to it";
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
	bool uses = !d->wanted.family;

	for (size_t i = 0; i < d->n_asked; i++) {
		const struct subject *s = &d->subjects[i];

		if (has(s->encap, SRV6_ATTR_TUNSRC))
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
		remedy_source(d, found(d, c, s, s ? NULL : "tunsrc", "%s: the tunnel source %s is %s",
				       s ? s->label : "namespace", text_in6(d, a), why), s);
}

TEST(tunsrc_unusable)
{
	UNUSED2(s, u);
	each_source(d, c, judge_unusable);
}

static const struct net_link *vrf_of(const struct doctor *d, const struct net_link *l)
{
	const struct net_link *master = l && l->master ? net_link(&d->env, l->master) : NULL;

	return l && l->vrf_table ? l : master && master->vrf_table ? master : NULL;
}

static void judge_foreign(struct doctor *d, const struct check *c, const struct subject *s, const struct in6_addr *a)
{
	struct srv6_prefix p = net_in6(a);
	const struct net_addr *addr = net_addr(&d->env, &p);
	const struct net_link *vrf = addr ? vrf_of(d, net_link(&d->env, addr->ifindex)) : NULL;
	const char *who = s ? s->label : "namespace", *object = s ? NULL : "tunsrc";
	struct finding *f = NULL;

	if (unusable(a))
		return;
	if (!addr)
		f = found(d, c, s, object, "%s: the tunnel source %s is no address of this namespace", who, text_in6(d, a));
	else if (addr->flags & (IFA_F_TENTATIVE | IFA_F_DADFAILED))
		f = found(d, c, s, object, "%s: the tunnel source %s is not usable here: duplicate address detection %s", who,
			  text_in6(d, a), addr->flags & IFA_F_DADFAILED ? "found it in use elsewhere" : "has not ended");
	else if (vrf && s && s->egress && vrf_of(d, s->egress) != vrf)
		f = found(d, c, s, object, "%s: the tunnel source %s belongs to VRF %s, but packets leave by %s", who,
			  text_in6(d, a), vrf->name, s->egress->name);
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
	f = found(d, c, NULL, "frr", "zebra (process %d) runs in this namespace, and %s has no source-address", (int)frr->pid,
		  frr->conf);
	if (!d->tunsrc_error && !unset(&d->tunsrc))
		f->severity = INFO;
	remedy(d, f,
	       "vtysh -c 'configure terminal' -c segment-routing -c srv6 -c encapsulation -c 'source-address %s' -c end "
	       "-c 'write memory'", best_source(d));
}

/* ---- forwarding and the sysctls around it */

static bool forwards(const struct subject *s)
{
	switch (s->encap->behavior) {
	case SRV6_END:
	case SRV6_END_X:
	case SRV6_END_T:
	case SRV6_END_B6:
	case SRV6_END_B6_ENCAPS:
	case SRV6_END_BPF:
		return true;
	default:
		return false;
	}
}

/* A host may encapsulate what it sends itself, and decapsulate what is for itself, without forwarding. */
static bool may_forward(const struct subject *s)
{
	return s->encap->behavior != SRV6_END_DX2 && s->encap->behavior != SRV6_END_DX4 && s->encap->behavior != SRV6_END_DT4;
}

static uint32_t ports_without(struct doctor *d, const char *family, const char *name, const struct net_link **off,
			      uint32_t *n_ports)
{
	uint32_t n = 0;
	int value;

	*n_ports = 0;
	for (uint32_t i = 0; i < d->env.n_links; i++) {
		const struct net_link *l = &d->env.links[i];

		if (!is_port(l))
			continue;
		++*n_ports;
		if (!read_conf(d, family, l, name, &value) || !value)
			off[n++] = l;
	}
	return n;
}

TEST(forwarding_off)
{
	const struct net_link **off = take(d->a, (d->env.n_links + 1) * sizeof(*off));
	const struct subject *must = NULL, *may = NULL;
	uint32_t n_off, n_ports;
	struct finding *f;
	int value = 1;

	UNUSED2(s, u);
	for (size_t i = d->n_asked; i-- > 0;) {
		must = forwards(&d->subjects[i]) ? &d->subjects[i] : must;
		may = may_forward(&d->subjects[i]) ? &d->subjects[i] : may;
	}
	if (!may || !read_conf(d, "ipv6", NULL, "forwarding", &value) || value)
		return;
	n_off = ports_without(d, "ipv6", "force_forwarding", off, &n_ports);
	if (n_ports && !n_off)
		return;
	if (n_off < n_ports)
		f = found(d, c, must ? must : may, NULL, "IPv6 forwarding is off, and of %u devices these do not force it: %s",
			  n_ports, list_names(d, off, n_off));
	else
		f = found(d, c, must ? must : may, NULL, "IPv6 forwarding is off: %s (%s) %s", (must ? must : may)->label,
			  behavior(must ? must : may), must ? "drops what it should pass on" :
			  "serves this host's own packets alone");
	if (!must || n_off < n_ports)
		f->severity = WARNING;
	remedy_sysctl(d, f, "ipv6/conf/all/forwarding", 1);
}

/* The device whose IPv4 settings the decapsulated packet meets: the VRF, else where it came in. */
static bool meets_ipv4(const struct subject *s)
{
	uint32_t b = s->encap->behavior;

	return b == SRV6_END_DX4 || b == SRV6_END_DT4 || b == SRV6_END_DT46 || (!s->sid && s->route->dst.family == AF_INET);
}

/* Devices are examined once, however many routes use them. */
struct ipv4_devices {
	bool *seen;
	const struct net_link **list; /* of one subject */
	uint32_t n;
	int all; /* conf/all of the sysctl at hand */
};

static struct ipv4_devices ipv4_devices(struct doctor *d, const char *name)
{
	struct ipv4_devices v = { 0 };

	v.seen = take(d->a, (d->env.n_links + 1) * sizeof(*v.seen));
	v.list = take(d->a, (d->env.n_links + 1) * sizeof(*v.list));
	read_conf(d, "ipv4", NULL, name, &v.all);
	return v;
}

/* Those that s depends on and that are new. */
static void ipv4_devices_of(const struct doctor *d, const struct subject *s, struct ipv4_devices *v)
{
	bool decapsulates = has(s->encap, SRV6_ATTR_VRFTABLE);
	const struct net_link *vrf = decapsulates ? net_vrf(&d->env, s->encap->vrftable) : s->vrf;

	v->n = 0;
	for (uint32_t i = 0; i < d->env.n_links; i++) {
		const struct net_link *l = &d->env.links[i];
		bool meets = decapsulates ? l == vrf : is_port(l) && (!vrf || l->master == vrf->ifindex);

		if (!meets || v->seen[i])
			continue;
		v->seen[i] = true;
		v->list[v->n++] = l;
	}
}

static void ipv4_forwarding_of(struct doctor *d, const struct check *c, const struct subject *s, struct ipv4_devices *v)
{
	struct finding *f;
	char path[96];
	int value = 1;

	ipv4_devices_of(d, s, v);
	for (uint32_t i = 0; i < v->n; i++) {
		const struct net_link *l = v->list[i];

		if (!read_conf(d, "ipv4", l, "forwarding", &value) || value)
			continue;
		f = found(d, c, s, device(d, l), "IPv4 forwarding is off on %s: %s (%s) %s", l->name, s->label, behavior(s),
			  s->sid ? "drops the packets that it has decapsulated" : "does nothing with packets that come in there");
		if (!s->sid)
			f->severity = WARNING;
		snprintf(path, sizeof(path), "ipv4/conf/%s/forwarding", l->name);
		remedy_sysctl(d, f, v->all ? path : "ipv4/ip_forward", 1);
	}
}

TEST(ipv4_forwarding_off)
{
	struct ipv4_devices v = ipv4_devices(d, "forwarding");

	UNUSED2(s, u);
	for (int sids = 1; sids >= 0; sids--) /* the graver first */
		for (size_t i = 0; i < d->n_asked; i++)
			if (meets_ipv4(&d->subjects[i]) && d->subjects[i].sid == sids)
				ipv4_forwarding_of(d, c, &d->subjects[i], &v);
}

static bool source_is_foreign(const struct subject *s)
{
	uint32_t b = s->encap->behavior;

	return b == SRV6_END_DX4 || b == SRV6_END_DT4 || b == SRV6_END_DT46 || b == SRV6_END_M_GTP4_E;
}

static void rp_filter_of(struct doctor *d, const struct check *c, const struct subject *s, struct ipv4_devices *v)
{
	char path[96];
	int value = 0;

	ipv4_devices_of(d, s, v);
	for (uint32_t i = 0; i < v->n; i++) {
		const struct net_link *l = v->list[i];

		if (!read_conf(d, "ipv4", l, "rp_filter", &value) || (v->all > value ? v->all : value) != 1)
			continue;
		snprintf(path, sizeof(path), "ipv4/conf/%s/rp_filter", l->name);
		remedy_sysctl(d, found(d, c, s, device(d, l),
				       "rp_filter is strict on %s (conf/all %d, conf/%s %d): IPv4 packets that %s (%s) has decapsulated "
				       "are dropped unless their source is routed to that device",
				       l->name, v->all, l->name, value, s->label, behavior(s)), path, 2);
	}
}

TEST(rp_filter)
{
	struct ipv4_devices v = ipv4_devices(d, "rp_filter");

	UNUSED2(s, u);
	for (size_t i = 0; i < d->n_asked; i++)
		if (source_is_foreign(&d->subjects[i]))
			rp_filter_of(d, c, &d->subjects[i], &v);
}

/* The kernel takes the smaller of conf/all and the device's, and only for SIDs that are addresses of this host. */
static void seg6_enabled_for(struct doctor *d, const struct check *c, const struct subject *s, const char *addr)
{
	const struct net_link **off = take(d->a, (d->env.n_links + 1) * sizeof(*off));
	uint32_t n_ports, n_off = ports_without(d, "ipv6", "seg6_enabled", off, &n_ports);
	struct finding *f;
	int all = 1;
	char path[96];

	read_conf(d, "ipv6", NULL, "seg6_enabled", &all);
	if ((all && !n_off) || !n_ports)
		return;
	if (all && n_off < n_ports)
		f = found(d, c, s, NULL, "segment %s is an address of this host, and SRHs for it are dropped on %s (seg6_enabled 0)",
			  addr, list_names(d, off, n_off));
	else
		f = found(d, c, s, NULL, "segment %s is an address of this host, and SRHs for it are dropped: seg6_enabled is %d in "
			  "conf/all and 0 on %u of %u devices", addr, all, n_off, n_ports);
	if (all && n_off < n_ports)
		f->severity = INFO;
	if (!all)
		remedy_sysctl(d, f, "ipv6/conf/all/seg6_enabled", 1);
	for (uint32_t i = 0; i < n_off && f->n_remedies < MAX_REMEDIES; i++) {
		snprintf(path, sizeof(path), "ipv6/conf/%s/seg6_enabled", off[i]->name);
		remedy_sysctl(d, f, path, 1);
	}
}

static bool is_local(const struct doctor *d, const struct srv6_prefix *p)
{
	return p->family == AF_INET6 && p->len == 128 && net_addr(&d->env, p);
}

/* A segment that is an address here, of a route here; or the address asked about. */
TEST(seg6_disabled)
{
	UNUSED2(s, u);
	if (is_local(d, &d->wanted) && !d->n_asked)
		seg6_enabled_for(d, c, NULL, text_addr(d, &d->wanted));
	for (size_t i = 0; i < d->n_asked; i++) {
		const struct subject *x = &d->subjects[i];

		for (uint32_t j = 0; j < x->encap->n_segs && has(x->encap, SRV6_ATTR_SEGS); j++) {
			struct srv6_prefix p = net_in6(&x->encap->segs[j]);

			if (is_local(d, &p)) {
				seg6_enabled_for(d, c, x, text_addr(d, &p));
				return;
			}
		}
	}
}

TEST(seg6_half)
{
	const struct net_link **off = take(d->a, (d->env.n_links + 1) * sizeof(*off));
	uint32_t n_ports, n_off = ports_without(d, "ipv6", "seg6_enabled", off, &n_ports);
	struct finding *f;
	char path[96];
	int all = 0;

	UNUSED2(s, u);
	if (!read_conf(d, "ipv6", NULL, "seg6_enabled", &all) || !n_ports)
		return;
	if (all && n_off == n_ports) {
		f = found(d, c, NULL, NULL, "seg6_enabled is 1 in conf/all and 0 on every device, which comes to 0");
		for (uint32_t i = 0; i < n_off && f->n_remedies < MAX_REMEDIES; i++) {
			snprintf(path, sizeof(path), "ipv6/conf/%s/seg6_enabled", off[i]->name);
			remedy_sysctl(d, f, path, 1);
		}
	} else if (!all && n_off < n_ports) {
		f = found(d, c, NULL, NULL, "seg6_enabled is 1 on %u of %u devices and 0 in conf/all, which comes to 0",
			  n_ports - n_off, n_ports);
		remedy_sysctl(d, f, "ipv6/conf/all/seg6_enabled", 1);
	}
}

TEST(nf_hooks_off)
{
	bool any = d->n_asked > 0;
	int value = 1, rules;
	struct finding *f;

	UNUSED2(s, u);
	if (!any || !read_sysctl(d, "netfilter/nf_hooks_lwtunnel", &value) || value)
		return;
	rules = net_has_netfilter_rules(&d->env);
	if (rules < 0)
		not_checked(d, "netfilter rules of this namespace: %s", strerror(-rules));
	if (rules != 1)
		return;
	f = found(d, c, NULL, "netfilter", "there are netfilter rules here, and nf_hooks_lwtunnel is 0: packets inside SRv6 "
		  "bypass the hooks that the plain ones meet");
	remedy_sysctl(d, f, "netfilter/nf_hooks_lwtunnel", 1);
}

TEST(nf_hooks_on)
{
	int value = 0;

	UNUSED2(s, u);
	if (!d->n_asked || !read_sysctl(d, "netfilter/nf_hooks_lwtunnel", &value) || !value ||
	    net_has_netfilter_rules(&d->env) != 0)
		return;
	found(d, c, NULL, "netfilter", "nf_hooks_lwtunnel is 1 and there are no netfilter rules here: SRv6 packets pay for hooks "
	      "that nobody uses, until the next boot");
}

/* ---- VRFs */

static const struct subject *uses_vrf(const struct doctor *d)
{
	for (size_t i = 0; i < d->n_asked; i++)
		if (has(d->subjects[i].encap, SRV6_ATTR_VRFTABLE))
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
		remedy_sysctl(d, found(d, c, user, NULL, "net.vrf.strict_mode is 0: %s works on, but no SID with vrftable can be "
				       "installed again", user->label), "vrf/strict_mode", 1);
}

TEST(kernel_no_vrf)
{
	const struct subject *user = uses_vrf(d);
	int value = 1;

	UNUSED2(s, u);
	if (user && net_sysctl("vrf/strict_mode", &value) == -ENOENT)
		remedy(d, found(d, c, user, NULL, "%s uses vrftable, and this kernel has no VRFs: its module is not loaded",
				user->label), "modprobe vrf");
}

static void remedy_again(struct doctor *d, struct finding *f, const struct subject *s, uint32_t ifindex)
{
	struct edit e = edit(d, s, SRV6_REPLACE);

	if (!e.op)
		return;
	if (ifindex)
		e.hop->ifindex = ifindex;
	remedy_op(d, f, e.op);
}

TEST(vrf_missing)
{
	uint32_t table = s->encap->vrftable;
	struct finding *f;

	(void)u;
	if (!has(s->encap, SRV6_ATTR_VRFTABLE) || net_vrf(&d->env, table))
		return;
	f = found(d, c, s, NULL, "%s (%s) decapsulates into the VRF of table %u, and no VRF is bound to it", s->label,
		  behavior(s), table);
	remedy_sysctl(d, f, "vrf/strict_mode", 1);
	remedy(d, f, "ip link add vrf%u type vrf table %u", table, table);
	remedy(d, f, "ip link set dev vrf%u up", table);
	remedy_again(d, f, s, 0);
}

static bool outside_vrf(const struct doctor *d, const struct subject *s)
{
	const struct net_link *vrf = net_vrf(&d->env, s->encap->vrftable);

	return has(s->encap, SRV6_ATTR_VRFTABLE) && vrf && s->dev && vrf_of(d, s->dev) != vrf;
}

/*
 * The kernel keeps the interface index of the VRF that it found when the SID was installed, and does not show it.
 * A SID on the VRF device goes with it; one on another device stays, dropping packets, and only its errors tell.
 */
TEST(vrf_recreated)
{
	const struct net_link *vrf = net_vrf(&d->env, s->encap->vrftable);

	(void)u;
	if (outside_vrf(d, s) && has(s->encap, SRV6_ATTR_COUNT) && s->encap->counters.errors)
		remedy_again(d, found(d, c, s, NULL,
				      "%s (%s) counts %llu errors, and its device %s is not that of VRF %s: the VRF was probably deleted and "
				      "made again after the SID was installed", s->label, behavior(s),
				      (unsigned long long)s->encap->counters.errors, s->dev->name, vrf->name), s, vrf->ifindex);
}

TEST(sid_outside_vrf)
{
	const struct net_link *vrf = net_vrf(&d->env, s->encap->vrftable);

	(void)u;
	if (outside_vrf(d, s))
		remedy_again(d, found(d, c, s, NULL, "%s (%s, vrftable %u) is on device %s and not in VRF %s", s->label,
				      behavior(s), s->encap->vrftable, s->dev->name, vrf->name), s, vrf->ifindex);
}

/* ---- SIDs */

/* An address in a VRF is local there alone. */
static bool shadows(const struct doctor *d, const struct subject *s, const struct net_addr *a)
{
	const struct net_link *vrf = vrf_of(d, net_link(&d->env, a->ifindex));

	return net_contains(&s->route->dst, &a->prefix) && (!vrf || vrf == s->vrf);
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
			f = found(d, c, s, NULL, "%s is shadowed by the local address on %s: %s never runs", s->label, l->name,
				  behavior(s));
		else
			f = found(d, c, s, NULL, "%s covers %s, a local address on %s: packets to that address do not reach %s",
				  s->label, text_addr(d, &a->prefix), l->name, behavior(s));
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
		if (is_port(&d->env.links[i]) && d->env.links[i].ipv6 && vrf_of(d, &d->env.links[i]) == s->vrf)
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
	f = found(d, c, s, NULL, "%s (%s) is on %s, where the kernel answers \"unreachable\" and does not run it", s->label,
		  behavior(s), s->dev->name);
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
	return !r->dst.family || !r->dst.len || net_contains(&r->dst, &s->route->dst) || net_contains(&s->route->dst, &r->dst);
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

static bool is_csid(const struct subject *s)
{
	return has(s->encap, SRV6_ATTR_FLAVORS) && s->encap->flavors & SRV6_FLAVOR_NEXT_CSID;
}

static void prefix_as(struct doctor *d, struct finding *f, const struct subject *s, uint8_t len)
{
	struct edit del = edit(d, s, SRV6_DEL), add = edit(d, s, SRV6_ADD);

	if (!add.route || !del.op)
		return;
	add.route->dst.len = len;
	for (uint32_t bit = len; bit < 128; bit++)
		add.route->dst.addr.in6.s6_addr[bit / 8] &= (uint8_t)~(0x80u >> (bit % 8));
	remedy_op(d, f, add.op);
	remedy_op(d, f, del.op);
}

/* The kernel shifts by lblen and nflen whatever the prefix is; of the two the lengths are easier to get wrong. */
TEST(prefix_length)
{
	const struct srv6_encap *e = s->encap;
	unsigned int lblen = has(e, SRV6_ATTR_LBLEN) ? e->lblen : 32, nflen = has(e, SRV6_ATTR_NFLEN) ? e->nflen : 16;
	unsigned int len = s->route->dst.len, fits = len > lblen ? len - lblen : 0;
	struct finding *f;
	struct edit x;

	(void)u;
	if (!is_csid(s) || len == lblen + nflen)
		return;
	f = found(d, c, s, NULL, "%s (%s, next-csid): its prefix has %u bits, lblen and nflen come to %u + %u = %u", s->label,
		  behavior(s), len, lblen, nflen, lblen + nflen);
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
		f = found(d, c, inner, NULL, "%s stands twice: %s with metric %u never runs, %s with metric %u does", inner->label,
			  behavior(inner), inner->route->metric, behavior(outer), outer->route->metric);
		remedy_op(d, f, same.op);
		return;
	}
	f = found(d, c, inner, NULL, "%s (%s) lies in %s (%s): packets to it never reach the latter", inner->label,
		  behavior(inner), outer->label, behavior(outer));
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
	qsort(sids, n, sizeof(*sids), by_place);
	for (size_t i = 0; i < n; i++) {
		if (!outer || outer->table != sids[i]->table || !net_contains(&outer->route->dst, &sids[i]->route->dst)) {
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

#define WATCHED 64
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
		return is_csid(s) ? "packets whose argument is used up and that have no SRH, or a failed HMAC check" :
				    "packets without an SRH or with no segments left: this is their last segment and should be an End.D* "
				    "SID there, or a failed HMAC check";
	case SRV6_END_B6:
	case SRV6_END_B6_ENCAPS:
		return "packets without an SRH or with no segments left, or a failed HMAC check";
	case SRV6_END_DT4:
	case SRV6_END_DT46:
	case SRV6_END_DX4:
		return "packets with segments left, an inner packet of another family, a VRF that was made again, or a failed HMAC check";
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

	f = found(d, c, w->s, NULL, "%s (%s) counts %llu errors beside %llu packets, %s%llu more within %.1f s; likely: %s",
		  w->s->label, behavior(w->s), (unsigned long long)before, (unsigned long long)w->s->encap->counters.packets,
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
		if (has(d->subjects[i].encap, SRV6_ATTR_COUNT) && d->subjects[i].encap->counters.errors)
			all->w[all->n++] = (struct watch){ &d->subjects[i], 0 };
	if (!all->n)
		return;
	usleep(WATCH_US);
	srv6_dump(d->c->s, &match, SRV6_DUMP_ENCAP, look_again, all);
	for (size_t i = 0; i < all->n; i++)
		tell_errors(d, c, &all->w[i]);
}

/* ---- where packets go */

static const char *target_name(const struct subject *s)
{
	return has(s->encap, SRV6_ATTR_SEGS) ? "first segment" : "next hop";
}

/* The route to the target that s's own hop suggests. */
static void remedy_way(struct doctor *d, struct finding *f, const struct subject *s)
{
	int family = s->target.family == AF_INET ? 4 : 6;
	bool via = s->hop->has & SRV6_HAS(VIA) && s->hop->via.family == s->target.family;
	const char *gateway = via ? text_addr(d, &s->hop->via) : "<NEXTHOP>";
	const char *dev = s->dev && !(s->dev->flags & IFF_LOOPBACK) ? s->dev->name : "<DEVICE>";

	if (s->vrf && !s->sid)
		remedy(d, f, "ip -%d route add %s via %s dev %s table %u", family, text_addr(d, &s->target), gateway, dev, s->table);
	else if (has(s->encap, SRV6_ATTR_LOOKUP))
		remedy(d, f, "ip -%d route add %s via %s dev %s table %u", family, text_addr(d, &s->target), gateway, dev,
		       s->encap->lookup);
	else
		remedy(d, f, "ip -%d route add %s via %s dev %s", family, text_addr(d, &s->target), gateway, dev);
}

TEST(segment_no_route)
{
	(void)u;
	if (s->target.family == AF_UNSPEC || !s->way_error)
		return;
	remedy_way(d, found(d, c, s, NULL, "%s (%s): there is no way to its %s %s: %s", s->label, behavior(s), target_name(s),
			    text_addr(d, &s->target), strerror(-s->way_error)), s);
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
	remedy_way(d, found(d, c, s, NULL, "%s (%s): the way to its first segment %s leads into the same encapsulation again%s",
			    s->label, behavior(s), text_addr(d, &s->target), n > 1 ? ", through others" : ""), s);
}

TEST(neighbour_failed)
{
	const struct srv6_hop *h = s->way && s->way->u.route->n_hops ? &s->way->u.route->hops[0] : NULL;
	const struct srv6_prefix *addr = h && h->has & SRV6_HAS(VIA) ? &h->via : &s->target;
	const struct net_neigh *e = h && s->egress ? net_neigh(&d->env, s->egress->ifindex, addr) : NULL;

	(void)u;
	if (!e || !(e->state & (NUD_FAILED | NUD_INCOMPLETE)))
		return;
	remedy(d, found(d, c, s, NULL, "%s (%s): %s on %s, on the way to its %s, does not answer", s->label, behavior(s),
			text_addr(d, addr), s->egress->name, target_name(s)),
	       "ip -%d neighbour del %s dev %s", addr->family == AF_INET ? 4 : 6, text_addr(d, addr), s->egress->name);
}

TEST(hop_dead)
{
	(void)u;
	if (s->hop->flags & (RTNH_F_DEAD | RTNH_F_LINKDOWN))
		found(d, c, s, NULL, "%s: its hop by %s is %s", s->label, s->dev ? s->dev->name : "a device that is gone",
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
	uint32_t table = has(e, SRV6_ATTR_TABLE) ? e->table : has(e, SRV6_ATTR_VRFTABLE) ? e->vrftable :
			 has(e, SRV6_ATTR_LOOKUP) ? e->lookup : 0;
	bool in4 = e->behavior == SRV6_END_DT4 || e->behavior == SRV6_END_DT46, in6 = e->behavior != SRV6_END_DT4;

	(void)u;
	if (!table || table == RT_TABLE_MAIN || table == RT_TABLE_LOCAL)
		return;
	if ((in4 && !table_is_empty(d, table, AF_INET)) || (in6 && !table_is_empty(d, table, AF_INET6)))
		return;
	remedy(d, found(d, c, s, NULL, "%s (%s): table %u, where it looks packets up, has no routes", s->label, behavior(s), table),
	       "ip -%d route add <PREFIX> via <NEXTHOP> table %u", in6 ? 6 : 4, table);
}

/* ---- segments */

static const char *no_segment(const struct in6_addr *a)
{
	if (unset(a))
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
	for (uint32_t i = 0; has(s->encap, SRV6_ATTR_SEGS) && i < s->encap->n_segs; i++) {
		const struct in6_addr *a = &s->encap->segs[i];

		if (!no_segment(a))
			continue;
		remedy_segments(d, found(d, c, s, NULL, "%s (%s): segment %u of %u, %s, is %s, which no packet can be sent to",
					 s->label, behavior(s), i + 1, s->encap->n_segs, text_in6(d, a), no_segment(a)), s);
		return;
	}
}

TEST(segment_link_local)
{
	(void)u;
	for (uint32_t i = 0; has(s->encap, SRV6_ATTR_SEGS) && i < s->encap->n_segs; i++)
		if (IN6_IS_ADDR_LINKLOCAL(&s->encap->segs[i]))
			found(d, c, s, NULL, "%s (%s): segment %u of %u, %s, is link-local, and packets to it are not forwarded",
			      s->label, behavior(s), i + 1, s->encap->n_segs, text_in6(d, &s->encap->segs[i]));
}

TEST(nexthop_link_local)
{
	const struct srv6_encap *e = s->encap;
	struct finding *f;
	struct edit x;

	(void)u;
	if (!has(e, SRV6_ATTR_NH6) || !IN6_IS_ADDR_LINKLOCAL(&e->nh6) || has(e, SRV6_ATTR_OIF))
		return;
	f = found(d, c, s, NULL, "%s (%s): next hop %s is link-local, and %s", s->label, behavior(s), text_in6(d, &e->nh6),
		  e->behavior != SRV6_END_X ? "this behavior can't be told the device" :
		  net_kernel_before(&d->env, 6, 17) ? "kernels before 6.17 can't be told the device" : "no oif says on which device");
	x = edit(d, s, SRV6_REPLACE);
	if (e->behavior != SRV6_END_X || net_kernel_before(&d->env, 6, 17) || !x.op || !s->dev)
		return;
	x.encap->has |= SRV6_HAS(OIF);
	x.encap->oif = s->dev->ifindex;
	remedy_op(d, f, x.op);
}

/* ---- devices */

TEST(oif_unfit)
{
	const struct net_link *l = net_link(&d->env, s->encap->oif);

	(void)u;
	if (!has(s->encap, SRV6_ATTR_OIF))
		return;
	if (!l)
		found(d, c, s, NULL, "%s (%s): its oif, interface %u, does not exist any more", s->label, behavior(s),
		      s->encap->oif);
	else if (s->encap->behavior == SRV6_END_DX2 && l->arptype != ARPHRD_ETHER)
		found(d, c, s, NULL, "%s (%s): its oif %s is no Ethernet device", s->label, behavior(s), l->name);
}

TEST(device_down)
{
	(void)s;
	if (!(u->link->flags & IFF_UP))
		remedy(d, found(d, c, u->by, device(d, u->link), "%s, %s of %s, is down", u->link->name, u->as, u->by->label),
		       "ip link set dev %s up", u->link->name);
}

TEST(no_carrier)
{
	(void)s;
	if ((u->link->flags & IFF_UP) && !net_link_carrier(u->link))
		found(d, c, u->by, device(d, u->link), "%s, %s of %s, has no carrier", u->link->name, u->as, u->by->label);
}

TEST(ipv6_disabled)
{
	char path[96];
	int value = 0;

	(void)s;
	if (!u->needs_ipv6 || !read_conf(d, "ipv6", u->link, "disable_ipv6", &value) || !value)
		return;
	snprintf(path, sizeof(path), "ipv6/conf/%s/disable_ipv6", u->link->name);
	remedy_sysctl(d, found(d, c, u->by, device(d, u->link), "IPv6 is disabled on %s, %s of %s", u->link->name, u->as,
			       u->by->label), path, 0);
}

#define MTU_MIN 1280 /* RFC 8200 5; Linux takes IPv6 away from a device below it */

TEST(mtu_small)
{
	(void)s;
	if (u->needs_ipv6 && u->link->mtu < MTU_MIN)
		remedy(d, found(d, c, u->by, device(d, u->link), "%s, %s of %s, has an MTU of %u: below %u there is no IPv6",
				u->link->name, u->as, u->by->label, u->link->mtu, MTU_MIN),
		       "ip link set dev %s mtu %u", u->link->name, MTU_MIN);
}

/* ---- MTU */

/* Bytes that a headend adds to a packet (frame, for L2: its Ethernet header counts). 0: it adds none, or nobody knows. */
static uint32_t overhead(const struct srv6_encap *e)
{
	bool raw = has(e, SRV6_ATTR_RAW_SRH), insert = e->behavior == SRV6_H_INSERT;
	/* the packet's own destination becomes the last segment of an inserted SRH */
	uint32_t srh = raw ? (uint32_t)e->raw_srh.len : 8 + 16 * (e->n_segs + insert);
	bool hmac = has(e, SRV6_ATTR_HMAC), red = e->behavior == SRV6_H_ENCAPS_RED || e->behavior == SRV6_H_ENCAPS_L2_RED;
	uint32_t frame = e->behavior == SRV6_H_ENCAPS_L2 || e->behavior == SRV6_H_ENCAPS_L2_RED ? 14 : 0;

	if (!raw)
		srh += (hmac ? 40 : 0) + (has(e, SRV6_ATTR_TLVS) ? (uint32_t)e->tlvs.len : 0);
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
		  "%s (%s, overhead %u bytes): the MTU of %s is %u, the way out by %s takes %u: packets of more than %u bytes are lost",
		  s->label, behavior(s), overhead(s->encap), mtu ? "the route" : s->dev->name, base, s->egress->name, way,
		  way - overhead(s->encap));
	e = edit(d, s, SRV6_REPLACE);
	if (!e.route)
		return;
	e.route->has |= SRV6_HAS(MTU);
	e.route->metrics[RTAX_MTU] = way;
	remedy_op(d, f, e.op);
}

/* The device with the largest MTU of those whose packets s may get. The last answer is kept: routes side by side ask the same. */
static const struct net_link *widest_port(struct doctor *d, const struct subject *s)
{
	const struct net_link *widest = NULL;

	if (d->widest.asked && d->widest.egress == s->egress && d->widest.vrf == s->vrf)
		return d->widest.link;
	for (uint32_t i = 0; i < d->env.n_links; i++) {
		const struct net_link *l = &d->env.links[i];

		if (!is_port(l) || l == s->egress || !strcmp(l->kind, "dummy") || vrf_of(d, l) != s->vrf)
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
		remedy(d, found(d, c, x, device(d, x->egress),
				"%u hop%s by %s, at most %u bytes of overhead (%s, %s): %s brings packets of up to %u bytes, %s takes %u, "
				"which leaves %u", n[i], n[i] == 1 ? "" : "s", x->egress->name, more, x->label, behavior(x), port->name,
				port->mtu, x->egress->name, way_mtu(x), way_mtu(x) > more ? way_mtu(x) - more : 0),
		       "ip link set dev %s mtu %u", x->egress->name, port->mtu + more);
	}
}

/* ---- HMAC */

#define HMAC_SEGMENTS 14 /* the kernel's buffer for what is signed ends there */

static bool has_key(const struct doctor *d, uint32_t id)
{
	for (size_t i = 0; i < d->n_keys; i++)
		if (d->keys[i] == id)
			return true;
	return false;
}

TEST(hmac_key_missing)
{
	(void)u;
	if (!has(s->encap, SRV6_ATTR_HMAC) || d->keys_error)
		return;
	if (has_key(d, s->encap->hmac)) {
		not_checked(d, "HMAC key %u: whether the other end has the same secret and algorithm can't be seen from here",
			    s->encap->hmac);
		return;
	}
	remedy(d, found(d, c, s, NULL, "%s (%s) signs with HMAC key %u, which is not configured", s->label, behavior(s),
			s->encap->hmac), "srv6 hmac set %u sha256 file <FILE>", s->encap->hmac);
}

TEST(hmac_segments)
{
	struct finding *f;
	struct edit e;

	(void)u;
	if (!has(s->encap, SRV6_ATTR_HMAC) || s->encap->n_segs <= HMAC_SEGMENTS)
		return;
	f = found(d, c, s, NULL, "%s (%s): %u segments with an HMAC, and Linux can sign at most %d", s->label, behavior(s),
		  s->encap->n_segs, HMAC_SEGMENTS);
	e = edit(d, s, SRV6_REPLACE);
	if (!e.op)
		return;
	e.encap->has &= ~(SRV6_HAS(HMAC) | SRV6_HAS(RAW_SRH));
	remedy_op(d, f, e.op);
}

TEST(hmac_required)
{
	struct finding *f;
	char path[96];
	int value;

	UNUSED2(s, u);
	for (uint32_t i = 0; i < d->env.n_links && !d->n_keys && !d->keys_error; i++) {
		const struct net_link *l = &d->env.links[i];

		value = 0;
		if (!is_port(l) || !read_conf(d, "ipv6", l, "seg6_require_hmac", &value) || value != 1)
			continue;
		f = found(d, c, NULL, device(d, l), "seg6_require_hmac is 1 on %s and no HMAC key is configured: every packet with an SRH "
			  "that comes in there is dropped (those without one still pass)", l->name);
		snprintf(path, sizeof(path), "ipv6/conf/%s/seg6_require_hmac", l->name);
		remedy_sysctl(d, f, path, 0);
	}
}

TEST(hmac_required_all)
{
	int all = 0, value;

	UNUSED2(s, u);
	if (!read_conf(d, "ipv6", NULL, "seg6_require_hmac", &all) || all != 1)
		return;
	for (uint32_t i = 0; i < d->env.n_links; i++) {
		value = 0;
		if (is_port(&d->env.links[i]) && read_conf(d, "ipv6", &d->env.links[i], "seg6_require_hmac", &value) && value == 1)
			return;
	}
	remedy_sysctl(d, found(d, c, NULL, NULL, "seg6_require_hmac is 1 in conf/all, which has no effect, and on no device"),
		      "ipv6/conf/all/seg6_require_hmac", 0);
}

TEST(hmac_ignored)
{
	struct finding *f;
	char path[96];
	int value;

	UNUSED2(s, u);
	for (uint32_t i = 0; i < d->env.n_links && d->n_keys; i++) {
		const struct net_link *l = &d->env.links[i];

		value = 0;
		if (!is_port(l) || !read_conf(d, "ipv6", l, "seg6_require_hmac", &value) || value != -1)
			continue;
		f = found(d, c, NULL, device(d, l), "seg6_require_hmac is -1 on %s: HMACs are not checked there, though keys are "
			  "configured", l->name);
		snprintf(path, sizeof(path), "ipv6/conf/%s/seg6_require_hmac", l->name);
		remedy_sysctl(d, f, path, 0);
	}
}

/* ---- the kernel */

TEST(init_on_alloc)
{
	const struct subject *l2 = NULL;

	UNUSED2(s, u);
	for (size_t i = 0; i < d->n_asked && !l2; i++)
		l2 = takes_frames(&d->subjects[i]) ? &d->subjects[i] : NULL;
	if (!l2 || !net_kernel_before(&d->env, 7, 4))
		return;
	if (d->env.init_on_alloc < 0)
		not_checked(d, "init_on_alloc: neither the command line nor a configuration of kernel %s tells", d->env.kernel);
	if (d->env.init_on_alloc == 1)
		remedy(d, found(d, c, l2, NULL, "this kernel (%s) clears memory as it is allocated (init_on_alloc), and %s (%s) allocates "
				"for every frame", d->env.kernel, l2->label, behavior(l2)),
		       "add init_on_alloc=0 to the kernel's command line: <BOOT LOADER>");
}

/* What a file of changes asks of the kernel, each once. */
struct need {
	uint32_t behavior, attr, flavor;
	const char *path;
};

struct needs {
	struct need *list;
	size_t n, cap;
};

static void need(struct doctor *d, struct needs *all, struct need one)
{
	struct need *grown;

	for (size_t i = 0; i < all->n; i++)
		if (all->list[i].behavior == one.behavior && all->list[i].attr == one.attr && all->list[i].flavor == one.flavor)
			return;
	if (all->n == all->cap) {
		grown = take(d->a, (all->cap * 2 + 16) * sizeof(*grown));
		if (all->n)
			memcpy(grown, all->list, all->n * sizeof(*grown));
		all->list = grown;
		all->cap = all->cap * 2 + 16;
	}
	all->list[all->n++] = one;
}

static void encap_needs(struct doctor *d, struct needs *all, const struct srv6_encap *e, const char *path)
{
	if (!e || e->behavior == SRV6_OTHER)
		return;
	need(d, all, (struct need){ e->behavior, SRV6_ATTR_NONE, 0, path });
	for (uint32_t attr = 0; attr <= SRV6_ATTR_NFLEN; attr++)
		if (has(e, attr))
			need(d, all, (struct need){ e->behavior, attr, 0, path });
	for (uint32_t bit = 1; has(e, SRV6_ATTR_FLAVORS) && bit && bit <= e->flavors; bit <<= 1)
		if (e->flavors & bit)
			need(d, all, (struct need){ e->behavior, SRV6_ATTR_NONE, bit, path });
}

static void items_need(struct doctor *d, struct needs *all, const struct items *l)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct srv6_op *op = &l->item[i].op;
		const char *path = take_text(d->a, l->item[i].path, strlen(l->item[i].path));

		if (op->kind == SRV6_NEXTHOP && op->u.nexthop->hop)
			encap_needs(d, all, op->u.nexthop->hop->encap, path);
		for (uint32_t j = 0; op->kind == SRV6_ROUTE && j < op->u.route->n_hops; j++)
			encap_needs(d, all, op->u.route->hops[j].encap, path);
	}
}

static const char *need_name(struct doctor *d, const struct need *n)
{
	const struct srv6_behavior_info *info = srv6_behavior_info(n->behavior, d->c->mobile);
	const char *name = info ? info->name : "?";

	if (n->flavor)
		return take_printf(d->a, "%s with flavor %s", name, srv6_flavor_name(n->flavor));
	if (n->attr != SRV6_ATTR_NONE)
		return take_printf(d->a, "%s with %s", name, srv6_attr_info(n->attr)->word);
	return name;
}

static const char *need_since(struct doctor *d, const struct need *n)
{
	const struct srv6_behavior_info *info = srv6_behavior_info(n->behavior, d->c->mobile);
	const char *since = info ? info->since : NULL;

	if (n->flavor)
		return "";
	if (n->attr != SRV6_ATTR_NONE && srv6_attr_info(n->attr)->since)
		since = srv6_attr_info(n->attr)->since;
	return since ? take_printf(d->a, "; Linux has it from %s on", since) : "; no released Linux has it";
}

static void tell_need(struct doctor *d, const struct check *c, const struct need *n)
{
	int can = srv6_can(d->c->s, n->behavior, n->attr, n->flavor);
	struct finding *f;

	if (can == SRV6_CAN_NO) {
		f = found(d, c, NULL, take_printf(d->a, "%s %s", d->needs, n->path), "%s: %s needs %s, which this kernel (%s) has not%s",
			  d->needs, n->path, need_name(d, n), d->env.kernel, need_since(d, n));
		if (n->attr == SRV6_ATTR_TUNSRC)
			remedy(d, f, "srv6 tunsrc set <ADDRESS>");
	} else if (can != SRV6_CAN_YES) {
		not_checked(d, "%s: whether this kernel has %s", d->needs, need_name(d, n));
	}
}

TEST(kernel_lacks)
{
	struct document doc = { 0 };
	struct needs all = { 0 };

	UNUSED2(s, u);
	if (!d->needs)
		return;
	if (document_read(d->c, &doc, d->needs, NULL, NO_WORD)) {
		not_checked(d, "%s: %s", d->needs, d->c->failure.e.text);
		d->partial = true;
	} else {
		items_need(d, &all, &doc.nexthops);
		items_need(d, &all, &doc.routes);
	}
	document_free(&doc);
	for (size_t i = 0; i < all.n; i++)
		tell_need(d, c, &all.list[i]);
}

TEST(unknown)
{
	(void)u;
	if (s->encap->behavior == SRV6_OTHER)
		found(d, c, s, NULL, "%s has an SRv6 encapsulation that this srv6 does not know (number %u): nothing else was checked on it",
		      s->label, s->encap->number);
}

/* ---- what was asked about */

TEST(not_found)
{
	UNUSED2(s, u);
	if (d->wanted.family && !d->n_asked && !is_local(d, &d->wanted))
		found(d, c, NULL, text_prefix(d, &d->wanted), "%s: no route with an SRv6 encapsulation and no SID holds it",
		      text_prefix(d, &d->wanted));
}

/* ---- the rows */

#define WHY_SOURCE "The outer header needs a source address. One that is set costs nothing; without it each packet pays for a search " \
		   "that grows with the number of addresses: 1.7 us a packet with 3 addresses and 77 us with 259, against 1.2 us with " \
		   "a source, on one machine. net.ipv6.conf.DEV.use_oif_addrs_only=1 would bound the search to one device."
#define WHY_LO	   "The kernel makes a reject route of an IPv6 route on the loopback device: the encapsulation is stored and shown, but " \
		   "packets get \"destination unreachable\" and counters stay at 0. Any other device will do for a SID."

/* clang-format off */
const struct check doctor_checks[] = {
	{ "not-found", ERROR, ON_ALL, 0, not_found, "routes",
	  "what was asked about is not there",
	  "Nothing in this namespace's tables does SRv6 for it. Another namespace (-n), another table, or it was never installed." },

	/* the tunnel source */
	{ "tunsrc-unset", WARNING, ON_ALL, 0, tunsrc_unset, "routes, nexthops, tunsrc, addresses",
	  "routes encapsulate without a tunnel source", WHY_SOURCE },
	{ "tunsrc-unusable", ERROR, ON_ALL, 0, tunsrc_unusable, "routes, tunsrc",
	  "a tunnel source that no receiver accepts",
	  "The kernel takes any address and sends packets with it; other nodes drop them." },
	{ "tunsrc-foreign", WARNING, ON_ALL, 0, tunsrc_foreign, "routes, tunsrc, addresses",
	  "a tunnel source that is no usable address of this namespace",
	  "Packets leave, but what is sent back to their source (ICMPv6 errors, \"packet too big\" above all) does not reach this host, "
	  "and filters against forged sources may drop them." },
	{ "frr-no-source", WARNING, ON_ALL, 0, frr_no_source, "processes, FRR's configuration, tunsrc",
	  "FRR runs without source-address",
	  "zebra sets the namespace's tunnel source from \"segment-routing srv6 encapsulation source-address\" alone, at every start; "
	  "without it every packet pays for source address selection." },

	/* forwarding and sysctls */
	{ "forwarding-off", ERROR, ON_ALL, 0, forwarding_off, "routes, ipv6/conf/*/forwarding, force_forwarding",
	  "IPv6 forwarding is off where SRv6 should forward",
	  "Packets that leave again after a SID or an encapsulation are forwarded packets; without forwarding they are dropped. "
	  "Kernels from 6.17 on have force_forwarding for single devices." },
	{ "ipv4-forwarding-off", ERROR, ON_ALL, 0, ipv4_forwarding_off, "routes, ipv4/conf/*/forwarding",
	  "IPv4 forwarding is off where IPv4 packets are encapsulated or decapsulated",
	  "For IPv4 the device decides on which a packet came in: that of the VRF for End.DT4 and End.DT46, that of the SRv6 packet for "
	  "End.DX4, that of the plain packet for an encapsulating route." },
	{ "rp-filter", ERROR, ON_ALL, 0, rp_filter, "routes, ipv4/conf/*/rp_filter",
	  "strict reverse path filtering where decapsulated IPv4 packets appear",
	  "The larger of conf/all and the device's value counts. A decapsulated packet's source is rarely routed to the device where the "
	  "SRv6 packet came in, and in strict mode (1) it is dropped without a word. Loose mode (2) asks only for some route to it." },
	{ "seg6-disabled", ERROR, ON_ALL, 0, seg6_disabled, "addresses, routes, ipv6/conf/*/seg6_enabled",
	  "a segment is a local address, and SRHs are not accepted",
	  "For a SID that is an address of the host the smaller of conf/all and the ingress device's seg6_enabled counts, and both are 0 "
	  "at first. SIDs that are seg6local routes do not need it." },
	{ "seg6-half-enabled", INFO, ON_ALL, CHECK_WHOLE, seg6_half, "ipv6/conf/*/seg6_enabled",
	  "seg6_enabled is set in one place of two",
	  "The smaller of conf/all and the device's value counts, so one alone does nothing. It matters for SIDs that are addresses, not "
	  "for those that are seg6local routes." },
	{ "nf-hooks-off", INFO, ON_ALL, CHECK_BY_NAME | CHECK_WHOLE, nf_hooks_off, "netfilter/nf_hooks_lwtunnel, netfilter tables",
	  "netfilter rules, and SRv6 passes some of their hooks by",
	  "With nf_hooks_lwtunnel=0 a packet that is encapsulated or decapsulated does not meet every hook twice, so stateful rules may "
	  "not see it. Setting it to 1 holds for the whole machine, costs time for each packet, and lasts until the next boot." },
	{ "nf-hooks-on", INFO, ON_ALL, CHECK_WHOLE, nf_hooks_on, "netfilter/nf_hooks_lwtunnel, netfilter tables",
	  "SRv6 packets pass netfilter hooks for nothing",
	  "nf_hooks_lwtunnel can't be set back to 0 on a running kernel." },

	/* VRFs */
	{ "kernel-no-vrf", ERROR, ON_ALL, 0, kernel_no_vrf, "routes, vrf/strict_mode",
	  "vrftable is used and the kernel has no VRFs",
	  "End.DT4, End.DT46 and End.DT6 with vrftable hand packets to a VRF device." },
	{ "vrf-strict-off", WARNING, ON_ALL, 0, vrf_strict_off, "routes, vrf/strict_mode",
	  "VRF strict mode is off",
	  "The kernel refuses to install a SID with vrftable (\"Strict mode for VRF is disabled\") while net.vrf.strict_mode is 0: after a "
	  "restart of whoever installs it, it is missing." },
	{ "vrf-missing", ERROR, ON_SUBJECT, 0, vrf_missing, "routes, links",
	  "no VRF is bound to the table of a SID",
	  "The SID decapsulates into the VRF that was bound to the table when it was installed; without it packets are dropped. The SID "
	  "has to be installed again once the VRF is there." },
	{ "vrf-recreated", WARNING, ON_SUBJECT, 0, vrf_recreated, "routes, counters, links",
	  "a VRF seems to have been made again after its SID was installed",
	  "The kernel keeps the interface index of the VRF in the SID and does not show it. A SID on another device than the VRF outlives "
	  "the VRF and drops everything, though what is shown did not change. Installing it again mends it; on the VRF's own device it "
	  "would have gone with the VRF." },
	{ "sid-outside-vrf", WARNING, ON_SUBJECT, 0, sid_outside_vrf, "routes, links",
	  "a SID with vrftable is on a device outside the VRF",
	  "When the VRF is deleted such a SID stays and drops packets, even once a VRF of the same table is back." },

	/* SIDs */
	{ "sid-shadowed", ERROR, ON_SUBJECT, CHECK_BY_NAME, sid_shadowed, "routes, addresses",
	  "a local address stands in front of a SID",
	  "Table local comes before all others: packets to the address are delivered to the host, and the behavior never runs." },
	{ "sid-on-lo", ERROR, ON_SUBJECT, 0, sid_on_lo, "routes, links", "a SID is on the loopback device", WHY_LO },
	{ "route-on-lo", ERROR, ON_SUBJECT, 0, route_on_lo, "routes, links", "an encapsulating route is on the loopback device", WHY_LO },
	{ "table-no-rule", ERROR, ON_SUBJECT, 0, table_no_rule, "routes, rules, VRFs",
	  "a SID or route is in a table that no rule leads to",
	  "Only tables that a policy rule or a VRF leads to are looked at." },
	{ "prefix-length", WARNING, ON_SUBJECT, 0, prefix_length, "routes",
	  "the prefix of a compressed SID does not match lblen + nflen",
	  "The kernel does not compare them. It shifts the rest of the address over nflen bits behind the first lblen: with a wrong sum the "
	  "node's own function stays in the address, or the next one is cut." },
	{ "sid-overlap", WARNING, ON_ALL, CHECK_BY_NAME, sid_overlap, "routes",
	  "SIDs overlap",
	  "The longer prefix, or the smaller metric, wins; the other behavior never sees those packets." },
	{ "sid-errors", WARNING, ON_ALL, 0, sid_errors, "counters",
	  "a SID counts errors",
	  "Each is a packet that the behavior dropped. Once the cause is gone, installing the SID again starts its counters at 0." },
	{ "table-empty", WARNING, ON_SUBJECT, 0, table_empty, "routes",
	  "a behavior looks packets up in a table without routes",
	  "The kernel takes any table number, and drops packets for which the table has no route." },

	/* where packets go */
	{ "segment-invalid", ERROR, ON_SUBJECT, CHECK_BY_NAME, segment_invalid, "routes",
	  "a segment that no packet can be sent to",
	  "The kernel takes any address as a segment. '::' is what some programs leave where they had no SID." },
	{ "segment-link-local", ERROR, ON_SUBJECT, 0, segment_link_local, "routes",
	  "a segment is link-local",
	  "Link-local addresses are never forwarded to, so the packet ends at the node that should send it there." },
	{ "segment-no-route", ERROR, ON_SUBJECT, 0, segment_no_route, "routes, rules",
	  "no route to the first segment or the next hop",
	  "After the encapsulation the kernel looks up the first segment; the route's own gateway does not count. Without a route the "
	  "packet is dropped." },
	{ "segment-loop", ERROR, ON_SUBJECT, 0, segment_loop, "routes, rules",
	  "the first segment is reached through the same encapsulation",
	  "The encapsulated packet matches the route again and is encapsulated until it is too large, and dropped. A more specific plain "
	  "route to the first segment breaks the loop." },
	{ "neighbour-failed", WARNING, ON_SUBJECT, 0, neighbour_failed, "routes, neighbours",
	  "the next hop does not answer",
	  "Neighbour discovery got no answer, so packets wait or are dropped. Deleting the entry makes the kernel ask again; if it "
	  "fails again, the other end, the link or the address is wrong." },
	{ "hop-dead", WARNING, ON_SUBJECT, 0, hop_dead, "routes, nexthops",
	  "a hop of a route is dead",
	  "The kernel does not use it; where it is the only one the route is out of work." },
	{ "nexthop-link-local", ERROR, ON_SUBJECT, 0, nexthop_link_local, "routes, kernel",
	  "a link-local next hop without a device",
	  "A link-local address means nothing without the device: the lookup fails and packets are dropped. End.X takes oif from Linux 6.17 on; "
	  "older kernels drop the attribute and say nothing." },

	/* devices */
	{ "oif-unfit", ERROR, ON_SUBJECT, 0, oif_unfit, "routes, links",
	  "the oif of a SID is gone or unfit",
	  "The kernel checks oif only when packets come: End.DX2 needs an Ethernet device that is up. A device that was made again has "
	  "another index, and the SID has to be installed again." },
	{ "device-down", ERROR, ON_DEVICE, 0, device_down, "links", "a device that SRv6 depends on is down",
	  "No packet gets through it." },
	{ "no-carrier", WARNING, ON_DEVICE, 0, no_carrier, "links", "a device that SRv6 depends on has no carrier",
	  "It is up here, but its other end is not." },
	{ "ipv6-disabled", ERROR, ON_DEVICE, 0, ipv6_disabled, "ipv6/conf/*/disable_ipv6", "IPv6 is disabled on a device that SRv6 depends on",
	  "SRv6 packets are IPv6 packets; IPv6 routes can't be installed on such a device, and IPv4 routes that encapsulate may stand there idle." },
	{ "mtu-small", ERROR, ON_DEVICE, 0, mtu_small, "links", "a device that SRv6 depends on has an MTU below 1280",
	  "IPv6 asks for 1280 bytes on every link. Linux removes IPv6 from a device below that, and some older kernels crash on SRv6 "
	  "packets that come in there (CVE-2026-23442)." },
	{ "mtu-route", WARNING, ON_SUBJECT, 0, mtu_route, "routes, links",
	  "the MTU of an encapsulating route is more than its way out takes",
	  "The kernel takes the overhead off the MTU of the route (or its device) and tells senders the rest. If the packets then leave by "
	  "a device that takes less, large ones are lost." },
	{ "mtu-overhead", WARNING, ON_ALL, 0, mtu_overhead, "routes, links",
	  "full-size packets do not fit once they are encapsulated",
	  "An outer IPv6 header is 40 bytes, an SRH 8 and 16 for each segment, an HMAC 40, an Ethernet header inside 14. Packets that "
	  "become too large cost a \"packet too big\" message that must find its way back; frames (H.Encaps.L2) are just lost. A larger MTU on "
	  "the way out, on all links of the path, avoids it; where that can't be, give the route an mtu." },

	/* HMAC */
	{ "hmac-key-missing", ERROR, ON_SUBJECT, 0, hmac_key_missing, "routes, HMAC keys",
	  "a route signs with an HMAC key that is not configured",
	  "The kernel installs the route all the same; every packet is then dropped (sending fails with ENOENT)." },
	{ "hmac-segments", ERROR, ON_SUBJECT, CHECK_BY_NAME, hmac_segments, "routes",
	  "more segments than Linux can sign",
	  "The kernel installs the route and drops every packet." },
	{ "hmac-required", ERROR, ON_ALL, CHECK_WHOLE, hmac_required, "ipv6/conf/*/seg6_require_hmac, HMAC keys",
	  "HMACs are required and there is no key",
	  "No SRH can pass the check. Packets without an SRH are not affected, so it is no protection from those." },
	{ "hmac-required-all", WARNING, ON_ALL, CHECK_WHOLE, hmac_required_all, "ipv6/conf/*/seg6_require_hmac",
	  "seg6_require_hmac is set where it has no effect",
	  "Only the ingress device's value counts." },
	{ "hmac-ignored", INFO, ON_ALL, CHECK_WHOLE, hmac_ignored, "ipv6/conf/*/seg6_require_hmac, HMAC keys",
	  "HMACs are not checked on a device",
	  "With -1 every SRH is accepted, a wrong HMAC too." },

	/* the kernel */
	{ "init-on-alloc", WARNING, ON_ALL, 0, init_on_alloc, "routes, kernel, its command line and configuration",
	  "memory is cleared for every frame that is encapsulated",
	  "Kernels before 7.4 reallocate each frame for H.Encaps.L2 whether it has room or not, and init_on_alloc clears all of the new memory." },
	{ "kernel-lacks", ERROR, ON_ALL, 0, kernel_lacks, "the file of --needs, the kernel",
	  "a saved state needs what this kernel has not",
	  "Some kernels refuse what they do not know, others accept the route and drop the attribute: tunsrc before 7.1, oif and flavors of "
	  "End.X. What was installed then is not what was asked." },
	{ "unknown-encap", INFO, ON_SUBJECT, 0, unknown, "routes",
	  "an encapsulation that this version does not know",
	  "A newer kernel than this version; the route is kept as it is by save and restore." },
	{ 0 },
};

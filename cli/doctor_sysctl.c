/* SPDX-License-Identifier: GPL-2.0-or-later */
/* srv6 doctor: Forwarding and the sysctls around it: what the kernel is told once and forgets to mention. */
#include <stdio.h>
#include <string.h>

#include <net/if.h>

#include "doctor.h"

static bool forwards(const struct subject *s)
{
	switch (s->encap->behavior) {
	case SRV6_END:
	case SRV6_END_X:
	case SRV6_END_T:
	case SRV6_END_DX6:
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
	return s->encap->behavior != SRV6_END_DX2 && s->encap->behavior != SRV6_END_DX4 &&
	       s->encap->behavior != SRV6_END_DT4;
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
		f = found(d, c, must ? must : may, NULL,
			  "IPv6 forwarding is off, and of %u devices these do not force it: %s", n_ports,
			  list_names(d, off, n_off));
	else
		f = found(d, c, must ? must : may, NULL, "IPv6 forwarding is off: %s (%s) %s",
			  (must ? must : may)->label, behavior_name(must ? must : may),
			  must ? "drops what it should pass on" : "serves this host's own packets alone");
	if (!must || n_off < n_ports)
		f->severity = WARNING;
	remedy_sysctl(d, f, "ipv6/conf/all/forwarding", 1);
}

/* The device whose IPv4 settings the decapsulated packet meets: the VRF, else where it came in. */
static bool meets_ipv4(const struct subject *s)
{
	uint32_t b = s->encap->behavior;

	return b == SRV6_END_DX4 || b == SRV6_END_DT4 || b == SRV6_END_DT46 ||
	       (!s->sid && s->route->dst.family == AF_INET);
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
	bool decapsulates = encap_has(s->encap, SRV6_ATTR_VRFTABLE);
	const struct net_link *vrf = decapsulates ? net_vrf(&d->env, s->encap->vrftable) : s->vrf;

	v->n = 0;
	for (uint32_t i = 0; i < d->env.n_links; i++) {
		const struct net_link *l = &d->env.links[i];
		bool meets = decapsulates ? l == vrf : is_port(d, l) && strcmp(l->kind, "dummy") && vrf_of(d, l) == vrf;

		if (!meets || v->seen[i])
			continue;
		v->seen[i] = true;
		v->list[v->n++] = l;
	}
}

/*
 * Whether SRv6 packets surely come in by l: a VRF's come up there, SIDs stand on the device or packets leave by it; or
 * there is no other port that is as it should be, so that they can only come in by l's like.
 */
static bool concerns(const struct doctor *d, const struct subject *s, const struct net_link *l, bool alone)
{
	if (alone || l->vrf_table || s->dev == l)
		return true;
	for (size_t i = 0; i < d->n_asked; i++)
		if (d->subjects[i].egress == l && d->subjects[i].target.family == AF_INET6)
			return true;
	return false;
}

/* The ports that a SID's packets may come in by, bad ones of them first counted. */
static uint32_t count_bad(struct doctor *d, const struct ipv4_devices *v, const char *name,
			  bool (*bad)(int all, int value))
{
	uint32_t n = 0;
	int value;

	for (uint32_t i = 0; i < v->n; i++) {
		value = 0;
		n += read_conf(d, "ipv4", v->list[i], name, &value) && bad(v->all, value);
	}
	return n;
}

static bool is_off(int all, int value)
{
	(void)all;
	return !value;
}

static bool is_strict(int all, int value)
{
	return (all > value ? all : value) == 1;
}

static void ipv4_forwarding_of(struct doctor *d, const struct check *c, const struct subject *s, struct ipv4_devices *v)
{
	struct finding *f;
	char path[96];
	int value = 1;
	bool alone;

	ipv4_devices_of(d, s, v);
	alone = count_bad(d, v, "forwarding", is_off) == v->n;
	for (uint32_t i = 0; i < v->n; i++) {
		const struct net_link *l = v->list[i];

		if (!read_conf(d, "ipv4", l, "forwarding", &value) || !is_off(v->all, value))
			continue;
		f = found(d, c, s, device_object(d, l), "IPv4 forwarding is off on %s: %s (%s) %s", l->name, s->label,
			  behavior_name(s),
			  !s->sid                    ? "does nothing with packets that come in there"
			  : concerns(d, s, l, alone) ? "drops the packets that it has decapsulated"
						     : "drops what it decapsulates of packets that come in there");
		if (!s->sid || !concerns(d, s, l, alone))
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
	struct finding *f;
	char path[96];
	int value = 0;
	bool alone;

	ipv4_devices_of(d, s, v);
	alone = count_bad(d, v, "rp_filter", is_strict) == v->n;
	for (uint32_t i = 0; i < v->n; i++) {
		const struct net_link *l = v->list[i];

		if (!read_conf(d, "ipv4", l, "rp_filter", &value) || !is_strict(v->all, value))
			continue;
		f = found(d, c, s, device_object(d, l),
			  "rp_filter is strict on %s (conf/all %d, conf/%s %d): IPv4 packets that %s (%s) has "
			  "decapsulated are dropped%s unless their source is routed to that device",
			  l->name, v->all, l->name, value, s->label, behavior_name(s),
			  concerns(d, s, l, alone) ? "" : ", if they came in there,");
		if (!concerns(d, s, l, alone))
			f->severity = WARNING;
		snprintf(path, sizeof(path), "ipv4/conf/%s/rp_filter", l->name);
		remedy_sysctl(d, f, path, 2);
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
		f = found(d, c, s, NULL,
			  "segment %s is an address of this host, and SRHs for it are dropped on %s (seg6_enabled 0)",
			  addr, list_names(d, off, n_off));
	else
		f = found(d, c, s, NULL,
			  "segment %s is an address of this host, and SRHs for it are dropped: seg6_enabled is %d in "
			  "conf/all and 0 on %u of %u devices",
			  addr, all, n_off, n_ports);
	if (all && n_off < n_ports)
		f->severity = INFO;
	if (!all)
		remedy_sysctl(d, f, "ipv6/conf/all/seg6_enabled", 1);
	for (uint32_t i = 0; i < n_off && f->n_remedies < MAX_REMEDIES; i++) {
		snprintf(path, sizeof(path), "ipv6/conf/%s/seg6_enabled", off[i]->name);
		remedy_sysctl(d, f, path, 1);
	}
}

/* A segment that is an address here, of a route here; or the address asked about. */
TEST(seg6_disabled)
{
	UNUSED2(s, u);
	if (is_local_addr(d, &d->wanted) && !d->n_asked)
		seg6_enabled_for(d, c, NULL, text_addr(d, &d->wanted));
	for (size_t i = 0; i < d->n_asked; i++) {
		const struct subject *x = &d->subjects[i];

		for (uint32_t j = 0; j < x->encap->n_segs && encap_has(x->encap, SRV6_ATTR_SEGS); j++) {
			struct srv6_prefix p = net_in6(&x->encap->segs[j]);

			if (is_local_addr(d, &p)) {
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
	f = found(d, c, NULL, "netfilter",
		  "there are netfilter rules here, and nf_hooks_lwtunnel is 0: packets inside SRv6 bypass the hooks "
		  "that the plain ones meet");
	remedy_sysctl(d, f, "netfilter/nf_hooks_lwtunnel", 1);
}

TEST(nf_hooks_on)
{
	int value = 0;

	UNUSED2(s, u);
	if (!d->n_asked || !read_sysctl(d, "netfilter/nf_hooks_lwtunnel", &value) || !value ||
	    net_has_netfilter_rules(&d->env) != 0)
		return;
	found(d, c, NULL, "netfilter",
	      "nf_hooks_lwtunnel is 1 and there are no netfilter rules here: SRv6 packets pay for hooks that nobody "
	      "uses, until the next boot");
}

/* ---- the rows */

const struct check doctor_sysctl_checks[] = {
	{ "forwarding-off", ERROR, ON_ALL, 0, forwarding_off, "routes, ipv6/conf/*/forwarding, force_forwarding",
	  "IPv6 forwarding is off where SRv6 should forward",
	  "Packets that leave again after a SID or an encapsulation are forwarded packets; without forwarding they are "
	  "dropped. Kernels from 6.17 on have force_forwarding for single devices." },
	{ "ipv4-forwarding-off", ERROR, ON_ALL, 0, ipv4_forwarding_off, "routes, ipv4/conf/*/forwarding",
	  "IPv4 forwarding is off where IPv4 packets are encapsulated or decapsulated",
	  "For IPv4 the device decides on which a packet came in: that of the VRF for End.DT4 and End.DT46, that of "
	  "the SRv6 packet for End.DX4, that of the plain packet for an encapsulating route." },
	{ "rp-filter", ERROR, ON_ALL, 0, rp_filter, "routes, ipv4/conf/*/rp_filter",
	  "strict reverse path filtering where decapsulated IPv4 packets appear",
	  "The larger of conf/all and the device's value counts. A decapsulated packet's source is rarely routed to "
	  "the device where the SRv6 packet came in, and in strict mode (1) it is dropped without a word. Loose mode "
	  "(2) asks only for some route to it." },
	{ "seg6-disabled", ERROR, ON_ALL, 0, seg6_disabled, "addresses, routes, ipv6/conf/*/seg6_enabled",
	  "a segment is a local address, and SRHs are not accepted",
	  "For a SID that is an address of the host the smaller of conf/all and the ingress device's seg6_enabled "
	  "counts, and both are 0 at first. SIDs that are seg6local routes do not need it." },
	{ "seg6-half-enabled", INFO, ON_ALL, CHECK_WHOLE, seg6_half, "ipv6/conf/*/seg6_enabled",
	  "seg6_enabled is set in one place of two",
	  "The smaller of conf/all and the device's value counts, so one alone does nothing. It matters for SIDs that "
	  "are addresses, not for those that are seg6local routes." },
	{ "nf-hooks-off", INFO, ON_ALL, CHECK_BY_NAME | CHECK_WHOLE, nf_hooks_off,
	  "netfilter/nf_hooks_lwtunnel, netfilter tables", "netfilter rules, and SRv6 passes some of their hooks by",
	  "With nf_hooks_lwtunnel=0 a packet that is encapsulated or decapsulated does not meet every hook twice, so "
	  "stateful rules may not see it. Setting it to 1 holds for the whole machine, costs time for each packet, and "
	  "lasts until the next boot." },
	{ "nf-hooks-on", INFO, ON_ALL, CHECK_WHOLE, nf_hooks_on, "netfilter/nf_hooks_lwtunnel, netfilter tables",
	  "SRv6 packets pass netfilter hooks for nothing",
	  "nf_hooks_lwtunnel can't be set back to 0 on a running kernel." },
	{ 0 },
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* srv6 doctor: what the checks have in common. */
#include <string.h>

#include <net/if.h>

#include "doctor.h"

bool encap_has(const struct srv6_encap *e, uint32_t attr)
{
	return e->has & SRV6_BIT(attr);
}

bool encapsulates(const struct subject *s)
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

bool takes_frames(const struct subject *s)
{
	return s->encap->behavior == SRV6_H_ENCAPS_L2 || s->encap->behavior == SRV6_H_ENCAPS_L2_RED;
}

/* What comes in by a port of a bridge, bond or switch is the master's. */
bool is_port(const struct doctor *d, const struct net_link *l)
{
	const struct net_link *master = l->master ? net_link(&d->env, l->master) : NULL;

	return (l->flags & IFF_UP) && !(l->flags & IFF_LOOPBACK) && !l->vrf_table && (!master || master->vrf_table);
}

const char *list_names(struct doctor *d, const struct net_link *const *links, uint32_t n)
{
	const char *text = "";

	for (uint32_t i = 0; i < n && i < 8; i++)
		text = take_printf(d->a, "%s%s%s", text, i ? ", " : "", links[i]->name);
	return n > 8 ? take_printf(d->a, "%s and %u more", text, n - 8) : text;
}

const char *device_object(struct doctor *d, const struct net_link *l)
{
	return take_printf(d->a, "device %s", l->name);
}

const char *behavior_name(const struct subject *s)
{
	return s->info ? s->info->name : "an unknown behavior";
}

const struct net_link *vrf_of(const struct doctor *d, const struct net_link *l)
{
	const struct net_link *master = l && l->master ? net_link(&d->env, l->master) : NULL;

	return l && l->vrf_table ? l : master && master->vrf_table ? master : NULL;
}

uint32_t ports_without(struct doctor *d, const char *family, const char *name, const struct net_link **off,
		       uint32_t *n_ports)
{
	uint32_t n = 0;
	int value;

	*n_ports = 0;
	for (uint32_t i = 0; i < d->env.n_links; i++) {
		const struct net_link *l = &d->env.links[i];

		if (!is_port(d, l))
			continue;
		++*n_ports;
		if (!read_conf(d, family, l, name, &value) || !value)
			off[n++] = l;
	}
	return n;
}

bool is_local_addr(const struct doctor *d, const struct srv6_prefix *p)
{
	return p->family == AF_INET6 && p->len == 128 && net_addr(&d->env, p);
}

void remedy_again(struct doctor *d, struct finding *f, const struct subject *s, uint32_t ifindex)
{
	struct edit e = edit(d, s, SRV6_REPLACE);

	if (!e.op)
		return;
	if (ifindex)
		e.hop->ifindex = ifindex;
	remedy_op(d, f, e.op);
}

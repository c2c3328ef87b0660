/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kernel names the attribute at fault by its offset from the start of the request. The request is walked down to it:
 *
 *   nlmsghdr, rtmsg, attributes: RTA_ENCAP { ... }, RTA_MULTIPATH [ rtnexthop, attributes { RTA_ENCAP { ... } } ]
 */
#include <linux/nexthop.h>

#include "family.h"
#include "transact.h"

struct place_row {
	uint16_t type;
	uint8_t attr;
};

static const struct place_row route_rows[] = {
	{ RTA_DST, SRV6_ATTR_DST },
	{ RTA_SRC, SRV6_ATTR_FROM },
	{ RTA_OIF, SRV6_ATTR_DEV },
	{ RTA_GATEWAY, SRV6_ATTR_VIA },
	{ RTA_VIA, SRV6_ATTR_VIA },
	{ RTA_PRIORITY, SRV6_ATTR_METRIC },
	{ RTA_PREFSRC, SRV6_ATTR_PREFSRC },
	{ RTA_TABLE, SRV6_ATTR_ROUTE_TABLE },
	{ RTA_PREF, SRV6_ATTR_PREF },
	{ RTA_EXPIRES, SRV6_ATTR_EXPIRES },
	{ RTA_NH_ID, SRV6_ATTR_NHID },
	{ RTA_FLOW, SRV6_ATTR_REALMS },
	{ RTA_TTL_PROPAGATE, SRV6_ATTR_TTL_PROPAGATE },
};

static const struct place_row nexthop_rows[] = {
	{ NHA_ID, SRV6_ATTR_NH_ID },
	{ NHA_GROUP, SRV6_ATTR_NH_GROUP },
	{ NHA_GROUP_TYPE, SRV6_ATTR_NH_GROUP_TYPE },
	{ NHA_BLACKHOLE, SRV6_ATTR_NH_BLACKHOLE },
	{ NHA_OIF, SRV6_ATTR_DEV },
	{ NHA_GATEWAY, SRV6_ATTR_VIA },
	{ NHA_FDB, SRV6_ATTR_NH_FDB },
};

static uint32_t find_row(const struct place_row *rows, size_t n, uint16_t type)
{
	for (size_t i = 0; i < n; i++)
		if (rows[i].type == type)
			return rows[i].attr;
	return SRV6_ATTR_NONE;
}

/* The attribute of a run whose bytes hold at; NULL: none. */
static const struct nlattr *attr_at(const uint8_t *p, size_t len, const uint8_t *at)
{
	while (len >= ATTR_HEAD) {
		const struct nlattr *a = (const void *)p;
		size_t step = ATTR_ALIGN(a->nla_len);

		if (a->nla_len < ATTR_HEAD || a->nla_len > len)
			return NULL;
		if (at >= p && at < p + step)
			return a;
		if (step >= len)
			return NULL;
		p += step;
		len -= step;
	}
	return NULL;
}

/* Which family it is says the type attribute beside the encapsulation. */
static uint32_t encap_attr(const struct nlattr *encap, const uint8_t *run, size_t len, uint16_t type_attr,
			   const uint8_t *at)
{
	const struct nlattr *inner = attr_at(knl_data(encap), knl_len(encap), at),
			    *type = knl_find_in(run, len, type_attr);
	uint16_t encap_type = 0;
	const struct family *f;

	if (!inner || !type || knl_len(type) < sizeof(encap_type))
		return SRV6_ATTR_NONE;
	memcpy(&encap_type, knl_data(type), sizeof(encap_type));
	for (unsigned int i = 0; (f = family_at(i)); i++) {
		if (f->encap_type != encap_type)
			continue;
		for (uint32_t j = 0; j < f->n_rows; j++)
			if (f->rows[j].type == knl_type(inner))
				return f->rows[j].attr;
	}
	return SRV6_ATTR_NONE;
}

static uint32_t run_attr(const uint8_t *run, size_t len, uint32_t kind, const uint8_t *at)
{
	const struct nlattr *a = attr_at(run, len, at);
	bool route = kind == SRV6_ROUTE;

	if (!a)
		return SRV6_ATTR_NONE;
	if (knl_type(a) == (route ? RTA_ENCAP : NHA_ENCAP))
		return encap_attr(a, run, len, route ? RTA_ENCAP_TYPE : NHA_ENCAP_TYPE, at);
	return route ? find_row(route_rows, ARRAY_SIZE(route_rows), knl_type(a))
		     : find_row(nexthop_rows, ARRAY_SIZE(nexthop_rows), knl_type(a));
}

static uint32_t hops_attr(const struct nlattr *multipath, const uint8_t *at, uint32_t *hop)
{
	const uint8_t *p = knl_data(multipath);
	size_t len = knl_len(multipath);

	for (*hop = 0; len >= sizeof(struct rtnexthop); ++*hop) {
		const struct rtnexthop *h = (const void *)p;
		size_t step = ATTR_ALIGN(h->rtnh_len);

		if (h->rtnh_len < sizeof(*h) || h->rtnh_len > len)
			break;
		if (at >= p && at < p + step)
			return run_attr(p + sizeof(*h), h->rtnh_len - sizeof(*h), SRV6_ROUTE, at);
		if (step >= len)
			break;
		p += step;
		len -= step;
	}
	*hop = 0;
	return SRV6_ATTR_NONE;
}

void explain_offset(const struct nlmsghdr *req, uint32_t kind, uint32_t offset, struct srv6_error *err)
{
	size_t head = MSG_LEN(kind == SRV6_ROUTE ? sizeof(struct rtmsg) : sizeof(struct nhmsg));
	const uint8_t *at = (const uint8_t *)req + offset, *run = (const uint8_t *)req + head;
	const struct nlattr *a;
	uint32_t attr, hop = 0;

	if ((kind != SRV6_ROUTE && kind != SRV6_NEXTHOP) || offset < head || offset >= req->nlmsg_len)
		return;
	a = attr_at(run, req->nlmsg_len - head, at);
	if (a && kind == SRV6_ROUTE && knl_type(a) == RTA_MULTIPATH)
		attr = hops_attr(a, at, &hop);
	else
		attr = run_attr(run, req->nlmsg_len - head, kind, at);
	if (attr == SRV6_ATTR_NONE)
		return;
	err->attr = attr;
	err->hop = hop;
}

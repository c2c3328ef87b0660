/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>
#include <linux/icmpv6.h>
#include <linux/rtnetlink.h>

#include "model.h"

/* ---- names */

const struct flag_name hop_flags[] = { { RTNH_F_DEAD, "dead" },
				       { RTNH_F_PERVASIVE, "pervasive" },
				       { RTNH_F_OFFLOAD, "offload" },
				       { RTNH_F_LINKDOWN, "linkdown" },
				       { RTNH_F_UNRESOLVED, "unresolved" },
				       { RTNH_F_TRAP, "trap" },
				       { 0, NULL } };

const struct flag_name route_flags[] = { { RTM_F_OFFLOAD, "rt_offload" },
					 { RTM_F_TRAP, "rt_trap" },
					 { RTM_F_OFFLOAD_FAILED, "rt_offload_failed" },
					 { 0, NULL } };

static bool is_in(const struct flag_name *n, const char *word)
{
	for (; n->name; n++)
		if (same(n->name, word))
			return true;
	return false;
}

bool is_flag_word(const char *word)
{
	return is_in(hop_flags, word) || is_in(route_flags, word);
}

static const char *const kinds[] = { [SRV6_ROUTE] = "route",
				     [SRV6_NEXTHOP] = "nexthop",
				     [SRV6_TUNSRC] = "tunsrc",
				     [SRV6_HMAC] = "hmac",
				     [SRV6_LINK] = "link" };
static const char *const verbs[] = { [SRV6_IS] = "is",         [SRV6_ADD] = "add",       [SRV6_REPLACE] = "replace",
				     [SRV6_CHANGE] = "change", [SRV6_APPEND] = "append", [SRV6_DEL] = "del",
				     [SRV6_GET] = "get",       [SRV6_LOST] = "lost",     [SRV6_SYNCED] = "synced" };

const char *kind_name(uint32_t kind)
{
	return kind < ARRAY_SIZE(kinds) && kinds[kind] ? kinds[kind] : "?";
}

const char *verb_name(uint32_t verb)
{
	return verb < ARRAY_SIZE(verbs) ? verbs[verb] : "?";
}

const char *op_verb_word(const struct srv6_op *op)
{
	if (op->kind == SRV6_TUNSRC && op->verb != SRV6_IS)
		return op->verb == SRV6_DEL ? "unset" : "set";
	if (op->kind == SRV6_HMAC && op->verb != SRV6_DEL)
		return "set";
	if (op->verb == SRV6_APPEND && op->flags & SRV6_OP_PREPEND)
		return "prepend";
	return op->verb == SRV6_IS ? "add" : verb_name(op->verb);
}

static const struct flag_name algos[] = { { SRV6_HMAC_SHA1, "sha1" }, { SRV6_HMAC_SHA256, "sha256" }, { 0, NULL } };

const char *hmac_algo_name(uint32_t algo)
{
	for (const struct flag_name *n = algos; n->name; n++)
		if (n->bit == algo)
			return n->name;
	return NULL;
}

int hmac_algo_number(const char *name, uint32_t *ret)
{
	for (const struct flag_name *n = algos; n->name; n++)
		if (!strcmp(n->name, name)) {
			*ret = n->bit;
			return 0;
		}
	return -ENOENT;
}

/* uA: the node and its function, 16 bits each; see draft-ietf-spring-srv6-srh-compression's F3216 */
static const struct usid usids[] = { { "uN", SRV6_END, true, 0 },          { "uA", SRV6_END_X, true, 32 },
				     { "uDT4", SRV6_END_DT4, false, 0 },   { "uDT6", SRV6_END_DT6, false, 0 },
				     { "uDT46", SRV6_END_DT46, false, 0 }, { "uDX4", SRV6_END_DX4, false, 0 },
				     { "uDX6", SRV6_END_DX6, false, 0 },   { NULL, 0, false, 0 } };

const struct usid *usid_find(const char *name)
{
	for (const struct usid *u = usids; u->name; u++)
		if (same(u->name, name))
			return u;
	return NULL;
}

/* uN and uA: the flavor, and lengths that fit the prefix. */
void usid_fill(struct srv6_encap *e, const struct usid *usid, const struct srv6_prefix *dst)
{
	uint8_t lblen = e->has & SRV6_HAS(LBLEN) ? e->lblen : 32, nflen = usid->nflen;

	if (!usid->csid)
		return;
	e->has |= SRV6_HAS(FLAVORS);
	e->flavors |= SRV6_FLAVOR_NEXT_CSID;
	if (e->has & SRV6_HAS(NFLEN))
		return;
	if (dst && dst->len > lblen && dst->len < 128 && (dst->len - lblen) % 8 == 0)
		nflen = (uint8_t)(dst->len - lblen);
	if (!nflen || (nflen == 16 && lblen == 32 && !(e->has & SRV6_HAS(LBLEN))))
		return; /* the kernel's own */
	e->has |= SRV6_HAS(NFLEN) | SRV6_HAS(LBLEN);
	e->nflen = nflen;
	e->lblen = lblen;
}

/* Without nflen the word would be read as what fits the prefix, which need not be the kernel's default that is meant. */
const char *usid_name(const struct srv6_encap *e)
{
	bool csid = e->has & SRV6_HAS(FLAVORS) && e->flavors == SRV6_FLAVOR_NEXT_CSID;

	if (csid && !(e->has & SRV6_HAS(NFLEN)))
		return NULL;
	for (const struct usid *u = usids; u->name; u++)
		if (u->behavior == e->behavior && u->csid == csid && (csid || !(e->has & SRV6_HAS(FLAVORS))))
			return u->name;
	return NULL;
}

/* ---- behaviors */

/* The numbering in which a mobile behavior is of this encapsulation; 0: that of c, or none. */
static uint32_t numbering(const struct ctx *c, uint32_t behavior, const char *type)
{
	const struct srv6_behavior_info *info = srv6_behavior_info(behavior, c->mobile);

	if (c->mobile || !info || !type || !strcmp(info->encap, type))
		return 0;
	for (uint32_t m = 1; srv6_mobile_name(m); m++)
		if (!strcmp(srv6_behavior_info(behavior, m)->encap, type))
			return m;
	return 0;
}

const struct srv6_behavior_info *info_as_read(const struct ctx *c, const struct srv6_encap *e)
{
	uint32_t mobile = numbering(c, e->behavior, e->encap_type ? srv6_encap_name(e->encap_type) : NULL);

	return srv6_behavior_info(e->behavior, mobile ? mobile : c->mobile);
}

/* Not once there is a handle, which was opened with another. */
const struct srv6_behavior_info *numbering_of(struct ctx *c, uint32_t behavior, const char *type)
{
	uint32_t mobile = c->s ? 0 : numbering(c, behavior, type);

	if (mobile && srv6_behavior_info(behavior, mobile)->status == SRV6_STATUS_PROPOSED)
		c->mobile = mobile;
	return srv6_behavior_info(behavior, c->mobile);
}

bool is_headend_mode(const struct srv6_behavior_info *info)
{
	return !strcmp(info->encap, "seg6");
}

bool encap_has_srh_word(const struct srv6_encap *e)
{
	const struct srv6_behavior_info *info = srv6_behavior_info(e->behavior, SRV6_MOBILE_AUTO);

	return info && !is_headend_mode(info);
}

bool behavior_takes(const struct srv6_behavior_info *info, uint32_t attr)
{
	return (info->required | info->optional | info->one_of) & SRV6_BIT(attr);
}

const struct srv6_encap *op_encap(const struct srv6_op *op)
{
	const struct srv6_route *r = op->u.route;

	if (op->kind == SRV6_NEXTHOP)
		return op->u.nexthop->hop ? op->u.nexthop->hop->encap : NULL;
	for (uint32_t i = 0; op->kind == SRV6_ROUTE && i < r->n_hops; i++)
		if (r->hops[i].encap)
			return r->hops[i].encap;
	return NULL;
}

bool op_is_sid(const struct srv6_op *op)
{
	const struct srv6_encap *e = op_encap(op);
	const struct srv6_behavior_info *info = e ? srv6_behavior_info(e->behavior, SRV6_MOBILE_AUTO) : NULL;
	const char *name;

	if (info)
		return !is_headend_mode(info) && e->behavior != SRV6_H_M_GTP4_D;
	name = e ? srv6_encap_name(e->encap_type) : NULL;
	return name && (!strcmp(name, "seg6local") || !strcmp(name, "seg6mobile"));
}

static bool hop_is_srv6(const struct srv6_hop *h)
{
	const char *name;

	if (!h->encap)
		return false;
	if (h->encap->behavior != SRV6_OTHER)
		return true;
	name = srv6_encap_name(h->encap->encap_type);
	return name && !strncmp(name, "seg6", 4);
}

bool op_is_srv6(const struct srv6_op *op)
{
	const struct srv6_route *r = op->u.route;

	if (op->kind == SRV6_NEXTHOP)
		return op->u.nexthop->hop && hop_is_srv6(op->u.nexthop->hop);
	for (uint32_t i = 0; op->kind == SRV6_ROUTE && i < r->n_hops; i++)
		if (hop_is_srv6(&r->hops[i]))
			return true;
	return false;
}

/* ---- defaults: what add gives where nothing is said */

/* As iproute2 infers it for IPv4; IPv6 has none. */
static uint8_t inferred_scope(const struct srv6_route *r)
{
	uint8_t type = r->has & SRV6_HAS(TYPE) ? r->type : RTN_UNICAST;

	if (r->dst.family != AF_INET)
		return RT_SCOPE_UNIVERSE;
	if (type == RTN_LOCAL || type == RTN_NAT)
		return RT_SCOPE_HOST;
	if (type == RTN_BROADCAST || type == RTN_MULTICAST || type == RTN_ANYCAST)
		return RT_SCOPE_LINK;
	if (type != RTN_UNICAST || r->has & SRV6_HAS(NHID))
		return RT_SCOPE_UNIVERSE;
	for (uint32_t i = 0; i < r->n_hops; i++)
		if (r->hops[i].has & SRV6_HAS(VIA))
			return RT_SCOPE_UNIVERSE;
	return RT_SCOPE_LINK;
}

bool route_is_default(const struct srv6_route *r, uint32_t attr)
{
	switch (attr) {
	case SRV6_ATTR_ROUTE_TABLE:
		return r->table == RT_TABLE_MAIN;
	case SRV6_ATTR_PROTOCOL:
		return r->protocol == RTPROT_BOOT;
	case SRV6_ATTR_SCOPE: /* ip shows any but global */
		return r->scope == inferred_scope(r) && r->scope == RT_SCOPE_UNIVERSE;
	case SRV6_ATTR_PREF:
		return r->pref == ICMPV6_ROUTER_PREF_MEDIUM;
	case SRV6_ATTR_TOS:
		return !r->tos;
	default:
		return false;
	}
}

bool nexthop_is_default(const struct srv6_nexthop *n, uint32_t attr)
{
	switch (attr) {
	case SRV6_ATTR_NH_PROTOCOL:
		return n->protocol == RTPROT_UNSPEC;
	case SRV6_ATTR_NH_SCOPE: /* the kernel's, from the gateway; ip shows it and add passes it over */
		return true;
	case SRV6_ATTR_NH_GROUP_TYPE:
		return !n->group_type;
	default:
		return false;
	}
}

uint8_t nexthop_family(const struct srv6_nexthop *n)
{
	if (n->has & (SRV6_HAS(NH_GROUP)))
		return AF_UNSPEC;
	if (n->hop && n->hop->has & SRV6_HAS(VIA))
		return n->hop->via.family;
	if (n->hop && n->hop->encap && n->hop->encap->behavior == SRV6_H_M_GTP4_D)
		return AF_INET;
	return AF_INET6;
}

bool nexthop_needs_family(const struct srv6_nexthop *n)
{
	return n->family != AF_UNSPEC && !(n->has & SRV6_HAS(NH_GROUP)) && n->family != nexthop_family(n);
}

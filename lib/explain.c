/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a refusal means, and what mends it. The kernel answers nearly everything with EINVAL and few words; the rows
 * here say what it is, by errno, the kernel's words (a part of them: prefixes and wording vary by version) and what was
 * asked.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <linux/ipv6.h>

#include "transact.h"

#ifndef ENOTSUPP
#define ENOTSUPP 524 /* the kernel's own; libc does not know it */
#endif

enum condition {
	ANY = 0,
	ROUTE,
	ROUTE_NEW,
	SID_GONE,
	NEXTHOP,
	GENL,
	HMAC_OP,
	HAS_VRFTABLE,
	HAS_BPF,
	HAS_ENCAP,
	NO_DEVICE,
	DEVICE_UNSAID, /* the gateway's or the nexthop object's, whichever that is */
	DEVICE_GONE,
	DEVICE_SMALL,
	DEVICE_NO_IPV6
};

/* In text and remedy: %P prefix, %L what lists it, %A what is appended to it, %T table, %D device, %M its MTU, %N nexthop id, %B behavior, %S its kernel, %V VRF
 * table, %G gateway, %K key */
struct reason {
	int code;          /* errno, positive; 0: any */
	const char *words; /* part of the kernel's; NULL: whatever it said; "": it said nothing */
	enum condition when;
	uint32_t attr;
	const char *text, *remedy;
};

static const struct reason reasons[] = {
	{ EPERM, "Strict mode for VRF", ANY, SRV6_ATTR_VRFTABLE,
	  "VRF strict mode is off in this network namespace, and vrftable needs it",
	  "sysctl -w net.vrf.strict_mode=1" },
	{ ENODEV, "no associated VRF device", ANY, SRV6_ATTR_VRFTABLE, "no VRF device belongs to table %V",
	  "ip link add vrf%V type vrf table %V && ip link set dev vrf%V up" },
	{ EINVAL, "", HAS_VRFTABLE, SRV6_ATTR_VRFTABLE,
	  "vrftable is refused: this kernel has no VRF driver loaded, or is older than Linux 5.11 (5.14 for End.DT46)",
	  "modprobe vrf (CONFIG_NET_VRF), then sysctl -w net.vrf.strict_mode=1" },
	{ EOPNOTSUPP, "", HAS_VRFTABLE, SRV6_ATTR_VRFTABLE,
	  "this kernel was built without VRF support (CONFIG_NET_L3_MASTER_DEV)", "" },
	{ EPERM, NULL, GENL, SRV6_ATTR_NONE,
	  "the kernel's SEG6 family may be used only from the initial user namespace with CAP_NET_ADMIN",
	  "run it as root of the host, not of a container; ip netns exec keeps that right" },
	{ EPERM, NULL, ANY, SRV6_ATTR_NONE,
	  "changes need CAP_NET_ADMIN in the user namespace that owns this network namespace",
	  "run it as root, or give the program CAP_NET_ADMIN" },
	{ ENOTSUPP, NULL, HMAC_OP, SRV6_ATTR_NONE, "this kernel was built without SRv6 HMAC (CONFIG_IPV6_SEG6_HMAC)",
	  "" },
	{ EOPNOTSUPP, NULL, HMAC_OP, SRV6_ATTR_NONE, "this kernel was built without SRv6 HMAC (CONFIG_IPV6_SEG6_HMAC)",
	  "" },
	{ ENOENT, NULL, HMAC_OP, SRV6_ATTR_NONE, "there is no HMAC key %K", "srv6 hmac show" },

	{ ENETDOWN, NULL, DEVICE_UNSAID, SRV6_ATTR_VIA, "the device that leads to gateway %G is down",
	  "ip link set dev DEVICE up" },
	{ ENETDOWN, NULL, ANY, SRV6_ATTR_DEV, "device %D is down", "ip link set dev %D up" },
	{ EACCES, "IPv6 is disabled", DEVICE_UNSAID, SRV6_ATTR_VIA,
	  "IPv6 is disabled on the device that leads to gateway %G (disable_ipv6=1)",
	  "sysctl -w net.ipv6.conf.DEVICE.disable_ipv6=0" },
	{ EACCES, "IPv6 is disabled", ANY, SRV6_ATTR_DEV, "IPv6 is disabled on device %D (disable_ipv6=1)",
	  "sysctl -w net.ipv6.conf.%D.disable_ipv6=0" },
	{ ENODEV, NULL, NO_DEVICE, SRV6_ATTR_DEV, "the route names no device and no gateway, and the kernel needs one",
	  "add: dev DEVICE" },
	{ ENODEV, NULL, DEVICE_UNSAID, SRV6_ATTR_VIA, "no device leads to gateway %G", "add: dev DEVICE" },
	{ ENODEV, NULL, DEVICE_GONE, SRV6_ATTR_DEV, "there is no device %D", "ip link show" },
	{ ENODEV, NULL, DEVICE_SMALL, SRV6_ATTR_DEV, "device %D has MTU %M, which is below 1280: no IPv6 there",
	  "ip link set dev %D mtu 1500" },
	{ ENODEV, NULL, DEVICE_NO_IPV6, SRV6_ATTR_DEV, "device %D has no IPv6",
	  "sysctl -w net.ipv6.conf.%D.disable_ipv6=0" },
	{ ENODEV, NULL, ANY, SRV6_ATTR_DEV, "the kernel does not accept device %D", "" },
	{ EHOSTUNREACH, NULL, ANY, SRV6_ATTR_VIA, "the gateway %G cannot be reached through any route",
	  "add a route to the gateway first, or say that it is on the link: dev DEVICE onlink" },
	{ ENETUNREACH, NULL, ANY, SRV6_ATTR_VIA, "the gateway %G cannot be reached through any route",
	  "add a route to the gateway first, or say that it is on the link: dev DEVICE onlink" },
	{ EINVAL, "Nexthop has invalid gateway", ANY, SRV6_ATTR_VIA,
	  "the gateway %G cannot be used: it is not on the link", "" },

	{ EEXIST, NULL, ROUTE_NEW, SRV6_ATTR_DST, "a route to %P with this metric is there already in table %T",
	  "replace changes it, append adds %A" },
	{ EEXIST, NULL, NEXTHOP, SRV6_ATTR_NH_ID, "nexthop object %N is there already", "replace changes it" },
	{ ESRCH, "table does not exist", ROUTE, SRV6_ATTR_ROUTE_TABLE, "table %T does not exist, so no route is in it",
	  "" },
	{ ENOENT, "table does not exist", ROUTE, SRV6_ATTR_ROUTE_TABLE, "table %T does not exist, so no route is in it",
	  "" },
	{ ESRCH, NULL, SID_GONE, SRV6_ATTR_DST, "there is no such SID %P in table %T", "%L table %T" },
	{ ESRCH, NULL, ROUTE, SRV6_ATTR_DST, "there is no such route to %P in table %T", "%L table %T" },
	{ ENOENT, NULL, ROUTE_NEW, SRV6_ATTR_DST, "there is no route to %P in table %T that could be changed",
	  "add or replace makes one" },
	/* of an IPv6 default route that there is not */
	{ ENOENT, NULL, ROUTE, SRV6_ATTR_DST, "there is no such route to %P in table %T", "%L table %T" },
	{ ENOENT, NULL, NEXTHOP, SRV6_ATTR_NH_ID, "there is no nexthop object %N", "srv6 nexthop show" },
	{ EINVAL, "Nexthop id does not exist", ANY, SRV6_ATTR_NHID, "there is no nexthop object %N",
	  "srv6 nexthop add id %N ..." },
	{ EINVAL, "mutually exclusive", ANY, SRV6_ATTR_NHID,
	  "a route with nhid cannot have a device, a gateway or an encapsulation of its own", "" },
	{ EINVAL, "can not use an IPv4 nexthop", ANY, SRV6_ATTR_NHID, "nexthop object %N is an IPv4 one",
	  "make it with the IPv6 family: srv6 -6 nexthop replace id %N ..." },
	{ EINVAL, "Device only routes can not be added", ANY, SRV6_ATTR_VIA,
	  "each hop of an IPv6 multipath route needs a gateway",
	  "give each hop its via, or append the hops one at a time" },
	{ EINVAL, "Invalid source address", ANY, SRV6_ATTR_PREFSRC,
	  "the preferred source address is none of this namespace's", "" },
	{ EINVAL, "Invalid prefsrc address", ANY, SRV6_ATTR_PREFSRC,
	  "the preferred source address is none of this namespace's", "" },
	{ EINVAL, "Invalid prefix for given prefix length", ANY, SRV6_ATTR_DST,
	  "%P has bits set beyond its prefix length", "" },
	{ EINVAL, "Egress device can not be loopback", ANY, SRV6_ATTR_DEV,
	  "this route cannot leave through the loopback device", "" },

	{ EOPNOTSUPP, "CONFIG_LWTUNNEL", ANY, SRV6_ATTR_NONE,
	  "this kernel was built without lightweight tunnels (CONFIG_LWTUNNEL)", "" },
	{ EOPNOTSUPP, "encapsulation type not supported", ANY, SRV6_ATTR_NONE,
	  "this kernel was built without %B (CONFIG_IPV6_SEG6_LWTUNNEL)", "" },
	{ 0, "nknown lwt encapsulation type", ANY, SRV6_ATTR_NONE, "this kernel does not know %B, which needs Linux %S",
	  "" },
	{ EOPNOTSUPP, "Unsupported Flavor", ANY, SRV6_ATTR_FLAVORS, "this kernel does not have these flavors for %B",
	  "srv6 caps" },
	{ EINVAL, "Locator Block", ANY, SRV6_ATTR_LBLEN,
	  "lblen and nflen must be multiples of 8 bits, from 8 to 120, 128 together at most", "" },
	{ EINVAL, "invalid tunsrc address", ANY, SRV6_ATTR_TUNSRC,
	  "the kernel does not accept this address as tunnel source", "" },
	{ EINVAL, "mode for tunsrc", ANY, SRV6_ATTR_TUNSRC, "%B has no outer header, so no tunsrc", "" },
	{ EINVAL, "invalid lookup table", ANY, SRV6_ATTR_LOOKUP, "the kernel does not accept this lookup table", "" },
	{ EBADF, NULL, HAS_BPF, SRV6_ATTR_BPF, "the BPF program's descriptor is not open", "" },
	{ EINVAL, "", HAS_BPF, SRV6_ATTR_BPF,
	  "the BPF program is refused: its type must be BPF_PROG_TYPE_LWT_SEG6LOCAL", "" },
	{ EOPNOTSUPP, NULL, HAS_ENCAP, SRV6_ATTR_NONE, "this kernel does not have %B as asked (Linux %S)",
	  "srv6 caps" },
	{ EINVAL, "", HAS_ENCAP, SRV6_ATTR_NONE,
	  "the kernel refuses this as invalid and does not say why; %B needs Linux %S", "srv6 caps" },
	{ EINVAL, NULL, ANY, SRV6_ATTR_NONE, "the kernel refuses this as invalid", "" },
	{ ENOMEM, NULL, ANY, SRV6_ATTR_NONE, "the kernel found no memory, though it was asked many times", "" },
	{ EBUSY, NULL, ANY, SRV6_ATTR_NONE, "the kernel is busy with another request of this socket", "" },
	{ EMSGSIZE, NULL, ANY, SRV6_ATTR_NONE, "the request is larger than the kernel takes", "" },
};

struct asked {
	struct srv6 *s;
	const struct srv6_op *op;
	const struct srv6_route *route;
	const struct srv6_nexthop *nexthop;
	const struct srv6_hop *hop;     /* the first */
	const struct srv6_encap *encap; /* the first there is */
	struct link_state link;
	int link_known; /* 0: not asked; 1: there; -1: no such */
};

static void asked_init(struct asked *a, struct srv6 *s, const struct srv6_op *op)
{
	uint32_t n;

	memset(a, 0, sizeof(*a));
	a->s = s;
	a->op = op;
	a->route = op->kind == SRV6_ROUTE ? op->u.route : NULL;
	a->nexthop = op->kind == SRV6_NEXTHOP ? op->u.nexthop : NULL;
	a->hop = op_hops(op, &n);
	if (!n)
		a->hop = NULL;
	for (uint32_t i = 0; i < n && !a->encap; i++)
		a->encap = op_hops(op, &n)[i].encap;
}

static int asked_link(struct asked *a)
{
	if (!a->link_known)
		a->link_known = a->hop && link_get(a->s, a->hop->ifindex, &a->link) == 0 ? 1 : -1;
	return a->link_known;
}

static bool has(const struct asked *a, uint64_t bit)
{
	return a->encap && a->encap->has & bit;
}

static bool holds_device(struct asked *a, enum condition when)
{
	bool dev = a->hop && a->hop->has & SRV6_HAS(DEV), via = a->hop && a->hop->has & SRV6_HAS(VIA);

	switch (when) {
	case NO_DEVICE:
		return !dev && !via;
	case DEVICE_UNSAID:
		return !dev;
	case DEVICE_GONE:
		return dev && asked_link(a) < 0;
	case DEVICE_SMALL:
		return dev && asked_link(a) > 0 && a->link.mtu < 1280;
	default:
		return dev && asked_link(a) > 0 && !a->link.has_ipv6;
	}
}

static bool holds(struct asked *a, enum condition when)
{
	bool del = a->op->verb == SRV6_DEL;

	switch (when) {
	case ANY:
		return true;
	case ROUTE:
		return a->route;
	case ROUTE_NEW:
		return a->route && !del;
	case SID_GONE:
		return a->route && del && a->op->flags & SRV6_OP_SID;
	case NEXTHOP:
		return a->nexthop;
	case GENL:
		return a->op->kind == SRV6_TUNSRC || a->op->kind == SRV6_HMAC;
	case HMAC_OP:
		return a->op->kind == SRV6_HMAC;
	case HAS_VRFTABLE:
		return has(a, SRV6_HAS(VRFTABLE));
	case HAS_BPF:
		return has(a, SRV6_HAS(BPF));
	case HAS_ENCAP:
		return a->encap;
	default:
		return holds_device(a, when);
	}
}

/* ---- the words that %X stands for */

static const char *put_prefix(const struct srv6_prefix *p, bool len, char *buf, size_t cap)
{
	char a[INET6_ADDRSTRLEN] = "?";

	inet_ntop(p->family, &p->addr, a, sizeof(a));
	if (len)
		snprintf(buf, cap, "%s/%u", a, p->len);
	else
		snprintf(buf, cap, "%s", a);
	return buf;
}

/* The tool lists what has an encapsulation; ip all, and the default route by that word alone. */
static const char *put_list(const struct asked *a, char *buf, size_t cap)
{
	char dst[INET6_ADDRSTRLEN + 4];
	bool sid = a->op->flags & SRV6_OP_SID;

	put_prefix(&a->route->dst, true, dst, sizeof(dst));
	if (sid || a->encap)
		snprintf(buf, cap, "srv6 %s show %s", sid ? "sid" : "route", dst);
	else
		snprintf(buf, cap, "ip -%c route show %s", a->route->dst.family == AF_INET ? '4' : '6',
			 a->route->dst.len ? dst : "default");
	return buf;
}

static const char *put_u32(uint32_t v, char *buf, size_t cap)
{
	snprintf(buf, cap, "%u", v);
	return buf;
}

static const char *put_device(struct asked *a, char *buf, size_t cap)
{
	uint32_t index = a->hop ? a->hop->ifindex : 0;

	if (asked_link(a) > 0)
		snprintf(buf, cap, "%s", a->link.name);
	else
		snprintf(buf, cap, "with index %u", index);
	return buf;
}

static const struct srv6_behavior_info *asked_behavior(const struct asked *a)
{
	return a->encap ? srv6_behavior_info(a->encap->behavior, a->s->mobile) : NULL;
}

static const char *put_behavior(const struct asked *a)
{
	const struct srv6_behavior_info *b = asked_behavior(a);

	return b ? b->name : "this encapsulation";
}

static const char *put_since(const struct asked *a)
{
	const struct srv6_behavior_info *b = asked_behavior(a);

	return !b ? "of another version" : b->since ? b->since : "with patches";
}

static const char *put_word(struct asked *a, char letter, char *buf, size_t cap)
{
	switch (letter) {
	case 'P':
		return a->route ? put_prefix(&a->route->dst, true, buf, cap) : "?";
	case 'L':
		return a->route ? put_list(a, buf, cap) : "?";
	case 'A':
		return a->route && a->route->dst.family == AF_INET ? "another behind it" : "a hop";
	case 'T':
		return put_u32(a->route ? route_table(a->route) : 0, buf, cap);
	case 'D':
		return put_device(a, buf, cap);
	case 'M':
		return put_u32(a->link.mtu, buf, cap);
	case 'N':
		return put_u32(a->nexthop ? a->nexthop->id : a->route ? a->route->nhid : 0, buf, cap);
	case 'V':
		return put_u32(a->encap ? a->encap->vrftable : 0, buf, cap);
	case 'K':
		return put_u32(a->op->kind == SRV6_HMAC ? a->op->u.hmac->key_id : 0, buf, cap);
	case 'G':
		return a->hop && a->hop->has & SRV6_HAS(VIA) ? put_prefix(&a->hop->via, false, buf, cap)
							     : "of the route";
	case 'B':
		return put_behavior(a);
	case 'S':
		return put_since(a);
	default:
		return "%";
	}
}

static void expand(struct asked *a, const char *from, char *to, size_t cap)
{
	size_t at = 0;

	for (; *from && at + 1 < cap; from++) {
		char word[80];
		int n;

		if (*from != '%' || !from[1]) {
			to[at++] = *from;
			continue;
		}
		n = snprintf(to + at, cap - at, "%s", put_word(a, *++from, word, sizeof(word)));
		at += (size_t)n < cap - at ? (size_t)n : cap - at - 1;
	}
	to[at] = 0;
}

static const struct reason *find_reason(struct asked *a, const struct ack *ack)
{
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++) {
		const struct reason *r = &reasons[i];

		if (r->code && r->code != -ack->code)
			continue;
		if (r->words && !*r->words && *ack->text)
			continue;
		if (r->words && *r->words && !strstr(ack->text, r->words))
			continue;
		if (holds(a, r->when))
			return r;
	}
	return NULL;
}

int explain(struct srv6 *s, const struct srv6_op *op, const void *req, const struct ack *ack, struct srv6_error *err)
{
	const struct reason *r;
	struct asked a;
	char text[sizeof(err->text)], number[64];

	asked_init(&a, s, op);
	r = find_reason(&a, ack);
	if (r) {
		expand(&a, r->text, text, sizeof(text));
		err_set(err, ack->code, r->attr, "%s", text);
		expand(&a, r->remedy, err->remedy, sizeof(err->remedy));
	} else {
		err_set(err, ack->code, SRV6_ATTR_NONE, "the kernel refuses: %s",
			strerror_r(-ack->code, number, sizeof(number)));
	}
	/* Codes that libc does not know help nobody. */
	if (ack->code == -ENOTSUPP)
		err->code = -EOPNOTSUPP;
	err->kernel_code = ack->code;
	snprintf(err->kernel, sizeof(err->kernel), "%s", ack->text);
	if (req && ack->has_offset)
		explain_offset(req, op->kind, ack->offset, err);
	return err->code;
}

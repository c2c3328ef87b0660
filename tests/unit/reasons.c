/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Each reason of lib/explain.c: what the kernel answers, and the words that an operator reads then, in full. A reason without a
 * line here fails, and so does one that another in front of it always hides. The kernel and its devices are this file's.
 */
#include <check.h>
#include <stdlib.h>

#define link_get link_given
#include "explain.c"
#include "suite.h"
#undef link_get

/* ---- the devices */

enum device { NONE, GONE, ETH, SMALL, PLAIN };

static const struct link_state links[] = { [ETH] = { "eth0", IFF_UP, 1500, true },
					   [SMALL] = { "tiny0", IFF_UP, 1200, false },
					   [PLAIN] = { "can0", IFF_UP, 1500, false } };
static unsigned int asked_links;

int link_given(struct srv6 *s, uint32_t ifindex, struct link_state *ret)
{
	(void)s;
	asked_links++;
	if (ifindex >= ARRAY_SIZE(links) || !links[ifindex].name[0])
		return -ENODEV;
	*ret = links[ifindex];
	return 0;
}

/* ---- what is asked */

enum what { PLAIN_ROUTE, HEADEND, VRF, BPF, MOBILE, OTHER, SID, PLAIN_IN4, OBJECT, OBJECT_BARE, TUNSRC, KEY, N_WHATS };

static const struct in6_addr gateway = { { { 0xfe, 0x80, [15] = 1 } } };

static struct asking {
	struct srv6_op op;
	struct srv6_route route;
	struct srv6_nexthop nexthop;
	struct srv6_hmac hmac;
	struct srv6_hop hop;
	struct srv6_encap encap;
} q;

static void ask(enum what what, uint32_t verb, enum device dev, bool via)
{
	static const uint32_t behaviors[N_WHATS] = {
		[HEADEND] = SRV6_H_ENCAPS,    [VRF] = SRV6_END_DT46, [BPF] = SRV6_END_BPF,
		[MOBILE] = SRV6_END_M_GTP6_D, [OTHER] = SRV6_OTHER,  [OBJECT] = SRV6_END
	};

	memset(&q, 0, sizeof(q));
	q.encap.behavior = behaviors[what];
	q.encap.has = what == VRF ? SRV6_HAS(VRFTABLE) : what == BPF ? SRV6_HAS(BPF) : 0;
	q.encap.vrftable = 100;
	q.hop.encap = behaviors[what] ? &q.encap : NULL;
	q.hop.has = dev ? SRV6_HAS(DEV) : 0;
	q.hop.ifindex = dev == GONE ? 99 : (uint32_t)dev;
	if (via) {
		q.hop.has |= SRV6_HAS(VIA);
		q.hop.via = (struct srv6_prefix){ .family = AF_INET6, .len = 128, .addr.in6 = gateway };
	}
	q.route = (struct srv6_route){
		.has = SRV6_HAS(ROUTE_TABLE) | SRV6_HAS(NHID),
		.table = 7,
		.nhid = 44,
		.hops = &q.hop,
		.n_hops = 1,
		.dst = { .family = AF_INET6, .len = 48, .addr.in6 = { { { 0x20, 0x01, 0x0d, 0xb8 } } } }
	};
	if (what == PLAIN_IN4)
		q.route.dst = (struct srv6_prefix){ .family = AF_INET };
	q.nexthop = (struct srv6_nexthop){ .id = 44, .family = AF_INET6, .hop = what == OBJECT ? &q.hop : NULL };
	q.hmac.key_id = 9;
	q.op.verb = verb;
	q.op.flags = what == SID ? SRV6_OP_SID : 0;
	q.op.kind = what == KEY ? SRV6_HMAC : what == TUNSRC ? SRV6_TUNSRC : what >= OBJECT ? SRV6_NEXTHOP : SRV6_ROUTE;
	if (q.op.kind == SRV6_HMAC)
		q.op.u.hmac = &q.hmac;
	else if (q.op.kind == SRV6_NEXTHOP)
		q.op.u.nexthop = &q.nexthop;
	else if (q.op.kind == SRV6_ROUTE)
		q.op.u.route = &q.route;
}

/* ---- what is said: dev and via where a row has them */

static const struct line {
	int code;
	const char *words;
	enum what what;
	uint32_t verb;
	enum device dev;
	bool via;
	uint32_t attr;
	const char *text, *remedy;
} lines[] = {
	{ EPERM, "Strict mode for VRF is disabled", VRF, SRV6_ADD, ETH, 0, SRV6_ATTR_VRFTABLE,
	  "VRF strict mode is off in this network namespace, and vrftable needs it",
	  "sysctl -w net.vrf.strict_mode=1" },
	{ ENODEV, "Invalid vrf table: no associated VRF device", VRF, SRV6_ADD, ETH, 0, SRV6_ATTR_VRFTABLE,
	  "no VRF device belongs to table 100", "ip link add vrf100 type vrf table 100 && ip link set dev vrf100 up" },
	{ EINVAL, "", VRF, SRV6_ADD, ETH, 0, SRV6_ATTR_VRFTABLE,
	  "vrftable is refused: this kernel has no VRF driver loaded, or is older than Linux 5.11 (5.14 for End.DT46)",
	  "modprobe vrf (CONFIG_NET_VRF), then sysctl -w net.vrf.strict_mode=1" },
	{ EOPNOTSUPP, "", VRF, SRV6_ADD, ETH, 0, SRV6_ATTR_VRFTABLE,
	  "this kernel was built without VRF support (CONFIG_NET_L3_MASTER_DEV)", "" },
	{ EPERM, "", TUNSRC, SRV6_REPLACE, NONE, 0, SRV6_ATTR_NONE,
	  "the kernel's SEG6 family may be used only from the initial user namespace with CAP_NET_ADMIN",
	  "run it as root of the host, not of a container; ip netns exec keeps that right" },
	{ EPERM, "", HEADEND, SRV6_ADD, ETH, 0, SRV6_ATTR_NONE,
	  "changes need CAP_NET_ADMIN in the user namespace that owns this network namespace",
	  "run it as root, or give the program CAP_NET_ADMIN" },
	{ ENOTSUPP, "", KEY, SRV6_ADD, NONE, 0, SRV6_ATTR_NONE,
	  "this kernel was built without SRv6 HMAC (CONFIG_IPV6_SEG6_HMAC)", "" },
	{ EOPNOTSUPP, "", KEY, SRV6_ADD, NONE, 0, SRV6_ATTR_NONE,
	  "this kernel was built without SRv6 HMAC (CONFIG_IPV6_SEG6_HMAC)", "" },
	{ ENOENT, "", KEY, SRV6_DEL, NONE, 0, SRV6_ATTR_NONE, "there is no HMAC key 9", "srv6 hmac show" },

	{ ENETDOWN, "Nexthop device is not up", HEADEND, SRV6_ADD, ETH, 0, SRV6_ATTR_DEV, "device eth0 is down",
	  "ip link set dev eth0 up" },
	/* The kernel found the device by itself, and it is unknown which. */
	{ ENETDOWN, "", HEADEND, SRV6_ADD, NONE, 1, SRV6_ATTR_VIA, "the device that leads to gateway fe80::1 is down",
	  "ip link set dev DEVICE up" },
	{ EACCES, "IPv6 is disabled on nexthop device", HEADEND, SRV6_ADD, NONE, 1, SRV6_ATTR_VIA,
	  "IPv6 is disabled on the device that leads to gateway fe80::1 (disable_ipv6=1)",
	  "sysctl -w net.ipv6.conf.DEVICE.disable_ipv6=0" },
	{ EACCES, "IPv6 is disabled on nexthop device", PLAIN_ROUTE, SRV6_ADD, PLAIN, 0, SRV6_ATTR_DEV,
	  "IPv6 is disabled on device can0 (disable_ipv6=1)", "sysctl -w net.ipv6.conf.can0.disable_ipv6=0" },
	{ ENODEV, "", PLAIN_ROUTE, SRV6_ADD, NONE, 0, SRV6_ATTR_DEV,
	  "the route names no device and no gateway, and the kernel needs one", "add: dev DEVICE" },
	{ ENODEV, "", PLAIN_ROUTE, SRV6_ADD, NONE, 1, SRV6_ATTR_VIA, "no device leads to gateway fe80::1",
	  "add: dev DEVICE" },
	{ ENODEV, "", PLAIN_ROUTE, SRV6_ADD, GONE, 0, SRV6_ATTR_DEV, "there is no device with index 99",
	  "ip link show" },
	{ ENODEV, "", HEADEND, SRV6_ADD, SMALL, 1, SRV6_ATTR_DEV,
	  "device tiny0 has MTU 1200, which is below 1280: no IPv6 there", "ip link set dev tiny0 mtu 1500" },
	{ ENODEV, "", HEADEND, SRV6_ADD, PLAIN, 0, SRV6_ATTR_DEV, "device can0 has no IPv6",
	  "sysctl -w net.ipv6.conf.can0.disable_ipv6=0" },
	{ ENODEV, "", HEADEND, SRV6_ADD, ETH, 0, SRV6_ATTR_DEV, "the kernel does not accept device eth0", "" },
	{ EHOSTUNREACH, "", PLAIN_ROUTE, SRV6_ADD, ETH, 1, SRV6_ATTR_VIA,
	  "the gateway fe80::1 cannot be reached through any route",
	  "add a route to the gateway first, or say that it is on the link: dev DEVICE onlink" },
	{ ENETUNREACH, "", PLAIN_ROUTE, SRV6_ADD, ETH, 0, SRV6_ATTR_VIA,
	  "the gateway of the route cannot be reached through any route",
	  "add a route to the gateway first, or say that it is on the link: dev DEVICE onlink" },
	{ EINVAL, "Nexthop has invalid gateway or device mismatch", HEADEND, SRV6_ADD, ETH, 1, SRV6_ATTR_VIA,
	  "the gateway fe80::1 cannot be used: it is not on the link", "" },

	{ EEXIST, "", HEADEND, SRV6_ADD, ETH, 0, SRV6_ATTR_DST,
	  "a route to 2001:db8::/48 with this metric is there already in table 7",
	  "replace changes it, append adds a hop" },
	{ EEXIST, "", PLAIN_IN4, SRV6_ADD, ETH, 0, SRV6_ATTR_DST,
	  "a route to 0.0.0.0/0 with this metric is there already in table 7",
	  "replace changes it, append adds another behind it" },
	{ EEXIST, "", OBJECT, SRV6_ADD, ETH, 0, SRV6_ATTR_NH_ID, "nexthop object 44 is there already",
	  "replace changes it" },
	{ ESRCH, "FIB table does not exist", PLAIN_ROUTE, SRV6_DEL, ETH, 0, SRV6_ATTR_ROUTE_TABLE,
	  "table 7 does not exist, so no route is in it", "" },
	{ ENOENT, "FIB table does not exist", PLAIN_ROUTE, SRV6_DEL, ETH, 0, SRV6_ATTR_ROUTE_TABLE,
	  "table 7 does not exist, so no route is in it", "" },
	{ ESRCH, "", PLAIN_ROUTE, SRV6_DEL, ETH, 0, SRV6_ATTR_DST, "there is no such route to 2001:db8::/48 in table 7",
	  "ip -6 route show 2001:db8::/48 table 7" },
	{ ESRCH, "", HEADEND, SRV6_DEL, ETH, 0, SRV6_ATTR_DST, "there is no such route to 2001:db8::/48 in table 7",
	  "srv6 route show 2001:db8::/48 table 7" },
	{ ESRCH, "", SID, SRV6_DEL, ETH, 0, SRV6_ATTR_DST, "there is no such SID 2001:db8::/48 in table 7",
	  "srv6 sid show 2001:db8::/48 table 7" },
	{ ENOENT, "", PLAIN_IN4, SRV6_DEL, ETH, 0, SRV6_ATTR_DST, "there is no such route to 0.0.0.0/0 in table 7",
	  "ip -4 route show default table 7" },
	{ ENOENT, "", HEADEND, SRV6_CHANGE, ETH, 0, SRV6_ATTR_DST,
	  "there is no route to 2001:db8::/48 in table 7 that could be changed", "add or replace makes one" },
	{ ENOENT, "", OBJECT_BARE, SRV6_DEL, NONE, 0, SRV6_ATTR_NH_ID, "there is no nexthop object 44",
	  "srv6 nexthop show" },
	{ EINVAL, "Nexthop id does not exist", PLAIN_ROUTE, SRV6_ADD, NONE, 0, SRV6_ATTR_NHID,
	  "there is no nexthop object 44", "srv6 nexthop add id 44 ..." },
	{ EINVAL, "Nexthop specification and nexthop id are mutually exclusive", HEADEND, SRV6_ADD, ETH, 0,
	  SRV6_ATTR_NHID, "a route with nhid cannot have a device, a gateway or an encapsulation of its own", "" },
	{ EINVAL, "IPv6 routes can not use an IPv4 nexthop", PLAIN_ROUTE, SRV6_ADD, NONE, 0, SRV6_ATTR_NHID,
	  "nexthop object 44 is an IPv4 one", "make it with the IPv6 family: srv6 -6 nexthop replace id 44 ..." },
	{ EINVAL, "Device only routes can not be added for IPv6 using the multipath API.", HEADEND, SRV6_ADD, ETH, 0,
	  SRV6_ATTR_VIA, "each hop of an IPv6 multipath route needs a gateway",
	  "give each hop its via, or append the hops one at a time" },
	{ EINVAL, "Invalid source address", PLAIN_ROUTE, SRV6_ADD, ETH, 0, SRV6_ATTR_PREFSRC,
	  "the preferred source address is none of this namespace's", "" },
	{ EINVAL, "Invalid prefsrc address", PLAIN_ROUTE, SRV6_ADD, ETH, 0, SRV6_ATTR_PREFSRC,
	  "the preferred source address is none of this namespace's", "" },
	{ EINVAL, "Invalid prefix for given prefix length", PLAIN_ROUTE, SRV6_ADD, ETH, 0, SRV6_ATTR_DST,
	  "2001:db8::/48 has bits set beyond its prefix length", "" },
	{ EINVAL, "Egress device can not be loopback device for this route", PLAIN_ROUTE, SRV6_ADD, ETH, 0,
	  SRV6_ATTR_DEV, "this route cannot leave through the loopback device", "" },

	{ EOPNOTSUPP, "CONFIG_LWTUNNEL is not enabled in this kernel", HEADEND, SRV6_ADD, ETH, 0, SRV6_ATTR_NONE,
	  "this kernel was built without lightweight tunnels (CONFIG_LWTUNNEL)", "" },
	{ EOPNOTSUPP, "LWT encapsulation type not supported", HEADEND, SRV6_ADD, ETH, 0, SRV6_ATTR_NONE,
	  "this kernel was built without H.Encaps (CONFIG_IPV6_SEG6_LWTUNNEL)", "" },
	{ EINVAL, "Unknown lwt encapsulation type", MOBILE, SRV6_ADD, ETH, 0, SRV6_ATTR_NONE,
	  "this kernel does not know End.M.GTP6.D, which needs Linux with patches", "" },
	{ EINVAL, "unknown lwt encapsulation type", OTHER, SRV6_ADD, ETH, 0, SRV6_ATTR_NONE,
	  "this kernel does not know this encapsulation, which needs Linux of another version", "" },
	{ EOPNOTSUPP, "Unsupported Flavor operations", OBJECT, SRV6_ADD, ETH, 0, SRV6_ATTR_FLAVORS,
	  "this kernel does not have these flavors for End", "srv6 caps" },
	{ EINVAL, "Invalid Locator Block and Node-Function lengths", HEADEND, SRV6_ADD, ETH, 0, SRV6_ATTR_LBLEN,
	  "lblen and nflen must be multiples of 8 bits, from 8 to 120, 128 together at most", "" },
	{ EINVAL, "invalid tunsrc address", HEADEND, SRV6_ADD, ETH, 0, SRV6_ATTR_TUNSRC,
	  "the kernel does not accept this address as tunnel source", "" },
	{ EINVAL, "incompatible mode for tunsrc", HEADEND, SRV6_ADD, ETH, 0, SRV6_ATTR_TUNSRC,
	  "H.Encaps has no outer header, so no tunsrc", "" },
	{ EINVAL, "invalid lookup table", HEADEND, SRV6_ADD, ETH, 0, SRV6_ATTR_LOOKUP,
	  "the kernel does not accept this lookup table", "" },
	{ EBADF, "", BPF, SRV6_ADD, ETH, 0, SRV6_ATTR_BPF, "the BPF program's descriptor is not open", "" },
	{ EINVAL, "", BPF, SRV6_ADD, ETH, 0, SRV6_ATTR_BPF,
	  "the BPF program is refused: its type must be BPF_PROG_TYPE_LWT_SEG6LOCAL", "" },
	{ EOPNOTSUPP, "", HEADEND, SRV6_ADD, ETH, 0, SRV6_ATTR_NONE,
	  "this kernel does not have H.Encaps as asked (Linux 4.10)", "srv6 caps" },
	{ EINVAL, "", HEADEND, SRV6_ADD, ETH, 0, SRV6_ATTR_NONE,
	  "the kernel refuses this as invalid and does not say why; H.Encaps needs Linux 4.10", "srv6 caps" },
	{ EINVAL, "some words of a kernel to come", HEADEND, SRV6_ADD, ETH, 0, SRV6_ATTR_NONE,
	  "the kernel refuses this as invalid", "" },
	{ EINVAL, "", PLAIN_ROUTE, SRV6_ADD, ETH, 0, SRV6_ATTR_NONE, "the kernel refuses this as invalid", "" },
	{ ENOMEM, "", HEADEND, SRV6_ADD, ETH, 0, SRV6_ATTR_NONE,
	  "the kernel found no memory, though it was asked many times", "" },
	{ EBUSY, "", TUNSRC, SRV6_GET, NONE, 0, SRV6_ATTR_NONE,
	  "the kernel is busy with another request of this socket", "" },
	{ EMSGSIZE, "", HEADEND, SRV6_ADD, ETH, 0, SRV6_ATTR_NONE, "the request is larger than the kernel takes", "" },
	/* A route of a nexthop object has no hop: what the kernel means is unknown. */
	{ ENETDOWN, "", PLAIN_ROUTE, SRV6_ADD, NONE, 0, SRV6_ATTR_VIA,
	  "the device that leads to gateway of the route is down", "ip link set dev DEVICE up" },
	/* None of these: libc's words, and a code of the kernel's own becomes one that libc has. */
	{ ENOSPC, "", HEADEND, SRV6_ADD, ETH, 0, SRV6_ATTR_NONE, "the kernel refuses: No space left on device", "" },
	{ ENOTSUPP, "", PLAIN_ROUTE, SRV6_ADD, ETH, 0, SRV6_ATTR_NONE, "the kernel refuses: Unknown error 524", "" },
};

static void answer(const struct line *l, struct ack *ack)
{
	memset(ack, 0, sizeof(*ack));
	ack->code = -l->code;
	snprintf(ack->text, sizeof(ack->text), "%s", l->words);
}

START_TEST(said)
{
	const struct line *l = &lines[_i];
	struct srv6 s = { .opts = { .sz = sizeof(s.opts) } };
	struct srv6_error err;
	struct ack ack;

	ask(l->what, l->verb, l->dev, l->via);
	answer(l, &ack);
	err_clear(&err);
	ck_assert_int_eq(explain(&s, &q.op, NULL, &ack, &err), l->code == ENOTSUPP ? -EOPNOTSUPP : -l->code);
	ck_assert_str_eq(err.text, l->text);
	ck_assert_str_eq(err.remedy, l->remedy);
	ck_assert_uint_eq(err.attr, l->attr);
	/* The kernel's own words and number are kept as they came. */
	ck_assert_int_eq(err.kernel_code, -l->code);
	ck_assert_str_eq(err.kernel, l->words);
}
END_TEST

START_TEST(all_of_them)
{
	struct srv6 s = { .opts = { .sz = sizeof(s.opts) } };
	bool seen[ARRAY_SIZE(reasons)] = { false };

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		const struct line *l = &lines[i];
		const struct reason *r;
		struct asked a;
		struct ack ack;

		ask(l->what, l->verb, l->dev, l->via);
		answer(l, &ack);
		asked_init(&a, &s, &q.op);
		r = find_reason(&a, &ack);
		if (r)
			seen[r - reasons] = true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		ck_assert_msg(seen[i], "no line has reason %zu: %s", i, reasons[i].text);
}
END_TEST

/* A device is looked at once, and not at all where nothing is said of it. */
START_TEST(asks_once)
{
	const struct line l = { .code = ENODEV, .words = "" },
			  invalid = { .code = EINVAL, .words = "Nexthop id does not exist" };
	struct srv6 s = { .opts = { .sz = sizeof(s.opts) } };
	struct srv6_error err;
	struct ack ack;

	ask(HEADEND, SRV6_ADD, SMALL, false);
	answer(&l, &ack);
	err_clear(&err);
	asked_links = 0;
	explain(&s, &q.op, NULL, &ack, &err);
	ck_assert_uint_eq(asked_links, 1);
	answer(&invalid, &ack);
	explain(&s, &q.op, NULL, &ack, &err);
	ck_assert_uint_eq(asked_links, 1);
}
END_TEST

/* However long the words: never beyond the buffer, and ended. */
START_TEST(cut)
{
	struct srv6 s = { .opts = { .sz = sizeof(s.opts) } };
	struct asked a;
	char to[16];

	ask(HEADEND, SRV6_ADD, ETH, true);
	asked_init(&a, &s, &q.op);
	for (size_t cap = 1; cap <= sizeof(to); cap++) {
		memset(to, 'x', sizeof(to));
		expand(&a, "to %P via %G", to, cap);
		ck_assert_uint_eq(strlen(to), cap - 1);
		for (size_t i = cap; i < sizeof(to); i++)
			ck_assert_int_eq(to[i], 'x');
	}
	expand(&a, "100%", to, sizeof(to));
	ck_assert_str_eq(to, "100%");
	expand(&a, "1 %% 2", to, sizeof(to));
	ck_assert_str_eq(to, "1 % 2");
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("reasons");

	tcase_add_loop_test(tc, said, 0, ARRAY_SIZE(lines));
	tcase_add_test(tc, all_of_them);
	tcase_add_test(tc, asks_once);
	tcase_add_test(tc, cut);
	return suite_run("reasons", tc);
}

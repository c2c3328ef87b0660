// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What "srv6 perf" measures: a row a behavior, with the frame that goes in, the frame that must come out, and the
 * attributes that its route has beside those that the library's table says it needs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/rtnetlink.h>

#include "perf.h"

/* clang-format off */
#define PLAIN(in, h) { .inner = in, .wrap = WRAP_NONE, .hops = h }
/* An outer header around a packet: the headend leaves the hop limit inside alone, forwarding takes one of the outer. */
#define AHEAD(in, w) { .inner = in, .wrap = w, .path = PATH_HEADEND, .left = 1, .hops = 64, .wrap_hops = 63 }
#define AT_SID \
	{ .inner = INNER_IP6, .wrap = WRAP_ENCAPS, .path = PATH_THROUGH, .left = 1, .hops = 64, .wrap_hops = 64 }
#define PAST_SID \
	{ .inner = INNER_IP6, .wrap = WRAP_ENCAPS, .path = PATH_THROUGH, .left = 2, .hops = 64, .wrap_hops = 63 }
#define AT_END(in)   { .inner = in, .wrap = WRAP_ENCAPS, .path = PATH_LAST, .left = 0, .hops = 64, .wrap_hops = 64 }
#define AT_MOBILE(w, p, l) { .inner = INNER_IP6, .wrap = w, .path = p, .left = l, .hops = 64, .wrap_hops = 64 }

#define HAS(x) SRV6_HAS(x)

const struct perf_row perf_rows[] = {
	{ .name = "generator", .flags = ROW_BASE | ROW_DROP, .in = PLAIN(INNER_IP6, 64),
		.help = "frames made and dropped at once" },
	{ .name = "receive", .flags = ROW_BASE, .in = PLAIN(INNER_OTHERHOST, 64),
		.help = "frames made and received, addressed to another host and so dropped" },

	{ .name = "IPv6", .dst = DST_IP6, .flags = ROW_VIA, .in = PLAIN(INNER_IP6, 64), .out = PLAIN(INNER_IP6, 63),
		.help = "plain forwarding" },
	{ .name = "IPv4", .dst = DST_IP4, .flags = ROW_VIA, .in = PLAIN(INNER_IP4, 64), .out = PLAIN(INNER_IP4, 63),
		.help = "plain forwarding" },

	{ .name = "H.Insert", .behavior = SRV6_H_INSERT, .dst = DST_IP6,
		.in = PLAIN(INNER_IP6, 64), .out = AHEAD(INNER_IP6, WRAP_INSERT), .help = "IPv6 inside" },
	{ .name = "H.Encaps", .behavior = SRV6_H_ENCAPS, .dst = DST_IP6, .flags = ROW_TUNSRC | ROW_HEADLINE,
		.in = PLAIN(INNER_IP6, 64), .out = AHEAD(INNER_IP6, WRAP_ENCAPS), .help = "IPv6 inside" },
	{ .name = "H.Encaps/4", .behavior = SRV6_H_ENCAPS, .dst = DST_IP4, .flags = ROW_TUNSRC,
		.in = PLAIN(INNER_IP4, 64), .out = AHEAD(INNER_IP4, WRAP_ENCAPS), .help = "IPv4 inside" },
	{ .name = "H.Encaps.Red", .behavior = SRV6_H_ENCAPS_RED, .dst = DST_IP6, .flags = ROW_TUNSRC,
		.in = PLAIN(INNER_IP6, 64), .out = AHEAD(INNER_IP6, WRAP_RED), .help = "IPv6 inside" },
	{ .name = "H.Encaps.L2", .behavior = SRV6_H_ENCAPS_L2, .dst = DST_IP6, .flags = ROW_TUNSRC | ROW_HEADLINE,
		.in = PLAIN(INNER_IP6, 64), .out = AHEAD(INNER_ETHER, WRAP_ENCAPS),
		.help = "an Ethernet frame inside" },
	{ .name = "H.Encaps.L2.Red", .behavior = SRV6_H_ENCAPS_L2_RED, .dst = DST_IP6, .flags = ROW_TUNSRC,
		.in = PLAIN(INNER_IP6, 64), .out = AHEAD(INNER_ETHER, WRAP_RED), .help = "an Ethernet frame inside" },

	{ .name = "End", .behavior = SRV6_END, .dst = DST_SID, .flags = ROW_COUNT, .in = AT_SID, .out = PAST_SID },
	{ .name = "End.X", .behavior = SRV6_END_X, .dst = DST_SID, .flags = ROW_COUNT, .in = AT_SID, .out = PAST_SID,
		.help = "next hop on the link" },
	{ .name = "End.X/gw", .behavior = SRV6_END_X, .dst = DST_SID, .flags = ROW_GATEWAY,
		.in = AT_SID, .out = PAST_SID,
		.help = "next hop behind a gateway" },
	{ .name = "End.T", .behavior = SRV6_END_T, .dst = DST_SID, .flags = ROW_COUNT, .in = AT_SID, .out = PAST_SID },
	{ .name = "End.DX2", .behavior = SRV6_END_DX2, .dst = DST_SID, .flags = ROW_COUNT,
		.in = AT_END(INNER_ETHER), .out = PLAIN(INNER_ETHER, 64) },
	{ .name = "End.DX4", .behavior = SRV6_END_DX4, .dst = DST_SID, .flags = ROW_COUNT | ROW_GATEWAY,
		.in = AT_END(INNER_IP4), .out = PLAIN(INNER_IP4, 63), .help = "next hop behind a gateway" },
	{ .name = "End.DX6", .behavior = SRV6_END_DX6, .dst = DST_SID, .flags = ROW_COUNT,
		.in = AT_END(INNER_IP6), .out = PLAIN(INNER_IP6, 63), .help = "next hop on the link" },
	{ .name = "End.DX6/gw", .behavior = SRV6_END_DX6, .dst = DST_SID, .flags = ROW_GATEWAY,
		.in = AT_END(INNER_IP6), .out = PLAIN(INNER_IP6, 63), .help = "next hop behind a gateway" },
	{ .name = "End.DT4", .behavior = SRV6_END_DT4, .dst = DST_SID, .flags = ROW_COUNT | ROW_VRF,
		.in = AT_END(INNER_IP4), .out = PLAIN(INNER_IP4, 63), .help = "in a VRF" },
	{ .name = "End.DT6", .behavior = SRV6_END_DT6, .dst = DST_SID, .flags = ROW_COUNT, .has = HAS(TABLE),
		.in = AT_END(INNER_IP6), .out = PLAIN(INNER_IP6, 63), .help = "in a table" },
	{ .name = "End.DT6/vrf", .behavior = SRV6_END_DT6, .dst = DST_SID, .flags = ROW_COUNT | ROW_VRF,
		.has = HAS(VRFTABLE), .in = AT_END(INNER_IP6), .out = PLAIN(INNER_IP6, 63), .help = "in a VRF" },
	{ .name = "End.DT46", .behavior = SRV6_END_DT46, .dst = DST_SID, .flags = ROW_COUNT | ROW_VRF,
		.in = AT_END(INNER_IP6), .out = PLAIN(INNER_IP6, 63), .help = "in a VRF, IPv6 inside" },
	{ .name = "End.DT46/4", .behavior = SRV6_END_DT46, .dst = DST_SID, .flags = ROW_COUNT | ROW_VRF,
		.in = AT_END(INNER_IP4), .out = PLAIN(INNER_IP4, 63), .help = "in a VRF, IPv4 inside" },

	{ .name = "H.M.GTP4.D", .behavior = SRV6_H_M_GTP4_D, .dst = DST_IP4, .flags = ROW_LOOSE,
		.in = AT_MOBILE(WRAP_GTP4, PATH_MOBILE, 0) },
	{ .name = "End.MAP", .behavior = SRV6_END_MAP, .dst = DST_MOBILE, .flags = ROW_LOOSE,
		.in = AT_MOBILE(WRAP_MAP, PATH_MOBILE, 0) },
	{ .name = "End.M.GTP4.E", .behavior = SRV6_END_M_GTP4_E, .dst = DST_MOBILE, .flags = ROW_LOOSE,
		.in = AT_MOBILE(WRAP_MAP, PATH_MOBILE, 0) },
	{ .name = "End.M.GTP6.E", .behavior = SRV6_END_M_GTP6_E, .dst = DST_MOBILE, .flags = ROW_LOOSE,
		.in = AT_MOBILE(WRAP_ENCAPS, PATH_MOBILE, 1) },
	{ .name = "End.M.GTP6.D", .behavior = SRV6_END_M_GTP6_D, .dst = DST_MOBILE, .flags = ROW_LOOSE,
		.in = AT_MOBILE(WRAP_GTP6, PATH_MOBILE, 0) },
	{ .name = "End.M.GTP6.D.Di", .behavior = SRV6_END_M_GTP6_D_DI, .dst = DST_MOBILE, .flags = ROW_LOOSE,
		.in = AT_MOBILE(WRAP_GTP6, PATH_MOBILE, 0) },
};
/* clang-format on */
const size_t perf_n_rows = ARRAY_SIZE(perf_rows);

/* ---- routes */

struct route {
	struct srv6_route route;
	struct srv6_hop hop;
	struct srv6_encap encap;
	struct in6_addr segs[PERF_SEGS_MAX + 2];
};

static struct srv6_prefix prefix(const char *text, uint8_t len)
{
	struct srv6_prefix p = { .family = strchr(text, ':') ? AF_INET6 : AF_INET, .len = len };

	if (p.family == AF_INET6)
		p.addr.in6 = perf_in6(text);
	else
		p.addr.in4 = perf_in4(text);
	return p;
}

static void route_set(struct route *r, struct srv6_prefix dst, uint32_t table, uint32_t ifindex, bool via)
{
	r->route = (struct srv6_route){ .sz = sizeof(r->route), .dst = dst, .n_hops = 1, .hops = &r->hop };
	r->hop = (struct srv6_hop){ .has = SRV6_HAS(DEV), .ifindex = ifindex };
	if (table) {
		r->route.has |= SRV6_HAS(ROUTE_TABLE);
		r->route.table = table;
	}
	if (!via)
		return;
	r->hop.has |= SRV6_HAS(VIA);
	r->hop.via = dst.family == AF_INET6 ? prefix(ADDR_FAR, 128) : prefix(ADDR4_FAR, 32);
}

static int apply(struct srv6 *s, uint32_t verb, uint32_t kind, const void *object)
{
	struct srv6_op op = { .verb = verb, .kind = kind, .u.any = object };

	return srv6_apply(s, &op, 1, NULL);
}

/* What is there for all rows: where segments lead, and the tables that behaviors look in. */
int box_routes(struct box *b)
{
	const struct {
		const char *dst;
		uint8_t len;
		uint32_t table;
	} routes[] = {
		{ ADDR_SEGS, 32, 0 },
		{ "203.0.0.0", 16, 0 },
		{ ADDR_SEGS, 32, TABLE_DT },
		{ "2001:db8:2::", 64, TABLE_DT },
		{ "2001:db8:2::", 64, TABLE_VRF },
		{ "203.0.113.0", 24, TABLE_VRF },
	};
	struct route r;
	size_t i;
	int rc = 0;

	for (i = 0; i < ARRAY_SIZE(routes) && !rc; i++) {
		if (routes[i].table == TABLE_VRF && !b->vrf)
			continue;
		route_set(&r, prefix(routes[i].dst, routes[i].len), routes[i].table, b->out, true);
		rc = apply(b->s, SRV6_ADD, SRV6_ROUTE, &r.route);
	}
	return rc;
}

/*
 * Behind a gateway: an address that the routes of box_routes() lead to. On the link the kernel allocates a route for
 * every packet of End.X and End.DX6; and End.DX4 asks the link for the packet's own destination, not for the next hop,
 * so that only a next hop behind a gateway works.
 */
static struct in6_addr next_hop6(const struct perf_row *row)
{
	return perf_in6(row->flags & ROW_GATEWAY ? ADDR_SEGS "9" : ADDR_FAR);
}

/* A value for every attribute that a behavior may need: its row and ours say which of them count. */
static void encap_set(struct route *r, const struct perf_row *row, uint64_t has, const struct perf_opts *o,
		      const struct box *b)
{
	const struct srv6_behavior_info *info = srv6_behavior_info(row->behavior, 0);

	r->encap = (struct srv6_encap){
		.sz = sizeof(r->encap),
		.has = info->required | row->has | has,
		.behavior = row->behavior,
		.n_segs = perf_path(o, PATH_HEADEND, r->segs),
		.segs = r->segs,
		.tunsrc = perf_in6(ADDR_TUNSRC),
		.nh6 = next_hop6(row),
		.nh4 = perf_in4("203.0.0.1"),
		.mapped_sid = r->segs[0],
		.src = perf_in6(ADDR_TUNSRC),
		.table = TABLE_DT,
		.vrftable = TABLE_VRF,
		.oif = b->out,
		.v6_src_prefix_len = 64,
		.sr_prefix_len = 32,
	};
	r->hop.encap = &r->encap;
}

static void row_route(struct route *r, const struct perf_row *row, uint32_t variant, const struct perf_opts *o,
		      const struct box *b)
{
	const struct srv6_prefix dst[] = {
		[DST_IP6] = prefix("2001:db8:2::", 64),
		[DST_IP4] = prefix("203.0.113.0", 24),
		[DST_SID] = prefix(ADDR_SID, 128),
		[DST_MOBILE] = prefix(ADDR_MOBILE, 32),
	};
	uint64_t has = variant == VARIANT_COUNT ? SRV6_HAS(COUNT) : 0;

	if (variant == VARIANT_TUNSRC && o->route_tunsrc)
		has |= SRV6_HAS(TUNSRC);
	/* A SID's device is the VRF where there is one, as with any other product's configuration. */
	route_set(r, dst[row->dst], 0, row->flags & ROW_VRF ? b->vrf_ifindex : b->out, row->flags & ROW_VIA);
	if (row->behavior)
		encap_set(r, row, has, o, b);
}

static int tunsrc(struct box *b, const char *text)
{
	struct srv6_tunsrc t = { .sz = sizeof(t), .addr = perf_in6(text) };

	return apply(b->s, SRV6_REPLACE, SRV6_TUNSRC, &t);
}

int row_install(const struct perf_row *row, uint32_t variant, const struct perf_opts *o, struct box *b)
{
	struct route r;
	int rc;

	if (row->dst == DST_NONE)
		return 0;
	row_route(&r, row, variant, o, b);
	rc = apply(b->s, SRV6_ADD, SRV6_ROUTE, &r.route);
	if (!rc && variant == VARIANT_TUNSRC && !o->route_tunsrc)
		rc = tunsrc(b, ADDR_TUNSRC);
	return rc;
}

int row_remove(const struct perf_row *row, uint32_t variant, const struct perf_opts *o, struct box *b)
{
	struct route r;
	int rc, tunsrc_rc = 0;

	if (row->dst == DST_NONE)
		return 0;
	row_route(&r, row, variant, o, b);
	if (variant == VARIANT_TUNSRC && !o->route_tunsrc)
		tunsrc_rc = tunsrc(b, "::");
	rc = apply(b->s, SRV6_DEL, SRV6_ROUTE, &r.route);
	return rc ? rc : tunsrc_rc;
}

/* ---- what a kernel lacks */

bool row_lacks(const struct perf_row *row, struct box *b, char *text, size_t len)
{
	const struct srv6_behavior_info *info = srv6_behavior_info(row->behavior, 0);

	if (row->flags & ROW_VRF && !b->vrf) {
		snprintf(text, len, "no VRF devices in this kernel");
		return true;
	}
	if (info && srv6_can(b->s, row->behavior, SRV6_ATTR_NONE, 0) == SRV6_CAN_NO) {
		if (info->since)
			snprintf(text, len, "not in this kernel: Linux %s and later have it", info->since);
		else
			snprintf(text, len, "in no released kernel");
		return true;
	}
	return false;
}

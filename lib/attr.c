/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One row an attribute: its words, its shape and its place in the struct of its owner. Text, JSON, help, completion,
 * checks and comparison walk these rows; nothing else lists the attributes.
 */
#include <stdbool.h>
#include <string.h>
#include <linux/rtnetlink.h>

#include "internal.h"

/* clang-format off */
#define IN(type, field) .offset = offsetof(struct srv6_##type, field)
#define ROW(name, form) [SRV6_ATTR_##name & 63] = { .attr = SRV6_ATTR_##name, .shape = SRV6_SHAPE_##form
#define METRIC(name, rtax, form) ROW(name, form), IN(route, metrics[rtax])

static const struct srv6_attr_info encap_attrs[] = {
	ROW(SEGS, SEGS), IN(encap, segs), .word = "segs", .arg = "ADDR6[,ADDR6]...",
		.help = "the segments, first visited first: 1 to 127" },
	ROW(TUNSRC, IN6), IN(encap, tunsrc), .word = "tunsrc", .arg = "ADDR6", .since = "7.1",
		.help = "source address of the outer header; without one the kernel selects one for every packet" },
	ROW(LOOKUP, TABLE), IN(encap, lookup), .word = "lookup", .arg = "TABLE", .since = "7.3", .min = 1, .max = UINT32_MAX,
		.help = "table in which the first segment is looked up" },
	ROW(HMAC, U32), IN(encap, hmac), .word = "hmac", .arg = "KEYID", .min = 1, .max = UINT32_MAX,
		.help = "sign the SRH with this key; see srv6-hmac(8)" },
	ROW(TAG, U16), IN(encap, tag), .word = "tag", .arg = "NUMBER", .help = "tag of the SRH" },
	ROW(SRH_FLAGS, HEX8), IN(encap, srh_flags), .word = "srh_flags", .arg = "HEX",
		.help = "flags of the SRH, without the HMAC's" },
	ROW(TLVS, BYTES), IN(encap, tlvs), .word = "tlvs", .arg = "HEX",
		.help = "TLVs of the SRH without the HMAC's, as bytes" },
	ROW(RAW_SRH, BYTES), IN(encap, raw_srh), .word = "raw_srh", .arg = "HEX",
		.help = "the whole SRH as bytes, where the other words can't say it" },
	ROW(TABLE, TABLE), IN(encap, table), .word = "table", .arg = "TABLE", .help = "table of the next lookup" },
	ROW(VRFTABLE, TABLE), IN(encap, vrftable), .word = "vrftable", .arg = "TABLE",
		.help = "table of the VRF that the inner packet belongs to; needs VRF strict mode" },
	ROW(NH4, IN4), IN(encap, nh4), .word = "nh4", .arg = "ADDR4",
		.help = "IPv4 next hop; 0.0.0.0: the inner destination" },
	ROW(NH6, IN6), IN(encap, nh6), .word = "nh6", .arg = "ADDR6", .help = "IPv6 next hop; ::: the inner destination" },
	ROW(IIF, IFINDEX), IN(encap, iif), .word = "iif", .arg = "DEV", .help = "input device; no kernel uses it" },
	ROW(OIF, IFINDEX), IN(encap, oif), .word = "oif", .arg = "DEV", .help = "output device" },
	ROW(BPF, BPF), IN(encap, bpf), .word = "endpoint",
		.arg = "{ pinned PATH | id ID | object FILE [ section NAME ] } [ name NAME ]", .help = "BPF program" },
	ROW(COUNT, COUNTERS), IN(encap, counters), .word = "count", .since = "5.13",
		.help = "count packets, bytes and errors; shown with -s" },
	ROW(FLAVORS, FLAVORS), IN(encap, flavors), .word = "flavors", .arg = "FLAVOR[,FLAVOR]...", .since = "6.1",
		.help = "psp, usp, usd, next-csid" },
	ROW(LBLEN, U8), IN(encap, lblen), .word = "lblen", .arg = "BITS", .min = 8, .max = 120,
		.help = "length of the locator block, with next-csid; 32" },
	ROW(NFLEN, U8), IN(encap, nflen), .word = "nflen", .arg = "BITS", .min = 8, .max = 120,
		.help = "length of locator node and function, with next-csid; 16" },
	ROW(MAPPED_SID, IN6), IN(encap, mapped_sid), .word = "mapped_sid", .arg = "ADDR6",
		.help = "what the destination is replaced with" },
	ROW(SRC, IN6), IN(encap, src), .word = "src", .arg = "ADDR6",
		.help = "source address of the outer header, or its template" },
	ROW(PDU_TYPE, PDU_TYPE), IN(encap, pdu_type), .word = "pdu_type", .arg = "{ dl | ul }", .min = 0, .max = 1,
		.help = "PDU type of the GTP-U extension header; none: no extension header" },
	ROW(V6_SRC_PREFIX_LEN, U8), IN(encap, v6_src_prefix_len), .word = "v6_src_prefix_len", .arg = "BITS",
		.min = 1, .max = 127, .help = "bits of the IPv6 source in front of the IPv4 source" },
	ROW(SR_PREFIX_LEN, U8), IN(encap, sr_prefix_len), .word = "sr_prefix_len", .arg = "BITS", .min = 1, .max = 88,
		.help = "bits of the SID in front of its arguments" },
	ROW(V4_MASK_LEN, U8), IN(encap, v4_mask_len), .word = "v4_mask_len", .arg = "BITS", .min = 1, .max = 32,
		.help = "bits of the IPv4 destination in the SID; mobile-v2 only" },
	ROW(UDP6_ZEROCSUM_TX, FLAG), .word = "udp6_zerocsum_tx", .help = "send UDP over IPv6 without a checksum" },
	ROW(UNKNOWN, BYTES), IN(encap, unknown), .word = "unknown", .arg = "HEX",
		.help = "attributes of the encapsulation that this version does not know" },
	ROW(RAW, BYTES), IN(encap, raw), .word = "raw", .arg = "HEX",
		.help = "contents of an encapsulation that this version does not know" },
};

static const struct srv6_attr_info hop_attrs[] = {
	ROW(VIA, ADDR), IN(hop, via), .word = "via", .arg = "ADDR", .help = "the gateway; for IPv4 an IPv6 one too" },
	ROW(DEV, IFINDEX), IN(hop, ifindex), .word = "dev", .arg = "DEV", .help = "the output device" },
	ROW(WEIGHT, WEIGHT), IN(hop, weight), .word = "weight", .arg = "1..256", .min = 1, .max = 256,
		.help = "share of this hop" },
	ROW(ONLINK, FLAG), .word = "onlink", .help = "the gateway is on this link, whatever the routes say" },
	ROW(REALMS, REALMS), IN(hop, realms), .word = "realms", .alias = "realm", .arg = "[FROM/]TO",
		.help = "realms, IPv4" },
	ROW(HOP_UNKNOWN, BYTES), IN(hop, unknown), .word = "hop_unknown", .arg = "HEX",
		.help = "attributes of the hop that this version does not know" },
};

static const struct srv6_attr_info route_attrs[] = {
	ROW(TYPE, RTYPE), IN(route, type), .word = "type", .arg = "TYPE", .help = "unicast, local, blackhole, ..." },
	ROW(DST, PREFIX), IN(route, dst), .word = "dst", .alias = "to", .arg = "PREFIX",
		.help = "the destination; default: all" },
	ROW(FROM, PREFIX), IN(route, from), .word = "from", .arg = "PREFIX", .help = "source prefix, IPv6" },
	ROW(TOS, HEX8), IN(route, tos), .word = "tos", .alias = "dsfield", .arg = "HEX", .help = "type of service, IPv4" },
	ROW(ROUTE_TABLE, TABLE), IN(route, table), .word = "table", .alias = "vrf", .arg = "TABLE",
		.help = "the routing table; main" },
	ROW(METRIC, U32), IN(route, metric), .word = "metric", .alias = "preference", .arg = "NUMBER",
		.help = "priority; none given: 1024 for IPv6, 0 for IPv4" },
	ROW(PROTOCOL, PROTOCOL), IN(route, protocol), .word = "proto", .alias = "protocol", .arg = "PROTOCOL",
		.help = "who installed it; boot" },
	ROW(SCOPE, SCOPE), IN(route, scope), .word = "scope", .arg = "SCOPE", .help = "scope, IPv4" },
	ROW(PREFSRC, ADDR), IN(route, prefsrc), .word = "prefsrc", .alias = "src", .arg = "ADDR",
		.help = "source address of locally sent packets" },
	ROW(NHID, U32), IN(route, nhid), .word = "nhid", .arg = "ID", .min = 1, .max = UINT32_MAX,
		.help = "use this nexthop object" },
	ROW(PREF, PREF), IN(route, pref), .word = "pref", .arg = "{ low | medium | high }",
		.help = "router preference, IPv6" },
	ROW(EXPIRES, U32), IN(route, expires), .word = "expires", .arg = "SECONDS", .help = "lifetime, IPv6" },
	ROW(TTL_PROPAGATE, U8), IN(route, ttl_propagate), .word = "ttl_propagate", .alias = "ttl-propagate",
		.arg = "{ 0 | 1 }", .min = 0, .max = 1, .help = "for MPLS" },
	ROW(LOCK, LOCK), IN(route, lock), .word = "lock", .arg = "METRIC[,METRIC]...",
		.help = "metrics that path MTU discovery may not change" },
	METRIC(MTU, RTAX_MTU, U32), .word = "mtu", .arg = "[lock] BYTES", .help = "path MTU" },
	METRIC(WINDOW, RTAX_WINDOW, U32), .word = "window", .arg = "BYTES", .help = "largest window of TCP" },
	METRIC(RTT, RTAX_RTT, MSEC), .word = "rtt", .arg = "MS", .help = "first guess of the round trip time" },
	METRIC(RTTVAR, RTAX_RTTVAR, MSEC), .word = "rttvar", .arg = "MS", .help = "and of its variance" },
	METRIC(SSTHRESH, RTAX_SSTHRESH, U32), .word = "ssthresh", .arg = "NUMBER", .help = "slow start threshold" },
	METRIC(CWND, RTAX_CWND, U32), .word = "cwnd", .arg = "NUMBER", .help = "clamp of the congestion window" },
	METRIC(ADVMSS, RTAX_ADVMSS, U32), .word = "advmss", .arg = "BYTES", .help = "advertised segment size" },
	METRIC(REORDERING, RTAX_REORDERING, U32), .word = "reordering", .arg = "NUMBER", .help = "reordering to expect" },
	METRIC(HOPLIMIT, RTAX_HOPLIMIT, U32), .word = "hoplimit", .arg = "1..255", .min = 1, .max = 255,
		.help = "hop limit of locally sent packets" },
	METRIC(INITCWND, RTAX_INITCWND, U32), .word = "initcwnd", .arg = "NUMBER", .help = "first congestion window" },
	METRIC(FEATURES, RTAX_FEATURES, U32), .word = "features", .arg = "NUMBER", .help = "feature bits; 1: ecn" },
	METRIC(RTO_MIN, RTAX_RTO_MIN, MSEC), .word = "rto_min", .arg = "MS", .help = "least retransmission timeout" },
	METRIC(INITRWND, RTAX_INITRWND, U32), .word = "initrwnd", .arg = "NUMBER", .help = "first receive window" },
	METRIC(QUICKACK, RTAX_QUICKACK, U32), .word = "quickack", .arg = "{ 0 | 1 }", .min = 0, .max = 1,
		.help = "acknowledge at once" },
	ROW(CONGCTL, STRING), IN(route, congctl), .word = "congctl", .arg = "NAME", .help = "congestion control of TCP" },
	METRIC(FASTOPEN_NO_COOKIE, RTAX_FASTOPEN_NO_COOKIE, U32), .word = "fastopen_no_cookie", .arg = "{ 0 | 1 }",
		.min = 0, .max = 1, .help = "TCP fast open without a cookie" },
	ROW(ROUTE_UNKNOWN, BYTES), IN(route, unknown), .word = "route_unknown", .arg = "HEX",
		.help = "attributes of the route that this version does not know" },
};

static const struct srv6_attr_info nexthop_attrs[] = {
	ROW(NH_ID, U32), IN(nexthop, id), .word = "id", .arg = "ID", .min = 1, .max = UINT32_MAX,
		.help = "number of the object" },
	ROW(NH_GROUP, GROUP), IN(nexthop, group), .word = "group", .arg = "ID[,WEIGHT][/ID[,WEIGHT]]...",
		.help = "the objects that share" },
	ROW(NH_GROUP_TYPE, U16), IN(nexthop, group_type), .word = "group_type", .arg = "NUMBER",
		.help = "0 multipath, 1 resilient" },
	ROW(NH_BLACKHOLE, FLAG), .word = "blackhole", .help = "drop" },
	ROW(NH_FDB, FLAG), .word = "fdb", .help = "for forwarding entries of bridges" },
	ROW(NH_PROTOCOL, PROTOCOL), IN(nexthop, protocol), .word = "proto", .alias = "protocol", .arg = "PROTOCOL",
		.help = "who installed it" },
	ROW(NH_SCOPE, SCOPE), IN(nexthop, scope), .word = "scope", .arg = "SCOPE", .help = "as read" },
	ROW(NH_MASTER, IFINDEX), IN(nexthop, master), .word = "master", .arg = "DEV", .help = "filter: its device's master" },
	ROW(NH_UNKNOWN, BYTES), IN(nexthop, unknown), .word = "nexthop_unknown", .arg = "HEX",
		.help = "attributes of the object that this version does not know" },
};
/* clang-format on */

static const struct {
	const struct srv6_attr_info *rows;
	uint32_t n;
} owners[] = {
	[SRV6_OWNER_ENCAP] = { encap_attrs, ARRAY_SIZE(encap_attrs) },
	[SRV6_OWNER_HOP] = { hop_attrs, ARRAY_SIZE(hop_attrs) },
	[SRV6_OWNER_ROUTE] = { route_attrs, ARRAY_SIZE(route_attrs) },
	[SRV6_OWNER_NEXTHOP] = { nexthop_attrs, ARRAY_SIZE(nexthop_attrs) },
};

EXPORT const struct srv6_attr_info *srv6_attr_info(uint32_t attr)
{
	uint32_t owner = attr >> 6, bit = attr & 63;

	if (owner >= ARRAY_SIZE(owners) || bit >= owners[owner].n || !owners[owner].rows[bit].word)
		return NULL;
	return &owners[owner].rows[bit];
}

/* Most words are none of these. */
static bool same(const char *a, const char *b)
{
	return *a == *b && !strcmp(a, b);
}

EXPORT uint32_t srv6_attr_find(uint32_t owner, const char *word)
{
	const struct srv6_attr_info *row;

	if (owner >= ARRAY_SIZE(owners))
		return SRV6_ATTR_NONE;
	for (uint32_t i = 0; i < owners[owner].n; i++) {
		row = &owners[owner].rows[i];
		if (row->word && (same(row->word, word) || (row->alias && same(row->alias, word))))
			return row->attr;
	}
	return SRV6_ATTR_NONE;
}

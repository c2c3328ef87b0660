/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The mobile behaviors as actions 17 to 22 of LWTUNNEL_ENCAP_SEG6_LOCAL, as proposed on netdev in May 2026 (version 2).
 * The locator's length is the route's here, but for the D behaviors; End.MAP's SID is in NH6.
 */
#include <linux/lwtunnel.h>
#include <linux/seg6_local.h>

#include "family.h"

enum { MOBILE_SRC_ADDR = 12, MOBILE_V4_MASK_LEN, MOBILE_PDU_TYPE, MOBILE_V6_SRC_PREFIX_LEN, MOBILE_SR_PREFIX_LEN };

static const uint8_t actions[] = {
	[17] = SRV6_END_MAP,      [18] = SRV6_END_M_GTP4_E,    [19] = SRV6_END_M_GTP6_E,
	[20] = SRV6_END_M_GTP6_D, [21] = SRV6_END_M_GTP6_D_DI, [22] = SRV6_H_M_GTP4_D,
};

static const struct family_row rows[] = {
	{ SEG6_LOCAL_SRH, SRV6_ATTR_SEGS, &wire_srh, { 0 } },
	{ SEG6_LOCAL_NH6, SRV6_ATTR_MAPPED_SID, &wire_in6, { 0 } },
	{ SEG6_LOCAL_NH6, SRV6_ATTR_NH6, &wire_in6, { 0 } },
	{ SEG6_LOCAL_OIF, SRV6_ATTR_OIF, &wire_u32, { 0 } },
	{ SEG6_LOCAL_COUNTERS, SRV6_ATTR_COUNT, &wire_counters, SEG6LOCAL_COUNTER_TYPES },
	{ MOBILE_SRC_ADDR, SRV6_ATTR_SRC, &wire_in6, { 0 } },
	{ MOBILE_V4_MASK_LEN, SRV6_ATTR_V4_MASK_LEN, &wire_u8, { 0 } },
	{ MOBILE_PDU_TYPE, SRV6_ATTR_PDU_TYPE, &wire_u8, { 0 } },
	{ MOBILE_V6_SRC_PREFIX_LEN, SRV6_ATTR_V6_SRC_PREFIX_LEN, &wire_u8, { 0 } },
	{ MOBILE_SR_PREFIX_LEN, SRV6_ATTR_SR_PREFIX_LEN, &wire_u8, { 0 } },
};

#define HAS(x)   SRV6_HAS(x)
#define SRH_REST (HAS(TAG) | HAS(SRH_FLAGS) | HAS(TLVS) | HAS(RAW_SRH))
#define ALWAYS   (HAS(COUNT) | HAS(UNKNOWN))
#define ROW(id, n, fam, ref)                                                                                           \
	.behavior = SRV6_##id, .families = fam, .name = n, .word = n, .encap = "seg6local", .rfc = ref,                \
	.status = SRV6_STATUS_PROPOSED

static const struct srv6_behavior_info infos[] = {
	{ ROW(END_MAP, "End.MAP", SRV6_FAMILY_IN6, "RFC 9433 6.2"), .required = HAS(MAPPED_SID), .optional = ALWAYS,
	  .summary = "replaces the destination with a mapped SID" },
	{ ROW(END_M_GTP4_E, "End.M.GTP4.E", SRV6_FAMILY_IN6, "RFC 9433 6.6"), .required = HAS(SRC) | HAS(V4_MASK_LEN),
	  .optional = HAS(PDU_TYPE) | HAS(V6_SRC_PREFIX_LEN) | HAS(OIF) | ALWAYS,
	  .summary = "turns SRv6 into GTP-U over IPv4 by destination and session in its SID" },
	{ ROW(END_M_GTP6_E, "End.M.GTP6.E", SRV6_FAMILY_IN6, "RFC 9433 6.5"), .required = HAS(SRC),
	  .optional = HAS(PDU_TYPE) | HAS(OIF) | ALWAYS,
	  .summary = "turns SRv6 into GTP-U over IPv6 by the session in its SID" },
	{ ROW(END_M_GTP6_D, "End.M.GTP6.D", SRV6_FAMILY_IN6, "RFC 9433 6.3"),
	  .required = HAS(SEGS) | HAS(SRC) | HAS(SR_PREFIX_LEN), .optional = SRH_REST | HAS(OIF) | ALWAYS,
	  .summary = "turns GTP-U over IPv6 into SRv6; the session goes into a segment" },
	{ ROW(END_M_GTP6_D_DI, "End.M.GTP6.D.Di", SRV6_FAMILY_IN6, "RFC 9433 6.4"), .required = HAS(SEGS) | HAS(SRC),
	  .optional = SRH_REST | HAS(OIF) | ALWAYS,
	  .summary = "as End.M.GTP6.D, keeping the destination as the last segment (drop-in)" },
	{ ROW(H_M_GTP4_D, "H.M.GTP4.D", SRV6_FAMILY_IN4, "RFC 9433 6.7"),
	  .required = HAS(NH6) | HAS(SRC) | HAS(V4_MASK_LEN) | HAS(SR_PREFIX_LEN),
	  .optional = HAS(SEGS) | SRH_REST | HAS(V6_SRC_PREFIX_LEN) | HAS(OIF) | ALWAYS,
	  .summary = "turns GTP-U over IPv4 into SRv6; destination and session go into a SID" },
};

const struct family family_mobile_v2 = {
	.name = "mobile-v2",
	.word = "seg6local",
	.encap_type = LWTUNNEL_ENCAP_SEG6_LOCAL,
	.number_type = SEG6_LOCAL_ACTION,
	.mobile = SRV6_MOBILE_V2,
	.n_behaviors = ARRAY_SIZE(actions),
	.behaviors = actions,
	.n_rows = ARRAY_SIZE(rows),
	.rows = rows,
	.n_infos = ARRAY_SIZE(infos),
	.infos = infos,
};

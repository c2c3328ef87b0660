/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The mobile behaviors as an encapsulation type of their own (SEG6_MOBILE, 11), the newest of the proposed numberings.
 * The kernel that has it parses strictly: NLA_F_NESTED counts, unknown attributes and wrong sizes are refused.
 * Earlier development trees numbered the attributes otherwise; the capability probe tells them apart.
 */
#include "family.h"

#define ENCAP_TYPE_SEG6_MOBILE 11

enum { ACTION = 1, MAPPED_SID, COUNTERS, PDU_TYPE, V6_SRC_PREFIX_LEN, SR_PREFIX_LEN, SRC_ADDR, UDP6_ZEROCSUM_TX, SRH };
enum { CNT_PACKETS = 1, CNT_BYTES, CNT_ERRORS, CNT_PAD }; /* PAD last, unlike seg6local's */

static const uint8_t actions[] = {
	[1] = SRV6_END_MAP,      [2] = SRV6_END_M_GTP4_E,    [3] = SRV6_END_M_GTP6_E,
	[4] = SRV6_END_M_GTP6_D, [5] = SRV6_END_M_GTP6_D_DI, [6] = SRV6_H_M_GTP4_D,
};

static const struct family_row rows[] = {
	{ MAPPED_SID, SRV6_ATTR_MAPPED_SID, &wire_in6, { 0 } },
	{ COUNTERS,
	  SRV6_ATTR_COUNT,
	  &wire_counters,
	  { [COUNTER_PACKETS] = CNT_PACKETS,
	    [COUNTER_BYTES] = CNT_BYTES,
	    [COUNTER_ERRORS] = CNT_ERRORS,
	    [COUNTER_PAD] = CNT_PAD } },
	{ PDU_TYPE, SRV6_ATTR_PDU_TYPE, &wire_u8, { 0 } },
	{ V6_SRC_PREFIX_LEN, SRV6_ATTR_V6_SRC_PREFIX_LEN, &wire_u8, { 0 } },
	{ SR_PREFIX_LEN, SRV6_ATTR_SR_PREFIX_LEN, &wire_u8, { 0 } },
	{ SRC_ADDR, SRV6_ATTR_SRC, &wire_in6, { 0 } },
	{ UDP6_ZEROCSUM_TX, SRV6_ATTR_UDP6_ZEROCSUM_TX, &wire_flag, { 0 } },
	{ SRH, SRV6_ATTR_SEGS, &wire_srh, { 0 } },
};

const struct family family_mobile_seg6 = {
	.name = "seg6mobile",
	.word = "seg6mobile",
	.encap_type = ENCAP_TYPE_SEG6_MOBILE,
	.number_type = ACTION,
	.mobile = SRV6_MOBILE_SEG6,
	.n_behaviors = ARRAY_SIZE(actions),
	.behaviors = actions,
	.n_rows = ARRAY_SIZE(rows),
	.rows = rows,
};

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* LWTUNNEL_ENCAP_SEG6: the headend behaviors. The mode is an int in front of the SRH, without padding. */
#include <linux/lwtunnel.h>
#include <linux/seg6_iptunnel.h>

#include "family.h"

/* Spelled here since the headers of many systems lack them. */
#define SEG6_MODE_ENCAP_RED    3 /* Linux 6.0 */
#define SEG6_MODE_L2ENCAP_RED  4
#define SEG6_TUNNEL_ATTR_SRC   2 /* Linux 7.1 */
#define SEG6_TUNNEL_ATTR_TABLE 3 /* Linux 7.3 */

static const uint8_t modes[] = {
	[SEG6_IPTUN_MODE_INLINE] = SRV6_H_INSERT,       [SEG6_IPTUN_MODE_ENCAP] = SRV6_H_ENCAPS,
	[SEG6_IPTUN_MODE_L2ENCAP] = SRV6_H_ENCAPS_L2,   [SEG6_MODE_ENCAP_RED] = SRV6_H_ENCAPS_RED,
	[SEG6_MODE_L2ENCAP_RED] = SRV6_H_ENCAPS_L2_RED,
};

static const struct family_row rows[] = {
	{ SEG6_IPTUNNEL_SRH, SRV6_ATTR_SEGS, &wire_srh, { 0 } },
	{ SEG6_TUNNEL_ATTR_SRC, SRV6_ATTR_TUNSRC, &wire_in6, { 0 } },
	{ SEG6_TUNNEL_ATTR_TABLE, SRV6_ATTR_LOOKUP, &wire_u32, { 0 } },
};

const struct family family_seg6 = {
	.name = "seg6",
	.word = "seg6",
	.encap_type = LWTUNNEL_ENCAP_SEG6,
	.number_type = SEG6_IPTUNNEL_SRH,
	.number_in_srh = true,
	.n_behaviors = ARRAY_SIZE(modes),
	.behaviors = modes,
	.n_rows = ARRAY_SIZE(rows),
	.rows = rows,
};

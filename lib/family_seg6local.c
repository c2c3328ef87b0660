/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* LWTUNNEL_ENCAP_SEG6_LOCAL: the endpoint behaviors. */
#include <linux/lwtunnel.h>
#include <linux/seg6_local.h>

#include "family.h"

static const uint8_t actions[] = {
	[SEG6_LOCAL_ACTION_END] = SRV6_END,         [SEG6_LOCAL_ACTION_END_X] = SRV6_END_X,
	[SEG6_LOCAL_ACTION_END_T] = SRV6_END_T,     [SEG6_LOCAL_ACTION_END_DX2] = SRV6_END_DX2,
	[SEG6_LOCAL_ACTION_END_DX6] = SRV6_END_DX6, [SEG6_LOCAL_ACTION_END_DX4] = SRV6_END_DX4,
	[SEG6_LOCAL_ACTION_END_DT6] = SRV6_END_DT6, [SEG6_LOCAL_ACTION_END_DT4] = SRV6_END_DT4,
	[SEG6_LOCAL_ACTION_END_B6] = SRV6_END_B6,   [SEG6_LOCAL_ACTION_END_B6_ENCAP] = SRV6_END_B6_ENCAPS,
	[SEG6_LOCAL_ACTION_END_BM] = SRV6_END_BM,   [SEG6_LOCAL_ACTION_END_S] = SRV6_END_S,
	[SEG6_LOCAL_ACTION_END_AS] = SRV6_END_AS,   [SEG6_LOCAL_ACTION_END_AM] = SRV6_END_AM,
	[SEG6_LOCAL_ACTION_END_BPF] = SRV6_END_BPF, [SEG6_LOCAL_ACTION_END_DT46] = SRV6_END_DT46,
};

static const struct family_row rows[] = {
	{ SEG6_LOCAL_SRH, SRV6_ATTR_SEGS, &wire_srh, { 0 } },
	{ SEG6_LOCAL_TABLE, SRV6_ATTR_TABLE, &wire_u32, { 0 } },
	{ SEG6_LOCAL_NH4, SRV6_ATTR_NH4, &wire_in4, { 0 } },
	{ SEG6_LOCAL_NH6, SRV6_ATTR_NH6, &wire_in6, { 0 } },
	{ SEG6_LOCAL_IIF, SRV6_ATTR_IIF, &wire_u32, { 0 } },
	{ SEG6_LOCAL_OIF, SRV6_ATTR_OIF, &wire_u32, { 0 } },
	{ SEG6_LOCAL_BPF,
	  SRV6_ATTR_BPF,
	  &wire_bpf,
	  { [BPF_PROG] = SEG6_LOCAL_BPF_PROG, [BPF_NAME] = SEG6_LOCAL_BPF_PROG_NAME } },
	{ SEG6_LOCAL_VRFTABLE, SRV6_ATTR_VRFTABLE, &wire_u32, { 0 } },
	{ SEG6_LOCAL_COUNTERS, SRV6_ATTR_COUNT, &wire_counters, SEG6LOCAL_COUNTER_TYPES },
	{ SEG6_LOCAL_FLAVORS,
	  SRV6_ATTR_FLAVORS,
	  &wire_flavors,
	  { [FLAVOR_OPERATION] = SEG6_LOCAL_FLV_OPERATION,
	    [FLAVOR_LBLEN] = SEG6_LOCAL_FLV_LCBLOCK_BITS,
	    [FLAVOR_NFLEN] = SEG6_LOCAL_FLV_LCNODE_FN_BITS } },
};

const struct family family_seg6local = {
	.name = "seg6local",
	.word = "seg6local",
	.encap_type = LWTUNNEL_ENCAP_SEG6_LOCAL,
	.number_type = SEG6_LOCAL_ACTION,
	.n_behaviors = ARRAY_SIZE(actions),
	.behaviors = actions,
	.n_rows = ARRAY_SIZE(rows),
	.rows = rows,
};

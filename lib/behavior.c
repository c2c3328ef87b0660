/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One row a behavior: what it is called, what it needs and what it may have. Wire numbers are in the family files. */
#include <stdbool.h>
#include <string.h>

#include "family.h"

/* clang-format off */
#define HAS(x) SRV6_HAS(x)
#define IN6 SRV6_FAMILY_IN6
#define IN4 SRV6_FAMILY_IN4

/* What every SRH that the kernel is given may hold beside its segments */
#define SRH_REST (HAS(TAG) | HAS(SRH_FLAGS) | HAS(TLVS) | HAS(RAW_SRH))
#define SRH_HMAC (SRH_REST | HAS(HMAC))
#define HEADEND(tunsrc) (SRH_HMAC | HAS(LOOKUP) | HAS(UNKNOWN) | (tunsrc))
#define ENDPOINT (HAS(COUNT) | HAS(UNKNOWN))
#define CSID (HAS(FLAVORS) | HAS(LBLEN) | HAS(NFLEN))

#define SEG6(id, n, w, fam) [SRV6_##id] = { .behavior = SRV6_##id, .name = n, .word = w, .encap = "seg6", .families = fam
#define LOCAL(id, n) [SRV6_##id] = { .behavior = SRV6_##id, .name = n, .word = n, .encap = "seg6local", .families = IN6
#define MOBILE(id, n, fam) [SRV6_##id] = { .behavior = SRV6_##id, .name = n, .word = n, .encap = "seg6mobile", \
	.families = fam, .status = SRV6_STATUS_PROPOSED

static const struct srv6_behavior_info behaviors[SRV6_N_BEHAVIORS] = {
	SEG6(H_INSERT, "H.Insert", "inline", IN6), .since = "4.10", .rfc = NULL,
		.summary = "inserts an SRH into the IPv6 packet",
		.required = HAS(SEGS), .optional = HEADEND(0) },
	SEG6(H_ENCAPS, "H.Encaps", "encap", IN4 | IN6), .since = "4.10", .rfc = "RFC 8986 5.1",
		.summary = "encapsulates the packet in IPv6 with an SRH",
		.required = HAS(SEGS), .optional = HEADEND(HAS(TUNSRC)) },
	SEG6(H_ENCAPS_RED, "H.Encaps.Red", "encap.red", IN4 | IN6), .since = "6.0", .rfc = "RFC 8986 5.2",
		.summary = "encapsulates; the first segment is in the destination alone, a single one needs no SRH",
		.required = HAS(SEGS), .optional = HEADEND(HAS(TUNSRC)) },
	SEG6(H_ENCAPS_L2, "H.Encaps.L2", "l2encap", IN4 | IN6), .since = "4.14", .rfc = "RFC 8986 5.3",
		.summary = "encapsulates the received Ethernet frame",
		.required = HAS(SEGS), .optional = HEADEND(HAS(TUNSRC)) },
	SEG6(H_ENCAPS_L2_RED, "H.Encaps.L2.Red", "l2encap.red", IN4 | IN6), .since = "6.0", .rfc = "RFC 8986 5.4",
		.summary = "encapsulates the received Ethernet frame, reduced as H.Encaps.Red",
		.required = HAS(SEGS), .optional = HEADEND(HAS(TUNSRC)) },

	LOCAL(END, "End"), .since = "4.14", .rfc = "RFC 8986 4.1",
		.summary = "takes the next segment and forwards", .optional = ENDPOINT | CSID,
		.flavors = SRV6_FLAVOR_PSP | SRV6_FLAVOR_NEXT_CSID },
	LOCAL(END_X, "End.X"), .since = "4.14", .rfc = "RFC 8986 4.2",
		.summary = "takes the next segment and forwards to a given next hop",
		.required = HAS(NH6), .optional = ENDPOINT | CSID | HAS(OIF), .flavors = SRV6_FLAVOR_NEXT_CSID },
	LOCAL(END_T, "End.T"), .since = "4.14", .rfc = "RFC 8986 4.3",
		.summary = "takes the next segment and looks it up in a given table",
		.required = HAS(TABLE), .optional = ENDPOINT },
	LOCAL(END_DX2, "End.DX2"), .since = "4.14", .rfc = "RFC 8986 4.9",
		.summary = "decapsulates an Ethernet frame and sends it out of a device",
		.required = HAS(OIF), .optional = ENDPOINT },
	LOCAL(END_DX6, "End.DX6"), .since = "4.14", .rfc = "RFC 8986 4.4",
		.summary = "decapsulates an IPv6 packet and sends it to a next hop",
		.required = HAS(NH6), .optional = ENDPOINT },
	LOCAL(END_DX4, "End.DX4"), .since = "4.14", .rfc = "RFC 8986 4.5",
		.summary = "decapsulates an IPv4 packet and sends it to a next hop",
		.required = HAS(NH4), .optional = ENDPOINT },
	LOCAL(END_DT6, "End.DT6"), .since = "4.14", .rfc = "RFC 8986 4.6",
		.summary = "decapsulates an IPv6 packet and looks it up in a table or a VRF",
		.one_of = HAS(TABLE) | HAS(VRFTABLE), .optional = ENDPOINT },
	LOCAL(END_DT4, "End.DT4"), .since = "5.11", .rfc = "RFC 8986 4.7",
		.summary = "decapsulates an IPv4 packet and looks it up in a VRF",
		.required = HAS(VRFTABLE), .optional = ENDPOINT },
	LOCAL(END_DT46, "End.DT46"), .since = "5.14", .rfc = "RFC 8986 4.8",
		.summary = "decapsulates an IPv4 or IPv6 packet and looks it up in a VRF",
		.required = HAS(VRFTABLE), .optional = ENDPOINT },
	LOCAL(END_B6, "End.B6"), .since = "4.14", .rfc = NULL,
		.summary = "inserts an SRH on top of the one that is there",
		.required = HAS(SEGS), .optional = SRH_HMAC | ENDPOINT },
	LOCAL(END_B6_ENCAPS, "End.B6.Encaps"), .since = "4.14", .rfc = "RFC 8986 4.13",
		.summary = "takes the next segment and encapsulates in a policy's SRH",
		.required = HAS(SEGS), .optional = SRH_HMAC | ENDPOINT },
	LOCAL(END_BM, "End.BM"), .status = SRV6_STATUS_UAPI, .rfc = "RFC 8986 4.15",
		.summary = "binds to an MPLS policy", .optional = ENDPOINT },
	LOCAL(END_S, "End.S"), .status = SRV6_STATUS_UAPI, .summary = "looks up the last segment",
		.optional = ENDPOINT },
	LOCAL(END_AS, "End.AS"), .status = SRV6_STATUS_UAPI, .summary = "static proxy to a function without SRv6",
		.optional = ENDPOINT },
	LOCAL(END_AM, "End.AM"), .status = SRV6_STATUS_UAPI, .summary = "masquerading proxy to a function without SRv6",
		.optional = ENDPOINT },
	LOCAL(END_BPF, "End.BPF"), .since = "4.18", .rfc = NULL,
		.summary = "takes the next segment and runs a BPF program",
		.required = HAS(BPF), .optional = ENDPOINT },

	MOBILE(END_MAP, "End.MAP", IN6), .rfc = "RFC 9433 6.2", .summary = "replaces the destination with a mapped SID",
		.required = HAS(MAPPED_SID), .optional = ENDPOINT },
	MOBILE(END_M_GTP6_D, "End.M.GTP6.D", IN6), .rfc = "RFC 9433 6.3",
		.summary = "turns GTP-U over IPv6 into SRv6; the session goes into the last segment",
		.required = HAS(SRC) | HAS(SEGS) | HAS(SR_PREFIX_LEN), .optional = SRH_REST | ENDPOINT },
	MOBILE(END_M_GTP6_D_DI, "End.M.GTP6.D.Di", IN6), .rfc = "RFC 9433 6.4",
		.summary = "as End.M.GTP6.D, keeping the destination as the last segment (drop-in)",
		.required = HAS(SRC) | HAS(SEGS), .optional = SRH_REST | ENDPOINT },
	MOBILE(END_M_GTP6_E, "End.M.GTP6.E", IN6), .rfc = "RFC 9433 6.5",
		.summary = "turns SRv6 into GTP-U over IPv6 by the session in its SID",
		.required = HAS(SRC) | HAS(SR_PREFIX_LEN), .optional = HAS(PDU_TYPE) | HAS(UDP6_ZEROCSUM_TX) | ENDPOINT },
	MOBILE(END_M_GTP4_E, "End.M.GTP4.E", IN6), .rfc = "RFC 9433 6.6",
		.summary = "turns SRv6 into GTP-U over IPv4 by destination and session in its SID",
		.required = HAS(SR_PREFIX_LEN) | HAS(V6_SRC_PREFIX_LEN), .optional = HAS(PDU_TYPE) | ENDPOINT },
	MOBILE(H_M_GTP4_D, "H.M.GTP4.D", IN4), .rfc = "RFC 9433 6.7",
		.summary = "turns GTP-U over IPv4 into SRv6; destination and session go into the last segment",
		.required = HAS(SRC) | HAS(SEGS) | HAS(SR_PREFIX_LEN) | HAS(V6_SRC_PREFIX_LEN),
		.optional = SRH_REST | ENDPOINT },
};
/* clang-format on */

EXPORT const struct srv6_behavior_info *srv6_behavior_info(uint32_t behavior, uint32_t mobile)
{
	const struct srv6_behavior_info *other;

	if (behavior == SRV6_OTHER || behavior >= SRV6_N_BEHAVIORS)
		return NULL;
	other = mobile ? family_info(behavior, mobile) : NULL;
	return other ? other : &behaviors[behavior];
}

/* Most words are none of these. */
static bool same(const char *a, const char *b)
{
	return *a == *b && !strcmp(a, b);
}

EXPORT uint32_t srv6_behavior_find(const char *encap, const char *word)
{
	const struct srv6_behavior_info *row;

	for (uint32_t i = 1; i < SRV6_N_BEHAVIORS; i++) {
		row = &behaviors[i];
		if (encap && !family_has(encap, i))
			continue;
		if (same(word, row->name) || same(word, row->word))
			return i;
	}
	return SRV6_OTHER;
}

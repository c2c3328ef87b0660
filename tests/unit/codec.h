/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the tests of the codec share: short ways to write objects down, and messages as hexadecimal. */
#ifndef TEST_CODEC_H
#define TEST_CODEC_H

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/rtnetlink.h>

#include "family.h"

#define B2(w) (uint8_t)((w) >> 8), (uint8_t)((w)&255)
#define A6(a, b, c, d, e, f, g, h)                                                                                     \
	{                                                                                                              \
		{                                                                                                      \
			{                                                                                              \
				B2(a), B2(b), B2(c), B2(d), B2(e), B2(f), B2(g), B2(h)                                 \
			}                                                                                              \
		}                                                                                                      \
	}
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define A4(a, b, c, d)                                                                                                 \
	{                                                                                                              \
		(uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24                         \
	}
#else
#define A4(a, b, c, d)                                                                                                 \
	{                                                                                                              \
		(uint32_t)(d) | (uint32_t)(c) << 8 | (uint32_t)(b) << 16 | (uint32_t)(a) << 24                         \
	}
#endif
#define FC(x)  A6(0xfc00, x, 0, 0, 0, 0, 0, 1)
#define SID(x) A6(0xfc00, 1, 0, 0, 0, 0, 0, x)
#define DOC(x) A6(0x2001, 0xdb8, x, 0, 0, 0, 0, 0)
#define GW(x)  A6(0x2001, 0xdb8, 0, 1, 0, 0, 0, x)

/* clang-format off */
/* Pointers are in parentheses, so that the commas in them do not part a macro's arguments; braces can't be. */
#define ENCAP(b, bits, ...) \
	(&(const struct srv6_encap){ .sz = sizeof(struct srv6_encap), .behavior = SRV6_##b, .has = (bits), __VA_ARGS__ })
#define SEGS(...) \
	.n_segs = sizeof((const struct in6_addr[]){ __VA_ARGS__ }) / 16, .segs = ((const struct in6_addr[]){ __VA_ARGS__ })
#define HOP(e, bits, ...) { .encap = e, .has = (bits), __VA_ARGS__ }
#define DEV10(e)	  HOP(e, SRV6_HAS(DEV), .ifindex = 10)
#define VIA6(...)	  .via = { .family = AF_INET6, .len = 128, .addr = { .in6 = __VA_ARGS__ } }
#define DST6(l, ...)	  .dst = { .family = AF_INET6, .len = l, .addr = { .in6 = __VA_ARGS__ } }
#define DST4(l, ...)	  .dst = { .family = AF_INET, .len = l, .addr = { .in4 = __VA_ARGS__ } }
#define ROUTE(bits, ...)  (&(const struct srv6_route){ .sz = sizeof(struct srv6_route), .has = (bits), __VA_ARGS__ })
#define HOPS(...) \
	.n_hops = sizeof((const struct srv6_hop[]){ __VA_ARGS__ }) / sizeof(struct srv6_hop), \
	.hops = ((const struct srv6_hop[]){ __VA_ARGS__ })
#define R6(length, e, ...) ROUTE(0, DST6(length, __VA_ARGS__), HOPS(DEV10(e)))
#define R4(length, e, ...) ROUTE(0, DST4(length, __VA_ARGS__), HOPS(DEV10(e)))
#define OP(v, r)    { .verb = SRV6_##v, .kind = SRV6_ROUTE, .u = { .route = r } }
#define OP_NH(v, n) { .verb = SRV6_##v, .kind = SRV6_NEXTHOP, .u = { .nexthop = n } }
/* clang-format on */

/* Room that no test needs more of. Reading: a guard behind shows when more is written. */
#define BUF 65536

/* Bytes of a hexadecimal string, in a block of exactly that length, so that reading beyond it shows. */
static inline void *unhex(const char *hex, size_t *len)
{
	size_t n = strlen(hex) / 2;
	uint8_t *p = malloc(n ? n : 1);

	for (size_t i = 0; i < n; i++)
		sscanf(hex + 2 * i, "%2hhx", &p[i]);
	*len = n;
	return p;
}

static inline const char *hex_of(const void *data, size_t len, char *text)
{
	const uint8_t *p = data;

	for (size_t i = 0; i < len; i++)
		snprintf(text + 2 * i, 3, "%02x", p[i]);
	text[2 * len] = 0;
	return text;
}
#endif

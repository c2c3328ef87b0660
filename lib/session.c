/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * IPv6 addresses that carry a mobile session (RFC 9433). No socket, no kernel: bits at bit offsets.
 *
 *	SID, figure 9       | locator           | IPv4 DA  | QFI 6 | R 1 | U 1 | PDU Session ID 32 | as it was |
 *	SID, End.M.GTP6.E   | locator                      | QFI 6 | R 1 | U 1 | PDU Session ID 32 | as it was |
 *	source, figure 10   | prefix            | IPv4 SA  | as it was                                         |
 *
 * No field need start or end at a byte. Every function works on a copy and hands it over when all of it is well.
 */
#include <arpa/inet.h>
#include <errno.h>

#include "internal.h"

#define ADDR_BITS 128u
#define ARGS_BITS 40u
#define QFI_MAX   63u

/* The n low bits of value at bit offset bit (0: the most significant of the first byte); from the last byte forward. */
static void bits_put(uint8_t *bytes, unsigned int bit, unsigned int n, uint64_t value)
{
	while (n) {
		unsigned int end = bit + n, shift = (8 - end % 8) % 8;
		unsigned int take = n < 8 - shift ? n : 8 - shift;
		unsigned int mask = ((1u << take) - 1) << shift;
		unsigned int part = (unsigned int)(value << shift) & mask;

		bytes[(end - 1) / 8] = (uint8_t)((bytes[(end - 1) / 8] & ~mask) | part);
		value >>= take;
		n -= take;
	}
}

static uint64_t bits_get(const uint8_t *bytes, unsigned int bit, unsigned int n)
{
	uint64_t value = 0;

	while (n) {
		unsigned int room = 8 - bit % 8, take = n < room ? n : room;

		value = value << take | ((unsigned int)bytes[bit / 8] >> (room - take) & ((1u << take) - 1));
		bit += take;
		n -= take;
	}
	return value;
}

EXPORT int srv6_args_put(struct in6_addr *addr, unsigned int bit, const struct srv6_session *session)
{
	uint64_t args;

	if (session->reserved)
		return -EINVAL;
	if (bit > ADDR_BITS - ARGS_BITS || session->qfi > QFI_MAX || session->r > 1 || session->u > 1)
		return -ERANGE;
	args = (uint64_t)session->qfi << 34 | (uint64_t)session->r << 33 | (uint64_t)session->u << 32 | session->id;
	bits_put(addr->s6_addr, bit, ARGS_BITS, args);
	return 0;
}

EXPORT int srv6_args_get(const struct in6_addr *addr, unsigned int bit, struct srv6_session *ret)
{
	uint64_t args;

	if (bit > ADDR_BITS - ARGS_BITS)
		return -ERANGE;
	args = bits_get(addr->s6_addr, bit, ARGS_BITS);
	*ret = (struct srv6_session){
		.id = (uint32_t)args,
		.qfi = (uint8_t)(args >> 34),
		.r = args >> 33 & 1,
		.u = args >> 32 & 1,
	};
	return 0;
}

/* Where the n bits behind the first len fit. Both may be anything a caller says: no sum that could wrap. */
static int fits(unsigned int len, unsigned int n)
{
	return len <= ADDR_BITS - n ? 0 : -ERANGE;
}

static int v4_fits(unsigned int len, unsigned int v4_len, unsigned int behind)
{
	return v4_len >= 1 && v4_len <= 32 ? fits(len, v4_len + behind) : -ERANGE;
}

/* The first v4_len bits of v4. Bits of v4 behind them would be lost without a word, so they are refused. */
static int v4_put(struct in6_addr *addr, unsigned int bit, const struct in_addr *v4, unsigned int v4_len)
{
	uint64_t value = ntohl(v4->s_addr);

	if (value & ((UINT64_C(1) << (32 - v4_len)) - 1))
		return -EINVAL;
	bits_put(addr->s6_addr, bit, v4_len, value >> (32 - v4_len));
	return 0;
}

static struct in_addr v4_get(const struct in6_addr *addr, unsigned int bit, unsigned int v4_len)
{
	uint64_t value = bits_get(addr->s6_addr, bit, v4_len);

	return (struct in_addr){ .s_addr = htonl((uint32_t)(value << (32 - v4_len))) };
}

EXPORT int srv6_gtp4_sid_put(struct in6_addr *ret, const struct srv6_prefix *locator, const struct in_addr *dst,
			     unsigned int v4_len, const struct srv6_session *session)
{
	struct in6_addr sid = locator->addr.in6;
	int r;

	if (locator->family != AF_INET6)
		return -EINVAL;
	r = v4_fits(locator->len, v4_len, ARGS_BITS);
	if (!r)
		r = v4_put(&sid, locator->len, dst, v4_len);
	if (!r)
		r = srv6_args_put(&sid, locator->len + v4_len, session);
	if (!r)
		*ret = sid;
	return r;
}

EXPORT int srv6_gtp4_sid_get(const struct in6_addr *sid, unsigned int locator_len, unsigned int v4_len,
			     struct in_addr *ret_dst, struct srv6_session *ret_session)
{
	int r = v4_fits(locator_len, v4_len, ARGS_BITS);

	if (r)
		return r;
	*ret_dst = v4_get(sid, locator_len, v4_len);
	return srv6_args_get(sid, locator_len + v4_len, ret_session);
}

EXPORT int srv6_gtp4_src_put(struct in6_addr *ret, const struct srv6_prefix *prefix, const struct in_addr *src,
			     unsigned int v4_len)
{
	struct in6_addr addr = prefix->addr.in6;
	int r;

	if (prefix->family != AF_INET6)
		return -EINVAL;
	r = v4_fits(prefix->len, v4_len, 0);
	if (!r)
		r = v4_put(&addr, prefix->len, src, v4_len);
	if (!r)
		*ret = addr;
	return r;
}

EXPORT int srv6_gtp4_src_get(const struct in6_addr *addr, unsigned int prefix_len, unsigned int v4_len,
			     struct in_addr *ret)
{
	int r = v4_fits(prefix_len, v4_len, 0);

	if (!r)
		*ret = v4_get(addr, prefix_len, v4_len);
	return r;
}

EXPORT int srv6_gtp6_sid_put(struct in6_addr *ret, const struct srv6_prefix *locator,
			     const struct srv6_session *session)
{
	struct in6_addr sid = locator->addr.in6;
	int r;

	if (locator->family != AF_INET6)
		return -EINVAL;
	r = srv6_args_put(&sid, locator->len, session);
	if (!r)
		*ret = sid;
	return r;
}

EXPORT int srv6_gtp6_sid_get(const struct in6_addr *sid, unsigned int locator_len, struct srv6_session *ret)
{
	return srv6_args_get(sid, locator_len, ret);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Frames for "srv6 perf", built from the inside out: each header is put in front of what is there. What goes in and
 * what must come out are described by the same words (struct shape), so that the far end can be compared byte by byte.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include <linux/if_ether.h>

#include "perf.h"

struct in6_addr perf_in6(const char *text)
{
	struct in6_addr a = { 0 };

	inet_pton(AF_INET6, text, &a);
	return a;
}

struct in_addr perf_in4(const char *text)
{
	struct in_addr a = { 0 };

	inet_pton(AF_INET, text, &a);
	return a;
}

/* ---- a frame in the making: it grows towards the front */

struct build {
	uint8_t data[2 * FRAME_ROOM];
	uint32_t at;
	uint8_t next; /* protocol number of what stands at at */
	bool over;    /* it did not fit */
};

static uint8_t *front(struct build *b, size_t n)
{
	if (n > b->at) {
		b->over = true;
		return b->data;
	}
	b->at -= (uint32_t)n;
	return b->data + b->at;
}

static uint32_t length(const struct build *b)
{
	return (uint32_t)sizeof(b->data) - b->at;
}

static void put16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static uint32_t sum(uint32_t s, const void *data, size_t len)
{
	const uint8_t *p = data;
	size_t i;

	for (i = 0; i < len; i++)
		s += i & 1 ? p[i] : (uint32_t)p[i] << 8;
	return s;
}

static uint32_t fold(uint32_t s)
{
	while (s >> 16)
		s = (s & 0xffff) + (s >> 16);
	return ~s & 0xffff;
}

/* The checksum is that of the addresses src and dst, of len bytes each. */
static void put_udp(struct build *b, uint32_t port, const void *src, const void *dst, size_t len)
{
	uint8_t *p = front(b, 8);
	uint32_t s, check;

	put16(p, port);
	put16(p + 2, port);
	put16(p + 4, length(b));
	put16(p + 6, 0);
	s = sum(sum(length(b) + IPPROTO_UDP, src, len), dst, len);
	check = fold(sum(s, p, length(b)));
	put16(p + 6, check ? check : 0xffff);
	b->next = IPPROTO_UDP;
}

static void put_ip6(struct build *b, const struct in6_addr *src, const struct in6_addr *dst, uint8_t hops)
{
	uint32_t payload = length(b);
	uint8_t *p = front(b, 40);

	memset(p, 0, 40);
	p[0] = 0x60;
	put16(p + 4, payload);
	p[6] = b->next;
	p[7] = hops;
	memcpy(p + 8, src, 16);
	memcpy(p + 24, dst, 16);
	b->next = IPPROTO_IPV6;
}

static void put_ip4(struct build *b, const struct in_addr *src, const struct in_addr *dst, uint8_t hops)
{
	uint8_t *p = front(b, 20);

	memset(p, 0, 20);
	p[0] = 0x45;
	put16(p + 2, length(b));
	p[6] = 0x40; /* don't fragment */
	p[8] = hops;
	p[9] = b->next;
	memcpy(p + 12, src, 4);
	memcpy(p + 16, dst, 4);
	put16(p + 10, fold(sum(0, p, 20)));
	b->next = IPPROTO_IPIP;
}

static void put_eth(struct build *b, const uint8_t *dst, const uint8_t *src)
{
	uint8_t *p = front(b, ETH_HLEN);

	memcpy(p, dst, ETH_ALEN);
	memcpy(p + ETH_ALEN, src, ETH_ALEN);
	put16(p + 2 * ETH_ALEN, b->next == IPPROTO_IPIP ? ETH_P_IP : ETH_P_IPV6);
	b->next = IPPROTO_ETHERNET;
}

/* segs in path order, n_list of them written, the last first: so they lie on the wire. */
static void put_srh(struct build *b, const struct in6_addr *segs, uint32_t n_list, uint32_t left)
{
	uint8_t *p = front(b, 8 + 16 * (size_t)n_list);
	uint32_t i;

	if (b->over)
		return;
	p[0] = b->next;
	p[1] = (uint8_t)(2 * n_list);
	p[2] = 4; /* segment routing */
	p[3] = (uint8_t)left;
	p[4] = (uint8_t)(n_list - 1);
	memset(p + 5, 0, 3);
	for (i = 0; i < n_list; i++)
		memcpy(p + 8 + 16 * (size_t)i, &segs[n_list - 1 - i], 16);
	b->next = IPPROTO_ROUTING;
}

/* A short GTP-U header, TEID 0x123. */
static void put_gtp(struct build *b)
{
	uint32_t payload = length(b);
	uint8_t *p = front(b, 8);

	p[0] = 0x30;
	p[1] = 0xff;
	put16(p + 2, payload);
	put16(p + 4, 0);
	put16(p + 6, 0x123);
}

/* ---- from a shape */

/* Where a session is written into the SID: the same for all mobile behaviors. */
static struct in6_addr mobile_sid(void)
{
	const struct srv6_session session = { .id = 0x123, .qfi = 5 };
	const struct in_addr dst = perf_in4(ADDR4_DST);
	struct srv6_prefix locator = { .family = AF_INET6, .len = 32, .addr.in6 = perf_in6(ADDR_MOBILE) };
	struct in6_addr sid = locator.addr.in6;

	srv6_gtp4_sid_put(&sid, &locator, &dst, 32, &session);
	return sid;
}

uint32_t perf_path(const struct perf_opts *o, uint32_t path, struct in6_addr *segs)
{
	uint32_t n = 0, i, ahead = path == PATH_LAST || path == PATH_MOBILE ? o->segments - 1 : o->segments;

	if (path == PATH_THROUGH)
		segs[n++] = perf_in6(ADDR_SID);
	for (i = 0; i < ahead; i++) {
		segs[n] = perf_in6(ADDR_SEGS);
		segs[n].s6_addr[5] = (uint8_t)i;
		segs[n++].s6_addr[15] = 1;
	}
	if (path == PATH_LAST)
		segs[n++] = perf_in6(ADDR_SID);
	if (path == PATH_MOBILE)
		segs[n++] = mobile_sid();
	return n;
}

static void put_inner(struct build *b, const struct shape *s, const struct perf_opts *o)
{
	struct in6_addr src = perf_in6(ADDR_SRC), dst = perf_in6(ADDR_DST);
	struct in_addr src4 = perf_in4(ADDR4_SRC), dst4 = perf_in4(ADDR4_DST);
	bool ip4 = s->inner == INNER_IP4;
	uint32_t payload = o->size - ETH_HLEN - 8 - (ip4 ? 20 : 40), i;
	uint8_t *p = front(b, payload);

	for (i = 0; i < payload; i++)
		p[i] = (uint8_t)i;
	if (ip4) {
		put_udp(b, 9, &src4, &dst4, sizeof(src4));
		put_ip4(b, &src4, &dst4, s->hops);
		return;
	}
	put_udp(b, 9, &src, &dst, sizeof(src));
	if (s->wrap == WRAP_INSERT) /* its SRH comes between */
		return;
	put_ip6(b, &src, &dst, s->hops);
	if (s->inner == INNER_ETHER)
		put_eth(b, mac_in, mac_gen);
}

/* H.Insert: the destination becomes the last segment, and the first segment the destination. */
static void put_insert(struct build *b, const struct shape *s, struct in6_addr *segs, uint32_t n)
{
	struct in6_addr src = perf_in6(ADDR_SRC);

	segs[n] = perf_in6(ADDR_DST);
	put_srh(b, segs, n + 1, n);
	put_ip6(b, &src, &segs[0], s->wrap_hops);
}

static void put_encaps(struct build *b, const struct shape *s, struct in6_addr *segs, uint32_t n,
		       const struct in6_addr *src)
{
	uint32_t left = s->left ? n - s->left : 0, skip = s->wrap == WRAP_RED;

	if (n > skip)
		put_srh(b, segs + skip, n - skip, left);
	put_ip6(b, src, &segs[n - 1 - left], s->wrap_hops);
}

static void put_gtp_wrap(struct build *b, const struct shape *s, const struct in6_addr *src)
{
	struct in_addr src4 = perf_in4(ADDR4_SRC), dst4 = perf_in4(ADDR4_DST);
	struct in6_addr dst = mobile_sid();

	put_gtp(b);
	if (s->wrap == WRAP_GTP4) {
		put_udp(b, 2152, &src4, &dst4, sizeof(src4));
		put_ip4(b, &src4, &dst4, s->wrap_hops);
		return;
	}
	put_udp(b, 2152, src, &dst, sizeof(dst));
	put_ip6(b, src, &dst, s->wrap_hops);
}

static void put_wrap(struct build *b, const struct shape *s, const struct perf_opts *o, const struct in6_addr *src)
{
	struct in6_addr segs[PERF_SEGS_MAX + 2];
	uint32_t n = perf_path(o, s->path, segs);

	switch (s->wrap) {
	case WRAP_INSERT:
		put_insert(b, s, segs, n);
		break;
	case WRAP_ENCAPS:
	case WRAP_RED:
		put_encaps(b, s, segs, n, src);
		break;
	case WRAP_MAP:
		put_ip6(b, src, &segs[0], s->wrap_hops);
		break;
	case WRAP_GTP4:
	case WRAP_GTP6:
		put_gtp_wrap(b, s, src);
		break;
	default:
		break;
	}
}

int frame_build(struct frame *f, const struct shape *s, const struct perf_opts *o, const struct in6_addr *src,
		bool to_far)
{
	static const uint8_t mac_other[ETH_ALEN] = { 2, 0, 0, 0, 0, 9 };
	struct build b = { .at = sizeof(b.data), .next = IPPROTO_NONE };
	bool bare = s->inner == INNER_ETHER && s->wrap == WRAP_NONE; /* End.DX2 hands out the frame as it is */

	put_inner(&b, s, o);
	put_wrap(&b, s, o, src);
	if (!bare && to_far)
		put_eth(&b, mac_far, mac_out);
	else if (!bare)
		put_eth(&b, s->inner == INNER_OTHERHOST ? mac_other : mac_in, mac_gen);
	if (b.over || length(&b) > sizeof(f->data))
		return -EMSGSIZE;
	f->len = length(&b);
	memcpy(f->data, b.data + b.at, f->len);
	f->head = f->len - (o->size - ETH_HLEN - (s->inner == INNER_IP4 ? 28 : 48));
	return 0;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the fuzzers share. Each file fuzz_*.c defines LLVMFuzzerTestOneInput; with libFuzzer it is a fuzzer, with replay.c
 * an ordinary test of the inputs that are kept.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/netlink.h>
#include <libsrv6/libsrv6.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must hold whatever the input. */
#define MUST(cond)                                                                                                     \
	do {                                                                                                           \
		if (!(cond)) {                                                                                         \
			fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #cond);                      \
			abort();                                                                                       \
		}                                                                                                      \
	} while (0)

/* srv6_diff's answer; where it is 1, the attribute that differs is told. */
static inline bool same_op(const struct srv6_op *want, const struct srv6_op *have, uint32_t flags)
{
	uint32_t attr = SRV6_ATTR_NONE;

	if (!srv6_diff(want, have, flags, &attr))
		return true;
	fprintf(stderr, "attribute %u differs: %s\n", attr, srv6_attr_info(attr) ? srv6_attr_info(attr)->word : "?");
	return false;
}

static inline bool same_encap(const struct srv6_encap *want, const struct srv6_encap *have, uint32_t flags)
{
	uint32_t attr = SRV6_ATTR_NONE;

	if (!srv6_diff_encap(want, have, flags, &attr))
		return true;
	fprintf(stderr, "attribute %u differs: %s\n", attr, srv6_attr_info(attr) ? srv6_attr_info(attr)->word : "?");
	return false;
}

/* ---- bytes as a source of choices; at its end all are 0 */

struct input {
	const uint8_t *p;
	size_t n;
};

static inline void in_bytes(struct input *in, void *to, size_t n)
{
	size_t have = in->n < n ? in->n : n;

	memset(to, 0, n);
	if (have)
		memcpy(to, in->p, have);
	in->p += have;
	in->n -= have;
}

static inline uint8_t in_u8(struct input *in)
{
	uint8_t v;

	in_bytes(in, &v, sizeof(v));
	return v;
}

static inline uint16_t in_u16(struct input *in)
{
	uint16_t v;

	in_bytes(in, &v, sizeof(v));
	return v;
}

static inline uint32_t in_u32(struct input *in)
{
	uint32_t v;

	in_bytes(in, &v, sizeof(v));
	return v;
}

static inline uint64_t in_u64(struct input *in)
{
	uint64_t v;

	in_bytes(in, &v, sizeof(v));
	return v;
}

/* For whoever looks at a find. */
static inline void show(const struct nlmsghdr *nlh)
{
	for (uint32_t i = 0; i < nlh->nlmsg_len; i++)
		fprintf(stderr, "%02x", ((const uint8_t *)nlh)[i]);
	fprintf(stderr, "\n");
}

/* A block of exactly n bytes on the heap, so that a read beyond it is seen. */
static inline void *exact(const void *data, size_t n)
{
	void *p = malloc(n ? n : 1);

	MUST(p);
	if (n && data)
		memcpy(p, data, n);
	return p;
}

/* Reads nlh into a block of just the size that srv6_read_size asks for; *mem is the caller's to free. */
static inline int read_exact(const struct nlmsghdr *nlh, void **mem, struct srv6_op *ret)
{
	size_t cap = srv6_read_size(nlh);

	*mem = exact(NULL, cap);
	memset(*mem, 0xa5, cap);
	return srv6_read(nlh, *mem, cap, ret);
}

/* ---- fill.c: ops made of such choices */

struct fill {
	struct input in;
	void *blocks[4096];
	size_t n_blocks;
	bool plausible; /* what is required is there, values are in their ranges, as far as that is easily said */
	bool odd;       /* holds bytes as unknown that may be known: need not be read back the same */
};

void fill_start(struct fill *f, const uint8_t *data, size_t size);
void fill_op(struct fill *f, struct srv6_op *ret);
struct srv6_encap *fill_encap(struct fill *f);
void fill_free(struct fill *f);

#endif

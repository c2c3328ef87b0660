/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

struct block {
	struct block *next;
	size_t used, cap;
	max_align_t data[];
};

#define BLOCK 8192

static void out_of_memory(void)
{
	fputs("srv6: out of memory\n", stderr);
	exit(REFUSED);
}

static struct block *spare(struct arena *a, size_t size)
{
	struct block *b = a->spare;

	if (!b || b->cap < size)
		return NULL;
	a->spare = b->next;
	memset(b->data, 0, b->used);
	b->used = 0;
	return b;
}

static struct block *grow(struct arena *a, size_t size)
{
	size_t cap = size > BLOCK ? size : BLOCK;
	struct block *b = spare(a, size);

	if (!b)
		b = calloc(1, sizeof(*b) + cap);
	if (!b)
		out_of_memory();
	if (!b->cap)
		b->cap = cap;
	b->next = a->blocks;
	a->blocks = b;
	return b;
}

void *take(struct arena *a, size_t size)
{
	struct block *b = a->blocks;
	void *ret;

	if (size > SIZE_MAX / 2)
		out_of_memory();
	size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
	if (!b || b->cap - b->used < size)
		b = grow(a, size);
	ret = (char *)b->data + b->used;
	b->used += size;
	return ret;
}

char *take_text(struct arena *a, const char *s, size_t len)
{
	char *ret = take(a, len + 1);

	memcpy(ret, s, len);
	return ret;
}

char *take_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *ret;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (len < 0)
		out_of_memory();
	ret = take(a, (size_t)len + 1);
	va_start(ap, fmt);
	vsnprintf(ret, (size_t)len + 1, fmt, ap);
	va_end(ap);
	return ret;
}

void arena_wipe(struct arena *a)
{
	for (struct block *b = a->blocks; b; b = b->next)
		explicit_bzero(b->data, b->used);
}

static void free_blocks(struct block *b)
{
	struct block *next;

	for (; b; b = next) {
		next = b->next;
		free(b);
	}
}

void arena_free(struct arena *a)
{
	free_blocks(a->blocks);
	free_blocks(a->spare);
	*a = (struct arena){ 0 };
}

void arena_reset(struct arena *a)
{
	struct block *b, *next;

	for (b = a->blocks; b; b = next) {
		next = b->next;
		if (b->cap > BLOCK) {
			free(b);
			continue;
		}
		b->next = a->spare;
		a->spare = b;
	}
	a->blocks = NULL;
}

void sort_rows(void *rows, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	if (n)
		qsort(rows, n, size, compare);
}

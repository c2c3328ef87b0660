/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SRV6_CLI_LINES_H
#define SRV6_CLI_LINES_H

#include <stdlib.h>

#include "cli.h"

struct lines {
	FILE *in;
	const char *file;
	unsigned int line, next; /* of text: where it starts; the last one read */
	char *text;              /* without its end, continuations joined */
	size_t len, cap;
};

/* "-": standard input. Errors are described, at that word of w. */
int lines_open(struct ctx *c, struct lines *l, const char *file, const struct words *w, uint32_t word);
/* 1: a line; 0: no more; negative, described: not text, too long, not readable. */
int lines_next(struct ctx *c, struct lines *l);
void lines_close(struct lines *l);

#endif

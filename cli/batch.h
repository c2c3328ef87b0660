/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SRV6_CLI_BATCH_H
#define SRV6_CLI_BATCH_H

#include "cli.h"

struct lines;

#define BATCH_KEEP_GOING 0x1u
#define BATCH_ATOMIC     0x2u
#define BATCH_KEEP_EQUAL 0x4u /* what is so already is left alone */

/* Runs the lines of in. Returns a status; has complained and told the sum. */
int batch_lines(struct ctx *c, struct lines *in, uint32_t flags);

#endif

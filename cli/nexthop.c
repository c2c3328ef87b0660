/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "cli.h"

static int show(struct ctx *c, struct words *w, const struct command *cmd)
{
	struct filter f = { .route.sz = sizeof(f.route) };
	int status = DONE, err;

	(void)cmd;
	if (words_peek(w)) {
		words_take(w, "id");
		if (words_number(c, w, "the number of a nexthop object", 1, UINT32_MAX, &f.route.nhid) ||
		    words_end(c, w))
			return complain(c, USAGE);
		f.route.has |= SRV6_HAS(NHID);
	}
	list_begin(c);
	err = filter_dump(c, &f, SRV6_NEXTHOP, c->stream ? SRV6_DUMP_STREAM : 0, list_cb, c);
	if (err)
		status = complain(c, err == -ESTALE ? PARTIAL : REFUSED);
	return list_end(c, status);
}

#define OBJECT                                                                                                         \
	"id ID { [encap ENCAP] [via ADDR] dev DEV | group ID[,WEIGHT][/ID[,WEIGHT]]... | blackhole } [family F] ..."

const struct command nexthop_commands[] = {
	{ "nexthop", "add", 1, ANY, run_verb, OBJECT, "make a nexthop object, which routes use by its number", 0,
	  CMD_WORDS, NULL },
	{ "nexthop", "replace", 1, ANY, run_verb, OBJECT, "make it, or change it for all routes that use it", 0,
	  CMD_WORDS, NULL },
	{ "nexthop", "del", 1, ANY, run_verb, "id ID", "delete it; the routes that use it go with it", 0, 0, NULL },
	{ "nexthop", "show", 0, 2, show, "[id ID]", "list the nexthop objects", 0, CMD_DEFAULT, NULL },
	{ 0 },
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "cli.h"

static int change(struct ctx *c, struct words *w, const struct command *cmd)
{
	struct srv6_op op;

	if (parse_change_as(c, w, cmd->object, cmd->verb, &c->arena, &op))
		return complain(c, USAGE);
	return apply_ops(c, w, &op, 1);
}

static int print(const struct srv6_op *op, void *arg)
{
	struct ctx *c = arg;

	if (c->json)
		list_op(c, op);
	else if (IN6_IS_ADDR_UNSPECIFIED(&op->u.tunsrc->addr))
		fputs("unset # automatic: for every packet the kernel selects a source among the addresses it has, which is slow\n",
		      c->out);
	else
		list_op(c, op);
	return 0;
}

static int show(struct ctx *c, struct words *w, const struct command *cmd)
{
	struct filter f = { 0 };
	int status = DONE, err;

	(void)w;
	(void)cmd;
	list_begin(c);
	err = filter_dump(c, &f, SRV6_TUNSRC, 0, print, c);
	if (err)
		status = complain(c, err == -ESTALE ? PARTIAL : REFUSED);
	return list_end(c, status);
}

const struct command tunsrc_commands[] = {
	{ "tunsrc", "show", 0, 0, show, "", "the source address of outer headers, where a route has none of its own", 0,
	  CMD_DEFAULT, NULL },
	{ "tunsrc", "set", 1, 2, change, "ADDR6", "set it for this network namespace", 0, 0, NULL },
	{ "tunsrc", "unset", 0, 0, change, "", "let the kernel select one for every packet again", 0, 0, NULL },
	{ 0 },
};

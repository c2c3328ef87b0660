/* SPDX-License-Identifier: GPL-2.0-or-later */
/* srv6 show: all there is, as lines that srv6 batch reads, or as one JSON object. */
#include <errno.h>
#include <string.h>

#include "cli.h"

static const struct part {
	uint32_t kind, flags;
	const char *key;
} parts[] = {
	{ SRV6_TUNSRC, 0, "tunsrc" },
	{ SRV6_HMAC, 0, "hmac" },
	{ SRV6_NEXTHOP, 0, "nexthops" },
	{ SRV6_ROUTE, SRV6_DUMP_ENCAP, "routes" },
};

static int print(const struct srv6_op *op, void *arg)
{
	struct ctx *c = arg;

	if (c->json) {
		list_op(c, op);
		return 0;
	}
	if (op->kind == SRV6_TUNSRC && IN6_IS_ADDR_UNSPECIFIED(&op->u.tunsrc->addr)) {
		fputs("tunsrc unset\n", c->out);
		return 0;
	}
	op_text(c, c->out, op, TEXT_VERB | TEXT_NAMES | (c->stats ? TEXT_STATS : 0));
	putc('\n', c->out);
	return 0;
}

static int show_part(struct ctx *c, struct filter *f, const struct part *part)
{
	int err;

	if (c->json) {
		jw_key(&c->jw, part->key);
		jw_open(&c->jw, '[');
	}
	err = filter_dump(c, f, part->kind, part->flags | (c->stream ? SRV6_DUMP_STREAM : 0), print, c);
	if (c->json)
		jw_close(&c->jw, ']');
	if (err != -EPERM)
		return err ? complain(c, err == -ESTALE ? PARTIAL : REFUSED) : DONE;
	/* the seg6 family is for the initial user namespace alone, routes are not: show what may be seen */
	warn(c, NULL, NO_WORD, "%s is not shown: %s", part->key, c->failure.e.text);
	if (c->json) {
		jw_key(&c->jw, take_printf(&c->arena, "%s_not_permitted", part->key));
		jw_true(&c->jw);
	}
	return DONE;
}

static int show(struct ctx *c, struct words *w, const struct command *cmd)
{
	struct filter f = { .route.sz = sizeof(f.route) };
	int status = DONE, one;

	(void)w;
	(void)cmd;
	f.route.dst.family = (uint8_t)c->family;
	if (c->json) {
		c->jw = (struct jw){ .f = c->out, .pretty = c->pretty };
		jw_open(&c->jw, '{');
	}
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		one = show_part(c, &f, &parts[i]);
		status = one > status ? one : status;
	}
	if (c->json) {
		jw_close(&c->jw, '}');
		putc('\n', c->out);
	}
	return flush_out(c, status);
}

const struct command show_commands[] = {
	{ "show", NULL, 0, 0, show, "", "show the tunnel source, keys, nexthop objects, routes and SIDs", 0, 0, NULL },
	{ 0 },
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* srv6 route and srv6 sid: the same objects, headends and endpoints. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

#define SID 1u /* struct command.arg */

/* ---- show */

static int told(struct ctx *c, int err)
{
	if (!err || err == -EPIPE)
		return DONE;
	return complain(c, err == -ESTALE ? PARTIAL : REFUSED);
}

static int show(struct ctx *c, struct words *w, const struct command *cmd)
{
	struct filter f;
	int status;

	if (filter_parse(c, w, &f))
		return complain(c, USAGE);
	f.sids = cmd->arg == SID;
	list_begin(c);
	status = told(c,
		      filter_dump(c, &f, SRV6_ROUTE, SRV6_DUMP_ENCAP | (c->stream ? SRV6_DUMP_STREAM : 0), list_cb, c));
	return list_end(c, status);
}

/* ---- get */

struct got {
	struct ctx *c;
	struct objects objects;
};

static int print_got(const struct srv6_op *op, void *arg)
{
	struct got *g = arg;
	struct srv6_op whole = *op;
	struct srv6_route room;

	if (g->objects.n)
		whole.u.route = objects_fill(&g->objects, op->u.route, &room);
	return list_cb(&whole, g->c);
}

static int get(struct ctx *c, struct words *w, const struct command *cmd)
{
	struct srv6_route r = SRV6_INIT(struct srv6_route);
	struct srv6_op match = { .verb = SRV6_GET, .kind = SRV6_ROUTE, .u.route = &r };
	struct got g = { .c = c };
	int err = 0;

	(void)cmd;
	words_take(w, "to");
	if (words_prefix(c, w, "an address", c->family, &r.dst))
		return complain(c, USAGE);
	/* a prefix asks for its own entry, an address for the route that it takes */
	if (words_take(w, "exact") || r.dst.len != (r.dst.family == AF_INET ? 32 : 128))
		match.flags |= SRV6_OP_EXACT;
	if (words_end(c, w) || !handle(c))
		return complain(c, USAGE);
	list_begin(c);
	if (objects_needed())
		err = objects_read(c->s, &g.objects);
	if (!err)
		err = srv6_dump(c->s, &match, 0, print_got, &g);
	objects_free(&g.objects);
	if (err)
		fail_lib(c, w, srv6_error(c->s));
	return list_end(c, told(c, err));
}

/* ---- flush */

struct collected {
	struct ctx *c;
	struct srv6_op **copies;
	size_t n, cap;
	size_t gone, left;
	struct srv6_error first;
};

static int collect(const struct srv6_op *op, void *arg)
{
	struct collected *all = arg;
	struct srv6_op **grown, *copy;
	int err;

	if (!op_is_srv6(op))
		return 0;
	if (all->n == all->cap) {
		grown = reallocarray(all->copies, all->cap ? 2 * all->cap : 64, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		all->copies = grown;
		all->cap = all->cap ? 2 * all->cap : 64;
	}
	err = srv6_copy(op, &copy);
	if (err)
		return err;
	copy->verb = SRV6_DEL;
	copy->flags = SRV6_OP_EXACT;
	copy->nlh = NULL;
	all->copies[all->n++] = copy;
	return 0;
}

static void deleted(void *arg, size_t op, const struct srv6_error *err)
{
	struct collected *all = arg;

	(void)op;
	if (!err->code || err->kernel_code == -ESRCH || err->kernel_code == -ENOENT) {
		all->gone++;
		return;
	}
	if (!all->left++)
		all->first = *err;
}

static int delete_all(struct ctx *c, struct collected *all)
{
	struct srv6_apply_opts opts = {
		.sz = sizeof(opts), .flags = SRV6_APPLY_KEEP_GOING, .result = deleted, .arg = all
	};
	struct srv6_op *ops = take(&c->arena, (all->n + 1) * sizeof(*ops));

	for (size_t i = 0; i < all->n; i++)
		ops[i] = *all->copies[i];
	if (c->dry_run || c->hex)
		return apply_ops(c, NULL, ops, all->n);
	if (all->n)
		srv6_apply(c->s, ops, all->n, &opts);
	if (!all->left)
		return DONE;
	fail_lib(c, NULL, &all->first);
	return complain(c, REFUSED);
}

static int count(const struct srv6_op *op, void *arg)
{
	*(size_t *)arg += op_is_srv6(op);
	return 0;
}

static void free_all(struct collected *all)
{
	for (size_t i = 0; i < all->n; i++)
		free(all->copies[i]);
	free(all->copies);
}

static int flush(struct ctx *c, struct words *w, const struct command *cmd)
{
	struct collected all = { .c = c };
	struct filter f;
	size_t left = 0;
	int status;

	if (filter_parse(c, w, &f))
		return complain(c, USAGE);
	if (!f.given) {
		fail(c, w, w->i, -EINVAL, "%s flush: a condition is missing", cmd->object);
		fail_remedy(c, "name a table, a prefix, a device, ...; or, for all of them: srv6 %s flush all",
			    cmd->object);
		return complain(c, USAGE);
	}
	f.sids = cmd->arg == SID;
	status = told(c, filter_dump(c, &f, SRV6_ROUTE, SRV6_DUMP_ENCAP, collect, &all));
	if (status == DONE)
		status = delete_all(c, &all);
	if (status == DONE && !c->dry_run)
		status = told(c, filter_dump(c, &f, SRV6_ROUTE, SRV6_DUMP_ENCAP, count, &left));
	if (status == DONE && left) {
		fail(c, NULL, NO_WORD, -EBUSY, "%zu routes are there again or still, %zu were deleted", left, all.gone);
		status = complain(c, PARTIAL);
	}
	free_all(&all);
	return flush_out(c, status);
}

/* ---- the commands */

#define ROUTE      "[TYPE] PREFIX [encap ENCAP] [via ADDR] [dev DEV] [table TABLE] ..."
#define ENDPOINT   "PREFIX BEHAVIOR [WORDS OF IT] [count] dev DEV [table TABLE] ..."
#define CONDITIONS "[[root|match|exact] PREFIX] [table T] [proto P] [dev D] [behavior B] [segs ADDR6] [nhid N] [type T]"

const struct command route_commands[] = {
	{ "route", "add", 1, ANY, run_verb, ROUTE, "install a route; there must be none of the same identity", 0,
	  CMD_WORDS, NULL },
	{ "route", "replace", 1, ANY, run_verb, ROUTE, "install a route, or put it in the place of the one there is", 0,
	  CMD_WORDS, NULL },
	{ "route", "change", 1, ANY, run_verb, ROUTE, "replace a route that must be there", 0, CMD_WORDS, NULL },
	{ "route", "append", 1, ANY, run_verb, ROUTE,
	  "IPv6: add a hop to a route; IPv4: add a route behind those of its identity", 0, CMD_WORDS, NULL },
	{ "route", "prepend", 1, ANY, run_verb, ROUTE, "IPv4: add a route in front of those of its identity", 0,
	  CMD_WORDS, NULL },
	{ "route", "del", 1, ANY, run_verb, ROUTE,
	  "delete a route; hops and encapsulation, where given, must be its own", 0, CMD_WORDS, NULL },
	{ "route", "get", 1, 3, get, "ADDR | PREFIX", "the route that an address takes, or the entry of a prefix", 0, 0,
	  NULL },
	{ "route", "show", 0, ANY, show, CONDITIONS, "list the routes that have an encapsulation, of all tables", 0,
	  CMD_DEFAULT, NULL },
	{ "route", "flush", 0, ANY, flush, CONDITIONS " | all", "delete routes that have an SRv6 encapsulation", 0, 0,
	  NULL },
	{ 0 },
};

const struct command sid_commands[] = {
	{ "sid", "add", 1, ANY, run_verb, ENDPOINT, "install a SID; there must be none of the same identity", SID,
	  CMD_WORDS, NULL },
	{ "sid", "replace", 1, ANY, run_verb, ENDPOINT, "install a SID, or put it in the place of the one there is",
	  SID, CMD_WORDS, NULL },
	{ "sid", "change", 1, ANY, run_verb, ENDPOINT, "replace a SID that must be there", SID, CMD_WORDS, NULL },
	{ "sid", "append", 1, ANY, run_verb, ENDPOINT, "add a hop to a SID (IPv6)", SID, CMD_WORDS, NULL },
	{ "sid", "prepend", 1, ANY, run_verb, ENDPOINT, "the same, before the others (IPv4)", SID, CMD_WORDS, NULL },
	{ "sid", "del", 1, ANY, run_verb, ENDPOINT, "delete a SID; its behavior, where given, must be its own", SID,
	  CMD_WORDS, NULL },
	{ "sid", "get", 1, 3, get, "ADDR6 | PREFIX", "the SID that an address takes, or the entry of a prefix", SID, 0,
	  NULL },
	{ "sid", "show", 0, ANY, show, CONDITIONS,
	  "list the SIDs: routes that have an endpoint behavior, of all tables", SID, CMD_DEFAULT, NULL },
	{ "sid", "flush", 0, ANY, flush, CONDITIONS " | all", "delete SIDs", SID, 0, NULL },
	{ 0 },
};

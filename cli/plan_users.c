/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of the nexthop objects that apply would prune are in use by what stays: the kernel would take that away as
 * well. */
#include <stdlib.h>
#include <string.h>
#include <linux/rtnetlink.h>

#include "plan.h"

/* An object that is to be deleted, and who uses it. */
struct doomed {
	uint32_t id;
	size_t at;                  /* of its change */
	const struct srv6_op *user; /* the first; NULL: none */
	unsigned long more;
};

struct users {
	struct doomed *doomed;
	const struct item **goes; /* what is there and is deleted, or replaced by a change that counts itself */
	size_t n_doomed, n_goes;
};

static int by_id(const void *a, const void *b)
{
	const struct doomed *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static int by_item(const void *a, const void *b)
{
	const struct item *const *x = a, *const *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void collect(struct users *u, const struct plan *p)
{
	u->doomed = calloc(p->n + 1, sizeof(*u->doomed));
	u->goes = calloc(p->n + 1, sizeof(*u->goes));
	if (!u->doomed || !u->goes)
		abort();
	for (size_t i = 0; i < p->n; i++) {
		const struct change *ch = &p->changes[i];

		if (ch->have)
			u->goes[u->n_goes++] = ch->have;
		if (!ch->want && ch->op.kind == SRV6_NEXTHOP)
			u->doomed[u->n_doomed++] = (struct doomed){ .id = ch->op.u.nexthop->id, .at = i };
	}
	sort_rows(u->doomed, u->n_doomed, sizeof(*u->doomed), by_id);
	sort_rows(u->goes, u->n_goes, sizeof(*u->goes), by_item);
}

static bool stays(const struct users *u, const struct item *item)
{
	return !u->n_goes || !bsearch(&item, u->goes, u->n_goes, sizeof(item), by_item);
}

static void use(struct users *u, uint32_t id, const struct srv6_op *user)
{
	const struct doomed key = { .id = id };
	struct doomed *d = bsearch(&key, u->doomed, u->n_doomed, sizeof(key), by_id);

	if (d && !d->user)
		d->user = user;
	else if (d && d->user != user)
		d->more++;
}

static void use_members(struct users *u, const struct srv6_nexthop *nh, const struct srv6_op *user)
{
	for (uint32_t i = 0; i < nh->n_group; i++)
		use(u, nh->group[i].id, user);
}

static void use_by(struct users *u, const struct srv6_op *op)
{
	if (op->kind == SRV6_NEXTHOP)
		use_members(u, op->u.nexthop, op);
	else if (op->kind == SRV6_ROUTE && op->u.route->has & SRV6_HAS(NHID))
		use(u, op->u.route->nhid, op);
}

static void use_by_list(struct users *u, const struct items *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (stays(u, &l->item[i]))
			use_by(u, &l->item[i].op);
}

static void describe_user(char *text, size_t size, const struct srv6_op *op)
{
	uint8_t protocol = op->kind == SRV6_ROUTE ? op->u.route->protocol : op->u.nexthop->protocol;
	const char *name = protocol_name(protocol, true);
	char dst[ADDR_TEXT + 8], proto[16];

	if (!name) {
		snprintf(proto, sizeof(proto), "%u", protocol);
		name = proto;
	}
	if (op->kind == SRV6_ROUTE) {
		dst[format_prefix(dst, &op->u.route->dst)] = '\0';
		snprintf(text, size, "%s (proto %s)", dst, name);
	} else {
		snprintf(text, size, "nexthop id %u (proto %s)", op->u.nexthop->id, name);
	}
}

static void tell_kept(struct plan *p, const struct doomed *d)
{
	char user[192];

	describe_user(user, sizeof(user), d->user);
	if (d->more)
		warn(p->c, NULL, NO_WORD, "nexthop id %u stays: %s and %lu more use it", d->id, user, d->more);
	else
		warn(p->c, NULL, NO_WORD, "nexthop id %u stays: %s uses it", d->id, user);
}

static void drop_changes(struct plan *p, const struct users *u)
{
	for (size_t i = 0; i < u->n_doomed; i++) {
		if (!u->doomed[i].user)
			continue;
		tell_kept(p, &u->doomed[i]);
		p->changes[u->doomed[i].at].have = NULL; /* neither wanted nor there: no change */
		p->deleted--;
	}
	plan_compact(p);
}

void plan_keep_used(struct plan *p, const struct state *s)
{
	struct users u = { 0 };

	collect(&u, p);
	if (u.n_doomed) {
		use_by_list(&u, &s->routes);
		use_by_list(&u, &s->nexthops);
		for (size_t i = 0; i < p->n; i++)
			if (p->changes[i].want)
				use_by(&u, &p->changes[i].want->op);
		/* a group that stays keeps its members; groups of groups there are none */
		for (size_t i = 0; i < u.n_doomed; i++)
			if (u.doomed[i].user)
				use_members(&u, p->changes[u.doomed[i].at].op.u.nexthop, u.doomed[i].user);
		drop_changes(p, &u);
	}
	free(u.doomed);
	free(u.goes);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What apply is going to change. */
#ifndef SRV6_CLI_PLAN_H
#define SRV6_CLI_PLAN_H

#include "document.h"

struct side {
	struct identity id; /* of a nexthop object: family 0, and its id in metric */
	const struct item *item;
	bool matched;
};

struct side *sides(const struct items *l);                     /* sorted by identity, and as they are listed; free() */
size_t group_end(const struct side *s, size_t from, size_t n); /* behind the last of from's identity */
bool item_equal(const struct item *want, const struct item *have);

/* One change: new, old or both. */
struct change {
	struct srv6_op op;
	const struct item *want, *have; /* NULL: none */
	bool early;
	bool pruned; /* it goes for not being in the document */
};

struct plan {
	struct ctx *c;
	const struct document *d;
	struct change *changes;
	size_t n, cap;
	unsigned long equal, added, changed, deleted, left;
	int status;
};

/* Forgets changes that have neither a new nor an old. */
void plan_compact(struct plan *p);

/*
 * plan_users.c: a nexthop object takes all that use it along. Those that something uses that is not ours, or stays, are not
 * pruned, and a warning says for whose sake.
 */
void plan_keep_used(struct plan *p, const struct state *s);

/*
 * plan_agree.c: whether the documents can be true at once. What they say of an object has to be the same in all that name it;
 * within one, routes may share an identity. Returns 0, or -EINVAL, described.
 */
int documents_agree(struct ctx *c, const struct document *d);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether documents agree, with one another and each with itself. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "plan.h"

/* Of one identity: those of a file stand together, in the order in which the files were read. */
struct group {
	const struct side *s;
	size_t n;
};

static bool file_says(const struct group *g, size_t first, const struct item *what)
{
	for (size_t i = first; i < g->n && g->s[i].item->file == g->s[first].item->file; i++)
		if (item_equal(what, g->s[i].item))
			return true;
	return false;
}

/* The first item of another file that names the object, and does not say this of it. */
static const struct item *contradicted(const struct group *g, const struct item *what)
{
	for (size_t i = 0; i < g->n; i++) {
		const struct item *it = g->s[i].item;

		if (it->file != what->file && (!i || g->s[i - 1].item->file != it->file) && !file_says(g, i, what))
			return it;
	}
	return NULL;
}

static int place(struct ctx *c, const struct item *it, const char *remedy)
{
	c->failure.file = it->file;
	snprintf(c->failure.path, sizeof(c->failure.path), "%s", it->path);
	fail_remedy(c, "%s", remedy);
	return -EINVAL;
}

static int disagree(struct ctx *c, const struct item *one, const struct item *other)
{
	const struct item *first = one < other ? one : other, *later = one < other ? other : one;

	if (one->op.kind == SRV6_NEXTHOP)
		fail(c, NULL, NO_WORD, -EINVAL, "nexthop object %u is another one in %s of %s", one->op.u.nexthop->id,
		     first->path, first->file);
	else
		fail(c, NULL, NO_WORD, -EINVAL,
		     "a route to its destination, in its table and with its metric is another one in %s of %s",
		     first->path, first->file);
	return place(c, later,
		     one->op.kind == SRV6_NEXTHOP
			     ? "keep one of them"
			     : "keep one of them; routes beside one another belong into one document");
}

/* IPv6 makes one route of those with a gateway; an id is one object. */
static bool only_one(const struct item *it)
{
	const struct srv6_route *r = it->op.u.route;

	return it->op.kind == SRV6_NEXTHOP || (r->dst.family == AF_INET6 && r->n_hops && r->hops->has & SRV6_HAS(VIA));
}

static int clash(struct ctx *c, const struct item *one, const struct item *other)
{
	if (one->op.kind == SRV6_NEXTHOP) {
		fail(c, NULL, NO_WORD, -EINVAL,
		     "nexthop object %u is in the document twice, and not the same: in %s too", one->op.u.nexthop->id,
		     one->path);
		return place(c, other, "keep one of them");
	}
	fail(c, NULL, NO_WORD, -EINVAL,
	     "another route, %s, has its destination, table and metric, and a gateway: the kernel makes one "
	     "route of the two",
	     one->path);
	return place(c, other, "write one route with the hops of both");
}

/* What IPv6 has once only among routes of one identity: an object, or a device with an encapsulation. */
static bool same_way(const struct item *x, const struct item *y)
{
	const struct srv6_route *a = x->op.u.route, *b = y->op.u.route;

	if (x->op.kind != SRV6_ROUTE || a->dst.family != AF_INET6 || (a->has ^ b->has) & SRV6_HAS(NHID))
		return false;
	if (a->has & SRV6_HAS(NHID))
		return a->nhid == b->nhid;
	if (a->n_hops != 1 || b->n_hops != 1 || a->hops->ifindex != b->hops->ifindex || only_one(x) || only_one(y))
		return false;
	return !a->hops->encap || !b->hops->encap
		       ? a->hops->encap == b->hops->encap
		       : !srv6_diff_encap(a->hops->encap, b->hops->encap, SRV6_DIFF_EQUAL, NULL);
}

static int twins(struct ctx *c, const struct group *g, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (!same_way(g->s[k].item, g->s[i].item) || item_equal(g->s[k].item, g->s[i].item))
			continue;
		fail(c, NULL, NO_WORD, -EINVAL,
		     "another route, %s, has its destination, table and metric, and leads the same way: the kernel "
		     "takes one of them only",
		     g->s[k].item->path);
		return place(c, g->s[i].item, "keep one of them");
	}
	return 0;
}

static int group_agrees(struct ctx *c, const struct group *g)
{
	const struct item *one = NULL, *other;

	for (size_t i = 0; i < g->n; i++) {
		other = contradicted(g, g->s[i].item);
		if (other)
			return disagree(c, g->s[i].item, other);
		if (twins(c, g, i))
			return -EINVAL;
		if (!only_one(g->s[i].item))
			continue;
		if (one && !item_equal(one, g->s[i].item))
			return clash(c, one, g->s[i].item);
		one = one ? one : g->s[i].item;
	}
	return 0;
}

static int list_agrees(struct ctx *c, const struct items *l)
{
	struct side *s = sides(l);
	size_t end;
	int err = 0;

	for (size_t i = 0; i < l->n && !err; i = end) {
		end = group_end(s, i, l->n);
		if (end > i + 1)
			err = group_agrees(c, &(struct group){ &s[i], end - i });
	}
	free(s);
	return err;
}

static bool key_equal(const struct srv6_hmac *a, const struct srv6_hmac *b)
{
	return a->algo == b->algo && a->secret.len == b->secret.len &&
	       !memcmp(a->secret.data, b->secret.data, a->secret.len);
}

static int keys_agree(struct ctx *c, const struct items *l)
{
	const struct srv6_hmac *a, *b;

	for (size_t i = 0; i < l->n; i++) {
		for (size_t k = 0; k < i; k++) {
			a = l->item[k].op.u.hmac;
			b = l->item[i].op.u.hmac;
			if (a->key_id != b->key_id || key_equal(a, b))
				continue;
			fail(c, NULL, NO_WORD, -EINVAL, "HMAC key %u is another one in %s of %s", a->key_id,
			     l->item[k].path, l->item[k].file);
			return place(c, &l->item[i], "keep one of them");
		}
	}
	return 0;
}

int documents_agree(struct ctx *c, const struct document *d)
{
	int err = keys_agree(c, &d->hmac);

	if (!err)
		err = list_agrees(c, &d->nexthops);
	return err ? err : list_agrees(c, &d->routes);
}

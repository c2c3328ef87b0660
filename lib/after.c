/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is at a key after changes of this run: told from what was there and what the kernel said of each, so that changes which
 * follow each other at one prefix do not each have a whole table listed. What is not certain is not known, and read again.
 */
#include <string.h>

#include "apply.h"

static bool has(const struct nlmsghdr *h, uint16_t type)
{
	return knl_find(h, sizeof(struct rtmsg), type);
}

/* What the kernel makes hops of one IPv6 route of. */
static bool is_way(const struct nlmsghdr *h)
{
	return !raw_nhid(h) && (has(h, RTA_GATEWAY) || has(h, RTA_MULTIPATH));
}

static uint8_t tos_of(const struct nlmsghdr *h)
{
	return ((const struct rtmsg *)((const char *)h + MSG_HEAD))->rtm_tos;
}

/* Among others the kernel sorts, by what it does not say. */
static bool is_one_rank(const struct spot *sp, const struct nlmsghdr *new)
{
	for (const struct held *h = sp->first; h; h = h->next)
		if (raw_metric(&h->nlh) != raw_metric(new) || tos_of(&h->nlh) != tos_of(new))
			return false;
	return true;
}

static bool is_single(const struct spot *sp)
{
	return sp->first && !sp->first->next;
}

static bool replaced(struct spot *sp, const struct nlmsghdr *new)
{
	const struct nlmsghdr *old = sp->first ? &sp->first->nlh : NULL;

	if (old && (!is_single(sp) || !is_one_rank(sp, new)))
		return false;
	if (old && sp->key.family == AF_INET6 && (is_way(old) != is_way(new) || raw_nhid(old) || raw_nhid(new)))
		return false;
	spot_clear(sp);
	return !spot_add(sp, new);
}

/* A hop joins those that are there, and the echo shows all of them; or the route stands behind them, and alone. */
static bool appended6(struct spot *sp, const struct nlmsghdr *new)
{
	const struct held *way = NULL;

	for (const struct held *h = sp->first; h; h = h->next) {
		if (!is_way(&h->nlh))
			continue;
		if (way)
			return false;
		way = h;
	}
	if (!way || !is_way(new))
		return !has(new, RTA_MULTIPATH) && !spot_add(sp, new);
	if (!has(new, RTA_MULTIPATH) || !is_single(sp))
		return false;
	spot_clear(sp);
	return !spot_add(sp, new);
}

static bool appended(struct spot *sp, const struct srv6_op *op, const struct nlmsghdr *new)
{
	if (!sp->first)
		return !spot_add(sp, new);
	if (!is_one_rank(sp, new))
		return false;
	if (sp->key.family == AF_INET6)
		return appended6(sp, new);
	return op->flags & SRV6_OP_PREPEND ? !spot_add_first(sp, new) : !spot_add(sp, new);
}

/* Of several the one that the kernel says it took: of IPv6 hops it takes one after the other. */
static bool deleted(struct spot *sp, const struct nlmsghdr *gone)
{
	const struct held *found = NULL;

	for (const struct held *h = sp->first; h; h = h->next) {
		if (sp->key.family == AF_INET6 && has(&h->nlh, RTA_MULTIPATH))
			return false;
		if (!is_single(sp) && raw_same(&h->nlh, gone) != 1)
			continue;
		if (found)
			return false;
		found = h;
	}
	if (found)
		shot_drop(sp, found);
	return found;
}

static bool changed(struct spot *sp, const struct srv6_op *op, const struct nlmsghdr *new)
{
	if (op->kind == SRV6_NEXTHOP) {
		spot_clear(sp);
		return op->verb == SRV6_DEL || !spot_add(sp, new);
	}
	switch (op->verb) {
	case SRV6_ADD:
		return !sp->first && !spot_add(sp, new);
	case SRV6_REPLACE:
	case SRV6_CHANGE:
		return replaced(sp, new);
	case SRV6_APPEND:
		return appended(sp, op, new);
	default:
		return deleted(sp, new);
	}
}

/* Refused halfway the kernel takes back what it did of them, and not always what it took away for them. */
static bool has_hops(const struct srv6_op *op)
{
	uint32_t n;

	op_hops(op, &n);
	return n > 1;
}

/* The first change at this key: as it was before, if that change was refused; else what the change made of it. */
static struct spot *begin(struct apply *a, const struct key *k, const struct spot *before)
{
	struct spot *sp;

	if (shot_want(&a->now, k))
		return NULL;
	sp = shot_find(&a->now, k);
	sp->known = before->touched <= 1;
	for (const struct held *h = before->first; h && sp->known; h = h->next)
		sp->known = !spot_add(sp, &h->nlh);
	return sp;
}

void after_note(struct apply *a, const struct slot *sl)
{
	const struct spot *before;
	struct spot *sp;
	struct key k;

	if (sl->skipped || a->opts.flags & SRV6_APPLY_DRY_RUN)
		return;
	a->objects_gone |= sl->want->kind == SRV6_NEXTHOP && sl->want->verb == SRV6_DEL;
	if (!a->before.n && !a->now.n)
		return;
	key_of_op(sl->want, &k);
	before = shot_find(&a->before, &k);
	sp = shot_find(&a->now, &k);
	if (!sp && before && before->looks)
		sp = begin(a, &k, before);
	if (!sp || !sp->known || (sl->failed && !has_hops(sl->want)))
		return;
	sp->known = sl->matched && sl->echo && changed(sp, sl->want, sl->echo);
	if (!sp->known)
		spot_clear(sp);
}

bool after_wanted(const struct apply *a, const struct srv6_op *op)
{
	const struct spot *before;
	struct key k;

	if (!a->before.n)
		return false;
	key_of_op(op, &k);
	before = shot_find(&a->before, &k);
	return before && before->looks;
}

/* Routes go with the nexthop object that they use. */
static bool may_be_gone(const struct apply *a, const struct spot *sp)
{
	const struct held *h = a->objects_gone && sp->key.kind == SRV6_ROUTE ? sp->first : NULL;

	while (h && !raw_nhid(&h->nlh))
		h = h->next;
	return h;
}

static struct spot *find_known(const struct apply *a, const struct key *k)
{
	struct spot *sp = shot_find(&a->before, k);

	if (!sp || sp->touched) {
		sp = shot_find(&a->now, k);
		sp = sp && sp->known ? sp : NULL;
	}
	return sp && !may_be_gone(a, sp) ? sp : NULL;
}

/* All that will be asked for and is not known: the list is the same for one and for many. */
static int read_again(struct apply *a, const struct key *k, struct srv6_error *err)
{
	struct shot fresh = { .spots = NULL };
	int r = shot_want(&fresh, k);

	for (size_t i = 0; i < a->before.cap && !r; i++)
		if (a->before.spots[i].looks && !find_known(a, &a->before.spots[i].key))
			r = shot_want(&fresh, &a->before.spots[i].key);
	r = r ? err_set(err, r, SRV6_ATTR_NONE, "out of memory") : shot_take(a->s, &fresh, err);
	for (size_t i = 0; i < fresh.cap && !r; i++) {
		struct spot *from = &fresh.spots[i], *before, *to;

		if (!from->used)
			continue;
		r = shot_want(&a->now, &from->key);
		if (r) {
			err_set(err, r, SRV6_ATTR_NONE, "out of memory");
			break;
		}
		to = shot_find(&a->now, &from->key);
		before = shot_find(&a->before, &from->key);
		spot_clear(to);
		to->first = from->first;
		to->last = from->last;
		to->known = true;
		from->first = from->last = NULL;
		/* Went with an object, perhaps. */
		if (before && !before->touched)
			before->touched = 1;
	}
	shot_free(&fresh);
	if (!r)
		a->objects_gone = false;
	return r;
}

int after_look(struct apply *a, const struct srv6_op *op, struct spot **ret, struct srv6_error *err)
{
	struct key k;
	int r;

	key_of_op(op, &k);
	*ret = find_known(a, &k);
	if (*ret)
		return 0;
	r = read_again(a, &k, err);
	*ret = r ? NULL : shot_find(&a->now, &k);
	return r;
}

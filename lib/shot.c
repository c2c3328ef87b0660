/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is there, taken before a change and put back when it fails. Putting back does not retrace the steps: it looks at what
 * is there now, and changes that into what was there, so it mends what a lost answer or a half-done step left, and says in the
 * end whether it is so.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/nexthop.h>

#include "list.h"

void spot_clear(struct spot *sp)
{
	while (sp->first) {
		struct held *h = sp->first;

		sp->first = h->next;
		free(h);
	}
	sp->last = NULL;
}

static struct held *held_make(const struct nlmsghdr *nlh)
{
	struct held *h = malloc(offsetof(struct held, nlh) + nlh->nlmsg_len);

	if (!h)
		return NULL;
	h->next = NULL;
	memcpy(&h->nlh, nlh, nlh->nlmsg_len);
	return h;
}

int spot_add(struct spot *sp, const struct nlmsghdr *nlh)
{
	struct held *h = held_make(nlh);

	if (!h)
		return -ENOMEM;
	*(sp->last ? &sp->last->next : &sp->first) = h;
	sp->last = h;
	return 0;
}

int spot_add_first(struct spot *sp, const struct nlmsghdr *nlh)
{
	struct held *h = held_make(nlh);

	if (!h)
		return -ENOMEM;
	h->next = sp->first;
	sp->first = h;
	if (!sp->last)
		sp->last = h;
	return 0;
}

void shot_free(struct shot *sh)
{
	for (size_t i = 0; i < sh->cap; i++)
		spot_clear(&sh->spots[i]);
	free(sh->spots);
	memset(sh, 0, sizeof(*sh));
}

static struct spot *spot_at(struct spot *spots, size_t cap, const struct key *k)
{
	size_t i = hash_bytes(k, sizeof(*k)) & (cap - 1);

	while (spots[i].used && memcmp(&spots[i].key, k, sizeof(*k)))
		i = (i + 1) & (cap - 1);
	return &spots[i];
}

void shot_drop(struct spot *sp, const struct held *gone)
{
	struct held *h = sp->first, *before = NULL;

	for (; h && h != gone; h = h->next)
		before = h;
	if (!h)
		return;
	*(before ? &before->next : &sp->first) = h->next;
	if (sp->last == h)
		sp->last = before;
	free(h);
}

static int shot_grow(struct shot *sh)
{
	size_t cap = sh->cap ? sh->cap * 2 : 16;
	struct spot *spots = calloc(cap, sizeof(*spots));

	if (!spots)
		return -ENOMEM;
	for (size_t i = 0; i < sh->cap; i++)
		if (sh->spots[i].used)
			*spot_at(spots, cap, &sh->spots[i].key) = sh->spots[i];
	free(sh->spots);
	sh->spots = spots;
	sh->cap = cap;
	return 0;
}

struct spot *shot_find(const struct shot *sh, const struct key *k)
{
	struct spot *sp = sh->cap ? spot_at(sh->spots, sh->cap, k) : NULL;

	return sp && sp->used ? sp : NULL;
}

int shot_want(struct shot *sh, const struct key *k)
{
	struct spot *sp;
	int r = sh->n * 2 >= sh->cap ? shot_grow(sh) : 0;

	if (r)
		return r;
	sp = spot_at(sh->spots, sh->cap, k);
	if (!sp->used) {
		sp->key = *k;
		sp->used = 1;
		sh->n++;
	}
	return 0;
}

static int shot_hold(const struct nlmsghdr *nlh, void *arg)
{
	struct shot *sh = arg;
	struct spot *sp;
	struct key k;

	if (!key_of_msg(nlh, &k))
		return 0;
	sp = shot_find(sh, &k);
	return sp ? spot_add(sp, nlh) : 0;
}

/* The distinct lists that hold the keys. */
struct place {
	uint32_t kind, table;
	uint8_t family;
};

static int places_of(const struct shot *sh, struct place **ret, size_t *n)
{
	struct place *p = NULL;
	size_t count = 0;

	for (size_t i = 0; i < sh->cap; i++) {
		const struct key *k = &sh->spots[i].key;
		struct place *more;
		size_t j;

		if (!sh->spots[i].used || (k->kind != SRV6_ROUTE && k->kind != SRV6_NEXTHOP))
			continue;
		for (j = 0; j < count; j++)
			if (p[j].kind == k->kind &&
			    (k->kind == SRV6_NEXTHOP || (p[j].table == k->table && p[j].family == k->family)))
				break;
		if (j < count)
			continue;
		more = realloc(p, (count + 1) * sizeof(*p));
		if (!more) {
			free(p);
			return -ENOMEM;
		}
		p = more;
		p[count++] = (struct place){ k->kind, k->table, k->family };
	}
	*ret = p;
	*n = count;
	return 0;
}

static void shot_empty(struct shot *sh)
{
	for (size_t i = 0; i < sh->cap; i++)
		spot_clear(&sh->spots[i]);
}

struct placed {
	struct srv6 *s;
	struct shot *sh;
	const struct place *place;
};

/* An old kernel lists more than it is asked for: what is in another place comes with that one, and not twice. */
static int hold_placed(const struct nlmsghdr *nlh, void *arg)
{
	const struct placed *p = arg;
	struct key k;

	p->s->listed++;
	if (key_of_msg(nlh, &k) && k.kind == SRV6_ROUTE && (k.table != p->place->table || k.family != p->place->family))
		return 0;
	return shot_hold(nlh, p->sh);
}

static int take_once(struct srv6 *s, struct shot *sh, const struct place *p, size_t n, struct ack *ack)
{
	int r = 0;

	shot_empty(sh);
	for (size_t i = 0; i < n && !r; i++) {
		struct route_filter f = { .family = p[i].family, .table = p[i].table };

		struct placed placed = { s, sh, &p[i] };

		r = p[i].kind == SRV6_NEXTHOP ? list_nexthops(s, hold_placed, &placed, ack)
					      : list_routes(s, &f, hold_placed, &placed, ack);
	}
	return r;
}

int shot_take(struct srv6 *s, struct shot *sh, struct srv6_error *err)
{
	struct place *p;
	struct ack ack = { .code = 0 };
	size_t n;
	int r = places_of(sh, &p, &n);

	if (r)
		return err_set(err, r, SRV6_ATTR_NONE, "out of memory");
	r = -ESTALE;
	for (int tries = 0; r == -ESTALE && tries < LIST_TRIES; tries++)
		r = take_once(s, sh, p, n, &ack);
	free(p);
	if (!r)
		return 0;
	if (r == -E2BIG)
		return whole_say(s, err);
	err_set(err, r, SRV6_ATTR_NONE, "what is there now cannot be read%s",
		r == -ESTALE ? " as a whole: the tables change all the time" : "");
	if (err && ack.code) {
		err->kernel_code = ack.code;
		snprintf(err->kernel, sizeof(err->kernel), "%s", ack.text);
	}
	return r;
}

/* ---- what goes with a nexthop object: groups that it is in, routes that use it or them */

struct users {
	struct shot *sh;
};

static bool wants_nexthop(const struct shot *sh, uint32_t id)
{
	struct key k = { .kind = SRV6_NEXTHOP, .table = id };

	return shot_find(sh, &k);
}

static int users_want(struct users *u, const struct key *k)
{
	if (shot_find(u->sh, k))
		return 0;
	return shot_want(u->sh, k);
}

static int users_nexthop(const struct nlmsghdr *nlh, void *arg)
{
	const struct nlattr *a = knl_find(nlh, sizeof(struct nhmsg), NHA_GROUP);
	const struct nexthop_grp *g = a ? knl_data(a) : NULL;
	size_t n = a ? knl_len(a) / sizeof(*g) : 0;
	struct users *u = arg;
	struct key k;

	for (size_t i = 0; i < n; i++)
		if (wants_nexthop(u->sh, g[i].id) && key_of_msg(nlh, &k))
			return users_want(u, &k);
	return 0;
}

static int users_route(const struct nlmsghdr *nlh, void *arg)
{
	uint32_t id = knl_u32(knl_find(nlh, sizeof(struct rtmsg), RTA_NH_ID), 0);
	struct users *u = arg;
	struct key k;

	if (!id || !wants_nexthop(u->sh, id) || !key_of_msg(nlh, &k))
		return 0;
	return users_want(u, &k);
}

int shot_want_users(struct srv6 *s, struct shot *sh, struct srv6_error *err)
{
	static const struct route_filter all[] = { { .family = AF_INET6 }, { .family = AF_INET } };
	struct users u = { sh };
	struct ack ack;
	int r = -ESTALE;

	for (int tries = 0; r == -ESTALE && tries < LIST_TRIES; tries++) {
		r = list_nexthops(s, users_nexthop, &u, &ack);
		for (size_t i = 0; i < ARRAY_SIZE(all) && !r; i++)
			r = list_routes(s, &all[i], users_route, &u, &ack);
	}
	if (r == -E2BIG)
		return whole_say(s, err);
	return r ? err_set(err, r, SRV6_ATTR_NONE, "what uses the nexthop objects cannot be read") : 0;
}

/* ---- putting back */

/* The order of those that share an identity says which one the kernel uses. */
static bool in_order(const struct spot *was, const struct spot *now)
{
	const struct held *a = was->first, *b = now->first;

	while (a && b && raw_same(&a->nlh, &b->nlh) == 1) {
		a = a->next;
		b = b->next;
	}
	return !a && !b;
}

static bool is_single(const struct spot *sp)
{
	return sp->first && !sp->first->next;
}

struct restore {
	struct srv6 *s;
	char *left;
	size_t cap, wrong;
	struct ack ack;
};

/* The kernel keeps the protocol of a group that is replaced (6.18). What uses the group goes with it, and is put back after it. */
static bool keeps_protocol(const struct nlmsghdr *old, const struct nlmsghdr *new)
{
	const struct nhmsg *was = (const void *)((const char *)old + MSG_HEAD);
	const struct nhmsg *is = (const void *)((const char *)new + MSG_HEAD);

	return raw_is_group(old) && raw_is_group(new) && was->nh_protocol != is->nh_protocol;
}

/* One in place of another leaves no moment without a route. */
static bool restore_replace(struct restore *rs, struct spot *was, struct spot *now)
{
	struct held *old = was->first, *new = now->first;

	if (!is_single(was) || !is_single(now))
		return false;
	if (was->key.kind == SRV6_ROUTE && raw_metric(&old->nlh) != raw_metric(&new->nlh))
		return false;
	if (was->key.kind == SRV6_NEXTHOP && keeps_protocol(&old->nlh, &new->nlh))
		return false;
	return !raw_send_add(rs->s, &old->nlh, NLM_F_REPLACE | NLM_F_CREATE, &rs->ack);
}

/* How many at the start are as they were and can stay: none if taking away one behind them could take one of them. */
static void skip_same(struct held **was, struct held **now)
{
	struct held *a = *was, *b = *now, *first = *now;

	while (a && b && raw_same(&a->nlh, &b->nlh) == 1) {
		a = a->next;
		b = b->next;
	}
	for (struct held *gone = b; gone; gone = gone->next)
		for (struct held *stays = first; stays != b; stays = stays->next)
			if (raw_hits(&gone->nlh, &stays->nlh))
				return;
	*was = a;
	*now = b;
}

static void restore_list(struct restore *rs, struct spot *was, struct spot *now)
{
	uint16_t flags = was->key.kind == SRV6_ROUTE ? NLM_F_CREATE | NLM_F_APPEND : NLM_F_CREATE;
	struct held *back = was->first, *away = now->first;

	skip_same(&back, &away);
	for (; away; away = away->next)
		raw_send_delete(rs->s, &away->nlh, &rs->ack);
	for (; back; back = back->next)
		raw_send_add(rs->s, &back->nlh, flags, &rs->ack);
}

static void note_left(struct restore *rs, const struct key *k)
{
	size_t len = strlen(rs->left);
	char text[96];

	rs->wrong++;
	if (len + 1 < rs->cap)
		snprintf(rs->left + len, rs->cap - len, "%s%s", len ? ", " : "", key_describe(k, text, sizeof(text)));
}

/* Objects before the routes that use them, objects before groups of them; what is too much goes in the other order. */
enum step { OBJECTS_BACK, GROUPS_BACK, ROUTES, OBJECTS_AWAY, N_STEPS };

static bool is_step(enum step step, const struct spot *was)
{
	bool group = was->first && raw_is_group(&was->first->nlh);

	switch (step) {
	case OBJECTS_BACK:
		return was->key.kind == SRV6_NEXTHOP && was->first && !group;
	case GROUPS_BACK:
		return was->key.kind == SRV6_NEXTHOP && was->first && group;
	case ROUTES:
		return was->key.kind == SRV6_ROUTE;
	default:
		return was->key.kind == SRV6_NEXTHOP && !was->first;
	}
}

static void restore_spot(struct restore *rs, struct spot *was, struct spot *now)
{
	if (restore_replace(rs, was, now))
		return;
	restore_list(rs, was, now);
}

/* Returns how many keys are not as they were when looked at; mends them where mend is set. */
static size_t restore_round(struct restore *rs, const struct shot *before, struct shot *now, const struct key *only,
			    bool mend)
{
	size_t wrong = 0;

	for (int step = 0; step < N_STEPS; step++) {
		for (size_t i = 0; i < before->cap; i++) {
			struct spot *was = &before->spots[i], *is;

			if (!was->used || !is_step((enum step)step, was) ||
			    (only && memcmp(only, &was->key, sizeof(*only))))
				continue;
			is = shot_find(now, &was->key);
			if (!is)
				continue;
			if (in_order(was, is))
				continue;
			wrong++;
			if (mend)
				restore_spot(rs, was, is);
			else
				note_left(rs, &was->key);
		}
	}
	return wrong;
}

#define RESTORE_ROUNDS 3

int shot_restore(struct srv6 *s, const struct shot *before, const struct key *only, char *left, size_t cap)
{
	struct restore rs = { .s = s, .left = left, .cap = cap };
	struct shot now = { .spots = NULL };
	bool hidden = false;
	int r = 0;

	left[0] = 0;
	for (size_t i = 0; i < before->cap && !r; i++)
		if (before->spots[i].used && (!only || !memcmp(only, &before->spots[i].key, sizeof(*only))))
			r = shot_want(&now, &before->spots[i].key);
	for (int round = 0; !r && round <= RESTORE_ROUNDS; round++) {
		r = shot_take(s, &now, NULL);
		if (r == -ESTALE && s->whole.times) { /* what is listed can be put back; not that it is all */
			hidden = true;
			r = 0;
		}
		if (r || !restore_round(&rs, before, &now, only, round < RESTORE_ROUNDS))
			break;
	}
	shot_free(&now);
	if (!r && hidden && !left[0])
		snprintf(left, cap, "perhaps what the kernel does not list");
	return r ? r : rs.wrong || hidden ? -EIO : 0;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <linux/nexthop.h>

#include "list.h"

/* ---- changes of a table that is being listed */

struct watch {
	const struct route_filter *filter;
	bool any;        /* anywhere */
	struct key edge; /* IPv4: where the last datagram ended */
};

/*
 * An IPv6 list goes on by counting what it has listed: any change before that point moves it. An IPv4 list goes on by the
 * prefix, and only routes to the very prefix that a datagram ended at are counted.
 */
static bool watch_is_stale(void *arg, const struct nlmsghdr *nlh, bool ours)
{
	struct watch *w = arg;
	struct key k;

	if ((nlh->nlmsg_type != RTM_NEWROUTE && nlh->nlmsg_type != RTM_DELROUTE) || !key_of_msg(nlh, &k) ||
	    k.family != w->filter->family)
		return false;
	if (ours) {
		w->edge = k;
		return false;
	}
	w->any = true;
	if (w->filter->table && w->filter->table != k.table)
		return false;
	return k.family == AF_INET6 || !memcmp(&k, &w->edge, sizeof(k));
}

static int membership(const struct sock *k, int option, int group)
{
	if (k->pid && setsockopt(k->fd, SOL_NETLINK, option, &group, sizeof(group)) < 0)
		return -errno;
	return 0;
}

static bool is_absent_table(int code, const struct ack *ack)
{
	return code == -ENOENT && (!*ack->text || strstr(ack->text, "table does not exist"));
}

struct route_request {
	struct nlmsghdr nlh;
	struct rtmsg rtm;
	uint32_t room[4];
};

static void put_u32(struct route_request *req, uint16_t type, uint32_t value)
{
	struct nlattr *a = (void *)((char *)req + req->nlh.nlmsg_len);

	a->nla_type = type;
	a->nla_len = (uint16_t)(ATTR_HEAD + sizeof(value));
	memcpy((char *)a + ATTR_HEAD, &value, sizeof(value));
	req->nlh.nlmsg_len += (uint32_t)(ATTR_HEAD + sizeof(value));
}

struct counting {
	knl_cb cb; /* NULL: counted, that is all */
	void *arg;
	struct counted n;
};

static int list_watched(struct srv6 *s, const struct route_filter *f, knl_cb cb, void *arg, struct ack *ack,
			struct counted *c)
{
	int group = f->family == AF_INET6 ? RTNLGRP_IPV6_ROUTE : RTNLGRP_IPV4_ROUTE, r;
	struct route_request req = {
		.nlh = { .nlmsg_len = MSG_LEN(sizeof(req.rtm)), .nlmsg_type = RTM_GETROUTE },
		.rtm = { .rtm_family = f->family, .rtm_protocol = f->protocol, .rtm_type = f->type },
	};
	struct watch w = { .filter = f };

	memset(ack, 0, sizeof(*ack));
	if (f->table)
		put_u32(&req, RTA_TABLE, f->table);
	if (f->oif)
		put_u32(&req, RTA_OIF, f->oif);
	/* Who cannot watch cannot say that the list is whole. */
	r = membership(&s->route, NETLINK_ADD_MEMBERSHIP, group);
	if (r)
		return r;
	if (c)
		c->there = whole_entries(s);
	s->watch = watch_is_stale;
	s->watch_arg = &w;
	r = knl_list(s, &s->route, &req.nlh, cb, arg, ack);
	s->watch = NULL;
	/* Changes of that time are in the queue now, if there were any: then the other witnesses say nothing. */
	if (s->route.pid && knl_drain(s, &s->route))
		w.any = true;
	if (c && !r && !w.any)
		whole_look(s, c);
	if (s->route.pid && knl_drain(s, &s->route))
		w.any = true;
	membership(&s->route, NETLINK_DROP_MEMBERSHIP, group);
	if (s->route.pid)
		knl_drain(s, &s->route);
	if (c)
		c->quiet &= !w.any;
	return is_absent_table(r, ack) ? 0 : r;
}

static int count_cb(const struct nlmsghdr *nlh, void *arg)
{
	struct counting *c = arg;

	c->n.listed += whole_count(nlh);
	return c->cb ? c->cb(nlh, c->arg) : 0;
}

/*
 * What ends a list early cannot be seen in a part of it: unless it is known that at this number of routes all are listed, all
 * are asked for too, and counted. Where something changes meanwhile that says nothing, and the list is what it is.
 */
int list_routes(struct srv6 *s, const struct route_filter *f, knl_cb cb, void *arg, struct ack *ack)
{
	struct route_filter all = { .family = f->family };
	bool part = f->table || f->protocol || f->type || f->oif;
	struct counting c = { part ? NULL : cb, arg, { 0 } };
	int64_t there = f->family == AF_INET6 ? whole_entries(s) : -1;
	struct ack ignored;
	int r;

	if (there < 0 || part) {
		r = list_watched(s, f, cb, arg, ack, NULL);
		if (r || there < 0 || there == s->whole.at)
			return r;
	}
	r = list_watched(s, &all, count_cb, &c, part ? &ignored : ack, &c.n);
	if (r)
		return part && r == -ESTALE ? 0 : r;
	return c.n.quiet ? whole_check(s, &c.n) : 0;
}

int list_nexthops(struct srv6 *s, knl_cb cb, void *arg, struct ack *ack)
{
	struct {
		struct nlmsghdr nlh;
		struct nhmsg nhm;
	} req = { .nlh = { .nlmsg_len = sizeof(req), .nlmsg_type = RTM_GETNEXTHOP } };
	int r = knl_list(s, &s->route, &req.nlh, cb, arg, ack);

	/* A kernel before 5.3, which has none. */
	return r == -EOPNOTSUPP ? 0 : r;
}

/* ---- piles */

#define BLOCK_BYTES 262144

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

struct block {
	struct block *next;
	size_t used, cap;
	uint8_t data[];
};

/*
 * All its pages at once (Linux 5.14, no matter if not): one by one, when each is first written, they cost a multiple of that,
 * and on a virtual machine within another 14 us each, which is more than the routes on them.
 */
static void fault_in(struct block *b)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t from = ((uintptr_t)b + page - 1) & ~(page - 1), to = ((uintptr_t)b->data + b->cap) & ~(page - 1);

	if (to > from)
		madvise((void *)from, to - from, MADV_POPULATE_WRITE);
}

/* Larger and larger ones: most lists are short. */
static struct block *block_more(struct pile *p, size_t need)
{
	size_t cap = !p->last ? BLOCK_BYTES / 64 : p->last->cap * 4;
	struct block *b;

	cap = cap > BLOCK_BYTES ? BLOCK_BYTES : cap;
	cap = cap > need ? cap : need;
	b = malloc(sizeof(*b) + cap);
	if (!b)
		return NULL;
	*b = (struct block){ .cap = cap };
	fault_in(b);
	if (p->last)
		p->last->next = b;
	else
		p->first = b;
	p->last = b;
	return b;
}

int pile_add(struct pile *p, const struct nlmsghdr *nlh)
{
	size_t need = NLMSG_ALIGN(nlh->nlmsg_len);
	struct block *b = p->last;

	if (!b || b->cap - b->used < need) {
		b = block_more(p, need);
		if (!b)
			return -ENOMEM;
	}
	memcpy(b->data + b->used, nlh, nlh->nlmsg_len);
	b->used += need;
	p->n++;
	return 0;
}

void pile_free(struct pile *p)
{
	while (p->first) {
		struct block *b = p->first;

		p->first = b->next;
		free(b);
	}
	p->last = NULL;
	p->n = 0;
}

const struct nlmsghdr *pile_next(const struct pile *p, const struct nlmsghdr *prev, struct block **at)
{
	const uint8_t *next;

	if (!prev) {
		*at = p->first;
		return p->first ? (const void *)p->first->data : NULL;
	}
	next = (const uint8_t *)prev + NLMSG_ALIGN(prev->nlmsg_len);
	if (next < (*at)->data + (*at)->used)
		return (const void *)next;
	*at = (*at)->next;
	return *at ? (const void *)(*at)->data : NULL;
}

/* ---- ids, sorted */

static size_t id_place(const struct id_set *set, uint32_t id)
{
	size_t low = 0, high = set->n;

	/* The kernel lists them in order. */
	if (high && set->ids[high - 1] < id)
		return high;
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (set->ids[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool id_set_has(const struct id_set *set, uint32_t id)
{
	size_t at = id_place(set, id);

	return at < set->n && set->ids[at] == id;
}

int id_set_add(struct id_set *set, uint32_t id)
{
	size_t at = id_place(set, id);

	if (at < set->n && set->ids[at] == id)
		return 0;
	if (set->n == set->cap) {
		size_t cap = set->cap ? set->cap * 2 : 64;
		uint32_t *ids = realloc(set->ids, cap * sizeof(*ids));

		if (!ids)
			return -ENOMEM;
		set->ids = ids;
		set->cap = cap;
	}
	memmove(&set->ids[at + 1], &set->ids[at], (set->n - at) * sizeof(*set->ids));
	set->ids[at] = id;
	set->n++;
	return 0;
}

void id_set_free(struct id_set *set)
{
	free(set->ids);
	memset(set, 0, sizeof(*set));
}

/* ---- encapsulations, seen from the bytes */

static bool hops_have_encap(const struct nlattr *multipath)
{
	const uint8_t *p = knl_data(multipath);
	size_t len = knl_len(multipath);

	while (len >= sizeof(struct rtnexthop)) {
		const struct rtnexthop *h = (const void *)p;
		size_t step = ATTR_ALIGN(h->rtnh_len);

		if (h->rtnh_len < sizeof(*h) || h->rtnh_len > len)
			return false;
		if (knl_find_in(p + sizeof(*h), h->rtnh_len - sizeof(*h), RTA_ENCAP))
			return true;
		if (step >= len)
			return false;
		p += step;
		len -= step;
	}
	return false;
}

static bool group_has_encap(const struct nlattr *group, const struct id_set *objects)
{
	const struct nexthop_grp *g = knl_data(group);

	for (size_t i = 0; i < knl_len(group) / sizeof(*g); i++)
		if (id_set_has(objects, g[i].id))
			return true;
	return false;
}

static bool route_has_encap(const struct nlmsghdr *nlh, const struct id_set *objects)
{
	size_t head = MSG_LEN(sizeof(struct rtmsg)), left;
	const struct nlattr *a;

	if (nlh->nlmsg_len <= head)
		return false;
	left = nlh->nlmsg_len - head;
	a = (const void *)((const char *)nlh + head);
	while (left >= ATTR_HEAD && a->nla_len >= ATTR_HEAD && a->nla_len <= left) {
		size_t step = ATTR_ALIGN(a->nla_len);

		switch (knl_type(a)) {
		case RTA_ENCAP:
			return true;
		case RTA_MULTIPATH:
			if (hops_have_encap(a))
				return true;
			break;
		case RTA_NH_ID:
			if (objects && id_set_has(objects, knl_u32(a, 0)))
				return true;
			break;
		}
		if (step >= left)
			break;
		left -= step;
		a = (const void *)((const char *)a + step);
	}
	return false;
}

bool msg_has_encap(const struct nlmsghdr *nlh, const struct id_set *objects)
{
	const struct nlattr *group;

	if (nlh->nlmsg_type == RTM_NEWROUTE || nlh->nlmsg_type == RTM_DELROUTE)
		return route_has_encap(nlh, objects);
	if (knl_find(nlh, sizeof(struct nhmsg), NHA_ENCAP))
		return true;
	group = knl_find(nlh, sizeof(struct nhmsg), NHA_GROUP);
	return group && objects && group_has_encap(group, objects);
}

static int encap_object_cb(const struct nlmsghdr *nlh, void *arg)
{
	struct id_set *set = arg;

	if (nlh->nlmsg_type != RTM_NEWNEXTHOP || !msg_has_encap(nlh, set))
		return 0;
	return id_set_add(set, knl_u32(knl_find(nlh, sizeof(struct nhmsg), NHA_ID), 0));
}

int list_encap_objects(struct srv6 *s, struct id_set *set, struct ack *ack)
{
	size_t before;
	int r;

	/* A group may come before its members: once more while it grows. Groups of groups there are none. */
	do {
		before = set->n;
		r = list_nexthops(s, encap_object_cb, set, ack);
	} while (!r && !before && set->n);
	return r;
}

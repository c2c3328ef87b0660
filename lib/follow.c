/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events. The kernel's do not add up to its state: they get lost, what a link or a nexthop object takes away is not always said, and
 * one of several hops that goes is told as if it were the route. So all that has been reported is kept (shadow.c): an event that
 * plainly changes one object is reported as it comes, anything else has the kernel's list compared with it. Whatever goes
 * wrong, comparing once more mends it, and each object is changed in the shadow before it is reported.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/nexthop.h>
#include <linux/sockios.h>

#include "shadow.h"

#define HAS_CARRIER  0x10000u /* IFF_LOWER_UP, of a header that does not go with net/if.h */
#define VECTOR       64
#define VECTOR_BYTES 8192
#define ROUNDS       256 /* of VECTOR events in one call: others want their turn too */

struct follow {
	struct srv6 *s;
	uint32_t kinds;
	struct sock events;
	int poll_fd, wake_fd; /* wake_fd is readable while there is something to do without an event */
	uint8_t *rx;
	struct shadow shadow;
	struct id_set objects; /* that have encapsulations */
	struct shot dirty;     /* keys to be compared */
	struct shot crowded;   /* keys with routes of one rank, some without an encapsulation: those are not kept */
	bool whole;            /* or all of them */
	bool inferred;         /* since something may have gone without a word */
	bool announce;         /* SRV6_SYNCED is due */
	bool lost;             /* SRV6_LOST was told since the last of these */
	bool inside;
	bool stopped; /* by cb: what comes back is its own */
	struct reader reader;
	srv6_cb cb;
	void *arg;
	bool tunsrc_known;
	struct in6_addr tunsrc;
	struct sr_key *keys;
	size_t n_keys;
};

void follow_free(struct follow *f)
{
	if (!f)
		return;
	sock_close(&f->events);
	if (f->poll_fd >= 0)
		close(f->poll_fd);
	if (f->wake_fd >= 0)
		close(f->wake_fd);
	shadow_free(&f->shadow);
	shot_free(&f->dirty);
	shot_free(&f->crowded);
	id_set_free(&f->objects);
	reader_free(&f->reader);
	sr_keys_free(f->keys, f->n_keys);
	free(f->rx);
	free(f);
}

/* ---- reporting: what cb is told is in the shadow already, so that stopping here loses nothing but time */

static int report(struct follow *f, const struct srv6_op *op)
{
	int r = f->cb(op, f->arg);

	if (r)
		f->whole = f->stopped = true; /* what has not been looked at yet is found by comparison */
	return r;
}

static int report_bare(struct follow *f, uint32_t verb)
{
	struct srv6_op op = { .verb = verb };

	return report(f, &op);
}

static int report_msg(struct follow *f, const struct nlmsghdr *nlh, uint32_t verb, uint32_t flags)
{
	int r;

	if (!(f->kinds & (nlh->nlmsg_type == RTM_NEWROUTE || nlh->nlmsg_type == RTM_DELROUTE ? SRV6_KIND(ROUTE)
											     : SRV6_KIND(NEXTHOP))))
		return 0;
	r = reader_read(&f->reader, nlh);
	if (r)
		return r == -EBADMSG ? 0 : r;
	f->reader.op.verb = verb;
	f->reader.op.flags = flags;
	return report(f, &f->reader.op);
}

static int report_link(struct follow *f, const struct link_entry *l, uint32_t verb, uint32_t flags)
{
	struct srv6_link link = SRV6_INIT(struct srv6_link);
	struct srv6_op op = { .verb = verb, .kind = SRV6_LINK, .flags = flags, .u.link = &link };

	if (!(f->kinds & SRV6_KIND(LINK)))
		return 0;
	link.ifindex = l->ifindex;
	link.flags = l->flags;
	link.name = l->name;
	return report(f, &op);
}

/* ---- the shadow changes */

static int entry_new(struct follow *f, const struct key *k, const struct nlmsghdr *nlh, uint32_t flags)
{
	struct entry *e;
	int r = shadow_add(&f->shadow, k, nlh, &e);

	return r ? r : report_msg(f, nlh, SRV6_IS, flags);
}

static int entry_replaced(struct follow *f, struct entry *old, const struct nlmsghdr *nlh, uint32_t flags)
{
	struct entry *e;
	struct key k = old->key;
	int r = shadow_add(&f->shadow, &k, nlh, &e);

	if (r)
		return r;
	shadow_take(&f->shadow, old);
	free(old);
	return report_msg(f, nlh, SRV6_IS, flags | SRV6_OP_REPLACED);
}

static int entry_gone(struct follow *f, struct entry *e, uint32_t flags)
{
	int r;

	shadow_take(&f->shadow, e);
	r = report_msg(f, &e->nlh, SRV6_DEL, flags);
	free(e);
	return r;
}

/* What a hop has come to, such as dead, in the order in which they are shown. */
static bool hops_fare_same(const struct srv6_hop *a, const struct srv6_hop *b, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (a[i].flags != b[i].flags)
			return false;
	return true;
}

/* The hops of a route by nexthop object are not its own and are shown all the same: they change with the object. */
static bool routes_look_same(struct srv6_op *a, struct srv6_op *b)
{
	struct srv6_route *x = (void *)(uintptr_t)a->u.route, *y = (void *)(uintptr_t)b->u.route; /* the readers' own */

	if (x->flags != y->flags || x->n_hops != y->n_hops || !hops_fare_same(x->hops, y->hops, x->n_hops))
		return false;
	if (!x->derived && !y->derived)
		return true;
	x->has &= ~SRV6_HAS(NHID);
	y->has &= ~SRV6_HAS(NHID);
	x->expires = y->expires; /* raw_aged has looked */
	return !srv6_diff(a, b, SRV6_DIFF_EQUAL, NULL);
}

static bool nexthops_look_same(const struct srv6_nexthop *a, const struct srv6_nexthop *b)
{
	return a->flags == b->flags && (!a->hop || !b->hop || a->hop->flags == b->hop->flags);
}

/* Of two that ask for the same: whether they are shown the same too. */
static bool look_same(const struct nlmsghdr *a, const struct nlmsghdr *b)
{
	struct reader x = { .mem = NULL }, y = { .mem = NULL };
	bool r = !reader_read(&x, a) && !reader_read(&y, b);

	if (r) {
		x.op.verb = y.op.verb = SRV6_IS;
		r = x.op.kind == SRV6_ROUTE ? routes_look_same(&x.op, &y.op)
					    : nexthops_look_same(x.op.u.nexthop, y.op.u.nexthop);
	}
	reader_free(&x);
	reader_free(&y);
	return r;
}

static bool same(const struct nlmsghdr *a, const struct nlmsghdr *b)
{
	if (a->nlmsg_len == b->nlmsg_len && a->nlmsg_type == b->nlmsg_type &&
	    !memcmp((const char *)a + MSG_HEAD, (const char *)b + MSG_HEAD, a->nlmsg_len - MSG_HEAD))
		return true;
	return raw_aged(a, b) == 1 && look_same(a, b);
}

/* Of the same metric and, for IPv4, the same TOS: what an event may be about. */
static bool same_rank(const struct nlmsghdr *a, const struct nlmsghdr *b)
{
	const struct rtmsg *x = (const void *)((const char *)a + MSG_HEAD),
			   *y = (const void *)((const char *)b + MSG_HEAD);

	return raw_metric(a) == raw_metric(b) && x->rtm_tos == y->rtm_tos;
}

/* ---- events */

static int mark_dirty(struct follow *f, const struct key *k)
{
	return f->whole ? 0 : shot_want(&f->dirty, k);
}

static void mark_whole(struct follow *f)
{
	f->whole = f->inferred = true;
}

/* Whether all of e is what the event says is gone: a hop of several would be the event's only one. */
static bool is_all_of(const struct entry *e, const struct nlmsghdr *nlh)
{
	struct reader x = { .mem = NULL }, y = { .mem = NULL };
	bool r = !reader_read(&x, &e->nlh) && !reader_read(&y, nlh);

	if (r) {
		x.op.verb = y.op.verb = SRV6_IS;
		/* The event may say more, such as a reason. */
		r = !srv6_diff(&x.op, &y.op, 0, NULL);
	}
	reader_free(&x);
	reader_free(&y);
	return r;
}

/* The first of its rank with an encapsulation. The kernel says of one hop whether others of that rank were there. */
static int route_new(struct follow *f, const struct key *k, const struct nlmsghdr *nlh)
{
	bool alone = nlh->nlmsg_flags & NLM_F_EXCL || knl_find(nlh, sizeof(struct rtmsg), RTA_MULTIPATH);
	int r = alone ? 0 : shot_want(&f->crowded, k);

	return r ? r : entry_new(f, k, nlh, 0);
}

static int on_route(struct follow *f, const struct nlmsghdr *nlh)
{
	struct entry *only = NULL;
	unsigned int n = 0;
	struct key k;

	if (!key_of_msg(nlh, &k) || (k.family != AF_INET && k.family != AF_INET6))
		return 0;
	for (struct entry *e = shadow_first(&f->shadow, &k); e; e = shadow_next(e)) {
		if (!same_rank(&e->nlh, nlh))
			continue;
		/* Replaced by its like: its counters start again, and who looks on wants to know. */
		if (nlh->nlmsg_type == RTM_NEWROUTE && same(&e->nlh, nlh))
			return nlh->nlmsg_flags & NLM_F_REPLACE ? entry_replaced(f, e, nlh, 0) : 0;
		only = e;
		n++;
	}
	if (nlh->nlmsg_type == RTM_DELROUTE) {
		if (!n)
			return 0;
		return n == 1 && is_all_of(only, nlh) ? entry_gone(f, only, 0) : mark_dirty(f, &k);
	}
	if (!n)
		return msg_has_encap(nlh, &f->objects) ? route_new(f, &k, nlh) : 0;
	/* A replacement does not say which of several it took the place of. */
	if (n > 1 || !(nlh->nlmsg_flags & NLM_F_REPLACE) || shot_find(&f->crowded, &k))
		return mark_dirty(f, &k);
	return msg_has_encap(nlh, &f->objects) ? entry_replaced(f, only, nlh, 0) : entry_gone(f, only, 0);
}

/* With an object go, or change, the routes that use it. */
static int on_nexthop(struct follow *f, const struct nlmsghdr *nlh)
{
	struct entry *e;
	struct key k;
	int r = 0;

	if (!key_of_msg(nlh, &k))
		return 0;
	e = shadow_first(&f->shadow, &k);
	if (nlh->nlmsg_type == RTM_DELNEXTHOP) {
		mark_whole(f);
		return e ? entry_gone(f, e, 0) : 0;
	}
	if (msg_has_encap(nlh, &f->objects))
		r = id_set_add(&f->objects, k.table);
	if (r || (e && same(&e->nlh, nlh)))
		return r;
	if (!e)
		return entry_new(f, &k, nlh, 0);
	mark_whole(f);
	return entry_replaced(f, e, nlh, 0);
}

static bool read_link(const struct nlmsghdr *nlh, struct link_entry *ret)
{
	const struct ifinfomsg *ifi = (const void *)((const char *)nlh + MSG_HEAD);
	const struct nlattr *a;

	if (nlh->nlmsg_len < MSG_LEN(sizeof(*ifi)) || ifi->ifi_family != AF_UNSPEC)
		return false;
	memset(ret, 0, sizeof(*ret));
	ret->ifindex = (uint32_t)ifi->ifi_index;
	ret->flags = ifi->ifi_flags;
	a = knl_find(nlh, sizeof(*ifi), IFLA_IFNAME);
	if (a && knl_len(a) && knl_len(a) <= sizeof(ret->name))
		memcpy(ret->name, knl_data(a), strnlen(knl_data(a), knl_len(a) - 1));
	return true;
}

static int link_is(struct follow *f, const struct link_entry *now, uint32_t flags)
{
	struct link_entry *l = shadow_link(&f->shadow, now->ifindex);

	if (l) {
		bool changed = l->flags != now->flags || strcmp(l->name, now->name);

		/*
		 * With a device that goes down IPv4 routes and nexthop objects are gone, with the carrier hops are dead or
		 * alive again, without a word. The list of objects waits until the kernel is done with the device.
		 */
		if ((l->flags ^ now->flags) & (IFF_UP | IFF_RUNNING | HAS_CARRIER) &&
		    shadow_uses_link(&f->shadow, now->ifindex))
			mark_whole(f);
		*l = *now;
		l->seen = true;
		return changed ? report_link(f, now, SRV6_IS, flags | SRV6_OP_REPLACED) : 0;
	}
	l = shadow_link_add(&f->shadow, now->ifindex);
	if (!l)
		return -ENOMEM;
	*l = *now;
	l->seen = true;
	return report_link(f, now, SRV6_IS, flags);
}

static int link_gone(struct follow *f, struct link_entry *l, uint32_t flags)
{
	struct link_entry was = *l;

	shadow_link_take(&f->shadow, l);
	return report_link(f, &was, SRV6_DEL, flags);
}

static int on_link(struct follow *f, const struct nlmsghdr *nlh)
{
	struct link_entry now, *l;

	if (!read_link(nlh, &now))
		return 0;
	if (nlh->nlmsg_type == RTM_NEWLINK)
		return link_is(f, &now, 0);
	mark_whole(f);
	l = shadow_link(&f->shadow, now.ifindex);
	return l ? link_gone(f, l, 0) : 0;
}

/*
 * With an IPv4 address go the routes that prefer it as source, with the last one of a device all routes there; IPv6 routes lose
 * the source that they prefer. None of that has a word of its own.
 */
static void on_address_gone(struct follow *f, const struct nlmsghdr *nlh)
{
	const struct ifaddrmsg *ifa = (const void *)((const char *)nlh + MSG_HEAD);
	const struct nlattr *a;

	if (nlh->nlmsg_len < MSG_LEN(sizeof(*ifa)))
		return;
	if (ifa->ifa_family == AF_INET6) {
		a = knl_find(nlh, sizeof(*ifa), IFA_LOCAL); /* where another one is the peer's */
		if (!a)
			a = knl_find(nlh, sizeof(*ifa), IFA_ADDRESS);
		if (!a || !shadow_prefers(&f->shadow, knl_data(a), knl_len(a)))
			return;
	}
	mark_whole(f);
}

static int on_message(struct follow *f, const struct nlmsghdr *nlh)
{
	switch (nlh->nlmsg_type) {
	case RTM_NEWROUTE:
	case RTM_DELROUTE:
		return on_route(f, nlh);
	case RTM_NEWNEXTHOP:
	case RTM_DELNEXTHOP:
		return on_nexthop(f, nlh);
	case RTM_NEWLINK:
	case RTM_DELLINK:
		return on_link(f, nlh);
	case RTM_DELADDR:
		on_address_gone(f, nlh);
		return 0;
	default:
		return 0;
	}
}

static int on_datagram(struct follow *f, const void *data, size_t len)
{
	const struct nlmsghdr *nlh;
	int r = 0;

	for (nlh = knl_next(NULL, data, &len); nlh && !r; nlh = knl_next(nlh, NULL, &len))
		r = on_message(f, nlh);
	if (len && !r)
		mark_whole(f); /* it breaks off */
	return r;
}

/* ---- comparing with the kernel */

struct lists {
	struct follow *f;
	struct pile objects, routes, links;
	struct id_set encaps;
	struct {
		struct key key;
		uint32_t metric;
		uint8_t tos;
		bool encap;
	} last; /* the route before this one */
	struct ack ack;
};

static int hold_object(const struct nlmsghdr *nlh, void *arg)
{
	struct lists *l = arg;

	return nlh->nlmsg_type == RTM_NEWNEXTHOP ? pile_add(&l->objects, nlh) : 0;
}

static int hold_link(const struct nlmsghdr *nlh, void *arg)
{
	struct lists *l = arg;

	return nlh->nlmsg_type == RTM_NEWLINK ? pile_add(&l->links, nlh) : 0;
}

/* Routes of one rank stand side by side. */
static int note_crowd(struct lists *l, const struct key *k, const struct nlmsghdr *nlh, bool encap)
{
	const struct rtmsg *rtm = (const void *)((const char *)nlh + MSG_HEAD);
	uint32_t metric = raw_metric(nlh);
	bool crowd = encap != l->last.encap && metric == l->last.metric && rtm->rtm_tos == l->last.tos &&
		     !memcmp(k, &l->last.key, sizeof(*k));

	l->last.key = *k;
	l->last.metric = metric;
	l->last.tos = rtm->rtm_tos;
	l->last.encap = encap;
	return crowd ? shot_want(&l->f->crowded, k) : 0;
}

static int hold_route(const struct nlmsghdr *nlh, void *arg)
{
	struct lists *l = arg;
	struct key k;
	bool encap;
	int r;

	if (nlh->nlmsg_type != RTM_NEWROUTE || !key_of_msg(nlh, &k))
		return 0;
	if (!l->f->whole && !shot_find(&l->f->dirty, &k))
		return 0;
	encap = msg_has_encap(nlh, &l->encaps);
	r = note_crowd(l, &k, nlh, encap);
	return r || !encap ? r : pile_add(&l->routes, nlh);
}

static void lists_free(struct lists *l)
{
	pile_free(&l->objects);
	pile_free(&l->routes);
	pile_free(&l->links);
	id_set_free(&l->encaps);
}

static int list_links(struct lists *l)
{
	struct {
		struct nlmsghdr nlh;
		struct ifinfomsg ifi;
		struct nlattr attr;
		uint32_t ext;
	} req = {
		.nlh = { .nlmsg_len = sizeof(req), .nlmsg_type = RTM_GETLINK },
		.attr = { .nla_len = (uint16_t)(ATTR_HEAD + sizeof(uint32_t)), .nla_type = IFLA_EXT_MASK },
		.ext = RTEXT_FILTER_SKIP_STATS,
	};

	return knl_list(l->f->s, &l->f->s->route, &req.nlh, hold_link, l, &l->ack);
}

/* Places that dirty keys are in: a table, or all of a family where it is many. */
static int list_dirty(struct lists *l, uint8_t family)
{
	struct route_filter f = { .family = family };
	const struct shot *d = &l->f->dirty;
	bool any = false;

	for (size_t i = 0; i < d->cap; i++) {
		const struct key *k = &d->spots[i].key;

		if (!d->spots[i].used || k->family != family)
			continue;
		f.table = any && f.table != k->table ? 0 : k->table;
		if (any && !f.table)
			break;
		any = true;
	}
	return any ? list_routes(l->f->s, &f, hold_route, l, &l->ack) : 0;
}

static int list_family(struct lists *l, uint8_t family)
{
	struct route_filter f = { .family = family };

	return l->f->whole ? list_routes(l->f->s, &f, hold_route, l, &l->ack) : list_dirty(l, family);
}

static int lists_take_once(struct lists *l)
{
	int r = 0;

	if (l->f->whole) {
		shot_free(&l->f->crowded);
		r = list_links(l);
		if (!r)
			r = list_nexthops(l->f->s, hold_object, l, &l->ack);
	}
	if (!r)
		r = list_encap_objects(l->f->s, &l->encaps, &l->ack);
	if (!r)
		r = list_family(l, AF_INET6);
	return r ? r : list_family(l, AF_INET);
}

static int lists_take(struct lists *l)
{
	int r = -ESTALE;

	for (int tries = 0; r == -ESTALE && tries < LIST_TRIES; tries++) {
		lists_free(l);
		r = lists_take_once(l);
	}
	return r;
}

/* Which entries are being compared: their seen is cleared, all others count as seen. */
static void start_compare(struct follow *f)
{
	for (size_t i = 0; i < f->shadow.cap; i++)
		for (struct entry *e = f->shadow.buckets[i]; e; e = e->next)
			e->seen = !f->whole && !shot_find(&f->dirty, &e->key);
	for (size_t i = 0; i < f->shadow.n_links; i++)
		f->shadow.links[i].seen = !f->whole;
}

/*
 * What of an object has come to be what is listed. Of routes that share their identity the first of these that tells them apart
 * counts, for all before for any: the one whose device went may not be taken for another one that looks different now.
 */
static bool is_alike(const struct entry *e, const struct nlmsghdr *nlh)
{
	return raw_same(&e->nlh, nlh) == 1;
}

static uint32_t device_of(const struct nlmsghdr *route)
{
	return knl_u32(knl_find(route, sizeof(struct rtmsg), RTA_OIF), 0); /* 0: several */
}

static bool is_there(const struct entry *e, const struct nlmsghdr *nlh)
{
	return e->key.kind == SRV6_ROUTE && same_rank(&e->nlh, nlh) && device_of(&e->nlh) == device_of(nlh);
}

static bool is_in_place(const struct entry *e, const struct nlmsghdr *nlh)
{
	return e->key.kind == SRV6_NEXTHOP || same_rank(&e->nlh, nlh);
}

typedef bool (*likeness)(const struct entry *e, const struct nlmsghdr *nlh);
static const likeness likenesses[] = { is_alike, is_there, is_in_place };

static bool is_same(const struct entry *e, const struct nlmsghdr *nlh)
{
	return same(&e->nlh, nlh);
}

static struct entry *find_like(struct follow *f, const struct nlmsghdr *nlh, likeness like)
{
	struct key k;

	if (nlh->nlmsg_flags == NLM_F_ACK || !key_of_msg(nlh, &k)) /* done with it */
		return NULL;
	for (struct entry *e = shadow_first(&f->shadow, &k); e; e = shadow_next(e))
		if (!e->seen && like(e, nlh))
			return e;
	return NULL;
}

static void done_with(const struct nlmsghdr *nlh)
{
	((struct nlmsghdr *)(uintptr_t)nlh)->nlmsg_flags = NLM_F_ACK;
}

/* First those that are as they were, so that none of them is taken for the one that another replaced. */
static void compare_same(struct follow *f, struct pile *p)
{
	struct block *b;

	for (const struct nlmsghdr *nlh = pile_next(p, NULL, &b); nlh; nlh = pile_next(p, nlh, &b)) {
		struct entry *e = find_like(f, nlh, is_same);

		if (!e)
			continue;
		e->seen = true;
		done_with(nlh);
	}
}

static int compare_changed(struct follow *f, struct pile *p, likeness like, uint32_t flags)
{
	struct block *b;
	int r = 0;

	for (const struct nlmsghdr *nlh = pile_next(p, NULL, &b); nlh && !r; nlh = pile_next(p, nlh, &b)) {
		struct entry *e = find_like(f, nlh, like);

		if (!e)
			continue;
		r = entry_replaced(f, e, nlh, flags);
		done_with(nlh);
	}
	return r;
}

static int compare_new(struct follow *f, struct pile *p, uint32_t flags)
{
	struct block *b;
	struct key k;
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(likenesses) && !r; i++)
		r = compare_changed(f, p, likenesses[i], flags);
	for (const struct nlmsghdr *nlh = pile_next(p, NULL, &b); nlh && !r; nlh = pile_next(p, nlh, &b))
		if (nlh->nlmsg_flags != NLM_F_ACK && key_of_msg(nlh, &k))
			r = entry_new(f, &k, nlh, flags);
	return r;
}

static int compare_gone(struct follow *f, uint32_t kind, uint32_t flags)
{
	int r = 0;

	for (size_t i = 0; i < f->shadow.cap && !r; i++) {
		struct entry *e = f->shadow.buckets[i], *next;

		for (; e && !r; e = next) {
			next = e->next;
			if (!e->seen && e->key.kind == kind)
				r = entry_gone(f, e, flags);
		}
	}
	return r;
}

static int compare_links(struct follow *f, struct pile *p, uint32_t flags)
{
	struct link_entry now;
	struct block *b;
	int r = 0;

	for (const struct nlmsghdr *nlh = pile_next(p, NULL, &b); nlh && !r; nlh = pile_next(p, nlh, &b))
		if (read_link(nlh, &now))
			r = link_is(f, &now, flags);
	for (size_t i = f->shadow.n_links; i-- > 0 && !r;)
		if (!f->shadow.links[i].seen)
			r = link_gone(f, &f->shadow.links[i], flags);
	return r;
}

/* Returns 0, cb's, -ESTALE: to be tried again later. */
static int compare(struct follow *f)
{
	struct lists l = { .f = f };
	bool whole = f->whole, inferred = f->inferred;
	uint32_t flags;
	int r = lists_take(&l);

	if (r) {
		lists_free(&l);
		return r;
	}
	start_compare(f);
	flags = inferred ? SRV6_OP_INFERRED : 0;
	id_set_free(&f->objects);
	f->objects = l.encaps;
	memset(&l.encaps, 0, sizeof(l.encaps));
	/* What comes up while it is reported is for the next time. */
	f->whole = f->inferred = false;
	shot_free(&f->dirty);
	compare_same(f, &l.objects);
	compare_same(f, &l.routes);
	if (whole)
		r = compare_links(f, &l.links, flags);
	if (!r)
		r = compare_new(f, &l.objects, flags);
	if (!r)
		r = compare_new(f, &l.routes, flags);
	if (!r)
		r = compare_gone(f, SRV6_ROUTE, flags);
	if (!r && whole)
		r = compare_gone(f, SRV6_NEXTHOP, flags);
	if (r)
		f->whole = true;
	lists_free(&l);
	return r;
}

/* ---- what raises no events */

static int poll_tunsrc(struct follow *f)
{
	struct srv6_tunsrc t = SRV6_INIT(struct srv6_tunsrc);
	struct srv6_op op = { .verb = SRV6_IS, .kind = SRV6_TUNSRC, .u.tunsrc = &t };
	int r = sr_get_tunsrc(f->s, &t.addr, &f->s->err);

	if (r || (f->tunsrc_known && !memcmp(&t.addr, &f->tunsrc, sizeof(t.addr))))
		return r;
	op.flags = f->tunsrc_known ? SRV6_OP_REPLACED | SRV6_OP_INFERRED : 0;
	f->tunsrc = t.addr;
	f->tunsrc_known = true;
	return report(f, &op);
}

static int report_key(struct follow *f, const struct sr_key *k, uint32_t verb, uint32_t flags)
{
	struct srv6_hmac h = SRV6_INIT(struct srv6_hmac);
	struct srv6_op op = { .verb = verb, .kind = SRV6_HMAC, .flags = flags, .u.hmac = &h };

	h.key_id = k->key_id;
	h.algo = k->algo;
	h.secret = (struct srv6_bytes){ k->secret, k->len };
	return report(f, &op);
}

static bool key_equal(const struct sr_key *a, const struct sr_key *b)
{
	return a->algo == b->algo && a->len == b->len && !memcmp(a->secret, b->secret, a->len);
}

/* Both lists are sorted by key id. All is looked at before cb may stop it: the difference is told once only. */
static int compare_keys(struct follow *f, const struct sr_key *old, size_t n_old, const struct sr_key *new,
			size_t n_new)
{
	size_t i = 0, j = 0;
	int r = 0;

	while (!r && (i < n_old || j < n_new)) {
		if (j == n_new || (i < n_old && old[i].key_id < new[j].key_id))
			r = report_key(f, &old[i++], SRV6_DEL, SRV6_OP_INFERRED);
		else if (i == n_old || new[j].key_id < old[i].key_id)
			r = report_key(f, &new[j++], SRV6_IS, old ? SRV6_OP_INFERRED : 0);
		else if (!key_equal(&old[i++], &new[j++]))
			r = report_key(f, &new[j - 1], SRV6_IS, SRV6_OP_REPLACED | SRV6_OP_INFERRED);
	}
	return r;
}

static int poll_keys(struct follow *f)
{
	struct sr_key *old = f->keys, *new;
	size_t n_old = f->n_keys, n_new;
	int r = sr_list_keys(f->s, &new, &n_new, &f->s->err);

	/* A list that may lack some would tell of keys that went when they did not. */
	if (r) {
		sr_keys_free(new, n_new);
		return r;
	}
	f->keys = new;
	f->n_keys = n_new;
	r = compare_keys(f, old, n_old, new, n_new);
	sr_keys_free(old, n_old);
	return r;
}

static int poll_quiet(struct follow *f)
{
	int r = f->kinds & SRV6_KIND(TUNSRC) ? poll_tunsrc(f) : 0;

	return r || !(f->kinds & SRV6_KIND(HMAC)) ? r : poll_keys(f);
}

/* ---- reading */

/* Returns how many datagrams, 0: none left, or -errno. */
static int take_events(struct follow *f, int *result)
{
	struct mmsghdr m[VECTOR];
	struct iovec iov[VECTOR];
	struct sockaddr_nl from[VECTOR];
	int n;

	memset(m, 0, sizeof(m));
	for (int i = 0; i < VECTOR; i++) {
		iov[i] = (struct iovec){ f->rx + i * VECTOR_BYTES, VECTOR_BYTES };
		m[i].msg_hdr = (struct msghdr){
			.msg_name = &from[i], .msg_namelen = sizeof(from[i]), .msg_iov = &iov[i], .msg_iovlen = 1
		};
	}
	do
		n = recvmmsg(f->events.fd, m, VECTOR, MSG_DONTWAIT, NULL);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == EAGAIN ? 0 : -errno;
	for (int i = 0; i < n && !*result; i++) {
		if (m[i].msg_hdr.msg_namelen >= sizeof(from[i]) && from[i].nl_pid)
			continue;
		if (f->s->opts.trace)
			f->s->opts.trace(f->s->opts.trace_arg, 0, iov[i].iov_base, m[i].msg_len);
		if (m[i].msg_hdr.msg_flags & MSG_TRUNC)
			f->whole = true;
		else
			*result = on_datagram(f, iov[i].iov_base, m[i].msg_len);
	}
	return n;
}

static void discard_events(struct follow *f)
{
	char byte;
	ssize_t n;

	do
		n = recv(f->events.fd, &byte, 1, MSG_DONTWAIT | MSG_TRUNC);
	while (n >= 0 || errno == EINTR || errno == ENOBUFS);
}

static int overrun(struct follow *f)
{
	/* What is queued is older than the list that is about to be taken. */
	discard_events(f);
	f->whole = f->inferred = f->announce = true;
	if (f->lost)
		return 0;
	f->lost = true;
	return report_bare(f, SRV6_LOST);
}

static int process(struct follow *f)
{
	int r = 0;

	for (int round = 0; round < ROUNDS && !r; round++) {
		int n = take_events(f, &r);

		if (n > 0 || r)
			continue;
		if (n == -ENOBUFS) {
			r = overrun(f);
			continue;
		}
		if (n < 0)
			return err_set(&f->s->err, n, SRV6_ATTR_NONE, "events cannot be read");
		if (!f->whole && !f->dirty.n)
			break;
		r = compare(f);
	}
	if (r == -ESTALE)
		return 0; /* wake_fd stays readable */
	if (r == -E2BIG)
		r = whole_say(f->s, &f->s->err);
	if (r)
		f->whole = true; /* events that were read and not looked at are gone */
	if (!r && f->announce && !f->whole && !f->dirty.n) {
		f->announce = f->lost = false;
		r = report_bare(f, SRV6_SYNCED);
	}
	return r;
}

static void set_wake(struct follow *f)
{
	uint64_t v = 1;
	ssize_t n;

	if (f->whole || f->announce || f->dirty.n)
		n = write(f->wake_fd, &v, sizeof(v));
	else
		n = read(f->wake_fd, &v, sizeof(v));
	(void)n; /* full or empty already */
}

EXPORT int srv6_process(struct srv6 *s, uint32_t flags, srv6_cb cb, void *arg)
{
	struct follow *f = s->follow;
	bool first;
	int r = handle_enter(s);

	if (r)
		return r;
	if (!f)
		return err_set(&s->err, -EINVAL, SRV6_ATTR_NONE, "nothing is followed yet: srv6_follow()");
	if (f->inside)
		return err_set(&s->err, -EBUSY, SRV6_ATTR_NONE, "events are being handed over already");
	f->inside = true;
	f->stopped = false;
	f->cb = cb;
	f->arg = arg;
	first = f->announce && !f->tunsrc_known && !f->keys;
	if (first || flags & SRV6_PROCESS_POLL)
		r = poll_quiet(f);
	if (!r)
		r = process(f);
	set_wake(f);
	f->inside = false;
	return r && !f->stopped && !s->err.code ? knl_say(&s->err, r) : r;
}

/* ---- starting */

/* The namespace of our request socket, wherever that came from. */
static int open_events(struct srv6 *s, struct sock *k)
{
	int ns = -1, fds[2], r;

	if (s->given || s->opts.netns > 0) {
		ns = ioctl(s->route.fd, SIOCGSKNS);
		if (ns < 0)
			return -errno;
		r = netns_sockets(NETNS_ENTER, ns, fds);
		close(ns);
		if (r)
			return r;
		k->fd = fds[0];
		close(fds[1]);
	} else {
		k->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
		if (k->fd < 0)
			return -errno;
	}
	r = sock_setup(k, s->opts.rcvbuf ? s->opts.rcvbuf : RCVBUF_EVENTS);
	if (!r && s->opts.rcvbuf)
		setsockopt(k->fd, SOL_SOCKET, SO_RCVBUF, &s->opts.rcvbuf, sizeof(s->opts.rcvbuf));
	return r;
}

static int join_groups(const struct sock *k)
{
	static const int groups[] = { RTNLGRP_LINK,    RTNLGRP_IPV4_ROUTE,  RTNLGRP_IPV6_ROUTE,
				      RTNLGRP_NEXTHOP, RTNLGRP_IPV4_IFADDR, RTNLGRP_IPV6_IFADDR };

	for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
		if (setsockopt(k->fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &groups[i], sizeof(groups[i])) < 0 &&
		    (groups[i] != RTNLGRP_NEXTHOP || errno != EINVAL)) /* no nexthop objects before Linux 5.3 */
			return -errno;
	return 0;
}

static int open_poll(struct follow *f)
{
	struct epoll_event ev = { .events = EPOLLIN };

	f->wake_fd = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
	f->poll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (f->wake_fd < 0 || f->poll_fd < 0 || epoll_ctl(f->poll_fd, EPOLL_CTL_ADD, f->wake_fd, &ev) < 0 ||
	    epoll_ctl(f->poll_fd, EPOLL_CTL_ADD, f->events.fd, &ev) < 0)
		return -errno;
	return 0;
}

EXPORT int srv6_follow(struct srv6 *s, uint32_t kinds)
{
	struct follow *f;
	int r = handle_enter(s);

	if (r)
		return r;
	if (s->follow && s->follow->inside)
		return err_set(&s->err, -EBUSY, SRV6_ATTR_NONE, "events are being handed over");
	f = calloc(1, sizeof(*f));
	if (!f)
		return err_set(&s->err, -ENOMEM, SRV6_ATTR_NONE, "out of memory");
	f->s = s;
	f->kinds = kinds;
	f->events.fd = f->poll_fd = f->wake_fd = -1;
	f->whole = f->announce = true;
	f->rx = malloc((size_t)VECTOR * VECTOR_BYTES);
	r = f->rx ? open_events(s, &f->events) : -ENOMEM;
	if (!r)
		r = join_groups(&f->events);
	if (!r)
		r = open_poll(f);
	if (r) {
		follow_free(f);
		return err_set(&s->err, r, SRV6_ATTR_NONE, "events cannot be followed");
	}
	follow_free(s->follow);
	s->follow = f;
	return 0;
}

EXPORT int srv6_fd(const struct srv6 *s)
{
	return s->follow ? s->follow->poll_fd : -EINVAL;
}

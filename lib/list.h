/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whole lists of the kernel's routes and nexthop objects, and where they are kept. */
#ifndef SRV6_LIST_H
#define SRV6_LIST_H

#include "transact.h"

#define LIST_TRIES 8

struct route_filter {
	uint8_t family;         /* AF_INET or AF_INET6 */
	uint8_t protocol, type; /* 0: any */
	uint32_t table, oif;    /* likewise */
};

/*
 * One list. -ESTALE: it may not be whole. IPv6 tables that change while they are listed lose and double routes without a word,
 * so changes are listened to meanwhile. A table that does not exist is an empty list. -E2BIG: it ended early again, although
 * nothing changed; whole_say() says why. cb may also be given what the filter does not want.
 */
int list_routes(struct srv6 *s, const struct route_filter *f, knl_cb cb, void *arg, struct ack *ack);
int list_nexthops(struct srv6 *s, knl_cb cb, void *arg, struct ack *ack);

/* ---- whole.c */

/* A list of all IPv6 routes, counted; a hop of a route counts as one. */
struct counted {
	uint64_t listed;
	int64_t there;  /* by rt6_stats, before the list */
	uint64_t lines; /* by ipv6_route, behind the list; 0: not asked, or it cannot be */
	bool quiet;     /* nothing changed meanwhile, in any table */
};
int64_t whole_entries(struct srv6 *s);            /* of rt6_stats; negative: it cannot be asked */
uint32_t whole_count(const struct nlmsghdr *nlh); /* how many a message of a list stands for */
void whole_look(struct srv6 *s, struct counted *c);
/* For a list that was quiet: -ESTALE where it ended early, -E2BIG where it did so the last time too. */
int whole_check(struct srv6 *s, const struct counted *c);
int whole_say(struct srv6 *s, struct srv6_error *err); /* returns -ESTALE, the code for callers */

/* Messages, one behind the other, in blocks. */
struct block;
struct pile {
	struct block *first, *last;
	size_t n;
};
int pile_add(struct pile *p, const struct nlmsghdr *nlh);
void pile_free(struct pile *p);
/* for (nlh = pile_next(p, NULL, &b); nlh; nlh = pile_next(p, nlh, &b)) */
const struct nlmsghdr *pile_next(const struct pile *p, const struct nlmsghdr *prev, struct block **at);

/* Ids of nexthop objects that have an encapsulation, or lead to one: a sorted set. */
struct id_set {
	uint32_t *ids;
	size_t n, cap;
};
int id_set_add(struct id_set *set, uint32_t id);
bool id_set_has(const struct id_set *set, uint32_t id);
void id_set_free(struct id_set *set);
/* Whether a message has an encapsulation: its own, a hop's, or its nexthop object's. Looks at the bytes only. */
bool msg_has_encap(const struct nlmsghdr *nlh, const struct id_set *objects);
/* Fills the set; -ESTALE as above. */
int list_encap_objects(struct srv6 *s, struct id_set *set, struct ack *ack);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef SRV6_SHADOW_H
#define SRV6_SHADOW_H

#include "list.h"

/* An object as it was reported. */
struct entry {
	struct entry *next; /* in its bucket */
	struct key key;
	uint32_t hash;
	bool seen;           /* found in the list that it is compared with */
	struct nlmsghdr nlh; /* the message follows */
};

struct link_entry {
	uint32_t ifindex, flags;
	char name[IFNAMSIZ];
	bool seen;
};

struct shadow {
	struct entry **buckets;
	size_t n, cap; /* cap: a power of two, or 0 */
	struct link_entry *links;
	size_t n_links, cap_links;
};

struct entry *shadow_first(const struct shadow *sh, const struct key *k);
struct entry *shadow_next(const struct entry *e); /* of the same key */
int shadow_add(struct shadow *sh, const struct key *k, const struct nlmsghdr *nlh, struct entry **ret);
void shadow_take(struct shadow *sh, struct entry *e); /* out of the table; the caller frees it */
void shadow_free(struct shadow *sh);
/* A hop of any entry leads there, as far as is told. */
bool shadow_uses_link(const struct shadow *sh, uint32_t ifindex);
/* addr is the preferred source of a route. */
bool shadow_prefers(const struct shadow *sh, const void *addr, size_t len);
struct link_entry *shadow_link(const struct shadow *sh, uint32_t ifindex);
struct link_entry *shadow_link_add(struct shadow *sh, uint32_t ifindex);
void shadow_link_take(struct shadow *sh, struct link_entry *l);
#endif

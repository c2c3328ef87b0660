/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What has been reported so far: a table of messages by key, and of links by index. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/nexthop.h>

#include "shadow.h"

struct entry *shadow_first(const struct shadow *sh, const struct key *k)
{
	uint32_t hash = hash_bytes(k, sizeof(*k));
	struct entry *e = sh->cap ? sh->buckets[hash & (sh->cap - 1)] : NULL;

	while (e && (e->hash != hash || memcmp(&e->key, k, sizeof(*k))))
		e = e->next;
	return e;
}

struct entry *shadow_next(const struct entry *e)
{
	struct entry *n = e->next;

	while (n && (n->hash != e->hash || memcmp(&n->key, &e->key, sizeof(n->key))))
		n = n->next;
	return n;
}

static int shadow_grow(struct shadow *sh)
{
	size_t cap = sh->cap ? sh->cap * 2 : 64;
	struct entry **buckets = calloc(cap, sizeof(*buckets));

	if (!buckets)
		return -ENOMEM;
	for (size_t i = 0; i < sh->cap; i++) {
		while (sh->buckets[i]) {
			struct entry *e = sh->buckets[i], **to = &buckets[e->hash & (cap - 1)];

			sh->buckets[i] = e->next;
			e->next = *to;
			*to = e;
		}
	}
	free(sh->buckets);
	sh->buckets = buckets;
	sh->cap = cap;
	return 0;
}

int shadow_add(struct shadow *sh, const struct key *k, const struct nlmsghdr *nlh, struct entry **ret)
{
	int r = sh->n >= sh->cap ? shadow_grow(sh) : 0;
	struct entry *e, **to;

	if (r)
		return r;
	e = malloc(offsetof(struct entry, nlh) + nlh->nlmsg_len);
	if (!e)
		return -ENOMEM;
	e->key = *k;
	e->hash = hash_bytes(k, sizeof(*k));
	e->seen = true;
	memcpy(&e->nlh, nlh, nlh->nlmsg_len);
	to = &sh->buckets[e->hash & (sh->cap - 1)];
	e->next = *to;
	*to = e;
	sh->n++;
	*ret = e;
	return 0;
}

void shadow_take(struct shadow *sh, struct entry *e)
{
	struct entry **at = &sh->buckets[e->hash & (sh->cap - 1)];

	while (*at != e)
		at = &(*at)->next;
	*at = e->next;
	sh->n--;
}

void shadow_free(struct shadow *sh)
{
	for (size_t i = 0; i < sh->cap; i++) {
		while (sh->buckets[i]) {
			struct entry *e = sh->buckets[i];

			sh->buckets[i] = e->next;
			free(e);
		}
	}
	free(sh->buckets);
	free(sh->links);
	memset(sh, 0, sizeof(*sh));
}

static bool multipath_uses_link(const struct nlattr *multipath, uint32_t ifindex)
{
	const uint8_t *p = knl_data(multipath);
	size_t len = knl_len(multipath), step;

	for (; len >= sizeof(struct rtnexthop); p += step, len -= step) {
		const struct rtnexthop *h = (const void *)p;

		if (h->rtnh_len < sizeof(*h) || h->rtnh_len > len)
			break;
		if ((uint32_t)h->rtnh_ifindex == ifindex)
			return true;
		step = ATTR_ALIGN(h->rtnh_len);
		if (step >= len)
			break;
	}
	return false;
}

static bool entry_uses_link(const struct entry *e, uint32_t ifindex)
{
	const struct nlattr *multipath;

	if (e->key.kind == SRV6_NEXTHOP)
		return knl_u32(knl_find(&e->nlh, sizeof(struct nhmsg), NHA_OIF), 0) == ifindex;
	if (knl_u32(knl_find(&e->nlh, sizeof(struct rtmsg), RTA_OIF), 0) == ifindex)
		return true;
	multipath = knl_find(&e->nlh, sizeof(struct rtmsg), RTA_MULTIPATH);
	return multipath && multipath_uses_link(multipath, ifindex);
}

bool shadow_uses_link(const struct shadow *sh, uint32_t ifindex)
{
	for (size_t i = 0; i < sh->cap; i++)
		for (const struct entry *e = sh->buckets[i]; e; e = e->next)
			if (entry_uses_link(e, ifindex))
				return true;
	return false;
}

static bool entry_prefers(const struct entry *e, const void *addr, size_t len)
{
	const struct nlattr *a;

	if (e->key.kind != SRV6_ROUTE)
		return false;
	a = knl_find(&e->nlh, sizeof(struct rtmsg), RTA_PREFSRC);
	return a && knl_len(a) == len && !memcmp(knl_data(a), addr, len);
}

bool shadow_prefers(const struct shadow *sh, const void *addr, size_t len)
{
	for (size_t i = 0; i < sh->cap; i++)
		for (const struct entry *e = sh->buckets[i]; e; e = e->next)
			if (entry_prefers(e, addr, len))
				return true;
	return false;
}

struct link_entry *shadow_link(const struct shadow *sh, uint32_t ifindex)
{
	for (size_t i = 0; i < sh->n_links; i++)
		if (sh->links[i].ifindex == ifindex)
			return &sh->links[i];
	return NULL;
}

struct link_entry *shadow_link_add(struct shadow *sh, uint32_t ifindex)
{
	struct link_entry *l;

	if (sh->n_links == sh->cap_links) {
		size_t cap = sh->cap_links ? sh->cap_links * 2 : 16;

		l = realloc(sh->links, cap * sizeof(*l));
		if (!l)
			return NULL;
		sh->links = l;
		sh->cap_links = cap;
	}
	l = &sh->links[sh->n_links++];
	memset(l, 0, sizeof(*l));
	l->ifindex = ifindex;
	return l;
}

void shadow_link_take(struct shadow *sh, struct link_entry *l)
{
	*l = sh->links[--sh->n_links];
}

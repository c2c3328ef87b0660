/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hops of routes by nexthop object. The kernel lists them with the route, unless net.ipv4.nexthop_compat_mode is 0: then the
 * route has the object's id alone, and where it leads is read from the objects.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "model.h"

/* Whether the kernel leaves the hops out. /proc/sys/net is that of the thread's network namespace. */
bool objects_needed(void)
{
	int fd = open("/proc/sys/net/ipv4/nexthop_compat_mode", O_RDONLY | O_CLOEXEC);
	char value = '1';

	if (fd < 0)
		return false;
	if (read(fd, &value, 1) != 1)
		value = '1';
	close(fd);
	return value == '0';
}

static int keep(const struct srv6_op *op, void *arg)
{
	struct objects *o = arg;
	struct srv6_op **more;
	int err;

	if (o->n == o->cap) {
		o->cap = o->cap ? 2 * o->cap : 64;
		more = realloc(o->op, o->cap * sizeof(*o->op));
		if (!more)
			return -ENOMEM;
		o->op = more;
	}
	err = srv6_copy(op, &o->op[o->n]);
	o->n += !err;
	return err;
}

static int by_id(const void *a, const void *b)
{
	uint32_t x = (*(struct srv6_op *const *)a)->u.nexthop->id, y = (*(struct srv6_op *const *)b)->u.nexthop->id;

	return (x > y) - (x < y);
}

/* Undone with objects_free(), also after a failure. */
int objects_read(struct srv6 *s, struct objects *ret)
{
	struct srv6_op match = { .verb = SRV6_IS, .kind = SRV6_NEXTHOP };
	int err = srv6_dump(s, &match, 0, keep, ret);

	if (ret->n)
		sort_rows(ret->op, ret->n, sizeof(*ret->op), by_id);
	return err;
}

void objects_free(struct objects *o)
{
	for (size_t i = 0; i < o->n; i++)
		free(o->op[i]);
	free(o->op);
	free(o->hops);
	*o = (struct objects){ 0 };
}

static const struct srv6_nexthop *find(const struct objects *o, uint32_t id)
{
	size_t low = 0, high = o->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (o->op[mid]->u.nexthop->id == id)
			return o->op[mid]->u.nexthop;
		if (o->op[mid]->u.nexthop->id < id)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

/* The route with its object's hops, as the kernel would have listed it; in *room, and valid until the next call. */
const struct srv6_route *objects_fill(struct objects *o, const struct srv6_route *route, struct srv6_route *room)
{
	const struct srv6_nexthop *n = route->has & SRV6_HAS(NHID) && !route->n_hops ? find(o, route->nhid) : NULL,
				  *member;
	struct srv6_hop *hops;
	uint32_t n_hops = 0;

	if (!n || (!n->hop && !n->n_group))
		return route;
	hops = realloc(o->hops, (n->n_group + 1) * sizeof(*hops));
	if (!hops)
		return route;
	o->hops = hops;
	if (n->hop)
		hops[n_hops++] = *n->hop;
	for (uint32_t i = 0; !n->hop && i < n->n_group; i++) {
		member = find(o, n->group[i].id);
		if (!member || !member->hop)
			continue;
		hops[n_hops] = *member->hop;
		hops[n_hops].has |= SRV6_HAS(WEIGHT);
		hops[n_hops++].weight = n->group[i].weight;
	}
	*room = *route;
	room->sz = sizeof(*room);
	room->hops = hops;
	room->n_hops = n_hops;
	room->derived = n_hops > 0;
	return room;
}

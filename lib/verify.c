/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Is it so? What must be known before a change, what came of it, and undoing the one that came out wrong. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apply.h"
#include "list.h"

/* ---- a deletion names what it deletes by some of what it is; the rest is as it may be */

/* Not the source prefix and the type of service: the kernel takes what is not given for none. */
#define NAMES (SRV6_HAS(TYPE) | SRV6_HAS(METRIC) | SRV6_HAS(PROTOCOL) | SRV6_HAS(SCOPE))

static void names_nothing_else(struct srv6_route *w, const struct srv6_route *h)
{
	uint64_t free_bits = NAMES & ~w->has;

	if (free_bits & SRV6_HAS(TYPE))
		w->type = h->type;
	if (free_bits & SRV6_HAS(METRIC))
		w->metric = h->metric;
	if (free_bits & SRV6_HAS(PROTOCOL))
		w->protocol = h->protocol;
	if (free_bits & SRV6_HAS(SCOPE))
		w->scope = h->scope;
	w->has |= free_bits & h->has;
}

/* A hop that has no place is named wherever it leads; one by a device alone is one without a gateway. */
static void hop_names_nothing_else(struct srv6_hop *w, const struct srv6_hop *h)
{
	if (!(w->has & (SRV6_HAS(DEV) | SRV6_HAS(VIA)))) {
		w->has |= h->has & (SRV6_HAS(DEV) | SRV6_HAS(VIA));
		w->ifindex = h->ifindex;
		w->via = h->via;
	}
	if (!w->encap)
		w->encap = h->encap;
}

#define OF_ECHO 0x80000000u /* in an op's flags: a hop that was echoed alone has lost its weight */

bool verify_hop(const struct srv6_op *want, uint32_t i, const struct srv6_op *have, uint32_t j)
{
	struct srv6_route w = *want->u.route, h = *have->u.route;
	struct srv6_op x = *want, y = *have;
	struct srv6_hop hop = w.hops[i];

	if (hop.has & SRV6_HAS(WEIGHT) && !(want->flags & OF_ECHO) &&
	    hop.weight != (h.hops[j].has & SRV6_HAS(WEIGHT) ? h.hops[j].weight : 1))
		return false;
	hop_names_nothing_else(&hop, &h.hops[j]);
	w.hops = &hop;
	w.n_hops = 1;
	h.hops = &h.hops[j];
	h.n_hops = 1;
	h.has &= ~SRV6_HAS(NHID); /* the hops are named then, not the object that they come from */
	x.u.route = &w;
	y.u.route = &h;
	return srv6_diff(&x, &y, 0, NULL) == 0;
}

static bool hops_named(const struct srv6_op *want, const struct srv6_op *have)
{
	const struct srv6_route *w = want->u.route, *h = have->u.route;

	if (w->n_hops != h->n_hops)
		return false;
	for (uint32_t i = 0; i < w->n_hops; i++) {
		uint32_t j = 0;

		while (j < h->n_hops && !verify_hop(want, i, have, j))
			j++;
		if (j == h->n_hops)
			return false;
	}
	return true;
}

/* A route that drops has no hop to be named by: IPv6 shows lo. */
static bool drops(uint8_t type)
{
	return type == RTN_BLACKHOLE || type == RTN_UNREACHABLE || type == RTN_PROHIBIT || type == RTN_THROW;
}

static bool route_named(const struct srv6_op *want, const struct srv6_op *have)
{
	struct srv6_route w = *want->u.route;
	struct srv6_op x = *want;

	if (w.n_hops && !(w.has & (SRV6_HAS(TYPE) | SRV6_HAS(NHID))) && drops(have->u.route->type))
		return false;
	x.u.route = &w;
	names_nothing_else(&w, have->u.route);
	if (w.n_hops && !(w.has & SRV6_HAS(NHID)))
		return hops_named(&x, have);
	if (have->u.route->has & SRV6_HAS(NHID) && !(w.has & SRV6_HAS(NHID))) {
		w.has |= SRV6_HAS(NHID);
		w.nhid = have->u.route->nhid;
	}
	w.hops = have->u.route->hops;
	w.n_hops = have->u.route->n_hops;
	return srv6_diff(&x, have, 0, NULL) == 0;
}

#define OBJECT_IS (SRV6_HAS(NH_GROUP) | SRV6_HAS(NH_GROUP_TYPE) | SRV6_HAS(NH_BLACKHOLE) | SRV6_HAS(NH_FDB))

static bool nexthop_named(const struct srv6_op *want, const struct srv6_op *have)
{
	const struct srv6_nexthop *h = have->u.nexthop;
	struct srv6_nexthop w = *want->u.nexthop;
	struct srv6_op x = *want;
	struct srv6_hop hop;

	x.u.nexthop = &w;
	if (!(w.has & SRV6_HAS(NH_GROUP_TYPE)))
		w.group_type = h->group_type, w.has |= h->has & SRV6_HAS(NH_GROUP_TYPE);
	if (!w.hop && !w.n_group && !(w.has & (SRV6_HAS(NH_GROUP) | SRV6_HAS(NH_BLACKHOLE)))) {
		w.hop = h->hop;
		w.group = h->group;
		w.n_group = h->n_group;
		w.has |= h->has & OBJECT_IS;
	}
	if (w.hop && h->hop) {
		hop = *w.hop;
		hop_names_nothing_else(&hop, h->hop);
		w.hop = &hop;
		w.has |= h->has & SRV6_HAS(NH_FDB);
	}
	if (!w.family)
		w.family = h->family;
	if (!(w.has & SRV6_HAS(NH_PROTOCOL)))
		w.protocol = h->protocol, w.has |= SRV6_HAS(NH_PROTOCOL);
	return srv6_diff(&x, have, 0, NULL) == 0;
}

bool verify_is(const struct srv6_op *want, const struct srv6_op *have, uint32_t *attr)
{
	if (want->verb != SRV6_DEL)
		return srv6_diff(want, have, 0, attr) == 0;
	if (want->kind != have->kind)
		return false;
	return want->kind == SRV6_ROUTE ? route_named(want, have) : nexthop_named(want, have);
}

/*
 * Whether an echo is of what was asked. Of an IPv6 route with several hops the kernel takes away one after the other,
 * and echoes each as a route of its own.
 */
bool verify_echo(const struct srv6_op *want, const struct srv6_op *echo, uint32_t *attr)
{
	const struct srv6_route *w = want->u.route;
	struct srv6_op x = *want;
	struct srv6_route timeless;

	x.flags |= OF_ECHO;
	if (want->verb == SRV6_DEL && want->kind == SRV6_ROUTE && w->has & SRV6_HAS(EXPIRES)) { /* it does not say it */
		timeless = *w;
		timeless.has &= ~SRV6_HAS(EXPIRES);
		x.u.route = w = &timeless;
	}
	if (want->verb != SRV6_DEL || want->kind != SRV6_ROUTE || echo->kind != SRV6_ROUTE ||
	    w->dst.family != AF_INET6 || w->n_hops < 2 || w->has & SRV6_HAS(NHID) || echo->u.route->n_hops != 1)
		return verify_is(&x, echo, attr);
	for (uint32_t i = 0; i < w->n_hops; i++)
		if (verify_hop(&x, i, echo, 0))
			return true;
	return false;
}

/* Where no encapsulation was named, a route without one is meant before one that has some. */
static bool is_plain(const struct srv6_op *op)
{
	return op->kind == SRV6_ROUTE && op->u.route->n_hops && !op_has_encap(op);
}

bool verify_held(struct apply *a, const struct srv6_op *want, const struct spot *sp, uint32_t flags,
		 const struct held **ret)
{
	const struct held *any = NULL;
	bool plain = want->verb == SRV6_DEL && is_plain(want);

	for (const struct held *h = sp->first; h; h = h->next) {
		const struct srv6_op *have = &a->reader.op;

		if (reader_read(&a->reader, &h->nlh))
			continue;
		if (want->flags & SRV6_OP_SID && !op_is_endpoint(have))
			continue;
		if (flags ? srv6_diff(want, have, flags, NULL) != 0 : !verify_is(want, have, NULL))
			continue;
		any = any ? any : h;
		if (plain && !is_plain(have))
			continue;
		any = h;
		break;
	}
	if (any && ret)
		*ret = any;
	return any;
}

/* ---- deleting only what was named */

static bool same_place(const struct srv6_hop *x, const struct srv6_hop *y)
{
	return x->ifindex == y->ifindex && !memcmp(&x->via, &y->via, sizeof(x->via));
}

/* One hop of a multipath route: how many of its hops are the one that op names; *twins: and sit at the same gateway. */
static unsigned int count_hops(const struct srv6_op *op, const struct srv6_op *have, unsigned int *twins)
{
	const struct srv6_route *r = have->u.route;
	struct srv6_route w = *op->u.route;
	struct srv6_op x = *op;
	unsigned int n = 0;

	*twins = 0;
	x.u.route = &w;
	names_nothing_else(&w, r);
	for (uint32_t i = 0; i < r->n_hops; i++) {
		if (!verify_hop(&x, 0, have, i))
			continue;
		n++;
		for (uint32_t j = 0; j < r->n_hops; j++)
			*twins += j != i && same_place(&r->hops[i], &r->hops[j]);
	}
	return n;
}

/* Of several the one that differs least, the first of them, is told of. */
static int refuse_other(struct apply *a, const struct srv6_op *op, const struct spot *sp, struct srv6_error *err)
{
	struct difference d, least = { .n = 0 };
	struct key k;
	char where[80];
	size_t n = 0;

	for (const struct held *h = sp->first; h; h = h->next) {
		if (reader_read(&a->reader, &h->nlh))
			continue;
		differ(a->s, op, &a->reader.op, &d);
		if (!n++ || d.n < least.n)
			least = d;
	}
	if (!n)
		return 0;
	key_of_op(op, &k);
	key_describe(&k, where, sizeof(where));
	if (n == 1)
		err_set(err, -ENOENT, least.attr,
			"nothing is deleted: %s is not the one named; it has %s, named was %s", where, least.there,
			least.named);
	else
		err_set(err, -ENOENT, least.attr,
			"nothing is deleted: none of the %zu at %s is the one named; the nearest has %s, "
			"named was %s",
			n, where, least.there, least.named);
	if (!*least.words)
		err_remedy(err, "%s",
			   least.attr == SRV6_ATTR_NONE ? "srv6 route del deletes what is no SID"
							: "name what is there");
	else if (least.bare)
		err_remedy(
			err,
			"name the gateway too, for dev alone names a hop without one, or leave %s out to delete whatever "
			"is there",
			least.words);
	else
		err_remedy(err, "name what is there, or leave %s out to delete whatever is there", least.words);
	return -ENOENT;
}

/* It looks at the first hop, and takes the route away with all of them (6.18). */
static int refuse_hop(const struct srv6_op *op, uint32_t n, struct srv6_error *err)
{
	struct key k;
	char where[80];

	key_of_op(op, &k);
	err_set(err, -EOPNOTSUPP, SRV6_ATTR_NONE,
		"nothing is deleted: %s has %u hops, and of an IPv4 route the kernel deletes none alone",
		key_describe(&k, where, sizeof(where)), n);
	err_remedy(err,
		   "replace the route by one with the hops that shall stay, or leave the hop out to delete all of it");
	return err->code;
}

static int exact_hop(struct apply *a, const struct srv6_op *op, const struct held *h, struct srv6_error *err)
{
	unsigned int n, twins;

	if (op->kind != SRV6_ROUTE || op->u.route->n_hops != 1 || reader_read(&a->reader, &h->nlh) ||
	    a->reader.op.u.route->n_hops < 2)
		return 0;
	n = count_hops(op, &a->reader.op, &twins);
	if (!n)
		return 0;
	if (op->u.route->dst.family == AF_INET)
		return refuse_hop(op, a->reader.op.u.route->n_hops, err);
	if (n == 1 && !twins)
		return 1;
	err_set(err, -EOPNOTSUPP, SRV6_ATTR_VIA,
		"nothing is deleted: several hops share this gateway and device, and the kernel tells them apart by these alone");
	err_remedy(err, "replace the route by one with the hops that shall stay");
	return -EOPNOTSUPP;
}

/* Those before h that a request to delete it could take, in a few words. */
static void say_before(struct apply *a, const struct spot *sp, const struct held *h, char *buf, size_t cap)
{
	char way[100];
	size_t len = 0;

	buf[0] = 0;
	for (const struct held *x = sp->first; x != h && len < cap; x = x->next) {
		if (!raw_hits(&h->nlh, &x->nlh) || reader_read(&a->reader, &x->nlh))
			continue;
		route_leads(a->s, a->reader.op.u.route, way, sizeof(way));
		len += (size_t)snprintf(buf + len, cap - len, "%s%s", len ? " and " : "", way);
	}
}

/* IPv6 deletes the first that fits what it compares; the encapsulation and the type do not count. */
static int refuse_hidden(struct apply *a, const struct srv6_op *op, const struct spot *sp, const struct held *h,
			 struct srv6_error *err)
{
	const struct held *x = sp->first;
	struct key k;
	char where[80], before[140];

	while (x != h && !raw_hits(&h->nlh, &x->nlh))
		x = x->next;
	if (x == h)
		return 0;
	key_of_op(op, &k);
	err_set(err, -EOPNOTSUPP, SRV6_ATTR_DEV,
		"nothing is deleted: another route to %s stands before the one named, of the same metric and protocol, and %s: the "
		"kernel would take that one",
		key_describe(&k, where, sizeof(where)),
		raw_nhid(&x->nlh) ? "uses a nexthop object" : "leads the same way");
	say_before(a, sp, h, before, sizeof(before));
	err_remedy(err, "delete what stands before it too (%s), and append that again", before);
	return err->code;
}

/* Sets *exact to the message of the one to delete; leaves it where op's own request does. */
static int before_delete(struct apply *a, const struct srv6_op *op, const struct spot *sp, struct srv6_error *err,
			 const struct held **exact)
{
	const struct held *h = NULL;
	struct ack gone = { .code = op->kind == SRV6_ROUTE ? -ESRCH : -ENOENT };

	if (verify_held(a, op, sp, 0, &h)) {
		*exact = h;
		return refuse_hidden(a, op, sp, h, err);
	}
	for (h = sp->first; h; h = h->next) {
		int r = exact_hop(a, op, h, err);

		if (r)
			return r < 0 ? r : 0;
	}
	if (refuse_other(a, op, sp, err))
		return err->code;
	explain(a->s, op, NULL, &gone, err);
	err->kernel_code = 0;
	return err->code;
}

/*
 * What the kernel compares when it deletes an IPv6 route: prefix, table, metric, protocol, device and gateway, each where it is
 * given. A gateway of zeros stands for none, and keeps routes through one out. It does not look at encapsulations, nor at the
 * type or anything else; and of a route that uses a nexthop object not at device and gateway either, only at the object's id
 * where one is given. So it finds exactly what is named by the former where there are no such objects, in one step; what stays
 * to be seen is what it says that it took.
 */
#define LO       1 /* in every namespace; what drops is seen as leading there */
#define COMPARED (SRV6_HAS(DST) | SRV6_HAS(ROUTE_TABLE) | SRV6_HAS(METRIC) | SRV6_HAS(PROTOCOL))

static bool compared_alone(const struct srv6_op *op)
{
	const struct srv6_route *r = op->u.route;

	if (op->verb != SRV6_DEL || op->kind != SRV6_ROUTE || op->flags & SRV6_OP_SID || r->sz != sizeof(*r) ||
	    r->dst.family != AF_INET6 || r->derived || r->n_hops != 1 || r->has & ~COMPARED)
		return false;
	/* 0 is none given */
	if ((r->has & SRV6_HAS(METRIC) && !r->metric) || (r->has & SRV6_HAS(PROTOCOL) && !r->protocol))
		return false;
	return r->hops->has == SRV6_HAS(DEV) && r->hops->ifindex > LO && !r->hops->encap;
}

/* Named by more than that, without a hop. IPv4 compares some of it; but that finds nothing, and says not what is there. */
static bool named_by_more(const struct srv6_op *op)
{
	uint64_t has = op->kind == SRV6_ROUTE ? op->u.route->has : 0;

	if (op->kind == SRV6_NEXTHOP) /* by the id alone; what uses it goes with it, and would not come back */
		return op->u.nexthop->hop || op->u.nexthop->family ||
		       op->u.nexthop->has & (OBJECT_IS | SRV6_HAS(NH_PROTOCOL));
	/* 0 is none given, to the kernel */
	if ((has & SRV6_HAS(METRIC) && !op->u.route->metric) || (has & SRV6_HAS(PROTOCOL) && !op->u.route->protocol))
		return true;
	return has & ~(COMPARED | SRV6_HAS(NHID));
}

static int note_object(const struct nlmsghdr *nlh, void *arg)
{
	*(uint8_t *)arg = OBJECTS_SOME;
	(void)nlh;
	return 0;
}

static bool has_objects(struct apply *a)
{
	struct ack ack;

	if (a->objects == OBJECTS_UNKNOWN) {
		a->listed = OBJECTS_NONE;
		if (list_nexthops(a->s, note_object, &a->listed, &ack))
			a->listed = OBJECTS_SOME;
		a->objects = a->listed;
	}
	return a->objects != OBJECTS_NONE;
}

/* ---- replacing a group: the kernel changes its members, and keeps its protocol; that of a single object it changes (6.18) */

static bool replaces_group(const struct apply *a, const struct srv6_op *op)
{
	return op->kind == SRV6_NEXTHOP && (op->verb == SRV6_REPLACE || op->verb == SRV6_CHANGE) &&
	       op->u.nexthop->has & SRV6_HAS(NH_GROUP) && op->u.nexthop->has & SRV6_HAS(NH_ID) &&
	       !(a->opts.flags & SRV6_APPLY_NO_VERIFY);
}

static int refuse_kept(struct apply *a, const struct srv6_op *op, const struct spot *sp, struct srv6_error *err)
{
	const struct srv6_nexthop *n = op->u.nexthop, *h;
	uint32_t asked = n->has & SRV6_HAS(NH_PROTOCOL) ? n->protocol : RTPROT_UNSPEC;

	if (!sp->first || !raw_is_group(&sp->first->nlh) || reader_read(&a->reader, &sp->first->nlh))
		return 0;
	h = a->reader.op.u.nexthop;
	if (h->protocol == asked)
		return 0;
	err_set(err, -EOPNOTSUPP, SRV6_ATTR_NH_PROTOCOL,
		"nothing is changed: nexthop group %u has proto %u, asked for is proto %u, "
		"and the kernel keeps the protocol of a group that is replaced",
		n->id, h->protocol, asked);
	err_remedy(
		err,
		"give it proto %u, or delete the group first, and the routes that use it go with it; --no-verify replaces "
		"the members alone",
		h->protocol);
	return err->code;
}

/*
 * Several hops in place of routes that share an identity and have no gateway: the kernel puts the first hop in place of the first
 * of them, the others behind it, and what is between is in no list any more (6.18).
 */
static bool replaces_by_hops(const struct srv6_op *op)
{
	return op->kind == SRV6_ROUTE && (op->verb == SRV6_REPLACE || op->verb == SRV6_CHANGE) &&
	       op->u.route->dst.family == AF_INET6 && op->u.route->n_hops > 1;
}

static int refuse_hiding(const struct srv6_op *op, const struct spot *sp, struct srv6_error *err)
{
	struct key k;
	char where[80];
	size_t n = 0;

	for (const struct held *h = sp->first; h; h = h->next)
		n += !knl_find(&h->nlh, sizeof(struct rtmsg), RTA_GATEWAY) &&
		     !knl_find(&h->nlh, sizeof(struct rtmsg), RTA_NH_ID) &&
		     !knl_find(&h->nlh, sizeof(struct rtmsg), RTA_MULTIPATH);
	if (n < 2)
		return 0;
	key_of_op(op, &k);
	err_set(err, -EOPNOTSUPP, SRV6_ATTR_VIA,
		"nothing is changed: %zu routes without a gateway share %s, and the kernel would hide one of "
		"them behind several hops, where nothing lists it",
		n, key_describe(&k, where, sizeof(where)));
	err_remedy(err, "delete them first, and add the route then");
	return err->code;
}

/* The kernel makes hops of one route of those with a gateway, and lists nothing of what stands between them (6.18). */
static bool appends_hops(const struct srv6_op *op)
{
	const struct srv6_route *r = op->u.route;

	return op->kind == SRV6_ROUTE && op->verb == SRV6_APPEND && r->dst.family == AF_INET6 &&
	       !(r->has & SRV6_HAS(NHID)) && r->n_hops && r->hops->has & SRV6_HAS(VIA);
}

static int refuse_between(struct apply *a, const struct srv6_op *op, const struct spot *sp, struct srv6_error *err)
{
	uint32_t metric =
		op->u.route->has & SRV6_HAS(METRIC) && op->u.route->metric ? op->u.route->metric : IP6_METRIC_DEFAULT;
	const struct held *between = NULL;
	bool gateway = false;
	struct key k;
	char where[80], way[100] = "?";

	for (const struct held *h = sp->first; h && !between; h = h->next) {
		if (raw_metric(&h->nlh) != metric)
			continue;
		if (!raw_nhid(&h->nlh) && (knl_find(&h->nlh, sizeof(struct rtmsg), RTA_GATEWAY) ||
					   knl_find(&h->nlh, sizeof(struct rtmsg), RTA_MULTIPATH)))
			gateway = true;
		else if (gateway)
			between = h;
	}
	if (!between)
		return 0;
	if (!reader_read(&a->reader, &between->nlh))
		route_leads(a->s, a->reader.op.u.route, way, sizeof(way));
	key_of_op(op, &k);
	err_set(err, -EOPNOTSUPP, SRV6_ATTR_VIA,
		"nothing is changed: at %s a route without a gateway (%s) stands behind one with a gateway, and the kernel "
		"would hide it from every list if a hop with a gateway came after it",
		key_describe(&k, where, sizeof(where)), way);
	err_remedy(err, "delete that one, append this, and append that again; or give this one another metric");
	return err->code;
}

bool verify_is_direct(const struct apply *a, const struct srv6_op *op)
{
	return op->flags & SRV6_OP_EXACT && a->objects == OBJECTS_NONE && compared_alone(op);
}

static bool keeps_equal(const struct apply *a, const struct srv6_op *op)
{
	return a->opts.flags & SRV6_APPLY_KEEP_EQUAL &&
	       (op->verb == SRV6_REPLACE || op->verb == SRV6_CHANGE || op->verb == SRV6_APPEND);
}

bool verify_needs_look(struct apply *a, const struct srv6_op *op)
{
	if (op->kind != SRV6_ROUTE && op->kind != SRV6_NEXTHOP)
		return false;
	if (op->kind == SRV6_NEXTHOP && op->verb != SRV6_DEL)
		a->objects = OBJECTS_SOME;
	if (op->verb == SRV6_DEL && op->flags & SRV6_OP_EXACT)
		return !compared_alone(op) || has_objects(a);
	if (op->verb == SRV6_DEL)
		return op_has_encap(op) || named_by_more(op) || op->flags & SRV6_OP_SID;
	if (replaces_group(a, op) || replaces_by_hops(op) || appends_hops(op))
		return true;
	return keeps_equal(a, op);
}

static uint32_t bytes_of(const struct spot *sp)
{
	uint32_t n = 0;

	for (const struct held *h = sp->first; h; h = h->next)
		n += h->nlh.nlmsg_len;
	return n;
}

int verify_before(struct apply *a, const struct srv6_op *op, struct srv6_error *err, const struct held **exact)
{
	bool looked = verify_needs_look(a, op);
	struct spot *sp;
	struct key k;
	int r = 0;

	a->joined = 0;
	if (looked) {
		r = after_look(a, op, &sp, err);
		if (!r && op->verb == SRV6_DEL)
			r = before_delete(a, op, sp, err, exact);
		else if (!r && keeps_equal(a, op))
			r = verify_held(a, op, sp, SRV6_DIFF_EQUAL, NULL);
		if (!r && replaces_group(a, op))
			r = refuse_kept(a, op, sp, err);
		if (!r && replaces_by_hops(op))
			r = refuse_hiding(op, sp, err);
		if (!r && appends_hops(op)) {
			r = refuse_between(a, op, sp, err);
			a->joined = bytes_of(sp);
		}
	}
	if (!a->before.cap)
		return r;
	key_of_op(op, &k);
	sp = shot_find(&a->before, &k);
	if (sp && looked && sp->looks)
		sp->looks--;
	if (!r && sp && sp->touched < UINT16_MAX)
		sp->touched++;
	return r;
}

#define GONE_TRIES 16 /* lists, which may be long, for the sake of words */

/* Of an object that is not there the kernel says EINVAL, whatever the routes. */
static bool found_nothing(const struct slot *sl)
{
	const struct srv6_op *op = sl->want;

	if (sl->skipped || op->verb != SRV6_DEL || op->kind != SRV6_ROUTE)
		return false;
	return sl->code == -ESRCH || (sl->code == -EINVAL && op->u.route->has & SRV6_HAS(NHID));
}

void verify_gone(struct apply *a)
{
	struct shot now = { .spots = NULL };
	const struct held *found;
	struct key k;
	size_t n = 0;
	int r = 0;

	if (a->n_gone >= GONE_TRIES || a->dead)
		return;
	for (size_t i = 0; i < a->n_slots && !r; i++) {
		if (!found_nothing(&a->slots[i]))
			continue;
		n++;
		key_of_op(a->slots[i].want, &k);
		r = shot_want(&now, &k);
	}
	a->n_gone += n != 0;
	r = r || !n ? r : shot_take(a->s, &now, NULL);
	for (size_t i = 0; i < a->n_slots && !r && n; i++) {
		struct slot *sl = &a->slots[i];

		if (!found_nothing(sl))
			continue;
		key_of_op(sl->want, &k);
		if (before_delete(a, sl->want, shot_find(&now, &k), slot_err(sl), &found))
			sl->err->kernel_code = sl->code;
	}
	shot_free(&now);
}

/* ---- what came out wrong */

static const char *object_name(const struct srv6_op *op)
{
	return op->kind == SRV6_ROUTE ? "route" : "nexthop object";
}

int verify_say_large(const struct srv6_op *op, uint32_t len, struct srv6_error *err)
{
	err_set(err, -EMSGSIZE, op->kind == SRV6_ROUTE ? SRV6_ATTR_NONE : SRV6_ATTR_NH_GROUP,
		"the kernel would take this %s of %u bytes and never list it again, nor what comes after it: it lists %u bytes at most",
		object_name(op), len, LISTED_MAX);
	err_remedy(err, "fewer hops, or fewer segments");
	return -EMSGSIZE;
}

static void say_difference(struct slot *sl)
{
	const struct srv6_attr_info *info = srv6_attr_info(sl->attr);
	const char *what = object_name(sl->want);
	struct srv6_error *err = slot_err(sl);

	if (sl->large) {
		verify_say_large(sl->want, sl->large, err);
		return;
	}
	if (sl->want->verb == SRV6_DEL)
		err_set(err, -EIO, sl->attr, "the kernel deleted another %s than the one named", what);
	else if (!sl->echoed)
		err_set(err, -EIO, SRV6_ATTR_NONE, "the kernel took the %s, but it is not there", what);
	else if (info && info->since)
		err_set(err, -EOPNOTSUPP, sl->attr, "this kernel took the %s but dropped %s, which needs Linux %s",
			what, info->word, info->since);
	else
		err_set(err, -EOPNOTSUPP, sl->attr, "this kernel took the %s, but %s is not as asked", what,
			info ? info->word : "what it installed");
	err->kernel_code = 0;
	verify_remedy(sl->attr, err);
}

void verify_remedy(uint32_t attr, struct srv6_error *err)
{
	if (attr == SRV6_ATTR_TUNSRC)
		err_remedy(err,
			   "srv6 tunsrc set ADDR sets one for the whole namespace; --no-verify installs it without");
	else if (err->code == -EOPNOTSUPP)
		err_remedy(err, "srv6 caps shows what this kernel has; --no-verify installs it without");
}

static void say_left(struct slot *sl, const char *fmt, const char *arg)
{
	struct srv6_error *err = slot_err(sl);
	size_t len = strlen(err->text);

	snprintf(err->text + len, sizeof(err->text) - len, fmt, arg);
	err->state = SRV6_STATE_PARTIAL;
}

/* From what was there before, where that is known and nothing of this run has been there since. */
static bool undo_from_before(struct apply *a, struct slot *sl)
{
	struct key k;
	char left[96];
	struct spot *sp;

	key_of_op(sl->want, &k);
	sp = shot_find(&a->before, &k);
	if (!sp || sp->touched > 1)
		return false;
	return shot_restore(a->s, &a->before, &k, left, sizeof(left)) == 0;
}

static bool undo_from_echo(struct apply *a, struct slot *sl)
{
	struct ack ack;

	if (!sl->echo)
		return false;
	if (sl->want->verb == SRV6_DEL)
		return !raw_send_add(a->s, sl->echo, NLM_F_CREATE | NLM_F_APPEND, &ack);
	/* Of a route the kernel says in the header whether it made something new; of an object it repeats what was asked. */
	if (sl->want->verb == SRV6_ADD || (sl->want->kind == SRV6_ROUTE && sl->echo->nlmsg_flags & NLM_F_CREATE))
		return !raw_send_delete(a->s, sl->echo, &ack);
	return false;
}

/* What is not seen, or cannot be listed, is not found by looking: it is asked to go by what was asked to come. */
static bool undo_unseen(struct apply *a, struct slot *sl)
{
	struct srv6_op op = *sl->want;
	struct nlmsghdr *nlh = (void *)a->again; /* it has gone out, and has room for less than that */
	struct ack ack = { .code = 0 };
	int r;

	if (op.verb != SRV6_APPEND && op.verb != SRV6_ADD)
		return false;
	if (!sl->large && (op.verb == SRV6_APPEND || sl->echoed))
		return false;
	op.verb = SRV6_DEL;
	op.flags = 0;
	r = srv6_build(nlh, sl->len + 64, &op, &a->build, NULL);
	if (!r)
		r = knl_talk(a->s, &a->s->route, nlh, NULL, NULL, &ack);
	return !r || (ack.code && (r == -ESRCH || r == -ENOENT));
}

void verify_undo(struct apply *a, struct slot *sl)
{
	say_difference(sl);
	if (undo_unseen(a, sl))
		return;
	if (a->opts.flags & SRV6_APPLY_ATOMIC)
		return; /* all of it is undone together */
	if (undo_from_before(a, sl) || undo_from_echo(a, sl))
		return;
	if (sl->want->verb == SRV6_ADD || sl->want->verb == SRV6_DEL)
		say_left(sl, "; it could not be undone%s", "");
	else
		say_left(sl, "; the %s that it replaced could not be put back", object_name(sl->want));
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* srv6_dump(): lists that are whole, or said not to be. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "list.h"

struct dump {
	struct srv6 *s;
	const struct srv6_op *match;
	const struct srv6_route *route; /* filters; NULL: none */
	const struct srv6_nexthop *nexthop;
	uint32_t flags;
	srv6_cb cb;
	void *arg;
	struct id_set objects; /* with encapsulations */
	struct pile pile;
	struct reader reader;
	struct key only; /* SRV6_GET with SRV6_OP_EXACT */
	struct ack ack;
	bool stopped; /* by cb: what comes back is its own */
};

static bool wants(const struct dump *d, uint64_t bit)
{
	return d->route && d->route->has & bit;
}

/* ---- filters, on bytes: the kernel has applied most of them, unless it is old */

static uint32_t filter_oif(const struct dump *d)
{
	if (!d->route || !d->route->n_hops || !d->route->hops || !(d->route->hops->has & SRV6_HAS(DEV)))
		return 0;
	return d->route->hops->ifindex;
}

static bool route_matches(const struct dump *d, const struct nlmsghdr *nlh)
{
	const struct rtmsg *rtm = (const void *)((const char *)nlh + MSG_HEAD);
	struct key k;

	if (nlh->nlmsg_type != RTM_NEWROUTE || !key_of_msg(nlh, &k))
		return false;
	if (k.family != AF_INET && k.family != AF_INET6)
		return false;
	if (d->only.family && memcmp(&k, &d->only, sizeof(k)))
		return false;
	if (wants(d, SRV6_HAS(ROUTE_TABLE)) && k.table != d->route->table)
		return false;
	if (wants(d, SRV6_HAS(PROTOCOL)) && rtm->rtm_protocol != d->route->protocol)
		return false;
	if (wants(d, SRV6_HAS(TYPE)) && rtm->rtm_type != d->route->type)
		return false;
	return !(d->flags & SRV6_DUMP_ENCAP) || msg_has_encap(nlh, &d->objects);
}

static bool nexthop_matches(const struct dump *d, const struct nlmsghdr *nlh)
{
	struct key k;

	if (nlh->nlmsg_type != RTM_NEWNEXTHOP || !key_of_msg(nlh, &k))
		return false;
	if (d->nexthop && d->nexthop->has & SRV6_HAS(NH_ID) && d->nexthop->id != k.table)
		return false;
	return !(d->flags & SRV6_DUMP_ENCAP) || msg_has_encap(nlh, &d->objects);
}

static bool msg_matches(const struct dump *d, const struct nlmsghdr *nlh)
{
	return d->match->kind == SRV6_ROUTE ? route_matches(d, nlh) : nexthop_matches(d, nlh);
}

/* The device of any hop, also one that its nexthop object leads to. */
static bool hop_matches(const struct dump *d, const struct srv6_op *op)
{
	uint32_t oif = filter_oif(d), n;
	const struct srv6_hop *h = op_hops(op, &n);

	if (d->match->kind != SRV6_ROUTE || !oif)
		return true;
	for (uint32_t i = 0; i < n; i++)
		if (h[i].ifindex == oif)
			return true;
	return false;
}

/* ---- handing over */

static int hand_over(struct dump *d, const struct nlmsghdr *nlh)
{
	int r = reader_read(&d->reader, nlh);

	/* What does not hold together is no route that anyone could use; and it hides no other. */
	if (r == -EBADMSG)
		return 0;
	if (r)
		return knl_say(&d->s->err, r);
	if (!hop_matches(d, &d->reader.op))
		return 0;
	r = d->cb(&d->reader.op, d->arg);
	d->stopped = r;
	return r;
}

static int stream_cb(const struct nlmsghdr *nlh, void *arg)
{
	struct dump *d = arg;
	int r;

	if (!msg_matches(d, nlh))
		return 0;
	d->s->busy = true;
	r = hand_over(d, nlh);
	d->s->busy = false;
	return r;
}

static int hold_cb(const struct nlmsghdr *nlh, void *arg)
{
	struct dump *d = arg;

	return msg_matches(d, nlh) ? pile_add(&d->pile, nlh) : 0;
}

/* A list that is not whole may hold some twice. */
struct seen {
	const struct nlmsghdr **at;
	size_t cap;
};

static bool seen_before(struct seen *seen, const struct nlmsghdr *nlh)
{
	struct key k;
	size_t i;

	if (!key_of_msg(nlh, &k))
		return false;
	for (i = hash_bytes(&k, sizeof(k)) & (seen->cap - 1); seen->at[i]; i = (i + 1) & (seen->cap - 1)) {
		struct key other;

		key_of_msg(seen->at[i], &other);
		if (!memcmp(&k, &other, sizeof(k)) && raw_same(nlh, seen->at[i]) == 1)
			return true;
	}
	seen->at[i] = nlh;
	return false;
}

static int hand_over_all(struct dump *d, bool stale)
{
	struct seen seen = { .cap = 16 };
	struct block *b;
	int r = 0;

	while (stale && seen.cap < d->pile.n * 2)
		seen.cap *= 2;
	seen.at = stale ? calloc(seen.cap, sizeof(*seen.at)) : NULL;
	if (stale && !seen.at)
		return knl_say(&d->s->err, -ENOMEM);
	for (const struct nlmsghdr *nlh = pile_next(&d->pile, NULL, &b); nlh && !r; nlh = pile_next(&d->pile, nlh, &b))
		if (!stale || !seen_before(&seen, nlh))
			r = hand_over(d, nlh);
	free(seen.at);
	return r;
}

/* ---- lists */

static int list_family(struct dump *d, uint8_t family, knl_cb cb)
{
	struct route_filter f = { .family = family, .oif = filter_oif(d) };

	if (wants(d, SRV6_HAS(ROUTE_TABLE)))
		f.table = d->route->table;
	if (wants(d, SRV6_HAS(PROTOCOL)))
		f.protocol = d->route->protocol;
	if (wants(d, SRV6_HAS(TYPE)))
		f.type = d->route->type;
	return list_routes(d->s, &f, cb, d, &d->ack);
}

static int list_once(struct dump *d, knl_cb cb)
{
	uint8_t family = d->route ? d->route->dst.family : AF_UNSPEC;
	int r = 0;
	bool stale = false, early = false;

	if (d->flags & SRV6_DUMP_ENCAP) {
		id_set_free(&d->objects);
		r = list_encap_objects(d->s, &d->objects, &d->ack);
		stale = r == -ESTALE;
	}
	if (d->match->kind == SRV6_NEXTHOP)
		return r && !stale ? r : list_nexthops(d->s, cb, d, &d->ack);
	for (int i = 0; i < 2 && !d->stopped && (!r || r == -ESTALE || r == -E2BIG); i++) {
		uint8_t each = i ? AF_INET : AF_INET6;

		if (family != AF_UNSPEC && family != each)
			continue;
		r = list_family(d, each, cb);
		stale |= r == -ESTALE;
		early |= r == -E2BIG;
	}
	if (d->stopped || (r && r != -ESTALE && r != -E2BIG))
		return r;
	return early ? -E2BIG : stale ? -ESTALE : 0;
}

static int say_stale(struct dump *d)
{
	if (d->s->whole.times)
		return whole_say(d->s, &d->s->err);
	return err_set(&d->s->err, -ESTALE, SRV6_ATTR_NONE,
		       "the list may not be whole: what it lists changes all the time");
}

static int say_failed(struct dump *d, int code)
{
	struct srv6_error *err = &d->s->err;

	if (code == -ENODEV)
		err_set(err, code, SRV6_ATTR_DEV, "there is no device with index %u", filter_oif(d));
	else if (!d->ack.code)
		knl_say(err, code);
	else
		err_set(err, code, SRV6_ATTR_NONE, "the kernel does not list this");
	err->kernel_code = d->ack.code;
	snprintf(err->kernel, sizeof(err->kernel), "%s", d->ack.text);
	return code;
}

static int dump_list(struct dump *d)
{
	int r = -ESTALE, r2;

	if (d->flags & SRV6_DUMP_STREAM) {
		r = list_once(d, stream_cb);
		return !r || d->stopped ? r : r == -ESTALE || r == -E2BIG ? say_stale(d) : say_failed(d, r);
	}
	for (int tries = 0; r == -ESTALE && tries < LIST_TRIES; tries++) {
		pile_free(&d->pile);
		r = list_once(d, hold_cb);
	}
	if (r && r != -ESTALE && r != -E2BIG)
		return say_failed(d, r);
	r2 = hand_over_all(d, r);
	if (r2)
		return r2;
	return r ? say_stale(d) : 0;
}

/* ---- the one route to an address */

struct get {
	struct dump *d;
	struct pile pile;
};

static int get_cb(const struct nlmsghdr *nlh, void *arg)
{
	struct get *g = arg;

	return nlh->nlmsg_type == RTM_NEWROUTE ? pile_add(&g->pile, nlh) : 0;
}

static int say_no_route(struct dump *d, int code)
{
	char a[INET6_ADDRSTRLEN] = "?";

	inet_ntop(d->route->dst.family, &d->route->dst.addr, a, sizeof(a));
	err_set(&d->s->err, code, SRV6_ATTR_DST, "there is no route to %s", a);
	d->s->err.kernel_code = d->ack.code;
	snprintf(d->s->err.kernel, sizeof(d->s->err.kernel), "%s", d->ack.text);
	return code;
}

/* By the kernel's own rules: which table it is in is its answer. */
static int get_by_kernel(struct dump *d)
{
	const struct srv6_prefix *p = &d->route->dst;
	uint8_t size = p->family == AF_INET ? 4 : 16;
	struct {
		struct nlmsghdr nlh;
		struct rtmsg rtm;
		struct nlattr attr;
		uint8_t addr[16];
	} req = {
		.nlh = { .nlmsg_type = RTM_GETROUTE },
		.rtm = { .rtm_family = p->family, .rtm_dst_len = (uint8_t)(size * 8), .rtm_flags = RTM_F_FIB_MATCH },
		.attr = { .nla_len = (uint16_t)(ATTR_HEAD + size), .nla_type = RTA_DST },
	};
	struct get g = { .d = d };
	struct block *b;
	int r;

	if (p->family == AF_INET)
		req.rtm.rtm_flags |= RTM_F_LOOKUP_TABLE; /* IPv6 says the table without being asked, and refuses this */
	req.nlh.nlmsg_len = (uint32_t)(offsetof(__typeof__(req), addr) + size);
	memcpy(req.addr, &p->addr, size);
	r = knl_talk(d->s, &d->s->route, &req.nlh, get_cb, &g, &d->ack);
	if (d->ack.code)
		r = say_no_route(d, d->ack.code);
	else if (r)
		r = say_failed(d, r);
	else if (!g.pile.n)
		r = say_no_route(d, -ENETUNREACH);
	for (const struct nlmsghdr *nlh = pile_next(&g.pile, NULL, &b); nlh && !r; nlh = pile_next(&g.pile, nlh, &b))
		r = hand_over(d, nlh);
	pile_free(&g.pile);
	return r;
}

static bool covers(const struct key *k, const struct srv6_prefix *p)
{
	const uint8_t *a = (const void *)&p->addr;
	unsigned int bytes = k->len / 8, bits = k->len % 8;

	if (k->family != p->family || memcmp(k->addr, a, bytes))
		return false;
	return !bits || !((k->addr[bytes] ^ a[bytes]) & (uint8_t)(0xff00 >> bits));
}

/* In a table of the caller's choice, which the kernel cannot be asked for: the longest prefix, the smallest metric. */
static int get_by_table(struct dump *d)
{
	const struct nlmsghdr *best = NULL;
	struct key k, best_key = { .kind = 0 };
	struct block *b;
	int r = -ESTALE;

	for (int tries = 0; r == -ESTALE && tries < LIST_TRIES; tries++) {
		pile_free(&d->pile);
		r = list_once(d, hold_cb);
	}
	if (r)
		return r == -ESTALE || r == -E2BIG ? say_stale(d) : say_failed(d, r);
	for (const struct nlmsghdr *nlh = pile_next(&d->pile, NULL, &b); nlh; nlh = pile_next(&d->pile, nlh, &b)) {
		if (!key_of_msg(nlh, &k) || !covers(&k, &d->route->dst))
			continue;
		if (best && (k.len < best_key.len || (k.len == best_key.len && raw_metric(nlh) >= raw_metric(best))))
			continue;
		best = nlh;
		best_key = k;
	}
	return best ? hand_over(d, best) : say_no_route(d, -ENETUNREACH);
}

static int dump_get(struct dump *d)
{
	uint8_t full = d->route && d->route->dst.family == AF_INET ? 32 : 128;
	struct srv6_op op = *d->match;

	if (!d->route || (d->route->dst.family != AF_INET && d->route->dst.family != AF_INET6))
		return err_set(&d->s->err, -EINVAL, SRV6_ATTR_DST, "which address?");
	if (d->match->flags & SRV6_OP_EXACT) {
		struct srv6_route here = *d->route;

		op.u.route = &here;
		key_of_op(&op, &d->only);
		here.has |= SRV6_HAS(ROUTE_TABLE);
		here.table = d->only.table;
		d->route = &here;
		return dump_list(d);
	}
	if (d->route->dst.len != full)
		return err_set(&d->s->err, -EINVAL, SRV6_ATTR_DST,
			       "the route to an address is asked for, and this is a prefix");
	return wants(d, SRV6_HAS(ROUTE_TABLE)) ? get_by_table(d) : get_by_kernel(d);
}

/* ---- what generic netlink tells */

static int dump_tunsrc(struct dump *d)
{
	struct srv6_tunsrc t = SRV6_INIT(struct srv6_tunsrc);
	struct srv6_op op = { .verb = SRV6_IS, .kind = SRV6_TUNSRC, .u.tunsrc = &t };
	int r = sr_get_tunsrc(d->s, &t.addr, &d->s->err);

	return r ? r : d->cb(&op, d->arg);
}

static int dump_keys(struct dump *d)
{
	struct sr_key *keys;
	size_t n;
	int r2 = 0, r = sr_list_keys(d->s, &keys, &n, &d->s->err);

	for (size_t i = 0; i < n && !r2 && (!r || r == -ESTALE); i++) {
		struct srv6_hmac h = SRV6_INIT(struct srv6_hmac);
		struct srv6_op op = { .verb = SRV6_IS, .kind = SRV6_HMAC, .u.hmac = &h };

		h.key_id = keys[i].key_id;
		h.algo = keys[i].algo;
		h.secret = (struct srv6_bytes){ keys[i].secret, keys[i].len };
		if (d->match->u.hmac && d->match->u.hmac->key_id && d->match->u.hmac->key_id != h.key_id)
			continue;
		r2 = d->cb(&op, d->arg);
	}
	sr_keys_free(keys, n);
	return r2 ? r2 : r;
}

EXPORT int srv6_dump(struct srv6 *s, const struct srv6_op *match, uint32_t flags, srv6_cb cb, void *arg)
{
	struct srv6_route route = SRV6_INIT(struct srv6_route);
	struct srv6_nexthop nexthop = SRV6_INIT(struct srv6_nexthop);
	struct dump d = { .s = s, .match = match, .flags = flags, .cb = cb, .arg = arg };
	int r = handle_enter(s);

	if (r)
		return r;
	if (match->kind == SRV6_ROUTE && match->u.route) {
		r = sized_in(&route, sizeof(route), match->u.route);
		d.route = &route;
	} else if (match->kind == SRV6_NEXTHOP && match->u.nexthop) {
		r = sized_in(&nexthop, sizeof(nexthop), match->u.nexthop);
		d.nexthop = &nexthop;
	}
	if (r)
		return err_set(&s->err, r, SRV6_ATTR_NONE, "a filter of a later version of this library");
	if (match->kind == SRV6_TUNSRC)
		r = dump_tunsrc(&d);
	else if (match->kind == SRV6_HMAC)
		r = dump_keys(&d);
	else if (match->kind != SRV6_ROUTE && match->kind != SRV6_NEXTHOP)
		r = err_set(&s->err, -EINVAL, SRV6_ATTR_NONE, "these are not listed");
	else
		r = match->verb == SRV6_GET && match->kind == SRV6_ROUTE ? dump_get(&d) : dump_list(&d);
	pile_free(&d.pile);
	id_set_free(&d.objects);
	reader_free(&d.reader);
	return r;
}

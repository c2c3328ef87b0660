/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What srv6 doctor examines: routes with SRv6 encapsulations, one subject a hop, where they lead, and what they depend
 * on. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/rtnetlink.h>

#include "doctor.h"

/* ---- text */

const char *text_addr(struct doctor *d, const struct srv6_prefix *p)
{
	char buf[INET6_ADDRSTRLEN] = "?";

	inet_ntop(p->family == AF_INET ? AF_INET : AF_INET6, &p->addr, buf, sizeof(buf));
	return take_text(d->a, buf, strlen(buf));
}

const char *text_in6(struct doctor *d, const struct in6_addr *addr)
{
	struct srv6_prefix p = net_in6(addr);

	return text_addr(d, &p);
}

const char *text_prefix(struct doctor *d, const struct srv6_prefix *p)
{
	if (!p->len)
		return p->family == AF_INET ? "0.0.0.0/0" : "::/0";
	if (p->len == (p->family == AF_INET ? 32 : 128))
		return text_addr(d, p);
	return take_printf(d->a, "%s/%u", text_addr(d, p), p->len);
}

static const char *label(struct doctor *d, const struct subject *s)
{
	const char *what = s->sid ? "SID" : "route";

	if (s->table == RT_TABLE_MAIN)
		return take_printf(d->a, "%s %s", what, text_prefix(d, &s->route->dst));
	return take_printf(d->a, "%s %s table %u", what, text_prefix(d, &s->route->dst), s->table);
}

/* ---- subjects */

static bool is_sid(uint32_t behavior)
{
	return behavior >= SRV6_END && behavior != SRV6_H_M_GTP4_D;
}

/* Segments and next hops that no route can lead to have a row of their own. */
static bool routable(const struct in6_addr *a)
{
	return !IN6_IS_ADDR_UNSPECIFIED(a) && !IN6_IS_ADDR_LOOPBACK(a) && !IN6_IS_ADDR_MULTICAST(a) &&
	       !IN6_IS_ADDR_LINKLOCAL(a) && !IN6_IS_ADDR_V4MAPPED(a);
}

static struct srv6_prefix target(const struct srv6_encap *e)
{
	struct srv6_prefix none;

	memset(&none, 0, sizeof(none)); /* all of it: targets are compared as bytes */
	if (encap_has(e, SRV6_ATTR_SEGS) && e->n_segs)
		return routable(&e->segs[0]) ? net_in6(&e->segs[0]) : none;
	if (encap_has(e, SRV6_ATTR_NH6))
		return routable(&e->nh6) ? net_in6(&e->nh6) : none;
	if (encap_has(e, SRV6_ATTR_NH4) && e->nh4.s_addr)
		return net_in4(&e->nh4);
	return none;
}

void make_subject(struct doctor *d, const struct srv6_op *op, const struct srv6_hop *hop, struct subject *s)
{
	memset(s, 0, sizeof(*s));
	s->op = op;
	s->route = op->u.route;
	s->hop = hop;
	s->encap = hop->encap;
	s->info = srv6_behavior_info(hop->encap->behavior, d->c->mobile);
	s->sid = is_sid(hop->encap->behavior);
	s->table = s->route->has & SRV6_HAS(ROUTE_TABLE) ? s->route->table : RT_TABLE_MAIN;
	s->dev = net_link(&d->env, hop->ifindex);
	s->vrf = net_vrf(&d->env, s->table);
	s->label = label(d, s);
	s->target = target(s->encap);
}

/* ---- the lists */

static int keep(struct srv6_op ***ops, size_t *n, size_t *cap, const struct srv6_op *op)
{
	size_t want = *cap ? *cap * 2 : 64;
	struct srv6_op **grown;
	int err;

	if (*n == *cap) {
		grown = realloc(*ops, want * sizeof(**ops));
		if (!grown)
			return -ENOMEM;
		*ops = grown;
		*cap = want;
	}
	err = srv6_copy(op, &(*ops)[*n]);
	if (!err)
		++*n;
	return err;
}

static int keep_route(const struct srv6_op *op, void *arg)
{
	struct doctor *d = arg;

	return keep(&d->ops, &d->n_ops, &d->cap_ops, op);
}

static int keep_nexthop(const struct srv6_op *op, void *arg)
{
	struct doctor *d = arg;

	return keep(&d->nexthops, &d->n_nexthops, &d->cap_nexthops, op);
}

static int keep_tunsrc(const struct srv6_op *op, void *arg)
{
	struct doctor *d = arg;

	d->tunsrc = op->u.tunsrc->addr;
	return 0;
}

/* The id alone: doctor has no use for secrets. */
static int keep_key(const struct srv6_op *op, void *arg)
{
	struct doctor *d = arg;
	size_t want = d->cap_keys ? d->cap_keys * 2 : 16;
	uint32_t *grown;

	if (d->n_keys == d->cap_keys) {
		grown = realloc(d->keys, want * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		d->keys = grown;
		d->cap_keys = want;
	}
	d->keys[d->n_keys++] = op->u.hmac->key_id;
	return 0;
}

static int list(struct doctor *d, uint32_t kind, uint32_t flags, srv6_cb cb)
{
	struct srv6_op match = { .kind = kind };
	int err = srv6_dump(d->c->s, &match, flags, cb, d);

	if (err == -ESTALE) {
		d->partial = true;
		err = 0;
	}
	return err;
}

/* Without the privilege for it the rest is still worth having. */
static int may_lack(struct doctor *d, int err, const char *what)
{
	if (!err)
		return 0;
	if (err == -EPERM || err == -EACCES)
		not_checked(d, "%s: reading needs CAP_NET_ADMIN in the initial user namespace", what);
	else
		not_checked(d, "%s: %s", what, srv6_error(d->c->s)->text);
	return err;
}

static int read_state(struct doctor *d)
{
	int err;

	if (!handle(d->c))
		return d->c->failure.e.code;
	err = list(d, SRV6_ROUTE, SRV6_DUMP_ENCAP, keep_route);
	if (!err)
		err = list(d, SRV6_NEXTHOP, 0, keep_nexthop);
	if (err)
		return fail_lib(d->c, NULL, srv6_error(d->c->s));
	d->tunsrc_error = may_lack(d, list(d, SRV6_TUNSRC, 0, keep_tunsrc), "the namespace's tunnel source");
	d->keys_error = may_lack(d, list(d, SRV6_HMAC, 0, keep_key), "HMAC keys");
	return 0;
}

/* ---- from routes to subjects */

static const struct srv6_nexthop *nexthop(const struct doctor *d, uint32_t id)
{
	for (size_t i = 0; i < d->n_nexthops; i++)
		if (d->nexthops[i]->u.nexthop->id == id)
			return d->nexthops[i]->u.nexthop;
	return NULL;
}

static bool hop_counts(const struct srv6_hop *h)
{
	struct srv6_hop one = *h;
	struct srv6_route r = { .sz = sizeof(r) };
	struct srv6_op op = { .kind = SRV6_ROUTE, .u.route = &r };

	if (!h->encap)
		return false;
	r.hops = &one;
	r.n_hops = 1;
	return op_is_srv6(&op);
}

/* Calls add for each hop of op; where the kernel does not list them (net.ipv4.nexthop_compat_mode 0), those of its
 * object. */
static void each_hop(struct doctor *d, const struct srv6_op *op,
		     void (*add)(struct doctor *d, const struct srv6_op *op, const struct srv6_hop *h))
{
	const struct srv6_route *r = op->u.route;
	const struct srv6_nexthop *nh = r->has & SRV6_HAS(NHID) && !r->n_hops ? nexthop(d, r->nhid) : NULL;
	const struct srv6_nexthop *member;

	for (uint32_t i = 0; i < r->n_hops; i++)
		if (hop_counts(&r->hops[i]))
			add(d, op, &r->hops[i]);
	if (nh && nh->hop && hop_counts(nh->hop))
		add(d, op, nh->hop);
	for (uint32_t i = 0; nh && i < nh->n_group; i++) {
		member = nexthop(d, nh->group[i].id);
		if (member && member->hop && hop_counts(member->hop))
			add(d, op, member->hop);
	}
}

static void count_hop(struct doctor *d, const struct srv6_op *op, const struct srv6_hop *h)
{
	(void)op;
	(void)h;
	d->n_subjects++;
}

static void add_hop(struct doctor *d, const struct srv6_op *op, const struct srv6_hop *h)
{
	make_subject(d, op, h, &d->subjects[d->n_subjects++]);
}

static bool same_prefix(const struct srv6_prefix *a, const struct srv6_prefix *b)
{
	return a->len == b->len && net_contains(a, b);
}

static bool table_matches(const struct doctor *d, const struct subject *s)
{
	return !d->wanted_table || d->wanted_table == s->table;
}

/* The length of the entries asked about: that of the prefix given if it is there, else the longest that holds it; -1:
 * none. */
static int wanted_len(const struct doctor *d)
{
	int len = -1;

	for (size_t i = 0; i < d->n_subjects; i++) {
		const struct subject *s = &d->subjects[i];

		if (!table_matches(d, s) || s->route->dst.len > d->wanted.len)
			continue;
		if (net_contains(&s->route->dst, &d->wanted) && s->route->dst.len > len)
			len = s->route->dst.len;
	}
	return len;
}

/* Those asked about go to the front. */
static void sort_out(struct doctor *d)
{
	int len = d->wanted.family ? wanted_len(d) : 0;
	struct srv6_prefix want = d->wanted;
	struct subject s;

	d->n_asked = 0;
	if (len >= 0)
		want.len = (uint8_t)len;
	for (size_t i = 0; i < d->n_subjects && len >= 0; i++) {
		if (!table_matches(d, &d->subjects[i]))
			continue;
		if (d->wanted.family && !same_prefix(&d->subjects[i].route->dst, &want))
			continue;
		s = d->subjects[i];
		d->subjects[i] = d->subjects[d->n_asked];
		d->subjects[d->n_asked++] = s;
	}
}

/* ---- where each leads */

struct best {
	const struct srv6_prefix *addr;
	struct srv6_op *op;
};

static int longer(const struct srv6_op *op, void *arg)
{
	struct best *b = arg;

	if (!net_contains(&op->u.route->dst, b->addr) || (b->op && b->op->u.route->dst.len >= op->u.route->dst.len))
		return 0;
	free(b->op);
	b->op = NULL;
	return srv6_copy(op, &b->op);
}

/* The kernel answers no lookup in a given table: its entries are compared here. */
static int look_up_in(struct doctor *d, const struct srv6_prefix *addr, uint32_t table, struct srv6_op **ret)
{
	struct srv6_route r = { .sz = sizeof(r) };
	struct srv6_op match = { .kind = SRV6_ROUTE, .u.route = &r };
	struct best best = { addr, NULL };
	int err;

	r.has = SRV6_HAS(ROUTE_TABLE);
	r.table = table;
	r.dst.family = addr->family;
	err = srv6_dump(d->c->s, &match, 0, longer, &best);
	if ((err && err != -ESTALE) || !best.op) {
		free(best.op);
		return err && err != -ENOENT ? err : -ENETUNREACH;
	}
	*ret = best.op;
	return 0;
}

int find_way(struct doctor *d, const struct subject *s, struct srv6_op **ret)
{
	if (encap_has(s->encap, SRV6_ATTR_LOOKUP))
		return look_up_in(d, &s->target, s->encap->lookup, ret);
	/* What came in through a VRF is looked up there again once it is encapsulated. */
	return net_lookup(&d->env, &s->target, s->vrf && !s->sid ? s->vrf->ifindex : 0, ret);
}

static int by_target(const void *a, const void *b)
{
	const struct subject *x = *(const struct subject *const *)a, *y = *(const struct subject *const *)b;
	uint32_t vx = x->vrf ? x->vrf->ifindex : 0, vy = y->vrf ? y->vrf->ifindex : 0;
	int cmp = memcmp(&x->target, &y->target, sizeof(x->target));

	if (cmp || vx != vy)
		return cmp ? cmp : (vx > vy) - (vx < vy);
	if (x->sid != y->sid)
		return x->sid - y->sid;
	return (x->encap->lookup > y->encap->lookup) - (x->encap->lookup < y->encap->lookup);
}

static const struct net_link *egress(const struct doctor *d, const struct srv6_op *way)
{
	const struct srv6_route *r = way ? way->u.route : NULL;

	return r && r->n_hops ? net_link(&d->env, r->hops[0].ifindex) : NULL;
}

/* A lookup for each place that packets are sent to, however many routes send them there. The ways lie in d->ops' tail.
 */
static int find_ways(struct doctor *d)
{
	struct subject **sorted = take(d->a, (d->n_asked + 1) * sizeof(*sorted));
	struct srv6_op *op;
	int err = 0;

	for (size_t i = 0; i < d->n_asked; i++)
		sorted[i] = &d->subjects[i];
	sort_rows(sorted, d->n_asked, sizeof(*sorted), by_target);
	for (size_t i = 0; i < d->n_asked && !err; i++) {
		struct subject *s = sorted[i];

		if (s->target.family == AF_UNSPEC)
			continue;
		if (i && !by_target(&sorted[i - 1], &sorted[i])) {
			s->way = sorted[i - 1]->way;
			s->way_error = sorted[i - 1]->way_error;
		} else {
			op = NULL;
			s->way_error = find_way(d, s, &op);
			err = op ? keep_route(op, d) : 0;
			s->way = op && !err ? d->ops[d->n_ops - 1] : NULL;
			free(op);
		}
		s->egress = egress(d, s->way);
	}
	return err;
}

/* ---- devices that matter */

static void use(struct doctor *d, const struct net_link *l, const struct subject *s, const char *as, bool needs_ipv6)
{
	if (!l)
		return;
	for (size_t i = 0; i < d->n_used; i++) {
		if (d->used[i].link == l) {
			d->used[i].needs_ipv6 |= needs_ipv6;
			return;
		}
	}
	d->used[d->n_used++] = (struct used){ l, s, as, needs_ipv6 };
}

static void find_used(struct doctor *d)
{
	d->used = take(d->a, (d->env.n_links + 1) * sizeof(*d->used));
	for (size_t i = 0; i < d->n_asked; i++) {
		const struct subject *s = &d->subjects[i];
		const struct srv6_encap *e = s->encap;

		if (encap_has(e, SRV6_ATTR_VRFTABLE))
			use(d, net_vrf(&d->env, e->vrftable), s, "the VRF", true);
		use(d, s->egress, s, "the way out", s->target.family == AF_INET6);
		if (!s->sid)
			use(d, s->dev, s, "the device", true);
		if (encap_has(e, SRV6_ATTR_OIF))
			use(d, net_link(&d->env, e->oif), s, "oif", e->behavior != SRV6_END_DX2);
	}
}

/* ---- all of it */

static int build(struct doctor *d)
{
	size_t routes = d->n_ops;

	d->n_subjects = 0;
	for (size_t i = 0; i < routes; i++)
		each_hop(d, d->ops[i], count_hop);
	d->subjects = take(d->a, (d->n_subjects + 1) * sizeof(*d->subjects));
	d->n_subjects = 0;
	for (size_t i = 0; i < routes; i++)
		each_hop(d, d->ops[i], add_hop);
	sort_out(d);
	return find_ways(d);
}

int doctor_read(struct doctor *d)
{
	const char *what = "";
	int err = netenv_read(&d->env, d->a, &what);

	if (err)
		return fail(d->c, NULL, NO_WORD, err, "can't read %s: %s", what, strerror(-err));
	err = read_state(d);
	if (err)
		return err;
	err = build(d);
	if (err)
		return fail(d->c, NULL, NO_WORD, err, "can't follow the routes: %s", strerror(-err));
	find_used(d);
	if (d->env.frr_error)
		not_checked(d, "FRR: which network namespace another user's zebra runs in");
	return 0;
}

void doctor_forget(struct doctor *d)
{
	netenv_close(&d->env);
	for (size_t i = 0; i < d->n_ops; i++)
		free(d->ops[i]);
	for (size_t i = 0; i < d->n_nexthops; i++)
		free(d->nexthops[i]);
	free(d->ops);
	free(d->nexthops);
	free(d->keys);
	d->ops = d->nexthops = NULL;
	d->keys = NULL;
	d->n_ops = d->cap_ops = d->n_nexthops = d->cap_nexthops = d->n_keys = d->cap_keys = 0;
	d->n_used = d->n_subjects = d->n_asked = 0;
	d->findings = NULL;
	d->notes = NULL;
	d->tables = NULL;
	d->tunsrc = (struct in6_addr)IN6ADDR_ANY_INIT;
	d->widest.asked = false;
}

/* ---- changes */

static const struct srv6_op *nexthop_op(const struct doctor *d, const struct srv6_hop *hop, uint32_t id)
{
	for (size_t i = 0; i < d->n_nexthops; i++) {
		const struct srv6_nexthop *nh = d->nexthops[i]->u.nexthop;

		if (nh->id == id && nh->hop && nh->hop->encap &&
		    (nh->hop == hop || !srv6_diff_encap(hop->encap, nh->hop->encap, 0, NULL)))
			return d->nexthops[i];
	}
	return NULL;
}

static void *copy_of(struct doctor *d, const void *from, size_t size)
{
	void *to = take(d->a, size);

	memcpy(to, from, size);
	return to;
}

static void edit_nexthop(struct doctor *d, const struct srv6_op *op, struct edit *e)
{
	struct srv6_nexthop *nh = copy_of(d, op->u.nexthop, sizeof(*nh));

	e->hop = copy_of(d, nh->hop, sizeof(*e->hop));
	nh->hop = e->hop;
	e->op->kind = SRV6_NEXTHOP;
	e->op->u.nexthop = nh;
}

static void edit_route(struct doctor *d, const struct subject *s, struct edit *e)
{
	struct srv6_hop *hops = copy_of(d, s->route->hops, s->route->n_hops * sizeof(*hops));

	e->route = copy_of(d, s->route, sizeof(*e->route));
	e->route->hops = hops;
	e->hop = &hops[s->hop - s->route->hops];
	e->op->u.route = e->route;
}

struct edit edit(struct doctor *d, const struct subject *s, uint32_t verb)
{
	bool object = s->route->has & SRV6_HAS(NHID);
	const struct srv6_op *nh = object ? nexthop_op(d, s->hop, s->route->nhid) : NULL;
	struct edit e = { 0 };

	if (s->encap->behavior == SRV6_OTHER || (object && !nh))
		return e;
	e.op = take(d->a, sizeof(*e.op));
	e.op->verb = verb;
	e.op->kind = SRV6_ROUTE;
	if (object)
		edit_nexthop(d, nh, &e);
	else
		edit_route(d, s, &e);
	e.encap = copy_of(d, e.hop->encap, sizeof(*e.encap));
	e.hop->encap = e.encap;
	return e;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One of tests/soak/run's processes: random changes of a table of its own by the library, a model of it kept beside, and both
 * compared again and again. usage: worker TABLE DEVICE SEED SECONDS. Prints what was done; exit status 1: they differ.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <libsrv6/libsrv6.h>

#define PLACES 64
#define VALUES 6
#define BATCH  24
#define ABSENT -1

struct value {
	struct in6_addr segs[3];
	struct srv6_encap encap;
	struct srv6_hop hop;
	struct srv6_route route;
};

static struct value values[PLACES][VALUES];
static int model[PLACES], seen[PLACES];
static unsigned long n_ops, n_lists, n_undone, n_caps;

static void die(const char *what, const struct srv6_error *err)
{
	fprintf(stderr, "%s: %s (%d, op %llu, state %u)\n", what, err ? err->text : "", err ? err->code : 0,
		err ? (unsigned long long)err->op : 0, err ? err->state : 0);
	exit(1);
}

static void value_make(struct value *v, unsigned int place, unsigned int n, uint32_t table, uint32_t device)
{
	static const uint32_t behaviors[VALUES] = { SRV6_H_ENCAPS, SRV6_H_ENCAPS_RED, SRV6_H_ENCAPS,
						    SRV6_END,      SRV6_END_X,        SRV6_END_DT6 };
	struct srv6_encap *e = &v->encap;

	for (unsigned int i = 0; i < 3; i++) {
		inet_pton(AF_INET6, "fc00::", &v->segs[i]);
		v->segs[i].s6_addr[7] = (uint8_t)n;
		v->segs[i].s6_addr[15] = (uint8_t)(i + 1);
	}
	*e = (struct srv6_encap){
		.sz = sizeof(*e), .behavior = behaviors[n], .segs = v->segs, .n_segs = n + 1, .table = 254
	};
	e->has = n < 3 ? SRV6_HAS(SEGS) : n == 3 ? SRV6_HAS(COUNT) : n == 4 ? SRV6_HAS(NH6) : SRV6_HAS(TABLE);
	e->nh6 = v->segs[0];
	v->hop = (struct srv6_hop){ .encap = e, .has = SRV6_HAS(DEV), .ifindex = device };
	v->route = (struct srv6_route){ .sz = sizeof(v->route),
					.has = SRV6_HAS(ROUTE_TABLE),
					.table = table,
					.hops = &v->hop,
					.n_hops = 1,
					.dst = { .family = AF_INET6, .len = 64 } };
	inet_pton(AF_INET6, "2001:db8::", &v->route.dst.addr);
	v->route.dst.addr.in6.s6_addr[6] = (uint8_t)(table & 0xff);
	v->route.dst.addr.in6.s6_addr[7] = (uint8_t)place;
}

static unsigned int below(unsigned int n)
{
	return (unsigned int)random() % n;
}

/* A change that is valid where now says what is there; now becomes what it makes. */
static void change_make(struct srv6_op *op, struct srv6_route *bare, int *now)
{
	unsigned int place = below(PLACES), v = below(VALUES);

	*op = (struct srv6_op){ .verb = now[place] == ABSENT ? (below(2) ? SRV6_ADD : SRV6_REPLACE)
					: below(2)           ? SRV6_REPLACE
							     : SRV6_DEL,
				.kind = SRV6_ROUTE,
				.u.route = &values[place][v].route };
	if (op->verb == SRV6_DEL) {
		*bare = values[place][0].route;
		bare->hops = NULL;
		bare->n_hops = 0;
		op->u.route = below(2) ? bare : &values[place][now[place]].route;
		now[place] = ABSENT;
	} else {
		now[place] = (int)v;
	}
}

static void change_some(struct srv6 *s)
{
	static const uint32_t modes[] = { 0, SRV6_APPLY_ATOMIC, SRV6_APPLY_KEEP_GOING, SRV6_APPLY_NO_VERIFY,
					  SRV6_APPLY_KEEP_EQUAL };
	struct srv6_apply_opts ao = { .sz = sizeof(ao), .flags = modes[below(5)] };
	struct srv6_op ops[BATCH + 1];
	struct srv6_route bare[BATCH];
	size_t n = 1 + below(BATCH);
	int now[PLACES], r;
	bool fails = ao.flags == SRV6_APPLY_ATOMIC && below(2);

	memcpy(now, model, sizeof(now));
	for (size_t i = 0; i < n; i++)
		change_make(&ops[i], &bare[i], now);
	/* One that cannot be: all must be undone. */
	ops[n] = (struct srv6_op){ .verb = SRV6_CHANGE, .kind = SRV6_ROUTE, .u.route = &values[0][0].route };
	for (unsigned int p = 0; fails && p < PLACES; p++)
		if (now[p] == ABSENT)
			ops[n].u.route = &values[p][0].route;
	fails &= now[ops[n].u.route->dst.addr.in6.s6_addr[7]] == ABSENT;
	r = srv6_apply(s, ops, n + fails, &ao);
	if (!!r != fails || (fails && srv6_error(s)->state != SRV6_STATE_UNCHANGED))
		die(fails ? "what cannot be was done, or could not be undone" : "a valid change failed", srv6_error(s));
	if (!fails)
		memcpy(model, now, sizeof(now));
	n_ops += n;
	n_undone += fails;
}

static int list_cb(const struct srv6_op *op, void *arg)
{
	unsigned int place = op->u.route->dst.addr.in6.s6_addr[7];

	(void)arg;
	if (place >= PLACES || seen[place] != ABSENT)
		die("something that was never asked for is there", NULL);
	for (int v = 0; v < VALUES; v++) {
		struct srv6_op want = { .kind = SRV6_ROUTE, .u.route = &values[place][v].route };

		if (!srv6_diff(&want, op, 0, NULL))
			seen[place] = v;
	}
	return 0;
}

static void compare(struct srv6 *s, uint32_t table, bool last)
{
	struct srv6_route filter = {
		.sz = sizeof(filter), .has = SRV6_HAS(ROUTE_TABLE), .table = table, .dst = { .family = AF_INET6 }
	};
	struct srv6_op match = { .kind = SRV6_ROUTE, .u.route = &filter };
	int r;

	do {
		for (int i = 0; i < PLACES; i++)
			seen[i] = ABSENT;
		r = srv6_dump(s, &match, 0, list_cb, NULL);
	} while (r == -ESTALE && last);
	if (r == -ESTALE)
		return;
	if (r)
		die("the table cannot be listed", srv6_error(s));
	if (memcmp(seen, model, sizeof(model)))
		die("the table is not as the model says", NULL);
	n_lists++;
}

static int cap_cb(const struct srv6_cap *cap, void *arg)
{
	unsigned int *yes = arg;

	*yes += cap->can == SRV6_CAN_YES;
	return 0;
}

static void look_at_caps(void)
{
	struct srv6 *s;
	unsigned int yes = 0;

	if (srv6_open(&s, NULL))
		die("a second handle cannot be opened", NULL);
	if (srv6_caps(s, cap_cb, &yes))
		die("capabilities", srv6_error(s));
	if (yes < 10)
		die("hardly any capability is left", NULL);
	srv6_close(s);
	n_caps++;
}

int main(int argc, char **argv)
{
	uint32_t table = argc == 5 ? (uint32_t)atoi(argv[1]) : 0, device = argc == 5 ? if_nametoindex(argv[2]) : 0;
	time_t end = argc == 5 ? time(NULL) + atoi(argv[4]) : 0;
	struct srv6 *s;

	if (!table || !device || srv6_open(&s, NULL))
		return 2;
	srandom((unsigned int)atoi(argv[3]));
	for (unsigned int p = 0; p < PLACES; p++) {
		model[p] = ABSENT;
		for (unsigned int v = 0; v < VALUES; v++)
			value_make(&values[p][v], p, v, table, device);
	}
	for (unsigned int round = 1; time(NULL) < end; round++) {
		change_some(s);
		if (round % 16 == 0)
			compare(s, table, false);
		if (round % 512 == 0)
			look_at_caps();
		if (round % 256 == 0) {
			srv6_close(s);
			if (srv6_open(&s, NULL))
				die("the handle cannot be opened again", NULL);
		}
	}
	compare(s, table, true);
	srv6_close(s);
	printf("%lu changes, %lu batches undone, %lu lists equal to the model, capabilities looked at %lu times\n",
	       n_ops, n_undone, n_lists, n_caps);
	return 0;
}

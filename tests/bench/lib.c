/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The library's part of the benchmark. Changes are verified ones, through srv6_apply; the ops are made beforehand, as the
 * floor's messages are. Allocations are counted by standing in for malloc.
 *
 *	lib add|replace|del N [--dev DEV] [--sid K] [--no-verify] [--named]
 *		deletes name destination and device, as the floor's do; with --named the encapsulation too, which
 *		the kernel does not look at: the library then does
 *	lib list|stream N          srv6_dump of N routes at least, every field of interest read
 *	lib build|read N           one message, N times: no socket, no allocation
 *	lib follow N               folds events until N routes have come; says "ready" when it is in step
 */
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>
#include <net/if.h>
#include <linux/netlink.h>
#include <libsrv6/libsrv6.h>

#include "bench.h"

static uint64_t n_allocs;

void *malloc(size_t n)
{
	static void *(*next)(size_t);

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "malloc");
	n_allocs++;
	return next(n);
}

void *realloc(void *p, size_t n)
{
	static void *(*next)(void *, size_t);

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "realloc");
	n_allocs++;
	return next(p, n);
}

/* Through malloc: dlsym itself calls calloc. */
void *calloc(size_t n, size_t size)
{
	void *p = size && n > SIZE_MAX / size ? NULL : malloc(n * size);

	return p ? memset(p, 0, n * size) : NULL;
}

/* ------------------------------------------------------------------ ops */

struct item {
	struct srv6_route route;
	struct srv6_hop hop;
};

struct work {
	struct srv6 *s;
	struct srv6_encap encap;
	struct in6_addr segs[N_SEGS];
	struct item *items;
	struct srv6_op *ops;
	size_t n;
	uint64_t seen, sum, errors, lost;
	bool synced, named;
};

static void make(struct work *w, size_t i, uint32_t verb, uint32_t ifindex)
{
	struct item *it = &w->items[i];
	bool encap = verb != SRV6_DEL || w->named;

	it->hop = (struct srv6_hop){ .encap = encap ? &w->encap : NULL, .has = SRV6_HAS(DEV), .ifindex = ifindex };
	it->route = (struct srv6_route){ sizeof(it->route), .has = SRV6_HAS(DST), .n_hops = 1, .hops = &it->hop };
	it->route.dst.family = AF_INET6;
	it->route.dst.len = 64;
	it->route.dst.addr.in6 = bench_dst((uint32_t)i);
	w->ops[i] = (struct srv6_op){ .verb = verb, .kind = SRV6_ROUTE, .u.route = &it->route };
}

static int make_all(struct work *w, size_t n, uint32_t verb, const char *dev, uint8_t sid)
{
	uint32_t ifindex = if_nametoindex(dev);

	w->n = n;
	w->items = malloc(n * sizeof(*w->items));
	w->ops = malloc(n * sizeof(*w->ops));
	if (!w->items || !w->ops)
		return -ENOMEM;
	for (uint8_t k = 0; k < N_SEGS; k++)
		w->segs[k] = bench_seg(k, sid);
	w->encap = (struct srv6_encap){ sizeof(w->encap), .has = SRV6_HAS(SEGS), .behavior = SRV6_H_ENCAPS,
					.n_segs = N_SEGS, .segs = w->segs };
	for (size_t i = 0; i < n; i++)
		make(w, i, verb, ifindex);
	return 0;
}

/* ------------------------------------------------------------------ changes */

static void count_result(void *arg, size_t op, const struct srv6_error *err)
{
	struct work *w = arg;

	(void)op;
	w->seen += !err->code;
	w->errors += err->code != 0;
}

static int change(struct work *w, const char *step, uint32_t flags)
{
	struct srv6_apply_opts opts = { sizeof(opts), .flags = flags, .result = count_result, .arg = w };
	struct bench_clock from;
	char more[64];
	uint64_t allocs;
	int ret;

	ret = srv6_open(&w->s, NULL);
	if (ret)
		return ret;
	allocs = n_allocs;
	from = bench_now();
	ret = srv6_apply(w->s, w->ops, w->n, &opts);
	if (ret) {
		fprintf(stderr, "lib: %s\n", srv6_error(w->s)->text);
		return ret;
	}
	snprintf(more, sizeof(more), ",\"allocs\":%llu", (unsigned long long)(n_allocs - allocs));
	bench_report(step, w->n, from, more);
	return w->seen == w->n ? 0 : -EPROTO;
}

/* ------------------------------------------------------------------ lists */

static int look(const struct srv6_op *op, void *arg)
{
	const struct srv6_route *r = op->u.route;
	struct work *w = arg;

	if (op->kind != SRV6_ROUTE || r->n_hops != 1 || !r->hops[0].encap || r->hops[0].encap->n_segs != N_SEGS)
		return 0;
	w->seen++;
	w->sum += r->dst.addr.in6.s6_addr[7] + r->hops[0].encap->segs[N_SEGS - 1].s6_addr[15] + r->hops[0].ifindex;
	return 0;
}

static int list(struct work *w, const char *step, size_t n, uint32_t flags)
{
	struct srv6_route want = { sizeof(want), .has = SRV6_HAS(ROUTE_TABLE), .table = 254 };
	struct srv6_op match = { .kind = SRV6_ROUTE, .u.route = &want };
	struct bench_clock from;
	uint64_t allocs;
	char more[64];
	int ret;

	want.dst.family = AF_INET6;
	ret = srv6_open(&w->s, NULL);
	if (ret)
		return ret;
	allocs = n_allocs;
	from = bench_now();
	ret = srv6_dump(w->s, &match, flags, look, w);
	if (ret)
		return ret;
	snprintf(more, sizeof(more), ",\"allocs\":%llu", (unsigned long long)(n_allocs - allocs));
	bench_report(step, w->seen, from, more);
	return w->seen < n ? -ENOENT : 0;
}

/* ------------------------------------------------------------------ the codec alone */

static int build(struct work *w, const char *step, size_t n)
{
	struct srv6_build_opts opts = { sizeof(opts), .seq = 1 };
	_Alignas(8) char buf[4096];
	uint64_t allocs = n_allocs;
	struct bench_clock from = bench_now();
	char more[64];

	for (size_t i = 0; i < n; i++) {
		int ret = srv6_build(buf, sizeof(buf), &w->ops[i % w->n], &opts, NULL);

		if (ret)
			return ret;
		w->sum += ((struct nlmsghdr *)buf)->nlmsg_len;
	}
	snprintf(more, sizeof(more), ",\"allocs\":%llu", (unsigned long long)(n_allocs - allocs));
	bench_report(step, n, from, more);
	return 0;
}

static int read_back(struct work *w, const char *step, size_t n)
{
	static _Alignas(16) char mem[SRV6_READ_MEM];
	struct srv6_build_opts opts = { sizeof(opts), .seq = 1 };
	_Alignas(8) char buf[4096];
	uint64_t allocs = n_allocs;
	struct bench_clock from;
	struct srv6_op op;
	char more[64];
	int ret = srv6_build(buf, sizeof(buf), &w->ops[0], &opts, NULL);

	if (ret)
		return ret;
	from = bench_now();
	for (size_t i = 0; i < n; i++) {
		ret = srv6_read((void *)buf, mem, sizeof(mem), &op);
		if (ret)
			return ret;
		look(&op, w);
	}
	snprintf(more, sizeof(more), ",\"allocs\":%llu", (unsigned long long)(n_allocs - allocs));
	bench_report(step, n, from, more);
	return w->seen == n ? 0 : -EPROTO;
}

/* ------------------------------------------------------------------ events */

/* What a consumer that folds does: a set of routes, told here by the number in their destination. */
static int fold(const struct srv6_op *op, void *arg)
{
	struct work *w = arg;
	uint8_t *set = (uint8_t *)w->items;
	const uint8_t *a;
	size_t i;

	w->lost += op->verb == SRV6_LOST;
	w->synced = op->verb == SRV6_SYNCED ? true : op->verb == SRV6_LOST ? false : w->synced;
	if (op->kind != SRV6_ROUTE || (op->verb != SRV6_IS && op->verb != SRV6_DEL))
		return 0;
	a = op->u.route->dst.addr.in6.s6_addr;
	i = (size_t)a[4] << 24 | (size_t)a[5] << 16 | (size_t)a[6] << 8 | a[7];
	if (op->u.route->dst.family != AF_INET6 || a[0] != 0xfd || i >= w->n)
		return 0;
	w->sum++;
	w->seen += (uint64_t)((op->verb == SRV6_IS) - set[i]);
	set[i] = op->verb == SRV6_IS;
	return 0;
}

/* Waits at most ten seconds for something new. */
static int wait_for(struct work *w, bool (*done)(const struct work *))
{
	while (!done(w)) {
		struct pollfd p = { .fd = srv6_fd(w->s), .events = POLLIN };
		int ret = poll(&p, 1, 10000);

		if (ret <= 0)
			return ret ? -errno : -ETIMEDOUT;
		ret = srv6_process(w->s, 0, fold, w);
		if (ret)
			return ret;
	}
	return 0;
}

static bool in_step(const struct work *w)
{
	return w->synced;
}

static bool all_there(const struct work *w)
{
	return w->synced && w->seen == w->n;
}

static int follow(struct work *w, const char *step, size_t n)
{
	struct bench_clock from;
	char more[96];
	int ret = srv6_open(&w->s, NULL);

	w->n = n;
	w->items = calloc(n, 1);
	if (!ret)
		ret = w->items ? srv6_follow(w->s, SRV6_KIND(ROUTE)) : -ENOMEM;
	if (!ret)
		ret = wait_for(w, in_step);
	if (ret)
		return ret;
	puts("ready");
	fflush(stdout);
	from = bench_now();
	ret = wait_for(w, all_there);
	snprintf(more, sizeof(more), ",\"events\":%llu,\"lost\":%llu", (unsigned long long)w->sum,
		 (unsigned long long)w->lost);
	bench_report(step, w->seen, from, more);
	return ret;
}

/* ------------------------------------------------------------------ main */

struct args {
	size_t n;
	const char *dev;
	uint8_t sid;
	uint32_t flags;
	bool named;
};

static int do_change(struct work *w, const char *step, const struct args *a)
{
	uint32_t verb = step[0] == 'a' ? SRV6_ADD : step[0] == 'r' ? SRV6_REPLACE : SRV6_DEL;
	int ret;

	w->named = a->named;
	ret = make_all(w, a->n, verb, a->dev, a->sid);
	return ret ? ret : change(w, step, a->flags);
}

static int do_list(struct work *w, const char *step, const struct args *a)
{
	return list(w, step, a->n, step[0] == 's' ? SRV6_DUMP_STREAM : 0);
}

static int do_codec(struct work *w, const char *step, const struct args *a)
{
	int ret = make_all(w, 64, SRV6_ADD, "lo", a->sid);

	return ret ? ret : step[0] == 'b' ? build(w, step, a->n) : read_back(w, step, a->n);
}

static int do_follow(struct work *w, const char *step, const struct args *a)
{
	return follow(w, step, a->n);
}

static const struct step {
	const char *name;
	int (*fn)(struct work *w, const char *step, const struct args *a);
} steps[] = {
	{ "add", do_change },  { "replace", do_change }, { "del", do_change }, { "list", do_list },
	{ "stream", do_list }, { "build", do_codec },    { "read", do_codec }, { "follow", do_follow },
};

static const struct step *find(const char *name)
{
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (!strcmp(steps[i].name, name))
			return &steps[i];
	return NULL;
}

int main(int argc, char **argv)
{
	const struct step *step = argc > 2 ? find(argv[1]) : NULL;
	struct args a = { argc > 2 ? strtoul(argv[2], NULL, 10) : 0, "d0", 1, 0, false };
	struct work w = { 0 };
	int ret;

	for (int i = 3; i < argc; i++) {
		if (!strcmp(argv[i], "--dev") && i + 1 < argc)
			a.dev = argv[++i];
		else if (!strcmp(argv[i], "--sid") && i + 1 < argc)
			a.sid = (uint8_t)atoi(argv[++i]);
		else if (!strcmp(argv[i], "--no-verify"))
			a.flags |= SRV6_APPLY_NO_VERIFY;
		else if (!strcmp(argv[i], "--named"))
			a.named = true;
		else
			step = NULL;
	}
	if (!step || !a.n) {
		fprintf(stderr, "usage: lib add|replace|del|list|stream|build|read|follow N [--dev DEV] [--sid K] "
				"[--no-verify] [--named]\n");
		return 2;
	}
	ret = step->fn(&w, step->name, &a);
	srv6_close(w.s);
	free(w.items);
	free(w.ops);
	if (ret)
		fprintf(stderr, "lib: %s: %s\n", step->name, strerror(-ret));
	return ret ? 1 : 0;
}

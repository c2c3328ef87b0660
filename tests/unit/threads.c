/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A handle per thread, and sixteen threads: twelve change a table each and look at it, three follow what all of them do, one
 * asks what the kernel can. Nothing is shared but the library and the kernel. tests/run.sh builds it with ThreadSanitizer, for
 * which every datum that two threads meet at is an error. In a network namespace of its own; skipped (77) where there is none.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include <libsrv6/libsrv6.h>

/*
 * Read by ThreadSanitizer's runtime. The library makes namespaces in a child of one thread, which takes the others for leaks;
 * a child of a process with threads is no fault, as long as it makes nothing but system calls.
 */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
	return "report_thread_leaks=0:die_after_fork=0";
}

#define CHANGERS  12
#define FOLLOWERS 3
#define ROUTES    40
#define ROUNDS    6
#define TABLE     1000u

static pthread_barrier_t start;
static atomic_int changing = CHANGERS;
static atomic_bool failed;
static uint32_t lo;

static void wrong(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	failed = true;
}

static bool fine(struct srv6 *s, int n, const char *what, int err)
{
	if (err)
		wrong("thread %d: %s: %d: %s; %s", n, what, err, srv6_error(s)->text, srv6_error(s)->kernel);
	return !err;
}

/* ---- those that change */

struct table {
	struct in6_addr segs[2];
	struct srv6_encap encap;
	struct srv6_hop hop;
	struct srv6_route route[ROUTES];
	struct srv6_op op[ROUTES];
	uint32_t id;
	unsigned int seen, other;
};

static void fill(struct table *t, unsigned int n)
{
	*t = (struct table){ .id = TABLE + n };
	inet_pton(AF_INET6, "fc00:1::1", &t->segs[0]);
	inet_pton(AF_INET6, "fc00:2::1", &t->segs[1]);
	t->encap = (struct srv6_encap){ .sz = sizeof(t->encap),
					.has = SRV6_HAS(SEGS),
					.segs = t->segs,
					.n_segs = 2,
					.behavior = n % 2 ? SRV6_H_ENCAPS : SRV6_H_ENCAPS_RED };
	t->hop = (struct srv6_hop){ .encap = &t->encap, .has = SRV6_HAS(DEV), .ifindex = lo };
	for (unsigned int i = 0; i < ROUTES; i++) {
		struct srv6_route *r = &t->route[i];

		*r = (struct srv6_route){
			.sz = sizeof(*r), .has = SRV6_HAS(ROUTE_TABLE), .table = t->id, .hops = &t->hop, .n_hops = 1
		};
		r->dst.family = AF_INET6;
		r->dst.len = 64;
		inet_pton(AF_INET6, "2001:db8::", &r->dst.addr);
		r->dst.addr.in6.s6_addr[5] = (uint8_t)n;
		r->dst.addr.in6.s6_addr[7] = (uint8_t)i;
		t->op[i] = (struct srv6_op){ .verb = SRV6_ADD, .kind = SRV6_ROUTE, .u.route = r };
	}
}

static int count(const struct srv6_op *op, void *arg)
{
	struct table *t = arg;

	t->seen++;
	t->other += op->u.route->table != t->id || !op->u.route->n_hops ||
		    srv6_diff_encap(&t->encap, op->u.route->hops[0].encap, 0, NULL);
	return 0;
}

static bool holds(struct srv6 *s, struct table *t, int n, unsigned int wanted)
{
	struct srv6_route in = SRV6_INIT(struct srv6_route);
	struct srv6_op match = { .kind = SRV6_ROUTE, .u.route = &in };

	in.dst.family = AF_INET6;
	in.has = SRV6_HAS(ROUTE_TABLE);
	in.table = t->id;
	t->seen = t->other = 0;
	if (!fine(s, n, "dump", srv6_dump(s, &match, SRV6_DUMP_ENCAP, count, t)))
		return false;
	if (t->seen != wanted || t->other)
		wrong("thread %d: %u routes in its table, %u of them not its own; %u were made", n, t->seen, t->other,
		      wanted);
	return t->seen == wanted && !t->other;
}

static void verb_of_all(struct table *t, uint32_t verb)
{
	for (unsigned int i = 0; i < ROUTES; i++)
		t->op[i].verb = verb;
}

/* The last of them can't be: all the others are taken back. */
static bool undone(struct srv6 *s, struct table *t, int n)
{
	struct srv6_apply_opts atomic = { .sz = sizeof(atomic), .flags = SRV6_APPLY_ATOMIC };
	int err;

	verb_of_all(t, SRV6_ADD);
	t->op[ROUTES - 1].verb = SRV6_DEL;
	err = srv6_apply(s, t->op, ROUTES, &atomic);
	if (!err || srv6_error(s)->state != SRV6_STATE_UNCHANGED)
		wrong("thread %d: a deletion of nothing: %d, state %u: %s", n, err, srv6_error(s)->state,
		      srv6_error(s)->text);
	return err && holds(s, t, n, 0);
}

/* What needs no handle may run anywhere at once: it reads tables that never change. */
static bool tables_and_codec(struct table *t, int n)
{
	uint32_t buf[256], attr;
	uint64_t mem[SRV6_READ_MEM / 8];
	struct srv6_op back, *copy;
	bool ok;

	ok = srv6_behavior_find("seg6", "encap") == SRV6_H_ENCAPS &&
	     srv6_attr_find(SRV6_OWNER_ENCAP, "segs") == SRV6_ATTR_SEGS &&
	     !srv6_build(buf, sizeof(buf), &t->op[0], NULL, NULL) && !srv6_read((void *)buf, mem, sizeof(mem), &back) &&
	     !srv6_diff(&t->op[0], &back, 0, &attr) && !srv6_copy(&back, &copy);
	if (!ok) {
		wrong("thread %d: the codec", n);
		return false;
	}
	free(copy);
	return true;
}

static void *change(void *arg)
{
	int n = (int)(intptr_t)arg;
	struct srv6 *s = NULL;
	struct table *t = malloc(sizeof(*t));
	bool ok = t && !srv6_open(&s, NULL);

	pthread_barrier_wait(&start);
	if (t)
		fill(t, (unsigned int)n);
	for (int round = 0; ok && round < ROUNDS; round++) {
		verb_of_all(t, round % 2 ? SRV6_REPLACE : SRV6_ADD);
		ok = fine(s, n, "add", srv6_apply(s, t->op, ROUTES, NULL)) && holds(s, t, n, ROUTES) &&
		     tables_and_codec(t, n);
		verb_of_all(t, SRV6_DEL);
		ok = ok && fine(s, n, "del", srv6_apply(s, t->op, ROUTES, NULL)) && undone(s, t, n);
	}
	if (!ok)
		failed = true;
	srv6_close(s);
	free(t);
	changing--;
	return NULL;
}

/* ---- those that follow */

struct view {
	int routes[CHANGERS];
	unsigned long adds, lost;
	bool synced;
};

static int event(const struct srv6_op *op, void *arg)
{
	struct view *v = arg;
	uint32_t n;

	v->lost += op->verb == SRV6_LOST;
	if (op->verb == SRV6_LOST || op->verb == SRV6_SYNCED) {
		v->synced = op->verb == SRV6_SYNCED;
		return 0;
	}
	if (op->kind != SRV6_ROUTE || op->u.route->table - TABLE >= CHANGERS)
		return 0;
	n = op->u.route->table - TABLE;
	v->adds += op->verb == SRV6_IS;
	v->routes[n] += op->verb == SRV6_DEL ? -1 : op->flags & SRV6_OP_REPLACED ? 0 : 1;
	return 0;
}

static bool empty(const struct view *v)
{
	for (int i = 0; i < CHANGERS; i++)
		if (v->routes[i])
			return false;
	return v->synced;
}

static void *follow(void *arg)
{
	int n = (int)(intptr_t)arg, idle = 0;
	struct srv6 *s = NULL;
	struct view v = { .synced = false };
	bool ok = !srv6_open(&s, NULL) && fine(s, n, "follow", srv6_follow(s, SRV6_KIND(ROUTE) | SRV6_KIND(NEXTHOP)));

	pthread_barrier_wait(&start);
	while (ok && (changing > 0 || !empty(&v))) {
		struct pollfd p = { .fd = srv6_fd(s), .events = POLLIN };

		poll(&p, 1, 100);
		idle = changing > 0 ? 0 : idle + 1;
		ok = fine(s, n, "process", srv6_process(s, 0, event, &v));
		if (ok && idle > 600) {
			wrong("thread %d: folded, the events leave routes that are gone", n);
			ok = false;
		}
	}
	if (ok && !v.adds)
		wrong("thread %d: no event came", n);
	if (!ok)
		failed = true;
	srv6_close(s);
	return NULL;
}

static void *ask(void *arg)
{
	int n = (int)(intptr_t)arg, can;
	struct srv6 *s = NULL;
	bool ok = !srv6_open(&s, NULL);

	pthread_barrier_wait(&start);
	while (ok && changing > 0) {
		can = srv6_can(s, SRV6_H_ENCAPS, SRV6_ATTR_NONE, 0);
		if (can < 0 && can != -EPERM)
			ok = fine(s, n, "can", can);
		srv6_close(s);
		s = NULL;
		ok = ok && !srv6_open(&s, NULL);
	}
	if (!ok)
		failed = true;
	srv6_close(s);
	return NULL;
}

/* ---- all of them */

/* Only root may unshare the network alone; others need a user namespace, which a process with threads can't make: ThreadSanitizer's has one. */
static int leave_host(char **argv)
{
	if (!unshare(CLONE_NEWNET))
		return 0;
	if (!getenv("SRV6_TEST_INSIDE")) {
		setenv("SRV6_TEST_INSIDE", "1", 1);
		execlp("unshare", "unshare", "--user", "--map-root-user", "--net", argv[0], NULL);
	}
	return -errno;
}

static int lo_up(void)
{
	struct ifreq ifr = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0), err;

	err = fd < 0 || ioctl(fd, SIOCSIFFLAGS, &ifr) ? -errno : 0;
	if (fd >= 0)
		close(fd);
	lo = if_nametoindex("lo");
	return err;
}

int main(int argc, char **argv)
{
	pthread_t thread[CHANGERS + FOLLOWERS + 1];
	int n = 0, err = leave_host(argv);

	(void)argc;
	if (!err)
		err = lo_up();
	if (err) {
		printf("no network namespace can be made here: %s\n", strerror(-err));
		return 77;
	}
	pthread_barrier_init(&start, NULL, CHANGERS + FOLLOWERS + 1);
	for (; n < CHANGERS + FOLLOWERS + 1; n++) {
		err = pthread_create(&thread[n], NULL,
				     n < CHANGERS               ? change
				     : n < CHANGERS + FOLLOWERS ? follow
								: ask,
				     (void *)(intptr_t)n);
		if (err) {
			printf("only %d threads could be made: %s\n", n, strerror(err));
			return 1;
		}
	}
	while (n)
		pthread_join(thread[--n], NULL);
	return failed;
}

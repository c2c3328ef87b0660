/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Every system call of the library, and every allocation, fails at its n-th use, for n = 1, 2, ... until an operation is through
 * without: against the running kernel, in a network namespace of the test's own. The linker leads the calls here (--wrap).
 *
 * However it fails, a change ends, and what the kernel holds then is what the library says: done where the result is 0, as
 * before where the error says so, anything only where the error says that it is not known. Descriptors and memory are as
 * before. The counter is in memory shared with the child that opens sockets in a namespace, whose calls count too.
 */
#include <arpa/inet.h>
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "message.h"
#include "suite.h"
#include "transact.h"

/* ---- what fails */

enum call {
	SEND,
	RECVMSG,
	RECVMMSG,
	RECV,
	POLL,
	SOCKET,
	BIND,
	GETSOCKNAME,
	SETSOCKOPT,
	GETSOCKOPT,
	SOCKETPAIR,
	CLONE,
	WAITPID,
	IOCTL,
	EVENTFD,
	EPOLL_CREATE,
	EPOLL_CTL,
	READ,
	WRITE,
	SETNS,
	UNSHARE,
	SENDMSG,
	OPEN,
	PREAD,
	LSEEK,
	FCNTL,
	MALLOC,
	N_CALLS
};

enum how {
	FAIL,  /* it does nothing and says error */
	DROP,  /* a datagram is lost, and the call says ENOBUFS */
	CUT,   /* a part of one, and the kernel says so */
	SHORT, /* half of one, and it does not; of a file, the rest is for the next time */
	CLOSED /* nobody is there any more, from then on; of a file, it ends here */
};

struct fault {
	enum call call;
	enum how how;
	int error;
};

/* What every call may say. Two say nothing else than one of them, or a child would be left behind. */
static const int errors[] = { EINTR, EAGAIN, ENOMEM, ENOBUFS, EMFILE };
static const int only[N_CALLS] = { [WAITPID] = EINTR, [MALLOC] = ENOMEM };

static const struct fault special[] = {
	{ SEND, CLOSED, EPIPE },
	{ RECVMSG, DROP, ENOBUFS },
	{ RECVMSG, CUT, 0 },
	{ RECVMSG, SHORT, 0 },
	{ RECVMSG, CLOSED, 0 },
	{ RECVMMSG, DROP, ENOBUFS },
	{ RECVMMSG, CUT, 0 },
	{ RECVMMSG, SHORT, 0 },
	{ RECVMMSG, CLOSED, 0 },
	{ RECV, CLOSED, 0 },
	{ READ, SHORT, 0 },
	{ READ, CLOSED, 0 },
	{ PREAD, SHORT, 0 },
	{ PREAD, CLOSED, 0 },
	{ UNSHARE, FAIL, ENOSPC },
	{ SENDMSG, FAIL, ETOOMANYREFS },
	{ SETSOCKOPT, FAIL, ENOPROTOOPT },
	{ BIND, FAIL, EADDRINUSE },
};

static struct fault faults[N_CALLS * ARRAY_SIZE(errors) + ARRAY_SIZE(special)];
static size_t n_faults;

static void make_faults(void)
{
	for (unsigned int call = 0; call < N_CALLS; call++)
		for (size_t i = 0; i < ARRAY_SIZE(errors); i++)
			if (!only[call] || only[call] == errors[i])
				faults[n_faults++] = (struct fault){ (enum call)call, FAIL, errors[i] };
	memcpy(&faults[n_faults], special, sizeof(special));
	n_faults += ARRAY_SIZE(special);
}

static struct state {
	const struct fault *fault; /* NULL: none armed */
	unsigned int countdown;    /* 1: the next one */
	bool fired;
	pid_t pid; /* the test's own */
} * state;

static long blocks; /* allocated and not freed */

static bool is_hit(enum call call)
{
	if (!state || !state->fault)
		return false;
	if (state->fired)
		return state->fault->how == CLOSED && (call == SEND || call == RECVMSG || call == RECVMMSG);
	if (state->fault->call != call || --state->countdown)
		return false;
	state->fired = true;
	return true;
}

/* What a call that is hit and does not do its work returns. */
static ssize_t hit(enum call call)
{
	if (state->fault->how == CLOSED && call != SEND)
		return 0;
	errno = state->fault->how == CLOSED ? EPIPE : state->fault->error ? state->fault->error : EIO;
	return -1;
}

/* ---- the calls */

#define PLAIN(call, type, name, params, args)                                                                          \
	type __real_##name params;                                                                                     \
	type __wrap_##name params;                                                                                     \
	type __wrap_##name params                                                                                      \
	{                                                                                                              \
		return is_hit(call) ? (type)hit(call) : __real_##name args;                                            \
	}

PLAIN(SEND, ssize_t, send, (int fd, const void *p, size_t n, int flags), (fd, p, n, flags))
PLAIN(RECV, ssize_t, recv, (int fd, void *p, size_t n, int flags), (fd, p, n, flags))
PLAIN(POLL, int, poll, (struct pollfd * p, nfds_t n, int timeout), (p, n, timeout))
PLAIN(SOCKET, int, socket, (int domain, int type, int protocol), (domain, type, protocol))
PLAIN(BIND, int, bind, (int fd, const struct sockaddr *a, socklen_t n), (fd, a, n))
PLAIN(GETSOCKNAME, int, getsockname, (int fd, struct sockaddr *a, socklen_t *n), (fd, a, n))
PLAIN(SETSOCKOPT, int, setsockopt, (int fd, int level, int o, const void *v, socklen_t n), (fd, level, o, v, n))
PLAIN(GETSOCKOPT, int, getsockopt, (int fd, int level, int o, void *v, socklen_t *n), (fd, level, o, v, n))
PLAIN(SOCKETPAIR, int, socketpair, (int domain, int type, int protocol, int fds[2]), (domain, type, protocol, fds))
PLAIN(WAITPID, pid_t, waitpid, (pid_t pid, int *status, int options), (pid, status, options))
PLAIN(EVENTFD, int, eventfd, (unsigned int v, int flags), (v, flags))
PLAIN(EPOLL_CREATE, int, epoll_create1, (int flags), (flags))
PLAIN(EPOLL_CTL, int, epoll_ctl, (int fd, int op, int what, struct epoll_event *ev), (fd, op, what, ev))
PLAIN(LSEEK, off_t, lseek, (int fd, off_t at, int from), (fd, at, from))
PLAIN(WRITE, ssize_t, write, (int fd, const void *p, size_t n), (fd, p, n))

ssize_t __real_read(int fd, void *p, size_t n);
ssize_t __wrap_read(int fd, void *p, size_t n);
ssize_t __wrap_read(int fd, void *p, size_t n)
{
	if (!is_hit(READ))
		return __real_read(fd, p, n);
	return state->fault->how == SHORT && n > 8 ? __real_read(fd, p, n / 2)
						   : hit(READ); /* an eventfd's 8 are never cut */
}

ssize_t __real_pread(int fd, void *p, size_t n, off_t at);
ssize_t __wrap_pread(int fd, void *p, size_t n, off_t at);
ssize_t __wrap_pread(int fd, void *p, size_t n, off_t at)
{
	if (!is_hit(PREAD))
		return __real_pread(fd, p, n, at);
	return state->fault->how == SHORT ? __real_pread(fd, p, n / 8, at) : hit(PREAD);
}

int __real_fcntl(int fd, int what, ...);
int __wrap_fcntl(int fd, int what, ...);
int __wrap_fcntl(int fd, int what, ...)
{
	va_list ap;
	long arg;

	va_start(ap, what);
	arg = va_arg(ap, long);
	va_end(ap);
	return is_hit(FCNTL) ? (int)hit(FCNTL) : __real_fcntl(fd, what, arg);
}

int __real_ioctl(int fd, unsigned long what, void *arg);
int __wrap_ioctl(int fd, unsigned long what, void *arg);
int __wrap_ioctl(int fd, unsigned long what, void *arg)
{
	return is_hit(IOCTL) ? (int)hit(IOCTL) : __real_ioctl(fd, what, arg);
}

/* Those that the library, or its child, makes by number. */
static const struct {
	long n;
	enum call call;
} by_number[] = {
	{ SYS_clone, CLONE },   { SYS_setns, SETNS },     { SYS_unshare, UNSHARE },
	{ SYS_socket, SOCKET }, { SYS_sendmsg, SENDMSG }, { SYS_openat, OPEN },
};

long __real_syscall(long n, ...);
long __wrap_syscall(long n, ...);
long __wrap_syscall(long n, ...)
{
	long a[5];
	va_list ap;

	va_start(ap, n);
	for (int i = 0; i < 5; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	for (size_t i = 0; i < ARRAY_SIZE(by_number); i++)
		if (by_number[i].n == n && is_hit(by_number[i].call))
			return hit(by_number[i].call);
	return __real_syscall(n, a[0], a[1], a[2], a[3], a[4]);
}

/* Never at the end of a message, which no one could tell from a datagram's. */
static ssize_t half(size_t n)
{
	return (ssize_t)(n / 2 & ~(size_t)3) + 2;
}

/* Where the kernel says that it is cut: before the last message, so that what is left looks whole. */
static ssize_t cut(const struct iovec *iov, size_t n)
{
	size_t at = 0, last = 0;
	struct nlmsghdr nlh;

	while (n - at >= sizeof(nlh)) {
		memcpy(&nlh, (const char *)iov->iov_base + at, sizeof(nlh));
		last = at;
		if (nlh.nlmsg_len < sizeof(nlh) || nlh.nlmsg_len > n - at)
			break;
		at += NLMSG_ALIGN(nlh.nlmsg_len) < n - at ? NLMSG_ALIGN(nlh.nlmsg_len) : n - at;
	}
	return last ? (ssize_t)last : half(n);
}

ssize_t __real_recvmsg(int fd, struct msghdr *m, int flags);
ssize_t __wrap_recvmsg(int fd, struct msghdr *m, int flags);
ssize_t __wrap_recvmsg(int fd, struct msghdr *m, int flags)
{
	ssize_t n;

	if (!is_hit(RECVMSG))
		return __real_recvmsg(fd, m, flags);
	/* What carries descriptors is never cut: they are lost with the kernel's knowledge only. */
	if (state->fault->how == FAIL || state->fault->how == CLOSED || m->msg_control)
		return hit(RECVMSG);
	n = __real_recvmsg(fd, m, flags);
	if (n < 0) {
		state->fired = false; /* nothing to spoil yet: the next time */
		state->countdown = 1;
		return n;
	}
	if (state->fault->how == DROP)
		return hit(RECVMSG);
	if (state->fault->how != CUT)
		return half((size_t)n);
	m->msg_flags |= MSG_TRUNC;
	return cut(m->msg_iov, (size_t)n);
}

int __real_recvmmsg(int fd, struct mmsghdr *m, unsigned int n, int flags, struct timespec *t);
int __wrap_recvmmsg(int fd, struct mmsghdr *m, unsigned int n, int flags, struct timespec *t);
int __wrap_recvmmsg(int fd, struct mmsghdr *m, unsigned int n, int flags, struct timespec *t)
{
	int r;

	if (!is_hit(RECVMMSG))
		return __real_recvmmsg(fd, m, n, flags, t);
	if (state->fault->how == CLOSED) {
		m->msg_len = 0;
		m->msg_hdr.msg_namelen = 0;
		return 1;
	}
	if (state->fault->how == FAIL)
		return (int)hit(RECVMMSG);
	r = __real_recvmmsg(fd, m, n, flags, t);
	if (r <= 0) {
		state->fired = false; /* nothing to spoil yet: the next time */
		state->countdown = 1;
		return r;
	}
	if (state->fault->how == DROP)
		return (int)hit(RECVMMSG);
	if (state->fault->how == CUT)
		m->msg_hdr.msg_flags |= MSG_TRUNC;
	m->msg_len = (unsigned int)(state->fault->how == CUT ? cut(m->msg_hdr.msg_iov, m->msg_len) : half(m->msg_len));
	return r;
}

void *__real_malloc(size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_malloc(size_t n)
{
	void *p = is_hit(MALLOC) ? NULL : __real_malloc(n);

	blocks += p != NULL;
	return p;
}

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size)
{
	void *p = is_hit(MALLOC) ? NULL : __real_calloc(n, size);

	blocks += p != NULL;
	return p;
}

void *__real_realloc(void *old, size_t n);
void *__wrap_realloc(void *old, size_t n);
void *__wrap_realloc(void *old, size_t n)
{
	void *p = is_hit(MALLOC) ? NULL : __real_realloc(old, n);

	blocks += p && !old;
	return p;
}

void __real_free(void *p);
void __wrap_free(void *p);
void __wrap_free(void *p)
{
	blocks -= p != NULL;
	__real_free(p);
}

/* ---- the namespace */

#define TABLE    7777
#define OBJECT   10
#define N_ROUTES 5
#define N_OPS    (N_ROUTES + 3)

enum is { ABSENT, OLD, NEW, OTHER }; /* what is at a place */

static struct srv6 *look; /* of a handle that nothing happens to */
static uint32_t device;
static struct in6_addr segments[2];
static struct srv6_encap encaps[2];
static struct srv6_hop hops[2];
static struct srv6_route routes[2][N_ROUTES];
static struct srv6_nexthop objects[2];
static struct srv6_tunsrc tunsrcs[2];
static struct srv6_hmac keys[2];

static void make_device(void)
{
	static const struct ifinfomsg up = { .ifi_flags = IFF_UP, .ifi_change = IFF_UP };
	struct message m;
	struct nlmsghdr *nlh = new_msg(&m, RTM_NEWLINK, &up, sizeof(up));
	struct ifinfomsg *ifi = (void *)((char *)nlh + MSG_HEAD);
	struct nlattr *info;
	struct ack ack;

	nlh->nlmsg_flags = NLM_F_CREATE | NLM_F_EXCL;
	put(nlh, IFLA_IFNAME, "d0", 3);
	info = put(nlh, IFLA_LINKINFO, NULL, 0);
	put(nlh, IFLA_INFO_KIND, "veth", 4);
	end_nest(nlh, info);
	ck_assert_int_eq(knl_talk(look, &look->route, nlh, NULL, NULL, &ack), 0);
	/* The other end gives it its carrier. */
	nlh->nlmsg_len = MSG_LEN(sizeof(*ifi));
	nlh->nlmsg_flags = 0;
	ifi->ifi_index = (int)if_nametoindex("veth0");
	ck_assert_int_eq(knl_talk(look, &look->route, nlh, NULL, NULL, &ack), 0);
	device = if_nametoindex("d0");
}

static void make_values(void)
{
	for (int v = 0; v < 2; v++) {
		inet_pton(AF_INET6, v ? "fc00::2" : "fc00::1", &segments[v]);
		encaps[v] = (struct srv6_encap){ .sz = sizeof(encaps[v]),
						 .has = SRV6_HAS(SEGS),
						 .behavior = SRV6_H_ENCAPS,
						 .segs = &segments[v],
						 .n_segs = 1 };
		hops[v] = (struct srv6_hop){ .has = SRV6_HAS(DEV), .ifindex = device, .encap = &encaps[v] };
		objects[v] = (struct srv6_nexthop){ .sz = sizeof(objects[v]),
						    .has = SRV6_HAS(NH_ID),
						    .id = OBJECT,
						    .family = AF_INET6,
						    .hop = &hops[v] };
		tunsrcs[v] = (struct srv6_tunsrc){ .sz = sizeof(tunsrcs[v]), .addr = segments[v] };
		keys[v] = (struct srv6_hmac){
			.sz = sizeof(keys[v]), .key_id = 7, .algo = 1, .secret = { v ? "two two" : "one one", 7 }
		};
		for (int i = 0; i < N_ROUTES; i++) {
			struct srv6_route *r = &routes[v][i];

			*r = (struct srv6_route){ .sz = sizeof(*r),
						  .has = SRV6_HAS(ROUTE_TABLE),
						  .table = TABLE,
						  .hops = &hops[v],
						  .n_hops = 1 };
			r->dst.family = AF_INET6;
			r->dst.len = 64;
			inet_pton(AF_INET6, "2001:db8::", &r->dst.addr);
			r->dst.addr.in6.s6_addr[7] = (uint8_t)i;
		}
	}
}

/* Places: the routes, the object, the tunnel source, the key. */
enum place { PLACE_OBJECT = N_ROUTES, PLACE_TUNSRC, PLACE_KEY, N_PLACES };

static struct srv6_op op_of(unsigned int place, uint32_t verb, unsigned int v)
{
	switch (place) {
	case PLACE_OBJECT:
		return (struct srv6_op){ .verb = verb, .kind = SRV6_NEXTHOP, .u.nexthop = &objects[v] };
	case PLACE_TUNSRC:
		return (struct srv6_op){ .verb = verb, .kind = SRV6_TUNSRC, .u.tunsrc = &tunsrcs[v] };
	case PLACE_KEY:
		return (struct srv6_op){ .verb = verb, .kind = SRV6_HMAC, .u.hmac = &keys[v] };
	default:
		return (struct srv6_op){ .verb = verb, .kind = SRV6_ROUTE, .u.route = &routes[v][place] };
	}
}

static unsigned int place_of(const struct srv6_op *op)
{
	return op->kind == SRV6_NEXTHOP  ? PLACE_OBJECT
	       : op->kind == SRV6_TUNSRC ? PLACE_TUNSRC
	       : op->kind == SRV6_HMAC   ? PLACE_KEY
					 : op->u.route->dst.addr.in6.s6_addr[7];
}

static int look_cb(const struct srv6_op *op, void *arg)
{
	uint8_t *is = arg;
	unsigned int place;

	if (op->kind == SRV6_ROUTE && (op->u.route->dst.len != 64 || op->u.route->dst.addr.in6.s6_addr[7] >= N_ROUTES))
		return 0;
	if (op->kind == SRV6_NEXTHOP && op->u.nexthop->id != OBJECT)
		return 0;
	if (op->kind == SRV6_TUNSRC && IN6_IS_ADDR_UNSPECIFIED(&op->u.tunsrc->addr))
		return 0;
	place = place_of(op);
	if (is[place] != ABSENT) {
		is[place] = OTHER; /* two of them */
		return 0;
	}
	is[place] = OTHER;
	for (unsigned int v = 0; v < 2; v++) {
		struct srv6_op want = op_of(place, SRV6_IS, v);

		if (!srv6_diff(&want, op, 0, NULL))
			is[place] = v ? NEW : OLD;
	}
	return 0;
}

static void look_at(uint8_t is[N_PLACES], bool generic)
{
	struct srv6_route filter = {
		.sz = sizeof(filter), .has = SRV6_HAS(ROUTE_TABLE), .table = TABLE, .dst = { .family = AF_INET6 }
	};
	const struct srv6_op match[] = { { .kind = SRV6_ROUTE, .u.route = &filter },
					 { .kind = SRV6_NEXTHOP },
					 { .kind = SRV6_TUNSRC },
					 { .kind = SRV6_HMAC } };

	memset(is, ABSENT, N_PLACES);
	for (size_t i = 0; i < (generic ? 4u : 2u); i++)
		if (srv6_dump(look, &match[i], 0, look_cb, is))
			ck_abort_msg("it cannot be looked at: %s", srv6_error(look)->text);
}

/* Makes it as it was before. */
static void make(const uint8_t before[N_PLACES], bool generic)
{
	uint8_t is[N_PLACES];

	look_at(is, generic);
	for (int pass = 0; pass < 2; pass++) {
		for (unsigned int i = 0; i < N_PLACES; i++) {
			uint32_t verb = before[i] == ABSENT ? SRV6_DEL : SRV6_REPLACE;
			struct srv6_op op = op_of(i, verb, 0);
			struct srv6_route bare = routes[0][i < N_ROUTES ? i : 0];
			struct srv6_nexthop bare_object = objects[0];

			if (is[i] == before[i] || (verb == SRV6_DEL) == pass)
				continue;
			bare.hops = NULL;
			bare.n_hops = 0;
			if (verb == SRV6_DEL && i < N_ROUTES)
				op.u.route = &bare;
			bare_object.hop = NULL;
			if (verb == SRV6_DEL && i == PLACE_OBJECT)
				op.u.nexthop = &bare_object;
			if (verb == SRV6_DEL && i == PLACE_TUNSRC)
				op.u.tunsrc = NULL;
			/* The routes of an object go with it. */
			if (srv6_apply(look, &op, 1, NULL) && srv6_error(look)->code != -ESRCH)
				ck_abort_msg("it cannot be made: %s", srv6_error(look)->text);
		}
	}
	look_at(is, generic);
	if (memcmp(is, before, N_PLACES))
		ck_abort_msg("it is not as it was to be made");
}

static void setup(void)
{
	uint8_t is[N_PLACES];

	state = mmap(NULL, sizeof(*state), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(state, MAP_FAILED);
	memset(state, 0, sizeof(*state));
	ck_assert_int_eq(unshare(CLONE_NEWNET), 0);
	ck_assert_int_eq(srv6_open(&look, NULL), 0);
	make_device();
	make_values();
	look_at(is, true);
	ck_assert_int_eq(srv6_apply(look, NULL, 0, NULL), 0); /* what it keeps to itself it has now: sockets, memory */
}

static void teardown(void)
{
	srv6_close(look);
}

static int count_fds(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	while (d && readdir(d))
		n++;
	closedir(d);
	return n;
}

/* ---- the walk */

static const char *now_running;

#define SAY  "%s, fault %zu (call %d, how %d, %s) at use %u: "
#define SAID now_running, f - faults, f->call, f->how, strerror(f->error), n
/* check is asked when something is wrong only: its own memory would be counted. */
#define HOLD(c, ...)                                                                                                   \
	do {                                                                                                           \
		if (!(c))                                                                                              \
			ck_abort_msg(SAY __VA_ARGS__);                                                                 \
	} while (0)

typedef void (*walk_fn)(void *arg, const struct fault *f, unsigned int n);

/* Runs it with each fault at each use, until it no longer gets there. */
static unsigned int walk(const char *name, walk_fn run, void *arg, unsigned int step)
{
	unsigned int runs = 0;

	now_running = name;
	for (size_t i = 0; i < n_faults; i++) {
		const struct fault *f = &faults[i];
		bool fired = true;

		for (unsigned int n = 1; fired; n += step) {
			int fds = count_fds();
			long held = blocks;

			*state = (struct state){ .fault = f, .countdown = n };
			run(arg, f, n);
			fired = state->fired;
			state->fault = NULL;
			runs++;
			HOLD(count_fds() == fds, "descriptors left open: %d", SAID, count_fds() - fds);
			HOLD(blocks == held, "blocks of memory left: %ld", SAID, blocks - held);
			HOLD(n < 4000, "it never ends", SAID);
		}
	}
	return runs;
}

static void disarm(void)
{
	/* What fired is kept: the walk looks. */
	state->fault = NULL;
}

/* ---- changes */

struct scene {
	const char *name;
	struct srv6_op ops[N_OPS];
	size_t n;
	uint8_t before[N_PLACES], after[N_PLACES];
	uint32_t flags;
	bool generic;
	bool fails; /* one of them is refused by the kernel, whatever else happens */
	/* what the results said */
	int code[N_OPS], told[N_OPS];
	uint32_t state[N_OPS];
};

static void result(void *arg, size_t op, const struct srv6_error *err)
{
	struct scene *sc = arg;

	sc->told[op]++;
	sc->code[op] = err->code;
	sc->state[op] = err->state;
}

static void check_results(const struct scene *sc, const uint8_t is[N_PLACES], const struct srv6_error *err,
			  const struct fault *f, unsigned int n)
{
	bool atomic = sc->flags & SRV6_APPLY_ATOMIC;

	for (size_t i = 0; i < sc->n; i++) {
		unsigned int p = place_of(&sc->ops[i]);

		HOLD(sc->told[i] == 1, "op %zu was told %d times", SAID, i, sc->told[i]);
		if (!sc->code[i])
			HOLD(is[p] == sc->after[p], "op %zu counts as done, and is %d", SAID, i, is[p]);
		else if (!atomic && sc->state[i] == SRV6_STATE_UNCHANGED)
			HOLD(is[p] == sc->before[p], "op %zu counts as not done (%d), and is %d (%s)", SAID, i,
			     sc->code[i], is[p], err->text);
	}
}

static void check_state(const struct scene *sc, const uint8_t is[N_PLACES], const struct srv6_error *err,
			const struct fault *f, unsigned int n)
{
	for (size_t i = 0; i < sc->n; i++) {
		unsigned int p = place_of(&sc->ops[i]);

		if (sc->flags & SRV6_APPLY_KEEP_GOING)
			continue; /* the results tell */
		if (err->state == SRV6_STATE_UNCHANGED)
			HOLD(is[p] == sc->before[p], "unchanged, it says, and op %zu is %d: %s", SAID, i, is[p],
			     err->text);
		if (err->state == SRV6_STATE_DONE)
			HOLD(is[p] == (i < err->op ? sc->after : sc->before)[p],
			     "done before %d, it says, and op %zu is %d: %s", SAID, (int)err->op, i, is[p], err->text);
	}
}

static void run_scene(void *arg, const struct fault *f, unsigned int n)
{
	struct scene *sc = arg;
	struct srv6_apply_opts ao = { .sz = sizeof(ao), .flags = sc->flags, .result = result, .arg = sc };
	struct srv6_error err = { .code = 0 };
	uint8_t is[N_PLACES];
	struct srv6 *s = NULL;
	int r;

	state->fault = NULL;
	make(sc->before, sc->generic);
	memset(sc->told, 0, sizeof(sc->told));
	state->fault = f;
	r = srv6_open(&s, NULL);
	if (r) {
		HOLD(!s, "a handle beside the failure", SAID);
		disarm();
		return;
	}
	s->timeout = 15;
	r = srv6_apply(s, sc->ops, sc->n, &ao);
	err = *srv6_error(s);
	srv6_close(s);
	disarm();
	look_at(is, sc->generic);
	HOLD(r == err.code, "%d is returned, and the error says %d", SAID, r, err.code);
	HOLD(r <= 0 && (!r || *err.text), "%d without a text", SAID, r);
	HOLD(!sc->fails || r, "what cannot be done counts as done", SAID);
	check_results(sc, is, &err, f, n);
	if (r)
		check_state(sc, is, &err, f, n);
	else
		HOLD(!memcmp(is, sc->after, N_PLACES), "not as asked", SAID);
}

static void scene_add(struct scene *sc, unsigned int place, uint32_t verb, enum is before, enum is after)
{
	sc->ops[sc->n++] = op_of(place, verb, after == NEW);
	sc->before[place] = (uint8_t)before;
	sc->after[place] = (uint8_t)after;
	sc->generic |= place > PLACE_OBJECT;
}

static const uint32_t modes[] = { 0, SRV6_APPLY_ATOMIC, SRV6_APPLY_KEEP_GOING };

START_TEST(adds)
{
	struct scene sc = { .flags = modes[_i] };

	for (unsigned int i = 0; i < 4; i++)
		scene_add(&sc, i, SRV6_ADD, ABSENT, NEW);
	ck_assert_uint_gt(walk("adds", run_scene, &sc, 1), 50);
}
END_TEST

START_TEST(replaces)
{
	struct scene sc = { .flags = modes[_i] };

	for (unsigned int i = 0; i < 4; i++)
		scene_add(&sc, i, SRV6_REPLACE, OLD, NEW);
	ck_assert_uint_gt(walk("replaces", run_scene, &sc, 1), 50);
}
END_TEST

START_TEST(deletes)
{
	struct scene sc = { .flags = modes[_i % 3] };

	for (unsigned int i = 0; i < 4; i++) {
		scene_add(&sc, i, SRV6_DEL, OLD, ABSENT);
		sc.ops[i].flags = _i >= 3 ? SRV6_OP_EXACT : 0;
	}
	ck_assert_uint_gt(walk("deletes", run_scene, &sc, 1), 50);
}
END_TEST

/* An object and routes: its undo is of another kind than theirs. */
START_TEST(objects_too)
{
	struct scene sc = { .flags = modes[_i % 3] };

	scene_add(&sc, PLACE_OBJECT, _i < 3 ? SRV6_ADD : SRV6_DEL, _i < 3 ? ABSENT : OLD, _i < 3 ? NEW : ABSENT);
	scene_add(&sc, 0, SRV6_ADD, ABSENT, NEW);
	if (_i >= 3)
		sc.ops[0].flags = SRV6_OP_EXACT;
	ck_assert_uint_gt(walk("objects", run_scene, &sc, 1), 50);
}
END_TEST

/* The last one is refused: there is something to undo, and undoing fails. */
START_TEST(refused)
{
	struct scene sc = { .flags = modes[_i], .fails = true };

	scene_add(&sc, 0, SRV6_ADD, ABSENT, NEW);
	scene_add(&sc, 1, SRV6_REPLACE, OLD, NEW);
	scene_add(&sc, 2, SRV6_DEL, OLD, ABSENT);
	scene_add(&sc, PLACE_OBJECT, SRV6_REPLACE, OLD, NEW);
	scene_add(&sc, 3, SRV6_ADD, OLD, NEW);
	ck_assert_uint_gt(walk("refused", run_scene, &sc, 1), 50);
}
END_TEST

START_TEST(generic)
{
	struct scene sc = { .flags = modes[_i] };

	scene_add(&sc, PLACE_TUNSRC, SRV6_REPLACE, OLD, NEW);
	scene_add(&sc, PLACE_KEY, SRV6_REPLACE, OLD, NEW);
	scene_add(&sc, 0, SRV6_ADD, ABSENT, NEW);
	ck_assert_uint_gt(walk("tunnel source and key", run_scene, &sc, 1), 50);
}
END_TEST

START_TEST(generic_deletes)
{
	struct scene sc = { .flags = modes[_i] };

	scene_add(&sc, PLACE_TUNSRC, SRV6_DEL, OLD, ABSENT);
	sc.ops[0].u.tunsrc = NULL;
	scene_add(&sc, PLACE_KEY, SRV6_DEL, OLD, ABSENT);
	ck_assert_uint_gt(walk("tunnel source and key, deleted", run_scene, &sc, 1), 50);
}
END_TEST

START_TEST(generic_refused)
{
	struct scene sc = { .flags = SRV6_APPLY_ATOMIC, .fails = true };

	scene_add(&sc, PLACE_TUNSRC, SRV6_REPLACE, OLD, NEW);
	scene_add(&sc, PLACE_KEY, SRV6_ADD, ABSENT, NEW);
	scene_add(&sc, 0, SRV6_ADD, OLD, NEW);
	ck_assert_uint_gt(walk("tunnel source and key, undone", run_scene, &sc, 1), 50);
}
END_TEST

/* ---- lists */

struct listing {
	struct srv6_op match;
	uint32_t flags;
	unsigned int want, got;
	bool all; /* not only in our table */
};

static int list_cb(const struct srv6_op *op, void *arg)
{
	struct listing *l = arg;

	(void)op;
	l->got++;
	return 0;
}

static void run_list(void *arg, const struct fault *f, unsigned int n)
{
	struct listing *l = arg;
	struct srv6 *s = NULL;
	int r;

	l->got = 0;
	r = srv6_open(&s, NULL);
	if (r)
		return;
	s->timeout = 15;
	r = srv6_dump(s, &l->match, l->flags, list_cb, l);
	disarm();
	HOLD(r == srv6_error(s)->code, "%d is returned, and the error says %d", SAID, r, srv6_error(s)->code);
	HOLD(r <= 0 && (!r || *srv6_error(s)->text), "%d without a text", SAID, r);
	if (!r)
		HOLD(l->got == l->want, "%u listed of %u", SAID, l->got, l->want);
	srv6_close(s);
}

static void list(const char *name, struct listing *l)
{
	uint8_t before[N_PLACES] = { OLD, OLD, OLD, OLD, OLD, OLD, OLD, OLD };

	make(before, true);
	ck_assert_int_eq(srv6_dump(look, &l->match, l->flags, list_cb, l), 0);
	l->want = l->got;
	ck_assert_uint_gt(l->want, 0);
	ck_assert_uint_gt(walk(name, run_list, l, 1), 30);
}

START_TEST(lists)
{
	struct srv6_route filter = { .sz = sizeof(filter), .has = SRV6_HAS(ROUTE_TABLE), .table = TABLE };
	struct srv6_route exact = routes[0][1], to = { .sz = sizeof(to), .dst = { .family = AF_INET6, .len = 128 } };
	struct listing l[] = {
		{ .match = { .kind = SRV6_ROUTE, .u.route = &filter }, .flags = SRV6_DUMP_ENCAP },
		{ .match = { .kind = SRV6_ROUTE, .u.route = &filter }, .flags = SRV6_DUMP_STREAM },
		{ .match = { .verb = SRV6_GET, .flags = SRV6_OP_EXACT, .kind = SRV6_ROUTE, .u.route = &exact } },
		{ .match = { .verb = SRV6_GET, .kind = SRV6_ROUTE, .u.route = &to } },
		{ .match = { .kind = SRV6_ROUTE } },
		{ .match = { .kind = SRV6_NEXTHOP } },
		{ .match = { .kind = SRV6_NEXTHOP }, .flags = SRV6_DUMP_STREAM },
		{ .match = { .verb = SRV6_GET, .kind = SRV6_NEXTHOP, .u.nexthop = &objects[0] } },
		{ .match = { .kind = SRV6_TUNSRC } },
		{ .match = { .kind = SRV6_HMAC } },
	};

	inet_pton(AF_INET6, "fe80::2", &to.dst.addr);
	list("lists", &l[_i]);
}
END_TEST

/* ---- events: whatever fails, who folds them has the kernel's state at the last SRV6_SYNCED */

struct fold {
	uint32_t flags; /* of srv6_process() */
	uint8_t is[N_PLACES];
	bool synced;
};

static int fold_cb(const struct srv6_op *op, void *arg)
{
	struct fold *fold = arg;

	fold->synced |= op->verb == SRV6_SYNCED;
	if (!op->kind || op->kind == SRV6_LINK || (op->kind == SRV6_ROUTE && op->u.route->table != TABLE))
		return 0;
	fold->is[place_of(op)] = ABSENT;
	return op->verb == SRV6_DEL ? 0 : look_cb(op, fold->is);
}

static void process_some(struct srv6 *s, struct fold *fold, bool must, const struct fault *f, unsigned int n)
{
	for (int i = 0; i < 8; i++) {
		struct pollfd p = { .fd = srv6_fd(s), .events = POLLIN };
		int r = srv6_process(s, fold->flags, fold_cb, fold);

		HOLD(r <= 0 && (!r || !must), "events: %d, %s", SAID, r, srv6_error(s)->text);
		HOLD(!r || *srv6_error(s)->text, "events: %d without a text", SAID, r);
		if (must && __real_poll(&p, 1, 0) == 0)
			return;
	}
}

static const struct happening {
	const char *name;
	uint32_t kinds, flags;
	struct {
		unsigned int place;
		uint32_t verb;
	} what[3];
} happenings[] = {
	{ "events", SRV6_KIND(ROUTE) | SRV6_KIND(LINK), 0, { { 0, SRV6_REPLACE }, { 3, SRV6_ADD } } },
	{ "events of objects", SRV6_KIND(NEXTHOP), 0, { { PLACE_OBJECT, SRV6_REPLACE } } },
	{ "what raises no events",
	  SRV6_KIND(TUNSRC) | SRV6_KIND(HMAC),
	  SRV6_PROCESS_POLL,
	  { { PLACE_TUNSRC, SRV6_REPLACE }, { PLACE_KEY, SRV6_REPLACE } } },
};

static void run_events(void *arg, const struct fault *f, unsigned int n)
{
	const struct happening *h = arg;
	bool sr = h->kinds & SRV6_KIND(TUNSRC);
	uint8_t before[N_PLACES] = { OLD,
				     OLD,
				     OLD,
				     [PLACE_OBJECT] = OLD,
				     [PLACE_TUNSRC] = sr ? OLD : ABSENT,
				     [PLACE_KEY] = sr ? OLD : ABSENT },
		is[N_PLACES];
	struct fold fold = { .flags = h->flags };
	struct srv6_op ops[ARRAY_SIZE(h->what)];
	struct srv6 *s = NULL;
	size_t n_ops = 0;

	state->fault = NULL;
	make(before, sr);
	state->fault = f;
	if (srv6_open(&s, NULL))
		return;
	s->timeout = 15;
	if (srv6_follow(s, h->kinds)) {
		HOLD(*srv6_error(s)->text, "no text", SAID);
		srv6_close(s);
		return;
	}
	process_some(s, &fold, false, f, n);
	state->fault = NULL;
	for (; n_ops < ARRAY_SIZE(h->what) && h->what[n_ops].verb; n_ops++)
		ops[n_ops] = op_of(h->what[n_ops].place, h->what[n_ops].verb, 1);
	HOLD(!srv6_apply(look, ops, n_ops, NULL), "%s", SAID, srv6_error(look)->text);
	state->fault = f;
	process_some(s, &fold, false, f, n);
	disarm();
	process_some(s, &fold, true, f, n);
	look_at(is, sr);
	HOLD(fold.synced, "never in step", SAID);
	for (unsigned int i = 0; i < N_PLACES; i++)
		if (h->kinds & 1u << op_of(i, SRV6_IS, 0).kind)
			HOLD(is[i] == fold.is[i], "not in step: place %u is %d, and was told as %d", SAID, i, is[i],
			     fold.is[i]);
	srv6_close(s);
}

START_TEST(events)
{
	struct happening h = happenings[_i];

	ck_assert_uint_gt(walk(h.name, run_events, &h, 1), 100);
}
END_TEST

/* ---- a handle in another namespace */

static void run_netns(void *arg, const struct fault *f, unsigned int n)
{
	struct srv6_opts o = SRV6_INIT(struct srv6_opts);
	struct srv6_op match = { .kind = SRV6_NEXTHOP };
	struct listing l = { .got = 0 };
	struct srv6 *s = NULL;
	int r;

	o.netns = *(int *)arg;
	r = srv6_open(&s, &o);
	if (!r) {
		s->timeout = 15;
		r = srv6_dump(s, &match, 0, list_cb, &l);
		HOLD(!r || *srv6_error(s)->text, "no text", SAID);
		HOLD(r || l.got == 0, "another namespace's objects", SAID);
		srv6_close(s);
	}
	disarm();
	HOLD(r <= 0, "%d", SAID, r);
	HOLD(__real_waitpid(-1, NULL, (int)__WALL | WNOHANG) < 0 && errno == ECHILD, "a child is left", SAID);
}

START_TEST(netns)
{
	uint8_t before[N_PLACES] = { [PLACE_OBJECT] = OLD };
	int here = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC), there;

	make(before, false);
	ck_assert_int_eq(unshare(CLONE_NEWNET), 0);
	there = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	ck_assert_int_eq(setns(here, CLONE_NEWNET), 0);
	ck_assert_uint_gt(walk("netns", run_netns, &there, 1), 30);
	close(here);
	close(there);
}
END_TEST

/* ---- capabilities: what fails on the way is no answer of the kernel's */

struct caps_seen {
	uint8_t can[128], truth[128];
	unsigned int n;
};

static int cap_cb(const struct srv6_cap *cap, void *arg)
{
	struct caps_seen *seen = arg;

	seen->can[seen->n++] = (uint8_t)cap->can;
	return 0;
}

static void run_caps(void *arg, const struct fault *f, unsigned int n)
{
	struct caps_seen *seen = arg;
	struct srv6 *s = NULL;
	unsigned int wrong = 0;
	int r = srv6_open(&s, NULL);

	if (r)
		return;
	seen->n = 0;
	r = srv6_caps(s, cap_cb, seen);
	HOLD(r == srv6_error(s)->code && (!r || *srv6_error(s)->text), "%d without a text", SAID, r);
	for (unsigned int i = 0; i < seen->n && !r; i++)
		wrong += seen->can[i] != seen->truth[i] && seen->can[i] != SRV6_CAN_UNKNOWN;
	HOLD(!wrong, "%u capabilities are told wrong", SAID, wrong);
	disarm();
	if (f->error == ENOPROTOOPT) { /* an answer: an older kernel */
		srv6_close(s);
		return;
	}
	/* And a failure is not for ever. */
	seen->n = 0;
	r = srv6_caps(s, cap_cb, seen);
	HOLD(!r, "still %d: %s", SAID, r, srv6_error(s)->text);
	HOLD(!memcmp(seen->can, seen->truth, seen->n), "what failed once stays unknown", SAID);
	srv6_close(s);
}

START_TEST(caps)
{
	struct caps_seen seen = { .n = 0 };

	ck_assert_int_eq(srv6_caps(look, cap_cb, &seen), 0);
	memcpy(seen.truth, seen.can, sizeof(seen.truth));
	/* A namespace each: all of them where time does not matter. */
	ck_assert_uint_gt(walk("capabilities", run_caps, &seen, getenv("SRV6_TEST_LONG") ? 1 : 53), 30);
}
END_TEST

/* ---- copies */

START_TEST(copies)
{
	struct srv6_op op = op_of(0, SRV6_ADD, 0), *copy = NULL;

	const struct fault none = { MALLOC, FAIL, ENOMEM };

	*state = (struct state){ .fault = &none, .countdown = 1 };
	ck_assert_int_eq(srv6_copy(&op, &copy), -ENOMEM);
	ck_assert_ptr_null(copy);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("faults");

	make_faults();
	if (unshare(CLONE_NEWNET) < 0)
		return suite_skip();
	tcase_set_timeout(tc, getenv("SRV6_TEST_LONG") ? 3600 : 180);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, adds, 0, 3);
	tcase_add_loop_test(tc, replaces, 0, 3);
	tcase_add_loop_test(tc, deletes, 0, 6);
	tcase_add_loop_test(tc, objects_too, 0, 6);
	tcase_add_loop_test(tc, refused, 0, 3);
	tcase_add_loop_test(tc, generic, 0, 3);
	tcase_add_loop_test(tc, generic_deletes, 0, 3);
	tcase_add_test(tc, generic_refused);
	tcase_add_loop_test(tc, lists, 0, 10);
	tcase_add_loop_test(tc, events, 0, ARRAY_SIZE(happenings));
	tcase_add_test(tc, netns);
	tcase_add_test(tc, caps);
	tcase_add_test(tc, copies);
	return suite_run("faults", tc);
}

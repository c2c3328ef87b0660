/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Changes and lists against a kernel that fails: a thread at the other end of a socket pair holds routes and objects, and at
 * one chosen request does something bad. After each the table must be what the library says it is.
 */
#include <arpa/inet.h>
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/nexthop.h>

#include "message.h"
#include "suite.h"
#include "transact.h"

#define MAX_OPS 20
static int n_ops = 6; /* a run; few are all acknowledged, many are not */
#define N n_ops

enum fault {
	FINE,
	NO_MEMORY,     /* refused with ENOMEM the first times */
	REFUSED,       /* EINVAL, with the kernel's words */
	FORGETS,       /* takes the route, or the object, and drops its encapsulation */
	OVERTAKEN,     /* does it, but another's change comes just before */
	LIES,          /* says yes, shows the right echo of a wrong route, keeps nothing */
	SILENT_DONE,   /* does it and says nothing */
	SILENT_UNDONE, /* does not even do it, once */
	REVERSED,      /* answers of a datagram come last first */
	OVERRUN_DONE,  /* does all of the datagram; the answers are dropped, and recv() says ENOBUFS */
	CUT,           /* an answer longer than any buffer */
	DIES,          /* closes its end */
	DIES_AFTER     /* does it and shows it, then closes its end without the acknowledgement */
};

struct stored {
	struct key key;
	struct nlmsghdr *nlh;
};

struct kernel {
	int fd;
	pthread_t thread;
	struct stored table[64];
	size_t n;
	enum fault fault;
	unsigned int at;        /* which change it strikes, counting from 0 */
	unsigned int times;     /* how often */
	unsigned int seen;      /* changes so far */
	unsigned int lists_bad; /* listings still to be spoiled */
	enum fault list_fault;
	unsigned int lists; /* listings served */
	bool dead, dies_after;
	const struct nlmsghdr *other; /* of OVERTAKEN */
	unsigned int n_early;         /* requests that lead to an object which is not there */
	/* answers of the datagram under way */
	uint8_t *answer[512];
	size_t answer_len[512], n_answers;
	bool drop, reverse, cut;
};

/* ---- ENOBUFS comes from recv itself: the library's calls land here */

static int overrun_fd = -1; /* whose next recv fails; set by the kernel's thread */
static pthread_mutex_t overrun_lock = PTHREAD_MUTEX_INITIALIZER;

static bool overrun_take(int fd)
{
	bool r;

	pthread_mutex_lock(&overrun_lock);
	r = overrun_fd == fd;
	if (r)
		overrun_fd = -1;
	pthread_mutex_unlock(&overrun_lock);
	return r;
}

ssize_t recvmsg(int fd, struct msghdr *msg, int flags)
{
	if (overrun_take(fd)) {
		errno = ENOBUFS;
		return -1;
	}
	return syscall(SYS_recvmsg, fd, msg, flags);
}

int recvmmsg(int fd, struct mmsghdr *m, unsigned int n, int flags, struct timespec *t)
{
	if (overrun_take(fd)) {
		errno = ENOBUFS;
		return -1;
	}
	return (int)syscall(SYS_recvmmsg, fd, m, n, flags, t);
}

/* ---- the table */

static struct stored *table_find(struct kernel *k, const struct key *key)
{
	for (size_t i = 0; i < k->n; i++)
		if (!memcmp(&k->table[i].key, key, sizeof(*key)))
			return &k->table[i];
	return NULL;
}

static bool is_object(const struct nlmsghdr *nlh)
{
	return nlh->nlmsg_type >= RTM_NEWNEXTHOP && nlh->nlmsg_type <= RTM_GETNEXTHOP;
}

static bool is_encap(const struct nlmsghdr *nlh, const struct nlattr *a)
{
	return is_object(nlh) ? knl_type(a) == NHA_ENCAP || knl_type(a) == NHA_ENCAP_TYPE
			      : knl_type(a) == RTA_ENCAP || knl_type(a) == RTA_ENCAP_TYPE;
}

#define ID_ROOM (ATTR_HEAD + 4) /* to add an id */

static struct nlmsghdr *msg_copy(const struct nlmsghdr *nlh, bool without_encap)
{
	struct nlmsghdr *c = malloc(nlh->nlmsg_len + ID_ROOM);
	const struct nlattr *a;
	size_t at = MSG_LEN(is_object(nlh) ? sizeof(struct nhmsg) : sizeof(struct rtmsg)), to = at;

	memcpy(c, nlh, nlh->nlmsg_len);
	while (without_encap && at < nlh->nlmsg_len) {
		a = (const void *)((const char *)nlh + at);
		if (!is_encap(nlh, a)) {
			memcpy((char *)c + to, a, ATTR_ALIGN(a->nla_len));
			to += ATTR_ALIGN(a->nla_len);
		}
		at += ATTR_ALIGN(a->nla_len);
	}
	if (without_encap)
		c->nlmsg_len = (uint32_t)to;
	c->nlmsg_type = is_object(nlh) ? RTM_NEWNEXTHOP : RTM_NEWROUTE;
	c->nlmsg_flags = 0;
	return c;
}

static void table_put(struct kernel *k, const struct key *key, struct nlmsghdr *nlh)
{
	struct stored *s = table_find(k, key);

	if (s) {
		free(s->nlh);
		s->nlh = nlh;
		return;
	}
	ck_assert_uint_lt(k->n, 64);
	k->table[k->n++] = (struct stored){ *key, nlh };
}

static void table_drop(struct kernel *k, struct stored *s)
{
	free(s->nlh);
	*s = k->table[--k->n];
}

/* ---- answers */

static void answer(struct kernel *k, const void *data, size_t len)
{
	k->answer[k->n_answers] = malloc(len);
	memcpy(k->answer[k->n_answers], data, len);
	k->answer_len[k->n_answers++] = len;
	ck_assert_uint_lt(k->n_answers, 512);
}

static void answer_error(struct kernel *k, const struct nlmsghdr *req, int code)
{
	static const char words[] = "the fake kernel says no";
	struct {
		struct nlmsghdr nlh;
		struct nlmsgerr e;
		struct nlattr a;
		char text[ATTR_ALIGN(sizeof(words))];
	} m = { .nlh = { .nlmsg_type = NLMSG_ERROR, .nlmsg_flags = NLM_F_CAPPED, .nlmsg_seq = req->nlmsg_seq } };

	m.e.error = code;
	m.e.msg = *req;
	m.nlh.nlmsg_len = (uint32_t)offsetof(__typeof__(m), a);
	if (code == -EINVAL) {
		m.a.nla_type = NLMSGERR_ATTR_MSG;
		m.a.nla_len = (uint16_t)(ATTR_HEAD + sizeof(words));
		memcpy(m.text, words, sizeof(words));
		m.nlh.nlmsg_flags |= NLM_F_ACK_TLVS;
		m.nlh.nlmsg_len = sizeof(m);
	}
	answer(k, &m, m.nlh.nlmsg_len);
}

static void answer_echo(struct kernel *k, const struct nlmsghdr *req, const struct nlmsghdr *shown, uint16_t type)
{
	struct nlmsghdr *c = msg_copy(shown, false);

	c->nlmsg_type = type;
	c->nlmsg_seq = req->nlmsg_seq;
	if (is_object(req)) /* an object's echo repeats what was asked */
		c->nlmsg_flags = req->nlmsg_flags & (NLM_F_CREATE | NLM_F_EXCL | NLM_F_REPLACE);
	if (req->nlmsg_flags & NLM_F_ECHO)
		answer(k, c, c->nlmsg_len);
	free(c);
}

static void flush_answers(struct kernel *k)
{
	for (size_t i = 0; i < k->n_answers; i++) {
		size_t j = k->reverse ? k->n_answers - 1 - i : i;

		if (!k->drop && !k->dead)
			send(k->fd, k->answer[j], k->answer_len[j], MSG_NOSIGNAL);
	}
	for (size_t i = 0; i < k->n_answers; i++)
		free(k->answer[i]);
	if (k->drop) /* whoever waits is woken, as by a socket's error */
		send(k->fd, "", 1, MSG_NOSIGNAL);
	if (k->cut) {
		uint8_t *big = calloc(1, 180000);

		send(k->fd, big, 180000, MSG_NOSIGNAL);
		free(big);
	}
	k->n_answers = 0;
	k->dead |= k->dies_after;
	k->drop = k->reverse = k->cut = false;
}

/* ---- requests */

static struct stored *object_find(struct kernel *k, uint32_t id)
{
	return table_find(k, &(struct key){ .kind = SRV6_NEXTHOP, .table = id });
}

/* The object that a route, or a group (of one), leads to; 0: none. */
static uint32_t uses(const struct nlmsghdr *nlh)
{
	const struct nlattr *group = is_object(nlh) ? knl_find(nlh, sizeof(struct nhmsg), NHA_GROUP) : NULL;

	return group ? ((const struct nexthop_grp *)knl_data(group))->id : raw_nhid(nlh);
}

/* With an object goes all that uses it, untold. */
static void drop_users(struct kernel *k, uint32_t id)
{
	for (size_t i = 0; i < k->n; i++) {
		struct stored *s = &k->table[i];
		uint32_t group = s->key.kind == SRV6_NEXTHOP ? s->key.table : 0;

		if (uses(s->nlh) != id)
			continue;
		table_drop(k, s);
		if (group)
			drop_users(k, group);
		i = (size_t)-1; /* the table has moved */
	}
}

static int drop(struct kernel *k, const struct nlmsghdr *req, struct stored *s)
{
	if (!s)
		return is_object(req) ? -ENOENT : -ESRCH;
	answer_echo(k, req, s->nlh, req->nlmsg_type);
	table_drop(k, s);
	if (is_object(req))
		drop_users(k, knl_u32(knl_find(req, sizeof(struct nhmsg), NHA_ID), 0));
	return 0;
}

/* An object without an id gets one. */
#define CHOSEN_ID 1000

static int change(struct kernel *k, const struct nlmsghdr *req, bool forget)
{
	bool del = req->nlmsg_type == RTM_DELROUTE || req->nlmsg_type == RTM_DELNEXTHOP;
	struct nlmsghdr *copy = msg_copy(req, forget);
	struct stored *s;
	struct key key;
	int r = 0;

	if (is_object(req) && !knl_find(req, sizeof(struct nhmsg), NHA_ID))
		put_u32(copy, NHA_ID, CHOSEN_ID);
	ck_assert(key_of_msg(copy, &key));
	s = table_find(k, &key);
	if (del)
		r = drop(k, req, s);
	else if (s && req->nlmsg_flags & NLM_F_EXCL)
		r = -EEXIST;
	else if (!s && !(req->nlmsg_flags & NLM_F_CREATE))
		r = -ENOENT;
	else if (uses(req) && !object_find(k, uses(req)) && ++k->n_early)
		r = -EINVAL;
	if (r || del) {
		free(copy);
		return r;
	}
	table_put(k, &key, copy);
	answer_echo(k, req, copy, copy->nlmsg_type);
	return 0;
}

static void overtake(struct kernel *k)
{
	struct key key;

	ck_assert(key_of_msg(k->other, &key));
	table_put(k, &key, msg_copy(k->other, false));
}

static void on_change(struct kernel *k, const struct nlmsghdr *req)
{
	bool strikes = k->seen++ >= k->at && k->times;
	enum fault f = strikes ? k->fault : FINE;
	size_t before = k->n_answers;
	int code = 0;

	if (strikes)
		k->times--;
	if (f == OVERTAKEN)
		overtake(k);
	switch (f) {
	case NO_MEMORY:
		code = -ENOMEM;
		break;
	case REFUSED:
		code = -EINVAL;
		break;
	case SILENT_UNDONE:
		return;
	case DIES:
		k->dead = true;
		return;
	case LIES:
		break; /* acknowledged, and nothing happens */
	default:
		code = change(k, req, f == FORGETS);
	}
	k->reverse |= f == REVERSED;
	k->cut |= f == CUT;
	if (f == OVERRUN_DONE)
		k->drop = true;
	k->dies_after |= f == DIES_AFTER;
	if (code || (req->nlmsg_flags & NLM_F_ACK && f != DIES_AFTER))
		answer_error(k, req, code);
	if (f == SILENT_DONE)
		for (; k->n_answers > before; k->n_answers--)
			free(k->answer[k->n_answers - 1]);
}

static bool is_listed(const struct stored *s, const struct nlmsghdr *req)
{
	const struct rtmsg *rtm = (const void *)((const char *)req + MSG_HEAD);

	if (is_object(req))
		return s->key.kind == SRV6_NEXTHOP;
	return s->key.kind == SRV6_ROUTE && s->key.family == rtm->rtm_family;
}

static void on_list(struct kernel *k, const struct nlmsghdr *req)
{
	const struct rtmsg *rtm = (const void *)((const char *)req + MSG_HEAD);
	struct {
		struct nlmsghdr nlh;
		int code;
	} done = { .nlh = { sizeof(done), NLMSG_DONE, NLM_F_MULTI, req->nlmsg_seq, 0 } };
	enum fault f = FINE;

	k->lists++;
	if (k->lists_bad && rtm->rtm_family == AF_INET6) {
		k->lists_bad--;
		f = k->list_fault;
	}
	for (size_t i = 0; i < k->n; i++) {
		struct nlmsghdr *c = msg_copy(k->table[i].nlh, false);

		c->nlmsg_seq = req->nlmsg_seq;
		c->nlmsg_flags = (uint16_t)(NLM_F_MULTI | (f == REVERSED ? NLM_F_DUMP_INTR : 0));
		if (is_listed(&k->table[i], req) && !(f == SILENT_UNDONE && i == 0))
			answer(k, c, c->nlmsg_len);
		free(c);
	}
	if (f == NO_MEMORY)
		done.code = -ENOBUFS;
	k->cut |= f == CUT;
	if (f == CUT) {
		flush_answers(k);
	}
	answer(k, &done, sizeof(done));
	if (f == OVERRUN_DONE) {
		pthread_mutex_lock(&overrun_lock);
		overrun_fd = -2; /* the library's end: see kernel_start */
		pthread_mutex_unlock(&overrun_lock);
	}
}

static void on_request(struct kernel *k, const struct nlmsghdr *req)
{
	switch (req->nlmsg_type) {
	case RTM_NEWROUTE:
	case RTM_DELROUTE:
	case RTM_NEWNEXTHOP:
	case RTM_DELNEXTHOP:
		on_change(k, req);
		break;
	case RTM_GETROUTE:
	case RTM_GETNEXTHOP:
		on_list(k, req);
		break;
	default:
		answer_error(k, req, -ENODEV);
	}
}

static int library_fd;

static void *kernel_main(void *arg)
{
	struct kernel *k = arg;
	static uint8_t buf[262144];

	while (!k->dead) {
		ssize_t n = recv(k->fd, buf, sizeof(buf), 0);
		size_t left = n > 0 ? (size_t)n : 0;

		if (n <= 0)
			break;
		for (const struct nlmsghdr *nlh = knl_next(NULL, buf, &left); nlh && !k->dead;
		     nlh = knl_next(nlh, NULL, &left))
			on_request(k, nlh);
		pthread_mutex_lock(&overrun_lock);
		if (k->drop || overrun_fd == -2)
			overrun_fd = library_fd;
		pthread_mutex_unlock(&overrun_lock);
		flush_answers(k);
	}
	close(k->fd);
	return NULL;
}

static struct srv6 *kernel_start(struct kernel *k)
{
	struct srv6_opts o = SRV6_INIT(struct srv6_opts);
	struct srv6 *s;
	int fds[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds), 0);
	k->fd = fds[1];
	o.route_fd = library_fd = fds[0];
	ck_assert_int_eq(srv6_open(&s, &o), 0);
	/* Where no answer comes that is found out soon; elsewhere a busy machine must not look like it. */
	s->timeout = k->fault == SILENT_DONE || k->fault == SILENT_UNDONE ? 300 : 5000;
	ck_assert_int_eq(pthread_create(&k->thread, NULL, kernel_main, k), 0);
	return s;
}

static void kernel_stop(struct kernel *k, struct srv6 *s)
{
	srv6_close(s);
	pthread_join(k->thread, NULL);
	for (size_t i = 0; i < k->n; i++)
		free(k->table[i].nlh);
	overrun_fd = -1;
}

/* ---- what is asked of it */

struct ask {
	struct in6_addr seg;
	struct srv6_encap encap;
	struct srv6_hop hop;
	struct srv6_route route[MAX_OPS];
	struct srv6_nexthop nexthop[MAX_OPS];
	struct srv6_op op[MAX_OPS];
};

static void ask_init(struct ask *a, uint32_t verb, const char *seg)
{
	memset(a, 0, sizeof(*a));
	inet_pton(AF_INET6, seg, &a->seg);
	a->encap = (struct srv6_encap)SRV6_INIT(struct srv6_encap);
	a->encap.behavior = SRV6_H_ENCAPS;
	a->encap.has = SRV6_HAS(SEGS);
	a->encap.segs = &a->seg;
	a->encap.n_segs = 1;
	a->hop = (struct srv6_hop){ .encap = &a->encap, .has = SRV6_HAS(DEV), .ifindex = 7 };
	for (int i = 0; i < N; i++) {
		struct srv6_route *r = &a->route[i];

		r->sz = sizeof(*r);
		r->dst.family = AF_INET6;
		r->dst.len = 64;
		inet_pton(AF_INET6, "2001:db8::", &r->dst.addr);
		r->dst.addr.in6.s6_addr[7] = (uint8_t)i;
		r->hops = &a->hop;
		r->n_hops = verb == SRV6_DEL ? 0 : 1;
		a->op[i] = (struct srv6_op){ .verb = verb, .kind = SRV6_ROUTE, .u.route = r };
	}
}

static void kernel_fill(struct kernel *k, const char *seg, int n)
{
	struct ask a;
	uint32_t buf[256];

	ask_init(&a, SRV6_ADD, seg);
	for (int i = 0; i < n; i++) {
		struct key key;

		ck_assert_int_eq(srv6_build(buf, sizeof(buf), &a.op[i], NULL, NULL), 0);
		ck_assert(key_of_msg((struct nlmsghdr *)buf, &key));
		table_put(k, &key, msg_copy((struct nlmsghdr *)buf, false));
	}
}

/* 0: not there; 1: as asked; 2: something else */
static int there(struct kernel *k, const struct ask *a, int i)
{
	struct reader r = { .mem = NULL };
	struct stored *s;
	struct key key;
	int is = 0;

	key_of_op(&a->op[i], &key);
	s = table_find(k, &key);
	if (s) {
		struct srv6_op want = a->op[i];
		struct srv6_route route = *want.u.route;

		route.hops = &a->hop;
		route.n_hops = 1;
		want.u.route = &route;
		want.verb = SRV6_ADD;
		ck_assert_int_eq(reader_read(&r, s->nlh), 0);
		is = srv6_diff(&want, &r.op, 0, NULL) ? 2 : 1;
	}
	reader_free(&r);
	return is;
}

struct told {
	size_t n;
	int code[MAX_OPS];
	uint32_t state[MAX_OPS];
};

static void tell(void *arg, size_t op, const struct srv6_error *err)
{
	struct told *t = arg;

	ck_assert_uint_eq(op, t->n); /* once each, in order */
	ck_assert_uint_eq(err->op, op);
	t->code[op] = err->code;
	t->state[op] = err->state;
	t->n++;
}

static int run(struct srv6 *s, const struct ask *a, uint32_t flags, struct told *t)
{
	struct srv6_apply_opts o = SRV6_INIT(struct srv6_apply_opts);
	int r;

	memset(t, 0, sizeof(*t));
	o.flags = flags;
	o.result = tell;
	o.arg = t;
	r = srv6_apply(s, a->op, (size_t)N, &o);
	ck_assert_uint_eq(t->n, (size_t)N);
	ck_assert_int_eq(r, srv6_error(s)->code);
	return r;
}

/* ---- tests */

static const uint32_t verbs[] = { SRV6_ADD, SRV6_REPLACE, SRV6_DEL };
static const uint32_t modes[] = { 0, SRV6_APPLY_ATOMIC, SRV6_APPLY_KEEP_GOING };

/* Each test runs twice: with few ops and with many. */
static void few(void)
{
	n_ops = 6;
}

static void many(void)
{
	n_ops = MAX_OPS;
}

static unsigned int step(void)
{
	return n_ops > 6 ? 9 : 1;
}

static struct srv6 *start(struct kernel *k, uint32_t verb, enum fault fault, unsigned int at, unsigned int times)
{
	memset(k, 0, sizeof(*k));
	k->fault = fault;
	k->at = at;
	k->times = times;
	if (verb != SRV6_ADD)
		kernel_fill(k, "fc00::9", N);
	return kernel_start(k);
}

static int done_state(uint32_t verb)
{
	return verb == SRV6_DEL ? 0 : 1;
}

static int before_state(uint32_t verb)
{
	return verb == SRV6_ADD ? 0 : 2;
}

/* What passes, or is found out by looking, is success: wherever it strikes and whatever is asked. */
START_TEST(mended)
{
	static const enum fault faults[] = { FINE, NO_MEMORY, SILENT_DONE, SILENT_UNDONE, REVERSED, OVERRUN_DONE, CUT };

	for (size_t f = 0; f < ARRAY_SIZE(faults); f++)
		for (size_t v = 0; v < ARRAY_SIZE(verbs); v++)
			for (size_t m = 0; m < ARRAY_SIZE(modes); m++)
				for (unsigned int at = 0; at < (unsigned int)N; at += step()) {
					struct kernel k;
					struct srv6 *s =
						start(&k, verbs[v], faults[f], at, faults[f] == NO_MEMORY ? 3 : 1);
					struct told t;
					struct ask a;

					ask_init(&a, verbs[v], "fc00::1");
					ck_assert_msg(run(s, &a, modes[m], &t) == 0,
						      "fault %d verb %u mode %u at %u: %s", faults[f], verbs[v],
						      modes[m], at, srv6_error(s)->text);
					for (int i = 0; i < N; i++) {
						ck_assert_int_eq(t.code[i], 0);
						ck_assert_int_eq(there(&k, &a, i), done_state(verbs[v]));
					}
					kernel_stop(&k, s);
				}
}
END_TEST

/* A refusal: one error, at its op, in the kernel's words; what the results say is what the table holds. */
START_TEST(refused)
{
	for (size_t v = 0; v < ARRAY_SIZE(verbs); v++)
		for (size_t m = 0; m < ARRAY_SIZE(modes); m++)
			for (unsigned int at = 0; at < (unsigned int)N; at += step()) {
				struct kernel k;
				struct srv6 *s = start(&k, verbs[v], REFUSED, at, 1);
				const struct srv6_error *e = srv6_error(s);
				unsigned int behind = 0;
				struct told t;
				struct ask a;

				ask_init(&a, verbs[v], "fc00::1");
				ck_assert_int_eq(run(s, &a, modes[m], &t), -EINVAL);
				ck_assert_uint_eq(e->op, at);
				ck_assert_int_eq(e->kernel_code, -EINVAL);
				for (int i = (int)at + 1; i < N; i++)
					behind += !t.code[i];
				/* What was under way at the same time is done, and told. */
				if (!modes[m]) {
					ck_assert_uint_eq(e->state, behind ? SRV6_STATE_PARTIAL
								    : at   ? SRV6_STATE_DONE
									   : SRV6_STATE_UNCHANGED);
					ck_assert_int_eq(strstr(e->text, "behind it") != NULL, behind != 0);
				}
				ck_assert_str_eq(e->kernel, "the fake kernel says no");
				for (int i = 0; i < N; i++) {
					bool done = !t.code[i];

					ck_assert_int_eq(there(&k, &a, i),
							 done ? done_state(verbs[v]) : before_state(verbs[v]));
					if (modes[m] == SRV6_APPLY_ATOMIC)
						ck_assert(!done);
					if (modes[m] == SRV6_APPLY_KEEP_GOING)
						ck_assert(done == ((unsigned int)i != at));
				}
				if (modes[m] == SRV6_APPLY_ATOMIC)
					ck_assert_uint_eq(e->state, SRV6_STATE_UNCHANGED);
				kernel_stop(&k, s);
			}
}
END_TEST

/* Success that isn't: found by the echo or the lack of it, undone, and told. */
START_TEST(lied)
{
	static const enum fault faults[] = { FORGETS, LIES };
	/* Of many, only the last is acknowledged: a lie is silence then, and mended. */
	size_t n = n_ops > 6 ? 1 : ARRAY_SIZE(faults);

	for (size_t f = 0; f < n; f++)
		for (size_t m = 0; m < ARRAY_SIZE(modes); m++)
			for (unsigned int at = 0; at < (unsigned int)N; at += step()) {
				struct kernel k;
				struct srv6 *s = start(&k, SRV6_ADD, faults[f], at, 1);
				struct told t;
				struct ask a;

				ask_init(&a, SRV6_ADD, "fc00::1");
				ck_assert_int_ne(run(s, &a, modes[m], &t), 0);
				ck_assert_uint_eq(srv6_error(s)->op, at);
				for (int i = 0; i < N; i++)
					ck_assert_int_eq(there(&k, &a, i), t.code[i] ? 0 : 1);
				ck_assert_int_ne(t.code[at], 0);
				kernel_stop(&k, s);
			}
}
END_TEST

/* A replacement that lost its encapsulation: with ATOMIC the old one is back; without it is said that it is not. */
START_TEST(lied_replace)
{
	for (size_t m = 0; m < ARRAY_SIZE(modes); m++)
		for (unsigned int at = 0; at < (unsigned int)N; at += step()) {
			struct kernel k;
			struct srv6 *s = start(&k, SRV6_REPLACE, FORGETS, at, 1);
			struct told t;
			struct ask a, old;

			ask_init(&a, SRV6_REPLACE, "fc00::1");
			ask_init(&old, SRV6_REPLACE, "fc00::9");
			ck_assert_int_eq(run(s, &a, modes[m], &t), -EOPNOTSUPP);
			if (modes[m] == SRV6_APPLY_ATOMIC) {
				ck_assert_uint_eq(srv6_error(s)->state, SRV6_STATE_UNCHANGED);
				for (int i = 0; i < N; i++)
					ck_assert_int_eq(there(&k, &old, i), 1);
			} else {
				ck_assert_uint_eq(t.state[at], SRV6_STATE_PARTIAL);
				ck_assert_ptr_nonnull(strstr(srv6_error(s)->text, "could not be put back"));
			}
			kernel_stop(&k, s);
		}
}
END_TEST

/* Such a replacement by something that kernels are known to forget: the old one is looked at before, and put back. */
START_TEST(lied_replace_known)
{
	for (unsigned int at = 0; at < (unsigned int)N; at += step()) {
		struct kernel k;
		struct srv6 *s = start(&k, SRV6_REPLACE, FORGETS, at, 1);
		struct told t;
		struct ask a, old;

		ask_init(&a, SRV6_REPLACE, "fc00::1");
		ask_init(&old, SRV6_REPLACE, "fc00::9");
		a.encap.has |= SRV6_HAS(TUNSRC);
		inet_pton(AF_INET6, "2001:db8::1", &a.encap.tunsrc);
		ck_assert_int_eq(run(s, &a, SRV6_APPLY_KEEP_GOING, &t), -EOPNOTSUPP);
		for (unsigned int i = 0; i < (unsigned int)N; i++) {
			ck_assert_int_eq(t.code[i], i == at ? -EOPNOTSUPP : 0);
			ck_assert_int_eq(there(&k, i == at ? &old : &a, (int)i), 1);
		}
		ck_assert_uint_eq(t.state[at], SRV6_STATE_UNCHANGED);
		kernel_stop(&k, s);
	}
}
END_TEST

/* Nobody is there any more: no claim is made. */
START_TEST(died)
{
	for (size_t v = 0; v < ARRAY_SIZE(verbs); v++)
		for (size_t m = 0; m < ARRAY_SIZE(modes); m++)
			for (unsigned int at = 0; at < (unsigned int)N; at += step()) {
				struct kernel k;
				struct srv6 *s = start(&k, verbs[v], DIES, at, 1);
				struct told t;
				struct ask a;

				ask_init(&a, verbs[v], "fc00::1");
				ck_assert_int_ne(run(s, &a, modes[m], &t), 0);
				ck_assert_uint_eq(srv6_error(s)->state, SRV6_STATE_UNKNOWN);
				for (int i = 0; i < N; i++)
					ck_assert(t.code[i] || there(&k, &a, i) == done_state(verbs[v]));
				kernel_stop(&k, s);
			}
}
END_TEST

/* It is gone once all that was sent is known to be done: what was not sent is no success, and every op is told. */
START_TEST(died_between)
{
	for (size_t m = 0; m < ARRAY_SIZE(modes); m++) {
		struct kernel k;
		struct srv6 *s = start(&k, SRV6_ADD, DIES_AFTER, (unsigned int)N - 2, 1);
		const struct srv6_error *e = srv6_error(s);
		struct told t;
		struct ask a;

		ask_init(&a, SRV6_ADD, "fc00::1");
		a.route[N - 1].dst = a.route[0].dst; /* never in one batch */
		ck_assert_int_eq(run(s, &a, modes[m], &t), -ECONNRESET);
		ck_assert_uint_eq(e->op, (size_t)N - 1);
		ck_assert_uint_eq(e->state, modes[m] == SRV6_APPLY_ATOMIC ? SRV6_STATE_UNKNOWN : SRV6_STATE_DONE);
		ck_assert_uint_eq(k.seen, (unsigned int)N - 1);
		for (int i = 0; i < N - 1; i++)
			ck_assert(!t.code[i] == (modes[m] != SRV6_APPLY_ATOMIC));
		ck_assert_int_eq(t.code[N - 1], -ECONNRESET);
		kernel_stop(&k, s);
	}
}
END_TEST

/* ENOMEM for good, also for what would undo: tried, given up, and told what is left. */
START_TEST(no_memory_at_all)
{
	struct kernel k;
	struct srv6 *s = start(&k, SRV6_ADD, NO_MEMORY, 2, 1000000);
	struct told t;
	struct ask a;

	ask_init(&a, SRV6_ADD, "fc00::1");
	ck_assert_int_eq(run(s, &a, SRV6_APPLY_ATOMIC, &t), -ENOMEM);
	ck_assert_uint_eq(srv6_error(s)->op, 2);
	ck_assert_uint_eq(srv6_error(s)->state, SRV6_STATE_PARTIAL);
	ck_assert_uint_eq(k.n, 2);
	ck_assert_ptr_nonnull(strstr(srv6_error(s)->text, "2001:db8::/64 in table 254"));
	ck_assert_ptr_nonnull(strstr(srv6_error(s)->text, "2001:db8:0:1::/64 in table 254"));
	kernel_stop(&k, s);
}
END_TEST

/* One op that cannot be is found before any is sent. */
START_TEST(checked_first)
{
	struct kernel k;
	struct srv6 *s = start(&k, SRV6_ADD, FINE, 0, 0);
	struct told t;
	struct ask a;

	ask_init(&a, SRV6_ADD, "fc00::1");
	a.route[4].dst.len = 129;
	ck_assert_int_eq(run(s, &a, 0, &t), -EINVAL);
	ck_assert_uint_eq(srv6_error(s)->op, 4);
	ck_assert_int_eq(srv6_error(s)->kernel_code, 0);
	ck_assert_uint_eq(k.seen, 0);
	ck_assert_int_eq(run(s, &a, SRV6_APPLY_KEEP_GOING, &t), -EINVAL);
	ck_assert_uint_eq(k.n, (size_t)N - 1);
	kernel_stop(&k, s);
}
END_TEST

/* A deletion that names what is not there deletes nothing, and shows both. */
START_TEST(exact)
{
	struct kernel k;
	struct srv6 *s = start(&k, SRV6_DEL, FINE, 0, 0);
	struct told t;
	struct ask a;

	ask_init(&a, SRV6_DEL, "fc00::1");
	for (int i = 0; i < N; i++)
		a.route[i].n_hops = 1;
	ck_assert_int_eq(run(s, &a, SRV6_APPLY_KEEP_GOING, &t), -ENOENT);
	ck_assert_uint_eq(k.n, (size_t)N);
	ck_assert_uint_eq(k.seen, 0);
	ck_assert_ptr_nonnull(strstr(srv6_error(s)->text, "fc00::1"));
	ck_assert_ptr_nonnull(strstr(srv6_error(s)->text, "fc00::9"));
	inet_pton(AF_INET6, "fc00::9", &a.seg);
	ck_assert_int_eq(run(s, &a, 0, &t), 0);
	ck_assert_uint_eq(k.n, 0);
	kernel_stop(&k, s);
}
END_TEST

/* A dry run sends no change, whatever becomes of each: it looks, and refuses what would be refused before it is sent. */
START_TEST(dry_run)
{
	for (size_t m = 0; m < ARRAY_SIZE(modes); m++) {
		bool keep_going = modes[m] == SRV6_APPLY_KEEP_GOING;
		struct kernel k;
		struct srv6 *s = start(&k, SRV6_DEL, FINE, 0, 0);
		struct told t;
		struct ask a;

		/* What the kernel would refuse it is not asked for: these exist. */
		ask_init(&a, SRV6_ADD, "fc00::1");
		ck_assert_int_eq(run(s, &a, SRV6_APPLY_DRY_RUN | modes[m], &t), 0);
		for (int i = 0; i < N; i++)
			ck_assert_int_eq(t.code[i], 0);
		a.route[4].dst.len = 129;
		ck_assert_int_eq(run(s, &a, SRV6_APPLY_DRY_RUN | modes[m], &t), -EINVAL);
		ck_assert_uint_eq(srv6_error(s)->op, 4);
		ck_assert_uint_eq(srv6_error(s)->state, SRV6_STATE_UNCHANGED);
		for (int i = 0; i < N; i++)
			ck_assert_int_eq(t.code[i], i == 4 ? -EINVAL : keep_going ? 0 : -ECANCELED);
		/* What is there is another than the one named; the first is told, and those behind it as otherwise. */
		ask_init(&a, SRV6_DEL, "fc00::1");
		for (int i = 0; i < N; i++)
			a.route[i].n_hops = 1;
		ck_assert_int_eq(run(s, &a, SRV6_APPLY_DRY_RUN | modes[m], &t), -ENOENT);
		ck_assert_uint_eq(srv6_error(s)->op, 0);
		ck_assert_uint_eq(srv6_error(s)->state, SRV6_STATE_UNCHANGED);
		ck_assert_ptr_nonnull(strstr(srv6_error(s)->text, "fc00::9"));
		for (int i = 0; keep_going && i < N; i++)
			ck_assert_int_eq(t.code[i], -ENOENT);
		ck_assert_uint_eq(k.seen, 0);
		ck_assert_uint_eq(k.n, (size_t)N);
		ck_assert_uint_gt(k.lists, 0);
		kernel_stop(&k, s);
	}
}
END_TEST

/* A deletion counts for those behind it: the kernel has one to delete, and two are asked for. */
START_TEST(dry_run_counts_deletions)
{
	struct kernel k;
	struct srv6 *s = start(&k, SRV6_DEL, FINE, 0, 0);
	struct told t;
	struct ask a;

	ask_init(&a, SRV6_DEL, "fc00::9");
	for (int i = 0; i < N; i++)
		a.route[i].n_hops = 1;
	ck_assert_int_eq(run(s, &a, SRV6_APPLY_DRY_RUN, &t), 0);
	a.route[N - 1].dst = a.route[0].dst;
	ck_assert_int_eq(run(s, &a, SRV6_APPLY_DRY_RUN | SRV6_APPLY_KEEP_GOING, &t), -ESRCH);
	for (int i = 0; i < N; i++)
		ck_assert_int_eq(t.code[i], i == N - 1 ? -ESRCH : 0);
	ck_assert_uint_eq(k.seen, 0);
	/* In earnest it is the same. */
	ck_assert_int_eq(run(s, &a, SRV6_APPLY_KEEP_GOING, &t), -ESRCH);
	for (int i = 0; i < N; i++)
		ck_assert_int_eq(t.code[i], i == N - 1 ? -ESRCH : 0);
	ck_assert_uint_eq(k.n, 1);
	kernel_stop(&k, s);
}
END_TEST

/* A deletion of a SID takes nothing else, whatever is at its place, and is told apart from it by its behavior alone. */
START_TEST(sids_alone)
{
	for (size_t m = 0; m < ARRAY_SIZE(modes); m++) {
		struct kernel k;
		struct srv6 *s = start(&k, SRV6_DEL, FINE, 0, 0);
		struct told t;
		struct ask a, sid;

		ask_init(&a, SRV6_DEL, "fc00::9");
		for (int i = 0; i < N; i++)
			a.op[i].flags = SRV6_OP_SID;
		ck_assert_int_eq(run(s, &a, modes[m], &t), -ENOENT);
		ck_assert_uint_eq(srv6_error(s)->op, 0);
		ck_assert_ptr_nonnull(strstr(srv6_error(s)->text, "named was a SID"));
		ck_assert_uint_eq(k.seen, 0);
		ck_assert_uint_eq(k.n, (size_t)N);
		for (int i = 0; modes[m] == SRV6_APPLY_KEEP_GOING && i < N; i++)
			ck_assert_int_eq(t.code[i], -ENOENT);
		/* All but one are SIDs now. */
		ask_init(&sid, SRV6_REPLACE, "fc00::9");
		sid.encap.behavior = SRV6_END;
		sid.encap.has = 0;
		sid.route[2].n_hops = 0;
		sid.route[2].has = SRV6_HAS(TYPE);
		sid.route[2].type = RTN_BLACKHOLE;
		ck_assert_int_eq(run(s, &sid, 0, &t), 0);
		ck_assert_int_eq(run(s, &a, modes[m], &t), -ENOENT);
		ck_assert_uint_eq(srv6_error(s)->op, 2);
		for (int i = 0; i < N; i++)
			ck_assert_int_eq(there(&k, &sid, i) != 0, t.code[i] != 0);
		ck_assert_int_eq(t.code[2], -ENOENT);
		if (modes[m])
			ck_assert_uint_eq(k.n, modes[m] == SRV6_APPLY_KEEP_GOING ? 1 : (size_t)N);
		kernel_stop(&k, s);
	}
}
END_TEST

/* What is so already is left alone. */
START_TEST(keep_equal)
{
	struct kernel k;
	struct srv6 *s = start(&k, SRV6_REPLACE, FINE, 0, 0);
	struct told t;
	struct ask a;

	ask_init(&a, SRV6_REPLACE, "fc00::9");
	ck_assert_int_eq(run(s, &a, SRV6_APPLY_KEEP_EQUAL, &t), 0);
	ck_assert_uint_eq(k.seen, 0);
	inet_pton(AF_INET6, "fc00::1", &a.seg);
	ck_assert_int_eq(run(s, &a, SRV6_APPLY_KEEP_EQUAL, &t), 0);
	ck_assert_uint_eq(k.seen, (unsigned int)N);
	kernel_stop(&k, s);
}
END_TEST

/* Changes that follow each other at one key look once: what the first ones made of it, their echoes told. */
START_TEST(looked_once)
{
	struct kernel k;
	struct srv6 *s = start(&k, SRV6_DEL, FINE, 0, 0);
	struct srv6_apply_opts o = SRV6_INIT(struct srv6_apply_opts);
	uint64_t listed = 5;
	struct ask a;

	ask_init(&a, SRV6_ADD, "fc00::9");
	for (int i = 0; i < N; i += 2) {
		a.op[i].verb = SRV6_DEL;
		a.op[i].flags = SRV6_OP_EXACT;
		a.route[i] = a.route[i + 1] = a.route[0];
	}
	o.listed = &listed;
	ck_assert_int_eq(srv6_apply(s, a.op, (size_t)N, &o), 0);
	ck_assert_uint_eq(k.seen, (unsigned int)N);
	ck_assert_uint_eq(k.n, (size_t)N);
	ck_assert_uint_eq(k.lists, 1);
	ck_assert_uint_eq(listed, 5 + (uint64_t)N);
	kernel_stop(&k, s);
}
END_TEST

/* ---- nexthop objects: as they were, to the byte, with what the library does not know and with what uses them */

#define DEVICE 7

/* An H.Encaps with one segment, whose last byte is seg, and an attribute that nobody knows. */
static struct nlmsghdr *object_msg(struct message *m, uint32_t id, uint8_t seg)
{
	static const struct nhmsg nhm = { .nh_family = AF_INET6, .nh_protocol = RTPROT_STATIC };
	uint8_t tunnel[28] = { [0] = 1, /* SEG6_IPTUN_MODE_ENCAP */[5] = 2, [6] = 4, [12] = 0xfc, [27] = seg };
	struct nlmsghdr *nlh = new_msg(m, RTM_NEWNEXTHOP, &nhm, sizeof(nhm));
	uint16_t type = 5; /* LWTUNNEL_ENCAP_SEG6 */
	struct nlattr *nest;

	put_u32(nlh, NHA_ID, id);
	put_u32(nlh, NHA_OIF, DEVICE);
	put(nlh, NHA_ENCAP_TYPE, &type, sizeof(type));
	nest = put(nlh, NHA_ENCAP | NLA_F_NESTED, NULL, 0);
	put(nlh, 1, tunnel, sizeof(tunnel)); /* SEG6_IPTUNNEL_SRH */
	put_u32(nlh, 99, id);
	end_nest(nlh, nest);
	return nlh;
}

static struct nlmsghdr *group_msg(struct message *m, uint32_t id, uint32_t member)
{
	static const struct nhmsg nhm = { .nh_family = AF_UNSPEC, .nh_protocol = RTPROT_STATIC };
	struct nexthop_grp g = { .id = member };
	struct nlmsghdr *nlh = new_msg(m, RTM_NEWNEXTHOP, &nhm, sizeof(nhm));

	put_u32(nlh, NHA_ID, id);
	put(nlh, NHA_GROUP, &g, sizeof(g));
	return nlh;
}

static struct nlmsghdr *user_msg(struct message *m, uint32_t nhid)
{
	struct rtmsg rtm = { .rtm_family = AF_INET6, .rtm_dst_len = 128, .rtm_table = 254, .rtm_type = RTN_UNICAST };
	struct in6_addr dst = { { { 0xfd, [15] = (uint8_t)nhid } } };
	struct nlmsghdr *nlh = new_msg(m, RTM_NEWROUTE, &rtm, sizeof(rtm));

	put(nlh, RTA_DST, &dst, sizeof(dst));
	put_u32(nlh, RTA_PRIORITY, 1024);
	put_u32(nlh, RTA_NH_ID, nhid);
	return nlh;
}

static void fill_one(struct kernel *k, const struct nlmsghdr *nlh)
{
	struct key key;

	ck_assert(key_of_msg(nlh, &key));
	table_put(k, &key, msg_copy(nlh, false));
}

/* Objects 1, 2 and 3, the group 4 of the last, and a route by each of these two. */
static struct srv6 *start_objects(struct kernel *k, enum fault fault, unsigned int at)
{
	struct message m;

	memset(k, 0, sizeof(*k));
	k->fault = fault;
	k->at = at;
	k->times = 1;
	for (uint32_t id = 1; id <= 3; id++)
		fill_one(k, object_msg(&m, id, 9));
	fill_one(k, group_msg(&m, 4, 3));
	for (uint32_t id = 3; id <= 4; id++)
		fill_one(k, user_msg(&m, id));
	return kernel_start(k);
}

static bool holds(struct kernel *k, const struct nlmsghdr *nlh)
{
	struct stored *s;
	struct key key;

	ck_assert(key_of_msg(nlh, &key));
	s = table_find(k, &key);
	return s && s->nlh->nlmsg_len == nlh->nlmsg_len &&
	       !memcmp((char *)s->nlh + MSG_HEAD, (const char *)nlh + MSG_HEAD, nlh->nlmsg_len - MSG_HEAD);
}

static void is_as_filled(struct kernel *k)
{
	struct message m;

	for (uint32_t id = 1; id <= 3; id++)
		ck_assert_msg(holds(k, object_msg(&m, id, 9)), "object %u", id);
	ck_assert(holds(k, group_msg(&m, 4, 3)));
	for (uint32_t id = 3; id <= 4; id++)
		ck_assert_msg(holds(k, user_msg(&m, id)), "the route by %u", id);
	ck_assert_uint_eq(k->n, 6);
}

/* id 0: the kernel chooses. A deletion names no more than the id. */
static void ask_object(struct ask *a, int i, uint32_t verb, uint32_t id)
{
	a->nexthop[i] = (struct srv6_nexthop){ .sz = sizeof(a->nexthop[i]), .has = id ? SRV6_HAS(NH_ID) : 0, .id = id };
	if (verb != SRV6_DEL) {
		a->nexthop[i].family = AF_INET6;
		a->nexthop[i].hop = &a->hop;
	}
	a->op[i] = (struct srv6_op){ .verb = verb, .kind = SRV6_NEXTHOP, .u.nexthop = &a->nexthop[i] };
}

/* One that is changed, two that go, one with all that uses it, and two that come: all back, whichever of them fails. */
START_TEST(objects_atomic)
{
	static const enum fault faults[] = { REFUSED, FORGETS };

	for (size_t f = 0; f < ARRAY_SIZE(faults); f++)
		for (unsigned int at = 0; at < 6; at++) {
			struct kernel k;
			struct srv6 *s;
			struct told t;
			struct ask a;

			ask_init(&a, SRV6_ADD, "fc00::1");
			ask_object(&a, 0, SRV6_REPLACE, 1);
			ask_object(&a, 1, SRV6_DEL, 2);
			ask_object(&a, 2, SRV6_DEL, 3);
			ask_object(&a, 3, SRV6_ADD, 5);
			ask_object(&a, 4, SRV6_ADD, 6);
			if (faults[f] == FORGETS && a.op[at].verb == SRV6_DEL)
				continue;
			s = start_objects(&k, faults[f], at);
			ck_assert_int_eq(run(s, &a, SRV6_APPLY_ATOMIC, &t),
					 faults[f] == REFUSED ? -EINVAL : -EOPNOTSUPP);
			ck_assert_uint_eq(srv6_error(s)->op, at);
			ck_assert_msg(srv6_error(s)->state == SRV6_STATE_UNCHANGED, "fault %d at %u: %s", faults[f], at,
				      srv6_error(s)->text);
			ck_assert_uint_gt(k.seen, at);
			ck_assert_uint_eq(k.n_early, 0); /* put back in an order that the kernel takes */
			is_as_filled(&k);
			kernel_stop(&k, s);
		}
}
END_TEST

/* One that came without its encapsulation goes again, though its id is known from the echo alone; of those around it nothing. */
START_TEST(object_by_its_echo)
{
	for (size_t m = 0; m < ARRAY_SIZE(modes); m++) {
		struct kernel k;
		struct srv6 *s;
		struct told t;
		struct ask a;

		if (modes[m] == SRV6_APPLY_ATOMIC)
			continue;
		s = start_objects(&k, FORGETS, 0);
		n_ops = 1;
		ask_init(&a, SRV6_ADD, "fc00::1");
		ask_object(&a, 0, SRV6_ADD, 0);
		ck_assert_int_eq(run(s, &a, modes[m], &t), -EOPNOTSUPP);
		ck_assert_uint_eq(srv6_error(s)->state, SRV6_STATE_UNCHANGED);
		ck_assert_uint_eq(k.seen, 2);
		is_as_filled(&k);
		/* With nothing wrong that id is there. */
		ck_assert_int_eq(run(s, &a, modes[m], &t), 0);
		ck_assert_ptr_nonnull(object_find(&k, CHOSEN_ID));
		kernel_stop(&k, s);
	}
}
END_TEST

/* The one named was replaced by another's in the last moment: that one is put back, as the echo of its deletion has it. */
START_TEST(object_overtaken)
{
	struct message m;
	struct kernel k;
	struct srv6 *s = start_objects(&k, OVERTAKEN, 1);
	struct told t;
	struct ask a;

	n_ops = 2;
	k.other = object_msg(&m, 1, 5);
	ask_init(&a, SRV6_ADD, "fc00::1");
	ask_object(&a, 0, SRV6_REPLACE, 1);
	ask_object(&a, 1, SRV6_DEL, 1);
	a.nexthop[1].family = AF_INET6;
	a.nexthop[1].hop = &a.hop;
	ck_assert_int_eq(run(s, &a, 0, &t), -EIO);
	ck_assert_uint_eq(srv6_error(s)->op, 1);
	ck_assert_ptr_nonnull(strstr(srv6_error(s)->text, "deleted another nexthop object than the one named"));
	ck_assert_uint_eq(srv6_error(s)->state, SRV6_STATE_DONE);
	ck_assert(holds(&k, k.other));
	ck_assert_uint_eq(k.n, 6);
	kernel_stop(&k, s);
}
END_TEST

/* A replacement by what kernels are known to forget: the old one was looked at before. By anything else it is lost, and said so. */
START_TEST(object_replaced)
{
	for (int known = 0; known < 2; known++) {
		struct kernel k;
		struct srv6 *s = start_objects(&k, FORGETS, 0);
		struct told t;
		struct ask a;

		n_ops = 1;
		ask_init(&a, SRV6_ADD, "fc00::1");
		ask_object(&a, 0, SRV6_REPLACE, 1);
		if (known) {
			a.encap.has |= SRV6_HAS(TUNSRC);
			inet_pton(AF_INET6, "2001:db8::1", &a.encap.tunsrc);
		}
		ck_assert_int_eq(run(s, &a, 0, &t), -EOPNOTSUPP);
		ck_assert_uint_eq(srv6_error(s)->state, known ? SRV6_STATE_UNCHANGED : SRV6_STATE_PARTIAL);
		ck_assert_int_eq(strstr(srv6_error(s)->text, "could not be put back") != NULL, !known);
		ck_assert_uint_eq(k.n, 6);
		if (known)
			is_as_filled(&k);
		kernel_stop(&k, s);
	}
}
END_TEST

/* ---- lists */

static int count(const struct srv6_op *op, void *arg)
{
	ck_assert_uint_eq(op->kind, SRV6_ROUTE);
	++*(unsigned int *)arg;
	return 0;
}

/* Interrupted, cut, dropped, ended by an error: asked again, a bounded number of times. */
START_TEST(lists)
{
	static const enum fault faults[] = { REVERSED, CUT, OVERRUN_DONE };
	struct srv6_route filter = SRV6_INIT(struct srv6_route);
	struct srv6_op match = { .kind = SRV6_ROUTE, .u.route = &filter };

	filter.dst.family = AF_INET6;
	for (size_t f = 0; f < ARRAY_SIZE(faults); f++)
		for (unsigned int bad = 0; bad < 12; bad++) {
			struct kernel k;
			struct srv6 *s = start(&k, SRV6_DEL, FINE, 0, 0);
			unsigned int n = 0;
			int r;

			k.list_fault = faults[f];
			k.lists_bad = bad;
			r = srv6_dump(s, &match, 0, count, &n);
			ck_assert_uint_eq(n, (unsigned int)N); /* no more, whatever was listed in vain */
			ck_assert_int_eq(r, bad < 8 ? 0 : -ESTALE);
			ck_assert_uint_eq(k.lists, bad < 8 ? bad + 1 : 8);
			ck_assert(!r == !*srv6_error(s)->text);
			kernel_stop(&k, s);
		}
}
END_TEST

START_TEST(list_error)
{
	struct srv6_route filter = SRV6_INIT(struct srv6_route);
	struct srv6_op match = { .kind = SRV6_ROUTE, .u.route = &filter };
	struct kernel k;
	struct srv6 *s = start(&k, SRV6_DEL, FINE, 0, 0);
	unsigned int n = 0;

	filter.dst.family = AF_INET6;
	k.list_fault = NO_MEMORY;
	k.lists_bad = 1;
	ck_assert_int_eq(srv6_dump(s, &match, 0, count, &n), -ENOBUFS);
	ck_assert_uint_eq(n, 0);
	kernel_stop(&k, s);
}
END_TEST

static int stop_at_two(const struct srv6_op *op, void *arg)
{
	(void)op;
	return ++*(unsigned int *)arg == 2 ? 77 : 0;
}

START_TEST(list_stopped)
{
	struct srv6_op match = { .kind = SRV6_ROUTE };
	struct kernel k;
	struct srv6 *s = start(&k, SRV6_DEL, FINE, 0, 0);
	unsigned int n = 0;

	ck_assert_int_eq(srv6_dump(s, &match, 0, stop_at_two, &n), 77);
	n = 0;
	ck_assert_int_eq(srv6_dump(s, &match, SRV6_DUMP_STREAM, stop_at_two, &n), 77);
	n = 0;
	ck_assert_int_eq(srv6_dump(s, &match, 0, count, &n), 0); /* nothing is left over of the one before */
	ck_assert_uint_eq(n, (unsigned int)N);
	kernel_stop(&k, s);
}
END_TEST

static int call_again(const struct srv6_op *op, void *arg)
{
	struct srv6 *s = arg;

	(void)op;
	ck_assert_int_eq(srv6_apply(s, NULL, 0, NULL), -EBUSY);
	return 0;
}

START_TEST(list_nested)
{
	struct srv6_op match = { .kind = SRV6_ROUTE };
	struct kernel k;
	struct srv6 *s = start(&k, SRV6_DEL, FINE, 0, 0);

	ck_assert_int_eq(srv6_dump(s, &match, SRV6_DUMP_STREAM, call_again, s), 0);
	kernel_stop(&k, s);
}
END_TEST

static TCase *changes(const char *name, void (*size)(void))
{
	TCase *tc = tcase_create(name);

	tcase_set_timeout(tc, 120);
	tcase_add_checked_fixture(tc, size, NULL);
	tcase_add_test(tc, mended);
	tcase_add_test(tc, refused);
	tcase_add_test(tc, lied);
	tcase_add_test(tc, lied_replace);
	tcase_add_test(tc, lied_replace_known);
	tcase_add_test(tc, died);
	tcase_add_test(tc, died_between);
	tcase_add_test(tc, no_memory_at_all);
	tcase_add_test(tc, checked_first);
	tcase_add_test(tc, exact);
	tcase_add_test(tc, keep_equal);
	tcase_add_test(tc, looked_once);
	tcase_add_test(tc, dry_run);
	tcase_add_test(tc, dry_run_counts_deletions);
	tcase_add_test(tc, sids_alone);
	return tc;
}

static TCase *objects(void)
{
	TCase *tc = tcase_create("objects");

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, few, NULL);
	tcase_add_test(tc, objects_atomic);
	tcase_add_test(tc, object_by_its_echo);
	tcase_add_test(tc, object_overtaken);
	tcase_add_test(tc, object_replaced);
	return tc;
}

static TCase *listings(void)
{
	TCase *tc = tcase_create("lists");

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, few, NULL);
	tcase_add_test(tc, lists);
	tcase_add_test(tc, list_error);
	tcase_add_test(tc, list_stopped);
	tcase_add_test(tc, list_nested);
	return tc;
}

int main(void)
{
	return suite_run("fake kernel", changes("few changes", few), changes("many changes", many), objects(),
			 listings());
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Many requests in one send. The kernel answers while we send, so a batch is bounded by what the receive buffer holds of
 * answers, and by 8 KiB: a sender of longer runs does not sleep, and seg6 encapsulations are then refused for want of memory
 * (31 to 60 % of them at 64 KiB). Each request asks for an echo, which is the answer of success; errors come by
 * themselves and are told by their sequence number; the last request asks for an acknowledgement, which ends the batch.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <linux/nexthop.h>

#include "apply.h"
#include "codec.h"

#define BATCH_BYTES   8192
#define MESSAGE_BYTES 98304 /* more than any: an attribute holds 64 KiB */
#define BUF_BYTES     (BATCH_BYTES + MESSAGE_BYTES)
#define SMALL_BATCH   16  /* up to here all are acknowledged: warnings come with acknowledgements */
#define LOST_WAIT     100 /* milliseconds for what may still come after an overrun */

/* Many datagrams a system call: few enough to stay in the first cache, and on a handful of pages. */
#define VECTOR       16
#define VECTOR_BYTES 960 /* for most echoes; no power of two, or all would share a few lines of the cache */

struct vector {
	struct mmsghdr m[VECTOR];
	struct iovec iov[VECTOR];
	struct sockaddr_nl from[VECTOR];
};

/* Kept by the handle from one run to the next. Large, of which only the pages that are used are ever there. */
struct room {
	struct vector vector;
	struct slot slots[MAX_SLOTS];
	_Alignas(NLMSG_ALIGNTO) uint8_t buf[BUF_BYTES];
	_Alignas(NLMSG_ALIGNTO) uint8_t again[BUF_BYTES];
	struct srv6_error errs[MAX_SLOTS];
	struct ack acks[MAX_SLOTS];
};

static void vector_init(struct vector *v, uint8_t *rx)
{
	for (int i = 0; i < VECTOR; i++) {
		v->iov[i] = (struct iovec){ rx + i * VECTOR_BYTES, VECTOR_BYTES };
		v->m[i].msg_hdr = (struct msghdr){ .msg_name = &v->from[i],
						   .msg_namelen = sizeof(v->from[i]),
						   .msg_iov = &v->iov[i],
						   .msg_iovlen = 1 };
	}
}

int batch_init(struct apply *a)
{
	/* Not cleared: each slot is, by slot_start(). Taken out of the handle: results may be told to one who applies more. */
	a->room = a->s->room ? a->s->room : malloc(sizeof(*a->room));
	a->s->room = NULL;
	if (!a->room)
		return -ENOMEM;
	a->slots = a->room->slots;
	a->buf = a->room->buf;
	a->again = a->room->again;
	vector_init(&a->room->vector, a->s->rx);
	return 0;
}

void batch_clear(struct apply *a)
{
	for (size_t i = 0; i < a->n_slots; i++) {
		struct slot *sl = &a->slots[i];

		op_unfill(sl->filled);
		free(sl->echo);
		sl->filled = NULL;
		sl->echo = NULL;
	}
	if (a->n_slots)
		memset(a->hashes, 0, sizeof(a->hashes));
	a->n_slots = 0;
	a->len = 0;
	a->cost = 0;
}

void batch_free(struct apply *a)
{
	batch_clear(a);
	if (a->s->room)
		free(a->room);
	else
		a->s->room = a->room;
}

/*
 * Requests that could get in each other's way never share a batch: one that is sent once more would otherwise come after one
 * that it should have come before. The same key, another kind (a route and its nexthop object), a group of objects.
 */
static bool conflicts(struct apply *a, const struct srv6_op *op, uint32_t hash)
{
	size_t i = hash % ARRAY_SIZE(a->hashes);

	if (a->ops[a->slots[0].op].kind != op->kind)
		return true;
	if (op->kind == SRV6_NEXTHOP && op->u.nexthop->has & SRV6_HAS(NH_GROUP))
		return true;
	for (; a->hashes[i]; i = (i + 1) % ARRAY_SIZE(a->hashes))
		if (a->hashes[i] == hash)
			return true;
	return false;
}

static void note_key(struct apply *a, uint32_t hash)
{
	size_t i = hash % ARRAY_SIZE(a->hashes);

	while (a->hashes[i])
		i = (i + 1) % ARRAY_SIZE(a->hashes);
	a->hashes[i] = hash;
}

static uint32_t key_hash(const struct srv6_op *op)
{
	struct key k;
	uint32_t h;

	key_of_op(op, &k);
	h = hash_bytes(&k, sizeof(k));
	return h ? h : 1;
}

/* What answers of a request take of the receive buffer: an echo as long as itself and a bit, an acknowledgement. */
static uint32_t answer_cost(uint32_t len)
{
	return 3072 + 2 * len;
}

static bool is_full(const struct apply *a)
{
	uint32_t room = a->s->route.rcvbuf ? a->s->route.rcvbuf : 212992;

	return a->n_slots == MAX_SLOTS || a->len >= BATCH_BYTES || a->cost + answer_cost(512) > room;
}

static void slot_start(struct apply *a, struct slot *sl)
{
	*sl = (struct slot){ .op = a->next,
			     .want = &a->ops[a->next],
			     .attr = SRV6_ATTR_NONE,
			     .at = (uint32_t)a->len,
			     .err = &a->room->errs[a->n_slots],
			     .ack = &a->room->acks[a->n_slots] };
	err_clear(&a->err);
}

/* Nothing to send: err says why, or that there is no need. */
static void slot_skip(struct slot *sl, int code, const struct srv6_error *err)
{
	sl->skipped = true;
	if (err->code)
		*slot_err(sl) = *err;
	else if (code)
		err_set(slot_err(sl), code, SRV6_ATTR_NONE, "the request cannot be built");
}

static void slot_answer(struct slot *sl, const struct ack *ack)
{
	sl->code = ack->code;
	sl->worded = ack->code || *ack->text;
	if (sl->worded)
		*sl->ack = *ack;
}

/*
 * The kernel takes what it cannot list: a list's datagrams are 32 KiB at most, less what it needs for itself. A route that does
 * not fit hides from lists, and with it all that come after, without a word (6.18). Listed, it is as long as its request and
 * what the kernel adds: age, preference, table, metric, and counters.
 */
#define LISTED_MORE 64
#define COUNTERS    40

static int check_listable(const struct slot *sl, const struct nlmsghdr *nlh, struct srv6_error *err)
{
	uint32_t n, len = nlh->nlmsg_len + LISTED_MORE;
	const struct srv6_hop *h = op_hops(sl->want, &n);

	if (sl->want->verb == SRV6_DEL)
		return 0;
	for (uint32_t i = 0; i < n; i++)
		len += h[i].encap && h[i].encap->has & SRV6_HAS(COUNT) ? COUNTERS : 0;
	if (len <= LISTED_MAX)
		return 0;
	return verify_say_large(sl->want, len, err);
}

static int put_no_gateway(struct nlmsghdr *nlh, size_t cap)
{
	struct msg m = { .buf = (void *)nlh, .cap = cap, .len = nlh->nlmsg_len };
	static const struct in6_addr none;

	msg_put(&m, RTA_GATEWAY, &none, sizeof(none));
	return msg_end(&m, NULL);
}

/* In a dry run what was read stays so, and what would be deleted is in no other's way any more. */
static void pretend(struct apply *a, const struct slot *sl, const struct held *gone)
{
	struct spot *sp;
	struct key k;

	key_of_op(sl->want, &k);
	sp = shot_find(&a->before, &k);
	if (!sp)
		return;
	sp->touched = 0;
	shot_drop(sp, gone);
}

void batch_pretend(struct apply *a)
{
	for (size_t i = 0; i < a->n_slots; i++)
		a->slots[i].matched = true;
}

static void slot_build(struct apply *a, struct slot *sl)
{
	const struct held *exact = NULL;
	int r = apply_probe(a, sl->want, &a->err);
	struct nlmsghdr *nlh = (void *)(a->buf + a->len);

	if (r >= 0)
		r = verify_before(a, sl->want, &a->err, &exact);
	if (!r)
		r = op_fill(sl->want, &sl->filled, &a->err);
	if (sl->filled)
		sl->want = sl->filled;
	if (!r && exact)
		r = raw_delete(&exact->nlh, nlh, BUF_BYTES - a->len);
	else if (!r && a->checked && !sl->filled)
		r = build_checked(nlh, BUF_BYTES - a->len, sl->want, &a->build, &a->err);
	else if (!r)
		r = srv6_build(nlh, BUF_BYTES - a->len, sl->want, &a->build, &a->err);
	sl->wanted = after_wanted(a, sl->want);
	sl->direct = verify_is_direct(a, sl->want);
	if (!r && sl->direct)
		r = put_no_gateway(nlh, BUF_BYTES - a->len);
	if (!r)
		r = check_listable(sl, nlh, &a->err);
	if (a->opts.flags & SRV6_APPLY_DRY_RUN)
		pretend(a, sl, r ? NULL : exact);
	if (r) {
		slot_skip(sl, r < 0 ? r : 0, &a->err);
		return;
	}
	if (!(a->opts.flags & SRV6_APPLY_NO_VERIFY))
		nlh->nlmsg_flags |= NLM_F_ECHO;
	sl->len = nlh->nlmsg_len;
	sl->echo_len = 3 * sl->len + a->joined;
	a->len += NLMSG_ALIGN(nlh->nlmsg_len);
	a->cost += answer_cost(nlh->nlmsg_len);
}

int batch_add(struct apply *a)
{
	const struct srv6_op *op = &a->ops[a->next];
	uint32_t hash = key_hash(op);

	if (a->n_slots && (is_full(a) || conflicts(a, op, hash)))
		return 1;
	slot_start(a, &a->slots[a->n_slots]);
	slot_build(a, &a->slots[a->n_slots]);
	note_key(a, hash);
	a->n_slots++;
	a->next++;
	return 0;
}

/* ---- sending */

/* All of them the first time, as they stand in the buffer; later those that are left. */
static int send_slots(struct apply *a)
{
	uint8_t *to = a->again;
	size_t len = 0;

	a->base = a->s->route.seq + 1;
	for (size_t i = 0; i < a->n_map; i++) {
		struct nlmsghdr *nlh = (void *)(a->buf + a->map[i]->at);

		nlh->nlmsg_seq = ++a->s->route.seq;
		nlh->nlmsg_pid = a->s->route.pid;
		if (i + 1 == a->n_map || a->n_map <= SMALL_BATCH)
			nlh->nlmsg_flags |= NLM_F_ACK;
		else
			nlh->nlmsg_flags &= (uint16_t)~NLM_F_ACK;
		if (!a->whole)
			memcpy(to + len, nlh, nlh->nlmsg_len);
		len += NLMSG_ALIGN(nlh->nlmsg_len);
	}
	return knl_send(a->s, &a->s->route, a->whole ? a->buf : to, len);
}

/* ---- answers */

static void keep_echo(struct slot *sl, const struct nlmsghdr *nlh)
{
	free(sl->echo);
	sl->echo = malloc(nlh->nlmsg_len);
	if (sl->echo)
		memcpy(sl->echo, nlh, nlh->nlmsg_len);
}

static void take_echo(struct apply *a, struct slot *sl, const struct nlmsghdr *nlh)
{
	bool del = sl->want->verb == SRV6_DEL;
	uint16_t type = sl->want->kind == SRV6_ROUTE ? del ? RTM_DELROUTE : RTM_NEWROUTE
			: del                        ? RTM_DELNEXTHOP
						     : RTM_NEWNEXTHOP;
	uint32_t attr = SRV6_ATTR_NONE;

	/* What goes or changes with a nexthop object is echoed too. */
	if (nlh->nlmsg_type != type || sl->matched)
		return;
	sl->echoed = true;
	/* A hop more may be one too many. */
	if (!del && nlh->nlmsg_len > LISTED_MAX) {
		sl->large = nlh->nlmsg_len;
		return;
	}
	if (echo_is_request(sl->want, (const void *)(a->buf + sl->at), nlh) ||
	    (!reader_read(&a->reader, nlh) && verify_echo(sl->want, &a->reader.op, &attr))) {
		sl->matched = true;
		if (sl->wanted)
			keep_echo(sl, nlh);
		return;
	}
	sl->attr = attr;
	if (!sl->echo)
		keep_echo(sl, nlh);
}

static void take_message(struct apply *a, const struct nlmsghdr *nlh)
{
	uint32_t i = nlh->nlmsg_seq - a->base;
	struct slot *sl;
	struct ack ack;

	if (i >= a->n_map)
		return;
	sl = a->map[i];
	if (nlh->nlmsg_type != NLMSG_ERROR) {
		take_echo(a, sl, nlh);
		return;
	}
	if (knl_ack(nlh, &ack))
		return;
	slot_answer(sl, &ack);
	sl->failed = ack.code != 0;
	sl->acked = !sl->failed;
}

static void take_datagram(struct apply *a, const void *data, size_t len)
{
	const struct nlmsghdr *nlh;

	for (nlh = knl_next(NULL, data, &len); nlh; nlh = knl_next(nlh, NULL, &len))
		take_message(a, nlh);
}

static bool is_answered(const struct slot *sl)
{
	return sl->failed || sl->acked || sl->echoed;
}

static bool is_last_answered(const struct apply *a)
{
	const struct slot *sl = a->map[a->n_map - 1];

	return sl->failed || sl->acked;
}

/* Echoes come before the acknowledgement, and errors too, so that the last one's ends the batch; unless something got lost. */
static bool is_complete(const struct apply *a)
{
	bool small = a->n_map <= SMALL_BATCH, quiet = a->opts.flags & SRV6_APPLY_NO_VERIFY;

	if (!is_last_answered(a))
		return false;
	for (size_t i = 0; i < a->n_map && (small || !quiet); i++)
		if (small ? !(a->map[i]->failed || a->map[i]->acked) : !is_answered(a->map[i]))
			return false;
	return true;
}

static bool from_kernel(const struct sockaddr_nl *from, size_t len)
{
	return len < sizeof(*from) || from->nl_family != AF_NETLINK || !from->nl_pid;
}

/* What is there already, many datagrams a system call. Returns how many, or -errno as recv. */
static int take_ready(struct apply *a)
{
	struct vector *v = &a->room->vector;
	struct srv6 *s = a->s;
	int n;

	do
		n = recvmmsg(s->route.fd, v->m, VECTOR, MSG_DONTWAIT, NULL);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	for (int i = 0; i < n; i++) {
		size_t len = v->m[i].msg_len, from_len = v->m[i].msg_hdr.msg_namelen;

		v->m[i].msg_hdr.msg_namelen = sizeof(v->from[i]);
		if (!len)
			return -ECONNRESET;
		if (!from_kernel(&v->from[i], from_len))
			continue;
		if (v->m[i].msg_hdr.msg_flags & MSG_TRUNC) {
			a->overrun = true;
			continue;
		}
		if (s->opts.trace)
			s->opts.trace(s->opts.trace_arg, 0, v->iov[i].iov_base, len);
		take_datagram(a, v->iov[i].iov_base, len);
	}
	return n;
}

/* Requests whose echo may not fit a part of the buffer are answered one by one into all of it. */
static bool is_large(const struct apply *a)
{
	for (size_t i = 0; i < a->n_map; i++)
		if (a->map[i]->echo_len > VECTOR_BYTES)
			return true;
	return false;
}

static int take_some(struct apply *a, bool large, int timeout)
{
	size_t len;
	int r;

	if (!large) {
		r = take_ready(a);
		if (r != -EAGAIN)
			return r;
	}
	r = knl_recv(a->s, &a->s->route, timeout, &len);
	if (!r)
		take_datagram(a, a->s->rx, len);
	return r;
}

static void take_answers(struct apply *a)
{
	bool large = is_large(a);

	while (!is_complete(a)) {
		int timeout = is_last_answered(a) ? 0 : a->overrun ? LOST_WAIT : a->s->timeout;
		int r = take_some(a, large, timeout);

		if (r == -ENOBUFS || r == -EMSGSIZE) {
			a->overrun = true;
		} else if (r == -EAGAIN) {
			a->overrun |= !is_last_answered(a);
			break;
		} else if (r < 0) {
			a->dead = true;
			break;
		}
	}
	/* No echo was asked for, the last one's answer came, and nothing was lost: what has no error was taken. */
	if (a->opts.flags & SRV6_APPLY_NO_VERIFY && a->n_map > SMALL_BATCH && !a->overrun && !a->dead)
		for (size_t i = 0; i < a->n_map; i++)
			a->map[i]->acked |= !a->map[i]->failed;
}

static void run_map(struct apply *a)
{
	int r;

	if (!a->n_map)
		return;
	a->overrun = false;
	r = send_slots(a);
	if (r) {
		/* Nothing of it went out. A receive queue that was overrun before shows itself here too. */
		for (size_t i = 0; i < a->n_map; i++) {
			a->map[i]->failed = true;
			slot_answer(a->map[i], &(struct ack){ .code = r });
		}
		a->dead |= r == -EPIPE || r == -ECONNRESET || r == -ENOTCONN;
		return;
	}
	take_answers(a);
}

/* ---- spurious ENOMEM */

/*
 * The kernel finds no room for a per-CPU cache until a worker of its own has made some: in a moment, on a busy machine in a
 * tenth of a second. So half of the tries follow quickly, and the others wait up to 50 ms: some 1.5 s in all.
 */
void transient_wait(int tries)
{
	const int quick = TRANSIENT_TRIES / 2;
	int doublings = tries < quick ? 0 : tries - quick;
	long us = tries < quick ? 20L << (tries < 4 ? tries : 3) : 200L << (doublings < 8 ? doublings : 8);
	struct timespec t = { 0, (us > 50000 ? 50000 : us) * 1000 };

	nanosleep(&t, NULL);
}

static void map_all(struct apply *a)
{
	a->n_map = 0;
	a->whole = true;
	for (size_t i = 0; i < a->n_slots; i++)
		if (a->slots[i].len)
			a->map[a->n_map++] = &a->slots[i];
}

/* Those refused for want of memory, and what failed behind the first of them, perhaps for lack of it. */
static bool map_transient(struct apply *a)
{
	bool found = false;

	a->n_map = 0;
	a->whole = false;
	for (size_t i = 0; i < a->n_slots; i++) {
		struct slot *sl = &a->slots[i];

		if (!sl->failed || !sl->len)
			continue;
		found |= sl->code == -ENOMEM;
		if (!found)
			continue;
		sl->failed = sl->worded = false;
		sl->code = 0;
		a->map[a->n_map++] = sl;
	}
	return found;
}

/* ---- lost answers: look what is there, and ask once more for what is not */

static bool is_open(const struct apply *a, const struct slot *sl)
{
	bool verify = !(a->opts.flags & SRV6_APPLY_NO_VERIFY);

	if (!sl->len || sl->failed || sl->matched)
		return false;
	if (sl->echoed)
		return false; /* it lies: verify_undo */
	return verify || !sl->acked;
}

static bool slot_look(struct apply *a, struct slot *sl, const struct shot *now)
{
	struct spot *sp;
	struct key k;
	bool there;

	key_of_op(sl->want, &k);
	sp = shot_find(now, &k);
	there = sp && verify_held(a, sl->want, sp, 0, NULL);
	if (sl->want->verb == SRV6_DEL ? there : !there)
		return false;
	sl->matched = true;
	return true;
}

static int look_cb(const struct nlmsghdr *nlh, void *arg)
{
	struct apply *a = arg;

	take_echo(a, a->map[0], nlh);
	return 0;
}

static void slot_again(struct apply *a, struct slot *sl)
{
	struct nlmsghdr *nlh = (void *)(a->buf + sl->at);
	struct ack ack = { .code = 0 };
	int r;

	a->map[0] = sl;
	r = knl_talk(a->s, &a->s->route, nlh, look_cb, a, &ack);
	slot_answer(sl, &ack);
	if (r == -ECONNRESET || r == -EPIPE) {
		a->dead = true;
	} else if (ack.code) {
		sl->failed = true;
	} else if (!r) {
		sl->acked = true;
	}
}

#define LOOK_TRIES 3

static void look_for_lost(struct apply *a)
{
	for (int tries = 0; tries < LOOK_TRIES && !a->dead; tries++) {
		struct shot now = { .spots = NULL };
		size_t open = 0;
		struct key k;
		int r = 0;

		for (size_t i = 0; i < a->n_slots && !r; i++) {
			if (!is_open(a, &a->slots[i]))
				continue;
			open++;
			key_of_op(a->slots[i].want, &k);
			r = shot_want(&now, &k);
		}
		if (!open)
			return;
		knl_drain(a->s, &a->s->route);
		r = r ? r : shot_take(a->s, &now, NULL);
		for (size_t i = 0; i < a->n_slots && !r; i++)
			if (is_open(a, &a->slots[i]) && !slot_look(a, &a->slots[i], &now) && !a->slots[i].acked)
				slot_again(a, &a->slots[i]);
		shot_free(&now);
		if (r)
			break;
	}
	for (size_t i = 0; i < a->n_slots; i++)
		a->slots[i].lost |= is_open(a, &a->slots[i]) && !a->slots[i].acked;
}

void batch_run(struct apply *a)
{
	map_all(a);
	run_map(a);
	for (int tries = 0; tries < TRANSIENT_TRIES && !a->dead && map_transient(a); tries++) {
		transient_wait(tries);
		run_map(a);
	}
	look_for_lost(a);
}

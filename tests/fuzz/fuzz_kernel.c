/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The transport, with a kernel that says anything. The library's sockets are ends of socket pairs; whenever it has sent
 * something (its trace tells), datagrams made of the input are put into the other end, and when the input is used up that end
 * is closed. Every call must end; what it reports as done and what it reports as failed must be said exactly once.
 */
#include <errno.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>
#include <linux/genetlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "fuzz.h"

#define MAX_OPS	      8
#define MAX_DATAGRAMS 400 /* the kernel is not without end either */
#define MAX_SECONDS   20

/* Time passes at once: whoever waits for what does not come has waited long enough. */
int poll(struct pollfd *fds, nfds_t n, int timeout)
{
	struct timespec none = { 0, 0 };

	(void)timeout;
	return ppoll(fds, n, &none, NULL);
}

int nanosleep(const struct timespec *wait, struct timespec *left)
{
	(void)wait;
	(void)left;
	return 0;
}

/* The options of netlink mean nothing to a socket pair. */
int setsockopt(int fd, int level, int name, const void *value, socklen_t len)
{
	if (level == SOL_NETLINK)
		return 0;
	return (int)syscall(SYS_setsockopt, fd, level, name, value, len);
}

struct kernel {
	struct input in;
	int fd;             /* the kernel's end */
	uint8_t sent[65536]; /* the last request */
	size_t sent_len;
	unsigned int n;
	bool closed;
};

static void hang_up(struct kernel *k)
{
	if (!k->closed)
		shutdown(k->fd, SHUT_RDWR);
	k->closed = true;
}

/* Sequence number of the i-th message of the request; so answers are for something. */
static uint32_t seq_of(const struct kernel *k, uint32_t i)
{
	size_t at = 0;
	const struct nlmsghdr *nlh = (const void *)k->sent;
	uint32_t seq = 0;

	while (at + sizeof(*nlh) <= k->sent_len) {
		nlh = (const void *)(k->sent + at);
		if (nlh->nlmsg_len < sizeof(*nlh))
			break;
		seq = nlh->nlmsg_seq;
		if (!i--)
			break;
		at += NLMSG_ALIGN(nlh->nlmsg_len);
	}
	return seq;
}

/* An answer: of the input's own making, an acknowledgement, an echo of the request, the end of a list. */
static size_t answer(struct kernel *k, uint8_t *to, size_t cap)
{
	uint8_t how = in_u8(&k->in);
	struct nlmsghdr *nlh = (void *)to;
	const struct nlmsghdr *req = (const void *)k->sent;
	size_t len = sizeof(*nlh);

	memset(to, 0, sizeof(*nlh) + 64);
	if (how % 8 == 0) {
		size_t n = in_u16(&k->in) % (cap - len);

		n = n < k->in.n ? n : k->in.n;
		nlh->nlmsg_type = in_u16(&k->in);
		nlh->nlmsg_flags = in_u16(&k->in);
		in_bytes(&k->in, to + len, n);
		len += n;
	} else if (how % 8 < 4) { /* acknowledged, or refused */
		int32_t code = how % 8 == 1 ? 0 : -(int32_t)in_u8(&k->in);

		nlh->nlmsg_type = NLMSG_ERROR;
		nlh->nlmsg_flags = how & 0x40 ? NLM_F_CAPPED | NLM_F_ACK_TLVS : 0;
		memcpy(to + len, &code, sizeof(code));
		memcpy(to + len + sizeof(code), k->sent, sizeof(*nlh));
		len += sizeof(code) + sizeof(*nlh);
		if (how & 0x40) {
			size_t n = in_u8(&k->in);

			in_bytes(&k->in, to + len, n);
			len += n;
		}
	} else if (how % 8 < 6 && k->sent_len >= sizeof(*req) && req->nlmsg_len <= k->sent_len && req->nlmsg_len < cap) {
		memcpy(to, k->sent, req->nlmsg_len); /* an echo, perhaps with a bit turned */
		len = req->nlmsg_len;
		if (how & 0x20)
			to[in_u16(&k->in) % len] ^= (uint8_t)(1u << (in_u8(&k->in) & 7));
	} else {
		nlh->nlmsg_type = NLMSG_DONE;
		nlh->nlmsg_flags = how & 0x40 ? NLM_F_MULTI | NLM_F_DUMP_INTR : NLM_F_MULTI;
		len += sizeof(int32_t);
	}
	nlh->nlmsg_len = (uint32_t)len;
	nlh->nlmsg_seq = how & 0x80 ? in_u32(&k->in) : seq_of(k, how >> 3 & 3);
	if (how == 0xff)
		nlh->nlmsg_len = in_u32(&k->in);
	return len;
}

/* Some messages a datagram, some datagrams a request. */
static void answers(struct kernel *k)
{
	static uint8_t buf[131072];
	uint8_t n = in_u8(&k->in) % 8;

	if (!k->in.n || k->n > MAX_DATAGRAMS)
		hang_up(k);
	for (; n && !k->closed; n--) {
		size_t len = 0, more = in_u8(&k->in) % 4;

		for (; more && len < 32768; more--)
			len += NLMSG_ALIGN(answer(k, buf + len, 16384));
		k->n++;
		if (send(k->fd, buf, len, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
			break;
	}
	if (!k->in.n)
		hang_up(k);
}

static void trace(void *arg, int out, const void *data, size_t len)
{
	struct kernel *k = arg;

	if (!out)
		return;
	k->sent_len = len < sizeof(k->sent) ? len : sizeof(k->sent);
	memcpy(k->sent, data, k->sent_len);
	answers(k);
}

/* The tool's end blocks nobody: what the kernel's end does not read is thrown away. */
static int pair(int *other)
{
	int fds[2];

	MUST(!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds));
	*other = fds[1];
	return fds[0];
}

/* What sends events: it takes from the same input. -1: nobody follows. */
static int events = -1;

/* The library opens the socket for events itself, in the namespace of its other one: it gets ours. */
int __wrap_netns_sockets(int how, int netns, int ret[2]);
int __wrap_netns_sockets(int how, int netns, int ret[2])
{
	(void)how;
	(void)netns;
	if (events >= 0)
		close(events);
	ret[0] = pair(&events);
	ret[1] = dup(ret[0]);
	return 0;
}

struct fates {
	uint8_t times[MAX_OPS];
	unsigned int good;
};

static void result(void *arg, size_t op, const struct srv6_error *err)
{
	struct fates *f = arg;

	MUST(op < MAX_OPS && err->op == op);
	MUST(!err->code || err->text[0]);
	f->times[op]++;
	f->good += !err->code;
}

static void apply(struct srv6 *s, struct fill *f)
{
	struct srv6_apply_opts opts = { sizeof(opts), .result = result };
	struct srv6_op ops[MAX_OPS];
	struct fates fates = { { 0 }, 0 };
	size_t n = 1 + in_u8(&f->in) % MAX_OPS;
	int ret;

	opts.flags = in_u8(&f->in) & 15;
	opts.arg = &fates;
	for (size_t i = 0; i < n; i++)
		fill_op(f, &ops[i]);
	ret = srv6_apply(s, ops, n, &opts);
	MUST(ret <= 0 && srv6_error(s)->code == ret);
	for (size_t i = 0; i < n; i++)
		MUST(fates.times[i] == 1);
	MUST((fates.good == n) == !ret);
	if (ret && opts.flags & SRV6_APPLY_ATOMIC)
		MUST(!fates.good);
}

static int seen(const struct srv6_op *op, void *arg)
{
	struct srv6_op *copy;

	if (!srv6_copy(op, &copy))
		free(copy);
	return ++*(unsigned int *)arg > 10000 ? -E2BIG : 0;
}

static void dump(struct srv6 *s, struct fill *f)
{
	static const uint32_t kinds[] = { SRV6_ROUTE, SRV6_NEXTHOP, SRV6_TUNSRC, SRV6_HMAC };
	struct srv6_op match = { .kind = kinds[in_u8(&f->in) % 4] };
	uint8_t how = in_u8(&f->in);
	unsigned int n = 0;

	if (how & 4) {
		fill_op(f, &match);
		match.verb = how & 8 ? SRV6_GET : SRV6_IS;
	}
	MUST(srv6_dump(s, &match, how & 3, seen, &n) <= 0);
}

static struct kernel kernel;

static void event(struct kernel *k)
{
	static uint8_t buf[32768];
	size_t len = 0;

	for (uint8_t more = in_u8(&k->in) % 4; more && events >= 0; more--)
		len += NLMSG_ALIGN(answer(k, buf + len, 8192));
	if (len && send(events, buf, len, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 && !k->in.n)
		shutdown(events, SHUT_RDWR);
}

static void follow(struct srv6 *s, struct fill *f)
{
	unsigned int n = 0;

	if (srv6_follow(s, in_u8(&f->in)))
		return;
	for (int i = 0; i < 4; i++) {
		event(&kernel);
		if (srv6_process(s, i & 1, seen, &n))
			break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const calls[])(struct srv6 *, struct fill *) = { apply, apply, dump, dump, follow };
	struct srv6_opts opts = { sizeof(opts), .trace = trace, .trace_arg = &kernel };
	struct fill *f = calloc(1, sizeof(*f));
	struct srv6 *s;
	size_t split;
	int genl;

	MUST(f);
	f->in = (struct input) { data, size };
	kernel.in = f->in;
	kernel.n = 0;
	kernel.closed = false;
	/* A part of the input makes the ops, the rest is the kernel's. */
	split = in_u16(&f->in) % (size + 1);
	f->in.n = f->in.n < split ? f->in.n : split;
	kernel.in.p = f->in.p + f->in.n;
	kernel.in.n = size - (size_t)(kernel.in.p - data);
	opts.route_fd = pair(&kernel.fd);
	opts.genl_fd = pair(&genl);
	close(genl);
	opts.mobile = SRV6_MOBILE_SEG6; /* else a namespace would be made, to find out */
	alarm(MAX_SECONDS);
	MUST(srv6_open(&s, &opts) == 0);
	for (int n = 1 + in_u8(&f->in) % 3; n > 0; n--)
		calls[in_u8(&f->in) % 5](s, f);
	srv6_close(s);
	alarm(0);
	close(kernel.fd);
	if (events >= 0)
		close(events);
	events = -1;
	fill_free(f);
	free(f);
	return 0;
}

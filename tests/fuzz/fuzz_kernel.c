/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The transport, with a kernel that says anything: whenever the library has sent something, datagrams made of the input are
 * there for it, and when the input is used up the kernel is gone. Every call must end; what it reports as done and what it
 * reports as failed must be said exactly once. What /proc says of the routes beside (whole.c) is the input's too, now and then.
 */
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/rtnetlink.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "handle.h"
#include "wire.h"

#define MAX_OPS       8
#define MAX_DATAGRAMS 400 /* the kernel is not without end either */
#define OWN_PID       4711
#define SEG6_FAMILY   29

struct kernel {
	struct input in;
	uint8_t sent[65536]; /* the last request */
	size_t sent_len;
	unsigned int n;
	bool closed;
};

static void hang_up(struct kernel *k)
{
	wire_hang_up(WIRE_ROUTE);
	wire_hang_up(WIRE_GENL);
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

/* Which number the family has. */
static size_t family(uint8_t *to)
{
	struct {
		struct nlmsghdr nlh;
		struct genlmsghdr genl;
		struct nlattr attr;
		uint16_t id, pad;
	} m = { .nlh = { .nlmsg_type = GENL_ID_CTRL }, .attr = { 6, CTRL_ATTR_FAMILY_ID }, .id = SEG6_FAMILY };

	memcpy(to, &m, sizeof(m));
	return sizeof(m);
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
	} else if (how % 8 < 6 && k->sent_len >= sizeof(*req) && req->nlmsg_type == GENL_ID_CTRL) {
		len = family(to);
	} else if (how % 8 < 6 && k->sent_len >= sizeof(*req) && req->nlmsg_len <= k->sent_len &&
		   req->nlmsg_len < cap) {
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

/* Somebody else may send to our socket too, where it is netlink's. */
static uint32_t sender(uint8_t how)
{
	return how & 0x80 ? 1 : 0;
}

/* Some messages a datagram, some datagrams a request; too many for the queue now and then. */
static void answers(struct kernel *k, enum wire_kind kind)
{
	static uint8_t buf[131072];
	uint8_t how = in_u8(&k->in), n = how % 8;

	if (!k->in.n || k->n > MAX_DATAGRAMS)
		hang_up(k);
	for (; n && !k->closed; n--) {
		uint8_t first = in_u8(&k->in);
		size_t len = 0;

		for (uint8_t more = first % 4; more && len < 32768; more--)
			len += NLMSG_ALIGN(answer(k, buf + len, 16384));
		k->n++;
		if (len)
			wire_put(kind, buf, len, sender(first));
	}
	if (how >= 0xf8)
		wire_overrun(kind);
	if (!k->in.n)
		hang_up(k);
}

static void sent(void *arg, enum wire_kind kind, const void *data, size_t len)
{
	struct kernel *k = arg;

	k->sent_len = len < sizeof(k->sent) ? len : sizeof(k->sent);
	memcpy(k->sent, data, k->sent_len);
	answers(k, kind);
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
	uint8_t how = in_u8(&k->in);
	size_t len = 0;

	for (uint8_t more = how % 4; more; more--)
		len += NLMSG_ALIGN(answer(k, buf + len, 8192));
	if (len)
		wire_put(WIRE_EVENTS, buf, len, sender(how));
	if ((how & 0x7c) == 0x7c)
		wire_overrun(WIRE_EVENTS);
	if (!k->in.n)
		wire_hang_up(WIRE_EVENTS);
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

static int text_file(struct input *in, size_t len, unsigned int times)
{
	int fd = memfd_create("text", MFD_CLOEXEC);

	MUST(fd >= 0);
	len = len < in->n ? len : in->n;
	while (times--)
		MUST(write(fd, in->p, len) == (ssize_t)len);
	in->p += len;
	in->n -= len;
	return fd;
}

/* A line of rt6_stats, and lines of ipv6_route: so often that they are more than is read at once. */
static void proc_files(struct srv6 *s, struct input *in)
{
	size_t len = in_u8(in) % 64;
	unsigned int times;

	s->whole.tried = true;
	s->whole.fds[0] = text_file(in, len, 1);
	times = in_u8(in);
	len = in_u16(in) % 2048;
	s->whole.fds[1] = text_file(in, len, times);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const calls[])(struct srv6 *, struct fill *) = { apply, apply, dump, dump, follow };
	static struct fill f;
	struct srv6_opts opts = { sizeof(opts),
				  .mobile = SRV6_MOBILE_SEG6 }; /* else a namespace would be made, to find out */
	struct srv6 *s;
	uint8_t first;
	size_t split;

	fill_start(&f, data, size);
	kernel.in = f.in;
	kernel.n = 0;
	kernel.sent_len = 0;
	kernel.closed = false;
	/* A part of the input makes the ops, the rest is the kernel's. */
	split = in_u16(&f.in) % (size + 1);
	f.in.n = f.in.n < split ? f.in.n : split;
	kernel.in.p = f.in.p + f.in.n;
	kernel.in.n = size - (size_t)(kernel.in.p - data);
	first = in_u8(&f.in);
	wire_start(sent, &kernel, first & 0x80 ? OWN_PID : 0);
	opts.route_fd = wire_open(WIRE_ROUTE);
	opts.genl_fd = wire_open(WIRE_GENL);
	MUST(srv6_open(&s, &opts) == 0);
	if (first & 0x40)
		proc_files(s, &kernel.in);
	for (int n = 1 + first % 3; n > 0; n--)
		calls[in_u8(&f.in) % 5](s, &f);
	srv6_close(s);
	wire_end();
	fill_free(&f);
	return 0;
}

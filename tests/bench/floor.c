/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The floor: what the kernel alone costs. Messages encoded beforehand, 8 KiB a send (larger ones drain the reserve of the
 * encapsulation's per-CPU cache, which is refilled only when the sender yields), no acknowledgement but the last, errors
 * drained without blocking, what failed with ENOMEM sent again. Nothing is verified. Listing: receive alone, and parse.
 *
 *	floor add|replace|del|recv|parse N [--dev DEV] [--sid K] [--ack] [--echo]
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>
#include <net/if.h>
#include <linux/lwtunnel.h>
#include <linux/rtnetlink.h>
#include <linux/seg6.h>
#include <linux/seg6_iptunnel.h>
#include <libmnl/libmnl.h>

#include "bench.h"

#define SEND_BYTES  8192
#define MSG_ROOM    256
#define RESEND_USEC 50
#define MAX_TRIES   1000

struct floor {
	struct mnl_socket *nl;
	char *msgs; /* n messages of len bytes, seq = index + 1 */
	size_t len;
	uint32_t n;
	uint32_t *failed; /* indexes to send again */
	uint32_t n_failed;
	uint32_t n_resent;
	uint32_t n_acks, n_echoes;
	bool ended; /* the last message was answered */
	int error;  /* the first that is not ENOMEM */
};

static void put_encap(struct nlmsghdr *nlh, uint8_t sid)
{
	struct {
		int mode;
		struct ipv6_sr_hdr srh;
		struct in6_addr segs[N_SEGS];
	} e = { .mode = SEG6_IPTUN_MODE_ENCAP };
	struct nlattr *nest;

	e.srh.hdrlen = N_SEGS * sizeof(struct in6_addr) / 8;
	e.srh.type = 4; /* IPV6_SRCRT_TYPE_4 */
	e.srh.segments_left = e.srh.first_segment = N_SEGS - 1;
	for (uint8_t k = 0; k < N_SEGS; k++)
		e.segs[N_SEGS - 1 - k] = bench_seg(k, sid);
	mnl_attr_put_u16(nlh, RTA_ENCAP_TYPE, LWTUNNEL_ENCAP_SEG6);
	nest = mnl_attr_nest_start(nlh, RTA_ENCAP);
	mnl_attr_put(nlh, SEG6_IPTUNNEL_SRH, sizeof(e), &e);
	mnl_attr_nest_end(nlh, nest);
}

static size_t encode(void *buf, uint32_t i, uint16_t type, uint16_t flags, uint32_t oif, uint8_t sid)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct rtmsg *rtm = mnl_nlmsg_put_extra_header(nlh, sizeof(*rtm));
	struct in6_addr dst = bench_dst(i);

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = (uint16_t)(NLM_F_REQUEST | flags);
	nlh->nlmsg_seq = i + 1;
	rtm->rtm_family = AF_INET6;
	rtm->rtm_dst_len = 64;
	rtm->rtm_table = RT_TABLE_MAIN;
	rtm->rtm_protocol = RTPROT_BOOT;
	rtm->rtm_scope = type == RTM_DELROUTE ? RT_SCOPE_NOWHERE : RT_SCOPE_UNIVERSE;
	rtm->rtm_type = type == RTM_DELROUTE ? RTN_UNSPEC : RTN_UNICAST;
	mnl_attr_put(nlh, RTA_DST, sizeof(dst), &dst);
	mnl_attr_put_u32(nlh, RTA_OIF, oif);
	if (type == RTM_NEWROUTE)
		put_encap(nlh, sid);
	return nlh->nlmsg_len;
}

static int encode_all(struct floor *f, uint16_t type, uint16_t flags, uint32_t oif, uint8_t sid)
{
	_Alignas(NLMSG_ALIGNTO) char buf[MSG_ROOM];

	f->len = encode(buf, 0, type, flags, oif, sid);
	f->msgs = malloc(f->len * f->n);
	f->failed = malloc(sizeof(*f->failed) * f->n);
	if (!f->msgs || !f->failed)
		return -ENOMEM;
	for (uint32_t i = 0; i < f->n; i++) {
		if (i == f->n - 1)
			flags |= NLM_F_ACK;
		encode(buf, i, type, flags, oif, sid);
		memcpy(f->msgs + i * f->len, buf, f->len);
	}
	return 0;
}

static void take(struct floor *f, const struct nlmsghdr *nlh)
{
	const struct nlmsgerr *e = mnl_nlmsg_get_payload(nlh);

	if (nlh->nlmsg_type != NLMSG_ERROR) {
		f->n_echoes++;
		return;
	}
	f->n_acks += !e->error;
	if (e->error == -ENOMEM)
		f->failed[f->n_failed++] = nlh->nlmsg_seq - 1;
	else if (nlh->nlmsg_seq == f->n)
		f->ended = true;
	if (e->error && e->error != -ENOMEM && !f->error)
		f->error = e->error;
}

#define DRAIN_SLOTS 64
#define DRAIN_ROOM  1024

static char drain_buf[DRAIN_SLOTS][DRAIN_ROOM];

/* The kernel works within the send: what it has to say is there when that returns. Every answer is a datagram of its own. */
static int drain(struct floor *f)
{
	static struct mmsghdr m[DRAIN_SLOTS];
	static struct iovec iov[DRAIN_SLOTS];

	for (;;) {
		int got;

		for (int k = 0; k < DRAIN_SLOTS; k++) {
			iov[k] = (struct iovec){ drain_buf[k], DRAIN_ROOM };
			m[k].msg_hdr = (struct msghdr){ .msg_iov = &iov[k], .msg_iovlen = 1 };
		}
		got = recvmmsg(mnl_socket_get_fd(f->nl), m, DRAIN_SLOTS, MSG_DONTWAIT, NULL);
		if (got < 0)
			return errno == EAGAIN ? f->error : -errno;
		for (int k = 0; k < got; k++) {
			struct nlmsghdr *nlh = (void *)drain_buf[k];
			int left = (int)m[k].msg_len;

			for (; mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left))
				take(f, nlh);
		}
		if (got < DRAIN_SLOTS)
			return f->error;
	}
}

static int resend(struct floor *f)
{
	for (int tries = 0; f->n_failed; tries++) {
		uint32_t n = f->n_failed;
		struct iovec iov[SEND_BYTES / 32];
		struct msghdr m = { .msg_iov = iov };
		int ret;

		if (tries == MAX_TRIES)
			return -ENOMEM;
		usleep(RESEND_USEC);
		for (uint32_t k = 0; k < n; k++)
			iov[k] = (struct iovec){ f->msgs + f->failed[k] * f->len, f->len };
		m.msg_iovlen = n;
		f->n_failed = 0;
		f->n_resent += n;
		if (sendmsg(mnl_socket_get_fd(f->nl), &m, 0) < 0)
			return -errno;
		ret = drain(f);
		if (ret)
			return ret;
	}
	return 0;
}

static int send_all(struct floor *f)
{
	uint32_t per_send = (uint32_t)(SEND_BYTES / f->len);

	for (uint32_t i = 0; i < f->n; i += per_send) {
		uint32_t n = f->n - i < per_send ? f->n - i : per_send;
		int ret;

		if (mnl_socket_sendto(f->nl, f->msgs + i * f->len, n * f->len) < 0)
			return -errno;
		ret = drain(f);
		if (!ret)
			ret = resend(f);
		if (ret)
			return ret;
	}
	return f->ended ? 0 : -EPROTO;
}

static int change(struct floor *f, const char *step, uint16_t type, uint16_t flags, uint32_t oif, uint8_t sid)
{
	int rcvbuf = 4 << 20;
	struct bench_clock from;
	char more[96];
	int ret = encode_all(f, type, flags, oif, sid);

	if (ret)
		return ret;
	if (flags & (NLM_F_ACK | NLM_F_ECHO))
		setsockopt(mnl_socket_get_fd(f->nl), SOL_SOCKET, SO_RCVBUFFORCE, &rcvbuf, sizeof(rcvbuf));
	from = bench_now();
	ret = send_all(f);
	if (ret)
		return ret;
	if ((flags & NLM_F_ECHO && f->n_echoes != f->n) || (flags & NLM_F_ACK && f->n_acks != f->n))
		return -EPROTO;
	snprintf(more, sizeof(more), ",\"resent\":%u,\"echoes\":%u", f->n_resent, f->n_echoes);
	bench_report(step, f->n, from, more);
	return 0;
}

/* ------------------------------------------------------------------ listing */

struct seen {
	uint32_t n;   /* routes with three segments: parse; all routes: recv */
	uint32_t sum; /* so that the compiler keeps the reading */
	bool parse;
};

static int remember(const struct nlattr *attr, void *data)
{
	const struct nlattr **tb = data;
	uint16_t type = mnl_attr_get_type(attr);

	if (type <= RTA_MAX)
		tb[type] = attr;
	return MNL_CB_OK;
}

static int one_route(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *tb[RTA_MAX + 1] = { 0 }, *in[RTA_MAX + 1] = { 0 };
	const struct ipv6_sr_hdr *srh;
	struct in6_addr dst, segs[N_SEGS];
	struct seen *seen = data;

	if (!seen->parse) {
		seen->n++;
		return MNL_CB_OK;
	}
	mnl_attr_parse(nlh, sizeof(struct rtmsg), remember, tb);
	if (!tb[RTA_DST] || !tb[RTA_OIF] || !tb[RTA_ENCAP] || !tb[RTA_ENCAP_TYPE])
		return MNL_CB_OK;
	mnl_attr_parse_nested(tb[RTA_ENCAP], remember, in);
	if (!in[SEG6_IPTUNNEL_SRH] || mnl_attr_get_payload_len(in[SEG6_IPTUNNEL_SRH]) < 4 + sizeof(*srh) + sizeof(segs))
		return MNL_CB_OK;
	srh = (const void *)((const char *)mnl_attr_get_payload(in[SEG6_IPTUNNEL_SRH]) + 4);
	memcpy(&dst, mnl_attr_get_payload(tb[RTA_DST]), sizeof(dst));
	memcpy(segs, srh->segments, sizeof(segs));
	seen->sum += dst.s6_addr32[1] + segs[0].s6_addr32[3] + mnl_attr_get_u32(tb[RTA_OIF]);
	seen->n += srh->first_segment == N_SEGS - 1;
	return MNL_CB_OK;
}

static int list(struct floor *f, const char *step, bool parse)
{
	static char buf[32768];
	struct seen seen = { .parse = parse };
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct rtmsg *rtm = mnl_nlmsg_put_extra_header(nlh, sizeof(*rtm));
	struct bench_clock from = bench_now();
	int on = 1, ret = MNL_CB_OK;

	/* Strict: the kernel filters by table, which keeps the local table out of the count. */
	setsockopt(mnl_socket_get_fd(f->nl), SOL_NETLINK, NETLINK_GET_STRICT_CHK, &on, sizeof(on));
	nlh->nlmsg_type = RTM_GETROUTE;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	nlh->nlmsg_seq = 1;
	rtm->rtm_family = AF_INET6;
	rtm->rtm_table = RT_TABLE_MAIN;
	if (mnl_socket_sendto(f->nl, nlh, nlh->nlmsg_len) < 0)
		return -errno;
	while (ret > MNL_CB_STOP) {
		ssize_t got = mnl_socket_recvfrom(f->nl, buf, sizeof(buf));

		if (got < 0)
			return -errno;
		ret = mnl_cb_run(buf, (size_t)got, 1, 0, one_route, &seen);
	}
	if (ret < 0)
		return -errno;
	bench_report(step, seen.n, from, "");
	return seen.n < f->n ? -ENOENT : 0;
}

/* ------------------------------------------------------------------ main */

static const struct step {
	const char *name;
	uint16_t type, flags;
} steps[] = {
	{ "add", RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL },
	{ "replace", RTM_NEWROUTE, NLM_F_CREATE | NLM_F_REPLACE },
	{ "del", RTM_DELROUTE, 0 },
	{ "recv", RTM_GETROUTE, 0 },
	{ "parse", RTM_GETROUTE, 0 },
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
	struct floor f = { .n = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0 };
	const char *dev = "d0";
	uint16_t flags = 0;
	uint8_t sid = 1;
	int ret;

	for (int i = 3; i < argc; i++) {
		if (!strcmp(argv[i], "--dev") && i + 1 < argc)
			dev = argv[++i];
		else if (!strcmp(argv[i], "--sid") && i + 1 < argc)
			sid = (uint8_t)atoi(argv[++i]);
		else if (!strcmp(argv[i], "--ack"))
			flags |= NLM_F_ACK;
		else if (!strcmp(argv[i], "--echo"))
			flags |= NLM_F_ECHO;
		else
			step = NULL;
	}
	if (!step || !f.n) {
		fprintf(stderr, "usage: floor add|replace|del|recv|parse N [--dev DEV] [--sid K] [--ack] [--echo]\n");
		return 2;
	}
	f.nl = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);
	if (!f.nl || mnl_socket_bind(f.nl, 0, MNL_SOCKET_AUTOPID) < 0)
		return perror("floor: netlink"), 1;
	if (step->type == RTM_GETROUTE)
		ret = list(&f, step->name, !strcmp(step->name, "parse"));
	else
		ret = change(&f, step->name, step->type, step->flags | flags, if_nametoindex(dev), sid);
	mnl_socket_close(f.nl);
	free(f.msgs);
	free(f.failed);
	if (ret)
		fprintf(stderr, "floor: %s: %s\n", step->name, strerror(-ret));
	return ret ? 1 : 0;
}

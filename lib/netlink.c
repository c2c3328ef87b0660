/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Datagrams, acknowledgements, one request, one listing. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "handle.h"

int knl_send(struct srv6 *s, struct sock *k, const void *data, size_t len)
{
	ssize_t n;

	if (s->opts.trace && !s->secret)
		s->opts.trace(s->opts.trace_arg, 1, data, len);
	do
		n = send(k->fd, data, len, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	return (size_t)n == len ? 0 : -EIO;
}

static int wait_readable(int fd, int timeout)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int n;

	do
		n = poll(&p, 1, timeout);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	return n ? 0 : -EAGAIN;
}

int knl_recv(struct srv6 *s, struct sock *k, int timeout, size_t *ret)
{
	for (;;) {
		struct sockaddr_nl from = { 0 };
		struct iovec iov = { s->rx, RX_SIZE };
		struct msghdr msg = {
			.msg_name = &from, .msg_namelen = sizeof(from), .msg_iov = &iov, .msg_iovlen = 1
		};
		ssize_t n = recvmsg(k->fd, &msg, MSG_DONTWAIT);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN) {
			int r = wait_readable(k->fd, timeout);

			if (r)
				return r;
			continue;
		}
		if (n < 0)
			return -errno;
		if (n == 0)
			return -ECONNRESET;
		/* Any process may send to a netlink socket; only the kernel is believed. */
		if (msg.msg_namelen >= sizeof(from) && from.nl_family == AF_NETLINK && from.nl_pid)
			continue;
		if (msg.msg_flags & MSG_TRUNC)
			return -EMSGSIZE;
		if (s->opts.trace && !s->secret)
			s->opts.trace(s->opts.trace_arg, 0, s->rx, (size_t)n);
		s->n_datagrams++;
		*ret = (size_t)n;
		return 0;
	}
}

const struct nlmsghdr *knl_next(const struct nlmsghdr *prev, const void *data, size_t *left)
{
	const struct nlmsghdr *nlh = data;

	if (prev) {
		size_t step = NLMSG_ALIGN(prev->nlmsg_len);

		if (step >= *left) {
			*left = 0;
			return NULL;
		}
		*left -= step;
		nlh = (const void *)((const char *)prev + step);
	}
	if (*left < sizeof(*nlh) || nlh->nlmsg_len < sizeof(*nlh) || nlh->nlmsg_len > *left)
		return NULL;
	return nlh;
}

const struct nlattr *knl_find_in(const void *data, size_t len, uint16_t type)
{
	const struct nlattr *a = data, *found = NULL;

	while (len >= sizeof(*a) && a->nla_len >= sizeof(*a) && a->nla_len <= len) {
		size_t step = ATTR_ALIGN(a->nla_len);

		if (knl_type(a) == type)
			found = a; /* the last one wins, as in the kernel */
		if (step >= len)
			break;
		len -= step;
		a = (const void *)((const char *)a + step);
	}
	return found;
}

const struct nlattr *knl_find(const struct nlmsghdr *nlh, size_t hdrlen, uint16_t type)
{
	size_t head = MSG_HEAD + NLMSG_ALIGN(hdrlen);

	if (nlh->nlmsg_len <= head)
		return NULL;
	return knl_find_in((const char *)nlh + head, nlh->nlmsg_len - head, type);
}

uint32_t knl_u32(const struct nlattr *a, uint32_t absent)
{
	uint32_t v = absent;

	if (a && knl_len(a) >= sizeof(v))
		memcpy(&v, knl_data(a), sizeof(v));
	return v;
}

/* TLVs start after the errno (NLMSG_DONE) or after the request, or just its header where it was capped (NLMSG_ERROR). */
static size_t ack_tlv_offset(const struct nlmsghdr *nlh)
{
	const struct nlmsgerr *e = (const void *)((const char *)nlh + MSG_HEAD);

	if (nlh->nlmsg_type == NLMSG_DONE)
		return MSG_HEAD + sizeof(int);
	if (nlh->nlmsg_len < MSG_HEAD + sizeof(*e))
		return nlh->nlmsg_len;
	if (nlh->nlmsg_flags & NLM_F_CAPPED || e->msg.nlmsg_len < sizeof(e->msg))
		return MSG_HEAD + sizeof(*e);
	return MSG_HEAD + sizeof(int) + NLMSG_ALIGN(e->msg.nlmsg_len);
}

static void ack_tlvs(const struct nlmsghdr *nlh, struct ack *ret)
{
	size_t at = ack_tlv_offset(nlh);
	const struct nlattr *a;

	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS) || at >= nlh->nlmsg_len)
		return;
	a = knl_find_in((const char *)nlh + at, nlh->nlmsg_len - at, NLMSGERR_ATTR_MSG);
	if (a && knl_len(a)) {
		size_t n = strnlen(knl_data(a), knl_len(a));

		n = n < sizeof(ret->text) - 1 ? n : sizeof(ret->text) - 1;
		memcpy(ret->text, knl_data(a), n);
		ret->text[n] = 0;
	}
	a = knl_find_in((const char *)nlh + at, nlh->nlmsg_len - at, NLMSGERR_ATTR_OFFS);
	if (a && knl_len(a) >= sizeof(uint32_t)) {
		ret->has_offset = true;
		ret->offset = knl_u32(a, 0);
	}
}

int knl_ack(const struct nlmsghdr *nlh, struct ack *ret)
{
	int code = 0;

	memset(ret, 0, offsetof(struct ack, text) + 1);
	/* A kernel without an error to tell may end a listing with a bare NLMSG_DONE. */
	if (nlh->nlmsg_len >= MSG_HEAD + sizeof(code))
		memcpy(&code, (const char *)nlh + MSG_HEAD, sizeof(code));
	else if (nlh->nlmsg_type == NLMSG_ERROR)
		return -EBADMSG;
	ret->code = code > 0 ? 0 : code;
	ack_tlvs(nlh, ret);
	return 0;
}

bool knl_drain(struct srv6 *s, struct sock *k)
{
	bool any = false;
	size_t len;
	int r;

	while ((r = knl_recv(s, k, 0, &len)) == 0 || r == -ENOBUFS || r == -EMSGSIZE)
		any = true;
	return any;
}

static bool is_ours(const struct sock *k, const struct nlmsghdr *nlh, uint32_t seq)
{
	return nlh->nlmsg_seq == seq && (nlh->nlmsg_pid == k->pid || !nlh->nlmsg_pid || !k->pid);
}

int knl_talk(struct srv6 *s, struct sock *k, struct nlmsghdr *req, knl_cb cb, void *arg, struct ack *ack)
{
	int r, result = 0;

	memset(ack, 0, sizeof(*ack));
	req->nlmsg_seq = ++k->seq;
	req->nlmsg_pid = k->pid;
	req->nlmsg_flags |= NLM_F_REQUEST | NLM_F_ACK;
	r = knl_send(s, k, req, req->nlmsg_len);
	if (r)
		return r;
	for (;;) {
		const struct nlmsghdr *nlh;
		size_t left = 0;

		r = knl_recv(s, k, s->timeout, &left);
		if (r)
			return r == -EAGAIN ? -ETIMEDOUT : r;
		for (nlh = knl_next(NULL, s->rx, &left); nlh; nlh = knl_next(nlh, NULL, &left)) {
			if (!is_ours(k, nlh, req->nlmsg_seq))
				continue;
			if (nlh->nlmsg_type == NLMSG_ERROR) {
				r = knl_ack(nlh, ack);
				return r ? r : ack->code ? ack->code : result;
			}
			if (cb && !result)
				result = cb(nlh, arg);
		}
		/* What was cut off may have been the answer. */
		if (left && !result)
			result = -EBADMSG;
	}
}

int knl_say(struct srv6_error *err, int code)
{
	char text[64];

	if (code == -ETIMEDOUT || code == -ECONNRESET || code == -EPIPE)
		return err_set(err, code, SRV6_ATTR_NONE, "the kernel does not answer");
	if (code == -ENOMEM)
		return err_set(err, code, SRV6_ATTR_NONE, "out of memory");
	if (code == -ENOBUFS || code == -EMSGSIZE || code == -EBADMSG || code == -EIO || code == -ESTALE)
		return err_set(err, code, SRV6_ATTR_NONE, "the kernel's answer was lost on the way");
	return err_set(err, code, SRV6_ATTR_NONE, "the kernel cannot be asked: %s",
		       strerror_r(-code, text, sizeof(text)));
}

/* One datagram of a listing. Returns 1 at its end. */
static int list_datagram(struct srv6 *s, struct sock *k, uint32_t seq, size_t left, knl_cb cb, void *arg,
			 struct ack *ack, int *stale, int *result)
{
	const struct nlmsghdr *nlh;

	for (nlh = knl_next(NULL, s->rx, &left); nlh; nlh = knl_next(nlh, NULL, &left)) {
		bool ours = is_ours(k, nlh, seq);

		if (s->watch && s->watch(s->watch_arg, nlh, ours))
			*stale = 1;
		if (!ours)
			continue;
		if (nlh->nlmsg_flags & NLM_F_DUMP_INTR)
			*stale = 1;
		if (nlh->nlmsg_type == NLMSG_ERROR || nlh->nlmsg_type == NLMSG_DONE) {
			int r = knl_ack(nlh, ack);

			if (!*result)
				*result = r ? r : ack->code;
			return 1;
		}
		if (!*result)
			*result = cb(nlh, arg);
	}
	if (left)
		*stale = 1;
	return 0;
}

/*
 * The kernel makes a list's datagrams as large as the largest read so far, and the first one before there was any. An object that
 * does not fit would end the list there, as if it were whole (IPv6, 6.18). So something is read first.
 */
static int prime(struct srv6 *s, struct sock *k)
{
	struct nlmsghdr noop = { .nlmsg_len = sizeof(noop), .nlmsg_type = NLMSG_NOOP };
	struct ack ack;
	int r;

	if (k->primed || !k->pid)
		return 0;
	r = knl_talk(s, k, &noop, NULL, NULL, &ack);
	k->primed = !r;
	return r;
}

int knl_list(struct srv6 *s, struct sock *k, struct nlmsghdr *req, knl_cb cb, void *arg, struct ack *ack)
{
	int r, stale = 0, result = 0;

	memset(ack, 0, sizeof(*ack));
	if (k->unread)
		knl_drain(s, k);
	k->unread = false;
	r = prime(s, k);
	if (r)
		return r;
	req->nlmsg_seq = ++k->seq;
	req->nlmsg_pid = k->pid;
	req->nlmsg_flags |= NLM_F_REQUEST | NLM_F_DUMP;
	r = knl_send(s, k, req, req->nlmsg_len);
	if (r)
		return r;
	k->unread = true;
	for (;;) {
		size_t len = 0;

		r = knl_recv(s, k, s->timeout, &len);
		if (r == -ENOBUFS || r == -EMSGSIZE) {
			stale = 1;
			continue;
		}
		if (r)
			/* Nothing more will come where the end itself was dropped. */
			return r == -EAGAIN && stale ? -ESTALE : r == -EAGAIN ? -ETIMEDOUT : r;
		if (list_datagram(s, k, req->nlmsg_seq, len, cb, arg, ack, &stale, &result))
			break;
	}
	k->unread = false;
	/* A route too large for an answer ends the listing early on older kernels. */
	if (result == -EMSGSIZE && ack->code == -EMSGSIZE)
		return -ESTALE;
	return result ? result : stale ? -ESTALE : 0;
}

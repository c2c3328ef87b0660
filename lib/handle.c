/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The handle: sockets, the generic netlink family, the last error. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/genetlink.h>

#include "handle.h"

#define ANSWER_TIMEOUT 10000 /* the kernel answers while we send; this long nothing means that it never will */

int handle_enter(struct srv6 *s)
{
	if (s->busy)
		return -EBUSY;
	err_clear(&s->err);
	return 0;
}

int handle_fail(struct srv6 *s, const struct srv6_error *err)
{
	if (err != &s->err)
		s->err = *err;
	return err->code;
}

/* Without it nothing that arrives could be told from what is for others, and no list could be watched. */
static int own_pid(int fd, uint32_t *ret)
{
	struct sockaddr_nl a = { 0 };
	socklen_t len = sizeof(a);
	int r;

	/* Bind now: the kernel would choose the address at the first send, and we want to know it. */
	a.nl_family = AF_NETLINK;
	r = bind(fd, (struct sockaddr *)&a, sizeof(a)) < 0 ? -errno
							   : -EIO; /* one that was given is bound, and refuses */
	if (getsockname(fd, (struct sockaddr *)&a, &len) < 0)
		return -errno;
	if (!a.nl_pid)
		return r;
	*ret = a.nl_pid;
	return 0;
}

static uint32_t rcvbuf_get(int fd)
{
	int v = 0;
	socklen_t len = sizeof(v);

	if (getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &v, &len) < 0 || v < 0)
		return 0;
	return (uint32_t)v;
}

int sock_setup(struct sock *k, uint32_t want)
{
	static const int options[] = { NETLINK_EXT_ACK, NETLINK_CAP_ACK, NETLINK_GET_STRICT_CHK };
	int one = 1, bytes = (int)want;
	socklen_t len = sizeof(one);
	int domain = 0;

	k->rcvbuf = rcvbuf_get(k->fd);
	if (getsockopt(k->fd, SOL_SOCKET, SO_DOMAIN, &domain, &len) < 0)
		return -errno;
	if (domain != AF_NETLINK)
		return 0;
	/* An older kernel does not know them, and that is fine. */
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (setsockopt(k->fd, SOL_NETLINK, options[i], &one, sizeof(one)) < 0 && errno != ENOPROTOOPT)
			return -errno;
	if (k->rcvbuf < want && setsockopt(k->fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes)) < 0)
		setsockopt(k->fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
	k->rcvbuf = rcvbuf_get(k->fd);
	return own_pid(k->fd, &k->pid);
}

void sock_close(struct sock *k)
{
	if (k->fd >= 0)
		close(k->fd);
	k->fd = -1;
}

int sock_open(struct srv6 *s, struct sock *k, int protocol)
{
	int fds[2], r;

	if (k->fd >= 0)
		return 0;
	if (s->opts.netns > 0) {
		r = netns_sockets(NETNS_ENTER, s->opts.netns, fds);
		if (r)
			return r;
		k->fd = fds[protocol == NETLINK_GENERIC];
		close(fds[protocol != NETLINK_GENERIC]);
	} else {
		k->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol);
		if (k->fd < 0)
			return -errno;
	}
	r = sock_setup(k, RCVBUF_REQUESTS);
	if (r)
		sock_close(k);
	return r;
}

static int sock_given(struct sock *k, int fd)
{
	k->fd = fd > 0 ? fd : -1;
	return k->fd >= 0 ? sock_setup(k, RCVBUF_REQUESTS) : 0;
}

/* The generic socket is opened when first needed, but in the namespace as it is now: the descriptor may be closed then. */
static int handle_sockets(struct srv6 *s)
{
	int fds[2], r;

	r = sock_given(&s->route, s->opts.route_fd);
	if (!r)
		r = sock_given(&s->genl, s->opts.genl_fd);
	if (r)
		return r;
	s->given = s->opts.route_fd > 0;
	if (s->opts.netns <= 0 || s->given)
		return sock_open(s, &s->route, NETLINK_ROUTE);
	r = netns_sockets(NETNS_ENTER, s->opts.netns, fds);
	if (r)
		return r;
	s->route.fd = fds[0];
	if (s->genl.fd >= 0) {
		close(fds[1]);
		return sock_setup(&s->route, RCVBUF_REQUESTS);
	}
	s->genl.fd = fds[1];
	r = sock_setup(&s->route, RCVBUF_REQUESTS);
	return r ? r : sock_setup(&s->genl, RCVBUF_REQUESTS);
}

EXPORT int srv6_open(struct srv6 **ret, const struct srv6_opts *opts)
{
	struct srv6_opts o = SRV6_INIT(struct srv6_opts);
	struct srv6 *s;
	int r;

	r = opts ? sized_in(&o, sizeof(o), opts) : 0;
	if (r)
		return r;
	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	s->opts = o;
	s->mobile = o.mobile;
	s->timeout = ANSWER_TIMEOUT;
	s->route.fd = s->genl.fd = -1;
	err_clear(&s->err);
	s->rx = malloc(RX_SIZE);
	r = s->rx ? handle_sockets(s) : -ENOMEM;
	if (r) {
		/* What the caller gave stays the caller's where opening failed. */
		if (o.route_fd > 0)
			s->route.fd = -1;
		if (o.genl_fd > 0)
			s->genl.fd = -1;
		srv6_close(s);
		return r;
	}
	*ret = s;
	return 0;
}

EXPORT void srv6_close(struct srv6 *s)
{
	if (!s)
		return;
	follow_free(s->follow);
	caps_free(s->caps);
	sock_close(&s->route);
	sock_close(&s->genl);
	whole_free(s);
	free(s->room);
	free(s->rx);
	free(s);
}

EXPORT const struct srv6_error *srv6_error(const struct srv6 *s)
{
	return &s->err;
}

static int family_cb(const struct nlmsghdr *nlh, void *arg)
{
	const struct nlattr *a = knl_find(nlh, sizeof(struct genlmsghdr), CTRL_ATTR_FAMILY_ID);

	if (a && knl_len(a) >= sizeof(uint16_t))
		memcpy(arg, knl_data(a), sizeof(uint16_t));
	return 0;
}

int genl_family(struct srv6 *s, struct sock *k, const char *name, uint16_t *ret)
{
	struct {
		struct nlmsghdr nlh;
		struct genlmsghdr genl;
		struct nlattr attr;
		char name[GENL_NAMSIZ];
	} req = {
		.nlh = { .nlmsg_len = sizeof(req), .nlmsg_type = GENL_ID_CTRL },
		.genl = { .cmd = CTRL_CMD_GETFAMILY, .version = 1 },
		.attr = { .nla_type = CTRL_ATTR_FAMILY_NAME },
	};
	size_t len = strlen(name) + 1;
	struct ack ack;
	int r;

	memcpy(req.name, name, len);
	req.attr.nla_len = (uint16_t)(ATTR_HEAD + len);
	req.nlh.nlmsg_len = (uint32_t)(offsetof(__typeof__(req), name) + ATTR_ALIGN(len));
	r = knl_talk(s, k, &req.nlh, family_cb, ret, &ack);
	return r ? r : *ret ? 0 : -ENOENT;
}

int genl_open(struct srv6 *s, struct srv6_error *err)
{
	int r;

	if (s->genl_id)
		return 0;
	r = sock_open(s, &s->genl, NETLINK_GENERIC);
	if (r)
		return err_set(err, r, SRV6_ATTR_NONE, "cannot open a generic netlink socket");
	r = genl_family(s, &s->genl, SR_GENL_NAME, &s->genl_id);
	if (r == -ENOENT) {
		err_set(err, -EOPNOTSUPP, SRV6_ATTR_NONE, "this kernel has no generic netlink family " SR_GENL_NAME);
		err_remedy(err, "it comes with CONFIG_IPV6; where IPv6 is a module: modprobe ipv6");
		return -EOPNOTSUPP;
	}
	if (r)
		return err_set(err, r, SRV6_ATTR_NONE, "the generic netlink family " SR_GENL_NAME " cannot be found");
	return 0;
}

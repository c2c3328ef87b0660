/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <linux/netlink.h>
#include <linux/sockios.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "fuzz.h"
#include "handle.h"
#include "wire.h"

#define FIRST       0x10000000 /* no descriptor of this process is as high */
#define MAX_FDS     32
#define QUEUE_BYTES (1u << 18)
#define QUEUE_MOST  512

struct queue {
	uint32_t n, next, used; /* of datagrams; bytes */
	struct {
		uint32_t at, len, from;
	} datagram[QUEUE_MOST];
	uint8_t bytes[QUEUE_BYTES];
	bool gone, overrun;
};

static struct queue queues[WIRE_KINDS];
static struct {
	enum wire_kind kind;
	bool open;
} fds[MAX_FDS];
static int n_fds;
static struct {
	const uint8_t *data;
	size_t len, at;
} file;
static uint32_t own_pid;
static void (*on_sent)(void *arg, enum wire_kind kind, const void *data, size_t len);
static void *on_sent_arg;

static void queue_reset(struct queue *q)
{
	q->n = q->next = q->used = 0;
	q->gone = q->overrun = false;
}

void wire_start(void (*sent)(void *arg, enum wire_kind kind, const void *data, size_t len), void *arg, uint32_t pid)
{
	on_sent = sent;
	on_sent_arg = arg;
	own_pid = pid;
	n_fds = 0;
	for (int i = 0; i < WIRE_KINDS; i++)
		queue_reset(&queues[i]);
}

void wire_end(void)
{
	for (int i = 0; i < n_fds; i++)
		MUST(!fds[i].open);
}

int wire_open(enum wire_kind kind)
{
	MUST(n_fds < MAX_FDS);
	fds[n_fds].kind = kind;
	fds[n_fds].open = true;
	if (kind == WIRE_EVENTS)
		queue_reset(&queues[kind]);
	return FIRST + n_fds++;
}

int wire_file(const void *data, size_t len)
{
	file.data = data;
	file.len = len;
	file.at = 0;
	return wire_open(WIRE_FILE);
}

bool wire_put(enum wire_kind kind, const void *data, size_t len, uint32_t from)
{
	struct queue *q = &queues[kind];

	if (q->next == q->n)
		q->n = q->next = q->used = 0;
	if (q->gone)
		return false;
	if (q->n == QUEUE_MOST || len > QUEUE_BYTES - q->used) {
		q->overrun = true;
		return false;
	}
	memcpy(q->bytes + q->used, data, len);
	q->datagram[q->n].at = q->used;
	q->datagram[q->n].len = (uint32_t)len;
	q->datagram[q->n++].from = from;
	q->used += (uint32_t)len;
	return true;
}

void wire_overrun(enum wire_kind kind)
{
	queues[kind].n = queues[kind].next = queues[kind].used = 0;
	queues[kind].overrun = true;
}

void wire_hang_up(enum wire_kind kind)
{
	queues[kind].gone = true;
}

static enum wire_kind kind_of(int fd)
{
	MUST(fd >= FIRST && fd < FIRST + n_fds && fds[fd - FIRST].open);
	return fds[fd - FIRST].kind;
}

static bool is_ready(const struct queue *q)
{
	return q->next < q->n || q->gone || q->overrun;
}

static int failed(int code)
{
	errno = code;
	return -1;
}

/* ---- what the library calls */

ssize_t __wrap_send(int fd, const void *data, size_t len, int flags);
ssize_t __wrap_send(int fd, const void *data, size_t len, int flags)
{
	enum wire_kind kind = kind_of(fd);

	MUST(flags & MSG_NOSIGNAL);
	if (queues[kind].gone)
		return failed(EPIPE);
	on_sent(on_sent_arg, kind, data, len);
	return (ssize_t)len;
}

static ssize_t take(struct queue *q, struct msghdr *m)
{
	struct sockaddr_nl from = { .nl_family = AF_NETLINK };
	size_t len, n;

	if (q->overrun) {
		q->overrun = false;
		return failed(ENOBUFS);
	}
	if (q->next == q->n)
		return q->gone ? 0 : failed(EAGAIN);
	len = q->datagram[q->next].len;
	n = len < m->msg_iov->iov_len ? len : m->msg_iov->iov_len;
	memcpy(m->msg_iov->iov_base, q->bytes + q->datagram[q->next].at, n);
	m->msg_flags = n < len ? MSG_TRUNC : 0;
	from.nl_pid = q->datagram[q->next].from;
	if (own_pid && m->msg_name)
		memcpy(m->msg_name, &from, sizeof(from));
	m->msg_namelen = own_pid ? sizeof(from) : 0;
	q->next++;
	return (ssize_t)n;
}

ssize_t __wrap_recvmsg(int fd, struct msghdr *m, int flags);
ssize_t __wrap_recvmsg(int fd, struct msghdr *m, int flags)
{
	MUST(flags & MSG_DONTWAIT && m->msg_iovlen == 1);
	return take(&queues[kind_of(fd)], m);
}

ssize_t __wrap_recv(int fd, void *to, size_t len, int flags);
ssize_t __wrap_recv(int fd, void *to, size_t len, int flags)
{
	struct iovec iov = { to, len };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };
	enum wire_kind kind = kind_of(fd);
	ssize_t n;

	MUST(flags & MSG_DONTWAIT);
	if (queues[kind].gone && queues[kind].next == queues[kind].n)
		return failed(ECONNRESET); /* else whoever reads until there is nothing left would read for ever */
	n = take(&queues[kind], &m);
	return n;
}

int __wrap_recvmmsg(int fd, struct mmsghdr *m, unsigned int n, int flags, struct timespec *t);
int __wrap_recvmmsg(int fd, struct mmsghdr *m, unsigned int n, int flags, struct timespec *t)
{
	struct queue *q = &queues[kind_of(fd)];
	unsigned int i;
	ssize_t r;

	(void)t;
	MUST(flags & MSG_DONTWAIT);
	for (i = 0; i < n; i++) {
		if (i && (q->overrun || q->next == q->n))
			break;
		r = take(q, &m[i].msg_hdr);
		if (r < 0)
			return -1;
		m[i].msg_len = (unsigned int)r;
		if (!r)
			return (int)i + 1;
	}
	return (int)i;
}

/* Time passes at once: whoever waits for what does not come has waited long enough. */
int __wrap_poll(struct pollfd *p, nfds_t n, int timeout);
int __wrap_poll(struct pollfd *p, nfds_t n, int timeout)
{
	(void)timeout;
	MUST(n == 1);
	p->revents = is_ready(&queues[kind_of(p->fd)]) ? POLLIN : 0;
	return p->revents ? 1 : 0;
}

int __wrap_nanosleep(const struct timespec *wait, struct timespec *left);
int __wrap_nanosleep(const struct timespec *wait, struct timespec *left)
{
	(void)wait;
	(void)left;
	return 0;
}

int __wrap_getsockopt(int fd, int level, int name, void *value, socklen_t *len);
int __wrap_getsockopt(int fd, int level, int name, void *value, socklen_t *len)
{
	int v = name == SO_DOMAIN ? (own_pid ? AF_NETLINK : AF_UNIX) : 212992;

	kind_of(fd);
	MUST(level == SOL_SOCKET && (name == SO_DOMAIN || name == SO_RCVBUF) && *len == sizeof(v));
	memcpy(value, &v, sizeof(v));
	return 0;
}

int __wrap_setsockopt(int fd, int level, int name, const void *value, socklen_t len);
int __wrap_setsockopt(int fd, int level, int name, const void *value, socklen_t len)
{
	(void)level;
	(void)name;
	(void)value;
	(void)len;
	kind_of(fd);
	return 0;
}

int __wrap_bind(int fd, const struct sockaddr *a, socklen_t len);
int __wrap_bind(int fd, const struct sockaddr *a, socklen_t len)
{
	(void)a;
	(void)len;
	kind_of(fd);
	return 0;
}

int __wrap_getsockname(int fd, struct sockaddr *a, socklen_t *len);
int __wrap_getsockname(int fd, struct sockaddr *a, socklen_t *len)
{
	struct sockaddr_nl own = { .nl_family = AF_NETLINK, .nl_pid = own_pid };

	kind_of(fd);
	MUST(*len >= sizeof(own));
	memcpy(a, &own, sizeof(own));
	*len = sizeof(own);
	return 0;
}

int __wrap_socket(int domain, int type, int protocol);
int __wrap_socket(int domain, int type, int protocol)
{
	MUST(domain == AF_NETLINK && type & SOCK_CLOEXEC);
	return wire_open(protocol == NETLINK_GENERIC ? WIRE_GENL : WIRE_EVENTS);
}

int __wrap_ioctl(int fd, unsigned long how, ...);
int __wrap_ioctl(int fd, unsigned long how, ...)
{
	kind_of(fd);
	MUST(how == SIOCGSKNS);
	return wire_open(WIRE_OTHER);
}

int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
	if (fd < FIRST)
		return __real_close(fd);
	kind_of(fd);
	fds[fd - FIRST].open = false;
	return 0;
}

void wire_close(int fd)
{
	__wrap_close(fd);
}

int __wrap_epoll_create1(int flags);
int __wrap_epoll_create1(int flags)
{
	(void)flags;
	return wire_open(WIRE_OTHER);
}

int __wrap_epoll_ctl(int fd, int how, int what, struct epoll_event *ev);
int __wrap_epoll_ctl(int fd, int how, int what, struct epoll_event *ev)
{
	(void)how;
	(void)ev;
	kind_of(fd);
	kind_of(what);
	return 0;
}

int __wrap_eventfd(unsigned int v, int flags);
int __wrap_eventfd(unsigned int v, int flags)
{
	(void)v;
	(void)flags;
	return wire_open(WIRE_OTHER);
}

ssize_t __real_write(int fd, const void *data, size_t len);
ssize_t __wrap_write(int fd, const void *data, size_t len);
ssize_t __wrap_write(int fd, const void *data, size_t len)
{
	if (fd < FIRST)
		return __real_write(fd, data, len);
	kind_of(fd);
	return (ssize_t)len;
}

ssize_t __real_read(int fd, void *to, size_t len);
ssize_t __wrap_read(int fd, void *to, size_t len);
ssize_t __wrap_read(int fd, void *to, size_t len)
{
	if (fd < FIRST)
		return __real_read(fd, to, len);
	if (kind_of(fd) != WIRE_FILE)
		return failed(EAGAIN);
	len = len < file.len - file.at ? len : file.len - file.at;
	len = len > 1 ? len - len / 4 : len; /* less than there is, now and then */
	memcpy(to, file.data + file.at, len);
	file.at += len;
	return (ssize_t)len;
}

int __real_fstat(int fd, struct stat *ret);
int __wrap_fstat(int fd, struct stat *ret);
int __wrap_fstat(int fd, struct stat *ret)
{
	if (fd < FIRST)
		return __real_fstat(fd, ret);
	if (kind_of(fd) != WIRE_FILE)
		return failed(EBADF);
	memset(ret, 0, sizeof(*ret));
	ret->st_mode = S_IFREG | 0644;
	ret->st_size = (off_t)file.len;
	return 0;
}

/* No namespace is that of this process: what its /proc counts is nothing of this kernel's. */
int __real_stat(const char *path, struct stat *ret);
int __wrap_stat(const char *path, struct stat *ret);
int __wrap_stat(const char *path, struct stat *ret)
{
	return strncmp(path, "/proc/", 6) ? __real_stat(path, ret) : failed(ENOENT);
}

/* The library opens the socket for events itself, in the namespace of its other one. New namespaces there are none. */
int __wrap_netns_sockets(int how, int netns, int ret[2]);
int __wrap_netns_sockets(int how, int netns, int ret[2])
{
	(void)netns;
	if (how != NETNS_ENTER)
		return -EPERM;
	ret[0] = wire_open(WIRE_EVENTS);
	ret[1] = wire_open(WIRE_OTHER);
	return 0;
}

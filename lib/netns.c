/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sockets and files of another network namespace. A child enters it, opens them, passes them back and is gone; the caller's
 * threads, its namespace and its SIGCHLD handler notice nothing: the child makes system calls only (so that any thread
 * may hold any lock), has no exit signal, and is waited for by its number. It makes them by number: what stands before the
 * C library's functions (a sanitizer's runtime, a profiler) may wait for a lock whose owner is no thread of the child.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "handle.h"

union control {
	struct cmsghdr hdr;
	char room[CMSG_SPACE(2 * sizeof(int))];
};

static int child_open(enum netns_how how, int netns, int fds[2])
{
	long r;

	if (how == NETNS_ENTER || how == NETNS_FILES)
		r = syscall(SYS_setns, netns, CLONE_NEWNET);
	else
		r = syscall(SYS_unshare, how == NETNS_NEW ? CLONE_NEWNET : CLONE_NEWUSER | CLONE_NEWNET);
	if (r < 0)
		return -errno;
	if (how == NETNS_FILES)
		return whole_open(fds);
	fds[0] = (int)syscall(SYS_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	if (fds[0] < 0)
		return -errno;
	fds[1] = (int)syscall(SYS_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	return fds[1] < 0 ? -errno : 0;
}

static void child_main(enum netns_how how, int netns, int channel)
{
	int fds[2] = { -1, -1 };
	int code = child_open(how, netns, fds);
	struct iovec iov = { &code, sizeof(code) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	union control c = { .room = { 0 } };

	if (!code) {
		msg.msg_control = &c;
		msg.msg_controllen = sizeof(c.room);
		c.hdr.cmsg_level = SOL_SOCKET;
		c.hdr.cmsg_type = SCM_RIGHTS;
		c.hdr.cmsg_len = CMSG_LEN(sizeof(fds));
		memcpy(CMSG_DATA(&c.hdr), fds, sizeof(fds));
	}
	syscall(SYS_sendmsg, channel, &msg, MSG_NOSIGNAL);
	syscall(SYS_exit_group, 0);
}

/* Descriptors that came are ours, also where there was room for some of them only. */
static int take_fds(struct msghdr *msg, int ret[2])
{
	struct cmsghdr *h = CMSG_FIRSTHDR(msg);
	int fds[2];
	size_t n;

	if (!h || h->cmsg_level != SOL_SOCKET || h->cmsg_type != SCM_RIGHTS || h->cmsg_len < CMSG_LEN(0))
		return msg->msg_flags & MSG_CTRUNC ? -EMFILE : -EIO;
	n = (h->cmsg_len - CMSG_LEN(0)) / sizeof(int);
	memcpy(fds, CMSG_DATA(h), (n < 2 ? n : 2) * sizeof(int));
	if (n == 2) {
		memcpy(ret, fds, sizeof(fds));
		return 0;
	}
	if (n)
		close(fds[0]);
	return msg->msg_flags & MSG_CTRUNC ? -EMFILE : -EIO;
}

static int parent_receive(int channel, int ret[2])
{
	union control c = { .room = { 0 } };
	int code = 0;
	struct iovec iov = { &code, sizeof(code) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &c, .msg_controllen = sizeof(c.room) };
	ssize_t n;

	do
		n = recvmsg(channel, &msg, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if (n != sizeof(code))
		return -EIO;
	return code ? code : take_fds(&msg, ret);
}

int netns_sockets(enum netns_how how, int netns, int ret[2])
{
	int channel[2], r;
	long pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channel) < 0)
		return -errno;
	/* A fork without an exit signal and without the handlers of pthread_atfork(). */
	pid = syscall(SYS_clone, 0, 0, 0, 0, 0);
	if (pid == 0)
		child_main(how, netns, channel[1]);
	r = pid < 0 ? -errno : 0;
	close(channel[1]);
	if (!r)
		r = parent_receive(channel[0], ret);
	close(channel[0]);
	if (pid > 0)
		while (waitpid((pid_t)pid, NULL, (int)__WCLONE) < 0 && errno == EINTR)
			;
	return r;
}

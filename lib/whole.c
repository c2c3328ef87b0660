/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Whether a list of IPv6 routes is whole. A route that is larger than a datagram of a list (32 KiB: sixteen hops of 125 segments)
 * ends the list where it stands, and the kernel says that this was the end (6.18). Other witnesses know better:
 *
 *   /proc/net/rt6_stats   how many there are, the hops of a route counted each: one read, each time. Where two tables
 *                         change at a time it drifts (6.18), and proves nothing alone
 *   /proc/net/ipv6_route  a line for each of those: the truth, read only where nothing changes and the first does not agree,
 *                         since the kernel begins anew for each page of it: seconds for 50,000 routes, four times that for
 *                         twice as many (6.18)
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <net/route.h>
#include <linux/sockios.h>

#include "list.h"

/* ---- opening, in the namespace of our socket */

int whole_open(int ret[2])
{
	int r;

	ret[0] = (int)syscall(SYS_openat, AT_FDCWD, "/proc/thread-self/net/rt6_stats", O_RDONLY | O_CLOEXEC);
	if (ret[0] < 0)
		return -errno;
	ret[1] = (int)syscall(SYS_openat, AT_FDCWD, "/proc/thread-self/net/ipv6_route", O_RDONLY | O_CLOEXEC);
	if (ret[1] >= 0)
		return 0;
	r = -errno;
	syscall(SYS_close, ret[0]);
	return r;
}

static bool is_here(int netns)
{
	struct stat ours, theirs;

	return !stat("/proc/thread-self/ns/net", &ours) && !fstat(netns, &theirs) && ours.st_dev == theirs.st_dev &&
	       ours.st_ino == theirs.st_ino;
}

/* Who may not ask a socket for its namespace did not change his own since it was opened: that takes more rights. */
static int open_files(struct srv6 *s, int ret[2])
{
	int r, netns = ioctl(s->route.fd, SIOCGSKNS);

	if (netns < 0)
		return s->given || s->opts.netns > 0 ? -errno : whole_open(ret);
	r = is_here(netns) ? whole_open(ret) : netns_sockets(NETNS_FILES, netns, ret);
	close(netns);
	return r;
}

static void open_once(struct srv6 *s)
{
	if (s->whole.tried)
		return;
	s->whole.tried = true;
	/* Behind a socket that is not netlink's is no kernel, or another one. */
	if (!s->route.pid || open_files(s, s->whole.fds))
		s->whole.fds[0] = s->whole.fds[1] = -1;
}

void whole_free(struct srv6 *s)
{
	for (size_t i = 0; s->whole.tried && i < ARRAY_SIZE(s->whole.fds); i++)
		if (s->whole.fds[i] >= 0)
			close(s->whole.fds[i]);
}

/* ---- counting */

int64_t whole_entries(struct srv6 *s)
{
	char text[128], *at = text, *end;
	ssize_t n;
	unsigned long v = 0;

	open_once(s);
	n = s->whole.fds[0] < 0 ? -1 : pread(s->whole.fds[0], text, sizeof(text) - 1, 0);
	if (n <= 0)
		return -1;
	text[n] = 0;
	for (int i = 0; i < 4; i++, at = end) { /* nodes, nodes with routes, allocations, entries */
		v = strtoul(at, &end, 16);
		if (end == at)
			return -1;
	}
	return (int64_t)v;
}

uint32_t whole_count(const struct nlmsghdr *nlh)
{
	const struct rtmsg *rtm = (const void *)((const char *)nlh + MSG_HEAD);
	const struct nlattr *a;
	uint32_t n = 0;
	size_t len;

	if (nlh->nlmsg_type != RTM_NEWROUTE || nlh->nlmsg_len < MSG_LEN(sizeof(*rtm)) || rtm->rtm_flags & RTM_F_CLONED)
		return 0;
	a = knl_find(nlh, sizeof(*rtm), RTA_MULTIPATH);
	if (!a || knl_find(nlh, sizeof(*rtm), RTA_NH_ID))
		return 1; /* hops that belong to a nexthop object are no entries */
	len = knl_len(a);
	for (const uint8_t *p = knl_data(a); len >= sizeof(struct rtnexthop); n++) {
		const struct rtnexthop *h = (const void *)p;
		size_t step = ATTR_ALIGN(h->rtnh_len);

		if (h->rtnh_len < sizeof(*h) || step >= len)
			len = 0;
		else
			len -= step;
		p += step;
	}
	return n;
}

/* ---- the lines: destination, its length, source, its length, gateway, metric, references, uses, flags, device */

enum {
	AT_GATEWAY = 72,
	AT_METRIC = 105,
	AT_FLAGS = 132,
	LINE_LEN = 140, /* at least */
	DIGITS = 8      /* of a metric, of flags */
};

struct lines {
	uint64_t n;
	char run[AT_GATEWAY + DIGITS],
		most[AT_GATEWAY + DIGITS]; /* destination, source, metric: the hops of a route stand together */
	uint32_t n_run, n_most;
	uint8_t step; /* of the run: 1 a gateway, 2 and then none, 3 and then one again */
	char between[AT_GATEWAY +
		     DIGITS]; /* the first run that came to 3: no list has what is between hops of one route */
};

static void note_between(struct lines *l, bool gateway)
{
	if (l->step < 3 && gateway == !(l->step & 1))
		l->step++;
	if (l->step == 3 && !*l->between)
		memcpy(l->between, l->run, sizeof(l->between));
}

static void one_line(struct lines *l, const char *line, size_t len)
{
	unsigned long flags = len < LINE_LEN ? 0 : strtoul(line + AT_FLAGS, NULL, 16);
	char head[sizeof(l->run)];

	/* Each table has an entry that means that there is none: it alone is not up. */
	if (!(flags & RTF_UP))
		return;
	l->n++;
	memcpy(head, line, AT_GATEWAY);
	memcpy(head + AT_GATEWAY, line + AT_METRIC, DIGITS);
	if (memcmp(head, l->run, sizeof(head))) {
		memcpy(l->run, head, sizeof(head));
		l->n_run = 0;
		l->step = 0;
	}
	note_between(l, flags & RTF_GATEWAY);
	if (++l->n_run > l->n_most) {
		l->n_most = l->n_run;
		memcpy(l->most, l->run, sizeof(l->most));
	}
}

static int read_lines(int fd, struct lines *l)
{
	char *buf = malloc(65536), *end;
	size_t have = 0;
	ssize_t n = buf ? lseek(fd, 0, SEEK_SET) : -1;

	while (n >= 0 && (n = read(fd, buf + have, 65536 - have)) > 0) {
		char *at = buf;

		have += (size_t)n;
		while ((end = memchr(at, '\n', have - (size_t)(at - buf)))) {
			one_line(l, at, (size_t)(end - at));
			at = end + 1;
		}
		have -= (size_t)(at - buf);
		memmove(buf, at, have);
		if (have == 65536)
			break; /* no such line */
	}
	free(buf);
	return n || have ? -EIO : 0;
}

/* Sixteen hops of 125 segments are 32 KiB; no hop is larger. What has fewer did not end a list. */
#define TOO_LARGE 15

/* What ended it is, most likely, the one with the most hops; where none has so many, what hides a route: of 0 hops. */
static void name_it(struct srv6 *s, const struct lines *l)
{
	bool large = l->n_most >= TOO_LARGE;
	const char *text = large ? l->most : l->between;
	struct srv6_prefix *p = &s->whole.large;
	uint8_t *addr = (void *)&p->addr;
	char hex[3] = { 0 };

	s->whole.hops = large ? l->n_most : 0;
	p->family = *text ? AF_INET6 : AF_UNSPEC;
	for (size_t i = 0; i < 16 && *text; i++) {
		memcpy(hex, text + 2 * i, 2);
		addr[i] = (uint8_t)strtoul(hex, NULL, 16);
	}
	memcpy(hex, text + 33, 2);
	p->len = (uint8_t)strtoul(hex, NULL, 16);
}

void whole_look(struct srv6 *s, struct counted *c)
{
	struct lines l = { .n = 0 };

	c->quiet = whole_entries(s) == c->there;
	if (!c->quiet || c->there < 0 || c->listed == (uint64_t)c->there || read_lines(s->whole.fds[1], &l))
		return;
	c->lines = l.n;
	name_it(s, &l);
	c->quiet = whole_entries(s) == c->there;
}

int whole_check(struct srv6 *s, const struct counted *c)
{
	if (c->lines > c->listed) {
		s->whole.listed = c->listed;
		s->whole.there = c->lines;
		/* Once may be a list that was overtaken; twice is the same end again. */
		return s->whole.times++ ? -E2BIG : -ESTALE;
	}
	s->whole.times = 0;
	s->whole.at = c->there;
	return 0;
}

/* It is listed as what is around it goes. */
static int say_hidden(struct srv6 *s, const char *prefix, struct srv6_error *err)
{
	bool known = s->whole.large.family;

	err_set(err, -ESTALE, SRV6_ATTR_NONE,
		"the kernel lists %llu IPv6 hops of %llu: it hides the others%s%s, which /proc/net/ipv6_route has",
		(unsigned long long)s->whole.listed, (unsigned long long)s->whole.there,
		known ? ", most likely at " : "", known ? prefix : "");
	if (known)
		err_remedy(err, "srv6 route del %s, with its table, deletes what is around them; add that again then",
			   prefix);
	else
		err_remedy(err, "delete what was replaced last, and add it again");
	return -ESTALE;
}

int whole_say(struct srv6 *s, struct srv6_error *err)
{
	char a[INET6_ADDRSTRLEN] = "?", prefix[INET6_ADDRSTRLEN + 4];

	inet_ntop(AF_INET6, &s->whole.large.addr, a, sizeof(a));
	snprintf(prefix, sizeof(prefix), "%s/%u", a, s->whole.large.len);
	if (!s->whole.hops)
		return say_hidden(s, prefix, err);
	err_set(err, -ESTALE, SRV6_ATTR_NONE,
		"the kernel lists %llu IPv6 hops of %llu: a route too large for its lists ends them, most likely %s with %u hops",
		(unsigned long long)s->whole.listed, (unsigned long long)s->whole.there, prefix, s->whole.hops);
	err_remedy(
		err,
		"srv6 route del %s deletes it; srv6 route replace %s nhid ID puts a group of nexthop objects in its place",
		prefix, prefix);
	return -ESTALE;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A small daemon: installs a route and sees to it that it stays.
 *
 *   cc follow.c $(pkg-config --cflags --libs libsrv6) -o follow && ./follow eth0
 */
#include <arpa/inet.h>
#include <net/if.h>
#include <poll.h>
#include <stdio.h>
#include <libsrv6/libsrv6.h>

static int apply(struct srv6 *s, const struct srv6_op *op)
{
	int err = srv6_apply(s, op, 1, NULL);
	const struct srv6_error *e = srv6_error(s);

	if (err)
		fprintf(stderr, "%s%s%s\n", e->text, *e->remedy ? ": " : "", e->remedy);
	return err;
}

static int seen(const struct srv6_op *event, void *want)
{
	if (event->kind == SRV6_ROUTE && event->verb == SRV6_DEL && !srv6_diff(want, event, SRV6_DIFF_IDENTITY, NULL)) {
		puts("gone; installing it again");
		((struct srv6_op *)want)->flags = 1; /* nothing is sent from within a callback */
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct in6_addr segs[2];
	struct srv6_encap encap = SRV6_INIT(struct srv6_encap);
	struct srv6_hop hop = { .encap = &encap,
				.has = SRV6_HAS(DEV),
				.ifindex = argc > 1 ? if_nametoindex(argv[1]) : 0 };
	struct srv6_route route = SRV6_INIT(struct srv6_route);
	struct srv6_op op = { .verb = SRV6_REPLACE, .kind = SRV6_ROUTE, .u.route = &route };
	struct pollfd fd = { .events = POLLIN };
	struct srv6 *s;

	inet_pton(AF_INET6, "fc00:1::1", &segs[0]); /* visited first */
	inet_pton(AF_INET6, "fc00:2::1", &segs[1]);
	encap.behavior = SRV6_H_ENCAPS, encap.has = SRV6_HAS(SEGS), encap.segs = segs, encap.n_segs = 2;
	route.dst.family = AF_INET6, route.dst.len = 64, inet_pton(AF_INET6, "2001:db8:77::", &route.dst.addr.in6);
	route.hops = &hop, route.n_hops = 1;

	if (srv6_open(&s, NULL) || srv6_follow(s, SRV6_KIND(ROUTE)) || apply(s, &op))
		return 1;
	for (fd.fd = srv6_fd(s); poll(&fd, 1, -1) > 0;) {
		if (srv6_process(s, 0, seen, &op))
			return 1;
		if (op.flags) {
			op.flags = 0;
			apply(s, &op);
		}
	}
	return 0;
}

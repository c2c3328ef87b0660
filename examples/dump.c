/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lists all routes with an SRv6 encapsulation: destination, behavior, segments.
 *
 *   cc dump.c $(pkg-config --cflags --libs libsrv6) -o dump && ./dump
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <libsrv6/libsrv6.h>

static void print_encap(const struct srv6_encap *encap)
{
	const struct srv6_behavior_info *info = srv6_behavior_info(encap->behavior, SRV6_MOBILE_AUTO);
	char addr[INET6_ADDRSTRLEN];

	if (!info) { /* of a later kernel: its number, the bytes are in encap->raw */
		printf(" encapsulation %u, %zu bytes", encap->encap_type, encap->raw.len);
		return;
	}
	printf(" %s", info->name);
	for (uint32_t i = 0; encap->has & SRV6_HAS(SEGS) && i < encap->n_segs; i++)
		printf("%s%s", i ? "," : " ", inet_ntop(AF_INET6, &encap->segs[i], addr, sizeof(addr)));
	if (encap->has & SRV6_HAS(TUNSRC))
		printf(" from %s", inet_ntop(AF_INET6, &encap->tunsrc, addr, sizeof(addr)));
}

static int print_route(const struct srv6_op *op, void *arg)
{
	const struct srv6_route *route = op->u.route;
	char addr[INET6_ADDRSTRLEN];

	(void)arg;
	printf("%s/%u", inet_ntop(route->dst.family, &route->dst.addr, addr, sizeof(addr)), route->dst.len);
	for (uint32_t i = 0; i < route->n_hops; i++)
		if (route->hops[i].encap)
			print_encap(route->hops[i].encap);
	putchar('\n');
	return 0;
}

int main(void)
{
	struct srv6_route any = SRV6_INIT(struct srv6_route);
	struct srv6_op match = { .kind = SRV6_ROUTE, .u.route = &any };
	struct srv6 *s;
	int err = srv6_open(&s, NULL);

	if (err)
		return 1;
	err = srv6_dump(s, &match, SRV6_DUMP_ENCAP, print_route, NULL);
	if (err)
		fprintf(stderr, "%s\n", err == -ESTALE ? "the list may be incomplete" : srv6_error(s)->text);
	srv6_close(s);
	return err ? 1 : 0;
}

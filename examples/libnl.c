/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Puts the encapsulation into a message that libnl builds and sends: the library's codec alone, no socket of its own.
 *
 *   cc libnl.c $(pkg-config --cflags --libs libsrv6 libnl-route-3.0) -o libnl && ./libnl eth0
 */
#include <arpa/inet.h>
#include <net/if.h>
#include <stdio.h>
#include <linux/rtnetlink.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <libsrv6/libsrv6.h>

int main(int argc, char **argv)
{
	struct rtmsg rtm = { .rtm_family = AF_INET6,
			     .rtm_dst_len = 64,
			     .rtm_table = RT_TABLE_MAIN,
			     .rtm_protocol = RTPROT_STATIC,
			     .rtm_type = RTN_UNICAST };
	uint32_t ifindex = argc > 1 ? if_nametoindex(argv[1]) : 0;
	struct srv6_encap encap = SRV6_INIT(struct srv6_encap);
	struct srv6_error e = { 0 };
	struct in6_addr seg, dst;
	struct nl_sock *sock = nl_socket_alloc();
	struct nl_msg *msg = nlmsg_alloc_size(4096);
	int err;

	inet_pton(AF_INET6, "2001:db8:78::", &dst);
	inet_pton(AF_INET6, "fc00:1::1", &seg);
	encap.behavior = SRV6_H_ENCAPS, encap.has = SRV6_HAS(SEGS), encap.segs = &seg, encap.n_segs = 1;

	if (!sock || !msg || nl_connect(sock, NETLINK_ROUTE) ||
	    !nlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, RTM_NEWROUTE, 0, NLM_F_CREATE | NLM_F_EXCL))
		return 1;
	nlmsg_append(msg, &rtm, sizeof(rtm), NLMSG_ALIGNTO);
	nla_put(msg, RTA_DST, sizeof(dst), &dst);
	nla_put_u32(msg, RTA_OIF, ifindex);

	/* RTA_ENCAP and RTA_ENCAP_TYPE, behind what libnl has written; nlmsg_len grows with them */
	if (srv6_put_encap(nlmsg_hdr(msg), 4096, SRV6_ROUTE, &encap, AF_INET6, NULL, &e)) {
		fprintf(stderr, "%s\n", e.text);
		return 1;
	}
	err = nl_send_sync(sock, msg); /* frees msg */
	if (err < 0)
		fprintf(stderr, "%s\n", nl_geterror(err));
	nl_socket_free(sock);
	return err < 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The namespaces of "srv6 perf", without names, so that they are gone with the process that made them:
 *
 *	far end                          router
 *	gen0 ------------------------- in0     frames are injected here, as if gen0 had sent them
 *	sink0 ------------------------ out0    they leave here; XDP on sink0 counts and drops them
 *
 * Nothing else is in the router: no link-local addresses, no router solicitations, neighbours that never expire.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/if_addr.h>
#include <linux/neighbour.h>
#include <net/if.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <netlink/netlink.h>
#include <netlink/route/addr.h>
#include <netlink/route/link.h>
#include <netlink/route/link/veth.h>
#include <netlink/route/link/vrf.h>
#include <netlink/route/neighbour.h>

#include "perf.h"

#define MTU 9000 /* outwards: whatever the segments add fits */

const uint8_t mac_in[ETH_ALEN] = { 2, 0, 0, 0, 0, 1 }, mac_gen[ETH_ALEN] = { 2, 0, 0, 0, 0, 2 },
	      mac_out[ETH_ALEN] = { 2, 0, 0, 0, 0, 3 }, mac_far[ETH_ALEN] = { 2, 0, 0, 0, 0, 4 };

/* ---- files below /proc/sys/net, which show the namespace of who opens them */

struct sysctl {
	const char *path, *value;
	bool optional;
};

static const struct sysctl router_sysctls[] = {
	/* before there are links: they take over what is default then */
	{ "ipv6/conf/default/addr_gen_mode", "1", true }, /* no link-local addresses: their number is exact */
	{ "ipv6/conf/all/disable_ipv6", "0", false },     /* may be inherited from the host */
	{ "ipv6/conf/default/disable_ipv6", "0", false },
	{ "ipv6/conf/default/use_oif_addrs_only", "0", true },
	{ "ipv6/seg6_flowlabel", "0", true },
	{ "ipv6/conf/default/accept_dad", "0", false },
	{ "ipv6/conf/default/accept_ra", "0", false },
	{ "ipv6/conf/default/router_solicitations", "0", false },
	{ "ipv6/conf/all/forwarding", "1", false },
	{ "ipv6/conf/default/forwarding", "1", false },
	{ "ipv4/ip_forward", "1", false },
	{ "ipv4/conf/all/rp_filter", "0", false },
	{ "ipv4/conf/default/rp_filter", "0", false },
	{ NULL, NULL, false },
};
static const struct sysctl far_sysctls[] = {
	{ "ipv6/conf/all/disable_ipv6", "1", false }, /* says nothing by itself */
	{ "ipv6/conf/default/disable_ipv6", "1", false },
	{ NULL, NULL, false },
};
static const struct sysctl vrf_sysctls[] = {
	{ "vrf/strict_mode", "1", false }, /* End.DT4 and End.DT46 ask for it */
	{ NULL, NULL, false },
};

static int sysctl_write(struct ctx *c, const struct sysctl *s)
{
	char path[128];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/sys/net/%s", s->path);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return s->optional ? 0 : fail(c, NULL, NO_WORD, -errno, "cannot open %s: %s", path, strerror(errno));
	n = write(fd, s->value, strlen(s->value));
	if (n < 0)
		fail(c, NULL, NO_WORD, -errno, "cannot write %s to %s: %s", s->value, path, strerror(errno));
	close(fd);
	return n < 0 ? c->failure.e.code : 0;
}

static int sysctls(struct ctx *c, const struct sysctl *s)
{
	int rc = 0;

	for (; s->path && !rc; s++)
		rc = sysctl_write(c, s);
	return rc;
}

/* ---- links, addresses, neighbours: one socket a namespace */

static int nl_fail(struct ctx *c, int rc, const char *what)
{
	return rc < 0 ? fail(c, NULL, NO_WORD, rc == -NLE_OPNOTSUPP ? -EOPNOTSUPP : -EIO, "cannot %s: %s", what,
			     nl_geterror(rc))
		      : 0;
}

/* In whose namespace it is opened, a socket stays. */
static struct nl_sock *route_socket(void)
{
	struct nl_sock *sk = nl_socket_alloc();

	if (sk && nl_connect(sk, NETLINK_ROUTE) < 0) {
		nl_socket_free(sk);
		sk = NULL;
	}
	return sk;
}

static struct nl_addr *link_address(const uint8_t *mac)
{
	return nl_addr_build(AF_LLC, mac, ETH_ALEN);
}

static void link_describe(struct rtnl_link *link, const char *name, const uint8_t *mac)
{
	struct nl_addr *addr = link_address(mac);

	rtnl_link_set_name(link, name);
	rtnl_link_set_addr(link, addr);
	rtnl_link_set_mtu(link, MTU);
	nl_addr_put(addr);
}

/* A pair, one queue an end, the peer in the namespace peer_ns. */
static int veth_add(struct nl_sock *sk, const char *name, const uint8_t *mac, const char *peer_name,
		    const uint8_t *peer_mac, int peer_ns, uint32_t mtu)
{
	struct rtnl_link *link = rtnl_link_veth_alloc(), *peer;
	int rc = -NLE_NOMEM;

	if (!link)
		return rc;
	peer = rtnl_link_veth_get_peer(link);
	link_describe(link, name, mac);
	link_describe(peer, peer_name, peer_mac);
	rtnl_link_set_mtu(link, mtu);
	rtnl_link_set_mtu(peer, mtu);
	rtnl_link_set_ns_fd(peer, peer_ns);
	rc = rtnl_link_add(sk, link, NLM_F_CREATE | NLM_F_EXCL);
	rtnl_link_put(peer);
	rtnl_link_put(link);
	return rc;
}

static int link_up(struct nl_sock *sk, const char *name)
{
	struct rtnl_link *old = rtnl_link_alloc(), *new = rtnl_link_alloc();
	int rc = -NLE_NOMEM;

	if (old && new) {
		rtnl_link_set_ifindex(old, (int)if_nametoindex(name));
		rtnl_link_set_flags(new, IFF_UP);
		rc = rtnl_link_change(sk, old, new, 0);
	}
	rtnl_link_put(old);
	rtnl_link_put(new);
	return rc;
}

static int address_add(struct nl_sock *sk, uint32_t ifindex, int family, const void *bytes, int len)
{
	struct rtnl_addr *a = rtnl_addr_alloc();
	struct nl_addr *local = nl_addr_build(family, bytes, family == AF_INET6 ? 16 : 4);
	int rc = -NLE_NOMEM;

	if (a && local) {
		nl_addr_set_prefixlen(local, len);
		rtnl_addr_set_ifindex(a, (int)ifindex);
		rtnl_addr_set_local(a, local);
		rtnl_addr_set_flags(a, IFA_F_NODAD);
		rc = rtnl_addr_add(sk, a, 0);
	}
	nl_addr_put(local);
	rtnl_addr_put(a);
	return rc;
}

static int neighbour_add(struct nl_sock *sk, uint32_t ifindex, int family, const void *bytes, const uint8_t *mac)
{
	struct rtnl_neigh *n = rtnl_neigh_alloc();
	struct nl_addr *dst = nl_addr_build(family, bytes, family == AF_INET6 ? 16 : 4);
	struct nl_addr *ll = link_address(mac);
	int rc = -NLE_NOMEM;

	if (n && dst && ll) {
		rtnl_neigh_set_ifindex(n, (int)ifindex);
		rtnl_neigh_set_dst(n, dst);
		rtnl_neigh_set_lladdr(n, ll);
		rtnl_neigh_set_state(n, NUD_PERMANENT);
		rc = rtnl_neigh_add(sk, n, NLM_F_CREATE);
	}
	nl_addr_put(ll);
	nl_addr_put(dst);
	rtnl_neigh_put(n);
	return rc;
}

/* ---- the router's insides */

/* One address on the way out; the others where customers would be. */
static int addresses_add(struct nl_sock *sk, const struct box *b)
{
	struct in6_addr a = perf_in6(ADDR_ROUTER);
	struct in_addr a4 = perf_in4(ADDR4_ROUTER);
	uint32_t i;
	int rc;

	rc = address_add(sk, b->out, AF_INET, &a4, 24);
	if (rc >= 0)
		rc = address_add(sk, b->out, AF_INET6, &a, 64);
	a = perf_in6("2001:db8:ee::");
	for (i = 1; i < b->addresses && rc >= 0; i++) {
		a.s6_addr[14] = (uint8_t)(i >> 8);
		a.s6_addr[15] = (uint8_t)i;
		rc = address_add(sk, b->in, AF_INET6, &a, 64);
	}
	return rc;
}

static int neighbours_add(struct nl_sock *sk, const struct box *b)
{
	struct in6_addr far = perf_in6(ADDR_FAR);
	struct in_addr far4 = perf_in4(ADDR4_FAR);
	int rc = neighbour_add(sk, b->out, AF_INET6, &far, mac_far);

	return rc < 0 ? rc : neighbour_add(sk, b->out, AF_INET, &far4, mac_far);
}

/* Kernels without VRF measure the rest: no failure. */
static void vrf_make(struct ctx *c, struct nl_sock *sk, struct box *b)
{
	struct rtnl_link *link = rtnl_link_vrf_alloc();

	if (!link)
		return;
	rtnl_link_set_name(link, "vrf0");
	rtnl_link_vrf_set_tableid(link, TABLE_VRF);
	if (rtnl_link_add(sk, link, NLM_F_CREATE | NLM_F_EXCL) >= 0 && link_up(sk, "vrf0") >= 0 &&
	    !sysctls(c, vrf_sysctls)) {
		b->vrf_ifindex = if_nametoindex("vrf0");
		b->vrf = b->vrf_ifindex != 0;
	}
	rtnl_link_put(link);
}

static int router_links(struct ctx *c, struct nl_sock *sk, struct box *b)
{
	int rc;

	rc = nl_fail(c, link_up(sk, "lo"), "bring up lo");
	if (!rc)
		rc = nl_fail(c, veth_add(sk, "in0", mac_in, "gen0", mac_gen, b->far, ETH_DATA_LEN),
			     "make a veth device");
	if (rc == -EOPNOTSUPP)
		fail_remedy(c, "the kernel needs veth devices: modprobe veth");
	if (!rc)
		rc = nl_fail(c, veth_add(sk, "out0", mac_out, "sink0", mac_far, b->far, MTU), "make a veth device");
	if (!rc)
		rc = nl_fail(c, link_up(sk, "in0"), "bring up in0");
	if (!rc)
		rc = nl_fail(c, link_up(sk, "out0"), "bring up out0");
	if (rc)
		return rc;
	b->in = if_nametoindex("in0");
	b->out = if_nametoindex("out0");
	return 0;
}

static int router_make(struct ctx *c, struct box *b)
{
	struct nl_sock *sk;
	int rc = sysctls(c, router_sysctls);

	if (rc)
		return rc;
	sk = route_socket();
	if (!sk)
		return fail(c, NULL, NO_WORD, -EIO, "cannot open a netlink socket");
	rc = router_links(c, sk, b);
	if (!rc)
		rc = nl_fail(c, addresses_add(sk, b), "add an address");
	if (!rc)
		rc = nl_fail(c, neighbours_add(sk, b), "add a neighbour");
	if (!rc)
		vrf_make(c, sk, b);
	nl_socket_free(sk);
	return rc;
}

static int far_up(struct ctx *c, struct box *b)
{
	struct nl_sock *sk = route_socket();
	int rc;

	if (!sk)
		return fail(c, NULL, NO_WORD, -EIO, "cannot open a netlink socket");
	rc = nl_fail(c, link_up(sk, "gen0"), "bring up gen0");
	if (!rc)
		rc = nl_fail(c, link_up(sk, "sink0"), "bring up sink0");
	nl_socket_free(sk);
	b->sink = if_nametoindex("sink0");
	return rc;
}

/* ---- programs on the devices */

static int attach(struct ctx *c, int prog, uint32_t ifindex, bool generic, const char *name, int *ret)
{
	int fd = xdp_attach(prog, ifindex, generic);

	if (fd < 0)
		return fail(c, NULL, NO_WORD, fd, "cannot attach an XDP program to %s: %s", name, strerror(-fd));
	*ret = fd;
	return 0;
}

/* A veth registers its receive queue for XDP only while a program is attached, and a test run needs it registered. */
static int in_attach(struct ctx *c, struct box *b)
{
	int prog = gen_load_pass(), rc;

	if (prog < 0)
		return fail(c, NULL, NO_WORD, prog, "cannot load an XDP program: %s", strerror(-prog));
	rc = attach(c, prog, b->in, false, "in0", &b->links[0]);
	close(prog);
	return rc;
}

/* ---- namespaces */

static ino_t netns_inode(void)
{
	struct stat st;

	return stat("/proc/thread-self/ns/net", &st) ? 0 : st.st_ino;
}

static int netns_new(struct ctx *c, int *ret)
{
	ino_t before = netns_inode();
	int fd;

	if (unshare(CLONE_NEWNET))
		return fail(c, NULL, NO_WORD, -errno, "cannot make a network namespace: %s", strerror(errno));
	fd = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fail(c, NULL, NO_WORD, -errno, "cannot open the new network namespace: %s", strerror(errno));
	/* Nothing must ever be done in a namespace that is not ours: better to ask twice. */
	if (!before || netns_inode() == before) {
		close(fd);
		return fail(c, NULL, NO_WORD, -EIO, "the network namespace is still the old one");
	}
	*ret = fd;
	return 0;
}

static int enter(struct ctx *c, int fd)
{
	return setns(fd, CLONE_NEWNET)
		       ? fail(c, NULL, NO_WORD, -errno, "cannot enter a network namespace: %s", strerror(errno))
		       : 0;
}

int box_enter(const struct box *b)
{
	return setns(b->router, CLONE_NEWNET) ? -errno : 0;
}

static int box_handle(struct ctx *c, struct box *b)
{
	struct srv6_opts opts = { .sz = sizeof(opts), .mobile = c->mobile };
	int rc;

	rc = srv6_open(&b->s, &opts);
	return rc ? fail(c, NULL, NO_WORD, rc, "cannot open a netlink socket: %s", strerror(-rc)) : 0;
}

static int box_make(struct ctx *c, struct box *b, const struct sink *sink)
{
	int rc = netns_new(c, &b->far);

	if (!rc)
		rc = sysctls(c, far_sysctls);
	if (!rc)
		rc = netns_new(c, &b->router);
	if (!rc)
		rc = router_make(c, b);
	if (!rc)
		rc = in_attach(c, b);
	if (!rc)
		rc = enter(c, b->far);
	if (!rc)
		rc = far_up(c, b);
	/* The generic hook drops any frame at the same cost; the driver's would copy some of them. */
	if (!rc)
		rc = attach(c, sink->prog, b->sink, true, "sink0", &b->links[1]);
	if (!rc)
		rc = enter(c, b->router);
	return rc ? rc : box_handle(c, b);
}

int box_open(struct ctx *c, struct box *b, uint32_t addresses, const struct sink *sink)
{
	int rc;

	*b = (struct box){ .router = -1, .far = -1, .links = { -1, -1 }, .addresses = addresses };
	rc = box_make(c, b, sink);
	if (rc)
		box_close(b);
	return rc;
}

void box_close(struct box *b)
{
	int fds[] = { b->links[0], b->links[1], b->router, b->far };
	size_t i;

	srv6_close(b->s);
	for (i = 0; i < ARRAY_SIZE(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	*b = (struct box){ .router = -1, .far = -1, .links = { -1, -1 } };
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What surrounds the SRv6 state in a network namespace: links, addresses, neighbours, policy rules, sysctls, the kernel
 * and FRR. Everything here reads and changes nothing.
 */
#ifndef SRV6_NETENV_H
#define SRV6_NETENV_H

#include <sys/types.h>

#include "cli.h"

#define NET_NAME 16 /* IFNAMSIZ */

struct net_link {
	uint32_t ifindex, flags; /* IFF_* */
	uint32_t mtu, arptype;   /* ARPHRD_* */
	uint32_t master;         /* 0: none */
	uint32_t vrf_table;      /* of a VRF; 0: it is none */
	bool ipv6;               /* the kernel keeps IPv6 state for it */
	char name[NET_NAME];
	char kind[NET_NAME]; /* "veth", "vrf"; "": a real device */
};

struct net_addr {
	struct srv6_prefix prefix; /* the address itself, and the length it was given */
	uint32_t ifindex, flags;   /* IFA_F_* */
	uint8_t scope;
};

struct net_neigh {
	struct srv6_prefix addr;
	uint32_t ifindex, state; /* NUD_* */
};

struct net_rule {
	uint8_t family, action; /* FR_ACT_* */
	bool l3mdev;
	bool picky; /* asks for more than source and destination, so it leads there for some packets only */
	uint32_t priority, table;
	struct srv6_prefix src, dst;
	char iif[NET_NAME];
};

/* A zebra that runs in this namespace. */
struct net_frr {
	pid_t pid;      /* 0: none */
	int source;     /* 1: its configuration sets source-address, 0: it does not, -errno: it can't be read */
	char conf[128]; /* the file that was looked at */
};

struct netenv {
	struct net_link *links; /* by index */
	struct net_addr *addrs;
	struct net_neigh *neighs;
	struct net_rule *rules; /* by priority */
	uint32_t n_links, n_addrs, n_neighs, n_rules;
	struct net_frr frr;
	int frr_error;   /* -errno: processes of others may not be looked at */
	char kernel[65]; /* "6.18.44" */
	uint32_t kernel_major, kernel_minor;
	int init_on_alloc;    /* 1: pages are cleared as they are allocated, 0: not, -errno: not to be found out */
	struct nl_sock *sock; /* for lookups */
};

/* Reads all of it into a. Returns 0 or -errno; *what then says what could not be read. */
int netenv_read(struct netenv *n, struct arena *a, const char **what);
void netenv_close(struct netenv *n);

const struct net_link *net_link(const struct netenv *n, uint32_t ifindex);               /* NULL: none */
const struct net_link *net_vrf(const struct netenv *n, uint32_t table);                  /* bound to this table */
const struct net_addr *net_addr(const struct netenv *n, const struct srv6_prefix *addr); /* the same address */
const struct net_neigh *net_neigh(const struct netenv *n, uint32_t ifindex, const struct srv6_prefix *addr);
bool net_link_carrier(const struct net_link *l);
bool net_kernel_before(const struct netenv *n, uint32_t major, uint32_t minor);

/* Whether addr lies in the prefix; IPv4 and IPv6 never do in each other. */
bool net_contains(const struct srv6_prefix *prefix, const struct srv6_prefix *addr);
struct srv6_prefix net_in6(const struct in6_addr *addr);
struct srv6_prefix net_in4(const struct in_addr *addr);

/* A number below /proc/sys/net: "ipv6/conf/all/forwarding". 0; -ENOENT: this kernel has none; -EACCES. */
int net_sysctl(const char *path, int *ret);
int net_sysctl_write(const char *path, const char *value);

/*
 * The entry that the kernel would use for addr, as it stands in the table; iif 0: as for packets of this host, else as
 * for those that come in there. Allocated by srv6_copy: free(*ret). Errors: -ENETUNREACH and those of reject entries.
 */
int net_lookup(struct netenv *n, const struct srv6_prefix *addr, uint32_t iif, struct srv6_op **ret);

/* Whether netfilter has rules in this namespace: 1, 0, or -errno. Loads no module. */
int net_has_netfilter_rules(const struct netenv *n);
#endif

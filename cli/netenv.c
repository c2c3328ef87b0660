/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <linux/fib_rules.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/route/addr.h>
#include <netlink/route/link.h>
#include <netlink/route/link/vrf.h>
#include <netlink/route/neighbour.h>
#include <netlink/route/rule.h>

#include "netenv.h"

#define TRIES 8 /* of a list that changes while it is read */

/* ---- links, addresses, neighbours, rules: libnl's caches, copied into plain arrays */

struct reader {
	struct netenv *n;
	struct arena *a;
};

static struct srv6_prefix from_nl(const struct nl_addr *addr)
{
	struct srv6_prefix p = { AF_UNSPEC, 0, { 0, 0 }, { { 0 } } };

	if (!addr || (nl_addr_get_family(addr) != AF_INET && nl_addr_get_family(addr) != AF_INET6))
		return p;
	if (nl_addr_get_len(addr) > sizeof(p.addr))
		return p;
	p.family = (uint8_t)nl_addr_get_family(addr);
	p.len = (uint8_t)nl_addr_get_prefixlen(addr);
	memcpy(&p.addr, nl_addr_get_binary_addr(addr), nl_addr_get_len(addr));
	return p;
}

static void put_name(char *to, const char *from)
{
	snprintf(to, NET_NAME, "%s", from ? from : "");
}

static void read_link(struct nl_object *obj, void *arg)
{
	struct rtnl_link *nl = (struct rtnl_link *)obj;
	struct netenv *n = ((struct reader *)arg)->n;
	struct net_link *l = &n->links[n->n_links++];
	char path[96];
	int value;

	l->ifindex = (uint32_t)rtnl_link_get_ifindex(nl);
	l->flags = rtnl_link_get_flags(nl);
	l->mtu = rtnl_link_get_mtu(nl);
	l->arptype = rtnl_link_get_arptype(nl);
	l->master = (uint32_t)rtnl_link_get_master(nl);
	put_name(l->name, rtnl_link_get_name(nl));
	put_name(l->kind, rtnl_link_get_type(nl));
	if (rtnl_link_is_vrf(nl) && rtnl_link_vrf_get_tableid(nl, &l->vrf_table) < 0)
		l->vrf_table = 0;
	snprintf(path, sizeof(path), "ipv6/conf/%s/forwarding", l->name);
	l->ipv6 = net_sysctl(path, &value) != -ENOENT;
}

static void read_addr(struct nl_object *obj, void *arg)
{
	struct rtnl_addr *nl = (struct rtnl_addr *)obj;
	struct netenv *n = ((struct reader *)arg)->n;
	struct net_addr *a = &n->addrs[n->n_addrs];

	a->prefix = from_nl(rtnl_addr_get_local(nl));
	if (a->prefix.family == AF_UNSPEC)
		return;
	a->prefix.len = (uint8_t)rtnl_addr_get_prefixlen(nl);
	a->ifindex = (uint32_t)rtnl_addr_get_ifindex(nl);
	a->flags = rtnl_addr_get_flags(nl);
	a->scope = (uint8_t)rtnl_addr_get_scope(nl);
	n->n_addrs++;
}

static void read_neigh(struct nl_object *obj, void *arg)
{
	struct rtnl_neigh *nl = (struct rtnl_neigh *)obj;
	struct netenv *n = ((struct reader *)arg)->n;
	struct net_neigh *e = &n->neighs[n->n_neighs];

	e->addr = from_nl(rtnl_neigh_get_dst(nl));
	if (e->addr.family == AF_UNSPEC)
		return;
	e->ifindex = (uint32_t)rtnl_neigh_get_ifindex(nl);
	e->state = (uint32_t)rtnl_neigh_get_state(nl);
	n->n_neighs++;
}

static void read_rule(struct nl_object *obj, void *arg)
{
	struct rtnl_rule *nl = (struct rtnl_rule *)obj;
	struct netenv *n = ((struct reader *)arg)->n;
	struct net_rule *r = &n->rules[n->n_rules];

	r->family = (uint8_t)rtnl_rule_get_family(nl);
	if (r->family != AF_INET && r->family != AF_INET6)
		return;
	r->action = rtnl_rule_get_action(nl);
	r->l3mdev = rtnl_rule_get_l3mdev(nl) > 0;
	r->priority = rtnl_rule_get_prio(nl);
	r->table = rtnl_rule_get_table(nl);
	r->src = from_nl(rtnl_rule_get_src(nl));
	r->dst = from_nl(rtnl_rule_get_dst(nl));
	put_name(r->iif, rtnl_rule_get_iif(nl));
	r->picky = rtnl_rule_get_oif(nl) || rtnl_rule_get_mark(nl) || rtnl_rule_get_dsfield(nl);
	n->n_rules++;
}

static int alloc_links(struct nl_sock *sk, struct nl_cache **ret)
{
	return rtnl_link_alloc_cache(sk, AF_UNSPEC, ret);
}

static int alloc_rules(struct nl_sock *sk, struct nl_cache **ret)
{
	return rtnl_rule_alloc_cache(sk, AF_UNSPEC, ret);
}

/* The lists, and where each goes: read() is called once an object, with room for all of them. */
static const struct list {
	const char *what;
	int (*alloc)(struct nl_sock *sk, struct nl_cache **ret);
	void (*read)(struct nl_object *obj, void *arg);
	size_t offset, size;
} lists[] = {
	{ "links", alloc_links, read_link, offsetof(struct netenv, links), sizeof(struct net_link) },
	{ "addresses", rtnl_addr_alloc_cache, read_addr, offsetof(struct netenv, addrs), sizeof(struct net_addr) },
	{ "neighbours", rtnl_neigh_alloc_cache, read_neigh, offsetof(struct netenv, neighs), sizeof(struct net_neigh) },
	{ "rules", alloc_rules, read_rule, offsetof(struct netenv, rules), sizeof(struct net_rule) },
};

static int nl_to_errno(int nlerr)
{
	switch (-nlerr) {
	case NLE_NOMEM:
		return -ENOMEM;
	case NLE_PERM:
		return -EPERM;
	case NLE_NOACCESS:
		return -EACCES;
	case NLE_OPNOTSUPP:
		return -EOPNOTSUPP;
	case NLE_DUMP_INTR:
		return -ESTALE;
	default:
		return -EIO;
	}
}

static int read_list(struct netenv *n, struct arena *a, const struct list *l)
{
	struct reader r = { n, a };
	struct nl_cache *cache = NULL;
	int err = -NLE_DUMP_INTR;
	void *items;

	for (int i = 0; i < TRIES && err == -NLE_DUMP_INTR; i++)
		err = l->alloc(n->sock, &cache);
	if (err < 0)
		return nl_to_errno(err);
	items = take(a, l->size * (size_t)(nl_cache_nitems(cache) + 1));
	memcpy((char *)n + l->offset, &items, sizeof(items));
	nl_cache_foreach(cache, l->read, &r);
	nl_cache_free(cache);
	return 0;
}

static int by_index(const void *a, const void *b)
{
	const struct net_link *x = a, *y = b;

	return (x->ifindex > y->ifindex) - (x->ifindex < y->ifindex);
}

static int by_priority(const void *a, const void *b)
{
	const struct net_rule *x = a, *y = b;

	return (x->priority > y->priority) - (x->priority < y->priority);
}

/* ---- files */

/* The first bytes of a file, NUL at the end. Returns their number or -errno. */
static ssize_t slurp(const char *path, char *buf, size_t cap)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len;
	int err;

	if (fd < 0)
		return -errno;
	do {
		len = read(fd, buf, cap - 1);
	} while (len < 0 && errno == EINTR);
	err = errno;
	close(fd);
	if (len < 0)
		return -err;
	buf[len] = '\0';
	return len;
}

int net_sysctl(const char *path, int *ret)
{
	char full[160], buf[32], *end;
	ssize_t len;
	long value;

	if ((size_t)snprintf(full, sizeof(full), "/proc/sys/net/%s", path) >= sizeof(full))
		return -ENAMETOOLONG;
	len = slurp(full, buf, sizeof(buf));
	if (len < 0)
		return (int)len;
	value = strtol(buf, &end, 10);
	if (end == buf)
		return -EINVAL;
	*ret = (int)value;
	return 0;
}

int net_sysctl_write(const char *path, const char *value)
{
	char full[160];
	size_t len = strlen(value);
	ssize_t done;
	int fd, err;

	if (strstr(path, "..") || (size_t)snprintf(full, sizeof(full), "/proc/sys/net/%s", path) >= sizeof(full))
		return -EINVAL;
	fd = open(full, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	done = write(fd, value, len);
	err = done < 0 ? -errno : (size_t)done == len ? 0 : -EIO;
	close(fd);
	return err;
}

/* ---- the kernel */

static bool word_in(const char *text, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = strstr(text, word); p; p = strstr(p + 1, word))
		if ((p == text || isspace((unsigned char)p[-1])) && (!p[len] || isspace((unsigned char)p[len])))
			return true;
	return false;
}

/* How the kernel was built, where the distribution left that: 1, 0, -ENOENT. */
static int config_has(const char *release, const char *option)
{
	char path[160], line[256];
	int found = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/boot/config-%s", release);
	f = fopen(path, "re");
	if (!f) {
		snprintf(path, sizeof(path), "/lib/modules/%s/config", release);
		f = fopen(path, "re");
	}
	if (!f)
		return -ENOENT;
	while (!found && fgets(line, sizeof(line), f))
		found = word_in(line, option);
	fclose(f);
	return found;
}

/* The command line decides, else what the kernel was built with. */
static int find_init_on_alloc(const char *release)
{
	static const char *const on[] = { "init_on_alloc=1", "init_on_alloc=on", "init_on_alloc=y" };
	static const char *const off[] = { "init_on_alloc=0", "init_on_alloc=off", "init_on_alloc=n" };
	char cmdline[4096];
	ssize_t len = slurp("/proc/cmdline", cmdline, sizeof(cmdline));

	if (len < 0)
		return (int)len;
	for (size_t i = 0; i < ARRAY_SIZE(on); i++) {
		if (word_in(cmdline, on[i]))
			return 1;
		if (word_in(cmdline, off[i]))
			return 0;
	}
	return config_has(release, "CONFIG_INIT_ON_ALLOC_DEFAULT_ON=y");
}

static void read_kernel(struct netenv *n)
{
	struct utsname u;

	if (uname(&u) < 0)
		return;
	snprintf(n->kernel, sizeof(n->kernel), "%s", u.release);
	/* NOLINTNEXTLINE(cert-err34-c): the kernel's own numbers fit */
	if (sscanf(u.release, "%u.%u", &n->kernel_major, &n->kernel_minor) != 2)
		n->kernel_major = n->kernel_minor = 0;
	n->init_on_alloc = find_init_on_alloc(u.release);
}

bool net_kernel_before(const struct netenv *n, uint32_t major, uint32_t minor)
{
	if (!n->kernel_major)
		return false;
	return n->kernel_major < major || (n->kernel_major == major && n->kernel_minor < minor);
}

/* ---- FRR: a process called zebra in this network namespace, and the file it reads */

/* Where the arguments name a configuration: -f FILE, or -N NAME for a directory of its own. */
static void frr_conf(pid_t pid, char *ret, size_t cap)
{
	char path[64], args[4096];
	const char *name = "", *arg, *next;
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
	len = slurp(path, args, sizeof(args));
	snprintf(ret, cap, "/etc/frr/frr.conf");
	for (arg = args; len > 0 && arg < args + len; arg = next) {
		next = arg + strlen(arg) + 1;
		if (next >= args + len)
			break;
		if (!strcmp(arg, "-f") || !strcmp(arg, "--config_file")) {
			snprintf(ret, cap, "%s", next);
			return;
		}
		if (!strcmp(arg, "-N") || !strcmp(arg, "--pathspace"))
			name = next;
	}
	if (*name && !strchr(name, '/'))
		snprintf(ret, cap, "/etc/frr/%s/frr.conf", name);
}

/*
 * Anybody can start a process called zebra and name any file: a pipe would hold us up for ever, and to open a device can
 * do something. So the file is looked at before it is opened for reading, by a descriptor that can't become another.
 */
static FILE *open_regular(const char *path)
{
	int fd = open(path, O_PATH | O_CLOEXEC), err = 0;
	char again[64];
	struct stat st;
	FILE *f = NULL;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) < 0)
		err = errno;
	else if (!S_ISREG(st.st_mode))
		err = EINVAL;
	snprintf(again, sizeof(again), "/proc/self/fd/%d", fd);
	if (!err) {
		f = fopen(again, "re");
		err = errno;
	}
	close(fd);
	errno = err;
	return f;
}

/* 1: the file sets a source-address, 0: it does not, -errno. The process may live in a file system of its own. */
static int frr_source(pid_t pid, const char *conf)
{
	char path[256], line[512];
	int found = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/root%s", (int)pid, conf);
	f = open_regular(path);
	if (!f)
		return -errno;
	while (!found && fgets(line, sizeof(line), f))
		found = line[strspn(line, " \t")] != '!' && word_in(line, "source-address");
	fclose(f);
	return found;
}

static bool same_netns(pid_t pid, const char *ours, int *err)
{
	char path[64], theirs[64];
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%d/ns/net", (int)pid);
	len = readlink(path, theirs, sizeof(theirs) - 1);
	if (len < 0) {
		if (errno == EACCES || errno == EPERM)
			*err = -errno;
		return false;
	}
	theirs[len] = '\0';
	return !strcmp(ours, theirs);
}

static void read_frr(struct netenv *n)
{
	char path[64], comm[32], ours[64];
	ssize_t len = readlink("/proc/self/ns/net", ours, sizeof(ours) - 1);
	DIR *dir = len < 0 ? NULL : opendir("/proc");
	struct dirent *d;
	pid_t pid;

	if (!dir) {
		n->frr_error = -errno;
		return;
	}
	ours[len] = '\0';
	while (!n->frr.pid && (d = readdir(dir))) {
		pid = (pid_t)strtol(d->d_name, NULL, 10);
		if (pid <= 0)
			continue;
		snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
		if (slurp(path, comm, sizeof(comm)) < 0 || strcmp(comm, "zebra\n"))
			continue;
		if (same_netns(pid, ours, &n->frr_error))
			n->frr.pid = pid;
	}
	closedir(dir);
	if (n->frr.pid) {
		frr_conf(n->frr.pid, n->frr.conf, sizeof(n->frr.conf));
		n->frr.source = frr_source(n->frr.pid, n->frr.conf);
	}
}

/* ---- all of it */

int netenv_read(struct netenv *n, struct arena *a, const char **what)
{
	int err;

	memset(n, 0, sizeof(*n));
	*what = "a netlink socket";
	n->sock = nl_socket_alloc();
	if (!n->sock)
		return -ENOMEM;
	err = nl_connect(n->sock, NETLINK_ROUTE);
	if (err < 0)
		return nl_to_errno(err);
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		*what = lists[i].what;
		err = read_list(n, a, &lists[i]);
		if (err < 0)
			return err;
	}
	/* Answers from here on are received one by one: an acknowledgement behind them would be taken for the next. */
	nl_socket_disable_auto_ack(n->sock);
	sort_rows(n->links, n->n_links, sizeof(*n->links), by_index);
	sort_rows(n->rules, n->n_rules, sizeof(*n->rules), by_priority);
	read_kernel(n);
	read_frr(n);
	return 0;
}

void netenv_close(struct netenv *n)
{
	if (n->sock)
		nl_socket_free(n->sock);
	n->sock = NULL;
}

/* ---- questions */

const struct net_link *net_link(const struct netenv *n, uint32_t ifindex)
{
	struct net_link key = { .ifindex = ifindex };

	return n->n_links ? bsearch(&key, n->links, n->n_links, sizeof(key), by_index) : NULL;
}

const struct net_link *net_vrf(const struct netenv *n, uint32_t table)
{
	for (uint32_t i = 0; table && i < n->n_links; i++)
		if (n->links[i].vrf_table == table)
			return &n->links[i];
	return NULL;
}

static size_t addr_size(const struct srv6_prefix *p)
{
	return p->family == AF_INET ? sizeof(struct in_addr) : sizeof(struct in6_addr);
}

static bool same_addr(const struct srv6_prefix *a, const struct srv6_prefix *b)
{
	return a->family == b->family && !memcmp(&a->addr, &b->addr, addr_size(a));
}

const struct net_addr *net_addr(const struct netenv *n, const struct srv6_prefix *addr)
{
	for (uint32_t i = 0; i < n->n_addrs; i++)
		if (same_addr(&n->addrs[i].prefix, addr))
			return &n->addrs[i];
	return NULL;
}

const struct net_neigh *net_neigh(const struct netenv *n, uint32_t ifindex, const struct srv6_prefix *addr)
{
	for (uint32_t i = 0; i < n->n_neighs; i++)
		if (n->neighs[i].ifindex == ifindex && same_addr(&n->neighs[i].addr, addr))
			return &n->neighs[i];
	return NULL;
}

bool net_link_carrier(const struct net_link *l)
{
	return (l->flags & IFF_UP) && (l->flags & IFF_RUNNING);
}

bool net_contains(const struct srv6_prefix *prefix, const struct srv6_prefix *addr)
{
	const unsigned char *p = (const void *)&prefix->addr, *a = (const void *)&addr->addr;
	unsigned int bytes = prefix->len / 8, bits = prefix->len % 8;

	if (prefix->family != addr->family || prefix->len > addr_size(prefix) * 8)
		return false;
	if (memcmp(p, a, bytes))
		return false;
	return !bits || !((p[bytes] ^ a[bytes]) >> (8 - bits));
}

struct srv6_prefix net_in6(const struct in6_addr *addr)
{
	struct srv6_prefix p;

	memset(&p, 0, sizeof(p));
	p.family = AF_INET6;
	p.len = 128;
	p.addr.in6 = *addr;
	return p;
}

struct srv6_prefix net_in4(const struct in_addr *addr)
{
	struct srv6_prefix p;

	memset(&p, 0, sizeof(p));
	p.family = AF_INET;
	p.len = 32;
	p.addr.in4 = *addr;
	return p;
}

/* ---- RTM_GETROUTE: the kernel's own lookup, with rules and VRFs as they apply */

/* The answer to the request just sent: the message itself into *ret (libnl's memory), or its errno. */
static int receive(struct nl_sock *sk, unsigned char **ret, size_t *ret_len)
{
	struct sockaddr_nl peer;
	unsigned char *buf = NULL;
	int len = nl_recv(sk, &peer, &buf, NULL);

	if (len <= 0)
		return -EIO;
	*ret = buf;
	*ret_len = (size_t)len;
	return 0;
}

static int message_errno(const struct nlmsghdr *nlh)
{
	const struct nlmsgerr *e = NLMSG_DATA(nlh);

	if (nlh->nlmsg_type != NLMSG_ERROR)
		return 0;
	return nlh->nlmsg_len < NLMSG_LENGTH(sizeof(*e)) ? -EBADMSG : e->error;
}

static int copy_route(const struct nlmsghdr *nlh, struct srv6_op **ret)
{
	size_t cap = srv6_read_size(nlh);
	void *mem = malloc(cap);
	struct srv6_op op;
	int err;

	if (!mem)
		return -ENOMEM;
	err = srv6_read(nlh, mem, cap, &op);
	if (!err)
		err = srv6_copy(&op, ret);
	free(mem);
	return err;
}

static struct nl_msg *lookup_request(const struct srv6_prefix *addr, uint32_t iif)
{
	struct rtmsg rtm = { .rtm_family = addr->family, .rtm_flags = RTM_F_FIB_MATCH };
	struct nl_msg *msg = nlmsg_alloc_simple(RTM_GETROUTE, NLM_F_REQUEST);

	rtm.rtm_dst_len = (uint8_t)(addr_size(addr) * 8);
	if (!msg)
		return NULL;
	if (nlmsg_append(msg, &rtm, sizeof(rtm), NLMSG_ALIGNTO) < 0 ||
	    nla_put(msg, RTA_DST, (int)addr_size(addr), &addr->addr) < 0 ||
	    (iif && nla_put_u32(msg, RTA_IIF, iif) < 0)) {
		nlmsg_free(msg);
		return NULL;
	}
	return msg;
}

int net_lookup(struct netenv *n, const struct srv6_prefix *addr, uint32_t iif, struct srv6_op **ret)
{
	struct nl_msg *msg = lookup_request(addr, iif);
	unsigned char *buf = NULL;
	const struct nlmsghdr *nlh;
	size_t len;
	int err;

	if (!msg)
		return -ENOMEM;
	err = nl_send_auto(n->sock, msg) < 0 ? -EIO : receive(n->sock, &buf, &len);
	nlmsg_free(msg);
	if (err)
		return err;
	nlh = (const struct nlmsghdr *)buf;
	if (!NLMSG_OK(nlh, len))
		err = -EBADMSG;
	else
		err = message_errno(nlh);
	if (!err)
		err = copy_route(nlh, ret);
	free(buf);
	return err;
}

/* ---- netfilter */

/* A request for a subsystem that is not there would load its module: that would be a change. */
static bool has_nf_tables(const struct netenv *n)
{
	char path[160], line[256];
	bool found = false;
	FILE *f;

	if (access("/proc/modules", F_OK) < 0 || access("/sys/module/nf_tables", F_OK) == 0)
		return true;
	snprintf(path, sizeof(path), "/lib/modules/%s/modules.builtin", n->kernel);
	f = fopen(path, "re");
	while (f && !found && fgets(line, sizeof(line), f))
		found = strstr(line, "/nf_tables.ko") != NULL;
	if (f)
		fclose(f);
	return found;
}

/* Whether the answer holds a table. It is a dump: an end without any object before it is "none". */
static int any_table(const unsigned char *buf, size_t len)
{
	const struct nlmsghdr *nlh = (const struct nlmsghdr *)buf;
	int err;

	if (!NLMSG_OK(nlh, len))
		return -EBADMSG;
	err = message_errno(nlh);
	if (err)
		return err;
	return nlh->nlmsg_type == ((NFNL_SUBSYS_NFTABLES << 8) | NFT_MSG_NEWTABLE);
}

static int ask_nf_tables(void)
{
	struct nfgenmsg gen = { .nfgen_family = AF_UNSPEC, .version = NFNETLINK_V0 };
	int type = (NFNL_SUBSYS_NFTABLES << 8) | NFT_MSG_GETTABLE, err;
	struct nl_msg *msg = nlmsg_alloc_simple(type, NLM_F_REQUEST | NLM_F_DUMP);
	struct nl_sock *sk = nl_socket_alloc();
	unsigned char *buf = NULL;
	size_t len = 0;

	if (sk)
		nl_socket_disable_auto_ack(sk);
	if (!msg || !sk || nl_connect(sk, NETLINK_NETFILTER) < 0 ||
	    nlmsg_append(msg, &gen, sizeof(gen), NLMSG_ALIGNTO) < 0 || nl_send_auto(sk, msg) < 0)
		err = -EIO;
	else
		err = receive(sk, &buf, &len);
	if (!err)
		err = any_table(buf, len);
	free(buf);
	nlmsg_free(msg);
	if (sk)
		nl_socket_free(sk);
	return err == -EINVAL || err == -EOPNOTSUPP ? 0 : err; /* no nf_tables in this kernel */
}

int net_has_netfilter_rules(const struct netenv *n)
{
	/* The old xtables: a file with the names of the tables in use. */
	static const char *const files[] = { "/proc/self/net/ip_tables_names", "/proc/self/net/ip6_tables_names" };
	char buf[64];
	ssize_t len;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		len = slurp(files[i], buf, sizeof(buf));
		if (len > 0)
			return 1;
		if (len < 0 && len != -ENOENT)
			return (int)len;
	}
	return has_nf_tables(n) ? ask_nf_tables() : 0;
}

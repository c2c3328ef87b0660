/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names: of devices, by the kernel; of tables and protocols, ours for those that every system has, and iproute2's files.
 * Nothing is read before it is needed: one changed route is to cost one look-up.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <net/if.h>
#include <linux/rtnetlink.h>
#include <netlink/cache.h>
#include <netlink/netlink.h>
#include <netlink/route/addr.h>
#include <netlink/route/link.h>
#include <netlink/route/link/vrf.h>

#include "cli.h"

/* ---- devices */

#define CACHED 64

struct told {
	uint32_t ifindex;
	char name[IF_NAMESIZE];
};

struct links {
	struct nl_sock *sock;
	struct {
		uint32_t ifindex;
		char name[IF_NAMESIZE];
	} names[CACHED];
	struct {
		uint32_t ifindex;
		char name[IF_NAMESIZE];
	} held[8]; /* of the last devices that were named, while they are held */
	uint32_t next;
	bool hold;
	struct told *told; /* by events, in order of their index */
	size_t n_told, cap_told;
	char other[IF_NAMESIZE];
};

static struct links *links(struct ctx *c)
{
	static struct links none; /* one tool, one namespace */

	if (!c->links)
		c->links = &none;
	return c->links;
}

static struct nl_sock *sock(struct ctx *c)
{
	struct links *l = links(c);

	if (!l->sock) {
		l->sock = nl_socket_alloc();
		if (l->sock && nl_connect(l->sock, NETLINK_ROUTE)) {
			nl_socket_free(l->sock);
			l->sock = NULL;
		}
	}
	return l->sock;
}

void links_close(struct ctx *c)
{
	if (c->links && c->links->sock)
		nl_socket_free(c->links->sock);
	if (c->links) {
		free(c->links->told);
		*c->links = (struct links){ 0 }; /* whoever opens it again finds nothing of before */
	}
	c->links = NULL;
}

void links_forget(struct ctx *c)
{
	memset(links(c)->names, 0, sizeof(links(c)->names));
	links(c)->n_told = 0;
	memset(links(c)->held, 0, sizeof(links(c)->held));
	links(c)->hold = false;
}

void links_hold(struct ctx *c)
{
	links(c)->hold = true;
}

static uint32_t held_index(const struct links *l, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(l->held); i++)
		if (l->held[i].ifindex && !strcmp(l->held[i].name, name))
			return l->held[i].ifindex;
	return 0;
}

/* The kernel is asked by a socket of its own for each: three system calls. */
static uint32_t ask_index(struct links *l, const char *name)
{
	uint32_t n = *name && strlen(name) < IF_NAMESIZE ? if_nametoindex(name) : 0;

	if (!n || !l->hold)
		return n;
	l->next = (l->next + 1) % ARRAY_SIZE(l->held);
	l->held[l->next].ifindex = n;
	snprintf(l->held[l->next].name, sizeof(l->held[l->next].name), "%s", name);
	return n;
}

int link_index(struct ctx *c, const char *name, uint32_t *ret)
{
	uint32_t n = held_index(links(c), name);
	uint64_t number;

	if (!n)
		n = ask_index(links(c), name);
	if (!n && !strncmp(name, "if", 2) && !value_number(name + 2, INT32_MAX, &number))
		n = (uint32_t)number; /* as we print what is gone */
	if (!n)
		return -ENODEV;
	*ret = n;
	return 0;
}

/* Where the index is, or would be. */
static size_t told_at(const struct links *l, uint32_t ifindex)
{
	size_t from = 0, to = l->n_told, at;

	while (from < to) {
		at = from + (to - from) / 2;
		if (l->told[at].ifindex < ifindex)
			from = at + 1;
		else
			to = at;
	}
	return from;
}

void link_remember(struct ctx *c, uint32_t ifindex, const char *name)
{
	struct links *l = links(c);
	size_t at = told_at(l, ifindex);

	if (at == l->n_told || l->told[at].ifindex != ifindex) {
		if (l->n_told == l->cap_told) {
			l->cap_told = l->cap_told ? 2 * l->cap_told : 16;
			l->told = realloc(l->told, l->cap_told * sizeof(*l->told));
			if (!l->told)
				abort();
		}
		memmove(&l->told[at + 1], &l->told[at], (l->n_told++ - at) * sizeof(*l->told));
		l->told[at].ifindex = ifindex;
	}
	snprintf(l->told[at].name, sizeof(l->told[at].name), "%s", name);
}

const char *link_name(struct ctx *c, uint32_t ifindex)
{
	struct links *l = links(c);
	char *name = l->names[ifindex % CACHED].name;
	size_t at = told_at(l, ifindex);

	if (!ifindex)
		return "if0";
	if (at < l->n_told && l->told[at].ifindex == ifindex)
		return l->told[at].name;
	if (l->names[ifindex % CACHED].ifindex == ifindex)
		return name;
	if (!if_indextoname(ifindex, name)) {
		l->names[ifindex % CACHED].ifindex = 0;
		snprintf(l->other, sizeof(l->other), "if%u", ifindex);
		return l->other;
	}
	l->names[ifindex % CACHED].ifindex = ifindex;
	return name;
}

static struct rtnl_link *get_link(struct ctx *c, uint32_t ifindex, const char *name)
{
	struct rtnl_link *link = NULL;

	if (!sock(c) || rtnl_link_get_kernel(sock(c), (int)ifindex, name, &link) < 0)
		return NULL;
	return link;
}

int vrf_table(struct ctx *c, const char *name, uint32_t *ret)
{
	struct rtnl_link *link = get_link(c, 0, name);
	int err = -ENODEV;

	if (link)
		err = rtnl_link_is_vrf(link) && !rtnl_link_vrf_get_tableid(link, ret) ? 0 : -ENOTUNIQ;
	rtnl_link_put(link);
	return err;
}

bool address_is_ours(struct ctx *c, const struct in6_addr *addr)
{
	struct nl_cache *cache = NULL;
	struct nl_object *o;
	struct nl_addr *a;
	bool ret = false;

	/* what cannot be found out is not warned about */
	if (!sock(c) || rtnl_addr_alloc_cache(sock(c), &cache) < 0)
		return true;
	for (o = nl_cache_get_first(cache); o && !ret; o = nl_cache_get_next(o)) {
		a = rtnl_addr_get_local((struct rtnl_addr *)o);
		ret = a && nl_addr_get_family(a) == AF_INET6 &&
		      !memcmp(nl_addr_get_binary_addr(a), addr, sizeof(*addr));
	}
	nl_cache_free(cache);
	return ret;
}

/* ---- names of numbers */

struct name {
	uint32_t number;
	const char *name;
};

struct names {
	const char *file; /* below the directories of iproute2 */
	const struct name *fixed;
	struct name *read;
	size_t n;
	bool loaded;
};

static const struct name fixed_tables[] = { { 255, "local" }, { 254, "main" }, { 253, "default" }, { 0, NULL } };
static const struct name fixed_protocols[] = { { RTPROT_UNSPEC, "unspec" },
					       { RTPROT_REDIRECT, "redirect" },
					       { RTPROT_KERNEL, "kernel" },
					       { RTPROT_BOOT, "boot" },
					       { RTPROT_STATIC, "static" },
					       { 8, "gated" },
					       { RTPROT_RA, "ra" },
					       { 10, "mrt" },
					       { 11, "zebra" },
					       { 12, "bird" },
					       { 13, "dnrouted" },
					       { 14, "xorp" },
					       { 15, "ntk" },
					       { 16, "dhcp" },
					       { 17, "mrouted" },
					       { 18, "keepalived" },
					       { 42, "babel" },
					       { 99, "openr" },
					       { 186, "bgp" },
					       { 187, "isis" },
					       { 188, "ospf" },
					       { 189, "rip" },
					       { 192, "eigrp" },
					       { PROTOCOL_SRV6, "srv6" },
					       { 0, NULL } };
static const struct name fixed_scopes[] = { { RT_SCOPE_UNIVERSE, "global" }, { RT_SCOPE_SITE, "site" },
					    { RT_SCOPE_LINK, "link" },       { RT_SCOPE_HOST, "host" },
					    { RT_SCOPE_NOWHERE, "nowhere" }, { 0, NULL } };
static const struct name fixed_types[] = { { RTN_UNSPEC, "none" },
					   { RTN_UNICAST, "unicast" },
					   { RTN_LOCAL, "local" },
					   { RTN_BROADCAST, "broadcast" },
					   { RTN_ANYCAST, "anycast" },
					   { RTN_MULTICAST, "multicast" },
					   { RTN_BLACKHOLE, "blackhole" },
					   { RTN_UNREACHABLE, "unreachable" },
					   { RTN_PROHIBIT, "prohibit" },
					   { RTN_THROW, "throw" },
					   { RTN_NAT, "nat" },
					   { RTN_XRESOLVE, "xresolve" },
					   { 0, NULL } };

static struct names tables = { .file = "rt_tables", .fixed = fixed_tables };
static struct names protocols = { .file = "rt_protos", .fixed = fixed_protocols };
static struct names scopes = { .fixed = fixed_scopes, .loaded = true };
static struct names types = { .fixed = fixed_types, .loaded = true };

static void read_names(struct names *names, const char *path)
{
	char line[256], *at, *end;
	struct name *grown;
	unsigned long n;
	FILE *f = fopen(path, "re");

	if (!f)
		return;
	while (fgets(line, sizeof(line), f)) {
		at = line + strspn(line, " \t");
		n = strtoul(at, &end, 0);
		if (end == at || n > UINT32_MAX || !isspace((unsigned char)*end))
			continue;
		end += strspn(end, " \t");
		end[strcspn(end, " \t\r\n#")] = '\0';
		grown = *end ? reallocarray(names->read, names->n + 1, sizeof(*grown)) : NULL;
		if (!grown)
			continue;
		names->read = grown;
		names->read[names->n++] = (struct name){ (uint32_t)n, strdup(end) };
	}
	fclose(f);
}

static int is_conf(const struct dirent *d)
{
	size_t len = strlen(d->d_name);

	return d->d_name[0] != '.' && len > 5 && !strcmp(d->d_name + len - 5, ".conf");
}

static void read_directory(struct names *names, const char *dir)
{
	struct dirent **list;
	char path[512];
	int n = scandir(dir, &list, is_conf, alphasort);

	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, list[i]->d_name);
		read_names(names, path);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}

/* Where iproute2 keeps them: /etc before what the distribution ships. */
static void load(struct names *names)
{
	static const char *const dirs[] = { "/etc/iproute2", "/usr/share/iproute2", "/usr/lib/iproute2" };
	char path[128];

	if (names->loaded)
		return;
	names->loaded = true;
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		snprintf(path, sizeof(path), "%s/%s", dirs[i], names->file);
		read_names(names, path);
		snprintf(path, sizeof(path), "%s/%s.d", dirs[i], names->file);
		read_directory(names, path);
	}
}

static int find_number(struct names *names, const char *name, uint32_t max, uint32_t *ret)
{
	uint64_t n;

	if (!value_number(name, max, &n)) {
		*ret = (uint32_t)n;
		return 0;
	}
	for (const struct name *p = names->fixed; p->name; p++)
		if (same(p->name, name)) {
			*ret = p->number;
			return 0;
		}
	load(names);
	for (size_t i = 0; i < names->n; i++)
		if (names->read[i].name && !strcmp(names->read[i].name, name) && names->read[i].number <= max) {
			*ret = names->read[i].number;
			return 0;
		}
	return -ENOENT;
}

static const char *find_name(const struct names *names, uint32_t number)
{
	for (const struct name *p = names->fixed; p->name; p++)
		if (p->number == number)
			return p->name;
	return NULL;
}

static const char *find_local_name(struct names *names, uint32_t number)
{
	const char *fixed = find_name(names, number);

	if (fixed)
		return fixed;
	load(names);
	for (size_t i = 0; i < names->n; i++)
		if (names->read[i].number == number)
			return names->read[i].name;
	return NULL;
}

static int find_small(struct names *names, const char *name, uint8_t *ret)
{
	uint32_t n;
	int err = find_number(names, name, UINT8_MAX, &n);

	if (!err)
		*ret = (uint8_t)n;
	return err;
}

int table_number(const char *name, uint32_t *ret)
{
	return find_number(&tables, name, UINT32_MAX, ret);
}

const char *table_name(uint32_t table, bool local)
{
	return local ? find_local_name(&tables, table) : find_name(&tables, table);
}

int protocol_number(const char *name, uint8_t *ret)
{
	return find_small(&protocols, name, ret);
}

const char *protocol_name(uint8_t protocol, bool local)
{
	return local ? find_local_name(&protocols, protocol) : find_name(&protocols, protocol);
}

int scope_number(const char *name, uint8_t *ret)
{
	return find_small(&scopes, strcmp(name, "universe") ? name : "global", ret);
}

const char *scope_name(uint8_t scope)
{
	return find_name(&scopes, scope);
}

int rtype_number(const char *name, uint8_t *ret)
{
	return find_small(&types, name, ret);
}

const char *rtype_name(uint8_t type)
{
	return find_name(&types, type);
}

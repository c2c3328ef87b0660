/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tool asks this machine for, answered without it: names of devices and VRFs, addresses, and a kernel that holds
 * nothing and takes everything. So an input does the same everywhere, and as fast as it can.
 */
#include <errno.h>
#include <stdarg.h>
#include <linux/bpf.h>
#include <linux/genetlink.h>
#include <net/if.h>
#include <sys/syscall.h>

#include "fuzz_cli.h"
#include "wire.h"

#define OWN_PID 4711

static const struct device {
	const char *name;
	uint32_t ifindex, table; /* table: of a VRF */
} devices[] = {
	{ "lo", 1, 0 },
	{ "eth0", 2, 0 },
	{ "eth1", 3, 0 },
	{ "d-\xc3\xa9", 4, 0 },
	{ "a\"\\b", 5, 0 },
	{ "if6", 6, 0 },
	{ "fifteen-letters", 7, 0 },
	{ "table", 8, 0 },
	{ "vrf10", 9, 10 },
	{ "v0", 10, 0 },
	{ "v1", 11, 0 },
};

unsigned int __wrap_if_nametoindex(const char *name);
unsigned int __wrap_if_nametoindex(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(devices); i++)
		if (!strcmp(devices[i].name, name))
			return devices[i].ifindex;
	errno = ENODEV;
	return 0;
}

char *__wrap_if_indextoname(unsigned int ifindex, char *name);
char *__wrap_if_indextoname(unsigned int ifindex, char *name)
{
	if (ifindex && ifindex <= ARRAY_SIZE(devices))
		return strcpy(name, devices[ifindex - 1].name);
	errno = ENXIO;
	return NULL;
}

int __wrap_vrf_table(struct ctx *c, const char *name, uint32_t *ret);
int __wrap_vrf_table(struct ctx *c, const char *name, uint32_t *ret)
{
	(void)c;
	for (size_t i = 0; i < ARRAY_SIZE(devices); i++) {
		if (strcmp(devices[i].name, name))
			continue;
		if (!devices[i].table)
			return -ENOTUNIQ;
		*ret = devices[i].table;
		return 0;
	}
	return -ENODEV;
}

bool __wrap_address_is_ours(struct ctx *c, const struct in6_addr *addr);
bool __wrap_address_is_ours(struct ctx *c, const struct in6_addr *addr)
{
	(void)c;
	return addr->s6_addr[15] & 1;
}

/* No program is loaded or looked for here, but that the reader of object files has one to load. */
__attribute__((weak)) int fuzz_prog_load(const union bpf_attr *attr)
{
	(void)attr;
	errno = EPERM;
	return -1;
}

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
/* As the real one it passes on six words, however many there were. */
__attribute__((no_sanitize("address"))) long __wrap_syscall(long number, ...)
{
	long a[6];
	va_list ap;

	va_start(ap, number);
	for (size_t i = 0; i < ARRAY_SIZE(a); i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (number != SYS_bpf)
		return __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	if (a[0] == BPF_PROG_LOAD)
		return fuzz_prog_load((const union bpf_attr *)a[1]);
	errno = EPERM;
	return -1;
}

/* Lists are empty, changes are taken, names of generic netlink are not known. */
static void sent(void *arg, enum wire_kind kind, const void *data, size_t len)
{
	const struct nlmsghdr *req = data;
	struct {
		struct nlmsghdr nlh;
		struct nlmsgerr e;
	} m = { .nlh = { .nlmsg_len = sizeof(m) } };

	(void)arg;
	while (len >= sizeof(*req) && req->nlmsg_len >= sizeof(*req) && req->nlmsg_len <= len) {
		size_t step = NLMSG_ALIGN(req->nlmsg_len);
		bool list = (req->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;

		m.nlh.nlmsg_type = list ? NLMSG_DONE : NLMSG_ERROR;
		m.nlh.nlmsg_flags = list ? NLM_F_MULTI : NLM_F_CAPPED;
		m.nlh.nlmsg_seq = req->nlmsg_seq;
		m.nlh.nlmsg_pid = OWN_PID;
		m.e.error = !list && req->nlmsg_type == GENL_ID_CTRL ? -ENOENT : 0;
		m.e.msg = *req;
		wire_put(kind, &m, sizeof(m), 0);
		if (step >= len)
			break;
		len -= step;
		req = (const void *)((const char *)req + step);
	}
}

int __real_srv6_open(struct srv6 **ret, const struct srv6_opts *opts);
int __wrap_srv6_open(struct srv6 **ret, const struct srv6_opts *opts);
int __wrap_srv6_open(struct srv6 **ret, const struct srv6_opts *opts)
{
	struct srv6_opts o = *opts;

	wire_start(sent, NULL, OWN_PID);
	o.route_fd = wire_open(WIRE_ROUTE);
	o.genl_fd = wire_open(WIRE_GENL);
	return __real_srv6_open(ret, &o);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What an op is about: its hops, where it lives, its BPF programs. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/bpf.h>
#include <linux/nexthop.h>

#include "transact.h"

const struct srv6_hop *op_hops(const struct srv6_op *op, uint32_t *n)
{
	*n = 0;
	if (op->kind == SRV6_ROUTE) {
		*n = op->u.route->hops ? op->u.route->n_hops : 0;
		return op->u.route->hops;
	}
	if (op->kind == SRV6_NEXTHOP) {
		*n = op->u.nexthop->hop ? 1 : 0;
		return op->u.nexthop->hop;
	}
	return NULL;
}

uint32_t route_table(const struct srv6_route *r)
{
	return r->has & SRV6_HAS(ROUTE_TABLE) && r->table ? r->table : RT_TABLE_MAIN;
}

bool op_has_encap(const struct srv6_op *op)
{
	uint32_t n;
	const struct srv6_hop *h = op_hops(op, &n);

	for (uint32_t i = 0; i < n; i++)
		if (h[i].encap)
			return true;
	return false;
}

bool op_is_endpoint(const struct srv6_op *op)
{
	uint32_t n;
	const struct srv6_hop *h = op_hops(op, &n);
	const char *type;

	for (uint32_t i = 0; i < n; i++) {
		type = h[i].encap ? srv6_encap_name(h[i].encap->encap_type) : NULL;
		if (type && (!strcmp(type, "seg6local") || !strcmp(type, "seg6mobile")) &&
		    h[i].encap->behavior != SRV6_H_M_GTP4_D)
			return true;
	}
	return !op_has_encap(op) && op->kind == SRV6_ROUTE && op->u.route->has & SRV6_HAS(NHID);
}

/* ---- a few words */

struct words {
	char *buf;
	size_t cap, len;
};

static void __attribute__((format(printf, 2, 3))) say(struct words *w, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(w->buf + w->len, w->cap - w->len, fmt, ap);
	va_end(ap);
	if (n > 0)
		w->len += (size_t)n < w->cap - w->len ? (size_t)n : w->cap - w->len - 1;
}

static void say_encap(struct words *w, const struct srv6_encap *e)
{
	const struct srv6_behavior_info *b = srv6_behavior_info(e->behavior, SRV6_MOBILE_AUTO);
	char a[INET6_ADDRSTRLEN];

	say(w, "%s", b ? b->name : "another encapsulation");
	if (e->has & SRV6_HAS(SEGS))
		for (uint32_t i = 0; i < e->n_segs && i < 3; i++)
			say(w, "%s%s", i ? "," : " segs ", inet_ntop(AF_INET6, &e->segs[i], a, sizeof(a)));
	if (e->has & SRV6_HAS(SEGS) && e->n_segs > 3)
		say(w, ",... (%u)", e->n_segs);
	if (e->has & SRV6_HAS(TUNSRC))
		say(w, " tunsrc %s", inet_ntop(AF_INET6, &e->tunsrc, a, sizeof(a)));
	if (e->has & SRV6_HAS(NH6))
		say(w, " nh6 %s", inet_ntop(AF_INET6, &e->nh6, a, sizeof(a)));
	if (e->has & SRV6_HAS(NH4))
		say(w, " nh4 %s", inet_ntop(AF_INET, &e->nh4, a, sizeof(a)));
	if (e->has & SRV6_HAS(TABLE))
		say(w, " table %u", e->table);
	if (e->has & SRV6_HAS(VRFTABLE))
		say(w, " vrftable %u", e->vrftable);
}

const char *op_describe(const struct srv6_op *op, char *buf, size_t cap)
{
	struct words w = { buf, cap, 0 };
	char a[INET6_ADDRSTRLEN];
	uint32_t n;
	const struct srv6_hop *h = op_hops(op, &n);

	buf[0] = 0;
	for (uint32_t i = 0; i < n; i++) {
		say(&w, "%s", i ? " + " : "");
		if (h[i].encap)
			say_encap(&w, h[i].encap);
		else
			say(&w, "no encapsulation");
		if (h[i].has & SRV6_HAS(VIA) && inet_ntop(h[i].via.family, &h[i].via.addr, a, sizeof(a)))
			say(&w, " via %s", a);
		if (h[i].has & SRV6_HAS(DEV))
			say(&w, " dev #%u", h[i].ifindex);
	}
	if (op->kind == SRV6_ROUTE && op->u.route->has & SRV6_HAS(NHID))
		say(&w, "%snhid %u", w.len ? " " : "", op->u.route->nhid);
	if (!w.len)
		say(&w, "no hop");
	return buf;
}

/* ---- keys */

uint32_t hash_bytes(const void *data, size_t len)
{
	const uint8_t *p = data;
	uint64_t h = len, word = 0;

	for (; len >= sizeof(word); len -= sizeof(word), p += sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		h = (h ^ word) * 0x9e3779b97f4a7c15u;
		h ^= h >> 32;
	}
	word = 0;
	memcpy(&word, p, len);
	h = (h ^ word) * 0x9e3779b97f4a7c15u;
	return (uint32_t)(h ^ h >> 32);
}

/* Bits beyond the length do not tell two prefixes apart: the kernel masks them off for IPv6. */
static void key_addr(struct key *k, const void *addr, size_t size)
{
	size_t bytes = k->len / 8u;

	memcpy(k->addr, addr, size < sizeof(k->addr) ? size : sizeof(k->addr));
	if (k->len % 8 && bytes < sizeof(k->addr))
		k->addr[bytes] &= (uint8_t)(0xff00 >> k->len % 8), bytes++;
	if (bytes < sizeof(k->addr))
		memset(k->addr + bytes, 0, sizeof(k->addr) - bytes);
}

void key_of_op(const struct srv6_op *op, struct key *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->kind = op->kind;
	if (op->kind == SRV6_NEXTHOP) {
		ret->table = op->u.nexthop->id;
	} else if (op->kind == SRV6_ROUTE) {
		const struct srv6_prefix *p = &op->u.route->dst;

		ret->table = route_table(op->u.route);
		ret->family = p->family;
		ret->len = p->len;
		key_addr(ret, &p->addr, p->family == AF_INET ? 4 : 16);
	}
}

static bool key_of_route(const struct nlmsghdr *nlh, struct key *ret)
{
	const struct rtmsg *rtm = (const void *)((const char *)nlh + MSG_HEAD);
	const struct nlattr *a;

	if (nlh->nlmsg_len < MSG_LEN(sizeof(*rtm)) || rtm->rtm_flags & RTM_F_CLONED)
		return false;
	ret->kind = SRV6_ROUTE;
	ret->family = rtm->rtm_family;
	ret->len = rtm->rtm_dst_len;
	ret->table = knl_u32(knl_find(nlh, sizeof(*rtm), RTA_TABLE), rtm->rtm_table);
	a = knl_find(nlh, sizeof(*rtm), RTA_DST);
	if (a)
		key_addr(ret, knl_data(a), knl_len(a));
	return true;
}

bool key_of_msg(const struct nlmsghdr *nlh, struct key *ret)
{
	memset(ret, 0, sizeof(*ret));
	switch (nlh->nlmsg_type) {
	case RTM_NEWROUTE:
	case RTM_DELROUTE:
		return key_of_route(nlh, ret);
	case RTM_NEWNEXTHOP:
	case RTM_DELNEXTHOP:
		ret->kind = SRV6_NEXTHOP;
		ret->table = knl_u32(knl_find(nlh, sizeof(struct nhmsg), NHA_ID), 0);
		return ret->table != 0;
	default:
		return false;
	}
}

const char *key_describe(const struct key *k, char *buf, size_t cap)
{
	char a[INET6_ADDRSTRLEN] = "?";

	if (k->kind == SRV6_NEXTHOP) {
		snprintf(buf, cap, "nexthop object %u", k->table);
		return buf;
	}
	inet_ntop(k->family, k->addr, a, sizeof(a));
	snprintf(buf, cap, "%s/%u in table %u", a, k->len, k->table);
	return buf;
}

/* ---- BPF programs */

static int bpf_fd_by_id(uint32_t id)
{
	union bpf_attr attr;
	long fd;

	memset(&attr, 0, sizeof(attr));
	attr.prog_id = id;
	fd = syscall(SYS_bpf, BPF_PROG_GET_FD_BY_ID, &attr, sizeof(attr));
	return fd < 0 ? -errno : (int)fd;
}

/* The id of a program given by descriptor: what comes back from the kernel is compared by it. */
static uint32_t bpf_id_of(int fd)
{
	struct bpf_prog_info info;
	union bpf_attr attr;

	memset(&info, 0, sizeof(info));
	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = (uint32_t)fd;
	attr.info.info_len = sizeof(info);
	attr.info.info = (uint64_t)(uintptr_t)&info;
	return syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr)) < 0 ? 0 : info.id;
}

static bool wants_fill(const struct srv6_encap *e)
{
	return e && e->has & SRV6_HAS(BPF) && (!e->bpf.fd || !e->bpf.id);
}

/* In a copy of our own all is ours to write; and all descriptors in it are ours to close, those given as well: duplicates. */
static int fill_encap(struct srv6_encap *e, struct srv6_error *err)
{
	int fd = e->bpf.fd ? fcntl(e->bpf.fd, F_DUPFD_CLOEXEC, 0) : bpf_fd_by_id(e->bpf.id);

	if (fd < 0) {
		int code = e->bpf.fd ? -EBADF : fd;

		e->bpf.fd = 0;
		err_set(err, code, SRV6_ATTR_BPF, "BPF program %u cannot be opened by its id", e->bpf.id);
		err_remedy(err, "it needs CAP_BPF or CAP_SYS_ADMIN, and the program must still be loaded");
		return code;
	}
	if (e->bpf.fd)
		e->bpf.id = bpf_id_of(fd);
	e->bpf.fd = fd;
	return 0;
}

int op_fill(const struct srv6_op *op, struct srv6_op **ret, struct srv6_error *err)
{
	struct srv6_op *copy;
	uint32_t n, i;
	const struct srv6_hop *h = op_hops(op, &n);
	int r;

	*ret = NULL;
	for (i = 0; i < n && !wants_fill(h[i].encap); i++)
		;
	if (i == n || op->verb == SRV6_DEL)
		return 0;
	r = srv6_copy(op, &copy);
	if (r)
		return err_set(err, r, SRV6_ATTR_NONE, "out of memory");
	h = op_hops(copy, &n);
	for (i = 0; i < n && !r; i++)
		if (h[i].encap && h[i].encap->has & SRV6_HAS(BPF))
			r = fill_encap((struct srv6_encap *)(uintptr_t)h[i].encap, err);
	if (r) {
		/* Those behind still hold the caller's descriptors. */
		for (; i < n; i++)
			if (h[i].encap)
				((struct srv6_encap *)(uintptr_t)h[i].encap)->bpf.fd = 0;
		op_unfill(copy);
		return r;
	}
	*ret = copy;
	return 0;
}

void op_unfill(struct srv6_op *op)
{
	uint32_t n;
	const struct srv6_hop *h;

	if (!op)
		return;
	h = op_hops(op, &n);
	for (uint32_t i = 0; i < n; i++)
		if (h[i].encap && h[i].encap->has & SRV6_HAS(BPF) && h[i].encap->bpf.fd > 0)
			close(h[i].encap->bpf.fd);
	free(op);
}

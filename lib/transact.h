/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files that change things share. */
#ifndef SRV6_TRANSACT_H
#define SRV6_TRANSACT_H

#include "handle.h"

/* ---- op.c: what an op is about */

const struct srv6_hop *op_hops(const struct srv6_op *op, uint32_t *n); /* n 0: none */
uint32_t route_table(const struct srv6_route *r);
bool op_has_encap(const struct srv6_op *op);
/* A route with an endpoint behavior, or by a nexthop object that may have one. */
bool op_is_endpoint(const struct srv6_op *op);
/* Its hops and encapsulations in a few words, for an error. */
const char *op_describe(const struct srv6_op *op, char *buf, size_t cap);
/*
 * End.BPF names its program by id where it was read, and the kernel wants a descriptor. Returns a copy with descriptors in
 * *ret (op_unfill gives both back), or NULL there where nothing needs one.
 */
int op_fill(const struct srv6_op *op, struct srv6_op **ret, struct srv6_error *err);
void op_unfill(struct srv6_op *op);

/* Where an object lives: all routes to a prefix in a table, or a nexthop object. No padding: compared as bytes. */
struct key {
	uint32_t kind, table; /* table: of a nexthop object its id */
	uint8_t family, len, zero[2];
	uint8_t addr[16];
};
#define IP6_METRIC_DEFAULT 1024 /* of an IPv6 route without one; the kernel's IP6_RT_PRIO_USER */
void key_of_op(const struct srv6_op *op, struct key *ret);
bool key_of_msg(const struct nlmsghdr *nlh, struct key *ret);
uint32_t hash_bytes(const void *data, size_t len);
const char *key_describe(const struct key *k, char *buf, size_t cap);

/* ---- verify.c */

/* Whether the route that is left of have with its hop j is the one that want names with its hop i. */
bool verify_hop(const struct srv6_op *want, uint32_t i, const struct srv6_op *have, uint32_t j);

/* ---- differ.c */

/* What is there, what was named instead, and the words of the latter to leave out: where the two differ. */
struct difference {
	char there[130], named[130], words[80];
	unsigned int n;
	uint32_t attr; /* the first */
	bool bare;     /* there is a gateway, and a device alone was named */
};
/* s: to name devices, or NULL. Where a route leads, in a few words. */
const char *route_leads(struct srv6 *s, const struct srv6_route *r, char *buf, size_t cap);
void differ(struct srv6 *s, const struct srv6_op *want, const struct srv6_op *have, struct difference *ret);

/* ---- caps.c */

/* enum srv6_can, or -errno; the handle's error is left alone. */
int caps_can(struct srv6 *s, uint32_t behavior, uint32_t attr, uint32_t flavor);
int caps_mobile(struct srv6 *s, uint32_t *ret, struct srv6_error *err); /* the numbering that this kernel speaks */
const char *forgotten_since(uint32_t behavior, uint32_t attr);

/* ---- link.c */

struct link_state {
	char name[IFNAMSIZ];
	uint32_t flags, mtu;
	bool has_ipv6;
};
int link_get(struct srv6 *s, uint32_t ifindex, struct link_state *ret);

/* ---- explain.c */

/* Fills err for the kernel's refusal of op; req: the message as sent, or NULL. Returns err->code. May ask the kernel. */
int explain(struct srv6 *s, const struct srv6_op *op, const void *req, const struct ack *ack, struct srv6_error *err);

/* ---- offset.c: the attribute at an offset of a request, as the kernel names the one at fault; sets err->attr and hop */

void explain_offset(const struct nlmsghdr *req, uint32_t kind, uint32_t offset, struct srv6_error *err);

/* ---- raw.c: messages of the kernel as requests to it. cap of buf: RAW_SIZE(nlh). Return 0 or -errno */

#define RAW_SIZE(nlh) ((nlh)->nlmsg_len + 64u)
int raw_add(const struct nlmsghdr *nlh, uint16_t flags, void *buf, size_t cap);
int raw_delete(const struct nlmsghdr *nlh, void *buf, size_t cap); /* exactly this one */
/* The same, sent. */
int raw_send_add(struct srv6 *s, const struct nlmsghdr *nlh, uint16_t flags, struct ack *ack);
int raw_send_delete(struct srv6 *s, const struct nlmsghdr *nlh, struct ack *ack);
/* 1: the same but for what changes by itself (counters, ages, flags); 0: not; -errno */
int raw_same(const struct nlmsghdr *a, const struct nlmsghdr *b);
int raw_aged(const struct nlmsghdr *was, const struct nlmsghdr *is); /* the same, however long ago it was */
uint32_t raw_metric(const struct nlmsghdr *nlh);
uint32_t raw_nhid(const struct nlmsghdr *nlh); /* of a route: the nexthop object that it uses, or 0 */
bool raw_hits(const struct nlmsghdr *h, const struct nlmsghdr *x);
bool raw_is_group(const struct nlmsghdr *nlh);

/* A message with memory to read it into, for as long as it is looked at. */
struct reader {
	struct srv6_op op;
	void *mem;
	size_t cap;
};
int reader_read(struct reader *r, const struct nlmsghdr *nlh);
void reader_free(struct reader *r);

/* ---- apply.c: adding seg6 routes in bulk meets spurious ENOMEM, gone once the sender has slept */

#define TRANSIENT_TRIES 64
void transient_wait(int tries);

/* ---- shot.c: what is there at some keys */

struct held {
	struct held *next;
	struct nlmsghdr nlh; /* the message follows */
};

struct spot {
	struct key key;
	struct held *first, *last;
	uint16_t used, touched; /* touched: how many changes of this run went there */
	uint32_t looks;         /* of changes that still come in this run and ask what is there */
	bool known;             /* after.c: what is there now is this */
};

struct shot {
	struct spot *spots;
	size_t n, cap; /* cap: a power of two, or 0 */
	bool users;    /* nexthop objects are deleted: what uses them goes with them */
};

void shot_free(struct shot *sh);
int shot_want(struct shot *sh, const struct key *k);
struct spot *shot_find(const struct shot *sh, const struct key *k);
void shot_drop(struct spot *sp, const struct held *gone); /* where it is one of them */
int spot_add(struct spot *sp, const struct nlmsghdr *nlh);
int spot_add_first(struct spot *sp, const struct nlmsghdr *nlh);
void spot_clear(struct spot *sp);
/* Reads what is there. Errors: -ESTALE (not to be had whole), the kernel's. */
int shot_take(struct srv6 *s, struct shot *sh, struct srv6_error *err);
/* Adds to the keys those of what would go with the nexthop objects among them. */
int shot_want_users(struct srv6 *s, struct shot *sh, struct srv6_error *err);
/*
 * Makes it so again at the keys of before, or of only where given. Returns 0: done and seen to be so; -EIO: not all of it,
 * left says what; or another error.
 */
int shot_restore(struct srv6 *s, const struct shot *before, const struct key *only, char *left, size_t cap);

/* ---- sr_apply.c: tunnel source and HMAC keys */

struct sr_shot {
	bool has_tunsrc, has_keys;
	struct in6_addr tunsrc;
	struct sr_key *keys;
	size_t n_keys;
};

int sr_change(struct srv6 *s, const struct srv6_op *op, bool verify, struct srv6_error *err);
int sr_shot_take(struct srv6 *s, const struct srv6_op *ops, size_t n, struct sr_shot *sh, struct srv6_error *err);
int sr_shot_restore(struct srv6 *s, const struct srv6_op *ops, size_t n, const struct sr_shot *sh, char *left,
		    size_t cap);
void sr_shot_free(struct sr_shot *sh);
int sr_get_tunsrc(struct srv6 *s, struct in6_addr *ret, struct srv6_error *err);
/* Keys, whole or -ESTALE; *ret is given back with sr_keys_free even then. */
struct sr_key {
	uint32_t key_id, algo;
	uint8_t len;
	uint8_t secret[64];
};
int sr_list_keys(struct srv6 *s, struct sr_key **ret, size_t *n, struct srv6_error *err);
void sr_keys_free(struct sr_key *keys, size_t n);

#endif

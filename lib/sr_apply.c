/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The tunnel source and the HMAC keys of a namespace, over generic netlink: reading them, and changing them with a look at what
 * came of it. Keys are listed with their secrets, so every buffer they pass through is wiped.
 *
 * The kernel cannot go on with a list of keys in a second datagram: it ends it with ENOMEM (6.18), or goes on without the
 * key that did not fit. A datagram holds what the socket's largest read so far took, 32 KiB at most: about 400 keys of 32
 * bytes. What is listed in one datagram is whole; anything else may not be, and is said to be so.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "codec.h"
#include "list.h"

#define REQUEST_BYTES 512

static void build_opts(const struct srv6 *s, struct srv6_build_opts *ret)
{
	*ret = (struct srv6_build_opts)SRV6_INIT(struct srv6_build_opts);
	ret->genl_id = s->genl_id;
}

/* ---- tunnel source */

struct tunsrc_answer {
	struct in6_addr addr;
	bool there;
};

static int tunsrc_cb(const struct nlmsghdr *nlh, void *arg)
{
	struct tunsrc_answer *answer = arg;
	uint64_t mem[64];
	struct srv6_op op;
	int r = sr_read(nlh, SRV6_TUNSRC, mem, sizeof(mem), &op);

	if (r)
		return r;
	answer->addr = op.u.tunsrc->addr;
	answer->there = true;
	return 0;
}

static int sr_explain(struct srv6 *s, uint32_t kind, int r, struct ack *ack, struct srv6_error *err)
{
	static const struct srv6_hmac none = SRV6_INIT(struct srv6_hmac);
	struct srv6_op op = { .verb = SRV6_IS, .kind = kind, .u.any = &none };

	if (!ack->code)
		return knl_say(err, r);
	return explain(s, &op, NULL, ack, err);
}

/* What asks for all of a kind, on an open socket. */
static int open_get(struct srv6 *s, uint32_t kind, uint32_t buf[REQUEST_BYTES / 4], struct srv6_error *err)
{
	struct srv6_build_opts bo;
	int r = genl_open(s, err);

	if (r)
		return r;
	build_opts(s, &bo);
	r = sr_build_get(buf, REQUEST_BYTES, kind, &bo);
	return r ? err_set(err, r, SRV6_ATTR_NONE, "the request cannot be built") : 0;
}

int sr_get_tunsrc(struct srv6 *s, struct in6_addr *ret, struct srv6_error *err)
{
	struct tunsrc_answer answer = { .there = false };
	uint32_t buf[REQUEST_BYTES / 4];
	struct ack ack;
	int r = open_get(s, SRV6_TUNSRC, buf, err);

	if (r)
		return r;
	r = knl_talk(s, &s->genl, (struct nlmsghdr *)buf, tunsrc_cb, &answer, &ack);
	if (!r && !answer.there)
		r = -EBADMSG;
	if (r)
		return sr_explain(s, SRV6_TUNSRC, r, &ack, err);
	*ret = answer.addr;
	return 0;
}

/* ---- keys */

struct key_list {
	struct srv6 *s;
	struct sr_key *keys;
	size_t n, cap;
	unsigned int first, last; /* datagrams that keys came in */
};

void sr_keys_free(struct sr_key *keys, size_t n)
{
	if (keys)
		explicit_bzero(keys, n * sizeof(*keys));
	free(keys);
}

/* realloc() would leave secrets in what it gives back. */
static int keys_grow(struct key_list *l)
{
	size_t cap = l->cap ? l->cap * 2 : 16;
	struct sr_key *keys = calloc(cap, sizeof(*keys));

	if (!keys)
		return -ENOMEM;
	if (l->n)
		memcpy(keys, l->keys, l->n * sizeof(*keys));
	sr_keys_free(l->keys, l->n);
	l->keys = keys;
	l->cap = cap;
	return 0;
}

/* Sorted by key id. */
static size_t keys_place(const struct key_list *l, uint32_t key_id)
{
	size_t low = 0, high = l->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (l->keys[middle].key_id < key_id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int keys_add(struct key_list *l, const struct srv6_hmac *h)
{
	size_t at = keys_place(l, h->key_id);
	struct sr_key *k;
	int r;

	if (h->secret.len > sizeof(k->secret))
		return -EBADMSG;
	if (at == l->n || l->keys[at].key_id != h->key_id) {
		r = l->n == l->cap ? keys_grow(l) : 0;
		if (r)
			return r;
		memmove(&l->keys[at + 1], &l->keys[at], (l->n - at) * sizeof(*k));
		l->n++;
	}
	k = &l->keys[at];
	k->key_id = h->key_id;
	k->algo = h->algo;
	k->len = (uint8_t)h->secret.len;
	memset(k->secret, 0, sizeof(k->secret));
	memcpy(k->secret, h->secret.data, h->secret.len);
	return 0;
}

static int key_cb(const struct nlmsghdr *nlh, void *arg)
{
	struct key_list *l = arg;
	uint64_t mem[64];
	struct srv6_op op;
	int r = sr_read(nlh, SRV6_HMAC, mem, sizeof(mem), &op);

	if (r)
		return r;
	if (!l->n)
		l->first = l->s->n_datagrams;
	l->last = l->s->n_datagrams;
	return keys_add(l, op.u.hmac);
}

int sr_list_keys(struct srv6 *s, struct sr_key **ret, size_t *n, struct srv6_error *err)
{
	struct key_list l = { .s = s };
	uint32_t buf[REQUEST_BYTES / 4];
	struct ack ack;
	int r = open_get(s, SRV6_HMAC, buf, err);

	*ret = NULL;
	*n = 0;
	if (r)
		return r;
	s->secret = true;
	r = -ESTALE;
	for (int tries = 0; r == -ESTALE && tries < LIST_TRIES; tries++) {
		if (l.n)
			explicit_bzero(l.keys, l.n * sizeof(*l.keys));
		l.n = 0;
		r = knl_list(s, &s->genl, (struct nlmsghdr *)buf, key_cb, &l, &ack);
	}
	s->secret = false;
	explicit_bzero(s->rx, RX_SIZE / 2);
	*ret = l.keys;
	*n = l.n;
	if ((r == -ENOMEM || r == -EMSGSIZE || r == -ESTALE || !r) && l.n && (r || l.first != l.last)) {
		err_set(err, -ESTALE, SRV6_ATTR_NONE,
			"the kernel lists %zu of the HMAC keys, and perhaps not all: it lists 32 KiB at most", l.n);
		return -ESTALE;
	}
	return r ? sr_explain(s, SRV6_HMAC, r, &ack, err) : 0;
}

/* ---- changing */

static int sr_send(struct srv6 *s, const struct srv6_op *op, struct srv6_error *err)
{
	uint32_t buf[REQUEST_BYTES / 4];
	struct srv6_build_opts bo;
	struct ack ack = { .code = 0 };
	int r = genl_open(s, err);

	if (r)
		return r;
	build_opts(s, &bo);
	r = srv6_build(buf, sizeof(buf), op, &bo, err);
	if (!r) {
		s->secret = op->kind == SRV6_HMAC;
		r = knl_talk(s, &s->genl, (struct nlmsghdr *)buf, NULL, NULL, &ack);
		s->secret = false;
		if (ack.code)
			explain(s, op, NULL, &ack, err);
		else if (r) {
			knl_say(err, r);
			err->state = SRV6_STATE_UNKNOWN;
		}
	}
	explicit_bzero(buf, sizeof(buf));
	return r;
}

static const struct sr_key *find_key(const struct sr_key *keys, size_t n, uint32_t key_id)
{
	struct key_list l = { .keys = (struct sr_key *)(uintptr_t)keys, .n = n };
	size_t at = keys_place(&l, key_id);

	return at < n && keys[at].key_id == key_id ? &keys[at] : NULL;
}

static bool is_key(const struct sr_key *k, const struct srv6_hmac *h)
{
	return k && k->algo == h->algo && k->len == h->secret.len && !memcmp(k->secret, h->secret.data, k->len);
}

/* A list that may not be whole can say that a key is there, and not that it isn't: then the acknowledgement must do. */
static int look_key(struct srv6 *s, const struct srv6_op *op, struct srv6_error *err)
{
	const struct srv6_hmac *h = op->u.hmac;
	const struct sr_key *k;
	struct sr_key *keys;
	size_t n;
	int r = sr_list_keys(s, &keys, &n, err);

	k = find_key(keys, n, h->key_id);
	if (r == -ESTALE && !k)
		r = 0;
	else if (!r || r == -ESTALE)
		r = (op->verb == SRV6_DEL ? !k : is_key(k, h)) ? 0 : -EIO;
	sr_keys_free(keys, n);
	if (!r)
		err_clear(err);
	else if (r == -EIO)
		err_set(err, r, SRV6_ATTR_HMAC, "the kernel took HMAC key %u, but it is not there as asked", h->key_id);
	return r;
}

static int look_tunsrc(struct srv6 *s, const struct srv6_op *op, struct srv6_error *err)
{
	const struct in6_addr *want = op->verb == SRV6_DEL ? &in6addr_any : &op->u.tunsrc->addr;
	struct in6_addr have;
	int r = sr_get_tunsrc(s, &have, err);

	if (!r && memcmp(&have, want, sizeof(have)))
		r = err_set(err, -EIO, SRV6_ATTR_TUNSRC, "the kernel took the tunnel source, but it is another now");
	return r;
}

/* Adding must not overwrite, changing must not add: the kernel knows no difference. */
static int check_key(struct srv6 *s, const struct srv6_op *op, struct srv6_error *err)
{
	const struct srv6_hmac *h = op->u.hmac;
	struct sr_key *keys;
	bool there;
	size_t n;
	int r;

	if (op->verb != SRV6_ADD && op->verb != SRV6_CHANGE)
		return 0;
	r = sr_list_keys(s, &keys, &n, err);
	there = find_key(keys, n, h->key_id);
	sr_keys_free(keys, n);
	if (r && !(r == -ESTALE && there))
		return r;
	if (there && op->verb == SRV6_ADD) {
		err_set(err, -EEXIST, SRV6_ATTR_HMAC, "HMAC key %u is there already", h->key_id);
		err_remedy(err, "replace changes it");
		return -EEXIST;
	}
	if (!there && op->verb == SRV6_CHANGE)
		return err_set(err, -ENOENT, SRV6_ATTR_HMAC, "there is no HMAC key %u", h->key_id);
	return 0;
}

int sr_change(struct srv6 *s, const struct srv6_op *op, bool verify, struct srv6_error *err)
{
	int r = op->kind == SRV6_HMAC ? check_key(s, op, err) : 0;

	if (!r)
		r = sr_send(s, op, err);
	if (r || !verify)
		return r;
	r = op->kind == SRV6_HMAC ? look_key(s, op, err) : look_tunsrc(s, op, err);
	if (r)
		err->state = SRV6_STATE_UNKNOWN; /* the kernel took it, and more is not known */
	return r;
}

/* ---- before and after, for what is undone */

static bool any_of(const struct srv6_op *ops, size_t n, uint32_t kind)
{
	for (size_t i = 0; i < n; i++)
		if (ops[i].kind == kind)
			return true;
	return false;
}

int sr_shot_take(struct srv6 *s, const struct srv6_op *ops, size_t n, struct sr_shot *sh, struct srv6_error *err)
{
	int r = 0;

	if (any_of(ops, n, SRV6_TUNSRC)) {
		r = sr_get_tunsrc(s, &sh->tunsrc, err);
		sh->has_tunsrc = !r;
	}
	if (!r && any_of(ops, n, SRV6_HMAC)) {
		r = sr_list_keys(s, &sh->keys, &sh->n_keys, err);
		sh->has_keys = !r;
	}
	return r;
}

static int restore_key(struct srv6 *s, const struct sr_shot *sh, uint32_t key_id)
{
	const struct sr_key *k = find_key(sh->keys, sh->n_keys, key_id);
	struct srv6_hmac h = SRV6_INIT(struct srv6_hmac);
	struct srv6_op op = { .verb = SRV6_DEL, .kind = SRV6_HMAC, .u.hmac = &h };
	struct srv6_error err;
	int r;

	h.key_id = key_id;
	if (k) {
		op.verb = SRV6_REPLACE;
		h.algo = k->algo;
		h.secret = (struct srv6_bytes){ k->secret, k->len };
	}
	err_clear(&err);
	r = sr_send(s, &op, &err);
	return !k && err.kernel_code == -ENOENT ? 0 : r ? r : look_key(s, &op, &err);
}

static int restore_tunsrc(struct srv6 *s, const struct sr_shot *sh)
{
	struct srv6_tunsrc t = SRV6_INIT(struct srv6_tunsrc);
	struct srv6_op op = { .verb = SRV6_REPLACE, .kind = SRV6_TUNSRC, .u.tunsrc = &t };
	struct srv6_error err;
	int r;

	t.addr = sh->tunsrc;
	/* One that this library would refuse to set was set by others. */
	if (IN6_IS_ADDR_UNSPECIFIED(&t.addr))
		op.verb = SRV6_DEL;
	err_clear(&err);
	r = sr_send(s, &op, &err);
	return r ? r : look_tunsrc(s, &op, &err);
}

int sr_shot_restore(struct srv6 *s, const struct srv6_op *ops, size_t n, const struct sr_shot *sh, char *left,
		    size_t cap)
{
	int r, result = 0;

	left[0] = 0;
	for (size_t i = n; i-- > 0;) {
		size_t len = strlen(left);

		if (ops[i].kind == SRV6_HMAC && sh->has_keys) {
			r = restore_key(s, sh, ops[i].u.hmac->key_id);
			if (r)
				snprintf(left + len, cap - len, "%sHMAC key %u", len ? ", " : "",
					 ops[i].u.hmac->key_id);
		} else if (ops[i].kind == SRV6_TUNSRC && sh->has_tunsrc) {
			r = restore_tunsrc(s, sh);
			if (r)
				snprintf(left + len, cap - len, "%sthe tunnel source", len ? ", " : "");
		} else {
			r = 0;
		}
		result = result ? result : r;
	}
	return result;
}

void sr_shot_free(struct sr_shot *sh)
{
	sr_keys_free(sh->keys, sh->n_keys);
	memset(sh, 0, sizeof(*sh));
}

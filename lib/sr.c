/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The generic netlink family "SEG6": the namespace's tunnel source and its HMAC keys. */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/seg6_genl.h>

#include "codec.h"

#define SECRET_MAX 64
#define ATTR_N     (SEG6_ATTR_MAX + 1)
#define BIT(n)     ((uint64_t)1 << (n))
#define ATTRS_KNOWN                                                                                                    \
	(BIT(SEG6_ATTR_DST) | BIT(SEG6_ATTR_HMACKEYID) | BIT(SEG6_ATTR_SECRET) | BIT(SEG6_ATTR_SECRETLEN) |            \
	 BIT(SEG6_ATTR_ALGID))

static int check_tunsrc(const struct in6_addr *a, struct srv6_error *err)
{
	char text[INET6_ADDRSTRLEN];
	const char *what = IN6_IS_ADDR_MULTICAST(a)   ? "a multicast address"
			   : IN6_IS_ADDR_LOOPBACK(a)  ? "the loopback address"
			   : IN6_IS_ADDR_V4MAPPED(a)  ? "an IPv4-mapped address"
			   : IN6_IS_ADDR_LINKLOCAL(a) ? "a link-local address"
						      : NULL;

	if (!what)
		return 0; /* '::' is the kernel's word for none */
	return err_set(err, -EINVAL, SRV6_ATTR_TUNSRC,
		       "%s is %s, which can't be the source of packets that are forwarded",
		       inet_ntop(AF_INET6, a, text, sizeof(text)), what);
}

static int check_hmac(const struct srv6_hmac *hmac, uint32_t verb, struct srv6_error *err)
{
	if (!hmac->key_id)
		return err_set(err, -EINVAL, SRV6_ATTR_HMAC, "key ids start at 1");
	if (verb == SRV6_DEL)
		return 0;
	/* The kernel takes the old key away before it finds that the new one won't do. */
	if (hmac->algo != SRV6_HMAC_SHA1 && hmac->algo != SRV6_HMAC_SHA256)
		return err_set(err, -EINVAL, SRV6_ATTR_HMAC, "there is no algorithm %u: 1 is sha1, 2 is sha256",
			       hmac->algo);
	if (!hmac->secret.len || hmac->secret.len > SECRET_MAX || !hmac->secret.data)
		return err_set(err, -EINVAL, SRV6_ATTR_HMAC, "a secret has 1 to %d bytes, not %zu", SECRET_MAX,
			       hmac->secret.len);
	return 0;
}

static int hmac_in(const struct build *b, struct srv6_hmac *ret)
{
	return sized_in(ret, sizeof(*ret), b->op->u.hmac);
}

static int tunsrc_in(const struct build *b, struct srv6_tunsrc *ret)
{
	return sized_in(ret, sizeof(*ret), b->op->u.tunsrc);
}

int sr_check(const struct build *b)
{
	struct srv6_tunsrc tunsrc = SRV6_INIT(struct srv6_tunsrc);
	struct srv6_hmac hmac = SRV6_INIT(struct srv6_hmac);
	int r = b->op->kind == SRV6_TUNSRC ? tunsrc_in(b, &tunsrc) : hmac_in(b, &hmac);

	if (r < 0)
		return err_set(b->err, r, SRV6_ATTR_NONE, "the object is of another version of this library");
	if (b->op->verb == SRV6_APPEND)
		return err_set(b->err, -EINVAL, SRV6_ATTR_NONE, "nothing can be appended here");
	if (b->op->kind == SRV6_HMAC)
		return check_hmac(&hmac, b->op->verb, b->err);
	return b->op->verb == SRV6_DEL ? 0 : check_tunsrc(&tunsrc.addr, b->err);
}

static void start(struct msg *m, void *buf, size_t cap, uint8_t cmd, uint16_t flags, const struct srv6_build_opts *opts)
{
	struct genlmsghdr *genl;

	msg_start(m, buf, cap, opts->genl_id, NLM_F_REQUEST | flags, opts);
	genl = msg_room(m, sizeof(*genl));
	if (!genl)
		return;
	genl->cmd = cmd;
	genl->version = SEG6_GENL_VERSION;
}

static void put_hmac(struct msg *m, const struct srv6_hmac *hmac, bool del)
{
	uint8_t len = del ? 0 : (uint8_t)hmac->secret.len;                    /* 0: take the key away */
	uint8_t algo = (uint8_t)(hmac->algo ? hmac->algo : SRV6_HMAC_SHA256); /* must be there even so */

	msg_u32(m, SEG6_ATTR_HMACKEYID, hmac->key_id);
	msg_u8(m, SEG6_ATTR_SECRETLEN, len);
	msg_u8(m, SEG6_ATTR_ALGID, algo);
	if (len)
		msg_put(m, SEG6_ATTR_SECRET, hmac->secret.data, len);
}

int sr_build(const struct build *b, void *buf, size_t cap)
{
	bool del = b->op->verb == SRV6_DEL;
	struct srv6_tunsrc tunsrc = SRV6_INIT(struct srv6_tunsrc);
	struct srv6_hmac hmac = SRV6_INIT(struct srv6_hmac);
	struct msg m;

	if (!b->opts->genl_id)
		return err_set(b->err, -EINVAL, SRV6_ATTR_NONE,
			       "the id of the generic netlink family SEG6 must be given in the options");
	if (b->op->kind == SRV6_TUNSRC) {
		tunsrc_in(b, &tunsrc);
		start(&m, buf, cap, SEG6_CMD_SET_TUNSRC, 0, b->opts);
		msg_put(&m, SEG6_ATTR_DST, del ? &in6addr_any : &tunsrc.addr, sizeof(tunsrc.addr));
		return msg_end(&m, b->err);
	}
	hmac_in(b, &hmac);
	start(&m, buf, cap, SEG6_CMD_SETHMAC, 0, b->opts);
	put_hmac(&m, &hmac, del);
	return msg_end(&m, b->err);
}

int sr_build_get(void *buf, size_t cap, uint32_t kind, const struct srv6_build_opts *opts)
{
	struct msg m;

	if (kind == SRV6_TUNSRC)
		start(&m, buf, cap, SEG6_CMD_GET_TUNSRC, 0, opts);
	else
		start(&m, buf, cap, SEG6_CMD_DUMPHMAC, NLM_F_DUMP, opts);
	return msg_end(&m, NULL);
}

/* ---- reading */

static int get_tunsrc(const struct attr *tb, struct arena *mem, struct srv6_op *ret)
{
	struct srv6_tunsrc *t = arena_get(mem, sizeof(*t), _Alignof(struct srv6_tunsrc));

	if (!t)
		return -ENOBUFS;
	if (!tb[SEG6_ATTR_DST].data)
		return -EBADMSG;
	memset(t, 0, sizeof(*t));
	t->sz = sizeof(*t);
	memcpy(&t->addr, tb[SEG6_ATTR_DST].data, sizeof(t->addr));
	ret->u.tunsrc = t;
	return 0;
}

static int get_hmac(const struct attr *tb, struct arena *mem, struct srv6_op *ret)
{
	struct srv6_hmac *h = arena_get(mem, sizeof(*h), _Alignof(struct srv6_hmac));
	const struct attr *secret = &tb[SEG6_ATTR_SECRET], *len = &tb[SEG6_ATTR_SECRETLEN];

	if (!h)
		return -ENOBUFS;
	if (!tb[SEG6_ATTR_HMACKEYID].data || !tb[SEG6_ATTR_ALGID].data)
		return -EBADMSG;
	memset(h, 0, sizeof(*h));
	h->sz = sizeof(*h);
	h->key_id = attr_u32(&tb[SEG6_ATTR_HMACKEYID]);
	h->algo = tb[SEG6_ATTR_ALGID].data[0];
	if (secret->data) {
		h->secret.data = secret->data;
		h->secret.len = len->data && len->data[0] < secret->len ? len->data[0] : secret->len;
	}
	ret->u.hmac = h;
	return 0;
}

int sr_read(const struct nlmsghdr *nlh, uint32_t kind, void *mem, size_t cap, struct srv6_op *ret)
{
	static const uint8_t least[ATTR_N] = {
		[SEG6_ATTR_DST] = sizeof(struct in6_addr),
		[SEG6_ATTR_HMACKEYID] = 4,
		[SEG6_ATTR_SECRETLEN] = 1,
		[SEG6_ATTR_ALGID] = 1,
	};
	struct srv6_op op = { .verb = SRV6_IS, .kind = kind, .nlh = nlh };
	struct arena arena = { mem, cap, 0 };
	struct attr tb[ATTR_N];
	struct attrs run;
	size_t unknown;
	int r;

	if (nlh->nlmsg_len < NLMSG_HDRLEN + GENL_HDRLEN)
		return -EBADMSG;
	run = (struct attrs){ (const uint8_t *)nlh + NLMSG_HDRLEN + GENL_HDRLEN,
			      nlh->nlmsg_len - NLMSG_HDRLEN - GENL_HDRLEN };
	r = attrs_sort(run, tb, ATTR_N, ATTRS_KNOWN, least, &unknown);
	if (r >= 0)
		r = kind == SRV6_TUNSRC ? get_tunsrc(tb, &arena, &op) : get_hmac(tb, &arena, &op);
	if (r >= 0)
		*ret = op;
	return r;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The handle, and the way of a change: shown, or sent and verified. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/netlink.h>

#include "model.h"

struct srv6 *handle(struct ctx *c)
{
	struct srv6_opts opts = { .sz = sizeof(opts), .mobile = c->mobile };
	int err;

	if (c->s)
		return c->s;
	err = srv6_open(&c->s, &opts);
	if (err)
		fail(c, NULL, NO_WORD, err, "no netlink socket: %s", strerror(-err));
	return err ? NULL : c->s;
}

#define MESSAGE_MAX (256 * 1024)
#define SEG6_FAMILY                                                                                                    \
	29 /* a kernel gives the number out when it starts: a stand-in, for there is no socket here to ask by */

int op_hex(struct ctx *c, FILE *f, const struct srv6_op *op)
{
	struct srv6_build_opts opts = {
		.sz = sizeof(opts), .mobile = c->mobile, .flags = NLM_F_ACK, .genl_id = SEG6_FAMILY
	};
	struct srv6_error e;
	uint32_t *buf;
	int err;

	if (op->kind == SRV6_HMAC && op->verb != SRV6_DEL && !c->secrets) {
		fail(c, NULL, NO_WORD, -EACCES, "the message holds the secret");
		return fail_remedy(c, "add --secrets to see it");
	}
	buf = malloc(MESSAGE_MAX);
	err = buf ? srv6_build(buf, MESSAGE_MAX, op, &opts, &e) : -ENOMEM;
	if (!err) {
		print_hex(f, buf, *buf);
		putc('\n', f);
		explicit_bzero(buf, *buf);
	} else if (buf) {
		fail_lib(c, NULL, &e);
	} else {
		fail(c, NULL, NO_WORD, err, "out of memory");
	}
	free(buf);
	return err;
}

static int show_op(struct ctx *c, const struct srv6_op *op)
{
	struct jw j = { .f = c->out, .pretty = c->pretty };

	if (c->hex)
		return op_hex(c, c->out, op);
	if (c->json) {
		jw_open(&j, '{');
		op_jw(c, &j, op, JSON_VERB);
		jw_close(&j, '}');
	} else {
		op_text(c, c->out, op, TEXT_VERB);
	}
	putc('\n', c->out);
	return 0;
}

int apply_ops(struct ctx *c, const struct words *w, const struct srv6_op *ops, size_t n)
{
	struct srv6_apply_opts opts = { .sz = sizeof(opts), .flags = c->no_verify ? SRV6_APPLY_NO_VERIFY : 0 };
	int err;

	for (size_t i = 0; i < n; i++)
		lint_op(c, w, &ops[i]);
	for (size_t i = 0; i < n && (c->dry_run || c->hex); i++)
		if (show_op(c, &ops[i]))
			return complain(c, USAGE);
	if (c->dry_run)
		return flush_out(c, DONE);
	if (!handle(c))
		return complain(c, REFUSED);
	err = srv6_apply(c->s, ops, n, &opts);
	if (!err)
		return flush_out(c, DONE);
	fail_lib(c, w, srv6_error(c->s));
	return complain(c, REFUSED);
}

/* ---- what could be wrong though the kernel takes it */

static uint32_t place_of(const struct words *w, uint32_t hop, uint32_t attr)
{
	for (uint32_t i = 0; w && i < w->n_places; i++)
		if (w->place[i].attr == attr && w->place[i].hop == hop)
			return w->place[i].word;
	return NO_WORD;
}

static void lint_segs(struct ctx *c, const struct words *w, uint32_t hop, const struct srv6_encap *e)
{
	char text[ADDR_TEXT];

	for (uint32_t i = 0; e->has & SRV6_HAS(SEGS) && i < e->n_segs; i++) {
		if (!IN6_IS_ADDR_LINKLOCAL(&e->segs[i]))
			continue;
		format_addr(text, AF_INET6, &e->segs[i]);
		warn(c, w, place_of(w, hop, SRV6_ATTR_SEGS),
		     "segment %s is a link-local address: it is never forwarded", text);
	}
}

/* The bits that next-csid shifts are those behind the locator; a prefix of another length matches other SIDs, or none. */
static void lint_csid(struct ctx *c, const struct words *w, const struct srv6_prefix *dst, const struct srv6_encap *e)
{
	unsigned int lblen = e->has & SRV6_HAS(LBLEN) ? e->lblen : 32, nflen = e->has & SRV6_HAS(NFLEN) ? e->nflen : 16;

	if (!(e->has & SRV6_HAS(FLAVORS)) || !(e->flavors & SRV6_FLAVOR_NEXT_CSID) || dst->family != AF_INET6)
		return;
	if (dst->len != lblen + nflen)
		warn(c, w, place_of(w, 0, SRV6_ATTR_DST),
		     "next-csid with lblen %u and nflen %u goes with a /%u prefix, and this one is /%u", lblen, nflen,
		     lblen + nflen, dst->len);
}

static void lint_tunsrc(struct ctx *c, const struct words *w, uint32_t hop, const struct in6_addr *addr)
{
	char text[ADDR_TEXT];

	if (c->dry_run || c->quiet || IN6_IS_ADDR_UNSPECIFIED(addr) || address_is_ours(c, addr))
		return;
	format_addr(text, AF_INET6, addr);
	warn(c, w, place_of(w, hop, SRV6_ATTR_TUNSRC),
	     "tunsrc %s is no address of this namespace: replies and ICMP errors will not come back", text);
}

static void lint_encap(struct ctx *c, const struct words *w, uint32_t hop, const struct srv6_encap *e)
{
	lint_segs(c, w, hop, e);
	if (e->has & SRV6_HAS(TUNSRC))
		lint_tunsrc(c, w, hop, &e->tunsrc);
}

void lint_op(struct ctx *c, const struct words *w, const struct srv6_op *op)
{
	const struct srv6_route *r = op->u.route;

	if (op->verb == SRV6_DEL)
		return;
	if (op->kind == SRV6_TUNSRC)
		lint_tunsrc(c, w, 0, &op->u.tunsrc->addr);
	if (op->kind == SRV6_NEXTHOP && op_encap(op))
		lint_encap(c, w, 0, op_encap(op));
	for (uint32_t i = 0; op->kind == SRV6_ROUTE && i < r->n_hops; i++) {
		if (!r->hops[i].encap)
			continue;
		lint_encap(c, w, i, r->hops[i].encap);
		lint_csid(c, w, &r->dst, r->hops[i].encap);
	}
}

int run_verb(struct ctx *c, struct words *w, const struct command *cmd)
{
	struct srv6_op op;

	if (parse_change_as(c, w, cmd->object, cmd->verb, &c->arena, &op))
		return complain(c, USAGE);
	return apply_ops(c, w, &op, 1);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* srv6 decode: netlink messages in hexadecimal, told as commands. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/rtnetlink.h>

#include "cli.h"

static void tell(struct ctx *c, const struct srv6_op *op)
{
	struct jw j = { .f = c->out, .pretty = c->pretty };

	if (c->json) {
		jw_open(&j, '{');
		op_jw(c, &j, op, JSON_VERB | (c->stats ? JSON_STATS : 0));
		jw_close(&j, '}');
	} else {
		op_text(c, c->out, op, TEXT_VERB | (c->stats ? TEXT_STATS : 0));
	}
	putc('\n', c->out);
}

/* A request says its verb in flags that mean other things in what the kernel sends. */
static void read_request(struct srv6_op *op, const struct nlmsghdr *nlh)
{
	static const uint16_t verbs[][2] = {
		{ NLM_F_CREATE | NLM_F_REPLACE, SRV6_REPLACE },
		{ NLM_F_CREATE | NLM_F_APPEND, SRV6_APPEND },
		{ NLM_F_CREATE | NLM_F_EXCL, SRV6_ADD },
		{ NLM_F_REPLACE, SRV6_CHANGE },
	};
	const uint16_t mask = NLM_F_CREATE | NLM_F_REPLACE | NLM_F_APPEND | NLM_F_EXCL;

	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if ((nlh->nlmsg_flags & mask) == verbs[i][0] && op->verb != SRV6_DEL)
			op->verb = verbs[i][1];
}

/* In a request to delete a route 0 asks for any type and protocol, and "nowhere" for any scope. */
static void read_deletion(struct srv6_route *r)
{
	if (r->type == RTN_UNSPEC)
		r->has &= ~SRV6_HAS(TYPE);
	if (r->protocol == RTPROT_UNSPEC)
		r->has &= ~SRV6_HAS(PROTOCOL);
	if (r->scope == RT_SCOPE_NOWHERE || r->dst.family == AF_INET6)
		r->has &= ~SRV6_HAS(SCOPE);
}

static void tell_request(struct ctx *c, struct srv6_op *op, const struct nlmsghdr *nlh)
{
	struct srv6_op shown;
	struct srv6_route route;

	read_request(op, nlh);
	shown = *op;
	if (op->kind == SRV6_ROUTE && op->verb == SRV6_DEL) {
		route = *op->u.route;
		read_deletion(&route);
		shown.u.route = &route;
	}
	tell(c, &shown);
}

static int decode_one(struct ctx *c, const struct nlmsghdr *nlh)
{
	size_t size = srv6_read_size(nlh);
	void *mem = malloc(size ? size : 1);
	struct srv6_op op;
	int err = mem ? srv6_read(nlh, mem, size, &op) : -ENOMEM;

	if (!err && nlh->nlmsg_flags & NLM_F_REQUEST)
		tell_request(c, &op, nlh);
	else if (!err)
		tell(c, &op);
	else if (err == -ENOMSG)
		fail(c, NULL, NO_WORD, err,
		     "a message of type %u is not decoded: routes (24, 25) and nexthop objects (104, 105) are",
		     nlh->nlmsg_type);
	else
		fail(c, NULL, NO_WORD, err, "the message is broken: its lengths do not fit");
	free(mem);
	return err;
}

static int decode_bytes(struct ctx *c, const struct srv6_bytes *b)
{
	const uint8_t *p = b->data;
	size_t left = b->len, step;
	struct nlmsghdr nlh;
	int err = 0;

	if (!left)
		return 0;
	while (left && !err) {
		if (left < sizeof(nlh))
			return fail(c, NULL, NO_WORD, -EBADMSG, "%zu bytes are left, and a message has at least %zu",
				    left, sizeof(nlh));
		memcpy(&nlh, p, sizeof(nlh));
		if (nlh.nlmsg_len < sizeof(nlh) || nlh.nlmsg_len > left)
			return fail(c, NULL, NO_WORD, -EBADMSG, "the message says it has %u bytes, and there are %zu",
				    nlh.nlmsg_len, left);
		err = decode_one(c, (const struct nlmsghdr *)p);
		step = NLMSG_ALIGN(nlh.nlmsg_len);
		step = step < left ? step : left;
		p += step;
		left -= step;
	}
	return err;
}

static int decode_text(struct ctx *c, const char *text)
{
	struct srv6_bytes b;

	if (value_hex(&c->arena, text, &b)) {
		fail(c, NULL, NO_WORD, -EINVAL, "bytes in hexadecimal are expected, not '%.40s'", text);
		return -EINVAL;
	}
	return decode_bytes(c, &b);
}

/* Blanks within a line are passed over, so that dumps of other tools can be pasted. */
static int decode_lines(struct ctx *c, FILE *in)
{
	char *line = NULL, *out;
	size_t cap = 0;
	int err = 0, one;

	while (getline(&line, &cap, in) >= 0) {
		out = line;
		for (const char *s = line; *s && *s != '#'; s++)
			if (!isspace((unsigned char)*s))
				*out++ = *s;
		*out = '\0';
		one = *line ? decode_text(c, line) : 0;
		if (one) {
			complain(c, 0);
			err = one;
		}
	}
	free(line);
	return err;
}

static int decode(struct ctx *c, struct words *w, const struct command *cmd)
{
	const char *word = words_peek(w);
	int err = 0;

	(void)cmd;
	if (!word || !strcmp(word, "-"))
		return flush_out(c, decode_lines(c, stdin) ? USAGE : DONE);
	while (!err && (word = words_next(w)))
		err = decode_text(c, word);
	return err ? flush_out(c, complain(c, USAGE)) : flush_out(c, DONE);
}

const struct command decode_commands[] = {
	{ "decode", NULL, 0, ANY, decode, "[HEX...]",
	  "read netlink messages, from the words or standard input, and say what they ask", 0, CMD_NO_NETNS, NULL },
	{ 0 },
};

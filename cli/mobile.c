/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * srv6 mobile: addresses that carry a GTP-U session (RFC 9433), put together and taken apart. No kernel is asked.
 * What decode prints, sid and src read.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include <json-c/json.h>

#include "cli.h"

enum slot { LOCATOR, V4, TEID, QFI, RQI, UNUSED, V4_LEN, LEN, BIT, GTP4, GTP6, SRC, N_SLOTS };
#define SLOT(s) (1u << (s))

enum form { FORM_FLAG, FORM_NUMBER, FORM_ADDR4, FORM_PREFIX6 };

/* A word of the commands here. for_cmd: the commands that take it. */
struct arg {
	const char *word;
	uint32_t slot, form, for_cmd;
	const char *what;
	uint32_t min, max;
};

#define CMD_SID    0x1u
#define CMD_SRC    0x2u
#define CMD_DECODE 0x4u
#define CMD_PUT    0x8u
#define CMD_GET    0x10u

static const struct arg args[] = {
	{ "locator", LOCATOR, FORM_PREFIX6, CMD_SID, "a locator", 0, 0 },
	{ "prefix", LOCATOR, FORM_PREFIX6, CMD_SRC, "a source prefix", 0, 0 },
	{ "gtp4-dst", V4, FORM_ADDR4, CMD_SID, "a destination", 0, 0 },
	{ "gtp4-src", V4, FORM_ADDR4, CMD_SRC, "a source", 0, 0 },
	{ "teid", TEID, FORM_NUMBER, CMD_SID | CMD_PUT, "a TEID", 0, UINT32_MAX },
	{ "qfi", QFI, FORM_NUMBER, CMD_SID | CMD_PUT, "a QFI", 0, 63 },
	{ "r", RQI, FORM_FLAG, CMD_SID | CMD_PUT, NULL, 0, 0 },
	{ "u", UNUSED, FORM_FLAG, CMD_SID | CMD_PUT, NULL, 0, 0 },
	{ "v4-len", V4_LEN, FORM_NUMBER, CMD_SID | CMD_SRC | CMD_DECODE, "a number of IPv4 bits", 1, 32 },
	{ "locator-len", LEN, FORM_NUMBER, CMD_DECODE, "a prefix length", 0, 128 },
	{ "prefix-len", LEN, FORM_NUMBER, CMD_DECODE, "a prefix length", 0, 128 },
	{ "bit", BIT, FORM_NUMBER, CMD_PUT | CMD_GET, "a bit offset", 0, 88 },
	{ "gtp4", GTP4, FORM_FLAG, CMD_DECODE, NULL, 0, 0 },
	{ "gtp6", GTP6, FORM_FLAG, CMD_DECODE, NULL, 0, 0 },
	{ "src", SRC, FORM_FLAG, CMD_DECODE, NULL, 0, 0 },
};

/* What was read, and where: word[slot] is the value's word (the flag's own), NO_WORD where it was not given. */
struct fields {
	struct srv6_prefix locator;
	struct in_addr v4;
	uint32_t number[N_SLOTS];
	uint32_t word[N_SLOTS];
};

static bool given(const struct fields *f, uint32_t slot)
{
	return f->word[slot] != NO_WORD;
}

/* gtp4-dst and gtp4_dst are one word */
static bool same_word(const char *a, const char *b)
{
	while (*a && (*a == *b || (*a == '-' && *b == '_')))
		a++, b++;
	return !*a && !*b;
}

static const struct arg *arg_find(const char *word, uint32_t cmd)
{
	for (size_t i = 0; i < ARRAY_SIZE(args); i++)
		if (args[i].for_cmd & cmd && same_word(args[i].word, word))
			return &args[i];
	return NULL;
}

static int unknown_word(struct ctx *c, struct words *w, uint32_t cmd)
{
	const char *known[ARRAY_SIZE(args) + 1];
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(args); i++)
		if (args[i].for_cmd & cmd)
			known[n++] = args[i].word;
	known[n] = NULL;
	return words_unknown(c, w, "word", known);
}

static int read_value(struct ctx *c, struct words *w, const struct arg *a, struct fields *f)
{
	struct srv6_prefix addr;
	int r = 0;

	switch (a->form) {
	case FORM_FLAG:
		f->number[a->slot] = 1;
		break;
	case FORM_NUMBER:
		r = words_number(c, w, a->what, a->min, a->max, &f->number[a->slot]);
		break;
	case FORM_ADDR4:
		r = words_addr(c, w, a->what, AF_INET, &addr);
		if (!r)
			f->v4 = addr.addr.in4;
		break;
	case FORM_PREFIX6:
		r = words_prefix(c, w, a->what, AF_INET6, &f->locator);
		break;
	}
	return r;
}

static int missing(struct ctx *c, const struct words *w, const struct command *cmd, const char *word)
{
	fail(c, w, NO_WORD, -EINVAL, "%s is missing", word);
	return fail_remedy(c, "srv6 mobile %s %s", cmd->verb, cmd->args);
}

/* Reads all words, then sees that those of required are there. */
static int read_fields(struct ctx *c, struct words *w, const struct command *cmd, uint32_t which, uint32_t required,
		       struct fields *f)
{
	memset(f, 0, sizeof(*f));
	memset(f->word, 0xff, sizeof(f->word));
	f->number[V4_LEN] = 32;
	while (words_peek(w)) {
		const struct arg *a = arg_find(words_peek(w), which);
		int r;

		if (!a)
			return unknown_word(c, w, which);
		if (given(f, a->slot))
			return fail(c, w, w->i, -EINVAL, "%s is given twice", a->word);
		f->word[a->slot] = a->form == FORM_FLAG ? w->i : w->i + 1;
		words_next(w);
		r = read_value(c, w, a, f);
		if (r)
			return r;
	}
	for (size_t i = 0; i < ARRAY_SIZE(args); i++)
		if (args[i].for_cmd & which && SLOT(args[i].slot) & required && !given(f, args[i].slot))
			return missing(c, w, cmd, args[i].word);
	return 0;
}

static struct srv6_session session_of(const struct fields *f)
{
	return (struct srv6_session){
		.id = f->number[TEID],
		.qfi = (uint8_t)f->number[QFI],
		.r = (uint8_t)f->number[RQI],
		.u = (uint8_t)f->number[UNUSED],
	};
}

/* The library says that it does not fit; here is the word that is to blame. len_slot: where the length was read. */
static int no_room(struct ctx *c, const struct words *w, const struct fields *f, uint32_t len_slot, unsigned int len,
		   unsigned int v4_bits, unsigned int args_bits, int code)
{
	unsigned int most = 128 - v4_bits - args_bits;

	if (code == -EINVAL)
		return fail(c, w, f->word[V4], code, "%s: bits are set behind the first %u: they would be lost",
			    w->word[f->word[V4]].text, v4_bits);
	fail(c, w, f->word[len_slot], code, "%s: %u bits leave no room for %s%s%s", w->word[f->word[len_slot]].text,
	     len, v4_bits ? "the IPv4 address" : "", v4_bits && args_bits ? " and " : "",
	     args_bits ? "the 40 bits of Args.Mob.Session" : "");
	return fail_remedy(c, "a length of at most %u", most);
}

static const char *text6(const struct in6_addr *addr)
{
	static char text[INET6_ADDRSTRLEN];

	return inet_ntop(AF_INET6, addr, text, sizeof(text));
}

static const char *text4(const struct in_addr *addr)
{
	static char text[INET_ADDRSTRLEN];

	return inet_ntop(AF_INET, addr, text, sizeof(text));
}

/* ---- what is printed: an address, and the parts that it is made of */

struct parts {
	const char *layout;
	const char *locator_word; /* NULL: none */
	const char *v4_word;      /* NULL: none */
	bool session;
	struct in6_addr addr, locator; /* locator: with the bits behind all fields */
	uint32_t locator_len, v4_len, bit;
	struct in_addr v4;
	struct srv6_session args;
};

static void add(struct json_object *o, const char *key, struct json_object *value)
{
	json_object_object_add(o, key, value);
}

static struct json_object *parts_json(struct ctx *c, const struct parts *p)
{
	struct json_object *o = json_object_new_object();

	add(o, "address", json_object_new_string(text6(&p->addr)));
	add(o, "layout", json_object_new_string(p->layout));
	if (p->locator_word)
		add(o, p->locator_word,
		    json_object_new_string(take_printf(&c->arena, "%s/%u", text6(&p->locator), p->locator_len)));
	if (p->v4_word) {
		add(o, p->v4_word, json_object_new_string(text4(&p->v4)));
		add(o, "v4_len", json_object_new_int64(p->v4_len));
	}
	if (!p->session)
		return o;
	add(o, "bit", json_object_new_int64(p->bit));
	add(o, "teid", json_object_new_int64(p->args.id));
	add(o, "qfi", json_object_new_int64(p->args.qfi));
	add(o, "r", json_object_new_boolean(p->args.r));
	add(o, "u", json_object_new_boolean(p->args.u));
	return o;
}

/* The words that sid, src and args put read. */
static void parts_text(FILE *f, const struct parts *p)
{
	const char *blank = "";

	if (p->locator_word) {
		fprintf(f, "%s %s/%u", p->locator_word, text6(&p->locator), p->locator_len);
		blank = " ";
	}
	if (p->v4_word)
		fprintf(f, " gtp4-%s %s", p->v4_word + strlen("gtp4_"), text4(&p->v4));
	if (p->v4_word && p->v4_len != 32)
		fprintf(f, " v4-len %u", p->v4_len);
	if (p->session)
		fprintf(f, "%steid 0x%x qfi %u%s%s", blank, p->args.id, p->args.qfi, p->args.r ? " r" : "",
			p->args.u ? " u" : "");
	fputc('\n', f);
}

static int print(struct ctx *c, const struct parts *p, bool taken_apart)
{
	if (c->json)
		print_json(c, parts_json(c, p));
	else if (taken_apart)
		parts_text(c->out, p);
	else
		fprintf(c->out, "%s\n", text6(&p->addr));
	return flush_out(c, DONE);
}

/* ---- addresses taken apart: 0, or what the library says */

static const struct srv6_session no_session;
static const struct in_addr no_v4;

static struct srv6_prefix prefix_of(const struct parts *p)
{
	return (struct srv6_prefix){ .family = AF_INET6, .len = (uint8_t)p->locator_len, .addr.in6 = p->addr };
}

static int take_gtp4(struct parts *p)
{
	struct srv6_prefix whole = prefix_of(p);
	int r = srv6_gtp4_sid_get(&p->addr, p->locator_len, p->v4_len, &p->v4, &p->args);

	p->layout = "End.M.GTP4.E";
	p->locator_word = "locator";
	p->v4_word = "gtp4_dst";
	p->session = true;
	p->bit = p->locator_len + p->v4_len;
	return r ? r : srv6_gtp4_sid_put(&p->locator, &whole, &no_v4, p->v4_len, &no_session);
}

static int take_gtp6(struct parts *p)
{
	struct srv6_prefix whole = prefix_of(p);
	int r = srv6_gtp6_sid_get(&p->addr, p->locator_len, &p->args);

	p->layout = "End.M.GTP6.E";
	p->locator_word = "locator";
	p->session = true;
	p->bit = p->locator_len;
	return r ? r : srv6_gtp6_sid_put(&p->locator, &whole, &no_session);
}

static int take_src(struct parts *p)
{
	struct srv6_prefix whole = prefix_of(p);
	int r = srv6_gtp4_src_get(&p->addr, p->locator_len, p->v4_len, &p->v4);

	p->layout = "source";
	p->locator_word = "prefix";
	p->v4_word = "gtp4_src";
	return r ? r : srv6_gtp4_src_put(&p->locator, &whole, &no_v4, p->v4_len);
}

/* ---- the commands */

static int run_sid(struct ctx *c, struct words *w, const struct command *cmd)
{
	struct parts p = { 0 };
	struct srv6_session session;
	struct fields f;
	bool gtp4;
	int r;

	if (read_fields(c, w, cmd, CMD_SID, SLOT(LOCATOR) | SLOT(TEID) | SLOT(QFI), &f))
		return complain(c, USAGE);
	gtp4 = given(&f, V4);
	if (!gtp4 && given(&f, V4_LEN)) {
		fail(c, w, f.word[V4_LEN] - 1, -EINVAL, "v4-len needs gtp4-dst");
		return complain(c, USAGE);
	}
	session = session_of(&f);
	p.v4_len = f.number[V4_LEN];
	p.locator_len = f.locator.len;
	r = gtp4 ? srv6_gtp4_sid_put(&p.addr, &f.locator, &f.v4, p.v4_len, &session)
		 : srv6_gtp6_sid_put(&p.addr, &f.locator, &session);
	if (r) {
		no_room(c, w, &f, LOCATOR, f.locator.len, gtp4 ? p.v4_len : 0, 40, r);
		return complain(c, USAGE);
	}
	/* what is printed is what a decoder sees, so that -j shows both directions */
	r = gtp4 ? take_gtp4(&p) : take_gtp6(&p);
	return r ? complain(c, REFUSED) : print(c, &p, false);
}

static int run_src(struct ctx *c, struct words *w, const struct command *cmd)
{
	struct parts p = { 0 };
	struct fields f;
	int r;

	if (read_fields(c, w, cmd, CMD_SRC, SLOT(LOCATOR) | SLOT(V4), &f))
		return complain(c, USAGE);
	p.v4_len = f.number[V4_LEN];
	p.locator_len = f.locator.len;
	r = srv6_gtp4_src_put(&p.addr, &f.locator, &f.v4, p.v4_len);
	if (r) {
		no_room(c, w, &f, LOCATOR, f.locator.len, p.v4_len, 0, r);
		return complain(c, USAGE);
	}
	take_src(&p);
	return print(c, &p, false);
}

/* At most one of gtp4, gtp6 and src; none: gtp4. */
static int decode_layout(struct ctx *c, const struct words *w, const struct fields *f, uint32_t *ret)
{
	static const uint32_t layouts[] = { GTP4, GTP6, SRC };
	uint32_t n = 0;

	*ret = GTP4;
	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++) {
		if (!given(f, layouts[i]))
			continue;
		if (n++)
			return fail(c, w, f->word[layouts[i]], -EINVAL, "only one of gtp4, gtp6 and src");
		*ret = layouts[i];
	}
	if (*ret == GTP6 && given(f, V4_LEN))
		return fail(c, w, f->word[V4_LEN] - 1, -EINVAL, "v4-len is of gtp4 and src: there is no IPv4 in gtp6");
	return 0;
}

static int run_decode(struct ctx *c, struct words *w, const struct command *cmd)
{
	static int (*const take_apart[N_SLOTS])(struct parts *
						p) = { [GTP4] = take_gtp4, [GTP6] = take_gtp6, [SRC] = take_src };
	struct srv6_prefix addr;
	struct parts p = { 0 };
	struct fields f;
	uint32_t layout;
	int r;

	if (words_addr(c, w, "an address to decode", AF_INET6, &addr) ||
	    read_fields(c, w, cmd, CMD_DECODE, SLOT(LEN), &f) || decode_layout(c, w, &f, &layout))
		return complain(c, USAGE);
	p.addr = addr.addr.in6;
	p.locator_len = f.number[LEN];
	p.v4_len = f.number[V4_LEN];
	r = take_apart[layout](&p);
	if (r) {
		no_room(c, w, &f, LEN, p.locator_len, layout == GTP6 ? 0 : p.v4_len, layout == SRC ? 0 : 40, r);
		return complain(c, USAGE);
	}
	return print(c, &p, true);
}

static int run_args(struct ctx *c, struct words *w, const struct command *cmd)
{
	static const char *const verbs[] = { "put", "get", NULL };
	struct parts p = { .layout = "Args.Mob.Session", .session = true };
	bool put = words_take(w, "put");
	struct srv6_prefix addr;
	struct fields f;
	int r;

	if (!put && !words_take(w, "get")) {
		if (words_peek(w))
			words_unknown(c, w, "verb", verbs);
		else
			fail(c, w, w->i, -EINVAL, "put or get must follow");
		return complain(c, USAGE);
	}
	if (words_addr(c, w, put ? "an address to write into" : "an address to read", AF_INET6, &addr) ||
	    read_fields(c, w, cmd, put ? CMD_PUT : CMD_GET, put ? SLOT(BIT) | SLOT(TEID) | SLOT(QFI) : SLOT(BIT), &f))
		return complain(c, USAGE);
	p.addr = addr.addr.in6;
	p.bit = f.number[BIT];
	p.args = session_of(&f);
	r = put ? srv6_args_put(&p.addr, p.bit, &p.args) : srv6_args_get(&p.addr, p.bit, &p.args);
	if (r) {
		fail(c, w, f.word[BIT], r, "the 40 bits of Args.Mob.Session do not fit behind bit %u", p.bit);
		return complain(c, USAGE);
	}
	return print(c, &p, !put);
}

static void details(FILE *f)
{
	fputs("A length tells at which bit the next field starts; fields need not start at a byte. Bits behind the fields\n"
	      "stay as they are in the locator's or prefix's address. v4-len: how many bits of the IPv4 address are carried (32).\n"
	      "sid without gtp4-dst makes an End.M.GTP6.E SID. What decode prints, sid and src read. See srv6-mobile(8).\n",
	      f);
}

#define SESSION_ARGS "teid N qfi N [r] [u]"

const struct command mobile_commands[] = {
	{ "mobile", "sid", 0, ANY, run_sid, "locator PREFIX [gtp4-dst ADDR4 [v4-len N]] " SESSION_ARGS,
	  "the SID of a GTP-U session, for End.M.GTP4.E or End.M.GTP6.E", 0, CMD_NO_NETNS, details },
	{ "mobile", "src", 0, ANY, run_src, "prefix PREFIX gtp4-src ADDR4 [v4-len N]",
	  "the IPv6 source that carries an IPv4 source", 0, CMD_NO_NETNS, details },
	{ "mobile", "decode", 0, ANY, run_decode, "ADDR locator-len N [gtp4 | gtp6 | src] [v4-len N]",
	  "takes such an address apart", 0, CMD_NO_NETNS, details },
	{ "mobile", "args", 0, ANY, run_args, "{put ADDR bit N " SESSION_ARGS " | get ADDR bit N}",
	  "writes or reads Args.Mob.Session at a bit offset", 0, CMD_NO_NETNS, details },
	{ 0 },
};

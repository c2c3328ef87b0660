/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the fuzzers of the tool's grammar: a context, and that text and JSON of an op are read back as the same op. */
#ifndef FUZZ_CLI_H
#define FUZZ_CLI_H

#include <json-c/json.h>
#include <libsrv6/libsrv6.h>

#include "cli.h"
#include "fuzz.h"
#include "wire.h"

/* The commands that change something, which lines may name. */
static const struct command *const fuzz_tables[] = { route_commands,  sid_commands,  nexthop_commands,
						     tunsrc_commands, hmac_commands, NULL };

/* Words that would open files and descriptors of this machine are no business of a fuzzer. */
static inline bool opens_files(const char *text)
{
	static const char *const words[] = { "file", "fd", "object", "pinned" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strstr(text, words[i]))
			return true;
	return false;
}

union bpf_attr;
/* What the kernel would get to load. */
int fuzz_prog_load(const union bpf_attr *attr);

static inline void context_end(struct ctx *c)
{
	srv6_close(c->s);
	links_close(c);
	arena_wipe(&c->arena);
	arena_free(&c->arena);
	wire_end();
}

/* What the tool says of failures goes nowhere: a system call a line is what costs most. */
static inline FILE *hush(void)
{
	static FILE *nowhere;
	FILE *was = stderr;

	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	MUST(nowhere);
	stderr = nowhere;
	return was;
}

/* The message of a failure is complete. */
static inline void is_described(const struct ctx *c)
{
	MUST(c->failure.e.code < 0 && c->failure.e.text[0]);
	MUST(memchr(c->failure.e.text, 0, sizeof(c->failure.e.text)) &&
	     memchr(c->failure.word, 0, sizeof(c->failure.word)));
}

/*
 * A program of End.BPF is given as one thing and shown as another; counters start at 0 again; a change that is not an
 * addition may name less than it takes to add: such are shown, and that is all.
 */
static inline bool reads_back(const struct srv6_op *op)
{
	const struct srv6_encap *e = op_encap(op);

	if (op->kind == SRV6_ROUTE) /* words refuse an encapsulation on lo, which a document may hold */
		for (uint32_t i = 0; e && i < op->u.route->n_hops; i++)
			if (op->u.route->hops[i].ifindex == 1)
				return false;
	return !(e && e->has & SRV6_HAS(BPF));
}

static inline void text_again(struct ctx *c, const struct srv6_op *op)
{
	struct arena a = { 0 };
	struct srv6_op again;
	struct words w;
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	MUST(f);
	op_text(c, f, op, TEXT_VERB);
	MUST(!fclose(f));
	MUST(strlen(text) == len && !strchr(text, '\n'));
	if (reads_back(op)) {
		if (words_line(c, &w, &a, "again", 1, text) || parse_change(c, &w, &a, &again) ||
		    !same_op(op, &again, SRV6_DIFF_EQUAL)) {
			fprintf(stderr, "text: %s\n%s\n", text, c->failure.e.text);
			MUST(false && "text is read back as the same");
		}
		/* Words always delete just what they name. */
		MUST(again.verb == op->verb && (op->verb == SRV6_DEL || again.flags == op->flags));
	}
	free(text);
	arena_free(&a);
}

static inline void json_again(struct ctx *c, const struct srv6_op *op)
{
	struct arena a = { 0 };
	struct srv6_op again;
	struct json_object *o;
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	struct jw j = { .f = f };

	MUST(f);
	jw_open(&j, '{');
	op_jw(c, &j, op, JSON_VERB);
	jw_close(&j, '}');
	MUST(!fclose(f));
	o = json_tokener_parse(text);
	if (!o)
		fprintf(stderr, "JSON: %s\n", text);
	MUST(o);
	if (reads_back(op)) {
		if (json_op(c, o, "", SRV6_ADD, op->kind, &a, &again) || !same_op(op, &again, SRV6_DIFF_EQUAL)) {
			fprintf(stderr, "JSON: %s\n%s\n", text, c->failure.e.text);
			MUST(false && "JSON is read back as the same");
		}
	}
	json_object_put(o);
	free(text);
	arena_free(&a);
}

/* Secrets are not shown, so keys are not read back. */
static inline void op_again(struct ctx *c, const struct srv6_op *op)
{
	struct srv6_build_opts opts = { .sz = sizeof(opts), .mobile = c->mobile };

	MUST(srv6_check(op, &opts, NULL) == 0);
	if (op->kind == SRV6_HMAC || op->kind == SRV6_TUNSRC)
		return;
	text_again(c, op);
	json_again(c, op);
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * srv6 batch: lines as the command line has them, many under way at once. Changes are gathered and go out together;
 * any other command sees all of those before it done.
 */
#include <errno.h>
#include <string.h>
#include <json-c/json.h>

#include "batch.h"
#include "lines.h"

/*
 * Changes at a time where nothing has to be undone: as many as go out in one send, and stay in the processor's cache; the
 * memory of more would have to be touched once, which is what a short file costs. For some changes the library has to list
 * what is there first: then more at a time, or a list would be read for every few dozen lines.
 */
#define GATHER      60
#define GATHER_MOST 65536
#define LISTED_EACH 2 /* routes and objects that are listed for a change, at most */

struct batch {
	struct ctx *c;
	struct lines in;
	struct arena arena; /* of the changes gathered */
	struct srv6_op *ops;
	struct words *words; /* of each */
	size_t n, cap, gather;
	unsigned long done, failed, skipped, behind; /* behind: of those done, behind the one that failed */
	int status;
	bool keep_going, atomic, keep_equal, stopped;
	bool secret; /* in the arena */
};

static void told(struct batch *b, int status)
{
	complain(b->c, status);
	b->failed++;
	if (b->status == DONE || status == USAGE)
		b->status = status;
	if (!b->keep_going)
		b->stopped = true;
}

static void result(void *arg, size_t i, const struct srv6_error *err)
{
	struct batch *b = arg;

	if (!err->code) {
		b->done++;
		b->behind += b->stopped;
	} else if (err->code == -ECANCELED) {
		b->skipped++;
	} else {
		fail_lib(b->c, &b->words[i], err);
		told(b, err->kernel_code ? REFUSED : err->code == -EINVAL ? USAGE : REFUSED);
	}
}

static void show_ops(struct batch *b, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (b->c->hex)
			op_hex(b->c, b->c->out, &b->ops[i]);
		else
			list_op(b->c, &b->ops[i]);
		b->done++;
	}
}

/* Where more is listed than changed, that is to be shared by more changes. */
static void gather_more(struct batch *b, uint64_t listed)
{
	uint64_t more = listed / LISTED_EACH < GATHER_MOST ? listed / LISTED_EACH : GATHER_MOST;

	if (b->gather < more)
		b->gather = (size_t)more;
}

/* What was gathered goes out. It stays in the arena until the next line is read: a failure may point to it. */
static void send_ops(struct batch *b)
{
	struct srv6_apply_opts opts = SRV6_INIT(struct srv6_apply_opts);
	struct srv6 *s = NULL;
	uint64_t listed = 0;
	size_t n = b->n;

	b->n = 0;
	links_forget(b->c);
	if (!n)
		return;
	if (b->c->dry_run || b->c->hex) {
		show_ops(b, n);
		return;
	}
	s = handle(b->c);
	if (!s) {
		told(b, REFUSED);
		b->stopped = true;
		return;
	}
	opts.flags = (b->keep_going ? SRV6_APPLY_KEEP_GOING : 0) | (b->atomic ? SRV6_APPLY_ATOMIC : 0) |
		     (b->keep_equal ? SRV6_APPLY_KEEP_EQUAL : 0) | (b->c->no_verify ? SRV6_APPLY_NO_VERIFY : 0);
	opts.result = result;
	opts.arg = b;
	opts.listed = &listed;
	if (srv6_apply(s, b->ops, n, &opts) && !b->failed) { /* of no op in particular */
		fail_lib(b->c, NULL, srv6_error(s));
		told(b, REFUSED);
		b->stopped = true;
	}
	gather_more(b, listed);
}

/* What stands before a line that can't be done is done, or has failed, first. */
static void line_failed(struct batch *b, int status)
{
	struct failure f = b->c->failure;

	if (!b->atomic)
		send_ops(b);
	if (b->stopped)
		return;
	b->c->failure = f;
	told(b, status);
}

/* A command that is no change. */
static void run_line(struct batch *b)
{
	struct words *w = &b->words[b->n];
	int status;

	if (b->atomic) {
		fail(b->c, w, 0, -EINVAL, "%s: only changes can be part of --atomic", w->word[0].text);
		line_failed(b, USAGE);
		return;
	}
	if (!strcmp(w->word[0].text, "batch")) {
		fail(b->c, w, 0, -EINVAL, "batch: not inside a batch");
		line_failed(b, USAGE);
		return;
	}
	w->i = w->n_places = 0;
	send_ops(b);
	if (b->stopped)
		return;
	status = command_run(b->c, w);
	if (status == DONE) {
		b->done++;
		return;
	}
	b->failed++; /* it has complained itself */
	if (b->status == DONE)
		b->status = status;
	b->stopped = !b->keep_going;
}

static void make_room(struct batch *b)
{
	if (b->n < b->cap)
		return;
	b->cap = b->cap ? 2 * b->cap : 256;
	b->ops = realloc(b->ops, b->cap * sizeof(*b->ops));
	b->words = realloc(b->words, b->cap * sizeof(*b->words));
	if (!b->ops || !b->words)
		abort();
}

static void forget(struct batch *b)
{
	if (b->secret)
		arena_wipe(&b->arena);
	arena_reset(&b->arena);
	b->secret = false;
}

static void one_line(struct batch *b)
{
	struct srv6_op *op;
	struct words *w;
	int err;

	if (!b->n) {
		forget(b);
		links_hold(b->c);
	}
	make_room(b);
	w = &b->words[b->n];
	op = &b->ops[b->n];
	if (words_line(b->c, w, &b->arena, b->in.file, b->in.line, b->in.text)) {
		line_failed(b, USAGE);
		return;
	}
	if (!w->n)
		return;
	err = parse_change(b->c, w, &b->arena, op);
	if (err == -ENOMSG) {
		run_line(b);
	} else if (err) {
		line_failed(b, USAGE);
	} else {
		b->secret |= op->kind == SRV6_HMAC;
		lint_op(b->c, w, op);
		if (++b->n == b->gather && !b->atomic)
			send_ops(b);
	}
}

static void summary(struct batch *b)
{
	struct json_object *o;

	if (b->c->dry_run || b->c->hex || b->c->quiet)
		return;
	if (!b->c->json) {
		fprintf(stderr, "%lu done, %lu failed", b->done, b->failed);
		if (b->skipped)
			fprintf(stderr, ", %lu not done", b->skipped);
		if (b->behind)
			fprintf(stderr, "; %lu of those done stand behind the one that failed: they were under way",
				b->behind);
		fputs(b->stopped && !b->atomic ? "; stopped there\n" : "\n", stderr);
		return;
	}
	o = json_object_new_object();
	json_object_object_add(o, "done", json_object_new_uint64(b->done));
	json_object_object_add(o, "failed", json_object_new_uint64(b->failed));
	json_object_object_add(o, "not_done", json_object_new_uint64(b->skipped));
	if (b->behind)
		json_object_object_add(o, "behind", json_object_new_uint64(b->behind));
	json_object_object_add(o, "complete", json_object_new_boolean(!b->in.text || feof(b->in.in)));
	print_json(b->c, o);
}

static int read_options(struct batch *b, struct words *w, const char **file, uint32_t *at)
{
	static const char *const known[] = { "keep-going", "atomic", NULL };

	for (; w->i < w->n; w->i++) {
		const struct word *x = &w->word[w->i];

		if (x->option && !strcmp(x->text, "keep-going"))
			b->keep_going = true;
		else if (x->option && !strcmp(x->text, "atomic"))
			b->atomic = true;
		else if (x->option || *file)
			return words_unknown(b->c, w, "option of batch", known);
		else {
			*file = x->text;
			*at = w->i;
		}
	}
	if (!*file)
		return fail(b->c, w, w->n, -EINVAL, "a file is missing; - is standard input");
	if (b->keep_going && b->atomic)
		return fail(b->c, w, NO_WORD, -EINVAL,
			    "--atomic does all or nothing, --keep-going what it can: take one");
	return 0;
}

int batch_lines(struct ctx *c, struct lines *in, uint32_t flags)
{
	struct batch b = { .c = c,
			   .in = *in,
			   .keep_going = flags & BATCH_KEEP_GOING,
			   .atomic = flags & BATCH_ATOMIC,
			   .keep_equal = flags & BATCH_KEEP_EQUAL,
			   .gather = GATHER };
	int more = 0;

	c->as_saved = b.keep_equal;
	if (c->dry_run && !c->hex)
		list_begin(c);
	while (!b.stopped && (more = lines_next(c, &b.in)) > 0)
		one_line(&b);
	if (more < 0)
		line_failed(&b, USAGE);
	if (!(b.atomic && b.failed))
		send_ops(&b);
	else
		b.skipped += b.n;
	if (c->dry_run && !c->hex)
		b.status = list_end(c, b.status);
	summary(&b);
	forget(&b);
	arena_free(&b.arena);
	free(b.ops);
	free(b.words);
	*in = b.in;
	return flush_out(c, b.status);
}

static int run_batch(struct ctx *c, struct words *w, const struct command *cmd)
{
	struct batch b = { .c = c };
	const char *file = NULL;
	struct lines in;
	uint32_t at = 0;
	int status;

	(void)cmd;
	if (read_options(&b, w, &file, &at) || lines_open(c, &in, file, w, at))
		return complain(c, USAGE);
	status = batch_lines(c, &in, (b.keep_going ? BATCH_KEEP_GOING : 0) | (b.atomic ? BATCH_ATOMIC : 0));
	lines_close(&in);
	return status;
}

static void details(FILE *f)
{
	fputs("Lines are commands without the leading srv6; # starts a comment, a backslash at the end continues a line.\n"
	      "It stops at the first line that fails; what stands before it is done.\n"
	      "  --keep-going  does the rest too\n"
	      "  --atomic      does all of them, or undoes what it did\n",
	      f);
}

const struct command batch_commands[] = {
	{ "batch", NULL, 1, ANY, run_batch, "[--keep-going | --atomic] { FILE | - }", "run the commands of a file",
	  .details = details },
	{ 0 },
};

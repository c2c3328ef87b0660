/* SPDX-License-Identifier: GPL-2.0-or-later */
/* srv6 save: the SRv6 state, as lines that batch reads or as a document. srv6 restore: back, item by item. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <linux/rtnetlink.h>
#include <json-c/json.h>

#include "batch.h"
#include "document.h"
#include "lines.h"

/* ---- a file, whole or not at all */

struct output {
	char *temp;
	const char *file;
	FILE *f;
	bool special; /* no file that could be replaced */
};

/* A device, a pipe: written to, never replaced. */
static int output_special(struct ctx *c, struct output *o, const char *file, const struct words *w, uint32_t word)
{
	int fd = open(file, O_WRONLY | O_CLOEXEC | O_NOCTTY);

	o->f = fd < 0 ? NULL : fdopen(fd, "w");
	if (!o->f)
		return fail(c, w, word, -errno, "%s: can't be written: %s", file, strerror(errno));
	o->special = true;
	return 0;
}

static int output_open(struct ctx *c, struct output *o, const char *file, const struct words *w, uint32_t word)
{
	struct stat st;
	char *real;
	int fd;

	*o = (struct output){ .file = file, .f = c->out };
	if (!file || !strcmp(file, "-"))
		return 0;
	if (!stat(file, &st) && !S_ISREG(st.st_mode))
		return output_special(c, o, file, w, word);
	real = realpath(file, NULL); /* a link stays one */
	if (real)
		o->file = take_text(&c->arena, real, strlen(real));
	free(real);
	o->temp = take_printf(&c->arena, "%s.XXXXXX", o->file);
	fd = mkostemp(o->temp, O_CLOEXEC); /* mode 0600: it may hold secrets */
	o->f = fd < 0 ? NULL : fdopen(fd, "w");
	if (!o->f)
		return fail(c, w, word, -errno, "%s: can't be written: %s", file, strerror(errno));
	return 0;
}

static int output_close(struct ctx *c, struct output *o)
{
	int err;

	if (!o->temp && !o->special)
		return 0;
	errno = 0;
	err = fflush(o->f) || ferror(o->f) || (o->temp && fsync(fileno(o->f)));
	err |= fclose(o->f);
	if (!err && (!o->temp || !rename(o->temp, o->file)))
		return 0;
	err = errno ? errno : EIO;
	if (o->temp)
		unlink(o->temp);
	return fail(c, NULL, NO_WORD, -err, "%s: can't be written: %s", o->file, strerror(err));
}

/* ---- what is saved */

/* Routes that the kernel makes itself come back by themselves. */
static bool kernels_own(const struct srv6_op *op)
{
	uint8_t p = op->kind == SRV6_ROUTE ? op->u.route->protocol : RTPROT_UNSPEC;

	return p == RTPROT_KERNEL || p == RTPROT_REDIRECT || p == RTPROT_RA;
}

/* Does a saved route or group lead through this object? Ids are few: a scan of what is saved would do, a mark is cheaper. */
struct marks {
	uint32_t *ids;
	size_t n;
};

static int by_id(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static void mark(struct marks *m, uint32_t id)
{
	m->ids = realloc(m->ids, (m->n + 1) * sizeof(*m->ids));
	if (!m->ids)
		abort();
	m->ids[m->n++] = id;
}

static bool marked(const struct marks *m, uint32_t id)
{
	return m->n && bsearch(&id, m->ids, m->n, sizeof(id), by_id);
}

static void mark_used(const struct state *s, struct marks *m)
{
	const struct srv6_nexthop *nh;

	for (size_t i = 0; i < s->routes.n; i++)
		if (s->routes.item[i].op.u.route->has & SRV6_HAS(NHID))
			mark(m, s->routes.item[i].op.u.route->nhid);
	sort_rows(m->ids, m->n, sizeof(*m->ids), by_id);
	/* a group is saved with all of its members */
	for (size_t i = 0, n = m->n; i < s->nexthops.n; i++) {
		nh = s->nexthops.item[i].op.u.nexthop;
		for (uint32_t k = 0; nh->n_group && k < nh->n_group; k++)
			if (n && bsearch(&nh->id, m->ids, n, sizeof(nh->id), by_id))
				mark(m, nh->group[k].id);
	}
	sort_rows(m->ids, m->n, sizeof(*m->ids), by_id);
}

static bool wanted(const struct srv6_op *op, const struct marks *m)
{
	if (op->kind == SRV6_NEXTHOP)
		return op_is_srv6(op) || marked(m, op->u.nexthop->id);
	return !kernels_own(op);
}

/* Groups after what they are made of */
static void put_nexthops(struct state *s, const struct marks *m, void (*put)(void *arg, const struct srv6_op *op),
			 void *arg)
{
	for (int groups = 0; groups < 2; groups++)
		for (size_t i = 0; i < s->nexthops.n; i++)
			if (wanted(&s->nexthops.item[i].op, m) && !!s->nexthops.item[i].op.u.nexthop->n_group == groups)
				put(arg, &s->nexthops.item[i].op);
}

static void put_routes(struct state *s, const struct marks *m, void (*put)(void *arg, const struct srv6_op *op),
		       void *arg)
{
	for (size_t i = 0; i < s->routes.n; i++)
		if (wanted(&s->routes.item[i].op, m))
			put(arg, &s->routes.item[i].op);
}

/* ---- as lines */

struct text {
	struct ctx *c;
	FILE *f;
	struct identity last;
	bool any;
};

static void put_line(void *arg, const struct srv6_op *from)
{
	struct srv6_op op = *from;
	struct identity id = { 0 };
	struct text *t = arg;

	op.verb = SRV6_REPLACE;
	if (op.kind == SRV6_ROUTE) {
		identity_of(&id, op.u.route);
		if (t->any && !memcmp(&id, &t->last, sizeof(id)))
			op.verb = SRV6_APPEND; /* a route beside the one before it */
		t->last = id;
		t->any = true;
	}
	op_text(t->c, t->f, &op, TEXT_VERB);
	putc('\n', t->f);
}

static void save_text(struct ctx *c, FILE *f, struct state *s, const struct marks *m)
{
	struct text t = { .c = c, .f = f };
	struct srv6_op op = { .kind = SRV6_TUNSRC, .u.tunsrc = &s->tunsrc };

	fputs("# SRv6 state, written by srv6 save; srv6 restore reads it\n", f);
	if (s->has_tunsrc && !IN6_IS_ADDR_UNSPECIFIED(&s->tunsrc.addr))
		put_line(&t, &op);
	for (size_t i = 0; i < s->hmac.n; i++)
		fprintf(f, "# HMAC key %u is in the kernel; secrets are saved with -j --secrets alone\n",
			s->hmac.item[i].op.u.hmac->key_id);
	put_nexthops(s, m, put_line, &t);
	put_routes(s, m, put_line, &t);
}

/* ---- as a document, an object a line */

struct json_list {
	struct ctx *c;
	FILE *f;
	bool any;
};

static void put_object(void *arg, const struct srv6_op *from)
{
	struct json_list *l = arg;
	struct srv6_op op = *from;
	struct json_object *o;

	op.verb = SRV6_REPLACE;
	o = op_json(l->c, &op, 0);
	fprintf(l->f, "%s\n    ", l->any ? "," : "");
	put_json(l->f, json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
	l->any = true;
}

static void list_open(struct json_list *l, const char *name)
{
	l->any = false;
	fprintf(l->f, ",\n  \"%s\": [", name);
}

static void list_close(struct json_list *l)
{
	fputs(l->any ? "\n  ]" : "]", l->f);
}

static void save_json(struct ctx *c, FILE *f, struct state *s, const struct marks *m)
{
	struct json_list l = { .c = c, .f = f };
	char addr[ADDR_TEXT];

	fprintf(f, "{\n  \"srv6\": %d", DOCUMENT_VERSION);
	if (s->has_tunsrc && !IN6_IS_ADDR_UNSPECIFIED(&s->tunsrc.addr)) {
		format_addr(addr, AF_INET6, &s->tunsrc.addr);
		fprintf(f, ",\n  \"tunsrc\": \"%s\"", addr);
	}
	if (s->hmac.n) {
		list_open(&l, "hmac");
		for (size_t i = 0; i < s->hmac.n; i++)
			put_object(&l, &s->hmac.item[i].op);
		list_close(&l);
	}
	list_open(&l, "nexthops");
	put_nexthops(s, m, put_object, &l);
	list_close(&l);
	list_open(&l, "routes");
	put_routes(s, m, put_object, &l);
	list_close(&l);
	fputs("\n}\n", f);
}

/* A device's name is bytes; JSON has no way to write those that are no UTF-8. */
static bool is_text(const char *s)
{
	size_t n = 1;

	for (; *s && n; s += n)
		n = utf8((const unsigned char *)s);
	return n;
}

static int one_is_writable(struct ctx *c, const struct srv6_hop *h)
{
	const char *name = h && h->has & SRV6_HAS(DEV) ? link_name(c, h->ifindex) : "";

	if (is_text(name))
		return 0;
	fail(c, NULL, NO_WORD, -EILSEQ, "the name of device %u is not UTF-8, and JSON cannot hold it", h->ifindex);
	return fail_remedy(c, "srv6 save without -j writes it; or rename the device");
}

static int all_writable(struct ctx *c, const struct state *s)
{
	int err = 0;

	for (size_t i = 0; i < s->nexthops.n && !err; i++)
		err = one_is_writable(c, s->nexthops.item[i].op.u.nexthop->hop);
	for (size_t i = 0; i < s->routes.n; i++) {
		const struct srv6_route *r = s->routes.item[i].op.u.route;

		for (uint32_t j = 0; j < r->n_hops && !err; j++)
			err = one_is_writable(c, &r->hops[j]);
	}
	return err;
}

static int run_save(struct ctx *c, struct words *w, const struct command *cmd)
{
	const char *file = words_next(w);
	struct marks m = { 0 };
	struct state s = { 0 };
	struct output o;
	int err, status = DONE;

	(void)cmd;
	err = state_read(c, &s, NULL);
	if (err) { /* a partial save looks like a whole one to whoever restores it: none is written */
		complain(c, err == -ESTALE ? PARTIAL : REFUSED);
		state_free(&s);
		return err == -ESTALE ? PARTIAL : REFUSED;
	}
	if (!s.has_tunsrc || !s.has_hmac)
		warn(c, NULL, NO_WORD, "tunnel source and HMAC keys are not saved: %s", c->failure.e.text);
	if ((c->json && all_writable(c, &s)) || output_open(c, &o, file, w, 0)) {
		status = complain(c, REFUSED);
	} else {
		mark_used(&s, &m);
		(c->json ? save_json : save_text)(c, o.f, &s, &m);
		if (output_close(c, &o))
			status = complain(c, REFUSED);
	}
	free(m.ids);
	state_free(&s);
	return flush_out(c, status);
}

/* ---- restore */

struct restoring {
	struct ctx *c;
	const struct item *items;
	unsigned long done, failed, skipped;
};

static void restored(void *arg, size_t i, const struct srv6_error *err)
{
	struct restoring *r = arg;

	if (!err->code) {
		r->done++;
		return;
	}
	r->failed++;
	fail_lib(r->c, NULL, err);
	r->c->failure.file = r->items[i].file;
	snprintf(r->c->failure.path, sizeof(r->c->failure.path), "%s", r->items[i].path);
	complain(r->c, REFUSED);
}

static void restore_list(struct restoring *r, const struct items *l)
{
	struct srv6_apply_opts opts = SRV6_INIT(struct srv6_apply_opts);
	struct srv6_op *ops = calloc(l->n ? l->n : 1, sizeof(*ops));
	struct item *items = calloc(l->n ? l->n : 1, sizeof(*items));
	struct identity last = { 0 }, id;
	struct srv6 *s = r->c->dry_run ? NULL : handle(r->c);
	unsigned long failed = r->failed;
	size_t n = 0;

	if (!ops || !items)
		abort();
	for (size_t i = 0; i < l->n; i++) {
		if (kernels_own(&l->item[i].op)) {
			r->skipped++;
			continue;
		}
		items[n] = l->item[i];
		ops[n] = l->item[i].op;
		if (ops[n].kind == SRV6_ROUTE) {
			identity_of(&id, ops[n].u.route);
			if (n && !memcmp(&id, &last, sizeof(id)))
				ops[n].verb = SRV6_APPEND;
			last = id;
		}
		n++;
	}
	r->items = items;
	for (size_t i = 0; r->c->dry_run && i < n; i++, r->done++)
		list_op(r->c, &ops[i]);
	if (r->c->dry_run)
		n = 0;
	opts.flags = SRV6_APPLY_KEEP_GOING | SRV6_APPLY_KEEP_EQUAL;
	opts.result = restored;
	opts.arg = r;
	if (s && n && srv6_apply(s, ops, n, &opts) && r->failed == failed) {
		fail_lib(r->c, NULL, srv6_error(s));
		complain(r->c, REFUSED);
		r->failed++;
	}
	free(items);
	free(ops);
}

static int mark_key(const struct srv6_op *op, void *arg)
{
	mark(arg, op->u.hmac->key_id);
	return 0;
}

static void restore_tunsrc(struct restoring *r, const struct document *d)
{
	struct srv6_op op = { .verb = SRV6_REPLACE, .kind = SRV6_TUNSRC, .u.tunsrc = &d->tunsrc };
	struct items one = { 0 };

	if (!d->has_tunsrc)
		return;
	items_add(&one, &op, "", "tunsrc");
	restore_list(r, &one);
	items_free(&one);
}

/* Keys without a secret: nothing to put back, and what uses them works with them alone. */
static void restore_keys(struct restoring *r, const struct document *d)
{
	struct srv6_op match = { .kind = SRV6_HMAC };
	struct marks there = { 0 };
	struct srv6 *s = r->c->dry_run || !d->n_keys ? NULL : handle(r->c);

	if (!s)
		return;
	if (srv6_dump(s, &match, 0, mark_key, &there)) {
		fail_lib(r->c, NULL, srv6_error(s));
		complain(r->c, REFUSED);
		r->failed += d->n_keys;
	} else {
		sort_rows(there.ids, there.n, sizeof(*there.ids), by_id);
		for (size_t i = 0; i < d->n_keys; i++) {
			if (marked(&there, d->keys[i].id) || document_has_secret(d, d->keys[i].id))
				continue;
			document_lacks_key(r->c, &d->keys[i]);
			complain(r->c, REFUSED);
			r->failed++;
		}
	}
	free(there.ids);
}

static int restore_document(struct ctx *c, const char *file, const char *text, size_t len)
{
	struct restoring r = { .c = c };
	struct document d = { .protocol = PROTOCOL_SRV6, .item_by_item = true };
	int status = DONE;

	if (document_parse(c, &d, file, text, len)) {
		status = complain(c, USAGE);
	} else if (!c->dry_run && !handle(c)) {
		status = complain(c, REFUSED);
	} else {
		document_own(&d);
		r.failed = d.missing;
		if (c->dry_run)
			list_begin(c);
		restore_tunsrc(&r, &d);
		restore_keys(&r, &d);
		restore_list(&r, &d.hmac);
		restore_list(&r, &d.nexthops);
		restore_list(&r, &d.routes);
		if (c->dry_run)
			list_end(c, DONE);
		else if (!c->quiet)
			fprintf(stderr, "%lu done, %lu failed, %lu of the kernel's own left alone\n", r.done, r.failed,
				r.skipped);
		status = r.failed ? REFUSED : DONE;
	}
	document_free(&d);
	return status;
}

static int run_restore(struct ctx *c, struct words *w, const struct command *cmd)
{
	const char *file = words_next(w);
	struct lines in = { 0 };
	size_t len, at = 0;
	char *text;
	int status;

	(void)cmd;
	if (file_read(c, file, w, 0, &text, &len))
		return complain(c, USAGE);
	while (at < len && strchr(" \t\r\n", text[at]))
		at++;
	if (at < len && text[at] == '{') {
		status = restore_document(c, file, text, len);
	} else {
		in.file = strcmp(file, "-") ? file : "<stdin>";
		in.in = len ? fmemopen(text, len, "r") : fopen("/dev/null", "r");
		if (!in.in)
			abort();
		status = batch_lines(c, &in, BATCH_KEEP_GOING | BATCH_KEEP_EQUAL);
		lines_close(&in);
	}
	explicit_bzero(text, len);
	free(text);
	return status;
}

const struct command save_commands[] = {
	{ "save", NULL, 0, 1, run_save, "[FILE]", "write the SRv6 state: lines, or with -j a document", .arg = 0 },
	{ "restore", NULL, 1, 1, run_restore, "{ FILE | - }", "put back what save wrote, item by item", .arg = 0 },
	{ 0 },
};

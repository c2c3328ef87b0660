/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * srv6 apply: the kernel is made to match a document. What differs is found by sorting both sides by identity and
 * walking them together; the changes go out as one transaction. Nothing that is equal is touched, so counters go on.
 *
 * Order: keys and tunnel source, nexthop objects (groups last), routes, then what is deleted, the other way round. So
 * nothing ever refers to what is not there yet, or no more.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <linux/rtnetlink.h>
#include <json-c/json.h>

#include "plan.h"

static void plan_add(struct plan *p, const struct item *want, const struct item *have, uint32_t verb)
{
	struct change *ch;

	if (p->n == p->cap) {
		p->cap = p->cap ? 2 * p->cap : 64;
		p->changes = realloc(p->changes, p->cap * sizeof(*p->changes));
		if (!p->changes)
			abort();
	}
	ch = &p->changes[p->n++];
	*ch = (struct change){ .op = want ? want->op : have->op, .want = want, .have = have };
	ch->op.verb = verb;
	ch->op.flags = !want && have->op.kind == SRV6_ROUTE ? SRV6_OP_EXACT : 0;
	p->added += !have;
	p->changed += want && have;
	p->deleted += !want;
}

void plan_compact(struct plan *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->n; i++)
		if (p->changes[i].want || p->changes[i].have)
			p->changes[kept++] = p->changes[i];
	p->n = kept;
}

/* ---- both sides, sorted */

static int by_identity(const void *a, const void *b)
{
	const struct side *x = a, *y = b;
	int d = memcmp(&x->id, &y->id, sizeof(x->id));

	return d ? d : x->item < y->item ? -1 : x->item > y->item;
}

struct side *sides(const struct items *l)
{
	struct side *s = calloc(l->n + 1, sizeof(*s));

	if (!s)
		abort();
	for (size_t i = 0; i < l->n; i++) {
		s[i].item = &l->item[i];
		if (l->item[i].op.kind == SRV6_ROUTE)
			identity_of(&s[i].id, l->item[i].op.u.route);
		else
			s[i].id.metric = l->item[i].op.u.nexthop->id;
	}
	sort_rows(s, l->n, sizeof(*s), by_identity);
	return s;
}

size_t group_end(const struct side *s, size_t from, size_t n)
{
	size_t to = from;

	while (to < n && !memcmp(&s[to].id, &s[from].id, sizeof(s->id)))
		to++;
	return to;
}

static bool owned(const struct plan *p, const struct srv6_op *op)
{
	return (op->kind == SRV6_ROUTE ? op->u.route->protocol : op->u.nexthop->protocol) == p->d->protocol;
}

bool item_equal(const struct item *want, const struct item *have)
{
	return !srv6_diff(&want->op, &have->op, SRV6_DIFF_EQUAL, NULL);
}

/* Those that are equal are paired off. */
static size_t pair(struct plan *p, struct side *w, size_t nw, struct side *h, size_t nh)
{
	size_t pairs = 0;

	for (size_t i = 0; i < nw; i++)
		for (size_t k = 0; k < nh && !w[i].matched; k++)
			if (!h[k].matched && item_equal(w[i].item, h[k].item))
				w[i].matched = h[k].matched = true;
	for (size_t i = 0; i < nw; i++)
		pairs += w[i].matched;
	p->equal += pairs;
	return pairs;
}

/* Said twice, by two files perhaps: once is enough. Returns how many are left. */
static size_t drop_twins(struct side *w, size_t n)
{
	size_t kept = 0, k;

	for (size_t i = 0; i < n; i++) {
		for (k = 0; k < kept && !item_equal(w[i].item, w[k].item); k++)
			;
		if (k == kept)
			w[kept++] = w[i];
	}
	return kept;
}

/* Whether deleting gone could hit stays. */
static bool hides(const struct srv6_op *stays, const struct srv6_op *gone)
{
	return !srv6_diff(gone, stays, SRV6_DIFF_DELETED, NULL);
}

/* What stands before one that goes, and would go in its place, goes too, and comes back. */
static void free_hidden(struct plan *p, struct side *w, size_t nw, struct side *h, size_t nh)
{
	for (size_t k = nh; k-- > 0;) {
		if (h[k].matched)
			continue;
		for (size_t m = 0; m < k; m++) {
			if (!h[m].matched || !hides(&h[m].item->op, &h[k].item->op))
				continue;
			h[m].matched = false;
			for (size_t i = 0; i < nw; i++)
				if (w[i].matched && item_equal(w[i].item, h[m].item))
					w[i].matched = false;
			p->equal--;
		}
	}
}

static bool kernels_own(const struct srv6_op *op)
{
	uint8_t p = op->u.route->protocol;

	return p == RTPROT_KERNEL || p == RTPROT_REDIRECT || p == RTPROT_RA;
}

/* Several routes that share an identity: replacing would hit any of them. Those that are wrong go, those that lack come. */
static void plan_siblings(struct plan *p, struct side *w, size_t nw, struct side *h, size_t nh)
{
	for (size_t k = 0; k < nh; k++)
		h[k].matched |= kernels_own(&h[k].item->op);
	free_hidden(p, w, nw, h, nh);
	for (size_t k = 0; k < nh; k++)
		if (!h[k].matched) {
			plan_add(p, NULL, h[k].item, SRV6_DEL);
			p->changes[p->n - 1].early = true;
		}
	for (size_t i = 0; i < nw; i++)
		if (!w[i].matched)
			plan_add(p, w[i].item, NULL, SRV6_APPEND);
}

static void plan_prune(struct plan *p, struct side *h, size_t nh)
{
	for (size_t k = 0; k < nh; k++)
		if (p->d->prune && owned(p, &h[k].item->op)) {
			plan_add(p, NULL, h[k].item, SRV6_DEL);
			p->changes[p->n - 1].pruned = true;
		}
}

/* Everything of one identity. One on either side: replaced in place. */
static void plan_group(struct plan *p, struct side *w, size_t nw, struct side *h, size_t nh)
{
	if (!nw) {
		plan_prune(p, h, nh);
		return;
	}
	nw = drop_twins(w, nw);
	if (pair(p, w, nw, h, nh) == nw && nw == nh)
		return;
	if (nw == 1 && nh <= 1)
		plan_add(p, w->item, nh ? h->item : NULL, SRV6_REPLACE);
	else
		plan_siblings(p, w, nw, h, nh);
}

static void plan_list(struct plan *p, const struct items *want, const struct items *have)
{
	struct side *w = sides(want), *h = sides(have);
	size_t i = 0, k = 0, we, he;
	int d;

	while (i < want->n || k < have->n) {
		d = i == want->n ? 1 : k == have->n ? -1 : memcmp(&w[i].id, &h[k].id, sizeof(w->id));
		we = d > 0 ? i : group_end(w, i, want->n);
		he = d < 0 ? k : group_end(h, k, have->n);
		plan_group(p, &w[i], we - i, &h[k], he - k);
		i = we;
		k = he;
	}
	free(w);
	free(h);
}

/* ---- what generic netlink holds */

static int unreadable(struct plan *p, const char *what)
{
	fail(p->c, NULL, NO_WORD, -EPERM, "the document has %s, which can't be read here", what);
	fail_remedy(p->c, "run it with CAP_NET_ADMIN in the initial user namespace, or leave them out of the document");
	return -EPERM;
}

static int plan_tunsrc(struct plan *p, const struct state *s, struct item *item)
{
	if (!p->d->has_tunsrc)
		return 0;
	if (!s->has_tunsrc)
		return unreadable(p, "a tunnel source");
	if (!memcmp(&p->d->tunsrc.addr, &s->tunsrc.addr, sizeof(s->tunsrc.addr))) {
		p->equal++;
		return 0;
	}
	item[0].op = (struct srv6_op){ .kind = SRV6_TUNSRC, .u.tunsrc = &p->d->tunsrc };
	item[0].path = "tunsrc";
	item[1].op = (struct srv6_op){ .kind = SRV6_TUNSRC, .u.tunsrc = &s->tunsrc };
	if (IN6_IS_ADDR_UNSPECIFIED(&p->d->tunsrc.addr))
		plan_add(p, NULL, &item[1], SRV6_DEL);
	else
		plan_add(p, &item[0], IN6_IS_ADDR_UNSPECIFIED(&s->tunsrc.addr) ? NULL : &item[1], SRV6_REPLACE);
	return 0;
}

static const struct item *key_find(const struct state *s, uint32_t id)
{
	for (size_t i = 0; i < s->hmac.n; i++)
		if (s->hmac.item[i].op.u.hmac->key_id == id)
			return &s->hmac.item[i];
	return NULL;
}

static bool same_key(const struct srv6_hmac *a, const struct item *item)
{
	const struct srv6_hmac *b = item ? item->op.u.hmac : NULL;

	return b && a->algo == b->algo && a->secret.len == b->secret.len &&
	       !memcmp(a->secret.data, b->secret.data, a->secret.len);
}

static bool said_before(const struct document *d, size_t key)
{
	for (size_t i = 0; i < key; i++)
		if (d->hmac.item[i].op.u.hmac->key_id == d->hmac.item[key].op.u.hmac->key_id)
			return true;
	return false;
}

static int plan_keys(struct plan *p, const struct state *s)
{
	const struct srv6_hmac *k;

	if (!p->d->hmac.n && !p->d->n_keys)
		return 0;
	if (!s->has_hmac)
		return unreadable(p, "HMAC keys");
	for (size_t i = 0; i < p->d->n_keys; i++) {
		if (!key_find(s, p->d->keys[i].id) && !document_has_secret(p->d, p->d->keys[i].id))
			return document_lacks_key(p->c, &p->d->keys[i]);
		p->equal++;
	}
	for (size_t i = 0; i < p->d->hmac.n; i++) {
		k = p->d->hmac.item[i].op.u.hmac;
		if (same_key(k, key_find(s, k->key_id)))
			p->equal++;
		else if (!said_before(p->d, i))
			plan_add(p, &p->d->hmac.item[i], key_find(s, k->key_id), SRV6_REPLACE);
	}
	return 0;
}

/* ---- the order */

static int rank(const struct change *ch)
{
	const struct srv6_op *op = &ch->op;
	bool group = op->kind == SRV6_NEXTHOP && op->u.nexthop->n_group;

	if (ch->early)
		return 5; /* makes room for one of its identity */
	if (!ch->want && ch->have->fades)
		return 2; /* killed behind its object's change, nobody would know it again */
	if (op->verb == SRV6_DEL && op->kind != SRV6_TUNSRC)
		return op->kind == SRV6_ROUTE ? 6 : group ? 7 : 8;
	return op->kind == SRV6_HMAC ? 0 : op->kind == SRV6_TUNSRC ? 1 : op->kind == SRV6_ROUTE ? 5 : group ? 4 : 3;
}

static void order(struct plan *p)
{
	struct change *sorted = calloc(p->n ? p->n : 1, sizeof(*sorted));
	size_t at = 0;

	/* a stable sort by few ranks: a pass each */
	if (!sorted)
		abort();
	for (int r = 0; r < 9; r++)
		for (size_t i = 0; i < p->n; i++)
			if (rank(&p->changes[i]) == r)
				sorted[at++] = p->changes[i];
	free(p->changes);
	p->changes = sorted;
	p->cap = p->n;
}

/* ---- telling */

static const char *const names[] = { "add", "replace", "delete" };
static const char marks[] = "+~-";

static unsigned int what_of(const struct change *ch)
{
	return !ch->want ? 2 : ch->have ? 1 : 0;
}

static void show_change(struct plan *p, const struct change *ch)
{
	struct srv6_op op = ch->op;
	struct json_object *o;

	if (op.kind == SRV6_TUNSRC)
		op.verb = SRV6_REPLACE; /* shown is which; to take it away needs none */
	if (!p->c->json) {
		fprintf(p->c->out, "%c %s ", marks[what_of(ch)], kind_name(op.kind));
		op_text(p->c, p->c->out, &op, TEXT_NAMES);
		if (ch->want && ch->have) {
			fputs("\n    was ", p->c->out);
			op_text(p->c, p->c->out, &ch->have->op, TEXT_NAMES);
		}
		putc('\n', p->c->out);
		return;
	}
	o = json_object_new_object();
	json_object_object_add(o, "change", json_object_new_string(names[what_of(ch)]));
	json_object_object_add(o, "object", json_object_new_string(kind_name(op.kind)));
	if (ch->want)
		json_object_object_add(o, "new", op_json(p->c, &ch->want->op, 0));
	if (ch->have)
		json_object_object_add(o, "old", op_json(p->c, &ch->have->op, 0));
	list_json(p->c, o);
}

static void tell_text(const struct plan *p)
{
	if (p->c->quiet)
		return;
	fprintf(stderr, "%lu added, %lu changed, %lu deleted, %lu as they were", p->added, p->changed, p->deleted,
		p->equal);
	if (p->left)
		fprintf(stderr, ", %lu left", p->left);
	putc('\n', stderr);
}

static void tell(struct plan *p)
{
	struct json_object *o;

	if (!p->c->json) {
		tell_text(p);
		return;
	}
	o = json_object_new_object();
	json_object_object_add(o, "added", json_object_new_uint64(p->added));
	json_object_object_add(o, "changed", json_object_new_uint64(p->changed));
	json_object_object_add(o, "deleted", json_object_new_uint64(p->deleted));
	json_object_object_add(o, "equal", json_object_new_uint64(p->equal));
	json_object_object_add(o, "left", json_object_new_uint64(p->left));
	print_json(p->c, o);
}

static void result(void *arg, size_t i, const struct srv6_error *err)
{
	const struct item *item;
	struct plan *p = arg;

	if (!err->code || err->code == -ECANCELED)
		return;
	item = p->changes[i].want;
	fail_lib(p->c, NULL, err);
	if (item) {
		p->c->failure.file = item->file;
		snprintf(p->c->failure.path, sizeof(p->c->failure.path), "%s", item->path ? item->path : "");
	}
	p->status = complain(p->c, REFUSED);
}

/* Sent, or with a dry run looked at. Tells what is refused; returns DONE where nothing is. */
static int send_all(struct plan *p, uint32_t flags)
{
	struct srv6_apply_opts opts = SRV6_INIT(struct srv6_apply_opts);
	struct srv6_op *ops = calloc(p->n ? p->n : 1, sizeof(*ops));
	struct srv6 *s = handle(p->c);

	if (!ops)
		abort();
	for (size_t i = 0; i < p->n; i++)
		ops[i] = p->changes[i].op;
	opts.flags = flags | (p->c->no_verify ? SRV6_APPLY_NO_VERIFY : 0);
	opts.result = result;
	opts.arg = p;
	p->status = DONE;
	if (s && p->n && srv6_apply(s, ops, p->n, &opts) && p->status == DONE) {
		fail_lib(p->c, NULL, srv6_error(s));
		p->status = complain(p->c, REFUSED);
	}
	free(ops);
	if (!s)
		p->status = complain(p->c, REFUSED);
	return p->status;
}

static int carry_out(struct plan *p)
{
	if (send_all(p, SRV6_APPLY_ATOMIC))
		return p->status;
	tell(p);
	return p->left ? REFUSED : DONE;
}

static int dry_run(struct plan *p)
{
	int status;

	list_begin(p->c);
	for (size_t i = 0; i < p->n; i++)
		show_change(p, &p->changes[i]);
	status = list_end(p->c, p->n || p->left ? REFUSED : DONE);
	return send_all(p, SRV6_APPLY_DRY_RUN | SRV6_APPLY_KEEP_GOING) ? REFUSED : status;
}

/* ---- the command */

static int read_words(struct plan *p, struct document *d, struct words *w)
{
	static const char *const known[] = { "prune", "protocol", NULL };
	const struct word *x;
	uint8_t n, protocol = 0;
	uint32_t files = 0;
	const char *s;

	for (; w->i < w->n;) {
		x = &w->word[w->i];
		if (x->option && words_take(w, "prune")) {
			d->prune = true;
		} else if (x->option && words_take(w, "protocol")) {
			if (words_value(p->c, w, "a protocol", &s))
				return -EINVAL;
			if (protocol_number(s, &n) || n <= 4)
				return fail(p->c, w, w->i - 1, -EINVAL,
					    "%s: a protocol is expected that is not the kernel's, as srv6 or 143", s);
			protocol = n;
		} else if (x->option) {
			return words_unknown(p->c, w, "option of apply", known);
		} else {
			w->i++;
			if (document_read(p->c, d, x->text, w, w->i - 1))
				return -EINVAL;
			files++;
		}
	}
	if (!files)
		return fail(p->c, w, w->n, -EINVAL, "a file is missing; - is standard input");
	if (protocol)
		d->protocol = protocol;
	document_own(d);
	return documents_agree(p->c, d);
}

/* ---- what is not deleted, for the kernel would take another one; the library knows */

struct asked {
	struct plan *p;
	struct change **of;
};

static void leave(void *arg, size_t i, const struct srv6_error *err)
{
	struct asked *a = arg;
	char dst[ADDR_TEXT + 8];

	if (err->code != -EOPNOTSUPP)
		return; /* whatever else: it is asked again */
	dst[format_prefix(dst, &a->of[i]->op.u.route->dst)] = '\0';
	fail(a->p->c, NULL, NO_WORD, err->code, "%s stays: %s", dst, err->text);
	fail_remedy(a->p->c, "%s", err->remedy);
	complain(a->p->c, REFUSED);
	a->of[i]->have = NULL;
	a->p->deleted--;
	a->p->left++;
}

/* All or nothing would undo the rest for their sake. */
static void leave_hidden(struct plan *p)
{
	struct srv6_apply_opts opts = SRV6_INIT(struct srv6_apply_opts);
	struct srv6_op *ops = calloc(p->n + 1, sizeof(*ops));
	struct asked a = { p, calloc(p->n + 1, sizeof(*a.of)) };
	struct srv6 *s = handle(p->c);
	size_t n = 0;

	if (!ops || !a.of)
		abort();
	for (size_t i = 0; i < p->n; i++) {
		if (!p->changes[i].pruned || p->changes[i].op.kind != SRV6_ROUTE)
			continue;
		a.of[n] = &p->changes[i];
		ops[n++] = p->changes[i].op;
	}
	opts.flags = SRV6_APPLY_DRY_RUN | SRV6_APPLY_KEEP_GOING;
	opts.result = leave;
	opts.arg = &a;
	if (s && n)
		srv6_apply(s, ops, n, &opts);
	plan_compact(p);
	free(a.of);
	free(ops);
}

static int make_plan(struct plan *p, const struct state *s, struct item *tunsrc)
{
	int err = plan_keys(p, s);

	if (!err)
		err = plan_tunsrc(p, s, tunsrc);
	if (err)
		return err;
	plan_list(p, &p->d->nexthops, &s->nexthops);
	plan_list(p, &p->d->routes, &s->routes);
	plan_keep_used(p, s);
	order(p);
	leave_hidden(p);
	return 0;
}

static int run_apply(struct ctx *c, struct words *w, const struct command *cmd)
{
	struct document d = { .protocol = PROTOCOL_SRV6 };
	struct plan p = { .c = c, .d = &d };
	struct item tunsrc[2] = { 0 }; /* as it shall be, and is */
	struct state s = { 0 };
	int err, status;

	(void)cmd;
	if (read_words(&p, &d, w)) {
		status = complain(c, USAGE);
		document_free(&d);
		return status;
	}
	err = state_read(c, &s, &d);
	if (!err)
		err = make_plan(&p, &s, tunsrc);
	if (err)
		status = complain(c, err == -ESTALE ? PARTIAL : REFUSED);
	else
		status = c->dry_run ? dry_run(&p) : carry_out(&p);
	free(p.changes);
	state_free(&s);
	document_free(&d);
	return flush_out(c, status);
}

static void details(FILE *f)
{
	fputs("A directory stands for its *.json files. Nothing that is equal is touched, and nothing is deleted without\n"
	      "--prune but what shares its identity with a route of the document.\n"
	      "  --dry-run         shows what would change: + added, ~ replaced, - deleted; status 1 where anything would\n"
	      "  --prune           deletes what has the document's protocol number and is not in it\n"
	      "  --protocol PROTO  whose routes they are: srv6 (143)\n",
	      f);
}

const struct command apply_commands[] = {
	{ "apply", NULL, 1, ANY, run_apply, "[--prune] [--protocol PROTO] { FILE | DIRECTORY | - }...",
	  "make the kernel match a document", .details = details },
	{ 0 },
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * srv6 doctor: it is configured and nothing happens; why?
 *
 * Rows (doctor_*.c, a table at the end of each file) are tried on what doctor_read.c has gathered. A remedy is a
 * command in words, and what is printed is what --fix runs: no shell is involved.
 */
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <json-c/json.h>
#include <net/if.h>

#include "doctor.h"

static const char *const severities[] = { [INFO] = "info", [WARNING] = "warning", [ERROR] = "error" };

static const struct check *const tables[] = {
	doctor_source_checks, doctor_sysctl_checks, doctor_sid_checks,
	doctor_way_checks,    doctor_mtu_checks,    doctor_kernel_checks,
};

#define EACH_CHECK(k)                                                                                                  \
	for (size_t t_ = 0; t_ < ARRAY_SIZE(tables); t_++)                                                             \
		for (const struct check *k = tables[t_]; k->code; k++)

/* ---- what the rows call */

struct finding *found(struct doctor *d, const struct check *c, const struct subject *s, const char *object,
		      const char *fmt, ...)
{
	struct finding *f = take(d->a, sizeof(*f));
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	f->check = c;
	f->subject = s;
	f->severity = c->severity;
	f->object = object ? object : s ? s->label : "namespace";
	f->text = text ? take_text(d->a, text, strlen(text)) : c->summary;
	free(text);
	*d->last = f;
	d->last = &f->next;
	return f;
}

void remedy(struct doctor *d, struct finding *f, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	if (text && f->n_remedies < MAX_REMEDIES)
		f->remedy[f->n_remedies++] = take_text(d->a, text, strlen(text));
	free(text);
}

/* As sysctl(8) takes it: dots for slashes, and slashes for the dots that device names may have. */
void remedy_sysctl(struct doctor *d, struct finding *f, const char *path, int value)
{
	char *name = take_text(d->a, path, strlen(path));

	for (char *p = name; *p; p++)
		*p = *p == '/' ? '.' : *p == '.' ? '/' : *p;
	remedy(d, f, "sysctl -w net.%s=%d", name, value);
}

const char *op_words(struct doctor *d, const struct srv6_op *op)
{
	char *text = NULL, *kept = NULL;
	size_t len = 0;
	FILE *m = open_memstream(&text, &len);

	if (!m)
		return NULL;
	op_text(d->c, m, op, TEXT_VERB);
	if (!fclose(m))
		kept = take_text(d->a, text, len);
	free(text);
	return kept;
}

void remedy_op(struct doctor *d, struct finding *f, const struct srv6_op *op)
{
	const char *words = op ? op_words(d, op) : NULL;

	if (words)
		remedy(d, f, "srv6 %s", words);
}

void not_checked(struct doctor *d, const char *fmt, ...)
{
	struct note *n = take(d->a, sizeof(*n));
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	for (const struct note *o = d->notes; o && text; o = o->next) {
		if (!strcmp(o->text, text)) {
			free(text);
			return;
		}
	}
	n->text = text ? take_text(d->a, text, strlen(text)) : fmt;
	free(text);
	*d->last_note = n;
	d->last_note = &n->next;
}

bool read_sysctl(struct doctor *d, const char *path, int *ret)
{
	int err = net_sysctl(path, ret);

	if (err && err != -ENOENT)
		not_checked(d, "net/%s: %s", path, strerror(-err));
	return !err;
}

bool read_conf(struct doctor *d, const char *family, const struct net_link *l, const char *name, int *ret)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/conf/%s/%s", family, l ? l->name : "all", name);
	return read_sysctl(d, path, ret);
}

/* ---- the rows, one by one */

static void try_check(struct doctor *d, const struct check *c)
{
	if (c->flags & CHECK_WHOLE && (d->wanted.family || d->wanted_table))
		return;
	if (c->on == ON_ALL)
		c->test(d, c, NULL, NULL);
	for (size_t i = 0; c->on == ON_SUBJECT && i < d->n_asked; i++)
		c->test(d, c, &d->subjects[i], NULL);
	for (size_t i = 0; c->on == ON_DEVICE && i < d->n_used; i++)
		c->test(d, c, NULL, &d->used[i]);
}

static int examine(struct doctor *d)
{
	int err;

	d->last = &d->findings;
	d->last_note = &d->notes;
	err = doctor_read(d);
	EACH_CHECK(c)
	if (!err)
		try_check(d, c);
	return err;
}

/* Starts again from nothing, after something was changed. */
static int examine_again(struct doctor *d)
{
	doctor_forget(d);
	arena_free(d->a);
	memset(d->a, 0, sizeof(*d->a));
	d->partial = false;
	return examine(d);
}

static unsigned int count(const struct doctor *d, enum severity severity)
{
	unsigned int n = 0;

	for (const struct finding *f = d->findings; f; f = f->next)
		n += f->severity == severity;
	return n;
}

/* ---- printing */

#define TEXT_MAX 20 /* findings of one code in text; -j gives all */

/* Names of devices and files may hold anything: a terminal is never given control characters. */
static void print_safe(FILE *f, const char *text)
{
	for (; *text; text++) {
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			fprintf(f, "\\x%02x", (unsigned char)*text);
		else
			putc(*text, f);
	}
}

/* As it can be typed where the tool was started. "srv6" has the option for it. */
static void print_remedy(struct ctx *c, const char *command)
{
	bool own = !strncmp(command, "srv6 ", 5);

	if (c->netns && own) {
		fputs("srv6 -n ", c->out);
		print_name(c->out, c->netns);
		print_safe(c->out, command + 4);
		return;
	}
	if (c->netns && strchr(c->netns, '/')) {
		fputs("nsenter --net=", c->out);
		print_name(c->out, c->netns);
		putc(' ', c->out);
	} else if (c->netns) {
		fputs("ip netns exec ", c->out);
		print_name(c->out, c->netns);
		putc(' ', c->out);
	}
	print_safe(c->out, command);
}

static void print_finding(struct ctx *c, const struct finding *f)
{
	static const char *const colors[] = { [INFO] = "36", [WARNING] = "33", [ERROR] = "31" };

	if (c->color)
		fprintf(c->out, "\033[1;%sm%s\033[0m %s: ", colors[f->severity], severities[f->severity],
			f->check->code);
	else
		fprintf(c->out, "%s %s: ", severities[f->severity], f->check->code);
	print_safe(c->out, f->text);
	putc('\n', c->out);
	for (uint32_t i = 0; i < f->n_remedies; i++) {
		fputs(i ? "           " : "    remedy ", c->out);
		print_remedy(c, f->remedy[i]);
		putc('\n', c->out);
	}
}

/* Rows come one after the other, so the findings of a code do, and its why is told once. */
static void print_findings(struct doctor *d)
{
	FILE *out = d->c->out;
	unsigned int n = 0;

	for (const struct finding *f = d->findings; f; f = f->next) {
		n++;
		if (n <= TEXT_MAX)
			print_finding(d->c, f);
		if (f->next && f->next->check == f->check)
			continue;
		if (n > TEXT_MAX)
			fprintf(out, "%s %s: and %u more; -j lists all, a route or SID as an argument shows its own\n",
				severities[f->severity], f->check->code, n - TEXT_MAX);
		if (!d->c->quiet)
			fprintf(out, "    why    %s\n", f->check->why);
		n = 0;
	}
	for (const struct note *o = d->notes; o; o = o->next) {
		fputs("not checked: ", out);
		print_safe(out, o->text);
		putc('\n', out);
	}
	if (d->findings)
		fprintf(out, "errors: %u, warnings: %u, infos: %u\n", count(d, ERROR), count(d, WARNING),
			count(d, INFO));
	else
		fprintf(out, "nothing found in %zu hop%s of routes and SIDs\n", d->n_asked, d->n_asked == 1 ? "" : "s");
}

static void put_text(struct json_object *o, const char *key, const char *text)
{
	json_object_object_add(o, key, json_object_new_string(text));
}

static struct json_object *finding_json(const struct finding *f)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();

	put_text(o, "code", f->check->code);
	put_text(o, "severity", severities[f->severity]);
	put_text(o, "object", f->object);
	put_text(o, "text", f->text);
	put_text(o, "why", f->check->why);
	for (uint32_t i = 0; i < f->n_remedies; i++)
		json_object_array_add(list, json_object_new_string(f->remedy[i]));
	json_object_object_add(o, "remedy", list);
	return o;
}

static void print_report_json(struct doctor *d, struct json_object *applied)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array(),
			   *notes = json_object_new_array();

	for (const struct finding *f = d->findings; f; f = f->next)
		json_object_array_add(list, finding_json(f));
	for (const struct note *n = d->notes; n; n = n->next)
		json_object_array_add(notes, json_object_new_string(n->text));
	json_object_object_add(o, "findings", list);
	json_object_object_add(o, "not_checked", notes);
	if (applied)
		json_object_object_add(o, "applied", applied);
	json_object_object_add(o, "clean", json_object_new_boolean(!count(d, ERROR) && !count(d, WARNING)));
	print_json(d->c, o);
}

/* ---- remedies */

/* "sysctl -w net.ipv6.conf.v0.forwarding=1", without the program: the namespace is ours already. */
static int run_sysctl(struct ctx *c, struct words *w)
{
	const char *set, *value;
	char path[128];
	size_t len;
	int err;

	if (!words_take(w, "-w") || !(set = words_next(w)) || !(value = strchr(set, '=')) || strncmp(set, "net.", 4))
		return fail(c, w, NO_WORD, -EINVAL, "not a sysctl command");
	len = (size_t)(value - set) - 4;
	if (len >= sizeof(path))
		return fail(c, w, NO_WORD, -EINVAL, "the name is too long");
	memcpy(path, set + 4, len);
	path[len] = '\0';
	for (char *p = path; *p; p++)
		*p = *p == '/' ? '.' : *p == '.' ? '/' : *p;
	err = net_sysctl_write(path, value + 1);
	return err ? fail(c, w, NO_WORD, err, "can't write /proc/sys/net/%s: %s", path, strerror(-err)) : 0;
}

static int run_program(struct ctx *c, struct words *w)
{
	char **argv = take(w->arena, (w->n + 1) * sizeof(*argv));
	int status = 0;
	pid_t pid;

	for (uint32_t i = 0; i < w->n; i++)
		argv[i] = take_text(w->arena, w->word[i].text, strlen(w->word[i].text));
	fflush(NULL);
	pid = fork();
	if (pid < 0)
		return fail(c, w, NO_WORD, -errno, "can't start %s: %s", argv[0], strerror(errno));
	if (!pid) {
		dup2(STDERR_FILENO, STDOUT_FILENO); /* standard output is the report's */
		execvp(argv[0], argv);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	return fail(c, w, NO_WORD, -EIO, "%s failed%s", argv[0],
		    WIFEXITED(status) && WEXITSTATUS(status) == 127 ? ": it is not installed" : "");
}

static int run_change(struct ctx *c, struct words *w)
{
	struct srv6_op op;
	int err = parse_change(c, w, w->arena, &op);

	if (err)
		return err;
	if (!handle(c))
		return c->failure.e.code;
	err = srv6_apply(c->s, &op, 1, NULL);
	return err ? fail_lib(c, w, srv6_error(c->s)) : 0;
}

static int run_remedy(struct ctx *c, const char *command)
{
	struct arena a = { .blocks = NULL };
	struct words w;
	int err = words_line(c, &w, &a, NULL, 0, command);

	if (!err && words_take(&w, "sysctl"))
		err = run_sysctl(c, &w);
	else if (!err && words_take(&w, "srv6"))
		err = run_change(c, &w);
	else if (!err)
		err = run_program(c, &w);
	arena_free(&a);
	return err;
}

/* What --fix was told. */
struct fixes {
	bool fix, strict, list;
	const char *codes[64];
	size_t n;
};

static bool chosen(const struct fixes *x, const struct finding *f)
{
	for (size_t i = 0; i < x->n; i++) {
		if (!strcmp(x->codes[i], f->check->code))
			return true;
		if (!strcmp(x->codes[i], "all") && !(f->check->flags & CHECK_BY_NAME))
			return true;
	}
	return false;
}

static bool for_people(const char *command)
{
	return strchr(command, '<') != NULL;
}

static void told(struct doctor *d, struct json_object *applied, const struct finding *f, const char *command,
		 const char *error)
{
	struct json_object *o;

	if (!d->c->json) {
		fprintf(d->c->out, "%s %s", error ? "not applied" : "applied", f->check->code);
		for (const char *const *part = (const char *const[]){ command, error, NULL }; *part; part++) {
			if (!**part)
				continue;
			fputs(": ", d->c->out);
			print_safe(d->c->out, *part);
		}
		putc('\n', d->c->out);
		return;
	}
	o = json_object_new_object();
	put_text(o, "code", f->check->code);
	put_text(o, "command", command);
	json_object_object_add(o, "ok", json_object_new_boolean(!error));
	if (error)
		put_text(o, "error", error);
	json_object_array_add(applied, o);
}

/* What was tried already, in whatever pass: no command is run twice. */
struct tried {
	void *commands; /* a tree of strings */
};

/* True at the first call for this text. */
static bool first_try(struct tried *t, const char *text)
{
	char *copy = strdup(text);
	char **node = copy ? tsearch(copy, &t->commands, (int (*)(const void *, const void *))strcmp) : NULL;

	if (node && *node == copy)
		return true;
	free(copy);
	return false;
}

/* One pass over the findings. */
struct pass {
	struct tried *tried;
	struct json_object *applied;
	const struct srv6_op **changed; /* routes: what their other findings propose is out of date */
	size_t n_changed;
	bool again;
	unsigned int failed;
};

static bool is_changed(const struct pass *p, const struct finding *f)
{
	for (size_t i = 0; i < p->n_changed && f->subject; i++)
		if (p->changed[i] == f->subject->op)
			return true;
	return false;
}

/* Commands of one finding in order, up to the first that fails. */
static void apply_finding(struct doctor *d, const struct finding *f, struct pass *p)
{
	bool failed = false;

	for (uint32_t i = 0; i < f->n_remedies && !failed; i++) {
		if (!first_try(p->tried, f->remedy[i]))
			continue;
		if (for_people(f->remedy[i])) {
			told(d, p->applied, f, f->remedy[i], "it has to be completed first");
			failed = true;
		} else if (d->c->dry_run) {
			told(d, p->applied, f, f->remedy[i], "dry run");
		} else {
			failed = run_remedy(d->c, f->remedy[i]) != 0;
			told(d, p->applied, f, f->remedy[i], failed ? d->c->failure.e.text : NULL);
			if (f->subject && !strncmp(f->remedy[i], "srv6 ", 5) && !is_changed(p, f))
				p->changed[p->n_changed++] = f->subject->op;
		}
	}
	p->failed += failed;
}

static void apply_pass(struct doctor *d, const struct fixes *x, struct pass *p)
{
	p->changed = take(d->a, (d->n_subjects + 1) * sizeof(*p->changed));
	p->n_changed = 0;
	p->again = false;
	for (const struct finding *f = d->findings; f; f = f->next) {
		if (!chosen(x, f))
			continue;
		if (is_changed(p, f))
			p->again = true;
		else if (f->n_remedies)
			apply_finding(d, f, p);
		else if (first_try(p->tried, take_printf(d->a, "%s %s", f->check->code, f->object)))
			told(d, p->applied, f, "", "there is no command for it");
	}
}

#define PASSES 8

/* Two remedies for one route are two changes of it: the second is made of what the first left. */
static int apply_remedies(struct doctor *d, const struct fixes *x, struct json_object *applied, unsigned int *failed)
{
	struct tried tried = { NULL };
	struct pass p = { .tried = &tried, .applied = applied, .again = true };
	int err = 0;

	for (int i = 0; i < PASSES && p.again && !err; i++) {
		apply_pass(d, x, &p);
		err = d->c->dry_run ? 0 : examine_again(d);
	}
	tdestroy(tried.commands, free);
	*failed = p.failed;
	return err;
}

/* ---- the command */

static const struct check *find_check(const char *code)
{
	EACH_CHECK(c)
	if (!strcmp(c->code, code))
		return c;
	return NULL;
}

static int print_list(struct ctx *c)
{
	struct json_object *o;

	if (c->json)
		list_begin(c);
	EACH_CHECK(k)
	{
		if (!c->json) {
			fprintf(c->out, "%-20s %-8s %s\n", k->code, severities[k->severity], k->summary);
			continue;
		}
		o = json_object_new_object();
		put_text(o, "code", k->code);
		put_text(o, "severity", severities[k->severity]);
		put_text(o, "summary", k->summary);
		put_text(o, "reads", k->reads);
		put_text(o, "why", k->why);
		json_object_object_add(o, "by_name", json_object_new_boolean(k->flags & CHECK_BY_NAME));
		list_json(c, o);
	}
	return c->json ? list_end(c, DONE) : flush_out(c, DONE);
}

static int parse_code(struct ctx *c, struct words *w, struct fixes *x)
{
	const char *known[128] = { "all" };
	const char *code = words_peek(w);
	size_t n = 1;

	EACH_CHECK(k)
	if (n + 1 < ARRAY_SIZE(known))
		known[n++] = k->code;
	if (strcmp(code, "all") && !find_check(code))
		return words_unknown(c, w, "code of a finding", known);
	if (x->n == ARRAY_SIZE(x->codes))
		return fail(c, w, w->i, -EINVAL, "too many codes; use all");
	x->codes[x->n++] = words_next(w);
	return 0;
}

static int parse_table(struct ctx *c, struct words *w, uint32_t *ret)
{
	const char *name = NULL;
	int err = words_value(c, w, "a table", &name);

	if (!err && table_number(name, ret))
		return fail(c, w, w->i - 1, -EINVAL, "'%s' is no table", name);
	return err;
}

static int parse_word(struct ctx *c, struct words *w, struct doctor *d, struct fixes *x)
{
	static const char *const known[] = { "fix", "strict", "list", "needs", "table", NULL };
	const char *word = words_peek(w);

	if (words_take(w, "fix"))
		x->fix = true;
	else if (words_take(w, "strict"))
		x->strict = true;
	else if (words_take(w, "list"))
		x->list = true;
	else if (words_take(w, "needs"))
		return words_value(c, w, "a file", &d->needs);
	else if (words_take(w, "table"))
		return parse_table(c, w, &d->wanted_table);
	else if (!d->wanted.family && !value_prefix(word, strlen(word), AF_UNSPEC, &d->wanted))
		words_next(w);
	else if (x->fix)
		return parse_code(c, w, x);
	else
		return words_unknown(c, w, "route, SID or option", known);
	return 0;
}

static int treat(struct doctor *d, const struct fixes *x)
{
	struct json_object *applied = x->fix && d->c->json ? json_object_new_array() : NULL;
	unsigned int failed = 0;
	int err = examine(d);

	if (!err && x->n)
		err = apply_remedies(d, x, applied, &failed);
	if (err) {
		json_object_put(applied);
		return complain(d->c, REFUSED);
	}
	if (d->c->json)
		print_report_json(d, applied);
	else
		print_findings(d);
	if (failed || count(d, ERROR) || (x->strict && count(d, WARNING)))
		return flush_out(d->c, REFUSED);
	return flush_out(d->c, d->partial ? PARTIAL : DONE);
}

static int doctor(struct ctx *c, struct words *w, const struct command *cmd)
{
	struct arena a = { .blocks = NULL };
	struct doctor d = { .c = c, .a = &a };
	struct fixes x = { 0 };
	int status, err = 0;

	(void)cmd;
	while (words_peek(w) && !err)
		err = parse_word(c, w, &d, &x);
	if (err)
		return complain(c, USAGE);
	if (x.list)
		return print_list(c);
	status = treat(&d, &x);
	doctor_forget(&d);
	arena_free(&a);
	return status;
}

void doctor_codes(FILE *f)
{
	EACH_CHECK(k)
	fprintf(f, "%s\n", k->code);
}

static void details(FILE *f)
{
	fputs("  ROUTE|SID       only what concerns it; an address stands for the entry that holds it\n  table TABLE   "
	      "  in that table\n  --fix           apply the remedies of the codes that follow; \"all\": of every "
	      "finding but those whose remedy\n                  takes something away or can't be undone\n  --strict   "
	      "     warnings count for the exit status too\n  --needs FILE    whether this kernel has what a saved "
	      "state needs (srv6 save -j)\n  --list          the codes\n",
	      f);
}

const struct command doctor_commands[] = {
	{ "doctor", NULL, 0, ANY, doctor,
	  "[ROUTE|SID] [table TABLE] [--strict] [--needs FILE] [--list] [--fix [CODE...]]", "why it does not work", 0,
	  0, details },
	{ 0 },
};

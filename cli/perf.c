// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * srv6 perf: what does this kernel's forwarding cost, behavior by behavior?
 *
 * A child does it all, in namespaces that it makes for itself: the caller's is never touched, and when the child ends,
 * however it ends, nothing is left.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perf.h"

/* ---- options */

struct option_row {
	const char *word, *what;
	size_t offset; /* in struct perf_opts */
	uint32_t min, max;
	const char *arg, *help;
};

/* clang-format off */
#define NUMBER(field, what, min, max, help) { #field, what, offsetof(struct perf_opts, field), min, max, "N", help }
/* clang-format on */

static const struct option_row numbers[] = {
	NUMBER(size, "a frame size", FRAME_MIN, 2048, "bytes of the inner frame, Ethernet header included (88)"),
	NUMBER(segments, "a number of segments", 1, PERF_SEGS_MAX, "segments of an encapsulation (1)"),
	NUMBER(addresses, "a number of addresses", 1, 4096, "IPv6 addresses of the router, beside ::1 (1)"),
	NUMBER(rounds, "a number of rounds", 1, 1000, "rounds, of which medians are taken (9)"),
	NUMBER(frames, "a number of frames", 1000, 100000000, "frames a round, of each behavior (100000)"),
	NUMBER(cpu, "a processor", 0, CPU_SETSIZE - 1, "processor to run on (the last one that is allowed)"),
};

static void details(FILE *f)
{
	size_t i;

	fprintf(f, "\nOptions:\n");
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		fprintf(f, "  --%-9s %-5s %s\n", numbers[i].word, numbers[i].arg, numbers[i].help);
	fprintf(f, "  --%-9s %-5s %s\n", "plot", "FILE", "draw the result: FILE.svg or FILE.png (needs gnuplot)");
	fprintf(f, "  --%-9s %-5s %s\n", "pdr", "", "say what the rate without loss is, and why it is no other");
	fprintf(f, "\nBehaviors:");
	for (i = 0; i < perf_n_rows; i++)
		if (!(perf_rows[i].flags & ROW_BASE))
			fprintf(f, " %s", perf_rows[i].name);
	fprintf(f, "\n");
}

struct selection {
	bool row[64];
	bool any;
};

/* "H.Encaps" selects that row and "H.Encaps/4", its like. */
static bool row_is(const struct perf_row *row, const char *name)
{
	size_t len = strlen(name);

	return !strncasecmp(row->name, name, len) && (!row->name[len] || row->name[len] == '/');
}

static int select_row(struct ctx *c, struct words *w, struct selection *sel)
{
	const char *known[ARRAY_SIZE(sel->row) + 1] = { NULL }, *name = words_peek(w);
	bool found = false;
	size_t i;

	for (i = 0; i < perf_n_rows && i < ARRAY_SIZE(sel->row); i++) {
		known[i] = perf_rows[i].name;
		if (!row_is(&perf_rows[i], name))
			continue;
		sel->row[i] = found = sel->any = true;
	}
	if (!found)
		return words_unknown(c, w, "behavior or option", known);
	words_next(w);
	return 0;
}

static const char *plot_type(const char *file)
{
	const char *dot = strrchr(file, '.');

	return dot && (!strcmp(dot, ".svg") || !strcmp(dot, ".png")) ? dot + 1 : NULL;
}

static int parse_plot(struct ctx *c, struct words *w, struct perf_opts *o)
{
	int rc = words_value(c, w, "a file", &o->plot);

	if (!rc && !plot_type(o->plot))
		rc = fail(c, w, w->i - 1, -EINVAL, "a file name that ends in .svg or .png");
	return rc;
}

static int parse_word(struct ctx *c, struct words *w, struct perf_opts *o, struct selection *sel)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		if (words_take(w, numbers[i].word))
			return words_number(c, w, numbers[i].what, numbers[i].min, numbers[i].max,
					    (uint32_t *)(void *)((char *)o + numbers[i].offset));
	if (words_take(w, "plot"))
		return parse_plot(c, w, o);
	if (words_take(w, "pdr")) {
		o->pdr = true;
		return 0;
	}
	if (words_take(w, "json") || words_take(w, "-j")) {
		c->json = true;
		return 0;
	}
	return select_row(c, w, sel);
}

static int parse(struct ctx *c, struct words *w, struct perf_opts *o, struct selection *sel)
{
	int rc = 0;

	o->sweep = words_take(w, "tunsrc");
	while (words_peek(w) && !rc)
		rc = parse_word(c, w, o, sel);
	if (!rc && o->sweep && sel->any)
		rc = fail(c, w, NO_WORD, -EINVAL, "perf tunsrc measures H.Encaps and H.Encaps.L2: name no behavior");
	return rc;
}

/* ---- in the child */

static int last_cpu(uint32_t *ret)
{
	cpu_set_t set;
	uint32_t i;

	if (sched_getaffinity(0, sizeof(set), &set))
		return -errno;
	for (i = CPU_SETSIZE; i-- > 0;)
		if (CPU_ISSET(i, &set)) {
			*ret = i;
			return 0;
		}
	return -ENODEV;
}

static int pin(struct ctx *c, struct perf_opts *o)
{
	int rc = o->cpu == UINT32_MAX ? last_cpu(&o->cpu) : 0;

	if (!rc)
		rc = perf_pin(o->cpu);
	if (rc)
		return fail(c, NULL, NO_WORD, rc, "cannot run on processor %u: %s", o->cpu, strerror(-rc));
	setpriority(PRIO_PROCESS, 0, -20); /* fewer interruptions; where it is refused, more noise */
	return 0;
}

static void add_rows(struct perf_run *r, const struct selection *sel)
{
	size_t i, b;

	for (i = 0; i < perf_n_rows; i++) {
		const struct perf_row *row = &perf_rows[i];
		bool always = row->flags & ROW_BASE || !strcmp(row->name, "IPv6");

		if (always || (r->o->sweep ? row->flags & ROW_HEADLINE : !sel->any || sel->row[i]))
			for (b = 0; b < (always ? 1 : r->n_boxes); b++)
				run_add(r, row, &r->boxes[b]);
	}
}

static void report(struct ctx *c, const struct perf_run *r)
{
	if (c->json)
		perf_json(c, r);
	else
		perf_text(c, r);
}

/* What should have been measured and was not, and what was lost, makes the answer incomplete. */
static int run_status(struct ctx *c, const struct perf_run *r)
{
	size_t i, faults = 0;

	for (i = 0; i < r->n_cases; i++)
		faults += r->cases[i].wrong || r->cases[i].lost;
	if (!r->n_measured) {
		fail(c, NULL, NO_WORD, -EIO, "nothing could be measured");
		return complain(c, REFUSED);
	}
	return faults ? PARTIAL : DONE;
}

static int run(struct ctx *c, struct perf_opts *o, const struct selection *sel)
{
	static const uint32_t sweep[] = { 1, 4, 16, 64, 256 };
	struct perf_run r = { .o = o };
	int rc, status = REFUSED;

	rc = pin(c, o);
	if (!rc)
		rc = o->sweep ? run_open(c, &r, sweep, ARRAY_SIZE(sweep)) : run_open(c, &r, &o->addresses, 1);
	if (!rc) {
		add_rows(&r, sel);
		rc = run_measure(c, &r);
	}
	if (rc) {
		complain(c, REFUSED);
	} else {
		report(c, &r);
		status = run_status(c, &r);
		if (o->plot && perf_plot(c, &r))
			status = complain(c, REFUSED);
	}
	run_close(&r);
	return status;
}

/* ---- in the parent */

static volatile sig_atomic_t child;

static void forward(int sig)
{
	if (child > 0)
		kill(child, sig);
}

static void on_signals(void (*handler)(int))
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction sa = { .sa_handler = handler };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &sa, NULL);
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return REFUSED;
	on_signals(SIG_DFL);
	child = 0;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[K");
	fflush(stderr);
	raise(WTERMSIG(status)); /* end as the child did */
	return REFUSED;
}

static int run_child(struct ctx *c, struct perf_opts *o, const struct selection *sel, pid_t parent)
{
	int status;

	on_signals(SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* gone before that was set */
		return REFUSED;
	c->s = NULL; /* the parent's, and in its namespace */
	status = run(c, o, sel);
	return flush_out(c, status);
}

static int start(struct ctx *c, struct perf_opts *o, const struct selection *sel)
{
	pid_t pid, parent = getpid();

	fflush(c->out);
	on_signals(forward);
	pid = fork();
	if (pid < 0) {
		on_signals(SIG_DFL);
		fail(c, NULL, NO_WORD, -errno, "cannot start a process: %s", strerror(errno));
		return complain(c, REFUSED);
	}
	if (!pid)
		_exit(run_child(c, o, sel, parent));
	child = pid;
	return wait_for(pid);
}

/* What can be told before a minute has passed. */
static int check(struct ctx *c, const struct perf_opts *o)
{
	if (geteuid())
		return fail(c, NULL, NO_WORD, -EPERM,
			    "perf needs root: it makes network namespaces and runs BPF programs");
	if (o->plot && !perf_can_plot())
		return fail(c, NULL, NO_WORD, -ENOENT, "gnuplot is not installed, and --plot needs it");
	return o->plot ? perf_plot_check(c, o->plot) : 0;
}

static int perf_main(struct ctx *c, struct words *w, const struct command *cmd)
{
	struct perf_opts o = {
		.size = FRAME_MIN, .segments = 1, .addresses = 1, .rounds = 9, .frames = 100000, .cpu = UINT32_MAX
	};
	struct selection sel = { .any = false };

	(void)cmd;
	if (parse(c, w, &o, &sel))
		return complain(c, USAGE);
	if (check(c, &o))
		return complain(c, REFUSED);
	return start(c, &o, &sel);
}

const struct command perf_commands[] = {
	{ "perf", NULL, 0, ANY, perf_main, "[tunsrc | BEHAVIOR...] [OPTIONS]",
	  "what forwarding costs, measured on this machine", 0, CMD_NO_NETNS, details },
	{ 0 },
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* What "srv6 perf" found, as text, as JSON, and drawn. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <json-c/json.h>

#include "perf.h"

#define NOISY 5.0 /* per cent between quartiles */

static const char *const variants[] = { [VARIANT_PLAIN] = "", [VARIANT_TUNSRC] = "tunsrc", [VARIANT_COUNT] = "count" };

static double kpps(double ns)
{
	return 1e6 / ns;
}

static const char *cpu_name(char *buf, size_t len)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	char line[256];

	snprintf(buf, len, "unknown processor");
	while (f && fgets(line, sizeof(line), f)) {
		char *colon = strchr(line, ':');

		if (strncmp(line, "model name", 10) || !colon)
			continue;
		colon[strcspn(colon, "\n")] = '\0';
		snprintf(buf, len, "%s", colon + 1 + strspn(colon + 1, " "));
		break;
	}
	if (f)
		fclose(f);
	return buf;
}

/* What the case is compared with: plain forwarding of the same family. NULL: nothing. */
static const struct perf_case *plain_of(const struct perf_run *r, const struct perf_case *k)
{
	const struct perf_case *plain;

	if (k->row->flags & ROW_BASE)
		return NULL;
	plain = run_find(r, k->row->in.inner == INNER_IP4 ? "IPv4" : "IPv6", VARIANT_PLAIN, k->box);
	return plain ? plain : run_find(r, "IPv6", VARIANT_PLAIN, &r->boxes[0]);
}

/* And itself with a tunnel source. */
static const struct perf_case *tunsrc_of(const struct perf_run *r, const struct perf_case *k)
{
	return k->row->flags & ROW_TUNSRC ? run_find(r, k->row->name, VARIANT_TUNSRC, k->box) : NULL;
}

static double spread_of(const struct perf_case *k)
{
	return 100 * (k->f.q3 - k->f.q1) / k->f.median;
}

static double undisturbed(const struct perf_run *r)
{
	return r->passes ? 100 * (double)r->undisturbed / (double)r->passes : 0;
}

/* ---- text */

static void print_ratio(FILE *f, const struct perf_case *k, const struct perf_case *base)
{
	if (base)
		fprintf(f, " %9.2f", k->f.median / base->f.median);
	else
		fprintf(f, " %9s", "");
}

static void text_head(FILE *f, const struct perf_run *r)
{
	const struct perf_opts *o = r->o;
	struct utsname u;
	char cpu[128];

	uname(&u);
	fprintf(f, "Linux %s, %s, processor %u\n", u.release, cpu_name(cpu, sizeof(cpu)), o->cpu);
	fprintf(f, "%u-byte frames, %u segment%s, %u rounds of up to %u frames, tunsrc of the %s\n", o->size,
		o->segments, o->segments == 1 ? "" : "s", o->rounds, o->frames,
		o->route_tunsrc ? "route" : "namespace");
}

static void text_rows(FILE *f, const struct perf_run *r)
{
	size_t i;

	fprintf(f, "\n%-16s %-7s %9s %9s %9s %8s %9s %9s\n", "behavior", "variant", "ns/frame", "quartile", "quartile",
		"kpps", "to plain", "to tunsrc");
	for (i = 0; i < r->n_cases; i++) {
		const struct perf_case *k = &r->cases[i];

		if (*k->lacks)
			continue;
		fprintf(f, "%-16s %-7s %9.1f %9.1f %9.1f %8.0f", k->row->name, variants[k->variant], k->f.median,
			k->f.q1, k->f.q3, kpps(k->f.median));
		print_ratio(f, k, plain_of(r, k));
		print_ratio(f, k, tunsrc_of(r, k));
		fprintf(f, "\n");
	}
}

static void sweep_row(FILE *f, const struct perf_run *r, const char *name, const struct box *b)
{
	const struct perf_case *unset = run_find(r, name, VARIANT_PLAIN, b);
	const struct perf_case *set = run_find(r, name, VARIANT_TUNSRC, b);

	if (!unset || !set)
		return;
	fprintf(f, "%-12s %9u %9.1f %8.0f %6.1f%% %9.1f %8.0f %6.1f%% %+9.1f%%\n", name, b->addresses, unset->f.median,
		kpps(unset->f.median), spread_of(unset), set->f.median, kpps(set->f.median), spread_of(set),
		100 * (unset->f.median / set->f.median - 1));
}

static void text_sweep(FILE *f, const struct perf_run *r)
{
	const struct perf_case *plain = run_find(r, "IPv6", VARIANT_PLAIN, &r->boxes[0]);
	size_t i, b;

	fprintf(f, "\n%-12s %9s %26s %26s %10s\n", "", "", "------ without tunsrc ----", "------- with tunsrc ------",
		"");
	fprintf(f, "%-12s %9s %9s %8s %7s %9s %8s %7s %10s\n", "behavior", "addresses", "ns/frame", "kpps", "spread",
		"ns/frame", "kpps", "spread", "gain");
	for (i = 0; i < perf_n_rows; i++)
		for (b = 0; perf_rows[i].flags & ROW_HEADLINE && b < r->n_boxes; b++)
			sweep_row(f, r, perf_rows[i].name, &r->boxes[b]);
	if (plain)
		fprintf(f, "\nplain IPv6: %.1f ns, %.0f kpps\n", plain->f.median, kpps(plain->f.median));
}

/* The instrument's own share, which is in all figures. */
static void text_base(FILE *f, const struct perf_run *r)
{
	size_t i;

	fprintf(f, "\nIn all of these:\n");
	for (i = 0; i < r->n_cases; i++)
		if (r->cases[i].row->flags & ROW_BASE && !*r->cases[i].lacks)
			fprintf(f, "  %-10s %6.1f ns  %s\n", r->cases[i].row->name, r->cases[i].f.median,
				r->cases[i].row->help);
}

static void text_lacks(FILE *f, const struct perf_run *r)
{
	bool head = false;
	size_t i;

	for (i = 0; i < r->n_cases; i++) {
		const struct perf_case *k = &r->cases[i];

		if (!*k->lacks)
			continue;
		fprintf(f, "%s  %-16s %-7s %s\n", head ? "" : "\nNot measured:\n", k->row->name, variants[k->variant],
			k->lacks);
		head = true;
	}
}

static void print_case(FILE *f, const struct perf_run *r, const struct perf_case *k)
{
	fprintf(f, "%s", k->row->name);
	if (*variants[k->variant])
		fprintf(f, " %s", variants[k->variant]);
	if (r->n_boxes > 1)
		fprintf(f, ", %u address%s", k->box->addresses, k->box->addresses == 1 ? "" : "es");
}

static void text_doubts(FILE *f, const struct perf_run *r)
{
	size_t i;

	for (i = 0; i < r->n_cases; i++) {
		const struct perf_case *k = &r->cases[i];

		if (!k->lost && !k->disturbed)
			continue;
		print_case(f, r, k);
		if (k->lost)
			fprintf(f, ": %llu frames lost on the way, so that its cost is too low\n",
				(unsigned long long)k->lost);
		else
			fprintf(f, ": %u of %u rounds had no undisturbed pass\n", k->disturbed, r->o->rounds);
	}
}

static const char pdr_why[] =
	"frames are sent, forwarded and counted one batch after the other on one processor, so that "
	"no queue can overflow: the rate without loss is the rate measured";

static void text_foot(FILE *f, const struct perf_run *r)
{
	fprintf(f, "\nAll frames sent arrived as they should, unless said otherwise.\n");
	fprintf(f,
		"Noise: between quartiles lie %.1f %% of the median, %.1f %% at most; "
		"%.0f %% of the passes were undisturbed.\n",
		r->noise, r->spread, undisturbed(r));
	text_doubts(f, r);
	if (r->spread > NOISY)
		fprintf(f,
			"Over %.0f %%: the machine is too busy for small differences. "
			"Stop what runs beside, or ask for more --rounds.\n",
			NOISY);
	if (r->o->pdr)
		fprintf(f, "PDR: not searched for; %s.\n", pdr_why);
}

void perf_text(struct ctx *c, const struct perf_run *r)
{
	FILE *f = c->out;

	text_head(f, r);
	if (r->o->sweep)
		text_sweep(f, r);
	else
		text_rows(f, r);
	if (r->o->sweep)
		text_base(f, r);
	text_lacks(f, r);
	text_foot(f, r);
}

/* ---- JSON */

static void put_number(struct json_object *o, const char *key, double v)
{
	char text[32];

	snprintf(text, sizeof(text), "%.3f", v);
	json_object_object_add(o, key, json_object_new_double_s(v, text));
}

static void put_int(struct json_object *o, const char *key, uint64_t v)
{
	json_object_object_add(o, key, json_object_new_int64((int64_t)v));
}

static void put_text(struct json_object *o, const char *key, const char *v)
{
	json_object_object_add(o, key, json_object_new_string(v));
}

static struct json_object *json_machine(const struct perf_run *r)
{
	struct json_object *o = json_object_new_object();
	struct utsname u;
	char cpu[128];

	uname(&u);
	put_text(o, "kernel", u.release);
	put_text(o, "machine", u.machine);
	put_text(o, "processor", cpu_name(cpu, sizeof(cpu)));
	put_int(o, "processors", (uint64_t)sysconf(_SC_NPROCESSORS_ONLN));
	put_int(o, "cpu", r->o->cpu);
	return o;
}

static struct json_object *json_method(const struct perf_run *r)
{
	struct json_object *o = json_object_new_object();

	put_text(o, "generator", "BPF_PROG_TEST_RUN with live frames");
	put_text(o, "clock", "CPU time of the thread");
	put_text(o, "rate", "MRR");
	put_text(o, "tunsrc", r->o->route_tunsrc ? "route" : "namespace");
	put_int(o, "size", r->o->size);
	put_int(o, "segments", r->o->segments);
	put_int(o, "rounds", r->o->rounds);
	put_int(o, "frames", r->o->frames);
	put_int(o, "headroom", r->headroom);
	if (r->o->pdr)
		put_text(o, "pdr", pdr_why);
	return o;
}

static struct json_object *json_row(const struct perf_run *r, const struct perf_case *k)
{
	const struct perf_case *plain = plain_of(r, k), *set = tunsrc_of(r, k);
	struct json_object *o = json_object_new_object();

	put_text(o, "behavior", k->row->name);
	if (*variants[k->variant])
		put_text(o, "variant", variants[k->variant]);
	put_int(o, "addresses", k->box->addresses);
	if (*k->lacks) {
		put_text(o, "why", k->lacks);
		json_object_object_add(o, "fault", json_object_new_boolean(k->wrong));
		return o;
	}
	put_number(o, "ns", k->f.median);
	put_number(o, "quartile1", k->f.q1);
	put_number(o, "quartile3", k->f.q3);
	put_number(o, "wall_ns", k->f.wall);
	put_number(o, "kpps", kpps(k->f.median));
	put_int(o, "frames", k->frames);
	put_int(o, "lost", k->lost);
	put_int(o, "disturbed", k->disturbed);
	if (plain)
		put_number(o, "to_plain", k->f.median / plain->f.median);
	if (set)
		put_number(o, "to_tunsrc", k->f.median / set->f.median);
	return o;
}

void perf_json(struct ctx *c, const struct perf_run *r)
{
	struct json_object *o = json_object_new_object(), *noise = json_object_new_object();
	struct json_object *rows = json_object_new_array(), *lacks = json_object_new_array();
	size_t i;

	for (i = 0; i < r->n_cases; i++)
		json_object_array_add(*r->cases[i].lacks ? lacks : rows, json_row(r, &r->cases[i]));
	put_number(noise, "median_spread", r->noise);
	put_number(noise, "max_spread", r->spread);
	put_number(noise, "undisturbed", undisturbed(r));
	json_object_object_add(noise, "noisy", json_object_new_boolean(r->spread > NOISY));
	put_int(o, "srv6", 1);
	json_object_object_add(o, "machine", json_machine(r));
	json_object_object_add(o, "method", json_method(r));
	json_object_object_add(o, "rows", rows);
	json_object_object_add(o, "skipped", lacks);
	json_object_object_add(o, "noise", noise);
	print_json(c, o);
}

/* ---- drawn by gnuplot, which is given its commands and data on standard input and the file as standard output */

bool perf_can_plot(void)
{
	const char *path = getenv("PATH"), *end;
	char file[4096];

	for (; path && *path; path = *end ? end + 1 : end) {
		end = path + strcspn(path, ":");
		snprintf(file, sizeof(file), "%.*s/gnuplot", (int)(end - path), path);
		if (!access(file, X_OK))
			return true;
	}
	return false;
}

static void plot_rows(FILE *f, const struct perf_run *r)
{
	size_t i;

	fprintf(f, "$d << EOD\n");
	for (i = 0; i < r->n_cases; i++) {
		const struct perf_case *k = &r->cases[i];

		if (!*k->lacks)
			fprintf(f, "\"%s%s%s\" %.1f %.1f %.1f\n", k->row->name, *variants[k->variant] ? " " : "",
				variants[k->variant], k->f.median, k->f.q1, k->f.q3);
	}
	fprintf(f, "EOD\nset style fill solid 0.6\nset boxwidth 0.7\nset yrange [0:*]\nset xtics rotate by 60 right\n"
		   "set ylabel 'ns a frame'\nunset key\nset grid y\n"
		   "plot $d using 0:2:xtic(1) with boxes, $d using 0:2:3:4 with yerrorbars pt 0 lc 'black'\n");
}

static void plot_sweep_data(FILE *f, const struct perf_run *r, const char *block, const char *name, uint32_t variant)
{
	size_t b;

	fprintf(f, "$%s << EOD\n", block);
	for (b = 0; b < r->n_boxes; b++) {
		const struct perf_case *k = run_find(r, name, variant, &r->boxes[b]);

		if (k)
			fprintf(f, "%u %.1f\n", k->box->addresses, kpps(k->f.median));
	}
	fprintf(f, "EOD\n");
}

static void plot_sweep(FILE *f, const struct perf_run *r)
{
	plot_sweep_data(f, r, "v6", "H.Encaps", VARIANT_PLAIN);
	plot_sweep_data(f, r, "v6set", "H.Encaps", VARIANT_TUNSRC);
	plot_sweep_data(f, r, "l2", "H.Encaps.L2", VARIANT_PLAIN);
	plot_sweep_data(f, r, "l2set", "H.Encaps.L2", VARIANT_TUNSRC);
	fprintf(f, "set logscale x 2\nset yrange [0:*]\nset xlabel 'addresses'\nset ylabel 'kpps'\nset grid\n"
		   "plot $v6set with linespoints title 'H.Encaps, tunsrc', "
		   "$l2set with linespoints title 'H.Encaps.L2, tunsrc', "
		   "$v6 with linespoints title 'H.Encaps', $l2 with linespoints title 'H.Encaps.L2'\n");
}

static pid_t plot_start(int out, int *ret)
{
	int pipes[2];
	pid_t pid;

	if (pipe2(pipes, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid) {
		dup2(pipes[0], STDIN_FILENO);
		dup2(out, STDOUT_FILENO);
		execlp("gnuplot", "gnuplot", "-", (char *)NULL);
		_exit(127);
	}
	close(pipes[0]);
	if (pid < 0)
		close(pipes[1]);
	else
		*ret = pipes[1];
	return pid;
}

static int plot_write(const struct perf_run *r, int fd)
{
	FILE *f = fdopen(fd, "w");
	struct utsname u;

	if (!f) {
		close(fd);
		return -errno;
	}
	uname(&u);
	fprintf(f, "set terminal %s size 1000,600\nset title 'srv6 perf, Linux %s' noenhanced\n",
		strcmp(r->o->plot + strlen(r->o->plot) - 4, ".svg") ? "png" : "svg", u.release);
	if (r->o->sweep)
		plot_sweep(f, r);
	else
		plot_rows(f, r);
	return fclose(f) ? -EIO : 0;
}

/* Before a minute is spent on what can't be drawn. A file that is there stays as it is until then. */
int perf_plot_check(struct ctx *c, const char *file)
{
	bool there = !access(file, F_OK);
	int fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);

	if (fd < 0)
		return fail(c, NULL, NO_WORD, -errno, "cannot write %s: %s", file, strerror(errno));
	close(fd);
	if (!there)
		unlink(file);
	return 0;
}

int perf_plot(struct ctx *c, const struct perf_run *r)
{
	int out, in, rc, status;
	pid_t pid;

	out = open(r->o->plot, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (out < 0)
		return fail(c, NULL, NO_WORD, -errno, "cannot write %s: %s", r->o->plot, strerror(errno));
	pid = plot_start(out, &in);
	close(out);
	if (pid < 0)
		return fail(c, NULL, NO_WORD, -errno, "cannot start gnuplot: %s", strerror(errno));
	rc = plot_write(r, in);
	if (waitpid(pid, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) || rc)
		return fail(c, NULL, NO_WORD, -EIO, "gnuplot failed: %s is not whole", r->o->plot);
	return 0;
}

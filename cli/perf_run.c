// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Cases and rounds of "srv6 perf". Every case is tried first: what arrives must be what the row says, byte by byte.
 * Then all cases are measured in turn, many times over, so that whatever disturbs the machine for a while disturbs them
 * alike, and medians are taken of rounds of turns. All frames must arrive here too, with the right length and
 * addresses.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "perf.h"

#define TRIAL        64    /* frames: one batch of the engine */
#define WARM         512   /* frames before each measurement: caches, and those that routes have */
#define ROUND_NS     60e6  /* all passes of a round: a short pass is the more likely to be undisturbed */
#define FRAMES_LEAST 2000u /* but so many frames there are */
#define PASSES       25u   /* a round, unless they would be shorter than */
#define PASS_LEAST   2000u /* frames: starting a test run costs as much as some dozens */
#define CALM_MS      10    /* before each pass */
#define SETTLE_MS    50    /* the longest that the far end is waited for */

/* ---- one case */

/* The far end runs in softirqs: mostly done when the test run returns, always a little later. */
static void settle(const struct sink *s, uint64_t frames)
{
	const struct timespec ms = { .tv_nsec = 1000000 };
	volatile const uint64_t *right = &s->shared->right;
	int i;

	for (i = 0; i < SETTLE_MS && *right < frames; i++)
		nanosleep(&ms, NULL);
}

static int send_frames(struct perf_run *r, struct perf_case *k, uint32_t frames, struct cost *ret)
{
	bool arrive = !(k->row->flags & ROW_BASE);
	int rc;

	sink_expect(&r->sink, &k->out);
	rc = gen_run(k->prog, k->box->in, &k->in, r->headroom, frames, ret);
	if (!rc && arrive)
		settle(&r->sink, frames);
	return rc;
}

static void lacks(struct perf_case *k, const char *what, const char *why)
{
	snprintf(k->lacks, sizeof(k->lacks), "%s%s%s", what, *what ? ": " : "", why);
}

/* Where a and b differ first; -1: nowhere. */
static int differ(const struct frame *want, const struct sink_shared *got)
{
	uint32_t i, n = got->sample_len < want->len ? (uint32_t)got->sample_len : want->len;

	for (i = 0; i < n; i++)
		if (want->data[i] != got->frame[i])
			return (int)i;
	return got->sample_len == want->len ? -1 : (int)n;
}

/* What arrived in the trial, against what should have. The router's own multicast reports may come as well. */
static void judge(const struct perf_run *r, struct perf_case *k)
{
	const struct sink_shared *got = r->sink.shared;
	int at = differ(&k->out, got);
	char text[160];

	if (got->right == TRIAL && at < 0)
		return;
	if (got->right && got->right < TRIAL)
		snprintf(text, sizeof(text), "of %d frames %llu arrived", TRIAL, (unsigned long long)got->right);
	else if (!got->right && got->other < TRIAL)
		snprintf(text, sizeof(text), "no frame arrived");
	else if (got->sample_len != k->out.len)
		snprintf(text, sizeof(text), "frames of %llu bytes arrived, %u were expected",
			 (unsigned long long)got->sample_len, k->out.len);
	else
		snprintf(text, sizeof(text), "byte %d of the frame is %02x, not %02x", at, got->frame[at],
			 k->out.data[at]);
	k->wrong = true;
	lacks(k, "not forwarded as it should be", text);
}

/* A behavior that is proposed: as the first frames are, all others must be. */
static int learn(struct perf_run *r, struct perf_case *k)
{
	struct cost cost = { 0 };
	int rc = send_frames(r, k, TRIAL, &cost);

	if (rc || r->sink.shared->other < TRIAL)
		return rc;
	k->out.len = (uint32_t)r->sink.shared->sample_len;
	memcpy(k->out.data, r->sink.shared->frame, k->out.len);
	return 0;
}

/*
 * A test run of a program that no device has attached makes the kernel rewrite its dispatcher of XDP programs first,
 * which takes a thousand times as long as a frame. So the generator is attached, though the device itself never runs
 * it.
 */
static int install(struct perf_run *r, struct perf_case *k)
{
	int rc = box_enter(k->box);

	if (!rc)
		rc = xdp_replace(k->box->links[0], k->prog);
	return rc ? rc : row_install(k->row, k->variant, r->o, k->box);
}

/* Slow cases send fewer frames: the cost of each is the larger, and so is the accuracy. */
static uint32_t enough_frames(const struct perf_run *r, double cost)
{
	double n = ROUND_NS / (cost > 1 ? cost : 1);

	if (n < FRAMES_LEAST)
		n = FRAMES_LEAST;
	return n < r->o->frames ? (uint32_t)n : r->o->frames;
}

static void try_case(struct perf_run *r, struct perf_case *k)
{
	struct cost cost = { 0 };
	int rc = install(r, k);

	if (rc) {
		k->wrong = rc != -EOPNOTSUPP && rc != -ENODEV;
		lacks(k, "route refused", srv6_error(k->box->s)->text);
		return;
	}
	if (k->row->flags & ROW_LOOSE)
		rc = learn(r, k);
	if (!rc)
		rc = send_frames(r, k, TRIAL, &cost);
	if (!rc && !(k->row->flags & ROW_BASE))
		judge(r, k);
	if (!rc)
		rc = send_frames(r, k, WARM, &cost);
	if (rc)
		lacks(k, "test run refused", strerror(-rc));
	k->wrong = k->wrong || rc;
	k->frames = enough_frames(r, cost.cpu);
	rc = row_remove(k->row, k->variant, r->o, k->box);
	if (rc && !*k->lacks) {
		k->wrong = true;
		lacks(k, "route not removed", srv6_error(k->box->s)->text);
	}
}

static int case_fail(struct ctx *c, const struct perf_case *k, int rc, const char *what)
{
	const char *text = srv6_error(k->box->s)->code ? srv6_error(k->box->s)->text : strerror(-rc);

	return fail(c, NULL, NO_WORD, rc, "%s: cannot %s: %s", k->row->name, what, text);
}

/*
 * A pass counts when the thread had the processor all the time: then its CPU time is right. Otherwise something else
 * ran in between, and left its traces in the caches; and a virtual machine's kernel takes off the time that the host
 * took away, at times more than it should.
 */
static bool undisturbed(double cpu, double wall)
{
	return cpu >= 0.97 * wall;
}

/*
 * Of a round's passes the cheapest undisturbed one, for whatever else happens only adds to the cost; where there is
 * none the least disturbed.
 */
static void keep(struct perf_run *r, struct perf_case *k, uint32_t round, const struct cost *cost)
{
	double *cpu = &k->cpu[round], *wall = &k->wall[round];
	bool good = undisturbed(cost->cpu, cost->wall), was_good = *wall > 0 && undisturbed(*cpu, *wall);

	r->passes++;
	r->undisturbed += good;
	if (*wall > 0 && (good < was_good || (good && was_good && cost->cpu >= *cpu) ||
			  (!good && cost->cpu * *wall <= *cpu * cost->wall)))
		return;
	*cpu = cost->cpu;
	*wall = cost->wall;
}

static uint32_t passes(const struct perf_opts *o)
{
	uint32_t n = o->frames / PASS_LEAST;

	return n > PASSES ? PASSES : n ? n : 1;
}

static int send_pass(struct perf_run *r, struct perf_case *k, uint32_t round)
{
	struct cost cost = { 0 };
	uint32_t n = k->frames / passes(r->o);
	int rc = send_frames(r, k, n < WARM ? n : WARM, &cost);

	if (!rc)
		rc = send_frames(r, k, n, &cost);
	if (rc)
		return rc;
	keep(r, k, round, &cost);
	if (!(k->row->flags & ROW_BASE))
		k->lost += n - r->sink.shared->right;
	return 0;
}

/* Lets the kernel do what the change of routes has left for later: it frees the old ones behind our back. */
static void calm(void)
{
	const struct timespec pause = { .tv_nsec = CALM_MS * 1000000 };

	nanosleep(&pause, NULL);
}

static int measure_case(struct ctx *c, struct perf_run *r, struct perf_case *k, uint32_t round)
{
	int rc = install(r, k);

	if (rc)
		return case_fail(c, k, rc, "install its route");
	calm();
	rc = send_pass(r, k, round);
	if (rc)
		return fail(c, NULL, NO_WORD, rc, "%s: the test run ended: %s", k->row->name, strerror(-rc));
	rc = row_remove(k->row, k->variant, r->o, k->box);
	return rc ? case_fail(c, k, rc, "remove its route") : 0;
}

/* ---- figures */

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* v sorted; between two of them, in proportion. */
static double quantile(const double *v, uint32_t n, double q)
{
	double at = q * (n - 1);
	uint32_t i = (uint32_t)at;

	return i + 1 < n ? v[i] + (at - i) * (v[i + 1] - v[i]) : v[i];
}

static double case_spread(const struct perf_case *k)
{
	return 100 * (k->f.q3 - k->f.q1) / k->f.median;
}

static void case_figures(struct perf_case *k, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		k->disturbed += !undisturbed(k->cpu[i], k->wall[i]);
	qsort(k->cpu, n, sizeof(*k->cpu), by_value);
	qsort(k->wall, n, sizeof(*k->wall), by_value);
	k->f.median = quantile(k->cpu, n, 0.5);
	k->f.q1 = quantile(k->cpu, n, 0.25);
	k->f.q3 = quantile(k->cpu, n, 0.75);
	k->f.wall = quantile(k->wall, n, 0.5);
}

static void run_figures(struct perf_run *r)
{
	double *spreads = calloc(r->n_cases + 1, sizeof(*spreads));
	uint32_t n = 0;
	size_t i;

	for (i = 0; i < r->n_cases; i++) {
		struct perf_case *k = &r->cases[i];

		if (*k->lacks)
			continue;
		case_figures(k, r->o->rounds);
		r->n_measured += !(k->row->flags & ROW_BASE);
		if (case_spread(k) > r->spread)
			r->spread = case_spread(k);
		if (spreads)
			spreads[n++] = case_spread(k);
	}
	if (n) {
		qsort(spreads, n, sizeof(*spreads), by_value);
		r->noise = quantile(spreads, n, 0.5);
	}
	free(spreads);
}

/* ---- the run */

static void progress(const struct ctx *c, uint32_t turn, uint32_t turns, const struct perf_case *k)
{
	static const char *const variants[] = { "", " tunsrc", " count" };

	if (c->quiet || !isatty(STDERR_FILENO))
		return;
	if (!k)
		fprintf(stderr, "\r\033[K");
	else if (!turn)
		fprintf(stderr, "\rtrying %s%s\033[K", k->row->name, variants[k->variant]);
	else
		fprintf(stderr, "\r%u of %u: %s%s\033[K", turn, turns, k->row->name, variants[k->variant]);
	fflush(stderr);
}

static int measure_turn(struct ctx *c, struct perf_run *r, uint32_t turn, uint32_t turns)
{
	size_t i;
	int rc;

	for (i = 0; i < r->n_cases; i++) {
		if (*r->cases[i].lacks)
			continue;
		progress(c, turn + 1, turns, &r->cases[i]);
		rc = measure_case(c, r, &r->cases[i], turn % r->o->rounds);
		if (rc)
			return rc;
	}
	return 0;
}

/* The passes of a round are spread over the whole run: what disturbs the machine for a while disturbs all rounds alike.
 */
int run_measure(struct ctx *c, struct perf_run *r)
{
	uint32_t turn, turns = passes(r->o) * r->o->rounds;
	size_t i;
	int rc = 0;

	for (i = 0; i < r->n_cases; i++) {
		progress(c, 0, 0, &r->cases[i]);
		if (!*r->cases[i].lacks)
			try_case(r, &r->cases[i]);
	}
	for (turn = 0; turn < turns && !rc; turn++)
		rc = measure_turn(c, r, turn, turns);
	progress(c, 0, 0, NULL);
	if (!rc)
		run_figures(r);
	return rc;
}

static int case_prepare(struct perf_run *r, struct perf_case *k)
{
	const struct in6_addr plain = perf_in6(ADDR_ROUTER), set = perf_in6(ADDR_TUNSRC), src = perf_in6(ADDR_SRC);
	int rc;

	rc = frame_build(&k->in, &k->row->in, r->o, &src, false);
	if (!rc && !(k->row->flags & ROW_LOOSE)) {
		const struct in6_addr *outer = k->variant == VARIANT_TUNSRC ? &set : &plain;

		/* A headend writes a source of its own; everything else leaves the one that came. */
		rc = frame_build(&k->out, &k->row->out, r->o, k->row->in.wrap ? &src : outer, true);
	}
	if (!rc && r->headroom + k->in.len > FRAME_ROOM)
		rc = -EMSGSIZE;
	if (!rc)
		k->prog = gen_load(&k->in, r->headroom, k->row->flags & ROW_DROP);
	k->cpu = calloc(r->o->rounds, sizeof(*k->cpu));
	k->wall = calloc(r->o->rounds, sizeof(*k->wall));
	if (!k->cpu || !k->wall)
		rc = -ENOMEM;
	return k->prog < 0 ? k->prog : rc;
}

static void case_add(struct perf_run *r, const struct perf_row *row, uint32_t variant, struct box *b)
{
	struct perf_case *k;
	int rc;

	if (r->n_cases == r->cap_cases) {
		size_t cap = r->cap_cases ? 2 * r->cap_cases : 32;

		k = realloc(r->cases, cap * sizeof(*k));
		if (!k)
			abort();
		r->cases = k;
		r->cap_cases = cap;
	}
	k = &r->cases[r->n_cases++];
	memset(k, 0, sizeof(*k));
	k->row = row;
	k->variant = variant;
	k->box = b;
	if (row_lacks(row, b, k->lacks, sizeof(k->lacks)))
		return;
	rc = case_prepare(r, k);
	if (!rc)
		return;
	k->wrong = true;
	lacks(k, "",
	      rc == -EMSGSIZE ? "the frame is too large for a test run: ask for a smaller --size or fewer --segments"
			      : strerror(-rc));
}

void run_add(struct perf_run *r, const struct perf_row *row, struct box *b)
{
	case_add(r, row, VARIANT_PLAIN, b);
	if (row->flags & ROW_TUNSRC)
		case_add(r, row, VARIANT_TUNSRC, b);
	if (row->flags & ROW_COUNT)
		case_add(r, row, VARIANT_COUNT, b);
}

/*
 * Room in front of a frame for all that a behavior adds, beyond the 256 bytes that a test run leaves anyway and that
 * the far end wants to find untouched.
 */
static uint32_t headroom(const struct perf_opts *o)
{
	return 128 + 16 * (o->segments + 1);
}

/* Whether the instrument works here, before anything is built on it. */
static int probe(struct ctx *c, struct perf_run *r, struct box *b)
{
	const struct shape shape = { .inner = INNER_IP6, .hops = 64 };
	const struct in6_addr src = { 0 };
	struct frame f;
	struct cost cost;
	int prog, rc;

	rc = frame_build(&f, &shape, r->o, &src, false);
	if (rc || r->headroom + f.len > FRAME_ROOM)
		return fail(c, NULL, NO_WORD, -EMSGSIZE,
			    "frames of %u bytes and %u segments are too large for a test run", r->o->size,
			    r->o->segments);
	prog = gen_load(&f, r->headroom, true);
	rc = prog < 0 ? prog : gen_run(prog, b->in, &f, r->headroom, 1, &cost);
	if (prog >= 0)
		close(prog);
	if (!rc)
		return 0;
	fail(c, NULL, NO_WORD, rc, "cannot run an XDP program with live frames: %s", strerror(-rc));
	return fail_remedy(c, "this needs Linux 5.18 or later, with BPF and XDP, and CAP_BPF and CAP_NET_ADMIN");
}

static int box_start(struct ctx *c, struct perf_run *r, struct box *b, uint32_t addresses)
{
	int rc = box_open(c, b, addresses, &r->sink);

	if (rc)
		return rc;
	rc = box_routes(b);
	if (!rc)
		return probe(c, r, b);
	fail_lib(c, NULL, srv6_error(b->s));
	return rc;
}

int run_open(struct ctx *c, struct perf_run *r, const uint32_t *addresses, size_t n)
{
	const char *what;
	int rc;

	r->headroom = headroom(r->o);
	rc = sink_open(&r->sink, &what);
	if (rc) {
		fail(c, NULL, NO_WORD, rc, "cannot make %s: %s", what, strerror(-rc));
		return fail_remedy(
			c, "this needs BPF in the kernel, and CAP_BPF and CAP_NET_ADMIN in the initial user namespace");
	}
	r->boxes = calloc(n, sizeof(*r->boxes));
	if (!r->boxes)
		return fail(c, NULL, NO_WORD, -ENOMEM, "out of memory");
	while (r->n_boxes < n) {
		struct box *b = &r->boxes[r->n_boxes++];

		rc = box_start(c, r, b, addresses[r->n_boxes - 1]);
		if (rc)
			return rc;
	}
	r->o->route_tunsrc = srv6_can(r->boxes[0].s, SRV6_H_ENCAPS, SRV6_ATTR_TUNSRC, 0) == SRV6_CAN_YES;
	return 0;
}

void run_close(struct perf_run *r)
{
	size_t i;

	for (i = 0; i < r->n_cases; i++) {
		if (r->cases[i].prog > 0)
			close(r->cases[i].prog);
		free(r->cases[i].cpu);
		free(r->cases[i].wall);
	}
	free(r->cases);
	for (i = 0; i < r->n_boxes; i++)
		box_close(&r->boxes[i]);
	free(r->boxes);
	sink_close(&r->sink);
	memset(r, 0, sizeof(*r));
}

const struct perf_case *run_find(const struct perf_run *r, const char *name, uint32_t variant, const struct box *b)
{
	size_t i;

	for (i = 0; i < r->n_cases; i++) {
		const struct perf_case *k = &r->cases[i];

		if (!strcmp(k->row->name, name) && k->variant == variant && k->box == b && !*k->lacks)
			return k;
	}
	return NULL;
}

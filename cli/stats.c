/* SPDX-License-Identifier: GPL-2.0-or-later */
/* srv6 stats: what each SID counts, and how fast. Two readings of the kernel's counters make a rate. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <json-c/json.h>

#include "cli.h"

/* One counting hop of one route. What is in key makes it the same one in the next reading. */
struct row {
	struct {
		struct srv6_prefix dst;
		uint32_t table, metric, ifindex, hop, behavior;
	} key;
	struct srv6_counters now;
};

struct reading {
	struct row *rows;
	size_t n, cap;
	int64_t at; /* nanoseconds */
};

struct stats {
	struct ctx *c;
	struct filter filter;
	struct reading *to; /* being filled */
	uint32_t seconds;
	bool watch;
	unsigned long uncounted; /* SIDs without count */
};

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

static void add_row(struct reading *r, const struct srv6_route *route, uint32_t hop)
{
	const struct srv6_hop *h = &route->hops[hop];
	struct row *row;

	if (r->n == r->cap) {
		r->cap = r->cap ? 2 * r->cap : 64;
		r->rows = realloc(r->rows, r->cap * sizeof(*r->rows));
		if (!r->rows)
			abort();
	}
	row = &r->rows[r->n++];
	memset(row, 0, sizeof(*row));
	row->key.dst = route->dst;
	row->key.table = route->table;
	row->key.metric = route->metric;
	row->key.ifindex = h->ifindex;
	row->key.hop = hop;
	row->key.behavior = h->encap->behavior;
	row->now = h->encap->counters;
}

static int on_route(const struct srv6_op *op, void *arg)
{
	const struct srv6_route *route = op->u.route;
	struct stats *s = arg;

	if (!filter_matches(&s->filter, op))
		return 0;
	for (uint32_t i = 0; i < route->n_hops; i++) {
		if (route->hops[i].encap && route->hops[i].encap->has & SRV6_HAS(COUNT))
			add_row(s->to, route, i);
		else if (route->hops[i].encap)
			s->uncounted++;
	}
	return 0;
}

static int by_key(const void *a, const void *b)
{
	return memcmp(&((const struct row *)a)->key, &((const struct row *)b)->key,
		      sizeof(((const struct row *)a)->key));
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int take_reading(struct stats *s, struct reading *to)
{
	int err;

	to->n = 0;
	s->to = to;
	s->uncounted = 0;
	to->at = now_ns();
	err = filter_dump(s->c, &s->filter, SRV6_ROUTE, SRV6_DUMP_ENCAP, on_route, s);
	if (to->n)
		sort_rows(to->rows, to->n, sizeof(*to->rows), by_key);
	return err;
}

struct rate {
	double packets, bits, errors; /* a second */
	bool known;
};

/* Counters that went back were started again: by a replace. */
static struct rate rate_of(const struct reading *before, const struct reading *after, const struct row *row)
{
	const struct row *old = before->n ? bsearch(row, before->rows, before->n, sizeof(*row), by_key) : NULL;
	double seconds = (double)(after->at - before->at) / 1e9;

	if (!old || seconds <= 0 || old->now.packets > row->now.packets || old->now.bytes > row->now.bytes ||
	    old->now.errors > row->now.errors)
		return (struct rate){ .known = false };
	return (struct rate){ (double)(row->now.packets - old->now.packets) / seconds,
			      8 * (double)(row->now.bytes - old->now.bytes) / seconds,
			      (double)(row->now.errors - old->now.errors) / seconds, true };
}

static const char *row_behavior(const struct row *row)
{
	const struct srv6_behavior_info *info = srv6_behavior_info(row->key.behavior, SRV6_MOBILE_AUTO);

	return info ? info->name : "?";
}

static void add_rate(struct json_object *o, const char *key, double value, bool known)
{
	json_object_object_add(o, key, known ? json_object_new_int64((int64_t)(value + 0.5)) : NULL);
}

static void row_json(struct stats *s, const struct row *row, struct rate rate)
{
	struct json_object *o = json_object_new_object();
	char dst[ADDR_TEXT];
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	format_prefix(dst, &row->key.dst);
	json_object_object_add(o, "time", json_object_new_int64((int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000));
	json_object_object_add(o, "dst", json_object_new_string(dst));
	json_object_object_add(o, "table", json_object_new_int64(row->key.table));
	json_object_object_add(o, "metric", json_object_new_int64(row->key.metric));
	json_object_object_add(o, "dev", json_object_new_string(link_name(s->c, row->key.ifindex)));
	json_object_object_add(o, "behavior", json_object_new_string(row_behavior(row)));
	json_object_object_add(o, "packets", json_object_new_uint64(row->now.packets));
	json_object_object_add(o, "bytes", json_object_new_uint64(row->now.bytes));
	json_object_object_add(o, "errors", json_object_new_uint64(row->now.errors));
	add_rate(o, "packets_per_second", rate.packets, rate.known);
	add_rate(o, "bits_per_second", rate.bits, rate.known);
	add_rate(o, "errors_per_second", rate.errors, rate.known);
	print_json(s->c, o);
}

static const char *rate_text(char *buf, size_t size, double value, bool known)
{
	static const char units[] = " kMGT";
	size_t u = 0;

	if (!known)
		return "-";
	for (; value >= 10000 && u < sizeof(units) - 2; value /= 1000)
		u++;
	snprintf(buf, size, u ? "%.1f%c" : "%.0f", value, units[u]);
	return buf;
}

static void row_text(struct stats *s, const struct row *row, struct rate rate)
{
	char dst[ADDR_TEXT], text[3][32];

	format_prefix(dst, &row->key.dst);
	fprintf(s->c->out, "%-32s %-14s %10s %10s %10s %14llu %16llu %10llu\n", dst, row_behavior(row),
		rate_text(text[0], sizeof(text[0]), rate.packets, rate.known),
		rate_text(text[1], sizeof(text[1]), rate.bits, rate.known),
		rate_text(text[2], sizeof(text[2]), rate.errors, rate.known), (unsigned long long)row->now.packets,
		(unsigned long long)row->now.bytes, (unsigned long long)row->now.errors);
}

static void show(struct stats *s, const struct reading *before, const struct reading *after)
{
	FILE *f = s->c->out;

	if (s->watch && !s->c->json && isatty(fileno(f)))
		fputs("\033[H\033[J", f);
	if (!s->c->json)
		fprintf(f, "%-32s %-14s %10s %10s %10s %14s %16s %10s\n", "SID", "behavior", "packets/s", "bits/s",
			"errors/s", "packets", "bytes", "errors");
	for (size_t i = 0; i < after->n; i++) {
		if (s->c->json)
			row_json(s, &after->rows[i], rate_of(before, after, &after->rows[i]));
		else
			row_text(s, &after->rows[i], rate_of(before, after, &after->rows[i]));
	}
	if (!s->c->json && s->uncounted)
		fprintf(f, "%lu more without counters; a SID counts from when it is installed with 'count'\n",
			s->uncounted);
	fflush(f);
}

/* Ends early at a signal. */
static void pause_until(int64_t at)
{
	struct timespec t = { .tv_sec = at / 1000000000, .tv_nsec = at % 1000000000 };

	while (!stop && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
}

static int read_words(struct stats *s, struct words *w)
{
	struct words rest = *w;
	int err = 0;

	/* --watch and --interval may stand anywhere; what is left is a filter */
	rest.word = take(w->arena, (w->n + 1) * sizeof(*w->word));
	memcpy(rest.word, w->word, w->i * sizeof(*w->word));
	rest.n = w->i;
	s->seconds = 1;
	while (!err && w->i < w->n) {
		if (words_take(w, "watch")) {
			s->watch = true;
			err = words_number(s->c, w, "seconds", 1, 86400, &s->seconds);
		} else if (words_take(w, "interval")) {
			err = words_number(s->c, w, "seconds", 1, 86400, &s->seconds);
		} else {
			rest.word[rest.n++] = w->word[w->i++];
		}
	}
	return err ? err : filter_parse(s->c, &rest, &s->filter);
}

static int run_stats(struct ctx *c, struct words *w, const struct command *cmd)
{
	struct sigaction sa = { .sa_handler = on_signal };
	struct reading r[2] = { { 0 } };
	struct stats s = { .c = c };
	int err;

	(void)cmd;
	if (read_words(&s, w))
		return complain(c, USAGE);
	s.filter.sids = true;
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	stop = 0;
	err = take_reading(&s, &r[0]);
	for (unsigned int i = 0; !err && !stop; i++) {
		pause_until(r[i % 2].at + (int64_t)s.seconds * 1000000000);
		if (stop && s.watch)
			break;
		err = take_reading(&s, &r[(i + 1) % 2]);
		if (!err)
			show(&s, &r[i % 2], &r[(i + 1) % 2]);
		if (!s.watch || ferror(c->out))
			break;
	}
	free(r[0].rows);
	free(r[1].rows);
	return err ? complain(c, err == -ESTALE ? PARTIAL : REFUSED) : flush_out(c, DONE);
}

static void details(FILE *f)
{
	fputs("Rates between two readings, a second apart; SIDs are chosen as in 'srv6 sid show'.\n"
	      "  watch SECONDS     again and again, that far apart\n"
	      "  interval SECONDS  once, but that far apart\n"
	      "With -j an object a line and SID; a rate is null where counters were started again.\n",
	      f);
}

const struct command stats_commands[] = {
	{ "stats", NULL, 0, ANY, run_stats, "[SID | FILTER] [watch SECONDS | interval SECONDS]",
	  "what SIDs count, and how fast", .details = details },
	{ 0 },
};

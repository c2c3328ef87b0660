/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * srv6 monitor: events as they come, a line each. Whoever folds them has the kernel's state at every "synced": what an
 * overrun lost is found by comparison and told.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>
#include <net/if.h>

#include "cli.h"

struct monitor {
	struct ctx *c;
	uint32_t kinds;
	uint32_t poll; /* seconds between comparisons of what raises no events; 0: none */
	bool initial;  /* what is there at the start */
	bool synced;
};

static const struct {
	const char *word;
	uint32_t kinds;
} kinds[] = {
	{ "route", SRV6_KIND(ROUTE) },   { "nexthop", SRV6_KIND(NEXTHOP) }, { "link", SRV6_KIND(LINK) },
	{ "tunsrc", SRV6_KIND(TUNSRC) }, { "hmac", SRV6_KIND(HMAC) },
};
#define EVENTFUL (SRV6_KIND(ROUTE) | SRV6_KIND(NEXTHOP) | SRV6_KIND(LINK))
#define SILENT   (SRV6_KIND(TUNSRC) | SRV6_KIND(HMAC))

static const char *event_name(const struct srv6_op *op)
{
	switch (op->verb) {
	case SRV6_DEL:
		return "gone";
	case SRV6_LOST:
		return "lost";
	case SRV6_SYNCED:
		return "synced";
	default:
		return op->flags & SRV6_OP_REPLACED ? "changed" : "new";
	}
}

static void put_bool(struct jw *j, const char *key, bool value)
{
	jw_key(j, key);
	jw_json(j, value ? "true" : "false");
}

static void link_jw(struct jw *j, const struct srv6_link *l)
{
	jw_key(j, "ifindex");
	jw_number(j, l->ifindex);
	if (l->name) {
		jw_key(j, "dev");
		jw_string(j, l->name);
	}
	put_bool(j, "up", l->flags & IFF_UP);
	put_bool(j, "running", l->flags & IFF_RUNNING);
}

/* Written as it comes, as lists are: while a tree is built, further events may be lost. */
static void event_json(struct monitor *m, const struct srv6_op *op)
{
	struct jw j = { .f = m->c->out, .pretty = m->c->pretty };

	jw_open(&j, '{');
	jw_key(&j, "event");
	jw_string(&j, event_name(op));
	if (op->flags & SRV6_OP_INFERRED)
		put_bool(&j, "inferred", true);
	if (op->u.any) {
		jw_key(&j, "object");
		jw_string(&j, kind_name(op->kind));
		jw_key(&j, kind_name(op->kind));
		jw_open(&j, '{');
		if (op->kind == SRV6_LINK)
			link_jw(&j, op->u.link);
		else
			op_jw(m->c, &j, op, 0);
		jw_close(&j, '}');
	}
	jw_close(&j, '}');
	putc('\n', m->c->out);
}

static void event_text(struct monitor *m, const struct srv6_op *op)
{
	static const char marks[][2] = { "+", "-", "~" };
	FILE *f = m->c->out;

	if (!op->u.any) {
		fprintf(f, "# %s\n",
			op->verb == SRV6_LOST ? "events were lost; what changed meanwhile follows" : "synced");
		return;
	}
	fprintf(f, "%s %s ",
		marks[op->verb == SRV6_DEL           ? 1
		      : op->flags & SRV6_OP_REPLACED ? 2
						     : 0],
		kind_name(op->kind));
	if (op->kind == SRV6_LINK) {
		print_name(f, op->u.link->name ? op->u.link->name : "?");
		fprintf(f, "%s", op->verb == SRV6_DEL ? "" : op->u.link->flags & IFF_UP ? " up" : " down");
	} else {
		op_text(m->c, f, op, TEXT_NAMES);
	}
	fputs(op->flags & SRV6_OP_INFERRED ? " # the kernel said nothing\n" : "\n", f);
}

static int on_event(const struct srv6_op *op, void *arg)
{
	struct monitor *m = arg;

	if (op->verb == SRV6_LOST)
		links_forget(m->c);
	if (op->kind == SRV6_LINK && op->u.any && op->verb != SRV6_DEL && op->u.link->name)
		link_remember(m->c, op->u.link->ifindex, op->u.link->name);
	if (op->u.any && !(m->kinds & 1u << op->kind))
		return 0;
	if (op->verb != SRV6_SYNCED && !m->synced && !m->initial)
		return 0;
	if (op->verb == SRV6_SYNCED)
		m->synced = true;
	if (m->c->json)
		event_json(m, op);
	else
		event_text(m, op);
	return ferror(m->c->out) ? -EPIPE : 0;
}

static int signals_fd(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return -errno;
	return signalfd(-1, &set, SFD_CLOEXEC);
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Until a signal, an error, or nobody reads what is written. Returns 0 or a negative errno. */
static int loop(struct monitor *m, struct srv6 *s, int sigfd)
{
	struct pollfd fds[] = { { .fd = srv6_fd(s), .events = POLLIN },
				{ .fd = sigfd, .events = POLLIN },
				{ .fd = fileno(m->c->out) } };
	int64_t period = (int64_t)m->poll * 1000, next = now_ms() + period, wait;
	uint32_t flags;
	int err = 0;

	while (!err) {
		if (fflush(m->c->out))
			return -EPIPE;
		wait = period ? next - now_ms() : -1;
		if (poll(fds, ARRAY_SIZE(fds), wait < 0 && period ? 0 : (int)wait) < 0 && errno != EINTR)
			return -errno;
		if (fds[1].revents)
			return 0;
		if (fds[2].revents & (POLLERR | POLLHUP))
			return -EPIPE;
		flags = period && now_ms() >= next ? SRV6_PROCESS_POLL : 0;
		if (flags)
			next = now_ms() + period;
		if (flags || fds[0].revents)
			err = srv6_process(s, flags, on_event, m);
	}
	return err;
}

static int read_words(struct monitor *m, struct words *w)
{
	static const char *const known[] = { "route", "nexthop", "link", "tunsrc", "hmac",
					     "all",   "initial", "poll", NULL };
	size_t k;

	while (w->i < w->n) {
		if (words_take(w, "initial")) {
			m->initial = true;
		} else if (words_take(w, "all")) {
			m->kinds = EVENTFUL | SILENT;
		} else if (words_take(w, "poll")) {
			if (words_number(m->c, w, "seconds", 1, 86400, &m->poll))
				return -EINVAL;
		} else {
			for (k = 0; k < ARRAY_SIZE(kinds) && !words_take(w, kinds[k].word); k++)
				;
			if (k == ARRAY_SIZE(kinds))
				return words_unknown(m->c, w, "object to watch", known);
			m->kinds |= kinds[k].kinds;
		}
	}
	if (!m->kinds)
		m->kinds = EVENTFUL;
	if (m->kinds & SILENT && !m->poll)
		m->poll = 2;
	return 0;
}

static int run_monitor(struct ctx *c, struct words *w, const struct command *cmd)
{
	struct monitor m = { .c = c };
	struct srv6 *s;
	int sigfd, err;

	(void)cmd;
	if (read_words(&m, w))
		return complain(c, USAGE);
	s = handle(c);
	if (!s)
		return complain(c, REFUSED);
	sigfd = signals_fd();
	/* links also where nobody asks: names, of what is renamed and what is gone, are those of the event's time */
	err = sigfd < 0 ? -errno : srv6_follow(s, m.kinds | SRV6_KIND(LINK));
	if (!err)
		err = srv6_process(s, m.kinds & SILENT ? SRV6_PROCESS_POLL : 0, on_event, &m);
	if (!err)
		err = loop(&m, s, sigfd);
	if (sigfd >= 0)
		close(sigfd);
	if (!err || err == -EPIPE)
		return flush_out(c, DONE);
	if (srv6_error(s)->code)
		fail_lib(c, NULL, srv6_error(s));
	else
		fail(c, NULL, NO_WORD, err, "watching failed: %s", strerror(-err));
	return complain(c, REFUSED);
}

static void details(FILE *f)
{
	fputs("+ is new, ~ changed, - gone. Routes, nexthop objects and links where nothing is named.\n"
	      "  initial        first what is there\n"
	      "  poll SECONDS   tunsrc and hmac raise no events: compared that often (2)\n",
	      f);
}

const struct command monitor_commands[] = {
	{ "monitor", NULL, 0, ANY, run_monitor,
	  "[route] [nexthop] [link] [tunsrc] [hmac] [all] [initial] [poll SECONDS]", "events as they happen",
	  .details = details },
	{ 0 },
};

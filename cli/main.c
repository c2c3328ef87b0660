/* SPDX-License-Identifier: GPL-2.0-or-later */
/* srv6: options, and the way to a command's row. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

/* ---- options */

static int set_color(struct ctx *c, const char *value)
{
	static const char *const words[] = { "auto", "always", "never", NULL };

	if (!strcmp(value, "always"))
		c->color = true;
	else if (!strcmp(value, "never"))
		c->color = false;
	else if (!strcmp(value, "auto"))
		c->color = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
	else
		return fail(c, NULL, NO_WORD, -EINVAL, "--color: auto, always or never is expected, not '%s'%s%s",
			    value, nearest(value, words) ? "; did you mean " : "",
			    nearest(value, words) ? nearest(value, words) : "");
	return 0;
}

static int set_mobile(struct ctx *c, const char *value)
{
	const char *names[8];
	size_t n = 0;

	for (uint32_t m = 1; m < 8 && srv6_mobile_name(m); m++) {
		names[n++] = srv6_mobile_name(m);
		if (!strcmp(names[n - 1], value)) {
			c->mobile = m;
			return 0;
		}
	}
	names[n] = NULL;
	return fail(c, NULL, NO_WORD, -EINVAL, "--mobile: %s%s%s is expected, not '%s'", n ? names[0] : "",
		    n > 1 ? " or " : "", n > 1 ? names[1] : "", value);
}

static int set_netns(struct ctx *c, const char *value)
{
	c->netns = value;
	return 0;
}

#define FLAG(short_name, long_name, field, text)                                                                       \
	{                                                                                                              \
		short_name, long_name, NULL, offsetof(struct ctx, field), NULL, text                                   \
	}

static const struct option {
	char name; /* 0: none */
	const char *long_name;
	const char *arg; /* NULL: a flag */
	size_t flag;     /* of a flag: where its bool is */
	int (*set)(struct ctx *c, const char *value);
	const char *help;
} options[] = {
	FLAG('j', "json", json, "JSON instead of text, for errors too"),
	FLAG('p', "pretty", pretty, "JSON with line breaks"),
	FLAG('s', "statistics", stats, "show counters"),
	{ '4', "ipv4", NULL, 0, NULL, "IPv4 only" },
	{ '6', "ipv6", NULL, 0, NULL, "IPv6 only" },
	{ 'n', "netns", "NAME", 0, set_netns, "work in this network namespace: a name of ip-netns(8), or a path" },
	FLAG(0, "dry-run", dry_run, "show what would be sent, send nothing"),
	FLAG(0, "hex", hex, "show the messages as bytes, one a line"),
	FLAG(0, "no-verify", no_verify, "believe the kernel's answer, don't compare what it holds"),
	FLAG(0, "secrets", secrets, "show secrets of HMAC keys"),
	FLAG(0, "stream", stream, "show lists as they come, in little memory; whether all is there is said at the end"),
	FLAG(0, "usid", usid, "show compressed SIDs as uN, uA, uDT4, ..."),
	{ 0, "mobile", "NAME", 0, set_mobile, "numbering of the mobile behaviors: seg6mobile or mobile-v2" },
	{ 0, "color", "WHEN", 0, set_color, "auto, always or never" },
	FLAG('q', "quiet", quiet, "no warnings"),
	FLAG('h', "help", help, "help on what stands before it"),
	{ 'V', "version", NULL, 0, NULL, "the version" },
};

void help_options(FILE *f)
{
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		fprintf(f, "  %c%c%s --%s%s%-*s %s\n", options[i].name ? '-' : ' ',
			options[i].name ? options[i].name : ' ', options[i].name ? "," : " ", options[i].long_name,
			options[i].arg ? " " : "", (int)(20 - strlen(options[i].long_name)),
			options[i].arg ? options[i].arg : "", options[i].help);
}

static const struct option *find_short(char name)
{
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (options[i].name == name)
			return &options[i];
	return NULL;
}

static const struct option *find_long(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (strlen(options[i].long_name) == len && !strncmp(options[i].long_name, name, len))
			return &options[i];
	return NULL;
}

static int set(struct ctx *c, const struct option *o, const char *value)
{
	if (o->set)
		return o->set(c, value);
	if (o->name == '4' || o->name == '6')
		c->family = o->name == '4' ? AF_INET : AF_INET6;
	else if (o->name == 'V')
		c->version = true;
	else
		*(bool *)((char *)c + o->flag) = true;
	return 0;
}

/*
 * An option of the tool, anywhere in the line. Returns how many words it took: 0 none, it is another's; negative: described.
 * "-p" and "-jp" are options; "-1" is a number, and "--segs" a word of the command's.
 */
static int option(struct ctx *c, char **argv, int left)
{
	const char *arg = argv[0], *value;
	const struct option *o;
	int err, took = 1;

	if (arg[0] != '-' || !arg[1])
		return 0;
	if (arg[1] == '-') {
		value = strchr(arg, '=');
		o = find_long(arg + 2, value ? (size_t)(value - arg - 2) : strlen(arg + 2));
		if (!o)
			return 0;
		if (value && !o->arg)
			return fail(c, NULL, NO_WORD, -EINVAL, "--%s takes no value", o->long_name);
		value = value ? value + 1 : o->arg && left > 1 ? argv[took++] : NULL;
		if (o->arg && !value)
			return fail(c, NULL, NO_WORD, -EINVAL, "--%s: %s must follow", o->long_name, o->arg);
		err = set(c, o, value);
		return err ? err : took;
	}
	for (const char *s = arg + 1; *s; s++) {
		o = find_short(*s);
		if (!o && isdigit((unsigned char)arg[1]))
			return 0;
		if (!o)
			return fail(c, NULL, NO_WORD, -EINVAL, "-%c: no such option; srv6 --help lists them", *s);
		value = !o->arg ? NULL : s[1] ? s + 1 : left > 1 ? argv[took++] : NULL;
		if (o->arg && !value)
			return fail(c, NULL, NO_WORD, -EINVAL, "-%c: %s must follow", *s, o->arg);
		err = set(c, o, value);
		if (err)
			return err;
		if (o->arg)
			break;
	}
	return took;
}

/* Takes the options out of argv. Returns how many words are left, or a negative errno. */
static int take_options(struct ctx *c, int argc, char **argv)
{
	int n = 0, took;

	for (int i = 1; i < argc; i += took ? took : 1) {
		if (!strcmp(argv[i], "--")) {
			for (i++; i < argc; i++)
				argv[n++] = argv[i];
			break;
		}
		took = option(c, argv + i, argc - i);
		if (took < 0)
			return took;
		if (!took)
			argv[n++] = argv[i];
		else if (n && !strcmp(argv[0], "complete")) /* they are of the line that is completed */
			c->help = c->version = false;
	}
	return n;
}

/* ---- commands */

static int no_object(struct ctx *c, struct words *w)
{
	const char *known[64];
	size_t n = 0;

	for (const struct command *const *t = c->tables; *t; t++)
		for (const struct command *cmd = *t; cmd->object && n < ARRAY_SIZE(known) - 1; cmd++)
			if (!n || strcmp(known[n - 1], cmd->object))
				known[n++] = cmd->object;
	known[n] = NULL;
	words_unknown(c, w, "object", known);
	return fail_remedy(c, "srv6 help lists them");
}

static int no_verb(struct ctx *c, struct words *w, const char *object)
{
	const char *known[64];
	size_t n = 0;

	for (const struct command *const *t = c->tables; *t; t++)
		for (const struct command *cmd = *t; cmd->object && n < ARRAY_SIZE(known) - 1; cmd++)
			if (!strcmp(cmd->object, object) && cmd->verb)
				known[n++] = cmd->verb;
	known[n] = NULL;
	words_unknown(c, w, "command", known);
	return fail_remedy(c, "srv6 help %s lists them", object);
}

const struct command *command_find(struct ctx *c, struct words *w)
{
	const char *object = words_peek(w), *verb;
	const struct command *fallback = NULL;
	bool known = false;

	if (!object) {
		no_object(c, w);
		return NULL;
	}
	verb = w->i + 1 < w->n ? w->word[w->i + 1].text : NULL;
	for (const struct command *const *t = c->tables; *t; t++)
		for (const struct command *cmd = *t; cmd->object; cmd++) {
			if (strcmp(cmd->object, object))
				continue;
			known = true;
			if (!cmd->verb || (!verb && cmd->flags & CMD_DEFAULT))
				fallback = cmd;
			if (!cmd->verb || !verb || strcmp(cmd->verb, verb))
				continue;
			w->i += 2;
			return cmd;
		}
	if (!known) {
		no_object(c, w);
		return NULL;
	}
	w->i++;
	if (!fallback)
		no_verb(c, w, object);
	return fallback;
}

static int wrong_count(struct ctx *c, struct words *w, const struct command *cmd, uint32_t at)
{
	const char *space = cmd->verb ? " " : "", *verb = cmd->verb ? cmd->verb : "";

	if (cmd->max != ANY && w->n > at)
		fail(c, w, at, -EINVAL, "%s%s%s: '%s' was not expected", cmd->object, space, verb, w->word[at].text);
	else
		fail(c, w, w->n, -EINVAL, "%s%s%s: more words are expected", cmd->object, space, verb);
	fail_remedy(c, "usage: srv6 %s%s%s%s%s", cmd->object, space, verb, *cmd->args ? " " : "", cmd->args);
	return complain(c, USAGE);
}

static bool is_object(const struct ctx *c, const char *object)
{
	for (const struct command *const *t = c->tables; *t; t++)
		for (const struct command *cmd = *t; cmd->object; cmd++)
			if (cmd->verb && !strcmp(cmd->object, object))
				return true;
	return false;
}

/* "route help" as ip has it, and "help route". */
static bool asks_for_help(const struct ctx *c, const struct words *w)
{
	return w->n - w->i == 2 && !strcmp(w->word[w->i + 1].text, "help") && is_object(c, w->word[w->i].text);
}

int command_run(struct ctx *c, struct words *w)
{
	const struct command *cmd;
	int n;

	if (asks_for_help(c, w)) {
		help_object(c, c->out, w->word[w->i].text);
		return flush_out(c, DONE);
	}
	cmd = command_find(c, w);
	if (!cmd)
		return complain(c, USAGE);
	if (c->help) {
		help_command(c, c->out, cmd);
		return flush_out(c, DONE);
	}
	n = (int)(w->n - w->i);
	if (n < cmd->min)
		return wrong_count(c, w, cmd, w->n);
	if (cmd->max != ANY && n > cmd->max)
		return wrong_count(c, w, cmd, w->i + (uint32_t)cmd->max);
	return cmd->run(c, w, cmd);
}

/* ---- help and version */

static int help(struct ctx *c, struct words *w, const struct command *cmd)
{
	const char *object = words_peek(w);
	bool whole = w->n - w->i == 1;

	(void)cmd;
	if (!object) {
		help_tool(c, c->out);
		return flush_out(c, DONE);
	}
	if (whole && is_object(c, object)) {
		help_object(c, c->out, object);
		return flush_out(c, DONE);
	}
	c->help = true;
	return command_run(c, w);
}

static int version(struct ctx *c, struct words *w, const struct command *cmd)
{
	struct jw j = { .f = c->out, .pretty = c->pretty };

	(void)w;
	(void)cmd;
	if (c->json) {
		jw_open(&j, '{');
		jw_key(&j, "srv6");
		jw_string(&j, SRV6_VERSION);
		jw_key(&j, "libsrv6");
		jw_string(&j, srv6_version());
		jw_close(&j, '}');
		putc('\n', c->out);
	} else {
		fprintf(c->out, "srv6 %s, libsrv6 %s\n", SRV6_VERSION, srv6_version());
	}
	return flush_out(c, DONE);
}

static const struct command help_commands[] = {
	{ "help", NULL, 0, 2, help, "[OBJECT [COMMAND]]", "this, or more on a command", 0, 0, NULL },
	{ "version", NULL, 0, 0, version, "", "the versions of tool and library", 0, 0, NULL },
	{ 0 },
};

/* ---- main */

/* Every command there is: a table a file. */
static const struct command *const tables[] = {
	route_commands,  sid_commands,     nexthop_commands,  tunsrc_commands,   hmac_commands,
	show_commands,   monitor_commands, stats_commands,    batch_commands,    save_commands,
	apply_commands,  doctor_commands,  perf_commands,     behavior_commands, caps_commands,
	mobile_commands, decode_commands,  complete_commands, help_commands,     NULL,
};

/* -n for a command that looks at no namespace would promise what is not so. */
static bool netns_is_idle(struct ctx *c, const struct words *w)
{
	struct words again = *w;
	const struct command *cmd = command_find(c, &again);

	if (cmd && !(cmd->flags & CMD_NO_NETNS))
		return false;
	if (cmd)
		fail(c, NULL, NO_WORD, -EINVAL, "%s does not look at a network namespace: leave out -n", cmd->object);
	return true;
}

static int run(struct ctx *c, struct words *w)
{
	if (c->version)
		return version(c, w, NULL);
	if (!w->n && !c->help) {
		help_tool(c, stderr);
		return USAGE;
	}
	if (c->help && w->n <= 1) {
		c->help = false;
		return help(c, w, NULL);
	}
	if (c->netns && !c->help && netns_is_idle(c, w))
		return complain(c, USAGE);
	if (c->netns && !c->help && netns_enter(c, c->netns))
		return complain(c, REFUSED);
	return command_run(c, w);
}

/* A socket must not become standard output; reading or writing what was closed fails, and is told. */
static void keep_closed(void)
{
	static const int modes[] = { O_WRONLY, O_RDONLY, O_RDWR };

	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd]) < 0)
			return;
}

int main(int argc, char **argv)
{
	struct ctx c = { .out = stdout, .tables = tables };
	static char buffer[1 << 14], said[4096];
	struct words w;
	int n, status;

	keep_closed();
	signal(SIGPIPE, SIG_IGN); /* what can't be written is told, by EPIPE */
	setvbuf(stdout, buffer, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, sizeof(buffer));
	setvbuf(stderr, said, _IOLBF, sizeof(said)); /* a line a system call, not a character */
	n = take_options(&c, argc, argv);
	words_argv(&w, &c.arena, n > 0 ? n : 0, argv);
	status = n < 0 ? complain(&c, USAGE) : run(&c, &w);
	srv6_close(c.s);
	links_close(&c);
	arena_wipe(&c.arena);
	arena_free(&c.arena);
	return status;
}

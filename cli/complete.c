/* SPDX-License-Identifier: GPL-2.0-or-later */
/* srv6 complete: what may follow the words given, a line each. The shells' completions ask it, so that the rows are all there is. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <net/if.h>

#include "model.h"

/* What stands before the cursor. */
struct before {
	struct ctx *c;
	const struct word *word;
	uint32_t n;
	uint32_t first; /* of the words behind the command */
};

static void say(const struct before *b, const char *word)
{
	fprintf(b->c->out, "%s\n", word);
}

static const char *last(const struct before *b)
{
	return b->n ? b->word[b->n - 1].text : "";
}

static void devices(const struct before *b)
{
	struct if_nameindex *all = if_nameindex();

	for (struct if_nameindex *i = all; i && i->if_index; i++)
		say(b, i->if_name);
	if (all)
		if_freenameindex(all);
}

/* ---- behaviors */

/* The encapsulation that was named last, which the behavior must be one of; NULL: none. */
static const char *encap_named(const struct before *b)
{
	for (uint32_t i = b->n; i > 1; i--)
		if (!strcmp(b->word[i - 2].text, "encap"))
			return b->word[i - 1].text;
	return NULL;
}

enum which { MODES = 1, ACTIONS = 2, SIDS = 4 };

static bool is_which(const struct srv6_behavior_info *info, uint32_t which)
{
	if (is_headend_mode(info))
		return which & MODES;
	return which & ACTIONS || (which & SIDS && info->behavior != SRV6_H_M_GTP4_D);
}

/* Their words, as they stand after mode or action. */
static void behaviors(const struct before *b, uint32_t which)
{
	const struct srv6_behavior_info *info;
	const char *type = encap_named(b);

	for (uint32_t i = 1; i < SRV6_N_BEHAVIORS; i++) {
		info = type ? numbering_of(b->c, i, type) : srv6_behavior_info(i, b->c->mobile);
		if (info && info->status != SRV6_STATUS_UAPI && is_which(info, which) &&
		    (!type || !strcmp(info->encap, type)))
			say(b, info->word);
	}
}

static void names(const struct before *b)
{
	for (uint32_t i = 1; i < SRV6_N_BEHAVIORS; i++)
		if (srv6_behavior_info(i, b->c->mobile))
			say(b, srv6_behavior_info(i, b->c->mobile)->name);
}

/* All that have a behavior which some kernel implements. */
static void encaps(const struct before *b)
{
	const struct srv6_behavior_info *info;
	const char *said = "";

	for (uint32_t i = 1; i < SRV6_N_BEHAVIORS; i++) {
		info = srv6_behavior_info(i, b->c->mobile);
		if (!info || info->status == SRV6_STATUS_UAPI)
			continue;
		if (strcmp(said, info->encap))
			say(b, info->encap);
		said = info->encap;
	}
}

static void flavors(const struct before *b)
{
	for (uint32_t bit = 1; bit; bit <<= 1)
		if (srv6_flavor_name(bit))
			say(b, srv6_flavor_name(bit));
}

/* ---- a synopsis: WORD stands for something, word for itself; [ ], { } and | as in all of them */

#define ENDS " []{}|."

static bool is_literal(const char *s)
{
	return islower((unsigned char)*s) || (!strncmp(s, "--", 2) && s[2]);
}

/* "--prune" and "prune" are one word. */
static bool is_word(const char *s, size_t len, const char *word)
{
	size_t dashes = len > 2 && !strncmp(s, "--", 2) ? 2 : 0;

	return strlen(word) == len - dashes && !strncmp(s + dashes, word, len - dashes);
}

static bool given(const struct before *b, const char *s, size_t len)
{
	for (uint32_t i = b->first; i < b->n; i++)
		if (is_word(s, len, b->word[i].text))
			return true;
	return false;
}

/* Where the bracket before s is closed, or, at_bar, the alternative that starts at s ends. */
static const char *closing(const char *s, const char *end, bool at_bar)
{
	for (int depth = 0; s < end; s++) {
		if (!depth && (*s == ']' || *s == '}' || (at_bar && *s == '|')))
			return s;
		depth += *s == '[' || *s == '{' ? 1 : *s == ']' || *s == '}' ? -1 : 0;
	}
	return end;
}

static bool begun(const struct before *b, const char *s, const char *end)
{
	for (size_t len; s < end; s += len + 1) {
		len = strcspn(s, ENDS);
		if (is_literal(s) && given(b, s, len))
			return true;
	}
	return false;
}

/* Its words that stand for themselves and are not there yet; of alternatives the one that was begun. */
static void literals(const struct before *b, const char *s, const char *end)
{
	const char *only = NULL, *to;
	size_t len;

	for (const char *at = s; at < end && !only; at = closing(at, end, true) + 1)
		if (begun(b, at, closing(at, end, true)))
			only = at;
	s = only ? only : s;
	end = only ? closing(only, end, true) : end;
	for (; s < end; s += len + 1) {
		len = strcspn(s, ENDS);
		if (is_literal(s) && !given(b, s, len))
			fprintf(b->c->out, "%.*s\n", (int)len, s);
		if (s[len] != '[' && s[len] != '{')
			continue;
		s += len + 1;
		to = closing(s, end, false);
		literals(b, s, to);
		len = (size_t)(to - s);
	}
}

/* Whether something must follow this word, as in "dev DEV" and "[root|match] PREFIX". */
static bool wants_value(const char *synopsis, const char *word)
{
	const char *end = synopsis + strlen(synopsis);
	size_t len;

	for (const char *s = synopsis; s < end; s += len + 1) {
		len = strcspn(s, ENDS);
		if (!is_literal(s) || !is_word(s, len, word))
			continue;
		s += len;
		if (*s == '|' || *s == ']')
			s = closing(s, end, false) + (s < end);
		s += strspn(s, " ");
		return isupper((unsigned char)*s);
	}
	return false;
}

/* ---- words of routes and encapsulations */

static void attributes(const struct before *b, uint32_t owner)
{
	const struct srv6_attr_info *row;

	for (uint32_t bit = 0; bit < 64; bit++) {
		row = srv6_attr_info(owner << 6 | bit);
		if (row)
			say(b, text_word(row));
	}
}

/* The row of a word of any owner that may stand there; NULL: it is none. */
static const struct srv6_attr_info *attribute(const char *word)
{
	uint32_t attr = SRV6_ATTR_NONE;

	for (uint32_t owner = SRV6_OWNER_ENCAP; owner <= SRV6_OWNER_NEXTHOP && attr == SRV6_ATTR_NONE; owner++)
		attr = srv6_attr_find(owner, word);
	return srv6_attr_info(attr);
}

/* What follows a word that wants a value. Returns false where it wants none. */
static bool value(const struct before *b, const char *word)
{
	const struct srv6_attr_info *row = attribute(word);

	if (!strcmp(word, "encap"))
		encaps(b);
	else if (!strcmp(word, "mode") || !strcmp(word, "action") || !strcmp(word, "behavior"))
		behaviors(b, (*word != 'a' ? MODES : 0) | (*word != 'm' ? ACTIONS : 0));
	else if (row && row->shape == SRV6_SHAPE_IFINDEX)
		devices(b);
	else if (row && row->shape == SRV6_SHAPE_FLAVORS)
		flavors(b);
	else if (row && row->arg)
		literals(b, row->arg, row->arg + strlen(row->arg));
	else
		return false;
	return true;
}

/* "endpoint object", "mtu lock": the word in front says that a value is still to come. */
static bool inside_value(const struct before *b)
{
	const struct srv6_attr_info *row = b->n > b->first + 1 ? attribute(b->word[b->n - 2].text) : NULL;

	return row && row->arg && wants_value(row->arg, last(b));
}

static void route_words(const struct before *b)
{
	bool nexthop = !strcmp(b->word->text, "nexthop");

	if (!nexthop && b->n == b->first)
		return; /* a prefix */
	if (b->n > b->first && (inside_value(b) || value(b, last(b))))
		return;
	if (!strcmp(b->word->text, "sid") && b->n == b->first + 1) {
		behaviors(b, SIDS);
		return;
	}
	say(b, "encap");
	say(b, "mode");
	say(b, "action");
	attributes(b, SRV6_OWNER_ENCAP);
	attributes(b, SRV6_OWNER_HOP);
	attributes(b, nexthop ? SRV6_OWNER_NEXTHOP : SRV6_OWNER_ROUTE);
	if (!nexthop)
		say(b, "nexthop");
}

/* ---- commands */

/* Objects, or the commands of one. */
static void commands(const struct before *b, const char *object)
{
	const char *said = "";

	for (const struct command *const *t = b->c->tables; *t; t++)
		for (const struct command *cmd = *t; cmd->object; cmd++) {
			if (!object && !(cmd->flags & CMD_HIDDEN) && strcmp(said, cmd->object))
				say(b, cmd->object);
			else if (object && cmd->verb && !strcmp(object, cmd->object))
				say(b, cmd->verb);
			said = cmd->object;
		}
}

static const struct command *named(const struct ctx *c, const char *object, const char *verb)
{
	for (const struct command *const *t = c->tables; *t; t++)
		for (const struct command *cmd = *t; cmd->object; cmd++)
			if (!strcmp(object, cmd->object) && (!cmd->verb || (verb && !strcmp(verb, cmd->verb))))
				return cmd;
	return NULL;
}

/* The next option that a command's help explains, and whether a value stands behind it; NULL: there is none more. */
static const char *help_option(char **at, bool *has_value)
{
	char *line;
	size_t len;

	while (*at && (line = strsep(at, "\n"))) {
		if (strncmp(line, "  --", 4))
			continue;
		line += 2;
		len = strcspn(line, " ,");
		*has_value = isupper((unsigned char)line[len + strspn(line + len, " ")]);
		line[len] = '\0';
		return line;
	}
	return NULL;
}

static char *help_text(const struct command *cmd)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = cmd->details ? open_memstream(&text, &size) : NULL;

	if (!f)
		return NULL;
	cmd->details(f);
	fclose(f);
	return text;
}

/* What its help explains, a line each; without print, whether the last word is among that, and its value is to come. */
static bool explained(const struct before *b, const struct command *cmd, bool print)
{
	char *text = help_text(cmd), *at = text;
	const char *word;
	bool has_value, open = false;

	while ((word = help_option(&at, &has_value))) {
		open |= has_value && is_word(word, strlen(word), last(b));
		if (print && !given(b, word, strlen(word)) && !strstr(cmd->args, word))
			say(b, word);
	}
	free(text);
	return open;
}

/* Of a command that has no route among its words. */
static void own_words(const struct before *b, const struct command *cmd)
{
	bool some = b->n > b->first;

	if (cmd->max != ANY && b->n - b->first >= (uint32_t)cmd->max)
		return;
	if (some && wants_value(cmd->args, last(b))) {
		value(b, last(b));
		return;
	}
	if (some && explained(b, cmd, false))
		return;
	if (!strcmp(cmd->object, "behavior"))
		names(b);
	if (!strcmp(cmd->object, "doctor") && given(b, "--fix", strlen("--fix")))
		doctor_codes(b->c->out);
	literals(b, cmd->args, cmd->args + strlen(cmd->args));
	explained(b, cmd, true);
}

/* After "help": objects, then those commands that a second word chooses. */
static void help_words(const struct before *b)
{
	if (b->n <= 2)
		commands(b, b->n == 2 ? b->word[1].text : NULL);
}

static void command_words(struct before *b)
{
	const struct command *cmd = named(b->c, b->word->text, b->n > 1 ? b->word[1].text : NULL);

	if (!cmd && b->n == 1)
		commands(b, b->word->text);
	if (!cmd)
		return;
	b->first = cmd->verb ? 2 : 1;
	if (cmd->flags & CMD_WORDS)
		route_words(b);
	else
		own_words(b, cmd);
}

static int complete(struct ctx *c, struct words *w, const struct command *cmd)
{
	struct before b = { .c = c, .word = w->word + w->i, .n = w->n - w->i };

	(void)cmd;
	w->i = w->n;
	if (b.n > 1 && !strcmp(last(&b), "="))
		b.n--; /* bash has the = of --dev=eth0 as a word */
	if (!b.n)
		commands(&b, NULL);
	else if (!strcmp(b.word->text, "help"))
		help_words(&b);
	else
		command_words(&b);
	return flush_out(c, DONE);
}

const struct command complete_commands[] = {
	{ "complete", NULL, 0, ANY, complete, "[WORD...]", "what may follow, for the completions of shells", 0,
	  CMD_HIDDEN, NULL },
	{ 0 },
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* srv6 complete: what may follow the words given, a line each. The shells' completions ask it, so that the rows are all there is. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <net/if.h>

#include "cli.h"

static void devices(FILE *f)
{
	struct if_nameindex *all = if_nameindex();

	for (struct if_nameindex *i = all; i && i->if_index; i++)
		fprintf(f, "%s\n", i->if_name);
	if (all)
		if_freenameindex(all);
}

/* Words of behaviors: modes, actions or both. encaps: the encapsulations themselves. */
static void behaviors(FILE *f, bool modes, bool actions, bool encaps)
{
	const struct srv6_behavior_info *info;
	const char *before = "";

	for (uint32_t b = 1; b < SRV6_N_BEHAVIORS; b++) {
		info = srv6_behavior_info(b, SRV6_MOBILE_AUTO);
		if (!info || info->status == SRV6_STATUS_UAPI || !(strcmp(info->encap, "seg6") ? actions : modes))
			continue;
		if (!encaps)
			fprintf(f, "%s\n", info->word);
		else if (strcmp(before, info->encap))
			fprintf(f, "%s\n", info->encap);
		before = info->encap;
	}
}

static void flavors(FILE *f)
{
	for (uint32_t bit = 1; bit; bit <<= 1)
		if (srv6_flavor_name(bit))
			fprintf(f, "%s\n", srv6_flavor_name(bit));
}

static void attributes(FILE *f, uint32_t owner)
{
	const struct srv6_attr_info *row;

	for (uint32_t bit = 0; bit < 64; bit++) {
		row = srv6_attr_info(owner << 6 | bit);
		if (row)
			fprintf(f, "%s\n", row->word);
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
static bool value(FILE *f, const char *before)
{
	const struct srv6_attr_info *row = attribute(before);

	if (!strcmp(before, "encap"))
		behaviors(f, true, true, true);
	else if (!strcmp(before, "mode") || !strcmp(before, "action") || !strcmp(before, "behavior"))
		behaviors(f, *before != 'a', *before != 'm', false);
	else if (row && row->shape == SRV6_SHAPE_IFINDEX)
		devices(f);
	else if (row && row->shape == SRV6_SHAPE_FLAVORS)
		flavors(f);
	else
		return row && row->arg;
	return true;
}

/* Objects, or the commands of one. */
static void commands(const struct ctx *c, const char *object)
{
	const char *before = "";

	for (const struct command *const *t = c->tables; *t; t++)
		for (const struct command *cmd = *t; cmd->object; cmd++) {
			if (!object && !(cmd->flags & CMD_HIDDEN) && strcmp(before, cmd->object))
				fprintf(c->out, "%s\n", cmd->object);
			else if (object && cmd->verb && !strcmp(object, cmd->object))
				fprintf(c->out, "%s\n", cmd->verb);
			before = cmd->object;
		}
}

static void attribute_words(const struct ctx *c, const char *object)
{
	fputs("encap\n", c->out);
	attributes(c->out, SRV6_OWNER_ENCAP);
	attributes(c->out, SRV6_OWNER_HOP);
	attributes(c->out, strcmp(object, "nexthop") ? SRV6_OWNER_ROUTE : SRV6_OWNER_NEXTHOP);
}

static const struct command *named(const struct ctx *c, const char *object, const char *verb)
{
	for (const struct command *const *t = c->tables; *t; t++)
		for (const struct command *cmd = *t; cmd->object; cmd++)
			if (!strcmp(object, cmd->object) && (!cmd->verb || (verb && !strcmp(verb, cmd->verb))))
				return cmd;
	return NULL;
}

/* The words of its synopsis that stand for themselves. */
static void literals(FILE *f, const char *synopsis)
{
	char *text = strdup(synopsis), *at = text, *word;

	while (at && (word = strsep(&at, " []{}|.")))
		if (islower((unsigned char)*word) || (!strncmp(word, "--", 2) && word[2]))
			fprintf(f, "%s\n", word);
	free(text);
}

/* What its help explains, a line each. */
static void explained(FILE *f, const struct command *cmd)
{
	char *text = NULL, *at, *line;
	size_t size = 0;
	FILE *help = cmd->details ? open_memstream(&text, &size) : NULL;

	if (!help)
		return;
	cmd->details(help);
	fclose(help);
	for (at = text; at && (line = strsep(&at, "\n"));)
		if (!strncmp(line, "  --", 4) && !strstr(cmd->args, strtok(line, " ,")))
			fprintf(f, "%s\n", line + 2);
	free(text);
}

/* Of a command that has no route among its words. Returns false: it has. */
static bool own_words(const struct ctx *c, const struct word *word, uint32_t n)
{
	const struct command *cmd = named(c, word->text, n > 1 ? word[1].text : NULL);

	if (!cmd || cmd->flags & CMD_WORDS)
		return false;
	if (!strcmp(word->text, "doctor"))
		for (uint32_t i = 1; i < n; i++)
			if (!strcmp(word[i].text, "fix") || !strcmp(word[i].text, "--fix"))
				doctor_codes(c->out);
	literals(c->out, cmd->args ? cmd->args : "");
	explained(c->out, cmd);
	return true;
}

static int complete(struct ctx *c, struct words *w, const struct command *cmd)
{
	const struct word *word = w->word + w->i;
	uint32_t n = w->n - w->i;

	(void)cmd;
	w->i = w->n;
	if (!n || (n == 1 && !strcmp(word->text, "help")))
		commands(c, NULL);
	else if (own_words(c, word, n))
		return flush_out(c, DONE);
	else if (n == 1 || (n == 2 && !strcmp(word->text, "help")))
		commands(c, word[n - 1].text);
	else if (value(c->out, word[n - 1].text))
		return flush_out(c, DONE);
	else if (n == 3 && !strcmp(word->text, "sid"))
		behaviors(c->out, false, true, false);
	else if (n > 2)
		attribute_words(c, word->text);
	return flush_out(c, DONE);
}

const struct command complete_commands[] = {
	{ "complete", NULL, 0, ANY, complete, "[WORD...]", "what may follow, for the completions of shells", 0,
	  CMD_HIDDEN, NULL },
	{ 0 },
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Help, from the same rows that commands are run by. */
#include <string.h>

#include "model.h"

static void attr_lines(FILE *f, uint32_t owner, uint64_t set)
{
	const struct srv6_attr_info *row;
	char word[96];

	for (uint32_t bit = 0; bit < 64; bit++) {
		row = set >> bit & 1 ? srv6_attr_info(owner << 6 | bit) : NULL;
		if (!row)
			continue;
		snprintf(word, sizeof(word), "%s%s%s", text_word(row), row->arg ? " " : "", row->arg ? row->arg : "");
		fprintf(f, "  %-30s %s\n", word, row->help);
	}
}

void help_encaps(FILE *f)
{
	static const char *const types[] = { "seg6", "seg6local", "seg6mobile" };
	const struct srv6_behavior_info *info;
	const char *between;

	fputs("\nENCAP:\n", f);
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		fprintf(f, "  %-10s %s {", types[i], i ? "action" : "mode");
		between = " ";
		for (uint32_t b = 1; b < SRV6_N_BEHAVIORS; b++) {
			info = srv6_behavior_info(b, SRV6_MOBILE_AUTO);
			if (!info || strcmp(info->encap, types[i]) || info->status == SRV6_STATUS_UAPI)
				continue;
			fprintf(f, "%s%s", between, info->word);
			between = " | ";
		}
		fputs(" } ...\n", f);
	}
	fputs("  What can be told from the rest may be left out: encap and mode where there are segments, encap and action in front\n"
	      "  of a behavior. Names stand for words too (H.Encaps, End.X; uN, uA, uDT46 for compressed SIDs).\n"
	      "\nWORDS OF ENCAP (srv6 behavior NAME says which of them a behavior takes):\n",
	      f);
	attr_lines(f, SRV6_OWNER_ENCAP, UINT64_MAX);
}

void help_command(const struct ctx *c, FILE *f, const struct command *cmd)
{
	(void)c;
	fprintf(f, "usage: srv6 [OPTIONS] %s%s%s%s%s\n\n%s\n", cmd->object, cmd->verb ? " " : "",
		cmd->verb ? cmd->verb : "", *cmd->args ? " " : "", cmd->args, cmd->help);
	if (cmd->details)
		cmd->details(f);
	if (cmd->flags & CMD_WORDS) {
		bool nexthop = !strcmp(cmd->object, "nexthop");

		help_encaps(f);
		fputs("\nWORDS OF A HOP:\n", f);
		attr_lines(f, SRV6_OWNER_HOP, UINT64_MAX);
		fprintf(f, "\nWORDS OF A %s:\n", nexthop ? "NEXTHOP OBJECT" : "ROUTE");
		attr_lines(f, nexthop ? SRV6_OWNER_NEXTHOP : SRV6_OWNER_ROUTE, UINT64_MAX);
		if (!nexthop)
			fputs("\nSeveral hops: nexthop [encap ENCAP] via ADDR [dev DEV] [weight N] nexthop ...\n", f);
		fputs("Every word may be written as an option: --dev eth0, --segs=fc00::1.\n", f);
	}
}

static void command_line(FILE *f, const struct command *cmd, bool args)
{
	char text[300];

	snprintf(text, sizeof(text), "%s%s%s%s%s", cmd->object, cmd->verb ? " " : "", cmd->verb ? cmd->verb : "",
		 args && *cmd->args ? " " : "", args ? cmd->args : "");
	if (args)
		fprintf(f, "  srv6 %s\n        %s\n", text, cmd->help);
	else
		fprintf(f, "  %-18s %s\n", text, cmd->help);
}

void help_object(const struct ctx *c, FILE *f, const char *object)
{
	for (const struct command *const *t = c->tables; *t; t++)
		for (const struct command *cmd = *t; cmd->object; cmd++)
			if (!strcmp(cmd->object, object))
				command_line(f, cmd, true);
}

void help_tool(const struct ctx *c, FILE *f)
{
	fputs("usage: srv6 [OPTIONS] OBJECT [COMMAND] [WORDS]\n\n"
	      "Segment routing over IPv6 on Linux: routes that encapsulate, SIDs, and what belongs to them. Words are those of ip-route(8).\n",
	      f);
	for (const struct command *const *t = c->tables; *t; t++) {
		if (!((*t)->flags & CMD_HIDDEN))
			putc('\n', f);
		for (const struct command *cmd = *t; cmd->object; cmd++)
			if (!(cmd->flags & CMD_HIDDEN))
				command_line(f, cmd, false);
	}
	fputs("\nOPTIONS, anywhere in the line:\n", f);
	help_options(f);
	fputs("\nsrv6 help OBJECT, srv6 OBJECT COMMAND --help say more; manual: srv6(8).\n"
	      "Exit status: 0 done; 1 refused or not verified; 2 wrong usage; 3 the answer may be incomplete.\n",
	      f);
}

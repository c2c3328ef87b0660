/* SPDX-License-Identifier: GPL-2.0-or-later */
/* srv6 behavior: the library's tables, for people. srv6 caps: what this kernel makes of them. */
#include <errno.h>
#include <string.h>

#include "model.h"

/* ---- behaviors */

static const char *status_text(const struct srv6_behavior_info *info)
{
	return info->status == SRV6_STATUS_UAPI       ? "in no kernel"
	       : info->status == SRV6_STATUS_PROPOSED ? "proposed"
						      : info->since;
}

static void attr_list(struct jw *j, const char *key, uint64_t set)
{
	const struct srv6_attr_info *row;

	jw_key(j, key);
	jw_open(j, '[');
	for (uint32_t bit = 0; bit < 64 && set >> bit; bit++) {
		row = set >> bit & 1 ? srv6_attr_info(bit) : NULL;
		if (row)
			jw_string(j, json_key(row));
	}
	jw_close(j, ']');
}

static void jw_text(struct jw *j, const char *key, const char *text)
{
	if (!text)
		return;
	jw_key(j, key);
	jw_string(j, text);
}

static void behavior_jw(struct jw *j, const struct srv6_behavior_info *info)
{
	static const char *const status[] = { "kernel", "uapi", "proposed" };

	jw_open(j, '{');
	jw_text(j, "behavior", info->name);
	jw_text(j, "encap_type", info->encap);
	jw_text(j, is_headend_mode(info) ? "mode" : "action", info->word);
	jw_text(j, "rfc", info->rfc);
	jw_text(j, "since", info->since);
	jw_text(j, "status", info->status < ARRAY_SIZE(status) ? status[info->status] : "?");
	jw_text(j, "summary", info->summary);
	jw_key(j, "families");
	jw_open(j, '[');
	if (info->families & SRV6_FAMILY_IN4)
		jw_string(j, "inet");
	if (info->families & SRV6_FAMILY_IN6)
		jw_string(j, "inet6");
	jw_close(j, ']');
	attr_list(j, "required", info->required);
	attr_list(j, "one_of", info->one_of);
	attr_list(j, "optional", info->optional);
	jw_key(j, "flavors");
	jw_open(j, '[');
	for (uint32_t bit = 0; bit < 32; bit++)
		if (info->flavors >> bit & 1 && srv6_flavor_name(1u << bit))
			jw_string(j, srv6_flavor_name(1u << bit));
	jw_close(j, ']');
	jw_close(j, '}');
}

static void attr_lines(FILE *f, const char *head, uint64_t set)
{
	const struct srv6_attr_info *row;
	char word[64];

	if (!set)
		return;
	fprintf(f, "  %s:\n", head);
	for (uint32_t bit = 0; bit < 64 && set >> bit; bit++) {
		row = set >> bit & 1 ? srv6_attr_info(bit) : NULL;
		if (!row)
			continue;
		snprintf(word, sizeof(word), "%s%s%s", row->word, row->arg ? " " : "", row->arg ? row->arg : "");
		fprintf(f, "    %-26s %s%s%s%s\n", word, row->help, row->since ? " (Linux " : "",
			row->since ? row->since : "", row->since ? ")" : "");
	}
}

static void behavior_text(FILE *f, const struct srv6_behavior_info *info)
{
	fprintf(f, "%s: %s\n", info->name, info->summary);
	fprintf(f, "  words: encap %s %s %s\n", info->encap, is_headend_mode(info) ? "mode" : "action", info->word);
	if (info->rfc)
		fprintf(f, "  defined in: %s\n", info->rfc);
	fprintf(f, "  Linux: %s\n", status_text(info));
	fprintf(f, "  routes: %s\n",
		info->families == SRV6_FAMILY_IN6   ? "IPv6"
		: info->families == SRV6_FAMILY_IN4 ? "IPv4"
						    : "IPv4 and IPv6");
	attr_lines(f, "needs", info->required);
	attr_lines(f, "needs exactly one of", info->one_of);
	attr_lines(f, "may have", info->optional);
	if (!info->flavors)
		return;
	fputs("  flavors:", f);
	for (uint32_t bit = 0; bit < 32; bit++)
		if (info->flavors >> bit & 1 && srv6_flavor_name(1u << bit))
			fprintf(f, " %s", srv6_flavor_name(1u << bit));
	putc('\n', f);
}

static void needs(char *out, size_t size, const struct srv6_behavior_info *info)
{
	const struct srv6_attr_info *row;
	size_t at = 0;

	*out = '\0';
	for (uint32_t bit = 0; bit < 64; bit++) {
		row = (info->required | info->one_of) >> bit & 1 ? srv6_attr_info(bit) : NULL;
		if (row && at < size)
			at += (size_t)snprintf(out + at, size - at, "%s%s",
					       at ? info->one_of >> bit & 1 ? "|" : " " : "", row->word);
	}
}

static void behavior_line(FILE *f, const struct srv6_behavior_info *info)
{
	char set[128];

	needs(set, sizeof(set), info);
	fprintf(f, "%-16s %-11s %-14s %-13s %-38s %s\n", info->name, info->encap, info->word, status_text(info), set,
		info->summary);
}

static int one_behavior(struct ctx *c, struct words *w)
{
	const char *name = words_next(w), *known[SRV6_N_BEHAVIORS + 1];
	const struct usid *usid = usid_find(name);
	uint32_t b = usid ? usid->behavior : srv6_behavior_find(NULL, name);
	const struct srv6_behavior_info *info = srv6_behavior_info(b, c->mobile);
	struct jw j = { .f = c->out, .pretty = c->pretty };
	size_t n = 0;

	if (!info) {
		for (uint32_t i = 1; i < SRV6_N_BEHAVIORS; i++)
			if (srv6_behavior_info(i, c->mobile))
				known[n++] = srv6_behavior_info(i, c->mobile)->name;
		known[n] = NULL;
		w->i--;
		words_unknown(c, w, "behavior", known);
		return complain(c, USAGE);
	}
	if (c->json) {
		behavior_jw(&j, info);
		putc('\n', c->out);
	} else {
		behavior_text(c->out, info);
	}
	return flush_out(c, DONE);
}

static int behavior(struct ctx *c, struct words *w, const struct command *cmd)
{
	const struct srv6_behavior_info *info;

	(void)cmd;
	if (words_peek(w))
		return one_behavior(c, w);
	list_begin(c);
	if (!c->json)
		fprintf(c->out, "%-16s %-11s %-14s %-13s %-38s %s\n", "BEHAVIOR", "ENCAP", "WORD", "LINUX", "NEEDS",
			"WHAT IT DOES");
	for (uint32_t b = 1; b < SRV6_N_BEHAVIORS; b++) {
		info = srv6_behavior_info(b, c->mobile);
		if (info && c->json)
			behavior_jw(&c->jw, info);
		else if (info)
			behavior_line(c->out, info);
	}
	return list_end(c, DONE);
}

const struct command behavior_commands[] = {
	{ "behavior", NULL, 0, 1, behavior, "[NAME]",
	  "what there is: headend and endpoint behaviors, and what they need", 0, 0, NULL },
	{ 0 },
};

/* ---- capabilities */

static int print_cap(const struct srv6_cap *cap, void *arg)
{
	static const char *const can[] = { "unknown", "no", "yes" };
	struct ctx *c = arg;
	const char *is = cap->can < ARRAY_SIZE(can) ? can[cap->can] : "unknown";

	if (!c->json) {
		fprintf(c->out, "%-34s %-8s", cap->name, is);
		if (cap->since)
			fprintf(c->out, " since %s", cap->since);
		if (cap->can != SRV6_CAN_YES && cap->why[0])
			fprintf(c->out, "%s%s", cap->since ? "; " : " ", cap->why);
		putc('\n', c->out);
		return 0;
	}
	jw_open(&c->jw, '{');
	jw_text(&c->jw, "name", cap->name);
	jw_text(&c->jw, "kind", cap->kind);
	jw_text(&c->jw, "can", is);
	jw_text(&c->jw, "since", cap->since);
	jw_text(&c->jw, "why", cap->can != SRV6_CAN_YES && cap->why[0] ? cap->why : NULL);
	jw_close(&c->jw, '}');
	return 0;
}

static int caps(struct ctx *c, struct words *w, const struct command *cmd)
{
	int err, status = DONE;

	(void)w;
	(void)cmd;
	if (!handle(c))
		return complain(c, REFUSED);
	list_begin(c);
	err = srv6_caps(c->s, print_cap, c);
	if (err) {
		fail_lib(c, NULL, srv6_error(c->s));
		status = complain(c, REFUSED);
	}
	return list_end(c, status);
}

const struct command caps_commands[] = {
	{ "caps", NULL, 0, 0, caps, "",
	  "what this kernel can do, found out by trying in a network namespace made for that", 0, 0, NULL },
	{ 0 },
};

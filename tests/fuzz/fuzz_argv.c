/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line of words: split, parsed, and what it asks for shown as text and as JSON and read back. The first byte chooses the
 * family, the numbering of the mobile behaviors, and whether it comes as a line of a file or as an argument vector.
 */
#include "fuzz_cli.h"

#define MAX_WORDS 256

static int split(struct ctx *c, struct words *w, struct arena *a, bool line, char *text)
{
	static char *argv[MAX_WORDS];
	int n = 0;
	char *at = text;

	if (line)
		return words_line(c, w, a, "fuzz", 1, text);
	while (n < MAX_WORDS && (argv[n] = strsep(&at, " ")))
		n++;
	words_argv(w, a, n, argv);
	w->file = "fuzz"; /* nobody is asked for a secret */
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ctx c = { .out = stdout, .quiet = true, .dry_run = true, .tables = fuzz_tables };
	struct arena a = { 0 };
	struct words w;
	struct srv6_op op;
	char *text;

	if (!size)
		return 0;
	text = exact(NULL, size);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = 0;
	c.family = data[0] & 1 ? AF_INET : data[0] & 2 ? AF_INET6 : AF_UNSPEC;
	c.mobile = data[0] & 4 ? SRV6_MOBILE_V2 : SRV6_MOBILE_AUTO;
	if (!opens_files(text)) {
		if (split(&c, &w, &a, data[0] & 8, text) || parse_change(&c, &w, &a, &op))
			is_described(&c);
		else
			op_again(&c, &op);
	}
	free(text);
	arena_free(&a);
	context_end(&c);
	return 0;
}

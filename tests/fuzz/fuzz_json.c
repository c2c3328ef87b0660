/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A JSON document, as restore and apply read it: what it holds is shown as text and JSON and read back. */
#include "document.h"
#include "fuzz_cli.h"

static void items_again(struct ctx *c, const struct items *l)
{
	for (size_t i = 0; i < l->n && i < 16; i++)
		op_again(c, &l->item[i].op);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ctx c = { .out = stdout, .quiet = true, .dry_run = true, .tables = fuzz_tables };
	struct document d = { 0 };
	char *copy = exact(data, size), *text = exact(NULL, size + 1);

	memcpy(text, data, size);
	text[size] = 0;
	if (opens_files(text))
		goto out;
	if (document_parse(&c, &d, "fuzz", copy, size)) {
		is_described(&c);
	} else {
		document_own(&d);
		items_again(&c, &d.nexthops);
		items_again(&c, &d.routes);
	}
	document_free(&d);
	context_end(&c);
out:
	free(text);
	free(copy);
	return 0;
}

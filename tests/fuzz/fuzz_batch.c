/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A batch file, run dry. The first byte: options. */
#include "batch.h"
#include "fuzz_cli.h"
#include "lines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ctx c = { .quiet = true, .dry_run = true, .tables = fuzz_tables };
	struct lines in = { .file = "fuzz" };
	char *copy, *out = NULL;
	size_t len = 0;
	int status;
	FILE *said;

	if (size < 2)
		return 0;
	copy = exact(NULL, size);
	memcpy(copy, data + 1, size - 1);
	copy[size - 1] = 0;
	for (size_t i = 0; i + 1 < size; i++) /* look behind NULs too */
		if (!i || !copy[i - 1])
			if (opens_files(copy + i))
				goto out;
	c.json = data[0] & 1;
	c.hex = data[0] & 8;
	c.out = open_memstream(&out, &len);
	in.in = fmemopen(copy, size - 1, "r");
	MUST(c.out && in.in);
	said = hush();
	status = batch_lines(&c, &in, data[0] & 2 ? BATCH_KEEP_GOING : data[0] & 4 ? BATCH_ATOMIC : 0);
	stderr = said;
	MUST(status == DONE || status == USAGE || status == REFUSED);
	MUST(status == DONE || c.failure.e.text[0]);
	lines_close(&in);
	fclose(c.out);
	free(out);
	context_end(&c);
out:
	free(copy);
	return 0;
}

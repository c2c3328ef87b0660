/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Feeds kept inputs to a fuzzer's function, without a fuzzer: replay FILE... A file whose name ends in .txt holds an input
 * a line: a name, then "x" and hexadecimal digits, or "t" and text in which \n, \t, \\ and \xHH stand for themselves.
 * With -o DIR the inputs are written there as files instead, for the fuzzer to start from.
 */
#include <ctype.h>
#include <errno.h>
#include <unistd.h>
#include <sys/stat.h>

#include "fuzz.h"

#define MAX_SECONDS 60 /* for one input */

static const char *out_dir;
static unsigned long n_inputs;

static int digit(int c)
{
	return isdigit(c) ? c - '0' : isxdigit(c) ? tolower(c) - 'a' + 10 : -1;
}

static void input(const char *name, const uint8_t *data, size_t n)
{
	char path[4096];
	FILE *f;

	n_inputs++;
	if (!out_dir) {
		uint8_t *copy = exact(data, n);

		fprintf(stderr, "%s\n", name); /* the last name before a crash tells which it was */
		alarm(MAX_SECONDS);
		LLVMFuzzerTestOneInput(copy, n);
		free(copy);
		return;
	}
	snprintf(path, sizeof(path), "%s/%s", out_dir, name);
	f = fopen(path, "w");
	MUST(f && fwrite(data, 1, n, f) == n);
	MUST(fclose(f) == 0);
}

static size_t from_hex(const char *s, uint8_t *to)
{
	size_t n = 0;

	for (; digit(s[0]) >= 0 && digit(s[1]) >= 0; s += 2)
		to[n++] = (uint8_t)(digit(s[0]) << 4 | digit(s[1]));
	MUST(!*s || *s == '\n');
	return n;
}

static size_t from_text(const char *s, uint8_t *to)
{
	size_t n = 0;

	while (*s && *s != '\n') {
		if (*s != '\\') {
			to[n++] = (uint8_t)*s++;
		} else if (s[1] == 'x') {
			MUST(digit(s[2]) >= 0 && digit(s[3]) >= 0);
			to[n++] = (uint8_t)(digit(s[2]) << 4 | digit(s[3]));
			s += 4;
		} else {
			to[n++] = (uint8_t)(s[1] == 'n' ? '\n' : s[1] == 't' ? '\t' : s[1]);
			s += 2;
		}
	}
	return n;
}

static void line(char *s)
{
	char *form = strchr(s, ' ');
	uint8_t *data;
	size_t n;

	if (*s == '#' || *s == '\n')
		return;
	MUST(form && (form[1] == 'x' || form[1] == 't') && (form[2] == ' ' || form[2] == '\n'));
	*form = 0;
	data = exact(NULL, strlen(form + 1));
	n = form[2] == '\n' ? 0 : form[1] == 'x' ? from_hex(form + 3, data) : from_text(form + 3, data);
	input(s, data, n);
	free(data);
}

static int lines(FILE *f)
{
	char *s = NULL;
	size_t cap = 0;

	while (getline(&s, &cap, f) > 0)
		line(s);
	free(s);
	return 0;
}

static int binary(const char *path, FILE *f)
{
	struct stat st;
	uint8_t *data;
	size_t n;

	MUST(fstat(fileno(f), &st) == 0);
	data = exact(NULL, (size_t)st.st_size);
	n = fread(data, 1, (size_t)st.st_size, f);
	input(path, data, n);
	free(data);
	return 0;
}

int main(int argc, char **argv)
{
	int i = 1;

	if (argc > 2 && !strcmp(argv[1], "-o")) {
		out_dir = argv[2];
		i = 3;
	}
	for (; i < argc; i++) {
		size_t len = strlen(argv[i]);
		FILE *f = fopen(argv[i], "r");

		if (!f)
			return fprintf(stderr, "%s: %s\n", argv[i], strerror(errno)), 1;
		if (len > 4 && !strcmp(argv[i] + len - 4, ".txt"))
			lines(f);
		else
			binary(argv[i], f);
		fclose(f);
	}
	if (!n_inputs)
		return fprintf(stderr, "nothing was read\n"), 1;
	printf("%lu inputs\n", n_inputs);
	return 0;
}

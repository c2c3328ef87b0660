/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A writer of JSON for long lists: a tree for every route would cost more than the route. */
#include <string.h>

#include "cli.h"

static void put(struct jw *j, const char *s)
{
	fputs_unlocked(s, j->f);
}

static void newline(struct jw *j)
{
	if (!j->pretty)
		return;
	putc_unlocked('\n', j->f);
	for (unsigned int i = 0; i < j->depth; i++)
		put(j, "  ");
}

/* In front of a member or an element. */
static void separate(struct jw *j)
{
	if (j->inner)
		putc_unlocked(',', j->f);
	if (j->inner && j->lines && j->depth == 1 && !j->pretty)
		putc_unlocked('\n', j->f);
	if (j->depth)
		newline(j);
	j->inner = true;
}

static void before_value(struct jw *j)
{
	if (!j->after_key)
		separate(j);
	j->after_key = false;
}

void jw_open(struct jw *j, char bracket)
{
	before_value(j);
	putc_unlocked(bracket, j->f);
	j->depth++;
	j->inner = false;
}

void jw_close(struct jw *j, char bracket)
{
	j->depth--;
	if (j->inner)
		newline(j);
	putc_unlocked(bracket, j->f);
	j->inner = true;
}

/* Length of the UTF-8 sequence at s; 0: it is none (overlong, surrogate, out of range or cut). */
size_t utf8(const unsigned char *s)
{
	size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;

	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
	    (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return n;
}

/* A character that JSON would take as it is, and terminals perhaps not: DEL, C1, bytes that are no text. Returns its length. */
static size_t put_text(FILE *f, const char *s)
{
	size_t n = utf8((const unsigned char *)s);

	if (!n)
		fputs_unlocked("\\ufffd", f);
	else if (*s == 0x7f)
		fputs_unlocked("\\u007f", f);
	else if (n == 1)
		putc_unlocked(*s, f);
	else if (n == 2 && (unsigned char)s[0] == 0xc2 && (unsigned char)s[1] < 0xa0)
		fprintf(f, "\\u%04x", (unsigned int)(unsigned char)s[1]);
	else
		fwrite(s, 1, n, f);
	return n ? n : 1;
}

static void put_escaped(struct jw *j, const char *s)
{
	while (*s) {
		if (*s == '"' || *s == '\\')
			fprintf(j->f, "\\%c", *s++);
		else if ((unsigned char)*s < 0x20)
			fprintf(j->f, "\\u%04x", (unsigned int)(unsigned char)*s++);
		else
			s += put_text(j->f, s);
	}
}

/* json-c leaves these to the reader; outside of its strings there are none. */
void put_json(FILE *f, const char *text)
{
	while (*text)
		text += put_text(f, text);
}

void jw_key(struct jw *j, const char *key)
{
	separate(j);
	putc_unlocked('"', j->f);
	put(j, key);
	put(j, j->pretty ? "\": " : "\":");
	j->after_key = true;
}

void jw_string(struct jw *j, const char *s)
{
	before_value(j);
	putc_unlocked('"', j->f);
	put_escaped(j, s);
	putc_unlocked('"', j->f);
}

void jw_number(struct jw *j, uint64_t n)
{
	char text[24], *p = text + sizeof(text) - 1;

	*p = '\0';
	do {
		*--p = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	before_value(j);
	put(j, p);
}

void jw_true(struct jw *j)
{
	before_value(j);
	put(j, "true");
}

void jw_json(struct jw *j, const char *text)
{
	before_value(j);
	put_json(j->f, text);
}

void jw_hex(struct jw *j, const void *data, size_t len)
{
	before_value(j);
	putc_unlocked('"', j->f);
	print_hex(j->f, data, len);
	putc_unlocked('"', j->f);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words and where they stand: from argv, or from a line of a file. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "cli.h"

static struct word *add_word(struct words *w, uint32_t *cap, const char *text, size_t column, size_t width)
{
	struct word *grown;

	if (w->n == *cap) {
		*cap = *cap ? 2 * *cap : 16;
		grown = take(w->arena, *cap * sizeof(*grown));
		if (w->n)
			memcpy(grown, w->word, w->n * sizeof(*grown));
		w->word = grown;
	}
	w->word[w->n] = (struct word){ .text = text, .column = (uint32_t)column, .width = (uint32_t)width };
	return &w->word[w->n++];
}

/* A word as written: --x and --x=y are the words x, and x y. */
static void add_written(struct words *w, uint32_t *cap, char *text, size_t column, size_t width)
{
	char *value;

	if (strncmp(text, "--", 2) || !isalpha((unsigned char)text[2])) {
		add_word(w, cap, text, column, width);
		return;
	}
	value = strchr(text, '=');
	if (!value) {
		add_word(w, cap, text + 2, column, width)->option = true;
		return;
	}
	*value++ = '\0';
	add_word(w, cap, text + 2, column, strlen(text))->option = true;
	add_word(w, cap, value, column + (size_t)(value - text), strlen(value));
}

void words_argv(struct words *w, struct arena *a, int argc, char **argv)
{
	size_t len = 1, at = 0, n;
	uint32_t cap = 0;
	char *text;

	*w = (struct words){ .arena = a };
	for (int i = 0; i < argc; i++)
		len += strlen(argv[i]) + 1;
	w->text = text = take(a, len);
	for (int i = 0; i < argc && strcmp(argv[i], "#"); i++, at += n + 1) {
		n = strlen(argv[i]);
		if (i)
			text[at - 1] = ' ';
		memcpy(text + at, argv[i], n);
		add_written(w, &cap, take_text(a, argv[i], n), at, n);
	}
}

static int hex_digit(char ch)
{
	return ch >= '0' && ch <= '9' ? ch - '0'
	       : tolower((unsigned char)ch) >= 'a' && tolower((unsigned char)ch) <= 'f'
		       ? tolower((unsigned char)ch) - 'a' + 10
		       : -1;
}

/* Copies one word from s to out, without its quotes. Returns what follows it; NULL: a quote has no end. */
static const char *copy_word(const char *s, char *out)
{
	size_t plain = strcspn(s, " \t\v\f\"'\\");
	char quote = 0;

	memcpy(out, s, plain);
	out += plain;
	for (s += plain; *s && (quote || !isspace((unsigned char)*s)); s++) {
		if (quote ? *s == quote : *s == '"' || *s == '\'') {
			quote = quote ? 0 : *s;
		} else if (*s == '\\' && quote != '\'' && s[1]) {
			s++;
			if (quote && *s == 'x' && hex_digit(s[1]) >= 0 && hex_digit(s[2]) >= 0 &&
			    (s[1] != '0' || s[2] != '0')) {
				*out++ = (char)(hex_digit(s[1]) << 4 | hex_digit(s[2]));
				s += 2;
			} else {
				*out++ = *s;
			}
		} else {
			*out++ = *s;
		}
	}
	*out = '\0';
	return quote ? NULL : s;
}

int words_line(struct ctx *c, struct words *w, struct arena *a, const char *file, unsigned int line, const char *text)
{
	size_t len = strcspn(text, "\r\n");
	const char *s, *end;
	uint32_t cap = 0;
	char *out;

	*w = (struct words){ .arena = a, .file = file, .line = line };
	w->text = s = take_text(a, text, len);
	out = take(a, len + 1); /* no word is longer than it is written, and a blank is between two */
	for (;; out += end - s + 1, s = end) {
		s += strspn(s, " \t\v\f");
		if (!*s || *s == '#')
			return 0;
		end = copy_word(s, out);
		if (!end) {
			add_word(w, &cap, out, (size_t)(s - w->text), strlen(s));
			return fail(c, w, w->n - 1, -EINVAL, "a quote that has no end");
		}
		/* quoted words are never options */
		if (*s == '-')
			add_written(w, &cap, out, (size_t)(s - w->text), (size_t)(end - s));
		else
			add_word(w, &cap, out, (size_t)(s - w->text), (size_t)(end - s));
	}
}

const char *words_peek(const struct words *w)
{
	return w->i < w->n ? w->word[w->i].text : NULL;
}

const char *words_next(struct words *w)
{
	return w->i < w->n ? w->word[w->i++].text : NULL;
}

bool words_take(struct words *w, const char *word)
{
	if (w->i >= w->n || !same(w->word[w->i].text, word))
		return false;
	w->i++;
	return true;
}

void words_place(struct words *w, uint32_t hop, uint32_t attr, uint32_t word)
{
	struct place *grown;

	if (w->n_places == w->cap_places) {
		w->cap_places = w->cap_places ? 2 * w->cap_places : 16;
		grown = take(w->arena, w->cap_places * sizeof(*grown));
		if (w->n_places)
			memcpy(grown, w->place, w->n_places * sizeof(*grown));
		w->place = grown;
	}
	w->place[w->n_places++] = (struct place){ hop, attr, word, word };
}

int words_value(struct ctx *c, struct words *w, const char *what, const char **ret)
{
	if (w->i >= w->n) {
		if (!w->i)
			return fail(c, w, w->i, -EINVAL, "%s is missing", what);
		return fail(c, w, w->i, -EINVAL, "%s: %s must follow", w->word[w->i - 1].text, what);
	}
	*ret = w->word[w->i++].text;
	return 0;
}

int words_number(struct ctx *c, struct words *w, const char *what, uint32_t min, uint32_t max, uint32_t *ret)
{
	const char *s = NULL;
	uint64_t n;
	int err = words_value(c, w, what, &s);

	if (err)
		return err;
	if (value_number(s, UINT64_MAX, &n))
		return fail(c, w, w->i - 1, -EINVAL, "%s: %s is expected, a number from %u to %u", s, what, min, max);
	if (n < min || n > max)
		return fail(c, w, w->i - 1, -ERANGE, "%s: %s is from %u to %u", s, what, min, max);
	*ret = (uint32_t)n;
	return 0;
}

static const char *family_words(int family)
{
	return family == AF_INET ? "an IPv4" : family == AF_INET6 ? "an IPv6" : "an IPv4 or IPv6";
}

int words_addr(struct ctx *c, struct words *w, const char *what, int family, struct srv6_prefix *ret)
{
	const char *s = NULL;
	int err = words_value(c, w, what, &s);

	if (!err && value_addr(s, strlen(s), family, ret))
		err = fail(c, w, w->i - 1, -EINVAL, "%s: %s is expected, %s address", s, what, family_words(family));
	return err;
}

int words_prefix(struct ctx *c, struct words *w, const char *what, int family, struct srv6_prefix *ret)
{
	const char *s = NULL;
	int err = words_value(c, w, what, &s);

	if (!err && value_prefix(s, strlen(s), family, ret))
		err = fail(c, w, w->i - 1, -EINVAL, "%s: %s is expected, %s prefix", s, what, family_words(family));
	return err;
}

int words_end(struct ctx *c, struct words *w)
{
	if (w->i >= w->n)
		return 0;
	return fail(c, w, w->i, -EINVAL, "%s: nothing was expected here", w->word[w->i].text);
}

#define FAR 33 /* more than any distance of words that are compared */

/* A row of the table of distances, at most 'most' columns off its diagonal: what is beyond is further than that. */
static size_t distance_row(const char *a, const char *b, size_t lb, size_t i, size_t most, size_t d[3][FAR + 1])
{
	size_t *row = d[i % 3], *up = d[(i + 2) % 3], *upup = d[(i + 1) % 3];
	size_t from = i > most ? i - most : 1, to = i + most < lb ? i + most : lb, least;

	row[from - 1] = from == 1 ? i : FAR;
	least = row[from - 1];
	for (size_t j = from; j <= to; j++) {
		row[j] = up[j - 1] + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
		if (up[j] + 1 < row[j])
			row[j] = up[j] + 1;
		if (row[j - 1] + 1 < row[j])
			row[j] = row[j - 1] + 1;
		if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && upup[j - 2] + 1 < row[j])
			row[j] = upup[j - 2] + 1;
		if (row[j] < least)
			least = row[j];
	}
	row[to + 1] = FAR;
	return least;
}

/* Levenshtein's distance, a transposition counting one; more than most may be any number above it. */
static size_t distance(const char *a, const char *b, size_t most)
{
	size_t la = strlen(a), lb = strlen(b), d[3][FAR + 1], least = 0, before;

	if (la >= FAR || lb >= FAR || (la > lb ? la - lb : lb - la) > most)
		return SIZE_MAX;
	for (size_t j = 0; j <= lb; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= la; i++) {
		before = least;
		least = distance_row(a, b, lb, i, most, d);
		if (least > most && before > most) /* a transposition looks two rows back */
			return SIZE_MAX;
	}
	return d[la % 3][lb];
}

const char *nearest(const char *word, const char *const *known)
{
	size_t len = strlen(word), best = len < 3 ? 1 : len < 6 ? 2 : 3, d;
	const char *ret = NULL, *start = NULL;

	for (; *known; known++) {
		d = distance(word, *known, best);
		if (d <= best && d < len && (!ret || d < best)) {
			best = d;
			ret = *known;
		}
		if (!start && len >= 2 && !strncmp(word, *known, len))
			start = *known;
	}
	/* an abbreviation, as other tools take it, says more than a near miss */
	return start ? start : ret;
}

int words_unknown(struct ctx *c, struct words *w, const char *what, const char *const *known)
{
	const char *word = words_peek(w), *near;

	if (!word)
		return fail(c, w, w->i, -EINVAL, "%s is missing", what);
	near = nearest(word, known);
	if (near && strcmp(near, word)) /* known, but not here */
		return fail(c, w, w->i, -EINVAL, "%s: no such %s; did you mean '%s'?", word, what, near);
	return fail(c, w, w->i, -EINVAL, "%s: no such %s", word, what);
}

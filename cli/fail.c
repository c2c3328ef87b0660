/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One failure: described where it is found, told once, as text with a caret or as a JSON object. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

#include "cli.h"

static void describe(struct ctx *c, int code, const char *fmt, va_list ap)
{
	struct failure *f = &c->failure;

	memset(f, 0, sizeof(*f));
	f->e.code = code;
	f->e.attr = SRV6_ATTR_NONE;
	vsnprintf(f->e.text, sizeof(f->e.text), fmt, ap);
}

/* "hmac set ID ALGO secret HEX": what stands behind the algorithm, but for its words and the names of files. */
static bool is_secret(const struct words *w, uint32_t i)
{
	static const char *const ways[] = { "file", "fd", "secret" };

	if (i < 4 || i >= w->n || strcmp(w->word[0].text, "hmac"))
		return false;
	for (size_t k = 0; k < ARRAY_SIZE(ways); k++)
		if (!strcmp(w->word[i].text, ways[k]) || (k < 2 && !strcmp(w->word[i - 1].text, ways[k])))
			return false;
	return true;
}

/* The line as it is shown: from a file that nobody else may read, no secret gets into a log. */
static const char *public_text(const struct words *w)
{
	size_t len = w->text ? strlen(w->text) : 0;
	char *copy = NULL;

	for (uint32_t i = 4; w->text && i < w->n; i++) {
		if (!is_secret(w, i) || w->word[i].column + w->word[i].width > len)
			continue;
		copy = copy ? copy : take_text(w->arena, w->text, len);
		memset(copy + w->word[i].column, '*', w->word[i].width);
	}
	return copy ? copy : w->text;
}

static void point(struct failure *f, const struct words *w, uint32_t word, size_t off, size_t len)
{
	const struct word *at;

	if (!w)
		return;
	f->file = w->file;
	f->line = w->line;
	f->text = public_text(w);
	if (word == NO_WORD)
		return;
	if (word >= w->n) { /* what is missing: behind the last word */
		f->column = w->n ? w->word[w->n - 1].column + w->word[w->n - 1].width + 1 : 0;
		f->width = 1;
		return;
	}
	at = &w->word[word];
	f->column = at->column;
	f->width = at->width ? at->width : 1;
	/* A part can be pointed at where the word stands in the line as it is, without quotes. */
	if (len && off + len <= strlen(at->text) && at->width >= strlen(at->text)) {
		f->column += at->width - (uint32_t)strlen(at->text) + (uint32_t)off;
		f->width = (uint32_t)len;
		snprintf(f->word, sizeof(f->word), "%.*s", (int)len, at->text + off);
	} else if (!is_secret(w, word)) {
		snprintf(f->word, sizeof(f->word), "%s", at->text);
	}
}

int fail(struct ctx *c, const struct words *w, uint32_t word, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	describe(c, code, fmt, ap);
	va_end(ap);
	point(&c->failure, w, word, 0, 0);
	return code;
}

int fail_part(struct ctx *c, const struct words *w, uint32_t word, size_t off, size_t len, int code, const char *fmt,
	      ...)
{
	va_list ap;

	va_start(ap, fmt);
	describe(c, code, fmt, ap);
	va_end(ap);
	point(&c->failure, w, word, off, len);
	return code;
}

int fail_remedy(struct ctx *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(c->failure.e.remedy, sizeof(c->failure.e.remedy), fmt, ap);
	va_end(ap);
	return c->failure.e.code;
}

/* The last place of an attribute: of this hop, else of any. */
static uint32_t find_place(const struct words *w, uint32_t hop, uint32_t attr)
{
	uint32_t ret = NO_WORD;

	for (uint32_t i = 0; w && i < w->n_places; i++) {
		if (w->place[i].attr != attr)
			continue;
		if (w->place[i].hop == hop)
			return w->place[i].word;
		ret = w->place[i].word;
	}
	return ret;
}

int fail_lib(struct ctx *c, const struct words *w, const struct srv6_error *e)
{
	struct failure *f = &c->failure;
	uint32_t word = find_place(w, e->hop, e->attr);

	if (word == NO_WORD && (e->attr >> 6 == SRV6_OWNER_ENCAP || (e->attr == SRV6_ATTR_NONE && !e->kernel_code)))
		word = find_place(w, e->hop, PLACE_ENCAP);
	memset(f, 0, sizeof(*f));
	f->e = *e;
	point(f, w, word, 0, 0);
	return e->code;
}

static const char *errno_name(int code)
{
	const char *name = strerrorname_np(-code);

	return name ? name : code == -524 ? "ENOTSUPP" : "?";
}

static void add_text(struct json_object *o, const char *key, const char *text)
{
	if (text && *text)
		json_object_object_add(o, key, json_object_new_string(text));
}

static void say_json(struct json_object *o)
{
	put_json(stderr, json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	putc('\n', stderr);
	json_object_put(o);
}

static void complain_json(const struct failure *f)
{
	struct json_object *top = json_object_new_object(), *o = json_object_new_object();

	json_object_object_add(top, "error", o);
	json_object_object_add(o, "code", json_object_new_int(-f->e.code));
	add_text(o, "errno", errno_name(f->e.code));
	add_text(o, "text", f->e.text);
	add_text(o, "word", f->word);
	add_text(o, "path", f->path);
	add_text(o, "remedy", f->e.remedy);
	add_text(o, "kernel", f->e.kernel);
	if (f->e.kernel_code)
		add_text(o, "kernel_errno", errno_name(f->e.kernel_code));
	add_text(o, "file", f->file);
	if (f->line)
		json_object_object_add(o, "line", json_object_new_int((int)f->line));
	if (f->width)
		json_object_object_add(o, "column", json_object_new_int((int)f->column + 1));
	say_json(top);
}

/* Bytes that a terminal would act on become '?': one for one, so that the caret stays under its word. */
static void put_safe(FILE *f, const char *s, size_t len)
{
	size_t n;

	for (size_t i = 0; i < len && s[i]; i += n) {
		const unsigned char *ch = (const unsigned char *)s + i;

		n = utf8(ch);
		if (*ch == '\t')
			putc(' ', f);
		else if (n == 2 && ch[0] == 0xc2 && ch[1] < 0xa0)
			fputs("??", f);
		else if (!n || *ch < 0x20 || *ch == 0x7f || i + n > len)
			putc('?', f);
		else
			fwrite(ch, 1, n, f);
		n = n ? n : 1;
	}
}

#define SHOWN 110u /* columns of a line */

/* The line, or the part of it around the fault, and a caret under the fault. */
static void show_line(const struct failure *f)
{
	size_t len = strlen(f->text), from = 0;
	uint32_t width = f->width < 60 ? f->width : 60;

	if (f->column + width > SHOWN - 10)
		from = f->column - (SHOWN / 2 < f->column ? SHOWN / 2 : f->column);
	fprintf(stderr, "  %s", from ? "..." : "");
	put_safe(stderr, f->text + from, SHOWN);
	fprintf(stderr, "%s\n  %*s", len > from + SHOWN ? "..." : "", (int)(f->column - from + (from ? 3 : 0)), "");
	for (uint32_t i = 0; i < width; i++)
		putc('^', stderr);
	putc('\n', stderr);
}

static void put_text(const char *before, const char *text, const char *after)
{
	fputs(before, stderr);
	put_safe(stderr, text, strlen(text));
	fputs(after, stderr);
}

static void complain_text(const struct failure *f)
{
	put_text("srv6: ", f->file ? f->file : "", f->file && *f->file ? ":" : "");
	if (f->file && f->line)
		fprintf(stderr, "%u: ", f->line);
	else if (f->file && *f->file)
		putc(' ', stderr);
	if (f->path[0])
		put_text("", f->path, ": ");
	put_text("", f->e.text, "\n");
	if (f->text && f->width)
		show_line(f);
	if (f->e.kernel_code)
		fprintf(stderr, "  the kernel said: %s (%s)%s", strerror(-f->e.kernel_code),
			errno_name(f->e.kernel_code), f->e.kernel[0] ? ": " : "");
	if (f->e.kernel_code)
		put_text("", f->e.kernel, "\n");
	if (f->e.remedy[0])
		put_text("  ", f->e.remedy, "\n");
}

int complain(struct ctx *c, int status)
{
	if (c->out)
		fflush(c->out);
	if (c->json)
		complain_json(&c->failure);
	else
		complain_text(&c->failure);
	return status;
}

void warn(struct ctx *c, const struct words *w, uint32_t word, const char *fmt, ...)
{
	struct json_object *o;
	char text[400];
	va_list ap;

	if (c->quiet)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (!c->json) {
		put_text("srv6: ", w && w->file ? w->file : "", w && w->file ? ":" : "");
		if (w && w->file)
			fprintf(stderr, "%u: ", w->line);
		put_text("warning: ", text, "\n");
		return;
	}
	o = json_object_new_object();
	add_text(o, "warning", text);
	if (w && word < w->n)
		add_text(o, "word", w->word[word].text);
	if (w && w->file) {
		add_text(o, "file", w->file);
		json_object_object_add(o, "line", json_object_new_int((int)w->line));
	}
	say_json(o);
}

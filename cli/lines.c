/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of a file that nobody vouches for: continued by a backslash, ended by LF or CR LF, the last one perhaps by nothing. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lines.h"

#define LINE_MAX_BYTES (1u << 20)

int lines_open(struct ctx *c, struct lines *l, const char *file, const struct words *w, uint32_t word)
{
	struct stat st;
	int fd;

	keep_from_cores();
	*l = (struct lines){ .file = strcmp(file, "-") ? file : "<stdin>" };
	if (!strcmp(file, "-")) {
		l->in = stdin;
		return 0;
	}
	fd = open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return fail(c, w, word, -errno, "%s: %s", file, strerror(errno));
	if (!fstat(fd, &st) && S_ISDIR(st.st_mode)) {
		close(fd);
		return fail(c, w, word, -EISDIR, "%s: a file was expected, this is a directory", file);
	}
	l->in = fdopen(fd, "r");
	if (!l->in) {
		close(fd);
		return fail(c, w, word, -ENOMEM, "%s: %s", file, strerror(ENOMEM));
	}
	setvbuf(l->in, NULL, _IOFBF, 1u << 14);
	return 0;
}

void lines_close(struct lines *l)
{
	if (l->in && l->in != stdin)
		fclose(l->in);
	if (l->text)
		explicit_bzero(l->text, l->cap);
	free(l->text);
	*l = (struct lines){ 0 };
}

static int bad_line(struct ctx *c, const struct lines *l, int code, const char *what)
{
	fail(c, NULL, NO_WORD, code, "%s", what);
	c->failure.file = l->file;
	c->failure.line = l->next;
	return code;
}

static void add_char(struct lines *l, int ch)
{
	if (l->len + 2 > l->cap) {
		l->cap = l->cap ? 2 * l->cap : 512;
		l->text = realloc(l->text, l->cap);
		if (!l->text)
			abort();
	}
	l->text[l->len++] = (char)ch;
}

/* The line's end: what belongs to it is not of the line. Returns whether it goes on. */
static bool end_line(struct lines *l)
{
	if (l->len && l->text[l->len - 1] == '\r')
		l->len--;
	if (!l->len || l->text[l->len - 1] != '\\')
		return false;
	l->text[l->len - 1] = ' ';
	return true;
}

int lines_next(struct ctx *c, struct lines *l)
{
	bool more = false;
	int ch;

	l->len = 0;
	l->line = ++l->next;
	add_char(l, '\0');
	l->len = 0;
	while ((ch = getc_unlocked(l->in)) != EOF) {
		if (ch == '\n') {
			if (!end_line(l))
				goto out;
			l->next++;
			more = true;
			continue;
		}
		if (!ch)
			return bad_line(c, l, -EINVAL, "a NUL byte: this is not a text file");
		if (l->len >= LINE_MAX_BYTES)
			return bad_line(c, l, -E2BIG, "a line longer than 1 MiB");
		add_char(l, ch);
	}
	if (ferror(l->in))
		return bad_line(c, l, -EIO, "the file can't be read");
	if (!l->len && !more)
		return 0;
	end_line(l);
out:
	l->text[l->len] = '\0';
	return 1;
}

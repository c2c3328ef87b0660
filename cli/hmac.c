/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys. A secret comes from a file, a descriptor or the terminal, never from argv, where everyone can read it. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <sys/signalfd.h>
#include <sys/stat.h>

#include "cli.h"

#define SECRET_MAX 64

/* ---- secrets */

/* Reads what is there, a byte more than a secret may have, so that a longer one is seen to be too long. */
static ssize_t read_all(int fd, char *buf, size_t size)
{
	size_t len = 0;
	ssize_t n;

	while (len < size) {
		n = read(fd, buf + len, size - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			break;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

/* Keeps it in the arena, which main() wipes. One line end is no part of it. */
static int keep(struct ctx *c, struct words *w, struct arena *a, char *buf, ssize_t len, struct srv6_bytes *ret)
{
	int err = 0;

	if (len > 0 && buf[len - 1] == '\n')
		len--;
	if (len < 0)
		err = fail(c, w, w->i ? w->i - 1 : NO_WORD, (int)len, "the secret could not be read: %s",
			   strerror((int)-len));
	else if (!len)
		err = fail(c, w, w->i ? w->i - 1 : NO_WORD, -EINVAL, "the secret is empty; 1 to %d bytes are expected",
			   SECRET_MAX);
	else if (len > SECRET_MAX)
		err = fail(c, w, w->i ? w->i - 1 : NO_WORD, -EINVAL, "the secret is longer than %d bytes", SECRET_MAX);
	else
		*ret = (struct srv6_bytes){ take_text(a, buf, (size_t)len), (size_t)len };
	return err;
}

static int from_fd(struct ctx *c, struct words *w, struct arena *a, int fd, struct srv6_bytes *ret)
{
	char buf[SECRET_MAX + 2];
	int err = keep(c, w, a, buf, read_all(fd, buf, sizeof(buf)), ret);

	explicit_bzero(buf, sizeof(buf));
	return err;
}

static int from_file(struct ctx *c, struct words *w, struct arena *a, const char *name, struct srv6_bytes *ret)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY), err;
	struct stat st;

	if (fd < 0)
		return fail(c, w, w->i - 1, -errno, "%s: %s", name, strerror(errno));
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_mode & (S_IRWXG | S_IRWXO))
		warn(c, w, w->i - 1, "%s can be read by others: chmod 600 it", name);
	err = from_fd(c, w, a, fd, ret);
	close(fd);
	return err;
}

/* Until a line is there; -EINTR: one of the signals is pending instead. */
static int await_line(int tty, const sigset_t *ending)
{
	struct pollfd fds[] = { { tty, POLLIN, 0 }, { signalfd(-1, ending, SFD_CLOEXEC), POLLIN, 0 } };
	int n;

	do
		n = poll(fds, ARRAY_SIZE(fds), -1);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		n = -errno;
	if (fds[1].fd >= 0)
		close(fds[1].fd);
	return n < 0 ? n : fds[1].revents ? -EINTR : 0;
}

static int ask_once(int tty, const char *prompt, const sigset_t *ending, char *buf, size_t size, ssize_t *len)
{
	struct termios old, quiet;

	if (tcgetattr(tty, &old))
		return -errno;
	quiet = old;
	quiet.c_lflag &= ~(tcflag_t)(ECHO | ISIG); /* no key is a signal: it may be part of the secret */
	if (tcsetattr(tty, TCSAFLUSH, &quiet))
		return -errno;
	*len = write(tty, prompt, strlen(prompt)) < 0 ? -errno : await_line(tty, ending);
	if (!*len)
		*len = read(tty, buf, size);
	if (*len == -1)
		*len = -errno;
	tcsetattr(tty, TCSAFLUSH, &old);
	return write(tty, "\n", 1) != 1 ? -EIO : *len < 0 ? (int)*len : 0;
}

/* A signal that ends the tool waits until the terminal has its echo again. */
static int ask_twice(int tty, char *buf, char *again, size_t size, ssize_t *len, ssize_t *len2)
{
	static const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
	sigset_t ending, before;
	int err;

	sigemptyset(&ending);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaddset(&ending, signals[i]);
	sigprocmask(SIG_BLOCK, &ending, &before);
	err = ask_once(tty, "secret: ", &ending, buf, size, len);
	if (!err)
		err = ask_once(tty, "again: ", &ending, again, size, len2);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return err;
}

static int from_terminal(struct ctx *c, struct words *w, struct arena *a, struct srv6_bytes *ret)
{
	char buf[SECRET_MAX + 2], again[SECRET_MAX + 2];
	int tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY), err;
	ssize_t len = 0, len2 = 0;

	if (tty < 0 || w->file) {
		if (tty >= 0)
			close(tty);
		fail(c, w, w->i, -EINVAL, "where is the secret? there is no terminal to ask at");
		return fail_remedy(c, "add file FILE, or fd 0 to read it from standard input");
	}
	err = ask_twice(tty, buf, again, sizeof(buf), &len, &len2);
	close(tty);
	if (err)
		err = fail(c, w, NO_WORD, err, "the terminal could not be read: %s", strerror(-err));
	else if (len != len2 || (len > 0 && memcmp(buf, again, (size_t)len)))
		err = fail(c, w, NO_WORD, -EINVAL, "the two are not the same");
	else
		err = keep(c, w, a, buf, len, ret);
	explicit_bzero(buf, sizeof(buf));
	explicit_bzero(again, sizeof(again));
	return err;
}

/* "secret HEX", as save --secrets writes it: in files alone. */
static int in_place(struct ctx *c, struct words *w, struct arena *a, struct srv6_bytes *ret)
{
	const char *text;
	int err;

	if (!w->file) {
		fail(c, w, w->i - 1, -EINVAL, "secret: never on the command line, where everyone can read it");
		return fail_remedy(c,
				   "write it to a file, chmod 600 it, and add: file FILE; or leave it out to be asked");
	}
	err = words_value(c, w, "the secret in hexadecimal", &text);
	if (!err && (value_hex(a, text, ret) || ret->len > SECRET_MAX))
		err = fail(c, w, w->i - 1, -EINVAL, "secret: 1 to %d bytes in hexadecimal are expected", SECRET_MAX);
	return err;
}

int hmac_secret(struct ctx *c, struct words *w, struct arena *a, struct srv6_bytes *ret)
{
	const char *text;
	uint32_t fd;
	int err;

	keep_from_cores();
	if (!words_peek(w))
		return from_terminal(c, w, a, ret);
	if (words_take(w, "file")) {
		err = words_value(c, w, "a file", &text);
		if (!err)
			err = from_file(c, w, a, text, ret);
	} else if (words_take(w, "fd")) {
		err = words_number(c, w, "a file descriptor", 0, 65535, &fd);
		if (!err)
			err = from_fd(c, w, a, (int)fd, ret);
	} else if (words_take(w, "secret")) {
		err = in_place(c, w, a, ret);
	} else {
		/* the word is not repeated: it may be the secret */
		return fail(c, w, w->i, -EINVAL, "%sfile FILE or fd N is expected here", w->file ? "secret HEX, " : "");
	}
	return err ? err : words_end(c, w);
}

/* ---- commands */

static int change(struct ctx *c, struct words *w, const struct command *cmd)
{
	struct srv6_op op;

	if (parse_change_as(c, w, cmd->object, cmd->verb, &c->arena, &op))
		return complain(c, USAGE);
	return apply_ops(c, w, &op, 1);
}

struct wanted {
	struct ctx *c;
	uint32_t id; /* 0: all */
	bool found;
};

static int print(const struct srv6_op *op, void *arg)
{
	struct wanted *want = arg;

	if (want->id && op->u.hmac->key_id != want->id)
		return 0;
	want->found = true;
	list_op(want->c, op);
	return 0;
}

static int show(struct ctx *c, struct words *w, const struct command *cmd)
{
	struct wanted want = { .c = c };
	struct filter f = { 0 };
	int status = DONE, err;

	(void)cmd;
	if (words_peek(w) && (words_number(c, w, "a key id", 1, UINT32_MAX, &want.id) || words_end(c, w)))
		return complain(c, USAGE);
	keep_from_cores();
	list_begin(c);
	err = filter_dump(c, &f, SRV6_HMAC, 0, print, &want);
	if (!err && want.id && !want.found)
		err = fail(c, w, 0, -ENOENT, "there is no key %u", want.id);
	if (err)
		status = complain(c, err == -ESTALE ? PARTIAL : REFUSED);
	return list_end(c, status);
}

static void details(FILE *f)
{
	fputs("\nThe secret, 1 to 64 bytes, is read from FILE, from the descriptor N, or from the terminal without echo. One line end\n"
	      "behind it is dropped. It is never taken from the command line, and shown only with --secrets.\n",
	      f);
}

const struct command hmac_commands[] = {
	{ "hmac", "show", 0, 1, show, "[KEYID]", "list the keys; their secrets only with --secrets", 0, CMD_DEFAULT,
	  NULL },
	{ "hmac", "set", 1, 5, change, "KEYID { sha1 | sha256 } [file FILE | fd N]",
	  "set a key, whether there was one or not", 0, 0, details },
	{ "hmac", "del", 1, 1, change, "KEYID", "delete a key", 0, 0, NULL },
	{ 0 },
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs of End.BPF: found by pin or by id, and their pin found again. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <linux/bpf.h>
#include <json-c/json.h>

#include "cli.h"

#define BPFFS "/sys/fs/bpf"

static int bpf(int cmd, union bpf_attr *attr)
{
	int ret = (int)syscall(SYS_bpf, cmd, attr, sizeof(*attr));

	return ret < 0 ? -errno : ret;
}

static int open_pin(const char *path)
{
	union bpf_attr attr = { .pathname = (uintptr_t)path };

	return bpf(BPF_OBJ_GET, &attr);
}

static int open_id(uint32_t id)
{
	union bpf_attr attr = { .prog_id = id };

	return bpf(BPF_PROG_GET_FD_BY_ID, &attr);
}

static int get_info(int fd, struct bpf_prog_info *info)
{
	union bpf_attr attr = { .info = {
					.bpf_fd = (uint32_t)fd, .info_len = sizeof(*info), .info = (uintptr_t)info } };

	memset(info, 0, sizeof(*info));
	return bpf(BPF_OBJ_GET_INFO_BY_FD, &attr);
}

/* ---- where a program is pinned */

static bool search(const char *dir, int depth, uint32_t id, char *ret, size_t size)
{
	struct bpf_prog_info info;
	struct dirent *d;
	char path[512];
	struct stat st;
	bool found = false;
	DIR *dp = opendir(dir);
	int fd;

	while (dp && !found && (d = readdir(dp))) {
		if (d->d_name[0] == '.' || snprintf(path, sizeof(path), "%s/%s", dir, d->d_name) >= (int)sizeof(path) ||
		    lstat(path, &st))
			continue;
		if (S_ISDIR(st.st_mode)) {
			found = depth && search(path, depth - 1, id, ret, size);
			continue;
		}
		fd = open_pin(path);
		if (fd < 0)
			continue;
		/* a map has an info of another kind: its id is not a program's */
		found = get_info(fd, &info) >= 0 && info.type == BPF_PROG_TYPE_LWT_SEG6LOCAL && info.id == id;
		close(fd);
		if (found)
			snprintf(ret, size, "%s", path);
	}
	if (dp)
		closedir(dp);
	return found;
}

static const char *find_pin(uint32_t id)
{
	static char path[512];
	static uint32_t last;

	if (id && id == last)
		return *path ? path : NULL;
	last = id;
	*path = '\0';
	search(BPFFS, 3, id, path, sizeof(path));
	return *path ? path : NULL;
}

/* ---- programs that are open: each once, however many lines of a batch name it */

struct program {
	int fd;
	uint32_t id;
	struct stat file; /* of an object file; else all 0 */
	const char *section;
};

static struct program *programs;
static size_t n_programs;

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_dev == b->st_dev && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* The section of an object file, if it was loaded before: a descriptor, or -1. */
static int loaded(const struct stat *file, const char *section)
{
	for (size_t i = 0; i < n_programs; i++)
		if (programs[i].section && same_file(&programs[i].file, file) && !strcmp(programs[i].section, section))
			return programs[i].fd;
	return -1;
}

/* Takes fd over. Returns the descriptor to use. It stays open, since what was read of it may be sent at any time. */
static int keep_open(int fd, uint32_t id, const struct stat *file, const char *section)
{
	struct program *more;

	for (size_t i = 0; i < n_programs; i++)
		if (programs[i].id == id) {
			if (programs[i].fd != fd)
				close(fd);
			return programs[i].fd;
		}
	more = realloc(programs, (n_programs + 1) * sizeof(*programs));
	if (!more)
		return fd;
	programs = more;
	more = &programs[n_programs++];
	*more = (struct program){ .fd = fd, .id = id };
	if (file) {
		more->file = *file;
		more->section = strdup(section);
	}
	return fd;
}

/* ---- from words */

static int fill_by_fd(struct srv6_bpf *b, struct arena *a, const char *name)
{
	struct bpf_prog_info info;
	int err = get_info(b->fd, &info);

	if (err < 0)
		return err;
	if (info.type != BPF_PROG_TYPE_LWT_SEG6LOCAL)
		return -EPROTOTYPE;
	b->id = info.id;
	b->fd = keep_open(b->fd, b->id, NULL, NULL);
	b->name = name ? name : take_printf(a, "%.*s", (int)sizeof(info.name), *info.name ? info.name : "prog");
	return 0;
}

static int describe(struct ctx *c, struct words *w, uint32_t at, int err, const char *what)
{
	if (err == -EPROTOTYPE) {
		fail(c, w, at, -EINVAL, "endpoint: %s is no program for End.BPF", what);
		return fail_remedy(c, "its type must be lwt_seg6local: bpftool prog load FILE PIN type lwt_seg6local");
	}
	fail(c, w, at, err, "endpoint: %s: %s", what, strerror(-err));
	return err == -EPERM ? fail_remedy(c, "programs are for CAP_BPF and CAP_NET_ADMIN: run it as root") : err;
}

static int by_pin(struct ctx *c, struct words *w, struct arena *a, struct srv6_bpf *b, const char *path, uint32_t at)
{
	int err;

	b->fd = open_pin(path);
	err = b->fd < 0 ? b->fd : fill_by_fd(b, a, b->name);
	return err ? describe(c, w, at, err, path) : 0;
}

static int by_id(struct ctx *c, struct words *w, struct arena *a, struct srv6_bpf *b, uint32_t at)
{
	char what[32];
	int err;

	if (b->name)
		return 0; /* the library gets it by its id */
	b->fd = open_id(b->id);
	snprintf(what, sizeof(what), "program %u", b->id);
	err = b->fd < 0 ? b->fd : fill_by_fd(b, a, NULL);
	return err ? describe(c, w, at, err, what) : 0;
}

static int by_object(struct ctx *c, struct words *w, struct arena *a, struct srv6_bpf *b, const char *file, uint32_t at)
{
	struct bpf_prog_info info = { 0 };
	const char *section = "seg6local";
	struct stat st = { 0 };
	char why[256];
	int err = 0;

	if (words_take(w, "section"))
		err = words_value(c, w, "a section of the file", &section);
	if (err)
		return err;
	b->fd = stat(file, &st) ? -1 : loaded(&st, section);
	if (b->fd < 0)
		b->fd = bpf_load(file, section, why, sizeof(why));
	if (b->fd >= 0) {
		if (get_info(b->fd, &info) >= 0)
			b->fd = keep_open(b->fd, info.id, &st, section);
		b->name = take_printf(a, "%s:%s", strrchr(file, '/') ? strrchr(file, '/') + 1 : file, section);
		err = fill_by_fd(b, a, b->name);
		return err ? describe(c, w, at, err, file) : 0;
	}
	fail(c, w, at, b->fd, "endpoint: %s: %s", file, why);
	return fail_remedy(
		c, "bpftool prog load %s " BPFFS "/NAME type lwt_seg6local, then endpoint pinned " BPFFS "/NAME", file);
}

int bpf_words(struct ctx *c, struct words *w, struct arena *a, struct srv6_bpf *ret)
{
	static const char *const known[] = { "pinned", "id", "object", NULL };
	struct srv6_bpf b = { 0 };
	const char *text = NULL, *pin = NULL, *object = NULL;
	uint32_t at = w->i + 1;
	int err;

	if (words_take(w, "pinned") || words_take(w, "object-pinned")) {
		err = words_value(c, w, "the path of a pinned program", &pin);
		/* shown for the reader: the pin outlives the program's number */
		if (!err && words_take(w, "id"))
			err = words_number(c, w, "the id of a program", 1, UINT32_MAX, &b.id);
	} else if (words_take(w, "id")) {
		err = words_number(c, w, "the id of a program", 1, UINT32_MAX, &b.id);
	} else if (words_take(w, "object") || words_take(w, "object-file") || words_take(w, "obj")) {
		err = words_value(c, w, "an object file", &object);
	} else {
		return words_unknown(c, w, "way to name a program", known);
	}
	if (!err && object)
		err = by_object(c, w, a, &b, object, at);
	if (!err && words_take(w, "name")) {
		err = words_value(c, w, "a name", &text);
		b.name = text;
	}
	if (!err && pin)
		err = by_pin(c, w, a, &b, pin, at);
	else if (!err && !object)
		err = by_id(c, w, a, &b, at);
	if (!err)
		*ret = b;
	return err;
}

/* ---- to text and JSON, and from JSON */

void bpf_text(FILE *f, const struct srv6_bpf *b)
{
	const char *pin = find_pin(b->id);

	if (pin) {
		fputs("pinned ", f);
		print_name(f, pin);
		putc_unlocked(' ', f);
	}
	fprintf(f, "id %u name ", b->id);
	print_name(f, b->name ? b->name : "");
}

void bpf_jw(struct jw *j, const struct srv6_bpf *b)
{
	const char *pin = find_pin(b->id);

	jw_open(j, '{');
	jw_key(j, "id");
	jw_number(j, b->id);
	jw_key(j, "name");
	jw_string(j, b->name ? b->name : "");
	if (pin) {
		jw_key(j, "pinned");
		jw_string(j, pin);
	}
	jw_close(j, '}');
}

static int wrong(struct scan *s, const char *text)
{
	snprintf(s->text, sizeof(s->text), "%.*s", (int)sizeof(s->text) - 1, text);
	return -EINVAL;
}

int bpf_read(struct scan *s, struct json_object *o, struct srv6_bpf *ret)
{
	struct json_object *id, *name, *pin;
	struct srv6_bpf b = { 0 };
	int err = 0;

	if (!json_object_is_type(o, json_type_object))
		return wrong(s, "an object with id and name, or pinned, is expected");
	if (json_object_object_get_ex(o, "name", &name)) {
		if (!json_object_is_type(name, json_type_string))
			return wrong(s, "a string is expected as name");
		b.name = take_text(s->a, json_object_get_string(name), strlen(json_object_get_string(name)));
	}
	/* the pin outlives the program's number */
	if (json_object_object_get_ex(o, "pinned", &pin) && json_object_is_type(pin, json_type_string)) {
		err = by_pin(s->c, NULL, s->a, &b, json_object_get_string(pin), NO_WORD);
	} else if (json_object_object_get_ex(o, "id", &id) && json_object_is_type(id, json_type_int) &&
		   json_object_get_int64(id) > 0 && json_object_get_int64(id) <= UINT32_MAX) {
		b.id = (uint32_t)json_object_get_int64(id);
		err = by_id(s->c, NULL, s->a, &b, NO_WORD);
	} else {
		return wrong(s, "an object with id and name, or pinned, is expected");
	}
	if (err)
		return wrong(s, s->c->failure.e.text);
	*ret = b;
	return 0;
}

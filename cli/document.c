/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <linux/rtnetlink.h>
#include <json-c/json.h>

#include "document.h"

#define FILE_MAX (256u << 20)
#define DEPTH    32

void items_add(struct items *l, const struct srv6_op *op, const char *file, const char *path)
{
	if (l->n == l->cap) {
		l->cap = l->cap ? 2 * l->cap : 64;
		l->item = realloc(l->item, l->cap * sizeof(*l->item));
		if (!l->item)
			abort();
	}
	l->item[l->n++] = (struct item){ .op = *op, .file = file, .path = path };
}

/* ---- files */

static int read_all(int fd, char **ret, size_t *len)
{
	size_t cap = 1u << 16;
	char *buf = malloc(cap), *more;
	ssize_t n = 0;

	for (*len = 0; buf; *len += (size_t)n) {
		if (*len + 1 >= cap) {
			more = cap < FILE_MAX ? realloc(buf, cap *= 2) : NULL;
			if (!more) {
				free(buf);
				return -EFBIG;
			}
			buf = more;
		}
		n = read(fd, buf + *len, cap - *len - 1);
		if (n < 0 && errno == EINTR) {
			n = 0;
			continue;
		}
		if (n <= 0)
			break;
	}
	if (!buf)
		return -ENOMEM;
	if (n < 0) {
		n = -errno;
		free(buf);
		return (int)n;
	}
	buf[*len] = '\0';
	*ret = buf;
	return 0;
}

int file_read(struct ctx *c, const char *file, const struct words *w, uint32_t word, char **ret, size_t *len)
{
	int fd = strcmp(file, "-") ? open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY) : STDIN_FILENO, err;

	keep_from_cores();
	if (fd < 0)
		return fail(c, w, word, -errno, "%s: %s", file, strerror(errno));
	err = read_all(fd, ret, len);
	if (fd != STDIN_FILENO)
		close(fd);
	if (err == -EFBIG)
		return fail(c, w, word, err, "%s: larger than 256 MiB", file);
	return err ? fail(c, w, word, err, "%s: %s", file, strerror(-err)) : 0;
}

/* ---- JSON */

static int bad(struct ctx *c, const char *file, const char *path, const char *text)
{
	fail(c, NULL, NO_WORD, -EINVAL, "%s", text);
	c->failure.file = file;
	snprintf(c->failure.path, sizeof(c->failure.path), "%s", path);
	return -EINVAL;
}

static void place_of(const char *text, size_t at, unsigned int *line, unsigned int *column)
{
	*line = 1;
	*column = 1;
	for (size_t i = 0; i < at; i++) {
		if (text[i] == '\n') {
			++*line;
			*column = 0;
		}
		++*column;
	}
}

static size_t skip_blank(const char *text, size_t at, size_t len)
{
	while (at < len && strchr(" \t\r\n", text[at]))
		at++;
	return at;
}

static int not_json(struct ctx *c, const char *file, const char *text, size_t len, size_t at, const char *why)
{
	unsigned int line, column;
	size_t first = skip_blank(text, 0, len);

	place_of(text, at, &line, &column);
	fail(c, NULL, NO_WORD, -EINVAL, "not JSON at column %u: %s", column, why);
	if (first < len && text[first] != '{')
		fail_remedy(c, "a document begins with '{'; lines are read by srv6 restore and srv6 batch");
	c->failure.file = file;
	c->failure.line = line;
	return -EINVAL;
}

/* ---- what json-c takes and RFC 8259 does not, or leaves open: keys in single quotes, a key twice, of which the last wins, NULs */

struct strict {
	struct json_object *keys[DEPTH + 1]; /* of the objects around; NULL: of a list */
	unsigned int depth;
	const char *why;
};

/* Behind the string whose first quote is at text[at]. Strings here are C's: one with a NUL inside would be read as a shorter one. */
static size_t string_end(struct strict *s, const char *text, size_t at, size_t len)
{
	for (at++; at < len && text[at] != '"'; at++) {
		if (text[at] != '\\')
			continue;
		if (len - at > 5 && !memcmp(text + at, "\\u0000", 6))
			s->why = "a string with a NUL in it";
		at++;
	}
	return at < len ? at + 1 : len;
}

static bool is_key(const char *text, size_t at, size_t len)
{
	at = skip_blank(text, at, len);
	return at < len && text[at] == ':';
}

/* Written in whatever way: "a" and "\u0061" are one. */
static void one_key(struct strict *s, const char *text, size_t len)
{
	struct json_object *keys = s->depth ? s->keys[s->depth] : NULL, *name;
	struct json_tokener *t = json_tokener_new();

	name = t ? json_tokener_parse_ex(t, text, (int)len) : NULL;
	json_tokener_free(t);
	if (!name || !keys)
		abort(); /* it was parsed before */
	if (json_object_object_get_ex(keys, json_object_get_string(name), NULL))
		s->why = "the key is there twice in its object";
	else
		json_object_object_add(keys, json_object_get_string(name), NULL);
	json_object_put(name);
}

static void close_all(struct strict *s, unsigned int to)
{
	for (; s->depth > to; s->depth--)
		json_object_put(s->keys[s->depth]);
}

/* text was parsed. Where it is not strict: the place, and why; else len. */
static size_t strict_at(struct strict *s, const char *text, size_t len)
{
	size_t at = 0, end;

	for (; at < len && !s->why; at = end) {
		end = at + 1;
		if (text[at] == '"') {
			end = string_end(s, text, at, len);
			if (!s->why && is_key(text, end, len))
				one_key(s, text + at, end - at);
		} else if (text[at] == '{' || text[at] == '[') {
			s->keys[++s->depth] = text[at] == '{' ? json_object_new_object() : NULL;
		} else if (text[at] == '}' || text[at] == ']') {
			close_all(s, s->depth - 1);
		} else if (text[at] == '\'') {
			s->why = "a key is in double quotes";
		}
		if (s->why)
			break;
	}
	close_all(s, 0);
	return at;
}

static struct json_object *parse(struct ctx *c, const char *file, const char *text, size_t len)
{
	struct json_tokener *t = json_tokener_new_ex(DEPTH);
	struct json_object *o = NULL;
	enum json_tokener_error e;
	struct strict s = { .depth = 0 };
	size_t at;

	if (!t)
		abort();
	json_tokener_set_flags(t, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	o = len && !memchr(text, 0, len) ? json_tokener_parse_ex(t, text, (int)len) : NULL;
	e = json_tokener_get_error(t);
	at = json_tokener_get_parse_end(t);
	json_tokener_free(t);
	at = o ? skip_blank(text, at, len) : at;
	if (o && at == len) {
		at = strict_at(&s, text, len);
		if (!s.why)
			return o;
		json_object_put(o);
		not_json(c, file, text, len, at, s.why);
		return NULL;
	}
	json_object_put(o);
	at = len && memchr(text, 0, len) ? (size_t)((const char *)memchr(text, 0, len) - text) : at < len ? at : len;
	not_json(c, file, text, len, at,
		 !len                             ? "the document is empty"
		 : e == json_tokener_continue     ? "it ends too early"
		 : o || e == json_tokener_success ? "something follows the document"
						  : json_tokener_error_desc(e));
	return NULL;
}

/* One key of the document, in a row. */
struct key {
	const char *name;
	json_type type;
	int (*read)(struct ctx *c, struct document *d, const char *file, struct json_object *o);
};

static int read_version(struct ctx *c, struct document *d, const char *file, struct json_object *o)
{
	(void)d;
	if (json_object_get_int64(o) == DOCUMENT_VERSION)
		return 0;
	return bad(c, file, "srv6", "this version reads schema 1 alone");
}

static int read_protocol(struct ctx *c, struct document *d, const char *file, struct json_object *o)
{
	uint8_t n = 0;

	if (protocol_number(json_object_get_string(o), &n) || n <= RTPROT_STATIC)
		return bad(c, file, "protocol", "a protocol is expected that is not the kernel's, as srv6 or 143");
	if (d->has_protocol && d->protocol != n)
		return bad(c, file, "protocol", "another file names another protocol: one can own them all, not two");
	d->protocol = n;
	d->has_protocol = true;
	return 0;
}

static int read_tunsrc(struct ctx *c, struct document *d, const char *file, struct json_object *o)
{
	struct srv6_tunsrc t = SRV6_INIT(struct srv6_tunsrc);
	struct srv6_op op = { .verb = SRV6_REPLACE, .kind = SRV6_TUNSRC, .u.tunsrc = &t };
	struct srv6_prefix addr = { 0 };
	const char *s = o ? json_object_get_string(o) : "::";

	if (value_addr(s, strlen(s), AF_INET6, &addr))
		return bad(c, file, "tunsrc", "an IPv6 address is expected, or null for none");
	t.addr = addr.addr.in6;
	if (o && srv6_check(&op, NULL, &c->failure.e)) {
		c->failure.file = file;
		snprintf(c->failure.path, sizeof(c->failure.path), "tunsrc");
		return -EINVAL;
	}
	if (d->has_tunsrc && memcmp(&d->tunsrc.addr, &t.addr, sizeof(t.addr)))
		return bad(c, file, "tunsrc", "another file names another one");
	d->has_tunsrc = true;
	d->tunsrc = t;
	return 0;
}

static int read_key_id(struct ctx *c, struct document *d, const char *file, const char *path, struct json_object *o)
{
	struct json_object *id;
	int64_t n;

	json_object_object_foreach (o, key, val) {
		(void)val;
		if (strcmp(key, "hmac") && strcmp(key, "algo"))
			return bad(c, file, take_printf(&d->arena, "%s.%s", path, key), "no such key");
	}
	n = json_object_object_get_ex(o, "hmac", &id) && json_object_is_type(id, json_type_int)
		    ? json_object_get_int64(id)
		    : 0;
	if (n < 1 || n > UINT32_MAX)
		return bad(c, file, take_printf(&d->arena, "%s.hmac", path),
			   "a number from 1 to 4294967295 is expected");
	d->keys = realloc(d->keys, (d->n_keys + 1) * sizeof(*d->keys));
	if (!d->keys)
		abort();
	d->keys[d->n_keys++] = (struct key_ref){ (uint32_t)n, file, path };
	return 0;
}

int document_lacks_key(struct ctx *c, const struct key_ref *k)
{
	fail(c, NULL, NO_WORD, -ENOENT, "HMAC key %u is not in the kernel, and the document has no secret for it",
	     k->id);
	c->failure.file = k->file;
	snprintf(c->failure.path, sizeof(c->failure.path), "%s", k->path);
	return fail_remedy(c, "srv6 hmac set %u sha256 --file FILE", k->id);
}

bool document_has_secret(const struct document *d, uint32_t key_id)
{
	for (size_t i = 0; i < d->hmac.n; i++)
		if (d->hmac.item[i].op.u.hmac->key_id == key_id)
			return true;
	return false;
}

static void own(const struct document *d, struct srv6_op *op)
{
	/* the arena is ours */
	struct srv6_route *r = (void *)(uintptr_t)op->u.route;
	struct srv6_nexthop *nh = (void *)(uintptr_t)op->u.nexthop;

	if (op->kind == SRV6_ROUTE && !(r->has & SRV6_HAS(PROTOCOL))) {
		r->protocol = d->protocol;
		r->has |= SRV6_HAS(PROTOCOL);
	}
	if (op->kind == SRV6_NEXTHOP && !(nh->has & SRV6_HAS(NH_PROTOCOL))) {
		nh->protocol = d->protocol;
		nh->has |= SRV6_HAS(NH_PROTOCOL);
	}
}

/* Other tools install such routes, so documents have them: they are put back, not without a word. */
static void lint_loopback(struct ctx *c, const struct srv6_op *op, const char *path)
{
	const struct srv6_route *r = op->u.route;

	for (uint32_t i = 0; op->kind == SRV6_ROUTE && i < r->n_hops; i++)
		if (r->hops[i].encap && r->hops[i].has & SRV6_HAS(DEV) && r->hops[i].ifindex == LOOPBACK)
			warn(c, NULL, NO_WORD, "%s.hops[%u].dev: " ON_LOOPBACK, path, i);
}

static int read_list(struct ctx *c, struct document *d, const char *file, struct json_object *list, const char *name,
		     uint32_t kind, struct items *to)
{
	struct json_object *o;
	struct srv6_op op;
	const char *path;
	int err = 0;

	for (size_t i = 0; !err && i < json_object_array_length(list); i++) {
		o = json_object_array_get_idx(list, i);
		path = take_printf(&d->arena, "%s[%zu]", name, i);
		if (!json_object_is_type(o, json_type_object)) {
			err = bad(c, file, path, "an object is expected");
		} else if (kind == SRV6_HMAC && !json_object_object_get_ex(o, "secret", NULL)) {
			err = read_key_id(c, d, file, path, o);
		} else if ((err = json_op(c, o, path, SRV6_REPLACE, kind, &d->arena, &op))) {
			c->failure.file = file;
			if (c->failure.e.code == -ENODEV && d->item_by_item) {
				complain(c, REFUSED);
				d->missing++;
				err = 0;
			}
		} else if (op.kind != kind || op.verb != SRV6_REPLACE) {
			err = bad(c, file, path, "an object of a document has no verb, and is of its list's kind");
		} else {
			items_add(to, &op, file, path);
			lint_loopback(c, &op, path);
		}
	}
	return err;
}

static int read_hmac(struct ctx *c, struct document *d, const char *file, struct json_object *o)
{
	return read_list(c, d, file, o, "hmac", SRV6_HMAC, &d->hmac);
}

static int read_nexthops(struct ctx *c, struct document *d, const char *file, struct json_object *o)
{
	return read_list(c, d, file, o, "nexthops", SRV6_NEXTHOP, &d->nexthops);
}

static int read_routes(struct ctx *c, struct document *d, const char *file, struct json_object *o)
{
	return read_list(c, d, file, o, "routes", SRV6_ROUTE, &d->routes);
}

static const struct key keys[] = {
	{ "srv6", json_type_int, read_version },        { "protocol", json_type_null, read_protocol },
	{ "tunsrc", json_type_null, read_tunsrc },      { "hmac", json_type_array, read_hmac },
	{ "nexthops", json_type_array, read_nexthops }, { "routes", json_type_array, read_routes },
};

static const struct key *key_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (!strcmp(keys[i].name, name))
			return &keys[i];
	return NULL;
}

static int read_object(struct ctx *c, struct document *d, const char *file, struct json_object *o)
{
	static const char *const names[] = { "srv6", "protocol", "tunsrc", "hmac", "nexthops", "routes", NULL };
	const struct key *k;
	const char *near;
	int err = 0;

	if (!json_object_is_type(o, json_type_object))
		return bad(c, file, "", "a document is an object: { \"srv6\": 1, \"routes\": [ ... ] }");
	if (!json_object_object_get_ex(o, "srv6", NULL))
		return bad(c, file, "srv6", "is missing: the version of the schema, 1");
	json_object_object_foreach (o, name, val) {
		k = key_find(name);
		near = k ? NULL : nearest(name, names);
		if (!k && near)
			return bad(c, file, name, take_printf(&d->arena, "no such key; did you mean '%s'?", near));
		if (!k)
			return bad(c, file, name, "no such key");
		if (k->type != json_type_null && !json_object_is_type(val, k->type))
			return bad(c, file, name,
				   take_printf(&d->arena, "of type %s is expected", json_type_to_name(k->type)));
		err = k->read(c, d, file, val);
		if (err)
			return err;
	}
	return 0;
}

int document_parse(struct ctx *c, struct document *d, const char *file, const char *text, size_t len)
{
	struct json_object *o;
	int err;

	file = strcmp(file, "-") ? take_text(&d->arena, file, strlen(file)) : "<stdin>";
	o = parse(c, file, text, len);
	if (!o)
		return -EINVAL;
	err = read_object(c, d, file, o);
	json_object_put(o);
	return err;
}

void document_own(struct document *d)
{
	for (size_t i = 0; i < d->routes.n; i++)
		own(d, &d->routes.item[i].op);
	for (size_t i = 0; i < d->nexthops.n; i++)
		own(d, &d->nexthops.item[i].op);
}

static int is_json(const struct dirent *e)
{
	size_t len = strlen(e->d_name);

	return e->d_name[0] != '.' && len > 5 && !strcmp(e->d_name + len - 5, ".json");
}

/* A pipe would be waited for, a directory entered again and again; nobody named either. */
static int read_member(struct ctx *c, struct document *d, const char *file, const struct words *w, uint32_t word)
{
	struct stat st;

	if (!stat(file, &st) && !S_ISREG(st.st_mode))
		return fail(c, w, word, -EINVAL, "%s: not a regular file", file);
	return document_read(c, d, file, w, word);
}

static int read_dir(struct ctx *c, struct document *d, const char *dir, const struct words *w, uint32_t word)
{
	struct dirent **list;
	int n = scandir(dir, &list, is_json, alphasort), err = 0;

	if (n < 0)
		return fail(c, w, word, -errno, "%s: %s", dir, strerror(errno));
	if (!n) { /* a stray file, or a directory that is not mounted, must not take away all that is owned */
		free(list);
		return fail(c, w, word, -ENOENT, "no *.json in %s; an empty document is {\"srv6\": 1}", dir);
	}
	for (int i = 0; i < n; i++) {
		if (!err)
			err = read_member(c, d, take_printf(&d->arena, "%s/%s", dir, list[i]->d_name), w, word);
		free(list[i]);
	}
	free(list);
	return err;
}

int document_read(struct ctx *c, struct document *d, const char *file, const struct words *w, uint32_t word)
{
	struct stat st;
	char *text = NULL;
	size_t len = 0;
	int err;

	if (!stat(file, &st) && S_ISDIR(st.st_mode))
		return read_dir(c, d, file, w, word);
	err = file_read(c, file, w, word, &text, &len);
	if (err)
		return err;
	err = document_parse(c, d, file, text, len);
	explicit_bzero(text, len);
	free(text);
	return err;
}

void items_free(struct items *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->item[i].block);
	free(l->item);
	*l = (struct items){ 0 };
}

void document_free(struct document *d)
{
	items_free(&d->hmac);
	items_free(&d->nexthops);
	items_free(&d->routes);
	free(d->keys);
	arena_wipe(&d->arena);
	arena_free(&d->arena);
}

/* ---- what the kernel has */

struct ids {
	uint32_t *id; /* sorted */
	size_t n;
};

/* Nexthop objects that lead to an encapsulation, now and with the document's, or are to be pruned; its routes' identities. */
struct lookup {
	struct ids now, then, pruned;
	struct identity *named;
	size_t n_named;
};

struct reader {
	struct items *to;
	struct state *state;
	const struct lookup *only; /* NULL: all that is listed */
	int err;
};

static int by_id(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static int by_identity(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct identity));
}

static bool has_encap(const struct srv6_hop *h, uint32_t n)
{
	while (n && !h[n - 1].encap)
		n--;
	return n;
}

static bool is_id(const struct ids *ids, uint32_t id)
{
	return ids->n && bsearch(&id, ids->id, ids->n, sizeof(id), by_id);
}

static struct ids ids_new(size_t n)
{
	struct ids ids = { .id = calloc(n + 1, sizeof(*ids.id)) };

	if (!ids.id)
		abort();
	return ids;
}

static void ids_sort(struct ids *ids)
{
	sort_rows(ids->id, ids->n, sizeof(*ids->id), by_id);
}

static bool by_object(const struct lookup *l, const struct srv6_route *r)
{
	return r->has & SRV6_HAS(NHID) &&
	       (is_id(&l->now, r->nhid) || is_id(&l->then, r->nhid) || is_id(&l->pruned, r->nhid));
}

static bool is_looked_for(const struct lookup *l, const struct srv6_route *r)
{
	struct identity id;

	if (has_encap(r->hops, r->n_hops) || by_object(l, r))
		return true;
	identity_of(&id, r);
	return l->n_named && bsearch(&id, l->named, l->n_named, sizeof(id), by_identity);
}

static bool fades(const struct lookup *l, const struct srv6_route *r)
{
	return r->has & SRV6_HAS(NHID) && is_id(&l->now, r->nhid) && !is_id(&l->then, r->nhid);
}

static int keep(const struct srv6_op *op, void *arg)
{
	struct reader *r = arg;
	struct srv6_op *copy;

	if (op->kind == SRV6_TUNSRC) {
		r->state->tunsrc.addr = op->u.tunsrc->addr;
		return 0;
	}
	if (r->only && !is_looked_for(r->only, op->u.route))
		return 0;
	r->err = srv6_copy(op, &copy);
	if (r->err)
		return r->err;
	items_add(r->to, copy, NULL, NULL);
	r->to->item[r->to->n - 1].block = copy;
	r->to->item[r->to->n - 1].fades = r->only && fades(r->only, op->u.route);
	return 0;
}

static int read_list_of(struct ctx *c, struct reader *r, uint32_t kind, uint32_t flags)
{
	struct srv6_op match = { .kind = kind };
	struct srv6 *h = handle(c);
	int err;

	if (!h)
		return -EIO;
	err = srv6_dump(h, &match, flags, keep, r);
	if (err)
		fail_lib(c, NULL, srv6_error(h));
	return err;
}

static int read_kind(struct ctx *c, struct state *s, uint32_t kind, struct items *to)
{
	struct reader r = { .to = to, .state = s };

	return read_list_of(c, &r, kind, 0);
}

/* All objects that there are, or will be: those of more, and of objects what more does not name. */
struct objects {
	const struct items *objects, *more;
	struct ids names; /* of more */
};

static const struct srv6_nexthop *object_at(const struct objects *o, size_t i)
{
	const struct srv6_nexthop *nh;

	if (i < o->more->n)
		return o->more->item[i].op.u.nexthop;
	nh = o->objects->item[i - o->more->n].op.u.nexthop;
	return is_id(&o->names, nh->id) ? NULL : nh;
}

static bool has_member(const struct srv6_nexthop *nh, const struct ids *ids)
{
	for (uint32_t i = 0; i < nh->n_group; i++)
		if (is_id(ids, nh->group[i].id))
			return true;
	return false;
}

/* Those that lead to an encapsulation: objects first, then groups of them. */
static struct ids leading(const struct objects *o)
{
	size_t n = o->more->n + o->objects->n;
	struct ids ids = ids_new(n), singles;
	const struct srv6_nexthop *nh;

	for (size_t i = 0; i < n; i++) {
		nh = object_at(o, i);
		if (nh && nh->hop && nh->hop->encap)
			ids.id[ids.n++] = nh->id;
	}
	ids_sort(&ids);
	singles = ids_new(ids.n);
	singles.n = ids.n;
	memcpy(singles.id, ids.id, ids.n * sizeof(*ids.id));
	for (size_t i = 0; i < n; i++) {
		nh = object_at(o, i);
		if (nh && has_member(nh, &singles))
			ids.id[ids.n++] = nh->id;
	}
	ids_sort(&ids);
	free(singles.id);
	return ids;
}

static struct ids names_of(const struct items *objects)
{
	struct ids ids = ids_new(objects->n);

	for (size_t i = 0; i < objects->n; i++)
		ids.id[ids.n++] = objects->item[i].op.u.nexthop->id;
	ids_sort(&ids);
	return ids;
}

/* Objects of the document's protocol that it does not name. */
static struct ids pruned(const struct objects *o, const struct document *d)
{
	struct ids ids = ids_new(o->objects->n);
	const struct srv6_nexthop *nh;

	for (size_t i = 0; d->prune && i < o->objects->n; i++) {
		nh = o->objects->item[i].op.u.nexthop;
		if (nh->protocol == d->protocol && !is_id(&o->names, nh->id))
			ids.id[ids.n++] = nh->id;
	}
	ids_sort(&ids);
	return ids;
}

static void lookup_objects(struct lookup *l, const struct items *objects, const struct document *d)
{
	static const struct items none;
	struct objects then = { objects, &d->nexthops, names_of(&d->nexthops) };

	l->now = leading(&(struct objects){ objects, &none, { 0 } });
	l->then = leading(&then);
	l->pruned = pruned(&then, d);
	free(then.names.id);
}

static void lookup_free(struct lookup *l)
{
	free(l->now.id);
	free(l->then.id);
	free(l->pruned.id);
	free(l->named);
}

/* The kernel lists all routes in any case; those that nobody asks for are not kept. */
static int read_named(struct ctx *c, struct state *s, const struct document *d)
{
	struct lookup l = { .named = calloc(d->routes.n + 1, sizeof(*l.named)), .n_named = d->routes.n };
	struct reader r = { .to = &s->routes, .state = s, .only = &l };
	int err;

	if (!l.named)
		abort();
	lookup_objects(&l, &s->nexthops, d);
	for (size_t i = 0; i < l.n_named; i++)
		identity_of(&l.named[i], d->routes.item[i].op.u.route);
	sort_rows(l.named, l.n_named, sizeof(*l.named), by_identity);
	err = read_list_of(c, &r, SRV6_ROUTE, 0);
	lookup_free(&l);
	return err;
}

static int read_routes_of(struct ctx *c, struct state *s, const struct document *d)
{
	struct reader r = { .to = &s->routes, .state = s };

	return d && (d->routes.n || (d->prune && s->nexthops.n)) ? read_named(c, s, d)
								 : read_list_of(c, &r, SRV6_ROUTE, SRV6_DUMP_ENCAP);
}

/* What generic netlink holds may be out of reach: then it is said to be unread, and is not touched. */
static int read_sr(struct ctx *c, struct state *s, uint32_t kind, struct items *to, bool *has)
{
	int err = read_kind(c, s, kind, to);

	*has = !err || err == -ESTALE;
	return *has ? err : 0;
}

int state_read(struct ctx *c, struct state *s, const struct document *d)
{
	int err, worst = 0;

	keep_from_cores();
	s->tunsrc.sz = sizeof(s->tunsrc);
	if ((err = read_kind(c, s, SRV6_NEXTHOP, &s->nexthops)) && err != -ESTALE)
		return err;
	worst = err;
	if ((err = read_routes_of(c, s, d)) && err != -ESTALE)
		return err;
	worst = err ? err : worst;
	if ((err = read_sr(c, s, SRV6_TUNSRC, NULL, &s->has_tunsrc)))
		worst = err;
	if ((err = read_sr(c, s, SRV6_HMAC, &s->hmac, &s->has_hmac)))
		worst = err;
	return worst;
}

void state_free(struct state *s)
{
	struct srv6_op *op;

	for (size_t i = 0; i < s->hmac.n; i++) {
		op = &s->hmac.item[i].op;
		explicit_bzero((void *)(uintptr_t)op->u.hmac->secret.data, op->u.hmac->secret.len);
	}
	items_free(&s->hmac);
	items_free(&s->nexthops);
	items_free(&s->routes);
}

void identity_of(struct identity *ret, const struct srv6_route *r)
{
	memset(ret, 0, sizeof(*ret));
	ret->family = r->dst.family;
	ret->dst_len = r->dst.len;
	memcpy(ret->dst, &r->dst.addr, r->dst.family == AF_INET ? 4 : 16);
	if (r->has & SRV6_HAS(FROM)) {
		ret->from_len = r->from.len;
		memcpy(ret->from, &r->from.addr, 16);
	}
	ret->tos = r->has & SRV6_HAS(TOS) ? r->tos : 0;
	ret->table = r->has & SRV6_HAS(ROUTE_TABLE) && r->table ? r->table : RT_TABLE_MAIN;
	ret->metric = r->has & SRV6_HAS(METRIC) ? r->metric : 0;
	if (!ret->metric && ret->family == AF_INET6)
		ret->metric = 1024;
}

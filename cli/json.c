/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ops as JSON, both ways: the keys are the words of text, an encapsulation is an object of its own in its hop. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/rtnetlink.h>
#include <json-c/json.h>

#include "model.h"

/* ---- writing */

static void attrs_jw(struct ctx *c, struct jw *j, uint32_t owner, uint64_t has, const void *obj)
{
	const struct srv6_attr_info *row;

	for (uint32_t bit = 0; bit < 64 && has >> bit; bit++) {
		row = has >> bit & 1 ? srv6_attr_info(owner << 6 | bit) : NULL;
		if (!row)
			continue;
		jw_key(j, json_key(row));
		shape_jw(c, j, row, obj);
	}
}

static void flags_jw(struct jw *j, const struct flag_name *names, uint32_t flags)
{
	bool any = false;

	for (; names->name; names++) {
		if (!(flags & names->bit))
			continue;
		if (!any) {
			jw_key(j, "flags");
			jw_open(j, '[');
			any = true;
		}
		jw_string(j, names->name);
	}
	if (any)
		jw_close(j, ']');
}

static void member(struct jw *j, const char *key, const char *value)
{
	jw_key(j, key);
	jw_string(j, value);
}

static void counters_jw(struct jw *j, const struct srv6_counters *n)
{
	jw_key(j, "stats");
	jw_open(j, '{');
	jw_key(j, "packets");
	jw_number(j, n->packets);
	jw_key(j, "bytes");
	jw_number(j, n->bytes);
	jw_key(j, "errors");
	jw_number(j, n->errors);
	jw_close(j, '}');
}

static void unknown_jw(struct jw *j, const struct srv6_encap *e)
{
	const char *name = srv6_encap_name(e->encap_type);

	if (name) {
		member(j, "encap_type", name);
	} else {
		jw_key(j, "encap_type");
		jw_number(j, e->encap_type);
	}
	if (e->number != UINT32_MAX) {
		jw_key(j, "number");
		jw_number(j, e->number);
	}
}

void encap_jw(struct ctx *c, struct jw *j, const struct srv6_encap *e, uint32_t flags)
{
	const struct srv6_behavior_info *info = info_as_read(c, e);

	jw_open(j, '{');
	if (info) {
		member(j, "encap_type", info->encap);
		member(j, "behavior", c->usid && usid_name(e) ? usid_name(e) : info->name);
		member(j, is_headend_mode(info) ? "mode" : "action", info->word);
	} else {
		unknown_jw(j, e);
	}
	attrs_jw(c, j, SRV6_OWNER_ENCAP, e->has, e);
	if (flags & JSON_STATS && e->has & SRV6_HAS(COUNT))
		counters_jw(j, &e->counters);
	jw_close(j, '}');
}

static void hop_jw(struct ctx *c, struct jw *j, const struct srv6_hop *h, uint32_t flags)
{
	if (h->encap) {
		jw_key(j, "encap");
		encap_jw(c, j, h->encap, flags);
	}
	attrs_jw(c, j, SRV6_OWNER_HOP, h->has, h);
	flags_jw(j, hop_flags, h->flags);
}

static void route_jw(struct ctx *c, struct jw *j, const struct srv6_route *r, uint32_t flags)
{
	jw_key(j, "dst");
	shape_jw(c, j, srv6_attr_info(SRV6_ATTR_DST), r);
	attrs_jw(c, j, SRV6_OWNER_ROUTE, r->has & ~SRV6_HAS(DST), r);
	flags_jw(j, route_flags, r->flags);
	if (r->derived) {
		jw_key(j, "derived");
		jw_true(j);
	}
	jw_key(j, "hops");
	jw_open(j, '[');
	for (uint32_t i = 0; i < r->n_hops; i++) {
		jw_open(j, '{');
		hop_jw(c, j, &r->hops[i], flags);
		jw_close(j, '}');
	}
	jw_close(j, ']');
}

static void nexthop_jw(struct ctx *c, struct jw *j, const struct srv6_nexthop *n, uint32_t flags)
{
	jw_key(j, "id");
	jw_number(j, n->id);
	if (n->family != AF_UNSPEC)
		member(j, "family", n->family == AF_INET ? "inet" : "inet6");
	attrs_jw(c, j, SRV6_OWNER_NEXTHOP, n->has & ~SRV6_HAS(NH_ID), n);
	flags_jw(j, hop_flags, n->flags);
	jw_key(j, "hops"); /* none or one: the same shape as a route's */
	jw_open(j, '[');
	if (n->hop) {
		jw_open(j, '{');
		hop_jw(c, j, n->hop, flags);
		jw_close(j, '}');
	}
	jw_close(j, ']');
}

static void tunsrc_jw(struct jw *j, const struct srv6_tunsrc *t)
{
	char text[ADDR_TEXT];

	format_addr(text, AF_INET6, &t->addr);
	member(j, "tunsrc", text);
}

static void hmac_jw(struct ctx *c, struct jw *j, const struct srv6_hmac *h, uint32_t verb)
{
	jw_key(j, "hmac");
	jw_number(j, h->key_id);
	if (verb == SRV6_DEL)
		return;
	jw_key(j, "algo");
	if (hmac_algo_name(h->algo))
		jw_string(j, hmac_algo_name(h->algo));
	else
		jw_number(j, h->algo);
	if (!c->secrets || !h->secret.len)
		return;
	jw_key(j, "secret");
	jw_hex(j, h->secret.data, h->secret.len);
}

static void link_jw(struct jw *j, const struct srv6_link *l)
{
	member(j, "dev", l->name ? l->name : "");
	jw_key(j, "index");
	jw_number(j, l->ifindex);
	member(j, "state", l->flags & 1 ? "up" : "down");
}

void op_jw(struct ctx *c, struct jw *j, const struct srv6_op *op, uint32_t flags)
{
	if (flags & JSON_VERB) {
		member(j, "object", kind_name(op->kind));
		member(j, "verb", op_verb_word(op));
		if (op->flags & SRV6_OP_EXACT) {
			jw_key(j, "exact");
			jw_true(j);
		}
	}
	switch (op->kind) {
	case SRV6_ROUTE:
		route_jw(c, j, op->u.route, flags);
		break;
	case SRV6_NEXTHOP:
		nexthop_jw(c, j, op->u.nexthop, flags);
		break;
	case SRV6_TUNSRC:
		tunsrc_jw(j, op->u.tunsrc);
		break;
	case SRV6_HMAC:
		hmac_jw(c, j, op->u.hmac, op->verb);
		break;
	case SRV6_LINK:
		link_jw(j, op->u.link);
		break;
	default:
		break;
	}
}

struct json_object *op_json(struct ctx *c, const struct srv6_op *op, uint32_t flags)
{
	struct json_object *ret;
	struct jw j = { 0 };
	char *text = NULL;
	size_t size;

	j.f = open_memstream(&text, &size);
	if (!j.f)
		return NULL;
	jw_open(&j, '{');
	op_jw(c, &j, op, flags);
	jw_close(&j, '}');
	fclose(j.f);
	ret = json_tokener_parse(text);
	free(text);
	return ret;
}

/* ---- reading */

struct reader {
	struct ctx *c;
	struct arena *a;
	const char *path;              /* of what is being read */
	const struct srv6_prefix *dst; /* of the route that it is in; NULL: none */
	const char *const *more;       /* keys beside the attributes, for suggestions */
};

static int bad(struct reader *r, const char *key, const char *fmt, ...) PRINTF(3, 4);
static int bad(struct reader *r, const char *key, const char *fmt, ...)
{
	char text[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fail(r->c, NULL, NO_WORD, -EINVAL, "%s", text);
	snprintf(r->c->failure.path, sizeof(r->c->failure.path), "%s%s%s", r->path, key && *r->path ? "." : "",
		 key ? key : "");
	return -EINVAL;
}

/* Absent it is false. */
static int read_bool(struct reader *r, struct json_object *o, const char *key, bool *ret)
{
	struct json_object *value;

	*ret = false;
	if (!json_object_object_get_ex(o, key, &value))
		return 0;
	if (!json_object_is_type(value, json_type_boolean))
		return bad(r, key, "true or false is expected");
	*ret = json_object_get_boolean(value);
	return 0;
}

static bool has_key(const char *const *keys, const char *key)
{
	for (; *keys; keys++)
		if (!strcmp(*keys, key))
			return true;
	return false;
}

static const struct srv6_attr_info *find_row(uint32_t owner, const char *key)
{
	return srv6_attr_info(srv6_attr_find(owner, key));
}

static int unknown_key(struct reader *r, uint32_t owner, const char *key)
{
	const char *known[128], *near;
	const struct srv6_attr_info *row;
	size_t n = 0;

	for (uint32_t bit = 0; bit < 64; bit++) {
		row = srv6_attr_info(owner << 6 | bit);
		if (row)
			known[n++] = json_key(row);
	}
	for (const char *const *k = r->more; *k; k++)
		known[n++] = *k;
	known[n] = NULL;
	near = nearest(key, known);
	return near ? bad(r, key, "no such key; did you mean \"%s\"?", near) : bad(r, key, "no such key");
}

static int read_attr(struct reader *r, const struct srv6_attr_info *row, const char *key, struct json_object *o,
		     void *obj, uint64_t *has)
{
	struct scan s = { .c = r->c, .a = r->a, .row = row, .obj = obj };
	int err;

	if (*has & SRV6_BIT(row->attr))
		return bad(r, key, "it is there twice, under two names");
	err = shape_read(&s, o);
	if (err) {
		bad(r, s.len ? take_printf(r->a, "%s[%zu]", key, s.off) : key, "%s", s.text);
		r->c->failure.e.code = err;
		return s.remedy[0] ? fail_remedy(r->c, "%s", s.remedy) : err;
	}
	*has |= SRV6_BIT(row->attr);
	return 0;
}

/* All members of o that are attributes of owner; those in r->more are for the caller. */
static int read_attrs(struct reader *r, uint32_t owner, struct json_object *o, void *obj, uint64_t *has)
{
	const struct srv6_attr_info *row;
	int err;

	if (!json_object_is_type(o, json_type_object))
		return bad(r, NULL, "an object is expected");
	json_object_object_foreach (o, key, value) {
		if (has_key(r->more, key))
			continue;
		row = find_row(owner, key);
		if (!row)
			return unknown_key(r, owner, key);
		err = read_attr(r, row, key, value, obj, has);
		if (err)
			return err;
	}
	return 0;
}

static const char *string_at(struct json_object *o, const char *key)
{
	struct json_object *value;

	if (!json_object_object_get_ex(o, key, &value) || !json_object_is_type(value, json_type_string))
		return NULL;
	return json_object_get_string(value);
}

static int read_behavior(struct reader *r, struct json_object *o, struct srv6_encap *e, const struct usid **usid)
{
	static const char *const keys[] = { "behavior", "mode", "action" };
	const char *type = string_at(o, "encap_type"), *word;
	struct json_object *value;
	uint32_t b;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (!json_object_object_get_ex(o, keys[i], &value))
			continue;
		word = string_at(o, keys[i]);
		*usid = word && !*usid ? usid_find(word) : *usid;
		b = !word ? SRV6_OTHER : usid_find(word) ? usid_find(word)->behavior : srv6_behavior_find(NULL, word);
		if (b == SRV6_OTHER)
			return bad(r, keys[i], "no such behavior");
		if (e->behavior != SRV6_OTHER && e->behavior != b)
			return bad(r, keys[i], "it is %s, and another key says %s", word,
				   srv6_behavior_info(e->behavior, r->c->mobile)->name);
		e->behavior = b;
	}
	if (!type && !(e->has & SRV6_HAS(RAW)) && json_object_object_get_ex(o, "encap_type", &value))
		return bad(r, "encap_type", "a name is expected: \"seg6\", \"seg6local\", ...");
	if (e->behavior != SRV6_OTHER && type && strcmp(type, numbering_of(r->c, e->behavior, type)->encap))
		return bad(r, "encap_type", "it is %s, and %s is of %s", type,
			   srv6_behavior_info(e->behavior, r->c->mobile)->name,
			   srv6_behavior_info(e->behavior, r->c->mobile)->encap);
	return 0;
}

static int read_type(struct reader *r, struct json_object *o, struct srv6_encap *e)
{
	struct json_object *value;
	const char *name = string_at(o, "encap_type");

	if (json_object_object_get_ex(o, "number", &value)) {
		if (!json_object_is_type(value, json_type_int) || json_object_get_int64(value) < 0 ||
		    json_object_get_int64(value) > UINT32_MAX)
			return bad(r, "number", "a number is expected");
		e->number = (uint32_t)json_object_get_int64(value);
	}
	if (!json_object_object_get_ex(o, "encap_type", &value))
		return bad(r, "encap_type", "it is missing, and so is a behavior");
	if (json_object_is_type(value, json_type_int) && json_object_get_int64(value) > 0 &&
	    json_object_get_int64(value) <= UINT16_MAX) {
		e->encap_type = (uint32_t)json_object_get_int64(value);
		return 0;
	}
	for (uint32_t i = 1; name && i < 64; i++)
		if (srv6_encap_name(i) && !strcmp(srv6_encap_name(i), name)) {
			e->encap_type = i;
			return 0;
		}
	return bad(r, "encap_type", "no such encapsulation");
}

static int read_encap(struct reader *up, struct json_object *o, const char *path, struct srv6_encap **ret)
{
	static const char *const more[] = { "encap_type", "behavior", "mode", "action", "number", "stats", NULL };
	struct reader r = { up->c, up->a, path, up->dst, more };
	struct srv6_encap *e = take(up->a, sizeof(*e));
	const struct usid *usid = NULL;
	int err;

	e->sz = sizeof(*e);
	e->number = UINT32_MAX;
	err = read_attrs(&r, SRV6_OWNER_ENCAP, o, e, &e->has);
	if (!err)
		err = read_behavior(&r, o, e, &usid);
	if (!err && e->behavior == SRV6_OTHER && e->has & SRV6_HAS(RAW))
		err = read_type(&r, o, e);
	else if (!err && e->behavior == SRV6_OTHER)
		err = e->has & SRV6_HAS(SEGS) && !string_at(o, "encap_type")
			      ? 0
			      : bad(&r, "behavior", "it is missing: \"H.Encaps\", \"End.X\", ...");
	if (!err && e->behavior == SRV6_OTHER && !(e->has & SRV6_HAS(RAW)))
		e->behavior = SRV6_H_ENCAPS;
	if (!err && usid)
		usid_fill(e, usid, r.dst);
	if (!err)
		*ret = e;
	return err;
}

static int read_hop(struct reader *up, struct json_object *o, const char *path, struct srv6_hop *ret)
{
	static const char *const more[] = { "encap", "flags", NULL };
	struct reader r = { up->c, up->a, path, up->dst, more };
	struct json_object *value;
	struct srv6_encap *e = NULL;
	int err = read_attrs(&r, SRV6_OWNER_HOP, o, ret, &ret->has);

	if (!err && json_object_object_get_ex(o, "encap", &value))
		err = read_encap(&r, value, take_printf(up->a, "%s.encap", path), &e);
	if (!err)
		ret->encap = e;
	return err;
}

static int read_hops(struct reader *r, struct json_object *o, struct srv6_hop **ret, uint32_t *n)
{
	struct json_object *list;
	size_t len;
	int err = 0;

	if (!json_object_object_get_ex(o, "hops", &list))
		return 0;
	if (!json_object_is_type(list, json_type_array) || json_object_array_length(list) > 256)
		return bad(r, "hops", "a list of at most 256 objects is expected");
	len = json_object_array_length(list);
	*ret = len ? take(r->a, len * sizeof(**ret)) : NULL;
	for (size_t i = 0; i < len && !err; i++)
		err = read_hop(r, json_object_array_get_idx(list, i),
			       take_printf(r->a, "%s%shops[%zu]", r->path, *r->path ? "." : "", i), &(*ret)[i]);
	*n = (uint32_t)len;
	return err;
}

static int read_route(struct reader *r, struct json_object *o, struct srv6_op *op)
{
	static const char *const more[] = { "object", "verb", "exact", "derived", "flags", "hops", NULL };
	struct srv6_route *route = take(r->a, sizeof(*route));
	struct srv6_hop *hops = NULL;
	bool derived = false;
	int err;

	route->sz = sizeof(*route);
	op->u.route = route;
	r->more = more;
	err = read_attrs(r, SRV6_OWNER_ROUTE, o, route, &route->has);
	if (!err && !(route->has & SRV6_HAS(DST)))
		err = bad(r, "dst", "it is missing");
	r->dst = &route->dst;
	/* derived hops are the nexthop object's: the kernel takes the id or the hops, not both */
	if (!err)
		err = read_bool(r, o, "derived", &derived);
	if (!err && !derived)
		err = read_hops(r, o, &hops, &route->n_hops);
	route->hops = hops;
	return err;
}

static int read_nexthop(struct reader *r, struct json_object *o, struct srv6_op *op)
{
	static const char *const more[] = { "object", "verb", "exact", "flags", "hops", "family", NULL };
	struct srv6_nexthop *n = take(r->a, sizeof(*n));
	struct srv6_hop *hops = NULL;
	struct json_object *value;
	uint32_t n_hops = 0;
	const char *family;
	int err;

	n->sz = sizeof(*n);
	op->u.nexthop = n;
	r->more = more;
	err = read_attrs(r, SRV6_OWNER_NEXTHOP, o, n, &n->has);
	if (!err && !(n->has & SRV6_HAS(NH_ID)))
		err = bad(r, "id", "it is missing");
	if (!err)
		err = read_hops(r, o, &hops, &n_hops);
	if (!err && n_hops > 1)
		err = bad(r, "hops[1]", "a nexthop object has one hop; a group joins several objects");
	if (err)
		return err;
	n->hop = n_hops ? hops : NULL;
	n->has &= ~SRV6_HAS(NH_SCOPE);
	family = string_at(o, "family");
	if (json_object_object_get_ex(o, "family", &value) &&
	    (!family || (strcmp(family, "inet") && strcmp(family, "inet6"))))
		return bad(r, "family", "\"inet\" or \"inet6\" is expected");
	if (family || op->verb != SRV6_DEL) /* its number alone says which is deleted */
		n->family = family ? (family[4] ? AF_INET6 : AF_INET) : nexthop_family(n);
	return 0;
}

static int only_keys(struct reader *r, struct json_object *o, const char *const *keys)
{
	const char *near;

	if (!json_object_is_type(o, json_type_object))
		return bad(r, NULL, "an object is expected");
	json_object_object_foreach (o, key, value) {
		(void)value;
		if (has_key(keys, key))
			continue;
		near = nearest(key, keys);
		return near ? bad(r, key, "no such key; did you mean \"%s\"?", near) : bad(r, key, "no such key");
	}
	return 0;
}

static int read_tunsrc(struct reader *r, struct json_object *o, struct srv6_op *op)
{
	static const char *const keys[] = { "object", "verb", "tunsrc", NULL };
	struct srv6_tunsrc *t = take(r->a, sizeof(*t));
	const char *text = string_at(o, "tunsrc");
	struct srv6_prefix addr;
	int err = only_keys(r, o, keys);

	t->sz = sizeof(*t);
	op->u.tunsrc = t;
	if (err || (op->verb == SRV6_DEL && !text))
		return err;
	if (!text || value_addr(text, strlen(text), AF_INET6, &addr))
		return bad(r, "tunsrc", "an IPv6 address is expected");
	t->addr = addr.addr.in6;
	return 0;
}

static int read_hmac(struct reader *r, struct json_object *o, struct srv6_op *op)
{
	static const char *const keys[] = { "object", "verb", "hmac", "algo", "secret", NULL };
	struct srv6_hmac *h = take(r->a, sizeof(*h));
	const char *algo = string_at(o, "algo"), *secret = string_at(o, "secret");
	struct json_object *id;
	int err = only_keys(r, o, keys);

	h->sz = sizeof(*h);
	op->u.hmac = h;
	if (err)
		return err;
	if (!json_object_object_get_ex(o, "hmac", &id) || !json_object_is_type(id, json_type_int) ||
	    json_object_get_int64(id) < 1 || json_object_get_int64(id) > UINT32_MAX)
		return bad(r, "hmac", "a key id from 1 to %u is expected", UINT32_MAX);
	h->key_id = (uint32_t)json_object_get_int64(id);
	if (op->verb == SRV6_DEL)
		return 0;
	if (!algo || hmac_algo_number(algo, &h->algo))
		return bad(r, "algo", "\"sha1\" or \"sha256\" is expected");
	if (!secret || value_hex(r->a, secret, &h->secret))
		return bad(r, "secret", "bytes in hexadecimal are expected, as save --secrets writes them");
	return 0;
}

static int read_verb(struct reader *r, struct json_object *o, struct srv6_op *op)
{
	static const char *const kinds[] = { "route", "sid", "nexthop", "tunsrc", "hmac", NULL };
	static const uint32_t numbers[] = { SRV6_ROUTE, SRV6_ROUTE, SRV6_NEXTHOP, SRV6_TUNSRC, SRV6_HMAC };
	static const struct {
		const char *word;
		uint32_t verb, flags;
	} verbs[] = { { "add", SRV6_ADD, 0 },
		      { "replace", SRV6_REPLACE, 0 },
		      { "change", SRV6_CHANGE, 0 },
		      { "append", SRV6_APPEND, 0 },
		      { "prepend", SRV6_APPEND, SRV6_OP_PREPEND },
		      { "del", SRV6_DEL, 0 },
		      { "set", SRV6_REPLACE, 0 },
		      { "unset", SRV6_DEL, 0 } };
	const char *word = string_at(o, "object"), *near;
	bool exact;
	size_t i;

	if (word) {
		for (i = 0; kinds[i] && strcmp(kinds[i], word); i++)
			;
		near = kinds[i] ? NULL : nearest(word, kinds);
		if (!kinds[i])
			return bad(r, "object", "no such object: %s%s%s", word, near ? "; did you mean " : "",
				   near ? near : "");
		op->kind = numbers[i];
	}
	word = string_at(o, "verb");
	for (i = 0; word && i < ARRAY_SIZE(verbs); i++)
		if (!strcmp(verbs[i].word, word)) {
			op->verb = verbs[i].verb;
			op->flags |= verbs[i].flags;
			break;
		}
	if (word && i == ARRAY_SIZE(verbs))
		return bad(r, "verb", "no such verb: %s", word);
	if (read_bool(r, o, "exact", &exact))
		return -EINVAL;
	if (exact && op->verb != SRV6_DEL)
		return bad(r, "exact", "only a deletion is exact");
	op->flags |= exact ? SRV6_OP_EXACT : 0;
	return 0;
}

/* The library's error, at the key where its attribute stands. */
static int bad_op(struct reader *r, const struct srv6_op *op, const struct srv6_error *e)
{
	const struct srv6_attr_info *row = srv6_attr_info(e->attr);
	char *path = r->c->failure.path;
	size_t size = sizeof(r->c->failure.path);
	uint32_t owner = row ? e->attr >> 6 : SRV6_OWNER_ROUTE;

	(void)op;
	fail_lib(r->c, NULL, e);
	if (owner == SRV6_OWNER_ENCAP || owner == SRV6_OWNER_HOP)
		snprintf(path, size, "%s%shops[%u]%s.%s", r->path, *r->path ? "." : "", e->hop,
			 owner == SRV6_OWNER_ENCAP ? ".encap" : "", json_key(row));
	else
		snprintf(path, size, "%s%s%s", r->path, row && *r->path ? "." : "", row ? json_key(row) : "");
	return e->code;
}

int json_op(struct ctx *c, struct json_object *o, const char *path, uint32_t verb, uint32_t kind, struct arena *a,
	    struct srv6_op *ret)
{
	static const char *const none[] = { NULL };
	struct srv6_build_opts opts = { .sz = sizeof(opts) };
	struct reader r = { c, a, path, NULL, none };
	struct srv6_op op = { .verb = verb, .kind = kind };
	struct srv6_error e;
	int err;

	if (!json_object_is_type(o, json_type_object))
		return bad(&r, NULL, "an object is expected");
	err = read_verb(&r, o, &op);
	if (err)
		return err;
	switch (op.kind) {
	case SRV6_ROUTE:
		err = read_route(&r, o, &op);
		break;
	case SRV6_NEXTHOP:
		err = read_nexthop(&r, o, &op);
		break;
	case SRV6_TUNSRC:
		err = read_tunsrc(&r, o, &op);
		break;
	case SRV6_HMAC:
		err = read_hmac(&r, o, &op);
		break;
	default:
		err = bad(&r, "object", "it is missing: route, nexthop, tunsrc or hmac");
		break;
	}
	if (err)
		return err;
	opts.mobile = c->mobile; /* words may have chosen it */
	err = srv6_check(&op, &opts, &e);
	if (err)
		return bad_op(&r, &op, &e);
	*ret = op;
	return 0;
}

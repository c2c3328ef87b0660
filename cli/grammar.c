/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * iproute2's grammar, and what may be left out of it. A word is looked up in the library's rows: in those of the
 * encapsulation while its words go on (what ip would read there belongs to it), else in those of the hop and of the object.
 */
#include <errno.h>
#include <string.h>
#include <linux/rtnetlink.h>

#include "model.h"

#define MAX_HOPS 256

/* An encapsulation while it is read. */
struct part {
	struct srv6_encap *e;
	const char *type; /* "seg6"; NULL: nothing said yet */
	const struct usid *usid;
	uint32_t head;  /* the word that named the behavior, or the first of the encapsulation */
	bool open;      /* the last word was one of its own */
	bool bracketed; /* segs N [ ... ], as iproute2 shows it: with the kernel's '::' */
	bool named;     /* mode, action or a behavior's name was there */
	bool number;    /* of an unknown one */
};

struct parse {
	struct ctx *c;
	struct words *w;
	struct arena *a;
	uint32_t verb, kind;
	bool sid, multi, said_default, via_family;
	void *obj;     /* the route or nexthop */
	uint64_t *has; /* its own */
	struct srv6_hop *hops;
	struct part *parts;
	uint32_t n_hops, cap;
};

/* ---- hops */

static void add_hop(struct parse *p)
{
	struct srv6_hop *hops;
	struct part *parts;

	if (p->n_hops == p->cap) {
		p->cap = p->cap ? 2 * p->cap : 1;
		hops = take(p->a, p->cap * sizeof(*hops));
		parts = take(p->a, p->cap * sizeof(*parts));
		if (p->n_hops) {
			memcpy(hops, p->hops, p->n_hops * sizeof(*hops));
			memcpy(parts, p->parts, p->n_hops * sizeof(*parts));
		}
		p->hops = hops;
		p->parts = parts;
	}
	p->parts[p->n_hops].head = NO_WORD;
	p->n_hops++;
}

static struct srv6_hop *hop(struct parse *p)
{
	if (!p->n_hops)
		add_hop(p);
	return &p->hops[p->n_hops - 1];
}

static struct part *part(struct parse *p)
{
	hop(p);
	return &p->parts[p->n_hops - 1];
}

static uint32_t hop_index(const struct parse *p)
{
	return p->n_hops ? p->n_hops - 1 : 0;
}

static struct srv6_encap *encap(struct parse *p)
{
	struct part *t = part(p);

	if (!t->e) {
		t->e = take(p->a, sizeof(*t->e));
		t->e->sz = sizeof(*t->e);
		t->e->number = UINT32_MAX;
		t->head = p->w->i;
		hop(p)->encap = t->e;
	}
	t->open = true;
	return t->e;
}

/* ---- one attribute */

static int twice(struct parse *p, uint32_t at)
{
	return fail(p->c, p->w, at, -EINVAL, "%s: it is there twice", p->w->word[at].text);
}

static int scan_failed(struct parse *p, struct scan *s, uint32_t at)
{
	const char *word = p->w->word[at].text;

	fail_part(p->c, p->w, p->w->i - 1, s->off, s->len, -EINVAL, "%s: %s", word, s->text);
	if (s->remedy[0])
		fail_remedy(p->c, "%s", s->remedy);
	return -EINVAL;
}

static int scan_word(struct parse *p, const struct srv6_attr_info *row, void *obj, const char *text, uint32_t at)
{
	struct scan s = { .c = p->c, .a = p->a, .row = row, .obj = obj };

	return shape_scan(&s, text) ? scan_failed(p, &s, at) : 0;
}

/* "2 [ A B ]", as iproute2 shows segments, joined with commas; NULL: it is not that, or it has no end. */
static const char *bracketed(struct parse *p)
{
	struct words *w = p->w;
	const char *ret = NULL;
	uint64_t n;
	uint32_t i = w->i;

	if (i + 2 >= w->n || value_number(w->word[i].text, 255, &n) || strcmp(w->word[i + 1].text, "["))
		return NULL;
	for (i += 2; i < w->n && strcmp(w->word[i].text, "]"); i++)
		ret = ret ? take_printf(p->a, "%s,%s", ret, w->word[i].text) : w->word[i].text;
	if (i == w->n || !ret)
		return NULL;
	w->i = i + 1;
	return ret;
}

/* Whether "vrf NAME" was written where the row takes a table. */
static int vrf_word(struct parse *p, const struct srv6_attr_info *row, void *obj, const char *text)
{
	uint32_t *table = (uint32_t *)((char *)obj + row->offset);
	int err = vrf_table(p->c, text, table);

	if (err == -ENODEV)
		return fail(p->c, p->w, p->w->i - 1, -EINVAL, "vrf: there is no device '%s'", text);
	if (err)
		return fail(p->c, p->w, p->w->i - 1, -EINVAL, "vrf: %s is no VRF device", text);
	return 0;
}

static int value(struct parse *p, const struct srv6_attr_info *row, void *obj, uint32_t at)
{
	const char *text;
	int err;

	if (row->shape == SRV6_SHAPE_BPF)
		return bpf_words(p->c, p->w, p->a, (struct srv6_bpf *)((char *)obj + row->offset));
	if (row->shape == SRV6_SHAPE_SEGS && (text = bracketed(p))) {
		part(p)->bracketed = true;
		return scan_word(p, row, obj, text, at);
	}
	err = words_value(p->c, p->w, row->arg ? row->arg : "a value", &text);
	if (err)
		return err;
	if (!strcmp(p->w->word[at].text, "vrf"))
		return vrf_word(p, row, obj, text);
	return scan_word(p, row, obj, text, at);
}

/* Reads the value of row, whose word was at; places it for errors of the library. */
static int attr(struct parse *p, const struct srv6_attr_info *row, void *obj, uint64_t *has, uint32_t at)
{
	if (*has & SRV6_BIT(row->attr))
		return twice(p, at);
	if (!shape_is_flag(row->shape)) {
		int err = value(p, row, obj, at);

		if (err)
			return err;
	}
	*has |= SRV6_BIT(row->attr);
	words_place(p->w, hop_index(p), row->attr, p->w->i - 1);
	p->w->place[p->w->n_places - 1].name = at;
	return 0;
}

/* ---- encapsulations */

/* Whether any behavior of an encapsulation takes the attribute: then ip would read its word there, too. */
static bool type_takes(const char *type, uint32_t mobile, uint32_t attr)
{
	const struct srv6_behavior_info *info;

	for (uint32_t b = 1; b < SRV6_N_BEHAVIORS; b++) {
		info = srv6_behavior_info(b, mobile);
		if (info && behavior_takes(info, attr) && !strcmp(info->encap, type))
			return true;
	}
	return false;
}

static int set_behavior(struct parse *p, uint32_t behavior, const struct usid *usid, uint32_t at)
{
	struct srv6_encap *e = encap(p);
	struct part *t = part(p);
	const struct srv6_behavior_info *info = numbering_of(p->c, behavior, t->type);

	if (t->named)
		return fail(p->c, p->w, at, -EINVAL, "%s: a behavior was given already", p->w->word[at].text);
	if (t->type && strcmp(t->type, info->encap))
		return fail(p->c, p->w, at, -EINVAL, "%s: not with encap %s; it is encap %s", p->w->word[at].text,
			    t->type, info->encap);
	t->type = info->encap;
	t->named = true;
	t->usid = usid;
	t->head = at;
	e->behavior = behavior;
	return 0;
}

/* The words that mode or action take, for suggestions. */
static const char *const *behavior_words(const char *encap_name, bool names)
{
	static const char *list[2 * SRV6_N_BEHAVIORS + 16];
	const struct srv6_behavior_info *info;
	size_t n = 0;

	for (uint32_t b = 1; b < SRV6_N_BEHAVIORS; b++) {
		info = srv6_behavior_info(b, SRV6_MOBILE_AUTO);
		if (!info || (encap_name && strcmp(info->encap, encap_name)))
			continue;
		if (!names || strcmp(info->word, info->name))
			list[n++] = info->word;
		if (names)
			list[n++] = info->name;
	}
	list[n] = NULL;
	return list;
}

/* After "mode" or "action". */
static int behavior_word(struct parse *p, bool mode)
{
	const char *type = part(p)->type, *word;
	const struct usid *usid;
	uint32_t at, b;
	int err = words_value(p->c, p->w, mode ? "a mode" : "an action", &word);

	if (err)
		return err;
	at = p->w->i - 1;
	usid = mode ? NULL : usid_find(word);
	b = usid ? usid->behavior : srv6_behavior_find(mode ? "seg6" : NULL, word);
	if (b == SRV6_OTHER || is_headend_mode(srv6_behavior_info(b, p->c->mobile)) != mode) {
		p->w->i = at;
		return words_unknown(p->c, p->w, mode ? "mode" : "action",
				     behavior_words(mode                           ? "seg6"
						    : type && strcmp(type, "seg6") ? type
										   : "seg6local",
						    false));
	}
	return set_behavior(p, b, usid, at);
}

static int number_of_type(const char *name, uint32_t *ret)
{
	const char *known;
	uint64_t n;

	for (uint32_t i = 0; i < 64; i++) {
		known = srv6_encap_name(i);
		if (known && !strcmp(known, name)) {
			*ret = i;
			return 0;
		}
	}
	if (value_number(name, UINT16_MAX, &n))
		return -ENOENT;
	*ret = (uint32_t)n;
	return 0;
}

static int foreign(struct parse *p, const char *type, uint32_t at)
{
	fail(p->c, p->w, at, -EOPNOTSUPP, "encap %s: only SRv6 encapsulations are set by words", type);
	return fail_remedy(p->c, "use ip route for it, or give its bytes: encap %s raw HEX", type);
}

/* After "encap". */
static int encap_word(struct parse *p)
{
	static const char *const types[] = { "seg6", "seg6local", "seg6mobile", NULL };
	struct part *t = part(p);
	struct srv6_encap *e = encap(p);
	const char *word;
	uint32_t b;
	int err;

	if (t->type)
		return fail(p->c, p->w, p->w->i - 1, -EINVAL, "encap: it is there twice");
	err = words_value(p->c, p->w, "seg6, seg6local or seg6mobile", &word);
	if (err)
		return err;
	for (const char *const *s = types; *s; s++)
		if (!strcmp(*s, word))
			t->type = *s;
	if (number_of_type(word, &e->encap_type) && !t->type) {
		b = srv6_behavior_find(NULL, word); /* "encap H.Encaps ..." */
		if (b != SRV6_OTHER)
			return set_behavior(p, b, NULL, p->w->i - 1);
		p->w->i--;
		return words_unknown(p->c, p->w, "encapsulation", types);
	}
	if (t->type)
		return 0;
	t->type = word;
	word = words_peek(p->w);
	return word && (!strcmp(word, "raw") || !strcmp(word, "number")) ? 0 : foreign(p, t->type, p->w->i - 1);
}

/* Counter values, as show -s has them: they are no input. */
static int counter_word(struct parse *p, const char *word)
{
	const char *text;
	uint64_t n;
	int err = words_value(p->c, p->w, "a counter's value", &text);

	if (!err && value_number(text, UINT64_MAX, &n))
		err = fail(p->c, p->w, p->w->i - 1, -EINVAL, "%s: a number is expected, not '%s'", word, text);
	encap(p)->has |= SRV6_HAS(COUNT);
	return err;
}

/* "number N": of a mode or action that this version has no name for; see raw. */
static int number_word(struct parse *p)
{
	if (part(p)->number)
		return twice(p, p->w->i - 1);
	part(p)->number = true;
	return words_number(p->c, p->w, "the number of a mode or action", 0, UINT32_MAX, &encap(p)->number);
}

static bool is_counter(const char *word)
{
	return same(word, "packets") || same(word, "bytes") || same(word, "errors");
}

/*
 * "End.X nh6 A table 100": ip takes the table for the behavior's, and the kernel drops it. The library refuses what a behavior
 * does not take; where the route has the same word we can say what was meant.
 */
static int check_part(struct parse *p, uint32_t i)
{
	const struct srv6_encap *e = p->parts[i].e;
	const struct srv6_behavior_info *info = srv6_behavior_info(e->behavior, p->c->mobile);
	struct place *at;
	const char *word;

	for (uint32_t k = 0; info && info->status != SRV6_STATUS_UAPI && k < p->w->n_places; k++) {
		at = &p->w->place[k];
		if (at->hop != i || at->attr >= 64 || behavior_takes(info, at->attr))
			continue;
		at->word = at->name; /* not its value is wrong: it is */
		word = srv6_attr_info(at->attr)->word;
		if (srv6_attr_find(SRV6_OWNER_ROUTE, word) == SRV6_ATTR_NONE)
			continue;
		fail(p->c, p->w, at->name, -EINVAL, "%s: %s takes no %s", word, info->name, word);
		return fail_remedy(p->c, "for the %s of the route, write it after the device: dev DEV %s ...", word,
				   word);
	}
	return 0;
}

/* The encapsulation's own words. Returns 1 where the word is none of them. */
static int encap_part(struct parse *p, const char *word, uint32_t at)
{
	const struct srv6_attr_info *row;
	struct part *t = p->n_hops ? part(p) : NULL;
	bool open = t && t->e && t->open;
	uint32_t id, b;

	p->w->i++;
	if (same(word, "encap"))
		return encap_word(p);
	if (same(word, "mode") || same(word, "action"))
		return behavior_word(p, *word == 'm');
	if (same(word, "srh")) {
		encap(p);
		return 0;
	}
	if (open && is_counter(word))
		return counter_word(p, word);
	if (open && same(word, "number"))
		return number_word(p);
	b = srv6_behavior_find(NULL, word);
	if (b != SRV6_OTHER && !strcmp(srv6_behavior_info(b, p->c->mobile)->name, word))
		return set_behavior(p, b, NULL, at);
	if (usid_find(word))
		return set_behavior(p, usid_find(word)->behavior, usid_find(word), at);
	id = srv6_attr_find(SRV6_OWNER_ENCAP, word);
	if (id != SRV6_ATTR_NONE) {
		row = srv6_attr_info(id);
		/* a word that the route has too is the encapsulation's where ip would read it so */
		bool both = srv6_attr_find(SRV6_OWNER_ROUTE, word) != SRV6_ATTR_NONE;

		if (!both || (open && t->type && type_takes(t->type, p->c->mobile, id))) {
			encap(p);
			return attr(p, row, part(p)->e, &part(p)->e->has, at);
		}
	}
	p->w->i--;
	if (t)
		t->open = false;
	return 1;
}

/* ---- what may be left out */

static bool placeholder(const struct srv6_encap *e)
{
	return (e->behavior == SRV6_H_INSERT || e->behavior == SRV6_END_B6) && e->n_segs > 1 &&
	       IN6_IS_ADDR_UNSPECIFIED(&e->segs[e->n_segs - 1]);
}

/* No mode, no action: with segments it is H.Encaps, as a headend's default. */
static int infer_behavior(struct parse *p, struct part *t)
{
	struct srv6_encap *e = t->e;

	if (t->type && strcmp(t->type, "seg6")) {
		if (!strncmp(t->type, "seg6", 4))
			return fail(p->c, p->w, t->head, -EINVAL, "encap %s: an action is missing, such as action End",
				    t->type);
		return foreign(p, t->type, t->head);
	}
	if (!(e->has & SRV6_HAS(SEGS))) {
		fail(p->c, p->w, t->head, -EINVAL, "an encapsulation needs segments or a behavior: segs ADDR6,...");
		return fail_remedy(p->c, "srv6 help %s add lists what may follow", kind_name(p->kind));
	}
	e->behavior = SRV6_H_ENCAPS;
	return 0;
}

static int finish_part(struct parse *p, uint32_t i, const struct srv6_prefix *dst)
{
	struct part *t = &p->parts[i];
	struct srv6_encap *e = t->e;
	int err;

	if (!e || (!t->named && e->has & SRV6_HAS(RAW)))
		return 0;
	words_place(p->w, i, PLACE_ENCAP, t->head);
	err = t->named ? 0 : infer_behavior(p, t);
	if (err)
		return err;
	if (t->bracketed && placeholder(e))
		e->n_segs--;
	if (t->usid)
		usid_fill(e, t->usid, dst);
	return check_part(p, i);
}

/* ---- hops and the object's own words */

static int via_word(struct parse *p, const struct srv6_attr_info *row, uint32_t at)
{
	int family = words_take(p->w, "inet6") ? AF_INET6 : words_take(p->w, "inet") ? AF_INET : AF_UNSPEC, err;
	struct srv6_hop *h = hop(p);

	err = attr(p, row, h, &h->has, at);
	if (!err && family != AF_UNSPEC && h->via.family != family)
		err = fail(p->c, p->w, p->w->i - 1, -EINVAL, "via: an %s address is expected, not '%s'",
			   family == AF_INET6 ? "IPv6" : "IPv4", p->w->word[p->w->i - 1].text);
	p->via_family |= family != AF_UNSPEC;
	return err;
}

static int nexthop_word(struct parse *p)
{
	struct srv6_hop *h = p->n_hops ? hop(p) : NULL;

	if (!p->multi && h && (h->encap || h->has)) {
		fail(p->c, p->w, p->parts[0].head != NO_WORD ? p->parts[0].head : p->w->i - 1, -EINVAL,
		     "%s before the first nexthop belongs to no hop",
		     h->encap ? "an encapsulation" : "a gateway or device");
		return fail_remedy(p->c, "give each nexthop its own: nexthop encap ... via ADDR dev DEV nexthop ...");
	}
	if (p->multi || !h) {
		if (p->n_hops == MAX_HOPS)
			return fail(p->c, p->w, p->w->i - 1, -E2BIG, "nexthop: %u at most", MAX_HOPS);
		add_hop(p);
	}
	p->multi = true;
	return 0;
}

/* Words that ip has and that mean nothing here, or cannot be sent. */
static const struct {
	const char *word, *why;
} refused[] = {
	{ "cleanup", "ip's help has it, but neither ip nor any kernel does anything with it" },
	{ "as", "MPLS labels are out of scope: use ip route" },
	{ "oif", "a route's device is dev DEV; oif belongs to End.DX2 and End.X" },
	{ "mark", "a mark is for rules: see ip-rule(8)" },
	{ "uid", "a user id is for rules: see ip-rule(8)" },
	{ "nat", "Linux no longer has stateless NAT" },
	{ "buckets", "resilient groups are out of scope: use ip nexthop" },
	{ "idle_timer", "resilient groups are out of scope: use ip nexthop" },
	{ "unbalanced_timer", "resilient groups are out of scope: use ip nexthop" },
	{ "secret", "a secret is never taken from the command line, where ps shows it" },
	{ NULL, NULL },
};

static const char *const *all_words(const struct parse *p)
{
	static const char *list[220];
	static const char *const more[] = { "encap", "mode", "action", "srh", "nexthop", "number", NULL };
	const struct srv6_attr_info *row;
	uint32_t own = p->kind == SRV6_ROUTE ? SRV6_OWNER_ROUTE : SRV6_OWNER_NEXTHOP;
	const uint32_t owners[] = { SRV6_OWNER_ENCAP, SRV6_OWNER_HOP, own };
	const char *const *names = behavior_words(NULL, true);
	size_t n = 0;

	for (const char *const *s = more; *s; s++)
		list[n++] = *s;
	for (size_t i = 0; i < ARRAY_SIZE(owners); i++)
		for (uint32_t bit = 0; bit < 64; bit++) {
			row = srv6_attr_info(owners[i] << 6 | bit);
			if (!row)
				continue;
			list[n++] = row->word;
			if (row->alias)
				list[n++] = row->alias;
		}
	for (; *names && n < ARRAY_SIZE(list) - 1; names++)
		if (strchr(*names, '.') || !strcmp(*names, "End"))
			list[n++] = *names;
	list[n] = NULL;
	return list;
}

static int unknown_word(struct parse *p)
{
	const char *word = words_peek(p->w);

	for (size_t i = 0; refused[i].word; i++)
		if (!strcmp(refused[i].word, word))
			return fail(p->c, p->w, p->w->i, -EINVAL, "%s: %s", word, refused[i].why);
	if (p->kind == SRV6_NEXTHOP && srv6_attr_find(SRV6_OWNER_ROUTE, word) != SRV6_ATTR_NONE) {
		fail(p->c, p->w, p->w->i, -EINVAL, "%s: a nexthop object has no such word, a route has", word);
		return fail_remedy(
			p->c, "give it to the routes that use the object: srv6 route add PREFIX nhid ID %s ...", word);
	}
	return words_unknown(p->c, p->w, "word", all_words(p));
}

/* "mtu lock 1400" */
static void lock_word(struct parse *p, const struct srv6_attr_info *row)
{
	struct srv6_route *r = p->obj;

	if (p->kind != SRV6_ROUTE || row->attr < SRV6_ATTR_METRIC_BASE ||
	    row->attr >= SRV6_ATTR_METRIC_BASE + SRV6_N_METRICS || !words_take(p->w, "lock"))
		return;
	r->lock |= 1u << (row->attr - SRV6_ATTR_METRIC_BASE);
	r->has |= SRV6_HAS(LOCK);
}

static int own_word(struct parse *p, const char *word, uint32_t at)
{
	uint32_t id = srv6_attr_find(p->kind == SRV6_ROUTE ? SRV6_OWNER_ROUTE : SRV6_OWNER_NEXTHOP, word);
	const struct srv6_attr_info *row = srv6_attr_info(id);

	if (!row && p->kind == SRV6_ROUTE && !strcmp(word, "priority"))
		row = srv6_attr_info(SRV6_ATTR_METRIC);
	if (!row)
		return unknown_word(p);
	p->w->i++;
	lock_word(p, row);
	return attr(p, row, p->obj, p->has, at);
}

/* One word and what follows it, in the part of route or nexthop after what names it. */
static int one_word(struct parse *p)
{
	const char *word = words_peek(p->w);
	uint32_t at = p->w->i, id;
	int err = encap_part(p, word, at);

	if (err <= 0)
		return err;
	if (p->kind == SRV6_ROUTE && same(word, "nexthop")) {
		p->w->i++;
		return nexthop_word(p);
	}
	if (is_flag_word(word)) {
		p->w->i++;
		return 0;
	}
	id = srv6_attr_find(SRV6_OWNER_HOP, word);
	if (id == SRV6_ATTR_NONE)
		return own_word(p, word, at);
	p->w->i++;
	if (id == SRV6_ATTR_VIA)
		return via_word(p, srv6_attr_info(id), at);
	return attr(p, srv6_attr_info(id), hop(p), &hop(p)->has, at);
}

/* ---- routes */

static bool is_default(const char *word)
{
	return same(word, "default") || same(word, "any") || same(word, "all");
}

static int dst_word(struct parse *p)
{
	struct srv6_route *r = p->obj;
	struct scan s = { .c = p->c, .a = p->a, .row = srv6_attr_info(SRV6_ATTR_DST), .obj = r };
	const char *word;
	uint32_t at;
	int err;

	if (!words_take(p->w, "to"))
		words_take(p->w, "dst");
	err = words_value(p->c, p->w, "a prefix", &word);
	if (err)
		return err;
	at = p->w->i - 1;
	words_place(p->w, 0, SRV6_ATTR_DST, at);
	r->has |= SRV6_HAS(DST);
	if (is_default(word)) {
		p->said_default = true;
		return 0;
	}
	if (shape_scan(&s, word)) {
		fail(p->c, p->w, at, -EINVAL, "%s", s.text);
		return fail_remedy(p->c, "%s",
				   s.remedy[0] ? s.remedy : "a prefix is as 2001:db8::/32, 192.0.2.0/24 or default");
	}
	if (p->c->family != AF_UNSPEC && p->c->family != r->dst.family)
		return fail(p->c, p->w, at, -EINVAL, "%s: an IPv%c prefix is expected (-%c)", word,
			    p->c->family == AF_INET ? '4' : '6', p->c->family == AF_INET ? '4' : '6');
	return 0;
}

/* The family of "default": as ip has it, IPv4 unless something says IPv6; a SID is IPv6 anyway. */
static void default_family(struct parse *p)
{
	struct srv6_route *r = p->obj;

	r->dst.family = AF_INET;
	if (p->c->family != AF_UNSPEC)
		r->dst.family = (uint8_t)p->c->family;
	else if (p->sid)
		r->dst.family = AF_INET6;
	else if (p->n_hops && p->hops[0].has & SRV6_HAS(VIA) && !p->via_family)
		r->dst.family = p->hops[0].via.family;
	else if (p->n_hops && p->parts[0].e && p->parts[0].e->behavior == SRV6_H_INSERT)
		r->dst.family = AF_INET6;
}

static int type_word(struct parse *p)
{
	struct srv6_route *r = p->obj;
	const char *word = words_peek(p->w);
	uint64_t number;

	if (!word || rtype_number(word, &r->type) || !value_number(word, UINT64_MAX, &number))
		return 0;
	r->has |= SRV6_HAS(TYPE);
	words_place(p->w, 0, SRV6_ATTR_TYPE, p->w->i++);
	return 0;
}

/* "lo" never forwards: the kernel takes the route, shows it, and answers packets with unreachable. */
static int no_loopback(struct parse *p, const struct srv6_route *r)
{
	if (p->verb == SRV6_DEL || p->verb == SRV6_GET || (r->has & SRV6_HAS(TYPE) && r->type != RTN_UNICAST))
		return 0;
	for (uint32_t i = 0; i < r->n_hops; i++) {
		if (!r->hops[i].encap || !(r->hops[i].has & SRV6_HAS(DEV)) || r->hops[i].ifindex != LOOPBACK)
			continue;
		if (p->c->as_saved) {
			warn(p->c, p->w, NO_WORD, "dev: " ON_LOOPBACK);
			continue;
		}
		struct srv6_error e = { .code = -EINVAL, .attr = SRV6_ATTR_DEV, .hop = i };

		snprintf(e.text, sizeof(e.text), "dev: " ON_LOOPBACK);
		snprintf(e.remedy, sizeof(e.remedy),
			 "use any other device that is up, a dummy device for instance: "
			 "ip link add sr0 type dummy; ip link set sr0 up");
		return fail_lib(p->c, p->w, &e);
	}
	return 0;
}

static int need_sid(struct parse *p, const struct srv6_op *op)
{
	if (!p->sid || p->verb == SRV6_GET || op_is_sid(op) || op->u.route->has & SRV6_HAS(NHID))
		return 0;
	if (p->verb == SRV6_DEL && !op_encap(op))
		return 0;
	if (op_encap(op) && op->u.route->n_hops)
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there is a part for every hop */
		fail(p->c, p->w, p->parts[0].head, -EINVAL,
		     "a SID needs an endpoint behavior; this is one of a headend");
	else
		fail(p->c, p->w, p->w->i, -EINVAL,
		     "a SID needs a behavior: End, End.X nh6 ADDR6, End.DT46 vrftable TABLE, ...");
	return fail_remedy(p->c,
			   op_encap(op) ? "srv6 route %s takes it"
					: "srv6 behavior lists them (srv6 sid %s PREFIX BEHAVIOR)",
			   verb_name(p->verb));
}

static int parse_route(struct parse *p, struct srv6_op *op)
{
	struct srv6_route *r = take(p->a, sizeof(*r));
	int err;

	r->sz = sizeof(*r);
	p->obj = r;
	p->has = &r->has;
	op->u.route = r;
	err = type_word(p);
	if (!err)
		err = dst_word(p);
	while (!err && p->w->i < p->w->n)
		err = one_word(p);
	if (err)
		return err;
	r->hops = p->hops;
	r->n_hops = p->n_hops;
	for (uint32_t i = 0; i < p->n_hops && !err; i++)
		err = finish_part(p, i, &r->dst);
	if (p->said_default)
		default_family(p);
	if (!err)
		err = need_sid(p, op);
	if (!err)
		err = no_loopback(p, r);
	/* delete what was named, and nothing that only looks like it */
	if (p->verb == SRV6_DEL && r->n_hops)
		op->flags |= SRV6_OP_EXACT;
	if (p->verb == SRV6_DEL && p->sid)
		op->flags |= SRV6_OP_SID;
	return err;
}

/* ---- nexthop objects */

static int family_word(struct parse *p)
{
	struct srv6_nexthop *n = p->obj;

	if (!words_take(p->w, "family"))
		return 1;
	if (words_take(p->w, "inet"))
		n->family = AF_INET;
	else if (words_take(p->w, "inet6"))
		n->family = AF_INET6;
	else
		return fail(p->c, p->w, p->w->i, -EINVAL, "family: inet or inet6 must follow");
	return 0;
}

static int parse_nexthop(struct parse *p, struct srv6_op *op)
{
	struct srv6_nexthop *n = take(p->a, sizeof(*n));
	uint64_t number;
	int err = 0;

	n->sz = sizeof(*n);
	p->obj = n;
	p->has = &n->has;
	op->u.nexthop = n;
	if (words_peek(p->w) && !value_number(words_peek(p->w), UINT64_MAX, &number))
		err = attr(p, srv6_attr_info(SRV6_ATTR_NH_ID), n, &n->has, p->w->i);
	while (!err && p->w->i < p->w->n) {
		err = family_word(p);
		if (err > 0)
			err = one_word(p);
	}
	if (err)
		return err;
	if (!(n->has & SRV6_HAS(NH_ID)))
		return fail(p->c, p->w, p->w->i, -EINVAL, "a nexthop object needs its number: id ID");
	if (p->n_hops) {
		n->hop = &p->hops[0];
		err = finish_part(p, 0, NULL);
	}
	if (!n->family && p->verb != SRV6_DEL) /* its number alone says which is deleted */
		n->family = p->c->family != AF_UNSPEC && !(n->has & SRV6_HAS(NH_GROUP)) ? (uint8_t)p->c->family
											: nexthop_family(n);
	n->has &= ~SRV6_HAS(NH_SCOPE); /* shown, never sent */
	return err;
}

/* ---- tunnel source and keys */

static int parse_tunsrc(struct parse *p, struct srv6_op *op)
{
	struct srv6_tunsrc *t = take(p->a, sizeof(*t));
	struct srv6_prefix addr;
	int err;

	t->sz = sizeof(*t);
	op->u.tunsrc = t;
	if (p->verb == SRV6_DEL)
		return words_end(p->c, p->w);
	words_take(p->w, "addr"); /* as ip sr shows it */
	err = words_addr(p->c, p->w, "the tunnel source", AF_INET6, &addr);
	if (err)
		return err;
	words_place(p->w, 0, SRV6_ATTR_TUNSRC, p->w->i - 1);
	t->addr = addr.addr.in6;
	return words_end(p->c, p->w);
}

static int parse_hmac(struct parse *p, struct srv6_op *op)
{
	struct srv6_hmac *h = take(p->a, sizeof(*h));
	const char *word;
	int err;

	h->sz = sizeof(*h);
	op->u.hmac = h;
	err = words_number(p->c, p->w, "a key id", 1, UINT32_MAX, &h->key_id);
	if (err)
		return err;
	words_place(p->w, 0, SRV6_ATTR_HMAC, p->w->i - 1);
	if (p->verb == SRV6_DEL)
		return words_end(p->c, p->w);
	words_take(p->w, "algo");
	err = words_value(p->c, p->w, "sha1 or sha256", &word);
	if (err)
		return err;
	if (hmac_algo_number(word, &h->algo))
		return fail(p->c, p->w, p->w->i - 1, -EINVAL, "%s: sha1 or sha256 is expected", word);
	return hmac_secret(p->c, p->w, p->a, &h->secret);
}

/* ---- all of them */

int parse_op(struct ctx *c, struct words *w, uint32_t verb, uint32_t kind, uint32_t flags, struct arena *a,
	     struct srv6_op *ret)
{
	struct parse p = { .c = c, .w = w, .a = a, .verb = verb, .kind = kind, .sid = flags & PARSE_SID };
	struct srv6_build_opts opts = { .sz = sizeof(opts) };
	struct srv6_op op = { .verb = verb, .kind = kind };
	struct srv6_error e;
	int err;

	switch (kind) {
	case SRV6_ROUTE:
		err = parse_route(&p, &op);
		break;
	case SRV6_NEXTHOP:
		err = parse_nexthop(&p, &op);
		break;
	case SRV6_TUNSRC:
		err = parse_tunsrc(&p, &op);
		break;
	default:
		err = parse_hmac(&p, &op);
		break;
	}
	if (err)
		return err;
	opts.mobile = c->mobile; /* words may have chosen it */
	err = srv6_check(&op, &opts, &e);
	if (err)
		return fail_lib(c, w, &e);
	*ret = op;
	return 0;
}

static const struct change {
	const char *object, *verb;
	uint32_t kind, op, flags, op_flags;
} changes[] = {
	{ "route", "add", SRV6_ROUTE, SRV6_ADD, 0, 0 },
	{ "route", "replace", SRV6_ROUTE, SRV6_REPLACE, 0, 0 },
	{ "route", "change", SRV6_ROUTE, SRV6_CHANGE, 0, 0 },
	{ "route", "append", SRV6_ROUTE, SRV6_APPEND, 0, 0 },
	{ "route", "prepend", SRV6_ROUTE, SRV6_APPEND, 0, SRV6_OP_PREPEND },
	{ "route", "del", SRV6_ROUTE, SRV6_DEL, 0, 0 },
	{ "sid", "add", SRV6_ROUTE, SRV6_ADD, PARSE_SID, 0 },
	{ "sid", "replace", SRV6_ROUTE, SRV6_REPLACE, PARSE_SID, 0 },
	{ "sid", "change", SRV6_ROUTE, SRV6_CHANGE, PARSE_SID, 0 },
	{ "sid", "append", SRV6_ROUTE, SRV6_APPEND, PARSE_SID, 0 },
	{ "sid", "prepend", SRV6_ROUTE, SRV6_APPEND, PARSE_SID, SRV6_OP_PREPEND },
	{ "sid", "del", SRV6_ROUTE, SRV6_DEL, PARSE_SID, 0 },
	{ "nexthop", "add", SRV6_NEXTHOP, SRV6_ADD, 0, 0 },
	{ "nexthop", "replace", SRV6_NEXTHOP, SRV6_REPLACE, 0, 0 },
	{ "nexthop", "del", SRV6_NEXTHOP, SRV6_DEL, 0, 0 },
	{ "tunsrc", "set", SRV6_TUNSRC, SRV6_REPLACE, 0, 0 },
	{ "tunsrc", "unset", SRV6_TUNSRC, SRV6_DEL, 0, 0 },
	{ "hmac", "set", SRV6_HMAC, SRV6_REPLACE, 0, 0 },
	{ "hmac", "del", SRV6_HMAC, SRV6_DEL, 0, 0 },
};

int parse_change_as(struct ctx *c, struct words *w, const char *object, const char *verb, struct arena *a,
		    struct srv6_op *ret)
{
	const struct change *ch;
	int err;

	for (size_t i = 0; i < ARRAY_SIZE(changes); i++) {
		ch = &changes[i];
		if (!same(ch->object, object) || !same(ch->verb, verb))
			continue;
		err = parse_op(c, w, ch->op, ch->kind, ch->flags, a, ret);
		if (!err)
			ret->flags |= ch->op_flags;
		return err;
	}
	return fail(c, w, 0, -ENOMSG, "%s %s: not a command that changes anything", object, verb);
}

int parse_change(struct ctx *c, struct words *w, struct arena *a, struct srv6_op *ret)
{
	static const char *const objects[] = { "route", "sid", "nexthop", "tunsrc", "hmac", NULL };
	const char *verbs[ARRAY_SIZE(changes) + 1], *object = words_peek(w), *verb;
	size_t n = 0;

	for (size_t i = 0; object && i < ARRAY_SIZE(changes); i++)
		if (same(changes[i].object, object))
			verbs[n++] = changes[i].verb;
	verbs[n] = NULL;
	if (!n) {
		words_unknown(c, w, "object with commands that change something", objects);
		return c->failure.e.code = -ENOMSG;
	}
	w->i++;
	verb = words_peek(w);
	for (size_t i = 0; verb && i < n; i++)
		if (same(verbs[i], verb)) {
			w->i++;
			return parse_change_as(c, w, object, verb, a, ret);
		}
	words_unknown(c, w, "command that changes something", verbs);
	return c->failure.e.code = -ENOMSG;
}

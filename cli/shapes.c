/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One row a shape: how a field is read from text and JSON, and written as both. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <arpa/inet.h>
#include <linux/icmpv6.h>
#include <linux/rtnetlink.h>
#include <json-c/json.h>

#include "cli.h"

/* ---- fields */

static void *field(const struct scan *s)
{
	return (char *)s->obj + s->row->offset;
}

static const void *at(const struct srv6_attr_info *row, const void *obj)
{
	return (const char *)obj + row->offset;
}

static uint8_t u8(const struct srv6_attr_info *row, const void *obj)
{
	return *(const uint8_t *)at(row, obj);
}

static uint32_t u32(const struct srv6_attr_info *row, const void *obj)
{
	return *(const uint32_t *)at(row, obj);
}

static int wrong(struct scan *s, const char *fmt, ...) PRINTF(2, 3);
static int wrong(struct scan *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->text, sizeof(s->text), fmt, ap);
	va_end(ap);
	return -EINVAL;
}

/* ---- numbers */

/* Reads a number within the type's bounds and the row's. */
static int scan_bounded(struct scan *s, const char *text, uint32_t type_max, uint32_t *ret)
{
	uint32_t min = s->row->min, max = s->row->max ? s->row->max : type_max;
	uint64_t n;
	int err = value_number(text, UINT64_MAX, &n);

	if (err == -EINVAL)
		return wrong(s, "a number is expected, not '%.60s'", text);
	if (err || n < min || n > max)
		return wrong(s, "%.60s is out of range, it is from %u to %u", text, min, max);
	*ret = (uint32_t)n;
	return 0;
}

static int scan_u8(struct scan *s, const char *text)
{
	uint32_t n = 0;
	int err = scan_bounded(s, text, UINT8_MAX, &n);

	if (!err)
		*(uint8_t *)field(s) = (uint8_t)n;
	return err;
}

static int scan_u16(struct scan *s, const char *text)
{
	uint32_t n = 0;
	int err = scan_bounded(s, text, UINT16_MAX, &n);

	if (!err)
		*(uint16_t *)field(s) = (uint16_t)n;
	return err;
}

static int scan_u32(struct scan *s, const char *text)
{
	char digits[16];
	size_t len = strlen(text);

	if (s->row->attr == SRV6_ATTR_FEATURES && !strcmp(text, "ecn"))
		text = "1";
	if (s->row->attr == SRV6_ATTR_EXPIRES && len > 3 && len < sizeof(digits) && !strcmp(text + len - 3, "sec")) {
		memcpy(digits, text, len - 3); /* as ip shows it */
		digits[len - 3] = '\0';
		text = digits;
	}
	return scan_bounded(s, text, UINT32_MAX, field(s));
}

static int scan_hex8(struct scan *s, const char *text)
{
	char hex[8] = "0x";
	uint64_t n;

	if (strncmp(text, "0x", 2) && strlen(text) <= 2)
		text = strcat(hex, text);
	if (value_number(text, UINT8_MAX, &n))
		return wrong(s, "a number from 0x00 to 0xff is expected, not '%.60s'", text);
	*(uint8_t *)field(s) = (uint8_t)n;
	return 0;
}

static int scan_msec(struct scan *s, const char *text)
{
	size_t digits = strspn(text, "0123456789");
	const char *unit = text + digits;
	char number[16];
	uint32_t n = 0;
	int err;

	if (!digits || digits >= sizeof(number) || (*unit && strcmp(unit, "ms") && strcmp(unit, "s")))
		return wrong(s, "a time as 20, 20ms or 2s is expected, not '%.60s'", text);
	memcpy(number, text, digits);
	number[digits] = '\0';
	err = scan_bounded(s, number, *unit == 's' ? UINT32_MAX / 1000 : UINT32_MAX, &n);
	if (!err)
		*(uint32_t *)field(s) = *unit == 's' ? n * 1000 : n;
	return err;
}

static int scan_realms(struct scan *s, const char *text)
{
	const char *slash = strchr(text, '/');
	char from[12] = "0";
	uint64_t a, b;

	if (slash && (size_t)(slash - text) < sizeof(from)) {
		memcpy(from, text, (size_t)(slash - text));
		from[slash - text] = '\0';
	}
	if (value_number(from, UINT16_MAX, &a) || value_number(slash ? slash + 1 : text, UINT16_MAX, &b))
		return wrong(s, "[FROM/]TO as numbers up to 65535 is expected, not '%.60s'", text);
	*(uint32_t *)field(s) = (uint32_t)(a << 16 | b);
	return 0;
}

static void text_u8(struct ctx *c, FILE *f, const struct srv6_attr_info *row, const void *obj)
{
	(void)c;
	fprintf(f, "%u", u8(row, obj));
}

static void text_u16(struct ctx *c, FILE *f, const struct srv6_attr_info *row, const void *obj)
{
	(void)c;
	fprintf(f, "%u", *(const uint16_t *)at(row, obj));
}

static void text_u32(struct ctx *c, FILE *f, const struct srv6_attr_info *row, const void *obj)
{
	(void)c;
	fprintf(f, "%u", u32(row, obj));
}

static void text_hex8(struct ctx *c, FILE *f, const struct srv6_attr_info *row, const void *obj)
{
	(void)c;
	fprintf(f, "0x%02x", u8(row, obj));
}

static void text_msec(struct ctx *c, FILE *f, const struct srv6_attr_info *row, const void *obj)
{
	(void)c;
	fprintf(f, "%ums", u32(row, obj));
}

static void text_realms(struct ctx *c, FILE *f, const struct srv6_attr_info *row, const void *obj)
{
	(void)c;
	if (u32(row, obj) >> 16)
		fprintf(f, "%u/", u32(row, obj) >> 16);
	fprintf(f, "%u", u32(row, obj) & 0xffff);
}

static void jw_u8(struct ctx *c, struct jw *j, const struct srv6_attr_info *row, const void *obj)
{
	(void)c;
	jw_number(j, u8(row, obj));
}

static void jw_u16(struct ctx *c, struct jw *j, const struct srv6_attr_info *row, const void *obj)
{
	(void)c;
	jw_number(j, *(const uint16_t *)at(row, obj));
}

static void jw_u32(struct ctx *c, struct jw *j, const struct srv6_attr_info *row, const void *obj)
{
	(void)c;
	jw_number(j, u32(row, obj));
}

/* ---- addresses */

static int scan_in4(struct scan *s, const char *text)
{
	struct srv6_prefix p;

	if (value_addr(text, strlen(text), AF_INET, &p))
		return wrong(s, "an IPv4 address is expected, not '%.60s'", text);
	*(struct in_addr *)field(s) = p.addr.in4;
	return 0;
}

static int scan_in6(struct scan *s, const char *text)
{
	struct srv6_prefix p;

	if (value_addr(text, strlen(text), AF_INET6, &p))
		return wrong(s, "an IPv6 address is expected, not '%.60s'", text);
	*(struct in6_addr *)field(s) = p.addr.in6;
	return 0;
}

static int scan_addr(struct scan *s, const char *text)
{
	if (value_addr(text, strlen(text), AF_UNSPEC, field(s)))
		return wrong(s, "an address is expected, not '%.60s'", text);
	return 0;
}

/* Those bits of byte i that a prefix of len bits covers. */
static uint8_t covered(unsigned int len, unsigned int i)
{
	if (len >= 8 * (i + 1))
		return 0xff;
	if (len <= 8 * i)
		return 0;
	return (uint8_t)(0xff00u >> (len - 8 * i));
}

/* Clears the bits behind the length; returns whether there were any. */
static bool mask(struct srv6_prefix *p)
{
	uint8_t *bytes = (uint8_t *)&p->addr;
	unsigned int size = p->family == AF_INET ? 4 : 16;
	bool ret = false;

	for (unsigned int i = 0; i < size; i++) {
		ret = ret || bytes[i] & ~covered(p->len, i);
		bytes[i] = (uint8_t)(bytes[i] & covered(p->len, i));
	}
	return ret;
}

static int scan_prefix(struct scan *s, const char *text)
{
	struct srv6_prefix p;
	char better[ADDR_TEXT];

	if (value_prefix(text, strlen(text), AF_UNSPEC, &p))
		return wrong(s, "a prefix is expected, not '%.60s'", text);
	if (mask(&p)) {
		format_prefix(better, &p);
		snprintf(s->remedy, sizeof(s->remedy),
			 "write %s for the prefix, or leave the length out for the address alone", better);
		return wrong(s, "%.60s has bits set behind its prefix length", text);
	}
	*(struct srv6_prefix *)field(s) = p;
	return 0;
}

static void text_in4(struct ctx *c, FILE *f, const struct srv6_attr_info *row, const void *obj)
{
	(void)c;
	print_addr(f, AF_INET, at(row, obj));
}

static void text_in6(struct ctx *c, FILE *f, const struct srv6_attr_info *row, const void *obj)
{
	(void)c;
	print_addr(f, AF_INET6, at(row, obj));
}

static void text_prefix(struct ctx *c, FILE *f, const struct srv6_attr_info *row, const void *obj)
{
	(void)c;
	print_prefix(f, at(row, obj));
}

static void jw_in4(struct ctx *c, struct jw *j, const struct srv6_attr_info *row, const void *obj)
{
	char text[ADDR_TEXT];

	(void)c;
	format_addr(text, AF_INET, at(row, obj));
	jw_string(j, text);
}

static void jw_in6(struct ctx *c, struct jw *j, const struct srv6_attr_info *row, const void *obj)
{
	char text[ADDR_TEXT];

	(void)c;
	format_addr(text, AF_INET6, at(row, obj));
	jw_string(j, text);
}

static void jw_prefix(struct ctx *c, struct jw *j, const struct srv6_attr_info *row, const void *obj)
{
	char text[ADDR_TEXT];

	(void)c;
	format_prefix(text, at(row, obj));
	jw_string(j, text);
}

/* ---- the segment list: the only field with a count beside it in an encapsulation */

static int scan_segs(struct scan *s, const char *text)
{
	struct srv6_encap *e = s->obj;
	struct in6_addr *segs;
	struct srv6_prefix p;
	uint32_t n = 1;
	size_t len;

	for (const char *t = text; *t; t++)
		n += *t == ',';
	segs = take(s->a, n * sizeof(*segs));
	n = 0;
	for (const char *t = text;; t += len + 1) {
		len = strcspn(t, ",");
		if (value_addr(t, len, AF_INET6, &p)) {
			s->off = (size_t)(t - text);
			s->len = len ? len : 1;
			if (s->off && s->off == strlen(text))
				s->off--; /* the comma at the end */
			if (!len)
				return wrong(s, "segment %u is empty: an IPv6 address is expected", n + 1);
			return wrong(s, "an IPv6 address is expected, not '%.*s'", (int)(len < 60 ? len : 60), t);
		}
		segs[n++] = p.addr.in6;
		if (!t[len])
			break;
	}
	e->segs = segs;
	e->n_segs = n;
	return 0;
}

static void text_segs(struct ctx *c, FILE *f, const struct srv6_attr_info *row, const void *obj)
{
	const struct srv6_encap *e = obj;

	(void)c;
	(void)row;
	for (uint32_t i = 0; i < e->n_segs; i++) {
		if (i)
			putc_unlocked(',', f);
		print_addr(f, AF_INET6, &e->segs[i]);
	}
}

static void jw_segs(struct ctx *c, struct jw *j, const struct srv6_attr_info *row, const void *obj)
{
	const struct srv6_encap *e = obj;
	char text[ADDR_TEXT];

	(void)c;
	(void)row;
	jw_open(j, '[');
	for (uint32_t i = 0; i < e->n_segs; i++) {
		format_addr(text, AF_INET6, &e->segs[i]);
		jw_string(j, text);
	}
	jw_close(j, ']');
}

/* ---- things with names */

static int scan_ifindex(struct scan *s, const char *text)
{
	if (!link_index(s->c, text, field(s)))
		return 0;
	wrong(s, "there is no device '%.60s'", text);
	return -ENODEV;
}

static int scan_table(struct scan *s, const char *text)
{
	uint32_t table;

	if (table_number(text, &table))
		return wrong(s, "a routing table's number or name is expected, not '%.60s'", text);
	/* End.T and End.DT6 take it, for a lookup by the rules: what others install must read itself */
	if (!table && s->row->attr != SRV6_ATTR_TABLE)
		return wrong(s, "table 0 is none");
	*(uint32_t *)field(s) = table;
	return 0;
}

static int scan_protocol(struct scan *s, const char *text)
{
	if (protocol_number(text, field(s)))
		return wrong(s, "a protocol's name or number up to 255 is expected, not '%.60s'", text);
	return 0;
}

static int scan_scope(struct scan *s, const char *text)
{
	if (scope_number(text, field(s)))
		return wrong(s, "global, site, link, host, nowhere or a number is expected, not '%.60s'", text);
	return 0;
}

static int scan_rtype(struct scan *s, const char *text)
{
	if (rtype_number(text, field(s)))
		return wrong(s, "unicast, local, blackhole, unreachable, prohibit, throw, ... is expected, not '%.60s'",
			     text);
	return 0;
}

/* A choice of words; numbers are taken too. */
struct choice {
	uint8_t number;
	const char *word;
};

static const struct choice prefs[] = { { ICMPV6_ROUTER_PREF_LOW, "low" },
				       { ICMPV6_ROUTER_PREF_MEDIUM, "medium" },
				       { ICMPV6_ROUTER_PREF_HIGH, "high" },
				       { 0, NULL } };
static const struct choice pdu_types[] = { { 0, "dl" }, { 1, "ul" }, { 0, NULL } };

static const struct choice *choices(uint32_t shape)
{
	return shape == SRV6_SHAPE_PREF ? prefs : pdu_types;
}

static int scan_choice(struct scan *s, const char *text)
{
	for (const struct choice *p = choices(s->row->shape); p->word; p++)
		if (!strcmp(p->word, text)) {
			*(uint8_t *)field(s) = p->number;
			return 0;
		}
	if (scan_u8(s, text))
		return wrong(s, "%s is expected, not '%.60s'", s->row->arg, text);
	return 0;
}

static const char *choice_word(const struct srv6_attr_info *row, const void *obj)
{
	for (const struct choice *p = choices(row->shape); p->word; p++)
		if (p->number == u8(row, obj))
			return p->word;
	return NULL;
}

static const char *named_word(const struct srv6_attr_info *row, const void *obj)
{
	switch (row->shape) {
	case SRV6_SHAPE_PROTOCOL:
		return protocol_name(u8(row, obj), false);
	case SRV6_SHAPE_SCOPE:
		return scope_name(u8(row, obj));
	case SRV6_SHAPE_RTYPE:
		return rtype_name(u8(row, obj));
	default:
		return choice_word(row, obj);
	}
}

static void text_named(struct ctx *c, FILE *f, const struct srv6_attr_info *row, const void *obj)
{
	const char *word = named_word(row, obj);

	(void)c;
	if (word)
		fputs_unlocked(word, f);
	else
		fprintf(f, "%u", u8(row, obj));
}

static void jw_named(struct ctx *c, struct jw *j, const struct srv6_attr_info *row, const void *obj)
{
	const char *word = named_word(row, obj);

	(void)c;
	if (word)
		jw_string(j, word);
	else
		jw_number(j, u8(row, obj));
}

static void text_table(struct ctx *c, FILE *f, const struct srv6_attr_info *row, const void *obj)
{
	const char *name = table_name(u32(row, obj), false);

	(void)c;
	if (name)
		fputs_unlocked(name, f);
	else
		fprintf(f, "%u", u32(row, obj));
}

static void text_ifindex(struct ctx *c, FILE *f, const struct srv6_attr_info *row, const void *obj)
{
	print_name(f, link_name(c, u32(row, obj)));
}

static void jw_ifindex(struct ctx *c, struct jw *j, const struct srv6_attr_info *row, const void *obj)
{
	jw_string(j, link_name(c, u32(row, obj)));
}

/* ---- lists of words held as bits */

static const char *flavor_at(uint32_t bit)
{
	return srv6_flavor_name(1u << bit);
}

static const char *metric_at(uint32_t n)
{
	const struct srv6_attr_info *row = n && n < SRV6_N_METRICS ? srv6_attr_info(SRV6_ATTR_METRIC_BASE + n) : NULL;

	return row && row->attr != SRV6_ATTR_LOCK ? row->word : NULL;
}

static const char *bit_word(uint32_t shape, uint32_t bit)
{
	return shape == SRV6_SHAPE_FLAVORS ? flavor_at(bit) : metric_at(bit);
}

static int find_bit(uint32_t shape, const char *word, size_t len, uint32_t *ret)
{
	const char *name;
	char number[12];
	uint64_t n;

	for (uint32_t bit = 0; bit < 32; bit++) {
		name = bit_word(shape, bit);
		if (name && strlen(name) == len && !strncasecmp(name, word, len)) {
			*ret = 1u << bit;
			return 0;
		}
	}
	/* bits without a name are shown, and so read, as 0x80 */
	if (len < 3 || len >= sizeof(number) || strncmp(word, "0x", 2))
		return -EINVAL;
	memcpy(number, word, len);
	number[len] = '\0';
	if (value_number(number, UINT32_MAX, &n) || !n)
		return -EINVAL;
	*ret = (uint32_t)n;
	return 0;
}

static int scan_bits(struct scan *s, const char *text)
{
	bool none = s->row->shape == SRV6_SHAPE_FLAVORS && !strcmp(text, "0x0"); /* the kernel keeps that too */
	uint32_t bits = 0, bit;
	size_t len;

	for (const char *t = text; !none; t += len + 1) {
		len = strcspn(t, ",");
		s->off = (size_t)(t - text);
		s->len = len ? len : 1;
		if (find_bit(s->row->shape, t, len, &bit))
			return wrong(s, "'%.*s' is none of them; %s is expected", (int)(len < 60 ? len : 60), t,
				     s->row->shape == SRV6_SHAPE_FLAVORS ? s->row->help
									 : "a list of metrics as mtu,advmss");
		if (bits & bit)
			return wrong(s, "'%.*s' is there twice", (int)len, t);
		bits |= bit;
		if (!t[len])
			break;
	}
	s->len = 0;
	*(uint32_t *)field(s) = bits;
	return 0;
}

static void text_bits(struct ctx *c, FILE *f, const struct srv6_attr_info *row, const void *obj)
{
	uint32_t bits = u32(row, obj);
	const char *between = "", *word;

	(void)c;
	for (uint32_t bit = 0; bit < 32; bit++) {
		word = bit_word(row->shape, bit);
		if (!(bits & 1u << bit) || !word)
			continue;
		fprintf(f, "%s%s", between, word);
		bits &= ~(1u << bit);
		between = ",";
	}
	if (bits || !*between)
		fprintf(f, "%s0x%x", between, bits);
}

static void jw_bits(struct ctx *c, struct jw *j, const struct srv6_attr_info *row, const void *obj)
{
	uint32_t bits = u32(row, obj);
	const char *word;
	char rest[16];

	(void)c;
	jw_open(j, '[');
	for (uint32_t bit = 0; bit < 32; bit++) {
		word = bit_word(row->shape, bit);
		if (!(bits & 1u << bit) || !word)
			continue;
		jw_string(j, word);
		bits &= ~(1u << bit);
	}
	if (bits) {
		snprintf(rest, sizeof(rest), "0x%x", bits);
		jw_string(j, rest);
	}
	jw_close(j, ']');
}

/* ---- bytes, strings, counters, groups, programs */

static int scan_bytes(struct scan *s, const char *text)
{
	if (value_hex(s->a, text, field(s)))
		return wrong(s, "bytes in hexadecimal, two digits each, are expected, not '%.60s'", text);
	return 0;
}

static void text_bytes(struct ctx *c, FILE *f, const struct srv6_attr_info *row, const void *obj)
{
	const struct srv6_bytes *b = at(row, obj);

	(void)c;
	print_hex(f, b->data, b->len);
}

static void jw_bytes(struct ctx *c, struct jw *j, const struct srv6_attr_info *row, const void *obj)
{
	const struct srv6_bytes *b = at(row, obj);

	(void)c;
	jw_hex(j, b->data, b->len);
}

static int scan_string(struct scan *s, const char *text)
{
	if (!*text)
		return wrong(s, "a name is expected");
	for (size_t i = 0; text[i]; i += utf8((const unsigned char *)text + i))
		if (!utf8((const unsigned char *)text + i)) /* JSON could not say it */
			return wrong(s, "this is no text: its bytes are not UTF-8");
	*(const char **)field(s) = take_text(s->a, text, strlen(text));
	return 0;
}

static void text_string(struct ctx *c, FILE *f, const struct srv6_attr_info *row, const void *obj)
{
	const char *const *s = at(row, obj);

	(void)c;
	print_name(f, *s ? *s : "");
}

static void jw_str(struct ctx *c, struct jw *j, const struct srv6_attr_info *row, const void *obj)
{
	const char *const *s = at(row, obj);

	(void)c;
	jw_string(j, *s ? *s : "");
}

/* ID[,WEIGHT]/ID[,WEIGHT] as iproute2 has it */
static int scan_group(struct scan *s, const char *text)
{
	struct srv6_nexthop *n = s->obj;
	struct srv6_group *group;
	uint32_t count = 1;
	char part[32], *comma;
	uint64_t id, weight;
	size_t len;

	for (const char *t = text; *t; t++)
		count += *t == '/';
	group = take(s->a, count * sizeof(*group));
	count = 0;
	for (const char *t = text;; t += len + 1) {
		len = strcspn(t, "/");
		snprintf(part, sizeof(part), "%.*s", (int)(len < 31 ? len : 31), t);
		comma = strchr(part, ',');
		if (comma)
			*comma++ = '\0';
		s->off = (size_t)(t - text);
		s->len = len ? len : 1;
		if (len > 31 || value_number(part, UINT32_MAX, &id) || !id ||
		    value_number(comma ? comma : "1", UINT16_MAX, &weight) || !weight)
			return wrong(s, "%s is expected, not '%.60s'", s->row->arg, text);
		group[count].id = (uint32_t)id;
		group[count++].weight = (uint16_t)weight;
		if (!t[len])
			break;
	}
	s->len = 0;
	n->group = group;
	n->n_group = count;
	return 0;
}

static void text_group(struct ctx *c, FILE *f, const struct srv6_attr_info *row, const void *obj)
{
	const struct srv6_nexthop *n = obj;

	(void)c;
	(void)row;
	for (uint32_t i = 0; i < n->n_group; i++) {
		fprintf(f, "%s%u", i ? "/" : "", n->group[i].id);
		if (n->group[i].weight != 1)
			fprintf(f, ",%u", n->group[i].weight);
	}
}

static void jw_group(struct ctx *c, struct jw *j, const struct srv6_attr_info *row, const void *obj)
{
	const struct srv6_nexthop *n = obj;

	(void)c;
	(void)row;
	jw_open(j, '[');
	for (uint32_t i = 0; i < n->n_group; i++) {
		jw_open(j, '{');
		jw_key(j, "id");
		jw_number(j, n->group[i].id);
		jw_key(j, "weight");
		jw_number(j, n->group[i].weight);
		jw_close(j, '}');
	}
	jw_close(j, ']');
}

static int scan_bpf(struct scan *s, const char *text)
{
	(void)text;
	return wrong(s, "%s is expected", s->row->arg);
}

static void text_bpf(struct ctx *c, FILE *f, const struct srv6_attr_info *row, const void *obj)
{
	(void)c;
	bpf_text(f, at(row, obj));
}

static void jw_bpf(struct ctx *c, struct jw *j, const struct srv6_attr_info *row, const void *obj)
{
	(void)c;
	bpf_jw(j, at(row, obj));
}

static int scan_flag(struct scan *s, const char *text)
{
	(void)text;
	return wrong(s, "it takes no value");
}

static void text_flag(struct ctx *c, FILE *f, const struct srv6_attr_info *row, const void *obj)
{
	(void)c;
	(void)f;
	(void)row;
	(void)obj;
}

static void jw_flag(struct ctx *c, struct jw *j, const struct srv6_attr_info *row, const void *obj)
{
	(void)c;
	(void)row;
	(void)obj;
	jw_true(j);
}

/* ---- the table */

enum json_is { IS_NUMBER, IS_STRING, IS_EITHER, IS_TRUE, IS_LIST, IS_GROUP, IS_BPF };

/* clang-format off */
static const struct shape {
	int (*scan)(struct scan *s, const char *text);
	void (*text)(struct ctx *c, FILE *f, const struct srv6_attr_info *row, const void *obj);
	void (*jw)(struct ctx *c, struct jw *j, const struct srv6_attr_info *row, const void *obj);
	enum json_is json;
} shapes[] = {
	[SRV6_SHAPE_FLAG]     = { scan_flag,     text_flag,    jw_flag,    IS_TRUE },
	[SRV6_SHAPE_U8]       = { scan_u8,       text_u8,      jw_u8,      IS_NUMBER },
	[SRV6_SHAPE_U16]      = { scan_u16,      text_u16,     jw_u16,     IS_NUMBER },
	[SRV6_SHAPE_U32]      = { scan_u32,      text_u32,     jw_u32,     IS_NUMBER },
	[SRV6_SHAPE_HEX8]     = { scan_hex8,     text_hex8,    jw_u8,      IS_NUMBER },
	[SRV6_SHAPE_IN4]      = { scan_in4,      text_in4,     jw_in4,     IS_STRING },
	[SRV6_SHAPE_IN6]      = { scan_in6,      text_in6,     jw_in6,     IS_STRING },
	[SRV6_SHAPE_ADDR]     = { scan_addr,     text_prefix,  jw_prefix,  IS_STRING },
	[SRV6_SHAPE_PREFIX]   = { scan_prefix,   text_prefix,  jw_prefix,  IS_STRING },
	[SRV6_SHAPE_IFINDEX]  = { scan_ifindex,  text_ifindex, jw_ifindex, IS_STRING },
	[SRV6_SHAPE_TABLE]    = { scan_table,    text_table,   jw_u32,     IS_EITHER },
	[SRV6_SHAPE_PROTOCOL] = { scan_protocol, text_named,   jw_named,   IS_EITHER },
	[SRV6_SHAPE_SCOPE]    = { scan_scope,    text_named,   jw_named,   IS_EITHER },
	[SRV6_SHAPE_RTYPE]    = { scan_rtype,    text_named,   jw_named,   IS_EITHER },
	[SRV6_SHAPE_PREF]     = { scan_choice,   text_named,   jw_named,   IS_EITHER },
	[SRV6_SHAPE_SEGS]     = { scan_segs,     text_segs,    jw_segs,    IS_LIST },
	[SRV6_SHAPE_BYTES]    = { scan_bytes,    text_bytes,   jw_bytes,   IS_STRING },
	[SRV6_SHAPE_BPF]      = { scan_bpf,      text_bpf,     jw_bpf,     IS_BPF },
	[SRV6_SHAPE_COUNTERS] = { scan_flag,     text_flag,    jw_flag,    IS_TRUE },
	[SRV6_SHAPE_FLAVORS]  = { scan_bits,     text_bits,    jw_bits,    IS_LIST },
	[SRV6_SHAPE_PDU_TYPE] = { scan_choice,   text_named,   jw_named,   IS_EITHER },
	[SRV6_SHAPE_MSEC]     = { scan_msec,     text_msec,    jw_u32,     IS_NUMBER },
	[SRV6_SHAPE_STRING]   = { scan_string,   text_string,  jw_str,     IS_STRING },
	[SRV6_SHAPE_GROUP]    = { scan_group,    text_group,   jw_group,   IS_GROUP },
	[SRV6_SHAPE_WEIGHT]   = { scan_u16,      text_u16,     jw_u16,     IS_NUMBER },
	[SRV6_SHAPE_REALMS]   = { scan_realms,   text_realms,  jw_u32,     IS_NUMBER },
	[SRV6_SHAPE_LOCK]     = { scan_bits,     text_bits,    jw_bits,    IS_LIST },
};
/* clang-format on */

bool shape_is_flag(uint32_t shape)
{
	return shape == SRV6_SHAPE_FLAG || shape == SRV6_SHAPE_COUNTERS;
}

int shape_scan(struct scan *s, const char *text)
{
	s->off = s->len = 0;
	s->text[0] = s->remedy[0] = '\0';
	return shapes[s->row->shape].scan(s, text);
}

void shape_text(struct ctx *c, FILE *f, const struct srv6_attr_info *row, const void *obj)
{
	shapes[row->shape].text(c, f, row, obj);
}

void shape_jw(struct ctx *c, struct jw *j, const struct srv6_attr_info *row, const void *obj)
{
	shapes[row->shape].jw(c, j, row, obj);
}

/* ---- from JSON: to the text that the scanners read */

static int read_list(struct scan *s, struct json_object *o)
{
	struct json_object *item;
	char *text = NULL;
	int err;

	if (s->row->shape == SRV6_SHAPE_FLAVORS && json_object_is_type(o, json_type_array) &&
	    !json_object_array_length(o))
		return shape_scan(s, "0x0");
	if (!json_object_is_type(o, json_type_array) || !json_object_array_length(o))
		return wrong(s, "a list with one string or more is expected");
	for (size_t i = 0; i < json_object_array_length(o); i++) {
		item = json_object_array_get_idx(o, i);
		s->off = i;
		s->len = 1;
		if (!json_object_is_type(item, json_type_string) || strchr(json_object_get_string(item), ','))
			return wrong(s, "a string is expected");
		text = i ? take_printf(s->a, "%s,%s", text, json_object_get_string(item))
			 : take_text(s->a, json_object_get_string(item), strlen(json_object_get_string(item)));
	}
	err = shape_scan(s, text);
	if (err && s->len) { /* the part at fault is the element with as many commas before it */
		for (size_t i = 0, off = s->off, n = 0; i <= off; i++) {
			if (i == off)
				s->off = n;
			n += text[i] == ',';
		}
	}
	return err;
}

static int read_group(struct scan *s, struct json_object *o)
{
	struct json_object *item, *id, *weight;
	char *text = NULL;
	int64_t w;

	if (!json_object_is_type(o, json_type_array) || !json_object_array_length(o))
		return wrong(s, "a list of objects with id and weight is expected");
	for (size_t i = 0; i < json_object_array_length(o); i++) {
		item = json_object_array_get_idx(o, i);
		s->off = i;
		s->len = 1;
		if (!json_object_object_get_ex(item, "id", &id) || !json_object_is_type(id, json_type_int))
			return wrong(s, "an object with a number as id is expected");
		w = json_object_object_get_ex(item, "weight", &weight) ? json_object_get_int64(weight) : 1;
		text = take_printf(s->a, "%s%s%lld,%lld", text ? text : "", text ? "/" : "",
				   (long long)json_object_get_int64(id), (long long)w);
	}
	return shape_scan(s, text);
}

int shape_read(struct scan *s, struct json_object *o)
{
	enum json_is is = shapes[s->row->shape].json;
	bool string = json_object_is_type(o, json_type_string), number = json_object_is_type(o, json_type_int);

	s->off = s->len = 0;
	s->text[0] = s->remedy[0] = '\0';
	switch (is) {
	case IS_TRUE:
		return json_object_is_type(o, json_type_boolean) && json_object_get_boolean(o)
			       ? 0
			       : wrong(s, "true is expected");
	case IS_LIST:
		return read_list(s, o);
	case IS_GROUP:
		return read_group(s, o);
	case IS_BPF:
		return bpf_read(s, o, field(s));
	default:
		break;
	}
	if (is == IS_NUMBER ? !number : is == IS_STRING ? !string : !string && !number)
		return wrong(s, "a %s is expected",
			     is == IS_NUMBER   ? "number"
			     : is == IS_STRING ? "string"
					       : "string or number");
	if (s->row->shape == SRV6_SHAPE_REALMS) {
		*(uint32_t *)field(s) = (uint32_t)json_object_get_int64(o);
		return 0;
	}
	if (s->row->shape == SRV6_SHAPE_HEX8)
		return scan_u8(s, json_object_get_string(o));
	return shape_scan(s, json_object_get_string(o));
}

/* ---- the few words that iproute2 writes one way in text and another in JSON */

const char *text_word(const struct srv6_attr_info *row)
{
	return row->attr == SRV6_ATTR_PREFSRC ? "src" : row->word;
}

const char *json_key(const struct srv6_attr_info *row)
{
	return row->shape == SRV6_SHAPE_PROTOCOL ? "protocol" : row->word;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages: putting them together, taking them apart. */
#include <errno.h>

#include "codec.h"

void msg_start(struct msg *m, void *buf, size_t cap, uint16_t type, uint16_t flags, const struct srv6_build_opts *opts)
{
	struct nlmsghdr *nlh;

	*m = (struct msg){ .buf = buf, .cap = cap };
	nlh = msg_room(m, sizeof(*nlh));
	if (!nlh)
		return;
	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = (uint16_t)(flags | opts->flags);
	nlh->nlmsg_seq = opts->seq;
	nlh->nlmsg_pid = opts->pid;
}

/* n bytes, of which only the padding is zeroed. */
static inline void *room(struct msg *m, size_t n)
{
	size_t space = attr_align(n);
	uint8_t *p;

	if (m->error)
		return NULL;
	if (m->cap < m->len || space > m->cap - m->len) {
		m->error = -EMSGSIZE;
		return NULL;
	}
	p = m->buf + m->len;
	m->len += space;
	if (space != n)
		memset(p + n, 0, space - n);
	return p;
}

void *msg_room(struct msg *m, size_t n)
{
	void *p = room(m, n);

	return p ? memset(p, 0, n) : NULL;
}

static inline void *attr(struct msg *m, uint16_t type, size_t len)
{
	struct nlattr *nla;

	if (len > UINT16_MAX - ATTR_HDR) {
		if (!m->error)
			m->error = -EOVERFLOW;
		return NULL;
	}
	nla = room(m, ATTR_HDR + len);
	if (!nla)
		return NULL;
	nla->nla_len = (uint16_t)(ATTR_HDR + len);
	nla->nla_type = type;
	return (uint8_t *)nla + ATTR_HDR;
}

void *msg_attr(struct msg *m, uint16_t type, size_t len)
{
	void *p = attr(m, type, len);

	return p ? memset(p, 0, len) : NULL;
}

void msg_put(struct msg *m, uint16_t type, const void *data, size_t len)
{
	void *p = attr(m, type, len);

	if (p && len)
		memcpy(p, data, len);
}

void msg_u8(struct msg *m, uint16_t type, uint8_t value)
{
	uint8_t *p = attr(m, type, sizeof(value));

	if (p)
		*p = value;
}

void msg_u16(struct msg *m, uint16_t type, uint16_t value)
{
	void *p = attr(m, type, sizeof(value));

	if (p)
		memcpy(p, &value, sizeof(value));
}

void msg_u32(struct msg *m, uint16_t type, uint32_t value)
{
	void *p = attr(m, type, sizeof(value));

	if (p)
		memcpy(p, &value, sizeof(value));
}

void msg_raw(struct msg *m, const struct srv6_bytes *run)
{
	void *p = run->len ? msg_room(m, run->len) : NULL;

	if (p)
		memcpy(p, run->data, run->len);
}

size_t msg_nest(struct msg *m, uint16_t type)
{
	size_t at = m->len;

	attr(m, type | NLA_F_NESTED, 0);
	return at;
}

void msg_nest_end(struct msg *m, size_t at)
{
	uint16_t len;

	if (m->error)
		return;
	if (m->len - at > UINT16_MAX) {
		m->error = -EOVERFLOW;
		return;
	}
	len = (uint16_t)(m->len - at);
	memcpy(m->buf + at, &len, sizeof(len)); /* nla_len comes first */
}

int msg_end(struct msg *m, struct srv6_error *err)
{
	struct nlmsghdr *nlh = (struct nlmsghdr *)m->buf;

	if (m->error == -EOVERFLOW)
		return err_set(err, -EINVAL, SRV6_ATTR_NONE,
			       "this does not fit into one message: an attribute holds 65531 bytes at most");
	if (m->error == -EBADF)
		return err_set(
			err, -EINVAL, SRV6_ATTR_BPF,
			"%s names its program by id: a message takes a descriptor, which srv6_apply gets by the id",
			attr_word(SRV6_ATTR_BPF));
	if (m->error)
		return err_set(err, m->error, SRV6_ATTR_NONE, "the buffer of %zu bytes is too small for the message",
			       m->cap);
	nlh->nlmsg_len = (uint32_t)m->len;
	return 0;
}

static bool is_known(const struct attr *a, uint16_t n, uint64_t known)
{
	return a->type < n && (known >> a->type & 1);
}

int attrs_sort(struct attrs a, struct attr *tb, uint16_t n, uint64_t known, const uint8_t *least, size_t *unknown)
{
	struct attr one;

	memset(tb, 0, n * sizeof(*tb));
	*unknown = 0;
	while (attr_next(&a, &one)) {
		if (!is_known(&one, n, known)) {
			*unknown += attr_space(&one);
			continue;
		}
		if (tb[one.type].data || one.len < least[one.type])
			return -EBADMSG;
		tb[one.type] = one;
	}
	return a.len ? -EBADMSG : 0;
}

int attrs_keep(struct attrs a, uint16_t n, uint64_t known, size_t unknown, struct arena *mem, struct srv6_bytes *ret)
{
	struct attr one;
	uint8_t *p = arena_get(mem, unknown, NLA_ALIGNTO);

	if (!p)
		return -ENOBUFS;
	*ret = (struct srv6_bytes){ p, unknown };
	while (attr_next(&a, &one))
		if (!is_known(&one, n, known))
			p = attr_copy(p, &one);
	return 0;
}

void *arena_get(struct arena *mem, size_t n, size_t align)
{
	size_t at = (mem->used + align - 1) & ~(align - 1);

	if (at > mem->cap || n > mem->cap - at)
		return NULL;
	mem->used = at + n;
	return mem->p + at;
}

uint8_t *attr_copy(uint8_t *to, const struct attr *a)
{
	/* The header as it came, flags and all: it lies before the data. */
	memcpy(to, a->data - ATTR_HDR, ATTR_HDR + (size_t)a->len);
	memset(to + ATTR_HDR + a->len, 0, attr_space(a) - ATTR_HDR - a->len);
	return to + attr_space(a);
}

const char *attr_string(const struct attr *a, struct arena *mem)
{
	char *copy;

	if (memchr(a->data, 0, a->len))
		return (const char *)a->data;
	copy = arena_get(mem, (size_t)a->len + 1, 1);
	if (!copy)
		return NULL;
	memcpy(copy, a->data, a->len);
	copy[a->len] = 0;
	return copy;
}

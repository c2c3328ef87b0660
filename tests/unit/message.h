/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages of netlink by hand, attribute by attribute: not with the library's builder, which is what they test. */
#ifndef TEST_MESSAGE_H
#define TEST_MESSAGE_H

#include <string.h>

#include "handle.h"

struct message {
	uint32_t room[256];
};

static inline struct nlmsghdr *new_msg(struct message *m, uint16_t type, const void *head, size_t len)
{
	struct nlmsghdr *nlh = (void *)m;

	memset(m, 0, sizeof(*m));
	nlh->nlmsg_type = type;
	nlh->nlmsg_len = (uint32_t)MSG_LEN(len);
	memcpy((char *)nlh + MSG_HEAD, head, len);
	return nlh;
}

static inline struct nlattr *put(struct nlmsghdr *nlh, uint16_t type, const void *data, size_t len)
{
	struct nlattr *a = (void *)((char *)nlh + NLMSG_ALIGN(nlh->nlmsg_len));

	a->nla_type = type;
	a->nla_len = (uint16_t)(ATTR_HEAD + len);
	if (len)
		memcpy((char *)a + ATTR_HEAD, data, len);
	nlh->nlmsg_len = (uint32_t)(NLMSG_ALIGN(nlh->nlmsg_len) + ATTR_ALIGN(a->nla_len));
	return a;
}

static inline void put_u32(struct nlmsghdr *nlh, uint16_t type, uint32_t value)
{
	put(nlh, type, &value, sizeof(value));
}

/* All that was put since it was is in it. */
static inline void end_nest(struct nlmsghdr *nlh, struct nlattr *nest)
{
	nest->nla_len = (uint16_t)((char *)nlh + nlh->nlmsg_len - (char *)nest);
}
#endif

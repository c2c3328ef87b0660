/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An interface's state, for what is said about it in an error. */
#include <errno.h>
#include <string.h>
#include <linux/if_link.h>
#include <linux/ipv6.h>

#include "transact.h"

#ifndef RTEXT_FILTER_SKIP_STATS
#define RTEXT_FILTER_SKIP_STATS (1 << 3)
#endif

/* IFLA_AF_SPEC { AF_INET6 { IFLA_INET6_CONF: s32[] } }: not there below MTU 1280. */
static bool link_has_ipv6(const struct nlmsghdr *nlh)
{
	const struct nlattr *a = knl_find(nlh, sizeof(struct ifinfomsg), IFLA_AF_SPEC);
	int32_t v;

	a = a ? knl_find_in(knl_data(a), knl_len(a), AF_INET6) : NULL;
	a = a ? knl_find_in(knl_data(a), knl_len(a), IFLA_INET6_CONF) : NULL;
	if (!a || knl_len(a) < (DEVCONF_DISABLE_IPV6 + 1) * sizeof(v))
		return false;
	memcpy(&v, (const char *)knl_data(a) + DEVCONF_DISABLE_IPV6 * sizeof(v), sizeof(v));
	return v == 0;
}

static int link_cb(const struct nlmsghdr *nlh, void *arg)
{
	const struct ifinfomsg *ifi = (const void *)((const char *)nlh + MSG_HEAD);
	struct link_state *ret = arg;
	const struct nlattr *a;

	if (nlh->nlmsg_type != RTM_NEWLINK || nlh->nlmsg_len < MSG_LEN(sizeof(*ifi)))
		return 0;
	ret->flags = ifi->ifi_flags;
	ret->mtu = knl_u32(knl_find(nlh, sizeof(*ifi), IFLA_MTU), 0);
	a = knl_find(nlh, sizeof(*ifi), IFLA_IFNAME);
	if (a && knl_len(a) && knl_len(a) <= sizeof(ret->name))
		memcpy(ret->name, knl_data(a), strnlen(knl_data(a), knl_len(a) - 1));
	ret->has_ipv6 = link_has_ipv6(nlh);
	return 0;
}

int link_get(struct srv6 *s, uint32_t ifindex, struct link_state *ret)
{
	struct {
		struct nlmsghdr nlh;
		struct ifinfomsg ifi;
		struct nlattr attr;
		uint32_t ext;
	} req = {
		.nlh = { .nlmsg_len = sizeof(req), .nlmsg_type = RTM_GETLINK },
		.ifi = { .ifi_index = (int)ifindex },
		.attr = { .nla_len = ATTR_HEAD + sizeof(uint32_t), .nla_type = IFLA_EXT_MASK },
		.ext = RTEXT_FILTER_SKIP_STATS,
	};
	struct link_state found = { .name = "" };
	struct ack ack;
	int r;

	if (!ifindex)
		return -ENODEV;
	r = knl_talk(s, &s->route, &req.nlh, link_cb, &found, &ack);
	if (r)
		return r;
	if (!found.name[0])
		return -ENODEV;
	*ret = found;
	return 0;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What this kernel can do, found out by trying, in a network namespace made for it that a pair of sockets keeps alive.
 *
 * A nexthop object that does not exist is asked to be replaced by one with the encapsulation in question: the kernel looks at all
 * of the encapsulation first, and only then says ENOENT. So ENOENT means that it accepts the encapsulation, any other
 * answer is the encapsulation's own, and nothing is ever made. What a kernel does not know it ignores, so that accepting proves
 * nothing where an attribute is asked for: then a value is sent that a kernel which knows the attribute must refuse.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/nexthop.h>

#include "family.h"
#include "transact.h"

#define NO_SUCH_FLAVOR 0x80000000u
#define LOOPBACK       1u /* its index in a new namespace */

enum how {
	ACCEPTED,  /* a valid one is accepted */
	REFUSED,   /* a bad value is refused, by one who knows it */
	VRF,       /* accepted, or refused for the state of a VRF */
	BPF,       /* refused for its descriptor */
	NEVER,     /* no kernel implements it */
	INSTALLED, /* really installed in that namespace, and looked at */
	KEYS,      /* HMAC keys can be listed */
	TUNSRC,    /* the tunnel source can be read */
	OBJECTS,   /* nexthop objects can be listed */
	NUMBERING  /* of the mobile behaviors: flavor is enum srv6_mobile */
};

struct probe {
	const char *name, *kind;
	uint8_t how, behavior, attr;
	uint32_t flavor;
	const char *since; /* NULL: its behavior's, or its attribute's */
	const char *words; /* REFUSED: in the kernel's text, where the code alone does not tell */
};

#define BEHAVIOR(id, n, h)                                                                                             \
	{                                                                                                              \
		"behavior " n, "behavior", h, SRV6_##id, SRV6_ATTR_NONE, 0, NULL, NULL                                 \
	}

static const struct probe probes[] = {
	BEHAVIOR(H_INSERT, "H.Insert", ACCEPTED),
	BEHAVIOR(H_ENCAPS, "H.Encaps", ACCEPTED),
	BEHAVIOR(H_ENCAPS_RED, "H.Encaps.Red", ACCEPTED),
	BEHAVIOR(H_ENCAPS_L2, "H.Encaps.L2", ACCEPTED),
	BEHAVIOR(H_ENCAPS_L2_RED, "H.Encaps.L2.Red", ACCEPTED),
	BEHAVIOR(END, "End", ACCEPTED),
	BEHAVIOR(END_X, "End.X", ACCEPTED),
	BEHAVIOR(END_T, "End.T", ACCEPTED),
	BEHAVIOR(END_DX2, "End.DX2", ACCEPTED),
	BEHAVIOR(END_DX6, "End.DX6", ACCEPTED),
	BEHAVIOR(END_DX4, "End.DX4", ACCEPTED),
	BEHAVIOR(END_DT6, "End.DT6", ACCEPTED),
	BEHAVIOR(END_DT4, "End.DT4", VRF),
	BEHAVIOR(END_DT46, "End.DT46", VRF),
	BEHAVIOR(END_B6, "End.B6", ACCEPTED),
	BEHAVIOR(END_B6_ENCAPS, "End.B6.Encaps", ACCEPTED),
	BEHAVIOR(END_BM, "End.BM", NEVER),
	BEHAVIOR(END_S, "End.S", NEVER),
	BEHAVIOR(END_AS, "End.AS", NEVER),
	BEHAVIOR(END_AM, "End.AM", NEVER),
	BEHAVIOR(END_BPF, "End.BPF", BPF),
	BEHAVIOR(END_MAP, "End.MAP", ACCEPTED),
	BEHAVIOR(END_M_GTP6_D, "End.M.GTP6.D", ACCEPTED),
	BEHAVIOR(END_M_GTP6_D_DI, "End.M.GTP6.D.Di", ACCEPTED),
	BEHAVIOR(END_M_GTP6_E, "End.M.GTP6.E", ACCEPTED),
	BEHAVIOR(END_M_GTP4_E, "End.M.GTP4.E", ACCEPTED),
	BEHAVIOR(H_M_GTP4_D, "H.M.GTP4.D", ACCEPTED),
	{ "attr tunsrc", "attr", REFUSED, SRV6_H_ENCAPS, SRV6_ATTR_TUNSRC, 0, NULL, NULL },
	{ "attr lookup", "attr", REFUSED, SRV6_H_ENCAPS, SRV6_ATTR_LOOKUP, 0, NULL, NULL },
	{ "attr count", "attr", REFUSED, SRV6_END, SRV6_ATTR_COUNT, 0, NULL, NULL },
	{ "attr End.DT6 vrftable", "attr", VRF, SRV6_END_DT6, SRV6_ATTR_VRFTABLE, 0, "5.11", NULL },
	{ "attr End flavors", "attr", REFUSED, SRV6_END, SRV6_ATTR_FLAVORS, NO_SUCH_FLAVOR, "6.1", "Flavor" },
	{ "attr End.X flavors", "attr", REFUSED, SRV6_END_X, SRV6_ATTR_FLAVORS, NO_SUCH_FLAVOR, "6.6", "Flavor" },
	{ "attr End.X oif", "attr", INSTALLED, SRV6_END_X, SRV6_ATTR_OIF, 0, "6.17", NULL },
	{ "flavor End psp", "flavor", ACCEPTED, SRV6_END, SRV6_ATTR_FLAVORS, SRV6_FLAVOR_PSP, "6.3", NULL },
	{ "flavor End usp", "flavor", ACCEPTED, SRV6_END, SRV6_ATTR_FLAVORS, SRV6_FLAVOR_USP, "none", NULL },
	{ "flavor End usd", "flavor", ACCEPTED, SRV6_END, SRV6_ATTR_FLAVORS, SRV6_FLAVOR_USD, "none", NULL },
	{ "flavor End next-csid", "flavor", ACCEPTED, SRV6_END, SRV6_ATTR_FLAVORS, SRV6_FLAVOR_NEXT_CSID, "6.1", NULL },
	{ "flavor End.X psp", "flavor", ACCEPTED, SRV6_END_X, SRV6_ATTR_FLAVORS, SRV6_FLAVOR_PSP, "none", NULL },
	{ "flavor End.X next-csid", "flavor", ACCEPTED, SRV6_END_X, SRV6_ATTR_FLAVORS, SRV6_FLAVOR_NEXT_CSID, "6.6",
	  NULL },
	{ "object nexthop", "object", OBJECTS, SRV6_OTHER, SRV6_ATTR_NONE, 0, "5.3", NULL },
	{ "object tunsrc", "object", TUNSRC, SRV6_OTHER, SRV6_ATTR_NONE, 0, "4.10", NULL },
	{ "object hmac", "object", KEYS, SRV6_OTHER, SRV6_ATTR_HMAC, 0, "4.10", NULL },
	{ "mobile seg6mobile", "mobile", NUMBERING, SRV6_OTHER, SRV6_ATTR_NONE, SRV6_MOBILE_SEG6, "none", NULL },
	{ "mobile mobile-v2", "mobile", NUMBERING, SRV6_OTHER, SRV6_ATTR_NONE, SRV6_MOBILE_V2, "none", NULL },
};

struct caps {
	struct srv6 *ns; /* a handle in the namespace */
	int error;       /* why there is none */
	int trouble;     /* what got in the way of a probe, and is no answer to it; 0: nothing */
	bool known[ARRAY_SIZE(probes)];
	struct srv6_cap cap[ARRAY_SIZE(probes)];
};

static struct srv6_cap *caps_row(struct caps *c, size_t i);
static int caps_row_can(struct caps *c, uint32_t behavior, uint32_t attr, uint32_t flavor);

/* ---- the namespace */

static int loopback_up(struct srv6 *ns)
{
	struct {
		struct nlmsghdr nlh;
		struct ifinfomsg ifi;
	} req = {
		.nlh = { .nlmsg_len = sizeof(req), .nlmsg_type = RTM_NEWLINK },
		.ifi = { .ifi_index = LOOPBACK, .ifi_flags = IFF_UP, .ifi_change = IFF_UP },
	};
	struct ack ack;

	return knl_talk(ns, &ns->route, &req.nlh, NULL, NULL, &ack);
}

static int namespace_open(struct srv6 **ret)
{
	struct srv6_opts o = SRV6_INIT(struct srv6_opts);
	int fds[2], r = netns_sockets(NETNS_NEW, 0, fds);

	if (r == -EPERM)
		r = netns_sockets(NETNS_NEW_USER, 0, fds);
	if (r)
		return r;
	o.route_fd = fds[0];
	o.genl_fd = fds[1];
	r = srv6_open(ret, &o);
	if (r) {
		close(fds[0]);
		close(fds[1]);
		return r;
	}
	r = loopback_up(*ret);
	if (r)
		srv6_close(*ret);
	return r;
}

void caps_free(struct caps *c)
{
	if (!c)
		return;
	srv6_close(c->ns);
	free(c);
}

static struct caps *caps_new(void)
{
	struct caps *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->error = namespace_open(&c->ns);
	if (c->error)
		c->ns = NULL;
	return c;
}

/* ---- an encapsulation to try: all that the behavior requires, with values that it accepts */

struct sample {
	struct srv6_encap e;
	struct in6_addr segment;
	uint32_t run; /* an attribute without contents, instead of the one that the fields make */
};

static void sample_values(struct sample *x)
{
	struct srv6_encap *e = &x->e;

	inet_pton(AF_INET6, "fc00::1", &x->segment);
	e->segs = &x->segment;
	e->n_segs = 1;
	e->nh6 = e->mapped_sid = e->src = x->segment;
	inet_pton(AF_INET, "192.0.2.1", &e->nh4);
	e->table = RT_TABLE_MAIN;
	e->vrftable = 1000;
	e->iif = e->oif = LOOPBACK;
	e->bpf = (struct srv6_bpf){ .fd = -1, .name = "probe" };
	e->v4_mask_len = 32;
	e->v6_src_prefix_len = 64;
	e->sr_prefix_len = 48;
}

static bool sample_init(struct sample *x, uint32_t behavior, uint32_t mobile)
{
	const struct srv6_behavior_info *info = srv6_behavior_info(behavior, mobile);

	memset(x, 0, sizeof(*x));
	if (!info)
		return false;
	x->e.sz = sizeof(x->e);
	x->e.behavior = behavior;
	x->e.has = info->required;
	if (info->one_of)
		x->e.has |= info->one_of & SRV6_HAS(TABLE) ? SRV6_HAS(TABLE) : info->one_of & -info->one_of;
	sample_values(x);
	return true;
}

/* The attribute as a header without contents: of counters that is refused by those who know them. */
static void sample_empty(struct sample *x, uint32_t attr, uint32_t mobile)
{
	uint32_t number;
	const struct family *f = family_of(x->e.behavior, mobile, &number);
	struct nlattr a = { .nla_len = ATTR_HEAD };

	for (uint32_t i = 0; f && i < f->n_rows; i++)
		if (f->rows[i].attr == attr)
			a.nla_type = f->rows[i].type | NLA_F_NESTED;
	memcpy(&x->run, &a, sizeof(a));
	x->e.unknown = (struct srv6_bytes){ &x->run, sizeof(x->run) };
	x->e.has |= SRV6_HAS(UNKNOWN);
}

static bool is_trouble(int r, const struct ack *ack)
{
	return r && (!ack->code || ack->code == -ENOMEM || ack->code == -ENOBUFS);
}

/* What the kernel says to it: 0 accepted, or its refusal in ack. */
static int try_sample(struct caps *c, const struct sample *x, uint32_t mobile, struct ack *ack)
{
	const struct srv6_behavior_info *info = srv6_behavior_info(x->e.behavior, mobile);
	struct srv6_build_opts bo = SRV6_INIT(struct srv6_build_opts);
	uint32_t buf[256];
	struct nhmsg *nhm;
	struct msg m;
	int r;

	msg_start(&m, buf, sizeof(buf), RTM_NEWNEXTHOP, NLM_F_REQUEST | NLM_F_REPLACE, &bo);
	nhm = msg_room(&m, sizeof(*nhm));
	if (nhm)
		nhm->nh_family = info && !(info->families & SRV6_FAMILY_IN6) ? AF_INET : AF_INET6;
	msg_u32(&m, NHA_ID, 1);
	msg_u32(&m, NHA_OIF, LOOPBACK);
	encap_put(&m, NHA_ENCAP, NHA_ENCAP_TYPE, &x->e, mobile);
	r = msg_end(&m, NULL);
	if (!r)
		r = knl_talk(c->ns, &c->ns->route, (struct nlmsghdr *)buf, NULL, NULL, ack);
	if (is_trouble(r, ack))
		return c->trouble = r;
	return ack->code == -ENOENT ? 0 : ack->code;
}

/* ---- verdicts */

static uint32_t verdict(struct srv6_cap *cap, uint32_t can, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static uint32_t verdict(struct srv6_cap *cap, uint32_t can, const char *fmt, ...)
{
	va_list ap;

	cap->can = can;
	va_start(ap, fmt);
	vsnprintf(cap->why, sizeof(cap->why), fmt, ap);
	va_end(ap);
	return can;
}

static uint32_t refused(struct srv6_cap *cap, uint32_t can, const char *what, const struct ack *ack)
{
	char number[64];

	return verdict(cap, can, "%s: %s%s%s", what, strerror_r(-ack->code, number, sizeof(number)),
		       *ack->text ? ", " : "", ack->text);
}

static bool is_mobile(uint32_t behavior)
{
	return behavior >= SRV6_END_MAP && behavior <= SRV6_H_M_GTP4_D;
}

static uint32_t probe_accepted(struct caps *c, const struct probe *p, struct srv6_cap *cap)
{
	uint32_t mobile = is_mobile(p->behavior) ? c->ns->mobile : SRV6_MOBILE_AUTO;
	struct ack ack = { .code = 0 };
	struct sample x;

	if (is_mobile(p->behavior) && !mobile)
		return verdict(cap, SRV6_CAN_NO, "this kernel speaks none of the known numberings of mobile behaviors");
	if (!sample_init(&x, p->behavior, mobile))
		return verdict(cap, SRV6_CAN_UNKNOWN, "no row for it");
	if (p->flavor) {
		x.e.has |= SRV6_HAS(FLAVORS);
		/* Where flavors as such are unknown they are ignored, and so accepted. */
		x.e.flavors = NO_SUCH_FLAVOR;
		if (!try_sample(c, &x, mobile, &ack))
			return verdict(cap, SRV6_CAN_NO, "flavors are ignored here");
		x.e.flavors = p->flavor;
	}
	if (!try_sample(c, &x, mobile, &ack))
		return verdict(cap, SRV6_CAN_YES, "%s", "");
	return refused(cap, SRV6_CAN_NO, "a valid one is refused", &ack);
}

static uint32_t probe_refused(struct caps *c, const struct probe *p, struct srv6_cap *cap)
{
	struct ack ack = { .code = 0 };
	struct sample x;

	sample_init(&x, p->behavior, SRV6_MOBILE_AUTO);
	if (try_sample(c, &x, SRV6_MOBILE_AUTO, &ack))
		return refused(cap, SRV6_CAN_NO, "its behavior is refused", &ack);
	x.e.has |= SRV6_BIT(p->attr); /* '::', table 0 */
	x.e.flavors = p->flavor;
	if (p->attr == SRV6_ATTR_COUNT)
		sample_empty(&x, p->attr, SRV6_MOBILE_AUTO);
	if (!try_sample(c, &x, SRV6_MOBILE_AUTO, &ack))
		return verdict(cap, SRV6_CAN_NO, "it is ignored: a bad value was accepted");
	if (p->words && !strstr(ack.text, p->words))
		return refused(cap, SRV6_CAN_UNKNOWN, "a bad value is refused for another reason", &ack);
	return verdict(cap, SRV6_CAN_YES, "%s", "");
}

/*
 * Which table belongs to which VRF, and strict mode, are looked at last, and their refusals have words. Without the VRF driver
 * there is a bare EINVAL, as for an unknown action: then what is known to be younger tells that the action is there.
 */
static uint32_t probe_vrf(struct caps *c, const struct probe *p, struct srv6_cap *cap)
{
	struct ack ack = { .code = 0 };
	struct sample x;
	int r;

	sample_init(&x, p->behavior, SRV6_MOBILE_AUTO);
	x.e.has = (x.e.has & ~SRV6_HAS(TABLE)) | SRV6_HAS(VRFTABLE);
	r = try_sample(c, &x, SRV6_MOBILE_AUTO, &ack);
	if (!r || *ack.text)
		return verdict(cap, SRV6_CAN_YES, "%s", "");
	if (r == -EOPNOTSUPP)
		return verdict(cap, SRV6_CAN_NO, "this kernel was built without VRF (CONFIG_NET_L3_MASTER_DEV)");
	if (caps_row_can(c, SRV6_END, SRV6_ATTR_FLAVORS, 0) == SRV6_CAN_YES)
		return verdict(cap, SRV6_CAN_NO, "no VRF driver is loaded: modprobe vrf (CONFIG_NET_VRF)");
	return refused(cap, SRV6_CAN_UNKNOWN, "unknown to this kernel, or no VRF driver is loaded", &ack);
}

static uint32_t probe_bpf(struct caps *c, const struct probe *p, struct srv6_cap *cap)
{
	struct ack ack = { .code = 0 };
	struct sample x;

	sample_init(&x, p->behavior, SRV6_MOBILE_AUTO);
	if (try_sample(c, &x, SRV6_MOBILE_AUTO, &ack) == -EBADF)
		return verdict(cap, SRV6_CAN_YES, "%s", "");
	return refused(cap, SRV6_CAN_NO, "a program's descriptor is not looked at", &ack);
}

struct look {
	uint64_t has;
	bool seen;
	struct reader reader;
};

static int look_cb(const struct nlmsghdr *nlh, void *arg)
{
	struct look *l = arg;
	uint32_t n;
	const struct srv6_hop *h;
	int r;

	if (nlh->nlmsg_type != RTM_NEWROUTE)
		return 0;
	r = reader_read(&l->reader, nlh);
	if (r)
		return r;
	l->seen = true;
	h = op_hops(&l->reader.op, &n);
	if (n && h[0].encap)
		l->has |= h[0].encap->has;
	return 0;
}

/* There is no bad value of an interface index, so one is installed and looked at. */
static uint32_t probe_installed(struct caps *c, const struct probe *p, struct srv6_cap *cap)
{
	struct srv6_build_opts bo = SRV6_INIT(struct srv6_build_opts);
	struct srv6_route route = SRV6_INIT(struct srv6_route);
	struct srv6_op op = { .verb = SRV6_REPLACE, .kind = SRV6_ROUTE, .u.route = &route };
	struct srv6_hop hop = { .has = SRV6_HAS(DEV), .ifindex = LOOPBACK };
	struct look l = { .has = 0 };
	struct ack ack = { .code = 0 };
	uint32_t buf[256];
	struct sample x;
	int r;

	sample_init(&x, p->behavior, SRV6_MOBILE_AUTO);
	x.e.has |= SRV6_BIT(p->attr);
	hop.encap = &x.e;
	route.dst.family = AF_INET6;
	route.dst.len = 128;
	route.dst.addr.in6 = x.segment;
	route.hops = &hop;
	route.n_hops = 1;
	r = srv6_build(buf, sizeof(buf), &op, &bo, NULL);
	if (!r) {
		((struct nlmsghdr *)buf)->nlmsg_flags |= NLM_F_ECHO;
		r = knl_talk(c->ns, &c->ns->route, (struct nlmsghdr *)buf, look_cb, &l, &ack);
	}
	reader_free(&l.reader);
	if (is_trouble(r, &ack) || (!r && !l.seen))
		c->trouble = r ? r : -EIO;
	if (r)
		return refused(cap, SRV6_CAN_UNKNOWN, "its behavior is refused", &ack);
	if (l.has & SRV6_BIT(p->attr))
		return verdict(cap, SRV6_CAN_YES, "%s", "");
	return verdict(cap, SRV6_CAN_NO, "it is ignored: installed with it, listed without");
}

/* Both need rights in the initial user namespace, which a namespace of our own does not give. */
static uint32_t probe_generic(struct caps *c, const struct probe *p, struct srv6_cap *cap)
{
	struct srv6_error err;
	struct in6_addr a;
	struct sr_key *keys;
	size_t n;
	int r;

	err_clear(&err);
	if (p->how == TUNSRC) {
		r = sr_get_tunsrc(c->ns, &a, &err);
	} else {
		r = sr_list_keys(c->ns, &keys, &n, &err);
		sr_keys_free(keys, n);
	}
	if (!r)
		return verdict(cap, SRV6_CAN_YES, "%s", "");
	if (!err.kernel_code && err.code != -EOPNOTSUPP)
		c->trouble = r;
	return verdict(cap, r == -EOPNOTSUPP || err.code == -EOPNOTSUPP ? SRV6_CAN_NO : SRV6_CAN_UNKNOWN, "%.159s",
		       err.text);
}

static int count_cb(const struct nlmsghdr *nlh, void *arg)
{
	(void)nlh;
	(void)arg;
	return 0;
}

static uint32_t probe_objects(struct caps *c, struct srv6_cap *cap)
{
	struct {
		struct nlmsghdr nlh;
		struct nhmsg nhm;
	} req = { .nlh = { .nlmsg_len = sizeof(req), .nlmsg_type = RTM_GETNEXTHOP } };
	struct ack ack = { .code = 0 };
	int r = knl_list(c->ns, &c->ns->route, &req.nlh, count_cb, NULL, &ack);

	if (is_trouble(r, &ack))
		c->trouble = r;
	if (!r)
		return verdict(cap, SRV6_CAN_YES, "%s", "");
	return refused(cap, SRV6_CAN_NO, "they are not listed", &ack);
}

/*
 * End.MAP tells the numberings apart; and where one has a place of its own for an attribute, End.MAP with a value of its
 * size there is accepted only if the place is that attribute's. Anything else is a numbering that is not known here.
 */
static uint32_t probe_numbering(struct caps *c, const struct probe *p, struct srv6_cap *cap)
{
	static const uint64_t each[] = { 0, SRV6_HAS(PDU_TYPE), SRV6_HAS(SRC), SRV6_HAS(SEGS) };
	size_t n = p->flavor == SRV6_MOBILE_SEG6 ? ARRAY_SIZE(each) : 1;

	for (size_t i = 0; i < n; i++) {
		struct ack ack = { .code = 0 };
		struct sample x;

		sample_init(&x, SRV6_END_MAP, p->flavor);
		x.e.has |= each[i];
		if (!try_sample(c, &x, p->flavor, &ack))
			continue;
		if (i)
			return refused(cap, SRV6_CAN_NO, "it numbers its attributes in another way", &ack);
		return refused(cap, SRV6_CAN_NO, "End.MAP is refused", &ack);
	}
	return verdict(cap, SRV6_CAN_YES, "%s", "");
}

static uint32_t probe_run(struct caps *c, const struct probe *p, struct srv6_cap *cap)
{
	switch (p->how) {
	case ACCEPTED:
		return probe_accepted(c, p, cap);
	case REFUSED:
		return probe_refused(c, p, cap);
	case VRF:
		return probe_vrf(c, p, cap);
	case BPF:
		return probe_bpf(c, p, cap);
	case INSTALLED:
		return probe_installed(c, p, cap);
	case KEYS:
	case TUNSRC:
		return probe_generic(c, p, cap);
	case OBJECTS:
		return probe_objects(c, cap);
	case NUMBERING:
		return probe_numbering(c, p, cap);
	default:
		return verdict(cap, SRV6_CAN_NO, "no kernel implements it");
	}
}

/* ---- rows */

static const char *probe_since(const struct probe *p)
{
	const struct srv6_behavior_info *b = srv6_behavior_info(p->behavior, SRV6_MOBILE_AUTO);
	const struct srv6_attr_info *a = srv6_attr_info(p->attr);

	if (p->since)
		return strcmp(p->since, "none") ? p->since : NULL;
	if (p->attr != SRV6_ATTR_NONE)
		return a ? a->since : NULL;
	return b ? b->since : NULL;
}

/* Finds the numbering once, before the first mobile behavior is tried. */
static void find_numbering(struct caps *c)
{
	for (size_t i = 0; i < ARRAY_SIZE(probes) && !c->ns->mobile; i++)
		if (probes[i].how == NUMBERING && caps_row(c, i)->can == SRV6_CAN_YES)
			c->ns->mobile = probes[i].flavor;
}

static struct srv6_cap *caps_row(struct caps *c, size_t i)
{
	const struct probe *p = &probes[i];
	struct srv6_cap *cap = &c->cap[i];
	int outer = c->trouble;

	if (c->known[i])
		return cap;
	*cap = (struct srv6_cap){
		.name = p->name, .kind = p->kind, .behavior = p->behavior, .attr = p->attr, .since = probe_since(p)
	};
	cap->flavor = p->how == NUMBERING || p->flavor == NO_SUCH_FLAVOR ? 0 : p->flavor;
	/* A row may ask for another one: what gets in the way there is in the way here, too. */
	c->trouble = 0;
	if (p->how == ACCEPTED && is_mobile(p->behavior))
		find_numbering(c);
	probe_run(c, p, cap);
	if (c->trouble) {
		char text[64];

		verdict(cap, SRV6_CAN_UNKNOWN, "it could not be tried: %s",
			strerror_r(-c->trouble, text, sizeof(text)));
	}
	c->known[i] = !c->trouble;
	c->trouble = outer ? outer : c->trouble;
	return cap;
}

static bool is_asked(const struct probe *p, uint32_t behavior, uint32_t attr, uint32_t flavor)
{
	/* These have one row for all behaviors. */
	bool any = attr == SRV6_ATTR_TUNSRC || attr == SRV6_ATTR_LOOKUP || attr == SRV6_ATTR_COUNT;

	if (flavor)
		return !strcmp(p->kind, "flavor") && p->behavior == behavior && p->flavor == flavor;
	if (attr != SRV6_ATTR_NONE)
		return (!strcmp(p->kind, "attr") || !strcmp(p->kind, "object")) && p->attr == attr &&
		       (any || p->behavior == behavior);
	return !strcmp(p->kind, "behavior") && p->behavior == behavior;
}

static int caps_row_can(struct caps *c, uint32_t behavior, uint32_t attr, uint32_t flavor)
{
	for (size_t i = 0; i < ARRAY_SIZE(probes); i++)
		if (is_asked(&probes[i], behavior, attr, flavor))
			return (int)caps_row(c, i)->can;
	/* An attribute without a row came with its behavior; a flavor without one has no kernel. */
	if (flavor)
		return SRV6_CAN_NO;
	return attr != SRV6_ATTR_NONE && behavior != SRV6_OTHER ? caps_row_can(c, behavior, SRV6_ATTR_NONE, 0)
								: SRV6_CAN_UNKNOWN;
}

/* That it is not allowed stays so; anything else may be better the next time. */
static bool is_lasting(int error)
{
	return error == -EPERM || error == -EACCES || error == -ENOSYS || error == -EINVAL;
}

static struct caps *caps_of(struct srv6 *s)
{
	if (s->caps && s->caps->error && !is_lasting(s->caps->error)) {
		caps_free(s->caps);
		s->caps = NULL;
	}
	if (!s->caps)
		s->caps = caps_new();
	return s->caps;
}

int caps_can(struct srv6 *s, uint32_t behavior, uint32_t attr, uint32_t flavor)
{
	struct caps *c = caps_of(s);

	return !c ? -ENOMEM : c->error ? c->error : caps_row_can(c, behavior, attr, flavor);
}

const char *forgotten_since(uint32_t behavior, uint32_t attr)
{
	for (size_t i = 0; i < ARRAY_SIZE(probes); i++)
		if (is_asked(&probes[i], behavior, attr, 0) && probe_since(&probes[i]))
			return probe_since(&probes[i]);
	return "a later version";
}

int caps_mobile(struct srv6 *s, uint32_t *ret, struct srv6_error *err)
{
	struct caps *c;

	/* Of a kernel behind the caller's own sockets nothing is known, and it must answer for itself. */
	if (s->mobile || s->given) {
		*ret = s->mobile;
		return 0;
	}
	c = caps_of(s);
	if (!c || c->error)
		return 0;
	find_numbering(c);
	if (!c->ns->mobile) {
		err_set(err, -EOPNOTSUPP, SRV6_ATTR_NONE, "this kernel has no mobile user plane behaviors");
		err_remedy(err, "they are in no released kernel; srv6-mobile(8) says where they are");
		return -EOPNOTSUPP;
	}
	*ret = s->mobile = c->ns->mobile;
	return 0;
}

static int say_no_namespace(struct srv6_error *err, int code)
{
	err_set(err, code, SRV6_ATTR_NONE, "a network namespace to try in cannot be made");
	err_remedy(err, "run it as root, or allow unprivileged user namespaces");
	return code;
}

EXPORT int srv6_caps(struct srv6 *s, int (*cb)(const struct srv6_cap *cap, void *arg), void *arg)
{
	struct caps *c, *own = NULL;
	int r = s ? handle_enter(s) : 0;

	if (r)
		return r;
	c = s ? caps_of(s) : (own = caps_new());
	if (!c)
		return err_set(s ? &s->err : NULL, -ENOMEM, SRV6_ATTR_NONE, "out of memory");
	r = c->error ? say_no_namespace(s ? &s->err : NULL, c->error) : 0;
	for (size_t i = 0; i < ARRAY_SIZE(probes) && !r; i++)
		r = cb(caps_row(c, i), arg);
	caps_free(own);
	return r;
}

EXPORT int srv6_can(struct srv6 *s, uint32_t behavior, uint32_t attr, uint32_t flavor)
{
	int r = handle_enter(s);

	if (r)
		return r;
	r = caps_can(s, behavior, attr, flavor);
	if (r == -ENOMEM)
		return err_set(&s->err, r, SRV6_ATTR_NONE, "out of memory");
	return r < 0 ? say_no_namespace(&s->err, r) : r;
}

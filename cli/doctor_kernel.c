/* SPDX-License-Identifier: GPL-2.0-or-later */
/* srv6 doctor: HMAC keys, and what this kernel has or has not. */
#include <errno.h>
#include <string.h>

#include "doctor.h"
#include "document.h"

/* ---- HMAC */

#define HMAC_SEGMENTS 14 /* the kernel's buffer for what is signed ends there */

static bool has_key(const struct doctor *d, uint32_t id)
{
	for (size_t i = 0; i < d->n_keys; i++)
		if (d->keys[i] == id)
			return true;
	return false;
}

TEST(hmac_key_missing)
{
	(void)u;
	if (!encap_has(s->encap, SRV6_ATTR_HMAC) || d->keys_error)
		return;
	if (has_key(d, s->encap->hmac)) {
		not_checked(
			d,
			"HMAC key %u: whether the other end has the same secret and algorithm can't be seen from here",
			s->encap->hmac);
		return;
	}
	remedy(d,
	       found(d, c, s, NULL, "%s (%s) signs with HMAC key %u, which is not configured", s->label,
		     behavior_name(s), s->encap->hmac),
	       "srv6 hmac set %u sha256 file <FILE>", s->encap->hmac);
}

TEST(hmac_segments)
{
	struct finding *f;
	struct edit e;

	(void)u;
	if (!encap_has(s->encap, SRV6_ATTR_HMAC) || s->encap->n_segs <= HMAC_SEGMENTS)
		return;
	f = found(d, c, s, NULL, "%s (%s): %u segments with an HMAC, and Linux can sign at most %d", s->label,
		  behavior_name(s), s->encap->n_segs, HMAC_SEGMENTS);
	e = edit(d, s, SRV6_REPLACE);
	if (!e.op)
		return;
	e.encap->has &= ~(SRV6_HAS(HMAC) | SRV6_HAS(RAW_SRH));
	remedy_op(d, f, e.op);
}

TEST(hmac_required)
{
	struct finding *f;
	char path[96];
	int value;

	UNUSED2(s, u);
	for (uint32_t i = 0; i < d->env.n_links && !d->n_keys && !d->keys_error; i++) {
		const struct net_link *l = &d->env.links[i];

		value = 0;
		if (!is_port(d, l) || !read_conf(d, "ipv6", l, "seg6_require_hmac", &value) || value != 1)
			continue;
		f = found(d, c, NULL, device_object(d, l),
			  "seg6_require_hmac is 1 on %s and no HMAC key is configured: every packet with an SRH that "
			  "comes in there is dropped (those without one still pass)",
			  l->name);
		snprintf(path, sizeof(path), "ipv6/conf/%s/seg6_require_hmac", l->name);
		remedy_sysctl(d, f, path, 0);
	}
}

TEST(hmac_required_all)
{
	int all = 0, value;

	UNUSED2(s, u);
	if (!read_conf(d, "ipv6", NULL, "seg6_require_hmac", &all) || all != 1)
		return;
	for (uint32_t i = 0; i < d->env.n_links; i++) {
		value = 0;
		if (is_port(d, &d->env.links[i]) &&
		    read_conf(d, "ipv6", &d->env.links[i], "seg6_require_hmac", &value) && value == 1)
			return;
	}
	remedy_sysctl(
		d, found(d, c, NULL, NULL, "seg6_require_hmac is 1 in conf/all, which has no effect, and on no device"),
		"ipv6/conf/all/seg6_require_hmac", 0);
}

TEST(hmac_ignored)
{
	struct finding *f;
	char path[96];
	int value;

	UNUSED2(s, u);
	for (uint32_t i = 0; i < d->env.n_links && d->n_keys; i++) {
		const struct net_link *l = &d->env.links[i];

		value = 0;
		if (!is_port(d, l) || !read_conf(d, "ipv6", l, "seg6_require_hmac", &value) || value != -1)
			continue;
		f = found(d, c, NULL, device_object(d, l),
			  "seg6_require_hmac is -1 on %s: HMACs are not checked there, though keys are configured",
			  l->name);
		snprintf(path, sizeof(path), "ipv6/conf/%s/seg6_require_hmac", l->name);
		remedy_sysctl(d, f, path, 0);
	}
}

/* ---- the kernel */

TEST(init_on_alloc)
{
	const struct subject *l2 = NULL;

	UNUSED2(s, u);
	for (size_t i = 0; i < d->n_asked && !l2; i++)
		l2 = takes_frames(&d->subjects[i]) ? &d->subjects[i] : NULL;
	if (!l2 || !net_kernel_before(&d->env, 7, 4))
		return;
	if (d->env.init_on_alloc < 0)
		not_checked(d, "init_on_alloc: neither the command line nor a configuration of kernel %s tells",
			    d->env.kernel);
	if (d->env.init_on_alloc == 1)
		remedy(d,
		       found(d, c, l2, NULL,
			     "this kernel (%s) clears memory as it is allocated (init_on_alloc), and %s (%s) allocates "
			     "for every frame",
			     d->env.kernel, l2->label, behavior_name(l2)),
		       "add init_on_alloc=0 to the kernel's command line: <BOOT LOADER>");
}

/* What a file of changes asks of the kernel, each once. */
struct need {
	uint32_t behavior, attr, flavor;
	const char *path;
};

struct needs {
	struct need *list;
	size_t n, cap;
};

static void need(struct doctor *d, struct needs *all, struct need one)
{
	struct need *grown;

	for (size_t i = 0; i < all->n; i++)
		if (all->list[i].behavior == one.behavior && all->list[i].attr == one.attr &&
		    all->list[i].flavor == one.flavor)
			return;
	if (all->n == all->cap) {
		grown = take(d->a, (all->cap * 2 + 16) * sizeof(*grown));
		if (all->n)
			memcpy(grown, all->list, all->n * sizeof(*grown));
		all->list = grown;
		all->cap = all->cap * 2 + 16;
	}
	all->list[all->n++] = one;
}

static void encap_needs(struct doctor *d, struct needs *all, const struct srv6_encap *e, const char *path)
{
	if (!e || e->behavior == SRV6_OTHER)
		return;
	need(d, all, (struct need){ e->behavior, SRV6_ATTR_NONE, 0, path });
	for (uint32_t attr = 0; attr <= SRV6_ATTR_NFLEN; attr++)
		if (encap_has(e, attr))
			need(d, all, (struct need){ e->behavior, attr, 0, path });
	for (uint32_t bit = 1; encap_has(e, SRV6_ATTR_FLAVORS) && bit && bit <= e->flavors; bit <<= 1)
		if (e->flavors & bit)
			need(d, all, (struct need){ e->behavior, SRV6_ATTR_NONE, bit, path });
}

static void items_need(struct doctor *d, struct needs *all, const struct items *l)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct srv6_op *op = &l->item[i].op;
		const char *path = take_text(d->a, l->item[i].path, strlen(l->item[i].path));

		if (op->kind == SRV6_NEXTHOP && op->u.nexthop->hop)
			encap_needs(d, all, op->u.nexthop->hop->encap, path);
		for (uint32_t j = 0; op->kind == SRV6_ROUTE && j < op->u.route->n_hops; j++)
			encap_needs(d, all, op->u.route->hops[j].encap, path);
	}
}

static const char *need_name(struct doctor *d, const struct need *n)
{
	const struct srv6_behavior_info *info = srv6_behavior_info(n->behavior, d->c->mobile);
	const char *name = info ? info->name : "?";

	if (n->flavor)
		return take_printf(d->a, "%s with flavor %s", name, srv6_flavor_name(n->flavor));
	if (n->attr != SRV6_ATTR_NONE)
		return take_printf(d->a, "%s with %s", name, srv6_attr_info(n->attr)->word);
	return name;
}

static const char *need_since(struct doctor *d, const struct need *n)
{
	const struct srv6_behavior_info *info = srv6_behavior_info(n->behavior, d->c->mobile);
	const char *since = info ? info->since : NULL;

	if (n->flavor)
		return "";
	if (n->attr != SRV6_ATTR_NONE && srv6_attr_info(n->attr)->since)
		since = srv6_attr_info(n->attr)->since;
	return since ? take_printf(d->a, "; Linux has it from %s on", since) : "; no released Linux has it";
}

static void tell_need(struct doctor *d, const struct check *c, const struct need *n)
{
	int can = srv6_can(d->c->s, n->behavior, n->attr, n->flavor);
	struct finding *f;

	if (can == SRV6_CAN_NO) {
		f = found(d, c, NULL, take_printf(d->a, "%s %s", d->needs, n->path),
			  "%s: %s needs %s, which this kernel (%s) has not%s", d->needs, n->path, need_name(d, n),
			  d->env.kernel, need_since(d, n));
		if (n->attr == SRV6_ATTR_TUNSRC)
			remedy(d, f, "srv6 tunsrc set <ADDRESS>");
	} else if (can != SRV6_CAN_YES) {
		not_checked(d, "%s: whether this kernel has %s", d->needs, need_name(d, n));
	}
}

static struct needs read_needs(struct doctor *d)
{
	struct document doc = { 0 };
	struct needs all = { 0 };

	if (!d->needs)
		return all;
	if (document_read(d->c, &doc, d->needs, NULL, NO_WORD)) {
		not_checked(d, "what a saved state needs: %s", d->c->failure.e.text);
		d->partial = true;
	} else {
		items_need(d, &all, &doc.nexthops);
		items_need(d, &all, &doc.routes);
	}
	document_free(&doc);
	return all;
}

static bool needs_vrf(const struct need *n)
{
	return n->behavior == SRV6_END_DT4 || n->behavior == SRV6_END_DT46 || n->attr == SRV6_ATTR_VRFTABLE;
}

static bool no_vrf(void)
{
	int value;

	return net_sysctl("vrf/strict_mode", &value) == -ENOENT;
}

/* All that needs a VRF is one thing to mend, and has its own row. */
TEST(kernel_no_vrf)
{
	struct needs all = read_needs(d);
	const struct need *first = NULL;

	UNUSED2(s, u);
	for (size_t i = 0; i < all.n && !first; i++)
		first = needs_vrf(&all.list[i]) ? &all.list[i] : NULL;
	if (first && no_vrf())
		remedy(d,
		       found(d, c, NULL, take_printf(d->a, "%s %s", d->needs, first->path),
			     "%s: %s needs %s, and this kernel (%s) has no VRFs, or has not loaded their module",
			     d->needs, first->path, need_name(d, first), d->env.kernel),
		       "modprobe vrf");
}

TEST(kernel_lacks)
{
	struct needs all = read_needs(d);

	UNUSED2(s, u);
	for (size_t i = 0; i < all.n; i++)
		if (!needs_vrf(&all.list[i]) || !no_vrf())
			tell_need(d, c, &all.list[i]);
}

TEST(unknown)
{
	(void)u;
	if (s->encap->behavior == SRV6_OTHER)
		found(d, c, s, NULL,
		      "%s has an SRv6 encapsulation that this srv6 does not know (number %u): nothing else was checked "
		      "on it",
		      s->label, s->encap->number);
}

/* ---- the rows */

const struct check doctor_kernel_checks[] = {
	/* HMAC */
	{ "hmac-key-missing", ERROR, ON_SUBJECT, 0, hmac_key_missing, "routes, HMAC keys",
	  "a route signs with an HMAC key that is not configured",
	  "The kernel installs the route all the same; every packet is then dropped (sending fails with ENOENT)." },
	{ "hmac-segments", ERROR, ON_SUBJECT, CHECK_BY_NAME, hmac_segments, "routes",
	  "more segments than Linux can sign", "The kernel installs the route and drops every packet." },
	{ "hmac-required", ERROR, ON_ALL, CHECK_WHOLE, hmac_required, "ipv6/conf/*/seg6_require_hmac, HMAC keys",
	  "HMACs are required and there is no key",
	  "No SRH can pass the check. Packets without an SRH are not affected, so it is no protection from those." },
	{ "hmac-required-all", WARNING, ON_ALL, CHECK_WHOLE, hmac_required_all, "ipv6/conf/*/seg6_require_hmac",
	  "seg6_require_hmac is set where it has no effect", "Only the ingress device's value counts." },
	{ "hmac-ignored", INFO, ON_ALL, CHECK_WHOLE, hmac_ignored, "ipv6/conf/*/seg6_require_hmac, HMAC keys",
	  "HMACs are not checked on a device", "With -1 every SRH is accepted, a wrong HMAC too." },

	/* the kernel */
	{ "init-on-alloc", WARNING, ON_ALL, 0, init_on_alloc, "routes, kernel, its command line and configuration",
	  "memory is cleared for every frame that is encapsulated",
	  "Kernels before 7.4 reallocate each frame for H.Encaps.L2 whether it has room or not, and init_on_alloc "
	  "clears all of the new memory." },
	{ "kernel-no-vrf", ERROR, ON_ALL, 0, kernel_no_vrf, "the file of --needs, vrf/strict_mode",
	  "a saved state needs VRFs and the kernel has none",
	  "End.DT4, End.DT46 and End.DT6 with vrftable hand packets to a VRF device; without the module the kernel "
	  "refuses them with \"Invalid argument\" and no word more." },
	{ "kernel-lacks", ERROR, ON_ALL, 0, kernel_lacks, "the file of --needs, the kernel",
	  "a saved state needs what this kernel has not",
	  "Some kernels refuse what they do not know, others accept the route and drop the attribute: tunsrc before "
	  "7.1, oif and flavors of End.X. What was installed then is not what was asked." },
	{ "unknown-encap", INFO, ON_SUBJECT, 0, unknown, "routes", "an encapsulation that this version does not know",
	  "A newer kernel than this version; the route is kept as it is by save and restore." },
	{ 0 },
};

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* srv6_apply(): check all, look at what must be known before, send, see that it is so, tell; undo where that was asked.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apply.h"

static int refuse(struct apply *a, size_t op, struct srv6_error *err)
{
	err->op = op;
	err->state = SRV6_STATE_UNCHANGED;
	a->first = *err;
	return err->code;
}

/* ---- before anything is sent */

static bool is_change(const struct srv6_op *op)
{
	return op->verb >= SRV6_ADD && op->verb <= SRV6_DEL && op->kind >= SRV6_ROUTE && op->kind <= SRV6_HMAC &&
	       op->u.any;
}

static int check_one(struct apply *a, const struct srv6_op *op, struct srv6_error *err)
{
	if (!is_change(op))
		return err_set(err, -EINVAL, SRV6_ATTR_NONE,
			       "this is not a change of a route, a nexthop object, the tunnel source or a key");
	if (op->kind == SRV6_NEXTHOP && a->opts.flags & SRV6_APPLY_ATOMIC && !(op->u.nexthop->has & SRV6_HAS(NH_ID)))
		return err_set(err, -EINVAL, SRV6_ATTR_NH_ID,
			       "all or nothing needs the nexthop object's id: one that the kernel chooses could not be "
			       "found again to undo it");
	return srv6_check(op, &a->build, err);
}

/* What some kernels take and forget without a word. A row per thing that a probe can tell. */
static const struct forgotten {
	uint32_t behavior; /* SRV6_OTHER: any */
	uint32_t attr;
} forgotten[] = {
	{ SRV6_OTHER, SRV6_ATTR_TUNSRC },
	{ SRV6_OTHER, SRV6_ATTR_LOOKUP },
	{ SRV6_END_X, SRV6_ATTR_OIF },
	{ SRV6_END_X, SRV6_ATTR_FLAVORS },
};
#define FORGOTTEN (SRV6_HAS(TUNSRC) | SRV6_HAS(LOOKUP) | SRV6_HAS(OIF) | SRV6_HAS(FLAVORS)) /* the second column */

static bool uses(const struct srv6_op *op, const struct forgotten *f, uint32_t *hop)
{
	uint32_t n;
	const struct srv6_hop *h = op_hops(op, &n);

	for (*hop = 0; *hop < n; ++*hop) {
		const struct srv6_encap *e = h[*hop].encap;

		if (e && e->has & SRV6_BIT(f->attr) && (f->behavior == SRV6_OTHER || f->behavior == e->behavior))
			return true;
	}
	return false;
}

/* Few have any of it. */
static bool may_forget(const struct srv6_op *op)
{
	uint32_t n;
	const struct srv6_hop *h = op_hops(op, &n);

	for (uint32_t i = 0; i < n; i++)
		if (h[i].encap && h[i].encap->has & FORGOTTEN)
			return true;
	return false;
}

static int refuse_forgotten(const struct srv6_op *op, const struct forgotten *f, uint32_t hop, struct srv6_error *err)
{
	const struct srv6_attr_info *info = srv6_attr_info(f->attr);
	const struct srv6_behavior_info *b = f->behavior == SRV6_OTHER ? NULL : srv6_behavior_info(f->behavior, 0);
	const char *since = info && info->since && !b ? info->since : forgotten_since(f->behavior, f->attr);

	err_set(err, -EOPNOTSUPP, f->attr, "this kernel would take the %s and drop %s%s%s, which needs Linux %s",
		op->kind == SRV6_ROUTE ? "route" : "nexthop object", info ? info->word : "it", b ? " of " : "",
		b ? b->name : "", since);
	err->hop = hop;
	verify_remedy(f->attr, err);
	return err->code;
}

int apply_probe(struct apply *a, const struct srv6_op *op, struct srv6_error *err)
{
	int unknown = 0;

	if (op->verb == SRV6_DEL || !may_forget(op) || a->opts.flags & SRV6_APPLY_NO_VERIFY)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(forgotten); i++) {
		uint32_t hop;
		int can;

		if (!uses(op, &forgotten[i], &hop))
			continue;
		can = a->s->given ? SRV6_CAN_UNKNOWN : caps_can(a->s, forgotten[i].behavior, forgotten[i].attr, 0);
		if (can == SRV6_CAN_NO)
			return refuse_forgotten(op, &forgotten[i], hop, err);
		unknown |= can != SRV6_CAN_YES;
	}
	return unknown && op->verb != SRV6_ADD;
}

static int want_before(struct apply *a, const struct srv6_op *op, bool look)
{
	struct key k;
	int r;

	key_of_op(op, &k);
	if (op->kind == SRV6_NEXTHOP && op->verb == SRV6_DEL && a->opts.flags & SRV6_APPLY_ATOMIC)
		a->before.users = true;
	r = shot_want(&a->before, &k);
	if (!r && look)
		shot_find(&a->before, &k)->looks++;
	return r;
}

static bool is_mobile(const struct srv6_op *op)
{
	uint32_t n;
	const struct srv6_hop *h = op_hops(op, &n);

	for (uint32_t i = 0; i < n; i++)
		if (h[i].encap && h[i].encap->behavior >= SRV6_END_MAP && h[i].encap->behavior < SRV6_N_BEHAVIORS)
			return true;
	return false;
}

/*
 * The numbering of the mobile behaviors is the kernel's choice, where the caller left it open. A kernel that has none of them
 * must not keep the other ops from being done where they go on after a failure: then it refuses each of these itself.
 */
static int find_mobile(struct apply *a, struct srv6_error *err)
{
	int r = caps_mobile(a->s, &a->build.mobile, err);

	return r == -EOPNOTSUPP && a->n > 1 && a->opts.flags & SRV6_APPLY_KEEP_GOING ? 0 : r;
}

/* What must be known before op is sent. */
static int look_before(struct apply *a, const struct srv6_op *op, struct srv6_error *err)
{
	int r = apply_probe(a, op, err);
	bool look;

	if (r < 0)
		return r;
	look = verify_needs_look(a, op);
	if (!r && !look && !(a->opts.flags & SRV6_APPLY_ATOMIC))
		return 0;
	r = is_op_generic(op) ? 0 : want_before(a, op, look);
	return r ? err_set(err, r, SRV6_ATTR_NONE, "out of memory") : 0;
}

/* One pass over all of them, which may be many: to fetch them is dearer than what is done with them. */
static int prepare_one(struct apply *a, const struct srv6_op *op, bool *mobile, struct srv6_error *err)
{
	int r = 0;

	err_clear(err);
	if (is_change(op) && !*mobile && is_mobile(op)) {
		*mobile = true;
		r = find_mobile(a, err);
		if (r)
			return r;
		err_clear(err);
	}
	r = check_one(a, op, err);
	if (r)
		a->checked = false;
	else
		r = look_before(a, op, err);
	/* What is bad is refused in its turn. */
	return a->opts.flags & SRV6_APPLY_KEEP_GOING && r != -ENOMEM ? 0 : r;
}

static int take_before(struct apply *a, struct srv6_error *err)
{
	int r = 0;

	err_clear(err);
	if (a->before.users)
		r = shot_want_users(a->s, &a->before, err);
	if (!r && a->before.n)
		r = shot_take(a->s, &a->before, err);
	if (!r && a->opts.flags & SRV6_APPLY_ATOMIC)
		r = sr_shot_take(a->s, a->ops, a->n, &a->sr_before, err);
	return r;
}

static int prepare(struct apply *a)
{
	struct srv6_error err;
	bool mobile = false;
	int r = 0;

	if (a->opts.flags & SRV6_APPLY_ATOMIC && a->opts.flags & SRV6_APPLY_KEEP_GOING) {
		err_set(&err, -EINVAL, SRV6_ATTR_NONE, "all or nothing cannot keep going after a failure");
		return refuse(a, 0, &err);
	}
	a->checked = true;
	for (size_t i = 0; i < a->n; i++) {
		r = prepare_one(a, &a->ops[i], &mobile, &err);
		if (r)
			return refuse(a, i, &err);
	}
	a->objects = a->listed;
	r = take_before(a, &err);
	if (r)
		return refuse(a, err.op, &err);
	if (batch_init(a)) {
		err_set(&err, -ENOMEM, SRV6_ATTR_NONE, "out of memory");
		return refuse(a, 0, &err);
	}
	return 0;
}

/* ---- telling */

static void tell(struct apply *a, size_t op, struct srv6_error *err)
{
	err->op = op;
	if (err->code) {
		if (!a->first.code)
			a->first = *err;
		a->stop |= !(a->opts.flags & SRV6_APPLY_KEEP_GOING);
	} else if (a->first.code) {
		a->n_after++;
	}
	if (!(a->opts.flags & SRV6_APPLY_ATOMIC) && a->opts.result)
		a->opts.result(a->opts.arg, op, err);
}

static void tell_not_sent(struct apply *a, size_t from, const char *why)
{
	struct srv6_error err;

	if (!a->opts.result)
		return;
	for (size_t i = from; i < a->n; i++) {
		if (i == a->first.op) {
			a->opts.result(a->opts.arg, i, &a->first);
			continue;
		}
		err_set(&err, -ECANCELED, SRV6_ATTR_NONE, "%s", why);
		err.op = i;
		a->opts.result(a->opts.arg, i, &err);
	}
}

static void say_lost(struct slot *sl)
{
	err_set(slot_err(sl), -EIO, SRV6_ATTR_NONE,
		"the kernel's answer was lost, and what is there could not be read");
	sl->err->state = SRV6_STATE_UNKNOWN;
}

static void slot_finish(struct apply *a, struct slot *sl)
{
	bool verify = !(a->opts.flags & SRV6_APPLY_NO_VERIFY);

	if (sl->skipped)
		return;
	if (slot_has_failed(sl))
		return; /* verify_gone() */
	if (sl->failed)
		explain(a->s, sl->want, a->buf + sl->at, sl->ack, slot_err(sl));
	else if (sl->lost)
		say_lost(sl);
	else if (verify && !sl->matched)
		verify_undo(a, sl);
	else if (sl->worded && *sl->ack->text)
		snprintf(slot_err(sl)->kernel, sizeof(sl->err->kernel), "%s", sl->ack->text);
}

static void finish_batch(struct apply *a)
{
	verify_gone(a);
	/* Undoing in reverse: a later one may lie upon an earlier one. */
	for (size_t i = a->n_slots; i-- > 0;)
		slot_finish(a, &a->slots[i]);
	for (size_t i = 0; i < a->n_slots; i++)
		after_note(a, &a->slots[i]);
	err_clear(&a->err);
	for (size_t i = 0; i < a->n_slots; i++)
		tell(a, a->slots[i].op, a->slots[i].told ? a->slots[i].err : &a->err);
	batch_clear(a);
}

/* The connection is gone. That all which was sent is known to be done makes no success of what was not. */
static void stop_dead(struct apply *a)
{
	a->stop = true;
	if (a->first.code || a->next == a->n)
		return;
	err_set(&a->first, -ECONNRESET, SRV6_ATTR_NONE, "not sent, since the connection to the kernel was lost");
	a->first.op = a->next;
}

/* ---- the run */

static bool is_dry(const struct apply *a)
{
	return a->opts.flags & SRV6_APPLY_DRY_RUN;
}

static void run_generic(struct apply *a)
{
	const struct srv6_op *op = &a->ops[a->next];
	struct srv6_error err;

	err_clear(&err);
	if (!check_one(a, op, &err) && !is_dry(a))
		sr_change(a->s, op, !(a->opts.flags & SRV6_APPLY_NO_VERIFY), &err);
	tell(a, a->next++, &err);
}

static bool is_batched(const struct srv6_op *op)
{
	return is_change(op) && !is_op_generic(op);
}

static void run_one_refused(struct apply *a)
{
	struct srv6_error err;

	err_clear(&err);
	check_one(a, &a->ops[a->next], &err);
	tell(a, a->next++, &err);
}

static void run(struct apply *a)
{
	while (a->next < a->n && !a->stop) {
		const struct srv6_op *op = &a->ops[a->next];

		if (!is_change(op)) {
			run_one_refused(a);
			continue;
		}
		if (is_op_generic(op)) {
			run_generic(a);
			continue;
		}
		while (a->next < a->n && is_batched(&a->ops[a->next]) && !batch_add(a))
			;
		if (is_dry(a))
			batch_pretend(a);
		else
			batch_run(a);
		finish_batch(a);
		if (a->dead)
			stop_dead(a);
	}
}

/* ---- undoing */

static void undo_all(struct apply *a)
{
	char left[200], sr_left[100];
	size_t len = strlen(a->first.text);
	int r, r2;

	r = shot_restore(a->s, &a->before, NULL, left, sizeof(left));
	r2 = sr_shot_restore(a->s, a->ops, a->next, &a->sr_before, sr_left, sizeof(sr_left));
	if (!r && !r2) {
		a->first.state = SRV6_STATE_UNCHANGED;
		return;
	}
	a->first.state = r && r != -EIO ? SRV6_STATE_UNKNOWN : SRV6_STATE_PARTIAL;
	if (r && r != -EIO)
		snprintf(a->first.text + len, sizeof(a->first.text) - len, "; what was done could not be undone");
	else
		snprintf(a->first.text + len, sizeof(a->first.text) - len, "; not as before: %s%s%s", left,
			 *left && *sr_left ? ", " : "", sr_left);
}

static void finish_atomic(struct apply *a)
{
	struct srv6_error done;

	if (a->first.code) {
		undo_all(a);
		tell_not_sent(a, 0,
			      a->first.state == SRV6_STATE_UNCHANGED
				      ? "undone, or not done, since another change failed"
				      : "another change failed, and not all could be undone");
		return;
	}
	for (size_t i = 0; i < a->n && a->opts.result; i++) {
		err_clear(&done);
		done.op = i;
		a->opts.result(a->opts.arg, i, &done);
	}
}

static void finish_dry(struct apply *a)
{
	if (!a->first.code)
		return;
	a->first.state = SRV6_STATE_UNCHANGED;
	tell_not_sent(a, a->next, "not looked at, since an earlier change would be refused");
}

static void finish_plain(struct apply *a)
{
	size_t len = strlen(a->first.text);

	if (!a->first.code)
		return;
	if (a->first.state == SRV6_STATE_UNCHANGED && a->first.op)
		a->first.state = SRV6_STATE_DONE;
	if (a->n_after && !(a->opts.flags & SRV6_APPLY_KEEP_GOING)) {
		a->first.state = SRV6_STATE_PARTIAL;
		snprintf(a->first.text + len, sizeof(a->first.text) - len,
			 "; %zu behind it, under way at the same time, are done", a->n_after);
	}
	tell_not_sent(a, a->next, "not done, since an earlier change failed");
}

static void apply_free(struct apply *a)
{
	batch_free(a);
	shot_free(&a->before);
	shot_free(&a->now);
	sr_shot_free(&a->sr_before);
	reader_free(&a->reader);
}

EXPORT int srv6_apply(struct srv6 *s, const struct srv6_op *ops, size_t n, const struct srv6_apply_opts *opts)
{
	struct apply a = { .s = s, .ops = ops, .n = n, .opts = SRV6_INIT(struct srv6_apply_opts) };
	int r = handle_enter(s);

	if (r)
		return r;
	r = opts ? sized_in(&a.opts, sizeof(a.opts), opts) : 0;
	if (r)
		return err_set(&s->err, r, SRV6_ATTR_NONE, "options of a later version of this library");
	a.build = (struct srv6_build_opts)SRV6_INIT(struct srv6_build_opts);
	a.build.mobile = s->mobile;
	err_clear(&a.first);
	s->listed = 0;
	if (prepare(&a)) {
		tell_not_sent(&a, 0, "not sent, since another change was refused");
	} else {
		if (is_dry(&a))
			a.opts.flags &= ~SRV6_APPLY_ATOMIC; /* nothing to undo */
		run(&a);
		if (is_dry(&a))
			finish_dry(&a);
		else if (a.opts.flags & SRV6_APPLY_ATOMIC)
			finish_atomic(&a);
		else
			finish_plain(&a);
	}
	if (a.opts.listed)
		*a.opts.listed += s->listed;
	apply_free(&a);
	return handle_fail(s, &a.first);
}

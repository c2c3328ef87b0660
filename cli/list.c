/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is listed: lines, or one JSON array, written as it comes. */
#include <errno.h>
#include <string.h>
#include <json-c/json.h>

#include "cli.h"

static uint32_t text_flags(const struct ctx *c)
{
	return TEXT_NAMES | (c->stats ? TEXT_STATS : 0);
}

void list_begin(struct ctx *c)
{
	if (!c->json)
		return;
	c->jw = (struct jw){ .f = c->out, .pretty = c->pretty, .lines = true };
	jw_open(&c->jw, '[');
}

int list_cb(const struct srv6_op *op, void *arg)
{
	struct ctx *c = arg;

	list_op(c, op);
	return ferror(c->out) ? -EPIPE : 0;
}

void list_op(struct ctx *c, const struct srv6_op *op)
{
	bool change = op->verb != SRV6_IS && op->verb != SRV6_GET; /* of what is there, the object says all */

	if (c->json) {
		jw_open(&c->jw, '{');
		op_jw(c, &c->jw, op, (c->stats ? JSON_STATS : 0) | (change ? JSON_VERB : 0));
		jw_close(&c->jw, '}');
		return;
	}
	op_text(c, c->out, op, text_flags(c) | (change ? TEXT_VERB : 0));
	putc_unlocked('\n', c->out);
}

static const char *as_text(struct ctx *c, struct json_object *o)
{
	return json_object_to_json_string_ext(
		o, (c->pretty ? JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED : JSON_C_TO_STRING_PLAIN) |
			   JSON_C_TO_STRING_NOSLASHESCAPE);
}

void list_json(struct ctx *c, struct json_object *o)
{
	jw_json(&c->jw, as_text(c, o));
	json_object_put(o);
}

int list_end(struct ctx *c, int status)
{
	if (c->json) {
		if (status == PARTIAL) {
			jw_open(&c->jw, '{');
			jw_key(&c->jw, "incomplete");
			jw_true(&c->jw);
			jw_close(&c->jw, '}');
		}
		jw_close(&c->jw, ']');
		putc('\n', c->out);
	}
	return flush_out(c, status);
}

void print_json(struct ctx *c, struct json_object *o)
{
	put_json(c->out, as_text(c, o));
	putc('\n', c->out);
	json_object_put(o);
}

int flush_out(struct ctx *c, int status)
{
	int err = fflush(c->out) ? errno : 0;

	if (!err && !ferror(c->out))
		return status;
	clearerr(c->out);
	fail(c, NULL, NO_WORD, -(err ? err : EIO), "the output could not be written: %s", strerror(err ? err : EIO));
	return complain(c, status ? status : REFUSED);
}

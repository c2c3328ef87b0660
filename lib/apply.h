/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A run of changes under way, shared by apply.c (what to do), batch.c (many at once) and verify.c (is it so). */
#ifndef SRV6_APPLY_H
#define SRV6_APPLY_H

#include "transact.h"

#define MAX_SLOTS  256
#define LISTED_MAX (32768 - 320) /* bytes of a message in a list: no datagram of a list is longer */

/* A request under way. */
struct slot {
	size_t op;                  /* index */
	const struct srv6_op *want; /* the caller's, or filled */
	struct srv6_op *filled;     /* ours, to give back */
	uint32_t at, len;           /* of the message in the buffer; len 0: nothing to send */
	bool failed;                /* the kernel refused: ack */
	bool acked;                 /* taken, as far as its word goes */
	bool echoed;                /* shown as done */
	bool matched;               /* and it is what was asked */
	bool lost;                  /* no answer, and none to be had */
	bool skipped;               /* so already, or refused here: err */
	bool direct;                /* the kernel itself finds just what is named: nothing was looked at before */
	bool told, worded;          /* *err, *ack hold something: untouched otherwise, which spares their pages */
	uint32_t large;             /* too large to be listed: its length */
	uint32_t echo_len;          /* at most, as far as can be told before */
	uint32_t attr;              /* what differs */
	int code;                   /* the kernel's: 0 or negative */
	bool wanted;                /* what is there now will be asked for: the echo is kept */
	struct nlmsghdr *echo;      /* a copy of what came back, where it differs or is wanted */
	struct srv6_error *err;
	struct ack *ack;
};

/* The slot's error, to fill. */
static inline struct srv6_error *slot_err(struct slot *sl)
{
	if (!sl->told)
		err_clear(sl->err);
	sl->told = true;
	return sl->err;
}

static inline bool slot_has_failed(const struct slot *sl)
{
	return sl->told && sl->err->code;
}

struct apply {
	struct srv6 *s;
	const struct srv6_op *ops;
	size_t n, next; /* next: the first that has not been sent */
	struct srv6_apply_opts opts;
	struct srv6_build_opts build;
	struct shot before; /* what was there, where that must be known */
	struct shot now;    /* what changes of this run have made of it, where that is known */
	bool objects_gone;  /* nexthop objects were deleted since that was looked at: routes go with them */
	struct sr_shot sr_before;
	struct reader reader;
	struct srv6_error first; /* the first failure; code 0: none yet */
	struct srv6_error err;   /* of the op that is looked at */
	uint32_t joined;         /* bytes of the hops that it joins: its echo shows them too */
	size_t n_after;          /* done behind the first failure */
	bool stop;

	struct room *room;
	struct slot *slots; /* MAX_SLOTS */
	size_t n_slots;
	uint8_t *buf, *again; /* messages; those to be sent once more */
	size_t len;
	uint32_t cost;               /* receive buffer that the answers may take */
	uint32_t hashes[1024];       /* of the keys in the batch */
	struct slot *map[MAX_SLOTS]; /* by sequence number */
	size_t n_map;
	uint32_t base; /* sequence number of map[0] */
	bool whole;    /* all that is in buf is in map */
	bool overrun, dead;
	bool checked;            /* all ops, and none was found bad */
	uint8_t objects, listed; /* enum objects: nexthop objects that routes may use, now and when they were listed */
	unsigned int n_gone;     /* times that it was looked what is where the kernel found nothing to delete */
};

enum objects { OBJECTS_UNKNOWN = 0, OBJECTS_NONE = 1, OBJECTS_SOME = 2 };

static inline bool is_op_generic(const struct srv6_op *op)
{
	return op->kind == SRV6_TUNSRC || op->kind == SRV6_HMAC;
}

/* ---- apply.c */
/* What this kernel would forget: 0, a refusal, or 1: it could not be asked, so what is there must be known before. */
int apply_probe(struct apply *a, const struct srv6_op *op, struct srv6_error *err);

/* ---- batch.c */
int batch_init(struct apply *a);
void batch_free(struct apply *a);
/* Adds op a->next. Returns 1: the batch is full, send it first. */
int batch_add(struct apply *a);
void batch_run(struct apply *a);     /* sends it, and leaves in every slot what became of it */
void batch_pretend(struct apply *a); /* as if it had gone well: in a dry run */
void batch_clear(struct apply *a);

/* ---- after.c */
void after_note(struct apply *a, const struct slot *sl); /* what became of it is known */
bool after_wanted(const struct apply *a, const struct srv6_op *op);
/* What is at the op's key now; read again where that is not known. */
int after_look(struct apply *a, const struct srv6_op *op, struct spot **ret, struct srv6_error *err);

/* ---- echo.c */
/* Whether echo is what op asked for, as far as that is told without reading it: false says nothing. req: op's request. */
bool echo_is_request(const struct srv6_op *op, const struct nlmsghdr *req, const struct nlmsghdr *echo);

/* ---- verify.c */
/* Whether have is what want made. */
bool verify_is(const struct srv6_op *want, const struct srv6_op *have, uint32_t *attr);
bool verify_echo(const struct srv6_op *want, const struct srv6_op *echo, uint32_t *attr);
bool verify_held(struct apply *a, const struct srv6_op *want, const struct spot *sp, uint32_t flags,
		 const struct held **ret);
/* 1: the op needs no request (err->code says whether that is a failure); 0: it does, *raw then may hold it; -errno */
int verify_before(struct apply *a, const struct srv6_op *op, struct srv6_error *err, const struct held **exact);
/* In the order of the ops, and again as they are sent: nexthop objects among them count. */
bool verify_needs_look(struct apply *a, const struct srv6_op *op);
/* A deletion that the kernel does exactly, given a request that says that there is no gateway. */
bool verify_is_direct(const struct apply *a, const struct srv6_op *op);
/* What is there, in the errors of such deletions that found nothing. */
void verify_gone(struct apply *a);
void verify_remedy(uint32_t attr, struct srv6_error *err);
/* What the kernel takes and could not list. Returns -EMSGSIZE. */
int verify_say_large(const struct srv6_op *op, uint32_t len, struct srv6_error *err);
/* Undoes what is not as asked, and says so in slot->err. */
void verify_undo(struct apply *a, struct slot *slot);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What text, JSON and grammar share about the model: names, defaults, and what belongs together. */
#ifndef SRV6_CLI_MODEL_H
#define SRV6_CLI_MODEL_H

#include "cli.h"

struct flag_name {
	uint32_t bit;
	const char *name;
};

/* Set by the kernel: shown, and passed over when read. End with a NULL name. */
extern const struct flag_name hop_flags[];
extern const struct flag_name route_flags[];
bool is_flag_word(const char *word);

/* All nexthop objects, by id, for routes that are listed without their hops. */
struct objects {
	struct srv6_op **op;
	size_t n, cap;
	struct srv6_hop *hops; /* of the route that was filled last */
};
bool objects_needed(void);
int objects_read(struct srv6 *s, struct objects *ret);
void objects_free(struct objects *o);
const struct srv6_route *objects_fill(struct objects *o, const struct srv6_route *route, struct srv6_route *room);

/* Names that operators use for compressed SIDs. */
struct usid {
	const char *name;
	uint32_t behavior;
	bool csid;     /* with the flavor next-csid */
	uint8_t nflen; /* where neither lengths nor a prefix say it; 0: the kernel's */
};
const struct usid *usid_find(const char *name);
const char *usid_name(const struct srv6_encap *e);                                            /* NULL: none fits */
void usid_fill(struct srv6_encap *e, const struct usid *usid, const struct srv6_prefix *dst); /* dst may be NULL */

/*
 * Where no numbering of the mobile behaviors was chosen, what is shown is of the one it was read in; and what is typed, of
 * the one whose encapsulation is named: from then on that one is chosen, as no kernel has two.
 */
const struct srv6_behavior_info *info_as_read(const struct ctx *c, const struct srv6_encap *e);
const struct srv6_behavior_info *numbering_of(struct ctx *c, uint32_t behavior, const char *type);

bool is_headend_mode(const struct srv6_behavior_info *info); /* "mode", not "action" */
bool encap_has_srh_word(const struct srv6_encap *e);         /* "srh segs" */
bool behavior_takes(const struct srv6_behavior_info *info, uint32_t attr);

bool route_is_default(const struct srv6_route *r, uint32_t attr); /* add gives this value anyway */
bool nexthop_is_default(const struct srv6_nexthop *n, uint32_t attr);
uint8_t nexthop_family(const struct srv6_nexthop *n); /* what add takes where it is not said */
bool nexthop_needs_family(const struct srv6_nexthop *n);

const char *hmac_algo_name(uint32_t algo);
int hmac_algo_number(const char *name, uint32_t *ret);
const char *op_verb_word(const struct srv6_op *op); /* of a command: "set", "prepend" */

#endif

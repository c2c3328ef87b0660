/* SPDX-License-Identifier: GPL-2.0-or-later */
/* srv6 doctor: what its engine (doctor.c) and its rows (doctor_*.c) share. */
#ifndef SRV6_DOCTOR_H
#define SRV6_DOCTOR_H

#include "netenv.h"

enum severity { INFO, WARNING, ERROR };

struct doctor;
struct check;
struct subject;
struct used;

/* What a row is tried on. */
enum scope_of_check {
	ON_ALL,     /* the namespace, once; s and u are NULL */
	ON_SUBJECT, /* each hop of a route that has an SRv6 encapsulation */
	ON_DEVICE   /* each device that SRv6 depends on */
};

/* A check: a row. What it finds is told with found() and remedy(). */
struct check {
	const char *code; /* stable */
	uint8_t severity; /* of what it finds, where the finding does not say otherwise */
	uint8_t on;       /* enum scope_of_check */
	uint8_t flags;    /* CHECK_* */
	void (*test)(struct doctor *d, const struct check *c, const struct subject *s, const struct used *u);
	const char *reads;
	const char *summary; /* what is wrong, in general: a line */
	const char *why;     /* why it matters: a sentence or two */
};
#define CHECK_BY_NAME 0x1u /* its remedy takes something away or can't be undone: "--fix all" leaves it alone */
#define CHECK_WHOLE   0x2u /* of the namespace alone: left out when a route or SID is asked about */

/* The rows, a table at the end of each file; code NULL ends it. Those of one code stand together. */
extern const struct check doctor_source_checks[], doctor_sysctl_checks[], doctor_sid_checks[], doctor_way_checks[];
extern const struct check doctor_mtu_checks[], doctor_kernel_checks[];

/* A row's test; which of s and u is there depends on the row. */
#define TEST(name)                                                                                                     \
	static void name(struct doctor *d, const struct check *c, const struct subject *s, const struct used *u)
#define UNUSED2(a, b) ((void)(a), (void)(b))

/* One hop of a route, with its encapsulation. */
struct subject {
	const struct srv6_op *op;
	const struct srv6_route *route;
	const struct srv6_hop *hop;
	const struct srv6_encap *encap;
	const struct srv6_behavior_info *info; /* NULL: unknown */
	uint32_t table;
	bool sid;                   /* an endpoint behavior, else a headend's */
	const struct net_link *dev; /* of the hop; NULL: none */
	const struct net_link *vrf; /* the VRF whose table the route is in; NULL: none */
	const char *label;          /* "SID fc00::1", "route 2001:db8::/64 table 100" */
	struct srv6_prefix
		target; /* where it sends packets: first segment, nh6, nh4; AF_UNSPEC: nowhere in particular */
	const struct srv6_op *way; /* the route there; NULL: see way_error */
	int way_error;
	const struct net_link *egress; /* the way's device */
};

/* A device, and for what. */
struct used {
	const struct net_link *link;
	const struct subject *by;
	const char *as; /* "the device of" */
	bool needs_ipv6;
};

#define MAX_REMEDIES 6

struct finding {
	const struct check *check;
	const struct subject *subject; /* NULL: none in particular */
	enum severity severity;
	const char *object, *text;
	const char *remedy[MAX_REMEDIES];
	uint32_t n_remedies;
	struct finding *next;
};

struct note {
	const char *text;
	struct note *next;
};

/* A routing table that was looked into. */
struct known_table {
	uint32_t table;
	uint8_t family;
	bool empty;
	struct known_table *next;
};

struct doctor {
	struct ctx *c;
	struct arena *a; /* of one examination */
	struct netenv env;

	struct srv6_op **ops; /* routes with SRv6 encapsulations, copied; then nexthop objects */
	struct srv6_op **nexthops;
	size_t n_ops, cap_ops, n_nexthops, cap_nexthops;
	struct subject *subjects; /* those asked about first: n_asked of them */
	size_t n_subjects, n_asked;
	struct used *used;
	size_t n_used;
	struct in6_addr tunsrc;
	int tunsrc_error; /* -errno: not to be read */
	uint32_t *keys;
	size_t n_keys, cap_keys;
	int keys_error;

	struct srv6_prefix wanted; /* asked about; AF_UNSPEC: everything */
	uint32_t wanted_table;     /* 0: any */
	bool partial;              /* a list may be incomplete */
	const char *needs;         /* a saved state that is to work here */

	struct known_table *tables;
	struct {
		bool asked;
		const struct net_link *egress, *vrf, *link;
	} widest;

	struct finding *findings, **last;
	struct note *notes, **last_note;
};

/* object: what it is about; NULL with a subject: its label. Returns the finding, to add remedies. */
struct finding *found(struct doctor *d, const struct check *c, const struct subject *s, const char *object,
		      const char *fmt, ...) PRINTF(5, 6);
/* A command: "sysctl -w ...", "ip ...", "srv6 ...". One with <WORDS> in it is for people alone. */
void remedy(struct doctor *d, struct finding *f, const char *fmt, ...) PRINTF(3, 4);
void remedy_sysctl(struct doctor *d, struct finding *f, const char *path, int value); /* "ipv6/conf/v0/forwarding" */
void remedy_op(struct doctor *d, struct finding *f, const struct srv6_op *op);        /* NULL: none */
const char *op_words(struct doctor *d, const struct srv6_op *op);                     /* "route replace ..." */
/* Once each. */
void not_checked(struct doctor *d, const char *fmt, ...) PRINTF(2, 3);

/* A sysctl; false: there is none, or it is noted as not checked. */
bool read_sysctl(struct doctor *d, const char *path, int *ret);
bool read_conf(struct doctor *d, const char *family, const struct net_link *l, const char *name, int *ret);

const char *text_addr(struct doctor *d, const struct srv6_prefix *p);   /* without length */
const char *text_prefix(struct doctor *d, const struct srv6_prefix *p); /* no length where it is full */
const char *text_in6(struct doctor *d, const struct in6_addr *addr);

/*
 * A change of what holds s's encapsulation (its route, or the nexthop object that the route uses), all of it the
 * caller's to edit. op NULL: none that is safe to make (a group, an unknown encapsulation).
 */
struct edit {
	struct srv6_op *op;
	struct srv6_route *route; /* NULL: a nexthop object */
	struct srv6_hop *hop;
	struct srv6_encap *encap;
};
struct edit edit(struct doctor *d, const struct subject *s, uint32_t verb);

/* doctor_common.c: what several checks ask */
bool encap_has(const struct srv6_encap *e, uint32_t attr);
bool encapsulates(const struct subject *s); /* writes an outer IPv6 header, and needs a source address for it */
bool takes_frames(const struct subject *s); /* H.Encaps.L2 and its kind */
bool is_port(const struct doctor *d, const struct net_link *l); /* packets may come in there */
bool is_local_addr(const struct doctor *d, const struct srv6_prefix *p);
/* That l is, or belongs to; NULL: none. */
const struct net_link *vrf_of(const struct doctor *d, const struct net_link *l);
/* Ports whose sysctl is 0 or not there, into off (room for all links). Returns their number. */
uint32_t ports_without(struct doctor *d, const char *family, const char *name, const struct net_link **off,
		       uint32_t *n_ports);
const char *list_names(struct doctor *d, const struct net_link *const *links, uint32_t n);
const char *device_object(struct doctor *d, const struct net_link *l);
const char *behavior_name(const struct subject *s);
/* ifindex 0: its own device. */
void remedy_again(struct doctor *d, struct finding *f, const struct subject *s, uint32_t ifindex);

/* doctor_read.c: the SRv6 state and its surroundings. Returns 0 or a negative errno that is described. */
int doctor_read(struct doctor *d);
void doctor_forget(struct doctor *d);

/* Where a subject sends its packets: the route there, followed once. free(*ret) */
int find_way(struct doctor *d, const struct subject *s, struct srv6_op **ret);
void make_subject(struct doctor *d, const struct srv6_op *op, const struct srv6_hop *hop, struct subject *ret);

#endif

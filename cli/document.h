/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state as a document: what save writes, and restore and apply read. The schema is in srv6-json(5). */
#ifndef SRV6_CLI_DOCUMENT_H
#define SRV6_CLI_DOCUMENT_H

#include "cli.h"

#define DOCUMENT_VERSION 1

/* Ops, and where each came from, for errors. */
struct item {
	struct srv6_op op;
	const char *file; /* NULL: the kernel */
	const char *path; /* "routes[3]" */
	void *block;      /* an srv6_copy() that op lies in; NULL: it lies elsewhere */
	bool fades;       /* a route of the kernel: has an encapsulation only until the document's objects are there */
};

struct items {
	struct item *item;
	size_t n, cap;
};

/* An HMAC key that must be there: the document has no secret for it. */
struct key_ref {
	uint32_t id;
	const char *file, *path;
};

struct document {
	struct arena arena;
	struct items hmac, nexthops, routes;
	struct key_ref *keys;
	size_t n_keys;
	bool prune;      /* what it owns and does not name shall go: routes that use such objects are looked for too */
	bool has_tunsrc; /* it says something of the tunnel source */
	struct srv6_tunsrc tunsrc;
	uint8_t protocol; /* of what it owns */
	bool has_protocol;
	bool item_by_item; /* what names a device that is not there is told, and the rest is read */
	unsigned long missing;
};

void items_add(struct items *l, const struct srv6_op *op, const char *file, const char *path);
void items_free(struct items *l);

/* Adds what the file says (a directory: its *.json, by name). Errors are described, with their place. */
int document_read(struct ctx *c, struct document *d, const char *file, const struct words *w, uint32_t word);
/* A document that was read into memory; text is not ended by NUL. */
int document_parse(struct ctx *c, struct document *d, const char *file, const char *text, size_t len);
/* What is said of a key that has no secret here and is not in the kernel. Returns -ENOENT. */
int document_lacks_key(struct ctx *c, const struct key_ref *k);
/* Whether the document itself has the secret. */
bool document_has_secret(const struct document *d, uint32_t key_id);
/* When all is read: routes and nexthop objects without a protocol get the document's. */
void document_own(struct document *d);
void document_free(struct document *d);

/* The whole of a file, at most 256 MiB; free(*ret). "-": standard input. Errors are described. */
int file_read(struct ctx *c, const char *file, const struct words *w, uint32_t word, char **ret, size_t *len);

/*
 * What the kernel has: copies, in lists. Of routes those with an encapsulation. With a document also those that its objects
 * give one, those that share their identity with one of it, and those that use a nexthop object that is to be pruned. Errors
 * are described; -ESTALE: may be incomplete, and filled all the same.
 */
struct state {
	struct items hmac, nexthops, routes;
	bool has_tunsrc, has_hmac; /* could be read */
	struct srv6_tunsrc tunsrc;
};

int state_read(struct ctx *c, struct state *s, const struct document *d);
void state_free(struct state *s);

/* What makes two routes one: family, destination, source, tos, table, metric; as a string of bytes to compare. */
struct identity {
	uint8_t family, dst_len, from_len, tos;
	uint32_t table, metric;
	uint8_t dst[16], from[16];
};

void identity_of(struct identity *ret, const struct srv6_route *r);

#endif

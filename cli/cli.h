/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the tool share. A command is a row in a table at the end of its file:
 *
 *   static int run(struct ctx *c, struct words *w, const struct command *cmd) { ... return DONE; }
 *   const struct command stats_commands[] = { { "stats", NULL, 0, ANY, run, "[PREFIX]", "rates of counters" }, { 0 } };
 *
 * and its table a line in main.c. Nothing here exits but for want of memory; a failure is described once, with
 * fail(), and told once, with complain().
 */
#ifndef SRV6_CLI_H
#define SRV6_CLI_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <json-c/json_types.h>
#include <libsrv6/libsrv6.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof(*(a)))
#define PRINTF(f, a)  __attribute__((format(printf, f, a)))

/* Where a word is looked for among many: most differ at once. */
static inline bool same(const char *a, const char *b)
{
	return *a == *b && !strcmp(a, b);
}

/* Exit status of the tool, and what a command returns. */
enum status {
	DONE = 0,
	REFUSED = 1, /* by the kernel, or not verified */
	USAGE = 2,   /* wrong words, wrong values: nothing was sent */
	PARTIAL = 3  /* the answer may be incomplete */
};

/* ---- arena.c: memory that is given back all at once; never NULL, zeroed, aligned as malloc's */

struct arena {
	struct block *blocks, *spare;
};

void *take(struct arena *a, size_t size);
char *take_text(struct arena *a, const char *s, size_t len);
char *take_printf(struct arena *a, const char *fmt, ...) PRINTF(2, 3);
void arena_wipe(struct arena *a); /* overwrites all of it with zeros first: for secrets */
void arena_free(struct arena *a);
/* qsort(), which may not be given a null pointer, for lists that may be empty. */
void sort_rows(void *rows, size_t n, size_t size, int (*compare)(const void *, const void *));
void arena_reset(struct arena *a); /* the same, but its memory is kept for what comes next */

/* ---- words: a command, from argv or from a line of a file */

struct word {
	const char *text;
	uint32_t column; /* of its first character in the line, from 0 */
	uint32_t width;  /* as it stands in the line */
	bool option;     /* written --word */
};

/*
 * Where an attribute was read, so that an error of the library finds its word. PLACE_ENCAP: where a hop's encapsulation
 * was named, for what is missing from it.
 */
#define PLACE_ENCAP 1000u
struct place {
	uint32_t hop, attr, word; /* word: the value, or what stands for itself */
	uint32_t name;            /* the attribute's word in front of it */
};

struct words {
	struct arena *arena; /* words and places lie here */
	const char *file;    /* NULL: argv */
	unsigned int line;   /* from 1 */
	const char *text;    /* the whole line, as it is shown above the caret */
	struct word *word;
	uint32_t n, i; /* i: the next */
	struct place *place;
	uint32_t n_places, cap_places;
};

struct ctx;

/* --x=y becomes the words x and y; a word "#" ends the line. */
void words_argv(struct words *w, struct arena *a, int argc, char **argv);
/*
 * Splits a line: blanks separate, "..." and '...' keep together, \ takes the next character (in "": \xHH a byte), # starts
 * a comment. Returns -EINVAL, described, for a quote without its end. text is copied.
 */
int words_line(struct ctx *c, struct words *w, struct arena *a, const char *file, unsigned int line, const char *text);

const char *words_peek(const struct words *w);      /* NULL: at the end */
const char *words_next(struct words *w);            /* NULL: at the end */
bool words_take(struct words *w, const char *word); /* the next is this word: go past it */
void words_place(struct words *w, uint32_t hop, uint32_t attr, uint32_t word);

/* All of these return 0, or a negative errno described in c->failure. what: "a key id" */
int words_value(struct ctx *c, struct words *w, const char *what, const char **ret);
int words_number(struct ctx *c, struct words *w, const char *what, uint32_t min, uint32_t max, uint32_t *ret);
int words_addr(struct ctx *c, struct words *w, const char *what, int family, struct srv6_prefix *ret);
int words_prefix(struct ctx *c, struct words *w, const char *what, int family, struct srv6_prefix *ret);
int words_end(struct ctx *c, struct words *w); /* nothing may follow */
/* The next word is none of those known (NULL ends the list); suggests one. Always fails. */
int words_unknown(struct ctx *c, struct words *w, const char *what, const char *const *known);

/* The nearest of the known words to word; NULL: none is near. */
const char *nearest(const char *word, const char *const *known);

/* ---- failures */

/* What failed, and the word at fault. */
struct failure {
	struct srv6_error e;
	const char *file; /* NULL: argv */
	unsigned int line;
	const char *text;       /* the line; NULL: none to show */
	uint32_t column, width; /* of the part at fault; width 0: none */
	char word[128];         /* the part at fault */
	char path[160];         /* or a place in a JSON document: "routes[3].hops[0].encap.segs[1]" */
};

struct links;

/* A writer of JSON; see jw.c below. */
struct jw {
	FILE *f;
	unsigned int depth;
	bool pretty;
	bool lines;     /* a line for each element of the outermost list */
	bool inner;     /* something stands before, on this level */
	bool after_key; /* a value comes next */
};

/* ---- the context: options, and what is opened when first needed */

#define LOOPBACK 1 /* the index of lo, in every network namespace */
#define ON_LOOPBACK                                                                                                    \
	"a route with an encapsulation on lo answers every packet with unreachable: the kernel takes it and never runs it"

struct ctx {
	bool json, pretty, stats, dry_run, hex, color, quiet, secrets, usid, no_verify;
	bool as_saved;     /* what is put back as it was is warned of, where it would be refused */
	bool stream;       /* list as it comes: flat memory; whether it was whole is said at the end */
	int family;        /* AF_UNSPEC, AF_INET, AF_INET6 */
	uint32_t mobile;   /* enum srv6_mobile */
	const char *netns; /* entered before any command runs */
	FILE *out;
	struct srv6 *s;     /* handle(), not this */
	struct arena arena; /* lives as long as the command */
	struct failure failure;
	struct links *links;
	struct jw jw;                        /* of the list being written */
	bool help, version;                  /* -h: tell about the command, don't run it */
	const struct command *const *tables; /* for help and completion */
};

/* The handle, opened at the first call. NULL: described in c->failure. */
struct srv6 *handle(struct ctx *c);

/*
 * Describes a failure; returns code. w NULL: no words. word: index into w, or NO_WORD.
 * fail_part: the fault is len characters at off in that word.
 */
#define NO_WORD UINT32_MAX
int fail(struct ctx *c, const struct words *w, uint32_t word, int code, const char *fmt, ...) PRINTF(5, 6);
int fail_part(struct ctx *c, const struct words *w, uint32_t word, size_t off, size_t len, int code, const char *fmt,
	      ...) PRINTF(7, 8);
int fail_remedy(struct ctx *c, const char *fmt, ...) PRINTF(2, 3); /* adds what to do; returns the code */
/* Takes over the library's error, with the word where its attribute was read. w may be NULL. Returns its code. */
int fail_lib(struct ctx *c, const struct words *w, const struct srv6_error *e);
/* Prints c->failure to standard error, in the form that -j asks for, and returns status. */
int complain(struct ctx *c, int status);
/* A warning, likewise. Nothing with -q. */
void warn(struct ctx *c, const struct words *w, uint32_t word, const char *fmt, ...) PRINTF(4, 5);

/* ---- commands */

#define ANY (-1)

struct command {
	const char *object;
	const char *verb; /* NULL: the object is the whole command */
	int min, max;     /* words after that; max ANY: any number */
	int (*run)(struct ctx *c, struct words *w, const struct command *cmd); /* enum status */
	const char *args;                                                      /* synopsis of those words */
	const char *help;                                                      /* one line */
	uint32_t arg;                                                          /* the run function's own */
	uint32_t flags;                                                        /* CMD_* */
	void (*details)(FILE *f);                                              /* more help, may be NULL */
};
#define CMD_DEFAULT  0x1u /* runs when the object stands without a verb */
#define CMD_NO_NETNS 0x2u /* -n makes no sense */
#define CMD_WORDS    0x4u /* help lists the words of routes and encapsulations */
#define CMD_HIDDEN   0x8u /* not listed: nobody types it */

extern const struct command route_commands[], sid_commands[], nexthop_commands[], tunsrc_commands[], hmac_commands[];
extern const struct command show_commands[], behavior_commands[], caps_commands[], decode_commands[],
	complete_commands[];
extern const struct command batch_commands[], save_commands[], apply_commands[], monitor_commands[], stats_commands[];
extern const struct command doctor_commands[], perf_commands[], mobile_commands[];

/* Finds the command that w starts with, checks the number of words, and runs it. Returns a status; has complained. */
int command_run(struct ctx *c, struct words *w);
/* The row alone, w standing behind its words; NULL: described. */
const struct command *command_find(struct ctx *c, struct words *w);

void help_options(FILE *f);
void help_tool(const struct ctx *c, FILE *f);
void help_object(const struct ctx *c, FILE *f, const char *object);
void help_command(const struct ctx *c, FILE *f, const struct command *cmd);
void doctor_codes(FILE *f); /* a line each */
void help_encaps(FILE *f);  /* what may follow encap, from the library's tables */

/* ---- ops <-> words, text, JSON */

/*
 * Reads the words after "route add" and the like into an op of that verb and kind; all that it points to lies in the
 * arena. The result has passed srv6_check. flags: PARSE_SID takes a behavior of its own for the object ("sid add").
 */
int parse_op(struct ctx *c, struct words *w, uint32_t verb, uint32_t kind, uint32_t flags, struct arena *a,
	     struct srv6_op *ret);
#define PARSE_SID 0x1u

/*
 * "route add ...", "sid del ...", "nexthop replace ...", "tunsrc set A", "hmac del 5": object, verb and all, as in a batch file.
 * -ENOMSG, described: not a command that changes anything.
 */
int parse_change(struct ctx *c, struct words *w, struct arena *a, struct srv6_op *ret);

int parse_change_as(struct ctx *c, struct words *w, const char *object, const char *verb, struct arena *a,
		    struct srv6_op *ret);
/* The rest of "hmac set ID ALGO": file F, fd N, or from the terminal; in files also secret HEX. */
void keep_from_cores(void); /* before memory holds a secret, or a file that may hold some */
int hmac_secret(struct ctx *c, struct words *w, struct arena *a, struct srv6_bytes *ret);

/* One line, without its end. What show prints and add reads. TEXT_VERB: with "route add " in front. */
void op_text(struct ctx *c, FILE *f, const struct srv6_op *op, uint32_t flags);
#define TEXT_VERB  0x1u
#define TEXT_STATS 0x2u /* counter values */
#define TEXT_NAMES 0x4u /* names of protocols and tables that /etc/iproute2 gives */

/*
 * The same as JSON, for those who build documents; the caller puts it. JSON_VERB: with "object" and "verb".
 * JSON_STATS: counter values. Lists are written with op_jw(), which this reads back.
 */
struct json_object *op_json(struct ctx *c, const struct srv6_op *op, uint32_t flags);
#define JSON_VERB  0x1u
#define JSON_STATS 0x2u

/*
 * Reads a JSON object as op_json writes it. verb, kind: what it is where it does not say ("verb", "object"). path: where it
 * stands, for errors: "routes[3]". An unknown key is an error. The result has passed srv6_check.
 */
int json_op(struct ctx *c, struct json_object *o, const char *path, uint32_t verb, uint32_t kind, struct arena *a,
	    struct srv6_op *ret);

const char *kind_name(uint32_t kind);                        /* "route" */
const char *verb_name(uint32_t verb);                        /* "add" */
const struct srv6_encap *op_encap(const struct srv6_op *op); /* of the first hop that has one; NULL */
bool op_is_sid(const struct srv6_op *op);                    /* an endpoint behavior rather than a headend's */
bool op_is_srv6(const struct srv6_op *op);                   /* has an SRv6 encapsulation, known or of an SRv6 type */

/* Checks and builds the message of op and prints it as a line of hex. */
int op_hex(struct ctx *c, FILE *f, const struct srv6_op *op);

/* Applies (or, with --dry-run and --hex, prints) ops that words gave; w may be NULL. Complains. Returns a status. */
int apply_ops(struct ctx *c, const struct words *w, const struct srv6_op *ops, size_t n);
int run_verb(struct ctx *c, struct words *w, const struct command *cmd); /* of the object and the verb that cmd says */

/* What could be wrong though the kernel takes it: link-local segments, lengths that do not fit. Warns. */
void lint_op(struct ctx *c, const struct words *w, const struct srv6_op *op);

/* ---- filters of show, flush, monitor, stats */

struct filter {
	struct srv6_route route; /* what the kernel can filter */
	struct srv6_hop hop;
	uint32_t behavior;   /* SRV6_OTHER: any */
	struct in6_addr seg; /* a segment it contains */
	bool has_seg, sids, headends, nhid;
	bool all; /* "all": everything with an encapsulation, said in so many words */
	struct srv6_prefix prefix;
	uint32_t how;   /* enum how, for prefix */
	uint32_t given; /* number of conditions */
};
enum how { HOW_ANY = 0, HOW_ROOT, HOW_MATCH, HOW_EXACT };

int filter_parse(struct ctx *c, struct words *w, struct filter *ret);
bool filter_matches(const struct filter *f, const struct srv6_op *op);
/* Dumps kind with f; cb as in srv6_dump. Returns 0 or a negative errno that is described (-ESTALE: may be incomplete). */
int filter_dump(struct ctx *c, struct filter *f, uint32_t kind, uint32_t flags, srv6_cb cb, void *arg);

/* ---- output: lines, or one JSON array written as it comes */

void list_begin(struct ctx *c);
void list_json(struct ctx *c, struct json_object *o);  /* puts o */
void list_op(struct ctx *c, const struct srv6_op *op); /* text or JSON */
int list_cb(const struct srv6_op *op, void *c);        /* srv6_cb: the same, until nobody reads it any more */
int list_end(struct ctx *c, int status);
void print_json(struct ctx *c, struct json_object *o); /* one document or line; puts o */
int flush_out(struct ctx *c, int status);              /* what could not be written becomes REFUSED */

/* ---- jw.c: JSON written as it comes; commas and, with pretty, line breaks are its own */

void jw_open(struct jw *j, char bracket);  /* { or [ */
void jw_close(struct jw *j, char bracket); /* } or ] */
void jw_key(struct jw *j, const char *key);
void jw_string(struct jw *j, const char *s); /* whatever bytes: what is not UTF-8 becomes U+FFFD */
void jw_number(struct jw *j, uint64_t n);
void jw_true(struct jw *j);
void jw_json(struct jw *j, const char *text);            /* a whole value, as it is */
size_t utf8(const unsigned char *s);                     /* length of the character at s; 0: it is none */
void put_json(FILE *f, const char *text);                /* what json-c wrote, with all escaped that terminals act on */
void jw_hex(struct jw *j, const void *data, size_t len); /* as a string */

/* Writes the members of an op's object; the caller opens and closes it. flags as for op_json. */
void op_jw(struct ctx *c, struct jw *j, const struct srv6_op *op, uint32_t flags);
void encap_jw(struct ctx *c, struct jw *j, const struct srv6_encap *e, uint32_t flags);
void encap_text(struct ctx *c, FILE *f, const struct srv6_encap *e, uint32_t flags); /* "seg6 mode ..." */

/* ---- shapes.c: a field of an object, by its row: from text, to text, to JSON, from JSON */

struct scan {
	struct ctx *c;
	struct arena *a;
	const struct srv6_attr_info *row;
	void *obj;       /* the struct that row's offset is in */
	size_t off, len; /* of the part at fault, in the text; len 0: all of it */
	char text[160];  /* what is wrong: "an IPv6 address is expected, not 'x'" */
	char remedy[160];
};

int shape_scan(struct scan *s, const char *text);
void shape_text(struct ctx *c, FILE *f, const struct srv6_attr_info *row, const void *obj);
void shape_jw(struct ctx *c, struct jw *j, const struct srv6_attr_info *row, const void *obj);
int shape_read(struct scan *s, struct json_object *o); /* s->off: index of the element at fault, in a list */
bool shape_is_flag(uint32_t shape);                    /* nothing follows the word */
const char *text_word(const struct srv6_attr_info *row);
const char *json_key(const struct srv6_attr_info *row);

/* ---- bpf.c: programs of End.BPF */

int bpf_words(struct ctx *c, struct words *w, struct arena *a, struct srv6_bpf *ret);
void bpf_text(FILE *f, const struct srv6_bpf *bpf);
void bpf_jw(struct jw *j, const struct srv6_bpf *bpf);
/* A descriptor, or a negative errno and why. */
int bpf_load(const char *file, const char *section, char *why, size_t size);
int bpf_read(struct scan *s, struct json_object *o, struct srv6_bpf *ret);

/* ---- values.c: single values as text */

int value_addr(const char *s, size_t len, int family, struct srv6_prefix *ret);   /* 0, -EINVAL */
int value_prefix(const char *s, size_t len, int family, struct srv6_prefix *ret); /* host bits are kept */
int value_number(const char *s, uint64_t max, uint64_t *ret);                     /* 10, 0x10 */
int value_hex(struct arena *a, const char *s, struct srv6_bytes *ret);            /* "00ff" */
#define ADDR_TEXT 64                                                              /* room for any address or prefix */
size_t format_addr(char *out, int family, const void *addr);                      /* returns the length */
/* No length where it is full; "default" without a family. */
size_t format_prefix(char *out, const struct srv6_prefix *p);
void print_prefix(FILE *f, const struct srv6_prefix *p);
void print_addr(FILE *f, int family, const void *addr);
/* Quoted where it has to be: a terminal is never given control characters. */
void print_name(FILE *f, const char *name);
void print_hex(FILE *f, const void *data, size_t len);

/* ---- links.c: names of devices, tables, protocols */

int link_index(struct ctx *c, const char *name, uint32_t *ret); /* 0, -ENODEV; "if12" is read too */
const char *link_name(struct ctx *c, uint32_t ifindex);         /* valid until the next call; "if12" where it is gone */
void links_forget(struct ctx *c);                               /* names may have changed */
void link_remember(struct ctx *c, uint32_t ifindex, const char *name); /* as an event told it, until links_forget() */
/* From now on, until they are forgotten, a device is looked up once: for many lines that are read and sent together. */
void links_hold(struct ctx *c);
void links_close(struct ctx *c);
int vrf_table(struct ctx *c, const char *name, uint32_t *ret); /* 0, -ENODEV, -ENOTUNIQ: no VRF */
/* Names that every system has; local: also those that iproute2's files give on this one. NULL: it has none. */
const char *table_name(uint32_t table, bool local);
const char *protocol_name(uint8_t protocol, bool local);
const char *scope_name(uint8_t scope);
const char *rtype_name(uint8_t type);
int table_number(const char *name, uint32_t *ret); /* a number or a name; 0, -ENOENT */
int protocol_number(const char *name, uint8_t *ret);
int scope_number(const char *name, uint8_t *ret);
int rtype_number(const char *name, uint8_t *ret);
#define PROTOCOL_SRV6 143 /* routes that "srv6 apply" owns; free in the kernel's and iproute2's lists */
bool address_is_ours(struct ctx *c, const struct in6_addr *addr);

/* netns.c */
int netns_open(const char *name); /* a file descriptor; a name below /run/netns, or a path; -errno */
int netns_enter(struct ctx *c, const char *name);

#endif

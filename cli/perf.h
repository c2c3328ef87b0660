/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of "srv6 perf" share: frames, the engine that sends and counts them, the namespaces they cross,
 * the behaviors that are measured, and the figures.
 */
#ifndef SRV6_PERF_H
#define SRV6_PERF_H

#include <net/ethernet.h>

#include "cli.h"

/* ---- perf_frame.c: frames, as they go in and as they must come out */

/*
 * A test run holds a frame in one page, with the headroom, the kernel's own head and the shared info of a socket
 * buffer beside it: what is left is about 3,300 bytes.
 */
#define FRAME_ROOM 3200
#define FRAME_MIN  88 /* 14 + 40 + 8 + 26 bytes of payload */

struct frame {
	uint32_t len;
	uint32_t head; /* bytes of headers, which forwarding changes: written anew for each frame */
	uint8_t data[FRAME_ROOM];
};

/* What is in a frame, from the inside out. */
enum inner {
	INNER_IP6 = 0,
	INNER_IP4,
	INNER_ETHER,    /* an Ethernet frame with IPv6 in it */
	INNER_OTHERHOST /* IPv6, the Ethernet header addressed to somebody else */
};
enum wrap {
	WRAP_NONE = 0,
	WRAP_INSERT, /* an SRH put behind the IPv6 header that is there */
	WRAP_ENCAPS,
	WRAP_RED,  /* without the first segment in the SRH, without an SRH where that was all */
	WRAP_MAP,  /* an IPv6 header that is the packet's own, its destination the segment */
	WRAP_GTP4, /* GTP-U over UDP over IPv4 */
	WRAP_GTP6  /* GTP-U over UDP over IPv6 */
};
enum path {
	PATH_HEADEND = 0, /* all of the segments are ahead */
	PATH_THROUGH,     /* this node's SID, and all of them ahead */
	PATH_LAST,        /* as many as asked, the last one this node's SID */
	PATH_MOBILE,      /* as PATH_LAST, with a SID that carries a session */
};
struct shape {
	uint8_t inner, wrap, path;
	uint8_t left; /* segments ahead, counted from the end of what --segments asked: 0 none, 1 all, 2 all but one */
	uint8_t hops; /* hop limit of the inner header */
	uint8_t wrap_hops; /* and of the outer one */
};

struct perf_opts;
/* -EMSGSIZE: it does not fit. src: of the outer header. to_far: as it leaves, otherwise as it arrives. */
int frame_build(struct frame *f, const struct shape *shape, const struct perf_opts *o, const struct in6_addr *src,
		bool to_far);
/* The segments of a path, in path order; returns how many. */
uint32_t perf_path(const struct perf_opts *o, uint32_t path, struct in6_addr *segs);
#define PERF_SEGS_MAX 120 /* an SRH of as many segments and all the rest fit in FRAME_ROOM */

/* ---- addresses: documentation prefixes and ULA, in namespaces of our own */

#define ADDR_ROUTER  "2001:db8:ff::1" /* on the way out */
#define ADDR_FAR     "2001:db8:ff::2"
#define ADDR_TUNSRC  "2001:db8:5::5" /* not the one that the kernel selects: a frame shows which was used */
#define ADDR_SRC     "2001:db8:1::2"
#define ADDR_DST     "2001:db8:2::2"
#define ADDR_SID     "fd00:f::1"
#define ADDR_MOBILE  "fd00:e::"
#define ADDR_SEGS    "fd00:1::"
#define ADDR4_ROUTER "192.0.2.1"
#define ADDR4_FAR    "192.0.2.2"
#define ADDR4_SRC    "198.51.100.2"
#define ADDR4_DST    "203.0.113.2"
#define TABLE_DT     100
#define TABLE_VRF    101

extern const uint8_t mac_in[ETH_ALEN], mac_gen[ETH_ALEN], mac_out[ETH_ALEN], mac_far[ETH_ALEN];
struct in6_addr perf_in6(const char *text);
struct in_addr perf_in4(const char *text);

/* ---- perf_engine.c: sends, counts, and takes the time */

/* Lives in a map that the counting program and this one both see. */
struct sink_shared {
	uint64_t right, other;       /* arrived, with and without the length and the addresses expected */
	uint64_t len, want[4];       /* expected: length, bytes SINK_FROM to SINK_FROM + 32 of the frame */
	uint64_t sample, sample_len; /* sample 1: copy frames until one is right */
	uint8_t frame[FRAME_ROOM];
};
#define SINK_FROM 22 /* the addresses of an IPv6 header behind Ethernet's; of IPv4: time to live to the UDP header */

struct sink {
	int map, prog;
	struct sink_shared *shared;
	size_t map_len;
};

struct cost {
	double cpu, wall; /* ns a frame */
};

/* 0 or -errno; what (never NULL) then says in words what could not be done. */
int sink_open(struct sink *s, const char **what);
void sink_close(struct sink *s);
void sink_expect(struct sink *s, const struct frame *f); /* and starts from 0, with a sample */

/* In the network namespace of the calling thread; a file descriptor: closing it detaches. */
int xdp_attach(int prog, uint32_t ifindex, bool generic);
int xdp_replace(int link, int prog);
/* A program that makes each frame f and lets it pass, or (drop) ends it there. */
int gen_load(const struct frame *f, uint32_t headroom, bool drop);
int gen_load_pass(void); /* the one that is attached, so that the device has its receive queue */
int gen_run(int prog, uint32_t ifindex, const struct frame *f, uint32_t headroom, uint32_t frames, struct cost *ret);

int perf_pin(uint32_t cpu);

/* ---- perf_topology.c: the namespaces */

/* The router under test and the far end, two veth pairs between them. */
struct box {
	int router, far;        /* network namespaces */
	uint32_t in, out, sink; /* interface indexes; sink is in far */
	int links[2];           /* programs attached */
	uint32_t addresses;
	bool vrf;
	uint32_t vrf_ifindex;
	struct srv6 *s;
};

/* Describes its failure in c. The calling thread is in the router's namespace afterwards. */
int box_open(struct ctx *c, struct box *b, uint32_t addresses, const struct sink *sink);
int box_enter(const struct box *b);
void box_close(struct box *b);

/* ---- perf_behaviors.c: what is measured */

struct perf_row {
	const char *name;
	uint32_t behavior; /* SRV6_OTHER: a plain route, or none */
	uint32_t dst;      /* enum perf_dst: of the route under test */
	uint64_t has;      /* attributes beside those that the behavior requires */
	uint32_t flags;    /* ROW_* */
	struct shape in, out;
	const char *help;
};
enum perf_dst { DST_NONE = 0, DST_IP6, DST_IP4, DST_SID, DST_MOBILE };
#define ROW_TUNSRC   0x1u   /* measured without and with a tunnel source */
#define ROW_COUNT    0x2u   /* and with counters */
#define ROW_VRF      0x4u   /* needs a VRF */
#define ROW_BASE     0x8u   /* what the instrument itself costs */
#define ROW_DROP     0x10u  /* ended by the generator */
#define ROW_LOOSE    0x20u  /* proposed: arrival is checked, contents are not */
#define ROW_VIA      0x40u  /* the route under test has a gateway */
#define ROW_HEADLINE 0x80u  /* of "perf tunsrc" */
#define ROW_GATEWAY  0x100u /* the behavior's next hop is behind a gateway, not on the link */

extern const struct perf_row perf_rows[];
extern const size_t perf_n_rows;

enum variant { VARIANT_PLAIN = 0, VARIANT_TUNSRC, VARIANT_COUNT };

/* Installs, and takes away, what row needs in its variant. */
int row_install(const struct perf_row *row, uint32_t variant, const struct perf_opts *o, struct box *b);
int row_remove(const struct perf_row *row, uint32_t variant, const struct perf_opts *o, struct box *b);
/* The kernel cannot: text says why. */
bool row_lacks(const struct perf_row *row, struct box *b, char *text, size_t len);
/* What is there for all rows: routes to the segments, tables. 0, or an error that srv6_error(b->s) describes. */
int box_routes(struct box *b);

/* ---- perf_run.c: cases and rounds */

struct perf_opts {
	uint32_t size, segments, addresses, rounds, frames, cpu;
	bool sweep, pdr;
	bool route_tunsrc; /* this kernel keeps a tunnel source by route */
	const char *plot;
};

/* Figures of a case, in ns a frame. */
struct figures {
	double median, q1, q3;
	double wall; /* median of wall time */
};

/* A row in a variant, in a box. */
struct perf_case {
	const struct perf_row *row;
	uint32_t variant; /* enum variant */
	struct box *box;
	int prog;
	uint32_t frames;    /* a round */
	uint32_t disturbed; /* rounds without an undisturbed pass */
	uint64_t lost;      /* sent and not arrived, in all rounds */
	char lacks[384];    /* why it is not measured; "": it is */
	bool wrong;         /* not measured, though this kernel should do it */
	struct frame in, out;
	double *cpu, *wall; /* by round; sorted at the end */
	struct figures f;
};

struct perf_run {
	struct perf_opts *o;
	struct sink sink;
	uint32_t headroom;
	struct box *boxes;
	size_t n_boxes;
	struct perf_case *cases;
	size_t n_cases, cap_cases, n_measured;
	double spread; /* of the noisiest case: what lies between its quartiles, in per cent of its median */
	double noise;  /* the same, median of the cases */
	uint64_t passes, undisturbed; /* all of them, and those in which the thread had the processor all the time */
};

int run_open(struct ctx *c, struct perf_run *r, const uint32_t *addresses, size_t n);
/* All variants of row, in one box. Rows that this kernel cannot do become cases with a reason. */
void run_add(struct perf_run *r, const struct perf_row *row, struct box *b);
int run_measure(struct ctx *c, struct perf_run *r);
void run_close(struct perf_run *r);
/* Measured cases alone; NULL: there is none. */
const struct perf_case *run_find(const struct perf_run *r, const char *name, uint32_t variant, const struct box *b);

/* ---- perf_report.c */

void perf_text(struct ctx *c, const struct perf_run *r);
void perf_json(struct ctx *c, const struct perf_run *r);
bool perf_can_plot(void);
int perf_plot(struct ctx *c, const struct perf_run *r);
int perf_plot_check(struct ctx *c, const char *file); /* whether it can be written */

extern const struct command perf_commands[];

#endif

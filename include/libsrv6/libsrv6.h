/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libsrv6 - Linux SRv6 (segment routing over IPv6) over netlink
 *
 * Three layers, each usable without the next:
 *
 *   tables   what a behavior is called, needs and allows        no state at all
 *   codec    struct srv6_op <-> the bytes of one message        no socket, no allocation
 *   kernel   verified changes, dumps, events                    struct srv6, one per thread
 *
 * Conventions
 *   - Functions return 0 or a negative errno value and leave errno alone. On failure outputs are untouched.
 *   - Addresses are in network byte order, as in struct in6_addr; every other number is in host byte order.
 *     Lengths are in bytes, prefix lengths in bits.
 *   - Nothing is owned across a call. What is passed in is read before the call returns; what a callback
 *     is given is valid until it returns. To keep something: srv6_copy().
 *   - A struct that starts with sz may grow in later versions: set sz to its sizeof (SRV6_INIT does), and leave
 *     what you do not set zero. It is passed by pointer, never in an array. All other structs are frozen.
 *   - The library never prints, exits, reads the environment, or keeps state outside the handle.
 *   - Functions without a handle may run in any number of threads; a handle is for one thread at a time. A callback may not
 *     call functions of its handle, but for that of a list that is not streamed.
 *   - Everything here is there since 0.1, where nothing else is said. Manual: libsrv6(3) and the pages it names.
 *
 * Sources: the kernel's rtnetlink (routes, nexthop objects), lwtunnel, seg6_iptunnel, seg6_local, seg6_hmac and seg6_genl
 * interfaces; RFC 8754 (SRH), RFC 8986 (behaviors), RFC 9800 (next-csid), RFC 9433 (mobile user plane).
 */
#ifndef LIBSRV6_H
#define LIBSRV6_H

#include <stddef.h>
#include <stdint.h>
#include <netinet/in.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SRV6_VERSION "0.1.0"

struct nlmsghdr;
struct srv6; /* the handle: sockets and the last error */

/* { sizeof(type) }, the rest zero: struct srv6_encap e = SRV6_INIT(struct srv6_encap); */
/* clang-format off */
#ifdef __cplusplus
#define SRV6_INIT(type) { sizeof(type) }
#else
#define SRV6_INIT(type) { .sz = sizeof(type) }
#endif
/* clang-format on */

/* ------------------------------------------------------------------ tables */

/*
 * The SRv6 functions of Linux. Names and numbers are this library's own and never change;
 * the kernel's numbers are in the family files of lib/ alone.
 */
enum srv6_behavior {
	SRV6_OTHER = 0, /* an encapsulation, mode or action this library does not know: number and bytes */

	SRV6_H_INSERT = 1, /* RFC 8986 does not keep it; Linux: mode inline */
	SRV6_H_ENCAPS = 2,
	SRV6_H_ENCAPS_RED = 3,
	SRV6_H_ENCAPS_L2 = 4,
	SRV6_H_ENCAPS_L2_RED = 5,

	SRV6_END = 6,
	SRV6_END_X = 7,
	SRV6_END_T = 8,
	SRV6_END_DX2 = 9,
	SRV6_END_DX6 = 10,
	SRV6_END_DX4 = 11,
	SRV6_END_DT6 = 12,
	SRV6_END_DT4 = 13,
	SRV6_END_DT46 = 14,
	SRV6_END_B6 = 15,
	SRV6_END_B6_ENCAPS = 16,
	SRV6_END_BM = 17, /* this one and the next three: in the UAPI, in no kernel */
	SRV6_END_S = 18,
	SRV6_END_AS = 19,
	SRV6_END_AM = 20,
	SRV6_END_BPF = 21,

	SRV6_END_MAP = 22, /* RFC 9433, from here on; in no released kernel yet */
	SRV6_END_M_GTP6_D = 23,
	SRV6_END_M_GTP6_D_DI = 24,
	SRV6_END_M_GTP6_E = 25,
	SRV6_END_M_GTP4_E = 26,
	SRV6_H_M_GTP4_D = 27
};
#define SRV6_N_BEHAVIORS 28

/* The numberings of the mobile behaviors; see srv6-mobile(8). */
enum srv6_mobile {
	SRV6_MOBILE_AUTO = 0, /* with a handle: the one this kernel speaks; without: the newest */
	SRV6_MOBILE_SEG6 = 1, /* "seg6mobile": an encapsulation type of its own */
	SRV6_MOBILE_V2 = 2    /* "mobile-v2": actions of seg6local, as proposed in May 2026 */
};

/* What an attribute belongs to. enum srv6_attr >> 6 is its owner, enum srv6_attr & 63 its bit in the owner's has. */
enum srv6_owner { SRV6_OWNER_ENCAP = 0, SRV6_OWNER_HOP = 1, SRV6_OWNER_ROUTE = 2, SRV6_OWNER_NEXTHOP = 3 };

/* Every attribute there is: of an encapsulation, a hop, a route, a nexthop object. */
enum srv6_attr {
	/* struct srv6_encap */
	SRV6_ATTR_SEGS = 0,
	SRV6_ATTR_TUNSRC = 1,
	SRV6_ATTR_LOOKUP = 2,
	SRV6_ATTR_HMAC = 3,
	SRV6_ATTR_TAG = 4,
	SRV6_ATTR_SRH_FLAGS = 5,
	SRV6_ATTR_TLVS = 6,
	SRV6_ATTR_RAW_SRH = 7,
	SRV6_ATTR_TABLE = 8,
	SRV6_ATTR_VRFTABLE = 9,
	SRV6_ATTR_NH4 = 10,
	SRV6_ATTR_NH6 = 11,
	SRV6_ATTR_IIF = 12,
	SRV6_ATTR_OIF = 13,
	SRV6_ATTR_BPF = 14,
	SRV6_ATTR_COUNT = 15,
	SRV6_ATTR_FLAVORS = 16,
	SRV6_ATTR_LBLEN = 17,
	SRV6_ATTR_NFLEN = 18,
	SRV6_ATTR_MAPPED_SID = 19,
	SRV6_ATTR_SRC = 20,
	SRV6_ATTR_PDU_TYPE = 21,
	SRV6_ATTR_V6_SRC_PREFIX_LEN = 22,
	SRV6_ATTR_SR_PREFIX_LEN = 23,
	SRV6_ATTR_V4_MASK_LEN = 24,
	SRV6_ATTR_UDP6_ZEROCSUM_TX = 25,
	SRV6_ATTR_UNKNOWN = 26,
	SRV6_ATTR_RAW = 27,

	/* struct srv6_hop */
	SRV6_ATTR_VIA = 64,
	SRV6_ATTR_DEV = 65,
	SRV6_ATTR_WEIGHT = 66,
	SRV6_ATTR_ONLINK = 67,
	SRV6_ATTR_REALMS = 68,
	SRV6_ATTR_HOP_UNKNOWN = 69,

	/* struct srv6_route */
	SRV6_ATTR_TYPE = 128,
	SRV6_ATTR_DST = 129,
	SRV6_ATTR_FROM = 130,
	SRV6_ATTR_TOS = 131,
	SRV6_ATTR_ROUTE_TABLE = 132,
	SRV6_ATTR_METRIC = 133,
	SRV6_ATTR_PROTOCOL = 134,
	SRV6_ATTR_SCOPE = 135,
	SRV6_ATTR_PREFSRC = 136,
	SRV6_ATTR_NHID = 137,
	SRV6_ATTR_PREF = 138,
	SRV6_ATTR_EXPIRES = 139,
	SRV6_ATTR_TTL_PROPAGATE = 140,
	SRV6_ATTR_LOCK = 141, /* metrics that path MTU discovery may not change: bit n for metric n */
	/* RTA_METRICS: SRV6_ATTR_METRIC_BASE + RTAX_* */
	SRV6_ATTR_METRIC_BASE = 142,
	SRV6_ATTR_MTU = 144,
	SRV6_ATTR_WINDOW = 145,
	SRV6_ATTR_RTT = 146,
	SRV6_ATTR_RTTVAR = 147,
	SRV6_ATTR_SSTHRESH = 148,
	SRV6_ATTR_CWND = 149,
	SRV6_ATTR_ADVMSS = 150,
	SRV6_ATTR_REORDERING = 151,
	SRV6_ATTR_HOPLIMIT = 152,
	SRV6_ATTR_INITCWND = 153,
	SRV6_ATTR_FEATURES = 154,
	SRV6_ATTR_RTO_MIN = 155,
	SRV6_ATTR_INITRWND = 156,
	SRV6_ATTR_QUICKACK = 157,
	SRV6_ATTR_CONGCTL = 158,
	SRV6_ATTR_FASTOPEN_NO_COOKIE = 159,
	SRV6_ATTR_ROUTE_UNKNOWN = 160,

	/* struct srv6_nexthop */
	SRV6_ATTR_NH_ID = 192,
	SRV6_ATTR_NH_GROUP = 193,
	SRV6_ATTR_NH_GROUP_TYPE = 194,
	SRV6_ATTR_NH_BLACKHOLE = 195,
	SRV6_ATTR_NH_FDB = 196,
	SRV6_ATTR_NH_PROTOCOL = 197,
	SRV6_ATTR_NH_SCOPE = 198,
	SRV6_ATTR_NH_MASTER = 199,
	SRV6_ATTR_NH_UNKNOWN = 200,

	SRV6_ATTR_NONE = 255
};
#define SRV6_BIT(attr) ((uint64_t)1 << (63 & (attr)))
#define SRV6_HAS(name) SRV6_BIT(SRV6_ATTR_##name)

/* How a field is held in its struct, and so how it is written and read. */
enum srv6_shape {
	SRV6_SHAPE_FLAG = 0,      /* no field: the has bit is all */
	SRV6_SHAPE_U8 = 1,        /* uint8_t */
	SRV6_SHAPE_U16 = 2,       /* uint16_t */
	SRV6_SHAPE_U32 = 3,       /* uint32_t */
	SRV6_SHAPE_HEX8 = 4,      /* uint8_t, written in hexadecimal */
	SRV6_SHAPE_IN4 = 5,       /* struct in_addr */
	SRV6_SHAPE_IN6 = 6,       /* struct in6_addr */
	SRV6_SHAPE_ADDR = 7,      /* struct srv6_prefix, len full */
	SRV6_SHAPE_PREFIX = 8,    /* struct srv6_prefix */
	SRV6_SHAPE_IFINDEX = 9,   /* uint32_t */
	SRV6_SHAPE_TABLE = 10,    /* uint32_t, with names of its own: main, local */
	SRV6_SHAPE_PROTOCOL = 11, /* uint8_t, likewise */
	SRV6_SHAPE_SCOPE = 12,    /* uint8_t, likewise */
	SRV6_SHAPE_RTYPE = 13,    /* uint8_t, RTN_*: unicast, blackhole */
	SRV6_SHAPE_PREF = 14,     /* uint8_t, ICMPV6_ROUTER_PREF_*: low, medium, high */
	SRV6_SHAPE_SEGS = 15,     /* const struct in6_addr *segs and uint32_t n_segs */
	SRV6_SHAPE_BYTES = 16,    /* struct srv6_bytes */
	SRV6_SHAPE_BPF = 17,      /* struct srv6_bpf */
	SRV6_SHAPE_COUNTERS = 18, /* struct srv6_counters */
	SRV6_SHAPE_FLAVORS = 19,  /* uint32_t of SRV6_FLAVOR_* */
	SRV6_SHAPE_PDU_TYPE = 20, /* uint8_t: 0 dl, 1 ul */
	SRV6_SHAPE_MSEC = 21,     /* uint32_t, milliseconds (the kernel's unit is in the codec) */
	SRV6_SHAPE_STRING = 22,   /* const char * */
	SRV6_SHAPE_GROUP = 23,    /* const struct srv6_group *group and uint32_t n_group */
	SRV6_SHAPE_WEIGHT = 24,   /* uint16_t, 1..256 */
	SRV6_SHAPE_REALMS = 25,   /* uint32_t: from in the upper half, to in the lower */
	SRV6_SHAPE_LOCK = 26      /* uint32_t, a bit a metric */
};

/* Flavors of RFC 8986 4.16 and RFC 9800; bits of srv6_encap.flavors, the same as the kernel's. */
#define SRV6_FLAVOR_PSP       0x02u
#define SRV6_FLAVOR_USP       0x04u
#define SRV6_FLAVOR_USD       0x08u
#define SRV6_FLAVOR_NEXT_CSID 0x10u

#define SRV6_FAMILY_IN4 0x1u
#define SRV6_FAMILY_IN6 0x2u

/* A behavior's row. The library's own, constant, may grow at its end. */
struct srv6_behavior_info {
	uint32_t behavior;
	uint32_t families;   /* SRV6_FAMILY_*: of the routes that may carry it */
	const char *name;    /* RFC 8986 or RFC 9433: "H.Encaps", "End.DT46" */
	const char *word;    /* iproute2's word for mode or action: "encap", "End.DT46" */
	const char *encap;   /* iproute2's word after encap: "seg6", "seg6local", "seg6mobile" */
	const char *rfc;     /* "RFC 8986 4.8"; NULL: none */
	const char *since;   /* kernel version that brought it; NULL: no released kernel has it */
	const char *summary; /* what it does to a packet, in a line */
	uint64_t required;   /* SRV6_BIT()s that must be there */
	uint64_t optional;   /* and those that may */
	uint64_t one_of;     /* exactly one of these (they are in neither of the above) */
	uint32_t flavors;    /* SRV6_FLAVOR_* that it takes */
	uint32_t status;     /* enum srv6_status */
};

enum srv6_status {
	SRV6_STATUS_KERNEL = 0,  /* some released kernel implements it */
	SRV6_STATUS_UAPI = 1,    /* named in the kernel's headers, implemented by none */
	SRV6_STATUS_PROPOSED = 2 /* proposed; numbers may still move */
};

/* The row of a behavior in a numbering (enum srv6_mobile; matters for mobile behaviors only). NULL: no such. */
const struct srv6_behavior_info *srv6_behavior_info(uint32_t behavior, uint32_t mobile);

/*
 * Finds a behavior by name or iproute2 word, exactly ("H.Encaps", "encap", "End.X"). encap NULL: any encapsulation,
 * else only those of that iproute2 word. Returns SRV6_OTHER where there is none.
 */
uint32_t srv6_behavior_find(const char *encap, const char *word);

/* An attribute's row. The library's own, constant, may grow at its end. */
struct srv6_attr_info {
	uint32_t attr;
	uint32_t shape;    /* enum srv6_shape */
	size_t offset;     /* of the field in its owner's struct */
	const char *word;  /* the command line's word and the JSON key */
	const char *alias; /* a second word that is read too; NULL: none */
	const char *arg;   /* what follows the word in a synopsis: "ADDR6" */
	const char *help;  /* one line */
	const char *since; /* kernel version that brought it; NULL: with its behavior */
	uint32_t min, max; /* of a number; both 0: no bounds beyond the type's */
};

const struct srv6_attr_info *srv6_attr_info(uint32_t attr); /* NULL: no such */
uint32_t srv6_attr_find(uint32_t owner, const char *word);  /* by word or alias; SRV6_ATTR_NONE: none */

/* Names: constant, the library's own. */
const char *srv6_flavor_name(uint32_t bit);       /* of one SRV6_FLAVOR_*: "psp"; NULL: no such */
const char *srv6_mobile_name(uint32_t mobile);    /* "seg6mobile"; NULL: no such, or SRV6_MOBILE_AUTO */
const char *srv6_encap_name(uint32_t encap_type); /* "seg6"; NULL: no such. All of LWTUNNEL_ENCAP_* */
const char *srv6_version(void);                   /* of the library that runs */

/* ------------------------------------------------------------------- model */

struct srv6_bytes {
	const void *data;
	size_t len;
};

struct srv6_prefix {
	uint8_t family; /* AF_INET, AF_INET6; AF_UNSPEC: none */
	uint8_t len;    /* bits */
	uint8_t reserved[2];
	union {
		struct in_addr in4;
		struct in6_addr in6;
	} addr;
};

struct srv6_counters {
	uint64_t packets, bytes, errors;
};

struct srv6_bpf {
	int32_t fd;  /* for a change: the program, BPF_PROG_TYPE_LWT_SEG6LOCAL; 0 where id is given */
	uint32_t id; /* as read: its id. For a change without fd: srv6_apply gets an fd by it, srv6_build refuses */
	const char *name;
};

/*
 * One encapsulation: of a route's hop or of a nexthop object.
 * Fields count only where their bit is set in has; the behavior's row says which it needs and may have.
 */
struct srv6_encap {
	size_t sz;
	uint64_t has;        /* SRV6_HAS(SEGS) | ... */
	uint32_t behavior;   /* enum srv6_behavior */
	uint32_t encap_type; /* LWTUNNEL_ENCAP_*, as read; a change looks at it for SRV6_OTHER, and for UNKNOWN */
	uint32_t number;     /* mode or action of an unknown one, as read; 0xffffffff: none */
	uint32_t n_segs;     /* 1..127, 125 with an HMAC; one fewer for H.Insert and End.B6 */
	const struct in6_addr
		*segs; /* in path order: first visited first. The '::' slot of H.Insert and End.B6 is not in it */
	struct srv6_bytes tlvs;    /* TLVs of the SRH without the HMAC's; whole multiple of 8 bytes */
	struct srv6_bytes raw_srh; /* the SRH, where it holds what the other fields can't say; sent as it is */
	struct srv6_bytes unknown; /* attributes of the encapsulation that are unknown here: a run of struct nlattr */
	struct srv6_bytes raw;     /* SRV6_OTHER: the whole contents of the encapsulation attribute */
	struct in6_addr tunsrc;    /* SEG6_IPTUNNEL_SRC: source of the outer header */
	struct in6_addr nh6;
	struct in6_addr mapped_sid;
	struct in6_addr src; /* RFC 9433: source of the outer header, or its template */
	struct in_addr nh4;
	uint32_t lookup; /* SEG6_IPTUNNEL_TABLE: where the first segment is looked up; not 0 */
	uint32_t hmac;   /* key id, from 1 */
	uint32_t table;
	uint32_t vrftable;
	uint32_t iif, oif; /* interface indexes */
	uint32_t flavors;  /* SRV6_FLAVOR_* */
	uint16_t tag;
	uint8_t srh_flags;                                     /* without the HMAC flag where hmac is there */
	uint8_t lblen, nflen;                                  /* bits; kernel's defaults 32 and 16 */
	uint8_t pdu_type;                                      /* 0 downlink, 1 uplink */
	uint8_t v6_src_prefix_len, sr_prefix_len, v4_mask_len; /* bits */
	struct srv6_bpf bpf;
	struct srv6_counters counters; /* as read; a change starts them at 0 */
};

/* One hop of a route, or what a nexthop object leads to. Frozen. */
struct srv6_hop {
	const struct srv6_encap *encap; /* NULL: none */
	uint64_t has;
	struct srv6_prefix via; /* gateway; may be IPv6 for an IPv4 route */
	uint32_t ifindex;       /* SRV6_ATTR_DEV */
	uint32_t flags;         /* RTNH_F_* as read: dead, linkdown, offload; ONLINK is its own attribute */
	uint32_t realms;
	uint16_t weight; /* 1..256 */
	uint16_t reserved0;
	struct srv6_bytes unknown; /* attributes unknown here: a run of struct nlattr */
	uint64_t reserved[2];
};

#define SRV6_N_METRICS 18 /* index: RTAX_*; RTAX_LOCK and RTAX_CC_ALGO have fields of their own */

struct srv6_route {
	size_t sz;
	uint64_t has;
	struct srv6_prefix dst;  /* family and len always count; len 0: the default route */
	struct srv6_prefix from; /* RTA_SRC */
	struct srv6_prefix prefsrc;
	uint32_t table;   /* SRV6_ATTR_ROUTE_TABLE; not given: main */
	uint32_t metric;  /* RTA_PRIORITY; not given: the kernel's, 1024 for IPv6, 0 for IPv4 */
	uint32_t nhid;    /* nexthop object */
	uint32_t expires; /* seconds */
	uint32_t lock;
	uint32_t metrics[SRV6_N_METRICS]; /* each counts where SRV6_BIT(SRV6_ATTR_METRIC_BASE + n) is set; RTT, RTTVAR,
	                                     RTO_MIN in milliseconds */
	const char *congctl;
	uint32_t flags;   /* RTM_F_* as read */
	uint8_t type;     /* RTN_*; not given: unicast */
	uint8_t protocol; /* RTPROT_*; not given: boot */
	uint8_t scope;    /* RT_SCOPE_*; not given: as iproute2 infers it */
	uint8_t tos;
	uint8_t pref;
	uint8_t ttl_propagate;
	uint8_t derived; /* 1: the hops are the nexthop object's, shown and never sent */
	uint8_t reserved0;
	uint32_t n_hops;
	const struct srv6_hop *hops;
	struct srv6_bytes unknown; /* route attributes unknown here: a run of struct nlattr */
};

struct srv6_group {
	uint32_t id;
	uint16_t weight; /* 1..65536 - 1 */
	uint16_t reserved;
};

struct srv6_nexthop {
	size_t sz;
	uint64_t has;
	uint32_t id;
	uint8_t family; /* AF_INET, AF_INET6: what its encapsulation applies to; 0: of one that is deleted, either */
	uint8_t protocol, scope, reserved0;
	uint32_t flags; /* RTNH_F_* */
	uint32_t master;
	uint32_t n_group;
	uint16_t group_type; /* NEXTHOP_GRP_TYPE_* */
	uint16_t reserved1;
	const struct srv6_group *group;
	const struct srv6_hop *hop; /* NULL: a group or a blackhole */
	struct srv6_bytes unknown;
};

/* The namespace's tunnel source address. '::': the kernel selects one for every packet. */
struct srv6_tunsrc {
	size_t sz;
	struct in6_addr addr;
};

enum srv6_hmac_algo { SRV6_HMAC_SHA1 = 1, SRV6_HMAC_SHA256 = 2 };

struct srv6_hmac {
	size_t sz;
	uint32_t key_id;          /* from 1 */
	uint32_t algo;            /* enum srv6_hmac_algo */
	struct srv6_bytes secret; /* 1..64 bytes; wiped from the library's buffers after use */
};

/* An interface, in events only: up, down, gone, renamed. */
struct srv6_link {
	size_t sz;
	uint32_t ifindex, flags; /* IFF_* */
	const char *name;
};

enum srv6_kind { SRV6_ROUTE = 1, SRV6_NEXTHOP = 2, SRV6_TUNSRC = 3, SRV6_HMAC = 4, SRV6_LINK = 5 };
#define SRV6_KIND(name) (1u << SRV6_##name)

enum srv6_verb {
	SRV6_IS = 0,      /* reading: it is there (dump), or is there now (event: see was) */
	SRV6_ADD = 1,     /* changing; the object must not exist */
	SRV6_REPLACE = 2, /* made so, whether it existed or not */
	SRV6_CHANGE = 3,  /* must exist */
	SRV6_APPEND = 4,  /* a hop more */
	SRV6_DEL = 5,     /* changing: must exist; event: it is gone */
	SRV6_GET = 6,     /* srv6_dump: the one route that matches the address dst */
	SRV6_LOST = 7,    /* event: the kernel dropped events; a resynchronisation follows */
	SRV6_SYNCED = 8   /* event: what was reported up to here is the kernel's state */
};

/* A verb and an object. Frozen. */
struct srv6_op {
	uint32_t verb, kind;
	union {
		const struct srv6_route *route;
		const struct srv6_nexthop *nexthop;
		const struct srv6_tunsrc *tunsrc;
		const struct srv6_hmac *hmac;
		const struct srv6_link *link;
		const void *any;
	} u;
	const struct nlmsghdr *nlh; /* as read: the message; NULL otherwise */
	uint32_t flags;             /* SRV6_OP_* */
	uint32_t reserved;
};
#define SRV6_OP_REPLACED 0x1u  /* event: it replaced what had the same identity */
#define SRV6_OP_INFERRED 0x2u  /* event: the kernel said nothing; found by comparison */
#define SRV6_OP_EXACT    0x4u  /* del: only if hops and encapsulations are those given */
#define SRV6_OP_PREPEND  0x8u  /* append: before the others (IPv4) */
#define SRV6_OP_SID      0x10u /* del: only a route with an endpoint behavior */

/* What went wrong, where, and what mends it. Frozen. */
struct srv6_error {
	int code;        /* -errno; 0: nothing */
	int kernel_code; /* the kernel's -errno; 0: refused here, nothing was sent */
	uint64_t op;     /* index into the ops */
	uint32_t hop;    /* index into the hops */
	uint32_t attr;   /* enum srv6_attr at fault; SRV6_ATTR_NONE: none in particular */
	uint32_t state;  /* enum srv6_state */
	uint32_t reserved[5];
	char text[320];   /* a sentence, no full stop, no newline */
	char remedy[240]; /* what to do: a command where there is one; "": none */
	char kernel[240]; /* the kernel's own words; "": none */
};

enum srv6_state {
	SRV6_STATE_UNCHANGED = 0, /* nothing was changed, or all of it was undone */
	SRV6_STATE_DONE = 1, /* ops before op are done, op is not; result says of those behind it which were done too */
	SRV6_STATE_PARTIAL = 2, /* undo failed, also of what stood behind the op that failed: text says what is left */
	SRV6_STATE_UNKNOWN = 3  /* the answer was lost */
};

/* ------------------------------------------------------------------- codec */

struct srv6_build_opts {
	size_t sz;
	uint32_t seq, pid; /* nlmsg_seq, nlmsg_pid */
	uint32_t flags;    /* NLM_F_* beside those of the verb: NLM_F_ACK, NLM_F_ECHO */
	uint32_t mobile;   /* enum srv6_mobile */
	uint16_t genl_id;  /* id of the generic netlink family "SEG6": for tunsrc and hmac */
};

/*
 * Checks an op as far as that goes without a kernel: everything required is there, nothing is there that the kernel
 * would drop, ranges, address families. opts may be NULL. err (may be NULL) says what and why.
 * Errors: -EINVAL, -E2BIG (sz of a later version with fields set that this one does not know), -EOPNOTSUPP (no kernel has it).
 */
int srv6_check(const struct srv6_op *op, const struct srv6_build_opts *opts, struct srv6_error *err);

/*
 * Builds the request for op into buf, whose nlmsg_len tells the length. Checks first, as srv6_check does.
 * buf is aligned to 4 bytes. Errors: those of srv6_check, -EMSGSIZE (cap is too small; nothing usable was written).
 */
int srv6_build(void *buf, size_t cap, const struct srv6_op *op, const struct srv6_build_opts *opts,
	       struct srv6_error *err);

/*
 * Reads one message: RTM_NEWROUTE, RTM_DELROUTE, RTM_NEWNEXTHOP, RTM_DELNEXTHOP. What op points to lies in nlh and in
 * mem: both must outlive it. What is not known stays as numbers and bytes and is no error.
 * mem is aligned as malloc's; srv6_read_size tells how many bytes of it are enough for this message.
 * Errors: -EBADMSG (lengths do not fit), -ENOMSG (another message type), -ENOBUFS (cap is too small).
 */
int srv6_read(const struct nlmsghdr *nlh, void *mem, size_t cap, struct srv6_op *ret);
size_t srv6_read_size(const struct nlmsghdr *nlh);
#define SRV6_READ_MEM 8192 /* enough for a route of up to four hops with 16 segments each */

/*
 * The encapsulation alone, for a message built or read with another library.
 * put: appends the two attributes (RTA_ENCAP, RTA_ENCAP_TYPE, or NHA_* for kind SRV6_NEXTHOP) to nlh, whose nlmsg_len
 *      grows; cap is the size of the buffer that nlh starts. family: AF_INET, AF_INET6, of the route.
 *      Errors: those of srv6_build.
 * get: from the type's value and the contents of the encapsulation attribute; mem as in srv6_read. ret->sz must be set.
 *      Errors: -EBADMSG, -ENOBUFS, -EINVAL (ret->sz).
 */
int srv6_put_encap(struct nlmsghdr *nlh, size_t cap, uint32_t kind, const struct srv6_encap *encap, uint8_t family,
		   const struct srv6_build_opts *opts, struct srv6_error *err);
int srv6_get_encap(uint16_t encap_type, const void *data, size_t len, void *mem, size_t cap, struct srv6_encap *ret);

/*
 * Compares. Returns 0 where have is what want asks for, 1 where not; *attr (may be NULL) is then the first attribute that
 * differs. Without SRV6_DIFF_EQUAL have may hold more than want asks for (defaults of the kernel); with it both must be the same.
 * Counter values, flags as read, and the names of what is derived do not count. Never fails: what can't be compared differs.
 */
int srv6_diff(const struct srv6_op *want, const struct srv6_op *have, uint32_t flags, uint32_t *attr);
#define SRV6_DIFF_EQUAL    0x1u
#define SRV6_DIFF_IDENTITY 0x2u /* only what makes two objects one: family, table, dst, from, tos, metric; id */
#define SRV6_DIFF_DELETED  0x4u /* two routes, as read: 0 where the kernel, deleting want, could take have */

int srv6_diff_encap(const struct srv6_encap *want, const struct srv6_encap *have, uint32_t flags, uint32_t *attr);

/* A copy of all that op points to, in one block: free(*ret). Errors: -ENOMEM, -EINVAL (no such kind). */
int srv6_copy(const struct srv6_op *op, struct srv6_op **ret);

/* ---------------------------------------------- RFC 9433: addresses that carry a session */

/*
 * Args.Mob.Session, 40 bits (RFC 9433 6.1, figure 8): QFI 6, R 1, U 1, PDU Session ID 32, each with its most significant
 * bit first. Frozen; numbers in host byte order.
 */
struct srv6_session {
	uint32_t id;  /* PDU Session ID: the GTP-U TEID */
	uint8_t qfi;  /* 0..63 */
	uint8_t r, u; /* 0 or 1: reflective QoS; unused, to be sent as 0. The kernel's proposals send both as 0 */
	uint8_t reserved;
};

/*
 * Of all functions here: a bit offset counts from the most significant bit of the address, so a prefix length is the
 * offset of what follows it; fields need not start at a byte. Bits that are not written stay as they are in locator's,
 * prefix's or addr's address: give it a template and the rest of it is kept. v4_len is how many bits of an IPv4 address
 * are carried, from its first: 1..32 (32 is all, and the only one of numbering seg6mobile).
 * Errors: -ERANGE (offset or length leaves no room, v4_len, qfi, r or u out of range), -EINVAL (not an IPv6 prefix; the
 * IPv4 address has bits set behind the first v4_len, which would be lost; reserved is not 0).
 */

/* Args.Mob.Session at bit offset bit, 0..88. */
int srv6_args_put(struct in6_addr *addr, unsigned int bit, const struct srv6_session *session);
int srv6_args_get(const struct in6_addr *addr, unsigned int bit, struct srv6_session *ret);

/*
 * An End.M.GTP4.E SID (RFC 9433 6.6, figure 9), which is also what H.M.GTP4.D sends to (6.7, figure 11): locator, IPv4
 * destination, Args.Mob.Session. Locator and v4_len together at most 88. get writes IPv4 bits that were not carried as 0.
 */
int srv6_gtp4_sid_put(struct in6_addr *ret, const struct srv6_prefix *locator, const struct in_addr *dst,
		      unsigned int v4_len, const struct srv6_session *session);
int srv6_gtp4_sid_get(const struct in6_addr *sid, unsigned int locator_len, unsigned int v4_len,
		      struct in_addr *ret_dst, struct srv6_session *ret_session);

/* The IPv6 source that carries an IPv4 source (RFC 9433 6.6, figure 10): prefix, IPv4 source. Together at most 128. */
int srv6_gtp4_src_put(struct in6_addr *ret, const struct srv6_prefix *prefix, const struct in_addr *src,
		      unsigned int v4_len);
int srv6_gtp4_src_get(const struct in6_addr *addr, unsigned int prefix_len, unsigned int v4_len, struct in_addr *ret);

/*
 * An End.M.GTP6.E SID (RFC 9433 6.5): locator of at most 88 bits, Args.Mob.Session. End.M.GTP6.D (6.3) writes the same
 * into its last segment.
 */
int srv6_gtp6_sid_put(struct in6_addr *ret, const struct srv6_prefix *locator, const struct srv6_session *session);
int srv6_gtp6_sid_get(const struct in6_addr *sid, unsigned int locator_len, struct srv6_session *ret);

/* ------------------------------------------------------------------ kernel */

struct srv6_opts {
	size_t sz;
	int netns;       /* file descriptor of a network namespace; 0 or less: the caller's */
	int route_fd;    /* sockets to use instead of opening some, taken over: NETLINK_ROUTE; 0: open one */
	int genl_fd;     /* NETLINK_GENERIC */
	uint32_t mobile; /* enum srv6_mobile */
	uint32_t rcvbuf; /* bytes for events; 0: 8 MiB */
	/* Called with each datagram as it goes out (out = 1) and comes in. Messages with secrets are not shown. */
	void (*trace)(void *arg, int out, const void *data, size_t len);
	void *trace_arg;
};

/*
 * Opens a handle. opts may be NULL. Sockets are close-on-exec, the generic netlink one is opened when first needed. netns may
 * be closed after the call; route_fd and genl_fd stay the caller's where it fails.
 * Errors: -E2BIG, -EINVAL (sz), -ENOMEM, those of socket(2), and of setns(2) with netns.
 */
int srv6_open(struct srv6 **ret, const struct srv6_opts *opts);
void srv6_close(struct srv6 *s); /* NULL is fine */

/* The last call's error; code 0: none. Never NULL; valid until the next call on s. */
const struct srv6_error *srv6_error(const struct srv6 *s);

struct srv6_apply_opts {
	size_t sz;
	uint32_t flags; /* SRV6_APPLY_* */
	/* Called once for each op, in order of the ops, when its fate is known; err->code 0: done and verified. */
	void (*result)(void *arg, size_t op, const struct srv6_error *err);
	void *arg;
	/* NULL, or: added to it is how many routes and objects were listed to know what was there before the changes. */
	uint64_t *listed;
};
#define SRV6_APPLY_ATOMIC     0x1u  /* all, or undo what was done */
#define SRV6_APPLY_KEEP_GOING 0x2u  /* do the rest after a failure; not with ATOMIC */
#define SRV6_APPLY_NO_VERIFY  0x4u  /* believe the kernel's answer */
#define SRV6_APPLY_KEEP_EQUAL 0x8u  /* leave alone what is so already (its counters go on); not for add */
#define SRV6_APPLY_DRY_RUN    0x10u /* nothing is changed: what would be refused before it is sent is told */

/*
 * Changes, each verified: reported as done only when the kernel holds what was asked. Checks all of them before the first is sent.
 * Many requests are under way at once; without ATOMIC and KEEP_GOING it stops at the first failure, those before it are done,
 * and those after it may not be done: all is said in the results. What failed verification is undone.
 * What ATOMIC puts back is as it was, but its counters start again.
 * opts may be NULL. Returns 0, or the first error, which srv6_error() describes: -EINVAL, -E2BIG, -EOPNOTSUPP (this kernel lacks
 * it, or dropped it without a word), -EPERM, -EIO (the answer was lost; see state), -ENOMEM, and what the kernel answers:
 * -EEXIST, -ENOENT, -ESRCH, -ENODEV, -ENETDOWN, -EHOSTUNREACH, ... In results -ECANCELED: not done, as another one failed.
 * Sends RTM_NEWROUTE, RTM_DELROUTE, RTM_NEWNEXTHOP, RTM_DELNEXTHOP, SEG6_CMD_SET_TUNSRC and SEG6_CMD_SETHMAC.
 */
int srv6_apply(struct srv6 *s, const struct srv6_op *ops, size_t n, const struct srv6_apply_opts *opts);

/* 0: go on; else the call ends and returns it. */
typedef int (*srv6_cb)(const struct srv6_op *op, void *arg);

/*
 * Lists what is there: routes, nexthop objects, the tunnel source, HMAC keys, after match->kind. For routes, fields set in match's
 * object filter: family of dst, table, protocol, dev of a hop, type. match->verb SRV6_GET: the one route to an address (u.route->dst,
 * full length); with SRV6_OP_EXACT the entry of just that prefix.
 * SRV6_DUMP_ENCAP: only what has an encapsulation of its own, or through its nexthop object.
 * Nothing is handed over before the list is known to be whole, with a bounded number of tries. Returns -ESTALE where it may not be:
 * cb has then been given what was there. SRV6_DUMP_STREAM: hand over as it comes (flat memory); -ESTALE then says that it may not have been whole.
 * -ESTALE is also a kernel that ends its list early: IPv6 routes behind one above 32 KiB are not listed (6.18), which is found by what
 * /proc/net says of their number where that can be read; text names the route.
 * A table that does not exist is an empty list. With SRV6_DUMP_STREAM cb may not use s: -EBUSY.
 * Errors: -EPERM (tunsrc, hmac: CAP_NET_ADMIN in the initial user namespace is needed), -ESRCH, -ENOENT, -ENOMEM, ...
 */
int srv6_dump(struct srv6 *s, const struct srv6_op *match, uint32_t flags, srv6_cb cb, void *arg);
#define SRV6_DUMP_ENCAP  0x1u
#define SRV6_DUMP_STREAM 0x2u

/*
 * Events. kinds: SRV6_KIND(ROUTE) | ...: routes with encapsulations, nexthop objects, links; the tunnel source and HMAC keys raise none
 * and are compared when srv6_process is called with poll set. After srv6_follow the state as it is comes first, then SRV6_SYNCED.
 * srv6_fd is readable when there is something to process. srv6_process never blocks; it hands over what is there and returns 0.
 * After an overrun: one SRV6_LOST, then what changed meanwhile, then SRV6_SYNCED; whoever folds the events has the kernel's state there.
 * -ESTALE: the kernel's lists end early, see srv6_dump(); the next call tries again.
 * What link changes take away without a word from the kernel is reported with SRV6_OP_INFERRED.
 */
int srv6_follow(struct srv6 *s, uint32_t kinds);
int srv6_fd(const struct srv6 *s); /* the handle's own, not to be closed or read */
int srv6_process(struct srv6 *s, uint32_t flags, srv6_cb cb, void *arg);
#define SRV6_PROCESS_POLL 0x1u /* also compare what raises no events */

/* -------------------------------------------------------- capabilities */

enum srv6_can { SRV6_CAN_UNKNOWN = 0, SRV6_CAN_NO = 1, SRV6_CAN_YES = 2 };

/* One thing a kernel may have. May grow at its end. */
struct srv6_cap {
	const char *name;  /* stable: "behavior End.X", "attr tunsrc", "flavor End psp", "object hmac" */
	const char *kind;  /* "behavior", "attr", "flavor", "object", "mobile" */
	uint32_t behavior; /* SRV6_OTHER: none in particular */
	uint32_t attr;     /* SRV6_ATTR_NONE: none in particular */
	uint32_t flavor;
	uint32_t can;      /* enum srv6_can */
	const char *since; /* kernel version that brings it; NULL: none does */
	char why[160];     /* for no and unknown: what the probe saw */
};

/*
 * Finds out by trying, in a network namespace made for that: nothing of the caller's is touched. Needs CAP_SYS_ADMIN or
 * unprivileged user namespaces. s may be NULL; with it the error is described there.
 * Errors: -EPERM (no namespace could be made).
 */
int srv6_caps(struct srv6 *s, int (*cb)(const struct srv6_cap *cap, void *arg), void *arg);

/* One of them: returns enum srv6_can, or -errno. behavior SRV6_OTHER or attr SRV6_ATTR_NONE: not that. */
int srv6_can(struct srv6 *s, uint32_t behavior, uint32_t attr, uint32_t flavor);

#ifdef __cplusplus
}
#endif
#endif /* LIBSRV6_H */

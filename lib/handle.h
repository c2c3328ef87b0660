/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kernel layer's insides: the handle, its sockets, and what its files offer each other.
 *
 *   handle.c   open, close, error            netlink.c  datagrams, acknowledgements, one request, one dump
 *   netns.c    sockets of another namespace  explain.c  what a refusal means, in words
 *   apply.c    changes                       sr_apply.c those of generic netlink
 *   shot.c     what was there before, and putting it back
 *   dump.c     lists                         follow.c   events
 *   caps.c     what this kernel can do
 */
#ifndef SRV6_HANDLE_H
#define SRV6_HANDLE_H

#include <stdbool.h>
#include <net/if.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include "internal.h"

/*
 * Room for any datagram: an attribute holds 64 KiB at most, and a listing's answers are 32 KiB at most. Only the pages
 * that are used are ever there.
 */
#define RX_SIZE 131072

struct sock {
	int fd;          /* -1: not open */
	uint32_t pid;    /* our nl_pid; 0 where the socket is not netlink's */
	uint32_t seq;    /* the last one used */
	uint32_t rcvbuf; /* bytes the kernel queues for us before it drops */
	bool primed;     /* something was read: datagrams of lists are as large as they can be */
	bool unread;     /* a listing was not read to its end: the kernel refuses another one until it is */
};

/* Of lists of IPv6 routes. */
struct whole {
	int fds[2];               /* what else says how many there are; -1: cannot be asked */
	bool tried;               /* to open them */
	int64_t at;               /* so many there were when last a list of all was whole; 0: not known */
	unsigned int times;       /* in a row that a list was short */
	uint64_t listed, there;   /* the last time */
	struct srv6_prefix large; /* and what ended it, most likely */
	uint32_t hops;
};

struct caps;
struct follow;
struct room;

struct srv6 {
	struct srv6_opts opts;
	struct sock route, genl;
	struct srv6_error err;
	uint8_t *rx; /* RX_SIZE */
	int timeout; /* milliseconds to wait for an answer */
	bool given;  /* the sockets came from the caller: nothing is known of the kernel behind them */
	bool secret; /* what goes to and fro now is not shown to the trace */
	bool busy;   /* a callback runs while answers are under way: no call may interleave */
	/* While a list comes in: told of each message of it, and of each that is none of its; true: it may not be whole. */
	bool (*watch)(void *arg, const struct nlmsghdr *nlh, bool ours);
	void *watch_arg;
	unsigned int n_datagrams; /* received so far */
	uint16_t genl_id;         /* of the family "SEG6"; 0: not asked yet */
	uint32_t mobile;          /* the numbering found; SRV6_MOBILE_AUTO: not looked for yet */
	struct whole whole;
	struct caps *caps; /* probes made so far */
	uint64_t listed;   /* messages of lists read to know what is there before a change */
	struct room *room; /* for changes; NULL: in use, or not needed yet */
	struct follow *follow;
};

/* ---- handle.c */

/* Fails with -EBUSY inside a streaming callback; clears the last error. Every exported call starts with it. */
int handle_enter(struct srv6 *s);
/* Copies err into the handle and returns its code. */
int handle_fail(struct srv6 *s, const struct srv6_error *err);

int sock_open(struct srv6 *s, struct sock *k, int protocol);
void sock_close(struct sock *k);
/* Options, own address, receive buffer of at least want bytes where the kernel lets us. Errors: there is no address. */
int sock_setup(struct sock *k, uint32_t want);
int genl_open(struct srv6 *s, struct srv6_error *err); /* socket and family */
int genl_family(struct srv6 *s, struct sock *k, const char *name, uint16_t *ret);
#define SR_GENL_NAME    "SEG6"
#define RCVBUF_REQUESTS (1u << 20)
#define RCVBUF_EVENTS   (8u << 20)

/* ---- netns.c */

enum netns_how {
	NETNS_ENTER = 0,    /* the namespace of a descriptor */
	NETNS_NEW = 1,      /* a new one; needs CAP_SYS_ADMIN */
	NETNS_NEW_USER = 2, /* a new one in a user namespace of its own; needs no rights where the system allows it */
	NETNS_FILES = 3     /* as NETNS_ENTER, for what whole_open() opens */
};
/* Sockets opened in that namespace: NETLINK_ROUTE and NETLINK_GENERIC. They keep it alive. */
int netns_sockets(enum netns_how how, int netns, int ret[2]);

/* ---- whole.c */

/* rt6_stats and ipv6_route of the namespace that the thread is in. It makes system calls only, by number. */
int whole_open(int ret[2]);
void whole_free(struct srv6 *s);

/* ---- netlink.c */

/* What NLMSG_ERROR or NLMSG_DONE said. */
struct ack {
	int code; /* 0 or negative */
	bool has_offset;
	uint32_t offset; /* of the attribute at fault, from the start of the request */
	char text[240];
};

typedef int (*knl_cb)(const struct nlmsghdr *nlh, void *arg);

/* A whole datagram. Errors: -EPIPE, -ECONNRESET (nobody is there), the kernel's. */
int knl_send(struct srv6 *s, struct sock *k, const void *data, size_t len);
/*
 * One datagram into s->rx. Errors: -EAGAIN (none within timeout milliseconds), -ENOBUFS (the kernel dropped some),
 * -EMSGSIZE (it was longer than the buffer), -ECONNRESET.
 */
int knl_recv(struct srv6 *s, struct sock *k, int timeout, size_t *ret);
/* The next whole message of a run; NULL: no more. *left is what is left, not 0 where the run is broken. */
const struct nlmsghdr *knl_next(const struct nlmsghdr *prev, const void *data, size_t *left);
/* NLMSG_ERROR, NLMSG_DONE. Returns -EBADMSG where the lengths do not fit. */
int knl_ack(const struct nlmsghdr *nlh, struct ack *ret);
/* Throws away what late answers may still be there. */
bool knl_drain(struct srv6 *s, struct sock *k); /* whether there was anything */
/*
 * One request and its answers; adds sequence number, pid and NLM_F_ACK. cb (may be NULL) gets each message that is no
 * acknowledgement. Returns 0, the kernel's error (ack says more; ack->code is then set), or one of knl_recv's.
 */
int knl_talk(struct srv6 *s, struct sock *k, struct nlmsghdr *req, knl_cb cb, void *arg, struct ack *ack);
/*
 * One listing. Returns 0: whole; -ESTALE: something was lost on the way (interrupted, dropped, cut), ask again; else the
 * kernel's error or cb's. Answers are read to the end in any case.
 */
int knl_list(struct srv6 *s, struct sock *k, struct nlmsghdr *req, knl_cb cb, void *arg, struct ack *ack);

/* Fills err for what knl_send, knl_recv, knl_talk or knl_list returned without a word of the kernel's. Returns code. */
int knl_say(struct srv6_error *err, int code);

/* Attributes of a message after a header of hdrlen bytes, whatever their nesting flag. NULL: no such. */
const struct nlattr *knl_find(const struct nlmsghdr *nlh, size_t hdrlen, uint16_t type);
const struct nlattr *knl_find_in(const void *data, size_t len, uint16_t type);
uint32_t knl_u32(const struct nlattr *a, uint32_t absent); /* absent: also where it is too short */
/* The kernel's macros without their signs. */
#define MSG_HEAD      sizeof(struct nlmsghdr)
#define MSG_LEN(n)    ((uint32_t)(MSG_HEAD + (n)))
#define ATTR_HEAD     sizeof(struct nlattr)
#define ATTR_ALIGN(n) (((size_t)(n) + 3) & ~(size_t)3)
#define knl_data(a)   ((const void *)((const char *)(a) + ATTR_HEAD))
#define knl_len(a)    ((size_t)((a)->nla_len - ATTR_HEAD))
#define knl_type(a)   ((uint16_t)((a)->nla_type & 0x3fff))

/* ---- caps.c, follow.c: NULL is fine */
void caps_free(struct caps *c);
void follow_free(struct follow *f);

#endif

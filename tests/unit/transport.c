/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One request and one listing, datagram by datagram: what is whole, what is not, and what the kernel's acknowledgements say. */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "list.h"
#include "suite.h"

/* ---- the other end */

static int peer;
static struct srv6 s;
static struct {
	struct nlmsghdr nlh;
	uint32_t body;
} request;

static void setup(void)
{
	int fds[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds), 0);
	memset(&s, 0, sizeof(s));
	s.rx = malloc(RX_SIZE);
	s.timeout = 30;
	s.route.fd = fds[0];
	s.route.seq = 40;
	peer = fds[1];
	request.nlh = (struct nlmsghdr){ .nlmsg_len = sizeof(request), .nlmsg_type = RTM_GETROUTE };
}

static void teardown(void)
{
	free(s.rx);
	close(s.route.fd);
	close(peer);
}

static _Alignas(4) uint8_t datagram[512];
static size_t len;

/* A message at the datagram's end, of body bytes behind its header. */
static struct nlmsghdr *add(uint16_t type, uint16_t flags, uint32_t seq, const void *body, size_t size)
{
	struct nlmsghdr *nlh = (void *)(datagram + len);

	*nlh = (struct nlmsghdr){
		.nlmsg_len = (uint32_t)(sizeof(*nlh) + size), .nlmsg_type = type, .nlmsg_flags = flags, .nlmsg_seq = seq
	};
	if (size)
		memcpy(nlh + 1, body, size);
	len += NLMSG_ALIGN(nlh->nlmsg_len);
	return nlh;
}

static void flush(void)
{
	ck_assert_int_eq(send(peer, datagram, len, 0), (ssize_t)len);
	len = 0;
}

static void add_answer(uint32_t seq)
{
	add(RTM_NEWROUTE, 0, seq, "body", 4);
}

/* The request is not repeated: capped. */
static void add_ack(uint32_t seq, int code)
{
	struct nlmsgerr e = { .error = code };

	add(NLMSG_ERROR, NLM_F_CAPPED, seq, &e, sizeof(e));
}

static void add_done(uint32_t seq, int code)
{
	add(NLMSG_DONE, NLM_F_MULTI, seq, &code, sizeof(code));
}

static unsigned int got;

static int count(const struct nlmsghdr *nlh, void *arg)
{
	(void)nlh;
	got++;
	return arg ? *(int *)arg : 0;
}

static int talk(struct ack *ack)
{
	got = 0;
	return knl_talk(&s, &s.route, &request.nlh, count, NULL, ack);
}

static int list(void)
{
	struct ack ack;

	got = 0;
	return knl_list(&s, &s.route, &request.nlh, count, NULL, &ack);
}

/* ---- one request */

START_TEST(talks)
{
	struct ack ack;

	add_answer(40); /* late, of another request */
	add_ack(40, -EPERM);
	flush();
	add_answer(41);
	add_answer(41);
	flush();
	add_ack(41, 0);
	flush();
	ck_assert_int_eq(talk(&ack), 0);
	ck_assert_uint_eq(got, 2);
	add_ack(42, -ENOENT);
	flush();
	ck_assert_int_eq(talk(&ack), -ENOENT);
	ck_assert_int_eq(ack.code, -ENOENT);
	ck_assert_int_eq(talk(&ack), -ETIMEDOUT);
}
END_TEST

START_TEST(callback_fails)
{
	int fails = -ENOMEM;
	struct ack ack;

	add_answer(41);
	add_answer(41);
	add_ack(41, 0);
	flush();
	got = 0;
	ck_assert_int_eq(knl_talk(&s, &s.route, &request.nlh, count, &fails, &ack), -ENOMEM);
	ck_assert_uint_eq(got, 1);
	/* Nothing of it is left for the next one. */
	add_ack(42, 0);
	flush();
	ck_assert_int_eq(talk(&ack), 0);
	ck_assert_uint_eq(got, 0);
}
END_TEST

/* What breaks off behind a whole message may have been one of several answers. */
START_TEST(talk_breaks_off)
{
	struct ack ack;

	add_answer(41);
	add_answer(41);
	len -= 4;
	flush();
	add_ack(41, 0);
	flush();
	ck_assert_int_eq(talk(&ack), -EBADMSG);
	/* The kernel's own refusal says more. */
	add_answer(42);
	len -= 4;
	flush();
	add_ack(42, -ENODEV);
	flush();
	ck_assert_int_eq(talk(&ack), -ENODEV);
	/* An acknowledgement without its number says neither yes nor no. */
	add(NLMSG_ERROR, 0, 43, "", 0);
	flush();
	ck_assert_int_eq(talk(&ack), -EBADMSG);
}
END_TEST

/* ---- one listing */

START_TEST(lists)
{
	add_answer(41);
	add_answer(41);
	flush();
	add_answer(41);
	add_done(41, 0);
	flush();
	ck_assert_int_eq(list(), 0);
	ck_assert_uint_eq(got, 3);
	add_answer(42);
	add_done(42, -EOPNOTSUPP);
	flush();
	ck_assert_int_eq(list(), -EOPNOTSUPP);
	add_ack(43, -EPERM);
	flush();
	ck_assert_int_eq(list(), -EPERM);
	/* A bare end, as kernels without anything to say have it */
	add(NLMSG_DONE, NLM_F_MULTI, 44, "", 0);
	flush();
	ck_assert_int_eq(list(), 0);
	ck_assert_int_eq(list(), -ETIMEDOUT);
}
END_TEST

START_TEST(lists_that_are_not_whole)
{
	/* Interrupted, said by one of its messages */
	add_answer(41);
	add(RTM_NEWROUTE, NLM_F_DUMP_INTR, 41, "body", 4);
	add_answer(41);
	add_done(41, 0);
	flush();
	ck_assert_int_eq(list(), -ESTALE);
	ck_assert_uint_eq(got, 3);
	/* By its end */
	add_answer(42);
	add(NLMSG_DONE, NLM_F_MULTI | NLM_F_DUMP_INTR, 42, "\0\0\0", 4);
	flush();
	ck_assert_int_eq(list(), -ESTALE);
	/* By one that is none of ours: of no matter */
	add(RTM_NEWROUTE, NLM_F_DUMP_INTR, 12, "body", 4);
	add_done(43, 0);
	flush();
	ck_assert_int_eq(list(), 0);
	/* A part of a message at a datagram's end */
	add_answer(44);
	add_answer(44);
	len -= 4;
	flush();
	add_done(44, 0);
	flush();
	ck_assert_int_eq(list(), -ESTALE);
	/* Longer than what it may be */
	add_done(45, -EMSGSIZE);
	flush();
	ck_assert_int_eq(list(), -ESTALE);
}
END_TEST

/* Longer than there is room, and cut between two messages: only the kernel's word tells. */
START_TEST(cut)
{
	enum { EACH = 64 };
	uint8_t *large = calloc(1, RX_SIZE + EACH);
	struct nlmsghdr nlh = { .nlmsg_len = EACH, .nlmsg_type = RTM_NEWROUTE, .nlmsg_seq = 41 };
	struct ack ack;

	for (size_t at = 0; at < RX_SIZE + EACH; at += EACH)
		memcpy(large + at, &nlh, sizeof(nlh));
	ck_assert_int_eq(send(peer, large, RX_SIZE + EACH, 0), RX_SIZE + EACH);
	add_done(41, 0);
	flush();
	ck_assert_int_eq(list(), -ESTALE);
	ck_assert_int_eq(send(peer, large, RX_SIZE + EACH, 0), RX_SIZE + EACH);
	ck_assert_int_eq(talk(&ack), -EMSGSIZE);
	free(large);
}
END_TEST

/* A list that was given up is read to its end before the next one: the kernel refuses a second one. */
START_TEST(unread)
{
	add_answer(41);
	flush();
	ck_assert_int_eq(list(), -ETIMEDOUT);
	ck_assert(s.route.unread);
	add_answer(41);
	add_done(41, 0);
	flush();
	s.route.seq = 41; /* what was left would be taken for the next one's, were it there still */
	add_answer(42);
	add_done(42, 0);
	flush();
	ck_assert_int_eq(list(), -ETIMEDOUT); /* all that came was of the first */
	ck_assert_uint_eq(got, 0);
	add_answer(43);
	add_done(43, 0);
	s.route.unread = false;
	flush();
	ck_assert_int_eq(list(), 0);
	ck_assert_uint_eq(got, 1);
	ck_assert(!s.route.unread);
}
END_TEST

/* ---- routes: changes in the midst of a list of them */

static void add_route(uint32_t seq, uint8_t family, uint8_t table, uint8_t last)
{
	struct {
		struct rtmsg rtm;
		struct nlattr head;
		uint8_t dst[16];
	} body = { .rtm = { .rtm_family = family, .rtm_table = table, .rtm_dst_len = family == AF_INET ? 32 : 128 },
		   .head = { .nla_len = (uint16_t)(ATTR_HEAD + (family == AF_INET ? 4 : 16)), .nla_type = RTA_DST } };

	body.dst[family == AF_INET ? 3 : 15] = last;
	add(RTM_NEWROUTE, NLM_F_MULTI, seq, &body, sizeof(body.rtm) + body.head.nla_len);
}

/* A route that is listed, a change that is none of the list's, and the end. */
static const struct {
	uint8_t family, table; /* that are listed; 0: all tables */
	uint8_t c_family, c_table, c_last;
	int r;
} changes[] = {
	{ AF_INET6, 0, AF_INET6, 254, 9, -ESTALE }, /* it is counted from the start */
	{ AF_INET6, 7, AF_INET6, 7, 9, -ESTALE },   { AF_INET6, 7, AF_INET6, 254, 9, 0 },
	{ AF_INET6, 0, AF_INET, 254, 1, 0 },        { AF_INET, 0, AF_INET, 7, 9, 0 }, /* it goes on by prefix */
	{ AF_INET, 0, AF_INET, 7, 1, -ESTALE }, /* just where the datagram ended */
	{ AF_INET, 0, AF_INET6, 7, 1, 0 },
};

START_TEST(lists_of_routes)
{
	struct route_filter f = { .family = changes[_i].family, .table = changes[_i].table };
	struct ack ack;

	add_route(41, f.family, 7, 1);
	flush();
	add_route(0, changes[_i].c_family, changes[_i].c_table, changes[_i].c_last);
	flush();
	add_done(41, 0);
	flush();
	got = 0;
	ck_assert_int_eq(list_routes(&s, &f, count, NULL, &ack), changes[_i].r);
	ck_assert_uint_eq(got, 1);
}
END_TEST

/* A table that does not exist has no routes; what else is not there is an error. */
START_TEST(absent_table)
{
	static const char *const words[] = { "ipv4: FIB table does not exist", "", "Device does not exist" };
	static const int results[] = { 0, 0, -ENOENT };
	struct route_filter f = { .family = AF_INET6, .table = 7 };
	struct nlmsgerr e = { .error = -ENOENT };
	struct nlattr a = { .nla_type = NLMSGERR_ATTR_MSG };
	uint8_t body[sizeof(e) + sizeof(a) + 40] = { 0 };
	struct ack ack;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		a.nla_len = (uint16_t)(ATTR_HEAD + strlen(words[i]) + 1);
		memcpy(body, &e, sizeof(e));
		memcpy(body + sizeof(e), &a, sizeof(a));
		strcpy((char *)body + sizeof(e) + sizeof(a), words[i]);
		add(NLMSG_ERROR, NLM_F_CAPPED | NLM_F_ACK_TLVS, 41 + (uint32_t)i, body,
		    sizeof(e) + ATTR_ALIGN(a.nla_len));
		flush();
		ck_assert_int_eq(list_routes(&s, &f, count, NULL, &ack), results[i]);
	}
}
END_TEST

/* ---- what acknowledgements say */

static void tlv(uint16_t type, const void *data, size_t size)
{
	struct nlattr a = { .nla_len = (uint16_t)(ATTR_HEAD + size), .nla_type = type };

	memcpy(datagram + len, &a, sizeof(a));
	memcpy(datagram + len + sizeof(a), data, size);
	memset(datagram + len + sizeof(a) + size, 0, 3);
	len += ATTR_ALIGN(a.nla_len);
}

/* An error with its TLVs, behind the request as it was sent, or only its header. */
static void extended(uint32_t seq, bool capped, const char *words, size_t n)
{
	struct {
		struct nlmsgerr e;
		uint8_t rest[8];
	} body = { .e = { .error = -EINVAL, .msg = { .nlmsg_len = sizeof(struct nlmsghdr) + 6 } } };
	size_t start = len;
	uint32_t offset = 36;
	struct nlmsghdr *nlh = add(NLMSG_ERROR, (uint16_t)(NLM_F_ACK_TLVS | (capped ? NLM_F_CAPPED : 0)), seq, &body,
				   capped ? sizeof(body.e) : sizeof(body));

	if (words)
		tlv(NLMSGERR_ATTR_MSG, words, n);
	tlv(NLMSGERR_ATTR_OFFS, &offset, sizeof(offset));
	nlh->nlmsg_len = (uint32_t)(len - start);
}

START_TEST(words)
{
	char large[300];
	struct ack ack;
	uint32_t seq = 41;

	for (int capped = 0; capped < 2; capped++) {
		extended(seq++, capped, "no such thing", 14);
		flush();
		ck_assert_int_eq(talk(&ack), -EINVAL);
		ck_assert_str_eq(ack.text, "no such thing");
		ck_assert(ack.has_offset);
		ck_assert_uint_eq(ack.offset, 36);
	}
	/* Without a zero at its end, without any letter, and longer than there is room */
	extended(seq++, true, "not ended", 9);
	flush();
	talk(&ack);
	ck_assert_str_eq(ack.text, "not ended");
	extended(seq++, true, "", 0);
	flush();
	talk(&ack);
	ck_assert_str_eq(ack.text, "");
	ck_assert(ack.has_offset);
	memset(large, 'x', sizeof(large));
	extended(seq++, true, large, sizeof(large));
	flush();
	talk(&ack);
	ck_assert_uint_eq(strlen(ack.text), sizeof(ack.text) - 1);
	/* Cut before they begin */
	extended(seq, true, "words", 6);
	((struct nlmsghdr *)(void *)datagram)->nlmsg_len = sizeof(struct nlmsghdr) + 8;
	len = sizeof(struct nlmsghdr) + 8;
	flush();
	ck_assert_int_eq(talk(&ack), -EINVAL);
	ck_assert_str_eq(ack.text, "");
	ck_assert(!ack.has_offset);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("transport");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, talks);
	tcase_add_test(tc, callback_fails);
	tcase_add_test(tc, talk_breaks_off);
	tcase_add_test(tc, lists);
	tcase_add_test(tc, lists_that_are_not_whole);
	tcase_add_test(tc, cut);
	tcase_add_test(tc, unread);
	tcase_add_loop_test(tc, lists_of_routes, 0, ARRAY_SIZE(changes));
	tcase_add_test(tc, absent_table);
	tcase_add_test(tc, words);
	return suite_run("transport", tc);
}

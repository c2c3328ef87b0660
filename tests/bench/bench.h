/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the benchmark programs share: the routes they make, the clocks, the line of JSON they answer with. */
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <netinet/in.h>
#include <sys/resource.h>

#define N_SEGS 3

/* Route i goes to fd00:0:HHHH:LLLL::/64, by fc00:1::1, fc00:2::2 and fc00:3::SID: the runner's batch files say the same. */
static inline struct in6_addr bench_dst(uint32_t i)
{
	struct in6_addr a = { { { 0xfd } } };

	a.s6_addr[4] = (uint8_t)(i >> 24);
	a.s6_addr[5] = (uint8_t)(i >> 16);
	a.s6_addr[6] = (uint8_t)(i >> 8);
	a.s6_addr[7] = (uint8_t)i;
	return a;
}

/* Segment k in path order. */
static inline struct in6_addr bench_seg(uint8_t k, uint8_t sid)
{
	struct in6_addr a = { { { 0xfc } } };

	a.s6_addr[3] = (uint8_t)(k + 1);
	a.s6_addr[15] = k == N_SEGS - 1 ? sid : (uint8_t)(k + 1);
	return a;
}

struct bench_clock {
	double wall, cpu; /* seconds */
};

static inline struct bench_clock bench_now(void)
{
	struct timespec t;
	struct rusage r;

	clock_gettime(CLOCK_MONOTONIC, &t);
	getrusage(RUSAGE_SELF, &r);
	return (struct bench_clock){
		.wall = (double)t.tv_sec + (double)t.tv_nsec / 1e9,
		.cpu = (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
		       (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) / 1e6,
	};
}

static inline void bench_report(const char *step, uint64_t n, struct bench_clock from, const char *more)
{
	struct bench_clock to = bench_now();
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	printf("{\"step\":\"%s\",\"n\":%llu,\"wall\":%.9f,\"cpu\":%.9f,\"rss_kb\":%ld%s}\n", step,
	       (unsigned long long)n, to.wall - from.wall, to.cpu - from.cpu, r.ru_maxrss, more);
}
#endif

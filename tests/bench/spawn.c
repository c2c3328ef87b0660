/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs a command, one or many times, and says what it cost: wall time, user and system time, peak memory. A small program
 * does this because the peak memory of a child starts with that of whoever forked it.
 *
 *	spawn [-n TIMES] [-N NETNS] [-o FILE] COMMAND...    "%x" in an argument becomes the number of the run, from 1
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>

#include "bench.h"

#define MAX_ARGS 64

static int enter(const char *netns)
{
	char path[256];
	int fd, ret;

	snprintf(path, sizeof(path), "/run/netns/%s", netns);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ret = setns(fd, CLONE_NEWNET);
	close(fd);
	return ret;
}

/* The command of run i: a fresh copy where an argument has a %x. */
static void numbered(char **to, char **from, unsigned int i, char *room, size_t cap)
{
	size_t used = 0;

	for (; *from; from++, to++) {
		const char *x = strstr(*from, "%x");
		int len;

		*to = *from;
		if (!x || used >= cap)
			continue;
		len = snprintf(room + used, cap - used, "%.*s%x%s", (int)(x - *from), *from, i, x + 2);
		*to = room + used;
		used += (size_t)len + 1;
	}
	*to = NULL;
}

static int run(char **argv)
{
	extern char **environ;
	int status;
	pid_t pid;

	errno = posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ);
	if (errno)
		return perror(argv[0]), 127;
	if (waitpid(pid, &status, 0) < 0)
		return 127;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void report(unsigned int times, int rc, double wall, int out)
{
	struct rusage r;

	getrusage(RUSAGE_CHILDREN, &r);
	dprintf(out, "{\"runs\":%u,\"rc\":%d,\"wall\":%.9f,\"user\":%.6f,\"sys\":%.6f,\"rss_kb\":%ld}\n", times, rc,
		wall, (double)r.ru_utime.tv_sec + (double)r.ru_utime.tv_usec / 1e6,
		(double)r.ru_stime.tv_sec + (double)r.ru_stime.tv_usec / 1e6, r.ru_maxrss);
}

int main(int argc, char **argv)
{
	unsigned int times = 1;
	const char *netns = NULL, *file = NULL;
	char *args[MAX_ARGS], room[4096];
	double from;
	int c, rc = 0, out;

	while ((c = getopt(argc, argv, "+n:N:o:")) >= 0) {
		if (c == 'n')
			times = (unsigned int)strtoul(optarg, NULL, 10);
		else if (c == 'N')
			netns = optarg;
		else if (c == 'o')
			file = optarg;
		else
			return 2;
	}
	if (optind == argc || argc - optind >= MAX_ARGS)
		return fprintf(stderr, "usage: spawn [-n TIMES] [-N NETNS] [-o FILE] COMMAND...\n"), 2;
	if (netns && enter(netns))
		return perror(netns), 2;
	/* The answer goes where stdout was, the command's output to the file. */
	out = fcntl(1, F_DUPFD_CLOEXEC, 3);
	if (file) {
		int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

		if (fd < 0 || dup2(fd, 1) < 0)
			return perror(file), 2;
	}
	from = bench_now().wall;
	for (unsigned int i = 1; i <= times && !rc; i++) {
		numbered(args, argv + optind, i, room, sizeof(room));
		rc = run(args);
	}
	report(times, rc, bench_now().wall - from, out);
	return rc;
}

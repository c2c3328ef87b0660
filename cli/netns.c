/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

int netns_open(const char *name)
{
	char path[4096];
	int fd;

	if (!*name || (!strchr(name, '/') && (!strcmp(name, ".") || !strcmp(name, ".."))))
		return -EINVAL;
	snprintf(path, sizeof(path), "%s%s", strchr(name, '/') ? "" : "/run/netns/", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/*
 * /sys and so /sys/class/net stay the caller's; /proc/sys/net follows the thread's namespace. Nothing here reads /sys, so a
 * mount namespace, as ip netns exec makes it, is not needed.
 */
int netns_enter(struct ctx *c, const char *name)
{
	int fd = netns_open(name), err;

	if (fd < 0) {
		fail(c, NULL, NO_WORD, fd, "-n %s: no such network namespace: %s", name, strerror(-fd));
		return fail_remedy(c, "ip netns lists them; a path such as /proc/PID/ns/net will do as well");
	}
	err = setns(fd, CLONE_NEWNET) ? -errno : 0;
	close(fd);
	if (!err)
		return 0;
	fail(c, NULL, NO_WORD, err, "-n %s: entering the network namespace failed: %s", name, strerror(-err));
	return err == -EPERM ? fail_remedy(c, "it takes CAP_SYS_ADMIN: run it as root") : err;
}

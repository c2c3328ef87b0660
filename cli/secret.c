/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that may hold secrets does not go into core dumps, which others may read and which stay. */
#include <fcntl.h>
#include <unistd.h>
#include <sys/prctl.h>

#include "cli.h"

/*
 * No mapping of this process is dumped any more: a core dump tells its registers and names, and no contents. Where there is no
 * /proc, no core is dumped at all. That can't be the rule: /proc/self would be root's then, and without root nothing of it could
 * be written, such as uid_map, which srv6 caps needs.
 */
void keep_from_cores(void)
{
	static bool kept;
	int fd;

	if (kept)
		return;
	kept = true;
	fd = open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, "0\n", 2) != 2)
		prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	if (fd >= 0)
		close(fd);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An object file with a program for End.BPF, as anybody may have written it. The first byte chooses the section: by a name that
 * is usual, or by one that comes first. Nothing is loaded: what the kernel would get is looked at instead.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <linux/bpf.h>

#include "fuzz_cli.h"
#include "wire.h"

#define WORDS "0: (b7) r0 = 0\nprocessed 2 insns\n"

static struct {
	const void *data;
	size_t len;
	unsigned int loads;
} object;

int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
	MUST(!strcmp(path, "object") && !(flags & (O_WRONLY | O_RDWR)));
	return wire_file(object.data, object.len);
}

/* Every byte that the kernel would read is there, and the license ends. Odd programs are refused, in words or without. */
int fuzz_prog_load(const union bpf_attr *attr)
{
	const struct bpf_insn *insns = (const void *)(uintptr_t)attr->insns;
	uint8_t sum = 0;

	MUST(attr->prog_type == BPF_PROG_TYPE_LWT_SEG6LOCAL && attr->insn_cnt);
	for (uint32_t i = 0; i < attr->insn_cnt * sizeof(*insns); i++)
		sum ^= ((const uint8_t *)insns)[i];
	MUST(strlen((const char *)(uintptr_t)attr->license) < object.len + sizeof("GPL"));
	object.loads++;
	if (sum & 1) {
		if (sum & 2 && attr->log_size)
			memcpy((void *)(uintptr_t)attr->log_buf, WORDS, sizeof(WORDS));
		errno = EINVAL;
		return -1;
	}
	return wire_open(WIRE_OTHER);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const usual[] = { "seg6local", ".text", "license" };
	const char *section;
	char why[256] = "";
	int fd;

	if (size < 2)
		return 0;
	wire_start(NULL, NULL, 0);
	section = data[0] < ARRAY_SIZE(usual) ? usual[data[0]] : (const char *)data + 1;
	if (section == (const char *)data + 1) {
		const uint8_t *end = memchr(data + 1, 0, size - 1);

		if (!end)
			return 0;
		size -= (size_t)(end - data);
		data = end;
	}
	object.data = data + 1;
	object.len = size - 1;
	object.loads = 0;
	fd = bpf_load("object", section, why, sizeof(why));
	MUST(memchr(why, 0, sizeof(why)));
	MUST(fd >= 0 ? object.loads == 1 : why[0]);
	MUST(object.loads <= 1);
	if (fd >= 0)
		wire_close(fd);
	wire_end();
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads one section of an ELF object as a program for End.BPF: one without maps and calls between sections, as many are.
 * What needs more than that is bpftool's work: it pins, and we take the pin.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <linux/bpf.h>

#include "cli.h"

#define LOG_SIZE   (64 * 1024)
#define OBJECT_MAX (16 * 1024 * 1024)

struct elf {
	const uint8_t *data;
	size_t len;
	const Elf64_Ehdr *head;
	const Elf64_Shdr *sections;
};

/* The bytes of a section; NULL: they are not all in the file. */
static const void *contents(const struct elf *e, const Elf64_Shdr *s)
{
	return s->sh_type != SHT_NOBITS && s->sh_offset <= e->len && s->sh_size <= e->len - s->sh_offset
		       ? e->data + s->sh_offset
		       : NULL;
}

static const char *name_of(const struct elf *e, const Elf64_Shdr *s)
{
	const Elf64_Shdr *names = &e->sections[e->head->e_shstrndx];
	const char *text = contents(e, names);

	return text && s->sh_name < names->sh_size && memchr(text + s->sh_name, 0, names->sh_size - s->sh_name)
		       ? text + s->sh_name
		       : "";
}

static const Elf64_Shdr *find_section(const struct elf *e, const char *name)
{
	for (unsigned int i = 1; i < e->head->e_shnum; i++)
		if (!strcmp(name_of(e, &e->sections[i]), name))
			return &e->sections[i];
	return NULL;
}

static bool has_relocations(const struct elf *e, const Elf64_Shdr *section)
{
	const Elf64_Shdr *s;

	for (unsigned int i = 1; i < e->head->e_shnum; i++) {
		s = &e->sections[i];
		if ((s->sh_type == SHT_REL || s->sh_type == SHT_RELA) && s->sh_info < e->head->e_shnum &&
		    &e->sections[s->sh_info] == section && s->sh_size)
			return true;
	}
	return false;
}

static bool parse(struct elf *e)
{
	const Elf64_Ehdr *h = (const Elf64_Ehdr *)e->data;

	if (e->len < sizeof(*h) || memcmp(h->e_ident, ELFMAG, SELFMAG) || h->e_ident[EI_CLASS] != ELFCLASS64 ||
	    h->e_machine != EM_BPF || h->e_shentsize != sizeof(Elf64_Shdr) || h->e_shoff % 8 || h->e_shoff > e->len ||
	    h->e_shnum > (e->len - h->e_shoff) / sizeof(Elf64_Shdr) || h->e_shstrndx >= h->e_shnum)
		return false;
	e->head = h;
	e->sections = (const Elf64_Shdr *)(e->data + h->e_shoff);
	return true;
}

static int load(const void *insns, size_t len, const char *license, char *why, size_t size)
{
	union bpf_attr attr = { 0 };
	char *log = calloc(1, LOG_SIZE), *line;
	int ret;

	attr.prog_type = BPF_PROG_TYPE_LWT_SEG6LOCAL;
	attr.insns = (uintptr_t)insns;
	attr.insn_cnt = (uint32_t)(len / sizeof(struct bpf_insn));
	attr.license = (uintptr_t)license;
	attr.log_buf = (uintptr_t)log;
	attr.log_size = log ? LOG_SIZE : 0;
	attr.log_level = log ? 1 : 0;
	ret = (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
	ret = ret < 0 ? -errno : ret;
	if (ret < 0) {
		/* the verifier's reason is the last line but its statistics */
		line = log ? strstr(log, "\nprocessed ") : NULL;
		if (line)
			*line = '\0';
		line = log ? strrchr(log, '\n') : NULL;
		snprintf(why, size, "the kernel refused it: %s%s%s", strerror(-ret), log && *log ? ": " : "",
			 line  ? line + 1
			 : log ? log
			       : "");
	}
	free(log);
	return ret;
}

static int load_section(struct elf *e, const char *section, char *why, size_t size)
{
	const Elf64_Shdr *s, *license;
	const char *text = "GPL";

	if (!parse(e)) {
		snprintf(why, size, "it is no BPF object file");
		return -ENOEXEC;
	}
	s = find_section(e, section);
	if (!s || !contents(e, s) || !s->sh_size || s->sh_size % sizeof(struct bpf_insn)) {
		snprintf(why, size, "it has no section '%s' with instructions", section);
		return -ENOENT;
	}
	if (has_relocations(e, s)) {
		snprintf(why, size, "section '%s' uses maps or other sections, which is for bpftool to load", section);
		return -EOPNOTSUPP;
	}
	license = find_section(e, "license");
	if (license && contents(e, license) && license->sh_size &&
	    !((const char *)contents(e, license))[license->sh_size - 1])
		text = contents(e, license);
	return load(contents(e, s), s->sh_size, text, why, size);
}

/* A copy of the file: what another program changes meanwhile is not seen half-way, and a file cut short is no fault. */
static int read_whole(int fd, size_t size, uint8_t **ret, size_t *len)
{
	uint8_t *data = malloc(size);
	size_t have = 0;
	ssize_t n = 1;
	int err;

	while (data && have < size && n > 0) {
		n = read(fd, data + have, size - have);
		if (n < 0 && errno != EINTR)
			break;
		have += n > 0 ? (size_t)n : 0;
		n = n < 0 ? 1 : n;
	}
	if (!data || n < 0) {
		err = data ? -errno : -ENOMEM;
		free(data);
		return err;
	}
	*ret = data;
	*len = have;
	return 0;
}

static int read_object(const char *file, uint8_t **data, size_t *len)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK), err;
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || !st.st_size || st.st_size > OBJECT_MAX)
		err = -ENOEXEC;
	else
		err = read_whole(fd, (size_t)st.st_size, data, len);
	close(fd);
	return err;
}

int bpf_load(const char *file, const char *section, char *why, size_t size)
{
	uint8_t *data = NULL;
	struct elf e = { 0 };
	int ret = read_object(file, &data, &e.len);

	if (ret) {
		snprintf(why, size, "%s", ret == -ENOEXEC ? "it is no BPF object file" : strerror(-ret));
		return ret;
	}
	e.data = data;
	ret = load_section(&e, section, why, size);
	free(data);
	return ret;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The engine of "srv6 perf". A test run of an XDP program with live frames (BPF_PROG_TEST_RUN) makes frames and gives
 * them to the stack as if a device had received them. The kernel reuses the pages without restoring them, and
 * forwarding changes what is in them, so the program writes all headers each time. At the far end another program
 * counts, compares, keeps a sample, and drops.
 *
 * The programs are a few dozen instructions, put together here: no compiler and no library for BPF is needed.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/if_link.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "perf.h"

static int sys_bpf(enum bpf_cmd cmd, union bpf_attr *attr)
{
	long rc = syscall(SYS_bpf, cmd, attr, sizeof(*attr));

	return rc < 0 ? -errno : (int)rc;
}

static uint64_t ptr(const void *p)
{
	return (uintptr_t)p;
}

/* ---- a program in the making */

#define PROG_MAX 1024

struct prog {
	struct bpf_insn insn[PROG_MAX];
	size_t n;
};

static size_t emit(struct prog *p, uint8_t code, uint8_t dst, uint8_t src, int16_t off, int32_t imm)
{
	if (p->n < PROG_MAX)
		p->insn[p->n] = (struct bpf_insn){
			.code = code, .dst_reg = dst & 0xfu, .src_reg = src & 0xfu, .off = off, .imm = imm
		};
	return p->n++;
}

enum { R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, FP };

static void mov(struct prog *p, uint8_t dst, uint8_t src)
{
	emit(p, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

static void mov_imm(struct prog *p, uint8_t dst, int32_t imm)
{
	emit(p, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm);
}

static void add_imm(struct prog *p, uint8_t dst, int32_t imm)
{
	emit(p, BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, imm);
}

static void load(struct prog *p, uint8_t size, uint8_t dst, uint8_t src, size_t off)
{
	emit(p, BPF_LDX | BPF_MEM | size, dst, src, (int16_t)off, 0);
}

static void store_imm(struct prog *p, uint8_t size, uint8_t dst, size_t off, int32_t imm)
{
	emit(p, BPF_ST | BPF_MEM | size, dst, 0, (int16_t)off, imm);
}

static void call(struct prog *p, int32_t helper)
{
	emit(p, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

static void verdict(struct prog *p, int32_t code)
{
	mov_imm(p, R0, code);
	emit(p, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

/* A jump whose target comes later: land() sets it to where the program then is. */
static size_t jump(struct prog *p, uint8_t op, uint8_t dst, uint8_t src)
{
	return emit(p, BPF_JMP | op | BPF_X, dst, src, 0, 0);
}

static size_t jump_imm(struct prog *p, uint8_t op, uint8_t dst, int32_t imm)
{
	return emit(p, BPF_JMP | op | BPF_K, dst, 0, 0, imm);
}

static void land(struct prog *p, size_t at)
{
	if (at < PROG_MAX)
		p->insn[at].off = (int16_t)(p->n - at - 1);
}

static int prog_load(const struct prog *p)
{
	union bpf_attr attr;

	if (p->n > PROG_MAX)
		return -E2BIG;
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_XDP;
	attr.insns = ptr(p->insn);
	attr.insn_cnt = (uint32_t)p->n;
	attr.license = ptr("GPL");
	memcpy(attr.prog_name, "srv6_perf", sizeof("srv6_perf"));
	return sys_bpf(BPF_PROG_LOAD, &attr);
}

/* ---- the generator */

/* R2: the frame's first byte. Four bytes an instruction, the rest in single bytes. */
static void write_head(struct prog *p, const struct frame *f)
{
	uint32_t i = 0;
	int32_t word;

	for (; i + sizeof(word) <= f->head; i += (uint32_t)sizeof(word)) {
		memcpy(&word, f->data + i, sizeof(word));
		store_imm(p, BPF_W, R2, i, word);
	}
	for (; i < f->head; i++)
		store_imm(p, BPF_B, R2, i, f->data[i]);
}

/*
 * The frame lies behind headroom bytes that the program cuts off: a sender's encapsulation then finds room, and so does
 * the far end's XDP, which would copy a frame that has fewer than 256 bytes before it. Without this, encapsulated
 * frames would pay for a copy that plain ones do not.
 */
int gen_load(const struct frame *f, uint32_t headroom, bool drop)
{
	struct prog p = { .n = 0 };
	size_t no_room, no_frame;

	mov(&p, R6, R1);
	mov_imm(&p, R2, (int32_t)headroom);
	call(&p, BPF_FUNC_xdp_adjust_head);
	no_room = jump_imm(&p, BPF_JNE, R0, 0);
	load(&p, BPF_W, R2, R6, offsetof(struct xdp_md, data));
	load(&p, BPF_W, R3, R6, offsetof(struct xdp_md, data_end));
	mov(&p, R4, R2);
	add_imm(&p, R4, (int32_t)f->head);
	no_frame = jump(&p, BPF_JGT, R4, R3);
	write_head(&p, f);
	verdict(&p, drop ? XDP_DROP : XDP_PASS);
	land(&p, no_room);
	land(&p, no_frame);
	verdict(&p, XDP_ABORTED);
	return prog_load(&p);
}

int gen_load_pass(void)
{
	struct prog p = { .n = 0 };

	verdict(&p, XDP_PASS);
	return prog_load(&p);
}

static double since(clockid_t clock, const struct timespec *from)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)(now.tv_sec - from->tv_sec) * 1e9 + (double)(now.tv_nsec - from->tv_nsec);
}

/* All of it, softirqs included, runs in this thread on this processor: its own CPU time is what the frames cost. */
int gen_run(int prog, uint32_t ifindex, const struct frame *f, uint32_t headroom, uint32_t frames, struct cost *ret)
{
	uint8_t data[FRAME_ROOM] = { 0 };
	struct xdp_md md = { .ingress_ifindex = ifindex };
	struct timespec cpu, wall;
	union bpf_attr attr;
	struct cost cost;
	int rc;

	if (headroom + f->len > sizeof(data))
		return -EMSGSIZE;
	memcpy(data + headroom, f->data, f->len);
	md.data_end = headroom + f->len;
	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = (uint32_t)prog;
	attr.test.data_in = ptr(data);
	attr.test.data_size_in = headroom + f->len;
	attr.test.ctx_in = ptr(&md);
	attr.test.ctx_size_in = sizeof(md);
	attr.test.repeat = frames;
	attr.test.flags = BPF_F_TEST_XDP_LIVE_FRAMES;
	attr.test.batch_size = 64;
	clock_gettime(CLOCK_MONOTONIC, &wall);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
	rc = sys_bpf(BPF_PROG_TEST_RUN, &attr);
	cost.cpu = since(CLOCK_THREAD_CPUTIME_ID, &cpu) / frames;
	cost.wall = since(CLOCK_MONOTONIC, &wall) / frames;
	if (rc < 0)
		return rc;
	*ret = cost;
	return 0;
}

/* ---- the far end */

static void add_one(struct prog *p, size_t off)
{
	mov_imm(p, R1, 1);
	emit(p, BPF_STX | BPF_ATOMIC | BPF_DW, R8, R1, (int16_t)off, BPF_ADD);
}

/* Counts the frame as right (R9: 0) or as another (1). R2, R3: its begin and end; R7: its length. */
static void compare(struct prog *p)
{
	size_t other[6], done, i;

	load(p, BPF_DW, R1, R8, offsetof(struct sink_shared, len));
	other[4] = jump(p, BPF_JNE, R1, R7);
	mov(p, R4, R2);
	add_imm(p, R4, SINK_FROM + 32);
	other[5] = jump(p, BPF_JGT, R4, R3);
	for (i = 0; i < 4; i++) {
		load(p, BPF_DW, R4, R2, SINK_FROM + 8 * i);
		load(p, BPF_DW, R5, R8, offsetof(struct sink_shared, want) + 8 * i);
		other[i] = jump(p, BPF_JNE, R4, R5);
	}
	add_one(p, offsetof(struct sink_shared, right));
	mov_imm(p, R9, 0);
	done = emit(p, BPF_JMP | BPF_JA, 0, 0, 0, 0);
	for (i = 0; i < ARRAY_SIZE(other); i++)
		land(p, other[i]);
	add_one(p, offsetof(struct sink_shared, other));
	mov_imm(p, R9, 1);
	land(p, done);
}

/* Of the first right frame; until then of the last other one. */
static void take_sample(struct prog *p)
{
	size_t done, empty, fits;

	load(p, BPF_DW, R1, R8, offsetof(struct sink_shared, sample));
	done = jump_imm(p, BPF_JEQ, R1, 0);
	emit(p, BPF_STX | BPF_MEM | BPF_DW, R8, R9, offsetof(struct sink_shared, sample), 0);
	mov(p, R4, R7);
	empty = jump_imm(p, BPF_JLT, R4, 1); /* told so, the verifiers before 6.8 too know that it is not 0 */
	fits = jump_imm(p, BPF_JLE, R4, FRAME_ROOM);
	mov_imm(p, R4, FRAME_ROOM);
	land(p, fits);
	emit(p, BPF_STX | BPF_MEM | BPF_DW, R8, R4, offsetof(struct sink_shared, sample_len), 0);
	mov(p, R1, R6);
	mov_imm(p, R2, 0);
	mov(p, R3, R8);
	add_imm(p, R3, offsetof(struct sink_shared, frame));
	call(p, BPF_FUNC_xdp_load_bytes);
	land(p, done);
	land(p, empty);
}

static int sink_load(int map)
{
	struct prog p = { .n = 0 };

	mov(&p, R6, R1);
	load(&p, BPF_W, R2, R6, offsetof(struct xdp_md, data));
	load(&p, BPF_W, R3, R6, offsetof(struct xdp_md, data_end));
	mov(&p, R7, R3);
	emit(&p, BPF_ALU64 | BPF_SUB | BPF_X, R7, R2, 0, 0);
	/* The address of the map's value, in the two instructions that a 64-bit constant takes. */
	emit(&p, BPF_LD | BPF_DW | BPF_IMM, R8, BPF_PSEUDO_MAP_VALUE, 0, map);
	emit(&p, 0, 0, 0, 0, 0);
	compare(&p);
	take_sample(&p);
	verdict(&p, XDP_DROP);
	return prog_load(&p);
}

static int map_create(size_t size)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = 4;
	attr.value_size = (uint32_t)size;
	attr.max_entries = 1;
	attr.map_flags = BPF_F_MMAPABLE;
	return sys_bpf(BPF_MAP_CREATE, &attr);
}

int sink_open(struct sink *s, const char **what)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct sink sink = { .map = -1, .prog = -1 };
	int rc;

	sink.map_len = (sizeof(struct sink_shared) + page - 1) / page * page;
	*what = "a BPF map";
	sink.map = map_create(sizeof(struct sink_shared));
	if (sink.map < 0)
		return sink.map;
	*what = "the memory of a BPF map";
	sink.shared = mmap(NULL, sink.map_len, PROT_READ | PROT_WRITE, MAP_SHARED, sink.map, 0);
	if (sink.shared == MAP_FAILED) {
		rc = -errno;
		goto close_map;
	}
	*what = "an XDP program";
	sink.prog = sink_load(sink.map);
	if (sink.prog < 0) {
		rc = sink.prog;
		goto unmap;
	}
	*s = sink;
	return 0;
unmap:
	munmap(sink.shared, sink.map_len);
close_map:
	close(sink.map);
	return rc;
}

void sink_close(struct sink *s)
{
	if (!s->shared)
		return;
	munmap(s->shared, s->map_len);
	close(s->prog);
	close(s->map);
	s->shared = NULL;
}

void sink_expect(struct sink *s, const struct frame *f)
{
	struct sink_shared *shared = s->shared;

	shared->right = 0;
	shared->other = 0;
	shared->len = f->len;
	memcpy(shared->want, f->data + SINK_FROM, sizeof(shared->want));
	shared->sample_len = 0;
	shared->sample = 1;
}

int xdp_attach(int prog, uint32_t ifindex, bool generic)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = (uint32_t)prog;
	attr.link_create.target_ifindex = ifindex;
	attr.link_create.attach_type = BPF_XDP;
	attr.link_create.flags = generic ? XDP_FLAGS_SKB_MODE : XDP_FLAGS_DRV_MODE;
	return sys_bpf(BPF_LINK_CREATE, &attr);
}

int xdp_replace(int link, int prog)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_update.link_fd = (uint32_t)link;
	attr.link_update.new_prog_fd = (uint32_t)prog;
	return sys_bpf(BPF_LINK_UPDATE, &attr);
}

int perf_pin(uint32_t cpu)
{
	cpu_set_t set;

	if (cpu >= CPU_SETSIZE)
		return -EINVAL;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) ? -errno : 0;
}

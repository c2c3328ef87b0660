/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A family is a numbering of the behaviors and attributes inside one encapsulation type. All wire numbers are in the rows
 * of the family_*.c files. A new numbering is one more such file and one more line in families[] (encap.c).
 */
#ifndef SRV6_FAMILY_H
#define SRV6_FAMILY_H

#include "codec.h"

struct family;
struct family_row;

/* How attributes look on the wire. size: of the field, copied as it is, where put is NULL. */
struct wire {
	uint8_t size;
	uint64_t covers; /* the attributes of the model in it; 0: the row's alone */
	void (*put)(struct msg *m, const struct family *f, const struct family_row *row, uint32_t number,
		    const struct srv6_encap *e);
	/* 0, -errno, or 1: it holds more than the fields can say. */
	int (*get)(const struct family *f, const struct family_row *row, const struct attr *a, struct arena *mem,
		   struct srv6_encap *ret);
};

extern const struct wire wire_u8, wire_u32, wire_in4, wire_in6, wire_flag; /* shape.c */
extern const struct wire wire_srh, wire_counters, wire_flavors, wire_bpf;

/* What the numbers of a nest are called in family_row.inner. */
enum { COUNTER_PACKETS, COUNTER_BYTES, COUNTER_ERRORS, COUNTER_PAD };
/* clang-format off */
#define SEG6LOCAL_COUNTER_TYPES /* of both families that seg6local is the home of */ \
	{ [COUNTER_PACKETS] = SEG6_LOCAL_CNT_PACKETS, [COUNTER_BYTES] = SEG6_LOCAL_CNT_BYTES, \
	  [COUNTER_ERRORS] = SEG6_LOCAL_CNT_ERRORS, [COUNTER_PAD] = SEG6_LOCAL_CNT_PAD }
/* clang-format on */
enum { FLAVOR_OPERATION, FLAVOR_LBLEN, FLAVOR_NFLEN };
enum { BPF_PROG, BPF_NAME };

struct family_row {
	uint16_t type;
	uint8_t attr; /* enum srv6_attr */
	const struct wire *wire;
	uint16_t inner[4]; /* numbers inside the nest */
};

struct family {
	const char *name; /* of the numbering */
	const char *word; /* iproute2's for the encapsulation */
	uint16_t encap_type;
	uint16_t number_type; /* the attribute whose first 4 bytes are the action or mode */
	bool number_in_srh;   /* that attribute goes on with the SRH; else the number is all there is to it */
	uint32_t mobile;      /* enum srv6_mobile that this is; 0: of no concern */
	uint32_t n_behaviors;
	const uint8_t *behaviors; /* by action or mode; SRV6_OTHER where there is none */
	uint32_t n_rows;
	const struct family_row *rows; /* in the order in which they are sent */
	/* Rows of behaviors for which srv6_behavior_info() answers something else in this numbering. */
	uint32_t n_infos;
	const struct srv6_behavior_info *infos;
};

extern const struct family family_seg6, family_seg6local, family_mobile_seg6, family_mobile_v2;

/* Calls fn-like code for each family: for (i = 0; (f = family_at(i)); i++) */
const struct family *family_at(unsigned int i);
/* The family of a behavior in a numbering, and its action or mode there. NULL: none. */
const struct family *family_of(uint32_t behavior, uint32_t mobile, uint32_t *number);
/* The one of a number read from the wire. */
const struct family *family_find(uint16_t encap_type, uint32_t number);
/* A row that differs from srv6_behavior_info()'s own in this numbering; NULL: none. */
const struct srv6_behavior_info *family_info(uint32_t behavior, uint32_t mobile);
/* Whether an encapsulation (iproute2's word) has the behavior, in any numbering. */
bool family_has(const char *word, uint32_t behavior);
#endif

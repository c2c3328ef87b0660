/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sockets that are none: what the library sends comes to a function, what is put is what it receives. No system call is made,
 * and each descriptor that is left open, or closed twice, is found. The linker leads the library's calls here (--wrap).
 */
#ifndef WIRE_H
#define WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wire_kind { WIRE_ROUTE, WIRE_GENL, WIRE_EVENTS, WIRE_FILE, WIRE_OTHER, WIRE_KINDS };

/* Forgets all. sent: called for each datagram. pid: what our end is called; 0: it is no netlink socket. */
void wire_start(void (*sent)(void *arg, enum wire_kind kind, const void *data, size_t len), void *arg, uint32_t pid);
/* Nothing is open any more. */
void wire_end(void);

int wire_open(enum wire_kind kind);          /* of WIRE_EVENTS the library opens its own */
int wire_file(const void *data, size_t len); /* the last one is what is read */
void wire_close(int fd);

/* Where one of that kind is open. False: there is no room, which shows as an overrun. */
bool wire_put(enum wire_kind kind, const void *data, size_t len, uint32_t from);
void wire_overrun(enum wire_kind kind); /* what was put is dropped, and the next to receive is told */
void wire_hang_up(enum wire_kind kind);

#endif

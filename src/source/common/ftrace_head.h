/*
 * What stands before the event in a record of ftrace, as the kernel's trace file and trace-cmd
 * report print it:
 *
 *     comm-pid [cpu] flags time: event
 *     comm-pid (tgid) [cpu] time: event         with record-tgid; without flags in old kernels
 *     comm-pid 3d..1. time: event               with latency format: CPU and flags in one word
 *     comm pid 3 1 00000002 00000007 [9f1623aa5] 16.088ms (+0.888ms): event    and with verbose, too
 *
 * The name may hold blanks, dashes, digits and brackets: it is the shortest one that the rest can
 * follow. The time is in seconds with a point; in microseconds where it ends in "us" (latency
 * format), and in milliseconds where it ends in "ms" (verbose); a bare count where it has no point (the clocks "counter" and "x86-tsc").
 */
#ifndef TTRACE_SOURCE_COMMON_FTRACE_HEAD_H
#define TTRACE_SOURCE_COMMON_FTRACE_HEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "source/common/scan.h"

struct ftrace_head {
	struct scan name;  /* without blanks at its ends; "<...>" where the kernel does not know it */
	struct scan flags; /* empty where there are none, or where they are a number */
	int64_t pid;
	int64_t process;   /* 0 where that is not printed, or not known */
	uint32_t cpu;      /* at most FTRACE_MAX_CPU */
	int64_t time_ns;   /* or the count */
	bool has_unit;     /* the time is a time */
	bool is_in_interrupt; /* the flags say so: a hard or soft one, or one that nothing masks */
};

enum { FTRACE_MAX_CPU = 65535 };

/* Takes a head, the colon behind the time and the blanks behind that. */
bool ftrace_head_read(struct scan *line, struct ftrace_head *head);

/* Takes a CPU number: false where there is none, or one that no machine has. */
bool ftrace_cpu(struct scan *scan, uint32_t *cpu);

/*
 * A task as "name-pid" with blanks around it: the whole of `field`. The pid stands behind the last
 * dash; the name is what is before that, without blanks at its ends.
 */
bool ftrace_task(struct scan field, struct scan *name, int64_t *pid);

/* "CPU:0 [LOST 12 EVENTS]", "CPU:0 [12 EVENTS DROPPED]": a line of its own. Without a number *count is 0. */
bool ftrace_lost(struct scan line, uint32_t *cpu, uint64_t *count);

/*
 * Cuts what stands behind a head: "sched_switch: prev_comm=...", "sys_read(fd: 3)", "sys_read -> 0x3", and of
 * the tracer of functions "vfs_read <-ksys_read". False where it is none of these.
 */
bool ftrace_event(struct scan text, struct scan *name, struct scan *fields);

/* Whether flags tell of an interrupt: a hard or soft one, or one that nothing masks. */
bool ftrace_in_interrupt(struct scan flags);

/* Whether a character is one of those that the kernel prints as flags. */
bool ftrace_is_flag(char c);

#endif

/*
 * What a line of perf script's text says:
 *
 *     comm  [pid/]tid  [misc]  [cpu]  time:  period  event:  rest
 *     	ffffffff8103d0ca native_write+0x1a ([kernel.kallsyms])
 *       file.c:251
 *
 * Any part of a head may be missing. Names hold blanks and digits, so a head is read from the time
 * backwards; a frame ends in the file that it lies in, which is read from the end of the line.
 */
#ifndef TTRACE_SOURCE_PERF_SCRIPT_LINE_H
#define TTRACE_SOURCE_PERF_SCRIPT_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "source/common/scan.h"

enum { SCRIPT_MAX_CPU = 65535 };
#define SCRIPT_NONE UINT32_MAX

struct script_head {
	struct scan comm; /* without blanks at its ends */
	struct scan event; /* without its last colon; of a record "PERF_RECORD_COMM" */
	struct scan rest; /* fields, or a frame; without blanks in front */
	int64_t tid;
	int64_t process; /* whose thread it is, by its pid; 0 and less are none */
	int64_t time_ns;
	int64_t period;   /* 1 where none is printed */
	uint32_t cpu;     /* SCRIPT_NONE where none is printed */
	bool has_tid, has_time;
	bool has_period;
	bool is_record;   /* it tells of the recording, not of a sample */
};

/* A head with a time, or with an event. */
bool script_head_read(struct scan line, struct script_head *head);
/* "java 19983 [003]" alone, which is a head where a frame stands below it. */
bool script_task_read(struct scan line, struct script_head *head);

struct script_frame {
	struct scan symbol; /* without the offset */
	struct scan file;   /* without its brackets; empty where none is printed */
	bool is_inlined;    /* into the next line's */
	bool is_unknown;    /* there is no symbol */
};

/* A frame behind its address: "native_write+0x1a ([kernel.kallsyms])". False for an empty line. */
void script_frame_read(struct scan text, struct script_frame *frame);
/* Takes an address with the blank behind it. */
bool script_address(struct scan *text);
/* An address, and behind it something that ends in a file: so it is a frame wherever it stands. */
bool script_is_frame(struct scan text);

/* The event without its modifiers: "cycles:u" and "cycles:ppp" are "cycles". */
struct scan script_event_base(struct scan event);
/* Whether it is one with fields: "sched:sched_switch". */
bool script_is_tracepoint(struct scan event);

#endif

/*
 * What strace tells, line by line, put together: calls from their two halves, threads from who made
 * them, times from whatever the lines have in front.
 */
#ifndef TTRACE_SOURCE_STRACE_CALLS_H
#define TTRACE_SOURCE_STRACE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/ids.h"
#include "base/text.h"
#include "base/thread.h"
#include "input/input.h"
#include "source/common/line_damage.h"
#include "source/strace/line.h"
#include "trace/snapshot.h"
#include "trace/trace.h"

#define STRACE_NONE UINT32_MAX

enum strace_record_kind { STRACE_RECORD_CALL, STRACE_RECORD_INSTANT, STRACE_RECORD_END };

/* Times are nanoseconds by the clock of the input. */
struct strace_record {
	int64_t start_ns;   /* may be before the first time of all lines */
	int64_t length_ns;  /* of a call; that of one with SLICE_CUT or SLICE_OPEN is not known */
	uint32_t thread;    /* its index */
	string_id name;     /* of a call; of anything else the category of an instant */
	string_id detail;   /* "(ARGUMENTS) = RESULT"; the text of an instant */
	stack_id stack;
	uint8_t kind;       /* enum strace_record_kind */
	uint8_t flags;      /* enum slice_flag */
};

struct strace_thread {
	int64_t pid;          /* 0: the input never says it */
	string_id name;       /* the last one; STRING_EMPTY */
	uint32_t creator;     /* its index, or STRACE_NONE */
	int64_t first_ns;     /* when it was made, or its first line; INT64_MAX: no line tells a time */
	int64_t until_ns;     /* when its last call ended, as far as that is known */
	uint32_t open;        /* the record of its call that has yet to be resumed, or STRACE_NONE */
	uint32_t unended;     /* that of its last call, where nothing says when it ended, or STRACE_NONE */
	struct text begun;    /* of the open call, what was read so far: "(3, " */
	bool is_ended, is_announced;
};

/* Numbers of the whole input, as `--report=input` has them. */
struct strace_counts {
	uint64_t lines, blank, calls, unfinished, resumed, orphan_resumed, never_finished;
	uint64_t signals, stops, exits, killed, superseded, errors, restarts, no_return;
	uint64_t attached, stack_lines, summary_lines, backwards, midnights;
};

struct strace_calls {
	struct trace *trace;  /* whose strings and stacks are filled */
	enum strace_clock clock;
	int64_t first_ns, last_ns; /* the smallest and the greatest time of all lines */
	bool is_sorted;       /* the records are in the order of their starts */
	struct strace_record *records;
	size_t record_count, record_capacity;
	struct strace_thread *threads;
	size_t thread_count, thread_capacity;
	struct strace_counts counts;
	struct line_damage damage; /* with times by the same clock */
};

/* Who is shown what was read so far. */
struct strace_watch {
	const struct trace_watch *watch; /* NULL: nobody */
	/* Makes what there is of calls a trace, their own one, and frees neither. False for want of memory. */
	bool (*build)(const struct strace_calls *calls, const struct progress *progress, struct error *err);
};

/*
 * Reads the input to its end; strace_calls_release() frees, also after a failure. Damage is no
 * failure: memory, the input itself and a cancelled progress of the input are. O(bytes).
 */
bool strace_calls_read(struct strace_calls *calls, struct trace *trace, struct input *in,
	const struct strace_watch *watch, struct error *err);
/* Zero-initialised is fine. */
void strace_calls_release(struct strace_calls *calls);

#endif

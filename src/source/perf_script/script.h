/* The text of perf script as it was read: a row for each sample and record, in the order of the input. */
#ifndef TTRACE_SOURCE_PERF_SCRIPT_SCRIPT_H
#define TTRACE_SOURCE_PERF_SCRIPT_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/ids.h"
#include "base/intern.h"
#include "base/job.h"
#include "source/common/line_damage.h"
#include "source/common/live.h"
#include "source/perf_script/line.h"
#include "trace/trace.h"

#define SCRIPT_NO_TIME INT64_MIN

struct script_row {
	int64_t time_ns; /* as the input has it; SCRIPT_NO_TIME */
	int64_t weight;
	uint32_t thread; /* in `threads` */
	uint32_t cpu;    /* SCRIPT_NONE where none is printed */
	stack_id stack;
	string_id text;  /* behind the event: its fields */
	uint32_t event;  /* in `events` */
	uint32_t order;  /* of the input */
};

struct script_thread {
	int64_t tid;
	int64_t process; /* by its pid; 0 and less are none */
	string_id comm; /* the last one */
	actor_ref actor; /* REF_NONE until its first row is told to the builder */
	bool has_tid;
	bool is_ending; /* it has told of its exit */
	uint32_t last;  /* the index of its last row, where rows tell who comes and leaves */
};

struct script_event {
	string_id name; /* as printed */
	uint32_t type;  /* of the samples; SCRIPT_NONE for records, and for events beyond the most types */
	bool is_record;
	bool has_fields; /* of a tracepoint */
	bool is_move;    /* PERF_RECORD_SWITCH: who comes to a CPU or leaves it */
	bool is_exit;    /* PERF_RECORD_EXIT */
	bool is_loss;    /* PERF_RECORD_LOST: events before it are not there */
	bool is_known;   /* states and slices tell of it */
};

struct script_counts {
	uint64_t lines, samples, with_stack, frames, inlined, records, no_time, backwards, lost_events, switches;
	int64_t first_ns, last_ns; /* of samples */
	bool has_time;
};

struct script {
	struct trace *trace; /* strings, stacks and types go there */
	struct script_row *rows;
	size_t row_count, row_capacity;
	string_id *comms; /* of the rows: names of tasks change */
	size_t comm_capacity;
	struct script_thread *threads;
	size_t thread_count, thread_capacity;
	struct id_map thread_of; /* by tid; of tasks without a number that of their name, behind 2^32 */
	struct intern event_names; /* their ids are indices of `events` */
	struct script_event *events;
	size_t event_count, event_capacity;
	struct script_counts counts;
	struct line_damage damage;
	struct live live; /* of rows that have all their frames */
};

/* Reads the input to its end into a script with a trace and maybe somebody who watches. */
bool script_read(struct script *script, struct input *in, struct error *err);
/* What was read becomes the trace, but for its facts. */
bool script_build(struct script *script, const struct progress *progress, struct error *err);
void script_release(struct script *script);
/* The first rows as a trace of its own, NULL for want of memory. O(n log n). */
struct trace *script_so_far(const struct script *script, size_t rows, struct error *err);

/* How stackcollapse-perf and inferno write the names of tasks and functions; false: it is left out. */
void script_fold_task(struct text *out, const char *name, size_t length);
bool script_fold_name(struct text *out, const char *name, size_t length, const char *task, size_t task_length);

#endif

/*
 * What a function_graph says: calls of functions by tasks, which task ran on which CPU, events,
 * marks of a person, and what was lost.
 *
 * Calls belong to tasks. They stand in `slices`, one track "calls" for each task (the ref of its
 * owner is the index in `tasks`), at the depth at which they were printed. What a CPU did is found
 * through `runs`.
 *
 * Times are nanoseconds from the smallest time of the input, origin_ns. An input without time
 * stamps has its times laid out from the durations, each CPU from 0: then the CPUs have no common
 * clock, and what a call took besides its callees lies at its end.
 */
#ifndef TTRACE_SOURCE_FUNCTION_GRAPH_FGRAPH_H
#define TTRACE_SOURCE_FUNCTION_GRAPH_FGRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/intern.h"
#include "input/input.h"

#define FGRAPH_NONE UINT32_MAX
/* Times of an input that are later are put there, 73 years after its first one. */
#define FGRAPH_LAST_NS (INT64_MAX / 4)

enum fgraph_clock {
	FGRAPH_LAID_OUT, /* there are no time stamps */
	FGRAPH_STAMPED,
	FGRAPH_TICKS     /* stamps of a clock without a unit */
};

/* Numbers of the whole input. */
struct fgraph_counts {
	uint64_t records;      /* lines, all of them; of the form in one line: pieces */
	uint64_t notes, blank; /* of them: headers, rules and prose before the first; empty ones */
	uint64_t leaves, nested; /* calls on one line; lines that begin a call */
	uint64_t spans;        /* calls with a printed duration */
	uint64_t orphan_exits; /* ends of calls whose begin was lost */
	uint64_t cut_entries;  /* begins of calls whose end was lost */
	uint64_t open_at_end;  /* calls that had not ended when the input did */
	uint64_t switches, irq_enter, irq_exit, events, marks;
	uint64_t lost_records; /* lines that say that something was lost, ... */
	uint64_t lost_events;  /* ... and how much, as far as they say it */
	uint64_t damaged;      /* lines that fit nothing */
	uint64_t backwards;    /* stamps that are before the one before, of the same task */
	uint32_t max_depth;    /* 1 is the outermost */
	bool is_one_line;
	bool is_cut;           /* the last line has no newline and fits nothing */
};

struct fgraph_task {
	int64_t pid;    /* -1: not known, as the input never names who runs on the CPU */
	uint32_t cpu;   /* of a task with pid 0 (there is one for each CPU) or -1; else FGRAPH_NONE */
	int64_t process; /* whose thread it is; 0: it is not told */
	string_id name; /* STRING_EMPTY where not known; the kernel cuts it to 7 bytes or more */
	uint64_t spans; /* calls with a printed duration */
	int64_t outermost_ns; /* the sum of those that are in no other call */
};

/* A task ran on a CPU in [start_ns, end_ns), as far as the lines tell. Those of a CPU are in order. */
struct fgraph_run {
	int64_t start_ns, end_ns;
	uint32_t cpu, task;
};

struct fgraph_event {
	int64_t time_ns;
	uint32_t cpu, task;
	string_id text; /* as all texts: of the table texts */
};

struct fgraph_mark {
	int64_t time_ns; /* of the line before, no sooner than the mark before */
	string_id text;
	bool follows; /* directly on another one */
};

/* A stretch between marks: [start_ns, end_ns). */
struct fgraph_job {
	int64_t start_ns, end_ns;
	string_id text;  /* what the mark that begins it says */
	uint32_t mark;   /* that one */
	uint32_t parent; /* the job that it lies in; FGRAPH_NONE */
	uint32_t task;   /* who works for it, once it has begun in a trace */
};

struct fgraph_loss {
	int64_t time_ns;
	int64_t events; /* 0: the input does not say how many */
	uint32_t cpu;
};

/* What else is said of a call; it becomes the detail of its slice, a text of strings. */
struct fgraph_detail {
	string_id arguments, caller, returned;
	bool is_interrupt;
};

struct fgraph_damage {
	uint64_t line; /* its number, from 1 */
	string_id text; /* how it begins */
	uint64_t from_bytes, to_bytes; /* of the input */
	uint64_t lines, lost_bytes; /* 1, and its own; of the last one also of all behind it */
	int64_t time_ns; /* of the line before */
};

enum { FGRAPH_DAMAGE_SHOWN = 32 };

struct slices;

struct fgraph {
	struct intern strings; /* names of tasks and functions, details of slices */
	struct intern texts;   /* all other texts */
	struct slices *slices; /* frozen; names and details are ids of strings */
	struct fgraph_counts counts;
	enum fgraph_clock clock;
	int64_t origin_ns, end_ns; /* the smallest time by the clock of the input; the last one from there */
	int64_t last_stamp_ns; /* the greatest time of a line, by that clock */
	struct fgraph_task *tasks;
	uint32_t *cpus; /* their numbers, ascending */
	struct fgraph_run *runs;
	struct fgraph_event *events;
	struct fgraph_mark *marks;
	struct fgraph_job *jobs;
	struct fgraph_loss *losses;
	struct fgraph_detail *details;
	size_t task_count, cpu_count, run_count, event_count, mark_count, job_count, loss_count;
	size_t detail_count;
	size_t task_capacity, cpu_capacity, run_capacity, event_capacity, mark_capacity, job_capacity;
	size_t loss_capacity, detail_capacity;
	/* The first of counts.damaged lines. */
	struct fgraph_damage damage[FGRAPH_DAMAGE_SHOWN];
};

/*
 * Reads the input to its end; fgraph_release() frees, also after a failure. Damage is no failure:
 * memory, the input itself and a cancelled progress of the input are. O(bytes); within it needs
 * 32 bytes for each line besides.
 */
bool fgraph_read(struct fgraph *graph, struct input *in, struct error *err);
/* Zero-initialised is fine. */
void fgraph_release(struct fgraph *graph);

#endif

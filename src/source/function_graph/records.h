/*
 * Between the lines and the calls: what was read, as small records in the order of the input. All
 * is read before anything is built, since the first switch of a CPU tells who ran there before,
 * and times may run backwards.
 */
#ifndef TTRACE_SOURCE_FUNCTION_GRAPH_RECORDS_H
#define TTRACE_SOURCE_FUNCTION_GRAPH_RECORDS_H

#include "base/map.h"
#include "source/function_graph/fgraph.h"
#include "trace/snapshot.h"

enum { RECORD_BY_BRACES = 4095 }; /* the depth of a record whose indentation is gone */

/* 32 bytes: there may be many millions. */

struct record {
	int64_t time_ns;  /* by the clock of the input; -1: none */
	int64_t took_ns;  /* -1: none; of a loss: events */
	string_id name;   /* function, or text; of GRAPH_UNKNOWN: which of the damaged lines */
	uint32_t task;    /* FGRAPH_NONE: who runs there; of a switch: who comes */
	uint32_t detail;
	unsigned cpu : 16, depth : 12; /* of an event: whether it is in an interrupt; of a mark: whether it follows one */
	unsigned kind : 4; /* enum graph_kind, those that say something; GRAPH_UNKNOWN: when it stood */
};

struct records {
	struct record *items;
	size_t count, capacity;
	struct map tasks;           /* pid, or CPU of pid 0, to index in graph->tasks */
	uint32_t *first_tasks;      /* by CPU: who ran before its first switch; FGRAPH_NONE */
	uint8_t *is_cpu;            /* by CPU: whether there is a record of it */
	size_t cpu_capacity, is_cpu_capacity; /* of these two */
	uint32_t cpu_limit;         /* CPUs are below it */
	bool has_stamps, has_ticks;
	bool lacks_cpus;            /* some lines do not say on which CPU they are */
};

/* Who is shown what was read so far, while more comes: traces that make() makes. */
struct records_show {
	const struct trace_watch *watch; /* NULL: nobody */
	struct trace *(*make)(const void *context, struct error *err);
	const void *context;
};

/* Reads all lines into an empty graph. show: NULL for nobody. */
bool records_read(struct records *records, struct fgraph *graph, struct input *in,
	const struct records_show *show, struct error *err);
/* All so far, for building. Releasing both is the caller's, also after a failure. */
bool records_copy(struct records *copy, struct fgraph *copied, const struct records *records,
	const struct fgraph *graph, struct error *err);
/* Builds calls, runs and jobs of the graph. */
bool records_build(struct records *records, struct fgraph *graph, struct error *err);
/* The task with that pid, made if new; pid -1: the unknown one of the CPU. */
bool records_task(struct records *records, struct fgraph *graph, int64_t pid, uint32_t cpu,
	uint32_t *task, struct error *err);
void records_release(struct records *records);

/* Adds a mark at that time, or that of the mark before it if that is later. */
bool jobs_add_mark(
	struct fgraph *graph, const struct record *record, int64_t time_ns, struct error *err);
/* Finds the jobs between the marks, the last of which go on to graph->end_ns. */
bool jobs_build(struct fgraph *graph, struct error *err);

#endif

/* One row of the timeline: what it shows. */
#ifndef TTRACE_DRAW_ROW_H
#define TTRACE_DRAW_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "trace/span.h"
#include "trace/trace.h"

enum row_type {
	ROW_ACTORS,     /* counter: how many run, how many are ready */
	ROW_HEAP,       /* counter: allocated against goal; the lower half if it is two rows high */
	ROW_HEAP_UPPER,
	ROW_THREADS, /* counter: how many run, how many are in syscalls */
	ROW_GC,
	ROW_STW,
	ROW_WAKES,     /* ref: enum wake_row */
	ROW_SAMPLES,   /* how many CPU samples of whatever */
	ROW_SECTION,   /* ref: enum row_section; a heading */
	ROW_STEP,      /* ref: how many steps from who is asked about; a heading */
	ROW_PROCESSOR, /* ref: resource_ref */
	ROW_THREAD,    /* ref: resource_ref */
	ROW_BENEATH,   /* ref: resource_ref; what the kernel did with that thread */
	ROW_GROUP,     /* ref: group_ref; of more than one actor */
	ROW_ACTOR,     /* ref: actor_ref */
	ROW_TASK,      /* ref: task_ref */
	ROW_GAUGE,     /* ref: index in gauges; a counter that the input names */
	ROW_REGIONS,   /* ref: index of a nest, part: which of its rows of regions */
	ROW_LOGS,      /* ref: index of a nest */
	ROW_STACK,     /* ref: actor_ref, part: depth, the outermost frame's is 0 */
	ROW_SLICES,    /* ref: actor_ref, part: which depth of its tracks */
	/* ref: resource_ref, part: which depth of its own tracks, then of those that ran on it */
	ROW_PROCESSOR_SLICES,
	ROW_TYPE_COUNT
};

enum row_section {
	SECTION_PROCESSORS,
	SECTION_THREADS,
	SECTION_ACTORS,
	SECTION_WAKERS,      /* in focus: those that woke the actor, ... */
	SECTION_WOKEN,       /* ... that it woke, ... */
	SECTION_FOCUS_PROCESSORS, /* ... and the processors that it ran on */
	SECTION_TASKS,
	SECTION_GAUGES, /* counters that the input names */
	/* Without a heading while they are open; folded, one row stands for them: */
	SECTION_COUNTERS, /* actors, heap, threads */
	SECTION_GC,       /* collections and stops of the world */
	SECTION_EVENTS,   /* wakes */
	SECTION_PANEL,    /* no rows at all: the panel beneath them, which folds too */
	SECTION_COUNT
};

struct row {
	uint32_t ref;
	uint8_t type;  /* enum row_type */
	uint8_t depth; /* of indentation: 0, 1 below a heading, 2 within a group, one more in a nest */
	uint16_t part; /* of ROW_REGIONS, ROW_STACK and rows of slices; else 0 */
	bool is_pinned; /* it stands on top, beside where it is else */
};

/* The section without a heading that a row is part of, else SECTION_COUNT. */
enum row_section row_part_of(struct row row);

/* The row of a lane. */
struct row row_of_lane(struct lane lane);
/* The lane of a row; false for a row without one. */
bool row_to_lane(struct row row, struct lane *lane);

/*
 * "heap", "goroutines", "threads", "network", "timers", "syscalls", "samples", else as
 * lane_name_add() has it. Only for rows that can be pinned, see row_can_be_pinned().
 */
void row_name_add(struct text *out, const struct trace *trace, struct row row);
/* The row of such a name; false where the trace has none. O(actors). */
bool row_name_find(const struct trace *trace, const char *name, struct row *row);

/* Whether it is a track: no heading, and no part of another one. */
bool row_can_be_pinned(enum row_type type);

#endif

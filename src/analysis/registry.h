/* The analyses that answer with tables. */
#ifndef TTRACE_ANALYSIS_REGISTRY_H
#define TTRACE_ANALYSIS_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/analysis.h"
#include "trace/words.h"

/*
 * A row for each analysis, in the order of lists. X(NAME) stands for the constant NAME_kind in the
 * analysis's own file.
 */
#define ANALYSIS_TABLE(X) \
	X(allocations) /* analysis/go/alloc_tables.c */ \
	X(beneath)     /* analysis/beneath/table.c */ \
	X(function)    /* analysis/actor_tables.c */ \
	X(gc)          /* analysis/go/cycles.c */ \
	X(goroutines)  /* analysis/actor_tables.c */ \
	X(heat)        /* analysis/durations.c */ \
	X(histogram)   /* analysis/histograms.c */ \
	X(labels)      /* analysis/labels.c */ \
	X(latency)     /* analysis/durations.c */ \
	X(longest)     /* analysis/durations.c */ \
	X(mmu)         /* analysis/go/mmu.c */ \
	X(parts)       /* analysis/parts.c */ \
	X(peek)        /* analysis/peek.c */ \
	X(region)      /* analysis/actor_tables.c */ \
	X(regions)     /* analysis/actor_tables.c */ \
	X(sched)       /* analysis/sched.c */ \
	X(slices)      /* analysis/slice_times.c */ \
	X(stw)         /* analysis/go/stops.c */ \
	X(syscalls)    /* analysis/syscalls.c */ \
	X(gauges)      /* analysis/gauges.c */ \
	X(table)       /* analysis/ready_tables.c */ \
	X(tasks)       /* analysis/task_types.c */ \
	X(top)         /* analysis/profile_tables.c */ \
	X(tree)        /* analysis/profile_tables.c */ \
	X(utilisation) /* analysis/go/utilisation.c */

#define ANALYSIS_EXTERN(name) extern const struct analysis_kind name##_kind;
ANALYSIS_TABLE(ANALYSIS_EXTERN)
#undef ANALYSIS_EXTERN

/* Counted from 0; NULL behind the last. */
const struct analysis_kind *registry_at(size_t index);
/* The one whose name is name[0..length); NULL: there is none. */
const struct analysis_kind *registry_find(const char *name, size_t length);

/*
 * Names that Go has a word in have another one, in which no language has: "actors" for "goroutines",
 * "actor" for "goroutine", "processors" for "procs". The name for either, as the tables have it;
 * NULL: it is no such name.
 */
const char *registry_own_name(const char *name, size_t length);
/* The name as somebody reads it whose actors are called so: "goroutines", or the other one. */
const char *registry_shown_name(const char *name, const struct words *words);

/*
 * "histogram" is a page of the durations of a kind, "histogram:sched", and a page and report of the
 * histograms that the input has: whether that name means the latter.
 */
bool registry_means_histograms(const char *name);

/*
 * What is shown first of a trace that has no time: the name of an analysis. NULL where it has
 * time, or nothing at all.
 */
const char *registry_first(const struct trace *trace);

/*
 * What a trace must have (enum analysis_needs, or'ed) for the page or report of that name to make
 * sense, with its parameter: "latency:sched". 0 where nobody knows the name.
 */
unsigned registry_needs(const char *name);

#endif

/*
 * How long each goroutine was in which state, and what that comes to by start function; the same of
 * user regions, on the goroutines that they are of (analysis/regions.h).
 */
#ifndef TTRACE_ANALYSIS_GOROUTINES_H
#define TTRACE_ANALYSIS_GOROUTINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/measures.h"
#include "analysis/spread.h"
#include "base/error.h"
#include "trace/trace.h"

struct search_watch; /* query/watch.h */

/* A measure of a goroutine that is not 0. */
struct goroutine_time {
	int64_t ns;
	uint32_t measure;
};

struct goroutine_row {
	goroutine_ref goroutine;
	range_ref region; /* that these are the times of; REF_NONE: all of its life */
	size_t first; /* of its times, which are ordered by measure ... */
	uint32_t count; /* ... and so many */
};

/*
 * The goroutines of one start function, or the regions of one name and place:
 * rows [first, first + count).
 */
struct goroutine_function {
	string_id name; /* STRING_EMPTY where nobody knows */
	const struct stack_frame *place; /* where the regions begin, of the trace; NULL: nobody knows */
	uint32_t first, count;
	int64_t running_ns;
	bool has[MEASURE_MOST]; /* by measure, whether one of them has any of it */
};

struct goroutine_times {
	string_id *reasons; /* that occur, each once; the measure of one is MEASURE_REASONS + index */
	uint32_t reason_count;
	struct goroutine_row *rows; /* within a function those that lived longest first */
	uint32_t row_count;
	struct goroutine_time *times;
	size_t time_count;
	struct goroutine_function *functions; /* those that ran most first, equals by name */
	uint32_t function_count;
};

/* What is asked of goroutines or regions; what is 0 does not limit it. */
struct goroutines_scope {
	int64_t t0_ns, t1_ns;    /* only what lies within [t0, t1) */
	string_id function;      /* goroutines that start with it; STRING_EMPTY: all */
	const string_id *region; /* regions of that name; NULL: all */
	/* States that it matches; nothing is said of assists and sweeps then. NULL: all. */
	const struct search *only;
	struct search_watch *watch; /* a unit of work is a state or a range; NULL is fine */
};

/*
 * Of the goroutines that lived within the interval. O(states within it). ERROR_CANCELLED where the
 * watch says so. Release with goroutines_release() after success.
 */
bool goroutines_build(struct goroutine_times *times, const struct trace *trace,
	const struct goroutines_scope *scope, struct error *err);
void goroutines_release(struct goroutine_times *times);

/* What builds such times, of goroutines as this does, or of regions. */
typedef bool goroutine_times_build(struct goroutine_times *times, const struct trace *trace,
	const struct goroutines_scope *scope, struct error *err);

/* How long; 0 where it never was. */
int64_t goroutines_time(const struct goroutine_times *times, uint32_t row, uint32_t measure);
struct goroutine_spreads {
	struct spread spreads[MEASURE_MOST]; /* by measure ... */
	uint32_t longest[MEASURE_MOST];      /* ... and the row that the maximum is of */
};

/*
 * The measures of all goroutines of a function, those included that have none of it. O(times of
 * the function, log n for each). False with err set without memory.
 */
bool goroutines_spread(const struct goroutine_times *times,
	const struct goroutine_function *function, struct goroutine_spreads *spreads,
	struct error *err);

#endif

/* How long each goroutine was in which state, and what that comes to by start function. */
#ifndef TTRACE_ANALYSIS_GOROUTINES_H
#define TTRACE_ANALYSIS_GOROUTINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/spread.h"
#include "base/error.h"
#include "trace/trace.h"

/* What is measured of a goroutine. The states that follow the first add up to it. */
enum goroutine_measure {
	MEASURE_LIFE,
	MEASURE_RUNNING,
	MEASURE_READY,
	MEASURE_SYSCALL,
	MEASURE_BLOCKED, /* for whatever reason */
	MEASURE_UNKNOWN,
	MEASURE_ASSIST,  /* the goroutine helped the collector to mark, in whatever state */
	MEASURE_SWEEP,   /* it swept */
	MEASURE_REASONS, /* from here on: blocked, for one reason each */
	MEASURE_MOST = MEASURE_REASONS + KIND_MAX + 1
};

/* A measure of a goroutine that is not 0. */
struct goroutine_time {
	int64_t ns;
	uint32_t measure;
};

struct goroutine_row {
	goroutine_ref goroutine;
	size_t first; /* of its times, which are ordered by measure ... */
	uint32_t count; /* ... and so many */
};

/* The goroutines of one start function: rows [first, first + count). */
struct goroutine_function {
	string_id name; /* STRING_EMPTY where nobody knows */
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
	struct goroutine_function *functions; /* those that ran most first */
	uint32_t function_count;
};

struct search; /* query/search.h */

/*
 * Of the goroutines that lived within [t0, t1), and only of that time, and of the states that
 * `only` matches (NULL: of all; else nothing is said of assists and sweeps). `function`: only
 * goroutines that start with it, STRING_EMPTY: all. O(states within the interval). Release with
 * goroutines_release() after success.
 */
bool goroutines_build(struct goroutine_times *times, const struct trace *trace, int64_t t0_ns,
	int64_t t1_ns, string_id function, const struct search *only, struct error *err);
void goroutines_release(struct goroutine_times *times);

/* How long; 0 where it never was. */
int64_t goroutines_time(const struct goroutine_times *times, uint32_t row, uint32_t measure);
/*
 * A measure of all goroutines of a function, those included that have none of it. `scratch` has
 * room for as many durations as the function has goroutines; *longest is the row of the longest.
 */
struct spread goroutines_spread(const struct goroutine_times *times,
	const struct goroutine_function *function, uint32_t measure, int64_t *scratch,
	uint32_t *longest);

#endif

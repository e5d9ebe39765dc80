/*
 * How long each actor was in which state, and what that comes to by start function; the same of
 * user regions, on the actors that they are of (analysis/regions.h).
 */
#ifndef TTRACE_ANALYSIS_ACTORS_H
#define TTRACE_ANALYSIS_ACTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/measures.h"
#include "analysis/spread.h"
#include "base/error.h"
#include "trace/trace.h"

struct analysis_work; /* analysis/analysis.h */
struct search_watch;  /* query/watch.h */

/* A measure of an actor that is not 0. */
struct actor_time {
	int64_t ns;
	uint32_t measure;
};

struct actor_row {
	actor_ref actor;
	range_ref region; /* that these are the times of; REF_NONE: all of its life */
	size_t first; /* of its times, which are ordered by measure ... */
	uint32_t count; /* ... and so many */
};

/*
 * The actors of one start function, or the regions of one name and place:
 * rows [first, first + count).
 */
struct actor_function {
	string_id name; /* STRING_EMPTY where nobody knows */
	stack_id stack; /* whose leaf is where the regions begin; STACK_NONE: nobody knows */
	uint32_t first, count;
	int64_t running_ns;
	bool has[MEASURE_MOST]; /* by measure, whether one of them has any of it */
};

struct actor_times {
	string_id *reasons; /* that occur, each once; the measure of one is MEASURE_REASONS + index */
	uint32_t reason_count;
	struct actor_row *rows; /* within a function those that lived longest first */
	uint32_t row_count;
	struct actor_time *times;
	size_t time_count;
	struct actor_function *functions; /* those that ran most first, equals by name */
	uint32_t function_count;
};

/* What is asked of actors or regions; what is 0 does not limit it. */
struct actors_scope {
	int64_t t0_ns, t1_ns;    /* only what lies within [t0, t1) */
	string_id function;      /* actors that start with it; STRING_EMPTY: all */
	const string_id *region; /* regions of that name; NULL: all */
	bool is_by_name;         /* regions of one name are one function, wherever they begin */
	/* States that it matches; nothing is said of assists and sweeps then. NULL: all. */
	const struct search *only;
	struct search_watch *watch; /* a unit of work is a state or a range; NULL is fine */
};

/*
 * Of the actors that lived within the interval. O(states within it). ERROR_CANCELLED where the
 * watch says so. Release with actors_release() after success.
 */
bool actors_build(struct actor_times *times, const struct trace *trace,
	const struct actors_scope *scope, struct error *err);
void actors_release(struct actor_times *times);

/* What builds such times, of actors as this does, or of regions. */
typedef bool actor_times_build(struct actor_times *times, const struct trace *trace,
	const struct actors_scope *scope, struct error *err);

/* The scope of an analysis, whose watch expects all states and ranges then. */
struct actors_scope actors_scope_of(struct analysis_work *work);

/* How long; 0 where it never was. */
int64_t actors_time(const struct actor_times *times, uint32_t row, uint32_t measure);
struct actor_spreads {
	struct spread spreads[MEASURE_MOST]; /* by measure ... */
	uint32_t longest[MEASURE_MOST];      /* ... and the row that the maximum is of */
};

/*
 * The measures of all actors of a function, those included that have none of it. O(times of
 * the function, log n for each). False with err set without memory.
 */
bool actors_spread(const struct actor_times *times,
	const struct actor_function *function, struct actor_spreads *spreads,
	struct error *err);

/* The statistics of a measure as layers of a table: "total", "mean", "p50", "p90", "p99", "longest". */
enum { MEASURE_LAYERS = 6 };
extern const char *const measure_layer_names[MEASURE_LAYERS];
void measure_layers(const struct spread *spread, int64_t values_ns[MEASURE_LAYERS]);

#endif

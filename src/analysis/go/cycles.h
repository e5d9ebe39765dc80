/* The mark phases of the collector, each with who did what in it. */
#ifndef TTRACE_ANALYSIS_CYCLES_H
#define TTRACE_ANALYSIS_CYCLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/span.h"
#include "trace/trace.h"

struct search;       /* query/search.h */
struct search_watch; /* query/watch.h */

/* Why a collection began. */
enum gc_trigger {
	GC_TRIGGER_UNKNOWN, /* the trace does not say */
	GC_TRIGGER_HEAP,    /* an allocation found the heap at its goal */
	GC_TRIGGER_CALL,    /* runtime.GC() */
	GC_TRIGGER_TIMER,   /* there was none for two minutes */
	GC_TRIGGER_COUNT
};

/* What the trace does not have of it. */
enum gc_cut {
	GC_CUT_BEGIN = 1, /* it was on before the trace */
	GC_CUT_END = 2,   /* it is still on where the trace ends */
};

struct gc_cycle {
	struct span span;
	unsigned cut; /* enum gc_cut, or'ed */
	/*
	 * The sum of the collector's own stops that touch it, at its begin and end, those that last
	 * over several of them only with the first and the last. Of that what ends the sweeping
	 * before it, and what ends the marking; -1 where that is not in the trace.
	 */
	int64_t stops_ns;
	int64_t sweep_term_ns, mark_term_ns;
	int64_t assists_ns, workers_ns;
	uint32_t assists;
	double assist_share; /* of all processors, what ran in assists; -1 where the trace does not tell */
	int64_t sweeps_ns;   /* from its end to the next one, on all processors together; -1 without an end */
	enum gc_trigger trigger;
	/* While it is made: assists that cover this one and those that follow, as a difference. */
	int64_t around;
};

struct gc_cycles {
	struct gc_cycle *items; /* by time */
	size_t count, capacity;
};

/*
 * Those that overlap [t0, t1). O(cycles log n + ranges log cycles). `watch` (NULL is fine) is told
 * of gc_cycles_work() units, and can end it with ERROR_CANCELLED. Release after success.
 */
bool gc_cycles_build(struct gc_cycles *cycles, const struct trace *trace, int64_t t0_ns,
	int64_t t1_ns, struct search_watch *watch, struct error *err);
uint64_t gc_cycles_work(const struct trace *trace);
/*
 * Leaves those that an actor began of which a state within matches; NULL: all. O(cycles log n).
 */
void gc_cycles_leave(
	struct gc_cycles *cycles, const struct trace *trace, struct search *only);
void gc_cycles_release(struct gc_cycles *cycles);

/* Whether a stop of the world of that kind is the collector's own. */
bool gc_is_own_stop(const struct trace *trace, string_id kind);
/* The heap at its end; false where nobody knows. */
bool gc_cycle_heap_after(const struct gc_cycle *cycle, const struct trace *trace, uint64_t *bytes);
/* "began before", "not ended", both; "" where all of it is in the trace. */
const char *gc_cut_words(unsigned cut);
/* Why a mark phase began, by its stack and who began it. O(depth). */
enum gc_trigger gc_trigger_of(const struct trace *trace, const struct range *range);
/* "heap", "runtime.GC", "timer"; "" where it is unknown. */
const char *gc_trigger_name(enum gc_trigger trigger);
/* The part of all processors that the collector's workers had; -1 where the trace does not tell. */
double gc_cycle_share(const struct gc_cycle *cycle, const struct trace *trace);
/* Who began it, REF_NONE where nobody knows. */
actor_ref gc_cycle_beginner(const struct gc_cycle *cycle, const struct trace *trace);

#endif

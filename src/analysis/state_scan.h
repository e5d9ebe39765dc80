/* All states of some classes within an interval, one after the other, each once. */
#ifndef TTRACE_ANALYSIS_STATE_SCAN_H
#define TTRACE_ANALYSIS_STATE_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/span.h"
#include "trace/trace.h"

struct search_watch; /* query/watch.h */

/* A state's place; segment REF_NONE for none. */
struct scan_place {
	uint32_t segment, state;
};

struct scanned {
	actor_ref actor;
	struct scan_place at, after; /* the state itself, and the one that ended it */
	int64_t start_ns, end_ns;    /* end is the trace's end where it is open */
	enum time_class time_class;
};

/*
 * Segment by segment, the last one first, so that ends are known; run by run in each. Only those
 * in which a state can begin that overlaps the interval; then what else holds as it
 * begins, actor by actor.
 */
struct state_scan {
	const struct trace *trace;
	struct search_watch *watch;
	int64_t t0_ns, t1_ns;
	bool wanted[KIND_MAX + 1];
	uint32_t first_segment, end_segment; /* that are looked through */
	struct scan_place *after; /* by actor: its first state in those behind that were */
	uint32_t segment, run;    /* being looked at */
	uint32_t state, run_end;  /* the next one, and where its run ends */
	bool is_through;          /* no segment is left */
	actor_ref actor;          /* the next one whose state at the beginning is looked at */
};

struct scan_scope {
	class_mask mask;      /* states of these classes */
	int64_t t0_ns, t1_ns; /* that overlap [t0, t1); at the start and end of the trace also touch it */
	struct search_watch *watch; /* NULL: nobody watches */
};

/* Begins a scan. Release with state_scan_release() after success. */
bool state_scan_init(struct state_scan *scan, const struct trace *trace,
	const struct scan_scope *scope, struct error *err);
/*
 * False behind the last one, and once nobody wants the result. Some nanoseconds for each state in
 * those segments; where they are not all, O(log n) for each actor.
 */
bool state_scan_next(struct state_scan *scan, struct scanned *scanned);
void state_scan_release(struct state_scan *scan);

/* Whether nobody wants what is made any more. */
bool state_scan_is_cancelled(struct search_watch *watch);

/* The kind and the site of a state. */
const struct state_kind *scan_place_kind(const struct trace *trace, struct scan_place at);
const struct site *scan_place_site(const struct trace *trace, struct scan_place at);

#endif

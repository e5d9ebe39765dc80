/* What a trace holds over an interval, in numbers: the facts of --report=summary. */
#ifndef TTRACE_ANALYSIS_SUMMARY_H
#define TTRACE_ANALYSIS_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/span.h"
#include "trace/tally.h"
#include "trace/trace.h"

/* The actors of one start function. */
struct group_summary {
	group_ref group;
	uint32_t count;                 /* that lived within the interval */
	int64_t totals_ns[CLASS_COUNT]; /* all of them together */
	bool has_delay;
	struct span delay;              /* the longest ready state of any, clipped to the interval */
};

/* Global spans within the interval, clipped to it. */
struct range_summary {
	uint32_t count;
	int64_t covered_ns;    /* time in which there was at least one */
	range_ref longest;     /* REF_NONE if there was none */
	int64_t longest_start_ns, longest_ns;
};

struct search; /* query/search.h */

struct summary {
	int64_t t0_ns, t1_ns;
	struct group_summary *groups; /* those with members in it, by running time, longest first */
	uint32_t group_count;
	struct group_summary all;     /* group is not set */
	bool has_own_delay;
	struct span own_delay;        /* the longest delay of the program's own actors */
	uint32_t alive_at_end;        /* actors that live on at t1 */
	struct range_summary gc, stw;
};

/*
 * Sums up [t0, t1) of a frozen trace. Totals come from the index; the delays take
 * O(states) at worst. Groups, and what is said of all of them, are of the spans that `only`
 * matches, in O(states of the actors that have some); NULL: of all spans. Release with
 * summary_release() after success.
 */
bool summary_build(struct summary *summary, const struct trace *trace, int64_t t0_ns,
                   int64_t t1_ns, const struct search *only, struct error *err);
/* The same out of sums that were made while the trace was read; t1 is cut to its end. */
bool summary_take(struct summary *summary, const struct trace *trace, const struct tally *tally,
                  int64_t t0_ns, int64_t t1_ns, struct error *err);
void summary_release(struct summary *summary);

/* Time blocked, whatever the reason; time running, for the collector or not. */
int64_t totals_blocked(const int64_t totals_ns[CLASS_COUNT]);
int64_t totals_running(const int64_t totals_ns[CLASS_COUNT]);

#endif

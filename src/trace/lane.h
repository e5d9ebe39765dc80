/*
 * The interval index: questions about one lane of the trace. A lane is a sorted
 * run of spans that do not overlap. What each question costs stands beside it;
 * n is the number of spans of the lane, B the block (CHECKPOINT_STATES).
 *
 * Intervals are half-open, [t0, t1), clipped by nobody: time outside a lane's
 * life counts for no class. A state that is open still holds at the very end of the
 * trace (end_ns), also if it began only then; past that there is nothing.
 */
#ifndef TTRACE_TRACE_LANE_H
#define TTRACE_TRACE_LANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/span.h"
#include "trace/trace.h"

/*
 * Whether the index answers for the lane already: what a group does that is not by name is
 * known once its changes are listed. Until then its totals are 0.
 */
bool lane_is_known(const struct trace *trace, struct lane lane);

/*
 * Time per class within [t0, t1), exact. LANE_GC and LANE_STW answer in
 * CLASS_RUNNING. O(log n + B).
 */
void lane_totals(const struct trace *trace, struct lane lane, int64_t t0_ns, int64_t t1_ns,
                 int64_t totals_ns[CLASS_COUNT]);
/*
 * The same for each of `cells` equal cells of a strip, with edges as lane_edge() of time.h has
 * them. totals is cells * CLASS_COUNT. Cheaper than single questions.
 */
void lane_cells(const struct trace *trace, struct lane lane, int64_t t0_ns, int64_t t1_ns,
                int cells, int64_t (*totals_ns)[CLASS_COUNT]);
/* The last cell of the strip that begins at a moment or before; the first one if none does. O(1). */
int lane_cell_at(int64_t t0_ns, int64_t t1_ns, int cells, int64_t t_ns);

/* The questions below are not for LANE_GROUP and LANE_ALL: those answer false or 0. */

/* The span that holds t; false in a gap. O(log n). */
bool lane_span_at(const struct trace *trace, struct lane lane, int64_t t_ns, struct span *span);
/* The first span that begins at or after t with a class in the mask; false if there is none. */
bool lane_next(const struct trace *trace, struct lane lane, int64_t t_ns, class_mask mask,
               struct span *span);
/* The last span that begins before t with a class in the mask. */
bool lane_previous(const struct trace *trace, struct lane lane, int64_t t_ns, class_mask mask,
                   struct span *span);
/* The span after / before this one on the same lane, whatever lies between. O(log n). */
bool lane_after(const struct trace *trace, struct lane lane, const struct span *of,
                struct span *span);
bool lane_before(const struct trace *trace, struct lane lane, const struct span *of,
                 struct span *span);
/* Spans that overlap [t0, t1). O(log n). */
uint32_t lane_count(const struct trace *trace, struct lane lane, int64_t t0_ns, int64_t t1_ns);
/*
 * The longest span of a class in the mask, measured by its part within [t0, t1);
 * false if none overlaps. With CLASS_MASK_ALL O(log n + B); a narrower mask skips blocks
 * without the class. Ties: the earliest.
 */
bool lane_longest(const struct trace *trace, struct lane lane, int64_t t0_ns, int64_t t1_ns,
                  class_mask mask, struct span *span);

/* First and last moment of the lane's life within the trace. */
void lane_life(const struct trace *trace, struct lane lane, int64_t *start_ns, int64_t *end_ns);

/*
 * Moments of a wake row (network, timers, syscalls) within [t0, t1). O(log n).
 */
uint32_t wake_count(const struct trace *trace, enum wake_row row, int64_t t0_ns, int64_t t1_ns);
/* The first one at or after t (forward) or the last one before it; the span is the ready state. */
bool wake_find(const struct trace *trace, enum wake_row row, int64_t t_ns, bool forward,
               struct span *span);

/* Value of a counter at t (false before the first), and its least and greatest within [t0, t1). */
bool counter_at(const struct trace *trace, enum counter_type type, int64_t t_ns, uint64_t *value);
bool counter_range(const struct trace *trace, enum counter_type type, int64_t t0_ns,
                   int64_t t1_ns, uint64_t *least, uint64_t *greatest);
/* The same of a gauge. */
bool gauge_at(const struct trace *trace, uint32_t gauge, int64_t t_ns, int64_t *value);
bool gauge_range(const struct trace *trace, uint32_t gauge, int64_t t0_ns, int64_t t1_ns, int64_t *least,
	int64_t *greatest);

/*
 * How many of some instants, or ranges, which stand by when they are or begin, do so before t.
 * O(log n).
 */
size_t instants_before(
	const struct trace *trace, const uint32_t *refs, size_t count, int64_t t_ns);
size_t ranges_begun_before(
	const struct trace *trace, const range_ref *refs, size_t count, int64_t t_ns);
/* The region of an actor that is innermost at t, REF_NONE for none. */
range_ref region_at(const struct trace *trace, actor_ref actor, int64_t t_ns);

#endif

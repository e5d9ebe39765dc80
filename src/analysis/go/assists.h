/*
 * How long actors ran for the collector: the time that they ran within mark assists, by
 * actor and by group. Running keeps its meaning: this is a part of it.
 */
#ifndef TTRACE_ANALYSIS_ASSISTS_H
#define TTRACE_ANALYSIS_ASSISTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/span.h"
#include "trace/trace.h"

/*
 * Pieces of time, disjoint and ascending for each actor and each group of several members that
 * has any. Zero-initialised has none.
 */
struct assists {
	const struct trace *trace;
	struct assist_owner *owners; /* actors, then groups, each by ref; one more at the end */
	struct assist_block *blocks; /* of each owner in turn */
	struct assist_piece *pieces; /* of each block in turn */
	size_t owner_count, owner_capacity, block_count, block_capacity, piece_count, piece_capacity;
	size_t actor_count; /* of the owners */
};

/*
 * Of a frozen trace, which must outlive them. O(a log n) of a assists and n states, for which it
 * looks at the states within them. ERROR_CANCELLED once that is set (NULL: never). On failure
 * nothing is held.
 */
bool assists_build(struct assists *assists, const struct trace *trace,
	const atomic_bool *is_cancelled, struct error *err);
void assists_release(struct assists *assists);
size_t assists_bytes(const struct assists *assists);

/* The questions below are for lanes of an actor or a group; no other one has any. */

/* The time within [t0, t1), of a group summed over its members. O(log n). */
int64_t assists_time(
	const struct assists *assists, struct lane lane, int64_t t0_ns, int64_t t1_ns);
/*
 * The same for each of `cells` equal cells of [t0, t1), as lane_cells() has them. False, with
 * times_ns as it was, where there is none in all of them. O(log n) each.
 */
bool assists_cells(const struct assists *assists, struct lane lane, int64_t t0_ns, int64_t t1_ns,
	int cells, int64_t *times_ns);
/*
 * Of an actor: whether [t0, t1) has exactly one border of a piece in it, and where; is_before:
 * the piece ends there, else it begins. O(log n).
 */
bool assists_border(const struct assists *assists, actor_ref actor, int64_t t0_ns,
	int64_t t1_ns, int64_t *border_ns, bool *is_before);

#endif

/*
 * Pieces of time by lane, and how much of them lies within any interval: of what the index does not tell, such as
 * mark assists. A piece counts how many are at it at once.
 */
#ifndef TTRACE_ANALYSIS_PIECES_H
#define TTRACE_ANALYSIS_PIECES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/span.h"
#include "trace/trace.h"

struct radix_item; /* query/radix.h */

/* Disjoint and ascending for each lane that has any. Zero-initialised has none. */
struct pieces {
	const struct trace *trace;
	struct piece_owner *owners; /* lanes, by type and ref; one more at the end */
	struct piece_block *blocks; /* of each owner in turn */
	uint8_t *bytes;             /* the pieces of each block in turn */
	size_t owner_count, owner_capacity, block_count, block_capacity, byte_count, byte_capacity;
};

/* What pieces are built from, in any order. Zero-initialised but for the trace it is empty. */
struct piece_list {
	const struct trace *trace;
	struct radix_item *changes; /* where one begins or ends */
	size_t count, capacity;
};

/*
 * Adds [start, end) to the list of a lane. What an actor's lane has, that of its group has as well, where the group
 * has several members.
 */
bool piece_list_add(struct piece_list *list, struct lane lane, int64_t start_ns, int64_t end_ns,
	struct error *err);
/* Adds what another list has, which is empty afterwards. */
bool piece_list_join(struct piece_list *list, struct piece_list *other, struct error *err);
void piece_list_release(struct piece_list *list);

/*
 * Of a list, which is empty afterwards, and of a frozen trace, which must outlive them. Pieces that overlap on a lane
 * are counted. O(n). ERROR_CANCELLED once that is set (NULL: never). On failure nothing is held.
 */
bool pieces_build(struct pieces *pieces, struct piece_list *list, const atomic_bool *is_cancelled,
	struct error *err);
void pieces_release(struct pieces *pieces);

/* The time within [t0, t1), of a group summed over its members. O(log n). */
int64_t pieces_time(const struct pieces *pieces, struct lane lane, int64_t t0_ns, int64_t t1_ns);
/*
 * The same for each of `cells` equal cells of [t0, t1), as lane_cells() has them. False, with
 * times_ns as it was, where there is none in all of them. O(log n) each.
 */
bool pieces_cells(const struct pieces *pieces, struct lane lane, int64_t t0_ns, int64_t t1_ns, int cells,
	int64_t *times_ns);
/*
 * Whether [t0, t1) has exactly one border in it of pieces of the lane, and where; is_before: the piece ends there,
 * else it begins. O(log n).
 */
bool pieces_border(const struct pieces *pieces, struct lane lane, int64_t t0_ns, int64_t t1_ns,
	int64_t *border_ns, bool *is_before);

#endif

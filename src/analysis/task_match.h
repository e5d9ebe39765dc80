/*
 * Tasks and a search: a task matches where a span that does lies, even in part, on an actor
 * while that works for it (analysis/task_life.h).
 */
#ifndef TTRACE_ANALYSIS_TASK_MATCH_H
#define TTRACE_ANALYSIS_TASK_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/task_life.h"

struct search; /* query/search.h */

/* At any time. O(works x log n). */
bool task_life_matches(const struct task_life *life, struct search *search);
/*
 * The same for each cell of a strip, cells as lane_cells() cuts them. O(cells that each work
 * touches x log n) for works in which something matches, O(log n) for others.
 */
void task_life_match_cells(const struct task_life *life, struct search *search, int64_t t0_ns,
	int64_t t1_ns, int cells, bool *marks);

#endif

/* The tasks that the timeline shows as lanes, and what is worked out of those on the screen. */
#ifndef TTRACE_DRAW_TASK_ROWS_H
#define TTRACE_DRAW_TASK_ROWS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/task_index.h"
#include "analysis/task_life.h"
#include "base/error.h"
#include "draw/nest.h"
#include "trace/trace.h"

struct search;    /* query/search.h */
struct task_job;  /* analysis/task_job.h */
struct task_wish; /* the same */

/* What the lane of a task is drawn from. */
struct task_lane {
	struct task_life life;
	uint32_t *logs; /* of the task and all below it, instants by time */
	size_t log_count;
	uint64_t used; /* when it was asked for last */
};

struct task_rows {
	const struct trace *trace;
	struct task_index index;
	task_ref only;   /* shown alone, REF_NONE for all of ... */
	task_ref *roots; /* ... those without a parent, those that took longest first */
	size_t root_count;
	signed char *matching; /* by task: whether it matches the filter; 0: not asked yet */
	size_t root_asked;     /* so many of the roots were */
	struct task_lane *lanes; /* some that were asked for, by task */
	size_t lane_count, lane_capacity;
	uint64_t asked;       /* how often any was */
	struct task_job *job; /* works out more of them; NULL for none */
};

/*
 * Of a frozen trace, which must outlive them. NULL without memory, and with ERROR_CANCELLED soon
 * after is_cancelled (NULL: never) was set. What task_index_build() costs, and O(n log n) for n
 * tasks.
 */
struct task_rows *task_rows_new(const struct trace *trace, task_ref only,
	const atomic_bool *is_cancelled, struct error *err);
void task_rows_free(struct task_rows *tasks);

/*
 * Sees to it that the lanes of some tasks are worked out: at once those with no more
 * than TASK_STATES_EACH states, while all together have no more than TASK_STATES_AT_ONCE; the
 * others in a job. Those that were not asked for among the last TASK_LANES_KEPT are
 * forgotten. *is_waiting: some are not there yet, so this is to be called again after a wake.
 */
enum { TASK_LANES_KEPT = 512, TASK_STATES_EACH = 2000, TASK_STATES_AT_ONCE = 20000 };
bool task_rows_ask(
	struct task_rows *tasks, const struct task_wish *wish, bool *is_waiting, struct error *err);
/* What was worked out, NULL where it was not. O(log n). */
const struct task_lane *task_rows_lane(const struct task_rows *tasks, task_ref task);

/*
 * Whether a task matches (analysis/task_match.h); asked once, until task_rows_forget_matches(). The
 * cost of task_life_find_works(). Without memory it does.
 */
bool task_rows_match(struct task_rows *tasks, task_ref task, struct search *search);
/* Asks that of more of the roots; so many tasks at least are looked at. False at the last one. */
bool task_rows_match_more(struct task_rows *tasks, size_t most, struct search *search);
/* To be called when there is another search. */
void task_rows_forget_matches(struct task_rows *tasks);

/*
 * What is beneath a task: its own regions and logs, and the actors that work for it, by when
 * they begin to.
 */
bool task_rows_nest(
	struct nest *nest, const struct task_rows *tasks, task_ref task, struct error *err);

#endif

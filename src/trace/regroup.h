/*
 * Actors in other groups than those by start function: a trace like another one, of which
 * it shares all but the groups. Whoever asks for lanes of groups needs to know nothing of it.
 */
#ifndef TTRACE_TRACE_REGROUP_H
#define TTRACE_TRACE_REGROUP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/thread.h"
#include "trace/trace.h"

/*
 * A frozen trace with its actors in groups by something else than their name, in the order of
 * creators, texts, tasks or states; those of whom it is not known are the last. It keeps `of`,
 * which is not of this kind, until trace_free(). Its groups have no lists of changes yet. False
 * with ERROR_CANCELLED soon after *is_cancelled becomes true (NULL: never). O(actors * log n +
 * ranges).
 */
struct trace *trace_regroup(const struct trace *of, enum group_by by,
                            const atomic_bool *is_cancelled, struct error *err);

static inline enum group_by
trace_grouped_by(const struct trace *trace)
{
	return trace->regrouping == NULL ? GROUP_BY_NAME : trace->regrouping->by;
}

/* The trace that this one shares all but its groups with; itself, where they are by name. */
static inline const struct trace *
trace_ungrouped(const struct trace *trace)
{
	return trace->regrouping == NULL ? trace : trace->of;
}

/* What a group is about: as struct regrouping has it, by name a string_id. */
uint32_t trace_group_key(const struct trace *trace, group_ref group);
/* Whether it is of those of whom the creator, label, ... is not known. */
bool trace_group_is_unknown(const struct trace *trace, group_ref group);

/*
 * Lists of changes for all groups that have none, by two threads. On failure, also when
 * progress (NULL for none) says so, some are there. O(states), some 20 ns each.
 */
bool groups_list_changes(struct trace *trace, const struct progress *progress, struct error *err);

#endif

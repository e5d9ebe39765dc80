/*
 * How far a search or an analysis is that is being made, for others to see, and whether they want
 * it any more.
 */
#ifndef TTRACE_QUERY_WATCH_H
#define TTRACE_QUERY_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/job.h"

struct search_watch {
	_Atomic uint64_t done, total; /* in units of about the same time */
	atomic_bool is_cancelled;
};

enum { WATCH_UNITS_PER_TEXT = 20 }; /* what a text costs; a stack or a state is one */

/* How far it is, 0 to 99; 0 while the total is not known. */
static inline int
search_watch_percent(const struct search_watch *watch)
{
	uint64_t total = atomic_load_explicit(&watch->total, memory_order_relaxed);
	uint64_t done = atomic_load_explicit(&watch->done, memory_order_relaxed);
	if (total == 0)
		return 0;
	return done >= total ? 99 : (int)(done * 99 / total);
}

/* Notes units as done; false when nobody wants the result any more. NULL: somebody does. */
static inline bool
search_watch_goes_on(struct search_watch *watch, uint64_t units)
{
	if (watch == NULL)
		return true;
	if (units > 0)
		atomic_fetch_add_explicit(&watch->done, units, memory_order_relaxed);
	return !atomic_load_explicit(&watch->is_cancelled, memory_order_relaxed);
}

/* The same; where nobody wants it, err says ERROR_CANCELLED. */
static inline bool
search_watch_check(struct search_watch *watch, uint64_t units, struct error *err)
{
	return search_watch_goes_on(watch, units) || job_goes_on(&watch->is_cancelled, err);
}

/* What job_goes_on() looks at, and sort_items(); NULL where nobody watches. */
static inline const atomic_bool *
search_watch_cancel_flag(const struct search_watch *watch)
{
	return watch != NULL ? &watch->is_cancelled : NULL;
}

/* For each index of a table, from 0 on, in a loop: notes a unit for each, many at a time. */
static inline bool
search_watch_check_item(struct search_watch *watch, size_t index, struct error *err)
{
	enum { AT_A_TIME = 1024 };
	return index % AT_A_TIME != 0 || search_watch_check(watch, AT_A_TIME, err);
}

/* Says how much is to be done from now on. */
static inline void
search_watch_expect(struct search_watch *watch, uint64_t units)
{
	if (watch == NULL)
		return;
	uint64_t done = atomic_load_explicit(&watch->done, memory_order_relaxed);
	atomic_store_explicit(&watch->total, done + units, memory_order_relaxed);
}

#endif

/* How far the making of a search is, for others to see, and whether they want it any more. */
#ifndef TTRACE_QUERY_WATCH_H
#define TTRACE_QUERY_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
	atomic_fetch_add_explicit(&watch->done, units, memory_order_relaxed);
	return !atomic_load_explicit(&watch->is_cancelled, memory_order_relaxed);
}

#endif

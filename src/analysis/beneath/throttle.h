/* When a quota of CPU time stopped all threads of the upper trace. */
#ifndef TTRACE_ANALYSIS_BENEATH_THROTTLE_H
#define TTRACE_ANALYSIS_BENEATH_THROTTLE_H

#include "analysis/standstills.h"

struct beneath;      /* analysis/beneath/beneath.h */
struct search_watch; /* query/watch.h */

/*
 * The standstills of a quota, in the upper trace's time; none where no quota makes them. `watch` (NULL is fine) may end
 * it with ERROR_CANCELLED. O(n log n) of all that the kernel did with these threads.
 */
bool throttle_find(struct standstills *stills, const struct beneath *beneath, struct search_watch *watch,
	struct error *err);
/* How much of [from, until) lies in them. O(log n), and their number within. */
int64_t throttle_within(const struct standstills *stills, int64_t from_ns, int64_t until_ns);

#endif

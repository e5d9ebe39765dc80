/* Who had the CPUs while threads of the upper trace waited for one. */
#ifndef TTRACE_ANALYSIS_BENEATH_HOLDER_H
#define TTRACE_ANALYSIS_BENEATH_HOLDER_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/beneath/levels.h"
#include "base/error.h"
#include "base/intern.h"

struct beneath;      /* analysis/beneath/beneath.h */
struct search_watch; /* query/watch.h */

enum holder_kind {
	HOLDER_NONE,  /* nobody, or nobody knows */
	HOLDER_TASK,  /* tasks of one name */
	HOLDER_OWN,   /* threads of the upper trace itself */
	HOLDER_IDLE,  /* the CPUs were idle */
	HOLDER_QUOTA  /* a quota stopped all of them, so it does not matter who had the CPUs */
};

struct holder {
	enum holder_kind kind;
	string_id name; /* of tasks, in the lower trace */
	uint32_t cpus;  /* of all */
	uint32_t had;   /* of these it had so many or more for half of the time that was waited */
};

/*
 * The one that had the most of the CPUs' time, each moment counted for as many as waited then. The waits are in the lower
 * trace's time; they are of no use afterwards. ERROR_CANCELLED where the watch (NULL is fine) says so. O(n log n) of the
 * waits and of what ran meanwhile.
 */
bool holder_find(struct holder *holder, const struct beneath *beneath, struct levels *waits, struct search_watch *watch,
	struct error *err);

#endif

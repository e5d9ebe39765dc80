/* Which of several traces lies beneath which, and what their clocks are apart. */
#ifndef TTRACE_APP_ALIGN_H
#define TTRACE_APP_ALIGN_H

#include <stdatomic.h>
#include <stdbool.h>

#include "analysis/beneath/beneath.h"
#include "base/error.h"

/*
 * The trace that another can lie beneath and the one that does: of several those with most threads in common, of these
 * the first ones; -1 for none. False where there are not both. A trace that is not there is NULL. O(threads) each.
 */
bool align_find(const struct trace *const *traces, int count, int *above, int *below);

/*
 * What is added to times of a trace to have those of the first one, where both say what their clock is: the same clock,
 * in times that overlap, or the wall clock. *clock is its name. False where they do not.
 */
bool align_stated(const struct trace *first, const struct trace *trace, int64_t *delta_ns, const char **clock);

/* Two files as the command line names them, and what --align says (NULL: nothing). */
struct align_files {
	const char *above, *below, *align;
};

/*
 * Finds what the clocks are apart, as beneath_align() does, unless --align says it. False with err set where nothing
 * fits or it cannot be read.
 */
bool align_clocks(struct beneath *beneath, const struct align_files *files, const atomic_bool *is_cancelled,
	struct error *err);

#endif

/*
 * How long actors ran for the collector: the time that they ran within mark assists, by
 * actor and by group. Running keeps its meaning: this is a part of it.
 */
#ifndef TTRACE_ANALYSIS_ASSISTS_H
#define TTRACE_ANALYSIS_ASSISTS_H

#include "analysis/pieces.h"

/*
 * Of a frozen trace, which must outlive them. O(a log n) of a assists and n states, for which it
 * looks at the states within them. ERROR_CANCELLED once that is set (NULL: never). On failure
 * nothing is held.
 */
bool assists_build(struct pieces *assists, const struct trace *trace, const atomic_bool *is_cancelled,
	struct error *err);

#endif

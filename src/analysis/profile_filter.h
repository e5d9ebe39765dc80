/* Leaves of a profile the stacks with, or without, certain functions. */
#ifndef TTRACE_ANALYSIS_PROFILE_FILTER_H
#define TTRACE_ANALYSIS_PROFILE_FILTER_H

#include <stdbool.h>

#include "analysis/profile.h"
#include "base/error.h"
#include "trace/trace.h"

/*
 * Of the entries those stay that have a function that the pattern `focus` (query/pattern.h) matches
 * and none that `ignore` does; NULL or "": no such condition. The profile's sums stay, to
 * measure what is left against. Each function is matched once. Fails as pattern_new() does; the
 * profile is as it was then.
 */
bool profile_filter(struct profile *profile, const char *focus, const char *ignore, struct error *err);

#endif

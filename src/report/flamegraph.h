/* Flame graphs. */
#ifndef TTRACE_REPORT_FLAMEGRAPH_H
#define TTRACE_REPORT_FLAMEGRAPH_H

#include <stdbool.h>

#include "report/profile.h"

/*
 * A flame graph as one SVG file that needs nothing else: outermost functions at the bottom, or,
 * inverted, the ends of the stacks at the top. In a browser a click zooms and / searches; a
 * viewer without scripts shows it as it is. Names are text and nothing else.
 */
bool report_flamegraph(const struct trace *trace, const struct profile_request *request,
	const struct report_options *options, struct text *out, struct error *err);

#endif

/* The parts of a flame graph. Only for report/flamegraph*.c. */
#ifndef TTRACE_REPORT_FLAMEGRAPH_INTERNAL_H
#define TTRACE_REPORT_FLAMEGRAPH_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/calltree.h"
#include "report/profile.h"
#include "report/report.h"

/*
 * Asks for a group #frames with a width, of groups with data-name, data-start, data-value and
 * data-depth that hold title, rect and text, parents first and the root before all; and for
 * #details, #matched, #reset and #search.
 */
extern const char flamegraph_script[];

struct flamegraph {
	const struct profile_request *request;
	enum profile_kind kind;  /* of what was made, and so: */
	struct measure measure;
	const struct words *words; /* of the trace */
	const struct call_tree *tree;
	bool is_inverted;
	int64_t total;         /* what shares are of */
	int64_t open_ns;       /* of that what has not ended; 0: nothing, or not told */
	const int64_t *before; /* by node, what it was, by which it is coloured; NULL: no difference */
	const char *before_name; /* of what, safe text */
};

bool flamegraph_write(const struct flamegraph *graph, const struct report_options *options,
	struct text *out, struct error *err);

#endif

/* Profiles as they are printed. */
#ifndef TTRACE_REPORT_PROFILE_H
#define TTRACE_REPORT_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/calltree.h"
#include "analysis/profile_request.h"
#include "base/error.h"
#include "base/text.h"
#include "report/report.h"

/* The analysis of that name with the request as its parameter: report_result(). */
bool profile_print_analysis(const char *name, const struct trace *trace,
	const struct profile_request *request, const struct report_options *options,
	struct text *out, struct error *err);

/* "# Not ended: 11.97s in 3 waits" and the end of the line, where there is any. */
void profile_add_open(const struct profile *profile, const char *before, struct text *out);

/*
 * By function. People read it `pprof -top` prints it, with all functions: by Go's rules the
 * same lines to the byte. Else what has not ended has a column of its own, where there is any.
 * Other forms are those of the analysis of that name, within the interval of the options; so it is
 * with the next.
 */
bool report_top(const struct trace *trace, const struct profile_request *request,
	const struct report_options *options, struct text *out, struct error *err);

/*
 * As a call graph, which people read as perf's report prints it: the functions at the ends of the
 * stacks, most first, and below each its callers; or, inverted, the outermost functions and what
 * they call. Branches of less than half a percent are left out.
 */
bool report_tree(const struct trace *trace, const struct profile_request *request,
	const struct report_options *options, struct text *out, struct error *err);
/* "main;main.run;sync.Wait 1234" for each stack, outermost first: what flame graph tools read. */
bool report_folded(const struct trace *trace, const struct profile_request *request,
	const struct report_options *options, struct text *out, struct error *err);
/*
 * The same of a tree that was made; with values by node that were before, two numbers a line, of all
 * stacks that have one of them.
 */
bool profile_add_folded(const struct call_tree *tree, const int64_t *before_self,
	const struct report_options *options, struct text *out, struct error *err);

#endif

/* What is odd in a trace, the worst first, in print. */
#ifndef TTRACE_REPORT_FINDINGS_H
#define TTRACE_REPORT_FINDINGS_H

#include "report/report.h"

/*
 * Of the interval. What stems from the trace is safe text, in
 * JSON escaped.
 */
bool report_findings(const struct trace *trace, const struct report_options *options,
	struct text *out, struct error *err);

#endif

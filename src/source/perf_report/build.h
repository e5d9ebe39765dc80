/* From what a report says to a trace. */
#ifndef TTRACE_SOURCE_PERF_REPORT_BUILD_H
#define TTRACE_SOURCE_PERF_REPORT_BUILD_H

#include "source/perf_report/report.h"
#include "trace/trace.h"

/*
 * Fills the trace's tables ready made, one for each section. Where any entry has calls below it the
 * trace has samples, too, with a type for each section: see build.c. Without, it has none.
 */
bool report_build(struct report *report, struct trace *trace, struct error *err);

#endif

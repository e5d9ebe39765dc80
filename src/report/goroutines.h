/* --report=goroutines, function:NAME, regions and region:NAME */
#ifndef TTRACE_REPORT_GOROUTINES_H
#define TTRACE_REPORT_GOROUTINES_H

#include <stdbool.h>
#include <stdint.h>

#include "report/report.h"

struct goroutines_request {
	bool is_of_regions; /* else of goroutines */
	bool is_one_by_one; /* those of that name; else all, summed up by name */
	string_id name;     /* of the start function, or of the regions */
};

/*
 * How long goroutines, or regions on their goroutines, ran, were ready, in system calls, blocked
 * for each reason, helped the collector. Summed up by start function, or by name and place of
 * regions, those that ran most first: the totals, then of each measure total, mean, percentiles
 * and maximum. One by one: the longest first.
 */
bool report_goroutines(const struct trace *trace, const struct goroutines_request *request,
	const struct report_options *options, struct text *out, struct error *err);

#endif

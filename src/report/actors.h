/* --report=goroutines, function:NAME, regions and region:NAME */
#ifndef TTRACE_REPORT_ACTORS_H
#define TTRACE_REPORT_ACTORS_H

#include <stdbool.h>
#include <stdint.h>

#include "report/report.h"

struct actors_request {
	bool is_of_regions; /* else of actors */
	bool is_one_by_one; /* those of that name; else all, summed up by name */
	string_id name;     /* of the start function, or of the regions */
};

/*
 * How long actors, or regions on their actors, ran, were ready, in system calls, blocked
 * for each reason, helped the collector. Summed up by start function, or by name and place of
 * regions, those that ran most first: the totals, then of each measure total, mean, percentiles
 * and maximum. One by one: the longest first.
 */
bool report_actors(const struct trace *trace, const struct actors_request *request,
	const struct report_options *options, struct text *out, struct error *err);

#endif

/* --report=latency:KIND: how long something takes. */
#ifndef TTRACE_REPORT_LATENCY_H
#define TTRACE_REPORT_LATENCY_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/latency_kind.h"
#include "report/report.h"

struct latency_request {
	const struct latency_kind *kind;
	actor_ref actor; /* whose; REF_NONE: of all */
};

/*
 * The distribution by powers of two as bcc's funclatency prints it, percentiles, and the longest,
 * 10 where there is no limit: when, and of whom. What belongs to an interval,
 * analysis/latency.h says.
 */
bool report_latency(const struct trace *trace, const struct latency_request *request,
                    const struct report_options *options, struct text *out, struct error *err);

#endif

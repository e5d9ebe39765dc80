/* Profiles as they are printed. */
#ifndef TTRACE_REPORT_PROFILE_H
#define TTRACE_REPORT_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/profile.h"
#include "analysis/profile_top.h"
#include "base/error.h"
#include "base/text.h"
#include "report/report.h"

enum profile_format { PROFILE_TEXT, PROFILE_CSV, PROFILE_JSON };

struct profile_request {
	enum profile_kind kind;
	struct profile_scope scope;
	enum top_order order;
	uint64_t limit; /* of rows; 0 for none */
	enum profile_format format;
};

/*
 * By function, as `pprof -top` prints it, with all functions: the same lines to the byte. In
 * CSV and JSON times are whole nanoseconds.
 */
bool report_top(const struct trace *trace, const struct profile_request *request,
	const struct report_options *options, struct text *out, struct error *err);

#endif

/* --report=goroutines, --report=function:NAME */
#ifndef TTRACE_REPORT_GOROUTINES_H
#define TTRACE_REPORT_GOROUTINES_H

#include <stdbool.h>
#include <stdint.h>

#include "report/report.h"

struct goroutines_request {
	string_id function; /* its goroutines one by one; STRING_EMPTY: the functions, each summed up */
	bool is_of_function;
};

/*
 * How long goroutines ran, were ready, in system calls, blocked for each reason, helped the
 * collector. By start function the total, mean, percentiles and maximum over its goroutines,
 * functions that ran most first; of one function each goroutine, those that lived longest first.
 */
bool report_goroutines(const struct trace *trace, const struct goroutines_request *request,
	const struct report_options *options, struct text *out, struct error *err);

#endif

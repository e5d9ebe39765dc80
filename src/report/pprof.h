/* Profiles for pprof. */
#ifndef TTRACE_REPORT_PPROF_H
#define TTRACE_REPORT_PPROF_H

#include <stdbool.h>

#include "report/profile.h"

/* Whether the program was built with what this needs; else *missing names it. */
bool report_pprof_is_available(const char **missing);
/*
 * A gzip'd profile.proto, as `go tool trace -pprof` writes it: waits and nanoseconds, or samples,
 * by stacks of addresses with function, file and line. Of samples without a time all types, labels
 * and what the input said of itself.
 */
bool report_pprof(const struct trace *trace, const struct profile_request *request,
	const struct report_options *options, struct text *out, struct error *err);

#endif

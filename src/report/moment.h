/* --report=dump */
#ifndef TTRACE_REPORT_MOMENT_H
#define TTRACE_REPORT_MOMENT_H

#include "report/report.h"

/*
 * Every actor alive at the options' moment, which they must have, as Go dumps actors
 * with debug=2; equal ones once, with their ids. Plain text in any case; for programs a row for each
 * frame of each actor.
 */
bool report_moment(const struct trace *trace, const struct report_options *options,
                   struct text *out, struct error *err);

#endif

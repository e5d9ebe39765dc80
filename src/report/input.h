/* What kind of input a trace was made from, and the numbers that its source tells of all of it. */
#ifndef TTRACE_REPORT_INPUT_H
#define TTRACE_REPORT_INPUT_H

#include "report/report.h"

/*
 * The name of the source, the points by which it recognised the input, and its facts; of a source
 * that tells none a few numbers of the model. Text, CSV with a line of titles, or one object.
 */
bool report_input(const struct trace *trace, unsigned points, const struct report_options *options,
	struct text *out, struct error *err);

#endif

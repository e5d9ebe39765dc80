/* --report=heat:KIND: when spans of a kind began, and how long they took. */
#ifndef TTRACE_REPORT_HEAT_H
#define TTRACE_REPORT_HEAT_H

#include "report/latency.h"

/*
 * A map as the screen has it, so many lines high (0: as many as look well) and as wide as the page;
 * for programs a row for each cell with spans, 100 columns of them, by time and then by duration.
 */
bool report_heat(const struct trace *trace, const struct latency_request *request, int height_cells,
                 const struct report_options *options, struct text *out, struct error *err);

#endif

/* Results as reports: the tables of an analysis in the form that is asked for. */
#ifndef TTRACE_REPORT_RESULT_H
#define TTRACE_REPORT_RESULT_H

#include "analysis/analysis.h"
#include "report/grid.h"
#include "report/report.h"

/* A sink that puts what it is given into a grid, as it comes. */
struct result_printer {
	struct result_sink sink; /* the first field */
	struct grid *grid;       /* between grid_begin() and grid_end() */
	const struct result_table *table; /* that is being filled */
	struct grid_column columns[RESULT_MOST_COLUMNS];
	uint32_t *shown;
	int64_t *cells;          /* of a table that is drawn */
	size_t cell_count, cell_capacity;
};

/* result_printer_end() is needed only after success. */
bool result_printer_begin(struct result_printer *printer, struct grid *grid, struct error *err);
void result_printer_end(struct result_printer *printer);

/* The tables of an analysis, in the grid. */
bool result_tell(struct grid *grid, struct analysis_work *work, struct error *err);

/*
 * All of an analysis: its heading, what it is of, and its tables. The work has the kind, the
 * parameter, and the actor or task that it is limited to; the options have the rest.
 */
bool report_result(const struct trace *trace, const struct analysis_work *asked,
	const struct report_options *options, struct text *out, struct error *err);

#endif

/* What both forms of the report of actors share. Only for report/actor*.c. */
#ifndef TTRACE_REPORT_ACTORS_INTERNAL_H
#define TTRACE_REPORT_ACTORS_INTERNAL_H

#include "analysis/actors.h"
#include "report/actors.h"
#include "report/grid.h"

struct actors_report {
	struct grid grid;
	const struct actors_request *request;
	const struct trace *trace;
	struct actor_times times;
	struct actor_spreads spreads; /* of the function that is told of */
	int64_t running_ns; /* of all actors */
	struct text line;   /* a text being made */
};

/* The reason of a measure, as bytes of the trace. */
const char *actors_reason(
	const struct actors_report *report, uint32_t measure, size_t *length);
/* "main.worker: 12 goroutines, 30% of all time running", safe text until report->line changes. */
const char *actors_title(
	struct actors_report *report, const struct actor_function *function);

/* Columns of a table; people do not see what of running was assist where nobody assists. */
void actors_columns(const struct actors_report *report, const struct grid_column *all,
	int count, struct grid_column chosen[TABLE_MAX_COLUMNS]);
/* All of them one by one. */
void actors_print_rows(struct actors_report *report);

#endif

/* --check=CONDITION: whether traces keep to conditions, one line for each of them. */
#ifndef TTRACE_REPORT_CHECKS_H
#define TTRACE_REPORT_CHECKS_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/condition.h"
#include "report/grid.h"
#include "report/kept.h"
#include "report/report.h"

enum { CHECKS_COLUMNS = 9 };

/* The first ones are the caller's. */
struct checks {
	const struct report_options *options; /* file, interval and query change from trace to trace */
	const struct condition *conditions;
	const char *const *texts; /* of the conditions, raw */
	size_t count;
	bool names_files;         /* there are several */
	/* Makes the tables of a report of the trace that is being looked at. */
	bool (*ask)(void *context, const char *report, struct kept *kept, struct error *err);
	void *ask_context;
	bool has_begun;
	size_t judged, failed;    /* so far */
	size_t unclear;           /* of the failed: a pattern had to leave out texts */
	struct grid_column columns[CHECKS_COLUMNS];
	struct grid grid;
};

/*
 * Adds a trace to the table: what was measured, how many spans there were, and the longest of
 * them; of a report how many rows, and the one that was measured with its place. A kind that comes
 * several times in a row is looked for once. Release with checks_end() in any case.
 */
bool checks_add(struct checks *checks, const struct trace *trace, struct text *out,
                struct error *err);
/* Ends the table; for people it says how many conditions hold. */
bool checks_end(struct checks *checks);

#endif

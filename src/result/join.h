/*
 * The difference of two results: the rows of their tables side by side, found by their dimensions,
 * with each measure as it was, as it is, and by how much it changed.
 */
#ifndef TTRACE_RESULT_JOIN_H
#define TTRACE_RESULT_JOIN_H

#include "result/figures.h"

/*
 * Tells tables of the same name, in the order of `after` and then what only `before` has; the row
 * whose first duration, or else first measure, changed most first. Names are FIGURE_TEXT, of each
 * list's own texts, or FIGURE_NUMBER. Where several rows of a table are about the same, the first is
 * compared with the first. Columns belong together by their keys; one without any value may be of
 * FIGURE_BAR, and those that only `before` has are not told. A table whose rows are about moments is
 * left out: its name is added to *left_out, with a comma before the next one.
 * only_changes: rows that are the same are left out. O(rows log rows).
 */
bool result_join(const struct figures *before, const struct figures *after, bool only_changes,
	struct result_sink *sink, struct text *left_out, struct error *err);

#endif

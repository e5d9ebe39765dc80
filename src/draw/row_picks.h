/*
 * Rows that the user picked, to hide or to pin them: told apart by what they are about in any
 * snapshot.
 */
#ifndef TTRACE_DRAW_ROW_PICKS_H
#define TTRACE_DRAW_ROW_PICKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "draw/row.h"
#include "trace/regroup.h"

struct row_pick {
	enum row_type type;
	enum group_by by; /* of a group: it counts only where actors are grouped so */
	uint32_t key;     /* of a group, else the ref */
};

/* In the order of picking. Zero-initialised is none. */
struct row_picks {
	struct row_pick *items;
	size_t count, capacity;
};

/* Adds a row, once. False without memory. */
bool row_picks_add(
	struct row_picks *picks, const struct trace *trace, struct row row, struct error *err);
/* Adds all of another list. */
bool row_picks_add_all(
	struct row_picks *picks, const struct row_picks *others, struct error *err);
/* False where it is not among them. O(picks). */
bool row_picks_remove(struct row_picks *picks, const struct trace *trace, struct row row);
/* O(picks). */
bool row_picks_has(const struct row_picks *picks, const struct trace *trace, struct row row);
/*
 * The row of the trace that the pick is of; false where it has none, as for a group while
 * actors are grouped by something else. O(groups) for a group.
 */
bool row_picks_find(
	const struct row_picks *picks, size_t index, const struct trace *trace, struct row *row);
void row_picks_release(struct row_picks *picks);

/*
 * The names of those that have one, each with a zero byte behind it; and the rows of such names
 * that the trace has, added.
 */
void row_picks_add_names(
	const struct row_picks *picks, const struct trace *trace, struct text *out);
bool row_picks_add_named(struct row_picks *picks, const struct trace *trace,
	const struct text *names, struct error *err);
/*
 * " --OPTION=NAME" for each that has a name, as a shell takes it; add_word appends a word so.
 * Groups that are not by function have none.
 */
void row_picks_add_options(const struct row_picks *picks, const struct trace *trace,
	const char *option, void (*add_word)(struct text *out, const char *word),
	struct text *out);

#endif

/*
 * Two traces side by side: how long the actors of each start function, and the regions of each
 * name, were in each state. It keeps nothing of the traces, so that they can be loaded one
 * after the other.
 */
#ifndef TTRACE_ANALYSIS_DIFF_STATES_H
#define TTRACE_ANALYSIS_DIFF_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/actors.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/map.h"

struct result_sink; /* result/result.h */

enum diff_side { DIFF_BEFORE, DIFF_AFTER, DIFF_SIDES };

/* A string that the difference keeps; raw bytes. */
struct diff_text {
	const char *bytes;
	size_t length;
	string_id id; /* of the table that keeps it */
};

/* A function or region, and a measure of it. */
struct diff_row {
	struct diff_text name;
	uint32_t measure;        /* below MEASURE_REASONS, or that for ... */
	struct diff_text reason; /* ... this one */
	uint64_t count[DIFF_SIDES]; /* actors or regions, also those that have none of the measure */
	struct spread spread[DIFF_SIDES];
	uint32_t life; /* the row of the same that measures MEASURE_LIFE, until they are sorted */
};

struct diff_states {
	struct intern texts; /* names, and what tells rows apart */
	struct diff_row *rows;
	uint32_t row_count;
	size_t row_capacity;
	struct map row_of;   /* text of a row -> row */
};

/* Release after success. */
bool diff_states_init(struct diff_states *diff, struct error *err);
void diff_states_release(struct diff_states *diff);

/*
 * Adds the times of one side, once: actors_build() or regions_build() tells which. Regions of
 * one name are one, wherever they begin. What has none of a measure gets no row. Beside building
 * them O(functions * measures), and O(n) for the times of each.
 */
bool diff_states_add(struct diff_states *diff, enum diff_side side, const struct trace *trace,
	actor_times_build *build, const struct actors_scope *scope, struct error *err);

/*
 * When both were added: puts the rows in order, those first whose total changed most, up or down,
 * then p99 and count. Nothing can be added any more.
 */
void diff_states_sort(struct diff_states *diff);

/*
 * Tells the sorted rows as a table of that title; people only what has changed, of what is blocked only
 * the reasons, which sum up to it.
 */
bool diff_states_tell(const struct diff_states *diff, bool is_of_regions, const char *title,
	struct result_sink *sink, struct error *err);

/* How far two values are apart. */
static inline uint64_t
diff_distance(int64_t a, int64_t b)
{
	return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}
/* Whether anything is different. */
bool diff_row_has_changed(const struct diff_row *row);

#endif

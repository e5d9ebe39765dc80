/* Actors of a function, or regions of a name, one by one. */

#include "base/checked.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "report/actors_internal.h"
#include "report/words.h"

/* The columns of measures, behind those that name things. */
#define TIMES(life, life_key)                                                                      \
	{ { .title = life, .is_right = true }, life_key },                                         \
		{ { .title = "running", .is_right = true }, "running_ns" },                        \
		{ { .title = "assisting", .is_right = true, .rank = 2 }, "assisting_ns" },         \
		{ { .title = "ready", .is_right = true }, "ready_ns" },                            \
		{ { .title = "syscall", .is_right = true }, "syscall_ns" },                        \
		{ { .title = "blocked", .is_right = true }, "blocked_ns" },                        \
		{ { .title = "most of it", .rank = 2 }, NULL },                                    \
		{ { .title = "unknown", .is_right = true, .rank = 5 }, "unknown_ns" },             \
		{ { .title = "GC assist", .is_right = true, .rank = 3 }, "assist_ns" },            \
		{ { .title = "sweep", .is_right = true, .rank = 4 }, "sweep_ns" },

static const struct grid_column actor_columns[] = {
	{ { .title = "" }, "{id}" },
	{ { .title = "from", .is_right = true, .rank = 1 }, "start_ns" },
	TIMES("life", "life_ns")
};

static const struct grid_column region_columns[] = {
	{ { .title = "on", .is_name = true, .least_cells = 10 }, "{id}" },
	{ { .title = "task", .is_right = true }, "task" },
	{ { .title = NULL }, "function" },
	{ { .title = NULL }, "place" },
	{ { .title = "from", .is_right = true }, "start_ns" },
	TIMES("took", "duration_ns")
};

static const struct grid_column reason_columns[] = {
	{ { .title = NULL }, "{id}" },
	{ { .title = NULL }, "start_ns" },
	{ { .title = NULL }, "reason" },
	{ { .title = NULL }, "blocked_ns" },
};

/* The reason for which the actor was blocked longest. */
static void
put_main_reason(struct actors_report *report, uint32_t row)
{
	const struct actor_row *of = &report->times.rows[row];
	const struct actor_time *most = NULL;
	size_t length;
	for (size_t i = of->first; i < of->first + of->count; i++) {
		const struct actor_time *time = &report->times.times[i];
		if (time->measure >= MEASURE_REASONS && (most == NULL || time->ns > most->ns))
			most = time;
	}
	if (most == NULL) {
		grid_none(&report->grid);
		return;
	}
	const char *reason = actors_reason(report, most->measure, &length);
	text_clear(&report->line);
	text_add(&report->line, reason, length);
	text_add_string(&report->line, " ");
	words_duration(&report->line, report->grid.options, most->ns);
	grid_text(&report->grid, report->line.bytes, report->line.length);
}

static int64_t
start_of(const struct actors_report *report, uint32_t row)
{
	const struct actor_row *of = &report->times.rows[row];
	return of->region != REF_NONE ? trace_range(report->trace, of->region)->start_ns
				      : trace_actor(report->trace, of->actor)->first_ns;
}

static void
put_region(struct actors_report *report, const struct actor_row *row)
{
	struct grid *grid = &report->grid;
	const struct range *region = trace_range(report->trace, row->region);
	grid_actor(grid, row->actor);
	if (region->task == REF_NONE)
		grid_none(grid);
	else
		grid_id(grid, trace_task(report->trace, region->task)->id);
	bool has_stack = region->start_stack != STACK_NONE;
	grid_frame(grid,
		has_stack ? stack_leaf(&report->trace->stacks, region->start_stack) : NULL);
}

static void
put_row(struct actors_report *report, uint32_t row)
{
	struct grid *grid = &report->grid;
	const struct actor_times *times = &report->times;
	if (report->request->is_of_regions)
		put_region(report, &times->rows[row]);
	else
		grid_actor_id(grid, times->rows[row].actor);
	grid_moment(grid, start_of(report, row));
	for (uint32_t i = MEASURE_LIFE; i <= MEASURE_BLOCKED; i++) {
		grid_duration(grid, actors_time(times, row, i));
		if (i == MEASURE_RUNNING)
			grid_duration(grid, actors_time(times, row, MEASURE_ASSISTING));
	}
	put_main_reason(report, row);
	for (uint32_t i = MEASURE_UNKNOWN; i <= MEASURE_SWEEP; i++)
		grid_duration(grid, actors_time(times, row, i));
}

/* For programs: for what and how long each of them was blocked. */
static void
print_reasons(struct actors_report *report, const uint32_t *rows, size_t count)
{
	struct grid *grid = &report->grid;
	grid_as_made(grid);
	grid_table(grid, "blocked", "", reason_columns, (int)ARRAY_LENGTH(reason_columns));
	for (size_t i = 0; i < count; i++) {
		const struct actor_row *row = &report->times.rows[rows[i]];
		for (size_t n = row->first; n < row->first + row->count; n++) {
			const struct actor_time *time = &report->times.times[n];
			size_t length;
			if (time->measure < MEASURE_REASONS)
				continue;
			const char *reason = actors_reason(report, time->measure, &length);
			grid_actor_id(grid, row->actor);
			grid_moment(grid, start_of(report, rows[i]));
			grid_text(grid, reason, length);
			grid_duration(grid, time->ns);
		}
	}
	grid_table_end(grid, "");
}

static const char *
title_of(struct actors_report *report)
{
	const struct actor_times *times = &report->times;
	struct actor_function all = { .name = report->request->name,
		.count = times->row_count };
	for (uint32_t i = 0; i < times->function_count; i++)
		all.running_ns =
			saturating_add_i64(all.running_ns, times->functions[i].running_ns);
	return actors_title(report, &all);
}

void
actors_print_rows(struct actors_report *report)
{
	struct grid *grid = &report->grid;
	size_t count;
	const char *title = title_of(report);
	bool is_of_regions = report->request->is_of_regions;
	struct grid_column columns[TABLE_MAX_COLUMNS];
	int column_count = is_of_regions ? (int)ARRAY_LENGTH(region_columns)
					 : (int)ARRAY_LENGTH(actor_columns);
	actors_columns(report, is_of_regions ? region_columns : actor_columns,
		column_count, columns);
	grid_table(grid, is_of_regions ? "regions" : "{actors}", title, columns, column_count);
	for (uint32_t i = 0; i < report->times.row_count; i++)
		put_row(report, i);
	grid_table_end(grid, "none");
	if (grid_is_text(grid))
		return;
	uint32_t *rows = grid_take_shown(grid, &count);
	print_reasons(report, rows, count);
	memory_free(rows);
}

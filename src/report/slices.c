/* A row for each name. */
#include "report/slices.h"

#include "analysis/slice_times.h"
#include "base/compiler.h"
#include "report/grid.h"
#include "report/words.h"
#include "trace/words.h"

static const struct grid_column columns[] = {
	{ { .title = "name", .least_cells = 12 }, "name" },
	{ { .title = "calls", .is_right = true }, "calls" },
	{ { .title = "total", .is_right = true }, "total_ns" },
	{ { .title = "self", .is_right = true }, "self_ns" },
	{ { .title = "longest", .is_right = true }, "longest_ns" },
	{ { .title = "shortest", .is_right = true, .rank = 6 }, "shortest_ns" },
	{ { .title = "p50", .is_right = true, .rank = 3 }, "p50_ns" },
	{ { .title = "p90", .is_right = true, .rank = 4 }, "p90_ns" },
	{ { .title = "p99", .is_right = true, .rank = 2 }, "p99_ns" },
	{ { .title = "partial", .is_right = true, .rank = 5 }, "partial" },
};

static void
put_row(struct grid *grid, const struct slice_time *time)
{
	const int64_t values_ns[] = { time->total_ns, time->self_ns, time->longest_ns,
		time->shortest_ns, time->p50_ns, time->p90_ns, time->p99_ns };

	grid_string(grid, time->name);
	grid_count(grid, time->calls);
	for (size_t i = 0; i < ARRAY_LENGTH(values_ns); i++) {
		if (time->calls > 0)
			grid_duration(grid, values_ns[i]);
		else
			grid_none(grid);
	}
	grid_count(grid, time->partial);
}

static void
put_table(struct grid *grid, const struct slice_times *times, actor_ref actor)
{
	const struct trace *trace = grid->trace;
	struct text line = { 0 };

	grid_heading(grid, "Slices");
	grid_usual_facts(grid);
	if (actor != REF_NONE) {
		words_actor(&line, grid->options, trace, actor);
		grid_fact(grid, trace->words->actor.one, "%s", text_string(&line));
	}
	grid_table(grid, "slices", "By name", columns, (int)ARRAY_LENGTH(columns));
	for (size_t i = 0; i < times->count; i++)
		put_row(grid, &times->rows[i]);
	grid_table_end(grid, trace->slices == NULL ? "The trace has no slices." : "none");
	text_release(&line);
}

bool
report_slices(const struct trace *trace, actor_ref actor, const struct report_options *options,
	struct text *out, struct error *err)
{
	struct slice_times times = { 0 };
	struct grid grid;

	if (trace->slices != NULL) {
		struct slice_times_scope scope = slice_times_scope_of(trace->slices, actor);

		if (options->has_interval) {
			scope.t0_ns = options->t0_ns;
			scope.t1_ns = options->t1_ns;
		}
		if (!slice_times_build(&times, trace->slices, &scope, NULL, err))
			return false;
	}
	bool is_fine = grid_begin(&grid, trace, options, out, err);
	if (is_fine) {
		put_table(&grid, &times, actor);
		is_fine = grid_end(&grid);
	}
	slice_times_release(&times);
	return is_fine;
}

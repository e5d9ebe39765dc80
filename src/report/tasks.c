/* A row for each type of task, then how its durations are distributed. */
#include "report/tasks.h"

#include "analysis/task_types.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "base/units.h"
#include "report/grid.h"
#include "report/words.h"

struct report {
	struct grid grid;
	const struct trace *trace;
	struct task_types types;
	struct text line;
};

static const struct grid_column type_columns[] = {
	{ { .title = "type", .least_cells = 10 }, "type" },
	{ { .title = "count", .is_right = true }, "count" },
	{ { .title = "complete", .is_right = true, .rank = 1 }, "complete" },
	{ { .title = "total", .is_right = true }, "total_ns" },
	{ { .title = "mean", .is_right = true }, "mean_ns" },
	{ { .title = "p50", .is_right = true, .rank = 2 }, "p50_ns" },
	{ { .title = "p90", .is_right = true, .rank = 3 }, "p90_ns" },
	{ { .title = "p99", .is_right = true, .rank = 4 }, "p99_ns" },
	{ { .title = "max", .is_right = true }, "max_ns" },
	{ { .title = "of", .is_right = true, .rank = 5 }, "max_task" },
};

static void
put_type(struct report *report, const struct task_type *type)
{
	struct grid *grid = &report->grid;
	const struct spread *spread = &type->spread;
	const int64_t values_ns[] = { spread->total_ns, spread->mean_ns, spread->p50_ns,
		spread->p90_ns, spread->p99_ns, spread->max_ns };
	grid_string(grid, type->name);
	grid_count(grid, type->count);
	grid_count(grid, type->complete);
	for (size_t i = 0; i < ARRAY_LENGTH(values_ns); i++) {
		if (type->complete > 0)
			grid_duration(grid, values_ns[i]);
		else
			grid_none(grid);
	}
	if (type->complete > 0)
		grid_id(grid, trace_task(report->trace, report->types.tasks[type->first])->id);
	else
		grid_none(grid);
}

static const struct grid_column bucket_columns[] = {
	{ { .title = NULL }, "type" },
	{ { .title = "from", .is_right = true }, "from_ns" },
	{ { .title = "below", .is_right = true }, "below_ns" },
	{ { .title = "count", .is_right = true }, "count" },
	{ { .title = "" }, NULL },
};

static void
put_buckets(struct report *report, const struct task_type *type)
{
	struct grid *grid = &report->grid;
	uint64_t counts[SPREAD_BUCKETS], most = 1;
	int until = spread_log2(&report->types.durations_ns[type->first], type->complete, counts);
	int first = 0;
	while (first < until && counts[first] == 0)
		first++;
	for (int i = first; i < until; i++)
		most = counts[i] > most ? counts[i] : most;
	for (int i = first; i < until; i++) {
		grid_string(grid, type->name);
		grid_duration(grid, i == 0 ? 0 : INT64_C(1) << i);
		grid_duration(grid, i + 1 < SPREAD_BUCKETS ? INT64_C(1) << (i + 1) : INT64_MAX);
		grid_count(grid, counts[i]);
		grid_bar(grid, (double)counts[i] / (double)most);
	}
}

static void
begin_buckets(struct report *report, const char *title)
{
	grid_as_made(&report->grid);
	grid_table(&report->grid, "histogram", title, bucket_columns,
		(int)ARRAY_LENGTH(bucket_columns));
}

/* For people a table for each type. */
static void
print_histogram(struct report *report, const struct task_type *type)
{
	char count[UNITS_TEXT];
	units_count(count, type->complete);
	text_clear(&report->line);
	text_format(&report->line, "How long %s complete one%s took: ", count,
		type->complete == 1 ? "" : "s");
	words_string(&report->line, report->grid.options, report->trace, type->name);
	begin_buckets(report, text_string(&report->line));
	put_buckets(report, type);
	grid_table_end(&report->grid, "none");
}

static void
print(struct report *report)
{
	struct grid *grid = &report->grid;
	size_t count;
	grid_heading(grid, "Tasks");
	grid_usual_facts(grid);
	grid_table(grid, "tasks", "By type", type_columns, (int)ARRAY_LENGTH(type_columns));
	for (uint32_t i = 0; i < report->types.type_count; i++)
		put_type(report, &report->types.types[i]);
	grid_table_end(grid, "none");
	uint32_t *shown = grid_take_shown(grid, &count);
	if (!grid_is_text(grid))
		begin_buckets(report, "");
	for (size_t i = 0; i < count; i++) {
		const struct task_type *type = &report->types.types[shown[i]];
		if (!grid_is_text(grid))
			put_buckets(report, type);
		else if (type->complete > 0)
			print_histogram(report, type);
	}
	if (!grid_is_text(grid))
		grid_table_end(grid, "");
	memory_free(shown);
}

bool
report_tasks(const struct trace *trace, const struct report_options *options, struct text *out,
	struct error *err)
{
	struct report report = { .trace = trace };
	struct task_scope scope = { .only = options->only };
	words_interval(options, trace, &scope.t0_ns, &scope.t1_ns);
	bool is_fine = task_types_build(&report.types, trace, &scope, err) &&
		       grid_begin(&report.grid, trace, options, out, err);
	if (is_fine) {
		print(&report);
		is_fine = grid_end(&report.grid);
	}
	if (is_fine && report.line.failed)
		is_fine = error_set_memory(err, "the report");
	task_types_release(&report.types);
	text_release(&report.line);
	return is_fine;
}

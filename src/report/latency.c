/* For people a histogram first, and two tables below it; for programs three tables. */
#include "report/latency.h"

#include "analysis/latency.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "base/units.h"
#include "draw/latency_words.h"
#include "report/grid.h"
#include "report/words.h"

enum { LONGEST = 10 };

struct latency_report {
	const struct latency_request *request;
	const struct latency_scope *scope;
	const struct latency *latency;
	struct grid grid;
};

/* ---- the histogram */

/* At the left edge, and whole however narrow the page is: it is meant to be copied. */
static void
print_line(struct latency_report *report, struct text *line)
{
	page_whole(&report->grid.page, STYLE_DEFAULT, line);
	page_line(&report->grid.page);
	text_clear(line);
}

static void
print_histogram(struct latency_report *report)
{
	struct latency_unit unit = latency_unit_of(report->latency);
	struct page *page = &report->grid.page;
	uint64_t counts[LATENCY_BUCKETS];
	int used = latency_log2(report->latency, unit.ns, counts), indent = page->indent;
	struct text line = { 0 };
	page_line(page);
	page_fence_begin(page);
	page->indent = 0;
	page_at(page, 0);
	latency_words_titles(&line, unit, used);
	print_line(report, &line);
	for (int i = 0; i < used; i++) {
		latency_words_bucket(&line, counts, used, i);
		print_line(report, &line);
	}
	page_line(page);
	latency_words_sums(&line, unit, report->latency);
	print_line(report, &line);
	page_fence_end(page);
	text_release(&line);
	page->indent = indent;
	page_at(page, indent);
}

static const struct grid_column bucket_columns[] = {
	{ { .title = "" }, "low_ns" },
	{ { .title = "" }, "high_ns" },
	{ { .title = "" }, "count" },
};

/* ---- tables */

static void
put_histogram(struct latency_report *report)
{
	uint64_t counts[LATENCY_BUCKETS];
	int used = latency_log2(report->latency, 1, counts);
	grid_as_made(&report->grid);
	grid_table(&report->grid, "histogram", "", bucket_columns,
		(int)ARRAY_LENGTH(bucket_columns));
	for (int i = 0; i < used; i++) {
		grid_duration(&report->grid, i == 0 ? 0 : INT64_C(1) << i);
		grid_duration(&report->grid, (int64_t)((UINT64_C(2) << i) - 1));
		grid_count(&report->grid, counts[i]);
	}
	grid_table_end(&report->grid, "");
}

static const struct {
	uint64_t part, whole;
} quantiles[] = {
	{ 50, 100 }, { 75, 100 }, { 90, 100 }, { 95, 100 }, { 99, 100 }, { 999, 1000 }, { 1, 1 },
};

static const struct grid_column sum_columns[] = {
	{ { .title = "count", .is_right = true }, "count" },
	{ { .title = "total", .is_right = true, .rank = 3 }, "total_ns" },
	{ { .title = "share", .is_right = true, .rank = 4 }, "share" },
	{ { .title = "mean", .is_right = true, .rank = 5 }, "mean_ns" },
	{ { .title = "p50", .is_right = true }, "p50_ns" },
	{ { .title = "p75", .is_right = true, .rank = 7 }, "p75_ns" },
	{ { .title = "p90", .is_right = true, .rank = 1 }, "p90_ns" },
	{ { .title = "p95", .is_right = true, .rank = 6 }, "p95_ns" },
	{ { .title = "p99", .is_right = true }, "p99_ns" },
	{ { .title = "p99.9", .is_right = true, .rank = 2 }, "p99.9_ns" },
	{ { .title = "max", .is_right = true }, "max_ns" },
	{ { .title = "" }, "cut_count" },
};

/* None has no value without spans. */
static void
put_duration(struct latency_report *report, int64_t duration_ns)
{
	if (report->latency->count > 0)
		grid_duration(&report->grid, duration_ns);
	else
		grid_none(&report->grid);
}

static void
put_sums(struct latency_report *report)
{
	const struct latency *latency = report->latency;
	struct grid *grid = &report->grid;
	/* The last column is told people in words. */
	int count = (int)ARRAY_LENGTH(sum_columns) - grid_is_text(grid);
	grid_as_made(grid);
	grid_table(&report->grid, "latency", "Percentiles", sum_columns,
		count);
	grid_count(grid, latency->count);
	grid_duration(grid, latency->total_ns);
	grid_share(grid, latency_share(latency));
	put_duration(report, latency->count > 0 ? latency->total_ns / (int64_t)latency->count : 0);
	for (size_t i = 0; i < ARRAY_LENGTH(quantiles); i++)
		put_duration(
			report, latency_quantile(latency, quantiles[i].part, quantiles[i].whole));
	if (!grid_is_text(grid))
		grid_count(grid, latency->cut_count);
	grid_table_end(grid, "");
}

static const struct grid_column longest_columns[] = {
	{ { .title = "at", .is_right = true }, "start_ns" },
	{ { .title = "for", .is_right = true }, "duration_ns" },
	{ { .title = "of" }, "{actor}" },
	{ { .title = "where", .is_name = true, .least_cells = 12, .rank = 1 }, "function" },
	{ { .title = "", .rank = 2 }, "place" },
	{ { .title = "task" }, "task" },
};

static void
put_long_one(struct latency_report *report, size_t index)
{
	struct grid *grid = &report->grid;
	struct latency_span span;
	latency_span(report->latency, index, &span);
	grid_moment(grid, span.start_ns);
	grid_duration(grid, span.duration_ns);
	grid_actor(grid, span.actor);
	grid_stack(grid, span.stack, span.actor);
	if (span.task != REF_NONE)
		grid_id(grid, trace_task(grid->trace, span.task)->id);
}

static bool
put_longest(struct latency_report *report, struct error *err)
{
	uint64_t limit = report->grid.options->limit;
	limit = limit > 0 ? limit : LONGEST;
	size_t most = limit < report->latency->count ? (size_t)limit : report->latency->count;
	size_t count, *longest = latency_longest(report->latency, most, &count, err);
	bool has_task = report->latency->type == LATENCY_TASK;
	if (longest == NULL)
		return false;
	grid_table(&report->grid, "longest", "The longest first, at times that --at takes", longest_columns,
		(int)ARRAY_LENGTH(longest_columns) - !has_task);
	report->grid.step_ns = 1;
	for (size_t i = 0; i < count; i++)
		put_long_one(report, longest[i]);
	grid_table_end(&report->grid, "none");
	memory_free(longest);
	return true;
}

/* ---- the whole */

static bool
put_heading(struct latency_report *report, struct error *err)
{
	struct grid *grid = &report->grid;
	struct text kind = { 0 }, heading = { 0 };
	latency_kind_add(&kind, report->request->kind);
	text_add_string(&heading, "Latency of ");
	text_add_safe(&heading, kind.bytes, kind.length, grid->options->ascii);
	latency_kind_add_whose(&heading, grid->trace->words, report->request->kind, report->scope);
	bool is_whole = !kind.failed && !heading.failed;
	if (is_whole)
		grid_heading(grid, heading.bytes);
	text_release(&kind);
	text_release(&heading);
	return is_whole || error_set_memory(err, "the report");
}

static void
put_facts(struct latency_report *report)
{
	const struct latency *latency = report->latency;
	struct grid *grid = &report->grid;
	char count[UNITS_TEXT];
	grid_usual_facts(grid);
	units_count(count, latency->cut_count);
	if (latency->cut_count > 0)
		grid_fact(grid, "cut", "of %s the trace does not have all: they took longer", count);
	units_count(count, latency->skipped);
	if (latency->skipped > 0)
		grid_fact(grid, "skipped", "%s texts, for which a pattern takes too long", count);
}

static bool
put_all(struct latency_report *report, struct error *err)
{
	struct grid *grid = &report->grid;
	if (!put_heading(report, err))
		return false;
	put_facts(report);
	if (report->latency->count == 0 && grid_is_text(grid)) {
		page_line(&grid->page);
		page_string(&grid->page, STYLE_TEXT_DIM, "There is none.");
		page_line(&grid->page);
		return true;
	}
	if (grid_is_text(grid))
		print_histogram(report);
	else
		put_histogram(report);
	put_sums(report);
	return put_longest(report, err);
}

bool
report_latency(const struct trace *trace, const struct latency_request *request,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct latency latency;
	struct latency_scope scope = { .actor = request->actor, .only = options->only,
		.with_runtime = options->with_runtime };
	struct latency_report report = {
		.request = request, .scope = &scope, .latency = &latency
	};
	words_interval(options, trace, &scope.t0_ns, &scope.t1_ns);
	if (!latency_build(&latency, trace, request->kind, &scope, NULL, err))
		return false;
	bool is_fine = grid_begin(&report.grid, trace, options, out, err);
	if (is_fine) {
		bool is_put = put_all(&report, err);
		is_fine = grid_end(&report.grid) && is_put;
	}
	latency_release(&latency);
	return is_fine;
}

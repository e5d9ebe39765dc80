/* A heading and some lines for each finding, or a row of values. */
#include "report/findings.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/findings.h"
#include "analysis/registry.h"
#include "base/units.h"
#include "draw/findings_words.h"
#include "draw/names.h"
#include "report/grid.h"
#include "report/words.h"
#include "trace/words.h"

enum { VALUE_CELLS = 14 };

struct report {
	const struct report_options *options;
	const struct trace *trace;
	struct findings findings;
	struct grid grid;
	struct text line;
};

/* ---- text */

static void
print_heading(struct report *report, struct page *page)
{
	const struct findings *findings = &report->findings;
	int64_t length_ns = findings->t1_ns - findings->t0_ns;
	struct text *line = &report->line;
	text_clear(line);
	text_add_string(line, "Findings, of ");
	text_add_whose(line, report->trace->words, false);
	page_string(page, STYLE_TEXT_BRIGHT, text_string(line));
	text_clear(line);
	page_heading_end(page);
	page_fact(page, "file", line);
	text_add_string(line, words_file(report->options));
	page_fact_end(page, STYLE_DEFAULT, line);
	page_fact(page, "time", line);
	words_duration(line, report->options, length_ns);
	text_add_string(line, ", from ");
	words_moment(line, report->options, report->trace, findings->t0_ns, length_ns);
	text_add_string(line, " to ");
	words_moment(line, report->options, report->trace, findings->t1_ns, length_ns);
	page_fact_end(page, STYLE_DEFAULT, line);
	if (report->options->only != NULL) {
		page_fact(page, "query", line);
		words_query(line, report->options, report->trace);
		page_fact_end(page, STYLE_DEFAULT, line);
	}
}

/* Options, which are to be copied: whole, on a line that may be long. */
static void
print_command(struct page *page, const struct text *line)
{
	page_whole(page, STYLE_KEY, line);
	page_line(page);
}

/* The moment to look at. */
static void
print_jump(struct report *report, struct page *page, const struct finding *finding)
{
	struct text *line = &report->line;
	page_fact(page, "see", line);
	if (finding->lane.type == LANE_ACTOR && finding->actor != REF_NONE)
		text_format(line, "--%s=%" PRId64,
			registry_shown_name("goroutine", report->trace->words),
			trace_actor(report->trace, finding->actor)->id);
	else
		text_add_string(line, "--row=gc");
	words_option_span(line, report->trace, finding->start_ns, finding->end_ns);
	print_command(page, line);
}

/* What requests did, and what the slowest one waited for. */
static void
print_requests(struct report *report, struct page *page, const struct finding *finding)
{
	struct text *line = &report->line;
	char from[UNITS_TEXT], to[UNITS_TEXT];
	page_fact(page, "slowest", line);
	findings_add_spent(line, report->trace, finding, true, report->options->ascii);
	page_fact_end(page, STYLE_DEFAULT, line);
	page_fact(page, "median", line);
	findings_add_spent(line, report->trace, finding, false, report->options->ascii);
	page_fact_end(page, STYLE_DEFAULT, line);
	page_fact(page, "path", line);
	units_option_time(from, finding->start_ns, 1);
	units_option_time(to, finding->end_ns, 1);
	text_format(line, "--path=%" PRId64 ",%s,%s",
		trace_actor(report->trace, finding->actor)->id, from, to);
	print_command(page, line);
}

/* For struct grid. */
static void
print_finding(void *context, uint32_t index)
{
	struct report *report = context;
	struct page *page = &report->grid.page;
	const struct finding *finding = &report->findings.items[index];
	struct text *line = &report->line;
	page->indent = 0;
	page_line(page);
	page_format(page, STYLE_TEXT_DIM, "%3" PRIu32 "  ", index + 1);
	page_string(page, STYLE_TEXT_BRIGHT, findings_title(finding->kind));
	text_clear(line);
	findings_add_loss(line, finding);
	page_format(page, STYLE_TEXT_DIM, "  %s", line->bytes);
	text_clear(line);
	page_line(page);
	page->indent = 5;
	page_at(page, 5);
	findings_add_line(line, report->trace, finding, report->options->ascii);
	page_wrap(page, STYLE_DEFAULT, line);
	text_clear(line);
	page_line(page);
	page_fact(page, "do", line);
	findings_add_advice(line, report->trace, finding);
	page_fact_end(page, STYLE_DEFAULT, line);
	if (finding->stack != STACK_NONE) {
		page_fact(page, "where", line);
		findings_add_place(line, report->trace, finding, report->options->ascii);
		page_fact_end(page, STYLE_DEFAULT, line);
	}
	if (finding->kind == FINDING_REQUESTS)
		print_requests(report, page, finding);
	print_jump(report, page, finding);
	page_fact(page, finding->is_query_whole ? "spans" : "longest", line);
	text_format(line, "--find='%s'", finding->query);
	print_command(page, line);
}

/* ---- the rows, which are for programs but for what --sort names */

static const struct grid_column columns[] = {
	{ { .title = NULL }, "rank" },
	{ { .title = NULL }, "kind" },
	{ { .title = NULL }, "severity" },
	{ { .title = NULL }, "lost_ns" },
	{ { .title = NULL }, "count" },
	{ { .title = NULL }, "{actors}" },
	{ { .title = NULL }, "total_ns" },
	{ { .title = NULL }, "start_ns" },
	{ { .title = NULL }, "dur_ns" },
	{ { .title = NULL }, "{id}" },
	{ { .title = NULL }, "name" },
	{ { .title = NULL }, "func" },
	{ { .title = NULL }, "place" },
	{ { .title = NULL }, "query" },
	{ { .title = NULL }, "text" },
	{ { .title = NULL }, "longest_ns" },
	{ { .title = NULL }, "places" },
	{ { .title = NULL }, "short" },
	{ { .title = NULL }, "advice" },
};

static void
put_string(struct grid *grid, string_id id)
{
	if (id == STRING_EMPTY)
		grid_none(grid);
	else
		grid_string(grid, id);
}

/* The place in full. */
static void
put_frame(struct report *report, const struct finding *finding)
{
	size_t length;
	if (finding->stack == STACK_NONE) {
		grid_none(&report->grid);
		grid_none(&report->grid);
		return;
	}
	const struct stack_frame *frame = stack_leaf(&report->trace->stacks, finding->stack);
	put_string(&report->grid, frame->function);
	const char *file = trace_text(report->trace, frame->file, &length);
	if (length == 0) {
		grid_none(&report->grid);
		return;
	}
	text_clear(&report->line);
	text_add(&report->line, file, length);
	text_format(&report->line, ":%" PRIu64, frame->line);
	grid_text(&report->grid, report->line.bytes, report->line.length);
}

static void
put_row(struct report *report, size_t index)
{
	const struct finding *finding = &report->findings.items[index];
	const char *kind = finding_kind_name(finding->kind);
	struct grid *grid = &report->grid;
	grid_id(grid, (int64_t)index + 1);
	grid_text(grid, kind, strlen(kind));
	grid_number(grid, findings_severity(&report->findings, finding), 1);
	grid_duration(grid, finding->lost_ns);
	grid_count(grid, finding->count);
	grid_count(grid, finding->actors);
	grid_duration(grid, finding->total_ns);
	grid_moment(grid, finding->start_ns);
	grid_duration(grid, finding->end_ns - finding->start_ns);
	grid_actor_id(grid, finding->actor);
	put_string(grid, finding->name);
	put_frame(report, finding);
	grid_text(grid, finding->query, strlen(finding->query));
	text_clear(&report->line);
	findings_add_line(&report->line, report->trace, finding, report->options->ascii);
	grid_text(grid, report->line.bytes, report->line.length);
	grid_duration(grid, finding->longest_ns);
	grid_count(grid, finding->place_count);
	text_clear(&report->line);
	findings_add_short(&report->line, report->trace, finding, report->options->ascii);
	grid_text(grid, report->line.bytes, report->line.length);
	text_clear(&report->line);
	findings_add_advice(&report->line, report->trace, finding);
	grid_text(grid, report->line.bytes, report->line.length);
}

static void
print_fine(struct report *report)
{
	struct page *page = &report->grid.page;
	page_line(page);
	page_fact(page, "fine", &report->line);
	findings_add_fine(&report->line, &report->findings);
	page_wrap(page, STYLE_DEFAULT, &report->line);
	page_line(page);
}

static void
print(struct report *report)
{
	struct grid *grid = &report->grid;
	grid->page.value_x = VALUE_CELLS;
	if (grid_is_text(grid))
		print_heading(report, &grid->page);
	grid_blocks(grid, "findings", columns, (int)ARRAY_LENGTH(columns), print_finding, report);
	for (size_t i = 0; i < report->findings.count; i++)
		put_row(report, i);
	grid->page.indent = 0;
	uint64_t limit = report->options->limit, count = report->findings.count;
	bool says_more = count == 0 || (limit > 0 && limit < count);
	if (grid_is_text(grid) && says_more)
		page_line(&grid->page);
	grid_table_end(grid, findings_none(&report->findings));
	if (grid_is_text(grid) && report->findings.has_waits)
		print_fine(report);
}

bool
report_findings(const struct trace *trace, const struct report_options *options,
	struct text *out, struct error *err)
{
	struct report report = { .options = options, .trace = trace };
	struct findings_scope scope = { .only = options->only, .query = options->query };
	words_interval(options, trace, &scope.t0_ns, &scope.t1_ns);
	if (!findings_build(&report.findings, trace, &scope, NULL, err))
		return false;
	bool is_fine = grid_begin(&report.grid, trace, options, out, err);
	if (is_fine) {
		print(&report);
		is_fine = grid_end(&report.grid);
	}
	if (is_fine && report.line.failed)
		is_fine = error_set_memory(err, "the report");
	findings_release(&report.findings);
	text_release(&report.line);
	return is_fine;
}

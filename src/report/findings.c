/* A heading and some lines for each finding, or a row of values. */
#include "report/findings.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/findings.h"
#include "analysis/registry.h"
#include "base/units.h"
#include "draw/findings_text.h"
#include "draw/findings_words.h"
#include "draw/names.h"
#include "report/grid.h"
#include "report/page_text.h"
#include "report/words.h"
#include "result/result.h"
#include "trace/words.h"

enum { VALUE_CELLS = 14 };

struct report {
	const struct report_options *options;
	const struct trace *trace;
	struct findings findings;
	struct grid grid;
	struct page_text text;
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

/* For struct grid. */
static void
print_finding(void *context, uint32_t index)
{
	struct report *report = context;
	findings_tell(&report->text.prose, &report->findings, index);
	page_text_flush(&report->text);
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
	struct result_place place = { finding->lane, finding->start_ns, finding->end_ns };
	grid->place = &place;
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
print(struct report *report)
{
	struct grid *grid = &report->grid;
	grid->page.value_x = VALUE_CELLS;
	if (grid_is_text(grid))
		print_heading(report, &grid->page);
	page_text_begin(&report->text, &grid->page, report->trace);
	grid_blocks(grid, "findings", columns, (int)ARRAY_LENGTH(columns), print_finding, report);
	for (size_t i = 0; i < report->findings.count; i++)
		put_row(report, i);
	grid->page.indent = 0;
	uint64_t limit = report->options->limit;
	if (grid_is_text(grid) && limit > 0 && limit < report->findings.count)
		page_line(&grid->page);
	grid_table_end(grid, NULL);
	if (grid_is_text(grid))
		findings_tell_end(&report->text.prose, &report->findings);
	page_text_release(&report->text);
}

bool
report_findings(const struct trace *trace, const struct report_options *options,
	struct text *out, struct error *err)
{
	struct report report = { .options = options, .trace = trace };
	struct findings_scope scope = { .only = options->only, .query = options->query, .beneath = options->beneath };
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

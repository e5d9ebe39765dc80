/* A heading and some lines for each finding, or a row of values. */
#include "report/findings.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/findings.h"
#include "base/units.h"
#include "draw/findings_words.h"
#include "report/csv.h"
#include "report/page.h"
#include "report/words.h"

enum { VALUE_CELLS = 14 };

struct report {
	const struct report_options *options;
	const struct trace *trace;
	struct findings findings;
	size_t listed; /* the first of them */
	struct text *out;
	struct text line;
};

/* ---- text */

static void
print_heading(struct report *report, struct page *page)
{
	const struct findings *findings = &report->findings;
	int64_t length_ns = findings->t1_ns - findings->t0_ns;
	struct text *line = &report->line;
	page_string(page, STYLE_TEXT_BRIGHT, "Findings");
	page_line(page);
	page->indent = 2;
	page_at(page, 2);
	page_fact(page, "file", line);
	text_add_string(line,
		report->options->file_name != NULL ? report->options->file_name : "standard input");
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
		words_query(line, report->options);
		page_fact_end(page, STYLE_DEFAULT, line);
	}
	if (report->listed < findings->count) {
		page_fact(page, "listed", line);
		text_format(line, "%zu of %zu", report->listed, findings->count);
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
	if (finding->lane.type == LANE_GOROUTINE && finding->goroutine != REF_NONE)
		text_format(line, "--goroutine=%" PRId64 " ",
			trace_goroutine(report->trace, finding->goroutine)->id);
	else
		text_add_string(line, "--row=gc ");
	text_add_string(line, "--at=");
	words_option_time(line, finding->start_ns, finding->end_ns - finding->start_ns);
	print_command(page, line);
}

static void
print_finding(struct report *report, struct page *page, size_t index)
{
	const struct finding *finding = &report->findings.items[index];
	struct text *line = &report->line;
	page->indent = 0;
	page_line(page);
	page_format(page, STYLE_TEXT_DIM, "%3zu  ", index + 1);
	page_string(page, STYLE_TEXT_BRIGHT, findings_title(finding->kind));
	text_clear(line);
	findings_add_severity(line, &report->findings, finding);
	page_format(page, STYLE_TEXT_DIM, "  %s", line->bytes);
	text_clear(line);
	page_line(page);
	page->indent = 5;
	page_at(page, 5);
	findings_add_line(line, report->trace, finding, report->options->ascii);
	page_wrap(page, STYLE_DEFAULT, line);
	text_clear(line);
	page_line(page);
	if (finding_frame(report->trace, finding->stack) != NULL) {
		page_fact(page, "where", line);
		findings_add_place(line, report->trace, finding, report->options->ascii);
		page_fact_end(page, STYLE_DEFAULT, line);
	}
	print_jump(report, page, finding);
	page_fact(page, finding->is_query_whole ? "spans" : "longest", line);
	text_format(line, "--find='%s'", finding->query);
	print_command(page, line);
}

static bool
print_text(struct report *report, struct error *err)
{
	struct page page;
	if (!page_begin(&page, report->options, report->out, err))
		return false;
	page.value_x = VALUE_CELLS;
	print_heading(report, &page);
	for (size_t i = 0; i < report->listed; i++)
		print_finding(report, &page, i);
	if (report->findings.count == 0) {
		page_line(&page);
		page_string(&page, STYLE_DEFAULT, "nothing odd: no finding is above its threshold");
		page_line(&page);
	}
	return page_end(&page);
}

/* ---- CSV and JSON */

/* A finding whose values are put. */
struct row {
	const struct report *report;
	const struct finding *finding;
	size_t number;
};

static bool
put_number(struct text *value, int64_t number)
{
	text_format(value, "%" PRId64, number);
	return true;
}

static bool
put_rank(const struct row *row, struct text *value)
{
	return put_number(value, (int64_t)row->number);
}

static bool
put_kind(const struct row *row, struct text *value)
{
	text_add_string(value, finding_kind_name(row->finding->kind));
	return true;
}

static bool
put_severity(const struct row *row, struct text *value)
{
	text_format(value, "%.6g", findings_severity(&row->report->findings, row->finding));
	return true;
}

static bool
put_lost(const struct row *row, struct text *value)
{
	return put_number(value, row->finding->lost_ns);
}

static bool
put_count(const struct row *row, struct text *value)
{
	return put_number(value, (int64_t)row->finding->count);
}

static bool
put_goroutines(const struct row *row, struct text *value)
{
	return put_number(value, row->finding->goroutines);
}

static bool
put_total(const struct row *row, struct text *value)
{
	return put_number(value, row->finding->total_ns);
}

static bool
put_start(const struct row *row, struct text *value)
{
	return put_number(value, row->finding->start_ns);
}

static bool
put_duration(const struct row *row, struct text *value)
{
	return put_number(value, row->finding->end_ns - row->finding->start_ns);
}

static bool
put_goroutine(const struct row *row, struct text *value)
{
	goroutine_ref goroutine = row->finding->goroutine;
	return goroutine != REF_NONE &&
	       put_number(value, trace_goroutine(row->report->trace, goroutine)->id);
}

static bool
put_string(const struct row *row, string_id id, struct text *value)
{
	size_t length;
	const char *bytes = trace_text(row->report->trace, id, &length);
	text_add(value, bytes, length);
	return length > 0;
}

static bool
put_name(const struct row *row, struct text *value)
{
	return put_string(row, row->finding->name, value);
}

static bool
put_function(const struct row *row, struct text *value)
{
	const struct stack_frame *frame = finding_frame(row->report->trace, row->finding->stack);
	return frame != NULL && put_string(row, frame->function, value);
}

static bool
put_place(const struct row *row, struct text *value)
{
	const struct stack_frame *frame = finding_frame(row->report->trace, row->finding->stack);
	if (frame == NULL || !put_string(row, frame->file, value))
		return false;
	text_format(value, ":%" PRIu64, frame->line);
	return true;
}

static bool
put_query(const struct row *row, struct text *value)
{
	text_add_string(value, row->finding->query);
	return true;
}

static bool
put_text(const struct row *row, struct text *value)
{
	findings_add_line(value, row->report->trace, row->finding, row->report->options->ascii);
	return true;
}

static const struct column {
	const char *name;
	bool is_text;
	/* Appends the value as it is; false where there is none. */
	bool (*put)(const struct row *row, struct text *value);
} columns[] = {
	{ "rank", false, put_rank },
	{ "kind", true, put_kind },
	{ "severity", false, put_severity },
	{ "lost_ns", false, put_lost },
	{ "count", false, put_count },
	{ "goroutines", false, put_goroutines },
	{ "total_ns", false, put_total },
	{ "start_ns", false, put_start },
	{ "dur_ns", false, put_duration },
	{ "g", false, put_goroutine },
	{ "name", true, put_name },
	{ "func", true, put_function },
	{ "place", true, put_place },
	{ "query", true, put_query },
	{ "text", true, put_text },
};

static void
add_csv(struct report *report, const struct row *row)
{
	for (size_t i = 0; i < ARRAY_LENGTH(columns); i++) {
		struct text *value = &report->line;
		text_clear(value);
		text_add_string(report->out, i > 0 ? "," : "");
		if (columns[i].put(row, value) && value->length > 0)
			csv_add(report->out, value->bytes, value->length, report->options->ascii);
	}
	text_add_string(report->out, "\n");
}

static void
add_json(struct report *report, const struct row *row)
{
	for (size_t i = 0; i < ARRAY_LENGTH(columns); i++) {
		struct text *value = &report->line;
		text_clear(value);
		bool has_value = columns[i].put(row, value);
		const char *quote = columns[i].is_text && has_value ? "\"" : "";
		text_format(
			report->out, "%s\"%s\":%s", i == 0 ? "{" : ",", columns[i].name, quote);
		if (has_value)
			text_add_json(report->out, value->bytes, value->length);
		else
			text_add_string(report->out, "null");
		text_add_string(report->out, quote);
	}
	text_add_string(report->out, "}\n");
}

static bool
print_rows(struct report *report, struct error *err)
{
	bool is_csv = report->options->format == REPORT_AS_CSV;
	for (size_t i = 0; i < ARRAY_LENGTH(columns) && is_csv; i++)
		text_format(report->out, "%s%s", i > 0 ? "," : "", columns[i].name);
	text_add_string(report->out, is_csv ? "\n" : "");
	for (size_t i = 0; i < report->listed; i++) {
		struct row row = { report, &report->findings.items[i], i + 1 };
		if (is_csv)
			add_csv(report, &row);
		else
			add_json(report, &row);
	}
	return !report->out->failed && !report->line.failed ? true
							    : error_set_memory(err, "the report");
}

bool
report_findings(const struct trace *trace, const struct report_options *options,
	struct text *out, struct error *err)
{
	struct report report = { .options = options, .trace = trace, .out = out };
	struct findings_scope scope = { .only = options->only, .query = options->query };
	words_interval(options, trace, &scope.t0_ns, &scope.t1_ns);
	if (!findings_build(&report.findings, trace, &scope, NULL, err))
		return false;
	report.listed = report.findings.count;
	if (options->limit > 0 && options->limit < report.listed)
		report.listed = (size_t)options->limit;
	bool is_fine = options->format == REPORT_AS_TEXT ? print_text(&report, err)
							 : print_rows(&report, err);
	findings_release(&report.findings);
	text_release(&report.line);
	return is_fine;
}


/* Tables of measures: for people one for each function, for programs a line for each measure. */
#include "report/goroutines.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/goroutines.h"
#include "base/checked.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "base/units.h"
#include "report/csv.h"
#include "report/page.h"
#include "report/words.h"
#include "trace/lane.h"

struct report {
	const struct goroutines_request *request;
	const struct report_options *options;
	const struct trace *trace;
	struct goroutine_times times;
	int64_t *scratch;    /* room for the measures of a function */
	int64_t t0_ns, t1_ns;
	int64_t running_ns;  /* of all goroutines */
	struct page page;
	struct table table;
	struct text line;    /* a value being made */
	struct text *out;
};

/* ---- words */

static uint32_t
measure_count(const struct report *report)
{
	return MEASURE_REASONS + report->times.reason_count;
}

/* "running", or for a reason the reason, as safe text into report->line. */
static void
name_measure(struct report *report, uint32_t measure)
{
	static const char *const names[] = {
		[MEASURE_LIFE] = "life",
		[MEASURE_RUNNING] = "running",
		[MEASURE_READY] = "ready",
		[MEASURE_SYSCALL] = "syscall",
		[MEASURE_BLOCKED] = "blocked",
		[MEASURE_UNKNOWN] = "unknown",
		[MEASURE_ASSIST] = "GC assist",
		[MEASURE_SWEEP] = "sweep",
	};
	text_clear(&report->line);
	if (measure < MEASURE_REASONS) {
		text_add_string(&report->line, names[measure]);
		return;
	}
	string_id reason = report->times.reasons[measure - MEASURE_REASONS];
	words_string(&report->line, report->options, report->trace, reason);
	if (reason == STRING_EMPTY)
		text_add_string(&report->line, "(no reason told)");
}

static void
name_function(struct report *report, string_id name)
{
	text_clear(&report->line);
	words_string(&report->line, report->options, report->trace, name);
	if (name == STRING_EMPTY)
		text_add_string(&report->line, "(not known)");
}

/* The order in which measures are told: reasons right behind what they are parts of. */
static uint32_t
measure_at(const struct report *report, uint32_t place)
{
	uint32_t reasons = report->times.reason_count;
	if (place <= MEASURE_BLOCKED)
		return place;
	if (place <= MEASURE_BLOCKED + reasons)
		return MEASURE_REASONS + place - MEASURE_BLOCKED - 1;
	return place - reasons;
}

/* ---- text */

static const struct cell_style plain = { .fg = STYLE_DEFAULT };
static const struct cell_style dim = { .fg = STYLE_TEXT_DIM };

static void
add_duration(struct report *report, int64_t ns)
{
	if (ns == 0) {
		table_string(&report->table, dim, "-");
		return;
	}
	text_clear(&report->line);
	words_duration(&report->line, report->options, ns);
	table_text(&report->table, plain, &report->line);
}

static void
add_goroutine(struct report *report, uint32_t row)
{
	text_clear(&report->line);
	text_format(&report->line, "G%" PRId64,
		trace_goroutine(report->trace, report->times.rows[row].goroutine)->id);
	table_text(&report->table, plain, &report->line);
}

static void
add_spread(struct report *report, const struct goroutine_function *function, uint32_t measure)
{
	uint32_t longest;
	struct spread spread = goroutines_spread(
		&report->times, function, measure, report->scratch, &longest);
	const int64_t values[] = { spread.total_ns, spread.mean_ns, spread.p50_ns, spread.p90_ns,
		spread.p99_ns, spread.max_ns };
	if (spread.total_ns == 0)
		return;
	name_measure(report, measure);
	if (measure >= MEASURE_REASONS) {
		struct text *line = &report->line;
		struct text reason = *line;
		*line = (struct text){ 0 };
		text_add_string(line, "  ");
		text_add(line, reason.bytes, reason.length);
		text_release(&reason);
	}
	table_text(&report->table, plain, &report->line);
	for (size_t i = 0; i < ARRAY_LENGTH(values); i++)
		add_duration(report, values[i]);
	add_goroutine(report, longest);
}

static void
add_heading(struct report *report, const struct goroutine_function *function, bool is_first)
{
	char count[UNITS_TEXT], share[UNITS_TEXT];
	units_count(count, function->count);
	units_share(share, function->running_ns, report->running_ns);
	name_function(report, function->name);
	if (!is_first)
		page_line(&report->page);
	page_text(&report->page, STYLE_TEXT_BRIGHT, report->line.bytes, report->line.length);
	page_format(&report->page, STYLE_DEFAULT, ": %s goroutine%s, %s of all time running", count,
		function->count == 1 ? "" : "s", share);
	page_line(&report->page);
}

static void
print_functions(struct report *report, uint32_t count)
{
	static const struct table_column columns[] = {
		{ "", false, false, 0, 0 },
		{ "total", true, false, 0, 0 },
		{ "mean", true, false, 0, 0 },
		{ "p50", true, false, 0, 2 },
		{ "p90", true, false, 0, 3 },
		{ "p99", true, false, 0, 4 },
		{ "max", true, false, 0, 0 },
		{ "of", false, false, 0, 5 },
	};
	table_init(&report->table, columns, ARRAY_LENGTH(columns));
	for (uint32_t i = 0; i < count; i++) {
		const struct goroutine_function *function = &report->times.functions[i];
		add_heading(report, function, i == 0);
		table_clear(&report->table);
		for (uint32_t n = 0; n < measure_count(report); n++)
			add_spread(report, function, measure_at(report, n));
		page_table(&report->page, &report->table, true);
	}
	table_release(&report->table);
}

/* The reason for which the goroutine was blocked longest. */
static void
add_main_reason(struct report *report, uint32_t row)
{
	uint32_t most = 0;
	int64_t most_ns = 0;
	for (uint32_t i = 0; i < report->times.reason_count; i++) {
		int64_t ns = goroutines_time(&report->times, row, MEASURE_REASONS + i);
		if (ns > most_ns) {
			most_ns = ns;
			most = MEASURE_REASONS + i;
		}
	}
	if (most_ns == 0) {
		table_skip(&report->table);
		return;
	}
	name_measure(report, most);
	text_add_string(&report->line, " ");
	words_duration(&report->line, report->options, most_ns);
	table_text(&report->table, plain, &report->line);
}

static void
print_rows(struct report *report, const struct goroutine_function *function, uint32_t count)
{
	static const struct table_column columns[] = {
		{ "", false, false, 0, 0 },
		{ "life", true, false, 0, 0 },
		{ "running", true, false, 0, 0 },
		{ "ready", true, false, 0, 0 },
		{ "syscall", true, false, 0, 0 },
		{ "blocked", true, false, 0, 0 },
		{ "most of it", false, false, 0, 1 },
		{ "unknown", true, false, 0, 4 },
		{ "GC assist", true, false, 0, 2 },
		{ "sweep", true, false, 0, 3 },
	};
	table_init(&report->table, columns, ARRAY_LENGTH(columns));
	add_heading(report, function, true);
	for (uint32_t i = function->first; i < function->first + count; i++) {
		add_goroutine(report, i);
		for (uint32_t n = MEASURE_LIFE; n <= MEASURE_BLOCKED; n++)
			add_duration(report, goroutines_time(&report->times, i, n));
		add_main_reason(report, i);
		for (uint32_t n = MEASURE_UNKNOWN; n <= MEASURE_SWEEP; n++)
			add_duration(report, goroutines_time(&report->times, i, n));
	}
	page_table(&report->page, &report->table, true);
	table_release(&report->table);
}

static uint32_t
limited(const struct report *report, uint32_t count)
{
	uint64_t limit = report->options->limit;
	return limit > 0 && limit < count ? (uint32_t)limit : count;
}

static bool
print_text(struct report *report, struct error *err)
{
	const struct goroutine_times *times = &report->times;
	if (!page_begin(&report->page, report->options, report->out, err))
		return false;
	if (!report->request->is_of_function)
		print_functions(report, limited(report, times->function_count));
	else if (times->function_count > 0)
		print_rows(report, &times->functions[0], limited(report, times->functions[0].count));
	return page_end(&report->page);
}

/* ---- for programs */

/* A field of a line: a number, or a text with its quotes. */
static void
put_name(struct report *report, const char *key)
{
	bool is_json = report->options->format == REPORT_AS_JSON;
	if (is_json)
		text_format(report->out, "\"%s\":\"", key);
	if (is_json)
		text_add_json(report->out, report->line.bytes, report->line.length);
	else
		csv_add(report->out, report->line.bytes, report->line.length,
			report->options->ascii);
	text_add_string(report->out, is_json ? "\"," : ",");
}

static void
put_number(struct report *report, const char *key, int64_t number, bool is_last)
{
	bool is_json = report->options->format == REPORT_AS_JSON;
	if (is_json)
		text_format(report->out, "\"%s\":", key);
	text_format(report->out, "%" PRId64 "%s", number,
		!is_last ? "," : is_json ? "}\n" : "\n");
}

/* "state", and "reason" where it is a part of blocked. */
static void
put_measure(struct report *report, uint32_t measure)
{
	bool is_reason = measure >= MEASURE_REASONS;
	name_measure(report, is_reason ? (uint32_t)MEASURE_BLOCKED : measure);
	put_name(report, "state");
	text_clear(&report->line);
	if (is_reason)
		name_measure(report, measure);
	put_name(report, "reason");
}

static void
begin_line(struct report *report)
{
	if (report->options->format == REPORT_AS_JSON)
		text_add_string(report->out, "{");
}

static void
write_spread(struct report *report, const struct goroutine_function *function, uint32_t measure)
{
	uint32_t longest;
	struct spread spread = goroutines_spread(
		&report->times, function, measure, report->scratch, &longest);
	begin_line(report);
	name_function(report, function->name);
	put_name(report, "function");
	put_number(report, "count", function->count, false);
	put_measure(report, measure);
	put_number(report, "total_ns", spread.total_ns, false);
	put_number(report, "mean_ns", spread.mean_ns, false);
	put_number(report, "p50_ns", spread.p50_ns, false);
	put_number(report, "p90_ns", spread.p90_ns, false);
	put_number(report, "p99_ns", spread.p99_ns, false);
	put_number(report, "max_ns", spread.max_ns, false);
	put_number(report, "max_g",
		trace_goroutine(report->trace, report->times.rows[longest].goroutine)->id, true);
}

static void
write_row(struct report *report, uint32_t row, uint32_t measure)
{
	begin_line(report);
	put_number(report, "g",
		trace_goroutine(report->trace, report->times.rows[row].goroutine)->id, false);
	put_measure(report, measure);
	put_number(report, "ns", goroutines_time(&report->times, row, measure), true);
}

/* A line for each measure of a function, or of a goroutine. */
static bool
write_measures(struct report *report, uint32_t index, struct error *err)
{
	for (uint32_t n = 0; n < measure_count(report); n++) {
		uint32_t measure = measure_at(report, n);
		if (report->request->is_of_function)
			write_row(report, index, measure);
		else
			write_spread(report, &report->times.functions[index], measure);
		if (!report_flush(report->options, report->out, err))
			return false;
	}
	return true;
}

static bool
write_lines(struct report *report, struct error *err)
{
	const struct goroutine_times *times = &report->times;
	bool is_rows = report->request->is_of_function;
	uint32_t count = limited(report, is_rows ? times->row_count : times->function_count);
	if (report->options->format == REPORT_AS_CSV)
		text_add_string(report->out,
			is_rows ? "g,state,reason,ns\n"
				: "function,count,state,reason,total_ns,mean_ns,p50_ns,p90_ns,"
				  "p99_ns,max_ns,max_g\n");
	bool is_fine = true;
	for (uint32_t i = 0; i < count && is_fine; i++)
		is_fine = write_measures(report, i, err);
	return is_fine;
}

/* What the functions' shares are of. */
static void
add_up_running(struct report *report)
{
	int64_t totals_ns[CLASS_COUNT];
	lane_totals(report->trace, (struct lane){ LANE_ALL, 0 }, report->t0_ns, report->t1_ns,
		totals_ns);
	report->running_ns =
		saturating_add_i64(totals_ns[CLASS_RUNNING], totals_ns[CLASS_GC_WORKER]);
}

static bool
write_report(struct report *report, struct error *err)
{
	const struct goroutine_times *times = &report->times;
	report->scratch = array_new_unset(times->row_count, sizeof(*report->scratch), err);
	if (report->scratch == NULL)
		return false;
	add_up_running(report);
	bool is_fine = true;
	if (report->options->format == REPORT_AS_TEXT)
		is_fine = print_text(report, err);
	else
		is_fine = write_lines(report, err);
	if (is_fine && (report->out->failed || report->line.failed))
		is_fine = error_set_memory(err, "the report");
	return is_fine;
}

bool
report_goroutines(const struct trace *trace, const struct goroutines_request *request,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct report report = {
		.request = request, .options = options, .trace = trace, .out = out
	};
	words_interval(options, trace, &report.t0_ns, &report.t1_ns);
	if (!goroutines_build(&report.times, trace, report.t0_ns, report.t1_ns,
		    request->is_of_function ? request->function : STRING_EMPTY, options->only, err))
		return false;
	bool is_fine = write_report(&report, err);
	goroutines_release(&report.times);
	memory_free(report.scratch);
	text_release(&report.line);
	return is_fine;
}

/* The functions of a profile as pprof prints them. */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "analysis/profile_top.h"
#include "base/checked.h"
#include "report/profile.h"
#include "report/profile_words.h"
#include "trace/sample_set.h"

enum { TIME_BYTES = 64, NS_PER_S = 1000000000 };

struct report {
	const struct profile_request *request;
	const struct report_options *options;
	const struct trace *trace;
	struct profile profile;
	struct profile_top top;
	uint32_t row_count; /* that are shown */
	int64_t shown;      /* the sum of their flat values */
	struct profile_unit unit;
	struct text *out;
};

/* What is to be known of all rows before the first one is printed. */
static void
look_over(struct report *report)
{
	uint64_t limit = report->options->limit;
	int64_t least = 0;
	report->row_count = report->top.row_count;
	if (limit > 0 && limit < report->row_count)
		report->row_count = (uint32_t)limit;
	for (uint32_t i = 0; i < report->row_count; i++) {
		const struct top_row *row = &report->top.rows[i];
		int64_t value = row->flat != 0 ? row->flat : row->cum;
		report->shown = saturating_add_i64(report->shown, row->flat);
		value = value < 0 ? saturating_sub_i64(0, value) : value;
		if (value != 0 && (least == 0 || value < least))
			least = value;
	}
	int64_t total = profile_total(&report->profile);
	report->unit = profile_unit_choose(&report->profile.measure, least != 0 ? least : total, total);
}

/* "   focus=main" and so on, below a title. */
static void
add_filter(struct report *report, const char *name, const char *value, bool *has_title)
{
	if (value == NULL)
		return;
	if (!*has_title)
		text_add_string(report->out, "Active filters:\n");
	*has_title = true;
	text_format(report->out, "   %s=", name);
	text_add_safe(report->out, value, strlen(value), report->options->ascii);
	text_add_string(report->out, "\n");
}

static void
add_filters(struct report *report)
{
	bool has_title = false;
	add_filter(report, "focus", report->request->focus, &has_title);
	add_filter(report, "ignore", report->request->ignore, &has_title);
	add_filter(report, "label", report->request->label, &has_title);
	if (report->options->only != NULL)
		add_filter(report, "query", report->options->query, &has_title);
}

static void
add_line(struct report *report, const char *before, string_id text)
{
	size_t length;
	const char *bytes = trace_text(report->trace, text, &length);
	if (length == 0)
		return;
	text_add_string(report->out, before);
	text_add_safe(report->out, bytes, length, report->options->ascii);
	text_add_string(report->out, "\n");
}

/* What the profile says of itself, as pprof prints it. */
static void
add_origin(struct report *report)
{
	const struct sample_origin *origin = &report->trace->samples->origin;
	const struct measure *measure = &report->profile.measure;
	char taken[PROFILE_WORD], total[PROFILE_WORD], share[PROFILE_WORD];
	int64_t whole = profile_total(&report->profile);
	add_line(report, "File: ", origin->file);
	add_line(report, "Build ID: ", origin->build_id);
	for (size_t i = 0; i < origin->comment_count; i++) {
		size_t length;
		const char *comment = trace_text(report->trace, origin->comments[i], &length);
		if (length > 0 && comment[0] != '#')
			add_line(report, "", origin->comments[i]);
	}
	text_format(report->out, "Type: %s\n", measure->name);
	add_line(report, "Doc: ", origin->doc);
	if (origin->time_ns != 0) {
		char told[TIME_BYTES];
		time_t seconds = (time_t)(origin->time_ns / NS_PER_S - (origin->time_ns % NS_PER_S < 0));
		struct tm parts;
		if (localtime_r(&seconds, &parts) != NULL &&
			strftime(told, sizeof told, "%Y-%m-%d %H:%M:%S %Z", &parts) > 0)
			text_format(report->out, "Time: %s\n", told);
	}
	if (origin->duration_ns == 0)
		return;
	profile_value_word(taken, profile_unit_choose(&measure_time, origin->duration_ns,
		origin->duration_ns), origin->duration_ns);
	profile_value_word(total, profile_unit_choose(measure, whole, whole), whole);
	text_format(report->out, "Duration: %s, Total samples = %s ", taken, total);
	profile_share_word(share, measure_cell(measure, whole), origin->duration_ns);
	if (measure->type == FIGURE_DURATION && whole != 0)
		text_format(report->out, "(%s)", share);
	text_add_string(report->out, "\n");
}

static bool
has_open(const struct report *report)
{
	return report->profile.sum.open_count > 0;
}

static void
add_heading(struct report *report)
{
	char shown[PROFILE_WORD], total[PROFILE_WORD], share[PROFILE_WORD];
	int64_t whole = profile_total(&report->profile);
	profile_value_word(shown, report->unit, report->shown);
	profile_value_word(total, report->unit, whole);
	profile_share_word(share, report->shown, whole);
	const char *percent = share;
	while (*percent == ' ')
		percent++;
	if (report->profile.kind == PROFILE_SAMPLES) {
		add_origin(report);
	} else {
		text_format(report->out, "Type: %s",
			report->profile.kind == PROFILE_CPU	 ? "samples"
			: report->profile.kind == PROFILE_SLICES ? "time"
								 : "delay");
		profile_request_add_whose(report->request, report->trace->words, report->out);
		text_add_string(report->out, "\n");
	}
	add_filters(report);
	text_format(report->out, "Showing nodes accounting for %s, %s of %s total\n", shown,
		percent, total);
	profile_add_open(&report->profile, "", report->out);
	if (report->row_count < report->top.row_count && whole != 0)
		text_format(report->out, "Showing top %" PRIu32 " nodes out of %" PRIu32 "\n",
			report->row_count, report->top.row_count);
	text_format(report->out, "%10s %5s%% %5s%% %10s %5s%%", "flat", "flat", "sum", "cum",
		"cum");
	text_format(report->out, has_open(report) ? " %10s\n" : "\n", "not ended");
}

static void
add_text_row(struct report *report, const struct top_row *row, int64_t sum)
{
	static const char *const marks[] = { "", " (partial-inline)", " (inline)" };
	char flat[PROFILE_WORD], cum[PROFILE_WORD];
	char flat_share[PROFILE_WORD], sum_share[PROFILE_WORD], cum_share[PROFILE_WORD];
	int64_t whole = profile_total(&report->profile);
	profile_value_word(flat, report->unit, row->flat);
	profile_value_word(cum, report->unit, row->cum);
	profile_share_word(flat_share, row->flat, whole);
	profile_share_word(sum_share, sum, whole);
	profile_share_word(cum_share, row->cum, whole);
	text_format(report->out, "%10s %s %s %10s %s", flat, flat_share, sum_share, cum,
		cum_share);
	if (has_open(report)) {
		char open[PROFILE_WORD];
		profile_value_word(open, report->unit, row->open);
		text_format(report->out, " %10s", open);
	}
	text_add_string(report->out, "  ");
	text_add_safe(report->out, row->name, row->name_length, report->options->ascii);
	text_add_string(report->out, marks[row->inlining]);
	text_add_string(report->out, "\n");
}

static bool
add_text(struct report *report, struct error *err)
{
	int64_t sum = 0;
	add_heading(report);
	for (uint32_t i = 0; i < report->row_count; i++) {
		const struct top_row *row = &report->top.rows[i];
		sum = saturating_add_i64(sum, row->flat);
		add_text_row(report, row, sum);
		if (!report_flush(report->options, report->out, err))
			return false;
	}
	return true;
}

bool
report_top(const struct trace *trace, const struct profile_request *request,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct report report = {
		.request = request, .options = options, .trace = trace, .out = out
	};
	if (options->format != REPORT_AS_TEXT)
		return profile_print_analysis("top", trace, request, options, out, err);
	if (!profile_request_build(request, trace, &report.profile, err))
		return false;
	report.trace = report.profile.trace;
	if (options->ascii)
		measure_make_ascii(&report.profile.measure);
	bool is_fine = profile_top_build(&report.top, &report.profile, options->sort, err);
	if (is_fine) {
		look_over(&report);
		is_fine = add_text(&report, err);
	}
	profile_top_release(&report.top);
	profile_release(&report.profile);
	if (is_fine && out->failed)
		is_fine = error_set_memory(err, "the profile");
	return is_fine;
}

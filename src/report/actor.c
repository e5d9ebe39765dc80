/* --goroutine=ID in print: who it is, its totals, and its life state by state. */
#include <inttypes.h>

#include "analysis/life.h"
#include "base/clock.h"
#include "base/units.h"
#include "draw/actor_text.h"
#include "draw/time_form.h"
#include "report/page_text.h"
#include "report/report.h"
#include "report/words.h"
#include "trace/words.h"

enum {
	KEY_CELLS = 10,
	NEAREST = 4, /* ids named when there is none */
};

struct report {
	struct page page;
	const struct report_options *options;
	const struct trace *trace;
	actor_ref ref;
	int64_t t0_ns, t1_ns;
	struct life life;
	struct text line;
};

/* ---- who it is */

static void
print_heading(struct report *report)
{
	const struct report_options *options = report->options;
	words_actor(&report->line, options, report->trace, report->ref);
	page_wrap(&report->page, STYLE_TEXT_BRIGHT, &report->line);
	page_heading_end(&report->page);
	page_fact(&report->page, "file", &report->line);
	text_format(&report->line, "%s, ", words_file(options));
	words_source(&report->line, report->trace);
	struct time_form form = time_form_of(report->trace, options->is_wall, options->ascii);
	if (form.wall != NULL) {
		char date[UNITS_TEXT];
		clock_date(date, wall_clock_at(form.wall, report->life.t0_ns));
		text_format(&report->line, ", %s", date);
	}
	page_fact_end(&report->page, STYLE_DEFAULT, &report->line);
}

/* ---- the whole */

static bool
unknown_actor(const struct trace *trace, int64_t id, struct error *err)
{
	int64_t nearest[NEAREST];
	uint32_t count = life_nearest(trace, id, nearest, NEAREST);
	if (count == 0)
		return error_set_words(err, ERROR_USAGE, trace->words,
			"the trace has no {actors} at all");
	struct text names = { 0 };
	for (uint32_t i = 0; i < count; i++)
		text_format(&names, "%s%" PRId64,
			i == 0          ? ""
			: i + 1 < count ? ", "
					: " and ",
			nearest[i]);
	error_set_words(err, ERROR_USAGE, trace->words,
		"the trace has no {actor} %" PRId64 "; the nearest %s %s", id,
		count == 1 ? "is" : "are", text_string(&names));
	text_release(&names);
	return false;
}

static bool
print(struct report *report, struct text *out, struct error *err)
{
	const struct report_options *options = report->options;
	struct actor_text about = {
		.actor = report->ref,
		.life = &report->life,
		.t0_ns = report->t0_ns,
		.t1_ns = report->t1_ns,
		.has_interval = options->has_interval,
		.only = options->only,
		.has_cursor = options->has_cursor,
		.cursor_ns = options->cursor_ns,
	};
	struct text query = { 0 };
	if (options->only != NULL) {
		words_query(&query, options, report->trace);
		text_format(&query, "; %" PRIu32 " of this one, of which the rest is",
			report->life.span_count);
		about.query = text_string(&query);
	}
	bool is_fine = page_open(&report->page, options, out, err);
	if (is_fine) {
		struct page_text text;
		report->page.value_x = PAGE_INDENT + KEY_CELLS;
		print_heading(report);
		actor_tell(page_text_begin(&text, &report->page, report->trace), &about);
		page_text_release(&text);
		is_fine = page_close(&report->page);
	}
	is_fine = is_fine && (!query.failed || error_set_memory(err, "the report"));
	text_release(&query);
	return is_fine;
}

bool
report_actor(const struct trace *trace, int64_t id, const struct report_options *options,
	struct text *out, struct error *err)
{
	struct report report = { .options = options, .trace = trace };
	report.ref = trace_find_actor(trace, id);
	if (report.ref == REF_NONE)
		return unknown_actor(trace, id, err);
	words_interval(options, trace, &report.t0_ns, &report.t1_ns);
	struct life_scope scope = { report.ref, report.t0_ns, report.t1_ns, options->only };
	if (!life_build(&report.life, trace, &scope, err))
		return false;
	bool ok = print(&report, out, err);
	life_release(&report.life);
	text_release(&report.line);
	return ok;
}

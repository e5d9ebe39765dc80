/* --report=summary: what is in the trace, and where to look first. */
#include <inttypes.h>

#include "analysis/registry.h"
#include "analysis/summary.h"
#include "base/checked.h"
#include "base/clock.h"
#include "base/units.h"
#include "draw/damage_words.h"
#include "draw/time_form.h"
#include "draw/names.h"
#include "draw/parts_words.h"
#include "report/allocs.h"
#include "report/page.h"
#include "report/report.h"
#include "report/summary_rows.h"
#include "report/words.h"
#include "trace/words.h"

enum {
	KEY_CELLS = 16,
	MOST_GROUPS = 40, /* functions named one by one; the rest is added up */
};

struct report {
	struct page page;
	const struct report_options *options;
	const struct trace *trace;
	struct summary summary;
	bool is_part; /* of the trace not all is loaded that was asked for */
	struct text line; /* of the value being made */
	class_mask classes; /* that the trace can have */
	int64_t shortest_delay_ns; /* of those in the table; all are told as finely as it needs */
};

/* ---- facts: a key and a value */

/* page_fact() with a key in the trace's words. */
static void
begin_fact(struct report *report, const char *key)
{
	text_clear(&report->line);
	text_add_words(&report->line, report->trace->words, key);
	page_fact(&report->page, text_string(&report->line), &report->line);
}

static void
add_count(struct report *report, uint64_t count, const char *one, const char *many)
{
	char out[UNITS_TEXT];
	units_count(out, count);
	text_format(&report->line, "%s ", out);
	text_add_words(&report->line, report->trace->words, count == 1 ? one : many);
}

static void
add_share(struct text *line, int64_t part, int64_t whole)
{
	char out[UNITS_TEXT];
	units_share(out, part, whole);
	text_add_string(line, out);
}

static void
print_time(struct report *report)
{
	const int64_t microsecond_ns = 1000;
	const struct trace *trace = report->trace;
	page_fact(&report->page, "duration", &report->line);
	words_duration(&report->line, report->options, trace->end_ns);
	if (wall_clock_is_known(&trace->wall)) {
		char stamp[UNITS_TEXT];
		clock_stamp(stamp, wall_clock_at(&trace->wall, 0), microsecond_ns);
		text_format(&report->line, ", from %s", stamp);
	}
	page_fact_end(&report->page, STYLE_TEXT_BRIGHT, &report->line);
	if (trace->clock != TRACE_CLOCK_STAMPS) {
		page_fact(&report->page, "clock", &report->line);
		time_form_add_clock(&report->line, trace);
		page_fact_end(&report->page, STYLE_TEXT_BRIGHT, &report->line);
	}
	if (!report->options->has_interval && !report->is_part)
		return;
	int64_t t0_ns = report->summary.t0_ns, t1_ns = report->summary.t1_ns;
	page_fact(&report->page, "interval", &report->line);
	words_moment(&report->line, report->options, trace, t0_ns, t1_ns - t0_ns);
	text_add_string(&report->line, " to ");
	words_moment(&report->line, report->options, trace, t1_ns, t1_ns - t0_ns);
	text_add_string(&report->line, " (");
	words_duration(&report->line, report->options, t1_ns - t0_ns);
	text_format(&report->line, "); what follows is of this time%s",
		report->is_part ? ", which is loaded" : "");
	page_fact_end(&report->page, STYLE_TEXT_BRIGHT, &report->line);
}

static void
print_query(struct report *report)
{
	if (report->options->only == NULL)
		return;
	page_fact(&report->page, "query", &report->line);
	words_query(&report->line, report->options, report->trace);
	text_add_words(&report->line, report->trace->words,
		"; {actors}, delays and {functions} are of these");
	page_fact_end(&report->page, STYLE_TEXT_BRIGHT, &report->line);
}

static void
print_sizes(struct report *report)
{
	const struct trace *trace = report->trace;
	struct text *line = &report->line;
	bool has_processors = trace->words->processor.one != NULL;
	bool has_threads = trace->words->thread.one != NULL;
	page_fact(&report->page, "events", &report->line);
	if (trace->generation_count > 0) {
		add_count(report, trace->event_count, "in", "in");
		text_add(line, " ", 1);
		add_count(report, trace->generation_count, "generation", "generations");
	} else {
		add_count(report, trace->event_count, "", "");
	}
	page_fact_end(&report->page, STYLE_DEFAULT, &report->line);
	if (has_processors || has_threads) {
		begin_fact(report, !has_processors ? "{threads}"
				   : has_threads   ? "{processors}, {threads}"
						   : "{processors}");
		if (has_processors)
			add_count(report, trace_processor_count(trace),
				has_threads ? "{processor}, " : "", has_threads ? "{processors}, " : "");
		if (has_threads)
			add_count(report, trace_thread_count(trace), "{thread}", "{threads}");
		page_fact_end(&report->page, STYLE_DEFAULT, &report->line);
	}
	begin_fact(report, "{actors}");
	add_count(report, report->summary.all.count, "of ", "of ");
	add_count(report, report->summary.group_count, "{function}, ", "{functions}, ");
	add_count(report, report->summary.alive_at_end, "alive at the end", "alive at the end");
	page_fact_end(&report->page, STYLE_DEFAULT, &report->line);
}

/* "12 collections, 123 ms of marking, 5.1% of the time" */
static void
print_gc(struct report *report)
{
	const struct range_summary *gc = &report->summary.gc;
	int64_t whole_ns = report->summary.t1_ns - report->summary.t0_ns;
	page_fact(&report->page, "GC", &report->line);
	if (gc->count == 0) {
		text_add_string(&report->line, "none");
	} else {
		add_count(
			report, gc->count, "collection, marking ", "collections, marking ");
		words_duration(&report->line, report->options, gc->covered_ns);
		text_add_string(&report->line, " in all, ");
		add_share(&report->line, gc->covered_ns, whole_ns);
		text_add_string(&report->line, " of the time");
	}
	page_fact_end(&report->page, STYLE_DEFAULT, &report->line);
}

static void
print_stw(struct report *report)
{
	const struct range_summary *stw = &report->summary.stw;
	struct text *line = &report->line;
	page_fact(&report->page, "stop-the-world", &report->line);
	if (stw->count == 0) {
		text_add_string(line, "none");
		page_fact_end(&report->page, STYLE_DEFAULT, &report->line);
		return;
	}
	add_count(report, stw->count, "time, ", "times, ");
	words_duration(line, report->options, stw->covered_ns);
	text_add_string(line, " in all; longest ");
	words_duration(line, report->options, stw->longest_ns);
	text_add_string(line, " at ");
	words_moment(line, report->options, report->trace, stw->longest_start_ns, stw->longest_ns);
	const struct range *range = trace_range(report->trace, stw->longest);
	if (range->name != STRING_EMPTY) {
		text_add_string(line, ", ");
		words_string(line, report->options, report->trace, range->name);
	}
	page_fact_end(&report->page, STYLE_DEFAULT, &report->line);
}

/* ---- the longest delay */

/* What to run to see a span of an actor. */
static void
add_command(struct report *report, const struct span *span)
{
	struct text *line = &report->line;
	const struct actor *actor = trace_actor(report->trace, span->actor);
	text_format(line, "ttrace --%s=%" PRId64,
		registry_shown_name("goroutine", report->trace->words), actor->id);
	words_option_span(line, report->trace, span->start_ns, span->end_ns);
	if (report->options->file != NULL) {
		text_add_string(line, " ");
		text_add_shown_file(line, report->options->file, report->options->ascii);
	}
}

static void
print_delay(struct report *report, const char *title, const struct span *span)
{
	struct text *line = &report->line;
	page_fact(&report->page, title, &report->line);
	int64_t duration_ns = span->end_ns - span->start_ns;
	words_duration(line, report->options, duration_ns);
	text_add_string(line, ": ");
	words_actor(line, report->options, report->trace, span->actor);
	text_add_string(line, " was ready at ");
	words_moment(line, report->options, report->trace, span->start_ns, duration_ns);
	text_add_words(line, report->trace->words,
		span->is_open ? " and got no {processor}" : ", but had no {processor} until ");
	if (!span->is_open)
		words_moment(line, report->options, report->trace, span->end_ns, duration_ns);
	if (damage_map_find(&report->trace->damage, span->start_ns, span->end_ns) != NULL)
		text_add_string(line, ", unless it ran in what is missing from the trace");
	page_fact_end(&report->page, STYLE_DEFAULT, &report->line);
	page_fact(&report->page, "  to see it", &report->line);
	add_command(report, span);
	page_whole(&report->page, STYLE_KEY, line);
	page_line(&report->page);
}

/* The program's own first; the runtime's actors wait as well, which matters less. */
static void
print_delays(struct report *report)
{
	const struct summary *summary = &report->summary;
	if (!summary->all.has_delay) {
		page_fact(&report->page, "longest delay", &report->line);
		text_add_words(&report->line, report->trace->words,
			"none: no {actor} waited for {an processor}");
		page_fact_end(&report->page, STYLE_DEFAULT, &report->line);
		return;
	}
	const struct span *own = &summary->own_delay, *any = &summary->all.delay;
	if (summary->has_own_delay)
		print_delay(report, "longest delay", own);
	if (!summary->has_own_delay)
		print_delay(report, "longest delay", any);
	else if (any->end_ns - any->start_ns > own->end_ns - own->start_ns)
		print_delay(report, "in the runtime", any);
}

/* ---- losses */

/* Which bytes, which time, which generations; then why; then what it comes to. */
static void
print_place(struct report *report, uint32_t number, const struct damage *damage)
{
	const struct report_options *options = report->options;
	struct text *line = &report->line;
	char key[UNITS_TEXT];
	snprintf(key, sizeof(key), "  place %" PRIu32, number);
	page_fact(&report->page, key, &report->line);
	if (damage->places > 1)
		text_format(line, "this and %" PRIu64 " more: ", damage->places - 1);
	damage_add_bytes(line, damage);
	text_add_string(line, ", ");
	damage_add_time(line, damage, (struct viewport){ 0, TIME_OPEN }, report->trace->end_ns,
		time_form_of(report->trace, options->is_wall, options->ascii));
	if (damage->first_generation > 0)
		text_add_string(line, ", ");
	damage_add_generations(line, damage);
	page_fact_end(&report->page, STYLE_ALERT, &report->line);
	page_fact(&report->page, "", &report->line);
	text_format(line, "likely cause: %s", damage_cause_words(damage->cause));
	page_fact_end(&report->page, STYLE_DEFAULT, &report->line);
	page_fact(&report->page, "", &report->line);
	damage_add_counts(line, damage);
	if (line->length > 0)
		text_add_string(line, "; ");
	damage_add_first(line, damage, options->ascii);
	page_fact_end(&report->page, STYLE_TEXT_DIM, &report->line);
}

static void
print_warning(struct report *report, const struct damage *damage)
{
	page_fact(&report->page, "warning", &report->line);
	damage_add_first(&report->line, damage, report->options->ascii);
	page_fact_end(&report->page, STYLE_ALERT, &report->line);
}

static void
print_losses(struct report *report)
{
	const struct damage_map *map = &report->trace->damage;
	page_fact(&report->page, "losses", &report->line);
	damage_add_sum(&report->line, map);
	page_fact_end(&report->page, damage_map_places(map) > 0 ? STYLE_ALERT : STYLE_DEFAULT,
		&report->line);
	uint32_t number = 0;
	for (uint32_t i = 0; i < map->count; i++) {
		if (map->rows[i].places > 0)
			print_place(report, ++number, &map->rows[i]);
		else
			print_warning(report, &map->rows[i]);
	}
}

/* What a bound on memory has left out. */
static void
print_parts(struct report *report)
{
	const struct parts *parts = &report->trace->parts;
	if (parts->count == 0 && !parts->has_rest)
		return;
	page_fact(&report->page, "part", &report->line);
	parts_add_sum(&report->line, parts);
	page_fact_end(&report->page, STYLE_TEXT_BRIGHT, &report->line);
}

/* ---- actors by function */

/*
 * Which delay was the worst, whose and when is asked first: it outlives the sums that the
 * picture tells as well.
 */
static const struct {
	struct table_column column;
	class_mask classes; /* is left out of a trace that can have none of these; 0: any has it */
} columns[] = {
	{ { .title = "", .is_name = true, .least_cells = 18 }, 0 },
	{ { .title = "count", .is_right = true, .rank = 2 }, 0 },
	{ { .title = "running", .is_right = true }, 0 },
	{ { .title = "ready", .is_right = true, .rank = 3 }, CLASS_BIT(CLASS_READY) },
	{ { .title = "blocked", .is_right = true, .rank = 4 }, CLASS_MASK_BLOCKED },
	{ { .title = "syscall", .is_right = true, .rank = 5 }, CLASS_BIT(CLASS_SYSCALL) },
	{ { .title = "max delay", .is_right = true }, CLASS_BIT(CLASS_READY) },
	{ { .title = "of, at", .rank = 1 }, CLASS_BIT(CLASS_READY) },
};

static void
add_time(struct report *report, struct table *table, uint8_t style, int64_t time_ns)
{
	if (time_ns == 0) {
		struct cell_style dim = { .fg = STYLE_TEXT_DIM };
		table_string(table, dim, "-");
		return;
	}
	text_clear(&report->line);
	words_duration(&report->line, report->options, time_ns);
	struct cell_style cell = { .fg = style };
	table_text(table, cell, &report->line);
}

static void
add_delay(struct report *report, struct table *table, const struct group_summary *group)
{
	if ((report->classes & CLASS_BIT(CLASS_READY)) == 0)
		return;
	if (!group->has_delay) {
		add_time(report, table, STYLE_READY, 0);
		table_skip(table);
		return;
	}
	int64_t duration_ns = group->delay.end_ns - group->delay.start_ns;
	add_time(report, table, STYLE_READY, duration_ns);
	text_clear(&report->line);
	name_actor_id(&report->line, report->trace, group->delay.actor);
	text_add_string(&report->line, ", ");
	int64_t finest_ns = report->shortest_delay_ns;
	words_moment(&report->line, report->options, report->trace, group->delay.start_ns,
		finest_ns < INT64_MAX / 10 ? finest_ns * 10 : finest_ns);
	struct cell_style dim = { .fg = STYLE_TEXT_DIM };
	table_text(table, dim, &report->line);
}

static void
add_group(struct report *report, struct table *table, const struct text *name,
	const struct group_summary *group)
{
	char count[UNITS_TEXT];
	units_count(count, group->count);
	table_text(table, (struct cell_style){ .fg = STYLE_TEXT_BRIGHT }, name);
	table_string(table, (struct cell_style){ .fg = STYLE_DEFAULT }, count);
	add_time(report, table, STYLE_RUNNING, totals_running(group->totals_ns));
	if ((report->classes & CLASS_BIT(CLASS_READY)) != 0)
		add_time(report, table, STYLE_READY, group->totals_ns[CLASS_READY]);
	if ((report->classes & CLASS_MASK_BLOCKED) != 0)
		add_time(report, table, STYLE_DEFAULT, totals_blocked(group->totals_ns));
	if ((report->classes & CLASS_BIT(CLASS_SYSCALL)) != 0)
		add_time(report, table, STYLE_SYSCALL, group->totals_ns[CLASS_SYSCALL]);
	add_delay(report, table, group);
}

static void
add_named_group(struct report *report, struct table *table, const struct group_summary *group)
{
	string_id name = report->trace->groups[group->group].name;
	struct text text = { 0 };
	if (name == STRING_EMPTY)
		text_add_string(&text, "(unknown)");
	else
		words_string(&text, report->options, report->trace, name);
	add_group(report, table, &text, group);
	text_release(&text);
}

/* All groups from the first on, as one. */
static void
add_rest(struct report *report, struct table *table, uint32_t first)
{
	struct group_summary rest = { 0 };
	for (uint32_t i = first; i < report->summary.group_count; i++) {
		const struct group_summary *group = &report->summary.groups[i];
		rest.count += group->count;
		for (int c = 0; c < CLASS_COUNT; c++)
			rest.totals_ns[c] =
				saturating_add_i64(rest.totals_ns[c], group->totals_ns[c]);
		if (group->has_delay &&
			(!rest.has_delay || group->delay.end_ns - group->delay.start_ns >
						    rest.delay.end_ns - rest.delay.start_ns)) {
			rest.has_delay = true;
			rest.delay = group->delay;
		}
	}
	struct text name = { 0 };
	text_format_words(&name, report->trace->words, "(%" PRIu32 " more {functions})",
		report->summary.group_count - first);
	add_group(report, table, &name, &rest);
	text_release(&name);
}

static void
add_all(struct report *report, struct table *table)
{
	struct text name = { 0 };
	text_add_string(&name, "all");
	add_group(report, table, &name, &report->summary.all);
	text_release(&name);
}

static int64_t
shortest_delay(const struct summary *summary)
{
	int64_t shortest_ns = INT64_MAX;
	for (uint32_t i = 0; i < summary->group_count; i++) {
		const struct group_summary *group = &summary->groups[i];
		int64_t duration_ns = group->delay.end_ns - group->delay.start_ns;
		if (group->has_delay && duration_ns < shortest_ns)
			shortest_ns = duration_ns;
	}
	return shortest_ns;
}

static void
print_groups(struct report *report)
{
	const struct summary *summary = &report->summary;
	if (summary->group_count == 0)
		return;
	struct table table;
	struct table_column told[ARRAY_LENGTH(columns)];
	int count = 0;
	for (size_t i = 0; i < ARRAY_LENGTH(columns); i++)
		if (columns[i].classes == 0 || (columns[i].classes & report->classes) != 0)
			told[count++] = columns[i].column;
	table_init(&table, told, count);
	uint32_t named = summary->group_count;
	if (named > MOST_GROUPS)
		named = MOST_GROUPS - 1;
	report->shortest_delay_ns = shortest_delay(summary);
	for (uint32_t i = 0; i < named; i++)
		add_named_group(report, &table, &summary->groups[i]);
	if (named < summary->group_count)
		add_rest(report, &table, named);
	if (summary->group_count > 1)
		add_all(report, &table);
	text_clear(&report->line);
	text_add_words(&report->line, report->trace->words, "All {actors} by {function}");
	page_section(&report->page, text_string(&report->line));
	page_table(&report->page, &table, true);
	table_release(&table);
}

/* ---- the whole */

static void
print_heading(struct report *report)
{
	const struct report_options *options = report->options;
	page_string(&report->page, STYLE_TEXT_BRIGHT, words_file(options));
	page_format(&report->page, STYLE_TEXT_DIM, options->ascii ? " | " : " · ");
	text_clear(&report->line);
	words_source(&report->line, report->trace);
	page_string(&report->page, STYLE_DEFAULT, text_string(&report->line));
	text_clear(&report->line);
	page_heading_end(&report->page);
}

static bool
print(struct report *report, struct text *out, struct error *err)
{
	if (!page_open(&report->page, report->options, out, err))
		return false;
	report->page.value_x = PAGE_INDENT + KEY_CELLS;
	print_heading(report);
	print_time(report);
	print_query(report);
	print_sizes(report);
	report->classes = words_classes(report->trace->words);
	if ((report->classes & CLASS_BIT(CLASS_WORKER)) != 0) {
		print_gc(report);
		print_stw(report);
	}
	if ((report->classes & CLASS_BIT(CLASS_READY)) != 0)
		print_delays(report);
	print_losses(report);
	print_parts(report);
	print_groups(report);
	bool ok = report_allocs(&report->page, report->trace, err);
	return page_close(&report->page) && ok;
}

/* `report` has its summary, which is released. */
static bool
print_and_release(struct report *report, struct text *out, struct error *err)
{
	bool ok = report_is_for_people(report->options->format)
			  ? print(report, out, err)
			  : summary_rows(&report->summary, report->trace, report->options, out, err);
	summary_release(&report->summary);
	text_release(&report->line);
	return ok;
}

bool
report_summary(const struct trace *trace, const struct report_options *options, struct text *out,
	struct error *err)
{
	struct report report = { .options = options, .trace = trace };
	int64_t t0_ns, t1_ns;
	words_interval(options, trace, &t0_ns, &t1_ns);
	report.is_part = parts_clip(&trace->parts, &t0_ns, &t1_ns);
	return summary_build(&report.summary, trace, t0_ns, t1_ns, options->only, err) &&
	       print_and_release(&report, out, err);
}

bool
report_tally(const struct trace *trace, const struct tally *tally,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct report report = { .options = options, .trace = trace };
	int64_t t0_ns, t1_ns;
	words_interval(options, trace, &t0_ns, &t1_ns);
	return summary_take(&report.summary, trace, tally, t0_ns, t1_ns, err) &&
	       print_and_release(&report, out, err);
}

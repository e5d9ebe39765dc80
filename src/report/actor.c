/* --goroutine=ID in print: who it is, its totals, and its life state by state. */
#include <inttypes.h>
#include <string.h>

#include "analysis/life.h"
#include "base/clock.h"
#include "base/units.h"
#include "draw/damage_words.h"
#include "draw/names.h"
#include "draw/strip_glyph.h"
#include "draw/time_form.h"
#include "query/search.h"
#include "report/page.h"
#include "report/report.h"
#include "report/words.h"
#include "trace/lane.h"
#include "trace/own_code.h"
#include "trace/words.h"

enum {
	KEY_CELLS = 10,
	NEAREST = 4,          /* ids named when there is none */
	STATES_AT_ONCE = 512, /* whose widths are chosen together */
};

struct report {
	struct page page;
	const struct report_options *options;
	const struct trace *trace;
	actor_ref ref;
	const struct actor *actor;
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

static void
add_moment(struct report *report, int64_t time_ns)
{
	words_moment(&report->line, report->options, report->trace, time_ns,
		(report->life.t1_ns - report->life.t0_ns) / 10);
}

static void
print_origin(struct report *report)
{
	const struct actor *actor = report->actor;
	page_fact(&report->page, "created", &report->line);
	if (actor->creator == REF_NONE && actor->first_ns == report->trace->start_ns &&
		actor->create_stack == STACK_NONE) {
		text_add_string(&report->line, "before the trace");
	} else {
		add_moment(report, actor->first_ns);
		if (actor->creator != REF_NONE)
			text_add_string(&report->line, " by ");
		words_actor(&report->line, report->options, report->trace, actor->creator);
	}
	page_fact_end(&report->page, STYLE_DEFAULT, &report->line);
	page_fact(&report->page, "ended", &report->line);
	if (actor->end_ns == TIME_OPEN)
		text_add_string(&report->line, "not within the trace");
	else
		add_moment(report, actor->end_ns);
	page_fact_end(&report->page, STYLE_DEFAULT, &report->line);
}

/* Whether there is nothing, and why, in place of what was shown. */
static bool
add_absence(struct report *report)
{
	const struct parts *parts = &report->trace->parts;
	if (!report->options->has_interval || report->life.t0_ns < report->life.t1_ns)
		return false;
	if (parts_extent(parts, report->t0_ns, report->t1_ns) == PARTS_NOT_LOADED)
		text_add_string(&report->line, "nothing: of that time nothing is loaded");
	else
		text_add_string(&report->line, "nothing: it was not there at that time");
	return true;
}

static void
print_interval(struct report *report)
{
	int64_t t0_ns = report->life.t0_ns, t1_ns = report->life.t1_ns;
	page_fact(&report->page, report->options->has_interval ? "shown" : "lived", &report->line);
	bool is_absent = add_absence(report);
	if (!is_absent)
		words_duration(&report->line, report->options, t1_ns - t0_ns);
	if (report->options->has_interval && !is_absent) {
		text_add_string(&report->line, ", from ");
		add_moment(report, t0_ns);
		text_add_string(&report->line, " to ");
		add_moment(report, t1_ns);
	}
	page_fact_end(&report->page, STYLE_DEFAULT, &report->line);
}

static void
print_query(struct report *report)
{
	if (report->options->only == NULL)
		return;
	page_fact(&report->page, "query", &report->line);
	words_query(&report->line, report->options, report->trace);
	text_format(&report->line, "; %" PRIu32 " of this one, of which the rest is",
		report->life.span_count);
	page_fact_end(&report->page, STYLE_DEFAULT, &report->line);
}

static void
print_damage(struct report *report)
{
	const struct trace *trace = report->trace;
	int64_t t0_ns = report->life.t0_ns, t1_ns = report->life.t1_ns;
	const struct damage *damage = damage_map_find(&trace->damage, t0_ns, t1_ns);
	if (damage == NULL)
		return;
	page_fact(&report->page, "damaged", &report->line);
	damage_add_warning(&report->line, damage, (struct viewport){ t0_ns, t1_ns }, trace->end_ns,
		time_form_of(trace, report->options->is_wall, report->options->ascii));
	page_fact_end(&report->page, STYLE_DEFAULT, &report->line);
}

/* "running", "ready", "blocked: chan receive" */
static void
add_state_words(struct report *report, const struct span *span)
{
	struct text *line = &report->line;
	text_add_string(line, span->time_class == CLASS_WORKER ? class_name(report->trace->words, CLASS_WORKER)
								  : state_name(span->kind->state));
	if (span->kind->reason != STRING_EMPTY) {
		text_add_string(line, ": ");
		words_string(line, report->options, report->trace, span->kind->reason);
	} else if (span->kind->entry == ENTRY_CREATED) {
		text_add_string(line, ": created");
	}
}

/* The state at the moment that was asked for. */
static void
print_cursor(struct report *report)
{
	const struct report_options *options = report->options;
	struct lane lane = { .type = LANE_ACTOR, .ref = report->ref };
	struct span span;
	if (!options->has_cursor)
		return;
	page_fact(&report->page, "cursor", &report->line);
	add_moment(report, options->cursor_ns);
	text_add_string(&report->line, ": ");
	if (!lane_span_at(report->trace, lane, options->cursor_ns, &span)) {
		text_add_string(&report->line, "it does not live then");
		page_fact_end(&report->page, STYLE_DEFAULT, &report->line);
		return;
	}
	int64_t duration_ns = span.end_ns - span.start_ns;
	add_state_words(report, &span);
	text_add_string(&report->line, ", from ");
	words_moment(&report->line, options, report->trace, span.start_ns, duration_ns);
	text_add_string(&report->line, " to ");
	words_moment(&report->line, options, report->trace, span.end_ns, duration_ns);
	text_add_string(&report->line, " (");
	words_duration(&report->line, options, duration_ns);
	text_add_string(&report->line, ")");
	page_fact_end(&report->page, STYLE_DEFAULT, &report->line);
}

static void
print_identity(struct report *report)
{
	print_heading(report);
	if (report->actor->label != STRING_EMPTY) {
		page_fact(&report->page, "label", &report->line);
		words_string(
			&report->line, report->options, report->trace, report->actor->label);
		page_fact_end(&report->page, STYLE_DEFAULT, &report->line);
	}
	print_origin(report);
	print_interval(report);
	print_query(report);
	print_cursor(report);
	print_damage(report);
}

/* A function name and its place, as two cells of a table. */
static void
add_frame(struct report *report, struct table *table, const struct stack_frame *frame)
{
	text_clear(&report->line);
	if (frame != NULL)
		words_string(&report->line, report->options, report->trace, frame->function);
	table_text(table, (struct cell_style){ .fg = STYLE_DEFAULT }, &report->line);
	text_clear(&report->line);
	if (frame != NULL)
		text_add_place(&report->line, report->trace, frame, report->options->ascii);
	table_text(table, (struct cell_style){ .fg = STYLE_TEXT_DIM }, &report->line);
}

static void
print_create_stack(struct report *report)
{
	static const struct table_column columns[] = {
		{ .title = "", .is_name = true, .least_cells = 16 },
		{ .title = "", .least_cells = 12, .rank = 1 },
	};
	const struct stack_table *stacks = &report->trace->stacks;
	stack_id stack = report->actor->create_stack;
	if (stack == STACK_NONE)
		return;
	struct table table;
	table_init(&table, columns, (int)ARRAY_LENGTH(columns));
	for (; stack != STACK_NONE; stack = stack_caller(stacks, stack))
		add_frame(report, &table, stack_leaf(stacks, stack));
	page_section(&report->page, "Created at");
	page_table(&report->page, &table, false);
	table_release(&table);
}

/* ---- totals */

static void
name_total(struct report *report, const struct life_total *total)
{
	text_clear(&report->line);
	text_add_string(&report->line, total->is_reason ? "  " : state_name(total->state));
	if (!total->is_reason)
		return;
	if (total->reason != STRING_EMPTY)
		words_string(&report->line, report->options, report->trace, total->reason);
	else if (total->state == STATE_RUNNING)
		text_add_string(&report->line, class_name(report->trace->words, total->time_class));
	else
		text_add_string(&report->line, "no reason given");
}

static uint8_t
total_style(const struct life_total *total)
{
	if (!total->is_reason && total->state == STATE_BLOCKED)
		return STYLE_DEFAULT;
	return strip_style((uint8_t)total->longest.time_class);
}

static void
add_total(struct report *report, struct table *table, const struct life_total *total)
{
	struct cell_style plain = { .fg = STYLE_DEFAULT }, dim = { .fg = STYLE_TEXT_DIM };
	char out[UNITS_TEXT];
	name_total(report, total);
	table_text(table, (struct cell_style){ .fg = total_style(total) }, &report->line);
	units_count(out, total->count);
	table_string(table, plain, out);
	units_duration(out, total->total_ns, report->options->ascii);
	table_string(table, plain, out);
	units_share(out, total->total_ns, report->life.t1_ns - report->life.t0_ns);
	table_string(table, plain, out);
	units_duration(
		out, total->longest.end_ns - total->longest.start_ns, report->options->ascii);
	table_string(table, plain, out);
	text_clear(&report->line);
	text_add_string(&report->line, "at ");
	words_moment(&report->line, report->options, report->trace, total->longest.start_ns,
		total->longest.end_ns - total->longest.start_ns);
	table_text(table, dim, &report->line);
}

static void
print_totals(struct report *report)
{
	static const struct table_column columns[] = {
		{ .title = "", .least_cells = 12 },
		{ .title = "count", .is_right = true, .rank = 2 },
		{ .title = "time", .is_right = true },
		{ .title = "share", .is_right = true, .rank = 1 },
		{ .title = "longest", .is_right = true, .rank = 3 },
		{ .title = "", .rank = 4 },
	};
	struct table table;
	table_init(&table, columns, (int)ARRAY_LENGTH(columns));
	for (uint32_t i = 0; i < report->life.total_count; i++)
		add_total(report, &table, &report->life.totals[i]);
	page_section(&report->page, "Time by state and reason");
	page_table(&report->page, &table, true);
	table_release(&table);
}

/* ---- state by state */

static const struct table_column state_columns[] = {
	{ .title = "at", .is_right = true },
	{ .title = "for", .is_right = true },
	{ .title = "state" },
	{ .title = "{processor}", .rank = 3 },
	{ .title = "by", .rank = 2 },
	{ .title = "", .is_name = true, .least_cells = 19, .rank = 4 },
	{ .title = "where", .is_name = true, .least_cells = 14, .rank = 1 },
	{ .title = "", .is_name = true, .least_cells = 16, .rank = 5 },
	{ .title = "{thread}", .rank = 6 }, /* where there are any it stands behind the processor */
};
enum { THREAD_PLACE = 4 };

static void
add_state(struct report *report, struct table *table, const struct span *span)
{
	text_clear(&report->line);
	add_state_words(report, span);
	table_text(table, (struct cell_style){ .fg = strip_style((uint8_t)span->time_class) },
		&report->line);
}

static void
add_id(struct report *report, struct table *table, const struct noun *noun, bool is_there,
	int64_t id)
{
	if (!is_there) {
		table_skip(table);
		return;
	}
	text_clear(&report->line);
	text_add_id(&report->line, noun, id);
	table_text(table, (struct cell_style){ .fg = STYLE_DEFAULT }, &report->line);
}

/* What woke it: an actor and its name, or what else, and on which processor. */
static void
add_waker(struct report *report, struct table *table, struct waker waker)
{
	const struct trace *trace = report->trace;
	if (waker.type == WAKER_UNKNOWN) {
		table_skip(table);
		table_skip(table);
		return;
	}
	if (waker.type != WAKER_ACTOR) {
		table_string(table, (struct cell_style){ .fg = STYLE_TEXT_DIM },
			name_waker_type(trace->words, waker.type));
		add_id(report, table, &trace->words->processor, waker.ref != REF_NONE,
			waker.ref != REF_NONE ? trace_processor(trace, waker.ref)->id : 0);
		return;
	}
	add_id(report, table, &trace->words->actor, true,
		trace_actor(trace, waker.ref)->id);
	text_clear(&report->line);
	words_string(
		&report->line, report->options, trace, trace_actor(trace, waker.ref)->name);
	table_text(table, (struct cell_style){ .fg = STYLE_DEFAULT }, &report->line);
}

/* For words_moment(): a millionth of what is shown, but not coarser than a microsecond. */
static int64_t
moment_fineness(const struct report *report)
{
	const int64_t microsecond_ns = 1000;
	int64_t step_ns = (report->life.t1_ns - report->life.t0_ns) / 1000000;
	return (step_ns < microsecond_ns ? step_ns : microsecond_ns) * 100;
}

static void
add_span(struct report *report, struct table *table, const struct span *span)
{
	const struct trace *trace = report->trace;
	struct cell_style plain = { .fg = STYLE_DEFAULT }, dim = { .fg = STYLE_TEXT_DIM };
	text_clear(&report->line);
	/* Whatever their lengths, the moments of the list are told alike. */
	words_moment(
		&report->line, report->options, trace, span->start_ns, moment_fineness(report));
	table_text(table, dim, &report->line);
	text_clear(&report->line);
	words_duration(&report->line, report->options, span->end_ns - span->start_ns);
	table_text(table, plain, &report->line);
	add_state(report, table, span);
	add_id(report, table, &trace->words->processor, span->processor != REF_NONE,
		span->processor != REF_NONE ? trace_processor(trace, span->processor)->id : 0);
	if (trace->words->thread.one != NULL)
		add_id(report, table, &trace->words->thread, span->thread != REF_NONE,
			span->thread != REF_NONE ? trace_thread(trace, span->thread)->id : 0);
	add_waker(report, table, span->waker);
	bool is_woken = span->waker_stack != STACK_NONE;
	actor_ref of = !is_woken ? span->actor
		: span->waker.type == WAKER_ACTOR ? span->waker.ref : REF_NONE;
	add_frame(report, table,
		own_code_frame(trace, is_woken ? span->waker_stack : span->stack, of));
}

static bool
is_shown(const struct report *report, const struct span *span)
{
	const struct search *only = report->options->only;
	return only == NULL || search_matches(only, span->segment, span->state);
}

/* Prints the states in stretches, so that a million of them need no memory. */
static void
print_states(struct report *report)
{
	struct lane lane = { .type = LANE_ACTOR, .ref = report->ref };
	struct table_column columns[ARRAY_LENGTH(state_columns)];
	struct table table;
	struct span span;
	bool is_first = true;
	int count = (int)ARRAY_LENGTH(state_columns) - 1;
	words_columns(report->trace, state_columns, count, columns);
	if (report->trace->words->thread.one != NULL) {
		memmove(&columns[THREAD_PLACE + 1], &columns[THREAD_PLACE],
			(size_t)(count - THREAD_PLACE) * sizeof *columns);
		words_columns(report->trace, &state_columns[count], 1, &columns[THREAD_PLACE]);
		count++;
	}
	table_init(&table, columns, count);
	page_section(&report->page, "State by state");
	bool is_there = life_first(report->trace, report->ref, report->t0_ns, report->t1_ns, &span);
	while (is_there && span.start_ns < report->t1_ns && !report->page.has_failed) {
		if (is_shown(report, &span))
			add_span(report, &table, &span);
		struct span next;
		is_there = lane_after(report->trace, lane, &span, &next);
		span = next;
		if (table_rows(&table) < STATES_AT_ONCE && is_there &&
			span.start_ns < report->t1_ns)
			continue;
		page_table(&report->page, &table, is_first);
		table_clear(&table);
		is_first = false;
	}
	table_release(&table);
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
	if (!page_begin(&report->page, report->options, out, err))
		return false;
	report->page.value_x = PAGE_INDENT + KEY_CELLS;
	print_identity(report);
	print_create_stack(report);
	print_totals(report);
	print_states(report);
	return page_end(&report->page);
}

bool
report_actor(const struct trace *trace, int64_t id, const struct report_options *options,
	struct text *out, struct error *err)
{
	struct report report = { .options = options, .trace = trace };
	report.ref = trace_find_actor(trace, id);
	if (report.ref == REF_NONE)
		return unknown_actor(trace, id, err);
	report.actor = trace_actor(trace, report.ref);
	words_interval(options, trace, &report.t0_ns, &report.t1_ns);
	struct life_scope scope = { report.ref, report.t0_ns, report.t1_ns, options->only };
	if (!life_build(&report.life, trace, &scope, err))
		return false;
	bool ok = print(&report, out, err);
	life_release(&report.life);
	text_release(&report.line);
	return ok;
}

/* A task in print: facts, time by state, actors, then event by event. */
#include "report/task.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/measures.h"
#include "analysis/task_events.h"
#include "analysis/task_life.h"
#include "base/units.h"
#include "draw/strip_glyph.h"
#include "draw/task_words.h"
#include "query/search.h"
#include "report/grid.h"
#include "report/words.h"
#include "trace/words.h"

enum {
	KEY_CELLS = 12,
	MOST_INDENT = 6,
};

struct report {
	struct grid grid;
	const struct report_options *options;
	const struct trace *trace;
	const struct task *task;
	int64_t t0_ns, t1_ns;
	struct task_index index;
	struct task_life life;
	struct task_events events;
	struct measures measures;
	struct text line;
};

/* ---- facts */

static void
add_moment(struct report *report, int64_t time_ns)
{
	words_moment(&report->line, report->options, report->trace, time_ns,
		(report->t1_ns - report->t0_ns) / 10);
}

static void
end_fact(struct report *report)
{
	page_fact_end(&report->grid.page, STYLE_DEFAULT, &report->line);
}

/* "1.2 s in G7 main.handle", or that the trace does not have it. */
static void
print_end(struct report *report, const char *key, bool is_known, int64_t time_ns, actor_ref by)
{
	page_fact(&report->grid.page, key, &report->line);
	if (!is_known) {
		text_add_string(&report->line, "outside of the trace");
		end_fact(report);
		return;
	}
	add_moment(report, time_ns);
	if (by != REF_NONE)
		text_add_string(&report->line, " in ");
	words_actor(&report->line, report->options, report->trace, by);
	end_fact(report);
}

static void
print_family(struct report *report)
{
	const struct task *task = report->task;
	char count[UNITS_TEXT];
	if (task->parent != REF_NONE) {
		page_fact(&report->grid.page, "part of", &report->line);
		task_words_name(&report->line, report->trace, task->parent, report->options->ascii);
		end_fact(report);
	}
	if (report->life.family_count > 1) {
		page_fact(&report->grid.page, "descendants", &report->line);
		units_count(count, report->life.family_count - 1);
		text_format(&report->line, "%s %s, whose work is its own", count,
			report->life.family_count == 2 ? report->trace->words->task.one
						       : report->trace->words->task.many);
		end_fact(report);
	}
}

static void
print_facts(struct report *report)
{
	const struct task *task = report->task;
	task_words_name(&report->line, report->trace, report->life.task, report->options->ascii);
	page_wrap(&report->grid.page, STYLE_TEXT_BRIGHT, &report->line);
	page_heading_end(&report->grid.page);
	page_fact(&report->grid.page, "file", &report->line);
	text_format(&report->line, "%s, ", words_file(report->options));
	words_source(&report->line, report->trace);
	end_fact(report);
	print_end(report, "began", !task->began_before, task->start_ns, task->start_actor);
	print_end(report, "ended", task->end_ns != TIME_OPEN, task->end_ns, task->end_actor);
	page_fact(&report->grid.page, report->options->has_interval ? "shown" : "took", &report->line);
	if (report->options->has_interval)
		words_duration(&report->line, report->options, report->t1_ns - report->t0_ns);
	else
		task_words_length(&report->line, report->trace, report->life.task,
			report->options->ascii);
	end_fact(report);
	print_family(report);
	if (report->options->only == NULL)
		return;
	page_fact(&report->grid.page, "query", &report->line);
	words_query(&report->line, report->options, report->trace);
	end_fact(report);
}

/* ---- time by state */

static void
print_totals(struct report *report)
{
	static const struct grid_column columns[] = {
		{ { .title = "", .least_cells = 12 }, "state" },
		{ { .title = "time", .is_right = true }, "total_ns" },
		{ { .title = "share", .is_right = true }, "share" },
	};
	struct grid *grid = &report->grid;
	int64_t totals_ns[CLASS_COUNT];
	task_life_totals(&report->life, report->t0_ns, report->t1_ns, totals_ns);
	grid_table(grid, "states", "Time by the worst state of those who work for it", columns,
		(int)ARRAY_LENGTH(columns));
	for (int i = 0; i < CLASS_COUNT; i++) {
		bool is_unmatched = i == CLASS_IDLE && report->options->only != NULL;
		const char *state =
			is_unmatched ? "no match" : task_words_class(report->trace->words, (uint8_t)i);
		if (totals_ns[i] == 0)
			continue;
		grid_styled(grid, strip_style((uint8_t)i), state, strlen(state));
		grid_duration(grid, totals_ns[i]);
		grid_share(grid, (double)totals_ns[i] / (double)(report->t1_ns - report->t0_ns));
	}
	grid_table_end(grid, "none");
}

/* ---- actors */

/* The same of its works one after the other; returns the index behind them. */
static size_t
add_up_works(const struct report *report, size_t first, int64_t sums_ns[MEASURE_MOST])
{
	const struct task_life *life = &report->life;
	actor_ref actor = life->works[first].actor;
	size_t i = first;
	memset(sums_ns, 0, MEASURE_MOST * sizeof *sums_ns);
	for (; i < life->work_count && life->works[i].actor == actor; i++) {
		int64_t start_ns = life->works[i].start_ns, end_ns = life->works[i].end_ns;
		int64_t here_ns[MEASURE_MOST];
		struct measure_walk walk;
		if (start_ns < report->t0_ns)
			start_ns = report->t0_ns;
		if (end_ns > report->t1_ns)
			end_ns = report->t1_ns;
		if (start_ns >= end_ns)
			continue;
		measure_walk_begin(&walk, &report->measures, actor, start_ns);
		measure_walk_to(&walk, end_ns);
		measure_walk_between(&walk, NULL, here_ns);
		for (uint32_t n = 0; n < MEASURE_REASONS; n++)
			sums_ns[n] += here_ns[n];
	}
	return i;
}

static void
put_actor(struct report *report, actor_ref ref, const int64_t sums_ns[MEASURE_MOST])
{
	struct grid *grid = &report->grid;
	grid_actor_id(grid, ref);
	grid_string(grid, trace_actor(report->trace, ref)->name);
	for (uint32_t i = MEASURE_LIFE; i <= MEASURE_BLOCKED; i++)
		grid_duration(grid, sums_ns[i]);
}

static void
print_actors(struct report *report)
{
	static const struct grid_column columns[] = {
		{ { .title = "" }, "{id}" },
		{ { .title = "{actor}", .is_name = true, .least_cells = 16 }, "function" },
		{ { .title = "for it", .is_right = true }, "total_ns" },
		{ { .title = "running", .is_right = true, .rank = 1 }, "running_ns" },
		{ { .title = "ready", .is_right = true, .rank = 2 }, "ready_ns" },
		{ { .title = "syscall", .is_right = true, .rank = 4 }, "syscall_ns" },
		{ { .title = "blocked", .is_right = true, .rank = 3 }, "blocked_ns" },
	};
	/* What a trace must have for a column; 0: any has it. */
	static const class_mask classes[ARRAY_LENGTH(columns)] = {
		[4] = CLASS_BIT(CLASS_READY), [5] = CLASS_BIT(CLASS_SYSCALL), [6] = CLASS_MASK_BLOCKED
	};
	struct grid_column told[ARRAY_LENGTH(columns)] = { 0 };
	for (size_t i = 0; i < ARRAY_LENGTH(columns); i++)
		if (classes[i] == 0 || (classes[i] & words_classes(report->trace->words)) != 0)
			told[i] = columns[i];
	grid_table(&report->grid, "{actors}", "Who works for it", told, (int)ARRAY_LENGTH(told));
	for (size_t i = 0; i < report->life.work_count;) {
		actor_ref ref = report->life.works[i].actor;
		int64_t sums_ns[MEASURE_MOST];
		i = add_up_works(report, i, sums_ns);
		if (sums_ns[MEASURE_LIFE] > 0)
			put_actor(report, ref, sums_ns);
	}
	grid_table_end(&report->grid, "no {actor} that the trace tells of");
}

/* ---- events */

/* For words_moment(): as finely as a millionth of the task, or a microsecond. */
static int64_t
fineness(const struct report *report)
{
	const int64_t microsecond_ns = 1000;
	int64_t step_ns = (report->t1_ns - report->t0_ns) / 1000000;
	return (step_ns < microsecond_ns ? step_ns : microsecond_ns) * 100;
}

/* Regions within each other stand further to the right. */
static void
add_indent(struct report *report, const struct task_event *event)
{
	if (event->type != TASK_EVENT_REGION_BEGIN && event->type != TASK_EVENT_REGION_END)
		return;
	int depth = trace_range(report->trace, event->ref)->depth;
	for (int i = 0; i < depth && i < MOST_INDENT; i++)
		text_add_string(&report->line, "  ");
}

static const char *
type_of(const struct task_event *event)
{
	static const char *const names[] = {
		[TASK_EVENT_BEGIN] = "task_begin",
		[TASK_EVENT_REGION_BEGIN] = "region_begin",
		[TASK_EVENT_LOG] = "log",
		[TASK_EVENT_REGION_END] = "region_end",
		[TASK_EVENT_END] = "task_end",
	};
	return names[event->type];
}

static void
put_event(struct report *report, const struct task_event *event, int64_t before_ns)
{
	struct grid *grid = &report->grid;
	int64_t task = trace_task(report->trace, event->task)->id;
	bool is_of_other = event->task != report->life.task;
	grid_moment(grid, event->time_ns);
	grid_since(grid, event->time_ns - before_ns);
	if (event->actor != REF_NONE)
		grid_actor_id(grid, event->actor);
	else
		grid_none(grid);
	grid_text(grid, type_of(event), strlen(type_of(event)));
	text_clear(&report->line);
	if (grid_is_text(grid))
		add_indent(report, event);
	task_words_event(&report->line, report->trace, event, report->options->ascii);
	grid_styled(grid, task_words_event_style(event), report->line.bytes, report->line.length);
	grid_id(grid, task);
	text_clear(&report->line);
	text_format(&report->line, "%s %" PRId64, report->trace->words->task.one, task);
	grid_styled(grid, STYLE_TEXT_DIM, report->line.bytes,
		is_of_other ? report->line.length : 0);
}

/* Whether it is within the interval, and while its actor is in a state that matches. */
static bool
is_told(const struct report *report, const struct task_event *event)
{
	bool is_within = !report->options->has_interval || (event->time_ns >= report->t0_ns &&
								   event->time_ns <= report->t1_ns);
	return is_within && search_asks_for(report->options->only, event->actor,
				    event->time_ns, event->time_ns);
}

static void
print_events(struct report *report)
{
	static const struct grid_column columns[] = {
		{ { .title = "at", .is_right = true }, "time_ns" },
		{ { .title = "after", .is_right = true }, "after_ns" },
		{ { .title = "in", .rank = 1 }, "{id}" },
		{ { .title = NULL }, "event" },
		{ { .title = "what", .least_cells = 24 }, "text" },
		{ { .title = NULL }, "task" },
		{ { .title = "", .rank = 2 }, NULL },
	};
	int64_t before_ns = report->t0_ns;
	report->grid.step_ns = fineness(report);
	grid_table(
		&report->grid, "events", "What it tells", columns, (int)ARRAY_LENGTH(columns));
	for (size_t i = 0; i < report->events.count; i++) {
		const struct task_event *event = &report->events.items[i];
		if (!is_told(report, event))
			continue;
		put_event(report, event, before_ns);
		before_ns = event->time_ns;
	}
	grid_table_end(&report->grid, "nothing");
}

/* ---- the whole */

/* The options' interval, cut to the task; empty where they do not touch. */
static void
choose_interval(struct report *report)
{
	report->t0_ns = report->life.start_ns;
	report->t1_ns = report->life.end_ns;
	if (!report->options->has_interval)
		return;
	int64_t t0_ns, t1_ns;
	words_interval(report->options, report->trace, &t0_ns, &t1_ns);
	if (t0_ns > report->t0_ns)
		report->t0_ns = t0_ns;
	if (t1_ns < report->t1_ns)
		report->t1_ns = t1_ns;
	if (report->t1_ns < report->t0_ns)
		report->t1_ns = report->t0_ns;
}

static bool
print(struct report *report, struct text *out, struct error *err)
{
	if (!grid_begin(&report->grid, report->trace, report->options, out, err))
		return false;
	report->grid.page.value_x = PAGE_INDENT + KEY_CELLS;
	choose_interval(report);
	if (grid_is_text(&report->grid))
		print_facts(report);
	print_totals(report);
	print_actors(report);
	print_events(report);
	return grid_end(&report->grid);
}

bool
report_task(const struct trace *trace, task_ref task, const struct report_options *options,
	struct text *out, struct error *err)
{
	struct report report = {
		.options = options, .trace = trace, .task = trace_task(trace, task)
	};
	struct task_watch watch = { .only = options->only, .states_left = UINT64_MAX };
	bool ok = task_index_build(&report.index, trace, NULL, err) &&
		  task_life_build_watched(&report.life, trace, &report.index, task, &watch, err) &&
		  measures_init(&report.measures, trace, options->only, NULL, err) &&
		  task_events_build(&report.events, trace, &report.index, &report.life, err) &&
		  print(&report, out, err);
	task_events_release(&report.events);
	measures_release(&report.measures);
	task_life_release(&report.life);
	task_index_release(&report.index);
	text_release(&report.line);
	return ok;
}

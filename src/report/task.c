/* A task in print: facts, time by state, goroutines, then event by event. */
#include "report/task.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/task_events.h"
#include "analysis/task_life.h"
#include "base/units.h"
#include "draw/strip_glyph.h"
#include "draw/task_words.h"
#include "report/page.h"
#include "report/words.h"

enum {
	KEY_CELLS = 12,
	INDENT = 2,
	EVENTS_AT_ONCE = 512, /* whose widths are chosen together */
	MOST_INDENT = 6,
};

struct report {
	struct page page;
	const struct report_options *options;
	const struct trace *trace;
	const struct task *task;
	int64_t t0_ns, t1_ns;
	struct task_index index;
	struct task_life life;
	struct task_events events;
	struct text line;
};

static const struct cell_style plain = { .fg = STYLE_DEFAULT };
static const struct cell_style dim = { .fg = STYLE_TEXT_DIM };

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
	page_fact_end(&report->page, STYLE_DEFAULT, &report->line);
}

/* "1.2 s in G7 main.handle", or that the trace does not have it. */
static void
print_end(struct report *report, const char *key, bool is_known, int64_t time_ns, goroutine_ref by)
{
	page_fact(&report->page, key, &report->line);
	if (!is_known) {
		text_add_string(&report->line, "outside of the trace");
		end_fact(report);
		return;
	}
	add_moment(report, time_ns);
	if (by != REF_NONE)
		text_add_string(&report->line, " in ");
	words_goroutine(&report->line, report->options, report->trace, by);
	end_fact(report);
}

static void
print_family(struct report *report)
{
	const struct task *task = report->task;
	char count[UNITS_TEXT];
	if (task->parent != REF_NONE) {
		page_fact(&report->page, "part of", &report->line);
		task_words_name(&report->line, report->trace, task->parent, report->options->ascii);
		end_fact(report);
	}
	if (report->life.family_count > 1) {
		page_fact(&report->page, "descendants", &report->line);
		units_count(count, report->life.family_count - 1);
		text_format(&report->line, "%s %s, whose work is its own", count,
			report->life.family_count == 2 ? "task" : "tasks");
		end_fact(report);
	}
}

static void
print_facts(struct report *report)
{
	const struct task *task = report->task;
	task_words_name(&report->line, report->trace, report->life.task, report->options->ascii);
	page_wrap(&report->page, STYLE_TEXT_BRIGHT, &report->line);
	page_line(&report->page);
	report->page.indent = INDENT;
	page_at(&report->page, INDENT);
	page_fact(&report->page, "file", &report->line);
	text_format(&report->line, "%s, trace of Go 1.%" PRIu32,
		report->options->file_name != NULL ? report->options->file_name : "standard input",
		report->trace->go_minor);
	end_fact(report);
	print_end(report, "began", !task->began_before, task->start_ns, task->start_goroutine);
	print_end(report, "ended", task->end_ns != TIME_OPEN, task->end_ns, task->end_goroutine);
	page_fact(&report->page, report->options->has_interval ? "shown" : "took", &report->line);
	words_duration(&report->line, report->options, report->t1_ns - report->t0_ns);
	end_fact(report);
	print_family(report);
}

/* ---- time by state */

static void
add_duration(struct report *report, struct table *table, int64_t duration_ns)
{
	char out[UNITS_TEXT];
	if (duration_ns == 0) {
		table_skip(table);
		return;
	}
	units_duration(out, duration_ns, report->options->ascii);
	table_string(table, plain, out);
}

static void
print_totals(struct report *report)
{
	static const struct table_column columns[] = {
		{ .title = "", .least_cells = 12 },
		{ .title = "time", .is_right = true },
		{ .title = "share", .is_right = true },
	};
	int64_t totals_ns[CLASS_COUNT];
	struct table table;
	task_life_totals(&report->life, report->t0_ns, report->t1_ns, totals_ns);
	table_init(&table, columns, (int)ARRAY_LENGTH(columns));
	for (int i = 0; i < CLASS_COUNT; i++) {
		char share[UNITS_TEXT];
		if (totals_ns[i] == 0)
			continue;
		table_string(&table, (struct cell_style){ .fg = strip_style((uint8_t)i) },
			task_words_class((uint8_t)i));
		add_duration(report, &table, totals_ns[i]);
		units_share(share, totals_ns[i], report->t1_ns - report->t0_ns);
		table_string(&table, plain, share);
	}
	page_section(&report->page, INDENT, "Time by the worst state of those who work for it");
	page_table(&report->page, &table, true);
	table_release(&table);
}

/* ---- goroutines */

/* A goroutine's works of one after the other; returns the index behind them. */
static size_t
add_up_works(
	const struct report *report, size_t first, int64_t totals_ns[CLASS_COUNT], int64_t *sum_ns)
{
	const struct task_life *life = &report->life;
	struct lane lane = { LANE_GOROUTINE, life->works[first].goroutine };
	size_t i = first;
	*sum_ns = 0;
	memset(totals_ns, 0, CLASS_COUNT * sizeof *totals_ns);
	for (; i < life->work_count && life->works[i].goroutine == lane.ref; i++) {
		int64_t start_ns = life->works[i].start_ns, end_ns = life->works[i].end_ns;
		int64_t here_ns[CLASS_COUNT];
		if (start_ns < report->t0_ns)
			start_ns = report->t0_ns;
		if (end_ns > report->t1_ns)
			end_ns = report->t1_ns;
		if (start_ns >= end_ns)
			continue;
		lane_totals(report->trace, lane, start_ns, end_ns, here_ns);
		for (int n = 0; n < CLASS_COUNT; n++)
			totals_ns[n] += here_ns[n];
		*sum_ns += end_ns - start_ns;
	}
	return i;
}

static void
add_goroutine(struct report *report, struct table *table, goroutine_ref ref, int64_t sum_ns,
	const int64_t totals_ns[CLASS_COUNT])
{
	const struct trace *trace = report->trace;
	int64_t running_ns = totals_ns[CLASS_RUNNING] + totals_ns[CLASS_GC_WORKER];
	int64_t blocked_ns = sum_ns - running_ns - totals_ns[CLASS_READY] -
			     totals_ns[CLASS_SYSCALL] - totals_ns[CLASS_UNKNOWN];
	text_clear(&report->line);
	text_format(&report->line, "G%" PRId64, trace_goroutine(trace, ref)->id);
	table_text(table, plain, &report->line);
	text_clear(&report->line);
	words_string(&report->line, report->options, trace, trace_goroutine(trace, ref)->name);
	table_text(table, plain, &report->line);
	add_duration(report, table, sum_ns);
	add_duration(report, table, running_ns);
	add_duration(report, table, totals_ns[CLASS_READY]);
	add_duration(report, table, totals_ns[CLASS_SYSCALL]);
	add_duration(report, table, blocked_ns);
}

static void
print_goroutines(struct report *report)
{
	static const struct table_column columns[] = {
		{ .title = "" },
		{ .title = "goroutine", .is_name = true, .least_cells = 16 },
		{ .title = "for it", .is_right = true },
		{ .title = "running", .is_right = true, .rank = 1 },
		{ .title = "ready", .is_right = true, .rank = 2 },
		{ .title = "syscall", .is_right = true, .rank = 4 },
		{ .title = "blocked", .is_right = true, .rank = 3 },
	};
	struct table table;
	table_init(&table, columns, (int)ARRAY_LENGTH(columns));
	for (size_t i = 0; i < report->life.work_count;) {
		goroutine_ref ref = report->life.works[i].goroutine;
		int64_t totals_ns[CLASS_COUNT], sum_ns;
		i = add_up_works(report, i, totals_ns, &sum_ns);
		if (sum_ns > 0)
			add_goroutine(report, &table, ref, sum_ns, totals_ns);
	}
	page_section(&report->page, INDENT, "Who works for it");
	if (table_rows(&table) == 0) {
		page_string(&report->page, STYLE_DEFAULT, "no goroutine that the trace tells of");
		page_line(&report->page);
	} else {
		page_table(&report->page, &table, true);
	}
	table_release(&table);
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

static void
add_event(struct report *report, struct table *table, const struct task_event *event,
	int64_t before_ns)
{
	text_clear(&report->line);
	words_moment(
		&report->line, report->options, report->trace, event->time_ns, fineness(report));
	table_text(table, dim, &report->line);
	text_clear(&report->line);
	text_add_string(&report->line, "+");
	words_duration(&report->line, report->options, event->time_ns - before_ns);
	table_text(table, plain, &report->line);
	text_clear(&report->line);
	if (event->goroutine != REF_NONE)
		text_format(&report->line, "G%" PRId64,
			trace_goroutine(report->trace, event->goroutine)->id);
	table_text(table, plain, &report->line);
	text_clear(&report->line);
	add_indent(report, event);
	task_words_event(&report->line, report->trace, event, report->options->ascii);
	table_text(
		table, (struct cell_style){ .fg = task_words_event_style(event) }, &report->line);
	text_clear(&report->line);
	if (event->task != report->life.task)
		text_format(
			&report->line, "task %" PRId64, trace_task(report->trace, event->task)->id);
	table_text(table, dim, &report->line);
}

static void
print_events(struct report *report)
{
	static const struct table_column columns[] = {
		{ .title = "at", .is_right = true },
		{ .title = "after", .is_right = true },
		{ .title = "in", .rank = 1 },
		{ .title = "what", .least_cells = 24 },
		{ .title = "", .rank = 2 },
	};
	struct table table;
	bool is_first = true;
	int64_t before_ns = report->t0_ns;
	table_init(&table, columns, (int)ARRAY_LENGTH(columns));
	page_section(&report->page, INDENT, "What it tells");
	for (size_t i = 0; i < report->events.count && !report->page.has_failed; i++) {
		const struct task_event *event = &report->events.items[i];
		bool is_last = i + 1 == report->events.count;
		if (!report->options->has_interval ||
			(event->time_ns >= report->t0_ns && event->time_ns <= report->t1_ns)) {
			add_event(report, &table, event, before_ns);
			before_ns = event->time_ns;
		}
		if (table_rows(&table) < EVENTS_AT_ONCE && !is_last)
			continue;
		page_table(&report->page, &table, is_first);
		table_clear(&table);
		is_first = false;
	}
	table_release(&table);
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
	if (!page_begin(&report->page, report->options, out, err))
		return false;
	report->page.value_x = INDENT + KEY_CELLS;
	choose_interval(report);
	print_facts(report);
	print_totals(report);
	print_goroutines(report);
	print_events(report);
	return page_end(&report->page);
}

bool
report_task(const struct trace *trace, task_ref task, const struct report_options *options,
	struct text *out, struct error *err)
{
	struct report report = {
		.options = options, .trace = trace, .task = trace_task(trace, task)
	};
	bool ok = task_index_build(&report.index, trace, err) &&
		  task_life_build(&report.life, trace, &report.index, task, err) &&
		  task_events_build(&report.events, trace, &report.index, &report.life, err) &&
		  print(&report, out, err);
	task_events_release(&report.events);
	task_life_release(&report.life);
	task_index_release(&report.index);
	text_release(&report.line);
	return ok;
}

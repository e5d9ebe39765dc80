/* The panel on rows that are not one actor, processor or thread. */
#include <inttypes.h>

#include "base/units.h"
#include "draw/counter.h"
#include "draw/names.h"
#include "draw/panel_pen.h"
#include "draw/region_row.h"
#include "draw/strip_glyph.h"
#include "draw/task_words.h"
#include "trace/lane.h"
#include "trace/words.h"

static void
end_title(struct panel *panel)
{
	panel_string(panel, STYLE_DEFAULT, " ");
	panel_next_line(panel);
}

void
panel_end_title_at_cursor(struct panel *panel)
{
	panel_dash(panel);
	panel_string(panel, STYLE_DEFAULT, "at ");
	panel_moment(panel, panel->scene->cursor_ns, panel->until_ns - panel->from_ns);
	end_title(panel);
}

/* "running 3   ready 12   select 40": how many members are in each class at the cursor. */
static void
write_counts_at_cursor(struct panel *panel, struct lane lane)
{
	int64_t counts[CLASS_COUNT];
	int64_t t_ns = panel->scene->cursor_ns;
	lane_totals(panel->scene->trace, lane, t_ns, t_ns + 1, counts);
	panel_heading(panel, "now");
	panel_class_counts(panel, counts);
	panel_next_line(panel);
}

static void
write_cell_shares(struct panel *panel, struct lane lane)
{
	int64_t totals_ns[CLASS_COUNT];
	const struct panel_parts parts = panel_parts_of(panel, lane);
	lane_totals(panel->scene->trace, lane, panel->from_ns, panel->until_ns, totals_ns);
	panel_heading(panel, "cell");
	panel_shares(panel, totals_ns, &parts);
	panel_next_line(panel);
}

void
panel_write_group(struct panel *panel, struct lane lane)
{
	const struct trace *trace = panel->scene->trace;
	const struct group *group = &trace->groups[lane.ref];
	char count[UNITS_TEXT];
	panel_string(panel, STYLE_DEFAULT, " ");
	panel_lane_name(panel, lane);
	panel_dash(panel);
	units_count(count, group->count);
	text_format_words(panel->scratch, trace->words,
		group->count == 1 ? "%s {actor}" : "%s {actors}", count);
	panel_scratch(panel, STYLE_TEXT_BRIGHT);
	panel_end_title_at_cursor(panel);
	if (!lane_is_known(trace, lane)) {
		panel_string(panel, STYLE_TEXT_DIM, "what they do together is not yet known");
		return;
	}
	write_counts_at_cursor(panel, lane);
	write_cell_shares(panel, lane);
}

void
panel_write_counts(struct panel *panel, const struct row *row)
{
	struct lane all = { LANE_ALL, 0 };
	panel_title(panel, row->type == ROW_ACTORS ? "{Actors}" : "{Threads}");
	panel_end_title_at_cursor(panel);
	if (row->type == ROW_ACTORS) {
		write_counts_at_cursor(panel, all);
		write_cell_shares(panel, all);
		return;
	}
	int64_t t_ns = panel->scene->cursor_ns;
	const struct trace *trace = panel->scene->trace;
	panel_heading(panel, "now");
	text_format_words(panel->scratch, trace->words, "%" PRIu32 " run {an actor}   ",
		counter_actors_at(trace, counter_threads.first, t_ns));
	panel_scratch(panel, STYLE_RUNNING);
	text_format(panel->scratch, "%" PRIu32 " in a syscall",
		counter_actors_at(trace, counter_threads.second, t_ns));
	panel_scratch(panel, STYLE_SYSCALL);
}

static void
write_range_words(struct panel *panel, const char *name, const char *low, const char *high, bool is_one)
{
	panel_heading(panel, name);
	if (is_one)
		text_format(panel->scratch, "%s all through %s", high, panel->extent);
	else
		text_format(panel->scratch, "%s to %s in %s", low, high, panel->extent);
	panel_scratch(panel, STYLE_DEFAULT);
	panel_next_line(panel);
}

static void
write_range_of(struct panel *panel, const char *name, enum counter_type type)
{
	uint64_t least = 0, greatest = 0;
	char low[UNITS_TEXT], high[UNITS_TEXT];
	if (!counter_range(
		    panel->scene->trace, type, panel->from_ns, panel->until_ns, &least, &greatest))
		return;
	units_bytes(low, least);
	units_bytes(high, greatest);
	write_range_words(panel, name, low, high, least == greatest);
}

void
panel_write_heap_ranges(struct panel *panel)
{
	write_range_of(panel, "heap", COUNTER_HEAP_ALLOC);
	write_range_of(panel, "goal", COUNTER_HEAP_GOAL);
}

void
panel_write_heap(struct panel *panel, const struct row *row)
{
	(void)row;
	uint64_t alloc = 0, goal = 0;
	char text[UNITS_TEXT];
	const struct trace *trace = panel->scene->trace;
	panel_title(panel, "Heap");
	panel_dash(panel);
	if (counter_at(trace, COUNTER_HEAP_ALLOC, panel->scene->cursor_ns, &alloc)) {
		units_bytes(text, alloc);
		panel_bold(panel, STYLE_GC, text);
	} else {
		panel_string(panel, STYLE_TEXT_DIM, "not known yet");
	}
	if (counter_at(trace, COUNTER_HEAP_GOAL, panel->scene->cursor_ns, &goal)) {
		units_bytes(text, goal);
		text_format(panel->scratch, ", goal %s", text);
		panel_scratch(panel, STYLE_DEFAULT);
	}
	panel_end_title_at_cursor(panel);
	panel_write_heap_ranges(panel);
}

void
panel_write_gauge_range(struct panel *panel, const struct row *row)
{
	int64_t least, greatest;
	char low[UNITS_TEXT], high[UNITS_TEXT];
	if (!gauge_range(panel->scene->trace, row->ref, panel->from_ns, panel->until_ns, &least, &greatest))
		return;
	units_signed(low, least);
	units_signed(high, greatest);
	write_range_words(panel, "value", low, high, least == greatest);
}

void
panel_write_gauge(struct panel *panel, const struct row *row)
{
	const struct trace *trace = panel->scene->trace;
	char text[UNITS_TEXT];
	int64_t value;
	text_add_string(panel->scratch, " ");
	name_string(panel->scratch, trace, trace->gauges[row->ref].name, panel->canvas->ascii);
	panel_scratch_bold(panel, STYLE_TEXT_BRIGHT);
	panel_dash(panel);
	if (gauge_at(trace, row->ref, panel->scene->cursor_ns, &value)) {
		units_signed(text, value);
		panel_bold(panel, STYLE_FRAME_FIRST, text);
	} else {
		panel_string(panel, STYLE_TEXT_DIM, "not known yet");
	}
	panel_end_title_at_cursor(panel);
	panel_write_gauge_range(panel, row);
}

/* ---- ranges of the runtime */

static void
write_range(struct panel *panel, const struct span *span)
{
	const struct trace *trace = panel->scene->trace;
	const struct range *range = trace_range(trace, span->range);
	if (range->name != STRING_EMPTY) {
		panel_dash(panel);
		name_string(panel->scratch, trace, range->name, panel->canvas->ascii);
		panel_scratch_bold(panel, range->type == RANGE_STW ? STYLE_STW : STYLE_GC);
	}
	panel_dash(panel);
	panel_interval(panel, span->start_ns, span->end_ns);
	if (range->began_before)
		panel_string(panel, STYLE_TEXT_DIM,
			trace->start_ns > 0 ? ", begun before what is loaded"
					    : ", begun before the trace");
	if (span->is_open)
		panel_string(panel, STYLE_TEXT_DIM, ", not ended");
	end_title(panel);
	if (range_actor(range) == REF_NONE)
		return;
	panel_heading(panel, "by");
	name_actor(panel->scratch, trace, range_actor(range), panel->canvas->ascii);
	panel_scratch(panel, STYLE_DEFAULT);
	panel_next_line(panel);
}

/* "previous: 6.96 ms long, 24 ms earlier" */
static void
write_neighbour(struct panel *panel, bool is_next, const struct span *span, int64_t far_ns)
{
	panel_string(panel, STYLE_TEXT_DIM, is_next ? "next: " : "previous: ");
	panel_duration(panel, STYLE_DEFAULT, span->end_ns - span->start_ns);
	panel_string(panel, STYLE_TEXT_DIM, " long, ");
	panel_duration(panel, STYLE_TEXT_DIM, far_ns);
	panel_string(panel, STYLE_TEXT_DIM, is_next ? " later" : " earlier");
	panel_next_line(panel);
}

void
panel_write_ranges(struct panel *panel, struct lane lane)
{
	const struct trace *trace = panel->scene->trace;
	int64_t t_ns = panel->scene->cursor_ns, totals_ns[CLASS_COUNT];
	struct span span;
	uint32_t count = lane_count(trace, lane, panel->from_ns, panel->until_ns);
	panel_string(panel, STYLE_DEFAULT, " ");
	panel_lane_name(panel, lane);
	/* The cell shows it, wherever in the cell the cursor stands. */
	bool is_one = count == 1 && lane_longest(trace, lane, panel->from_ns, panel->until_ns,
					    CLASS_MASK_ALL, &span);
	if (is_one || (count > 0 && lane_span_at(trace, lane, t_ns, &span))) {
		write_range(panel, &span);
	} else {
		panel_dash(panel);
		panel_string(
			panel, STYLE_TEXT_DIM, count == 0 ? "none here" : "several in this cell");
		end_title(panel);
	}
	if (count > 1) {
		lane_totals(trace, lane, panel->from_ns, panel->until_ns, totals_ns);
		panel_heading(panel, "cell");
		text_format(panel->scratch, "%" PRIu32 " of them, in all ", count);
		panel_scratch(panel, STYLE_DEFAULT);
		panel_duration(panel, STYLE_DEFAULT, totals_ns[CLASS_RUNNING]);
		panel_next_line(panel);
	}
	if (lane_previous(trace, lane, panel->from_ns, CLASS_MASK_ALL, &span) &&
		span.end_ns <= panel->from_ns)
		write_neighbour(panel, false, &span, t_ns - span.end_ns);
	if (lane_next(trace, lane, panel->until_ns, CLASS_MASK_ALL, &span))
		write_neighbour(panel, true, &span, span.start_ns - t_ns);
}

/* ---- wakes */

static void
write_wake(struct panel *panel, const struct span *ready)
{
	const struct trace *trace = panel->scene->trace;
	struct span before;
	panel_heading(panel, "first");
	name_actor(panel->scratch, trace, ready->actor, panel->canvas->ascii);
	panel_scratch(panel, STYLE_DEFAULT);
	panel_string(panel, STYLE_TEXT_DIM, " at ");
	panel_moment(panel, ready->start_ns, (panel->until_ns - panel->from_ns) / 10);
	struct lane lane = { LANE_ACTOR, ready->actor };
	if (lane_before(trace, lane, ready, &before)) {
		panel_string(panel, STYLE_TEXT_DIM, ", after ");
		panel_duration(panel, strip_style((uint8_t)before.time_class),
			before.end_ns - before.start_ns);
		panel_string(panel, STYLE_TEXT_DIM, " in ");
		name_state(panel->scratch, trace, &before, panel->canvas->ascii);
		panel_scratch(panel, strip_style((uint8_t)before.time_class));
	}
	panel_string(panel, STYLE_TEXT_DIM, "; ready for ");
	panel_duration(panel, STYLE_READY, ready->end_ns - ready->start_ns);
	panel_next_line(panel);
}

void
panel_write_wakes(struct panel *panel, const struct row *row)
{
	static const char *const titles[WAKE_ROW_COUNT] = {
		[WAKE_NETWORK] = "Wakes by the network",
		[WAKE_TIMER] = "Wakes by timers",
		[WAKE_SYSCALL] = "Returns from blocked syscalls",
	};
	const struct trace *trace = panel->scene->trace;
	enum wake_row wakes = (enum wake_row)row->ref;
	uint32_t count = wake_count(trace, wakes, panel->from_ns, panel->until_ns);
	char text[UNITS_TEXT];
	struct span span;
	units_count(text, count);
	panel_title(panel, titles[row->ref]);
	panel_dash(panel);
	text_format(panel->scratch, "%s in this cell", text);
	panel_scratch(panel, STYLE_TEXT_BRIGHT);
	panel_dash(panel);
	panel_interval(panel, panel->from_ns, panel->until_ns);
	end_title(panel);
	if (count > 0 && wake_find(trace, wakes, panel->from_ns, true, &span))
		write_wake(panel, &span);
}

/* ---- headings and regions */

static const char *const group_titles[GROUP_BY_COUNT] = {
	[GROUP_BY_NAME] = "by {name}, ",
	[GROUP_BY_CREATOR] = "by the {actor} that created them, ",
	[GROUP_BY_LABEL] = "by their last label, ",
	[GROUP_BY_TASK] = "by the {task} they worked for most, ",
	[GROUP_BY_STATE] = "by what they did most of the time, ",
};

void
panel_write_section(struct panel *panel, const struct row *row)
{
	static const struct {
		const char *title, *words;
	} sections[SECTION_COUNT] = {
		[SECTION_PROCESSORS] = { "{Processors}",
			"what each of the scheduler's processors runs" },
		[SECTION_THREADS] = { "{Threads}",
			"what each {thread} of the operating system runs" },
		[SECTION_ACTORS] = { "{Actors}", "" },
		[SECTION_WAKERS] = { "Woken or started by",
			"the {actors} that woke or started it, most often first" },
		[SECTION_WOKEN] = { "Woke or started",
			"the {actors} that it woke or started, most often first" },
		[SECTION_FOCUS_PROCESSORS] = { "Ran on",
			"the {processors} that it ran on, most often first" },
		[SECTION_TASKS] = { "{Tasks}",
			"{tasks}, those that took longest first; a lane "
			"is the worst state of those who work for it" },
		[SECTION_GAUGES] = { "Counters", "values over time, by name: the most in each cell" },
		[SECTION_COUNTERS] = { "Counts", "" },
		[SECTION_GC] = { "GC and stops", "" },
		[SECTION_EVENTS] = { "Events", "" },
		[SECTION_PANEL] = { "", "" },
	};
	panel_title(panel, sections[row->ref].title);
	end_title(panel);
	panel_words(panel, STYLE_TEXT_DIM, sections[row->ref].words);
	if (row->ref != SECTION_ACTORS)
		return;
	panel_words(panel, STYLE_TEXT_DIM, group_titles[panel->scene->plan.by]);
	if (panel->scene->plan.by == GROUP_BY_NAME && panel->scene->trace->words->worker != NULL)
		panel_string(panel, STYLE_TEXT_DIM, "the program's own first, ");
	panel_string(panel, STYLE_TEXT_DIM, lane_sort_title(panel->scene->plan.sort));
}

void
panel_write_step(struct panel *panel, const struct row *row)
{
	const struct trace *trace = panel->scene->trace;
	const struct interacts_plan *plan = &panel->scene->rows->interacts.plan;
	text_format(panel->scratch, "%" PRIu32 " %s away from ", row->ref,
		row->ref == 1 ? "step" : "steps");
	name_actor(panel->scratch, trace, plan->actor, panel->canvas->ascii);
	panel_string(panel, STYLE_DEFAULT, " ");
	panel_scratch_bold(panel, STYLE_TEXT_BRIGHT);
	end_title(panel);
	panel_words(panel, STYLE_TEXT_DIM,
		plan->only_wakers ? "{actors} that woke those one step nearer"
				  : "{actors} that woke or started those one step nearer, or "
				    "were woken or started by them");
}

static void
write_task(struct panel *panel, task_ref task)
{
	if (task == REF_NONE)
		return;
	panel_heading(panel, panel->scene->trace->words->task.one);
	text_format(panel->scratch, "%" PRId64 " ", trace_task(panel->scene->trace, task)->id);
	name_string(panel->scratch, panel->scene->trace, trace_task(panel->scene->trace, task)->name,
		panel->canvas->ascii);
	panel_scratch(panel, STYLE_DEFAULT);
}

void
panel_write_region(struct panel *panel, const struct row *row)
{
	const struct trace *trace = panel->scene->trace;
	const struct region_row *regions =
		rows_regions(panel->scene->rows, panel->scene->cursor_row);
	(void)row;
	range_ref ref = region_row_at(regions, trace, panel->scene->cursor_ns);
	panel_title(panel, "Regions");
	panel_dash(panel);
	if (ref == REF_NONE) {
		panel_string(panel, STYLE_TEXT_DIM, "none here");
		end_title(panel);
		return;
	}
	const struct range *region = trace_range(trace, ref);
	name_string(panel->scratch, trace, region->name, panel->canvas->ascii);
	panel_scratch_bold(panel, STYLE_OTHER);
	panel_dash(panel);
	panel_interval(panel, region->start_ns, trace_range_end_ns(trace, region));
	if (region->end_ns == TIME_OPEN)
		panel_string(panel, STYLE_TEXT_DIM, ", not ended");
	end_title(panel);
	write_task(panel, region->task);
}

/* A log: what it says in one line, when and by whom in another. */
static void
write_log(struct panel *panel, uint32_t ref)
{
	const struct instant *log = trace_instant(panel->scene->trace, ref);
	panel_moment(panel, log->time_ns, (panel->until_ns - panel->from_ns) / 10);
	panel_string(panel, STYLE_DEFAULT, "  ");
	task_words_log(panel->scratch, panel->scene->trace, ref, panel->canvas->ascii);
	panel_scratch(panel, STYLE_MARK);
	panel_string(panel, STYLE_DEFAULT, "  ");
	if (log->actor != REF_NONE)
		name_actor_id(panel->scratch, panel->scene->trace, log->actor);
	panel_scratch(panel, STYLE_TEXT_DIM);
	panel_next_line(panel);
}

void
panel_write_logs(struct panel *panel, const struct row *row)
{
	const struct trace *trace = panel->scene->trace;
	const struct nest *nest = rows_nest(panel->scene->rows, panel->scene->cursor_row);
	size_t first = instants_before(trace, nest->logs, nest->log_count, panel->from_ns);
	size_t end = instants_before(trace, nest->logs, nest->log_count, panel->until_ns);
	char count[UNITS_TEXT];
	(void)row;
	units_count(count, end - first);
	panel_title(panel, "Logs");
	panel_dash(panel);
	text_format(panel->scratch, "%s in %s", end > first ? count : "none", panel->extent);
	panel_scratch(panel, STYLE_TEXT_BRIGHT);
	end_title(panel);
	for (size_t i = first; i < end && panel_lines_left(panel) > 0; i++)
		write_log(panel, nest->logs[i]);
}

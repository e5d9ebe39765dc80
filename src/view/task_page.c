/* The page of the task that is selected. */
#include "view/task_page.h"

#include "analysis/task_events.h"
#include "analysis/task_life.h"
#include "base/memory.h"
#include "base/units.h"
#include "draw/names.h"
#include "draw/strip_glyph.h"
#include "draw/task_words.h"
#include "trace/task_times.h"
#include "view/page_job.h"
#include "view/walk.h"

enum {
	MOST_WORKERS = 500,
	MOST_EVENTS = 5000,
	AFTER_COLUMN = 19,
	WHO_COLUMN = 30,
	WHAT_COLUMN = 38,
	MOST_INDENT = 12,
	SHARE_COLUMN = 14,
	TIME_COLUMN = 22,
	THINGS_AT_ONCE = 10000, /* tasks, ranges, ... or states: some milliseconds */
};

struct page {
	struct walk walk;
	struct page_job job;
	const struct trace *trace;
	task_ref task;
	struct task_index index;
	struct task_life life;
	struct task_events events;
};

/* ---- finding */

static void
forget(struct page *page)
{
	task_events_release(&page->events);
	task_life_release(&page->life);
	task_index_release(&page->index);
}

static bool
is_large(const struct trace *trace)
{
	return (uint64_t)trace->tasks.count + trace->ranges.count + trace->instants.count +
		       trace_actor_count(trace) >
	       THINGS_AT_ONCE;
}

static bool
find(void *state, const atomic_bool *is_cancelled, struct error *err)
{
	struct page *page = state;
	const struct trace *trace = page->trace;
	struct task_watch watch = {
		.states_left = is_cancelled != NULL ? UINT64_MAX : THINGS_AT_ONCE,
		.is_stopped = is_cancelled,
	};
	if (is_cancelled == NULL && is_large(trace))
		return page_job_takes_long(err);
	if (task_index_build(&page->index, trace, is_cancelled, err) &&
		task_life_build_watched(
			&page->life, trace, &page->index, page->task, &watch, err) &&
		task_events_build(&page->events, trace, &page->index, &page->life, err))
		return true;
	forget(page);
	return false;
}

/* ---- facts */

static void
go_to_column(struct sheet *sheet, int column)
{
	sheet->column = sheet->column < column ? column : sheet->column + 1;
}

static void
add_end(struct sheet *sheet, struct walk *walk, const char *word, bool is_known, int64_t time_ns,
	actor_ref who)
{
	sheet_line(sheet, WALK_TEXT_COLUMN);
	sheet_string(sheet, prose_dim, word);
	go_to_column(sheet, SHARE_COLUMN);
	if (!is_known) {
		sheet_string(sheet, prose_dim, "outside of the trace");
		return;
	}
	sheet_moment(sheet, prose_plain, time_ns);
	if (who == REF_NONE)
		return;
	walk_step_to(walk, (struct lane){ LANE_ACTOR, who }, time_ns);
	sheet_string(sheet, prose_dim, " in ");
	name_actor(sheet->scratch, sheet->trace, who, sheet->ascii);
	sheet_scratch(sheet, prose_plain);
}

/* A task that leads to its lane. */
static void
add_relative(struct sheet *sheet, struct walk *walk, const char *word, task_ref task)
{
	sheet_line(sheet, WALK_TEXT_COLUMN);
	sheet_string(sheet, prose_dim, word);
	go_to_column(sheet, SHARE_COLUMN);
	walk_step_to(walk, (struct lane){ LANE_TASK, task }, task_start_ns(sheet->trace, task));
	task_words_name(sheet->scratch, sheet->trace, task, sheet->ascii);
	sheet_scratch(sheet, prose_plain);
	sheet_string(sheet, prose_dim, ", ");
	task_words_length(sheet->scratch, sheet->trace, task, sheet->ascii);
	sheet_scratch(sheet, prose_plain);
}

static void
write_facts(struct page *page, struct sheet *sheet)
{
	const struct task *task = trace_task(page->trace, page->task);
	const struct ref_index *children = &page->index.children;
	uint32_t first = children->first[page->task], end = children->first[page->task + 1];
	uint32_t shown = end - first < MOST_WORKERS ? end - first : MOST_WORKERS;
	sheet_line(sheet, WALK_TEXT_COLUMN);
	sheet_string(sheet, prose_dim, "took");
	go_to_column(sheet, SHARE_COLUMN);
	task_words_length(sheet->scratch, page->trace, page->task, sheet->ascii);
	sheet_scratch(sheet, prose_bright);
	task_words_open(sheet->scratch, page->trace, page->task);
	sheet_scratch(sheet, prose_dim);
	add_end(sheet, &page->walk, "began", !task->began_before, task->start_ns,
		task->start_actor);
	add_end(sheet, &page->walk, "ended", task->end_ns != TIME_OPEN, task->end_ns,
		task->end_actor);
	if (task->parent != REF_NONE)
		add_relative(sheet, &page->walk, "part of", task->parent);
	for (uint32_t i = 0; i < shown; i++)
		add_relative(sheet, &page->walk, i == 0 ? "parts" : "", children->refs[first + i]);
	sheet_more(sheet, SHARE_COLUMN, end - first - shown);
}

/* ---- time by state */

static void
write_totals(struct page *page, struct sheet *sheet)
{
	int64_t totals_ns[CLASS_COUNT], length_ns = page->life.end_ns - page->life.start_ns;
	task_life_totals(&page->life, page->life.start_ns, page->life.end_ns, totals_ns);
	sheet_heading(sheet, "time by the worst state of those who work for it");
	for (int i = 0; i < CLASS_COUNT; i++) {
		char share[UNITS_TEXT];
		if (totals_ns[i] == 0)
			continue;
		sheet_line(sheet, WALK_TEXT_COLUMN);
		sheet_string(sheet, (struct cell_style){ .fg = strip_style((uint8_t)i) },
			task_words_class(sheet->trace->words, (uint8_t)i));
		go_to_column(sheet, SHARE_COLUMN);
		units_share(share, totals_ns[i], length_ns);
		sheet_string(sheet, prose_bright, share);
		go_to_column(sheet, TIME_COLUMN);
		sheet_duration(sheet, prose_plain, totals_ns[i]);
	}
}

/* ---- who */

static void
write_workers(struct page *page, struct sheet *sheet)
{
	const struct task_life *life = &page->life;
	size_t shown = 0;
	sheet_heading(sheet, "who works for it");
	for (size_t i = 0; i < life->work_count && shown < MOST_WORKERS; shown++) {
		struct task_work work = life->works[i];
		int64_t sum_ns = 0;
		for (; i < life->work_count && life->works[i].actor == work.actor; i++)
			sum_ns += life->works[i].end_ns - life->works[i].start_ns;
		sheet_line(sheet, WALK_TEXT_COLUMN);
		walk_step_to(&page->walk, (struct lane){ LANE_ACTOR, work.actor },
			work.start_ns);
		sheet_duration(sheet, prose_plain, sum_ns);
		go_to_column(sheet, SHARE_COLUMN);
		name_actor(sheet->scratch, sheet->trace, work.actor, sheet->ascii);
		sheet_scratch(sheet, prose_bright);
	}
	if (life->work_count == 0) {
		sheet_line(sheet, WALK_TEXT_COLUMN);
		sheet_words(sheet, prose_dim, "no {actor} that the trace tells of");
	}
	sheet_more(sheet, WALK_TEXT_COLUMN, life->actor_count - shown);
}

/* ---- events */

static int
indent_of(const struct page *page, const struct task_event *event)
{
	if (event->type != TASK_EVENT_REGION_BEGIN && event->type != TASK_EVENT_REGION_END)
		return 0;
	int indent = 2 * trace_range(page->trace, event->ref)->depth;
	return indent < MOST_INDENT ? indent : MOST_INDENT;
}

static void
add_event(struct page *page, struct sheet *sheet, const struct task_event *event, int64_t before_ns)
{
	const struct cell_style style = { .fg = task_words_event_style(event) };
	sheet_line(sheet, WALK_TEXT_COLUMN);
	sheet_moment(sheet, prose_dim, event->time_ns);
	go_to_column(sheet, AFTER_COLUMN);
	sheet_string(sheet, prose_dim, "+");
	sheet_duration(sheet, prose_plain, event->time_ns - before_ns);
	go_to_column(sheet, WHO_COLUMN);
	if (event->actor != REF_NONE) {
		walk_step_to(&page->walk, (struct lane){ LANE_ACTOR, event->actor },
			event->time_ns);
		name_actor_id(sheet->scratch, sheet->trace, event->actor);
		sheet_scratch(sheet, prose_dim);
	}
	go_to_column(sheet, WHAT_COLUMN + indent_of(page, event));
	sheet->wrapped_column = WHAT_COLUMN + 2;
	task_words_event(sheet->scratch, sheet->trace, event, sheet->ascii);
	sheet_scratch(sheet, style);
	sheet->wrapped_column = WALK_TEXT_COLUMN + 2;
}

static void
write_events(struct page *page, struct sheet *sheet)
{
	const struct task_events *events = &page->events;
	size_t shown = events->count < MOST_EVENTS ? events->count : MOST_EVENTS;
	int64_t before_ns = page->life.start_ns;
	sheet_heading(sheet, "what it tells, and the time since the line before");
	for (size_t i = 0; i < shown; i++) {
		add_event(page, sheet, &events->items[i], before_ns);
		before_ns = events->items[i].time_ns;
	}
	sheet_more(sheet, WALK_TEXT_COLUMN, events->count - shown);
}

/* ---- the view */

static void
page_close(void *state)
{
	struct page *page = state;
	page_job_stop(&page->job);
	forget(page);
	walk_release(&page->walk);
	memory_free(page);
}

static void *
page_open(struct session *session, struct error *err)
{
	if (!session->has_lane || session->lane.type != LANE_TASK) {
		error_set(err, ERROR_USAGE, "no task is selected");
		return NULL;
	}
	struct page *page = memory_realloc(NULL, sizeof *page);
	if (page == NULL) {
		error_set_memory(err, "the page");
		return NULL;
	}
	*page = (struct page){ .task = session->lane.ref, .trace = session->trace };
	if (page_job_begin(&page->job, session, find, page, err))
		return page;
	page_close(page);
	return NULL;
}

static bool
page_renew(void *state, struct session *session, const struct trace *before, struct error *err)
{
	struct page *page = state;
	(void)before;
	page_job_stop(&page->job);
	forget(page);
	walk_forget(&page->walk);
	page->trace = session->trace;
	return page_job_begin(&page->job, session, find, page, err);
}

static bool
page_look(void *state, struct session *session)
{
	struct page *page = state;
	bool is_found;
	return page_job_look(&page->job, session, &is_found);
}

static struct view_answer
page_command(void *state, struct session *session, enum command command, long count,
	const char *argument)
{
	struct page *page = state;
	if (page_job_is_left(&page->job, command))
		return (struct view_answer){ .reaction = VIEW_CLOSE };
	return walk_command(&page->walk, session, command, count, argument);
}

static void
page_draw(void *state, struct session *session, struct canvas *canvas)
{
	struct page *page = state;
	struct sheet sheet;
	struct text title = { 0 };
	bool is_there = page_job_has_answer(&page->job);
	if (is_there && walk_begins(&page->walk, session, canvas, &sheet)) {
		write_facts(page, &sheet);
		write_totals(page, &sheet);
		write_workers(page, &sheet);
		write_events(page, &sheet);
	}
	task_words_name(&title, page->trace, page->task, canvas->ascii);
	walk_draw(&page->walk, text_string(&title), canvas);
	text_release(&title);
	if (page->walk.lines.count == 0)
		page_job_draw(&page->job, canvas);
}

const struct view_ops task_view = {
	.name = "task",
	.context = IN_WALK,
	.open = page_open,
	.close = page_close,
	.command = page_command,
	.look = page_look,
	.renew = page_renew,
	.draw = page_draw,
	.place = walk_view_place,
	.go_to_place = walk_view_go_to_place,
	.position = walk_view_position,
};

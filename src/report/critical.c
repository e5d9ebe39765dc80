/* A critical path in print: who it is of, its shares, and its parts back in time. */
#include "report/critical.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/why.h"
#include "base/memory.h"
#include "base/units.h"
#include "draw/critical_text.h"
#include "report/grid.h"
#include "report/page_text.h"
#include "report/words.h"
#include "result/result.h"
#include "trace/lane.h"
#include "trace/words.h"

enum { KEY_CELLS = 8 };

struct report {
	struct page page;
	const struct report_options *options;
	const struct trace *trace;
	actor_ref actor;
	task_ref task;
	int64_t t0_ns, t1_ns;
	struct critical_path path;
	bool is_why, is_open;          /* why it was not running; to the end of the trace */
	struct critical_share *shares; /* else what its time went into */
	size_t share_count;
	struct text line;
};

/* ---- of whom */

static void
add_moment(struct report *report, int64_t time_ns)
{
	words_moment(&report->line, report->options, report->trace, time_ns,
		report->t1_ns - report->t0_ns);
}

static void
print_heading(struct report *report)
{
	struct text *line = &report->line;
	text_add_string(line, report->is_why ? "Why " : "Critical path of ");
	if (report->task != REF_NONE) {
		const struct task *task = trace_task(report->trace, report->task);
		text_format(line, "%s %" PRId64 " ", report->trace->words->task.one, task->id);
		words_string(line, report->options, report->trace, task->name);
		text_add_string(line, " from its end in ");
	}
	words_actor(line, report->options, report->trace, report->actor);
	text_add_string(line, report->is_why ? " was not running" : "");
	page_wrap(&report->page, STYLE_TEXT_BRIGHT, line);
	page_heading_end(&report->page);
	page_fact(&report->page, "file", &report->line);
	text_add_string(line, words_file(report->options));
	page_fact_end(&report->page, STYLE_DEFAULT, &report->line);
	page_fact(&report->page, "time", &report->line);
	words_duration(line, report->options, report->path.end_ns - report->path.start_ns);
	text_add_string(line, ", from ");
	add_moment(report, report->path.start_ns);
	text_add_string(line, " to ");
	add_moment(report, report->path.end_ns);
	text_add_string(line, report->is_open ? ", where the trace ends" : "");
	page_fact_end(&report->page, STYLE_DEFAULT, &report->line);
	page_fact(&report->page, "parts", &report->line);
	char count[UNITS_TEXT];
	units_count(count, report->path.part_count);
	text_format(line, "%s, in the place of ", count);
	units_count(count, report->path.wait_count);
	text_format(line, "%s %s", count, report->path.wait_count == 1 ? "wait" : "waits");
	page_fact_end(&report->page, STYLE_DEFAULT, &report->line);
}

/* ---- what --query leaves */

/* The path stays whole, so that its shares sum up; of its parts only those that match are listed. */
static void
print_query(struct report *report)
{
	const struct critical_path *path = &report->path;
	char share[UNITS_TEXT];
	int64_t matched_ns = 0;
	if (report->options->only == NULL)
		return;
	for (size_t i = 0; i < path->part_count; i++)
		if (critical_part_matches(report->trace, &path->parts[i], report->options->only))
			matched_ns += path->parts[i].end_ns - path->parts[i].start_ns;
	page_fact(&report->page, "query", &report->line);
	text_format(&report->line, "%s: ", report->options->query);
	words_duration(&report->line, report->options, matched_ns);
	units_share(share, matched_ns, path->end_ns - path->start_ns);
	text_format(&report->line, ", %s of the path; the parts below are these", share);
	page_fact_end(&report->page, STYLE_DEFAULT, &report->line);
}

/* ---- for programs */

static const struct grid_column share_keys[] = {
	{ { .title = NULL }, "name" },
	{ { .title = NULL }, "state" },
	{ { .title = NULL }, "reason" },
	{ { .title = NULL }, "cause" },
	{ { .title = NULL }, "function" },
	{ { .title = NULL }, "place" },
	{ { .title = NULL }, "total_ns" },
	{ { .title = NULL }, "share" },
	{ { .title = NULL }, "count" },
	{ { .title = NULL }, "longest_ns" },
};

static const struct grid_column part_keys[] = {
	{ { .title = NULL }, "start_ns" },
	{ { .title = NULL }, "duration_ns" },
	{ { .title = NULL }, "{id}" },
	{ { .title = NULL }, "name" },
	{ { .title = NULL }, "state" },
	{ { .title = NULL }, "reason" },
	{ { .title = NULL }, "cause" },
	{ { .title = NULL }, "{processor}" },
	{ { .title = NULL }, "depth" },
	{ { .title = NULL }, "link" },
	{ { .title = NULL }, "other" },
	{ { .title = NULL }, "function" },
	{ { .title = NULL }, "place" },
};

/* State, reason and cause, three cells. */
static void
put_kind(struct report *report, struct grid *grid, const struct state_kind *kind,
	enum critical_cause cause)
{
	const char *state = kind != NULL ? state_name(kind->state) : "unknown";
	grid_text(grid, state, strlen(state));
	grid_string(grid, kind != NULL ? kind->reason : STRING_EMPTY);
	text_clear(&report->line);
	text_add_words(&report->line, report->trace->words, critical_cause_words(cause));
	grid_text(grid, report->line.bytes, report->line.length);
}

static void
put_share(struct report *report, struct grid *grid, const struct critical_share *share)
{
	int64_t whole_ns = report->path.end_ns - report->path.start_ns;
	struct result_place place = { { LANE_ACTOR, share->actor }, share->longest_start_ns,
		share->longest_start_ns + share->longest_ns };
	grid->place = share->actor != REF_NONE ? &place : NULL;
	grid_string(grid, share->name);
	put_kind(report, grid, share->kind, share->cause);
	grid_stack(grid, share->stack, share->actor);
	grid_duration(grid, share->total_ns);
	grid_share(grid, whole_ns > 0 ? (double)share->total_ns / (double)whole_ns : 0);
	grid_count(grid, share->count);
	grid_duration(grid, share->longest_ns);
}

static void
put_part(struct report *report, struct grid *grid, const struct critical_part *part)
{
	static const char *const links[LINK_COUNT] = { [LINK_END] = "end", [LINK_BEFORE] = "before",
		[LINK_WOKE] = "woke", [LINK_CREATED] = "created", [LINK_RETURNED] = "returned" };
	struct result_place place = { { LANE_ACTOR, part->actor }, part->start_ns, part->end_ns };
	grid->place = part->actor != REF_NONE ? &place : NULL;
	grid_moment(grid, part->start_ns);
	grid_duration(grid, part->end_ns - part->start_ns);
	grid_actor_id(grid, part->actor);
	grid_string(grid, part->actor != REF_NONE ? trace_actor(report->trace, part->actor)->name
						  : STRING_EMPTY);
	put_kind(report, grid, part->kind, part->cause);
	grid_processor(grid, part->processor);
	grid_count(grid, part->wait == REF_NONE ? 0 : report->path.waits[part->wait].depth);
	grid_text(grid, links[part->link], strlen(links[part->link]));
	grid_actor_id(grid, part->other);
	grid_stack(grid, part->stack, part->actor);
}

static bool
put_rows(struct report *report, struct text *out, struct error *err)
{
	struct grid grid;
	if (!grid_begin(&grid, report->trace, report->options, out, err))
		return false;
	if (!report->is_why) {
		grid_table(&grid, "shares", "", share_keys, (int)ARRAY_LENGTH(share_keys));
		for (size_t i = 0; i < report->share_count && !grid.page.has_failed; i++)
			put_share(report, &grid, &report->shares[i]);
		grid_table_end(&grid, "");
	}
	grid_table(&grid, "parts", "", part_keys, (int)ARRAY_LENGTH(part_keys));
	for (size_t i = 0; i < report->path.part_count && !grid.page.has_failed; i++)
		if (critical_part_matches(report->trace, &report->path.parts[i], report->options->only))
			put_part(report, &grid, &report->path.parts[i]);
	grid_table_end(&grid, "");
	bool is_fine = grid_end(&grid);
	return is_fine && (!report->line.failed || error_set_memory(err, "the report"));
}

/* ---- the whole */

static bool
print(struct report *report, struct text *out, struct error *err)
{
	if (!page_open(&report->page, report->options, out, err))
		return false;
	report->page.value_x = PAGE_INDENT + KEY_CELLS;
	print_heading(report);
	print_query(report);
	struct page_text text;
	struct prose *prose = page_text_begin(&text, &report->page, report->trace);
	prose->beneath = report->options->beneath;
	if (!report->is_why)
		critical_tell_shares(prose, &report->path, report->shares, report->share_count);
	critical_tell_beneath(prose, &report->path);
	critical_tell_parts(prose, &report->path, report->is_why, report->options->only);
	page_text_release(&text);
	return page_close(&report->page);
}

/* Cuts the interval to when the actor lived, or the task was worked on. */
static void
choose_interval(struct report *report)
{
	int64_t t0_ns, t1_ns;
	lane_life(
		report->trace, (struct lane){ LANE_ACTOR, report->actor }, &t0_ns, &t1_ns);
	if (report->task != REF_NONE) {
		const struct task *task = trace_task(report->trace, report->task);
		t0_ns = task->start_ns;
		t1_ns = task->end_ns;
	}
	if (t0_ns > report->t0_ns)
		report->t0_ns = t0_ns;
	if (t1_ns < report->t1_ns)
		report->t1_ns = t1_ns;
}

static bool
build(struct report *report, struct error *err)
{
	words_interval(report->options, report->trace, &report->t0_ns, &report->t1_ns);
	if (report->actor == REF_NONE && report->task != REF_NONE)
		report->actor = critical_of_task(report->trace, report->task);
	if (report->actor == REF_NONE)
		report->actor = critical_last_running(report->trace, report->t1_ns);
	if (report->actor == REF_NONE)
		return error_set_words(err, ERROR_USAGE, report->trace->words,
			"no {actor} ran in that time");
	choose_interval(report);
	struct critical_scope scope = {
		report->actor, report->t0_ns, report->t1_ns, UINT64_MAX, NULL
	};
	if (!critical_build(&report->path, report->trace, &scope, err))
		return false;
	report->shares = critical_shares(&report->path, report->trace, &report->share_count, NULL, err);
	return report->shares != NULL;
}

static bool
find_why(struct report *report, struct error *err)
{
	struct why why;
	struct critical_scope scope = {
		report->actor, report->options->cursor_ns, 0, UINT64_MAX, NULL
	};
	if (!why_find(&why, report->trace, &scope, err))
		return false;
	report->path = why.path; /* its owner from now on */
	report->is_open = why.is_open;
	report->t0_ns = why.start_ns;
	report->t1_ns = why.end_ns;
	return true;
}

static bool
make(struct report *report, struct text *out, struct error *err)
{
	bool is_for_people = report_is_for_people(report->options->format);
	bool is_fine = (report->is_why ? find_why(report, err) : build(report, err)) &&
		       (is_for_people ? print(report, out, err) : put_rows(report, out, err));
	memory_free(report->shares);
	critical_release(&report->path);
	text_release(&report->line);
	return is_fine;
}

bool
report_critical(const struct trace *trace, actor_ref actor, task_ref task,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct report report = {
		.options = options, .trace = trace, .actor = actor, .task = task
	};
	return make(&report, out, err);
}

bool
report_why(const struct trace *trace, actor_ref actor, const struct report_options *options,
	struct text *out, struct error *err)
{
	struct report report = {
		.options = options, .trace = trace, .actor = actor, .task = REF_NONE, .is_why = true
	};
	return make(&report, out, err);
}

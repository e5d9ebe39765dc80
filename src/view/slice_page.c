/* The page of a slice. */
#include "view/slice_page.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/slice_life.h"
#include "base/memory.h"
#include "base/units.h"
#include "draw/names.h"
#include "draw/slice_row.h"
#include "draw/stack_rows.h"
#include "trace/lane.h"
#include "view/page_job.h"
#include "view/walk.h"

enum {
	VALUE_COLUMN = 14,
	MOST_NAMES = 500,
	MOST_PROCESSORS = 8,  /* are named */
	MOST_RUNS = 1000,     /* are looked at for them */
	/* Where the columns of tables end; the name follows the last one. */
	TOOK_END = 13,
	COUNT_END = 22,
	LONGEST_END = 34,
};

struct page {
	struct walk walk;
	struct page_job job;
	const struct trace *trace;
	struct slice slice;
	struct slice_life life;
};

static bool
find(void *state, const atomic_bool *is_cancelled, struct error *err)
{
	struct page *page = state;
	return slice_life_build(&page->life, page->trace->slices, &page->slice, is_cancelled, err);
}

/* ---- words */

static void
add_label(struct sheet *sheet, const char *pattern)
{
	sheet_line(sheet, WALK_TEXT_COLUMN);
	sheet_words(sheet, prose_dim, pattern);
	sheet->column = sheet->column < VALUE_COLUMN ? VALUE_COLUMN : sheet->column + 1;
}

static void
add_name(struct sheet *sheet, string_id name)
{
	name_string(sheet->scratch, sheet->trace, name, sheet->ascii);
	sheet_scratch(sheet, (struct cell_style){ .fg = stack_row_style(sheet->trace, name) });
}

static void
add_flags(struct sheet *sheet, const struct slice *slice)
{
	const struct cell_style alert = { .fg = STYLE_ALERT };
	if ((slice->flags & SLICE_BEGAN_BEFORE) != 0)
		sheet_string(sheet, alert, ", its begin is lost");
	if ((slice->flags & SLICE_OPEN) != 0)
		sheet_string(sheet, alert, ", not ended");
	if ((slice->flags & SLICE_CUT) != 0)
		sheet_string(sheet, alert, ", its end is lost");
	if ((slice->flags & SLICE_FAILED) != 0)
		sheet_string(sheet, alert, ", failed");
}

/* Ends before the column. */
static void
add_right(struct sheet *sheet, int end, struct cell_style style, const char *text)
{
	size_t cells = text_width(text, strlen(text));
	sheet->column = end > (int)cells ? end - (int)cells : 0;
	sheet_string(sheet, style, text);
}

static void
add_right_duration(struct sheet *sheet, int end, struct cell_style style, int64_t duration_ns)
{
	char text[UNITS_TEXT];
	units_duration(text, duration_ns, sheet->ascii);
	add_right(sheet, end, style, text);
}

/* A line of a slice: what it took, and its name. */
static void
add_slice(struct page *page, struct sheet *sheet, const struct slice *slice)
{
	sheet_line(sheet, WALK_TEXT_COLUMN);
	walk_step_to_slice(&page->walk, page->trace, slice);
	add_right_duration(sheet, TOOK_END, prose_plain, slice->took_ns);
	sheet->column = TOOK_END + 2;
	add_name(sheet, slice->name);
	add_flags(sheet, slice);
}

/* ---- facts */

static void
write_times(struct page *page, struct sheet *sheet)
{
	const struct slice_life *life = &page->life;
	const struct slice *slice = &life->slice;
	char share[UNITS_TEXT];
	add_label(sheet, "took");
	sheet_duration(sheet, prose_bright, slice->took_ns);
	if (life->has_self) {
		sheet_string(sheet, prose_dim, ", of which its own ");
		sheet_duration(sheet, prose_plain, life->self_ns);
		units_share(share, life->self_ns, slice->took_ns > 0 ? slice->took_ns : 1);
		text_format(sheet->scratch, " %s", slice->took_ns > 0 ? share : "");
		sheet_scratch(sheet, prose_dim);
	}
	add_flags(sheet, slice);
	add_label(sheet, "began");
	walk_step_to_slice(&page->walk, page->trace, slice);
	sheet_moment(sheet, prose_plain, slice->start_ns);
	add_label(sheet, "ended");
	sheet_moment(sheet, prose_plain, slice->end_ns);
	if (slice->end_ns - slice->start_ns != slice->took_ns) {
		sheet_string(sheet, prose_dim, ", ");
		sheet_duration(sheet, prose_dim, slice->end_ns - slice->start_ns);
		sheet_string(sheet, prose_dim, " later");
	}
	add_label(sheet, "depth");
	text_format(sheet->scratch, "%" PRIu32, life->depth);
	sheet_scratch(sheet, prose_plain);
}

/* The processors on which its actor ran meanwhile, in the order in which it came to them. */
static void
write_processors(struct page *page, struct sheet *sheet, struct lane lane)
{
	const struct slice *slice = &page->life.slice;
	resource_ref seen[MOST_PROCESSORS];
	int64_t totals_ns[CLASS_COUNT], ran_ns;
	struct span span, next;
	size_t count = 0;
	bool is_there = lane_span_at(page->trace, lane, slice->start_ns, &span) ||
			(lane_next(page->trace, lane, slice->start_ns, CLASS_MASK_ALL, &span) &&
				span.start_ns < slice->end_ns);
	for (int i = 0; is_there && i < MOST_RUNS && count < MOST_PROCESSORS; i++) {
		size_t at = 0;
		while (at < count && seen[at] != span.processor)
			at++;
		if (at == count && span.processor != REF_NONE)
			seen[count++] = span.processor;
		is_there = lane_after(page->trace, lane, &span, &next) &&
			   next.start_ns < slice->end_ns;
		span = next;
	}
	if (count == 0)
		return;
	add_label(sheet, "ran on");
	walk_step_to(&page->walk, (struct lane){ LANE_PROCESSOR, seen[0] }, slice->start_ns);
	for (size_t i = 0; i < count; i++) {
		text_add_string(sheet->scratch, i > 0 ? ", " : "");
		name_processor(sheet->scratch, page->trace, seen[i]);
		sheet_scratch(sheet, prose_plain);
	}
	lane_totals(page->trace, lane, slice->start_ns, slice->end_ns, totals_ns);
	ran_ns = totals_ns[CLASS_RUNNING];
	if (ran_ns >= slice->end_ns - slice->start_ns)
		return;
	sheet_string(sheet, prose_dim, ", in all for ");
	sheet_duration(sheet, prose_plain, ran_ns);
}

static void
write_place(struct page *page, struct sheet *sheet)
{
	const struct slice *slice = &page->life.slice;
	struct lane lane;
	if (!slice_lane(page->trace, slice->column, &lane))
		return;
	add_label(sheet, lane.type == LANE_ACTOR ? "of" : "on");
	walk_step_to(&page->walk, lane, slice->start_ns);
	if (lane.type == LANE_ACTOR)
		name_actor(sheet->scratch, page->trace, lane.ref, sheet->ascii);
	else
		name_processor(sheet->scratch, page->trace, lane.ref);
	sheet_scratch(sheet, prose_plain);
	if (lane.type == LANE_ACTOR)
		write_processors(page, sheet, lane);
}

static void
write_details(struct page *page, struct sheet *sheet)
{
	if (page->life.slice.detail == STRING_EMPTY)
		return;
	add_label(sheet, "details");
	sheet->wrapped_column = VALUE_COLUMN;
	name_string(sheet->scratch, page->trace, page->life.slice.detail, sheet->ascii);
	sheet_scratch(sheet, prose_plain);
	sheet->wrapped_column = WALK_TEXT_COLUMN + 2;
}

/* ---- others */

static void
write_above(struct page *page, struct sheet *sheet)
{
	const struct slice_life *life = &page->life;
	if (life->above_count == 0)
		return;
	sheet_heading(sheet, "within, the innermost first");
	for (size_t i = 0; i < life->above_count; i++)
		add_slice(page, sheet, &life->above[i]);
}

static void
write_kins(struct page *page, struct sheet *sheet)
{
	const struct slice_life *life = &page->life;
	size_t shown = life->kin_count < MOST_NAMES ? life->kin_count : MOST_NAMES;
	char count[UNITS_TEXT], took[UNITS_TEXT];
	if (life->beneath_count == 0)
		return;
	units_count(count, life->beneath_count);
	units_duration(took, life->beneath_ns, sheet->ascii);
	text_format(sheet->scratch, "directly beneath: %s %s, %s", count,
		life->beneath_count == 1 ? "slice" : "slices", took);
	sheet_line(sheet, SHEET_TEXT_COLUMN);
	sheet_line(sheet, SHEET_TEXT_COLUMN);
	sheet_scratch(sheet, prose_bright);
	sheet_line(sheet, WALK_TEXT_COLUMN);
	add_right(sheet, TOOK_END, prose_dim, "took");
	add_right(sheet, COUNT_END, prose_dim, "count");
	add_right(sheet, LONGEST_END, prose_dim, "longest");
	sheet->column = LONGEST_END + 2;
	sheet_string(sheet, prose_dim, "name");
	for (size_t i = 0; i < shown; i++) {
		const struct slice_kin *kin = &life->kins[i];
		sheet_line(sheet, WALK_TEXT_COLUMN);
		walk_step_to_slice(&page->walk, page->trace, &kin->longest);
		add_right_duration(sheet, TOOK_END, prose_bright, kin->total_ns);
		units_count(count, kin->count);
		add_right(sheet, COUNT_END, prose_plain, count);
		add_right_duration(sheet, LONGEST_END, prose_plain, kin->longest.took_ns);
		sheet->column = LONGEST_END + 2;
		sheet->wrapped_column = LONGEST_END + 4;
		add_name(sheet, kin->name);
		sheet->wrapped_column = WALK_TEXT_COLUMN + 2;
	}
	sheet_more(sheet, WALK_TEXT_COLUMN, life->kin_count - shown);
}

/* One by one, where names stand for several. */
static void
write_longest(struct page *page, struct sheet *sheet)
{
	const struct slice_life *life = &page->life;
	if (life->beneath_count == life->kin_count)
		return;
	sheet_heading(sheet, "the longest of them");
	for (size_t i = 0; i < life->longest_count; i++)
		add_slice(page, sheet, &life->longest[i]);
	sheet_more(sheet, WALK_TEXT_COLUMN, life->beneath_count - life->longest_count);
}

static void
write_beside(struct page *page, struct sheet *sheet)
{
	const struct slice_life *life = &page->life;
	if (!life->has_before && !life->has_after)
		return;
	sheet_heading(sheet, "before and after it at this depth");
	if (life->has_before) {
		add_slice(page, sheet, &life->before);
		sheet_string(sheet, prose_dim, ", ended ");
		sheet_duration(sheet, prose_dim, life->slice.start_ns - life->before.end_ns);
		sheet_string(sheet, prose_dim, " before");
	}
	if (life->has_after) {
		add_slice(page, sheet, &life->after);
		sheet_string(sheet, prose_dim, ", began ");
		sheet_duration(sheet, prose_dim, life->after.start_ns - life->slice.end_ns);
		sheet_string(sheet, prose_dim, " after");
	}
}

static void
add_statistic(struct sheet *sheet, const char *word, int64_t duration_ns)
{
	sheet_line(sheet, WALK_TEXT_COLUMN);
	add_right_duration(sheet, TOOK_END, prose_plain, duration_ns);
	sheet->column = TOOK_END + 2;
	sheet_string(sheet, prose_dim, word);
}

static void
write_named(struct page *page, struct sheet *sheet)
{
	const struct slice_life *life = &page->life;
	char count[UNITS_TEXT], longer[UNITS_TEXT];
	if (life->named_count + life->named_partial < 2)
		return;
	units_count(count, life->named_count);
	text_format(sheet->scratch, "all of its name: %s that ended", count);
	units_count(count, life->named_partial);
	if (life->named_partial > 0)
		text_format(sheet->scratch, ", %s without an end", count);
	sheet_line(sheet, SHEET_TEXT_COLUMN);
	sheet_line(sheet, SHEET_TEXT_COLUMN);
	sheet_scratch(sheet, prose_bright);
	if (life->named_count == 0)
		return;
	add_statistic(sheet, "in all", life->named.total_ns);
	add_statistic(sheet, "on average", life->named.mean_ns);
	add_statistic(sheet, "the shortest", life->named_shortest_ns);
	add_statistic(sheet, "half of them at most", life->named.p50_ns);
	add_statistic(sheet, "90% of them at most", life->named.p90_ns);
	add_statistic(sheet, "99% of them at most", life->named.p99_ns);
	add_statistic(sheet, "the longest", life->named_longest.took_ns);
	walk_step_to_slice(&page->walk, page->trace, &life->named_longest);
	if (life->named_longer > 0) {
		units_count(longer, life->named_longer);
		text_format(sheet->scratch, "; %s took longer than this one", longer);
		sheet_scratch(sheet, prose_dim);
	}
}

/* ---- the view */

static void
page_close(void *state)
{
	struct page *page = state;
	page_job_stop(&page->job);
	slice_life_release(&page->life);
	walk_release(&page->walk);
	memory_free(page);
}

/*
 * The slice that is asked for, else the innermost one of the selected lane at the cursor; of a
 * processor's that of who runs there.
 */
static bool
choose(struct session *session, struct slice *slice)
{
	const struct slices *slices = session->trace->slices;
	struct lane lane = session->lane;
	struct span span;
	column_ref first = 0;
	uint32_t count = 0;
	if (session->asks_slice) {
		session->asks_slice = false;
		slices_get(slices, session->asked_column, session->asked_slice, slice);
		return true;
	}
	if (session->has_lane && lane.type == LANE_PROCESSOR &&
		lane_span_at(session->trace, lane, session->cursor_ns, &span) &&
		span.actor != REF_NONE)
		lane = (struct lane){ LANE_ACTOR, span.actor };
	if (session->has_lane)
		slice_rows_of(session->trace, lane, &first, &count);
	while (count > 0 && !slices_at(slices, first + count - 1, session->cursor_ns, slice))
		count--;
	return count > 0;
}

static bool
begin(struct page *page, struct session *session, struct error *err)
{
	page_job_stop(&page->job);
	slice_life_release(&page->life);
	walk_forget(&page->walk);
	page->trace = session->trace;
	return page_job_begin(&page->job, session, find, page, err);
}

static void *
page_open(struct session *session, struct error *err)
{
	struct slice slice;
	if (!choose(session, &slice)) {
		error_set(err, ERROR_USAGE, "no slice is under the cursor");
		return NULL;
	}
	struct page *page = memory_realloc(NULL, sizeof *page);
	if (page == NULL) {
		error_set_memory(err, "the page");
		return NULL;
	}
	*page = (struct page){ .slice = slice };
	if (begin(page, session, err))
		return page;
	page_close(page);
	return NULL;
}

static bool
page_renew(void *state, struct session *session, const struct trace *before, struct error *err)
{
	(void)before;
	return begin(state, session, err);
}

static bool
page_look(void *state, struct session *session)
{
	struct page *page = state;
	bool is_found;
	return page_job_look(&page->job, session, &is_found);
}

/* To the slices before and after at the same depth. */
static struct view_answer
step(struct page *page, struct session *session, bool forward, long count)
{
	struct view_answer answer = { .reaction = VIEW_REDRAW };
	const struct slices *slices = session->trace->slices;
	uint32_t here = page->slice.index, last = slices_in_column(slices, page->slice.column) - 1;
	uint32_t room = forward ? last - here : here;
	uint32_t by = (uint64_t)count < room ? (uint32_t)count : room;
	struct error err;
	error_clear(&err);
	if (by == 0) {
		session_status(session, false, "the %s slice of this depth",
			forward ? "last" : "first");
		return answer;
	}
	slices_get(slices, page->slice.column, forward ? here + by : here - by, &page->slice);
	session_go_to(session, page->walk.width, page->slice.start_ns);
	page->walk.selected = page->walk.lines.top = 0;
	if (!begin(page, session, &err)) {
		session_status(session, true, "%s", err.message);
		return (struct view_answer){ .reaction = VIEW_CLOSE };
	}
	answer.push_history = true;
	return answer;
}

static struct view_answer
page_command(void *state, struct session *session, enum command command, long count,
	const char *argument)
{
	struct page *page = state;
	if (page_job_is_left(&page->job, command))
		return (struct view_answer){ .reaction = VIEW_CLOSE };
	if (command == COMMAND_PREVIOUS_SPAN || command == COMMAND_NEXT_SPAN)
		return step(page, session, command == COMMAND_NEXT_SPAN, count > 0 ? count : 1);
	return walk_command(&page->walk, session, command, count, argument);
}

static void
page_name_settings(
	const void *state, const struct session *session, const struct setting_sink *sink)
{
	const struct page *page = state;
	const struct slices *slices = session->trace->slices;
	track_ref track = slices_track_of_column(slices, page->slice.column);
	setting_tell_number(
		sink, "depth", page->slice.column - slices_track_at(slices, track)->first_column);
}

/* To the slice at another depth that holds the cursor. */
static void
page_set(void *state, struct session *session, const char *const *settings, size_t count)
{
	struct page *page = state;
	const struct slices *slices = session->trace->slices;
	const struct track *track =
		slices_track_at(slices, slices_track_of_column(slices, page->slice.column));
	struct error err;
	error_clear(&err);
	for (size_t i = 0; i < count; i++) {
		int64_t depth;
		struct slice slice;
		if (!setting_number(settings[i], "depth", 0, (int64_t)track->depth_count - 1, &depth) ||
			!slices_at(slices, track->first_column + (column_ref)depth,
				session->cursor_ns, &slice)) {
			session_status(session, true, "no slice is there at that depth");
			continue;
		}
		page_job_stop(&page->job);
		page->slice = slice;
		if (!begin(page, session, &err))
			session_status(session, true, "%s", err.message);
	}
}

static bool
page_lacks(const void *state, enum command command)
{
	(void)state;
	return command == COMMAND_WAKER || command == COMMAND_EDIT;
}

static void
write_title(const struct page *page, struct text *title, bool ascii)
{
	const struct slices *slices = page->trace->slices;
	const struct track *track =
		slices_track_at(slices, slices_track_of_column(slices, page->slice.column));
	name_string(title, page->trace, page->slice.name, ascii);
	if (track->owner == TRACK_OF_JOB || track->owner == TRACK_OF_TRACE)
		return;
	text_add_string(title, ascii ? " - " : " – ");
	if (track->owner == TRACK_OF_ACTOR)
		name_actor(title, page->trace, track->ref, ascii);
	else
		name_processor(title, page->trace, track->ref);
}

static void
page_draw(void *state, struct session *session, struct canvas *canvas)
{
	struct page *page = state;
	struct sheet sheet;
	struct text title = { 0 };
	bool is_there = page_job_has_answer(&page->job);
	if (is_there && walk_begins(&page->walk, session, canvas, &sheet)) {
		write_times(page, &sheet);
		write_place(page, &sheet);
		write_details(page, &sheet);
		write_above(page, &sheet);
		write_kins(page, &sheet);
		write_longest(page, &sheet);
		write_beside(page, &sheet);
		write_named(page, &sheet);
	}
	write_title(page, &title, canvas->ascii);
	walk_draw(&page->walk, text_string(&title), canvas);
	text_release(&title);
	if (page->walk.lines.count == 0)
		page_job_draw(&page->job, canvas);
}

const struct view_ops slice_view = {
	.name = "slice",
	.context = IN_WALK | IN_DETAIL,
	.open = page_open,
	.close = page_close,
	.command = page_command,
	.lacks = page_lacks,
	.look = page_look,
	.renew = page_renew,
	.draw = page_draw,
	.place = walk_view_place,
	.go_to_place = walk_view_go_to_place,
	.name_settings = page_name_settings,
	.set = page_set,
	.position = walk_view_position,
};

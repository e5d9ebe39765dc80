/* The timeline's ways from span to span, and to matches of a search. */
#include <string.h>

#include "base/units.h"
#include "draw/names.h"
#include "draw/strip.h"
#include "draw/task_rows.h"
#include "query/search.h"
#include "trace/lane.h"
#include "trace/words.h"
#include "view/causes.h"
#include "view/interval.h"
#include "view/timeline_state.h"
#include "view/verdict.h"

static const struct view_answer redraw = { .reaction = VIEW_REDRAW };
static const struct view_answer redraw_step = { .reaction = VIEW_REDRAW, .push_history = true };

static struct view_answer
go_to_lane(const struct timeline_request *request, struct lane lane, int64_t t_ns)
{
	struct error err;
	error_clear(&err);
	if (!timeline_go_to_lane(request->timeline, request->session, lane, t_ns, &err))
		return timeline_say(request, true, err.message);
	return redraw_step;
}

/* ---- neighbours */

static const struct row *
selected_row(const struct timeline_request *request)
{
	const struct timeline *timeline = request->timeline;
	static const struct row none = { .type = ROW_TYPE_COUNT };
	return timeline->cursor_row < timeline->rows.count
		       ? &timeline->rows.items[timeline->cursor_row]
		       : &none;
}

static bool
neighbour_on_lane(
	const struct timeline_request *request, struct lane lane, bool forward, struct span *span)
{
	const struct trace *trace = request->session->trace;
	int64_t t_ns = request->session->cursor_ns;
	struct span here;
	if (lane.type == LANE_GROUP || lane.type == LANE_ALL)
		return false;
	if (lane_span_at(trace, lane, t_ns, &here))
		return forward ? lane_after(trace, lane, &here, span)
			       : lane_before(trace, lane, &here, span);
	return forward ? lane_next(trace, lane, t_ns, CLASS_MASK_ALL, span)
		       : lane_previous(trace, lane, t_ns, CLASS_MASK_ALL, span);
}

/* Whether the selected row is one of slices, and which. */
static bool
on_slices(const struct timeline *timeline, struct slice_row *slices)
{
	size_t row = timeline->cursor_row;
	if (row >= timeline->rows.count)
		return false;
	uint8_t type = timeline->rows.items[row].type;
	if (type != ROW_SLICES && type != ROW_PROCESSOR_SLICES)
		return false;
	*slices = rows_slices(&timeline->rows, row);
	return true;
}

bool
timeline_slice(const struct timeline *timeline, const struct session *session, struct slice *slice)
{
	struct slice_row slices;
	int64_t from_ns, until_ns;
	if (!on_slices(timeline, &slices))
		return false;
	timeline_cell(timeline, session, &from_ns, &until_ns);
	return slice_row_at(&slices, session->cursor_ns, from_ns, until_ns, slice);
}

bool
timeline_whole_slice(
	const struct timeline *timeline, const struct session *session, struct slice *slice)
{
	struct slice_row slices;
	if (!timeline_slice(timeline, session, slice) || !on_slices(timeline, &slices))
		return false;
	slice_row_whole(&slices, session->trace, slice);
	return true;
}

/* The begin of the next or previous slice on a row of them. */
static bool
neighbour_slice(const struct timeline_request *request, const struct slice_row *slices,
	bool forward, int64_t *start_ns)
{
	int64_t t_ns = request->session->cursor_ns;
	struct slice slice;
	if (forward ? t_ns == INT64_MAX ||
			      !slices_next(slices->slices, slices->column, t_ns + 1, &slice)
		    : !slices_previous(slices->slices, slices->column, t_ns, &slice))
		return false;
	*start_ns = slice.start_ns;
	return true;
}

/* The begin of the next or previous region on a row of them. */
static bool
neighbour_region(const struct timeline_request *request, bool forward, int64_t *start_ns)
{
	const struct trace *trace = request->session->trace;
	const struct timeline *timeline = request->timeline;
	range_ref region = region_row_beside(rows_regions(&timeline->rows, timeline->cursor_row),
		trace, request->session->cursor_ns, forward);
	if (region == REF_NONE)
		return false;
	*start_ns = trace_range(trace, region)->start_ns;
	return true;
}

static bool
neighbour_log(const struct timeline_request *request, bool forward, int64_t *time_ns)
{
	const struct trace *trace = request->session->trace;
	const struct timeline *timeline = request->timeline;
	const struct nest *nest = rows_nest(&timeline->rows, timeline->cursor_row);
	int64_t t_ns = request->session->cursor_ns;
	size_t at = instants_before(trace, nest->logs, nest->log_count, forward ? t_ns + 1 : t_ns);
	if (forward ? at == nest->log_count : at == 0)
		return false;
	*time_ns = trace_instant(trace, nest->logs[forward ? at : at - 1])->time_ns;
	return true;
}

static bool
neighbour_piece(const struct timeline_request *request, bool forward, int64_t *start_ns)
{
	const struct timeline *timeline = request->timeline;
	const struct task_lane *lane =
		task_rows_lane(timeline->rows.tasks, selected_row(request)->ref);
	if (lane == NULL || lane->life.piece_count == 0)
		return false;
	const struct task_life *life = &lane->life;
	int64_t t_ns = request->session->cursor_ns;
	size_t at = task_life_at(life, t_ns);
	if (at == SIZE_MAX) {
		at = forward ? 0 : life->piece_count - 1;
		if (forward != (t_ns < life->start_ns))
			return false;
	} else if (forward ? at + 1 == life->piece_count : at == 0) {
		return false;
	} else {
		at = forward ? at + 1 : at - 1;
	}
	*start_ns = life->pieces[at].start_ns;
	return true;
}

/* The start of the next or previous span, slice, wake, region or log of the selected row. */
static bool
neighbour_start(const struct timeline_request *request, bool forward, int64_t *start_ns)
{
	const struct row *row = selected_row(request);
	struct session *session = request->session;
	struct slice_row slices;
	struct span span;
	struct lane lane;
	if (on_slices(request->timeline, &slices))
		return neighbour_slice(request, &slices, forward, start_ns);
	if (row->type == ROW_TASK)
		return neighbour_piece(request, forward, start_ns);
	if (row->type == ROW_REGIONS)
		return neighbour_region(request, forward, start_ns);
	if (row->type == ROW_LOGS)
		return neighbour_log(request, forward, start_ns);
	if (row->type == ROW_SAMPLES) {
		lane = (struct lane){ LANE_ALL, 0 };
		return timeline_sample_beside(request, lane, forward, start_ns);
	}
	if (row->type == ROW_WAKES) {
		int64_t from_ns = session->cursor_ns + (forward ? 1 : 0);
		if (!wake_find(session->trace, (enum wake_row)row->ref, from_ns, forward, &span))
			return false;
	} else if (row->type == ROW_TYPE_COUNT ||
		   !row_lane(&request->timeline->rows, request->timeline->cursor_row, &lane) ||
		   !neighbour_on_lane(request, lane, forward, &span)) {
		return false;
	}
	*start_ns = span.start_ns;
	return true;
}

struct view_answer
timeline_neighbour(const struct timeline_request *request)
{
	bool forward = request->command == COMMAND_NEXT_SPAN;
	const struct row *row = selected_row(request);
	bool has_spans = row->type >= ROW_GC && row->type != ROW_SECTION &&
			 row->type != ROW_GROUP && row->type != ROW_TYPE_COUNT;
	if (!has_spans)
		return timeline_say(request, false, "no single spans on this row");
	for (long i = 0; i < request->count; i++) {
		int64_t start_ns;
		if (!neighbour_start(request, forward, &start_ns)) {
			if (i == 0)
				return timeline_say(request, false,
					forward ? "the last span of this row"
						: "the first span of this row");
			break;
		}
		timeline_go_to(request->timeline, request->session, start_ns);
	}
	return redraw_step;
}

/* ---- the longest */

/* The class that the cell under the cursor shows; CLASS_GONE for nothing. */
static uint8_t
shown_class(const struct timeline_request *request, struct lane lane)
{
	struct session *session = request->session;
	int64_t totals_ns[LOOK_COUNT] = { 0 }, from_ns, until_ns;
	struct span span;
	timeline_cell(request->timeline, session, &from_ns, &until_ns);
	if (lane_span_at(session->trace, lane, session->cursor_ns, &span))
		return (uint8_t)span.time_class;
	lane_totals(session->trace, lane, from_ns, until_ns, totals_ns);
	return strip_cell(totals_ns, until_ns - from_ns).look;
}

/* Of all members of a group: one question each. */
static bool
longest_of_group(
	const struct session *session, group_ref group, class_mask mask, struct span *longest)
{
	const struct trace *trace = session->trace;
	const struct group *members = &trace->groups[group];
	bool has_any = false;
	for (uint32_t i = 0; i < members->count; i++) {
		struct lane lane = { LANE_ACTOR, trace->group_members[members->first + i] };
		struct span span;
		if (!lane_longest(trace, lane, session->viewport.t0_ns, session->viewport.t1_ns,
			    mask, &span))
			continue;
		if (!has_any || span_within(&span, session->viewport.t0_ns, session->viewport.t1_ns) >
					span_within(longest, session->viewport.t0_ns, session->viewport.t1_ns))
			*longest = span;
		has_any = true;
	}
	return has_any;
}

/* What the spans of a lane are called. */
static const char *
kind_name(const struct words *words, struct lane lane, const struct span *span)
{
	if (lane.type == LANE_STW)
		return "stop-the-world";
	return lane.type == LANE_GC ? "mark phase" : class_name(words, span->time_class);
}

/* Of all slices of the row; it stays the selected one. */
static struct view_answer
longest_slice(const struct timeline_request *request, const struct slice_row *slices)
{
	struct session *session = request->session;
	struct slice slice;
	char duration[UNITS_TEXT];
	if (!slices_longest(slices->slices, slices->column, session->viewport.t0_ns,
		    session->viewport.t1_ns, &slice))
		return timeline_say(request, false, "no slice of this row is on the screen");
	struct text name = { 0 };
	name_string(&name, session->trace, slice.name, session->ascii);
	units_duration(duration, slice.end_ns - slice.start_ns, session->ascii);
	session_status(session, false, "longest slice on the screen: %s %s", text_string(&name),
		duration);
	text_release(&name);
	timeline_go_to(request->timeline, session,
		slice.start_ns < session->viewport.t0_ns ? session->viewport.t0_ns
							 : slice.start_ns);
	return redraw_step;
}

struct view_answer
timeline_longest(const struct timeline_request *request)
{
	struct session *session = request->session;
	struct slice_row slices;
	struct lane lane;
	struct span span;
	char duration[UNITS_TEXT];
	if (on_slices(request->timeline, &slices))
		return longest_slice(request, &slices);
	if (request->timeline->cursor_row >= request->timeline->rows.count ||
		!row_lane(&request->timeline->rows, request->timeline->cursor_row, &lane) ||
		lane.type == LANE_ALL || lane.type == LANE_TASK)
		return timeline_say(request, false, "no single spans on this row");
	uint8_t shown = shown_class(request, lane);
	class_mask mask = CLASS_MASK_ALL;
	if (shown != CLASS_GONE)
		mask = CLASS_BIT(shown);
	bool is_group = lane.type == LANE_GROUP;
	bool is_found = is_group ? longest_of_group(session, lane.ref, mask, &span)
				 : lane_longest(session->trace, lane, session->viewport.t0_ns,
					   session->viewport.t1_ns, mask, &span);
	if (!is_found)
		return timeline_say(request, false, "no span of this row is on the screen");
	if (is_group)
		lane = (struct lane){ LANE_ACTOR, span.actor };
	units_duration(duration, span.end_ns - span.start_ns, session->ascii);
	session_status(
		session, false, "longest %s on the screen: %s", kind_name(session->trace->words, lane, &span), duration);
	int64_t start_ns = span.start_ns;
	if (start_ns < session->viewport.t0_ns)
		start_ns = session->viewport.t0_ns;
	return go_to_lane(request, lane, start_ns);
}

/* ---- one actor and what touched it */

/* Back to all rows, on the lane where the cursor is. */
static struct view_answer
show_all(const struct timeline_request *request)
{
	struct timeline *timeline = request->timeline;
	struct session *session = request->session;
	struct lane lane = { LANE_ACTOR, timeline->rows.focus.actor };
	struct error err;
	error_clear(&err);
	if (session->has_lane)
		lane = session->lane;
	if (!timeline_focus_actor(timeline, session, REF_NONE, &err))
		return timeline_say(request, true, err.message);
	timeline->can_unfocus = false;
	return go_to_lane(request, lane, session->cursor_ns);
}

struct view_answer
timeline_focus(const struct timeline_request *request)
{
	struct timeline *timeline = request->timeline;
	struct session *session = request->session;
	actor_ref shown = timeline->rows.focus.actor, wanted;
	struct error err;
	task_ref task;
	error_clear(&err);
	if (timeline_task(timeline, &task))
		return timeline_focus_task(request, task);
	wanted = timeline_selected_actor(timeline, session);
	if (shown != REF_NONE && (wanted == REF_NONE || wanted == shown))
		return show_all(request);
	if (wanted == REF_NONE)
		return timeline_say_words(request, "no {actor} here to show alone");
	if (!timeline_focus_actor(timeline, session, wanted, &err))
		return timeline_say(request, true, err.message);
	timeline->can_unfocus = timeline->can_unfocus || shown == REF_NONE;
	return redraw_step;
}

/* What was opened by --goroutine has nothing beneath it: then this closes the view. */
struct view_answer
timeline_unfocus(const struct timeline_request *request)
{
	const struct timeline *timeline = request->timeline;
	if (timeline->rows.focus.actor == REF_NONE)
		return timeline_leave_tasks(request);
	if (!timeline->can_unfocus)
		return (struct view_answer){ .reaction = VIEW_NOTHING };
	return show_all(request);
}

/* ---- the waker */

struct view_answer
timeline_waker(const struct timeline_request *request)
{
	const struct trace *trace = request->session->trace;
	struct span span, ready;
	if (!timeline_span(request->timeline, request->session, &span) ||
		span.actor == REF_NONE)
		return timeline_say_words(request,
			causes_without_actor(request->session,
				"no {actor} here that something could have woken"));
	struct lane lane;
	if (!causes_waker(request->session, &span, &ready, &lane))
		return (struct view_answer){ .reaction = VIEW_REDRAW };
	struct text name = { 0 };
	name_actor(&name, trace, ready.actor, request->session->ascii);
	if (!name.failed)
		session_status(request->session, false, "here %s was woken", name.bytes);
	text_release(&name);
	return go_to_lane(request, lane, ready.start_ns);
}

/* ---- matches */

/* A search goes on at the other end of the trace, and says so. */
enum wrap { WRAP_NONE, WRAP_TO_FIRST, WRAP_TO_LAST };

static const char *const wrap_words[] = {
	[WRAP_NONE] = "",
	[WRAP_TO_FIRST] = "; search wrapped to the first match",
	[WRAP_TO_LAST] = "; search wrapped to the last match",
};

/* Where any slice matches, a search is about slices. */
static bool
are_slices(const struct session *session)
{
	return search_slice_count(session->search) > 0;
}

static uint64_t
match_count(const struct session *session)
{
	return are_slices(session) ? search_slice_count(session->search)
				   : search_count(session->search);
}

static void
tell_match(struct session *session, uint64_t index, enum wrap wrap)
{
	char number[UNITS_TEXT], count[UNITS_TEXT];
	units_count(number, index + 1);
	units_count(count, match_count(session));
	session_status(session, false, "match %s of %s%s%s", number, count,
		session->loading[0] != '\0' ? " so far"
		: session->trace->parts.count > 0 ? " in what is loaded" : "",
		wrap_words[wrap]);
}

/* ---- matches among slices */

bool
timeline_go_to_slice(struct timeline *timeline, struct session *session, const struct slice *slice,
	struct error *err)
{
	struct timeline_rows *rows = &timeline->rows;
	struct lane lane;
	column_ref first;
	uint32_t count;
	if (!slice_lane(session->trace, slice->column, &lane)) {
		timeline_go_to(timeline, session, slice->start_ns);
		return true;
	}
	if (!timeline_go_to_lane(timeline, session, lane, slice->start_ns, err))
		return false;
	size_t row = rows_find(rows, lane);
	if (row == ROW_NONE)
		return true;
	if (row_can_fold(rows, row) && !row_is_open(rows, row) && !rows_toggle(rows, row, err))
		return false;
	slice_rows_of(session->trace, lane, &first, &count);
	for (; row < rows->count; row++) {
		const struct row *at = &rows->items[row];
		if ((at->type != ROW_SLICES && at->type != ROW_PROCESSOR_SLICES) ||
			at->ref != lane.ref || at->part != slice->column - first)
			continue;
		timeline_select_row(timeline, session, row);
		break;
	}
	return true;
}

static struct view_answer
go_to_slice(const struct timeline_request *request, const struct slice *slice)
{
	struct error err;
	error_clear(&err);
	if (!timeline_go_to_slice(request->timeline, request->session, slice, &err))
		return timeline_say(request, true, err.message);
	return redraw_step;
}

/* Whether the cursor stands at the start of a matching slice, on its row, and on which. */
static bool
slice_under_cursor(const struct timeline_request *request, uint64_t *index)
{
	const struct session *session = request->session;
	struct slice_row row;
	if (!on_slices(request->timeline, &row))
		return false;
	for (*index = search_slices_before(session->search, session->cursor_ns);
		*index < search_slice_count(session->search); ++*index) {
		struct slice slice;
		search_slice(session->search, *index, &slice);
		if (slice.start_ns != session->cursor_ns)
			return false;
		if (row.slices == session->trace->slices && slice.column == row.column)
			return true;
	}
	return false;
}

/* The matching slice one on from the cursor; false behind the last one. */
static bool
slice_beside(const struct timeline_request *request, bool forward, uint64_t *index)
{
	const struct session *session = request->session;
	uint64_t here, count = search_slice_count(session->search);
	if (slice_under_cursor(request, &here))
		*index = forward ? here + 1 : here - 1;
	else if (forward)
		*index = session->cursor_ns == INT64_MAX
				 ? count
				 : search_slices_before(session->search, session->cursor_ns + 1);
	else
		*index = search_slices_before(session->search, session->cursor_ns) - 1;
	return *index < count; /* before the first one it has wrapped */
}

/* From the last one to the first one too. */
static struct view_answer
go_to_slice_beside(const struct timeline_request *request, bool forward, uint64_t *index,
	enum wrap *wrap)
{
	const struct session *session = request->session;
	struct slice slice;
	if (!slice_beside(request, forward, index)) {
		*wrap = forward ? WRAP_TO_FIRST : WRAP_TO_LAST;
		*index = forward ? 0 : search_slice_count(session->search) - 1;
	}
	search_slice(session->search, *index, &slice);
	return go_to_slice(request, &slice);
}

/* ---- matches among states */

/* Whether the cursor stands on a match, and on which. */
static bool
match_under_cursor(const struct timeline_request *request, uint64_t *index)
{
	struct session *session = request->session;
	struct span span;
	return timeline_span(request->timeline, session, &span) && span.kind != NULL &&
	       span.start_ns == session->cursor_ns &&
	       search_index(session->search, span.segment, span.state, index);
}

/* The match one on from the cursor; false behind the last one. */
static bool
match_beside(const struct timeline_request *request, bool forward, uint64_t *index, struct span *span)
{
	struct session *session = request->session;
	uint64_t here;
	if (match_under_cursor(request, &here)) {
		if (!forward && here == 0)
			return false;
		*index = forward ? here + 1 : here - 1;
		return search_match(session->search, *index, span);
	}
	if (!forward)
		return search_previous(session->search, session->cursor_ns, span, index);
	/* What begins at the very end is shown a moment before, and is not gone to from there again. */
	return search_next(session->search, session->cursor_ns, span, index) &&
	       interval_clamp(session, span->start_ns) != session->cursor_ns;
}

bool
timeline_match_ns(void *state, struct session *session, bool forward, int64_t *t_ns)
{
	const struct timeline_request request = { .timeline = state, .session = session };
	uint64_t index;
	struct slice slice;
	struct span span;
	if (session->search == NULL)
		return false;
	bool is_slice = are_slices(session);
	if (is_slice ? !slice_beside(&request, forward, &index) : !match_beside(&request, forward, &index, &span))
		return false;
	if (is_slice)
		search_slice(session->search, index, &slice);
	*t_ns = is_slice ? slice.start_ns : span.start_ns;
	return true;
}

/* The same; from the last one to the first one. False only without any. */
static bool
next_match(const struct timeline_request *request, bool forward, uint64_t *index, struct span *span,
	enum wrap *wrap)
{
	struct search *search = request->session->search;
	if (match_beside(request, forward, index, span))
		return true;
	uint64_t count = search_count(search);
	*wrap = forward ? WRAP_TO_FIRST : WRAP_TO_LAST;
	*index = forward || count == 0 ? 0 : count - 1;
	return search_match(search, *index, span);
}

static struct view_answer
go_to_found(const struct timeline_request *request, const struct span *span)
{
	struct lane lane = { LANE_ACTOR, span->actor };
	return go_to_lane(request, lane, span->start_ns);
}

static struct view_answer
go_to_match(const struct timeline_request *request, bool forward)
{
	struct view_answer answer = redraw;
	enum wrap wrap = WRAP_NONE;
	for (long i = 0; i < request->count; i++) {
		struct span span;
		uint64_t index = 0;
		if (are_slices(request->session)) {
			answer = go_to_slice_beside(request, forward, &index, &wrap);
			if (answer.push_history)
				tell_match(request->session, index, wrap);
			continue;
		}
		if (!next_match(request, forward, &index, &span, &wrap))
			return timeline_say(request, false, "nothing matches");
		answer = go_to_found(request, &span);
		if (answer.push_history)
			tell_match(request->session, index, wrap);
	}
	return answer;
}

struct view_answer
timeline_next_match(const struct timeline_request *request)
{
	bool forward = request->command == COMMAND_NEXT_MATCH;
	if (request->session->search == NULL)
		return timeline_say(request, false,
			request->session->searching != NULL ? "the search goes on"
							    : "nothing is searched: / begins");
	return go_to_match(request, forward);
}

/* What was searched where that is not all: " in the first 1.2 s", " in what is loaded". */
static void
name_part(char *part, size_t size, const struct session *session)
{
	char duration[UNITS_TEXT];
	part[0] = '\0';
	if (session->trace->parts.count > 0)
		snprintf(part, size, " in what is loaded");
	else if (session->panes != NULL)
		snprintf(part, size, " in this trace");
	if (session->loading[0] == '\0')
		return;
	units_duration(duration, session->trace->end_ns, session->ascii);
	snprintf(part, size, " in the first %s", duration);
}

static void
tell_search(struct session *session, const struct error *note, enum wrap wrap)
{
	char count[UNITS_TEXT];
	uint64_t matches = match_count(session);
	units_count(count, matches);
	session_tell_else(session);
	session->tells_search = true;
	if (note->kind == ERROR_NONE) {
		char part[UNITS_TEXT + 16];
		name_part(part, sizeof part, session);
		session_status(session, matches == 0, "%s %s%s%s", count,
			matches == 1 ? "match" : "matches", part, wrap_words[wrap]);
		return;
	}
	struct text safe = { 0 };
	text_add_safe(&safe, note->message, strlen(note->message), session->ascii);
	session_status(session, true, "%s matches; %s", count, text_string(&safe));
	text_release(&safe);
}

/* Goes to the match at the cursor or, as n does, to the nearest one after it. */
static struct view_answer
go_to_nearest(const struct timeline_request *request, enum wrap *wrap)
{
	struct span span;
	uint64_t index;
	if (are_slices(request->session))
		return slice_under_cursor(request, &index)
			       ? redraw
			       : go_to_slice_beside(request, true, &index, wrap);
	if (match_under_cursor(request, &index))
		return redraw;
	if (!next_match(request, true, &index, &span, wrap)) {
		*wrap = WRAP_NONE; /* there is nowhere to go */
		return redraw;
	}
	return go_to_found(request, &span);
}

struct view_answer
timeline_search(const struct timeline_request *request)
{
	struct error note;
	error_clear(&note);
	if (request->argument != NULL &&
		!session_search(request->session, request->argument, &note))
		return timeline_say(request, true, note.message);
	return redraw;
}

/* Who has gone elsewhere meanwhile is not taken away from there. */
struct view_answer
timeline_take_search(const struct timeline_request *request, const struct error *note)
{
	struct session *session = request->session;
	struct view_answer answer = redraw;
	enum wrap wrap = WRAP_NONE;
	if (session->search == NULL)
		return timeline_say(request, true, note->message);
	if (session->is_repeated && !session->tells_search)
		return redraw;
	const struct lane *from = &session->searched_from_lane;
	if (!session->is_repeated && session->cursor_ns == session->searched_from_ns &&
		session->lane.type == from->type &&
		session->lane.ref == from->ref)
		answer = go_to_nearest(request, &wrap);
	tell_search(session, note, wrap);
	return answer;
}

struct view_answer
timeline_clear_search(const struct timeline_request *request)
{
	struct session *session = request->session;
	verdict_dismiss(session);
	if (session_stop_search(session))
		return timeline_say(request, false, "the search was cancelled");
	if (request->timeline->interacting != NULL)
		return timeline_cancel_interacts(request);
	if (timeline_forget_later(request->timeline))
		return timeline_say(request, false, "not looked for any more");
	if (session_unmark(session))
		return redraw;
	if (session->search != NULL) {
		session_drop_search(session);
		return redraw;
	}
	if (session->leads_back)
		return (struct view_answer){ .reaction = VIEW_NOTHING };
	if (session->filter_mode != FILTER_OFF) {
		session_drop_filter(session);
		timeline_follow_filter(request->timeline, session);
		return timeline_say(request, false, "the filter is gone: all is shown again");
	}
	return session_drop_path(session) ? redraw : timeline_unfocus(request);
}

/* The timeline's lanes: in which order they stand. */
#include <string.h>

#include "analysis/analysis.h"
#include "base/units.h"
#include "view/timeline_state.h"

static const struct view_answer redraw = { .reaction = VIEW_REDRAW };

/* The index of a word of which `most` there are; -1 for none, with an error that lists them. */
static int
find_word(const char *const *words, const char *word, struct error *err)
{
	struct text all = { 0 };
	for (int i = 0; words[i] != NULL; i++) {
		if (strcmp(words[i], word) == 0) {
			text_release(&all);
			return i;
		}
		text_format(&all, "%s%s", i > 0 ? " " : "", words[i]);
	}
	error_set(err, ERROR_USAGE, "%.40s is none of: %s", word, text_string(&all));
	text_release(&all);
	return -1;
}

/* The choice that was typed, else the one so many behind the one that holds; -1 for none such. */
static int
choose(const struct timeline_request *request, const char *const *words, int now, int count,
	struct error *err)
{
	if (request->argument != NULL)
		return find_word(words, request->argument, err);
	return (int)((now + request->count) % count);
}

static struct view_answer
arrange(const struct timeline_request *request, struct arrange_plan plan)
{
	struct error err;
	error_clear(&err);
	if (!session_arrange(request->session, plan, &err))
		return timeline_say(request, true, err.message);
	return redraw;
}

struct view_answer
timeline_group(const struct timeline_request *request)
{
	struct arrange_plan plan = request->session->plan;
	struct error err;
	error_clear(&err);
	int by = choose(request, group_by_words, (int)plan.by, GROUP_BY_COUNT, &err);
	if (by < 0)
		return timeline_say(request, true, err.message);
	plan.by = (enum group_by)by;
	if (plan.by == GROUP_BY_NAME)
		session_status(request->session, false, "{actors} are grouped by {name}");
	else
		session_status(request->session, false, "{actors} are grouped by %s", group_by_words[by]);
	return arrange(request, plan);
}

struct view_answer
timeline_sort(const struct timeline_request *request)
{
	struct arrange_plan plan = request->session->plan;
	struct error err;
	error_clear(&err);
	int sort = choose(request, lane_sort_words, (int)plan.sort, LANE_SORT_COUNT, &err);
	if (sort < 0)
		return timeline_say(request, true, err.message);
	while (request->argument == NULL && !analysis_applies(lane_sort_needs((enum lane_sort)sort),
						    request->session->trace))
		sort = (sort + 1) % LANE_SORT_COUNT;
	plan.sort = (enum lane_sort)sort;
	session_status(
		request->session, false, "{actors}: %s", lane_sort_title(plan.sort));
	return arrange(request, plan);
}

/* ---- hiding */

/* The rows without what is hidden now; the cursor's row, or the one that took its place, is selected. */
static struct view_answer
list_again(const struct timeline_request *request)
{
	struct timeline *timeline = request->timeline;
	struct session *session = request->session;
	struct error err;
	error_clear(&err);
	if (!rows_hide(&timeline->rows, &session->hidden, &err))
		return timeline_say(request, true, err.message);
	size_t count = timeline->rows.count;
	if (timeline->cursor_row >= count)
		timeline->cursor_row = count > 0 ? count - 1 : 0;
	timeline_select_row(timeline, session, timeline->cursor_row);
	return redraw;
}

struct view_answer
timeline_hide(const struct timeline_request *request)
{
	const struct timeline_rows *rows = &request->timeline->rows;
	struct session *session = request->session;
	struct lane lane;
	struct error err;
	error_clear(&err);
	bool is_track = request->timeline->cursor_row < rows->count &&
			row_lane(rows, request->timeline->cursor_row, &lane) &&
			lane.type <= LANE_GROUP;
	if (!is_track)
		return timeline_say_words(
			request, "only {processors}, {threads}, {actors} and {groups} can be hidden");
	if (rows->focus.actor != REF_NONE && lane.type == LANE_ACTOR &&
		lane.ref == rows->focus.actor)
		return timeline_say_words(request, "this {actor} is what is shown");
	if (!row_picks_add(&session->hidden, session->trace, row_of_lane(lane), &err))
		return timeline_say(request, true, err.message);
	row_picks_remove(&session->pinned, session->trace, row_of_lane(lane));
	session_status(session, false, "%zu hidden", session->hidden.count);
	return list_again(request);
}

struct view_answer
timeline_show_lanes(const struct timeline_request *request)
{
	struct session *session = request->session;
	struct lane lane = session->lane;
	bool has_lane = session->has_lane;
	struct error err;
	error_clear(&err);
	if (session->hidden.count == 0 && session->interacts.steps == 0)
		return timeline_say(request, false, "nothing is hidden");
	session->hidden.count = 0;
	session->interacts.steps = 0;
	timeline_follow_interacts(request->timeline, session);
	list_again(request);
	if (has_lane && !timeline_go_to_lane(
				request->timeline, session, lane, session->cursor_ns, &err))
		return timeline_say(request, true, err.message);
	return redraw;
}

/* ---- pinning */

/* The row of the track that a row is of; false for a heading. */
static bool
track_of(const struct timeline_rows *rows, size_t index, struct row *row)
{
	*row = rows->items[index];
	if (row->type == ROW_HEAP_UPPER)
		row->type = ROW_HEAP;
	if (row->type == ROW_STACK || row->type == ROW_SLICES)
		*row = (struct row){ .type = ROW_ACTOR, .ref = row->ref };
	if (row->type == ROW_PROCESSOR_SLICES)
		*row = (struct row){ .type = ROW_PROCESSOR, .ref = row->ref };
	if (row->type == ROW_REGIONS || row->type == ROW_LOGS)
		*row = row_of_lane(rows_nest(rows, index)->lane);
	return row_can_be_pinned((enum row_type)row->type);
}

/* What is pinned, and that not all of it stays where there is no room. */
static void
tell_pins(const struct timeline *timeline, struct session *session, bool is_pinned)
{
	char stay[UNITS_TEXT], count[UNITS_TEXT];
	const struct timeline_layout *layout = &timeline->layout;
	const char *what = is_pinned ? "pinned" : "no longer pinned";
	units_count(stay, (uint64_t)layout->pinned_lines);
	units_count(count, timeline->rows.pin_count);
	if (timeline->rows.pin_count > (size_t)layout->pinned_lines)
		session_status(session, false, "%s; of %s rows %s stay on top: half of the screen",
			what, count, stay);
	else
		session_status(session, false, "%s", what);
}

/* The cursor stays on its row, which stays on its line where it can. */
struct view_answer
timeline_pin(const struct timeline_request *request)
{
	struct timeline *timeline = request->timeline;
	struct session *session = request->session;
	struct timeline_rows *rows = &timeline->rows;
	struct error err;
	struct row track;
	error_clear(&err);
	if (timeline->cursor_row >= rows->count || !track_of(rows, timeline->cursor_row, &track))
		return timeline_say(request, false, "a heading cannot be pinned");
	struct row here = rows->items[timeline->cursor_row];
	int line = timeline_line_of(&timeline->layout, timeline->first_row, timeline->cursor_row);
	bool is_pinned = !row_picks_remove(&session->pinned, session->trace, track);
	if ((is_pinned && !row_picks_add(&session->pinned, session->trace, track, &err)) ||
		!rows_pin(rows, &session->pinned, &err))
		return timeline_say(request, true, err.message);
	size_t row = rows_find_again(rows, here, session->trace);
	if (row == ROW_NONE)
		row = timeline->cursor_row < rows->count ? timeline->cursor_row : 0;
	timeline_select_row(timeline, session, row);
	timeline_keep_line(timeline, line);
	tell_pins(timeline, session, is_pinned);
	return redraw;
}

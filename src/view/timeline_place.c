/* Where one stands among the rows, and what is folded: to come back to. */
#include "draw/rows_fold.h"
#include "view/timeline_state.h"

/* The heap's chart has a second row where there is room for it, and always counts as two lines. */
static bool
has_unseen(const struct timeline_rows *rows, size_t row)
{
	return rows->items[row].type == ROW_HEAP &&
	       (row == 0 || rows->items[row - 1].type != ROW_HEAP_UPPER);
}

static size_t
line_of(const struct timeline_rows *rows, size_t row)
{
	size_t line = row;
	for (size_t i = 0; i <= row && i < rows->count; i++)
		line += has_unseen(rows, i);
	return line;
}

static size_t
row_of(const struct timeline_rows *rows, size_t line)
{
	size_t row = 0;
	for (size_t next = 0; row < rows->count; row++) {
		next += has_unseen(rows, row) ? 2 : 1;
		if (next > line)
			break;
	}
	return row;
}

/* Whether the name of the lane leads to the row, and the screen then begins where it does. */
static bool
is_named(const struct timeline *timeline, const struct session *session)
{
	size_t row = timeline->cursor_row;
	size_t pinned = (size_t)timeline->layout.pinned_lines;
	size_t lines = timeline->layout.row_lines > 0 ? (size_t)timeline->layout.row_lines : 1;
	size_t first = row < lines ? pinned : row - lines + 1 + pinned;
	bool is_plain = session->has_lane && session->tasks == TASKS_OFF &&
			session->focus == REF_NONE && session->interacts.steps == 0 &&
			timeline->first_row == first;
	bool is_group = session->has_lane && session->lane.type == LANE_GROUP;
	return is_plain && !(is_group && trace_grouped_by(session->trace) != GROUP_BY_NAME) &&
	       rows_find(&timeline->rows, session->lane) == row;
}

bool
timeline_place(const void *state, const struct session *session, struct view_place *place)
{
	const struct timeline *timeline = state;
	*place = (struct view_place){
		.line = line_of(&timeline->rows, timeline->cursor_row),
		.top = line_of(&timeline->rows, timeline->first_row),
	};
	return !is_named(timeline, session);
}

static void
go_there(struct timeline *timeline, struct session *session, const struct view_place *place)
{
	timeline_follow_filter(timeline, session);
	timeline_follow_interacts(timeline, session);
	size_t row = row_of(&timeline->rows, place->line);
	if (row >= timeline->rows.count)
		row = timeline->rows.count > 0 ? timeline->rows.count - 1 : 0;
	timeline_select_row(timeline, session, row);
	timeline->first_row = row_of(&timeline->rows, place->top);
}

void
timeline_go_to_place(void *state, struct session *session, const struct view_place *place)
{
	struct timeline *timeline = state;
	go_there(timeline, session, place);
	timeline->wanted = *place;
	timeline->has_wanted = true;
}

void
timeline_go_where_wanted(struct timeline *timeline, struct session *session)
{
	if (!timeline->has_wanted || timeline->interacting != NULL)
		return;
	timeline->has_wanted = false;
	go_there(timeline, session, &timeline->wanted);
}

static task_ref
told_task(const struct session *session)
{
	return session->tasks != TASKS_OFF ? session->task : REF_NONE;
}

void
timeline_name_folds(const void *state, const struct session *session,
	void (*add)(void *context, const char *name), void *context)
{
	const struct timeline *timeline = state;
	rows_name_folds(&timeline->rows, told_task(session), add, context);
}

bool
timeline_fold_names(void *state, struct session *session, const char *const *names, size_t count,
	struct error *err)
{
	struct timeline *timeline = state;
	bool is_fine = rows_fold_names(&timeline->rows, told_task(session), names, count, err);
	if (timeline->cursor_row >= timeline->rows.count)
		timeline->cursor_row = 0;
	return is_fine;
}

/*
 * Commands that wait for what a thread finds in a large trace: the stack lanes of an actor, what ran
 * on a processor, and the tasks. The screen goes on meanwhile; then the last such command is carried out.
 */
#include <string.h>

#include "draw/rows_job.h"
#include "view/timeline.h"
#include "view/timeline_state.h"

static const char *
words_for(const struct timeline_later *later)
{
	return later->what.type == LANE_ACTOR       ? "looking for stacks; Escape stops that"
	       : later->what.type == LANE_PROCESSOR ? "looking for what ran there; Escape stops that"
						    : "looking for tasks; Escape stops that";
}

static void
tell(const struct timeline *timeline, struct session *session)
{
	session_status(session, false, "%s", words_for(&timeline->later));
}

static void
tell_no_more(const struct timeline *timeline, struct session *session)
{
	if (strcmp(session->status, words_for(&timeline->later)) == 0)
		session->status[0] = '\0';
}

/* False where no thread can be had. */
static bool
begin(struct timeline *timeline, const struct session *session)
{
	struct error ignored;
	error_clear(&ignored);
	timeline->later.job = rows_job_start(&timeline->rows, timeline->later.what,
		session->wake, session->wake_context, &ignored);
	return timeline->later.job != NULL;
}

bool
timeline_do_later(const struct timeline_request *request, struct lane what)
{
	struct timeline *timeline = request->timeline;
	struct timeline_later *later = &timeline->later;
	if (!rows_take_long(&timeline->rows, what))
		return false;
	later->command = request->command;
	later->count = request->count;
	later->what = what;
	/* One that goes on finds something else, or what is wanted: this is asked again after it. */
	later->is_wanted = later->job != NULL || begin(timeline, request->session);
	if (later->is_wanted)
		tell(timeline, request->session);
	return later->is_wanted;
}

/* The row that is selected, and its line on the screen, stay. */
static void
unfold(struct timeline *timeline, struct session *session, struct lane lane)
{
	struct timeline_rows *rows = &timeline->rows;
	struct row here = { .type = ROW_TYPE_COUNT };
	struct error err;
	size_t row = rows_find(rows, lane);
	int line = timeline_line_of(&timeline->layout, timeline->first_row, timeline->cursor_row);
	if (row == ROW_NONE || row_is_open(rows, row))
		return;
	if (timeline->cursor_row < rows->count)
		here = rows->items[timeline->cursor_row];
	error_clear(&err);
	if (!rows_toggle(rows, row, &err)) {
		session_status(session, true, "%s", err.message);
		return;
	}
	row = rows_find_again(rows, here, rows->trace);
	if (row != ROW_NONE)
		timeline_select_row(timeline, session, row);
	timeline_keep_line(timeline, line);
}

static void
do_it(struct timeline *timeline, struct session *session)
{
	struct timeline_request request = {
		.timeline = timeline,
		.session = session,
		.command = timeline->later.command,
		.count = timeline->later.count,
	};
	timeline->later.is_wanted = false;
	if (timeline->later.what.type == LANE_ACTOR)
		timeline_toggle_stacks(&request, timeline->later.what.ref);
	else if (timeline->later.what.type == LANE_PROCESSOR)
		unfold(timeline, session, timeline->later.what);
	else
		timeline_view.command(timeline, session, request.command, request.count, NULL);
}

bool
timeline_look_later(struct timeline *timeline, struct session *session)
{
	struct timeline_later *later = &timeline->later;
	struct error err;
	if (later->job == NULL)
		return false;
	if (!rows_job_is_done(later->job)) {
		if (later->is_wanted && session->status[0] == '\0')
			tell(timeline, session);
		return later->is_wanted;
	}
	error_clear(&err);
	tell_no_more(timeline, session);
	/* What was given up, and is wanted again since, begins once more. */
	bool may_do =
		rows_job_end(later->job, &timeline->rows, &err) || err.kind == ERROR_CANCELLED;
	later->job = NULL;
	if (later->is_wanted && may_do)
		do_it(timeline, session);
	else if (later->is_wanted)
		session_status(session, true, "%s", err.message);
	later->is_wanted = later->is_wanted && may_do;
	return true;
}

bool
timeline_forget_later(struct timeline *timeline)
{
	bool was_wanted = timeline->later.is_wanted;
	timeline->later.is_wanted = false;
	if (was_wanted && timeline->later.job != NULL)
		rows_job_cancel(timeline->later.job);
	return was_wanted;
}

void
timeline_stop_later(struct timeline *timeline)
{
	struct error ignored;
	error_clear(&ignored);
	rows_job_end(timeline->later.job, NULL, &ignored);
	timeline->later.job = NULL;
}

void
timeline_renew_later(struct timeline *timeline, const struct session *session)
{
	timeline->later.is_wanted = timeline->later.is_wanted && begin(timeline, session);
}

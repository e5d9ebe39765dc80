/* The timeline's marks. */
#include <string.h>

#include "base/banned.h"
#include "base/units.h"
#include "draw/time_form.h"
#include "trace/notes.h"
#include "view/timeline_state.h"

static const struct view_answer redraw = { .reaction = VIEW_REDRAW };

static const char letters[] = { [MARK_A] = 'A', [MARK_B] = 'B' };

/* An error of the notes, which may name a file. */
static struct view_answer
tell_error(struct session *session, const struct error *err)
{
	struct text safe = { 0 };
	text_add_safe(&safe, err->message, strlen(err->message), session->ascii);
	session_status(session, true, "%s", safe.failed ? "out of memory" : safe.bytes);
	text_release(&safe);
	return redraw;
}

/* Whether the mark stands in the cell of the cursor. */
static bool
is_here(const struct timeline_request *request, enum note_mark mark)
{
	const struct notes *notes = request->session->notes;
	int64_t from_ns, until_ns;
	timeline_cell(request->timeline, request->session, &from_ns, &until_ns);
	return notes->has_mark[mark] && from_ns <= notes->mark_ns[mark] &&
	       (notes->mark_ns[mark] < until_ns || notes->mark_ns[mark] == from_ns);
}

/* "A at 1.2034 s, 35.7 ms before B" */
static void
tell_mark(const struct timeline_request *request, enum note_mark mark)
{
	struct session *session = request->session;
	const struct notes *notes = session->notes;
	enum note_mark other = mark == MARK_A ? MARK_B : MARK_A;
	int64_t t_ns = notes->mark_ns[mark], per_cell_ns;
	char moment[UNITS_TEXT], distance[UNITS_TEXT];
	per_cell_ns = viewport_span(session->viewport) / request->timeline->layout.cells;
	time_form_write(moment, time_form_of(session->trace, session->is_wall, session->ascii),
		t_ns, per_cell_ns > 0 ? per_cell_ns : 1, t_ns > 0 ? t_ns : 1);
	if (!notes->has_mark[other]) {
		session_status(session, false, "%c at %s", letters[mark], moment);
		return;
	}
	int64_t behind_ns = t_ns - notes->mark_ns[other];
	units_duration(distance, behind_ns < 0 ? -behind_ns : behind_ns, session->ascii);
	session_status(session, false, "%c at %s, %s %s %c", letters[mark], moment, distance,
		behind_ns < 0 ? "before" : "after", letters[other]);
}

static struct view_answer
toggle_mark(const struct timeline_request *request, enum note_mark mark)
{
	struct session *session = request->session;
	struct notes_change change = { NOTES_MARK, mark, session->cursor_ns, NULL, NULL, NULL };
	struct error err;
	error_clear(&err);
	if (session->notes == NULL)
		return (struct view_answer){ .reaction = VIEW_NOTHING };
	if (is_here(request, mark))
		change.act = NOTES_UNMARK;
	bool is_kept = session->change_notes(session->note_context, &change, &err);
	session->is_between = change.act == NOTES_MARK;
	session->has_mark = false;
	if (!is_kept)
		return tell_error(session, &err);
	if (change.act == NOTES_MARK)
		tell_mark(request, mark);
	else
		session_status(session, false, "the mark %c is gone", letters[mark]);
	return redraw;
}

struct view_answer
timeline_mark_ab(const struct timeline_request *request)
{
	return toggle_mark(request, request->command == COMMAND_MARK_A ? MARK_A : MARK_B);
}

struct view_answer
timeline_mark(const struct timeline_request *request)
{
	struct session *session = request->session;
	const char *argument = request->argument;
	if (argument == NULL) {
		if (session->has_mark)
			session_unmark(session);
		else
			session_mark(session, session->cursor_ns);
		return redraw;
	}
	if (strcmp(argument, "a") == 0 || strcmp(argument, "A") == 0)
		return toggle_mark(request, MARK_A);
	if (strcmp(argument, "b") == 0 || strcmp(argument, "B") == 0)
		return toggle_mark(request, MARK_B);
	session_status(session, true, "the marks are a and b");
	return redraw;
}

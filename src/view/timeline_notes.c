/* The timeline's marks and bookmarks. */
#include <string.h>

#include "base/units.h"
#include "draw/time_form.h"
#include "trace/lane_name.h"
#include "trace/notes.h"
#include "view/bookmarks.h"
#include "view/timeline_state.h"

static const struct view_answer redraw = { .reaction = VIEW_REDRAW };

static const char letters[] = { [MARK_A] = 'A', [MARK_B] = 'B' };

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
	if (session->notes == NULL)
		return (struct view_answer){ .reaction = VIEW_NOTHING };
	if (is_here(request, mark))
		change.act = NOTES_UNMARK;
	bool is_kept = bookmarks_change(session, &change);
	session->is_between = change.act == NOTES_MARK;
	session->has_mark = false;
	if (!is_kept)
		return redraw;
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

/* ---- bookmarks */

/* The name of the selected row, "" where it has none that a line of text can hold. */
static const char *
row_name(const struct session *session, struct text *name)
{
	if (session->has_lane)
		lane_name_add(name, session->trace, session->lane);
	for (size_t i = 0; i < name->length; i++) {
		if ((unsigned char)name->bytes[i] < ' ' || name->bytes[i] == 0x7f)
			return "";
	}
	bool fits = !name->failed && name->length > 0 && name->length <= NOTES_MOST_TEXT;
	return fits ? name->bytes : "";
}

struct view_answer
timeline_bookmark(const struct timeline_request *request)
{
	struct session *session = request->session;
	struct text row = { 0 };
	if (session->notes == NULL || request->argument == NULL)
		return (struct view_answer){ .reaction = VIEW_NOTHING };
	struct notes_change change = {
		.act = NOTES_PUT,
		.t_ns = session->cursor_ns,
		.name = request->argument,
		.row = row_name(session, &row),
	};
	bool is_kept = bookmarks_change(session, &change);
	text_release(&row);
	return is_kept ? bookmarks_ask_note(session, request->argument) : redraw;
}

struct view_answer
timeline_annotate(const struct timeline_request *request)
{
	if (request->argument == NULL)
		return (struct view_answer){ .reaction = VIEW_NOTHING };
	return bookmarks_take_note(request->session, request->argument);
}

struct view_answer
timeline_list_bookmarks(const struct timeline_request *request)
{
	(void)request;
	return (struct view_answer){ .reaction = VIEW_OPEN, .open_name = "bookmarks" };
}

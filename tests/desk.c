/* A session with an open timeline. */
#include "desk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "query/search_job.h"

static bool
change_notes(void *context, const struct notes_change *change, struct error *err)
{
	return notes_make(context, change, err);
}

void
desk_begin(struct desk *desk, struct trace *trace)
{
	*desk = (struct desk){ .trace = trace };
	desk->session = (struct session){
		.trace = trace,
		.file_name = "a.trace",
		.file_word = "a.trace",
		.viewport = { 0, trace->end_ns },
		.cursor_ns = trace->end_ns / 2,
		.focus = REF_NONE,
		.notes = &desk->notes,
		.change_notes = change_notes,
		.note_context = &desk->notes,
	};
}

void
desk_show(struct desk *desk, int height)
{
	desk->timeline = timeline_view.open(&desk->session, &desk->err);
	assert_non_null(desk->timeline);
	assert_true(canvas_resize(&desk->canvas, DESK_WIDTH, height, &desk->err));
	desk_draw(desk);
}

void
desk_draw(struct desk *desk)
{
	canvas_clear(&desk->canvas);
	timeline_view.draw(desk->timeline, &desk->session, &desk->canvas);
}

void
desk_close(struct desk *desk)
{
	if (desk->timeline != NULL)
		timeline_view.close(desk->timeline);
	session_release(&desk->session);
	notes_release(&desk->notes);
	canvas_release(&desk->canvas);
	trace_free(desk->trace);
}

struct view_answer
desk_take_search(struct desk *desk)
{
	struct error note = { 0 };
	search_job_wait(desk->session.searching);
	assert_true(session_take_search(&desk->session, &note));
	struct view_answer answer =
		timeline_view.search_taken(desk->timeline, &desk->session, &note);
	session_go_on(&desk->session);
	return answer;
}

/* To a time that was typed: since the start, from the cursor, a share of the trace, or of day. */
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/clock.h"
#include "base/units.h"
#include "draw/time_form.h"
#include "trace/notes.h"
#include "view/timeline_state.h"

static const struct view_answer redraw = { .reaction = VIEW_REDRAW };
static const struct view_answer redraw_step = { .reaction = VIEW_REDRAW, .push_history = true };

static bool
parse_percent(const char *text, size_t length, int64_t end_ns, int64_t *t_ns)
{
	char number[32], *rest = NULL;
	if (length == 0 || length >= sizeof number)
		return false;
	memcpy(number, text, length);
	number[length] = '\0';
	if (strspn(number, "0123456789.") != length)
		return false;
	double percent = strtod(number, &rest);
	if (*rest != '\0' || percent > 100)
		return false;
	*t_ns = (int64_t)(percent / 100 * (double)end_ns);
	return true;
}

/* A duration; a bare number has the unit of the ruler. */
static bool
parse_duration(const char *text, size_t length, const struct session *session, int64_t *t_ns,
	struct error *err)
{
	char with_unit[32];
	bool is_bare = length > 0 && strspn(text, "+-0123456789.") >= length;
	if (!is_bare || session->is_wall || length >= sizeof with_unit - 2)
		return units_parse_duration(text, t_ns, err);
	snprintf(with_unit, sizeof with_unit, "%.*s%s", (int)length, text,
		units_moment_unit(session->viewport.t1_ns));
	return units_parse_duration(with_unit, t_ns, err);
}

/* "A" or "b", whether that is set or not. */
static bool
names_mark(const char *text, size_t length, enum note_mark *mark)
{
	char letter = length == 1 ? text[0] : '\0';
	*mark = letter == 'a' || letter == 'A' ? MARK_A : MARK_B;
	return *mark == MARK_A || letter == 'b' || letter == 'B';
}

static bool
find_mark(const struct session *session, enum note_mark mark, int64_t *t_ns, struct error *err)
{
	const struct notes *notes = session->notes;
	if (notes == NULL || !notes->has_mark[mark])
		return error_set(err, ERROR_USAGE, "mark %c is not set", mark == MARK_A ? 'A' : 'B');
	*t_ns = notes->mark_ns[mark];
	return true;
}

/* A mark, an absolute time, one from the cursor on if it has a sign, a time of day, or a part of the trace. */
static bool
parse_moment(const char *text, const struct session *session, int64_t *t_ns, struct error *err)
{
	enum note_mark mark;
	text += strspn(text, " ");
	size_t length = strlen(text);
	while (length > 0 && text[length - 1] == ' ')
		length--;
	if (length > 0 && text[length - 1] == '%') {
		if (parse_percent(text, length - 1, session->trace->end_ns, t_ns))
			return true;
		return error_set(
			err, ERROR_USAGE, "a part of the trace is written as 42%% or 99.5%%");
	}
	if (names_mark(text, length, &mark))
		return find_mark(session, mark, t_ns, err);
	if (clock_is_meant(text))
		return wall_clock_parse(
			&session->trace->wall, text, session->trace->end_ns, t_ns, err);
	if (!parse_duration(text, length, session, t_ns, err))
		return false;
	bool is_from_cursor = text[0] == '+' || text[0] == '-';
	*t_ns = is_from_cursor ? saturating_add_i64(session->cursor_ns, *t_ns)
			       : saturating_sub_i64(*t_ns, trace_ungrouped(session->trace)->told_ns);
	return true;
}

static void
tell_extent(struct session *session, bool by_wall)
{
	enum { STEPS = 1000 };
	char start[UNITS_TEXT] = "0", end[UNITS_TEXT];
	struct viewport extent = session_extent(session);
	int64_t step_ns = viewport_span(extent) / STEPS + 1;
	struct time_form form = time_form_of(session->trace, by_wall, session->ascii);
	if (form.wall != NULL || form.told_ns != 0 || extent.t0_ns != 0) {
		time_form_write(start, form, extent.t0_ns, step_ns, viewport_span(extent));
		time_form_write(end, form, extent.t1_ns, step_ns, viewport_span(extent));
	} else {
		units_duration(end, extent.t1_ns, session->ascii);
	}
	session_status(session, false, "%s from %s to %s",
		session->panes != NULL ? "the traces are" : "the trace is", start, end);
}

struct view_answer
timeline_jump(const struct timeline_request *request)
{
	struct session *session = request->session;
	struct error err;
	int64_t t_ns = 0;
	error_clear(&err);
	if (request->argument == NULL)
		return redraw;
	if (!parse_moment(request->argument, session, &t_ns, &err))
		return timeline_say(request, true, err.message);
	struct viewport extent = session_extent(session);
	if (t_ns < extent.t0_ns || t_ns >= extent.t1_ns) {
		tell_extent(session, clock_is_meant(request->argument));
	}
	timeline_go_to(request->timeline, session, t_ns);
	return redraw_step;
}

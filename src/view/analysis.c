/* From one analysis to another, and back to the timeline. */
#include "view/analysis.h"

#include <string.h>

#include "analysis/task_index.h"
#include "draw/names.h"
#include "draw/task_words.h"
#include "trace/lane.h"
#include "trace/lane_name.h"
#include "trace/task_times.h"

/* ---- to whom it is limited */

void
analysis_add_subject_name(
	const struct analysis_scope *scope, const struct trace *trace, struct text *out)
{
	size_t length;
	const char *function = trace_text(trace, scope->function, &length);
	if (scope->actor != REF_NONE)
		lane_name_add(out, trace, (struct lane){ LANE_ACTOR, scope->actor });
	else if (scope->task != REF_NONE)
		lane_name_add(out, trace, (struct lane){ LANE_TASK, scope->task });
	else if (scope->function != STRING_EMPTY)
		text_add(out, function, length);
}

void
analysis_add_subject(const struct analysis_scope *scope, const struct trace *trace, bool ascii,
	struct text *out)
{
	if (scope->actor != REF_NONE)
		name_actor(out, trace, scope->actor, ascii);
	else if (scope->task != REF_NONE)
		task_words_name(out, trace, scope->task, ascii);
	else if (scope->function != STRING_EMPTY)
		name_string(out, trace, scope->function, ascii);
}

/* ---- going on */

void
analysis_ask(struct session *session, const char *name)
{
	text_clear(&session->asked_analysis);
	text_add_string(&session->asked_analysis, name);
}

/* By its name the app finds the view that shows it. */
static struct view_answer
open_asked(const struct session *session)
{
	const struct text *asked = &session->asked_analysis;
	return (struct view_answer){
		.reaction = VIEW_OPEN, .open_name = text_string(asked)
	};
}

struct view_answer
analysis_open_of(struct session *session, const char *name, const struct analysis_scope *scope)
{
	struct text whole = { 0 }, subject = { 0 };
	text_add_string(&whole, name);
	analysis_add_subject_name(scope, session->trace, &subject);
	if (subject.length > 0) {
		text_add_string(&whole, "@");
		text_add(&whole, subject.bytes, subject.length);
	}
	analysis_ask(session, text_string(&whole));
	text_release(&whole);
	text_release(&subject);
	return open_asked(session);
}

struct view_answer
analysis_open(struct session *session, const char *name)
{
	analysis_ask(session, name);
	return open_asked(session);
}

void
analysis_add_parameter(struct text *name, const char *parameter, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		text_add(name, &parameter[i], 1);
		if (parameter[i] == '@')
			text_add(name, "@", 1);
	}
}

struct view_answer
analysis_open_parameter(
	struct session *session, const char *name, const char *parameter, size_t length)
{
	struct text whole = { 0 };
	if (length > 0 && memchr(parameter, '\0', length) != NULL) {
		session_status(session, true, "a name with a zero byte in it cannot be asked for");
		return (struct view_answer){ .reaction = VIEW_REDRAW };
	}
	text_format(&whole, "%s:", name);
	analysis_add_parameter(&whole, parameter, length);
	struct view_answer answer = analysis_open(session, text_string(&whole));
	text_release(&whole);
	return answer;
}

struct view_answer
analysis_leave(struct session *session, struct lane lane, int64_t from_ns, int64_t until_ns)
{
	const struct trace *trace = session->trace;
	session->lane = lane;
	session->has_lane = true;
	session->cursor_ns = from_ns;
	session->viewport = viewport_fit(
		from_ns, until_ns > from_ns ? until_ns : from_ns + 1, 1, trace->end_ns);
	return (struct view_answer){ .reaction = VIEW_LEAVE, .push_history = true };
}

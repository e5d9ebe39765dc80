/* The table of analyses, their names to and fro, and the way from one to another. */
#include "view/analyses.h"

#include <string.h>

#include "analysis/registry.h"
#include "analysis/task_index.h"
#include "base/compiler.h"
#include "draw/names.h"
#include "draw/task_words.h"
#include "trace/lane.h"
#include "trace/lane_name.h"
#include "trace/regroup.h"
#include "trace/task_times.h"
#include "trace/words.h"
#include "view/analysis.h"
#include "view/analysis_kinds.h"
#include "view/durations.h"

/* What the registry has as well is shown by the page that stands here, which has more. */
static const struct analyses_row rows[] = {
	{ "analyses", &menu_analysis, 0, NULL },
	{ "top", &profile_analysis, 0, NULL },
	{ "tree", &profile_analysis, 1, NULL },
	{ "flame", &profile_analysis, 2, NULL },
	{ "histogram", &durations_analysis, DURATIONS_HISTOGRAM, &latency_kind },
	{ "heat", &durations_analysis, DURATIONS_HEAT, &latency_kind },
	{ "mmu", &mmu_analysis, 0, &mmu_kind },
	{ "utilisation", &utilisation_analysis, 0, &utilisation_kind },
	{ "heap", &utilisation_analysis, 1, NULL },
	{ "diff", &diff_functions_analysis, 0, NULL },
	{ "diff-regions", &diff_regions_analysis, 0, NULL },
	{ "diff-top", &diff_profile_analysis, 0, NULL },
	{ "diff-tree", &diff_profile_analysis, 1, NULL },
	{ "diff-flame", &diff_profile_analysis, 2, NULL },
};

bool
analyses_row(size_t index, struct analyses_row *row)
{
	if (index < ARRAY_LENGTH(rows)) {
		*row = rows[index];
		return true;
	}
	const struct analysis_kind *kind = registry_at(index - ARRAY_LENGTH(rows));
	if (kind == NULL)
		return false;
	*row = (struct analyses_row){ kind->name, &table_analysis, 0, kind };
	/* One that has a page of its own under another name is that page. */
	for (size_t i = ARRAY_LENGTH(rows); i-- > 0;)
		if (rows[i].kind == kind)
			*row = (struct analyses_row){ kind->name, rows[i].ops, rows[i].form, kind };
	return true;
}

int
analyses_next_form(const struct analysis *analysis)
{
	int next = -1;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		if (rows[i].ops != analysis->ops || rows[i].form == analysis->form)
			continue;
		if (rows[i].form == analysis->form + 1)
			return rows[i].form;
		if (rows[i].form == 0)
			next = 0;
	}
	return next;
}

/* ---- names */

static bool
find_row(const char *name, size_t length, struct analyses_row *row)
{
	const char *own = registry_own_name(name, length);
	if (own != NULL) {
		name = own;
		length = strlen(own);
	}
	for (size_t i = 0; analyses_row(i, row); i++) {
		if (strlen(row->name) == length && memcmp(row->name, name, length) == 0)
			return true;
	}
	return false;
}

unsigned
analyses_limits_of(const struct analyses_row *row)
{
	return row->kind != NULL ? row->kind->limits : row->ops->limits;
}

bool
analyses_cut(const char *name, struct name_parts *parts)
{
	size_t length = strcspn(name, ":@");
	const char *at = name + length + (name[length] == ':');
	*parts = (struct name_parts){ 0 };
	bool is_found = find_row(name, length, &parts->row);
	for (; *at != '\0' && (*at != '@' || at[1] == '@'); at++) {
		at += *at == '@';
		text_add(&parts->parameter, at, 1);
	}
	if (*at == '@')
		parts->subject = at + 1;
	return is_found && !parts->parameter.failed;
}

void
analyses_release_parts(struct name_parts *parts)
{
	text_release(&parts->parameter);
}

const char *
analyses_parameter_of(const struct name_parts *parts)
{
	return text_string(&parts->parameter);
}

bool
analyses_take_parameter(const struct name_parts *parts)
{
	struct error ignored;
	bool (*accepts)(const char *text, size_t from, struct error *why) =
		parts->row.kind != NULL ? parts->row.kind->accepts : parts->row.ops->accepts;
	if (accepts == NULL)
		return parts->parameter.length == 0;
	error_clear(&ignored);
	return accepts(analyses_parameter_of(parts), 0, &ignored);
}

bool
analyses_have(const char *name)
{
	struct name_parts parts;
	bool have = analyses_cut(name, &parts) && analyses_take_parameter(&parts);
	analyses_release_parts(&parts);
	return have;
}

bool
analyses_is_chart(const char *name)
{
	struct name_parts parts;
	bool is_chart = analyses_cut(name, &parts) && parts.row.ops->is_chart;
	analyses_release_parts(&parts);
	return is_chart;
}

unsigned
analyses_limits(const char *name)
{
	struct name_parts parts;
	unsigned limits = analyses_cut(name, &parts) ? analyses_limits_of(&parts.row) : 0;
	analyses_release_parts(&parts);
	return limits;
}

void
analyses_add_name(const struct analysis *analysis, const struct trace *trace, struct text *out)
{
	const char *name = analysis->kind != NULL ? analysis->kind->name : "";
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		if (rows[i].ops == analysis->ops && rows[i].form == analysis->form)
			name = rows[i].name;
	}
	text_add_string(out, registry_shown_name(name, trace->words));
	if (analysis->parameter.length > 0) {
		text_add_string(out, ":");
		analysis_add_parameter(out, analysis->parameter.bytes, analysis->parameter.length);
	}
	struct text subject = { 0 };
	analysis_add_subject_name(&analysis->scope, trace, &subject);
	if (subject.length > 0) {
		text_add_string(out, "@");
		text_add(out, subject.bytes, subject.length);
	}
	text_release(&subject);
}

/* ---- what an analysis is of */

bool
analyses_find_subject(struct analysis_scope *scope, const struct trace *trace, const char *name)
{
	struct lane lane;
	trace = trace_ungrouped(trace);
	if (!lane_name_find(trace, name, &lane))
		return false;
	if (lane.type == LANE_ACTOR)
		scope->actor = lane.ref;
	else if (lane.type == LANE_TASK)
		scope->task = lane.ref;
	else if (lane.type == LANE_GROUP)
		scope->function = trace->groups[lane.ref].name;
	else
		return false;
	return true;
}

bool
analyses_limit(const struct session *session, const struct name_parts *parts, struct analysis_scope *scope,
	struct error *err)
{
	unsigned limits = analyses_limits_of(&parts->row);
	*scope = (struct analysis_scope){
		.actor = REF_NONE, .task = REF_NONE, .function = STRING_EMPTY,
		.has_other = session->other != NULL,
		.with_runtime = session->with_runtime && (limits & ANALYSIS_BY_RUNTIME) != 0,
	};
	scope->is_all = !session_marked(session, &scope->t0_ns, &scope->t1_ns) ||
			scope->t0_ns == scope->t1_ns;
	if (parts->subject == NULL)
		return true;
	if (!analyses_find_subject(scope, session->trace, parts->subject)) {
		struct text words = { 0 };
		text_format_words(&words, session->trace->words,
			"there is no {actor}, {task} or function %s", parts->subject);
		error_set(err, ERROR_USAGE, "%s", text_string(&words));
		text_release(&words);
		return false;
	}
	if ((scope->actor != REF_NONE && (limits & ANALYSIS_BY_ACTOR) == 0) ||
		(scope->task != REF_NONE && (limits & ANALYSIS_BY_TASK) == 0) ||
		(scope->function != STRING_EMPTY && (limits & ANALYSIS_BY_FUNCTION) == 0))
		return error_set(err, ERROR_USAGE, "%s is of the whole program, not of %s",
			parts->row.name, parts->subject);
	return true;
}

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

/* ---- from one to another, and back to the timeline */

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

/* The table of analyses; names to and fro. */
#include <string.h>

#include "base/compiler.h"
#include "trace/lane_name.h"
#include "trace/regroup.h"
#include "trace/words.h"
#include "view/analyses_internal.h"
#include "view/analysis_kinds.h"
#include "view/durations.h"

static const struct analyses_row rows[] = {
	{ "analyses", &menu_analysis, 0 },
	{ "goroutines", &actors_analysis, 0 },
	{ "function", &function_analysis, 0 },
	{ "gc", &gc_analysis, 0 },
	{ "longest", &longest_analysis, 0 },
	{ "tasks", &tasks_analysis, 0 },
	{ "regions", &regions_analysis, 0 },
	{ "region", &region_analysis, 0 },
	{ "top", &profile_analysis, 0 },
	{ "tree", &profile_analysis, 1 },
	{ "flame", &profile_analysis, 2 },
	{ "histogram", &durations_analysis, DURATIONS_HISTOGRAM },
	{ "heat", &durations_analysis, DURATIONS_HEAT },
	{ "mmu", &mmu_analysis, 0 },
	{ "utilisation", &utilisation_analysis, 0 },
	{ "heap", &utilisation_analysis, 1 },
	{ "diff", &diff_functions_analysis, 0 },
	{ "diff-regions", &diff_regions_analysis, 0 },
	{ "diff-top", &diff_profile_analysis, 0 },
	{ "diff-tree", &diff_profile_analysis, 1 },
	{ "diff-flame", &diff_profile_analysis, 2 },
};

const struct analyses_row *
analyses_row(size_t index)
{
	return index < ARRAY_LENGTH(rows) ? &rows[index] : NULL;
}

const struct analyses_row *
analyses_next_form(const struct analysis *analysis)
{
	const struct analyses_row *next = NULL;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		if (rows[i].ops != analysis->ops || rows[i].form == analysis->form)
			continue;
		if (rows[i].form == analysis->form + 1)
			return &rows[i];
		if (rows[i].form == 0)
			next = &rows[i];
	}
	return next;
}

/* ---- names */

static const struct analyses_row *
find_row(const char *name, size_t length)
{
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		if (strlen(rows[i].name) == length && memcmp(rows[i].name, name, length) == 0)
			return &rows[i];
	}
	return NULL;
}

bool
analyses_cut(const char *name, struct name_parts *parts)
{
	size_t length = strcspn(name, ":@");
	const char *at = name + length + (name[length] == ':');
	*parts = (struct name_parts){ .row = find_row(name, length) };
	for (; *at != '\0' && (*at != '@' || at[1] == '@'); at++) {
		at += *at == '@';
		text_add(&parts->parameter, at, 1);
	}
	if (*at == '@')
		parts->subject = at + 1;
	return parts->row != NULL && !parts->parameter.failed;
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
	if (parts->row->ops->accepts == NULL)
		return parts->parameter.length == 0;
	return parts->row->ops->accepts(analyses_parameter_of(parts));
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
	bool is_chart = analyses_cut(name, &parts) && parts.row->ops->is_chart;
	analyses_release_parts(&parts);
	return is_chart;
}

unsigned
analyses_limits(const char *name)
{
	struct name_parts parts;
	unsigned limits = analyses_cut(name, &parts) ? parts.row->ops->limits : 0;
	analyses_release_parts(&parts);
	return limits;
}

void
analyses_add_name(const struct analysis *analysis, const struct trace *trace, struct text *out)
{
	const char *name = "";
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		if (rows[i].ops == analysis->ops && rows[i].form == analysis->form)
			name = rows[i].name;
	}
	text_add_string(out, name);
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
	unsigned limits = parts->row->ops->limits;
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
			parts->row->name, parts->subject);
	return true;
}

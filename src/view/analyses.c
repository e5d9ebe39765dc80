/* The table of analyses, and their names to and fro. */
#include "view/analyses.h"

#include <assert.h>
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

/* What the registry has as well is shown by the page that stands here, which has more. */
static const struct analyses_row rows[] = {
	{ "analyses", &menu_analysis, 0, NULL },
	{ "top", &profile_analysis, 0, &top_kind },
	{ "tree", &profile_analysis, 1, &top_kind },
	{ "flame", &profile_analysis, 2, &top_kind },
	{ "histogram", &durations_analysis, 0, &latency_kind },
	{ "heat", &durations_analysis, 1, &latency_kind },
	{ "histogram", &histogram_analysis, 0, &histogram_kind },
	{ "bars", &histogram_analysis, 1, &histogram_kind },
	{ "mmu", &mmu_analysis, 0, &mmu_kind },
	{ "utilisation", &utilisation_analysis, 0, &utilisation_kind },
	{ "heap", &utilisation_analysis, 1, NULL },
	{ "diff", &diff_functions_analysis, 0, NULL },
	{ "diff-regions", &diff_regions_analysis, 0, NULL },
	{ "diff-top", &diff_profile_analysis, 0, &top_kind },
	{ "diff-tree", &diff_profile_analysis, 1, &top_kind },
	{ "diff-flame", &diff_profile_analysis, 2, &top_kind },
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
	bool means_histograms = registry_means_histograms(name);
	const char *own = registry_own_name(name, length);
	if (own != NULL) {
		name = own;
		length = strlen(own);
	}
	for (size_t i = 0; analyses_row(i, row); i++) {
		if (strlen(row->name) == length && memcmp(row->name, name, length) == 0 &&
			(!means_histograms || row->kind == &histogram_kind))
			return true;
	}
	return false;
}

struct analysis_choice
analysis_choose(const char *name)
{
	struct analysis_choice choice = { .row = { 0 } };
	size_t length = strcspn(name, ":");
	bool is_there = find_row(name, length, &choice.row);
	assert(is_there);
	(void)is_there;
	choice.parameter = name + length + (name[length] == ':');
	choice.length = strlen(choice.parameter);
	return choice;
}

bool
analyses_read(const char *name, struct analysis_choice *choice, struct text *parameter,
	const char **subject)
{
	struct error ignored;
	size_t length = strcspn(name, ":@");
	const char *at = name + length + (name[length] == ':');
	*choice = (struct analysis_choice){ .row = { 0 } };
	if (!find_row(name, length, &choice->row))
		return false;
	for (; *at != '\0' && (*at != '@' || at[1] == '@'); at++) {
		at += *at == '@';
		text_add(parameter, at, 1);
	}
	*subject = *at == '@' ? at + 1 : NULL;
	choice->parameter = text_string(parameter);
	choice->length = parameter->length;
	error_clear(&ignored);
	void *read = NULL;
	bool is_fine = !parameter->failed &&
		       analysis_read(choice->row.kind, choice->parameter, 0, &read, &ignored);
	analysis_forget(choice->row.kind, read);
	return is_fine;
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
		for (size_t i = 0; i < analysis->parameter.length; i++) {
			bool is_doubled = analysis->parameter.bytes[i] == '@';
			text_add(out, &analysis->parameter.bytes[i], 1);
			text_add_string(out, is_doubled ? "@" : "");
		}
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

unsigned
analyses_limits(const struct analysis_ops *ops, const struct analysis_kind *kind)
{
	return kind != NULL ? kind->limits : ops->limits;
}

bool
analyses_limit(const struct session *session, const struct analysis_choice *choice,
	struct analysis_scope *scope, struct error *err)
{
	unsigned limits = analyses_limits(choice->row.ops, choice->row.kind);
	const struct analysis_scope *of = choice->of;
	*scope = (struct analysis_scope){
		.actor = of != NULL ? of->actor : REF_NONE,
		.task = of != NULL ? of->task : REF_NONE,
		.function = of != NULL ? of->function : STRING_EMPTY,
		.has_other = session->other != NULL,
		.with_runtime = session->with_runtime && (limits & ANALYSIS_BY_RUNTIME) != 0,
	};
	scope->is_all = !session_marked(session, &scope->t0_ns, &scope->t1_ns) ||
			scope->t0_ns == scope->t1_ns;
	if ((scope->actor == REF_NONE || (limits & ANALYSIS_BY_ACTOR) != 0) &&
		(scope->task == REF_NONE || (limits & ANALYSIS_BY_TASK) != 0) &&
		(scope->function == STRING_EMPTY || (limits & ANALYSIS_BY_FUNCTION) != 0))
		return true;
	struct text subject = { 0 };
	analysis_add_subject_name(scope, session->trace, &subject);
	error_set(err, ERROR_USAGE, "%s is of the whole program, not of %s", choice->row.name,
		text_string(&subject));
	text_release(&subject);
	return false;
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

/* ---- back to the timeline */

struct view_answer
analysis_leave(struct session *session, struct lane lane, int64_t from_ns, int64_t until_ns)
{
	session->lane = lane;
	session->has_lane = true;
	session->cursor_ns = from_ns;
	session->viewport = viewport_fit(
		from_ns, until_ns > from_ns ? until_ns : from_ns + 1, 1, session_extent(session));
	return (struct view_answer){ .reaction = VIEW_LEAVE, .push_history = true };
}

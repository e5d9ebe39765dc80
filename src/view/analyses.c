/* The table of analyses; names to and fro; which results are kept. */
#include "view/analyses.h"

#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "trace/lane_name.h"
#include "trace/regroup.h"
#include "view/analysis_job.h"
#include "view/analysis_kinds.h"
#include "view/durations.h"

static const struct analyses_row rows[] = {
	{ "analyses", &menu_analysis, 0 },
	{ "goroutines", &goroutines_analysis, 0 },
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

/* A name in its parts; to be released. */
struct name_parts {
	const struct analyses_row *row;
	struct text parameter; /* behind the colon */
	const char *subject;   /* NULL for none */
};

static const struct analyses_row *
find_row(const char *name, size_t length)
{
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		if (strlen(rows[i].name) == length && memcmp(rows[i].name, name, length) == 0)
			return &rows[i];
	}
	return NULL;
}

/*
 * In a parameter @@ stands for an @, since a single one is what the subject comes behind. False where
 * there is no such analysis; its parameter may still be wrong.
 */
static bool
cut(const char *name, struct name_parts *parts)
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

static void
release_parts(struct name_parts *parts)
{
	text_release(&parts->parameter);
}

static const char *
parameter_of(const struct name_parts *parts)
{
	return parts->parameter.length > 0 ? parts->parameter.bytes : "";
}

static bool
takes_parameter(const struct name_parts *parts)
{
	if (parts->row->ops->accepts == NULL)
		return parts->parameter.length == 0;
	return parts->row->ops->accepts(parameter_of(parts));
}

bool
analyses_have(const char *name)
{
	struct name_parts parts;
	bool have = cut(name, &parts) && takes_parameter(&parts);
	release_parts(&parts);
	return have;
}

bool
analyses_is_chart(const char *name)
{
	struct name_parts parts;
	bool is_chart = cut(name, &parts) && parts.row->ops->is_chart;
	release_parts(&parts);
	return is_chart;
}

unsigned
analyses_limits(const char *name)
{
	struct name_parts parts;
	unsigned limits = cut(name, &parts) ? parts.row->ops->limits : 0;
	release_parts(&parts);
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

static bool
find_subject(const struct trace *trace, const char *name, struct analysis_scope *scope)
{
	struct lane lane;
	trace = trace_ungrouped(trace);
	if (!lane_name_find(trace, name, &lane))
		return false;
	if (lane.type == LANE_GOROUTINE)
		scope->goroutine = lane.ref;
	else if (lane.type == LANE_TASK)
		scope->task = lane.ref;
	else if (lane.type == LANE_GROUP)
		scope->function = trace->groups[lane.ref].name;
	else
		return false;
	return true;
}

/* The subject as the analysis can be limited to; else nothing is limited so. */
static bool
limit(const struct session *session, const struct name_parts *parts, struct analysis_scope *scope,
	struct error *err)
{
	unsigned limits = parts->row->ops->limits;
	*scope = (struct analysis_scope){
		.goroutine = REF_NONE, .task = REF_NONE, .function = STRING_EMPTY
	};
	scope->is_all = !session_marked(session, &scope->t0_ns, &scope->t1_ns) ||
			scope->t0_ns == scope->t1_ns;
	if (parts->subject == NULL)
		return true;
	if (!find_subject(session->trace, parts->subject, scope))
		return error_set(err, ERROR_USAGE, "there is no goroutine, task or function %s",
			parts->subject);
	if ((scope->goroutine != REF_NONE && (limits & ANALYSIS_BY_GOROUTINE) == 0) ||
		(scope->task != REF_NONE && (limits & ANALYSIS_BY_TASK) == 0) ||
		(scope->function != STRING_EMPTY && (limits & ANALYSIS_BY_FUNCTION) == 0))
		return error_set(err, ERROR_USAGE, "%s is of the whole program, not of %s",
			parts->row->name, parts->subject);
	return true;
}

static void
set_times(struct analysis_scope *scope, const struct trace *trace)
{
	if (!scope->is_all)
		return;
	scope->t0_ns = trace->start_ns;
	scope->t1_ns = trace->end_ns < INT64_MAX ? trace->end_ns + 1 : INT64_MAX;
}

/* ---- those that are kept */

static bool
is_same_scope(const struct analysis_scope *a, const struct analysis_scope *b)
{
	bool is_same_time = a->is_all ? b->is_all
				      : !b->is_all && a->t0_ns == b->t0_ns && a->t1_ns == b->t1_ns;
	return is_same_time && a->goroutine == b->goroutine && a->task == b->task &&
	       a->function == b->function;
}

static bool
is_text(const struct text *text, const char *bytes, size_t length)
{
	return text->length == length && (length == 0 || memcmp(text->bytes, bytes, length) == 0);
}

static void
free_analysis(struct analysis *analysis)
{
	if (analysis->numbers != NULL)
		analysis->ops->release(analysis->numbers);
	if (analysis->ops->end != NULL)
		analysis->ops->end(analysis->state);
	memory_free(analysis->state);
	text_release(&analysis->parameter);
	text_release(&analysis->query);
	memory_free(analysis);
}

static const char *
query_of(const struct session *session, const struct analysis_ops *ops, size_t *length)
{
	const struct text *query = session_filter_text(session);
	bool has_filter = query != NULL && query->length > 0 &&
			  (ops->limits & ANALYSIS_BY_QUERY) != 0;
	*length = has_filter ? query->length : 0;
	return has_filter ? query->bytes : "";
}

static struct analysis *
find_kept(const struct session *session, const struct name_parts *parts, const struct analysis_scope *scope)
{
	size_t length;
	const char *query = query_of(session, parts->row->ops, &length);
	for (size_t i = 0; i < session->analyses.count; i++) {
		struct analysis *analysis = session->analyses.kept[i];
		if (analysis->ops == parts->row->ops &&
			is_text(&analysis->parameter, parameter_of(parts),
				parts->parameter.length) &&
			is_text(&analysis->query, query, length) &&
			is_same_scope(&analysis->scope, scope))
			return analysis;
	}
	return NULL;
}

/* The one that was not open for the longest time goes. */
static bool
make_room(struct analyses *analyses, struct error *err)
{
	size_t oldest = ANALYSES_KEPT;
	if (analyses->count < ANALYSES_KEPT)
		return true;
	for (size_t i = 0; i < analyses->count; i++) {
		const struct analysis *analysis = analyses->kept[i];
		if (analysis->open_count == 0 &&
			(oldest == ANALYSES_KEPT || analysis->used < analyses->kept[oldest]->used))
			oldest = i;
	}
	if (oldest == ANALYSES_KEPT)
		return error_set(err, ERROR_LIMIT, "too many analyses are open: close one first");
	free_analysis(analyses->kept[oldest]);
	analyses->kept[oldest] = analyses->kept[--analyses->count];
	return true;
}

/* What stands there until numbers are made, which it does not pass for. */
static bool
show_sketch(const struct session *session, struct analysis *analysis, struct error *err)
{
	if (analysis->ops->sketch == NULL)
		return true;
	analysis->numbers = analysis->ops->sketch(&analysis->scope, err);
	if (analysis->numbers == NULL)
		return false;
	analysis->snapshot = session->snapshot - 1;
	if (analysis->ops->made != NULL)
		analysis->ops->made(analysis);
	return true;
}

static struct analysis *
new_analysis(struct session *session, const struct name_parts *parts, const struct analysis_scope *scope,
	struct error *err)
{
	size_t length, state_size = parts->row->ops->state_size;
	const char *query = query_of(session, parts->row->ops, &length);
	struct analysis *analysis = NULL;
	if (make_room(&session->analyses, err))
		analysis = array_new(1, sizeof *analysis, err);
	if (analysis == NULL)
		return NULL;
	*analysis = (struct analysis){ .ops = parts->row->ops, .scope = *scope,
		.owner = &session->analyses };
	error_clear(&analysis->failure);
	text_add(&analysis->parameter, parameter_of(parts), parts->parameter.length);
	text_add(&analysis->query, query, length);
	analysis->state = array_new(1, state_size > 0 ? state_size : 1, err);
	if (analysis->parameter.failed || analysis->query.failed)
		error_set_memory(err, "the analysis");
	else if (analysis->state != NULL && show_sketch(session, analysis, err)) {
		session->analyses.kept[session->analyses.count++] = analysis;
		return analysis;
	}
	free_analysis(analysis);
	return NULL;
}

/* ---- jobs */

/* Frees those of the cancelled that are done; all of them if one may wait for that. */
static void
clear_left(struct analyses *analyses, bool may_wait)
{
	for (size_t i = 0; i < ANALYSES_LEFT; i++) {
		if (analyses->left[i] == NULL ||
			(!may_wait && !analysis_job_is_done(analyses->left[i])))
			continue;
		analysis_job_drop(analyses->left[i]);
		analyses->left[i] = NULL;
	}
}

/* A cancelled job is not waited for, unless too many are. */
static void
leave_job(struct analysis *analysis)
{
	struct analyses *analyses = analysis->owner;
	struct analysis_job *job = analysis->job;
	analysis->job = NULL;
	if (job == NULL)
		return;
	analysis_job_cancel(job);
	clear_left(analyses, false);
	for (size_t i = 0; i < ANALYSES_LEFT; i++) {
		if (analyses->left[i] == NULL) {
			analyses->left[i] = job;
			return;
		}
	}
	analysis_job_drop(job);
}

static bool
begin(struct session *session, struct analysis *analysis, struct error *err)
{
	set_times(&analysis->scope, session->trace);
	analysis->begun_snapshot = session->snapshot;
	analysis->job = analysis_job_start(
		analysis, session->trace, session->wake, session->wake_context, err);
	return analysis->job != NULL;
}

bool
analyses_renew(struct session *session, struct analysis *analysis, struct error *err)
{
	bool is_made = analysis->numbers != NULL && analysis->snapshot == session->snapshot;
	return analysis->job != NULL || is_made || begin(session, analysis, err);
}

bool
analyses_change(struct session *session, struct analysis *analysis, const char *parameter,
	struct error *err)
{
	text_clear(&analysis->parameter);
	text_add_string(&analysis->parameter, parameter);
	analysis->snapshot = session->snapshot - 1; /* what is shown is of another parameter */
	leave_job(analysis);
	return begin(session, analysis, err);
}

static struct analysis *
open_parts(struct session *session, const struct name_parts *parts, struct error *err)
{
	struct analysis_scope scope;
	if (!limit(session, parts, &scope, err))
		return NULL;
	struct analysis *analysis = find_kept(session, parts, &scope);
	if (analysis == NULL)
		analysis = new_analysis(session, parts, &scope, err);
	if (analysis == NULL || !analyses_renew(session, analysis, err))
		return NULL;
	analysis->form = parts->row->form;
	analysis->used = ++session->analyses.used;
	analysis->open_count++;
	return analysis;
}

struct analysis *
analyses_open(struct session *session, const char *name, struct error *err)
{
	struct name_parts parts;
	struct analysis *analysis = NULL;
	if (cut(name, &parts) && takes_parameter(&parts))
		analysis = open_parts(session, &parts, err);
	else
		error_set(err, ERROR_USAGE, "there is no analysis %s", name);
	release_parts(&parts);
	return analysis;
}

bool
analyses_cancel(struct analysis *analysis)
{
	if (analysis->job == NULL)
		return false;
	leave_job(analysis);
	if (analysis->numbers == NULL)
		error_set(&analysis->failure, ERROR_CANCELLED, "cancelled");
	return true;
}

void
analyses_close(struct analysis *analysis)
{
	if (--analysis->open_count > 0)
		return;
	leave_job(analysis);
}

static void
take_numbers(struct analysis *analysis)
{
	struct error err;
	error_clear(&err);
	void *numbers = analysis_job_end(analysis->job, &err);
	analysis->job = NULL;
	analysis->failure = err;
	if (numbers == NULL)
		return;
	if (analysis->numbers != NULL)
		analysis->ops->release(analysis->numbers);
	analysis->numbers = numbers;
	analysis->snapshot = analysis->begun_snapshot;
	if (analysis->ops->made != NULL)
		analysis->ops->made(analysis);
}

bool
analyses_look(struct session *session, struct analysis *analysis)
{
	struct error err;
	clear_left(analysis->owner, false);
	if (analysis->job == NULL)
		return false;
	if (!analysis_job_is_done(analysis->job))
		return true;
	take_numbers(analysis);
	error_clear(&err);
	if (analysis->begun_snapshot != session->snapshot && !begin(session, analysis, &err))
		analysis->failure = err;
	return true;
}

void
session_drop_analyses(struct session *session)
{
	struct analyses *analyses = &session->analyses;
	for (size_t i = 0; i < analyses->count; i++) {
		analysis_job_drop(analyses->kept[i]->job);
		free_analysis(analyses->kept[i]);
	}
	clear_left(analyses, true);
	*analyses = (struct analyses){ 0 };
}

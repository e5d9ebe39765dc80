/* Which analyses are kept, and the making of their numbers on threads. */
#include "view/analyses.h"

#include <string.h>

#include "base/job.h"
#include "base/memory.h"
#include "query/query.h"
#include "query/search.h"
#include "view/other.h"
#include "view/session.h"

/* ---- making numbers */

struct analysis_job {
	const struct analysis_ops *ops;
	const struct analysis_kind *kind;
	struct trace *trace, *other; /* the other one is NULL where it has no say */
	void *parameter; /* as the kind has read it */
	struct text query;
	struct analysis_work work, other_work;
	struct job run;
	/* The worker's until it is done. */
	void *numbers;
	struct error err;
};

/* The spans that the query matches; a pattern of it that does not compile is plain text. */
static struct search *
search_spans(struct analysis_job *job, struct analysis_work *work)
{
	struct error note;
	error_clear(&note);
	struct query *query = query_new(job->query.bytes, work->trace->words, &note);
	struct search *search = NULL;
	if (query != NULL) {
		error_clear(&note);
		search = search_with(work->trace, query, &work->watch, &note);
	}
	query_free(query);
	if (search == NULL)
		job->err = note;
	return search;
}

/* In each trace, as there is one, what the query matches; then the numbers. */
static void
work(void *context)
{
	struct analysis_job *job = context;
	bool has_query = job->query.length > 0, has_other = job->work.other != NULL;
	if (has_query)
		job->work.only = search_spans(job, &job->work);
	if (has_query && has_other && job->work.only != NULL)
		job->other_work.only = search_spans(job, &job->other_work);
	if (!has_query || (job->work.only != NULL && (!has_other || job->other_work.only != NULL)))
		job->numbers = job->ops->build(&job->work, &job->err);
	search_free(job->work.only);
	search_free(job->other_work.only);
}

static void
free_job(struct analysis_job *job)
{
	analysis_forget(job->kind, job->parameter);
	text_release(&job->query);
	trace_free(job->trace);
	trace_free(job->other);
	memory_free(job);
}

/* ---- the other trace */

/* The whole trace, where all of it is meant. */
static void
set_times(struct analysis_scope *scope, const struct trace *trace)
{
	if (!scope->is_all)
		return;
	scope->t0_ns = trace->start_ns;
	scope->t1_ns = trace->end_ns < INT64_MAX ? trace->end_ns + 1 : INT64_MAX;
}

/*
 * Of its actor or task of the same number, its actors of the same start function, and the same time
 * since its start, as far as it has those.
 */
static void
add_other(struct analysis_job *job, const struct trace *other)
{
	struct analysis_scope scope = job->work.scope, whole = { .is_all = true };
	struct text name = { 0 };
	analysis_add_subject_name(&scope, job->trace, &name);
	scope.actor = REF_NONE;
	scope.task = REF_NONE;
	scope.function = STRING_EMPTY;
	bool is_there = name.length == 0 || analyses_find_subject(&scope, other, name.bytes);
	text_release(&name);
	set_times(&whole, other);
	if (scope.is_all || scope.t1_ns > whole.t1_ns)
		scope.t1_ns = whole.t1_ns;
	if (scope.is_all || scope.t0_ns < whole.t0_ns)
		scope.t0_ns = whole.t0_ns;
	if (!is_there || scope.t0_ns >= scope.t1_ns)
		return;
	job->other = trace_hold(other);
	job->other_work = (struct analysis_work){
		.trace = other, .scope = scope, .parameter = job->work.parameter
	};
	job->work.other = &job->other_work;
}

/* ---- its end */

/*
 * Begins ops->build() of what the analysis says, of the session's trace and, where it is there and
 * has a say, the other one; the job takes part in owning them. When it is done the session is woken.
 */
static struct analysis_job *
analysis_job_start(const struct analysis *analysis, const struct session *session, struct error *err)
{
	struct analysis_job *job = memory_realloc(NULL, sizeof *job);
	if (job == NULL) {
		error_set_memory(err, "the analysis");
		return NULL;
	}
	*job = (struct analysis_job){
		.ops = analysis->ops, .kind = analysis->kind, .trace = trace_hold(session->trace)
	};
	error_clear(&job->err);
	text_copy(&job->query, &analysis->query);
	bool is_read = analysis_read(
		analysis->kind, analysis_parameter(analysis), 0, &job->parameter, err);
	job->work.trace = session->trace;
	job->work.kind = analysis->kind;
	job->work.scope = analysis->scope;
	job->work.beneath = session->beneath;
	job->work.parameter = job->parameter;
	if (analysis->has_other)
		add_other(job, session->other->trace);
	if (job->query.failed)
		error_set_memory(err, "the analysis");
	else if (!is_read && err->kind == ERROR_NONE)
		error_set(err, ERROR_USAGE, "there is no %s:%s", analysis->kind->name,
			analysis_parameter(analysis));
	else if (is_read && job_start(&job->run, work, job, session->wake, session->wake_context, err))
		return job;
	free_job(job);
	return NULL;
}

/* Of both traces, of which each takes its time. */
int
analyses_percent(const struct analysis_job *job)
{
	int percent = search_watch_percent(&job->work.watch);
	if (job->work.other == NULL)
		return percent;
	return (percent + search_watch_percent(&job->other_work.watch)) / 2;
}

/* Nobody wants the numbers any more: does not wait. */
static void
analysis_job_cancel(struct analysis_job *job)
{
	atomic_store_explicit(&job->work.watch.is_cancelled, true, memory_order_relaxed);
	atomic_store_explicit(&job->other_work.watch.is_cancelled, true, memory_order_relaxed);
}

/* Waits; the numbers, or NULL and err, are the caller's. */
static void *
analysis_job_end(struct analysis_job *job, struct error *err)
{
	job_wait(&job->run);
	void *numbers = job->numbers;
	if (numbers == NULL)
		*err = job->err;
	free_job(job);
	return numbers;
}

/* The same without taking them. */
static void
analysis_job_drop(struct analysis_job *job)
{
	struct error ignored;
	if (job == NULL)
		return;
	const struct analysis_ops *ops = job->ops;
	analysis_job_cancel(job);
	void *numbers = analysis_job_end(job, &ignored);
	if (numbers != NULL)
		ops->release(numbers);
}

/* ---- those that are kept */

static bool
is_same_scope(const struct analysis_scope *a, const struct analysis_scope *b)
{
	bool is_same_time = a->is_all ? b->is_all
				      : !b->is_all && a->t0_ns == b->t0_ns && a->t1_ns == b->t1_ns;
	return is_same_time && a->actor == b->actor && a->task == b->task &&
	       a->function == b->function && a->with_runtime == b->with_runtime;
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
	text_release(&analysis->made_parameter);
	text_release(&analysis->query);
	memory_free(analysis);
}

static const char *
query_of(const struct session *session, const struct analyses_row *row, size_t *length)
{
	const struct text *query = session_filter_text(session);
	bool has_filter = query != NULL && query->length > 0 &&
			  (analyses_limits(row->ops, row->kind) & ANALYSIS_BY_QUERY) != 0;
	*length = has_filter ? query->length : 0;
	return has_filter ? query->bytes : "";
}

static struct analysis *
find_kept(const struct session *session, const struct analysis_choice *choice,
	const struct analysis_scope *scope)
{
	size_t length;
	const char *query = query_of(session, &choice->row, &length);
	for (size_t i = 0; i < session->analyses.count; i++) {
		struct analysis *analysis = session->analyses.kept[i];
		if (analysis->ops == choice->row.ops && analysis->kind == choice->row.kind &&
			is_text(&analysis->parameter, choice->parameter, choice->length) &&
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

/* Takes numbers, or a sketch of them, in place of those that there are. */
static void
set_numbers(struct analysis *analysis, void *numbers, uint32_t snapshot)
{
	if (analysis->numbers != NULL)
		analysis->ops->release(analysis->numbers);
	analysis->numbers = numbers;
	analysis->snapshot = snapshot;
	text_copy(&analysis->made_parameter, &analysis->parameter);
	if (analysis->ops->made != NULL)
		analysis->ops->made(analysis);
}

/* What stands there until numbers are made, which it does not pass for. */
static bool
show_sketch(const struct session *session, struct analysis *analysis, struct error *err)
{
	if (analysis->ops->sketch == NULL)
		return true;
	const struct analysis_work work = {
		.trace = session->trace, .scope = analysis->scope, .beneath = session->beneath
	};
	void *sketch = analysis->ops->sketch(&work, err);
	if (sketch != NULL)
		set_numbers(analysis, sketch, session->snapshot - 1);
	return sketch != NULL;
}

static struct analysis *
new_analysis(struct session *session, const struct analysis_choice *choice,
	const struct analysis_scope *scope, struct error *err)
{
	size_t length, state_size = choice->row.ops->state_size;
	const char *query = query_of(session, &choice->row, &length);
	struct analysis *analysis = NULL;
	if (make_room(&session->analyses, err))
		analysis = array_new(1, sizeof *analysis, err);
	if (analysis == NULL)
		return NULL;
	*analysis = (struct analysis){ .ops = choice->row.ops, .kind = choice->row.kind,
		.words = session->trace->words, .scope = *scope, .owner = &session->analyses };
	error_clear(&analysis->failure);
	text_add(&analysis->parameter, choice->parameter, choice->length);
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

/* ---- those that nobody wants any more */

/* Frees those of the cancelled that are done; all of them if one may wait for that. */
static void
clear_left(struct analyses *analyses, bool may_wait)
{
	for (size_t i = 0; i < ANALYSES_LEFT; i++) {
		if (analyses->left[i] == NULL ||
			(!may_wait && !job_is_done(&analyses->left[i]->run)))
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

/* What is shown is what is named: numbers that are not made have left others on show. */
static void
put_back_parameter(struct analysis *analysis)
{
	if (analysis->numbers != NULL)
		text_copy(&analysis->parameter, &analysis->made_parameter);
}

static void
fail(struct session *session, struct analysis *analysis, const struct error *err)
{
	analysis->failure = *err;
	put_back_parameter(analysis);
	if (analysis->numbers != NULL)
		session_status(session, err->kind != ERROR_CANCELLED, "%s", err->message);
}

/* The other trace is there, and the analysis has to do with it. */
static bool
has_other(const struct session *session, const struct analysis *analysis)
{
	return analysis->ops->other != OTHER_UNUSED && session->other != NULL &&
	       session->other->trace != NULL;
}

/* Without the other trace that it needs, that is asked for. */
static bool
begin(struct session *session, struct analysis *analysis, struct error *err)
{
	struct other_trace *other = session->other;
	set_times(&analysis->scope, session->trace);
	analysis->begun_snapshot = session->snapshot;
	analysis->has_other = has_other(session, analysis);
	analysis->awaits_other = analysis->ops->other == OTHER_NEEDED && !analysis->has_other;
	if (analysis->awaits_other) {
		other->load(other->context, true);
		return true;
	}
	analysis->job = analysis_job_start(analysis, session, err);
	return analysis->job != NULL;
}

/* Begins where the other trace has come since, or takes in what stands in its way. */
static bool
look_for_other(struct session *session, struct analysis *analysis, struct error *err)
{
	bool has_come = has_other(session, analysis) && !analysis->has_other;
	bool is_shown = analysis->awaits_other || analysis->numbers != NULL;
	if (analysis->job == NULL && has_come && is_shown)
		return begin(session, analysis, err);
	if (!analysis->awaits_other || other_is_awaited(session->other))
		return true;
	*err = session->other->failure;
	analysis->awaits_other = false;
	return false;
}

bool
analyses_renew(struct session *session, struct analysis *analysis, struct error *err)
{
	bool is_made = analysis->numbers != NULL && analysis->snapshot == session->snapshot &&
		       analysis->has_other == has_other(session, analysis);
	bool is_begun = analysis->job != NULL || analysis->awaits_other;
	return is_begun || is_made || begin(session, analysis, err);
}

bool
analyses_change(struct session *session, struct analysis *analysis, const char *parameter,
	struct error *err)
{
	text_clear(&analysis->parameter);
	text_add_string(&analysis->parameter, parameter);
	leave_job(analysis);
	if (begin(session, analysis, err))
		return true;
	put_back_parameter(analysis);
	return false;
}

bool
analyses_count_runtime(struct session *session, struct analysis *analysis, struct error *err)
{
	leave_job(analysis);
	if (analysis->numbers != NULL)
		analysis->ops->release(analysis->numbers);
	analysis->numbers = NULL;
	analysis->scope.with_runtime = session->with_runtime;
	return begin(session, analysis, err);
}

struct analysis *
analyses_open(struct session *session, const struct analysis_choice *choice, struct error *err)
{
	struct analysis_scope scope;
	if (choice->length > 0 && memchr(choice->parameter, '\0', choice->length) != NULL) {
		error_set(err, ERROR_USAGE, "a name with a zero byte in it cannot be asked for");
		return NULL;
	}
	if (choice->row.ops->other == OTHER_NEEDED && session->other == NULL) {
		error_set(err, ERROR_USAGE, "%s: there is no other trace, which --diff=FILE names",
			choice->row.name);
		return NULL;
	}
	if (!analyses_limit(session, choice, &scope, err))
		return NULL;
	struct analysis *analysis = find_kept(session, choice, &scope);
	if (analysis == NULL)
		analysis = new_analysis(session, choice, &scope, err);
	if (analysis == NULL || !analyses_renew(session, analysis, err))
		return NULL;
	analysis->form = choice->row.form;
	analysis->used = ++session->analyses.used;
	analysis->open_count++;
	return analysis;
}

bool
analyses_cancel(struct session *session, struct analysis *analysis)
{
	if (analysis->job == NULL && !analysis->awaits_other)
		return false;
	/* Whoever else waits for the other trace learns that it does not come. */
	if (analysis->awaits_other)
		session->other->load(session->other->context, false);
	analysis->awaits_other = false;
	leave_job(analysis);
	struct error cancelled;
	error_clear(&cancelled);
	error_set(&cancelled, ERROR_CANCELLED, "cancelled");
	fail(session, analysis, &cancelled);
	return true;
}

void
analyses_close(struct analysis *analysis)
{
	if (--analysis->open_count > 0)
		return;
	analysis->awaits_other = false;
	leave_job(analysis);
	put_back_parameter(analysis);
}

bool
analyses_look(struct session *session, struct analysis *analysis)
{
	struct error err;
	clear_left(analysis->owner, false);
	error_clear(&err);
	if (!look_for_other(session, analysis, &err))
		fail(session, analysis, &err);
	if (analysis->job == NULL)
		return analysis->awaits_other;
	if (!job_is_done(&analysis->job->run))
		return true;
	void *numbers = analysis_job_end(analysis->job, &err);
	analysis->job = NULL;
	error_clear(&analysis->failure);
	if (numbers == NULL)
		fail(session, analysis, &err);
	else
		set_numbers(analysis, numbers, analysis->begun_snapshot);
	error_clear(&err);
	if (analysis->begun_snapshot != session->snapshot && !begin(session, analysis, &err))
		fail(session, analysis, &err);
	return true;
}

void
session_drop_analyses(struct session *session)
{
	struct analyses *analyses = &session->analyses;
	for (size_t i = 0; i < analyses->count; i++) /* all of them before one is waited for */
		if (analyses->kept[i]->job != NULL)
			analysis_job_cancel(analyses->kept[i]->job);
	for (size_t i = 0; i < analyses->count; i++) {
		analysis_job_drop(analyses->kept[i]->job);
		free_analysis(analyses->kept[i]);
	}
	clear_left(analyses, true);
	*analyses = (struct analyses){ 0 };
}

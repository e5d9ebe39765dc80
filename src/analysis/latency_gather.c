/* Looks through the states, the ranges or the tasks, and tells of those that are of the kind. */
#include "analysis/latency_gather.h"

#include "analysis/state_scan.h"
#include "analysis/task_index.h"
#include "query/query.h"
#include "query/search.h"
#include "query/watch.h"
#include "trace/runtime.h"
#include "trace/task_times.h"
#include "trace/words.h"

struct gathering {
	struct latency_gather *asked;
	const struct trace *trace; /* as asked, and so are the next three */
	const struct latency_kind *kind;
	const struct latency_scope *scope;
	struct search_watch *watch;
	struct search *search; /* of a query */
	string_id name;        /* of the regions or tasks, once one was found */
	bool kinds[KIND_MAX + 1]; /* of state, that are meant */
	bool is_of_all;           /* the runtime's actors count as well; else ... */
	actor_ref judged;         /* ... of this one it is known whether it is one of them: */
	bool judged_counts;
	struct error *err;
};

/* ---- what they have in common */

/* As state_scan_next() has it of states. */
static bool
is_within(const struct gathering *gathering, int64_t start_ns, int64_t end_ns)
{
	const struct latency_scope *scope = gathering->scope;
	bool is_before = end_ns <= scope->t0_ns && scope->t0_ns > gathering->trace->start_ns;
	bool is_behind = start_ns >= scope->t1_ns && scope->t1_ns < gathering->trace->end_ns;
	return !is_before && !is_behind;
}

bool
latency_is_of_all(const struct latency_kind *kind, const struct latency_scope *scope)
{
	return scope->with_runtime || scope->actor != REF_NONE ||
	       kind->type == LATENCY_GC || kind->type == LATENCY_STW;
}

/* Spans of one actor mostly come one after the other. */
static bool
counts(struct gathering *gathering, actor_ref actor)
{
	if (gathering->is_of_all || actor == REF_NONE)
		return true;
	if (gathering->judged != actor) {
		gathering->judged = actor;
		gathering->judged_counts = !trace_is_runtime(gathering->trace, actor);
	}
	return gathering->judged_counts;
}

/* Whether a state of the actor that holds within the time is asked for. O(log n). */
static bool
is_asked_for(struct gathering *gathering, actor_ref actor, int64_t start_ns,
	int64_t end_ns)
{
	const struct latency_scope *scope = gathering->scope;
	return (scope->actor == REF_NONE || actor == scope->actor) &&
	       counts(gathering, actor) && search_asks_for(scope->only, actor, start_ns, end_ns);
}

static bool
tell(struct gathering *gathering, const struct latency_found *found)
{
	return gathering->asked->tell(gathering->asked->context, found, gathering->err);
}

/* Most of a table have another name; which one it is needs to be found out once. */
static bool
is_named(struct gathering *gathering, string_id name)
{
	if (gathering->kind->name[0] == '\0')
		return name == STRING_EMPTY;
	if (gathering->name == STRING_EMPTY &&
		trace_text_is(gathering->trace, name, gathering->kind->name))
		gathering->name = name;
	return name == gathering->name && name != STRING_EMPTY;
}

/* ---- states */

static bool
is_meant_kind(const struct gathering *gathering, const struct state_kind *kind)
{
	static const enum state meant[LATENCY_TYPE_COUNT] = {
		[LATENCY_SCHED] = STATE_READY,
		[LATENCY_SYSCALL] = STATE_SYSCALL,
		[LATENCY_BLOCK] = STATE_BLOCKED,
	};
	const struct latency_kind *wanted = gathering->kind;
	if (wanted->type == LATENCY_QUERY)
		return true;
	return kind->state == meant[wanted->type] &&
	       (wanted->name == NULL ||
		       trace_text_is(gathering->trace, kind->reason, wanted->name));
}

/* Finds out which kinds of state are meant, and the classes that those are of. */
static class_mask
mean_kinds(struct gathering *gathering)
{
	class_mask mask = 0;
	for (uint32_t i = 0; i < gathering->trace->kind_count; i++) {
		const struct state_kind *kind = &gathering->trace->kinds[i];
		gathering->kinds[i] = is_meant_kind(gathering, kind);
		if (gathering->kinds[i])
			mask |= CLASS_BIT(kind->time_class);
	}
	return mask & CLASS_MASK_ALL;
}

/* Whether the trace does not have all of it. */
static bool
is_cut_state(const struct gathering *gathering, const struct scanned *scanned)
{
	const struct trace *trace = gathering->trace;
	if (scan_place_kind(trace, scanned->at)->entry == ENTRY_STATUS)
		return true;
	if (scanned->after.segment == REF_NONE)
		return trace_actor(trace, scanned->actor)->end_ns == TIME_OPEN;
	return scan_place_kind(trace, scanned->after)->entry == ENTRY_LOST;
}

static bool
is_meant_state(struct gathering *gathering, const struct scanned *scanned)
{
	const struct latency_scope *scope = gathering->scope;
	struct scan_place at = scanned->at;
	uint8_t kind = trace_segment(gathering->trace, at.segment)->kind[at.state] & KIND_MASK;
	return gathering->kinds[kind] &&
	       (scope->actor == REF_NONE || scanned->actor == scope->actor) &&
	       counts(gathering, scanned->actor) &&
	       (scope->only == NULL || search_matches(scope->only, at.segment, at.state)) &&
	       (gathering->search == NULL ||
		       search_matches(gathering->search, at.segment, at.state));
}

static bool
gather_states(struct gathering *gathering)
{
	struct state_scan scan;
	struct scanned scanned;
	bool is_fine = true;
	struct scan_scope scope = { mean_kinds(gathering), gathering->scope->t0_ns,
		gathering->scope->t1_ns, gathering->watch };
	if (!state_scan_init(&scan, gathering->trace, &scope, gathering->err))
		return false;
	while (is_fine && state_scan_next(&scan, &scanned)) {
		struct latency_found found = { scanned.start_ns, scanned.end_ns,
			(uint64_t)scanned.at.segment << 32 | scanned.at.state, false };
		if (!is_meant_state(gathering, &scanned))
			continue;
		found.is_cut = is_cut_state(gathering, &scanned);
		is_fine = tell(gathering, &found);
	}
	state_scan_release(&scan);
	return is_fine;
}

static bool
gather_matches(struct gathering *gathering)
{
	struct error note;
	error_clear(&note);
	struct query *query = query_new(gathering->kind->name, &words_plain, &note);
	if (query == NULL) {
		*gathering->err = note;
		return false;
	}
	gathering->search =
		search_with(gathering->trace, query, gathering->watch, gathering->err);
	gathering->asked->skipped = query_skipped(query);
	query_free(query);
	search_watch_expect(gathering->watch, trace_state_count(gathering->trace));
	bool is_fine = gathering->search != NULL && gather_states(gathering);
	search_free(gathering->search);
	return is_fine;
}

/* ---- ranges and tasks */

static bool
is_meant_range(struct gathering *gathering, const struct range *range)
{
	static const enum range_type meant[LATENCY_TYPE_COUNT] = {
		[LATENCY_STW] = RANGE_STW,
		[LATENCY_GC] = RANGE_GC_MARK,
		[LATENCY_ASSIST] = RANGE_MARK_ASSIST,
		[LATENCY_SWEEP] = RANGE_SWEEP,
		[LATENCY_REGION] = RANGE_REGION,
	};
	return range->type == meant[gathering->kind->type] &&
	       (gathering->kind->name == NULL || is_named(gathering, range->name));
}

static bool
gather_ranges(struct gathering *gathering)
{
	const struct trace *trace = gathering->trace;
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		int64_t end_ns = trace_range_end_ns(trace, range);
		if (!search_watch_check_item(gathering->watch, i, gathering->err))
			return false;
		if (!is_within(gathering, range->start_ns, end_ns) ||
			!is_meant_range(gathering, range) ||
			!is_asked_for(gathering, range_actor(range), range->start_ns, end_ns))
			continue;
		bool is_cut = range->began_before || range->end_ns == TIME_OPEN ||
			      range->ended_after;
		struct latency_found found = { range->start_ns, end_ns, i, is_cut };
		if (!tell(gathering, &found))
			return false;
	}
	return true;
}

static bool
gather_tasks(struct gathering *gathering)
{
	const struct trace *trace = gathering->trace;
	for (task_ref i = 0; i < trace->tasks.count; i++) {
		const struct task *task = trace_task(trace, i);
		int64_t start_ns = task_start_ns(trace, i), end_ns = task_end_ns(trace, i);
		if (!search_watch_check_item(gathering->watch, i, gathering->err))
			return false;
		if (!is_within(gathering, start_ns, end_ns) || !is_named(gathering, task->name) ||
			!is_asked_for(gathering, task_actor(task), start_ns, end_ns))
			continue;
		bool is_cut = task->began_before || task->end_ns == TIME_OPEN;
		struct latency_found found = { start_ns, end_ns, i, is_cut };
		if (!tell(gathering, &found))
			return false;
	}
	return true;
}

/* ---- all */

static bool (*const gather_of[LATENCY_TYPE_COUNT])(struct gathering *gathering) = {
	[LATENCY_SCHED] = gather_states,
	[LATENCY_STW] = gather_ranges,
	[LATENCY_GC] = gather_ranges,
	[LATENCY_ASSIST] = gather_ranges,
	[LATENCY_SWEEP] = gather_ranges,
	[LATENCY_SYSCALL] = gather_states,
	[LATENCY_BLOCK] = gather_states,
	[LATENCY_REGION] = gather_ranges,
	[LATENCY_TASK] = gather_tasks,
	[LATENCY_QUERY] = gather_matches,
};

bool
latency_gather(struct latency_gather *gather, struct error *err)
{
	struct gathering gathering = {
		.asked = gather,
		.trace = gather->trace,
		.kind = gather->kind,
		.scope = gather->scope,
		.watch = gather->watch,
		.is_of_all = latency_is_of_all(gather->kind, gather->scope),
		.judged = REF_NONE,
		.err = err,
	};
	gather->skipped = 0;
	return gather_of[gather->kind->type](&gathering) &&
	       search_watch_check(gather->watch, 0, err);
}

bool
latency_is_of_states(enum latency_type type)
{
	return gather_of[type] == gather_states || gather_of[type] == gather_matches;
}

uint64_t
latency_work(const struct trace *trace, const struct latency_kind *kind)
{
	if (latency_is_of_states(kind->type))
		return trace_state_count(trace);
	return kind->type == LATENCY_TASK ? trace->tasks.count : trace->ranges.count;
}

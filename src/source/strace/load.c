/*
 * From what was read to a trace. Records are told in the order of time, and between them what
 * happens by then: threads begin, and calls end.
 */
#include "source/strace/load.h"

#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "base/sort.h"
#include "source/strace/calls.h"
#include "trace/builder.h"
#include "trace/slices.h"
#include "trace/words.h"

static const struct words strace_words = {
	.source = "strace",
	.actor = { "thread", "threads", 'T' },
	.keys = { .thread = "os_thread" },
	.group = { "group", "groups", '\0' },
	.name = { "name", "names", '\0' },
	.function = { "name", "names", '\0' },
	.dump_states = { [STATE_RUNNING] = "user code" },
	.classes = {
		[CLASS_GONE] = { "gone", NULL },
		[CLASS_UNKNOWN] = { "unknown", "unknown: no line tells of it" },
		[CLASS_RUNNING] = { "user code", "between calls: its own code, and what strace takes" },
		[CLASS_SYSCALL] = { "syscall", "in a system call" },
	},
	.has_calls = true,
};

struct moment {
	int64_t time_ns;
	uint32_t index;  /* of a record or a thread */
	uint32_t number; /* of the call that ends then, as its thread counts them */
};

struct told_thread {
	actor_ref actor;
	track_ref track;
	uint32_t calls; /* that began */
	bool has_track, is_ended;
	bool is_open; /* its last call, which has no end */
};

struct loading {
	struct strace_calls calls;
	struct trace *trace;
	struct builder *builder;
	struct slices *slices;
	int64_t origin_ns;
	int64_t end_ns;        /* of the call that ended last, by the trace's clock */
	struct moment *order;  /* of the records, NULL where they are in order */
	struct moment *begins; /* of the threads, in order */
	size_t begun;          /* of these */
	struct moment *ends;   /* of calls: a heap, the first one at [0] */
	size_t end_count, end_capacity;
	struct told_thread *threads;
	string_id track_name;
};

/* ---- order */

static int
compare_moments(const void *left, const void *right)
{
	const struct moment *a = left, *b = right;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static bool
sort_moments(struct moment *moments, size_t count, const struct progress *progress, struct error *err)
{
	struct sort sort = { moments, count, sizeof *moments, compare_moments };
	return sort_items(&sort, progress_cancel_flag(progress), err);
}

static bool
put_in_order(struct loading *loading, const struct progress *progress, struct error *err)
{
	struct strace_calls *calls = &loading->calls;
	/* What began before all lines of its thread. */
	for (size_t i = 0; i < calls->record_count; i++) {
		struct strace_thread *thread = &calls->threads[calls->records[i].thread];
		if (calls->records[i].start_ns < thread->first_ns)
			thread->first_ns = calls->records[i].start_ns;
	}
	loading->begins = array_new_unset(calls->thread_count, sizeof *loading->begins, err);
	loading->threads = array_new(calls->thread_count, sizeof *loading->threads, err);
	if (loading->begins == NULL || loading->threads == NULL)
		return false;
	for (uint32_t i = 0; i < calls->thread_count; i++) {
		int64_t first_ns = calls->threads[i].first_ns;
		loading->begins[i] = (struct moment){ first_ns < calls->last_ns ? first_ns : calls->last_ns, i, 0 };
	}
	if (!sort_moments(loading->begins, calls->thread_count, progress, err))
		return false;
	if (calls->is_sorted)
		return true;
	loading->order = array_new_unset(calls->record_count, sizeof *loading->order, err);
	if (loading->order == NULL)
		return false;
	for (uint32_t i = 0; i < calls->record_count; i++)
		loading->order[i] = (struct moment){ calls->records[i].start_ns, i, 0 };
	return sort_moments(loading->order, calls->record_count, progress, err);
}

static bool
push_end(struct loading *loading, struct moment moment, struct error *err)
{
	if (!array_reserve(&loading->ends, &loading->end_capacity, loading->end_count + 1,
		    sizeof *loading->ends, err))
		return false;
	size_t at = loading->end_count++;
	for (; at > 0 && loading->ends[(at - 1) / 2].time_ns > moment.time_ns; at = (at - 1) / 2)
		loading->ends[at] = loading->ends[(at - 1) / 2];
	loading->ends[at] = moment;
	return true;
}

static struct moment
pop_end(struct loading *loading)
{
	struct moment first = loading->ends[0], last = loading->ends[--loading->end_count];
	size_t at = 0;
	for (size_t child; (child = 2 * at + 1) < loading->end_count; at = child) {
		if (child + 1 < loading->end_count &&
			loading->ends[child + 1].time_ns < loading->ends[child].time_ns)
			child++;
		if (loading->ends[child].time_ns >= last.time_ns)
			break;
		loading->ends[at] = loading->ends[child];
	}
	loading->ends[at] = last;
	return first;
}

/* ---- what happens */

/* Times of the trace count from the first one; what began before did so with it. */
static int64_t
since_origin(const struct loading *loading, int64_t time_ns)
{
	return time_ns > loading->origin_ns ? time_ns - loading->origin_ns : 0;
}

static bool
enter(struct loading *loading, uint32_t thread, struct state_change change, struct error *err)
{
	change.actor = loading->threads[thread].actor;
	change.waker = change.processor = change.thread = REF_NONE;
	return builder_state(loading->builder, &change, err);
}

static bool
begin_thread(struct loading *loading, const struct moment *begin, struct error *err)
{
	const struct strace_thread *thread = &loading->calls.threads[begin->index];
	struct told_thread *told = &loading->threads[begin->index];
	actor_ref creator = REF_NONE;
	if (thread->creator != STRACE_NONE &&
		compare_moments(&(struct moment){ loading->calls.threads[thread->creator].first_ns,
					thread->creator, 0 },
			begin) < 0)
		creator = loading->threads[thread->creator].actor;
	return builder_event(loading->builder, since_origin(loading, begin->time_ns), err) &&
	       builder_create(loading->builder, thread->pid, creator, STACK_NONE, &told->actor, err) &&
	       (thread->name == STRING_EMPTY ||
		       builder_name(loading->builder, told->actor, thread->name, err)) &&
	       enter(loading, begin->index,
		       (struct state_change){ .state = STATE_RUNNING,
			       .entry = creator != REF_NONE ? ENTRY_CREATED : ENTRY_STATUS },
		       err);
}

static bool
end_call(struct loading *loading, struct moment end, struct error *err)
{
	const struct told_thread *told = &loading->threads[end.index];
	if (told->is_ended || told->calls != end.number)
		return true; /* the next call has begun, or the thread is no more */
	return builder_event(loading->builder, since_origin(loading, end.time_ns), err) &&
	       enter(loading, end.index,
		       (struct state_change){ .state = STATE_RUNNING, .entry = ENTRY_RETURNED }, err);
}

/* All that happens until then. */
static bool
advance(struct loading *loading, int64_t time_ns, struct error *err)
{
	for (;;) {
		const struct moment *begin = loading->begun < loading->calls.thread_count
						     ? &loading->begins[loading->begun]
						     : NULL;
		if (begin != NULL && begin->time_ns <= time_ns &&
			(loading->end_count == 0 || begin->time_ns <= loading->ends[0].time_ns)) {
			loading->begun++;
			if (!begin_thread(loading, begin, err))
				return false;
		} else if (loading->end_count > 0 && loading->ends[0].time_ns <= time_ns) {
			if (!end_call(loading, pop_end(loading), err))
				return false;
		} else {
			return true;
		}
	}
}

static bool
take_call(struct loading *loading, const struct strace_record *record, struct error *err)
{
	struct told_thread *told = &loading->threads[record->thread];
	int64_t end_ns = record->start_ns + record->length_ns;
	if (!told->has_track) {
		if (!slices_track(loading->slices, TRACK_OF_ACTOR, told->actor, loading->track_name,
			    &told->track, err))
			return false;
		told->has_track = true;
	}
	if (since_origin(loading, end_ns) > loading->end_ns)
		loading->end_ns = since_origin(loading, end_ns);
	/* Another one comes behind what has no end only where times went back. */
	if (told->is_open && !slices_end(loading->slices, told->track, 0,
				     (struct slice_end){ .end_ns = since_origin(loading, record->start_ns),
					     .took_ns = -1,
					     .flags = SLICE_CUT },
				     err))
		return false;
	told->is_open = (record->flags & SLICE_OPEN) != 0;
	if (!slices_begin(loading->slices, told->track, 0, since_origin(loading, record->start_ns),
		    record->name, err))
		return false;
	slices_detail(loading->slices, told->track, 0, record->detail);
	if (!told->is_open &&
		!slices_end(loading->slices, told->track, 0,
			(struct slice_end){ .end_ns = since_origin(loading, end_ns),
				.took_ns = (record->flags & SLICE_CUT) != 0 ? -1 : record->length_ns,
				.flags = record->flags },
			err))
		return false;
	if (told->is_ended)
		return true;
	told->calls++;
	return enter(loading, record->thread,
		       (struct state_change){ .state = STATE_SYSCALL,
			       .entry = ENTRY_SYSCALL,
			       .stack = record->stack },
		       err) &&
	       (told->is_open ||
		       push_end(loading, (struct moment){ end_ns, record->thread, told->calls }, err));
}

static bool
take_instant(struct loading *loading, const struct strace_record *record, struct error *err)
{
	struct told_thread *told = &loading->threads[record->thread];
	struct instant instant = { .type = INSTANT_LOG,
		.actor = told->actor,
		.processor = REF_NONE,
		.thread = REF_NONE,
		.task = REF_NONE,
		.stack = record->stack,
		.category = record->name,
		.text = record->detail };
	if (!builder_instant(loading->builder, &instant, err))
		return false;
	if (record->kind != STRACE_RECORD_END || told->is_ended)
		return true;
	told->is_ended = true;
	return enter(loading, record->thread,
		(struct state_change){ .state = STATE_GONE, .entry = ENTRY_ENDED }, err);
}

static bool
take_record(struct loading *loading, const struct strace_record *record, struct error *err)
{
	return advance(loading, record->start_ns, err) &&
	       builder_event(loading->builder, since_origin(loading, record->start_ns), err) &&
	       (record->kind == STRACE_RECORD_CALL ? take_call(loading, record, err)
						   : take_instant(loading, record, err));
}

/* ---- the whole */

static bool
add_facts(const struct loading *loading, struct error *err)
{
	const struct strace_calls *calls = &loading->calls;
	const struct strace_counts *counts = &calls->counts;
	const struct trace_fact facts[] = {
		{ "lines", counts->lines },
		{ "blank", counts->blank },
		{ "damaged", calls->damage.count },
		{ "calls", counts->calls },
		{ "unfinished", counts->unfinished },
		{ "resumed", counts->resumed },
		{ "orphan_resumed", counts->orphan_resumed },
		{ "never_finished", counts->never_finished },
		{ "signals", counts->signals },
		{ "stops", counts->stops },
		{ "exits", counts->exits },
		{ "killed", counts->killed },
		{ "superseded", counts->superseded },
		{ "errors", counts->errors },
		{ "restarts", counts->restarts },
		{ "no_return", counts->no_return },
		{ "attached", counts->attached },
		{ "stack_lines", counts->stack_lines },
		{ "summary_lines", counts->summary_lines },
		{ "backwards", counts->backwards },
		{ "midnights", counts->midnights },
		/* Without a clock there are none. */
		{ "first_ns", (uint64_t)calls->first_ns },
		{ "last_ns", (uint64_t)calls->last_ns },
	};
	size_t count = ARRAY_LENGTH(facts) - (calls->clock == STRACE_NO_CLOCK ? 2 : 0);
	for (size_t i = 0; i < count; i++) {
		if (!trace_add_fact(loading->trace, facts[i].key, facts[i].value, err))
			return false;
	}
	return true;
}

static bool
tell_all(struct loading *loading, const struct progress *progress, struct error *err)
{
	const struct strace_calls *calls = &loading->calls;
	struct trace *trace = loading->trace;
	loading->builder = builder_new(trace, err);
	if (loading->builder == NULL)
		return false;
	builder_watch(loading->builder, progress);
	builder_begin_at(loading->builder, 0, 0);
	loading->origin_ns = calls->first_ns;
	loading->slices = slices_new(err);
	if (loading->slices == NULL ||
		!intern_add(&trace->strings, "syscalls", 8, &loading->track_name, err) ||
		!put_in_order(loading, progress, err))
		return false;
	for (size_t i = 0; i < calls->record_count; i++) {
		size_t index = loading->order != NULL ? loading->order[i].index : i;
		if (!take_record(loading, &calls->records[index], err))
			return false;
	}
	if (!advance(loading, INT64_MAX, err))
		return false;
	builder_extend(loading->builder, since_origin(loading, calls->last_ns));
	builder_extend(loading->builder, loading->end_ns);
	if (calls->clock == STRACE_UNIX_TIME &&
		!builder_wall_clock(loading->builder, 0, loading->origin_ns, err))
		return false;
	if (!builder_finish(loading->builder, err) || !add_facts(loading, err) ||
		!slices_freeze(loading->slices, trace->end_ns, err))
		return false;
	trace->slices = loading->slices;
	loading->slices = NULL;
	trace->damage = calls->damage.map;
	damage_map_rebase(&trace->damage, loading->origin_ns, trace->end_ns);
	trace->origin_ns = loading->origin_ns;
	trace->clock = calls->clock == STRACE_NO_CLOCK ? TRACE_CLOCK_LAID_OUT : TRACE_CLOCK_STAMPS;
	trace->event_count = calls->record_count;
	return true;
}

static bool
build(const struct strace_calls *calls, const struct progress *progress, struct error *err)
{
	struct loading loading = { .calls = *calls, .trace = calls->trace };
	loading.trace->words = &strace_words;
	bool is_fine = tell_all(&loading, progress, err);
	builder_free(loading.builder);
	slices_free(loading.slices);
	array_release(&loading.order);
	array_release(&loading.begins);
	array_release(&loading.ends);
	array_release(&loading.threads);
	return is_fine;
}

struct trace *
strace_load(struct input *in, const struct trace_watch *watch, const struct progress *progress,
	struct error *err)
{
	const struct strace_watch shown = { watch, build };
	struct strace_calls calls = { 0 };
	struct trace *trace = trace_new(err);
	bool is_fine = trace != NULL && strace_calls_read(&calls, trace, in, &shown, err);
	if (is_fine) {
		trace->read_bytes = in->offset_bytes;
		is_fine = build(&calls, progress, err);
	}
	strace_calls_release(&calls);
	if (is_fine)
		return trace;
	trace_free(trace);
	return NULL;
}

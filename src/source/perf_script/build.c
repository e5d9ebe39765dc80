/*
 * Rows to a trace: samples with their weights, and where they have times, instants on threads and
 * CPUs. What a thread does between its samples is said by events of the scheduler, if there are any
 * (source/common/kernel.h); else nobody knows.
 */
#include "source/perf_script/script.h"

#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "source/common/kernel.h"
#include "source/common/processes.h"
#include "trace/builder.h"
#include "trace/sample_set.h"

static const struct sample_fold fold = {
	.key = "comm",
	.add_task = script_fold_task,
	.add_name = script_fold_name,
};

const struct words script_scheduled_words = KERNEL_WORDS("perf_script");

/* What tells who ran. */
enum scheduling { BY_NOTHING, BY_MOVES, BY_SWITCHES };

struct building {
	struct script *script;
	enum scheduling scheduling;
	struct builder *builder; /* NULL where nothing has a time */
	string_id comm_key, tid_key;
};

/* ---- times */

/*
 * perf script --deltatime prints how long after the sample before each was taken: from 0 on, and as
 * often less than before as more.
 */
static bool
are_deltas(const struct script *script)
{
	enum { LEAST = 4 };
	const struct script_counts *counts = &script->counts;
	for (size_t i = 0; i < script->row_count; i++) {
		if (script->rows[i].time_ns == SCRIPT_NO_TIME || script->events[script->rows[i].event].is_record)
			continue;
		return script->rows[i].time_ns == 0 && counts->samples >= LEAST &&
		       counts->backwards > counts->samples / LEAST;
	}
	return false;
}

static void
add_up(struct script *script)
{
	struct script_counts *counts = &script->counts;
	int64_t now_ns = 0;
	for (size_t i = 0; i < script->row_count; i++) {
		struct script_row *row = &script->rows[i];
		if (row->time_ns == SCRIPT_NO_TIME)
			continue;
		now_ns = row->time_ns < INT64_MAX - now_ns ? now_ns + row->time_ns : INT64_MAX - 1;
		row->time_ns = now_ns;
	}
	counts->first_ns = 0;
	counts->backwards = 0;
	counts->last_ns = now_ns;
}

/* What was there before the recording has the time 0: it is told where that begins. */
static void
move_old_records(struct script *script)
{
	int64_t first_ns = script->counts.first_ns;
	for (size_t i = 0; i < script->row_count && !script->counts.has_time; i++)
		if (script->rows[i].time_ns > 0 && (first_ns == 0 || script->rows[i].time_ns < first_ns))
			first_ns = script->rows[i].time_ns;
	for (size_t i = 0; i < script->row_count; i++) {
		struct script_row *row = &script->rows[i];
		if (row->time_ns == 0 && script->events[row->event].is_record)
			row->time_ns = first_ns;
	}
}

static int
compare_rows(const void *left, const void *right)
{
	const struct script_row *a = left, *b = right;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static bool
sort_rows(struct script *script, const struct progress *progress, struct error *err)
{
	struct sort sort = { script->rows, script->row_count, sizeof *script->rows, compare_rows };
	if (are_deltas(script))
		add_up(script);
	else
		move_old_records(script);
	return sort_items(&sort, progress_cancel_flag(progress), err);
}

/* ---- who and when */

/* A thread is known from its first row on, by the name that it had in the end. */
static bool
find_actor(struct building *building, struct script_thread *thread, struct error *err)
{
	enum { NUMBERLESS = -2 }; /* and less: a task without a number */
	if (thread->actor != REF_NONE)
		return true;
	int64_t id = thread->has_tid ? thread->tid
				     : NUMBERLESS - (int64_t)(thread - building->script->threads);
	struct state_change change = { .state = STATE_UNKNOWN,
		.entry = ENTRY_CREATED,
		.waker = REF_NONE,
		.processor = REF_NONE,
		.thread = REF_NONE };
	if (!builder_create(building->builder, id, REF_NONE, STACK_NONE, &thread->actor, err) ||
		(thread->comm != STRING_EMPTY &&
			!builder_name(building->builder, thread->actor, thread->comm, err)))
		return false;
	change.actor = thread->actor;
	return builder_state(building->builder, &change, err);
}

/*
 * The row as an instant of an actor; *ref: its number. An event with fields is a log of the category
 * that it is.
 */
static bool
add_instant(struct building *building, const struct script_row *row, actor_ref actor, uint32_t *ref,
	struct error *err)
{
	struct script *script = building->script;
	const struct script_event *event = &script->events[row->event];
	int64_t cpu = row->cpu == SCRIPT_NONE ? -1 : (int64_t)row->cpu;
	struct instant instant = { .actor = actor,
		.thread = REF_NONE,
		.stack = row->stack,
		.category = event->name,
		.text = row->text,
		.task = REF_NONE,
		.type = event->has_fields ? INSTANT_LOG : INSTANT_SAMPLE };
	*ref = script->trace->instants.count;
	return builder_processor(building->builder, cpu, &instant.processor, err) &&
	       builder_instant(building->builder, &instant, err);
}

/* instant: its number, REF_NONE where it has no time. */
static bool
add_sample(struct building *building, const struct script_row *row, uint32_t instant, struct error *err)
{
	const struct script *script = building->script;
	const struct script_event *event = &script->events[row->event];
	const struct script_thread *thread = &script->threads[row->thread];
	struct sample_single sample = { row->stack, event->type, row->weight, instant };
	if (event->type == SCRIPT_NONE)
		return true;
	const struct sample_label labels[] = {
		{ .key = building->comm_key, .text = script->comms[row->order] },
		{ .key = building->tid_key, .number = thread->tid },
	};
	return sample_set_add_single(script->trace->samples, &sample, labels, thread->has_tid ? 2 : 1, err);
}

static bool
add_row(struct building *building, const struct script_row *row, struct error *err)
{
	struct script_thread *thread = &building->script->threads[row->thread];
	uint32_t instant = REF_NONE;
	if (row->time_ns != SCRIPT_NO_TIME && building->builder != NULL &&
		(!builder_event(building->builder, row->time_ns, err) || !find_actor(building, thread, err) ||
			!add_instant(building, row, thread->actor, &instant, err)))
		return false;
	return add_sample(building, row, instant, err);
}

static bool
name_keys(struct building *building, struct error *err)
{
	struct intern *strings = &building->script->trace->strings;
	return intern_add(strings, fold.key, strlen(fold.key), &building->comm_key, err) &&
	       intern_add(strings, "tid", 3, &building->tid_key, err);
}

/* ---- with events of the scheduler */

/* The name of a tracepoint without its group and colon: "sched_switch". */
static struct scan
name_of(const struct script *script, const struct script_event *event)
{
	size_t length;
	const char *bytes = trace_text(script->trace, event->name, &length);
	struct scan name = scan_over(bytes, length);
	const char *colon = memchr(bytes, ':', length);
	if (colon != NULL && colon + 1 < name.end)
		name.at = colon + 1;
	if (scan_left(&name) > 0 && name.end[-1] == ':')
		name.end--;
	return name;
}

static bool
has_place(const struct script_row *row)
{
	return row->time_ns != SCRIPT_NO_TIME && row->cpu != SCRIPT_NONE;
}

/* "IN", "OUT", "OUT preempt" of such a record; false where it says nothing of the kind. */
static bool
read_move(const struct script *script, const struct script_row *row, enum kernel_move *move)
{
	size_t length;
	if (!script->events[row->event].is_move || row->time_ns == SCRIPT_NO_TIME ||
		!script->threads[row->thread].has_tid)
		return false;
	const char *bytes = trace_text(script->trace, row->text, &length);
	struct scan rest = scan_over(bytes, length), word = scan_word(&rest);
	if (scan_is(&word, "IN")) {
		*move = KERNEL_COMES;
		return true;
	}
	bool is_leaving = scan_is(&word, "OUT");
	scan_blanks(&rest);
	word = scan_word(&rest);
	*move = scan_is(&word, "preempt") ? KERNEL_IS_PREEMPTED : KERNEL_SLEEPS;
	return is_leaving;
}

static enum scheduling
find_scheduling(const struct script *script)
{
	enum scheduling found = BY_NOTHING;
	enum kernel_move ignored;
	for (size_t i = 0; i < script->row_count; i++) {
		const struct script_row *row = &script->rows[i];
		struct scan name = name_of(script, &script->events[row->event]);
		if (has_place(row) && scan_is(&name, "sched_switch"))
			return BY_SWITCHES;
		if (found == BY_NOTHING && read_move(script, row, &ignored))
			found = BY_MOVES;
	}
	return found;
}

/*
 * A row whose states stand. What those tell already is no instant, unless it has a stack, of which
 * nothing else tells when it was.
 */
static bool
take_own(void *context, struct builder *builder, uint32_t number, actor_ref actor, struct error *err)
{
	struct building *building = context;
	const struct script_row *row = &building->script->rows[number];
	bool is_told = building->script->events[row->event].is_known && row->stack == STACK_NONE;
	uint32_t instant = REF_NONE;
	building->builder = builder;
	return (is_told || add_instant(building, row, actor, &instant, err)) &&
	       add_sample(building, row, instant, err);
}

/* A tracepoint that the kernel's events are among, with a place. */
static bool
add_known(struct building *building, struct kernel *kernel, const struct script_row *row,
	const struct kernel_head *head, struct error *err)
{
	struct script *script = building->script;
	struct script_event *event = &script->events[row->event];
	size_t length;
	bool is_known = false;
	const char *fields = trace_text(script->trace, row->text, &length);
	if (!event->has_fields || row->cpu == SCRIPT_NONE)
		return true;
	if (!kernel_add_known(kernel, head, name_of(script, event), scan_over(fields, length), &is_known, err))
		return false;
	event->is_known = event->is_known || is_known;
	if (is_known && row->stack != STACK_NONE)
		kernel_set_stack(kernel, head->cpu, row->stack);
	return true;
}

/*
 * Records of the recording may tell who comes to a CPU and who leaves. Who has told of its exit leaves for
 * good; where no CPU is told of, that is the last of it. *is_move: the row tells of nothing else.
 */
static bool
find_move(const struct building *building, const struct script_row *row, enum kernel_move *move, bool *is_move)
{
	const struct script_event *event = &building->script->events[row->event];
	struct script_thread *thread = &building->script->threads[row->thread];
	if (building->scheduling != BY_MOVES)
		return false;
	*is_move = read_move(building->script, row, move);
	bool is_last = *is_move ? *move != KERNEL_COMES && thread->is_ending
				: event->is_exit && row->cpu == SCRIPT_NONE;
	thread->is_ending = *is_move ? *move == KERNEL_COMES && thread->is_ending : event->is_exit || thread->is_ending;
	*move = is_last ? KERNEL_DIES : *move;
	return *is_move || is_last;
}

/*
 * Of a task without a CPU nobody else tells that it does not run any more, and one that exits may not say so:
 * behind its last row it may do anything.
 */
static bool
end_told(const struct building *building, struct kernel *kernel, const struct kernel_head *head, size_t index,
	struct error *err)
{
	const struct script_row *row = &building->script->rows[index];
	return building->scheduling != BY_MOVES || row->cpu != SCRIPT_NONE ||
	       building->script->threads[row->thread].last != index ||
	       kernel_add_move(kernel, head, KERNEL_IS_UNTOLD, err);
}

static bool
add_scheduled(struct building *building, struct kernel *kernel, struct error *err)
{
	struct script *script = building->script;
	for (size_t i = 0; i < script->thread_count; i++)
		if (!kernel_process(kernel, script->threads[i].tid, script->threads[i].process, err))
			return false;
	for (size_t i = 0; i < script->row_count; i++)
		script->threads[script->rows[i].thread].last = (uint32_t)i;
	for (size_t i = 0; i < script->row_count; i++) {
		const struct script_row *row = &script->rows[i];
		const struct script_thread *thread = &script->threads[row->thread];
		struct kernel_head head = { row->time_ns, thread->has_tid ? thread->tid : KERNEL_NOBODY,
			row->cpu == SCRIPT_NONE ? KERNEL_NO_CPU : row->cpu, false };
		enum kernel_move move = KERNEL_COMES;
		size_t length;
		bool is_move = false;
		if (row->time_ns == SCRIPT_NO_TIME) {
			if (!add_sample(building, row, REF_NONE, err))
				return false;
			continue;
		}
		const char *comm = trace_text(script->trace, script->comms[row->order], &length);
		bool has_move = find_move(building, row, &move, &is_move);
		/* A sample is of what runs, also where no CPU is told of. */
		bool is_running = building->scheduling == BY_MOVES && row->cpu == SCRIPT_NONE &&
				  !script->events[row->event].is_record;
		/* Its head says who ran before a switch. */
		if (!kernel_name(kernel, head.pid, scan_over(comm, length), err) ||
			(script->events[row->event].is_loss && row->cpu != SCRIPT_NONE &&
				!kernel_lose(kernel, row->cpu, 0, row->time_ns, err)) ||
			(is_running && !kernel_add_move(kernel, &head, KERNEL_COMES, err)) ||
			(!is_move && !kernel_add_own(kernel, &head, (uint32_t)i, err)) ||
			(has_move && !kernel_add_move(kernel, &head, move, err)) ||
			!add_known(building, kernel, row, &head, err) ||
			((!has_move || move != KERNEL_DIES) && !end_told(building, kernel, &head, i, err)))
			return false;
	}
	return true;
}

static bool
build_scheduled(struct building *building, const struct progress *progress, struct error *err)
{
	struct script *script = building->script;
	const struct kernel_own own = { take_own, building };
	script->trace->words = &script_scheduled_words;
	struct kernel *kernel = kernel_new(script->trace, err);
	bool is_fine = kernel != NULL && add_scheduled(building, kernel, err) &&
		       kernel_finish(kernel, &own, progress, err);
	if (is_fine)
		script->counts.switches = kernel_counts(kernel)->switches;
	kernel_free(kernel);
	return is_fine;
}

/* ---- the whole */

static bool
add_rows(struct building *building, struct error *err)
{
	struct script *script = building->script;
	for (size_t i = 0; i < script->row_count; i++)
		if (!add_row(building, &script->rows[i], err))
			return false;
	return true;
}

static bool
group_threads(struct script *script, struct builder *builder, string_id **groups, struct error *err)
{
	struct process_thread *threads = array_new(script->thread_count, sizeof *threads, err);
	bool is_fine = threads != NULL;
	for (size_t i = 0; is_fine && i < script->thread_count; i++)
		threads[i] = (struct process_thread){ script->threads[i].tid, script->threads[i].process,
			script->threads[i].comm };
	is_fine = is_fine && processes_group(builder, script->trace, threads, script->thread_count, groups, err);
	memory_free(threads);
	return is_fine;
}

/* Without events of the scheduler. */
static bool
build_samples(struct building *building, const struct progress *progress, struct error *err)
{
	struct script *script = building->script;
	struct builder *builder = builder_new(script->trace, err);
	if (builder == NULL)
		return false;
	builder_watch(builder, progress);
	if (script->counts.has_time)
		building->builder = builder;
	else
		builder_begin_at(builder, 0, 0);
	string_id *groups = NULL;
	bool is_fine = add_rows(building, err) && group_threads(script, builder, &groups, err) &&
		       builder_finish(builder, err);
	builder_free(builder);
	memory_free(groups);
	return is_fine;
}

/* Samples are shown first, not events that have fields; these come with stacks as well. */
static void
choose_type(const struct script *script)
{
	for (size_t i = script->event_count; i-- > 0;)
		if (script->events[i].type != SCRIPT_NONE && !script->events[i].has_fields)
			script->trace->samples->usual_type = script->events[i].type;
}

bool
script_build(struct script *script, const struct progress *progress, struct error *err)
{
	struct trace *trace = script->trace;
	struct building building = { .script = script, .scheduling = find_scheduling(script) };
	bool has_time = script->counts.has_time || building.scheduling != BY_NOTHING;
	trace->samples->fold = &fold;
	choose_type(script);
	trace->clock = has_time ? TRACE_CLOCK_STAMPS : TRACE_CLOCK_NONE;
	if (!name_keys(&building, err) || !sort_rows(script, progress, err) ||
		!(building.scheduling != BY_NOTHING ? build_scheduled : build_samples)(&building, progress, err))
		return false;
	if (has_time && trace->samples->count == 0) {
		sample_set_free(trace->samples);
		trace->samples = NULL;
	}
	trace->damage = script->damage.map;
	damage_map_rebase(&trace->damage, trace->origin_ns, trace->end_ns);
	trace->event_count = script->row_count;
	return true;
}

void
script_release(struct script *script)
{
	array_release(&script->rows);
	array_release(&script->comms);
	array_release(&script->threads);
	array_release(&script->events);
	id_map_release(&script->thread_of);
	intern_release(&script->event_names);
}

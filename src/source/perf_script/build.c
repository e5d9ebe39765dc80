/*
 * Rows to a trace: samples with their weights, and where they have times, instants on threads and
 * CPUs. What a thread does between its samples nobody knows, and nothing is said of it.
 */
#include "source/perf_script/script.h"

#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "trace/builder.h"
#include "trace/sample_set.h"

static const struct sample_fold fold = {
	.key = "comm",
	.add_task = script_fold_task,
	.add_name = script_fold_name,
};

struct building {
	struct script *script;
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
	for (size_t i = 0; i < script->row_count; i++) {
		struct script_row *row = &script->rows[i];
		if (row->time_ns == 0 && script->events[row->event].is_record && script->counts.has_time)
			row->time_ns = script->counts.first_ns;
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
 * The row as an instant; *ref: its number, REF_NONE where it has no time. An event with fields is a
 * log of the category that it is. States out of those of the scheduler would be told here.
 */
static bool
add_instant(struct building *building, const struct script_row *row, uint32_t *ref, struct error *err)
{
	struct script *script = building->script;
	const struct script_event *event = &script->events[row->event];
	struct script_thread *thread = &script->threads[row->thread];
	int64_t cpu = row->cpu == SCRIPT_NONE ? -1 : (int64_t)row->cpu;
	*ref = REF_NONE;
	if (row->time_ns == SCRIPT_NO_TIME || building->builder == NULL)
		return true;
	if (!builder_event(building->builder, row->time_ns, err) || !find_actor(building, thread, err))
		return false;
	struct instant instant = { .actor = thread->actor,
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

static bool
add_row(struct building *building, const struct script_row *row, struct error *err)
{
	const struct script *script = building->script;
	const struct script_event *event = &script->events[row->event];
	const struct script_thread *thread = &script->threads[row->thread];
	struct sample_single sample = { row->stack, event->type, row->weight, REF_NONE };
	if (!add_instant(building, row, &sample.instant, err))
		return false;
	if (event->type == SCRIPT_NONE)
		return true;
	const struct sample_label labels[] = {
		{ .key = building->comm_key, .text = script->comms[row->order] },
		{ .key = building->tid_key, .number = thread->tid },
	};
	return sample_set_add_single(script->trace->samples, &sample, labels, thread->has_tid ? 2 : 1, err);
}

static bool
add_rows(struct building *building, struct error *err)
{
	struct script *script = building->script;
	struct intern *strings = &script->trace->strings;
	if (!intern_add(strings, fold.key, strlen(fold.key), &building->comm_key, err) ||
		!intern_add(strings, "tid", 3, &building->tid_key, err))
		return false;
	for (size_t i = 0; i < script->row_count; i++)
		if (!add_row(building, &script->rows[i], err))
			return false;
	return true;
}

bool
script_build(struct script *script, const struct progress *progress, struct error *err)
{
	struct trace *trace = script->trace;
	struct building building = { .script = script, .builder = builder_new(trace, err) };
	struct builder *builder = building.builder;
	if (builder == NULL)
		return false;
	builder_watch(builder, progress);
	trace->samples->fold = &fold;
	bool is_fine = sort_rows(script, progress, err);
	if (script->counts.has_time) {
		trace->clock = TRACE_CLOCK_STAMPS;
	} else {
		trace->clock = TRACE_CLOCK_NONE;
		building.builder = NULL;
		builder_begin_at(builder, 0, 0);
	}
	is_fine = is_fine && add_rows(&building, err) && builder_finish(builder, err);
	builder_free(builder);
	if (!is_fine)
		return false;
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

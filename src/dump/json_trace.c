/*
 * The viewer's JSON of a trace in memory. A row of the viewer is a process and a thread of it: actors
 * are the threads of one process, with their states, and so are processors; what has slices has a row
 * more for each of its tracks. Sections may overlap, so each has a row that the viewer makes.
 */
#include "dump/dump.h"

#include <inttypes.h>

#include "base/text.h"
#include "dump/json_events.h"
#include "trace/series.h"
#include "trace/slices.h"
#include "trace/task_times.h"
#include "trace/words.h"

/* Rows up to here are numbered by the ids of the input, as far as they are small; others behind. */
#define FIRST_OWN_ROW (INT64_C(1) << 31)

struct viewer {
	const struct dump *dump;
	const struct trace *trace;
	struct json_events events;
	int64_t t0_ns, t1_ns; /* what overlaps that is told */
	int64_t place;        /* of the next row */
	int64_t next_row;     /* of those that have no number of the input */
	struct text label;    /* what stands in a name: " 1234" */
};

/* ---- rows and their names */

static int64_t
row_of(int64_t id, bool is_unique, uint32_t ref)
{
	return is_unique && id >= 0 && id < FIRST_OWN_ROW ? id : FIRST_OWN_ROW + ref;
}

static int64_t
actor_row(const struct viewer *viewer, actor_ref actor)
{
	int64_t id = trace_actor(viewer->trace, actor)->id;
	return row_of(id, trace_find_actor(viewer->trace, id) == actor, actor);
}

static int64_t
resource_row(const struct resource *resource, resource_ref ref)
{
	return row_of(resource->id, true, ref);
}

/* "bash 1234", or "task 1234" where nobody knows the name. Good until the next name. */
static struct json_name
actor_name(struct viewer *viewer, actor_ref ref)
{
	const struct actor *actor = trace_actor(viewer->trace, ref);
	text_clear(&viewer->label);
	if (actor->name == STRING_EMPTY)
		text_add_id(&viewer->label, &viewer->trace->words->actor, actor->id);
	else if (actor->id >= 0) /* smaller ones were made up */
		text_format(&viewer->label, " %" PRId64, actor->id);
	return (struct json_name){ .first = actor->name, .before_second = text_string(&viewer->label) };
}

static struct json_name
resource_name(struct viewer *viewer, const struct noun *noun, const struct resource *resource)
{
	text_clear(&viewer->label);
	text_add_id(&viewer->label, noun, resource->id);
	return (struct json_name){ .before_second = text_string(&viewer->label) };
}

static void
put_row(struct viewer *viewer, enum json_section section, int64_t row, const struct json_name *name)
{
	json_events_lane(&viewer->events, section, row, name, viewer->place++);
}

/* ---- what is told */

/* The first span of a series that may overlap the interval: several may begin where it does. */
static bool
open_series(const struct viewer *viewer, struct lane lane, struct series *series, struct item *item)
{
	if (!series_open(viewer->trace, lane, series))
		return false;
	if (!series_find(series, viewer->t0_ns - 1, item))
		series_enter(series, 0, item);
	return true;
}

/* Whether [start, end), which may be empty, overlaps the interval. */
static bool
is_within(const struct viewer *viewer, int64_t start_ns, int64_t end_ns)
{
	return start_ns < viewer->t1_ns && (end_ns > viewer->t0_ns || start_ns >= viewer->t0_ns);
}

/* A string of the trace as an argument; none where it is empty. */
static void
put_with_text(struct viewer *viewer, struct json_event *event, const char *key, string_id text)
{
	const struct json_name value = { .first = text };
	const struct json_arg arg = { .key = key, .text = &value };
	if (text != STRING_EMPTY) {
		event->has_args = true;
		event->arg_count = 1;
		event->args = &arg;
	}
	json_events_put(&viewer->events, event);
	event->args = NULL;
}

/* The states of an actor; each run behind a wait with the arrow from who ended that. */
static void
put_states(struct viewer *viewer, actor_ref actor)
{
	const struct trace *trace = viewer->trace;
	struct json_flow wake = { .from_ns = INT64_MIN, .to_lane = actor_row(viewer, actor) };
	struct series series;
	struct item item;
	if (!open_series(viewer, (struct lane){ LANE_ACTOR, actor }, &series, &item))
		return;
	do {
		struct span span;
		item_span(&series, &item, &span);
		if (span.start_ns >= viewer->t1_ns)
			break;
		if (span.kind->state == STATE_GONE || !is_within(viewer, span.start_ns, span.end_ns))
			continue;
		struct json_event event = {
			.phase = 'X',
			.name = { .head = class_name(trace->words, span.time_class) },
			.time_ns = span.start_ns,
			.duration_ns = span.end_ns - span.start_ns,
			.section = JSON_ACTORS,
			.lane = wake.to_lane,
			.begin_stack = span.stack,
		};
		put_with_text(viewer, &event, "reason", span.kind->reason);
		if (span.kind->state == STATE_RUNNING && wake.from_ns >= viewer->t0_ns) {
			wake.to_ns = span.start_ns;
			json_events_put_flow(&viewer->events, &wake, JSON_ACTORS);
		}
		wake.from_ns = INT64_MIN;
		if (span.waker.type == WAKER_ACTOR) {
			wake.name.head = span.kind->entry == ENTRY_CREATED ? "create" : "wake";
			wake.from_ns = span.start_ns;
			wake.from_lane = actor_row(viewer, span.waker.ref);
			wake.stack = span.waker_stack;
		}
	} while (series_step(&series, &item));
}

/* Who runs on a processor or a thread. */
static void
put_runs(struct viewer *viewer, struct lane lane, enum json_section section, int64_t row)
{
	struct series series;
	struct item item;
	if (!open_series(viewer, lane, &series, &item))
		return;
	do {
		struct span span;
		item_span(&series, &item, &span);
		if (span.start_ns >= viewer->t1_ns)
			break;
		if (!is_within(viewer, span.start_ns, span.end_ns))
			continue;
		json_events_put(&viewer->events, &(struct json_event){
							 .phase = 'X',
							 .name = actor_name(viewer, span.actor),
							 .time_ns = span.start_ns,
							 .duration_ns = span.end_ns - span.start_ns,
							 .section = section,
							 .lane = row,
						 });
	} while (series_step(&series, &item));
}

/* ---- slices */

/* Whether each slice of a column lies within one of the column above. O(slices of both). */
static bool
is_nested(const struct slices *slices, column_ref column)
{
	uint32_t above_count = slices_in_column(slices, column - 1), above = 0;
	struct slice outer = { .end_ns = INT64_MIN }, slice;
	for (uint32_t i = 0; i < slices_in_column(slices, column); i++) {
		slices_get(slices, column, i, &slice);
		while (above < above_count && outer.end_ns < slice.end_ns)
			slices_get(slices, column - 1, above++, &outer);
		if (outer.start_ns > slice.start_ns || outer.end_ns < slice.end_ns)
			return false;
	}
	return true;
}

static void
put_column(struct viewer *viewer, column_ref column, enum json_section section, int64_t row)
{
	const struct slices *slices = viewer->trace->slices;
	uint32_t first, end;
	struct slice slice;
	slices_range(slices, column, viewer->t0_ns, viewer->t1_ns, &first, &end);
	for (; first < end; first++) {
		slices_get(slices, column, first, &slice);
		struct json_event event = {
			.phase = 'X',
			.name = { .first = slice.name },
			.time_ns = slice.start_ns,
			.duration_ns = slice.end_ns - slice.start_ns,
			.section = section,
			.lane = row,
			.color = (slice.flags & SLICE_FAILED) != 0 ? "terrible" : NULL,
		};
		put_with_text(viewer, &event, "detail", slice.detail);
	}
}

/*
 * The tracks of an owner, whose name this is. A depth of which a slice is not within one of the depth
 * above has a row of its own, since slices on one row of the viewer nest.
 */
static void
put_tracks(struct viewer *viewer, enum track_owner owner, uint32_t ref, enum json_section section,
	struct json_name name)
{
	const struct slices *slices = viewer->trace->slices;
	track_ref track;
	uint32_t count;
	if (slices == NULL)
		return;
	slices_tracks_of(slices, owner, ref, &track, &count);
	for (uint32_t end = track + count; track < end; track++) {
		const struct track *at = slices_track_at(slices, track);
		int64_t row = 0;
		for (uint32_t depth = 0; depth < at->depth_count; depth++) {
			column_ref column = at->first_column + depth;
			if (depth == 0 || !is_nested(slices, column)) {
				struct json_name own = name;
				own.second = at->name;
				own.tail = depth == 0 ? NULL : " (deeper)";
				row = viewer->next_row++;
				put_row(viewer, section, row, &own);
			}
			put_column(viewer, column, section, row);
		}
	}
}

/* The name of an owner, and a blank before that of its track. */
static struct json_name
before_track(struct viewer *viewer, struct json_name name)
{
	text_add_string(&viewer->label, " ");
	name.before_second = text_string(&viewer->label);
	return name;
}

/* ---- the rest */

/* Each value that holds in the interval. */
static void
put_gauge(struct viewer *viewer, const struct gauge *gauge)
{
	uint32_t count = counter_count(&gauge->counter);
	for (uint32_t i = 0; i < count; i++) {
		int64_t time_ns = counter_time_ns(&gauge->counter, i);
		int64_t end_ns = i + 1 < count ? counter_time_ns(&gauge->counter, i + 1) : INT64_MAX;
		const struct json_arg value = { .key = "value",
			.number = (uint64_t)gauge_unpack(counter_value(&gauge->counter, i)),
			.is_signed = true };
		if (!is_within(viewer, time_ns, end_ns))
			continue;
		json_events_put(&viewer->events, &(struct json_event){
							 .phase = 'C',
							 .name = { .first = gauge->name },
							 .time_ns = time_ns,
							 .section = JSON_STATS,
							 .has_args = true,
							 .arg_count = 1,
							 .args = &value,
						 });
	}
}

static void
put_instant(struct viewer *viewer, const struct instant *instant)
{
	const struct trace *trace = viewer->trace;
	struct json_event event = {
		.phase = 'I',
		.scope = "t",
		.name = { .first = instant->category },
		.time_ns = instant->time_ns,
		.begin_stack = instant->stack,
	};
	if (instant->category == STRING_EMPTY)
		event.name.head = instant->type == INSTANT_SAMPLE ? trace->words->sample.one : "mark";
	if (instant->actor != REF_NONE) {
		event.section = JSON_ACTORS;
		event.lane = actor_row(viewer, instant->actor);
	} else if (instant->processor != REF_NONE) {
		event.section = JSON_PROCESSORS;
		event.lane = resource_row(trace_processor(trace, instant->processor), instant->processor);
	} else {
		event.section = JSON_REST;
		event.scope = "g";
	}
	put_with_text(viewer, &event, "text", instant->text);
}

static void
put_instants(struct viewer *viewer)
{
	for (uint32_t i = 0; i < viewer->trace->instants.count; i++) {
		const struct instant *instant = trace_instant(viewer->trace, i);
		if (is_within(viewer, instant->time_ns, instant->time_ns))
			put_instant(viewer, instant);
	}
}

/* Both ends of a section across actors. */
static void
put_section(struct viewer *viewer, task_ref ref)
{
	const struct trace *trace = viewer->trace;
	const struct task *task = trace_task(trace, ref);
	struct json_event event = {
		.phase = 'b',
		.name = { .first = task->name },
		.time_ns = task_start_ns(trace, ref),
		.section = JSON_ACTORS,
		.lane = task->start_actor != REF_NONE ? actor_row(viewer, task->start_actor) : 0,
		.id = (uint64_t)ref + 1,
		.category = trace->words->task.one,
	};
	int64_t end_ns = task_end_ns(trace, ref);
	if (!is_within(viewer, event.time_ns, end_ns))
		return;
	json_events_put(&viewer->events, &event);
	event.phase = 'e';
	event.time_ns = end_ns;
	json_events_put(&viewer->events, &event);
}

/* ---- the whole */

/* Whether to go on. */
static bool
is_fine(const struct viewer *viewer, struct error *err)
{
	const struct progress *progress = viewer->dump->progress;
	if (viewer->label.failed)
		return error_set_memory(err, "names");
	if (progress != NULL && atomic_load_explicit(&progress->is_cancelled, memory_order_relaxed))
		return error_set(err, ERROR_CANCELLED, "cancelled");
	return json_events_check(&viewer->events, err);
}

static bool
put_actors(struct viewer *viewer, struct error *err)
{
	for (actor_ref i = 0; i < trace_actor_count(viewer->trace); i++) {
		struct json_name name = actor_name(viewer, i);
		put_row(viewer, JSON_ACTORS, actor_row(viewer, i), &name);
		put_tracks(viewer, TRACK_OF_ACTOR, i, JSON_ACTORS, before_track(viewer, name));
		put_states(viewer, i);
		if (!is_fine(viewer, err))
			return false;
	}
	return true;
}

static bool
put_resources(struct viewer *viewer, enum lane_type type, struct error *err)
{
	const struct trace *trace = viewer->trace;
	bool is_processor = type == LANE_PROCESSOR;
	enum json_section section = is_processor ? JSON_PROCESSORS : JSON_THREADS;
	uint32_t count = is_processor ? trace_processor_count(trace) : trace_thread_count(trace);
	const struct noun *noun = is_processor ? &trace->words->processor : &trace->words->thread;
	if (count > 0)
		json_events_process(&viewer->events, section, noun->many, section);
	for (resource_ref i = 0; i < count; i++) {
		const struct resource *resource =
			is_processor ? trace_processor(trace, i) : trace_thread(trace, i);
		int64_t row = resource_row(resource, i);
		struct json_name name = resource_name(viewer, noun, resource);
		put_row(viewer, section, row, &name);
		if (is_processor)
			put_tracks(viewer, TRACK_OF_RESOURCE, i, section, before_track(viewer, name));
		put_runs(viewer, (struct lane){ type, i }, section, row);
		if (!is_fine(viewer, err))
			return false;
	}
	return true;
}

/* Tracks that belong to neither. */
static void
put_other_tracks(struct viewer *viewer)
{
	const struct slices *slices = viewer->trace->slices;
	uint32_t count = slices != NULL ? slices_track_count(slices) : 0;
	for (track_ref i = 0; i < count; i++) {
		const struct track *track = slices_track_at(slices, i);
		bool is_first = i == 0 || slices_track_at(slices, i - 1)->owner != track->owner ||
				slices_track_at(slices, i - 1)->ref != track->ref;
		if (is_first && (track->owner == TRACK_OF_JOB || track->owner == TRACK_OF_TRACE))
			put_tracks(viewer, (enum track_owner)track->owner, track->ref, JSON_REST,
				(struct json_name){ 0 });
	}
}

static bool
put_all(struct viewer *viewer, struct error *err)
{
	const struct trace *trace = viewer->trace;
	json_events_begin(&viewer->events);
	json_events_process(&viewer->events, JSON_STATS, "counters", JSON_STATS);
	json_events_process(&viewer->events, JSON_ACTORS, trace->words->actor.many, JSON_ACTORS);
	json_events_process(&viewer->events, JSON_REST, trace->words->source, JSON_REST);
	if (!put_resources(viewer, LANE_PROCESSOR, err) || !put_resources(viewer, LANE_THREAD, err) ||
		!put_actors(viewer, err))
		return false;
	put_other_tracks(viewer);
	for (task_ref i = 0; i < trace->tasks.count; i++)
		put_section(viewer, i);
	for (uint32_t i = 0; i < trace->gauge_count; i++)
		put_gauge(viewer, &trace->gauges[i]);
	put_instants(viewer);
	json_events_end(&viewer->events);
	return is_fine(viewer, err) && writer_finish(viewer->dump->out, err);
}

bool
dump_json_trace(const struct dump *dump, const struct trace *trace, struct error *err)
{
	struct viewer viewer = {
		.dump = dump,
		.trace = trace,
		.t0_ns = dump->interval.has_from ? dump->interval.from_ns : trace->start_ns,
		.t1_ns = dump->interval.has_to ? dump->interval.to_ns : INT64_MAX,
		.next_row = FIRST_OWN_ROW + trace_actor_count(trace) + trace_processor_count(trace) +
			    trace_thread_count(trace),
	};
	json_events_init(&viewer.events, dump->out, &trace->strings, &trace->stacks);
	viewer.events.keeps_zeros = true;
	viewer.events.frames.is_any = true;
	bool is_whole = put_all(&viewer, err);
	json_events_release(&viewer.events);
	text_release(&viewer.label);
	return is_whole;
}

/* From steps to the model: doc/format/go-trace-semantics.md, section 7. */
#include "source/go/build.h"

#include <assert.h>
#include <string.h>

#include "base/text.h"

void
go_build_init(struct go_build *build, struct builder *builder)
{
	*build = (struct go_build){ .builder = builder };
}

static bool
goroutine_of(struct go_build *build, int64_t id, actor_ref *ref, struct error *err)
{
	return builder_actor(build->builder, id, ref, err);
}

static bool
proc_of(struct go_build *build, int64_t id, resource_ref *ref, struct error *err)
{
	return builder_processor(build->builder, go_event_proc(id), ref, err);
}

static bool
build_metric(struct go_build *build, enum go_metric metric, uint64_t value, struct error *err)
{
	static const enum counter_type counters[GO_METRIC_COUNT] = {
		[GO_METRIC_GOMAXPROCS] = COUNTER_GOMAXPROCS,
		[GO_METRIC_HEAP_ALLOC] = COUNTER_HEAP_ALLOC,
		[GO_METRIC_HEAP_GOAL] = COUNTER_HEAP_GOAL,
	};

	return builder_counter(build->builder, counters[metric], value, err);
}

static bool
range_of(struct go_build *build, const struct go_event *event, struct range *range,
         struct error *err)
{
	static const enum range_type types[GO_RANGE_COUNT] = {
		[GO_RANGE_STW] = RANGE_STW,
		[GO_RANGE_GC_MARK] = RANGE_GC_MARK,
		[GO_RANGE_GC_SWEEP] = RANGE_SWEEP,
		[GO_RANGE_MARK_ASSIST] = RANGE_MARK_ASSIST,
	};

	*range = (struct range){
		.type = (uint8_t)types[event->u.range.range],
		.name = event->u.range.detail,
		.scope = REF_NONE,
		.beginner = REF_NONE,
		.task = REF_NONE,
		.parent = REF_NONE,
	};
	/*
	 * Whoever starts a generation tells of what goes on already, and a mark phase may be ended
	 * by anybody; a sweep by who began it, since nothing takes the proc away meanwhile.
	 */
	if ((event->kind == GO_EVENT_RANGE_BEGIN ||
	     (event->kind == GO_EVENT_RANGE_END && range->type == RANGE_SWEEP)) &&
	    !goroutine_of(build, event->g, &range->beginner, err))
		return false;
	if (event->kind == GO_EVENT_RANGE_BEGIN)
		range->start_stack = event->stack;
	if (event->kind == GO_EVENT_RANGE_END)
		range->end_stack = event->stack;
	if (event->u.range.scope_p >= 0)
		return proc_of(build, event->u.range.scope_p, &range->scope, err);
	return goroutine_of(build, event->u.range.scope_g, &range->scope, err);
}

static bool
end_range(struct go_build *build, const struct range *range, struct error *err)
{
	return builder_range_end(build->builder, range) ||
	       builder_range_old(build->builder, range, err);
}

static bool
build_range(struct go_build *build, const struct go_event *event, struct error *err)
{
	struct range range;

	if (!range_of(build, event, &range, err))
		return false;
	if (event->kind == GO_EVENT_RANGE_END)
		return end_range(build, &range, err);
	if (event->kind == GO_EVENT_RANGE_ACTIVE) {
		/* From the second generation on this only repeats what is known. */
		if (builder_range_is_open(build->builder, range.type, range.scope))
			return true;
		/* Later this is the first word of it behind a gap. */
		range.began_before = builder_generations(build->builder) == 0;
	}
	return builder_range_begin(build->builder, &range, err);
}

/* A step that begins or ends a region. */
static bool
build_region(struct go_build *build, const struct step *step, struct error *err)
{
	struct range range = {
		.type = RANGE_REGION,
		.name = step->work.name,
		.beginner = step->ref,
		.scope = step->ref,
		.parent = REF_NONE,
	};

	if (!builder_task(build->builder, step->work.task, &range.task, err))
		return false;
	if (step->kind == STEP_REGION_END) {
		range.end_stack = step->work.stack;
		return end_range(build, &range, err);
	}
	range.start_stack = step->work.stack;
	return builder_range_begin(build->builder, &range, err);
}

static struct task_note
task_note_of(const struct step *step)
{
	return (struct task_note){
		.id = step->work.task,
		.name = step->work.name,
		.actor = step->ref,
		.stack = step->work.stack,
	};
}

static bool
begin_task(struct go_build *build, const struct step *step, struct error *err)
{
	struct task_note note = task_note_of(step);

	return builder_task_begin(build->builder, &note, step[1].work.task, err);
}

static bool
end_task(struct go_build *build, const struct step *step, struct error *err)
{
	struct task_note note = task_note_of(step);

	return builder_task_end(build->builder, &note, err);
}

static bool
instant_of(struct go_build *build, const struct go_event *event, enum instant_type type,
           struct instant *instant, struct error *err)
{
	*instant = (struct instant){
		.type = (uint8_t)type,
		.stack = event->stack,
		.task = REF_NONE,
	};
	return goroutine_of(build, go_event_goroutine(event), &instant->actor, err) &&
	       proc_of(build, event->p, &instant->processor, err) &&
	       builder_thread(build->builder, event->m, &instant->thread, err);
}

static bool
build_log(struct go_build *build, const struct go_event *event, struct error *err)
{
	struct instant instant;

	if (!instant_of(build, event, INSTANT_LOG, &instant, err) ||
	    !builder_task(build->builder, event->u.log.task, &instant.task, err))
		return false;
	instant.category = event->u.log.category;
	instant.text = event->u.log.message;
	return builder_instant(build->builder, &instant, err);
}

static bool
build_sample(struct go_build *build, const struct go_event *event, struct error *err)
{
	struct instant instant;

	return instant_of(build, event, INSTANT_SAMPLE, &instant, err) &&
	       builder_instant(build->builder, &instant, err);
}

bool
go_label_is_of_gc(const char *text, size_t length)
{
	return text_has_prefix(text, length, "GC (");
}

static bool
build_label(struct go_build *build, const struct go_event *event, const char *text, size_t length,
            struct error *err)
{
	struct instant instant;

	if (!instant_of(build, event, INSTANT_LABEL, &instant, err))
		return false;
	instant.text = event->u.label.label;
	if (instant.actor != REF_NONE && go_label_is_of_gc(text, length) &&
	    !builder_worker(build->builder, instant.actor, err))
		return false;
	return builder_instant(build->builder, &instant, err);
}

static bool
build_clock(struct go_build *build, const struct go_event *event, struct error *err)
{
	struct clock_point point;

	return !event->u.sync.has_clock ||
	       !clock_point_set(&point, event->u.sync.clock_trace_ns, event->u.sync.clock_wall_s,
	                        event->u.sync.clock_wall_ns) ||
	       builder_wall_clock(build->builder, point.trace_ns, point.unix_ns, err);
}

/* What is rare comes as it is. */
bool
go_build_event(struct go_build *build, const struct go_event *event, struct error *err)
{
	const char *text;
	size_t length;

	switch (event->kind) {
	case GO_EVENT_LABEL:
		text = builder_text(build->builder, event->u.label.label, &length);
		return build_label(build, event, text, length, err);
	case GO_EVENT_SAMPLE:
		return build_sample(build, event, err);
	case GO_EVENT_RANGE_BEGIN:
	case GO_EVENT_RANGE_ACTIVE:
	case GO_EVENT_RANGE_END:
		return build_range(build, event, err);
	case GO_EVENT_LOG:
		return build_log(build, event, err);
	case GO_EVENT_SYNC:
		return build_clock(build, event, err);
	case GO_EVENT_EXPERIMENTAL:
		return allocations_take(&build->allocations, build->builder, event, err);
	case GO_EVENT_GOROUTINE: /* these are steps of their own */
	case GO_EVENT_PROC:
	case GO_EVENT_METRIC:
	case GO_EVENT_TASK_BEGIN:
	case GO_EVENT_TASK_END:
	case GO_EVENT_REGION_BEGIN:
	case GO_EVENT_REGION_END:
	case GO_EVENT_KIND_COUNT:
		break;
	}
	return true;
}

/* ---- steps */

/* An id that is new; it gets the ref that the steps use. */
static bool
make_known(struct go_build *build, const struct step *step, struct error *err)
{
	int64_t id = step->known.id;
	uint32_t ref = REF_NONE;
	bool ok;

	if (step->kind == STEP_CREATE)
		ok = builder_create(build->builder, id, step->known.creator,
		                    step->known.stack, &ref, err);
	else if (step->kind == STEP_GOROUTINE)
		ok = builder_actor(build->builder, id, &ref, err);
	else if (step->kind == STEP_PROC)
		ok = builder_processor(build->builder, id, &ref, err);
	else
		ok = builder_thread(build->builder, id, &ref, err);
	assert(!ok || ref == step->ref);
	return ok;
}

static bool
take_step(struct go_build *build, const struct step *step, struct error *err)
{
	struct go_event event;

	switch ((enum step_kind)step->kind) {
	case STEP_NOTHING:
		return true;
	case STEP_PROC_LOST:
		return builder_processor_lost(build->builder, step->ref, err);
	case STEP_GOROUTINE:
	case STEP_PROC:
	case STEP_THREAD:
	case STEP_CREATE:
		return make_known(build, step, err);
	case STEP_NAME:
		return builder_name(build->builder, step->ref, step->function, err);
	case STEP_REGION_BEGIN:
	case STEP_REGION_END:
		return build_region(build, step, err);
	case STEP_TASK_BEGIN:
		return begin_task(build, step, err);
	case STEP_TASK_END:
		return end_task(build, step, err);
	case STEP_METRIC:
		return build_metric(build, (enum go_metric)step->ref, step->value, err);
	case STEP_EVENT:
		memcpy(&event, step + 1, sizeof(event));
		return go_build_event(build, &event, err);
	case STEP_GENERATION:
		if (!builder_generation_end(build->builder, err))
			return false;
		showing_generation(&build->showing, build->builder, &step->counts);
		return true;
	}
	return true;
}

bool
go_build_steps(struct go_build *build, const struct step *steps, size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		const struct step *step;
		size_t done;

		if (!builder_states(build->builder, &steps[i].change, count - i, &done, err))
			return false;
		i += done;
		if (i == count)
			break;
		step = &steps[i];
		if (step->time_ns != 0 && !builder_event(build->builder, step->time_ns, err))
			return false;
		if (!take_step(build, step, err))
			return false;
		if (step->kind == STEP_EVENT)
			i += STEP_EVENT_PLACES;
	}
	return true;
}

bool
go_build_finish(struct go_build *build, struct error *err)
{
	return builder_finish(build->builder, err);
}

void
go_build_release(struct go_build *build)
{
	allocations_release(&build->allocations);
}

/* From Go's events to the model: doc/format/go-trace-semantics.md, section 7, both ways. */
#include "gotrace/build.h"

#include <string.h>

static void
cache_clear(struct build_cache *cache)
{
	for (int i = 0; i < BUILD_CACHE; i++)
		cache->id[i] = GO_ID_NONE;
}

void
go_build_init(struct go_build *build, struct builder *builder)
{
	*build = (struct go_build){ .builder = builder };
	cache_clear(&build->goroutines);
	cache_clear(&build->procs);
	cache_clear(&build->threads);
}

typedef bool (*ref_function)(struct builder *, int64_t, uint32_t *, struct error *);

static bool
cached(struct build_cache *cache, ref_function find, struct builder *builder, int64_t id,
       uint32_t *ref, struct error *err)
{
	uint64_t slot = (uint64_t)id % BUILD_CACHE;

	if (id < 0) {
		*ref = REF_NONE;
		return true;
	}
	if (LIKELY(cache->id[slot] == id)) {
		*ref = cache->ref[slot];
		return true;
	}
	if (!find(builder, id, ref, err))
		return false;
	cache->id[slot] = id;
	cache->ref[slot] = *ref;
	return true;
}

static bool
goroutine_of(struct go_build *build, int64_t id, goroutine_ref *ref, struct error *err)
{
	return cached(&build->goroutines, builder_goroutine, build->builder, id, ref, err);
}

/* None also for the lanes that stand in for a proc in a v1 trace. */
static bool
proc_of(struct go_build *build, int64_t id, proc_ref *ref, struct error *err)
{
	if (UNLIKELY(id >= GO_PROC_TIMERS && id <= GO_PROC_PROFILE))
		id = GO_ID_NONE;
	return cached(&build->procs, builder_proc, build->builder, id, ref, err);
}

static bool
thread_of(struct go_build *build, int64_t id, thread_ref *ref, struct error *err)
{
	return cached(&build->threads, builder_thread, build->builder, id, ref, err);
}

/* Who acted: the goroutine of the context, else its proc, see segment.h. */
static bool
waker_of(struct go_build *build, const struct go_event *event, uint32_t *waker, struct error *err)
{
	if (event->g >= 0)
		return goroutine_of(build, event->g, waker, err);
	if (!proc_of(build, event->p, waker, err))
		return false;
	if (*waker != REF_NONE)
		*waker |= WAKER_PROC;
	return true;
}

/* What it means that a goroutine goes from one state to another; from == to is no change. */
static const struct transition {
	enum state state;
	enum state_entry entry;
	bool is_known;
	bool is_woken;      /* somebody else did it: its stack and who it was */
	bool has_own_stack; /* the goroutine's own stack says where */
	bool is_executing;  /* it has a thread, and maybe a proc, from here on */
} transitions[GO_STATE_COUNT][GO_STATE_COUNT] = {
	[GO_UNDETERMINED] = {
		[GO_RUNNABLE] = { STATE_READY, ENTRY_STATUS, true, false, false, false },
		[GO_RUNNING] = { STATE_RUNNING, ENTRY_STATUS, true, false, false, true },
		[GO_WAITING] = { STATE_BLOCKED, ENTRY_STATUS, true, false, true, false },
		[GO_SYSCALL] = { STATE_SYSCALL, ENTRY_STATUS, true, false, true, true },
	},
	[GO_NOT_EXIST] = {
		[GO_RUNNABLE] = { STATE_READY, ENTRY_CREATED, true, true, false, false },
		[GO_WAITING] = { STATE_BLOCKED, ENTRY_CREATED, true, false, true, false },
		[GO_SYSCALL] = { STATE_SYSCALL, ENTRY_CREATED, true, false, true, true },
	},
	[GO_RUNNABLE] = {
		[GO_RUNNING] = { STATE_RUNNING, ENTRY_STARTED, true, false, false, true },
	},
	[GO_RUNNING] = {
		[GO_RUNNABLE] = { STATE_READY, ENTRY_STOPPED, true, false, true, false },
		[GO_WAITING] = { STATE_BLOCKED, ENTRY_BLOCKED, true, false, true, false },
		[GO_NOT_EXIST] = { STATE_GONE, ENTRY_ENDED, true, false, false, false },
		[GO_SYSCALL] = { STATE_SYSCALL, ENTRY_SYSCALL, true, false, true, true },
	},
	[GO_SYSCALL] = {
		[GO_RUNNING] = { STATE_RUNNING, ENTRY_RETURNED, true, false, false, true },
		[GO_RUNNABLE] = { STATE_READY, ENTRY_RETURNED, true, false, false, false },
		[GO_NOT_EXIST] = { STATE_GONE, ENTRY_ENDED, true, false, false, false },
	},
	[GO_WAITING] = {
		[GO_RUNNABLE] = { STATE_READY, ENTRY_UNBLOCKED, true, true, false, false },
	},
};

static bool
subject_of(struct go_build *build, const struct go_event *event, goroutine_ref *ref,
           struct error *err)
{
	goroutine_ref creator;
	int64_t id = event->u.goroutine.id;
	uint64_t slot = (uint64_t)id % BUILD_CACHE;

	if (event->u.goroutine.from != GO_NOT_EXIST || id < 0)
		return goroutine_of(build, id, ref, err);
	if (!goroutine_of(build, event->g, &creator, err) ||
	    !builder_create(build->builder, id, creator, event->stack, ref, err))
		return false;
	build->goroutines.id[slot] = id;
	build->goroutines.ref[slot] = *ref;
	return true;
}

static bool
build_goroutine(struct go_build *build, const struct go_event *event, struct error *err)
{
	const struct transition *transition =
		&transitions[event->u.goroutine.from][event->u.goroutine.to];
	struct state_change change = {
		.reason = event->u.goroutine.reason,
		.waker = REF_NONE,
		.proc = REF_NONE,
		.thread = REF_NONE,
	};

	if (!subject_of(build, event, &change.goroutine, err))
		return false;
	/* Only broken bytes number a goroutine or a proc below 0; to the model it is nobody. */
	if (UNLIKELY(change.goroutine == REF_NONE))
		return true;
	builder_name(build->builder, change.goroutine, event->u.goroutine.stack);
	if (!transition->is_known)
		return true;
	change.state = transition->state;
	change.entry = transition->entry;
	change.is_old = event->u.goroutine.from == GO_UNDETERMINED;
	if (transition->has_own_stack)
		change.stack = event->u.goroutine.stack;
	if (transition->is_woken) {
		change.stack = event->stack;
		change.is_by_timer = event->p == GO_PROC_TIMERS;
		if (!waker_of(build, event, &change.waker, err))
			return false;
	}
	if (transition->is_executing && (!proc_of(build, event->p, &change.proc, err) ||
	                                 !thread_of(build, event->m, &change.thread, err)))
		return false;
	return builder_state(build->builder, &change, err);
}

static bool
build_proc(struct go_build *build, const struct go_event *event, struct error *err)
{
	proc_ref proc;

	if (!proc_of(build, event->u.proc.id, &proc, err))
		return false;
	if (proc != REF_NONE && event->u.proc.from == PROC_RUNNING && event->u.proc.to == PROC_IDLE)
		return builder_proc_lost(build->builder, proc, err);
	return true;
}

static bool
build_metric(struct go_build *build, const struct go_event *event, struct error *err)
{
	static const enum counter_type counters[GO_METRIC_COUNT] = {
		[GO_METRIC_GOMAXPROCS] = COUNTER_GOMAXPROCS,
		[GO_METRIC_HEAP_ALLOC] = COUNTER_HEAP_ALLOC,
		[GO_METRIC_HEAP_GOAL] = COUNTER_HEAP_GOAL,
	};

	return builder_counter(build->builder, counters[event->u.metric.metric],
	                       event->u.metric.value, err);
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
		.start_stack = event->stack,
		.scope = REF_NONE,
		.task = REF_NONE,
		.parent = REF_NONE,
	};
	if (!goroutine_of(build, event->g, &range->goroutine, err))
		return false;
	if (event->u.range.scope_p >= 0)
		return proc_of(build, event->u.range.scope_p, &range->scope, err);
	return goroutine_of(build, event->u.range.scope_g, &range->scope, err);
}

static bool
region_of(struct go_build *build, const struct go_event *event, struct range *range,
          struct error *err)
{
	*range = (struct range){
		.type = RANGE_REGION,
		.name = event->u.region.name,
		.start_stack = event->stack,
		.parent = REF_NONE,
	};
	if (!goroutine_of(build, event->g, &range->goroutine, err))
		return false;
	range->scope = range->goroutine;
	return builder_task(build->builder, event->u.region.task, &range->task, err);
}

static bool
end_range(struct go_build *build, const struct go_event *event, struct range *range,
          struct error *err)
{
	bool found;

	if (!builder_range_end(build->builder, range->type, range->scope, event->stack, &found, err))
		return false;
	if (found)
		return true;
	range->start_stack = STACK_NONE;
	range->end_stack = event->stack;
	return builder_range_old(build->builder, range, err);
}

static bool
build_range(struct go_build *build, const struct go_event *event, struct error *err)
{
	struct range range;

	if (!range_of(build, event, &range, err))
		return false;
	if (event->kind == GO_EVENT_RANGE_END)
		return end_range(build, event, &range, err);
	if (event->kind == GO_EVENT_RANGE_ACTIVE) {
		/* From the second generation on this only repeats what is known. */
		if (builder_range_is_open(build->builder, range.type, range.scope))
			return true;
		range.began_before = true;
		range.start_stack = STACK_NONE;
	}
	return builder_range_begin(build->builder, &range, err);
}

static bool
build_region(struct go_build *build, const struct go_event *event, struct error *err)
{
	struct range range;

	if (!region_of(build, event, &range, err))
		return false;
	if (event->kind == GO_EVENT_REGION_END)
		return end_range(build, event, &range, err);
	return builder_range_begin(build->builder, &range, err);
}

static bool
build_task(struct go_build *build, const struct go_event *event, struct error *err)
{
	goroutine_ref goroutine;

	if (!goroutine_of(build, event->g, &goroutine, err))
		return false;
	if (event->kind == GO_EVENT_TASK_BEGIN)
		return builder_task_begin(build->builder, event->u.task.id, event->u.task.parent,
		                          event->u.task.name, goroutine, event->stack, err);
	return builder_task_end(build->builder, event->u.task.id, event->u.task.name, goroutine,
	                        event->stack, err);
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
	return goroutine_of(build, event->g > 0 ? event->g : GO_ID_NONE, &instant->goroutine, err) &&
	       proc_of(build, event->p, &instant->proc, err) &&
	       thread_of(build, event->m, &instant->thread, err);
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

/* The runtime labels the workers of the collector itself: semantics, section 7.1. */
static bool
build_label(struct go_build *build, const struct go_event *event, const char *text, size_t length,
            struct error *err)
{
	static const char gc_label[] = "GC (";
	struct instant instant;

	if (!instant_of(build, event, INSTANT_LABEL, &instant, err))
		return false;
	instant.text = event->u.label.label;
	if (instant.goroutine != REF_NONE && length >= sizeof(gc_label) - 1 &&
	    memcmp(text, gc_label, sizeof(gc_label) - 1) == 0 &&
	    !builder_gc_worker(build->builder, instant.goroutine, err))
		return false;
	return builder_instant(build->builder, &instant, err);
}

static bool
build_clock(struct go_build *build, const struct go_event *event, struct error *err)
{
	const uint64_t ns_per_s = 1000000000u;

	if (!event->u.sync.has_clock || event->u.sync.clock_wall_s > INT64_MAX / ns_per_s - 1 ||
	    event->u.sync.clock_wall_ns >= ns_per_s)
		return true;
	return builder_wall_clock(
		build->builder, event->u.sync.clock_trace_ns,
		(int64_t)(event->u.sync.clock_wall_s * ns_per_s + event->u.sync.clock_wall_ns), err);
}

static bool
take_event(void *context, const struct go_event *event, struct error *err)
{
	struct go_build *build = context;
	const char *text;
	size_t length;
	thread_ref thread;

	if (event->kind == GO_EVENT_SYNC)
		return build_clock(build, event, err);
	/* A thread that never runs a goroutine is known all the same. */
	if (!builder_event(build->builder, event->time_ns, err) ||
	    !thread_of(build, event->m, &thread, err))
		return false;
	switch (event->kind) {
	case GO_EVENT_GOROUTINE:
		return build_goroutine(build, event, err);
	case GO_EVENT_PROC:
		return build_proc(build, event, err);
	case GO_EVENT_METRIC:
		return build_metric(build, event, err);
	case GO_EVENT_LABEL:
		text = builder_text(build->builder, event->u.label.label, &length);
		return build_label(build, event, text, length, err);
	case GO_EVENT_SAMPLE:
		return build_sample(build, event, err);
	case GO_EVENT_RANGE_BEGIN:
	case GO_EVENT_RANGE_ACTIVE:
	case GO_EVENT_RANGE_END:
		return build_range(build, event, err);
	case GO_EVENT_TASK_BEGIN:
	case GO_EVENT_TASK_END:
		return build_task(build, event, err);
	case GO_EVENT_REGION_BEGIN:
	case GO_EVENT_REGION_END:
		return build_region(build, event, err);
	case GO_EVENT_LOG:
		return build_log(build, event, err);
	case GO_EVENT_EXPERIMENTAL:
		return allocations_take(&build->allocations, build->builder, event, err);
	case GO_EVENT_SYNC:
	case GO_EVENT_KIND_COUNT:
		break;
	}
	return true;
}

static bool
take_generation(void *context, uint64_t generation, struct error *err)
{
	struct go_build *build = context;

	(void)generation;
	return builder_generation_end(build->builder, err);
}

struct go_sink
go_build_sink(struct go_build *build)
{
	return (struct go_sink){
		.event = take_event,
		.generation = take_generation,
		.context = build,
	};
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

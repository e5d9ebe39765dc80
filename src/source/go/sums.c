/*
 * The sink that sums up. It takes events as the step writer does (steps.c), and gives changes of
 * state and ranges to a tally, clocks and allocations to a builder.
 */
#include "source/go/sums.h"

#include "base/memory.h"
#include "base/text.h"
#include "source/go/build.h"
#include "source/go/load.h"
#include "source/go/steps.h"
#include "source/go/words.h"
#include "trace/builder.h"

/* Procs, or threads, that were seen to run something. */
struct used {
	bool *items; /* by ref */
	size_t capacity;
};

struct sums {
	struct trace *trace;
	struct builder *builder;
	struct go_build build; /* for what is rare */
	struct tallier *tallier;
	struct used procs, threads;
	bool is_past_first; /* the first generation has ended */
};

/* ---- what holds since the trace began */

static bool
is_used(const struct used *used, uint32_t ref)
{
	return ref != REF_NONE && ref < used->capacity && used->items[ref];
}

static bool
use(struct used *used, uint32_t ref, struct error *err)
{
	size_t before = used->capacity;

	if (ref == REF_NONE)
		return true;
	if (!array_reserve(&used->items, &used->capacity, (size_t)ref + 1, sizeof(bool), err))
		return false;
	for (size_t i = before; i < used->capacity; i++)
		used->items[i] = false;
	used->items[ref] = true;
	return true;
}

/*
 * A state that the first generation only mentions holds since the trace began, unless its proc
 * or thread is known to have done something else before.
 */
static bool
take_old(struct sums *sums, const struct go_event *event, uint8_t state, resource_ref thread,
         bool *is_old, struct error *err)
{
	resource_ref proc;

	*is_old = !sums->is_past_first && event->u.goroutine.from == GO_UNDETERMINED;
	if (state != STATE_RUNNING && state != STATE_SYSCALL)
		return true;
	if (!builder_processor(sums->builder, go_event_proc(step_proc_of(event)), &proc, err))
		return false;
	if (sums->is_past_first)
		return true;
	*is_old = *is_old && !is_used(&sums->procs, proc) && !is_used(&sums->threads, thread);
	return use(&sums->procs, proc, err) && use(&sums->threads, thread, err);
}

/* ---- events */

static int64_t
now_of(const struct sums *sums, const struct go_event *event)
{
	return event->time_ns - sums->trace->origin_ns;
}

static bool
find_row(struct sums *sums, const struct go_event *event, uint32_t *row, struct error *err)
{
	int64_t id = event->u.goroutine.id;

	if (event->u.goroutine.from == GO_NOT_EXIST)
		return tallier_create(sums->tallier, id, row, err);
	return tallier_actor(sums->tallier, id, row, err);
}

static bool
take_change(struct sums *sums, const struct go_event *event, resource_ref thread,
            struct error *err)
{
	stack_id stack = event->u.goroutine.stack;
	uint8_t state;
	uint32_t row;
	bool is_change = step_state_of(event, &state);
	struct tally_state next = {
		.state = (enum state)state, .reason = event->u.goroutine.reason
	};

	if (event->u.goroutine.id < 0)
		return true;
	if (!find_row(sums, event, &row, err))
		return false;
	if (stack != STACK_NONE)
		tallier_name(sums->tallier, row,
		             stack_root(&sums->trace->stacks, stack)->function);
	if (!is_change)
		return true;
	return take_old(sums, event, state, thread, &next.is_old, err) &&
	       tallier_state(sums->tallier, row, next, now_of(sums, event), err);
}

static bool
take_range(struct sums *sums, const struct go_event *event, struct error *err)
{
	struct tally_scope scope = {
		.actor = event->u.range.scope_g < 0 ? GO_ID_NONE : event->u.range.scope_g,
		.name = event->u.range.detail,
	};
	int64_t now_ns = now_of(sums, event);
	resource_ref proc;

	if (event->u.range.scope_p >= 0)
		return builder_processor(sums->builder, go_event_proc(event->u.range.scope_p), &proc, err);
	if (event->u.range.range != GO_RANGE_GC_MARK && event->u.range.range != GO_RANGE_STW)
		return true;
	scope.type = event->u.range.range == GO_RANGE_STW ? RANGE_STW : RANGE_GC_MARK;
	if (event->kind == GO_EVENT_RANGE_END) {
		tallier_range_end(sums->tallier, &scope, now_ns);
		return true;
	}
	if (event->kind == GO_EVENT_RANGE_BEGIN)
		return tallier_range_begin(sums->tallier, &scope, false, now_ns, err);
	return tallier_range_is_open(sums->tallier, &scope) ||
	       tallier_range_begin(sums->tallier, &scope, !sums->is_past_first, now_ns, err);
}

static bool
take_label(struct sums *sums, const struct go_event *event, struct error *err)
{
	int64_t id = go_event_goroutine(event);
	size_t length;
	const char *text = trace_text(sums->trace, event->u.label.label, &length);
	uint32_t row;

	if (id < 0 || !go_label_is_of_gc(text, length))
		return true;
	if (!tallier_actor(sums->tallier, id, &row, err))
		return false;
	tallier_worker(sums->tallier, row, now_of(sums, event));
	return true;
}

static bool
take_other(struct sums *sums, const struct go_event *event, struct error *err)
{
	resource_ref proc;

	switch (event->kind) {
	case GO_EVENT_PROC:
		return builder_processor(
			sums->builder, go_event_proc(event->u.proc.id), &proc, err);
	case GO_EVENT_RANGE_BEGIN:
	case GO_EVENT_RANGE_ACTIVE:
	case GO_EVENT_RANGE_END:
		return take_range(sums, event, err);
	case GO_EVENT_LABEL:
		if (!take_label(sums, event, err))
			return false;
		break;
	case GO_EVENT_EXPERIMENTAL:
		return go_build_event(&sums->build, event, err);
	case GO_EVENT_SAMPLE:
	case GO_EVENT_LOG:
		break;
	case GO_EVENT_SYNC:
	case GO_EVENT_METRIC:
	case GO_EVENT_TASK_BEGIN:
	case GO_EVENT_TASK_END:
	case GO_EVENT_REGION_BEGIN:
	case GO_EVENT_REGION_END:
	case GO_EVENT_GOROUTINE:
	case GO_EVENT_KIND_COUNT:
		return true;
	}
	return builder_processor(sums->builder, go_event_proc(event->p), &proc, err);
}

/* A waker that is no goroutine is the proc that the wake happened on. */
static bool
know_waker(struct sums *sums, const struct go_event *event, struct error *err)
{
	resource_ref proc;

	return event->g >= 0 || event->u.goroutine.to != GO_RUNNABLE ||
	       (event->u.goroutine.from != GO_WAITING &&
	        event->u.goroutine.from != GO_NOT_EXIST) ||
	       builder_processor(sums->builder, go_event_proc(event->p), &proc, err);
}

static bool
take_event(void *context, const struct go_event *event, struct error *err)
{
	struct sums *sums = context;
	resource_ref thread;

	if (event->kind == GO_EVENT_SYNC)
		return go_build_event(&sums->build, event, err);
	if (!builder_event(sums->builder, event->time_ns, err) ||
	    !builder_thread(sums->builder, event->m, &thread, err))
		return false;
	if (event->kind != GO_EVENT_GOROUTINE)
		return take_other(sums, event, err);
	return take_change(sums, event, thread, err) && know_waker(sums, event, err);
}

static bool
take_generation(void *context, uint64_t generation, struct error *err)
{
	struct sums *sums = context;

	(void)generation;
	sums->is_past_first = true;
	return builder_generation_end(sums->builder, err);
}

/* ---- the whole */

static bool
sum_up(struct sums *sums, struct input *in, const struct go_read_options *options,
       struct tally *tally, struct error *err)
{
	struct trace *trace = sums->trace;
	const struct go_sink sink = {
		.event = take_event,
		.generation = take_generation,
		.context = sums,
		.strings = &trace->strings,
		.stacks = &trace->stacks,
	};
	struct go_read_result result;

	if (!go_read(in, &sink, options, &result, err) ||
	    !tallier_finish(sums->tallier, trace->end_ns, sums->builder, err) ||
	    !builder_finish(sums->builder, err) || !tallier_result(sums->tallier, tally, err))
		return false;
	go_load_take_result(trace, &result);
	return true;
}

struct trace *
go_sum_up(struct input *in, const struct go_read_options *options, int64_t t0_ns, int64_t t1_ns,
          struct tally *tally, struct error *err)
{
	struct sums sums = { .trace = go_trace_new(err) };

	*tally = (struct tally){ 0 };
	if (sums.trace != NULL)
		sums.builder = builder_new(sums.trace, err);
	if (sums.builder != NULL)
		sums.tallier = tallier_new(sums.trace, t0_ns, t1_ns, err);
	go_build_init(&sums.build, sums.builder);
	bool ok = sums.tallier != NULL && sum_up(&sums, in, options, tally, err);
	go_build_release(&sums.build);
	tallier_free(sums.tallier);
	builder_free(sums.builder);
	if (!ok) {
		trace_free(sums.trace);
		sums.trace = NULL;
	}
	memory_free(sums.procs.items);
	memory_free(sums.threads.items);
	return sums.trace;
}

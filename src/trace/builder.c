/* The builder: goroutines, procs and threads. */
#include "trace/builder.h"

#include <assert.h>
#include <string.h>

#include "trace/builder_internal.h"

struct builder *
builder_new(struct trace *trace, struct error *err)
{
	struct builder *builder = memory_realloc(NULL, sizeof(*builder));

	if (builder == NULL) {
		error_set_memory(err, "building the trace");
		return NULL;
	}
	*builder = (struct builder){
		.trace = trace,
	};
	memset(builder->recent_kinds, 0xff, sizeof(builder->recent_kinds));
	return builder;
}

void
builder_release_work(struct builder *builder)
{
	array_release(&builder->goroutines);
	resource_builder_release(&builder->procs);
	resource_builder_release(&builder->threads);
	id_map_release(&builder->proc_of);
	id_map_release(&builder->thread_of);
	id_map_release(&builder->task_of);
	map_release(&builder->kind_of);
	array_release(&builder->states);
	array_release(&builder->sites);
	array_release(&builder->touched);
	for (int row = 0; row < WAKE_ROW_COUNT; row++)
		array_release(&builder->wakes[row].state);
	array_release(&builder->checkpoint_states);
}

void
builder_free(struct builder *builder)
{
	if (builder == NULL)
		return;
	builder_release_work(builder);
	map_release(&builder->alloc_type_of);
	builder_release_lists(builder);
	for (int type = 0; type < RANGE_TYPE_COUNT; type++)
		id_map_release(&builder->open_ranges[type]);
	memory_free(builder);
}

void
builder_watch(struct builder *builder, const struct progress *progress)
{
	builder->progress = progress;
}

const char *
builder_text(const struct builder *builder, string_id id, size_t *length)
{
	return trace_text(builder->trace, id, length);
}

bool
builder_event(struct builder *builder, int64_t time_ns, struct error *err)
{
	return builder_advance(builder, time_ns, err);
}

/* Adds a goroutine to the tables; its id now means this one. */
static bool
add_goroutine(struct builder *builder, int64_t id, goroutine_ref *ref, struct error *err)
{
	struct trace *trace = builder->trace;
	goroutine_ref added = trace->goroutines.count;
	struct goroutine *goroutine;

	if (added >= WAKER_PROC)
		return error_set(err, ERROR_LIMIT, "more goroutines than the trace can hold");
	if (!array_reserve(&builder->goroutines, &builder->goroutine_capacity, (size_t)added + 1,
	                   sizeof(*builder->goroutines), err))
		return false;
	builder->goroutines[added] = (struct goroutine_build){
		.last_segment = REF_NONE,
		.last_run = REF_NONE,
		.checkpoint_slot = REF_NONE,
		.proc = REF_NONE,
		.thread = REF_NONE,
		.listed_group = REF_NONE,
	};
	goroutine = stable_append(&trace->goroutines, err);
	if (goroutine == NULL)
		return false;
	*goroutine = (struct goroutine){
		.id = id,
		.first_ns = builder->now_ns,
		.end_ns = TIME_OPEN,
		.creator = REF_NONE,
	};
	if (!id_map_put(&trace->goroutine_of, (uint64_t)id, added, err))
		return false;
	*ref = added;
	return true;
}

bool
builder_goroutine(struct builder *builder, int64_t id, goroutine_ref *ref, struct error *err)
{
	if (id < 0) {
		*ref = REF_NONE;
		return true;
	}
	*ref = id_map_find(&builder->trace->goroutine_of, (uint64_t)id);
	return *ref != MAP_NONE || add_goroutine(builder, id, ref, err);
}

bool
builder_create(struct builder *builder, int64_t id, goroutine_ref creator, stack_id create_stack,
               goroutine_ref *ref, struct error *err)
{
	struct goroutine *goroutine;

	if (!add_goroutine(builder, id, ref, err))
		return false;
	goroutine = trace_goroutine(builder->trace, *ref);
	goroutine->creator = creator;
	goroutine->create_stack = create_stack;
	return true;
}

bool
builder_proc(struct builder *builder, int64_t id, proc_ref *ref, struct error *err)
{
	struct trace *trace = builder->trace;
	struct proc *proc;

	if (id < 0) {
		*ref = REF_NONE;
		return true;
	}
	*ref = id_map_find(&builder->proc_of, (uint64_t)id);
	if (*ref != MAP_NONE)
		return true;
	if (trace->procs.count >= WAKER_PROC - 1)
		return error_set(err, ERROR_LIMIT, "more procs than the trace can hold");
	if (!resource_add(&builder->procs, err) || (proc = stable_append(&trace->procs, err)) == NULL)
		return false;
	*proc = (struct proc){ .id = id, .first_ns = builder->now_ns };
	*ref = trace->procs.count - 1;
	return id_map_put(&builder->proc_of, (uint64_t)id, *ref, err);
}

bool
builder_thread(struct builder *builder, int64_t id, thread_ref *ref, struct error *err)
{
	struct trace *trace = builder->trace;
	struct thread *thread;

	if (id < 0) {
		*ref = REF_NONE;
		return true;
	}
	*ref = id_map_find(&builder->thread_of, (uint64_t)id);
	if (*ref != MAP_NONE)
		return true;
	if (!resource_add(&builder->threads, err) ||
	    (thread = stable_append(&trace->threads, err)) == NULL)
		return false;
	*thread = (struct thread){ .id = id, .first_ns = builder->now_ns };
	*ref = trace->threads.count - 1;
	return id_map_put(&builder->thread_of, (uint64_t)id, *ref, err);
}

bool
builder_name(struct builder *builder, goroutine_ref ref, string_id function, struct error *err)
{
	struct goroutine_build *build = builder_goroutine_build(builder, ref);
	struct goroutine *goroutine = trace_goroutine(builder->trace, ref);
	size_t length;
	const char *name = builder_text(builder, function, &length);

	assert(function != STRING_EMPTY && goroutine->name == STRING_EMPTY);
	goroutine->name = function;
	build->is_gc_worker = build->is_gc_worker || state_is_gc_worker_name(name, length);
	return builder_join_group(builder, ref, function, err);
}

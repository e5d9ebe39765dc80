/* The builder: actors, processors and threads. */
#include "trace/builder.h"

#include <assert.h>
#include <string.h>

#include "trace/builder_internal.h"
#include "trace/words.h"

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
	builder->publisher = publisher_new(trace, builder->kind_class, err);
	if (builder->publisher != NULL)
		return builder;
	memory_free(builder);
	return NULL;
}

void
builder_release_work(struct builder *builder)
{
	array_release(&builder->actors);
	resource_builder_release(&builder->processors);
	resource_builder_release(&builder->threads);
	id_map_release(&builder->processor_of);
	id_map_release(&builder->thread_of);
	id_map_release(&builder->task_of);
	map_release(&builder->kind_of);
	draft_release(&builder->draft);
	publisher_retire(builder->publisher);
}

void
builder_free(struct builder *builder)
{
	if (builder == NULL)
		return;
	builder_release_work(builder);
	map_release(&builder->alloc_type_of);
	map_release(&builder->gauge_of);
	publisher_free(builder->publisher);
	for (int type = 0; type < RANGE_TYPE_COUNT; type++)
		id_map_release(&builder->open_ranges[type]);
	memory_free(builder);
}

void
builder_watch(struct builder *builder, const struct progress *progress)
{
	builder->progress = progress;
	publisher_watch(builder->publisher, progress);
}

void
builder_group_names(struct builder *builder, const string_id *names)
{
	builder->group_names = names;
}

void
builder_divert(struct builder *builder, const struct draft_taker *taker)
{
	builder->is_diverted = true;
	publisher_divert(builder->publisher, taker);
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

/* Adds an actor to the tables; its id now means this one. */
static bool
add_actor(struct builder *builder, int64_t id, actor_ref *ref, struct error *err)
{
	struct trace *trace = builder->trace;
	actor_ref added = trace->actors.count;
	struct actor *actor;

	if (added >= WAKER_PROCESSOR)
		return error_set_words(err, ERROR_LIMIT, trace->words,
			"more {actors} than the trace can hold");
	if (!array_reserve(&builder->actors, &builder->actor_capacity, (size_t)added + 1,
	                   sizeof(*builder->actors), err))
		return false;
	builder->actors[added] = (struct actor_build){
		.processor = REF_NONE,
		.thread = REF_NONE,
	};
	actor = stable_append(&trace->actors, err);
	if (actor == NULL)
		return false;
	*actor = (struct actor){
		.id = id,
		.first_ns = builder->now_ns,
		.end_ns = TIME_OPEN,
		.creator = REF_NONE,
	};
	if (!id_map_put(&trace->actor_of, (uint64_t)id, added, err))
		return false;
	*ref = added;
	return true;
}

bool
builder_actor(struct builder *builder, int64_t id, actor_ref *ref, struct error *err)
{
	if (id < 0) {
		*ref = REF_NONE;
		return true;
	}
	*ref = id_map_find(&builder->trace->actor_of, (uint64_t)id);
	return *ref != MAP_NONE || add_actor(builder, id, ref, err);
}

bool
builder_create(struct builder *builder, int64_t id, actor_ref creator, stack_id create_stack,
               actor_ref *ref, struct error *err)
{
	struct actor *actor;

	if (!add_actor(builder, id, ref, err))
		return false;
	actor = trace_actor(builder->trace, *ref);
	actor->creator = creator;
	actor->create_stack = create_stack;
	return true;
}

bool
builder_processor(struct builder *builder, int64_t id, resource_ref *ref, struct error *err)
{
	struct trace *trace = builder->trace;
	struct resource *processor;

	if (id < 0) {
		*ref = REF_NONE;
		return true;
	}
	*ref = id_map_find(&builder->processor_of, (uint64_t)id);
	if (*ref != MAP_NONE)
		return true;
	if (trace->processors.count >= WAKER_PROCESSOR - 1)
		return error_set_words(err, ERROR_LIMIT, trace->words,
			"more {processors} than the trace can hold");
	if (!resource_add(&builder->processors, err) || (processor = stable_append(&trace->processors, err)) == NULL)
		return false;
	*processor = (struct resource){ .id = id, .first_ns = builder->now_ns };
	*ref = trace->processors.count - 1;
	return id_map_put(&builder->processor_of, (uint64_t)id, *ref, err);
}

bool
builder_thread(struct builder *builder, int64_t id, resource_ref *ref, struct error *err)
{
	struct trace *trace = builder->trace;
	struct resource *thread;

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
	*thread = (struct resource){ .id = id, .first_ns = builder->now_ns };
	*ref = trace->threads.count - 1;
	return id_map_put(&builder->thread_of, (uint64_t)id, *ref, err);
}

/* Which group it is in matters only for the changes, and so to the publisher. */
static bool
note_name(struct draft *draft, actor_ref ref, string_id name, struct error *err)
{
	if (!array_reserve(&draft->names, &draft->name_capacity, draft->name_count + 1,
	                   sizeof(*draft->names), err))
		return false;
	draft->names[draft->name_count++] = (struct draft_name){ ref, name };
	return true;
}

bool
builder_name(struct builder *builder, actor_ref ref, string_id function, struct error *err)
{
	struct actor_build *build = builder_actor_build(builder, ref);
	struct actor *actor = trace_actor(builder->trace, ref);
	size_t length;
	const char *name = builder_text(builder, function, &length);

	assert(function != STRING_EMPTY && actor->name == STRING_EMPTY);
	actor->name = function;
	build->is_worker = build->is_worker || words_name_worker(builder->trace->words, name, length);
	return note_name(&builder->draft, ref, function, err);
}

/* What was gathered becomes a draft that is complete. */
static void
complete_draft(struct builder *builder)
{
	struct draft *draft = &builder->draft;

	/* Without states it only tells that processors were lost, as late as now. */
	if (draft->state_count == 0)
		draft->base_ns = builder->now_ns;
	draft->end_ns = builder->now_ns;
	draft->actor_count = builder->trace->actors.count;
	draft->kind_count = builder->trace->kind_count;
	for (uint32_t i = 0; i < draft->run_count; i++) {
		struct draft_run *run = &draft->runs[i];
		struct actor_build *build = builder_actor_build(builder, run->actor);

		run->count = build->total - run->count;
		build->is_in_draft = false;
	}
	resource_hand_over(&builder->processors, &draft->processors);
	resource_hand_over(&builder->threads, &draft->threads);
}

bool
builder_publish(struct builder *builder, struct error *err)
{
	if (draft_is_empty(&builder->draft))
		return true;
	complete_draft(builder);
	builder->state_limit = builder->ended_count = 0;
	if (!publisher_take(builder->publisher, &builder->draft, err))
		return false;
	/* What it came to can be told only when nothing is on the way. */
	return builder->most_bytes == 0 || (publisher_settle(builder->publisher, err) &&
	                                    builder_is_within_limit(builder, err));
}

bool
builder_settle(struct builder *builder, struct error *err)
{
	return builder_publish(builder, err) && publisher_settle(builder->publisher, err);
}

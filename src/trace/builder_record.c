/* The builder's part for what is told beside states: ranges, tasks, instants, counters. */
#include "trace/builder_internal.h"

static bool
append_range(struct builder *builder, const struct range *range, range_ref *ref,
             struct error *err)
{
	struct stable_column *ranges = &builder->trace->ranges;
	struct range *added = stable_append(ranges, err);

	if (added == NULL)
		return false;
	*added = *range;
	*ref = ranges->count - 1;
	return true;
}

bool
builder_range_is_open(const struct builder *builder, enum range_type type, uint32_t scope)
{
	return id_map_find(&builder->open_ranges[type], scope) != MAP_NONE;
}

bool
builder_range_begin(struct builder *builder, const struct range *range, struct error *err)
{
	/* Open ranges of one type on one scope nest. */
	struct id_map *open = &builder->open_ranges[range->type];
	struct range begun = *range;
	range_ref ref;

	begun.start_ns = range->began_before ? builder->trace->start_ns : builder->now_ns;
	begun.end_ns = TIME_OPEN;
	begun.ended_after = true;
	begun.end_stack = STACK_NONE;
	begun.parent = id_map_find(open, range->scope);
	begun.depth = 0;
	if (begun.parent != REF_NONE) {
		uint8_t depth = trace_range(builder->trace, begun.parent)->depth;

		begun.depth = depth < UINT8_MAX ? (uint8_t)(depth + 1) : depth;
	}
	return append_range(builder, &begun, &ref, err) &&
	       id_map_put(open, range->scope, ref, err);
}

bool
builder_range_end(struct builder *builder, const struct range *end)
{
	struct id_map *open = &builder->open_ranges[end->type];
	range_ref ref = id_map_find(open, end->scope);
	struct range *range;

	if (ref == MAP_NONE)
		return false;
	range = trace_range(builder->trace, ref);
	range->end_ns = builder->now_ns;
	range->end_stack = end->end_stack;
	range->ended_after = false;
	if (range->beginner == REF_NONE)
		range->beginner = end->beginner;
	if (range->parent != REF_NONE)
		id_map_set(open, end->scope, range->parent);
	else
		id_map_remove(open, end->scope);
	return true;
}

void
builder_end_regions(struct builder *builder, actor_ref actor)
{
	const struct range end = {
		.type = RANGE_REGION, .scope = actor, .beginner = actor
	};

	while (builder_range_end(builder, &end))
		;
}

bool
builder_range_old(struct builder *builder, const struct range *range, struct error *err)
{
	struct range old = *range;
	range_ref ref;

	old.start_ns = builder->trace->start_ns;
	old.end_ns = builder->now_ns;
	old.began_before = true;
	old.ended_after = false;
	old.parent = REF_NONE;
	old.depth = 0;
	return append_range(builder, &old, &ref, err);
}

/* A task that is new to us; it counts as begun before the trace until its begin is told. */
static bool
add_task(struct builder *builder, int64_t id, task_ref *ref, struct error *err)
{
	struct trace *trace = builder->trace;
	struct task *task = stable_append(&trace->tasks, err);

	if (task == NULL)
		return false;
	*task = (struct task){
		.id = id,
		.parent = REF_NONE,
		.end_ns = TIME_OPEN,
		.start_actor = REF_NONE,
		.end_actor = REF_NONE,
		.began_before = true,
	};
	*ref = trace->tasks.count - 1;
	return id_map_put(&builder->task_of, (uint64_t)id, *ref, err);
}

bool
builder_task(struct builder *builder, int64_t id, task_ref *ref, struct error *err)
{
	*ref = REF_NONE;
	if (id == 0 || id == -1)
		return true;
	*ref = id_map_find(&builder->task_of, (uint64_t)id);
	return *ref != MAP_NONE || add_task(builder, id, ref, err);
}

bool
builder_task_begin(struct builder *builder, const struct task_note *note, int64_t parent,
                   struct error *err)
{
	task_ref parent_ref, ref;
	struct task *task;

	if (!builder_task(builder, parent, &parent_ref, err) ||
	    !add_task(builder, note->id, &ref, err))
		return false;
	task = trace_task(builder->trace, ref);
	task->name = note->name;
	task->parent = parent_ref;
	task->start_ns = builder->now_ns;
	task->start_actor = note->actor;
	task->start_stack = note->stack;
	task->began_before = false;
	return true;
}

bool
builder_task_end(struct builder *builder, const struct task_note *note, struct error *err)
{
	struct task *task;
	task_ref ref;

	if (!builder_task(builder, note->id, &ref, err))
		return false;
	if (ref == REF_NONE)
		return true;
	task = trace_task(builder->trace, ref);
	if (task->end_ns != TIME_OPEN)
		return true;
	if (task->name == STRING_EMPTY)
		task->name = note->name;
	task->end_ns = builder->now_ns;
	task->end_actor = note->actor;
	task->end_stack = note->stack;
	return true;
}

bool
builder_instant(struct builder *builder, const struct instant *instant, struct error *err)
{
	struct instant *added = stable_append(&builder->trace->instants, err);

	if (added == NULL)
		return false;
	*added = *instant;
	added->time_ns = builder->now_ns;
	if (instant->type == INSTANT_LABEL && instant->actor != REF_NONE)
		trace_actor(builder->trace, instant->actor)->label = instant->text;
	return true;
}

static bool
add_value(struct builder *builder, struct counter *counter, uint64_t value, struct error *err)
{
	uint64_t *added = stable_append(&counter->value, err);
	int64_t *time_ns = added == NULL ? NULL : stable_append(&counter->time_ns, err);

	if (time_ns == NULL)
		return false;
	*added = value;
	*time_ns = builder->now_ns;
	return true;
}

bool
builder_counter(struct builder *builder, enum counter_type type, uint64_t value, struct error *err)
{
	return add_value(builder, &builder->trace->counters[type], value, err);
}

bool
builder_gauge(struct builder *builder, string_id name, int64_t value, struct error *err)
{
	struct trace *trace = builder->trace;
	uint32_t index = map_find(&builder->gauge_of, name);
	if (index == MAP_NONE) {
		index = trace->gauge_count;
		if (!array_reserve(&trace->gauges, &builder->gauge_capacity, (size_t)index + 1,
			    sizeof *trace->gauges, err) ||
			!map_put(&builder->gauge_of, name, index, err))
			return false;
		trace->gauges[trace->gauge_count++] = (struct gauge){ .name = name,
			.counter = { .time_ns.item_size = sizeof(int64_t), .value.item_size = sizeof(uint64_t) } };
	}
	return add_value(builder, &trace->gauges[index].counter, gauge_pack(value), err);
}

bool
builder_alloc_type(struct builder *builder, string_id name, uint32_t *type, struct error *err)
{
	struct stable_column *types = &builder->trace->alloc_types;
	struct alloc_type *added;

	*type = map_find(&builder->alloc_type_of, name);
	if (*type != MAP_NONE)
		return true;
	*type = types->count;
	added = stable_append(types, err);
	if (added == NULL)
		return false;
	added->name = name;
	return map_put(&builder->alloc_type_of, name, *type, err);
}

static void
add_to_flow(struct alloc_flow *flow, const struct alloc_note *note)
{
	struct alloc_sum *sum = &flow->sums[note->change];

	sum->count++;
	sum->bytes += note->bytes;
	flow->unsized += note->is_unsized;
}

void
builder_alloc(struct builder *builder, const struct alloc_note *note)
{
	add_to_flow(&builder->trace->allocs[note->kind], note);
	if (note->type != REF_NONE) {
		struct alloc_type *type = stable_at(&builder->trace->alloc_types, note->type);
		add_to_flow(&type->flow, note);
	}
}

bool
builder_wall_clock(struct builder *builder, int64_t trace_ns, int64_t unix_ns, struct error *err)
{
	return wall_clock_add(&builder->trace->wall, (struct clock_point){ trace_ns, unix_ns }, err);
}

bool
builder_generation_end(struct builder *builder, struct error *err)
{
	if (!builder_settle(builder, err))
		return false;
	builder_mark_part(builder);
	builder->trace->generation_count++;
	return true;
}

uint64_t
builder_generations(const struct builder *builder)
{
	return builder->trace->generation_count;
}

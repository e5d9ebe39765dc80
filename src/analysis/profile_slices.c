/* A profile of slices: what they are in makes their stacks, and what is their own is their weight. */
#include "analysis/profile_internal.h"

#include "analysis/slice_times.h"
#include "base/checked.h"
#include "base/memory.h"
#include "query/watch.h"

/* The slices of a depth that were told: they stand together in the column, and in `stacks`. */
struct level {
	uint32_t first, count; /* `first` is an index in the column */
	size_t at;
};

struct stacking {
	struct profile_walk *walk;
	struct stack_table *stacks;
	const struct slices *slices;
	track_ref track;         /* of which slices are told */
	stack_id outermost;      /* whose that is */
	struct level *levels;    /* by depth, of that track */
	size_t level_count, level_capacity;
	stack_id *stack_of;      /* of its slices, depth by depth */
	size_t count, capacity;
};

static bool
add_name(struct stacking *stacking, stack_id caller, string_id name, stack_id *stack,
	struct error *err)
{
	frame_id frame;

	return stack_table_add_frame(
		       stacking->stacks, &(struct stack_frame){ .function = name }, &frame, err) &&
	       stack_table_add_node(stacking->stacks, caller, frame, stack, err);
}

static bool
begin_track(struct stacking *stacking, track_ref ref, struct error *err)
{
	const struct trace *trace = stacking->walk->trace;
	const struct track *track = slices_track_at(stacking->slices, ref);
	string_id name = track->name;

	if (track->owner == TRACK_OF_ACTOR && track->ref < trace_actor_count(trace))
		name = trace_actor(trace, track->ref)->name;
	stacking->track = ref;
	stacking->level_count = 0;
	stacking->count = 0;
	return add_name(stacking, STACK_NONE, name, &stacking->outermost, err);
}

/*
 * The stack of what a slice is in: at the next depth above of which one was told that holds its
 * begin. As with own time, one ends behind what ends with it.
 */
static stack_id
find_caller(const struct stacking *stacking, const struct slice_told *told)
{
	const struct slice *slice = told->slice;
	column_ref column = slices_track_at(stacking->slices, told->track)->first_column;
	int64_t behind_ns = saturating_add_i64(slice->start_ns, 1);
	struct slice above;

	for (uint32_t depth = told->depth; depth-- > 0;) {
		const struct level *level = &stacking->levels[depth];

		if (level->count > 0 &&
			slices_previous(stacking->slices, column + depth, behind_ns, &above) &&
			(slice->start_ns < above.end_ns || slice->end_ns <= above.end_ns) &&
			above.index >= level->first && above.index - level->first < level->count)
			return stacking->stack_of[level->at + (above.index - level->first)];
	}
	return stacking->outermost;
}

static bool
take_slice(void *context, const struct slice_told *told, struct error *err)
{
	struct stacking *stacking = context;
	stack_id stack;

	if (told->track != stacking->track && !begin_track(stacking, told->track, err))
		return false;
	if (!array_reserve(&stacking->levels, &stacking->level_capacity, (size_t)told->depth + 1,
		    sizeof *stacking->levels, err) ||
		!array_reserve(&stacking->stack_of, &stacking->capacity, stacking->count + 1,
			sizeof *stacking->stack_of, err))
		return false;
	while (stacking->level_count <= told->depth)
		stacking->levels[stacking->level_count++] =
			(struct level){ .first = told->slice->index, .at = stacking->count };
	if (!add_name(stacking, find_caller(stacking, told), told->slice->name, &stack, err))
		return false;
	stacking->stack_of[stacking->count++] = stack;
	stacking->levels[told->depth].count++;
	return !told->is_call ||
	       profile_add(stacking->walk,
		       &(struct profile_entry){ .stack = stack, .count = 1, .ns = told->self_ns },
		       err);
}

bool
profile_walk_slices(struct profile_walk *walk, struct error *err)
{
	const struct profile_scope *scope = walk->scope;
	const struct slices *slices = walk->trace->slices;
	struct stacking stacking = { .walk = walk, .slices = slices, .track = UINT32_MAX };

	if (slices == NULL)
		return error_set(err, ERROR_USAGE,
			"the trace has no slices; of its states and samples there are the profiles net, "
			"sync, syscall, sched, cpu and offcpu");
	stacking.stacks = array_new(1, sizeof *stacking.stacks, err);
	if (stacking.stacks == NULL)
		return false;
	if (!stack_table_init(stacking.stacks, err)) {
		memory_free(stacking.stacks);
		return false;
	}
	walk->profile->made_stacks = stacking.stacks;
	struct slice_walk along = {
		.slices = slices,
		.scope = slice_times_scope_of(slices, scope->actor),
		.is_cancelled = search_watch_cancel_flag(scope->watch),
		.take = take_slice,
		.context = &stacking,
	};
	along.scope.t0_ns = scope->t0_ns;
	along.scope.t1_ns = scope->t1_ns;
	bool is_fine = slice_walk(&along, err);
	memory_free(stacking.levels);
	memory_free(stacking.stack_of);
	return is_fine;
}

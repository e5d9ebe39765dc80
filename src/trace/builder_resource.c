/* The builder's part for procs and threads: what ran on them, in time order. */
#include "trace/builder_resource.h"

#include <assert.h>
#include <stdlib.h>

bool
resource_add(struct resource_builder *resources, struct error *err)
{
	if (!array_reserve(&resources->builds, &resources->build_capacity,
	                   resources->build_count + 1, sizeof(*resources->builds), err))
		return false;
	resources->builds[resources->build_count] = (struct resource_build){
		.ref = (uint32_t)resources->build_count,
		.open_entry = REF_NONE,
		.carried_cut_ns = NOT_CUT,
	};
	resources->build_count++;
	return true;
}

static bool
touch(struct resource_builder *resources, struct resource_build *build, struct error *err)
{
	if (build->is_touched)
		return true;
	if (!array_reserve(&resources->touched, &resources->touched_capacity,
	                   resources->touched_count + 1, sizeof(*resources->touched), err))
		return false;
	resources->touched[resources->touched_count++] = build->ref;
	build->is_touched = true;
	return true;
}

bool
resource_note_cut(struct resource_builder *resources, struct resource_build *build,
                  int64_t now_ns, struct error *err)
{
	if (build->open_is_carried) {
		build->carried_cut_ns = now_ns;
		return touch(resources, build, err);
	}
	if (!array_reserve(&resources->cuts, &resources->cut_capacity, resources->cut_count + 1,
	                   sizeof(*resources->cuts), err))
		return false;
	resources->cuts[resources->cut_count++] =
		(struct entry_cut){ .entry = build->open_entry, .end_ns = now_ns };
	return true;
}

static bool
note_checkpoint(struct resource_builder *resources, struct resource_build *build,
                struct error *err)
{
	if (build->total == 0)
		return true;
	if (!array_reserve(&resources->checkpoints, &resources->checkpoint_capacity,
	                   resources->checkpoint_count + 1, sizeof(*resources->checkpoints), err))
		return false;
	resources->checkpoints[resources->checkpoint_count++] =
		(struct tagged_checkpoint){ .resource = build->ref, .checkpoint = build->sums };
	build->sums.longest_ns = 0;
	build->sums.longest_ordinal = build->total;
	return true;
}

bool
resource_prepare(struct resource_builder *resources, struct resource_build *build,
                 int64_t now_ns, struct error *err)
{
	return resource_end(resources, build, now_ns, true, err) &&
	       touch(resources, build, err) &&
	       (build->total % CHECKPOINT_ENTRIES != 0 ||
	        note_checkpoint(resources, build, err)) &&
	       array_reserve(&resources->entries, &resources->entry_capacity,
	                     resources->entry_count + 1, sizeof(*resources->entries), err);
}

static int
compare_u32(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return (left > right) - (left < right);
}

/* The runs, ascending by resource, with room for their entries reserved. */
static void
lay_out_runs(struct resource_builder *resources, struct resource_column *column)
{
	uint32_t first = 0;

	if (resources->touched_count > 0)
		qsort(resources->touched, resources->touched_count, sizeof(*resources->touched),
		      compare_u32);
	for (size_t i = 0; i < resources->touched_count; i++) {
		uint32_t ref = resources->touched[i];
		struct resource_build *build = resource_build_at(resources, ref);

		column->runs[i] = (struct resource_run){
			.resource = ref,
			.first = first,
			.count = build->count,
			.ordinal = build->total - build->count,
			.carried_cut_ns = build->carried_cut_ns,
		};
		build->next = first;
		first += build->count;
	}
}

static void
place_entries(struct resource_builder *resources, const struct gathered_state *states,
              struct resource_column *column)
{
	for (size_t i = 0; i < resources->entry_count; i++) {
		struct open_entry *from = &resources->entries[i];
		uint32_t to = resource_build_at(resources, from->resource)->next++;

		state_list_set(&column->entries, to, states[from->state].goroutine);
		from->state = to;
	}
}

static int
compare_cut(const void *a, const void *b)
{
	return compare_u32(&((const struct entry_cut *)a)->entry,
	                   &((const struct entry_cut *)b)->entry);
}

static void
place_cuts(struct resource_builder *resources, struct resource_column *column)
{
	for (size_t i = 0; i < resources->cut_count; i++) {
		uint32_t entry = resources->entries[resources->cuts[i].entry].state;

		column->cuts[i] = resources->cuts[i];
		column->cuts[i].entry = entry;
	}
	if (resources->cut_count > 0)
		qsort(column->cuts, resources->cut_count, sizeof(*column->cuts), compare_cut);
}

/* How many checkpoints fall on the entries of a run. */
static uint32_t
checkpoints_of(const struct resource_run *run)
{
	uint32_t first = run_first_block(run->ordinal, CHECKPOINT_ENTRIES);
	uint32_t end = (run->ordinal + run->count + CHECKPOINT_ENTRIES - 1) / CHECKPOINT_ENTRIES;

	return end > first ? end - first : 0;
}

static void
place_checkpoints(struct resource_builder *resources, struct resource_column *column)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < column->run_count; i++) {
		column->runs[i].checkpoint = at;
		resource_build_at(resources, column->runs[i].resource)->next = at;
		at += checkpoints_of(&column->runs[i]);
	}
	assert(at == resources->checkpoint_count);
	for (size_t i = 0; i < resources->checkpoint_count; i++) {
		const struct tagged_checkpoint *tagged = &resources->checkpoints[i];
		struct resource_build *build = resource_build_at(resources, tagged->resource);

		column->checkpoints[build->next++] = tagged->checkpoint;
	}
}

static void
date_checkpoints(struct resource_column *column, const uint32_t *start)
{
	for (uint32_t i = 0; i < column->run_count; i++) {
		const struct resource_run *run = &column->runs[i];
		uint32_t block = run_first_block(run->ordinal, CHECKPOINT_ENTRIES);
		uint32_t count = checkpoints_of(run);

		for (uint32_t k = 0; k < count; k++) {
			uint32_t index = (block + k) * CHECKPOINT_ENTRIES - run->ordinal;
			uint32_t state = state_list_at(&column->entries, run->first + index);

			column->checkpoints[run->checkpoint + k].start = start[state];
		}
	}
}

static void
begin_anew(struct resource_builder *resources)
{
	for (size_t i = 0; i < resources->touched_count; i++) {
		struct resource_build *build = resource_build_at(resources, resources->touched[i]);

		build->count = 0;
		build->is_touched = false;
		build->carried_cut_ns = NOT_CUT;
		build->open_is_carried = build->open_entry != REF_NONE;
	}
	resources->touched_count = 0;
	resources->entry_count = 0;
	resources->cut_count = 0;
	resources->checkpoint_count = 0;
}

void
resource_count(const struct resource_builder *resources, struct resource_column *column)
{
	column->run_count = (uint32_t)resources->touched_count;
	column->entry_count = (uint32_t)resources->entry_count;
	column->cut_count = (uint32_t)resources->cut_count;
	column->checkpoint_count = (uint32_t)resources->checkpoint_count;
}

void
resource_publish(struct resource_builder *resources, const struct gathered_state *states,
                 const uint32_t *start, struct resource_column *column)
{
	lay_out_runs(resources, column);
	place_entries(resources, states, column);
	place_cuts(resources, column);
	place_checkpoints(resources, column);
	date_checkpoints(column, start);
	begin_anew(resources);
}

void
resource_builder_release(struct resource_builder *resources)
{
	memory_free(resources->builds);
	memory_free(resources->entries);
	memory_free(resources->touched);
	memory_free(resources->cuts);
	memory_free(resources->checkpoints);
	*resources = (struct resource_builder){ 0 };
}

/* The builder's part for processors and threads: what ran on them, in time order. */
#include "trace/builder_resource.h"

bool
resource_add(struct resource_builder *resources, struct error *err)
{
	if (!array_reserve(&resources->builds, &resources->build_capacity,
	                   resources->build_count + 1, sizeof(*resources->builds), err))
		return false;
	resources->builds[resources->build_count] = (struct resource_build){
		.ref = (uint32_t)resources->build_count,
		.actor = REF_NONE,
		.carried_cut_ns = NOT_CUT,
	};
	resources->build_count++;
	return true;
}

static bool
touch(struct draft_column *draft, struct resource_build *build, struct error *err)
{
	if (build->is_touched)
		return true;
	if (!array_reserve(&draft->runs, &draft->run_capacity, draft->run_count + 1,
	                   sizeof(*draft->runs), err))
		return false;
	draft->runs[draft->run_count++] = (struct resource_run){ .resource = build->ref };
	build->is_touched = true;
	return true;
}

bool
resource_cut(struct draft_column *draft, struct resource_build *build, int64_t now_ns,
             struct error *err)
{
	if (build->is_carried) {
		build->carried_cut_ns = now_ns;
		return touch(draft, build, err);
	}
	if (!array_reserve(&draft->cuts, &draft->cut_capacity, draft->cut_count + 1,
	                   sizeof(*draft->cuts), err))
		return false;
	draft->cuts[draft->cut_count++] =
		(struct entry_cut){ .entry = build->entry, .end_ns = now_ns };
	return true;
}

bool
resource_end_carried(struct draft_column *draft, const struct resource_build *build,
                     actor_ref actor, int64_t now_ns, struct error *err)
{
	if (build->actor != actor || !build->is_carried)
		return true;
	if (!array_reserve(&draft->ends, &draft->end_capacity, draft->end_count + 1,
	                   sizeof(*draft->ends), err))
		return false;
	draft->ends[draft->end_count++] =
		(struct draft_end){ .resource = build->ref, .end_ns = now_ns };
	return true;
}

bool
resource_prepare(struct draft_column *draft, struct resource_build *build, struct error *err)
{
	return touch(draft, build, err) &&
	       array_reserve(&draft->entries, &draft->entry_capacity,
	                     draft->entry_count + 1, sizeof(*draft->entries), err);
}

void
resource_hand_over(struct resource_builder *resources, struct draft_column *draft)
{
	for (size_t i = 0; i < draft->run_count; i++) {
		struct resource_run *run = &draft->runs[i];
		struct resource_build *build = resource_build_at(resources, run->resource);

		run->count = build->count;
		run->ordinal = build->total - build->count;
		run->carried_cut_ns = build->carried_cut_ns;
		build->count = 0;
		build->is_touched = false;
		build->carried_cut_ns = NOT_CUT;
		build->is_carried = true;
	}
}

void
resource_builder_release(struct resource_builder *resources)
{
	memory_free(resources->builds);
	*resources = (struct resource_builder){ 0 };
}

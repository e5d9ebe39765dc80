/* Allocations: the types that matter first. */
#include "analysis/go/allocs.h"

#include <stdlib.h>

#include "base/memory.h"

const char *const alloc_kind_words[ALLOC_KIND_COUNT] = {
	[ALLOC_HEAP_SPAN] = "heap spans",
	[ALLOC_OTHER_SPAN] = "other spans",
	[ALLOC_OBJECT] = "objects",
	[ALLOC_STACK] = "{actor} stacks",
};

bool
allocs_are_known(const struct trace *trace)
{
	for (int kind = 0; kind < ALLOC_KIND_COUNT; kind++)
		for (int change = 0; change < ALLOC_CHANGE_COUNT; change++)
			if (trace->allocs[kind].sums[change].count > 0)
				return true;
	return false;
}

/* Those that are equal stay in the order of their names' ids, so that the result is one. */
static int
compare_types(const void *a, const void *b)
{
	const struct alloc_type *left = a, *right = b;
	const struct alloc_sum *left_sum = &left->flow.sums[ALLOC_MADE];
	const struct alloc_sum *right_sum = &right->flow.sums[ALLOC_MADE];
	if (left_sum->bytes != right_sum->bytes)
		return left_sum->bytes > right_sum->bytes ? -1 : 1;
	if (left_sum->count != right_sum->count)
		return left_sum->count > right_sum->count ? -1 : 1;
	return (left->name > right->name) - (left->name < right->name);
}

struct alloc_type *
allocs_by_type(const struct trace *trace, struct error *err)
{
	uint32_t count = trace->alloc_types.count;
	struct alloc_type *types = array_new((size_t)count + 1, sizeof(*types), err);
	if (types == NULL)
		return NULL;
	for (uint32_t i = 0; i < count; i++)
		types[i] = *(const struct alloc_type *)stable_at(&trace->alloc_types, i);
	qsort(types, count, sizeof(*types), compare_types);
	return types;
}

void
allocs_add(struct alloc_flow *sum, const struct alloc_flow *flow)
{
	for (int change = 0; change < ALLOC_CHANGE_COUNT; change++) {
		sum->sums[change].count += flow->sums[change].count;
		sum->sums[change].bytes += flow->sums[change].bytes;
	}
	sum->unsized += flow->unsized;
}

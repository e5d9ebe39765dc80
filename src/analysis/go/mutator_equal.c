/* Series that are equal, step by step. */
#include <string.h>

#include "analysis/go/mutator_internal.h"
#include "base/map.h"
#include "base/memory.h"

static bool
is_equal(const struct mutator_series *a, const struct mutator_series *b)
{
	return a->count == b->count &&
	       (a->count == 0 || memcmp(a->steps, b->steps, a->count * sizeof *a->steps) == 0);
}

bool
mutator_merge_equal(struct mutator *mutator, struct error *err)
{
	struct map firsts = { 0 }; /* by hash */
	size_t kept = 0, i = 0;
	bool is_fine = true;
	for (; is_fine && i < mutator->count; i++) {
		struct mutator_series series = mutator->series[i];
		uint64_t hash = hash_bytes(series.steps, series.count * sizeof *series.steps);
		uint32_t first = map_find(&firsts, hash);
		if (first != MAP_NONE && is_equal(&mutator->series[first], &series)) {
			mutator->series[first].weight++;
			memory_free(series.steps);
			continue;
		}
		if (first == MAP_NONE)
			is_fine = map_put(&firsts, hash, (uint32_t)kept, err);
		mutator->series[kept++] = series;
	}
	for (; i < mutator->count; i++)
		mutator->series[kept++] = mutator->series[i];
	mutator->count = kept;
	map_release(&firsts);
	return is_fine;
}

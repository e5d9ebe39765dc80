/* Each that goes on is two changes. */
#include "analysis/beneath/levels.h"

#include "base/memory.h"
#include "base/sort.h"

static bool
add(struct levels *levels, const struct level *first, int64_t until_ns, struct error *err)
{
	if (until_ns <= first->time_ns)
		return true;
	if (!array_reserve(&levels->items, &levels->capacity, levels->count + 2, sizeof *levels->items, err))
		return false;
	levels->items[levels->count++] = *first;
	levels->items[levels->count++] = (struct level){ until_ns, -first->on, -first->ready };
	return true;
}

bool
levels_add_on(struct levels *levels, int64_t from_ns, int64_t until_ns, struct error *err)
{
	return add(levels, &(const struct level){ from_ns, 1, 0 }, until_ns, err);
}

bool
levels_add_ready(struct levels *levels, int64_t from_ns, int64_t until_ns, struct error *err)
{
	return add(levels, &(const struct level){ from_ns, 0, 1 }, until_ns, err);
}

static int
compare_levels(const void *left, const void *right)
{
	const struct level *a = left, *b = right;
	return (a->time_ns > b->time_ns) - (a->time_ns < b->time_ns);
}

bool
levels_sort(struct levels *levels, const atomic_bool *is_cancelled, struct error *err)
{
	const struct sort sort = { levels->items, levels->count, sizeof *levels->items, compare_levels };
	return sort_items(&sort, is_cancelled, err);
}

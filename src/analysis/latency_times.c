/* A sort in linear time. */
#include "analysis/latency_times.h"

#include "base/memory.h"
#include "query/radix.h"
#include "query/watch.h"

static bool
reserve(struct latency_times *times, size_t spans, struct error *err)
{
	size_t count = spans + 1; /* never none */
	if (count > UINT32_MAX)
		return error_set(err, ERROR_LIMIT, "there are too many spans");
	times->starts_ns = array_new(count, sizeof *times->starts_ns, err);
	times->levels = array_new(count, sizeof *times->levels, err);
	times->items = array_new(count, sizeof *times->items, err);
	return times->starts_ns != NULL && times->levels != NULL &&
	       times->items != NULL;
}

enum { LEVEL_SHIFT = 32 }; /* of an item's level, above the item */

/* The items by when they began, among equals the shorter first. */
static bool
sort_items(const struct latency *latency, struct radix_item *sorted, struct search_watch *watch,
	struct error *err)
{
	enum { AHEAD = 16 };
	for (size_t i = 0; i < latency->count; i++) {
		uint64_t level = heat_level(latency_duration_ns(latency, i));
		if (i + AHEAD < latency->count)
			latency_prefetch_start(latency, i + AHEAD);
		sorted[i] = (struct radix_item){
			(uint64_t)latency_start_ns(latency, i), level << LEVEL_SHIFT | i
		};
	}
	return radix_sort(sorted, latency->count, search_watch_cancel_flag(watch), err);
}

bool
latency_times_build(struct latency_times *times, const struct latency *latency,
	struct search_watch *watch, struct error *err)
{
	size_t count = latency->count;
	*times = (struct latency_times){ .count = count };
	struct radix_item *sorted = array_new(count + 1, sizeof *sorted, err);
	bool is_fine = sorted != NULL && reserve(times, count, err) &&
		       sort_items(latency, sorted, watch, err);
	for (size_t i = 0; is_fine && i < count; i++) {
		times->starts_ns[i] = (int64_t)sorted[i].key;
		times->levels[i] = (uint16_t)(sorted[i].value >> LEVEL_SHIFT);
		times->items[i] = (uint32_t)sorted[i].value;
	}
	memory_free(sorted);
	return is_fine;
}

void
latency_times_release(struct latency_times *times)
{
	memory_free(times->starts_ns);
	memory_free(times->levels);
	memory_free(times->items);
	*times = (struct latency_times){ 0 };
}

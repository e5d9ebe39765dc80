/*
 * The regions of tasks as pairs of asynchronous events on the lanes of goroutines:
 * doc/format/cmd-trace-views.md, section 4.7; which end belongs to which beginning is said
 * in section 5.
 */
#ifndef TTRACE_DUMP_JSON_REGIONS_H
#define TTRACE_DUMP_JSON_REGIONS_H

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "dump/json_events.h"
#include "dump/json_tasks.h"
#include "source/go/event.h"

struct json_region;

struct json_regions {
	const struct json_tasks *tasks; /* whose regions are drawn */
	struct json_events *out;
	struct map open; /* goroutine to its innermost open region, by index */
	struct json_region *items;
	size_t count, capacity;
	uint32_t first_free; /* index + 1 */
	uint64_t drawn_count;
};

/* The tasks and `out` must outlive it. */
void json_regions_init(
	struct json_regions *regions, const struct json_tasks *tasks, struct json_events *out);
void json_regions_release(struct json_regions *regions);
void json_regions_take(struct json_regions *regions, const struct go_event *event);
/* Those that are open end with the trace. */
void json_regions_finish(struct json_regions *regions, int64_t end_ns);

#endif

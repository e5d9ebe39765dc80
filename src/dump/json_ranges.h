/*
 * Ranges that belong to no goroutine, on a lane of their own or of a proc: collections
 * and sweeps (doc/format/cmd-trace-views.md, sections 4.3 and 4.6).
 */
#ifndef TTRACE_DUMP_JSON_RANGES_H
#define TTRACE_DUMP_JSON_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "dump/json_events.h"
#include "source/go/event.h"

struct json_open_range;

/* Zero-initialised has none open. */
struct json_ranges {
	struct map by_lane; /* to the index of what is open on it */
	struct json_open_range *items;
	size_t count, capacity;
};

void json_ranges_release(struct json_ranges *ranges);

/*
 * A beginning, activity or end on a lane, which has one range at a time. Activity is news in
 * the first generation alone.
 */
void json_ranges_take(struct json_ranges *ranges, struct json_events *out,
	const struct go_event *event, int64_t lane, bool is_first_generation);
/* Ends what is open. */
void json_ranges_finish(struct json_ranges *ranges, struct json_events *out, int64_t end_ns);

#endif

/* Rows to lanes, to names, and back. */
#include "draw/row.h"

#include <string.h>

#include "analysis/registry.h"
#include "base/compiler.h"
#include "trace/lane_name.h"

static const int lane_types[ROW_TYPE_COUNT] = {
	[ROW_ACTORS] = LANE_ALL,
	[ROW_HEAP] = -1,
	[ROW_HEAP_UPPER] = -1,
	[ROW_THREADS] = LANE_ALL,
	[ROW_GC] = LANE_GC,
	[ROW_STW] = LANE_STW,
	[ROW_WAKES] = -1,
	[ROW_SAMPLES] = -1,
	[ROW_SECTION] = -1,
	[ROW_STEP] = -1,
	[ROW_PROCESSOR] = LANE_PROCESSOR,
	[ROW_THREAD] = LANE_THREAD,
	[ROW_BENEATH] = -1,
	[ROW_GROUP] = LANE_GROUP,
	[ROW_ACTOR] = LANE_ACTOR,
	[ROW_TASK] = LANE_TASK,
	[ROW_GAUGE] = -1,
	[ROW_REGIONS] = -1,
	[ROW_LOGS] = -1,
	[ROW_STACK] = LANE_ACTOR,
	[ROW_SLICES] = LANE_ACTOR,
	[ROW_PROCESSOR_SLICES] = LANE_PROCESSOR,
};

enum row_section
row_part_of(struct row row)
{
	if (row.is_pinned || row.type > ROW_WAKES)
		return SECTION_COUNT;
	return row.type <= ROW_THREADS                        ? SECTION_COUNTERS
	       : row.type == ROW_GC || row.type == ROW_STW ? SECTION_GC
							     : SECTION_EVENTS;
}

/* A row that stands for several has the lane of the first one. */
bool
row_to_lane(struct row row, struct lane *lane)
{
	if (row.type == ROW_SECTION && row.ref == SECTION_COUNTERS)
		row = (struct row){ .type = ROW_ACTORS };
	else if (row.type == ROW_SECTION && row.ref == SECTION_GC)
		row = (struct row){ .type = ROW_GC };
	if (lane_types[row.type] < 0)
		return false;
	*lane = (struct lane){ (enum lane_type)lane_types[row.type], row.ref };
	return true;
}

struct row
row_of_lane(struct lane lane)
{
	uint8_t type = 0;
	while (lane_types[type] != (int)lane.type)
		type++;
	return (struct row){ .type = type, .ref = lane.ref };
}

/* ---- names */

static const struct {
	const char *name;
	enum row_type type;
	uint32_t ref;
} laneless[] = {
	{ "goroutines", ROW_ACTORS, 0 },
	{ "heap", ROW_HEAP, 0 },
	{ "threads", ROW_THREADS, 0 },
	{ "network", ROW_WAKES, WAKE_NETWORK },
	{ "timers", ROW_WAKES, WAKE_TIMER },
	{ "syscalls", ROW_WAKES, WAKE_SYSCALL },
	{ "samples", ROW_SAMPLES, 0 },
};

void
row_name_add(struct text *out, const struct trace *trace, struct row row)
{
	struct lane lane;
	for (size_t i = 0; i < ARRAY_LENGTH(laneless); i++) {
		if (laneless[i].type == row.type && laneless[i].ref == row.ref) {
			text_add_string(out, registry_shown_name(laneless[i].name, trace->words));
			return;
		}
	}
	if (row_to_lane(row, &lane))
		lane_name_add(out, trace, lane);
}

bool
row_name_find(const struct trace *trace, const char *name, struct row *row)
{
	struct lane lane;
	const char *own = registry_own_name(name, strlen(name));
	for (size_t i = 0; i < ARRAY_LENGTH(laneless); i++) {
		if (strcmp(laneless[i].name, own != NULL ? own : name) == 0) {
			*row = (struct row){ .type = (uint8_t)laneless[i].type, .ref = laneless[i].ref };
			return true;
		}
	}
	if (!lane_name_find(trace, name, &lane))
		return false;
	*row = row_of_lane(lane);
	return true;
}

bool
row_can_be_pinned(enum row_type type)
{
	return type <= ROW_TASK && type != ROW_SECTION && type != ROW_STEP &&
	       type != ROW_HEAP_UPPER;
}
